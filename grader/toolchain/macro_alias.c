/* macro_alias.c: see macro_alias.h.
 *
 * A list of names begins with the overrides. The value of each is read; where it is one name that
 * is not in the list, that is added. What was added in one round is looked for in the sources in
 * one pass, so a program is read as often as a chain is long, ROUNDS_MAX times at most.
 */
#include "toolchain/macro_alias.h"

#include "toolchain/initial_value.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 4 };

struct names {
    struct arena *arena;
    struct rubric_override *names;    /* [count] */
    struct macro_location *locations; /* [count] */
    size_t *next;                     /* [count]: what the value of each is, SIZE_MAX: no name */
    bool *is_constant;                /* [count]: it has numbers and no names */
    bool *is_mentioned; /* [count][count]: where a name stands in a value of the first */
    size_t count, override_count;
};

void macro_alias_survey(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_override *overrides, size_t count,
                        struct macro_location *locations, const char **files)
{
    enum macro_location_kind *before = arena_array(arena, count + 1, sizeof *before);

    for (size_t i = 0; i < tree->count; i++) {
        const struct source_tree_file *file = &tree->files[i];
        if (!file->is_reached || file->text == NULL) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            before[k] = locations[k].kind;
        }
        macro_survey(arena, file->text, file->length, overrides, count, locations);
        for (size_t k = 0; k < count && files != NULL; k++) {
            files[k] = locations[k].kind > before[k] ? file->name : files[k];
        }
    }
}

/* Values ****************************************************************************************/

/* Is it of those that numbers are computed with? */
static bool is_of_numbers(const struct source_lexeme *token)
{
    return token->kind == SOURCE_NUMBER || token->kind == SOURCE_WORD ||
           (token->kind == SOURCE_SYMBOL && token->symbol >= ' ' &&
            strchr("()<>+-*/%&|^~", token->symbol) != NULL);
}

/* Reads the value of a definition once more; false if it is neither numbers nor one name. */
static bool read_value(const struct macro_location *location, struct source_lexer *lexer,
                       struct initial_value *out_value)
{
    bool is_number = true;

    if (location->count != 1 || location->value == NULL) { /* several decide it, or none */
        return false;
    }
    *out_value = INITIAL_VALUE_EMPTY;
    source_lexer_init(lexer, location->value->text, location->value->length);
    for (;;) {
        struct source_lexeme token = source_lexer_next(lexer);
        if (token.kind == SOURCE_END) {
            break;
        }
        is_number &= is_of_numbers(&token);
        initial_value_take(lexer, &token, out_value);
    }
    initial_value_end(out_value);
    is_number &= out_value->names == 0 && out_value->numbers > 0;
    return is_number || out_value->is_name;
}

/* The list **************************************************************************************/

/* The place of a name in the list, which gets it if need be; SIZE_MAX for one in pieces. */
static size_t find_name(struct names *list, const struct source_lexer *lexer,
                        const struct source_lexeme *word)
{
    const char *text = lexer->text + word->start;
    size_t length = word->end - word->start;

    for (size_t i = 0; i < list->count; i++) {
        if (source_lexeme_is(lexer, word, list->names[i].name)) {
            return i;
        }
    }
    if (memchr(text, '\\', length) != NULL) {
        return SIZE_MAX;
    }
    list->names[list->count].name = arena_strndup(list->arena, text, length);
    return list->count++;
}

/* Reads the values of the names from `begin` to `end` and adds those that they are. */
static void read_values(struct names *list, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        struct source_lexer lexer;
        struct initial_value value;
        if (list->locations[i].kind < MACRO_OUTSIDE ||
            !read_value(&list->locations[i], &lexer, &value)) {
            continue;
        }
        list->is_constant[i] = !value.is_name;
        if (value.is_name) {
            list->next[i] = find_name(list, &lexer, &value.name);
        }
    }
}

/* Notes which names stand in a value of another. */
static void read_mentions(struct names *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct macro_value *value = list->locations[i].values;
        for (; value != NULL; value = value->next) {
            struct source_lexer lexer;
            struct source_lexeme token;
            source_lexer_init(&lexer, value->text, value->length);
            do {
                token = source_lexer_next(&lexer);
                for (size_t k = 0; k < list->count && token.kind == SOURCE_WORD; k++) {
                    list->is_mentioned[i * list->count + k] |=
                        source_lexeme_is(&lexer, &token, list->names[k].name);
                }
            } while (token.kind != SOURCE_END);
        }
    }
}

/* The name that ends the chain of one. */
static size_t end_of(const struct names *list, size_t index)
{
    for (size_t i = 0; i < list->count && list->next[index] != SIZE_MAX; i++) {
        index = list->next[index];
    }
    return index;
}

/* Is it the second name of all that end in it, and of nothing else? */
static bool is_second(const struct names *list, size_t end)
{
    if (end < list->override_count || !list->is_constant[end]) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        bool is_member = end_of(list, i) == end;
        if (is_member && i >= list->override_count &&
            strcasestr(list->names[i].name, "warp") != NULL) {
            return false;
        }
        for (size_t k = 0; k < list->count && !is_member; k++) {
            if (list->is_mentioned[i * list->count + k] && end_of(list, k) == end) {
                return false;
            }
        }
    }
    return true;
}

void macro_alias_find(struct arena *arena, const struct source_tree *tree,
                      const struct rubric_override *overrides, size_t count,
                      struct macro_location *locations)
{
    size_t capacity = (ROUNDS_MAX + 2) * count + 1; /* a round adds one for each of the last */
    struct names list = {
        .arena = arena,
        .names = arena_array(arena, capacity, sizeof *list.names),
        .locations = arena_array(arena, capacity, sizeof *list.locations),
        .next = arena_array(arena, capacity, sizeof *list.next),
        .is_constant = arena_array(arena, capacity, sizeof *list.is_constant),
        .count = count,
        .override_count = count,
    };
    size_t begin = 0;

    for (size_t i = 0; i < capacity; i++) {
        list.next[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        list.names[i] = overrides[i];
        list.locations[i] = locations[i];
    }
    for (int round = 0; round <= ROUNDS_MAX && begin < list.count; round++) {
        size_t end = list.count;
        read_values(&list, begin, end);
        if (list.count > end && round < ROUNDS_MAX) {
            macro_alias_survey(arena, tree, list.names + end, list.count - end,
                               list.locations + end, NULL);
        }
        begin = end;
    }
    if (list.count == count) {
        return;
    }
    list.is_mentioned = arena_array(arena, list.count * list.count, sizeof *list.is_mentioned);
    read_mentions(&list);
    for (size_t i = 0; i < count; i++) {
        size_t end = end_of(&list, i);
        if (is_second(&list, end)) {
            locations[i].second = list.names[end].name;
        }
    }
}
