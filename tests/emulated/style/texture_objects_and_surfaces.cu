#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define W 8
#define H 4

// Every way to name a texel: vectors, out parameters, layers, faces, levels and gradients.
__global__ void lookUp(cudaTextureObject_t image, cudaTextureObject_t layers, cudaTextureObject_t sky,
                       cudaTextureObject_t levels, cudaTextureObject_t list, float *out)
{
    uchar4 pixel = tex2D<uchar4>(image, 3.5f, 1.5f);
    out[0] = pixel.x + 1000.0f * pixel.w;
    tex2D(&pixel, image, 100.0f, -1.0f);
    out[1] = pixel.y;
    out[2] = tex2Dgather<uchar4>(image, 2.0f, 2.0f, 1).w;
    float2 pair = tex2DLayered<float2>(layers, 0.25f, 0.75f, 1);
    out[3] = pair.x;
    out[4] = pair.y;
    out[5] = texCubemap<float>(sky, -1.0f, 0.2f, 0.3f);
    out[6] = tex2DLod<float>(levels, 0.5f, 0.5f, 1.0f);
    out[7] = tex2DGrad<float>(levels, 0.5f, 0.5f, make_float2(0.5f, 0.0f), make_float2(0.0f, 0.5f));
    out[8] = tex1Dfetch<short>(list, 5);
    out[9] = tex1Dfetch<short1>(list, 500).x;
    out[10] = texCubemapLod<float>(sky, 0.1f, 1.0f, 0.0f, 0.0f);
}

// Moves the columns of an image by one, with what is outside taken from the border.
template <class T> __global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    T value = surf2Dread<T>(from, (x - 1) * (int)sizeof(T), y, cudaBoundaryModeClamp), beyond;
    surf2Dwrite(value, to, x * (int)sizeof(T), y);
    surf2Dread(&beyond, from, W * (int)sizeof(T), y, cudaBoundaryModeZero);
    surf2Dwrite(beyond, to, -(int)sizeof(T), y, cudaBoundaryModeZero);
}

__global__ void paintFaces(cudaSurfaceObject_t cube)
{
    int x = threadIdx.x, y = threadIdx.y, face = threadIdx.z;
    surfCubemapwrite(10.0f * face + x + 0.25f * y, cube, x * 4, y, face);
}

static cudaTextureObject_t textureOf(cudaResourceDesc resource, bool blends, bool unit)
{
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = blends ? cudaFilterModeLinear : cudaFilterModePoint;
    how.mipmapFilterMode = how.filterMode;
    how.maxMipmapLevelClamp = 8;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = unit;
    cudaTextureObject_t made = 0;
    cudaCreateTextureObject(&made, &resource, &how, nullptr);
    return made;
}

static cudaResourceDesc arrayOf(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

template <class T> static cudaArray_t filled(int layers, unsigned flags, int step)
{
    static T values[W * H * 6];
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    int height = flags & cudaArrayCubemap ? W / 2 : H, width = flags & cudaArrayCubemap ? W / 2 : W;
    cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, layers), flags);
    int count = width * height * (layers ? layers : 1);
    for (int i = 0; i < count; i++) {
        memset(&values[i], 0, sizeof(T));
        values[i].x = i * step;
        (&values[i].x)[sizeof(T) / sizeof values[i].x - 1] += i / 2;
    }
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(values, width * sizeof(T), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, layers ? layers : 1);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return array;
}

int main()
{
    printf("%d\n", cudaCreateChannelDesc<float4>().w + cudaCreateChannelDesc<short2>().y +
                       cudaCreateChannelDesc<uchar4>().f + cudaCreateChannelDescHalf2().y);
    cudaArray_t image = filled<uchar4>(0, cudaArrayTextureGather, 3);
    cudaArray_t layers = filled<float2>(2, cudaArrayLayered, 2);
    cudaArray_t sky = filled<float1>(6, cudaArrayCubemap | cudaArraySurfaceLoadStore, 1);

    cudaSurfaceObject_t faces;
    cudaResourceDesc resource = arrayOf(sky);
    cudaCreateSurfaceObject(&faces, &resource);
    paintFaces<<<1, dim3(W / 2, W / 2, 6)>>>(faces);

    cudaMipmappedArray_t pyramid;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&pyramid, &one, make_cudaExtent(4, 4, 0), 3);
    for (unsigned k = 0; k < 3; k++) {
        cudaArray_t level;
        float values[16];
        for (int i = 0; i < 16; i++) {
            values[i] = 100 * k + i;
        }
        cudaGetMipmappedArrayLevel(&level, pyramid, k);
        cudaMemcpy2DToArray(level, 0, 0, values, (4 >> k) * 4, (4 >> k) * 4, 4 >> k,
                            cudaMemcpyHostToDevice);
    }
    cudaResourceDesc levels = {};
    levels.resType = cudaResourceTypeMipmappedArray;
    levels.res.mipmap.mipmap = pyramid;

    short numbers[16], *list;
    for (int i = 0; i < 16; i++) {
        numbers[i] = -i * 7;
    }
    cudaMalloc(&list, sizeof numbers);
    cudaMemcpy(list, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = list;
    linear.res.linear.desc = cudaCreateChannelDesc<short>();
    linear.res.linear.sizeInBytes = sizeof numbers;

    float *out;
    cudaMallocManaged(&out, 11 * sizeof *out);
    lookUp<<<1, 1>>>(textureOf(arrayOf(image), false, false), textureOf(arrayOf(layers), true, true),
                     textureOf(arrayOf(sky), false, true), textureOf(levels, true, true),
                     textureOf(linear, false, false), out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 11; i++) {
        printf("%s%g", i == 0 ? "" : " ", out[i]);
    }
    printf("\n");

    cudaArray_t from = filled<short4>(0, cudaArraySurfaceLoadStore, 5), to;
    cudaChannelFormatDesc four = cudaCreateChannelDesc<short4>();
    cudaMallocArray(&to, &four, W, H, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t a, b;
    resource = arrayOf(from);
    cudaCreateSurfaceObject(&a, &resource);
    resource = arrayOf(to);
    cudaCreateSurfaceObject(&b, &resource);
    shift<short4><<<1, dim3(W, H)>>>(a, b);
    short4 moved[H][W];
    cudaMemcpy2DFromArray(moved, sizeof moved[0], to, 0, 0, sizeof moved[0], H,
                          cudaMemcpyDeviceToHost);
    for (int y = 0; y < H; y++) {
        printf("%d:%d %d:%d\n", moved[y][0].x, moved[y][0].w, moved[y][7].x, moved[y][7].w);
    }
    return 0;
}

/* exit status 0, findings: none
65
no error
5033 0 0 107 26.5 12.25 101.5 101.5 -35 0 22.5
0:0 30:3
40:4 70:7
80:8 110:11
120:12 150:15
*/
