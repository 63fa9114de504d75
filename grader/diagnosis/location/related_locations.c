/* related_locations.c: see related_locations.h. */
#include "diagnosis/location/related_locations.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "diagnosis/hints/finding_hint.h"
#include "diagnosis/location/index_origin.h"
#include "diagnosis/location/locators.h"
#include "diagnosis/location/no_number.h"
#include "diagnosis/location/passed_pointers.h"
#include "diagnosis/location/race_explanation.h"
#include "source/enclosing_loop.h"
#include "source/printf_format.h"
#include "source/thread_value.h"

#include <inttypes.h>
#include <string.h>

static void add_mark(struct arena *arena, struct cause *cause, struct cause_mark mark)
{
    struct cause_mark *marks = arena_array(arena, cause->also_count + 1, sizeof *marks);

    if (mark.line == cause->line && strcmp(mark.file, cause->file) == 0) {
        return;
    }
    for (size_t i = 0; i < cause->also_count; i++) {
        marks[i] = cause->also[i];
        if (marks[i].line == mark.line && strcmp(marks[i].file, mark.file) == 0) {
            return; /* what is there says more */
        }
    }
    marks[cause->also_count++] = mark;
    cause->also = marks;
}

static void mark_token(struct arena *arena, const struct source_tokens *tokens, size_t at,
                       const char *label, struct cause *cause)
{
    const struct source_token *token = &tokens->tokens[at];
    const struct cause_mark mark = {
        .file = tokens->file->name, .line = token->line, .column = token->column, .label = label};

    if (mark.line == cause->line && strcmp(mark.file, cause->file) == 0) {
        cause->column = mark.column;
        cause->label = label;
    }
    add_mark(arena, cause, mark);
}

/* A grid that is too large **********************************************************************/

/* The launch of a case, and the matrix that it writes. */
struct covered {
    const struct observation *observation;
    const struct rubric_operand *output;
    size_t rows, columns;
};

/* False if the launch has no output with rows and columns. */
static bool covered_init(const struct criteria_input *input, const struct rubric_launch *launch,
                         const struct observation *observation, struct covered *out)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        if (!operand_is_result(operand) || operand->rank != 2) {
            continue;
        }
        *out = (struct covered){
            .observation = observation,
            .output = operand,
            .rows = operand_extent(input, operand->shape[0], observation),
            .columns = operand_extent(input, operand->shape[1], observation),
        };
        return out->rows > 0 && out->columns > 0;
    }
    return false;
}

static uint64_t threads_along(const struct launch_geometry *geometry, size_t axis)
{
    return (uint64_t)geometry->grid[axis] * geometry->block[axis];
}

/* True if there are more threads than elements, and that block is one too many. */
static bool is_beyond(const struct covered *covered, const uint32_t block[3])
{
    const struct launch_geometry *geometry = &covered->observation->geometry;
    const uint64_t across = threads_along(geometry, 0);
    const uint64_t down = threads_along(geometry, 1);

    return across <= UINT32_MAX && down <= UINT32_MAX &&
           across * down > (uint64_t)covered->rows * covered->columns &&
           ((uint64_t)block[0] * geometry->block[0] >= covered->columns ||
            (uint64_t)block[1] * geometry->block[1] >= covered->rows);
}

/* True if one of the findings that the cause is about is an access of such a block. */
static bool shows_beyond(const struct covered *covered, const struct cause *cause)
{
    for (size_t i = 0; i < covered->observation->sample_count; i++) {
        const struct sample *sample = &covered->observation->samples[i];
        for (size_t j = 0; j < sample->finding_count; j++) {
            const struct finding *finding = &sample->findings[j];
            const struct place *place = &finding->places[finding->main_place];
            if (finding->code == cause->code && finding->place_count > 0 && place->has_thread &&
                place->line == cause->line && strcmp(place->file, cause->file) == 0 &&
                is_beyond(covered, place->block)) {
                return true;
            }
        }
    }
    return false;
}

/* Where the only launch of a kernel gets its grid or its block; false if there is no such place. */
static bool find_argument(const struct program_source *source, const char *kernel, int argument,
                          const char *label, struct cause_mark *out_mark)
{
    struct source_launch found;
    struct file_token file_token;

    if (find_launches(source, kernel, &found, &file_token) != 1 ||
        found.arguments[argument].end <= found.arguments[argument].first) {
        return false;
    }
    file_token = find_value(file_token.file, found.arguments[argument]);
    const struct source_token *token = &file_token.file->tokens.tokens[file_token.token];
    *out_mark = (struct cause_mark){
        .file = file_token.file->tokens.file->name,
        .line = token->line,
        .column = token->column,
        .label = label,
    };
    return true;
}

static void mark_argument(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_launch *launch, const char *kernel, int argument,
                          const char *label, struct cause *cause)
{
    struct program_source source;
    struct cause_mark mark;

    program_source_read(input, arena, launch->program, &source);
    if (find_argument(&source, kernel, argument, label, &mark)) {
        add_mark(arena, cause, mark);
    }
}

static void mark_grid(const struct criteria_input *input, struct arena *arena,
                      const struct rubric_launch *launch, const char *kernel,
                      const struct covered *covered, struct cause *cause)
{
    const struct launch_geometry *geometry = &covered->observation->geometry;
    const char *label = arena_printf(
        arena, "%" PRIu64 " threads in x and %" PRIu64 " in y, for %zu columns and %zu rows of %s",
        threads_along(geometry, 0), threads_along(geometry, 1), covered->columns, covered->rows,
        covered->output->name);

    mark_argument(input, arena, launch, kernel, LAUNCH_GRID, label, cause);
}

static void look_at_grid(const struct criteria_input *input, struct arena *arena,
                         const struct rubric_criterion *criterion, struct cause *cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    struct covered covered;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->launched && !observation_is_hidden(input, observation) &&
            covered_init(input, launch, observation, &covered) && shows_beyond(&covered, cause)) {
            mark_grid(input, arena, launch, kernel_name(input, launch), &covered, cause);
            return;
        }
    }
}

/* A grid that was rounded down *******************************************************************/

/* True if whole blocks fit along an axis, and leave a rest that none of them covers. */
static bool is_rounded_down(uint64_t threads, uint32_t block, size_t elements)
{
    return block > 1 && threads < elements && elements - threads < block;
}

/* How many axes of a call's only kernel were rounded down, of those that have a thread for each row
 * or column; 0 if some axis is covered in another way, or x goes along the columns' other axis. */
static int axes_rounded_down(const struct covered *covered)
{
    const struct launch_geometry *at = &covered->observation->geometry;
    const uint64_t across = threads_along(at, 0);
    const uint64_t down = threads_along(at, 1);
    const bool is_short = is_rounded_down(across, at->block[0], covered->columns);
    const bool is_low = is_rounded_down(down, at->block[1], covered->rows);
    const bool is_exchanged = across >= covered->rows && down >= covered->columns;
    const bool is_known = !is_exchanged && (is_short || across >= covered->columns) &&
                          (is_low || down >= covered->rows);

    return is_known ? is_short + is_low : 0;
}

/* True if blocks of that width and height fill the output, and none of them is outside. */
static bool is_filled(const struct covered *covered, const uint32_t grid[2],
                      const uint32_t block[2])
{
    const size_t elements[2] = {covered->columns, covered->rows};

    for (size_t axis = 0; axis < 2; axis++) {
        const uint64_t threads = (uint64_t)grid[axis] * block[axis];
        if (threads < elements[axis] || threads - elements[axis] >= block[axis]) {
            return false;
        }
    }
    return true;
}

/* How a grid would fill the output: with width and height of its blocks exchanged, and not as it
 * is, nor with its own two numbers exchanged. */
enum exchange { EXCHANGE_NO, EXCHANGE_PERHAPS, EXCHANGE_SURE };

static enum exchange exchange_of(const struct covered *covered)
{
    const struct launch_geometry *at = &covered->observation->geometry;
    const uint32_t grid[2] = {at->grid[1], at->grid[0]};
    const uint32_t block[2] = {at->block[1], at->block[0]};

    if (!is_filled(covered, at->grid, block)) {
        return EXCHANGE_NO;
    }
    return is_filled(covered, at->grid, at->block) || is_filled(covered, grid, at->block)
               ? EXCHANGE_PERHAPS
               : EXCHANGE_SURE;
}

/* The launches of a call with one kernel, in all visible shapes. */
struct covers {
    struct covered rounded; /* the one with the most axes that are rounded down */
    int axes;               /* of it */
    struct covered exchanged;
    bool is_exchanged; /* there is one whose blocks are, and none whose blocks are not */
};

static void look_at_covers(const struct criteria_input *input, const struct rubric_launch *launch,
                           const struct launch_run *run, struct covers *out)
{
    bool is_other = false;

    for (size_t i = 0; i < run->observation_count && launch->call != NULL; i++) {
        const struct observation *observation = &run->observations[i];
        struct covered covered;
        if (!observation->launched || observation_is_hidden(input, observation) ||
            observation->sample_count == 0 || observation->samples[0].kernel_count != 1 ||
            !covered_init(input, launch, observation, &covered)) {
            continue;
        }
        const enum exchange exchange = exchange_of(&covered);
        const int axes = axes_rounded_down(&covered);
        is_other = is_other || exchange == EXCHANGE_NO;
        out->exchanged = exchange == EXCHANGE_SURE ? covered : out->exchanged;
        out->rounded = axes > out->axes ? covered : out->rounded;
        out->axes = axes > out->axes ? axes : out->axes;
    }
    out->is_exchanged = !is_other && out->exchanged.observation != NULL;
}

/* Which blocks a kernel is made for, by what it multiplies blockIdx with. */
enum made_for {
    MADE_FOR_UNKNOWN,
    MADE_FOR_BLOCKS,    /* those that it gets */
    MADE_FOR_EXCHANGED, /* with width and height exchanged */
    MADE_FOR_ANY,       /* it asks blockDim, and has no array in shared memory */
};

/* True if `blockIdx.AXIS` at a token is a factor of a name or a number: that token. */
static bool find_factor(const struct source_tokens *tokens, size_t at, size_t *out_factor)
{
    const bool is_left = token_is(tokens, at + 3, TOKEN_SIGN, "*");
    const size_t factor = is_left ? at + 4 : at - 2;

    *out_factor = factor;
    return token_is(tokens, at + 1, TOKEN_SIGN, ".") &&
           (is_left || token_is(tokens, at - 1, TOKEN_SIGN, "*")) && factor < tokens->count &&
           (tokens->tokens[factor].kind == TOKEN_NAME ||
            tokens->tokens[factor].kind == TOKEN_NUMBER);
}

static enum made_for blocks_of_kernel(const struct criteria_input *input, struct arena *arena,
                                      const struct rubric_launch *launch,
                                      const struct program_source *source, const char *kernel,
                                      const uint32_t block[2])
{
    struct file_token name;
    const struct source_function *function =
        find_definitions(source, kernel, &name) == 1 ? function_named_at(name) : NULL;
    size_t as_they_are = 0, exchanged = 0, asked = 0, factor;
    bool has_array = false;

    if (function == NULL) {
        return MADE_FOR_UNKNOWN;
    }
    const struct source_tokens *tokens = &name.file->tokens;
    struct value_scene scene = {
        .arena = arena,
        .source = source,
        .program = &input->rubric->programs[launch->program],
        .search = {.tokens = tokens, .function = function, .steps = VALUE_STEPS},
    };
    for (size_t i = function->open; i < function->close; i++) {
        const size_t axis = token_is(tokens, i + 2, TOKEN_NAME, "x")   ? 0
                            : token_is(tokens, i + 2, TOKEN_NAME, "y") ? 1
                                                                       : 2;
        int64_t value;
        has_array = has_array || token_is(tokens, i, TOKEN_NAME, "__shared__");
        asked += token_is(tokens, i, TOKEN_NAME, "blockDim");
        if (axis < 2 && token_is(tokens, i, TOKEN_NAME, "blockIdx") &&
            find_factor(tokens, i, &factor) &&
            thread_value(&scene, (struct token_range){factor, factor + 1}, &value)) {
            as_they_are += value == block[axis];
            exchanged += value == block[1 - axis];
        }
    }
    if ((as_they_are > 0) != (exchanged > 0)) {
        return as_they_are > 0 ? MADE_FOR_BLOCKS : MADE_FOR_EXCHANGED;
    }
    return as_they_are == 0 && asked > 0 && !has_array ? MADE_FOR_ANY : MADE_FOR_UNKNOWN;
}

/* Says which of grid and block has its two numbers exchanged, and moves the cause there; marks
 * both where that is not certain. */
static void explain_exchange(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_launch *launch, const char *kernel,
                             const uint32_t block[2], struct cause *cause)
{
    const char *fits = arena_printf(
        arena, "fits blocks of %" PRIu32 " columns and %" PRIu32 " rows", block[1], block[0]);
    const char *has = arena_printf(arena, "blocks of %" PRIu32 " columns and %" PRIu32 " rows",
                                   block[0], block[1]);
    struct program_source source;
    struct cause_mark grid, blocks;

    program_source_read(input, arena, launch->program, &source);
    const enum made_for made_for = blocks_of_kernel(input, arena, launch, &source, kernel, block);
    const bool is_grid = made_for == MADE_FOR_BLOCKS;
    cause->hint = arena_printf(
        arena,
        is_grid ? "`%s` is made for %s, but the grid %s: exchange the two numbers that it is "
                  "divided by, whose first one is along x"
        : made_for == MADE_FOR_UNKNOWN
            ? "a launch of `%s` has %s, but its grid %s: exchange the two numbers of the grid's "
              "divisors or of the block, as the kernel needs it; the first one is along x"
            : "a launch of `%s` has %s, but its grid %s: exchange the two numbers of the block, "
              "whose first one is along x",
        kernel, has, fits);
    if (!find_argument(&source, kernel, LAUNCH_GRID, arena_printf(arena, "the grid %s", fits),
                       &grid) ||
        !find_argument(&source, kernel, LAUNCH_BLOCK, has, &blocks)) {
        return;
    }
    if (made_for == MADE_FOR_UNKNOWN) {
        add_mark(arena, cause, grid);
        add_mark(arena, cause, blocks);
        return;
    }
    const struct cause_mark *main = is_grid ? &grid : &blocks;
    cause->file = main->file;
    cause->line = main->line;
    cause->column = main->column;
    cause->label = main->label;
    cause->mark_end = 0;
    cause->is_last_store = false;
    cause->lacks.kind = ELEMENT_NONE;
    add_mark(arena, cause, is_grid ? blocks : grid);
}

/* True if the launch explains the cause. */
static bool look_at_rounding(const struct criteria_input *input, struct arena *arena,
                             const struct rubric_criterion *criterion, struct cause *cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    struct covers covers = {0};

    look_at_covers(input, launch, &input->evidence->launch_runs[criterion->launch], &covers);
    const struct covered *found = covers.is_exchanged ? &covers.exchanged : &covers.rounded;
    if (found->observation == NULL) {
        return false;
    }
    const char *kernel = found->observation->samples[0].kernels[0].plain_name;
    if (covers.is_exchanged) {
        explain_exchange(input, arena, launch, kernel, found->observation->geometry.block, cause);
        return true;
    }
    mark_grid(input, arena, launch, kernel, found, cause);
    cause->hint = "the grid leaves the last rows or columns without a thread: round the number of "
                  "blocks up";
    return false;
}

/* Launches that do the same again ****************************************************************/

/* The only kernel of a visible call that launches it again and again, without copies and sets
 * that may go between the launches; NULL: there is none. */
static const char *repeated_kernel(const struct criteria_input *input, const struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        const struct sample *sample = observation->samples;
        if (observation->launched && !observation_is_hidden(input, observation) &&
            observation->sample_count > 0 && sample->kernel_count == 1 &&
            sample->kernels[0].launches > 1 && sample->call.copies == 0 && sample->call.sets == 0 &&
            sample->call.host_writes == 0) {
            return sample->kernels[0].plain_name;
        }
    }
    return NULL;
}

static void look_at_rounds_of_launches(const struct criteria_input *input, struct arena *arena,
                                       const struct rubric_criterion *criterion,
                                       struct cause *cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];
    const char *kernel =
        launch->call == NULL || cause->subject.kind != SUBJECT_RESULT
            ? NULL
            : repeated_kernel(input, &input->evidence->launch_runs[criterion->launch]);
    struct program_source source;
    struct file_token at;
    const char *label;

    program_source_read(input, arena, launch->program, &source);
    if (kernel == NULL || !find_repeated_launch(arena, &source, kernel, &at, &label)) {
        return;
    }
    mark_token(arena, &at.file->tokens, at.token, label, cause);
    cause->hint = arena_printf(arena,
                               "%s, so each launch of `%s` does the same again: let it read what "
                               "the one before has written",
                               label, kernel);
}

/* A variable of the device that host code writes ************************************************/

/* True if a line of the source names a variable that a warning quotes. */
static bool line_names(const struct program_source *source, const struct cause *cause,
                       const char *quoted)
{
    const char *end = quoted == NULL ? NULL : strchr(quoted + 1, '"');
    const size_t length = end == NULL ? 0 : (size_t)(end - quoted - 1);

    for (size_t i = 0; i < source->count && length > 0; i++) {
        const struct source_tokens *tokens = &source->files[i].tokens;
        for (size_t j = 0; j < tokens->count && strcmp(tokens->file->name, cause->file) == 0; j++) {
            const struct source_token *token = &tokens->tokens[j];
            if (token->line == cause->line && token->kind == TOKEN_NAME &&
                token->length == length && memcmp(token->text, quoted + 1, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void look_at_warnings(const struct criteria_input *input, struct arena *arena,
                             size_t program, struct cause *cause)
{
    const struct program_build *build = &input->evidence->builds[program];
    struct program_source source;

    program_source_read(input, arena, program, &source);
    for (size_t i = 0; i < build->message_count; i++) {
        const struct tool_message *message = &build->messages[i];
        if (!message->is_error && message->line > 0 &&
            strstr(message->message, "cannot be directly written in a host function") != NULL &&
            line_names(&source, cause, strchr(message->message, '"'))) {
            add_mark(arena, cause,
                     (struct cause_mark){
                         .file = message->file,
                         .line = message->line,
                         .column = message->column,
                         .label = "host code writes its own copy, which no kernel sees",
                     });
            return;
        }
    }
}

/* A copy to or from a variable of the device, whose name host code may not use as a pointer: where
 * it is declared. */
static void look_at_symbols(struct arena *arena, const struct program_source *source,
                            const struct source_tokens *tokens, struct cause *cause)
{
    enum { WORDS_BEFORE = 8 };

    for (size_t i = source_line_start(tokens, cause->line);
         i < tokens->count && tokens->tokens[i].line == cause->line; i++) {
        const struct source_token *token = &tokens->tokens[i];
        struct file_token declared;
        if (token->kind != TOKEN_NAME ||
            find_declarations(source, arena_strndup(arena, token->text, token->length),
                              &declared) != 1) {
            continue;
        }
        const struct source_tokens *there = &declared.file->tokens;
        for (size_t j = declared.token;
             j > 0 && j + WORDS_BEFORE > declared.token && !token_is(there, j - 1, TOKEN_SIGN, ";");
             j--) {
            if (token_is(there, j - 1, TOKEN_NAME, "__constant__") ||
                token_is(there, j - 1, TOKEN_NAME, "__device__")) {
                const struct source_token *at = &there->tokens[declared.token];
                add_mark(arena, cause,
                         (struct cause_mark){there->file->name, at->line, at->column,
                                             "a variable of the device, no pointer to its memory"});
                cause->hint = "copy to such a variable by its name, with cudaMemcpyToSymbol(), or "
                              "from it with cudaMemcpyFromSymbol()";
                return;
            }
        }
    }
}

/* Loops, barriers and parts of dynamic memory, by the text of the source ************************/

/* The file of a cause; NULL if it is none of the program's. */
static const struct program_file *file_of(const struct program_source *source, const char *name)
{
    for (size_t i = 0; i < source->count; i++) {
        if (strcmp(source->files[i].tokens.file->name, name) == 0) {
            return &source->files[i];
        }
    }
    return NULL;
}

static const char *name_at(struct arena *arena, const struct source_tokens *tokens, size_t at)
{
    return arena_printf(arena, "%.*s", (int)tokens->tokens[at].length, tokens->tokens[at].text);
}

/* Tokens [first, end) with blanks where the source has any; "..." after the first few. */
static const char *text_of(struct arena *arena, const struct source_tokens *tokens, size_t first,
                           size_t end)
{
    enum { TOKENS_SHOWN = 16 };
    const char *text = "";

    for (size_t i = first; i < end && i < first + TOKENS_SHOWN; i++) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_apart = i > first && token->text != token[-1].text + token[-1].length;
        text = arena_printf(arena, "%s%s%.*s", text, is_apart ? " " : "", (int)token->length,
                            token->text);
    }
    return end > first + TOKENS_SHOWN ? arena_printf(arena, "%s ...", text) : text;
}

/* What a loop that does not end should change. */
static void look_at_loop(struct arena *arena, const struct source_tokens *tokens,
                         struct cause *cause)
{
    struct source_loop loop;
    size_t names[LOOP_NAMES_MAX];
    const char *list = "";

    if (!find_loop_at(tokens, cause->line, &loop)) {
        return;
    }
    size_t count = loop_unchanged_names(tokens, &loop, names);
    for (size_t i = 0; i < count; i++) {
        list = arena_printf(arena, "%s%s`%s`", list, i == 0 ? "" : " or ",
                            name_at(arena, tokens, names[i]));
    }
    if (count > 0) {
        mark_token(arena, tokens, loop.keyword,
                   arena_printf(arena, "nothing in this loop changes %s", list), cause);
        cause->hint = arena_printf(arena, "change %s in each round of the loop", list);
    } else if (cause->code == CODE_LAUNCH_DEADLINE &&
               tokens->tokens[loop.keyword].line != cause->line) {
        mark_token(arena, tokens, loop.keyword, "this loop", cause);
    }
}

/* A barrier that a condition keeps from running, between the accesses of a race. Whether one of
 * them belongs to the next iteration is not known then. */
static void look_at_barriers(struct arena *arena, const struct source_tokens *tokens,
                             const struct finding *finding, struct cause *cause)
{
    struct conditional_barrier found;

    if (finding == NULL || finding->place_count != 2 || finding->places[0].line == 0 ||
        strcmp(finding->places[0].file, finding->places[1].file) != 0) {
        return;
    }
    const int one = finding->places[0].line;
    const int other = finding->places[1].line;
    const struct line_span accesses = {one < other ? one : other, one < other ? other : one};
    if (!find_conditional_barrier(tokens, accesses, &found)) {
        return;
    }
    const char *condition = text_of(arena, tokens, found.first, found.end);
    mark_token(arena, tokens, found.barrier,
               arena_printf(arena, "this barrier runs only if `%s`", condition), cause);
    cause->label = finding_is_of_next_round(finding) ? "written by another thread" : cause->label;
    cause->hint = "all threads of a block must reach the barrier each time: take it out of its "
                  "condition";
}

/* A barrier in a loop, in no condition inside of it, at which some threads wait while others are
 * past the loop: they went through it less often. */
static void look_at_rounds(struct arena *arena, const struct source_tokens *tokens,
                           const struct finding *finding, struct cause *cause)
{
    struct source_loop loop;

    if (finding == NULL || finding->place_count != 2 || finding->places[0].line == 0 ||
        strcmp(finding->places[0].file, finding->places[1].file) != 0 ||
        !find_loop_at(tokens, cause->line, &loop)) {
        return;
    }
    const struct place *other = &finding->places[finding->main_place == 0 ? 1 : 0];
    const struct source_token *last = &tokens->tokens[loop.end - 1];
    for (size_t i = loop.close; i < loop.end && tokens->tokens[i].line <= cause->line; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "if") || token_is(tokens, i, TOKEN_NAME, "switch")) {
            return;
        }
    }
    if (other->line > last->line && tokens->tokens[loop.keyword].line < cause->line) {
        mark_token(arena, tokens, loop.keyword, "some threads go through this loop less often",
                   cause);
        cause->hint = "let all threads of the block go through the loop equally often, or move "
                      "__syncthreads() out of the loop";
    }
}

/* The name in a line that its function makes a pointer into `array`, once and for all threads:
 * where that is set. */
static size_t part_in_line(const struct program_file *file, int line, const char *array)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function =
        source_function_of_line(tokens, &file->functions, line);
    size_t found = tokens->count;

    for (size_t i = function != NULL ? function->open : tokens->count;
         i + 1 < tokens->count && i < function->close; i++) {
        bool is_set = tokens->tokens[i].kind == TOKEN_NAME &&
                      token_is(tokens, i + 1, TOKEN_SIGN, "=") && line_has_name(tokens, line, i);
        const struct token_range value = {i + 2, source_statement_end(tokens, i)};
        bool is_part = false;
        for (size_t j = value.first; j < value.end && is_set; j++) {
            bool is_element = token_is(tokens, j + 1, TOKEN_SIGN, "[") &&
                              !token_is(tokens, j - 1, TOKEN_SIGN, "&");
            is_part = is_part || (token_is(tokens, j, TOKEN_NAME, array) && !is_element);
        }
        bool is_again = is_set && found < tokens->count && token_same_name(tokens, i, found);
        bool is_other = is_part && found < tokens->count;
        if (is_again || is_other || (is_part && depends_on_thread(tokens, value))) {
            return tokens->count;
        }
        found = is_part && tokens->tokens[i].line < line ? i : found;
    }
    return found;
}

/* Two pointers into one dynamic array, through which threads meet: the parts overlap. */
static void look_at_parts(struct arena *arena, const struct program_file *file,
                          const struct finding *finding, struct cause *cause)
{
    const struct source_tokens *tokens = &file->tokens;

    if (finding == NULL || finding->place_count != 2 || finding->object == NULL ||
        finding->object_is_static ||
        strcmp(finding->places[0].file, finding->places[1].file) != 0) {
        return;
    }
    size_t one = part_in_line(file, finding->places[0].line, finding->object);
    size_t other = part_in_line(file, finding->places[1].line, finding->object);
    if (one == tokens->count || other == tokens->count || one == other) {
        return;
    }
    size_t later = one > other ? one : other;
    const char *first = name_at(arena, tokens, one > other ? other : one);
    const char *second = name_at(arena, tokens, later);
    mark_token(arena, tokens, later,
               arena_printf(arena, "`%s` starts before `%s` ends", second, first), cause);
    cause->hint = arena_printf(arena,
                               "the two parts of `%s` overlap: let `%s` start after all elements "
                               "of `%s`, padding included",
                               finding->object, second, first);
}

/* A printf that prints something else than it is given, at the line of a printout. */
static void look_at_printf(struct arena *arena, const struct source_tokens *tokens,
                           struct cause *cause)
{
    struct printf_mistake mistake;

    for (size_t i = source_line_start(tokens, cause->line);
         i < tokens->count && tokens->tokens[i].line == cause->line; i++) {
        const struct source_token *token = &tokens->tokens[i];
        if (token->kind == TOKEN_STRING && token->column == cause->column &&
            printf_mistake_find(arena, tokens, i, &mistake)) {
            cause->label = mistake.label;
            cause->hint = mistake.hint;
        }
    }
}

/* True if the function around a line has a variable of a type of one byte with a sign. */
static bool has_signed_bytes(const struct program_file *file, int line)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function =
        source_function_of_line(tokens, &file->functions, line);

    for (size_t i = function == NULL ? 0 : function->start; function != NULL && i < function->close;
         i++) {
        if ((token_is(tokens, i, TOKEN_NAME, "char") &&
             !(i > 0 && token_is(tokens, i - 1, TOKEN_NAME, "unsigned"))) ||
            token_is(tokens, i, TOKEN_NAME, "int8_t")) {
            return true;
        }
    }
    return false;
}

/* An index below zero may come from the sign of a byte. */
static void look_at_sign(struct arena *arena, const struct program_file *file,
                         const struct finding *finding, struct cause *cause)
{
    if (finding != NULL && finding_is_before_start(finding) && cause->hint != NULL &&
        strcmp(cause->hint, finding_hint(finding)) == 0 && has_signed_bytes(file, cause->line)) {
        cause->hint =
            arena_printf(arena,
                         "%s, and whether it comes from a signed type, such as char, whose values "
                         "from 128 on are negative",
                         cause->hint);
    }
}

/* Where the index of an access comes from; what is marked already says more. */
static void look_at_index(const struct criteria_input *input, struct arena *arena, size_t launch,
                          const struct program_source *source, const struct program_file *file,
                          const struct finding *finding, struct cause *cause)
{
    struct index_origin origin;

    look_at_sign(arena, file, finding, cause);
    index_origin_find(input, arena, launch, source, file, finding, cause, &origin);
    if (origin.access != NULL && (cause->label == NULL || cause->label[0] == '\0')) {
        cause->column = origin.column;
        cause->mark_end = origin.end;
        cause->label = origin.access;
    }
    for (size_t i = 0; i < origin.mark_count && cause->also_count < origin.mark_max; i++) {
        add_mark(arena, cause, origin.marks[i]);
    }
    cause->hint = origin.hint != NULL ? origin.hint : cause->hint;
    const bool has_grid = origin.grid != NULL;
    if (has_grid || origin.block != NULL) {
        mark_argument(input, arena, &input->rubric->launches[launch], origin.kernel,
                      has_grid ? LAUNCH_GRID : LAUNCH_BLOCK, has_grid ? origin.grid : origin.block,
                      cause);
    }
}

static bool look_at_loaded_index(struct arena *arena, const struct program_source *source,
                                 const struct program_file *file, const struct finding *finding,
                                 struct cause *cause)
{
    struct passed_marks marks;
    const bool is_loaded = explain_loaded_index(arena, source, file, finding, cause, &marks);

    for (size_t i = 0; i < marks.count && is_loaded; i++) {
        add_mark(arena, cause, marks.items[i]);
    }
    return is_loaded;
}

static void look_at_source(const struct criteria_input *input, struct arena *arena, size_t launch,
                           struct cause *cause)
{
    const size_t program = input->rubric->launches[launch].program;
    const struct finding *finding = cause->reason != NULL ? cause->reason
                                    : cause->subject.kind == SUBJECT_FINDING
                                        ? cause->subject.finding
                                        : NULL;
    const enum code code = finding != NULL ? finding->code : cause->code;
    struct program_source source;
    struct cause_mark mark;

    program_source_read(input, arena, program, &source);
    const struct program_file *file = file_of(&source, cause->file);
    if (file == NULL || !file->functions.is_certain) {
        return;
    }
    switch (code) {
    case CODE_LAUNCH_DEADLINE:
    case CODE_CPU_DEADLINE:
    case CODE_PROGRAM_DEADLINE:
        look_at_loop(arena, &file->tokens, cause);
        break;
    case CODE_GLOBAL_OUT_OF_BOUNDS:
        if (look_at_loaded_index(arena, &source, file, finding, cause)) {
            return;
        }
        break;
    case CODE_WARP_RACE:
    case CODE_GLOBAL_RACE:
        race_explain(arena, &file->tokens, finding, cause);
        explain_overlap(arena, file, finding, cause);
        break;
    case CODE_SHARED_RACE:
        race_explain(arena, &file->tokens, finding, cause);
        look_at_barriers(arena, &file->tokens, finding, cause);
        look_at_parts(arena, file, finding, cause);
        break;
    case CODE_BARRIER_DIVERGENT:
    case CODE_BARRIER_MISMATCH:
        look_at_rounds(arena, &file->tokens, finding, cause);
        break;
    case CODE_NOT_A_NUMBER:
        if (explain_no_number(arena, &source, cause, &mark)) {
            add_mark(arena, cause, mark);
        }
        break;
    case CODE_API_ERROR:
        look_at_symbols(arena, &source, &file->tokens, cause);
        break;
    case CODE_PRINTOUT_MALFORMED:
    case CODE_PRINTOUT_WRONG:
        look_at_printf(arena, &file->tokens, cause);
        break;
    default:
        break;
    }
    look_at_index(input, arena, launch, &source, file, finding, cause);
}

/* A function that calls itself until the program crashes: what else is wrong follows from that.
 * False if there is none. */
static bool look_at_recursion(const struct criteria_input *input, struct arena *arena,
                              const struct rubric_criterion *criterion, struct cause *cause)
{
    const struct host_place *place =
        &input->evidence->launch_runs[criterion->launch].activity.recursion;
    struct program_source source;

    program_source_read(input, arena, input->rubric->launches[criterion->launch].program, &source);
    const struct program_file *file = place->line > 0 ? file_of(&source, place->file) : NULL;
    if (file == NULL || !file->functions.is_certain) {
        return false;
    }
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function =
        source_function_of_line(tokens, &file->functions, place->line);
    for (size_t i = source_line_start(tokens, place->line);
         function != NULL && i < tokens->count && tokens->tokens[i].line == place->line; i++) {
        if (i <= function->open || !token_same_name(tokens, i, function->name)) {
            continue;
        }
        const struct source_token *token = &tokens->tokens[i];
        const char *name = arena_strndup(arena, token->text, token->length);
        const struct cause_mark mark = {
            tokens->file->name, token->line, token->column,
            arena_printf(arena, "`%s` calls itself here until the program crashes", name)};
        if (cause->line == 0 || cause->code == CODE_SIGNAL) {
            cause->file = mark.file;
            cause->line = mark.line;
            cause->column = mark.column;
            cause->label = mark.label;
        }
        cause->also_count = 0;
        add_mark(arena, cause, mark);
        cause->hint = arena_printf(arena,
                                   "`%s` does not stop calling itself: check the arguments of the "
                                   "call in line %d, and the condition in front of it",
                                   name, token->line);
        return true;
    }
    return false;
}

void related_locations(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct cause *cause = &verdict->cause;

    if (!criterion->has_launch || cause->code == CODE_NONE || input->source_count == 0 ||
        look_at_recursion(input, arena, criterion, cause) || cause->line == 0) {
        return;
    }
    if (cause->code == CODE_GLOBAL_OUT_OF_BOUNDS) {
        look_at_grid(input, arena, criterion, cause);
    } else if (cause->code == CODE_UNINITIALISED_GLOBAL || cause->code == CODE_NOT_A_NUMBER ||
               cause->code == CODE_NOT_WRITTEN) {
        if (look_at_rounding(input, arena, criterion, cause)) {
            return;
        }
    } else if (cause->code == CODE_NAMED_MISTAKE || cause->code == CODE_MISMATCH) {
        look_at_rounds_of_launches(input, arena, criterion, cause);
    } else if (cause->code == CODE_NULL_POINTER) {
        look_at_warnings(input, arena, input->rubric->launches[criterion->launch].program, cause);
    }
    look_at_source(input, arena, criterion->launch, cause);
}
