/* shuffle.c: see shuffle.h. The order is that of the multiples of a step that has no factor in
 * common with the count, from some beginning on.
 */
#include "device/emulated/exec/shuffle.h"

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t shuffle_seed(uint64_t seed, uint64_t number)
{
    uint64_t mixed = seed + number * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return seed == 0 ? 0 : (mixed ^ mixed >> 31) | 1;
}

uint64_t shuffle_index(uint64_t seed, uint64_t index, uint64_t count)
{
    __extension__ typedef unsigned __int128 product;
    if (seed == 0 || count < 2) {
        return index;
    }
    uint64_t step = 1 + shuffle_seed(seed, 1) % (count - 1);
    while (common_factor(step, count) != 1) {
        step--;
    }
    return (uint64_t)(((product)step * index + shuffle_seed(seed, 2) % count) % count);
}
