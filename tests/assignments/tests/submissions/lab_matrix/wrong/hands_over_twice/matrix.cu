/* It hands its result over again, as if it had another try. */
#include <wb.h>

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < rows && column < columns) {
        float sum = 0;
        for (int k = 0; k < inner; k++) {
            sum += a[row * inner + k] * b[k * columns + column];
        }
        c[row * columns + column] = sum;
    }
}

int main(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int rows, inner, columns;
    float *a = (float *)wbImport(wbArg_getInputFile(args, 0), &rows, &inner);
    float *b = (float *)wbImport(wbArg_getInputFile(args, 1), &inner, &columns);
    size_t bytes = (size_t)rows * columns * sizeof(float);
    float *c = (float *)malloc(bytes);
    float *d_a, *d_b, *d_c;

    cudaMalloc((void **)&d_a, (size_t)rows * inner * sizeof(float));
    cudaMalloc((void **)&d_b, (size_t)inner * columns * sizeof(float));
    cudaMalloc((void **)&d_c, bytes);
    cudaMemcpy(d_a, a, (size_t)rows * inner * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, (size_t)inner * columns * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, rows,
                                                                           inner, columns);
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    wbSolution(args, c, rows, columns);
    c[0] += 1;
    wbSolution(args, c, rows, columns);
    return 0;
}
