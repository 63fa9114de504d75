/* shared_lines.h: which lines of two students' sources say the same. Pure.
 *
 * Sources are compared token by token, without comments, layout and preprocessor lines. A name is
 * only where the same name stood before, so other names do not matter as long as they are used in
 * the same way (Baker 1995, "On finding duplication and near-duplication in large software
 * systems"); a number is only a number. What at least SHARED_TOKENS_LEAST tokens in a row have in
 * common is a run, wherever it stands in the other's files: from left to right the longest one is
 * taken, and no token is in two. Runs of which nearly all is in the template or the reference
 * solution too are left out.
 *
 * This explains a pair that similarity.h has found; it finds none.
 */
#ifndef GPUGRADE_REPORT_CLASS_SHARED_LINES_H
#define GPUGRADE_REPORT_CLASS_SHARED_LINES_H

#include "base/arena.h"
#include "model/report.h"

enum {
    SHARED_TOKENS_LEAST = 20,
    SHARED_OWN_LEAST = 10,          /* tokens of a run that are in no known file */
    SHARED_TOKENS_MAX = 200 * 1000, /* of all files of one side; later files have no runs */
};

struct shared_files {
    const struct source_file *files; /* [count] */
    size_t count;
};

/* A run in the files of one side: the lines of what is in no known file. */
struct shared_place {
    size_t file;
    int first_line, last_line;
};

struct shared_run {
    struct shared_place places[2];
    size_t tokens;
};

/* What two sides share. A line is in a run if it has a token of it that is in no known file. */
struct shared_lines {
    const struct shared_run *runs; /* [count] in the order of the left side */
    size_t count;
    const uint32_t *const *lines[2]; /* of each side [files][lines + 1]: 1 plus the run that a line
                                        is in; 0: none. Lines count from 1; NULL: a file that was
                                        not compared */
};

/* Compares two sides; `known` has the files of template and reference solution. The time grows with
 * the number of tokens, whatever they are. */
void shared_lines_find(const struct shared_files sides[2], const struct shared_files *known,
                       struct arena *arena, struct shared_lines *out_lines);

#endif
