/* related_locations.c: see related_locations.h. */
#include "diagnosis/location/related_locations.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "diagnosis/location/locators.h"

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
    }
    marks[cause->also_count++] = mark;
    cause->also = marks;
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
        if (operand->role != OPERAND_OUTPUT || operand->rank != 2) {
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

static void mark_grid(const struct criteria_input *input, struct arena *arena,
                      const struct rubric_launch *launch, const struct covered *covered,
                      struct cause *cause)
{
    const struct launch_geometry *geometry = &covered->observation->geometry;
    struct program_source source;
    struct source_launch found;
    struct file_token file_token;

    program_source_read(input, arena, launch->program, &source);
    if (find_launches(&source, kernel_name(input, launch), &found, &file_token) != 1 ||
        found.arguments[LAUNCH_GRID].end <= found.arguments[LAUNCH_GRID].first) {
        return;
    }
    file_token = find_value(file_token.file, found.arguments[LAUNCH_GRID]);
    const struct source_token *token = &file_token.file->tokens.tokens[file_token.token];
    add_mark(arena, cause,
             (struct cause_mark){
                 .file = file_token.file->tokens.file->name,
                 .line = token->line,
                 .column = token->column,
                 .label = arena_printf(arena,
                                       "%" PRIu64 " threads in x and %" PRIu64
                                       " in y, for %zu columns and %zu rows of %s",
                                       threads_along(geometry, 0), threads_along(geometry, 1),
                                       covered->columns, covered->rows, covered->output->name),
             });
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
            mark_grid(input, arena, launch, &covered, cause);
            return;
        }
    }
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

void related_locations(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct cause *cause = &verdict->cause;

    if (!criterion->has_launch || cause->line == 0 || input->source_count == 0) {
        return;
    }
    if (cause->code == CODE_GLOBAL_OUT_OF_BOUNDS) {
        look_at_grid(input, arena, criterion, cause);
    } else if (cause->code == CODE_NULL_POINTER) {
        look_at_warnings(input, arena, input->rubric->launches[criterion->launch].program, cause);
    }
}
