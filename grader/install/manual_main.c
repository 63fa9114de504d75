/* manual_main.c: the program gpugrade-manual, which writes manual pages and completions while
 * gpugrade is built; it is not installed.
 *
 *     gpugrade-manual FOLDER DATE [COURSEWORK...]
 *
 *     FOLDER/man/gpugrade.1, gpugrade-check.1, ...
 *     FOLDER/completions/gpugrade.bash, _gpugrade, gpugrade.fish
 */
#include "base/file.h"
#include "install/completion.h"
#include "install/manual_page.h"

#include <stdio.h>
#include <string.h>

/* Writes a file and forgets its bytes; false after a message. */
static bool write_file(const char *folder, const char *name, struct text *text)
{
    struct diagnostic diagnostic = {.message = ""};
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    bool good = file_write_atomic(path.bytes, text->bytes, text->length, &diagnostic) == ERROR_NONE;
    if (!good) {
        fprintf(stderr, "gpugrade-manual: %s\n", diagnostic.message);
    }
    text_release(&path);
    text_clear(text);
    return good;
}

static bool write_pages(const char *folder, const char *date)
{
    struct text text, name;

    text_init(&text);
    text_init(&name);
    manual_page(GPUGRADE_VERSION, date, &text);
    bool good = write_file(folder, "man/gpugrade.1", &text);
    for (size_t i = 0; good && i < COMMAND_COUNT; i++) {
        text_clear(&name);
        text_printf(&name, "man/gpugrade-%s.1", command_name((enum command)i));
        manual_command_page((enum command)i, GPUGRADE_VERSION, date, &text);
        good = write_file(folder, name.bytes, &text);
    }
    text_release(&name);
    text_release(&text);
    return good;
}

static bool write_completions(const char *folder, char **courseworks, int count)
{
    struct text text, ids;

    text_init(&text);
    text_init(&ids);
    for (int i = 0; i < count; i++) {
        text_printf(&ids, "%s%s", i == 0 ? "" : " ", courseworks[i]);
    }
    const struct completion_words words = {.courseworks = ids.length == 0 ? "" : ids.bytes};
    completion_bash(&words, &text);
    bool good = write_file(folder, "completions/gpugrade.bash", &text);
    if (good) {
        completion_zsh(&words, &text);
        good = write_file(folder, "completions/_gpugrade", &text);
    }
    if (good) {
        completion_fish(&words, &text);
        good = write_file(folder, "completions/gpugrade.fish", &text);
    }
    text_release(&ids);
    text_release(&text);
    return good;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fputs("usage: gpugrade-manual FOLDER DATE [COURSEWORK...]\n", stderr);
        return 2;
    }
    return write_pages(arguments[1], arguments[2]) &&
                   write_completions(arguments[1], arguments + 3, count - 3)
               ? 0
               : 1;
}
