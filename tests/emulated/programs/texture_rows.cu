/* texture_rows.cu: what texture units return: every kind of texture, format, filter, address mode
 * and reading, at coordinates inside, on and beyond every border, and surfaces too.
 *
 *   texture_rows          prints for each kind and format: how many rows, and a hash of them
 *   texture_rows FILE     writes the rows as well: 4 words of 32 bits each
 *
 * Texels and coordinates come from a generator with a fixed seed. texture_rows.out is what an H200
 * prints.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { ROWS = 64, WIDTH = 13, HEIGHT = 7, DEPTH = 5, CUBE = 6 };

enum kind {
    FETCH,
    LINE,
    PLANE,
    PITCHED,
    VOLUME,
    LINES,
    PLANES,
    SKY,
    SKIES,
    LEVEL,
    GRADIENT,
    GATHER,
    KINDS
};
static const char *const kind_names[] = {"fetch",        "1d",         "2d",         "pitch2d",
                                         "3d",           "1d_layered", "2d_layered", "cube",
                                         "cube_layered", "2d_level",   "2d_grad",    "gather"};

enum filling { FLOATS, HALVES, BYTES, SIGNED_BYTES, SHORTS, SIGNED_SHORTS, WORDS, SIGNED_WORDS };
struct format {
    const char *name;
    int bits, channels;
    enum filling filling;
};
static const struct format formats[] = {
    {"f32x1", 32, 1, FLOATS},        {"f32x2", 32, 2, FLOATS},     {"f32x4", 32, 4, FLOATS},
    {"f16x1", 16, 1, HALVES},        {"f16x4", 16, 4, HALVES},     {"u8x1", 8, 1, BYTES},
    {"u8x4", 8, 4, BYTES},           {"s8x2", 8, 2, SIGNED_BYTES}, {"u16x1", 16, 1, SHORTS},
    {"s16x4", 16, 4, SIGNED_SHORTS}, {"u32x1", 32, 1, WORDS},      {"s32x2", 32, 2, SIGNED_WORDS}};

struct place {
    float x, y, z, w;
    int layer;
};

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static uint32_t state = 1;

static uint32_t draw()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static __device__ uint4 bits_of(float4 v)
{
    return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                      __float_as_uint(v.w));
}

static __device__ uint4 bits_of(int4 v)
{
    return make_uint4(v.x, v.y, v.z, v.w);
}

static __device__ uint4 bits_of(uint4 v)
{
    return v;
}

template <typename T> static __device__ T read(cudaTextureObject_t t, int kind, struct place p)
{
    switch (kind) {
    case FETCH:
        return tex1Dfetch<T>(t, p.layer);
    case LINE:
        return tex1D<T>(t, p.x);
    case PLANE:
    case PITCHED:
        return tex2D<T>(t, p.x, p.y);
    case VOLUME:
        return tex3D<T>(t, p.x, p.y, p.z);
    case LINES:
        return tex1DLayered<T>(t, p.x, p.layer);
    case PLANES:
        return tex2DLayered<T>(t, p.x, p.y, p.layer);
    case SKY:
        return texCubemap<T>(t, p.x, p.y, p.z);
    case SKIES:
        return texCubemapLayered<T>(t, p.x, p.y, p.z, p.layer);
    case LEVEL:
        return tex2DLod<T>(t, p.x, p.y, p.w);
    case GRADIENT:
        return tex2DGrad<T>(t, p.x, p.y, make_float2(p.w, 0.0f), make_float2(0.0f, p.w));
    default:
        return tex2Dgather<T>(t, p.x, p.y, 0);
    }
}

template <typename T>
__global__ void look(cudaTextureObject_t t, int kind, const struct place *places, uint4 *rows)
{
    int i = threadIdx.x;
    rows[i] = bits_of(read<T>(t, kind, places[i]));
}

static void fill(unsigned char *bytes, size_t count, const struct format *f)
{
    for (size_t i = 0; i < count; i++) {
        if (f->filling == FLOATS) {
            float value = ((int)(draw() % 2000001) - 1000000) / 1024.0f;
            memcpy(bytes + i * 4, &value, 4);
        } else if (f->filling == HALVES) {
            uint16_t value = (uint16_t)(0x3000 + draw() % 0x1800) | (draw() & 1) << 15;
            memcpy(bytes + i * 2, &value, 2);
        } else {
            uint32_t value = draw() ^ draw() << 9;
            memcpy(bytes + i * (size_t)(f->bits / 8), &value, (size_t)f->bits / 8);
        }
    }
}

static float coordinate(int size, bool normalized, int row)
{
    float special[] = {0.0f, -0.0f, 0.5f, -0.5f, 1.0f, (float)size, size - 0.5f, 1e10f, -1e10f};
    float at = row < 9    ? special[row]
               : row < 30 ? (int)(draw() % (unsigned)(6 * 512 * size)) / 512.0f - 2.5f * size
                          : (draw() % 1000003) / 1000003.0f * 5 * size - 2 * size;
    return normalized ? at / size : at;
}

static void choose_places(struct place *places, int kind, bool normalized)
{
    for (int i = 0; i < ROWS; i++) {
        bool is_cube = kind == SKY || kind == SKIES;
        places[i].x = is_cube ? (int)(draw() % 17) / 8.0f - 1 : coordinate(WIDTH, normalized, i);
        places[i].y = is_cube ? (int)(draw() % 17) / 8.0f - 1
                              : coordinate(HEIGHT, normalized, (i + 3) % ROWS);
        places[i].z =
            is_cube ? (int)(draw() % 17) / 8.0f - 1 : coordinate(DEPTH, normalized, (i + 5) % ROWS);
        places[i].w = kind == GRADIENT ? 1.0f / (1 << draw() % 8) : (draw() % 4096) / 512.0f - 2;
        places[i].layer = kind == FETCH ? (int)(draw() % 17) - 2 : (int)(draw() % 7) - 2;
    }
}

static FILE *all_rows;
static uint32_t row_count, hash;

static void add_rows(const uint4 *rows)
{
    for (size_t i = 0; i < ROWS * sizeof(uint4); i++) {
        hash = (hash ^ ((const unsigned char *)rows)[i]) * 16777619u;
    }
    row_count += ROWS;
    if (all_rows != NULL) {
        fwrite(rows, sizeof(uint4), ROWS, all_rows);
    }
}

static void print_rows(const char *name, const struct format *f)
{
    printf("%-18s %-7s %5u rows %08x\n", name, f->name, row_count, hash);
    row_count = 0;
    hash = 2166136261u;
}

/* What a texture of one kind and format reads from. */
struct source {
    cudaResourceDesc resource;
    cudaArray_t array;
    cudaMipmappedArray_t levels;
    void *memory;
};

static cudaArray_t new_array(const cudaChannelFormatDesc *channels, cudaExtent extent,
                             unsigned flags, const struct format *f)
{
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, channels, extent, flags));
    size_t texel = (size_t)f->bits / 8 * f->channels;
    size_t rows = (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1);
    unsigned char *bytes = (unsigned char *)malloc(extent.width * rows * texel);
    fill(bytes, extent.width * rows * f->channels, f);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes, extent.width * texel, extent.width,
                                      extent.height ? extent.height : 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, extent.height ? extent.height : 1,
                                  extent.depth ? extent.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    free(bytes);
    return array;
}

static void new_levels(struct source *out, const cudaChannelFormatDesc *channels,
                       const struct format *f)
{
    CHECK(cudaMallocMipmappedArray(&out->levels, channels, make_cudaExtent(WIDTH, HEIGHT, 0), 4));
    for (unsigned k = 0; k < 4; k++) {
        cudaArray_t level;
        CHECK(cudaGetMipmappedArrayLevel(&level, out->levels, k));
        size_t texel = (size_t)f->bits / 8 * f->channels;
        size_t width = WIDTH >> k ? WIDTH >> k : 1, height = HEIGHT >> k ? HEIGHT >> k : 1;
        unsigned char bytes[WIDTH * HEIGHT * 16];
        fill(bytes, width * height * f->channels, f);
        CHECK(cudaMemcpy2DToArray(level, 0, 0, bytes, width * texel, width * texel, height,
                                  cudaMemcpyHostToDevice));
    }
    out->resource.resType = cudaResourceTypeMipmappedArray;
    out->resource.res.mipmap.mipmap = out->levels;
}

static void new_source(struct source *out, int kind, const struct format *f)
{
    static const cudaExtent extents[KINDS] = {{},
                                              {WIDTH, 0, 0},
                                              {WIDTH, HEIGHT, 0},
                                              {},
                                              {WIDTH, HEIGHT, DEPTH},
                                              {WIDTH, 0, 3},
                                              {WIDTH, HEIGHT, 3},
                                              {CUBE, CUBE, 6},
                                              {CUBE, CUBE, 12},
                                              {},
                                              {},
                                              {WIDTH, HEIGHT, 0}};
    static const unsigned flags[KINDS] = {0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          cudaArrayLayered,
                                          cudaArrayLayered,
                                          cudaArrayCubemap,
                                          cudaArrayCubemap | cudaArrayLayered,
                                          0,
                                          0,
                                          cudaArrayTextureGather};
    cudaChannelFormatDesc channels = {f->bits, f->channels > 1 ? f->bits : 0,
                                      f->channels > 2 ? f->bits : 0, f->channels > 2 ? f->bits : 0,
                                      cudaChannelFormatKindUnsigned};
    if (f->filling == FLOATS || f->filling == HALVES) {
        channels.f = cudaChannelFormatKindFloat;
    } else if (f->filling == SIGNED_BYTES || f->filling == SIGNED_SHORTS ||
               f->filling == SIGNED_WORDS) {
        channels.f = cudaChannelFormatKindSigned;
    }
    size_t texel = (size_t)f->bits / 8 * f->channels;
    unsigned char bytes[WIDTH * HEIGHT * 16];
    *out = {};
    if (kind == FETCH) {
        fill(bytes, WIDTH * f->channels, f);
        CHECK(cudaMalloc(&out->memory, WIDTH * texel));
        CHECK(cudaMemcpy(out->memory, bytes, WIDTH * texel, cudaMemcpyHostToDevice));
        out->resource.resType = cudaResourceTypeLinear;
        out->resource.res.linear.devPtr = out->memory;
        out->resource.res.linear.desc = channels;
        out->resource.res.linear.sizeInBytes = WIDTH * texel;
    } else if (kind == PITCHED) {
        size_t pitch;
        fill(bytes, WIDTH * HEIGHT * f->channels, f);
        CHECK(cudaMallocPitch(&out->memory, &pitch, WIDTH * texel, HEIGHT));
        CHECK(cudaMemcpy2D(out->memory, pitch, bytes, WIDTH * texel, WIDTH * texel, HEIGHT,
                           cudaMemcpyHostToDevice));
        out->resource.resType = cudaResourceTypePitch2D;
        out->resource.res.pitch2D.devPtr = out->memory;
        out->resource.res.pitch2D.desc = channels;
        out->resource.res.pitch2D.width = WIDTH;
        out->resource.res.pitch2D.height = HEIGHT;
        out->resource.res.pitch2D.pitchInBytes = pitch;
    } else if (kind == LEVEL || kind == GRADIENT) {
        new_levels(out, &channels, f);
    } else {
        out->array = new_array(&channels, extents[kind], flags[kind], f);
        out->resource.resType = cudaResourceTypeArray;
        out->resource.res.array.array = out->array;
    }
}

static void free_source(struct source *source)
{
    if (source->array != NULL) {
        CHECK(cudaFreeArray(source->array));
    }
    if (source->levels != NULL) {
        CHECK(cudaFreeMipmappedArray(source->levels));
    }
    CHECK(cudaFree(source->memory));
}

/* One group: a texture of a source, read at ROWS places. */
static void run_group(const struct source *source, int kind, const struct format *f, int filter,
                      int mode, bool normalized, bool as_float)
{
    struct place host_places[ROWS], *places;
    uint4 host_rows[ROWS], *rows;
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    CHECK(cudaMalloc(&places, sizeof host_places));
    CHECK(cudaMalloc(&rows, sizeof host_rows));
    for (int i = 0; i < 3; i++) {
        desc.addressMode[i] = (cudaTextureAddressMode)mode;
    }
    desc.filterMode = (cudaTextureFilterMode)filter;
    desc.readMode = as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = normalized;
    bool is_float = as_float || f->filling == FLOATS || f->filling == HALVES;
    for (int i = 0; i < 4; i++) {
        desc.borderColor[i] = is_float ? 0.25f * (i + 1) : 0.0f;
    }
    if (kind == LEVEL || kind == GRADIENT) {
        /* how a unit takes the logarithm of a gradient is its own affair */
        desc.mipmapFilterMode = kind == LEVEL ? (cudaTextureFilterMode)filter : cudaFilterModePoint;
        desc.maxMipmapLevelClamp = 2.75f;
        desc.minMipmapLevelClamp = 0.25f;
        desc.mipmapLevelBias = 0.5f;
    }
    choose_places(host_places, kind, normalized);
    CHECK(cudaCreateTextureObject(&texture, &source->resource, &desc, NULL));
    CHECK(cudaMemcpy(places, host_places, sizeof host_places, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(rows, 0xff, sizeof host_rows));
    if (is_float) {
        look<float4><<<1, ROWS>>>(texture, kind, places, rows);
    } else if (f->filling == BYTES || f->filling == SHORTS || f->filling == WORDS) {
        look<uint4><<<1, ROWS>>>(texture, kind, places, rows);
    } else {
        look<int4><<<1, ROWS>>>(texture, kind, places, rows);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host_rows, rows, sizeof host_rows, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(places));
    CHECK(cudaFree(rows));
    add_rows(host_rows);
}

static void run_source(int kind, const struct format *f)
{
    struct source source;
    bool is_float = f->filling == FLOATS || f->filling == HALVES;
    new_source(&source, kind, f);
    for (int as_float = 0; as_float <= (!is_float && f->bits < 32 ? 1 : 0); as_float++) {
        for (int filter = 0; filter <= (is_float || as_float); filter++) {
            for (int mode = 0; mode < 4; mode++) {
                bool wraps = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
                bool is_mipmapped = kind == LEVEL || kind == GRADIENT;
                if (kind == FETCH && (mode != cudaAddressModeClamp || filter)) {
                    continue;
                }
                for (int normalized = wraps || is_mipmapped; normalized <= (kind != FETCH);
                     normalized++) {
                    run_group(&source, kind, f, filter, mode, normalized, as_float);
                }
            }
        }
    }
    free_source(&source);
    print_rows(kind_names[kind], f);
}

template <typename T>
static __device__ T read_surface(cudaSurfaceObject_t s, int geometry, struct place p, int clamps)
{
    int x = (int)p.x * (int)sizeof(T), y = (int)p.y, z = (int)p.z;
    if (clamps) {
        return geometry == LINE     ? surf1Dread<T>(s, x, cudaBoundaryModeClamp)
               : geometry == PLANE  ? surf2Dread<T>(s, x, y, cudaBoundaryModeClamp)
               : geometry == VOLUME ? surf3Dread<T>(s, x, y, z, cudaBoundaryModeClamp)
                                    : surf2DLayeredread<T>(s, x, y, z, cudaBoundaryModeClamp);
    }
    return geometry == LINE     ? surf1Dread<T>(s, x, cudaBoundaryModeZero)
           : geometry == PLANE  ? surf2Dread<T>(s, x, y, cudaBoundaryModeZero)
           : geometry == VOLUME ? surf3Dread<T>(s, x, y, z, cudaBoundaryModeZero)
                                : surf2DLayeredread<T>(s, x, y, z, cudaBoundaryModeZero);
}

/* Reads texels and writes them back elsewhere, some of them outside. */
template <typename T>
__global__ void use_surface(cudaSurfaceObject_t s, int geometry, const struct place *places,
                            int clamps, uint4 *rows)
{
    int i = threadIdx.x;
    T value = read_surface<T>(s, geometry, places[i], clamps);
    rows[i] = make_uint4(0, 0, 0, 0);
    memcpy(&rows[i], &value, sizeof value);
    __syncthreads();
    if (i == 0 && geometry == PLANE) {
        surf2Dwrite(value, s, (WIDTH + 3) * (int)sizeof(T), -2, cudaBoundaryModeZero);
        surf2Dwrite(value, s, (WIDTH + 3) * (int)sizeof(T), HEIGHT, cudaBoundaryModeClamp);
    }
}

static void run_surface(int geometry, const char *name, const struct format *f)
{
    static const cudaExtent extents[KINDS] = {
        {}, {WIDTH, 0, 0}, {WIDTH, HEIGHT, 0}, {}, {WIDTH, HEIGHT, DEPTH}, {}, {WIDTH, HEIGHT, 3}};
    unsigned flags = cudaArraySurfaceLoadStore | (geometry == PLANES ? cudaArrayLayered : 0);
    struct place host_places[ROWS], *places;
    uint4 host_rows[ROWS], *rows;
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource = {};
    cudaChannelFormatDesc channels = {f->bits, f->channels > 1 ? f->bits : 0,
                                      f->channels > 2 ? f->bits : 0, f->channels > 2 ? f->bits : 0,
                                      cudaChannelFormatKindUnsigned};
    resource.res.array.array = new_array(&channels, extents[geometry], flags, f);
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaMalloc(&places, sizeof host_places));
    CHECK(cudaMalloc(&rows, sizeof host_rows));
    for (int clamps = 0; clamps < 4; clamps++) {
        for (int i = 0; i < ROWS; i++) {
            host_places[i] = {(float)(int)(draw() % 30) - 8, (float)(int)(draw() % 20) - 6,
                              (float)(int)(draw() % 12) - 4, 0, 0};
        }
        CHECK(cudaMemcpy(places, host_places, sizeof host_places, cudaMemcpyHostToDevice));
        switch (f->bits / 8 * f->channels) {
        case 1:
            use_surface<unsigned char><<<1, ROWS>>>(surface, geometry, places, clamps & 1, rows);
            break;
        case 4:
            use_surface<unsigned><<<1, ROWS>>>(surface, geometry, places, clamps & 1, rows);
            break;
        default:
            use_surface<uint4><<<1, ROWS>>>(surface, geometry, places, clamps & 1, rows);
        }
        CHECK(cudaMemcpy(host_rows, rows, sizeof host_rows, cudaMemcpyDeviceToHost));
        add_rows(host_rows);
    }
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(resource.res.array.array));
    CHECK(cudaFree(places));
    CHECK(cudaFree(rows));
    print_rows(name, f);
}

int main(int argc, char **argv)
{
    static const struct format surfaces[] = {
        {"8 bit", 8, 1, BYTES}, {"32 bit", 32, 1, WORDS}, {"128 bit", 32, 4, WORDS}};
    all_rows = argc > 1 ? fopen(argv[1], "wb") : NULL;
    hash = 2166136261u;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
            state = (uint32_t)(kind * 100 + i + 1);
            run_source(kind, &formats[i]);
        }
    }
    for (size_t i = 0; i < sizeof surfaces / sizeof surfaces[0]; i++) {
        state = (uint32_t)i + 1;
        run_surface(LINE, "surface 1d", &surfaces[i]);
        run_surface(PLANE, "surface 2d", &surfaces[i]);
        run_surface(VOLUME, "surface 3d", &surfaces[i]);
        run_surface(PLANES, "surface 2d_layered", &surfaces[i]);
    }
    if (all_rows != NULL && fclose(all_rows) != 0) {
        return 1;
    }
    return 0;
}
