/* command_forget.c: see command_forget.h. Like `regrade` it changes nothing without --apply. */
#include "cli/command_forget.h"

#include "base/file.h"
#include "batch/store.h"
#include "cli/console.h"
#include "report/display_text.h"

#include <unistd.h>

/* What RESULTS do not hold, and would bring the student back or keep what was written. */
static void append_remains(struct arena *arena, const char *folder, struct text *out)
{
    const char *slurm = arena_printf(arena, "%s/slurm", folder);

    text_append(out, "remove by hand: the files in the folder of submissions and the line of the "
                     "roster, or the next batch brings them back; pages and tables that you "
                     "wrote, and copies of RESULTS\n");
    if (folder_exists(slurm)) {
        text_append(out, "remove by hand: ");
        display_append_foreign(out, slurm);
        text_append(out, ", which holds parts of the class\n");
    }
}

static void append_forgotten(const struct store_forgotten *forgotten, const char *student,
                             bool is_done, struct text *out)
{
    text_append(out, is_done ? "removed: " : "to be removed: ");
    display_append_foreign(out, student);
    text_printf(out, ", with submissions: %zu, decisions: %zu\n", forgotten->submissions,
                forgotten->decisions);
    if (forgotten->shared > 0) {
        text_printf(out, "results that stay, because others handed in the same files: %zu\n",
                    forgotten->shared);
    }
}

static enum error forget(struct arena *arena, const struct options *options, struct text *out,
                         struct diagnostic *diagnostic)
{
    const struct store_people *people = NULL;
    struct store_forgotten forgotten;
    struct store_student student;
    struct store *store = NULL;
    bool applies = options->given[OPTION_APPLY];
    enum error error = store_open(options->positional[0], STORE_WRITE, &store, diagnostic);

    if (error == ERROR_NONE) {
        error = store_people(store, arena, &people, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_find_student(people, options->positional[1], &student, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_forget(store, student.id, applies, &forgotten, diagnostic);
    }
    if (error == ERROR_NONE) {
        append_forgotten(&forgotten, student.student, applies, out);
        append_remains(arena, options->positional[0], out);
        text_append(out, applies ? "" : "nothing is removed yet; add --apply to remove it\n");
    }
    store_close(store);
    return error;
}

int command_forget(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_USAGE};
    enum error error = ERROR_SYNTAX;
    struct text out;
    int status;

    text_init(&out);
    if (options->positional_count < 2) {
        diagnostic_set(&diagnostic, BLAME_USAGE,
                       "forget needs a folder and a student: gpugrade forget RESULTS STUDENT");
    } else {
        error = forget(arena, options, &out, &diagnostic);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = console_write(STDOUT_FILENO, &out) ? EXIT_PASSED : EXIT_GRADER;
    }
    text_release(&out);
    arena_free(arena);
    return status;
}
