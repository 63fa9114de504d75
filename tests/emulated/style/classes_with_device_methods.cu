#include <iostream>
namespace geometry {
class Vec3 {
    float e[3];
public:
    __host__ __device__ Vec3() : e{0, 0, 0} {}
    __host__ __device__ Vec3(float x, float y, float z) { e[0] = x; e[1] = y; e[2] = z; }
    __host__ __device__ inline float x() const { return e[0]; }
    __host__ __device__ inline float operator[](int i) const { return e[i]; }
    __host__ __device__ inline float &operator[](int i) { return e[i]; }
    __host__ __device__ Vec3 &operator+=(const Vec3 &o) { for (int i = 0; i < 3; i++) e[i] += o.e[i]; return *this; }
    __host__ __device__ float length() const { return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]); }
    friend __host__ __device__ Vec3 operator*(float t, const Vec3 &v) { return Vec3(t * v.e[0], t * v.e[1], t * v.e[2]); }
};
__host__ __device__ Vec3 operator-(const Vec3 &a, const Vec3 &b) { return Vec3(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
std::ostream &operator<<(std::ostream &o, const Vec3 &v) { return o << v[0] << ' ' << v[1] << ' ' << v[2]; }
}
using namespace geometry;

class Shape {
public:
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
class Circle : public Shape { float r; public: __device__ Circle(float r) : r(r) {} __device__ float area() const override { return 3.0f * r * r; } };
class Square : public Shape { float a; public: __device__ Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };

__global__ void integrate(Vec3 *p, Vec3 v, float dt) { p[threadIdx.x] += (threadIdx.x * dt) * v; }
__global__ void areas(float *out) {
    Shape *s[2] = {new Circle(2), new Square(3)};
    for (int i = 0; i < 2; i++) { out[i] = s[i]->area(); delete s[i]; }
}
int main() {
    Vec3 *p;
    cudaMallocManaged(&p, 4 * sizeof(Vec3));
    for (int i = 0; i < 4; i++) p[i] = Vec3(i, 1, 0);
    integrate<<<1, 4>>>(p, Vec3(1, 2, 2), 0.5f);
    cudaDeviceSynchronize();
    std::cout << p[3] << "\n" << (p[3] - p[0]).length() << " " << p[1].x() << std::endl;
    float *a; cudaMallocManaged(&a, 8);
    areas<<<1, 1>>>(a); cudaDeviceSynchronize();
    std::cout << a[0] << " " << a[1] << std::endl;
    cudaFree(p);
}
/* exit status 0, findings: none
4.5 4 3
6.18466 1.5
12 9
*/
