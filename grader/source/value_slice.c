/* value_slice.c: see value_slice.h. */
#include "source/value_slice.h"

#include <string.h>

enum { LOOKUPS_MAX = 64, ORIGIN_STEPS_MAX = 4 };

/* A slice as it grows, and the names that were looked up, by a token of each. */
struct slicer {
    const struct program_source *source;
    struct arena *arena;
    struct value_slice *slice;
    struct file_token lookups[LOOKUPS_MAX]; /* [lookup_count] */
    size_t lookup_count;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *sign)
{
    return token_is(tokens, at, TOKEN_SIGN, sign);
}

/* The end of the expression or list that starts at a token: before the bracket that closes around
 * it, a brace or a semicolon. */
static size_t list_end(const struct source_tokens *tokens, size_t at)
{
    while (at < tokens->count && !sign_is(tokens, at, ")") && !sign_is(tokens, at, ";") &&
           !sign_is(tokens, at, "{") && !sign_is(tokens, at, "}")) {
        const bool opens = sign_is(tokens, at, "(") || sign_is(tokens, at, "[");
        at = opens ? token_close(tokens, at) : at + 1;
    }
    return at;
}

static struct token_range statement_around(const struct source_tokens *tokens, size_t at)
{
    struct token_range range = {at, at};

    while (range.first > 0 && !sign_is(tokens, range.first - 1, ";") &&
           !sign_is(tokens, range.first - 1, "{") && !sign_is(tokens, range.first - 1, "}")) {
        range.first--;
    }
    while (range.end < tokens->count && !sign_is(tokens, range.end, ";") &&
           !sign_is(tokens, range.end, "{") && !sign_is(tokens, range.end, "}")) {
        range.end++;
    }
    return range;
}

static void add_part(struct slicer *slicer, const struct program_file *file,
                     struct token_range range)
{
    struct value_slice *slice = slicer->slice;

    for (size_t i = 0; i < slice->count; i++) {
        const struct slice_part *part = &slice->parts[i];
        if (part->file == file && range.first >= part->range.first &&
            range.end <= part->range.end) {
            return;
        }
    }
    if (slice->count < SLICE_PARTS_MAX && range.end > range.first) {
        slice->parts[slice->count++] = (struct slice_part){file, range};
    }
}

/* Adds what a function returns; false if there is no host function of that name. */
static bool add_returns(struct slicer *slicer, const char *name)
{
    struct file_token at;

    if (find_definitions(slicer->source, name, &at) != 1) {
        return false;
    }
    const struct source_tokens *tokens = &at.file->tokens;
    const struct source_function *function = source_function_named(&at.file->functions, at.token);
    for (size_t i = function->open; i < function->close && !function->is_kernel; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "return")) {
            const struct token_range value = {i + 1, list_end(tokens, i + 1)};
            add_part(slicer, at.file, value);
            i = value.end - 1;
        }
    }
    return true;
}

/* True if the name at a token is set there, or its address is given away. */
static bool is_set(const struct source_tokens *tokens, size_t at)
{
    return !sign_is(tokens, at - 1, ".") && !sign_is(tokens, at - 1, "->") &&
           (token_assigns(tokens, at + 1) ||
            (sign_is(tokens, at - 1, "&") &&
             (sign_is(tokens, at - 2, "(") || sign_is(tokens, at - 2, ","))));
}

/* Adds the statements of a function that set the variable at a token. */
static void add_settings(struct slicer *slicer, const struct program_file *file, size_t name)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function = source_function_at(&file->functions, name);

    for (size_t i = function != NULL ? function->open + 1 : tokens->count;
         i < tokens->count && i < function->close; i++) {
        if (token_same_name(tokens, i, name) && is_set(tokens, i)) {
            const struct token_range statement = statement_around(tokens, i);
            add_part(slicer, file, statement);
            i = statement.end;
        }
    }
}

/* True if the same name of the same function was looked up, or no more names are. */
static bool is_looked_up(const struct slicer *slicer, const struct program_file *file, size_t token)
{
    if (slicer->lookup_count == LOOKUPS_MAX) {
        return true;
    }
    for (size_t i = 0; i < slicer->lookup_count; i++) {
        const struct file_token *other = &slicer->lookups[i];
        if (other->file == file && token_same_name(&file->tokens, other->token, token) &&
            source_function_at(&file->functions, other->token) ==
                source_function_at(&file->functions, token)) {
            return true;
        }
    }
    return false;
}

/* The tokens that are printed after a string. */
static struct token_range printed_after(struct file_token string)
{
    const struct source_tokens *tokens = &string.file->tokens;
    size_t first = string.token + 1;

    first += sign_is(tokens, first, ",") || sign_is(tokens, first, "<<") ? 1 : 0;
    return (struct token_range){first, list_end(tokens, first)};
}

void value_slice_read(const struct program_source *source, struct arena *arena,
                      struct file_token string, struct value_slice *out_slice)
{
    struct slicer slicer = {.source = source, .arena = arena, .slice = out_slice};

    out_slice->count = 0;
    add_part(&slicer, string.file, printed_after(string));
    for (size_t i = 0; i < out_slice->count; i++) {
        const struct slice_part part = out_slice->parts[i];
        for (size_t j = part.range.first; j < part.range.end; j++) {
            const struct source_token *token = &part.file->tokens.tokens[j];
            if (token->kind != TOKEN_NAME || is_looked_up(&slicer, part.file, j)) {
                continue;
            }
            slicer.lookups[slicer.lookup_count++] = (struct file_token){part.file, j};
            if (!add_returns(&slicer, arena_strndup(arena, token->text, token->length))) {
                add_settings(&slicer, part.file, j);
            }
        }
    }
}

bool value_slice_find(const struct value_slice *slice, const char *const *names,
                      struct file_token *out_token)
{
    size_t found = 0;

    for (size_t i = 0; i < slice->count; i++) {
        const struct slice_part *part = &slice->parts[i];
        for (size_t j = part->range.first; j < part->range.end; j++) {
            for (size_t k = 0; names[k] != NULL; k++) {
                if (token_is(&part->file->tokens, j, TOKEN_NAME, names[k])) {
                    *out_token = (struct file_token){part->file, j};
                    found++;
                }
            }
        }
    }
    return found == 1;
}

bool find_returned_value(const struct program_source *source, const char *name,
                         struct slice_part *out_value)
{
    struct value_slice slice = {.count = 0};
    struct slicer slicer = {.source = source, .slice = &slice};

    if (!add_returns(&slicer, name) || slice.count != 1) {
        return false;
    }
    *out_value = slice.parts[0];
    return true;
}

/* The function that a value is a call of, and nothing else: "f(...)"; NULL if it is none. */
static const char *called_function(struct arena *arena, const struct slice_part *value)
{
    const struct source_tokens *tokens = &value->file->tokens;
    const struct source_token *name = &tokens->tokens[value->range.first];
    bool is_call = value->range.first + 2 < value->range.end && name->kind == TOKEN_NAME &&
                   sign_is(tokens, value->range.first + 1, "(") &&
                   token_close(tokens, value->range.first + 1) == value->range.end;

    return is_call ? arena_strndup(arena, name->text, name->length) : NULL;
}

/* True if the address of the name at a token is given to a call that only reads there. */
static bool is_copied_from(const struct source_tokens *tokens, size_t at)
{
    enum { BACK_TO_CALL = 5 };

    return at >= BACK_TO_CALL && sign_is(tokens, at - 1, "&") && sign_is(tokens, at - 2, ",") &&
           sign_is(tokens, at - 4, "(") &&
           token_is(tokens, at - BACK_TO_CALL, TOKEN_NAME, "cudaMemcpyToSymbol");
}

/* The only token of a function that sets the variable at a token; tokens->count if there is none,
 * or there are several. */
static size_t only_setting(const struct program_file *file, size_t name)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *function = source_function_at(&file->functions, name);
    size_t found = tokens->count;

    for (size_t i = function != NULL ? function->open + 1 : tokens->count;
         i < tokens->count && i < function->close; i++) {
        const bool is_changed = token_same_name(tokens, i, name) &&
                                (is_set(tokens, i) || sign_is(tokens, i + 1, "++") ||
                                 sign_is(tokens, i + 1, "--") || sign_is(tokens, i - 1, "++") ||
                                 sign_is(tokens, i - 1, "--") || sign_is(tokens, i - 1, "&"));
        if (is_changed && !is_copied_from(tokens, i)) {
            if (found < tokens->count) {
                return tokens->count;
            }
            found = i;
        }
    }
    return found;
}

bool value_slice_origin(const struct program_source *source, struct arena *arena,
                        struct file_token string, struct file_token *out_token)
{
    struct slice_part value = {string.file, printed_after(string)};
    bool is_found = false;

    for (int i = 0; i < ORIGIN_STEPS_MAX && value.range.end > value.range.first; i++) {
        const struct source_tokens *tokens = &value.file->tokens;
        const char *function = called_function(arena, &value);
        if (function != NULL) {
            if (!find_returned_value(source, function, &value)) {
                break;
            }
            *out_token = (struct file_token){value.file, value.range.first};
        } else {
            const bool is_name = value.range.end == value.range.first + 1 &&
                                 tokens->tokens[value.range.first].kind == TOKEN_NAME;
            const size_t set =
                is_name ? only_setting(value.file, value.range.first) : tokens->count;
            if (set == tokens->count || !sign_is(tokens, set + 1, "=")) {
                break;
            }
            value.range = (struct token_range){set + 2, list_end(tokens, set + 2)};
            *out_token = (struct file_token){value.file, set};
        }
        is_found = true;
    }
    return is_found;
}
