/* spaced_launches.c: see spaced_launches.h. */
#include "clang/spaced_launches.h"

#include "base/file.h"
#include "base/text.h"
#include "source/source_lexer.h"
#include "clang/file_overlay.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 256 };
#define FILE_BYTES_MAX ((size_t)8 << 20)

/* True if only blanks lie between two places. */
static bool is_blank(const char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (text[i] != ' ' && text[i] != '\t') {
            return false;
        }
    }
    return from < to;
}

bool spaced_launches_rewrite(char *text, size_t length)
{
    struct source_lexer lexer;
    struct source_lexeme before = {.kind = SOURCE_END};
    bool is_changed = false;
    bool is_pair = false; /* `before` ends two of the same sign */

    source_lexer_init(&lexer, text, length);
    for (struct source_lexeme token = source_lexer_next(&lexer); token.kind != SOURCE_END;
         token = source_lexer_next(&lexer)) {
        bool is_sign = token.kind == SOURCE_SYMBOL &&
                       (token.symbol == '<' || token.symbol == '>') && token.end - token.start == 1;
        bool is_same = is_sign && before.kind == SOURCE_SYMBOL && before.symbol == token.symbol;
        if (is_same && is_pair && is_blank(text, before.end, token.start)) {
            text[token.start] = ' ';
            text[before.end] = (char)token.symbol;
            is_changed = true;
        }
        is_pair = is_same && before.end == token.start && before.end - before.start == 1;
        before = token;
    }
    return is_changed;
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

enum error spaced_launches_join(struct arena *arena, struct compile_plan *plan, const char *source,
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
        if (spaced_launches_rewrite(text, length)) {
            const char *contents = arena_printf(arena, "%s/joined-%zu", folder, i);
            error = file_write_atomic(contents, text, length, diagnostic);
            file_overlay_add(&overlay, reached->paths[i], contents, false);
            is_needed = true;
        }
    }
    if (error == ERROR_NONE && is_needed) {
        const char *file = arena_printf(arena, "%s/joined.yaml", folder);
        return file_overlay_use(&overlay, arena, plan, file, diagnostic);
    }
    file_overlay_drop(&overlay);
    return error;
}
