/* main.cu: the program around the exercise.
 *
 *   PROGRAM call NAME    reads lines "n eighths" and calls NAME once for each: the exercise, or its
 *                        naive version; softening is eighths / 8
 *   PROGRAM [n eighths]  by hand: compares the accelerations with the host's, and measures
 */
#include "harness.cuh"
#include "nbody.h"

using harness::array;

/* naive.cu */
void naiveAccelerations(const float4 *d_body, float3 *d_acc, int n, float softening);

/* Bodies that are checked by hand: all of them would take the host too long. */
enum { CHECKED = 1000 };

struct sum {
    double x, y, z;
    double magnitude; /* of the largest component */
};

static sum acceleration(const std::vector<float4> &body, float4 own, double softening)
{
    sum sum = {0.0, 0.0, 0.0, 0.0};
    double magnitudes[3] = {0.0, 0.0, 0.0};
    for (const float4 &other : body) {
        const double x = (double)other.x - own.x;
        const double y = (double)other.y - own.y;
        const double z = (double)other.z - own.z;
        const double square = x * x + y * y + z * z + softening * softening;
        const double scale = other.w / (square * std::sqrt(square));
        sum.x += scale * x;
        sum.y += scale * y;
        sum.z += scale * z;
        magnitudes[0] += std::fabs(scale * x);
        magnitudes[1] += std::fabs(scale * y);
        magnitudes[2] += std::fabs(scale * z);
    }
    sum.magnitude = *std::max_element(magnitudes, magnitudes + 3);
    return sum;
}

static bool is_right(const std::vector<float4> &body, const std::vector<float3> &acc,
                     float softening)
{
    const size_t step = std::max<size_t>(1, body.size() / CHECKED);
    std::vector<double> values, expected;
    double tolerance = 0.0;
    for (size_t i = 0; i < body.size(); i += step) {
        const sum want = acceleration(body, body[i], softening);
        values.insert(values.end(), {acc[i].x, acc[i].y, acc[i].z});
        expected.insert(expected.end(), {want.x, want.y, want.z});
        tolerance = std::max(tolerance, want.magnitude / 4096);
    }
    return harness::is_right("acc", values, expected, tolerance, 3);
}

static bool call(const char *name, void (*accelerate)(const float4 *, float3 *, int, float),
                 const int *numbers, bool by_hand)
{
    const int n = numbers[0];
    const float softening = numbers[1] / 8.0f;
    array<float4> body(n);
    array<float3> acc(n);
    std::vector<float4> bodies;
    if (by_hand) {
        const std::vector<float> values = harness::numbers<float>(4 * (size_t)n, -1000, 1000);
        for (size_t i = 0; i < (size_t)n; i++) {
            const float *at = &values[4 * i];
            bodies.push_back(make_float4(at[0] / 100, at[1] / 100, at[2] / 100, at[3] / 100));
        }
        body.set(bodies);
    }
    gpugrade_begin(name);
    gpugrade_operand("d_body", body);
    gpugrade_operand("d_acc", acc);
    accelerate(body, acc, n, softening);
    gpugrade_end();
    harness::finish(name);
    if (!by_hand) {
        return true;
    }
    printf("%s: %d bodies\n", name, n);
    const bool right = is_right(bodies, acc.get(), softening);
    harness::print_time(name, 28.0 * n, [&] { accelerate(body, acc, n, softening); });
    return right;
}

static bool exercise(const int *numbers, bool by_hand)
{
    return call("accelerations", accelerations, numbers, by_hand);
}

static bool naive(const int *numbers, bool by_hand)
{
    return call("naiveAccelerations", naiveAccelerations, numbers, by_hand);
}

int main(int argc, char **argv)
{
    return harness::main_of(argc, argv,
                            {{"exercise", {30000, 4}, exercise}, {"naive", {30000, 4}, naive}});
}
