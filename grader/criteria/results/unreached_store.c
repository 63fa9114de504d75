/* unreached_store.c: see unreached_store.h.
 *
 * The operand is followed by its name: a parameter of the called function, an argument of a launch,
 * the kernel's parameter in that place, a statement of the kernel that begins with a store through
 * it. Counts then have the last word: no store was counted in its lines.
 */
#include "criteria/results/unreached_store.h"

#include "criteria/outcome.h"
#include "criteria/program_source.h"

#include <string.h>

enum { CONDITION_LENGTH_MAX = 60, ARGUMENTS_MAX = 32 };

/* What is followed, and where to. */
struct follower {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_launch *launch;
    struct program_source source;
    const struct program_file *file;        /* of the kernel */
    const struct source_function *function; /* the kernel */
    const struct source_token *parameter;   /* of the kernel */
};

static bool is_sign(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static const struct source_function *function_of(struct file_token token)
{
    return source_function_named(&token.file->functions, token.token);
}

/* The comma-separated parts between the brackets of which one opens at a token: the first ones, up
 * to one that may have template arguments. Returns how many. */
static size_t parts_of(const struct source_tokens *tokens, size_t open,
                       struct token_range out_parts[ARGUMENTS_MAX])
{
    const struct token_range all = {open + 1, token_close(tokens, open) - 1};
    const size_t count = source_split_arguments(tokens, all, out_parts, ARGUMENTS_MAX);

    for (size_t i = 0; i < count; i++) {
        for (size_t k = out_parts[i].first; k < out_parts[i].end; k++) {
            const size_t close = token_close(tokens, k);
            if (is_sign(tokens, k, "<")) {
                return i;
            }
            k = close < tokens->count ? close - 1 : k;
        }
    }
    return count;
}

/* The token that names a parameter: the last of its part, if that has no default value. */
static const struct source_token *parameter_of(const struct source_tokens *tokens,
                                               struct token_range part)
{
    const struct source_token *last = part.end > part.first ? &tokens->tokens[part.end - 1] : NULL;

    return last != NULL && last->kind == TOKEN_NAME ? last : NULL;
}

static bool is_named(const struct source_token *token, const char *name)
{
    return token != NULL && token->length == strlen(name) &&
           memcmp(token->text, name, token->length) == 0;
}

static bool has_parameter(const struct source_tokens *tokens,
                          const struct source_function *function, const char *name)
{
    struct token_range parts[ARGUMENTS_MAX];
    const size_t count = parts_of(tokens, function->name + 1, parts);

    for (size_t i = 0; i < count; i++) {
        if (is_named(parameter_of(tokens, parts[i]), name)) {
            return true;
        }
    }
    return false;
}

/* The place of an operand among the arguments of a launch in the called function; false if it is
 * not there exactly once. */
static bool argument_of_launch(const struct file_token *launch,
                               const struct source_function *caller, const char *operand,
                               size_t *out_index)
{
    const struct source_tokens *tokens = &launch->file->tokens;
    size_t open = launch->token;
    size_t found = 0;
    struct token_range parts[ARGUMENTS_MAX];

    while (open < caller->close && !is_sign(tokens, open, ">>>")) {
        open++;
    }
    if (launch->token < caller->open || !is_sign(tokens, ++open, "(")) {
        return false;
    }
    const size_t count = parts_of(tokens, open, parts);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].end == parts[i].first + 1 &&
            is_named(&tokens->tokens[parts[i].first], operand)) {
            *out_index = i;
            found++;
        }
    }
    return found == 1;
}

/* Finds the only launched kernel that gets the operand. */
static bool find_kernel(struct follower *follower, const struct sample *sample, const char *operand)
{
    struct token_range parts[ARGUMENTS_MAX];
    struct file_token called;
    size_t found = 0;

    if (find_definitions(&follower->source, follower->launch->call, &called) != 1 ||
        function_of(called) == NULL ||
        !has_parameter(&called.file->tokens, function_of(called), operand)) {
        return false;
    }
    for (size_t i = 0; i < sample->kernel_count; i++) {
        const char *name = sample->kernels[i].plain_name;
        struct source_launch launch;
        struct file_token at, kernel;
        size_t index = 0;
        if (find_launches(&follower->source, name, &launch, &at) != 1 || at.file != called.file ||
            !argument_of_launch(&at, function_of(called), operand, &index) ||
            find_definitions(&follower->source, name, &kernel) != 1 ||
            function_of(kernel) == NULL) {
            continue;
        }
        follower->file = kernel.file;
        follower->function = function_of(kernel);
        const struct source_tokens *tokens = &kernel.file->tokens;
        const size_t count = parts_of(tokens, follower->function->name + 1, parts);
        follower->parameter = index < count ? parameter_of(tokens, parts[index]) : NULL;
        found += follower->parameter != NULL ? 1 : 0;
    }
    return found == 1;
}

/* True if a statement ends before a token, or a block or the body of a condition begins. */
static bool begins_statement(const struct source_tokens *tokens, size_t at)
{
    return is_sign(tokens, at - 1, ";") || is_sign(tokens, at - 1, "{") ||
           is_sign(tokens, at - 1, "}") || is_sign(tokens, at - 1, ")");
}

/* The first token of the statement that stores through the parameter at `at`: *p = or p[...] =;
 * `count` if it is no such use. */
static size_t store_start(const struct source_tokens *tokens, size_t at)
{
    if (is_sign(tokens, at - 1, "*") && begins_statement(tokens, at - 1) &&
        token_assigns(tokens, at + 1)) {
        return at - 1;
    }
    return is_sign(tokens, at + 1, "[") && begins_statement(tokens, at) &&
                   token_assigns(tokens, token_close(tokens, at + 1))
               ? at
               : tokens->count;
}

/* The only use of the parameter in its kernel, if that is a store. */
static bool find_store(const struct follower *follower, size_t *out_start)
{
    const struct source_tokens *tokens = &follower->file->tokens;
    size_t uses = 0;

    for (size_t i = follower->function->open + 1; i < follower->function->close; i++) {
        if (tokens->tokens[i].kind == TOKEN_NAME &&
            tokens->tokens[i].length == follower->parameter->length &&
            memcmp(tokens->tokens[i].text, follower->parameter->text,
                   follower->parameter->length) == 0) {
            uses++;
            *out_start = store_start(tokens, i);
        }
    }
    return uses == 1 && *out_start < tokens->count;
}

/* True if some sample has stores to device memory in lines of the file. */
static bool is_counted_in(const struct follower *follower, int first, int last)
{
    const struct launch_run *run =
        &follower->input->evidence
             ->launch_runs[follower->launch - follower->input->rubric->launches];
    const char *name = follower->file->tokens.file->name;

    for (size_t i = 0; i < run->observation_count; i++) {
        for (size_t j = 0; j < run->observations[i].sample_count; j++) {
            const struct launch_counts *counts = &run->observations[i].samples[j].counts;
            for (size_t k = 0; k < counts->line_count; k++) {
                const struct line_count *line = &counts->lines[k];
                if (line->space == COUNT_GLOBAL && line->access != COUNT_READ &&
                    line->line >= first && line->line <= last && strcmp(line->file, name) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* True if nothing among the tokens keeps a thread from the end of them. */
static bool goes_through(const struct source_tokens *tokens, size_t first, size_t end)
{
    static const char *const words[] = {"if",     "else",     "for",  "while", "do",   "switch",
                                        "return", "continue", "goto", "break", "case", "default"};

    for (size_t i = first; i < end; i++) {
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
            if (token_is(tokens, i, TOKEN_NAME, words[j])) {
                return false;
            }
        }
        if (is_sign(tokens, i, "{") || is_sign(tokens, i, "}")) {
            return false;
        }
    }
    return true;
}

/* The condition that a thread at it must meet, and nothing else, to get to the store. */
static bool find_condition(const struct follower *follower, size_t start,
                           struct token_range *out_condition)
{
    const struct source_tokens *tokens = &follower->file->tokens;

    for (size_t i = start; i-- > follower->function->open;) {
        const size_t end = token_close(tokens, i + 1);
        const size_t body = is_sign(tokens, end, "{") ? end + 1 : end;
        if (token_is(tokens, i, TOKEN_NAME, "if") && is_sign(tokens, i + 1, "(")) {
            *out_condition = (struct token_range){i + 2, end - 1};
            return end <= start && start < source_statement_end(tokens, end) &&
                   goes_through(tokens, body, start);
        }
    }
    return false;
}

/* ", as `i == n` in line 93 is never true"; "" where it is not certain, or too long. */
static const char *condition_text(const struct follower *follower, size_t start)
{
    const struct source_tokens *tokens = &follower->file->tokens;
    struct token_range condition;

    if (!find_condition(follower, start, &condition) || condition.first >= condition.end) {
        return "";
    }
    const struct source_token *first = &tokens->tokens[condition.first];
    const struct source_token *last = &tokens->tokens[condition.end - 1];
    const size_t length = (size_t)(last->text + last->length - first->text);
    if (first->line != last->line || length > CONDITION_LENGTH_MAX) {
        return "";
    }
    return arena_printf(follower->arena, ", as `%s` in line %d is never true",
                        arena_strndup(follower->arena, first->text, length), first->line);
}

bool find_unreached_store(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_launch *launch, size_t operand,
                          struct cause *out_cause)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch - input->rubric->launches];
    struct follower follower = {.input = input, .arena = arena, .launch = launch};
    const char *name = launch->operands[operand].name;
    size_t start = 0;

    if (run->observation_count == 0 || run->observations[0].sample_count == 0) {
        return false;
    }
    program_source_read(input, arena, launch->program, &follower.source);
    if (!find_kernel(&follower, &run->observations[0].samples[0], name) ||
        !find_store(&follower, &start)) {
        return false;
    }
    const struct source_tokens *tokens = &follower.file->tokens;
    const struct source_token *store = &tokens->tokens[start];
    const size_t end = source_statement_end(tokens, start);
    if (end == 0 || is_counted_in(&follower, store->line, tokens->tokens[end - 1].line)) {
        return false;
    }
    *out_cause = cause_make(
        CODE_NOT_WRITTEN,
        arena_printf(arena, "`%s` never writes to %s: no thread reaches the store in line %d%s",
                     launch->call, name, store->line, condition_text(&follower, start)));
    out_cause->file = tokens->file->name;
    out_cause->line = store->line;
    out_cause->column = store->column;
    out_cause->label = "no thread gets here";
    out_cause->advice = advise(ADVICE_UNREACHED_STORE);
    return true;
}
