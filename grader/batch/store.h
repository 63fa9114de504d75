/* store.h: what a batch knows, in one SQLite file: RESULTS/gpugrade.sqlite.
 *
 *     students --< submissions >-- runs --< criteria
 *                                    |---< findings
 *                                    |---< device_code
 *                                    |---- archives
 *                                    '---> machines, rubrics
 *     settings, events
 *
 * store_schema.sql is the schema with its description; `PRAGMA user_version` is its version. A run
 * belongs to the content of a submission, not to a student: equal files are graded once. It is
 * found by its key: content, evidence (what of rubric, reference, tools and device decides what is
 * seen) and seed. Every change is one transaction, the journal is a WAL: what a reader sees is
 * whole, also after SIGKILL or on a full disk. One process writes at a time (a lock on
 * RESULTS/gpugrade.lock), any number read.
 *
 * The file holds names and addresses: it is made with mode 0600.
 */
#ifndef GPUGRADE_BATCH_STORE_H
#define GPUGRADE_BATCH_STORE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "batch/batch_outcome.h"
#include "batch/class_known.h"
#include "model/class_results.h"
#include "model/report.h"

struct store; /* an open file; a forked child must not touch it, not even close it */

/* Fixed for all runs of a RESULTS. */
struct store_settings {
    const char *coursework;  /* id */
    const char *submissions; /* absolute path of SUBMISSIONS */
    const char *options;     /* what else decides: "--device emulated --sandbox A", for messages and
                                for --resume, which may not change them */
    uint64_t seed;
};

/* STORE_ALONE is added to one of the first two where nobody reads meanwhile: on a network file
 * system a WAL's shared memory does not work, and this one does without it. */
enum store_mode { STORE_CREATE, STORE_WRITE, STORE_READ, STORE_ALONE = 4 };

/* Opens RESULTS (a folder; STORE_CREATE makes it, and fails with ERROR_EXISTS if settings were put
 * there already: until then it can be made again). A process has one store open for writing.
 * Errors: ERROR_NOT_FOUND, ERROR_EXISTS, ERROR_BUSY (another process writes: named by its number),
 * ERROR_UNSUPPORTED (a newer schema), ERROR_SYNTAX (damaged, or not a store), ERROR_ENVIRONMENT;
 * older schemas are brought up to date. */
enum error store_open(const char *folder, enum store_mode mode, struct store **out_store,
                      struct diagnostic *diagnostic);
void store_close(struct store *store); /* NULL is accepted */

/* All functions below: ERROR_ENVIRONMENT for what SQLite says (a full disk: says so, and that
 * --resume goes on), ERROR_SYNTAX for a damaged store. Texts live in the arena. */

/* Each change below is a transaction of its own. Between these two they are one, which is kept as a
 * whole or not at all; pairs may stand inside each other. After an error: end it, keep nothing. */
enum error store_begin(struct store *store, struct diagnostic *diagnostic);
enum error store_end(struct store *store, bool keep, struct diagnostic *diagnostic);

/* Settings that were put stay; SUBMISSIONS may have been moved. Errors: ERROR_RANGE (another
 * coursework, seed or other options than those of the store; blames usage). */
enum error store_put_settings(struct store *store, const struct store_settings *settings,
                              struct diagnostic *diagnostic);
/* Errors: ERROR_NOT_FOUND (none were put: its maker was stopped before; put them). */
enum error store_settings(struct store *store, struct arena *arena,
                          struct store_settings *out_settings, struct diagnostic *diagnostic);

/* The rubric by which marks are given now. Those before it are kept. If it sees something else
 * than the one before (`evidence` differs) every submission is pending again; else the runs that
 * count stay, and the caller puts their new marks in the same transaction (store_each_run). */
struct store_rubric {
    const char *sha256;    /* of all files */
    const char *evidence;  /* rubric->evidence_sha256 */
    const char *text;      /* the merged rubric, hidden parts included: rubric->whole_text */
    const char *continues; /* when put: the evidence of a rubric that sees all that this one does,
                              so that its runs go on to count; NULL: none but its own */
};
enum error store_put_rubric(struct store *store, const struct store_rubric *rubric,
                            struct diagnostic *diagnostic);
enum error store_rubric(struct store *store, struct arena *arena, struct store_rubric *out_rubric,
                        struct diagnostic *diagnostic);

/* What is known of the class so far, for class_list_read(). */
enum error store_known(struct store *store, struct arena *arena, struct class_known *out_known,
                       struct diagnostic *diagnostic);

/* Takes in the class: new submissions are added, those whose files have changed (their stamp)
 * become pending again, those that are gone are kept and marked, and count no more until they are
 * back. What the list does not say takes nothing back: without people the roster stays as it is,
 * and with them what an empty text or a time of 0 would say. */
enum error store_put_class(struct store *store, const struct class_list *list,
                           struct diagnostic *diagnostic);

/* A submission that has to be graded. */
struct store_task {
    int64_t id;                            /* of the submission */
    const char *submission, *path, *stamp; /* as in struct class_entry */
    bool is_folder;
    uint32_t tries; /* so far */
};

enum { STORE_TRIES = 3 }; /* what fails by the machine is tried so often, then listed apart */

enum store_choice {
    STORE_PENDING, /* what is not graded yet, and of STORE_FAILED what was tried less often and may
                      end otherwise: not what the device does not know */
    STORE_FAILED,  /* what ended in trouble, or with a criterion in error */
    STORE_REVIEW,  /* what a person should look at: a criterion with status_review */
    STORE_ALL,
};

/* Lists tasks in the order of grading. */
enum error store_tasks(struct store *store, struct arena *arena, enum store_choice choice,
                       const struct store_task **out_tasks, size_t *out_count,
                       struct diagnostic *diagnostic);

/* True in *out_known if content was graded already under this key, by the rubric of now; then the
 * submission is linked to that run. Whoever grades again on purpose (STORE_FAILED, STORE_ALL) does
 * not ask. */
enum error store_link(struct store *store, int64_t submission, const char *content,
                      const char *evidence, bool *out_known, struct diagnostic *diagnostic);

/* Stores what came of a submission: a run with its criteria, findings and device code, or its
 * trouble, in one transaction. `report` is NULL unless GRADED; `archive` is kept compressed. A run
 * with the same key is replaced. Trouble does not replace a run. Settings and rubric must have been
 * put. */
struct store_result {
    int64_t submission;
    const char *evidence;
    const struct outcome *outcome;
    const struct report *report;
    double seconds;
    int64_t started; /* seconds since 1970 */
};
enum error store_put_result(struct store *store, const struct store_result *result,
                            struct diagnostic *diagnostic);

/* Reads every row of the class, but no pairs; `rubric` is the loaded store_rubric. Marks come
 * from final_marks.h. With pseudonyms names are replaced, the same in each report of this
 * store, and times are days. */
enum error store_class(struct store *store, struct arena *arena, const struct rubric *rubric,
                       bool pseudonyms, struct class_results *out_results,
                       struct diagnostic *diagnostic);

/* The archived report of a submission, by its name in a row (also its pseudonym): [*out_length]
 * JSON. Errors: ERROR_NOT_FOUND (it is not graded). */
enum error store_archive(struct store *store, struct arena *arena, const char *submission,
                         const char **out_bytes, size_t *out_length, struct diagnostic *diagnostic);

/* The device code of the runs that count now, by content: students with equal files share it. */
struct store_code {
    const char *content; /* as in a row */
    struct device_code code;
};
enum error store_device_code(struct store *store, struct arena *arena,
                             const struct store_code **out_codes, size_t *out_count,
                             struct diagnostic *diagnostic);

/* What everybody may have: the device code of the template and of the reference solution, for the
 * rubric of now. Replaces what was put before. */
enum error store_put_known_code(struct store *store, const struct device_code *codes, size_t count,
                                struct diagnostic *diagnostic);
/* *out_has: it was put for the rubric of now, or one that sees the same. */
enum error store_has_known_code(struct store *store, bool *out_has, struct diagnostic *diagnostic);

/* Finds who is alike (similarity.h): fills results->pairs of a class that store_class() has read. A
 * function of its own, for the reports that show pairs. For instructors only. */
enum error store_pairs(struct store *store, struct arena *arena, struct class_results *results,
                       struct diagnostic *diagnostic);

/* Calls `visit` with the archive of each run that a submission of now has, one after the other,
 * inside one transaction; what it changes through store_put_marks is kept only if all visits
 * succeed and `keep`. */
typedef enum error store_visit(void *context, int64_t run, const char *archive, size_t length,
                               struct diagnostic *diagnostic);
enum error store_each_run(struct store *store, bool keep, store_visit *visit, void *context,
                          struct diagnostic *diagnostic);

/* Replaces the marks of a run by those of `report`, and its archive. */
enum error store_put_marks(struct store *store, int64_t run, const struct report *report,
                           struct diagnostic *diagnostic);

/* Takes over what another store (a chunk of a cluster) has graded. Results for submissions that
 * this one has already are kept unless they were trouble, or hold a criterion in error, and the
 * other store knows better or has tried more often. Errors: ERROR_RANGE (other settings, another
 * rubric, other files of the coursework), ERROR_BUSY (it is being written), those of store_open().
 */
enum error store_merge(struct store *store, const char *other_folder,
                       struct diagnostic *diagnostic);

#endif
