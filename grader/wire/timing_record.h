/* timing_record.h: what a device is asked to time, and what it measured.
 *
 * One request times up to four contenders, launches that do the same work, in counterbalanced
 * blocks:
 *
 *   block  =  c0 c1 c2 c3 | c3 c2 c1 c0     each block has a new random order
 *   span   =  launches_per_span times: fill inputs, poison output, flush L2, [ launch ]
 *
 * Only the part in brackets is timed. Every launch has data that no launch had before, drawn from
 * the seed and its place. In each span of the judged contender the output of one launch, drawn as
 * well, is compared at once, on the device, with what the reference makes of the same data, and its
 * inputs with what they were filled with.
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
    TIMING_PARAMETERS_MAX = 4096,
    TIMING_SAMPLES_MAX = 2 * TIMING_CONTENDERS_MAX * TIMING_BLOCKS_MAX
};

enum timing_type { TIMING_F32, TIMING_F64, TIMING_I32, TIMING_U32 };

enum timing_comparison {
    TIMING_SAME_BITS,
    /* |x - reference| <= tolerance * 2^-24 * magnitude, written so that NaN fails; the magnitude is
     * the output of the baseline for the absolute values of the inputs; f32 outputs only */
    TIMING_MAGNITUDES
};

struct timing_operand {
    uint32_t type; /* enum timing_type; floats are filled uniformly from (-1, 1), integers from
                      [-32768, 32767] (u32: [0, 65535]) */
    bool is_output;
    uint64_t elements;
};

struct timing_contender {
    uint32_t module, function;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
    bool is_cooperative;
    uint64_t addresses[TIMING_OPERANDS_MAX]; /* of its operands, mostly the same for all */
    uint32_t parameter_bytes;
    uint8_t parameters[TIMING_PARAMETERS_MAX];
};

struct timing_request {
    uint64_t seed;
    uint32_t block_count;                 /* 1 to TIMING_BLOCKS_MAX */
    uint32_t launches_per_span;           /* at least 1 */
    uint32_t judged, reference, baseline; /* indices of contenders; all but the judged one are
                                             trusted: before each of their launches the variables of
                                             the grader's own modules get back the values that they
                                             had when the request came */
    uint32_t comparison;                  /* enum timing_comparison */
    double tolerance;
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

/* Appends a request; reads one, false if the bytes are not a request: wrong length, counts or
 * indices out of range, a tolerance that is not finite. Addresses and functions are the device's to
 * check. */
void timing_request_pack(const struct timing_request *request, struct text *out);
bool timing_request_unpack(const uint8_t *bytes, size_t length, struct timing_request *out_request);

void timing_sample_pack(const struct timing_sample *sample, uint8_t out[TIMING_SAMPLE_BYTES]);
bool timing_sample_unpack(const uint8_t bytes[TIMING_SAMPLE_BYTES],
                          struct timing_sample *out_sample);

#endif
