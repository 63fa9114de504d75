/* print_run.c: one run of a program for what it prints; see session.h. */
#include "session/session.h"

#include "base/file.h"
#include "base/text.h"
#include "model/braces.h"
#include "model/case.h"
#include "session/connection.h"

#include <string.h>

/* Reads what the program wrote to a file of its folder, which may be anything. */
static void read_file(const struct connection *connection, const char *name,
                      struct print_run *out_run)
{
    const struct session_config *config = connection->config;
    const size_t limit = config->rubric->limits.program_output_bytes;
    const char *copy = arena_printf(connection->arena, "%s.file", connection->run_folder);
    char *bytes = NULL;

    if (file_copy(arena_printf(connection->arena, "%s/%s", connection->run_folder, name), copy,
                  0600, limit, NULL) == ERROR_NONE &&
        file_read(connection->arena, copy, limit, BLAME_GRADER, &bytes, &out_run->file_length,
                  NULL) == ERROR_NONE) {
        out_run->file = bytes;
    }
}

/* A line of the printout, as its case fills it. */
static const char *filled(const struct session_config *config, struct arena *arena,
                          const struct rubric_printout *printout, const struct print_run *run,
                          const char *text)
{
    return printout->has_case
               ? text_or_empty(braces_fill_case(arena, config->rubric, run->parameters, text))
               : text;
}

enum error session_run_print(const struct session_config *config, struct arena *arena,
                             const struct rubric_printout *printout, struct print_run *out_run,
                             struct diagnostic *diagnostic)
{
    struct session_config own = *config;
    struct connection connection;
    struct connection_event event = {0};
    const char **arguments = arena_array(arena, printout->argument_count + 1, sizeof *arguments);
    struct given_file *files = arena_array(arena, printout->file_count + 1, sizeof *files);

    memset(out_run, 0, sizeof *out_run);
    if (printout->has_case) {
        case_draw_first(arena, config->rubric, config->seed, printout->case_index,
                        out_run->parameters);
    }
    for (size_t i = 0; i < printout->argument_count; i++) {
        arguments[i] = filled(config, arena, printout, out_run, printout->arguments[i]);
    }
    for (size_t i = 0; i < printout->file_count; i++) {
        files[i] = printout->files[i];
        if (printout->has_case) {
            files[i].bytes = filled(config, arena, printout, out_run, files[i].bytes);
            files[i].length = strlen(files[i].bytes);
        }
    }
    own.files = files;
    own.file_count = printout->file_count;
    own.keeps_files = printout->file != NULL || printout->file_count > 0;
    enum error error = connection_open(&own, arena, NULL, arguments, printout->argument_count,
                                       &connection, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < printout->input_count; i++) {
        const char *line = filled(config, arena, printout, out_run, printout->input[i]);
        connection_write(&connection, line, strlen(line));
        connection_write(&connection, "\n", 1);
    }
    connection_close_input(&connection);
    while (error == ERROR_NONE && event.kind != CONTROL_EVENT_GONE &&
           event.kind != CONTROL_EVENT_BROKEN) {
        error = connection_resume(&connection, &event, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_finish(&connection, "", &out_run->activity, diagnostic);
    }
    if (error == ERROR_NONE && printout->file != NULL) {
        read_file(&connection, printout->file, out_run);
    }
    connection_close(&connection);
    return error;
}
