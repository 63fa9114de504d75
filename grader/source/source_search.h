/* source_search.h: searches the sources of one program of a submission.
 *
 * The `find_` functions return how many there are and set the last one; a place is certain only if
 * there is exactly one.
 */
#ifndef GPUGRADE_SOURCE_SOURCE_SEARCH_H
#define GPUGRADE_SOURCE_SOURCE_SEARCH_H

#include "source/source_index.h"

/* A token of a file. */
struct file_token {
    const struct program_file *file;
    size_t token;
};

/* Definitions of functions of that name (plain, perhaps with namespaces). */
size_t find_definitions(const struct program_source *source, const char *name,
                        struct file_token *out_token);

/* Declarations: the name, outside of functions and not in a definition, before a ( or as a
 * variable. */
size_t find_declarations(const struct program_source *source, const char *name,
                         struct file_token *out_token);

/* Launches of a kernel. */
size_t find_launches(const struct program_source *source, const char *kernel,
                     struct source_launch *out_launch, struct file_token *out_token);

/* Calls of a function by its name, NAME(...), inside of functions. If `argument` is not NULL, only
 * those that name it in their arguments. */
size_t find_calls(const struct program_source *source, const char *name, const char *argument,
                  struct file_token *out_token);

/* Strings in which a line begins with the label, after blanks; upper or lower case if
 * `ignores_case`. */
size_t find_labels(const struct program_source *source, const char *label, bool ignores_case,
                   struct file_token *out_token);

/* Host functions whose name contains the letters and digits of `words`, ignoring case. */
size_t find_functions_named_like(const struct program_source *source, const char *words,
                                 const struct source_function **out_function,
                                 struct file_token *out_token);

/* Where the value of a range of tokens is set: if it is one name that the function around it
 * declares exactly once and never assigns, its declaration; else the range's first token. */
struct file_token find_value(const struct program_file *file, struct token_range range);

/* True if a macro of one of the files has that name. */
bool program_has_macro(const struct program_source *source, const char *name);

#endif
