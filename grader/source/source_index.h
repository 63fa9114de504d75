/* source_index.h: the sources of a submission, each turned into tokens and functions once.
 *
 * Everything that looks for a place uses this index, so each file is read only once, however much
 * is found in it. A file is read when it is first needed. All files together have at most
 * SOURCE_INDEX_TOKENS_MAX tokens, as many as one file of the largest size (4 MiB) whose every byte
 * is a token; a file that would exceed that has no tokens: nothing is found in it.
 */
#ifndef GPUGRADE_SOURCE_SOURCE_INDEX_H
#define GPUGRADE_SOURCE_SOURCE_INDEX_H

#include "model/rubric.h"
#include "source/source_functions.h"

enum { SOURCE_INDEX_TOKENS_MAX = 4 << 20 };

struct program_file {
    struct source_tokens tokens;
    struct source_functions functions;
};

/* The sources of one program: the rubric's, then what they include. */
struct program_source {
    struct program_file *files; /* [count] */
    size_t count;
};

struct source_index;

/* The index of `sources` [count], which must outlive it; nothing is read yet. It lives in the
 * arena, with all that it reads. */
struct source_index *source_index_new(struct arena *arena, const struct source_file *sources,
                                      size_t count);

/* The source of that name [length]; NULL if there is none. */
const struct source_file *source_index_find(const struct source_index *index, const char *name,
                                            size_t length);

/* The tokens and functions of one of the sources. */
const struct program_file *source_index_file(struct source_index *index,
                                             const struct source_file *file);

/* The sources that the rubric names, and the submission's own headers that they include, but not
 * the given headers. */
const struct program_source *source_index_program(struct source_index *index,
                                                  const struct rubric_program *program);

#endif
