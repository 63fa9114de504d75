// A program for the driver alone: contexts, a module of PTX, launches in both forms, memory, streams,
// events. With a number it makes that mistake (driver_mistakes in ../driver.sh).
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

static const char code[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".file 1 \"scale.cu\"\n"
    ".visible .global .align 4 .f32 factor = 0f40000000;\n"
    ".visible .entry scale(.param .u64 out, .param .u32 count)\n"
    "{\n"
    "    .reg .pred %p1; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<6>;\n"
    "    .loc 1 3 5\n"
    "    ld.param.u64 %rd1, [out];\n"
    "    ld.param.u32 %r1, [count];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n"
    "    @%p1 bra DONE;\n"
    "    .loc 1 4 9\n"
    "    mul.wide.u32 %rd2, %r5, 4;\n"
    "    add.s64 %rd3, %rd1, %rd2;\n"
    "    ld.f32 %f1, [%rd3];\n"
    "    ld.global.f32 %f2, [factor];\n"
    "    mul.f32 %f3, %f1, %f2;\n"
    "    st.f32 [%rd3], %f3;\n"
    "DONE:\n"
    "    ret;\n"
    "}\n";

enum { COUNT = 100, BYTES = COUNT * sizeof(float) };

static void check(CUresult result, const char *what)
{
    const char *name = nullptr;

    if (result != CUDA_SUCCESS) {
        cuGetErrorName(result, &name);
        printf("%s: %s\n", what, name);
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

static void report(const char *what, CUresult result)
{
    const char *name = nullptr;

    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name);
}

extern "C" CUresult cuCtxResetPersistingL2Cache(void);

static void run_all(CUmodule module, CUfunction scale)
{
    float numbers[COUNT];
    CUdeviceptr memory, factor, rows;
    CUstream stream;
    CUevent start, end;
    size_t bytes = 0, pitch = 0;
    int blocks = 0, threads = 0, value = 0;
    float milliseconds = -1;

    CHECK(cuMemAlloc(&memory, BYTES));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    CHECK(cuMemcpyHtoDAsync(memory, numbers, BYTES, stream));
    CHECK(cuEventRecord(start, stream));
    int count = COUNT;
    void *arguments[] = {&memory, &count};
    CHECK(cuLaunchKernel(scale, 2, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
    CHECK(cuEventRecord(end, stream));
    CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    float three = 3;
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyHtoD(factor, &three, sizeof three));
    struct {
        CUdeviceptr out;
        unsigned count;
    } packed = {memory, COUNT};
    size_t packed_bytes = 12; // what comes after the count is no argument
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &packed_bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(scale, 2, 1, 1, 64, 1, 1, 0, stream, nullptr, extra));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuEventElapsedTime(&milliseconds, start, end));
    CHECK(cuMemcpyDtoH(numbers, memory, BYTES));
    printf("%g %g %g, factor of %zu bytes, time %d\n", numbers[1], numbers[50], numbers[99], bytes,
           milliseconds >= 0);

    CHECK(cuMemsetD32(memory, 0x3f800000, COUNT));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemsetD16Async(memory, 0x4000, 2, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(numbers, memory, BYTES));
    printf("%g %g\n", numbers[0], numbers[COUNT - 1]);

    CHECK(cuMemAllocPitch(&rows, &pitch, 40, 3, 4));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.srcPitch = 40;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = rows;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 40;
    copy.Height = 3;
    CHECK(cuMemcpy2D(&copy));
    CHECK(cuMemcpyDtoH(numbers, rows + pitch, 40));
    printf("%g, a pitch of %zu\n", numbers[9], pitch);

    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, scale, nullptr, 0, 0));
    printf("most threads %d, best %d\n", value, threads);
    CHECK(cuMemFree(rows));
    CHECK(cuMemFree(memory));
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(end));
    CHECK(cuStreamDestroy(stream));
}

int main(int argc, char **argv)
{
    const int mistake = argc > 1 ? atoi(argv[1]) : 0;
    CUdevice device;
    CUcontext context, other;
    CUmodule module;
    CUfunction scale;
    CUdeviceptr memory;
    int count = 200, version = 0;

    if (mistake == 1) {
        report("before cuInit", cuDeviceGet(&device, 0));
        return 0;
    }
    CHECK(cuInit(0));
    CHECK(cuDriverGetVersion(&version));
    CHECK(cuDeviceGet(&device, 0));
    if (mistake == 2) {
        report("without a context", cuMemAlloc(&memory, 4));
        return 0;
    }
    CUctxCreateParams nothing = {};
    CHECK(cuCtxCreate(&context, &nothing, 0, device));
    if (mistake == 3) {
        report("no PTX", cuModuleLoadData(&module, ".version 7.0\n.target sm_75\nnonsense"));
        return 0;
    }
    if (mistake == 4) {
        report("a cubin", cuModuleLoadData(&module, "\177ELF\2\1\1"));
        return 0;
    }
    CHECK(cuModuleLoadData(&module, code));
    if (mistake == 5) {
        report("no kernel", cuModuleGetFunction(&scale, module, "_Z5scale"));
        return 0;
    }
    CHECK(cuModuleGetFunction(&scale, module, "scale"));
    void *arguments[] = {&memory, &count};
    switch (mistake) {
    case 0:
        run_all(module, scale);
        break;
    case 6: // past the end
        CHECK(cuMemAlloc(&memory, BYTES));
        CHECK(cuMemsetD8(memory, 0, BYTES));
        CHECK(cuLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
        report("past the end", cuCtxSynchronize());
        break;
    case 7:
        CHECK(cuMemAlloc(&memory, BYTES));
        CHECK(cuMemFree(memory));
        report("freed twice", cuMemFree(memory));
        break;
    case 8:
        CHECK(cuCtxCreate(&other, nullptr, 0, device));
        CHECK(cuMemAlloc(&memory, BYTES));
        report("of another context",
               cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
        CHECK(cuCtxDestroy(other));
        break;
    case 9:
        CHECK(cuMemAlloc(&memory, BYTES));
        CHECK(cuModuleUnload(module));
        report("unloaded",
               cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
        break;
    case 10: { // a call by name, and one that is not there
        CUdriverProcAddressQueryResult found;
        CUresult (*allocate)(CUdeviceptr *, size_t);
        CHECK(cuGetProcAddress("cuMemAlloc", (void **)&allocate, 13000, 0, &found));
        CHECK(allocate(&memory, BYTES)); // and it is never freed
        CHECK(cuGetProcAddress("cuNothing", (void **)&allocate, 13000, 0, &found));
        printf("by name: %d %d\n", allocate == nullptr, found);
        return 0;
    }
    case 13: // too many bytes of arguments, and too few
    case 14: {
        size_t bytes = mistake == 13 ? 16 : 8;
        CUdeviceptr packed[2] = {0, 0};
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                         &bytes, CU_LAUNCH_PARAM_END};
        report("bytes of arguments",
               cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
        break;
    }
    case 11: // a call that the stand-in lacks
        report("not known", cuCtxResetPersistingL2Cache());
        break;
    }
    CHECK(cuCtxDestroy(context));
    if (mistake == 12)
        report("destroyed", cuCtxSynchronize());
    return 0;
}
