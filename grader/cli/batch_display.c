/* batch_display.c: see batch_display.h. */
#include "cli/batch_display.h"

#include "base/clock.h"
#include "batch/progress.h"
#include "cli/console.h"

#include <unistd.h>

enum { QUIET_MS = 1000, REDRAW_MS = 100, COLUMNS_UNKNOWN = 80 };

void batch_display_init(struct batch_display *display)
{
    *display = (struct batch_display){
        .has_bar = console_redraws(STDERR_FILENO),
        .started_ns = clock_now_ns(),
    };
}

/* Above the bar stands what somebody has to look at; without a bar, everything. */
static bool is_reported(const struct batch_display *display, const struct batch_event *event)
{
    return event != NULL && (!display->has_bar || event->kind == OUTCOME_TROUBLE ||
                             event->errors > 0 || event->wants_review);
}

static bool is_due(const struct batch_display *display)
{
    uint64_t now_ns = clock_now_ns();

    return display->has_bar &&
           now_ns - display->started_ns >= (uint64_t)QUIET_MS * CLOCK_NS_PER_MS &&
           now_ns - display->drawn_ns >= (uint64_t)REDRAW_MS * CLOCK_NS_PER_MS;
}

void batch_display_show(void *context, const struct batch_progress *progress,
                        const struct batch_event *event)
{
    struct batch_display *display = context;
    bool reports_ending = progress->is_ending && !display->has_reported_ending && !display->has_bar;
    bool draws = is_due(display) || (display->is_drawn && is_reported(display, event));
    struct text text;

    text_init(&text);
    if (display->is_drawn && (draws || is_reported(display, event))) {
        text_append(&text, CONSOLE_ERASE_LINE);
    }
    if (is_reported(display, event)) {
        progress_event(event, &text);
    }
    if (reports_ending) {
        text_printf(&text, "gpugrade: finishing running checks (%zu); a second signal stops them\n",
                    progress->running);
        display->has_reported_ending = true;
    }
    if (draws) {
        int columns = console_columns(STDERR_FILENO);
        progress_bar(progress, columns > 0 ? columns : COLUMNS_UNKNOWN, &text);
        display->is_drawn = true;
        display->drawn_ns = clock_now_ns();
    }
    if (text.length > 0) {
        console_write(STDERR_FILENO, &text);
    }
    text_release(&text);
}

void batch_display_end(struct batch_display *display)
{
    struct text text;

    text_init(&text);
    if (display->is_drawn) {
        text_append(&text, CONSOLE_ERASE_LINE);
        console_write(STDERR_FILENO, &text);
    }
    display->is_drawn = false;
    text_release(&text);
}
