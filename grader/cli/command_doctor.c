/* command_doctor.c: examines in a supervised child, which also writes the results; see
 * command_doctor.h.
 */
#include "cli/command_doctor.h"

#include "cli/console.h"
#include "cli/locations.h"
#include "cli/result_file.h"
#include "cli/supervise.h"
#include "doctor/doctor.h"
#include "report/score/doctor_json.h"
#include "report/terminal/doctor_terminal.h"
#include "rubric/rubric_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct doctor_request {
    struct locations locations;
    enum sandbox_tier tier;
    const char *color;
    const char *json_path; /* NULL: none; "-": standard output */
};

static void send_stage(void *context, const char *stage)
{
    const int *fd = context;

    supervise_stage(*fd, stage);
}

static enum sandbox_tier tier_of(const char *word)
{
    static const enum sandbox_tier tiers[] = {SANDBOX_A, SANDBOX_B, SANDBOX_C};

    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        if (strcmp(sandbox_tier_name(tiers[i]), word) == 0) {
            return tiers[i];
        }
    }
    return SANDBOX_AUTO;
}

/* Writes the JSON and the screen; false if one of them could not be stored. */
static bool write_results(const struct doctor_request *request, const struct doctor_report *report)
{
    bool json_on_stdout = request->json_path != NULL && strcmp(request->json_path, "-") == 0;
    int screen_fd = json_on_stdout ? STDERR_FILENO : STDOUT_FILENO;
    bool written = true;
    struct text text;

    text_init(&text);
    if (request->json_path != NULL) {
        doctor_json(report, &text);
        written = result_file_write(request->json_path, &text);
    }
    text_clear(&text);
    doctor_terminal(report, console_color(screen_fd, request->color), &text);
    if (!console_write(screen_fd, &text)) {
        console_complain("environment: the report cannot be written: %s", strerror(errno));
        written = false;
    }
    text_release(&text);
    return written;
}

/* The task of the supervised child, whose TMPDIR is a private folder. */
static int examine_and_write(void *context, int stage_fd)
{
    const struct doctor_request *request = context;
    struct arena *arena = arena_new();
    struct doctor_report report;
    const struct doctor_config config = {
        .tier = request->tier,
        .helper_folder = request->locations.helper_folder,
        .device_path = request->locations.device_path,
        .library_folder = request->locations.library_folder,
        .header_folder = request->locations.header_folder,
        .limits = rubric_default_limits(),
        .work_folder = getenv("TMPDIR"),
        .progress = send_stage,
        .progress_context = &stage_fd,
    };

    doctor_examine(&config, arena, &report);
    send_stage(&stage_fd, "");
    bool written = write_results(request, &report);
    arena_free(arena);
    return written && report.is_sound ? EXIT_PASSED : EXIT_GRADER;
}

int command_doctor(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct doctor_request request = {
        .tier = options->given[OPTION_SANDBOX] ? tier_of(options->values[OPTION_SANDBOX])
                                               : SANDBOX_AUTO,
        .color = options->given[OPTION_COLOR] ? options->values[OPTION_COLOR] : "auto",
        .json_path = options->values[OPTION_DOCTOR_JSON],
    };
    enum error error = ERROR_NONE;
    int status;

    if (request.json_path != NULL) {
        error = result_file_check(arena, "json", request.json_path, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = locations_find(arena, &request.locations, &diagnostic);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = supervise(examine_and_write, &request, NULL, NULL);
    }
    arena_free(arena);
    return status;
}
