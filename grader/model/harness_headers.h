/* harness_headers.h: the headers that lie beside every harness, "model/NAME" in the folder of
 * headers: marks of judged calls, and what harnesses have in common.
 */
#ifndef MODEL_HARNESS_HEADERS_H
#define MODEL_HARNESS_HEADERS_H

enum { HARNESS_HEADERS = 2 };

static const char *const harness_headers[HARNESS_HEADERS] = {"gpugrade.h", "harness.cuh"};

#endif
