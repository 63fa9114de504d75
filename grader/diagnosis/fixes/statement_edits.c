/* statement_edits.c: changes of a statement, or of a condition, as a whole. */
#include "diagnosis/fixes/clause_editor.h"

#include <string.h>

/* Every .x for .y in a clause that makes indices, and the other way round. */
static void exchange_axes(struct clause_editor *editor)
{
    const struct program_file *file = editor->clause->file;
    struct fix_draft draft = {.maker = editor->maker};
    size_t changed = 0;

    for (size_t i = editor->clause->first + 2; i < editor->clause->end; i++) {
        bool is_x = fix_name_is(file, i, "x");
        if (fix_sign_is(file, i - 1, ".") && (is_x || fix_name_is(file, i, "y")) &&
            strstr("threadIdx blockIdx blockDim gridDim", clause_text(editor, i - 2, i - 1)) !=
                NULL) {
            fix_replace(&draft, file, i, i + 1, is_x ? "y" : "x");
            changed++;
        }
    }
    if (changed > 1) {
        clause_editor_keep(editor, &draft, COST_LIKELY);
    }
}

/* A condition on one index gets one on another, which is in no condition yet. */
static void extend_condition(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct arena *arena = editor->maker->arena;
    size_t close = clause->end - 1;

    if (!fix_name_is(file, clause->first, "if") || !fix_sign_is(file, close, ")") ||
        close == clause->first + 3) { /* a flag: what sets it is looked at */
        return;
    }
    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *index = &editor->names[i];
        for (size_t j = 0; j < editor->name_count && index->is_of_thread; j++) {
            const struct visible_name *size = &editor->names[j];
            if (!size->is_parameter || size->kind != TYPE_WHOLE || size->depth > 0 ||
                fix_names(file, clause->first, close, index->token) ||
                !clause_may_hold(editor, index, close)) {
                continue;
            }
            bool leaves = fix_name_is(file, clause->end, "return") ||
                          fix_name_is(file, clause->end + 1, "return");
            clause_editor_replace(editor, close, close,
                                  arena_printf(arena, leaves ? " || %s >= %s" : " && %s < %s",
                                               clause_text(editor, index->token, index->token + 1),
                                               clause_text(editor, size->token, size->token + 1)),
                                  COST_LIKELY);
        }
    }
}

/* Guards a statement by a subscript of an array that the kernel gets. */
static void guard_subscript(struct clause_editor *editor, size_t open, size_t equals)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct arena *arena = editor->maker->arena;
    size_t last = clause->end - 1;
    const char *index = clause_text(editor, open + 1, token_close(&file->tokens, open) - 1);

    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *size = &editor->names[i];
        if (!size->is_parameter || size->kind != TYPE_WHOLE || size->depth > 0) {
            continue;
        }
        const char *bound = clause_text(editor, size->token, size->token + 1);
        if (open > equals && equals > clause->first) {
            clause_editor_replace(editor, equals + 1, last,
                                  arena_printf(arena, "%s < %s ? %s : 0", index, bound,
                                               clause_text(editor, equals + 1, last)),
                                  COST_LIKELY);
        }
        clause_editor_replace(editor, clause->first, clause->first,
                              arena_printf(arena, "if (%s < %s) ", index, bound), COST_LIKELY);
    }
}

/* True if conditions around a subscript look at all variables in it: one of them is to be changed,
 * and not another one added. */
static bool is_guarded(const struct clause_editor *editor, size_t open)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    const size_t end = token_close(&file->tokens, open);
    bool is_any = false;

    for (size_t i = open + 1;
         i < end && file == editor->maker->file && clause->function == editor->maker->function;
         i++) {
        const struct visible_name *name =
            clause_names_find(file, editor->names, editor->name_count, i);
        if (name == NULL || name->is_parameter || name->kind != TYPE_WHOLE || name->depth > 0) {
            continue;
        }
        if (!fix_is_guarded(editor->maker, open, i)) {
            return false;
        }
        is_any = true;
    }
    return is_any;
}

/* A statement that uses an element past the end: only for those before it. A value that is read is
 * 0 there, so that threads go on to the barrier. */
enum { SUBSCRIPTS_MAX = 16 };

static void guard_statement(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t equals = clause->first;

    if (!clause_is_statement(clause) || clause->distance > 0 ||
        editor->maker->request->diagnostic->code != CODE_GLOBAL_OUT_OF_BOUNDS) {
        return;
    }
    for (size_t i = clause->first; i < clause->end; i++) {
        equals = equals == clause->first && fix_sign_is(file, i, "=") ? i : equals;
    }
    size_t left = SUBSCRIPTS_MAX;
    for (size_t i = clause->first; i < clause->end && left > 0; i++) {
        const struct visible_name *array =
            clause_names_find(file, editor->names, editor->name_count, i);
        if (array == NULL || !array->is_parameter || array->depth == 0 ||
            !fix_sign_is(file, i + 1, "[")) {
            continue;
        }
        left--;
        if (!is_guarded(editor, i + 1)) {
            guard_subscript(editor, i + 1, equals);
        }
    }
}

/* X += V; or X = V; of an array becomes atomicAdd(&X, V); */
static void make_sum_atomic(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t last = clause->end - 1;
    size_t sign = clause->first + 1;

    if (!clause_is_statement(clause) || clause->function->name == 0 ||
        !(clause->function->is_kernel || clause->function->is_device)) {
        return;
    }
    bool is_star = fix_sign_is(file, clause->first, "*");
    sign += is_star ? 1 : 0;
    if (fix_sign_is(file, sign, "[")) {
        sign = token_close(&file->tokens, sign);
    } else if (!is_star) {
        return;
    }
    bool is_race = code_cause(editor->maker->request->diagnostic->code) == CAUSE_RACE;
    if (fix_sign_is(file, sign, "+=") || (is_race && fix_sign_is(file, sign, "="))) {
        const char *target = clause_text(editor, clause->first + (is_star ? 1 : 0), sign);
        clause_editor_replace(editor, clause->first, last,
                              arena_printf(editor->maker->arena, "atomicAdd(%s%s, %s)",
                                           is_star ? "" : "&", target,
                                           clause_text(editor, sign + 1, last)),
                              COST_COMMON);
    }
}

/* float tile[256]; of a kernel becomes __shared__ float tile[256]; */
static void share_array(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    if (clause_is_statement(clause) && clause->function->is_kernel && clause->set_count == 1 &&
        clause->sets[0] > clause->first && fix_is_name(file, clause->sets[0] - 1) &&
        fix_sign_is(file, clause->sets[0] + 1, "[") &&
        !fix_name_is(file, clause->first, "__shared__") &&
        !fix_name_is(file, clause->first, "extern")) {
        clause_editor_replace(editor, clause->first, clause->first, "__shared__ ", COST_COMMON);
    }
}

static bool is_narrow_type(const struct program_file *file, size_t type)
{
    return fix_name_is(file, type, "char") || fix_name_is(file, type, "short") ||
           fix_name_is(file, type, "bool");
}

/* The type of a declaration: that of what a parameter points to. */
static void edit_type(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    for (size_t i = 0; i < editor->name_count; i++) {
        const struct visible_name *own = &editor->names[i];
        if (own->token < clause->first || own->token >= clause->end || own->type < clause->first ||
            own->kind == TYPE_OTHER) {
            continue;
        }
        for (size_t j = 0; j < editor->name_count; j++) {
            const struct visible_name *name = &editor->names[j];
            bool is_other = name->is_parameter && name->kind != TYPE_OTHER &&
                            !is_narrow_type(file, name->type) && own->kind <= name->kind &&
                            !fix_same_token(file, name->type, own->type);
            if (is_other) {
                clause_editor_replace(editor, own->type, own->type + 1,
                                      clause_text(editor, name->type, name->type + 1),
                                      own->depth > 0 ? 0 : COST_RARE);
            }
        }
    }
}

/* Clears a sum at the beginning of each pass of a loop, where it is set only before the loop. */
static void reset_sum(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    const struct source_function *function = clause->function;

    if (!clause_is_statement(clause) || !fix_is_name(file, clause->first) ||
        !fix_sign_is(file, clause->first + 1, "+=")) {
        return;
    }
    const struct visible_name *sum =
        clause_names_find(file, editor->names, editor->name_count, clause->first);
    struct token_range loop = {0, 0};
    size_t from = function->open + 1;
    while (sum != NULL && sum->kind != TYPE_OTHER &&
           source_next_loop(&file->tokens, from, clause->first, &loop)) {
        size_t body = fix_name_is(file, loop.first, "do")
                          ? loop.first + 1
                          : token_close(&file->tokens, loop.first + 1);
        bool is_around = body <= clause->first && clause->end <= loop.end;
        if (is_around && fix_sign_is(file, body, "{") && sum->token < loop.first) {
            struct fix_draft draft = {.maker = editor->maker};
            fix_insert_line(&draft, file, body, body + 1,
                            arena_printf(editor->maker->arena, "%s = 0;",
                                         clause_text(editor, clause->first, clause->first + 1)));
            clause_editor_keep(editor, &draft, COST_RARE);
        }
        from = is_around ? body + 1 : loop.end;
    }
}

/* True if the function has the statement once more, further down. */
static bool is_repeated(const struct clause *clause)
{
    const struct program_file *file = clause->file;
    size_t length = clause->end - clause->first;

    for (size_t at = clause->end; at + length <= clause->function->close; at++) {
        size_t same = 0;
        while (same < length && fix_same_token(file, clause->first + same, at + same)) {
            same++;
        }
        if (same == length) {
            return true;
        }
    }
    return false;
}

/* A call that the function makes twice, and a cudaFree of what it was given, are removed. */
static void remove_call(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};

    bool is_call =
        fix_sign_is(file, clause->first + 1, "(") || fix_sign_is(file, clause->first + 1, "<<<");
    if (!clause_is_statement(clause) || !is_call || !fix_is_name(file, clause->first) ||
        clause->function->is_kernel || clause->function->is_device) {
        return;
    }
    const struct visible_name *name =
        clause_names_find(file, editor->names, editor->name_count, clause->first + 2);
    bool is_foreign_free =
        fix_name_is(file, clause->first, "cudaFree") && name != NULL && name->is_parameter;
    if (is_foreign_free || is_repeated(clause)) {
        fix_remove_line(&draft, file, clause->first, clause->end);
        clause_editor_keep(editor, &draft, COST_LIKELY);
    }
}

/* [a][b] becomes [b][a] wherever the function stores to such an element. */
static void exchange_stored_indices(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};
    size_t open = clause->first + 1;
    size_t second = fix_sign_is(file, open, "[") ? token_close(&file->tokens, open) : open;

    if (!fix_sign_is(file, second, "[") || editor->target <= second) {
        return;
    }
    size_t length = token_close(&file->tokens, second) - open;
    for (size_t at = clause->function->open; at + length < clause->function->close; at++) {
        size_t same = 0;
        while (same < length && fix_same_token(file, open + same, at + same)) {
            same++;
        }
        if (same == length && fix_sign_is(file, at + length, "=")) {
            fix_replace(&draft, file, at, at + length,
                        arena_printf(editor->maker->arena, "%s%s",
                                     clause_text(editor, second, open + length),
                                     clause_text(editor, open, second)));
        }
    }
    clause_editor_keep(editor, &draft, COST_LIKELY);
}

/* Where a token of `twin`, `i` tokens after its start, goes in the clause: to what stands there for
 * most tokens like it, or, if `follows_first`, only the first that differs goes elsewhere. */
static size_t mapped_token(const struct clause *clause, size_t twin, size_t i, bool follows_first)
{
    const struct program_file *file = clause->file;
    size_t length = clause->end - clause->first;
    size_t best = twin + i;
    size_t best_count = 0;

    for (size_t j = 0; j < length; j++) {
        size_t own = clause->first + j;
        size_t count = 0;
        if (!fix_same_token(file, twin + j, twin + i)) {
            if (follows_first && !fix_same_token(file, own, twin + j)) {
                return twin + i; /* another one was the first */
            }
            continue;
        }
        for (size_t k = 0; k < length; k++) {
            count += fix_same_token(file, twin + k, twin + i) &&
                             fix_same_token(file, clause->first + k, own)
                         ? 1
                         : 0;
        }
        if (follows_first && !fix_same_token(file, own, twin + j)) {
            return own;
        }
        bool is_more =
            count > best_count || (count == best_count && !fix_same_token(file, own, twin + i));
        best = is_more && !follows_first ? own : best;
        best_count = is_more ? count : best_count;
    }
    return best;
}

/* A name that is another one in a statement of the same shape beside it becomes that one. */
static void follow_twin_names(struct clause_editor *editor, size_t twin)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    for (size_t i = 0; i < clause->end - clause->first; i++) {
        size_t at = clause->first + i;
        const struct visible_name *name =
            clause_names_find(file, editor->names, editor->name_count, twin + i);
        if (!fix_same_token(file, twin + i, at) && !clause_sets(clause, at) && name != NULL &&
            visible_name_is_size(name) && !clause_edit_has_axis(editor, at) &&
            clause_names_find(file, editor->names, editor->name_count, at) != NULL) {
            clause_editor_replace(editor, at, at + 1, clause_text(editor, twin + i, twin + i + 1),
                                  -1);
        }
    }
}

/* Makes the clause like a statement of the same shape beside it: x = b.x - a.x; y = b.y - a.x; */
static void follow_twin(struct clause_editor *editor, size_t twin, bool follows_first)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct fix_draft draft = {.maker = editor->maker};

    bool is_copied = true; /* all is as in the twin: both would set the same */
    bool is_lost = false;
    for (size_t i = 0; i < clause->end - clause->first; i++) {
        size_t token = mapped_token(clause, twin, i, follows_first);
        bool is_same =
            fix_same_token(file, token, twin + i) || clause_sets(clause, clause->first + i);
        is_copied = is_copied && is_same;
        bool is_known_axis = follows_first && !fix_sign_is(file, clause->first + i - 1, ".") &&
                             clause_edit_has_axis(editor, clause->first + i);
        if (!fix_same_token(file, token, clause->first + i)) {
            is_lost = is_lost || is_known_axis; /* WIDTH with x is right */
            fix_replace(&draft, file, clause->first + i, clause->first + i + 1,
                        clause_text(editor, token, token + 1));
        }
    }
    if (!is_copied && !is_lost) {
        clause_editor_keep(editor, &draft, follows_first ? -1 : COST_SURE);
    }
}

static void follow_twins(struct clause_editor *editor)
{
    enum { TWIN_TOKENS_MIN = 6, TWIN_TOKENS_MAX = 48 };
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    size_t length = clause->end - clause->first;
    const size_t twins[] = {clause->first - length, clause->end};

    if (!clause_is_statement(clause) || length < TWIN_TOKENS_MIN || length > TWIN_TOKENS_MAX ||
        clause->first < clause->function->open + 1 + length) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        bool is_twin = twins[i] + length <= clause->function->close &&
                       source_statement_end(&file->tokens, twins[i]) == twins[i] + length;
        for (size_t j = 0; j < length && is_twin; j++) {
            const struct source_token *own = &file->tokens.tokens[clause->first + j];
            is_twin =
                own->kind == file->tokens.tokens[twins[i] + j].kind &&
                (own->kind != TOKEN_SIGN || fix_same_token(file, clause->first + j, twins[i] + j));
        }
        if (is_twin) {
            follow_twin(editor, twins[i], false);
            follow_twin(editor, twins[i], true);
            follow_twin_names(editor, twins[i]);
        }
    }
}

void clause_edit_whole(struct clause_editor *editor)
{
    follow_twins(editor);
    clause_edit_axes(editor);
    clause_edit_shapes(editor);
    clause_edit_values(editor);
    exchange_stored_indices(editor);
    exchange_axes(editor);
    extend_condition(editor);
    guard_statement(editor);
    make_sum_atomic(editor);
    share_array(editor);
    edit_type(editor);
    reset_sum(editor);
    remove_call(editor);
}
