/* progress.c: see progress.h. */
#include "batch/progress.h"

#include <string.h>

enum { BAR_COLUMNS_MAX = 40, BAR_COLUMNS_MIN = 10, FACTS_MAX = 8, NAME_COLUMNS = 24 };

void progress_append_time(double seconds, struct text *out)
{
    unsigned long whole = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);

    if (whole < 100) {
        text_printf(out, "%lu s", whole);
    } else if (whole < 100 * 60) {
        text_printf(out, "%lu min", (whole + 30) / 60);
    } else {
        text_printf(out, "%lu h %02lu min", whole / 3600, whole % 3600 / 60);
    }
}

static void append_bar(const struct batch_progress *progress, size_t width, struct text *out)
{
    size_t inside = width - 2;
    size_t full = progress->total == 0 ? inside : inside * progress->done / progress->total;

    text_append_char(out, '[');
    text_append_repeated(out, '#', full);
    text_append_repeated(out, '.', inside - full);
    text_append_char(out, ']');
}

/* The facts behind the bar, the most important ones first; each starts with two blanks. */
static size_t list_facts(const struct batch_progress *progress, struct text facts[FACTS_MAX])
{
    size_t worked = progress->done - progress->known;
    size_t count = 0;

    text_printf(&facts[count++], "  %zu/%zu", progress->done, progress->total);
    if (progress->is_ending) {
        text_printf(&facts[count++], "  finishing %zu; press Ctrl-C again to stop them",
                    progress->running);
    } else if (progress->remaining_s >= 0 && progress->done < progress->total) {
        text_append(&facts[count], "  ");
        progress_append_time(progress->remaining_s, &facts[count]);
        text_append(&facts[count++], " left");
    }
    if (worked > 0 && progress->elapsed_s > 0) {
        text_printf(&facts[count++], "  %.3g/min", (double)worked * 60 / progress->elapsed_s);
    }
    if (progress->trouble > 0) {
        text_printf(&facts[count++], "  %zu could not be graded", progress->trouble);
    }
    if (progress->failed > 0) {
        text_printf(&facts[count++], "  %zu failed", progress->failed);
    }
    if (progress->nothing > 0) {
        text_printf(&facts[count++], "  %zu with nothing to grade", progress->nothing);
    }
    return count;
}

void progress_bar(const struct batch_progress *progress, int columns, struct text *out)
{
    struct text facts[FACTS_MAX];
    size_t limit = columns < 1 ? 0 : (size_t)columns - 1; /* the last column makes some wrap */
    size_t used = 0;

    for (size_t i = 0; i < FACTS_MAX; i++) {
        text_init(&facts[i]);
    }
    size_t count = list_facts(progress, facts);
    for (size_t i = 0; i < count; i++) {
        used += facts[i].length;
    }
    while (count > 1 && used + BAR_COLUMNS_MIN > limit) {
        used -= facts[--count].length;
    }
    if (used + BAR_COLUMNS_MIN <= limit) {
        size_t width = limit - used;
        append_bar(progress, width > BAR_COLUMNS_MAX ? BAR_COLUMNS_MAX : width, out);
    }
    for (size_t i = 0; i < count && used <= limit; i++) {
        text_append(out, facts[i].bytes);
    }
    for (size_t i = 0; i < FACTS_MAX; i++) {
        text_release(&facts[i]);
    }
}

static void append_name(const char *name, struct text *out)
{
    struct text shown;

    text_init(&shown);
    text_append_printable(&shown, name, strlen(name), false);
    text_append(out, shown.bytes);
    text_append_repeated(out, ' ', shown.length < NAME_COLUMNS ? NAME_COLUMNS - shown.length : 0);
    text_release(&shown);
}

void progress_event(const struct batch_event *event, struct text *out)
{
    static const char *const words[] = {
        [OUTCOME_GRADED] = "graded",
        [OUTCOME_NOTHING] = "nothing",
        [OUTCOME_TROUBLE] = "trouble",
    };
    const char *message = text_or_empty(event->message);

    text_printf(out, "%-8s ", event->is_known ? "reused" : words[event->kind]);
    append_name(event->submission, out);
    if (event->kind == OUTCOME_GRADED) {
        text_printf(out, "  %.6g/%.6g", event->score, event->maximum);
    }
    if (!event->is_known) {
        text_printf(out, "  %.1f s", event->seconds);
    }
    if (event->errors > 0) {
        text_printf(out, "  criteria in error: %zu", event->errors);
    }
    text_append(out, event->wants_review ? "  to review" : "");
    if (message[0] != '\0') {
        text_append(out, "  ");
        text_append_printable(out, message, strlen(message), false);
    }
    text_append(out, event->is_retried ? "; it will be tried again\n" : "\n");
}

void progress_summary(const struct batch_progress *progress, struct text *out)
{
    text_printf(out, "%zu of %zu submissions: %zu graded", progress->done, progress->total,
                progress->graded);
    if (progress->failed > 0) {
        text_printf(out, " (%zu with failures)", progress->failed);
    }
    if (progress->nothing > 0) {
        text_printf(out, ", %zu with nothing to grade", progress->nothing);
    }
    if (progress->known > 0) {
        text_printf(out, ", %zu with reused results", progress->known);
    }
    if (progress->errors > 0) {
        text_printf(out, ", %zu graded only in part", progress->errors);
    }
    if (progress->trouble > 0) {
        text_printf(out, ", %zu could not be graded", progress->trouble);
    }
    text_append(out, "; ");
    progress_append_time(progress->elapsed_s, out);
    text_append_char(out, '\n');
}
