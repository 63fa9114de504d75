/* command_term.c: see command_term.h. What is written tells marks of people, so only its owner can
 * read it. */
#include "cli/command_term.h"

#include "base/file.h"
#include "batch/store.h"
#include "batch/term_file.h"
#include "batch/term_totals.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "cli/page_folder.h"
#include "cli/result_file.h"
#include "report/class/class_page.h"
#include "report/class/leaderboard_page.h"
#include "report/class/term_page.h"

#include <string.h>
#include <sys/stat.h>

enum { MASK_OF_OTHERS = 077 };

/* Reads the class of one RESULTS, with all that its page shows. */
static enum error read_class(struct arena *arena, const char *root, const char *folder,
                             struct class_results *out_results, struct diagnostic *diagnostic)
{
    struct store *store = NULL;
    struct store_rubric stored;
    const struct rubric *rubric = NULL;
    enum error error = store_open(folder, STORE_READ, &store, diagnostic);

    if (error == ERROR_NONE) {
        error = coursework_stored(arena, root, store, &stored, &rubric, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_class(store, arena, rubric, false, out_results, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_pairs(store, arena, out_results, diagnostic);
    }
    store_close(store);
    return error;
}

static enum error read_classes(struct arena *arena, struct term *term,
                               struct diagnostic *diagnostic)
{
    struct locations locations;
    enum error error = locations_find(arena, &locations, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < term->coursework_count; i++) {
        struct term_coursework *coursework = &term->courseworks[i];
        struct class_results *results = arena_alloc(arena, sizeof *results);
        char *folder = arena_strdup(arena, coursework->folder);
        for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--) {
            folder[end - 1] = '\0';
        }
        error = read_class(arena, locations.root, folder, results, diagnostic);
        results->term = term->title;
        coursework->results = results;
        coursework->page = arena_printf(arena, "%zu-%s", i + 1,
                                        page_file_name(arena, path_name(folder), i, false));
        if (results->ranked_by != RANKED_BY_NOTHING) {
            results->board_page = arena_printf(arena, "leaderboard-%s", coursework->page);
        }
    }
    return error;
}

static bool write_one(struct arena *arena, const char *folder, const char *name,
                      struct text *content)
{
    bool is_written = result_file_write(arena_printf(arena, "%s/%s", folder, name), content);

    text_clear(content);
    return is_written;
}

static bool write_all(struct arena *arena, const char *folder, const struct term_results *results)
{
    const struct term *term = results->term;
    struct text text;
    bool is_written = true;

    text_init(&text);
    for (size_t i = 0; is_written && i < term->coursework_count; i++) {
        const struct class_results *class = term->courseworks[i].results;
        class_page(class, &text);
        is_written = write_one(arena, folder, term->courseworks[i].page, &text);
        if (is_written && class->board_page != NULL) {
            leaderboard_page(class, &text);
            is_written = write_one(arena, folder, class->board_page, &text);
        }
    }
    if (is_written) {
        term_csv(results, &text);
        is_written = write_one(arena, folder, "term.csv", &text);
    }
    if (is_written) {
        term_page(results, &text);
        is_written = write_one(arena, folder, "index.html", &text);
    }
    text_release(&text);
    return is_written;
}

static int make_term(struct arena *arena, const char *file, const char *folder)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct term_results results;
    struct term term;
    size_t open = 0;
    enum error error = term_file_read(arena, file, &term, &diagnostic);

    if (error == ERROR_NONE) {
        error = read_classes(arena, &term, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = folder_make_usual(folder, &diagnostic);
    }
    if (error != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    term_totals(&term, arena, &results);
    if (!write_all(arena, folder, &results)) {
        return EXIT_GRADER;
    }
    for (size_t i = 0; i < results.student_count; i++) {
        open += !results.students[i].is_complete;
    }
    console_complain("the term is in %s/index.html: %zu students, %zu courseworks", folder,
                     results.student_count, term.coursework_count);
    if (open > 0) {
        console_complain("totals in which a mark is still to come: %zu", open);
    }
    return EXIT_PASSED;
}

int command_term(const struct options *options)
{
    const char *folder = options->values[OPTION_TERM_OUTPUT];

    if (options->positional_count == 0 || folder == NULL || folder[0] == '\0') {
        console_complain("usage: term needs the file that lists the courseworks, and a folder for "
                         "the pages: gpugrade term FILE -o DIR");
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    umask(MASK_OF_OTHERS);
    int status = make_term(arena, options->positional[0], folder);
    arena_free(arena);
    return status;
}
