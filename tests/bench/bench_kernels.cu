/* bench_kernels.cu: what emulated_speed.sh measures besides the coursework's own kernel. */

/* Random gathers and a branch that every lane takes by itself. */
extern "C" __global__ void irregular(const unsigned *next, float *out, int steps)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = thread;
    float sum = 0.0f;
    for (int i = 0; i < steps; i++) {
        at = next[at];
        if ((at & 1) != 0) {
            sum = sum * 0.5f + (float)at;
        } else {
            sum -= (float)(at >> 3);
            at ^= 4;
        }
    }
    out[thread] = sum;
}

/* Every element of a large array is read and of another one written. */
extern "C" __global__ void touch(const float *in, float *out)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    out[thread] = in[thread] + 1.0f;
}

/* The three small launches. */
extern "C" __global__ void small_matmul(const float *A, const float *B, float *C, int width)
{
    __shared__ float tile_a[16][16];
    __shared__ float tile_b[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int column = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int first = 0; first < width; first += 16) {
        tile_a[ty][tx] = A[row * width + first + tx];
        tile_b[ty][tx] = B[(first + ty) * width + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    C[row * width + column] = sum;
}

extern "C" __global__ void small_reduction(const float *in, float *out)
{
    __shared__ float partial[256];
    const unsigned thread = threadIdx.x;
    partial[thread] = in[blockIdx.x * 256 + thread];
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (thread < half) {
            partial[thread] += partial[thread + half];
        }
        __syncthreads();
    }
    if (thread == 0) {
        out[blockIdx.x] = partial[0];
    }
}

extern "C" __global__ void small_histogram(const unsigned *in, unsigned *out)
{
    __shared__ unsigned bins[64];
    const unsigned thread = threadIdx.x;
    if (thread < 64) {
        bins[thread] = 0;
    }
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 256 + thread] % 64], 1);
    __syncthreads();
    if (thread < 64) {
        atomicAdd(&out[thread], bins[thread]);
    }
}
