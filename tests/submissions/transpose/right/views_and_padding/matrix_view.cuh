/* A matrix on the device and how its elements are reached. */
#ifndef MATRIX_VIEW_CUH
#define MATRIX_VIEW_CUH

template <class T>
class matrix_view
{
    T *data;
    int rows, columns;

public:
    __device__ matrix_view(T *data, int rows, int columns)
        : data(data), rows(rows), columns(columns)
    {
    }
    __device__ bool has(int row, int column) const { return row < rows && column < columns; }
    __device__ T &operator()(int row, int column) const { return data[row * columns + column]; }
};

#endif
