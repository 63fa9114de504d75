/* command_courses.c: see command_courses.h. */
#include "cli/command_courses.h"

#include "base/text.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* "scan.cu" or "exercise1_add.cu, exercise2_saxpy.cu" */
static void append_sources(const struct rubric *rubric, struct text *out)
{
    const char *separator = "";

    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t k = 0; k < rubric->programs[i].source_count; k++) {
            text_printf(out, "%s%s", separator, rubric->programs[i].sources[k]);
            separator = ", ";
        }
    }
}

static void append_coursework(const struct rubric *rubric, struct text *out)
{
    text_printf(out, "%s: %s\n", rubric->id, rubric->title);
    if (rubric->about[0] != '\0') {
        text_printf(out, "    %s\n", rubric->about);
    }
    text_append(out, "    files: ");
    append_sources(rubric, out);
    text_append(out, "\n");
}

int command_courses(const struct options *options)
{
    struct arena *arena = arena_new();
    const struct rubric *const *rubrics = NULL;
    struct diagnostic diagnostic;
    struct locations locations;
    struct text text;
    size_t count = 0;
    int status = EXIT_PASSED;

    (void)options;
    text_init(&text);
    enum error error = locations_find(arena, &locations, &diagnostic);
    if (error == ERROR_NONE) {
        error = coursework_list(arena, locations.root, &rubrics, &count, &diagnostic);
    }
    for (size_t i = 0; error == ERROR_NONE && i < count; i++) {
        append_coursework(rubrics[i], &text);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else if (!console_write(STDOUT_FILENO, &text)) {
        console_complain("environment: the list cannot be written: %s", strerror(errno));
        status = EXIT_GRADER;
    }
    text_release(&text);
    arena_free(arena);
    return status;
}
