/* small_edits.c: changes of one token, operand or statement, wherever the mistake may be. */
#include "diagnosis/fixes/clause_editor.h"

#include <stdlib.h>

/* True if the element of an array at `at` stands between `from` and there too: copied, and not
 * changed. */
static bool is_copied(const struct clause *clause, size_t from, size_t at)
{
    const struct program_file *file = clause->file;
    size_t end = fix_factor_end(file, at);
    size_t length = end - at;

    for (size_t i = from; i + length <= at && length > 1; i++) {
        size_t same = 0;
        while (same < length && fix_same_token(file, i + same, at + same)) {
            same++;
        }
        if (same == length) {
            return true;
        }
    }
    return false;
}

/* The token after `tile[i] =`. */
static size_t target_end(const struct clause *clause)
{
    const struct program_file *file = clause->file;
    size_t end = clause->first + 1;

    while (fix_sign_is(file, end, "[")) {
        end = token_close(&file->tokens, end);
    }
    return end > clause->first + 1 && fix_sign_is(file, end, "=") ? end + 1 : clause->first;
}

/* True if a clause has blockIdx.x * BLOCK + threadIdx.x, both of one axis: most are right. */
static bool is_usual_index(const struct clause *clause)
{
    const struct program_file *file = clause->file;
    size_t block = clause->end;
    size_t thread = clause->end;
    size_t size = clause->end;

    for (size_t i = clause->first; i < clause->end; i++) {
        block = fix_name_is(file, i, "blockIdx") ? i + 2 : block;
        thread = fix_name_is(file, i, "threadIdx") ? i + 2 : thread;
        size = fix_name_is(file, i, "blockDim") ? i + 2 : size;
    }
    return block < clause->end && thread < clause->end && fix_same_token(file, block, thread) &&
           (size >= clause->end || fix_same_token(file, block, size)) &&
           (fix_sign_is(file, block + 1, "*") || fix_sign_is(file, block - 3, "*"));
}

static void edit_clause(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;

    size_t copy_end = clause->first;
    enum code code = editor->maker->request->diagnostic->code;
    bool is_of_value = code == CODE_MISMATCH || code == CODE_NAMED_MISTAKE;

    bool is_usual = is_usual_index(clause);
    editor->target = target_end(clause);
    for (size_t i = clause->first; i < clause->end && editor->count < CLAUSE_EDITS_MAX; i++) {
        bool is_copy = fix_is_name(clause->file, i) && fix_sign_is(clause->file, i + 1, "[") &&
                       is_copied(clause, editor->target, i);
        copy_end = is_copy ? fix_factor_end(clause->file, i) : copy_end;
        /* where a value is stored is seldom wrong if all is written */
        editor->extra = i < copy_end                        ? -2
                        : i < editor->target && is_of_value ? 2
                        : is_usual                          ? 2
                                                            : 0;
        editor->token = i;
        clause_edit_token(editor, i);
    }
    editor->extra = 0;
    editor->token = clause->first;
    if (editor->maker->request->diagnostic->verdict_count > 0) {
        clause_edit_whole(editor);
    }
}

static int compare_edits(const void *left, const void *right)
{
    const struct clause_edit *one = left;
    const struct clause_edit *other = right;

    if (one->cost != other->cost) {
        return one->cost < other->cost ? -1 : 1;
    }
    return (one->number > other->number) - (one->number < other->number);
}

/* Where one token or one clause has many changes, the later ones cost more: the first of others are
 * likelier. The changes are sorted, and are sorted again. */
static void spread_edits(struct clause_editor *editor)
{
    enum { OF_TOKEN = 2, OF_CLAUSE = 6 };

    for (size_t i = 0; i < editor->count; i++) {
        struct clause_edit *edit = &editor->edits[i];
        size_t of_token = 0, of_clause = 0;
        for (size_t j = 0; j < i; j++) {
            const struct clause_edit *before = &editor->edits[j];
            bool is_same = before->clause == edit->clause;
            of_clause += is_same ? 1 : 0;
            of_token += is_same && before->token == edit->token ? 1 : 0;
        }
        edit->later = (int)(of_token / OF_TOKEN + of_clause / OF_CLAUSE);
    }
    for (size_t i = 0; i < editor->count; i++) {
        editor->edits[i].cost += editor->edits[i].later;
    }
    qsort(editor->edits, editor->count, sizeof *editor->edits, compare_edits);
}

void fix_small_edits(struct fix_maker *maker)
{
    struct clause *clauses = arena_array(maker->arena, CLAUSES_MAX, sizeof *clauses);
    struct clause_editor *editor = arena_alloc(maker->arena, sizeof *editor);
    size_t count = guilty_clauses_find(maker, clauses);
    const struct source_function *listed = NULL;

    *editor = (struct clause_editor){
        .maker = maker,
        .edits = arena_array(maker->arena, CLAUSE_EDITS_MAX, sizeof(struct clause_edit))};
    for (size_t i = 0; i < count && editor->count < CLAUSE_EDITS_MAX; i++) {
        editor->clause = &clauses[i];
        if (clauses[i].function != listed) {
            listed = clauses[i].function;
            editor->name_count = clause_names_list(clauses[i].file, listed, editor->names);
        }
        edit_clause(editor);
    }
    qsort(editor->edits, editor->count, sizeof *editor->edits, compare_edits);
    spread_edits(editor);
    for (size_t i = 0; i < editor->count; i++) {
        const struct fix_draft draft = {maker, editor->edits[i].fixes, false};
        fix_draft_offer(&draft);
    }
}
