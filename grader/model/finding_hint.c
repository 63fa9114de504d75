/* finding_hint.c: see finding_hint.h. */
#include "model/finding_hint.h"

#include <string.h>

/* What to look at, by code of a finding. */
static const char *hint_of_code(enum code code)
{
    static const struct {
        enum code code;
        const char *hint;
    } hints[] = {
        {CODE_GLOBAL_OUT_OF_BOUNDS,
         "check the index, the row times the width of that matrix, and whether the grid has more "
         "blocks than the output has tiles"},
        {CODE_SHARED_OUT_OF_BOUNDS,
         "check the indices into the tile, its size, and the bytes that the launch passes"},
        {CODE_LOCAL_OUT_OF_BOUNDS, "check the index into the thread's own array"},
        {CODE_CONSTANT_OUT_OF_BOUNDS, "check the index into the constant"},
        {CODE_PARAM_OUT_OF_BOUNDS, "check the index into the kernel's parameters"},
        {CODE_USE_AFTER_FREE, "free device memory only after the last launch that uses it"},
        {CODE_NULL_POINTER, "check the pointer that this line uses: what the launch passes for it, "
                            "or, for a __device__ "
                            "variable, what the host copies to it with cudaMemcpyToSymbol()"},
        {CODE_HOST_POINTER, "pass the device's pointer, not the host's"},
        {CODE_WRITE_TO_CONSTANT, "write to device memory; constants are set by the host"},
        {CODE_MISALIGNED_ACCESS, "vector types need addresses that are multiples of their size"},
        {CODE_BARRIER_DEADLOCK,
         "every thread of the block must reach the same __syncthreads(): move it out of the "
         "condition"},
        {CODE_BARRIER_DIVERGENT, "move __syncthreads() out of the condition"},
        {CODE_BARRIER_MISMATCH,
         "all threads of the block must meet at the same __syncthreads(): put one behind the "
         "condition instead of one into each branch"},
        {CODE_BARRIER_INCOMPLETE, "let every thread reach the barrier, and skip only its work"},
        {CODE_WARP_MASK,
         "the mask must name the lane itself and only lanes that come to the same call: take the "
         "call out of the condition, or get the mask from __ballot_sync() before it"},
        {CODE_WARP_RACE,
         "threads of a warp need not run in step: put __syncwarp() or __syncthreads() between the "
         "two"},
        {CODE_GLOBAL_RACE,
         "blocks run in any order: let each element be written by one thread, or use atomics"},
        {CODE_UNINITIALISED_SHARED,
         "shared memory holds anything at the start: write every element before it is read"},
        {CODE_STACK_OVERFLOW,
         "look for a recursion that does not end; cudaDeviceSetLimit(cudaLimitStackSize, bytes) "
         "gives more room"},
        {CODE_BAD_CALL, "function pointers of the host do not work in kernels"},
        {CODE_BAD_FREE, "free in the kernel only what its malloc gave, and only once"},
        {CODE_UNKNOWN_FUNCTION, "tell your instructor: this is no mistake of yours"},
        {CODE_DEVICE_ASSERT, "look at what the assertion compares"},
        {CODE_DEVICE_TRAP, "look for __trap() or an assertion in the kernel"},
        {CODE_API_ERROR, "look for a failed assertion or a trap in the kernel"},
        {CODE_UNKNOWN_INSTRUCTION, "tell your instructor: this is no mistake of yours"},
        {CODE_SIGNAL, "look at the host code: pointers, array indices, what it prints"},
        {CODE_IMPOSSIBLE_LAUNCH,
         "check the grid, the block and the bytes of shared memory in <<< >>>"},
        {CODE_LAUNCH_DEADLINE,
         "look for a loop in the kernel that never ends: what changes its condition"},
        {CODE_LAUNCH_REFUSED, "tell your instructor: this is no mistake of yours"},
    };

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (hints[i].code == code) {
            return hints[i].hint;
        }
    }
    return "";
}

/* Where the barrier is missing. */
static const char *race_hint(const struct finding *finding)
{
    const struct place *early = &finding->places[finding->main_place];
    const struct place *other = &finding->places[1 - finding->main_place];

    if (finding->place_count == 2 && strcmp(early->role, "read") == 0) {
        return "put __syncthreads() behind the loads, before the first element is read";
    }
    if (finding->place_count == 2 && strcmp(other->role, "read") == 0) {
        return "put __syncthreads() behind the last read, before the tile is overwritten in the "
               "next round of the loop";
    }
    return "let each element be written by one thread, or put __syncthreads() between the two";
}

const char *finding_hint(const struct finding *finding)
{
    if (finding->code == CODE_API_ERROR && finding->kernel[0] == '\0') {
        return "check the arguments of that call, and what it returns";
    }
    return finding->code == CODE_SHARED_RACE ? race_hint(finding) : hint_of_code(finding->code);
}
