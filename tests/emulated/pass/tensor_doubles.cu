/* mma.sync of f64 in the shapes that compute capability 9.0 adds. "arch: compute_90" */
#include "../kernel_program.h"

#define ROWS 32
#define LANES 32

template <int K> __global__ void multiply(const double *in, double *out)
{
    double a[8], b[4], c[4], d[4];
    const double *row = in + blockIdx.x * 16 * LANES + threadIdx.x;
    for (int i = 0; i < 8; i++) {
        a[i] = row[i * LANES];
    }
    for (int i = 0; i < 4; i++) {
        b[i] = row[(8 + i) * LANES];
        c[i] = row[(12 + i) * LANES];
    }
    if (K == 4) {
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                     "{%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(b[0]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
    } else if (K == 8) {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), "d"(c[0]),
                       "d"(c[1]), "d"(c[2]), "d"(c[3]));
    } else {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
                     "{%16, %17, %18, %19};"
                     : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                     : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                       "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]),
                       "d"(c[2]), "d"(c[3]));
    }
    for (int i = 0; i < 4; i++) {
        out[(blockIdx.x * 4 + i) * LANES + threadIdx.x] = d[i];
    }
}

int main()
{
    const size_t count = ROWS * 16 * LANES;
    double *host = (double *)malloc(count * sizeof *host);
    double *in = nullptr;
    double *out = new_output<double>(ROWS * 4 * LANES);
    for (size_t i = 0; i < count; i++) {
        host[i] = (input_value(i) - 125.0) / (1.0 + input_value(i + 7)) * (i % 5 == 0 ? 1e9 : 1);
    }
    CHECK(cudaMalloc(&in, count * sizeof *host));
    CHECK(cudaMemcpy(in, host, count * sizeof *host, cudaMemcpyHostToDevice));
    multiply<4><<<ROWS, LANES>>>(in, out);
    print_result("tensor_doubles, k4", out, ROWS * 4 * LANES);
    multiply<8><<<ROWS, LANES>>>(in, out);
    print_result("tensor_doubles, k8", out, ROWS * 4 * LANES);
    multiply<16><<<ROWS, LANES>>>(in, out);
    print_result("tensor_doubles, k16", out, ROWS * 4 * LANES);
    free(host);
    return 0;
}
