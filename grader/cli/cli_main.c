/* cli_main.c: finds the command and runs it. */
#include "cli/command_batch.h"
#include "cli/command_check.h"
#include "cli/command_convert.h"
#include "cli/command_courses.h"
#include "cli/command_doctor.h"
#include "cli/command_explain.h"
#include "cli/command_forget.h"
#include "cli/command_handout.h"
#include "cli/command_lint.h"
#include "cli/command_mark.h"
#include "cli/command_new.h"
#include "cli/command_regrade.h"
#include "cli/command_report.h"
#include "cli/command_run.h"
#include "cli/command_step.h"
#include "cli/command_term.h"
#include "cli/command_watch.h"
#include "cli/console.h"
#include "cli/options.h"

#include <unistd.h>

static int show(struct text *text)
{
    int status = console_write(STDOUT_FILENO, text) ? EXIT_PASSED : EXIT_GRADER;

    text_release(text);
    return status;
}

static int command_help(const struct options *options)
{
    struct text text;
    enum command command;

    text_init(&text);
    if (options->command != COMMAND_HELP) {
        options_command_help(options->command, &text);
    } else if (options->positional_count == 0) {
        options_help(&text);
    } else if (command_find(options->positional[0], &command)) {
        options_command_help(command, &text);
    } else {
        struct diagnostic diagnostic;
        command_unknown(options->positional[0], &diagnostic);
        text_release(&text);
        return (int)console_report(&diagnostic);
    }
    return show(&text);
}

static int command_version(void)
{
    struct text text;

    text_init(&text);
    text_append(&text, "gpugrade " GPUGRADE_VERSION "\n");
    return show(&text);
}

int main(int argument_count, char **arguments)
{
    struct options options;
    struct diagnostic diagnostic;

    console_init();
    if (options_parse(argument_count - 1, (const char *const *)arguments + 1, &options,
                      &diagnostic) != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    if (options.given[OPTION_HELP] || options.command == COMMAND_HELP) {
        return command_help(&options);
    }
    switch (options.command) {
    case COMMAND_VERSION:
        return command_version();
    case COMMAND_BATCH:
        return command_batch(&options);
    case COMMAND_CONVERT:
        return command_convert(&options);
    case COMMAND_COURSES:
        return command_courses(&options);
    case COMMAND_DOCTOR:
        return command_doctor(&options);
    case COMMAND_EXPLAIN:
        return command_explain(&options);
    case COMMAND_FORGET:
        return command_forget(&options);
    case COMMAND_HANDOUT:
        return command_handout(&options);
    case COMMAND_LINT:
        return command_lint(&options);
    case COMMAND_MARK:
        return command_mark(&options);
    case COMMAND_NEW:
        return command_new(&options);
    case COMMAND_TERM:
        return command_term(&options);
    case COMMAND_REGRADE:
        return command_regrade(&options);
    case COMMAND_REPORT:
        return command_report(&options);
    case COMMAND_RUN:
        return command_run(&options);
    case COMMAND_STEP:
        return command_step(&options);
    case COMMAND_WATCH:
        return command_watch(&options);
    default:
        return command_check(&options);
    }
}
