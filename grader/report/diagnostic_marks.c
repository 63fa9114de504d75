/* diagnostic_marks.c: see diagnostic_marks.h.
 *
 * A place of a finding names the statement; the mark goes under the variable that the finding is
 * about, where the line names it. Of the story's further findings only lines without a mark get
 * one.
 */
#include "report/diagnostic_marks.h"

#include "base/text.h"
#include "model/finding_hint.h"
#include "report/source_line.h"

#include <inttypes.h>
#include <string.h>

struct marks {
    const struct report *report;
    struct arena *arena;
    struct diagnostic_mark *items; /* [DIAGNOSTIC_MARKS_MAX] */
    size_t count;
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

/* True if all places are in the same block, so that naming it helps nobody. */
static bool one_block(const struct finding *finding)
{
    for (size_t i = 1; i < finding->place_count; i++) {
        if (memcmp(finding->places[i].block, finding->places[0].block,
                   sizeof finding->places[0].block) != 0) {
            return false;
        }
    }
    return finding->place_count > 1;
}

/* What is missing between the two accesses of a race; "" for other findings. */
static const char *missing_order(enum code code)
{
    switch (code) {
    case CODE_SHARED_RACE:
        return "no __syncthreads() between";
    case CODE_WARP_RACE:
        return "no __syncwarp() between";
    case CODE_GLOBAL_RACE:
        return "nothing that orders them";
    default:
        return "";
    }
}

/* What a thread did at a place that is no access and no barrier. */
static const char *deed(const struct finding *finding, const struct place *place)
{
    switch (finding->code) {
    case CODE_BARRIER_INCOMPLETE:
        return "exited";
    case CODE_DEVICE_ASSERT:
        return "failed";
    default:
        return place->has_thread ? "executed" : "";
    }
}

/* "written by thread (3,5) of block (0,1)" */
static const char *label_text(struct arena *arena, const struct finding *finding, size_t index,
                              bool is_first)
{
    const struct place *place = &finding->places[index];
    const struct {
        const char *role, *text;
    } roles[] = {{"read", "read"},
                 {"write", "written"},
                 {"atomic", "updated"},
                 {"barrier", "barrier reached"},
                 {"here", deed(finding, place)}};
    const char *text = text_or_empty(place->role);
    const char *missing = missing_order(finding->code);
    const char *order = "";

    if (is_first && index == finding->main_place && missing[0] != '\0') {
        bool is_next = finding_is_of_next_round(finding);
        order = arena_printf(arena, "%s%s", is_next ? " in the next round, " : ", with ", missing);
    }
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strcmp(text, roles[i].role) == 0) {
            text = roles[i].text;
            break;
        }
    }
    if (!place->has_thread) {
        return arena_printf(arena, "%s%s", text, order);
    }
    return arena_printf(arena, "%s%sby thread %s%s%s%s", text, text[0] == '\0' ? "" : " ",
                        dimensions_text(arena, place->thread),
                        one_block(finding) ? "" : " of block ",
                        one_block(finding) ? "" : dimensions_text(arena, place->block), order);
}

/* Sets where a mark starts and ends: under the finding's variable where the line names it, looked
 * for from the right where it is read, because what is assigned stands left of it. A read that the
 * line does not name is marked under what its statement reads. */
static void set_columns(const struct source_file *source, const struct finding *finding,
                        const struct place *place, struct diagnostic_mark *mark)
{
    bool is_read = strcmp(text_or_empty(place->role), "read") == 0;

    int column = source == NULL || finding->object == NULL
                     ? 0
                     : source_find_name(source, place->line, finding->object, is_read);

    if (column > 0) {
        mark->column = column;
    } else if (source != NULL && is_read) {
        source_find_value(source, mark->line, mark->column, &mark->column, &mark->end);
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

/* "the same for `tile_a`": its threads are others than those of the first finding. */
static const char *same_text(struct arena *arena, const struct finding *finding)
{
    return text_or_empty(finding->object)[0] == '\0'
               ? "the same here"
               : arena_printf(arena, "the same for `%s`", finding->object);
}

/* Marks the places of a finding; of one that is not the story's first, only in lines without. */
static void mark_places(struct marks *marks, const struct finding *finding, bool is_first)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        const char *file = text_or_empty(place->file);
        if (place->line == 0 || marks->count == DIAGNOSTIC_MARKS_MAX ||
            (!is_first && line_is_marked(marks, file, place->line))) {
            continue;
        }
        const struct source_file *source = source_find(marks->report, file);
        struct diagnostic_mark *mark = &marks->items[marks->count++];
        *mark = (struct diagnostic_mark){file, place->line, place->column, 0, false, ""};
        set_columns(source, finding, place, mark);
        set_end(source, mark);
        mark->label = label_text(marks->arena, finding, i, is_first);
    }
}

/* Marks the main place of a finding that follows, with its code. */
static void mark_follow(struct marks *marks, const struct finding *finding)
{
    const struct place *place = finding_place(finding);
    size_t before = marks->count;

    if (place == NULL) {
        return;
    }
    struct finding alone = *finding;
    alone.places[0] = *place;
    alone.place_count = 1;
    alone.main_place = 0;
    mark_places(marks, &alone, false);
    if (marks->count > before) {
        struct diagnostic_mark *mark = &marks->items[before];
        mark->label = arena_printf(marks->arena, "%s%s%s", code_id(finding->code),
                                   mark->label[0] == '\0' ? "" : ": ", mark->label);
    }
}

/* Marks where a compiler found another error. */
static void mark_error(struct marks *marks, const struct tool_message *error)
{
    const char *file = text_or_empty(error->file);

    if (error->line == 0 || marks->count == DIAGNOSTIC_MARKS_MAX ||
        line_is_marked(marks, file, error->line)) {
        return;
    }
    struct diagnostic_mark *mark = &marks->items[marks->count++];
    *mark = (struct diagnostic_mark){file, error->line, error->column, 0, false, error->message};
    set_end(source_find(marks->report, file), mark);
}

/* The mark at the diagnostic's place: the one whose place it is, or any in that line. */
static struct diagnostic_mark *find_primary(const struct marks *marks, const struct story *story,
                                            const struct report_diagnostic *diagnostic)
{
    const struct finding *first = story->finding_count > 0 ? story->findings[0] : NULL;
    struct diagnostic_mark *in_line = NULL;
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
        if (diagnostic->column == 0 || place->column == diagnostic->column) {
            return mark;
        }
        in_line = in_line == NULL ? mark : in_line;
    }
    return in_line;
}

void diagnostic_add_marks(const struct report *report, struct arena *arena,
                          const struct story *story, struct report_diagnostic *diagnostic)
{
    struct marks marks = {.report = report, .arena = arena};
    const struct cause *cause = story->verdict != NULL ? &story->verdict->cause : NULL;

    marks.items = arena_array(arena, DIAGNOSTIC_MARKS_MAX + 1, sizeof *marks.items);
    if (story->finding_count > 0) {
        mark_places(&marks, story->findings[0], true);
    }
    struct diagnostic_mark *primary = find_primary(&marks, story, diagnostic);
    if (primary == NULL && diagnostic->line > 0) {
        primary = &marks.items[marks.count++];
        *primary = (struct diagnostic_mark){
            diagnostic->file, diagnostic->line, diagnostic->column, 0, false, ""};
        const struct source_file *source = source_find(report, diagnostic->file);
        if (source != NULL && diagnostic->code == CODE_TOO_MANY_LOADS) {
            source_find_value(source, primary->line, primary->column, &primary->column,
                              &primary->end);
        }
        set_end(source, primary);
    }
    if (primary != NULL) {
        primary->is_primary = true;
        bool is_told = cause != NULL && text_or_empty(cause->label)[0] != '\0';
        primary->label = is_told ? cause->label : primary->label;
    }
    for (size_t i = 1; i < story->finding_count; i++) {
        size_t before = marks.count;
        mark_places(&marks, story->findings[i], false);
        for (size_t j = before; j < marks.count; j++) {
            marks.items[j].label = same_text(arena, story->findings[i]);
        }
    }
    for (size_t i = 0; i < story->follow_count; i++) {
        mark_follow(&marks, story->follows[i]);
    }
    for (size_t i = 0; cause != NULL && i < cause->more_count && i < ERRORS_MARKED; i++) {
        mark_error(&marks, &cause->more[i]);
    }
    diagnostic->marks = marks.items;
    diagnostic->mark_count = marks.count;
}
