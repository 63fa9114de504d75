/* access_column.c: see access_column.h. */
#include "diagnosis/location/access_column.h"

#include "source/source_functions.h"

#include <string.h>

/* A source that is looked at, and the function that the access stands in. */
struct scene {
    const struct source_tokens *tokens;
    const struct source_function *function;
};

/* Token `index` if it is a name with an index behind it; then *out_end is behind its indices. */
static bool is_indexed(const struct source_tokens *tokens, size_t index, size_t *out_end)
{
    size_t end = index + 1;

    while (token_is(tokens, end, TOKEN_SIGN, "[")) {
        end = token_close(tokens, end);
    }
    *out_end = end;
    return tokens->tokens[index].kind == TOKEN_NAME && end > index + 1;
}

static bool is_name(const struct source_token *token, struct source_name name)
{
    return token->kind == TOKEN_NAME && token->length == name.length &&
           memcmp(token->text, name.text, name.length) == 0;
}

static bool scene_init(const struct program_file *file, int line, struct scene *out_scene)
{
    const struct source_functions *functions = &file->functions;

    out_scene->tokens = &file->tokens;
    out_scene->function =
        functions->is_certain ? source_function_of_line(&file->tokens, functions, line) : NULL;
    return out_scene->function != NULL;
}

/* The tokens of a line that lie in the scene's function. */
static struct token_range tokens_in_line(const struct scene *scene, int line)
{
    size_t first = source_line_start(scene->tokens, line);
    size_t end = source_line_start(scene->tokens, line + 1);

    return (struct token_range){
        .first = first < scene->function->open ? scene->function->open : first,
        .end = end > scene->function->close ? scene->function->close : end,
    };
}

/* The array that a line of the scene's function stores into: the only one that is assigned there.
 */
static bool find_stored(const struct scene *scene, int line, struct source_name *out_name)
{
    const struct source_tokens *tokens = scene->tokens;
    const struct token_range range = tokens_in_line(scene, line);
    size_t found = 0;

    for (size_t i = range.first; i < range.end; i++) {
        size_t end;
        if (is_indexed(tokens, i, &end) && token_is(tokens, end, TOKEN_SIGN, "=")) {
            *out_name = (struct source_name){tokens->tokens[i].text, tokens->tokens[i].length};
            found++;
        }
    }
    return found == 1;
}

/* By which name memory that is shared was stored into: in all lines the same one. */
static bool find_shared_name(const struct fault_search *search, const struct scene *scene,
                             const struct trace_access *read, struct source_name *out_name)
{
    const struct launch_trace *trace = search->trace;
    bool *seen = arena_array(search->arena, trace->line_count, sizeof *seen);
    bool found = false;

    for (size_t i = 0; i < trace->access_count; i++) {
        const struct trace_access *store = &trace->accesses[i];
        if (store->space != TRACE_SHARED || store->kind == TRACE_READ ||
            store->where != read->where || store->line >= trace->line_count || seen[store->line]) {
            continue;
        }
        const struct trace_line *line = &trace->lines[store->line];
        struct source_name name = {"", 0};
        seen[store->line] = true;
        if (strcmp(line->file, scene->tokens->file->name) != 0 ||
            !find_stored(scene, line->line, &name) ||
            (found && (name.length != out_name->length ||
                       memcmp(name.text, out_name->text, name.length) != 0))) {
            return false;
        }
        *out_name = name;
        found = true;
    }
    return found;
}

/* The name of a parameter of the scene's function, from 0. */
static bool find_parameter(const struct scene *scene, size_t parameter,
                           struct source_name *out_name)
{
    const struct source_tokens *tokens = scene->tokens;
    size_t open = scene->function->name + 1;
    size_t end = token_close(tokens, open);
    size_t number = 0;
    bool found = false;

    if (!token_is(tokens, open, TOKEN_SIGN, "(")) {
        return false;
    }
    for (size_t i = open + 1; i + 1 < end; i++) {
        const struct source_token *token = &tokens->tokens[i];
        if (token_is(tokens, i, TOKEN_SIGN, "(") || token_is(tokens, i, TOKEN_SIGN, "<")) {
            return false; /* types that this does not read */
        }
        number += token_is(tokens, i, TOKEN_SIGN, ",") ? 1 : 0;
        if (number == parameter && token->kind == TOKEN_NAME) {
            *out_name = (struct source_name){token->text, token->length};
            found = true;
        }
    }
    return found;
}

/* The name of an operand in the kernel that is given it. */
static bool find_operand_name(const struct fault_search *search, const struct scene *scene,
                              size_t operand, struct source_name *out_name)
{
    const struct rubric_launch *launch = search->flow.launch;

    if (operand >= launch->operand_count || !scene->function->is_kernel) {
        return false;
    }
    const struct binding *bind = &launch->operands[operand].bind;
    if (bind->is_symbol) {
        *out_name = (struct source_name){bind->symbol, strlen(bind->symbol)};
        return true;
    }
    return find_parameter(scene, bind->argument, out_name);
}

/* Where a line reads an array, if it does so once. */
static bool find_read(const struct scene *scene, int line, struct source_name name, int *out_column)
{
    const struct source_tokens *tokens = scene->tokens;
    const struct token_range range = tokens_in_line(scene, line);
    size_t found = 0;
    int column = 0;

    for (size_t i = range.first; i < range.end; i++) {
        const struct source_token *token = &tokens->tokens[i];
        size_t end;
        if (is_name(token, name) &&
            !(is_indexed(tokens, i, &end) && token_is(tokens, end, TOKEN_SIGN, "="))) {
            found += end > i + 1 ? 1 : 2; /* a pointer without an index may be any element */
            column = token->column;
        }
    }
    if (found == 1) {
        *out_column = column;
    }
    return found == 1;
}

bool find_access_column(const struct fault_search *search, const struct program_file *file,
                        int line, uint32_t access, int *out_column)
{
    const struct trace_access *read = &search->trace->accesses[access];
    struct source_name name = {"", 0};
    struct scene scene;

    if (read->kind != TRACE_READ || !scene_init(file, line, &scene)) {
        return false;
    }
    bool found = read->space == TRACE_SHARED
                     ? find_shared_name(search, &scene, read, &name)
                     : find_operand_name(search, &scene, read->operand, &name);
    return found && !source_has_macro_named(scene.tokens, name) &&
           find_read(&scene, line, name, out_column);
}
