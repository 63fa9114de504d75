// Größe des Bildes — 图像处理 🙂
#ifndef MAIN_CU
#define MAIN_CU
#include <stdio.h>
#define W 64 \
  /* breit */

/* ungünstig: é à ü */
__global__ void grau(unsigned char *rot, const unsigned char * bild, int n)
{
	int i = blockIdx.x * blockDim.x
		+ threadIdx.x;
	if (i < n) rot[i] = (unsigned char)(0.299f * bild[3*i] + 0.587f * bild[3*i+1] + 0.114f * bild[3*i+2]);
}

int main()
{
	unsigned char h[3*W], g[W], *a, *b; long summe = 0;
	for (size_t i = 0; i < sizeof(h); i++) h[i] = i * 7 % 256;
	cudaMalloc((void**)&a, 3*W); cudaMalloc((void**)&b, W);
	cudaMemcpy(a, h, 3*W, cudaMemcpyHostToDevice);
	grau << < 2, 32 >> > (b, a, W);
	cudaMemcpy(g, b, W, cudaMemcpyDeviceToHost);
	for (int i = 0; i < W; i++) summe += g[i];
	printf("Größe: %d, Summe: %ld → ok\n", W, summe);
	return 0;
}
#endif
/* exit status 0, findings: none
Größe: 64, Summe: 7859 → ok
*/
