/* score_details.c: what a score tells beside the verdicts; see score_reader.h. */
#include "report/score/score_reader.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *note_word(size_t index)
{
    return note_kind_name((enum note_kind)index);
}

static void read_marks(struct score_reader *reader, const cJSON *value,
                       struct report_diagnostic *diagnostic)
{
    static const char *const keys[] = {"file", "line", "column", "end", "primary", "label"};
    size_t count = score_list(reader, value, SCORE_LIST_MAX);
    struct diagnostic_mark *marks = arena_array(reader->arena, count, sizeof *marks);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a mark", keys, COUNT(keys), members);
        marks[i].file = score_text(reader, members[0]);
        marks[i].line = (int)score_integer(reader, members[1], 1, SCORE_LINE_MAX);
        marks[i].column = score_line(reader, members[2]);
        marks[i].end = score_line(reader, members[3]);
        marks[i].is_primary = score_flag(reader, members[4]);
        marks[i].label = score_text(reader, members[5]);
    }
    diagnostic->marks = marks;
    diagnostic->mark_count = count;
}

static void read_notes(struct score_reader *reader, const cJSON *value,
                       struct report_diagnostic *diagnostic)
{
    static const char *const keys[] = {"kind", "text"};
    size_t count = score_list(reader, value, SCORE_LIST_MAX);
    struct diagnostic_note *notes = arena_array(reader->arena, count, sizeof *notes);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a note", keys, COUNT(keys), members);
        notes[i].kind =
            (enum note_kind)score_word(reader, members[0], note_word, NOTE_KINDS, "kind of note");
        notes[i].text = score_words(reader, members[1]);
    }
    diagnostic->notes = notes;
    diagnostic->note_count = count;
}

static void read_fix(struct score_reader *reader, const cJSON *value,
                     struct report_diagnostic *diagnostic)
{
    static const char *const keys[] = {"file", "line", "?before", "?after"};

    if (value == NULL) {
        return;
    }
    size_t count = score_list(reader, value, FIX_LINES_MAX);
    struct line_fix *fixes = arena_array(reader->arena, count, sizeof *fixes);
    const cJSON *item = count > 0 ? value->child : NULL;
    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a line of a fix", keys, COUNT(keys), members);
        fixes[i].file = score_text(reader, members[0]);
        fixes[i].line = (int)score_integer(reader, members[1], 1, SCORE_LINE_MAX);
        fixes[i].before = members[2] == NULL ? NULL : score_text(reader, members[2]);
        fixes[i].after = members[3] == NULL ? NULL : score_text(reader, members[3]);
        if (members[2] == NULL && members[3] == NULL) {
            score_fail(reader, item, "a line of a fix lacks both 'before' and 'after'");
            return;
        }
    }
    diagnostic->fixes = fixes;
    diagnostic->fix_count = count;
}

static size_t find_verdict(struct score_reader *reader, const cJSON *value,
                           const struct report *report)
{
    const char *id = score_text(reader, value);

    for (size_t i = 0; i < report->verdict_count; i++) {
        if (strcmp(report->verdicts[i].criterion->id, id) == 0) {
            return i;
        }
    }
    if (!score_skip(reader, value)) {
        score_fail(reader, value, "there is no criterion '%.100s' in this score", id);
    }
    return 0;
}

static void read_criteria(struct score_reader *reader, const cJSON *value,
                          const struct report *report, struct report_diagnostic *diagnostic)
{
    size_t count = score_list(reader, value, report->verdict_count);
    size_t *verdicts = arena_array(reader->arena, count, sizeof *verdicts);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        verdicts[i] = find_verdict(reader, item, report);
    }
    diagnostic->verdicts = verdicts;
    diagnostic->verdict_count = count;
}

void score_diagnostics(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"severity", "id",       "code",  "message", "file", "line",
                                       "column",   "criteria", "marks", "notes",   "?fix"};
    size_t count = score_list(reader, value, SCORE_LIST_MAX);
    struct report_diagnostic *list = arena_array(reader->arena, count, sizeof *list);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a diagnostic", keys, COUNT(keys), members);
        list[i].severity = score_severity(reader, members[0]);
        const char *id = score_text(reader, members[1]);
        list[i].code = score_code(reader, members[2]);
        if (!score_skip(reader, members[1]) && strcmp(id, code_id(list[i].code)) != 0) {
            score_fail(reader, members[1], "the id of '%s' is '%s', found '%.100s'",
                       code_name(list[i].code), code_id(list[i].code), id);
        }
        list[i].message = score_words(reader, members[3]);
        list[i].file = score_text(reader, members[4]);
        list[i].line = score_line(reader, members[5]);
        list[i].column = score_line(reader, members[6]);
        read_criteria(reader, members[7], report, &list[i]);
        read_marks(reader, members[8], &list[i]);
        read_notes(reader, members[9], &list[i]);
        read_fix(reader, members[10], &list[i]);
    }
    report->diagnostics = list;
    report->diagnostic_count = count;
}

/* Reads x, y and z, or null; false for null. */
static bool read_dimensions(struct score_reader *reader, const cJSON *value, uint32_t out[3])
{
    if (score_skip(reader, value) || cJSON_IsNull(value)) {
        return false;
    }
    size_t count = score_list(reader, value, 3);
    const cJSON *item = count > 0 ? value->child : NULL;
    for (size_t i = 0; i < count; i++, item = item->next) {
        out[i] = (uint32_t)score_integer(reader, item, 0, UINT32_MAX);
    }
    if (reader->error == ERROR_NONE && count != 3) {
        score_fail(reader, value, "expected x, y and z, found %zu numbers", count);
    }
    return true;
}

static void read_place(struct score_reader *reader, const cJSON *value, struct place *place)
{
    static const char *const keys[] = {"role", "file", "line", "column", "block", "thread"};
    const cJSON *members[COUNT(keys)];

    score_members(reader, value, "a place", keys, COUNT(keys), members);
    place->role = score_words(reader, members[0]);
    place->file = score_text(reader, members[1]);
    place->line = score_line(reader, members[2]);
    place->column = score_line(reader, members[3]);
    bool has_block = read_dimensions(reader, members[4], place->block);
    place->has_thread = read_dimensions(reader, members[5], place->thread);
    if (reader->error == ERROR_NONE && has_block != place->has_thread) {
        score_fail(reader, value, "block and thread must both be known, or both be null");
    }
}

void score_findings(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"kind",   "code",   "severity", "message",
                                       "kernel", "launch", "count",    "places"};
    size_t count = score_list(reader, value, SCORE_LIST_MAX);
    struct finding *list = arena_array(reader->arena, count, sizeof *list);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a finding", keys, COUNT(keys), members);
        list[i].code = score_code(reader, members[1]);
        score_check_kind(reader, members[0], list[i].code);
        list[i].severity = score_severity(reader, members[2]);
        list[i].message = score_words(reader, members[3]);
        list[i].kernel = score_text(reader, members[4]);
        list[i].launch = score_text(reader, members[5]);
        list[i].count = (uint64_t)score_number(reader, members[6], 1, 0x1p63);
        list[i].place_count = score_list(reader, members[7], FINDING_PLACES_MAX);
        const cJSON *place = list[i].place_count > 0 ? members[7]->child : NULL;
        for (size_t j = 0; j < list[i].place_count; j++, place = place->next) {
            read_place(reader, place, &list[i].places[j]);
        }
    }
    report->findings = list;
    report->finding_count = count;
}

void score_remarks(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"message", "file", "line", "column"};
    size_t count = score_list(reader, value, SCORE_LIST_MAX);
    struct remark *list = arena_array(reader->arena, count, sizeof *list);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a remark", keys, COUNT(keys), members);
        list[i].message = score_text(reader, members[0]);
        list[i].file = score_text(reader, members[1]);
        list[i].line = score_line(reader, members[2]);
        list[i].column = score_line(reader, members[3]);
    }
    report->remarks = list;
    report->remark_count = count;
}
