/* completion_fish.c: completions of fish; each line of "complete" is one option or argument. */
#include "install/completion.h"

static const char head[] =
    "# gpugrade(1) completion for fish; made from the tables of gpugrade's options\n"
    "\n"
    "# True if there is no command yet.\n"
    "function __gpugrade_bare\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "\n"
    "# True if the command is one of the arguments.\n"
    "function __gpugrade_is\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; and contains -- $words[2] $argv\n"
    "end\n"
    "\n"
    "complete -c gpugrade -f\n"
    "complete -c gpugrade -n __gpugrade_bare -s h -l help -d 'show the commands'\n"
    "complete -c gpugrade -n __gpugrade_bare -l version -d 'show the version'\n";

static void append_quoted(const char *string, struct text *out)
{
    text_append_char(out, '\'');
    for (const char *at = string; *at != '\0'; at++) {
        if (*at == '\'' || *at == '\\') {
            text_append_char(out, '\\');
        }
        text_append_char(out, *at);
    }
    text_append_char(out, '\'');
}

/* Appends what follows "complete ..." for a kind. */
static void append_offer(enum completion_kind kind, const struct option_row *row,
                         const struct completion_words *words, struct text *out)
{
    if (kind == COMPLETES_FILES || kind == COMPLETES_COURSEWORKS_OR_FILES) {
        text_append(out, " -F");
    }
    if (kind == COMPLETES_FOLDERS) {
        text_append(out, " -a '(__fish_complete_directories)'");
    } else if (kind != COMPLETES_NOTHING && kind != COMPLETES_FILES) {
        text_append(out, " -a '");
        completion_append_words(kind, row, words, out);
        text_append_char(out, '\'');
    }
}

static void append_option(const struct command_row *command, const struct option_row *row,
                          const struct completion_words *words, struct text *out)
{
    text_printf(out, "complete -c gpugrade -n '__gpugrade_is %s'", command->name);
    if (row->letter[0] != '\0') {
        text_printf(out, " -s %s", row->letter);
    }
    text_printf(out, " -l %s", row->name);
    if (row->argument[0] != '\0') {
        enum completion_kind kind = completion_of_option(row);
        text_append(out, kind == COMPLETES_FILES ? " -r" : " -x");
        append_offer(kind, row, words, out);
    }
    text_append(out, " -d ");
    append_quoted(row->help, out);
    text_append_char(out, '\n');
}

/* fish does not count arguments: what any of a command's arguments may be is offered for all. */
static void append_arguments(const struct command_row *command,
                             const struct completion_words *words, struct text *out)
{
    unsigned done = 0;

    for (size_t i = 0; i < completion_arguments(command); i++) {
        enum completion_kind kind = completion_of_argument(command, i);
        if (kind == COMPLETES_NOTHING || (done & (1u << kind)) != 0) {
            continue;
        }
        done |= 1u << kind;
        text_printf(out, "complete -c gpugrade -n '__gpugrade_is %s'", command->name);
        append_offer(kind, NULL, words, out);
        text_append_char(out, '\n');
    }
}

void completion_fish(const struct completion_words *words, struct text *out)
{
    text_append(out, head);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        text_printf(out, "\ncomplete -c gpugrade -n __gpugrade_bare -a %s -d ", command->name);
        append_quoted(command->help, out);
        text_append_char(out, '\n');
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const struct option_row *row = option_row((enum option)k, (enum command)i);
            if (row != NULL) {
                append_option(command, row, words, out);
            }
        }
        append_arguments(command, words, out);
    }
}
