/* completion_zsh.c: completions of zsh, for _arguments. */
#include "install/completion.h"

static const char head[] =
    "#compdef gpugrade\n"
    "# gpugrade(1) completion for zsh; made from the tables of gpugrade's options\n"
    "\n"
    "_gpugrade() {\n"
    "    local curcontext=$curcontext state line ret=1\n"
    "    local -a commands\n"
    "    commands=(\n";

static const char middle[] =
    "    )\n"
    "    _arguments -C '(- *)'{-h,--help}'[show the commands]' \\\n"
    "        '(- *)--version[show the version]' \\\n"
    "        '1: :->command' '*:: :->rest' && ret=0\n"
    "    case $state in\n"
    "    command) _describe -t commands 'gpugrade command' commands && ret=0 ;;\n"
    "    rest)\n"
    "        case $words[1] in\n";

static const char tail[] = "        esac\n"
                           "        ;;\n"
                           "    esac\n"
                           "    return ret\n"
                           "}\n"
                           "\n"
                           "if [[ $funcstack[1] == _gpugrade ]]; then\n"
                           "    _gpugrade \"$@\"\n"
                           "else\n"
                           "    compdef _gpugrade gpugrade\n"
                           "fi\n";

/* Appends text inside of single quotes, where brackets and colons would mean something. */
static void append_quoted(const char *string, struct text *out)
{
    for (const char *at = string; *at != '\0'; at++) {
        if (*at == '\'') {
            text_append(out, "'\\''");
            continue;
        }
        if (*at == '[' || *at == ']' || *at == ':' || *at == '\\') {
            text_append_char(out, '\\');
        }
        text_append_char(out, *at);
    }
}

/* Appends ":what:action", the part of a specification for a value or an argument. */
static void append_action(const char *what, enum completion_kind kind, const struct option_row *row,
                          const struct completion_words *words, struct text *out)
{
    text_append_char(out, ':');
    append_quoted(what, out);
    text_append_char(out, ':');
    switch (kind) {
    case COMPLETES_NOTHING:
        text_append_char(out, ' ');
        break;
    case COMPLETES_FILES:
        text_append(out, "_files");
        break;
    case COMPLETES_FOLDERS:
        text_append(out, "_files -/");
        break;
    case COMPLETES_COURSEWORKS_OR_FILES:
        text_append(out, "_alternative \"files\\:file\\:_files\" \"ids\\:coursework\\:(");
        completion_append_words(kind, row, words, out);
        text_append(out, ")\"");
        break;
    default:
        text_append_char(out, '(');
        completion_append_words(kind, row, words, out);
        text_append_char(out, ')');
    }
}

/* '(-o --output)'{-o+,--output=}'[help]:RESULTS:_files -/' */
static void append_option(const struct option_row *row, const struct completion_words *words,
                          struct text *out)
{
    const char *join = row->argument[0] != '\0' ? "=" : "";

    text_append(out, " \\\n                ");
    if (row->letter[0] != '\0') {
        text_printf(out, "'(-%s --%s)'{-%s%s,--%s%s}'", row->letter, row->name, row->letter,
                    join[0] != '\0' ? "+" : "", row->name, join);
    } else {
        text_printf(out, "'--%s%s", row->name, join);
    }
    text_append_char(out, '[');
    append_quoted(row->help, out);
    text_append_char(out, ']');
    if (join[0] != '\0') {
        append_action(row->argument, completion_of_option(row), row, words, out);
    }
    text_append_char(out, '\'');
}

static void append_arguments(const struct command_row *command,
                             const struct completion_words *words, struct text *out)
{
    size_t count = completion_arguments(command);
    bool goes_on = command->takes_rest || command->positional_max > count;

    for (size_t i = 0; i < count; i++) {
        text_append(out, " \\\n                ");
        if (i + 1 == count && goes_on) {
            text_append(out, "'*");
        } else {
            text_printf(out, "'%zu", i + 1);
        }
        append_action(command->arguments, completion_of_argument(command, i), NULL, words, out);
        text_append_char(out, '\'');
    }
}

void completion_zsh(const struct completion_words *words, struct text *out)
{
    text_append(out, head);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        text_printf(out, "        '%s:", command->name);
        append_quoted(command->help, out);
        text_append(out, "'\n");
    }
    text_append(out, middle);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        text_printf(out, "        %s)\n            _arguments -s", command->name);
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const struct option_row *row = option_row((enum option)k, (enum command)i);
            if (row != NULL) {
                append_option(row, words, out);
            }
        }
        append_arguments(command, words, out);
        text_append(out, " && ret=0\n            ;;\n");
    }
    text_append(out, tail);
}
