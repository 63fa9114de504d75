/* class_findings.h: which codes occur in a class, for how many students, and examples; pure. */
#ifndef GPUGRADE_BATCH_CLASS_FINDINGS_H
#define GPUGRADE_BATCH_CLASS_FINDINGS_H

#include "base/arena.h"
#include "model/class_results.h"

/* Which student has which code, while they are being collected. */
struct class_findings {
    bool *has; /* [row_count][CODE_COUNT] */
    size_t row_count;
};

void class_findings_init(struct class_findings *findings, struct arena *arena, size_t row_count);

/* Row `row` has `code`, once or more; CODE_NONE is ignored. */
void class_findings_add(struct class_findings *findings, size_t row, enum code code);

/* Most common first, equally common ones by code; the examples are the first rows. */
void class_findings_sum(const struct class_findings *findings, struct arena *arena,
                        const struct class_finding **out_findings, size_t *out_count);

#endif
