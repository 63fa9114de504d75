#include "spmv.h"

#include <vector>

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    std::vector<int> start(rows + 1);
    cudaMemcpy(start.data(), d_row_start, start.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const int elements = start[rows];
    std::vector<int> column(elements);
    std::vector<float> value(elements), y(rows);
    cudaMemcpy(column.data(), d_column, elements * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(value.data(), d_value, elements * sizeof(float), cudaMemcpyDeviceToHost);
    int columns = 0;
    for (int one : column) {
        columns = one >= columns ? one + 1 : columns;
    }
    std::vector<float> x(columns);
    cudaMemcpy(x.data(), d_x, columns * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; row++) {
        for (int k = start[row]; k < start[row + 1]; k++) {
            y[row] += value[k] * x[column[k]];
        }
    }
    cudaMemcpy(d_y, y.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
}
