/* stmatrix of one, two and four matrices, as they lie and transposed, to rows that lie apart.
 * "arch: compute_90" */
#include "../kernel_program.h"

#define LANES 32
#define PITCH 24 /* halves */
#define FORMS 6

__global__ void store_matrices(const uint32_t *in, uint16_t *out)
{
    __shared__ __align__(16) uint16_t tile[FORMS][LANES * PITCH];
    const int tx = threadIdx.x;
    uint32_t r[4], row[FORMS];
    for (int i = tx; i < FORMS * LANES * PITCH; i += LANES) {
        tile[0][i] = 0;
    }
    for (int i = 0; i < 4; i++) {
        r[i] = in[i * LANES + tx] * 0x101 + tx * 0x10000;
    }
    for (int i = 0; i < FORMS; i++) {
        row[i] = (uint32_t)__cvta_generic_to_shared(&tile[i][tx * PITCH + tx % 3 * 8]);
    }
    __syncthreads();
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row[0]), "r"(r[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(row[1]),
                 "r"(r[0]), "r"(r[1]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row[2]),
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(row[3]),
                 "r"(r[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row[4]),
                 "r"(r[0]), "r"(r[1]));
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row[5]),
        "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
    __syncthreads();
    for (int i = tx; i < FORMS * LANES * PITCH; i += LANES) {
        out[i] = tile[0][i];
    }
}

int main()
{
    uint32_t *in = new_input<uint32_t>(4 * LANES);
    uint16_t *out = new_output<uint16_t>(FORMS * LANES * PITCH);
    store_matrices<<<1, LANES>>>(in, out);
    print_result("tensor_stores", out, FORMS * LANES * PITCH);
    return 0;
}
