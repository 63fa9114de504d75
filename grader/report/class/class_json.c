/* class_json.c: see class_json.h. Each line is made, written and freed on its own. */
#include "report/class/class_json.h"

#include "report/class/class_facts.h"
#include "report/score/json_parts.h"

/* Writes a line and frees it. */
static void end_line(cJSON *line, struct text *out)
{
    json_print_line(line, out);
    cJSON_Delete(line);
}

static cJSON *begin_line(const char *type)
{
    cJSON *line = json_made(cJSON_CreateObject());

    json_add_text(line, "type", type);
    return line;
}

/* Adds a text where there is one. */
static void add_known(cJSON *object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        json_add_text(object, key, text);
    }
}

static void add_criteria(cJSON *line, const struct class_results *results,
                         const struct class_facts *facts)
{
    cJSON *criteria = json_add_array(line, "criteria");

    for (size_t i = 0; i < results->criterion_count; i++) {
        const struct class_criterion *criterion = &results->criteria[i];
        cJSON *object = json_append_object(criteria);
        json_add_text(object, "id", criterion->id);
        json_add_text(object, "title", criterion->title);
        json_add_text(object, "kind", criterion->kind);
        json_add_number(object, "points", criterion->points);
        json_add_boolean(object, "hidden", criterion->hidden);
        json_add_boolean(object, "bonus", criterion->bonus);
        for (int status = 0; status < CLASS_STATUS_COUNT; status++) {
            json_add_number(object, status_name((enum status)status),
                            (double)facts->criteria[i].statuses[status]);
        }
        json_add_number(object, "mean_points", facts->criteria[i].mean_points);
    }
}

static void append_class(const struct class_results *results, const struct class_facts *facts,
                         struct text *out)
{
    cJSON *line = begin_line("class");
    cJSON *rubric, *states;

    json_add_text(line, "schema", "gpugrade/class/v1");
    json_add_text(line, "coursework", results->coursework);
    json_add_text(line, "title", results->title);
    rubric = json_add_object(line, "rubric");
    json_add_number(rubric, "version", (double)results->rubric_version);
    json_add_text(rubric, "sha256", results->rubric_sha256);
    json_add_text(line, "seed", results->seed);
    json_add_number(line, "maximum", results->maximum);
    json_add_boolean(line, "has_hidden", results->has_hidden);
    json_add_boolean(line, "pseudonyms", results->is_pseudonymous);
    json_add_text(line, "machine", results->machine);
    json_add_text(line, "grader", results->grader_version);
    json_add_number(line, "students", (double)results->row_count);
    states = json_add_object(line, "states");
    for (int state = 0; state < CLASS_STATE_COUNT; state++) {
        json_add_number(states, class_state_name((enum class_state)state),
                        (double)facts->states[state]);
    }
    if (facts->mark_count > 0) {
        json_add_number(line, "mean", facts->mean);
        json_add_number(line, "median", facts->median);
    }
    add_criteria(line, results, facts);
    end_line(line, out);
}

static void add_who(cJSON *line, const struct class_results *results, const struct class_row *row)
{
    struct text time;

    json_add_text(line, "student", row->student);
    add_known(line, "name", row->name);
    add_known(line, "email", row->email);
    add_known(line, "canvas_id", row->canvas_id);
    add_known(line, "sis_id", row->sis_id);
    add_known(line, "login", row->login);
    add_known(line, "section", row->section);
    add_known(line, "moodle_id", row->moodle_id);
    add_known(line, "submission", row->submission);
    text_init(&time);
    class_append_time(&time, row->submitted);
    add_known(line, "submitted", time.bytes);
    text_release(&time);
    json_add_number(line, "attempts", (double)row->attempts);
    add_known(line, "content", class_row_content(results, row));
}

static void add_final(cJSON *line, const struct class_results *results, const struct class_row *row)
{
    cJSON *final;

    if (row->state != CLASS_GRADED && row->state != CLASS_NOTHING && row->decision_count == 0) {
        return;
    }
    final = json_add_object(line, "final");
    json_add_number(final, "raw", row->final.raw);
    json_add_number(final, "penalty", row->final.penalty);
    if (row->final.added != 0) {
        json_add_number(final, "added", row->final.added);
    }
    if (class_row_has_mark(results, row)) {
        json_add_number(final, "mark", row->final.mark);
    }
    json_add_number(final, "maximum", row->final.maximum);
    json_add_number(final, "late_seconds", (double)row->final.late_s);
    json_add_boolean(final, "cut_off", row->final.is_cut_off);
    if (row->final.is_excused) {
        json_add_boolean(final, "excused", true);
    }
}

static void add_decisions(cJSON *line, const struct class_row *row)
{
    cJSON *decisions = row->decision_count > 0 ? json_add_array(line, "decisions") : NULL;
    struct text time;

    text_init(&time);
    for (size_t i = 0; i < row->decision_count; i++) {
        const struct class_decision *decision = &row->decisions[i];
        cJSON *object = json_append_object(decisions);
        json_add_number(object, "number", (double)decision->number);
        json_add_text(object, "kind", decision_name(decision->kind));
        add_known(object, "about", decision->about);
        text_clear(&time);
        if (decision->kind == DECISION_UNTIL) {
            class_append_time(&time, (int64_t)decision->value);
            add_known(object, "until", time.bytes);
        } else if (decision->value != 0) {
            json_add_number(object, "value", decision->value);
        }
        add_known(object, "text", decision->text);
        text_clear(&time);
        class_append_time(&time, decision->made_at);
        add_known(object, "made", time.bytes);
        add_known(object, "by", decision->made_by);
    }
    text_release(&time);
}

static void add_marks(cJSON *line, const struct class_results *results, const struct class_row *row)
{
    cJSON *criteria;

    if (row->state != CLASS_GRADED || row->marks == NULL) {
        return;
    }
    json_add_boolean(line, "complete", row->is_complete);
    criteria = json_add_array(line, "criteria");
    for (size_t i = 0; i < results->criterion_count; i++) {
        const struct class_mark *mark = &row->marks[i];
        cJSON *object;
        if (!mark->is_judged) {
            continue;
        }
        object = json_append_object(criteria);
        json_add_text(object, "id", results->criteria[i].id);
        json_add_text(object, "status", status_name(mark->status));
        if (mark->status == STATUS_OPEN) {
            json_made(cJSON_AddNullToObject(object, "points"));
        } else {
            json_add_number(object, "points", mark->points);
        }
        if (mark->code != CODE_NONE) {
            json_add_text(object, "code", code_name(mark->code));
        }
        const char *review = status_review(mark->status, mark->code);
        if (review != NULL) {
            json_add_text(object, "review", review);
        }
    }
}

static void append_student(const struct class_results *results, const struct class_row *row,
                           struct text *out)
{
    cJSON *line = begin_line("student");

    add_who(line, results, row);
    json_add_text(line, "state", class_state_name(row->state));
    add_known(line, "reason", row->trouble);
    add_final(line, results, row);
    add_decisions(line, row);
    add_marks(line, results, row);
    if (row->speedup > 0) {
        json_add_number(line, "speedup", row->speedup);
    }
    if (row->place > 0) {
        cJSON *board = json_add_object(line, "leaderboard");
        json_add_text(board, "name", row->alias);
        json_add_number(board, "place", (double)row->place);
        json_add_number(board, "value", row->ranked);
        add_known(board, "gpu", row->ranked_on);
    }
    if (row->tries > 0) {
        json_add_number(line, "seconds", row->seconds);
        json_add_number(line, "tries", row->tries);
    }
    end_line(line, out);
}

static void append_finding(const struct class_results *results, const struct class_finding *finding,
                           struct text *out)
{
    cJSON *line = begin_line("finding");
    cJSON *examples;

    json_add_text(line, "kind", cause_name(code_cause(finding->code)));
    json_add_text(line, "code", code_name(finding->code));
    json_add_text(line, "id", code_id(finding->code));
    json_add_text(line, "title", code_title(finding->code));
    json_add_number(line, "students", (double)finding->students);
    examples = json_add_array(line, "examples");
    for (size_t i = 0; i < finding->example_count; i++) {
        const char *student = results->rows[finding->examples[i]].student;
        cJSON_AddItemToArray(examples, json_made(cJSON_CreateString(student)));
    }
    end_line(line, out);
}

static void append_pair(const struct class_results *results, const struct class_pair *pair,
                        struct text *out)
{
    cJSON *line = begin_line("pair");

    json_add_text(line, "first", results->rows[pair->first].student);
    json_add_text(line, "second", results->rows[pair->second].student);
    json_add_text(line, "program", pair->program);
    json_add_number(line, "likeness", pair->similarity);
    json_add_number(line, "shared_instructions", (double)pair->shared);
    json_add_boolean(line, "same_content", pair->is_same_content);
    end_line(line, out);
}

void class_json(const struct class_results *results, struct text *out)
{
    struct arena *arena = arena_new();
    struct class_facts facts = class_facts_of(results, arena);

    append_class(results, &facts, out);
    for (size_t i = 0; i < results->row_count; i++) {
        append_student(results, &results->rows[i], out);
    }
    for (size_t i = 0; i < results->finding_count; i++) {
        append_finding(results, &results->findings[i], out);
    }
    for (size_t i = 0; i < results->pair_count; i++) {
        append_pair(results, &results->pairs[i], out);
    }
    arena_free(arena);
}
