/* random_sequences.h: the sequences of cuRAND's generators on the host, as its host API orders
 * them.
 *
 * A generator is a ring of lanes, each with a subsequence of its own. A draw takes the next lane
 * and gives `width` results in a row, all from that lane. So what one result is depends on how
 * many there were before, and not on how they were divided into calls:
 *
 *              lanes   results of a draw
 *   XORWOW      4096   1, or a normal pair
 *   MRG32k3a   81920   1, or a normal pair (4096 lanes in the legacy order)
 *   Philox     65536   4 */
#ifndef GPUGRADE_LIBRARIES_RANDOM_SEQUENCES_H
#define GPUGRADE_LIBRARIES_RANDOM_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum random_kind { RANDOM_XORWOW, RANDOM_MRG32K3A, RANDOM_PHILOX };

/* What is drawn; `mean` and `deviation` are of normal numbers, and `mean` is of Poisson ones. */
enum random_what {
    RANDOM_BITS,           /* uint32_t */
    RANDOM_POISSON,        /* uint32_t; cuRAND's distribution, not its numbers */
    RANDOM_UNIFORM,        /* float in (0, 1] */
    RANDOM_UNIFORM_DOUBLE, /* double */
    RANDOM_NORMAL,
    RANDOM_NORMAL_DOUBLE,
    RANDOM_LOG_NORMAL,
    RANDOM_LOG_NORMAL_DOUBLE,
};
struct random_wish {
    enum random_what what;
    double mean, deviation;
};

struct random_lane {
    uint32_t words[6]; /* XORWOW: five shifted ones and the counter; MRG32k3a: two times three;
                          Philox: the counter of 128 bits, how many of its four words are used */
};

struct random_ring {
    enum random_kind kind;
    uint64_t seed;
    uint64_t offset; /* results that are left out at the start */
    bool is_legacy;
    struct random_lane *lanes; /* [lane_count], owned; NULL: the next draw makes them */
    size_t lane_count;
    size_t next;     /* the lane of the next draw */
    unsigned inside; /* Philox: results of that draw that are already out */
};

/* True for what comes in pairs, which XORWOW and MRG32k3a cannot divide. */
bool random_is_paired(enum random_what what);

/* Bytes of a result. */
size_t random_bytes(enum random_what what);

/* The greatest mean of Poisson numbers, cuRAND's. */
#define RANDOM_POISSON_MEAN_MAX 400000.0

/* Writes `count` results to `out`. False: there is no memory. */
bool random_draw(struct random_ring *ring, const struct random_wish *wish, size_t count, void *out);

/* Lets the next draw start at the beginning: after another seed, offset or order. */
void random_restart(struct random_ring *ring);

#endif
