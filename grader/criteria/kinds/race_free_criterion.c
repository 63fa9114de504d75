/* race_free_criterion.c: the criterion `race-free`: every access is ordered and lies where it
 * should.
 *
 * What the emulated device found in any probe of any case, and on the program's own data of the
 * same run: races, barriers, accesses outside of their arrays, misaligned ones, reads of shared
 * memory that nobody wrote. The rule for severities: an error is what CUDA leaves undefined, and
 * fails. A warning is defined and still worth a look, and costs nothing: threads that exit before a
 * barrier (the others do not wait for them). One exception: races within a warp are warnings,
 * because older devices ran a warp in step, but fail unless the rubric says "within_warp":
 * "remark".
 *
 * A real GPU tells of a few of these only, and where it tells of none nothing is known.
 */
#include "criteria/outcome.h"

#include "base/hash_index.h"
#include "criteria/case_text.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"

#include <inttypes.h>
#include <string.h>

/* What all findings of a launch come to. */
struct tally {
    bool allows_warp_races;
    size_t kinds;                    /* of findings that count: told apart by code and lines */
    size_t warnings;                 /* of the others, likewise */
    uint64_t places;                 /* pairs of accesses, or accesses, that count */
    uint64_t left_out;               /* seen or not looked at, and not listed */
    size_t shapes;                   /* in which something counts */
    const struct observation *first; /* the first of them; NULL: none */
    const struct finding **seen;     /* [seen_count] one of each kind */
    size_t seen_count, seen_capacity;
    struct hash_index index; /* of `seen`, by finding_lines_hash() */
};

static bool same_finding(const struct finding *left, const struct finding *right)
{
    if (left->code != right->code || left->place_count != right->place_count) {
        return false;
    }
    for (size_t i = 0; i < left->place_count; i++) {
        const struct place *a = &left->places[i];
        const struct place *b = &right->places[i];
        if (a->line != b->line || a->column != b->column || strcmp(a->file, b->file) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_new(struct tally *tally, struct arena *arena, const struct finding *finding)
{
    uint64_t hash = finding_lines_hash(finding);
    size_t at = hash_index_first(&tally->index, hash);
    while (at != HASH_INDEX_NONE && !same_finding(tally->seen[at], finding)) {
        at = hash_index_next(&tally->index, at);
    }
    if (at != HASH_INDEX_NONE) {
        return false;
    }
    hash_index_add(&tally->index, arena, hash);
    arena_grow(arena, &tally->seen, &tally->seen_capacity, tally->seen_count + 1,
               sizeof *tally->seen);
    tally->seen[tally->seen_count++] = finding;
    return true;
}

/* Adds findings; true if one of them counts. */
static bool tally_add(struct tally *tally, struct arena *arena, const struct finding *findings,
                      size_t count)
{
    bool counts_any = false;

    for (size_t i = 0; i < count; i++) {
        bool counts = finding_counts(&findings[i], tally->allows_warp_races);
        if (!finding_is_about_accesses(&findings[i])) {
            continue;
        }
        counts_any = counts_any || counts;
        if (findings[i].is_rest) {
            uint64_t more = findings[i].count;
            tally->left_out =
                tally->left_out > UINT64_MAX - more ? UINT64_MAX : tally->left_out + more;
            continue;
        }
        bool is_first = is_new(tally, arena, &findings[i]);
        tally->kinds += counts && is_first ? 1 : 0;
        tally->warnings += !counts && is_first ? 1 : 0;
        tally->places += counts ? findings[i].count : 0;
    }
    return counts_any;
}

static struct tally tally_launch(const struct criteria_input *input, struct arena *arena,
                                 const struct rubric_criterion *criterion)
{
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    struct tally tally = {.allows_warp_races = criterion->allows_warp_races};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        bool counts = false;
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            counts = tally_add(&tally, arena, sample->findings, sample->finding_count) || counts;
        }
        tally.shapes += counts ? 1 : 0;
        tally.first = counts && tally.first == NULL ? observation : tally.first;
    }
    tally_add(&tally, arena, run->activity.findings, run->activity.finding_count);
    return tally;
}

/* "block (0,1)" of the place that a cause names, or of the first one. */
static const char *block_text(struct arena *arena, const struct finding *finding)
{
    if (finding->place_count == 0 || !finding->places[0].has_thread) {
        return NULL;
    }
    const uint32_t *block = finding->places[0].block;
    return block[2] == 0 ? arena_printf(arena, "(%" PRIu32 ",%" PRIu32 ")", block[0], block[1])
                         : arena_printf(arena, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", block[0],
                                        block[1], block[2]);
}

/* How often something was seen that is not listed. */
static void add_left_out(const struct tally *tally, struct verdict *verdict)
{
    if (tally->left_out > 0) {
        verdict_add_integer(verdict, "not_listed",
                            tally->left_out > INT64_MAX ? INT64_MAX : (int64_t)tally->left_out);
    }
}

static void add_evidence(const struct criteria_input *input, struct arena *arena,
                         const struct tally *tally, const struct finding *worst,
                         struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;

    verdict_add_integer(verdict, "shapes", (int64_t)probed_shapes(input, launch));
    verdict_add_integer(verdict, "findings", (int64_t)tally->kinds);
    verdict_add_integer(verdict, "warnings", (int64_t)tally->warnings);
    add_left_out(tally, verdict);
    if (tally->kinds == 0) {
        return;
    }
    verdict_add_integer(verdict, "places", (int64_t)tally->places);
    verdict_add_integer(verdict, "shapes_with_findings", (int64_t)tally->shapes);
    if (tally->first != NULL && !observation_is_hidden(input, tally->first)) {
        verdict_add_text(verdict, "first_shape",
                         shape_text(input, arena, &input->rubric->launches[launch], tally->first));
    }
    if (worst != NULL && block_text(arena, worst) != NULL) {
        verdict_add_text(verdict, "first_block", block_text(arena, worst));
    }
}

/* "1 race", "2 races and 1 more": of the cause that is told, and of others. */
static const char *failed_summary(struct arena *arena, const struct tally *tally,
                                  const struct finding *worst)
{
    enum cause_kind cause = code_cause(worst->code);
    size_t same = 0;

    for (size_t i = 0; i < tally->seen_count; i++) {
        same += finding_counts(tally->seen[i], tally->allows_warp_races) &&
                        code_cause(tally->seen[i]->code) == cause
                    ? 1
                    : 0;
    }
    if (tally->kinds == 0) {
        return "not all of it can be checked";
    }
    const char *what = cause == CAUSE_RACE
                           ? arena_printf(arena, "%zu race%s", same, same == 1 ? "" : "s")
                           : cause_title(cause);
    size_t others = tally->kinds - same;
    return others == 0 ? what : arena_printf(arena, "%s and %zu more", what, others);
}

void race_free_criterion_judge(const struct criteria_input *input, struct arena *arena,
                               struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    size_t launch = criterion->launch;
    struct cause cause;

    if (blocked_before_launch(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    const struct finding *worst = worst_launch_finding(input, launch, criterion->allows_warp_races);
    struct tally tally = tally_launch(input, arena, criterion);
    if (input->is_emulated || tally.kinds > 0) {
        add_evidence(input, arena, &tally, worst, verdict);
    }
    /* A launch that does not fit its case is not probed, and breaks rules on the program's own data
     * for that reason. */
    if (tally.first == NULL && blocked_in_launch(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (worst != NULL && finding_is_about_accesses(worst)) {
        cause = cause_of_finding(arena, worst);
        outcome_fail(verdict, &cause, failed_summary(arena, &tally, worst));
        return;
    }
    if (blocked_in_launch(input, arena, launch, &cause) ||
        precondition_missing_case(input, arena, launch, &cause) ||
        precondition_idle_kernel(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!input->is_emulated) {
        outcome_skip_unwatched(verdict);
        return;
    }
    if (!all_cases_probed(input, launch)) {
        outcome_unprobed(verdict);
        return;
    }
    const char *shapes = shapes_text(arena, probed_shapes(input, launch));
    outcome_pass(verdict, tally.warnings == 0
                              ? shapes
                              : arena_printf(arena, "%s, %zu warning%s%s", shapes, tally.warnings,
                                             tally.warnings == 1 ? "" : "s",
                                             tally.left_out > 0 ? " and more" : ""));
}
