/* fixture.h: example submissions of a coursework, with the verdicts that they must get.
 *
 *   ROOT/tests/submissions/<coursework>/right/<name>/   and   .../wrong/<name>/
 *     the files that differ from the reference solution, and
 *     expect    the verdicts that it must get: expectation.h
 *     base      instead of the reference solution: a folder to start from, relative to ROOT
 *     rubric    instead of the coursework's own: a rubric, relative to ROOT
 *     guilty    where the mistake is, for other tests
 *
 * ROOT is the folder that contains the coursework's reference/.
 */
#ifndef GPUGRADE_COURSEWORK_FIXTURE_H
#define GPUGRADE_COURSEWORK_FIXTURE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/rubric.h"
#include "submission/intake.h"

struct fixture {
    struct intake_files files; /* those of the base, replaced by its own where it has them */
    struct intake_files own;   /* including expect, base, rubric and guilty */
    const char *expect;
    const char *rubric_path; /* NULL: the coursework's own */
};

/* The folder that contains a rubric's reference/. */
const char *coursework_root(struct arena *arena, const struct rubric *rubric);

/* Lists the fixtures, sorted by name: "right/padding". It is no error if there are none. Errors:
 * ERROR_IO. */
enum error fixtures_list(struct arena *arena, const struct rubric *rubric,
                         const char *const **out_names, size_t *out_count,
                         struct diagnostic *diagnostic);

/* The first of a fixture's own files that has no effect, because no program of the rubric compiles
 * it and no other file names it; NULL if there is none. */
const char *fixture_unused_file(const struct fixture *fixture, const struct rubric *rubric);

/* Lists the folders next to right/ and wrong/, sorted by name. gpugrade ignores them. Errors:
 * ERROR_IO. */
enum error fixtures_list_strays(struct arena *arena, const struct rubric *rubric,
                                const char *const **out_names, size_t *out_count,
                                struct diagnostic *diagnostic);

/* Reads one. Errors: ERROR_NOT_FOUND (it has no file expect), those of intake_read; all blame the
 * rubric. */
enum error fixture_read(struct arena *arena, const struct rubric *rubric, const char *name,
                        struct fixture *out_fixture, struct diagnostic *diagnostic);

#endif
