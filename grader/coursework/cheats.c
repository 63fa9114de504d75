/* cheats.c: see cheats.h. */
#include "coursework/cheats.h"

#include "base/text.h"
#include "source/source_functions.h"

#include <stdlib.h>
#include <string.h>

static const char helper_name[] = "gpugrade_cheats.cuh";

const char *const cheat_words[CHEAT_COUNT] = {
    "does nothing",
    "works on the host",
    "works in scratch, and copies nothing back",
    "keeps the first result",
    "writes half of the result",
};

/* A whole program has no function that could be renamed. */
static bool is_fit(const struct rubric_launch *launch)
{
    return launch->call != NULL && !launch_is_program(launch);
}

bool cheats_fit(const struct rubric *rubric)
{
    for (size_t i = 0; i < rubric->launch_count; i++) {
        if (is_fit(&rubric->launches[i])) {
            return true;
        }
    }
    return false;
}

/* A function of the solution that is judged. */
struct judged {
    const struct rubric_launch *launch;
    const char *start, *close; /* of its declaration: its first word, its last bracket */
    size_t first, end;         /* tokens between the brackets */
};

static bool find(const struct source_tokens *tokens, const struct source_functions *functions,
                 const struct rubric_launch *launch, struct judged *out)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct source_function *function = &functions->items[i];
        size_t name = function->name;
        if (function->is_kernel || function->is_device ||
            !token_is(tokens, name, TOKEN_NAME, launch->call) ||
            !token_is(tokens, name + 1, TOKEN_SIGN, "(")) {
            continue;
        }
        size_t close = token_close(tokens, name + 1) - 1;
        *out = (struct judged){.launch = launch,
                               .start = tokens->tokens[function->start].text,
                               .close = tokens->tokens[close].text,
                               .first = name + 2,
                               .end = close};
        return true;
    }
    return false;
}

static void append_between(struct text *out, const char *from, const char *to)
{
    text_printf(out, "%.*s", (int)(to - from), from);
}

/* "gpugrade_moved(x), gpugrade_moved(n)": the parameters by their names, each the last word before
 * a comma, a bracket or a default value. */
static void append_arguments(struct text *out, const struct source_tokens *tokens,
                             const struct judged *judged)
{
    const struct source_token *name = NULL;
    const char *before = "";
    bool is_named = false;

    for (size_t i = judged->first; i <= judged->end; i++) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_comma = i == judged->end || token_is(tokens, i, TOKEN_SIGN, ",");
        if (is_comma && name != NULL && strncmp(name->text, "void", name->length) != 0) {
            text_printf(out, "%sgpugrade_moved(%.*s)", before, (int)name->length, name->text);
            before = ", ";
        }
        if (is_comma) {
            name = NULL;
            is_named = false;
        } else if (token_is(tokens, i, TOKEN_SIGN, "[") || token_is(tokens, i, TOKEN_SIGN, "=")) {
            is_named = true;
        } else if (token->kind == TOKEN_NAME && !is_named) {
            name = token;
        }
    }
}

static void append_wrapper(struct text *out, const struct source_tokens *tokens,
                           const struct judged *judged)
{
    const struct rubric_launch *launch = judged->launch;

    append_between(out, judged->start, judged->close + 1);
    text_append(out, "\n{\n    GPUGRADE_CHEAT_CALL(\",");
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_is_result(&launch->operands[i])) {
            text_printf(out, "%s,", launch->operands[i].name);
        }
    }
    text_printf(out, "\", gpugrade_own_%s(", launch->call);
    append_arguments(out, tokens, judged);
    text_append(out, "))\n}\n");
}

/* True if a token names one of the judged functions: its own calls of itself go past the cheat. */
static bool is_judged(const struct source_tokens *tokens, size_t index, const struct judged *found,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (token_is(tokens, index, TOKEN_NAME, found[i].launch->call)) {
            return true;
        }
    }
    return false;
}

/* One source: the judged functions renamed, followed by what cheats in their place. */
static const char *cheat_in(struct arena *arena, const struct source_file *file,
                            const struct source_tokens *tokens, const struct judged *found,
                            size_t count, size_t cheat, size_t *out_length)
{
    const char *at = file->text;
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < tokens->count; i++) {
        if (is_judged(tokens, i, found, count)) {
            append_between(&text, at, tokens->tokens[i].text);
            text_append(&text, "gpugrade_own_");
            at = tokens->tokens[i].text;
        }
    }
    text_printf(&text, "%s\n#define GPUGRADE_CHEAT %zu\n#include \"%s\"\n", at, cheat, helper_name);
    for (size_t i = 0; i < count; i++) {
        append_wrapper(&text, tokens, &found[i]);
    }
    const char *bytes = arena_strndup(arena, text.bytes, text.length);
    *out_length = text.length;
    text_release(&text);
    return bytes;
}

static bool is_source(const struct rubric_program *program, const char *name)
{
    for (size_t i = 0; i < program->source_count; i++) {
        if (strcmp(program->sources[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static int compare_files(const void *left, const void *right)
{
    return strcmp(((const struct intake_file *)left)->name,
                  ((const struct intake_file *)right)->name);
}

/* True if an earlier launch judges the same function of this source. */
static bool is_found(const struct judged *found, size_t count, const char *call)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(found[i].launch->call, call) == 0) {
            return true;
        }
    }
    return false;
}

size_t cheat_make(struct arena *arena, const struct rubric *rubric,
                  const struct intake_files *solution, const char *helper, size_t cheat,
                  struct intake_files *out_files, bool *out_made)
{
    struct intake_file *files = arena_array(arena, solution->count + 1, sizeof *files);
    struct judged *found = arena_array(arena, rubric->launch_count, sizeof *found);
    size_t made = 0;

    for (size_t i = 0; i < solution->count; i++) {
        const struct intake_file *from = &solution->files[i];
        const struct source_file file = {
            .name = from->name, .text = from->bytes, .length = from->length};
        struct source_tokens tokens;
        struct source_functions functions;
        size_t count = 0;

        files[i] = *from;
        source_tokens_read(arena, &file, &tokens);
        source_functions_read(arena, &tokens, &functions);
        for (size_t j = 0; j < rubric->launch_count; j++) {
            const struct rubric_launch *launch = &rubric->launches[j];
            if (!is_fit(launch) || !is_source(&rubric->programs[launch->program], from->name)) {
                continue;
            }
            bool is_known = is_found(found, count, launch->call);
            if (is_known || find(&tokens, &functions, launch, &found[count])) {
                out_made[j] = true;
                count += is_known ? 0 : 1;
                made++;
            }
        }
        if (count > 0) {
            files[i].bytes = cheat_in(arena, &file, &tokens, found, count, cheat, &files[i].length);
        }
    }
    files[solution->count] =
        (struct intake_file){.name = helper_name, .bytes = helper, .length = strlen(helper)};
    qsort(files, solution->count + 1, sizeof *files, compare_files);
    *out_files = *solution;
    out_files->files = files;
    out_files->count = solution->count + 1;
    return made;
}
