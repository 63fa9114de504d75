/* missing_symbol.c: see missing_symbol.h. */
#include "diagnosis/hints/missing_symbol.h"

#include "criteria/program_source.h"

#include <string.h>

/* What is looked for, and where. */
struct search {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_program *program;
    const char *symbol;
    const char *mentioned; /* the linker's message */
    struct program_source source;
};

/* "a.cu and b.cu" */
static const char *compiled_text(const struct search *search)
{
    const struct rubric_program *program = search->program;
    const char *list = program->source_count > 0 ? program->sources[0] : program->id;

    for (size_t i = 1; i < program->source_count; i++) {
        list = arena_printf(search->arena, "%s%s%s", list,
                            i + 1 < program->source_count ? ", " : " and ", program->sources[i]);
    }
    return arena_printf(search->arena, "only %s %s compiled", list,
                        program->source_count > 1 ? "are" : "is");
}

static bool is_in(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* True if a file is compiled, itself or where it is included. */
static bool is_part(const struct search *search, const struct source_file *file)
{
    for (size_t i = 0; i < search->source.count; i++) {
        if (search->source.files[i].tokens.file == file) {
            return true;
        }
    }
    return is_in(search->program->sources, search->program->source_count, file->name) ||
           is_in(search->program->given, search->program->given_count, file->name);
}

/* Reads one file as if it were a program. */
static struct program_source read_alone(const struct search *search, const struct source_file *file)
{
    struct program_file *of = arena_alloc(search->arena, sizeof *of);

    *of = *source_index_file(program_source_index(search->input, search->arena), file);
    return (struct program_source){of, 1};
}

/* True if a file is a program, or a source of one: it is not to be included. */
static bool is_program(const struct search *search, const struct source_file *file,
                       const struct program_source *alone)
{
    const struct rubric *rubric = search->input->rubric;
    struct file_token file_token;

    for (size_t i = 0; i < rubric->program_count; i++) {
        if (is_in(rubric->programs[i].sources, rubric->programs[i].source_count, file->name)) {
            return true;
        }
    }
    return find_definitions(alone, "main", &file_token) > 0;
}

/* The hint if another file of the submission defines what is missing, else NULL. */
static const char *elsewhere_hint(const struct search *search)
{
    struct file_token file_token;

    for (size_t i = 0; i < search->input->source_count; i++) {
        const struct source_file *file = &search->input->sources[i];
        if (is_part(search, file) || strstr(file->text, search->symbol) == NULL) {
            continue;
        }
        const struct program_source other = read_alone(search, file);
        if (find_definitions(&other, search->symbol, &file_token) == 0) {
            continue;
        }
        const char *compiled = compiled_text(search);
        const char *own = search->program->source_count > 0 ? search->program->sources[0] : "it";
        return is_program(search, file, &other)
                   ? arena_printf(search->arena, "%s, but %s defines it: copy it to %s", compiled,
                                  file->name, own)
                   : arena_printf(
                         search->arena,
                         "%s, but %s defines it: write `#include \"%s\"` in %s, or move it there",
                         compiled, file->name, file->name, own);
    }
    return NULL;
}

/* True if the sources declare a class or a namespace of that name. */
static bool declares_scope(const struct search *search, const char *name, size_t length)
{
    static const char *const words[] = {"class", "struct", "namespace"};
    const char *scope = arena_strndup(search->arena, name, length);

    for (size_t i = 0; i < search->source.count; i++) {
        const struct source_tokens *tokens = &search->source.files[i].tokens;
        for (size_t j = 1; j < tokens->count; j++) {
            bool is_named = token_is(tokens, j, TOKEN_NAME, scope) &&
                            !(j > 1 && token_is(tokens, j - 2, TOKEN_NAME, "using"));
            for (size_t k = 0; k < sizeof words / sizeof words[0] && is_named; k++) {
                if (token_is(tokens, j - 1, TOKEN_NAME, words[k])) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* True if the sources declare what is missing, or what it lies in. */
static bool is_declared(const struct search *search)
{
    const char *scope = strstr(search->symbol, "::");
    struct file_token file_token;

    if (scope != NULL && declares_scope(search, search->symbol, (size_t)(scope - search->symbol))) {
        return true;
    }
    return program_has_macro(&search->source, search->symbol) ||
           find_definitions(&search->source, search->symbol, &file_token) > 0 ||
           find_declarations(&search->source, search->symbol, &file_token) > 0;
}

/* True if a function of the sources uses that name. Libraries count the versions of theirs: what
 * is written f may be f_v2. */
static bool is_used(const struct search *search)
{
    const char *version = strstr(search->symbol, "_v");
    size_t length = version != NULL ? (size_t)(version - search->symbol) : 0;
    const char *plain = arena_strndup(search->arena, search->symbol, length);
    struct file_token file_token;

    return find_calls(&search->source, search->symbol, NULL, &file_token) > 0 ||
           (length > 0 && find_calls(&search->source, plain, NULL, &file_token) > 0);
}

/* True if it must come from a library: nobody declares it here. Beside a given main program another
 * one may miss what the submission should define; that has parameters in its name, and is not
 * called by the submission's own functions. */
static bool is_of_library(const struct search *search)
{
    bool is_whole = program_is_whole(search->program);

    return !is_declared(search) &&
           (is_whole || (strchr(search->mentioned, '(') == NULL && is_used(search)));
}

const char *missing_symbol_hint(const struct criteria_input *input, struct arena *arena,
                                size_t program, const struct tool_message *message)
{
    struct search search = {
        .input = input,
        .arena = arena,
        .program = &input->rubric->programs[program],
        .symbol = message->symbol,
        .mentioned = message->message,
    };
    bool is_device = strstr(message->message, "Unresolved extern ") != NULL;
    bool is_missing = is_device || strstr(message->message, "ndefined reference to ") != NULL;

    if (!is_missing || search.symbol == NULL || search.symbol[0] == '\0') {
        return "";
    }
    program_source_read(input, arena, program, &search.source);
    const char *elsewhere = elsewhere_hint(&search);
    if (elsewhere != NULL || is_device) {
        return elsewhere != NULL ? elsewhere : "";
    }
    if (is_of_library(&search)) {
        return arena_printf(arena, "only the CUDA runtime is linked: remove what needs `%s`",
                            search.symbol);
    }
    return !program_is_whole(search.program)
               ? ""
               : arena_printf(arena,
                              "define it with exactly the name and the parameters of its "
                              "declaration: %s, with the files included there",
                              compiled_text(&search));
}
