/* guilty_clauses.h: the parts of a program's sources in which a mistake may be, the nearest to its
 * diagnostic first.
 *
 * A clause is a simple statement, or the head of an if, a for, a while or a switch. Its distance is
 * the number of steps from the diagnostic's place: to what sets a value that it uses, to a head
 * that decides whether it runs, to a function that it calls, two to a launch of its kernel.
 */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_GUILTY_CLAUSES_H
#define GPUGRADE_DIAGNOSIS_FIXES_GUILTY_CLAUSES_H

#include "diagnosis/fixes/fix_maker.h"

enum { CLAUSES_MAX = 160, CLAUSE_NAMES_MAX = 4 };

struct clause {
    const struct program_file *file;
    const struct source_function *function;
    size_t first, end;
    size_t body_end; /* of a head: the token after all that it decides; else `end` */
    int distance;
    /* The names that it sets, by their tokens. */
    size_t sets[CLAUSE_NAMES_MAX]; /* [set_count] */
    size_t set_count;
};

/* Lists at most CLAUSES_MAX clauses of the maker's program. Returns how many there are. */
size_t guilty_clauses_find(const struct fix_maker *maker, struct clause out_clauses[CLAUSES_MAX]);

/* True if a clause sets the name at a token. */
bool clause_sets(const struct clause *clause, size_t at);

/* True if a token range holds the name of token `name`. */
bool fix_names(const struct program_file *file, size_t first, size_t end, size_t name);

/* True if a condition that names a variable decides whether a token of the maker's function
 * runs. */
bool fix_is_guarded(const struct fix_maker *maker, size_t at, size_t variable);

#endif
