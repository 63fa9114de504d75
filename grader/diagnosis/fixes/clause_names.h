/* clause_names.h: the variables and constants that may stand at a place, with their types.
 *
 * Types are read from the tokens of declarations and are only as exact as a guess needs: what does
 * not compile is not shown.
 */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_CLAUSE_NAMES_H
#define GPUGRADE_DIAGNOSIS_FIXES_CLAUSE_NAMES_H

#include "diagnosis/fixes/guilty_clauses.h"

enum { VISIBLE_NAMES_MAX = 48 };

enum name_type { TYPE_WHOLE, TYPE_FLOATING, TYPE_OTHER };

struct visible_name {
    size_t token; /* of its declaration, in the same file */
    size_t type;  /* the token that names its type */
    enum name_type kind;
    size_t depth;   /* stars and subscripts */
    bool is_unused; /* declared, and then nowhere */
    bool is_parameter, is_global, is_macro;
    bool is_of_thread; /* set from threadIdx */
    bool is_index;     /* used in a subscript or a condition */
    bool is_const;     /* what it points to, or it itself */
};

/* Lists what a function can name: its parameters, its variables, constants and macros of the
 * file. */
size_t clause_names_list(const struct program_file *file, const struct source_function *function,
                         struct visible_name out_names[VISIBLE_NAMES_MAX]);

/* The entry of the name at a token that uses it; NULL if it is none of them, a member, or a
 * declaration. */
const struct visible_name *clause_names_find(const struct program_file *file,
                                             const struct visible_name *names, size_t count,
                                             size_t token);

/* True if the name may stand at a token: it is declared before it, in a block around it. */
bool clause_name_reaches(const struct program_file *file, const struct source_function *function,
                         const struct visible_name *name, size_t token);

/* True if it is no variable of the function. */
bool visible_name_is_size(const struct visible_name *name);

/* True if one may stand for the other by its type. */
bool clause_names_alike(const struct program_file *file, const struct visible_name *left,
                        const struct visible_name *right);

#endif
