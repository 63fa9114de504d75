/* guilty_clauses.c: see guilty_clauses.h. */
#include "diagnosis/fixes/guilty_clauses.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAR = 5,                  /* in another function, with nothing in between */
    NEAR = 4,                 /* in the function of the diagnostic */
    LAUNCH_STEPS = 2,         /* from a kernel to its launch */
    CLAUSE_TOKENS_MAX = 96,   /* of a clause, so many are read */
    FILE_TOKENS_MAX = 1 << 13 /* a longer file has no clauses */
};

bool fix_names(const struct program_file *file, size_t first, size_t end, size_t name)
{
    for (size_t i = first; i < end; i++) {
        if (fix_is_name(file, i) && fix_same_token(file, i, name)) {
            return true;
        }
    }
    return false;
}

/* The names that are followed by an assignment, perhaps after subscripts, that are declared with
 * (...), or whose address is taken. */
static void find_sets(struct clause *clause)
{
    static const char *const signs[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "<<=", ">>=", "++", "--"};
    const struct program_file *file = clause->file;

    for (size_t i = clause->first; i < clause->end && clause->set_count < CLAUSE_NAMES_MAX; i++) {
        size_t after = i + 1;
        if (!fix_is_name(file, i)) {
            continue;
        }
        while (fix_sign_is(file, after, "[")) {
            after = token_close(&file->tokens, after);
        }
        bool is_set = i > 0 && (fix_sign_is(file, i - 1, "&") || fix_sign_is(file, i - 1, "++") ||
                                fix_sign_is(file, i - 1, "--"));
        is_set = is_set || (i > clause->first && fix_is_name(file, i - 1) &&
                            (fix_sign_is(file, i + 1, "(") || fix_sign_is(file, i + 1, ";") ||
                             fix_sign_is(file, i + 1, "[")));
        for (size_t j = 0; j < sizeof signs / sizeof signs[0] && !is_set; j++) {
            is_set = fix_sign_is(file, after, signs[j]);
        }
        if (is_set) {
            clause->sets[clause->set_count++] = i;
        }
    }
}

static size_t add_function(const struct program_file *file, const struct source_function *function,
                           struct clause *clauses, size_t count)
{
    static const char *const heads[] = {"if", "for", "while", "switch"};
    size_t last = function->close - 1;

    for (size_t i = function->open + 1; i < last && count < CLAUSES_MAX;) {
        bool is_head = false;
        if (fix_sign_is(file, i, "{") || fix_sign_is(file, i, "}") || fix_sign_is(file, i, ";") ||
            fix_name_is(file, i, "else") || fix_name_is(file, i, "do")) {
            i++;
            continue;
        }
        for (size_t j = 0; j < sizeof heads / sizeof heads[0]; j++) {
            is_head = is_head || (fix_name_is(file, i, heads[j]) && fix_sign_is(file, i + 1, "("));
        }
        size_t end =
            is_head ? token_close(&file->tokens, i + 1) : source_statement_end(&file->tokens, i);
        end = end > last ? last : end;
        struct clause clause = {
            .file = file,
            .function = function,
            .first = i,
            .end = end - i > CLAUSE_TOKENS_MAX ? i + CLAUSE_TOKENS_MAX : end,
            .body_end = is_head ? fix_next_statement(file, i).end : end,
            .distance = FAR,
        };
        find_sets(&clause);
        clauses[count++] = clause;
        i = end > i ? end : i + 1;
    }
    return count;
}

/* All clauses, those of the diagnostic's function first. */
static size_t list_clauses(const struct fix_maker *maker, struct clause *clauses)
{
    size_t count = maker->function == NULL || maker->file->tokens.count > FILE_TOKENS_MAX
                       ? 0
                       : add_function(maker->file, maker->function, clauses, 0);

    for (size_t i = 0; i < maker->source->count; i++) {
        const struct program_file *file = &maker->source->files[i];
        bool is_read = file->functions.is_certain && file->tokens.count <= FILE_TOKENS_MAX;
        for (size_t j = 0; j < file->functions.count && is_read; j++) {
            if (&file->functions.items[j] != maker->function) {
                count = add_function(file, &file->functions.items[j], clauses, count);
            }
        }
    }
    return count;
}

/* Sets the distance of the clause at a place. */
static bool mark_place(struct clause *clauses, size_t count, const struct program_file *file,
                       size_t at, int distance)
{
    for (size_t i = 0; i < count; i++) {
        if (clauses[i].file == file && clauses[i].first <= at && at < clauses[i].end) {
            clauses[i].distance = distance < clauses[i].distance ? distance : clauses[i].distance;
            return true;
        }
    }
    return false;
}

/* The distances that need no other clause. */
static void mark_places(const struct fix_maker *maker, struct clause *clauses, size_t count)
{
    const struct report_diagnostic *diagnostic = maker->request->diagnostic;
    bool is_known = maker->file != NULL && fix_file(maker, diagnostic->file) == maker->file;

    for (size_t i = 0; i < count; i++) {
        clauses[i].distance = clauses[i].function == maker->function ? NEAR : FAR;
    }
    if (is_known) {
        is_known = mark_place(clauses, count, maker->file, maker->at, 0);
    }
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        const struct program_file *file = fix_file(maker, mark->file);
        size_t at = file == NULL ? 0 : fix_token_at(file, mark->line, mark->column);
        if (file != NULL && at < file->tokens.count) {
            mark_place(clauses, count, file, at, 1);
        }
    }
    for (size_t i = 0; i < count && !is_known; i++) {
        clauses[i].distance = clauses[i].distance > 2 ? 2 : clauses[i].distance;
    }
}

/* True if one of the names that `setter` sets is used in `user`. */
static bool sets_for(const struct clause *setter, const struct clause *user)
{
    for (size_t i = 0; i < setter->set_count; i++) {
        if (fix_names(user->file, user->first, user->end, setter->sets[i])) {
            return true;
        }
    }
    return false;
}

/* True if a clause names the function of another one, which may be in another file. */
static bool calls(const struct clause *clause, const struct clause *other)
{
    const struct source_token *name = &other->file->tokens.tokens[other->function->name];

    for (size_t i = clause->first; i < clause->end; i++) {
        const struct source_token *token = &clause->file->tokens.tokens[i];
        if (token->kind == TOKEN_NAME && token->length == name->length &&
            memcmp(token->text, name->text, name->length) == 0) {
            return true;
        }
    }
    return false;
}

/* Steps from one clause to another; FAR if there is no way. */
static int steps(const struct clause *from, const struct clause *to)
{
    if (from->function == to->function) {
        bool decides = to->first < from->first && from->first < to->body_end;
        return decides || sets_for(to, from) ? 1 : FAR;
    }
    if (to->function->is_kernel != from->function->is_kernel &&
        !(to->function->is_kernel ? from : to)->function->is_device) {
        const struct clause *host = to->function->is_kernel ? from : to;
        return calls(host, host == from ? to : from) ? LAUNCH_STEPS : FAR;
    }
    return calls(from, to) ? 1 : FAR;
}

static int compare_distances(const void *left, const void *right)
{
    const struct clause *one = left;
    const struct clause *other = right;

    if (one->distance != other->distance) {
        return one->distance < other->distance ? -1 : 1;
    }
    if (one->file != other->file) {
        return one->file < other->file ? -1 : 1;
    }
    return (one->first > other->first) - (one->first < other->first);
}

size_t guilty_clauses_find(const struct fix_maker *maker, struct clause out_clauses[CLAUSES_MAX])
{
    size_t count = list_clauses(maker, out_clauses);

    mark_places(maker, out_clauses, count);
    for (int distance = 0; distance < NEAR; distance++) { /* all nearer ones are final */
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count && out_clauses[i].distance == distance; j++) {
                if (out_clauses[j].distance <= distance + 1) {
                    continue;
                }
                int found = distance + steps(&out_clauses[i], &out_clauses[j]);
                out_clauses[j].distance =
                    found < out_clauses[j].distance ? found : out_clauses[j].distance;
            }
        }
    }
    qsort(out_clauses, count, sizeof *out_clauses, compare_distances);
    return count;
}

bool clause_sets(const struct clause *clause, size_t at)
{
    for (size_t i = 0; i < clause->set_count; i++) {
        if (clause->sets[i] == at) {
            return true;
        }
    }
    return false;
}

bool fix_is_guarded(const struct fix_maker *maker, size_t at, size_t variable)
{
    const struct program_file *file = maker->file;

    for (size_t i = maker->function->open; i < at; i++) {
        size_t after = fix_name_is(file, i, "if") ? token_close(&file->tokens, i + 1) : at + 1;
        if (after <= at && fix_names(file, i + 1, after, variable) &&
            source_statement_end(&file->tokens, after) > at) {
            return true;
        }
    }
    return false;
}
