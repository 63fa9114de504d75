/* print_buffer.h: what the kernels of a launch print, in pieces.
 *
 * Blocks run on several threads of the host. What a block prints is one piece; at the end the
 * pieces of all threads are joined in block order. Kernels whose blocks run in order print in the
 * order of execution: one piece.
 *
 * A launch prints at most `limit` bytes; older text is lost, as in CUDA's circular buffer, and the
 * rest begins at the start of a line. A thread keeps not much more than that.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_PRINT_BUFFER_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_PRINT_BUFFER_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

#define PRINT_BYTES_DEFAULT (UINT64_C(1) << 20)

/* Where text goes: printf to the program's standard output, failed assertions to its standard
 * error. */
enum print_stream { PRINT_OUT, PRINT_ERROR, PRINT_STREAMS };

struct print_piece {
    uint64_t block;
    size_t start, bytes; /* in the text */
};

/* What one thread has printed to one stream; zeroed at the beginning. */
struct print_buffer {
    struct text text;
    struct print_piece *pieces; /* [piece_count] */
    size_t piece_count, piece_capacity;
};

void print_buffer_release(struct print_buffer *buffer);

/* The text to which a block appends; print_buffer_end() follows. */
struct text *print_buffer_begin(struct print_buffer *buffer, uint64_t block);

/* Closes what was appended; forgets what is too old to be kept. */
void print_buffer_end(struct print_buffer *buffer, uint64_t limit);

/* Appends the pieces of another thread. */
void print_buffer_merge(struct print_buffer *buffer, const struct print_buffer *other);

/* The pieces by block, the last `limit` bytes of them; appended to `out`. */
void print_buffer_join(const struct print_buffer *buffer, uint64_t limit, struct text *out);

#endif
