/* completion_bash.c: completions of bash, version 4 or newer, without the package bash-completion.
 */
#include "install/completion.h"

static const char head[] =
    "# gpugrade(1) completion for bash; made from the tables of gpugrade's options\n"
    "\n"
    "# _gpugrade_offer KIND [WORDS]: the words that begin with $cur\n"
    "_gpugrade_offer() {\n"
    "    local i\n"
    "    case $1 in\n"
    "    words)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$cur\")\n"
    "        for i in \"${!COMPREPLY[@]}\"; do\n"
    "            printf -v 'COMPREPLY[i]' %q \"${COMPREPLY[i]}\"\n"
    "        done\n"
    "        ;;\n"
    "    folders)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
    "        ;;\n"
    "    files)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"; compgen -W \"$2\" -- \"$cur\")\n"
    "        ;;\n"
    "    esac\n"
    "}\n";

static const char tail[] =
    "\n"
    "# bash also splits words at '=': --device = auto. The arguments of the command are\n"
    "# counted, without options and their values.\n"
    "_gpugrade() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option='' count=0 i\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _gpugrade_offer words \"$(_gpugrade_commands) --help --version\"\n"
    "        return\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} == '=' ]]; then\n"
    "            continue\n"
    "        elif [[ -n $option ]]; then\n"
    "            option=''\n"
    "        elif [[ ${COMP_WORDS[i]} == -?* ]]; then\n"
    "            _gpugrade_takes_value \"$command ${COMP_WORDS[i]}\" && option=${COMP_WORDS[i]}\n"
    "        else\n"
    "            count=$((count + 1))\n"
    "        fi\n"
    "    done\n"
    "    if [[ $cur == '=' ]]; then\n"
    "        cur=''\n"
    "    fi\n"
    "    if [[ -n $option ]]; then\n"
    "        _gpugrade_value \"$command $option\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _gpugrade_offer words \"$(_gpugrade_options \"$command\")\"\n"
    "    else\n"
    "        _gpugrade_argument \"$command $count\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _gpugrade gpugrade\n";

/* Appends the call that offers what a kind stands for; false where there is nothing. */
static bool append_offer(enum completion_kind kind, const struct option_row *row,
                         const struct completion_words *words, struct text *out)
{
    if (kind == COMPLETES_NOTHING) {
        return false;
    }
    if (kind == COMPLETES_FOLDERS) {
        text_append(out, "_gpugrade_offer folders ;;\n");
        return true;
    }
    bool is_file = kind == COMPLETES_FILES || kind == COMPLETES_COURSEWORKS_OR_FILES;
    text_printf(out, "_gpugrade_offer %s '", is_file ? "files" : "words");
    completion_append_words(kind, row, words, out);
    text_append(out, "' ;;\n");
    return true;
}

/* A case of one command's option: "check --output" or, where it has a letter, also "check -o". */
static void append_pattern(const struct command_row *command, const struct option_row *row,
                           struct text *out)
{
    text_printf(out, "    '%s --%s'", command->name, row->name);
    if (row->letter[0] != '\0') {
        text_printf(out, " | '%s -%s'", command->name, row->letter);
    }
    text_append(out, ") ");
}

static void append_options(struct text *out)
{
    text_append(out, "\n_gpugrade_options() {\n    case $1 in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        text_printf(out, "    %s) echo '", command->name);
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const struct option_row *row = option_row((enum option)k, (enum command)i);
            if (row != NULL && row->letter[0] != '\0') {
                text_printf(out, "-%s ", row->letter);
            }
            if (row != NULL) {
                text_printf(out, "--%s ", row->name);
            }
        }
        text_append(out, "' ;;\n");
    }
    text_append(out, "    esac\n}\n");
}

static void append_values(const struct completion_words *words, struct text *out)
{
    struct text takes;

    text_init(&takes);
    text_append(out, "\n_gpugrade_value() {\n    case $1 in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        for (size_t k = 0; k < OPTION_COUNT; k++) {
            const struct option_row *row = option_row((enum option)k, (enum command)i);
            if (row == NULL || row->argument[0] == '\0') {
                continue;
            }
            append_pattern(command, row, &takes);
            text_append(&takes, "return 0 ;;\n");
            append_pattern(command, row, out);
            if (!append_offer(completion_of_option(row), row, words, out)) {
                text_append(out, ";;\n");
            }
        }
    }
    text_append(out, "    esac\n}\n\n_gpugrade_takes_value() {\n    case $1 in\n");
    text_append(out, takes.bytes);
    text_append(out, "    esac\n    return 1\n}\n");
    text_release(&takes);
}

static void append_arguments(const struct completion_words *words, struct text *out)
{
    text_append(out, "\n_gpugrade_argument() {\n    case $1 in\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *command = command_row((enum command)i);
        size_t count = completion_arguments(command);
        bool goes_on = command->takes_rest || command->positional_max > count;
        for (size_t k = 0; k < count; k++) {
            enum completion_kind kind = completion_of_argument(command, k);
            if (k + 1 == count && goes_on) {
                text_printf(out, "    '%s '*) ", command->name);
            } else {
                text_printf(out, "    '%s %zu') ", command->name, k);
            }
            if (!append_offer(kind, NULL, words, out)) {
                text_append(out, ";;\n");
            }
        }
    }
    text_append(out, "    esac\n}\n");
}

void completion_bash(const struct completion_words *words, struct text *out)
{
    text_append(out, head);
    text_append(out, "\n_gpugrade_commands() {\n    echo '");
    completion_append_words(COMPLETES_COMMANDS, NULL, words, out);
    text_append(out, "'\n}\n");
    append_options(out);
    append_values(words, out);
    append_arguments(words, out);
    text_append(out, tail);
}
