/* diagnostic_marks.c: see diagnostic_marks.h.
 *
 * A place of a finding names the statement; the mark goes under the variable that the finding is
 * about, where the line names it, and the diagnostic's column is that of its primary mark. Of the
 * root cause's further findings only lines without a mark get one. Their threads are others than
 * those of the first finding, so they name none, and say "the same" below a mark that tells what.
 */
#include "diagnosis/grouping/diagnostic_marks.h"

#include "base/text.h"
#include "diagnosis/grouping/source_access.h"
#include "diagnosis/hints/finding_hint.h"
#include "source/source_line.h"

#include <inttypes.h>
#include <string.h>

struct marks {
    const struct report *report;
    struct arena *arena;
    struct diagnostic_mark *items; /* [DIAGNOSTIC_MARKS_MAX] */
    const char **deeds; /* [DIAGNOSTIC_MARKS_MAX] what happened there, without threads; "": no
                           more than the head of the diagnostic says */
    size_t count;
    enum code code; /* of the root cause's first finding; CODE_NONE: it has none */
    bool has_label; /* the cause says itself what happens at its place */
};

const char *dimensions_text(struct arena *arena, const uint32_t dimensions[3])
{
    if (dimensions[2] == 0) {
        return arena_printf(arena, "(%" PRIu32 ",%" PRIu32 ")", dimensions[0], dimensions[1]);
    }
    return arena_printf(arena, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dimensions[0],
                        dimensions[1], dimensions[2]);
}

const struct place *finding_place(const struct finding *finding)
{
    if (finding->place_count > 0 && finding->places[finding->main_place].line > 0) {
        return &finding->places[finding->main_place];
    }
    for (size_t i = 0; i < finding->place_count; i++) {
        if (finding->places[i].line > 0) {
            return &finding->places[i];
        }
    }
    return NULL;
}

/* True if all threads are in the same block, so that naming it helps nobody. */
static bool one_block(const struct finding *finding)
{
    const struct place *first = NULL;
    size_t threads = 0;

    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        if (!place->has_thread) {
            continue;
        }
        first = first == NULL ? place : first;
        threads++;
        if (memcmp(place->block, first->block, sizeof first->block) != 0) {
            return false;
        }
    }
    return threads > 1;
}

/* What is missing between the two accesses of a race; "" for other findings. */
static const char *missing_order(enum code code)
{
    switch (code) {
    case CODE_SHARED_RACE:
        return "no __syncthreads() in between";
    case CODE_WARP_RACE:
        return "no __syncwarp() in between";
    case CODE_GLOBAL_RACE:
    case CODE_STREAM_RACE:
        return "nothing to order them";
    case CODE_HOST_RACE:
        return "no wait in between";
    default:
        return "";
    }
}

/* What a thread did at a place that is no access and no barrier. */
static const char *deed(const struct finding *finding, const struct place *place)
{
    switch (finding->code) {
    case CODE_BARRIER_INCOMPLETE:
        return "exit taken";
    case CODE_DEVICE_ASSERT:
        return "evaluated to false";
    default:
        return place->has_thread ? "executed" : "";
    }
}

/* "written", "barrier reached" */
static const char *access_verb(const struct finding *finding, const struct place *place)
{
    const struct {
        const char *role, *text;
    } roles[] = {{"read", "read"},
                 {"write", "written"},
                 {"atomic", "updated"},
                 {"barrier", "barrier reached"},
                 {"call", "called here"},
                 {"launch", "launched here"},
                 {"allocated", "allocated here"},
                 {"freed", "freed here"},
                 {"here", deed(finding, place)}};
    const char *text = text_or_empty(place->role);

    if (place->is_copy) {
        return "copied asynchronously";
    }
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strcmp(text, roles[i].role) == 0) {
            return roles[i].text;
        }
    }
    return text;
}

/* " in the next iteration, with no __syncthreads() in between": after the access of a race that did
 * not wait; "" after any other place, and where the cause says more. What is missing is that of the
 * root cause: adding it fixes all its races. */
static const char *order_text(const struct marks *marks, const struct finding *finding,
                              size_t index)
{
    const char *missing = missing_order(marks->code);

    if (index != finding->main_place || missing[0] == '\0' || marks->has_label ||
        finding_has_copy(finding)) {
        return "";
    }
    if (finding->places[index].is_copy) {
        return ", with no wait for the copy in between";
    }
    return arena_printf(
        marks->arena, "%s%s",
        finding_is_of_next_round(finding) ? " in the next iteration, with " : ", with ", missing);
}

/* "written by thread (3,5) of block (0,1), with no __syncthreads() in between" */
static const char *label_text(const struct marks *marks, const struct finding *finding,
                              size_t index)
{
    struct arena *arena = marks->arena;
    const struct place *place = &finding->places[index];
    const char *text = access_verb(finding, place);
    const char *order = order_text(marks, finding, index);

    if (text_or_empty(place->actor)[0] != '\0') {
        return arena_printf(arena, "%s by %s%s", text, place->actor, order);
    }
    if (!place->has_thread) {
        return arena_printf(arena, "%s%s", text, order);
    }
    if (finding->code == CODE_GLOBAL_RACE && index == finding->main_place &&
        finding->place_count > 1 && !one_block(finding)) { /* the other mark names its block */
        return arena_printf(arena, "%s by another block%s", text, order);
    }
    return arena_printf(arena, "%s%sby thread %s%s%s%s", text, text[0] == '\0' ? "" : " ",
                        dimensions_text(arena, place->thread),
                        one_block(finding) ? "" : " of block ",
                        one_block(finding) ? "" : dimensions_text(arena, place->block), order);
}

/* What a place does to the finding's variable; an atomic access is an argument of a call. */
static enum source_access access_of(const char *role)
{
    if (strcmp(role, "write") == 0) {
        return SOURCE_WRITE;
    }
    return strcmp(role, "read") == 0 || strcmp(role, "atomic") == 0 ? SOURCE_READ : SOURCE_ANY;
}

/* Sets where a mark starts and ends: under the finding's variable where the line accesses it so. A
 * read that the line does not name is marked under what its statement reads, or under all
 * statements from there on, if there are more. */
static void set_columns(const struct source_file *source, const struct finding *finding,
                        const struct place *place, struct diagnostic_mark *mark)
{
    const char *role = text_or_empty(place->role);
    int column = mark->column;

    if (source == NULL ||
        source_find_access(source, mark->line, column, text_or_empty(finding->object),
                           access_of(role), &mark->column, &mark->end) ||
        strcmp(role, "read") != 0 ||
        !source_find_value(source, mark->line, column, &mark->column, &mark->end)) {
        return;
    }
    int statements_end = source_statements_end(source, mark->line);
    if (mark->end < statements_end) {
        mark->column = column;
        mark->end = statements_end;
    }
}

static void set_end(const struct source_file *source, struct diagnostic_mark *mark)
{
    struct source_line line;
    size_t start, end;

    if (source == NULL || mark->column == 0 || mark->end != 0 ||
        !source_line_at(source, mark->line, &line) || (size_t)mark->column > line.length) {
        return;
    }
    source_mark_span(&line, mark->column, 0, &start, &end);
    mark->end = (int)end + 1;
}

static bool line_is_marked(const struct marks *marks, const char *file, int line)
{
    for (size_t i = 0; i < marks->count; i++) {
        if (marks->items[i].line == line && strcmp(marks->items[i].file, file) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a mark without a label; NULL if there are too many. */
static struct diagnostic_mark *add_mark(struct marks *marks, const char *file, int line, int column)
{
    if (marks->count == DIAGNOSTIC_MARKS_MAX) {
        return NULL;
    }
    struct diagnostic_mark *mark = &marks->items[marks->count];
    *mark = (struct diagnostic_mark){file, line, column, 0, false, ""};
    marks->deeds[marks->count++] = "";
    return mark;
}

/* Marks a place of a finding, without a label; NULL if it is in no source, or too many are. */
static struct diagnostic_mark *mark_place(struct marks *marks, const struct finding *finding,
                                          const struct place *place)
{
    const char *file = text_or_empty(place->file);
    const struct source_file *source = source_find(marks->report, file);
    struct diagnostic_mark *mark =
        place->line == 0 ? NULL : add_mark(marks, file, place->line, place->column);

    if (mark != NULL) {
        size_t index = (size_t)(place - finding->places);
        marks->deeds[marks->count - 1] = arena_printf(
            marks->arena, "%s%s", access_verb(finding, place), order_text(marks, finding, index));
        set_columns(source, finding, place, mark);
        set_end(source, mark);
    }
    return mark;
}

/* Marks all places of the root cause's first finding. */
static void mark_first(struct marks *marks, const struct finding *finding)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        struct diagnostic_mark *mark = mark_place(marks, finding, &finding->places[i]);
        if (mark != NULL) {
            mark->label = label_text(marks, finding, i);
        }
    }
}

/* The place of a file among those that are shown: the diagnostic's own first, then as marked. */
static size_t file_rank(const struct marks *marks, const char *own, const char *file)
{
    for (size_t i = 0; i < marks->count && strcmp(own, file) != 0; i++) {
        if (strcmp(marks->items[i].file, file) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* True if the mark `a` is shown above the mark `b`. */
static bool is_above(const struct marks *marks, const char *own, size_t a, size_t b)
{
    const struct diagnostic_mark *left = &marks->items[a];
    const struct diagnostic_mark *right = &marks->items[b];
    size_t left_file = file_rank(marks, own, left->file);
    size_t right_file = file_rank(marks, own, right->file);

    if (left_file != right_file) {
        return left_file < right_file;
    }
    return left->line != right->line ? left->line < right->line : left->column < right->column;
}

/* Whether a mark above the mark `index` tells the same deed; what the head of the diagnostic alone
 * tells, is told above every mark. */
static bool is_reported_above(const struct marks *marks, const char *own, size_t index)
{
    bool is_reported = marks->deeds[index][0] == '\0';

    for (size_t i = 0; i < marks->count && !is_reported; i++) {
        is_reported =
            strcmp(marks->deeds[i], marks->deeds[index]) == 0 && is_above(marks, own, i, index);
    }
    return is_reported;
}

/* Marks the places of a further finding of the root cause in lines without a mark. */
static void mark_further(struct marks *marks, const struct finding *finding)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        struct diagnostic_mark *mark =
            line_is_marked(marks, text_or_empty(place->file), place->line)
                ? NULL
                : mark_place(marks, finding, place);
        if (mark != NULL && text_or_empty(finding->object)[0] != '\0') {
            mark->label = arena_printf(marks->arena, "the same for `%s`", finding->object);
        } else if (mark != NULL) {
            mark->label = "the same here";
        }
    }
}

/* Gives the marks [first, count) the words themselves where nothing above them does. */
static void report_first_deeds(struct marks *marks, const char *own, size_t first)
{
    for (size_t i = first; i < marks->count; i++) {
        if (!is_reported_above(marks, own, i)) {
            marks->items[i].label = marks->deeds[i];
        }
    }
}

bool follow_is_likely(const struct root_cause *root_cause, const struct finding *finding)
{
    const struct finding *first = root_cause->finding_count > 0 ? root_cause->findings[0] : NULL;
    const enum code code =
        root_cause->verdict != NULL ? root_cause->verdict->cause.code : CODE_NONE;

    return first != NULL && first->of_shapes > 0 ? finding->shapes <= first->shapes
                                                 : code != CODE_IMPOSSIBLE_LAUNCH;
}

const char *follow_label(struct arena *arena, const struct root_cause *root_cause,
                         const struct finding *finding)
{
    return arena_printf(arena, "%s: %s (%s)",
                        follow_is_likely(root_cause, finding) ? "probably follows" : "may follow",
                        code_title(finding->code), code_id(finding->code));
}

/* Marks the main place of a finding that follows, if its line has no mark. */
static void mark_follow(struct marks *marks, const struct root_cause *root_cause,
                        const struct finding *finding)
{
    const struct place *place = finding_place(finding);
    struct diagnostic_mark *mark =
        place == NULL || line_is_marked(marks, text_or_empty(place->file), place->line)
            ? NULL
            : mark_place(marks, finding, place);

    if (mark != NULL) {
        mark->label = follow_label(marks->arena, root_cause, finding);
    }
}

/* Marks where a compiler found another error. */
static void mark_error(struct marks *marks, const struct tool_message *error)
{
    const char *file = text_or_empty(error->file);
    struct diagnostic_mark *mark = error->line == 0 || line_is_marked(marks, file, error->line)
                                       ? NULL
                                       : add_mark(marks, file, error->line, error->column);

    if (mark != NULL) {
        mark->label = error->message;
        set_end(source_find(marks->report, file), mark);
    }
}

/* Marks a further line of a cause. */
static void mark_also(struct marks *marks, const struct cause_mark *also)
{
    struct diagnostic_mark *mark = line_is_marked(marks, also->file, also->line)
                                       ? NULL
                                       : add_mark(marks, also->file, also->line, also->column);

    if (mark != NULL) {
        mark->label = also->label;
        set_end(source_find(marks->report, also->file), mark);
    }
}

/* The mark at the diagnostic's place: the one whose place it is, or any in that line; of several
 * that of the main place. */
static struct diagnostic_mark *find_primary(const struct marks *marks,
                                            const struct root_cause *root_cause,
                                            const struct report_diagnostic *diagnostic)
{
    enum { IN_LINE = 1, IS_MAIN = 1, AT_COLUMN = 2 };
    const struct finding *first = root_cause->finding_count > 0 ? root_cause->findings[0] : NULL;
    struct diagnostic_mark *best = NULL;
    int best_rank = 0;
    size_t at = 0;

    for (size_t i = 0; first != NULL && i < first->place_count && at < marks->count; i++) {
        const struct place *place = &first->places[i];
        if (place->line == 0) {
            continue;
        }
        struct diagnostic_mark *mark = &marks->items[at++];
        if (mark->line != diagnostic->line || strcmp(mark->file, diagnostic->file) != 0) {
            continue;
        }
        bool at_column = diagnostic->column == 0 || place->column == diagnostic->column;
        int rank = IN_LINE + (at_column ? AT_COLUMN : 0) + (i == first->main_place ? IS_MAIN : 0);
        if (rank > best_rank) {
            best = mark;
            best_rank = rank;
        }
    }
    return best;
}

/* Adds the mark at the diagnostic's place, where no finding has one. */
static struct diagnostic_mark *add_primary(struct marks *marks,
                                           const struct report_diagnostic *diagnostic)
{
    const struct source_file *source = source_find(marks->report, diagnostic->file);
    struct diagnostic_mark *mark =
        add_mark(marks, diagnostic->file, diagnostic->line, diagnostic->column);

    if (mark == NULL) {
        return NULL;
    }
    if (source != NULL && diagnostic->code == CODE_TOO_MANY_LOADS) {
        source_find_value(source, mark->line, mark->column, &mark->column, &mark->end);
    }
    set_end(source, mark);
    return mark;
}

/* Marks the root cause's own place, and makes its column the diagnostic's. */
static void mark_primary(struct marks *marks, const struct root_cause *root_cause,
                         struct report_diagnostic *diagnostic)
{
    const struct cause *cause = root_cause->verdict != NULL ? &root_cause->verdict->cause : NULL;
    struct diagnostic_mark *primary = find_primary(marks, root_cause, diagnostic);

    if (primary == NULL && diagnostic->line > 0) {
        primary = add_primary(marks, diagnostic);
    }
    if (primary == NULL) {
        return;
    }
    if (cause != NULL && cause->line == primary->line && cause->mark_end > cause->column) {
        primary->column = cause->column; /* the device knows the statement, and this the access */
        primary->end = cause->mark_end;
    }
    primary->is_primary = true;
    diagnostic->column = primary->column;
    if (cause != NULL && text_or_empty(cause->label)[0] != '\0') {
        primary->label = cause->label;
    }
}

void diagnostic_add_marks(const struct report *report, struct arena *arena,
                          const struct root_cause *root_cause, struct report_diagnostic *diagnostic)
{
    struct marks marks = {
        .report = report,
        .arena = arena,
        .items = arena_array(arena, DIAGNOSTIC_MARKS_MAX, sizeof *marks.items),
        .deeds = arena_array(arena, DIAGNOSTIC_MARKS_MAX, sizeof *marks.deeds),
    };
    const struct cause *cause = root_cause->verdict != NULL ? &root_cause->verdict->cause : NULL;

    marks.has_label = cause != NULL && text_or_empty(cause->label)[0] != '\0';
    if (root_cause->finding_count > 0) {
        marks.code = root_cause->findings[0]->code;
        mark_first(&marks, root_cause->findings[0]);
    }
    mark_primary(&marks, root_cause, diagnostic);
    for (size_t i = 0; cause != NULL && i < cause->also_count; i++) {
        mark_also(&marks, &cause->also[i]);
    }
    size_t further = marks.count;
    for (size_t i = 1; i < root_cause->finding_count; i++) {
        mark_further(&marks, root_cause->findings[i]);
    }
    report_first_deeds(&marks, diagnostic->file, further);
    for (size_t i = 0; i < root_cause->follow_count; i++) {
        mark_follow(&marks, root_cause, root_cause->follows[i]);
    }
    for (size_t i = 0; cause != NULL && i < cause->more_count && i < ERRORS_MARKED; i++) {
        mark_error(&marks, &cause->more[i]);
    }
    diagnostic->marks = marks.items;
    diagnostic->mark_count = marks.count;
}
