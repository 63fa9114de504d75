/* root_cause_join.c: which root cause probably explains which other one of the same launch; see
 * root_cause_join.h.
 *
 * One mistake shows in several ways. The rows below are what follows from what: a wrong constant or
 * too few bytes of shared memory make indices wrong; an access outside of its array ends a launch
 * before the rest of its work is written, may spoil what the same block does later, may race with
 * other accesses to the memory that it reaches, and may read bounds of loops that have no end; a
 * block width that is computed wrong is printed and launched; threads that leave before a barrier,
 * or wait at another one, leave shared memory unordered and unwritten; threads that a block lacks
 * write neither their results nor their part of a tile; a race reads what is not written yet; a
 * function that is launched for several results makes all of them wrong; a function that calls
 * another one uses its wrong results as indices. A root cause that is a
 * criterion's only follows where the row says so; a finding that costs nothing by itself follows
 * from any of these.
 */
#include "diagnosis/grouping/root_cause_join.h"

#include "base/text.h"
#include "source/source_index.h"

#include <stdlib.h>
#include <string.h>

enum { ROOTS_IN_A_ROW_MAX = 8, LINE_TOKENS_MAX = 256 };

enum known_call { CALL_UNKNOWN, CALL_NONE, CALL_FOUND };

/* A report whose root causes are joined. There may be hundreds, which are compared with each other,
 * so what is long to find out is found out once. */
struct join {
    const struct report *report;
    struct source_index *index;
    enum known_call *calls; /* [launch][launch] of the rubric: the first one's function calls the
                               other one's */
};

static const struct place *main_place(const struct finding *finding)
{
    return finding->place_count > 0 ? &finding->places[finding->main_place] : NULL;
}

/* Where a root cause happens, as far as is known; NULL: it is not. */
static const struct place *root_cause_place(const struct root_cause *root_cause)
{
    return root_cause->finding_count > 0 ? main_place(root_cause->findings[0]) : NULL;
}

static bool are_in_one_file(const struct place *left, const struct place *right)
{
    return left != NULL && right != NULL && left->line > 0 && right->line > 0 &&
           strcmp(text_or_empty(left->file), text_or_empty(right->file)) == 0;
}

/* In the order in which blocks are numbered: below, equal to or above 0. */
static int compare_blocks(const struct place *left, const struct place *right)
{
    for (int i = 2; i >= 0; i--) {
        if (left->block[i] != right->block[i]) {
            return left->block[i] < right->block[i] ? -1 : 1;
        }
    }
    return 0;
}

/* True if the result was seen further down in a block in which the root was, too: that of the first
 * time, or a later one if it was not the only time. */
static bool comes_later(const struct root_cause *root, const struct root_cause *result)
{
    const struct place *early = root_cause_place(root);
    const struct place *late = root_cause_place(result);

    if (!are_in_one_file(early, late) || !early->has_thread || !late->has_thread ||
        early->line > late->line) {
        return false;
    }
    int order = compare_blocks(early, late);
    return order == 0 || (order < 0 && root->findings[0]->count > 1);
}

static bool is_same_line(const struct root_cause *root, const struct root_cause *result)
{
    const struct place *left = root_cause_place(root);
    const struct place *right = root_cause_place(result);

    return are_in_one_file(left, right) && left->line == right->line;
}

/* True if a race is in the memory that an access outside of its array may have reached. */
static bool is_in_same_memory(const struct root_cause *root, const struct root_cause *result)
{
    const enum code race = result->findings[0]->code;
    const enum code access =
        root->verdict != NULL ? root->verdict->cause.code : root->findings[0]->code;

    return (race == CODE_GLOBAL_RACE) != (access == CODE_SHARED_OUT_OF_BOUNDS);
}

/* True if the root says what is wrong with the results, and the other that there is nothing to
 * judge without them. */
static bool judges_results(const struct root_cause *root, const struct root_cause *result)
{
    return root->verdict != NULL && root->verdict->criterion->kind == CRITERION_CORRECT &&
           result->verdict != NULL && result->verdict->criterion->kind != CRITERION_CORRECT;
}

/* True if the root is a block width, and the other launches blocks of the width that is printed. */
static bool launches_printed_width(const struct root_cause *root, const struct root_cause *result)
{
    const struct verdict *verdict = root->verdict;
    const char *printed = "";
    int64_t launched = 0;

    for (size_t i = 0; verdict != NULL && i < verdict->evidence_count; i++) {
        const struct evidence *evidence = &verdict->evidence[i];
        printed = strcmp(evidence->key, "printed") == 0 ? evidence->text : printed;
        launched = strcmp(evidence->key, "launched_block") == 0 ? evidence->integer : launched;
    }
    (void)result;
    return launched > 0 && verdict->criterion->kind == CRITERION_BLOCK_SIZE &&
           strtoll(printed, NULL, 10) == launched;
}

/* What `root` brings about. A code of CODE_NONE stands for all codes of the kind. */
static const struct {
    enum code root;
    enum cause_kind root_kind;
    enum code result;
    enum cause_kind result_kind;
    bool only_unjudged; /* only findings that no criterion speaks of */
    bool (*only_if)(const struct root_cause *root,
                    const struct root_cause *result); /* NULL: always */
} rows[] = {
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_WRONG_RESULT, false, NULL},
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_OUT_OF_BOUNDS, false, NULL},
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_RACE, false, NULL},
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_UNINITIALISED, false, NULL},
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_NOT_TILED, false, NULL},
    {CODE_WRONG_CONSTANT, CAUSE_LAUNCH_CONFIG, CODE_LAUNCH_DEADLINE, CAUSE_TIMEOUT, false, NULL},
    {CODE_WRONG_BYTE_COUNT, CAUSE_LAUNCH_CONFIG, CODE_SHARED_OUT_OF_BOUNDS, CAUSE_OUT_OF_BOUNDS,
     false, NULL},
    {CODE_PRINTOUT_WRONG, CAUSE_PRINTOUT, CODE_WRONG_BLOCK, CAUSE_LAUNCH_CONFIG, false,
     launches_printed_width},
    {CODE_NONE, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_OUT_OF_BOUNDS, true, NULL},
    {CODE_NONE, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_RACE, true, NULL},
    {CODE_NONE, CAUSE_LAUNCH_CONFIG, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_NONE, CAUSE_OUT_OF_BOUNDS, CODE_NONE, CAUSE_OUT_OF_BOUNDS, true, comes_later},
    {CODE_NONE, CAUSE_OUT_OF_BOUNDS, CODE_NONE, CAUSE_RACE, true, is_in_same_memory},
    {CODE_NONE, CAUSE_OUT_OF_BOUNDS, CODE_NONE, CAUSE_BARRIER, true, NULL},
    {CODE_NONE, CAUSE_OUT_OF_BOUNDS, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_NONE, CAUSE_OUT_OF_BOUNDS, CODE_LAUNCH_DEADLINE, CAUSE_TIMEOUT, false, NULL},
    {CODE_BARRIER_DEADLOCK, CAUSE_BARRIER, CODE_NONE, CAUSE_RACE, true, NULL},
    {CODE_BARRIER_DIVERGENT, CAUSE_BARRIER, CODE_NONE, CAUSE_RACE, true, NULL},
    {CODE_BARRIER_MISMATCH, CAUSE_BARRIER, CODE_NONE, CAUSE_RACE, true, NULL},
    {CODE_BARRIER_DEADLOCK, CAUSE_BARRIER, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_BARRIER_DIVERGENT, CAUSE_BARRIER, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_BARRIER_MISMATCH, CAUSE_BARRIER, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_BARRIER_DEADLOCK, CAUSE_BARRIER, CODE_BARRIER_INCOMPLETE, CAUSE_BARRIER, true,
     is_same_line},
    {CODE_BARRIER_DIVERGENT, CAUSE_BARRIER, CODE_BARRIER_INCOMPLETE, CAUSE_BARRIER, true,
     is_same_line},
    {CODE_BARRIER_MISMATCH, CAUSE_BARRIER, CODE_BARRIER_INCOMPLETE, CAUSE_BARRIER, true,
     is_same_line},
    {CODE_BARRIER_DIVERGENT, CAUSE_BARRIER, CODE_BARRIER_MISMATCH, CAUSE_BARRIER, true,
     is_same_line},
    {CODE_BARRIER_INCOMPLETE, CAUSE_BARRIER, CODE_NONE, CAUSE_UNINITIALISED, false, NULL},
    {CODE_BARRIER_INCOMPLETE, CAUSE_BARRIER, CODE_NOT_WRITTEN, CAUSE_WRONG_RESULT, false, NULL},
    {CODE_NOT_WRITTEN, CAUSE_WRONG_RESULT, CODE_NONE, CAUSE_UNINITIALISED, false, NULL},
    {CODE_NONE, CAUSE_WRONG_RESULT, CODE_NOT_WRITTEN, CAUSE_WRONG_RESULT, false, judges_results},
    {CODE_NONE, CAUSE_RACE, CODE_NONE, CAUSE_UNINITIALISED, true, NULL},
    {CODE_GLOBAL_RACE, CAUSE_RACE, CODE_BLOCK_ORDER, CAUSE_WRONG_RESULT, false, NULL},
    {CODE_NONE, CAUSE_UNINITIALISED, CODE_OPERAND_NOT_LOADED, CAUSE_NOT_TILED, false, NULL},
    {CODE_OTHER_BUFFER, CAUSE_WRONG_RESULT, CODE_OPERAND_NOT_LOADED, CAUSE_NOT_TILED, false, NULL},
};

/* Puts a launch to what was found so far; false if it is another one. */
static bool agree_on_launch(const char **launch, const char *other)
{
    if ((*launch)[0] == '\0') {
        *launch = other;
    }
    return other[0] == '\0' || strcmp(*launch, other) == 0;
}

const char *finding_launch(const struct report *report, const struct finding *finding)
{
    const char *launch = text_or_empty(finding->launch);
    const char *kernel = text_or_empty(finding->kernel);

    if (launch[0] != '\0' || kernel[0] == '\0') {
        return launch;
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *other = &report->findings[i];
        if (strcmp(text_or_empty(other->kernel), kernel) == 0 &&
            !agree_on_launch(&launch, text_or_empty(other->launch))) {
            return "";
        }
    }
    /* A report of `run` has no rubric. */
    for (size_t i = 0; report->rubric != NULL && i < report->rubric->launch_count; i++) {
        const struct rubric_launch *of = &report->rubric->launches[i];
        if (strcmp(text_or_empty(of->kernel), kernel) == 0 && !agree_on_launch(&launch, of->id)) {
            return "";
        }
    }
    return launch;
}

static enum code root_cause_code(const struct root_cause *root_cause)
{
    return root_cause->verdict != NULL ? root_cause->verdict->cause.code
                                       : root_cause->findings[0]->code;
}

/* The id of the launch that a root cause is about; "" where there is none. */
static const char *root_cause_launch(const struct report *report,
                                     const struct root_cause *root_cause)
{
    const struct rubric_criterion *criterion =
        root_cause->verdict != NULL ? root_cause->verdict->criterion : NULL;

    if (criterion != NULL) {
        return criterion->has_launch ? report->rubric->launches[criterion->launch].id : "";
    }
    return finding_launch(report, root_cause->findings[0]);
}

/* True if a root cause is about a launch; one without a verdict may be about several. */
static bool is_of_launch(const struct report *report, const struct root_cause *root_cause,
                         const char *launch)
{
    bool is_found = strcmp(root_cause_launch(report, root_cause), launch) == 0;

    for (size_t i = 0; i < root_cause->finding_count && root_cause->verdict == NULL; i++) {
        is_found = is_found || strcmp(finding_launch(report, root_cause->findings[i]), launch) == 0;
    }
    return is_found;
}

/* True if two lines of a file are in one function. */
static bool are_in_one_function(const struct join *join, const char *name, int left, int right)
{
    const struct source_file *source =
        source_index_find(join->index, text_or_empty(name), strlen(text_or_empty(name)));

    if (source == NULL) {
        return false;
    }
    const struct program_file *file = source_index_file(join->index, source);
    const struct source_function *of_left =
        file->functions.is_certain ? source_function_of_line(&file->tokens, &file->functions, left)
                                   : NULL;
    return of_left != NULL &&
           of_left == source_function_of_line(&file->tokens, &file->functions, right);
}

/* True if two launches of one function have wrong results, and only the root says more than where
 * they are stored: launches of one template, for one. */
static bool is_of_same_function(const struct join *join, const struct root_cause *root,
                                const struct root_cause *result)
{
    if (root->verdict == NULL || result->verdict == NULL ||
        root->verdict->criterion->kind != CRITERION_CORRECT ||
        result->verdict->criterion->kind != CRITERION_CORRECT) {
        return false;
    }
    const struct cause *left = &root->verdict->cause;
    const struct cause *right = &result->verdict->cause;
    const bool is_led = right->is_last_store && !left->is_last_store;

    return left->code == CODE_MISMATCH && right->code == CODE_MISMATCH && is_led &&
           left->line > 0 && right->line > 0 && left->because == CODE_NONE &&
           right->because == CODE_NONE &&
           strcmp(text_or_empty(left->file), text_or_empty(right->file)) == 0 &&
           are_in_one_function(join, left->file, left->line, right->line);
}

/* The launch of a rubric with an id, by its number; their count if there is none. */
static size_t find_launch(const struct rubric *rubric, const char *id)
{
    size_t at = 0;

    while (at < rubric->launch_count && strcmp(rubric->launches[at].id, id) != 0) {
        at++;
    }
    return at;
}

/* True if a function of that name calls another one, by its name. */
static bool calls_function(const struct source_tokens *tokens,
                           const struct source_functions *functions, const char *caller,
                           const char *name)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct source_function *function = &functions->items[i];
        if (!token_is(tokens, function->name, TOKEN_NAME, caller)) {
            continue;
        }
        for (size_t at = function->open; at < function->close; at++) {
            if (token_is(tokens, at, TOKEN_NAME, name) &&
                token_is(tokens, at + 1, TOKEN_SIGN, "(")) {
                return true;
            }
        }
    }
    return false;
}

/* True if the function of a launch calls that of another one. */
static bool calls_launch(const struct join *join, size_t caller, size_t called)
{
    const struct report *report = join->report;
    const struct rubric_launch *launches = report->rubric->launches;
    enum known_call *known = &join->calls[caller * report->rubric->launch_count + called];
    const char *from = launches[caller].call, *to = launches[called].call;

    if (*known == CALL_UNKNOWN) {
        bool calls = false;
        for (size_t i = 0; i < report->source_count && from != NULL && to != NULL &&
                           strcmp(from, to) != 0 && !calls;
             i++) {
            const struct program_file *file = source_index_file(join->index, &report->sources[i]);
            calls = file->functions.is_certain &&
                    calls_function(&file->tokens, &file->functions, from, to);
        }
        *known = calls ? CALL_FOUND : CALL_NONE;
    }
    return *known == CALL_FOUND;
}

/* True if a line has an index that is read from memory itself: out[places[i]]. */
static bool has_read_index(const struct source_tokens *tokens, int line)
{
    const size_t first = source_line_start(tokens, line);
    size_t close = first;

    for (size_t i = first;
         i < tokens->count && tokens->tokens[i].line == line && i - first < LINE_TOKENS_MAX; i++) {
        if (token_is(tokens, i, TOKEN_SIGN, "[")) {
            if (i < close) {
                return true;
            }
            close = token_close(tokens, i);
        }
    }
    return false;
}

/* True if a call writes to places that are read from memory, two threads to one or past the end,
 * and its function calls that of the root, whose results are wrong. */
static bool uses_wrong_results(const struct join *join, const struct root_cause *root,
                               const struct root_cause *result)
{
    const struct report *report = join->report;
    const struct place *place = root_cause_place(result);

    if (root->verdict == NULL || root->verdict->criterion->kind != CRITERION_CORRECT ||
        root->verdict->cause.code != CODE_MISMATCH || place == NULL || report->rubric == NULL ||
        strcmp(place->role, "write") != 0 ||
        (root_cause_code(result) != CODE_GLOBAL_RACE &&
         root_cause_code(result) != CODE_GLOBAL_OUT_OF_BOUNDS)) {
        return false;
    }
    const char *name = text_or_empty(place->file);
    const size_t launches = report->rubric->launch_count;
    const size_t first = find_launch(report->rubric, root_cause_launch(report, root));
    const size_t then = find_launch(report->rubric, root_cause_launch(report, result));
    const struct source_file *source = source_index_find(join->index, name, strlen(name));
    return first < launches && then < launches && source != NULL &&
           calls_launch(join, then, first) &&
           has_read_index(&source_index_file(join->index, source)->tokens, place->line);
}

static bool row_fits(enum code code, enum cause_kind kind, enum code seen)
{
    return code == CODE_NONE ? code_cause(seen) == kind : code == seen;
}

static bool explains(const struct join *join, const struct root_cause *root,
                     const struct root_cause *result)
{
    const struct report *report = join->report;
    const char *launch = root_cause_launch(report, root);
    bool is_unjudged = result->same_count + result->result_count == 0;

    if (is_of_same_function(join, root, result) || uses_wrong_results(join, root, result)) {
        return true;
    }
    if (launch[0] == '\0' || !is_of_launch(report, result, launch)) {
        return false;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (row_fits(rows[i].root, rows[i].root_kind, root_cause_code(root)) &&
            row_fits(rows[i].result, rows[i].result_kind, root_cause_code(result)) &&
            (is_unjudged || !rows[i].only_unjudged) &&
            (rows[i].only_if == NULL || rows[i].only_if(root, result))) {
            return true;
        }
    }
    return false;
}

/* The root cause that explains another one; that of two alike, neither of which is judged, the
 * first. `count` if there is none. */
static size_t find_root(const struct join *join, const struct root_cause *root_causes, size_t count,
                        size_t index)
{
    for (size_t i = 0; i < count; i++) {
        bool is_judged = root_causes[i].same_count + root_causes[i].result_count > 0;
        bool alike = code_cause(root_cause_code(&root_causes[i])) ==
                     code_cause(root_cause_code(&root_causes[index]));
        if (i != index && explains(join, &root_causes[i], &root_causes[index]) &&
            (!alike || is_judged || i < index)) {
            return i;
        }
    }
    return count;
}

/* The last root of a chain of them. */
static size_t find_last_root(const struct join *join, const struct root_cause *root_causes,
                             size_t count, size_t index)
{
    for (int i = 0; i < ROOTS_IN_A_ROW_MAX; i++) {
        size_t root = find_root(join, root_causes, count, index);
        if (root == count) {
            break;
        }
        index = root;
    }
    return index;
}

/* True if what follows from a root cause already has a finding of that code in that line. */
static bool is_followed_by(const struct root_cause *root, const struct finding *finding)
{
    const struct place *place = main_place(finding);

    for (size_t i = 0; i < root->follow_count && place != NULL; i++) {
        const struct place *other = main_place(root->follows[i]);
        if (root->follows[i]->code == finding->code && other != NULL &&
            other->line == place->line &&
            strcmp(text_or_empty(other->file), text_or_empty(place->file)) == 0) {
            return true;
        }
    }
    return false;
}

/* Puts all that one root cause holds to another. */
static void absorb(struct root_cause *root, const struct root_cause *result)
{
    for (size_t i = 0; i < result->same_count; i++) {
        root->results[root->result_count++] = result->same[i];
    }
    for (size_t i = 0; i < result->result_count; i++) {
        root->results[root->result_count++] = result->results[i];
    }
    for (size_t i = 0; i < result->finding_count; i++) {
        if (!is_followed_by(root, result->findings[i])) {
            root->follows[root->follow_count++] = result->findings[i];
        }
    }
}

size_t root_causes_join(const struct report *report, struct arena *arena,
                        struct root_cause *root_causes, size_t count)
{
    size_t *roots = arena_array(arena, count, sizeof *roots);
    size_t kept = 0;
    struct arena *own = arena_new(); /* for the sources */
    const size_t launches = report->rubric == NULL ? 0 : report->rubric->launch_count;
    const struct join join = {report, source_index_new(own, report->sources, report->source_count),
                              arena_array(own, launches * launches + 1, sizeof *join.calls)};

    for (size_t i = 0; i < count; i++) {
        roots[i] = find_last_root(&join, root_causes, count, i);
    }
    arena_free(own);
    for (size_t i = 0; i < count; i++) {
        if (roots[i] != i) {
            absorb(&root_causes[roots[i]], &root_causes[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (roots[i] == i) {
            root_causes[kept++] = root_causes[i];
        }
    }
    return kept;
}
