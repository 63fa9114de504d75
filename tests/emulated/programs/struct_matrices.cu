// Matrices are structs with a device pointer, passed to kernels by value; a host product checks them.
#include <stdio.h>
#include <stdlib.h>

#define TILE 8

struct matrix {
    int height, width;
    float *values;
};

static struct matrix device_matrix(int height, int width)
{
    struct matrix m = {height, width, NULL};
    if (cudaMalloc(&m.values, sizeof(float) * height * width) != cudaSuccess) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return m;
}

__global__ void fill(struct matrix m, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m.height * m.width) {
        m.values[i] = (float)(i * step % 17 - 8);
    }
}

/* Sizes need not be multiples of the tile. */
__global__ void multiply(struct matrix a, struct matrix b, struct matrix c)
{
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < a.width; first += TILE) {
        int k = first + threadIdx.x;
        left[threadIdx.y][threadIdx.x] =
            row < a.height && k < a.width ? a.values[row * a.width + k] : 0;
        k = first + threadIdx.y;
        right[threadIdx.y][threadIdx.x] =
            k < b.height && column < b.width ? b.values[k * b.width + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < c.height && column < c.width) {
        c.values[row * c.width + column] = sum;
    }
}

static int check(struct matrix a, struct matrix b, struct matrix c)
{
    size_t counts[] = {(size_t)a.height * a.width, (size_t)b.height * b.width,
                       (size_t)c.height * c.width};
    struct matrix all[] = {a, b, c};
    float *host[3];
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        host[i] = (float *)malloc(counts[i] * sizeof(float));
        cudaMemcpy(host[i], all[i].values, counts[i] * sizeof(float), cudaMemcpyDeviceToHost);
    }
    for (int y = 0; y < c.height; y++) {
        for (int x = 0; x < c.width; x++) {
            float sum = 0;
            for (int k = 0; k < a.width; k++) {
                sum += host[0][y * a.width + k] * host[1][k * b.width + x];
            }
            wrong += host[2][y * c.width + x] != sum;
        }
    }
    for (int i = 0; i < 3; i++) {
        free(host[i]);
    }
    return wrong;
}

int main(void)
{
    const int shapes[][3] = {{8, 8, 8}, {5, 13, 21}, {40, 3, 9}};
    for (int i = 0; i < 3; i++) {
        struct matrix a = device_matrix(shapes[i][0], shapes[i][1]);
        struct matrix b = device_matrix(shapes[i][1], shapes[i][2]);
        struct matrix c = device_matrix(shapes[i][0], shapes[i][2]);
        fill<<<(a.height * a.width + 127) / 128, 128>>>(a, 3);
        fill<<<(b.height * b.width + 127) / 128, 128>>>(b, 5);
        dim3 grid((c.width + TILE - 1) / TILE, (c.height + TILE - 1) / TILE);
        multiply<<<grid, dim3(TILE, TILE)>>>(a, b, c);
        printf("%d x %d by %d x %d: %s, %d wrong\n", a.height, a.width, b.height, b.width,
               cudaGetErrorString(cudaGetLastError()), check(a, b, c));
        cudaFree(a.values);
        cudaFree(b.values);
        cudaFree(c.values);
    }
    return 0;
}
