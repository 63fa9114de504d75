/* rubric_launches.c: the section launches, but for operands and scalars (rubric_operands.h).
 *
 * The block, the input and the overrides of whole programs are tried here with real numbers, at all
 * points of rubric_points.h.
 */
#include "rubric/rubric_key_names.h"
#include "rubric/rubric_operands.h"
#include "rubric/rubric_points.h"
#include "rubric/rubric_whole.h"

#include <math.h>
#include <string.h>

enum { LAUNCHES_MAX = 32, BLOCKS_MAX = 16 };
enum { FIRST_MAX = 65536 };

static void read_blocks(struct rubric_reader *reader, const cJSON *value,
                        struct rubric_launch *launch)
{
    size_t count = read_list(reader, value, 1, BLOCKS_MAX);
    int64_t *blocks = arena_array(reader->arena, count, sizeof *blocks);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        blocks[i] = read_integer(reader, item, 1, RUBRIC_EDGE_MAX);
        if (i > 0 && blocks[i] <= blocks[i - 1]) {
            reader_fail(reader, ERROR_RANGE, item, false,
                        "the block widths in 'blocks' must increase; %lld follows %lld",
                        (long long)blocks[i], (long long)blocks[i - 1]);
        }
    }
    launch->blocks = blocks;
    launch->block_count = reader->error == ERROR_NONE ? count : 0;
}

/* The first shape must be whole multiples of the units, whatever block width the student has
 * chosen. */
static void check_first_units(struct rubric_reader *reader, const cJSON *value,
                              const struct rubric_launch *launch, size_t parameter, int64_t block)
{
    const struct rubric_parameter *what = &reader->rubric->parameters[parameter];
    struct case_scope scope = {.rubric = reader->rubric, .block = block};
    double unit = 1;

    if (what->unit == NULL) {
        return;
    }
    if (!expression_evaluate(what->unit, case_lookup, &scope, &unit, NULL) || unit < 1 ||
        fmod((double)launch->first_values[parameter], unit) != 0) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "%lld is not a multiple of the unit of '%s' for a block width of %lld",
                    (long long)launch->first_values[parameter], what->name, (long long)block);
    }
}

static void check_first(struct rubric_reader *reader, const cJSON *const *members,
                        const struct rubric_launch *launch)
{
    struct drawn_case first = {0};

    memcpy(first.units, launch->first_values, sizeof launch->first_values);
    for (size_t i = 0; i < reader->rubric->parameter_count; i++) {
        if (launch->block != NULL) {
            check_first_units(reader, members[i], launch, i,
                              case_block(reader->rubric, launch, &first));
            continue;
        }
        for (size_t b = 0; b < launch->block_count; b++) {
            check_first_units(reader, members[i], launch, i, launch->blocks[b]);
        }
    }
}

/* Reads the first shape, and tries the block with it. */
static void read_first(struct rubric_reader *reader, const cJSON *value, const cJSON *block_value,
                       const cJSON *launch_value, struct rubric_launch *launch)
{
    struct rubric_key keys[RUBRIC_PARAMETERS_MAX];
    const cJSON *members[RUBRIC_PARAMETERS_MAX];
    const struct rubric *rubric = reader->rubric;

    launch->has_first = value != NULL;
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        keys[i] = (struct rubric_key){rubric->parameters[i].name, true};
        if (value == NULL && launch->block == NULL && rubric->parameters[i].unit != NULL) {
            reader_fail(reader, ERROR_SYNTAX, launch_value, false,
                        "a launch lacks the key 'first': '%s' has a unit, so a first shape is "
                        "needed to learn the block width",
                        rubric->parameters[i].name);
        }
    }
    read_members(reader, value, "first", keys, rubric->parameter_count, members);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        launch->first_values[i] = read_integer(reader, members[i], -FIRST_MAX, FIRST_MAX);
    }
    check_block(reader, block_value, launch);
    if (launch->has_first && reader->error == ERROR_NONE) {
        check_first(reader, members, launch);
    }
}

static void read_input(struct rubric_reader *reader, const cJSON *value,
                       struct rubric_launch *launch)
{
    const struct expectation number = {"this number", INT32_MIN, INT32_MAX, true};
    size_t count = read_list(reader, value, 1, 16);
    const struct expression **input = arena_array(reader->arena, count, sizeof *input);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        input[i] = read_expression(reader, item, NAMES_PARAMETERS);
        if (input[i] != NULL) {
            check_values(reader, launch, item, input[i], &number);
        }
    }
    launch->input = input;
    launch->input_count = count;
}

/* Reads a bound of a call, at least `minimum` in every case. */
static const struct expression *read_bound(struct rubric_reader *reader, const cJSON *value,
                                           const struct rubric_launch *launch, const char *what,
                                           double minimum)
{
    const struct expectation expectation = {what, minimum, INT32_MAX, true};
    const struct expression *bound = read_expression(reader, value, NAMES_BLOCK | NAMES_PARAMETERS);

    if (bound != NULL) {
        check_values(reader, launch, value, bound, &expectation);
    }
    return bound;
}

/* Reads what only a call has. */
static void read_call(struct rubric_reader *reader, const cJSON *const *members,
                      struct rubric_launch *out)
{
    static const enum launch_key own[] = {LAUNCH_KEY_KEEPS, LAUNCH_KEY_HOST_READS,
                                          LAUNCH_KEY_HOST_WRITES, LAUNCH_KEY_LAUNCHES,
                                          LAUNCH_KEY_LIBRARIES};

    for (size_t i = 0; i < sizeof own / sizeof own[0] && out->call == NULL; i++) {
        if (members[own[i]] != NULL) {
            reader_fail(reader, ERROR_SYNTAX, members[own[i]], true,
                        "only a call may have the key '%s'", members[own[i]]->string);
        }
    }
    out->keeps =
        read_names(reader, members[LAUNCH_KEY_KEEPS], NAME_IDENTIFIER, 0, &out->keep_count);
    if (out->keep_count > RUBRIC_OPERANDS_MAX) {
        reader_fail(reader, ERROR_RANGE, members[LAUNCH_KEY_KEEPS], true,
                    "a call may keep at most %d variables, found %zu", RUBRIC_OPERANDS_MAX,
                    out->keep_count);
    }
    out->host_reads = read_bound(reader, members[LAUNCH_KEY_HOST_READS], out,
                                 "the number of bytes to the host", 0);
    out->host_writes = read_bound(reader, members[LAUNCH_KEY_HOST_WRITES], out,
                                  "the number of bytes from the host", 0);
    out->launches =
        read_bound(reader, members[LAUNCH_KEY_LAUNCHES], out, "the number of launches", 1);
    out->allows_libraries = read_flag(reader, members[LAUNCH_KEY_LIBRARIES]);
}

/* Reads which function, or which kernel, is meant. */
static void read_subject(struct rubric_reader *reader, const cJSON *value,
                         const cJSON *const *members, struct rubric_launch *out)
{
    out->call = members[LAUNCH_KEY_CALL] == NULL
                    ? NULL
                    : read_name(reader, members[LAUNCH_KEY_CALL], NAME_IDENTIFIER);
    out->kernel = read_name(reader, members[LAUNCH_KEY_KERNEL], NAME_PATTERN);
    if (reader->error != ERROR_NONE) {
        return;
    }
    if (out->kernel[0] == '\0' && out->call == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a launch lacks the key 'kernel', which names the kernel that is observed, or "
                    "'call', which names the function whose call is judged");
        return;
    }
    out->is_pattern = strchr(out->kernel, '*') != NULL;
    if (out->is_pattern && out->call != NULL) {
        reader_fail(reader, ERROR_RANGE, members[LAUNCH_KEY_KERNEL], false,
                    "a call is judged whatever its kernels are called: leave 'kernel' out, or name "
                    "the one that it must launch");
    }
}

static void read_launch(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *out)
{
    const struct rubric *rubric = reader->rubric;
    const cJSON *members[LAUNCH_KEY_COUNT];

    read_members(reader, value, "a launch", launch_keys, LAUNCH_KEY_COUNT, members);
    out->id = read_name(reader, members[LAUNCH_KEY_ID], NAME_ID);
    out->title = read_name(reader, members[LAUNCH_KEY_TITLE], NAME_TEXT);
    out->program = read_reference(reader, members[LAUNCH_KEY_PROGRAM], "program", rubric->programs,
                                  sizeof *rubric->programs, rubric->program_count);
    read_subject(reader, value, members, out);
    out->given_kernels = read_names(reader, members[LAUNCH_KEY_GIVEN_KERNELS], NAME_KERNEL, 0,
                                    &out->given_kernel_count);
    out->arguments =
        read_names(reader, members[LAUNCH_KEY_ARGUMENTS], NAME_TEXT, 0, &out->argument_count);
    out->work = read_expression(reader, members[LAUNCH_KEY_WORK], NAMES_BLOCK | NAMES_PARAMETERS);
    read_blocks(reader, members[LAUNCH_KEY_BLOCKS], out);
    out->block = read_expression(reader, members[LAUNCH_KEY_BLOCK], NAMES_PARAMETERS);
    if (reader->error == ERROR_NONE) {
        read_first(reader, members[LAUNCH_KEY_FIRST], members[LAUNCH_KEY_BLOCK], value, out);
    }
    const struct launch_members form = {
        members[LAUNCH_KEY_INPUT],    members[LAUNCH_KEY_FIRST],         members[LAUNCH_KEY_BLOCK],
        members[LAUNCH_KEY_BLOCKS],   members[LAUNCH_KEY_GIVEN_KERNELS], members[LAUNCH_KEY_KEEPS],
        members[LAUNCH_KEY_ARGUMENTS]};
    check_launch_form(reader, value, &form, out);
    read_input(reader, members[LAUNCH_KEY_INPUT], out);
    read_call(reader, members, out);
    read_operands(reader, members[LAUNCH_KEY_OPERANDS], out);
    read_scalars(reader, members[LAUNCH_KEY_SCALARS], out);
    check_arguments(reader, &form, out);
    check_overrides(reader, out);
}

void read_launches(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 0, LAUNCHES_MAX);
    struct rubric_launch *launches = arena_array(reader->arena, count, sizeof *launches);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_launch(reader, item, &launches[i]);
        reader_check_unique(reader, item, "launch", launches, sizeof *launches, i);
    }
    reader->rubric->launches = launches;
    reader->rubric->launch_count = reader->error == ERROR_NONE ? count : 0;
    check_first_builds(reader, value);
}
