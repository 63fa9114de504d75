/* story.c: each verdict and each finding is put to the first story that it fits; see story.h. */
#include "report/story.h"

#include "base/text.h"
#include "report/story_roots.h"

#include <stdlib.h>
#include <string.h>

/* The stories so far; none holds more verdicts or findings than the report has. */
struct stories {
    const struct report *report;
    struct arena *arena;
    struct story *items;
    size_t count, capacity;
};

bool verdict_has_cause(const struct verdict *verdict)
{
    bool is_said = verdict->cause.code != CODE_NONE || verdict->status == STATUS_ERROR;

    return is_said && text_or_empty(verdict->cause.message)[0] != '\0' &&
           verdict->status != STATUS_PASSED && verdict->status != STATUS_SKIPPED;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(text_or_empty(a), text_or_empty(b)) == 0;
}

static struct story *stories_add(struct stories *stories, const struct verdict *verdict)
{
    const struct report *report = stories->report;

    arena_grow(stories->arena, &stories->items, &stories->capacity, stories->count + 1,
               sizeof *stories->items);
    struct story *story = &stories->items[stories->count++];
    *story = (struct story){.verdict = verdict};
    story->findings = arena_array(stories->arena, report->finding_count, sizeof *story->findings);
    story->follows = arena_array(stories->arena, report->finding_count, sizeof *story->follows);
    story->same = arena_array(stories->arena, report->verdict_count, sizeof *story->same);
    story->results = arena_array(stories->arena, report->verdict_count, sizeof *story->results);
    return story;
}

static bool launch_fits(const struct report *report, const struct finding *finding,
                        const struct rubric_criterion *criterion)
{
    const char *launch = text_or_empty(finding->launch);

    return launch[0] == '\0' || !criterion->has_launch ||
           strcmp(report->rubric->launches[criterion->launch].id, launch) == 0;
}

/* True if a cause is told of a finding: the same code, a launch that fits and, where the cause
 * names a line, a place there. */
static bool finding_fits(const struct report *report, const struct finding *finding,
                         const struct verdict *verdict, enum code code)
{
    const struct cause *cause = &verdict->cause;

    if (finding->code != code || !launch_fits(report, finding, verdict->criterion)) {
        return false;
    }
    for (size_t i = 0; i < finding->place_count; i++) {
        if (finding->places[i].line == cause->line &&
            same_text(finding->places[i].file, cause->file)) {
            return true;
        }
    }
    return cause->line == 0;
}

/* One of the probes, which says in which shapes, rather than one of the program's own data. */
static const struct finding *find_finding(const struct report *report,
                                          const struct verdict *verdict, enum code code)
{
    const struct finding *of_own_data = NULL;

    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        if (!finding_fits(report, finding, verdict, code)) {
            continue;
        }
        if (finding->of_shapes > 0) {
            return finding;
        }
        of_own_data = of_own_data != NULL ? of_own_data : finding;
    }
    return of_own_data;
}

/* The codes and the places may differ where nothing is attempted: an untouched template is found by
 * the kernel and by the printout, each at its own open step. */
static bool same_cause(const struct cause *a, const struct cause *b)
{
    enum cause_kind kind = code_cause(a->code);
    bool same_place = a->line == b->line && a->column == b->column;

    return kind == code_cause(b->code) && (same_place || kind == CAUSE_NOT_ATTEMPTED) &&
           same_text(a->message, b->message) && same_text(a->file, b->file);
}

static struct story *find_same(const struct stories *stories, const struct verdict *verdict)
{
    for (size_t i = 0; i < stories->count; i++) {
        const struct verdict *told = stories->items[i].verdict;
        if (told != NULL && same_cause(&told->cause, &verdict->cause)) {
            return &stories->items[i];
        }
    }
    return NULL;
}

static bool story_holds(const struct story *story, const struct finding *finding)
{
    for (size_t i = 0; i < story->finding_count; i++) {
        if (story->findings[i] == finding) {
            return true;
        }
    }
    return false;
}

static struct story *find_holder(const struct stories *stories, const struct finding *finding)
{
    for (size_t i = 0; i < stories->count; i++) {
        if (story_holds(&stories->items[i], finding)) {
            return &stories->items[i];
        }
    }
    return NULL;
}

/* The story of a verdict that tells of a finding, at the same place and perhaps in other words. */
static struct story *find_told(const struct stories *stories, const struct finding *finding,
                               const struct cause *cause)
{
    for (size_t i = 0; i < stories->count; i++) {
        const struct verdict *told = stories->items[i].verdict;
        if (told != NULL && told->cause.code == cause->code && told->cause.line == cause->line &&
            told->cause.column == cause->column && same_text(told->cause.file, cause->file) &&
            story_holds(&stories->items[i], finding)) {
            return &stories->items[i];
        }
    }
    return NULL;
}

/* Puts a verdict that has a cause of its own to a story. */
static void tell_cause(struct stories *stories, size_t index)
{
    const struct verdict *verdict = &stories->report->verdicts[index];
    const struct finding *finding = find_finding(stories->report, verdict, verdict->cause.code);
    struct story *story = find_same(stories, verdict);

    if (story == NULL && finding != NULL) {
        story = find_told(stories, finding, &verdict->cause);
    }
    if (story == NULL) {
        story = stories_add(stories, verdict);
        if (finding != NULL) {
            story->findings[story->finding_count++] = finding;
        }
    }
    story->same[story->same_count++] = index;
}

/* Puts a verdict that a finding explains to the story of that finding. */
static void tell_result(struct stories *stories, size_t index)
{
    const struct verdict *verdict = &stories->report->verdicts[index];
    const struct finding *reason = find_finding(stories->report, verdict, verdict->cause.because);

    if (reason == NULL) {
        tell_cause(stories, index);
        return;
    }
    struct story *story = find_holder(stories, reason);
    if (story == NULL) {
        story = stories_add(stories, NULL);
        story->findings[story->finding_count++] = reason;
    }
    story->results[story->result_count++] = index;
}

static void tell_verdicts(struct stories *stories)
{
    const struct report *report = stories->report;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < report->verdict_count; i++) {
            const struct verdict *verdict = &report->verdicts[i];
            bool is_result = verdict->cause.because != CODE_NONE;
            if (verdict_has_cause(verdict) && is_result == (pass == 1)) {
                (is_result ? tell_result : tell_cause)(stories, i);
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

/* True if one change mends what two findings show. */
static bool one_change(const struct finding *a, const struct finding *b)
{
    if (!may_be_one_launch(a, b) || !same_text(a->kernel, b->kernel)) {
        return false;
    }
    if (a->code != b->code || code_cause(a->code) == CAUSE_RACE) {
        return one_barrier(a, b);
    }
    bool same_words = same_text(a->object, b->object) && same_text(a->message, b->message);
    bool same_line = a->place_count > 0 && b->place_count > 0 &&
                     a->places[a->main_place].line == b->places[b->main_place].line &&
                     same_text(a->places[a->main_place].file, b->places[b->main_place].file);
    return same_words || same_line;
}

/* Of findings that nobody judges, the worst leads. */
static void add_finding(struct story *story, const struct finding *finding)
{
    const struct finding *first = story->findings[0];
    const bool is_judged = story->same_count + story->result_count > 0;

    story->findings[story->finding_count++] = finding;
    if (!is_judged && first->severity == SEVERITY_WARNING && finding->severity == SEVERITY_ERROR) {
        story->findings[story->finding_count - 1] = first;
        story->findings[0] = finding;
    }
}

/* Puts a finding to the story of one that the same change mends; else it is a story of its own. */
static void tell_finding(struct stories *stories, const struct finding *finding)
{
    for (size_t i = 0; i < stories->count; i++) {
        struct story *story = &stories->items[i];
        bool fits = false;
        for (size_t j = 0; j < story->finding_count && !fits; j++) {
            fits = one_change(story->findings[j], finding);
        }
        if (fits) {
            add_finding(story, finding);
            return;
        }
    }
    struct story *story = stories_add(stories, NULL);
    story->findings[story->finding_count++] = finding;
}

/* Where a story stands; lower is told first. */
static unsigned rank_of(const struct story *story)
{
    enum { BUILD, FAILED, NOT_JUDGED, UNJUDGED_ERROR, WARNING };

    if (story->same_count + story->result_count == 0) {
        return story->findings[0]->severity == SEVERITY_ERROR ? UNJUDGED_ERROR : WARNING;
    }
    if (story->verdict == NULL) {
        return FAILED;
    }
    enum cause_kind kind = code_cause(story->verdict->cause.code);
    if (kind == CAUSE_COMPILE || kind == CAUSE_LINK) {
        return BUILD;
    }
    return story->verdict->status == STATUS_ERROR ? NOT_JUDGED : FAILED;
}

static size_t first_verdict(const struct story *story)
{
    size_t first = story->same_count > 0 ? story->same[0] : SIZE_MAX;

    return story->result_count > 0 && story->results[0] < first ? story->results[0] : first;
}

static bool comes_before(const struct story *a, const struct story *b)
{
    unsigned left = rank_of(a);
    unsigned right = rank_of(b);

    return left != right ? left < right : first_verdict(a) < first_verdict(b);
}

/* Insertion keeps the order of equals; stories are few. */
static void sort_stories(struct stories *stories)
{
    for (size_t i = 1; i < stories->count; i++) {
        struct story moved = stories->items[i];
        size_t at = i;
        while (at > 0 && comes_before(&moved, &stories->items[at - 1])) {
            stories->items[at] = stories->items[at - 1];
            at--;
        }
        stories->items[at] = moved;
    }
}

void stories_gather(const struct report *report, struct arena *arena, struct story **out_stories,
                    size_t *out_count)
{
    struct stories stories = {.report = report, .arena = arena};

    tell_verdicts(&stories);
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!report->findings[i].is_rest && find_holder(&stories, &report->findings[i]) == NULL) {
            tell_finding(&stories, &report->findings[i]);
        }
    }
    stories.count = stories_join(report, arena, stories.items, stories.count);
    sort_stories(&stories);
    *out_stories = stories.items;
    *out_count = stories.count;
}
