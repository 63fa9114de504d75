/* step_moments.c: see step_moments.h.
 *
 * A finding names the first thread that did it, in any block and case; the findings of the run that
 * was logged name those of this one, so they are asked first.
 */
#include "report/step_moments.h"

#include <string.h>

/* Steps of one thread since the last barrier that are looked back on. */
enum { RECENT_MAX = 64 };

static bool is_access(const struct block_step *step)
{
    return step->kind <= STEP_ATOMIC;
}

/* The thread's number in the block; false if the place is in another block. */
static bool find_thread(const struct block_steps *steps, const struct place *place,
                        uint32_t *out_thread)
{
    const uint32_t *size = steps->block;

    *out_thread = place->thread[0] + size[0] * (place->thread[1] + size[1] * place->thread[2]);
    return place->has_thread &&
           memcmp(place->block, steps->block_index, sizeof place->block) == 0 &&
           place->thread[0] < size[0] && place->thread[1] < size[1] && place->thread[2] < size[2];
}

static bool has_role(const struct block_step *step, const char *role)
{
    static const struct {
        const char *role;
        enum step_kind kind;
    } rows[] = {{"read", STEP_READ},
                {"write", STEP_WRITE},
                {"atomic", STEP_ATOMIC},
                {"barrier", STEP_BARRIER}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].role, role) == 0) {
            return step->kind == rows[i].kind;
        }
    }
    return true;
}

static bool is_at(const struct block_steps *steps, const struct block_step *step, const char *file,
                  int line, int column)
{
    const struct trace_line *at = &steps->lines[step->line];

    return at->line == line && line > 0 && (column == 0 || at->column == column) &&
           strcmp(at->file, file) == 0;
}

/* True if a step is what the thread of a place does there. The place of an end is where the thread
 * left for it: the end itself is elsewhere. */
static bool is_of_place(const struct block_steps *steps, const struct block_step *step,
                        const struct place *place, uint32_t thread)
{
    bool is_end = step->kind == STEP_EXIT && strcmp(place->role, "here") == 0;

    return step->warp == thread / 32 && (step->lanes >> thread % 32 & 1) != 0 &&
           has_role(step, place->role) &&
           (is_end || is_at(steps, step, place->file, place->line, place->column));
}

static uint64_t address_of(const struct block_step *step, uint32_t lane)
{
    uint32_t below = step->lanes & ((UINT32_C(1) << lane) - 1);

    if (step->list != NULL) {
        return step->first + (uint64_t)step->list[__builtin_popcount(below)];
    }
    return step->first + (uint64_t)step->distance * (lane - (uint32_t)__builtin_ctz(step->lanes));
}

static bool overlap(const struct block_step *a, uint32_t a_lane, const struct block_step *b,
                    uint32_t b_lane)
{
    uint64_t first = address_of(a, a_lane);
    uint64_t second = address_of(b, b_lane);

    return is_access(a) && is_access(b) && a->space == b->space &&
           (first < second ? second - first < a->bytes : first - second < b->bytes);
}

/* True if two steps of two threads are what a finding is about: accesses of the same bytes, or
 * waits and ends. */
static bool concern(const struct block_step *a, uint32_t a_lane, const struct block_step *b,
                    uint32_t b_lane)
{
    bool stands = (a->kind == STEP_BARRIER || a->kind == STEP_EXIT) &&
                  (b->kind == STEP_BARRIER || b->kind == STEP_EXIT);

    return stands || overlap(a, a_lane, b, b_lane);
}

/* The latest steps of a thread at a place. */
struct recent {
    uint32_t lane;
    size_t steps[RECENT_MAX]; /* a ring of [count] */
    size_t count;
};

static bool meets(const struct block_steps *steps, size_t step, uint32_t lane,
                  const struct recent *other, size_t *out_other)
{
    size_t kept = other->count < RECENT_MAX ? other->count : RECENT_MAX;

    for (size_t i = 0; i < kept; i++) {
        size_t at = other->steps[(other->count - 1 - i) % RECENT_MAX];
        if (concern(&steps->steps[step], lane, &steps->steps[at], other->lane)) {
            *out_other = at;
            return true;
        }
    }
    return false;
}

/* A barrier ends what was before, but an end remains one. */
static void pass_barrier(const struct block_steps *steps, struct recent *recent)
{
    size_t last = recent->count == 0 ? 0 : recent->steps[(recent->count - 1) % RECENT_MAX];
    bool has_ended = recent->count > 0 && steps->steps[last].kind == STEP_EXIT;

    recent->count = has_ended ? 1 : 0;
    recent->steps[0] = last;
}

/* The first time that two threads touch the same bytes with no barrier of the block between, or
 * wait at two places for each other, or one ends for which the other waits. */
static bool find_pair(const struct block_steps *steps, const struct finding *finding,
                      struct step_moment *out_moment)
{
    uint32_t threads[2];
    struct recent recent[2] = {{.count = 0}, {.count = 0}};

    for (int k = 0; k < 2; k++) {
        if (!find_thread(steps, &finding->places[k], &threads[k])) {
            return false;
        }
        recent[k].lane = threads[k] % 32;
    }
    for (size_t i = 0; i < steps->step_count; i++) {
        const struct block_step *step = &steps->steps[i];
        for (int k = 0; k < 2; k++) {
            size_t other = 0;
            if (step->kind == STEP_BRANCH ||
                !is_of_place(steps, step, &finding->places[k], threads[k])) {
                continue;
            }
            if (meets(steps, i, recent[k].lane, &recent[1 - k], &other)) {
                *out_moment =
                    (struct step_moment){i, recent[k].lane, true, other, recent[1 - k].lane, false};
                return true;
            }
            recent[k].steps[recent[k].count++ % RECENT_MAX] = i;
        }
        if (step->releases) {
            pass_barrier(steps, &recent[0]);
            pass_barrier(steps, &recent[1]);
        }
    }
    return false;
}

/* The lanes that a warp of the block has. */
static uint32_t lanes_of(const struct block_steps *steps, uint32_t warp)
{
    const uint32_t *size = steps->block;
    uint32_t left = size[0] * size[1] * size[2] - 32 * warp;

    return left >= 32 ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

/* The first step of a place's thread there; of those, one whose address is not valid, or a barrier
 * to which its warp does not come as a whole. */
static bool find_place(const struct block_steps *steps, const struct place *place,
                       struct step_moment *out_moment)
{
    uint32_t thread = 0;
    bool is_found = false;

    if (!find_thread(steps, place, &thread)) {
        return false;
    }
    uint32_t live = lanes_of(steps, thread / 32);
    for (size_t i = 0; i < steps->step_count; i++) {
        const struct block_step *step = &steps->steps[i];
        bool is_alone = step->kind == STEP_BARRIER && step->lanes != live;
        bool is_bad = is_alone || (is_access(step) && (step->other >> thread % 32 & 1) != 0);
        if (step->kind == STEP_EXIT && step->warp == thread / 32) {
            live &= ~step->lanes;
        }
        if ((is_found && !is_bad) || !is_of_place(steps, step, place, thread)) {
            continue;
        }
        *out_moment = (struct step_moment){.step = i, .lane = thread % 32};
        is_found = true;
        if (is_bad) {
            break;
        }
    }
    return is_found;
}

static bool find_finding(const struct block_steps *steps, const struct finding *finding,
                         struct step_moment *out_moment)
{
    const struct place *places = finding->places;
    enum cause_kind cause = code_cause(finding->code);
    /* What comes after two threads is where the memory is from. */
    bool is_pair = finding->place_count >= 2 && places[0].has_thread && places[1].has_thread;
    bool is_race = is_pair && cause == CAUSE_RACE;
    bool is_barrier = is_pair && cause == CAUSE_BARRIER;
    bool is_here = memcmp(places[0].block, places[1].block, sizeof places[0].block) == 0;

    if (is_race && is_here) {
        return find_pair(steps, finding, out_moment);
    }
    if (is_barrier && find_pair(steps, finding, out_moment)) {
        return true;
    }
    if (is_race) { /* with another block: what this one does of it */
        bool is_found =
            find_place(steps, &places[0], out_moment) || find_place(steps, &places[1], out_moment);
        out_moment->is_beyond = is_found;
        return is_found;
    }
    return finding->place_count > 0 && find_place(steps, &places[finding->main_place], out_moment);
}

/* The first time that a line runs. */
static bool find_line(const struct block_steps *steps, const struct report_diagnostic *told,
                      struct step_moment *out_moment)
{
    for (size_t i = 0; i < steps->step_count; i++) {
        if (is_at(steps, &steps->steps[i], told->file, told->line, 0)) {
            *out_moment = (struct step_moment){.step = i, .lane = STEP_NO_LANE};
            return true;
        }
    }
    return false;
}

/* False of what all threads do together, such as too much work. */
static bool names_thread(const struct finding *finding)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        if (finding->places[i].has_thread) {
            return true;
        }
    }
    return false;
}

bool step_moment_find(const struct block_steps *steps, const struct report_diagnostic *told,
                      struct step_moment *out_moment)
{
    uint64_t hash = told->finding == NULL ? 0 : finding_lines_hash(told->finding);

    if (told->finding == NULL || !names_thread(told->finding)) {
        return told->file != NULL && find_line(steps, told, out_moment);
    }
    for (size_t i = 0; i < steps->finding_count; i++) {
        const struct finding *finding = &steps->findings[i];
        if (finding->code == told->finding->code && finding_lines_hash(finding) == hash &&
            find_finding(steps, finding, out_moment)) {
            return true;
        }
    }
    return find_finding(steps, told->finding, out_moment);
}
