/* make_class_store.c RESULTS COUNT: makes a store with COUNT graded students, as a batch leaves it,
 * without grading anything: for tests and measurements of `gpugrade report`.
 *
 * The class is graded by rubrics/matmul.json; reports carry the sources of the reference solution,
 * a verdict for each criterion and a finding or two, in ways that depend on a student's number
 * alone. Every 97th handed in nothing that can be graded, every 101st is in trouble, every 499th is
 * pending, every 89th of the roster handed in nothing. The first names mean something to a
 * spreadsheet or to HTML.
 */
#include "base/file.h"
#include "batch/store.h"
#include "report/score/report_archive.h"
#include "rubric/rubric_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 1000000, SOURCE_BYTES_MAX = 1 << 20, VERDICTS_MAX = 64 };

/* Marks of device code: those of a family of students, and one's own. Every 500th has the marks of
 * the one before. */
enum { FAMILIES = 50, FAMILY_MARKS = 20, OWN_MARKS = 80, COPY_EVERY = 500 };

static const int64_t first_submitted = INT64_C(1795215540);

static const char *const names[] = {
    "Lovelace, Ada",
    "=HYPERLINK(\"http://a\",\"b\")",
    "O'Brien; \"Jane\"",
    "<script>alert(1)</script>",
    "Zo\xC3\xAB & Co",
    "\xE2\x80\xAEtxt.exe",
    "-7",
    "@lice",
};

struct maker {
    struct arena *arena;
    struct store *store;
    const struct rubric *rubric;
    struct source_file sources[2];
    struct diagnostic diagnostic;
};

static void check(struct maker *maker, enum error error)
{
    if (error != ERROR_NONE) {
        fprintf(stderr, "make_class_store: %s: %s\n", error_text(error), maker->diagnostic.message);
        exit(1);
    }
}

/* A number from 0 to `below` - 1 that follows from two others. */
static unsigned number_of(size_t row, size_t stream, unsigned below)
{
    uint64_t x = (row + 1) * UINT64_C(0x9E3779B97F4A7C15) + stream * UINT64_C(0xD1B54A32D192ED03);

    x ^= x >> 32;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 29;
    return (unsigned)(x % below);
}

static void load(struct maker *maker)
{
    static const char *const files[] = {"exercise1_tiled.cu", "exercise2_dynamic.cu"};

    check(maker, rubric_load(maker->arena, GPUGRADE_SOURCE_DIR "/rubrics/matmul.json",
                             GPUGRADE_SOURCE_DIR, &maker->rubric, &maker->diagnostic));
    for (size_t i = 0; i < 2; i++) {
        char *bytes;
        const char *path = arena_printf(
            maker->arena, GPUGRADE_SOURCE_DIR "/reference/matmul/solution/%s", files[i]);
        maker->sources[i].name = files[i];
        check(maker, file_read(maker->arena, path, SOURCE_BYTES_MAX, BLAME_ENVIRONMENT, &bytes,
                               &maker->sources[i].length, &maker->diagnostic));
        maker->sources[i].text = bytes;
    }
}

static bool is_missing(size_t row)
{
    return row % 89 == 8;
}

static void put_class(struct maker *maker, size_t count)
{
    struct class_entry *entries = arena_array(maker->arena, count, sizeof *entries);
    struct class_person *people = arena_array(maker->arena, count, sizeof *people);
    struct class_list list = {.shape = "folders", .entries = entries, .people = people};

    for (size_t i = 0; i < count; i++) {
        bool is_special = i < sizeof names / sizeof names[0];
        const char *student = arena_printf(maker->arena, "s%06zu", i);
        people[list.person_count++] = (struct class_person){
            .student = student,
            .id = student,
            .name = is_special ? names[i] : arena_printf(maker->arena, "Family%zu, Given", i),
            .email = arena_printf(maker->arena, "%s@example.org", student),
            .canvas_id = arena_printf(maker->arena, "%zu", 9000 + i),
            .sis_id = student,
            .login = student,
            .section = "Lab 1",
            .moodle_id = student,
        };
        if (is_missing(i)) {
            continue;
        }
        entries[list.entry_count++] = (struct class_entry){
            .student = student,
            .name = "",
            .email = "",
            .canvas_id = "",
            .login = "",
            .moodle_id = "",
            .submission = student,
            .path = arena_printf(maker->arena, "/nowhere/%s", student),
            .is_folder = true,
            .stamp = student,
            .submitted = first_submitted + (int64_t)i * 61,
        };
    }
    check(maker, store_put_class(maker->store, &list, &maker->diagnostic));
}

static struct verdict make_verdict(const struct rubric_criterion *criterion, size_t row,
                                   size_t index)
{
    static const enum code codes[] = {CODE_MISMATCH, CODE_NAMED_MISTAKE, CODE_SHARED_RACE,
                                      CODE_TOO_MANY_LOADS};
    struct verdict verdict = {.criterion = criterion, .points = criterion->points};
    unsigned draw = number_of(row, index, 100);

    verdict.summary = "8 shapes";
    verdict.cause = (struct cause){.message = "", .file = "", .hint = ""};
    if (criterion->kind == CRITERION_SPEEDUP) {
        verdict_add_measured_number(&verdict, "speedup", 0.5 + number_of(row, 70, 700) / 100.0);
    }
    if (draw < 10) {
        verdict.status = STATUS_FAILED;
        verdict.points = 0;
        verdict.summary = "wrong in 6 of 8 shapes";
        verdict.cause = (struct cause){
            .code = codes[number_of(row, index + 50, 4)],
            .message = "the tile `As` is read before it is written: expected 2, got 1.5",
            .file = "exercise1_tiled.cu",
            .line = 20,
            .column = 9,
            .hint = "put `__syncthreads()` behind the loads"};
    } else if (draw > 96) {
        verdict.status = STATUS_PARTIAL;
        verdict.points = criterion->points / 2;
        verdict.cause.code = CODE_TOO_SLOW;
        verdict.cause.message = "less speedup than the reference solution";
    }
    return verdict;
}

static int compare_marks(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static struct device_code make_code(const char *program, uint64_t *marks, size_t row)
{
    size_t author = row % COPY_EVERY == COPY_EVERY - 1 ? row - 1 : row;

    for (size_t i = 0; i < FAMILY_MARKS + OWN_MARKS; i++) {
        uint64_t owner = i < FAMILY_MARKS ? author % FAMILIES : FAMILIES + author;
        marks[i] = (owner << 40 | i << 8 | (uint8_t)program[0]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    qsort(marks, FAMILY_MARKS + OWN_MARKS, sizeof *marks, compare_marks);
    return (struct device_code){.program = program,
                                .marks = marks,
                                .mark_count = FAMILY_MARKS + OWN_MARKS,
                                .instructions = 4 * (FAMILY_MARKS + OWN_MARKS)};
}

static void put_graded(struct maker *maker, struct store_result *result, size_t row)
{
    static const struct report_device device = {"emulated", "H200", "", 0};
    static const struct finding finding = {.code = CODE_SHARED_RACE,
                                           .severity = SEVERITY_ERROR,
                                           .message =
                                               "shared array `As` is read while it is written",
                                           .kernel = "matrixMulTiled",
                                           .launch = "tiled",
                                           .count = 31};
    struct verdict verdicts[VERDICTS_MAX];
    uint64_t marks[2][FAMILY_MARKS + OWN_MARKS];
    const struct device_code code[] = {make_code("tiled", marks[0], row),
                                       make_code("dynamic", marks[1], row)};
    struct outcome outcome = {.kind = OUTCOME_GRADED, .message = ""};
    struct report report = {.rubric = maker->rubric,
                            .submission_name = ".",
                            .seed = 0x5eed1234,
                            .devices = &device,
                            .device_count = 1,
                            .sandbox = {.tier = "A", .note = "", .memory = "cgroup v2"},
                            .compiler = "nvcc 13.0",
                            .grader_version = GPUGRADE_VERSION,
                            .verdicts = verdicts,
                            .verdict_count = maker->rubric->criterion_count,
                            .findings = &finding,
                            .finding_count = number_of(row, 80, 4) == 0,
                            .sources = maker->sources,
                            .source_count = 2,
                            .again = "gpugrade check .",
                            .device_code = code,
                            .device_code_count = 2,
                            .hints = HINTS_EXPLAIN};
    struct text archive;

    for (size_t i = 0; i < report.verdict_count && i < VERDICTS_MAX; i++) {
        verdicts[i] = make_verdict(&maker->rubric->criteria[i], row, i);
    }
    snprintf(outcome.content, sizeof outcome.content, "%064zx", row);
    memcpy(report.submission_sha256, outcome.content, sizeof outcome.content);
    text_init(&archive);
    report_archive_write(&report, &archive);
    outcome.archive = archive.bytes;
    outcome.archive_length = archive.length;
    result->outcome = &outcome;
    result->report = &report;
    check(maker, store_put_result(maker->store, result, &maker->diagnostic));
    text_release(&archive);
}

static void put_result(struct maker *maker, const struct store_task *task)
{
    size_t row = (size_t)strtoull(task->submission + 1, NULL, 10);
    struct outcome outcome = {.kind = OUTCOME_NOTHING,
                              .message = "the archive is broken: it ends early; hand it in again"};
    struct store_result result = {.submission = task->id,
                                  .evidence = maker->rubric->evidence_sha256,
                                  .outcome = &outcome,
                                  .seconds = 3 + number_of(row, 72, 9000) / 1000.0,
                                  .started = first_submitted};

    if (row % 499 == 9) {
        return;
    }
    if (row % 101 == 6) {
        outcome.kind = OUTCOME_TROUBLE;
        outcome.message = "the disk is full; make room, then gpugrade batch --resume";
    }
    if (row % 97 == 5 || row % 101 == 6) {
        check(maker, store_put_result(maker->store, &result, &maker->diagnostic));
    } else {
        put_graded(maker, &result, row);
    }
}

int main(int argument_count, char **arguments)
{
    struct maker maker = {.arena = arena_new()};
    long long count = 0;
    const struct store_task *tasks;
    size_t task_count;

    if (argument_count != 3 || !text_to_integer(arguments[2], 1, COUNT_MAX, &count)) {
        fprintf(stderr, "usage: make_class_store RESULTS COUNT\n");
        return 2;
    }
    load(&maker);
    const struct store_settings settings = {.coursework = maker.rubric->id,
                                            .submissions = "/nowhere",
                                            .options = "--device emulated",
                                            .seed = 0x5eed1234};
    const struct store_rubric rubric = {.sha256 = maker.rubric->sha256,
                                        .evidence = maker.rubric->evidence_sha256,
                                        .text = maker.rubric->whole_text};
    check(&maker, store_open(arguments[1], STORE_CREATE, &maker.store, &maker.diagnostic));
    check(&maker, store_begin(maker.store, &maker.diagnostic));
    check(&maker, store_put_settings(maker.store, &settings, &maker.diagnostic));
    check(&maker, store_put_rubric(maker.store, &rubric, &maker.diagnostic));
    put_class(&maker, (size_t)count);
    check(&maker, store_tasks(maker.store, maker.arena, STORE_PENDING, &tasks, &task_count,
                              &maker.diagnostic));
    for (size_t i = 0; i < task_count; i++) {
        put_result(&maker, &tasks[i]);
    }
    check(&maker, store_end(maker.store, true, &maker.diagnostic));
    store_close(maker.store);
    arena_free(maker.arena);
    return 0;
}
