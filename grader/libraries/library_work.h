/* library_work.h: how the stand-ins for NVIDIA's libraries work.
 *
 *   program --cublasSgemm()--> checks, request --> a stream --> work(request), here in the program:
 *                              memory of the device --fetch--> computing --store--> back
 *
 * A library call is work for a stream, like a launch: the device sees what it reads and writes, in
 * which order, and by which call. What is computed needs no trust, so it is computed here, under
 * the limits of the program; on a real GPU as well. All of it goes through the runtime, whose lock
 * is held from runtime_enter() to runtime_leave() (cudart/runtime.h). */
#ifndef GPUGRADE_LIBRARIES_LIBRARY_WORK_H
#define GPUGRADE_LIBRARIES_LIBRARY_WORK_H

#include "cudart/runtime.h"

/* Device memory: `columns` pieces of `rows` elements, each `stride` elements after the one before,
 * as matrices lie in BLAS; a vector with an increment has rows of one element. `operand` is its
 * name in the call, of at most CLIENT_OPERAND_LETTERS. */
struct library_area {
    const void *address;
    size_t element_bytes;
    size_t rows, columns, stride;
    const char *operand;
    bool is_part; /* the call may leave elements of it unread: they need not be written */
};

/* Copies an area into a new buffer (free() it), its elements without gaps; or only makes the
 * buffer. Errors, which are reported: host memory, memory that is not one living allocation, no
 * memory. Elements that are read and that nothing has written are reported as well. */
cudaError_t library_fetch(const struct library_area *area, void **out_bytes);
cudaError_t library_room(const struct library_area *area, void **out_bytes);

/* Copies elements back into an area. */
cudaError_t library_store(const struct library_area *area, const void *bytes);

/* Gives work to a stream; `request` [bytes], at most LIBRARY_REQUEST_BYTES, is copied. */
cudaError_t library_submit(cudaStream_t stream, cudaError_t (*work)(const void *request),
                           const void *request, size_t bytes);

/* The host has the result of what was submitted last: it waits for the stream. */
void library_wait(cudaStream_t stream);

#endif
