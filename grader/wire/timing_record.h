/* timing_record.h: what a device is asked to time, and what it measured.
 *
 * One request times up to four contenders that do the same work, in counterbalanced blocks. A
 * contender is a launch, or the recorded steps of a call: launches, copies and sets, one after the
 * other on one stream.
 *
 *   block  =  c0 c1 c2 c3 | c3 c2 c1 c0     each block has a new random order
 *   span   =  launches_per_span times: fill inputs, poison outputs and scratch memory, flush L2,
 *             [ all steps ]
 *
 * Only the part in brackets is timed. "Launch" means all steps below. Every launch has data that no
 * launch had before, drawn from the seed and its place (but for operands that are copies). In each
 * span of the judged contender the output of one launch, drawn as well, is compared at once, on the
 * device, with what the reference makes of the same data, and its inputs with what they were filled
 * with.
 *
 * The records are plain data, packed little endian; both ends are trusted.
 */
#ifndef GPUGRADE_WIRE_TIMING_RECORD_H
#define GPUGRADE_WIRE_TIMING_RECORD_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TIMING_CONTENDERS_MAX = 4,
    TIMING_OPERANDS_MAX = 8,
    TIMING_BLOCKS_MAX = 64,
    TIMING_STEPS_MAX = 64,
    TIMING_SCRATCH_MAX = 32,
    TIMING_PARAMETERS_MAX = 16384, /* of all launches of a contender together */
    TIMING_SAMPLES_MAX = 2 * TIMING_CONTENDERS_MAX * TIMING_BLOCKS_MAX
};

enum timing_type {
    TIMING_F32,
    TIMING_F64,
    TIMING_I32,
    TIMING_U32,
    TIMING_F16,
    TIMING_BF16,
    TIMING_I8,
    TIMING_U8,
    TIMING_I16,
    TIMING_U16,
    TIMING_TYPES
};

/* How an output is compared; all are written so that NaN fails. */
enum timing_comparison {
    TIMING_SAME_BITS,
    /* |x - reference| <= tolerance * 2^-24 * magnitude; the magnitude is the output of the baseline
     * for the absolute values of the inputs; f32 outputs only */
    TIMING_MAGNITUDES,
    TIMING_CLOSE, /* |x - reference| <= absolute + tolerance * |reference| */
    TIMING_COMPARISONS
};

struct timing_operand {
    uint32_t type;  /* enum timing_type */
    bool is_output; /* it is poisoned and compared; else it is filled and must not change */
    uint64_t elements;
    bool is_in_place; /* an output that is filled, and not poisoned */
    bool is_scratch;  /* an output that is not compared */
    bool is_zeroed;   /* an output that is zeros before a launch */
    /* Where it is filled: with whole numbers or floats from `least` to `most`; both 0: floats
     * uniformly from (-1, 1), integers from [-32768, 32767] (u32: [0, 65535]), no smaller ones. */
    double least, most;
    /* Or with what lies there, the same in each launch, and with the absolute values of that;
     * 0: it is drawn. */
    uint64_t copy_of, copy_of_absolute;
    uint32_t comparison; /* enum timing_comparison */
    double tolerance, absolute;
    double share;     /* so many of its elements may differ; they are not reported then */
    uint32_t counter; /* so many elements are compared as the operand with this number less one
                         holds, an i32 or u32 of the reference's; 0: all */
};

/* True if an operand holds data before a launch; if it is compared with the reference's. */
static inline bool timing_is_filled(const struct timing_operand *operand)
{
    return !operand->is_output || operand->is_in_place;
}

static inline bool timing_is_compared(const struct timing_operand *operand)
{
    return operand->is_output && !operand->is_scratch;
}

enum timing_step_kind { TIMING_LAUNCH, TIMING_COPY, TIMING_SET };

struct timing_step {
    uint32_t kind; /* enum timing_step_kind */
    /* a launch */
    uint32_t module, function;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
    bool is_cooperative;
    uint32_t parameter_bytes; /* its parameters follow those of the launches before, aligned to 8 */
    /* a copy within device memory, or a set to a byte */
    uint64_t to, from, bytes;
    uint32_t value;
};

/* Memory of the GPU. */
struct timing_range {
    uint64_t address, bytes;
};

struct timing_contender {
    uint64_t addresses[TIMING_OPERANDS_MAX];         /* of its operands, mostly the same for all */
    struct timing_range scratch[TIMING_SCRATCH_MAX]; /* whole allocations, undefined before a launch
                                                        of it */
    uint32_t scratch_count;
    struct timing_step steps[TIMING_STEPS_MAX]; /* at least one of them launches */
    uint32_t step_count;
    uint32_t parameter_bytes; /* of all launches, with the gaps */
    uint8_t parameters[TIMING_PARAMETERS_MAX];
};

/* Where the parameters of a step are, after those of `before` bytes; and the bytes up to their
 * end. */
static inline uint32_t timing_parameters_at(uint32_t before)
{
    return (before + 7) & ~UINT32_C(7);
}

struct timing_request {
    uint64_t seed;
    uint32_t block_count;                 /* 1 to TIMING_BLOCKS_MAX */
    uint32_t launches_per_span;           /* at least 1 */
    uint32_t judged, reference, baseline; /* indices of contenders; all but the judged one are
                                             trusted: before each of their launches the variables of
                                             the grader's own modules get back the values that they
                                             had when the request came; so do those of the program
                                             before each of the judged one's, if the request
                                             restores_judged */
    bool restores_judged;
    struct timing_operand operands[TIMING_OPERANDS_MAX];
    uint32_t operand_count;
    struct timing_contender contenders[TIMING_CONTENDERS_MAX];
    uint32_t contender_count;
};

/* One span. */
struct timing_sample {
    uint32_t block; /* from 0, of this request */
    uint32_t contender;
    uint32_t position;    /* in the block, from 0 */
    bool is_compared;     /* of the judged contender */
    bool is_delayed;      /* the host was so slow that the GPU may have waited for it */
    double nanoseconds;   /* all launches of the span together */
    double clock_mhz;     /* of the multiprocessors, on average over the span; 0: unknown */
    uint64_t wrong;       /* elements that differ; is_compared; all outputs count as one array */
    uint64_t first_wrong; /* element; UINT64_MAX: none */
    uint64_t changed;     /* elements of its inputs that the launch has overwritten; is_compared */
};

enum { TIMING_SAMPLE_BYTES = 56 };

/* Appends a launch to a contender, with its parameters [step->parameter_bytes]; false if there is
 * no room. */
bool timing_add_launch(struct timing_contender *contender, const struct timing_step *step,
                       const void *parameters);

/* Appends a request; reads one, false if the bytes are not a request: wrong length, counts or
 * indices out of range, a tolerance that is not finite; *out_request is of no use then. Addresses
 * and functions are the device's to check. A request is large: not for a stack. */
void timing_request_pack(const struct timing_request *request, struct text *out);
bool timing_request_unpack(const uint8_t *bytes, size_t length, struct timing_request *out_request);

void timing_sample_pack(const struct timing_sample *sample, uint8_t out[TIMING_SAMPLE_BYTES]);
bool timing_sample_unpack(const uint8_t bytes[TIMING_SAMPLE_BYTES],
                          struct timing_sample *out_sample);

#endif
