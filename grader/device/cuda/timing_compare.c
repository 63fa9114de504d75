/* timing_compare.c: the output of the judged contender against what the reference makes of the same
 * data, on the GPU.
 *
 *   judged input = fresh, the same fill once more
 *   judged output -> seen, reference output -> expected, baseline of absolute inputs = magnitudes
 *
 * Several outputs are numbered through in the order of the operands. An output that is compared
 * closely needs no magnitudes. */
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
                         uint64_t elements, CUdeviceptr seen, CUdeviceptr expected, uint64_t base)
{
    const struct cuda_device *device = timing->device;
    struct timing_compare_bits bits = {
        seen, expected, elements, timing_element_bytes(operand), base, timing->scratch.result};
    return timing_goes_on(timing, timing_kernel_start(&device->driver, device->kernels.compare_bits,
                                                      timing_blocks(elements), TIMING_THREADS,
                                                      &bits, sizeof bits));
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
            !compare_bits(timing, operand, operand->elements, seen, scratch->fresh, 0)) {
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
        if (!timing_is_compared(operand)) {
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

/* Where an output lies in `seen` and in `expected`. */
static uint64_t offset_of(const struct timing_request *request, uint32_t index)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < index; i++) {
        const struct timing_operand *operand = &request->operands[i];
        offset += timing_is_compared(operand) ? timing_room_bytes(operand) : 0;
    }
    return offset;
}

/* How many elements of an output count: as many as the reference's counter says. */
static bool count_elements(struct cuda_timing *timing, const struct timing_operand *operand,
                           uint64_t *out_elements)
{
    uint32_t count = 0;
    *out_elements = operand->elements;
    if (operand->counter == 0) {
        return true;
    }
    CUdeviceptr at = timing->scratch.expected + offset_of(timing->request, operand->counter - 1);
    if (!timing_goes_on(timing, timing->device->driver.download(&count, at, sizeof count))) {
        return false;
    }
    *out_elements = count < operand->elements ? count : operand->elements;
    return true;
}

/* Starts the comparison of the first elements of one output. */
static bool start_comparison(struct cuda_timing *timing, uint32_t index, uint64_t elements,
                             uint64_t base)
{
    const struct timing_request *request = timing->request;
    const struct timing_operand *operand = &request->operands[index];
    const struct cuda_device *device = timing->device;
    const struct timing_scratch *scratch = &timing->scratch;
    const uint64_t offset = offset_of(request, index);
    if (operand->comparison == TIMING_SAME_BITS) {
        return compare_bits(timing, operand, elements, scratch->seen + offset,
                            scratch->expected + offset, base);
    }
    if (operand->comparison == TIMING_CLOSE) {
        struct timing_compare_close close = {.seen = scratch->seen + offset,
                                             .expected = scratch->expected + offset,
                                             .elements = elements,
                                             .type = operand->type,
                                             .absolute = operand->absolute,
                                             .relative = operand->tolerance,
                                             .base = base,
                                             .result = scratch->result};
        return timing_goes_on(timing,
                              timing_kernel_start(&device->driver, device->kernels.compare_close,
                                                  timing_blocks(elements), TIMING_THREADS, &close,
                                                  sizeof close));
    }
    struct timing_compare_magnitudes magnitudes = {
        .seen = scratch->seen + offset,
        .expected = scratch->expected + offset,
        .magnitudes = request->contenders[request->baseline].addresses[index],
        .elements = elements,
        .bound = operand->tolerance * 0x1p-24,
        .base = base,
        .result = scratch->result,
    };
    return timing_goes_on(timing,
                          timing_kernel_start(&device->driver, device->kernels.compare_magnitudes,
                                              timing_blocks(elements), TIMING_THREADS, &magnitudes,
                                              sizeof magnitudes));
}

/* Compares one output and adds to what was wrong in those before. */
static bool compare_output(struct cuda_timing *timing, uint32_t index, uint64_t base,
                           uint64_t result[2])
{
    const struct timing_operand *operand = &timing->request->operands[index];
    uint64_t elements = 0;
    uint64_t own[2];
    if (!count_elements(timing, operand, &elements)) {
        return false;
    }
    if (elements == 0) {
        return true;
    }
    if (!begin(timing) || !start_comparison(timing, index, elements, base) || !end(timing, own)) {
        return false;
    }
    if ((double)own[0] > operand->share * (double)elements) {
        result[0] += own[0];
        result[1] = own[1] < result[1] ? own[1] : result[1];
    }
    return true;
}

static bool compare_outputs(struct cuda_timing *timing, uint64_t out_result[2])
{
    const struct timing_request *request = timing->request;
    uint64_t base = 0;
    out_result[0] = 0;
    out_result[1] = UINT64_MAX;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        if (!timing_is_compared(operand)) {
            continue;
        }
        if (!compare_output(timing, i, base, out_result)) {
            return false;
        }
        base += operand->elements;
    }
    return true;
}

static bool needs_magnitudes(const struct timing_request *request)
{
    bool needs = false;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        needs = needs || (timing_is_compared(&request->operands[i]) &&
                          request->operands[i].comparison == TIMING_MAGNITUDES);
    }
    return needs;
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
    if (needs_magnitudes(request) && !timing_launch(timing, request->baseline, place, true, &ns)) {
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
