/* story_roots.h: joins the stories of one launch that one mistake explains. */
#ifndef GPUGRADE_REPORT_STORY_ROOTS_H
#define GPUGRADE_REPORT_STORY_ROOTS_H

#include "report/story.h"

/* Puts each story that another one probably explains to that one: its verdicts become results, its
 * findings what follows. Keeps the order of those that are left; returns how many those are. */
size_t stories_join(const struct report *report, struct arena *arena, struct story *stories,
                    size_t count);

#endif
