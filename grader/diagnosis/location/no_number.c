/* no_number.c: see no_number.h. */
#include "diagnosis/location/no_number.h"

#include "diagnosis/patterns/result_explanation.h"

#include <string.h>

enum { NAMED_CALLS_MAX = 3 };

/* Functions that give no number, and for which arguments. */
static const struct {
    const char *name;
    const char *arguments; /* "of 0" */
    const char *gives;
} functions[] = {
    {"rsqrtf", "of 0 or less", "infinity for 0, and NaN for less"},
    {"rsqrt", "of 0 or less", "infinity for 0, and NaN for less"},
    {"__frsqrt_rn", "of 0 or less", "infinity for 0, and NaN for less"},
    {"sqrtf", "of a negative number", "NaN for a negative number"},
    {"sqrt", "of a negative number", "NaN for a negative number"},
    {"__fsqrt_rn", "of a negative number", "NaN for a negative number"},
    {"logf", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"log", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"__logf", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"log2f", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"log10f", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"log2", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"log10", "of 0 or less", "-infinity for 0, and NaN for less"},
    {"powf", "of a negative number", "NaN for most negative numbers"},
    {"pow", "of a negative number", "NaN for most negative numbers"},
    {"acosf", "of a number beyond -1 and 1", "NaN beyond -1 and 1"},
    {"asinf", "of a number beyond -1 and 1", "NaN beyond -1 and 1"},
    {"expf", "of a large number", "infinity for a large number"},
    {"exp", "of a large number", "infinity for a large number"},
    {"__expf", "of a large number", "infinity for a large number"},
};

/* What the device code has of all that. */
struct makers {
    size_t divisions, calls;
    const struct program_file *file; /* of the last call */
    size_t token, function;
    const char *named; /* "`rsqrtf` of 0 or less (line 10)", ...; "" */
    size_t named_count;
};

static bool is_division(const struct source_tokens *tokens, size_t at)
{
    return token_is(tokens, at, TOKEN_NAME, "__fdividef") ||
           token_is(tokens, at, TOKEN_NAME, "__frcp_rn") ||
           token_is(tokens, at, TOKEN_NAME, "fmodf") ||
           ((token_is(tokens, at, TOKEN_SIGN, "/") || token_is(tokens, at, TOKEN_SIGN, "/=")) &&
            at + 1 < tokens->count && tokens->tokens[at + 1].kind != TOKEN_NUMBER);
}

static void look_at_token(struct arena *arena, const struct program_file *file, size_t at,
                          struct makers *makers)
{
    const struct source_tokens *tokens = &file->tokens;

    makers->divisions += is_division(tokens, at) ? 1 : 0;
    if (!token_is(tokens, at + 1, TOKEN_SIGN, "(")) {
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (!token_is(tokens, at, TOKEN_NAME, functions[i].name)) {
            continue;
        }
        makers->calls++;
        makers->file = file;
        makers->token = at;
        makers->function = i;
        if (makers->named_count < NAMED_CALLS_MAX) {
            makers->named_count++;
            makers->named =
                arena_printf(arena, "%s`%s()` %s (line %d), ", makers->named, functions[i].name,
                             functions[i].arguments, tokens->tokens[at].line);
        }
        return;
    }
}

static bool look_at_files(struct arena *arena, const struct program_source *source,
                          struct makers *makers)
{
    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            if (!function->is_kernel && !function->is_device) {
                continue;
            }
            for (size_t k = function->open; k < function->close; k++) {
                look_at_token(arena, file, k, makers);
            }
        }
        if (!file->functions.is_certain) {
            return false;
        }
    }
    return true;
}

bool explain_no_number(struct arena *arena, const struct program_source *source,
                       struct cause *cause, struct cause_mark *out_mark)
{
    struct makers makers = {.named = ""};

    if (!look_at_files(arena, source, &makers)) {
        return false;
    }
    result_set_hint_of_no_number(
        cause, arena_printf(arena,
                            "look for %s%sa value that is too large, and a sum that does not start "
                            "at 0",
                            makers.named, makers.divisions > 0 ? "a division by 0, " : ""));
    if (makers.calls != 1 || makers.divisions > 0) {
        return false;
    }
    const struct source_token *token = &makers.file->tokens.tokens[makers.token];
    *out_mark =
        (struct cause_mark){makers.file->tokens.file->name, token->line, token->column,
                            arena_printf(arena, "gives %s", functions[makers.function].gives)};
    return true;
}
