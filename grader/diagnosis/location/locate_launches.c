/* locate_launches.c: see locators.h. */
#include "diagnosis/location/locators.h"

#include "base/near_word.h"
#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/results/wrong_result.h"
#include "model/case.h"

#include <inttypes.h>
#include <string.h>

static const char *about_kernel(const struct locator *locator, const char *before,
                                const char *after)
{
    return arena_printf(locator->arena, "%s`%s`%s", before,
                        kernel_name(locator->input, locator->launch), after);
}

static bool find_kernel(const struct locator *locator, struct file_token *out_token)
{
    return locator->launch != NULL &&
           find_definitions(&locator->source, kernel_name(locator->input, locator->launch),
                            out_token) == 1;
}

/* The kernel that is still empty; or, where students name it, the next open step, or else the only
 * kernel that is not given. */
bool locate_no_attempt(const struct locator *locator, struct location *out_location)
{
    struct file_token file_token;

    if (locator->launch != NULL && locator->launch->is_pattern) {
        return locate_open_step(locator, out_location) ||
               (find_own_kernels(&locator->source, locator->launch, &file_token) == 1 &&
                location_set(out_location, file_token, "this kernel is never launched"));
    }
    return find_kernel(locator, &file_token) &&
           location_set(out_location, file_token, about_kernel(locator, "", " is still empty"));
}

bool locate_kernel(const struct locator *locator, struct location *out_location)
{
    struct file_token file_token;

    return find_kernel(locator, &file_token) &&
           location_set(out_location, file_token, about_kernel(locator, "", " is defined here"));
}

/* Launches *************************************************************************************/

static size_t count_launches(const struct locator *locator, struct source_launch *out_launch,
                             struct file_token *out_token)
{
    return locator->launch == NULL
               ? 0
               : find_launches(&locator->source, kernel_name(locator->input, locator->launch),
                               out_launch, out_token);
}

bool locate_launch(const struct locator *locator, struct location *out_location)
{
    struct source_launch launch;
    struct file_token file_token;

    return count_launches(locator, &launch, &file_token) == 1 &&
           location_set(out_location, file_token, about_kernel(locator, "", " is launched here"));
}

/* Where the value of an argument of the only launch of a kernel is made. */
static bool place_argument_of(const struct locator *locator, const char *kernel, size_t argument,
                              const char *label, struct location *out_location)
{
    struct source_launch launch;
    struct file_token file_token;

    if (find_launches(&locator->source, kernel, &launch, &file_token) != 1) {
        return false;
    }
    if (launch.arguments[argument].end <= launch.arguments[argument].first) {
        return location_set(out_location, file_token,
                            arena_printf(locator->arena, "`%s` is launched here", kernel));
    }
    return location_set(out_location, find_value(file_token.file, launch.arguments[argument]),
                        label);
}

static bool place_argument(const struct locator *locator, size_t argument, const char *label,
                           struct location *out_location)
{
    return locator->launch != NULL &&
           place_argument_of(locator, kernel_name(locator->input, locator->launch), argument, label,
                             out_location);
}

bool locate_launch_block(const struct locator *locator, struct location *out_location)
{
    return place_argument(locator, LAUNCH_BLOCK, "the block of the launch", out_location);
}

bool locate_launch_bytes(const struct locator *locator, struct location *out_location)
{
    return place_argument(locator, LAUNCH_BYTES,
                          "the bytes of shared memory that the launch passes", out_location);
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

/* What to do about an extent of 0: the first division of two plain values in the statement. */
static const char *hint_of_none(const struct locator *locator, const struct file_token *value)
{
    const struct source_tokens *tokens = &value->file->tokens;
    const size_t end = source_statement_end(tokens, value->token);

    for (size_t i = value->token + 1; i + 1 < end; i++) {
        const struct source_token *above = &tokens->tokens[i - 1];
        const struct source_token *below = &tokens->tokens[i + 1];
        bool is_plain = above->kind <= TOKEN_NUMBER && below->kind <= TOKEN_NUMBER;
        if (token_is(tokens, i, TOKEN_SIGN, "/") && is_plain) {
            return arena_printf(locator->arena,
                                "`%.*s / %.*s` rounds down, to 0 if `%.*s` is the smaller one: "
                                "round up, `(%.*s + %.*s - 1) / %.*s`",
                                (int)above->length, above->text, (int)below->length, below->text,
                                (int)above->length, above->text, (int)above->length, above->text,
                                (int)below->length, below->text, (int)below->length, below->text);
        }
    }
    return NULL;
}

/* The launch of the kernel that was refused, which need not be the criterion's: what runs before it
 * ends the program. The message of the device begins with what it refuses (server_launch.c of
 * device/). */
bool locate_refused_launch(const struct locator *locator, struct location *out_location)
{
    static const struct {
        const char *beginning;
        size_t argument;
        const char *label, *hint;
    } reasons[] = {
        {"a grid of ", LAUNCH_GRID, "the grid of the launch", NULL},
        {"a block of ", LAUNCH_BLOCK, "the block of the launch",
         "in <<<blocks, threads>>> the first value is the number of blocks, the second the threads "
         "of each: are they exchanged, or is the block too large?"},
    };
    const struct call_error *refused = first_refused(locator->activity);
    struct source_launch launch;
    struct file_token file_token;

    if (refused == NULL || refused->kernel[0] == '\0') {
        return locate_launch(locator, out_location);
    }
    const char *label = arena_printf(locator->arena, "`%s` is launched here", refused->kernel);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (strncmp(refused->message, reasons[i].beginning, strlen(reasons[i].beginning)) == 0 &&
            place_argument_of(locator, refused->kernel, reasons[i].argument, reasons[i].label,
                              out_location)) {
            bool is_none = strstr(refused->message, "must be at least 1") != NULL;
            out_location->hint =
                is_none ? hint_of_none(locator, &out_location->file_token) : reasons[i].hint;
            return true;
        }
    }
    return (find_launches(&locator->source, refused->kernel, &launch, &file_token) == 1 &&
            location_set(out_location, file_token, label)) ||
           locate_line(locator, &refused->place, refused->kernel, label, out_location);
}

/* The second one of two, or the only one, which is then reached twice. */
bool locate_second_launch(const struct locator *locator, struct location *out_location)
{
    struct source_launch launch;
    struct file_token file_token;
    size_t launches = count_launches(locator, &launch, &file_token);

    if (launches == 2) {
        return location_set(out_location, file_token,
                            about_kernel(locator, "", " is launched again"));
    }
    return locate_launch(locator, out_location);
}

static bool is_host_function(const struct source_function *function)
{
    return function != NULL && !function->is_kernel && !function->is_device;
}

/* The last variable of type dim3 in the only host function that has any: there a launch was
 * prepared. */
static bool find_preparation(const struct locator *locator, struct file_token *out_token)
{
    const struct source_function *prepares = NULL;

    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *file = &locator->source.files[i];
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
            *out_token = (struct file_token){file, j + 1};
        }
    }
    return prepares != NULL;
}

/* True if host code calls a function that starts a process. */
static bool starts_processes(const struct locator *locator)
{
    static const char *const calls[] = {"fork", "vfork", "_Fork", "clone"};
    struct file_token file_token;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (find_calls(&locator->source, calls[i], NULL, &file_token) > 0) {
            return true;
        }
    }
    return false;
}

/* The kernel of a program whose name is nearly that of the criterion's. */
static bool locate_misspelt_kernel(const struct locator *locator, struct location *out_location)
{
    const char *wanted =
        locator->launch == NULL || locator->launch->is_pattern ? NULL : locator->launch->kernel;
    struct near_word near = near_word_start(wanted != NULL ? wanted : "");
    struct file_token name = {0};

    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *file = &locator->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            const struct source_token *token = &file->tokens.tokens[function->name];
            const char *before = near.best;
            if (function->is_kernel) {
                near_word_offer(
                    &near, arena_printf(locator->arena, "%.*s", (int)token->length, token->text));
            }
            name = near.best == before ? name : (struct file_token){file, function->name};
        }
    }
    if (near.best == NULL || near.distance == 0) {
        return false;
    }
    location_set(out_location, name, about_kernel(locator, "did you mean ", "?"));
    out_location->hint = arena_printf(
        locator->arena, "call this kernel exactly `%s`, also where it is launched", wanted);
    return true;
}

bool locate_missing_launch(const struct locator *locator, struct location *out_location)
{
    struct source_launch launch;
    struct file_token file_token;
    size_t launches = count_launches(locator, &launch, &file_token);

    if (launches > 0) {
        location_set(out_location, file_token, about_kernel(locator, "the only launch of ", ""));
        out_location->hint =
            starts_processes(locator)
                ? "launch it in the process that runs main(): gpugrade does not see what a child "
                  "of fork() launches, and CUDA does not work there"
                : NULL;
        return launches == 1;
    }
    if (locate_misspelt_kernel(locator, out_location)) {
        return true;
    }
    if (locator->launch != NULL && find_preparation(locator, &file_token)) {
        return location_set(out_location, file_token,
                            about_kernel(locator, "no launch of ", " follows"));
    }
    return locate_kernel(locator, out_location);
}

/* The launch whose output a map shows; NULL if it is not known. */
static const struct observation *mapped_observation(const struct locator *locator)
{
    const struct launch_run *run =
        &locator->input->evidence->launch_runs[locator->criterion->launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->launched && !observation_is_hidden(locator->input, observation) &&
            strcmp(locator->map->shape,
                   shape_text(locator->input, locator->arena, locator->launch, observation)) == 0) {
            return observation;
        }
    }
    return NULL;
}

/* True if an input has as many rows as the output has columns, and the other way round: blocks are
 * laid over the input, and the output is turned. */
static bool is_turned(const struct locator *locator, const struct observation *observation)
{
    const struct element_map *map = locator->map;
    struct case_scope scope = {.rubric = locator->input->rubric,
                               .parameters = observation->parameters,
                               .block = observation->block};

    for (size_t i = 0; i < locator->launch->operand_count && map->rows != map->columns; i++) {
        const struct rubric_operand *operand = &locator->launch->operands[i];
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

/* True if nothing is wrong among the first elements of a vector, as many as there are threads, and
 * most of the others are. */
static bool is_wrong_beyond(const struct element_map *map, uint64_t threads, uint64_t elements)
{
    uint64_t wrong = 0;

    for (uint64_t i = 0; i < elements && map->columns == elements && map->rows == 1; i++) {
        const bool is_wrong = map->states[i] != ELEMENT_RIGHT;
        if (is_wrong && i < threads) {
            return false;
        }
        wrong += is_wrong;
    }
    return 2 * wrong > elements - threads;
}

/* Says what a launch lacks, in words and as a hint if it is of one dimension. */
static const char *small_grid_text(struct arena *arena, const struct launch_geometry *at,
                                   uint64_t threads, uint64_t elements, const char **out_hint)
{
    const char *text = arena_printf(arena, "%" PRIu64 " threads in all, for %" PRIu64 " elements",
                                    threads, elements);

    *out_hint = NULL;
    if (threads != (uint64_t)at->grid[0] * at->block[0]) {
        return text;
    }
    *out_hint =
        arena_printf(arena,
                     "a thread stores one element, so %" PRIu64 " elements need %" PRIu64
                     " blocks of %" PRIu32 " threads: divide by the block that is launched and "
                     "round up, or let threads go on to further elements in a loop",
                     elements, (elements + at->block[0] - 1) / at->block[0], at->block[0]);
    return arena_printf(arena, "%" PRIu32 " block%s of %" PRIu32 " threads: %s", at->grid[0],
                        at->grid[0] == 1 ? "" : "s", at->block[0], text);
}

/* Of a call that launches one kernel once: the grid, if each thread stores one element, and there
 * are fewer threads than elements. Where elements keep what they held, all that are wrong are
 * beyond those of the threads. */
static bool place_small_grid(const struct locator *locator, const struct observation *seen,
                             struct location *out_location)
{
    const struct wrong_result *result = locator->cause->subject.result;
    const char *hint;

    if (result == NULL || locator->launch->call == NULL || seen->sample_count == 0 ||
        seen->samples[0].kernel_count != 1 || seen->samples[0].call.launches != 1 ||
        !seen->samples[0].counts.is_counted) {
        return false;
    }
    const struct launch_geometry *at = &seen->geometry;
    const struct rubric_operand *output = &locator->launch->operands[result->output];
    const uint64_t threads = (uint64_t)at->grid[0] * at->grid[1] * at->grid[2] * at->block[0] *
                             at->block[1] * at->block[2];
    const uint64_t elements = seen->element_counts[result->output] / operand_lanes(output);
    const uint64_t stored = seen->samples[0].counts.operands[result->output][COUNT_WRITE].bytes;

    if (threads >= elements ||
        stored != threads * element_bytes(output->type) * operand_lanes(output) ||
        (locator->cause->code == CODE_MISMATCH &&
         !is_wrong_beyond(locator->map, threads, elements))) {
        return false;
    }
    const char *label = small_grid_text(locator->arena, at, threads, elements, &hint);
    const bool is_placed = place_argument_of(locator, seen->samples[0].kernels[0].plain_name,
                                             LAUNCH_GRID, label, out_location);
    out_location->hint = is_placed ? hint : NULL;
    return is_placed;
}

/* A kernel that does nothing, or a function that is called and launches nothing. */
static bool locate_empty_kernel(const struct locator *locator, struct location *out_location)
{
    struct file_token file_token;
    const struct source_function *function =
        locator->launch != NULL &&
                find_definitions(&locator->source, kernel_name(locator->input, locator->launch),
                                 &file_token) == 1
            ? function_named_at(file_token)
            : NULL;

    if (function == NULL || function->close != function->open + 2) {
        return false;
    }
    location_set(out_location, file_token,
                 function->is_kernel ? "the body of this kernel is empty"
                                     : "this function does nothing yet");
    out_location->hint = function->is_kernel ? "write the kernel: each thread stores its result"
                                             : "launch your kernel here, with <<<grid, block>>>";
    return true;
}

/* If what was not written is exactly what the grid does not reach, the grid; if it is what blocks
 * with fewer rows than columns leave out of each tile, the block. */
bool locate_uncovered(const struct locator *locator, struct location *out_location)
{
    const struct element_map *map = locator->map;
    const struct observation *seen =
        locator->launch == NULL || map == NULL ? NULL : mapped_observation(locator);
    size_t beyond_grid = 0;
    size_t beyond_block = 0;

    if (locate_empty_kernel(locator, out_location)) {
        return true;
    }
    if (seen == NULL || seen->block <= 0) {
        return seen != NULL && place_small_grid(locator, seen, out_location);
    }
    size_t block_width = (size_t)seen->block;
    bool turned = is_turned(locator, seen);
    size_t reached_rows = seen->geometry.grid[turned ? 0 : 1];
    size_t reached_columns = seen->geometry.grid[turned ? 1 : 0];
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        size_t row = i / map->columns;
        size_t column = i % map->columns;
        bool is_out = row / block_width >= reached_rows || column / block_width >= reached_columns;
        bool is_left_out = !turned && row % block_width >= seen->geometry.block[1];
        if ((map->states[i] == ELEMENT_UNWRITTEN) != (is_out || is_left_out)) {
            return false;
        }
        beyond_grid += is_out ? 1 : 0;
        beyond_block += is_left_out ? 1 : 0;
    }
    if ((beyond_grid == 0) == (beyond_block == 0)) {
        return false;
    }
    return beyond_grid > 0 ? place_argument(locator, LAUNCH_GRID,
                                            "the grid does not cover every element", out_location)
                           : place_argument(locator, LAUNCH_BLOCK,
                                            "the block has fewer rows than columns", out_location);
}

/* Inside of the kernel *************************************************************************/

bool first_static_shared(const struct program_file *file, const struct source_function *function,
                         struct file_token *out_token)
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
                *out_token = (struct file_token){file, j};
                return true;
            }
        }
    }
    return false;
}

/* Of the kernel, or else of the only function of the program that has some. */
bool locate_static_shared(const struct locator *locator, struct location *out_location)
{
    const char *label = "static shared memory";
    struct file_token file_token;
    struct file_token other = {NULL, 0};
    size_t holders = 0;

    if (find_kernel(locator, &file_token) && function_named_at(file_token) != NULL &&
        first_static_shared(file_token.file, function_named_at(file_token), &other)) {
        return location_set(out_location, other, label);
    }
    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *file = &locator->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            holders += first_static_shared(file, &file->functions.items[j], &other) ? 1 : 0;
        }
    }
    return holders == 1 && location_set(out_location, other, label);
}

/* The outermost loops of a function, and the last one of them. */
static size_t outer_loops(const struct program_file *file, const struct source_function *function,
                          struct file_token *out_loop)
{
    struct token_range loop = {0, function->open};
    size_t count = 0;

    while (source_next_loop(&file->tokens, loop.end, function->close, &loop)) {
        *out_loop = (struct file_token){file, loop.first};
        count++;
    }
    return count;
}

/* The outermost loops of what a kernel may run: its own, and those of all device functions. */
static size_t device_loops(const struct locator *locator, const struct source_function *kernel,
                           struct file_token *out_loop)
{
    size_t count = 0;

    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *file = &locator->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            if (function == kernel || (function->is_device && !function->is_kernel)) {
                count += outer_loops(file, function, out_loop);
            }
        }
    }
    return count;
}

/* True if the cause is about the launch of another kernel. */
static bool names_another_kernel(const struct locator *locator)
{
    const struct subject *subject = &locator->cause->subject;
    const char *kernel = subject->kind == SUBJECT_CALL      ? subject->call->kernel
                         : subject->kind == SUBJECT_FINDING ? subject->finding->kernel
                                                            : "";

    return kernel != NULL && kernel[0] != '\0' &&
           strcmp(kernel, kernel_name(locator->input, locator->launch)) != 0;
}

/* The only outermost loop that the kernel may run, if it is the kernel that does not end. */
bool locate_kernel_loop(const struct locator *locator, struct location *out_location)
{
    struct file_token kernel;
    struct file_token loop;

    if (!find_kernel(locator, &kernel) || function_named_at(kernel) == NULL ||
        names_another_kernel(locator)) {
        return false;
    }
    const struct source_function *function = function_named_at(kernel);
    if (device_loops(locator, function, &loop) == 1) {
        return location_set(out_location, loop,
                            source_function_at(&loop.file->functions, loop.token) == function
                                ? "the only outer loop in the kernel"
                                : "the only outer loop in device code");
    }
    return locate_kernel(locator, out_location);
}
