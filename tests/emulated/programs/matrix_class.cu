// A class that owns device memory, with operators, exceptions and streams: kernels get views.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

void check(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        throw std::runtime_error(std::string(call) + " in line " + std::to_string(line) + ": " +
                                 cudaGetErrorString(error));
    }
}
#define CHECK(call) check((call), #call, __LINE__)

template <typename T> struct View {
    T *values;
    int rows, columns;
    __device__ T &operator()(int row, int column) const { return values[row * columns + column]; }
};

template <typename T, int EDGE>
__global__ void product(View<const T> a, View<const T> b, View<T> c)
{
    __shared__ T left[EDGE][EDGE + 1];
    __shared__ T right[EDGE][EDGE + 1];
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    T sum{};
    for (int first = 0; first < a.columns; first += EDGE) {
        left[threadIdx.y][threadIdx.x] = a(row, first + threadIdx.x);
        right[threadIdx.y][threadIdx.x] = b(first + threadIdx.y, column);
        __syncthreads();
        for (int k = 0; k < EDGE; ++k) {
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        }
        __syncthreads();
    }
    c(row, column) = sum;
}

template <typename T> class Matrix {
public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns)
    {
        T *memory = nullptr;
        CHECK(cudaMalloc(&memory, bytes()));
        memory_.reset(memory);
    }

    Matrix(int rows, int columns, const std::vector<T> &values) : Matrix(rows, columns)
    {
        CHECK(cudaMemcpy(memory_.get(), values.data(), bytes(), cudaMemcpyHostToDevice));
    }

    std::vector<T> host() const
    {
        std::vector<T> values(rows_ * columns_);
        CHECK(cudaMemcpy(values.data(), memory_.get(), bytes(), cudaMemcpyDeviceToHost));
        return values;
    }

    View<T> view() { return {memory_.get(), rows_, columns_}; }
    View<const T> view() const { return {memory_.get(), rows_, columns_}; }

    Matrix operator*(const Matrix &right) const
    {
        constexpr int EDGE = 4;
        if (columns_ != right.rows_ || rows_ % EDGE != 0 || columns_ % EDGE != 0) {
            throw std::invalid_argument("sizes do not fit");
        }
        Matrix result(rows_, right.columns_);
        product<T, EDGE><<<dim3(right.columns_ / EDGE, rows_ / EDGE), dim3(EDGE, EDGE)>>>(
            view(), right.view(), result.view());
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        return result;
    }

private:
    struct Free {
        void operator()(T *memory) const { cudaFree(memory); }
    };
    std::size_t bytes() const { return sizeof(T) * rows_ * columns_; }

    int rows_, columns_;
    std::unique_ptr<T, Free> memory_;
};

template <typename T> void show(const char *name)
{
    std::vector<T> numbers(8 * 12);
    std::iota(numbers.begin(), numbers.end(), T(1));
    const Matrix<T> a(8, 12, numbers), b(12, 8, numbers);
    auto start = std::chrono::steady_clock::now();
    Matrix<T> c = a * b;
    auto nanoseconds = std::chrono::steady_clock::now() - start;
    const Matrix<T> moved = std::move(c);
    const auto values = (moved * a).host();
    std::printf("%s: first %.0f, last %.0f, sum %.0f%s\n", name, double(values.front()),
                double(values.back()), std::accumulate(values.begin(), values.end(), 0.0),
                nanoseconds.count() > 0 ? "" : ", in no time");
}

} // namespace

int main()
try {
    show<float>("float");
    show<double>("double");
    show<int>("int");
    const Matrix<float> a(8, 12), b(8, 12);
    try {
        a *b;
    } catch (const std::invalid_argument &error) {
        std::printf("%s\n", error.what());
    }
} catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return 1;
}
