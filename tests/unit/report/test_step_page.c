/* test_step_page.c: moments of diagnostics, the numbers of a block and their bounds, the page.
 *
 * GPUGRADE_STEP_PAGES names a folder that gets pages (tests/html, tests/bench).
 */
#include "base/file.h"
#include "report/html/report_html.h"
#include "report/step/step_data.h"
#include "report/step/step_page.h"
#include "report/step_moments.h"
#include "step_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE_BYTES_MAX = 2 << 20 };

static void keep_page(const char *name, const struct text *page)
{
    const char *folder = getenv("GPUGRADE_STEP_PAGES");
    char path[4096];

    if (folder != NULL) {
        snprintf(path, sizeof path, "%s/%s.html", folder, name);
        assert_int_equal(file_write_atomic(path, page->bytes, page->length, NULL), ERROR_NONE);
    }
}

static void test_moments(void **state)
{
    (void)state;
    const struct block_steps steps = fixture_block();
    struct step_moment moment;

    assert_true(step_moment_find(&steps, &fixture_diagnostics[0], &moment));
    assert_int_equal(moment.step, 2); /* the write comes after the read */
    assert_true(moment.has_other);
    assert_int_equal(moment.other, 1);
    assert_int_equal(moment.lane, 0);
    assert_true(step_moment_find(&steps, &fixture_diagnostics[1], &moment));
    assert_int_equal(moment.step, 6);
    assert_int_equal(moment.lane, 15);
    assert_false(moment.has_other);
    assert_false(step_moment_find(&steps, &fixture_diagnostics[2], &moment));
    assert_true(step_moment_find(&steps, &fixture_diagnostics[3], &moment));
    assert_int_equal(moment.step, 3);
    assert_int_equal(moment.lane, STEP_NO_LANE);
}

/* A barrier between the two, or other bytes: they do not meet. */
static void test_what_does_not_meet(void **state)
{
    (void)state;
    struct block_step steps[3] = {fixture_steps[1], fixture_steps[4], fixture_steps[2]};
    struct block_steps block = fixture_block();
    struct step_moment moment;

    block.steps = steps;
    block.step_count = block.total = 3;
    assert_false(step_moment_find(&block, &fixture_diagnostics[0], &moment));
    steps[1].releases = false;
    assert_true(step_moment_find(&block, &fixture_diagnostics[0], &moment));
    steps[2].first += 4;
    assert_false(step_moment_find(&block, &fixture_diagnostics[0], &moment));
}

static struct finding two_threads(enum code code, int first_line, int second_line)
{
    return (struct finding){
        .code = code,
        .kernel = "copy",
        .place_count = 2,
        .places = {{.role = "barrier", .file = "a.cu", .line = first_line, .has_thread = true},
                   {.role = second_line == 3 ? "here" : "barrier",
                    .file = "a.cu",
                    .line = second_line,
                    .has_thread = true,
                    .thread = {0, 1, 0}}},
    };
}

/* Of a race with another block there is what this block does. */
static void test_a_race_with_another_block(void **state)
{
    (void)state;
    const struct block_steps block = fixture_block();
    struct finding race = fixture_race;
    struct report_diagnostic told = {.finding = &race};
    struct step_moment moment;

    race.places[0].block[0] = 1;
    race.place_count = 3;
    race.places[2] = (struct place){.role = "allocated", .file = "a.cu", .line = 9};
    assert_true(step_moment_find(&block, &told, &moment));
    assert_int_equal(moment.step, 2);
    assert_true(moment.is_beyond);
    assert_false(moment.has_other);
}

/* Two that wait at different barriers, and one that ended before others waited. */
static void test_who_does_not_come(void **state)
{
    (void)state;
    const struct block_step steps[] = {
        {.kind = STEP_BARRIER, .line = 1, .lanes = 1},
        {.kind = STEP_BARRIER, .line = 1, .warp = 1, .lanes = 1, .releases = true},
        {.kind = STEP_BARRIER, .line = 2, .warp = 1, .lanes = 1},
        {.kind = STEP_BARRIER, .line = 1, .lanes = 1, .releases = true},
        {.kind = STEP_EXIT, .line = 2, .warp = 1, .lanes = 1}, /* it left in another line */
        {.kind = STEP_BARRIER, .line = 1, .lanes = 2, .releases = true},
        {.kind = STEP_BARRIER, .line = 1, .lanes = 1},
    };
    const struct finding mismatch = two_threads(CODE_BARRIER_MISMATCH, 4, 5);
    const struct finding incomplete = two_threads(CODE_BARRIER_INCOMPLETE, 4, 3);
    struct report_diagnostic told = {.finding = &mismatch};
    struct block_steps block = fixture_block();
    struct step_moment moment;

    block.steps = steps;
    block.step_count = block.total = sizeof steps / sizeof steps[0];
    assert_true(step_moment_find(&block, &told, &moment));
    assert_int_equal(moment.step, 3);
    assert_true(moment.has_other);
    assert_int_equal(moment.other, 2);
    told.finding = &incomplete;
    assert_true(step_moment_find(&block, &told, &moment));
    assert_int_equal(moment.step, 6);
    assert_true(moment.has_other);
    assert_int_equal(moment.other, 4);
}

/* The findings of the run that was logged name its threads. */
static void test_findings_of_the_run(void **state)
{
    (void)state;
    struct block_steps steps = fixture_block();
    struct finding seen = fixture_elsewhere;
    struct step_moment moment;

    memset(seen.places[0].block, 0, sizeof seen.places[0].block);
    seen.places[0].thread[0] = 15;
    seen.places[0].thread[1] = 1;
    steps.findings = &seen;
    steps.finding_count = 1;
    assert_true(step_moment_find(&steps, &fixture_diagnostics[2], &moment));
    assert_int_equal(moment.step, 6);
}

static void test_numbers(void **state)
{
    (void)state;
    const struct block_steps steps = fixture_block();
    struct step_data data;

    step_data_make(&steps, NULL, 0, &data);
    assert_string_equal(
        data.json.bytes,
        "{\"block\":[32,2,1],\"shared\":256,\"total\":9,\"count\":9,\"ops\":[[1,1,4,0,0],"
        "[0,1,4,2,0],[3,0,0,1,0],[3,0,0,1,1],[4,0,0,2,0],[0,0,8,2,0],[5,0,0,2,0]],"
        "\"lanes\":[4294967295,0,255,65280,32768],\"shapes\":[4,32],\"gaps\":[],"
        "\"steps\":\"0,0,0,1,0,0;1,0,0,1,0,3k;0,1,0,1,0,3k;2,0,0,0;3,1,0,0;4,1,2,0;"
        "5,1,3,4,1,17ng65h81s;6,1,0,0;6,0,0,0;\"}");
    step_data_release(&data);
}

enum { MANY = 300000 };

/* Steps of which no two are alike: their addresses are as in a hash table. */
static struct block_steps many_steps(bool is_scattered)
{
    struct block_steps block = fixture_block();
    struct block_step *steps = calloc(MANY, sizeof *steps);
    int64_t *lists = is_scattered ? calloc((size_t)MANY * 32, sizeof *lists) : NULL;
    uint64_t random = 1;

    assert_non_null(steps);
    assert_true(lists != NULL || !is_scattered);
    for (size_t i = 0; i < MANY; i++) {
        bool is_barrier = i % 97 == 5;
        steps[i] = (struct block_step){
            .kind = is_barrier   ? STEP_BARRIER
                    : i % 3 == 0 ? STEP_WRITE
                                 : STEP_READ,
            .space = i % 2 == 0 ? TRACE_SHARED : TRACE_GLOBAL,
            .bytes = 4,
            .warp = i % 32,
            .line = i % 3,
            .lanes = UINT32_MAX,
            .releases = is_barrier && i % 2 == 0,
            .first = (i % 2 == 0 ? 0 : UINT64_C(0x700000000000)) + i * 124 % 4096,
            .distance = 4,
            .list = is_scattered && !is_barrier ? lists + 32 * i : NULL,
        };
        for (size_t k = 0; is_scattered && k < 32; k++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            lists[32 * i + k] = (int64_t)(random >> 44) * 4;
        }
    }
    block.block[0] = block.block[1] = 32;
    block.shared_bytes = 4096;
    block.steps = steps;
    block.step_count = MANY;
    block.total = MANY + 1000; /* the device has left out some too */
    return block;
}

static void free_steps(struct block_steps *block)
{
    free((void *)block->steps);
}

static void check_bounds(bool is_scattered, const char *name)
{
    struct block_steps block = many_steps(is_scattered);
    const int64_t *lists = block.steps[0].list;
    const size_t moments[] = {MANY - 1, 150000};
    const struct report report = fixture_report(&block);
    struct step_data data;
    struct text page;

    step_data_make(&block, moments, 2, &data);
    assert_in_range(data.shown, 256, STEP_DATA_STEPS);
    assert_in_range(data.json.length, 1, STEP_DATA_BYTES);
    assert_int_equal(data.number[0], 0);
    assert_int_not_equal(data.number[MANY - 1], SIZE_MAX);
    assert_int_not_equal(data.number[150000], SIZE_MAX);
    assert_int_equal(data.number[100000], SIZE_MAX);
    assert_non_null(strstr(data.json.bytes, "\"gaps\":[["));
    assert_true(is_scattered || data.shown > STEP_DATA_STEPS / 2);
    step_data_release(&data);
    text_init(&page);
    step_page(&report, &page);
    assert_in_range(page.length, 1, PAGE_BYTES_MAX);
    assert_non_null(strstr(page.bytes, " of 301,000 steps"));
    keep_page(name, &page);
    text_release(&page);
    free((void *)lists);
    free_steps(&block);
}

static void test_sampling(void **state)
{
    (void)state;
    check_bounds(false, "steps_many");
    check_bounds(true, "steps_scattered");
}

/* The longest lines that a student can write. */
static void test_long_sources(void **state)
{
    (void)state;
    enum { LINES = 5000, BYTES = 3000 };
    struct block_steps block = fixture_block();
    struct trace_line *lines = calloc(LINES, sizeof *lines);
    char *text = malloc((size_t)LINES * BYTES);
    struct text page;

    assert_non_null(lines);
    assert_non_null(text);
    memset(text, '<', (size_t)LINES * BYTES);
    for (int i = 0; i < LINES; i++) {
        lines[i] = (struct trace_line){"a.cu", i + 1, 1};
        text[(size_t)i * BYTES + BYTES - 1] = '\n';
    }
    const struct source_file source = {"a.cu", text, (size_t)LINES * BYTES};
    block.lines = lines;
    block.line_count = LINES;
    struct report report = fixture_report(&block);
    report.sources = &source;
    text_init(&page);
    step_page(&report, &page);
    assert_in_range(page.length, 1, PAGE_BYTES_MAX);
    text_release(&page);
    free(text);
    free(lines);
}

static void test_page(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "<title>Block (0,0) of copy&lt;&amp;&gt;, step by step</title>",
        "script-src 'sha256-",
        "copy(&lt;/script&gt;&lt;b&gt;)",
        "<li id=\"d1\" class=\"error\"><button type=\"button\" data-step=\"2\" data-lane=\"0\" ",
        " data-other=\"1\" data-other-lane=\"0\">",
        "<code>tile</code> is read &amp; written",
        "<small>no step of this block shows it</small>",
        "<dd>it has the first finding</dd>",
        "data-space=\"1\" data-start=\"0\" data-bytes=\"256\" data-element=\"0\">tile</li>",
    };
    const struct block_steps steps = fixture_block();
    const struct report report = fixture_report(&steps);
    struct text page, line;

    text_init(&page);
    text_init(&line);
    step_page(&report, &page);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (strstr(page.bytes, wanted[i]) == NULL) {
            fail_msg("the page lacks %s", wanted[i]);
        }
    }
    assert_null(strstr(page.bytes, " of 9 steps"));
    keep_page("steps_few", &page);
    step_page_summary(&report, &line);
    assert_string_equal(line.bytes,
                        "9 steps of block (0,0) of `copy<&>`; 3 of 4 findings happen in it");
    text_release(&page);
    text_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_what_does_not_meet),
        cmocka_unit_test(test_a_race_with_another_block),
        cmocka_unit_test(test_who_does_not_come),
        cmocka_unit_test(test_findings_of_the_run),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_long_sources),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
