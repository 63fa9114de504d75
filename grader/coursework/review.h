/* review.h: what can be said of a coursework before a student's program of it runs.
 *
 * Each function appends whole lines to a text, as the terminal shows them:
 *
 *   ok    what is sound         FAIL  what is a mistake         note  what may be meant so
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
    size_t failed; /* lines that say FAIL */
};

/* Appends a line that says ok, FAIL or note. */
void review_ok(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void review_fail(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void review_note(struct review *review, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Looks whether every file that the rubric names is there: sources in the solution and in the
 * template, given headers, the harness, the oracle. */
void review_files(struct review *review, const struct rubric *rubric);

/* Looks whether there are fixtures, and none where nobody looks for them. */
void review_fixtures(struct review *review, const struct rubric *rubric);

/* Looks at what the loader of rubrics allows and nobody wants: launches and printouts that nothing
 * judges, symbols whose copy is not tested, parameters that never change, operands that do not fit
 * into the device's memory, an unknown GPU, a shape for timing that has no value. */
void review_rubric(struct review *review, const struct rubric *rubric);

/* Tries the oracle on the rubric's cases: every element is filled, twice with the same value, and
 * can be held by the output's type where a probe is exact; magnitudes are none too small; what an
 * element needs lies in the inputs, and nothing else changes it; each mistake differs from the
 * right result in some case, and in every case in which it says so. Notes if there are no needs. */
void review_oracle(struct review *review, const struct rubric *rubric, const struct oracle *oracle);

#endif
