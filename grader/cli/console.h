/* console.h: the only place that writes to standard output and standard error. */
#ifndef GPUGRADE_CLI_CONSOLE_H
#define GPUGRADE_CLI_CONSOLE_H

#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>

/* Exit statuses of the command line. On a signal it is 128 + its number. */
enum exit_status {
    EXIT_PASSED = 0,
    EXIT_SOME_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_GRADER = 3,
    EXIT_NOTHING_GRADED = 4,
};

/* Opens standard input, output and error on /dev/null if they are closed, so that no other file
 * ever gets their numbers. Makes writing to a closed pipe an error instead of a signal. */
void console_init(void);

/* True if SIGPIPE was ignored before console_init; a program that gpugrade runs gets that back. */
bool console_pipe_was_ignored(void);

/* Writes everything. A closed pipe does not count as a failure; false if writing failed. */
bool console_write(int fd, const struct text *text);

/* Prints "gpugrade: " and the message, made printable, to standard error. */
void console_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a diagnostic with its place and who is to blame; returns the exit status for it. */
enum exit_status console_report(const struct diagnostic *diagnostic);

/* True if text on `fd` should be coloured. This depends on `when` ("auto", "always",
 * "never"), then on NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM and whether it is a terminal. */
bool console_color(int fd, const char *when);

/* True if `fd` is a terminal whose last line can be erased and written again. */
bool console_redraws(int fd);

/* Goes to the start of the line and erases it. */
#define CONSOLE_ERASE_LINE "\r\033[K"

/* Columns of the terminal on `fd`; 0 if it is not a terminal. */
int console_columns(int fd);

#endif
