/* store.h: everything that a batch keeps, in one SQLite file: RESULTS/gpugrade.sqlite.
 *
 *     students --< decisions
 *     students --< submissions >-- runs --< criteria
 *                                    |---< findings
 *                                    |---< device_code
 *                                    |---- archives
 *                                    '---> machines, rubrics
 *     settings, events
 *
 * store_schema.sql is the schema with its description; `PRAGMA user_version` is its version. A run
 * belongs to the content of a submission, not to a student: equal files are graded once. Its key
 * is content, evidence (a hash of what decides the results: parts of rubric, reference, tools and
 * device) and seed. Every change is one transaction, and the journal is a WAL: readers see a
 * consistent state, also after SIGKILL or on a full disk. One process writes at a time (a lock on
 * RESULTS/gpugrade.lock), any number of processes read.
 *
 * The file contains names and addresses, so it is created with mode 0600.
 *
 *   store_open.c, store_upgrade.c  opens the file, for one writer and any number of readers
 *   store.c                        settings and rubrics
 *   store_submissions.c            the class as it was handed in
 *   store_tasks.c                  what is still to grade, also after an interruption
 *   store_results.c                results as they come in, and which of them are known already
 *   store_archives.c               the archived reports
 *   store_decisions.c              what people decided about students
 *   store_class.c                  the whole class, for reports and gradebooks
 *   store_forget.c                 removes a student
 *   store_code.c                   device code, for similarity
 *   store_merge.c                  takes over what another store has graded
 *   store_query.c                  statements and transactions
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
    const char *options;     /* other options that decide: "--device emulated --sandbox A"; for
                                messages and for --resume, which may not change them */
    uint64_t seed;
};

/* STORE_ALONE is added to one of the first two if no other process reads at the same time: it does
 * without the shared memory of a WAL, which does not work on a network file system. */
enum store_mode { STORE_CREATE, STORE_WRITE, STORE_READ, STORE_ALONE = 4 };

/* Opens RESULTS, a folder. STORE_CREATE creates it, and fails with ERROR_EXISTS if it has settings
 * already; until then it can be created again. A process has at most one store open for writing.
 * Older schemas are brought up to date. Errors: ERROR_NOT_FOUND, ERROR_EXISTS, ERROR_BUSY (another
 * process is writing; the message has its number), ERROR_UNSUPPORTED (a newer schema), ERROR_SYNTAX
 * (damaged, or not a store), ERROR_ENVIRONMENT. */
enum error store_open(const char *folder, enum store_mode mode, struct store **out_store,
                      struct diagnostic *diagnostic);
void store_close(struct store *store); /* NULL is accepted */

/* Errors of all functions below: ERROR_ENVIRONMENT for errors of SQLite (for a full disk, the
 * message says so and names --resume), ERROR_SYNTAX for a damaged store. Texts are allocated in the
 * arena. */

/* Each change below is a transaction of its own. Between these two calls, all changes are one
 * transaction, which is kept as a whole or not at all; pairs of calls may be nested. After an
 * error, end the transaction without keeping it. */
enum error store_begin(struct store *store, struct diagnostic *diagnostic);
enum error store_end(struct store *store, bool keep, struct diagnostic *diagnostic);

/* Stores the settings. Once stored they cannot change, except SUBMISSIONS, which may have moved.
 * Errors: ERROR_RANGE (coursework, seed or options differ from those of the store; blames
 * usage). */
enum error store_put_settings(struct store *store, const struct store_settings *settings,
                              struct diagnostic *diagnostic);
/* Errors: ERROR_NOT_FOUND (no settings yet: the batch that created the store stopped too early). */
enum error store_settings(struct store *store, struct arena *arena,
                          struct store_settings *out_settings, struct diagnostic *diagnostic);

/* The zone of times that name none, as it was said last; "" if it never was. */
enum error store_zone(struct store *store, struct arena *arena, const char **out_zone,
                      struct diagnostic *diagnostic);
enum error store_put_zone(struct store *store, const char *zone, struct diagnostic *diagnostic);

/* The rubric by which marks are given now. Earlier ones are kept. If it checks something else than
 * the one before (`evidence` differs), every submission is pending again. Otherwise the runs that
 * count stay, and the caller stores their new marks in the same transaction (store_each_run). */
struct store_rubric {
    const char *sha256;    /* hash of all files */
    const char *evidence;  /* rubric->evidence_sha256 */
    const char *text;      /* the merged rubric, hidden parts included: rubric->whole_text */
    const char *continues; /* when storing: the evidence of a rubric that checks all that this one
                              does, so that its runs still count; NULL: only its own */
};
enum error store_put_rubric(struct store *store, const struct store_rubric *rubric,
                            struct diagnostic *diagnostic);
enum error store_rubric(struct store *store, struct arena *arena, struct store_rubric *out_rubric,
                        struct diagnostic *diagnostic);

/* What is known about the class so far, for class_list_read(). */
enum error store_known(struct store *store, struct arena *arena, struct class_known *out_known,
                       struct diagnostic *diagnostic);

/* Stores the class. New submissions are added. Submissions whose files have changed (by their
 * stamp) become pending again. Missing submissions are kept and marked, and do not count until they
 * are back. Nothing is deleted because the list lacks it: without people the stored roster stays,
 * and an empty text or a time of 0 does not replace a stored one. */
enum error store_put_class(struct store *store, const struct class_list *list,
                           struct diagnostic *diagnostic);

/* A submission that has to be graded. */
struct store_task {
    int64_t id;                            /* of the submission */
    const char *submission, *path, *stamp; /* as in struct class_entry */
    bool is_folder;
    uint32_t tries; /* so far */
};

enum { STORE_TRIES = 3 }; /* tries if the machine fails; then the submission is listed separately */

enum store_choice {
    STORE_PENDING,  /* not graded yet; also those of STORE_FAILED with tries left whose result may
                      change: not those that use what the device does not support */
    STORE_FAILED,   /* grading failed, or a criterion is in error */
    STORE_OLD_TIME, /* its files are others than those whose time is known */
    STORE_REVIEW,   /* a person should look at it: a criterion with status_review */
    STORE_ALL,
};

/* Lists tasks in the order of grading. */
enum error store_tasks(struct store *store, struct arena *arena, enum store_choice choice,
                       const struct store_task **out_tasks, size_t *out_count,
                       struct diagnostic *diagnostic);

/* Sets *out_known to true if the content was already graded under this key by the current rubric;
 * then the submission is linked to that run. Not called when grading again on purpose
 * (STORE_FAILED, STORE_ALL). */
enum error store_link(struct store *store, int64_t submission, const char *content,
                      const char *evidence, bool *out_known, struct diagnostic *diagnostic);

/* Stores the result of a submission in one transaction: a run with its criteria, findings and
 * device code, or the reason why it could not be graded. `report` is NULL unless GRADED; `archive`
 * is stored compressed. A run with the same key is replaced, but not by a failure. Settings and
 * rubric must be stored before. */
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

/* Reads every row of the class, but no pairs; `rubric` is the loaded store_rubric. Marks come from
 * final_marks.h. With `pseudonyms`, names are replaced by pseudonyms, which are the same in each
 * report of this store, and times are given as days. */
enum error store_class(struct store *store, struct arena *arena, const struct rubric *rubric,
                       bool pseudonyms, struct class_results *out_results,
                       struct diagnostic *diagnostic);

/* Everybody who can be meant by a word, as long as the arena and the store live. */
struct store_people;
enum error store_people(struct store *store, struct arena *arena,
                        const struct store_people **out_people, struct diagnostic *diagnostic);

/* The student whom a word means: a key, an id, a login, an address or a name of a roster or an
 * export. Errors: ERROR_NOT_FOUND (no student, or several; the message proposes one). */
struct store_student {
    int64_t id;          /* in the store */
    const char *student; /* key */
};
enum error store_find_student(const struct store_people *people, const char *word,
                              struct store_student *out_student, struct diagnostic *diagnostic);

/* Stores a decision; what it says of itself (number, made_at, undone_at) is not read. If the same
 * one holds already, nothing is stored. Errors: ERROR_NOT_FOUND (DROP: the student has no such
 * submission). */
struct store_decided {
    int64_t number;                 /* of the decision, or of the one that holds already */
    bool is_new;                    /* it was stored */
    struct class_decision replaced; /* what held until now; number 0: nothing */
};
enum error store_decide(struct store *store, struct arena *arena, int64_t student,
                        const struct class_decision *decision, struct store_decided *out_decided,
                        struct diagnostic *diagnostic);

/* Takes a decision back. Errors: ERROR_NOT_FOUND (none has the number), ERROR_EXISTS (it was taken
 * back before). */
enum error store_undo(struct store *store, int64_t number, const char *by,
                      struct diagnostic *diagnostic);

/* All decisions, undone ones too: by the id of the student, oldest first. */
struct store_decision {
    struct store_student student;
    struct class_decision decision;
};
enum error store_decisions(struct store *store, struct arena *arena,
                           const struct store_decision **out_decisions, size_t *out_count,
                           struct diagnostic *diagnostic);

/* The decision that took the place of one of these and holds now; NULL: none did, or the one was
 * undone. */
const struct class_decision *store_replacement(const struct store_decision *decisions, size_t count,
                                               size_t index);

/* Removes a student from the store: who it is, submissions, results, archived sources, decisions,
 * events. Results that another student's equal files share stay. The bytes are gone from the file,
 * too. Without `keep` nothing changes, and *out_forgotten says what would be removed. */
struct store_forgotten {
    size_t submissions, decisions;
    size_t shared; /* results that stay */
};
enum error store_forget(struct store *store, int64_t student, bool keep,
                        struct store_forgotten *out_forgotten, struct diagnostic *diagnostic);

/* The archived report of a submission, found by its name in a row or its pseudonym: [*out_length]
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

/* Stores the code that everyone may have: the device code of the template and of the reference
 * solution, for the current rubric. Replaces what was stored before. */
enum error store_put_known_code(struct store *store, const struct device_code *codes, size_t count,
                                struct diagnostic *diagnostic);
/* *out_has: it was stored for the current rubric, or for one with the same evidence. */
enum error store_has_known_code(struct store *store, bool *out_has, struct diagnostic *diagnostic);

/* Finds similar submissions (similarity.h): fills results->pairs of a class that store_class() has
 * read. This is a function of its own because only some reports show pairs. For instructors
 * only. */
enum error store_pairs(struct store *store, struct arena *arena, struct class_results *results,
                       struct diagnostic *diagnostic);

/* The same where the rows of `results` after its own are those of another class, `other`: then a
 * pair may have one student of each. */
enum error store_pairs_across(struct store *store, struct store *other, struct arena *arena,
                              struct class_results *results, struct diagnostic *diagnostic);

/* Calls `visit` with the archive of each run that a current submission has, one after the other, in
 * one transaction. What it changes through store_put_marks is kept only if all visits succeed and
 * `keep` is true. Called with `keep` within a transaction of the caller, it is part of that one,
 * which after an error the caller ends without keeping it. */
typedef enum error store_visit(void *context, int64_t run, const char *archive, size_t length,
                               struct diagnostic *diagnostic);
enum error store_each_run(struct store *store, bool keep, store_visit *visit, void *context,
                          struct diagnostic *diagnostic);

/* Replaces the marks of a run by those of `report`, and its archive. */
enum error store_put_marks(struct store *store, int64_t run, const struct report *report,
                           struct diagnostic *diagnostic);

/* Takes over the results of another store (a chunk of a cluster). A result that this store has
 * already is kept, unless grading failed or a criterion is in error, and the other store has a
 * better result or more tries. Errors: ERROR_RANGE (other settings, another rubric, other files of
 * the coursework), ERROR_BUSY (it is being written), those of store_open(). */
enum error store_merge(struct store *store, const char *other_folder,
                       struct diagnostic *diagnostic);

#endif
