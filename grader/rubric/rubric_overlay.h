/* rubric_overlay.h: a rubric that extends another one. Private to rubric/.
 *
 *   overlay --extends--> overlay --extends--> rubric        a chain of files; the first one is the
 *                                                           one that was asked for
 *
 * Each file takes from the next one what it lacks. Values are moved from tree to tree, so each
 * value keeps its file, line and column. An object takes the keys that it lacks. The lists `cases`
 * and `criteria` take the entries that they lack; if both lists have an entry with the same id, the
 * overlay's entry takes the keys that it lacks, but a criterion with a kind replaces the other one.
 * An entry of an overlay with "points": 0 or "repeat": 0 removes the entry with that id.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_OVERLAY_H
#define GPUGRADE_RUBRIC_RUBRIC_OVERLAY_H

#include "rubric/rubric_reader.h"

enum { RUBRIC_OVERLAYS_MAX = 8, RUBRIC_BYTES_MAX = 1 << 20 };

/* One file of a chain. */
struct rubric_file {
    const char *path; /* absolute where it exists */
    const char *bytes;
    size_t length;
    struct json_document *document;
};

struct rubric_chain {
    struct rubric_file files[RUBRIC_OVERLAYS_MAX + 1]; /* the next one is what a file extends */
    size_t count;
    bool is_named;        /* the last file was named by the id of a coursework of the root */
    bool is_stored;       /* read from a text that contains all files */
    const char *own_root; /* the folder that contains the coursework; NULL: the root */
};

/* Parses a rubric and, one after the other, those that it extends. An id names a file in
 * <root>/rubrics, or else a file next to the one that names it; anything else names a file next to
 * it. A text that contains all files (rubric_evidence.h) needs no others. Errors: those of
 * json_parse; ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT, ERROR_RANGE of an extended file, reported at
 * "extends". */
enum error rubric_chain_read(struct arena *arena, struct rubric_file first, const char *root,
                             struct rubric_chain *out_chain, struct diagnostic *diagnostic);
void rubric_chain_release(struct rubric_chain *chain);

/* Merges the other files into the first one. The reader reports mistakes. */
void rubric_chain_merge(struct rubric_reader *reader, struct rubric_chain *chain);

/* Hashes all files. */
void rubric_chain_hash(const struct rubric_chain *chain, char out_hex[65]);

/* Prints the rubric of one tree as students may see it: without hidden entries and without the keys
 * that only overlays have; `total` is what the visible points add up to. */
void rubric_print_public(const cJSON *root, double total, struct text *out);

#endif
