/* A computation at compile time that does not end in time. */
#include "honest_ends.cuh"

constexpr unsigned long long turn(unsigned long long depth, unsigned long long seed)
{
    unsigned long long sum = seed;
    for (unsigned long long i = 0; i < 250000; i++) {
        sum = sum * 6364136223846793005ull + i;
    }
    return depth == 0 ? sum : turn(depth - 1, sum) + turn(depth - 1, sum + 1);
}
constexpr unsigned long long planted = turn(400, 1);
static_assert(planted != 0, "");
