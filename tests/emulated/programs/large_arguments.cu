// Arguments of all kinds: large structs, arrays in structs, templates, classes that own memory.
#include "../kernel_program.h"

#include <memory>
#include <vector>

struct table {
    double factors[400];
    short steps[7];
    char last;
};

struct matrix {
    float *values;
    int rows, columns;

    __device__ float &at(int row, int column) const
    {
        return values[row * columns + column];
    }
};

__constant__ float taps[5];

__global__ void use_table(table all, double *out)
{
    int i = threadIdx.x;

    out[i] = all.factors[i] * all.steps[i % 7] + all.last;
}

__global__ void multiply(matrix a, matrix b, matrix c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < c.rows && column < c.columns) {
        float sum = 0;
        for (int k = 0; k < a.columns; k++) {
            sum += a.at(row, k) * b.at(k, column);
        }
        c.at(row, column) = sum;
    }
}

template <typename T, int RADIUS> __global__ void convolve(const T *in, T *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        T sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) {
            sum += i + k < 0 || i + k >= count ? T(0) : in[i + k] * T(taps[k + RADIUS]);
        }
        out[i] = sum;
    }
}

template <typename T> class device_array {
public:
    explicit device_array(size_t count) : count_(count)
    {
        CHECK(cudaMalloc(&values_, count * sizeof(T)));
    }
    explicit device_array(const std::vector<T> &from) : device_array(from.size())
    {
        CHECK(cudaMemcpy(values_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~device_array()
    {
        cudaFree(values_);
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    T *get() const
    {
        return values_;
    }
    std::vector<T> fetch() const
    {
        std::vector<T> out(count_);
        CHECK(cudaMemcpy(out.data(), values_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    T *values_ = nullptr;
    size_t count_;
};

class step {
public:
    virtual ~step() = default;
    virtual void run(const float *in, float *out, int count) const = 0;
};

class smooth : public step {
public:
    void run(const float *in, float *out, int count) const override
    {
        convolve<float, 2><<<(count + 63) / 64, 64>>>(in, out, count);
    }
};

class sharpen : public step {
public:
    void run(const float *in, float *out, int count) const override
    {
        convolve<float, 1><<<(count + 63) / 64, 64>>>(in, out, count);
    }
};

int main()
{
    table all = {};
    for (int i = 0; i < 400; i++) {
        all.factors[i] = i / 4.0;
    }
    for (int i = 0; i < 7; i++) {
        all.steps[i] = (short)(i - 3);
    }
    all.last = 2;
    device_array<double> doubles(400);
    use_table<<<1, 400>>>(all, doubles.get());
    std::vector<double> results = doubles.fetch();
    printf("table: %g %g\n", results[0], results[399]);

    std::vector<float> a(12), b(20), c;
    for (int i = 0; i < 20; i++) {
        b[i] = i;
        if (i < 12) {
            a[i] = i;
        }
    }
    device_array<float> device_a(a), device_b(b), device_c(15);
    multiply<<<1, dim3(8, 8)>>>(matrix{device_a.get(), 3, 4}, matrix{device_b.get(), 4, 5},
                                matrix{device_c.get(), 3, 5});
    c = device_c.fetch();
    printf("product: %g %g %g\n", c[0], c[7], c[14]);

    const float weights[5] = {1, 2, 3, 2, 1};
    const int count = 500;
    CHECK(cudaMemcpyToSymbol(taps, weights, sizeof(weights)));
    std::vector<float> line(count);
    for (int i = 0; i < count; i++) {
        line[i] = input_value(i);
    }
    device_array<float> in(line), out(count);
    std::vector<std::unique_ptr<step>> steps;
    steps.emplace_back(new smooth);
    steps.emplace_back(new sharpen);
    steps[0]->run(in.get(), out.get(), count);
    steps[1]->run(out.get(), in.get(), count);
    std::vector<float> smoothed = out.fetch(), sharpened = in.fetch();
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        float sum = 0, sharp = 0;
        for (int k = -2; k <= 2; k++) {
            sum += i + k < 0 || i + k >= count ? 0 : line[i + k] * weights[k + 2];
        }
        for (int k = -1; k <= 1; k++) {
            sharp += i + k < 0 || i + k >= count ? 0 : smoothed[i + k] * weights[k + 1];
        }
        wrong += smoothed[i] != sum || sharpened[i] != sharp;
    }
    printf("convolved: %d wrong\n", wrong);
    return 0;
}
