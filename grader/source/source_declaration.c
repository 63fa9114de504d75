/* source_declaration.c: see source_declaration.h. */
#include "source/source_declaration.h"

#include <string.h>

/* Longer declarations, and calls, are no one's handwriting: they are not read. */
enum { DECLARATION_TOKENS_MAX = 64, EXPRESSION_TOKENS_MAX = 256 };

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static bool is_one_of(const struct source_tokens *tokens, size_t at, enum token_kind kind,
                      const char *const *texts)
{
    for (; *texts != NULL; texts++) {
        if (token_is(tokens, at, kind, *texts)) {
            return true;
        }
    }
    return false;
}

/* Types ****************************************************************************************/

/* Adds a word to a type; false if it is none of a type that is known. */
static bool add_type_word(const struct source_tokens *tokens, size_t at, struct declared_type *type)
{
    static const struct {
        const char *word;
        unsigned bytes;
        bool is_integer, is_signed;
    } words[] = {
        {"int", 4, true, true},       {"unsigned", 4, true, false}, {"long", 8, true, true},
        {"short", 2, true, true},     {"char", 1, true, true},      {"bool", 1, false, false},
        {"size_t", 8, true, false},   {"uint", 4, true, false},     {"int8_t", 1, true, true},
        {"uint8_t", 1, true, false},  {"int16_t", 2, true, true},   {"uint16_t", 2, true, false},
        {"int32_t", 4, true, true},   {"uint32_t", 4, true, false}, {"int64_t", 8, true, true},
        {"uint64_t", 8, true, false}, {"float", 4, false, true},    {"double", 8, false, true},
        {"half", 2, false, true},     {"__half", 2, false, true},
    };
    static const char *const others[] = {"static",     "extern",    "__restrict__",
                                         "__shared__", "__align__", NULL};

    if (token_is(tokens, at, TOKEN_NAME, "const") ||
        token_is(tokens, at, TOKEN_NAME, "constexpr")) {
        type->is_const = true;
        return true;
    }
    if (token_is(tokens, at, TOKEN_NAME, "signed")) {
        return true; /* of `signed char` too, which is one anyhow */
    }
    if (token_is(tokens, at, TOKEN_NAME, "auto")) {
        type->is_auto = true;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!token_is(tokens, at, TOKEN_NAME, words[i].word)) {
            continue;
        }
        const bool is_first = type->bytes == 0;
        const bool is_plain_int = strcmp(words[i].word, "int") == 0;
        const bool was_unsigned = !is_first && type->is_integer && !type->is_signed;
        type->bytes = is_first || !is_plain_int ? words[i].bytes : type->bytes;
        if (!is_first && strcmp(words[i].word, "unsigned") == 0) { /* long unsigned */
            return false;
        }
        type->is_integer = words[i].is_integer;
        type->is_signed = words[i].is_signed && !was_unsigned;
        return true;
    }
    return is_one_of(tokens, at, TOKEN_NAME, others);
}

/* Takes a step of those that are left; false if there is none. */
static bool take_step(size_t *steps)
{
    const bool has_step = *steps > 0;

    *steps -= has_step ? 1 : 0;
    return has_step;
}

/* The first token of the declaration that names the one at `name`; `name` if none is found in as
 * many steps. */
static size_t declaration_start(const struct source_tokens *tokens, size_t name, size_t *steps)
{
    size_t at = name;

    for (size_t i = 0; at > 0 && i < DECLARATION_TOKENS_MAX && take_step(steps); i++) {
        const size_t before = at - 1;
        if (sign_is(tokens, before, ")") || sign_is(tokens, before, "]")) {
            at = tokens->partners[before] < before ? tokens->partners[before] : name;
            if (at == name) {
                return name;
            }
            continue;
        }
        if (sign_is(tokens, before, ";") || sign_is(tokens, before, "{") ||
            sign_is(tokens, before, "}") || sign_is(tokens, before, "(")) {
            return at;
        }
        at = before;
    }
    return at == 0 ? at : name;
}

/* Reads the words of a type from token `first` on: returns the token after them. */
static size_t read_type(const struct source_tokens *tokens, size_t first, size_t end,
                        struct declared_type *out_type)
{
    size_t at = first;

    *out_type = (struct declared_type){0};
    while (at < end && add_type_word(tokens, at, out_type)) {
        at++;
    }
    return out_type->bytes > 0 || out_type->is_auto ? at : first;
}

/* source_declared_type() that takes steps. */
static bool read_declared(const struct source_tokens *tokens, size_t name, size_t *steps,
                          struct declared_type *out_type)
{
    struct declared_type word = {0};

    if (name > 0 && !sign_is(tokens, name - 1, "*") && !sign_is(tokens, name - 1, ",") &&
        !add_type_word(tokens, name - 1, &word)) {
        return false; /* without a look at all that is in front of it */
    }
    const size_t start = declaration_start(tokens, name, steps);
    size_t at = read_type(tokens, start, name, out_type);

    if (at == start) {
        return false;
    }
    const bool is_first = at == name || (sign_is(tokens, at, "*") && at + 1 <= name);
    while (at < name && (sign_is(tokens, at, "*") || token_is(tokens, at, TOKEN_NAME, "const") ||
                         token_is(tokens, at, TOKEN_NAME, "__restrict__"))) {
        out_type->is_const = sign_is(tokens, at, "*") ? false : out_type->is_const;
        out_type->is_pointer = true;
        at++;
    }
    if (at == name && is_first) {
        return true;
    }
    if (!sign_is(tokens, name - 1, ",")) { /* int a = 1, name = 2; */
        return false;
    }
    for (size_t i = at; i < name; i++) { /* the comma may be one of a call or an index */
        size_t close = token_close(tokens, i);
        i = close < tokens->count && close <= name && close > i ? close - 1 : i;
    }
    return !out_type->is_pointer;
}

bool source_declared_type(const struct source_tokens *tokens, size_t name,
                          struct declared_type *out_type)
{
    size_t steps = DECLARATION_TOKENS_MAX;

    return read_declared(tokens, name, &steps, out_type);
}

/* Scopes and changes ***************************************************************************/

/* Where the scope of a name ends that is declared at a token. */
static size_t scope_end(struct declaration_search *search, size_t name)
{
    const struct source_tokens *tokens = search->tokens;

    for (size_t at = name; at > search->function->open; at--) {
        const size_t before = at - 1;
        const size_t partner = tokens->partners[before];
        if (search->steps == 0) {
            return name;
        }
        search->steps--;
        if (partner < before) {
            at = partner + 1;
        } else if (sign_is(tokens, before, "{")) {
            return token_close(tokens, before);
        } else if (sign_is(tokens, before, "(") && before > 0 &&
                   token_is(tokens, before - 1, TOKEN_NAME, "for")) {
            return source_statement_end(tokens, before - 1);
        }
    }
    return search->function->close;
}

/* The `for` whose head a token stands in; 0: none. */
static size_t loop_of_head(struct declaration_search *search, size_t name)
{
    const struct source_tokens *tokens = search->tokens;
    const size_t start = declaration_start(tokens, name, &search->steps);
    const bool is_head = start >= 2 && sign_is(tokens, start - 1, "(") &&
                         token_is(tokens, start - 2, TOKEN_NAME, "for");

    return is_head ? start - 2 : 0;
}

static bool is_operand_end(const struct source_tokens *tokens, size_t at)
{
    return (tokens->tokens[at].kind == TOKEN_NAME && !token_is(tokens, at, TOKEN_NAME, "return")) ||
           tokens->tokens[at].kind == TOKEN_NUMBER || sign_is(tokens, at, ")") ||
           sign_is(tokens, at, "]");
}

/* True if the name at a token is given alone to a call that may change it. */
static bool is_given_away(const struct source_tokens *tokens, size_t at, size_t *steps)
{
    static const char *const harmless[] = {"if",
                                           "while",
                                           "for",
                                           "switch",
                                           "sizeof",
                                           "min",
                                           "max",
                                           "abs",
                                           "int",
                                           "unsigned",
                                           "float",
                                           "double",
                                           "size_t",
                                           "return",
                                           "dim3",
                                           "make_float4",
                                           "load_matrix_sync",
                                           "store_matrix_sync",
                                           NULL};
    size_t open = at - 1;

    if ((!sign_is(tokens, open, "(") && !sign_is(tokens, open, ",")) ||
        (!sign_is(tokens, at + 1, ",") && !sign_is(tokens, at + 1, ")"))) {
        return false;
    }
    for (size_t i = 0; open > 0 && !sign_is(tokens, open, "("); open--) {
        if (i++ == DECLARATION_TOKENS_MAX || !take_step(steps) || sign_is(tokens, open, "{")) {
            return true;
        }
        if (sign_is(tokens, open, ";")) {
            return false; /* int a, b; */
        }
        open = tokens->partners[open] < open ? tokens->partners[open] : open;
    }
    if (open == 0 || tokens->tokens[open - 1].kind != TOKEN_NAME) {
        return open > 0 && sign_is(tokens, open - 1, ">") &&
               !token_is(tokens, open - 2, TOKEN_NAME, "int") &&
               !token_is(tokens, open - 2, TOKEN_NAME, "float");
    }
    const struct source_token *call = &tokens->tokens[open - 1];
    return !is_one_of(tokens, open - 1, TOKEN_NAME, harmless) &&
           !(call->length > 2 && memcmp(call->text, "__", 2) == 0) &&
           !(call->length > 6 && memcmp(call->text, "atomic", 6) == 0);
}

/* True if the name at a token may be set there; calls do not change what `is_kept` by its type. */
static bool may_change(const struct source_tokens *tokens, size_t at, bool is_kept, size_t *steps)
{
    const bool is_reference = at > 3 && sign_is(tokens, at - 1, "=") &&
                              tokens->tokens[at - 2].kind == TOKEN_NAME &&
                              sign_is(tokens, at - 3, "&");

    return token_assigns(tokens, at + 1) || sign_is(tokens, at + 1, "++") ||
           sign_is(tokens, at + 1, "--") || sign_is(tokens, at - 1, "++") ||
           sign_is(tokens, at - 1, "--") ||
           (sign_is(tokens, at - 1, "&") && !is_operand_end(tokens, at - 2)) || is_reference ||
           (!is_kept && is_given_away(tokens, at, steps));
}

/* True if a token is that name, of no member and no namespace. */
static bool is_name(const struct source_tokens *tokens, size_t at, size_t name)
{
    return token_same_name(tokens, at, name) && !sign_is(tokens, at - 1, ".") &&
           !sign_is(tokens, at - 1, "->") && !sign_is(tokens, at - 1, "::");
}

/* What changes a name, besides its declaration. */
struct changes {
    size_t count, last;
    bool is_declared; /* again */
};

static bool find_changes(struct declaration_search *search, size_t name,
                         const struct declared_type *declared, struct token_range scope,
                         struct changes *out)
{
    const bool is_kept = declared->is_const || declared->is_pointer;
    const struct source_tokens *tokens = search->tokens;
    struct declared_type type;

    *out = (struct changes){0};
    if (scope.end < scope.first || scope.end - scope.first > search->steps) {
        return false;
    }
    search->steps -= scope.end - scope.first;
    for (size_t i = scope.first; i < scope.end; i++) {
        if (i == name || !is_name(tokens, i, name)) {
            continue;
        }
        out->is_declared = out->is_declared || read_declared(tokens, i, &search->steps, &type);
        if (may_change(tokens, i, is_kept, &search->steps)) {
            out->count++;
            out->last = i;
        }
    }
    return search->steps > 0;
}

struct token_range source_expression(const struct source_tokens *tokens, size_t first)
{
    size_t at = first;

    while (at < tokens->count && at - first < EXPRESSION_TOKENS_MAX && !sign_is(tokens, at, ",") &&
           !sign_is(tokens, at, ";") && !sign_is(tokens, at, ")") && !sign_is(tokens, at, "]") &&
           !sign_is(tokens, at, "}")) {
        const size_t close = token_close(tokens, at);
        at = close > at + 1 && close < tokens->count ? close : at + 1;
    }
    return (struct token_range){first, at};
}

/* The last declaration of a name that can be seen at a token; tokens->count: there is none. */
static size_t visible_declaration(struct declaration_search *search, size_t use, size_t *out_end)
{
    const struct source_tokens *tokens = search->tokens;
    size_t found = tokens->count;

    for (size_t i = search->function->open + 1; i <= use; i++) {
        struct declared_type type;
        if (!take_step(&search->steps)) {
            return tokens->count;
        }
        if (is_name(tokens, i, use) && read_declared(tokens, i, &search->steps, &type)) {
            const size_t end = scope_end(search, i);
            found = end > use ? i : found;
            *out_end = end > use ? end : *out_end;
        }
    }
    return search->steps > 0 ? found : tokens->count;
}

static bool find_set(struct declaration_search *search, size_t use, struct source_set *out_set)
{
    const struct source_tokens *tokens = search->tokens;
    size_t end = 0;
    struct changes changes;

    if (use <= search->function->open || use >= search->function->close) {
        return false;
    }
    const size_t name = visible_declaration(search, use, &end);
    if (name == tokens->count) {
        return false;
    }
    *out_set = (struct source_set){.name = name};
    source_declared_type(tokens, name, &out_set->type);
    if (!find_changes(search, name, &out_set->type, (struct token_range){name + 1, end},
                      &changes) ||
        changes.is_declared) {
        return false;
    }
    const bool has_value = sign_is(tokens, name + 1, "=");
    out_set->value = source_expression(tokens, name + 2);
    if (changes.count == 0) {
        return has_value;
    }
    const size_t loop = loop_of_head(search, name);
    if (has_value && loop > 0 && changes.count == 1 &&
        changes.last < token_close(tokens, loop + 1)) {
        out_set->loop = loop;
        return true;
    }
    if (!has_value && changes.count == 1 && sign_is(tokens, name + 1, ";") && changes.last < use &&
        sign_is(tokens, changes.last + 1, "=") && scope_end(search, changes.last) == end &&
        sign_is(tokens, changes.last - 1, ";")) {
        out_set->name = changes.last;
        out_set->value = source_expression(tokens, changes.last + 2);
        return true;
    }
    return false;
}

bool source_find_set(struct declaration_search *search, size_t use, struct source_set *out_set)
{
    struct known_set *known = &search->known[use % KNOWN_SETS];

    if (known->use != use || use == 0) {
        *known = (struct known_set){.use = use};
        known->is_found = find_set(search, use, &known->set);
    } else if (search->steps == 0) {
        return false;
    } else {
        search->steps--;
    }
    if (known->is_found) {
        *out_set = known->set;
    }
    return known->is_found;
}

/* The parameter of that name, changed or not. */
static bool find_parameter(struct declaration_search *search, size_t use,
                           struct source_parameter *out_parameter)
{
    const struct source_tokens *tokens = search->tokens;
    const size_t open = search->function->name + 1;
    const size_t close = token_close(tokens, open);
    size_t index = 0;

    for (size_t i = open + 1; sign_is(tokens, open, "(") && i < close && i < search->function->open;
         i++) {
        index += sign_is(tokens, i, ",") ? 1 : 0;
        if (search->steps == 0 || sign_is(tokens, i, "<") || sign_is(tokens, i, "(")) {
            return false;
        }
        search->steps--;
        if (!is_name(tokens, i, use)) {
            continue;
        }
        size_t first = i;
        while (first > open + 1 && !sign_is(tokens, first - 1, ",")) {
            first--;
        }
        *out_parameter = (struct source_parameter){.name = i, .index = index};
        size_t after = read_type(tokens, first, i, &out_parameter->type);
        for (size_t k = after; k < i; k++) {
            out_parameter->type.is_pointer =
                out_parameter->type.is_pointer || sign_is(tokens, k, "*");
            out_parameter->type.bytes =
                sign_is(tokens, k, "&") || after == first ? 0 : out_parameter->type.bytes;
        }
        return true;
    }
    return false;
}

bool source_find_parameter(struct declaration_search *search, size_t use,
                           struct source_parameter *out_parameter)
{
    const struct source_function *function = search->function;
    const struct token_range body = {function->open + 1, function->close};
    size_t end = 0;
    struct changes changes;

    return find_parameter(search, use, out_parameter) &&
           visible_declaration(search, use, &end) == search->tokens->count &&
           find_changes(search, use, &out_parameter->type, body, &changes) && changes.count == 0 &&
           !changes.is_declared;
}

/* True if the tokens before a name may declare it, with a type that may be unknown. */
static bool may_declare(const struct source_tokens *tokens, size_t name, size_t *steps)
{
    static const char *const signs[] = {"*", "&", "::", "<", ">", ",", NULL};
    const size_t start = declaration_start(tokens, name, steps);
    bool has_comma = false;
    int depth = 0;

    for (size_t i = start; i < name; i++) {
        depth += sign_is(tokens, i, "<") ? 1 : sign_is(tokens, i, ">") ? -1 : 0;
        if (tokens->tokens[i].kind != TOKEN_NAME && !is_one_of(tokens, i, TOKEN_SIGN, signs)) {
            return false;
        }
        has_comma = has_comma || sign_is(tokens, i, ",");
    }
    return start < name && depth == 0 && tokens->tokens[start].kind == TOKEN_NAME &&
           !token_is(tokens, start, TOKEN_NAME, "return") &&
           (!has_comma || tokens->tokens[start + 1].kind == TOKEN_NAME);
}

bool source_is_local(struct declaration_search *search, size_t use)
{
    const struct source_tokens *tokens = search->tokens;
    struct source_parameter parameter;

    if (find_parameter(search, use, &parameter) || search->steps == 0) {
        return true;
    }
    for (size_t i = search->function->open + 1; i < use; i++) {
        if (!take_step(&search->steps)) {
            return true;
        }
        if (is_name(tokens, i, use) && may_declare(tokens, i, &search->steps)) {
            return true;
        }
    }
    return search->steps == 0;
}
