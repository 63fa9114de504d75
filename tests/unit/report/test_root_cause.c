/* test_root_cause.c: which verdicts and findings are one root cause, in which order root causes are
 * told, and how much of them. */
#include "diagnosis/grouping/diagnostics.h"
#include "diagnosis/grouping/root_cause.h"
#include "model/criterion_summary.h"
#include "report/html/report_html.h"
#include "report/report_hints.h"
#include "report/score/report_json.h"
#include "report/score/score_read.h"
#include "report/terminal/report_terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { COMPILE, CORRECT, RACE_FREE, TILED, DYNAMIC, CORRECT_OTHER, BLOCK_SIZE, CRITERIA };

static const struct rubric_launch launches[] = {{.id = "tiled"}, {.id = "other"}};
static const struct rubric_criterion criteria[CRITERIA] = {
    [COMPILE] = {.id = "compile", .kind = CRITERION_COMPILE, .title = "compiles", .points = 5},
    [CORRECT] = {.id = "correct",
                 .title = "compute C, tiled",
                 .kind = CRITERION_CORRECT,
                 .points = 5,
                 .has_launch = true},
    [RACE_FREE] = {.id = "race-free",
                   .title = "race-free",
                   .kind = CRITERION_RACE_FREE,
                   .points = 5,
                   .has_launch = true},
    [TILED] = {.id = "tiled",
               .title = "tiled loads",
               .kind = CRITERION_TILED,
               .points = 5,
               .has_launch = true},
    [DYNAMIC] = {.id = "dynamic",
                 .title = "dynamic",
                 .kind = CRITERION_DYNAMIC,
                 .points = 5,
                 .has_launch = true},
    [CORRECT_OTHER] = {.id = "other",
                       .title = "other",
                       .kind = CRITERION_CORRECT,
                       .points = 5,
                       .has_launch = true,
                       .launch = 1},
    [BLOCK_SIZE] = {.id = "block-size",
                    .title = "block size printout",
                    .kind = CRITERION_BLOCK_SIZE,
                    .points = 5,
                    .has_launch = true},
};
static const struct rubric rubric = {
    .id = "matmul", .version = 1, .launches = launches, .launch_count = COUNT(launches)};
static const struct report_device devices[] = {{"emulated", "H200", "", 0}};
static const char source_text[] = "one\ntwo\n    As[ty][tx] = A[i];\n    Bs[ty][tx] = B[i];\n"
                                  "five\n    sum += As[ty][k] * Bs[k][tx];\nseven\n";
static const struct source_file sources[] = {{"a.cu", source_text, sizeof source_text - 1}};

/* One report, its verdicts all passed at first. */
struct sheet {
    struct arena *arena;
    struct verdict verdicts[CRITERIA];
    struct finding findings[8];
    struct report report;
};

static int set_up(void **state)
{
    static struct sheet sheet;

    memset(&sheet, 0, sizeof sheet);
    sheet.arena = arena_new();
    for (size_t i = 0; i < CRITERIA; i++) {
        sheet.verdicts[i].criterion = &criteria[i];
        sheet.verdicts[i].status = STATUS_PASSED;
        sheet.verdicts[i].summary = "fine";
    }
    sheet.report = (struct report){.rubric = &rubric,
                                   .devices = devices,
                                   .device_count = 1,
                                   .sandbox.note = "",
                                   .verdicts = sheet.verdicts,
                                   .verdict_count = CRITERIA,
                                   .findings = sheet.findings,
                                   .sources = sources,
                                   .source_count = 1,
                                   .again = "gpugrade check ."};
    *state = &sheet;
    return 0;
}

static int tear_down(void **state)
{
    struct sheet *sheet = *state;

    arena_free(sheet->arena);
    return 0;
}

static void fails(struct sheet *sheet, size_t index, enum code code, const char *message, int line)
{
    struct verdict *verdict = &sheet->verdicts[index];

    verdict->status = STATUS_FAILED;
    verdict->summary = cause_title(code_cause(code));
    verdict->cause = (struct cause){.code = code,
                                    .message = message,
                                    .file = line > 0 ? "a.cu" : "",
                                    .line = line,
                                    .hint = "do it"};
}

/* Adds a finding between two lines of the launch "tiled"; `late` is the main place. */
static struct finding *see(struct sheet *sheet, enum code code, const char *object, int early,
                           int late)
{
    struct finding *finding = &sheet->findings[sheet->report.finding_count++];

    *finding = (struct finding){
        .code = code,
        .message = code_title(code),
        .kernel = "k",
        .object = object,
        .launch = "tiled",
        .count = 10,
        .places = {{"write", "a.cu", early, 5, true, {0, 0, 0}, {1, 0, 0}, NULL, false},
                   {"read", "a.cu", late, 5, true, {0, 0, 0}, {2, 0, 0}, NULL, false}},
        .place_count = early == late ? 1 : 2,
        .main_place = early == late ? 0 : 1,
    };
    return finding;
}

static const char *note(const struct report_diagnostic *diagnostic, enum note_kind kind)
{
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        if (diagnostic->notes[i].kind == kind) {
            return diagnostic->notes[i].text;
        }
    }
    return "";
}

static const struct report_diagnostic *told(struct sheet *sheet, size_t expected)
{
    diagnostics_make(&sheet->report, sheet->arena);
    assert_int_equal(sheet->report.diagnostic_count, expected);
    return sheet->report.diagnostics;
}

static void a_source_that_does_not_compile_is_told_once(void **state)
{
    struct sheet *sheet = *state;
    struct text row;

    fails(sheet, CORRECT_OTHER, CODE_MISMATCH, "C is wrong", 0);
    fails(sheet, COMPILE, CODE_COMPILE_ERROR, "expected a \";\"", 2);
    fails(sheet, CORRECT, CODE_COMPILE_ERROR, "expected a \";\"", 2);
    fails(sheet, TILED, CODE_COMPILE_ERROR, "expected a \";\"", 2);
    const struct report_diagnostic *all = told(sheet, 2);
    assert_int_equal(all[0].code, CODE_COMPILE_ERROR);
    assert_int_equal(all[0].verdict_count, 3);
    assert_int_equal(all[0].verdicts[0], COMPILE);
    assert_string_equal(
        note(&all[0], NOTE_ALSO),
        "\"compute C, tiled\", \"tiled loads\" cannot be graded until this is fixed");
    assert_string_equal(note(&all[0], NOTE_AGAIN), "gpugrade check . --only compile --seed 0x0");
    assert_string_equal(note(&all[0], NOTE_EXPLAIN), "gpugrade explain C01");
    assert_int_equal(all[1].code, CODE_MISMATCH);

    text_init(&row);
    report_append_criterion_summary(&sheet->report, TILED, &row);
    assert_string_equal(row.bytes, "blocked by C01: does not compile");
    text_clear(&row);
    report_append_criterion_summary(&sheet->report, COMPILE, &row);
    assert_string_equal(row.bytes, "does not compile (C01)");
    text_clear(&row);
    report_append_criterion_summary(&sheet->report, RACE_FREE, &row);
    assert_string_equal(row.bytes, "fine");
    text_release(&row);
}

static void races_over_one_missing_barrier_are_one(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_RACE, "As", 3, 6)->count = 1;
    see(sheet, CODE_WARP_RACE, "Bs", 4, 6)->severity = SEVERITY_WARNING;
    see(sheet, CODE_SHARED_RACE, "As", 6, 3); /* the other barrier, at the end of the loop */
    see(sheet, CODE_SHARED_RACE, "As", 3, 6)->launch = "other"; /* the same line */
    fails(sheet, RACE_FREE, CODE_SHARED_RACE, sheet->findings[0].message, 6);
    const struct report_diagnostic *all = told(sheet, 2);
    assert_ptr_equal(all[0].finding, &sheet->findings[0]);
    assert_int_equal(all[0].mark_count, 3);
    assert_string_equal(all[0].marks[0].label, "written by thread (1,0)");
    assert_int_equal(all[0].marks[1].column, 12); /* `As` in line 6, not the statement */
    assert_int_equal(all[0].marks[1].end, 21);
    assert_true(all[0].marks[1].is_primary);
    assert_int_equal(all[0].marks[2].line, 4);
    assert_false(all[0].marks[2].is_primary);
    assert_string_equal(note(&all[0], NOTE_SEEN), "21 times in k");
    assert_int_equal(all[1].verdict_count, 0);
}

/* W10 is told where blocks race in global memory. */
static void the_order_of_blocks_matters_where_they_race(void **state)
{
    struct sheet *sheet = *state;

    fails(sheet, CORRECT, CODE_BLOCK_ORDER, "wrong with the blocks in another order", 0);
    assert_int_equal(told(sheet, 1)[0].code, CODE_BLOCK_ORDER);
    struct finding *race = see(sheet, CODE_GLOBAL_RACE, NULL, 3, 4);
    fails(sheet, RACE_FREE, CODE_GLOBAL_RACE, race->message, 4);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_ptr_equal(all[0].finding, race);
    assert_int_equal(all[0].verdict_count, 2);
}

/* A block width that is computed wrong is printed and launched. */
static void a_printed_width_is_launched(void **state)
{
    struct sheet *sheet = *state;

    fails(sheet, CORRECT, CODE_WRONG_BLOCK, "a block has 4 threads in x", 5);
    fails(sheet, BLOCK_SIZE, CODE_PRINTOUT_WRONG, "printed 4, expected 32", 3);
    verdict_add_text(&sheet->verdicts[BLOCK_SIZE], "printed", "4");
    told(sheet, 2); /* no launch was seen */
    verdict_add_integer(&sheet->verdicts[BLOCK_SIZE], "launched_block", 4);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all[0].code, CODE_PRINTOUT_WRONG);
    assert_int_equal(all[0].verdict_count, 2);
    sheet->verdicts[BLOCK_SIZE].evidence[0].text = "8"; /* another one */
    told(sheet, 2);
}

/* Seen on the program's own data, and in the probes of the launch of the same kernel. */
static void own_data_shows_no_second_mistake(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_UNINITIALISED_SHARED, "As", 6, 6)->launch = "";
    struct finding *probed = see(sheet, CODE_UNINITIALISED_SHARED, "As", 6, 6);
    probed->of_shapes = probed->shapes = 4;
    probed->first_shape = "A 8x8";
    fails(sheet, RACE_FREE, CODE_UNINITIALISED_SHARED, probed->message, 6);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_ptr_equal(all[0].finding, probed);
    assert_string_equal(note(&all[0], NOTE_SEEN),
                        "in 4 of 4 shapes, 10 times; first: A 8x8, block (0,0)");
    fails(sheet, TILED, CODE_UNINITIALISED_SHARED, "in `k`: read too early", 6); /* other words */
    all = told(sheet, 1);
    assert_int_equal(all[0].verdict_count, 2);
    sheet->verdicts[TILED].status = STATUS_PASSED;
    /* what follows from it does so there, too */
    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 3, 3);
    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 4, 4)->launch = "";
    sheet->findings[3].message = "told otherwise";
    fails(sheet, CORRECT, CODE_GLOBAL_OUT_OF_BOUNDS, sheet->findings[2].message, 3);
    told(sheet, 2);
    /* of which of two launches it is, nobody knows */
    see(sheet, CODE_USE_AFTER_FREE, NULL, 5, 5)->launch = "other";
    told(sheet, 4);
}

static void a_line_follows_once(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_OUT_OF_BOUNDS, "As", 3, 3);
    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 4, 4);
    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 4, 4)->kernel = "another";
    fails(sheet, RACE_FREE, CODE_SHARED_OUT_OF_BOUNDS, sheet->findings[0].message, 3);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_string_equal(note(&all[0], NOTE_NOTE), "B01 in line 4 probably follows from this");
    /* in more shapes than what it would follow from */
    sheet->findings[0].of_shapes = sheet->findings[1].of_shapes = 4;
    sheet->findings[0].shapes = 2;
    sheet->findings[1].shapes = 3;
    all = told(sheet, 1);
    assert_string_equal(note(&all[0], NOTE_NOTE), "B01 in line 4 may follow from this");
}

/* A warning of the probes is an error on the program's own data. */
static void the_worst_severity_leads(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_BARRIER_INCOMPLETE, NULL, 5, 5)->severity = SEVERITY_WARNING;
    see(sheet, CODE_BARRIER_INCOMPLETE, NULL, 5, 5)->launch = "";
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all[0].severity, SEVERITY_ERROR);
    assert_ptr_equal(all[0].finding, &sheet->findings[1]);
}

static void races_at_barriers_apart_are_two(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_RACE, "As", 1, 3);
    see(sheet, CODE_SHARED_RACE, "Bs", 4, 6);
    told(sheet, 2);
    sheet->findings[1].places[0].line = 3; /* a barrier before line 3 would do for both */
    told(sheet, 1);
}

/* Which lines touch an element is no matter where its thread is wrong. */
static void races_in_one_array_are_one(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_GLOBAL_RACE, "d_keys", 1, 3);
    see(sheet, CODE_GLOBAL_RACE, "d_keys", 4, 6);
    told(sheet, 1);
    sheet->findings[1].object = "d_out";
    told(sheet, 2);
    sheet->findings[0].object = sheet->findings[1].object = NULL;
    told(sheet, 2);
    for (int i = 0; i < 2; i++) {
        sheet->findings[i].places[2] = (struct place){.role = "allocated", .file = "a.cu"};
        sheet->findings[i].place_count = 3;
        sheet->findings[i].places[2].line = 7;
    }
    told(sheet, 1);
    sheet->findings[1].places[2].line = 8;
    told(sheet, 2);
}

/* What reads past the end of device memory leaves shared memory in order. */
static void an_access_outside_explains_races_in_its_memory_alone(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, "A", 3, 3);
    see(sheet, CODE_SHARED_RACE, "As", 3, 6);
    fails(sheet, CORRECT, CODE_GLOBAL_OUT_OF_BOUNDS, sheet->findings[0].message, 3);
    told(sheet, 2);
    sheet->findings[1].code = CODE_GLOBAL_RACE;
    told(sheet, 1);
    sheet->findings[0].code = CODE_SHARED_OUT_OF_BOUNDS;
    sheet->verdicts[CORRECT].cause.code = CODE_SHARED_OUT_OF_BOUNDS;
    told(sheet, 2);
    sheet->findings[1].code = CODE_WARP_RACE;
    told(sheet, 1);
}

/* The same two lines race in another launch, in memory that has a name there. */
static void a_race_of_two_launches_is_one(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_GLOBAL_RACE, "d_out", 3, 6);
    struct finding *other = see(sheet, CODE_GLOBAL_RACE, NULL, 3, 6);
    other->launch = "other";
    other->places[2] = (struct place){.role = "allocated", .file = "a.cu", .line = 7};
    other->place_count = 3;
    told(sheet, 1);
    other->places[1].line = 5;
    told(sheet, 2);
}

static void what_a_race_brings_about_is_its_root_cause(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_RACE, "As", 3, 6);
    fails(sheet, CORRECT, CODE_MISMATCH, "C is wrong; probably because of a race", 6);
    sheet->verdicts[CORRECT].cause.because = CODE_SHARED_RACE;
    sheet->verdicts[CORRECT].summary = "wrong in 8 of 8 shapes";
    static const struct line_fix tried = {"a.cu", 5, NULL, "turn(C);"};
    sheet->verdicts[CORRECT].cause.fixes = &tried;
    sheet->verdicts[CORRECT].cause.fix_count = 1;
    const struct report_diagnostic *alone = told(sheet, 1); /* --only correct */
    assert_int_equal(alone->code, CODE_SHARED_RACE);
    assert_int_equal(alone->fix_count, 1);
    assert_string_equal(note(alone, NOTE_SO),
                        "\"compute C, tiled\" fails because of this: wrong in 8 of 8 shapes");
    assert_string_equal(note(alone, NOTE_AGAIN), "gpugrade check . --only correct --seed 0x0");
    assert_true(strlen(note(alone, NOTE_HINT)) > 0);

    fails(sheet, RACE_FREE, CODE_SHARED_RACE, "in `k`: shared memory, no barrier", 6);
    const struct report_diagnostic *both = told(sheet, 1);
    assert_int_equal(both->verdict_count, 2);
    assert_int_equal(both->verdicts[0], RACE_FREE);
    assert_int_equal(both->verdicts[1], CORRECT);
}

/* A template's kernel runs in two launches, and the race of each makes its result wrong. */
static void results_of_two_launches_may_have_one_root_cause(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_RACE, "As", 3, 6);
    see(sheet, CODE_SHARED_RACE, "As", 3, 6)->launch = "other";
    fails(sheet, RACE_FREE, CODE_SHARED_RACE, sheet->findings[0].message, 6);
    fails(sheet, CORRECT_OTHER, CODE_MISMATCH, "C is wrong; probably because of a race", 6);
    sheet->verdicts[CORRECT_OTHER].cause.because = CODE_SHARED_RACE;
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all->verdict_count, 2);
    assert_int_equal(all->verdicts[1], CORRECT_OTHER);
    assert_string_equal(note(all, NOTE_SEEN), "20 times in k");
}

/* A call writes to places that another one computes, whose results are wrong. */
static void wrong_results_are_used_as_indices(void **state)
{
    static const struct {
        const char *text;
        size_t expected;
    } rows[] = {
        {"__global__ void k(int *o, int *p) {\n  o[p[i]] = 1;\n}\n"
         "void compact(int *o) {\n  scan(o);\n}\n",
         1},
        /* it does not call it */
        {"__global__ void k(int *o, int *p) {\n  o[p[i]] = 1;\n}\n"
         "void compact(int *o) {\n}\nvoid other(int *o) {\n  scan(o);\n}\n",
         2},
        /* the index is not read */
        {"__global__ void k(int *o, int *p) {\n  o[i] = p[i];\n}\n"
         "void compact(int *o) {\n  scan(o);\n}\n",
         2},
    };
    static const struct rubric_launch calls[] = {{.id = "tiled", .call = "scan"},
                                                 {.id = "other", .call = "compact"}};
    struct rubric of_calls = rubric;
    struct sheet *sheet = *state;

    of_calls.launches = calls;
    sheet->report.rubric = &of_calls;
    fails(sheet, CORRECT, CODE_MISMATCH, "C is wrong", 5);
    struct finding *finding = see(sheet, CODE_GLOBAL_RACE, "o", 2, 2);
    finding->launch = "other";
    fails(sheet, CORRECT_OTHER, CODE_GLOBAL_RACE, finding->message, 2);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct source_file file = {"a.cu", rows[i].text, strlen(rows[i].text)};
        sheet->report.sources = &file;
        const struct report_diagnostic *all = told(sheet, rows[i].expected);
        assert_string_equal(note(&all[0], NOTE_NOTE),
                            rows[i].expected == 1 ? "R03 in line 2 probably follows from this"
                                                  : "");
    }
}

static void one_mistake_explains_the_others_of_its_launch(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_OUT_OF_BOUNDS, "As", 3, 3)->message = "writes behind `As`";
    see(sheet, CODE_SHARED_RACE, "As", 3, 6);
    fails(sheet, CORRECT, CODE_SHARED_OUT_OF_BOUNDS, "in `k`: writes behind `As`", 3);
    fails(sheet, RACE_FREE, CODE_SHARED_OUT_OF_BOUNDS, "in `k`: writes behind `As`", 3);
    fails(sheet, DYNAMIC, CODE_WRONG_BYTE_COUNT, "passes 0 bytes", 0);
    fails(sheet, CORRECT_OTHER, CODE_SHARED_OUT_OF_BOUNDS, "in `other`: writes behind `Bs`", 4);
    const struct report_diagnostic *all = told(sheet, 2);
    assert_int_equal(all[0].code, CODE_WRONG_BYTE_COUNT);
    assert_int_equal(all[0].verdict_count, 3);
    assert_int_equal(all[0].verdicts[0], DYNAMIC);
    assert_string_equal(note(&all[0], NOTE_SO),
                        "\"compute C, tiled\", \"race-free\" fail too: out of bounds");
    assert_string_equal(note(&all[0], NOTE_NOTE),
                        "B02 in a.cu:3 and R01 in a.cu:6 probably follow from this");
    assert_string_equal(all[0].marks[0].label,
                        "probably follows: an access outside shared memory (B02)");
    assert_int_equal(all[1].verdicts[0], CORRECT_OTHER);
}

/* Read from the top, the first mark of a kind has the words; the column is the primary mark's. */
static void the_same_stands_below_the_words(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_SHARED_RACE, "Bs", 4, 6);
    see(sheet, CODE_WARP_RACE, "As", 3, 6);
    see(sheet, CODE_SHARED_RACE, "five", 5, 7);
    sheet->findings[2].places[1].column = 1;
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all[0].mark_count, 5);
    assert_string_equal(all[0].marks[0].label, "written by thread (1,0)");
    assert_string_equal(all[0].marks[1].label,
                        "read by thread (2,0), with no __syncthreads() in between");
    assert_int_equal(all[0].marks[2].line, 3);
    assert_string_equal(all[0].marks[2].label, "written");
    assert_int_equal(all[0].marks[3].line, 5);
    assert_string_equal(all[0].marks[3].label, "the same for `five`");
    assert_int_equal(all[0].marks[4].line, 7);
    assert_string_equal(all[0].marks[4].label, "the same for `five`");
    assert_true(all[0].marks[1].is_primary);
    assert_int_equal(all[0].marks[1].column, 24);
    assert_int_equal(all[0].column, 24);
    /* above the first finding's read stands a read of another finding */
    sheet->findings[0].places[1].line = 7;
    sheet->findings[0].object = "seven";
    all = told(sheet, 1);
    assert_int_equal(all[0].marks[3].line, 6);
    assert_string_equal(all[0].marks[3].label, "read, with no __syncthreads() in between");
}

/* Of two accesses in one column the main one is pointed at. */
static void the_main_access_is_pointed_at(void **state)
{
    struct sheet *sheet = *state;
    struct finding *finding = see(sheet, CODE_GLOBAL_RACE, NULL, 3, 4);

    finding->places[1].line = 3;
    finding->places[1].block[2] = 1;
    finding->main_place = 1;
    const struct report_diagnostic *all = told(sheet, 1);
    assert_false(all[0].marks[0].is_primary);
    assert_true(all[0].marks[1].is_primary);
    assert_string_equal(all[0].marks[0].label, "written by thread (1,0) of block (0,0)");
    assert_string_equal(all[0].marks[1].label, "read by another block, with nothing to order them");
}

static void threads_that_leave_explain_what_is_not_written(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_BARRIER_INCOMPLETE, NULL, 5, 5)->severity = SEVERITY_WARNING;
    told(sheet, 1);
    assert_int_equal(sheet->report.diagnostics[0].severity, SEVERITY_WARNING);
    see(sheet, CODE_UNINITIALISED_SHARED, "As", 6, 6);
    fails(sheet, RACE_FREE, CODE_UNINITIALISED_SHARED, "nobody wrote it", 6);
    fails(sheet, CORRECT, CODE_NOT_WRITTEN, "9 elements are never written", 0);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all[0].code, CODE_BARRIER_INCOMPLETE);
    assert_int_equal(all[0].severity, SEVERITY_ERROR);
    assert_string_equal(note(&all[0], NOTE_SO),
                        "\"compute C, tiled\" fails because of this: 9 elements are never written");
    assert_int_equal(all[0].verdict_count, 2);
}

static void an_untouched_template_is_one_root_cause(void **state)
{
    struct sheet *sheet = *state;
    struct text row;

    fails(sheet, CORRECT, CODE_TEMPLATE_UNCHANGED, "a.cu is still the template", 2);
    fails(sheet, DYNAMIC, CODE_NO_PRINTOUT_YET, "a.cu is still the template", 5);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_string_equal(note(&all[0], NOTE_ALSO), "\"dynamic\" fails for the same reason");
    text_init(&row);
    report_append_criterion_summary(&sheet->report, DYNAMIC, &row);
    assert_string_equal(row.bytes, "not attempted (T01)");
    text_release(&row);
}

static void what_nobody_can_judge_comes_after_what_fails(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_BARRIER_INCOMPLETE, NULL, 5, 5)->severity = SEVERITY_WARNING;
    sheet->findings[0].launch = "other";
    see(sheet, CODE_NULL_POINTER, NULL, 5, 5)->launch = "";
    sheet->findings[1].kernel = "another";
    fails(sheet, CORRECT, CODE_NONE, "the reference fails", 0);
    sheet->verdicts[CORRECT].status = STATUS_ERROR;
    fails(sheet, TILED, CODE_TOO_MANY_LOADS, "loads too much", 3);
    const struct report_diagnostic *all = told(sheet, 4);
    assert_int_equal(all[0].code, CODE_TOO_MANY_LOADS);
    assert_int_equal(all[1].code, CODE_NONE);
    assert_string_equal(note(&all[1], NOTE_NOTE),
                        "this is not your submission's fault and costs no marks");
    assert_string_equal(note(&all[1], NOTE_EXPLAIN), "");
    assert_int_equal(all[2].code, CODE_NULL_POINTER);
    assert_int_equal(all[3].code, CODE_BARRIER_INCOMPLETE);
}

/* Everything that a report says, as a screen and as facts. */
static void say_all(struct sheet *sheet, const struct report *report, struct text *out)
{
    struct report shown = *report;
    struct terminal_style style = {false, 100, true};

    diagnostics_make(&shown, sheet->arena);
    report_terminal(&shown, &style, out);
}

static void a_rubric_says_how_much_is_told(void **state)
{
    struct sheet *sheet = *state;
    static const struct remark remarks[] = {{"unused variable", "a.cu", 1, 1, true},
                                            {"a barrier for nothing", "a.cu", 5, 1, false}};
    static const struct line_fix tried = {"a.cu", 5, NULL, "turn(C);"};
    struct report limited;
    struct text text;

    see(sheet, CODE_SHARED_RACE, "As", 3, 6);
    fails(sheet, CORRECT, CODE_NAMED_MISTAKE, "C is transposed", 6);
    sheet->verdicts[CORRECT].cause.plain = "C is wrong in 8 of 8 shapes";
    sheet->verdicts[CORRECT].cause.difference = "got 1 instead of 2";
    sheet->verdicts[CORRECT].summary = "wrong in 8 of 8 shapes";
    verdict_add_text(&sheet->verdicts[CORRECT], "mistake", "transposed");
    sheet->verdicts[CORRECT].cause.fixes = &tried;
    sheet->verdicts[CORRECT].cause.fix_count = 1;
    fails(sheet, COMPILE, CODE_COMPILE_ERROR, "expected a \";\"", 2);
    sheet->report.remarks = remarks;
    sheet->report.remark_count = 2;
    text_init(&text);

    report_apply_hints(&sheet->report, HINTS_FIX, sheet->arena, &limited);
    say_all(sheet, &limited, &text);
    assert_non_null(strstr(text.bytes, "+ turn(C);"));
    assert_non_null(strstr(text.bytes, "gpugrade explain W02"));

    text_clear(&text);
    report_apply_hints(&sheet->report, HINTS_EXPLAIN, sheet->arena, &limited);
    say_all(sheet, &limited, &text);
    assert_null(strstr(text.bytes, "turn(C)"));
    assert_non_null(strstr(text.bytes, "error[W02]: C is transposed"));
    assert_non_null(strstr(text.bytes, "= hint:"));
    assert_non_null(strstr(text.bytes, "gpugrade explain W02"));

    text_clear(&text);
    report_apply_hints(&sheet->report, HINTS_LOCATE, sheet->arena, &limited);
    say_all(sheet, &limited, &text);
    assert_null(strstr(text.bytes, "transposed"));
    assert_null(strstr(text.bytes, "turn(C)"));
    assert_string_equal(limited.verdicts[CORRECT].cause.hint, ""); /* nor in the score file */
    assert_int_equal(limited.verdicts[CORRECT].evidence_count, 0);
    assert_null(strstr(text.bytes, "= hint:"));
    assert_null(strstr(text.bytes, "explain"));
    assert_non_null(strstr(text.bytes, "error[W01]: C is wrong in 8 of 8 shapes"));
    assert_non_null(strstr(text.bytes, "a.cu:6"));
    assert_non_null(strstr(text.bytes, "got 1 instead of 2"));
    assert_non_null(strstr(text.bytes, "error[R01]"));

    text_clear(&text);
    report_apply_hints(&sheet->report, HINTS_NONE, sheet->arena, &limited);
    say_all(sheet, &limited, &text);
    assert_non_null(strstr(text.bytes, "error[W01]: wrong result"));
    assert_non_null(strstr(text.bytes, "expected a \";\""));
    assert_non_null(strstr(text.bytes, "a.cu:2"));
    assert_non_null(strstr(text.bytes, "unused variable"));
    assert_null(strstr(text.bytes, "a.cu:6"));
    assert_null(strstr(text.bytes, "R01"));
    assert_null(strstr(text.bytes, "shapes"));
    assert_null(strstr(text.bytes, "instead of"));
    assert_null(strstr(text.bytes, "= hint:"));
    assert_null(strstr(text.bytes, "for nothing"));
    /* the original is untouched */
    assert_string_equal(sheet->verdicts[CORRECT].cause.message, "C is transposed");
    assert_int_equal(sheet->verdicts[CORRECT].evidence_count, 1);
    text_release(&text);
}

static void forty_lines_of_a_hundred_columns(void **state)
{
    struct sheet *sheet = *state;
    struct terminal_style style = {false, 100, false};
    struct text text;
    size_t lines = 0;
    size_t start = 0;

    for (size_t i = 0; i < COUNT(sheet->findings); i++) {
        struct finding *finding = see(sheet, CODE_SHARED_RACE, "As", 3, 6);
        finding->kernel = arena_printf(sheet->arena, "kernel%zu", i);
        finding->message = "a long message about a race that goes on and on and on, as far as the "
                           "second line of the screen, with words to spare";
    }
    diagnostics_make(&sheet->report, sheet->arena);
    assert_int_equal(sheet->report.diagnostic_count, COUNT(sheet->findings));
    text_init(&text);
    report_terminal(&sheet->report, &style, &text);
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '\n') {
            assert_true(i - start <= 100 + 2); /* the dash of the head has three bytes */
            start = i + 1;
            lines++;
        }
    }
    assert_true(lines <= 40 && lines > 30);
    assert_non_null(strstr(text.bytes, "--verbose shows them in full"));
    assert_non_null(strstr(text.bytes, "= explain: gpugrade explain R01"));

    text_clear(&text);
    style.verbose = true;
    report_terminal(&sheet->report, &style, &text);
    assert_null(strstr(text.bytes, "--verbose"));
    assert_non_null(strstr(text.bytes, "words to spare"));
    text_release(&text);
}

static void further_errors_of_a_compiler_are_marked(void **state)
{
    struct sheet *sheet = *state;
    static const struct tool_message more[] = {
        {.file = "a.cu", .line = 4, .column = 5, .message = "`Bs` is undefined"},
        {.file = "a.cu", .line = 4, .column = 9, .message = "again in that line"},
        {.file = "", .message = "too many errors"},
        {.file = "a.cu", .line = 6, .column = 1, .message = "one"},
        {.file = "a.cu", .line = 7, .column = 1, .message = "two"},
    };

    fails(sheet, COMPILE, CODE_COMPILE_ERROR, "`As` is undefined", 3);
    sheet->verdicts[COMPILE].cause.more = more;
    sheet->verdicts[COMPILE].cause.more_count = COUNT(more);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_int_equal(all[0].mark_count, 2);
    assert_true(all[0].marks[0].is_primary);
    assert_int_equal(all[0].marks[1].line, 4);
    assert_string_equal(all[0].marks[1].label, "`Bs` is undefined");
    assert_string_equal(note(&all[0], NOTE_NOTE), "another error: too many errors");
    assert_string_equal(all[0].notes[1].text, "2 more errors");
}

/* The change that a compiler proposes is shown as a diff, and comes back from a score. */
static void a_fix_is_shown_as_a_diff(void **state)
{
    struct sheet *sheet = *state;
    static const struct line_fix fixes[] = {
        {"a.cu", 3, "    As[ty][tx] = A[i];", "    As[tx][ty] = A[i];"},
        {"b<.cuh", 12, "\tint x", "\tint x;"},
        {"b<.cuh", 14, NULL, "\t__syncthreads();"}, /* a new line after that one */
    };
    static const char shown[] = "   = fix:\n"
                                " 3 -     As[ty][tx] = A[i];\n"
                                " 3 +     As[tx][ty] = A[i];\n"
                                "   = fix: b<.cuh\n"
                                "12 -     int x\n"
                                "12 +     int x;\n"
                                "   = fix: b<.cuh after line 14\n"
                                "   +     __syncthreads();\n";
    struct terminal_style style = {.columns = 100};
    struct diagnostic diagnostic = {.message = ""};
    struct rubric whole = rubric;
    struct report again;
    struct text text;

    fails(sheet, COMPILE, CODE_COMPILE_ERROR, "no", 3);
    sheet->verdicts[COMPILE].cause.fixes = fixes;
    sheet->verdicts[COMPILE].cause.fix_count = COUNT(fixes);
    assert_int_equal(told(sheet, 1)[0].fix_count, COUNT(fixes));
    text_init(&text);
    report_terminal(&sheet->report, &style, &text);
    assert_non_null(strstr(text.bytes, shown));
    text_clear(&text);
    report_html(&sheet->report, &text);
    assert_non_null(strstr(text.bytes, "<pre class=\"diff\"><del>\tint x</del>\n"
                                       "<ins>\tint x;</ins></pre>"));
    assert_non_null(strstr(text.bytes, "<pre class=\"diff\"><ins>\t__syncthreads();</ins></pre>"));
    assert_null(strstr(text.bytes, "b<.cuh"));
    text_clear(&text);
    memset(whole.sha256, 'a', 64);
    memset(sheet->report.submission_sha256, 'b', 64);
    sheet->report.rubric = &whole;
    sheet->report.grader_version = "1.0.0";
    sheet->report.compiler = "nvcc 13.0";
    sheet->report.submission_name = "s";
    report_json(&sheet->report, &text);
    if (score_read(sheet->arena, text.bytes, text.length, "s.json", &again, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    assert_int_equal(again.diagnostics[0].fix_count, COUNT(fixes));
    assert_int_equal(again.diagnostics[0].fixes[1].line, 12);
    assert_string_equal(again.diagnostics[0].fixes[1].file, "b<.cuh");
    assert_string_equal(again.diagnostics[0].fixes[1].before, "\tint x");
    assert_string_equal(again.diagnostics[0].fixes[1].after, "\tint x;");
    assert_null(again.diagnostics[0].fixes[2].before);
    assert_string_equal(again.diagnostics[0].fixes[2].after, "\t__syncthreads();");
    text_release(&text);
    sheet->report.hints = HINTS_LOCATE; /* a fix is a hint */
    report_apply_hints(&sheet->report, HINTS_LOCATE, sheet->arena, &sheet->report);
    assert_int_equal(told(sheet, 1)[0].fix_count, 0);
}

/* One access outside of its array follows from another only behind it, in the same block. */
static void accesses_outside_follow_in_their_block(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 4, 4)->message = "reads behind the end";
    struct finding *other = see(sheet, CODE_GLOBAL_OUT_OF_BOUNDS, NULL, 6, 6);
    fails(sheet, CORRECT, CODE_GLOBAL_OUT_OF_BOUNDS, "in `k`: reads behind the end", 4);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_string_equal(note(&all[0], NOTE_NOTE), "B01 in line 6 probably follows from this");
    other->places[0].block[0] = 3; /* where the first one was, too, if it was not the only one */
    told(sheet, 1);
    sheet->findings[0].count = 1;
    told(sheet, 2);
    sheet->findings[0].count = 10;
    other->places[0].block[0] = 0;
    sheet->findings[0].places[0].block[1] = 1;
    told(sheet, 2);
    sheet->findings[0].places[0].block[1] = 0;
    other->places[0].line = 3;
    told(sheet, 2);
    other->places[0].line = 6;
    other->places[0].has_thread = false;
    told(sheet, 2);
}

/* The barrier that some wait at and others go past is the one that nobody else comes to. */
static void a_barrier_in_a_condition_is_told_once(void **state)
{
    struct sheet *sheet = *state;

    see(sheet, CODE_BARRIER_DIVERGENT, NULL, 5, 5);
    struct finding *incomplete = see(sheet, CODE_BARRIER_INCOMPLETE, NULL, 5, 5);
    incomplete->severity = SEVERITY_WARNING;
    fails(sheet, RACE_FREE, CODE_BARRIER_DIVERGENT, sheet->findings[0].message, 5);
    const struct report_diagnostic *all = told(sheet, 1);
    assert_string_equal(note(&all[0], NOTE_NOTE),
                        "D04 in line 5 (threads exit without reaching a barrier) probably follows "
                        "from this");
    incomplete->places[0].line = 7; /* another barrier */
    told(sheet, 2);
    see(sheet, CODE_BARRIER_MISMATCH, NULL, 5, 5); /* of other warps */
    told(sheet, 2);
    sheet->findings[2].places[0].line = 7;
    told(sheet, 3);
}

static void a_command_can_be_copied_from_any_screen(void **state)
{
    struct sheet *sheet = *state;
    struct terminal_style style = {false, 46, false};
    struct text text;

    sheet->report.again = "gpugrade check a_folder_of_mine";
    fails(sheet, CORRECT, CODE_MISMATCH, "C is wrong", 0);
    diagnostics_make(&sheet->report, sheet->arena);
    text_init(&text);
    report_terminal(&sheet->report, &style, &text);
    assert_non_null(strstr(text.bytes, "  = again:   gpugrade check a_folder_of_mine \\\n"
                                       "             --only correct --seed 0x0\n"));
    text_release(&text);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_source_that_does_not_compile_is_told_once),
        TEST(races_over_one_missing_barrier_are_one),
        TEST(the_order_of_blocks_matters_where_they_race),
        TEST(a_printed_width_is_launched),
        TEST(own_data_shows_no_second_mistake),
        TEST(the_worst_severity_leads),
        TEST(a_line_follows_once),
        TEST(races_at_barriers_apart_are_two),
        TEST(races_in_one_array_are_one),
        TEST(an_access_outside_explains_races_in_its_memory_alone),
        TEST(a_race_of_two_launches_is_one),
        TEST(what_a_race_brings_about_is_its_root_cause),
        TEST(results_of_two_launches_may_have_one_root_cause),
        TEST(wrong_results_are_used_as_indices),
        TEST(one_mistake_explains_the_others_of_its_launch),
        TEST(the_same_stands_below_the_words),
        TEST(the_main_access_is_pointed_at),
        TEST(threads_that_leave_explain_what_is_not_written),
        TEST(an_untouched_template_is_one_root_cause),
        TEST(what_nobody_can_judge_comes_after_what_fails),
        TEST(a_rubric_says_how_much_is_told),
        TEST(forty_lines_of_a_hundred_columns),
        TEST(further_errors_of_a_compiler_are_marked),
        TEST(a_fix_is_shown_as_a_diff),
        TEST(accesses_outside_follow_in_their_block),
        TEST(a_barrier_in_a_condition_is_told_once),
        TEST(a_command_can_be_copied_from_any_screen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
