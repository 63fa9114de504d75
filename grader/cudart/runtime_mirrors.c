/* runtime_mirrors.c: memory that exists twice, on the device and here; no page is ever shared.
 *
 *   kind        address here and there   goes to the device      comes back
 *   managed     the same                 before each launch      at the next synchronisation
 *   pinned      the same                 before a launch that    right after the launch
 *   registered  two                      can reach it            right after the launch
 *
 * Mirrors with one address lie in the reserved window, with their pages opened here, so that one
 * pointer serves both sides. Managed variables of a real GPU lie where its driver puts them: the
 * same pages are mapped here, if nothing else lies there, and stay. Pinned memory is mostly a
 * buffer for copies: it is sent only once a kernel may hold its address, which is when the program
 * asked for it (cudaHostAllocMapped, cudaHostGetDevicePointer) or when the address was seen among
 * the words of a launch's parameters or of an upload. In parameters, addresses of registered memory
 * are replaced by the device's.
 *
 * What is sent are pages whose hash differs from the one that both sides last agreed on. Between a
 * launch and the next synchronisation the host must not touch managed memory (the device says so:
 * its attribute for concurrent managed access is 0); pinned memory is the host's at all times.
 */
#include "cudart/runtime.h"

#include "wire/page_hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct mirror **mirrors; /* [mirror_count], by host address */
static size_t mirror_count, mirror_capacity;
static size_t registered_count;
static size_t hidden_count;     /* that no kernel can reach yet */
static size_t newer_count;      /* managed ones that are newer on the device */
static uint64_t *outside_pages; /* [outside_count] that were mapped outside of the window */
static size_t outside_count;

size_t mirror_pages(const struct mirror *mirror)
{
    return (mirror->bytes + HASH_PAGE_BYTES - 1) / HASH_PAGE_BYTES;
}

/* The index of the first mirror above an address. */
static size_t index_above(const void *pointer)
{
    size_t low = 0, high = mirror_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)mirrors[middle]->host > (uintptr_t)pointer) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* The pages that a mirror touches, or (inner) those that it fills alone. */
static void page_range(const struct mirror *mirror, bool inner, uint64_t *out_start,
                       uint64_t *out_end)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = (uint64_t)(uintptr_t)mirror->host;
    uint64_t end = start + mirror->bytes;

    *out_start = (inner ? start + page - 1 : start) / page * page;
    *out_end = (inner ? end : end + page - 1) / page * page;
}

static bool is_mapped_outside(uint64_t page)
{
    for (size_t i = 0; i < outside_count; i++) {
        if (outside_pages[i] == page) {
            return true;
        }
    }
    return false;
}

/* Maps the pages of a mirror outside of the window; false where the program has something else. */
static bool map_outside(uint64_t start, uint64_t end)
{
    uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);

    for (uint64_t page = start; page < end; page += page_bytes) {
        if (is_mapped_outside(page)) {
            continue;
        }
        uint64_t *grown = realloc(outside_pages, (outside_count + 1) * sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        outside_pages = grown;
        void *wanted = (void *)(uintptr_t)page;
        void *mapped = mmap(wanted, page_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (mapped != wanted) {
            if (mapped != MAP_FAILED) {
                munmap(mapped, page_bytes);
            }
            return false;
        }
        outside_pages[outside_count++] = page;
    }
    return true;
}

static bool open_pages(const struct mirror *mirror)
{
    uint64_t start, end;

    if (mirror->kind == MIRROR_REGISTERED) {
        return true;
    }
    page_range(mirror, false, &start, &end);
    if (!runtime_is_window_address(mirror->host)) {
        return map_outside(start, end);
    }
    return mprotect((void *)(uintptr_t)start, end - start, PROT_READ | PROT_WRITE) == 0;
}

/* Closes the pages of a mirror; those that it shares with a neighbour stay open. */
static void close_pages(const struct mirror *mirror)
{
    uint64_t start, end;

    page_range(mirror, true, &start, &end);
    if (mirror->kind != MIRROR_REGISTERED && runtime_is_window_address(mirror->host) &&
        start < end) {
        madvise((void *)(uintptr_t)start, end - start, MADV_DONTNEED);
        mprotect((void *)(uintptr_t)start, end - start, PROT_NONE);
    }
}

static bool grow_list(void)
{
    size_t capacity = mirror_capacity == 0 ? 16 : mirror_capacity * 2;

    if (mirror_count < mirror_capacity) {
        return true;
    }
    struct mirror **grown = realloc(mirrors, capacity * sizeof(*mirrors));
    if (grown == NULL) {
        return false;
    }
    mirrors = grown;
    mirror_capacity = capacity;
    return true;
}

cudaError_t mirror_add(const struct mirror *mirror)
{
    size_t index = index_above(mirror->host);
    struct mirror *added = malloc(sizeof(*added));
    uint64_t *hashes = calloc(mirror_pages(mirror) + 1, sizeof(*hashes));

    if (added == NULL || hashes == NULL || !grow_list() || !open_pages(mirror)) {
        free(added);
        free(hashes);
        return cudaErrorMemoryAllocation;
    }
    *added = *mirror;
    if (mirror->kind != MIRROR_REGISTERED) {
        runtime_start_order();
    }
    added->hashes = hashes;
    added->is_reachable = mirror->is_reachable || mirror->kind == MIRROR_MANAGED;
    memmove(&mirrors[index + 1], &mirrors[index], (mirror_count - index) * sizeof(struct mirror *));
    mirrors[index] = added;
    mirror_count++;
    registered_count += mirror->kind == MIRROR_REGISTERED;
    hidden_count += !added->is_reachable;
    newer_count += added->is_newer_there;
    return cudaSuccess;
}

static void free_mirror(struct mirror *mirror)
{
    registered_count -= mirror->kind == MIRROR_REGISTERED;
    hidden_count -= !mirror->is_reachable;
    newer_count -= mirror->is_newer_there;
    close_pages(mirror);
    free(mirror->hashes);
    free(mirror);
}

void mirror_remove(struct mirror *mirror)
{
    size_t index = index_above(mirror->host) - 1;

    mirror_count--;
    memmove(&mirrors[index], &mirrors[index + 1], (mirror_count - index) * sizeof(struct mirror *));
    free_mirror(mirror);
}

void mirrors_remove_all(void)
{
    for (size_t i = 0; i < mirror_count; i++) {
        free_mirror(mirrors[i]);
    }
    mirror_count = 0;
}

struct mirror *mirror_at(size_t index)
{
    return index < mirror_count ? mirrors[index] : NULL;
}

size_t mirrors_hidden(void)
{
    return hidden_count;
}

bool mirrors_are_newer(void)
{
    return newer_count > 0;
}

void mirror_set_newer(struct mirror *mirror, bool is_newer)
{
    newer_count -= mirror->is_newer_there;
    newer_count += is_newer;
    mirror->is_newer_there = is_newer;
}

struct mirror *mirror_find(const void *pointer)
{
    size_t above = index_above(pointer);
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    if (above > 0 &&
        address - (uint64_t)(uintptr_t)mirrors[above - 1]->host < mirrors[above - 1]->bytes) {
        return mirrors[above - 1];
    }
    for (size_t i = 0; i < mirror_count && registered_count > 0; i++) {
        if (mirrors[i]->device != 0 && address - mirrors[i]->device < mirrors[i]->bytes) {
            return mirrors[i];
        }
    }
    return NULL;
}

bool mirror_overlaps(const void *pointer, size_t bytes)
{
    size_t above = index_above(pointer);
    uint64_t start = (uint64_t)(uintptr_t)pointer;

    return (above > 0 &&
            start - (uint64_t)(uintptr_t)mirrors[above - 1]->host < mirrors[above - 1]->bytes) ||
           (above < mirror_count && (uint64_t)(uintptr_t)mirrors[above]->host - start < bytes);
}

cudaError_t mirror_open(struct mirror *mirror)
{
    cudaError_t error = cudaSuccess;

    if (mirror->device == 0) {
        error = runtime_allocate(mirror->bytes, &mirror->device);
    }
    if (error == cudaSuccess && !mirror->is_reachable) {
        mirror->is_reachable = true;
        hidden_count--;
    }
    return error;
}

/* The pinned or registered mirror that a word leads to; NULL if it is no such address. */
static struct mirror *hidden_target(uint64_t word)
{
    size_t above = index_above((const void *)(uintptr_t)word);

    if (above == 0 ||
        word - (uint64_t)(uintptr_t)mirrors[above - 1]->host >= mirrors[above - 1]->bytes) {
        return NULL;
    }
    return mirrors[above - 1]->kind == MIRROR_MANAGED ? NULL : mirrors[above - 1];
}

void mirrors_notice(const void *bytes, size_t length)
{
    for (size_t i = 0; i + 8 <= length && hidden_count > 0; i += 8) {
        uint64_t word;

        memcpy(&word, (const uint8_t *)bytes + i, sizeof(word));
        struct mirror *mirror =
            runtime_is_device_address((const void *)(uintptr_t)word) ? hidden_target(word) : NULL;
        if (mirror != NULL) {
            mirror_open(mirror);
        }
    }
}

cudaError_t mirrors_translate(uint64_t *parameters, size_t count)
{
    cudaError_t error = cudaSuccess;

    if (hidden_count == 0 && registered_count == 0) {
        return cudaSuccess;
    }
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        struct mirror *mirror = hidden_target(parameters[i]);

        if (mirror == NULL) {
            continue;
        }
        error = mirror_open(mirror);
        if (error == cudaSuccess) {
            parameters[i] = mirror->device + (parameters[i] - (uint64_t)(uintptr_t)mirror->host);
        }
    }
    return error;
}

void mirrors_forget(void)
{
    for (size_t i = 0; mirror_at(i) != NULL; i++) {
        struct mirror *mirror = mirror_at(i);
        for (size_t page = 0; page < mirror_pages(mirror); page++) {
            mirror->hashes[page] = 0; /* as good as no page has it */
        }
    }
}

void guard_open(struct mirror *mirror)
{
    if (mirror->guard_end > 0 && !mirror->is_opened) {
        mprotect((void *)(uintptr_t)mirror->guard_start, mirror->guard_end - mirror->guard_start,
                 PROT_READ | PROT_WRITE);
        mirror->is_opened = true;
    }
}
