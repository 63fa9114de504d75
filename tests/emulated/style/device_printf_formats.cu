#include <stdio.h>
struct S { int a; };
__global__ void hello(float f, double d, const char *unused, unsigned long long ull, size_t s) {
    int tid = threadIdx.x;
    if (tid == 0) {
        printf("Hello World from GPU!\n");
        printf("%d %i %u %x %X %o %c %s\n", -1, 2, 3u, 255, 255, 8, 'c', "str");
        printf("%5d|%-5d|%05d|%+d|% d\n", 1, 2, 3, 4, 5);
        printf("%f %.2f %8.3f %e %g %G %a\n", f, f, f, d, d, d, 1.0);
        printf("%lu %ld %lld %llu %zu %hd %hhu\n", 1ul, -1l, -2ll, ull, s, (short)3, (unsigned char)200);
        printf("%%|%5s|%-5s|%.2s|\n", "ab", "cd", "efgh");
        printf("%*d %.*f\n", 6, 42, 2, 3.14159);
        printf("no newline, "); printf("then one\n");
        printf("tab\there \"quotes\" \\ \x41 \u00e9\n");
        printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        int r = printf("%d, %d", blockIdx.x, blockDim.x); printf(" -> %d\n", r);
        printf("%s\n", true ? "true" : "false"); printf("%d %f\n", true, 1.0f / 3);
        printf("nan %f inf %f\n", __int_as_float(0x7fffffff), 1.0f / 0.0f);
        const char *fmt = "by pointer %d\n"; printf(fmt, tid);
        printf("std %p\n", (void *)0 == nullptr ? (void *)16 : nullptr);
    }
    __syncthreads();
    if (tid == 1) printf("[%d,%d,%d]:[%2d]\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x);
}
int main() { hello<<<1, 4>>>(1.5f, 2.25e-7, "x", 1ull << 63, 7); cudaDeviceSynchronize(); printf("bye\n"); return 0; }
/* exit status 0, findings: none
Hello World from GPU!
-1 2 3 ff FF 10 c str
    1|2    |00003|+4| 5
1.500000 1.50    1.500 2.250000e-07 2.25e-07 2.25E-07 0x1p+0
1 -1 -2 9223372036854775808 7 3 200
%|   ab|cd   |ef|
    42 3.14
no newline, then one
tab	here "quotes" \ A é
1 2 3 4 5 6 7 8 9 10
0, 4 -> 2
true
1 0.333333
nan nan inf inf
by pointer 0
std 0x10
[0,0,0]:[ 1]
bye
*/
