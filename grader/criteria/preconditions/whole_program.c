/* whole_program.c: see whole_program.h. */
#include "criteria/preconditions/whole_program.h"

#include "base/text.h"
#include "criteria/case_text.h"
#include "criteria/outcome.h"
#include "model/case.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

static const struct rubric_program *program_of(const struct criteria_input *input,
                                               const struct rubric_launch *launch)
{
    return &input->rubric->programs[launch->program];
}

bool is_whole_program(const struct criteria_input *input, size_t launch)
{
    return program_is_whole(program_of(input, &input->rubric->launches[launch]));
}

static const char *copy_text(struct arena *arena, struct text *text)
{
    const char *copy = arena_strndup(arena, text->bytes, text->length);

    text_release(text);
    return copy;
}

/* The first shape, for which a program is built first. */
static struct observation first_observation(const struct rubric *rubric,
                                            const struct rubric_launch *launch)
{
    struct observation first = {.case_index = SIZE_MAX};
    struct drawn_case drawn = {.case_index = SIZE_MAX};

    memcpy(first.parameters, launch->first_values, sizeof first.parameters);
    memcpy(drawn.units, launch->first_values, sizeof drawn.units);
    first.block = case_block(rubric, launch, &drawn);
    if (first.block == 0 && launch->block_count > 0) {
        first.block = launch->blocks[0];
    }
    return first;
}

const char *macro_values_text(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_launch *launch,
                              const struct observation *observation)
{
    const struct rubric_program *program = program_of(input, launch);
    int64_t values[RUBRIC_OVERRIDES_MAX];
    struct text list;

    if (!program_is_whole(program) ||
        !case_override_values(input->rubric, program, observation->parameters, observation->block,
                              values)) {
        return "";
    }
    text_init(&list);
    for (size_t i = 0; i < program->override_count; i++) {
        text_printf(&list, "%s%s %" PRId64, i > 0 ? ", " : "", program->overrides[i].name,
                    values[i]);
    }
    return copy_text(arena, &list);
}

/* The launch for which a program is built first; NULL: none has a first shape. */
static const struct rubric_launch *first_launch(const struct rubric *rubric, size_t program)
{
    for (size_t i = 0; i < rubric->launch_count; i++) {
        if (rubric->launches[i].program == program && rubric->launches[i].has_first) {
            return &rubric->launches[i];
        }
    }
    return NULL;
}

const char *built_macro_values(const struct criteria_input *input, struct arena *arena,
                               size_t program)
{
    const struct rubric_launch *launch = first_launch(input->rubric, program);

    if (launch == NULL) {
        return "";
    }
    const struct observation first = first_observation(input->rubric, launch);
    return macro_values_text(input, arena, launch, &first);
}

/* Sizes that are fixed *************************************************************************/

/* A value that a macro may have: that of the first build, or else a usual one. */
static int64_t example_value(const struct criteria_input *input, size_t program, const char *macro)
{
    const struct rubric *rubric = input->rubric;
    const struct rubric_program *of = &rubric->programs[program];
    const struct rubric_launch *launch = first_launch(rubric, program);
    int64_t values[RUBRIC_OVERRIDES_MAX];
    enum { USUAL_SIZE = 1024 };

    if (launch == NULL) {
        return USUAL_SIZE;
    }
    const struct observation first = first_observation(rubric, launch);
    bool is_known = case_override_values(rubric, of, first.parameters, first.block, values);
    for (size_t i = 0; i < of->override_count && is_known; i++) {
        if (strcmp(of->overrides[i].name, macro) == 0) {
            return values[i];
        }
    }
    return USUAL_SIZE;
}

/* Is a missing macro defined, but not as a value that could be exchanged? */
static bool is_seen(const struct program_build *build, size_t missing)
{
    return build->missing_places != NULL && build->missing_places[missing].line > 0;
}

/* The missing macros that are defined in such a way, or those that are not; *out_first is the index
 * of the first, and *out_count how many there are. */
static const char *missing_text(struct arena *arena, const struct program_build *build, bool seen,
                                size_t *out_first, size_t *out_count)
{
    struct text list;
    size_t count = 0;
    size_t written = 0;

    for (size_t i = build->missing_macro_count; i > 0; i--) {
        if (is_seen(build, i - 1) == seen) {
            *out_first = i - 1;
            count++;
        }
    }
    text_init(&list);
    for (size_t i = 0; i < build->missing_macro_count; i++) {
        if (is_seen(build, i) == seen) {
            const char *separator = written == 0 ? "" : written + 1 == count ? " and " : ", ";
            text_printf(&list, "%s%s", separator, build->missing_macros[i]);
            written++;
        }
    }
    *out_count = count;
    return copy_text(arena, &list);
}

/* Macros that are defined as something else than a value: the place is that of the first. */
static struct cause cause_of_fixed_value(const struct criteria_input *input, struct arena *arena,
                                         size_t program)
{
    const struct program_build *build = &input->evidence->builds[program];
    size_t first = 0;
    size_t count = 0;
    const char *names = missing_text(arena, build, true, &first, &count);
    const char *macro = build->missing_macros[first];
    struct cause cause =
        cause_advised(CODE_FIXED_SIZE,
                      arena_printf(arena, "the value%s of %s cannot be replaced for other sizes",
                                   count > 1 ? "s" : "", names),
                      (struct advice){ADVICE_WRITE_A_NUMBER,
                                      {macro, arena_printf(arena, "%" PRId64,
                                                           example_value(input, program, macro))}});

    cause.file = build->missing_places[first].file;
    cause.line = build->missing_places[first].line;
    return cause;
}

bool precondition_fixed_size(const struct criteria_input *input, struct arena *arena,
                             size_t program_index, struct cause *out_cause)
{
    const struct rubric_program *program = &input->rubric->programs[program_index];
    const struct program_build *build = &input->evidence->builds[program_index];

    if (build->missing_macro_count == 0) {
        return false;
    }
    const char *file = program->source_count > 0 ? program->sources[0] : program->id;
    size_t first = 0;
    size_t count = 0;
    const char *names = missing_text(arena, build, false, &first, &count);
    if (count == 0) {
        *out_cause = cause_of_fixed_value(input, arena, program_index);
        return true;
    }
    const char *macro = build->missing_macros[first];
    *out_cause = cause_advised(
        CODE_FIXED_SIZE,
        arena_printf(arena, "%s does not define %s, so it cannot be built for other sizes", file,
                     names),
        (struct advice){
            ADVICE_DEFINE_SIZE,
            {macro, arena_printf(arena, "%" PRId64, example_value(input, program_index, macro))}});
    out_cause->file = program->source_count > 0 ? file : "";
    return true;
}

struct cause cause_of_case_build(const struct criteria_input *input, struct arena *arena,
                                 size_t launch, const struct observation *observation)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const struct tool_message *place = observation->failure_place;
    const char *message = place != NULL ? place->message : observation->failure_message;
    const char *values = macro_values_text(input, arena, of, observation);
    const char *shape = shape_text(input, arena, of, observation);

    if (observation_is_hidden(input, observation)) {
        return cause_make(CODE_CASE_COMPILE_ERROR,
                          "the program does not compile for a hidden shape");
    }
    struct cause cause = cause_advised(
        CODE_CASE_COMPILE_ERROR,
        arena_printf(arena, "the program compiles for its own sizes, but not for %s%s%s", shape,
                     message != NULL && message[0] != '\0' ? ": " : "",
                     message != NULL ? message : ""),
        values[0] == '\0' ? advise(ADVICE_OF_CODE) : advise_on(ADVICE_SET_SIZES, values));
    if (place != NULL) {
        cause.file = place->file;
        cause.line = place->line;
        cause.column = place->column;
    }
    return cause;
}

/* Programs that are not attempted **************************************************************/

static bool is_given(const struct rubric_launch *launch, const struct source_token *name)
{
    for (size_t i = 0; i < launch->given_kernel_count; i++) {
        const char *given = launch->given_kernels[i];
        if (strlen(given) == name->length && memcmp(given, name->text, name->length) == 0) {
            return true;
        }
    }
    return false;
}

size_t find_own_kernels(const struct program_source *source, const struct rubric_launch *launch,
                        struct file_token *out_token)
{
    size_t count = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            const struct source_function *function = &file->functions.items[j];
            const struct source_token *name = &file->tokens.tokens[function->name];
            if (function->is_kernel && !is_given(launch, name)) {
                *out_token = (struct file_token){file, function->name};
                count++;
            }
        }
    }
    return count;
}

bool launches_own_kernel(const struct criteria_input *input, struct arena *arena, size_t launch)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    struct program_source source;
    struct source_launch found;
    struct file_token file_token;

    program_source_read(input, arena, of->program, &source);
    for (size_t i = 0; i < source.count; i++) {
        const struct program_file *file = &source.files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            const struct source_function *function = &file->functions.items[j];
            const struct source_token *name = &file->tokens.tokens[function->name];
            if (function->is_kernel && !is_given(of, name) &&
                find_launches(&source, arena_strndup(arena, name->text, name->length), &found,
                              &file_token) > 0) {
                return true;
            }
        }
    }
    return false;
}

bool exit_is_own_choice(const struct program_activity *activity)
{
    const struct program_end *end = &activity->end;
    bool aborts = end->ending == ENDING_SIGNALLED && end->signal == SIGABRT;

    return (end->ending == ENDING_EXITED || aborts) && activity->call_error_count == 0;
}

bool activity_crashed(const struct program_activity *activity)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const struct program_end *end = &activity->end;
    bool is_fault = false;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        is_fault = is_fault || end->signal == faults[i];
    }
    return end->ending == ENDING_SIGNALLED && is_fault && activity->call_error_count == 0 &&
           !activity->protocol_broken;
}

/* Likewise, of the sources of a launch's program; *out_name is the name of one. */
static size_t own_kernels(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_launch *launch, const char **out_name)
{
    struct program_source source;
    struct file_token file_token;

    program_source_read(input, arena, launch->program, &source);
    size_t count = find_own_kernels(&source, launch, &file_token);
    if (count > 0) {
        const struct source_token *name = &file_token.file->tokens.tokens[file_token.token];
        *out_name = arena_strndup(arena, name->text, name->length);
    }
    return count;
}

bool has_given_kernels_only(const struct criteria_input *input, struct arena *arena, size_t launch)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    const char *name = NULL;

    return input->rubric->launches[launch].is_pattern && run->kernel == NULL &&
           run->surveyed_count > 0 &&
           own_kernels(input, arena, &input->rubric->launches[launch], &name) == 0;
}

/* "`a` and `b`": the kernels that were launched. */
static const char *launched_text(struct arena *arena, const struct launch_run *run)
{
    struct text list;

    text_init(&list);
    for (size_t i = 0; i < run->surveyed_count; i++) {
        text_printf(&list, "%s`%s`", i == 0 ? "" : " and ", run->surveyed[i].plain_name);
    }
    return copy_text(arena, &list);
}

bool precondition_no_attempt(const struct criteria_input *input, struct arena *arena, size_t launch,
                             struct cause *out_cause)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const struct launch_run *run = &input->evidence->launch_runs[launch];

    if (!of->is_pattern || run->kernel != NULL || !run->activity.ran) {
        return false;
    }
    const char *own = NULL;
    bool is_only_one = own_kernels(input, arena, of, &own) == 1;
    bool is_one = run->surveyed_count == 1;
    const char *message = "nothing is launched";
    if (run->surveyed_count > 0) {
        message =
            arena_printf(arena, "only %s, which %s given, %s launched", launched_text(arena, run),
                         is_one ? "is" : "are", is_one ? "is" : "are");
    } else if (run->activity.launch_total > 0) {
        message = arena_printf(arena, "no kernel is launched whose name matches `%s`", of->kernel);
    }
    *out_cause = cause_advised(CODE_NO_LAUNCH_YET, message,
                               is_only_one ? advise_on(ADVICE_LAUNCH_OWN_KERNEL, own)
                                           : advise(ADVICE_WRITE_OWN_KERNEL));
    return true;
}
