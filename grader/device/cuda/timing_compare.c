/* timing_compare.c: the output of the judged contender against what the reference makes of the same
 * data, on the GPU.
 *
 *   judged input = fresh, the same fill once more
 *   judged output -> seen, reference output -> expected, baseline of absolute inputs = magnitudes
 *
 * Several outputs are numbered through in the order of the operands. */
#include "device/cuda/cuda_timing.h"

/* Empties the result of comparisons. */
static bool begin(struct cuda_timing *timing)
{
    uint64_t result[2] = {0, UINT64_MAX};
    return timing_goes_on(
        timing, timing->device->driver.upload(timing->scratch.result, result, sizeof result));
}

static bool end(struct cuda_timing *timing, uint64_t out_result[2])
{
    return timing_goes_on(timing, timing->device->driver.download(
                                      out_result, timing->scratch.result, 2 * sizeof *out_result));
}

/* Starts a comparison of memory, element by element, bit for bit. */
static bool compare_bits(struct cuda_timing *timing, const struct timing_operand *operand,
                         CUdeviceptr seen, CUdeviceptr expected, uint64_t base)
{
    const struct cuda_device *device = timing->device;
    struct timing_compare_bits bits = {seen,
                                       expected,
                                       operand->elements,
                                       timing_element_bytes(operand),
                                       base,
                                       timing->scratch.result};
    return timing_goes_on(timing, timing_kernel_start(&device->driver, device->kernels.compare_bits,
                                                      timing_blocks(operand->elements),
                                                      TIMING_THREADS, &bits, sizeof bits));
}

/* Compares what the judged launch has left of its inputs with what they were. */
static bool compare_inputs(struct cuda_timing *timing, struct timing_place place,
                           uint64_t *out_changed)
{
    const struct timing_request *request = timing->request;
    const struct timing_scratch *scratch = &timing->scratch;
    uint64_t result[2];
    if (!begin(timing)) {
        return false;
    }
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        uint64_t address = request->contenders[request->judged].addresses[i];
        bool is_constant = timing_is_constant(timing, address);
        CUdeviceptr seen = is_constant ? scratch->stage : address;
        if (operand->is_output) {
            continue;
        }
        if (is_constant &&
            !timing_goes_on(timing, timing->device->driver.enqueue_copy(
                                        seen, address, timing_operand_bytes(operand), NULL))) {
            return false;
        }
        if (!timing_fill_input(timing, place, i, scratch->fresh, false) ||
            !compare_bits(timing, operand, seen, scratch->fresh, 0)) {
            return false;
        }
    }
    if (!end(timing, result)) {
        return false;
    }
    *out_changed = result[0];
    return true;
}

/* Copies the outputs of a contender to `to`, one after another. */
static bool copy_outputs(struct cuda_timing *timing, uint32_t contender, CUdeviceptr to)
{
    const struct timing_request *request = timing->request;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        uint64_t bytes = timing_operand_bytes(operand);
        if (!operand->is_output) {
            continue;
        }
        if (!timing_goes_on(timing,
                            timing->device->driver.enqueue_copy(
                                to, request->contenders[contender].addresses[i], bytes, NULL))) {
            return false;
        }
        to += timing_room_bytes(operand);
    }
    return true;
}

/* Starts the comparison of one output, which lies at an offset in `seen` and `expected`. */
static bool compare_output(struct cuda_timing *timing, uint32_t index, uint64_t offset,
                           uint64_t base)
{
    const struct timing_request *request = timing->request;
    const struct timing_operand *operand = &request->operands[index];
    const struct cuda_device *device = timing->device;
    const struct timing_scratch *scratch = &timing->scratch;
    if (request->comparison == TIMING_SAME_BITS) {
        return compare_bits(timing, operand, scratch->seen + offset, scratch->expected + offset,
                            base);
    }
    struct timing_compare_magnitudes magnitudes = {
        .seen = scratch->seen + offset,
        .expected = scratch->expected + offset,
        .magnitudes = request->contenders[request->baseline].addresses[index],
        .elements = operand->elements,
        .bound = request->tolerance * 0x1p-24,
        .base = base,
        .result = scratch->result,
    };
    return timing_goes_on(timing,
                          timing_kernel_start(&device->driver, device->kernels.compare_magnitudes,
                                              timing_blocks(operand->elements), TIMING_THREADS,
                                              &magnitudes, sizeof magnitudes));
}

static bool compare_outputs(struct cuda_timing *timing, uint64_t out_result[2])
{
    const struct timing_request *request = timing->request;
    uint64_t offset = 0;
    uint64_t base = 0;
    if (!begin(timing)) {
        return false;
    }
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        if (!operand->is_output) {
            continue;
        }
        if (!compare_output(timing, i, offset, base)) {
            return false;
        }
        base += operand->elements;
        offset += timing_room_bytes(operand);
    }
    return end(timing, out_result);
}

/* The copies go at once; the outputs themselves are poisoned before the next launch. */
static bool wipe(struct cuda_timing *timing)
{
    return timing_goes_on(
        timing, timing->device->driver.enqueue_fill(timing->scratch.seen, 0,
                                                    2 * timing->scratch.output_bytes / 4, NULL));
}

bool timing_compare(struct cuda_timing *timing, struct timing_place place,
                    struct timing_sample *sample)
{
    const struct timing_request *request = timing->request;
    uint64_t result[2];
    double ns;
    if (!compare_inputs(timing, place, &sample->changed) ||
        !copy_outputs(timing, request->judged, timing->scratch.seen) ||
        !timing_launch(timing, request->reference, place, false, &ns) ||
        !copy_outputs(timing, request->reference, timing->scratch.expected)) {
        return false;
    }
    if (request->comparison == TIMING_MAGNITUDES &&
        !timing_launch(timing, request->baseline, place, true, &ns)) {
        return false;
    }
    if (!compare_outputs(timing, result) || !wipe(timing)) {
        return false;
    }
    sample->is_compared = true;
    sample->wrong = result[0];
    sample->first_wrong = result[1];
    return true;
}
