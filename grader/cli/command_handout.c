/* command_handout.c: gathers what is handed out, then writes it; see command_handout.h.
 *
 *   student_template/<id>/   everything: the files with the TODOs, headers, the sheet, the Makefile
 *   student_template/        what the sheet links to as ../NAME, such as cuda.md; beside it then
 *   reference/<id>/          what the programs of the rubric name as their harness, beside it
 *   rubric.json              the rubric without its hidden parts, overlays merged
 *
 * The reference solution is not handed out, nor the oracle, whose list of mistakes is half a
 * solution. Everything is gathered before the first file is written.
 */
#include "cli/command_handout.h"

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "cli/result_file.h"
#include "coursework/fixture.h"
#include "model/harness_headers.h"
#include "submission/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { HARNESS_BYTES_MAX = 1 << 20 };

static const char rubric_name[] = "rubric.json";
static const char sheet_name[] = "README.md";

struct handout {
    struct arena *arena;
    const char *folder;
    const struct rubric *rubric;
    const char *course;        /* folder of a course of one's own; NULL: it is gpugrade's */
    const char *own_place;     /* where the course needs the rubric; NULL: nowhere */
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
        diagnostic_set(
            diagnostic, BLAME_RUBRIC,
            "the template of %s contains a file '%s', which the grader provides; rename it",
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

/* Adds the headers that the files include and that the template does not bring itself. */
static enum error add_headers(struct handout *handout, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < HARNESS_HEADERS && error == ERROR_NONE; i++) {
        const struct harness_header *header = &harness_headers[i];
        const struct intake_file file = {
            .name = header->name, .bytes = header->text, .length = strlen(header->text)};
        bool is_needed = false;
        for (size_t k = 0; k < handout->count; k++) {
            is_needed = is_needed || harness_header_is_in(header, handout->files[k].bytes);
        }
        if (is_needed && find_file(handout, header->name) == NULL) {
            error = add_file(handout, file, diagnostic);
        }
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

/* True for a rubric that those who check must name: an overlay that differs from what gpugrade
 * comes with, or one of a coursework of one's own. */
static bool must_be_named(const struct handout *handout)
{
    return text_starts_with(handout->rubric->public_options, "--rubric ");
}

/* Where a course of one's own needs the rubric, for students to check by it; NULL: it has it. */
static const char *find_own_place(const struct handout *handout)
{
    const struct rubric *rubric = handout->rubric;
    const char *name = arena_printf(handout->arena, "/rubrics/%s_students.json", rubric->id);
    const char *place = arena_printf(handout->arena, "%s%s", handout->course, name);
    char *bytes = NULL;
    size_t length = 0;

    if (!text_ends_with(rubric->public_options, name)) {
        return NULL;
    }
    bool has_it = file_read(handout->arena, place, HARNESS_BYTES_MAX, BLAME_USAGE, &bytes, &length,
                            NULL) == ERROR_NONE &&
                  length == rubric->public_length &&
                  memcmp(bytes, rubric->public_text, length) == 0;
    return has_it ? NULL : place;
}

static const char plain_command[] = "gpugrade check .";

/* How students check what they have written. */
static const char *check_command(const struct handout *handout)
{
    return must_be_named(handout) ? arena_printf(handout->arena, "%s %s", plain_command,
                                                 handout->rubric->public_options)
                                  : plain_command;
}

/* Writes the command into the sheet, wherever it has a line of its own. */
static void append_sheet(const struct handout *handout, const char *sheet, struct text *out)
{
    while (*sheet != '\0') {
        size_t length = strcspn(sheet, "\n");
        size_t blanks = strspn(sheet, " ");
        if (length - blanks == sizeof plain_command - 1 &&
            strncmp(sheet + blanks, plain_command, length - blanks) == 0) {
            text_printf(out, "%.*s%s", (int)blanks, sheet, check_command(handout));
        } else {
            text_printf(out, "%.*s", (int)length, sheet);
        }
        text_append(out, sheet[length] == '\n' ? "\n" : "");
        sheet += length + (sheet[length] == '\n' ? 1 : 0);
    }
}

/* Adds what the sheet links to in the folder above, and lets it link to the copy. */
static enum error add_linked(struct handout *handout, struct diagnostic *diagnostic)
{
    static const char link[] = "](../";
    const struct intake_file *sheet = find_file(handout, sheet_name);
    const size_t index = sheet == NULL ? 0 : (size_t)(sheet - handout->files);
    enum error error = ERROR_NONE;
    struct text text;

    if (sheet == NULL) {
        return ERROR_NONE;
    }
    text_init(&text);
    const char *rest = sheet->bytes;
    for (const char *at; error == ERROR_NONE && (at = strstr(rest, link)) != NULL;) {
        const char *name = at + strlen(link);
        const size_t length = strcspn(name, "/)#\n");
        struct intake_file file = {.name = arena_strndup(handout->arena, name, length)};
        const char *path =
            arena_printf(handout->arena, "%s/../%s", handout->rubric->template_folder, file.name);
        char *bytes = NULL;
        bool is_there = name[length] == ')' &&
                        file_read(handout->arena, path, HARNESS_BYTES_MAX, BLAME_ENVIRONMENT,
                                  &bytes, &file.length, NULL) == ERROR_NONE;
        file.bytes = bytes;
        text_printf(&text, "%.*s%s", (int)(at - rest), rest, is_there ? "](" : link);
        if (is_there && find_file(handout, file.name) == NULL) {
            error = add_file(handout, file, diagnostic);
        }
        rest = name;
    }
    text_append(&text, rest);
    handout->files[index].bytes = arena_strndup(handout->arena, text.bytes, text.length);
    handout->files[index].length = text.length;
    text_release(&text);
    return error;
}

/* Says how to check in the sheet. What decides whether a result is right is not handed out: of a
 * course of one's own it is in the course's folder alone. */
static void add_to_sheet(struct handout *handout)
{
    struct text text;

    for (size_t i = 0; i < handout->count; i++) {
        struct intake_file *file = &handout->files[i];
        if (strcmp(file->name, sheet_name) != 0 || !must_be_named(handout)) {
            continue;
        }
        text_init(&text);
        append_sheet(handout, file->bytes, &text);
        text_printf(&text, "\n## The rubric of this course\n\n`%s` says what is graded here. ",
                    rubric_name);
        text_append(
            &text,
            handout->course != NULL
                ? "A check needs the course folder, so use a machine that has it, and set COURSE "
                  "to its path\n(ask your instructor):\n\n    export COURSE=/path/of/the/course\n"
                : "Check with it:\n\n");
        text_printf(&text, "    %s\n", check_command(handout));
        file->bytes = arena_strndup(handout->arena, text.bytes, text.length);
        file->length = text.length;
        text_release(&text);
    }
}

static enum error write_files(const struct handout *handout, struct diagnostic *diagnostic)
{
    enum error error = folder_make_usual(handout->folder, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < handout->count; i++) {
        const struct intake_file *file = &handout->files[i];
        const char *path = arena_printf(handout->arena, "%s/%s", handout->folder, file->name);
        const char *slash = strrchr(path, '/');
        error = folder_make_usual(arena_strndup(handout->arena, path, (size_t)(slash - path)),
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
        error = add_linked(handout, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = add_harness(handout, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = add_headers(handout, diagnostic);
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
    const char *course = coursework_root(handout->arena, handout->rubric);
    if (strcmp(course, root) != 0) {
        handout->course = course;
        handout->own_place = find_own_place(handout);
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
    if (handout->own_place != NULL) {
        text_printf(&text, "copy %s/%s to %s, where students can read it\n", handout->folder,
                    rubric_name, handout->own_place);
    }
    text_printf(&text, "students check with: %s\n", check_command(handout));
    if (handout->course != NULL) {
        text_printf(&text, "they must be able to read the course folder: export COURSE=%s\n",
                    shell_word(handout->arena, handout->course));
    }
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
        diagnostic_set(
            &diagnostic, BLAME_USAGE,
            "handout needs a coursework and a folder: gpugrade handout COURSEWORK FOLDER");
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
