/* batch_display.h: shows the progress of a batch on standard error. On a terminal this is a bar,
 * drawn after the first second and at most ten times a second; elsewhere it is a line for each
 * submission. */
#ifndef GPUGRADE_CLI_BATCH_DISPLAY_H
#define GPUGRADE_CLI_BATCH_DISPLAY_H

#include "batch/batch_run.h"

struct batch_display {
    bool has_bar;
    bool is_drawn; /* the bar is on the screen */
    bool has_reported_ending;
    uint64_t started_ns, drawn_ns;
};

void batch_display_init(struct batch_display *display);

/* For struct batch_config, with a struct batch_display as context. */
void batch_display_show(void *context, const struct batch_progress *progress,
                        const struct batch_event *event);

/* Removes the bar from the screen. */
void batch_display_end(struct batch_display *display);

#endif
