/* locate_printed_value.c: see locators.h. A number is printed where it is shown; it is wrong where
 * it is computed. */
#include "diagnosis/location/locators.h"

#include "criteria/kernel_name.h"
#include "criteria/printouts/block_choice.h"
#include "model/case.h"
#include "source/printf_format.h"
#include "source/value_slice.h"

#include <inttypes.h>
#include <string.h>

enum { WARP = 32, THREADS_MAX = 1024, TEXT_TOKENS_MAX = 64, DIGITS_MAX = 20, FOURTH = 3 };

/* The limit that stands where the threads of a multiprocessor belong: that of a block, or the
 * blocks. */
static bool find_limit(const struct locator *locator, struct file_token string,
                       struct location *out_location)
{
    static const char *const of_block[] = {"cudaDevAttrMaxThreadsPerBlock", "maxThreadsPerBlock",
                                           NULL};
    static const char *const of_blocks[] = {"cudaDevAttrMaxBlocksPerMultiprocessor",
                                            "maxBlocksPerMultiProcessor", NULL};
    const enum advice_id advice = locator->cause->advice.id;
    const struct gpu_model *model = locator->input->model;
    struct value_slice slice;
    struct file_token limit;

    const bool is_blocks =
        advice == ADVICE_PRINTED_THREADS_BY_BLOCKS || advice == ADVICE_ONLY_THREADS_BY_BLOCKS;
    if (!is_blocks && advice != ADVICE_PRINTED_BLOCKFULS && advice != ADVICE_ONLY_BLOCKFULS) {
        return false;
    }
    value_slice_read(&locator->source, locator->arena, string, &slice);
    return value_slice_find(&slice, is_blocks ? of_blocks : of_block, &limit) &&
           location_set(
               out_location, limit,
               arena_printf(
                   locator->arena,
                   "%" PRIu32 "%s on %s; a multiprocessor holds %" PRIu32 " threads",
                   is_blocks ? model->max_blocks_per_multiprocessor : model->max_threads_per_block,
                   is_blocks ? " blocks" : "", model->name, model->max_threads_per_multiprocessor));
}

/* Bytes of shared memory for a number of threads ***********************************************/

/* The size of a type, at the ( of "(TYPE)"; 0 if there is none. */
static int size_in_brackets(const struct source_tokens *tokens, size_t at)
{
    static const struct {
        const char *type;
        int size;
    } types[] = {{"char", 1},  {"short", 2},  {"int", 4},   {"unsigned", 4},
                 {"float", 4}, {"double", 8}, {"size_t", 8}};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (token_is(tokens, at, TOKEN_SIGN, "(") &&
            token_is(tokens, at + 1, TOKEN_NAME, types[i].type) &&
            token_is(tokens, at + 2, TOKEN_SIGN, ")")) {
            return types[i].size;
        }
    }
    return 0;
}

/* A returned value as an expression of `threads`; NULL if it is more than products, sums, sizes of
 * types and the function's one parameter. */
static const struct expression *bytes_expression(struct arena *arena,
                                                 const struct slice_part *value, size_t parameter)
{
    const struct source_tokens *tokens = &value->file->tokens;
    const char *text = "";
    const struct expression *expression;
    struct diagnostic diagnostic;
    size_t offset;

    if (value->range.end - value->range.first > TEXT_TOKENS_MAX) {
        return NULL;
    }
    for (size_t i = value->range.first; i < value->range.end; i++) {
        const struct source_token *token = &tokens->tokens[i];
        const bool is_size = token_is(tokens, i, TOKEN_NAME, "sizeof");
        const int size = size_in_brackets(tokens, is_size ? i + 1 : i);
        if (is_size && size > 0) {
            text = arena_printf(arena, "%s %d", text, size);
            i += 3;
        } else if (size > 0) {
            i += 2; /* a cast */
        } else if (token_same_name(tokens, i, parameter)) {
            text = arena_printf(arena, "%s threads", text);
        } else if ((token->kind == TOKEN_NUMBER && token->length <= DIGITS_MAX) ||
                   (token->kind == TOKEN_SIGN && token->length == 1 &&
                    strchr("+-*()", token->text[0]) != NULL)) {
            text = arena_printf(arena, "%s %.*s", text, (int)token->length, token->text);
        } else {
            return NULL;
        }
    }
    return expression_parse(arena, text, &expression, &offset, &diagnostic) == ERROR_NONE
               ? expression
               : NULL;
}

static bool bytes_for(const struct expression *expression, uint32_t threads, uint32_t *out_bytes)
{
    struct case_scope scope = {.threads = threads};
    double bytes = -1.0;

    if (!expression_evaluate(expression, case_lookup, &scope, &bytes, NULL) || bytes < 0.0 ||
        bytes > (double)INT32_MAX) {
        return false;
    }
    *out_bytes = (uint32_t)bytes;
    return true;
}

/* A function of the program that tells how many bytes a block of so many threads needs. */
struct bytes_function {
    const char *name;
    struct slice_part value; /* what it returns */
    const struct expression *bytes;
};

/* The function that is given to the calculator, in the only call that takes one. */
static bool find_bytes_function(const struct locator *locator, struct bytes_function *out)
{
    struct file_token at;

    if (find_calls(&locator->source, "cudaOccupancyMaxPotentialBlockSizeVariableSMem", NULL, &at) !=
        1) {
        return false;
    }
    const struct source_tokens *tokens = &at.file->tokens;
    const struct token_range all = {at.token + 2, token_close(tokens, at.token + 1) - 1};
    struct token_range given[FOURTH + 1];
    if (source_split_arguments(tokens, all, given, FOURTH + 1) <= FOURTH ||
        given[FOURTH].end != given[FOURTH].first + 1) {
        return false;
    }
    const struct source_token *name = &tokens->tokens[given[FOURTH].first];
    if (name->kind != TOKEN_NAME) {
        return false;
    }
    out->name = arena_strndup(locator->arena, name->text, name->length);
    if (!find_returned_value(&locator->source, out->name, &out->value)) {
        return false;
    }
    const struct source_tokens *there = &out->value.file->tokens;
    const struct source_function *function =
        source_function_at(&out->value.file->functions, out->value.range.first);
    if (function == NULL || function->open < 2 ||
        token_close(there, function->name + 1) != function->open) {
        return false;
    }
    out->bytes = bytes_expression(locator->arena, &out->value, function->open - 2);
    return out->bytes != NULL;
}

/* True if the calculator, asked with these bytes, gives the number that is printed. */
static bool gives_printed(const struct locator *locator, const struct bytes_function *function)
{
    const struct rubric_criterion *criterion = locator->criterion;
    struct printed_table table = {.label = function->name};
    const struct block_bytes bytes = {.table = &table};
    struct printed_number number;
    struct block_choice choice;
    struct diagnostic diagnostic = {0};
    struct cause cause;
    uint32_t missing = 0;

    table.rows = arena_array(locator->arena, THREADS_MAX / WARP, sizeof *table.rows);
    for (uint32_t threads = WARP; threads <= THREADS_MAX; threads += WARP) {
        table.rows[table.count].threads = threads;
        if (!bytes_for(function->bytes, threads, &table.rows[table.count++].bytes)) {
            return false;
        }
    }
    return read_printout(locator->input, locator->arena, criterion->printout, &number, &cause) &&
           block_choice_make(locator->input, criterion,
                             locator->input->launch_resources[criterion->launch].registers, &bytes,
                             &choice, &missing, &diagnostic) == ERROR_NONE &&
           missing == 0 && choice.block_width > 0 && number.value == (double)choice.block_width;
}

/* The function whose bytes make a block width wrong that is right with those of the rubric. */
static bool find_wrong_bytes(const struct locator *locator, struct location *out_location)
{
    enum { EXAMPLE_THREADS = 64 };
    const struct rubric_criterion *criterion = locator->criterion;
    struct arena *arena = locator->arena;
    struct bytes_function function;
    uint32_t returned, needed;

    if (criterion->kind != CRITERION_BLOCK_SIZE || criterion->has_bytes_printout ||
        criterion->minimum_bytes == NULL || !find_bytes_function(locator, &function) ||
        !bytes_for(function.bytes, EXAMPLE_THREADS, &returned) ||
        !bytes_for(criterion->minimum_bytes, EXAMPLE_THREADS, &needed) || returned == needed ||
        !gives_printed(locator, &function)) {
        return false;
    }
    const struct file_token place = {function.value.file, function.value.range.first};
    location_set(out_location, place,
                 arena_printf(arena,
                              "%s(%d) returns %" PRIu32 "; a block of %d threads needs %" PRIu32
                              " bytes",
                              function.name, EXAMPLE_THREADS, returned, EXAMPLE_THREADS, needed));
    out_location->hint =
        arena_printf(arena,
                     "let %s return the bytes of shared memory that a block of so many "
                     "threads needs: the calculator then gives another block size",
                     function.name);
    return true;
}

/* Threads of a block that are rounded to a width ***********************************************/

/* The variable that the only call of the calculator in a slice gives the threads to; false if
 * another kernel is asked about, or a limit is given. */
static bool find_choice(const struct locator *locator, const struct value_slice *slice,
                        struct file_token *out_call, size_t *out_variable)
{
    enum { THREADS = 1, KERNEL = 2, LIMIT = 4, GIVEN_MAX = 5 };
    static const char *const calls[] = {"cudaOccupancyMaxPotentialBlockSizeVariableSMem",
                                        "cudaOccupancyMaxPotentialBlockSize", NULL};
    struct token_range given[GIVEN_MAX];

    if (!value_slice_find(slice, calls, out_call)) {
        return false;
    }
    const struct source_tokens *tokens = &out_call->file->tokens;
    if (!token_is(tokens, out_call->token + 1, TOKEN_SIGN, "(")) {
        return false;
    }
    const struct token_range all = {out_call->token + 2,
                                    token_close(tokens, out_call->token + 1) - 1};
    const size_t count = source_split_arguments(tokens, all, given, GIVEN_MAX);
    if (count <= KERNEL || count > LIMIT || given[THREADS].end != given[THREADS].first + 2 ||
        given[KERNEL].end != given[KERNEL].first + 1 ||
        !token_is(tokens, given[THREADS].first, TOKEN_SIGN, "&") ||
        !token_is(tokens, given[KERNEL].first, TOKEN_NAME,
                  kernel_name(locator->input,
                              &locator->input->rubric->launches[locator->criterion->launch]))) {
        return false;
    }
    *out_variable = given[THREADS].first + 1;
    return true;
}

/* The part of the head of a loop or an `if` that a token lies in; false if it lies in none. */
static bool find_condition(const struct source_tokens *tokens, size_t start, size_t at,
                           struct token_range *out_condition)
{
    for (size_t i = at; i > start + 1; i--) {
        const bool is_open =
            token_is(tokens, i - 1, TOKEN_SIGN, "(") && token_close(tokens, i - 1) > at;
        if (!is_open || (!token_is(tokens, i - 2, TOKEN_NAME, "for") &&
                         !token_is(tokens, i - 2, TOKEN_NAME, "while") &&
                         !token_is(tokens, i - 2, TOKEN_NAME, "if"))) {
            continue;
        }
        *out_condition = (struct token_range){i, token_close(tokens, i - 1) - 1};
        for (size_t j = i; j < out_condition->end; j++) {
            if (token_is(tokens, j, TOKEN_SIGN, ";") && j < at) {
                out_condition->first = j + 1;
            } else if (token_is(tokens, j, TOKEN_SIGN, ";")) {
                out_condition->end = j;
            }
        }
        return true;
    }
    return false;
}

/* True if a condition compares sizes, and not only with numbers. */
static bool compares_names(const struct source_tokens *tokens, struct token_range condition,
                           size_t variable)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    bool compares = false, has_other = false;

    for (size_t i = condition.first; i < condition.end; i++) {
        for (size_t j = 0; j < sizeof signs / sizeof signs[0]; j++) {
            compares = compares || token_is(tokens, i, TOKEN_SIGN, signs[j]);
        }
        has_other = has_other ||
                    (tokens->tokens[i].kind == TOKEN_NAME && !token_same_name(tokens, i, variable));
    }
    return compares && has_other;
}

/* The only condition past the call that compares its threads with another variable. */
static bool find_width_condition(struct file_token call, size_t variable,
                                 struct file_token *out_condition)
{
    const struct source_tokens *tokens = &call.file->tokens;
    const struct source_function *function = source_function_at(&call.file->functions, call.token);
    struct token_range condition = {0, 0};
    size_t found = 0;

    for (size_t i = call.token; function != NULL && i < function->close; i++) {
        if (i >= condition.end && token_same_name(tokens, i, variable) &&
            find_condition(tokens, function->open, i, &condition) && condition.first > call.token &&
            compares_names(tokens, condition, variable)) {
            *out_condition = (struct file_token){call.file, condition.first};
            found++;
        }
    }
    return found == 1;
}

/* What rounds the threads that the calculator returns up: the condition, if there is one, and the
 * hint. False if the printed width is not known to be made of them. */
static bool find_rounding(const struct locator *locator, struct file_token string,
                          struct location *out_location)
{
    const struct advice *advice = &locator->cause->advice;
    struct value_slice slice;
    struct file_token call, condition;
    size_t variable;

    if (advice->id != ADVICE_BLOCK_WIDTH_OF_ONE_GPU || advice->names[0] == NULL ||
        advice->names[1] == NULL) {
        return false;
    }
    value_slice_read(&locator->source, locator->arena, string, &slice);
    if (!find_choice(locator, &slice, &call, &variable)) {
        return false;
    }
    const struct source_tokens *tokens = &call.file->tokens;
    const struct source_token *name = &tokens->tokens[variable];
    if (find_width_condition(call, variable, &condition)) {
        location_set(out_location, condition,
                     arena_printf(locator->arena, "decides the width: `%.*s` is %s there",
                                  (int)name->length, name->text, advice->names[0]));
    }
    out_location->hint =
        arena_printf(locator->arena, "%.*s returned %s there, and %s is more: round the width down",
                     (int)tokens->tokens[call.token].length, tokens->tokens[call.token].text,
                     advice->names[0], advice->names[1]);
    return true;
}

/* True if the advice is about how the number is printed. */
static bool is_about_form(enum advice_id advice)
{
    return advice == ADVICE_PERCENT_SIGN || advice == ADVICE_MORE_DIGITS;
}

bool locate_printed_value(const struct locator *locator, struct location *out_location)
{
    struct printf_mistake mistake;
    struct file_token value;

    if (!locate_printed_line(locator, out_location)) {
        return false;
    }
    const struct file_token string = out_location->file_token;
    const struct source_tokens *tokens = &string.file->tokens;
    if (tokens->tokens[string.token].kind != TOKEN_STRING || !string.file->functions.is_certain ||
        printf_mistake_find(locator->arena, tokens, string.token, &mistake) ||
        find_limit(locator, string, out_location) || find_wrong_bytes(locator, out_location) ||
        find_rounding(locator, string, out_location)) {
        return true;
    }
    if (!is_about_form(locator->cause->advice.id) &&
        value_slice_origin(&locator->source, locator->arena, string, &value)) {
        const int line = tokens->tokens[string.token].line;
        location_set(out_location, value,
                     value.file == string.file
                         ? arena_printf(locator->arena, "the value that line %d prints", line)
                         : arena_printf(locator->arena, "the value that %s:%d prints",
                                        tokens->file->name, line));
    }
    return true;
}
