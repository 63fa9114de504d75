/* program_run.c: see program_run.h. */
#include "criteria/preconditions/program_run.h"

#include "criteria/outcome.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/whole_program.h"

/* The launch of a program whose kernel the student names; launch_count: there is none. */
static size_t pattern_launch(const struct rubric *rubric, size_t program)
{
    size_t i = 0;

    while (i < rubric->launch_count &&
           !(rubric->launches[i].program == program && rubric->launches[i].is_pattern)) {
        i++;
    }
    return i;
}

struct program_run run_of_launch(const struct criteria_input *input, size_t launch)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];

    return (struct program_run){
        .input = input,
        .program = of->program,
        .launch = of->is_pattern ? launch : input->rubric->launch_count,
        .is_alone =
            is_whole_program(input, launch) && of->argument_count == 0 && of->input_count == 0,
        .activity = &input->evidence->launch_runs[launch].activity,
    };
}

struct program_run run_of_printout(const struct criteria_input *input, size_t printout)
{
    const struct rubric_printout *of = &input->rubric->printouts[printout];

    return (struct program_run){
        .input = input,
        .program = of->program,
        .launch = pattern_launch(input->rubric, of->program),
        .is_alone = program_is_whole(&input->rubric->programs[of->program]) &&
                    of->argument_count == 0 && of->input_count == 0,
        .activity = &input->evidence->print_runs[printout].activity,
    };
}

/* True if one of the names, [] ended by NULL, occurs in the sources. */
static bool source_names(struct arena *arena, const struct program_run *run,
                         const char *const *names)
{
    struct program_source source;

    program_source_read(run->input, arena, run->program, &source);
    for (size_t i = 0; i < source.count; i++) {
        const struct source_tokens *tokens = &source.files[i].tokens;
        for (size_t j = 0; j < tokens->count; j++) {
            for (size_t k = 0; names[k] != NULL; k++) {
                if (token_is(tokens, j, TOKEN_NAME, names[k])) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool reads_input(struct arena *arena, const struct program_run *run)
{
    static const char *const names[] = {"scanf", "getchar",      "gets", "cin",
                                        "stdin", "STDIN_FILENO", NULL};

    return source_names(arena, run, names);
}

static bool reads_arguments(struct arena *arena, const struct program_run *run)
{
    static const char *const names[] = {"argv", "argc", NULL};

    return source_names(arena, run, names);
}

/* The cause of a program that ended by itself before it launched anything. */
static struct cause cause_of_early_end(struct arena *arena, const struct program_run *run)
{
    const char *words = last_output_line(arena, run->activity);

    return cause_advised(
        CODE_EXIT_STATUS,
        arena_printf(arena, "the program ends with status %d before it launches anything%s%s",
                     run->activity->end.exit_status, words[0] != '\0' ? ": " : "", words),
        advise(ADVICE_ALONE_MUST_LAUNCH));
}

/* Adds what a program that is run alone may miss. */
static void explain(struct arena *arena, const struct program_run *run, struct cause *cause)
{
    const struct program_activity *activity = run->activity;
    bool is_early = activity->launch_total == 0 && activity->call_error_count == 0;

    switch (cause->code) {
    case CODE_EXIT_STATUS:
        *cause = is_early ? cause_of_early_end(arena, run) : *cause;
        return;
    case CODE_SIGNAL:
        if (is_early && reads_arguments(arena, run)) {
            cause->advice = advise(ADVICE_ALONE_NO_ARGUMENTS);
        }
        return;
    case CODE_PROGRAM_DEADLINE:
    case CODE_CPU_DEADLINE:
    case CODE_TOO_MUCH_OUTPUT:
        if (reads_input(arena, run)) {
            cause->message =
                arena_printf(arena, "%s; it reads its input, which is empty", cause->message);
            cause->advice = advise(ADVICE_ALONE_NO_INPUT);
        }
        return;
    default:
        return;
    }
}

bool precondition_run(struct arena *arena, const struct program_run *run, struct cause *out_cause)
{
    if (!precondition_activity(arena, run->activity, out_cause)) {
        return false;
    }
    if (run->is_alone) {
        explain(arena, run, out_cause);
    }
    return true;
}

bool precondition_unknown_call(struct arena *arena, const struct program_run *run, size_t launch)
{
    const struct program_activity *activity = run->activity;

    for (size_t i = 0; i < activity->call_error_count; i++) {
        const char *const names[] = {activity->call_errors[i].call, NULL};
        if (activity->call_errors[i].is_unknown && source_names(arena, run, names)) {
            return launches_own_kernel(run->input, arena, launch);
        }
    }
    return false;
}

bool precondition_early_end(struct arena *arena, const struct program_run *run,
                            struct cause *out_cause)
{
    const struct program_activity *activity = run->activity;

    if (!run->is_alone || !activity->ran || activity->launch_total > 0 ||
        activity->end.ending != ENDING_EXITED || activity->end.exit_status != 0 ||
        run->launch == run->input->rubric->launch_count ||
        !launches_own_kernel(run->input, arena, run->launch)) {
        return false;
    }
    *out_cause = cause_of_early_end(arena, run);
    return true;
}
