/* report_random.h: for tests of formats: a report made of a seed, of what a score file holds alone.
 *
 * Its texts are hostile to every format there is. Whatever is hidden in it, or could only be known
 * of what is hidden, has RANDOM_SECRET in it. */
#ifndef GPUGRADE_TESTS_REPORT_RANDOM_H
#define GPUGRADE_TESTS_REPORT_RANDOM_H

#include "base/rng.h"
#include "base/text.h"
#include "model/report.h"

#include <string.h>

#define RANDOM_SECRET "zqxHIDDENzqx"

struct random_wishes {
    bool hides;       /* an instructor's report of a rubric that hides something */
    bool invalid;     /* texts that are no UTF-8 too */
    size_t text_size; /* one text of so many bytes; 0: none */
};

struct random_maker {
    struct arena *arena;
    struct rng rng;
    const struct random_wishes *wishes;
};

static size_t random_below(struct random_maker *maker, size_t count)
{
    return (size_t)rng_range(&maker->rng, 0, (int64_t)count - 1);
}

static bool random_chance(struct random_maker *maker)
{
    return random_below(maker, 2) == 0;
}

static const char *random_text(struct random_maker *maker, bool may_be_empty)
{
    static const char *const pieces[] = {
        "a",
        "sum += 1",
        " ",
        "\n",
        "\r\n",
        "\t",
        "word:",
        "::error file=a.cu,line=1::x",
        "##[error]",
        "]]>",
        "<script>alert(1)</script>",
        "&amp;",
        "\"",
        "'",
        "\\",
        "`",
        "```\n",
        "=1+1",
        "+x",
        "-y",
        "@octocat",
        "#1",
        "{\"scores\":{\"compile\":99}}",
        "\n{\"scores\":{\"compile\":99}}\n",
        "[x](y)",
        "{0}",
        "%0A",
        "%",
        "Grade :=>> 100\n",
        "Comment :=>> x",
        "<|--\n",
        "--|>\n",
        "-",
        ">",
        "\x1b[31m",
        "\x07",
        "\x7f",
        "\xC2\x85",
        "\xE2\x80\xAE",
        "\xE2\x80\xA8",
        "\xEF\xBB\xBF",
        "\xE4\xB8\xAD\xE6\x96\x87",
        "\xF0\x9F\x98\x80",
        "e\xCC\x81",
        "\xEF\xBF\xBE",
        "| x |",
        "---\n",
        "https://example.org/?a=b&c",
        "null",
        "$(id)",
        "*b*",
        "_i_",
        "~",
        "^",
        ",",
        ";",
    };
    static const char *const broken[] = {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xE4\xB8", "\x80"};
    size_t count = random_below(maker, 7);
    struct text text;

    text_init(&text);
    for (size_t i = may_be_empty ? 0 : (text_append(&text, "t"), 0); i < count; i++) {
        if (maker->wishes->invalid && random_below(maker, 4) == 0) {
            text_append(&text, broken[random_below(maker, sizeof broken / sizeof broken[0])]);
        } else {
            text_append(&text, pieces[random_below(maker, sizeof pieces / sizeof pieces[0])]);
        }
    }
    const char *copy = arena_strndup(maker->arena, text.bytes, text.length);
    text_release(&text);
    return copy;
}

/* A text of what an instructor is told. */
static const char *random_reported(struct random_maker *maker)
{
    const char *text = random_text(maker, false);

    return maker->wishes->hides && random_chance(maker)
               ? arena_printf(maker->arena, "%s " RANDOM_SECRET, text)
               : text;
}

static enum code random_code(struct random_maker *maker)
{
    return (enum code)(1 + random_below(maker, CODE_COUNT - 1));
}

static double random_points(struct random_maker *maker)
{
    static const double steps[] = {1, 0.5, 0.25, 1.0 / 3, 0.1};

    return (double)(1 + random_below(maker, 40)) * steps[random_below(maker, 5)];
}

static void random_facts(struct random_maker *maker, struct evidence *facts, size_t *out_count)
{
    *out_count = random_below(maker, 4);
    for (size_t i = 0; i < *out_count; i++) {
        struct evidence *fact = &facts[i];
        fact->key = i == 0 ? "why" : arena_printf(maker->arena, "key%zu", i);
        fact->type = i == 0 ? EVIDENCE_TEXT : (enum evidence_type)random_below(maker, 4);
        fact->text = random_reported(maker);
        fact->integer = fact->type == EVIDENCE_BOOLEAN ? random_chance(maker)
                                                       : (int64_t)random_below(maker, 1000);
        fact->number = (double)fact->integer + 0.125;
    }
}

static void random_verdict(struct random_maker *maker, size_t index,
                           struct rubric_criterion *criterion, struct verdict *verdict)
{
    *criterion = (struct rubric_criterion){
        .id = arena_printf(maker->arena, "id.%zu", index),
        .title = random_text(maker, false),
        .points = random_points(maker),
        .bonus = random_below(maker, 6) == 0,
        .hidden = maker->wishes->hides && random_below(maker, 3) == 0,
    };
    if (criterion->hidden) {
        criterion->id = arena_printf(maker->arena, RANDOM_SECRET ".%zu", index);
        criterion->title = arena_printf(maker->arena, "%s " RANDOM_SECRET, criterion->title);
    }
    *verdict = (struct verdict){.criterion = criterion, .summary = ""};
    verdict->status = (enum status)random_below(maker, STATUSES);
    verdict->cause = (struct cause){.message = "", .file = "", .hint = ""};
    if (verdict->status == STATUS_PASSED) {
        verdict->points = criterion->points;
    } else if (verdict->status == STATUS_PARTIAL) {
        verdict->points = criterion->points * (double)random_below(maker, 8) / 8;
    }
    if (verdict->status == STATUS_FAILED ||
        (verdict->status >= STATUS_PARTIAL && verdict->status != STATUS_OPEN &&
         random_chance(maker))) {
        verdict->cause.code = random_code(maker);
        verdict->cause.message = random_reported(maker);
        verdict->cause.file = random_text(maker, true);
        verdict->cause.line = (int)random_below(maker, 100);
        verdict->cause.column = (int)random_below(maker, 100);
        verdict->cause.hint = random_reported(maker);
    }
    random_facts(maker, verdict->evidence, &verdict->evidence_count);
    random_facts(maker, verdict->measured, &verdict->measured_count);
}

static void random_diagnostic(struct random_maker *maker, const struct report *report,
                              struct report_diagnostic *out)
{
    size_t *verdicts = arena_array(maker->arena, report->verdict_count, sizeof *verdicts);
    struct diagnostic_mark *marks = arena_array(maker->arena, 3, sizeof *marks);
    struct diagnostic_note *notes = arena_array(maker->arena, NOTE_KINDS, sizeof *notes);

    *out = (struct report_diagnostic){.severity = (enum severity)random_below(maker, 2),
                                      .code = (enum code)random_below(maker, CODE_COUNT),
                                      .message = random_reported(maker),
                                      .file = random_text(maker, true),
                                      .line = (int)random_below(maker, 50),
                                      .column = (int)random_below(maker, 50),
                                      .marks = marks,
                                      .notes = notes,
                                      .verdicts = verdicts};
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->status != STATUS_PASSED && random_chance(maker)) {
            verdicts[out->verdict_count++] = i;
        }
    }
    out->mark_count = random_below(maker, 4);
    for (size_t i = 0; i < out->mark_count; i++) {
        marks[i] = (struct diagnostic_mark){.file = random_text(maker, true),
                                            .line = 1 + (int)random_below(maker, 50),
                                            .column = (int)random_below(maker, 50),
                                            .is_primary = i == 0,
                                            .label = random_reported(maker)};
    }
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        if (random_chance(maker)) {
            notes[out->note_count++] =
                (struct diagnostic_note){(enum note_kind)kind, random_reported(maker)};
        }
    }
}

static void random_findings(struct random_maker *maker, struct report *report)
{
    size_t count = random_below(maker, 4);
    struct finding *findings = arena_array(maker->arena, count, sizeof *findings);
    struct remark *remarks = arena_array(maker->arena, count, sizeof *remarks);

    for (size_t i = 0; i < count; i++) {
        findings[i] = (struct finding){.code = random_code(maker),
                                       .severity = (enum severity)random_below(maker, 2),
                                       .message = random_reported(maker),
                                       .kernel = random_reported(maker),
                                       .launch = random_reported(maker),
                                       .count = 1 + random_below(maker, 1000),
                                       .place_count = random_below(maker, FINDING_PLACES_MAX + 1)};
        for (size_t j = 0; j < findings[i].place_count; j++) {
            findings[i].places[j] = (struct place){.role = random_text(maker, false),
                                                   .file = random_text(maker, true),
                                                   .line = (int)random_below(maker, 99),
                                                   .has_thread = random_chance(maker)};
        }
        remarks[i] = (struct remark){.message = random_reported(maker),
                                     .file = random_text(maker, true),
                                     .line = (int)random_below(maker, 99)};
    }
    report->findings = findings;
    report->finding_count = count;
    report->remarks = remarks;
    report->remark_count = count;
}

/* "a" so many times, with line ends and quotes in it. */
static const char *random_long(struct random_maker *maker)
{
    char *bytes = arena_alloc(maker->arena, maker->wishes->text_size + 1);

    for (size_t i = 0; i < maker->wishes->text_size; i++) {
        bytes[i] = i % 70 == 69 ? '\n' : i % 11 == 10 ? '"' : 'a';
    }
    return bytes;
}

static void random_details(struct random_maker *maker, struct report *report)
{
    static const char hash[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    size_t count = random_below(maker, 4);
    struct report_diagnostic *diagnostics = arena_array(maker->arena, count, sizeof *diagnostics);
    struct report_device *device = arena_alloc(maker->arena, sizeof *device);
    struct named_seconds *seconds = arena_alloc(maker->arena, sizeof *seconds);

    for (size_t i = 0; i < count; i++) {
        random_diagnostic(maker, report, &diagnostics[i]);
        if (diagnostics[i].code != CODE_NONE) {
            report->hints = HINTS_NONE;
        }
    }
    if (count > 0 && maker->wishes->text_size > 0) {
        diagnostics[0].message = random_long(maker);
    }
    report->diagnostics = diagnostics;
    report->diagnostic_count = count;
    random_findings(maker, report);
    *device = (struct report_device){"emulated", random_text(maker, true), "", 13000};
    report->devices = device;
    report->device_count = 1;
    *seconds = (struct named_seconds){"total", (double)random_below(maker, 100) + 0.5};
    report->seconds = seconds;
    report->seconds_count = random_below(maker, 2);
    report->submission_name = random_text(maker, false);
    memcpy(report->submission_sha256, hash, sizeof report->submission_sha256);
    report->sandbox =
        (struct report_sandbox){"A", random_text(maker, true), "cgroup v2", true, true, true};
    report->compiler = "nvcc 13.0";
    report->grader_version = "0.1.0";
    report->again = "";
    report->gpu_note = "";
}

/* Everything lives in the arena. The same seed and wishes give the same report. */
static struct report random_report(struct arena *arena, uint64_t seed,
                                   const struct random_wishes *wishes)
{
    struct random_maker maker = {.arena = arena, .wishes = wishes};
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);
    struct report report = {.rubric = rubric};

    rng_init(&maker.rng, seed, 1, 2, 3);
    size_t count = 1 + random_below(&maker, 8);
    struct rubric_criterion *criteria = arena_array(arena, count, sizeof *criteria);
    struct verdict *verdicts = arena_array(arena, count, sizeof *verdicts);
    for (size_t i = 0; i < count; i++) {
        random_verdict(&maker, i, &criteria[i], &verdicts[i]);
    }
    *rubric = (struct rubric){.id = "matmul",
                              .title = "matmul",
                              .version = 3,
                              .criteria = criteria,
                              .criterion_count = count,
                              .reports_hidden = wishes->hides};
    memset(rubric->sha256, 'a', sizeof rubric->sha256 - 1);
    report.verdicts = verdicts;
    report.verdict_count = count;
    report.seed = rng_next(&maker.rng);
    report.hints = HINTS_NONE;
    random_details(&maker, &report);
    for (size_t i = 0; i < report.diagnostic_count; i++) {
        for (size_t j = 0; j < report.diagnostics[i].note_count; j++) {
            if (report.diagnostics[i].notes[j].kind == NOTE_EXPLAIN) {
                report.hints = HINTS_EXPLAIN;
            }
        }
    }
    return report;
}

#endif
