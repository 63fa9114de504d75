/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME    reads lines "n chunks" and calls NAME once for each: the exercise, or its
 *                        naive version
 *   PROGRAM [n chunks]   by hand: compares the result with the host's, and measures
 */
#include "harness.cuh"
#include "streams.h"

/* naive.cu */
void naiveProcess(const float *h_in, float *h_out, int n, int chunks);

/* An array in pinned host memory, a whole allocation. */
class pinned
{
  public:
    explicit pinned(size_t count) : count_(count)
    {
        void *made = nullptr;
        harness::check(cudaMallocHost(&made, count * sizeof(float)), "cudaMallocHost");
        values_ = static_cast<float *>(made);
    }
    pinned(const pinned &) = delete;
    pinned &operator=(const pinned &) = delete;
    ~pinned()
    {
        harness::check(cudaFreeHost(values_), "cudaFreeHost");
    }
    operator float *() const
    {
        return values_;
    }
    void set(const std::vector<float> &values)
    {
        std::copy(values.begin(), values.end(), values_);
    }
    std::vector<float> get() const
    {
        return std::vector<float>(values_, values_ + count_);
    }

  private:
    float *values_;
    size_t count_;
};

static bool call(const char *name, void (*process)(const float *, float *, int, int),
                 const int *numbers, bool by_hand)
{
    const int n = numbers[0];
    const int chunks = numbers[1];
    const std::vector<float> before = harness::numbers<float>(by_hand ? n : 0, 0, 1000000);
    pinned in(n), out(n);
    in.set(before);
    gpugrade_begin(name);
    gpugrade_operand("h_in", in);
    gpugrade_operand("h_out", out);
    process(in, out, n, chunks);
    gpugrade_end();
    /* The result must be complete without this; it only looks for errors. */
    const std::vector<float> after = by_hand ? out.get() : std::vector<float>();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    std::vector<float> expected(n);
    for (int i = 0; i < n; i++) {
        expected[i] = std::sqrt(before[i]) * 2.0f + 1.0f;
    }
    printf("%s: %d elements in %d chunks\n", name, n, chunks);
    const bool is_right = harness::is_right("out", after, expected, 0.001);
    harness::print_time(name, 8.0 * n, [&] { process(in, out, n, chunks); });
    return is_right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("process", process, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveProcess", naiveProcess, numbers, by_hand);
}

int main(int argc, char **argv)
{
    return harness::main_of(
        argc, argv, {{"exercise", {10000000, 8}, exercise}, {"naive", {10000000, 8}, naive}});
}
