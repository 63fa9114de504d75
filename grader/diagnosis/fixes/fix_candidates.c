/* fix_candidates.c: see fix_candidates.h. */
#include "diagnosis/fixes/fix_maker.h"

#include "base/text.h"

#include <string.h>

/* Which generators a code has, the likeliest first. */
static const struct {
    enum code code;
    void (*generate)(struct fix_maker *maker);
} table[] = {
    {CODE_COMPILE_ERROR, fix_spelling},
    {CODE_SHARED_RACE, fix_widen_warp_sync},
    {CODE_SHARED_RACE, fix_make_atomic},
    {CODE_SHARED_RACE, fix_add_barrier},
    {CODE_SHARED_RACE, fix_move_barrier},
    {CODE_SHARED_RACE, fix_delay_return},
    {CODE_WARP_RACE, fix_make_atomic},
    {CODE_WARP_RACE, fix_add_barrier},
    {CODE_GLOBAL_RACE, fix_make_atomic},
    {CODE_HOST_RACE, fix_wait_for_device},
    {CODE_STREAM_RACE, fix_wait_for_device},
    {CODE_UNINITIALISED_SHARED, fix_add_barrier},
    {CODE_UNINITIALISED_SHARED, fix_delay_return},
    {CODE_UNINITIALISED_SHARED, fix_move_barrier},
    {CODE_UNINITIALISED_SHARED, fix_shift_bound},
    {CODE_UNINITIALISED_GLOBAL, fix_add_copy},
    {CODE_UNINITIALISED_GLOBAL, fix_clear_memory},
    {CODE_UNINITIALISED_GLOBAL, fix_sizeof},
    {CODE_BARRIER_DEADLOCK, fix_move_barrier},
    {CODE_BARRIER_DEADLOCK, fix_delay_return},
    {CODE_BARRIER_DIVERGENT, fix_move_barrier},
    {CODE_BARRIER_DIVERGENT, fix_delay_return},
    {CODE_BARRIER_MISMATCH, fix_move_barrier},
    {CODE_BARRIER_MISMATCH, fix_delay_return},
    {CODE_BARRIER_INCOMPLETE, fix_move_barrier},
    {CODE_BARRIER_INCOMPLETE, fix_delay_return},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_sizeof},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_guard},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_exchange_sizes},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_exchange_variables},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_exchange_grid},
    {CODE_GLOBAL_OUT_OF_BOUNDS, fix_exchange_arguments},
    {CODE_SHARED_OUT_OF_BOUNDS, fix_launch_bytes},
    {CODE_SHARED_OUT_OF_BOUNDS, fix_exchange_indices},
    {CODE_WRONG_BYTE_COUNT, fix_launch_bytes},
    {CODE_WRONG_CONSTANT, fix_copy_constant},
    {CODE_BAD_OPERAND, fix_exchange_arguments},
    {CODE_BAD_OPERAND, fix_sizeof},
    {CODE_API_ERROR, fix_copy_direction},
    {CODE_API_ERROR, fix_sizeof},
    {CODE_IMPOSSIBLE_LAUNCH, fix_exchange_grid_and_block},
    {CODE_IMPOSSIBLE_LAUNCH, fix_round_up},
    {CODE_LAUNCHED_TWICE, fix_launch_once},
    {CODE_NOT_WRITTEN, fix_round_up},
    {CODE_NOT_WRITTEN, fix_add_copy},
    {CODE_NOT_WRITTEN, fix_drop_cap},
    {CODE_NOT_WRITTEN, fix_block_index},
    {CODE_NOT_WRITTEN, fix_widen_type},
    {CODE_NOT_WRITTEN, fix_shift_bound},
    {CODE_NOT_WRITTEN, fix_sizeof},
    {CODE_NOT_WRITTEN, fix_exchange_grid},
    {CODE_NOT_WRITTEN, fix_exchange_variables},
    {CODE_NOT_WRITTEN, fix_exchange_sizes},
    {CODE_MISMATCH, fix_initialise},
    {CODE_MISMATCH, fix_add_copy},
    {CODE_MISMATCH, fix_shift_bound},
    {CODE_MISMATCH, fix_exchange_sizes},
    {CODE_MISMATCH, fix_exchange_variables},
    {CODE_MISMATCH, fix_exchange_indices},
    {CODE_MISMATCH, fix_exchange_arguments},
    {CODE_MISMATCH, fix_exchange_arrays},
    {CODE_MISMATCH, fix_clear_output},
    {CODE_MISMATCH, fix_round_up},
    {CODE_MISMATCH, fix_drop_cap},
    {CODE_MISMATCH, fix_launch_once},
    {CODE_MISMATCH, fix_widen_type},
    {CODE_MISMATCH, fix_sizeof},
    {CODE_NAMED_MISTAKE, fix_initialise},
    {CODE_NAMED_MISTAKE, fix_add_copy},
    {CODE_NAMED_MISTAKE, fix_shift_bound},
    {CODE_NAMED_MISTAKE, fix_exchange_sizes},
    {CODE_NAMED_MISTAKE, fix_exchange_variables},
    {CODE_NAMED_MISTAKE, fix_exchange_indices},
    {CODE_NAMED_MISTAKE, fix_exchange_arguments},
    {CODE_NAMED_MISTAKE, fix_exchange_arrays},
    {CODE_NAMED_MISTAKE, fix_round_up},
    {CODE_NAMED_MISTAKE, fix_drop_cap},
    {CODE_NAMED_MISTAKE, fix_launch_once},
    {CODE_NAMED_MISTAKE, fix_widen_type},
    {CODE_OTHER_BUFFER, fix_add_copy},
    {CODE_OTHER_BUFFER, fix_sizeof},
    {CODE_INPUT_CHANGED, fix_exchange_arguments},
    {CODE_INPUT_CHANGED, fix_exchange_arrays},
    {CODE_STATE_KEPT, fix_clear_output},
    {CODE_STATE_KEPT, fix_launch_once},
    {CODE_STATE_KEPT, fix_clear_memory},
    {CODE_NOT_A_NUMBER, fix_initialise},
    {CODE_NOT_A_NUMBER, fix_add_copy},
    {CODE_NOT_A_NUMBER, fix_delay_return},
    {CODE_NOT_A_NUMBER, fix_clear_output},
    {CODE_NOT_A_NUMBER, fix_drop_cap},
    {CODE_WRONG_WHEN_TIMED, fix_widen_type},
    {CODE_LAUNCH_DEADLINE, fix_loop_step},
    {CODE_LAUNCH_DEADLINE, fix_widen_type},
    {CODE_LAUNCH_DEADLINE, fix_shift_bound},
    {CODE_CPU_DEADLINE, fix_loop_step},
    {CODE_CPU_DEADLINE, fix_widen_type},
    {CODE_PROGRAM_DEADLINE, fix_loop_step},
};

/* True if changes of one token are tried too: what is computed, or where, is wrong. */
static bool is_edited(enum code code)
{
    if (code == CODE_WRONG_BYTE_COUNT) {
        return false; /* any change that asks for more passes */
    }
    switch (code_cause(code)) {
    case CAUSE_WRONG_RESULT:
    case CAUSE_OUT_OF_BOUNDS:
    case CAUSE_UNINITIALISED:
    case CAUSE_LAUNCH_CONFIG:
    case CAUSE_PRINTOUT:
    case CAUSE_MISALIGNED:
    case CAUSE_CUDA_ERROR:
        return true;
    default:
        return code == CODE_GLOBAL_RACE;
    }
}

/* The program that the first criterion of a diagnostic looks at. */
static size_t program_of(const struct fix_request *request)
{
    const struct rubric *rubric = request->input->rubric;

    if (request->diagnostic->verdict_count == 0) {
        return 0;
    }
    const struct rubric_criterion *criterion =
        request->report->verdicts[request->diagnostic->verdicts[0]].criterion;

    if (criterion->has_launch) {
        return rubric->launches[criterion->launch].program;
    }
    return criterion->has_printout ? rubric->printouts[criterion->printout].program : 0;
}

/* Where the place is unknown: the start of the kernel, if it is known or the only one. */
static void find_kernel(struct fix_maker *maker)
{
    size_t count = 0;

    for (size_t i = 0; i < maker->source->count; i++) {
        const struct program_file *file = &maker->source->files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            const struct source_function *function = &file->functions.items[j];
            bool is_wanted =
                maker->kernel[0] == '\0' || fix_name_is(file, function->name, maker->kernel);
            if (function->is_kernel && is_wanted) {
                maker->file = file;
                maker->function = function;
                maker->at = function->open;
                count++;
            }
        }
    }
    if (count > 1) {
        maker->file = NULL;
        maker->function = NULL;
    }
}

static void find_place(struct fix_maker *maker)
{
    const struct report_diagnostic *diagnostic = maker->request->diagnostic;
    const struct program_file *file = fix_file(maker, diagnostic->file);
    size_t at = file == NULL ? 0 : fix_token_at(file, diagnostic->line, diagnostic->column);

    if (file != NULL && at < file->tokens.count) {
        maker->file = file;
        maker->at = at;
        maker->function = source_function_at(&file->functions, at);
    }
    if (maker->function == NULL) {
        find_kernel(maker);
    }
}

/* Runs each generator of a code by itself; returns how many there are. */
static size_t generate(const struct fix_maker *base, enum code code, struct fix_maker *makers,
                       size_t capacity)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof table / sizeof table[0] && count < capacity; i++) {
        if (table[i].code == code) {
            makers[count] = *base;
            makers[count].candidates =
                arena_array(base->arena, base->capacity, sizeof(struct line_fixes));
            table[i].generate(&makers[count++]);
        }
    }
    return count;
}

static void offer(struct fix_maker *maker, const struct line_fixes *fixes)
{
    const struct fix_draft draft = {maker, *fixes, false};

    fix_draft_offer(&draft);
}

size_t fix_candidates_make(const struct fix_request *request, struct arena *arena,
                           struct line_fixes *out_candidates, size_t capacity)
{
    enum { GENERATORS_MAX = 16 }; /* that a code has */
    const struct criteria_input *input = request->input;
    const struct finding *finding = request->diagnostic->finding;
    struct fix_maker makers[GENERATORS_MAX];
    struct fix_maker maker = {
        .request = request,
        .arena = arena,
        .kernel = finding == NULL ? "" : text_or_empty(finding->kernel),
        .candidates = out_candidates,
        .capacity = capacity,
    };

    if (input->index == NULL || input->rubric->program_count == 0) {
        return 0;
    }
    maker.source =
        source_index_program(input->index, &input->rubric->programs[program_of(request)]);
    find_place(&maker);
    size_t count = generate(&maker, request->diagnostic->code, makers, GENERATORS_MAX);
    struct fix_maker edits = maker;
    edits.candidates = arena_array(arena, capacity, sizeof(struct line_fixes));
    if (is_edited(request->diagnostic->code)) {
        fix_small_edits(&edits);
    }
    /* The first of each, then the second of each: one that has many does not displace others. Small
     * edits go before each, more of them every time. */
    size_t edit = 0;
    for (size_t round = 0; round < capacity; round++) {
        for (size_t i = 0; i < count; i++) {
            if (round >= makers[i].count) {
                continue;
            }
            for (size_t j = 0; j <= round && edit < edits.count; j++) {
                offer(&maker, &edits.candidates[edit++]);
            }
            offer(&maker, &makers[i].candidates[round]);
        }
    }
    for (; edit < edits.count; edit++) {
        offer(&maker, &edits.candidates[edit]);
    }
    return maker.count;
}
