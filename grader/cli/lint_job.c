/* lint_job.c: see lint_job.h. */
#include "cli/lint_job.h"

#include "base/file.h"
#include "base/json.h"
#include "coursework/cheats.h"
#include "coursework/expectation.h"
#include "coursework/fixture.h"
#include "coursework/review.h"
#include "diagnosis/grouping/diagnostics.h"
#include "model/work_limit.h"
#include "report/score/report_json.h"
#include "rubric/rubric_load.h"

#include <inttypes.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20 };

/* A job with what it needs on the way. */
struct work {
    const struct lint_setting *setting;
    const struct lint_job *job;
    struct arena *arena;
    struct text *out;
};

/* Appends a message, which may hold a compiler's, so that only its first line starts at the left.
 */
static void append_indented(struct text *out, const char *message)
{
    for (const char *at = message; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        text_printf(out, "%s%.*s\n", at == message ? "" : "        ", (int)length, at);
        at += length;
        at += strspn(at, "\n");
    }
}

/* Says that a job could not be done, and whose fault that is. */
static void say_trouble(const struct work *work, const struct diagnostic *diagnostic)
{
    bool is_ours = diagnostic->blame == BLAME_GRADER || diagnostic->blame == BLAME_ENVIRONMENT;

    text_printf(work->out, "%-5s %s: ", is_ours ? "ERROR" : "FAIL", work->job->name);
    if (diagnostic->file[0] != '\0') {
        text_printf(work->out, "%s:", diagnostic->file);
        if (diagnostic->line > 0) {
            text_printf(work->out, "%d:%d:", diagnostic->line, diagnostic->column);
        }
        text_append_char(work->out, ' ');
    }
    append_indented(work->out, diagnostic->message);
}

/* Grades files as `check` does; false if that could not be done, which is said. */
static bool grade(const struct work *work, const struct rubric *rubric, enum device_mode device,
                  const struct intake_files *files, struct report *out_report)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    const struct submission_config config = {
        .rubric = rubric,
        .toolchain = work->setting->toolchain,
        .device_path = work->setting->locations->device_path,
        .device = device,
        .seed = work->setting->seed,
        .threads = work->setting->threads,
        .name = ".",
        .again = "gpugrade check .",
        .for_instructor = true,
    };

    if (submission_grade(&config, files, work->arena, out_report, &diagnostic) != ERROR_NONE) {
        say_trouble(work, &diagnostic);
        return false;
    }
    diagnostics_make(out_report, work->arena);
    return true;
}

static bool read_folder(const struct work *work, const char *folder, struct intake_files *out_files)
{
    const struct intake_source source = {.shown = folder, .path = folder};
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (intake_read(work->arena, &source, out_files, &diagnostic) != ERROR_NONE) {
        diagnostic.blame = BLAME_RUBRIC;
        say_trouble(work, &diagnostic);
        return false;
    }
    return true;
}

/* "correct failed: wrong in 6 of 7 shapes: every element is copied as it is" */
static void say_verdict(const struct work *work, const char *word, const struct verdict *verdict)
{
    const struct cause *cause = &verdict->cause;

    text_printf(work->out, "%-5s %s: %s %s: %s", word, work->job->name, verdict->criterion->id,
                status_name(verdict->status), verdict->summary);
    if (cause->code != CODE_NONE || verdict->status == STATUS_ERROR) {
        text_printf(work->out, ": %s", cause->message);
        if (cause->file[0] != '\0') {
            text_printf(work->out, cause->line > 0 ? " (%s:%d)" : " (%s)", cause->file,
                        cause->line);
        }
    }
    text_append_char(work->out, '\n');
}

static bool is_unsound(const struct verdict *verdict)
{
    return verdict->status != STATUS_PASSED && verdict->status != STATUS_SKIPPED &&
           verdict->status != STATUS_OPEN;
}

static bool has_same_cause(const struct verdict *left, const struct verdict *right)
{
    const struct cause *a = &left->cause, *b = &right->cause;

    return left->status == right->status && a->code == b->code &&
           (a->code != CODE_NONE || left->status == STATUS_ERROR) &&
           strcmp(a->message, b->message) == 0 && strcmp(a->file, b->file) == 0 &&
           a->line == b->line;
}

/* True if the grader or the machine could not judge, and the coursework has no part in it. */
static bool is_ours(const struct verdict *verdict)
{
    return verdict->status == STATUS_ERROR && verdict->cause.advice.id != ADVICE_HARNESS_AT_FAULT;
}

/* Reads a rubric's file; NULL if it cannot be read. */
static struct json_document *read_rubric(const struct work *work, const struct rubric *rubric)
{
    struct json_document *document = NULL;
    char *bytes = NULL;
    size_t length = 0;

    if (file_read(work->arena, rubric->path, FILE_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, NULL) !=
            ERROR_NONE ||
        json_parse(bytes, length, rubric->path, BLAME_RUBRIC, &document, NULL) != ERROR_NONE) {
        return NULL;
    }
    return document;
}

/* True for an overlay, which may have taken criteria away that fixtures speak of. */
static bool extends_another(const struct work *work, const struct rubric *rubric)
{
    struct json_document *document = read_rubric(work, rubric);
    bool extends = document != NULL && cJSON_HasObjectItem(json_root(document), "extends");

    json_document_free(document);
    return extends;
}

/* Says where the rubric states what a criterion that is not passed is held to: the call, if its
 * result is what is judged, else the criterion. Nothing if this file does not say it. */
static void say_place(const struct work *work, const struct verdict *verdict)
{
    const struct rubric *rubric = work->job->rubric;
    const struct rubric_criterion *criterion = verdict->criterion;
    bool is_of_call =
        criterion->kind == CRITERION_CORRECT && rubric->launches[criterion->launch].call != NULL;
    const char *id = is_of_call ? rubric->launches[criterion->launch].id : criterion->id;
    struct json_document *document = read_rubric(work, rubric);
    struct diagnostic place;
    const cJSON *list = NULL, *entry;

    if (document != NULL) {
        list = cJSON_GetObjectItem(json_root(document), is_of_call ? "launches" : "criteria");
    }
    cJSON_ArrayForEach(entry, list)
    {
        const cJSON *name = cJSON_GetObjectItem(entry, "id");
        if (cJSON_IsString(name) && strcmp(name->valuestring, id) == 0) {
            json_diagnostic(document, entry, false, &place, "%s", "");
            text_printf(work->out, "        rubric: %s:%d:%d: %s %s\n", place.file, place.line,
                        place.column, is_of_call ? "launch" : "criterion", id);
        }
    }
    json_document_free(document);
}

/* Says why a criterion is not passed, and which others are not for the same reason; nothing if an
 * earlier one has said it. */
static void say_cause_once(const struct work *work, const struct report *report, size_t index)
{
    const struct verdict *verdict = &report->verdicts[index];
    const char *others = "";

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *other = &report->verdicts[i];
        if (i == index || !is_unsound(other) || !has_same_cause(verdict, other)) {
            continue;
        }
        if (i < index) {
            return;
        }
        others = arena_printf(work->arena, "%s%s%s", others, others[0] == '\0' ? "" : ", ",
                              other->criterion->id);
    }
    say_verdict(work, is_ours(verdict) ? "ERROR" : "FAIL", verdict);
    if (verdict->cause.hint[0] != '\0') {
        text_printf(work->out, "        hint: %s\n", verdict->cause.hint);
    }
    if (others[0] != '\0') {
        text_printf(work->out, "        for the same reason: %s\n", others);
    }
    say_place(work, verdict);
}

static size_t count_status(const struct report *report, enum status status)
{
    size_t count = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        count += report->verdicts[i].status == status ? 1 : 0;
    }
    return count;
}

/* Says that the solution needs a large part of what a launch may use at most, whatever the rubric
 * says; false if it is too large. */
static bool check_case_size(const struct work *work, const char *id,
                            const struct profile_work *tight)
{
    enum { LEAST_ROOM = 4 };
    bool is_sound = tight->allowed / tight->used >= LEAST_ROOM;

    text_printf(work->out,
                "%-5s %s: the launch %s uses %" PRIu64 " units of work for %s, and %" PRIu64
                " are allowed at most: with a smaller case there is more room for right but slow "
                "programs\n",
                is_sound ? "note" : "FAIL", work->job->name, id, tight->used, tight->shape,
                tight->allowed);
    return is_sound;
}

/* Holds what the rubric says of a launch's work to what the solution needs: with less than a
 * sixteenth of what is allowed as its own, a right but slow program would be stopped; and with more
 * than sixteen times its own said, an endless one would go on for long. Small launches may use
 * WORK_LEAST whatever is said. */
static bool check_work(const struct work *work, const struct launch_profile *profile)
{
    enum { ROOM = 16 };
    const char *id = work->job->rubric->launches[profile->launch].id;
    const struct profile_work *tight = &profile->tightest;
    const struct profile_work *loose = &profile->loosest;

    if (tight->used != 0 && tight->allowed / tight->used < ROOM && tight->allowed == WORK_MOST) {
        return check_case_size(work, id, tight);
    }
    if (tight->used != 0 && tight->allowed / tight->used < ROOM) {
        text_printf(work->out,
                    "%-5s %s: the launch %s uses %" PRIu64 " of the %" PRIu64
                    " units of work allowed for %s: its key `work` says %" PRIu64
                    ", expected about %" PRIu64 "\n",
                    "FAIL", work->job->name, id, tight->used, tight->allowed, tight->shape,
                    tight->said, tight->used);
        return false;
    }
    if (loose->used != 0 && loose->said / loose->used >= ROOM && loose->allowed > WORK_LEAST) {
        text_printf(work->out,
                    "%-5s %s: the key `work` of the launch %s says %" PRIu64
                    " for %s, the solution uses %" PRIu64 "\n",
                    "FAIL", work->job->name, id, loose->said, loose->shape, loose->used);
        return false;
    }
    return true;
}

static void try_solution(const struct work *work)
{
    const struct rubric *rubric = work->job->rubric;
    struct intake_files files;
    struct report report;
    bool is_sound = true;

    if (!read_folder(work, arena_printf(work->arena, "%s/solution", rubric->reference_folder),
                     &files) ||
        !grade(work, rubric, work->setting->device, &files, &report)) {
        return;
    }
    for (size_t i = 0; i < report.verdict_count; i++) {
        if (is_unsound(&report.verdicts[i])) {
            say_cause_once(work, &report, i);
            is_sound = false;
        }
    }
    for (size_t i = 0; i < report.profile_count; i++) {
        is_sound = check_work(work, &report.profiles[i]) && is_sound;
    }
    size_t skipped = count_status(&report, STATUS_SKIPPED);
    if (is_sound && skipped == report.verdict_count) {
        text_printf(work->out, "%-5s %s: no criterion can be measured here\n", "note",
                    work->job->name);
    } else if (is_sound) {
        text_printf(work->out, "%-5s %s: %g of %g points", "ok", work->job->name,
                    report_score(&report), report_max_score(&report));
        text_printf(work->out, skipped == 0 ? "\n" : ", %zu criteria cannot be measured here\n",
                    skipped);
    }
}

/* What is earned without any work, but for compiling. */
static void note_gifts(const struct work *work, const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->status == STATUS_PASSED && verdict->criterion->kind != CRITERION_COMPILE) {
            text_printf(work->out, "%-5s %s: it passes %s (%g points) as it is\n", "note",
                        work->job->name, verdict->criterion->id, verdict->points);
        }
    }
}

/* Adds a comment to each source, so that what is graded is what the template does, and not that it
 * is the template. */
static void touch_sources(const struct work *work, struct intake_files *files)
{
    const struct rubric *rubric = work->job->rubric;
    struct intake_file *touched = arena_array(work->arena, files->count, sizeof *touched);

    for (size_t i = 0; i < files->count; i++) {
        touched[i] = files->files[i];
    }
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            const struct intake_file *source = intake_find(files, rubric->programs[i].sources[j]);
            if (source != NULL) {
                struct intake_file *file = &touched[source - files->files];
                file->bytes = arena_printf(work->arena, "%s\n/* touched */\n", source->bytes);
                file->length = strlen(file->bytes);
            }
        }
    }
    files->files = touched;
}

static void try_template(const struct work *work)
{
    const struct rubric *rubric = work->job->rubric;
    struct intake_files files;
    struct report report;

    if (!read_folder(work, rubric->template_folder, &files)) {
        return;
    }
    touch_sources(work, &files);
    if (!grade(work, rubric, DEVICE_EMULATED, &files, &report)) {
        return;
    }
    for (size_t i = 0; i < report.verdict_count; i++) {
        const struct verdict *verdict = &report.verdicts[i];
        bool is_error = verdict->status == STATUS_ERROR;
        if (is_error ||
            (verdict->criterion->kind == CRITERION_COMPILE && verdict->status != STATUS_PASSED)) {
            say_verdict(work, is_ours(verdict) ? "ERROR" : "FAIL", verdict);
            return;
        }
    }
    if (report_score(&report) >= report_measurable_max(&report)) {
        text_printf(work->out,
                    "%-5s %s: it gets all points as it is, so students have nothing to do\n",
                    "FAIL", work->job->name);
        return;
    }
    note_gifts(work, &report);
    text_printf(work->out, "%-5s %s: %g of %g points\n", "ok", work->job->name,
                report_score(&report), report_max_score(&report));
}

/* True if a cheat is found correct in a launch that it is made for; reports it. */
static bool is_taken_in(const struct work *work, const struct report *report, const bool *made)
{
    bool is_taken_in = false;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        if (criterion->kind == CRITERION_CORRECT && made[criterion->launch] &&
            report->verdicts[i].status == STATUS_PASSED) {
            text_printf(work->out, "%-5s %s: it passes %s (%g points)\n", "FAIL", work->job->name,
                        criterion->id, report->verdicts[i].points);
            is_taken_in = true;
        }
    }
    return is_taken_in;
}

/* Makes the files of a cheat; false after a message if that cannot be done. */
static bool make_cheat(const struct work *work, struct intake_files *out_files, bool *out_made)
{
    const struct rubric *rubric = work->job->rubric;
    const char *path =
        arena_printf(work->arena, "%s/rubrics/cheats.cuh", work->setting->locations->root);
    struct diagnostic diagnostic = {.blame = BLAME_ENVIRONMENT};
    const char *why = NULL;
    size_t length = 0;
    char *helper = NULL;

    if (file_read(work->arena, path, FILE_BYTES_MAX, BLAME_ENVIRONMENT, &helper, &length,
                  &diagnostic) != ERROR_NONE) {
        say_trouble(work, &diagnostic);
        return false;
    }
    if (!read_folder(work, arena_printf(work->arena, "%s/solution", rubric->reference_folder),
                     out_files)) {
        return false;
    }
    if (work->job->cheat > CHEAT_COUNT) {
        why = "no solution can be turned into it";
    } else if (cheat_make(work->arena, rubric, out_files, helper, work->job->cheat, out_files,
                          out_made) == 0) {
        why = "no source defines a function that is judged";
    }
    if (why != NULL) {
        text_printf(work->out, "%-5s %s: not tried: %s\n", "note", work->job->name, why);
    }
    return why == NULL;
}

static void try_cheat(const struct work *work)
{
    const struct rubric *rubric = work->job->rubric;
    bool *made = arena_array(work->arena, rubric->launch_count, sizeof *made);
    struct intake_files files;
    struct report report;

    if (!make_cheat(work, &files, made) || !grade(work, rubric, DEVICE_EMULATED, &files, &report)) {
        return;
    }
    for (size_t i = 0; i < report.verdict_count; i++) {
        const struct verdict *verdict = &report.verdicts[i];
        if (verdict->status == STATUS_ERROR) {
            say_verdict(work, is_ours(verdict) ? "ERROR" : "FAIL", verdict);
            return;
        }
        if (verdict->criterion->kind == CRITERION_COMPILE && verdict->status != STATUS_PASSED) {
            text_printf(work->out, "%-5s %s: not tried: it does not compile: %s\n", "note",
                        work->job->name, verdict->cause.message);
            return;
        }
    }
    if (!is_taken_in(work, &report, made)) {
        text_printf(work->out, "%-5s %s: %g of %g points\n", "ok", work->job->name,
                    report_score(&report), report_max_score(&report));
    }
}

/* Says what of a fixture may not be meant so. */
static void note_fixture(const struct work *work, const struct rubric *rubric,
                         const struct fixture *fixture)
{
    const char *unused = fixture_unused_file(fixture, rubric);

    if (unused != NULL) {
        text_printf(work->out, "%-5s %s: no program compiles %s, and no file includes it\n", "note",
                    work->job->name, unused);
    }
}

/* Compares what a fixture got with what it says. */
static void compare(const struct work *work, const struct fixture *fixture,
                    const struct report *report)
{
    bool only_known = fixture->rubric_path == NULL && extends_another(work, work->job->rubric);
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct json_document *document = NULL;
    struct text score, lines;

    text_init(&score);
    text_init(&lines);
    report_json(report, &score);
    if (json_parse(score.bytes, score.length, "score", BLAME_GRADER, &document, &diagnostic) !=
        ERROR_NONE) {
        say_trouble(work, &diagnostic);
    } else {
        struct expectations result =
            expectations_check(fixture->expect, json_root(document), only_known, &lines);
        if (result.count == 0) {
            text_printf(work->out, "%-5s %s: its file expect lists no expectations\n", "FAIL",
                        work->job->name);
        } else if (result.unmet == 0) {
            text_printf(work->out, "%-5s %s\n", "ok", work->job->name);
        } else {
            text_printf(work->out, "%-5s %s:\n", "FAIL", work->job->name);
        }
        for (char *at = lines.bytes; *at != '\0';) {
            size_t length = strcspn(at, "\n");
            text_printf(work->out, "%-5s   %.*s\n", "", (int)length, at);
            at += length + (at[length] == '\n' ? 1 : 0);
        }
        if (result.says_all_passed && text_starts_with(work->job->name, "wrong/")) {
            text_printf(work->out,
                        "%-5s %s: it is in wrong/, but its file expect says: all passed\n", "note",
                        work->job->name);
        }
    }
    json_document_free(document);
    text_release(&lines);
    text_release(&score);
}

static void try_fixture(const struct work *work)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    const struct rubric *rubric = work->job->rubric;
    struct fixture fixture;
    struct report report;
    enum error error = fixture_read(work->arena, rubric, work->job->name, &fixture, &diagnostic);

    if (error == ERROR_NONE && fixture.rubric_path != NULL) {
        error = rubric_load(work->arena, fixture.rubric_path, work->setting->locations->root,
                            &rubric, &diagnostic);
    }
    if (error != ERROR_NONE) {
        say_trouble(work, &diagnostic);
    } else if (grade(work, rubric, DEVICE_EMULATED, &fixture.files, &report)) {
        compare(work, &fixture, &report);
        note_fixture(work, rubric, &fixture);
    }
}

static void try_oracle(const struct work *work)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct review review = {.arena = work->arena, .out = work->out, .seed = work->setting->seed};
    const struct oracle *oracle = NULL;

    if (toolchain_oracle(work->setting->toolchain, work->arena, work->job->rubric, &oracle,
                         &diagnostic) != ERROR_NONE) {
        say_trouble(work, &diagnostic);
    } else if (oracle != NULL) {
        review_oracle(&review, work->job->rubric, oracle);
    } else {
        text_printf(work->out, "%-5s oracle: no launch needs one\n", "ok");
    }
}

void lint_job_run(const struct lint_setting *setting, const struct lint_job *job,
                  struct text *out_lines)
{
    static void (*const tries[])(const struct work *work) = {
        [LINT_ORACLE] = try_oracle, [LINT_SOLUTION] = try_solution, [LINT_TEMPLATE] = try_template,
        [LINT_CHEAT] = try_cheat,   [LINT_FIXTURE] = try_fixture,
    };
    const struct work work = {
        .setting = setting, .job = job, .arena = arena_new(), .out = out_lines};

    tries[job->kind](&work);
    arena_free(work.arena);
}
