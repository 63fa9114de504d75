/* surface_accesses.h: reads and writes of surfaces. x is in bytes. T has 1, 2, 4, 8 or 16 bytes,
 * which are moved as they are. What is outside is not moved, moved at the border, or ends the
 * kernel, as `mode` says. */
#ifndef GPUGRADE_CUDA_HEADERS_SURFACE_ACCESSES_H
#define GPUGRADE_CUDA_HEADERS_SURFACE_ACCESSES_H

/* What is moved for a T: one, two or four words. */
template <size_t bytes> struct gpugrade_words;
template <> struct gpugrade_words<1> {
    unsigned short x;
};
template <> struct gpugrade_words<2> {
    unsigned short x;
};
template <> struct gpugrade_words<4> {
    unsigned x;
};
template <> struct gpugrade_words<8> {
    unsigned x, y;
};
template <> struct gpugrade_words<16> {
    unsigned x, y, z, w;
};

/* MOVE(bytes, type, words in PTX, the same as results, as operands, what SURFACE says of a kind) */
#define GPUGRADE_LIST(...) __VA_ARGS__
#define GPUGRADE_MOVE(bytes, type, words, results, values, name, mode, geometry, parameters,       \
                      coordinates, operands)                                                       \
    GPUGRADE_DEVICE void gpugrade_read_##mode##_##name(                                            \
        gpugrade_words<bytes> &v, cudaSurfaceObject_t surface, GPUGRADE_LIST parameters)           \
    {                                                                                              \
        asm volatile("suld.b." geometry "." type "." #mode " " words ", [%[s], " coordinates "];"  \
                     : GPUGRADE_LIST results                                                       \
                     : [s] "l"(surface), GPUGRADE_LIST operands);                                  \
    }                                                                                              \
    GPUGRADE_DEVICE void gpugrade_write_##mode##_##name(                                           \
        const gpugrade_words<bytes> &v, cudaSurfaceObject_t surface, GPUGRADE_LIST parameters)     \
    {                                                                                              \
        asm volatile("sust.b." geometry "." type "." #mode " [%[s], " coordinates "], " words ";"  \
                     :                                                                             \
                     : GPUGRADE_LIST values, [s] "l"(surface), GPUGRADE_LIST operands);            \
    }
#define GPUGRADE_MOVES(...)                                                                        \
    GPUGRADE_MOVE(1, "b8", "{%0}", ("=h"(v.x)), ("h"(v.x)), __VA_ARGS__)                           \
    GPUGRADE_MOVE(2, "b16", "{%0}", ("=h"(v.x)), ("h"(v.x)), __VA_ARGS__)                          \
    GPUGRADE_MOVE(4, "b32", "{%0}", ("=r"(v.x)), ("r"(v.x)), __VA_ARGS__)                          \
    GPUGRADE_MOVE(8, "v2.b32", "{%0, %1}", ("=r"(v.x), "=r"(v.y)), ("r"(v.x), "r"(v.y)),           \
                  __VA_ARGS__)                                                                     \
    GPUGRADE_MOVE(16, "v4.b32", "{%0, %1, %2, %3}", ("=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)),  \
                  ("r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)), __VA_ARGS__)

/* SURFACE(kind, geometry, parameters, arguments, coordinates in PTX, their operands) */
#define GPUGRADE_SURFACE(kind, geometry, parameters, arguments, coordinates, operands)             \
    GPUGRADE_MOVES(kind, zero, geometry, parameters, coordinates, operands)                        \
    GPUGRADE_MOVES(kind, clamp, geometry, parameters, coordinates, operands)                       \
    GPUGRADE_MOVES(kind, trap, geometry, parameters, coordinates, operands)                        \
    template <class T>                                                                             \
    GPUGRADE_DEVICE T surf##kind##read(cudaSurfaceObject_t surface, GPUGRADE_LIST parameters,      \
                                       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)   \
    {                                                                                              \
        gpugrade_words<sizeof(T)> v;                                                               \
        if (mode == cudaBoundaryModeZero) {                                                        \
            gpugrade_read_zero_##kind(v, surface, GPUGRADE_LIST arguments);                        \
        } else if (mode == cudaBoundaryModeClamp) {                                                \
            gpugrade_read_clamp_##kind(v, surface, GPUGRADE_LIST arguments);                       \
        } else {                                                                                   \
            gpugrade_read_trap_##kind(v, surface, GPUGRADE_LIST arguments);                        \
        }                                                                                          \
        T value;                                                                                   \
        __builtin_memcpy(&value, &v, sizeof value);                                                \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    GPUGRADE_DEVICE void surf##kind##read(                                                         \
        T *value, cudaSurfaceObject_t surface, GPUGRADE_LIST parameters,                           \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                  \
    {                                                                                              \
        *value = surf##kind##read<T>(surface, GPUGRADE_LIST arguments, mode);                      \
    }                                                                                              \
    template <class T>                                                                             \
    GPUGRADE_DEVICE void surf##kind##write(                                                        \
        T value, cudaSurfaceObject_t surface, GPUGRADE_LIST parameters,                            \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                  \
    {                                                                                              \
        gpugrade_words<sizeof(T)> v = {};                                                          \
        __builtin_memcpy(&v, &value, sizeof value);                                                \
        if (mode == cudaBoundaryModeZero) {                                                        \
            gpugrade_write_zero_##kind(v, surface, GPUGRADE_LIST arguments);                       \
        } else if (mode == cudaBoundaryModeClamp) {                                                \
            gpugrade_write_clamp_##kind(v, surface, GPUGRADE_LIST arguments);                      \
        } else {                                                                                   \
            gpugrade_write_trap_##kind(v, surface, GPUGRADE_LIST arguments);                       \
        }                                                                                          \
    }
GPUGRADE_SURFACE(1D, "1d", (int x), (x), "{%[x]}", ([x] "r"(x)))
GPUGRADE_SURFACE(2D, "2d", (int x, int y), (x, y), "{%[x], %[y]}", ([x] "r"(x), [y] "r"(y)))
GPUGRADE_SURFACE(3D, "3d", (int x, int y, int z), (x, y, z), "{%[x], %[y], %[z], %[z]}",
                 ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
GPUGRADE_SURFACE(1DLayered, "a1d", (int x, int layer), (x, layer), "{%[layer], %[x]}",
                 ([x] "r"(x), [layer] "r"(layer)))
GPUGRADE_SURFACE(2DLayered, "a2d", (int x, int y, int layer), (x, y, layer),
                 "{%[layer], %[x], %[y], %[y]}", ([x] "r"(x), [y] "r"(y), [layer] "r"(layer)))
/* The faces of cubes are layers. */
GPUGRADE_SURFACE(Cubemap, "a2d", (int x, int y, int face), (x, y, face),
                 "{%[face], %[x], %[y], %[y]}", ([x] "r"(x), [y] "r"(y), [face] "r"(face)))
GPUGRADE_SURFACE(CubemapLayered, "a2d", (int x, int y, int face), (x, y, face),
                 "{%[face], %[x], %[y], %[y]}", ([x] "r"(x), [y] "r"(y), [face] "r"(face)))

#undef GPUGRADE_LIST
#undef GPUGRADE_MOVE
#undef GPUGRADE_MOVES
#undef GPUGRADE_SURFACE

#endif
