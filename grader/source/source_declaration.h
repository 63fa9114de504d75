/* source_declaration.h: where a name of a function is declared and set, as far as that is certain
 * by its tokens.
 *
 * A name is certain if nothing else sets it where it can be seen: no second assignment, no address
 * that is taken, no call that may change it. `steps` bounds the work, in tokens: each function
 * takes what it looks at, and finds nothing when none are left.
 */
#ifndef GPUGRADE_SOURCE_SOURCE_DECLARATION_H
#define GPUGRADE_SOURCE_SOURCE_DECLARATION_H

#include "source/source_functions.h"

/* A type, as far as its words are known. */
struct declared_type {
    unsigned bytes; /* 0: not known, or that of what is assigned (auto) */
    bool is_integer, is_signed, is_const, is_auto, is_pointer; /* of a pointer: its elements */
};

/* Where a name gets its value, for good or as the first of a loop. */
struct source_set {
    size_t name;              /* the token that is declared or assigned */
    struct token_range value; /* what it is set to */
    struct declared_type type;
    size_t loop; /* of a counter, which only the head of its `for` changes: that keyword;
                    else 0 */
};

enum { KNOWN_SETS = 16 };

/* What was found for a name at a token. */
struct known_set {
    size_t use; /* 0: nothing yet */
    bool is_found;
    struct source_set set;
};

/* A function, and how much may still be looked at. */
struct declaration_search {
    const struct source_tokens *tokens;
    const struct source_function *function;
    size_t steps;
    struct known_set known[KNOWN_SETS]; /* zeros at first; looking there takes one step */
};

/* A parameter of a function. */
struct source_parameter {
    size_t name, index;
    struct declared_type type;
};

/* Reads a declaration's type before the name at token `name`; false if that declares no variable.
 */
bool source_declared_type(const struct source_tokens *tokens, size_t name,
                          struct declared_type *out_type);

/* Finds where the name at a token is set. False if that is not certain, or not in the body of the
 * function. */
bool source_find_set(struct declaration_search *search, size_t use, struct source_set *out_set);

/* Finds the parameter that the name at a token is; false if it is none, or is changed. */
bool source_find_parameter(struct declaration_search *search, size_t use,
                           struct source_parameter *out_parameter);

/* True if the function declares the name at a token, or has such a parameter. */
bool source_is_local(struct declaration_search *search, size_t use);

/* The expression that starts at a token: up to the first comma, semicolon or closing bracket
 * outside of its brackets. */
struct token_range source_expression(const struct source_tokens *tokens, size_t first);

#endif
