/* texture_reads.h: reads of textures. T is the type of a texel, and says how many of the channels
 * are wanted. Texels of integers that are read as fractions are float. */
#ifndef GPUGRADE_CUDA_HEADERS_TEXTURE_READS_H
#define GPUGRADE_CUDA_HEADERS_TEXTURE_READS_H

/* What a texel is made of: four channels of the type that a texture unit gives. */
template <class T> struct gpugrade_texel;
#define GPUGRADE_TEXEL(T, word_type, ...)                                                          \
    template <> struct gpugrade_texel<T> {                                                         \
        typedef word_type word;                                                                    \
        static __device__ __inline__ GPUGRADE_INLINE T of(const word *c)                           \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
#define GPUGRADE_TEXELS(T, vector, word)                                                           \
    GPUGRADE_TEXEL(T, word, (T)c[0])                                                               \
    GPUGRADE_TEXEL(vector##1, word, vector##1 {(T)c[0]})                                           \
    GPUGRADE_TEXEL(vector##2, word, vector##2 {(T)c[0], (T)c[1]})                                  \
    GPUGRADE_TEXEL(vector##4, word, vector##4 {(T)c[0], (T)c[1], (T)c[2], (T)c[3]})
GPUGRADE_TEXEL(char, int, (char)c[0])
GPUGRADE_TEXELS(signed char, char, int)
GPUGRADE_TEXELS(unsigned char, uchar, unsigned)
GPUGRADE_TEXELS(short, short, int)
GPUGRADE_TEXELS(unsigned short, ushort, unsigned)
GPUGRADE_TEXELS(int, int, int)
GPUGRADE_TEXELS(unsigned, uint, unsigned)
GPUGRADE_TEXELS(float, float, float)
#undef GPUGRADE_TEXEL
#undef GPUGRADE_TEXELS

/* READ(name, instruction, geometry, type of coordinates, what follows "[TEXTURE, " in PTX,
 * parameters, arguments, operands from %5 on) */
#define GPUGRADE_READ_AS(word, ptx, out, name, instruction, geometry, coordinate, places,          \
                         parameters, ...)                                                          \
    GPUGRADE_DEVICE void gpugrade_##name(word *c, cudaTextureObject_t texture, parameters)         \
    {                                                                                              \
        asm volatile(instruction "." geometry ".v4." ptx "." coordinate " {%0, %1, %2, %3}, "      \
                                 "[%4, " places ";"                                                \
                     : "=" out(c[0]), "=" out(c[1]), "=" out(c[2]), "=" out(c[3])                  \
                     : "l"(texture), __VA_ARGS__);                                                 \
    }
#define GPUGRADE_LIST(...) __VA_ARGS__
#define GPUGRADE_READ(name, instruction, geometry, coordinate, places, parameters, arguments, ...) \
    GPUGRADE_READ_AS(int, "s32", "r", name, instruction, geometry, coordinate, places,             \
                     GPUGRADE_LIST parameters, __VA_ARGS__)                                        \
    GPUGRADE_READ_AS(unsigned, "u32", "r", name, instruction, geometry, coordinate, places,        \
                     GPUGRADE_LIST parameters, __VA_ARGS__)                                        \
    GPUGRADE_READ_AS(float, "f32", "f", name, instruction, geometry, coordinate, places,           \
                     GPUGRADE_LIST parameters, __VA_ARGS__)                                        \
    template <class T>                                                                             \
    GPUGRADE_DEVICE T name(cudaTextureObject_t texture, GPUGRADE_LIST parameters)                  \
    {                                                                                              \
        typename gpugrade_texel<T>::word c[4];                                                     \
        gpugrade_##name(c, texture, GPUGRADE_LIST arguments);                                      \
        return gpugrade_texel<T>::of(c);                                                           \
    }                                                                                              \
    template <class T>                                                                             \
    GPUGRADE_DEVICE void name(T *texel, cudaTextureObject_t texture, GPUGRADE_LIST parameters)     \
    {                                                                                              \
        *texel = name<T>(texture, GPUGRADE_LIST arguments);                                        \
    }
GPUGRADE_READ(tex1Dfetch, "tex", "1d", "s32", "{%5}]", (int x), (x), "r"(x))
GPUGRADE_READ(tex1D, "tex", "1d", "f32", "{%5}]", (float x), (x), "f"(x))
GPUGRADE_READ(tex2D, "tex", "2d", "f32", "{%5, %6}]", (float x, float y), (x, y), "f"(x), "f"(y))
GPUGRADE_READ(tex3D, "tex", "3d", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z),
              (x, y, z), "f"(x), "f"(y), "f"(z))
GPUGRADE_READ(tex1DLayered, "tex", "a1d", "f32", "{%5, %6}]", (float x, int layer), (x, layer),
              "r"(layer), "f"(x))
GPUGRADE_READ(tex2DLayered, "tex", "a2d", "f32", "{%5, %6, %7, %7}]", (float x, float y, int layer),
              (x, y, layer), "r"(layer), "f"(x), "f"(y))
GPUGRADE_READ(texCubemap, "tex", "cube", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z),
              (x, y, z), "f"(x), "f"(y), "f"(z))
GPUGRADE_READ(texCubemapLayered, "tex", "acube", "f32", "{%5, %6, %7, %8}]",
              (float x, float y, float z, int layer), (x, y, z, layer), "r"(layer), "f"(x), "f"(y),
              "f"(z))
GPUGRADE_READ(tex1DLod, "tex.level", "1d", "f32", "{%5}], %6", (float x, float level), (x, level),
              "f"(x), "f"(level))
GPUGRADE_READ(tex2DLod, "tex.level", "2d", "f32", "{%5, %6}], %7", (float x, float y, float level),
              (x, y, level), "f"(x), "f"(y), "f"(level))
GPUGRADE_READ(tex3DLod, "tex.level", "3d", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, float z, float level), (x, y, z, level), "f"(x), "f"(y), "f"(z),
              "f"(level))
GPUGRADE_READ(tex1DLayeredLod, "tex.level", "a1d", "f32", "{%5, %6}], %7",
              (float x, int layer, float level), (x, layer, level), "r"(layer), "f"(x), "f"(level))
GPUGRADE_READ(tex2DLayeredLod, "tex.level", "a2d", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, int layer, float level), (x, y, layer, level), "r"(layer), "f"(x),
              "f"(y), "f"(level))
GPUGRADE_READ(texCubemapLod, "tex.level", "cube", "f32", "{%5, %6, %7, %7}], %8",
              (float x, float y, float z, float level), (x, y, z, level), "f"(x), "f"(y), "f"(z),
              "f"(level))
GPUGRADE_READ(texCubemapLayeredLod, "tex.level", "acube", "f32", "{%5, %6, %7, %8}], %9",
              (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
              "r"(layer), "f"(x), "f"(y), "f"(z), "f"(level))
GPUGRADE_READ(tex1DGrad, "tex.grad", "1d", "f32", "{%5}], {%6}, {%7}",
              (float x, float dx, float dy), (x, dx, dy), "f"(x), "f"(dx), "f"(dy))
GPUGRADE_READ(tex2DGrad, "tex.grad", "2d", "f32", "{%5, %6}], {%7, %8}, {%9, %10}",
              (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), "f"(x), "f"(y), "f"(dx.x),
              "f"(dx.y), "f"(dy.x), "f"(dy.y))
GPUGRADE_READ(tex3DGrad, "tex.grad", "3d", "f32",
              "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
              (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "f"(x), "f"(y),
              "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
GPUGRADE_READ(tex1DLayeredGrad, "tex.grad", "a1d", "f32", "{%5, %6}], {%7}, {%8}",
              (float x, int layer, float dx, float dy), (x, layer, dx, dy), "r"(layer), "f"(x),
              "f"(dx), "f"(dy))
GPUGRADE_READ(tex2DLayeredGrad, "tex.grad", "a2d", "f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
              (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
              "r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
GPUGRADE_READ(texCubemapGrad, "tex.grad", "cube", "f32",
              "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
              (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), "f"(x), "f"(y),
              "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
GPUGRADE_READ(texCubemapLayeredGrad, "tex.grad", "acube", "f32",
              "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
              (float x, float y, float z, int layer, float4 dx, float4 dy),
              (x, y, z, layer, dx, dy), "r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y),
              "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
GPUGRADE_READ(gpugrade_gather_r, "tld4.r", "2d", "f32", "{%5, %6}]", (float x, float y), (x, y),
              "f"(x), "f"(y))
GPUGRADE_READ(gpugrade_gather_g, "tld4.g", "2d", "f32", "{%5, %6}]", (float x, float y), (x, y),
              "f"(x), "f"(y))
GPUGRADE_READ(gpugrade_gather_b, "tld4.b", "2d", "f32", "{%5, %6}]", (float x, float y), (x, y),
              "f"(x), "f"(y))
GPUGRADE_READ(gpugrade_gather_a, "tld4.a", "2d", "f32", "{%5, %6}]", (float x, float y), (x, y),
              "f"(x), "f"(y))

/* One channel of the four texels that a filter would blend. */
template <class T>
GPUGRADE_DEVICE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0)
{
    switch (channel) {
    case 0:
        return gpugrade_gather_r<T>(texture, x, y);
    case 1:
        return gpugrade_gather_g<T>(texture, x, y);
    case 2:
        return gpugrade_gather_b<T>(texture, x, y);
    default:
        return gpugrade_gather_a<T>(texture, x, y);
    }
}
template <class T>
GPUGRADE_DEVICE void tex2Dgather(T *texel, cudaTextureObject_t texture, float x, float y,
                                 int channel = 0)
{
    *texel = tex2Dgather<T>(texture, x, y, channel);
}

#undef GPUGRADE_LIST
#undef GPUGRADE_READ
#undef GPUGRADE_READ_AS

#endif
