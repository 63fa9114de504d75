/* term_file.h: the file that says what a term consists of.
 *
 *     {"title": "GPU programming", "out_of": 100,
 *      "parts": [{"title": "Labs", "weight": 40, "best": 2,
 *                 "courseworks": [{"results": "lab1"}, {"results": "lab2", "weight": 2},
 *                                 {"results": "lab3"}]},
 *                {"title": "Project", "weight": 60, "courseworks": [{"results": "project"}]}]}
 *
 * "results" is a folder that `gpugrade batch -o` wrote; a path that is not absolute starts at the
 * folder of the file. Weights are 1 and out_of is 100 unless given; without "best" all count.
 */
#ifndef GPUGRADE_BATCH_TERM_FILE_H
#define GPUGRADE_BATCH_TERM_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/term_results.h"

/* Reads a file of at most 1 MiB; a term has at most 1000 courseworks. The courseworks have neither
 * page nor results yet. Errors, all of them usage: ERROR_SYNTAX, ERROR_RANGE and those of
 * file_read. */
enum error term_file_read(struct arena *arena, const char *path, struct term *out_term,
                          struct diagnostic *diagnostic);

#endif
