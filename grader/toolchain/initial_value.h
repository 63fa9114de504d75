/* initial_value.h: reads the initial value in a C++ definition, without compiling it.
 *
 * A value extends to the symbol that ends its declarator; brackets of all kinds that open in it
 * also close in it. It may contain anything, even a lambda with its body. A comma after `<` is
 * tried both ways: `f<1, 2>(x)` is one value; in `a < 1, b = 2` the comma ends it. A directive, an
 * assignment, `;` in parentheses or the end of the text ends the reading, and then there is no
 * value.
 */
#ifndef GPUGRADE_TOOLCHAIN_INITIAL_VALUE_H
#define GPUGRADE_TOOLCHAIN_INITIAL_VALUE_H

#include "source/source_lexer.h"

struct initial_value {
    struct source_lexeme first, last; /* kind SOURCE_END: it is empty */
    struct source_lexeme number;      /* the only one, if is_plain */
    struct source_lexeme name;        /* the only one, if is_name; for n::name the last word */
    size_t numbers;
    size_t names;       /* including those of functions */
    bool is_plain;      /* a number in parentheses and casts */
    bool is_name;       /* a name in parentheses and casts */
    bool is_list;       /* several values with commas, or a dim3 */
    bool is_parameters; /* the parameters of a function in parentheses: types, not values */
};

/* Reads from the lexer's position to one of `ends`: ",;" for a declarator, ",}" for an enumerator,
 * "}" or ")" for brackets that are already open. *out_end becomes the position where the reading
 * stopped. False if there is no value. */
bool initial_value_read(const struct source_lexer *lexer, const char *ends,
                        struct initial_value *out_value, size_t *out_end);

/* For the value of a macro: the first adds one more token to a value that starts as
 * INITIAL_VALUE_EMPTY, the second says that there are no more. */
void initial_value_take(const struct source_lexer *lexer, const struct source_lexeme *token,
                        struct initial_value *value);
void initial_value_end(struct initial_value *value);

#define INITIAL_VALUE_EMPTY ((struct initial_value){.is_plain = true, .is_name = true})

#endif
