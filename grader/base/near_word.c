/* near_word.c: the distance of Damerau and Levenshtein, row by row; see near_word.h. */
#include "base/near_word.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A shorter part of a word is in too many words. */
enum { PART_BYTES_MIN = 3 };

static size_t least(size_t left, size_t right)
{
    return left < right ? left : right;
}

static bool same(char left, char right)
{
    return tolower((unsigned char)left) == tolower((unsigned char)right);
}

size_t near_word_distance(const char *left, const char *right)
{
    size_t rows[3][NEAR_WORD_BYTES_MAX + 1];
    size_t left_length = strlen(left);
    size_t right_length = strlen(right);

    if (left_length > NEAR_WORD_BYTES_MAX || right_length > NEAR_WORD_BYTES_MAX) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= right_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= left_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= right_length; j++) {
            size_t changed = above[j - 1] + (same(left[i - 1], right[j - 1]) ? 0 : 1);
            row[j] = least(changed, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(left[i - 1], right[j - 2]) &&
                same(left[i - 2], right[j - 1])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[left_length % 3][right_length];
}

struct near_word near_word_start(const char *word)
{
    return (struct near_word){.word = word, .distance = SIZE_MAX};
}

void near_word_offer(struct near_word *near, const char *candidate)
{
    size_t length = strlen(near->word);
    size_t distance = near_word_distance(near->word, candidate);

    if (distance > (length + 1) / 3) {
        bool is_part = length >= PART_BYTES_MIN && strcasestr(candidate, near->word) != NULL;
        distance = is_part ? strlen(candidate) - length : SIZE_MAX;
    }
    if (distance < near->distance) {
        near->best = candidate;
        near->distance = distance;
    }
}

const char *near_word_question(struct near_word *near, const char *before)
{
    int length = near->best == NULL ? -1
                                    : snprintf(near->question, sizeof near->question,
                                               "; did you mean '%s%s'?", before, near->best);

    return length < 0 || (size_t)length >= sizeof near->question ? ";" : near->question;
}
