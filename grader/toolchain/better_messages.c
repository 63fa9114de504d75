/* better_messages.c: see better_messages.h. */
#include "toolchain/better_messages.h"

#include "base/arena.h"

#include <string.h>

/* The first error; NULL if there is none. */
static const struct tool_message *first_error(struct message_list list)
{
    return list.count > 0 && list.messages[0].is_error ? &list.messages[0] : NULL;
}

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
    if (of_clang == NULL || of_nvcc == NULL) {
        return false;
    }
    if (of_nvcc->line == 0 || of_clang->line == 0) {
        return of_clang->line > 0;
    }
    if (strcmp(of_nvcc->file, of_clang->file) != 0) {
        return false;
    }
    if (of_nvcc->line != of_clang->line) {
        return of_clang->line < of_nvcc->line;
    }
    return of_clang->fix_count > 0 || !is_of_spaces(of_nvcc->message);
}

/* What nvcc says, with what only clang knows of the same line. */
static struct tool_message completed(const struct tool_message *of_nvcc,
                                     const struct tool_message *of_clang)
{
    struct tool_message message = *of_nvcc;

    if (of_clang == NULL || message.line == 0 || message.line != of_clang->line ||
        strcmp(message.file, of_clang->file) != 0) {
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
                                    struct message_list of_clang)
{
    const struct tool_message *nvcc = first_error(of_nvcc);
    const struct tool_message *clang = first_error(of_clang);
    const bool takes_clang = is_clang_better(nvcc, clang);
    struct tool_message *messages =
        arena_array(arena, of_nvcc.count + of_clang.count, sizeof *messages);
    size_t count = 0;

    for (size_t i = 0; takes_clang && i < of_clang.count && of_clang.messages[i].is_error; i++) {
        messages[count++] = of_clang.messages[i];
    }
    for (size_t i = 0; i < of_nvcc.count; i++) {
        const struct tool_message *message = &of_nvcc.messages[i];
        if (!message->is_error || !takes_clang) {
            messages[count++] = message == nvcc ? completed(message, clang) : *message;
        }
    }
    return (struct message_list){messages, count};
}
