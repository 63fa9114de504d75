/* fixture.h: students of a coursework's own, whose marks are known.
 *
 *   ROOT/tests/submissions/<coursework>/right/<name>/   and   .../wrong/<name>/
 *     the files that differ from the reference solution, and
 *     expect    what it must get: expectation.h
 *     base      instead of the reference solution: a folder to start from, relative to ROOT
 *     rubric    instead of the coursework's own: a rubric, relative to ROOT
 *     guilty    where the mistake is, for other tests
 *
 * ROOT is the folder that holds the coursework's reference/.
 */
#ifndef GPUGRADE_COURSEWORK_FIXTURE_H
#define GPUGRADE_COURSEWORK_FIXTURE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/rubric.h"
#include "submission/intake.h"

struct fixture {
    struct intake_files files; /* those of the base, and its own in their place */
    struct intake_files own;   /* with notes */
    const char *expect;
    const char *rubric_path; /* NULL: the coursework's own */
};

/* The folder that holds a rubric's reference/. */
const char *coursework_root(struct arena *arena, const struct rubric *rubric);

/* Lists the fixtures by name, "right/padding"; none is no error. Errors: ERROR_IO. */
enum error fixtures_list(struct arena *arena, const struct rubric *rubric,
                         const char *const **out_names, size_t *out_count,
                         struct diagnostic *diagnostic);

/* The first of a fixture's own files that no program of the rubric compiles and none of its files
 * names, so that it changes nothing; NULL if there is none. */
const char *fixture_unused_file(const struct fixture *fixture, const struct rubric *rubric);

/* Lists the folders beside right/ and wrong/, which nobody reads, by name. Errors: ERROR_IO. */
enum error fixtures_list_strays(struct arena *arena, const struct rubric *rubric,
                                const char *const **out_names, size_t *out_count,
                                struct diagnostic *diagnostic);

/* Reads one. Errors: ERROR_NOT_FOUND (it has no file expect), those of intake_read; all blame the
 * rubric. */
enum error fixture_read(struct arena *arena, const struct rubric *rubric, const char *name,
                        struct fixture *out_fixture, struct diagnostic *diagnostic);

#endif
