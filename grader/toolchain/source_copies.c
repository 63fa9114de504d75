/* source_copies.c: see source_copies.h. */
#include "toolchain/source_copies.h"

#include "base/file.h"
#include "base/text.h"
#include "toolchain/macro_alias.h"

#include <string.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)256 << 20)
#define SOURCE_BYTES_MAX ((size_t)8 << 20)

/* Writes a copy that the sandbox's user can read. */
static enum error write_copy(const char *path, const char *text, size_t length,
                             struct diagnostic *diagnostic)
{
    return file_write_mode(path, 0644, text, length, diagnostic) == ERROR_NONE ? ERROR_NONE
                                                                               : ERROR_ENVIRONMENT;
}

static enum error copy_file(struct arena *arena, const struct source_tree *tree,
                            const struct source_tree_file *file, const char *folder,
                            const char *changed, size_t length, struct diagnostic *diagnostic)
{
    const char *from = arena_printf(arena, "%s/%s", tree->folder, file->name);
    const char *to = arena_printf(arena, "%s/%s", folder, file->name);
    size_t folder_length = (size_t)(strrchr(to, '/') - to);

    if (folder_make(arena_strndup(arena, to, folder_length), 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    if (changed != file->text) {
        return write_copy(to, changed, length, diagnostic);
    }
    /* What stays as it is needs no second copy on the disk. */
    if (link(from, to) == 0 ||
        file_copy(from, to, 0644, FILE_BYTES_MAX, diagnostic) == ERROR_NONE) {
        return ERROR_NONE;
    }
    return ERROR_ENVIRONMENT;
}

void source_survey_make(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_program *program, struct source_survey *out_survey)
{
    size_t count = program->override_count;
    struct macro_location *locations = arena_array(arena, count + 1, sizeof *locations);
    const char **files = arena_array(arena, count + 1, sizeof *files);

    for (size_t i = 0; i < count; i++) {
        files[i] = "";
    }
    macro_alias_survey(arena, tree, program->overrides, count, locations, files);
    macro_alias_find(arena, tree, program->overrides, count, locations);
    *out_survey = (struct source_survey){locations, files};
}

enum error source_copies_make(struct arena *arena, const struct source_tree *tree,
                              const char *folder, const struct macro_values *values,
                              struct source_copies *out_copies, struct diagnostic *diagnostic)
{
    size_t count = values->count;
    const char **missing = arena_array(arena, count + 1, sizeof *missing);
    struct source_copies copies = {.folder = folder, .missing_macros = missing};
    enum error error =
        folder_make(folder, 0755, diagnostic) == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;

    for (size_t i = 0; i < tree->count && error == ERROR_NONE; i++) {
        const struct source_tree_file *file = &tree->files[i];
        const char *changed = file->text;
        size_t length = file->length;
        if (file->text != NULL) {
            changed = size_rewrite(arena, file->text, file->length, values, &length);
        }
        error = copy_file(arena, tree, file, folder, changed, length, diagnostic);
    }
    for (size_t i = 0; i < count; i++) {
        if (values->locations[i].kind < MACRO_OUTSIDE) {
            missing[copies.missing_count++] = values->overrides[i].name;
        }
    }
    *out_copies = copies;
    return error;
}

/* A line of a text, without its end; false if there is none. */
static bool find_line(const char *text, size_t length, int line, const char **out_start,
                      size_t *out_length)
{
    const char *end = text + length;

    for (int i = 1; i < line; i++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) {
            return false;
        }
        text = newline + 1;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    *out_start = text;
    *out_length = (size_t)((newline == NULL ? end : newline) - text);
    return true;
}

/* The column in a line for a column in its copy: what both begin with and what both end with is at
 * known places; 0 for what lies between. */
static int original_column(const char *line, size_t length, const char *copy, size_t copy_length,
                           int column)
{
    size_t place = (size_t)column - 1;
    size_t shorter = length < copy_length ? length : copy_length;
    size_t front = 0;
    size_t back = 0;

    while (front < shorter && line[front] == copy[front]) {
        front++;
    }
    if (place < front || (length == copy_length && front == shorter)) {
        return column;
    }
    while (back < shorter - front && line[length - 1 - back] == copy[copy_length - 1 - back]) {
        back++;
    }
    if (place >= copy_length - back && place <= copy_length) {
        return (int)(place + length - copy_length) + 1;
    }
    return 0;
}

static bool read_source(struct arena *arena, const char *folder, const char *file, char **out_text,
                        size_t *out_length)
{
    return file_read(arena, arena_printf(arena, "%s/%s", folder, file), SOURCE_BYTES_MAX,
                     BLAME_STUDENT, out_text, out_length, NULL) == ERROR_NONE;
}

void source_copies_place_messages(struct arena *arena, const struct source_copies *copies,
                                  const char *original_folder, struct tool_message *messages,
                                  size_t count)
{
    const char *known = NULL; /* the file whose texts are at hand */
    char *text = NULL, *copy = NULL;
    size_t length = 0, copy_length = 0;
    bool is_read = false;

    for (size_t i = 0; i < count; i++) {
        struct tool_message *message = &messages[i];
        const char *line, *copied_line;
        size_t line_length, copied_length;
        if (message->column <= 0 || message->file[0] == '/' || message->file[0] == '\0' ||
            strstr(message->file, "..") != NULL) {
            continue;
        }
        if (known == NULL || strcmp(known, message->file) != 0) {
            known = message->file;
            is_read = read_source(arena, original_folder, known, &text, &length) &&
                      read_source(arena, copies->folder, known, &copy, &copy_length);
        }
        bool is_found = is_read && find_line(text, length, message->line, &line, &line_length) &&
                        find_line(copy, copy_length, message->line, &copied_line, &copied_length);
        message->column = is_found ? original_column(line, line_length, copied_line, copied_length,
                                                     message->column)
                                   : 0;
    }
}
