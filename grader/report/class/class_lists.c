/* class_lists.c: the sections between the overview and the list of students; see class_sections.h.
 */
#include "report/class/class_decisions.h"
#include "report/class/class_histogram.h"
#include "report/class/class_sections.h"
#include "report/class/leaderboard_page.h"
#include "report/html/html_text.h"

#include <math.h>
#include <stdlib.h>

enum { SLOWEST_MAX = 10, FASTEST_MAX = 10, MARK_SPANS = 10, SPEED_SPANS = 12 };

/* A row and the number by which rows are ordered. */
struct ranked_row {
    size_t row;
    double value;
};

/* The largest first; of equal ones the earlier row. */
static int compare_ranked(const void *left, const void *right)
{
    const struct ranked_row *a = left;
    const struct ranked_row *b = right;

    if (a->value != b->value) {
        return a->value < b->value ? 1 : -1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

static double seconds_of(const struct class_row *row)
{
    return row->tries > 0 ? row->seconds : 0;
}

static double speedup_of(const struct class_row *row)
{
    return row->speedup;
}

/* Rows with a value above 0, the largest first. */
static struct ranked_row *rank_rows(const struct class_view *view,
                                    double (*value)(const struct class_row *row), size_t *out_count)
{
    const struct class_results *results = view->results;
    struct ranked_row *ranked = arena_array(view->arena, results->row_count, sizeof *ranked);
    size_t count = 0;

    for (size_t i = 0; i < results->row_count; i++) {
        double number = value(&results->rows[i]);
        if (number > 0) {
            ranked[count++] = (struct ranked_row){.row = i, .value = number};
        }
    }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    *out_count = count;
    return ranked;
}

static void append_heading(struct text *out, const char *id, const char *title)
{
    text_printf(out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, title);
}

bool class_has_trouble(const struct class_view *view)
{
    return view->facts->states[CLASS_TROUBLE] + view->facts->states[CLASS_NOTHING] +
               view->facts->in_error >
           0;
}

static void append_trouble_row(const struct class_view *view, size_t index, struct text *out)
{
    const struct class_results *results = view->results;
    const struct class_row *row = &results->rows[index];
    bool is_error = class_row_has_error(results, row);

    if (row->state != CLASS_TROUBLE && row->state != CLASS_NOTHING && !is_error) {
        return;
    }
    text_append(out, "<tr><th scope=\"row\">");
    class_student_link(view, index, out);
    text_printf(out, "</th><td>%s</td><td>",
                row->state == CLASS_NOTHING   ? "the submission"
                : row->state == CLASS_TROUBLE ? "the grader or the machine"
                                              : "the grader or the machine (some criteria)");
    html_prose(out, row->trouble);
    for (size_t i = 0; is_error && i < results->criterion_count; i++) {
        if (row->marks[i].is_judged && row->marks[i].status == STATUS_ERROR) {
            html_escape(out, results->criteria[i].title);
            text_append(out, " ");
            text_append(out, row->marks[i].code != CODE_NONE ? code_id(row->marks[i].code) : "");
            text_append(out, "<br>");
        }
    }
    text_append(out, "</td></tr>\n");
}

void class_trouble(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Student", "Whose fault", "Why", NULL};

    if (!class_has_trouble(view)) {
        return;
    }
    append_heading(out, "trouble", "Not fully graded");
    text_append(out,
                "<p class=\"lead\">If the grader or the machine failed, a submission has no mark "
                "rather than a zero; <code>gpugrade batch --only-failed -o RESULTS</code> tries "
                "again. A submission in which nothing can be graded gets no points.</p>\n");
    class_table_begin(out, "trouble", "Submissions that could not be fully graded", columns);
    for (size_t i = 0; i < view->results->row_count; i++) {
        append_trouble_row(view, i, out);
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

/* The criteria of a row that a person should look at. */
static void append_review_row(const struct class_view *view, size_t index, struct text *out)
{
    const struct class_results *results = view->results;
    const struct class_row *row = &results->rows[index];

    if (class_row_review(results, row) == NULL) {
        return;
    }
    text_append(out, "<tr><th scope=\"row\">");
    class_student_link(view, index, out);
    text_append(out, "</th><td>");
    for (size_t i = 0; i < results->criterion_count; i++) {
        const struct class_mark *mark = &row->marks[i];
        const char *review = mark->is_judged ? status_review(mark->status, mark->code) : NULL;
        if (review != NULL) {
            html_escape(out, results->criteria[i].title);
            text_printf(out, ": %s (<code>%s</code>)<br>", review, code_id(mark->code));
        }
    }
    text_append(out, "</td></tr>\n");
}

void class_reviews(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Student", "What gpugrade does not know", NULL};

    if (view->facts->to_review == 0) {
        return;
    }
    append_heading(out, "review", "To review");
    text_append(
        out, "<p class=\"lead\">These criteria failed because the submission uses something that "
             "gpugrade does not know and that the reference solution does not need. Decide "
             "yourself whether the exercise allows it and what it is worth.</p>\n");
    class_table_begin(out, "review", "Submissions to review", columns);
    for (size_t i = 0; i < view->results->row_count; i++) {
        append_review_row(view, i, out);
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

bool class_has_decisions(const struct class_view *view)
{
    for (size_t i = 0; i < view->results->row_count; i++) {
        if (view->results->rows[i].decision_count > 0) {
            return true;
        }
    }
    return false;
}

static void append_decision_row(const struct class_view *view, size_t index,
                                const struct class_decision *decision, struct text *out)
{
    struct text words;

    text_append(out, "<tr><th scope=\"row\">");
    class_student_link(view, index, out);
    text_append(out, "</th><td>");
    text_init(&words);
    class_append_decision(decision, &words);
    html_escape(out, words.bytes);
    text_append(out, "</td><td>");
    html_escape(out, decision->made_by);
    text_append(out, "</td><td>");
    class_append_time(out, decision->made_at);
    text_append(out, "</td></tr>\n");
    text_release(&words);
}

void class_decisions(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Student", "What", "Who", "When", NULL};

    if (!class_has_decisions(view)) {
        return;
    }
    append_heading(out, "decisions", "Decisions");
    class_table_begin(out, "decisions", "What people decided about students", columns);
    for (size_t i = 0; i < view->results->row_count; i++) {
        const struct class_row *row = &view->results->rows[i];
        for (size_t k = 0; k < row->decision_count; k++) {
            append_decision_row(view, i, &row->decisions[k], out);
        }
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

bool class_has_distribution(const struct class_view *view)
{
    return view->facts->mark_count > 0 && view->results->maximum > 0;
}

void class_distribution(const struct class_view *view, struct text *out)
{
    double maximum = view->results->maximum;
    double step = maximum / MARK_SPANS;

    if (!class_has_distribution(view)) {
        return;
    }
    append_heading(out, "distribution", "Marks");
    class_histogram(&(struct class_histogram){.caption = "Students by mark",
                                              .what = "mark",
                                              .values = view->facts->marks,
                                              .count = view->facts->mark_count,
                                              .step = step,
                                              .spans = MARK_SPANS,
                                              .top = maximum,
                                              .decimals = step == trunc(step) ? 0 : 1},
                    out);
    text_append(out, "</section>\n");
}

/* The share that did not pass; below 0 where nothing was judged, so that it comes last. */
static double difficulty_of(const struct class_criterion_facts *facts)
{
    size_t counted = class_counted(facts);

    return counted == 0 ? -1 : 1 - (double)facts->statuses[STATUS_PASSED] / (double)counted;
}

static void append_number(struct text *out, size_t count)
{
    text_append(out, "<td class=\"number\">");
    html_count(out, count);
    text_append(out, "</td>");
}

static void append_criterion(const struct class_view *view, size_t index, struct text *out)
{
    const struct class_criterion *criterion = &view->results->criteria[index];
    const struct class_criterion_facts *facts = &view->facts->criteria[index];
    size_t counted = class_counted(facts);

    text_printf(out, "<tr><td><code>%c</code></td><th scope=\"row\">",
                class_criterion_letter(index));
    html_escape(out, criterion->title);
    text_append(out, criterion->hidden ? " <small>hidden</small>" : "");
    text_append(out, criterion->bonus ? " <small>bonus</small>" : "");
    text_append(out, "</th><td class=\"number\">");
    class_share(out, facts->statuses[STATUS_PASSED], counted);
    text_append(out, "</td><td class=\"picture\">");
    if (counted > 0) {
        html_bar(out, &(struct html_bar){.style = "mine",
                                         .title = criterion->title,
                                         .description = "pass rate of graded submissions",
                                         .value = (double)facts->statuses[STATUS_PASSED],
                                         .most = (double)counted});
    }
    text_append(out, "</td>");
    for (int status = 0; status < CLASS_STATUS_COUNT; status++) {
        append_number(out, facts->statuses[status]);
    }
    text_append(out, "<td class=\"number\">");
    html_points(out, facts->mean_points);
    text_append(out, " / ");
    html_points(out, criterion->points);
    text_append(out, "</td></tr>\n");
}

void class_criteria(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"<span class=\"unseen\">Letter</span>",
                                          "Criterion",
                                          "#pass rate",
                                          "!<span class=\"unseen\">Rate as a bar</span>",
                                          "#passed",
                                          "#partial",
                                          "#failed",
                                          "#skipped",
                                          "#error",
                                          "#open",
                                          "#mean",
                                          NULL};
    size_t count = view->results->criterion_count;
    struct ranked_row *ranked = arena_array(view->arena, count, sizeof *ranked);

    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ranked[i] = (struct ranked_row){i, difficulty_of(&view->facts->criteria[i])};
    }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    append_heading(out, "criteria", "Criteria");
    text_append(out,
                "<p class=\"lead\">The criteria that the fewest students passed come first. Rates "
                "and means leave out what was skipped or in error.</p>\n");
    class_table_begin(out, "rates", "Criteria by pass rate", columns);
    for (size_t i = 0; i < count; i++) {
        append_criterion(view, ranked[i].row, out);
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

void class_findings(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Code",   "Finding",   "#students",
                                          "#share", "!Examples", NULL};
    const struct class_results *results = view->results;

    if (results->finding_count == 0) {
        return;
    }
    append_heading(out, "findings", "Common findings");
    class_table_begin(out, "findings", "Findings by how many students have them", columns);
    for (size_t i = 0; i < results->finding_count; i++) {
        const struct class_finding *finding = &results->findings[i];
        text_printf(out, "<tr><td><code>%s</code></td><th scope=\"row\">", code_id(finding->code));
        html_escape(out, code_title(finding->code));
        text_append(out, "</th>");
        append_number(out, finding->students);
        text_append(out, "<td class=\"number\">");
        class_share(out, finding->students, view->facts->states[CLASS_GRADED]);
        text_append(out, "</td><td class=\"examples\">");
        for (size_t j = 0; j < finding->example_count; j++) {
            text_append(out, j == 0 ? "<span>" : " <span>");
            class_student_link(view, finding->examples[j], out);
            text_append(out, "</span>");
        }
        text_append(out, "</td></tr>\n");
    }
    class_table_end(out);
    text_append(out, "<p class=\"rest\"><code>gpugrade explain CODE</code> explains a code.</p>\n"
                     "</section>\n");
}

/* A table of ranked rows: the first `most`, or all. */
static void append_ranking(const struct class_view *view, const struct ranked_row *ranked,
                           size_t count, const char *caption, const char *unit, struct text *out)
{
    const char *const columns[] = {"Student", unit, NULL};

    class_table_begin(out, "ranking", caption, columns);
    for (size_t i = 0; i < count; i++) {
        text_append(out, "<tr><th scope=\"row\">");
        class_student_link(view, ranked[i].row, out);
        text_printf(out, "</th><td class=\"number\">%.2f</td></tr>\n", ranked[i].value);
    }
    class_table_end(out);
}

void class_speedups(const struct class_view *view, struct text *out)
{
    const double *speedups = view->facts->speedups;
    size_t count = view->facts->speedup_count;
    size_t ranked_count;
    struct ranked_row *ranked = rank_rows(view, speedup_of, &ranked_count);

    if (count == 0) {
        return;
    }
    double step = class_histogram_step(speedups[count - 1] - speedups[0], SPEED_SPANS);
    double start = floor(speedups[0] / step) * step;
    append_heading(out, "speedups", "Speedups");
    text_printf(out,
                "<p class=\"lead\">The largest speedup over the naive kernel of each measured "
                "submission: from %.2f to %.2f, median %.2f.</p>\n",
                speedups[0], speedups[count - 1], speedups[count / 2]);
    class_histogram(
        &(struct class_histogram){.caption = "Students by speedup",
                                  .what = "speedup",
                                  .values = speedups,
                                  .count = count,
                                  .start = start,
                                  .step = step,
                                  .spans = (size_t)floor((speedups[count - 1] - start) / step) + 1,
                                  .decimals = step >= 1     ? 0
                                              : step >= 0.1 ? 1
                                                            : 2},
        out);
    size_t shown = ranked_count < FASTEST_MAX ? ranked_count : FASTEST_MAX;
    text_printf(out, "<h3>The %zu fastest</h3>\n", shown);
    append_ranking(view, ranked, shown, "The fastest submissions", "#Speedup", out);
    text_append(out, "</section>\n");
}

void class_leaderboard(const struct class_view *view, struct text *out)
{
    const struct class_results *results = view->results;
    const char *const columns[] = {
        "#Place",       "Student",
        "Made-up name", arena_printf(view->arena, "#%s", leaderboard_measure(results)),
        "GPU",          NULL};

    if (results->board_count == 0) {
        return;
    }
    append_heading(out, "leaderboard", "Leaderboard");
    text_append(out, "<p class=\"lead\">");
    leaderboard_rules(results, out);
    if (results->board_page != NULL) {
        text_append(out, " <a href=\"");
        html_escape(out, results->board_page);
        text_append(out, "\">The page for students</a>");
    } else {
        text_append(out, " The page for students, which <code>gpugrade report RESULTS --format "
                         "leaderboard</code> makes,");
    }
    text_append(out, " has the made-up names alone.</p>\n");
    class_table_begin(out, "leaderboard", "The leaderboard, with names", columns);
    for (size_t i = 0; i < results->board_count; i++) {
        const struct class_row *row = &results->rows[results->board[i]];
        text_printf(out, "<tr><td class=\"number\">%zu</td><th scope=\"row\">", row->place);
        class_student_link(view, results->board[i], out);
        text_printf(out, "</th><td>%s</td><td class=\"number\">", row->alias);
        leaderboard_value(results, row->ranked, out);
        text_append(out, "</td><td>");
        html_escape(out, row->ranked_on[0] != '\0' ? row->ranked_on : "counted");
        text_append(out, "</td></tr>\n");
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

void class_pairs(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Student", "And",   "Program", "#similarity",
                                          "#shared", "Files", NULL};
    const struct class_results *results = view->results;

    if (results->pair_count == 0) {
        return;
    }
    append_heading(out, "pairs", "Similar code");
    text_append(out,
                "<p class=\"lead\">Submissions whose compiled kernels are nearly the same, apart "
                "from names, order and layout. Code from the template, the reference "
                "solution or many students is left out. Treat a match as a lead, not as "
                "proof: short kernels are often alike.</p>\n");
    class_table_begin(out, "pairs", "Pairs of students with similar device code", columns);
    for (size_t i = 0; i < results->pair_count; i++) {
        const struct class_pair *pair = &results->pairs[i];
        text_append(out, "<tr><th scope=\"row\">");
        class_student_link(view, pair->first, out);
        text_append(out, "</th><td>");
        class_student_link(view, pair->second, out);
        text_append(out, "</td><td>");
        html_escape(out, pair->program);
        text_printf(out, "</td><td class=\"number\">%.0f %%</td>", pair->similarity * 100);
        append_number(out, pair->shared);
        text_append(out, pair->is_same_content ? "<td>the same</td></tr>\n"
                                               : "<td>different</td></tr>\n");
    }
    class_table_end(out);
    text_append(
        out, "<p class=\"rest\">Similarity is the share of the smaller one's own instructions "
             "that both have; shared is their number. <code>gpugrade report RESULTS --format pairs "
             "-o DIR</code> shows both sources side by side.</p>\n</section>\n");
}

bool class_has_grading(const struct class_view *view)
{
    for (size_t i = 0; i < view->results->row_count; i++) {
        if (view->results->rows[i].tries > 0) {
            return true;
        }
    }
    return false;
}

static void append_retried(const struct class_view *view, struct text *out)
{
    static const char *const columns[] = {"Student", "#tries", "Now", NULL};

    text_append(out, "<h3 id=\"retried\">Tried more than once</h3>\n");
    class_table_begin(out, "retried", "Submissions that were tried more than once", columns);
    for (size_t i = 0; i < view->results->row_count; i++) {
        const struct class_row *row = &view->results->rows[i];
        if (row->tries > 1) {
            text_append(out, "<tr><th scope=\"row\">");
            class_student_link(view, i, out);
            text_printf(out, "</th><td class=\"number\">%u</td><td>%s</td></tr>\n",
                        (unsigned)row->tries, class_state_name(row->state));
        }
    }
    class_table_end(out);
}

void class_grading(const struct class_view *view, struct text *out)
{
    size_t count;
    struct ranked_row *ranked = rank_rows(view, seconds_of, &count);

    if (!class_has_grading(view)) {
        return;
    }
    size_t shown = count < SLOWEST_MAX ? count : SLOWEST_MAX;
    append_heading(out, "slowest", "Slowest and retried");
    if (shown > 0) {
        text_printf(out, "<h3>The %zu slowest to grade, of %zu</h3>\n", shown, count);
        append_ranking(view, ranked, shown, "The submissions that took longest to grade",
                       "#Seconds", out);
    }
    if (view->facts->retried > 0) {
        append_retried(view, out);
    }
    text_append(out, "</section>\n");
}
