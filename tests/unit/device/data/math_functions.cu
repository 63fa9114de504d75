/* math_functions.cu: each function of <math.h> in one kernel, for float and for double. Result k of
 * thread t goes to out[k * n + t]; test_emulated_math.c has the same list. x is of any size, y in
 * [-1, 1], z in [-8, 8]. */
#include <math.h>

template <typename T>
static __device__ void compute(T x, T y, T z, T *out, int n)
{
    T sine, cosine, whole;
    int exponent;
    const T positive = fabs(x);
    sincos(x, &sine, &cosine);
    const T fraction = frexp(x, &exponent);
    const T rest = modf(x, &whole);
    const T results[] = {
        sin(x),          cos(x),        tan(x),           asin(y),         acos(y),
        atan(x),         atan2(x, z),   sinh(z),          cosh(z),         tanh(z),
        asinh(x),        acosh(positive + 1), atanh(y),   exp(z),          exp2(z),
        exp10(z),        expm1(z),      log(positive),    log2(positive),  log10(positive),
        log1p(positive), pow(positive, z), sqrt(positive), rsqrt(positive), cbrt(x),
        hypot(x, z),     erf(z),        erfc(z),          tgamma(z),       lgamma(positive),
        fmod(x, z),      remainder(x, z), fdim(x, z),     ldexp(x, (int)z), fraction,
        (T)exponent,     rest,          whole,            logb(x),         round(x),
        trunc(x),        rint(x),       sine,             cosine,          x / z,
        fma(x, y, z),    normcdf(z),    rcbrt(x),
    };
    for (int k = 0; k < (int)(sizeof results / sizeof *results); k++) {
        out[k * n] = results[k];
    }
}

extern "C" __global__ void floats(const float *in, float *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    compute<float>(in[t], in[n + t], in[2 * n + t], out + t, n);
}

extern "C" __global__ void doubles(const double *in, double *out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    compute<double>(in[t], in[n + t], in[2 * n + t], out + t, n);
}
