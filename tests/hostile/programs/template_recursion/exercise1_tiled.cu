/* Templates that need twice as many of themselves at each step. */
#include "honest_ends.cuh"

template <int N, int M> struct tree {
    static constexpr long value = tree<N - 1, 2 * M>::value + tree<N - 1, 2 * M + 1>::value;
};
template <int M> struct tree<0, M> {
    static constexpr long value = M;
};
static const long planted = tree<28, 1>::value;
