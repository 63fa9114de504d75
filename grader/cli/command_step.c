/* command_step.c: a check of a submission, or a run of a program, that logs one block and writes
 * its page instead of the report; see command_step.h. */
#include "cli/command_step.h"

#include "cli/check_request.h"
#include "cli/command_check.h"
#include "cli/command_run.h"
#include "cli/console.h"
#include "cli/run_request.h"
#include "cli/step_target.h"

static int step_program(struct arena *arena, const struct options *options,
                        const struct step_target *target)
{
    struct run_request request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (options->given[OPTION_HTML]) {
        console_complain("--html is for the report on a submission; leave it out");
        return EXIT_USAGE;
    }
    if (run_request_make(arena, options, &request, &diagnostic) != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    request.step = target;
    return command_run_request(&request);
}

static int step_submission(struct arena *arena, const struct options *options,
                           const struct step_target *target)
{
    struct check_request request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (options->positional_count > 1) {
        console_complain("step takes one submission; arguments are for a .cu file");
        return EXIT_USAGE;
    }
    if (check_request_make(arena, options, &request, &diagnostic) != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    request.step = target;
    request.device = DEVICE_EMULATED;
    return command_check_request(&request);
}

int command_step(const struct options *options)
{
    struct arena *arena = arena_new();
    struct step_target target;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    const char *name = options->positional_count > 0 ? options->positional[0] : ".";
    int status;

    if (step_target_read(arena, options, &target, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else if (text_ends_with(name, ".cu")) {
        status = step_program(arena, options, &target);
    } else {
        status = step_submission(arena, options, &target);
    }
    arena_free(arena);
    return status;
}
