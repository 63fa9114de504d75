/* device_code.h: what is left of a submission's device code when names, order and layout are taken
 * away: a set of marks by which near-identical work is found.
 *
 * A mark is a hash of an instruction together with those that its inputs come from, a few steps
 * back: a piece of a computation. How marks are made stands in submission/dataflow_fingerprint.h.
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
