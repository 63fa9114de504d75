#include <cstdio>
class Shape {
public:
    __device__ Shape(float s) : size(s) {}
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
protected:
    float size;
};
class Square final : public Shape {
public:
    __device__ explicit Square(float s) : Shape(s) {}
    __device__ float area() const override { return size * size; }
};
class Circle : public Shape {
public:
    __device__ Circle(float r) : Shape(r) {}
    __device__ virtual float area() const override { return 3.0f * size * size; }
};
__global__ void create(Shape **shapes, int n)
{
    int i = threadIdx.x;
    if (i < n) shapes[i] = i % 2 ? static_cast<Shape *>(new Circle(i)) : new Square(i);
}
__global__ void measure(Shape **shapes, float *out, int n) { int i = threadIdx.x; if (i < n) out[i] = shapes[i]->area(); }
__global__ void destroy(Shape **shapes, int n) { int i = threadIdx.x; if (i < n) { delete shapes[i]; shapes[i] = nullptr; } }
int main()
{
    const int n = 6;
    Shape **s; float *out;
    cudaMalloc(&s, n * sizeof(Shape *));
    cudaMallocManaged(&out, n * sizeof(float));
    create<<<1, 32>>>(s, n);
    measure<<<1, 32>>>(s, out, n);
    destroy<<<1, 32>>>(s, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) printf("%.0f ", out[i]);
    puts("");
    cudaFree(s); cudaFree(out);
}

/* exit status 0, findings: none
0 3 4 27 16 75 
*/
