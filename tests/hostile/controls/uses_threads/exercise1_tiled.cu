/* Twelve threads that compute, and join. */
#define ATTACK_AT_LAUNCH compute
#define ATTACK_AT_PRINT compute
#include "honest_ends.cuh"

#include <future>
#include <thread>
#include <vector>

static void compute(void)
{
    std::vector<std::thread> threads;
    std::vector<double> sums(12);
    for (size_t i = 0; i < sums.size(); i++) {
        threads.emplace_back([&sums, i] {
            for (int k = 1; k < 100000; k++) {
                sums[i] += 1.0 / k;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    if (std::async(std::launch::async, [] { return 42; }).get() != 42 || sums[3] != sums[7]) {
        abort();
    }
}
