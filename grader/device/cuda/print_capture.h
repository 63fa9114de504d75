/* print_capture.h: catches what the driver prints for a kernel.
 *
 * The driver writes the text of printf in kernels to the process's standard output, and that of
 * failed assertions to its standard error, while the host waits for the kernel. During a launch
 * both descriptors lead to files in memory:
 *
 *   descriptor 1 --> memory file (CAPTURE_BYTES, cannot grow) --> struct text
 *
 * It is a file and not a pipe, because no one reads while the driver writes. It cannot grow, so a
 * kernel that prints endlessly uses no more memory than that; the rest of its output is lost.
 */
#ifndef GPUGRADE_DEVICE_CUDA_PRINT_CAPTURE_H
#define GPUGRADE_DEVICE_CUDA_PRINT_CAPTURE_H

#include "base/diagnostic.h"
#include "base/text.h"

enum { CAPTURE_STREAMS = 2, CAPTURE_BYTES = 16 << 20 };

struct print_capture {
    int files[CAPTURE_STREAMS]; /* memory files for descriptors 1 and 2 */
    int saved[CAPTURE_STREAMS]; /* what the descriptors were before; -1: closed */
};

/* Makes the files. Errors: ERROR_ENVIRONMENT. */
enum error print_capture_init(struct print_capture *capture, struct diagnostic *diagnostic);
void print_capture_release(struct print_capture *capture);

/* Leads descriptors 1 and 2 into the files, until print_capture_end() puts them back. */
void print_capture_begin(struct print_capture *capture);

/* Puts the descriptors back; replaces `out_texts` [CAPTURE_STREAMS] with what was written. */
void print_capture_end(struct print_capture *capture, struct text *out_texts);

#endif
