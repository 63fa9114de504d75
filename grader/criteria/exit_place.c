/* exit_place.c: see exit_place.h.
 *
 * A place is certain if the kernel has one `return`, before the barrier, and no other way around
 * it: no condition that the barrier is in, no loop around it that is left early or whose rounds
 * depend on the thread, no macro or lambda that may hide one.
 */
#include "criteria/exit_place.h"

#include "criteria/source_functions.h"

#include <string.h>

static const struct source_file *source_named(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->source_count; i++) {
        if (strcmp(report->sources[i].name, name) == 0) {
            return &report->sources[i];
        }
    }
    return NULL;
}

static bool is_word(const struct source_tokens *tokens, size_t index, const char *const *words,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (token_is(tokens, index, TOKEN_NAME, words[i])) {
            return true;
        }
    }
    return false;
}

static bool starts_statement(const struct source_tokens *tokens, size_t index)
{
    return index == 0 || token_is(tokens, index - 1, TOKEN_SIGN, ";") ||
           token_is(tokens, index - 1, TOKEN_SIGN, "{") ||
           token_is(tokens, index - 1, TOKEN_SIGN, "}") ||
           token_is(tokens, index - 1, TOKEN_SIGN, ")") ||
           token_is(tokens, index - 1, TOKEN_NAME, "else");
}

/* True if a token may be another way to leave a loop or the kernel, or hide one. */
static bool may_leave(const struct source_tokens *tokens, size_t index)
{
    static const char *const words[] = {"break", "continue", "goto",  "asm",    "__asm__",
                                        "exit",  "try",      "throw", "__trap", "co_return"};
    const struct source_token *token = &tokens->tokens[index];

    if (is_word(tokens, index, words, sizeof words / sizeof words[0])) {
        return true;
    }
    if (token_is(tokens, index, TOKEN_SIGN, "]")) { /* of a lambda */
        return token_is(tokens, index + 1, TOKEN_SIGN, "(") ||
               token_is(tokens, index + 1, TOKEN_SIGN, "{");
    }
    for (size_t i = 0; i < tokens->macro_count && token->kind == TOKEN_NAME; i++) {
        const struct source_name *macro = &tokens->macros[i];
        if (macro->length == token->length &&
            memcmp(macro->text, token->text, token->length) == 0) {
            return token_is(tokens, index + 1, TOKEN_SIGN, "(") || starts_statement(tokens, index);
        }
    }
    return false;
}

/* The one `return` among the tokens; `end` if there is none, several, or another way to leave. */
static size_t only_return(const struct source_tokens *tokens, size_t first, size_t end)
{
    size_t found = end;

    for (size_t i = first; i < end; i++) {
        bool is_return = token_is(tokens, i, TOKEN_NAME, "return");
        if ((is_return && found != end) || may_leave(tokens, i)) {
            return end;
        }
        found = is_return ? i : found;
    }
    return found;
}

static bool names_thread(const struct source_tokens *tokens, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "threadIdx")) {
            return true;
        }
    }
    return false;
}

/* True if each thread that has not left before comes to token `at`, as far as the source tells. */
static bool all_come_to(const struct source_tokens *tokens, size_t first, size_t at)
{
    static const char *const conditions[] = {"if", "else", "switch", "do"};
    static const char *const loops[] = {"for", "while"};

    for (size_t i = first; i < at; i++) {
        bool is_condition =
            is_word(tokens, i, conditions, sizeof conditions / sizeof conditions[0]);
        bool is_loop = is_word(tokens, i, loops, sizeof loops / sizeof loops[0]);
        if ((!is_condition && !is_loop) || source_statement_end(tokens, i) <= at) {
            continue;
        }
        if (is_condition || names_thread(tokens, i, token_close(tokens, i + 1))) {
            return false;
        }
    }
    return true;
}

/* The `if` whose body begins with the return; else the return itself. */
static size_t condition_of(const struct source_tokens *tokens, size_t first, size_t leave)
{
    for (size_t i = leave; i > first; i--) {
        size_t at = i - 1;
        if (!token_is(tokens, at, TOKEN_NAME, "if") || !token_is(tokens, at + 1, TOKEN_SIGN, "(")) {
            continue;
        }
        size_t body = token_close(tokens, at + 1);
        body += token_is(tokens, body, TOKEN_SIGN, "{") ? 1 : 0;
        return body == leave ? at : leave;
    }
    return leave;
}

/* The first token in a line of a function; `close` if there is none. */
static size_t first_in_line(const struct source_tokens *tokens,
                            const struct source_function *function, int line)
{
    size_t i = function->open;

    while (i < function->close && tokens->tokens[i].line != line) {
        i++;
    }
    return i;
}

static void move_exit(struct arena *arena, const struct source_file *source,
                      const struct place *barrier, struct place *leave)
{
    struct source_tokens tokens;
    struct source_functions functions;

    source_tokens_read(arena, source, &tokens);
    source_functions_read(arena, &tokens, &functions);
    const struct source_function *kernel =
        functions.is_certain ? source_function_of_line(&tokens, &functions, barrier->line) : NULL;
    if (kernel == NULL || !kernel->is_kernel || kernel->close <= kernel->open ||
        tokens.tokens[kernel->close - 1].line != leave->line) {
        return;
    }
    size_t wait = first_in_line(&tokens, kernel, barrier->line);
    size_t found = only_return(&tokens, kernel->open, kernel->close);
    if (found >= wait || !all_come_to(&tokens, kernel->open, wait)) {
        return;
    }
    size_t told = condition_of(&tokens, kernel->open, found);
    leave->line = tokens.tokens[told].line;
    leave->column = tokens.tokens[told].column;
}

static const struct place *place_of_role(const struct finding *finding, const char *role)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        if (strcmp(finding->places[i].role, role) == 0 && finding->places[i].line > 0) {
            return &finding->places[i];
        }
    }
    return NULL;
}

void place_exits(struct arena *arena, struct report *report)
{
    struct finding *findings = arena_array(arena, report->finding_count, sizeof *findings);

    for (size_t i = 0; i < report->finding_count; i++) {
        struct finding *finding = &findings[i];
        *finding = report->findings[i];
        const struct place *barrier = place_of_role(finding, "barrier");
        if (finding->code != CODE_BARRIER_INCOMPLETE || barrier == NULL) {
            continue;
        }
        const struct source_file *source = source_named(report, barrier->file);
        for (size_t j = 0; j < finding->place_count && source != NULL; j++) {
            struct place *place = &finding->places[j];
            if (strcmp(place->role, "here") == 0 && strcmp(place->file, barrier->file) == 0) {
                move_exit(arena, source, barrier, place);
            }
        }
    }
    report->findings = findings;
}
