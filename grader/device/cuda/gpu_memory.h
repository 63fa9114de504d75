/* gpu_memory.h: the memory of a GPU that a program sees.
 *
 * The window of device.h is reserved once; each allocation is memory of its own, mapped into it:
 *
 *   | nothing | slack | front guard | block | tail guard | nothing | ...
 *             ^ mapped, a multiple of the granularity     ^ end
 *
 * A block starts at a multiple of 512, as close to the end of its mapping as possible, so that a
 * kernel that runs past it soon reaches unmapped memory, which ends the launch. The few mapped
 * bytes around the block (fewer than 512 after it and up to 512 before it) are guards: they hold
 * GUARD_BYTE, and gpu_memory_check_guards() finds a kernel that wrote to them. Reads of them are
 * not detected.
 *
 * Module variables lie where the driver puts them, outside of the window; they are blocks without a
 * mapping. Blocks are kept sorted by address. Addresses are used again only when the window is
 * full. The memory limit counts the requested bytes; the GPU allocates at least the granularity (2
 * MiB). New blocks hold the poison of the emulated device.
 *
 * The snapshot is a block of memory that is mapped only while it is taken or restored: no kernel
 * can reach it.
 */
#ifndef GPUGRADE_DEVICE_CUDA_GPU_MEMORY_H
#define GPUGRADE_DEVICE_CUDA_GPU_MEMORY_H

#include "device/cuda/driver.h"
#include "device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPU_ALIGNMENT = 512, GPU_GUARD_BYTES = 512, GPU_POISON_HALF = 0x7ff8, GUARD_BYTE = 0xb5 };

struct gpu_block {
    uint64_t start, end; /* device addresses, [start, end) */
    bool is_module_variable;
    bool is_constant;
    uint64_t mapped; /* where its mapping starts; 0: it has none */
    uint64_t mapped_bytes;
    CUmemGenericAllocationHandle memory;
};

struct gpu_snapshot {
    CUmemGenericAllocationHandle memory;
    uint64_t address; /* reserved for it, outside of the window; 0: there is no snapshot */
    uint64_t bytes;   /* a multiple of the granularity */
};

struct gpu_memory {
    const struct driver *driver;
    CUdevice gpu;
    uint64_t granularity;
    uint64_t window_bytes;    /* reserved from DEVICE_WINDOW_START */
    struct gpu_block *blocks; /* [block_count], sorted by start */
    size_t block_count, block_capacity;
    uint64_t next; /* lowest address of the window above everything that was ever given out */
    uint64_t living_bytes;
    uint64_t limit_bytes;
    struct gpu_snapshot snapshot;
};

/* A guard that a kernel wrote to. */
struct gpu_overrun {
    struct gpu_block block;
    uint64_t address; /* of the first byte that changed */
    int64_t distance; /* of it from the block: from 0 on past its end, < 0 before its start */
    uint64_t bytes;   /* that changed */
};

/* Reserves the window; a context must be current. Errors: ERROR_ENVIRONMENT. */
enum error gpu_memory_init(struct gpu_memory *memory, const struct driver *driver, CUdevice gpu,
                           uint64_t limit_bytes, struct diagnostic *diagnostic);

/* Frees everything. With a dead context the driver may keep some of it. */
void gpu_memory_release(struct gpu_memory *memory);

/* The functions of device.h; each is false too if the driver refuses. */
enum error gpu_memory_allocate(struct gpu_memory *memory, uint64_t bytes, uint64_t *out_address,
                               struct diagnostic *diagnostic);
enum error gpu_memory_allocate_again(struct gpu_memory *memory, uint64_t bytes, uint64_t address,
                                     struct diagnostic *diagnostic);
bool gpu_memory_free(struct gpu_memory *memory, uint64_t address);
bool gpu_memory_read(const struct gpu_memory *memory, uint64_t address, void *out_bytes,
                     size_t length);
bool gpu_memory_write(const struct gpu_memory *memory, uint64_t address, const void *bytes,
                      size_t length);
bool gpu_memory_fill(const struct gpu_memory *memory, uint64_t address, uint64_t length,
                     uint32_t pattern, size_t pattern_bytes);
bool gpu_memory_copy(const struct gpu_memory *memory, uint64_t to, uint64_t from, uint64_t length);

/* Adds a module variable, which the memory limit counts too. Errors: ERROR_LIMIT. */
enum error gpu_memory_add_variable(struct gpu_memory *memory, uint64_t address, uint64_t bytes,
                                   bool is_constant, struct diagnostic *diagnostic);

/* The block that contains `address`; NULL if there is none. */
const struct gpu_block *gpu_memory_find(const struct gpu_memory *memory, uint64_t address);

/* Looks at the guards of the blocks from *cursor on (0 at first) for one that was written to, and
 * repairs it; false when there is none left. */
bool gpu_memory_check_guards(struct gpu_memory *memory, size_t *cursor,
                             struct gpu_overrun *out_overrun);

/* The snapshot of device.h. Errors: ERROR_LIMIT. */
enum error gpu_memory_snapshot(struct gpu_memory *memory, struct diagnostic *diagnostic);
bool gpu_memory_restore(struct gpu_memory *memory);
void gpu_memory_discard(struct gpu_memory *memory);

#endif
