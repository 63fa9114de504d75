/* explain.c: finds codes; see explain.h. What is nearest to an unknown word is told by the edit
 * distance to ids and names.
 */
#include "explain/explain.h"

#include "base/near_word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    char letter;
    const char *title;
} families[] = {
#define FAMILY(letter, title) {letter, title},
#include "explain/families.def"
#undef FAMILY
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

bool explain_find(const char *word, enum code *out_code)
{
    for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
        if (strcasecmp(word, code_id((enum code)code)) == 0 ||
            strcasecmp(word, code_name((enum code)code)) == 0) {
            *out_code = (enum code)code;
            return true;
        }
    }
    return false;
}

static size_t family_index(enum code code)
{
    size_t i = 0;

    while (i < FAMILY_COUNT && families[i].letter != code_id(code)[0]) {
        i++;
    }
    return i;
}

const char *explain_family(enum code code)
{
    size_t i = family_index(code);

    return i < FAMILY_COUNT ? families[i].title : "other";
}

static int compare_places(const void *left, const void *right)
{
    enum code left_code = *(const enum code *)left;
    enum code right_code = *(const enum code *)right;
    size_t left_family = family_index(left_code);
    size_t right_family = family_index(right_code);

    if (left_family != right_family) {
        return left_family < right_family ? -1 : 1;
    }
    return strcmp(code_id(left_code), code_id(right_code));
}

size_t explain_list(enum code *out_codes)
{
    size_t count = 0;

    for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
        out_codes[count++] = (enum code)code;
    }
    qsort(out_codes, count, sizeof *out_codes, compare_places);
    return count;
}

static size_t least(size_t left, size_t right)
{
    return left < right ? left : right;
}

/* True if the word stands for several codes, this one among them: "R", "R9", "race". */
static bool is_group(const char *word, enum code code)
{
    bool is_family = toupper((unsigned char)word[0]) == code_id(code)[0] &&
                     word[1 + strspn(word + 1, "0123456789")] == '\0';

    return is_family || strcasecmp(word, cause_name(code_cause(code))) == 0;
}

/* How far a code is from a word; SIZE_MAX: nothing like it. */
static size_t distance_of(const char *word, enum code code)
{
    static const size_t id_limit = 1;
    size_t length = strlen(word);
    size_t id_distance = near_word_distance(word, code_id(code));
    size_t name_distance = near_word_distance(word, code_name(code));
    size_t distance = SIZE_MAX;

    if (is_group(word, code)) {
        distance = 1;
    }
    if (id_distance <= id_limit && length > 2) {
        distance = least(distance, id_distance);
    }
    if (name_distance <= length / 3) {
        distance = least(distance, name_distance);
    }
    if (length >= 3 && strcasestr(code_name(code), word) != NULL) {
        distance = least(distance, strlen(code_name(code)) - length);
    }
    return distance;
}

size_t explain_nearest(const char *word, enum code *out_codes, size_t most)
{
    enum code codes[CODE_COUNT];
    size_t distances[CODE_COUNT] = {SIZE_MAX};
    size_t count = explain_list(codes);
    size_t found = 0;

    if (word[0] == '\0' || strlen(word) > NEAR_WORD_BYTES_MAX) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        distances[i] = distance_of(word, codes[i]);
    }
    while (found < most) {
        size_t nearest = 0;
        for (size_t i = 1; i < count; i++) {
            nearest = distances[i] < distances[nearest] ? i : nearest;
        }
        if (distances[nearest] == SIZE_MAX) {
            break;
        }
        out_codes[found++] = codes[nearest];
        distances[nearest] = SIZE_MAX;
    }
    return found;
}
