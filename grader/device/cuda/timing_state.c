/* timing_state.c: what every step of a timing asks: whether it goes on, where operands lie and how
 * large they are; see cuda_timing.h. */
#include "device/cuda/cuda_timing.h"

bool timing_goes_on(struct cuda_timing *timing, CUresult result)
{
    if (result != CUDA_SUCCESS && timing->stop == TIMING_GOES_ON) {
        timing->stop = TIMING_BROKEN;
        timing->cause = result;
    }
    return result == CUDA_SUCCESS;
}

bool timing_is_constant(const struct cuda_timing *timing, uint64_t address)
{
    const struct gpu_block *block = gpu_memory_find(&timing->device->memory, address);
    return block != NULL && block->is_constant;
}

uint64_t timing_element_bytes(const struct timing_operand *operand)
{
    static const uint8_t bytes[TIMING_TYPES] = {
        [TIMING_F32] = 4,  [TIMING_F64] = 8, [TIMING_I32] = 4, [TIMING_U32] = 4, [TIMING_F16] = 2,
        [TIMING_BF16] = 2, [TIMING_I8] = 1,  [TIMING_U8] = 1,  [TIMING_I16] = 2, [TIMING_U16] = 2,
    };
    return bytes[operand->type];
}

uint64_t timing_operand_bytes(const struct timing_operand *operand)
{
    return operand->elements * timing_element_bytes(operand);
}

uint64_t timing_room_bytes(const struct timing_operand *operand)
{
    return (timing_operand_bytes(operand) + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
}
