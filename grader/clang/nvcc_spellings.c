/* nvcc_spellings.c: see nvcc_spellings.h. */
#include "clang/nvcc_spellings.h"

#include "base/file.h"
#include "source/source_lexer.h"
#include "clang/file_overlay.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 256 };
#define FILE_BYTES_MAX ((size_t)8 << 20)

/* A text of which a part is written anew. */
struct rewriting {
    struct source_lexer lexer;    /* of the whole text */
    struct source_lexeme *tokens; /* [count] */
    size_t count;
    struct text *out;
    size_t copied; /* how much of the text is written, or left out */
};

static void read_tokens(struct rewriting *rewriting, struct arena *arena)
{
    struct source_lexer lexer = rewriting->lexer;
    size_t capacity = 0;

    for (struct source_lexeme token = source_lexer_next(&lexer); token.kind != SOURCE_END;
         token = source_lexer_next(&lexer)) {
        arena_grow(arena, &rewriting->tokens, &capacity, rewriting->count + 1,
                   sizeof *rewriting->tokens);
        rewriting->tokens[rewriting->count++] = token;
    }
}

/* Tokens by their number: past the last one nothing is anything. */
static bool is_symbol(const struct rewriting *rewriting, size_t at, char symbol)
{
    return at < rewriting->count && rewriting->tokens[at].kind == SOURCE_SYMBOL &&
           rewriting->tokens[at].symbol == symbol;
}

static bool is_one_of(const struct rewriting *rewriting, size_t at, const char *symbols)
{
    bool found = false;

    for (; *symbols != '\0' && !found; symbols++) {
        found = is_symbol(rewriting, at, *symbols);
    }
    return found;
}

static bool is_word(const struct rewriting *rewriting, size_t at, const char *word)
{
    return at < rewriting->count && rewriting->tokens[at].kind == SOURCE_WORD &&
           (word == NULL || source_lexeme_is(&rewriting->lexer, &rewriting->tokens[at], word));
}

/* True where a statement surely ends. */
static bool is_end(const struct rewriting *rewriting, size_t at)
{
    return at >= rewriting->count || is_symbol(rewriting, at, ';') ||
           rewriting->tokens[at].kind == SOURCE_DIRECTIVE ||
           rewriting->tokens[at].kind == SOURCE_DIRECTIVE_END;
}

/* The token after a parenthesis, bracket or brace and all in it; of another token, the next one. */
static size_t after(const struct rewriting *rewriting, size_t at)
{
    size_t depth = 0;

    do {
        depth += is_one_of(rewriting, at, "([{");
        depth -= depth > 0 && is_one_of(rewriting, at, ")]}");
        at++;
    } while (depth > 0 && at < rewriting->count);
    return at;
}

/* Copies the text up to a position. */
static void copy_to(struct rewriting *rewriting, size_t position)
{
    text_append_bytes(rewriting->out, rewriting->lexer.text + rewriting->copied,
                      position - rewriting->copied);
    rewriting->copied = position;
}

/* Writes something in place of the text up to a position. */
static void put(struct rewriting *rewriting, size_t position, const char *text)
{
    text_append(rewriting->out, text);
    rewriting->copied = position;
}

/* Writes a part of the text once more, on one line. */
static void repeat(struct rewriting *rewriting, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char c = rewriting->lexer.text[i];
        text_append_char(rewriting->out, c == '\n' || c == '\r' || c == '\\' ? ' ' : c);
    }
}

/* Launches ***************************************************************************************/

/* True if only blanks lie between two tokens, or nothing. */
static bool is_near(const struct rewriting *rewriting, size_t first, size_t second)
{
    for (size_t i = rewriting->tokens[first].end; i < rewriting->tokens[second].start; i++) {
        if (strchr(" \t", rewriting->lexer.text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* True for "<<<" and "<< <", but not in `operator<< <T>`; `sign` is < or >. */
static bool is_bracket(const struct rewriting *rewriting, size_t at, char sign)
{
    return is_symbol(rewriting, at, sign) && is_symbol(rewriting, at + 1, sign) &&
           is_symbol(rewriting, at + 2, sign) &&
           !(at > 0 && is_word(rewriting, at - 1, "operator")) &&
           rewriting->tokens[at].end == rewriting->tokens[at + 1].start &&
           rewriting->tokens[at + 1].end - rewriting->tokens[at + 1].start == 1 &&
           rewriting->tokens[at + 2].end - rewriting->tokens[at + 2].start == 1 &&
           is_near(rewriting, at + 1, at + 2);
}

/* Writes a bracket together, the blanks after it. */
static size_t join_bracket(struct rewriting *rewriting, size_t at, char sign)
{
    size_t from = rewriting->tokens[at + 1].end;
    size_t to = rewriting->tokens[at + 2].start;

    if (from < to) {
        copy_to(rewriting, from);
        text_append_char(rewriting->out, sign);
        copy_to(rewriting, to);
        put(rewriting, rewriting->tokens[at + 2].end, "");
    }
    return at + 3;
}

/* Gives the braces of a launch's sizes their type. Returns where the sizes end. */
static size_t name_sizes(struct rewriting *rewriting, size_t at)
{
    bool is_start = true;

    while (!is_end(rewriting, at) && !is_bracket(rewriting, at, '>')) {
        if (is_start && is_symbol(rewriting, at, '{')) {
            copy_to(rewriting, rewriting->tokens[at].start);
            text_append(rewriting->out, "dim3");
        }
        is_start = is_symbol(rewriting, at, ',');
        at = after(rewriting, at);
    }
    return at;
}

/* Variables **************************************************************************************/

/* Words before the type of a variable. */
struct qualifiers {
    size_t start, end; /* tokens */
    bool in_memory;    /* of the device */
    bool is_managed, is_extern;
};

static bool is_any(const struct rewriting *rewriting, size_t at, const char *const *words)
{
    bool found = false;

    for (; *words != NULL && !found; words++) {
        found = is_word(rewriting, at, *words);
    }
    return found;
}

static struct qualifiers read_qualifiers(const struct rewriting *rewriting, size_t at)
{
    static const char *const memories[] = {"__shared__", "__device__", "__constant__",
                                           "__managed__", NULL};
    static const char *const others[] = {"extern", "static", "inline", "const", "volatile", NULL};
    struct qualifiers found = {.start = at, .end = at};

    for (;; found.end++) {
        bool is_memory = is_any(rewriting, found.end, memories);
        if (!is_memory && !is_any(rewriting, found.end, others)) {
            return found;
        }
        found.in_memory = found.in_memory || is_memory;
        found.is_managed = found.is_managed || is_word(rewriting, found.end, "__managed__");
        found.is_extern = found.is_extern || is_word(rewriting, found.end, "extern");
    }
}

/* Writes "alignas(...)" before the qualifiers that it follows. Returns the token after it. */
static size_t move_alignment(struct rewriting *rewriting, const struct qualifiers *qualifiers)
{
    size_t behind = after(rewriting, qualifiers->end + 1);
    size_t start = rewriting->tokens[qualifiers->start].start;
    size_t last = rewriting->tokens[qualifiers->end - 1].end;
    size_t alignment = rewriting->tokens[qualifiers->end].start;
    size_t end = rewriting->tokens[behind - 1].end;

    copy_to(rewriting, start);
    text_append_bytes(rewriting->out, rewriting->lexer.text + alignment, end - alignment);
    text_append_bytes(rewriting->out, rewriting->lexer.text + last, alignment - last);
    copy_to(rewriting, last);
    rewriting->copied = end;
    return behind;
}

/* The name in a declarator that starts with a type or is one of several; 0 if it is none that is
 * understood. */
static size_t find_name(const struct rewriting *rewriting, size_t at)
{
    size_t depth = 0; /* of template arguments */

    for (; !is_end(rewriting, at); at++) {
        depth += is_symbol(rewriting, at, '<');
        depth -= depth > 0 && is_symbol(rewriting, at, '>');
        if (is_one_of(rewriting, at, "()[]{}")) {
            return 0;
        }
        if (depth == 0 && is_one_of(rewriting, at + 1, "[={,;")) {
            return is_word(rewriting, at, NULL) ? at : 0;
        }
    }
    return 0;
}

/* True if managed variables are declared in a way that is understood; *out_end is their ";". */
static bool can_manage(const struct rewriting *rewriting, const struct qualifiers *qualifiers,
                       size_t *out_end)
{
    size_t at = qualifiers->end;

    if (qualifiers->is_extern) {
        return false;
    }
    do {
        size_t name = find_name(rewriting, at);
        if (name == 0) {
            return false;
        }
        for (at = name + 1; !is_end(rewriting, at) && !is_symbol(rewriting, at, ',');) {
            at = after(rewriting, at);
        }
    } while (is_symbol(rewriting, at++, ','));
    *out_end = at - 1;
    return is_symbol(rewriting, *out_end, ';');
}

/* Writes one variable, up to the token after it: a variable of the device under another name, and
 * GPUGRADE_MANAGED(NAME). */
static size_t write_managed(struct rewriting *rewriting, size_t name)
{
    const struct source_lexeme *token = &rewriting->tokens[name];
    const char *spelling = rewriting->lexer.text + token->start;
    int length = (int)(token->end - token->start);
    size_t at = name + 1;

    copy_to(rewriting, token->start);
    text_append(rewriting->out, "gpugrade_managed_");
    while (is_symbol(rewriting, at, '[')) {
        at = after(rewriting, at);
    }
    copy_to(rewriting, rewriting->tokens[at - 1].end);
    text_printf(rewriting->out, " __asm__(\"%.*s\")", length, spelling);
    while (!is_one_of(rewriting, at, ",;")) {
        at = after(rewriting, at);
    }
    copy_to(rewriting, rewriting->tokens[at].start);
    text_printf(rewriting->out, "; GPUGRADE_MANAGED(%.*s)", length, spelling);
    return at;
}

/* Writes all variables of a declaration. Returns its ";". */
static size_t manage(struct rewriting *rewriting, const struct qualifiers *qualifiers)
{
    const struct source_lexeme *tokens = rewriting->tokens;
    size_t type = qualifiers->end;
    size_t name = find_name(rewriting, type);
    size_t type_end = type;

    for (size_t i = qualifiers->start; i < qualifiers->end; i++) {
        copy_to(rewriting, tokens[i].start);
        if (is_word(rewriting, i, "__managed__")) {
            put(rewriting, tokens[i].end, "__device__");
        } else if (is_word(rewriting, i, "static") || is_word(rewriting, i, "__device__")) {
            put(rewriting, tokens[i].end, "");
        }
    }
    while (type_end < name && !is_one_of(rewriting, type_end, "*&")) {
        type_end++;
    }
    size_t at = write_managed(rewriting, name);
    while (is_symbol(rewriting, at, ',')) {
        put(rewriting, tokens[at].end, "; __device__ ");
        repeat(rewriting, tokens[type].start, tokens[type_end - 1].end);
        at = write_managed(rewriting, find_name(rewriting, at + 1));
    }
    return at;
}

static size_t rewrite_variable(struct rewriting *rewriting, size_t at)
{
    struct qualifiers qualifiers = read_qualifiers(rewriting, at);
    size_t end;

    if (qualifiers.is_managed && can_manage(rewriting, &qualifiers, &end)) {
        return manage(rewriting, &qualifiers);
    }
    if (qualifiers.in_memory && is_word(rewriting, qualifiers.end, "alignas") &&
        is_symbol(rewriting, qualifiers.end + 1, '(')) {
        return move_alignment(rewriting, &qualifiers);
    }
    return qualifiers.end > at ? qualifiers.end : at + 1;
}

/* All ********************************************************************************************/

/* True for the "main" of a definition that leaves out its type. */
static bool is_bare_main(const struct rewriting *rewriting, size_t at)
{
    return is_word(rewriting, at, "main") && is_symbol(rewriting, at + 1, '(') &&
           (at == 0 || is_end(rewriting, at - 1) || is_symbol(rewriting, at - 1, '}')) &&
           is_symbol(rewriting, after(rewriting, at + 1), '{');
}

bool nvcc_spellings_rewrite(struct arena *arena, const char *text, size_t length, struct text *out)
{
    struct rewriting rewriting = {.out = out};

    source_lexer_init(&rewriting.lexer, text, length);
    read_tokens(&rewriting, arena);
    for (size_t at = 0; at < rewriting.count;) {
        if (is_bracket(&rewriting, at, '<')) {
            at = name_sizes(&rewriting, join_bracket(&rewriting, at, '<'));
        } else if (is_bracket(&rewriting, at, '>')) {
            at = join_bracket(&rewriting, at, '>');
        } else if (is_bare_main(&rewriting, at)) {
            copy_to(&rewriting, rewriting.tokens[at].start);
            text_append(out, "int ");
            at++;
        } else {
            at = rewrite_variable(&rewriting, at);
        }
    }
    copy_to(&rewriting, length);
    return out->length != length || memcmp(out->bytes, text, length) != 0;
}

/* The files that a source reaches. */
struct reached {
    struct arena *arena;
    const struct compile_plan *plan;
    const char *paths[FILES_MAX]; /* [count], absolute */
    size_t count;
};

static void reach(struct reached *reached, const char *path)
{
    char *real = realpath(path, NULL);
    bool is_new = real != NULL && file_exists(real) && reached->count < FILES_MAX;

    for (size_t i = 0; is_new && i < reached->count; i++) {
        is_new = strcmp(reached->paths[i], real) != 0;
    }
    if (is_new) {
        reached->paths[reached->count++] = arena_strdup(reached->arena, real);
    }
    free(real);
}

/* Adds what a file includes. */
static void reach_includes(struct reached *reached, const char *path, const char *text,
                           size_t length)
{
    struct arena *arena = reached->arena;
    const struct arguments *both = &reached->plan->both;
    const char *slash = strrchr(path, '/');
    struct source_lexer lexer;
    bool is_include = false;

    source_lexer_init(&lexer, text, length);
    for (struct source_lexeme token = source_lexer_next(&lexer); token.kind != SOURCE_END;
         token = source_lexer_next(&lexer)) {
        bool is_name = token.kind == SOURCE_LITERAL || token.kind == SOURCE_HEADER;
        if (is_include && is_name && token.end - token.start > 2) {
            const char *name =
                arena_strndup(arena, text + token.start + 1, token.end - token.start - 2);
            reach(reached, arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name));
            for (size_t i = 0; i < both->count; i++) {
                if (text_starts_with(both->items[i], "-I") && both->items[i][2] != '\0') {
                    reach(reached, arena_printf(arena, "%s/%s", both->items[i] + 2, name));
                }
            }
        }
        is_include = token.kind == SOURCE_WORD && source_lexeme_is(&lexer, &token, "include");
    }
}

enum error nvcc_spellings_show(struct arena *arena, struct compile_plan *plan, const char *source,
                               const char *folder, struct diagnostic *diagnostic)
{
    struct reached *reached = arena_alloc(arena, sizeof *reached);
    struct file_overlay overlay;
    enum error error = ERROR_NONE;
    bool is_needed = false;

    reached->arena = arena;
    reached->plan = plan;
    reach(reached, source);
    file_overlay_init(&overlay);
    for (size_t i = 0; i < reached->count && error == ERROR_NONE; i++) {
        char *text;
        size_t length;
        if (file_read(arena, reached->paths[i], FILE_BYTES_MAX, BLAME_STUDENT, &text, &length,
                      NULL) != ERROR_NONE) {
            continue;
        }
        reach_includes(reached, reached->paths[i], text, length);
        struct text respelt;
        text_init(&respelt);
        if (nvcc_spellings_rewrite(arena, text, length, &respelt)) {
            const char *contents = arena_printf(arena, "%s/respelt-%zu", folder, i);
            error = file_write_atomic(contents, respelt.bytes, respelt.length, diagnostic);
            file_overlay_add(&overlay, reached->paths[i], contents, false);
            is_needed = true;
        }
        text_release(&respelt);
    }
    if (error == ERROR_NONE && is_needed) {
        const char *file = arena_printf(arena, "%s/respelt.yaml", folder);
        return file_overlay_use(&overlay, arena, plan, file, diagnostic);
    }
    file_overlay_drop(&overlay);
    return error;
}
