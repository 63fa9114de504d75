/* score_read.c: the head of a score and its criteria; score_details.c reads what they rest on. See
 * score_read.h.
 *
 *     bytes --json_parse--> values with places --"schema"--> known --score_reader--> report
 *                                                               sums, statuses, ids agree
 */
#include "report/score/score_read.h"

#include "report/score/score_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define LARGE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT "0123456789"

enum { CRITERIA_MAX = 1000, DEVICES_MAX = 64, VERSION_MAX = 1000000, ID_MAX = 40, KEY_MAX = 200 };

static const double most_points = 1e6;
static const char id_words[] = "an id of at most 40 letters, digits, '.', '-' and '_'";

/* Seconds, and facts: anything that a double holds. */
static const double largest = 1e300;

static const char *status_word(size_t index)
{
    return status_name((enum status)index);
}

static void read_hash(struct score_reader *reader, const cJSON *value, char out[65])
{
    const char *hash = score_name(reader, value, "0123456789abcdef", 64, 64,
                                  "a SHA-256 of 64 lowercase hexadecimal digits");
    size_t length = strlen(hash);

    memcpy(out, hash, length);
    out[length] = '\0';
}

static void read_cause(struct score_reader *reader, const cJSON *value, struct cause *cause)
{
    static const char *const keys[] = {"kind", "code", "message", "file", "line", "column", "hint"};
    const cJSON *members[COUNT(keys)];

    *cause = (struct cause){.code = CODE_NONE, .message = "", .file = "", .hint = ""};
    if (score_skip(reader, value) || cJSON_IsNull(value)) {
        return;
    }
    score_members(reader, value, "a cause", keys, COUNT(keys), members);
    cause->code = score_code(reader, members[1]);
    score_check_kind(reader, members[0], cause->code);
    cause->message = score_words(reader, members[2]);
    cause->file = score_text(reader, members[3]);
    cause->line = score_line(reader, members[4]);
    cause->column = score_line(reader, members[5]);
    cause->hint = score_text(reader, members[6]);
}

static void read_fact(struct score_reader *reader, const cJSON *value, struct evidence *fact)
{
    if (strlen(value->string) > KEY_MAX) {
        score_fail(reader, value, "the name of a fact can have at most %d bytes", (int)KEY_MAX);
    }
    fact->key = arena_strdup(reader->arena, value->string);
    if (cJSON_IsString(value)) {
        fact->type = EVIDENCE_TEXT;
        fact->text = score_text(reader, value);
    } else if (cJSON_IsBool(value)) {
        fact->type = EVIDENCE_BOOLEAN;
        fact->integer = cJSON_IsTrue(value);
    } else {
        double number = score_number(reader, value, -largest, largest);
        bool is_whole = number == trunc(number) && fabs(number) < 0x1p53;
        fact->type = is_whole ? EVIDENCE_INTEGER : EVIDENCE_NUMBER;
        fact->number = number;
        fact->integer = is_whole ? (int64_t)number : 0;
    }
}

static void read_facts(struct score_reader *reader, const cJSON *value, struct evidence *facts,
                       size_t *out_count)
{
    if (score_skip(reader, value)) {
        return;
    }
    if (!cJSON_IsObject(value)) {
        score_fail(reader, value, "'%s' must be an object of facts", value->string);
        return;
    }
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        if (*out_count == EVIDENCE_MAX) {
            score_fail(reader, member, "more than %d facts", (int)EVIDENCE_MAX);
            return;
        }
        read_fact(reader, member, &facts[(*out_count)++]);
    }
}

/* What the schema asks of each status. */
static void check_status(struct score_reader *reader, const cJSON *value,
                         const struct verdict *verdict)
{
    bool has_cause = verdict->cause.code != CODE_NONE;
    bool earns = verdict->status == STATUS_PASSED || verdict->status == STATUS_PARTIAL;

    if (verdict->points > verdict->criterion->points) {
        score_fail(reader, value, "%.12g points, but at most %.12g are possible", verdict->points,
                   verdict->criterion->points);
    } else if (!earns && verdict->points != 0) {
        score_fail(reader, value, "a criterion that is '%s' must have 0 points, found %.12g",
                   status_name(verdict->status), verdict->points);
    } else if (verdict->status == STATUS_PASSED && has_cause) {
        score_fail(reader, value, "a criterion that passed cannot have a cause");
    } else if (verdict->status == STATUS_FAILED && !has_cause) {
        score_fail(reader, value, "a criterion that failed needs a cause");
    }
}

/* The mark follows from status and cause, so it must agree with them. */
static void check_review(struct score_reader *reader, const cJSON *value, bool is_there,
                         bool is_due)
{
    if (reader->error == ERROR_NONE && is_there != is_due) {
        score_fail(reader, value, is_due ? "'review' is missing" : "there is nothing to review");
    }
}

static void read_criterion(struct score_reader *reader, const cJSON *value,
                           struct rubric_criterion *criterion, struct verdict *verdict)
{
    static const char *const keys[] = {"id",      "title",    "?hidden",    "?bonus",
                                       "status",  "points",   "max_points", "cause",
                                       "?review", "evidence", "measured"};
    const cJSON *members[COUNT(keys)];

    score_members(reader, value, "a criterion", keys, COUNT(keys), members);
    criterion->id = score_name(reader, members[0], SMALL LARGE DIGIT "._-", 1, ID_MAX, id_words);
    criterion->title = score_text(reader, members[1]);
    criterion->hidden = score_flag(reader, members[2]);
    criterion->bonus = score_flag(reader, members[3]);
    criterion->points = score_number(reader, members[6], 0, most_points);
    verdict->criterion = criterion;
    verdict->summary = "";
    verdict->status = (enum status)score_word(reader, members[4], status_word, STATUSES, "status");
    if (verdict->status != STATUS_OPEN) {
        verdict->points = score_number(reader, members[5], 0, most_points);
    } else if (reader->error == ERROR_NONE && !cJSON_IsNull(members[5])) {
        score_fail(reader, members[5], "a criterion that is open has the points null");
    }
    read_cause(reader, members[7], &verdict->cause);
    read_facts(reader, members[9], verdict->evidence, &verdict->evidence_count);
    read_facts(reader, members[10], verdict->measured, &verdict->measured_count);
    check_review(reader, value, members[8] != NULL,
                 status_review(verdict->status, verdict->cause.code) != NULL);
    if (reader->error == ERROR_NONE) {
        check_status(reader, members[5], verdict);
    }
}

static void read_criteria(struct score_reader *reader, const cJSON *value, struct rubric *rubric,
                          struct report *report)
{
    size_t count = score_list(reader, value, CRITERIA_MAX);
    struct rubric_criterion *criteria = arena_array(reader->arena, count, sizeof *criteria);
    struct verdict *verdicts = arena_array(reader->arena, count, sizeof *verdicts);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_criterion(reader, item, &criteria[i], &verdicts[i]);
        for (size_t j = 0; j < i && reader->error == ERROR_NONE; j++) {
            if (strcmp(criteria[i].id, criteria[j].id) == 0) {
                score_fail(reader, item, "the criterion '%s' occurs twice", criteria[i].id);
            }
        }
        if (criteria[i].hidden) {
            rubric->hidden_criterion_count++;
            rubric->reports_hidden = true;
        }
    }
    rubric->criteria = criteria;
    rubric->criterion_count = count;
    report->verdicts = verdicts;
    report->verdict_count = reader->error == ERROR_NONE ? count : 0;
}

static bool is_near(double sum, double expected)
{
    return fabs(sum - expected) <= 1e-6 * (1 + fabs(expected));
}

/* The sums of a score are those of its criteria. */
static void check_sums(struct score_reader *reader, const cJSON *const sums[3],
                       const cJSON *complete, const struct report *report)
{
    const double expected[] = {report_score(report), report_max_score(report),
                               report_measurable_max(report)};

    for (size_t i = 0; i < 3; i++) {
        double sum = score_number(reader, sums[i], 0, most_points * CRITERIA_MAX);
        if (reader->error == ERROR_NONE && !is_near(sum, expected[i])) {
            score_fail(reader, sums[i], "'%s' is %.12g, but the criteria add up to %.12g",
                       sums[i]->string, sum, expected[i]);
        }
    }
    bool is_complete = score_flag(reader, complete);
    if (reader->error == ERROR_NONE && is_complete != report_complete(report)) {
        score_fail(reader, complete, "'complete' is %s, but the criteria say otherwise",
                   is_complete ? "true" : "false");
    }
}

/* The criterion of `check --only`; NULL: all were judged. */
static const char *read_only(struct score_reader *reader, const cJSON *value,
                             const struct report *report)
{
    if (value == NULL) {
        return NULL;
    }
    const char *only = score_name(reader, value, SMALL LARGE DIGIT "._-", 1, ID_MAX, id_words);
    for (size_t i = 0; i < report->verdict_count && reader->error == ERROR_NONE; i++) {
        if (strcmp(report->verdicts[i].criterion->id, only) != 0) {
            score_fail(reader, value, "'only' is '%s', but '%s' was graded", only,
                       report->verdicts[i].criterion->id);
        }
    }
    return only;
}

/* 13000 of "13.0"; 0 of "". */
static uint32_t read_driver(struct score_reader *reader, const cJSON *value)
{
    enum { MAJOR_MAX = 1000, MINOR_MAX = 99 };
    const char *text = score_text(reader, value);
    char *end;

    if (score_skip(reader, value) || text[0] == '\0') {
        return 0;
    }
    bool is_good = strspn(text, DIGIT ".") == strlen(text) && text[0] != '.';
    unsigned long major = strtoul(text, &end, 10);
    unsigned long minor = 0;
    is_good = is_good && end[0] == '.' && end[1] != '\0' && strchr(end + 1, '.') == NULL;
    if (is_good) {
        minor = strtoul(end + 1, NULL, 10);
    }
    if (!is_good || major > MAJOR_MAX || minor > MINOR_MAX) {
        score_fail(reader, value, "expected a version such as 13.0, found '%.100s'", text);
        return 0;
    }
    return (uint32_t)(major * 1000 + minor * 10);
}

static const char *device_word(size_t index)
{
    return index == 0 ? "emulated" : "cuda";
}

static void read_devices(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"kind", "gpu_model", "uuid", "driver"};
    size_t count = score_list(reader, value, DEVICES_MAX);
    struct report_device *devices = arena_array(reader->arena, count, sizeof *devices);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count; i++, item = item->next) {
        const cJSON *members[COUNT(keys)];
        score_members(reader, item, "a device", keys, COUNT(keys), members);
        devices[i].kind =
            device_word(score_word(reader, members[0], device_word, 2, "kind of device"));
        devices[i].gpu_model = score_text(reader, members[1]);
        devices[i].uuid = score_text(reader, members[2]);
        devices[i].driver_version = read_driver(reader, members[3]);
    }
    if (reader->error == ERROR_NONE && count == 0) {
        score_fail(reader, value, "a score must name at least one device");
    }
    report->devices = devices;
    report->device_count = count;
}

static void read_machine(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"devices", "sandbox", "tools"};
    static const char *const sandbox_keys[] = {"tier",          "memory",          "own_user",
                                               "filters_calls", "confines_device", "note"};
    static const char *const tool_keys[] = {"gpugrade", "cuda", "?compiler"};
    const cJSON *members[COUNT(keys)];
    const cJSON *sandbox[COUNT(sandbox_keys)];
    const cJSON *tools[COUNT(tool_keys)];

    score_members(reader, value, "'machine'", keys, COUNT(keys), members);
    read_devices(reader, members[0], report);
    score_members(reader, members[1], "'sandbox'", sandbox_keys, COUNT(sandbox_keys), sandbox);
    report->sandbox = (struct report_sandbox){
        .tier = score_name(reader, sandbox[0], "ABC", 0, 1, "a tier of A, B or C, or \"\""),
        .memory = score_text(reader, sandbox[1]),
        .own_user = score_flag(reader, sandbox[2]),
        .filters_calls = score_flag(reader, sandbox[3]),
        .confines_device = score_flag(reader, sandbox[4]),
        .note = score_text(reader, sandbox[5]),
    };
    score_members(reader, members[2], "'tools'", tool_keys, COUNT(tool_keys), tools);
    report->grader_version = score_text(reader, tools[0]);
    /* Scores of before 0.2 name the toolkit alone. */
    report->compiler = tools[2] != NULL
                           ? score_text(reader, tools[2])
                           : arena_printf(reader->arena, "nvcc %s", score_text(reader, tools[1]));
}

static uint64_t read_count(struct score_reader *reader, const cJSON *value)
{
    double count = score_number(reader, value, 0, 0x1p64);

    if (reader->error == ERROR_NONE && count != trunc(count)) {
        score_fail(reader, value, "expected a whole number");
    }
    return count >= 0x1p64 ? UINT64_MAX : (uint64_t)count;
}

/* What no list holds stands behind the findings, as a rest of each severity. */
static void read_dropped(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"errors", "warnings"};
    static const enum severity severities[] = {SEVERITY_ERROR, SEVERITY_WARNING};
    size_t count = report->finding_count;
    const cJSON *members[2];

    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    struct finding *findings = arena_array(reader->arena, count + 2, sizeof *findings);
    if (count > 0) {
        memcpy(findings, report->findings, count * sizeof *findings);
    }
    score_members(reader, value, "'findings_dropped'", keys, 2, members);
    for (size_t i = 0; i < 2; i++) {
        struct finding rest = {.message = "", .kernel = "", .launch = "", .is_rest = true};
        rest.severity = severities[i];
        rest.count = read_count(reader, members[i]);
        findings[count + i] = rest;
    }
    report->findings = findings;
    report->finding_count = count + 2;
}

static void read_seconds(struct score_reader *reader, const cJSON *value, struct report *report)
{
    size_t count = 0;

    if (score_skip(reader, value)) {
        return;
    }
    if (!cJSON_IsObject(value)) {
        score_fail(reader, value, "'seconds' must be an object of numbers");
        return;
    }
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        count++;
    }
    struct named_seconds *seconds = arena_array(reader->arena, count, sizeof *seconds);
    const cJSON *member = value->child;
    for (size_t i = 0; i < count; i++, member = member->next) {
        seconds[i].name = arena_strdup(reader->arena, member->string);
        seconds[i].seconds = score_number(reader, member, 0, largest);
    }
    report->seconds = seconds;
    report->seconds_count = count;
}

static const char *order_word(size_t index)
{
    return index == 0 ? "desc" : "asc";
}

static void read_rank(struct score_reader *reader, const cJSON *value, struct report *report)
{
    static const char *const keys[] = {"name", "value", "order"};
    struct report_rank *rank = arena_alloc(reader->arena, sizeof *rank);
    const cJSON *members[COUNT(keys)];

    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    score_members(reader, value, "'leaderboard'", keys, COUNT(keys), members);
    rank->name = score_text(reader, members[0]);
    rank->value = score_number(reader, members[1], 0, largest);
    rank->is_ascending = score_word(reader, members[2], order_word, 2, "order") == 1;
    rank->gpu = "";
    report->rank = rank;
}

static uint64_t read_seed(struct score_reader *reader, const cJSON *value)
{
    static const char what[] = "a seed: 0x and 1 to 16 lowercase hexadecimal digits";
    const char *text = score_name(reader, value, "x0123456789abcdef", 3, 18, what);

    if (reader->error == ERROR_NONE &&
        (!text_starts_with(text, "0x") || strchr(text + 2, 'x') != NULL)) {
        score_fail(reader, value, "expected %s, found '%.100s'", what, text);
    }
    return reader->error == ERROR_NONE ? strtoull(text, NULL, 16) : 0;
}

/* How much students are told shows in what the diagnostics tell. */
static enum hints hints_of(const struct report *report)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        for (size_t j = 0; j < report->diagnostics[i].note_count; j++) {
            if (report->diagnostics[i].notes[j].kind == NOTE_EXPLAIN) {
                return HINTS_EXPLAIN;
            }
        }
    }
    return HINTS_NONE;
}

static void read_root(struct score_reader *reader, const cJSON *root, struct rubric *rubric,
                      struct report *report)
{
    enum {
        SCHEMA,
        COURSEWORK,
        RUBRIC,
        SUBMISSION,
        SCORE,
        MAX_SCORE,
        MEASURABLE,
        COMPLETE,
        SEED,
        CRITERIA,
        DIAGNOSTICS,
        FINDINGS,
        REMARKS,
        MACHINE,
        SECONDS,
        AUDIENCE,
        ONLY,
        REVIEW,
        DROPPED,
        LEADERBOARD,
        KEYS
    };
    static const char *const keys[KEYS] = {"schema",
                                           "coursework",
                                           "rubric",
                                           "submission",
                                           "score",
                                           "max_score",
                                           "measurable_max",
                                           "complete",
                                           "seed",
                                           "criteria",
                                           "diagnostics",
                                           "findings",
                                           "remarks",
                                           "machine",
                                           "seconds",
                                           "?audience",
                                           "?only",
                                           "?review",
                                           "?findings_dropped",
                                           "?leaderboard"};
    static const char *const rubric_keys[] = {"version", "sha256"};
    static const char *const submission_keys[] = {"name", "sha256"};
    const cJSON *members[KEYS];
    const cJSON *parts[2];

    score_members(reader, root, "a score", keys, KEYS, members);
    rubric->id = score_name(reader, members[COURSEWORK], SMALL DIGIT "_", 1, ID_MAX,
                            "the id of a coursework (lowercase letters, digits and '_')");
    rubric->title = rubric->id;
    if (strcmp(members[AUDIENCE] == NULL ? "instructor" : score_text(reader, members[AUDIENCE]),
               "instructor") != 0) {
        score_fail(reader, members[AUDIENCE], "'audience' can only be \"instructor\"");
    }
    rubric->reports_hidden = members[AUDIENCE] != NULL;
    score_members(reader, members[RUBRIC], "'rubric'", rubric_keys, 2, parts);
    rubric->version = score_integer(reader, parts[0], 1, VERSION_MAX);
    read_hash(reader, parts[1], rubric->sha256);
    score_members(reader, members[SUBMISSION], "'submission'", submission_keys, 2, parts);
    report->submission_name = score_text(reader, parts[0]);
    read_hash(reader, parts[1], report->submission_sha256);
    report->seed = read_seed(reader, members[SEED]);
    read_criteria(reader, members[CRITERIA], rubric, report);
    report->only = read_only(reader, members[ONLY], report);
    check_sums(reader, &members[SCORE], members[COMPLETE], report);
    check_review(reader, root, members[REVIEW] != NULL, report_wants_review(report));
    score_diagnostics(reader, members[DIAGNOSTICS], report);
    score_findings(reader, members[FINDINGS], report);
    read_dropped(reader, members[DROPPED], report);
    score_remarks(reader, members[REMARKS], report);
    read_machine(reader, members[MACHINE], report);
    read_seconds(reader, members[SECONDS], report);
    read_rank(reader, members[LEADERBOARD], report);
}

/* Another kind of file, or another version, is said so before its keys are looked at. */
static enum error check_schema(struct score_reader *reader, const cJSON *root)
{
    static const char mine[] = "gpugrade/score/v1";
    static const char family[] = "gpugrade/score/v";
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");

    if (!cJSON_IsObject(root) || !cJSON_IsString(schema)) {
        score_fail(reader, root,
                   "this is not a score: expected an object with \"schema\": \"%s\", "
                   "as 'gpugrade check --json FILE' writes it",
                   mine);
        return reader->error;
    }
    const char *name = schema->valuestring;
    if (strcmp(name, mine) == 0) {
        return ERROR_NONE;
    }
    if (text_starts_with(name, family)) {
        score_fail(reader, schema,
                   "this score has the schema '%.100s', but this gpugrade reads '%s'; use the "
                   "gpugrade that wrote it, or a newer one",
                   name, mine);
        reader->error = ERROR_UNSUPPORTED;
        return reader->error;
    }
    score_fail(reader, schema,
               "this is not a score but '%.100s'; 'gpugrade check --json FILE' writes a score",
               name);
    return reader->error;
}

static bool is_blank(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\0' || strchr(" \t\r\n", bytes[i]) == NULL) {
            return false;
        }
    }
    return true;
}

enum error score_read(struct arena *arena, const char *bytes, size_t length, const char *file,
                      struct report *out_report, struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    struct score_reader reader = {.arena = arena, .diagnostic = diagnostic};
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);
    struct report report = {.rubric = rubric, .again = "", .gpu_note = ""};

    if (is_blank(bytes, length)) {
        diagnostic_set_at(diagnostic, BLAME_USAGE, file, 0, 0,
                          "the file is empty; 'gpugrade check --json FILE' writes a score");
        return ERROR_SYNTAX;
    }
    enum error error = json_parse(bytes, length, file, BLAME_USAGE, &document, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    reader.document = document;
    error = check_schema(&reader, json_root(document));
    if (error == ERROR_NONE) {
        read_root(&reader, json_root(document), rubric, &report);
        error = reader.error;
    }
    if (error == ERROR_NONE) {
        report.hints = hints_of(&report);
        *out_report = report;
    }
    json_document_free(document);
    return error;
}
