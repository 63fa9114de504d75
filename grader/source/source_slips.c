/* source_slips.c: see source_slips.h. */
#include "source/source_slips.h"

#include <string.h>
#include <strings.h>

/* What a search may look at, in tokens, and how many a value has: nobody's handwriting takes more.
 */
enum { STEPS_MAX = 1 << 20, VALUE_TOKENS_MAX = 64, LISTED_MAX = 32 };

/* The end of a range, or a nearer one that a value surely keeps to. */
static size_t near_end(size_t first, size_t end)
{
    return end > first && end - first > VALUE_TOKENS_MAX ? first + VALUE_TOKENS_MAX : end;
}

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

/* Where the value that starts at `at` ends: before the next comma or semicolon outside of brackets.
 */
static size_t value_end(const struct source_tokens *tokens, size_t at, size_t end)
{
    while (at < end && !sign_is(tokens, at, ",") && !sign_is(tokens, at, ";")) {
        bool opens =
            sign_is(tokens, at, "(") || sign_is(tokens, at, "[") || sign_is(tokens, at, "{");
        at = opens ? token_close(tokens, at) : at + 1;
    }
    return at < end ? at : end;
}

static bool names_thread(const struct source_tokens *tokens, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "threadIdx")) {
            return true;
        }
    }
    return false;
}

/* True if an index names threadIdx, or a variable that the kernel sets to a value that does. */
static bool is_of_thread(const struct source_tokens *tokens, const struct source_function *kernel,
                         struct token_range index, size_t *steps)
{
    index.end = near_end(index.first, index.end);
    if (names_thread(tokens, index.first, index.end)) {
        return true;
    }
    for (size_t i = index.first; i < index.end; i++) {
        bool is_name = tokens->tokens[i].kind == TOKEN_NAME;
        for (size_t set = kernel->open; is_name && set<index.first && * steps> 0; set++) {
            --*steps;
            if (token_same_name(tokens, set, i) && sign_is(tokens, set + 1, "=") &&
                names_thread(tokens, set + 2,
                             value_end(tokens, set + 2, near_end(set + 2, index.first)))) {
                return true;
            }
        }
    }
    return false;
}

/* True if NAME[...]... at `at` is set, and one of its indices is of the thread. */
static bool sets_own_element(const struct source_tokens *tokens,
                             const struct source_function *kernel, size_t at, size_t *steps)
{
    size_t end = at + 1;
    bool is_own = false;

    while (sign_is(tokens, end, "[") && end < kernel->close) {
        size_t close = token_close(tokens, end);
        is_own =
            is_own || is_of_thread(tokens, kernel, (struct token_range){end + 1, close - 1}, steps);
        end = close;
    }
    return is_own && sign_is(tokens, end, "=");
}

/* True if TYPE NAME[...] at `at` declares an array of each thread: it starts a statement with names
 * alone, none of which says that it is kept elsewhere. */
static bool declares_private(const struct source_tokens *tokens, size_t open, size_t at)
{
    static const char *const others[] = {"__shared__", "extern", "static", "return", "delete"};
    size_t first = at;

    if (!sign_is(tokens, at + 1, "[")) {
        return false;
    }
    while (first > open + 1 && tokens->tokens[first - 1].kind == TOKEN_NAME) {
        first--;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            if (token_is(tokens, first, TOKEN_NAME, others[i])) {
                return false;
            }
        }
    }
    return first < at && (sign_is(tokens, first - 1, ";") || sign_is(tokens, first - 1, "{") ||
                          sign_is(tokens, first - 1, "}"));
}

/* True if a kernel has a barrier of its block, or an atomic on an element of that array. */
static bool is_meant_for_all(const struct source_tokens *tokens,
                             const struct source_function *kernel, size_t name, size_t *steps)
{
    for (size_t i = kernel->open; i + 3 < kernel->close && *steps > 0; i++, --*steps) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_atomic = token->kind == TOKEN_NAME && token->length > strlen("atomic") &&
                         strncmp(token->text, "atomic", strlen("atomic")) == 0;
        if (token_is(tokens, i, TOKEN_NAME, "__syncthreads") ||
            (is_atomic && sign_is(tokens, i + 1, "(") && sign_is(tokens, i + 2, "&") &&
             token_same_name(tokens, i + 3, name))) {
            return true;
        }
    }
    return false;
}

bool find_private_array(const struct source_tokens *tokens, const struct source_function *kernel,
                        size_t *out_name)
{
    size_t steps = STEPS_MAX;

    for (size_t i = kernel->open + 1; i < kernel->close; i++) {
        if (tokens->tokens[i].kind != TOKEN_NAME || !declares_private(tokens, kernel->open, i)) {
            continue;
        }
        for (size_t j = i + 1; j < kernel->close && steps > 0; j++) {
            steps--;
            if (token_same_name(tokens, j, i) && sets_own_element(tokens, kernel, j, &steps) &&
                is_meant_for_all(tokens, kernel, i, &steps)) {
                *out_name = i;
                return steps > 0;
            }
        }
    }
    return false;
}

bool is_comma_value(const struct source_tokens *tokens, struct token_range value)
{
    if (!sign_is(tokens, value.first, "(") || token_close(tokens, value.first) != value.end) {
        return false;
    }
    return value_end(tokens, value.first + 1, value.end - 1) < value.end - 1;
}

static bool ends_with(const struct source_token *token, const char *end)
{
    const size_t length = strlen(end);

    return token->length >= length &&
           memcmp(token->text + token->length - length, end, length) == 0;
}

/* True if the bytes of a range are counted in elements of more than one. */
static bool counts_elements(const struct source_tokens *tokens, size_t first, size_t end)
{
    static const char *const bytes[] = {"char", "bool", "uint8_t", "int8_t"};
    bool has_size = false;

    for (size_t i = first; i < near_end(first, end); i++) {
        has_size = has_size || token_is(tokens, i, TOKEN_NAME, "sizeof");
        for (size_t j = 0; j < sizeof bytes / sizeof bytes[0]; j++) {
            if (token_is(tokens, i, TOKEN_NAME, bytes[j])) {
                return false;
            }
        }
    }
    return has_size;
}

/* The number of decimal digits; 0 for any other spelling, and for more than `most`. */
static unsigned decimal_value(const struct source_token *token, unsigned most)
{
    unsigned value = 0;

    for (size_t i = 0; i < token->length; i++) {
        if (token->text[i] < '0' || token->text[i] > '9' || (i == 0 && token->text[i] == '0')) {
            return 0;
        }
        value = value * 10 + (unsigned)(token->text[i] - '0');
        if (value > most) {
            return most + 1;
        }
    }
    return value;
}

/* True if a call of cudaMemset() or cudaMemsetAsync() is at a token. */
static bool is_set(const struct source_tokens *tokens, size_t at)
{
    return (token_is(tokens, at, TOKEN_NAME, "cudaMemset") ||
            token_is(tokens, at, TOKEN_NAME, "cudaMemsetAsync")) &&
           sign_is(tokens, at + 1, "(");
}

bool sets_no_bytes(const struct source_tokens *tokens, size_t at, size_t *out_size)
{
    if (!is_set(tokens, at)) {
        return false;
    }
    const size_t end = token_close(tokens, at + 1) - 1;
    const size_t value = value_end(tokens, at + 2, end) + 1;
    const size_t size = value_end(tokens, value, end) + 1;
    bool has_sizeof = false;
    for (size_t i = value; i < near_end(value, size); i++) {
        has_sizeof = has_sizeof || token_is(tokens, i, TOKEN_NAME, "sizeof");
    }
    *out_size = size;
    return has_sizeof && size < end && token_is(tokens, size, TOKEN_NUMBER, "0") &&
           value_end(tokens, size, end) == size + 1;
}

bool sets_other_bytes(const struct source_tokens *tokens, size_t at, size_t *out_value)
{
    enum { LARGEST_BYTE = 255 };

    if (!is_set(tokens, at)) {
        return false;
    }
    const size_t end = token_close(tokens, at + 1) - 1;
    const size_t first = value_end(tokens, at + 2, end) + 1;
    const size_t last = value_end(tokens, first, end);
    const bool is_negative = sign_is(tokens, first, "-");
    if (last + 1 >= end || last - first != (is_negative ? 2u : 1u) ||
        !counts_elements(tokens, last + 1, end)) {
        return false;
    }
    const struct source_token *value = &tokens->tokens[last - 1];
    const unsigned number = value->kind == TOKEN_NUMBER ? decimal_value(value, LARGEST_BYTE) : 0;
    const bool is_hex = value->length > 1 && (value->text[1] == 'x' || value->text[1] == 'X');
    const bool is_fraction = value->kind == TOKEN_NUMBER && !is_hex &&
                             memchr(value->text, '.', value->length) != NULL &&
                             strspn(value->text, "0.f") < value->length;
    const bool is_limit =
        value->kind == TOKEN_NAME && (ends_with(value, "_MIN") || ends_with(value, "_MAX") ||
                                      ends_with(value, "INFINITY") || ends_with(value, "NAN"));
    *out_value = first;
    return is_limit || is_fraction || number > LARGEST_BYTE ||
           (number > 0 && number < LARGEST_BYTE && !(is_negative && number == 1));
}

/* True if a name says that it is a number of bytes. */
static bool names_bytes(const struct source_token *token)
{
    for (size_t i = 0; i + 4 <= token->length; i++) {
        if (strncasecmp(token->text + i, "byte", 4) == 0 ||
            strncasecmp(token->text + i, "size", 4) == 0) {
            return true;
        }
    }
    return false;
}

/* True if a part of a value is, or may be, the size of an element. */
static bool may_be_size(const struct source_tokens *tokens, size_t at, unsigned element_bytes)
{
    const struct source_token *token = &tokens->tokens[at];
    const unsigned most = 1 << 16;

    if (token->kind == TOKEN_NUMBER) {
        const unsigned number = decimal_value(token, most);
        const bool is_factor = sign_is(tokens, at + 1, "*") || sign_is(tokens, at - 1, "*");
        return number == 0 || number > most || (is_factor && number % element_bytes == 0);
    }
    return token->kind == TOKEN_NAME ? token_is(tokens, at, TOKEN_NAME, "sizeof")
                                     : sign_is(tokens, at, "<<") || sign_is(tokens, at, "{");
}

/* True if a range, or what its names are set to in the function above it, may have the size of an
 * element in it. A name that the function does not set may be a number of bytes if it says so. */
static bool may_have_size(const struct source_tokens *tokens,
                          const struct source_function *function, struct token_range range,
                          unsigned element_bytes)
{
    for (size_t i = range.first; i < range.end; i++) {
        bool is_set = false;
        if (may_be_size(tokens, i, element_bytes)) {
            return true;
        }
        for (size_t set = function->open; tokens->tokens[i].kind == TOKEN_NAME && set < range.first;
             set++) {
            if (!token_same_name(tokens, set, i) || !sign_is(tokens, set + 1, "=")) {
                continue;
            }
            is_set = true;
            const size_t end = value_end(tokens, set + 2, near_end(set + 2, range.first));
            for (size_t j = set + 2; j < end; j++) {
                if (may_be_size(tokens, j, element_bytes) ||
                    (tokens->tokens[j].kind == TOKEN_NAME && names_bytes(&tokens->tokens[j]))) {
                    return true;
                }
            }
        }
        if (!is_set && tokens->tokens[i].kind == TOKEN_NAME && names_bytes(&tokens->tokens[i])) {
            return true;
        }
    }
    return false;
}

bool allocates_elements(const struct source_tokens *tokens, const struct source_function *function,
                        size_t at, unsigned element_bytes, size_t *out_value)
{
    static const char *const calls[] = {"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged"};
    bool is_call = false;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        is_call = is_call || token_is(tokens, at, TOKEN_NAME, calls[i]);
    }
    if (!is_call || element_bytes < 2 || !sign_is(tokens, at + 1, "(")) {
        return false;
    }
    const size_t end = token_close(tokens, at + 1) - 1;
    const size_t first = value_end(tokens, at + 2, end) + 1;
    const struct token_range value = {first, value_end(tokens, first, end)};
    *out_value = first;
    return first < end && value.end - value.first <= VALUE_TOKENS_MAX &&
           !may_have_size(tokens, function, value, element_bytes);
}

/* True if a range is a name, or the member of one: `width`, `shape.width`. */
static bool is_whole_name(const struct source_tokens *tokens, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const bool is_sign = sign_is(tokens, i, ".") || sign_is(tokens, i, "->");
        if ((i - first) % 2 == 0 ? tokens->tokens[i].kind != TOKEN_NAME : !is_sign) {
            return false;
        }
    }
    return (end - first) % 2 == 1;
}

/* True if a range is a parameter that is no pointer, array or reference: names alone. */
static bool is_plain_parameter(const struct source_tokens *tokens, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (tokens->tokens[i].kind != TOKEN_NAME) {
            return false;
        }
    }
    return end - first > 1;
}

/* The last names of what a pair of brackets lists; 0 for what `fits` not. Returns how many. */
static size_t list_names(const struct source_tokens *tokens, size_t open,
                         bool (*fits)(const struct source_tokens *tokens, size_t first, size_t end),
                         size_t out_names[LISTED_MAX])
{
    const size_t end = sign_is(tokens, open, "(") ? token_close(tokens, open) - 1 : open;
    size_t count = 0;

    for (size_t at = open + 1; at < end && count < LISTED_MAX; count++) {
        const size_t after = value_end(tokens, at, end);
        out_names[count] = fits(tokens, at, after) ? after - 1 : 0;
        at = after + 1;
    }
    return count;
}

static bool same_token(const struct source_tokens *left, size_t a,
                       const struct source_tokens *right, size_t b)
{
    const struct source_token *x = &left->tokens[a];
    const struct source_token *y = &right->tokens[b];

    return a > 0 && b > 0 && x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

bool exchanges_arguments(const struct source_tokens *tokens, size_t open,
                         const struct source_tokens *definition, size_t parameters,
                         size_t *out_argument, size_t *out_parameter)
{
    size_t given[LISTED_MAX], named[LISTED_MAX];
    const size_t count = list_names(tokens, open, is_whole_name, given);

    if (count != list_names(definition, parameters, is_plain_parameter, named)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (same_token(tokens, given[i], definition, named[j]) &&
                same_token(tokens, given[j], definition, named[i])) {
                *out_argument = given[i];
                *out_parameter = named[i];
                return true;
            }
        }
    }
    return false;
}

/* True if a constant has the name of a parameter in capitals, after MAX_ or before _MAX. */
static bool is_maximum_of(const struct source_token *constant, const struct source_token *parameter)
{
    const size_t length = parameter->length;

    if (constant->length != length + strlen("_MAX")) {
        return false;
    }
    return memcmp(constant->text, "MAX_", strlen("MAX_")) == 0
               ? strncasecmp(constant->text + strlen("MAX_"), parameter->text, length) == 0
               : ends_with(constant, "_MAX") &&
                     strncasecmp(constant->text, parameter->text, length) == 0;
}

bool loops_to_maximum(const struct source_tokens *tokens, const struct source_function *kernel,
                      int line, size_t *out_constant, size_t *out_parameter)
{
    size_t named[LISTED_MAX];
    const size_t count = list_names(tokens, kernel->name + 1, is_plain_parameter, named);
    struct token_range loop;
    size_t at = kernel->open;

    for (size_t loops = 0;
         loops < LISTED_MAX && count > 0 && source_next_loop(tokens, at, kernel->close, &loop);
         loops++) {
        const bool is_around =
            tokens->tokens[loop.first].line <= line && tokens->tokens[loop.end - 1].line >= line;
        const size_t head = is_around && sign_is(tokens, loop.first + 1, "(")
                                ? token_close(tokens, loop.first + 1)
                                : loop.first;
        for (size_t i = loop.first; i < near_end(loop.first, head); i++) {
            for (size_t k = 0; k < count && tokens->tokens[i].kind == TOKEN_NAME; k++) {
                if (named[k] > 0 && is_maximum_of(&tokens->tokens[i], &tokens->tokens[named[k]])) {
                    *out_constant = i;
                    *out_parameter = named[k];
                    return true;
                }
            }
        }
        at = is_around ? loop.first + 1 : loop.end;
    }
    return false;
}
