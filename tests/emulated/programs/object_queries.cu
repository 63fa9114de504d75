/* object_queries.cu: queries of textures and surfaces that the manual of PTX has, and that the driver
 * of an H200 does not load: layers, levels of a mipmapped array, and whether coordinates are
 * normalised.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

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
    ASK("txq.array_size.b32", t);
    ASK("txq.num_mipmap_levels.b32", t);
    ASK("txq.normalized_coords.b32", t);
}

__global__ void ask_surface(cudaSurfaceObject_t s, int *out)
{
    ASK("suq.array_size.b32", s);
}

static void ask(const char *name, cudaExtent extent, unsigned flags, int levels, bool is_normalized)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaMipmappedArray_t mipmapped = nullptr;
    cudaArray_t array = nullptr;
    int numbers[4] = {}, *out;

    CHECK(cudaMalloc(&out, sizeof numbers));
    description.normalizedCoords = is_normalized;
    if (levels != 0) {
        CHECK(cudaMallocMipmappedArray(&mipmapped, &format, extent, levels));
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = mipmapped;
    } else {
        CHECK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
        resource.res.array.array = array;
    }
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    ask_texture<<<1, 1>>>(texture, out);
    CHECK(cudaMemcpy(numbers, out, 3 * sizeof *numbers, cudaMemcpyDeviceToHost));
    printf("%s: ", name);
    if ((flags & cudaArrayLayered) != 0) {
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
        ask_surface<<<1, 1>>>(surface, out);
        CHECK(cudaMemcpy(&numbers[3], out, sizeof *numbers, cudaMemcpyDeviceToHost));
        printf("%d layers, %d in the surface, ", numbers[0], numbers[3]);
        CHECK(cudaDestroySurfaceObject(surface));
    }
    printf("levels %d, normalised %d\n", numbers[1], numbers[2]);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(levels != 0 ? cudaFreeMipmappedArray(mipmapped) : cudaFreeArray(array));
    CHECK(cudaFree(out));
}

int main()
{
    ask("1d", {12, 0, 0}, 0, 0, false);
    ask("2d", {12, 5, 0}, 0, 0, true);
    ask("1d layered", {12, 0, 4}, cudaArrayLayered, 0, false);
    ask("2d layered", {12, 5, 3}, cudaArrayLayered, 0, true);
    ask("2d levels", {12, 5, 0}, 0, 3, true);
    ask("3d levels", {12, 5, 3}, 0, 4, false);
    return 0;
}
