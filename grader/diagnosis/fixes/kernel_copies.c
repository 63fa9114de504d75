/* kernel_copies.c: see kernel_copies.h. */
#include "diagnosis/fixes/kernel_copies.h"

#include "base/text.h"
#include "source/source_edit.h"

#include <string.h>

enum {
    COPIED_FUNCTIONS_MAX = 12, /* of one change: the changed one, and those that use it */
    COPIED_BYTES_MAX = 1 << 22 /* of all copies together, before the changes */
};

/* The bytes of a function in its file, as whole lines. */
struct function_lines {
    size_t from, end;
};

static size_t line_start(const struct source_file *file, const char *at)
{
    size_t start = (size_t)(at - file->text);

    while (start > 0 && file->text[start - 1] != '\n') {
        start--;
    }
    return start;
}

static struct function_lines lines_of(const struct program_file *file,
                                      const struct source_function *function)
{
    const struct source_file *source = file->tokens.file;
    const struct source_token *last = &file->tokens.tokens[function->close - 1];
    const char *stop =
        memchr(last->text, '\n', source->length - (size_t)(last->text - source->text));

    return (struct function_lines){line_start(source, file->tokens.tokens[function->start].text),
                                   stop == NULL ? source->length
                                                : (size_t)(stop - source->text) + 1};
}

/* True if no other code is in the lines of a function. */
static bool owns_lines(const struct program_file *file, const struct source_function *function)
{
    const struct source_token *tokens = file->tokens.tokens;

    return (function->start == 0 ||
            tokens[function->start - 1].line < tokens[function->start].line) &&
           (function->close >= file->tokens.count ||
            tokens[function->close].line > tokens[function->close - 1].line);
}

const struct source_function *kernel_copies_function(const struct program_file *file,
                                                     const struct line_fixes *change)
{
    const struct source_token *tokens = file->tokens.tokens;

    for (size_t i = 0; i < file->functions.count && file->functions.is_certain; i++) {
        const struct source_function *function = &file->functions.items[i];
        bool is_inside = change->count > 0 && function->name > function->start;
        for (size_t j = 0; j < change->count && is_inside; j++) {
            const struct line_fix *line = &change->lines[j];
            const bool is_replaced = line->before != NULL && line->after != NULL;
            is_inside = strcmp(line->file, file->tokens.file->name) == 0 &&
                        line->line >= tokens[function->name].line + (is_replaced ? 0 : 1) &&
                        line->line < tokens[function->close - 1].line + (line->before != NULL);
        }
        if (is_inside) {
            bool is_of_device = function->is_kernel || function->is_device;
            return is_of_device && owns_lines(file, function) ? function : NULL;
        }
    }
    return NULL;
}

/* True if a function calls one of others, or has its name: a member of another type, which a
 * template may call too. */
static bool names_any(const struct program_file *file, const struct source_function *function,
                      const struct source_function *const *others, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        if (token_same_name(&file->tokens, function->name, others[j]->name)) {
            return true;
        }
    }
    for (size_t i = function->open; i < function->close; i++) {
        for (size_t j = 0; j < count; j++) {
            if (token_same_name(&file->tokens, i, others[j]->name)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_among(const struct source_function *function,
                     const struct source_function *const *others, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (others[i] == function) {
            return true;
        }
    }
    return false;
}

/* The functions that a change needs copies of, the changed one first: all that lead to it, so that
 * templates have the same instances, and static kernels are used. 0: they cannot be copied, or no
 * kernel is among them. */
static size_t list_functions(const struct program_file *file, const struct source_function *changed,
                             const struct source_function **out_functions)
{
    size_t count = 1;
    bool has_kernel = changed->is_kernel;

    out_functions[0] = changed;
    for (size_t before = 0; before < count;) {
        before = count;
        for (size_t i = 0; i < file->functions.count; i++) {
            const struct source_function *function = &file->functions.items[i];
            if (is_among(function, out_functions, count) ||
                !names_any(file, function, out_functions, count)) {
                continue;
            }
            if (!owns_lines(file, function) || count == COPIED_FUNCTIONS_MAX) {
                return 0;
            }
            has_kernel = has_kernel || function->is_kernel;
            out_functions[count++] = function;
        }
    }
    return has_kernel ? count : 0;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Appends the text of a function in which the names of the functions have the end of a variant. */
static void append_renamed(struct text *text, const char *bytes, size_t length,
                           const struct program_file *file,
                           const struct source_function *const *functions, size_t count,
                           const char *ending, size_t number)
{
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && is_of_name(bytes[end])) {
            end++;
        }
        if (end == i) {
            text_append_bytes(text, bytes + i++, 1);
            continue;
        }
        text_append_bytes(text, bytes + i, end - i);
        for (size_t j = 0; j < count; j++) {
            const struct source_token *name = &file->tokens.tokens[functions[j]->name];
            if (name->length == end - i && memcmp(name->text, bytes + i, end - i) == 0) {
                text_printf(text, "%s%zu", ending, number);
                break;
            }
        }
        i = end;
    }
}

/* The copies that follow one function. */
struct copying {
    struct arena *arena;
    const struct program_file *file;
    const struct line_fixes *changes;
    const char *ending;
    struct text text;
    int line; /* the next one of the text */
    struct copied_lines *lines;
    size_t line_count, line_capacity;
};

static void append(struct copying *copying, const char *bytes, size_t length)
{
    text_append_bytes(&copying->text, bytes, length);
    for (size_t i = 0; i < length; i++) {
        copying->line += bytes[i] == '\n';
    }
}

/* Appends the copy of a function that a change needs. False if the change does not apply. */
static bool append_copy(struct copying *copying, size_t change,
                        const struct source_function *const *functions, size_t count, size_t which)
{
    const struct source_file *source = copying->file->tokens.file;
    const struct function_lines own = lines_of(copying->file, functions[which]);
    const char *bytes = source->text + own.from;
    size_t length = own.end - own.from;
    struct arena *arena = arena_new(); /* for a whole changed file */
    struct text renamed;

    if (which == 0) {
        size_t whole = 0;
        const char *changed = line_fixes_apply(arena, &copying->changes[change], source, &whole);
        if (changed == NULL || whole < source->length - length) {
            arena_free(arena);
            return false;
        }
        bytes = changed + own.from;
        length = whole - (source->length - length);
    }
    text_init(&renamed);
    append_renamed(&renamed, bytes, length, copying->file, functions, count, copying->ending,
                   change);
    arena_free(arena);
    int first = copying->line;
    append(copying, renamed.bytes, renamed.length);
    if (renamed.length > 0 && renamed.bytes[renamed.length - 1] != '\n') {
        append(copying, "\n", 1);
    }
    text_release(&renamed);
    arena_grow(copying->arena, &copying->lines, &copying->line_capacity, copying->line_count + 1,
               sizeof *copying->lines);
    copying->lines[copying->line_count++] = (struct copied_lines){change, first, copying->line - 1};
    return true;
}

/* What one change needs. */
struct needed_copies {
    const struct source_function *functions[COPIED_FUNCTIONS_MAX]; /* [count] */
    size_t count;
};

/* Lists what one change needs, unless that is longer than *left, and takes its bytes off. */
static void list_needed(const struct program_file *file, const struct source_function *changed,
                        struct needed_copies *needed, size_t *left)
{
    size_t bytes = 0;

    needed->count = list_functions(file, changed, needed->functions);
    for (size_t i = 0; i < needed->count; i++) {
        const struct function_lines lines = lines_of(file, needed->functions[i]);
        bytes += lines.end - lines.from;
    }
    if (bytes > *left) {
        needed->count = 0;
        return;
    }
    *left -= bytes;
}

struct kernel_copies kernel_copies_make(struct arena *arena, const struct program_file *file,
                                        const struct line_fixes *changes, const bool *wanted,
                                        size_t count, const char *ending)
{
    const struct source_file *source = file->tokens.file;
    struct copying copying = {
        .arena = arena, .file = file, .changes = changes, .ending = ending, .line = 1};
    struct needed_copies *needed = arena_array(arena, count, sizeof *needed);
    size_t from = 0;
    size_t left = COPIED_BYTES_MAX;
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        const struct source_function *function =
            wanted[i] ? kernel_copies_function(file, &changes[i]) : NULL;
        if (function != NULL) {
            list_needed(file, function, &needed[i], &left);
        }
        taken += needed[i].count > 0 ? 1 : 0;
    }
    text_init(&copying.text);
    for (size_t f = 0; f < file->functions.count; f++) {
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < needed[i].count; k++) {
                if (needed[i].functions[k] != &file->functions.items[f]) {
                    continue;
                }
                const size_t end = lines_of(file, needed[i].functions[k]).end;
                append(&copying, source->text + from, end - from);
                from = end;
                if (source->text[end - 1] != '\n') {
                    append(&copying, "\n", 1);
                }
                (void)append_copy(&copying, i, needed[i].functions, needed[i].count, k);
            }
        }
    }
    append(&copying, source->text + from, source->length - from);
    const char *text = arena_strndup(arena, copying.text.bytes, copying.text.length);
    size_t length = copying.text.length;
    text_release(&copying.text);
    return (struct kernel_copies){text, length, copying.lines, copying.line_count, taken};
}
