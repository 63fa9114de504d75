/* pattern_kernels.cu: kernels that access memory in one pattern each, for counting sectors and bank
 * conflicts on a GPU and on the emulated device. Each kernel has one access of interest for each
 * thread; the bodies are templates, the names plain. launches.txt says how they are launched.
 */

/* Lanes below `lanes` read in[index * stride + offset]. */
template <typename T>
__device__ void load_strided(const T *in, T *out, int stride, int offset, int lanes)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 < lanes) {
        out[index] = in[index * stride + offset];
    }
}

extern "C" __global__ void load_bytes(const char *in, char *out, int stride, int offset, int lanes)
{
    load_strided(in, out, stride, offset, lanes);
}

extern "C" __global__ void load_words(const int *in, int *out, int stride, int offset, int lanes)
{
    load_strided(in, out, stride, offset, lanes);
}

extern "C" __global__ void load_pairs(const int2 *in, int2 *out, int stride, int offset, int lanes)
{
    load_strided(in, out, stride, offset, lanes);
}

extern "C" __global__ void load_fours(const int4 *in, int4 *out, int stride, int offset, int lanes)
{
    load_strided(in, out, stride, offset, lanes);
}

/* Each thread writes out[index * stride + offset]. */
template <typename T> __device__ void store_strided(const T *in, T *out, int stride, int offset)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    out[index * stride + offset] = in[index];
}

extern "C" __global__ void store_words(const int *in, int *out, int stride, int offset)
{
    store_strided(in, out, stride, offset);
}

extern "C" __global__ void store_fours(const int4 *in, int4 *out, int stride, int offset)
{
    store_strided(in, out, stride, offset);
}

/* Reads at places that hop about: a multiplicative permutation of `count` places. */
extern "C" __global__ void gather_words(const int *in, int *out, unsigned factor, unsigned count)
{
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    out[index] = in[index * factor % count];
}

/* Fills a tile of `count` elements row by row, then reads tile[thread * stride / divisor].
 */
template <typename T>
__device__ void read_tile(T *tile, const T *in, T *out, int count, int stride, int divisor)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        tile[i] = in[i];
    }
    __syncthreads();
    out[index] = tile[threadIdx.x * stride / divisor];
}

extern "C" __global__ void tile_bytes(const char *in, char *out, int count, int stride, int divisor)
{
    extern __shared__ char byte_tile[];
    read_tile(byte_tile, in, out, count, stride, divisor);
}

extern "C" __global__ void tile_words(const int *in, int *out, int count, int stride, int divisor)
{
    extern __shared__ int word_tile[];
    read_tile(word_tile, in, out, count, stride, divisor);
}

extern "C" __global__ void tile_pairs(const int2 *in, int2 *out, int count, int stride, int divisor)
{
    extern __shared__ int2 pair_tile[];
    read_tile(pair_tile, in, out, count, stride, divisor);
}

extern "C" __global__ void tile_fours(const int4 *in, int4 *out, int count, int stride, int divisor)
{
    extern __shared__ int4 four_tile[];
    read_tile(four_tile, in, out, count, stride, divisor);
}

/* Writes tile[thread * stride], then reads it back without conflicts where the stride is odd. */
extern "C" __global__ void tile_stores(const int *in, int *out, int stride)
{
    extern __shared__ int stored_tile[];
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    stored_tile[threadIdx.x * stride] = in[index];
    __syncthreads();
    out[index] = stored_tile[threadIdx.x * stride];
}

extern "C" __global__ void transpose_naive(const float *in, float *out, int width)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    out[x * width + y] = in[y * width + x];
}

/* Through a tile with `padding` unused columns. */
template <int padding> __device__ void transpose_tile(const float *in, float *out, int width)
{
    __shared__ float tile[32][32 + padding];
    const int tx = threadIdx.x;
    for (int ty = threadIdx.y; ty < 32; ty += 8) {
        tile[ty][tx] = in[(blockIdx.y * 32 + ty) * width + blockIdx.x * 32 + tx];
    }
    __syncthreads();
    for (int ty = threadIdx.y; ty < 32; ty += 8) {
        out[(blockIdx.x * 32 + ty) * width + blockIdx.y * 32 + tx] = tile[tx][ty];
    }
}

extern "C" __global__ void transpose_conflicts(const float *in, float *out, int width)
{
    transpose_tile<0>(in, out, width);
}

extern "C" __global__ void transpose_padded(const float *in, float *out, int width)
{
    transpose_tile<1>(in, out, width);
}

extern "C" __global__ void multiply_naive(const float *a, const float *b, float *c, int width)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < width; k++) {
        sum += a[row * width + k] * b[k * width + column];
    }
    c[row * width + column] = sum;
}

/* The loop over k stays a loop: unrolled, ptxas would join reads of a row into wider ones. */
template <int block_width>
__device__ void multiply_tiles(const float *a, const float *b, float *c, int width)
{
    __shared__ float tile_a[block_width][block_width];
    __shared__ float tile_b[block_width][block_width];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * block_width + ty;
    const int column = blockIdx.x * block_width + tx;
    float sum = 0.0f;
#pragma unroll 1
    for (int first = 0; first < width; first += block_width) {
        tile_a[ty][tx] = a[row * width + first + tx];
        tile_b[ty][tx] = b[(first + ty) * width + column];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < block_width; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    c[row * width + column] = sum;
}

extern "C" __global__ void multiply_8(const float *a, const float *b, float *c, int width)
{
    multiply_tiles<8>(a, b, c, width);
}

extern "C" __global__ void multiply_16(const float *a, const float *b, float *c, int width)
{
    multiply_tiles<16>(a, b, c, width);
}

extern "C" __global__ void multiply_32(const float *a, const float *b, float *c, int width)
{
    multiply_tiles<32>(a, b, c, width);
}

/* Lanes below `lanes` read tile[thread & keep]: those that differ in the other bits share an element,
 * which lets the hardware serve twice as many lanes at once, or not. */
template <typename T>
__device__ void read_kept(T *tile, const T *in, T *out, int keep, int lanes)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[index];
    __syncthreads();
    if (threadIdx.x % 32 < lanes) {
        out[index] = tile[threadIdx.x & keep];
    }
}

extern "C" __global__ void kept_pairs(const int2 *in, int2 *out, int keep, int lanes)
{
    extern __shared__ int2 kept_pair_tile[];
    read_kept(kept_pair_tile, in, out, keep, lanes);
}

extern "C" __global__ void kept_fours(const int4 *in, int4 *out, int keep, int lanes)
{
    extern __shared__ int4 kept_four_tile[];
    read_kept(kept_four_tile, in, out, keep, lanes);
}
