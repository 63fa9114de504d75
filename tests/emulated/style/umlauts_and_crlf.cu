// Größe und Übergabe: Kommentare mit Umlauten, 行列の積, π ≈ 3.14
#include <stdio.h>
#include <math.h>

#define GRÖSSE 32
/* ¿Cuántos? */
__global__ void flaechen(float *radius, float *fläche, int größe)
{
	int i = threadIdx.x;
	const float π = 3.0f;
	if (i < größe)
		fläche[i] = π * radius[i] * radius[i];
}
#define LONG_MACRO(x) \
	do { \
		printf("%s\n", x); \
	} while (0)

int main()
{
	float r[GRÖSSE], f[GRÖSSE], *dr, *df;
	for (int i = 0; i < GRÖSSE; i++) r[i] = i;
	cudaMalloc(&dr, sizeof(r));
	cudaMalloc(&df, sizeof(f));
	cudaMemcpy(dr, r, sizeof(r), cudaMemcpyHostToDevice);
	flaechen << <1, GRÖSSE >> > (dr, df, GRÖSSE);
	cudaMemcpy(f, df, sizeof(f), cudaMemcpyDeviceToHost);
	printf("Fläche: %.1f m²\n", f[5]);
	LONG_MACRO("fertig – ✓");
	cudaFree(dr); cudaFree(df);
	return 0;
}

/* exit status 0, findings: none
Fläche: 75.0 m²
fertig – ✓
*/
