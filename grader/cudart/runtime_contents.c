/* runtime_contents.c: contents of memory that exists twice, to the device and back; see
 * runtime_mirrors.c. */
#include "cudart/runtime.h"

#include "wire/little_endian.h"
#include "wire/page_hash.h"

#include <string.h>

static size_t page_length(const struct mirror *mirror, size_t page)
{
    size_t left = mirror->bytes - page * HASH_PAGE_BYTES;

    return left < HASH_PAGE_BYTES ? left : HASH_PAGE_BYTES;
}

/* Sends pages [first, end) of a mirror. */
static cudaError_t send_pages(const struct mirror *mirror, size_t first, size_t end)
{
    size_t start = first * HASH_PAGE_BYTES;
    size_t length =
        end < mirror_pages(mirror) ? (end - first) * HASH_PAGE_BYTES : mirror->bytes - start;
    struct runtime_area area = {mirror->device + start, length, length, 1};

    return runtime_upload(&area, mirror->host + start, length);
}

/* Sends the pages of a mirror that changed here, runs of them at once. */
static cudaError_t push(struct mirror *mirror)
{
    cudaError_t error = cudaSuccess;
    size_t pages = mirror_pages(mirror), first = 0;

    guard_open(mirror);
    for (size_t page = 0; page <= pages && error == cudaSuccess; page++) {
        bool is_changed = false;

        if (page < pages) {
            uint64_t hash =
                page_hash(mirror->host + page * HASH_PAGE_BYTES, page_length(mirror, page));
            is_changed = hash != mirror->hashes[page];
            mirror->hashes[page] = hash;
        }
        if (is_changed) {
            continue;
        }
        if (first < page) {
            error = send_pages(mirror, first, page);
        }
        first = page + 1;
    }
    return error;
}

cudaError_t mirrors_push(uint64_t *parameters, size_t count)
{
    cudaError_t error = mirrors_translate(parameters, count);
    size_t hidden_before;

    /* What is sent may lead to mirrors that were hidden until then. */
    do {
        hidden_before = mirrors_hidden();
        for (size_t i = 0; mirror_at(i) != NULL && error == cudaSuccess; i++) {
            if (mirror_at(i)->is_reachable && !mirror_at(i)->is_newer_there &&
                !mirror_at(i)->is_lent) {
                error = push(mirror_at(i));
            }
        }
    } while (error == cudaSuccess && mirrors_hidden() < hidden_before);
    return error;
}

/* Asks for the changes of up to CLIENT_PIECE_PAGES pages from `first` on. */
static cudaError_t pull_piece(struct mirror *mirror, size_t first)
{
    uint8_t known[8 * CLIENT_PIECE_PAGES];
    size_t start = first * HASH_PAGE_BYTES, left = mirror->bytes - start;
    size_t bytes = left < CLIENT_PIECE_BYTES ? left : CLIENT_PIECE_BYTES;
    size_t pages = (bytes + HASH_PAGE_BYTES - 1) / HASH_PAGE_BYTES;
    struct message reply, request = {
                              .type = CLIENT_CHANGES,
                              .words = {0, mirror->device + start, bytes},
                              .payload = known,
                              .payload_bytes = 8 * pages,
                          };

    for (size_t i = 0; i < pages; i++) {
        little_put_u64(known + 8 * i, mirror->hashes[first + i]);
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error != cudaSuccess) {
        return error;
    }
    const uint8_t *numbers = reply.payload, *contents = numbers + 8 * reply.words[0];
    for (uint64_t i = 0; i < reply.words[0]; i++) {
        size_t page = first + (size_t)little_get_u64(numbers + 8 * i);
        size_t length = page_length(mirror, page);

        memcpy(mirror->host + page * HASH_PAGE_BYTES, contents, length);
        mirror->hashes[page] = page_hash(contents, length);
        contents += length;
    }
    return cudaSuccess;
}

cudaError_t mirror_pull(struct mirror *mirror)
{
    cudaError_t error = cudaSuccess;

    if (mirror->is_newer_there) {
        guard_open(mirror);
    }
    for (size_t page = 0;
         page < mirror_pages(mirror) && error == cudaSuccess && mirror->is_newer_there;
         page += CLIENT_PIECE_PAGES) {
        error = pull_piece(mirror, page);
    }
    if (error == cudaSuccess && mirror->is_newer_there) {
        mirror_set_newer(mirror, false);
    }
    return error;
}

cudaError_t mirrors_launched(void)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; mirror_at(i) != NULL && error == cudaSuccess; i++) {
        struct mirror *mirror = mirror_at(i);

        if (!mirror->is_reachable || mirror->is_lent) {
            continue;
        }
        mirror_set_newer(mirror, true);
        if (mirror->kind != MIRROR_MANAGED) {
            error = mirror_pull(mirror);
        }
    }
    return error;
}

cudaError_t mirrors_pull(void)
{
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; mirror_at(i) != NULL && mirrors_are_newer() && error == cudaSuccess; i++) {
        error = mirror_pull(mirror_at(i));
    }
    return error;
}

cudaError_t runtime_synchronise(void)
{
    runtime_show_printed();
    cudaError_t error = runtime_ask(CLIENT_SYNCHRONISE, NULL, 0);

    return error == cudaSuccess ? mirrors_pull() : error;
}
