/* criteria.c: which file judges which kind of criterion; see criteria.h. */
#include "criteria/criteria.h"

#include "criteria/outcome.h"
#include "criteria/printouts/constant_detection.h"
#include "criteria/printouts/constant_width.h"
#include "model/consistency.h"

#include <assert.h>

static judge_function *const judges[CRITERION_COUNT] = {
#define CRITERION(name, text, judge, ...) [CRITERION_##name] = judge,
#include "model/criteria.def"
#undef CRITERION
};

void criterion_judge(const struct criteria_input *input, struct arena *arena,
                     const struct rubric_criterion *criterion, struct verdict *out_verdict)
{
    assert((unsigned)criterion->kind < CRITERION_COUNT && judges[criterion->kind] != NULL);
    outcome_start(out_verdict, criterion);
    judges[criterion->kind](input, arena, out_verdict);
    verdict_ensure(out_verdict);
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
