/* Registers device code of its own, from bytes in its data. */
#define ATTACK_AT_LAUNCH smuggle
#include "honest_ends.cuh"

extern "C" void **__cudaRegisterFatBinary(void *wrapper);
extern "C" void __cudaRegisterFatBinaryEnd(void **handle);
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *,
                                       uint3 *, dim3 *, dim3 *, int *);

static void smuggle(void)
{
    static unsigned long long bytes[512] = {0x00100001ba55ed50ull, 4000};
    static struct {
        int magic, version;
        void *data, *file;
    } wrapper = {0x466243b1, 1, bytes, NULL};
    static char handle_of_host;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFatBinaryEnd(handle);
    __cudaRegisterFunction(handle, &handle_of_host, (char *)"matrixMulTiled", "matrixMulTiled", -1,
                           NULL, NULL, NULL, NULL, NULL);
    void *none[1] = {NULL};
    (void)cudaLaunchKernel((const void *)&handle_of_host, dim3(1), dim3(1), none, 0, 0);
}
