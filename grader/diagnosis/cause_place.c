/* cause_place.c: see cause_place.h.
 *
 *   code --row of `rules`--> finder (place_rules.h) --> spot and label, or nothing
 */
#include "diagnosis/cause_place.h"

#include "criteria/kernel_name.h"
#include "diagnosis/place_rules.h"

#include <string.h>

/* Device memory: where the call is that failed, or the launch that needed more. */
static bool place_full_memory(const struct seeker *seeker, struct sight *out_sight)
{
    bool is_of_launch = strncmp(seeker->cause->message, "the launch", strlen("the launch")) == 0;

    return is_of_launch ? place_refused_launch(seeker, out_sight)
                        : place_failed_call(seeker, out_sight);
}

static const struct {
    enum code code;
    place_finder *find;
} rules[] = {
    {CODE_COMPILE_ERROR, place_symbol},
    {CODE_LINK_ERROR, place_symbol},
    {CODE_TEMPLATE_UNCHANGED, place_open_step},
    {CODE_NO_LAUNCH_YET, place_no_attempt},
    {CODE_NO_PRINTOUT_YET, place_open_printout},
    {CODE_NAMED_MISTAKE, place_uncovered},
    {CODE_NOT_WRITTEN, place_uncovered},
    {CODE_INPUT_CHANGED, place_changed_input},
    {CODE_NO_SHARED_READS, place_kernel},
    {CODE_OPERAND_NOT_LOADED, place_kernel},
    {CODE_NEVER_LAUNCHED, place_missing_launch},
    {CODE_IMPOSSIBLE_LAUNCH, place_refused_launch},
    {CODE_WRONG_BLOCK, place_launch_block},
    {CODE_BAD_OPERAND, place_launch},
    {CODE_WRONG_BYTE_COUNT, place_launch_bytes},
    {CODE_STATIC_TILE, place_static_shared},
    {CODE_LAUNCHED_TWICE, place_second_launch},
    {CODE_API_ERROR, place_failed_call},
    {CODE_DEVICE_MEMORY, place_full_memory},
    {CODE_UNKNOWN_CALL, place_unknown_call},
    {CODE_PRINTOUT_MISSING, place_missing_line},
    {CODE_PRINTOUT_REPEATED, place_repeated_line},
    {CODE_PRINTOUT_MALFORMED, place_printed_line},
    {CODE_PRINTOUT_WRONG, place_printed_line},
    {CODE_EXIT_STATUS, place_exit_call},
    {CODE_LAUNCH_DEADLINE, place_kernel_loop},
    {CODE_CPU_DEADLINE, place_host_loop},
    {CODE_PROGRAM_DEADLINE, place_waiting_loop},
    {CODE_TOO_MUCH_OUTPUT, place_printing_loop},
};

static place_finder *finder_of(enum code code)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].code == code) {
            return rules[i].find;
        }
    }
    return NULL;
}

static const struct program_activity *activity_of(const struct criteria_input *input,
                                                  const struct rubric_criterion *criterion)
{
    if (criterion->has_printout) {
        return &input->evidence->print_runs[criterion->printout].activity;
    }
    return criterion->has_launch ? &input->evidence->launch_runs[criterion->launch].activity : NULL;
}

/* False if the criterion is about no program. */
static bool seeker_init(const struct criteria_input *input, struct arena *arena,
                        const struct verdict *verdict, struct seeker *out_seeker)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric *rubric = input->rubric;

    *out_seeker = (struct seeker){
        .input = input,
        .arena = arena,
        .criterion = criterion,
        .cause = &verdict->cause,
        .activity = activity_of(input, criterion),
        .map = verdict->map,
        .symbol = "",
    };
    if (verdict->cause.subject.kind == SUBJECT_BUILD_MESSAGE) {
        const struct subject *subject = &verdict->cause.subject;
        out_seeker->program = subject->program;
        out_seeker->symbol = subject->message->symbol != NULL ? subject->message->symbol : "";
        return true;
    }
    if (criterion->has_printout) {
        out_seeker->program = rubric->printouts[criterion->printout].program;
    } else if (criterion->has_launch) {
        out_seeker->program = rubric->launches[criterion->launch].program;
    } else {
        return false;
    }
    return true;
}

static void take_sight(struct arena *arena, const struct sight *sight, struct cause *cause)
{
    const struct source_tokens *tokens = &sight->spot.file->tokens;
    const char *file = tokens->file->name;

    if (cause->file != NULL && cause->file[0] != '\0' && strcmp(cause->file, file) != 0) {
        return;
    }
    cause->file = file;
    cause->line = sight->mark.line > 0 ? sight->mark.line : tokens->tokens[sight->spot.token].line;
    cause->column =
        sight->mark.line > 0 ? sight->mark.column : tokens->tokens[sight->spot.token].column;
    cause->label = cause->label != NULL ? cause->label : arena_strdup(arena, sight->label);
    cause->hint = sight->hint != NULL ? sight->hint : cause->hint;
}

/* The launch that a cause is about: the criterion's, or its baseline, if it names that kernel
 * alone. */
static size_t launch_of_cause(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, const struct cause *cause)
{
    const struct rubric_launch *launches = input->rubric->launches;

    if (criterion->kind != CRITERION_SAVED_LOADS) {
        return criterion->launch;
    }
    const char *own = arena_printf(arena, "`%s`", kernel_name(input, &launches[criterion->launch]));
    const char *other =
        arena_printf(arena, "`%s`", kernel_name(input, &launches[criterion->baseline]));
    return strstr(cause->message, other) != NULL && strstr(cause->message, own) == NULL
               ? criterion->baseline
               : criterion->launch;
}

static void place_at_function(const struct criteria_input *input, struct arena *arena,
                              struct cause *cause)
{
    const struct subject *subject = &cause->subject;
    struct program_source source;
    struct sight sight;

    program_source_read(input, arena, subject->program, &source);
    const char *label = arena_printf(arena, "the bytes that %s gives", subject->name);
    if (place_result(&source, subject->name, label, &sight)) {
        take_sight(arena, &sight, cause);
    }
}

/* The call that copies to a constant comes first. */
static void place_at_constant(const struct criteria_input *input, struct arena *arena,
                              struct cause *cause)
{
    const char *name = cause->subject.name;
    bool is_copied = cause->subject.kind == SUBJECT_COPY;
    struct program_source source;
    struct sight sight;
    struct spot spot = {0};
    size_t copies = 0;

    program_source_read(input, arena, cause->subject.program, &source);
    if (is_copied) {
        copies = find_calls(&source, "cudaMemcpyToSymbol", name, &spot);
    }
    if (copies == 1) {
        sight_set(&sight, spot, arena_printf(arena, "copies to `%s`", name));
    } else if (copies == 0 && find_declarations(&source, name, &spot) == 1) {
        sight_set(&sight, spot,
                  is_copied ? arena_printf(arena, "no copy to `%s` with cudaMemcpyToSymbol()", name)
                            : arena_printf(arena, "`%s` is declared here", name));
    } else {
        return;
    }
    take_sight(arena, &sight, cause);
}

static void place_subject(const struct criteria_input *input, struct arena *arena,
                          struct cause *cause)
{
    if (cause->line > 0) {
        return;
    }
    switch (cause->subject.kind) {
    case SUBJECT_FUNCTION:
        place_at_function(input, arena, cause);
        break;
    case SUBJECT_CONSTANT:
    case SUBJECT_COPY:
        place_at_constant(input, arena, cause);
        break;
    default:
        break;
    }
}

void cause_place(const struct criteria_input *input, struct arena *arena, struct verdict *verdict)
{
    const struct rubric *rubric = input->rubric;
    const struct rubric_criterion *criterion = verdict->criterion;
    place_finder *find = finder_of(verdict->cause.code);
    struct seeker seeker;
    struct sight sight;

    place_subject(input, arena, &verdict->cause);
    /* What no block reaches is certain; the threads of a trace only stand beside it. */
    if ((verdict->cause.line > 0 && find != place_uncovered) || find == NULL ||
        verdict->cause.because != CODE_NONE || input->source_count == 0 ||
        !seeker_init(input, arena, verdict, &seeker)) {
        return;
    }
    program_source_read(input, arena, seeker.program, &seeker.source);
    size_t launch = launch_of_cause(input, arena, criterion, &verdict->cause);
    if (criterion->has_launch && rubric->launches[launch].program == seeker.program) {
        seeker.launch = &rubric->launches[launch];
    }
    if (find(&seeker, &sight)) {
        verdict->cause.label = verdict->cause.line > 0 ? NULL : verdict->cause.label;
        take_sight(arena, &sight, &verdict->cause);
    }
}
