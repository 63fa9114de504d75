/* command_convert.c: see command_convert.h.
 *
 *     SCORE --score_read--> report --emit_report--> bytes --> FILE, or standard output
 *
 * Nothing is graded, and nothing is read but SCORE; the time of grading is when SCORE was written.
 */
#include "cli/command_convert.h"

#include "cli/console.h"
#include "cli/input_file.h"
#include "cli/result_file.h"
#include "report/platform/emit.h"
#include "report/platform/emit_parts.h"
#include "report/score/score_read.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SCORE_BYTES_MAX = 16 << 20 };

struct convert_request {
    const char *score;  /* "-": standard input */
    const char *output; /* "-": standard output */
    const struct emit_format *format;
    struct emit_options options;
};

/* The folder with a slash behind it. */
static enum error make_prefix(struct arena *arena, const char *folder, const char **out_prefix,
                              struct diagnostic *diagnostic)
{
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    const char *name = arena_strndup(arena, folder, length);
    if (strcmp(name, ".") == 0) {
        *out_prefix = "";
        return ERROR_NONE;
    }
    if (!emit_is_inside(name)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--prefix takes the folder of the submission, relative to the top of its "
                       "repository, such as hw3; got '%s'",
                       folder);
        return ERROR_RANGE;
    }
    *out_prefix = arena_printf(arena, "%s/", name);
    return ERROR_NONE;
}

static int64_t time_of(const char *score)
{
    struct stat status;

    if (strcmp(score, "-") == 0 || stat(score, &status) != 0) {
        return (int64_t)time(NULL);
    }
    return (int64_t)status.st_mtime;
}

static enum error make_request(struct arena *arena, const struct options *options,
                               struct convert_request *out, struct diagnostic *diagnostic)
{
    const bool has_output = options->given[OPTION_CONVERT_OUTPUT];
    const bool has_prefix = options->given[OPTION_PREFIX];

    if (options->positional_count == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "convert needs a score that 'gpugrade check --json FILE' wrote: gpugrade "
                       "convert FILE --to gradescope");
        return ERROR_SYNTAX;
    }
    if (!options->given[OPTION_TO]) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "convert needs --to FMT; 'gpugrade help convert' lists the formats");
        return ERROR_SYNTAX;
    }
    *out = (struct convert_request){
        .score = options->positional[0],
        .output = has_output ? options->values[OPTION_CONVERT_OUTPUT] : "-",
        .format = emit_format_find(options->values[OPTION_TO]),
        .options = {.path_prefix = "", .time = time_of(options->positional[0])},
    };
    enum error error = result_file_check(arena, "output", out->output, diagnostic);
    if (error == ERROR_NONE && has_prefix) {
        error = make_prefix(arena, options->values[OPTION_PREFIX], &out->options.path_prefix,
                            diagnostic);
    }
    return error;
}

static enum error read_report(struct arena *arena, const char *path, struct report *out_report,
                              struct diagnostic *diagnostic)
{
    char *bytes = NULL;
    size_t length = 0;
    enum error error = input_file_read(arena, path, SCORE_BYTES_MAX, &bytes, &length, diagnostic);

    return error != ERROR_NONE
               ? error
               : score_read(arena, bytes, length, input_file_name(path), out_report, diagnostic);
}

/* A part must not be taken for the whole: false, with a message, if the format gives a mark. */
static bool may_be_part(const struct convert_request *request, const struct report *report)
{
    if (report->only == NULL) {
        return true;
    }
    if (request->format->use == EMIT_MARK) {
        console_complain("%s grades only the criterion '%s' (check --only), and %s would take it "
                         "for the whole mark; convert the score of a check without --only",
                         input_file_name(request->score), report->only, request->format->name);
        return false;
    }
    console_complain("%s grades only the criterion '%s' (check --only): this is not the score of "
                     "the whole submission",
                     input_file_name(request->score), report->only);
    return true;
}

static int write_format(struct arena *arena, const struct convert_request *request,
                        const struct report *report)
{
    struct text text;

    if (!may_be_part(request, report)) {
        return EXIT_USAGE;
    }
    if (report->rubric->reports_hidden && request->format->audience == EMIT_FOR_STUDENT) {
        console_complain("%s was made for an instructor, and its details may reveal hidden parts: "
                         "only points, statuses and codes of visible criteria are written; for "
                         "details, convert the score of a check without --as instructor",
                         input_file_name(request->score));
    }
    text_init(&text);
    emit_report(request->format, report, &request->options, arena, &text);
    int status = result_file_write(request->output, &text) ? EXIT_PASSED : EXIT_GRADER;
    text_release(&text);
    return status;
}

int command_convert(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct convert_request request;
    struct report report;
    int status;

    enum error error = make_request(arena, options, &request, &diagnostic);
    if (error == ERROR_NONE) {
        error = read_report(arena, request.score, &report, &diagnostic);
    }
    status = error != ERROR_NONE ? (int)console_report(&diagnostic)
                                 : write_format(arena, &request, &report);
    arena_free(arena);
    return status;
}
