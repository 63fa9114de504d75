/* device_code.h: a submission's device code without names, order and layout: a set of marks for
 * finding near-identical work.
 *
 * A mark is a hash of an instruction together with those that its inputs come from, a few steps
 * back: a piece of a computation. submission/dataflow_fingerprint.h describes how marks are made.
 */
#ifndef GPUGRADE_MODEL_DEVICE_CODE_H
#define GPUGRADE_MODEL_DEVICE_CODE_H

#include <stddef.h>
#include <stdint.h>

struct device_code {
    const char *program;   /* the rubric's id */
    const uint64_t *marks; /* [mark_count] ascending, each once: different instructions */
    size_t mark_count;
    size_t instructions; /* in the program's PTX, whoever wrote them */
};

#endif
