/* slip_location.c: see slip_location.h. */
#include "diagnosis/location/slip_location.h"

#include "base/text.h"
#include "criteria/kernel_name.h"
#include "criteria/program_source.h"
#include "source/source_slips.h"

#include <inttypes.h>
#include <string.h>

/* What is looked at, of launches in a function and of kernels that ran: nobody writes more, and the
 * work for each is as long as the source. */
enum { LAUNCHES_MAX = 64, KERNELS_MAX = 64, WARNINGS_MAX = 16, CALLS_MAX = 16 };

/* A slip that was found. */
struct slip {
    const struct source_tokens *tokens;
    size_t token;
    const char *label, *hint;
    bool is_mistake; /* the only place to change, wherever it shows */
};

/* True if a kernel of that name [length] ran in one of the launch's calls, or is what the cause or
 * the launch is about. */
static bool is_run(const struct criteria_input *input, const struct verdict *verdict,
                   const char *name)
{
    const size_t launch = verdict->criterion->launch;
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    const struct finding *finding =
        verdict->cause.subject.kind == SUBJECT_FINDING ? verdict->cause.subject.finding : NULL;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            for (size_t k = 0; k < sample->kernel_count; k++) {
                if (strcmp(sample->kernels[k].plain_name, name) == 0) {
                    return true;
                }
            }
        }
    }
    return (finding != NULL && strcmp(text_or_empty(finding->kernel), name) == 0) ||
           strcmp(kernel_name(input, &input->rubric->launches[launch]), name) == 0;
}

/* A grid or block of that launch which is a list in brackets, there or where it is set. */
static bool find_list(struct arena *arena, const struct program_file *file,
                      const struct source_launch *launch, struct slip *out)
{
    const struct source_tokens *tokens = &file->tokens;

    for (size_t i = LAUNCH_GRID; i <= LAUNCH_BLOCK; i++) {
        struct token_range value = launch->arguments[i];
        if (value.end <= value.first) {
            continue;
        }
        const size_t set = find_value(file, value).token;
        if (set != value.first && token_is(tokens, set + 1, TOKEN_SIGN, "=")) {
            value = (struct token_range){set + 2, token_close(tokens, set + 2)};
        }
        if (is_comma_value(tokens, value)) {
            const char *what = i == LAUNCH_GRID ? "grid" : "block";
            *out = (struct slip){
                tokens, value.first,
                arena_printf(arena, "the %s is only the last of these: dim3 is missing", what),
                "in C++, (a, b) is the value of b alone: write dim3(a, b)", false};
            return true;
        }
    }
    return false;
}

/* True if a host function is the one that is called, or launches a kernel of that call. */
static bool takes_part(const struct criteria_input *input, struct arena *arena,
                       const struct verdict *verdict, const struct program_file *file,
                       const struct source_function *function)
{
    const struct source_tokens *tokens = &file->tokens;
    size_t launches = 0;

    for (size_t i = function->name; i < function->close && launches <= LAUNCHES_MAX; i++) {
        const struct source_token *token = &tokens->tokens[i];
        bool is_launch = i == function->name || token_is(tokens, i + 1, TOKEN_SIGN, "<<<");
        launches += is_launch ? 1 : 0;
        if (is_launch && token->kind == TOKEN_NAME &&
            is_run(input, verdict, arena_strndup(arena, token->text, token->length))) {
            return true;
        }
    }
    return false;
}

/* A cudaMemset() that cannot set what it is given: the first one of each function. */
static bool find_set(const struct criteria_input *input, struct arena *arena,
                     const struct verdict *verdict, const struct program_file *file,
                     struct slip *out)
{
    const struct source_tokens *tokens = &file->tokens;

    for (size_t i = 0; i < file->functions.count; i++) {
        const struct source_function *function = &file->functions.items[i];
        size_t at = function->open, value = 0;
        bool sets_nothing = false;
        while (at < function->close && !sets_other_bytes(tokens, at, &value) && !sets_nothing) {
            sets_nothing = sets_no_bytes(tokens, at, &value);
            at += sets_nothing ? 0 : 1;
        }
        if (at < function->close && takes_part(input, arena, verdict, file, function)) {
            *out = sets_nothing
                       ? (struct slip){tokens, value, "this is how many bytes are set: none",
                                       "the order is pointer, value, number of bytes", true}
                       : (struct slip){tokens, value, "sets each byte to this, not each element",
                                       "cudaMemset repeats one byte: set other values by a kernel, "
                                       "or copy them with cudaMemcpy",
                                       false};
            return true;
        }
    }
    return false;
}

/* The extent of the blocks in y, if they are alike in all of a kernel's launches that were seen; 0:
 * not known. */
static uint32_t rows_of_blocks(const struct launch_run *run)
{
    uint32_t rows = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (!observation->launched || observation->sample_count == 0) {
            continue;
        }
        if (observation->samples[0].kernel_count > 1 ||
            (rows != 0 && rows != observation->geometry.block[1])) {
            return 0;
        }
        rows = observation->geometry.block[1];
    }
    return rows;
}

/* A block with one row, for a kernel that uses threadIdx.y. */
static bool find_flat_block(const struct criteria_input *input, const struct verdict *verdict,
                            const struct program_file *file, const struct source_function *kernel,
                            const struct file_token *launched, const struct source_launch *launch,
                            struct slip *out)
{
    const struct source_tokens *tokens = &file->tokens;

    if (rows_of_blocks(&input->evidence->launch_runs[verdict->criterion->launch]) != 1 ||
        launch->arguments[LAUNCH_BLOCK].end <= launch->arguments[LAUNCH_BLOCK].first) {
        return false;
    }
    for (size_t i = kernel->open; i + 2 < kernel->close; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "threadIdx") &&
            token_is(tokens, i + 2, TOKEN_NAME, "y")) {
            const struct file_token value =
                find_value(launched->file, launch->arguments[LAUNCH_BLOCK]);
            *out = (struct slip){&value.file->tokens, value.token,
                                 "the block has one row, so threadIdx.y is always 0",
                                 "a kernel that uses threadIdx.y needs blocks with rows: launch it "
                                 "with dim3(columns, rows)",
                                 false};
            return true;
        }
    }
    return false;
}

/* A call or launch, whose arguments begin at a (, that gives two of them for each other. */
static bool find_exchange(struct arena *arena, struct file_token open,
                          const struct program_file *file, const struct source_function *function,
                          struct slip *out)
{
    const struct source_tokens *tokens = &open.file->tokens;
    size_t given, named;

    if (!exchanges_arguments(tokens, open.token, &file->tokens, function->name + 1, &given,
                             &named)) {
        return false;
    }
    const struct source_token *argument = &tokens->tokens[given];
    const struct source_token *parameter = &file->tokens.tokens[named];
    *out = (struct slip){tokens, given,
                         arena_printf(arena, "`%.*s` is given for `%.*s`, and the other way round",
                                      (int)argument->length, argument->text, (int)parameter->length,
                                      parameter->text),
                         "give the arguments in the order of the parameters", false};
    return true;
}

/* A loop to the most that a parameter may be, around a read of unwritten shared memory: what was
 * filled is only as large as the parameter. */
static bool find_maximum(struct arena *arena, const struct verdict *verdict,
                         const struct program_file *file, const struct source_function *kernel,
                         struct slip *out)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct cause *cause = &verdict->cause;
    const enum code code = cause->because != CODE_NONE ? cause->because : cause->code;
    size_t constant, named;

    if (code != CODE_UNINITIALISED_SHARED || cause->file == NULL ||
        strcmp(cause->file, tokens->file->name) != 0 ||
        !loops_to_maximum(tokens, kernel, cause->line, &constant, &named)) {
        return false;
    }
    const struct source_token *most = &tokens->tokens[constant];
    const struct source_token *parameter = &tokens->tokens[named];
    *out = (struct slip){
        tokens, constant,
        arena_printf(arena, "`%.*s` is the most, not the `%.*s` of this launch", (int)most->length,
                     most->text, (int)parameter->length, parameter->text),
        arena_printf(arena,
                     "let the loop go as far as the array was filled: with `%.*s` in place of "
                     "`%.*s`",
                     (int)parameter->length, parameter->text, (int)most->length, most->text),
        false};
    return true;
}

/* The ( of the arguments of a launch. */
static struct file_token launch_arguments(struct file_token launch)
{
    const struct source_tokens *tokens = &launch.file->tokens;

    while (launch.token < tokens->count && !token_is(tokens, launch.token, TOKEN_SIGN, ">>>") &&
           !token_is(tokens, launch.token, TOKEN_SIGN, ";")) {
        launch.token++;
    }
    launch.token++;
    return launch;
}

/* The allocation that an access is outside of, if it has the number of elements for bytes. */
static bool find_allocation(struct arena *arena, const struct program_source *source,
                            const struct finding *finding, struct slip *out)
{
    const struct place *place = NULL;
    size_t value;

    for (size_t i = 0; i < finding->place_count; i++) {
        place = strcmp(finding->places[i].role, "allocated") == 0 ? &finding->places[i] : place;
    }
    if (place == NULL || finding->needed_bytes > finding->object_bytes * finding->access_bytes) {
        return false;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct source_tokens *tokens = &source->files[i].tokens;
        size_t at = strcmp(tokens->file->name, place->file) == 0
                        ? source_line_start(tokens, place->line)
                        : tokens->count;
        for (; at < tokens->count && tokens->tokens[at].line == place->line; at++) {
            const struct source_function *function =
                source_function_at(&source->files[i].functions, at);
            if (function != NULL &&
                allocates_elements(tokens, function, at, finding->access_bytes, &value)) {
                *out = (struct slip){
                    tokens, value,
                    arena_printf(arena, "allocates %" PRIu64 " byte%s: is sizeof missing?",
                                 finding->object_bytes, finding->object_bytes == 1 ? "" : "s"),
                    "cudaMalloc counts bytes, not elements: multiply their number by the sizeof "
                    "of one",
                    true};
                return true;
            }
        }
    }
    return false;
}

/* Warnings of the compiler **********************************************************************/

/* The name that a warning quotes; NULL if there is none. */
static const char *quoted_name(struct arena *arena, const char *message)
{
    const char *first = message + strcspn(message, "\"'");

    return *first == '\0' ? NULL : arena_strndup(arena, first + 1, strcspn(first + 1, "\"'"));
}

/* The first token of a line that is a name; tokens->count if there is none. */
static size_t name_in_line(const struct source_tokens *tokens, int line, const char *name)
{
    size_t at = source_line_start(tokens, line);

    while (at < tokens->count && tokens->tokens[at].line == line &&
           !token_is(tokens, at, TOKEN_NAME, name)) {
        at++;
    }
    return at < tokens->count && tokens->tokens[at].line == line ? at : tokens->count;
}

/* True if a kernel of the launch is that function or calls it, perhaps by other functions. */
static bool is_called(const struct criteria_input *input, struct arena *arena,
                      const struct verdict *verdict, const struct program_file *file,
                      const struct source_function *function, size_t *searches)
{
    const struct source_tokens *tokens = &file->tokens;
    const struct source_token *name = &tokens->tokens[function->name];

    if (function->is_kernel) {
        return is_run(input, verdict, arena_strndup(arena, name->text, name->length));
    }
    if (!function->is_device || ++*searches > CALLS_MAX) {
        return false;
    }
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct source_function *caller = &file->functions.items[i];
        for (size_t j = caller->open; caller != function && j < caller->close; j++) {
            if (token_same_name(tokens, j, function->name) &&
                token_is(tokens, j + 1, TOKEN_SIGN, "(")) {
                if (is_called(input, arena, verdict, file, caller, searches)) {
                    return true;
                }
                break;
            }
        }
    }
    return false;
}

/* True if a variable surely has no value where a token reads it: there is no block between that and
 * its declaration, or nothing in the function sets it but by its old value. */
static bool is_unset(const struct source_tokens *tokens, const struct source_function *function,
                     size_t at)
{
    bool has_block = false, is_declared = false;

    for (size_t i = function->open + 1; i < at; i++) {
        is_declared = is_declared || token_same_name(tokens, i, at);
        has_block = has_block || (is_declared && (token_is(tokens, i, TOKEN_SIGN, "{") ||
                                                  token_is(tokens, i, TOKEN_SIGN, "}")));
    }
    for (size_t i = function->open + 1; i + 1 < function->close && has_block; i++) {
        if (token_same_name(tokens, i, at) && (token_is(tokens, i + 1, TOKEN_SIGN, "=") ||
                                               token_is(tokens, i - 1, TOKEN_SIGN, "&"))) {
            return false;
        }
    }
    return is_declared;
}

/* A variable of device code that is read before it has a value. */
static bool find_unset(const struct criteria_input *input, struct arena *arena,
                       const struct verdict *verdict, const struct program_file *file,
                       const struct tool_message *warning, const char *name, struct slip *out)
{
    const struct source_tokens *tokens = &file->tokens;
    const enum cause_kind kind = code_cause(verdict->cause.code);
    const size_t at = name_in_line(tokens, warning->line, name);
    const struct source_function *function = source_function_at(&file->functions, at);
    size_t searches = 0;

    if ((kind != CAUSE_WRONG_RESULT && kind != CAUSE_OUT_OF_BOUNDS) || function == NULL ||
        (strstr(warning->message, "is used before its value is set") == NULL &&
         strstr(warning->message, "is uninitialized when used here") == NULL) ||
        !is_unset(tokens, function, at) ||
        !is_called(input, arena, verdict, file, function, &searches)) {
        return false;
    }
    *out = (struct slip){
        tokens, at, arena_printf(arena, "`%s` has no value before this reads it", name),
        arena_printf(arena,
                     "give `%s` a value where it is declared: a variable of a function is "
                     "not 0 by itself",
                     name),
        true};
    return true;
}

/* The host's variable that is copied to one of the device: "`edge`"; NULL if none is certain. */
static const char *copied_variable(struct arena *arena, const struct program_source *source,
                                   const char *name)
{
    struct token_range given[2];
    struct file_token at;

    if (find_calls(source, "cudaMemcpyToSymbol", name, &at) != 1) {
        return NULL;
    }
    const struct source_tokens *tokens = &at.file->tokens;
    const struct token_range all = {at.token + 2, token_close(tokens, at.token + 1) - 1};
    if (source_split_arguments(tokens, all, given, 2) < 2 || given[1].end != given[1].first + 2 ||
        !token_is(tokens, given[1].first, TOKEN_SIGN, "&")) {
        return NULL;
    }
    const struct source_token *variable = &tokens->tokens[given[1].first + 1];
    return arena_printf(arena, ", such as `%.*s`,", (int)variable->length, variable->text);
}

/* A variable of the device that host code reads for the size of a launch. */
static bool find_host_read(struct arena *arena, const struct program_source *source,
                           const struct file_token *launched, const struct source_launch *launch,
                           const struct tool_message *warning, const char *name, struct slip *out)
{
    const struct program_file *file = launched->file;
    const struct source_tokens *tokens = &file->tokens;

    if (strstr(warning->message, "cannot be directly read in a host function") == NULL ||
        strcmp(warning->file, tokens->file->name) != 0) {
        return false;
    }
    for (size_t i = LAUNCH_GRID; i <= LAUNCH_BYTES; i++) {
        struct token_range value = launch->arguments[i];
        const size_t set = value.end > value.first ? find_value(file, value).token : value.first;
        if (set != value.first) {
            value = (struct token_range){set, source_statement_end(tokens, set)};
        }
        for (size_t j = value.first; j < value.end; j++) {
            if (tokens->tokens[j].line == warning->line && token_is(tokens, j, TOKEN_NAME, name)) {
                const char *copied = copied_variable(arena, source, name);
                *out = (struct slip){
                    tokens, j,
                    arena_printf(arena, "`%s` is the host's own copy here, which nothing sets",
                                 name),
                    arena_printf(arena,
                                 "host code cannot read `%s`, a variable of the device: use the "
                                 "host's own variable%s that is copied to it",
                                 name, copied == NULL ? "" : copied),
                    false};
                return true;
            }
        }
    }
    return false;
}

/* A warning that says what is wrong, about a kernel's launch (NULL: about device code). */
static bool find_warning(const struct criteria_input *input, struct arena *arena,
                         const struct verdict *verdict, const struct program_source *source,
                         const struct file_token *launched, const struct source_launch *launch,
                         struct slip *out)
{
    const size_t program = input->rubric->launches[verdict->criterion->launch].program;
    const struct program_build *build = &input->evidence->builds[program];
    size_t looked_at = 0;

    for (size_t i = 0; i < build->message_count && looked_at < WARNINGS_MAX; i++) {
        const struct tool_message *warning = &build->messages[i];
        const char *name = quoted_name(arena, warning->message);
        if (warning->is_error || warning->line == 0 || name == NULL) {
            continue;
        }
        looked_at++;
        for (size_t j = 0; j < source->count; j++) {
            const struct program_file *file = &source->files[j];
            if (file->functions.is_certain && strcmp(warning->file, file->tokens.file->name) == 0 &&
                (launch != NULL
                     ? find_host_read(arena, source, launched, launch, warning, name, out)
                     : find_unset(input, arena, verdict, file, warning, name, out))) {
                return true;
            }
        }
    }
    return false;
}

static bool find_slip(const struct criteria_input *input, struct arena *arena,
                      const struct verdict *verdict, struct slip *out)
{
    const size_t program = input->rubric->launches[verdict->criterion->launch].program;
    const bool is_of_launch = code_cause(verdict->cause.code) == CAUSE_LAUNCH_CONFIG;
    struct program_source source;
    struct source_launch launch;
    size_t array, kernels = 0;

    program_source_read(input, arena, program, &source);
    if (find_warning(input, arena, verdict, &source, NULL, NULL, out)) {
        return true;
    }
    if (verdict->cause.subject.kind == SUBJECT_FINDING &&
        find_allocation(arena, &source, verdict->cause.subject.finding, out)) {
        return true;
    }
    for (size_t i = 0; i < source.count; i++) {
        const struct program_file *file = &source.files[i];
        if (file->functions.is_certain && !is_of_launch &&
            find_set(input, arena, verdict, file, out)) {
            return true;
        }
        bool is_certain = file->functions.is_certain;
        for (size_t j = 0; j < file->functions.count && is_certain && kernels < KERNELS_MAX; j++) {
            const struct source_function *kernel = &file->functions.items[j];
            const struct source_token *token = &file->tokens.tokens[kernel->name];
            const char *name = arena_strndup(arena, token->text, token->length);
            struct file_token launched;
            if (!kernel->is_kernel || !is_run(input, verdict, name)) {
                continue;
            }
            kernels++;
            if (find_launches(&source, name, &launch, &launched) == 1 &&
                find_warning(input, arena, verdict, &source, &launched, &launch, out)) {
                return true;
            }
            if (is_of_launch) {
                continue;
            }
            if (find_maximum(arena, verdict, file, kernel, out)) {
                return true;
            }
            if (find_launches(&source, name, &launch, &launched) == 1 &&
                (find_list(arena, launched.file, &launch, out) ||
                 find_exchange(arena, launch_arguments(launched), file, kernel, out) ||
                 find_flat_block(input, verdict, file, kernel, &launched, &launch, out))) {
                return true;
            }
            if (find_private_array(&file->tokens, kernel, &array)) {
                const struct source_token *of = &file->tokens.tokens[array];
                *out = (struct slip){
                    &file->tokens, array,
                    arena_printf(arena, "`%.*s` is private to each thread: is __shared__ missing?",
                                 (int)of->length, of->text),
                    arena_printf(arena,
                                 "write __shared__ before the type of `%.*s`: then the threads of "
                                 "a block share one array, and read what the others wrote",
                                 (int)of->length, of->text),
                    false};
                return true;
            }
        }
    }
    return false;
}

/* True if a cause may come from a slip. */
static bool may_come_from_slip(const struct cause *cause)
{
    switch (code_cause(cause->code)) {
    case CAUSE_WRONG_RESULT:
    case CAUSE_NOT_TILED:
    case CAUSE_OUT_OF_BOUNDS:
    case CAUSE_UNINITIALISED:
    case CAUSE_RACE:
    case CAUSE_LAUNCH_CONFIG:
        return cause->code != CODE_INPUT_CHANGED;
    default:
        return cause->code == CODE_DEVICE_TRAP || cause->code == CODE_IMPOSSIBLE_LAUNCH ||
               cause->code == CODE_WRONG_BLOCK;
    }
}

void slip_location(const struct criteria_input *input, struct arena *arena, struct verdict *verdict)
{
    struct cause *cause = &verdict->cause;
    struct slip slip;

    if (!verdict->criterion->has_launch || input->source_count == 0 || !may_come_from_slip(cause) ||
        !find_slip(input, arena, verdict, &slip)) {
        return;
    }
    const struct source_token *token = &slip.tokens->tokens[slip.token];
    const char *file = slip.tokens->file->name;
    bool is_of_finding = cause->subject.kind == SUBJECT_FINDING || cause->because != CODE_NONE;
    cause->hint = slip.hint;
    if (cause->line > 0 && is_of_finding && !slip.is_mistake) {
        struct cause_mark *marks = arena_array(arena, cause->also_count + 1, sizeof *marks);
        for (size_t i = 0; i < cause->also_count; i++) {
            marks[i] = cause->also[i];
        }
        marks[cause->also_count++] =
            (struct cause_mark){file, token->line, token->column, slip.label};
        cause->also = marks;
        return;
    }
    cause->file = file;
    cause->line = token->line;
    cause->column = token->column;
    cause->mark_end = 0;
    cause->is_last_store = false;
    cause->label = slip.label;
}
