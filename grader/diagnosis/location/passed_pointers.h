/* passed_pointers.h: what the pointers of an access have to do with the launch that passes them. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_PASSED_POINTERS_H
#define GPUGRADE_DIAGNOSIS_LOCATION_PASSED_POINTERS_H

#include "model/verdict.h"
#include "source/source_search.h"

enum { PASSED_MARKS_MAX = 2 };

/* Marks of host code. */
struct passed_marks {
    struct cause_mark items[PASSED_MARKS_MAX]; /* [count] */
    size_t count;
};

/* For an access past the end of an allocation whose index is an element of another array of the
 * kernel, places[i]: says so in the hint, with its value, and sets marks: the only launch, with
 * what it passes for that array, and what that was passed to last before. False if the index comes
 * from elsewhere, or that is not certain. */
bool explain_loaded_index(struct arena *arena, const struct program_source *source,
                          const struct program_file *file, const struct finding *finding,
                          struct cause *cause, struct passed_marks *out_marks);

/* For a race of two accesses through different pointers of one launch: says in the hint how far
 * they are apart. */
void explain_overlap(struct arena *arena, const struct program_file *file,
                     const struct finding *finding, struct cause *cause);

/* For the launches of a kernel in a loop: true if each does the same again, since all get the same
 * pointers, read what is constant and only write to the others. *out_label says so; the launch is
 * at *out_at. */
bool find_repeated_launch(struct arena *arena, const struct program_source *source,
                          const char *kernel, struct file_token *out_at, const char **out_label);

#endif
