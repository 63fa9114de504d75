/* token_edits.c: changes of one token or one operand. */
#include "diagnosis/fixes/clause_editor.h"

#include <stdlib.h>
#include <string.h>

enum { BOUND_PAIRS = 3, OUTSIDE_PAIRS = 4, CALL_MAX = 64 /* tokens before an argument */ };

/* Signs and names that are mistaken for each other. */
static const struct {
    const char *wrong, *right;
    int cost;
} pairs[] = {
    /* the first ones: bounds that let too many pass */
    {"<=", "<", COST_LIKELY},
    {">", ">=", COST_LIKELY},
    {"&&", "||", COST_COMMON},
    {"||", "&&", COST_COMMON},
    {"<", "<=", COST_COMMON},
    {">=", ">", COST_COMMON},
    {"+=", "=", COST_LIKELY},
    {"=", "+=", COST_COMMON},
    {"+", "-", COST_COMMON},
    {"-", "+", COST_COMMON},
    {"+", "*", COST_RARE},
    {"*", "+", COST_RARE},
    {"==", "!=", COST_RARE},
    {"!=", "==", COST_RARE},
    {"<", ">", COST_RARE},
    {">", "<", COST_RARE},
    {"<=", ">=", COST_RARE},
    {">=", "<=", COST_RARE},
    {"/", "%", COST_COMMON},
    {"%", "/", COST_COMMON},
    {"/", "*", COST_LAST},
    {"<<", ">>", COST_RARE},
    {">>", "<<", COST_RARE},
    {"min", "max", COST_COMMON},
    {"max", "min", COST_COMMON},
    {"fminf", "fmaxf", COST_COMMON},
    {"fmaxf", "fminf", COST_COMMON},
    {"threadIdx", "blockIdx", COST_COMMON},
    {"blockIdx", "threadIdx", COST_COMMON},
    {"blockDim", "gridDim", COST_COMMON},
    {"gridDim", "blockDim", COST_COMMON},
    {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", COST_LIKELY},
    {"cudaMemcpyDeviceToHost", "cudaMemcpyHostToDevice", COST_LIKELY},
    {"__shfl_down_sync", "__shfl_up_sync", COST_LIKELY},
    {"__shfl_up_sync", "__shfl_down_sync", COST_LIKELY},
    {"atomicMin", "atomicMax", COST_LIKELY},
    {"atomicMax", "atomicMin", COST_LIKELY},
};

/* True if a statement sets what a token stands after for the first time, or in the head of a loop:
 * there is nothing to add to, or it is the step. */
static bool is_fixed_assignment(const struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    if (fix_sign_is(file, at, "+=")) {
        return fix_name_is(file, clause->first, "for");
    }
    const struct visible_name *name =
        clause_names_find(file, editor->names, editor->name_count, clause->first);
    bool is_output = name != NULL && name->is_parameter && name->depth > 0;
    return fix_sign_is(file, at, "=") && (at + 1 != editor->target || is_output) &&
           at != clause->first + 1;
}

static bool is_comparison(const struct program_file *file, size_t at)
{
    static const char *const signs[] = {"<", ">", "<=", ">=", "==", "!="};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (fix_sign_is(file, at, signs[i])) {
            return true;
        }
    }
    return false;
}

/* True for the && of (a || b) && (c || d). */
static bool joins_brackets(const struct program_file *file, size_t at)
{
    return (fix_sign_is(file, at, "&&") || fix_sign_is(file, at, "||")) && at > 0 &&
           fix_sign_is(file, at - 1, ")") && fix_sign_is(file, at + 1, "(");
}

static void exchange_pairs(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    const enum code code = editor->maker->request->diagnostic->code;
    const bool is_outside = code_cause(code) == CAUSE_OUT_OF_BOUNDS;
    const bool is_kept = code == CODE_STATE_KEPT;

    size_t count = editor->maker->request->diagnostic->verdict_count > 0
                       ? sizeof pairs / sizeof pairs[0]
                       : BOUND_PAIRS;
    for (size_t i = 0; i < count; i++) {
        if (is_kept && is_comparison(file, at)) {
            continue; /* see clause_edit_token */
        }
        if ((fix_sign_is(file, at, pairs[i].wrong) || fix_name_is(file, at, pairs[i].wrong)) &&
            !is_fixed_assignment(editor, at)) {
            clause_editor_replace(editor, at, at + 1, pairs[i].right,
                                  pairs[i].cost - (joins_brackets(file, at) ? 1 : 0) -
                                      (i < OUTSIDE_PAIRS && is_outside ? COST_COMMON : 0));
        }
    }
}

static bool is_binary(const struct program_file *file, size_t at)
{
    static const char *const signs[] = {"+", "-", "*", "/", "%", "&", "&&", "||", "<<", ">>"};
    const struct source_token *before = &file->tokens.tokens[at - 1];
    bool ends_operand = before->kind == TOKEN_NUMBER ||
                        (before->kind == TOKEN_NAME && !fix_name_is(file, at - 1, "return")) ||
                        fix_sign_is(file, at - 1, ")") || fix_sign_is(file, at - 1, "]");

    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && ends_operand; i++) {
        if (fix_sign_is(file, at, signs[i])) {
            return true;
        }
    }
    return false;
}

static bool binds_more(const struct program_file *file, size_t at)
{
    return fix_sign_is(file, at, "*") || fix_sign_is(file, at, "/") || fix_sign_is(file, at, "%");
}

static bool is_logical(const struct program_file *file, size_t at)
{
    return fix_sign_is(file, at, "&&") || fix_sign_is(file, at, "||");
}

/* The operand after a sign: up to the next sign that binds no more. */
static size_t operand_end(const struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    size_t end = fix_factor_end(file, at + 1);

    if (is_logical(file, at)) {
        while (end < editor->clause->end && !is_logical(file, end) &&
               !fix_sign_is(file, end, ")") && !fix_sign_is(file, end, ";")) {
            end = fix_factor_end(file, end);
        }
        return end;
    }
    while (end < editor->clause->end && !binds_more(file, at) && binds_more(file, end)) {
        end = fix_factor_end(file, end + 1);
    }
    return end;
}

/* A + B becomes A, B and, where the order counts, B + A. */
static void edit_operation(struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct arena *arena = editor->maker->arena;

    if (at == 0 || !is_binary(file, at)) {
        return;
    }
    size_t end = operand_end(editor, at);
    size_t first = fix_factor_start(file, at);
    if (end > clause->end || first < clause->first) {
        return;
    }
    const char *left = clause_text(editor, first, at);
    const char *right = clause_text(editor, at + 1, end);
    bool is_number = end == at + 2 && file->tokens.tokens[at + 1].kind == TOKEN_NUMBER;
    bool is_division = fix_sign_is(file, at, "/");
    clause_editor_replace(editor, first, end, left,
                          is_number || is_logical(file, at) ? COST_LIKELY
                          : binds_more(file, at)            ? COST_RARE
                                                            : COST_COMMON);
    if (!fix_sign_is(file, at, "-")) {
        bool is_count = first + 1 == at && file->tokens.tokens[first].kind == TOKEN_NUMBER;
        clause_editor_replace(editor, first, end, right, is_count ? COST_COMMON : COST_RARE);
    }
    if ((is_division || fix_sign_is(file, at, "-") || fix_sign_is(file, at, "%")) && !is_number) {
        clause_editor_replace(
            editor, first, end,
            arena_printf(arena, "%s %s %s", right, clause_text(editor, at, at + 1), left),
            COST_RARE);
    }
    if (is_division && !clause->function->is_kernel && !clause->function->is_device &&
        strchr(left, '+') == NULL) {
        clause_editor_replace(editor, first, end,
                              arena_printf(arena, "(%s + %s - 1) / %s", left, right, right),
                              COST_LIKELY);
    }
}

/* C ? A : B becomes B, and A, where it is all that is returned or set. */
static void edit_choice(struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t first = at;
    size_t colon = at;

    if (!fix_sign_is(file, at, "?") || !fix_sign_is(file, clause->end - 1, ";")) {
        return;
    }
    while (first > clause->first && !fix_sign_is(file, first - 1, "=") &&
           !fix_name_is(file, first - 1, "return")) {
        first--;
    }
    while (colon < clause->end && !fix_sign_is(file, colon, ":")) {
        colon++;
    }
    if (first > clause->first && colon < clause->end) {
        clause_editor_replace(editor, first, clause->end - 1,
                              clause_text(editor, colon + 1, clause->end - 1), COST_COMMON);
        clause_editor_replace(editor, first, clause->end - 1, clause_text(editor, at + 1, colon),
                              COST_COMMON);
    }
}

/* .x for .y, and the other way round. */
static void edit_member(struct clause_editor *editor, size_t at)
{
    static const char *const members[] = {"x", "y", "z", "w"};
    const struct program_file *file = editor->clause->file;

    if (at < 2 || !fix_sign_is(file, at - 1, ".")) {
        return;
    }
    bool is_built_in =
        fix_name_is(file, at - 2, "threadIdx") || fix_name_is(file, at - 2, "blockIdx") ||
        fix_name_is(file, at - 2, "blockDim") || fix_name_is(file, at - 2, "gridDim");
    for (size_t old = 0; old < 4; old++) {
        for (size_t new = 0; new < (is_built_in ? 2U : 4U) && fix_name_is(file, at, members[old]);
             new ++) {
            if (new != old) {
                clause_editor_replace(editor, at, at + 1, members[new],
                                      is_built_in ? COST_COMMON : COST_RARE);
            }
        }
    }
}

/* What another variable in place of one costs: sizes are mistaken for sizes, indices for
 * indices. */
static int name_cost(const struct clause_editor *editor, const struct visible_name *own,
                     const struct visible_name *name)
{
    const struct clause *clause = editor->clause;

    if (name->is_unused) {
        return COST_SURE;
    }
    size_t made_until = source_statement_end(&clause->file->tokens, name->token);
    if (own->kind == TYPE_OTHER ||
        (!visible_name_is_size(name) && own->depth == 0 &&
         fix_names(clause->file, name->token + 1, made_until, own->token))) {
        return COST_LIKELY; /* tx for column = first + tx */
    }
    bool is_here = fix_names(clause->file, clause->first, clause->end, name->token);
    bool is_alike = own->depth > 0 || visible_name_is_size(own) == visible_name_is_size(name);
    return (is_here ? COST_COMMON : COST_RARE) + (is_alike ? 0 : 2);
}

/* True if a name is what an index of the block is multiplied by. */
static bool is_block_factor(const struct program_file *file, size_t at)
{
    return (at >= 4 && fix_sign_is(file, at - 1, "*") && fix_name_is(file, at - 4, "blockIdx")) ||
           (fix_sign_is(file, at + 1, "*") && fix_name_is(file, at + 2, "blockIdx"));
}

/* True if all that a clause does with a name is to look whether it is in bounds: j < n ? a[i]. */
static bool is_only_guard(const struct clause *clause, const struct visible_name *name)
{
    const struct program_file *file = clause->file;
    size_t uses = 0;
    bool is_compared = false;

    for (size_t i = clause->first; i < clause->end; i++) {
        if (fix_is_name(file, i) && fix_same_token(file, i, name->token)) {
            uses++;
            is_compared = fix_sign_is(file, i + 1, "<");
        }
    }
    return uses == 1 && is_compared;
}

/* True if a name would stand on both sides of a sign, or of a ][. */
static bool is_doubled(const struct clause_editor *editor, const struct visible_name *name,
                       size_t at)
{
    const struct program_file *file = editor->clause->file;
    size_t before = at > 3 && fix_sign_is(file, at - 1, "[") ? at - 3 : at - 2;
    size_t after = fix_sign_is(file, at + 2, "[") ? at + 3 : at + 2;
    bool follows = at > 1 && !fix_sign_is(file, at - 1, ",") && before > 0 &&
                   fix_same_token(file, before, name->token);
    bool precedes = after < file->tokens.count && !fix_sign_is(file, at + 1, ",") &&
                    fix_same_token(file, after, name->token);

    return name->depth == 0 && (follows || precedes);
}

/* Another variable of the same type, that is used for the same. */
static void edit_name(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    const struct visible_name *own = clause_names_find(file, editor->names, editor->name_count, at);

    if (own == NULL || (clause_sets(editor->clause, at) && !fix_sign_is(file, at + 1, "["))) {
        return;
    }
    bool is_written = own->depth > 0 && at == editor->clause->first && editor->target > at;
    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *name = &editor->names[i];
        bool is_of_use = name->is_unused || own->depth > 0 || own->is_index == name->is_index ||
                         visible_name_is_size(name);
        if (clause_names_alike(file, own, name) && clause_may_hold(editor, name, at) && is_of_use &&
            !(is_written && name->is_const) && !is_doubled(editor, name, at)) {
            int cost = name_cost(editor, own, name);
            bool is_constant = name->is_global || name->is_macro;
            bool is_index = !visible_name_is_size(name) && !visible_name_is_size(own);
            if (is_index && is_only_guard(editor->clause, name)) {
                cost = COST_SURE;
            }
            clause_editor_replace(editor, at, at + 1,
                                  clause_text(editor, name->token, name->token + 1),
                                  is_constant && is_block_factor(file, at) && cost > 0 ? 0 : cost);
        }
    }
}

/* blockIdx.x and the like become an index that is made from threadIdx. */
static void edit_built_in(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;

    if (!fix_name_is(file, at, "threadIdx") && !fix_name_is(file, at, "blockIdx")) {
        return;
    }
    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *name = &editor->names[i];
        size_t made_until = source_statement_end(&file->tokens, name->token);
        if (name->is_of_thread && name->kind == TYPE_WHOLE && clause_may_hold(editor, name, at)) {
            clause_editor_replace(
                editor, at, at + 3, clause_text(editor, name->token, name->token + 1),
                fix_names(file, name->token, made_until, at) ? COST_LIKELY : COST_RARE);
        }
    }
}

/* A subscript that is more than a name becomes one of the indices that its clause uses. */
static void edit_subscript(struct clause_editor *editor, size_t open)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t end = token_close(&file->tokens, open);

    if (!fix_sign_is(file, open, "[") || end <= open + 3 || end > clause->end) {
        return;
    }
    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *name = &editor->names[i];
        if (name->is_index && !visible_name_is_size(name) && name->kind == TYPE_WHOLE &&
            name->depth == 0 && clause_may_hold(editor, name, open) &&
            fix_names(file, clause->first, clause->end, name->token)) {
            clause_editor_replace(editor, open + 1, end - 1,
                                  clause_text(editor, name->token, name->token + 1), COST_COMMON);
        }
    }
}

/* True if a number, perhaps times something, is an operand of a comparison, of min() or of ?:, or
 * says how much is allocated. */
static bool is_limit(const struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t first = at;
    size_t end = at + 1;

    while (end < clause->end && fix_sign_is(file, end, "*")) {
        end = fix_factor_end(file, end + 1);
    }
    while (first > clause->first && fix_sign_is(file, first - 1, "*")) {
        first = fix_factor_start(file, first - 1);
    }
    if (first < 2 || is_comparison(file, first - 1) || is_comparison(file, end) ||
        fix_sign_is(file, first - 1, "?") || fix_sign_is(file, first - 1, ":")) {
        return true;
    }
    for (size_t i = clause->first; i < at && i < clause->first + CALL_MAX; i++) {
        if (fix_name_is(file, i, "cudaMalloc")) {
            return true;
        }
    }
    bool is_argument = (fix_sign_is(file, first - 1, "(") || fix_sign_is(file, first - 1, ",")) &&
                       (fix_sign_is(file, end, ")") || fix_sign_is(file, end, ","));
    int depth = 0;
    for (size_t i = first - 1; is_argument && i > clause->first && first - i < CALL_MAX; i--) {
        depth += fix_sign_is(file, i, ")") ? 1 : fix_sign_is(file, i, "(") ? -1 : 0;
        if (depth < 0) {
            return fix_name_is(file, i - 1, "min") || fix_name_is(file, i - 1, "max");
        }
    }
    return false;
}

/* True if a clause holds a whole number once more: what stands beside it is seldom another one. */
static bool has_number(const struct clause *clause, long value)
{
    for (size_t i = clause->first; i < clause->end; i++) {
        const struct source_token *token = &clause->file->tokens.tokens[i];
        if (token->kind == TOKEN_NUMBER && token->length == 1 && token->text[0] == '0' + value) {
            return true;
        }
    }
    return false;
}

/* A number becomes another one. One that is a limit becomes 0 or 1 only: a higher one may just be
 * higher than all that is tried. */
static void renumber(struct clause_editor *editor, size_t at, long value, bool limit, int cost)
{
    bool is_beside = !limit && value > 0 && has_number(editor->clause, value);
    cost = is_beside && cost == COST_COMMON ? 0 : cost;
    if (!limit || value <= 1) {
        clause_editor_replace(editor, at, at + 1, arena_printf(editor->maker->arena, "%ld", value),
                              cost);
    }
}

/* A whole number: one more, one less, half, double, or a name. A floating one: a name. */
static void edit_number(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    char *end = NULL;

    if (file->tokens.tokens[at].kind != TOKEN_NUMBER) {
        return;
    }
    const char *text = clause_text(editor, at, at + 1);
    long value = strtol(text, &end, 0);
    bool is_whole = end != NULL && *end == '\0' && value >= 0 && value < 1 << 24;
    bool is_floating = strchr(text, '.') != NULL;
    if (is_whole) {
        const bool limit = is_limit(editor, at);
        renumber(editor, at, value + 1, limit, COST_COMMON);
        /* without `* 1` and `+ 0`: what drops an operand makes the same */
        bool is_factor = fix_sign_is(file, at + 1, "*") || fix_sign_is(file, at - 1, "*") ||
                         fix_sign_is(file, at - 1, "/");
        bool is_term = fix_sign_is(file, at - 1, "+") || fix_sign_is(file, at - 1, "-");
        if (value > 0 && !(value == 2 && is_factor) && !(value == 1 && is_term)) {
            renumber(editor, at, value - 1, limit, COST_COMMON);
        }
        if (value > 1) {
            renumber(editor, at, value * 2, limit, COST_LAST);
            renumber(editor, at, value / 2, limit, COST_LAST);
        }
    }
    for (size_t i = 0; i < editor->name_count && (is_whole || is_floating); i++) {
        const struct visible_name *name = &editor->names[i];
        if (name->kind == (is_whole ? TYPE_WHOLE : TYPE_FLOATING) && name->depth == 0 &&
            clause_may_hold(editor, name, at)) {
            clause_editor_replace(editor, at, at + 1,
                                  clause_text(editor, name->token, name->token + 1),
                                  name->is_unused              ? COST_SURE
                                  : is_floating                ? COST_RARE
                                  : visible_name_is_size(name) ? COST_RARE
                                                               : COST_LAST);
        }
    }
}

/* True if an expression may end before a token. */
static bool ends_expression(const struct program_file *file, size_t at)
{
    return fix_sign_is(file, at, ",") || fix_sign_is(file, at, ")") || fix_sign_is(file, at, ";") ||
           fix_sign_is(file, at, "]");
}

/* What follows another argument, "+ first", after one that lacks it. */
static void append_as_sibling(struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t end = at + 1;

    for (size_t i = clause->first + 2; i + 1 < clause->end; i++) {
        size_t stop = is_binary(file, i) && !is_logical(file, i) ? operand_end(editor, i) : i;
        bool is_argument = fix_sign_is(file, i - 2, ",") || fix_sign_is(file, i - 2, "(");
        if (stop > i && ends_expression(file, stop) && stop != end && is_argument) {
            clause_editor_replace(
                editor, end, end,
                arena_printf(editor->maker->arena, " %s", clause_text(editor, i, stop)),
                COST_COMMON);
        }
    }
}

/* More after the operand that ends with a token: an unused variable, an index that is one off. */
static void append_operand(struct clause_editor *editor, size_t at)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct arena *arena = editor->maker->arena;
    size_t end = at + 1; /* after the operand */
    const struct visible_name *own = clause_names_find(file, editor->names, editor->name_count, at);
    bool is_operand = file->tokens.tokens[at].kind != TOKEN_SIGN || fix_sign_is(file, at, ")") ||
                      fix_sign_is(file, at, "]");

    if (!ends_expression(file, end) || !is_operand) {
        return;
    }
    for (size_t i = 0; i < editor->name_count && !fix_sign_is(file, end, "]"); i++) {
        const struct visible_name *name = &editor->names[i];
        if (name->is_unused && name->depth == 0 && !name->is_global &&
            clause_may_hold(editor, name, at)) {
            const char *text = clause_text(editor, name->token, name->token + 1);
            clause_editor_replace(editor, end, end, arena_printf(arena, " + %s", text), COST_SURE);
            clause_editor_replace(editor, end, end, arena_printf(arena, " * %s", text),
                                  COST_LIKELY);
        }
    }
    if (fix_sign_is(file, end, "]")) {
        clause_editor_replace(editor, end, end, " + 1", COST_RARE);
        clause_editor_replace(editor, end, end, " - 1", COST_RARE);
    } else if (own != NULL && own->kind == TYPE_FLOATING && own->depth == 0) {
        clause_editor_replace(editor, end, end,
                              arena_printf(arena, " * %s", clause_text(editor, at, end)),
                              COST_RARE);
    }
    if (own != NULL && (fix_sign_is(file, at - 1, ",") || fix_sign_is(file, at - 1, "("))) {
        append_as_sibling(editor, at);
    }
}

void clause_edit_token(struct clause_editor *editor, size_t at)
{
    exchange_pairs(editor, at);
    if (editor->maker->request->diagnostic->verdict_count == 0) {
        return; /* nothing says which value is right */
    }
    append_operand(editor, at);
    edit_operation(editor, at);
    edit_choice(editor, at);
    edit_member(editor, at);
    edit_name(editor, at);
    edit_built_in(editor, at);
    edit_subscript(editor, at);
    if (editor->maker->request->diagnostic->code != CODE_STATE_KEPT) {
        edit_number(editor, at); /* what is kept may count: the change would only come later */
    }
}
