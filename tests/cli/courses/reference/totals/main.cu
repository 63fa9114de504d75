#include "gpugrade.h"
#include "totals.h"

#include <cstdio>
#include <cstdlib>

int main()
{
    char line[100];

    while (fgets(line, sizeof line, stdin) != nullptr) {
        const int n = atoi(line);
        int *d_in = nullptr, *d_out = nullptr;
        cudaMalloc(&d_in, n * sizeof(int));
        cudaMalloc(&d_out, n * sizeof(int));
        gpugrade_begin("totals");
        gpugrade_operand("d_in", d_in);
        gpugrade_operand("d_out", d_out);
        totals(d_in, d_out, n);
        gpugrade_end();
        cudaFree(d_in);
        cudaFree(d_out);
    }
    return 0;
}
