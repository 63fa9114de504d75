/* locators.h: the locators of cause_location.c, one for each kind of thing that a cause may be
 * about.
 *
 * Each finds a token and a label, or returns false: there is no such thing, or more than one.
 */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_LOCATORS_H
#define GPUGRADE_DIAGNOSIS_LOCATION_LOCATORS_H

#include "criteria/program_source.h"

/* What is to be located. */
struct locator {
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

struct location {
    struct file_token file_token;
    struct source_mark mark; /* line 0: the token's token */
    const char *label;
    const char *hint; /* replaces the cause's; NULL: that one is kept */
};

typedef bool locator_function(const struct locator *locator, struct location *out_location);

/* Sets a location; always returns true. */
bool location_set(struct location *out_location, struct file_token file_token, const char *label);

/* locate_launches.c: the launch of the criterion's kernel, an argument of it, the kernel. */
locator_function locate_launch, locate_refused_launch, locate_launch_block, locate_launch_bytes,
    locate_second_launch, locate_missing_launch, locate_no_attempt, locate_kernel,
    locate_kernel_loop, locate_static_shared, locate_uncovered;

/* locate_stores.c: the line that writes to an input; the line that writes the output that is wrong,
 * of a call. */
locator_function locate_changed_input, locate_result_store;

/* The copy to that output, another one or the launches, where host code is at fault. */
locator_function locate_host_work;

/* locate_host_code.c: what prints a line, calls, loops, open steps. */
locator_function locate_printed_line, locate_repeated_line, locate_missing_line, locate_call,
    locate_exit_call, locate_printing_loop, locate_host_loop, locate_waiting_loop, locate_open_step,
    locate_open_printout, locate_crash;

/* locate_printed_value.c: where a number that is printed wrong is computed, or else printed. */
locator_function locate_printed_value;

/* A name in a known line of host code, or what that line begins with. */
bool locate_line(const struct locator *locator, const struct host_place *place, const char *name,
                 const char *label, struct location *out_location);

/* locate_symbol.c: the definition or declaration of a name that a linker or ptxas complains
 * about. */
locator_function locate_symbol;

/* The first variable in static shared memory that a function declares. */
bool first_static_shared(const struct program_file *file, const struct source_function *function,
                         struct file_token *out_token);

/* The function that a token names; NULL if it names none. */
const struct source_function *function_named_at(struct file_token name);

/* What a function returns: its only return, or else its name. */
bool place_result(const struct program_source *source, const char *name, const char *label,
                  struct location *out_location);

#endif
