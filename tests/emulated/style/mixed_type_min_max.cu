#include <stdio.h>
// no header for min and max: nvcc has them
__global__ void clamp(float *out, int n, unsigned int u, long long ll, unsigned long long ull,
                      size_t s, float f, double d)
{
    int t = threadIdx.x;
    out[0] = min(n, u);
    out[1] = max(u, n);
    out[2] = max(ll, (long long)n);
    out[3] = min(ull, (unsigned long long)5);
    out[4] = max(f, d);
    out[5] = min(d, f);
    out[6] = min(max(t, 0), n - 1);
    out[7] = max(0, min(255, (int)f));
    out[8] = min(s, (size_t)n);
    out[9] = max(f, 0.0f) + max(d, 0.0) + max(f, 0.0);
    out[10] = min(blockDim.x, u) + max(threadIdx.x, 3u) + min(n, blockDim.x);
    out[11] = min((long)n, 2L) + fminf(1, 2) + fmaxf(1.0, f);
}
int main()
{
    float *d, h[12];
    cudaMalloc((void **)&d, sizeof(h));
    clamp<<<1, 1>>>(d, 7, 9u, -3LL, 6ULL, 11, 1.25f, 2.5);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12; i++) printf("%.3f ", h[i]);
    int a = max(3, 4), b = min(3, 4);
    unsigned c = max(3u, 4u);
    float f = max(1.0f, 2.0f), g = min(1.0f, 2.0f);
    double e = max(1.0, 2.0f), k = min(2.0f, 1.0);
    long long l = max(1LL, 2LL);
    printf("\n%d %d %u %g %g %g %g %lld %d\n", a, b, c, f, g, e, k, l, (int)min((size_t)3, (size_t)2));
    return 0;
}
/* exit status 0, findings: none
7.000 9.000 7.000 5.000 2.500 1.250 0.000 1.000 7.000 5.000 5.000 4.250 
4 3 4 2 1 2 1 2 2
*/
