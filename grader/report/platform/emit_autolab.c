/* emit_autolab.c: what an Autolab autograder prints: text, a line with stages ("Formatted
 * feedback"), and in the last line the scores, with nothing behind it ("Guide for lab authors").
 *
 *     62 of 85 points that were measured, 15 were not
 *     ...
 *     {"_presentation":"semantic","stages":["criteria","not measured here"],...}
 *     {"scores":{"compile":5,"correct.tiled":20}}
 *
 * The problems of the assessment are named as the criteria, by id; each gets the exact points. What
 * was skipped, or is the grader's fault, gets no score: Autolab leaves it open. It rejects scores
 * without any problem, and then gives 0 to all, so where nothing could be measured the first one
 * alone has 0. Autolab puts quotes around every word before a colon, inside strings too, so no
 * string here has a colon; and no line of text starts like JSON. */
#include "report/platform/emit_format.h"

#include "report/escape.h"
#include "report/platform/criterion_text.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"
#include "report/score/json_parts.h"

#include <math.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 16 * 1024, NAME_BYTES_MAX = 200, HINT_BYTES_MAX = 500 };

static const char stage_judged[] = "criteria";
static const char stage_open[] = "not measured here";

/* Appends one printable line without colons: "a.cu, line 3 - expected" for "a.cu:3: expected". */
static void append_without_colons(const char *string, struct text *out)
{
    for (size_t i = 0; string[i] != '\0'; i++) {
        if (string[i] != ':') {
            text_append_char(out, string[i]);
        } else if (string[i + 1] == ' ') {
            text_append(out, " -");
        } else {
            text_append_char(out, '.');
        }
    }
}

/* The title of a criterion as a key. */
static void append_title(const struct verdict *verdict, struct text *out)
{
    struct text title;

    text_init(&title);
    emit_append_line(&title, emit_title(verdict), NAME_BYTES_MAX);
    append_without_colons(title.bytes, out);
    text_append(out, verdict->criterion->bonus ? " (bonus)" : "");
    text_release(&title);
}

/* True if two criteria have the same title: then all are called by their ids. */
static bool has_equal_titles(const struct report *report)
{
    struct text one, other;
    bool is_equal = false;

    text_init(&one);
    text_init(&other);
    for (size_t i = 0; i < report->verdict_count; i++) {
        text_clear(&one);
        append_title(&report->verdicts[i], &one);
        for (size_t j = 0; j < i && !is_equal; j++) {
            text_clear(&other);
            append_title(&report->verdicts[j], &other);
            is_equal = strcmp(one.bytes, other.bytes) == 0;
        }
    }
    text_release(&one);
    text_release(&other);
    return is_equal;
}

/* Adds a line as it must stand in Autolab's JSON. */
static void add_line(cJSON *object, const char *key, const char *string)
{
    struct text line, plain;

    text_init(&line);
    text_init(&plain);
    emit_append_line(&line, string, HINT_BYTES_MAX);
    append_without_colons(line.bytes, &plain);
    json_add_text(object, key, plain.bytes);
    text_release(&plain);
    text_release(&line);
}

static void add_step(cJSON *stage, const struct verdict *verdict, bool by_id)
{
    struct text name;

    text_init(&name);
    if (by_id) {
        text_append(&name, verdict->criterion->id);
    } else {
        append_title(verdict, &name);
    }
    if (!verdict_is_measured(verdict)) {
        add_line(stage, name.bytes, emit_why(verdict));
    } else {
        cJSON *step = json_add_object(stage, name.bytes);
        json_add_boolean(step, "passed", verdict->status == STATUS_PASSED);
        if (verdict->status != STATUS_PASSED) {
            add_line(step, "hint", emit_why(verdict));
        }
    }
    text_release(&name);
}

static void add_stage(cJSON *root, cJSON *stages, const char *name, const struct report *report,
                      bool measured)
{
    cJSON *stage = json_made(cJSON_CreateObject());
    bool by_id = has_equal_titles(report);

    for (size_t i = 0; i < report->verdict_count; i++) {
        if (verdict_is_measured(&report->verdicts[i]) == measured) {
            add_step(stage, &report->verdicts[i], by_id);
        }
    }
    if (stage->child == NULL) {
        cJSON_Delete(stage);
        return;
    }
    cJSON_AddItemToArray(stages, json_made(cJSON_CreateString(name)));
    cJSON_AddItemToObject(root, name, stage);
}

static void append_stages(const struct report *report, struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());

    json_add_text(root, "_presentation", "semantic");
    cJSON *stages = json_add_array(root, "stages");
    add_stage(root, stages, stage_judged, report, true);
    add_stage(root, stages, stage_open, report, false);
    json_print_line(root, out);
    cJSON_Delete(root);
}

static void append_scores(const struct report *report, struct text *out)
{
    cJSON *root = json_made(cJSON_CreateObject());
    cJSON *scores = json_add_object(root, "scores");

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict_is_measured(verdict)) {
            json_add_number(scores, verdict->criterion->id, round(verdict->points * 1e6) / 1e6);
        }
    }
    json_print_line(root, out);
    cJSON_Delete(root);
}

static void append_text(const struct criterion_text *texts, struct text *lines)
{
    const struct report *report = texts->report;
    const struct criterion_text names = {report, texts->options, NAME_BYTES_MAX};

    criterion_text_overview(texts, lines);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        text_append(lines, "\n");
        text_printf(lines, "%s: ", status_name(verdict->status));
        criterion_text_name(&names, verdict, lines);
        text_append(lines, ", ");
        plain_append_points(lines, verdict);
        text_append(lines, "\n");
        criterion_text_details(texts, i, lines);
    }
}

void emit_autolab(const struct report *report, const struct emit_options *options, struct text *out)
{
    const struct criterion_text texts = {report, options, TEXT_BYTES_MAX};
    struct text lines;

    text_init(&lines);
    append_text(&texts, &lines);
    escape_autolab_lines(lines.bytes, lines.length, out);
    text_release(&lines);
    append_stages(report, out);
    append_scores(report, out);
}
