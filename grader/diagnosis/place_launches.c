/* place_launches.c: see place_rules.h. */
#include "diagnosis/place_rules.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/whole_program.h"
#include "model/case.h"

#include <string.h>

bool sight_set(struct sight *out_sight, struct spot spot, const char *label)
{
    *out_sight = (struct sight){.spot = spot, .label = label};
    return true;
}

static const char *about_kernel(const struct seeker *seeker, const char *before, const char *after)
{
    return arena_printf(seeker->arena, "%s`%s`%s", before,
                        kernel_name(seeker->input, seeker->launch), after);
}

static bool find_kernel(const struct seeker *seeker, struct spot *out_spot)
{
    return seeker->launch != NULL &&
           find_definitions(&seeker->source, kernel_name(seeker->input, seeker->launch),
                            out_spot) == 1;
}

/* The kernel that is still empty; or, where students name it, the next open step, or else the only
 * kernel that is not given. */
bool place_no_attempt(const struct seeker *seeker, struct sight *out_sight)
{
    struct spot spot;

    if (seeker->launch != NULL && seeker->launch->is_pattern) {
        return place_open_step(seeker, out_sight) ||
               (find_own_kernels(&seeker->source, seeker->launch, &spot) == 1 &&
                sight_set(out_sight, spot, "this kernel is never launched"));
    }
    return find_kernel(seeker, &spot) &&
           sight_set(out_sight, spot, about_kernel(seeker, "", " is still empty"));
}

bool place_kernel(const struct seeker *seeker, struct sight *out_sight)
{
    struct spot spot;

    return find_kernel(seeker, &spot) &&
           sight_set(out_sight, spot, about_kernel(seeker, "", " is defined here"));
}

/* Launches *************************************************************************************/

static size_t count_launches(const struct seeker *seeker, struct source_launch *out_launch,
                             struct spot *out_spot)
{
    return seeker->launch == NULL
               ? 0
               : find_launches(&seeker->source, kernel_name(seeker->input, seeker->launch),
                               out_launch, out_spot);
}

bool place_launch(const struct seeker *seeker, struct sight *out_sight)
{
    struct source_launch launch;
    struct spot spot;

    return count_launches(seeker, &launch, &spot) == 1 &&
           sight_set(out_sight, spot, about_kernel(seeker, "", " is launched here"));
}

/* Where the value of an argument of the only launch of a kernel is made. */
static bool place_argument_of(const struct seeker *seeker, const char *kernel, size_t argument,
                              const char *label, struct sight *out_sight)
{
    struct source_launch launch;
    struct spot spot;

    if (find_launches(&seeker->source, kernel, &launch, &spot) != 1) {
        return false;
    }
    if (launch.arguments[argument].end <= launch.arguments[argument].first) {
        return sight_set(out_sight, spot,
                         arena_printf(seeker->arena, "`%s` is launched here", kernel));
    }
    return sight_set(out_sight, find_value(spot.file, launch.arguments[argument]), label);
}

static bool place_argument(const struct seeker *seeker, size_t argument, const char *label,
                           struct sight *out_sight)
{
    return seeker->launch != NULL &&
           place_argument_of(seeker, kernel_name(seeker->input, seeker->launch), argument, label,
                             out_sight);
}

bool place_launch_block(const struct seeker *seeker, struct sight *out_sight)
{
    return place_argument(seeker, LAUNCH_BLOCK, "the block of the launch", out_sight);
}

bool place_launch_bytes(const struct seeker *seeker, struct sight *out_sight)
{
    return place_argument(seeker, LAUNCH_BYTES, "the bytes that the launch passes", out_sight);
}

/* The first launch that was refused, which the cause is about; NULL if there is none. */
static const struct call_error *first_refused(const struct program_activity *activity)
{
    for (size_t i = 0; activity != NULL && i < activity->call_error_count; i++) {
        if (activity->call_errors[i].is_launch) {
            return &activity->call_errors[i];
        }
    }
    return NULL;
}

/* The launch of the kernel that was refused, which need not be the criterion's: what runs before it
 * ends the program. The message of the device begins with what it refuses (server_launch.c of
 * device/). */
bool place_refused_launch(const struct seeker *seeker, struct sight *out_sight)
{
    static const struct {
        const char *beginning;
        size_t argument;
        const char *label;
    } reasons[] = {
        {"a grid of ", LAUNCH_GRID, "the grid of the launch"},
        {"a block of ", LAUNCH_BLOCK, "the block of the launch"},
    };
    const struct call_error *refused = first_refused(seeker->activity);
    struct source_launch launch;
    struct spot spot;

    if (refused == NULL || refused->kernel[0] == '\0') {
        return place_launch(seeker, out_sight);
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (strncmp(refused->message, reasons[i].beginning, strlen(reasons[i].beginning)) == 0) {
            return place_argument_of(seeker, refused->kernel, reasons[i].argument, reasons[i].label,
                                     out_sight);
        }
    }
    return find_launches(&seeker->source, refused->kernel, &launch, &spot) == 1 &&
           sight_set(out_sight, spot,
                     arena_printf(seeker->arena, "`%s` is launched here", refused->kernel));
}

/* The second one of two, or the only one, which is then reached twice. */
bool place_second_launch(const struct seeker *seeker, struct sight *out_sight)
{
    struct source_launch launch;
    struct spot spot;
    size_t launches = count_launches(seeker, &launch, &spot);

    if (launches == 2) {
        return sight_set(out_sight, spot, about_kernel(seeker, "", " is launched again"));
    }
    return place_launch(seeker, out_sight);
}

static bool is_host_function(const struct source_function *function)
{
    return function != NULL && !function->is_kernel && !function->is_device;
}

/* The last variable of type dim3 in the only host function that has any: there a launch was
 * prepared. */
static bool find_preparation(const struct seeker *seeker, struct spot *out_spot)
{
    const struct source_function *prepares = NULL;

    for (size_t i = 0; i < seeker->source.count; i++) {
        const struct program_file *file = &seeker->source.files[i];
        for (size_t j = 0; j + 1 < file->tokens.count; j++) {
            const struct source_function *function = source_function_at(&file->functions, j);
            if (!token_is(&file->tokens, j, TOKEN_NAME, "dim3") || !is_host_function(function) ||
                file->tokens.tokens[j + 1].kind != TOKEN_NAME) {
                continue;
            }
            if (prepares != NULL && prepares != function) {
                return false;
            }
            prepares = function;
            *out_spot = (struct spot){file, j + 1};
        }
    }
    return prepares != NULL;
}

/* True if host code calls a function that starts a process. */
static bool starts_processes(const struct seeker *seeker)
{
    static const char *const calls[] = {"fork", "vfork", "_Fork", "clone"};
    struct spot spot;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (find_calls(&seeker->source, calls[i], NULL, &spot) > 0) {
            return true;
        }
    }
    return false;
}

bool place_missing_launch(const struct seeker *seeker, struct sight *out_sight)
{
    struct source_launch launch;
    struct spot spot;
    size_t launches = count_launches(seeker, &launch, &spot);

    if (launches > 0) {
        sight_set(out_sight, spot, about_kernel(seeker, "the only launch of ", ""));
        out_sight->hint = starts_processes(seeker)
                              ? "launch it in the process that main() runs in: what a child of "
                                "fork() launches is not seen, and CUDA does not work there"
                              : NULL;
        return launches == 1;
    }
    if (seeker->launch != NULL && find_preparation(seeker, &spot)) {
        return sight_set(out_sight, spot, about_kernel(seeker, "no launch of ", " follows"));
    }
    return place_kernel(seeker, out_sight);
}

/* The launch whose output a map shows; NULL if it is not known. */
static const struct observation *mapped_observation(const struct seeker *seeker)
{
    const struct launch_run *run = &seeker->input->evidence->launch_runs[seeker->criterion->launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->launched && !observation_is_hidden(seeker->input, observation) &&
            strcmp(seeker->map->shape,
                   shape_text(seeker->input, seeker->arena, seeker->launch, observation)) == 0) {
            return observation;
        }
    }
    return NULL;
}

/* True if an input has as many rows as the output has columns, and the other way round: blocks are
 * laid over the input, and the output is turned. */
static bool is_turned(const struct seeker *seeker, const struct observation *observation)
{
    const struct element_map *map = seeker->map;
    struct case_scope scope = {.rubric = seeker->input->rubric,
                               .parameters = observation->parameters,
                               .block = observation->block};

    for (size_t i = 0; i < seeker->launch->operand_count && map->rows != map->columns; i++) {
        const struct rubric_operand *operand = &seeker->launch->operands[i];
        struct case_scope copy = scope;
        double rows = 0;
        double columns = 0;
        if (operand->role == OPERAND_INPUT && operand->rank == 2 &&
            expression_evaluate(operand->shape[0], case_lookup, &copy, &rows, NULL) &&
            expression_evaluate(operand->shape[1], case_lookup, &copy, &columns, NULL) &&
            rows == (double)map->columns && columns == (double)map->rows) {
            return true;
        }
    }
    return false;
}

/* If what was not written is exactly what the grid does not reach, the grid; if it is what blocks
 * with fewer rows than columns leave out of each tile, the block. */
bool place_uncovered(const struct seeker *seeker, struct sight *out_sight)
{
    const struct element_map *map = seeker->map;
    const struct observation *seen =
        seeker->launch == NULL || map == NULL ? NULL : mapped_observation(seeker);
    size_t beyond_grid = 0;
    size_t beyond_block = 0;

    if (seen == NULL || seen->block <= 0) {
        return false;
    }
    size_t edge = (size_t)seen->block;
    bool turned = is_turned(seeker, seen);
    size_t reached_rows = seen->geometry.grid[turned ? 0 : 1];
    size_t reached_columns = seen->geometry.grid[turned ? 1 : 0];
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        size_t row = i / map->columns;
        size_t column = i % map->columns;
        bool is_out = row / edge >= reached_rows || column / edge >= reached_columns;
        bool is_left_out = !turned && row % edge >= seen->geometry.block[1];
        if ((map->states[i] == ELEMENT_UNWRITTEN) != (is_out || is_left_out)) {
            return false;
        }
        beyond_grid += is_out ? 1 : 0;
        beyond_block += is_left_out ? 1 : 0;
    }
    if ((beyond_grid == 0) == (beyond_block == 0)) {
        return false;
    }
    return beyond_grid > 0 ? place_argument(seeker, LAUNCH_GRID,
                                            "the grid does not reach every element", out_sight)
                           : place_argument(seeker, LAUNCH_BLOCK,
                                            "the block has fewer rows than columns", out_sight);
}

/* Inside of the kernel *************************************************************************/

const struct source_function *function_named_at(struct spot name)
{
    return source_function_named(&name.file->functions, name.token);
}

bool first_static_shared(const struct program_file *file, const struct source_function *function,
                         struct spot *out_spot)
{
    const struct source_tokens *tokens = &file->tokens;

    for (size_t i = function->open + 1; i < function->close; i++) {
        if (!token_is(tokens, i, TOKEN_NAME, "__shared__") ||
            token_is(tokens, i - 1, TOKEN_NAME, "extern") ||
            token_is(tokens, i + 1, TOKEN_NAME, "extern")) {
            continue;
        }
        for (size_t j = i + 1; j + 1 < function->close; j++) {
            if (tokens->tokens[j].kind == TOKEN_NAME && tokens->tokens[j + 1].kind == TOKEN_SIGN &&
                character_is_of(tokens->tokens[j + 1].text[0], "[;,=")) {
                *out_spot = (struct spot){file, j};
                return true;
            }
        }
    }
    return false;
}

/* Of the kernel, or else of the only function of the program that has some. */
bool place_static_shared(const struct seeker *seeker, struct sight *out_sight)
{
    const char *label = "static shared memory";
    struct spot spot;
    struct spot other = {NULL, 0};
    size_t holders = 0;

    if (find_kernel(seeker, &spot) && function_named_at(spot) != NULL &&
        first_static_shared(spot.file, function_named_at(spot), &other)) {
        return sight_set(out_sight, other, label);
    }
    for (size_t i = 0; i < seeker->source.count; i++) {
        const struct program_file *file = &seeker->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            holders += first_static_shared(file, &file->functions.items[j], &other) ? 1 : 0;
        }
    }
    return holders == 1 && sight_set(out_sight, other, label);
}

/* The outermost loops of a function, and the last one of them. */
static size_t outer_loops(const struct program_file *file, const struct source_function *function,
                          struct spot *out_loop)
{
    struct token_range loop = {0, function->open};
    size_t count = 0;

    while (source_next_loop(&file->tokens, loop.end, function->close, &loop)) {
        *out_loop = (struct spot){file, loop.first};
        count++;
    }
    return count;
}

/* The outermost loops of what a kernel may run: its own, and those of all device functions. */
static size_t device_loops(const struct seeker *seeker, const struct source_function *kernel,
                           struct spot *out_loop)
{
    size_t count = 0;

    for (size_t i = 0; i < seeker->source.count; i++) {
        const struct program_file *file = &seeker->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            if (function == kernel || (function->is_device && !function->is_kernel)) {
                count += outer_loops(file, function, out_loop);
            }
        }
    }
    return count;
}

static bool names_another_kernel(const struct seeker *seeker)
{
    return strchr(seeker->cause->message, '`') != NULL &&
           strstr(seeker->cause->message, about_kernel(seeker, "", "")) == NULL;
}

/* The only outermost loop that the kernel may run, if it is the kernel that does not end. */
bool place_kernel_loop(const struct seeker *seeker, struct sight *out_sight)
{
    struct spot kernel;
    struct spot loop;

    if (!find_kernel(seeker, &kernel) || function_named_at(kernel) == NULL ||
        names_another_kernel(seeker)) {
        return false;
    }
    const struct source_function *function = function_named_at(kernel);
    if (device_loops(seeker, function, &loop) == 1) {
        return sight_set(out_sight, loop,
                         source_function_at(&loop.file->functions, loop.token) == function
                             ? "the only outer loop of the kernel"
                             : "the only outer loop in device code");
    }
    return place_kernel(seeker, out_sight);
}
