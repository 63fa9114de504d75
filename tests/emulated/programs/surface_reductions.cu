/* surface_reductions.cu: what PTX alone has of textures and surfaces: queries of objects (txq, suq),
 * reductions (sured) and formatted stores (sust.p), also where the manual leaves it open: sizes of
 * dimensions that an object does not have, and numbers that a format cannot hold. An H200 prints the
 * same.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

enum { WIDTH = 12, HEIGHT = 5, DEPTH = 3, LAYERS = 4, THREADS = 64 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define ASK(what, object) asm volatile(what " %0, [%1];" : "=r"(*out++) : "l"(object))

__global__ void ask_texture(cudaTextureObject_t t, int *out)
{
    ASK("txq.width.b32", t);
    ASK("txq.height.b32", t);
    ASK("txq.depth.b32", t);
    for (int level = 0; level < 4; level++) {
        asm volatile("txq.level.width.b32 %0, [%1], %2;" : "=r"(*out++) : "l"(t), "r"(level));
        asm volatile("txq.level.height.b32 %0, [%1], %2;" : "=r"(*out++) : "l"(t), "r"(level));
        asm volatile("txq.level.depth.b32 %0, [%1], %2;" : "=r"(*out++) : "l"(t), "r"(level));
    }
}

__global__ void ask_surface(cudaSurfaceObject_t s, int *out)
{
    ASK("suq.width.b32", s);
    ASK("suq.height.b32", s);
    ASK("suq.depth.b32", s);
}

struct shape {
    const char *name;
    cudaExtent extent;
    unsigned flags;
    int levels; /* 0 of no mipmapped array */
};
static const struct shape shapes[] = {
    {"1d", {WIDTH, 0, 0}, 0, 0},
    {"2d", {WIDTH, HEIGHT, 0}, 0, 0},
    {"3d", {WIDTH, HEIGHT, DEPTH}, 0, 0},
    {"1d layered", {WIDTH, 0, LAYERS}, cudaArrayLayered, 0},
    {"2d layered", {WIDTH, HEIGHT, LAYERS}, cudaArrayLayered, 0},
    {"2d levels", {WIDTH, HEIGHT, 0}, 0, 3},
    {"3d levels", {WIDTH, HEIGHT, DEPTH}, 0, 4},
};

static void print_answers(const char *what, const int *numbers)
{
    printf("%s: %d %d %d\n", what, numbers[0], numbers[1], numbers[2]);
}

static void ask_shape(const struct shape *shape, bool is_normalized)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    cudaArray_t array = nullptr;
    cudaMipmappedArray_t levels = nullptr;
    int numbers[15], *out;
    char name[64];

    CHECK(cudaMalloc(&out, sizeof numbers));
    if (shape->levels != 0) {
        CHECK(cudaMallocMipmappedArray(&levels, &format, shape->extent, shape->levels));
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = levels;
    } else {
        CHECK(cudaMalloc3DArray(&array, &format, shape->extent,
                                shape->flags | cudaArraySurfaceLoadStore));
        resource.res.array.array = array;
    }
    description.normalizedCoords = is_normalized;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    ask_texture<<<1, 1>>>(texture, out);
    CHECK(cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost));
    snprintf(name, sizeof name, "texture %s%s", shape->name, is_normalized ? ", normalised" : "");
    print_answers(name, numbers);
    for (int level = 0; level < shape->levels; level++) {
        snprintf(name, sizeof name, "  level %d", level);
        print_answers(name, numbers + 3 + 3 * level);
    }
    if (array != nullptr) {
        cudaSurfaceObject_t surface;
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
        ask_surface<<<1, 1>>>(surface, out);
        CHECK(cudaMemcpy(numbers, out, 3 * sizeof *numbers, cudaMemcpyDeviceToHost));
        snprintf(name, sizeof name, "surface %s", shape->name);
        print_answers(name, numbers);
        CHECK(cudaDestroySurfaceObject(surface));
        CHECK(cudaFreeArray(array));
    } else {
        CHECK(cudaFreeMipmappedArray(levels));
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(out));
}

/* Each thread takes part in each reduction; places are one row of texels. */
__global__ void reduce(cudaSurfaceObject_t s)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned bit = 1u << (i & 31);
    const unsigned not_bit = ~bit;
    const unsigned long long wide = 0x100000001ull;

    asm volatile("sured.b.add.1d.u32.trap [%0, {%1}], %2;" ::"l"(s), "r"(0), "r"(i));
    asm volatile("sured.b.add.1d.s32.trap [%0, {%1}], %2;" ::"l"(s), "r"(4), "r"(-i));
    asm volatile("sured.b.min.1d.u32.trap [%0, {%1}], %2;" ::"l"(s), "r"(8), "r"(100 - i));
    asm volatile("sured.b.max.1d.s32.trap [%0, {%1}], %2;" ::"l"(s), "r"(12), "r"(i - 100));
    asm volatile("sured.b.and.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(16), "r"(not_bit));
    asm volatile("sured.b.or.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(20), "r"(bit));
    asm volatile("sured.b.add.1d.u64.trap [%0, {%1}], %2;" ::"l"(s), "r"(24), "l"(wide));
    asm volatile("sured.b.add.1d.u32.zero [%0, {%1}], %2;" ::"l"(s), "r"(-4), "r"(1));
    asm volatile("sured.b.add.1d.u32.zero [%0, {%1}], %2;" ::"l"(s), "r"(WIDTH * 4), "r"(1));
    asm volatile("sured.p.add.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(8), "r"(2));
    asm volatile("sured.p.min.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(9), "r"(-i));
    asm volatile("sured.p.max.1d.b32.trap [%0, {%1}], %2;" ::"l"(s), "r"(10), "r"(-i));
    asm volatile("sured.p.add.1d.b32.clamp [%0, {%1}], %2;" ::"l"(s), "r"(WIDTH + 7), "r"(3));
}

__global__ void reduce_in_volume(cudaSurfaceObject_t s)
{
    const int z = threadIdx.x % DEPTH, y = threadIdx.x % HEIGHT;

    asm volatile("sured.b.add.3d.u32.trap [%0, {%1, %2, %3, %3}], %4;" ::"l"(s), "r"(8), "r"(y),
                 "r"(z), "r"(1));
    asm volatile("sured.p.add.3d.b32.trap [%0, {%1, %2, %3, %3}], %4;" ::"l"(s), "r"(2), "r"(y),
                 "r"(z), "r"(100));
}

static cudaSurfaceObject_t new_surface(const cudaChannelFormatDesc *format, cudaExtent extent,
                                       const void *texels, cudaArray_t *out_array)
{
    size_t texel = (size_t)(format->x + format->y + format->z + format->w) / 8;
    cudaMemcpy3DParms copy = {};
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface;

    CHECK(cudaMalloc3DArray(out_array, format, extent, cudaArraySurfaceLoadStore));
    copy.extent = make_cudaExtent(extent.width, extent.height ? extent.height : 1,
                                  extent.depth ? extent.depth : 1);
    copy.srcPtr =
        make_cudaPitchedPtr((void *)texels, extent.width * texel, extent.width, copy.extent.height);
    copy.dstArray = *out_array;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    resource.res.array.array = *out_array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

static void read_surface(cudaArray_t array, cudaExtent extent, size_t texel, void *texels)
{
    cudaMemcpy3DParms copy = {};

    copy.extent = make_cudaExtent(extent.width, extent.height ? extent.height : 1,
                                  extent.depth ? extent.depth : 1);
    copy.srcArray = array;
    copy.dstPtr =
        make_cudaPitchedPtr(texels, extent.width * texel, extent.width, copy.extent.height);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
}

template <class T> static void reduce_row(const char *name)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaExtent extent = {WIDTH, 0, 0};
    cudaArray_t array;
    T row[WIDTH];

    for (int i = 0; i < WIDTH; i++) {
        row[i] = i == 2 ? 1000 : i == 3 ? (T)-200 : i == 4 ? (T)-1 : 0;
    }
    cudaSurfaceObject_t surface = new_surface(&format, extent, row, &array);
    reduce<<<2, THREADS / 2>>>(surface);
    read_surface(array, extent, sizeof(T), row);
    printf("reduced %s:", name);
    for (int i = 0; i < WIDTH; i++) {
        printf(" %x", (unsigned)row[i]);
    }
    printf("\n");
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

static void reduce_volume()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
    cudaExtent extent = {WIDTH, HEIGHT, DEPTH};
    static unsigned texels[DEPTH][HEIGHT][WIDTH];
    cudaArray_t array;
    cudaSurfaceObject_t surface = new_surface(&format, extent, texels, &array);

    reduce_in_volume<<<1, 30>>>(surface);
    read_surface(array, extent, sizeof(unsigned), texels);
    unsigned sum = 0;
    for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++) {
        sum += (&texels[0][0][0])[i];
    }
    printf("reduced volume: %u %u %u, sum %u\n", texels[0][0][2], texels[1][3][2], texels[2][4][2],
           sum);
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

/* Stores a texel with two sources at each place of a row, and one of which the x is outside. */
__global__ void store(cudaSurfaceObject_t s, const unsigned *values)
{
    const int i = threadIdx.x;
    const unsigned a = values[4 * i], b = values[4 * i + 1], c = values[4 * i + 2],
                   d = values[4 * i + 3];

    asm volatile("sust.p.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(i), "r"(0),
                 "r"(a), "r"(b), "r"(c), "r"(d));
    asm volatile("sust.p.2d.v2.b32.zero [%0, {%1, %2}], {%3, %4};" ::"l"(s), "r"(i), "r"(1), "r"(b),
                 "r"(a));
    asm volatile("sust.p.2d.b32.clamp [%0, {%1, %2}], {%3};" ::"l"(s), "r"(i + WIDTH), "r"(9),
                 "r"(values[0]));
}

static void store_texels(const char *name, int bits, int channels, cudaChannelFormatKind kind,
                         bool is_too_large)
{
    static const int integers[2][4] = {{1, 100, 37, 0}, {300, -5, 70000, -70000}};
    static const float floats[2][4] = {{1.5f, -0.25f, 2048, 0}, {1.0001f, 1e6f, 1e-9f, -65519}};
    cudaChannelFormatDesc format = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                    channels > 2 ? bits : 0, kind};
    cudaExtent extent = {WIDTH, HEIGHT, 0};
    static unsigned char texels[HEIGHT][WIDTH * 16];
    unsigned host[WIDTH * 4], *values;
    size_t texel = (size_t)bits / 8 * channels;
    cudaArray_t array;

    memset(texels, 0, sizeof texels);
    for (int i = 0; i < WIDTH * 4; i++) {
        int k = (i + i / 4) % 4;
        memcpy(&host[i],
               kind == cudaChannelFormatKindFloat ? (const void *)&floats[is_too_large][k]
                                                  : &integers[is_too_large][k],
               4);
    }
    CHECK(cudaMalloc(&values, sizeof host));
    CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t surface = new_surface(&format, extent, texels, &array);
    store<<<1, WIDTH>>>(surface, values);
    read_surface(array, extent, texel, texels);
    printf("stored %s:", name);
    for (int row = 0; row < 2; row++) {
        size_t known = row == 0 || channels < 2 ? texel : (size_t)bits / 8 * 2;
        for (int i = 0; i < 4; i++) {
            printf(" ");
            for (size_t k = known; k-- > 0;) {
                printf("%02x", (&texels[0][0])[row * WIDTH * texel + i * texel + k]);
            }
        }
    }
    printf("\n");
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(values));
}

static void store_formats(bool is_too_large)
{
    store_texels("f32", 32, 1, cudaChannelFormatKindFloat, is_too_large);
    store_texels("f32x4", 32, 4, cudaChannelFormatKindFloat, is_too_large);
    store_texels("f16x2", 16, 2, cudaChannelFormatKindFloat, is_too_large);
    store_texels("u8x4", 8, 4, cudaChannelFormatKindUnsigned, is_too_large);
    store_texels("s8", 8, 1, cudaChannelFormatKindSigned, is_too_large);
    store_texels("u16x2", 16, 2, cudaChannelFormatKindUnsigned, is_too_large);
    store_texels("s16x4", 16, 4, cudaChannelFormatKindSigned, is_too_large);
    store_texels("u32x2", 32, 2, cudaChannelFormatKindUnsigned, is_too_large);
}

int main()
{
    for (const struct shape &shape : shapes) {
        ask_shape(&shape, false);
    }
    ask_shape(&shapes[1], true);
    reduce_row<unsigned>("u32");
    reduce_row<int>("s32");
    reduce_volume();
    store_formats(false);
    store_formats(true);
    return 0;
}
