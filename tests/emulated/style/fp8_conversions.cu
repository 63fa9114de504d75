// e4m3 and e5m2 from and to all other types, by the device and by the host.
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

enum { COUNT = 4096, SPECIAL = 24 };

struct results {
    unsigned hash;
    unsigned char first[SPECIAL * 2];
};

static __host__ __device__ double value_of(unsigned i)
{
    /* every exponent that matters, halves between neighbours, and what is a little off them */
    const double specials[SPECIAL] = {
        0.0,          -0.0,    448,    449,   464,  464.0001,   480,         -1e9,
        57344,        61439.9, 61440,  65504, 1e30, 1.0 / 1024, 0.000976563, -1.0 / 65536,
        1.0 / 131072, 7.7e-6,  1e-300, 1e300, 17,   18,         -19,         0.0136};
    if (i < SPECIAL) {
        return specials[i];
    }
    double value = 1.0 + (i * 2654435761u >> 8) / 16777216.0;
    if (i % 3 == 0) {
        value = 1.0 + (i % 32) / 32.0 + (i % 5 - 2) * 1e-9;
    }
    for (int e = (int)(i % 41) - 20; e != 0; e += e < 0 ? 1 : -1) {
        value *= e < 0 ? 0.5 : 2.0;
    }
    return i % 2 != 0 ? -value : value;
}

static __host__ __device__ void mix(unsigned *hash, unsigned bits)
{
    *hash = (*hash ^ bits) * 16777619u;
}

template <class T, class Pair, class Four>
static __host__ __device__ void convert(__nv_fp8_interpretation_t kind, results *out)
{
    unsigned hash = 2166136261u;

    for (unsigned i = 0; i < COUNT; i++) {
        const double d = value_of(i);
        const float f = (float)d;
        const __half h = __float2half(f);
        const __nv_bfloat16 b = __float2bfloat16(f);
        for (int s = 0; s < 2; s++) {
            const __nv_saturation_t saturation = s == 0 ? __NV_NOSAT : __NV_SATFINITE;
            const __nv_fp8_storage_t bits = __nv_cvt_double_to_fp8(d, saturation, kind);
            if (i < SPECIAL) {
                out->first[2 * i + s] = bits;
            }
            mix(&hash, bits);
            mix(&hash, __nv_cvt_float_to_fp8(f, saturation, kind));
            mix(&hash, __nv_cvt_halfraw_to_fp8(h, saturation, kind));
            mix(&hash, __nv_cvt_bfloat16raw_to_fp8(b, saturation, kind));
            mix(&hash, __nv_cvt_float2_to_fp8x2(make_float2(f, -f), saturation, kind));
            mix(&hash, __nv_cvt_double2_to_fp8x2(make_double2(1.0, d), saturation, kind));
        }
        mix(&hash, T(f).__x);
        mix(&hash, T(d).__x);
        mix(&hash, T(h).__x);
        mix(&hash, T(b).__x);
        mix(&hash, T((int)i).__x + 256 * T((short)-i).__x);
        mix(&hash, T((unsigned long long)i * i * i).__x);
        mix(&hash, Pair(make_float2(f, 2 * f)).__x);
        mix(&hash, Pair(__halves2half2(h, __float2half(3.0f))).__x);
        mix(&hash, Four(make_float4(f, -f, f / 2, 0)).__x);
    }
    for (unsigned bits = 0; bits < 256; bits++) {
        T x;
        x.__x = (unsigned char)bits;
        const float f = (float)x;
        const double d = (double)x;
        unsigned word;
        unsigned long long words;
        memcpy(&word, &f, sizeof word);
        memcpy(&words, &d, sizeof words);
        mix(&hash, word);
        mix(&hash,
            d == d ? (unsigned)(words >> 32) : 0); /* which NaN it is, a compiler may choose */
        mix(&hash, __nv_cvt_fp8_to_halfraw(x.__x, kind).x);
        mix(&hash, ((__nv_bfloat16_raw)(__nv_bfloat16)x).x);
        mix(&hash, (unsigned)(int)(signed char)x + 256 * (unsigned char)x);
        mix(&hash, (unsigned)(int)x);
        mix(&hash, (unsigned)(short)x + 65536 * (unsigned short)x);
        mix(&hash, (bool)x);
        Pair pair;
        pair.__x = (unsigned short)(bits * 257 + 256);
        const float2 two = (float2)pair;
        memcpy(&word, &two.y, sizeof word);
        mix(&hash, word);
        Four four;
        four.__x = bits << 24 | 0x381234;
        const float4 all = (float4)four;
        memcpy(&word, &all.w, sizeof word);
        mix(&hash, word);
    }
    /* NaN keeps its bits only where it is a double */
    const unsigned long long nans[2] = {0x7ffc000000000001ull, 0xfff4000000000000ull};
    for (int i = 0; i < 2; i++) {
        double d;
        memcpy(&d, &nans[i], sizeof d);
        mix(&hash, __nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind));
        mix(&hash, T((float)d).__x);
    }
    const float infinity = 1e30f * 1e30f;
    mix(&hash, T(infinity).__x);
    mix(&hash, __nv_cvt_float_to_fp8(-infinity, __NV_NOSAT, kind));
    out->hash = hash;
}

static __host__ __device__ void convert_all(int kind, results *out)
{
    if (kind == 0) {
        convert<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(__NV_E4M3, out);
    } else {
        convert<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(__NV_E5M2, out);
    }
}

__global__ void convert_on_device(results *out)
{
    convert_all(threadIdx.x, &out[threadIdx.x]);
}

int main()
{
    results host[2], device[2], *memory;

    cudaMalloc(&memory, sizeof device);
    convert_on_device<<<1, 2>>>(memory);
    cudaMemcpy(device, memory, sizeof device, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2; i++) {
        convert_all(i, &host[i]);
        printf("%s: device %08x, host %08x\n", i == 0 ? "e4m3" : "e5m2", device[i].hash,
               host[i].hash);
        for (int k = 0; k < SPECIAL; k++) {
            printf("%02x %02x%s", device[i].first[2 * k], device[i].first[2 * k + 1],
                   k % 12 == 11 ? "\n" : ", ");
        }
    }
    cudaFree(memory);
    return 0;
}
/* exit status 0, findings: none
e4m3: device 96bda0e9, host 96bda0e9
00 00, 80 80, 7e 7e, 7e 7e, 7e 7e, 7f 7e, 7f 7e, ff fe, 7f 7e, 7f 7e, 7f 7e, 7f 7e
7f 7e, 00 00, 01 01, 80 80, 00 00, 00 00, 00 00, 7f 7e, 58 58, 59 59, da da, 07 07
e5m2: device 33cea2b8, host 33cea2b8
00 00, 80 80, 5f 5f, 5f 5f, 5f 5f, 5f 5f, 60 60, fc fb, 7b 7b, 7b 7b, 7c 7b, 7c 7b
7c 7b, 14 14, 14 14, 81 81, 00 00, 01 01, 00 00, 7c 7b, 4c 4c, 4c 4c, cd cd, 23 23
*/
