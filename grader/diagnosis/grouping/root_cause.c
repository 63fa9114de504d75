/* root_cause.c: each verdict and each finding is put to the first root cause that it fits; see
 * root_cause.h. */
#include "diagnosis/grouping/root_cause.h"

#include "base/text.h"
#include "diagnosis/grouping/root_cause_join.h"

#include <stdlib.h>
#include <string.h>

/* The root causes so far; none holds more verdicts or findings than the report has. */
struct root_causes {
    const struct report *report;
    struct arena *arena;
    struct root_cause *items;
    size_t count, capacity;
};

bool verdict_has_cause(const struct verdict *verdict)
{
    bool is_said = verdict->cause.code != CODE_NONE || verdict->status == STATUS_ERROR;

    return is_said && text_or_empty(verdict->cause.message)[0] != '\0' &&
           verdict->status != STATUS_PASSED && verdict->status != STATUS_SKIPPED &&
           verdict->status != STATUS_OPEN;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(text_or_empty(a), text_or_empty(b)) == 0;
}

static struct root_cause *root_causes_add(struct root_causes *root_causes,
                                          const struct verdict *verdict)
{
    const struct report *report = root_causes->report;

    arena_grow(root_causes->arena, &root_causes->items, &root_causes->capacity,
               root_causes->count + 1, sizeof *root_causes->items);
    struct root_cause *root_cause = &root_causes->items[root_causes->count++];
    *root_cause = (struct root_cause){.verdict = verdict};
    root_cause->findings =
        arena_array(root_causes->arena, report->finding_count, sizeof *root_cause->findings);
    root_cause->follows =
        arena_array(root_causes->arena, report->finding_count, sizeof *root_cause->follows);
    root_cause->same =
        arena_array(root_causes->arena, report->verdict_count, sizeof *root_cause->same);
    root_cause->results =
        arena_array(root_causes->arena, report->verdict_count, sizeof *root_cause->results);
    return root_cause;
}

static bool launch_fits(const struct report *report, const struct finding *finding,
                        const struct rubric_criterion *criterion)
{
    const char *launch = text_or_empty(finding->launch);

    return launch[0] == '\0' || !criterion->has_launch ||
           strcmp(report->rubric->launches[criterion->launch].id, launch) == 0;
}

/* True if a cause reports a finding: the same code, a launch that fits and, where both name a
 * line, a place there. */
static bool finding_fits(const struct report *report, const struct finding *finding,
                         const struct verdict *verdict, enum code code)
{
    const struct cause *cause = &verdict->cause;

    if (finding->code != code || !launch_fits(report, finding, verdict->criterion)) {
        return false;
    }
    bool has_line = false;
    for (size_t i = 0; i < finding->place_count; i++) {
        if (finding->places[i].line == cause->line &&
            same_text(finding->places[i].file, cause->file)) {
            return true;
        }
        has_line = has_line || finding->places[i].line > 0;
    }
    return cause->line == 0 || !has_line;
}

/* True if a cause repeats a finding's words, at its main place. */
static bool is_repeated(const struct finding *finding, const struct cause *cause)
{
    const struct place *place =
        finding->place_count > 0 ? &finding->places[finding->main_place] : NULL;

    return place != NULL && place->line == cause->line && place->column == cause->column &&
           strstr(text_or_empty(cause->message), text_or_empty(finding->message)) != NULL;
}

/* The one that the cause repeats, or else the first. One of the probes, which says in which shapes,
 * rather than one of the program's own data. */
static const struct finding *find_finding(const struct report *report,
                                          const struct verdict *verdict, enum code code)
{
    const struct finding *best = NULL;
    unsigned best_rank = 0;

    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        bool is_of_probe = finding->of_shapes > 0;
        unsigned rank = 1 + (is_of_probe ? 2 : 0) + (is_repeated(finding, &verdict->cause) ? 1 : 0);
        if (rank > best_rank && finding_fits(report, finding, verdict, code)) {
            best = finding;
            best_rank = rank;
        }
    }
    return best;
}

/* The codes and the places may differ where nothing is attempted: an untouched template is found by
 * the kernel and by the printout, each at its own open step. Runs of one program may have different
 * limits, and end in the same loop. */
static bool same_cause(const struct cause *a, const struct cause *b)
{
    enum cause_kind kind = code_cause(a->code);
    bool same_place = a->line == b->line && a->column == b->column;

    if (a->code == b->code && kind == CAUSE_TIMEOUT && same_place && a->line > 0) {
        return same_text(a->file, b->file);
    }
    return kind == code_cause(b->code) && (same_place || kind == CAUSE_NOT_ATTEMPTED) &&
           same_text(a->message, b->message) && same_text(a->file, b->file);
}

static struct root_cause *find_same(const struct root_causes *root_causes,
                                    const struct verdict *verdict)
{
    for (size_t i = 0; i < root_causes->count; i++) {
        const struct verdict *told = root_causes->items[i].verdict;
        if (told != NULL && same_cause(&told->cause, &verdict->cause)) {
            return &root_causes->items[i];
        }
    }
    return NULL;
}

static bool root_cause_holds(const struct root_cause *root_cause, const struct finding *finding)
{
    for (size_t i = 0; i < root_cause->finding_count; i++) {
        if (root_cause->findings[i] == finding) {
            return true;
        }
    }
    return false;
}

static struct root_cause *find_holder(const struct root_causes *root_causes,
                                      const struct finding *finding)
{
    for (size_t i = 0; i < root_causes->count; i++) {
        if (root_cause_holds(&root_causes->items[i], finding)) {
            return &root_causes->items[i];
        }
    }
    return NULL;
}

/* The root cause of a verdict that tells of a finding, at the same place and perhaps in other
 * words. */
static struct root_cause *find_reported(const struct root_causes *root_causes,
                                        const struct finding *finding, const struct cause *cause)
{
    for (size_t i = 0; i < root_causes->count; i++) {
        const struct verdict *told = root_causes->items[i].verdict;
        if (told != NULL && told->cause.code == cause->code && told->cause.line == cause->line &&
            told->cause.column == cause->column && same_text(told->cause.file, cause->file) &&
            root_cause_holds(&root_causes->items[i], finding)) {
            return &root_causes->items[i];
        }
    }
    return NULL;
}

/* Puts a verdict that has a cause of its own to a root_cause. */
static void report_cause(struct root_causes *root_causes, size_t index)
{
    const struct verdict *verdict = &root_causes->report->verdicts[index];
    const struct finding *finding = find_finding(root_causes->report, verdict, verdict->cause.code);
    struct root_cause *root_cause = find_same(root_causes, verdict);

    if (root_cause == NULL && finding != NULL) {
        root_cause = find_reported(root_causes, finding, &verdict->cause);
    }
    if (root_cause == NULL) {
        root_cause = root_causes_add(root_causes, verdict);
        if (finding != NULL) {
            root_cause->findings[root_cause->finding_count++] = finding;
        }
    }
    root_cause->same[root_cause->same_count++] = index;
}

/* The places of a finding that are accesses; where a race's memory is allocated is none. */
static size_t access_count(const struct finding *finding)
{
    return code_cause(finding->code) == CAUSE_RACE && finding->place_count > 2
               ? 2
               : finding->place_count;
}

/* True if two findings are the same thing at the same places, perhaps of several launches of one
 * kernel or template. */
static bool same_places(const struct finding *a, const struct finding *b)
{
    if (a->code != b->code || !same_text(a->kernel, b->kernel) || a->place_count == 0 ||
        access_count(a) != access_count(b)) {
        return false;
    }
    for (size_t i = 0; i < access_count(a); i++) {
        if (a->places[i].line == 0 || a->places[i].line != b->places[i].line ||
            a->places[i].column != b->places[i].column ||
            !same_text(a->places[i].file, b->places[i].file)) {
            return false;
        }
    }
    return true;
}

/* The root cause that holds the same thing at the same places; NULL if none does. */
static struct root_cause *find_alike(const struct root_causes *root_causes,
                                     const struct finding *finding)
{
    for (size_t i = 0; i < root_causes->count; i++) {
        const struct root_cause *root_cause = &root_causes->items[i];
        for (size_t j = 0; j < root_cause->finding_count; j++) {
            if (same_places(root_cause->findings[j], finding)) {
                return &root_causes->items[i];
            }
        }
    }
    return NULL;
}

/* Puts a verdict that a finding explains to the root cause of that finding. */
static void report_result(struct root_causes *root_causes, size_t index)
{
    const struct verdict *verdict = &root_causes->report->verdicts[index];
    const struct finding *reason =
        find_finding(root_causes->report, verdict, verdict->cause.because);

    if (reason == NULL) {
        report_cause(root_causes, index);
        return;
    }
    struct root_cause *root_cause = find_holder(root_causes, reason);
    if (root_cause == NULL) {
        root_cause = find_alike(root_causes, reason);
        root_cause = root_cause != NULL ? root_cause : root_causes_add(root_causes, NULL);
        root_cause->findings[root_cause->finding_count++] = reason;
    }
    root_cause->results[root_cause->result_count++] = index;
}

static void report_verdicts(struct root_causes *root_causes)
{
    const struct report *report = root_causes->report;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < report->verdict_count; i++) {
            const struct verdict *verdict = &report->verdicts[i];
            bool is_result = verdict->cause.because != CODE_NONE;
            if (verdict_has_cause(verdict) && is_result == (pass == 1)) {
                (is_result ? report_result : report_cause)(root_causes, i);
            }
        }
    }
}

/* The two lines between which the accesses of a race are not ordered. */
struct gap {
    const char *file;
    int before, behind;
};

static bool race_gap(const struct finding *finding, struct gap *out_gap)
{
    if (code_cause(finding->code) != CAUSE_RACE || finding->place_count != 2) {
        return false;
    }
    const struct place *late = &finding->places[finding->main_place];
    const struct place *early = &finding->places[1 - finding->main_place];
    *out_gap = (struct gap){text_or_empty(late->file), early->line, late->line};
    return early->line > 0 && late->line > 0 && same_text(early->file, late->file);
}

/* True if one barrier orders both races: somewhere in the lines between the accesses of the one and
 * of the other, or at the end of the same loop. */
static bool one_barrier(const struct finding *a, const struct finding *b)
{
    struct gap left, right;

    if ((a->code == CODE_GLOBAL_RACE) != (b->code == CODE_GLOBAL_RACE) || !race_gap(a, &left) ||
        !race_gap(b, &right) || strcmp(left.file, right.file) != 0) {
        return false;
    }
    bool is_loop = left.before > left.behind;
    if (is_loop != (right.before > right.behind)) {
        return false;
    }
    int first = left.before > right.before ? left.before : right.before;
    int last = left.behind < right.behind ? left.behind : right.behind;
    if (is_loop) {
        first = left.behind > right.behind ? left.behind : right.behind;
        last = left.before < right.before ? left.before : right.before;
    }
    return first <= last;
}

/* What is seen on the program's own data has no launch. */
static bool may_be_one_launch(const struct finding *a, const struct finding *b)
{
    return text_or_empty(a->launch)[0] == '\0' || text_or_empty(b->launch)[0] == '\0' ||
           same_text(a->launch, b->launch);
}

/* True if both are races of one kernel in the same device memory: its elements are not divided
 * among the threads, whichever lines touch them. */
static bool is_one_division(const struct finding *a, const struct finding *b)
{
    const struct place *left = &a->places[a->place_count - 1];
    const struct place *right = &b->places[b->place_count - 1];
    const bool is_named = a->object != NULL && same_text(a->object, b->object);
    const bool is_one_allocation = a->place_count > 2 && b->place_count > 2 && left->line > 0 &&
                                   left->line == right->line && same_text(left->file, right->file);

    return a->code == CODE_GLOBAL_RACE && b->code == CODE_GLOBAL_RACE &&
           (is_named || is_one_allocation);
}

/* True if one change mends what two findings show. */
static bool one_change(const struct finding *a, const struct finding *b)
{
    if (same_places(a, b)) {
        return true;
    }
    if (!may_be_one_launch(a, b) || !same_text(a->kernel, b->kernel)) {
        return false;
    }
    if (a->code != b->code || code_cause(a->code) == CAUSE_RACE) {
        return one_barrier(a, b) || is_one_division(a, b);
    }
    bool same_words = same_text(a->object, b->object) && same_text(a->message, b->message);
    bool same_line = a->place_count > 0 && b->place_count > 0 &&
                     a->places[a->main_place].line == b->places[b->main_place].line &&
                     same_text(a->places[a->main_place].file, b->places[b->main_place].file);
    return same_words || same_line;
}

/* Of findings that nobody judges, the worst leads. */
static void add_finding(struct root_cause *root_cause, const struct finding *finding)
{
    const struct finding *first = root_cause->findings[0];
    const bool is_judged = root_cause->same_count + root_cause->result_count > 0;

    root_cause->findings[root_cause->finding_count++] = finding;
    if (!is_judged && first->severity == SEVERITY_WARNING && finding->severity == SEVERITY_ERROR) {
        root_cause->findings[root_cause->finding_count - 1] = first;
        root_cause->findings[0] = finding;
    }
}

/* Puts a finding to the root cause of one that the same change mends; else it is a root cause of
 * its own. */
static void report_finding(struct root_causes *root_causes, const struct finding *finding)
{
    for (size_t i = 0; i < root_causes->count; i++) {
        struct root_cause *root_cause = &root_causes->items[i];
        bool fits = false;
        for (size_t j = 0; j < root_cause->finding_count && !fits; j++) {
            fits = one_change(root_cause->findings[j], finding);
        }
        if (fits) {
            add_finding(root_cause, finding);
            return;
        }
    }
    struct root_cause *root_cause = root_causes_add(root_causes, NULL);
    root_cause->findings[root_cause->finding_count++] = finding;
}

/* Where a root cause stands; lower is told first. */
static unsigned rank_of(const struct root_cause *root_cause)
{
    enum { BUILD, FAILED, NOT_JUDGED, UNJUDGED_ERROR, WARNING };

    if (root_cause->same_count + root_cause->result_count == 0) {
        return root_cause->findings[0]->severity == SEVERITY_ERROR ? UNJUDGED_ERROR : WARNING;
    }
    if (root_cause->verdict == NULL) {
        return FAILED;
    }
    enum cause_kind kind = code_cause(root_cause->verdict->cause.code);
    if (kind == CAUSE_COMPILE || kind == CAUSE_LINK) {
        return BUILD;
    }
    return root_cause->verdict->status == STATUS_ERROR ? NOT_JUDGED : FAILED;
}

static size_t first_verdict(const struct root_cause *root_cause)
{
    size_t first = root_cause->same_count > 0 ? root_cause->same[0] : SIZE_MAX;

    return root_cause->result_count > 0 && root_cause->results[0] < first ? root_cause->results[0]
                                                                          : first;
}

static bool comes_before(const struct root_cause *a, const struct root_cause *b)
{
    unsigned left = rank_of(a);
    unsigned right = rank_of(b);

    return left != right ? left < right : first_verdict(a) < first_verdict(b);
}

/* Insertion keeps the order of equals; root causes are few. */
static void sort_root_causes(struct root_causes *root_causes)
{
    for (size_t i = 1; i < root_causes->count; i++) {
        struct root_cause moved = root_causes->items[i];
        size_t at = i;
        while (at > 0 && comes_before(&moved, &root_causes->items[at - 1])) {
            root_causes->items[at] = root_causes->items[at - 1];
            at--;
        }
        root_causes->items[at] = moved;
    }
}

void root_causes_gather(const struct report *report, struct arena *arena,
                        struct root_cause **out_root_causes, size_t *out_count)
{
    struct root_causes root_causes = {.report = report, .arena = arena};

    report_verdicts(&root_causes);
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!report->findings[i].is_rest &&
            find_holder(&root_causes, &report->findings[i]) == NULL) {
            report_finding(&root_causes, &report->findings[i]);
        }
    }
    root_causes.count = root_causes_join(report, arena, root_causes.items, root_causes.count);
    sort_root_causes(&root_causes);
    *out_root_causes = root_causes.items;
    *out_count = root_causes.count;
}
