/* runtime_managed.c: managed memory exists twice, on the device and here, at the same address.
 *
 * The pages under a managed block are opened within the reserved window, so that one pointer serves
 * both sides. Before a launch the host's contents go to the device; at the next synchronisation
 * they come back. In between the host must not touch them (the device says so: its attribute for
 * concurrent managed access is 0).
 */
#include "cudart/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

static struct runtime_registry blocks;
static bool is_on_device;

/* The pages that a block touches, or (inner) those that it fills alone. */
static void page_range(uint64_t address, size_t bytes, bool inner, uint64_t *out_start,
                       uint64_t *out_end)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end = address + bytes;

    *out_start = (inner ? address + page - 1 : address) / page * page;
    *out_end = (inner ? end : end + page - 1) / page * page;
}

cudaError_t runtime_managed_add(uint64_t address, size_t bytes)
{
    uint64_t start, end;

    page_range(address, bytes, false, &start, &end);
    if (mprotect((void *)(uintptr_t)start, end - start, PROT_READ | PROT_WRITE) != 0 ||
        !registry_add(&blocks, (void *)(uintptr_t)address, bytes)) {
        return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
}

/* Closes the pages of a block; those that it shares with a neighbour stay open. */
static void close_pages(const struct registry_entry *block)
{
    uint64_t start, end;

    page_range((uint64_t)(uintptr_t)block->pointer, block->bytes, true, &start, &end);
    if (start < end) {
        madvise((void *)(uintptr_t)start, end - start, MADV_DONTNEED);
        mprotect((void *)(uintptr_t)start, end - start, PROT_NONE);
    }
}

void runtime_managed_remove(uint64_t address)
{
    for (size_t i = 0; i < blocks.count; i++) {
        if ((uint64_t)(uintptr_t)blocks.entries[i].pointer == address) {
            close_pages(&blocks.entries[i]);
            registry_remove(&blocks, blocks.entries[i].pointer);
            return;
        }
    }
}

void runtime_managed_remove_all(void)
{
    for (size_t i = 0; i < blocks.count; i++) {
        close_pages(&blocks.entries[i]);
    }
    blocks.count = 0;
    is_on_device = false;
}

bool runtime_is_managed(const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    for (size_t i = 0; i < blocks.count; i++) {
        if (address - (uint64_t)(uintptr_t)blocks.entries[i].pointer < blocks.entries[i].bytes) {
            return true;
        }
    }
    return false;
}

bool runtime_managed_is_on_device(void)
{
    return is_on_device;
}

cudaError_t runtime_managed_push(void)
{
    cudaError_t error = cudaSuccess;

    if (is_on_device) {
        return cudaSuccess;
    }
    for (size_t i = 0; i < blocks.count && error == cudaSuccess; i++) {
        const struct registry_entry *block = &blocks.entries[i];
        struct runtime_area area = {(uint64_t)(uintptr_t)block->pointer, block->bytes, block->bytes,
                                    1};
        error = runtime_upload(&area, block->pointer, block->bytes);
    }
    is_on_device = error == cudaSuccess && blocks.count > 0;
    return error;
}

cudaError_t runtime_managed_pull(void)
{
    cudaError_t error = cudaSuccess;

    if (!is_on_device) {
        return cudaSuccess;
    }
    for (size_t i = 0; i < blocks.count && error == cudaSuccess; i++) {
        const struct registry_entry *block = &blocks.entries[i];
        struct runtime_area area = {(uint64_t)(uintptr_t)block->pointer, block->bytes, block->bytes,
                                    1};
        error = runtime_download(&area, block->pointer, block->bytes);
    }
    if (error == cudaSuccess) {
        is_on_device = false;
    }
    return error;
}
