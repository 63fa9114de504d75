/* Textures and surfaces are memory: what is outside, freed, never written or written twice is found
 * as it is elsewhere, and so is what is no such object. "order: matters" */
#include "../kernel_program.h"

#define SIZE 16

__global__ void outside(cudaSurfaceObject_t surface)
{
    surf2Dwrite(1.0f, surface, (threadIdx.x + 1) * (int)sizeof(float), 3); // error: B01 write
}

__global__ void by_elements(cudaSurfaceObject_t surface)
{
    surf2Dwrite(1.0f, surface, threadIdx.x, 3); // error: A01 write
}

__global__ void freed(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B05 read
}

__global__ void destroyed(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B05 read
}

__global__ void unwritten(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: N02 read
}

__global__ void twice(cudaSurfaceObject_t surface)
{
    surf2Dwrite((float)threadIdx.x, surface, 0, 5); // error: R03 write
}

__global__ void of_surface(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B13 read
}

__global__ void of_array(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B13 read
}

__global__ void never_made(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B13 read
}

__global__ void of_host(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0); // error: B13 read
}

/* By PTX alone: formatted stores, reductions and queries. */
__global__ void texel_outside(cudaSurfaceObject_t surface)
{
    int x = threadIdx.x + 1;
    asm volatile("sust.p.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(surface), "r"(x), "r"(3), "r"(0)); // error: B01 write
}

__global__ void reduced_outside(cudaSurfaceObject_t surface)
{
    int y = threadIdx.x + 1;
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(surface), "r"(0), "r"(y), "r"(1)); // error: B01 atomic
}

__global__ void reduced_and_read(cudaSurfaceObject_t surface, float *out)
{
    asm volatile("sured.p.add.2d.b32.trap [%0, {%1, %2}], %3;" ::"l"(surface), "r"(2), "r"(2), "r"(1)); // error: R03 atomic
    out[threadIdx.x] = surf2Dread<float>(surface, 2 * (int)sizeof(float), 2); // error: R03 read
}

__global__ void reduced_unwritten(cudaSurfaceObject_t surface)
{
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(surface), "r"(0), "r"(0), "r"(1)); // error: N02 atomic
}

__global__ void asked_of_none(cudaTextureObject_t texture, float *out)
{
    asm volatile("txq.width.b32 %0, [%1];" : "=f"(out[threadIdx.x]) : "l"(texture)); // error: B13 read
}

enum what {
    OUTSIDE,
    BY_ELEMENTS,
    FREED,
    DESTROYED,
    UNWRITTEN,
    TWICE,
    OF_SURFACE,
    OF_ARRAY,
    NEVER_MADE,
    OF_HOST,
    TEXEL_OUTSIDE,
    REDUCED_OUTSIDE,
    REDUCED_AND_READ,
    REDUCED_UNWRITTEN,
    ASKED_OF_NONE
};

/* The flags are cudaArraySurfaceLoadStore. */
static cudaArray_t new_array()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a = nullptr;
    cudaMallocArray(&a, &f, SIZE, SIZE, 2); // error: B01 allocated, B05 allocated, N02 allocated, R03 allocated
    return a;
}

/* Each in memory of its own, after a reset. */
static void run(enum what what)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaSurfaceObject_t surface;
    cudaTextureObject_t texture;
    float *out = new_output<float>(SIZE), values[SIZE * SIZE] = {};

    cudaArray_t array = new_array();
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, 0)); // error: B05 allocated
    if (what != UNWRITTEN && what != REDUCED_UNWRITTEN) {
        CHECK(cudaMemcpy2DToArray(array, 0, 0, values, SIZE * sizeof(float), SIZE * sizeof(float),
                                  SIZE, cudaMemcpyHostToDevice));
    }
    switch (what) {
    case OUTSIDE:
        outside<<<1, SIZE>>>(surface);
        break;
    case BY_ELEMENTS:
        by_elements<<<1, SIZE>>>(surface);
        break;
    case FREED:
        CHECK(cudaFreeArray(array)); // error: B05 freed
        freed<<<1, SIZE>>>(texture, out);
        break;
    case DESTROYED:
        CHECK(cudaDestroyTextureObject(texture)); // error: B05 freed
        destroyed<<<1, SIZE>>>(texture, out);
        break;
    case UNWRITTEN:
        unwritten<<<1, SIZE>>>(texture, out);
        break;
    case OF_SURFACE:
        of_surface<<<1, SIZE>>>(surface, out);
        break;
    case OF_ARRAY: /* its address is no object */
        of_array<<<1, SIZE>>>((cudaTextureObject_t)out, out);
        break;
    case NEVER_MADE:
        never_made<<<1, SIZE>>>(0, out);
        break;
    case OF_HOST:
        of_host<<<1, SIZE>>>((cudaTextureObject_t)&texture, out);
        break;
    case TEXEL_OUTSIDE:
        texel_outside<<<1, SIZE>>>(surface);
        break;
    case REDUCED_OUTSIDE:
        reduced_outside<<<1, SIZE>>>(surface);
        break;
    case REDUCED_AND_READ:
        reduced_and_read<<<1, SIZE>>>(surface, out);
        break;
    case REDUCED_UNWRITTEN:
        reduced_unwritten<<<1, SIZE>>>(surface);
        break;
    case ASKED_OF_NONE:
        asked_of_none<<<1, SIZE>>>(0, out);
        break;
    default:
        twice<<<1, SIZE>>>(surface);
    }
    cudaDeviceSynchronize();
    CHECK(cudaDeviceReset());
}

int main()
{
    for (int what = OUTSIDE; what <= ASKED_OF_NONE; what++) {
        run((enum what)what);
    }
    return 0;
}
