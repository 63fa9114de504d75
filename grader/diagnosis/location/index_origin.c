/* index_origin.c: see index_origin.h.
 *
 *   line of the access --> arrays and pointers in it that may be meant --> names of their indices
 *        --> where each is set once (source_declaration.h) --> its value (thread_value.h)
 *
 * If several accesses of the line may be meant, only names count that all of them have.
 */
#include "diagnosis/location/index_origin.h"

#include "base/text.h"
#include "criteria/case_text.h"
#include "diagnosis/grouping/diagnostic_marks.h"
#include "diagnosis/location/element_origin.h"
#include "diagnosis/location/index_guard.h"
#include "diagnosis/location/unwritten_element.h"
#include "model/case.h"
#include "source/source_search.h"
#include "source/thread_value.h"

#include <inttypes.h>
#include <string.h>

enum {
    NAMES_MAX = 8,
    THREADS_MAX = 3,
    LINE_TOKENS_MAX = 256,
    CONDITION_TOKENS_MAX = 64,
    SQUARE_MAX = 1024,
    UNWRITTEN_STEPS = 4 * VALUE_STEPS
};

/* Names that an index is made of: tokens, each set once. */
struct index_names {
    size_t items[NAMES_MAX];
    size_t count;
};

/* A thread whose values are shown. */
struct named_thread {
    const uint32_t *thread, *block;
};

struct origin {
    struct arena *arena;
    const struct finding *finding; /* NULL: none */
    const struct source_tokens *tokens;
    struct value_scene scene;
    struct named_thread threads[THREADS_MAX];
    size_t thread_count;
    bool shows_block; /* the grid has several */
    bool is_bounds, is_shared;
    bool has_element; /* which element the finding's access is to is known */
    struct index_origin *out;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static const char *text_of(const struct origin *origin, size_t first, size_t end)
{
    return source_text(origin->arena, origin->tokens, first, end);
}

static void add_mark(struct origin *origin, size_t at, const char *label)
{
    const struct source_token *token = &origin->tokens->tokens[at];

    if (origin->out->mark_count < origin->out->mark_max) {
        origin->out->marks[origin->out->mark_count++] =
            (struct cause_mark){origin->tokens->file->name, token->line, token->column, label};
    }
}

/* Accesses of a line ***************************************************************************/

static size_t indices_end(const struct source_tokens *tokens, size_t name)
{
    size_t end = name + 1;

    while (sign_is(tokens, end, "[")) {
        end = token_close(tokens, end);
    }
    return end;
}

/* True if what ends before a token is assigned there; *out_is_read: and read too. */
static bool is_assigned(const struct source_tokens *tokens, size_t end, bool *out_is_read)
{
    const bool is_step = sign_is(tokens, end, "++") || sign_is(tokens, end, "--");

    *out_is_read = is_step || (token_assigns(tokens, end) && !sign_is(tokens, end, "="));
    return is_step || token_assigns(tokens, end);
}

/* True if a pointer that is a parameter points elsewhere than into the allocation of a finding. */
static bool points_elsewhere(struct origin *origin, size_t name)
{
    const struct finding *finding = origin->finding;
    const struct finding_values *values = origin->scene.values;
    struct source_parameter parameter;

    if (finding == NULL || finding->needed_bytes == 0 || values == NULL ||
        !source_find_parameter(&origin->scene.search, name, &parameter) ||
        parameter.index >= FINDING_ARGUMENTS_MAX || (values->known >> parameter.index & 1) == 0) {
        return false;
    }
    const uint64_t start = values->address + finding->access_bytes - finding->needed_bytes;
    return values->arguments[parameter.index] < start ||
           values->arguments[parameter.index] - start >= finding->object_bytes;
}

/* True if a token outside of functions is the name of an array in device memory. */
static bool declares_array(const struct source_tokens *tokens, size_t name)
{
    enum { WORDS_MAX = 8 };

    if (!sign_is(tokens, name + 1, "[") || name == 0 ||
        tokens->tokens[name - 1].kind != TOKEN_NAME) {
        return false;
    }
    for (size_t i = name; i > 0 && name - i < WORDS_MAX && tokens->tokens[i - 1].kind == TOKEN_NAME;
         i--) {
        if (token_is(tokens, i - 1, TOKEN_NAME, "__device__")) {
            return true;
        }
    }
    return false;
}

/* The only such array of the file that the name at a token of a function can mean: where it is
 * declared; 0: there is none. */
static size_t find_global(struct origin *origin, size_t name)
{
    const struct source_tokens *tokens = origin->tokens;
    size_t found = 0;

    if (tokens->count > origin->scene.search.steps ||
        source_is_local(&origin->scene.search, name)) {
        return 0;
    }
    origin->scene.search.steps -= tokens->count;
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (sign_is(tokens, i, "{") && token_close(tokens, i) > i) {
            i = token_close(tokens, i) - 1;
        } else if (token_same_name(tokens, i, name) && declares_array(tokens, i)) {
            if (found > 0) {
                return 0;
            }
            found = i;
        }
    }
    return found;
}

/* True if the array or pointer at a token may be the one that is meant. */
static bool may_be_meant(struct origin *origin, size_t name, const char *role)
{
    const struct source_tokens *tokens = origin->tokens;
    const char *object = origin->finding == NULL ? NULL : origin->finding->object;
    struct source_parameter parameter;
    struct source_set set;
    bool is_read;
    const bool is_written = is_assigned(tokens, indices_end(tokens, name), &is_read);

    if ((strcmp(role, "write") == 0 && !is_written) ||
        (strcmp(role, "read") == 0 && is_written && !is_read)) {
        return false;
    }
    if (origin->is_shared || (object != NULL && token_is(tokens, name, TOKEN_NAME, object))) {
        return object != NULL && token_is(tokens, name, TOKEN_NAME, object);
    }
    if (source_find_parameter(&origin->scene.search, name, &parameter)) {
        return parameter.type.is_pointer && !points_elsewhere(origin, name);
    }
    return (source_find_set(&origin->scene.search, name, &set) && set.type.is_pointer) ||
           (origin->is_bounds && find_global(origin, name) > 0);
}

/* threadIdx.x alone, which needs no mark */
static bool is_plain(const struct source_tokens *tokens, struct token_range value)
{
    return value.end - value.first == 1 ||
           (value.end - value.first == 3 && sign_is(tokens, value.first + 1, "."));
}

/* Adds the names of an index that are set in another line. */
static void add_names(struct origin *origin, struct token_range range, int line,
                      struct index_names *names)
{
    const struct source_tokens *tokens = origin->tokens;

    for (size_t i = range.first; i < range.end && i - range.first < LINE_TOKENS_MAX; i++) {
        struct source_set set;
        bool is_new = names->count < NAMES_MAX && tokens->tokens[i].kind == TOKEN_NAME &&
                      !sign_is(tokens, i + 1, "[") && !sign_is(tokens, i + 1, "(") &&
                      !sign_is(tokens, i + 1, ".") && !sign_is(tokens, i - 1, ".") &&
                      !sign_is(tokens, i - 1, "->");
        for (size_t k = 0; k < names->count && is_new; k++) {
            is_new = !token_same_name(tokens, names->items[k], i);
        }
        if (is_new && source_find_set(&origin->scene.search, i, &set) && !set.type.is_pointer &&
            tokens->tokens[set.name].line != line &&
            (set.loop > 0 || !is_plain(tokens, set.value))) {
            names->items[names->count++] = i;
        }
    }
}

/* Keeps the names that others have too. */
static void keep_common(const struct source_tokens *tokens, const struct index_names *others,
                        struct index_names *names)
{
    size_t kept = 0;

    for (size_t i = 0; i < names->count; i++) {
        bool is_common = false;
        for (size_t k = 0; k < others->count; k++) {
            is_common = is_common || token_same_name(tokens, names->items[i], others->items[k]);
        }
        if (is_common) {
            names->items[kept++] = names->items[i];
        }
    }
    names->count = kept;
}

/* The names of the indices of the access in a line; *out_name is the array, if only one is meant.
 */
static void find_names(struct origin *origin, int line, const char *role,
                       struct index_names *out_names, size_t *out_name)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct source_function *function = origin->scene.search.function;
    const size_t first = source_line_start(tokens, line);
    size_t found = 0;

    *out_names = (struct index_names){.count = 0};
    *out_name = 0;
    for (int pass = 0; pass < 2 && found == 0; pass++) { /* indices, then pointers alone */
        for (size_t i = first; i < tokens->count && tokens->tokens[i].line == line &&
                               i < function->close && i - first < LINE_TOKENS_MAX;
             i++) {
            struct index_names names = {.count = 0};
            struct source_set set;
            const bool has_index = sign_is(tokens, i + 1, "[");
            const bool is_pointer = tokens->tokens[i].kind == TOKEN_NAME && i > function->open &&
                                    !sign_is(tokens, i - 1, ".") && !sign_is(tokens, i - 1, "->") &&
                                    (has_index ? pass == 0 : pass == 1) &&
                                    (pass == 0 || !origin->is_shared) &&
                                    may_be_meant(origin, i, pass == 0 ? role : "");
            if (!is_pointer) {
                continue;
            }
            const bool is_set = source_find_set(&origin->scene.search, i, &set) &&
                                set.type.is_pointer && set.loop == 0;
            if (pass == 1 && !is_set) {
                continue;
            }
            add_names(origin, (struct token_range){i + 1, indices_end(tokens, i)}, line, &names);
            if (is_set) {
                add_names(origin, set.value, line, &names);
            }
            *out_name = found == 0 ? i : 0;
            if (found++ == 0) {
                *out_names = names;
            } else {
                keep_common(tokens, &names, out_names);
            }
        }
    }
}

/* Values ***************************************************************************************/

static bool value_for(struct origin *origin, size_t thread, struct token_range range,
                      int64_t *out_value)
{
    origin->scene.thread = origin->threads[thread].thread;
    origin->scene.block = origin->threads[thread].block;
    return thread_value(&origin->scene, range, out_value);
}

/* "4 in thread (0,1) of block (1,0)" */
static const char *thread_text(const struct origin *origin, size_t index, int64_t value)
{
    struct arena *arena = origin->arena;
    const struct named_thread *at = &origin->threads[index];
    const char *block = dimensions_text(arena, at->block);

    if ((origin->scene.uses & (VALUE_OF_THREAD | VALUE_OF_COUNTER)) == 0 &&
        (origin->scene.uses & VALUE_OF_BLOCK) != 0) {
        return arena_printf(arena, "%" PRId64 " in block %s", value, block);
    }
    return arena_printf(arena, "%" PRId64 " in thread %s%s%s", value,
                        dimensions_text(arena, at->thread), origin->shows_block ? " of block " : "",
                        origin->shows_block ? block : "");
}

/* "`row` is 0 in thread (0,0), 1 in thread (1,0)"; NULL: not known for all threads, the same for
 * all of them, or 0 for the only one, which adds nothing to an index. */
static const char *values_text(struct origin *origin, size_t name)
{
    struct arena *arena = origin->arena;
    const struct token_range range = {name, name + 1};
    const char *text = arena_printf(arena, "`%s` is", text_of(origin, name, name + 1));
    const char *before = "";
    bool differs = false;
    int64_t first = 0;

    origin->scene.uses = 0;
    for (size_t i = 0; i < origin->thread_count; i++) {
        int64_t value;
        if (!value_for(origin, i, range, &value)) {
            return NULL;
        }
        first = i == 0 ? value : first;
        differs = differs || value != first;
        if (origin->finding == NULL && i == 1 && value == first) {
            continue; /* the next block says more */
        }
        const char *part = thread_text(origin, i, value);
        text = strcmp(part, before) == 0
                   ? text
                   : arena_printf(arena, "%s%s %s", text, before[0] == '\0' ? "" : ",", part);
        before = part;
    }
    const bool is_one = origin->thread_count == 1;
    return origin->scene.uses == 0 || (is_one ? first == 0 : !differs) ? NULL : text;
}

/* Conditions ***********************************************************************************/

/* Where a part of a condition ends that starts at a token: at && or where the condition ends. */
static size_t part_end(const struct source_tokens *tokens, size_t first)
{
    size_t end = first;

    while (end < first + CONDITION_TOKENS_MAX && end < tokens->count &&
           !sign_is(tokens, end, "&&") && !sign_is(tokens, end, "||") &&
           !sign_is(tokens, end, ")") && !sign_is(tokens, end, ";")) {
        end = sign_is(tokens, end, "(") ? token_close(tokens, end) : end + 1;
    }
    return end;
}

/* A name that a condition bounds from above: the part [first, end) of it. */
struct bound {
    size_t first, end;
    int64_t value;
    bool is_number, is_all; /* written as one; the condition has no other parts */
    const char *condition, *right;
};

/* Finds such a part at a token; false if there is none, or its value is not known. */
static bool read_bound(struct origin *origin, size_t at, size_t name, struct bound *out)
{
    const struct source_tokens *tokens = origin->tokens;
    const bool is_start = sign_is(tokens, at - 1, "(") || sign_is(tokens, at - 1, "&&") ||
                          sign_is(tokens, at - 1, ";");

    if (!is_start || !token_same_name(tokens, at, name) ||
        (!sign_is(tokens, at + 1, "<") && !sign_is(tokens, at + 1, "<="))) {
        return false;
    }
    const struct token_range limit = {at + 2, part_end(tokens, at + 2)};
    *out = (struct bound){
        .first = at,
        .end = limit.end,
        .is_number =
            limit.end == limit.first + 1 && tokens->tokens[limit.first].kind == TOKEN_NUMBER,
        .is_all = !sign_is(tokens, limit.end, "&&") && !sign_is(tokens, at - 1, "&&"),
    };
    if (limit.end == limit.first || sign_is(tokens, limit.end, "||") ||
        !value_for(origin, 0, limit, &out->value)) {
        return false;
    }
    out->condition = text_of(origin, at, limit.end);
    out->right = text_of(origin, limit.first, limit.end);
    return out->condition != NULL;
}

/* "`k` is 4 in thread (0,0)": the value of a counter with which the access is to its element, which
 * the scene knows; NULL if it does not, or it is 0. */
static const char *counter_text(struct origin *origin, const struct source_set *set)
{
    const struct value_scene *scene = &origin->scene;

    for (size_t i = 0; i < scene->bound_count; i++) {
        if (scene->bound[i].name == set->name && scene->bound[i].value != 0) {
            origin->scene.uses = VALUE_OF_COUNTER;
            return arena_printf(origin->arena, "`%s` is %s",
                                text_of(origin, set->name, set->name + 1),
                                thread_text(origin, 0, scene->bound[i].value));
        }
    }
    return NULL;
}

/* "`k` goes on from 0 while `k < PART`, which is 512": where a counter is set; or "`k` is 4 in
 * thread (0,0), and goes on while `k < PART`, which is 512". */
static bool mark_loop(struct origin *origin, const struct source_set *set)
{
    const struct source_tokens *tokens = origin->tokens;
    const size_t close = token_close(tokens, set->loop + 1);
    struct arena *arena = origin->arena;
    const char *value = counter_text(origin, set);
    struct bound bound;
    int64_t first;

    for (size_t i = set->value.end + 1; i < close && i < set->value.end + CONDITION_TOKENS_MAX;
         i++) {
        if (!read_bound(origin, i, set->name, &bound)) {
            continue;
        }
        origin->scene.uses = 0;
        const char *from = "";
        if (value != NULL) {
            from = "";
        } else if (value_for(origin, 0, set->value, &first)) {
            from = arena_printf(arena, " from %s",
                                origin->scene.uses != 0 ? thread_text(origin, 0, first)
                                                        : arena_printf(arena, "%" PRId64, first));
        }
        const char *is =
            bound.is_number ? "" : arena_printf(arena, ", which is %" PRId64, bound.value);
        const char *name = text_of(origin, set->name, set->name + 1);
        const char *start = value != NULL ? arena_printf(arena, "%s, and", value)
                                          : arena_printf(arena, "`%s`", name);
        add_mark(origin, set->name,
                 arena_printf(arena, "%s goes on%s%s while `%s`%s", start, from,
                              bound.is_all ? "" : ", at most", bound.condition, is));
        return true;
    }
    if (value != NULL) {
        add_mark(origin, set->name, value);
    }
    return value != NULL;
}

/* Reads the extents of a declaration; false if one is not known. */
static bool read_extents(struct origin *origin, size_t open, struct array_extents *out_extents)
{
    const struct source_tokens *tokens = origin->tokens;

    for (; sign_is(tokens, open, "["); open = token_close(tokens, open)) {
        const struct token_range range = {open + 1, token_close(tokens, open) - 1};
        int64_t *size = &out_extents->sizes[out_extents->count];
        if (out_extents->count == EXTENTS_MAX || !value_for(origin, 0, range, size) || *size <= 0) {
            return false;
        }
        out_extents->count++;
    }
    return out_extents->count > 0;
}

/* True if an array has two extents that are the same name: its size shows them. */
static bool is_square(const struct source_tokens *tokens, size_t open, uint64_t elements,
                      struct array_extents *out_extents)
{
    int64_t size = 1;

    while (size < SQUARE_MAX && (uint64_t)(size * size) < elements) {
        size++;
    }
    *out_extents = (struct array_extents){.sizes = {size, size}, .count = 2};
    return sign_is(tokens, open, "[") && token_close(tokens, open) == open + 3 &&
           sign_is(tokens, open + 3, "[") && token_close(tokens, open + 3) == open + 6 &&
           !sign_is(tokens, open + 6, "[") && token_same_name(tokens, open + 1, open + 4);
}

static uint64_t elements_of(const struct array_extents *extents)
{
    uint64_t elements = 1;

    for (size_t i = 0; i < extents->count; i++) {
        elements =
            __builtin_mul_overflow(elements, (uint64_t)extents->sizes[i], &elements) ? 0 : elements;
    }
    return elements;
}

/* The only name in the extents of a declaration that has no value, such as a parameter of a
 * template; 0: there is none, or several. */
static size_t unknown_extent(struct origin *origin, size_t open)
{
    const struct source_tokens *tokens = origin->tokens;
    size_t found = 0;

    for (size_t i = open; i < indices_end(tokens, open - 1); i++) {
        const struct source_token *token = &tokens->tokens[i];
        int64_t value;
        if (token->kind != TOKEN_NAME ||
            source_has_macro_named(tokens, (struct source_name){token->text, token->length}) ||
            value_for(origin, 0, (struct token_range){i, i + 1}, &value)) {
            continue;
        }
        if (found > 0 && !token_same_name(tokens, found, i)) {
            return 0;
        }
        found = i;
    }
    return found;
}

/* Gives the scene the only value of that name with which the array has so many elements; false if
 * there is none or are several. */
static bool solve_extents(struct origin *origin, size_t open, uint64_t elements,
                          struct array_extents *out_extents)
{
    struct value_scene *scene = &origin->scene;
    const size_t name = unknown_extent(origin, open);
    int64_t value = 0;
    size_t found = 0;

    if (name == 0 || scene->constant_count == BOUND_NAMES_MAX) {
        return false;
    }
    struct bound_name *constant = &scene->constants[scene->constant_count++];
    for (int64_t i = 0; i <= SQUARE_MAX; i++) {
        *constant = (struct bound_name){name, i};
        *out_extents = (struct array_extents){.count = 0};
        if (read_extents(origin, open, out_extents) && elements_of(out_extents) == elements) {
            value = i;
            found++;
        }
    }
    *constant = (struct bound_name){name, value};
    *out_extents = (struct array_extents){.count = 0};
    scene->constant_count -= found == 1 ? 0 : 1;
    return found == 1 && read_extents(origin, open, out_extents);
}

/* True if an array is declared without its size, with elements as large as an access. */
static bool is_dynamic(const struct origin *origin, size_t name, uint64_t elements,
                       struct array_extents *out_extents)
{
    const struct source_tokens *tokens = origin->tokens;
    struct declared_type type;

    *out_extents = (struct array_extents){.sizes = {(int64_t)elements}, .count = 1};
    return sign_is(tokens, name + 1, "[") && sign_is(tokens, name + 2, "]") &&
           !sign_is(tokens, name + 3, "[") && source_declared_type(tokens, name, &type) &&
           !type.is_pointer && type.bytes == origin->scene.values->access_bytes;
}

/* The extents of an array in shared memory that the function declares; false if that is not
 * certain, or does not fit its size. */
static bool find_extents(struct origin *origin, size_t array, struct array_extents *out_extents)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct finding_values *values = origin->scene.values;
    size_t at = origin->scene.search.function->open;

    while (at < array && !token_same_name(tokens, at, array)) {
        at++;
    }
    size_t start = at;
    while (start > 0 && at - start < LINE_TOKENS_MAX && !sign_is(tokens, start - 1, ";") &&
           !sign_is(tokens, start - 1, "{") && !sign_is(tokens, start - 1, "}")) {
        start--;
    }
    bool is_shared = false;
    for (size_t i = start; i < at; i++) {
        is_shared = is_shared || token_is(tokens, i, TOKEN_NAME, "__shared__");
    }
    const size_t open = at + 1;
    const uint64_t elements = values->variable_bytes / values->access_bytes;
    *out_extents = (struct array_extents){.count = 0};
    return is_shared && at < array &&
           (read_extents(origin, open, out_extents) ||
            is_square(tokens, open, elements, out_extents) ||
            is_dynamic(origin, at, elements, out_extents) ||
            solve_extents(origin, open, elements, out_extents)) &&
           elements_of(out_extents) == elements &&
           values->variable_bytes % values->access_bytes == 0;
}

/* Likewise find_element(), of an array of the file, which fills its allocation. */
static bool find_global_element(struct origin *origin, size_t array,
                                struct array_extents *out_extents, int64_t *out_element)
{
    const struct finding *finding = origin->finding;
    const size_t global = find_global(origin, array);

    *out_extents = (struct array_extents){.count = 0};
    if (global == 0 || finding->access_bytes == 0 || finding->needed_bytes == 0 ||
        finding->object_bytes % finding->access_bytes != 0 ||
        finding->needed_bytes % finding->access_bytes != 0 ||
        !read_extents(origin, global + 1, out_extents) ||
        elements_of(out_extents) != finding->object_bytes / finding->access_bytes) {
        return false;
    }
    *out_element = (int64_t)(finding->needed_bytes / finding->access_bytes) - 1;
    return true;
}

/* Of device memory. */
static uint32_t bytes_of_access(const struct origin *origin)
{
    return origin->finding->code == CODE_UNINITIALISED_GLOBAL ? origin->scene.values->access_bytes
                                                              : origin->finding->access_bytes;
}

/* The element of an array or pointer that the finding's access is to; false if it is not known. */
static bool find_element(struct origin *origin, size_t array, struct array_extents *out_extents,
                         int64_t *out_element)
{
    const struct finding_values *values = origin->scene.values;
    struct source_parameter parameter;

    if (values == NULL) {
        return false;
    }
    if (origin->is_shared) {
        *out_element =
            values->access_bytes == 0 ? 0 : (int64_t)(values->offset / values->access_bytes);
        return values->access_bytes > 0 && values->offset % values->access_bytes == 0 &&
               find_extents(origin, array, out_extents);
    }
    if (find_global_element(origin, array, out_extents, out_element)) {
        return true;
    }
    if (values->address == 0 || !source_find_parameter(&origin->scene.search, array, &parameter)) {
        return false;
    }
    if (parameter.type.bytes == 0 && values->operand != NULL) { /* as in the rubric */
        parameter.type.bytes = bytes_of_access(origin);
    }
    if (!parameter.type.is_pointer || parameter.type.bytes != bytes_of_access(origin) ||
        parameter.type.bytes == 0 || parameter.index >= FINDING_ARGUMENTS_MAX ||
        (values->known >> parameter.index & 1) == 0) {
        return false;
    }
    const int64_t bytes = (int64_t)(values->address - values->arguments[parameter.index]);
    *out_extents = (struct array_extents){.sizes = {0}, .count = 1};
    *out_element = bytes / parameter.type.bytes;
    return bytes % parameter.type.bytes == 0;
}

/* "thread (0,1) of block (1,0)" */
static const char *name_of_thread(const struct origin *origin)
{
    const struct named_thread *at = &origin->threads[0];

    return arena_printf(origin->arena, "thread %s%s%s", dimensions_text(origin->arena, at->thread),
                        origin->shows_block ? " of block " : "",
                        origin->shows_block ? dimensions_text(origin->arena, at->block) : "");
}

/* True if an access may be the finding's by its values, which the scene gets. */
static bool try_access(struct origin *origin, size_t array, struct guarded_access *access)
{
    const struct finding_values *values = origin->scene.values;
    int64_t element;

    access->at = array;
    access->index = (struct token_range){array + 1, indices_end(origin->tokens, array)};
    access->array.name = array;
    if (!find_element(origin, array, &access->array.extents, &element)) {
        return false;
    }
    origin->has_element = true;
    access->shape = access->array.extents;
    access->shape_name = text_of(origin, array, array + 1);
    if (access->shape.sizes[0] == 0) { /* of a pointer */
        access->shape.count = values->operand == NULL ? 0 : values->operand_rank;
        access->shape_name = values->operand;
        for (size_t i = 0; i < access->shape.count; i++) {
            access->shape.sizes[i] = (int64_t)values->operand_extents[i];
        }
    }
    return index_solve(&origin->scene, &access->array, element);
}

/* Finds the access in a line that is the finding's by its values, and gives the scene those of its
 * counters; returns its token, 0 if there is none or are several. */
static size_t solve_access(struct origin *origin, int line, const char *role,
                           struct guarded_access *access)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct source_function *function = origin->scene.search.function;
    const size_t first = source_line_start(tokens, line);
    size_t found = 0, count = 0;

    for (size_t i = first; i < tokens->count && tokens->tokens[i].line == line &&
                           i < function->close && i - first < LINE_TOKENS_MAX;
         i++) {
        if (tokens->tokens[i].kind == TOKEN_NAME && i > function->open &&
            sign_is(tokens, i + 1, "[") && !sign_is(tokens, i - 1, ".") &&
            !sign_is(tokens, i - 1, "->") && may_be_meant(origin, i, role) &&
            try_access(origin, i, access)) {
            found = i;
            count++;
        }
    }
    if (count == 1 && try_access(origin, found, access)) {
        return found;
    }
    origin->scene.bound_count = 0;
    access->array.name = 0;
    return 0;
}

/* The axis of the thread that an index is made of, besides a counter; -1: of none or several. */
static int axis_beside(struct origin *origin, struct token_range range)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct source_tokens *tokens = origin->tokens;
    int found = -1;

    for (size_t i = range.first; i < range.end; i++) {
        struct source_set set;
        size_t at = i;
        if (tokens->tokens[i].kind == TOKEN_NAME && !sign_is(tokens, i + 1, ".") &&
            source_find_set(&origin->scene.search, i, &set) && is_plain(tokens, set.value)) {
            at = set.value.first;
        }
        for (int k = 0; k < 3 && token_is(tokens, at, TOKEN_NAME, "threadIdx"); k++) {
            if (token_is(tokens, at + 2, TOKEN_NAME, axes[k])) {
                if (found >= 0 && found != k) {
                    return -1;
                }
                found = k;
            }
        }
    }
    return found;
}

/* By how much the head of a `for` lets its counter grow; false if that is not known. */
static bool read_step(struct origin *origin, const struct source_set *set, int64_t *out_step)
{
    const struct source_tokens *tokens = origin->tokens;
    const size_t close = token_close(tokens, set->loop + 1);

    for (size_t i = set->value.end; i + 1 < close; i++) {
        if (token_same_name(tokens, i, set->name) && sign_is(tokens, i + 1, "+=")) {
            return value_for(origin, 0, (struct token_range){i + 2, close - 1}, out_step);
        }
    }
    return false;
}

/* A counter that goes on by less than the block has threads along the axis that it is added to. */
static void look_at_step(struct origin *origin, const struct guarded_access *access)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct finding_values *values = origin->scene.values;
    size_t open = access->index.first;

    for (size_t end; origin->scene.bound_count > 0 && open < access->index.end; open = end) {
        end = token_close(tokens, open);
        for (size_t i = open + 1; i + 1 < end; i++) {
            struct source_set set;
            int64_t step;
            if (tokens->tokens[i].kind != TOKEN_NAME ||
                !source_find_set(&origin->scene.search, i, &set) || set.loop == 0 ||
                set.name != origin->scene.bound[0].name || !read_step(origin, &set, &step)) {
                continue;
            }
            int axis = axis_beside(origin, (struct token_range){open + 1, end - 1});
            axis = axis < 0 ? axis_beside(origin, set.value) : axis;
            if (axis >= 0 && values != NULL && step > 0 && step < values->block[axis]) {
                origin->out->kernel = text_or_empty(origin->finding->kernel);
                origin->out->block = arena_printf(
                    origin->arena,
                    "a block has %" PRIu32 " threads in %c, and `%s` goes on by %" PRId64,
                    values->block[axis], "xyz"[axis], text_of(origin, i, i + 1), step);
            }
            return;
        }
    }
}

/* The condition in front of an access that let it in: "`i <= n` lets `i` = 4 in: `n` is 4". Where
 * it is certain which access of the line is meant, the names are those of its index alone. */
static void mark_condition(struct origin *origin, const struct cause *cause, const char *role,
                           struct index_names *names)
{
    const struct finding *finding = origin->finding;
    const struct finding_values *values = origin->scene.values;
    const bool is_past = strstr(finding->message, "past the end") != NULL ||
                         (finding->needed_bytes > 0 && finding->object_bytes > 0) ||
                         (values != NULL && values->access_bytes > 0);
    struct guarded_access access = {
        .scene = &origin->scene,
        .tokens = origin->tokens,
        .thread = name_of_thread(origin),
        .is_past = is_past,
        .is_before = !is_past && strstr(finding->message, "before the start") != NULL,
        .is_next = origin->is_shared
                       ? values != NULL && values->access_bytes > 0 &&
                             values->offset == values->variable_bytes
                       : finding->needed_bytes > 0 &&
                             finding->needed_bytes == finding->object_bytes + finding->access_bytes,
    };
    struct cause_mark mark;

    origin->scene.thread = origin->threads[0].thread;
    origin->scene.block = origin->threads[0].block;
    const size_t array = solve_access(origin, cause->line, role, &access);
    if (array > 0) {
        names->count = 0;
        add_names(origin, access.index, cause->line, names);
        look_at_step(origin, &access);
    } else if (names->count == 1 && !origin->has_element) {
        access.at = names->items[0];
        access.index = (struct token_range){access.at, access.at + 1};
    } else {
        return;
    }
    if (index_guard_find(&access, names->count == 1 ? names->items[0] : 0, &mark) &&
        mark.line != cause->line && origin->out->mark_count < origin->out->mark_max) {
        origin->out->marks[origin->out->mark_count++] = mark;
    }
}

/* Marks ****************************************************************************************/

/* True if a mark says the value of a name already. */
static bool is_said(const struct origin *origin, size_t name)
{
    const char *words =
        arena_printf(origin->arena, "`%s` is ", text_or_empty(text_of(origin, name, name + 1)));

    for (size_t i = 0; i < origin->out->mark_count; i++) {
        if (strstr(origin->out->marks[i].label, words) != NULL) {
            return true;
        }
    }
    return false;
}

/* Marks where names that are set once get their values. */
static void mark_values(struct origin *origin, const struct index_names *names, size_t first)
{
    struct source_set set;

    for (size_t i = first; i < names->count; i++) {
        if (source_find_set(&origin->scene.search, names->items[i], &set) && set.loop == 0) {
            const char *text = values_text(origin, names->items[i]);
            if (text != NULL && (first == 0 || !is_said(origin, names->items[i]))) {
                add_mark(origin, set.name, text);
            }
        }
    }
}

/* True if a counter of an index is not known with which the first thread of all, which surely
 * belongs there, gets past the end. */
static bool is_first_thread(struct origin *origin, const struct source_set *set)
{
    static const uint32_t first[3] = {0};
    const struct named_thread *at = &origin->threads[0];
    int64_t value;

    return origin->thread_count > 0 && origin->scene.bound_count == 0 &&
           value_for(origin, 0, set->value, &value) && value >= 0 &&
           memcmp(at->thread, first, sizeof first) == 0 &&
           memcmp(at->block, first, sizeof first) == 0 &&
           strstr(origin->finding->message, "past the end") != NULL;
}

/* Of an access outside of an array: what the names of the index are made of, with their values. */
static void mark_chain(struct origin *origin, int line, struct index_names *names)
{
    const size_t count = names->count;
    struct source_set set;

    for (size_t i = 0; i < names->count; i++) {
        if (source_find_set(&origin->scene.search, names->items[i], &set) && set.loop == 0) {
            add_names(origin, set.value, line, names);
        }
    }
    for (size_t i = 0; i < names->count; i++) {
        if (source_find_set(&origin->scene.search, names->items[i], &set) && set.loop > 0 &&
            (counter_text(origin, &set) != NULL || (i < count && is_first_thread(origin, &set)))) {
            mark_loop(origin, &set);
        }
    }
    mark_values(origin, names, count);
}

/* Marks where names of an index are set: those that have values first. */
static void mark_names(struct origin *origin, struct index_names *names, int line)
{
    const bool counts = origin->finding == NULL || code_cause(origin->finding->code) == CAUSE_RACE;
    struct source_set set;

    mark_values(origin, names, 0);
    if (origin->is_bounds) {
        mark_chain(origin, line, names);
        return;
    }
    /* Of others, mark_store() knows whether a counter is wrong. */
    for (size_t i = 0;
         i < names->count && origin->out->mark_count < origin->out->mark_max && counts; i++) {
        if (source_find_set(&origin->scene.search, names->items[i], &set) && set.loop > 0 &&
            !mark_loop(origin, &set) && origin->out->mark_count == 0) {
            add_mark(origin, set.name,
                     arena_printf(origin->arena, "`%s` gets its first value here",
                                  text_of(origin, names->items[i], names->items[i] + 1)));
        }
    }
}

/* The only line that stores into an array which is read where nothing was stored: how far its
 * counter goes. */
static void mark_store(struct origin *origin, int line)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct source_function *function = origin->scene.search.function;
    size_t store = 0, found = 0, array;
    struct index_names names;
    struct source_set set;
    bool is_read;

    for (size_t i = function->open + 1; i < function->close; i++) {
        if (token_is(tokens, i, TOKEN_NAME, origin->finding->object) &&
            is_assigned(tokens, indices_end(tokens, i), &is_read)) {
            store = i;
            found++;
        }
    }
    if (found != 1 || tokens->tokens[store].line == line) {
        return;
    }
    find_names(origin, tokens->tokens[store].line, "write", &names, &array);
    for (size_t i = 0; i < names.count && origin->out->mark_count < origin->out->mark_max; i++) {
        if (source_find_set(&origin->scene.search, names.items[i], &set) && set.loop > 0 &&
            mark_loop(origin, &set)) {
            return;
        }
    }
}

/* "data[3][0]": the element that the finding's thread accesses; NULL if it is not known. */
static const char *element_of_access(struct origin *origin, size_t array)
{
    const struct source_tokens *tokens = origin->tokens;
    const char *text = text_of(origin, array, array + 1);
    size_t count = 0;

    for (size_t open = array + 1; text != NULL && sign_is(tokens, open, "[");
         open = token_close(tokens, open)) {
        const struct token_range index = {open + 1, token_close(tokens, open) - 1};
        int64_t value;
        text = count++ < EXTENTS_MAX && value_for(origin, 0, index, &value)
                   ? arena_printf(origin->arena, "%s[%" PRId64 "]", text, value)
                   : NULL;
    }
    return text;
}

/* True if all conditions in front of a place are known to let the finding's thread in. */
static bool is_reached(struct origin *origin, size_t at)
{
    struct access_guard guards[ACCESS_GUARDS_MAX];
    const size_t count =
        source_find_guards(origin->tokens, origin->scene.search.function, at, guards);

    for (size_t i = 0; i < count; i++) {
        int64_t value;
        if (!value_for(origin, 0, guards[i].condition, &value) ||
            (value != 0) != guards[i].is_true) {
            return false;
        }
    }
    return count < ACCESS_GUARDS_MAX;
}

/* The only store before the line that depends on the thread: which element the thread that reads
 * another one, which nothing has stored, stores there. */
static void mark_stored_element(struct origin *origin, int line)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct source_function *function = origin->scene.search.function;
    const size_t start = source_line_start(tokens, line);
    const char *object = origin->finding->object;
    const char *stored = NULL;
    size_t store = 0, count = 0;
    bool differs = false, is_read;

    for (size_t i = function->open + 1; i < start; i++) {
        if (token_is(tokens, i, TOKEN_NAME, object) && sign_is(tokens, i + 1, "[") &&
            is_assigned(tokens, indices_end(tokens, i), &is_read)) {
            origin->scene.uses = 0;
            const char *text = element_of_access(origin, i);
            if (text != NULL && (origin->scene.uses & VALUE_OF_THREAD) == 0) {
                continue;
            }
            stored = text;
            store = i;
            count++;
        }
    }
    if (count != 1 || stored == NULL || !is_reached(origin, store)) {
        return;
    }
    for (size_t i = start; i < function->close && tokens->tokens[i].line == line; i++) {
        if (token_is(tokens, i, TOKEN_NAME, object) && sign_is(tokens, i + 1, "[")) {
            const char *text = element_of_access(origin, i);
            if (text == NULL) {
                return;
            }
            differs = differs || strcmp(text, stored) != 0;
        }
    }
    if (differs) {
        add_mark(origin, store,
                 arena_printf(origin->arena, "writes `%s` in %s", stored, name_of_thread(origin)));
    }
}

/* The array or pointer of the access in a line, by its values or because there is only one; 0: it
 * is not certain. *out_any: one of the same name. */
static size_t find_read(struct origin *origin, int line, size_t *out_any)
{
    const struct source_tokens *tokens = origin->tokens;
    const struct source_function *function = origin->scene.search.function;
    struct guarded_access access = {.scene = &origin->scene, .tokens = tokens};
    size_t found = 0, count = 0;

    for (size_t i = source_line_start(tokens, line); i < function->close; i++) {
        if (tokens->tokens[i].line != line) {
            break;
        }
        if (i > function->open && sign_is(tokens, i + 1, "[") && !sign_is(tokens, i - 1, ".") &&
            !sign_is(tokens, i - 1, "->") && may_be_meant(origin, i, "read")) {
            *out_any = count == 0 || token_same_name(tokens, *out_any, i) ? i : 0;
            found = i;
            count++;
        }
    }
    const size_t solved = solve_access(origin, line, "read", &access);
    origin->scene.bound_count = 0;
    return count == 1 ? found : solved;
}

/* Memory that is read where nothing has been written: names the element, and marks the stores into
 * an array in shared memory that should have written it. */
static void look_at_unwritten(struct origin *origin, int line)
{
    struct arena *arena = origin->arena;
    const struct source_tokens *tokens = origin->tokens;
    struct unwritten_element element = {.scene = &origin->scene, .tokens = tokens};
    size_t any = 0;
    int64_t number, rest;

    origin->scene.search.steps = UNWRITTEN_STEPS;
    origin->scene.thread = origin->threads[0].thread;
    origin->scene.block = origin->threads[0].block;
    const size_t read = find_read(origin, line, &any);
    element.array = read > 0 ? read : any;
    if (element.array == 0 || !find_element(origin, element.array, &element.extents, &number) ||
        number < 0) {
        return;
    }
    const char *name = text_of(origin, element.array, element.array + 1);
    const char *indices = "";
    rest = number;
    for (size_t i = element.extents.count; i > 0; i--) {
        const int64_t size = element.extents.sizes[i - 1];
        element.indices[i - 1] = i == 1 ? rest : rest % size;
        rest = i == 1 ? 0 : rest / size;
        indices = arena_printf(arena, "[%" PRId64 "]%s", element.indices[i - 1], indices);
    }
    element.name = arena_printf(arena, "%s%s", name, indices);
    element.block =
        origin->shows_block
            ? arena_printf(arena, " of block %s", dimensions_text(arena, origin->threads[0].block))
            : "";
    const struct place *place = &origin->finding->places[origin->finding->main_place];
    const bool is_update = strcmp(place->role, "atomic") == 0;
    if (read > 0) {
        const struct source_token *last = &tokens->tokens[indices_end(tokens, read) - 1];
        origin->out->column = tokens->tokens[read].column;
        origin->out->end = last->line == line ? last->column + (int)last->length : 0;
        origin->out->access = arena_printf(
            arena, "`%s` is %s by thread %s%s", element.name, is_update ? "updated" : "read",
            dimensions_text(arena, origin->threads[0].thread), element.block);
    }
    if (origin->is_shared) {
        origin->out->mark_count = unwritten_element_marks(&element, origin->out->marks);
    }
    origin->scene.bound_count = 0;
}

/* Adds the names of the other access of a race. */
static void add_other(struct origin *origin, const struct cause *cause, struct index_names *names)
{
    const struct finding *finding = origin->finding;
    const struct source_function *function = origin->scene.search.function;
    const struct place *other = &finding->places[finding->main_place == 0 ? 1 : 0];
    const size_t start = source_line_start(origin->tokens, other->line);
    struct index_names others;
    size_t array;

    if (other->line == 0 || other->line == cause->line || strcmp(other->file, cause->file) != 0 ||
        start <= function->open || start >= function->close) {
        return;
    }
    find_names(origin, other->line, other->role, &others, &array);
    for (size_t i = 0; i < others.count && names->count < NAMES_MAX; i++) {
        bool is_new = true;
        for (size_t k = 0; k < names->count; k++) {
            is_new = is_new && !token_same_name(origin->tokens, names->items[k], others.items[i]);
        }
        if (is_new) {
            names->items[names->count++] = others.items[i];
        }
    }
}

/* True if both accesses of a race write: then no barrier is missing, but an index is wrong. */
static bool are_writes(const struct finding *finding)
{
    return finding->place_count >= 2 && strcmp(finding->places[0].role, "write") == 0 &&
           strcmp(finding->places[1].role, "write") == 0;
}

static bool is_looked_at(const struct origin *origin, const struct cause *cause)
{
    const struct finding *finding = origin->finding;

    if (finding == NULL) {
        return cause->code == CODE_NOT_WRITTEN ||
               (cause->code == CODE_MISMATCH && cause->label != NULL &&
                strstr(cause->label, "never loads") != NULL);
    }
    if (finding->place_count == 0 || !finding->places[finding->main_place].has_thread) {
        return false;
    }
    switch (finding->code) {
    case CODE_GLOBAL_OUT_OF_BOUNDS:
    case CODE_SHARED_OUT_OF_BOUNDS:
    case CODE_UNINITIALISED_SHARED:
    case CODE_UNINITIALISED_GLOBAL:
    case CODE_GLOBAL_RACE:
        return true;
    case CODE_SHARED_RACE:
    case CODE_WARP_RACE:
        return are_writes(finding);
    default:
        return false;
    }
}

/* The launch of a visible case in which a call launched one kernel once; NULL: there is none. */
static const struct launch_geometry *only_launch(const struct criteria_input *input, size_t launch)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        const struct sample *sample = observation->samples;
        if (observation->launched && !observation_is_hidden(input, observation) &&
            observation->sample_count > 0 && sample->kernel_count == 1 &&
            sample->kernels[0].launches == 1 && observation->geometry.block[0] > 1 &&
            observation->geometry.grid[0] > 1) {
            return &observation->geometry;
        }
    }
    return NULL;
}

static void add_thread(struct origin *origin, const uint32_t *thread, const uint32_t *block)
{
    origin->threads[origin->thread_count++] = (struct named_thread){thread, block};
}

/* Whose values are shown; none: only the places are. */
static void choose_threads(struct origin *origin, const struct criteria_input *input, size_t launch)
{
    static const uint32_t first[3] = {0, 0, 0}, second[3] = {1, 0, 0};
    const struct finding *finding = origin->finding;

    if (finding == NULL) {
        const struct launch_geometry *only = only_launch(input, launch);
        if (only != NULL) {
            struct finding_values *values = arena_array(origin->arena, 1, sizeof *values);
            memcpy(values->grid, only->grid, sizeof values->grid);
            memcpy(values->block, only->block, sizeof values->block);
            origin->scene.values = values;
            add_thread(origin, first, first);
            add_thread(origin, second, first);
            add_thread(origin, first, second);
        }
        origin->shows_block = true;
        return;
    }
    const bool is_race = code_cause(finding->code) == CAUSE_RACE && finding->place_count > 1;
    for (size_t i = 0; i < (is_race ? 2 : 1); i++) {
        const struct place *place = &finding->places[is_race ? i : finding->main_place];
        add_thread(origin, place->thread, place->block);
        origin->shows_block =
            origin->shows_block || (place->block[0] | place->block[1] | place->block[2]) != 0;
    }
}

/* True if a finding is one of an observation's own, or says the same of arrays of the same size. */
static bool holds_finding(const struct observation *observation, const struct finding *finding)
{
    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        for (size_t j = 0; j < sample->finding_count; j++) {
            const struct finding *own = &sample->findings[j];
            if (own == finding ||
                (finding_is_same(own, finding) && own->object_bytes == finding->object_bytes &&
                 own->needed_bytes == finding->needed_bytes &&
                 strcmp(own->message, finding->message) == 0)) {
                return true;
            }
        }
    }
    return false;
}

/* The values of the macros that builds replace, in the shape in which a finding was first seen;
 * NULL if they are not known. */
static const int64_t *replaced_values(const struct criteria_input *input, struct arena *arena,
                                      size_t launch, const struct finding *finding)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    const struct rubric_program *program = &input->rubric->programs[of->program];
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    int64_t *found = NULL;

    for (size_t i = 0; i < run->observation_count && finding != NULL && program->override_count > 0;
         i++) {
        const struct observation *observation = &run->observations[i];
        int64_t values[RUBRIC_OVERRIDES_MAX] = {0};
        const bool is_first =
            !observation_is_hidden(input, observation) && finding->first_shape != NULL &&
            strcmp(shape_text(input, arena, of, observation), finding->first_shape) == 0;
        if (!is_first && !holds_finding(observation, finding)) {
            continue;
        }
        if (!case_override_values(input->rubric, program, observation->parameters,
                                  observation->block, values) ||
            (found != NULL && memcmp(found, values, sizeof values) != 0)) {
            return NULL;
        }
        if (found == NULL) {
            found = arena_array(arena, RUBRIC_OVERRIDES_MAX, sizeof *found);
            memcpy(found, values, sizeof values);
        }
    }
    return found;
}

void index_origin_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                       const struct program_source *source, const struct program_file *file,
                       const struct finding *finding, const struct cause *cause,
                       struct index_origin *out_origin)
{
    const struct source_function *function =
        source_function_of_line(&file->tokens, &file->functions, cause->line);
    struct origin origin = {
        .arena = arena, .finding = finding, .tokens = &file->tokens, .out = out_origin};
    struct index_names names;
    size_t array;

    *out_origin = (struct index_origin){.mark_max = INDEX_MARKS};
    if (finding == NULL &&
        element_origin_find(input, arena, launch, source, file, cause, out_origin)) {
        return;
    }
    if (function == NULL || !is_looked_at(&origin, cause)) {
        return;
    }
    const struct place *place = finding == NULL ? NULL : &finding->places[finding->main_place];
    const enum code code = finding == NULL ? CODE_NONE : finding->code;
    if (place != NULL && (place->line != cause->line || strcmp(place->file, cause->file) != 0)) {
        return;
    }
    const char *kernel = text_or_empty(finding == NULL ? NULL : finding->kernel);
    const char *last = strrchr(kernel, ':');
    last = last != NULL ? last + 1 : kernel;
    const bool is_kernel =
        function->is_kernel && token_is(&file->tokens, function->name, TOKEN_NAME, last);
    origin.scene = (struct value_scene){
        .arena = arena,
        .source = source,
        .program = &input->rubric->programs[input->rubric->launches[launch].program],
        .search = {.tokens = &file->tokens, .function = function, .steps = VALUE_STEPS},
        .values = is_kernel && finding != NULL ? finding->values : NULL,
    };
    origin.is_bounds = code == CODE_GLOBAL_OUT_OF_BOUNDS || code == CODE_SHARED_OUT_OF_BOUNDS;
    origin.is_shared = code == CODE_SHARED_OUT_OF_BOUNDS || code == CODE_UNINITIALISED_SHARED ||
                       code == CODE_SHARED_RACE || code == CODE_WARP_RACE;
    out_origin->mark_max = origin.is_bounds ? INDEX_MARKS_MAX : INDEX_MARKS;
    origin.scene.replaced = replaced_values(input, arena, launch, finding);
    choose_threads(&origin, input, launch);
    find_names(&origin, cause->line,
               place != NULL                     ? place->role
               : cause->code == CODE_NOT_WRITTEN ? "write"
                                                 : "",
               &names, &array);
    if (code_cause(code) == CAUSE_RACE && finding->place_count > 1) {
        add_other(&origin, cause, &names);
    }
    if (origin.is_bounds) {
        mark_condition(&origin, cause, place->role, &names);
    }
    if (code_cause(code) == CAUSE_UNINITIALISED && (finding->object != NULL || !origin.is_shared)) {
        look_at_unwritten(&origin, cause->line);
    }
    const bool is_explained = origin.out->mark_count > 0;
    if (origin.thread_count > 0 || finding == NULL) {
        mark_names(&origin, &names, cause->line);
    }
    if (code == CODE_UNINITIALISED_SHARED && finding->object != NULL && !is_explained) {
        mark_store(&origin, cause->line);
        mark_stored_element(&origin, cause->line);
    }
}
