/* command_handout.c: gathers what is handed out, then writes it; see command_handout.h.
 *
 *   student_template/<id>/   everything: the files with the TODOs, headers, the sheet, the Makefile
 *   reference/<id>/          what the programs of the rubric name as their harness, beside it
 *   rubric.json              the rubric without its hidden parts, overlays merged
 *
 * The reference solution is not handed out, nor the oracle, whose list of mistakes is half a
 * solution. Everything is gathered before the first file is written.
 */
#include "cli/command_handout.h"

#include "base/file.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "cli/result_file.h"
#include "submission/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { HARNESS_BYTES_MAX = 1 << 20 };

static const char rubric_name[] = "rubric.json";

struct handout {
    struct arena *arena;
    const char *folder;
    const struct rubric *rubric;
    struct intake_file *files; /* [count] */
    size_t count, capacity;
};

static const struct intake_file *find_file(const struct handout *handout, const char *name)
{
    for (size_t i = 0; i < handout->count; i++) {
        if (strcmp(handout->files[i].name, name) == 0) {
            return &handout->files[i];
        }
    }
    return NULL;
}

static enum error add_file(struct handout *handout, struct intake_file file,
                           struct diagnostic *diagnostic)
{
    if (find_file(handout, file.name) != NULL) {
        diagnostic_set(diagnostic, BLAME_RUBRIC,
                       "the template of %s holds a file '%s', which the grader provides; rename it",
                       handout->rubric->id, file.name);
        return ERROR_RANGE;
    }
    arena_grow(handout->arena, &handout->files, &handout->capacity, handout->count + 1,
               sizeof *handout->files);
    handout->files[handout->count++] = file;
    return ERROR_NONE;
}

static enum error add_template(struct handout *handout, struct diagnostic *diagnostic)
{
    const char *folder = handout->rubric->template_folder;
    const struct intake_source source = {.shown = folder, .path = folder};
    struct intake_files files;
    enum error error = intake_read(handout->arena, &source, &files, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < files.count; i++) {
        error = add_file(handout, files.files[i], diagnostic);
    }
    return error;
}

/* Adds the files that programs of the rubric are linked to, each once. */
static enum error add_harness(struct handout *handout, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = handout->rubric;
    size_t first = handout->count;

    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].harness_count; j++) {
            struct intake_file file = {.name = rubric->programs[i].harness[j]};
            const struct intake_file *old = find_file(handout, file.name);
            char *bytes = NULL;
            if (old != NULL && (size_t)(old - handout->files) >= first) {
                continue;
            }
            enum error error = file_read(
                handout->arena,
                arena_printf(handout->arena, "%s/%s", rubric->reference_folder, file.name),
                HARNESS_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &file.length, diagnostic);
            file.bytes = bytes;
            if (error == ERROR_NONE) {
                error = add_file(handout, file, diagnostic);
            }
            if (error != ERROR_NONE) {
                return error;
            }
        }
    }
    return ERROR_NONE;
}

/* How students check what they have written. */
static const char *check_command(const struct handout *handout)
{
    const char *options = handout->rubric->public_options;
    bool is_own = strstr(options, rubric_name) != NULL;

    return is_own ? arena_printf(handout->arena, "gpugrade check . %s", options)
                  : "gpugrade check .";
}

/* A rubric that differs from the one that gpugrade comes with must be named by those who check. */
static void add_to_sheet(struct handout *handout)
{
    for (size_t i = 0; i < handout->count; i++) {
        struct intake_file *file = &handout->files[i];
        if (strcmp(file->name, "README.md") == 0 &&
            strstr(handout->rubric->public_options, rubric_name) != NULL) {
            file->bytes = arena_printf(handout->arena,
                                       "%s\n## The rubric of this course\n\n"
                                       "`%s` says what is graded here. Check with it:\n\n    %s\n",
                                       file->bytes, rubric_name, check_command(handout));
            file->length = strlen(file->bytes);
        }
    }
}

static enum error write_files(const struct handout *handout, struct diagnostic *diagnostic)
{
    enum error error = folder_make(handout->folder, 0777, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < handout->count; i++) {
        const struct intake_file *file = &handout->files[i];
        const char *path = arena_printf(handout->arena, "%s/%s", handout->folder, file->name);
        const char *slash = strrchr(path, '/');
        error = folder_make(arena_strndup(handout->arena, path, (size_t)(slash - path)), 0777,
                            diagnostic);
        if (error == ERROR_NONE) {
            error = file_write_atomic(path, file->bytes, file->length, diagnostic);
        }
    }
    return error;
}

static enum error make_handout(struct handout *handout, const char *root, const char *coursework,
                               const char *rubric_path, struct diagnostic *diagnostic)
{
    enum error error = result_folder_check(handout->folder, diagnostic);

    if (error == ERROR_NONE) {
        error = coursework_load(handout->arena, root, coursework, rubric_path, &handout->rubric,
                                diagnostic);
    }
    if (error == ERROR_NONE && strcmp(handout->rubric->id, coursework) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' is a rubric of %s, not of %s", rubric_path,
                       handout->rubric->id, coursework);
        error = ERROR_RANGE;
    }
    if (error == ERROR_NONE) {
        error = add_template(handout, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = add_harness(handout, diagnostic);
    }
    if (error == ERROR_NONE) {
        const struct intake_file file = {.name = rubric_name,
                                         .bytes = handout->rubric->public_text,
                                         .length = handout->rubric->public_length};
        error = add_file(handout, file, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    add_to_sheet(handout);
    return write_files(handout, diagnostic);
}

static int tell(const struct handout *handout)
{
    const struct rubric *rubric = handout->rubric;
    struct text text;
    int status = EXIT_PASSED;

    text_init(&text);
    text_printf(&text, "%s, rubric %" PRId64 ": %zu files in %s\n", rubric->id, rubric->version,
                handout->count, handout->folder);
    for (size_t i = 0; i < handout->count; i++) {
        text_printf(&text, "   %s\n", handout->files[i].name);
    }
    if (rubric_hides(rubric)) {
        text_printf(&text, "left out: %zu hidden cases, %zu hidden criteria\n",
                    rubric->hidden_case_count, rubric->hidden_criterion_count);
    }
    text_printf(&text, "students check with: %s\n", check_command(handout));
    if (!console_write(STDOUT_FILENO, &text)) {
        console_complain("environment: the list of files cannot be written: %s", strerror(errno));
        status = EXIT_GRADER;
    }
    text_release(&text);
    return status;
}

int command_handout(const struct options *options)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct arena *arena = arena_new();
    struct locations locations;
    struct handout handout = {.arena = arena};
    enum error error = ERROR_NONE;
    int status;

    if (options->positional_count < 2) {
        diagnostic_set(&diagnostic, BLAME_USAGE,
                       "handout takes a coursework and a folder: gpugrade handout matmul FOLDER");
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = locations_find(arena, &locations, &diagnostic);
    }
    if (error == ERROR_NONE) {
        handout.folder = options->positional[1];
        error = make_handout(&handout, locations.root, options->positional[0],
                             options->values[OPTION_HANDOUT_RUBRIC], &diagnostic);
    }
    status = error == ERROR_NONE ? tell(&handout) : (int)console_report(&diagnostic);
    arena_free(arena);
    return status;
}
