/* initial_value.c: see initial_value.h. One pass over the tokens of a value; it looks at no token
 * twice. */
#include "toolchain/initial_value.h"

#include <string.h>

/* A value as it is read token by token. */
struct value_reading {
    struct source_lexer lexer;
    const char *ends;
    size_t round, square, curly, angles; /* open brackets */
    bool closed_angle;                   /* with the token before */
    bool has_comma;                      /* between angles: perhaps the value's end */
    struct initial_value value;
    struct initial_value before_comma;
    bool has_row;       /* of two words */
    bool has_typed_row; /* the first of them a type */
};

static bool is_type_word(const struct source_lexer *lexer, const struct source_lexeme *token)
{
    static const char *const words[] = {
        "int",    "unsigned", "signed",  "long",     "short",   "char",     "const",
        "size_t", "uint",     "int32_t", "uint32_t", "int64_t", "uint64_t", "static_cast",
        "std",    "float",    "double",  "auto",     "ulong",   "uint8_t",  "uint16_t",
        "void",   "bool",     "struct",  "class",
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (token->kind == SOURCE_WORD && source_lexeme_is(lexer, token, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_symbol_of(const struct source_lexeme *token, const char *symbols)
{
    return token->kind == SOURCE_SYMBOL && token->symbol >= ' ' &&
           strchr(symbols, token->symbol) != NULL;
}

/* A word that is no type. Of n::name only the last counts. */
static void take_name(const struct source_lexeme *token, struct initial_value *value)
{
    bool is_qualified = value->last.symbol == SYMBOL_SCOPE && value->names > 0;

    value->names += is_qualified ? 0 : 1;
    value->name = *token;
}

/* Does the token make a call or a template of the name before it? */
static bool takes_arguments(const struct source_lexeme *token, const struct initial_value *value)
{
    return is_symbol_of(token, "(<") && value->names > 0 && value->last.start == value->name.start;
}

void initial_value_take(const struct source_lexer *lexer, const struct source_lexeme *token,
                        struct initial_value *value)
{
    bool is_wrapping = is_symbol_of(token, "()<>") || token->symbol == SYMBOL_SCOPE;
    bool is_plain = is_wrapping;

    value->is_name &= (is_wrapping && !takes_arguments(token, value)) || token->kind == SOURCE_WORD;
    if (token->kind == SOURCE_NUMBER) {
        value->number = *token;
        value->numbers++;
        is_plain = true;
    } else if (token->kind == SOURCE_WORD) {
        is_plain = is_type_word(lexer, token);
        value->is_list |= value->first.kind == SOURCE_END && source_lexeme_is(lexer, token, "dim3");
        if (!is_plain) {
            take_name(token, value);
        }
    }
    value->is_plain &= is_plain;
    value->first = value->first.kind == SOURCE_END ? *token : value->first;
    value->last = *token;
}

void initial_value_end(struct initial_value *value)
{
    value->is_plain &= value->numbers == 1;
    value->is_name &= value->names == 1;
}

static bool is_nested(const struct value_reading *reading)
{
    return reading->round + reading->square + reading->curly > 0;
}

static bool is_end(const struct value_reading *reading, const struct source_lexeme *token)
{
    if (is_nested(reading) || !is_symbol_of(token, reading->ends)) {
        return false;
    }
    return reading->angles == 0 || token->symbol != ',';
}

/* Counts brackets; false for one that closes nothing. */
static bool count_bracket(struct value_reading *reading, int symbol)
{
    static const char opening[] = "([{";
    static const char closing[] = ")]}";
    size_t *const counts[] = {&reading->round, &reading->square, &reading->curly};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (symbol == opening[i]) {
            ++*counts[i];
        } else if (symbol == closing[i]) {
            if (*counts[i] == 0) {
                return false;
            }
            --*counts[i];
        }
    }
    return true;
}

/* Counts angles that may hold arguments of a template: neither shifts nor comparisons with `=`. */
static void count_angle(struct value_reading *reading, const struct source_lexeme *token)
{
    const struct source_lexer *lexer = &reading->lexer;
    int next = token->end < lexer->length ? lexer->text[token->end] : '\0';

    if (token->symbol == '<' && reading->value.last.kind == SOURCE_WORD && next != '<' &&
        next != '=') {
        reading->angles++;
    } else if (token->symbol == '>' && reading->angles > 0 && next != '=') {
        reading->angles--;
        reading->closed_angle = reading->angles == 0;
    }
}

/* `=` belongs to the comparison that it ends. */
static bool ends_comparison(const struct value_reading *reading, const struct source_lexeme *token)
{
    const struct source_lexeme *last = &reading->value.last;

    return is_symbol_of(last, "<>!") && last->end == token->start;
}

/* Takes a token that stands in no brackets; false if no value holds it there. */
static bool take_outer(struct value_reading *reading, const struct source_lexeme *token)
{
    const struct source_lexeme *last = &reading->value.last;

    if (token->symbol == ';' ||
        (token->symbol == '=' && !reading->has_comma && !ends_comparison(reading, token))) {
        return false;
    }
    if (token->symbol == ',' && reading->angles == 0) {
        reading->value.is_list = true;
    } else if (token->symbol == ',' && !reading->has_comma) {
        reading->has_comma = true;
        reading->before_comma = reading->value;
    }
    if (token->kind == SOURCE_WORD && last->kind == SOURCE_WORD) {
        bool is_typed = is_type_word(&reading->lexer, last);
        reading->has_row |= !is_typed;
        reading->has_typed_row |= is_typed;
    }
    count_angle(reading, token);
    return true;
}

/* Takes a token; false if the value holds none like it. */
static bool take(struct value_reading *reading, const struct source_lexeme *token)
{
    bool opens_argument = is_symbol_of(token, "({") || token->symbol == SYMBOL_SCOPE;

    if (token->kind == SOURCE_END || token->kind == SOURCE_DIRECTIVE) {
        return false;
    }
    /* `f<1, 2>(`: those angles did hold arguments. */
    if (reading->closed_angle && opens_argument) {
        reading->has_comma = false;
    }
    reading->closed_angle = false;
    if (!is_nested(reading) && !take_outer(reading, token)) {
        return false;
    }
    if ((token->symbol == ';' && reading->curly == 0) || !count_bracket(reading, token->symbol)) {
        return false;
    }
    initial_value_take(&reading->lexer, token, &reading->value);
    return true;
}

/* Are these the parameters of a function? */
static bool is_parameters(const struct value_reading *reading)
{
    const struct initial_value *value = &reading->value;

    if (reading->has_row || value->first.kind == SOURCE_END) {
        return true;
    }
    return value->numbers == 0 &&
           (value->is_list || reading->has_typed_row || is_symbol_of(&value->last, "*&") ||
            is_type_word(&reading->lexer, &value->last));
}

bool initial_value_read(const struct source_lexer *lexer, const char *ends,
                        struct initial_value *out_value, size_t *out_end)
{
    struct value_reading reading = {.lexer = *lexer,
                                    .ends = ends,
                                    .value = INITIAL_VALUE_EMPTY,
                                    .before_comma = INITIAL_VALUE_EMPTY,
                                    .has_row = false,
                                    .has_typed_row = false};
    struct source_lexeme token = source_lexer_next(&reading.lexer);

    while (!is_end(&reading, &token)) {
        /* `a < 1, b =`: the next declarator has begun. */
        if (reading.has_comma && token.symbol == '=' && !is_nested(&reading) &&
            !ends_comparison(&reading, &token)) {
            break;
        }
        if (!take(&reading, &token)) {
            *out_end = token.start;
            return false;
        }
        token = source_lexer_next(&reading.lexer);
    }
    reading.value.is_parameters = is_parameters(&reading);
    *out_value = reading.has_comma ? reading.before_comma : reading.value;
    initial_value_end(out_value);
    *out_end = reading.has_comma ? out_value->last.end : token.start;
    return true;
}
