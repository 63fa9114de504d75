/* command_new.c: see command_new.h and coursework/skeleton.h. */
#include "cli/command_new.h"

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/locations.h"
#include "coursework/skeleton.h"
#include "model/harness_headers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What lies in a new coursework, for the list on the screen. */
static const struct {
    const char *path; /* %s: the id */
    const char *what;
} places[] = {
    {"rubrics/%s.json", "what is graded, on which sizes, for how many points"},
    {"reference/%s/main.cu", "the program around a student's file"},
    {"reference/%s/oracle.c", "the right results, and well-known mistakes"},
    {"reference/%s/solution/", "the reference solution"},
    {"student_template/%s/", "what students receive: the task, a header, a file to fill in"},
    {"tests/submissions/%s/",
     "example submissions, right and wrong, each with the verdict that it must get"},
};

enum { PATH_COLUMN = 40 };

/* True if the files hold one at or below a path. */
static bool holds(const struct intake_file *files, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        if (text_starts_with(files[i].name, path)) {
            return true;
        }
    }
    return false;
}

static bool tell(struct arena *arena, const char *id, const char *folder,
                 const struct intake_file *files, size_t count)
{
    const char *prefix = strcmp(folder, ".") == 0 ? "" : arena_printf(arena, "%s/", folder);
    const char *rubric = shell_word(arena, arena_printf(arena, "%srubrics/%s.json", prefix, id));
    struct text text;

    text_init(&text);
    text_printf(&text, "%s: %zu files in %s\n", id, count, folder);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *rest = strstr(places[i].path, "%s") + strlen("%s");
        const char *path = arena_printf(arena, "%.*s%s%s",
                                        (int)(strlen(places[i].path) - strlen(rest) - strlen("%s")),
                                        places[i].path, id, rest);
        size_t length = strlen(path);
        if (!holds(files, count, path)) {
            continue;
        }
        text_printf(&text, "   %s", path);
        text_append_repeated(&text, ' ', length < PATH_COLUMN ? PATH_COLUMN - length : 1);
        text_printf(&text, " %s\n", places[i].what);
    }
    text_append(&text, "It works as it is. To check it:\n");
    text_printf(&text, "   gpugrade lint %s\n", rubric);
    text_append(&text, "Change one file at a time, and lint again (gpugrade's docs/rubrics.md is a "
                       "guide).\nTo write what students receive:\n");
    text_printf(&text, "   gpugrade handout %s FOLDER --rubric %s\n", id, rubric);
    text_append(&text, "To grade a submission:\n");
    text_printf(&text, "   gpugrade check SUBMISSION --rubric %s\n", rubric);
    bool written = console_write(STDOUT_FILENO, &text);
    if (!written) {
        console_complain("environment: the list of files cannot be written: %s", strerror(errno));
    }
    text_release(&text);
    return written;
}

/* Adds the headers that the files include beside the harness, so that it builds by plain nvcc. */
static void add_headers(struct arena *arena, const char *id, const struct intake_file **files,
                        size_t *count)
{
    struct intake_file *all = arena_array(arena, *count + HARNESS_HEADERS, sizeof *all);

    memcpy(all, *files, *count * sizeof *all);
    for (size_t i = 0; i < HARNESS_HEADERS; i++) {
        const struct harness_header *header = &harness_headers[i];
        bool is_needed = false;
        for (size_t k = 0; k < *count; k++) {
            is_needed = is_needed || harness_header_is_in(header, all[k].bytes);
        }
        if (is_needed) {
            all[(*count)++] = (struct intake_file){
                .name = arena_printf(arena, "reference/%s/%s", id, header->name),
                .bytes = header->text,
                .length = strlen(header->text),
            };
        }
    }
    *files = all;
}

/* Writes the files of a shape under the id. `like` is NULL for a map. A program is a map but for
 * its own files. */
static enum error make(struct arena *arena, const char *id, const char *like, const char *folder,
                       const struct intake_file **out_files, size_t *out_count,
                       struct diagnostic *diagnostic)
{
    bool is_map = like == NULL || strcmp(like, "map") == 0;
    const char *shape = is_map ? "skeleton" : arena_printf(arena, "like/%s", like);
    bool is_program = !is_map && strcmp(like, "program") == 0;
    struct locations locations;
    enum error error = skeleton_check_id(id, diagnostic);

    if (error == ERROR_NONE) {
        error = locations_find(arena, &locations, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = skeleton_read(
            arena, arena_printf(arena, "%s/rubrics/%s", locations.root, shape),
            is_program ? arena_printf(arena, "%s/rubrics/skeleton", locations.root) : NULL, id,
            out_files, out_count, diagnostic);
    }
    if (error == ERROR_NONE) {
        add_headers(arena, id, out_files, out_count);
    }
    return error != ERROR_NONE ? error
                               : skeleton_write(arena, folder, *out_files, *out_count, diagnostic);
}

int command_new(const struct options *options)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct arena *arena = arena_new();
    const char *folder = options->positional_count > 1 ? options->positional[1] : ".";
    enum error error = ERROR_NONE;
    const struct intake_file *files = NULL;
    size_t count = 0;
    int status;

    if (options->positional_count == 0) {
        diagnostic_set(&diagnostic, BLAME_USAGE,
                       "new needs an id for the coursework, and a folder unless it is this one: "
                       "gpugrade new vector_add FOLDER");
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = make(arena, options->positional[0], options->values[OPTION_LIKE], folder, &files,
                     &count, &diagnostic);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status =
            tell(arena, options->positional[0], folder, files, count) ? EXIT_PASSED : EXIT_GRADER;
    }
    arena_free(arena);
    return status;
}
