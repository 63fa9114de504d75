/* The names of double, given floats: in C++ these are calculated as float. */
#include <stdio.h>
#include <math.h>

__global__ void one(float *o, float x, float y)
{
    int i = 0;
    o[i++] = round(x) + trunc(x) + rint(y) + nearbyint(y);
    o[i++] = cbrt(8 * x); o[i++] = exp2(x); o[i++] = expm1(y); o[i++] = log1p(x); o[i++] = log2(x);
    o[i++] = erf(y) + erfc(y); o[i++] = tgamma(x + 2); o[i++] = lgamma(x + 2); o[i++] = logb(x * 100);
    o[i++] = acosh(x) + asinh(y) + atanh(y); o[i++] = hypot(x, y); o[i++] = fma(x, y, 1.0f);
    o[i++] = copysign(x, -y) + fdim(x, y) + fmax(x, y) + fmin(x, y) + remainder(x, y);
    o[i++] = ilogb(x) + lround(x) + llround(y) + lrint(x) + llrint(y);
    o[i++] = scalbn(x, 3) + scalbln(y, 2L) + ldexp(x, 2); o[i++] = nextafter(x, 9.0f) > x;
    o[i++] = sizeof(round(x)) + sizeof(fma(x, x, x)) + sizeof(exp2(y)) + sizeof(hypot(x, 2.0));
    o[i++] = ceil(x) + floor(y) + fabs(-x) + sqrt(x) + pow(x, 2.0f) + pow(x, 2) + fmod(x, y);
}
int main()
{
    float *d, h[20];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    one<<<1, 1>>>(d, 1.625f, 0.75f);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++) printf("%.4f\n", h[i]);
    return 0;
}
/* exit status 0, findings: none
5.0000
2.3513
3.0844
1.1170
0.9651
0.7004
1.0000
3.8244
1.3414
7.0000
2.7328
1.7897
2.2188
1.7500
6.0000
22.5000
1.0000
20.0000
10.3060
0.0000
*/
