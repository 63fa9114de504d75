/* rubric_whole.c: what holds for whole programs, which have overrides and a main of their own, and
 * what tells them from linked ones. See rubric_whole.h. */
#include "rubric/rubric_whole.h"

#include "rubric/rubric_points.h"

#include <string.h>

/* A key of a program in the file, for mistakes. */
static const cJSON *program_place(const struct rubric_reader *reader, size_t program,
                                  const char *key)
{
    const cJSON *item = reader->programs->child;

    for (size_t i = 0; i < program; i++) {
        item = item->next;
    }
    return cJSON_GetObjectItemCaseSensitive(item, key);
}

/* A pattern needs a first run; kernels that are given are of use for nothing else. */
static void check_kernel_form(struct rubric_reader *reader, const cJSON *value,
                              const struct launch_members *members,
                              const struct rubric_launch *launch)
{
    if (launch->call != NULL) {
        return;
    }
    if (launch->is_pattern && members->first == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a launch lacks the key 'first': a first run with that shape shows which "
                    "kernel '%s' means",
                    launch->kernel);
    }
    if (!launch->is_pattern && members->given_kernels != NULL) {
        reader_fail(reader, ERROR_SYNTAX, members->given_kernels, true,
                    "'given_kernels' lists kernels of the template that a pattern does not mean; "
                    "'%s' is not a pattern, it has no '*'",
                    launch->kernel);
    }
    const cJSON *name = members->given_kernels == NULL ? NULL : members->given_kernels->child;
    for (size_t i = 0; i < launch->given_kernel_count; i++, name = name->next) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(launch->given_kernels[i], launch->given_kernels[k]) == 0) {
                reader_fail(reader, ERROR_RANGE, name, false, "'%s' is listed twice",
                            launch->given_kernels[i]);
            }
        }
    }
}

/* A program that is one call reads files and has a main() of its own. */
static void check_program_form(struct rubric_reader *reader, const struct launch_members *members,
                               const struct rubric_launch *launch)
{
    const struct rubric_program *program = &reader->rubric->programs[launch->program];
    const cJSON *const others[] = {members->input,  members->first,         members->block,
                                   members->blocks, members->given_kernels, members->keeps};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] != NULL) {
            reader_fail(reader, ERROR_SYNTAX, others[i], true,
                        "the call 'main' is a whole program, which reads its inputs from files; it "
                        "cannot have the key '%s'",
                        others[i]->string);
        }
    }
    if (program->override_count > 0) {
        reader_fail(reader, ERROR_RANGE, program_place(reader, launch->program, "overrides"), true,
                    "the call 'main' of the launch '%s' reads its sizes from files, so its program "
                    "cannot have overrides",
                    launch->id);
    }
    if (program->harness_count > 0) {
        reader_fail(reader, ERROR_RANGE, program_place(reader, launch->program, "harness"), true,
                    "the call 'main' of the launch '%s' is the student's main(), so the program "
                    "cannot have a harness",
                    launch->id);
    }
}

/* A launch, an argument of which is checked. */
struct argument_check {
    struct rubric_reader *reader;
    const struct rubric_launch *launch;
    const cJSON *value;
};

/* An argument may name an operand that is in a file, or a parameter. */
static const char *check_name(void *context, const char *name)
{
    const struct argument_check *check = context;
    const struct rubric *rubric = check->reader->rubric;
    bool has_value = false;

    for (size_t i = 0; i < check->launch->operand_count; i++) {
        const struct rubric_operand *operand = &check->launch->operands[i];
        has_value = has_value || (operand->file != FILE_NONE && strcmp(operand->name, name) == 0);
    }
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        has_value = has_value || strcmp(rubric->parameters[i].name, name) == 0;
    }
    if (!has_value) {
        reader_fail(check->reader, ERROR_RANGE, check->value, false,
                    "between braces an argument names an operand that is in a file, or a "
                    "parameter; '%s' is neither",
                    name);
    }
    return has_value ? "" : NULL;
}

void check_arguments(struct rubric_reader *reader, const struct launch_members *members,
                     const struct rubric_launch *launch)
{
    struct argument_check check = {reader, launch, NULL};
    const cJSON *item = members->arguments == NULL ? NULL : members->arguments->child;

    for (size_t i = 0;
         i < launch->argument_count && launch_is_program(launch) && reader->error == ERROR_NONE;
         i++, item = item->next) {
        check.value = item;
        check_braces(reader, item, launch->arguments[i], check_name, &check);
    }
}

void check_launch_form(struct rubric_reader *reader, const cJSON *value,
                       const struct launch_members *members, const struct rubric_launch *launch)
{
    if (reader->error != ERROR_NONE) {
        return;
    }
    const struct rubric_program *program = &reader->rubric->programs[launch->program];
    bool is_whole = program_is_whole(program);

    if (is_whole && members->input != NULL) {
        reader_fail(reader, ERROR_SYNTAX, members->input, true,
                    "the program '%s' is a whole program: it is built and run for each case and "
                    "reads no sizes, so its launches cannot have an 'input'",
                    program->id);
    }
    if (launch_is_program(launch)) {
        check_program_form(reader, members, launch);
        return;
    }
    if (!is_whole && members->input == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a launch lacks the key 'input': the harness of the program '%s' reads the "
                    "sizes of each case (whole programs get them from 'overrides')",
                    program->id);
    }
    if (is_whole && launch->call != NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "the program '%s' is a whole program, with a main() of the student's: no "
                    "harness marks calls in it, so its launches are judged",
                    program->id);
    }
    if (launch->call != NULL && launch->kernel[0] == '\0' &&
        (members->block != NULL || members->blocks != NULL)) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a call has a block width only with the key 'kernel', which says of which "
                    "kernel's launch");
    }
    if (launch->call == NULL && members->block == NULL && members->blocks == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a launch lacks the key 'blocks', which lists the allowed block widths, or "
                    "'block', which gives the block width of a case");
    }
    if (is_whole && members->first == NULL) {
        reader_fail(
            reader, ERROR_SYNTAX, value, false,
            "a launch lacks the key 'first': the whole program '%s' is first built for that shape",
            program->id);
    }
    check_kernel_form(reader, value, members, launch);
}

/* The value of an override in the file, for mistakes. */
static const cJSON *override_place(const struct rubric_reader *reader, size_t program,
                                   size_t override)
{
    const cJSON *member = program_place(reader, program, "overrides")->child;

    for (size_t i = 0; i < override; i++) {
        member = member->next;
    }
    return member;
}

static void find_block(void *context, const char *name)
{
    bool *uses_block = context;

    *uses_block = *uses_block || strcmp(name, "block") == 0;
}

void check_overrides(struct rubric_reader *reader, const struct rubric_launch *launch)
{
    if (reader->error != ERROR_NONE) {
        return;
    }
    const struct rubric_program *program = &reader->rubric->programs[launch->program];

    for (size_t i = 0; i < program->override_count && reader->error == ERROR_NONE; i++) {
        const struct rubric_override *override = &program->overrides[i];
        const cJSON *place = override_place(reader, launch->program, i);
        const struct expectation number = {
            .what = arena_printf(reader->arena, "'%s'", override->name),
            .minimum = INT32_MIN,
            .maximum = INT32_MAX,
        };
        bool uses_block = false;
        expression_names(override->value, find_block, &uses_block);
        if (uses_block && launch->block == NULL) {
            reader_fail(reader, ERROR_RANGE, place, false,
                        "'%s' is set to the block width, so the launch '%s' needs the key 'block', "
                        "which gives the block width of a case",
                        override->name, launch->id);
        }
        check_values(reader, launch, place, override->value, &number);
    }
}

static bool first_values(const struct rubric *rubric, const struct rubric_launch *launch,
                         int64_t out_values[RUBRIC_OVERRIDES_MAX])
{
    struct drawn_case drawn = {0};

    memcpy(drawn.units, launch->first_values, sizeof launch->first_values);
    return case_override_values(rubric, &rubric->programs[launch->program], launch->first_values,
                                case_block(rubric, launch, &drawn), out_values);
}

/* Makes sure that two launches of one whole program have the same first build. */
static void check_same_build(struct rubric_reader *reader, const cJSON *value,
                             const struct rubric_launch *earlier, const struct rubric_launch *later)
{
    const struct rubric_program *program = &reader->rubric->programs[later->program];
    int64_t of_earlier[RUBRIC_OVERRIDES_MAX], of_later[RUBRIC_OVERRIDES_MAX];

    if (!first_values(reader->rubric, earlier, of_earlier) ||
        !first_values(reader->rubric, later, of_later)) {
        return; /* that has been refused */
    }
    for (size_t i = 0; i < program->override_count; i++) {
        if (of_earlier[i] != of_later[i]) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "'%s' is %lld for the first shape, but %lld for that of the launch '%s'; a "
                        "program has only one first build",
                        program->overrides[i].name, (long long)of_later[i],
                        (long long)of_earlier[i], earlier->id);
        }
    }
}

void check_first_builds(struct rubric_reader *reader, const cJSON *value)
{
    const struct rubric *rubric = reader->rubric;
    const cJSON *item = reader->error == ERROR_NONE ? value->child : NULL;

    for (size_t i = 0; item != NULL; i++, item = item->next) {
        for (size_t k = 0; k < i; k++) {
            if (rubric->launches[k].program == rubric->launches[i].program) {
                check_same_build(reader, item, &rubric->launches[k], &rubric->launches[i]);
            }
        }
    }
    for (size_t i = 0; i < rubric->program_count && reader->error == ERROR_NONE; i++) {
        bool is_launched = !program_is_whole(&rubric->programs[i]);
        for (size_t k = 0; k < rubric->launch_count; k++) {
            is_launched = is_launched || rubric->launches[k].program == i;
        }
        if (!is_launched) {
            reader_fail(reader, ERROR_RANGE, override_place(reader, i, 0), true,
                        "no launch names the whole program '%s', so its overrides have no values "
                        "for the first build",
                        rubric->programs[i].id);
        }
    }
}
