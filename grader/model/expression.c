/* expression.c: text to a postfix program, once; a program to a number, often. See expression.h.
 *
 *   "8 * a / block"  ->  push 8, name a, multiply, name block, divide
 *
 * The parser has one function for each rule of the grammar; it recurses at most NESTING_MAX deep.
 * The evaluator is a loop over the program with a stack whose depth the parser has bounded.
 */
#include "model/expression.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_BYTES_MAX = 1000,
    NESTING_MAX = 32,
    STACK_MAX = 64,
    NUMBER_BYTES_MAX = 60,
};

enum operation {
    PUSH_NUMBER,
    PUSH_NAME,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    NEGATE,
    FLOOR,
    CEIL,
    MIN,
    MAX,
    SQRT,
    LOG2,
    EXP2,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    AND,
};

/* FUNCTION: what may be called, with how many arguments. */
static const struct {
    const char *name;
    enum operation operation;
    int arguments;
} functions[] = {
    {"floor", FLOOR, 1}, {"ceil", CEIL, 1}, {"min", MIN, 2},   {"max", MAX, 2},
    {"sqrt", SQRT, 1},   {"log2", LOG2, 1}, {"exp2", EXP2, 1},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

struct step {
    enum operation operation;
    double number;    /* of PUSH_NUMBER */
    const char *name; /* of PUSH_NAME */
};

struct expression {
    const char *text;
    struct step *steps; /* [count], in postfix order */
    size_t count;
};

struct parser {
    struct arena *arena;
    const char *text;
    size_t at;
    struct step *steps;
    size_t count, capacity;
    int nesting;
    int stack; /* values on the evaluator's stack after the steps so far */
    enum error error;
    struct diagnostic *diagnostic;
};

static bool parse_expression(struct parser *p);

static bool fail(struct parser *p, enum error error, const char *message)
{
    p->error = error;
    diagnostic_set(p->diagnostic, BLAME_RUBRIC, "%s", message);
    return false;
}

static bool fail_expected(struct parser *p, const char *expected)
{
    p->error = ERROR_SYNTAX;
    if (p->text[p->at] == '\0') {
        diagnostic_set(p->diagnostic, BLAME_RUBRIC, "expected %s and found the end of '%s'",
                       expected, p->text);
    } else {
        diagnostic_set(p->diagnostic, BLAME_RUBRIC, "expected %s and found '%s'", expected,
                       p->text + p->at);
    }
    return false;
}

static void skip_blanks(struct parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t') {
        p->at++;
    }
}

/* Skips blanks and then `c`; false if something else stands there. */
static bool accept(struct parser *p, char c)
{
    skip_blanks(p);
    if (p->text[p->at] != c) {
        return false;
    }
    p->at++;
    return true;
}

/* Appends a step that leaves `growth` more values on the stack. */
static bool emit(struct parser *p, struct step step, int growth)
{
    arena_grow(p->arena, &p->steps, &p->capacity, p->count + 1, sizeof *p->steps);
    p->steps[p->count++] = step;
    p->stack += growth;
    assert(p->stack > 0);
    if (p->stack > STACK_MAX) {
        return fail(p, ERROR_LIMIT, "the expression is nested too deeply");
    }
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_part(char c)
{
    return is_name_start(c) || is_digit(c) || c == '.';
}

/* number = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ] */
static bool parse_number(struct parser *p)
{
    const char *start = p->text + p->at;
    size_t length = strspn(start, "0123456789");
    char copy[NUMBER_BYTES_MAX + 1];

    if (start[length] == '.') {
        length += 1 + strspn(start + length + 1, "0123456789");
    }
    if (start[length] == 'e' || start[length] == 'E') {
        size_t sign = start[length + 1] == '+' || start[length + 1] == '-' ? 1 : 0;
        size_t digits = strspn(start + length + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    if (length > NUMBER_BYTES_MAX) {
        return fail(p, ERROR_LIMIT, "a number in the expression is too long");
    }
    memcpy(copy, start, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    if (!isfinite(number)) {
        return fail(p, ERROR_RANGE, "a number in the expression is too large");
    }
    p->at += length;
    return emit(p, (struct step){.operation = PUSH_NUMBER, .number = number}, 1);
}

/* call = name "(" expression { "," expression } ")", after the "(" */
static bool parse_call(struct parser *p, const char *name, size_t name_at)
{
    int arguments = 1;
    size_t i = 0;

    while (i < FUNCTION_COUNT && strcmp(functions[i].name, name) != 0) {
        i++;
    }
    if (i == FUNCTION_COUNT) {
        p->at = name_at;
        p->error = ERROR_SYNTAX;
        diagnostic_set(p->diagnostic, BLAME_RUBRIC,
                       "unknown function '%s'; the functions are floor, ceil, min, max, sqrt, "
                       "log2 and exp2",
                       name);
        return false;
    }
    if (!parse_expression(p)) {
        return false;
    }
    while (accept(p, ',')) {
        arguments++;
        if (!parse_expression(p)) {
            return false;
        }
    }
    if (!accept(p, ')')) {
        return fail_expected(p, "',' or ')'");
    }
    if (arguments != functions[i].arguments) {
        p->at = name_at;
        p->error = ERROR_SYNTAX;
        diagnostic_set(p->diagnostic, BLAME_RUBRIC, "%s takes %d argument%s, got %d", name,
                       functions[i].arguments, functions[i].arguments == 1 ? "" : "s", arguments);
        return false;
    }
    return emit(p, (struct step){.operation = functions[i].operation}, 1 - arguments);
}

/* name, or a call */
static bool parse_name(struct parser *p)
{
    size_t start = p->at;

    while (is_name_part(p->text[p->at])) {
        p->at++;
    }
    const char *name = arena_strndup(p->arena, p->text + start, p->at - start);
    if (accept(p, '(')) {
        return parse_call(p, name, start);
    }
    return emit(p, (struct step){.operation = PUSH_NAME, .name = name}, 1);
}

/* factor = number | name | call | "(" expression ")" | "-" factor */
static bool parse_factor(struct parser *p)
{
    int minus_signs = 0;

    while (accept(p, '-')) {
        minus_signs++;
    }
    skip_blanks(p);
    char c = p->text[p->at];
    if (is_digit(c)) {
        if (!parse_number(p)) {
            return false;
        }
    } else if (is_name_start(c)) {
        if (!parse_name(p)) {
            return false;
        }
    } else if (accept(p, '(')) {
        if (!parse_expression(p)) {
            return false;
        }
        if (!accept(p, ')')) {
            return fail_expected(p, "')'");
        }
    } else {
        return fail_expected(p, "a number, a name or '('");
    }
    return minus_signs % 2 == 0 || emit(p, (struct step){.operation = NEGATE}, 0);
}

/* term = factor { ("*" | "/") factor } */
static bool parse_term(struct parser *p)
{
    if (!parse_factor(p)) {
        return false;
    }
    for (;;) {
        skip_blanks(p);
        char c = p->text[p->at];
        if (c != '*' && c != '/') {
            return true;
        }
        p->at++;
        if (!parse_factor(p) ||
            !emit(p, (struct step){.operation = c == '*' ? MULTIPLY : DIVIDE}, -1)) {
            return false;
        }
    }
}

/* sum = term { ("+" | "-") term } */
static bool parse_sum(struct parser *p)
{
    if (!parse_term(p)) {
        return false;
    }
    for (;;) {
        skip_blanks(p);
        char c = p->text[p->at];
        if (c != '+' && c != '-') {
            return true;
        }
        p->at++;
        if (!parse_term(p) || !emit(p, (struct step){.operation = c == '+' ? ADD : SUBTRACT}, -1)) {
            return false;
        }
    }
}

/* comparison = sum [ ("<" | "<=" | ">" | ">=") sum ] */
static bool parse_comparison(struct parser *p)
{
    if (!parse_sum(p)) {
        return false;
    }
    bool is_less = accept(p, '<');
    if (!is_less && !accept(p, '>')) {
        return true;
    }
    bool or_equal = p->text[p->at] == '=';
    p->at += or_equal ? 1 : 0;
    enum operation operation =
        is_less ? (or_equal ? LESS_OR_EQUAL : LESS) : (or_equal ? GREATER_OR_EQUAL : GREATER);
    return parse_sum(p) && emit(p, (struct step){.operation = operation}, -1);
}

/* Skips blanks and the word "and"; false if something else stands there. */
static bool accept_and(struct parser *p)
{
    skip_blanks(p);
    if (strncmp(p->text + p->at, "and", 3) != 0 || is_name_part(p->text[p->at + 3])) {
        return false;
    }
    p->at += 3;
    return true;
}

/* expression = comparison { "and" comparison } */
static bool parse_expression(struct parser *p)
{
    if (++p->nesting > NESTING_MAX) {
        return fail(p, ERROR_LIMIT, "the expression is nested too deeply");
    }
    if (!parse_comparison(p)) {
        return false;
    }
    while (accept_and(p)) {
        if (!parse_comparison(p) || !emit(p, (struct step){.operation = AND}, -1)) {
            return false;
        }
    }
    p->nesting--;
    return true;
}

enum error expression_parse(struct arena *arena, const char *text,
                            const struct expression **out_expression, size_t *out_offset,
                            struct diagnostic *diagnostic)
{
    struct parser parser = {.arena = arena, .text = text, .diagnostic = diagnostic};
    bool good;

    if (strlen(text) > TEXT_BYTES_MAX) {
        good = fail(&parser, ERROR_LIMIT, "the expression is longer than 1000 bytes");
    } else {
        good = parse_expression(&parser);
    }
    if (good && text[parser.at] != '\0') {
        good = fail_expected(&parser, "an operator or the end");
    }
    if (!good) {
        *out_offset = parser.at;
        return parser.error;
    }
    struct expression *expression = arena_alloc(arena, sizeof *expression);
    expression->text = arena_strdup(arena, text);
    expression->steps = parser.steps;
    expression->count = parser.count;
    *out_expression = expression;
    return ERROR_NONE;
}

static double apply_one(enum operation operation, double x)
{
    switch (operation) {
    case NEGATE:
        return -x;
    case FLOOR:
        return floor(x);
    case CEIL:
        return ceil(x);
    case SQRT:
        return sqrt(x);
    case LOG2:
        return log2(x);
    case EXP2:
        return exp2(x);
    default:
        return NAN;
    }
}

static double apply_two(enum operation operation, double x, double y)
{
    switch (operation) {
    case ADD:
        return x + y;
    case SUBTRACT:
        return x - y;
    case MULTIPLY:
        return x * y;
    case DIVIDE:
        return x / y;
    case MIN:
        return x < y ? x : y;
    case MAX:
        return x > y ? x : y;
    case LESS:
        return x < y;
    case LESS_OR_EQUAL:
        return x <= y;
    case GREATER:
        return x > y;
    case GREATER_OR_EQUAL:
        return x >= y;
    case AND:
        return x != 0.0 && y != 0.0;
    default:
        return NAN;
    }
}

static bool takes_two(enum operation operation)
{
    return (operation >= ADD && operation <= DIVIDE) || operation == MIN || operation == MAX ||
           operation >= LESS;
}

bool expression_is_condition(const struct expression *expression)
{
    return expression->steps[expression->count - 1].operation >= LESS;
}

static bool no_value(const char **out_unknown, const char *name)
{
    if (out_unknown != NULL) {
        *out_unknown = name;
    }
    return false;
}

bool expression_evaluate(const struct expression *expression, expression_lookup lookup,
                         void *context, double *out_value, const char **out_unknown)
{
    double stack[STACK_MAX] = {0.0};
    size_t depth = 0;

    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (step->operation == PUSH_NUMBER) {
            stack[depth++] = step->number;
        } else if (step->operation == PUSH_NAME) {
            if (!lookup(context, step->name, &stack[depth])) {
                return no_value(out_unknown, step->name);
            }
            depth++;
        } else if (takes_two(step->operation)) {
            depth--;
            stack[depth - 1] = apply_two(step->operation, stack[depth - 1], stack[depth]);
        } else {
            stack[depth - 1] = apply_one(step->operation, stack[depth - 1]);
        }
        if (!isfinite(stack[depth - 1])) {
            return no_value(out_unknown, NULL);
        }
    }
    assert(depth == 1);
    *out_value = stack[0];
    return true;
}

const char *expression_text(const struct expression *expression)
{
    return expression->text;
}

void expression_names(const struct expression *expression,
                      void (*visit)(void *context, const char *name), void *context)
{
    for (size_t i = 0; i < expression->count; i++) {
        if (expression->steps[i].operation == PUSH_NAME) {
            visit(context, expression->steps[i].name);
        }
    }
}

/* How tightly the last operation of a phrase binds; more is tighter. */
enum binding { OF_CONDITION, OF_SUM, OF_TERM, OF_ATOM };

/* A part of an expression as it is read aloud. */
struct phrase {
    const char *text;
    enum binding binding;
    bool has_words; /* it names something by words */
};

/* Between two operands: as it is written, and where one of them is words. */
static const struct {
    const char *symbol, *words;
    enum binding binding;
} infixes[] = {
    [ADD] = {" + ", " plus ", OF_SUM},        [SUBTRACT] = {" - ", " minus ", OF_SUM},
    [MULTIPLY] = {" * ", " times ", OF_TERM}, [DIVIDE] = {" / ", ", divided by ", OF_TERM},
    [LESS] = {" < ", " < ", OF_CONDITION},    [LESS_OR_EQUAL] = {" <= ", " <= ", OF_CONDITION},
    [GREATER] = {" > ", " > ", OF_CONDITION}, [GREATER_OR_EQUAL] = {" >= ", " >= ", OF_CONDITION},
    [AND] = {" and ", " and ", OF_CONDITION},
};

static const char *enclosed(struct arena *arena, const struct phrase *phrase, enum binding least)
{
    return phrase->binding >= least ? phrase->text : arena_printf(arena, "(%s)", phrase->text);
}

static struct phrase phrase_of_call(struct arena *arena, enum operation operation,
                                    const struct phrase arguments[])
{
    size_t i = 0;

    while (functions[i].operation != operation) {
        i++;
    }
    return (struct phrase){
        functions[i].arguments == 1
            ? arena_printf(arena, "%s(%s)", functions[i].name, arguments[0].text)
            : arena_printf(arena, "%s(%s, %s)", functions[i].name, arguments[0].text,
                           arguments[1].text),
        OF_ATOM, arguments[0].has_words || (functions[i].arguments == 2 && arguments[1].has_words)};
}

static struct phrase phrase_of_two(struct arena *arena, enum operation operation,
                                   const struct phrase sides[2])
{
    const enum binding binding = infixes[operation].binding;
    const bool has_words = sides[0].has_words || sides[1].has_words;

    /* On the right of - and / the same operation needs parentheses as well. */
    const char *right = enclosed(arena, &sides[1], (enum binding)(binding + 1));
    return (struct phrase){
        arena_printf(arena, "%s%s%s", enclosed(arena, &sides[0], binding),
                     has_words ? infixes[operation].words : infixes[operation].symbol, right),
        binding, has_words};
}

const char *expression_words(struct arena *arena, const struct expression *expression,
                             expression_namer namer, void *context)
{
    struct phrase stack[STACK_MAX] = {{NULL, OF_ATOM, false}};
    size_t depth = 0;

    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (step->operation == PUSH_NUMBER) {
            stack[depth++] =
                (struct phrase){arena_printf(arena, "%.15g", step->number), OF_ATOM, false};
        } else if (step->operation == PUSH_NAME) {
            const char *words = namer(context, step->name);
            stack[depth++] =
                (struct phrase){words != NULL ? words : step->name, OF_ATOM, words != NULL};
        } else if (step->operation == NEGATE) {
            struct phrase *operand = &stack[depth - 1];
            operand->text = arena_printf(arena, "-%s", enclosed(arena, operand, OF_ATOM));
            operand->binding = OF_TERM;
        } else {
            depth -= takes_two(step->operation) ? 2 : 1;
            stack[depth] =
                step->operation == MIN || step->operation == MAX || !takes_two(step->operation)
                    ? phrase_of_call(arena, step->operation, &stack[depth])
                    : phrase_of_two(arena, step->operation, &stack[depth]);
            depth++;
        }
    }
    return stack[0].text;
}
