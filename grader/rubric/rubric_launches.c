/* rubric_launches.c: the section launches.
 *
 * Shapes, scalars, and the overrides of whole programs are tried here with real numbers, at all
 * points of rubric_points.h.
 */
#include "rubric/rubric_key_names.h"
#include "rubric/rubric_points.h"
#include "rubric/rubric_whole.h"

#include <math.h>
#include <string.h>

enum { LAUNCHES_MAX = 32, BLOCKS_MAX = 16, ARGUMENT_MAX = 63 };
enum { FIRST_MAX = 65536 };

static const char *const element_words[] = {
    [ELEMENT_F32] = "f32", [ELEMENT_F64] = "f64", [ELEMENT_I32] = "i32", [ELEMENT_U32] = "u32"};

enum { ELEMENT_COUNT = sizeof element_words / sizeof element_words[0] };

static struct binding read_binding(struct rubric_reader *reader, const cJSON *value)
{
    static const struct rubric_key keys[] = {{"argument", false}, {"symbol", false}};
    const cJSON *members[2];
    struct binding binding = {0};

    read_members(reader, value, "bind", keys, 2, members);
    if (reader->error == ERROR_NONE && (members[0] == NULL) == (members[1] == NULL)) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "bind needs either 'argument' or 'symbol', found %s",
                    members[0] == NULL ? "neither" : "both");
    }
    binding.is_symbol = members[1] != NULL;
    binding.argument = (uint32_t)read_integer(reader, members[0], 0, ARGUMENT_MAX);
    binding.symbol = read_name(reader, members[1], NAME_IDENTIFIER);
    return binding;
}

static bool is_same_binding(const struct binding *a, const struct binding *b)
{
    if (a->is_symbol != b->is_symbol || a->is_nowhere || b->is_nowhere) {
        return false;
    }
    return a->is_symbol ? strcmp(a->symbol, b->symbol) == 0 : a->argument == b->argument;
}

/* Makes sure that nothing read so far for the launch has the same binding; `last` is where this one
 * goes. */
static void check_binding(struct rubric_reader *reader, const cJSON *value,
                          const struct rubric_launch *launch, const struct binding *binding,
                          const struct binding *last)
{
    const char *owner = NULL;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (&launch->operands[i].bind != last &&
            is_same_binding(&launch->operands[i].bind, binding)) {
            owner = launch->operands[i].name;
        }
    }
    for (size_t i = 0; i < launch->scalar_count; i++) {
        if (&launch->scalars[i].bind != last &&
            is_same_binding(&launch->scalars[i].bind, binding)) {
            owner = launch->scalars[i].name;
        }
    }
    if (owner != NULL) {
        reader_fail(reader, ERROR_RANGE, value, false, "'%s' is bound to the same place", owner);
    }
}

static void read_shape(struct rubric_reader *reader, const cJSON *value,
                       const struct rubric_launch *launch, struct rubric_operand *out)
{
    const uint64_t memory = reader->rubric->limits.device_memory_bytes;
    const double room =
        memory < CASE_OPERAND_BYTES_MAX ? (double)memory : (double)CASE_OPERAND_BYTES_MAX;
    const struct expectation extent = {"this extent", 1,
                                       floor(room / (double)element_bytes(out->type)), false};
    size_t rank = read_list(reader, value, 1, 3);
    const cJSON *item = rank > 0 ? value->child : NULL;

    for (size_t i = 0; i < rank && reader->error == ERROR_NONE; i++, item = item->next) {
        out->shape[i] = read_expression(reader, item, NAMES_BLOCK | NAMES_PARAMETERS);
        if (out->shape[i] != NULL) {
            check_values(reader, launch, item, out->shape[i], &extent);
        }
    }
    out->rank = rank;
    if (reader->error != ERROR_NONE) {
        return;
    }
    /* The product, written as an expression of the format itself, so that it is tried alike. */
    const char *product = arena_printf(reader->arena, "(%s)", expression_text(out->shape[0]));
    for (size_t i = 1; i < rank; i++) {
        product = arena_printf(reader->arena, "%s * (%s)", product, expression_text(out->shape[i]));
    }
    const struct expression *elements;
    const struct expectation whole = {"the number of elements", 1, extent.maximum, false};
    size_t offset;
    if (expression_parse(reader->arena, product, &elements, &offset, NULL) != ERROR_NONE) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the expressions of the shape are too long to be multiplied");
        return;
    }
    check_values(reader, launch, value, elements, &whole);
}

/* Floats have no such key: what they hold is made so that every order of summation is exact. */
static int64_t read_largest(struct rubric_reader *reader, const cJSON *value,
                            const struct rubric_operand *operand)
{
    bool is_integer = operand->type == ELEMENT_I32 || operand->type == ELEMENT_U32;

    if (value != NULL && (!is_integer || operand->role != OPERAND_INPUT)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an input of i32 or u32 may have the key 'largest'; '%s' is %s",
                    operand->name, is_integer ? "an output" : "of floats");
    }
    return read_integer(reader, value, 1, INT32_MAX);
}

/* Reads where an operand or a scalar is found. A call needs no place of an operand, as the harness
 * announces it, and may have scalars that are found nowhere. */
static struct binding read_place(struct rubric_reader *reader, const cJSON *owner,
                                 const cJSON *value, const struct rubric_launch *launch,
                                 bool is_operand, const struct binding *last)
{
    struct binding binding = {.is_nowhere = value == NULL};

    if (launch->call == NULL && value == NULL) {
        reader_fail(reader, ERROR_SYNTAX, owner, false,
                    "%s lacks the key 'bind', which says where the launch has it",
                    is_operand ? "an operand" : "a scalar");
    }
    if (launch->call != NULL && value != NULL && is_operand) {
        reader_fail(reader, ERROR_SYNTAX, value, true,
                    "the operands of a call are announced by the harness; 'bind' is for those of a "
                    "launch");
    }
    if (value == NULL || reader->error != ERROR_NONE) {
        return binding;
    }
    binding = read_binding(reader, value);
    if (launch->call != NULL && !binding.is_symbol) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "a scalar of a call may be bound to a symbol; a call has no kernel arguments");
    }
    if (reader->error == ERROR_NONE) {
        check_binding(reader, value, launch, &binding, last);
    }
    return binding;
}

static void read_operand(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_launch *launch)
{
    static const char *const roles[] = {[OPERAND_INPUT] = "input", [OPERAND_OUTPUT] = "output"};
    const cJSON *members[OPERAND_KEY_COUNT];
    struct rubric_operand *out = &launch->operands[launch->operand_count];

    read_members(reader, value, "an operand", operand_keys, OPERAND_KEY_COUNT, members);
    out->name = read_name(reader, members[OPERAND_KEY_NAME], NAME_IDENTIFIER);
    reader_check_unique(reader, members[OPERAND_KEY_NAME], "operand", launch->operands,
                        sizeof launch->operands[0], launch->operand_count);
    out->bind =
        read_place(reader, value, members[OPERAND_KEY_BIND], launch, true, &out->bind);
    out->type = (enum element_type)read_word(reader, members[OPERAND_KEY_TYPE], element_words,
                                             ELEMENT_COUNT);
    out->role = (enum operand_role)read_word(reader, members[OPERAND_KEY_ROLE], roles, 2);
    out->largest = read_largest(reader, members[OPERAND_KEY_LARGEST], out);
    read_shape(reader, members[OPERAND_KEY_SHAPE], launch, out);
    launch->operand_count++;
}

static void read_operands(struct rubric_reader *reader, const cJSON *value,
                          struct rubric_launch *launch)
{
    size_t count = read_list(reader, value, 1, RUBRIC_OPERANDS_MAX);
    size_t outputs = 0;
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_operand(reader, item, launch);
        outputs += launch->operands[i].role == OPERAND_OUTPUT ? 1 : 0;
    }
    if (reader->error == ERROR_NONE && outputs != 1) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "a launch needs exactly one operand with the role 'output', found %zu",
                    outputs);
    }
}

static void read_scalar(struct rubric_reader *reader, const cJSON *value,
                        struct rubric_launch *launch)
{
    static const char *const words[] = {"i32", "u32"};
    static const enum element_type types[] = {ELEMENT_I32, ELEMENT_U32};
    static const struct expectation expectations[] = {{"the scalar", INT32_MIN, INT32_MAX, false},
                                                      {"the scalar", 0, UINT32_MAX, false}};
    const cJSON *members[SCALAR_KEY_COUNT];
    struct rubric_scalar *out = &launch->scalars[launch->scalar_count];

    read_members(reader, value, "a scalar", scalar_keys, SCALAR_KEY_COUNT, members);
    out->name = read_name(reader, members[SCALAR_KEY_NAME], NAME_IDENTIFIER);
    reader_check_unique(reader, members[SCALAR_KEY_NAME], "scalar", launch->scalars,
                        sizeof launch->scalars[0], launch->scalar_count);
    out->bind =
        read_place(reader, value, members[SCALAR_KEY_BIND], launch, false, &out->bind);
    size_t word = read_word(reader, members[SCALAR_KEY_TYPE], words, 2);
    out->type = types[word];
    out->value = read_expression(reader, members[SCALAR_KEY_VALUE], NAMES_BLOCK | NAMES_PARAMETERS);
    if (out->value != NULL) {
        check_values(reader, launch, members[SCALAR_KEY_VALUE], out->value, &expectations[word]);
    }
    launch->scalar_count++;
}

static void read_scalars(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_launch *launch)
{
    size_t count = read_list(reader, value, 0, RUBRIC_OPERANDS_MAX);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_scalar(reader, item, launch);
    }
}

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
        launch->first_values[i] = read_integer(reader, members[i], 1, FIRST_MAX);
    }
    check_block(reader, block_value, launch);
    if (launch->has_first && reader->error == ERROR_NONE) {
        check_first(reader, members, launch);
    }
}

static void read_input(struct rubric_reader *reader, const cJSON *value,
                       struct rubric_launch *launch)
{
    const struct expectation number = {"this number", INT32_MIN, INT32_MAX, false};
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
    const struct expression *bound =
        read_expression(reader, value, NAMES_BLOCK | NAMES_PARAMETERS);

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
    out->keeps = read_names(reader, members[LAUNCH_KEY_KEEPS], NAME_IDENTIFIER, 0,
                            &out->keep_count);
    if (out->keep_count > RUBRIC_OPERANDS_MAX) {
        reader_fail(reader, ERROR_RANGE, members[LAUNCH_KEY_KEEPS], true,
                    "a call may keep at most %d variables, found %zu", RUBRIC_OPERANDS_MAX,
                    out->keep_count);
    }
    out->host_reads =
        read_bound(reader, members[LAUNCH_KEY_HOST_READS], out, "the bytes to the host", 0);
    out->host_writes =
        read_bound(reader, members[LAUNCH_KEY_HOST_WRITES], out, "the bytes from the host", 0);
    out->launches = read_bound(reader, members[LAUNCH_KEY_LAUNCHES], out, "the launches", 1);
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
    const struct launch_members form = {members[LAUNCH_KEY_INPUT], members[LAUNCH_KEY_FIRST],
                                        members[LAUNCH_KEY_BLOCK], members[LAUNCH_KEY_BLOCKS],
                                        members[LAUNCH_KEY_GIVEN_KERNELS]};
    check_launch_form(reader, value, &form, out);
    read_input(reader, members[LAUNCH_KEY_INPUT], out);
    read_call(reader, members, out);
    read_operands(reader, members[LAUNCH_KEY_OPERANDS], out);
    read_scalars(reader, members[LAUNCH_KEY_SCALARS], out);
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
