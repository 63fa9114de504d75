/* vector_pattern.c: see vector_pattern.h.
 *
 * Places that have a name are rows of a table; then come parts of each block, every k-th element,
 * sizes and fixed numbers, as far as the first case suggests them.
 */
#include "diagnosis/patterns/vector_pattern.h"

enum { PERIODS_MAX = 32 };

/* Numbers of a rule. */
struct numbers {
    size_t first, last; /* inclusive; or the period and the rest */
};

/* True if a set with these numbers would hold the index. */
typedef bool member_rule(const struct axis_set *set, size_t index, const struct numbers *numbers);

struct finder {
    struct arena *arena;
    const struct axis_sets *sets;
};

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

static bool tell(struct axis_pattern *out, enum axis_kind kind, const char *text, const char *hint)
{
    *out = (struct axis_pattern){.kind = kind, .text = text, .hint = hint};
    return true;
}

/* Elements of a block; 0: unknown. */
static size_t block_of(const struct axis_set *set)
{
    return set->block > 0 ? (size_t)set->block : 0;
}

/* Places with a name ***************************************************************************/

static bool is_any(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    (void)index;
    (void)numbers;
    return true;
}

static bool is_beyond_grid(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)numbers;
    return set->covered > 0 && index >= set->covered;
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

static bool is_first_of_block(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    (void)numbers;
    return block_of(set) > 1 && index % block_of(set) == 0;
}

static bool is_border(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    return index > 0 && is_first_of_block(set, index, numbers);
}

static bool is_last_of_full_block(const struct axis_set *set, size_t index,
                                  const struct numbers *numbers)
{
    (void)numbers;
    return block_of(set) > 1 && (index + 1) % block_of(set) == 0;
}

static bool is_before_border(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    return index + 1 < set->length && is_last_of_full_block(set, index, numbers);
}

static bool is_last_of_block(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    return is_last_of_full_block(set, index, numbers) || is_last(set, index, numbers);
}

static bool is_in_first_block(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    (void)numbers;
    return index < block_of(set);
}

static bool is_in_last_block(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    const size_t block = block_of(set);

    (void)numbers;
    return block > 0 && index / block == (set->length - 1) / block;
}

static bool is_in_partial_block(const struct axis_set *set, size_t index,
                                const struct numbers *numbers)
{
    return block_of(set) > 0 && set->length % block_of(set) != 0 &&
           is_in_last_block(set, index, numbers);
}

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

#define BORDER_HINT "what does the thread at the border of a block need from the block beside it"

static const struct {
    member_rule *rule;
    enum axis_kind kind;
    const char *text, *hint;
} places[] = {
    {is_any, AXIS_ALL, "all elements", ""},
    {is_beyond_grid, AXIS_BEYOND_GRID, "the elements behind the last block of the grid",
     "the grid has too few blocks: divide by the threads of a block, and round up"},
    {is_first, AXIS_ONE, "the first element", "has the first element a neighbour before it"},
    {is_last, AXIS_ONE, "the last element", "which condition decides that a thread has an element"},
    {is_first_of_block, AXIS_OF_TILE, "the first element of each block", BORDER_HINT},
    {is_border, AXIS_OF_TILE, "the first element of each block but the first", BORDER_HINT},
    {is_before_border, AXIS_OF_TILE, "the last element of each block but the last", BORDER_HINT},
    {is_last_of_full_block, AXIS_OF_TILE, "the last element of each full block",
     "what does the last thread of a block do differently"},
    {is_last_of_block, AXIS_OF_TILE, "the last element of each block",
     "what does the last thread of a block that has an element do differently"},
    {is_in_first_block, AXIS_TILES, "the first block", ""},
    {is_in_partial_block, AXIS_TILES, "the last block where it is not full",
     "the last block has more threads than elements: what do the others do"},
    {is_in_last_block, AXIS_TILES, "the last block", ""},
    {is_in_first_half, AXIS_BOUND, "the first half", ""},
    {is_in_second_half, AXIS_BOUND, "the second half", ""},
};

static bool find_place(const struct finder *finder, struct axis_pattern *out)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (holds(finder, places[i].rule, NULL)) {
            return tell(out, places[i].kind, places[i].text, places[i].hint);
        }
    }
    return false;
}

/* Parts of each block **************************************************************************/

static bool is_part_of_block(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    const size_t within = block_of(set) > 0 ? index % block_of(set) : index;

    return within >= numbers->first && within <= numbers->last;
}

/* Likewise, counted from the end of a block: 0 is its last element. */
static bool is_part_before_end(const struct axis_set *set, size_t index,
                               const struct numbers *numbers)
{
    const size_t block = block_of(set);
    const size_t before = block > 0 ? block - 1 - index % block : 0;

    return block > 0 && before >= numbers->first && before <= numbers->last;
}

/* The least and the largest place within a block that the first set shows. */
static struct numbers span_of_first(const struct finder *finder, bool from_end)
{
    const struct axis_set *set = &finder->sets->sets[0];
    const size_t block = block_of(set);
    struct numbers span = {.first = SIZE_MAX};

    for (size_t i = 0; i < set->length && block > 0; i++) {
        const size_t place = from_end ? block - 1 - i % block : i % block;
        if (set->members[i]) {
            span.first = place < span.first ? place : span.first;
            span.last = place > span.last ? place : span.last;
        }
    }
    return span;
}

static const char *count_text(struct arena *arena, const struct numbers *part, const char *side)
{
    if (part->first == 0) {
        return arena_printf(arena, "the %s %zu elements of each block", side, part->last + 1);
    }
    return part->first == part->last
               ? arena_printf(arena, "element %zu of each block", part->first)
               : arena_printf(arena, "elements %zu to %zu of each block", part->first, part->last);
}

static bool find_part_of_block(const struct finder *finder, struct axis_pattern *out)
{
    const struct numbers from_start = span_of_first(finder, false);
    const struct numbers from_end = span_of_first(finder, true);
    const char *hint = "compare what a right and a wrong thread of one block do, which differ in "
                       "threadIdx.x";

    if (block_of(&finder->sets->sets[0]) < 2) {
        return false;
    }
    if (from_start.first <= from_start.last && holds(finder, is_part_of_block, &from_start)) {
        return tell(out, AXIS_OF_TILE, count_text(finder->arena, &from_start, "first"), hint);
    }
    if (from_end.first == 0 && holds(finder, is_part_before_end, &from_end)) {
        return tell(out, AXIS_OF_TILE, count_text(finder->arena, &from_end, "last"), hint);
    }
    return false;
}

/* Every k-th, sizes, numbers *******************************************************************/

static bool is_of_period(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    return index % numbers->first == numbers->last;
}

/* True if some set goes through a period twice: else "every" is an exaggeration. */
static bool is_long_enough(const struct finder *finder, size_t period)
{
    for (size_t i = 0; i < finder->sets->count; i++) {
        if (finder->sets->sets[i].length >= 2 * period) {
            return true;
        }
    }
    return false;
}

static bool find_period(const struct finder *finder, struct axis_pattern *out)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};

    for (size_t period = 2; period <= PERIODS_MAX && is_long_enough(finder, period); period++) {
        for (size_t rest = 0; rest < period; rest++) {
            const struct numbers numbers = {.first = period, .last = rest};
            const bool is_teen = period / 10 == 1;
            if (holds(finder, is_of_period, &numbers)) {
                return tell(
                    out, AXIS_PERIOD,
                    arena_printf(finder->arena, "every %zu%s element, from element %zu", period,
                                 endings[is_teen || period % 10 > 3 ? 0 : period % 10], rest),
                    "compare what a right and a wrong thread do");
            }
        }
    }
    return false;
}

static bool is_below_parameter(const struct axis_set *set, size_t index,
                               const struct numbers *numbers)
{
    return set->parameters[numbers->first] > 0 && index < (size_t)set->parameters[numbers->first];
}

static bool is_between(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    return index >= numbers->first && index <= numbers->last;
}

/* One case alone has many numbers that fit by chance. */
static bool find_bound(const struct finder *finder, struct axis_pattern *out)
{
    const struct axis_sets *sets = finder->sets;

    for (size_t i = 0; i < sets->parameter_count && sets->count > 1; i++) {
        const struct numbers numbers = {.first = i};
        if (holds(finder, is_below_parameter, &numbers)) {
            return tell(
                out, AXIS_BOUND,
                arena_printf(finder->arena, "the first %s elements", sets->parameter_names[i]), "");
        }
    }
    return false;
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
    const char *text =
        part.first == part.last
            ? arena_printf(finder->arena, "element %zu", part.first)
            : arena_printf(finder->arena, "elements %zu to %zu", part.first, part.last);
    return tell(out, part.first == part.last ? AXIS_ONE : AXIS_BOUND, text, "");
}

bool vector_place_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    const struct finder finder = {arena, sets};

    return sets->count > 0 && find_place(&finder, out_pattern);
}

bool vector_range_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    static bool (*const kinds[])(const struct finder *finder, struct axis_pattern *out) = {
        find_period, find_part_of_block, find_bound, find_fixed};
    const struct finder finder = {arena, sets};

    for (size_t i = 0; sets->count > 0 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i](&finder, out_pattern)) {
            return true;
        }
    }
    return false;
}
