/* cause_location.c: see cause_location.h.
 *
 *   code --row of `rules`--> finder (locators.h) --> token and label, or nothing
 */
#include "diagnosis/location/cause_location.h"

#include "criteria/kernel_name.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/location/locators.h"
#include "diagnosis/patterns/moved_pattern.h"

#include <string.h>

/* Device memory: where the call is that failed, or the launch that needed more. */
static bool place_full_memory(const struct locator *locator, struct location *out_location)
{
    const struct subject *subject = &locator->cause->subject;
    bool is_of_launch = subject->kind == SUBJECT_CALL && subject->call->is_launch;

    return is_of_launch ? locate_refused_launch(locator, out_location)
                        : locate_call(locator, out_location);
}

static const struct {
    enum code code;
    locator_function *find;
} rules[] = {
    {CODE_COMPILE_ERROR, locate_symbol},
    {CODE_LINK_ERROR, locate_symbol},
    {CODE_TEMPLATE_UNCHANGED, locate_open_step},
    {CODE_NO_LAUNCH_YET, locate_no_attempt},
    {CODE_NO_PRINTOUT_YET, locate_open_printout},
    {CODE_NAMED_MISTAKE, locate_uncovered},
    {CODE_NOT_WRITTEN, locate_uncovered},
    {CODE_MISMATCH, locate_uncovered},
    {CODE_INPUT_CHANGED, locate_changed_input},
    {CODE_NO_SHARED_READS, locate_kernel},
    {CODE_OPERAND_NOT_LOADED, locate_kernel},
    {CODE_NEVER_LAUNCHED, locate_missing_launch},
    {CODE_IMPOSSIBLE_LAUNCH, locate_refused_launch},
    {CODE_WRONG_BLOCK, locate_launch_block},
    {CODE_BAD_OPERAND, locate_launch},
    {CODE_WRONG_BYTE_COUNT, locate_launch_bytes},
    {CODE_STATIC_TILE, locate_static_shared},
    {CODE_LAUNCHED_TWICE, locate_second_launch},
    {CODE_API_ERROR, locate_call},
    {CODE_DEVICE_MEMORY, place_full_memory},
    {CODE_UNKNOWN_CALL, locate_call},
    {CODE_PRINTOUT_MISSING, locate_missing_line},
    {CODE_PRINTOUT_REPEATED, locate_repeated_line},
    {CODE_PRINTOUT_MALFORMED, locate_printed_line},
    {CODE_PRINTOUT_WRONG, locate_printed_value},
    {CODE_SIGNAL, locate_crash},
    {CODE_EXIT_STATUS, locate_exit_call},
    {CODE_LAUNCH_DEADLINE, locate_kernel_loop},
    {CODE_CPU_DEADLINE, locate_host_loop},
    {CODE_PROGRAM_DEADLINE, locate_waiting_loop},
    {CODE_TOO_MUCH_OUTPUT, locate_printing_loop},
};

static locator_function *finder_of(enum code code)
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
static bool locator_init(const struct criteria_input *input, struct arena *arena,
                         const struct verdict *verdict, struct locator *out_locator)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric *rubric = input->rubric;

    *out_locator = (struct locator){
        .input = input,
        .arena = arena,
        .criterion = criterion,
        .cause = &verdict->cause,
        .activity = activity_of(input, criterion),
        .map = verdict->map,
        .symbol = "",
    };
    if (verdict->cause.subject.kind == SUBJECT_BUILD) {
        const struct subject *subject = &verdict->cause.subject;
        out_locator->program = subject->program;
        if (subject->message != NULL && subject->message->symbol != NULL) {
            out_locator->symbol = subject->message->symbol;
        }
        return true;
    }
    if (criterion->has_printout) {
        out_locator->program = rubric->printouts[criterion->printout].program;
    } else if (criterion->has_launch) {
        out_locator->program = rubric->launches[criterion->launch].program;
    } else {
        return false;
    }
    return true;
}

static void take_location(struct arena *arena, const struct location *location, struct cause *cause)
{
    const struct source_tokens *tokens = &location->file_token.file->tokens;
    const char *file = tokens->file->name;

    if (cause->file != NULL && cause->file[0] != '\0' && strcmp(cause->file, file) != 0) {
        return;
    }
    cause->file = file;
    cause->mark_end = 0;
    cause->is_last_store = false;
    cause->line = location->mark.line > 0 ? location->mark.line
                                          : tokens->tokens[location->file_token.token].line;
    cause->column = location->mark.line > 0 ? location->mark.column
                                            : tokens->tokens[location->file_token.token].column;
    cause->label = cause->label != NULL ? cause->label : arena_strdup(arena, location->label);
    cause->hint = location->hint != NULL ? location->hint : cause->hint;
    cause->lacks.kind = ELEMENT_NONE; /* that was of another place */
}

/* The launch that a cause is about: the criterion's, or its baseline. */
static size_t launch_of_cause(const struct rubric_criterion *criterion, const struct cause *cause)
{
    return cause->subject.is_of_baseline ? criterion->baseline : criterion->launch;
}

static void place_at_function(const struct criteria_input *input, struct arena *arena,
                              struct cause *cause)
{
    const struct subject *subject = &cause->subject;
    struct program_source source;
    struct location location;

    program_source_read(input, arena, subject->program, &source);
    const char *label = arena_printf(arena, "the bytes that %s returns", subject->name);
    if (place_result(&source, subject->name, label, &location)) {
        take_location(arena, &location, cause);
    }
}

/* The call that copies to a constant comes first. */
static void place_at_constant(const struct criteria_input *input, struct arena *arena,
                              struct cause *cause)
{
    const char *name = cause->subject.name;
    bool is_copied = cause->subject.kind == SUBJECT_COPY;
    struct program_source source;
    struct location location;
    struct file_token file_token = {0};
    size_t copies = 0;

    program_source_read(input, arena, cause->subject.program, &source);
    if (is_copied) {
        copies = find_calls(&source, "cudaMemcpyToSymbol", name, &file_token);
    }
    if (copies == 1) {
        location_set(&location, file_token, arena_printf(arena, "copies to `%s`", name));
    } else if (copies == 0 && find_declarations(&source, name, &file_token) == 1) {
        location_set(&location, file_token,
                     is_copied
                         ? arena_printf(arena, "no copy to `%s` with cudaMemcpyToSymbol()", name)
                         : arena_printf(arena, "`%s` is declared here", name));
    } else {
        return;
    }
    take_location(arena, &location, cause);
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

/* True for a mistake that no line of a kernel shows. */
static bool is_made_by_host(const struct criteria_input *input, const struct cause *cause)
{
    if (cause->subject.kind == SUBJECT_RESULT && cause->because == CODE_NONE &&
        moved_by_copy(cause->subject.result) > 0) {
        return true;
    }
    if (cause->subject.kind == SUBJECT_RESULT && cause->because == CODE_NONE &&
        output_is_set_last(cause->subject.result)) {
        return true;
    }
    return cause->code == CODE_NAMED_MISTAKE && cause->subject.kind == SUBJECT_RESULT &&
           mistake_place(input->oracle, cause->subject.result->mistake) != MADE_IN_KERNEL;
}

void cause_location(const struct criteria_input *input, struct arena *arena,
                    struct verdict *verdict)
{
    const struct rubric *rubric = input->rubric;
    const struct rubric_criterion *criterion = verdict->criterion;
    bool is_of_host = is_made_by_host(input, &verdict->cause);
    locator_function *find = is_of_host ? locate_host_work : finder_of(verdict->cause.code);
    struct locator locator;
    struct location location;

    place_subject(input, arena, &verdict->cause);
    /* What no block reaches is certain; the threads of a trace only stand beside it. Where a name
     * is declared says more than where it is first used. */
    bool is_result = verdict->cause.subject.kind == SUBJECT_RESULT;
    bool is_placed = verdict->cause.line > 0 && find != locate_uncovered &&
                     verdict->cause.code != CODE_LINK_ERROR && !is_of_host;
    if (is_placed || (find == NULL && !is_result) || verdict->cause.because != CODE_NONE ||
        input->source_count == 0 || !locator_init(input, arena, verdict, &locator)) {
        return;
    }
    program_source_read(input, arena, locator.program, &locator.source);
    size_t launch = launch_of_cause(criterion, &verdict->cause);
    if (criterion->has_launch && rubric->launches[launch].program == locator.program) {
        locator.launch = &rubric->launches[launch];
    }
    bool is_found = find != NULL && find(&locator, &location);
    if (!is_found && is_result && verdict->cause.line == 0) {
        is_found = locate_result_store(&locator, &location);
    }
    if (is_found) {
        verdict->cause.label = verdict->cause.line > 0 ? NULL : verdict->cause.label;
        take_location(arena, &location, &verdict->cause);
    }
}
