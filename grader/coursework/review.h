/* review.h: what can be checked about a coursework before any student's program runs.
 *
 * Each function appends whole lines to a text, as the terminal shows them:
 *
 *   ok    no mistake         FAIL  a mistake         note  may be intended
 */
#ifndef GPUGRADE_COURSEWORK_REVIEW_H
#define GPUGRADE_COURSEWORK_REVIEW_H

#include "base/arena.h"
#include "base/text.h"
#include "model/oracle.h"
#include "model/rubric.h"

#include <stddef.h>
#include <stdint.h>

struct review {
    struct arena *arena;
    struct text *out;
    uint64_t seed;
    size_t failed; /* lines with FAIL */
};

/* Append a line that starts with ok, FAIL or note. */
void review_ok(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void review_fail(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void review_note(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Checks that every file that the rubric names is there: sources in the solution and in the
 * template, given headers, the harness, the oracle. */
void review_files(struct review *review, const struct rubric *rubric);

/* Checks that there are fixtures, and that none are in folders which gpugrade ignores. */
void review_fixtures(struct review *review, const struct rubric *rubric);

/* Looks for what the loader of rubrics allows but is probably a mistake: launches and printouts
 * that no criterion checks, symbols whose copy is not tested, parameters that never change,
 * operands that do not fit into the device's memory, an unknown GPU, a shape for timing that has no
 * value. */
void review_rubric(struct review *review, const struct rubric *rubric);

/* Tests the oracle on the rubric's cases. Every element must be filled, twice with the same value,
 * which the output's type must be able to hold if a probe is exact. Magnitudes must not be too
 * small. The elements that an element needs must exist in the inputs, and nothing else may change
 * it. Each mistake must differ from the right result in every case in which it claims to differ,
 * and there should be such a case. Notes if the oracle has no needs(). */
void review_oracle(struct review *review, const struct rubric *rubric, const struct oracle *oracle);

#endif
