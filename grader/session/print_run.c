/* print_run.c: one run of a program for what it prints; see session.h. */
#include "session/session.h"

#include "session/connection.h"

#include <string.h>

enum error session_run_print(const struct session_config *config, struct arena *arena,
                             const struct rubric_printout *printout, struct print_run *out_run,
                             struct diagnostic *diagnostic)
{
    struct connection connection;
    struct connection_event event = {0};

    memset(out_run, 0, sizeof *out_run);
    enum error error = connection_open(config, arena, NULL, printout->arguments,
                                       printout->argument_count, &connection, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < printout->input_count; i++) {
        connection_write(&connection, printout->input[i], strlen(printout->input[i]));
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
    connection_close(&connection);
    return error;
}
