/* fix_maker.h: what the generators of fixes share: where the diagnostic is, as tokens, and changes
 * of tokens as lines. */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_FIX_MAKER_H
#define GPUGRADE_DIAGNOSIS_FIXES_FIX_MAKER_H

#include "diagnosis/fixes/fix_candidates.h"
#include "source/source_edit.h"
#include "source/source_search.h"

struct fix_maker {
    const struct fix_request *request;
    struct arena *arena;
    const struct program_source *source; /* of the program that the diagnostic is about */
    const char *kernel;                  /* plain name; "": none is known */
    /* Where the diagnostic is; file NULL: nowhere in a source of the program. */
    const struct program_file *file;
    size_t at;                              /* the token at its place */
    const struct source_function *function; /* around it; NULL: none */
    struct line_fixes *candidates;          /* [count] */
    size_t count, capacity;
};

/* A candidate that is being made; once a change does not fit, it is lost. */
struct fix_draft {
    struct fix_maker *maker;
    struct line_fixes fixes;
    bool is_lost;
};

/* Adds a candidate unless it is lost, empty, known, or there is no room. */
void fix_draft_offer(const struct fix_draft *draft);

/* Tokens [first, end), which must be in one line, become `text`; an empty range: it is put before
 * token `first`. */
void fix_replace(struct fix_draft *draft, const struct program_file *file, size_t first, size_t end,
                 const char *text);

/* A new line after the one that token `after` ends in, indented like the line of token `like`. Lost
 * if that line goes on after the token, apart from a comment. */
void fix_insert_line(struct fix_draft *draft, const struct program_file *file, size_t after,
                     size_t like, const char *text);

/* Removes the line of a token; lost if the tokens [first, end) are not all that is in it. */
void fix_remove_line(struct fix_draft *draft, const struct program_file *file, size_t first,
                     size_t end);

/* The text of the tokens [first, end) as the source has it, from the first to the last. */
const char *fix_text(const struct fix_maker *maker, const struct program_file *file, size_t first,
                     size_t end);

bool fix_sign_is(const struct program_file *file, size_t index, const char *sign);
bool fix_name_is(const struct program_file *file, size_t index, const char *name);
bool fix_is_name(const struct program_file *file, size_t index);
bool fix_same_token(const struct program_file *file, size_t left, size_t right);

/* The token at a place: the last one of the line that starts there or before; tokens.count if there
 * is none. */
size_t fix_token_at(const struct program_file *file, int line, int column);

/* The file of the program with that name; NULL: it has none. */
const struct program_file *fix_file(const struct fix_maker *maker, const char *name);

/* The innermost { around two tokens of a function. */
size_t fix_block_around(const struct program_file *file, const struct source_function *function,
                        size_t left, size_t right);

/* The statement of a block, with its else, that a token lies in: [first, end). */
struct token_range fix_statement_in(const struct program_file *file, size_t block, size_t token);

/* The statement, with its else, that starts at a token. */
struct token_range fix_next_statement(const struct program_file *file, size_t first);

/* Splits [first, end) at its commas; returns how many ranges there are, `capacity` at most. */
size_t fix_split(const struct program_file *file, struct token_range range,
                 struct token_range *out_ranges, size_t capacity);

/* The parameters of a function, without the brackets; empty if they are not found. */
struct token_range fix_parameters(const struct program_file *file,
                                  const struct source_function *function);

/* The factor that ends before `end`, or that starts at `first`: a name with its members, subscripts
 * and arguments, a number, or something in brackets. */
size_t fix_factor_start(const struct program_file *file, size_t end);
size_t fix_factor_end(const struct program_file *file, size_t first);

enum { FIX_ARGUMENTS_MAX = 16 };

/* A call by its name, with its arguments. */
struct fix_call {
    const struct program_file *file;
    size_t name, end; /* the token after the ) */
    struct token_range arguments[FIX_ARGUMENTS_MAX];
    size_t argument_count;
};

/* Reads the call at a token; false if there is none. */
bool fix_read_call(const struct program_file *file, size_t name, struct fix_call *out_call);

/* The last name in a range, without a cast: of (void **)&d_x, d_x; tokens.count if there is none.
 */
size_t fix_last_name(const struct program_file *file, struct token_range range);

/* The generators, each for what its comment in the table of fix_candidates.c says. */
void fix_add_barrier(struct fix_maker *maker);
void fix_widen_warp_sync(struct fix_maker *maker);
void fix_move_barrier(struct fix_maker *maker);
void fix_delay_return(struct fix_maker *maker);
void fix_make_atomic(struct fix_maker *maker);
void fix_guard(struct fix_maker *maker);
void fix_shift_bound(struct fix_maker *maker);
void fix_exchange_sizes(struct fix_maker *maker);
void fix_widen_type(struct fix_maker *maker);
void fix_exchange_indices(struct fix_maker *maker);
void fix_exchange_variables(struct fix_maker *maker);
void fix_exchange_arrays(struct fix_maker *maker);
void fix_initialise(struct fix_maker *maker);
void fix_block_index(struct fix_maker *maker);
void fix_loop_step(struct fix_maker *maker);
void fix_sizeof(struct fix_maker *maker);
void fix_launch_bytes(struct fix_maker *maker);
void fix_round_up(struct fix_maker *maker);
void fix_drop_cap(struct fix_maker *maker);
void fix_launch_once(struct fix_maker *maker);
void fix_exchange_grid_and_block(struct fix_maker *maker);
void fix_exchange_grid(struct fix_maker *maker);
void fix_exchange_arguments(struct fix_maker *maker);
void fix_copy_direction(struct fix_maker *maker);
void fix_add_copy(struct fix_maker *maker);
void fix_copy_constant(struct fix_maker *maker);
void fix_clear_memory(struct fix_maker *maker);
void fix_clear_output(struct fix_maker *maker);
void fix_wait_for_device(struct fix_maker *maker);
void fix_spelling(struct fix_maker *maker);
void fix_small_edits(struct fix_maker *maker);

#endif
