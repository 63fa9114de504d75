/* person_index.c: people by a sorted index of what identifies them; see person_index.h.
 *
 *     kind                what of a person         what of an entry
 *     k  the key itself   student                  student
 *     c  Canvas           canvas_id                canvas_id
 *     m  Moodle           moodle_id                moodle_id
 *     l  login            login                    login
 *     e  address          email                    email
 *     i  any id           id, sis_id, login,       student
 *                         email, what is before @
 *     n  name             its words, whichever     name, then student
 *                         comes first
 *
 * All but the key are compared as file names are: upper and lower case are one. Kinds are tried in
 * this order; the first that leads to exactly one person decides.
 */
#include "batch/person_index.h"

#include "base/text.h"
#include "submission/entry_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WORDS_MAX = 12 };

struct person_fact {
    const char *key; /* [length] the kind and what is compared: bytes */
    size_t length;
    size_t person;
};

static struct person_fact make_fact(struct arena *arena, char kind, const char *value,
                                    size_t length)
{
    struct text key;

    text_init(&key);
    text_append_char(&key, kind);
    if (kind == 'k') {
        text_append_bytes(&key, value, length);
    } else {
        entry_name_key(arena_strndup(arena, value, length), &key);
    }
    const struct person_fact fact = {
        .key = arena_strndup(arena, key.bytes, key.length),
        .length = key.length,
    };
    text_release(&key);
    return fact;
}

static void add_fact(struct person_index *index, char kind, const char *value, size_t length,
                     size_t person)
{
    if (length > 0) {
        arena_grow(index->arena, &index->facts, &index->capacity, index->count + 1,
                   sizeof *index->facts);
        index->facts[index->count] = make_fact(index->arena, kind, value, length);
        index->facts[index->count++].person = person;
    }
}

/* The words of a name: letters and digits; all beyond ASCII counts as such. */
static size_t split_words(const char *name, const char *words[NAME_WORDS_MAX],
                          size_t lengths[NAME_WORDS_MAX])
{
    size_t count = 0;

    while (*name != '\0' && count < NAME_WORDS_MAX) {
        size_t length = 0;
        while (isalnum((unsigned char)name[length]) || ((unsigned char)name[length] & 0x80) != 0) {
            length++;
        }
        if (length > 0) {
            words[count] = name;
            lengths[count++] = length;
        }
        name += length + (name[length] != '\0');
    }
    return count;
}

/* The words from `first` on and then those before it, without blanks: "Doe, Jane" and "Jane Doe"
 * have "doejane" in common, which is what Canvas writes. */
static const char *rotated_name(struct arena *arena, const char *name, size_t first)
{
    const char *words[NAME_WORDS_MAX];
    size_t lengths[NAME_WORDS_MAX];
    size_t count = split_words(name, words, lengths);
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + i) % count;
        text_append_bytes(&all, words[at], lengths[at]);
    }
    const char *copy = arena_strdup(arena, all.bytes);
    text_release(&all);
    return copy;
}

void person_index_add(struct person_index *index, const struct class_person *person, size_t number)
{
    const char *words[NAME_WORDS_MAX];
    size_t lengths[NAME_WORDS_MAX];
    const char *const ids[] = {person->id, person->sis_id, person->login, person->email};

    add_fact(index, 'k', person->student, strlen(person->student), number);
    add_fact(index, 'c', person->canvas_id, strlen(person->canvas_id), number);
    add_fact(index, 'm', person->moodle_id, strlen(person->moodle_id), number);
    add_fact(index, 'l', person->login, strlen(person->login), number);
    add_fact(index, 'e', person->email, strlen(person->email), number);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        add_fact(index, 'i', ids[i], strlen(ids[i]), number);
    }
    add_fact(index, 'i', person->email, strcspn(person->email, "@"), number);
    size_t word_count = split_words(person->name, words, lengths);
    for (size_t i = 0; i < word_count; i++) {
        const char *name = rotated_name(index->arena, person->name, i);
        add_fact(index, 'n', name, strlen(name), number);
    }
}

static int compare_facts(const void *left, const void *right)
{
    const struct person_fact *a = left;
    const struct person_fact *b = right;
    int order = memcmp(a->key, b->key, a->length < b->length ? a->length : b->length);

    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

void person_index_sort(struct person_index *index)
{
    if (index->count > 0) {
        qsort(index->facts, index->count, sizeof *index->facts, compare_facts);
    }
}

/* The person whom a fact names: as person_index_find(). */
static long find_person(const struct person_index *index, char kind, const char *value)
{
    long found = PERSON_NOBODY;

    if (text_or_empty(value)[0] == '\0' || index->count == 0) {
        return PERSON_NOBODY;
    }
    const struct person_fact wanted = make_fact(index->arena, kind, value, strlen(value));
    const struct person_fact *fact =
        bsearch(&wanted, index->facts, index->count, sizeof *index->facts, compare_facts);
    while (fact != NULL && fact > index->facts && compare_facts(fact - 1, &wanted) == 0) {
        fact--;
    }
    for (; fact != NULL && fact < index->facts + index->count && compare_facts(fact, &wanted) == 0;
         fact++) {
        bool is_other = found >= 0 && (size_t)found != fact->person;
        if (is_other) {
            return PERSON_SEVERAL;
        }
        found = (long)fact->person;
    }
    return found;
}

long person_index_find(const struct person_index *index, const struct class_entry *entry)
{
    const struct {
        char kind;
        const char *value;
    } clues[] = {
        {'k', entry->student},
        {'c', entry->canvas_id},
        {'m', entry->moodle_id},
        {'l', entry->login},
        {'e', entry->email},
        {'i', entry->student},
        {'n', rotated_name(index->arena, text_or_empty(entry->name), 0)},
        {'n', rotated_name(index->arena, entry->student, 0)},
    };
    long several = PERSON_NOBODY;

    for (size_t i = 0; i < sizeof clues / sizeof clues[0]; i++) {
        long found = find_person(index, clues[i].kind, clues[i].value);
        if (found >= 0) {
            return found;
        }
        several = found == PERSON_SEVERAL ? PERSON_SEVERAL : several;
    }
    return several;
}
