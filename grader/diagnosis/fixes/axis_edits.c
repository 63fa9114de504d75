/* axis_edits.c: changes of names that speak of the other axis: width for height, x1 for y1. */
#include "diagnosis/fixes/clause_editor.h"

#include <stdio.h>
#include <string.h>

enum { AXES = 4, PLACES_MAX = 24, NAME_BYTES_MAX = 32, ARGUMENTS_MAX = 4 };

/* How names say which axis they are of. */
static const char *const words[][AXES] = {
    {"width", "height"},  {"Width", "Height"}, {"WIDTH", "HEIGHT"}, {"columns", "rows"},
    {"COLUMNS", "ROWS"},  {"cols", "rows"},    {"COLS", "ROWS"},    {"column", "row"},
    {"Column", "Row"},    {"col", "row"},      {"Col", "Row"},      {"COL", "ROW"},
    {"x", "y", "z", "w"}, {"X", "Y", "Z", "W"}};

/* A token of a clause that is of an axis. */
struct axis_place {
    size_t token;
    int axis;
};

static bool is_member(const struct program_file *file, size_t at)
{
    return at >= 2 && (fix_sign_is(file, at - 1, ".") || fix_sign_is(file, at - 1, "->"));
}

/* The visible name with a text; NULL: there is none. */
static const struct visible_name *name_of_text(const struct clause_editor *editor, const char *text)
{
    for (size_t i = 0; i < editor->name_count; i++) {
        if (fix_name_is(editor->clause->file, editor->names[i].token, text)) {
            return &editor->names[i];
        }
    }
    return NULL;
}

/* The text of a name with a word at `at` in it replaced; NULL if that is no other name. */
static const char *with_word(const struct clause_editor *editor, const char *text, size_t at,
                             const char *from, const char *to)
{
    char changed[NAME_BYTES_MAX + NAME_BYTES_MAX];

    snprintf(changed, sizeof changed, "%.*s%s%s", (int)at, text, to, text + at + strlen(from));
    const struct visible_name *name = name_of_text(editor, changed);
    return name == NULL ? NULL : clause_text(editor, name->token, name->token + 1);
}

/* The axis of a name by a word in it and a name that has the word of axis `wanted` there, or, if
 * that is < 0, of any other axis: *out_text. -1: it is of none. */
static int axis_of_name(const struct clause_editor *editor, size_t token, int wanted,
                        const char **out_text)
{
    const char *text = clause_text(editor, token, token + 1);

    for (size_t i = 0; i < sizeof words / sizeof words[0] && strlen(text) <= NAME_BYTES_MAX; i++) {
        for (int axis = 0; axis < AXES && words[i][axis] != NULL; axis++) {
            const char *at = strstr(text, words[i][axis]);
            for (int other = 0; at != NULL && other < AXES; other++) {
                if (other == axis || words[i][other] == NULL || (wanted >= 0 && other != wanted)) {
                    continue;
                }
                *out_text =
                    with_word(editor, text, (size_t)(at - text), words[i][axis], words[i][other]);
                if (*out_text != NULL) {
                    return axis;
                }
            }
        }
    }
    return -1;
}

/* The same for a token of any kind: members have all axes. */
static int axis_of(const struct clause_editor *editor, size_t token, int wanted,
                   const char **out_text)
{
    const struct program_file *file = editor->clause->file;
    const size_t letters = sizeof words / sizeof words[0] - 2;

    if (!fix_is_name(file, token)) {
        return -1;
    }
    if (!is_member(file, token)) {
        return axis_of_name(editor, token, wanted, out_text);
    }
    for (int axis = 0; axis < AXES; axis++) {
        if (fix_name_is(file, token, words[letters][axis])) {
            *out_text = words[letters][wanted >= 0 ? wanted : axis == 0 ? 1 : 0];
            return axis;
        }
    }
    return -1;
}

bool clause_edit_has_axis(const struct clause_editor *editor, size_t token)
{
    const char *text = NULL;

    return axis_of(editor, token, -1, &text) >= 0;
}

/* True if a name is the size of a row in `y * width`, which is right with the other axis. */
static bool is_row_size(const struct program_file *file, size_t at)
{
    return at >= 2 && fix_sign_is(file, at - 1, "*") && !is_member(file, at) &&
           fix_is_name(file, at - 2) && !is_member(file, at - 2);
}

static bool separates(const struct program_file *file, size_t at)
{
    static const char *const signs[] = {",", ";", "&&", "||", "?", ":", "[", "]", "{", "}"};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (fix_sign_is(file, at, signs[i])) {
            return true;
        }
    }
    return false;
}

/* Makes the places [count], which stand together, names of another axis. */
static void move_to_axis(struct clause_editor *editor, const struct axis_place *places,
                         size_t count, int axis, int cost)
{
    struct fix_draft draft = {.maker = editor->maker};

    for (size_t i = 0; i < count; i++) {
        const char *text = NULL;
        if (axis_of(editor, places[i].token, axis, &text) >= 0 && text != NULL) {
            fix_replace(&draft, editor->clause->file, places[i].token, places[i].token + 1, text);
        }
    }
    clause_editor_keep(editor, &draft, cost);
}

/* True if a member is one of blockIdx and the like. */
static bool is_built_in(const struct program_file *file, size_t at)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

    for (size_t i = 0; i < sizeof names / sizeof names[0] && at >= 2; i++) {
        if (fix_sign_is(file, at - 1, ".") && fix_name_is(file, at - 2, names[i])) {
            return true;
        }
    }
    return false;
}

/* Each run of names of one axis where the others, or what is set, are of another one. */
static void edit_part(struct clause_editor *editor, const struct axis_place *places, size_t count,
                      int own)
{
    bool is_certain = own >= 0; /* which axis is meant */
    bool is_of_block = false;
    for (size_t i = 0; i < count; i++) {
        is_of_block = is_of_block || is_built_in(editor->clause->file, places[i].token);
    }
    for (size_t i = 0; i < count && (is_certain || is_of_block || count == 2);) {
        size_t end = i + 1;
        while (end < count && places[end].axis == places[i].axis) {
            end++;
        }
        own = own < 0 ? places[i].axis : own;
        if (places[i].axis != own) {
            move_to_axis(editor, places + i, end - i, own,
                         is_of_block                 ? 2 * COST_SURE
                         : is_certain && end > i + 1 ? COST_SURE
                                                     : COST_COMMON);
        }
        i = end;
    }
}

static void edit_mixed_axes(struct clause_editor *editor)
{
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;
    struct axis_place places[PLACES_MAX];
    size_t count = 0;
    int set_axis = -1;
    bool is_of_rows = false;

    for (size_t i = clause->first; i < clause->end; i++) {
        const char *text = NULL;
        if (separates(file, i) || i + 1 == clause->end) {
            edit_part(editor, places, is_of_rows ? 0 : count, set_axis);
            count = 0;
            is_of_rows = false;
            set_axis = fix_sign_is(file, i, ";") ? -1 : set_axis;
            continue;
        }
        int axis = axis_of(editor, i, -1, &text);
        if (axis >= 0 && clause_sets(clause, i)) {
            set_axis = axis;
        } else if (axis >= 0 && count < PLACES_MAX) {
            is_of_rows = is_of_rows || is_row_size(file, i);
            places[count++] = (struct axis_place){i, axis};
        }
    }
}

/* The only axis of a range; -1: it has none, or several. */
static int axis_of_range(const struct clause_editor *editor, struct token_range range)
{
    int found = -1;

    for (size_t i = range.first; i < range.end; i++) {
        const char *text = NULL;
        int axis = axis_of(editor, i, -1, &text);
        if (axis >= 0 && found >= 0 && axis != found) {
            return -1;
        }
        found = axis >= 0 ? axis : found;
    }
    return found;
}

/* An argument becomes like another one, but for its axis: f(a.x + x, a.y + y, z). */
static void follow_argument(struct clause_editor *editor, struct token_range own,
                            struct token_range other)
{
    const struct program_file *file = editor->clause->file;
    int axis = axis_of_range(editor, own);
    int other_axis = axis_of_range(editor, other);
    struct fix_draft draft = {.maker = editor->maker};
    const char *made = "";

    if (axis < 0 || other_axis < 0 || axis == other_axis) {
        return;
    }
    for (size_t i = other.first; i < other.end; i++) {
        const char *text = NULL;
        const struct source_token *token = &file->tokens.tokens[i];
        if (axis_of(editor, i, axis, &text) < 0 || text == NULL) {
            text = clause_text(editor, i, i + 1);
        }
        bool has_gap = i > other.first && token[-1].text + token[-1].length < token->text;
        made = arena_printf(editor->maker->arena, "%s%s%s", made, has_gap ? " " : "", text);
    }
    if (strcmp(made, clause_text(editor, own.first, own.end)) != 0) {
        fix_replace(&draft, file, own.first, own.end, made);
        clause_editor_keep(editor, &draft, COST_SURE);
    }
}

static void follow_arguments(struct clause_editor *editor)
{
    enum { ARGUMENT_TOKENS_MAX = 32 };
    const struct clause *clause = editor->clause;
    const struct program_file *file = clause->file;

    for (size_t i = clause->first + 1; i < clause->end; i++) {
        struct token_range arguments[ARGUMENTS_MAX + 1];
        bool is_call = fix_sign_is(file, i, "(") && fix_is_name(file, i - 1);
        size_t end = is_call || fix_sign_is(file, i, "{") ? token_close(&file->tokens, i) : i;
        if (end <= i + 1 || end > clause->end) {
            continue;
        }
        size_t count =
            fix_split(file, (struct token_range){i + 1, end - 1}, arguments, ARGUMENTS_MAX + 1);
        for (size_t j = 0; j < count && count <= ARGUMENTS_MAX; j++) {
            size_t other = j == 0 ? 1 : j - 1;
            if (other < count &&
                arguments[other].end - arguments[other].first <= ARGUMENT_TOKENS_MAX) {
                follow_argument(editor, arguments[j], arguments[other]);
            }
        }
    }
}

void clause_edit_axes(struct clause_editor *editor)
{
    edit_mixed_axes(editor);
    follow_arguments(editor);
}
