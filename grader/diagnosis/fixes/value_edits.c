/* value_edits.c: the types and the limits that a value goes through, where a loop that halves or
 * doubles begins, and a thread's place in its block where that in the grid stands. */
#include "diagnosis/fixes/clause_editor.h"

#include <string.h>

static bool is_number_type(const struct program_file *file, size_t at)
{
    static const char *const types[] = {"char", "short", "int", "unsigned", "float", "double"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (fix_name_is(file, at, types[i])) {
            return true;
        }
    }
    return false;
}

/* Gives the parameters of a function, all of one type that is not what it returns, that type. */
static void return_to_parameters(struct clause_editor *editor, const struct program_file *file,
                                 const struct source_function *function)
{
    const struct token_range all = fix_parameters(file, function);
    const size_t returned = function->name - 1;
    struct token_range parameters[FIX_ARGUMENTS_MAX];
    struct fix_draft draft = {.maker = editor->maker};
    size_t count = fix_split(file, all, parameters, FIX_ARGUMENTS_MAX);

    if (function->name <= function->start || !is_number_type(file, returned) ||
        all.end <= all.first) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t type = parameters[i].first;
        if (parameters[i].end != type + 2 || !is_number_type(file, type) ||
            !fix_same_token(file, type, parameters[0].first) ||
            fix_same_token(file, type, returned)) {
            return;
        }
        fix_replace(&draft, file, type, type + 1,
                    fix_text(editor->maker, file, returned, returned + 1));
    }
    clause_editor_keep(editor, &draft, COST_LIKELY);
}

/* The types of the parameters of device functions that are called. */
static void edit_parameter_types(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;

    if (!fix_is_name(file, at) || !fix_sign_is(file, at + 1, "(")) {
        return;
    }
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct source_function *function = &file->functions.items[i];
        if (function->is_device && fix_same_token(file, function->name, at)) {
            return_to_parameters(editor, file, function);
        }
    }
}

/* The least or the largest value of a type that stands where another one belongs: -INT_MAX. */
static void edit_limit(struct clause_editor *editor, size_t at)
{
    static const struct {
        const char *is, *becomes;
        bool is_negated;
    } limits[] = {
        {"INT_MAX", "INT_MIN", true},  {"LONG_MAX", "LONG_MIN", true},
        {"INT_MAX", "INT_MIN", false}, {"INT_MIN", "INT_MAX", false},
        {"FLT_MIN", "-FLT_MAX", true}, {"FLT_MIN", "-FLT_MAX", false},
        {"DBL_MIN", "-DBL_MAX", true}, {"DBL_MIN", "-DBL_MAX", false},
        {"FLT_MAX", "FLT_MAX", true},
    };
    const struct program_file *file = editor->clause->file;
    const bool is_negated = at > 1 && fix_sign_is(file, at - 1, "-") &&
                            !fix_is_name(file, at - 2) && !fix_sign_is(file, at - 2, ")");
    const bool is_returned =
        at > 1 && fix_sign_is(file, at - 1, "-") && fix_name_is(file, at - 2, "return");

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (fix_name_is(file, at, limits[i].is) &&
            limits[i].is_negated == (is_negated || is_returned)) {
            clause_editor_replace(editor, limits[i].is_negated ? at - 1 : at, at + 1,
                                  limits[i].becomes, COST_SURE);
        }
    }
}

/* for (d = N; d > 0; d /= 2) begins at N / 2, or one that begins there, at N. */
static void edit_halving(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct arena *arena = editor->maker->arena;
    size_t equals = clause->first, stop = clause->first;
    bool is_halved = false;

    if (!fix_name_is(file, clause->first, "for")) {
        return;
    }
    while (stop < clause->end && !fix_sign_is(file, stop, ";")) {
        equals = fix_sign_is(file, stop, "=") ? stop : equals;
        stop++;
    }
    for (size_t i = stop; i + 1 < clause->end; i++) {
        is_halved =
            is_halved ||
            (fix_sign_is(file, i, "/=") && token_is(&file->tokens, i + 1, TOKEN_NUMBER, "2")) ||
            (fix_sign_is(file, i, ">>=") && token_is(&file->tokens, i + 1, TOKEN_NUMBER, "1"));
    }
    if (!is_halved || equals == clause->first || stop < equals + 2) {
        return;
    }
    if (stop == equals + 2 && fix_is_name(file, stop - 1)) {
        clause_editor_replace(editor, equals + 1, stop,
                              arena_printf(arena, "%s / 2", clause_text(editor, equals + 1, stop)),
                              COST_SURE);
    } else if (token_is(&file->tokens, stop - 1, TOKEN_NUMBER, "2") &&
               fix_sign_is(file, stop - 2, "/")) {
        clause_editor_replace(editor, stop - 2, stop, "", COST_RARE);
    }
}

/* threadIdx.x for an index in the grid that is made of it. */
static void edit_global_index(struct clause_editor *editor, size_t at)
{
    const struct program_file *file = editor->clause->file;
    const struct visible_name *name =
        clause_names_find(file, editor->names, editor->name_count, at);
    size_t found = 0, thread = 0;
    bool has_block = false;

    if (name == NULL || !name->is_of_thread || name->kind != TYPE_WHOLE || name->depth > 0 ||
        clause_sets(editor->clause, at)) {
        return;
    }
    const size_t end = source_statement_end(&file->tokens, name->token);
    for (size_t i = name->token; i + 2 < end; i++) {
        has_block = has_block || fix_name_is(file, i, "blockIdx");
        if (fix_name_is(file, i, "threadIdx")) {
            thread = i;
            found++;
        }
    }
    if (found == 1 && has_block) {
        const bool is_added = fix_sign_is(file, at - 1, "+") || fix_sign_is(file, at + 1, "+");
        clause_editor_replace(editor, at, at + 1, clause_text(editor, thread, thread + 3),
                              is_added ? COST_SURE : COST_COMMON); /* first + i */
    }
}

void clause_edit_values(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;

    edit_halving(editor);
    for (size_t i = clause->first; i < clause->end; i++) {
        editor->token = i;
        edit_parameter_types(editor, i);
        edit_limit(editor, i);
        edit_global_index(editor, i);
    }
    editor->token = clause->first;
}
