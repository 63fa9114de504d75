/* axis_pattern.c: see axis_pattern.h.
 *
 * Each kind of description is a rule with up to three numbers: is this index a member? A
 * description is tried with all numbers that could fit, the plainest kinds first, and taken if the
 * rule, or its opposite, agrees with every set at every index. Rows, columns and the elements of a
 * vector have these rules in common; what a tile is to the first two, a block is to a vector.
 */
#include "diagnosis/patterns/axis_pattern.h"

enum { PERIODS_MAX = 32, TILE_PERIODS_MAX = 4 };

/* What is being described, and where the words go. */
struct finder {
    struct arena *arena;
    const struct axis_sets *sets;
};

/* Numbers of a rule. */
struct numbers {
    size_t period, first, last; /* `last` is inclusive */
};

/* True if a set with these numbers would hold the index. */
typedef bool member_rule(const struct axis_set *set, size_t index, const struct numbers *numbers);

static const char *one(const struct finder *finder)
{
    static const char *const words[] = {"row", "column", "element"};

    return words[finder->sets->axis];
}

static bool is_vector(const struct finder *finder)
{
    return finder->sets->axis == AXIS_ELEMENT;
}

/* True if the members are those that the rule holds for, or those that it does not hold for. */
static bool holds(const struct finder *finder, member_rule *rule, const struct numbers *numbers,
                  bool is_opposite)
{
    for (size_t i = 0; i < finder->sets->count; i++) {
        const struct axis_set *set = &finder->sets->sets[i];
        for (size_t j = 0; j < set->length; j++) {
            if (set->members[j] != (rule(set, j, numbers) != is_opposite)) {
                return false;
            }
        }
    }
    return true;
}

/* Is that all but some? Of a vector whoever asks turns the members over instead. */
static bool holds_but(const struct finder *finder, member_rule *rule, const struct numbers *numbers)
{
    return !is_vector(finder) && holds(finder, rule, numbers, true);
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

/* Elements of a tile or block; 0: unknown. */
static size_t block_of(const struct axis_set *set)
{
    return set->block > 0 ? (size_t)set->block : 0;
}

/* The block width of a tile if it is the same in all sets; else 0. The last tile may be cut. */
static size_t common_block(const struct finder *finder)
{
    size_t block = block_of(&finder->sets->sets[0]);

    for (size_t i = 0; i < finder->sets->count; i++) {
        if (block_of(&finder->sets->sets[i]) != block || block < 2) {
            return 0;
        }
    }
    return block;
}

static bool describe(struct axis_pattern *out, enum axis_kind kind, const char *text)
{
    *out = (struct axis_pattern){.kind = kind, .text = text, .hint = ""};
    return true;
}

static bool describe_with_hint(struct axis_pattern *out, enum axis_kind kind, const char *text,
                               const char *hint)
{
    describe(out, kind, text);
    out->hint = hint;
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

/* Rules *****************************************************************************************/

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

static bool is_in_first_half(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    (void)numbers;
    return index < set->length / 2;
}

static bool is_beyond_grid(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)numbers;
    return set->covered > 0 && index >= set->covered;
}

static bool is_in_first_tile(const struct axis_set *set, size_t index,
                             const struct numbers *numbers)
{
    (void)numbers;
    return index < block_of(set);
}

static bool is_in_last_tile(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    const size_t block = block_of(set);

    (void)numbers;
    return block > 0 && index / block == (set->length - 1) / block;
}

static bool is_tile_of_period(const struct axis_set *set, size_t index,
                              const struct numbers *numbers)
{
    return index / block_of(set) % numbers->period == numbers->first;
}

static bool is_part_of_tile(const struct axis_set *set, size_t index, const struct numbers *numbers)
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

static bool is_of_period(const struct axis_set *set, size_t index, const struct numbers *numbers)
{
    (void)set;
    return index % numbers->period == numbers->first;
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

/* All, a half, what no block of the grid covers *************************************************/

static bool find_all(const struct finder *finder, struct axis_pattern *out)
{
    return holds(finder, is_any, NULL, false) &&
           describe(out, AXIS_ALL, arena_printf(finder->arena, "all %ss", one(finder)));
}

static bool find_half(const struct finder *finder, struct axis_pattern *out)
{
    static const char *const first[] = {"the upper half", "the left half", "the first half"};
    static const char *const second[] = {"the lower half", "the right half", "the second half"};

    if (holds(finder, is_in_first_half, NULL, false)) {
        return describe(out, AXIS_BOUND, first[finder->sets->axis]);
    }
    return holds(finder, is_in_first_half, NULL, true) &&
           describe(out, AXIS_BOUND, second[finder->sets->axis]);
}

static bool find_beyond_grid(const struct finder *finder, struct axis_pattern *out)
{
    static const char *const texts[] = {
        "the rows below the grid, which no block covers",
        "the columns right of the grid, which no block covers",
        "the elements past the last block of the grid",
    };
    static const char *const hints[] = {
        "the grid has too few blocks in y: it needs one for each row of tiles",
        "the grid has too few blocks in x: it needs one for each column of tiles",
        "the grid has too few blocks: divide by the threads per block, and round up",
    };

    return holds(finder, is_beyond_grid, NULL, false) &&
           describe_with_hint(out, AXIS_BEYOND_GRID, texts[finder->sets->axis],
                              hints[finder->sets->axis]);
}

/* The first and the last, tiles too *************************************************************/

static bool find_one(const struct finder *finder, struct axis_pattern *out)
{
    const char *first = arena_printf(finder->arena, "the first %s", one(finder));
    const char *last = arena_printf(finder->arena, "the last %s", one(finder));

    if (holds(finder, is_first, NULL, false)) {
        return describe(out, AXIS_ONE, first);
    }
    if (holds(finder, is_last, NULL, false)) {
        return describe(out, AXIS_ONE, last);
    }
    if (holds_but(finder, is_first, NULL)) {
        return describe_but(finder, AXIS_ALL_BUT_ONE, first, out);
    }
    return holds_but(finder, is_last, NULL) && describe_but(finder, AXIS_ALL_BUT_ONE, last, out);
}

static bool find_tiles(const struct finder *finder, struct axis_pattern *out)
{
    const char *first = arena_printf(finder->arena, "the first %s of tiles", one(finder));
    const char *last = arena_printf(finder->arena, "the last %s of tiles", one(finder));

    if (common_block(finder) == 0) {
        return false;
    }
    if (holds(finder, is_in_first_tile, NULL, false)) {
        describe(out, AXIS_TILES, first);
        out->is_first_tile = true;
        return true;
    }
    if (holds(finder, is_in_last_tile, NULL, false)) {
        describe(out, AXIS_TILES, last);
        out->is_last_tile = true;
        return true;
    }
    if (holds_but(finder, is_in_first_tile, NULL)) {
        return describe_but(finder, AXIS_TILES, first, out);
    }
    return holds_but(finder, is_in_last_tile, NULL) && describe_but(finder, AXIS_TILES, last, out);
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
            if (holds(finder, is_tile_of_period, &numbers, false)) {
                return describe(out, AXIS_TILES,
                                arena_printf(finder->arena,
                                             "every %s %s of tiles, starting with the %s",
                                             ordinal(finder->arena, period), one(finder),
                                             ordinal(finder->arena, first + 1)));
            }
        }
    }
    return false;
}

/* A part of each tile ****************************************************************************/

/* The least and the largest place within a tile that the first set shows. */
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
    const struct numbers part = span_of_first(finder, false);

    if (block == 0 || part.first > part.last || !holds(finder, is_part_of_tile, &part, false)) {
        return false;
    }
    describe(out, AXIS_OF_TILE, part_text(finder, &part, block));
    out->first = part.first;
    out->last = part.last;
    uint32_t threads = common_threads(finder);
    if (threads > 0 && threads < block && part.last == block - 1 && part.first == threads) {
        out->hint = arena_printf(finder->arena,
                                 "a block has %u %ss of threads for the %zu %ss of a tile: each "
                                 "thread must handle more than one element",
                                 (unsigned)threads, one(finder), block, one(finder));
    }
    return true;
}

/* Every k-th, bounds, fixed numbers *************************************************************/

static const char *period_text(const struct finder *finder, const struct numbers *numbers)
{
    return arena_printf(finder->arena, "every %s %s, starting with %s %zu",
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
            if (holds(finder, is_of_period, &numbers, false)) {
                return describe(out, AXIS_PERIOD, period_text(finder, &numbers));
            }
            if (period > 2 && holds_but(finder, is_of_period, &numbers)) {
                return describe_but(finder, AXIS_ALL_BUT_PERIOD, period_text(finder, &numbers),
                                    out);
            }
        }
    }
    return false;
}

/* One case alone has many numbers that fit by chance. */
static bool find_bound(const struct finder *finder, struct axis_pattern *out)
{
    const struct axis_sets *sets = finder->sets;

    for (size_t i = 0; i < sets->parameter_count && sets->count > 1; i++) {
        const struct numbers numbers = {.first = i};
        const char *text =
            arena_printf(finder->arena, "the first %s %ss", sets->parameter_names[i], one(finder));
        if (holds(finder, is_below_parameter, &numbers, false)) {
            return describe(out, AXIS_BOUND, text);
        }
        if (holds_but(finder, is_below_parameter, &numbers)) {
            return describe_but(finder, AXIS_BOUND, text, out);
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
    if (!holds(finder, is_between, &part, false)) {
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

/* Blocks of a vector ****************************************************************************/

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

static bool is_in_partial_block(const struct axis_set *set, size_t index,
                                const struct numbers *numbers)
{
    return block_of(set) > 0 && set->length % block_of(set) != 0 &&
           is_in_last_tile(set, index, numbers);
}

#define BORDER_HINT                                                                                \
    "check what a thread at the border of its block needs from the neighbouring block"

static const struct {
    member_rule *rule;
    enum axis_kind kind;
    const char *text, *hint;
} places[] = {
    {is_first, AXIS_ONE, "the first element",
     "check whether the first element has a neighbour before it"},
    {is_last, AXIS_ONE, "the last element",
     "check which condition decides whether a thread has an element"},
    {is_first_of_block, AXIS_OF_TILE, "the first element of each block", BORDER_HINT},
    {is_border, AXIS_OF_TILE, "the first element of each block except the first", BORDER_HINT},
    {is_before_border, AXIS_OF_TILE, "the last element of each block except the last", BORDER_HINT},
    {is_last_of_full_block, AXIS_OF_TILE, "the last element of each full block",
     "check what the last thread of a block does differently"},
    {is_last_of_block, AXIS_OF_TILE, "the last element of each block",
     "check what the last thread of a block that has an element does differently"},
    {is_in_first_tile, AXIS_TILES, "the first block", ""},
    {is_in_partial_block, AXIS_TILES, "the last block when it is not full",
     "the last block has more threads than elements: check what the extra threads do"},
    {is_in_last_tile, AXIS_TILES, "the last block", ""},
};

static bool find_place(const struct finder *finder, struct axis_pattern *out)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (holds(finder, places[i].rule, NULL, false)) {
            return describe_with_hint(out, places[i].kind, places[i].text, places[i].hint);
        }
    }
    return false;
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
    const char *hint = "in one block, compare a thread whose result is right with one whose result "
                       "is wrong: they differ in threadIdx.x";

    if (block_of(&finder->sets->sets[0]) < 2) {
        return false;
    }
    if (from_start.first <= from_start.last && holds(finder, is_part_of_tile, &from_start, false)) {
        return describe_with_hint(out, AXIS_OF_TILE,
                                  count_text(finder->arena, &from_start, "first"), hint);
    }
    return from_end.first == 0 && holds(finder, is_part_before_end, &from_end, false) &&
           describe_with_hint(out, AXIS_OF_TILE, count_text(finder->arena, &from_end, "last"),
                              hint);
}

static bool find_element_period(const struct finder *finder, struct axis_pattern *out)
{
    bool found = find_period(finder, out);

    if (found) {
        out->hint = "compare a thread whose result is right with one whose result is wrong";
    }
    return found;
}

/* Lists of kinds ********************************************************************************/

typedef bool kind_finder(const struct finder *finder, struct axis_pattern *out);

static bool find_first(struct arena *arena, const struct axis_sets *sets, kind_finder *const *kinds,
                       size_t count, struct axis_pattern *out)
{
    const struct finder finder = {arena, sets};

    for (size_t i = 0; sets->count > 0 && i < count; i++) {
        if (kinds[i](&finder, out)) {
            return true;
        }
    }
    return false;
}

bool axis_pattern_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    static kind_finder *const kinds[] = {
        find_all,          find_beyond_grid, find_one,  find_tiles, find_period,
        find_part_of_tile, find_tile_period, find_half, find_bound, find_fixed,
    };

    return find_first(arena, sets, kinds, sizeof kinds / sizeof kinds[0], out_pattern);
}

bool vector_place_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    static kind_finder *const kinds[] = {find_all, find_beyond_grid, find_place, find_half};

    return find_first(arena, sets, kinds, sizeof kinds / sizeof kinds[0], out_pattern);
}

bool vector_range_find(struct arena *arena, const struct axis_sets *sets,
                       struct axis_pattern *out_pattern)
{
    static kind_finder *const kinds[] = {find_element_period, find_part_of_block, find_bound,
                                         find_fixed};

    return find_first(arena, sets, kinds, sizeof kinds / sizeof kinds[0], out_pattern);
}
