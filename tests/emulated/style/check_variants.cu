#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#define CHECK(call) { const cudaError_t error = call; if (error != cudaSuccess) { printf("Error: %s:%d, ", "file", __LINE__); printf("code:%d, reason: %s\n", error, cudaGetErrorString(error)); exit(1); } }
#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { printf("Error at %s:%d\n", "file", __LINE__); return EXIT_FAILURE; } } while (0)
#define gpuErrchk(ans) { gpuAssert((ans), "file", __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) { if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); } }
#define cudaCheckErrors(msg) do { cudaError_t __err = cudaGetLastError(); if (__err != cudaSuccess) { fprintf(stderr, "Fatal error: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err), __FILE__, __LINE__); exit(1); } } while (0)
#define CUDA_SAFE_CALL(call) { cudaError err = call; if (cudaSuccess != err) { fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, cudaGetErrorString(err)); exit(EXIT_FAILURE); } }
class CudaError : public std::runtime_error { public: CudaError(cudaError_t e, const std::string &w) : std::runtime_error(w + ": " + cudaGetErrorString(e)), code(e) {} cudaError_t code; };
template <typename T> void check(T result, char const *const func, int line) { if (result) throw CudaError(result, func); }
#define checkCudaErrors(val) check((val), #val, __LINE__)
static inline cudaError_t checkCuda(cudaError_t result) {
#if defined(DEBUG) || defined(_DEBUG)
  if (result != cudaSuccess) { fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result)); assert(result == cudaSuccess); }
#endif
  return result;
}
#define TRY(...) [&] { cudaError_t e_ = (__VA_ARGS__); if (e_) std::cout << cudaGetErrorName(e_) << "\n"; return e_; }()
#define STR2(x) #x
#define STR(x) STR2(x)
__global__ void nothing() {}
__global__ void one(int *p) { *p = 1; }
int main()
{
    int *p;
    CHECK(cudaMalloc(&p, 4)); CUDA_CALL(cudaMemset(p, 0, 4)); gpuErrchk(cudaPeekAtLastError()); CUDA_SAFE_CALL(cudaDeviceSynchronize());
    one<<<1, 1>>>(p); cudaCheckErrors("one");
    checkCudaErrors(cudaDeviceSynchronize()); checkCuda(cudaGetLastError());
    nothing<<<1, 2000>>>();
    TRY(cudaGetLastError());
    nothing<<<0, 1>>>();
    try { checkCudaErrors(cudaGetLastError()); } catch (const CudaError &e) { std::cout << e.what() << " " << e.code << std::endl; }
    TRY(cudaMemcpy(nullptr, p, 4, cudaMemcpyHostToDevice));
    std::ostringstream os; os << "line " << STR(42) << ' ' << cudaGetErrorString(cudaErrorMemoryAllocation);
    std::cout << os.str() << "\n";
    return cudaFree(p) == cudaSuccess ? 0 : 3;
}

/* exit status 1, findings: api_error
cudaErrorInvalidValue
cudaGetLastError(): invalid argument 1
cudaErrorInvalidValue
line 42 out of memory
*/
