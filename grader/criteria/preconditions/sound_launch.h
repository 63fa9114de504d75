/* sound_launch.h: whether a launch is worth timing: a wrong result may come as fast as it likes. */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_SOUND_LAUNCH_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_SOUND_LAUNCH_H

#include "criteria/criteria_input.h"

enum soundness {
    LAUNCH_SOUND,
    LAUNCH_UNSOUND, /* the submission's fault; the cause says why */
    LAUNCH_UNKNOWN, /* the grader's or the coursework's; the cause has a message and no code */
};

/* Judges a launch as the criteria `correct` and, where accesses were watched, `race-free` do. Races
 * within a warp count as in the rubric's own `race-free` criterion of that launch. */
enum soundness launch_soundness(const struct criteria_input *input, struct arena *arena,
                                size_t launch, struct cause *out_cause);

#endif
