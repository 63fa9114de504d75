#include <cstdio>
#include <cstdlib>
#define DIVUP(a, b) (((a) + (b) - 1) / (b))
#define LAUNCH(kernel, grid, block, ...) \
	do { \
		kernel<<<(grid), (block)>>>(__VA_ARGS__); \
		cudaError_t launch_error = cudaGetLastError(); \
		if (launch_error != cudaSuccess) { printf("%s: %s\n", #kernel, cudaGetErrorString(launch_error)); exit(1); } \
	} while (0)
#define KERNEL_ARGS2(grid, block) <<< grid, block >>>
#define KERNEL_ARGS4(grid, block, sh_mem, stream) <<< grid, block, sh_mem, stream >>>
#define RUN(n, t) step<t><<< DIVUP(n, t), t >>>
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
#define for_range(i, n) for (int i = GLOBAL_ID; i < (n); i += blockDim.x * gridDim.x)
__global__ void inc(int *p, int n) { for_range(i, n) p[i]++; }
template <int T> __global__ void step(int *p, int n) { const int i = GLOBAL_ID; if (i < n) p[i] += T; }
int main() {
	int *p, n = 100; cudaStream_t s;
	cudaMallocManaged(&p, n * sizeof(int)); cudaMemset(p, 0, n * sizeof(int)); cudaStreamCreate(&s);
	LAUNCH(inc, DIVUP(n, 32), 32, p, n);
	LAUNCH((step<64>), dim3(DIVUP(n, 64)), dim3(64), p, n);
	inc KERNEL_ARGS2(dim3(4), dim3(32)) (p, n);
	inc KERNEL_ARGS4(4, 32, 0, s)(p, n);
	RUN(n, 16)(p, n);
	inc<<<
		DIVUP(n, 32),      // blocks
		32,                /* threads */
		0,
		s
	>>>(
		p,
		n
	);
	inc  <<< 4 , 32 , 0 , s >>>  ( p , n ) ;
	inc
	    <<<4, 32>>>
	    (p, n);
	step<(4 > 2 ? 3 : 5)> << <4, 32 >> > (p, n);
	step < 8 > <<< 4, 32 >>> (p, n);
	int a = 5, b = 1 << (a >> 1), c = (a < b) > (b >> 1), d = 1 << 2 << 3;
	cudaDeviceSynchronize();
	printf("%d %d %d %d %d\n", p[0], p[n - 1], b, c, d);
	cudaStreamDestroy(s);
	return 0;
}

/* exit status 0, findings: none
97 97 4 0 32
*/
