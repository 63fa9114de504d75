/* initial_value.h: reads ahead what a definition in C++ gives a name, without compiling it.
 *
 * A value goes to the symbol that ends its declarator; brackets of all kinds within it are closed
 * in it. It may hold anything, a lambda with its body too. A comma between angles is read twice:
 * `f<1, 2>(x)` is one value, in `a < 1, b = 2` the comma ends it. A directive ends the reading, and
 * so does an assignment, `;` in parentheses or the end of the text: that is no value.
 */
#ifndef GPUGRADE_TOOLCHAIN_INITIAL_VALUE_H
#define GPUGRADE_TOOLCHAIN_INITIAL_VALUE_H

#include "source/source_lexer.h"

struct initial_value {
    struct source_lexeme first, last; /* kind SOURCE_END: it is empty */
    struct source_lexeme number;      /* the only one, if is_plain */
    struct source_lexeme name;        /* the only one, if is_name; of n::name the last word */
    size_t numbers;
    size_t names;       /* of functions too */
    bool is_plain;      /* a number in parentheses and casts */
    bool is_name;       /* a name in parentheses and casts */
    bool is_list;       /* of several values with commas, or a dim3 */
    bool is_parameters; /* in parentheses, of a function: types, not values */
};

/* Reads from the lexer's position to one of `ends`, of ",;" for a declarator, ",}" for an
 * enumerator, "}" or ")" for brackets that are open already.
 * *out_end becomes the position where the reading stopped. False if it is no value. */
bool initial_value_read(const struct source_lexer *lexer, const char *ends,
                        struct initial_value *out_value, size_t *out_end);

/* Takes one more token into a value that begins as INITIAL_VALUE_EMPTY, and says that it was the
 * last: for a macro's. */
void initial_value_take(const struct source_lexer *lexer, const struct source_lexeme *token,
                        struct initial_value *value);
void initial_value_end(struct initial_value *value);

#define INITIAL_VALUE_EMPTY ((struct initial_value){.is_plain = true, .is_name = true})

#endif
