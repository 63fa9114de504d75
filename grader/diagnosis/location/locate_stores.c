/* locate_stores.c: see locators.h.
 *
 * What a launch stores is counted for each operand and for each line, but not for both. A line
 * whose stores cost what those to the input do is the one, if it is alone. Else the source may
 * tell: a line that stores, and that assigns to the input by the name of its symbol or of its
 * parameter.
 */
#include "diagnosis/location/locators.h"

#include "criteria/case_text.h"
#include "criteria/kernel_name.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/patterns/moved_pattern.h"
#include "model/measure.h"

#include <string.h>

/* True if a line stores to global memory; if `sum` is not NULL, what that costs. */
static bool line_stores(const struct line_count *line, const struct access_sum *sum)
{
    return line->space == COUNT_GLOBAL && line->access == COUNT_WRITE && line->line > 0 &&
           (sum == NULL || (line->sum.bytes == sum->bytes && line->sum.sectors == sum->sectors));
}

/* The only line whose stores cost what those to an input do. */
static const struct line_count *line_that_stores(const struct launch_counts *counts,
                                                 const struct access_sum *sum)
{
    const struct line_count *found = NULL;

    for (size_t i = 0; i < counts->line_count; i++) {
        if (!line_stores(&counts->lines[i], sum)) {
            continue;
        }
        if (found != NULL) {
            return NULL;
        }
        found = &counts->lines[i];
    }
    return found;
}

/* The name of the n-th parameter of a function; NULL if it has none. */
static const struct source_token *parameter_name(const struct program_file *file,
                                                 const struct source_function *function,
                                                 uint32_t index)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_token *name = NULL;
    uint32_t at = 0;
    size_t end = token_close(tokens, function->name + 1);

    for (size_t i = function->name + 2; i + 1 < end && at <= index; i++) {
        if (token_is(tokens, i, TOKEN_SIGN, ",")) {
            at++;
        } else if (token_is(tokens, i, TOKEN_SIGN, "<") || token_is(tokens, i, TOKEN_SIGN, "(")) {
            return NULL;
        } else if (at == index && tokens->tokens[i].kind == TOKEN_NAME) {
            name = &tokens->tokens[i];
        }
    }
    return name;
}

/* What the kernel calls an operand; NULL if it is not known. */
static const char *name_of_operand(const struct locator *locator,
                                   const struct rubric_operand *operand)
{
    const struct source_token *name = NULL;
    struct file_token file_token;

    if (operand->bind.is_symbol) {
        return operand->bind.symbol;
    }
    if (find_definitions(&locator->source, kernel_name(locator->input, locator->launch),
                         &file_token) == 1 &&
        function_named_at(file_token) != NULL) {
        name =
            parameter_name(file_token.file, function_named_at(file_token), operand->bind.argument);
    }
    return name == NULL ? NULL : arena_strndup(locator->arena, name->text, name->length);
}

/* If an element of the name at `index` is assigned, NAME[...][...] =, how many tokens come before
 * the sign; else 0. */
static size_t assigned_tokens(const struct source_tokens *tokens, size_t index)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "++", "--"};
    size_t at = index + 1;

    while (token_is(tokens, at, TOKEN_SIGN, "[")) {
        at = token_close(tokens, at);
    }
    for (size_t i = 0; at > index + 1 && i < sizeof changes / sizeof changes[0]; i++) {
        if (token_is(tokens, at, TOKEN_SIGN, changes[i])) {
            return at - index;
        }
    }
    return 0;
}

static bool line_assigns(const struct program_source *source, const struct line_count *line,
                         const char *name)
{
    for (size_t i = 0; i < source->count; i++) {
        const struct source_tokens *tokens = &source->files[i].tokens;
        bool is_it = strcmp(tokens->file->name, line->file) == 0;
        size_t end = is_it ? source_line_start(tokens, line->line + 1) : 0;
        for (size_t j = is_it ? source_line_start(tokens, line->line) : 0; j < end; j++) {
            if (token_is(tokens, j, TOKEN_NAME, name) && assigned_tokens(tokens, j) > 0) {
                return true;
            }
        }
    }
    return false;
}

/* The only line that stores and assigns to a name. */
static const struct line_count *line_that_assigns(const struct locator *locator,
                                                  const struct launch_counts *counts,
                                                  const char *name)
{
    const struct line_count *found = NULL;

    if (name == NULL || program_has_macro(&locator->source, name)) {
        return NULL;
    }
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        if (!line_stores(line, NULL) || !line_assigns(&locator->source, line, name)) {
            continue;
        }
        if (found != NULL && (found->line != line->line || strcmp(found->file, line->file) != 0)) {
            return NULL;
        }
        found = found != NULL ? found : line;
    }
    return found;
}

static const struct line_count *line_that_stores_to_input(const struct locator *locator,
                                                          const struct sample *sample)
{
    for (size_t i = 0; i < locator->launch->operand_count; i++) {
        const struct rubric_operand *operand = &locator->launch->operands[i];
        const struct access_sum *sum = &sample->counts.operands[i][COUNT_WRITE];
        if (operand->role != OPERAND_INPUT || sum->bytes == 0) {
            continue;
        }
        const struct line_count *line = line_that_stores(&sample->counts, sum);
        return line != NULL
                   ? line
                   : line_that_assigns(locator, &sample->counts, name_of_operand(locator, operand));
    }
    return NULL;
}

/* Sets the location to a line of a count; false if it is in no file of the program. */
static bool set_line(const struct locator *locator, const char *file, struct source_mark mark,
                     const char *label, struct location *out_location)
{
    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *own = &locator->source.files[i];
        if (strcmp(own->tokens.file->name, file) == 0) {
            *out_location = (struct location){.file_token = {own, 0}, .mark = mark, .label = label};
            return true;
        }
    }
    return false;
}

bool locate_changed_input(const struct locator *locator, struct location *out_location)
{
    if (locator->launch == NULL) {
        return false;
    }
    const struct launch_run *run =
        &locator->input->evidence->launch_runs[locator->criterion->launch];
    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t j = 0; j < run->observations[i].sample_count; j++) {
            const struct line_count *line =
                line_that_stores_to_input(locator, &run->observations[i].samples[j]);
            if (line != NULL &&
                set_line(locator, line->file, (struct source_mark){line->line, line->column},
                         "writes to an input", out_location)) {
                return true;
            }
        }
    }
    return false;
}

/* The call that shows what is wrong. */
static const struct sample *shown_sample(const struct wrong_result *result)
{
    if (result->kind != WRONG_SECOND_LAUNCH) {
        return result->any.sample;
    }
    return result->again.observation != NULL ? result->again.sample : result->idle.sample;
}

/* A line of host code, or what leads to it from outside of a function of its own. */
static bool place_host_work(const struct locator *locator, const struct host_places *places,
                            const char *what, struct location *out_location)
{
    if (places == NULL || places->outer.line == 0) {
        return false;
    }
    bool is_inside = places->outer.line != places->inner.line ||
                     strcmp(places->outer.file, places->inner.file) != 0;
    const char *label =
        is_inside ? arena_printf(locator->arena, "leads to %s in line %d", what, places->inner.line)
                  : what;
    return locate_line(locator, &places->outer, "", label, out_location);
}

bool locate_host_work(const struct locator *locator, struct location *out_location)
{
    const struct wrong_result *result = locator->cause->subject.result;
    const struct sample *sample = shown_sample(result);

    if (locator->launch == NULL || locator->launch->call == NULL || sample == NULL) {
        return false;
    }
    const struct call_work *work = &sample->call;
    const char *output = locator->launch->operands[result->output].name;
    const size_t moved = moved_by_copy(result);
    const char *copy =
        moved > 0 ? arena_printf(locator->arena, "copies from element %zu on, for %s", moved,
                                 shape_text(locator->input, locator->arena, locator->launch,
                                            result->any.observation))
                  : arena_printf(locator->arena,
                                 work->is_last_set[result->output] ? "sets %s" : "the copy to %s",
                                 output);
    const bool is_wrong_way =
        work->copied_from[result->output] > 0 && work->copied_to[result->output] == 0;
    const char *other =
        is_wrong_way ? arena_printf(locator->arena, "copies from %s, not to it", output) : "a copy";
    const char *launch = work->launches > 1 ? "the launches" : "the launch";
    const struct host_places *launches = work->places[HOST_LAUNCHES];
    bool is_by_launch = result->mistake != NULL &&
                        mistake_place(locator->input->oracle, result->mistake) == MADE_BY_LAUNCH;

    return locate_uncovered(locator, out_location) ||
           (is_by_launch && place_host_work(locator, launches, launch, out_location)) ||
           place_host_work(locator, work->copy_places[result->output], copy, out_location) ||
           place_host_work(locator, work->places[HOST_COPIES], other, out_location) ||
           place_host_work(locator, launches, launch, out_location);
}

static bool are_same(const struct source_tokens *tokens, size_t left, size_t right, size_t count)
{
    for (size_t i = 0; i < count && right + i < tokens->count; i++) {
        const struct source_token *a = &tokens->tokens[left + i];
        const struct source_token *b = &tokens->tokens[right + i];
        if (a->length != b->length || memcmp(a->text, b->text, a->length) != 0) {
            return false;
        }
    }
    return right + count <= tokens->count;
}

static bool has_store(const struct launch_counts *counts, const char *file, int line)
{
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *seen = &counts->lines[i];
        if (seen->line == line && line_stores(seen, NULL) && strcmp(seen->file, file) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the function assigns to the same element in another line, which has no store of its own:
 * compilers make one store of both, and give it the line of either. Without counts, true if it
 * assigns to any element of that name in another line. */
static bool is_shared(const struct program_file *file, const struct launch_counts *counts, int line)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function =
        source_function_of_line(tokens, &file->functions, line);
    const size_t end = function == NULL ? 0 : source_line_start(tokens, line + 1);

    for (size_t i = source_line_start(tokens, line); i < end; i++) {
        const size_t count = assigned_tokens(tokens, i);
        for (size_t j = function->open; j < function->close && count > 0; j++) {
            const int other = tokens->tokens[j].line;
            const size_t there = assigned_tokens(tokens, j);
            bool may_be_it = counts == NULL
                                 ? there > 0
                                 : there == count && !has_store(counts, tokens->file->name, other);
            if (other != line && may_be_it && are_same(tokens, i, j, counts == NULL ? 1 : count)) {
                return true;
            }
        }
    }
    return false;
}

/* Sets the location to a line that stores; false if it may stand for another one. */
static bool set_store(const struct locator *locator, const struct launch_counts *counts,
                      const struct cause_mark *line, const char *label,
                      struct location *out_location)
{
    struct location location;

    if (!set_line(locator, line->file, (struct source_mark){line->line, line->column}, label,
                  &location) ||
        is_shared(location.file_token.file, counts, line->line)) {
        return false;
    }
    *out_location = location;
    return true;
}

/* What is wrong in an output of one call: elements, and bytes of those that were stored. */
struct wrong_part {
    size_t elements, stored_bytes;
};

static struct wrong_part wrong_part(const struct locator *locator,
                                    const struct observation *observation,
                                    const struct sample *sample, size_t output)
{
    const size_t bytes = element_bytes(locator->launch->operands[output].type);
    const char *before = sample->before[output];
    const char *after = sample->after[output];
    struct wrong_part part = {0, 0};
    struct problem problem;

    problem_init(locator->input->rubric, locator->launch, observation, sample, output, &problem);
    double *expected = arena_array(locator->arena, problem.elements, sizeof *expected);
    uint8_t *states = arena_array(locator->arena, problem.elements, sizeof *states);
    if (sample->status != SAMPLE_DONE || before == NULL || after == NULL ||
        !compare_elements(&problem, locator->input->oracle, expected, NULL, states)) {
        return part;
    }
    for (size_t i = 0; i < problem.elements; i++) {
        if (states[i] != ELEMENT_RIGHT) {
            bool is_stored = memcmp(before + i * bytes, after + i * bytes, bytes) != 0;
            part.elements++;
            part.stored_bytes += is_stored ? bytes : 0;
        }
    }
    return part;
}

/* The line that makes all stores to a place in a call whose result is wrong, or, to an operand, in
 * one whose result is right, if no other line could do so elsewhere. Of all global memory, in a
 * call with one launch, also one beside which the others can have stored but half of what is wrong;
 * after more launches that may come from an earlier one. */
static bool locate_store(const struct locator *locator, size_t output, size_t place,
                         const char *label, struct location *out_location)
{
    const struct launch_run *run =
        &locator->input->evidence->launch_runs[locator->criterion->launch];
    const struct measure stores = {.kind = MEASURE_STORED_BYTES, .place = place};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            const struct measured measured = {locator->launch, observation, sample, NULL};
            const struct wrong_part wrong = wrong_part(locator, observation, sample, output);
            const bool is_one = place == PLACE_GLOBAL && sample->call.launches == 1;
            const bool is_wrong = wrong.elements > 0;
            struct cause_mark line;
            if ((is_wrong || place != PLACE_GLOBAL) && sample->counts.is_counted &&
                measure_only_line(&stores, &measured,
                                  is_one ? (double)wrong.stored_bytes / 2.0 : 0.0, &line) &&
                set_store(locator, is_wrong ? &sample->counts : NULL, &line, label, out_location)) {
                return true;
            }
        }
    }
    return false;
}

/* What no kernel stores comes there by a copy. What is copied is at fault where values are wrong;
 * which parts are copied, where they are missing or from another call. */
bool locate_result_store(const struct locator *locator, struct location *out_location)
{
    const struct wrong_result *result = locator->cause->subject.result;

    if (locator->launch == NULL || result == NULL || locator->launch->call == NULL) {
        return false;
    }
    const size_t output = result->output;
    const char *name = locator->launch->operands[output].name;
    const struct sample *sample = shown_sample(result);
    const char *stores = arena_printf(locator->arena, "stores what is wrong in %s", name);
    if (sample == NULL || !output_is_copied(sample, output)) {
        return locate_store(locator, output, PLACE_OPERAND + output,
                            arena_printf(locator->arena, "writes %s", name), out_location) ||
               locate_store(locator, output, PLACE_GLOBAL, stores, out_location);
    }
    bool is_of_values = result->kind != WRONG_SECOND_LAUNCH && result->kind != WRONG_UNWRITTEN &&
                        !wrong_result_is_undefined(result);
    /* the copy may be of something else */
    const char *copied = arena_printf(locator->arena, "stores what should come to %s", name);
    return (is_of_values && locate_store(locator, output, PLACE_GLOBAL, copied, out_location)) ||
           locate_host_work(locator, out_location);
}
