/* shape_edits.c: mistakes of a certain shape: a cast of one factor, a loop from one, arguments and
 * indices that are exchanged. */
#include "diagnosis/fixes/clause_editor.h"

#include "source/source_declaration.h"

#include <string.h>

enum { PLACES_MAX = 8 };

static bool is_arithmetic_type(const struct program_file *file, size_t first, size_t end)
{
    static const char *const types[] = {"unsigned", "char",  "int",  "float",
                                        "double",   "short", "long", "size_t"};
    bool is_type = end > first;

    for (size_t i = first; i < end && is_type; i++) {
        is_type = false;
        for (size_t j = 0; j < sizeof types / sizeof types[0]; j++) {
            is_type = is_type || fix_name_is(file, i, types[j]);
        }
    }
    return is_type;
}

static bool is_operator(const struct program_file *file, size_t at)
{
    return fix_sign_is(file, at, "+") || fix_sign_is(file, at, "-") || fix_sign_is(file, at, "*") ||
           fix_sign_is(file, at, "/") || fix_sign_is(file, at, "%");
}

/* (char)0.5f * a + b becomes (char)(0.5f * a + b), and (float)(a / b) becomes (float)a / b. */
static void widen_cast(struct clause_editor *editor, size_t open)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};
    size_t first = token_close(&file->tokens, open);

    if (first >= clause->end || !is_arithmetic_type(file, open + 1, first - 1)) {
        return;
    }
    size_t factor_end = fix_factor_end(file, first);
    size_t end = factor_end;
    while (end < clause->end && is_operator(file, end)) {
        end = fix_factor_end(file, end + 1);
    }
    bool is_number = file->tokens.tokens[first].kind == TOKEN_NUMBER;
    if (end > factor_end && end < clause->end) {
        fix_replace(&draft, file, first, first, "(");
        fix_replace(&draft, file, end, end, ")");
        clause_editor_keep(editor, &draft, is_number ? COST_SURE : COST_LIKELY);
    }
    bool is_floating =
        fix_name_is(file, first - 2, "float") || fix_name_is(file, first - 2, "double");
    size_t sign = fix_sign_is(file, first, "(") ? fix_factor_end(file, first + 1) : first;
    if (is_floating && fix_sign_is(file, sign, "/") && sign < factor_end) {
        clause_editor_replace(editor, first, factor_end,
                              clause_text(editor, first + 1, factor_end - 1), COST_LIKELY);
    }
}

/* for (k = 1; k <= n; becomes for (k = 0; k < n; */
static void begin_at_zero(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};
    size_t at = clause->first;

    if (!fix_name_is(file, at, "for")) {
        return;
    }
    while (at < clause->end && !fix_sign_is(file, at, ";")) {
        at++;
    }
    if (at + 2 < clause->end && token_is(&file->tokens, at - 1, TOKEN_NUMBER, "1") &&
        fix_sign_is(file, at - 2, "=") && fix_sign_is(file, at + 2, "<=")) {
        fix_replace(&draft, file, at - 1, at, "0");
        fix_replace(&draft, file, at + 2, at + 3, "<");
        clause_editor_keep(editor, &draft, COST_SURE);
    }
}

/* The head of a `for` whose counter is doubled or halved. */
struct doubling_loop {
    struct token_range first, condition; /* what the counter starts as, ... */
    size_t sign;                         /* of its step: *=, /=, << or >> */
    bool doubles, is_shift;
};

static bool read_doubling_loop(const struct clause *clause, struct doubling_loop *out)
{
    const struct program_file *file = clause->file;
    const size_t close = token_close(&file->tokens, clause->first + 1) - 1;
    size_t equals = clause->first + 2;

    if (!fix_name_is(file, clause->first, "for") || close >= clause->end) {
        return false;
    }
    while (equals < close && !fix_sign_is(file, equals, "=")) {
        equals++;
    }
    out->first = source_expression(&file->tokens, equals + 1);
    out->condition = source_expression(&file->tokens, out->first.end + 1);
    const size_t step = out->condition.end + 1;
    out->sign = step + 1;
    out->is_shift = fix_sign_is(file, step + 2, "=");
    out->doubles = fix_sign_is(file, step + 1, out->is_shift ? "<<" : "*=");
    return close == step + (out->is_shift ? 4 : 3) &&
           token_is(&file->tokens, close - 1, TOKEN_NUMBER, out->is_shift ? "1" : "2") &&
           (out->doubles || fix_sign_is(file, step + 1, out->is_shift ? ">>" : "/=")) &&
           fix_sign_is(file, out->first.end, ";") && fix_sign_is(file, out->condition.end, ";") &&
           fix_same_token(file, out->condition.first, equals - 1) &&
           fix_same_token(file, step, equals - 1);
}

/* for (k = 1; k < n; k *= 2) becomes for (k = n / 2; k > 0; k /= 2), and the other way round. */
static void turn_loop(struct clause_editor *editor)
{
    const struct program_file *file = editor->clause->file;
    struct arena *arena = editor->maker->arena;
    struct fix_draft draft = {.maker = editor->maker};
    struct doubling_loop loop;

    if (!read_doubling_loop(editor->clause, &loop)) {
        return;
    }
    const size_t compares = loop.condition.first + 1;
    const bool is_below = fix_sign_is(file, compares, "<");
    if (loop.doubles && (is_below || fix_sign_is(file, compares, "<="))) {
        const char *bound = clause_text(editor, compares + 1, loop.condition.end);
        const bool is_one = fix_factor_end(file, compares + 1) == loop.condition.end;
        fix_replace(&draft, file, loop.first.first, loop.first.end,
                    !is_below ? bound : arena_printf(arena, is_one ? "%s / 2" : "(%s) / 2", bound));
        fix_replace(&draft, file, compares, loop.condition.end, "> 0");
    } else if (!loop.doubles && fix_sign_is(file, compares, ">") &&
               token_is(&file->tokens, compares + 1, TOKEN_NUMBER, "0")) {
        const bool is_half = loop.first.end > loop.first.first + 2 &&
                             fix_sign_is(file, loop.first.end - 2, "/") &&
                             token_is(&file->tokens, loop.first.end - 1, TOKEN_NUMBER, "2");
        const char *bound =
            clause_text(editor, loop.first.first, loop.first.end - (is_half ? 2 : 0));
        fix_replace(&draft, file, loop.first.first, loop.first.end, "1");
        fix_replace(&draft, file, compares, loop.condition.end,
                    arena_printf(arena, is_half ? "< %s" : "<= %s", bound));
    } else {
        return;
    }
    fix_replace(&draft, file, loop.sign, loop.sign + 1,
                loop.is_shift  ? loop.doubles ? ">>" : "<<"
                : loop.doubles ? "/="
                               : "*=");
    clause_editor_keep(editor, &draft, COST_LIKELY);
}

/* All comparisons of a clause that are alike, at once: y > 0 && x > 0. */
static void edit_like_comparisons(struct clause_editor *editor)
{
    static const char *const pairs[][2] = {{"<=", "<"}, {">", ">="}, {"<", "<="}, {">=", ">"}};
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct fix_draft draft = {.maker = editor->maker};
        size_t changed = 0;
        for (size_t at = clause->first; at < clause->end; at++) {
            if (fix_sign_is(file, at, pairs[i][0])) {
                fix_replace(&draft, file, at, at + 1, pairs[i][1]);
                changed++;
            }
        }
        if (changed > 1) {
            clause_editor_keep(editor, &draft, i < 2 ? COST_SURE : COST_LIKELY);
        }
    }
}

/* blockIdx.x + threadIdx.x * blockDim.x: each of both in place of the other. */
static void exchange_block_and_thread(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};
    size_t blocks = 0, threads = 0;
    bool is_thread_far = false;

    for (size_t i = clause->first; i + 2 < clause->end; i++) {
        bool is_block = fix_name_is(file, i, "blockIdx");
        if (is_block || fix_name_is(file, i, "threadIdx")) {
            blocks += is_block ? 1 : 0;
            threads += is_block ? 0 : 1;
            is_thread_far =
                is_thread_far || (!is_block && (fix_sign_is(file, i + 3, "*") ||
                                                (i > 0 && fix_sign_is(file, i - 1, "*"))));
            fix_replace(&draft, file, i, i + 1, is_block ? "threadIdx" : "blockIdx");
        }
    }
    if (blocks == 1 && threads == 1) {
        clause_editor_keep(editor, &draft, is_thread_far ? 2 * COST_SURE : COST_COMMON);
    }
}

/* The position of the parameter of a function that is named like an argument; `count`: none. */
static size_t parameter_named(const struct program_file *file, const struct token_range *parameters,
                              size_t count, struct token_range argument)
{
    for (size_t i = 0; i < count && argument.end == argument.first + 1; i++) {
        if (fix_is_name(file, argument.first) &&
            fix_same_token(file, fix_last_name(file, parameters[i]), argument.first)) {
            return i;
        }
    }
    return count;
}

/* Two arguments of a call in place of each other. */
static void exchange_two(struct clause_editor *editor, const struct fix_call *call, size_t left,
                         int cost)
{
    const struct token_range one = call->arguments[left];
    const struct token_range other = call->arguments[left + 1];
    struct fix_draft draft = {.maker = editor->maker};

    fix_replace(&draft, call->file, one.first, one.end,
                clause_text(editor, other.first, other.end));
    fix_replace(&draft, call->file, other.first, other.end,
                clause_text(editor, one.first, one.end));
    clause_editor_keep(editor, &draft, cost);
}

/* The device function of the file that a call names; NULL: none. */
static const struct source_function *device_function_of(const struct program_file *file, size_t at)
{
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct source_function *function = &file->functions.items[i];
        if (function->is_device && fix_same_token(file, function->name, at)) {
            return function;
        }
    }
    return NULL;
}

/* Arguments of a device function that stand where its other parameters are. */
static void exchange_call_arguments(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    struct token_range parameters[FIX_ARGUMENTS_MAX];
    struct fix_call call;

    if (!fix_is_name(file, at) || !fix_sign_is(file, at + 1, "(") ||
        !fix_read_call(file, at, &call) || call.end > editor->clause->end) {
        return;
    }
    const struct source_function *function = device_function_of(file, at);
    if (function == NULL) {
        return;
    }
    size_t count = fix_split(file, fix_parameters(file, function), parameters, FIX_ARGUMENTS_MAX);
    for (size_t i = 0; i + 1 < call.argument_count && call.argument_count == count; i++) {
        const struct visible_name *one =
            clause_names_find(file, editor->names, editor->name_count, call.arguments[i].first);
        const struct visible_name *other =
            clause_names_find(file, editor->names, editor->name_count, call.arguments[i + 1].first);
        size_t named = parameter_named(file, parameters, count, call.arguments[i]);
        size_t other_named = parameter_named(file, parameters, count, call.arguments[i + 1]);
        bool is_crossed = named == i + 1 && other_named == i;
        bool is_known = named == i || other_named == i + 1;
        if (is_crossed || one == NULL || other == NULL || clause_names_alike(file, one, other)) {
            exchange_two(editor, &call, i,
                         is_crossed ? 2 * COST_SURE
                         : is_known ? COST_RARE
                                    : COST_LIKELY);
        }
    }
}

/* A number that is stored or added becomes an element of an array, at the index of the target. */
static void edit_added_number(struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t open = clause->first;

    if (file->tokens.tokens[at].kind != TOKEN_NUMBER || at <= clause->first) {
        return;
    }
    bool is_value = (fix_sign_is(file, at - 1, "+=") || fix_sign_is(file, at - 1, "=")) &&
                    fix_sign_is(file, at + 1, ";");
    bool is_argument = fix_sign_is(file, at - 1, ",") && fix_sign_is(file, at + 1, ")") &&
                       fix_name_is(file, clause->first, "atomicAdd");
    while (open < at && !fix_sign_is(file, open, "[")) {
        open++;
    }
    size_t close = token_close(&file->tokens, open);
    if (!(is_value || is_argument) || open == at || close > at || open == clause->first ||
        close != open + 3 || token_is(&file->tokens, at, TOKEN_NUMBER, "0")) {
        return;
    }
    const struct visible_name *target =
        clause_names_find(file, editor->names, editor->name_count, open - 1);
    for (size_t i = 0; i < editor->name_count && target != NULL; i++) {
        const struct visible_name *name = &editor->names[i];
        if (name != target && name->depth == target->depth && name->kind == target->kind &&
            fix_same_token(file, name->type, target->type) && clause_may_hold(editor, name, at)) {
            clause_editor_replace(editor, at, at + 1,
                                  arena_printf(editor->maker->arena, "%s%s",
                                               clause_text(editor, name->token, name->token + 1),
                                               clause_text(editor, open, close)),
                                  COST_LIKELY);
        }
    }
}

void clause_edit_shapes(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;

    begin_at_zero(editor);
    turn_loop(editor);
    edit_like_comparisons(editor);
    exchange_block_and_thread(editor);
    for (size_t i = clause->first; i < clause->end; i++) {
        if (fix_sign_is(clause->file, i, "(")) {
            widen_cast(editor, i);
        }
        exchange_call_arguments(editor, i);
        edit_added_number(editor, i);
    }
}
