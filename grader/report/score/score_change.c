/* score_change.c: see score_change.h. */
#include "report/score/score_change.h"

#include "base/json.h"
#include "explain/explain.h"
#include "model/verdict.h"
#include "report/display_text.h"

#include <math.h>
#include <string.h>

static const char *member_text(struct arena *arena, const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    return text == NULL ? "" : arena_strdup(arena, text);
}

static double member_number(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

enum error score_summary_read(struct arena *arena, const char *bytes, size_t length,
                              struct score_summary *out_summary, struct diagnostic *diagnostic)
{
    struct json_document *document;
    enum error error = json_parse(bytes, length, "the score", BLAME_GRADER, &document, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    const cJSON *root = json_root(document);
    const cJSON *criteria = cJSON_GetObjectItemCaseSensitive(root, "criteria");
    const cJSON *criterion = NULL;
    struct score_row *rows =
        arena_array(arena, (size_t)cJSON_GetArraySize(criteria) + 1, sizeof *rows);
    size_t count = 0;
    cJSON_ArrayForEach(criterion, criteria)
    {
        const cJSON *cause = cJSON_GetObjectItemCaseSensitive(criterion, "cause");
        rows[count++] = (struct score_row){
            .id = member_text(arena, criterion, "id"),
            .title = member_text(arena, criterion, "title"),
            .status = member_text(arena, criterion, "status"),
            .code = member_text(arena, cause, "code"),
            .points = member_number(criterion, "points"),
        };
    }
    *out_summary = (struct score_summary){
        .rows = rows,
        .row_count = count,
        .score = member_number(root, "score"),
        .measurable = member_number(root, "measurable_max"),
    };
    json_document_free(document);
    return ERROR_NONE;
}

static const struct score_row *find_row(const struct score_summary *summary, const char *id)
{
    for (size_t i = 0; i < summary->row_count; i++) {
        if (strcmp(summary->rows[i].id, id) == 0) {
            return &summary->rows[i];
        }
    }
    return NULL;
}

/* Appends the word of a status in the score file; blanks for an unknown one. */
static void append_status(const char *name, bool color, struct text *out)
{
    for (enum status status = STATUS_PASSED; status < STATUSES; status++) {
        if (strcmp(name, status_name(status)) == 0) {
            report_append_status(status, color, out);
            return;
        }
    }
    text_append(out, "    ");
}

/* "R01" for "shared_race": scores carry names, the screen shows ids. */
static const char *id_of_code(const char *name)
{
    enum code code;

    return explain_find(name, &code) ? code_id(code) : "";
}

static bool row_changed(const struct score_row *before, const struct score_row *after)
{
    return before == NULL || strcmp(before->status, after->status) != 0 ||
           strcmp(before->code, after->code) != 0 || before->points != after->points;
}

static void append_statuses(const struct score_row *before, const struct score_row *after,
                            const struct terminal_style *style, struct text *out)
{
    bool same = before == NULL || strcmp(before->status, after->status) == 0;

    text_append(out, "   ");
    append_status(same ? after->status : before->status, style->color, out);
    if (same) {
        text_append(out, "        ");
        return;
    }
    text_append(out, " -> ");
    append_status(after->status, style->color, out);
}

static void append_row(const struct score_row *before, const struct score_row *after, size_t width,
                       const struct terminal_style *style, struct text *out)
{
    size_t padding = width - display_width(after->title);

    append_statuses(before, after, style, out);
    text_append(out, "  ");
    text_append(out, after->title);
    if (before != NULL && before->points != after->points) {
        text_append_repeated(out, ' ', padding);
        text_printf(out, "  %.4g -> %.4g", before->points, after->points);
    } else if (before != NULL && after->code[0] != '\0' && strcmp(before->code, after->code) != 0) {
        text_append_repeated(out, ' ', padding);
        text_printf(out, "  now %s", id_of_code(after->code));
        if (before->code[0] != '\0') {
            text_printf(out, ", was %s", id_of_code(before->code));
        }
    }
    text_append_char(out, '\n');
}

void score_change(const struct score_summary *before, const struct score_summary *after,
                  const struct terminal_style *style, struct text *out)
{
    size_t width = 0;
    size_t changed = 0;

    for (size_t i = 0; i < after->row_count; i++) {
        size_t columns = display_width(after->rows[i].title);
        width = columns > width ? columns : width;
        changed += row_changed(find_row(before, after->rows[i].id), &after->rows[i]) ? 1 : 0;
    }
    if (changed == 0) {
        text_append(out, "nothing changed since the last check\n");
        return;
    }
    text_append(out, "changed since the last check:\n");
    for (size_t i = 0; i < after->row_count; i++) {
        const struct score_row *was = find_row(before, after->rows[i].id);
        if (row_changed(was, &after->rows[i])) {
            append_row(was, &after->rows[i], width, style, out);
        }
    }
    text_printf(out, "score %.6g -> %.6g of %.6g\n", before->score, after->score,
                after->measurable);
}
