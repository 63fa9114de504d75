/* completion.h: what a shell offers after a word of a command line, and the completions of three
 * shells. All of it is made from options.def, commands.def, codes.def and gpu_models.def; only the
 * ids of the courseworks are handed in. */
#ifndef GPUGRADE_INSTALL_COMPLETION_H
#define GPUGRADE_INSTALL_COMPLETION_H

#include "base/text.h"
#include "cli/options.h"

enum completion_kind {
    COMPLETES_NOTHING,
    COMPLETES_FILES,
    COMPLETES_FOLDERS,
    COMPLETES_CHOICES, /* the row's own */
    COMPLETES_COURSEWORKS,
    COMPLETES_COURSEWORKS_OR_FILES,
    COMPLETES_GPU_MODELS,
    COMPLETES_CODES,
    COMPLETES_COMMANDS,
    COMPLETES_KINDS
};

/* The ids of the courseworks, each with a blank in front of all but the first: "one two". */
struct completion_words {
    const char *courseworks;
};

/* What may be given as an option's value; for a switch COMPLETES_NOTHING. */
enum completion_kind completion_of_option(const struct option_row *row);

/* What may be given as the argument [index] of a command; with takes_rest, later ones are files. */
enum completion_kind completion_of_argument(const struct command_row *row, size_t index);

/* How many arguments the usage line names; the last one holds for all that follow. */
size_t completion_arguments(const struct command_row *row);

/* Appends the words of a kind with blanks between them, and a backslash in front of a blank within
 * one; nothing for files and folders. */
void completion_append_words(enum completion_kind kind, const struct option_row *row,
                             const struct completion_words *words, struct text *out);

/* Appends what each shell reads. */
void completion_bash(const struct completion_words *words, struct text *out);
void completion_zsh(const struct completion_words *words, struct text *out);
void completion_fish(const struct completion_words *words, struct text *out);

#endif
