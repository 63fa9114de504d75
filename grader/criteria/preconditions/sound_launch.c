/* sound_launch.c: see sound_launch.h. */
#include "criteria/preconditions/sound_launch.h"

#include "criteria/criteria.h"
#include "criteria/outcome.h"

static bool allows_warp_races(const struct rubric *rubric, size_t launch)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == CRITERION_RACE_FREE && criterion->launch == launch) {
            return criterion->allows_warp_races;
        }
    }
    return false;
}

/* Asks a criterion that the rubric need not have. */
static enum soundness ask(const struct criteria_input *input, struct arena *arena,
                          enum criterion_kind kind, judge_function *judge, size_t launch,
                          struct cause *out_cause)
{
    const struct rubric_criterion asked = {
        .id = "",
        .title = "",
        .kind = kind,
        .points = 1,
        .has_launch = true,
        .launch = launch,
        .allows_warp_races = allows_warp_races(input->rubric, launch),
    };
    struct verdict answer;

    outcome_start(&answer, &asked);
    judge(input, arena, &answer);
    if (answer.status == STATUS_PASSED) {
        return LAUNCH_SOUND;
    }
    *out_cause = answer.cause;
    return answer.cause.code != CODE_NONE ? LAUNCH_UNSOUND : LAUNCH_UNKNOWN;
}

enum soundness launch_soundness(const struct criteria_input *input, struct arena *arena,
                                size_t launch, struct cause *out_cause)
{
    enum soundness soundness = LAUNCH_SOUND;

    if (input->is_known_correct == NULL || !input->is_known_correct[launch]) {
        soundness =
            ask(input, arena, CRITERION_CORRECT, correct_criterion_judge, launch, out_cause);
    }

    if (soundness == LAUNCH_SOUND && input->is_emulated) {
        soundness =
            ask(input, arena, CRITERION_RACE_FREE, race_free_criterion_judge, launch, out_cause);
    }
    return soundness;
}

bool criterion_wants_timing(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_criterion *criterion)
{
    struct cause cause;

    return criterion->kind == CRITERION_SPEEDUP && input->timing_model != NULL &&
           launch_soundness(input, arena, criterion->launch, &cause) == LAUNCH_SOUND;
}
