/* index_guard.c: see index_guard.h. */
#include "diagnosis/location/index_guard.h"

#include <inttypes.h>
#include <string.h>

enum {
    NAMES_MAX = 16,
    NAMES_SHOWN = 4,
    DEPTH_MAX = 3,
    INDEX_TOKENS_MAX = 64,
    TEXT_SHOWN = 60,
    TEXT_MAX = 200
};

/* Names and coordinates of threads that an index is made of: tokens. */
struct index_parts {
    size_t items[NAMES_MAX];
    size_t count;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

const char *source_text(struct arena *arena, const struct source_tokens *tokens, size_t first,
                        size_t end)
{
    const struct source_token *from = &tokens->tokens[first];
    const struct source_token *last = &tokens->tokens[end - 1];
    const bool is_one_line = end > first && from->line == last->line && last->text >= from->text;

    if (!is_one_line) {
        return NULL;
    }
    const size_t length = (size_t)(last->text + last->length - from->text);
    return length <= TEXT_MAX
               ? arena_strndup(arena, from->text, length)
               : arena_printf(arena, "%s...", arena_strndup(arena, from->text, TEXT_MAX));
}

static const char *text_of(const struct guarded_access *access, struct token_range range)
{
    return source_text(access->scene->arena, access->tokens, range.first, range.end);
}

static bool is_same(const struct source_tokens *tokens, size_t left, size_t right)
{
    return token_same_name(tokens, left, right) &&
           (!index_is_coordinate(tokens, left) || token_same_name(tokens, left + 2, right + 2));
}

/* Adds the names of an expression, and those that they are made of. */
static void add_parts(struct guarded_access *access, struct token_range range, unsigned depth,
                      struct index_parts *parts)
{
    const struct source_tokens *tokens = access->tokens;

    for (size_t i = range.first; i < range.end && i - range.first < INDEX_TOKENS_MAX; i++) {
        bool is_new = index_is_variable(tokens, i) && parts->count < NAMES_MAX;
        struct source_set set;
        for (size_t k = 0; k < parts->count && is_new; k++) {
            is_new = !is_same(tokens, parts->items[k], i);
        }
        if (!is_new) {
            continue;
        }
        parts->items[parts->count++] = i;
        if (depth < DEPTH_MAX && source_find_set(&access->scene->search, i, &set) &&
            set.loop == 0) {
            add_parts(access, set.value, depth + 1, parts);
        }
    }
}

static bool has_part(const struct source_tokens *tokens, const struct index_parts *parts,
                     struct token_range range)
{
    for (size_t i = range.first; i < range.end; i++) {
        for (size_t k = 0; k < parts->count && index_is_variable(tokens, i); k++) {
            if (is_same(tokens, parts->items[k], i)) {
                return true;
            }
        }
    }
    return false;
}

/* Conditions ***********************************************************************************/

/* What a condition bounds, and by what. */
struct guard_bound {
    struct token_range bounded, limit;
    int64_t value, most; /* of both */
    bool has_equal;      /* it lets them be equal */
};

/* The only comparison of a part; tokens->count if there is none, or another operator binds less. */
static size_t find_comparison(const struct source_tokens *tokens, struct token_range part)
{
    static const char *const others[] = {"&&", "||", "==", "!=", "?", ",", "&", "|", "^"};
    size_t found = tokens->count;

    for (size_t i = part.first; i < part.end; i++) {
        if (sign_is(tokens, i, "<") || sign_is(tokens, i, "<=") || sign_is(tokens, i, ">") ||
            sign_is(tokens, i, ">=")) {
            if (found < tokens->count) {
                return tokens->count;
            }
            found = i;
        }
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            if (sign_is(tokens, i, others[k])) {
                return tokens->count;
            }
        }
        i = tokens->partners[i] > i && tokens->partners[i] < part.end ? tokens->partners[i] : i;
    }
    return found;
}

/* Reads a part of a condition that bounds something from above, or from below; false if it does
 * not, or a value is not known. */
static bool read_part(struct guarded_access *access, struct token_range part, bool is_true,
                      struct guard_bound *out)
{
    const struct source_tokens *tokens = access->tokens;
    const size_t at = find_comparison(tokens, part);

    if (at == tokens->count || at == part.first || at + 1 >= part.end) {
        return false;
    }
    const bool is_less = sign_is(tokens, at, "<") || sign_is(tokens, at, "<=");
    const bool has_sign = sign_is(tokens, at, "<=") || sign_is(tokens, at, ">=");
    const struct token_range left = {part.first, at}, right = {at + 1, part.end};
    const bool is_left = (is_less == is_true) == access->is_past;
    *out = (struct guard_bound){.bounded = is_left ? left : right,
                                .limit = is_left ? right : left,
                                .has_equal = has_sign == is_true};
    return thread_value(access->scene, out->bounded, &out->value) &&
           thread_value(access->scene, out->limit, &out->most);
}

/* True if the values are as the condition has them. */
static bool is_kept(const struct guarded_access *access, const struct guard_bound *bound)
{
    return (access->is_past ? bound->value < bound->most : bound->value > bound->most) ||
           (bound->has_equal && bound->value == bound->most);
}

/* What a variable holds that stands for a condition: false if it is none. */
static bool resolve(struct guarded_access *access, struct access_guard *guard, size_t *out_name)
{
    const struct source_tokens *tokens = access->tokens;
    const bool is_not = sign_is(tokens, guard->condition.first, "!");
    const size_t name = guard->condition.first + (is_not ? 1 : 0);
    struct source_set set;

    if (guard->condition.end != name + 1 || !index_is_variable(tokens, name) ||
        !source_find_set(&access->scene->search, name, &set) || set.loop > 0 ||
        set.value.end <= set.value.first) {
        return false;
    }
    guard->condition = set.value;
    guard->is_true = guard->is_true != is_not;
    *out_name = set.name;
    return true;
}

static bool set_mark(const struct guarded_access *access, size_t at, const char *label,
                     struct cause_mark *out_mark)
{
    const struct source_token *token = &access->tokens->tokens[at];

    *out_mark = (struct cause_mark){access->tokens->file->name, token->line, token->column, label};
    return true;
}

/* True if a variable counts along one extent, by the text: the first one, or the only one in whose
 * index it is. Else it may count elements of several rows. */
static bool is_along(const struct guarded_access *access, size_t variable, size_t extent)
{
    const bool has_indices = access->array.extents.count == access->shape.count;
    bool is_there = false;

    for (size_t i = 0; i < access->shape.count && extent > 0 && has_indices; i++) {
        const struct token_range part = index_part(access->tokens, &access->array, i);
        for (size_t k = part.first; k < part.end; k++) {
            if (token_same_name(access->tokens, k, variable)) {
                if (i != extent) {
                    return false;
                }
                is_there = true;
            }
        }
    }
    return extent == 0 || is_there;
}

/* "B has 32 rows": the extent that a bounded variable goes beyond, which counts along it;
 * NULL if it does not, or that is not certain. */
static const char *extent_beyond(struct guarded_access *access, const struct guard_bound *bound)
{
    const struct array_extents *shape = &access->shape;
    const char *text = NULL;
    int64_t slope, stride = 1;

    if (access->array.name == 0 || !access->is_past || shape->count == 0 || shape->count > 2 ||
        bound->bounded.end != bound->bounded.first + 1 ||
        !index_slope(access->scene, &access->array, bound->bounded.first, &slope)) {
        return NULL;
    }
    for (size_t i = shape->count; i > 0; i--) {
        const int64_t size = shape->sizes[i - 1];
        if (slope == stride && bound->value >= size &&
            is_along(access, bound->bounded.first, i - 1)) {
            const char *what = shape->count == 1 ? "element" : i == 1 ? "row" : "column";
            text = arena_printf(access->scene->arena, "%s has %" PRId64 " %s%s", access->shape_name,
                                size, what, size == 1 ? "" : "s");
        }
        if (size <= 1 || __builtin_mul_overflow(stride, size, &stride)) {
            return i == 1 ? text : NULL;
        }
    }
    return text;
}

static bool mark_bound(struct guarded_access *access, struct token_range part, bool is_true,
                       const struct guard_bound *bound, struct cause_mark *out_mark)
{
    const struct source_tokens *tokens = access->tokens;
    struct arena *arena = access->scene->arena;
    const char *condition = text_of(access, part);
    const char *bounded = text_of(access, bound->bounded);
    const char *limit = text_of(access, bound->limit);

    if (condition == NULL || bounded == NULL || limit == NULL) {
        return false;
    }
    const bool is_number = bound->limit.end == bound->limit.first + 1 &&
                           tokens->tokens[bound->limit.first].kind == TOKEN_NUMBER;
    const char *is = is_number ? "" : arena_printf(arena, ": `%s` is %" PRId64, limit, bound->most);
    const char *beyond = extent_beyond(access, bound);
    beyond = beyond == NULL ? "" : arena_printf(arena, "%s%s", is_number ? ": " : ", and ", beyond);
    return set_mark(access, part.first,
                    arena_printf(arena, "`%s` lets `%s` = %" PRId64 " %s%s%s", condition, bounded,
                                 bound->value, is_true ? "in" : "through", is, beyond),
                    out_mark);
}

/* "`is_border` is false in thread (1,0): `x` is 1, `width` is 32" */
static bool mark_whole(struct guarded_access *access, const struct access_guard *guard, size_t name,
                       struct cause_mark *out_mark)
{
    const struct source_tokens *tokens = access->tokens;
    struct arena *arena = access->scene->arena;
    struct index_parts shown = {.count = 0};
    const char *values = "";
    const char *what =
        name > 0 ? source_text(arena, tokens, name, name + 1) : text_of(access, guard->condition);

    for (size_t i = guard->condition.first; i < guard->condition.end; i++) {
        bool is_new = index_is_variable(tokens, i) && shown.count < NAMES_SHOWN;
        int64_t value;
        for (size_t k = 0; k < shown.count && is_new; k++) {
            is_new = !is_same(tokens, shown.items[k], i);
        }
        const struct token_range range = {i, index_is_coordinate(tokens, i) ? i + 3 : i + 1};
        if (!is_new || !thread_value(access->scene, range, &value)) {
            continue;
        }
        shown.items[shown.count++] = i;
        values = arena_printf(arena, "%s%s`%s` is %" PRId64, values, values[0] == '\0' ? "" : ", ",
                              text_of(access, range), value);
    }
    if (values[0] == '\0') {
        return false;
    }
    const bool is_short = what != NULL && strlen(what) <= TEXT_SHOWN;
    return set_mark(access, name > 0 ? name : guard->condition.first,
                    arena_printf(arena, "%s%s%s is %s in %s: %s", is_short ? "`" : "",
                                 is_short ? what : "this condition", is_short ? "`" : "",
                                 guard->is_true ? "true" : "false", access->thread, values),
                    out_mark);
}

/* True if a condition has several parts. */
static bool is_mixed(const struct source_tokens *tokens, struct token_range part)
{
    for (size_t i = part.first; i < part.end; i++) {
        if (sign_is(tokens, i, "&&") || sign_is(tokens, i, "||")) {
            return true;
        }
    }
    return false;
}

/* One condition. False if it says nothing; *is_wrong: it would have kept the access out.
 * `as_whole`: one that is certain to let too much in was not found. */
static bool look_at_guard(struct guarded_access *access, struct access_guard guard,
                          const struct index_parts *parts, size_t only, bool as_whole,
                          bool *is_wrong, struct cause_mark *out_mark)
{
    const struct source_tokens *tokens = access->tokens;
    struct token_range all[CONDITION_PARTS_MAX];
    size_t name = 0;
    int64_t value;

    const bool is_named = resolve(access, &guard, &name);
    if (thread_value(access->scene, guard.condition, &value) && (value != 0) != guard.is_true) {
        *is_wrong = true;
        return false;
    }
    const size_t count = source_condition_parts(tokens, &guard, all);
    for (size_t i = 0; i < count && !as_whole; i++) {
        struct guard_bound bound;
        if (!read_part(access, all[i], guard.is_true, &bound)) {
            continue;
        }
        if (!is_kept(access, &bound)) {
            *is_wrong = true;
            return false;
        }
        const bool is_index = only > 0 && bound.bounded.end == bound.bounded.first + 1 &&
                              token_same_name(tokens, bound.bounded.first, only);
        const bool is_edge =
            bound.value == bound.most && access->is_next && has_part(tokens, parts, bound.bounded);
        if ((is_index || is_edge || extent_beyond(access, &bound) != NULL) &&
            mark_bound(access, all[i], guard.is_true, &bound, out_mark)) {
            return true;
        }
    }
    const bool is_whole = as_whole && count == 1 && !guard.is_loop &&
                          (is_named || !is_mixed(tokens, all[0])) &&
                          has_part(tokens, parts, guard.condition) &&
                          thread_value(access->scene, guard.condition, &value);
    return is_whole && mark_whole(access, &guard, name, out_mark);
}

bool index_guard_find(struct guarded_access *access, size_t only, struct cause_mark *out_mark)
{
    struct access_guard guards[ACCESS_GUARDS_MAX];
    struct index_parts parts = {.count = 0};
    bool is_wrong = false;

    if (!access->is_past && !access->is_before) {
        return false;
    }
    const size_t count =
        source_find_guards(access->tokens, access->scene->search.function, access->at, guards);
    add_parts(access, access->index, 0, &parts);
    for (int pass = 0; pass < 2; pass++) { /* from the inside outwards */
        for (size_t i = count; i > 0 && !is_wrong; i--) {
            if (look_at_guard(access, guards[i - 1], &parts, only, pass == 1, &is_wrong,
                              out_mark)) {
                return true;
            }
        }
    }
    if (is_wrong) {
        access->scene->bound_count = 0;
    }
    return false;
}
