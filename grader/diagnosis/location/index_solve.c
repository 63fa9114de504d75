/* index_solve.c: see index_solve.h.
 *
 * A counter is computed if the index is a sum with a product of it. Else the rounds of one or two
 * loops are gone through, by what their heads say; what one round alone leads to is certain. Last,
 * another unknown of which the index is such a sum is computed.
 */
#include "diagnosis/location/index_solve.h"

#include "source/access_guards.h"

enum {
    ROUNDS_MAX = 4096,
    STEPS_FACTOR = 4,
    COUNTERS_MAX = 2,
    DEPTH_MAX = 3,
    INDEX_TOKENS_MAX = 64
};

_Static_assert((int)COUNTERS_MAX < (int)BOUND_NAMES_MAX, "index_slope() binds one more");

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

bool index_is_coordinate(const struct source_tokens *tokens, size_t at)
{
    return sign_is(tokens, at + 1, ".") && (token_is(tokens, at, TOKEN_NAME, "threadIdx") ||
                                            token_is(tokens, at, TOKEN_NAME, "blockIdx"));
}

bool index_is_variable(const struct source_tokens *tokens, size_t at)
{
    return tokens->tokens[at].kind == TOKEN_NAME && !sign_is(tokens, at + 1, "(") &&
           !sign_is(tokens, at - 1, ".") && !sign_is(tokens, at - 1, "->") &&
           (!sign_is(tokens, at + 1, ".") || index_is_coordinate(tokens, at));
}

/* The element, as if the array had one dimension. */
static bool flat_index(struct value_scene *scene, const struct indexed_array *array,
                       int64_t *out_value)
{
    const struct source_tokens *tokens = scene->search.tokens;
    size_t open = array->name + 1;
    int64_t flat = 0;

    for (size_t i = 0; i < array->extents.count; i++) {
        int64_t value;
        const size_t close = token_close(tokens, open);
        if (!sign_is(tokens, open, "[") || close <= open + 2 || close >= tokens->count ||
            !thread_value(scene, (struct token_range){open + 1, close - 1}, &value) ||
            __builtin_mul_overflow(flat, array->extents.sizes[i], &flat) ||
            __builtin_add_overflow(flat, value, &flat)) {
            return false;
        }
        open = close;
    }
    *out_value = flat;
    return !sign_is(tokens, open, "[") && !sign_is(tokens, open, ".");
}

static struct token_range index_range(const struct source_tokens *tokens, size_t name)
{
    struct token_range range = {name + 1, name + 1};

    while (sign_is(tokens, range.end, "[")) {
        range.end = token_close(tokens, range.end);
    }
    return range;
}

/* One unknown **********************************************************************************/

/* The only variable in the index that is not known; false if there is none or are several. */
static bool find_unknown(struct value_scene *scene, struct token_range index, size_t *out_name,
                         bool *out_is_counter)
{
    size_t found = 0;

    for (size_t i = index.first; i < index.end; i++) {
        struct source_set set;
        int64_t value;
        if (!index_is_variable(scene->search.tokens, i) ||
            index_is_coordinate(scene->search.tokens, i) ||
            !source_find_set(&scene->search, i, &set) ||
            thread_value(scene, (struct token_range){i, i + 1}, &value)) {
            continue;
        }
        if (found > 0 && *out_name != set.name) {
            return false;
        }
        *out_name = set.name;
        *out_is_counter = set.loop > 0;
        found++;
    }
    return found > 0;
}

static bool solve_sum(struct value_scene *scene, const struct indexed_array *array, size_t name,
                      int64_t element)
{
    int64_t first, second, flat, slope = 1, rest = 0;

    scene->bound_count = 1;
    scene->bound[0] = (struct bound_name){name, 0};
    bool is_known = flat_index(scene, array, &first);
    scene->bound[0].value = 1;
    is_known = is_known && flat_index(scene, array, &second) &&
               !__builtin_sub_overflow(second, first, &slope) && slope > 0 &&
               !__builtin_sub_overflow(element, first, &rest) && rest % slope == 0;
    if (is_known) {
        scene->bound[0].value = rest / slope;
        is_known = flat_index(scene, array, &flat) && flat == element;
    }
    scene->bound_count = is_known ? 1 : 0;
    return is_known;
}

/* Rounds of loops ******************************************************************************/

/* A counter, and what the head of its loop says. */
struct counter {
    struct source_set set;
    struct token_range condition;
    char sign;                 /* of what changes it: + - * / */
    struct token_range change; /* empty: 1 */
};

struct rounds {
    struct value_scene *scene;
    const struct indexed_array *array;
    int64_t element;
    struct counter counters[COUNTERS_MAX]; /* [count], the outer one first */
    size_t count;
    size_t visited, found;
    int64_t values[COUNTERS_MAX]; /* that lead to the element */
};

static bool read_change(const struct source_tokens *tokens, size_t first, size_t end, size_t name,
                        struct counter *out)
{
    static const char *const steps[] = {"++", "--"};
    static const char *const changes[] = {"+=", "-=", "*=", "/="};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (end == first + 2 &&
            ((token_same_name(tokens, first, name) && sign_is(tokens, first + 1, steps[i])) ||
             (sign_is(tokens, first, steps[i]) && token_same_name(tokens, first + 1, name)))) {
            out->sign = steps[i][0];
            out->change = (struct token_range){first, first};
            return true;
        }
    }
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (end > first + 2 && token_same_name(tokens, first, name) &&
            sign_is(tokens, first + 1, changes[i])) {
            out->sign = changes[i][0];
            out->change = (struct token_range){first + 2, end};
            return true;
        }
    }
    return false;
}

static bool read_counter(const struct source_tokens *tokens, const struct source_set *set,
                         struct counter *out)
{
    const size_t close = token_close(tokens, set->loop + 1);

    *out = (struct counter){.set = *set, .condition = source_for_condition(tokens, set->loop + 1)};
    return out->condition.end > out->condition.first && out->condition.end + 1 < close &&
           read_change(tokens, out->condition.end + 1, close - 1, set->name, out);
}

/* Adds the counters that tokens are made of and that have no value; false if there are too many. */
static bool add_counters(struct rounds *rounds, struct token_range range, unsigned depth)
{
    struct value_scene *scene = rounds->scene;
    const struct source_tokens *tokens = scene->search.tokens;

    for (size_t i = range.first; i < range.end && i - range.first < INDEX_TOKENS_MAX; i++) {
        struct source_set set;
        int64_t value;
        if (!index_is_variable(tokens, i) || index_is_coordinate(tokens, i) ||
            !source_find_set(&scene->search, i, &set) ||
            thread_value(scene, (struct token_range){i, i + 1}, &value)) {
            continue;
        }
        if (set.loop == 0) {
            if (depth == DEPTH_MAX || !add_counters(rounds, set.value, depth + 1)) {
                return false;
            }
            continue;
        }
        size_t at = 0;
        while (at < rounds->count && rounds->counters[at].set.name != set.name) {
            at++;
        }
        if (at < rounds->count) {
            continue;
        }
        if (at == COUNTERS_MAX || !read_counter(tokens, &set, &rounds->counters[at])) {
            return false;
        }
        rounds->count++;
    }
    return true;
}

static bool change_counter(struct value_scene *scene, const struct counter *counter, int64_t *value)
{
    int64_t change = 1;

    if (counter->change.end > counter->change.first &&
        !thread_value(scene, counter->change, &change)) {
        return false;
    }
    switch (counter->sign) {
    case '+':
        return change > 0 && !__builtin_add_overflow(*value, change, value);
    case '-':
        return change > 0 && !__builtin_sub_overflow(*value, change, value);
    case '*':
        return change > 1 && !__builtin_mul_overflow(*value, change, value);
    default:
        *value = change > 1 ? *value / change : *value;
        return change > 1;
    }
}

/* Goes through all rounds of a loop and those inside of it; false if something is not known. */
static bool visit_rounds(struct rounds *rounds, size_t level)
{
    struct value_scene *scene = rounds->scene;
    const struct counter *counter = &rounds->counters[level];
    int64_t value, is_on;

    scene->bound_count = level;
    if (!thread_value(scene, counter->set.value, &value)) {
        return false;
    }
    for (;;) {
        scene->bound[level] = (struct bound_name){counter->set.name, value};
        scene->bound_count = level + 1;
        if (++rounds->visited > ROUNDS_MAX || !thread_value(scene, counter->condition, &is_on)) {
            return false;
        }
        if (is_on == 0) {
            return true;
        }
        int64_t flat;
        if (level + 1 < rounds->count) {
            if (!visit_rounds(rounds, level + 1)) {
                return false;
            }
        } else if (!flat_index(scene, rounds->array, &flat)) {
            return false;
        } else if (flat == rounds->element && rounds->found++ == 0) {
            for (size_t i = 0; i < rounds->count; i++) {
                rounds->values[i] = scene->bound[i].value;
            }
        }
        scene->bound_count = level + 1;
        if (!change_counter(scene, counter, &value)) {
            return false;
        }
    }
}

static bool solve_rounds(struct value_scene *scene, const struct indexed_array *array,
                         struct token_range index, int64_t element)
{
    struct rounds rounds = {.scene = scene, .array = array, .element = element};
    const size_t kept = scene->search.steps / 2;

    scene->search.steps = (scene->search.steps - kept) * STEPS_FACTOR; /* rounds take more */
    bool is_known = add_counters(&rounds, index, 0) && rounds.count > 0;
    if (is_known && rounds.count > 1 && rounds.counters[0].set.loop > rounds.counters[1].set.loop) {
        const struct counter outer = rounds.counters[1];
        rounds.counters[1] = rounds.counters[0];
        rounds.counters[0] = outer;
    }
    is_known = is_known && visit_rounds(&rounds, 0) && rounds.found == 1;
    scene->search.steps = kept + scene->search.steps / STEPS_FACTOR;
    scene->bound_count = is_known ? rounds.count : 0;
    for (size_t i = 0; i < scene->bound_count; i++) {
        scene->bound[i] = (struct bound_name){rounds.counters[i].set.name, rounds.values[i]};
    }
    return is_known;
}

bool index_solve(struct value_scene *scene, const struct indexed_array *array, int64_t element)
{
    const struct token_range index = index_range(scene->search.tokens, array->name);
    int64_t flat;
    bool is_counter = false;
    size_t name = 0;

    scene->bound_count = 0;
    if (flat_index(scene, array, &flat)) {
        return flat == element;
    }
    const bool is_one = find_unknown(scene, index, &name, &is_counter);
    return (is_one && is_counter && solve_sum(scene, array, name, element)) ||
           solve_rounds(scene, array, index, element) ||
           (is_one && !is_counter && solve_sum(scene, array, name, element));
}

bool index_slope(struct value_scene *scene, const struct indexed_array *array, size_t variable,
                 int64_t *out_slope)
{
    const struct value_scene before = *scene;
    struct source_set set;
    int64_t value, all, flat[3];
    size_t at = 0;

    if (!source_find_set(&scene->search, variable, &set) ||
        !thread_value(scene, (struct token_range){variable, variable + 1}, &value)) {
        return false;
    }
    while (at < scene->bound_count && scene->bound[at].name != set.name) {
        at++;
    }
    const int64_t values[3] = {0, value, value < INT32_MAX ? value + 1 : value};
    bool is_known = at < BOUND_NAMES_MAX;
    for (size_t i = 0; i < 3 && is_known; i++) {
        scene->bound[at] = (struct bound_name){set.name, values[i]};
        scene->bound_count = at < before.bound_count ? before.bound_count : at + 1;
        is_known = flat_index(scene, array, &flat[i]);
    }
    for (size_t i = 0; i < BOUND_NAMES_MAX; i++) {
        scene->bound[i] = before.bound[i];
    }
    scene->bound_count = before.bound_count;
    return is_known && flat[0] >= 0 && !__builtin_sub_overflow(flat[2], flat[1], out_slope) &&
           !__builtin_mul_overflow(*out_slope, value, &all) && flat[1] - flat[0] == all;
}

struct token_range index_part(const struct source_tokens *tokens, const struct indexed_array *array,
                              size_t number)
{
    size_t open = array->name + 1;

    for (size_t i = 0; i < number && sign_is(tokens, open, "["); i++) {
        open = token_close(tokens, open);
    }
    return sign_is(tokens, open, "[")
               ? (struct token_range){open + 1, token_close(tokens, open) - 1}
               : (struct token_range){open, open};
}
