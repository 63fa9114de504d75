#include <cstdio>
#include <cstring>

__global__ void combine(float a, float b, bool divides, float *result)
{
    *result = divides ? a / b : a + b;
}

int main(int argc, char **argv)
{
    const bool divides = argc > 1 && strcmp(argv[1], "divide") == 0;
    const bool writes = argc > 1 && strcmp(argv[1], "write") == 0;
    float a = 0, b = 0, result = 0;
    float *d_result = nullptr;

    FILE *in = argc > 1 && strcmp(argv[1], "read") == 0 ? fopen("numbers.txt", "r") : stdin;
    if (in == nullptr || fscanf(in, "%f %f", &a, &b) != 2) {
        return 1;
    }
    cudaMalloc(&d_result, sizeof *d_result);
    combine<<<1, 1>>>(a, b, divides, d_result);
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(d_result);
    FILE *out = writes ? fopen("sum.txt", "w") : stdout;
    if (out == nullptr) {
        return 1;
    }
    fprintf(out, divides ? "the quotient is %.7g\n" : "the sum is %g\n", result);
    return fclose(out) == 0 ? 0 : 1;
}
