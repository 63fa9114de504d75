#include <stdio.h>
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS))
__global__ void prescan(float *g_odata, float *g_idata, int n)
{
	extern __shared__ float temp[];
	int thid = threadIdx.x; int offset = 1;
	temp[2*thid] = g_idata[2*thid]; temp[2*thid+1] = g_idata[2*thid+1];
	for (int d = n>>1; d > 0; d >>= 1) {
		__syncthreads();
		if (thid < d) { int ai = offset*(2*thid+1)-1; int bi = offset*(2*thid+2)-1; temp[bi] += temp[ai]; }
		offset *= 2;
	}
	if (thid == 0) { temp[n - 1] = 0; }
	for (int d = 1; d < n; d *= 2) {
		offset >>= 1;
		__syncthreads();
		if (thid < d) {
			int ai = offset*(2*thid+1)-1; int bi = offset*(2*thid+2)-1;
			float t = temp[ai]; temp[ai] = temp[bi]; temp[bi] += t;
		}
	}
	__syncthreads();
	g_odata[2*thid] = temp[2*thid]; g_odata[2*thid+1] = temp[2*thid+1];
}
int main() {
	float h[64], *i, *o; for (int k = 0; k < 64; k++) h[k] = k % 4;
	cudaMalloc(&i, sizeof h); cudaMalloc(&o, sizeof h); cudaMemcpy(i, h, sizeof h, cudaMemcpyHostToDevice);
	prescan <<<1, 32, 2 * 32 * sizeof(float)>>> (o, i, 64);
	cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
	for (int k = 0; k < 64; k += 9) printf("%5.1f", h[k]);
	printf("\n");
}
/* exit status 0, findings: none
  0.0 12.0 25.0 39.0 54.0 66.0 79.0 93.0
*/
