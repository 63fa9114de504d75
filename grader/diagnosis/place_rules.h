/* place_rules.h: the finders of cause_place.c, one for each kind of thing that a cause may be
 * about.
 *
 * Each gives a spot and a label, or false: nothing of the kind, or more than one.
 */
#ifndef GPUGRADE_DIAGNOSIS_PLACE_RULES_H
#define GPUGRADE_DIAGNOSIS_PLACE_RULES_H

#include "criteria/program_source.h"

/* What is being placed. */
struct seeker {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_criterion *criterion;
    const struct cause *cause;
    size_t program;
    const struct rubric_launch *launch; /* of the criterion, in that program; NULL: it has none */
    const struct program_activity *activity; /* of the run that the criterion looks at; or NULL */
    const struct element_map *map;           /* of the output, where results are wrong; or NULL */
    const char *symbol; /* the function or variable that a compiler's message is about; or "" */
    struct program_source source;
};

struct sight {
    struct spot spot;
    struct source_mark mark; /* line 0: the spot's token */
    const char *label;
    const char *hint; /* in place of the cause's; NULL: that one holds */
};

typedef bool place_finder(const struct seeker *seeker, struct sight *out_sight);

/* Writes a sight; true. */
bool sight_set(struct sight *out_sight, struct spot spot, const char *label);

/* place_launches.c: the launch of the criterion's kernel, an argument of it, the kernel. */
place_finder place_launch, place_refused_launch, place_launch_block, place_launch_bytes,
    place_second_launch, place_missing_launch, place_no_attempt, place_kernel, place_kernel_loop,
    place_static_shared, place_uncovered;

/* place_stores.c: the line that stores to an input. */
place_finder place_changed_input;

/* place_host_code.c: what prints a line, calls, loops, open steps. */
place_finder place_printed_line, place_repeated_line, place_missing_line, place_failed_call,
    place_unknown_call, place_exit_call, place_printing_loop, place_host_loop, place_waiting_loop,
    place_open_step, place_open_printout;

/* place_symbol.c: the definition or declaration of a name that a linker or ptxas complains of. */
place_finder place_symbol;

/* The first variable in static shared memory that a function declares. */
bool first_static_shared(const struct program_file *file, const struct source_function *function,
                         struct spot *out_spot);

/* The function whose name a spot is; NULL if it is none. */
const struct source_function *function_named_at(struct spot name);

/* What a function returns: its only return, or else its name. */
bool place_result(const struct program_source *source, const char *name, const char *label,
                  struct sight *out_sight);

#endif
