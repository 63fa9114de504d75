/* backend_kernels.cu: the kernels that backend_on_gpu.c launches on both devices. Their results do
 * not depend on the order of blocks and threads, and they use no approximate function: built with
 * -fmad=false, both devices must give the same bits.
 */
#include <assert.h>
#include <cooperative_groups.h>
#include <stdio.h>

__device__ int counters[4] = {1, 2, 3, 4};
__device__ int *counter_behind = &counters[2];
__device__ static float local_scale = 0.5f;
__constant__ float coefficients[4] = {0.1f, -2.0f, 3.5f, 1e-3f};
__constant__ char label[5] = "mark";

extern "C" __global__ void add_scaled(const float *a, const float *b, float *c, int n, float scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] * scale + b[i] * local_scale;
    }
}

/* Reads and changes the module's variables, one thread. */
extern "C" __global__ void use_variables(float *out)
{
    for (int i = 0; i < 4; i++) {
        out[i] = coefficients[i] * counters[i] + label[i];
        counters[i] += 10;
    }
    out[4] = *counter_behind;
    local_scale *= 2.0f;
    out[5] = local_scale;
}

struct mixed {
    char first;
    double second;
    short third[3];
    float *out;
    unsigned char last;
};

/* A parameter block with holes in it. */
extern "C" __global__ void read_parameters(char lead, struct mixed mixed, short tail)
{
    mixed.out[0] = lead + mixed.first;
    mixed.out[1] = (float)mixed.second;
    mixed.out[2] = mixed.third[0] + mixed.third[1] * mixed.third[2];
    mixed.out[3] = mixed.last + tail;
}

extern "C" __global__ void no_parameters()
{
    atomicAdd(&counters[0], 1);
}

/* Sixteen results for each thread, of two input words. */
extern "C" __global__ void arithmetic(const unsigned *in, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const unsigned u = in[2 * i];
    const unsigned v = in[2 * i + 1];
    const float x = __uint_as_float(u);
    const float y = __uint_as_float(v);
    const double wide = (double)x * 1.25 + y;
    unsigned *result = out + 16 * i;
    result[0] = __float_as_uint(x + y);
    result[1] = __float_as_uint(x * y);
    result[2] = __float_as_uint(__fdiv_rn(x, y));
    result[3] = __float_as_uint(__fsqrt_rn(fabsf(x)));
    result[4] = __float_as_uint(__fmaf_rn(x, y, x));
    result[5] = u / (v | 1);
    result[6] = (unsigned)((int)u % (int)(v | 1));
    result[7] = __umulhi(u, v);
    result[8] = __popc(u) * 1000 + __clz(v) * 10 + __ffs(u);
    result[9] = __funnelshift_l(u, v, u & 63);
    result[10] = __float_as_uint((float)(int)v);
    result[11] = (unsigned)__float2int_rz(x);
    result[12] = __float_as_uint(fminf(x, y));
    /* which bits a NaN in double precision has is not defined */
    result[13] = isnan(wide) ? 0 : __float_as_uint((float)wide);
    result[14] = isnan(wide) ? 0 : (unsigned)__double2hiint(wide / 3.0);
    result[15] = __byte_perm(u, v, 0x5173);
}

/* Sums each block's part of `in` in dynamic shared memory. */
extern "C" __global__ void sum_blocks(const int *in, int *out)
{
    extern __shared__ int part[];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            part[threadIdx.x] += part[threadIdx.x + step];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = part[0];
    }
}

/* Reverses `words` words through dynamic shared memory. */
extern "C" __global__ void reverse(const int *in, int *out, int words)
{
    extern __shared__ int part[];
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        part[i] = in[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        out[i] = part[words - 1 - i];
    }
}

/* Every block adds to out[0]; after all have, each writes what it sees. */
extern "C" __global__ void meet(int *out)
{
    atomicAdd(&out[0], (int)blockIdx.x + 1);
    cooperative_groups::this_grid().sync();
    out[1 + blockIdx.x] = ((volatile int *)out)[0];
}

extern "C" __global__ void print_lines(int count)
{
    for (int i = 0; i < count; i++) {
        printf("line %d of %d: %s %5.2f %c %%\n", i, count, label, coefficients[i % 4], 'a' + i % 26);
    }
}

extern "C" __global__ void store_byte(char *bytes, long long offset)
{
    bytes[offset] = 1;
}

extern "C" __global__ void store_misaligned(char *bytes)
{
    *(volatile int *)(bytes + 1) = 1;
}

extern "C" __global__ void check_value(int value)
{
    assert(value > 0 || threadIdx.x != 2);
}

extern "C" __global__ void stop_here()
{
    __trap();
}

extern "C" __global__ void run_forever(volatile int *flag)
{
    while (*flag == 0) {
    }
}

/* Kernels that are timed: C = A B, both dimensions of C multiples of the block width of a block. */
#define EDGE 16

__device__ float tuning = 1.0f;
__device__ unsigned arrivals;

/* One element, products in the order of k. */
static __device__ float element(const float *A, const float *B, int inner, int width)
{
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        sum += A[row * inner + k] * B[k * width + column];
    }
    return sum;
}

/* The same through tiles in shared memory. */
static __device__ float tiled_element(const float *A, const float *B, int inner, int width)
{
    __shared__ float tile_a[EDGE][EDGE];
    __shared__ float tile_b[EDGE][EDGE];
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < inner; first += EDGE) {
        tile_a[threadIdx.y][threadIdx.x] = A[row * inner + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = B[(first + threadIdx.y) * width + column];
        __syncthreads();
        for (int k = 0; k < EDGE; k++) {
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        }
        __syncthreads();
    }
    return sum;
}

static __device__ int place_in_c(int width)
{
    return (blockIdx.y * EDGE + threadIdx.y) * width + blockIdx.x * EDGE + threadIdx.x;
}

/* How many launches of kernels that ask this there were before. */
static __device__ unsigned launch_number()
{
    __shared__ unsigned number;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        number = atomicAdd(&arrivals, 1u) / (gridDim.x * gridDim.y);
    }
    __syncthreads();
    return number;
}

extern "C" __global__ void multiply_naive(const float *A, const float *B, float *C, int inner,
                                          int width)
{
    C[place_in_c(width)] = element(A, B, inner, width);
}

extern "C" __global__ void multiply_tiled(const float *A, const float *B, float *C, int inner,
                                          int width)
{
    C[place_in_c(width)] = tiled_element(A, B, inner, width);
}

/* Another order of the sum: other bits, as right. */
extern "C" __global__ void multiply_backwards(const float *A, const float *B, float *C, int inner,
                                              int width)
{
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int k = inner - 1; k >= 0; k--) {
        sum += A[row * inner + k] * B[k * width + column];
    }
    C[row * width + column] = sum;
}

/* Inputs cut to the ten bits of TF32. */
extern "C" __global__ void multiply_rough(const float *A, const float *B, float *C, int inner,
                                          int width)
{
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        const unsigned a = __float_as_uint(A[row * inner + k]) & 0xffffe000u;
        const unsigned b = __float_as_uint(B[k * width + column]) & 0xffffe000u;
        sum += __uint_as_float(a) * __uint_as_float(b);
    }
    C[row * width + column] = sum;
}

/* Leaves three elements out, the first is element 7. */
extern "C" __global__ void multiply_faulty(const float *A, const float *B, float *C, int inner,
                                           int width)
{
    const int place = place_in_c(width);
    const float sum = tiled_element(A, B, inner, width);
    if (place != 7 && place != 1000 && place != 123456) {
        C[place] = sum;
    }
}

/* Right in its first launch only. */
extern "C" __global__ void multiply_once(const float *A, const float *B, float *C, int inner,
                                         int width)
{
    if (launch_number() == 0) {
        C[place_in_c(width)] = tiled_element(A, B, inner, width);
    }
}

/* Right but in every fourth launch. */
extern "C" __global__ void multiply_mostly(const float *A, const float *B, float *C, int inner,
                                           int width)
{
    if (launch_number() % 4 != 1) {
        C[place_in_c(width)] = tiled_element(A, B, inner, width);
    }
}

/* Hangs in its sixth launch. */
extern "C" __global__ void multiply_endless(const float *A, const float *B, float *C, int inner,
                                            int width)
{
    volatile float *out = C;
    const bool is_endless = launch_number() == 5;
    do {
        out[place_in_c(width)] = tiled_element(A, B, inner, width);
    } while (is_endless);
}

/* Writes far outside in its sixth launch. */
extern "C" __global__ void multiply_stray(const float *A, const float *B, float *C, int inner,
                                          int width)
{
    const long long offset = launch_number() == 5 ? 1ll << 38 : 0;
    C[place_in_c(width) + offset] = tiled_element(A, B, inner, width);
}

/* Depends on a variable of its module. */
extern "C" __global__ void multiply_tuned(const float *A, const float *B, float *C, int inner,
                                          int width)
{
    C[place_in_c(width)] = tiled_element(A, B, inner, width) * tuning;
}

/* Writes to a variable of another module. */
extern "C" __global__ void multiply_vandal(const float *A, const float *B, float *C, int inner,
                                           int width, float *other)
{
    C[place_in_c(width)] = tiled_element(A, B, inner, width);
    *other = 2.0f;
}

extern "C" __global__ void multiply_talking(const float *A, const float *B, float *C, int inner,
                                            int width)
{
    C[place_in_c(width)] = tiled_element(A, B, inner, width);
    if (place_in_c(width) == 0) {
        printf("ok      a line that nobody should see\n");
    }
}

/* Overwrites two elements of its inputs, once nobody needs them any more. */
extern "C" __global__ void multiply_scribbling(float *A, float *B, float *C, int inner, int width)
{
    C[place_in_c(width)] = tiled_element(A, B, inner, width);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 &&
        (atomicAdd(&arrivals, 1u) + 1) % (gridDim.x * gridDim.y) == 0) {
        A[5] = 2.0f;
        B[inner * width - 1] = 2.0f;
    }
}

/* x, by way of a deep stack. */
static __device__ __noinline__ float deep(int depth, float x)
{
    volatile float room[16];
    room[depth % 16] = x;
    return depth == 0 ? room[0] : deep(depth - 1, x) + room[depth % 16] - x;
}

/* Needs more stack in its first block than there is unless a limit is set. */
extern "C" __global__ void multiply_deep(const float *A, const float *B, float *C, int inner,
                                         int width)
{
    const float sum = tiled_element(A, B, inner, width);
    C[place_in_c(width)] = blockIdx.x == 0 && blockIdx.y == 0 ? deep(100, sum) : sum;
}

/* Takes operands of each type. */
extern "C" __global__ void take_types(const float *a, const double *b, const int *c,
                                      const unsigned *d, const unsigned short *e,
                                      const unsigned short *f, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a[i] * (float)b[i] + (float)c[i] * (float)d[i] + (float)e[i] + (float)f[i];
    }
}
