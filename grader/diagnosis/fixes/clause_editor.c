/* clause_editor.c: see clause_editor.h. */
#include "diagnosis/fixes/clause_editor.h"

void clause_editor_keep(struct clause_editor *editor, const struct fix_draft *draft, int cost)
{
    if (!draft->is_lost && draft->fixes.count > 0 && editor->count < CLAUSE_EDITS_MAX) {
        editor->edits[editor->count] =
            (struct clause_edit){draft->fixes,
                                 cost + editor->clause->distance + editor->extra,
                                 0,
                                 editor->count,
                                 editor->token,
                                 editor->clause};
        editor->count++;
    }
}

void clause_editor_replace(struct clause_editor *editor, size_t first, size_t end, const char *text,
                           int cost)
{
    struct fix_draft draft = {.maker = editor->maker};

    fix_replace(&draft, editor->clause->file, first, end, text);
    clause_editor_keep(editor, &draft, cost);
}

const char *clause_text(const struct clause_editor *editor, size_t first, size_t end)
{
    return fix_text(editor->maker, editor->clause->file, first, end);
}

bool clause_is_statement(const struct clause *clause)
{
    return clause->end == clause->body_end && fix_sign_is(clause->file, clause->end - 1, ";");
}

bool clause_may_hold(const struct clause_editor *editor, const struct visible_name *name, size_t at)
{
    const struct clause *clause = editor->clause;
    bool is_made_here = name->token >= clause->first && name->token < at &&
                        source_statement_end(&clause->file->tokens, name->token) > at;

    return !is_made_here && clause_name_reaches(clause->file, clause->function, name, at) &&
           !fix_same_token(clause->file, name->token, at);
}
