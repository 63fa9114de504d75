/* options.h: the command line as a table of values; see options.def and commands.def. */
#ifndef GPUGRADE_CLI_OPTIONS_H
#define GPUGRADE_CLI_OPTIONS_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum command {
#define COMMAND(name, word, arguments, positional_max, takes_rest, help) COMMAND_##name,
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

/* A row of commands.def and one of options.def; the files say what the columns mean. */
struct command_row {
    const char *name;
    const char *arguments;
    size_t positional_max;
    bool takes_rest;
    const char *help;
};
struct option_row {
    const char *name;
    const char *letter;
    const char *argument;
    const char *choices;
    unsigned commands;
    const char *fallback;
    const char *help;
};

enum { POSITIONAL_MAX = 64 };

/* One command line. The strings are those of main's arguments. */
struct options {
    enum command command;
    bool given[OPTION_COUNT];
    const char *values[OPTION_COUNT]; /* NULL where not given; "" for a switch */
    const char *positional[POSITIONAL_MAX];
    size_t positional_count;
    const char *const *rest; /* [rest_count] and NULL: passed on unread */
    size_t rest_count;
};

/* Reads the arguments after the program's name. `--name value` and `--name=value` are the same; for
 * an option with a letter, so are `-x value` and `-xvalue`. `--` ends the options. Errors, all of
 * them usage: ERROR_NOT_FOUND (an unknown command or option), ERROR_SYNTAX (a missing, superfluous
 * or repeated value), ERROR_RANGE (not one of the choices). */
enum error options_parse(int count, const char *const *arguments, struct options *out_options,
                         struct diagnostic *diagnostic);

/* Finds a command by its word; false if there is none. */
bool command_find(const char *word, enum command *out_command);

/* Reports that no command has this word, and which one was probably meant; usage. */
void command_unknown(const char *word, struct diagnostic *diagnostic);

/* Reads the number after -j; 0 if it is not given. Error: ERROR_RANGE, which is usage. */
enum error options_jobs(const struct options *options, size_t *out_jobs,
                        struct diagnostic *diagnostic);

const char *command_name(enum command command);

/* The tables; install/ makes manual pages and completions of them too. NULL for an option that the
 * command does not take. */
const struct command_row *command_row(enum command command);
const struct option_row *option_row(enum option option, enum command command);

/* The text below a command's options in --help: lines that end with a newline; "" for none. */
const char *command_note(enum command command);

/* Goes through the exit statuses of a command: *at is 0 at first; false after the last one. */
bool command_status(enum command command, size_t *at, const char **out_status,
                    const char **out_text);

/* Appends the list of commands, or a command's usage line and its options. */
void options_help(struct text *out);
void options_command_help(enum command command, struct text *out);

#endif
