/* launch_findings.c: see launch_findings.h. */
#include "criteria/preconditions/launch_findings.h"

#include <string.h>

enum { LAST_RANK = 5, NOT_RANKED };

/* Lower is told first. */
static unsigned rank_of(enum code code)
{
    switch (code_cause(code)) {
    case CAUSE_OUT_OF_BOUNDS:
    case CAUSE_MISALIGNED:
    case CAUSE_CRASH:
    case CAUSE_CUDA_ERROR:
        return 0;
    case CAUSE_BARRIER:
        return 1;
    case CAUSE_RACE: /* between warps, then within one: the first barrier orders both */
        return code == CODE_WARP_RACE ? 3 : 2;
    case CAUSE_UNINITIALISED:
        return 4;
    default:
        return LAST_RANK;
    }
}

bool finding_is_about_accesses(const struct finding *finding)
{
    switch (code_cause(finding->code)) {
    case CAUSE_RACE:
    case CAUSE_BARRIER:
    case CAUSE_OUT_OF_BOUNDS:
    case CAUSE_MISALIGNED:
    case CAUSE_UNINITIALISED:
        return true;
    default:
        return false;
    }
}

bool finding_counts(const struct finding *finding, bool allows_warp_races)
{
    if (finding->code == CODE_WARP_RACE) {
        return !allows_warp_races;
    }
    return finding->severity == SEVERITY_ERROR && code_cause(finding->code) != CAUSE_UNSUPPORTED;
}

bool finding_is_fault(const struct finding *finding)
{
    switch (code_cause(finding->code)) {
    case CAUSE_OUT_OF_BOUNDS:
    case CAUSE_MISALIGNED:
    case CAUSE_CRASH:
    case CAUSE_CUDA_ERROR:
        return finding->severity == SEVERITY_ERROR;
    default:
        return finding->code == CODE_BARRIER_DEADLOCK;
    }
}

/* The first finding of the lowest rank so far. */
struct choice {
    const struct finding *finding;
    unsigned rank;
};

/* True if both are races, and the one begins on an earlier line: the barrier that it needs is the
 * first one that is missing. */
static bool begins_above(const struct finding *one, const struct finding *other)
{
    if (code_cause(one->code) != CAUSE_RACE || one->place_count != 2 || other->place_count != 2) {
        return false;
    }
    const struct place *left = &one->places[1 - one->main_place];
    const struct place *right = &other->places[1 - other->main_place];

    return left->line > 0 && left->line < right->line && strcmp(left->file, right->file) == 0;
}

static void choose(struct choice *choice, const struct finding *findings, size_t count,
                   bool allows_warp_races)
{
    for (size_t i = 0; i < count; i++) {
        unsigned rank = rank_of(findings[i].code);
        bool is_first = rank < choice->rank || (rank == choice->rank && choice->finding != NULL &&
                                                begins_above(&findings[i], choice->finding));
        if (is_first && finding_counts(&findings[i], allows_warp_races)) {
            *choice = (struct choice){&findings[i], rank};
        }
    }
}

const struct finding *worst_finding(const struct finding *findings, size_t count)
{
    struct choice choice = {NULL, NOT_RANKED};

    choose(&choice, findings, count, false);
    return choice.finding;
}

const struct finding *worst_launch_finding(const struct criteria_input *input, size_t launch,
                                           bool allows_warp_races)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    struct choice choice = {NULL, NOT_RANKED};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            choose(&choice, observation->samples[j].findings, observation->samples[j].finding_count,
                   allows_warp_races);
        }
    }
    choose(&choice, run->activity.findings, run->activity.finding_count, allows_warp_races);
    return choice.finding;
}
