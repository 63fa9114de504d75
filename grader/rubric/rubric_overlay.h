/* rubric_overlay.h: a rubric that extends another one. Private to rubric/.
 *
 *   overlay --extends--> overlay --extends--> rubric        a chain of files, the first one asked
 * for takes in what it lacks <- takes in what it lacks <-
 *
 * What is taken in is moved from tree to tree, so each value keeps its file, line and column. Of an
 * object the keys are taken in that are lacking; of the lists `cases` and `criteria` the entries,
 * and where both have an entry of one id, what the overlay's lacks: a criterion with a kind lacks
 * nothing and replaces the other. An entry of an overlay with
 * "points": 0 or "repeat": 0 removes the one of that id.
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
    struct rubric_file files[RUBRIC_OVERLAYS_MAX + 1]; /* what a file extends follows it */
    size_t count;
    bool is_named;        /* the last one is named by the id of a coursework of the root */
    bool is_stored;       /* read from a text that holds all files */
    const char *own_root; /* the folder that holds the coursework; NULL: the root */
};

/* Parses a rubric and, one after the other, those that it extends: an id names a file of
 * <root>/rubrics or else one beside the file that names it, anything else a file beside it. A text
 * that holds all files (rubric_evidence.h) needs no others. Errors: those of json_parse;
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT, ERROR_RANGE of what is extended, told at "extends". */
enum error rubric_chain_read(struct arena *arena, struct rubric_file first, const char *root,
                             struct rubric_chain *out_chain, struct diagnostic *diagnostic);
void rubric_chain_release(struct rubric_chain *chain);

/* Lets the first file take in what it lacks of the others. Mistakes are told by the reader. */
void rubric_chain_merge(struct rubric_reader *reader, struct rubric_chain *chain);

/* Hashes all files. */
void rubric_chain_hash(const struct rubric_chain *chain, char out_hex[65]);

/* Prints the rubric of one tree as students may see it: without hidden entries and without the keys
 * that only overlays have; `total` is what the visible points add up to. */
void rubric_print_public(const cJSON *root, double total, struct text *out);

#endif
