/* criteria.c: which file judges which kind of criterion; see criteria.h. */
#include "criteria/criteria.h"

#include "criteria/outcome.h"
#include "criteria/printouts/constant_detection.h"
#include "criteria/printouts/constant_width.h"

#include <assert.h>

/* One row per line of criteria.def. */
static judge_function *const judges[CRITERION_COUNT] = {
    [CRITERION_COMPILE] = compile_criterion_judge,
    [CRITERION_CORRECT] = correct_criterion_judge,
    [CRITERION_DYNAMIC] = dynamic_criterion_judge,
    [CRITERION_RACE_FREE] = race_free_criterion_judge,
    [CRITERION_TILED] = tiled_criterion_judge,
    [CRITERION_SAVED_LOADS] = saved_loads_criterion_judge,
    [CRITERION_BANK_CONFLICTS] = bank_conflicts_criterion_judge,
    [CRITERION_COALESCING] = coalescing_criterion_judge,
    [CRITERION_SPEEDUP] = speedup_criterion_judge,
    [CRITERION_OCCUPANCY] = occupancy_criterion_judge,
    [CRITERION_BLOCK_SIZE] = block_size_criterion_judge,
};

void criterion_judge(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct verdict *out_verdict)
{
    assert((unsigned)criterion->kind < CRITERION_COUNT && judges[criterion->kind] != NULL);
    outcome_start(out_verdict, criterion);
    judges[criterion->kind](input, arena, out_verdict);
}

bool criterion_wants_constant_detection(const struct criteria_input *input, struct arena *arena,
                                        const struct verdict *verdict, size_t turn,
                                        struct gpu_model *out_model)
{
    if (verdict->status != STATUS_PASSED || !input->is_emulated) {
        return false;
    }
    switch (verdict->criterion->kind) {
    case CRITERION_OCCUPANCY:
        return turn == 0 && constant_detection_gpu(input, arena, verdict->criterion, out_model);
    case CRITERION_BLOCK_SIZE:
        return constant_width_find(input, arena, verdict->criterion, turn, out_model);
    default:
        return false;
    }
}
