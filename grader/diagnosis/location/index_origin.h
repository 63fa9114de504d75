/* index_origin.h: where the index of an access comes from, and what it is for the threads that a
 * finding names. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_INDEX_ORIGIN_H
#define GPUGRADE_DIAGNOSIS_LOCATION_INDEX_ORIGIN_H

#include "criteria/criteria_input.h"
#include "source/source_index.h"

/* The most marks that it adds; of an access outside of an array the latter. */
enum { INDEX_MARKS = 2, INDEX_MARKS_MAX = 4 };

/* What it finds. */
struct index_origin {
    struct cause_mark marks[INDEX_MARKS_MAX]; /* [mark_count] */
    size_t mark_count, mark_max;
    const char *grid,
        *block;         /* what to say where the launch of `kernel` gets them; NULL: nothing */
    const char *kernel; /* its plain name */
    const char *hint;   /* the next step, where the marks show it; NULL: they do not */
    const char *access; /* what to say where the access is; NULL: nothing */
    int column, end;    /* of it */
};

/* Sets marks: the lines of the file that set what the access is indexed with,
 * and the condition that let its thread in, with their values where these are certain. `finding`
 * may be NULL: then the cause is about elements that are loaded or stored in its line, and the
 * values are those of the first threads, where one launch ran. None where it is not certain which
 * access is meant. */
void index_origin_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                       const struct program_source *source, const struct program_file *file,
                       const struct finding *finding, const struct cause *cause,
                       struct index_origin *out_origin);

#endif
