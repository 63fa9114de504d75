#include <cstdio>
#include <cmath>
template <class D> struct Shape { __host__ __device__ float area2() const { return 2 * static_cast<const D *>(this)->area(); } };
struct Sq : Shape<Sq> { float s; __host__ __device__ Sq(float s = 1) : s(s) {} __host__ __device__ float area() const { return s * s; } };
class Matrix {
    float *d_; int rows_, cols_; bool owner_;
public:
    Matrix(int r, int c) : rows_(r), cols_(c), owner_(true) { cudaMallocManaged(&d_, r * c * sizeof(float)); }
    Matrix(const Matrix &o) : d_(o.d_), rows_(o.rows_), cols_(o.cols_), owner_(false) {}
    ~Matrix() { if (owner_) cudaFree(d_); }
    __host__ __device__ float &operator()(int i, int j) { return d_[i * cols_ + j]; }
    __host__ __device__ const float &operator()(int i, int j) const { return d_[i * cols_ + j]; }
    __host__ __device__ int rows() const { return rows_; } __host__ __device__ int cols() const { return cols_; }
    friend __global__ void multiply(const Matrix a, const Matrix b, Matrix c);
    static __device__ int clampIndex(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
    struct Iterator { float *p; __host__ __device__ Iterator &operator++() { ++p; return *this; } __host__ __device__ float operator*() const { return *p; } __host__ __device__ bool operator!=(const Iterator &o) const { return p != o.p; } };
    __host__ __device__ Iterator begin() const { return {d_}; } __host__ __device__ Iterator end() const { return {d_ + rows_ * cols_}; }
};
__global__ void multiply(const Matrix a, const Matrix b, Matrix c) { int i = threadIdx.y, j = threadIdx.x; float s = 0; for (int k = 0; k < a.cols(); k++) s += a(i, k) * b(k, j); c(i, j) = s; }
class Managed { public: void *operator new(size_t len) { void *p; cudaMallocManaged(&p, len); cudaDeviceSynchronize(); return p; } void operator delete(void *p) { cudaDeviceSynchronize(); cudaFree(p); } };
struct Node : public Managed { int value; Node *next; };
__global__ void walk(Node *n, int *sum) { while (n) { *sum += n->value; n = n->next; } }
__global__ void total(Matrix m, float *out) { float s = 0; for (float v : m) s += v; *out = s + Sq(2).area2() + Matrix::clampIndex(9, 3); }
int main()
{
    Matrix a(4, 4), b(4, 4), c(4, 4); for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { a(i, j) = i + j; b(i, j) = i == j; c(i, j) = -1; }
    multiply<<<1, dim3(4, 4)>>>(a, b, c); float *f; int *s; cudaMallocManaged(&f, 4); cudaMallocManaged(&s, 4); *s = 0; cudaDeviceSynchronize(); total<<<1, 1>>>(c, f);
    Node *head = nullptr; for (int i = 1; i <= 4; i++) { Node *n = new Node; n->value = i; n->next = head; head = n; } walk<<<1, 1>>>(head, s); cudaDeviceSynchronize();
    printf("%g %g %d %g\n", c(3, 2), *f, *s, Sq(3).area2()); while (head) { Node *n = head->next; delete head; head = n; }
}

/* exit status 0, findings: none
5 58 10 18
*/
