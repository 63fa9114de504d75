/* passed_pointers.c: see passed_pointers.h. */
#include "diagnosis/location/passed_pointers.h"

#include "base/text.h"
#include "diagnosis/location/index_guard.h"
#include "source/enclosing_loop.h"
#include "source/source_declaration.h"

#include <inttypes.h>
#include <string.h>

enum { LINE_TOKENS_MAX = 256, CANDIDATES_MAX = 8, PASSED_TOKENS_MAX = 64, STEPS = 1 << 20 };

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static const char *name_at(struct arena *arena, const struct source_tokens *tokens, size_t at)
{
    return arena_printf(arena, "%.*s", (int)tokens->tokens[at].length, tokens->tokens[at].text);
}

/* A pointer that is a parameter of the kernel. */
struct passed {
    size_t name; /* a token where it is used */
    size_t index;
};

/* The parameters of a function. */
static size_t parameters_of(const struct source_tokens *tokens,
                            const struct source_function *function,
                            struct token_range out_parts[FINDING_ARGUMENTS_MAX])
{
    const size_t open = function->name + 1;
    const size_t close = token_close(tokens, open);

    return !sign_is(tokens, open, "(") || close > function->open
               ? 0
               : source_split_arguments(tokens, (struct token_range){open + 1, close - 1},
                                        out_parts, FINDING_ARGUMENTS_MAX);
}

/* True if the name at a token is a parameter, a pointer that the kernel uses for elements alone,
 * name[...]: then it is what the launch passes. */
static bool is_passed(const struct source_tokens *tokens, const struct source_function *function,
                      size_t name, struct passed *out)
{
    struct token_range parts[FINDING_ARGUMENTS_MAX];
    size_t found = 0;
    const size_t count = parameters_of(tokens, function, parts);

    for (size_t i = 0; i < count && i < FINDING_ARGUMENTS_MAX; i++) {
        bool is_pointer = false;
        for (size_t k = parts[i].first; k < parts[i].end; k++) {
            is_pointer = is_pointer || sign_is(tokens, k, "*");
        }
        if (is_pointer && token_same_name(tokens, parts[i].end - 1, name)) {
            *out = (struct passed){name, i};
            found++;
        }
    }
    for (size_t i = function->open; i < function->close && found == 1; i++) {
        const bool is_member = sign_is(tokens, i - 1, ".") || sign_is(tokens, i - 1, "->");
        if (token_same_name(tokens, i, name) &&
            (is_member || !sign_is(tokens, i + 1, "[") || sign_is(tokens, i - 1, "*"))) {
            return false;
        }
    }
    return found == 1;
}

/* True if an element is assigned whose brackets end before a token. */
static bool is_written(const struct source_tokens *tokens, size_t end)
{
    return token_assigns(tokens, end) || sign_is(tokens, end, "++") || sign_is(tokens, end, "--");
}

/* The kernel of a finding, if a place of it is in that function's body. */
static const struct source_function *
kernel_at(const struct program_file *file, const struct finding *finding, const struct place *place)
{
    const struct source_function *function =
        source_function_of_line(&file->tokens, &file->functions, place->line);
    const char *kernel = text_or_empty(finding->kernel);
    const char *last = strrchr(kernel, ':');

    return function != NULL && function->is_kernel &&
                   strcmp(place->file, file->tokens.file->name) == 0 &&
                   token_is(&file->tokens, function->name, TOKEN_NAME,
                            last != NULL ? last + 1 : kernel)
               ? function
               : NULL;
}

/* True if an argument of the launch is known. */
static bool is_known(const struct finding *finding, const struct passed *passed)
{
    return finding->values != NULL && (finding->values->known >> passed->index & 1) != 0;
}

/* True if the argument points into the allocation that the access is past the end of. */
static bool points_there(const struct finding *finding, const struct passed *passed)
{
    const struct finding_values *values = finding->values;
    const uint64_t start = values->address + finding->access_bytes - finding->needed_bytes;

    return values->arguments[passed->index] >= start &&
           values->arguments[passed->index] - start < finding->object_bytes;
}

/* The only pointer that a place's line accesses elements with in that way, among those that may be
 * meant; false if there is none or are several. */
static bool find_access(const struct source_tokens *tokens, const struct source_function *function,
                        const struct finding *finding, const struct place *place,
                        struct passed *out)
{
    const bool is_bounds = finding->code == CODE_GLOBAL_OUT_OF_BOUNDS;
    const size_t first = source_line_start(tokens, place->line);
    size_t found = 0, candidates = 0;

    for (size_t i = first; i < function->close && tokens->tokens[i].line == place->line &&
                           i - first < LINE_TOKENS_MAX;
         i++) {
        struct passed passed;
        if (tokens->tokens[i].kind != TOKEN_NAME || !sign_is(tokens, i + 1, "[")) {
            continue;
        }
        const bool is_store = is_written(tokens, token_close(tokens, i + 1));
        if (is_store != (strcmp(place->role, "write") == 0) || candidates++ == CANDIDATES_MAX ||
            !is_passed(tokens, function, i, &passed) || !is_known(finding, &passed) ||
            (is_bounds && !points_there(finding, &passed))) {
            continue;
        }
        *out = passed;
        found++;
    }
    return found == 1 && candidates <= CANDIDATES_MAX;
}

/* An index that is loaded ************************************************************************/

/* The array that an index is an element of, places[i]: of the index itself, or of what its only
 * name is set to. */
static bool find_loaded(const struct source_tokens *tokens, const struct source_function *function,
                        struct token_range index, struct token_range *out_value, struct passed *out)
{
    struct declaration_search search = {.tokens = tokens, .function = function, .steps = STEPS};
    struct source_set set;

    if (index.end == index.first + 1 && source_find_set(&search, index.first, &set) &&
        set.loop == 0) {
        index = set.value;
    }
    *out_value = index;
    return index.end > index.first + 3 && sign_is(tokens, index.first + 1, "[") &&
           token_close(tokens, index.first + 1) == index.end &&
           is_passed(tokens, function, index.first, out);
}

/* True if an access is to a whole element of a pointer, whose size is known by its type. */
static bool is_whole_element(const struct source_tokens *tokens,
                             const struct source_function *function, size_t name, uint64_t bytes)
{
    struct declaration_search search = {.tokens = tokens, .function = function, .steps = STEPS};
    struct source_parameter parameter;

    return source_find_parameter(&search, name, &parameter) && parameter.type.is_pointer &&
           parameter.type.bytes == bytes && !sign_is(tokens, token_close(tokens, name + 1), ".");
}

/* The last call before a token of a host function that gets a variable; no runtime calls. */
static bool find_last_use(const struct source_tokens *tokens,
                          const struct source_function *function, size_t end, size_t variable,
                          size_t *out_call)
{
    size_t call = 0;
    size_t call_end = 0;
    bool is_found = false;

    for (size_t i = function->open; i < end; i++) {
        const bool is_call = tokens->tokens[i].kind == TOKEN_NAME &&
                             (sign_is(tokens, i + 1, "(") || sign_is(tokens, i + 1, "<<<")) &&
                             i >= call_end;
        if (is_call) {
            call = i;
            call_end = sign_is(tokens, i + 1, "(") ? token_close(tokens, i + 1)
                                                   : source_statement_end(tokens, i);
        }
        const bool is_whole = (sign_is(tokens, i - 1, "(") || sign_is(tokens, i - 1, ",")) &&
                              (sign_is(tokens, i + 1, ")") || sign_is(tokens, i + 1, ","));
        const struct source_token *name = &tokens->tokens[call];
        const bool is_own = name->length < 4 || memcmp(name->text, "cuda", 4) != 0;
        if (i < call_end && is_whole && is_own && token_same_name(tokens, i, variable)) {
            *out_call = call;
            is_found = true;
        }
    }
    return is_found;
}

static void add_mark(const struct source_tokens *tokens, size_t at, const char *label,
                     struct passed_marks *marks)
{
    const struct source_token *token = &tokens->tokens[at];

    marks->items[marks->count++] =
        (struct cause_mark){tokens->file->name, token->line, token->column, label};
}

/* What a launch passes for a parameter. */
struct argument {
    const char *text; /* its name; NULL: not known */
    bool is_given;    /* a parameter of the host function, whose elements are constant */
};

/* Marks what the only launch passes for a parameter. */
static struct argument mark_passed(struct arena *arena, const struct program_source *source,
                                   const struct finding *finding, const struct passed *passed,
                                   const char *parameter, struct passed_marks *marks)
{
    struct token_range parts[FINDING_ARGUMENTS_MAX];
    struct source_parameter given;
    struct source_launch launch;
    struct file_token at;
    size_t call;

    if (find_launches(source, finding->kernel, &launch, &at) != 1) {
        return (struct argument){NULL, false};
    }
    const struct source_tokens *tokens = &at.file->tokens;
    const size_t count =
        source_split_arguments(tokens, launch.passed, parts, FINDING_ARGUMENTS_MAX);
    const struct source_function *function = source_function_at(&at.file->functions, launch.at);
    if (passed->index >= count || parts[passed->index].end != parts[passed->index].first + 1 ||
        function == NULL) {
        return (struct argument){NULL, false};
    }
    const size_t variable = parts[passed->index].first;
    const char *text = name_at(arena, tokens, variable);
    add_mark(tokens, variable, arena_printf(arena, "`%s` is `%s` here", parameter, text), marks);
    if (find_last_use(tokens, function, launch.at, variable, &call)) {
        add_mark(tokens, call, arena_printf(arena, "the last use of `%s` before", text), marks);
    }
    struct declaration_search search = {.tokens = tokens, .function = function, .steps = STEPS};
    return (struct argument){text, source_find_parameter(&search, variable, &given) &&
                                       given.type.is_const && given.type.is_pointer};
}

bool explain_loaded_index(struct arena *arena, const struct program_source *source,
                          const struct program_file *file, const struct finding *finding,
                          struct cause *cause, struct passed_marks *out_marks)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct place *place =
        finding == NULL || finding->place_count == 0 ? NULL : &finding->places[finding->main_place];
    const struct source_function *function =
        place == NULL || place->line != cause->line ? NULL : kernel_at(file, finding, place);
    struct passed access, loaded;
    struct token_range value;

    out_marks->count = 0;
    if (function == NULL || finding->access_bytes == 0 || finding->needed_bytes == 0 ||
        finding->values == NULL || !find_access(tokens, function, finding, place, &access)) {
        return false;
    }
    const size_t open = access.name + 1;
    const uint64_t bytes = finding->values->address - finding->values->arguments[access.index];
    if (bytes % finding->access_bytes != 0 ||
        !is_whole_element(tokens, function, access.name, finding->access_bytes) ||
        !find_loaded(tokens, function,
                     (struct token_range){open + 1, token_close(tokens, open) - 1}, &value,
                     &loaded)) {
        return false;
    }
    const char *text = source_text(arena, tokens, value.first, value.end);
    const char *parameter = name_at(arena, tokens, loaded.name);
    if (text == NULL) {
        return false;
    }
    const struct argument of = mark_passed(arena, source, finding, &loaded, parameter, out_marks);
    const char *check =
        of.text == NULL ? "what was stored there"
        : of.is_given ? arena_printf(arena, "how an index follows from the values of `%s`", of.text)
                      : arena_printf(arena,
                                     "what was stored in `%s`, and whether that is the "
                                     "array to pass as `%s`",
                                     of.text, parameter);
    cause->hint = arena_printf(arena, "the index is loaded: `%s` is %" PRIu64 ". Check %s", text,
                               bytes / finding->access_bytes, check);
    return true;
}

/* Pointers that overlap **************************************************************************/

void explain_overlap(struct arena *arena, const struct program_file *file,
                     const struct finding *finding, struct cause *cause)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_function *functions[2] = {NULL, NULL};
    struct passed passed[2];

    for (size_t i = 0; i < 2; i++) {
        if (finding == NULL || finding->code != CODE_GLOBAL_RACE || finding->place_count < 2 ||
            finding->places[i].actor != NULL || finding->places[i].line == 0) {
            return;
        }
        functions[i] = kernel_at(file, finding, &finding->places[i]);
        if (functions[i] == NULL ||
            !find_access(tokens, functions[i], finding, &finding->places[i], &passed[i])) {
            return;
        }
    }
    if (functions[0] != functions[1] || passed[0].index == passed[1].index) {
        return;
    }
    const uint64_t *arguments = finding->values->arguments;
    const size_t late = arguments[passed[0].index] > arguments[passed[1].index] ? 0 : 1;
    const uint64_t apart = arguments[passed[late].index] - arguments[passed[1 - late].index];
    const char *first = name_at(arena, tokens, passed[1 - late].name);
    const char *second = name_at(arena, tokens, passed[late].name);
    cause->hint =
        apart == 0
            ? arena_printf(arena,
                           "`%s` and `%s` are the same array in this launch, so elements are "
                           "overwritten that others still read: pass another array for one of them",
                           first, second)
            : arena_printf(arena,
                           "`%s` starts %" PRIu64
                           " bytes after `%s` in this launch, and both get to the same element. "
                           "Check how host code computes the pointers that it passes, and how far "
                           "the index of `%s` goes",
                           second, apart, first, first);
}

/* A launch that is repeated **********************************************************************/

/* True if a kernel only stores to the pointer that a parameter is: out[i] = ... */
static bool is_only_stored(const struct source_tokens *tokens,
                           const struct source_function *function, size_t name)
{
    for (size_t i = function->open; i < function->close; i++) {
        if (token_same_name(tokens, i, name) &&
            (!sign_is(tokens, i + 1, "[") || !sign_is(tokens, token_close(tokens, i + 1), "=") ||
             sign_is(tokens, i - 1, "*"))) {
            return false;
        }
    }
    return true;
}

/* True if a function makes a name for another variable: `T &name = variable`. */
static bool has_reference(const struct source_tokens *tokens,
                          const struct source_function *function)
{
    for (size_t i = function->open; i + 2 < function->close; i++) {
        if (sign_is(tokens, i, "&") && tokens->tokens[i + 1].kind == TOKEN_NAME &&
            sign_is(tokens, i + 2, "=")) {
            return true;
        }
    }
    return false;
}

/* True if all names of an argument are variables of the function that a loop has nowhere but in its
 * launch: then nothing in the loop changes it. */
static bool is_same_each_round(struct declaration_search *search, const struct source_loop *loop,
                               const struct source_launch *launch, struct token_range argument)
{
    const struct source_tokens *tokens = search->tokens;

    for (size_t i = argument.first; i < argument.end; i++) {
        const struct source_token *token = &tokens->tokens[i];
        if (token->kind == TOKEN_SIGN &&
            (token->length > 1 || !character_is_of(token->text[0], "+-*/[]"))) {
            return false;
        }
        if (token->kind != TOKEN_NAME) {
            continue;
        }
        if (!source_is_local(search, i)) {
            return false;
        }
        for (size_t k = loop->keyword; k < loop->end; k++) {
            const bool is_in_launch = k >= launch->at && k < launch->passed.end;
            if (!is_in_launch && token_same_name(tokens, k, i)) {
                return false;
            }
        }
    }
    return argument.end > argument.first;
}

/* What a variable is set to, if that is a name, else itself. */
static size_t origin_of(struct declaration_search *search, size_t name)
{
    struct source_set set;

    return source_find_set(search, name, &set) && set.value.end == set.value.first + 1
               ? set.value.first
               : name;
}

/* The pointers that a launch passes to be read, and to be written; tokens, 0: none. */
struct read_and_written {
    size_t read, written;
};

/* False if there are several of either, or the kernel does something else with one. */
static bool sort_argument(const struct source_tokens *own, const struct source_function *kernel,
                          struct token_range parameter, struct token_range argument,
                          struct read_and_written *out)
{
    bool is_const = false, is_pointer = false;

    for (size_t i = parameter.first; i < parameter.end; i++) {
        is_const = is_const || (!is_pointer && token_is(own, i, TOKEN_NAME, "const"));
        is_pointer = is_pointer || sign_is(own, i, "*");
    }
    if (!is_pointer) {
        return true;
    }
    size_t *name = is_const ? &out->read : &out->written;
    if (*name != 0 || argument.end != argument.first + 1 ||
        (!is_const && !is_only_stored(own, kernel, parameter.end - 1))) {
        return false;
    }
    *name = argument.first;
    return true;
}

bool find_repeated_launch(struct arena *arena, const struct program_source *source,
                          const char *kernel, struct file_token *out_at, const char **out_label)
{
    struct token_range parts[FINDING_ARGUMENTS_MAX], parameters[FINDING_ARGUMENTS_MAX];
    struct read_and_written names = {0, 0};
    struct source_launch launch;
    struct source_loop loop;
    struct file_token name;

    if (find_launches(source, kernel, &launch, out_at) != 1 ||
        find_definitions(source, kernel, &name) != 1) {
        return false;
    }
    const struct source_tokens *tokens = &out_at->file->tokens;
    const struct source_tokens *own = &name.file->tokens;
    const struct source_function *host = source_function_at(&out_at->file->functions, launch.at);
    const struct source_function *function =
        source_function_named(&name.file->functions, name.token);
    if (host == NULL || function == NULL || has_reference(tokens, host) ||
        !find_loop_at(tokens, tokens->tokens[launch.at].line, &loop) || launch.at < loop.close ||
        launch.at >= loop.end) {
        return false;
    }
    struct declaration_search search = {.tokens = tokens, .function = host, .steps = STEPS};
    const size_t count =
        source_split_arguments(tokens, launch.passed, parts, FINDING_ARGUMENTS_MAX);
    if (launch.passed.end - launch.passed.first > PASSED_TOKENS_MAX ||
        count > FINDING_ARGUMENTS_MAX || parameters_of(own, function, parameters) != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_same_each_round(&search, &loop, &launch, parts[i]) ||
            !sort_argument(own, function, parameters[i], parts[i], &names)) {
            return false;
        }
    }
    if (names.read == 0 || names.written == 0 ||
        token_same_name(tokens, origin_of(&search, names.read),
                        origin_of(&search, names.written))) {
        return false;
    }
    out_at->token = launch.at;
    *out_label =
        arena_printf(arena, "all rounds read `%s` and write `%s`",
                     name_at(arena, tokens, names.read), name_at(arena, tokens, names.written));
    return true;
}
