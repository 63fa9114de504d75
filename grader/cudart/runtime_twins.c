/* runtime_twins.c: memory that exists twice, on the device and here; no page is ever shared.
 *
 *   kind        address here and there   goes to the device      comes back
 *   managed     the same                 before each launch      at the next synchronisation
 *   pinned      the same                 before a launch that    right after the launch
 *   registered  two                      can reach it            right after the launch
 *
 * Twins with one address lie in the reserved window, with their pages opened here, so that one
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

#include "wire/little_endian.h"
#include "wire/page_hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct twin **twins; /* [twin_count], by host address */
static size_t twin_count, twin_capacity;
static size_t registered_count;
static size_t hidden_count;     /* that no kernel can reach yet */
static size_t newer_count;      /* managed ones that are newer on the device */
static uint64_t *outside_pages; /* [outside_count] that were mapped outside of the window */
static size_t outside_count;

static size_t page_count(const struct twin *twin)
{
    return (twin->bytes + HASH_PAGE_BYTES - 1) / HASH_PAGE_BYTES;
}

static size_t page_length(const struct twin *twin, size_t page)
{
    size_t left = twin->bytes - page * HASH_PAGE_BYTES;

    return left < HASH_PAGE_BYTES ? left : HASH_PAGE_BYTES;
}

/* The index of the first twin above an address. */
static size_t index_above(const void *pointer)
{
    size_t low = 0, high = twin_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)twins[middle]->host > (uintptr_t)pointer) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* The pages that a twin touches, or (inner) those that it fills alone. */
static void page_range(const struct twin *twin, bool inner, uint64_t *out_start, uint64_t *out_end)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = (uint64_t)(uintptr_t)twin->host;
    uint64_t end = start + twin->bytes;

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

/* Maps the pages of a twin outside of the window; false where the program has something else. */
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

static bool open_pages(const struct twin *twin)
{
    uint64_t start, end;

    if (twin->kind == TWIN_REGISTERED) {
        return true;
    }
    page_range(twin, false, &start, &end);
    if (!runtime_is_window_address(twin->host)) {
        return map_outside(start, end);
    }
    return mprotect((void *)(uintptr_t)start, end - start, PROT_READ | PROT_WRITE) == 0;
}

/* Closes the pages of a twin; those that it shares with a neighbour stay open. */
static void close_pages(const struct twin *twin)
{
    uint64_t start, end;

    page_range(twin, true, &start, &end);
    if (twin->kind != TWIN_REGISTERED && runtime_is_window_address(twin->host) && start < end) {
        madvise((void *)(uintptr_t)start, end - start, MADV_DONTNEED);
        mprotect((void *)(uintptr_t)start, end - start, PROT_NONE);
    }
}

static bool grow_list(void)
{
    size_t capacity = twin_capacity == 0 ? 16 : twin_capacity * 2;

    if (twin_count < twin_capacity) {
        return true;
    }
    struct twin **grown = realloc(twins, capacity * sizeof(*twins));
    if (grown == NULL) {
        return false;
    }
    twins = grown;
    twin_capacity = capacity;
    return true;
}

cudaError_t twin_add(const struct twin *twin)
{
    size_t index = index_above(twin->host);
    struct twin *added = malloc(sizeof(*added));
    uint64_t *hashes = calloc(page_count(twin) + 1, sizeof(*hashes));

    if (added == NULL || hashes == NULL || !grow_list() || !open_pages(twin)) {
        free(added);
        free(hashes);
        return cudaErrorMemoryAllocation;
    }
    *added = *twin;
    added->hashes = hashes;
    added->is_reachable = twin->is_reachable || twin->kind == TWIN_MANAGED;
    memmove(&twins[index + 1], &twins[index], (twin_count - index) * sizeof(struct twin *));
    twins[index] = added;
    twin_count++;
    registered_count += twin->kind == TWIN_REGISTERED;
    hidden_count += !added->is_reachable;
    newer_count += added->is_newer_there;
    return cudaSuccess;
}

static void free_twin(struct twin *twin)
{
    registered_count -= twin->kind == TWIN_REGISTERED;
    hidden_count -= !twin->is_reachable;
    newer_count -= twin->is_newer_there;
    close_pages(twin);
    free(twin->hashes);
    free(twin);
}

void twin_remove(struct twin *twin)
{
    size_t index = index_above(twin->host) - 1;

    twin_count--;
    memmove(&twins[index], &twins[index + 1], (twin_count - index) * sizeof(struct twin *));
    free_twin(twin);
}

void twins_remove_all(void)
{
    for (size_t i = 0; i < twin_count; i++) {
        free_twin(twins[i]);
    }
    twin_count = 0;
}

struct twin *twin_find(const void *pointer)
{
    size_t above = index_above(pointer);
    uint64_t address = (uint64_t)(uintptr_t)pointer;

    if (above > 0 &&
        address - (uint64_t)(uintptr_t)twins[above - 1]->host < twins[above - 1]->bytes) {
        return twins[above - 1];
    }
    for (size_t i = 0; i < twin_count && registered_count > 0; i++) {
        if (twins[i]->device != 0 && address - twins[i]->device < twins[i]->bytes) {
            return twins[i];
        }
    }
    return NULL;
}

bool twin_overlaps(const void *pointer, size_t bytes)
{
    size_t above = index_above(pointer);
    uint64_t start = (uint64_t)(uintptr_t)pointer;

    return (above > 0 &&
            start - (uint64_t)(uintptr_t)twins[above - 1]->host < twins[above - 1]->bytes) ||
           (above < twin_count && (uint64_t)(uintptr_t)twins[above]->host - start < bytes);
}

cudaError_t twin_open(struct twin *twin)
{
    cudaError_t error = cudaSuccess;

    if (twin->device == 0) {
        error = runtime_allocate(twin->bytes, &twin->device);
    }
    if (error == cudaSuccess && !twin->is_reachable) {
        twin->is_reachable = true;
        hidden_count--;
    }
    return error;
}

/* The pinned or registered twin that a word leads to; NULL if it is no such address. */
static struct twin *hidden_target(uint64_t word)
{
    size_t above = index_above((const void *)(uintptr_t)word);

    if (above == 0 ||
        word - (uint64_t)(uintptr_t)twins[above - 1]->host >= twins[above - 1]->bytes) {
        return NULL;
    }
    return twins[above - 1]->kind == TWIN_MANAGED ? NULL : twins[above - 1];
}

void twins_notice(const void *bytes, size_t length)
{
    for (size_t i = 0; i + 8 <= length && hidden_count > 0; i += 8) {
        uint64_t word;

        memcpy(&word, (const uint8_t *)bytes + i, sizeof(word));
        struct twin *twin =
            runtime_is_device_address((const void *)(uintptr_t)word) ? hidden_target(word) : NULL;
        if (twin != NULL) {
            twin_open(twin);
        }
    }
}

/* Opens the twins that parameters lead to and translates addresses of registered memory. */
static cudaError_t translate(uint64_t *parameters, size_t count)
{
    cudaError_t error = cudaSuccess;

    if (hidden_count == 0 && registered_count == 0) {
        return cudaSuccess;
    }
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        struct twin *twin = hidden_target(parameters[i]);

        if (twin == NULL) {
            continue;
        }
        error = twin_open(twin);
        if (error == cudaSuccess) {
            parameters[i] = twin->device + (parameters[i] - (uint64_t)(uintptr_t)twin->host);
        }
    }
    return error;
}

/* Sends pages [first, end) of a twin. */
static cudaError_t send_pages(const struct twin *twin, size_t first, size_t end)
{
    size_t start = first * HASH_PAGE_BYTES;
    size_t length = end < page_count(twin) ? (end - first) * HASH_PAGE_BYTES : twin->bytes - start;
    struct runtime_area area = {twin->device + start, length, length, 1};

    return runtime_upload(&area, twin->host + start, length);
}

/* Sends the pages of a twin that changed here, runs of them at once. */
static cudaError_t push(struct twin *twin)
{
    cudaError_t error = cudaSuccess;
    size_t pages = page_count(twin), first = 0;

    for (size_t page = 0; page <= pages && error == cudaSuccess; page++) {
        bool is_changed = false;

        if (page < pages) {
            uint64_t hash = page_hash(twin->host + page * HASH_PAGE_BYTES, page_length(twin, page));
            is_changed = hash != twin->hashes[page];
            twin->hashes[page] = hash;
        }
        if (is_changed) {
            continue;
        }
        if (first < page) {
            error = send_pages(twin, first, page);
        }
        first = page + 1;
    }
    return error;
}

cudaError_t twins_push(uint64_t *parameters, size_t count)
{
    cudaError_t error = translate(parameters, count);
    size_t hidden_before;

    /* What is sent may lead to twins that were hidden until then. */
    do {
        hidden_before = hidden_count;
        for (size_t i = 0; i < twin_count && error == cudaSuccess; i++) {
            if (twins[i]->is_reachable && !twins[i]->is_newer_there) {
                error = push(twins[i]);
            }
        }
    } while (error == cudaSuccess && hidden_count < hidden_before);
    return error;
}

/* Asks for the changes of up to CLIENT_PIECE_PAGES pages from `first` on. */
static cudaError_t pull_piece(struct twin *twin, size_t first)
{
    uint8_t known[8 * CLIENT_PIECE_PAGES];
    size_t start = first * HASH_PAGE_BYTES, left = twin->bytes - start;
    size_t bytes = left < CLIENT_PIECE_BYTES ? left : CLIENT_PIECE_BYTES;
    size_t pages = (bytes + HASH_PAGE_BYTES - 1) / HASH_PAGE_BYTES;
    struct message reply, request = {
                              .type = CLIENT_CHANGES,
                              .words = {0, twin->device + start, bytes},
                              .payload = known,
                              .payload_bytes = 8 * pages,
                          };

    for (size_t i = 0; i < pages; i++) {
        little_put_u64(known + 8 * i, twin->hashes[first + i]);
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error != cudaSuccess) {
        return error;
    }
    const uint8_t *numbers = reply.payload, *contents = numbers + 8 * reply.words[0];
    for (uint64_t i = 0; i < reply.words[0]; i++) {
        size_t page = first + (size_t)little_get_u64(numbers + 8 * i);
        size_t length = page_length(twin, page);

        memcpy(twin->host + page * HASH_PAGE_BYTES, contents, length);
        twin->hashes[page] = page_hash(contents, length);
        contents += length;
    }
    return cudaSuccess;
}

cudaError_t twin_pull(struct twin *twin)
{
    cudaError_t error = cudaSuccess;

    for (size_t page = 0; page < page_count(twin) && error == cudaSuccess && twin->is_newer_there;
         page += CLIENT_PIECE_PAGES) {
        error = pull_piece(twin, page);
    }
    if (error == cudaSuccess && twin->is_newer_there) {
        twin->is_newer_there = false;
        newer_count--;
    }
    return error;
}

cudaError_t twins_launched(void)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < twin_count && error == cudaSuccess; i++) {
        struct twin *twin = twins[i];

        if (!twin->is_reachable) {
            continue;
        }
        newer_count += !twin->is_newer_there;
        twin->is_newer_there = true;
        if (twin->kind != TWIN_MANAGED) {
            error = twin_pull(twin);
        }
    }
    return error;
}

cudaError_t twins_pull(void)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < twin_count && newer_count > 0 && error == cudaSuccess; i++) {
        error = twin_pull(twins[i]);
    }
    return error;
}
