/* batch_outcome.h: what the process that grades one submission sends to the batch: lines of
 * JSON, and the archived report after the last one.
 *
 *     worker --{"content": hash of the files}--> batch
 *     worker <--'g' grade it, or 'k' known, end-- batch      equal files are graded once
 *     worker --the outcome--> batch                          end of file without one: it crashed
 *
 * The first line is not sent if the files cannot be read. A worker that reads only end of file has
 * lost its batch.
 */
#ifndef GPUGRADE_BATCH_BATCH_OUTCOME_H
#define GPUGRADE_BATCH_BATCH_OUTCOME_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum outcome_kind {
    OUTCOME_GRADED,  /* the report is there; single criteria may be errors of the machine */
    OUTCOME_NOTHING, /* nothing can be graded, because of the submission */
    OUTCOME_TROUBLE, /* the grader or the machine failed */
};

struct outcome {
    enum outcome_kind kind;
    const char *message; /* NOTHING, TROUBLE: why, with what to do */
    char content[65];    /* hash of the files; "" if they could not be read */
    const char *archive; /* GRADED: report_archive.h; [archive_length] */
    size_t archive_length;
};

void outcome_write(const struct outcome *outcome, struct text *out);

/* The worker's side: sends the hash of the files and waits for the answer. True if they are to be
 * graded; false if they are known, or the batch is gone. */
bool outcome_ask(int fd, const char *content);

/* Sends an outcome; false if the batch is gone. */
bool outcome_send(int fd, const struct outcome *outcome);

enum { OUTCOME_GRADE = 'g', OUTCOME_KNOWN = 'k' }; /* the answers, one byte */

/* Reads the first line, without its end: true if it is a question, then out_content is set. */
bool outcome_read_question(const char *line, size_t length, char out_content[65]);

/* Errors: ERROR_SYNTAX (blames the grader). */
enum error outcome_read(struct arena *arena, const char *bytes, size_t length,
                        struct outcome *out_outcome, struct diagnostic *diagnostic);

#endif
