#include <assert.h>
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
__device__ const char *const names[] = {"zero", "one", "two"};
__global__ void talk(int n, const char *title)
{
    assert(n > 0);
    assert(threadIdx.x < blockDim.x && "never");
    if (threadIdx.x == 0) {
        long long big = -1234567890123LL;
        unsigned long long ubig = 0xdeadbeefcafeULL;
        printf("[%s] 100%% of %lld and %llu %llx\n", "gpu", big, ubig, ubig);
        printf("%5d|%-5d|%05d|%+d|%x|%X|%o|%c\n", n, n, n, n, 255, 255, 8, 'q');
        printf("%f %.3f %10.2e %g %G\n", 1.5, 2.0f / 3, 12345.678, 0.0001, 1e20);
        printf("%s %s %*d\n", names[1], names[n % 3], 6, n);
        printf("%zu %ld %hd %hhd %u\n", sizeof(double), 123456789012L, (short)-3, (char)65, 4000000000u);
        size_t s = 77; uint64_t w = 88; int64_t m = -99;
        printf("%zu %" PRIu64 " %" PRId64 "\n", s, w, m);
        int written = printf("no arguments\n");
        printf("%d\n", written);
    }
    __syncthreads();
    if (threadIdx.x == 1) printf("thread %d of block (%d,%d,%d)\n", threadIdx.x, blockIdx.x, blockIdx.y, blockIdx.z);
}
int main()
{
    talk<<<1, 2>>>(42, NULL);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}

/* exit status 0, findings: none
[gpu] 100% of -1234567890123 and 244837814094590 deadbeefcafe
   42|42   |00042|+42|ff|FF|10|q
1.500000 0.667   1.23e+04 0.0001 1E+20
one zero     42
8 123456789012 -3 65 4000000000
77 88 -99
no arguments
0
thread 1 of block (0,0,0)
no error
*/
