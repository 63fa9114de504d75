#include <cstdio>
#include <vector>
#include <functional>
#define BLOCK_SIZE 8
using namespace std;
typedef struct { int width, height, stride; float *elements; } Matrix;
__device__ float GetElement(const Matrix A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ void SetElement(Matrix A, int row, int col, float value) { A.elements[row * A.stride + col] = value; }
__device__ Matrix GetSubMatrix(Matrix A, int row, int col) {
    Matrix s; s.width = BLOCK_SIZE; s.height = BLOCK_SIZE; s.stride = A.stride;
    s.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col]; return s;
}
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
    Matrix Csub = GetSubMatrix(C, blockIdx.y, blockIdx.x); float Cvalue = 0; int row = threadIdx.y, col = threadIdx.x;
    for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
        Matrix Asub = GetSubMatrix(A, blockIdx.y, m), Bsub = GetSubMatrix(B, m, blockIdx.x);
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE]; __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[row][col] = GetElement(Asub, row, col); Bs[row][col] = GetElement(Bsub, row, col);
        __syncthreads();
        auto mad = [&](int e) { Cvalue += As[row][e] * Bs[e][col]; };
        for (int e = 0; e < BLOCK_SIZE; ++e) mad(e);
        __syncthreads();
    }
    SetElement(Csub, row, col, Cvalue);
}
int main() {
    const int n = 16; vector<float> a(n * n), b(n * n), c(n * n); Matrix d[3];
    for (int i = 0; i < n * n; ++i) { a[i] = i % 5; b[i] = i % 3; }
    auto alloc = [n](Matrix &m, const vector<float> &v) { m.width = m.height = m.stride = n; cudaMalloc(&m.elements, n * n * sizeof(float)); cudaMemcpy(m.elements, v.data(), n * n * sizeof(float), cudaMemcpyHostToDevice); };
    alloc(d[0], a); alloc(d[1], b); alloc(d[2], c);
    MatMulKernel<<<dim3(n / BLOCK_SIZE, n / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(d[0], d[1], d[2]);
    cudaMemcpy(c.data(), d[2].elements, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    function<float(int, int)> ref = [&](int i, int j) { float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; return s; };
    int wrong = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) wrong += ref(i, j) != c[i * n + j];
    printf("%d wrong, %g\n", wrong, c[n * n - 1]);
}
/* exit status 0, findings: none
0 wrong, 30
*/
