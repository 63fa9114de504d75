#include <cstdio>
#include <iostream>
using namespace std;
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort=true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr,"GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}
#define CHECK(call)                                                  \
do {                                                                 \
    const cudaError_t error_code = call;                             \
    if (error_code != cudaSuccess) {                                 \
        cout << "CUDA Error: " << error_code << ", " << cudaGetErrorName(error_code) << endl; \
        exit(1);                                                     \
    }                                                                \
} while (0)
#define CUDA_CALL(x) do { if((x) != cudaSuccess) { \
    printf("Error at line %d\n",__LINE__); return EXIT_FAILURE;}} while(0)
#define checkCUDAError(msg) { cudaError_t e = cudaGetLastError(); if (cudaSuccess != e) cerr << msg; }

__global__ void inc(float *x, int n) { int t = threadIdx.x; if (t < n) x[t] += 1.f; }

int main() {
    float h[8] = {0}, *d;
    gpuErrchk( cudaMalloc(&d, sizeof(h)) );
    CHECK(cudaMemset(d, 0, sizeof(h)));
    inc<<<1, 8>>>(d, 8);
    gpuErrchk( cudaPeekAtLastError() );
    gpuErrchk( cudaDeviceSynchronize() );
    checkCUDAError("kernel");
    CUDA_CALL(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    cout << h[0] + h[7] << endl;
    CHECK(cudaFree(d));
    gpuErrchk(cudaMemcpy(h, NULL, sizeof h, cudaMemcpyDeviceToHost));
    cout << "not reached" << endl;
}
/* exit status 1, findings: api_error
2
*/
