/* thread_value.c: see thread_value.h. */
#include "source/thread_value.h"

#include "source/source_search.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 32,
    MACRO_BYTES_MAX = 256,
    FILE_BYTES_MAX = 1 << 18, /* larger files are no one's handwriting */
    ENUM_TOKENS_MAX = 1024,
};

/* A value with the type that C gives it: of 4 or 8 bytes. */
struct number {
    int64_t value; /* of an unsigned type of 8 bytes: its bits */
    unsigned bytes;
    bool is_signed;
};

/* An expression that is being read. */
struct reader {
    struct value_scene *scene;
    const struct source_tokens *tokens;
    size_t at, end;
    bool is_outside; /* of the function, so it has none of its names */
};

static bool read_choice(struct reader *reader, struct number *out);
static bool outside_value(struct value_scene *scene, struct source_name name, struct number *out);

static bool evaluate(struct reader reader, struct number *out)
{
    struct value_scene *scene = reader.scene;
    bool is_known = false;

    if (scene->depth < DEPTH_MAX && reader.at < reader.end) {
        scene->depth++;
        is_known = read_choice(&reader, out) && reader.at == reader.end;
        scene->depth--;
    }
    return is_known;
}

static bool sign_at(const struct reader *reader, size_t at, const char *text)
{
    return at < reader->end && token_is(reader->tokens, at, TOKEN_SIGN, text);
}

static bool take(struct reader *reader, const char *text)
{
    const bool is_it = sign_at(reader, reader->at, text);

    reader->at += is_it ? 1 : 0;
    return is_it;
}

/* Converts to a type; false if that is no integer. */
static bool convert(struct number *number, const struct declared_type *type)
{
    if (type->is_auto && !type->is_pointer) {
        return true;
    }
    if (!type->is_integer || type->is_pointer || type->bytes == 0) {
        return false;
    }
    const unsigned bits = 8 * type->bytes;
    uint64_t value = (uint64_t)number->value;
    if (bits < 64) {
        const uint64_t mask = (UINT64_C(1) << bits) - 1;
        value &= mask;
        value |= type->is_signed && value >> (bits - 1) != 0 ? ~mask : 0;
    }
    *number = (struct number){.value = (int64_t)value,
                              .bytes = type->bytes < 4 ? 4 : type->bytes,
                              .is_signed = type->bytes < 4 || type->is_signed};
    return true;
}

/* Names ****************************************************************************************/

/* Reads threadIdx.x and the like; false if it is none. */
static bool read_coordinate(struct reader *reader, struct number *out, bool *out_is_known)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct value_scene *scene = reader->scene;
    const struct finding_values *values = scene->values;
    const struct {
        const char *name;
        const uint32_t *sizes;
        unsigned uses;
    } all[] = {{"threadIdx", scene->thread, VALUE_OF_THREAD},
               {"blockIdx", scene->block, VALUE_OF_BLOCK},
               {"blockDim", values == NULL ? NULL : values->block, 0},
               {"gridDim", values == NULL ? NULL : values->grid, 0}};

    if (!sign_at(reader, reader->at + 1, ".")) {
        return false;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            if (token_is(reader->tokens, reader->at, TOKEN_NAME, all[i].name) &&
                reader->at + 3 <= reader->end &&
                token_is(reader->tokens, reader->at + 2, TOKEN_NAME, axes[axis])) {
                reader->at += 3;
                scene->uses |= all[i].uses;
                scene->uses |= (all[i].uses & VALUE_OF_THREAD) != 0 ? VALUE_OF_THREAD_X << axis : 0;
                scene->uses |= (all[i].uses & VALUE_OF_BLOCK) != 0 ? VALUE_OF_BLOCK_X << axis : 0;
                *out = (struct number){all[i].sizes == NULL ? 0 : all[i].sizes[axis], 4, false};
                *out_is_known = all[i].sizes != NULL;
                return true;
            }
        }
    }
    return false;
}

static bool argument_value(struct value_scene *scene, size_t at, struct number *out)
{
    const struct finding_values *values = scene->values;
    struct source_parameter parameter;

    if (!source_find_parameter(&scene->search, at, &parameter) || values == NULL ||
        parameter.index >= FINDING_ARGUMENTS_MAX || (values->known >> parameter.index & 1) == 0) {
        return false;
    }
    *out = (struct number){(int64_t)values->arguments[parameter.index], 8, true};
    return convert(out, &parameter.type);
}

/* The value that the scene gives a variable; false if it gives it none. */
static bool bound_value(struct value_scene *scene, const struct source_set *set, struct number *out)
{
    for (size_t i = 0; i < scene->bound_count; i++) {
        if (scene->bound[i].name == set->name) {
            *out = (struct number){scene->bound[i].value, 8, true};
            scene->uses |= VALUE_OF_COUNTER;
            return true;
        }
    }
    return false;
}

/* The value that the scene gives a parameter of the template; false if it gives it none. */
static bool constant_of_template(const struct value_scene *scene, size_t at, struct number *out)
{
    for (size_t i = 0; i < scene->constant_count; i++) {
        if (token_same_name(scene->search.tokens, scene->constants[i].name, at)) {
            *out = (struct number){scene->constants[i].value, 4, true};
            return true;
        }
    }
    return false;
}

static bool name_value(struct reader *reader, struct number *out)
{
    static const char *const after[] = {"(", "[", ".", "->", "::", "++", "--", NULL};
    struct value_scene *scene = reader->scene;
    const struct source_token *token = &reader->tokens->tokens[reader->at];
    const struct source_name name = {token->text, token->length};
    const size_t at = reader->at++;
    struct source_set set;

    for (size_t i = 0; after[i] != NULL; i++) {
        if (sign_at(reader, reader->at, after[i])) {
            return false;
        }
    }
    if (reader->is_outside || source_has_macro_named(reader->tokens, name)) {
        return outside_value(scene, name, out);
    }
    if (source_find_set(&scene->search, at, &set)) {
        const struct reader value = {scene, reader->tokens, set.value.first, set.value.end, false};
        return (bound_value(scene, &set, out) || (set.loop == 0 && evaluate(value, out))) &&
               convert(out, &set.type);
    }
    if (source_is_local(&scene->search, at)) {
        return argument_value(scene, at, out);
    }
    return constant_of_template(scene, at, out) || outside_value(scene, name, out);
}

/* Constants outside of functions ****************************************************************/

static bool is_spelt(const char *text, struct source_name name)
{
    return strlen(text) == name.length && memcmp(text, name.text, name.length) == 0;
}

/* True if a build gives the name another value than the source does. */
static bool is_replaced(const struct rubric_program *program, struct source_name name)
{
    bool is_it = false;

    for (size_t i = 0; program != NULL && i < program->override_count; i++) {
        is_it = is_it || is_spelt(program->overrides[i].name, name);
    }
    for (size_t i = 0; program != NULL && i < program->define_count; i++) {
        is_it = is_it || is_spelt(program->defines[i].name, name);
    }
    return is_it;
}

/* The value that the build of the case gives a name instead of the source's; false if it gives it
 * none, or which is not known. */
static bool replaced_value(const struct value_scene *scene, struct source_name name,
                           struct number *out)
{
    const struct rubric_program *program = scene->program;

    for (size_t i = 0; program != NULL && scene->replaced != NULL && i < program->override_count;
         i++) {
        if (is_spelt(program->overrides[i].name, name)) {
            *out = (struct number){scene->replaced[i], 4, true};
            return true;
        }
    }
    return false;
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t')) {
        text++;
    }
    return text;
}

/* The text after a word; NULL if another one is there. */
static const char *after_word(const char *text, const char *end, struct source_name word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *after = text + word.length;

    if ((size_t)(end - text) < word.length || memcmp(text, word.text, word.length) != 0) {
        return NULL;
    }
    return after < end && character_is_of(*after, letters) ? NULL : after;
}

/* How many directives of a file define a name, take it back or ask whether it is defined; sets the
 * text of the last one. */
static size_t find_defines(const struct source_file *file, struct source_name name,
                           struct source_name *out_text)
{
    static const struct source_name words[] = {
        {"define", 6}, {"undef", 5}, {"ifdef", 5}, {"ifndef", 6}};
    const char *const end = file->text + file->length;
    size_t found = 0;

    for (const char *line = file->text; line < end;) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));
        line_end = line_end == NULL ? end : line_end;
        const char *at = skip_blanks(line, line_end);
        at = at < line_end && *at == '#' ? skip_blanks(at + 1, line_end) : line_end;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            const char *after = after_word(at, line_end, words[i]);
            after = after == NULL ? NULL : after_word(skip_blanks(after, line_end), line_end, name);
            if (after != NULL) {
                *out_text = (struct source_name){after, i == 0 ? (size_t)(line_end - after) : 0};
                found++;
            }
        }
        line = line_end + 1;
    }
    return found;
}

/* The value of a macro that the program defines once, in one line: a number, or in brackets. */
static bool macro_value(struct value_scene *scene, struct source_name name, struct number *out)
{
    struct source_name text = {NULL, 0};
    struct source_tokens tokens;
    size_t found = 0;

    for (size_t i = 0; i < scene->source->count; i++) {
        const struct source_file *file = scene->source->files[i].tokens.file;
        if (file->length > FILE_BYTES_MAX || file->length > scene->search.steps) {
            return false;
        }
        scene->search.steps -= file->length;
        found += find_defines(file, name, &text);
    }
    if (found != 1 || text.length == 0 || text.length > MACRO_BYTES_MAX || text.text[0] == '(' ||
        memchr(text.text, '\\', text.length) != NULL) {
        return false;
    }
    struct source_file *body = arena_array(scene->arena, 1, sizeof *body);
    *body = (struct source_file){.name = "", .text = text.text, .length = text.length};
    source_tokens_read(scene->arena, body, &tokens);
    if (tokens.count > 1 &&
        (!token_is(&tokens, 0, TOKEN_SIGN, "(") || token_close(&tokens, 0) != tokens.count)) {
        return false;
    }
    return evaluate((struct reader){scene, &tokens, 0, tokens.count, true}, out);
}

/* The value of the enumerator at a token of a list that opens at `open`. */
static bool enumerator_value(struct value_scene *scene, const struct source_tokens *tokens,
                             size_t open, size_t name, struct number *out)
{
    struct number next = {0, 4, true};
    bool is_known = true;

    for (size_t i = open + 1; i <= name; i++) {
        struct token_range value = {i + 1, i + 1};
        if (token_is(tokens, i + 1, TOKEN_SIGN, "=")) {
            value = source_expression(tokens, i + 2);
            /* those before it in the list are not asked for again, so the work is linear */
            is_known =
                evaluate((struct reader){scene, tokens, value.first, value.end, true}, &next);
        }
        if (i == name) {
            *out = (struct number){next.value, 4, true};
            return is_known && next.value >= INT32_MIN && next.value <= INT32_MAX;
        }
        next.value++;
        i = value.end;
    }
    return false;
}

/* The value of a constant that a file declares outside of functions, at a token. */
static bool constant_value(struct value_scene *scene, const struct program_file *file, size_t name,
                           struct number *out)
{
    const struct source_tokens *tokens = &file->tokens;
    struct declared_type type;

    if (token_is(tokens, name + 1, TOKEN_SIGN, "=") && source_declared_type(tokens, name, &type)) {
        const struct token_range value = source_expression(tokens, name + 2);
        return type.is_const &&
               evaluate((struct reader){scene, tokens, value.first, value.end, true}, out) &&
               convert(out, &type);
    }
    for (size_t at = name, steps = 0; at > 0 && steps < ENUM_TOKENS_MAX; at--, steps++) {
        if (token_is(tokens, at, TOKEN_SIGN, ";") || token_is(tokens, at, TOKEN_SIGN, "}")) {
            return false;
        }
        if (token_is(tokens, at, TOKEN_SIGN, "{")) {
            bool is_enum = token_is(tokens, at - 1, TOKEN_NAME, "enum") ||
                           (at > 1 && token_is(tokens, at - 2, TOKEN_NAME, "enum"));
            return is_enum && enumerator_value(scene, tokens, at, name, out);
        }
    }
    return false;
}

/* True if a token may be where a name outside of functions is declared. */
static bool may_be_constant(const struct program_file *file, size_t at)
{
    const struct source_tokens *tokens = &file->tokens;
    const bool is_start = at > 0 && (token_is(tokens, at - 1, TOKEN_SIGN, "{") ||
                                     token_is(tokens, at - 1, TOKEN_SIGN, ",") ||
                                     tokens->tokens[at - 1].kind == TOKEN_NAME);
    const bool is_end = token_is(tokens, at + 1, TOKEN_SIGN, "=") ||
                        token_is(tokens, at + 1, TOKEN_SIGN, ",") ||
                        token_is(tokens, at + 1, TOKEN_SIGN, "}");

    return is_start && is_end && source_function_at(&file->functions, at) == NULL;
}

static bool find_outside(struct value_scene *scene, struct source_name name, struct number *out)
{
    const struct program_source *source = scene->source;
    const struct program_file *declared = NULL;
    size_t found = 0, token = 0;
    bool is_macro = false;

    for (size_t i = 0; i < source->count; i++) {
        is_macro = is_macro || source_has_macro_named(&source->files[i].tokens, name);
    }
    if (replaced_value(scene, name, out)) {
        return true;
    }
    if (is_replaced(scene->program, name) || is_macro) {
        return is_macro && !is_replaced(scene->program, name) && macro_value(scene, name, out);
    }
    if (is_spelt("warpSize", name)) {
        *out = (struct number){32, 4, true};
        return true;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        if (!file->functions.is_certain || file->tokens.count > scene->search.steps) {
            return false;
        }
        scene->search.steps -= file->tokens.count;
        for (size_t j = 0; j < file->tokens.count; j++) {
            const struct source_token *at = &file->tokens.tokens[j];
            if (at->kind == TOKEN_NAME && at->length == name.length &&
                memcmp(at->text, name.text, name.length) == 0 && may_be_constant(file, j)) {
                declared = file;
                token = j;
                found++;
            }
        }
    }
    return found == 1 && constant_value(scene, declared, token, out);
}

static bool outside_value(struct value_scene *scene, struct source_name name, struct number *out)
{
    const unsigned uses = scene->uses;
    struct known_name *room = &scene->names[0];

    for (size_t i = 0; i < KNOWN_NAMES; i++) {
        const struct known_name *known = &scene->names[i];
        if (known->text != NULL && known->length == name.length &&
            memcmp(known->text, name.text, name.length) == 0) {
            *out = (struct number){known->value, known->bytes, known->is_signed};
            return true;
        }
        room = known->text == NULL && room->text != NULL ? &scene->names[i] : room;
    }
    scene->uses = 0;
    const bool is_known = find_outside(scene, name, out);
    if (is_known && scene->uses == 0) { /* the same for all threads */
        *room = (struct known_name){name.text, name.length, out->value, out->bytes, out->is_signed};
    }
    scene->uses |= uses;
    return is_known;
}

/* Expressions **********************************************************************************/

static bool read_number(struct reader *reader, struct number *out)
{
    const struct source_token *token = &reader->tokens->tokens[reader->at++];
    char text[24];
    char *end;

    if (token->length >= sizeof text) {
        return false;
    }
    memcpy(text, token->text, token->length);
    text[token->length] = '\0';
    const unsigned long long value = strtoull(text, &end, 0);
    const size_t suffix = strspn(end, "uUlL");
    const bool is_unsigned = strpbrk(end, "uU") != NULL;
    const bool is_long = strpbrk(end, "lL") != NULL || value > INT32_MAX;
    *out = (struct number){(int64_t)value, is_long ? 8 : 4, !is_unsigned};
    if (text[0] == '0' && !is_unsigned && value > INT32_MAX) {
        return false; /* a mask: its type depends on its size */
    }
    return end[suffix] == '\0' && end > text && value <= INT64_MAX &&
           (is_long || value <= INT32_MAX);
}

/* min(a, b) and max(a, b) */
static bool read_extreme(struct reader *reader, struct number *out)
{
    const bool is_min = token_is(reader->tokens, reader->at, TOKEN_NAME, "min");
    struct number other;

    reader->at += 2;
    if (!read_choice(reader, out) || !take(reader, ",") || !read_choice(reader, &other) ||
        !take(reader, ")") || out->is_signed != other.is_signed || out->bytes != other.bytes ||
        !out->is_signed) {
        return false;
    }
    out->value = is_min == (other.value < out->value) ? other.value : out->value;
    return true;
}

/* (int)x, int(x), static_cast<int>(x): reads the type, and what comes before the operand. */
static bool read_cast(struct reader *reader, struct declared_type *out_type, bool *out_closes)
{
    static const struct {
        const char *name;
        struct declared_type type;
    } types[] = {
        {"int", {.bytes = 4, .is_integer = true, .is_signed = true}},
        {"unsigned", {.bytes = 4, .is_integer = true}},
        {"size_t", {.bytes = 8, .is_integer = true}},
        {"long", {.bytes = 8, .is_integer = true, .is_signed = true}},
    };
    const size_t at = reader->at;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const char *name = types[i].name;
        *out_type = types[i].type;
        if (sign_at(reader, at, "(") && token_is(reader->tokens, at + 1, TOKEN_NAME, name) &&
            sign_at(reader, at + 2, ")")) {
            *out_closes = false;
            reader->at += 3;
            return true;
        }
        const bool is_static = token_is(reader->tokens, at, TOKEN_NAME, "static_cast") &&
                               token_is(reader->tokens, at + 2, TOKEN_NAME, name) &&
                               sign_at(reader, at + 3, ">") && sign_at(reader, at + 4, "(");
        if (is_static ||
            (token_is(reader->tokens, at, TOKEN_NAME, name) && sign_at(reader, at + 1, "("))) {
            *out_closes = true;
            reader->at += is_static ? 5 : 2;
            return true;
        }
    }
    return false;
}

static bool settle(struct number *number, int64_t value, unsigned bytes, bool is_signed)
{
    const bool is_small = bytes == 4;

    *number = (struct number){is_small && !is_signed ? (int64_t)(uint32_t)value : value, bytes,
                              is_signed};
    if (!is_small) {
        return is_signed || value >= 0;
    }
    return !is_signed || (value >= INT32_MIN && value <= INT32_MAX);
}

static bool read_unary(struct reader *reader, struct number *out)
{
    struct value_scene *scene = reader->scene;
    struct declared_type type;
    bool closes = false;

    if (scene->depth >= DEPTH_MAX || scene->search.steps == 0 || reader->at >= reader->end) {
        return false;
    }
    scene->search.steps--;
    scene->depth++;
    bool is_known = false;
    if (reader->tokens->tokens[reader->at].kind == TOKEN_NUMBER) {
        is_known = read_number(reader, out);
    } else if (read_cast(reader, &type, &closes)) {
        is_known = closes ? read_choice(reader, out) && take(reader, ")") : read_unary(reader, out);
        is_known = is_known && convert(out, &type);
    } else if (take(reader, "(")) {
        is_known = read_choice(reader, out) && take(reader, ")");
    } else if (take(reader, "-")) {
        is_known = read_unary(reader, out) && out->value != INT64_MIN &&
                   settle(out, -out->value, out->bytes, out->is_signed);
    } else if (take(reader, "+")) {
        is_known = read_unary(reader, out);
    } else if (take(reader, "!")) {
        is_known = read_unary(reader, out);
        *out = (struct number){is_known && out->value == 0, 4, true};
    } else if (take(reader, "~")) {
        is_known = read_unary(reader, out) && settle(out, ~out->value, out->bytes, out->is_signed);
    } else if (read_coordinate(reader, out, &is_known)) {
        /* that is all */
    } else if ((token_is(reader->tokens, reader->at, TOKEN_NAME, "min") ||
                token_is(reader->tokens, reader->at, TOKEN_NAME, "max")) &&
               sign_at(reader, reader->at + 1, "(")) {
        is_known = read_extreme(reader, out);
    } else if (reader->tokens->tokens[reader->at].kind == TOKEN_NAME) {
        is_known = name_value(reader, out);
    }
    scene->depth--;
    return is_known;
}

/* Operators, the ones that bind least first. */
static const struct {
    const char *text;
    int level;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
    {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
    {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10},
};

enum { LEVEL_COMPARISON = 6, LEVEL_SHIFT = 8, OPERATORS = sizeof operators / sizeof operators[0] };

static bool compare(const char *sign, int64_t left, int64_t right)
{
    const bool is_equal_too = sign[1] == '=';

    switch (sign[0]) {
    case '|':
        return left != 0 || right != 0;
    case '&':
        return left != 0 && right != 0;
    case '=':
        return left == right;
    case '!':
        return left != right;
    case '<':
        return left < right || (is_equal_too && left == right);
    default:
        return left > right || (is_equal_too && left == right);
    }
}

static bool calculate(char sign, int64_t left, int64_t right, int64_t *out)
{
    switch (sign) {
    case '+':
        return !__builtin_add_overflow(left, right, out);
    case '-':
        return !__builtin_sub_overflow(left, right, out);
    case '*':
        return !__builtin_mul_overflow(left, right, out);
    case '/':
    case '%':
        if (right == 0 || (left == INT64_MIN && right == -1)) {
            return false;
        }
        *out = sign == '/' ? left / right : left % right;
        return true;
    case '|':
        *out = left | right;
        return true;
    case '^':
        *out = left ^ right;
        return true;
    default:
        *out = left & right;
        return true;
    }
}

static bool apply(const char *sign, int level, struct number *left, struct number right)
{
    const unsigned bytes = left->bytes > right.bytes ? left->bytes : right.bytes;
    const bool is_signed =
        (left->is_signed || left->bytes < bytes) && (right.is_signed || right.bytes < bytes);
    struct number ends[2] = {*left, right};
    int64_t value;

    if (level == LEVEL_SHIFT) {
        const int64_t room = 8 * (int64_t)left->bytes - 1;
        if (right.value < 0 || right.value >= room || left->value < 0) {
            return false;
        }
        if (sign[0] == '>') {
            return settle(left, left->value >> right.value, left->bytes, left->is_signed);
        }
        return !__builtin_mul_overflow(left->value, INT64_C(1) << right.value, &value) &&
               settle(left, value, left->bytes, left->is_signed);
    }
    for (size_t i = 0; i < 2 && level > 2; i++) { /* to the common type */
        if (!settle(&ends[i], ends[i].value, bytes, is_signed)) {
            return false;
        }
    }
    if (level < 3 || (level >= LEVEL_COMPARISON && level < LEVEL_SHIFT)) {
        *left = (struct number){compare(sign, ends[0].value, ends[1].value), 4, true};
        return true;
    }
    return calculate(sign[0], ends[0].value, ends[1].value, &value) &&
           settle(left, value, bytes, is_signed);
}

/* Which operator is read next; OPERATORS: none. */
static size_t operator_at(const struct reader *reader)
{
    const bool is_sign =
        reader->at < reader->end && reader->tokens->tokens[reader->at].kind == TOKEN_SIGN;
    size_t found = is_sign ? 0 : OPERATORS;

    while (found < OPERATORS && !sign_at(reader, reader->at, operators[found].text)) {
        found++;
    }
    return found;
}

/* Reads operators that bind at least as much as a level. */
static bool read_binary(struct reader *reader, int least, struct number *out)
{
    if (!read_unary(reader, out)) {
        return false;
    }
    for (;;) {
        struct number right;
        const size_t found = operator_at(reader);
        if (found == OPERATORS || operators[found].level < least) {
            return true;
        }
        reader->at++;
        if (!read_binary(reader, operators[found].level + 1, &right) ||
            !apply(operators[found].text, operators[found].level, out, right)) {
            return false;
        }
    }
}

/* a ? b : c, of which all three are known */
static bool read_choice(struct reader *reader, struct number *out)
{
    struct number condition, other;

    if (!read_binary(reader, 1, &condition)) {
        return false;
    }
    *out = condition;
    if (!take(reader, "?")) {
        return true;
    }
    if (reader->scene->depth >= DEPTH_MAX) {
        return false;
    }
    reader->scene->depth++;
    const bool is_known = read_choice(reader, out) && take(reader, ":") &&
                          read_choice(reader, &other) && out->bytes == other.bytes &&
                          out->is_signed == other.is_signed;
    reader->scene->depth--;
    *out = is_known && condition.value == 0 ? other : *out;
    return is_known;
}

bool thread_value(struct value_scene *scene, struct token_range range, int64_t *out_value)
{
    struct number number;

    scene->depth = 0;
    if (!evaluate((struct reader){scene, scene->search.tokens, range.first, range.end, false},
                  &number)) {
        return false;
    }
    *out_value = number.value;
    return number.bytes == 4 || number.is_signed || number.value >= 0;
}
