/* archived.h: for tests of reports: a report after it was archived and read again. */
#ifndef GPUGRADE_TESTS_ARCHIVED_H
#define GPUGRADE_TESTS_ARCHIVED_H

#include "report/score/report_archive.h"

#include <string.h>

/* The rubric of a report made by hand, with the criteria that its verdicts have. */
static struct rubric *archived_rubric(struct arena *arena, const struct report *report)
{
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);
    struct rubric_criterion *criteria = arena_array(arena, report->verdict_count, sizeof *criteria);

    *rubric = *report->rubric;
    for (size_t i = 0; i < report->verdict_count; i++) {
        criteria[i] = *report->verdicts[i].criterion;
    }
    rubric->criteria = criteria;
    rubric->criterion_count = report->verdict_count;
    return rubric;
}

/* Writes and reads it; the diagnostics, which are not archived, are those of the original. */
static struct report archived(struct arena *arena, const struct report *report)
{
    struct report copy = *report;
    struct diagnostic diagnostic = {.message = ""};
    struct report again;
    struct text text;

    copy.rubric = archived_rubric(arena, report);
    text_init(&text);
    report_archive_write(&copy, &text);
    assert_int_equal(strcspn(text.bytes, "\n"), text.length - 1);
    if (report_archive_read(arena, text.bytes, text.length, "archive", copy.rubric, &again,
                            &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    text_release(&text);
    again.diagnostics = report->diagnostics;
    again.diagnostic_count = report->diagnostic_count;
    return again;
}

#endif
