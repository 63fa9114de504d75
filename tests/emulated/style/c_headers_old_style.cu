#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <sys/time.h>
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"

double get_clock()
{
	struct timeval tv; int ok;
	ok = gettimeofday(&tv, (struct timezone *) 0);
	if (ok < 0) { printf("gettimeofday error"); }
	return (tv.tv_sec * 1.0 + tv.tv_usec * 1.0E-6);
}
__global__ void extremes(float *f, int *i, double *d)
{
	f[0] = FLT_MAX; f[1] = -FLT_MAX; f[2] = FLT_MIN; f[3] = FLT_EPSILON; f[4] = INFINITY;
	i[0] = INT_MAX; i[1] = INT_MIN; i[2] = CHAR_BIT; i[3] = (int) UINT_MAX; i[4] = SHRT_MAX;
	d[0] = M_PI; d[1] = M_E; d[2] = DBL_MAX; d[3] = sqrt(M_SQRT2 * M_SQRT2); d[4] = HUGE_VAL;
}
int main(int argc, char *argv[])
{
	float f[5], *df; int i[5], *di; double d[5], *dd; int k;
	double t0 = get_clock();
	time_t t = time(NULL); clock_t c = clock();
	srand((unsigned) 1);
	cudaMalloc((void **) &df, sizeof f); cudaMalloc((void **) &di, sizeof i);
	cudaMalloc((void **) &dd, sizeof d);
	extremes<<<1, 1>>>(df, di, dd);
	cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
	cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost);
	cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
	for (k = 0; k < 5; k++) printf("%e %d %.12g\n", f[k], i[k], d[k]);
	assert(get_clock() >= t0 && t > 0 && c >= 0);
	if (argc > 100) printf("%s\n", strerror(rand()));
	return 0;
}
/* exit status 0, findings: none
3.402823e+38 2147483647 3.14159265359
-3.402823e+38 -2147483648 2.71828182846
1.175494e-38 8 1.79769313486e+308
1.192093e-07 -1 1.41421356237
inf 32767 inf
*/
