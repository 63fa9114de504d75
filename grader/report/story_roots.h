/* story_roots.h: joins the stories of one launch that one mistake explains. */
#ifndef GPUGRADE_REPORT_STORY_ROOTS_H
#define GPUGRADE_REPORT_STORY_ROOTS_H

#include "report/story.h"

/* The id of the launch that a finding is about: of one on the program's own data that launch of
 * the rubric whose kernel it is about, if that is certain. "" where there is none. */
const char *finding_launch(const struct report *report, const struct finding *finding);

/* Puts each story that another one probably explains to that one: its verdicts become results, its
 * findings what follows. Keeps the order of those that are left; returns how many those are. */
size_t stories_join(const struct report *report, struct arena *arena, struct story *stories,
                    size_t count);

#endif
