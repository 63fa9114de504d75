/* command_regrade.c: see command_regrade.h.
 *
 *     vectors 3 -> 4: only points and words change, nothing runs again
 *
 *       student  name       before  after
 *       alice    Alice Ant      87     92  +5  correct.tiled 20 -> 25
 *
 *     1 gains, 0 lose, 299 stay; mean 71.2 -> 71.22
 *     nothing is changed yet: --apply does it
 *
 * The table names students: it is for the instructor's screen.
 */
#include "cli/command_regrade.h"

#include "batch/regrade.h"
#include "cli/batch_request.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "report/display_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { NAME_COLUMNS_MAX = 32, MARK_COLUMNS = 7 };

struct regrade_request {
    const char *folder; /* RESULTS */
    const char *rubric_path;
    bool apply;
};

/* Appends points without needless digits: 5, 6.67. */
static void append_points(struct text *out, double points)
{
    double cents = round(points * 100) / 100;

    text_printf(out, "%.*f", cents == trunc(cents) ? 0 : 2, cents == 0 ? 0 : cents);
}

static void append_mark(struct text *out, bool is_there, double mark)
{
    struct text text;

    text_init(&text);
    if (is_there) {
        append_points(&text, mark);
    } else {
        text_append_char(&text, '-');
    }
    text_append_repeated(out, ' ', text.length < MARK_COLUMNS ? MARK_COLUMNS - text.length : 1);
    text_append(out, text.bytes);
    text_release(&text);
}

/* What brings a change about. */
static void append_reasons(const struct regrade_change *change, struct text *out)
{
    const struct class_final *before = &change->before->final;
    const struct class_final *after = &change->after->final;
    bool is_penalty_same = fabs(before->penalty - after->penalty) < 0.005;
    const char *separator = "  ";

    for (size_t i = 0; i < change->point_count; i++) {
        const struct regrade_points *points = &change->points[i];
        text_printf(out, "%s%s ", separator, points->criterion);
        append_points(out, points->before);
        text_append(out, " -> ");
        append_points(out, points->after);
        separator = ", ";
    }
    if (!is_penalty_same) {
        text_printf(out, "%slate penalty ", separator);
        append_points(out, before->penalty);
        text_append(out, " -> ");
        append_points(out, after->penalty);
        separator = ", ";
    }
    if (strcmp(change->before->submission, change->after->submission) != 0) {
        text_printf(out, "%snow ", separator);
        display_append_foreign(out, change->after->submission);
        text_append(out, " counts");
    }
}

static size_t limited_width(const char *foreign)
{
    struct text text;

    text_init(&text);
    display_append_foreign(&text, foreign);
    size_t width = display_width(text.bytes);
    text_release(&text);
    return width < NAME_COLUMNS_MAX ? width : NAME_COLUMNS_MAX;
}

static void append_cell(const char *foreign, size_t columns, struct text *out)
{
    struct text text;

    text_init(&text);
    display_append_foreign(&text, foreign);
    display_append_padded(out, text.bytes, columns);
    text_append(out, "  ");
    text_release(&text);
}

static void append_change(const struct regrade_change *change, const size_t columns[2],
                          struct text *out)
{
    double gain = change->after->final.mark - change->before->final.mark;

    text_append(out, "  ");
    append_cell(change->after->student, columns[0], out);
    append_cell(change->after->name, columns[1], out);
    append_mark(out, change->had_mark, change->before->final.mark);
    append_mark(out, change->has_mark, change->after->final.mark);
    text_append(out, "  ");
    if (change->had_mark && change->has_mark) {
        text_append(out, gain >= 0.005 ? "+" : "");
        append_points(out, gain);
    }
    append_reasons(change, out);
    text_append_char(out, '\n');
}

static void append_table(const struct regrade *regrade, struct text *out)
{
    size_t columns[2] = {strlen("student"), strlen("name")};

    for (size_t i = 0; i < regrade->change_count; i++) {
        size_t student = limited_width(regrade->changes[i].after->student);
        size_t name = limited_width(regrade->changes[i].after->name);
        columns[0] = student > columns[0] ? student : columns[0];
        columns[1] = name > columns[1] ? name : columns[1];
    }
    if (regrade->change_count == 0) {
        return;
    }
    text_append(out, "\n  ");
    append_cell("student", columns[0], out);
    append_cell("name", columns[1], out);
    text_append(out, " before  after\n");
    for (size_t i = 0; i < regrade->change_count; i++) {
        append_change(&regrade->changes[i], columns, out);
    }
    text_append_char(out, '\n');
}

/* The mean of what has a mark; 0 where nothing has. */
static double mean_of(const struct class_results *results)
{
    double sum = 0;
    size_t count = 0;

    for (size_t i = 0; i < results->row_count; i++) {
        enum class_state state = results->rows[i].state;
        if (state == CLASS_GRADED || state == CLASS_NOTHING) {
            sum += results->rows[i].final.mark;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

static void append_list(const char *what, const char *const *ids, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        text_printf(out, "%s%s", i == 0 ? what : ", ", ids[i]);
    }
    text_append(out, count > 0 ? "\n" : "");
}

/* Where all runs again. */
static void append_unseen(const struct regrade_request *request, const struct regrade *regrade,
                          const char *resume, struct text *out)
{
    text_append(out, "every submission must be graded again before the new marks are known\n");
    if (regrade->coursework_changed) {
        text_append(out,
                    "  files of the coursework (reference, template) have changed since the class "
                    "was graded; put the old ones back if you only want to change points\n");
    }
    append_list("  criteria that check something else: ", regrade->unseen, regrade->unseen_count,
                out);
    append_list("  criteria that were removed: ", regrade->dropped, regrade->dropped_count, out);
    text_append(out, request->apply ? "the rubric is changed; to grade everything again: "
                                    : "nothing is changed yet; add --apply to change the rubric; "
                                      "then, to grade everything again: ");
    display_append_foreign(out, resume);
    text_append_char(out, '\n');
}

static void append_marks(const struct regrade_request *request, const struct regrade *regrade,
                         struct text *out)
{
    size_t rows = regrade->after.row_count;

    text_append(out, "nothing has to be graded again\n");
    append_list("  criteria that were removed: ", regrade->dropped, regrade->dropped_count, out);
    append_table(regrade, out);
    text_printf(out, "%zu gain, %zu lose, %zu stay; mean ", regrade->gains, regrade->loses,
                rows - regrade->gains - regrade->loses);
    append_points(out, mean_of(&regrade->before));
    text_append(out, " -> ");
    append_points(out, mean_of(&regrade->after));
    if (fabs(regrade->before.maximum - regrade->after.maximum) > 0.005) {
        text_append(out, "; of ");
        append_points(out, regrade->before.maximum);
        text_append(out, " -> ");
        append_points(out, regrade->after.maximum);
        text_append(out, ", so shares are compared");
    }
    text_append(out, request->apply
                         ? "\nthe marks are changed\n"
                         : "\nnothing is changed yet; add --apply to change the marks\n");
}

static int show(struct arena *arena, const struct regrade_request *request,
                const struct rubric *before, const struct rubric *after,
                const struct regrade *regrade)
{
    const struct batch_request batch = {.results = request->folder};
    struct text text;

    text_init(&text);
    text_printf(&text, "%s, rubric %" PRId64 " -> %" PRId64 ": ", after->id, before->version,
                after->version);
    if (regrade->sees_the_same) {
        append_marks(request, regrade, &text);
    } else {
        append_unseen(request, regrade, batch_request_command(arena, &batch, "--resume"), &text);
    }
    bool written = console_write(STDOUT_FILENO, &text);
    text_release(&text);
    return written ? EXIT_PASSED : EXIT_GRADER;
}

/* Loads the rubric of the store and the new one. */
static enum error load_rubrics(struct arena *arena, const struct regrade_request *request,
                               struct store *store, const struct rubric **out_before,
                               const struct rubric **out_after, struct diagnostic *diagnostic)
{
    struct locations locations;
    struct store_rubric stored;
    enum error error = locations_find(arena, &locations, diagnostic);

    if (error == ERROR_NONE) {
        error = coursework_stored(arena, locations.root, store, &stored, out_before, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = coursework_load(arena, locations.root, NULL, request->rubric_path, out_after,
                                diagnostic);
    }
    return error;
}

static int regrade(struct arena *arena, const struct regrade_request *request)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    const struct rubric *before = NULL;
    const struct rubric *after = NULL;
    struct store *store = NULL;
    struct regrade regrade;
    enum error error = store_open(request->folder, STORE_WRITE, &store, &diagnostic);

    if (error == ERROR_NONE) {
        error = load_rubrics(arena, request, store, &before, &after, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = regrade_run(store, arena, before, after, request->apply, &regrade, &diagnostic);
    }
    store_close(store);
    return error != ERROR_NONE ? (int)console_report(&diagnostic)
                               : show(arena, request, before, after, &regrade);
}

int command_regrade(const struct options *options)
{
    const struct regrade_request request = {
        .folder = options->positional[0],
        .rubric_path = options->values[OPTION_REGRADE_RUBRIC],
        .apply = options->given[OPTION_APPLY],
    };

    if (options->positional_count == 0 || request.rubric_path == NULL) {
        console_complain("usage: regrade needs the folder that 'gpugrade batch -o' wrote, and the "
                         "new rubric: gpugrade regrade RESULTS --rubric FILE");
        return EXIT_USAGE;
    }
    struct arena *arena = arena_new();
    int status = regrade(arena, &request);
    arena_free(arena);
    return status;
}
