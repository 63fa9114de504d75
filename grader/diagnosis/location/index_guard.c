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

static bool has_coordinate(const struct source_tokens *tokens, size_t at)
{
    return sign_is(tokens, at + 1, ".") && (token_is(tokens, at, TOKEN_NAME, "threadIdx") ||
                                            token_is(tokens, at, TOKEN_NAME, "blockIdx"));
}

static bool is_variable(const struct source_tokens *tokens, size_t at)
{
    return tokens->tokens[at].kind == TOKEN_NAME && !sign_is(tokens, at + 1, "(") &&
           !sign_is(tokens, at - 1, ".") && !sign_is(tokens, at - 1, "->") &&
           (!sign_is(tokens, at + 1, ".") || has_coordinate(tokens, at));
}

static bool is_same(const struct source_tokens *tokens, size_t left, size_t right)
{
    return token_same_name(tokens, left, right) &&
           (!has_coordinate(tokens, left) || token_same_name(tokens, left + 2, right + 2));
}

/* Adds the names of an expression, and those that they are made of. */
static void add_parts(struct guarded_access *access, struct token_range range, unsigned depth,
                      struct index_parts *parts)
{
    const struct source_tokens *tokens = access->tokens;

    for (size_t i = range.first; i < range.end && i - range.first < INDEX_TOKENS_MAX; i++) {
        bool is_new = is_variable(tokens, i) && parts->count < NAMES_MAX;
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
        for (size_t k = 0; k < parts->count && is_variable(tokens, i); k++) {
            if (is_same(tokens, parts->items[k], i)) {
                return true;
            }
        }
    }
    return false;
}

/* Counters *************************************************************************************/

/* The index into the array as if it had one dimension. */
static bool flat_index(struct guarded_access *access, size_t array,
                       const struct array_extents *extents, int64_t *out_value)
{
    const struct source_tokens *tokens = access->tokens;
    size_t open = array + 1;
    int64_t flat = 0;

    for (size_t i = 0; i < extents->count; i++) {
        int64_t value;
        const size_t close = token_close(tokens, open);
        if (!sign_is(tokens, open, "[") || close <= open + 2 || close >= tokens->count ||
            !thread_value(access->scene, (struct token_range){open + 1, close - 1}, &value) ||
            __builtin_mul_overflow(flat, extents->sizes[i], &flat) ||
            __builtin_add_overflow(flat, value, &flat)) {
            return false;
        }
        open = close;
    }
    *out_value = flat;
    return !sign_is(tokens, open, "[") && !sign_is(tokens, open, ".");
}

/* The only variable in the index that is not known; false if there is none or are several. */
static bool find_unknown(struct guarded_access *access, size_t *out_name)
{
    const struct source_tokens *tokens = access->tokens;
    size_t found = 0;

    for (size_t i = access->index.first; i < access->index.end; i++) {
        struct source_set set;
        int64_t value;
        if (!is_variable(tokens, i) || has_coordinate(tokens, i) ||
            !source_find_set(&access->scene->search, i, &set) ||
            thread_value(access->scene, (struct token_range){i, i + 1}, &value)) {
            continue;
        }
        if (found > 0 && *out_name != set.name) {
            return false;
        }
        *out_name = set.name;
        found++;
    }
    return found > 0;
}

bool index_guard_solve(struct guarded_access *access, size_t array,
                       const struct array_extents *extents, int64_t element)
{
    struct value_scene *scene = access->scene;
    int64_t first, second, flat, slope = 1, rest = 0;
    size_t name = 0;

    scene->bound_count = 0;
    if (flat_index(access, array, extents, &flat)) {
        return flat == element;
    }
    if (!find_unknown(access, &name)) {
        return false;
    }
    scene->bound_count = 1;
    scene->bound[0] = (struct bound_name){name, 0};
    bool is_known = flat_index(access, array, extents, &first);
    scene->bound[0].value = 1;
    is_known = is_known && flat_index(access, array, extents, &second) &&
               !__builtin_sub_overflow(second, first, &slope) && slope > 0 &&
               !__builtin_sub_overflow(element, first, &rest) && rest % slope == 0;
    if (is_known) {
        scene->bound[0].value = rest / slope;
        is_known = flat_index(access, array, extents, &flat) && flat == element;
    }
    scene->bound_count = is_known ? 1 : 0;
    return is_known;
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

    if (guard->condition.end != name + 1 || !is_variable(tokens, name) ||
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
    return set_mark(access, part.first,
                    arena_printf(arena, "`%s` lets `%s` = %" PRId64 " %s%s", condition, bounded,
                                 bound->value, is_true ? "in" : "through", is),
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
        bool is_new = is_variable(tokens, i) && shown.count < NAMES_SHOWN;
        int64_t value;
        for (size_t k = 0; k < shown.count && is_new; k++) {
            is_new = !is_same(tokens, shown.items[k], i);
        }
        const struct token_range range = {i, has_coordinate(tokens, i) ? i + 3 : i + 1};
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

/* One condition, from the inside outwards. False if it says nothing; *is_wrong: it would have kept
 * the access out. */
static bool look_at_guard(struct guarded_access *access, struct access_guard guard,
                          const struct index_parts *parts, size_t only, bool *is_wrong,
                          struct cause_mark *out_mark)
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
    for (size_t i = 0; i < count; i++) {
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
        if ((is_index || is_edge) && mark_bound(access, all[i], guard.is_true, &bound, out_mark)) {
            return true;
        }
    }
    const bool is_whole = count == 1 && !guard.is_loop && (is_named || !is_mixed(tokens, all[0])) &&
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
    for (size_t i = count; i > 0 && !is_wrong; i--) {
        if (look_at_guard(access, guards[i - 1], &parts, only, &is_wrong, out_mark)) {
            return true;
        }
    }
    return false;
}
