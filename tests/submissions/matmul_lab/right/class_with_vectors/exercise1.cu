// A class around the device, std::vector for the host, std::chrono for the time, exceptions.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#define A_WIDTH 384
#define A_HEIGHT 192
#define B_WIDTH 576
#define B_HEIGHT A_WIDTH
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
#define BLOCK_SIZE 16

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[C_HEIGHT][C_WIDTH];

namespace {

void require(cudaError_t error, const std::string &what)
{
    if (error != cudaSuccess) {
        throw std::runtime_error(what + ": " + cudaGetErrorString(error));
    }
}

class HostMatrix {
public:
    HostMatrix(std::size_t rows, std::size_t columns) : columns_(columns), values_(rows * columns) {}

    float &operator()(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
    float operator()(std::size_t row, std::size_t column) const
    {
        return values_[row * columns_ + column];
    }
    float *data() { return values_.data(); }
    std::size_t bytes() const { return values_.size() * sizeof(float); }
    void fill() { std::iota(values_.begin(), values_.end(), 1.0f); }

private:
    std::size_t columns_;
    std::vector<float> values_;
};

class Event {
public:
    Event() { require(cudaEventCreate(&event_), "an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    void record() { require(cudaEventRecord(event_), "recording"); }
    float since(const Event &start) const
    {
        float milliseconds = 0;
        require(cudaEventSynchronize(event_), "waiting");
        require(cudaEventElapsedTime(&milliseconds, start.event_, event_), "the time");
        return milliseconds;
    }

private:
    cudaEvent_t event_{};
};

} // namespace

class Multiplier {
public:
    static __device__ void run();
    void upload(HostMatrix &a, HostMatrix &b)
    {
        require(cudaMemcpyToSymbol(d_A, a.data(), a.bytes()), "A");
        require(cudaMemcpyToSymbol(d_B, b.data(), b.bytes()), "B");
    }
    float launch();
    void download(HostMatrix &c) { require(cudaMemcpyFromSymbol(c.data(), d_C, c.bytes()), "C"); }
    double occupancy() const;

private:
    const dim3 block_{BLOCK_SIZE, BLOCK_SIZE};
    const dim3 grid_{C_WIDTH / BLOCK_SIZE, C_HEIGHT / BLOCK_SIZE};
};

__device__ void Multiplier::run()
{
    __shared__ float a[BLOCK_SIZE][BLOCK_SIZE], b[BLOCK_SIZE][BLOCK_SIZE];
    auto y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned first = 0; first < A_WIDTH; first += blockDim.x) {
        a[threadIdx.y][threadIdx.x] = d_A[y][first + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[first + threadIdx.y][x];
        __syncthreads();
        for (unsigned k = 0; k < blockDim.x; k++) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[y][x] = sum;
}

__global__ void entry()
{
    Multiplier::run();
}

float Multiplier::launch()
{
    Event start, stop;
    start.record();
    entry<<<grid_, block_>>>();
    require(cudaGetLastError(), "the launch");
    stop.record();
    return stop.since(start);
}

double Multiplier::occupancy() const
{
    int blocks = 0, device = 0;
    require(cudaGetDevice(&device), "the device");
    auto properties = std::make_unique<cudaDeviceProp>();
    require(cudaGetDeviceProperties(properties.get(), device), "properties");
    const int threads = static_cast<int>(block_.x * block_.y);
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry, threads, 0), "occupancy");
    return double(blocks * threads) / properties->maxThreadsPerMultiProcessor;
}

int main()
try {
    HostMatrix a(A_HEIGHT, A_WIDTH), b(B_HEIGHT, B_WIDTH), c(C_HEIGHT, C_WIDTH);
    a.fill();
    b.fill();
    Multiplier multiplier;
    multiplier.upload(a, b);
    const auto begin = std::chrono::steady_clock::now();
    const float milliseconds = multiplier.launch();
    const auto end = std::chrono::steady_clock::now();
    multiplier.download(c);
    std::cout << "kernel " << milliseconds << " ms, host waited "
              << std::chrono::duration<double, std::milli>(end - begin).count() << " ms\n";

    float worst = 0;
    for (std::size_t row = 0; row < C_HEIGHT; row += 7) {
        for (std::size_t column = 0; column < C_WIDTH; column += 5) {
            double sum = 0;
            for (std::size_t k = 0; k < A_WIDTH; k++) {
                sum += double(a(row, k)) * b(k, column);
            }
            worst = std::max(worst, float(std::abs(c(row, column) - sum) / sum));
        }
    }
    std::cout << "worst relative error " << worst << "\n"
              << std::fixed << std::setprecision(3) << "Occupancy: " << multiplier.occupancy()
              << std::endl;
    return worst < 1e-4f ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &error) {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
}
