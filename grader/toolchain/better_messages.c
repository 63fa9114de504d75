/* better_messages.c: see better_messages.h. */
#include "toolchain/better_messages.h"

#include "base/arena.h"
#include "source/source_tokens.h"

#include <string.h>

/* A statement of more tokens is not looked through. */
enum { STATEMENT_TOKENS_MAX = 1000 };

/* The first error; NULL if there is none. */
static const struct tool_message *first_error(struct message_list list)
{
    return list.count > 0 && list.messages[0].is_error ? &list.messages[0] : NULL;
}

/* Counterparts **********************************************************************************/

static bool ends_statement(const struct source_tokens *tokens, size_t at)
{
    return token_is(tokens, at, TOKEN_SIGN, ";") || token_is(tokens, at, TOKEN_SIGN, "{") ||
           token_is(tokens, at, TOKEN_SIGN, "}");
}

/* True if no statement ends from the place of an error on to a later line. The error must stand at
 * a token of its line or behind one: a directive has none. */
static bool reaches(const struct source_tokens *tokens, const struct tool_message *error, int line)
{
    const size_t start = source_line_start(tokens, error->line);

    for (size_t i = start; i < tokens->count && tokens->tokens[i].line < line; i++) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_before = token->line == error->line && token->column < error->column;
        if (i - start == STATEMENT_TOKENS_MAX || (!is_before && ends_statement(tokens, i))) {
            return false;
        }
    }
    return start < tokens->count && tokens->tokens[start].line == error->line &&
           tokens->tokens[start].column <= error->column;
}

/* The tokens of the file [0] in which both compilers may stand. */
static void read_tokens(struct arena *arena, const struct message_sources *sources,
                        const char *name, struct source_tokens *out_tokens)
{
    struct source_file *file = arena_alloc(arena, sizeof *file);

    *out_tokens = (struct source_tokens){.count = 0};
    file->name = name;
    if (sources->text != NULL) {
        file->text = sources->text(sources->context, name, &file->length);
    }
    if (file->text != NULL) {
        source_tokens_read(arena, file, out_tokens);
        out_tokens->file = file;
    }
}

static bool is_counterpart(const struct source_tokens *tokens, const char *file,
                           const struct tool_message *of_nvcc, const struct tool_message *of_clang)
{
    if (of_nvcc->line == 0 || !of_clang->is_error || strcmp(of_nvcc->file, of_clang->file) != 0) {
        return false;
    }
    return of_nvcc->line == of_clang->line ||
           (of_clang->line > 0 && of_clang->line < of_nvcc->line &&
            strcmp(of_nvcc->file, file) == 0 && reaches(tokens, of_clang, of_nvcc->line));
}

/* The errors of clang's that are counterparts of errors of nvcc's; first of them that of nvcc's
 * first error, or nothing at all. */
static struct message_list find_counterparts(struct arena *arena, struct message_list of_nvcc,
                                             struct message_list of_clang,
                                             const struct source_tokens *tokens)
{
    struct tool_message *found = arena_array(arena, of_clang.count + 1, sizeof *found);
    const char *file = of_nvcc.messages[0].file;
    size_t first = 0;
    size_t count = 0;

    while (first < of_clang.count &&
           !is_counterpart(tokens, file, &of_nvcc.messages[0], &of_clang.messages[first])) {
        first++;
    }
    if (first < of_clang.count) {
        found[count++] = of_clang.messages[first];
    }
    for (size_t i = 0; count > 0 && i < of_clang.count; i++) {
        bool is_known = i == first;
        for (size_t k = 0; !is_known && k < of_nvcc.count && of_nvcc.messages[k].is_error; k++) {
            if (is_counterpart(tokens, file, &of_nvcc.messages[k], &of_clang.messages[i])) {
                found[count++] = of_clang.messages[i];
                is_known = true;
            }
        }
    }
    return (struct message_list){found, count};
}

/* The rule **************************************************************************************/

/* True for a text about where functions run or variables live, with no name of the C++ library. */
static bool is_of_spaces(const char *text)
{
    static const char *const words[] = {"__host__", "__device__", "__global__", "__shared__",
                                        "__constant__"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i]) != NULL) {
            return strstr(text, "std::") == NULL;
        }
    }
    return false;
}

static bool is_clang_better(const struct tool_message *of_nvcc, const struct tool_message *of_clang)
{
    return of_clang != NULL && (of_clang->line < of_nvcc->line || of_clang->fix_count > 0 ||
                                !is_of_spaces(of_nvcc->message));
}

/* What nvcc says, with what only clang knows of the same line. */
static struct tool_message completed(const struct tool_message *of_nvcc,
                                     const struct tool_message *of_clang)
{
    struct tool_message message = *of_nvcc;

    if (of_clang == NULL || message.line != of_clang->line) {
        return message;
    }
    message.column = message.column > 0 ? message.column : of_clang->column;
    if (message.note_count == 0) {
        message.notes = of_clang->notes;
        message.note_count = of_clang->note_count;
    }
    if (message.fix_count == 0) {
        message.fixes = of_clang->fixes;
        message.fix_count = of_clang->fix_count;
    }
    return message;
}

struct message_list better_messages(struct arena *arena, struct message_list of_nvcc,
                                    struct message_list of_clang,
                                    const struct message_sources *sources)
{
    const struct tool_message *nvcc = first_error(of_nvcc);
    struct source_tokens tokens;
    size_t count = 0;

    if (nvcc == NULL) {
        return of_nvcc;
    }
    struct arena *scratch = arena_new();
    read_tokens(scratch, sources, nvcc->file, &tokens);
    const struct message_list counterparts = find_counterparts(arena, of_nvcc, of_clang, &tokens);
    arena_free(scratch);
    const struct tool_message *clang = first_error(counterparts);
    const bool takes_clang = is_clang_better(nvcc, clang);
    struct tool_message *messages =
        arena_array(arena, of_nvcc.count + counterparts.count, sizeof *messages);
    for (size_t i = 0; takes_clang && i < counterparts.count; i++) {
        messages[count++] = counterparts.messages[i];
    }
    for (size_t i = 0; i < of_nvcc.count; i++) {
        const struct tool_message *message = &of_nvcc.messages[i];
        if (!message->is_error || !takes_clang) {
            messages[count++] = message == nvcc ? completed(message, clang) : *message;
        }
    }
    return (struct message_list){messages, count};
}
