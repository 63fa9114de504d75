/* unwritten_element.c: see unwritten_element.h. */
#include "diagnosis/location/unwritten_element.h"

#include "diagnosis/grouping/diagnostic_marks.h"

#include "source/source_search.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    STORES_MAX = 3,
    LOOPS_MAX = BOUND_NAMES_MAX,
    PARTS_MAX = 16,
    ROUNDS_MAX = 1 << 16,
    THREADS_MAX = 1024,
    EXTENT_MAX = 1 << 16,
    CALLS_MAX = 16,
    CALL_TOKENS_MAX = 64,
    RUNS_SHOWN = 2,
    CONDITION_SHOWN = 60
};

/* A `for` around a store, the counter of which only its head changes. */
struct counter_loop {
    size_t name; /* source_set.name */
    struct token_range start, condition, step;
    bool is_one;                     /* ++ */
    int64_t first_start, last_start; /* of all threads */
    int64_t by;                      /* that it goes on by; 0: it did not */
};

/* A part of a condition that must be as it is for a store to be reached. */
struct guard_part {
    struct token_range range;
    bool is_true, selects; /* compares with == */
};

/* Threads that would store the element. */
struct storing_threads {
    size_t count;
    uint32_t first[3];
    unsigned outside; /* of the parts: those that keep all of them out */
};

/* A store, and what is found out about it. */
struct store {
    size_t at; /* the array's name */
    struct counter_loop loops[LOOPS_MAX];
    size_t loop_count; /* from the outermost */
    struct guard_part parts[PARTS_MAX];
    size_t part_count;
    bool *gets_to[EXTENTS_MAX];           /* [extent] of each dimension */
    struct storing_threads all, selected; /* `selected`: as the parts with == have them */
    bool is_taken;                        /* one of them is let in, or may be */
};

struct search {
    struct unwritten_element *element;
    struct value_scene *scene;
    const struct source_tokens *tokens;
    size_t rounds, calls;
    struct store stores[STORES_MAX];
    size_t store_count;
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static bool word_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_NAME, text);
}

/* What is in front of a store ******************************************************************/

/* Reads the loop that a condition belongs to; false if it is another loop than `for`, or its
 * counter does not go up by what is added to it. */
static bool read_loop(struct search *search, struct token_range condition,
                      struct counter_loop *out_loop)
{
    const struct source_tokens *tokens = search->tokens;
    struct source_set set;
    size_t open = condition.first;

    while (open > 0 && !(sign_is(tokens, open, "(") && tokens->partners[open] >= condition.end)) {
        open--;
    }
    const size_t close = token_close(tokens, open) - 1;
    if (open == 0 || !word_is(tokens, open - 1, "for") || close < condition.end + 3) {
        return false;
    }
    const size_t step = condition.end + 1;
    const bool is_before = sign_is(tokens, step, "++");
    const size_t name = is_before ? step + 1 : step;
    if (!source_find_set(&search->scene->search, name, &set) || set.loop != open - 1) {
        return false;
    }
    *out_loop = (struct counter_loop){
        .name = set.name,
        .start = set.value,
        .condition = condition,
        .step = {step + 2, close},
        .is_one = (is_before || sign_is(tokens, step + 1, "++")) && close == step + 2,
        .first_start = INT64_MAX,
        .last_start = INT64_MIN,
    };
    return out_loop->is_one || (sign_is(tokens, step + 1, "+=") && close > step + 2);
}

/* Adds the parts of a condition; false if there are too many. */
static bool add_parts(struct search *search, const struct access_guard *guard, struct store *store)
{
    const struct source_tokens *tokens = search->tokens;
    struct token_range parts[CONDITION_PARTS_MAX];
    const size_t count = source_condition_parts(tokens, guard, parts);

    if (count == 0 || count > PARTS_MAX - store->part_count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool selects = false;
        for (size_t k = parts[i].first; k < parts[i].end; k++) {
            selects = selects || sign_is(tokens, k, guard->is_true ? "==" : "!=");
        }
        store->parts[store->part_count++] = (struct guard_part){parts[i], guard->is_true, selects};
    }
    return true;
}

static struct token_range next_index(const struct source_tokens *tokens, size_t *open)
{
    const size_t first = *open + 1;

    *open = token_close(tokens, *open);
    return (struct token_range){first, *open - 1};
}

static bool read_indices(struct search *search, const struct store *store,
                         int64_t out_indices[EXTENTS_MAX])
{
    size_t open = store->at + 1;

    for (size_t i = 0; i < search->element->extents.count; i++) {
        if (!thread_value(search->scene, next_index(search->tokens, &open), &out_indices[i])) {
            return false;
        }
    }
    return true;
}

/* Reads what is in front of a store: its conditions, and the innermost loops that its index needs.
 * False if it is not known. */
static bool read_store(struct search *search, struct store *store)
{
    static const uint32_t first[3] = {0};
    struct access_guard guards[ACCESS_GUARDS_MAX];
    int64_t indices[EXTENTS_MAX];
    struct value_scene *scene = search->scene;
    const size_t count =
        source_find_guards(search->tokens, scene->search.function, store->at, guards);

    if (count == ACCESS_GUARDS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!guards[i].is_loop && !add_parts(search, &guards[i], store)) {
            return false;
        }
    }
    scene->thread = first;
    scene->bound_count = 0;
    for (size_t i = count; i > 0 && !read_indices(search, store, indices); i--) {
        struct counter_loop loop;
        if (!guards[i - 1].is_loop) {
            continue;
        }
        if (store->loop_count == LOOPS_MAX || !read_loop(search, guards[i - 1].condition, &loop)) {
            return false;
        }
        memmove(store->loops + 1, store->loops, store->loop_count * sizeof loop);
        store->loops[0] = loop;
        store->loop_count++;
        scene->bound[scene->bound_count++] = (struct bound_name){loop.name, 0};
    }
    const bool is_known = read_indices(search, store, indices);
    scene->bound_count = 0;
    return is_known;
}

/* Rounds of a store ****************************************************************************/

static void add_thread(const uint32_t *thread, unsigned outside, struct storing_threads *threads)
{
    if (threads->count++ == 0) {
        memcpy(threads->first, thread, sizeof threads->first);
        threads->outside = outside;
    }
    threads->outside &= outside;
}

/* One store by one thread. */
static bool go_to_store(struct search *search, struct store *store)
{
    const struct unwritten_element *element = search->element;
    int64_t indices[EXTENTS_MAX];
    bool is_it = true, is_selected = true;
    unsigned outside = 0;

    if (!read_indices(search, store, indices)) {
        return false;
    }
    for (size_t i = 0; i < element->extents.count; i++) {
        is_it = is_it && indices[i] == element->indices[i];
        if (indices[i] >= 0 && indices[i] < element->extents.sizes[i]) {
            store->gets_to[i][indices[i]] = true;
        }
    }
    for (size_t i = 0; i < store->part_count && is_it; i++) {
        const struct guard_part *part = &store->parts[i];
        int64_t value;
        if (thread_value(search->scene, part->range, &value) && (value != 0) != part->is_true) {
            outside |= 1u << i;
            is_selected = is_selected && !part->selects;
        }
    }
    if (is_it) {
        store->is_taken = store->is_taken || outside == 0;
        add_thread(search->scene->thread, outside, &store->all);
        if (is_selected) {
            add_thread(search->scene->thread, outside, &store->selected);
        }
    }
    return true;
}

/* Lets a counter go on; false if it is not known by how much. */
static bool go_on(struct value_scene *scene, size_t at, struct counter_loop *loop, int64_t *value)
{
    int64_t step = 1;

    scene->bound_count = at + 1;
    scene->bound[at].value = *value;
    if ((!loop->is_one && !thread_value(scene, loop->step, &step)) || step <= 0 ||
        __builtin_add_overflow(*value, step, value) || *value > INT32_MAX) {
        return false;
    }
    loop->by = step;
    return true;
}

/* The values of the counters for one thread, from a loop to the innermost one. */
static bool go_through_loops(struct search *search, struct store *store, size_t at)
{
    struct value_scene *scene = search->scene;
    struct counter_loop *loop = &store->loops[at];
    int64_t value, is_inside = 1;

    if (at == store->loop_count) {
        return go_to_store(search, store);
    }
    scene->bound_count = at;
    if (!thread_value(scene, loop->start, &value)) {
        return false;
    }
    loop->first_start = value < loop->first_start ? value : loop->first_start;
    loop->last_start = value > loop->last_start ? value : loop->last_start;
    for (; search->rounds > 0; search->rounds--) {
        scene->bound_count = at + 1;
        scene->bound[at] = (struct bound_name){loop->name, value};
        if (!thread_value(scene, loop->condition, &is_inside)) {
            return false;
        }
        if (is_inside == 0) {
            return true;
        }
        if (!go_through_loops(search, store, at + 1) || !go_on(scene, at, loop, &value)) {
            return false;
        }
    }
    return false;
}

/* All threads of the block; false if something is not known, or is too much. */
static bool go_through_threads(struct search *search, struct store *store)
{
    const uint32_t *size = search->scene->values->block;
    const uint64_t count = (uint64_t)size[0] * size[1] * size[2];

    for (uint64_t i = 0; i < count && count <= THREADS_MAX; i++) {
        const uint32_t thread[3] = {(uint32_t)(i % size[0]), (uint32_t)(i / size[0] % size[1]),
                                    (uint32_t)(i / size[0] / size[1])};
        search->scene->thread = thread;
        const bool is_known = go_through_loops(search, store, 0);
        search->scene->thread = NULL;
        if (!is_known) {
            return false;
        }
    }
    return count <= THREADS_MAX;
}

/* Stores ***************************************************************************************/

static size_t blanks_at(const char *text, const char *end)
{
    size_t count = 0;

    while (text + count < end && (text[count] == ' ' || text[count] == '\t')) {
        count++;
    }
    return count;
}

static bool is_letter(char character)
{
    return character == '_' || isalnum((unsigned char)character) != 0;
}

/* True if a text has a token as a word. */
static bool has_word(const char *text, const char *end, const struct source_token *word)
{
    const char *at = text;

    while ((at = memmem(at, (size_t)(end - at), word->text, word->length)) != NULL) {
        const char *after = at + word->length;
        if ((at == text || !is_letter(at[-1])) && (after == end || !is_letter(*after))) {
            return true;
        }
        at++;
    }
    return false;
}

/* True if a macro of a file has the array's name in its text, which may store an element then. */
static bool has_macro_of(const struct source_file *file, const struct source_token *array)
{
    const char *const end = file->text + file->length;
    bool goes_on = false; /* from the line before */

    for (const char *line = file->text; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next == NULL ? end : next + 1;
        line += blanks_at(line, next);
        if (!goes_on && line < next && *line == '#') {
            line += 1 + blanks_at(line + 1, next);
            goes_on = (size_t)(next - line) > 6 && memcmp(line, "define", 6) == 0;
        }
        if (goes_on && has_word(line, next, array)) {
            return true;
        }
        goes_on = goes_on && memchr(line, '\\', (size_t)(next - line)) != NULL;
        line = next;
    }
    return false;
}

/* True if more than this function's own tokens may store elements: macros of the program. */
static bool has_macros(const struct search *search)
{
    const struct program_source *source = search->scene->source;
    bool has_one = false;

    for (size_t i = 0; i < source->count && !has_one; i++) {
        has_one = has_macro_of(source->files[i].tokens.file,
                               &search->tokens->tokens[search->element->array]);
    }
    return has_one;
}

/* True if an element whose name and indices are [name, end) may be changed by another name: it is
 * given to a function of the program, or a reference is made of it. */
static bool is_given_away(struct search *search, size_t name, size_t end)
{
    const struct source_tokens *tokens = search->tokens;
    const char *call;
    struct file_token unused;
    size_t open = name - 1;

    if (sign_is(tokens, open, "=")) {
        return sign_is(tokens, open - 2, "&");
    }
    if ((!sign_is(tokens, open, "(") && !sign_is(tokens, open, ",")) ||
        (!sign_is(tokens, end, ")") && !sign_is(tokens, end, ","))) {
        return false;
    }
    for (size_t i = 0; !sign_is(tokens, open, "("); i++) {
        if (i == CALL_TOKENS_MAX || open <= search->scene->search.function->open) {
            return true;
        }
        open = tokens->partners[open] < open ? tokens->partners[open] : open;
        open--;
    }
    const struct source_token *before = &tokens->tokens[open - 1];
    if (before->kind != TOKEN_NAME || search->calls++ == CALLS_MAX) {
        return true;
    }
    call = arena_strndup(search->scene->arena, before->text, before->length);
    return strcmp(call, "swap") == 0 || find_definitions(search->scene->source, call, &unused) > 0;
}

/* Finds the stores; false if the array is used in another way than element by element, or the
 * function does more than conditions and loops. */
static bool find_stores(struct search *search)
{
    static const char *const jumps[] = {"break", "goto", "switch", "asm", "do", NULL};
    const struct source_tokens *tokens = search->tokens;
    const struct source_function *function = search->scene->search.function;
    const struct array_extents *extents = &search->element->extents;
    struct declared_type type;
    bool is_declared = false;

    if (has_macros(search)) {
        return false;
    }
    for (size_t i = function->open + 1; i < function->close; i++) {
        for (size_t k = 0; jumps[k] != NULL; k++) {
            if (word_is(tokens, i, jumps[k])) {
                return false;
            }
        }
        const bool is_lambda =
            sign_is(tokens, i, "[") && (sign_is(tokens, i - 1, "=") ||
                                        sign_is(tokens, i - 1, "(") || sign_is(tokens, i - 1, ","));
        if (is_lambda) {
            return false;
        }
        if (!token_same_name(tokens, i, search->element->array)) {
            continue;
        }
        size_t end = i + 1;
        size_t count = 0;
        for (; sign_is(tokens, end, "["); end = token_close(tokens, end)) {
            count++;
        }
        if (count != extents->count || sign_is(tokens, i - 1, "&") || sign_is(tokens, end, ".") ||
            (is_declared && source_declared_type(tokens, i, &type)) ||
            is_given_away(search, i, end)) {
            return false;
        }
        const bool is_step = sign_is(tokens, end, "++") || sign_is(tokens, end, "--") ||
                             sign_is(tokens, i - 1, "++") || sign_is(tokens, i - 1, "--");
        if (is_declared && (is_step || token_assigns(tokens, end))) {
            if (search->store_count == STORES_MAX) {
                return false;
            }
            search->stores[search->store_count++] = (struct store){.at = i};
        }
        is_declared = true;
    }
    return search->store_count > 0;
}

static bool look_at_store(struct search *search, struct store *store)
{
    const struct array_extents *extents = &search->element->extents;

    for (size_t i = 0; i < extents->count; i++) {
        if (extents->sizes[i] <= 0 || extents->sizes[i] > EXTENT_MAX) {
            return false;
        }
        store->gets_to[i] =
            arena_array(search->scene->arena, (size_t)extents->sizes[i], sizeof *store->gets_to[i]);
    }
    return read_store(search, store) && go_through_threads(search, store) && !store->is_taken;
}

/* Marks ****************************************************************************************/

static struct cause_mark mark_at(const struct search *search, size_t at, const char *label)
{
    const struct source_token *token = &search->tokens->tokens[at];

    return (struct cause_mark){search->tokens->file->name, token->line, token->column, label};
}

/* "0 to 15 and 32 to 35"; NULL: these are none, or too many runs. */
static const char *runs_text(struct arena *arena, const bool *gets_to, int64_t size)
{
    const char *text = NULL;
    size_t count = 0;

    for (int64_t i = 0; i < size; i++) {
        const int64_t first = i;
        while (i < size && gets_to[i]) {
            i++;
        }
        if (i == first) {
            continue;
        }
        if (count++ == RUNS_SHOWN) {
            return NULL;
        }
        const char *run = i == first + 1
                              ? arena_printf(arena, "%" PRId64, first)
                              : arena_printf(arena, "%" PRId64 " to %" PRId64, first, i - 1);
        text = text == NULL ? run : arena_printf(arena, "%s and %s", text, run);
    }
    return text;
}

/* The counter that an index of the store is, if its steps leave elements out. */
static bool mark_gaps(const struct search *search, const struct store *store, size_t dimension,
                      struct cause_mark *out_mark)
{
    struct arena *arena = search->scene->arena;
    struct token_range index = {0, 0};
    struct source_set set;
    size_t open = store->at + 1;

    for (size_t i = 0; i <= dimension; i++) {
        index = next_index(search->tokens, &open);
    }
    if (index.end != index.first + 1 ||
        !source_find_set(&search->scene->search, index.first, &set)) {
        return false;
    }
    for (size_t i = 0; i < store->loop_count; i++) {
        const struct counter_loop *loop = &store->loops[i];
        if (loop->name != set.name || loop->by <= loop->last_start - loop->first_start + 1) {
            continue;
        }
        const char *to = loop->first_start == loop->last_start
                             ? ""
                             : arena_printf(arena, " to %" PRId64, loop->last_start);
        *out_mark =
            mark_at(search, loop->name,
                    arena_printf(arena, "`%s` starts at %" PRId64 "%s and goes on by %" PRId64,
                                 source_text(arena, search->tokens, loop->name, loop->name + 1),
                                 loop->first_start, to, loop->by));
        return true;
    }
    return false;
}

/* A store that gets to other elements alone: "only rows 0 to 15 are stored here". */
static size_t mark_range(const struct search *search, const struct store *store,
                         struct cause_mark out_marks[UNWRITTEN_MARKS_MAX])
{
    static const char *const words[][2] = {{"element", NULL}, {"row", "column"}};
    const struct unwritten_element *element = search->element;
    struct arena *arena = search->scene->arena;
    const size_t dimensions = element->extents.count;
    size_t at = 0;

    while (at < dimensions && store->gets_to[at][element->indices[at]]) {
        at++;
    }
    if (dimensions > 2 || at == dimensions) {
        return 0;
    }
    const char *word = words[dimensions - 1][at];
    const char *runs = runs_text(arena, store->gets_to[at], element->extents.sizes[at]);
    const bool is_one = runs != NULL && strchr(runs, ' ') == NULL;
    const char *label = runs == NULL ? arena_printf(arena, "no thread stores %s %" PRId64 " here",
                                                    word, element->indices[at])
                                     : arena_printf(arena, "only %s%s %s %s stored here", word,
                                                    is_one ? "" : "s", runs, is_one ? "is" : "are");
    out_marks[0] = mark_at(search, store->at, label);

    return mark_gaps(search, store, at, &out_marks[1]) ? 2 : 1;
}

/* A store that a condition keeps the thread out of. */
static bool mark_guard(const struct search *search, const struct store *store,
                       struct cause_mark *out_mark)
{
    const struct unwritten_element *element = search->element;
    struct arena *arena = search->scene->arena;
    const struct storing_threads *threads =
        store->selected.count > 0 ? &store->selected : &store->all;

    if (threads->outside == 0) {
        return false;
    }
    const struct guard_part *part = &store->parts[__builtin_ctz(threads->outside)];
    const char *condition = source_text(arena, search->tokens, part->range.first, part->range.end);
    condition = condition == NULL || strlen(condition) > CONDITION_SHOWN
                    ? "this condition"
                    : arena_printf(arena, "`%s`", condition);
    const char *is = part->is_true ? "false" : "true";
    *out_mark =
        mark_at(search, part->range.first,
                threads->count == 1
                    ? arena_printf(arena, "%s is %s in thread %s%s, which alone would store `%s`",
                                   condition, is, dimensions_text(arena, threads->first),
                                   element->block, element->name)
                    : arena_printf(arena, "%s is %s in all threads that would store `%s`",
                                   condition, is, element->name));
    return true;
}

/* True if the array has such an element. */
static bool is_inside(const struct unwritten_element *element)
{
    for (size_t i = 0; i < element->extents.count; i++) {
        if (element->indices[i] < 0 || element->indices[i] >= element->extents.sizes[i]) {
            return false;
        }
    }
    return true;
}

size_t unwritten_element_marks(struct unwritten_element *element,
                               struct cause_mark out_marks[UNWRITTEN_MARKS_MAX])
{
    struct search search = {.element = element,
                            .scene = element->scene,
                            .tokens = element->tokens,
                            .rounds = ROUNDS_MAX};
    size_t count = 0, storing = 0;
    const struct store *kept_out = NULL;

    if (element->scene->values == NULL || !is_inside(element) || !find_stores(&search)) {
        return 0;
    }
    for (size_t i = 0; i < search.store_count; i++) {
        if (!look_at_store(&search, &search.stores[i])) {
            return 0;
        }
    }
    for (size_t i = 0; i < search.store_count && count < UNWRITTEN_MARKS_MAX; i++) {
        const struct store *store = &search.stores[i];
        if (store->all.count > 0) {
            kept_out = mark_guard(&search, store, &out_marks[count]) ? store : kept_out;
            count += kept_out == store ? 1 : 0;
            storing++;
        }
    }
    if (count == 1 && storing == 1) {
        out_marks[count++] =
            mark_at(&search, kept_out->at,
                    arena_printf(search.scene->arena, "the only store of `%s`", element->name));
    }
    if (count == 0 && search.store_count == 1) {
        count = mark_range(&search, &search.stores[0], out_marks);
    }
    return count;
}
