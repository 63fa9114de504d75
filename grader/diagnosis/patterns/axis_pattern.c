/* axis_pattern.c: see axis_pattern.h.
 *
 * Each kind of description is a rule with up to three numbers: is this index a member? A
 * description is tried with all numbers that could fit, the plainest kinds first, and taken if the
 * rule agrees with every set at every index.
 */
#include "diagnosis/patterns/axis_pattern.h"

#include <string.h>

enum { PERIODS_MAX = 32, TILE_PERIODS_MAX = 4 };

/* What is being described, and where the words go. */
struct finder {
    struct arena *arena;
    const struct axis_sets *sets;
};

/* Numbers of a rule. */
struct numbers {
    size_t period, first, last;
};

/* True if a set with these numbers would hold the index. */
typedef bool member_rule(const struct axis_set *set, size_t index, const struct numbers *numbers);

static const char *one(const struct finder *finder)
{
    return finder->sets->axis == AXIS_ROW ? "row" : "column";
}

static bool holds(const struct finder *finder, member_rule *rule, const struct numbers *numbers)
{
    for (size_t i = 0; i < finder->sets->count; i++) {
        const struct axis_set *set = &finder->sets->sets[i];
        for (size_t j = 0; j < set->length; j++) {
            if (set->members[j] != rule(set, j, numbers)) {
                return false;
            }
        }
    }
    return true;
}

/* The longest set. */
static size_t longest(const struct finder *finder)
{
    size_t length = 0;

    for (size_t i = 0; i < finder->sets->count; i++) {
        length = finder->sets->sets[i].length > length ? finder->sets->sets[i].length : length;
    }
    return length;
}

/* The block width of a tile if it is the same in all sets; else 0. The last tile may be cut. */
static size_t common_block(const struct finder *finder)
{
    int64_t block = finder->sets->sets[0].block;

    for (size_t i = 0; i < finder->sets->count; i++) {
        const struct axis_set *set = &finder->sets->sets[i];
        if (set->block != block || block < 2) {
            return 0;
        }
    }
    return (size_t)block;
}

static bool describe(struct axis_pattern *out, enum axis_kind kind, const char *text)
{
    *out = (struct axis_pattern){.kind = kind, .text = text, .hint = ""};
    return true;
}

/* All but some. */
static bool describe_but(const struct finder *finder, enum axis_kind kind, const char *but,
                         struct axis_pattern *out)
{
    describe(out, kind, arena_printf(finder->arena, "all %ss but %s", one(finder), but));
    out->but = but;
    return true;
}

static const char *ordinal(struct arena *arena, size_t number)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    bool is_teen = number / 10 % 10 == 1;
    size_t digit = number % 10;

    return arena_printf(arena, "%zu%s", number, endings[is_teen || digit > 3 ? 0 : digit]);
}

/* All, a single one ******************************************************************************/

static bool is_any(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    (void)index;
    (void)numbers;
    return true;
}

static bool is_first(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    (void)numbers;
    return index == 0;
}

static bool is_last(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)numbers;
    return index + 1 == set->length;
}

static bool is_behind_first(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    return !is_first(set, index, numbers);
}

static bool is_before_last(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    return !is_last(set, index, numbers);
}

static bool find_all(const struct finder *finder, struct axis_pattern *out)
{
    return holds(finder, is_any, NULL) &&
           describe(out, AXIS_ALL, arena_printf(finder->arena, "all %ss", one(finder)));
}

static bool find_one(const struct finder *finder, struct axis_pattern *out)
{
    struct arena *arena = finder->arena;

    if (holds(finder, is_first, NULL)) {
        return describe(out, AXIS_ONE, arena_printf(arena, "the first %s", one(finder)));
    }
    if (holds(finder, is_last, NULL)) {
        return describe(out, AXIS_ONE, arena_printf(arena, "the last %s", one(finder)));
    }
    if (holds(finder, is_behind_first, NULL)) {
        return describe_but(finder, AXIS_ALL_BUT_ONE,
                            arena_printf(arena, "the first %s", one(finder)), out);
    }
    if (holds(finder, is_before_last, NULL)) {
        return describe_but(finder, AXIS_ALL_BUT_ONE,
                            arena_printf(arena, "the last %s", one(finder)), out);
    }
    return false;
}

/* What no block of the grid covers ***************************************************************/

static bool is_beyond_grid(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)numbers;
    return set->covered > 0 && index >= set->covered;
}

static bool find_beyond_grid(const struct finder *finder, struct axis_pattern *out)
{
    bool is_row = finder->sets->axis == AXIS_ROW;

    if (!holds(finder, is_beyond_grid, NULL)) {
        return false;
    }
    describe(out, AXIS_BEYOND_GRID,
             is_row ? "the rows below the grid, which no block covers"
                    : "the columns right of the grid, which no block covers");
    out->hint = is_row ? "the grid has too few blocks in y: as many as there are rows of tiles"
                       : "the grid has too few blocks in x: as many as there are columns of tiles";
    return true;
}

/* Whole tiles ************************************************************************************/

static bool is_in_first_tile(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    (void)numbers;
    return index < (size_t)set->block;
}

static bool is_in_last_tile(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)numbers;
    return index / (size_t)set->block == (set->length - 1) / (size_t)set->block;
}

static bool is_behind_first_tile(const struct axis_set *set, size_t index,
                                 const struct numbers *numbers)
{
    return !is_in_first_tile(set, index, numbers);
}

static bool is_before_last_tile(const struct axis_set *set, size_t index,
                                const struct numbers *numbers)
{
    return !is_in_last_tile(set, index, numbers);
}

static bool is_tile_of_period(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    return index / (size_t)set->block % numbers->period == numbers->first;
}

static bool find_tiles(const struct finder *finder, struct axis_pattern *out)
{
    struct arena *arena = finder->arena;
    const char *word = one(finder);

    if (common_block(finder) == 0) {
        return false;
    }
    if (holds(finder, is_in_first_tile, NULL)) {
        describe(out, AXIS_TILES, arena_printf(arena, "the first %s of tiles", word));
        out->is_first_tile = true;
        return true;
    }
    if (holds(finder, is_in_last_tile, NULL)) {
        describe(out, AXIS_TILES, arena_printf(arena, "the last %s of tiles", word));
        out->is_last_tile = true;
        return true;
    }
    if (holds(finder, is_behind_first_tile, NULL)) {
        return describe_but(finder, AXIS_TILES, arena_printf(arena, "the first %s of tiles", word),
                            out);
    }
    if (holds(finder, is_before_last_tile, NULL)) {
        return describe_but(finder, AXIS_TILES, arena_printf(arena, "the last %s of tiles", word),
                            out);
    }
    return false;
}

/* True if some set holds two members and more, so that "every" is no exaggeration. */
static bool repeats(const struct finder *finder)
{
    for (size_t i = 0; i < finder->sets->count; i++) {
        size_t members = 0;
        for (size_t j = 0; j < finder->sets->sets[i].length; j++) {
            members += finder->sets->sets[i].members[j] ? 1 : 0;
        }
        if (members > 1) {
            return true;
        }
    }
    return false;
}

static bool find_tile_period(const struct finder *finder, struct axis_pattern *out)
{
    size_t block = common_block(finder);

    if (block == 0 || longest(finder) < 3 * block) {
        return false;
    }
    for (size_t period = 2; period <= TILE_PERIODS_MAX; period++) {
        for (size_t first = 0; first < period; first++) {
            const struct numbers numbers = {.period = period, .first = first};
            if (holds(finder, is_tile_of_period, &numbers)) {
                return describe(out, AXIS_TILES,
                                arena_printf(finder->arena, "every %s %s of tiles, from the %s one",
                                             ordinal(finder->arena, period), one(finder),
                                             ordinal(finder->arena, first + 1)));
            }
        }
    }
    return false;
}

/* Every k-th *************************************************************************************/

static bool is_of_period(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    return index % numbers->period == numbers->first;
}

static bool is_not_of_period(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    return !is_of_period(set, index, numbers);
}

static const char *period_text(const struct finder *finder, const struct numbers *numbers)
{
    return arena_printf(finder->arena, "every %s %s, from %s %zu",
                        ordinal(finder->arena, numbers->period), one(finder), one(finder),
                        numbers->first);
}

/* With the block width as the period it is a part of each tile. */
static bool find_period(const struct finder *finder, struct axis_pattern *out)
{
    size_t block = common_block(finder);
    size_t most = longest(finder) / 2;

    for (size_t period = 2; period <= most && period <= PERIODS_MAX; period++) {
        for (size_t first = 0; first < period && period != block; first++) {
            const struct numbers numbers = {.period = period, .first = first};
            if (repeats(finder) && holds(finder, is_of_period, &numbers)) {
                return describe(out, AXIS_PERIOD, period_text(finder, &numbers));
            }
            if (period > 2 && holds(finder, is_not_of_period, &numbers)) {
                return describe_but(finder, AXIS_ALL_BUT_PERIOD, period_text(finder, &numbers),
                                    out);
            }
        }
    }
    return false;
}

/* A part of each tile ****************************************************************************/

static bool is_part_of_tile(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    size_t within = index % (size_t)set->block;

    return within >= numbers->first && within <= numbers->last;
}

/* The number of threads along the axis if it is the same in all sets; else 0. */
static uint32_t common_threads(const struct finder *finder)
{
    for (size_t i = 1; i < finder->sets->count; i++) {
        if (finder->sets->sets[i].threads != finder->sets->sets[0].threads) {
            return 0;
        }
    }
    return finder->sets->sets[0].threads;
}

static const char *part_text(const struct finder *finder, const struct numbers *part, size_t block)
{
    struct arena *arena = finder->arena;
    const char *word = one(finder);

    if (part->first != part->last) {
        return arena_printf(arena, "%ss %zu to %zu of each tile", word, part->first, part->last);
    }
    if (part->first == 0 || part->last == block - 1) {
        return arena_printf(arena, "the %s %s of each tile", part->first == 0 ? "first" : "last",
                            word);
    }
    return arena_printf(arena, "%s %zu of each tile", word, part->first);
}

static bool find_part_of_tile(const struct finder *finder, struct axis_pattern *out)
{
    size_t block = common_block(finder);
    struct numbers part = {.first = 0, .last = block};

    if (block == 0) {
        return false;
    }
    while (part.first < block && !finder->sets->sets[0].members[part.first]) {
        part.first++;
    }
    while (part.last > 0 && !finder->sets->sets[0].members[part.last - 1]) {
        part.last--;
    }
    if (part.last == 0) {
        return false;
    }
    part.last--;
    if (!holds(finder, is_part_of_tile, &part)) {
        return false;
    }
    describe(out, AXIS_OF_TILE, part_text(finder, &part, block));
    out->first = part.first;
    out->last = part.last;
    uint32_t threads = common_threads(finder);
    if (threads > 0 && threads < block && part.last == block - 1 && part.first == threads) {
        out->hint = arena_printf(finder->arena,
                                 "a block has %u %ss of threads for the %zu %ss of a tile: each "
                                 "thread has more than one element to do",
                                 (unsigned)threads, one(finder), block, one(finder));
    }
    return true;
}

/* Bounds *****************************************************************************************/

static bool is_in_first_half(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    (void)numbers;
    return index < set->length / 2;
}

static bool is_in_second_half(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    return !is_in_first_half(set, index, numbers);
}

static bool is_below_parameter(const struct axis_set *set, size_t index,
                               const struct numbers *numbers)
{
    return set->parameters[numbers->first] > 0 && index < (size_t)set->parameters[numbers->first];
}

static bool is_from_parameter(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    return !is_below_parameter(set, index, numbers);
}

static bool find_half(const struct finder *finder, struct axis_pattern *out)
{
    bool is_row = finder->sets->axis == AXIS_ROW;

    if (holds(finder, is_in_first_half, NULL)) {
        return describe(out, AXIS_BOUND, is_row ? "the upper half" : "the left half");
    }
    if (holds(finder, is_in_second_half, NULL)) {
        return describe(out, AXIS_BOUND, is_row ? "the lower half" : "the right half");
    }
    return false;
}

/* One case alone has many numbers that fit by chance. */
static bool find_bound(const struct finder *finder, struct axis_pattern *out)
{
    const struct axis_sets *sets = finder->sets;

    for (size_t i = 0; i < sets->parameter_count && sets->count > 1; i++) {
        const struct numbers numbers = {.first = i};
        if (holds(finder, is_below_parameter, &numbers)) {
            return describe(out, AXIS_BOUND,
                            arena_printf(finder->arena, "the first %s %ss",
                                         sets->parameter_names[i], one(finder)));
        }
        if (holds(finder, is_from_parameter, &numbers)) {
            return describe_but(finder, AXIS_BOUND,
                                arena_printf(finder->arena, "the first %s %ss",
                                             sets->parameter_names[i], one(finder)),
                                out);
        }
    }
    return false;
}

/* Fixed numbers **********************************************************************************/

static bool is_between(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    return index >= numbers->first && index <= numbers->last;
}

static bool find_fixed(const struct finder *finder, struct axis_pattern *out)
{
    const struct axis_set *set = &finder->sets->sets[0];
    struct numbers part = {.first = 0, .last = set->length - 1};

    while (part.first < part.last && !set->members[part.first]) {
        part.first++;
    }
    while (part.last > part.first && !set->members[part.last]) {
        part.last--;
    }
    if (!holds(finder, is_between, &part)) {
        return false;
    }
    if (part.first == part.last) {
        return describe(out, AXIS_ONE,
                        arena_printf(finder->arena, "%s %zu", one(finder), part.first));
    }
    return describe(
        out, AXIS_BOUND,
        arena_printf(finder->arena, "%ss %zu to %zu", one(finder), part.first, part.last));
}

bool axis_pattern_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    static bool (*const kinds[])(const struct finder *finder, struct axis_pattern *out) = {
        find_all,          find_beyond_grid, find_one,  find_tiles, find_period,
        find_part_of_tile, find_tile_period, find_half, find_bound, find_fixed,
    };
    const struct finder finder = {arena, sets};

    for (size_t i = 0; sets->count > 0 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i](&finder, out_pattern)) {
            return true;
        }
    }
    return false;
}
