/* rubric_reader.h: reads JSON values by type, and keeps the first mistake. Private to rubric/.
 *
 * Every read_ function checks the type and the range of a value and returns it. The reader
 * remembers the first mistake with its place. After it, every function returns a harmless value (0,
 * "", NULL), so that the loaders can read from top to bottom and check for a mistake once at the
 * end. A value that is NULL is an absent optional key: it also gives the harmless value, without a
 * mistake.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_READER_H
#define GPUGRADE_RUBRIC_RUBRIC_READER_H

#include "base/json.h"
#include "model/braces.h"
#include "model/rubric.h"

struct rubric_chain;

struct rubric_reader {
    struct arena *arena;
    const struct rubric_chain *chain; /* the files that the values come from */
    struct diagnostic *diagnostic;
    enum error error;      /* ERROR_NONE while there is no mistake */
    const cJSON *entry;    /* the overlay's entry that is being read; NULL: none */
    const cJSON *programs; /* the section, for mistakes that are found when launches are read */
    const struct rubric_launch *measured; /* whose measures NAMES_MEASURES means */
    double total;                         /* what the points must add up to; 0: anything */
    size_t least_cases;                   /* and parameters: launches need one */
    struct rubric_printout *printouts;    /* the rubric's, with room for more */
    struct rubric *rubric; /* what has been read so far; its arrays are complete or empty */
};

/* A key of an object. */
struct rubric_key {
    const char *name;
    bool required;
};

/* What a string must look like. */
enum name_kind {
    NAME_ID,         /* letters, digits, ".", "-", "_": criteria, launches, ... */
    NAME_COURSEWORK, /* a folder's name: small letters, digits, "_" */
    NAME_IDENTIFIER, /* of C */
    NAME_KERNEL,     /* of C++, with "::" */
    NAME_PATTERN,    /* the same, with "*" for anything */
    NAME_FILE,       /* a plain file name, no folder */
    NAME_FLAG,       /* of a compiler: starts with "-" */
    NAME_TEXT,       /* anything printable */
    NAME_LINE,       /* the same, or nothing */
};

/* Names that an expression may use; a set of bits. */
enum {
    NAMES_BLOCK = 1,
    NAMES_THREADS = 2,
    NAMES_PARAMETERS = 4,
    NAMES_OCCUPANCY = 8, /* max_blocks, active_blocks, max_threads, multiprocessors */
    NAMES_MULTIPROCESSORS = 16,
    NAMES_REFERENCE = 32,
    NAMES_MEASURES = 64, /* of reader->measured: model/measure.h */
};

/* Remembers a mistake at `value`, or at its key with `at_key`. Only the first mistake counts. A
 * mistake in what the current entry took from another file is reported at the entry. */
void reader_fail(struct rubric_reader *reader, enum error error, const cJSON *value, bool at_key,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reports `member` as a key that `what` does not have, with the `keys` [count] that it has. */
void reader_fail_unknown_key(struct rubric_reader *reader, const cJSON *member, const char *what,
                             const struct rubric_key *keys, size_t count);

/* Sorts the members of an object by `keys` [count] into out_members [count], NULL if one is
 * absent. Unknown keys and absent required ones are mistakes. `what` names the object: "a case". */
void read_members(struct rubric_reader *reader, const cJSON *value, const char *what,
                  const struct rubric_key *keys, size_t count, const cJSON **out_members);

const char *read_name(struct rubric_reader *reader, const cJSON *value, enum name_kind kind);

/* The key of a member, where the rubric's author chooses it. */
const char *read_key(struct rubric_reader *reader, const cJSON *member, enum name_kind kind);
int64_t read_integer(struct rubric_reader *reader, const cJSON *value, int64_t minimum,
                     int64_t maximum);
double read_number(struct rubric_reader *reader, const cJSON *value, double minimum,
                   double maximum);
bool read_flag(struct rubric_reader *reader, const cJSON *value);

/* Reads one of `words` [count] and returns its index. */
size_t read_word(struct rubric_reader *reader, const cJSON *value, const char *const *words,
                 size_t count);

/* Checks that a value is an array of `minimum` to `maximum` values and returns how many. */
size_t read_list(struct rubric_reader *reader, const cJSON *value, size_t minimum, size_t maximum);

/* Reads an array of strings. */
const char *const *read_names(struct rubric_reader *reader, const cJSON *value, enum name_kind kind,
                              size_t minimum, size_t *out_count);

/* Reads an expression that may use the names `names`. */
const struct expression *read_expression(struct rubric_reader *reader, const cJSON *value,
                                         unsigned names);

/* The same for one that holds or does not: "n >= 1024". */
const struct expression *read_condition(struct rubric_reader *reader, const cJSON *value,
                                        unsigned names);

/* Reads an id and finds it among `count` structs of `stride` bytes, each of which begins with a
 * const char * that is its id; returns the index. `what` names them: "launch". */
size_t read_reference(struct rubric_reader *reader, const cJSON *value, const char *what,
                      const void *items, size_t stride, size_t count);

/* Checks that the id of item `count` differs from those of the items before it; layout as above. */
void reader_check_unique(struct rubric_reader *reader, const cJSON *value, const char *what,
                         const void *items, size_t stride, size_t count);

/* Moves hidden items after the others, which keep their order; returns how many are hidden.
 * `hidden_offset` is the offset of the bool in an item. */
size_t reader_hidden_last(struct rubric_reader *reader, void *items, size_t stride, size_t count,
                          size_t hidden_offset);

/* Rubrics have at most this many criteria. Each may add a printout to the rubric's own. */
enum { RUBRIC_CRITERIA_MAX = 64 };

/* The sections of a rubric, in the order in which they must be read. Each fills its part of
 * reader->rubric. */
void read_late(struct rubric_reader *reader, const cJSON *value);
void read_limits(struct rubric_reader *reader, const cJSON *value);
void read_programs(struct rubric_reader *reader, const cJSON *value);
void read_parameters(struct rubric_reader *reader, const cJSON *value);
void read_cases(struct rubric_reader *reader, const cJSON *value);
void read_launches(struct rubric_reader *reader, const cJSON *value);
void read_printouts(struct rubric_reader *reader, const cJSON *value);
void read_criteria(struct rubric_reader *reader, const cJSON *value);
void read_leaderboard(struct rubric_reader *reader, const cJSON *value);

/* Checks each pair of braces in a text that was read; `check` is called for the words of each, and
 * fails itself if it gives NULL. */
void check_braces(struct rubric_reader *reader, const cJSON *value, const char *text,
                  braces_value check, void *context);

#endif
