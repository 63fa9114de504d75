/* size_rewrite.c: see size_rewrite.h.
 *
 * One pass over the tokens. Directives are looked at for #define alone. In all else the pass knows
 * just enough of C++ to tell a declaration from an assignment:
 *
 *   scope        one for each open brace; knows whether it is an enumeration's or lies in the body
 *                of a function, how many parentheses are open in it, and whether its statement has
 *                begun as a declaration, that is, with two words in a row: `const int`, `int NAME`
 *   branch       what the scope was at #if, for each #else: both continue the same text
 *
 * A brace opens the body of a function unless its statement says otherwise: namespace, class,
 * struct, union, enum without parentheses, or extern "C". So a macro that hides the beginning of a
 * body or of a namespace makes a definition local, which cannot be exchanged. Within parentheses
 * nothing is a definition, nor between the angles of a template: there a loop counts or a parameter
 * has its default.
 * The value of a definition is read ahead (initial_value.h). What was read ahead holds no further
 * definitions, so all of it takes linear time.
 */
#include "toolchain/size_rewrite.h"

#include "base/text.h"
#include "toolchain/initial_value.h"

#include <inttypes.h>
#include <string.h>

struct scope {
    size_t parentheses; /* open, with brackets */
    bool declares;
    bool is_enum;
    bool is_local; /* in the body of a function */
    bool is_class; /* of a class, struct or union */
    /* of its statement */
    bool names_only;    /* extern, typedef and their like: what has no value is no definition */
    bool opens_class;   /* its brace is that of a class, or */
    bool opens_outside; /* of a namespace, or of another part that is no function */
    bool has_call;      /* parentheses that may be those of a function */
    bool is_auto;       /* values decide the type of its names */
};

struct branch {
    struct scope scope;
    size_t depth;
};

struct override_pass {
    struct arena *arena;
    struct source_lexer lexer;
    const struct rubric_override *overrides; /* [override_count] */
    size_t override_count;
    const int64_t *values;            /* [override_count]; NULL: only `locations` is made */
    struct macro_location *locations; /* [override_count] */
    struct arena *kept;               /* for the values in them */
    int line;                         /* of the position `counted` */
    size_t counted;
    size_t read_ahead;    /* up to where a value was */
    struct scope scope;   /* the innermost */
    struct scope *scopes; /* [depth]: those around it */
    size_t depth, scope_capacity;
    struct branch *branches; /* [branch_count] */
    size_t branch_count, branch_capacity;
    struct source_lexeme before; /* the token before the current one, in no directive */
    bool before_is_type;         /* it is a word that may end a type */
    bool awaits_enum;            /* `enum` came, its brace did not */
    struct text changed;
    size_t copied; /* how much of the source is in `changed` */
};

static bool is_one_of(const struct override_pass *pass, const struct source_lexeme *token,
                      const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (source_lexeme_is(&pass->lexer, token, words[i])) {
            return true;
        }
    }
    return false;
}

/* Words behind which a name is no declarator. */
static bool may_end_a_type(const struct override_pass *pass, const struct source_lexeme *word)
{
    static const char *const others[] = {
        "return",   "else",     "do",        "goto",    "case",   "new",       "delete",
        "throw",    "using",    "namespace", "struct",  "class",  "union",     "enum",
        "typename", "operator", "sizeof",    "alignof", "and",    "or",        "not",
        "xor",      "bitand",   "bitor",     "compl",   "and_eq", "or_eq",     "xor_eq",
        "not_eq",   "co_await", "co_yield",  "if",      "while",  "co_return", "concept",
        "requires", "template", "typedef",   "friend",
    };

    return !is_one_of(pass, word, others, sizeof others / sizeof others[0]);
}

/* The index of the override with the name of a word, or SIZE_MAX. */
static size_t find_override(const struct override_pass *pass, const struct source_lexeme *word)
{
    for (size_t i = 0; i < pass->override_count; i++) {
        if (source_lexeme_is(&pass->lexer, word, pass->overrides[i].name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Changes **************************************************************************************/

/* What a value is written as in the place of a number: with its suffix, so that it has its type. */
static const char *value_text(struct override_pass *pass, int64_t value,
                              const struct source_lexeme *number)
{
    const char *text = pass->lexer.text;

    if (value < 0) {
        return arena_printf(pass->arena, "(%" PRId64 ")", value);
    }
    if (number == NULL) {
        return arena_printf(pass->arena, "%" PRId64, value);
    }
    size_t length = number->end - number->start;
    const char *start = text + number->start;
    bool is_hexadecimal = length > 1 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    bool is_real = memchr(start, '.', length) != NULL;
    for (size_t i = 0; i < length && !is_hexadecimal; i++) {
        is_real |= strchr("eEfF", start[i]) != NULL;
    }
    size_t suffix = length;
    while (suffix > 0 && strchr(is_real ? "fFlL" : "uUlLzZ", start[suffix - 1]) != NULL) {
        suffix--;
    }
    return arena_printf(pass->arena, "%" PRId64 "%s%.*s", value, is_real ? ".0" : "",
                        (int)(length - suffix), start + suffix);
}

static void copy_to(struct override_pass *pass, size_t position)
{
    text_append_bytes(&pass->changed, pass->lexer.text + pass->copied, position - pass->copied);
    pass->copied = position;
}

/* Puts a value in the place of a part of the source. Ends of lines in it stay, with the backslashes
 * that join them; a part of one line stays as long as it is, if the value is short enough. */
static void put_value(struct override_pass *pass, size_t start, size_t end, const char *value)
{
    const char *text = pass->lexer.text;
    size_t length = strlen(value);
    bool is_one_line = memchr(text + start, '\n', end - start) == NULL;

    copy_to(pass, start);
    text_append(&pass->changed, value);
    if (is_one_line && length < end - start) {
        text_append_repeated(&pass->changed, ' ', end - start - length);
    }
    for (size_t i = start; i < end && !is_one_line; i++) {
        size_t behind = source_skip_splices(&pass->lexer, i);
        behind = behind < end ? behind : end;
        if (behind > i) {
            text_append_bytes(&pass->changed, text + i, behind - i);
            i = behind - 1;
        } else if (text[i] == '\n') {
            text_append_char(&pass->changed, '\n');
        }
    }
    pass->copied = end;
}

/* Definitions **********************************************************************************/

/* Adds a value to those of a name. */
static const struct macro_value *keep_value(struct override_pass *pass, size_t index,
                                            const struct initial_value *value)
{
    struct macro_value *kept = arena_alloc(pass->kept, sizeof *kept);

    kept->text = pass->lexer.text + value->first.start;
    kept->length = value->last.end - value->first.start;
    kept->next = pass->locations[index].values;
    pass->locations[index].values = kept;
    return kept;
}

/* Notes a definition; `value` is NULL if it has none that can be exchanged. */
static void see(struct override_pass *pass, size_t index, enum macro_location_kind kind,
                size_t position, const struct initial_value *value)
{
    const struct macro_value *kept = NULL;

    if (pass->values != NULL) {
        return;
    }
    struct macro_location *location = &pass->locations[index];
    if (value != NULL && value->first.kind != SOURCE_END) {
        kept = keep_value(pass, index, value);
    }
    if (kind < location->kind) {
        return;
    }
    if (kind == location->kind) {
        location->count++;
        return;
    }
    for (; pass->counted < position; pass->counted++) {
        pass->line += pass->lexer.text[pass->counted] == '\n' ? 1 : 0;
    }
    location->kind = kind;
    location->line = pass->line;
    location->count = 1;
    location->value = kept;
}

/* Exchanges a value, or puts one to `start` where there is none. */
static void exchange(struct override_pass *pass, size_t index, size_t start,
                     const struct initial_value *value)
{
    const struct source_lexeme *number = value->is_plain ? &value->number : NULL;
    const char *text = value_text(pass, pass->values[index], number);

    if (value->first.kind == SOURCE_END) {
        put_value(pass, start, start, text);
    } else if (number != NULL) {
        put_value(pass, number->start, number->end, text);
    } else {
        put_value(pass, value->first.start, value->last.end, text);
    }
}

/* Exchanges a value that decides the type of a name, which stays: other declarators of the same
 * `auto` have it too. A name alone may be of any type; the type of all else is that of a choice
 * between both values, which works for a lambda and for what is no value of its own, too. */
static void exchange_typed(struct override_pass *pass, size_t index, size_t start,
                           const struct initial_value *value)
{
    const char *text = value_text(pass, pass->values[index], NULL);
    bool is_alone =
        value->is_name && value->first.symbol != '(' && value->last.start == value->name.start;
    bool has_own_suffix =
        value->is_plain && memchr(pass->lexer.text + value->number.start, '_',
                                  value->number.end - value->number.start) != NULL;

    if (value->first.kind == SOURCE_END || (value->is_plain && !has_own_suffix)) {
        exchange(pass, index, start, value);
        return;
    }
    const char *before =
        is_alone ? "static_cast<decltype(" : arena_printf(pass->arena, "(true ? %s : (", text);
    const char *behind = is_alone ? arena_printf(pass->arena, ")>(%s)", text) : "))";
    put_value(pass, value->first.start, value->first.start, before);
    put_value(pass, value->last.end, value->last.end, behind);
}

/* Directives ***********************************************************************************/

/* #define NAME ...: takes its tokens to the end. */
static void read_define(struct override_pass *pass)
{
    const struct source_lexer *lexer = &pass->lexer;
    struct source_lexeme name = source_lexer_next(&pass->lexer);
    struct initial_value value = INITIAL_VALUE_EMPTY;
    size_t next = source_skip_splices(lexer, name.end);
    size_t index = name.kind == SOURCE_WORD ? find_override(pass, &name) : SIZE_MAX;
    struct source_lexeme token = name;

    if (index == SIZE_MAX) {
        return;
    }
    if (next < lexer->length && lexer->text[next] == '(') { /* it has parameters */
        see(pass, index, MACRO_FIXED, name.start, NULL);
        return;
    }
    while (token.kind != SOURCE_DIRECTIVE_END) {
        token = source_lexer_next(&pass->lexer);
        if (token.kind != SOURCE_DIRECTIVE_END) {
            initial_value_take(lexer, &token, &value);
        }
    }
    initial_value_end(&value);
    if (value.is_list) {
        see(pass, index, MACRO_FIXED, name.start, NULL);
        return;
    }
    see(pass, index, MACRO_OUTSIDE, name.start, &value);
    if (pass->values == NULL) {
        return;
    }
    if (value.first.kind == SOURCE_END) {
        copy_to(pass, name.end);
        text_append_char(&pass->changed, ' ');
    }
    exchange(pass, index, name.end, &value);
}

/* Keeps the scope for #else, or takes it from there. */
static void read_condition(struct override_pass *pass, const struct source_lexeme *word)
{
    static const char *const opening[] = {"if", "ifdef", "ifndef"};
    static const char *const others[] = {"else", "elif", "elifdef", "elifndef"};

    if (is_one_of(pass, word, opening, sizeof opening / sizeof opening[0])) {
        arena_grow(pass->arena, &pass->branches, &pass->branch_capacity, pass->branch_count + 1,
                   sizeof *pass->branches);
        pass->branches[pass->branch_count++] = (struct branch){pass->scope, pass->depth};
    } else if (pass->branch_count == 0) {
        return;
    } else if (is_one_of(pass, word, others, sizeof others / sizeof others[0])) {
        pass->scope = pass->branches[pass->branch_count - 1].scope;
        pass->depth = pass->branches[pass->branch_count - 1].depth;
    } else if (source_lexeme_is(&pass->lexer, word, "endif")) {
        pass->branch_count--;
    }
}

static void read_directive(struct override_pass *pass)
{
    struct source_lexeme token = source_lexer_next(&pass->lexer);

    if (token.kind == SOURCE_WORD && source_lexeme_is(&pass->lexer, &token, "define")) {
        read_define(pass);
    } else if (token.kind == SOURCE_WORD) {
        read_condition(pass, &token);
    }
    while (pass->lexer.in_directive) {
        source_lexer_next(&pass->lexer);
    }
}

/* Declarations *********************************************************************************/

/* Is the word in a place where a declaration puts a name? */
static bool is_declarator(const struct override_pass *pass)
{
    const struct scope *scope = &pass->scope;
    bool follows_comma = pass->before.symbol == ',';

    if (scope->parentheses > 0) {
        return false;
    }
    if (scope->is_enum) {
        return follows_comma || pass->before.symbol == '{';
    }
    return pass->before_is_type || (follows_comma && scope->declares);
}

/* Reads what follows a name in such a place: *out_ends is what ends its value, "" if it has none.
 * The lexer is put to where the value begins. */
static struct source_lexeme open_value(const struct override_pass *pass, struct source_lexer *lexer,
                                       const char **out_ends)
{
    struct source_lexeme opening = source_lexer_next(lexer);
    struct source_lexer behind = *lexer;

    *out_ends = "";
    if (opening.symbol == '=') {
        struct source_lexeme next = source_lexer_next(&behind);
        *out_ends = pass->scope.is_enum ? ",}" : ",;";
        if (next.symbol == '{') {
            *out_ends = "}";
            *lexer = behind;
            return next;
        }
    } else if (opening.symbol == '{') {
        *out_ends = "}";
    } else if (opening.symbol == '(') {
        *out_ends = ")";
    }
    return opening;
}

/* Can the value be exchanged for a number? A text cannot, nor several values, nor a function that
 * is not called. */
static bool is_exchangeable(const struct initial_value *value)
{
    bool is_function = value->first.symbol == '[' && value->last.symbol == '}';

    return !value->is_list && value->first.kind != SOURCE_LITERAL && !is_function;
}

/* A name in such a place: does a value follow? */
static void read_declarator(struct override_pass *pass, size_t index,
                            const struct source_lexeme *name)
{
    const struct scope *scope = &pass->scope;
    struct source_lexer lexer = pass->lexer;
    struct initial_value value;
    const char *ends;
    struct source_lexeme opening = open_value(pass, &lexer, &ends);

    if (ends[0] == '\0') {
        bool is_variable = (opening.symbol == ';' && !scope->is_class && !scope->names_only) ||
                           opening.symbol == '[';
        if (is_variable) {
            see(pass, index, MACRO_FIXED, name->start, NULL);
        }
        return;
    }
    bool is_value = initial_value_read(&lexer, ends, &value, &pass->read_ahead);
    if (opening.symbol == '(' && (!is_value || value.is_parameters)) {
        return; /* a function */
    }
    bool is_empty = is_value && value.first.kind == SOURCE_END;
    if (scope->is_local || !is_value || !is_exchangeable(&value) ||
        (is_empty && opening.symbol != '{')) {
        see(pass, index, MACRO_FIXED, name->start, NULL);
        return;
    }
    see(pass, index, MACRO_OUTSIDE, name->start, &value);
    if (pass->values == NULL) {
        return;
    }
    if (scope->is_auto) {
        exchange_typed(pass, index, opening.end, &value);
    } else {
        exchange(pass, index, opening.end, &value);
    }
}

static void open_brace(struct override_pass *pass)
{
    struct scope *scope = &pass->scope;
    bool is_linkage = pass->before.kind == SOURCE_LITERAL && scope->names_only; /* extern "C" { */
    bool is_outside = pass->awaits_enum || is_linkage || (scope->opens_outside && !scope->has_call);

    arena_grow(pass->arena, &pass->scopes, &pass->scope_capacity, pass->depth + 1,
               sizeof *pass->scopes);
    pass->scopes[pass->depth++] = *scope;
    *scope = (struct scope){
        .is_enum = pass->awaits_enum,
        .is_local = scope->is_local || !is_outside,
        .is_class = scope->opens_class && is_outside,
    };
    pass->awaits_enum = false;
}

static void close_brace(struct override_pass *pass)
{
    pass->scope = pass->depth > 0 ? pass->scopes[--pass->depth] : (struct scope){0};
}

/* What comes next is a new statement. */
static void end_statement(struct scope *scope)
{
    *scope = (struct scope){
        .is_enum = scope->is_enum, .is_local = scope->is_local, .is_class = scope->is_class};
}

/* Do parentheses behind this word belong to an attribute, not to a function? */
static bool is_attribute(const struct override_pass *pass, const struct source_lexeme *word)
{
    static const char *const words[] = {"__align__", "alignas", "__attribute__", "__declspec"};

    return word->kind == SOURCE_WORD &&
           is_one_of(pass, word, words, sizeof words / sizeof words[0]);
}

static void read_symbol(struct override_pass *pass, int symbol)
{
    struct scope *scope = &pass->scope;

    switch (symbol) {
    case '{':
        open_brace(pass);
        break;
    case '}':
        close_brace(pass);
        break;
    case '(':
    case '[':
        scope->has_call |=
            symbol == '(' && scope->parentheses == 0 && !is_attribute(pass, &pass->before);
        scope->parentheses++;
        pass->awaits_enum = false;
        break;
    case ')':
    case ']':
        scope->parentheses -= scope->parentheses > 0 ? 1 : 0;
        break;
    case ';':
        if (scope->parentheses == 0) {
            end_statement(scope);
        }
        pass->awaits_enum = false;
        break;
    case '=':
        pass->awaits_enum = false;
        scope->opens_outside &= scope->parentheses > 0;
        break;
    default:
        break;
    }
}

/* What a word of a statement says about the braces and names in it. */
static void read_keyword(struct override_pass *pass, const struct source_lexeme *word)
{
    static const char *const classes[] = {"class", "struct", "union"};
    static const char *const names_only[] = {"extern", "typedef", "using", "friend"};
    struct scope *scope = &pass->scope;

    if (scope->parentheses > 0) {
        return;
    }
    scope->opens_class |= is_one_of(pass, word, classes, sizeof classes / sizeof classes[0]);
    scope->opens_outside |= scope->opens_class || source_lexeme_is(&pass->lexer, word, "namespace");
    scope->names_only |=
        is_one_of(pass, word, names_only, sizeof names_only / sizeof names_only[0]);
    scope->is_auto |= source_lexeme_is(&pass->lexer, word, "auto");
    pass->awaits_enum |= source_lexeme_is(&pass->lexer, word, "enum");
}

/* Behind `template`: takes the parameters, whose defaults are no sizes of the program, to the angle
 * that closes them, or to what cannot stand in them. */
static void skip_template_parameters(struct override_pass *pass)
{
    struct source_lexer ahead = pass->lexer;
    struct source_lexeme token = source_lexer_next(&ahead);
    size_t angles = 0, parentheses = 0;

    while (token.kind != SOURCE_END && token.kind != SOURCE_DIRECTIVE && token.symbol != ';' &&
           token.symbol != '{') {
        parentheses += token.symbol == '(' ? 1 : 0;
        parentheses -= token.symbol == ')' && parentheses > 0 ? 1 : 0;
        angles += token.symbol == '<' && parentheses == 0 ? 1 : 0;
        angles -= token.symbol == '>' && parentheses == 0 && angles > 0 ? 1 : 0;
        if (angles == 0 && parentheses == 0) {
            break;
        }
        pass->lexer = ahead;
        token = source_lexer_next(&ahead);
    }
}

static void read_word(struct override_pass *pass, const struct source_lexeme *word)
{
    size_t index = find_override(pass, word);
    bool is_type = may_end_a_type(pass, word);

    if (index != SIZE_MAX && word->start >= pass->read_ahead && is_declarator(pass)) {
        read_declarator(pass, index, word);
    }
    if (pass->before_is_type && is_type && pass->scope.parentheses == 0) {
        pass->scope.declares = true;
    }
    read_keyword(pass, word);
    if (source_lexeme_is(&pass->lexer, word, "template")) {
        skip_template_parameters(pass);
    }
    pass->before_is_type = is_type;
}

static void read_token(struct override_pass *pass, const struct source_lexeme *token)
{
    /* Behind a brace a statement begins, unless the brace was a value. */
    if (pass->before.symbol == '}' && token->symbol != ',' && pass->scope.parentheses == 0 &&
        token->start >= pass->read_ahead) {
        end_statement(&pass->scope);
    }
    if (token->kind == SOURCE_WORD) {
        read_word(pass, token);
    } else {
        if (token->kind == SOURCE_SYMBOL) {
            read_symbol(pass, token->symbol);
        }
        pass->before_is_type = false;
    }
    pass->before = *token;
}

static void read_source(struct override_pass *pass, const char *text, size_t length)
{
    source_lexer_init(&pass->lexer, text, length);
    for (;;) {
        struct source_lexeme token = source_lexer_next(&pass->lexer);
        if (token.kind == SOURCE_END) {
            break;
        }
        if (token.kind == SOURCE_DIRECTIVE) {
            read_directive(pass);
        } else {
            read_token(pass, &token);
        }
    }
}

void macro_survey(struct arena *arena, const char *text, size_t length,
                  const struct rubric_override *overrides, size_t override_count,
                  struct macro_location *locations)
{
    struct override_pass pass = {
        .arena = arena_new(),
        .overrides = overrides,
        .override_count = override_count,
        .locations = locations,
        .kept = arena,
        .line = 1,
    };

    read_source(&pass, text, length);
    arena_free(pass.arena);
}

/* Do all names that stand for the same other name as this one have its value? */
static bool agree(const struct macro_values *given, size_t index)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *second = given->locations[i].second;
        if (second != NULL && strcmp(second, given->locations[index].second) == 0 &&
            given->values[i] != given->values[index]) {
            return false;
        }
    }
    return true;
}

/* Adds the names that overrides stand for, each with their value. */
static struct macro_values with_seconds(struct arena *arena, const struct macro_values *given)
{
    size_t count = given->count;
    struct rubric_override *overrides = arena_array(arena, 2 * count + 1, sizeof *overrides);
    int64_t *values = arena_array(arena, 2 * count + 1, sizeof *values);

    for (size_t i = 0; i < given->count; i++) {
        overrides[i] = given->overrides[i];
        values[i] = given->values[i];
    }
    for (size_t i = 0; i < given->count; i++) {
        if (given->locations[i].second != NULL && agree(given, i)) {
            overrides[count] = (struct rubric_override){.name = given->locations[i].second};
            values[count++] = given->values[i];
        }
    }
    return (struct macro_values){overrides, count, values, given->locations};
}

const char *size_rewrite(struct arena *arena, const char *text, size_t length,
                         const struct macro_values *values, size_t *out_length)
{
    const struct macro_values all = with_seconds(arena, values);
    struct override_pass pass = {
        .arena = arena,
        .overrides = all.overrides,
        .override_count = all.count,
        .values = all.values,
    };
    const char *result = text;

    text_init(&pass.changed);
    read_source(&pass, text, length);
    *out_length = length;
    if (pass.copied > 0) {
        copy_to(&pass, length);
        *out_length = pass.changed.length;
        result = arena_strndup(arena, pass.changed.bytes, pass.changed.length);
    }
    text_release(&pass.changed);
    return result;
}
