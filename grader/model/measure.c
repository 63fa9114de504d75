/* measure.c: see measure.h. */
#include "model/measure.h"

#include "base/text.h"
#include "model/kernel_pattern.h"

#include <string.h>

enum {
    WARP_LANES = 32,
    LINE_SHARE = 16, /* a line that runs this part of all instructions is a loop's */
    PLACE_SHARE = 4  /* a line that makes this part of an operand's accesses is to be told */
};

static const char *const prefixes[MEASURED_RUNS] = {"", "reference.", "base."};

/* Sets of enum count_access, and where they are counted. */
enum {
    LOADS = 1 << COUNT_READ | 1 << COUNT_ATOMIC,
    STORES = 1 << COUNT_WRITE | 1 << COUNT_ATOMIC,
    ATOMICS = 1 << COUNT_ATOMIC,
    ALL = LOADS | STORES,
    IN_GLOBAL = 1 << COUNT_ACCESSES,
    IN_SHARED = IN_GLOBAL << 1,
};

enum measure_group { GROUP_PLACE, GROUP_WORK, GROUP_CALL };

static const struct {
    const char *name, *words;
    enum measure_group group;
    unsigned accesses;
} measures[MEASURE_KINDS] = {
#define PLACE_MEASURE(id, name, accesses, value, words)                                            \
    [MEASURE_##id] = {name, words, GROUP_PLACE, accesses},
#define WORK_MEASURE(id, name, value, words) [MEASURE_##id] = {name, words, GROUP_WORK, 0},
#define CALL_MEASURE(id, name, value, place, words) [MEASURE_##id] = {name, words, GROUP_CALL, 0},
#include "model/measures.def"
    [MEASURE_ELEMENTS] = {"elements", "elements of", GROUP_PLACE, 0},
};

static const struct {
    const char *name, *words;
} places[PLACE_OPERAND] = {
#define MEASURED_PLACE(id, name, words) [PLACE_##id] = {name, words},
#include "model/measures.def"
};

/* The space of a place that is one; operands and what is none of them lie in global memory. */
static enum count_space space_of(size_t place)
{
    return place == PLACE_SHARED     ? COUNT_SHARED
           : place == PLACE_LOCAL    ? COUNT_LOCAL
           : place == PLACE_CONSTANT ? COUNT_CONSTANT
                                     : COUNT_GLOBAL;
}

/* A place by its name, [length]; false if there is none. */
static bool find_place(const struct rubric_launch *launch, const char *name, size_t length,
                       size_t *out_place)
{
    for (size_t i = 0; i < PLACE_OPERAND + launch->operand_count; i++) {
        const char *known =
            i < PLACE_OPERAND ? places[i].name : launch->operands[i - PLACE_OPERAND].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *out_place = i;
            return true;
        }
    }
    return false;
}

static bool is_counted_there(enum measure_kind kind, size_t place)
{
    const unsigned accesses = measures[kind].accesses;

    return ((accesses & IN_GLOBAL) == 0 || space_of(place) == COUNT_GLOBAL) &&
           ((accesses & IN_SHARED) == 0 || place == PLACE_SHARED) &&
           (kind != MEASURE_ELEMENTS || place >= PLACE_OPERAND);
}

bool measure_find(const struct rubric_launch *launch, const char *name, struct measure *out_measure)
{
    struct measure measure = {.run = OF_SUBMISSION};

    for (size_t i = 1; i < MEASURED_RUNS; i++) {
        measure.run = text_starts_with(name, prefixes[i]) ? (enum measured_run)i : measure.run;
    }
    name += strlen(prefixes[measure.run]);
    const char *dot = strchr(name, '.');
    if (dot != NULL && !find_place(launch, name, (size_t)(dot - name), &measure.place)) {
        return false;
    }
    for (size_t i = 0; i < MEASURE_KINDS; i++) {
        measure.kind = (enum measure_kind)i;
        if ((measures[i].group == GROUP_PLACE) == (dot != NULL) &&
            strcmp(measures[i].name, dot != NULL ? dot + 1 : name) == 0 &&
            is_counted_there(measure.kind, measure.place)) {
            *out_measure = measure;
            return true;
        }
    }
    return false;
}

bool measure_is_of_call(const struct measure *measure)
{
    return measures[measure->kind].group == GROUP_CALL;
}

bool measure_is_of_instructions(const struct measure *measure)
{
    return measure->kind == MEASURE_WARP_INSTRUCTIONS ||
           measure->kind == MEASURE_LANE_INSTRUCTIONS || measure->kind == MEASURE_ACTIVE_SHARE;
}

const char *measure_words(struct arena *arena, const struct rubric_launch *launch,
                          const struct measure *measure)
{
    if (measures[measure->kind].group != GROUP_PLACE) {
        return measures[measure->kind].words;
    }
    return arena_printf(arena, "%s %s", measures[measure->kind].words,
                        measure->place < PLACE_OPERAND
                            ? places[measure->place].words
                            : launch->operands[measure->place - PLACE_OPERAND].name);
}

static uint64_t bank_conflicts(const struct launch_counts *counts)
{
    uint64_t conflicts = 0;

    for (size_t i = 0; i < COUNT_ACCESSES; i++) {
        const struct access_sum *sum = &counts->totals[COUNT_SHARED][i];
        conflicts += sum->wavefronts - sum->least_wavefronts;
    }
    return conflicts;
}

static uint64_t all_branches(const struct launch_counts *counts)
{
    uint64_t branches = 0;

    for (size_t i = 0; i < counts->branch_count; i++) {
        branches += counts->branches[i].requests;
    }
    return branches;
}

static uint64_t divergent_branches(const struct launch_counts *counts)
{
    uint64_t branches = 0;

    for (size_t i = 0; i < counts->branch_count; i++) {
        branches += counts->branches[i].divergent;
    }
    return branches;
}

static uint64_t value_of_sum(enum measure_kind kind, const struct access_sum *sum)
{
    switch (kind) {
#define PLACE_MEASURE(id, name, accesses, value, words)                                            \
    case MEASURE_##id:                                                                             \
        return value;
#include "model/measures.def"
    default:
        return 0;
    }
}

static uint64_t value_of_work(enum measure_kind kind, const struct launch_counts *counts)
{
    switch (kind) {
#define WORK_MEASURE(id, name, value, words)                                                       \
    case MEASURE_##id:                                                                             \
        return value;
#include "model/measures.def"
    default:
        return 0;
    }
}

static uint64_t value_of_call(enum measure_kind kind, const struct call_work *call)
{
    switch (kind) {
#define CALL_MEASURE(id, name, value, place, words)                                                \
    case MEASURE_##id:                                                                             \
        return value;
#include "model/measures.def"
    default:
        return 0;
    }
}

static const struct host_places *place_of_call(enum measure_kind kind, const struct call_work *call)
{
    switch (kind) {
#define CALL_MEASURE(id, name, value, place, words)                                                \
    case MEASURE_##id:                                                                             \
        return place;
#include "model/measures.def"
    default:
        return NULL;
    }
}

/* Of one place, of all its accesses that count. */
static uint64_t value_of_place(const struct measure *measure, const struct measured *measured,
                               const struct launch_counts *counts)
{
    const size_t operand_count = measured->launch->operand_count;
    uint64_t value = 0;
    uint64_t of_operands = 0;

    for (size_t i = 0; i < COUNT_ACCESSES; i++) {
        if ((measures[measure->kind].accesses & 1U << i) == 0) {
            continue;
        }
        value +=
            value_of_sum(measure->kind, measure->place < PLACE_OPERAND
                                            ? &counts->totals[space_of(measure->place)][i]
                                            : &counts->operands[measure->place - PLACE_OPERAND][i]);
        for (size_t k = 0; k < operand_count && measure->place == PLACE_OTHER; k++) {
            of_operands += value_of_sum(measure->kind, &counts->operands[k][i]);
        }
    }
    return value > of_operands ? value - of_operands : 0;
}

static uint64_t value_of_counts(const struct measure *measure, const struct measured *measured,
                                const struct launch_counts *counts)
{
    return measures[measure->kind].group == GROUP_PLACE ? value_of_place(measure, measured, counts)
                                                        : value_of_work(measure->kind, counts);
}

/* The next kernel of a call that counts, from *at on, which moves past it; NULL: there is none.
 * Without a pattern that is all of the sample, once. */
static const struct launch_counts *next_counts(const struct measured *measured, size_t *at,
                                               uint64_t *out_launches)
{
    const struct sample *sample = measured->sample;

    if (measured->kernel == NULL) {
        *out_launches = sample->call.launches;
        return (*at)++ == 0 ? &sample->counts : NULL;
    }
    while (*at < sample->kernel_count) {
        const struct kernel_counts *kernel = &sample->kernels[(*at)++];
        if (kernel_pattern_matches(measured->kernel, kernel->plain_name)) {
            *out_launches = kernel->launches;
            return &kernel->counts;
        }
    }
    return NULL;
}

bool measure_has_kernel(const struct measured *measured)
{
    uint64_t launches = 0;
    size_t at = 0;

    return next_counts(measured, &at, &launches) != NULL;
}

double measure_value(const struct measure *measure, const struct measured *measured)
{
    const struct launch_counts *counts = NULL;
    uint64_t launches = 0;
    double value = 0.0;
    double issued = 0.0;

    if (measure->kind == MEASURE_ELEMENTS) {
        return (double)measured->observation->element_counts[measure->place - PLACE_OPERAND];
    }
    if (measure_is_of_call(measure) && measure->kind != MEASURE_LAUNCHES) {
        return (double)value_of_call(measure->kind, &measured->sample->call);
    }
    for (size_t at = 0; (counts = next_counts(measured, &at, &launches)) != NULL;) {
        value += (double)(measure->kind == MEASURE_LAUNCHES
                              ? launches
                              : value_of_counts(measure, measured, counts));
        issued += (double)counts->warp_instructions * WARP_LANES;
    }
    if (measure->kind == MEASURE_ACTIVE_SHARE) {
        return issued > 0.0 ? value / issued : 0.0;
    }
    return value;
}

/* The heaviest line so far. */
struct heaviest {
    struct cause_mark line;
    uint64_t value;
    bool is_tied; /* another line has as much */
};

static void keep_heavier(struct heaviest *heaviest, uint64_t value, struct cause_mark line)
{
    heaviest->is_tied = value == heaviest->value || (heaviest->is_tied && value < heaviest->value);
    if (value > heaviest->value) {
        heaviest->line = line;
        heaviest->value = value;
    }
}

static bool counts_here(const struct measure *measure, const struct line_count *line)
{
    const bool is_conflict = measure->kind == MEASURE_BANK_CONFLICTS;
    const unsigned accesses = is_conflict ? ALL : measures[measure->kind].accesses;

    return line->space == (is_conflict ? COUNT_SHARED : space_of(measure->place)) &&
           (accesses & 1U << line->access) != 0;
}

/* How often a line makes what is counted. What it runs beside its accesses is not known: of
 * instructions those that access memory stand for all. */
static uint64_t value_of_line(const struct measure *measure, const struct line_count *line)
{
    switch (measure->kind) {
    case MEASURE_WARP_INSTRUCTIONS:
        return line->sum.requests;
    case MEASURE_LANE_INSTRUCTIONS:
        return line->sum.lanes;
    case MEASURE_ACTIVE_SHARE:
        return line->sum.requests * WARP_LANES > line->sum.lanes
                   ? line->sum.requests * WARP_LANES - line->sum.lanes
                   : 0;
    default:
        break;
    }
    if (!counts_here(measure, line)) {
        return 0;
    }
    return measure->kind == MEASURE_BANK_CONFLICTS
               ? line->sum.wavefronts - line->sum.least_wavefronts
               : value_of_sum(measure->kind, &line->sum);
}

/* Adds up the entries of the line that starts at lines[at]; returns where the next one starts. */
static size_t look_at_line(const struct measure *measure, const struct launch_counts *counts,
                           size_t at, struct heaviest *heaviest)
{
    const struct line_count *line = &counts->lines[at];
    struct cause_mark mark = {line->file, line->line, line->column, NULL};
    uint64_t value = 0;
    uint64_t most = 0;

    for (; at < counts->line_count && counts->lines[at].line == mark.line &&
           strcmp(counts->lines[at].file, mark.file) == 0;
         at++) {
        const uint64_t of_entry = value_of_line(measure, &counts->lines[at]);
        value += of_entry;
        if (of_entry > most) {
            most = of_entry;
            mark.column = counts->lines[at].column;
        }
    }
    keep_heavier(heaviest, value, mark);
    return at;
}

static void look_at_counts(const struct measure *measure, const struct launch_counts *counts,
                           struct heaviest *heaviest)
{
    for (size_t i = 0; i < counts->line_count;) {
        i = look_at_line(measure, counts, i, heaviest);
    }
    for (size_t i = 0; i < counts->branch_count; i++) {
        const struct branch_count *branch = &counts->branches[i];
        keep_heavier(heaviest,
                     measure->kind == MEASURE_BRANCHES || measure->kind == MEASURE_WARP_INSTRUCTIONS
                         ? branch->requests
                     : measure->kind == MEASURE_DIVERGENT_BRANCHES ? branch->divergent
                                                                   : 0,
                     (struct cause_mark){branch->file, branch->line, branch->column, NULL});
    }
    for (size_t i = 0; i < counts->barrier_count && measure->kind == MEASURE_BARRIERS; i++) {
        const struct barrier_count *barrier = &counts->barriers[i];
        keep_heavier(heaviest, barrier->arrivals,
                     (struct cause_mark){barrier->file, barrier->line, barrier->column, NULL});
    }
}

/* True if a line runs often enough for what it runs beside its accesses to be most of the work. */
static bool is_share(const struct measure *measure, const struct measured *measured,
                     const struct heaviest *heaviest)
{
    const struct launch_counts *counts = NULL;
    uint64_t launches = 0;
    double all = 0.0;

    for (size_t at = 0; (counts = next_counts(measured, &at, &launches)) != NULL;) {
        const double active = (double)counts->lane_instructions;
        const double issued = (double)counts->warp_instructions;
        all += measure->kind == MEASURE_ACTIVE_SHARE        ? issued * WARP_LANES - active
               : measure->kind == MEASURE_WARP_INSTRUCTIONS ? issued
                                                            : active;
    }
    return (double)heaviest->value * LINE_SHARE >= all;
}

/* Lines are counted by space. Of one operand among several they tell something if a single line
 * makes exactly its accesses, or makes so many that not all of them can be elsewhere. */
static bool is_certain(const struct measure *measure, const struct measured *measured,
                       const struct heaviest *heaviest)
{
    if (measure_is_of_instructions(measure)) {
        return is_share(measure, measured, heaviest);
    }
    const bool is_part = measures[measure->kind].group == GROUP_PLACE &&
                         (measure->place >= PLACE_OPERAND || measure->place == PLACE_OTHER);
    const struct measure of_global = {.kind = measure->kind, .place = PLACE_GLOBAL};
    const double value = measure_value(measure, measured);

    const double elsewhere = measure_value(&of_global, measured) - value;

    return !is_part || (double)heaviest->value - elsewhere >= value / PLACE_SHARE ||
           (value == (double)heaviest->value && !heaviest->is_tied);
}

bool measure_only_line(const struct measure *measure, const struct measured *measured,
                       double others, struct cause_mark *out_line)
{
    const struct launch_counts *counts = NULL;
    struct heaviest heaviest = {.value = 0};
    uint64_t launches = 0;

    for (size_t at = 0; (counts = next_counts(measured, &at, &launches)) != NULL;) {
        look_at_counts(measure, counts, &heaviest);
    }
    /* Of one operand: the line may store to others, too. */
    const double rest = measure_value(measure, measured) - (double)heaviest.value;
    *out_line = heaviest.line;
    return heaviest.value > 0 && heaviest.line.line > 0 && !heaviest.is_tied && rest >= 0.0 &&
           rest <= others;
}

/* What host code does at the place of a measure of a call. */
static const char *host_label(enum measure_kind kind, const struct call_work *call)
{
    static const char *const labels[CHAIN_LINKS] = {
        [CHAIN_LINK_HOST] = "the host waits here before it gives the next work",
        [CHAIN_LINK_LEGACY] = "the default stream waits for the others, and they wait for it",
        [CHAIN_LINK_EVENT] = "waits here for work of another stream",
        [CHAIN_LINK_STREAM] = "waits for all that its stream got before",
    };

    return kind == MEASURE_LONGEST_CHAIN ? labels[call->link] : NULL;
}

bool measure_host_line(const struct measure *measure, const struct measured *measured,
                       struct cause_mark *out_line)
{
    const struct call_work *call = &measured->sample->call;
    const struct host_places *found =
        measured->kernel == NULL ? place_of_call(measure->kind, call) : NULL;

    if (found == NULL || found->inner.line == 0) {
        return false;
    }
    *out_line = (struct cause_mark){found->inner.file, found->inner.line, 0,
                                    host_label(measure->kind, call)};
    return true;
}

bool measure_heaviest_line(const struct measure *measure, const struct measured *measured,
                           struct cause_mark *out_line)
{
    const struct launch_counts *counts = NULL;
    struct heaviest heaviest = {.value = 0};
    uint64_t launches = 0;

    for (size_t at = 0; (counts = next_counts(measured, &at, &launches)) != NULL;) {
        look_at_counts(measure, counts, &heaviest);
    }
    if (heaviest.value == 0 || heaviest.line.line == 0 ||
        !is_certain(measure, measured, &heaviest)) {
        return false;
    }
    *out_line = heaviest.line;
    return true;
}
