/* command_validate.c: see command_validate.h. What is found goes to standard output, what cannot be
 * looked at to standard error; the other files are looked at all the same. */
#include "cli/command_validate.h"

#include "cli/console.h"
#include "cli/input_file.h"
#include "cli/locations.h"
#include "cli/validate_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 64 << 20 };

struct session {
    const char *root;
    const struct schema_row *row; /* that --schema names; NULL: each file says */
    size_t passed, failed, skipped;
    int status;
    bool is_cut; /* a line could not be printed */
};

static void print(struct session *session, const struct text *lines)
{
    session->is_cut = !console_write(STDOUT_FILENO, lines) || session->is_cut;
}

/* Says why a file was not looked at; of several such statuses the largest counts. */
static void complain(struct session *session, const struct diagnostic *diagnostic)
{
    int status = (int)console_report(diagnostic);

    session->status = status > session->status ? status : session->status;
    session->skipped++;
}

static enum error read_file(struct validated *file, const char *path, struct diagnostic *diagnostic)
{
    char *bytes = NULL;
    enum error error =
        input_file_read(file->arena, path, FILE_BYTES_MAX, &bytes, &file->length, diagnostic);

    file->bytes = bytes;
    return error;
}

/* "FAIL  FILE: a score, 2 mistakes", and the mistakes. */
static void show(struct session *session, const struct validated *file, const char *what,
                 const struct verdict_lines *verdict)
{
    const char *line = verdict->text.bytes;
    struct text out;

    text_init(&out);
    text_append(&out, verdict->mistakes == 0 ? "ok    " : "FAIL  ");
    text_append_printable(&out, file->shown, strlen(file->shown), false);
    text_printf(&out, ": %s", what);
    if (verdict->mistakes > 0) {
        text_printf(&out, ", %zu mistake%s", verdict->mistakes, verdict->mistakes == 1 ? "" : "s");
    }
    text_append_char(&out, '\n');
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        text_printf(&out, "      %.*s\n", (int)(end - line), line);
    }
    print(session, &out);
    text_release(&out);
    *(verdict->mistakes == 0 ? &session->passed : &session->failed) += 1;
}

/* A file that is no JSON, so that nobody can say what it was meant to be. */
static void show_unreadable(struct session *session, const struct validated *file,
                            const struct diagnostic *diagnostic)
{
    struct verdict_lines verdict = {.mistakes = 1};

    text_init(&verdict.text);
    text_printf(&verdict.text, "%d:%d: ", diagnostic->line, diagnostic->column);
    text_append_printable(&verdict.text, diagnostic->message, strlen(diagnostic->message), false);
    text_append_char(&verdict.text, '\n');
    show(session, file, "no JSON", &verdict);
    text_release(&verdict.text);
}

static void validate_one(struct session *session, const char *path)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct verdict_lines verdict;
    struct validated file = {
        .arena = arena_new(),
        .root = session->root,
        .shown = input_file_name(path),
        .path = strcmp(path, "-") == 0 ? NULL : path,
    };
    const struct schema_row *row = session->row;
    enum error error = read_file(&file, path, &diagnostic);

    if (error == ERROR_NONE && row == NULL) {
        error = schema_recognise(&file, &row, &diagnostic);
        if (error == ERROR_SYNTAX) {
            show_unreadable(session, &file, &diagnostic);
            arena_free(file.arena);
            return;
        }
    }
    if (error == ERROR_NONE) {
        error = validate_file(&file, row, &verdict, &diagnostic);
    }
    if (error == ERROR_NONE) {
        show(session, &file, row->what, &verdict);
        text_release(&verdict.text);
    } else {
        complain(session, &diagnostic);
    }
    arena_free(file.arena);
}

static int validate_all(struct session *session, const struct options *options)
{
    struct text line;

    for (size_t i = 0; i < options->positional_count; i++) {
        validate_one(session, options->positional[i]);
    }
    if (session->passed + session->failed > 0) { /* else there is nothing to sum up */
        text_init(&line);
        text_printf(&line, "%zu passed, %zu failed, %zu skipped\n", session->passed,
                    session->failed, session->skipped);
        print(session, &line);
        text_release(&line);
    }
    if (session->is_cut) {
        console_complain("environment: what was found cannot be written: %s", strerror(errno));
        return EXIT_GRADER;
    }
    if (session->status != EXIT_PASSED) {
        return session->status;
    }
    return session->failed > 0 ? EXIT_SOME_FAILED : EXIT_PASSED;
}

int command_validate(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct locations locations;
    struct session session = {.status = EXIT_PASSED};
    int status;

    if (options->positional_count == 0) {
        diagnostic_set(&diagnostic, BLAME_USAGE,
                       "validate takes files: gpugrade validate score.json");
        status = (int)console_report(&diagnostic);
    } else if (locations_find(arena, &locations, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        session.root = locations.root;
        session.row =
            options->given[OPTION_SCHEMA] ? schema_find(options->values[OPTION_SCHEMA]) : NULL;
        status = validate_all(&session, options);
    }
    arena_free(arena);
    return status;
}
