// A program that compiles its kernels itself, by NVRTC, and loads them by the driver. With a number it
// makes that mistake (../libraries.sh).
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static const char source[] = R"(#include "parts/shift.h"
namespace N {
template <class T> __global__ void scale(T *out, T factor, const T *in)
{
    out[threadIdx.x] = SHIFT(factor * in[threadIdx.x]);
}
struct S0_ { int x; };
template <class A> __global__ void twice(int *out, A *, A **) { out[threadIdx.x] *= 2; }
__constant__ int offset;
__global__ void use(int *out) { *out = offset; }
}
extern "C" __global__ void past(int *out)
{
    out[threadIdx.x + 32] = ADDED;
}
)";
static const char header[] = "#define SHIFT(x) ((x) + N_OFFSET)\n";

#define CHECK(call)                                                                                \
    if ((call) != 0) {                                                                             \
        printf("%s: %d\n", #call, (int)(call));                                                    \
        exit(1);                                                                                   \
    }

int main(int argc, char **argv)
{
    const int mistake = argc > 1 ? atoi(argv[1]) : 0;
    const char *headers[] = {header}, *names[] = {"parts/shift.h"};
    const char *options[] = {"--gpu-architecture=compute_75", "-DADDED=1", "-D", "N_OFFSET=10",
                             "--std=c++14", mistake == 1 ? "--no-such-option" : "-default-device"};
    nvrtcProgram program;
    nvrtcResult result;
    size_t bytes = 0;
    int major = 0, minor = 0;

    CHECK(nvrtcVersion(&major, &minor));
    CHECK(nvrtcCreateProgram(&program, mistake == 2 ? "__global__ void f() { nonsense; }" : source,
                             "kernels.cu", 1, headers, names));
    CHECK(nvrtcAddNameExpression(program, "N::scale<int>"));
    CHECK(nvrtcAddNameExpression(program, "&N::offset"));
    CHECK(nvrtcAddNameExpression(program, "N::twice<N::S0_ *>"));
    CHECK(nvrtcAddNameExpression(program, "past"));
    result = nvrtcCompileProgram(program, 6, options);
    CHECK(nvrtcGetProgramLogSize(program, &bytes));
    std::vector<char> log(bytes);
    CHECK(nvrtcGetProgramLog(program, log.data()));
    if (result != NVRTC_SUCCESS) {
        printf("%s\n%s", nvrtcGetErrorString(result), log.data());
        return 0;
    }
    CHECK(nvrtcGetPTXSize(program, &bytes));
    std::vector<char> ptx(bytes);
    CHECK(nvrtcGetPTX(program, ptx.data()));

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr out, in;
    const char *name;
    int numbers[32], factor = 3;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadDataEx(&module, ptx.data(), 0, nullptr, nullptr));
    CHECK(cuMemAlloc(&out, sizeof numbers));
    CHECK(cuMemAlloc(&in, sizeof numbers));
    CHECK(cuMemsetD32(in, 5, 32));
    CHECK(nvrtcGetLoweredName(program, "N::scale<int>", &name));
    printf("%s\n", name);
    CHECK(cuModuleGetFunction(&kernel, module, name));
    void *arguments[] = {&out, &factor, &in};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(nvrtcGetLoweredName(program, "N::twice<N::S0_ *>", &name));
    printf("%s\n", name);
    CHECK(cuModuleGetFunction(&kernel, module, name));
    void *more[] = {&out, &in, &in};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, more, nullptr));
    CHECK(cuMemcpyDtoH(numbers, out, sizeof numbers));
    CHECK(nvrtcGetLoweredName(program, "&N::offset", &name));
    printf("%s\n%d, version %d\n", name, numbers[31], major);
    if (mistake == 3) {
        CHECK(nvrtcGetLoweredName(program, "past", &name));
        CHECK(cuModuleGetFunction(&kernel, module, name));
        CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    }
    CHECK(cuMemFree(out));
    CHECK(cuMemFree(in));
    CHECK(nvrtcDestroyProgram(&program));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
