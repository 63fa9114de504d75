/* store_fixture.h: a small class and its store, for tests of batch/store*.c.
 *
 * The rubric is three criteria, "compile" (5), "correct" (20) and "bonus" (10, on top). A made
 * report gives the three some points; its archive is a text of its own.
 */
#ifndef GPUGRADE_TESTS_STORE_FIXTURE_H
#define GPUGRADE_TESTS_STORE_FIXTURE_H

#include "batch/store.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FIXTURE_SEED UINT64_C(0xfedcba9876543210)
#define FIXTURE_EVIDENCE "evidence of tools and rubric"

/* Takes versions 6 and 5 of the schema back. */
#define FIXTURE_UNDO_5                                                                             \
    "ALTER TABLE submissions DROP COLUMN time_content;"                                            \
    "ALTER TABLE runs DROP COLUMN gpu; ALTER TABLE runs DROP COLUMN ranked;"

static struct arena *arena;
static char *folder; /* for this test program's own files */
static char *results;
static struct diagnostic diagnostic;

static const struct rubric_criterion fixture_criteria[] = {
    {.id = "compile", .title = "it compiles", .kind = CRITERION_COMPILE, .points = 5},
    {.id = "correct", .title = "it is right", .kind = CRITERION_CORRECT, .points = 20},
    {.id = "bonus", .title = "it is fast", .kind = CRITERION_SPEEDUP, .points = 10, .bonus = true},
};

static const struct rubric fixture_rubric = {
    .id = "matmul",
    .title = "Matrices",
    .version = 3,
    .sha256 = "aaaa",
    .criteria = fixture_criteria,
    .criterion_count = 3,
};

static inline int fixture_set_up(void **state)
{
    (void)state;
    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    results = arena_printf(arena, "%s/results", folder);
    diagnostic = (struct diagnostic){0};
    return 0;
}

static inline int fixture_tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

/* Fails with what was said. */
#define assert_good(call)                                                                          \
    do {                                                                                           \
        diagnostic.message[0] = '\0';                                                              \
        enum error fixture_error = (call);                                                         \
        if (fixture_error != ERROR_NONE) {                                                         \
            fail_msg("%s: %s", error_text(fixture_error), diagnostic.message);                     \
        }                                                                                          \
    } while (0)

static inline struct store *open_store(const char *path, enum store_mode mode)
{
    struct store *store = NULL;

    assert_good(store_open(path, mode, &store, &diagnostic));
    return store;
}

static inline struct store_settings fixture_settings(void)
{
    return (struct store_settings){.coursework = "matmul",
                                   .submissions = "/somewhere/submissions",
                                   .options = "--device emulated",
                                   .seed = FIXTURE_SEED};
}

static inline struct store_rubric fixture_store_rubric(void)
{
    return (struct store_rubric){.sha256 = "aaaa", .evidence = "eeee", .text = "{\"id\": 1}\n"};
}

/* One entry for each student NNNN of [first, first + count). */
static inline struct class_list fixture_class(size_t first, size_t count)
{
    struct class_entry *entries = arena_array(arena, count, sizeof *entries);

    for (size_t i = 0; i < count; i++) {
        const char *student = arena_printf(arena, "s%05zu", first + i);
        entries[i] = (struct class_entry){.student = student,
                                          .name = "",
                                          .email = "",
                                          .canvas_id = "",
                                          .login = "",
                                          .moodle_id = "",
                                          .submission = arena_printf(arena, "%s.zip", student),
                                          .path = arena_printf(arena, "/in/%s.zip", student),
                                          .stamp = "stamp 1"};
    }
    return (struct class_list){.shape = "folders", .entries = entries, .entry_count = count};
}

/* A store that knows settings, rubric and a class of `count`. */
static inline struct store *make_store(const char *path, size_t count)
{
    struct store *store = open_store(path, STORE_CREATE);
    struct store_settings settings = fixture_settings();
    struct store_rubric rubric = fixture_store_rubric();
    struct class_list list = fixture_class(0, count);

    assert_good(store_put_settings(store, &settings, &diagnostic));
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_good(store_put_class(store, &list, &diagnostic));
    return store;
}

/* A report in which "compile" passes and "correct" gets `points` of its 20. */
static inline struct report make_report(double points)
{
    static const struct report_device device = {
        .kind = "emulated", .gpu_model = "H200", .uuid = ""};
    struct verdict *verdicts = arena_array(arena, 3, sizeof *verdicts);
    struct finding *finding = arena_alloc(arena, sizeof *finding);

    verdicts[0] = (struct verdict){.criterion = &fixture_criteria[0],
                                   .status = STATUS_PASSED,
                                   .points = 5,
                                   .summary = "1 program"};
    verdicts[1] = (struct verdict){.criterion = &fixture_criteria[1],
                                   .status = points >= 20 ? STATUS_PASSED : STATUS_FAILED,
                                   .points = points,
                                   .summary = "8 shapes"};
    verdicts[2] = (struct verdict){
        .criterion = &fixture_criteria[2], .status = STATUS_SKIPPED, .summary = "needs a GPU"};
    for (size_t i = 0; i < 3; i++) {
        verdicts[i].cause = (struct cause){.message = "", .file = "", .hint = ""};
    }
    if (points < 20) {
        verdicts[1].cause.code = CODE_MISMATCH;
        verdicts[1].cause.message = "expected 1, got 2";
    }
    *finding = (struct finding){.code = CODE_SHARED_RACE,
                                .severity = SEVERITY_ERROR,
                                .message = "two threads",
                                .kernel = "multiply",
                                .launch = "tiled",
                                .count = 7,
                                .place_count = 1};
    finding->places[0] = (struct place){.role = "read", .file = "tiled.cu", .line = 31};
    return (struct report){.rubric = &fixture_rubric,
                           .submission_name = "a submission",
                           .seed = FIXTURE_SEED,
                           .devices = &device,
                           .device_count = 1,
                           .sandbox = {.tier = "A", .note = "", .memory = "cgroup v2"},
                           .compiler = "nvcc 13.0",
                           .grader_version = "0.1.0",
                           .verdicts = verdicts,
                           .verdict_count = 3,
                           .findings = finding,
                           .finding_count = points < 20 ? 1 : 0,
                           .again = "gpugrade check ."};
}

/* The content of submission `number`; 64 digits. */
static inline void fixture_content(int64_t number, char out_content[65])
{
    snprintf(out_content, 65, "%064llx", (unsigned long long)number);
}

/* Stores a graded submission, whose content is named by `content`. */
static inline enum error put_report(struct store *store, int64_t submission, int64_t content,
                                    const struct report *report)
{
    char archive[64];
    struct outcome outcome = {.kind = OUTCOME_GRADED, .message = "", .archive = archive};
    struct store_result result = {.submission = submission,
                                  .evidence = FIXTURE_EVIDENCE,
                                  .outcome = &outcome,
                                  .report = report,
                                  .seconds = 4.5,
                                  .started = 1000000};

    snprintf(archive, sizeof archive, "{\"archive of\": %lld}\n", (long long)content);
    outcome.archive_length = strlen(archive);
    fixture_content(content, outcome.content);
    return store_put_result(store, &result, &diagnostic);
}

static inline enum error put_graded_as(struct store *store, int64_t submission, int64_t content,
                                       double points)
{
    struct report report = make_report(points);

    return put_report(store, submission, content, &report);
}

static inline enum error put_other(struct store *store, int64_t submission, enum outcome_kind kind,
                                   const char *message)
{
    struct outcome outcome = {.kind = kind, .message = message};
    struct store_result result = {
        .submission = submission, .evidence = FIXTURE_EVIDENCE, .outcome = &outcome, .seconds = 1};

    return store_put_result(store, &result, &diagnostic);
}

static inline size_t count_tasks(struct store *store, enum store_choice choice)
{
    const struct store_task *tasks;
    size_t count = 0;

    assert_good(store_tasks(store, arena, choice, &tasks, &count, &diagnostic));
    return count;
}

static inline struct class_results read_class(struct store *store, bool pseudonyms)
{
    struct class_results class = {0};

    assert_good(store_class(store, arena, &fixture_rubric, pseudonyms, &class, &diagnostic));
    return class;
}

#endif
