#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// helper_cuda.h is not on my machine
template <typename T>
void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
inline void __getLastCudaError(const char *errorMessage, const char *file, const int line) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) { fprintf(stderr, "%s(%i) : %s\n", file, line, errorMessage); exit(2); }
}
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
inline int findCudaDevice(int argc, const char **argv) {
  int devID = 0, count = 0;
  if (argc > 1 && strncmp(argv[1], "device=", 7) == 0) devID = atoi(argv[1] + 7);
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) exit(EXIT_FAILURE);
  devID = MAX(devID, 0);
  int computeMode = -1, major = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, devID));
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, devID));
  checkCudaErrors(cudaSetDevice(devID));
  printf("mode %d, capability is %s\n", computeMode, major >= 5 ? "fine" : "old");
  return devID;
}
__global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }
int main(int argc, char **argv) {
  int dev = findCudaDevice(argc, (const char **)argv);
  float h[4] = {1, 2, 3, 4}, *d = NULL;
  checkCudaErrors(cudaMalloc((void **)&d, 16));
  checkCudaErrors(cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice));
  scale<<<1, 4>>>(d, 2.5f);
  getLastCudaError("scale failed");
  checkCudaErrors(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
  printf("%d: %g %g %g %g\n", dev, h[0], h[1], h[2], h[3]);
  checkCudaErrors(cudaFree(d));
  exit(EXIT_SUCCESS);
}
/* exit status 0, findings: none
mode 0, capability is fine
0: 2.5 5 7.5 10
*/
