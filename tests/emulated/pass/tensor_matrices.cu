/* ldmatrix of one, two and four matrices, as they lie and transposed, from rows that lie apart, and
 * movmatrix. "arch: compute_80" */
#include "../kernel_program.h"

#define LANES 32
#define PITCH 24 /* halves */

__global__ void load_matrices(const uint16_t *in, uint32_t *out)
{
    __shared__ __align__(16) uint16_t tile[LANES * PITCH];
    const int tx = threadIdx.x;
    uint32_t r[15];
    for (int i = tx; i < LANES * PITCH; i += LANES) {
        tile[i] = in[i];
    }
    __syncthreads();
    uint32_t row = (uint32_t)__cvta_generic_to_shared(&tile[tx * PITCH + tx % 3 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[1]), "=r"(r[2])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r[7])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[8]), "=r"(r[9])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13])
                 : "r"(row));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[14]) : "r"(r[3]));
    for (int i = 0; i < 15; i++) {
        out[i * LANES + tx] = r[i];
    }
}

int main()
{
    uint16_t *in = new_input<uint16_t>(LANES * PITCH);
    uint32_t *out = new_output<uint32_t>(15 * LANES);
    load_matrices<<<1, LANES>>>(in, out);
    print_result("tensor_matrices", out, 15 * LANES);
    return 0;
}
