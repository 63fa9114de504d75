/* shell_word.h: quotes words of commands that are shown for the user to type. */
#ifndef GPUGRADE_BASE_SHELL_WORD_H
#define GPUGRADE_BASE_SHELL_WORD_H

#include "base/arena.h"

/* Quotes a word for a POSIX shell, if it needs it. */
const char *shell_word(struct arena *arena, const char *word);

#endif
