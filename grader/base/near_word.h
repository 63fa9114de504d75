/* near_word.h: which of some words was probably meant by one that is misspelt: "did you mean".
 *
 *     struct near_word near = near_word_start("chekc");
 *     near_word_offer(&near, "check");
 *     near_word_offer(&near, "watch");
 *     near.best is "check"
 */
#ifndef GPUGRADE_BASE_NEAR_WORD_H
#define GPUGRADE_BASE_NEAR_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* Longer words are like no other. */
enum { NEAR_WORD_BYTES_MAX = 64 };

struct near_word {
    const char *word; /* what was written; not owned */
    const char *best; /* the nearest word that was offered; NULL: none is like it */
    size_t distance;  /* of `best` */
    char question[2 * NEAR_WORD_BYTES_MAX]; /* of near_word_question */
};

struct near_word near_word_start(const char *word);

/* Takes `candidate` if it is like the word, and nearer than the best so far. Like it is a word with
 * at most a third of the letters changed, without regard to case, and one that contains it. The
 * candidate must outlive `near`. */
void near_word_offer(struct near_word *near, const char *candidate);

/* "; did you mean 'check'?", with `before` in front of the word; ";" if none is like it. What
 * follows in the message is a sentence of its own. The text lives as long as `near`. */
const char *near_word_question(struct near_word *near, const char *before);

/* How many letters must be changed, put in, taken out or exchanged with the next one to make one
 * word of the other, without regard to case; SIZE_MAX if one is longer than NEAR_WORD_BYTES_MAX. */
size_t near_word_distance(const char *left, const char *right);

#endif
