/* kernel_fixes.c: guards, indices and sums in a kernel. */
#include "diagnosis/fixes/guilty_clauses.h"

#include <string.h>

/* The statement that a token is in, without its if (...) and for (...). */
static struct token_range statement_at(const struct fix_maker *maker, size_t at)
{
    const struct program_file *file = maker->file;
    size_t block = fix_block_around(file, maker->function, at, at);
    struct token_range statement = fix_statement_in(file, block, at);

    while (fix_name_is(file, statement.first, "if") || fix_name_is(file, statement.first, "for") ||
           fix_name_is(file, statement.first, "while")) {
        size_t after = token_close(&file->tokens, statement.first + 1);
        if (after > at) {
            break;
        }
        statement.first = after;
    }
    return statement;
}

static struct token_range own_statement(const struct fix_maker *maker)
{
    return statement_at(maker, maker->at);
}

enum { STATEMENTS_MAX = 4 };

/* The statement at the diagnostic, and the declarations of the variables that it uses: an index is
 * often made before. */
static size_t own_statements(const struct fix_maker *maker,
                             struct token_range out_statements[STATEMENTS_MAX])
{
    const struct program_file *file = maker->file;
    const struct token_range statement = own_statement(maker);
    size_t count = 0;

    out_statements[count++] = statement;
    for (size_t i = statement.first; i < statement.end && count < STATEMENTS_MAX; i++) {
        const struct token_range name = {i, i + 1};
        size_t value = fix_is_name(file, i) ? find_value(file, name).token : i;
        bool is_known = value >= statement.first || value < maker->function->open;
        for (size_t j = 1; j < count; j++) {
            is_known =
                is_known || (value >= out_statements[j].first && value < out_statements[j].end);
        }
        if (!is_known) {
            out_statements[count++] = statement_at(maker, value);
        }
    }
    return count;
}

/* The subscript of the access at the diagnostic; where there is none, its statement. */
static struct token_range own_subscript(const struct fix_maker *maker)
{
    size_t open = maker->at + 1;

    if (fix_is_name(maker->file, maker->at) && fix_sign_is(maker->file, open, "[")) {
        return (struct token_range){open, token_close(&maker->file->tokens, open)};
    }
    return own_statement(maker);
}

enum { PARAMETERS_MAX = 16 };

/* Parameters that are whole numbers: the token of each name. */
static size_t whole_parameters(const struct fix_maker *maker, size_t *out_names, size_t capacity)
{
    const struct program_file *file = maker->file;
    struct token_range parameters[PARAMETERS_MAX];
    size_t count =
        fix_split(file, fix_parameters(file, maker->function), parameters, PARAMETERS_MAX);
    size_t found = 0;

    for (size_t i = 0; i < count && found < capacity; i++) {
        bool is_whole = false;
        for (size_t j = parameters[i].first; j < parameters[i].end; j++) {
            is_whole = is_whole || fix_name_is(file, j, "int") ||
                       fix_name_is(file, j, "unsigned") || fix_name_is(file, j, "size_t") ||
                       fix_name_is(file, j, "long");
            if (fix_sign_is(file, j, "*") || fix_sign_is(file, j, "&")) {
                is_whole = false;
                break;
            }
        }
        if (is_whole && fix_is_name(file, parameters[i].end - 1)) {
            out_names[found++] = parameters[i].end - 1;
        }
    }
    return found;
}

/* The parameters that are pointers, by the tokens of their names. */
static size_t pointer_parameters(const struct fix_maker *maker, size_t *out_names, size_t capacity)
{
    const struct program_file *file = maker->file;
    struct token_range parameters[PARAMETERS_MAX];
    size_t count =
        fix_split(file, fix_parameters(file, maker->function), parameters, PARAMETERS_MAX);
    size_t found = 0;

    for (size_t i = 0; i < count && found < capacity; i++) {
        size_t name = parameters[i].end - 1;
        bool is_pointer = false;
        for (size_t j = parameters[i].first; j < name; j++) {
            is_pointer = is_pointer || fix_sign_is(file, j, "*");
        }
        if (is_pointer && fix_is_name(file, name)) {
            out_names[found++] = name;
        }
    }
    return found;
}

enum { VARIABLES_MAX = 4 };

/* Variables of the function that are set from threadIdx, and that [first, end) names: the token of
 * each declaration's name. */
static size_t index_variables(const struct fix_maker *maker, struct token_range used,
                              size_t out_names[VARIABLES_MAX])
{
    const struct program_file *file = maker->file;
    size_t count = 0;

    for (size_t i = maker->function->open; i < used.first && count < VARIABLES_MAX; i++) {
        if (!fix_name_is(file, i, "threadIdx")) {
            continue;
        }
        size_t equals = i;
        while (equals > maker->function->open && !fix_sign_is(file, equals, "=") &&
               !fix_sign_is(file, equals, ";") && !fix_sign_is(file, equals, "{")) {
            equals--;
        }
        bool is_set = fix_sign_is(file, equals, "=") && fix_is_name(file, equals - 1) &&
                      fix_is_name(file, equals - 2);
        bool is_known = count > 0 && out_names[count - 1] == equals - 1;
        if (is_set && !is_known && fix_names(file, used.first, used.end, equals - 1)) {
            out_names[count++] = equals - 1;
        }
    }
    return count;
}

static bool has_barrier(const struct fix_maker *maker)
{
    for (size_t i = maker->function->open; i < maker->function->close; i++) {
        if (fix_name_is(maker->file, i, "__syncthreads")) {
            return true;
        }
    }
    return false;
}

/* Guards each statement that uses a parameter's array by that variable. */
static void guard_all(struct fix_maker *maker, size_t variable, const char *inside)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};
    size_t arrays[PARAMETERS_MAX];
    size_t count = pointer_parameters(maker, arrays, PARAMETERS_MAX);
    const char *text = arena_printf(maker->arena, "if (%s) ", inside);

    for (size_t i = maker->function->open; i < maker->function->close; i++) {
        bool is_array = false;
        for (size_t j = 0; j < count; j++) {
            is_array = is_array || (fix_is_name(file, i) && fix_same_token(file, i, arrays[j]));
        }
        if (!is_array || !fix_sign_is(file, i + 1, "[") ||
            !fix_names(file, i + 1, token_close(&file->tokens, i + 1), variable) ||
            fix_is_guarded(maker, i, variable)) {
            continue;
        }
        const struct token_range statement = statement_at(maker, i);
        fix_replace(&draft, file, statement.first, statement.first, text);
        i = statement.end - 1;
    }
    fix_draft_offer(&draft);
}

/* Lets threads past the end skip the statement, or, where no barrier follows, the rest. */
static void guard(struct fix_maker *maker, size_t variable, const char *inside, const char *outside,
                  size_t after)
{
    const struct token_range statement = own_statement(maker);
    struct fix_draft draft = {.maker = maker};

    if (fix_is_guarded(maker, maker->at, variable)) {
        return; /* a condition that is wrong, or one that lacks a part: see clause_editor.h */
    }
    if (!has_barrier(maker)) {
        fix_insert_line(&draft, maker->file, after, after,
                        arena_printf(maker->arena, "if (%s) return;", outside));
        fix_draft_offer(&draft);
        return;
    }
    guard_all(maker, variable, inside);
    fix_replace(&draft, maker->file, statement.first, statement.first,
                arena_printf(maker->arena, "if (%s) ", inside));
    fix_draft_offer(&draft);
}

enum { CONDITION_MAX = 64 }; /* tokens */

/* Conditions that compare something else with the bound of a variable: they compare the variable
 * itself. */
static void compare_variable(struct fix_maker *maker, size_t variable, size_t bound)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};

    for (size_t i = variable; i < maker->function->close; i++) {
        const size_t end = fix_name_is(file, i, "if") ? token_close(&file->tokens, i + 1) : 0;
        if (end < i + 6 || end > i + CONDITION_MAX || !fix_same_token(file, end - 2, bound) ||
            !fix_sign_is(file, end - 3, "<") || fix_names(file, i + 2, end, variable)) {
            continue;
        }
        bool is_whole = true; /* one comparison, and no more */
        for (size_t j = i + 2; j < end - 3; j++) {
            is_whole = is_whole && !fix_sign_is(file, j, "&&") && !fix_sign_is(file, j, "||");
        }
        if (is_whole) {
            fix_replace(&draft, file, i + 2, end - 3,
                        fix_text(maker, file, variable, variable + 1));
        }
    }
    fix_draft_offer(&draft);
}

/* Bounds of the index variables of an access by parameters: one variable by each, two in order. */
void fix_guard(struct fix_maker *maker)
{
    size_t variables[VARIABLES_MAX];
    size_t bounds[4];

    if (maker->file == NULL || maker->function == NULL || !maker->function->is_kernel) {
        return;
    }
    const struct program_file *file = maker->file;
    size_t count = index_variables(maker, own_subscript(maker), variables);
    size_t bound_count = whole_parameters(maker, bounds, 4);
    if (count == 0 || count > 2) {
        return;
    }
    size_t after = source_statement_end(&file->tokens, variables[count - 1]) - 1;
    for (size_t i = 0; i < bound_count; i++) {
        const char *first = fix_text(maker, file, variables[0], variables[0] + 1);
        const char *bound = fix_text(maker, file, bounds[i], bounds[i] + 1);
        if (count == 1) {
            compare_variable(maker, variables[0], bounds[i]);
            guard(maker, variables[0], arena_printf(maker->arena, "%s < %s", first, bound),
                  arena_printf(maker->arena, "%s >= %s", first, bound), after);
        }
        for (size_t j = 0; count == 2 && j < bound_count; j++) {
            const char *second = fix_text(maker, file, variables[1], variables[1] + 1);
            const char *other = fix_text(maker, file, bounds[j], bounds[j] + 1);
            if (i != j) {
                guard(
                    maker, variables[0],
                    arena_printf(maker->arena, "%s < %s && %s < %s", first, bound, second, other),
                    arena_printf(maker->arena, "%s >= %s || %s >= %s", first, bound, second, other),
                    after);
            }
        }
    }
}

/* [a][b] becomes [b][a], each pair of the statement by itself. */
void fix_exchange_indices(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;

    if (file == NULL || maker->function == NULL) {
        return;
    }
    const struct token_range statement = own_statement(maker);
    for (size_t i = statement.first; i < statement.end; i++) {
        size_t second = token_close(&file->tokens, i);
        if (!fix_sign_is(file, i, "[") || !fix_sign_is(file, second, "[")) {
            continue;
        }
        size_t end = token_close(&file->tokens, second);
        struct fix_draft draft = {.maker = maker};
        fix_replace(&draft, file, i, end,
                    arena_printf(maker->arena, "[%s][%s]",
                                 fix_text(maker, file, second + 1, end - 1),
                                 fix_text(maker, file, i + 1, second - 1)));
        fix_draft_offer(&draft);
    }
}

/* Exchanges two names wherever they stand among the tokens [first, end). */
static void exchange_names(struct fix_maker *maker, struct token_range range, size_t left,
                           size_t right)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};
    const char *one = fix_text(maker, file, left, left + 1);
    const char *other = fix_text(maker, file, right, right + 1);

    if (strcmp(one, other) == 0 || !fix_names(file, range.first, range.end, left) ||
        !fix_names(file, range.first, range.end, right)) {
        return;
    }
    for (size_t i = range.first; i < range.end; i++) {
        bool is_member = i > 0 && (fix_sign_is(file, i - 1, ".") || fix_sign_is(file, i - 1, "->"));
        if (!is_member && (fix_name_is(file, i, one) || fix_name_is(file, i, other))) {
            fix_replace(&draft, file, i, i + 1, fix_name_is(file, i, one) ? other : one);
        }
    }
    fix_draft_offer(&draft);
}

/* Size `from` becomes size `to` in a statement. */
static void replace_size(struct fix_maker *maker, struct token_range statement, size_t from,
                         size_t to)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};

    for (size_t i = statement.first; i < statement.end; i++) {
        if (fix_is_name(file, i) && fix_same_token(file, i, from)) {
            fix_replace(&draft, file, i, i + 1, fix_text(maker, file, to, to + 1));
        }
    }
    fix_draft_offer(&draft);
}

/* A parameter that is a size in place of another one, in a statement; and two of them exchanged in
 * a condition. */
void fix_exchange_sizes(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    struct token_range statements[STATEMENTS_MAX];
    size_t sizes[4];

    if (file == NULL || maker->function == NULL) {
        return;
    }
    size_t count = whole_parameters(maker, sizes, 4);
    size_t statement_count = own_statements(maker, statements);
    for (size_t i = 0; i < statement_count; i++) {
        for (size_t pair = 0; pair < count * count; pair++) {
            if (pair / count != pair % count) {
                replace_size(maker, statements[i], sizes[pair / count], sizes[pair % count]);
            }
        }
    }
    for (size_t at = maker->function->open; at < maker->function->close; at++) {
        const struct token_range condition = {at + 1, token_close(&file->tokens, at + 1)};
        for (size_t i = 0; i < count && fix_name_is(file, at, "if"); i++) {
            for (size_t j = i + 1; j < count; j++) {
                exchange_names(maker, condition, sizes[i], sizes[j]);
            }
        }
    }
}

/* Exchanges index variables in each subscript of a statement, or in the value that it sets. */
static void exchange_in_statement(struct fix_maker *maker, struct token_range statement)
{
    const struct program_file *file = maker->file;
    size_t variables[VARIABLES_MAX];
    size_t count = index_variables(maker, statement, variables);

    for (size_t i = statement.first; i < statement.end; i++) {
        struct token_range range = {i, token_close(&file->tokens, i)};
        if (fix_sign_is(file, i, "=") && fix_is_name(file, i - 1) && fix_is_name(file, i - 2)) {
            range.end = statement.end; /* a declaration */
        } else if (!fix_sign_is(file, i, "[")) {
            continue;
        }
        while (fix_sign_is(file, range.end, "[")) {
            range.end = token_close(&file->tokens, range.end);
        }
        for (size_t j = 0; j < count; j++) {
            for (size_t k = j + 1; k < count; k++) {
                exchange_names(maker, range, variables[j], variables[k]);
            }
        }
        i = range.end - 1;
    }
}

/* Two index variables that stand for each other. */
void fix_exchange_variables(struct fix_maker *maker)
{
    struct token_range statements[STATEMENTS_MAX];

    if (maker->file == NULL || maker->function == NULL) {
        return;
    }
    size_t count = own_statements(maker, statements);
    for (size_t i = 0; i < count; i++) {
        exchange_in_statement(maker, statements[i]);
    }
}

/* An array in place of another one: one that the kernel gets and never uses, in place of each that
 * the statement uses; and two that the statement reads, or the kernel uses, exchanged. */
void fix_exchange_arrays(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    size_t arrays[PARAMETERS_MAX];

    if (file == NULL || maker->function == NULL || !maker->function->is_kernel) {
        return;
    }
    const struct token_range statement = own_statement(maker);
    struct token_range read = statement;
    for (size_t i = statement.first; i < statement.end; i++) {
        read.first = fix_sign_is(file, i, "=") ? i + 1 : read.first;
    }
    size_t count = pointer_parameters(maker, arrays, PARAMETERS_MAX);
    for (size_t i = 0; i < count; i++) {
        bool is_used = fix_names(file, maker->function->open, maker->function->close, arrays[i]);
        const char *array = fix_text(maker, file, arrays[i], arrays[i] + 1);
        for (size_t j = statement.first; j < statement.end && !is_used; j++) {
            struct fix_draft draft = {.maker = maker};
            bool is_array = fix_is_name(file, j) && fix_sign_is(file, j + 1, "[");
            for (size_t k = 0; k < count; k++) {
                if (is_array && fix_same_token(file, j, arrays[k])) {
                    fix_replace(&draft, file, j, j + 1, array);
                }
            }
            fix_draft_offer(&draft);
        }
        for (size_t j = i + 1; j < count; j++) {
            exchange_names(maker, read, arrays[i], arrays[j]);
        }
    }
    const struct token_range body = {maker->function->open, maker->function->close};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            exchange_names(maker, body, arrays[i], arrays[j]);
        }
    }
}

/* TYPE sum; of a variable that is added to later in the function becomes TYPE sum = 0; */
void fix_initialise(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;

    if (file == NULL || maker->function == NULL) {
        return;
    }
    for (size_t i = maker->function->open + 2; i + 1 < maker->function->close; i++) {
        bool is_declared = fix_is_name(file, i - 1) && fix_is_name(file, i) &&
                           fix_sign_is(file, i + 1, ";") && !fix_name_is(file, i - 1, "return");
        for (size_t j = i + 1; is_declared && j + 1 < maker->function->close; j++) {
            if (fix_is_name(file, j) && fix_same_token(file, i, j) &&
                fix_sign_is(file, j + 1, "+=")) {
                struct fix_draft draft = {.maker = maker};
                bool is_double = fix_name_is(file, i - 1, "double");
                bool is_float = fix_name_is(file, i - 1, "float");
                fix_replace(&draft, file, i + 1, i + 1,
                            is_float    ? " = 0.0f"
                            : is_double ? " = 0.0"
                                        : " = 0");
                fix_draft_offer(&draft);
                break;
            }
        }
    }
}

/* threadIdx.x alone, in a kernel that never asks for its block. */
void fix_block_index(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};

    if (file == NULL || maker->function == NULL || !maker->function->is_kernel) {
        return;
    }
    for (size_t i = maker->function->open; i + 2 < maker->function->close; i++) {
        if (fix_name_is(file, i, "blockIdx")) {
            return;
        }
        if (fix_name_is(file, i, "threadIdx") && fix_name_is(file, i + 2, "x") &&
            fix_sign_is(file, i - 1, "=")) {
            fix_replace(&draft, file, i, i, "blockIdx.x * blockDim.x + ");
        }
    }
    fix_draft_offer(&draft);
}
