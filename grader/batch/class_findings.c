/* class_findings.c: see class_findings.h. */
#include "batch/class_findings.h"

#include <stdlib.h>

enum { EXAMPLES_MAX = 5 };

void class_findings_init(struct class_findings *findings, struct arena *arena, size_t row_count)
{
    findings->has = arena_array(arena, row_count, CODE_COUNT * sizeof *findings->has);
    findings->row_count = row_count;
}

void class_findings_add(struct class_findings *findings, size_t row, enum code code)
{
    if (code != CODE_NONE) {
        findings->has[row * CODE_COUNT + code] = true;
    }
}

static struct class_finding sum_code(const struct class_findings *findings, struct arena *arena,
                                     enum code code)
{
    struct class_finding sum = {.code = code};
    size_t *examples = arena_array(arena, EXAMPLES_MAX, sizeof *examples);

    for (size_t row = 0; row < findings->row_count; row++) {
        if (!findings->has[row * CODE_COUNT + code]) {
            continue;
        }
        sum.students++;
        if (sum.example_count < EXAMPLES_MAX) {
            examples[sum.example_count++] = row;
        }
    }
    sum.examples = examples;
    return sum;
}

static int compare(const void *left_pointer, const void *right_pointer)
{
    const struct class_finding *left = left_pointer, *right = right_pointer;

    if (left->students != right->students) {
        return left->students > right->students ? -1 : 1;
    }
    return (left->code > right->code) - (left->code < right->code);
}

void class_findings_sum(const struct class_findings *findings, struct arena *arena,
                        const struct class_finding **out_findings, size_t *out_count)
{
    struct class_finding *sums = arena_array(arena, CODE_COUNT, sizeof *sums);
    size_t count = 0;

    for (unsigned code = CODE_NONE + 1; code < CODE_COUNT; code++) {
        struct class_finding sum = sum_code(findings, arena, (enum code)code);
        if (sum.students > 0) {
            sums[count++] = sum;
        }
    }
    qsort(sums, count, sizeof *sums, compare);
    *out_findings = sums;
    *out_count = count;
}
