/* doctor_terminal.c: head, reasons, groups of checks, denials, limits; see doctor_terminal.h. */
#include "report/terminal/doctor_terminal.h"

#include "report/display_text.h"

#include <inttypes.h>

enum { NAME_COLUMNS_MIN = 12, NAME_COLUMNS_MAX = 32, LEFT_COLUMNS = 9 };

static const char *const group_titles[] = {
    [DOCTOR_TOOLS] = "tools",     [DOCTOR_FOLDERS] = "folders", [DOCTOR_SANDBOX] = "sandbox",
    [DOCTOR_GRADING] = "grading", [DOCTOR_GPU] = "GPU",         [DOCTOR_TIMING] = "timing",
};

struct word {
    const char *word;
    enum paint paint;
};

static const struct word status_words[] = {
    [DOCTOR_PASS] = {"PASS", PAINT_GOOD},
    [DOCTOR_NOTE] = {"NOTE", PAINT_PART},
    [DOCTOR_FAIL] = {"FAIL", PAINT_BAD},
};

/* The word of a row, and what stands before that what was seen. */
static const struct {
    struct word word;
    const char *before;
} results[] = {
    [WITNESS_HELD] = {{"PASS", PAINT_GOOD}, ""},
    [WITNESS_OPEN] = {{"FAIL", PAINT_BAD}, "succeeded: "},
    [WITNESS_EXPECTED] = {{"NOTE", PAINT_PART}, "not denied here: "},
    [WITNESS_NOT_TRIED] = {{"NOTE", PAINT_PART}, ""},
    [WITNESS_BROKEN] = {{"FAIL", PAINT_BAD}, "could not be tested: "},
};

static size_t widest_name(const struct doctor_report *report)
{
    size_t widest = NAME_COLUMNS_MIN;

    for (size_t i = 0; i < report->check_count; i++) {
        size_t width = display_width(report->checks[i].name);
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < report->denial_count; i++) {
        size_t width = display_width(report->denials[i].name);
        widest = width > widest ? width : widest;
    }
    return widest < NAME_COLUMNS_MAX ? widest : NAME_COLUMNS_MAX;
}

/* "   PASS  name  " */
static void append_left(const struct word *word, const char *name, size_t columns, bool color,
                        struct text *out)
{
    struct text shown;

    text_init(&shown);
    display_append_foreign(&shown, name);
    text_append(out, "   ");
    display_paint(out, color, word->paint, word->word);
    text_append(out, "  ");
    display_append_padded(out, shown.bytes, columns);
    text_append(out, "  ");
    text_release(&shown);
}

static void append_group(const struct doctor_report *report, enum doctor_group group,
                         size_t columns, bool color, struct text *out)
{
    bool has_title = false;

    for (size_t i = 0; i < report->check_count; i++) {
        const struct doctor_check *check = &report->checks[i];
        if (check->group != group) {
            continue;
        }
        if (!has_title) {
            text_printf(out, "\n%s\n", group_titles[group]);
            has_title = true;
        }
        append_left(&status_words[check->status], check->name, columns, color, out);
        display_append_foreign(out, check->found);
        text_append_char(out, '\n');
        if (check->advice[0] != '\0') {
            text_append_repeated(out, ' ', LEFT_COLUMNS + columns + 2);
            text_append(out, "fix: ");
            display_append_foreign(out, check->advice);
            text_append_char(out, '\n');
        }
    }
}

static void append_denials(const struct doctor_report *report, size_t columns, bool color,
                           struct text *out)
{
    if (report->denial_count > 0) {
        text_append(
            out, "\nwhat a program must not be able to do, tried inside and outside the sandbox\n");
    }
    for (size_t i = 0; i < report->denial_count; i++) {
        const struct doctor_denial *denial = &report->denials[i];
        append_left(&results[denial->result].word, denial->name, columns, color, out);
        text_append(out, results[denial->result].before);
        display_append_foreign(out, denial->seen);
        text_append_char(out, '\n');
        if (denial->result == WITNESS_OPEN || denial->result == WITNESS_BROKEN) {
            text_append_repeated(out, ' ', LEFT_COLUMNS + columns + 2);
            text_printf(out, "tried: %s\n", denial->tried);
        }
    }
}

static void append_limits(const struct doctor_report *report, struct text *out)
{
    const struct limits *limits = &report->limits;
    static const double second = 1e9;

    text_append(out, "\nlimits, unless the rubric sets others\n");
    text_printf(out,
                "   compile   %g s, %" PRIu64 " MB\n"
                "   program   %g s, %g s of CPU time, %" PRIu64 " MB, %" PRIu32
                " processes, %" PRIu64 " KB of output, %" PRIu64 " MB of files\n"
                "   launch    %g s emulated, %g s on a GPU; %" PRIu64 " MB of device memory\n"
                "   grader    for each submission: %g s of CPU time, %" PRIu64 " MB\n"
                "   device    for each program: %g s of CPU time per thread, %" PRIu64
                " MB (%" PRIu64 " MB when checking for races in global memory), plus %" PRIu64
                " MB per thread\n",
                (double)limits->compile_wall_ns / second, limits->compile_memory_bytes >> 20,
                (double)limits->program_wall_ns / second, (double)limits->program_cpu_ns / second,
                limits->program_memory_bytes >> 20, limits->program_processes,
                limits->program_output_bytes >> 10, limits->program_file_bytes >> 20,
                (double)limits->launch_emulated_ns / second,
                (double)limits->launch_cuda_ns / second, limits->device_memory_bytes >> 20,
                (double)limits->grader_cpu_ns / second, limits->grader_memory_bytes >> 20,
                (double)limits->grader_cpu_ns / second, report->device_bytes >> 20,
                report->device_watched_bytes >> 20, report->device_thread_bytes >> 20);
}

static void append_head(const struct doctor_report *report, bool color, struct text *out)
{
    display_paint(out, color, PAINT_STRONG, "gpugrade doctor");
    text_printf(out, " \xE2\x80\x94 gpugrade %s", report->grader_version);
    if (report->compiler[0] != '\0') {
        text_printf(out, ", %s", report->compiler);
    }
    text_printf(out, ", %s%s\n", report->tier[0] == '\0' ? "no sandbox" : "sandbox ", report->tier);
    if (report->is_sound) {
        display_paint(out, color, PAINT_GOOD, "grading here is sound");
        text_append_char(out, '\n');
        return;
    }
    display_paint(out, color, PAINT_BAD, "grading here is not sound:");
    text_append_char(out, '\n');
    for (size_t i = 0; i < report->reason_count; i++) {
        text_append(out, "   - ");
        display_append_foreign(out, report->reasons[i]);
        text_append_char(out, '\n');
    }
}

void doctor_terminal(const struct doctor_report *report, bool color, struct text *out)
{
    static const enum doctor_group before[] = {DOCTOR_TOOLS, DOCTOR_FOLDERS, DOCTOR_SANDBOX};
    static const enum doctor_group after[] = {DOCTOR_GRADING, DOCTOR_GPU, DOCTOR_TIMING};
    size_t columns = widest_name(report);

    append_head(report, color, out);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        append_group(report, before[i], columns, color, out);
    }
    append_denials(report, columns, color, out);
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        append_group(report, after[i], columns, color, out);
    }
    append_limits(report, out);
}
