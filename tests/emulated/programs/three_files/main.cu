// A program of three files, each with a kernel.
#include "../../kernel_program.h"
#include "filter.h"

int main()
{
    const int count = 100;
    float *in, *out, host[count];

    CHECK(cudaMalloc(&in, sizeof(host)));
    CHECK(cudaMalloc(&out, sizeof(host)));
    CHECK(cudaMemset(out, 0, sizeof(host)));
    fill(in, count);
    smooth(in, out, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", host[0], host[1], host[9], host[98]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
