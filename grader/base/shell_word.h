/* shell_word.h: words of commands that are shown, to be typed again. */
#ifndef GPUGRADE_BASE_SHELL_WORD_H
#define GPUGRADE_BASE_SHELL_WORD_H

#include "base/arena.h"

/* Quotes a word for a POSIX shell, if it needs it. */
const char *shell_word(struct arena *arena, const char *word);

#endif
