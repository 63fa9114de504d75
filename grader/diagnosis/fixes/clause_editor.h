/* clause_editor.h: what makers of small changes share: the clause that they change, the names that
 * may stand in it, and the list of changes, each with its cost.
 *
 * What is further away from the diagnostic, and what people seldom get wrong, costs more. The
 * cheapest changes are tried first. */
#ifndef GPUGRADE_DIAGNOSIS_FIXES_CLAUSE_EDITOR_H
#define GPUGRADE_DIAGNOSIS_FIXES_CLAUSE_EDITOR_H

#include "diagnosis/fixes/clause_names.h"

/* What a change costs beside its distance. */
enum {
    COST_SURE = -2, /* a variable that is declared and used nowhere, in place of another one */
    COST_LIKELY = 1,
    COST_COMMON = 2,
    COST_RARE = 3,
    COST_LAST = 5
};

enum { CLAUSE_EDITS_MAX = 1024 };

struct clause_edit {
    struct line_fixes fixes;
    int cost;
    int later;     /* what it costs more because others of its place come before it */
    size_t number; /* in the order of making */
    size_t token;  /* where it is; that of its clause: it changes more than one operand */
    const struct clause *clause;
};

struct clause_editor {
    struct fix_maker *maker;
    struct clause_edit *edits; /* [count] */
    size_t count;
    const struct clause *clause;
    size_t token;  /* whose changes are made; the clause's first: those of all of it */
    size_t target; /* the token after what the clause sets, if that is an element of an array */
    int extra;     /* what all changes at this token cost more */
    struct visible_name names[VISIBLE_NAMES_MAX]; /* [name_count] of the clause's function */
    size_t name_count;
};

/* Keeps a change, unless it is lost or there are too many. */
void clause_editor_keep(struct clause_editor *editor, const struct fix_draft *draft, int cost);

/* Tokens [first, end) become a text. */
void clause_editor_replace(struct clause_editor *editor, size_t first, size_t end, const char *text,
                           int cost);

/* The text of the tokens [first, end) of the clause's file. */
const char *clause_text(const struct clause_editor *editor, size_t first, size_t end);

/* True if the clause is the whole of one simple statement. */
bool clause_is_statement(const struct clause *clause);

/* True if a name may stand for a token that is something else. */
bool clause_may_hold(const struct clause_editor *editor, const struct visible_name *name,
                     size_t at);

/* Changes of one token or one operand: those at token `at`. */
void clause_edit_token(struct clause_editor *editor, size_t at);

/* Changes of the clause as a whole. */
void clause_edit_whole(struct clause_editor *editor);

/* Changes of names to those of the other axis. */
void clause_edit_axes(struct clause_editor *editor);

/* True if a token is a name of one axis, and another axis has such a name too. */
bool clause_edit_has_axis(const struct clause_editor *editor, size_t token);

/* Changes of what a value goes through: types, limits, the start of a loop. */
void clause_edit_values(struct clause_editor *editor);

/* Changes of what has the shape of a mistake. */
void clause_edit_shapes(struct clause_editor *editor);

#endif
