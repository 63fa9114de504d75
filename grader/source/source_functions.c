/* source_functions.c: see source_functions.h.
 *
 * Braces outside of functions are told apart by what stands before them: a namespace or a class
 * (functions may lie inside), the parameters of a function (its body), anything else (skipped).
 */
#include "source/source_functions.h"

#include <string.h>

/* A launch whose arguments are longer is not read: what is looked at for each name stays bounded.
 */
enum { SCOPES_MAX = 64, LAUNCH_TOKENS_MAX = 512 };

enum scope { SCOPE_OUTER, SCOPE_FUNCTION, SCOPE_OTHER };

struct scanner {
    const struct source_tokens *tokens;
    struct arena *arena;
    struct source_functions *out;
    size_t capacity;
    enum scope scopes[SCOPES_MAX];
    size_t depth;
    size_t start;       /* of the declaration that is being read */
    size_t behind_word; /* behind the last word that opens a namespace or a class */
};

static bool sign_is(const struct source_tokens *tokens, size_t index, const char *text)
{
    return token_is(tokens, index, TOKEN_SIGN, text);
}

static bool range_has_name(const struct source_tokens *tokens, size_t first, size_t end,
                           const char *name)
{
    for (size_t i = first; i < end; i++) {
        if (token_is(tokens, i, TOKEN_NAME, name)) {
            return true;
        }
    }
    return false;
}

/* The "(" that the ")" at `close` belongs to; SIZE_MAX if it lies before `first`. */
static size_t open_of(const struct source_tokens *tokens, size_t first, size_t close)
{
    size_t open = tokens->partners[close];

    return open >= first && open < close ? open : SIZE_MAX;
}

/* The name of the function whose body opens at token `open`; SIZE_MAX if it is no body. */
static size_t function_name(const struct source_tokens *tokens, size_t start, size_t open)
{
    static const char *const specifiers[] = {"__launch_bounds__", "__attribute__", "noexcept",
                                             "throw", "requires"};
    size_t at = open;

    while (at > start) {
        at--;
        if (tokens->tokens[at].kind == TOKEN_NAME || sign_is(tokens, at, "->") ||
            sign_is(tokens, at, "*") || sign_is(tokens, at, "&") || sign_is(tokens, at, "::")) {
            continue; /* const, noexcept, a trailing return type */
        }
        if (!sign_is(tokens, at, ")")) {
            return SIZE_MAX;
        }
        size_t parameters = open_of(tokens, start, at);
        if (parameters == SIZE_MAX || parameters == start ||
            tokens->tokens[parameters - 1].kind != TOKEN_NAME) {
            return SIZE_MAX;
        }
        bool is_specifier = false;
        for (size_t i = 0; i < sizeof specifiers / sizeof specifiers[0]; i++) {
            is_specifier =
                is_specifier || token_is(tokens, parameters - 1, TOKEN_NAME, specifiers[i]);
        }
        if (!is_specifier) {
            return parameters - 1;
        }
        at = parameters - 1;
    }
    return SIZE_MAX;
}

static bool is_outer_word(const struct source_tokens *tokens, size_t index)
{
    static const char *const words[] = {"namespace", "struct", "class", "union"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (token_is(tokens, index, TOKEN_NAME, words[i])) {
            return true;
        }
    }
    return false;
}

static bool opens_outer_scope(const struct scanner *scanner, size_t open)
{
    const struct source_tokens *tokens = scanner->tokens;

    if (scanner->behind_word > scanner->start) {
        return true;
    }
    return open >= 2 && token_is(tokens, open - 2, TOKEN_NAME, "extern") &&
           tokens->tokens[open - 1].kind == TOKEN_STRING;
}

static void add_function(struct scanner *scanner, size_t name, size_t open)
{
    const struct source_tokens *tokens = scanner->tokens;
    struct source_functions *out = scanner->out;

    arena_grow(scanner->arena, &out->items, &scanner->capacity, out->count + 1, sizeof *out->items);
    out->items[out->count++] = (struct source_function){
        .start = scanner->start,
        .name = name,
        .open = open,
        .close = tokens->count,
        .is_kernel = range_has_name(tokens, scanner->start, name, "__global__"),
        .is_device = range_has_name(tokens, scanner->start, name, "__device__"),
    };
}

static enum scope scope_of(struct scanner *scanner, size_t open)
{
    if (scanner->depth > 0 && scanner->scopes[scanner->depth - 1] != SCOPE_OUTER) {
        return SCOPE_OTHER;
    }
    size_t name = function_name(scanner->tokens, scanner->start, open);
    if (name != SIZE_MAX) {
        add_function(scanner, name, open);
        return SCOPE_FUNCTION;
    }
    return opens_outer_scope(scanner, open) ? SCOPE_OUTER : SCOPE_OTHER;
}

/* False if there is no scope to close. */
static bool close_scope(struct scanner *scanner, size_t at)
{
    if (scanner->depth == 0) {
        return false;
    }
    enum scope scope = scanner->scopes[--scanner->depth];
    if (scope == SCOPE_FUNCTION) {
        scanner->out->items[scanner->out->count - 1].close = at + 1;
    }
    /* An initialiser is part of its declaration; it ends with a semicolon. */
    if (scope != SCOPE_OTHER) {
        scanner->start = at + 1;
    }
    return true;
}

void source_functions_read(struct arena *arena, const struct source_tokens *tokens,
                           struct source_functions *out_functions)
{
    struct scanner scanner = {.tokens = tokens, .arena = arena, .out = out_functions};

    memset(out_functions, 0, sizeof *out_functions);
    for (size_t i = 0; i < tokens->count; i++) {
        scanner.behind_word = is_outer_word(tokens, i) ? i + 1 : scanner.behind_word;
        bool is_outer = scanner.depth == 0 || scanner.scopes[scanner.depth - 1] == SCOPE_OUTER;
        if (sign_is(tokens, i, "{")) {
            if (scanner.depth == SCOPES_MAX) {
                return;
            }
            enum scope scope = scope_of(&scanner, i);
            scanner.scopes[scanner.depth++] = scope;
            scanner.start = scope == SCOPE_OUTER ? i + 1 : scanner.start;
        } else if (sign_is(tokens, i, "}")) {
            if (!close_scope(&scanner, i)) {
                return;
            }
        } else if (is_outer && sign_is(tokens, i, ";")) {
            scanner.start = i + 1;
        }
    }
    out_functions->is_certain = scanner.depth == 0;
}

/* The last function whose name stands before token `index`; NULL if there is none. Functions do not
 * lie in each other. */
static const struct source_function *last_named_before(const struct source_functions *functions,
                                                       size_t index)
{
    size_t low = 0;
    size_t high = functions->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions->items[middle].name < index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? &functions->items[low - 1] : NULL;
}

const struct source_function *source_function_at(const struct source_functions *functions,
                                                 size_t index)
{
    const struct source_function *last = last_named_before(functions, index);

    return last != NULL && last->open < index && index < last->close ? last : NULL;
}

const struct source_function *source_function_named(const struct source_functions *functions,
                                                    size_t name)
{
    const struct source_function *last = last_named_before(functions, name + 1);

    return last != NULL && last->name == name ? last : NULL;
}

const struct source_function *source_function_of_line(const struct source_tokens *tokens,
                                                      const struct source_functions *functions,
                                                      int line)
{
    size_t low = 0;
    size_t high = functions->count;

    while (low < high) { /* the first that ends there or below */
        size_t middle = low + (high - low) / 2;
        if (tokens->tokens[functions->items[middle].close - 1].line < line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_there =
        low < functions->count && tokens->tokens[functions->items[low].open].line <= line;
    return is_there ? &functions->items[low] : NULL;
}

bool source_next_loop(const struct source_tokens *tokens, size_t first, size_t end,
                      struct token_range *out_loop)
{
    for (size_t i = first; i < end; i++) {
        bool is_do = token_is(tokens, i, TOKEN_NAME, "do");
        if (!is_do && !token_is(tokens, i, TOKEN_NAME, "for") &&
            !token_is(tokens, i, TOKEN_NAME, "while")) {
            continue;
        }
        size_t behind = source_statement_end(tokens, i + 1);
        if (is_do && token_is(tokens, behind, TOKEN_NAME, "while")) {
            behind = source_statement_end(tokens, behind + 1);
        }
        *out_loop = (struct token_range){i, behind};
        return true;
    }
    return false;
}

/* Launches *************************************************************************************/

/* What stands behind the template arguments at `at`; `at` if there are none. */
static size_t skip_template_arguments(const struct source_tokens *tokens, size_t at)
{
    size_t depth = 0;

    if (!sign_is(tokens, at, "<")) {
        return at;
    }
    for (size_t i = at; i < tokens->count && i - at < LAUNCH_TOKENS_MAX; i++) {
        if (sign_is(tokens, i, "(")) {
            i = token_close(tokens, i) - 1;
        } else if (sign_is(tokens, i, "<")) {
            depth++;
        } else if (sign_is(tokens, i, ">") || sign_is(tokens, i, ">>")) {
            size_t closed = tokens->tokens[i].length;
            if (closed >= depth) {
                return closed == depth ? i + 1 : at;
            }
            depth -= closed;
        } else if (sign_is(tokens, i, ";") || sign_is(tokens, i, "{")) {
            return at;
        }
    }
    return at;
}

size_t source_split_arguments(const struct source_tokens *tokens, struct token_range range,
                              struct token_range *out_ranges, size_t capacity)
{
    size_t count = 0;
    size_t first = range.first;

    for (size_t i = range.first; i <= range.end && count < capacity; i++) {
        if (i < range.end &&
            (sign_is(tokens, i, "(") || sign_is(tokens, i, "[") || sign_is(tokens, i, "{"))) {
            i = token_close(tokens, i) - 1;
        } else if (i == range.end || sign_is(tokens, i, ",")) {
            out_ranges[count++] = (struct token_range){first, i};
            first = i + 1;
        }
    }
    return count;
}

/* The last part of a name with namespaces. */
static const char *last_part(const char *name)
{
    const char *last = name;

    for (const char *at = strstr(name, "::"); at != NULL; at = strstr(last, "::")) {
        last = at + 2;
    }
    return last;
}

static bool read_chevrons(const struct source_tokens *tokens, size_t index,
                          struct source_launch *out_launch)
{
    size_t open = skip_template_arguments(tokens, index + 1);
    size_t close = open;

    if (!sign_is(tokens, open, "<<<")) {
        return false;
    }
    while (close < tokens->count && !sign_is(tokens, close, ">>>") &&
           !sign_is(tokens, close, ";")) {
        if (close - open > LAUNCH_TOKENS_MAX) {
            return false;
        }
        close++;
    }
    *out_launch = (struct source_launch){.at = index};
    source_split_arguments(tokens, (struct token_range){open + 1, close}, out_launch->arguments,
                           LAUNCH_ARGUMENTS);
    if (sign_is(tokens, close, ">>>") && sign_is(tokens, close + 1, "(") &&
        token_close(tokens, close + 1) < tokens->count) {
        out_launch->passed = (struct token_range){close + 2, token_close(tokens, close + 1) - 1};
    }
    return true;
}

static bool read_launch_call(const struct source_tokens *tokens, size_t index, const char *kernel,
                             struct source_launch *out_launch)
{
    static const char prefix[] = "cudaLaunch";
    enum { CALL_KERNEL, CALL_GRID, CALL_BLOCK, CALL_PARAMETERS, CALL_BYTES, CALL_ARGUMENTS };
    const struct source_token *name = &tokens->tokens[index];
    struct token_range parts[CALL_ARGUMENTS] = {{0, 0}};

    if (name->length < sizeof prefix - 1 || memcmp(name->text, prefix, sizeof prefix - 1) != 0 ||
        !sign_is(tokens, index + 1, "(")) {
        return false;
    }
    size_t end = token_close(tokens, index + 1);
    if (end - index > LAUNCH_TOKENS_MAX || !range_has_name(tokens, index + 2, end, kernel)) {
        return false;
    }
    *out_launch = (struct source_launch){.at = index};
    source_split_arguments(tokens, (struct token_range){index + 2, end - 1}, parts, CALL_ARGUMENTS);
    if (range_has_name(tokens, parts[CALL_KERNEL].first, parts[CALL_KERNEL].end, kernel)) {
        out_launch->arguments[LAUNCH_GRID] = parts[CALL_GRID];
        out_launch->arguments[LAUNCH_BLOCK] = parts[CALL_BLOCK];
        out_launch->arguments[LAUNCH_BYTES] = parts[CALL_BYTES];
    }
    return true;
}

bool source_launch_read(const struct source_tokens *tokens, size_t index, const char *kernel,
                        struct source_launch *out_launch)
{
    const char *name = last_part(kernel);

    if (index >= tokens->count || tokens->tokens[index].kind != TOKEN_NAME) {
        return false;
    }
    return token_is(tokens, index, TOKEN_NAME, name)
               ? read_chevrons(tokens, index, out_launch)
               : read_launch_call(tokens, index, name, out_launch);
}

size_t source_launch_on_device(const struct source_tokens *tokens,
                               const struct source_functions *functions)
{
    for (size_t i = 0; functions->is_certain && i < functions->count; i++) {
        const struct source_function *function = &functions->items[i];
        const bool is_on_device = function->is_kernel || function->is_device;
        for (size_t at = function->open; is_on_device && at < function->close; at++) {
            if (sign_is(tokens, at, "<<<")) {
                return at;
            }
        }
    }
    return tokens->count;
}
