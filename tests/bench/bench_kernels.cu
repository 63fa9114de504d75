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

/* What a unit of work costs: kernels that do one thing 16 times in each round of a loop. `at` is a
 * word of the thread's own in global memory, `near` one for all, `tile` one in shared memory. */
#define TWICE(...) __VA_ARGS__ __VA_ARGS__
#define UNIT(NAME, ...)                                                                            \
    extern "C" __global__ void unit_##NAME(unsigned *near, int rounds)                             \
    {                                                                                              \
        __shared__ unsigned shared[256];                                                           \
        unsigned *at = near + 2 * threadIdx.x;                                                     \
        unsigned *tile = shared + threadIdx.x;                                                     \
        const unsigned tile_at = (unsigned)__cvta_generic_to_shared(tile);                         \
        const unsigned low = threadIdx.x < 16;                                                     \
        unsigned a = threadIdx.x, b = 3, c = 0;                                                    \
        unsigned long long d = 7, e = threadIdx.x;                                                 \
        float f = 1.5f, g = 0.5f;                                                                  \
        double x = 1.5, y = 0.5;                                                                   \
        *tile = a;                                                                                 \
        for (int i = 0; i < rounds; i++) {                                                         \
            TWICE(TWICE(TWICE(TWICE(__VA_ARGS__))))                                                \
        }                                                                                          \
        *at = a + b + c + (unsigned)d + (unsigned)e + *tile + tile_at + low + (unsigned)(f + g) +  \
              (unsigned)(x + y);                                                                   \
    }

static __device__ __noinline__ unsigned next(unsigned value)
{
    return value > 1 << 20 ? 3 * next(value / 2) : value + 1; /* a function that calls is no copy */
}

UNIT(add, asm volatile("add.u32 %0, %0, %1;" : "+r"(a) : "r"(b));)
UNIT(multiply_64, asm volatile("mul.lo.u64 %0, %0, %1;" : "+l"(e) : "l"(d));)
UNIT(fma, asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(g));)
UNIT(fma_double, asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(y));)
UNIT(compare, asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1;}" : : "r"(a), "r"(b));)
UNIT(select, asm volatile("{.reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, %1, %2, p;}"
                          : "=r"(c) : "r"(a), "r"(b));)
UNIT(divide_integers, asm volatile("div.u32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));)
UNIT(remainder_64, asm volatile("rem.u64 %0, %1, %2;" : "=l"(e) : "l"(e), "l"(d));)
UNIT(divide, asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(f) : "f"(f), "f"(g));)
UNIT(divide_double, asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(x) : "d"(x), "d"(y));)
UNIT(square_root, asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(f) : "f"(g));)
UNIT(sine, asm volatile("sin.approx.f32 %0, %1;" : "=f"(f) : "f"(g));)
UNIT(exponential, asm volatile("ex2.approx.f32 %0, %1;" : "=f"(f) : "f"(g));)
UNIT(add_rounded_up, asm volatile("add.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(f), "f"(g));)
UNIT(fma_rounded_up, asm volatile("fma.rp.f64 %0, %1, %2, %2;" : "=d"(x) : "d"(x), "d"(y));)
UNIT(convert, asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(c) : "f"(f));)
UNIT(convert_half, asm volatile("{.reg .b16 h; cvt.rn.f16.f32 h, %0;}" : : "f"(f));)
UNIT(count_bits, asm volatile("popc.b32 %0, %1;" : "=r"(c) : "r"(a));)
UNIT(carry, asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(a) : "r"(b));)
UNIT(load, asm volatile("ld.global.u32 %0, [%1];" : "=r"(c) : "l"(at));)
UNIT(load_64, asm volatile("ld.global.u64 %0, [%1];" : "=l"(e) : "l"(at));)
UNIT(load_byte, asm volatile("ld.global.u8 %0, [%1];" : "=r"(c) : "l"(at));)
UNIT(load_volatile, asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(c) : "l"(near));)
UNIT(load_acquire, asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(c) : "l"(near));)
UNIT(store, asm volatile("st.global.u32 [%0], %1;" : : "l"(at), "r"(a));)
UNIT(load_local, asm volatile("{.local .b32 own[4]; ld.local.u32 %0, [own];}" : "=r"(c));)
UNIT(store_local, asm volatile("{.local .b32 own[4]; st.local.u32 [own], %0;}" : : "r"(a));)
UNIT(load_shared, asm volatile("ld.shared.u32 %0, [%1];" : "=r"(c) : "r"(tile_at));)
UNIT(store_shared, asm volatile("st.shared.u32 [%0], %1;" : : "r"(tile_at), "r"(a));)
UNIT(poll_shared, asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(c) : "r"(tile_at));)
UNIT(atomic_near, asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(c) : "l"(near));)
UNIT(atomic, asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(c) : "l"(at));)
UNIT(atomic_shared, asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(c) : "r"(tile_at));)
UNIT(fence, __threadfence();)
UNIT(barrier, __syncthreads();)
UNIT(barrier_of_warp, __syncwarp();)
UNIT(shuffle, a = __shfl_xor_sync(~0u, a, 1);)
UNIT(vote, a += __ballot_sync(~0u, a & 1);)
UNIT(match, asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(c) : "r"(b));)
UNIT(clock, c = (unsigned)clock();)
UNIT(timer, asm volatile("mov.u64 %0, %globaltimer;" : "=l"(e));)
UNIT(sleep, __nanosleep(20);)
UNIT(branch_in_halves, asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p bra OVER%=;\n"
                                    "add.u32 %0, %0, 1; OVER%=:}" : "+r"(a) : "r"(low));)
UNIT(branch_lane_by_lane, for (c = threadIdx.x % 32; c > 0; c--) { asm volatile(""); })
UNIT(call, a = next(a);)
UNIT(heap, free(malloc(16));)
