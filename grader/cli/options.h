/* options.h: the command line as a table of values; see options.def and commands.def. */
#ifndef GPUGRADE_CLI_OPTIONS_H
#define GPUGRADE_CLI_OPTIONS_H

#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum command {
#define COMMAND(name, word, arguments, positional_max, takes_rest, ready, help) COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
    COMMAND_COUNT
};

enum option {
#define OPTION(name, word, letter, argument, choices, commands, fallback, help) OPTION_##name,
#include "cli/options.def"
#undef OPTION
    OPTION_COUNT
};

enum { POSITIONAL_MAX = 2 };

/* One command line. The strings are those of main's arguments. */
struct options {
    enum command command;
    bool given[OPTION_COUNT];
    const char *values[OPTION_COUNT]; /* NULL where not given; "" for a switch */
    const char *positional[POSITIONAL_MAX];
    size_t positional_count;
    const char *const *rest; /* [rest_count] and NULL: what is handed on */
    size_t rest_count;
};

/* Reads the arguments behind the program's name. `--name value` and `--name=value` are the same,
 * and so are, where an option has a letter, `-x value` and `-xvalue`; `--` ends the options. The
 * commands that are not ready take anything, so that their answer is the same whatever follows.
 * Errors, all of them usage: ERROR_NOT_FOUND (an unknown command or option), ERROR_SYNTAX (a
 * missing, superfluous or repeated value), ERROR_RANGE (not among the choices). */
enum error options_parse(int count, const char *const *arguments, struct options *out_options,
                         struct diagnostic *diagnostic);

/* Finds a command by its word; false if there is none. */
bool command_find(const char *word, enum command *out_command);

const char *command_name(enum command command);
bool command_is_ready(enum command command);

/* Appends the list of commands, or a command's usage line and its options. */
void options_help(struct text *out);
void options_command_help(enum command command, struct text *out);

#endif
