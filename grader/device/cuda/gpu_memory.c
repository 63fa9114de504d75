/* gpu_memory.c: see gpu_memory.h. */
#include "device/cuda/gpu_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 1 << 20 }; /* of the host's buffer, where the driver has no call for a copy */

#define WINDOW_LEAST_BYTES (UINT64_C(1) << 36) /* a window that is smaller is of no use */

static CUmemAllocationProp memory_kind(const struct gpu_memory *memory)
{
    return (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = memory->gpu},
    };
}

enum error gpu_memory_init(struct gpu_memory *memory, const struct driver *driver, CUdevice gpu,
                           uint64_t limit_bytes, struct diagnostic *diagnostic)
{
    *memory = (struct gpu_memory){.driver = driver, .gpu = gpu, .limit_bytes = limit_bytes};
    CUmemAllocationProp kind = memory_kind(memory);
    size_t granularity = 0;
    CUresult result =
        driver->granularity(&granularity, &kind, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    CUdeviceptr start = 0;
    uint64_t bytes = DEVICE_WINDOW_BYTES;
    while (result == CUDA_SUCCESS && bytes >= WINDOW_LEAST_BYTES && start == 0 &&
           driver->reserve(&start, bytes, 0, DEVICE_WINDOW_START, 0) != CUDA_SUCCESS) {
        start = 0;
        bytes /= 2;
    }
    if (result != CUDA_SUCCESS || start != DEVICE_WINDOW_START) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver cannot reserve addresses starting at 0x%" PRIx64
                       "; use the emulated device (--device emulated)",
                       (uint64_t)DEVICE_WINDOW_START);
        if (start != 0) {
            driver->unreserve(start, bytes);
        }
        return ERROR_ENVIRONMENT;
    }
    memory->granularity = granularity;
    memory->window_bytes = bytes;
    memory->next = DEVICE_WINDOW_START + granularity;
    return ERROR_NONE;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Makes memory and maps it at an address that is reserved. */
static CUresult map_new(const struct gpu_memory *memory, uint64_t address, uint64_t bytes,
                        CUmemGenericAllocationHandle *out_handle)
{
    const struct driver *driver = memory->driver;
    CUmemAllocationProp kind = memory_kind(memory);
    CUmemAccessDesc access = {.location = kind.location,
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle;
    CUresult result = driver->create(&handle, bytes, &kind, 0);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = driver->map(address, bytes, 0, handle, 0);
    if (result == CUDA_SUCCESS) {
        result = driver->grant(address, bytes, &access, 1);
        if (result != CUDA_SUCCESS) {
            driver->unmap(address, bytes);
        }
    }
    if (result != CUDA_SUCCESS) {
        driver->destroy(handle);
        return result;
    }
    *out_handle = handle;
    return CUDA_SUCCESS;
}

static void unmap_block(const struct gpu_memory *memory, const struct gpu_block *block)
{
    if (block->mapped != 0) {
        memory->driver->unmap(block->mapped, block->mapped_bytes);
        memory->driver->destroy(block->memory);
    }
}

void gpu_memory_release(struct gpu_memory *memory)
{
    if (memory == NULL || memory->window_bytes == 0) {
        return;
    }
    gpu_memory_discard(memory);
    for (size_t i = 0; i < memory->block_count; i++) {
        unmap_block(memory, &memory->blocks[i]);
    }
    memory->driver->unreserve(DEVICE_WINDOW_START, memory->window_bytes);
    free(memory->blocks);
    *memory = (struct gpu_memory){0};
}

/* Index of the first block that starts above `address`. */
static size_t block_above(const struct gpu_memory *memory, uint64_t address)
{
    size_t low = 0;
    size_t high = memory->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->blocks[middle].start > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

const struct gpu_block *gpu_memory_find(const struct gpu_memory *memory, uint64_t address)
{
    size_t above = block_above(memory, address);
    if (above == 0 || address >= memory->blocks[above - 1].end) {
        return NULL;
    }
    return &memory->blocks[above - 1];
}

/* Makes room for one more block; false without memory. */
static bool grow_blocks(struct gpu_memory *memory)
{
    if (memory->block_count < memory->block_capacity) {
        return true;
    }
    size_t capacity = memory->block_capacity == 0 ? 64 : memory->block_capacity * 2;
    struct gpu_block *moved = reallocarray(memory->blocks, capacity, sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    memory->blocks = moved;
    memory->block_capacity = capacity;
    return true;
}

static void insert_block(struct gpu_memory *memory, struct gpu_block block)
{
    size_t index = block_above(memory, block.start);
    struct gpu_block *at = &memory->blocks[index];
    memmove(at + 1, at, (memory->block_count - index) * sizeof *at);
    *at = block;
    memory->block_count++;
    memory->living_bytes += block.end - block.start;
}

/* Finds addresses for a mapping, with nothing before and behind it: above everything, and a gap as
 * large as itself behind; else, when the window is full, in the lowest hole. 0 if there is none. */
static uint64_t find_room(const struct gpu_memory *memory, uint64_t bytes)
{
    uint64_t end = DEVICE_WINDOW_START + memory->window_bytes;
    uint64_t gap = memory->granularity;
    if (bytes > memory->window_bytes / 4) {
        return 0;
    }
    if (memory->next < end && 2 * bytes <= end - memory->next) {
        return memory->next;
    }
    uint64_t candidate = DEVICE_WINDOW_START + gap;
    for (size_t i = 0; i < memory->block_count; i++) {
        const struct gpu_block *block = &memory->blocks[i];
        if (block->mapped == 0) {
            continue;
        }
        if (candidate < block->mapped && bytes + gap <= block->mapped - candidate) {
            return candidate;
        }
        candidate = block->mapped + block->mapped_bytes + gap;
    }
    return candidate < end && bytes + gap <= end - candidate ? candidate : 0;
}

/* Writes the guards of a new block, and poison into it. */
static CUresult prepare(const struct gpu_memory *memory, const struct gpu_block *block)
{
    const struct driver *driver = memory->driver;
    uint64_t bytes = block->end - block->start;
    CUresult result = driver->fill_bytes(block->mapped, GUARD_BYTE, block->mapped_bytes);
    if (result == CUDA_SUCCESS && bytes >= sizeof(uint16_t)) {
        result = driver->fill_halves(block->start, GPU_POISON_HALF, bytes / sizeof(uint16_t));
    }
    if (result == CUDA_SUCCESS && bytes % sizeof(uint16_t) != 0) {
        result = driver->fill_bytes(block->end - 1, GPU_POISON_HALF & 0xff, 1);
    }
    return result;
}

static enum error check_limit(const struct gpu_memory *memory, uint64_t bytes,
                              struct diagnostic *diagnostic)
{
    uint64_t left = memory->limit_bytes - memory->living_bytes;
    if (bytes <= left) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_STUDENT,
                   "%" PRIu64 " bytes of device memory were requested, but only %" PRIu64
                   " of %" PRIu64 " are left; free some or use smaller arrays",
                   bytes, left, memory->limit_bytes);
    return ERROR_LIMIT;
}

/* Whether a mapping that was given out and ended may be made again: nothing is in its place. */
static bool is_free(const struct gpu_memory *memory, uint64_t mapped, uint64_t bytes)
{
    if (mapped < DEVICE_WINDOW_START || mapped % memory->granularity != 0 ||
        mapped >= memory->next || bytes > memory->next - mapped) {
        return false;
    }
    for (size_t i = 0; i < memory->block_count; i++) {
        const struct gpu_block *block = &memory->blocks[i];
        if (block->mapped != 0 && block->mapped < mapped + bytes &&
            mapped < block->mapped + block->mapped_bytes) {
            return false;
        }
    }
    return true;
}

/* Makes a block in a mapping of `mapped_bytes` at `mapped`; 0: there is no room for it. */
static enum error make_block(struct gpu_memory *memory, uint64_t bytes, uint64_t mapped,
                             uint64_t *out_address, struct diagnostic *diagnostic)
{
    struct gpu_block block = {.mapped = mapped,
                              .mapped_bytes = round_up(bytes, memory->granularity)};
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (block.mapped != 0 && grow_blocks(memory)) {
        result = map_new(memory, block.mapped, block.mapped_bytes, &block.memory);
    }
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the GPU has no room for %" PRIu64 " more bytes (%s)", bytes,
                       driver_error_name(memory->driver, result));
        return ERROR_LIMIT;
    }
    block.start = block.mapped + block.mapped_bytes - round_up(bytes, GPU_ALIGNMENT);
    block.end = block.start + bytes;
    result = prepare(memory, &block);
    if (result != CUDA_SUCCESS) {
        unmap_block(memory, &block);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the GPU cannot fill an allocation (%s)",
                       driver_error_name(memory->driver, result));
        return ERROR_LIMIT;
    }
    if (block.mapped == memory->next) {
        memory->next += 2 * block.mapped_bytes;
    }
    insert_block(memory, block);
    *out_address = block.start;
    return ERROR_NONE;
}

enum error gpu_memory_allocate(struct gpu_memory *memory, uint64_t bytes, uint64_t *out_address,
                               struct diagnostic *diagnostic)
{
    enum error error = check_limit(memory, bytes, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    uint64_t mapped =
        bytes < memory->window_bytes ? find_room(memory, round_up(bytes, memory->granularity)) : 0;
    return make_block(memory, bytes, mapped, out_address, diagnostic);
}

enum error gpu_memory_allocate_again(struct gpu_memory *memory, uint64_t bytes, uint64_t address,
                                     struct diagnostic *diagnostic)
{
    enum error error = check_limit(memory, bytes, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    uint64_t mapped_bytes = 0;
    uint64_t mapped = 0;
    if (bytes > 0 && bytes < memory->window_bytes) {
        mapped_bytes = round_up(bytes, memory->granularity);
        mapped = address + round_up(bytes, GPU_ALIGNMENT) - mapped_bytes;
    }
    return make_block(memory, bytes, is_free(memory, mapped, mapped_bytes) ? mapped : 0, &address,
                      diagnostic);
}

bool gpu_memory_free(struct gpu_memory *memory, uint64_t address)
{
    const struct gpu_block *found = gpu_memory_find(memory, address);
    if (found == NULL || found->start != address || found->is_module_variable) {
        return false;
    }
    size_t index = (size_t)(found - memory->blocks);
    struct gpu_block *block = &memory->blocks[index];
    memory->driver->synchronize(); /* a fill may still be on its way, and unmapping does not wait */
    unmap_block(memory, block);
    memory->living_bytes -= block->end - block->start;
    memory->block_count--;
    memmove(block, block + 1, (memory->block_count - index) * sizeof *block);
    return true;
}

enum error gpu_memory_add_variable(struct gpu_memory *memory, uint64_t address, uint64_t bytes,
                                   bool is_constant, struct diagnostic *diagnostic)
{
    enum error error = check_limit(memory, bytes, diagnostic);
    if (error == ERROR_NONE && !grow_blocks(memory)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for another variable");
        error = ERROR_LIMIT;
    }
    if (error == ERROR_NONE) {
        insert_block(memory, (struct gpu_block){.start = address,
                                                .end = address + bytes,
                                                .is_module_variable = true,
                                                .is_constant = is_constant});
    }
    return error;
}

/* True if a range lies within one block. */
static bool is_within_block(const struct gpu_memory *memory, uint64_t address, uint64_t length)
{
    const struct gpu_block *block = gpu_memory_find(memory, address);
    return block != NULL && length <= block->end - address;
}

bool gpu_memory_read(const struct gpu_memory *memory, uint64_t address, void *out_bytes,
                     size_t length)
{
    return is_within_block(memory, address, length) &&
           (length == 0 || memory->driver->download(out_bytes, address, length) == CUDA_SUCCESS);
}

bool gpu_memory_write(const struct gpu_memory *memory, uint64_t address, const void *bytes,
                      size_t length)
{
    return is_within_block(memory, address, length) &&
           (length == 0 || memory->driver->upload(address, bytes, length) == CUDA_SUCCESS);
}

/* Fills by writing copies of the pattern from the host, where the driver's fill does not fit. */
static bool fill_from_host(const struct gpu_memory *memory, uint64_t address, uint64_t length,
                           uint32_t pattern, size_t pattern_bytes)
{
    size_t most = length < COPY_BYTES ? (size_t)length : COPY_BYTES;
    uint8_t *bytes = malloc(most + sizeof pattern);
    bool is_done = bytes != NULL;
    for (size_t i = 0; is_done && i < most; i += pattern_bytes) {
        memcpy(bytes + i, &pattern, pattern_bytes);
    }
    for (uint64_t at = 0; is_done && at < length; at += most) {
        size_t part = length - at < most ? (size_t)(length - at) : most;
        is_done = memory->driver->upload(address + at, bytes, part) == CUDA_SUCCESS;
    }
    free(bytes);
    return is_done;
}

bool gpu_memory_fill(const struct gpu_memory *memory, uint64_t address, uint64_t length,
                     uint32_t pattern, size_t pattern_bytes)
{
    const struct driver *driver = memory->driver;
    CUresult result = CUDA_SUCCESS;
    if (!is_within_block(memory, address, length) ||
        (pattern_bytes != 1 && pattern_bytes != 2 && pattern_bytes != 4)) {
        return false;
    }
    if (length == 0) {
        return true;
    }
    if (address % pattern_bytes != 0 || length % pattern_bytes != 0) {
        return fill_from_host(memory, address, length, pattern, pattern_bytes);
    }
    if (pattern_bytes == 1) {
        result = driver->fill_bytes(address, (unsigned char)pattern, length);
    } else if (pattern_bytes == 2) {
        result = driver->fill_halves(address, (unsigned short)pattern, length / 2);
    } else {
        result = driver->fill_words(address, pattern, length / 4);
    }
    return result == CUDA_SUCCESS && driver->synchronize() == CUDA_SUCCESS;
}

/* Copies between ranges that overlap, through the host, from the end that is not overwritten. */
static bool copy_overlapping(const struct gpu_memory *memory, uint64_t to, uint64_t from,
                             uint64_t length)
{
    uint8_t *bytes = malloc(COPY_BYTES);
    bool is_done = bytes != NULL;
    for (uint64_t copied = 0; is_done && copied < length;) {
        size_t part = length - copied < COPY_BYTES ? (size_t)(length - copied) : COPY_BYTES;
        uint64_t at = to < from ? copied : length - copied - part;
        is_done = memory->driver->download(bytes, from + at, part) == CUDA_SUCCESS &&
                  memory->driver->upload(to + at, bytes, part) == CUDA_SUCCESS;
        copied += part;
    }
    free(bytes);
    return is_done;
}

bool gpu_memory_copy(const struct gpu_memory *memory, uint64_t to, uint64_t from, uint64_t length)
{
    if (!is_within_block(memory, to, length) || !is_within_block(memory, from, length)) {
        return false;
    }
    if (length == 0 || to == from) {
        return true;
    }
    if ((to < from ? from - to : to - from) < length) {
        return copy_overlapping(memory, to, from, length);
    }
    return memory->driver->copy(to, from, length) == CUDA_SUCCESS &&
           memory->driver->synchronize() == CUDA_SUCCESS;
}

/* Looks for a change in one guard of a block; repairs it. */
static bool check_guard(const struct gpu_memory *memory, const struct gpu_block *block,
                        uint64_t from, uint64_t to, struct gpu_overrun *out_overrun)
{
    uint8_t bytes[GPU_GUARD_BYTES];
    uint64_t changed = 0;
    uint64_t first = 0;
    if (from >= to || to - from > sizeof bytes ||
        memory->driver->download(bytes, from, to - from) != CUDA_SUCCESS) {
        return false;
    }
    for (uint64_t i = 0; i < to - from; i++) {
        if (bytes[i] != GUARD_BYTE) {
            first = changed == 0 ? from + i : first;
            changed++;
        }
    }
    if (changed == 0) {
        return false;
    }
    memory->driver->fill_bytes(from, GUARD_BYTE, to - from);
    *out_overrun = (struct gpu_overrun){
        .block = *block,
        .address = first,
        .distance =
            first < block->start ? -(int64_t)(block->start - first) : (int64_t)(first - block->end),
        .bytes = changed,
    };
    return true;
}

bool gpu_memory_check_guards(struct gpu_memory *memory, size_t *cursor,
                             struct gpu_overrun *out_overrun)
{
    for (; *cursor < memory->block_count; (*cursor)++) {
        const struct gpu_block *block = &memory->blocks[*cursor];
        if (block->mapped == 0) {
            continue;
        }
        bool has_front = block->start - block->mapped >= GPU_GUARD_BYTES;
        if (has_front &&
            check_guard(memory, block, block->start - GPU_GUARD_BYTES, block->start, out_overrun)) {
            return true;
        }
        if (check_guard(memory, block, block->end, block->mapped + block->mapped_bytes,
                        out_overrun)) {
            return true;
        }
    }
    return false;
}

/* Copies every block to the snapshot, or back. */
static CUresult copy_blocks(const struct gpu_memory *memory, bool is_restore)
{
    const struct driver *driver = memory->driver;
    uint64_t at = memory->snapshot.address;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < memory->block_count && result == CUDA_SUCCESS; i++) {
        const struct gpu_block *block = &memory->blocks[i];
        uint64_t bytes = block->end - block->start;
        result = is_restore ? driver->copy(block->start, at, bytes)
                            : driver->copy(at, block->start, bytes);
        at += round_up(bytes, GPU_ALIGNMENT);
    }
    return result == CUDA_SUCCESS ? driver->synchronize() : result;
}

enum error gpu_memory_snapshot(struct gpu_memory *memory, struct diagnostic *diagnostic)
{
    const struct driver *driver = memory->driver;
    struct gpu_snapshot snapshot = {.bytes = 1};
    gpu_memory_discard(memory);
    for (size_t i = 0; i < memory->block_count; i++) {
        snapshot.bytes += round_up(memory->blocks[i].end - memory->blocks[i].start, GPU_ALIGNMENT);
    }
    snapshot.bytes = round_up(snapshot.bytes, memory->granularity);
    CUdeviceptr address = 0;
    CUresult result = driver->reserve(&address, snapshot.bytes, 0, 0, 0);
    if (result == CUDA_SUCCESS) {
        result = map_new(memory, address, snapshot.bytes, &snapshot.memory);
        if (result != CUDA_SUCCESS) {
            driver->unreserve(address, snapshot.bytes);
        }
    }
    if (result == CUDA_SUCCESS) {
        snapshot.address = address;
        memory->snapshot = snapshot;
        result = copy_blocks(memory, false);
        driver->unmap(address, snapshot.bytes);
    }
    if (result != CUDA_SUCCESS) {
        gpu_memory_discard(memory);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the GPU has no room for a snapshot of %" PRIu64 " bytes (%s)",
                       memory->living_bytes, driver_error_name(driver, result));
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

bool gpu_memory_restore(struct gpu_memory *memory)
{
    const struct driver *driver = memory->driver;
    const struct gpu_snapshot *snapshot = &memory->snapshot;
    CUmemAccessDesc access = {.location = memory_kind(memory).location,
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    if (snapshot->address == 0 ||
        driver->map(snapshot->address, snapshot->bytes, 0, snapshot->memory, 0) != CUDA_SUCCESS) {
        return false;
    }
    bool is_done = driver->grant(snapshot->address, snapshot->bytes, &access, 1) == CUDA_SUCCESS &&
                   copy_blocks(memory, true) == CUDA_SUCCESS;
    return driver->unmap(snapshot->address, snapshot->bytes) == CUDA_SUCCESS && is_done;
}

void gpu_memory_discard(struct gpu_memory *memory)
{
    if (memory->snapshot.address != 0) {
        memory->driver->destroy(memory->snapshot.memory);
        memory->driver->unreserve(memory->snapshot.address, memory->snapshot.bytes);
        memory->snapshot = (struct gpu_snapshot){0};
    }
}
