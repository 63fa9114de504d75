/* score_reader.h: typed reading of a score file's values, with the first mistake kept. Private to
 * score_read.c and score_details.c.
 *
 * As in the reader of rubrics, every function checks the type and the range of a value. The reader
 * remembers the first mistake with its place; after it, every function returns a harmless value
 * (0, ""). So callers read the file from top to bottom and check for a mistake once, at the end.
 */
#ifndef GPUGRADE_REPORT_SCORE_SCORE_READER_H
#define GPUGRADE_REPORT_SCORE_SCORE_READER_H

#include "base/arena.h"
#include "base/json.h"
#include "model/report.h"

enum { SCORE_LIST_MAX = 100000, SCORE_LINE_MAX = 1000000000 };

struct score_reader {
    struct arena *arena;
    const struct json_document *document;
    struct diagnostic *diagnostic;
    enum error error; /* ERROR_NONE while there is no mistake */
};

/* Remembers a mistake at `value`; only the first one counts. */
void score_fail(struct score_reader *reader, const cJSON *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True if there is nothing to read: an earlier mistake, or an absent optional value. */
bool score_skip(const struct score_reader *reader, const cJSON *value);

/* Sorts the members of an object by `keys` [count] into out_members [count]. A key that starts with
 * '?' may be absent; every other one must be there, and no others. `what` names the object. */
void score_members(struct score_reader *reader, const cJSON *value, const char *what,
                   const char *const *keys, size_t count, const cJSON **out_members);

/* Any string, or one that is not empty; it lives in the arena. */
const char *score_text(struct score_reader *reader, const cJSON *value);
const char *score_words(struct score_reader *reader, const cJSON *value);

/* A string of `minimum` to `maximum` bytes out of `allowed`; `what` describes it in messages. */
const char *score_name(struct score_reader *reader, const cJSON *value, const char *allowed,
                       size_t minimum, size_t maximum, const char *what);

double score_number(struct score_reader *reader, const cJSON *value, double minimum,
                    double maximum);
int64_t score_integer(struct score_reader *reader, const cJSON *value, int64_t minimum,
                      int64_t maximum);
int score_line(struct score_reader *reader, const cJSON *value); /* 0 or more; of columns too */
bool score_flag(struct score_reader *reader, const cJSON *value);

/* The index of a string among the `count` words that word(i) returns. */
size_t score_word(struct score_reader *reader, const cJSON *value, const char *(*word)(size_t),
                  size_t count, const char *what);

/* The number of entries of an array. */
size_t score_list(struct score_reader *reader, const cJSON *value, size_t maximum);

enum severity score_severity(struct score_reader *reader, const cJSON *value);

/* A code by its name, also "none". */
enum code score_code(struct score_reader *reader, const cJSON *value);

/* Makes sure that "kind" is the kind of the code. */
void score_check_kind(struct score_reader *reader, const cJSON *value, enum code code);

/* The sections "diagnostics", "findings" and "remarks". The report's verdicts are there already. */
void score_diagnostics(struct score_reader *reader, const cJSON *value, struct report *report);
void score_findings(struct score_reader *reader, const cJSON *value, struct report *report);
void score_remarks(struct score_reader *reader, const cJSON *value, struct report *report);

#endif
