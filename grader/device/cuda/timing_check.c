/* timing_check.c: what a timing request must fulfil before anything runs. Its numbers come from the
 * grader, its addresses and parameters from the program that is graded. */
#include "device/cuda/cuda_timing.h"

#include <inttypes.h>

static enum error refuse(struct diagnostic *diagnostic, const char *problem)
{
    diagnostic_set(diagnostic, BLAME_GRADER, "a timing request %s", problem);
    return ERROR_RANGE;
}

static enum error check_numbers(const struct timing_request *request, struct diagnostic *diagnostic)
{
    uint32_t contenders = request->contender_count;
    bool is_count_right = request->block_count >= 1 && request->block_count <= TIMING_BLOCKS_MAX &&
                          request->launches_per_span >= 1 && contenders >= 1 &&
                          contenders <= TIMING_CONTENDERS_MAX && request->operand_count >= 1 &&
                          request->operand_count <= TIMING_OPERANDS_MAX;
    if (!is_count_right || request->judged >= contenders || request->reference >= contenders ||
        request->baseline >= contenders) {
        return refuse(diagnostic, "whose counts or indices are out of range");
    }
    return ERROR_NONE;
}

static enum error check_operands(const struct timing_request *request,
                                 struct diagnostic *diagnostic)
{
    size_t outputs = 0;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        if (operand->type >= TIMING_TYPES || operand->elements == 0 ||
            operand->elements > DEVICE_WINDOW_BYTES / 8) {
            return refuse(diagnostic, "with an operand without a type or a size");
        }
        if (operand->comparison >= TIMING_COMPARISONS || !(operand->tolerance >= 0) ||
            !(operand->absolute >= 0) || !(operand->share >= 0)) {
            return refuse(diagnostic, "with a comparison that does not exist");
        }
        if (timing_is_compared(operand) && operand->comparison == TIMING_MAGNITUDES &&
            operand->type != TIMING_F32) {
            return refuse(diagnostic, "that compares by magnitudes but whose output is not f32");
        }
        bool has_no_range = operand->least == 0 && operand->most == 0;
        if (timing_is_filled(operand) && operand->copy_of == 0 && has_no_range &&
            operand->type >= TIMING_I8) {
            return refuse(diagnostic, "with small integers of no range");
        }
        if (operand->counter > request->operand_count) {
            return refuse(diagnostic, "whose counts or indices are out of range");
        }
        outputs += timing_is_compared(operand);
    }
    return outputs > 0 ? ERROR_NONE : refuse(diagnostic, "without an output");
}

/* Holds each operand of a contender to the memory that is there. */
static enum error check_addresses(const struct cuda_device *device,
                                  const struct timing_request *request, uint32_t index,
                                  struct diagnostic *diagnostic)
{
    enum blame blame = index == request->judged ? BLAME_STUDENT : BLAME_GRADER;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        uint64_t address = request->contenders[index].addresses[i];
        uint64_t bytes = timing_operand_bytes(operand);
        const struct gpu_block *block = gpu_memory_find(&device->memory, address);
        if (block == NULL || bytes > block->end - address) {
            diagnostic_set(diagnostic, blame,
                           "operand %" PRIu32 " of contender %" PRIu32 " (%" PRIu64
                           " bytes) does not lie within one allocation",
                           i, index, bytes);
            return ERROR_RANGE;
        }
        if (address % timing_element_bytes(operand) != 0) {
            diagnostic_set(diagnostic, blame,
                           "operand %" PRIu32 " of contender %" PRIu32
                           " is not aligned to its type",
                           i, index);
            return ERROR_RANGE;
        }
        if (operand->is_output && block->is_constant) {
            diagnostic_set(diagnostic, blame,
                           "operand %" PRIu32 " of contender %" PRIu32
                           " is an output in constant memory",
                           i, index);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

static bool is_in_memory(const struct cuda_device *device, uint64_t address, uint64_t bytes)
{
    const struct gpu_block *block = gpu_memory_find(&device->memory, address);
    return block != NULL && bytes > 0 && bytes <= block->end - address;
}

/* Holds the data that inputs are copies of to the memory that is there. */
static enum error check_copies(const struct cuda_device *device,
                               const struct timing_request *request, struct diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        const uint64_t bytes = timing_operand_bytes(operand);
        if (operand->copy_of != 0 && !(is_in_memory(device, operand->copy_of, bytes) &&
                                       is_in_memory(device, operand->copy_of_absolute, bytes))) {
            return refuse(diagnostic, "whose data does not lie within one allocation");
        }
    }
    return ERROR_NONE;
}

/* Holds the memory that a contender uses beside its operands to what is there. */
static enum error check_memory(const struct cuda_device *device,
                               const struct timing_request *request, uint32_t index,
                               struct diagnostic *diagnostic)
{
    const struct timing_contender *contender = &request->contenders[index];
    bool is_there = true;
    for (uint32_t i = 0; i < contender->scratch_count; i++) {
        is_there = is_there &&
                   is_in_memory(device, contender->scratch[i].address, contender->scratch[i].bytes);
    }
    for (uint32_t i = 0; i < contender->step_count; i++) {
        const struct timing_step *step = &contender->steps[i];
        is_there = is_there &&
                   (step->kind == TIMING_LAUNCH || is_in_memory(device, step->to, step->bytes));
        is_there = is_there &&
                   (step->kind != TIMING_COPY || is_in_memory(device, step->from, step->bytes));
    }
    if (!is_there) {
        diagnostic_set(diagnostic, index == request->judged ? BLAME_STUDENT : BLAME_GRADER,
                       "a copy, a set or scratch memory of contender %" PRIu32
                       " does not lie within one allocation",
                       index);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

static enum error check_step(const struct cuda_device *device, const struct timing_step *step,
                             struct diagnostic *diagnostic)
{
    const struct cuda_function *function = cuda_find_function(device, step->module, step->function);
    if (function == NULL) {
        return refuse(diagnostic, "for a kernel that does not exist");
    }
    for (size_t i = 0; i < 3; i++) {
        if (step->grid[i] == 0 || step->block[i] == 0) {
            return refuse(diagnostic, "with an empty grid or block");
        }
    }
    if (step->parameter_bytes != function->info.parameter_bytes) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a timing request with %" PRIu32
                       " bytes of parameters for %s, which takes %" PRIu64,
                       step->parameter_bytes, function->info.name, function->info.parameter_bytes);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

static enum error check_contender(const struct cuda_device *device,
                                  const struct timing_request *request, uint32_t index,
                                  struct diagnostic *diagnostic)
{
    const struct timing_contender *contender = &request->contenders[index];
    uint64_t parameters = 0;
    if (contender->step_count > TIMING_STEPS_MAX || contender->scratch_count > TIMING_SCRATCH_MAX) {
        return refuse(diagnostic, "whose counts or indices are out of range");
    }
    for (uint32_t i = 0; i < contender->step_count; i++) {
        const struct timing_step *step = &contender->steps[i];
        if (step->kind != TIMING_LAUNCH) {
            continue;
        }
        enum error error = check_step(device, step, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        parameters = timing_parameters_at((uint32_t)parameters) + (uint64_t)step->parameter_bytes;
        if (parameters > TIMING_PARAMETERS_MAX) {
            return refuse(diagnostic, "with too many bytes of parameters");
        }
    }
    enum error error = check_memory(device, request, index, diagnostic);
    return error == ERROR_NONE ? check_addresses(device, request, index, diagnostic) : error;
}

enum error timing_check(struct cuda_device *device, const struct timing_request *request,
                        struct diagnostic *diagnostic)
{
    enum error error = check_numbers(request, diagnostic);
    if (error == ERROR_NONE) {
        error = check_operands(request, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_copies(device, request, diagnostic);
    }
    for (uint32_t i = 0; error == ERROR_NONE && i < request->contender_count; i++) {
        error = check_contender(device, request, i, diagnostic);
    }
    return error;
}
