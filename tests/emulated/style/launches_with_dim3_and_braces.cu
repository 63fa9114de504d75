#include <stdio.h>
#define BX 8
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
#define KERNEL_ARGS2(grid, block) <<< grid, block >>>
#define KERNEL_ARGS4(grid, block, mem, stream) <<< grid, block, mem, stream >>>
int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
template <int K> __global__ void mark(int *out, int id = K) {
    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0)
        out[id] = gridDim.x * 100000 + gridDim.y * 10000 + gridDim.z * 1000 + blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
}
struct Config { dim3 grid, block; size_t shared; };
int main() {
    int *d, h[16] = {0}; cudaMalloc(&d, sizeof h); cudaMemset(d, 0, sizeof h);
    dim3 a(2), b = {4, 2}, c{1, 2, 3}, e = dim3(BX), f = 5;
    dim3 threads; threads.x = 4; threads.y = 2; threads.z = 1;
    const dim3 grid = {2, 2, 1}; unsigned n = 33; size_t bytes = 16; int i = 1, q = 4;
    mark<0><<<a, b>>>(d, 0);
    mark<1><<<c, e>>>(d, 1);
    mark<2><<<grid, threads, bytes>>>(d, 2);
    mark<3><<<DIV_UP(n, BX), BX, 0, 0>>>(d, 3);
    mark<4><<<dim3{1, 2}, dim3{3, 1, 2}>>>(d, 4);
    mark<5><<<iDivUp(n, BX), dim3{4, 2, 1}>>>(d, 5);
    mark<6><<<dim3{2, 3}, dim3{4, 5}>>>(d, 6);
    mark<7> KERNEL_ARGS2(grid, threads)(d, 7);
    mark<8> KERNEL_ARGS4(f, 1, 0, NULL)(d, 8);
    mark<(9 > 8 ? 9 : 8)><<<i > 0 ? 2 : 1, (n >> 3) > 3 ? 4 : 1, sizeof(int) * 4, nullptr>>>(d, 9);
    mark<10><<<(i, q), (unsigned)(n / 8.0f)>>>(d, 10);
    Config cfg = {dim3(1, 1, 2), dim3(2, 2, 2), 0};
    mark<11><<<cfg.grid, cfg.block, cfg.shared>>>(d, 11);
    auto k = mark<12>; k<<<1, n>>>(d, 12);
    void (*kp)(int *, int) = &mark<13>; (*kp)<<<1, n - 1>>>(d, 13);
    for (int s = 1; s <= 2; s <<= 1) mark<14><<<s, 1<<s>>>(d, 14);
    if (n) mark<15><<<1, 1>>>(d, 15); else mark<15><<<2, 2>>>(d, 15);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (i = 0; i < 16; ++i) printf("%d: %d\n", i, h[i]);
}
/* exit status 0, findings: none
0: 211421
1: 123811
2: 221421
3: 511811
4: 121312
5: 511421
6: 231451
7: 221421
8: 511111
9: 211411
10: 411411
11: 112222
12: 114311
13: 114211
14: 211411
15: 111111
*/
