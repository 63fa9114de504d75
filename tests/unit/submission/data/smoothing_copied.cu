/* smoothing.cu in disguise: other names, comments and layout, functions and declarations in another
 * order, factors and summands too, a helper less, and a constant changed. */
#include <cuda_runtime.h>

const int THREADS = 256;

__global__ void reduce(const float *matrix, float *result, int n)
{
    float mine = 0.0f; __shared__ float buffer[THREADS];
    int j = threadIdx.x;
    while (j < n) { mine = matrix[j + n * blockIdx.x] + mine; j += blockDim.x; }
    buffer[threadIdx.x] = mine;
    __syncthreads();
    int step = blockDim.x / 2;
    while (step > 0) {
        if (threadIdx.x < step) buffer[threadIdx.x] += buffer[step + threadIdx.x];
        __syncthreads(); // all must see it
        step /= 2;
    }
    if (threadIdx.x == 0) result[blockIdx.x] = buffer[0];
}

__global__ void blur(const float *src, float *dst, int n, float alpha)
{
    const int R = 3;
    __shared__ float coefficient[2 * R + 1];
    int s = R + threadIdx.x;
    __shared__ float cache[THREADS + 2 * R];
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    /* coefficients first */
    if (threadIdx.x <= 2 * R) {
        int d = int(threadIdx.x) - R;
        d = d < 0 ? -d : d;
        coefficient[threadIdx.x] = 0.125f * d + expf(-alpha * d * d);
    }
    if (threadIdx.x < R) {
        int right = i + THREADS;
        cache[s + THREADS] = right < n ? src[right] : 0.0f;
        cache[threadIdx.x] = i >= R ? src[i - R] : 0.0f;
    }
    cache[s] = i < n ? src[i] : 0.0f;
    __syncthreads();
    float norm = 0.0f, value = 0.0f;
    for (int t = -R; t <= R; t++) {
        norm += coefficient[R + t];
        value += cache[s + t] * coefficient[R + t];
    }
    if (i < n) dst[i] = value / norm;
}
