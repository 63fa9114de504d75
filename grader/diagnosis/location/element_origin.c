/* element_origin.c: see element_origin.h.
 *
 *   an access y * width + x, [y][x] or [i] --> the variables that are the element's row and column
 *        --> a condition in front of it, false for that row or column
 *        --> the end of a loop whose counter would have that value in some thread
 *        --> what they are made of, in two blocks, or for all threads
 */
#include "diagnosis/location/element_origin.h"

#include "criteria/case_text.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/grouping/diagnostic_marks.h"
#include "diagnosis/location/index_guard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_TOKENS_MAX = 256,
    DEPTH_MAX = 4,
    THREADS_MAX = 1 << 14,
    STEPS = 8 * VALUE_STEPS,
    AXES = 6
};

/* An element of an operand that is looked for. */
struct sought {
    struct arena *arena;
    const struct source_tokens *tokens;
    struct value_scene scene;
    struct finding_values values; /* grid and block; no arguments */
    struct index_origin *out;
    int64_t row, column; /* of one dimension: row 0 */
    bool has_rows;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static const char *text_of(const struct sought *sought, struct token_range range)
{
    return source_text(sought->arena, sought->tokens, range.first, range.end);
}

static void add_mark(struct sought *sought, size_t at, const char *label)
{
    const struct source_token *token = &sought->tokens->tokens[at];

    if (sought->out->mark_count < INDEX_MARKS) {
        sought->out->marks[sought->out->mark_count++] =
            (struct cause_mark){sought->tokens->file->name, token->line, token->column, label};
    }
}

/* Rows and columns *****************************************************************************/

static bool is_name(const struct source_tokens *tokens, struct token_range range)
{
    return range.end == range.first + 1 && tokens->tokens[range.first].kind == TOKEN_NAME;
}

/* Splits a range at its only sign of that kind outside of brackets; false if it has another number
 * of them. */
static bool split(const struct source_tokens *tokens, struct token_range range, const char *sign,
                  struct token_range *out_left, struct token_range *out_right)
{
    size_t found = 0;

    for (size_t i = range.first; i < range.end; i++) {
        if (sign_is(tokens, i, sign)) {
            if (found > 0) {
                return false;
            }
            found = i;
        }
        i = tokens->partners[i] > i && tokens->partners[i] < range.end ? tokens->partners[i] : i;
    }
    *out_left = (struct token_range){range.first, found};
    *out_right = (struct token_range){found + 1, range.end};
    return found > 0;
}

/* The variables that an index gets its row and its column from; 0: the row, where it has none.
 * False if that is not certain. */
static bool find_axes(struct sought *sought, struct token_range index, unsigned depth,
                      size_t *out_row, size_t *out_column)
{
    const struct source_tokens *tokens = sought->tokens;
    struct declaration_search *search = &sought->scene.search;
    struct token_range left, right, one, other;
    struct source_set set, unused;

    *out_row = 0;
    if (is_name(tokens, index)) {
        *out_column = index.first;
        if (!source_find_set(search, index.first, &set) || set.type.is_pointer) {
            return false;
        }
        return !sought->has_rows || (set.loop == 0 && depth == 0 &&
                                     find_axes(sought, set.value, depth + 1, out_row, out_column));
    }
    if (!sought->has_rows || !split(tokens, index, "+", &left, &right)) {
        return false;
    }
    if (is_name(tokens, left)) {
        const struct token_range swap = left;
        left = right;
        right = swap;
    }
    if (!is_name(tokens, right) || !split(tokens, left, "*", &one, &other) ||
        !is_name(tokens, one) || !is_name(tokens, other)) {
        return false;
    }
    const bool is_one = source_find_set(search, one.first, &set);
    const bool is_other = source_find_set(search, other.first, &unused);
    *out_row = is_one ? one.first : other.first;
    *out_column = right.first;
    return is_one != is_other && source_find_set(search, right.first, &set);
}

/* The axes of the access whose array stands at a token. */
static bool find_access_axes(struct sought *sought, size_t array, size_t *out_row,
                             size_t *out_column)
{
    const struct source_tokens *tokens = sought->tokens;
    const size_t close = token_close(tokens, array + 1);
    const struct token_range first = {array + 2, close - 1};
    struct source_set set;

    if (!sign_is(tokens, close, "[")) {
        return find_axes(sought, first, 0, out_row, out_column);
    }
    const struct token_range second = {close + 1, token_close(tokens, close) - 1};
    *out_row = first.first;
    *out_column = second.first;
    return sought->has_rows && is_name(tokens, first) && is_name(tokens, second) &&
           source_find_set(&sought->scene.search, *out_row, &set) &&
           source_find_set(&sought->scene.search, *out_column, &set);
}

/* Conditions ***********************************************************************************/

/* Marks a part of a condition in front of an access that keeps the element out, whatever thread
 * comes there. */
static bool mark_false_part(struct sought *sought, struct access_guard guard, const char *name,
                            const size_t axes[2])
{
    const struct source_tokens *tokens = sought->tokens;
    struct token_range parts[CONDITION_PARTS_MAX];
    struct source_set set;
    int64_t value;

    if (is_name(tokens, guard.condition) &&
        source_find_set(&sought->scene.search, guard.condition.first, &set) && set.loop == 0) {
        guard.condition = set.value;
    }
    const size_t count = source_condition_parts(tokens, &guard, parts);
    for (size_t i = 0; i < count; i++) {
        const char *text = text_of(sought, parts[i]);
        if (text == NULL || !thread_value(&sought->scene, parts[i], &value) ||
            (value != 0) == guard.is_true) {
            continue;
        }
        for (size_t k = 0; k < 2; k++) {
            for (size_t at = parts[i].first; at < parts[i].end && axes[k] > 0; at++) {
                if (token_same_name(tokens, at, axes[k])) {
                    const int64_t is = k == 0 ? sought->row : sought->column;
                    add_mark(sought, parts[i].first,
                             arena_printf(
                                 sought->arena, "`%s` is %s for `%s` = %" PRId64 ": %s is left out",
                                 text, guard.is_true ? "false" : "true",
                                 text_of(sought, (struct token_range){at, at + 1}), is, name));
                    return true;
                }
            }
        }
    }
    return false;
}

/* Gives row and column the element's values; they have them in no thread that is left out. */
static void bind_axes(struct sought *sought, const size_t axes[2])
{
    const int64_t values[] = {sought->row, sought->column};
    struct source_set set;

    sought->scene.bound_count = 0;
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] > 0 && source_find_set(&sought->scene.search, axes[i], &set)) {
            sought->scene.bound[sought->scene.bound_count++] =
                (struct bound_name){set.name, values[i]};
        }
    }
}

static bool mark_guard(struct sought *sought, size_t array, const char *name, const size_t axes[2])
{
    struct access_guard guards[ACCESS_GUARDS_MAX];
    const size_t count =
        source_find_guards(sought->tokens, sought->scene.search.function, array, guards);
    bool is_marked = false;

    bind_axes(sought, axes);
    sought->scene.thread = NULL;
    sought->scene.block = NULL;
    for (size_t i = count; i > 0 && !is_marked; i--) {
        is_marked = mark_false_part(sought, guards[i - 1], name, axes);
    }
    sought->scene.bound_count = 0;
    return is_marked;
}

/* Values ***************************************************************************************/

/* "-4 in block (0,0)", "1 in thread (1,0) of block (0,0)" */
static const char *value_at(struct sought *sought, size_t name, const uint32_t thread[3],
                            const uint32_t block[3], int64_t *out_value)
{
    struct arena *arena = sought->arena;

    sought->scene.thread = thread;
    sought->scene.block = block;
    if (!thread_value(&sought->scene, (struct token_range){name, name + 1}, out_value)) {
        return NULL;
    }
    const bool has_thread = (sought->scene.uses & VALUE_OF_THREAD) != 0;
    return arena_printf(arena, "%" PRId64 " in %s%s%sblock %s", *out_value,
                        has_thread ? "thread " : "",
                        has_thread ? dimensions_text(arena, thread) : "", has_thread ? " of " : "",
                        dimensions_text(arena, block));
}

/* "`j` is 0 in thread (0,0) of block (0,0), 1 in thread (0,1) of block (0,0), 8 in thread (0,0) of
 * block (0,1)": along the axes that it depends on; NULL if that is not known, or there are no
 * blocks besides the first. */
static const char *values_text(struct sought *sought, size_t name)
{
    static const uint32_t zero[3] = {0};
    struct arena *arena = sought->arena;
    const char *text = NULL;
    bool has_block = false;
    int64_t least = 0, value;

    sought->scene.uses = 0;
    const char *first = value_at(sought, name, zero, zero, &least);
    const unsigned uses = sought->scene.uses;
    if (first == NULL || sought->values.block[0] == 0) {
        return NULL;
    }
    text = arena_printf(arena, "`%s` is %s", text_of(sought, (struct token_range){name, name + 1}),
                        first);
    for (size_t i = 0; i < AXES; i++) {
        const bool is_block = i >= 3;
        const uint32_t *sizes = is_block ? sought->values.grid : sought->values.block;
        uint32_t *at = arena_array(arena, 3, sizeof *at);
        if ((uses & VALUE_OF_THREAD_X << i) == 0 || sizes[i % 3] < 2) {
            continue;
        }
        at[i % 3] = 1;
        const char *next =
            value_at(sought, name, is_block ? zero : at, is_block ? at : zero, &value);
        has_block = has_block || is_block;
        if (next != NULL && (is_block || value != least)) {
            text = arena_printf(arena, "%s, %s", text, next);
        }
    }
    return has_block ? text : NULL;
}

/* Looks for a thread of the launch in which an expression is a value, or, with a step, lies whole
 * steps before it; the scene is in that thread then. SEARCH_UNKNOWN: not all values are known. */
enum thread_search { SEARCH_UNKNOWN, SEARCH_NONE, SEARCH_FOUND };

static enum thread_search find_thread(struct sought *sought, struct token_range expression,
                                      int64_t wanted, int64_t step)
{
    uint32_t *at = arena_array(sought->arena, AXES, sizeof *at);
    uint32_t sizes[AXES];
    uint64_t total = 1;
    int64_t value;

    sought->scene.thread = at;
    sought->scene.block = at + 3;
    sought->scene.uses = 0;
    if (!thread_value(&sought->scene, expression, &value) || sought->values.block[0] == 0) {
        return SEARCH_UNKNOWN;
    }
    for (size_t i = 0; i < AXES; i++) {
        const uint32_t size = i < 3 ? sought->values.block[i] : sought->values.grid[i - 3];
        sizes[i] = (sought->scene.uses & VALUE_OF_THREAD_X << i) != 0 ? size : 1;
        if (size == 0 || size > THREADS_MAX || total > THREADS_MAX) {
            return SEARCH_UNKNOWN;
        }
        total *= sizes[i];
    }
    for (uint64_t n = 0; n < total; n++) {
        if (total > THREADS_MAX || !thread_value(&sought->scene, expression, &value)) {
            return SEARCH_UNKNOWN;
        }
        if (value == wanted || (step > 0 && value < wanted && (wanted - value) % step == 0)) {
            return SEARCH_FOUND;
        }
        for (size_t i = 0; i < AXES && ++at[i] == sizes[i]; i++) {
            at[i] = 0;
        }
    }
    return sought->scene.uses != 0 ? SEARCH_NONE : SEARCH_UNKNOWN;
}

/* True if it is known that a variable has a value in no thread of the launch. */
static bool has_no_thread(struct sought *sought, size_t name, int64_t wanted)
{
    return find_thread(sought, (struct token_range){name, name + 1}, wanted, 0) == SEARCH_NONE;
}

/* Marks what a variable is made of that differs between blocks: itself, or what it or its first
 * value is computed from. */
static bool mark_values(struct sought *sought, size_t name, unsigned depth)
{
    const struct source_tokens *tokens = sought->tokens;
    struct source_set set;

    if (depth == DEPTH_MAX || !source_find_set(&sought->scene.search, name, &set) ||
        set.type.is_pointer) {
        return false;
    }
    const char *text = values_text(sought, name);
    if (text != NULL) {
        add_mark(sought, set.name, text);
        return true;
    }
    bool is_marked = false;
    for (size_t i = set.value.first; i < set.value.end && !is_marked; i++) {
        if (tokens->tokens[i].kind == TOKEN_NAME && !sign_is(tokens, i + 1, "(") &&
            !sign_is(tokens, i + 1, ".") && !sign_is(tokens, i - 1, ".")) {
            is_marked = mark_values(sought, i, depth + 1);
        }
    }
    return is_marked;
}

/* Template arguments ***************************************************************************/

/* Reads the next template argument of a mangled name: an integer, or a type that is passed over.
 * False if it is neither, or there are no more. */
static bool next_argument(const char **at, bool *out_is_number, int64_t *out_value)
{
    char *end = NULL;

    *out_is_number = **at == 'L';
    if (**at == 'L' && strchr("ijlmb", (*at)[1]) != NULL && (*at)[1] != '\0') {
        const bool is_negative = (*at)[2] == 'n';
        const char *digits = *at + (is_negative ? 3 : 2);
        if (*digits < '0' || *digits > '9') {
            return false;
        }
        *out_value = strtoll(digits, &end, 10);
        *out_value = is_negative ? -*out_value : *out_value;
        *at = end + 1;
        return *end == 'E';
    }
    if (**at >= '1' && **at <= '9') {
        const long length = strtol(*at, &end, 10);
        *at = length > 0 && (size_t)length <= strlen(end) ? end + length : "";
        return **at != '\0';
    }
    if (**at == '\0' || strchr("abcdfhijlmstxy", **at) == NULL) {
        return false;
    }
    (*at)++;
    return true;
}

/* Gives the scene the integers that a kernel's template has in the launch. */
static void bind_template(struct sought *sought, const char *mangled)
{
    const struct source_tokens *tokens = sought->tokens;
    const size_t name = sought->scene.search.function->name;
    const char *kernel = text_of(sought, (struct token_range){name, name + 1});
    const char *at = mangled == NULL || kernel == NULL ? NULL : strstr(mangled, kernel);
    size_t open = name;
    int64_t value = 0;
    bool is_number;

    while (open > 0 && name - open < LINE_TOKENS_MAX && !sign_is(tokens, open, ";") &&
           !sign_is(tokens, open, "}") && !token_is(tokens, open, TOKEN_NAME, "template")) {
        open--;
    }
    if (at == NULL || at[strlen(kernel)] != 'I' || !sign_is(tokens, open + 1, "<")) {
        return;
    }
    at += strlen(kernel) + 1;
    for (size_t i = open + 2; i < name && !sign_is(tokens, i - 1, ">"); i++) {
        const bool is_end = sign_is(tokens, i + 1, ",") || sign_is(tokens, i + 1, ">");
        if (!is_end) {
            continue;
        }
        if (tokens->tokens[i].kind != TOKEN_NAME || !next_argument(&at, &is_number, &value)) {
            return;
        }
        if (is_number && value >= INT32_MIN && value <= INT32_MAX &&
            sought->scene.constant_count < BOUND_NAMES_MAX) {
            sought->scene.constants[sought->scene.constant_count++] = (struct bound_name){i, value};
        }
        i++;
    }
}

/* Accesses *************************************************************************************/

/* True if the array at a token is the parameter of that name, perhaps without "d_". */
static bool is_operand(struct sought *sought, size_t at, const char *operand)
{
    const char *plain = strncmp(operand, "d_", 2) == 0 ? operand + 2 : operand;
    struct source_parameter parameter;

    return sign_is(sought->tokens, at + 1, "[") &&
           (token_is(sought->tokens, at, TOKEN_NAME, operand) ||
            token_is(sought->tokens, at, TOKEN_NAME, plain)) &&
           source_find_parameter(&sought->scene.search, at, &parameter) &&
           parameter.type.is_pointer;
}

/* The only access to an operand in the function, or in a line of it (0: anywhere); 0: there is none
 * or are several. */
static size_t find_access(struct sought *sought, const char *operand, int line)
{
    const struct source_function *function = sought->scene.search.function;
    size_t found = 0, count = 0;

    for (size_t i = function->open + 1; i < function->close; i++) {
        if ((line == 0 || sought->tokens->tokens[i].line == line) &&
            is_operand(sought, i, operand)) {
            found = i;
            count++;
        }
    }
    return count == 1 ? found : 0;
}

/* The end of a loop ***************************************************************************/

/* The step of a `for`: i++, ++i or i += STEP at the end of its head; false if it is none of them or
 * has no known value that is above zero. The scene has a thread. */
static bool read_step(struct sought *sought, const struct source_set *counter, size_t first,
                      int64_t *out_step)
{
    const struct source_tokens *tokens = sought->tokens;
    const size_t close = token_close(tokens, counter->loop + 1) - 1;
    const bool is_first = token_same_name(tokens, first, counter->name);

    *out_step = 1;
    if (close == first + 2) {
        return (is_first && sign_is(tokens, first + 1, "++")) ||
               (sign_is(tokens, first, "++") && token_same_name(tokens, first + 1, counter->name));
    }
    return is_first && sign_is(tokens, first + 1, "+=") &&
           thread_value(&sought->scene, (struct token_range){first + 2, close}, out_step) &&
           *out_step > 0;
}

/* True if nothing but the loop's condition decides whether an access is made, and how often. */
static bool is_alone(struct sought *sought, size_t loop, struct token_range condition, size_t array)
{
    static const char *const leaves[] = {"break", "continue", "goto", "return"};
    const struct source_tokens *tokens = sought->tokens;
    const struct source_function *function = sought->scene.search.function;
    struct access_guard guards[ACCESS_GUARDS_MAX];
    const size_t count = source_find_guards(tokens, function, array, guards);
    const size_t end = source_statement_end(tokens, loop);

    if (count != 1 || guards[0].condition.first != condition.first || array < loop ||
        array >= end) {
        return false;
    }
    for (size_t i = function->open; i < end; i++) {
        for (size_t k = 0; k < sizeof leaves / sizeof leaves[0]; k++) {
            if (token_is(tokens, i, TOKEN_NAME, leaves[k])) {
                return false;
            }
        }
    }
    return true;
}

/* Marks the condition of the loop around an access, and what it compares the counter with, if some
 * thread would come to the element: the loop ends before it. */
static bool mark_loop_end(struct sought *sought, size_t array, size_t use)
{
    static const uint32_t zero[3] = {0};
    const struct source_tokens *tokens = sought->tokens;
    const int64_t wanted = sought->column;
    struct source_set counter, bound;
    int64_t step;

    sought->scene.thread = zero;
    sought->scene.block = zero;
    /* The first element is also left out where the array starts elsewhere than the operand. */
    if (wanted == 0 || !source_find_set(&sought->scene.search, use, &counter) ||
        counter.loop == 0 || !sign_is(tokens, counter.value.end, ";")) {
        return false;
    }
    const struct token_range condition = source_expression(tokens, counter.value.end + 1);
    const char *text = text_of(sought, condition);
    if (text == NULL || !is_alone(sought, counter.loop, condition, array) ||
        !sign_is(tokens, condition.end, ";") ||
        !read_step(sought, &counter, condition.end + 1, &step) ||
        find_thread(sought, counter.value, wanted, step) != SEARCH_FOUND) {
        return false;
    }
    const char *name = text_of(sought, (struct token_range){use, use + 1});
    const bool is_below = sign_is(tokens, condition.first + 1, "<");
    add_mark(sought, condition.first,
             arena_printf(sought->arena, "`%s` is false for `%s` = %" PRId64 ": the loop ends",
                          text, name, wanted));
    if (condition.end == condition.first + 3 &&
        token_same_name(tokens, condition.first, counter.name) &&
        (is_below || sign_is(tokens, condition.first + 1, "<=")) &&
        source_find_set(&sought->scene.search, condition.first + 2, &bound) && bound.loop == 0) {
        add_mark(sought, bound.name,
                 arena_printf(sought->arena, "`%s` is at most %" PRId64 " in block %s",
                              text_of(sought, (struct token_range){bound.name, bound.name + 1}),
                              is_below ? wanted : wanted - 1,
                              dimensions_text(sought->arena, sought->scene.block)));
    }
    sought->out->hint = arena_printf(
        sought->arena,
        "the loop in thread %s of block %s ends before `%s` is %" PRId64 ": check its bound",
        dimensions_text(sought->arena, sought->scene.thread),
        dimensions_text(sought->arena, sought->scene.block), name, wanted);
    return true;
}

/* An element of an input that nothing loads, or another one in its place. */
static bool look_at_load(struct sought *sought, const struct element_fault *lacks)
{
    size_t axes[2];
    size_t array = find_access(sought, lacks->operand, 0);

    array =
        array > 0 || lacks->line == 0 ? array : find_access(sought, lacks->operand, lacks->line);
    if (array == 0 || !find_access_axes(sought, array, &axes[0], &axes[1])) {
        return false;
    }
    if (lacks->kind == ELEMENT_NOT_LOADED && mark_guard(sought, array, lacks->name, axes)) {
        return true;
    }
    if (lacks->kind == ELEMENT_NOT_LOADED) {
        return !sought->has_rows &&
               (mark_loop_end(sought, array, axes[1]) || mark_values(sought, axes[1], 0));
    }
    const bool is_other_row =
        sought->has_rows && lacks->other / lacks->columns != lacks->element / lacks->columns;
    const bool is_other_column =
        !sought->has_rows || lacks->other % lacks->columns != lacks->element % lacks->columns;
    return is_other_row != is_other_column &&
           mark_values(sought, is_other_row ? axes[0] : axes[1], 0);
}

/* Says so of the grid, if an index that goes on from 0 thread by thread does not get far enough
 * with all of its blocks. */
static bool look_at_grid(struct sought *sought, size_t name, int64_t wanted)
{
    static const uint32_t zero[3] = {0};
    int64_t value;

    sought->scene.uses = 0;
    sought->scene.thread = zero;
    sought->scene.block = zero;
    if (!thread_value(&sought->scene, (struct token_range){name, name + 1}, &value) || value != 0) {
        return false;
    }
    const unsigned uses = sought->scene.uses;
    for (size_t axis = 0; axis < 3; axis++) {
        const unsigned both = VALUE_OF_THREAD_X << axis | VALUE_OF_BLOCK_X << axis;
        const uint32_t *grid = sought->values.grid, *block = sought->values.block;
        uint32_t *last_thread = arena_array(sought->arena, 3, sizeof *last_thread);
        uint32_t *last_block = arena_array(sought->arena, 3, sizeof *last_block);
        last_thread[axis] = block[axis] - 1;
        last_block[axis] = grid[axis] - 1;
        sought->scene.thread = last_thread;
        sought->scene.block = last_block;
        if (uses == (both | VALUE_OF_THREAD | VALUE_OF_BLOCK) && block[axis] > 0 &&
            thread_value(&sought->scene, (struct token_range){name, name + 1}, &value) &&
            value == (int64_t)grid[axis] * block[axis] - 1 && value < wanted) {
            sought->out->grid = arena_printf(
                sought->arena,
                "%" PRIu32 " block%s of %" PRIu32 " threads in %c: no thread has `%s` = %" PRId64,
                grid[axis], grid[axis] == 1 ? "" : "s", block[axis], "xyz"[axis],
                text_of(sought, (struct token_range){name, name + 1}), wanted);
            return true;
        }
    }
    return false;
}

/* An element of the output that nothing stores, though the line stores others. */
static bool look_at_store(struct sought *sought, const char *operand, int line)
{
    const int64_t values[] = {sought->row, sought->column};
    bool is_marked = false;
    size_t axes[2];
    struct source_set set;

    const size_t array = find_access(sought, operand, line);
    if (array == 0 || !find_access_axes(sought, array, &axes[0], &axes[1])) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        if (axes[i] == 0 || !has_no_thread(sought, axes[i], values[i])) {
            continue;
        }
        if (look_at_grid(sought, axes[i], values[i])) {
            return true;
        }
        const char *text = values_text(sought, axes[i]);
        if (text != NULL && source_find_set(&sought->scene.search, axes[i], &set)) {
            add_mark(sought, set.name,
                     arena_printf(sought->arena, "%s: no thread has `%s` = %" PRId64, text,
                                  text_of(sought, (struct token_range){axes[i], axes[i] + 1}),
                                  values[i]));
            sought->out->hint =
                arena_printf(sought->arena,
                             "every element needs a thread that stores it: check what `%s` is "
                             "computed from",
                             text_of(sought, (struct token_range){axes[i], axes[i] + 1}));
            is_marked = true;
        }
    }
    return is_marked;
}

static void set_geometry(struct sought *sought, const uint32_t grid[3], const uint32_t block[3])
{
    memcpy(sought->values.grid, grid, sizeof sought->values.grid);
    memcpy(sought->values.block, block, sizeof sought->values.block);
}

static void set_element(struct sought *sought, size_t element, size_t columns)
{
    sought->has_rows = columns > 0;
    sought->row = columns > 0 ? (int64_t)(element / columns) : 0;
    sought->column = (int64_t)(columns > 0 ? element % columns : element);
}

/* Reads which element of the output was not stored; false if that is not known. */
static bool read_unwritten(struct sought *sought, const struct criteria_input *input,
                           const struct cause *cause, const char **out_operand)
{
    const struct wrong_result *result =
        cause->subject.kind == SUBJECT_RESULT ? cause->subject.result : NULL;
    const struct observation *observation = result == NULL ? NULL : result->unwritten.observation;
    const bool is_told = cause->label != NULL && strstr(cause->label, "stores other") != NULL;

    if (observation == NULL || !is_told || observation->sample_count == 0 ||
        observation->samples[0].kernel_count != 1 ||
        observation->samples[0].kernels[0].launches != 1) {
        return false;
    }
    const struct rubric_operand *operand = &result->launch->operands[result->output];
    const size_t columns =
        operand->rank == 2 ? operand_extent(input, operand->shape[1], observation) : 0;
    if (operand->rank > 2 || operand_lanes(operand) > 1 || (operand->rank == 2 && columns == 0)) {
        return false;
    }
    set_element(sought, result->unwritten.comparison.first_unwritten, columns);
    set_geometry(sought, observation->geometry.grid, observation->geometry.block);
    bind_template(sought, observation->samples[0].kernels[0].kernel);
    sought->out->kernel = observation->samples[0].kernels[0].plain_name;
    *out_operand = operand->name;
    return true;
}

bool element_origin_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                         const struct program_source *source, const struct program_file *file,
                         const struct cause *cause, struct index_origin *out_origin)
{
    const struct element_fault *lacks = &cause->lacks;
    const bool has_load = lacks->kind != ELEMENT_NONE && lacks->line > 0;
    const char *name = has_load ? lacks->file : cause->file;
    const int line = has_load ? lacks->line : cause->line;
    const char *operand;

    for (size_t i = 0; i < source->count; i++) {
        file = strcmp(source->files[i].tokens.file->name, name) == 0 ? &source->files[i] : file;
    }
    if (!file->functions.is_certain || strcmp(file->tokens.file->name, name) != 0) {
        return false;
    }
    const struct source_function *function =
        source_function_of_line(&file->tokens, &file->functions, line);
    if (function == NULL || !function->is_kernel) {
        return false;
    }
    struct sought sought = {
        .arena = arena,
        .tokens = &file->tokens,
        .out = out_origin,
        .scene =
            {
                .arena = arena,
                .source = source,
                .program = &input->rubric->programs[input->rubric->launches[launch].program],
                .search = {.tokens = &file->tokens, .function = function, .steps = STEPS},
            },
    };
    sought.scene.values = &sought.values;
    if (lacks->kind != ELEMENT_NONE && cause->code == CODE_MISMATCH) {
        set_element(&sought, lacks->element, lacks->columns);
        set_geometry(&sought, lacks->grid, lacks->block);
        bind_template(&sought, lacks->kernel);
        return look_at_load(&sought, lacks);
    }
    return read_unwritten(&sought, input, cause, &operand) &&
           look_at_store(&sought, operand, cause->line);
}
