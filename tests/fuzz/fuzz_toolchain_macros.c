/* fuzz_toolchain_macros.c: the data are a source. Sizes are given to what it defines and to what
 * that stands for: its lines keep their number, it changes exactly if something is defined that can
 * have a value, its tokens lie in it, and nothing is read behind its end. */
#include "source/source_lexer.h"
#include "source/source_tokens.h"
#include "toolchain/macro_alias.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OVERRIDES = 3 };

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += text[i] == '\n' ? 1 : 0;
    }
    return count;
}

/* Lexemes lie one behind the other, and each directive has an end. */
static void check_lexemes(const char *text, size_t length)
{
    struct source_lexer lexer;
    struct source_lexeme token;
    size_t end = 0;
    int directives = 0;

    source_lexer_init(&lexer, text, length);
    do {
        token = source_lexer_next(&lexer);
        directives += token.kind == SOURCE_DIRECTIVE ? 1 : 0;
        directives -= token.kind == SOURCE_DIRECTIVE_END ? 1 : 0;
        bool is_empty = token.kind == SOURCE_END || token.kind == SOURCE_DIRECTIVE_END;
        if (token.start < end || token.end < token.start || token.end > length ||
            is_empty != (token.end == token.start) || directives < 0 || directives > 1) {
            __builtin_trap();
        }
        end = token.end;
    } while (token.kind != SOURCE_END);
}

/* Tokens lie in the text, in its order, and are as many as were counted. */
static void check_tokens(struct arena *arena, const char *text, size_t length)
{
    const struct source_file file = {"a.cu", text, length};
    struct source_tokens tokens;
    const char *end = text;

    source_tokens_read(arena, &file, &tokens);
    if (tokens.count != source_tokens_count(&file)) {
        __builtin_trap();
    }
    for (size_t i = 0; i < tokens.count; i++) {
        const struct source_token *token = &tokens.tokens[i];
        if (token->text < end || token->text + token->length > text + length || token->line < 1 ||
            token->column < 1) {
            __builtin_trap();
        }
        end = token->text + token->length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rubric_override overrides[OVERRIDES] = {
        {.name = "A_WIDTH"}, {.name = "BLOCK_SIZE"}, {.name = "min"}};
    static const int64_t values[][OVERRIDES] = {{1, 2, 3}, {INT32_MIN, INT32_MAX, -1}};
    struct arena *arena = arena_new();
    char *text = malloc(size > 0 ? size : 1);
    struct macro_location locations[OVERRIDES] = {{.kind = MACRO_UNSEEN}};

    if (size > 0) {
        memcpy(text, data, size);
    }
    check_lexemes(text, size);
    check_tokens(arena, text, size);
    macro_survey(arena, text, size, overrides, OVERRIDES, locations);
    for (size_t i = 0; i < OVERRIDES; i++) {
        if (locations[i].kind != MACRO_UNSEEN &&
            (locations[i].line < 1 || (size_t)locations[i].line > count_lines(text, size) + 1)) {
            __builtin_trap();
        }
    }
    struct source_tree_file file = {.name = "a.cu", .text = text, .length = size};
    const struct source_tree tree = {.folder = ".", .files = &file, .count = 1};
    file.is_reached = true;
    macro_alias_find(arena, &tree, overrides, OVERRIDES, locations);
    for (size_t i = 0; i < 2; i++) {
        size_t length = 0;
        const struct macro_values given = {overrides, OVERRIDES, values[i], locations};
        const char *changed = size_rewrite(arena, text, size, &given, &length);
        bool is_changed = false;
        for (size_t k = 0; k < OVERRIDES; k++) {
            is_changed |= locations[k].kind == MACRO_OUTSIDE;
        }
        if (count_lines(changed, length) != count_lines(text, size) ||
            is_changed != (changed != text) || (is_changed && changed[length] != '\0')) {
            __builtin_trap();
        }
    }
    free(text);
    arena_free(arena);
    return 0;
}
