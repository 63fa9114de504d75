/* archive_fields.h: the archived fields of a report, as tables. Private to report_archive.c.
 *
 * A shape lists the fields of one kind of struct. Writing and reading use the same table, so
 * neither can miss a field that the other has.
 */
#ifndef GPUGRADE_REPORT_SCORE_ARCHIVE_FIELDS_H
#define GPUGRADE_REPORT_SCORE_ARCHIVE_FIELDS_H

#include <stddef.h>

enum archive_type {
    ARCHIVE_TEXT,       /* const char *, NULL is not "" */
    ARCHIVE_BYTES,      /* const char * and a size_t, text with a NUL after it */
    ARCHIVE_FLAG,       /* bool */
    ARCHIVE_INT,        /* int, from 0 on */
    ARCHIVE_U32,        /* uint32_t */
    ARCHIVE_U32_TRIPLE, /* uint32_t [3] */
    ARCHIVE_U64,        /* uint64_t */
    ARCHIVE_I64,        /* int64_t */
    ARCHIVE_SIZE,       /* size_t */
    ARCHIVE_NUMBER,     /* double */
    ARCHIVE_WORD,       /* an enum, by the name of its value */
    ARCHIVE_HASH,       /* char [65] */
    ARCHIVE_LIST,       /* const struct * and a size_t */
    ARCHIVE_INLINE,     /* struct [maximum] and a size_t */
    ARCHIVE_ONE,        /* const struct *; NULL: none */
    ARCHIVE_STRUCT,     /* a struct inside this one */
    ARCHIVE_STATES,     /* the elements of a struct element_map, which this one is */
    ARCHIVE_MARKS,      /* const uint64_t * and a size_t */
    ARCHIVE_CRITERION,  /* const struct rubric_criterion *, by its id */
    ARCHIVE_LAUNCH,     /* size_t, index of a launch, by its id */
};

struct archive_shape;

struct archive_field {
    const char *key;
    enum archive_type type;
    size_t offset;                     /* in the struct */
    size_t count_offset;               /* of a type with a separate size_t */
    size_t maximum;                    /* INLINE: elements; WORD: values */
    const struct archive_shape *shape; /* LIST, INLINE, ONE, STRUCT */
    const char *(*word)(unsigned value);
};

struct archive_shape {
    size_t bytes; /* of the struct */
    const struct archive_field *fields;
    size_t field_count;
};

/* The shape of struct report, without its rubric and its student's report. */
extern const struct archive_shape archive_report_shape;

/* The shape of struct finding, whose main place must be one of its places. */
extern const struct archive_shape archive_finding_shape;

/* Bytes of a field in its struct, without a separate size_t. */
size_t archive_field_bytes(const struct archive_field *field);

#endif
