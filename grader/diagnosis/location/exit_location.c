/* exit_location.c: see exit_location.h.
 *
 * A place is certain if the kernel has one `return`, before the barrier, and no other way around
 * it: no condition that the barrier is in, no loop around it that is left early or whose rounds
 * depend on the thread, no macro or lambda that may hide one.
 */
#include "diagnosis/location/exit_location.h"

#include "source/source_functions.h"

#include <string.h>

/* A statement that not every thread comes out of in the same way, and how far those reach that
 * start no later. */
struct fork {
    size_t at;
    size_t reach; /* behind the end of the longest one so far */
};

/* What is known of a kernel, so that each finding in it costs little. */
struct kernel_exits {
    bool is_read;
    size_t
        leave; /* its only `return`; its end if there is none, several, or another way to leave */
    size_t shown;       /* the condition before it, or itself */
    struct fork *forks; /* [fork_count], in the order of the source */
    size_t fork_count;
};

/* A file, and its kernels by the number of their function. */
struct exits_of_file {
    const struct program_file *file;
    struct kernel_exits *kernels; /* [function count]; NULL: nothing was asked yet */
};

static bool is_word(const struct source_tokens *tokens, size_t index, const char *const *words,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (token_is(tokens, index, TOKEN_NAME, words[i])) {
            return true;
        }
    }
    return false;
}

static bool starts_statement(const struct source_tokens *tokens, size_t index)
{
    return index == 0 || token_is(tokens, index - 1, TOKEN_SIGN, ";") ||
           token_is(tokens, index - 1, TOKEN_SIGN, "{") ||
           token_is(tokens, index - 1, TOKEN_SIGN, "}") ||
           token_is(tokens, index - 1, TOKEN_SIGN, ")") ||
           token_is(tokens, index - 1, TOKEN_NAME, "else");
}

/* True if a token may be another way to leave a loop or the kernel, or hide one. */
static bool may_leave(const struct source_tokens *tokens, size_t index)
{
    static const char *const words[] = {"break", "continue", "goto",  "asm",    "__asm__",
                                        "exit",  "try",      "throw", "__trap", "co_return"};
    const struct source_token *token = &tokens->tokens[index];

    if (is_word(tokens, index, words, sizeof words / sizeof words[0])) {
        return true;
    }
    if (token_is(tokens, index, TOKEN_SIGN, "]")) { /* of a lambda */
        return token_is(tokens, index + 1, TOKEN_SIGN, "(") ||
               token_is(tokens, index + 1, TOKEN_SIGN, "{");
    }
    return token->kind == TOKEN_NAME &&
           source_has_macro_named(tokens, (struct source_name){token->text, token->length}) &&
           (token_is(tokens, index + 1, TOKEN_SIGN, "(") || starts_statement(tokens, index));
}

/* The one `return` among the tokens; `end` if there is none, several, or another way to leave. */
static size_t only_return(const struct source_tokens *tokens, size_t first, size_t end)
{
    size_t found = end;

    for (size_t i = first; i < end; i++) {
        bool is_return = token_is(tokens, i, TOKEN_NAME, "return");
        if ((is_return && found != end) || may_leave(tokens, i)) {
            return end;
        }
        found = is_return ? i : found;
    }
    return found;
}

/* Adds the statements that not all threads come through alike: conditions, and loops whose header
 * names the thread. With `forks` NULL it only counts them. */
static size_t list_forks(const struct source_tokens *tokens, const struct source_function *kernel,
                         struct fork *forks)
{
    static const char *const conditions[] = {"if", "else", "switch", "do"};
    static const char *const loops[] = {"for", "while"};
    size_t next_thread = kernel->close; /* the first `threadIdx` from the token on */
    size_t count = 0;

    for (size_t i = kernel->close; i-- > kernel->open;) {
        next_thread = token_is(tokens, i, TOKEN_NAME, "threadIdx") ? i : next_thread;
        bool is_fork = is_word(tokens, i, conditions, sizeof conditions / sizeof conditions[0]) ||
                       (is_word(tokens, i, loops, sizeof loops / sizeof loops[0]) &&
                        next_thread < token_close(tokens, i + 1));
        if (is_fork && forks != NULL) {
            forks[count] = (struct fork){i, source_statement_end(tokens, i)};
        }
        count += is_fork ? 1 : 0;
    }
    return count;
}

/* Puts the forks, which come from the end, into the order of the source. */
static void order_forks(struct fork *forks, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct fork other = forks[i];
        forks[i] = forks[count - 1 - i];
        forks[count - 1 - i] = other;
    }
    for (size_t i = 1; i < count; i++) {
        forks[i].reach = forks[i].reach < forks[i - 1].reach ? forks[i - 1].reach : forks[i].reach;
    }
}

/* True if each thread that has not left before comes to token `at`, as far as the source tells. */
static bool all_come_to(const struct kernel_exits *exits, size_t at)
{
    size_t low = 0;
    size_t high = exits->fork_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (exits->forks[middle].at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 || exits->forks[low - 1].reach <= at;
}

/* The `if` whose body begins with the return; else the return itself. */
static size_t condition_of(const struct source_tokens *tokens, size_t first, size_t leave)
{
    for (size_t i = leave; i > first; i--) {
        size_t at = i - 1;
        if (!token_is(tokens, at, TOKEN_NAME, "if") || !token_is(tokens, at + 1, TOKEN_SIGN, "(")) {
            continue;
        }
        size_t body = token_close(tokens, at + 1);
        body += token_is(tokens, body, TOKEN_SIGN, "{") ? 1 : 0;
        return body == leave ? at : leave;
    }
    return leave;
}

static const struct kernel_exits *exits_of(struct arena *arena, struct exits_of_file *of,
                                           const struct source_function *kernel)
{
    const struct source_tokens *tokens = &of->file->tokens;

    if (of->kernels == NULL) {
        of->kernels = arena_array(arena, of->file->functions.count, sizeof *of->kernels);
    }
    struct kernel_exits *exits = &of->kernels[kernel - of->file->functions.items];
    if (!exits->is_read) {
        exits->is_read = true;
        exits->leave = only_return(tokens, kernel->open, kernel->close);
        exits->shown = exits->leave;
    }
    if (exits->forks == NULL && exits->leave < kernel->close) {
        exits->shown = condition_of(tokens, kernel->open, exits->leave);
        exits->fork_count = list_forks(tokens, kernel, NULL);
        exits->forks = arena_array(arena, exits->fork_count, sizeof *exits->forks);
        list_forks(tokens, kernel, exits->forks);
        order_forks(exits->forks, exits->fork_count);
    }
    return exits;
}

static void move_exit(struct arena *arena, struct exits_of_file *of, const struct place *barrier,
                      struct place *leave)
{
    const struct source_tokens *tokens = &of->file->tokens;
    const struct source_functions *functions = &of->file->functions;
    const struct source_function *kernel =
        functions->is_certain ? source_function_of_line(tokens, functions, barrier->line) : NULL;

    if (kernel == NULL || !kernel->is_kernel || kernel->close <= kernel->open ||
        tokens->tokens[kernel->close - 1].line != leave->line) {
        return;
    }
    size_t wait = source_line_start(tokens, barrier->line);
    wait = wait < kernel->open ? kernel->open : wait;
    const struct kernel_exits *exits = exits_of(arena, of, kernel);
    bool is_there = wait < kernel->close && tokens->tokens[wait].line == barrier->line;
    if (exits->leave >= (is_there ? wait : kernel->close) || !all_come_to(exits, wait)) {
        return;
    }
    leave->line = tokens->tokens[exits->shown].line;
    leave->column = tokens->tokens[exits->shown].column;
}

static const struct place *place_of_role(const struct finding *finding, const char *role)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        if (strcmp(finding->places[i].role, role) == 0 && finding->places[i].line > 0) {
            return &finding->places[i];
        }
    }
    return NULL;
}

/* The files that barriers were missed in. */
struct exit_files {
    struct arena *arena;
    struct source_index *index;
    struct exits_of_file **files; /* [count] */
    size_t count, capacity;
};

/* The file of a barrier; NULL if it is none of the submission's. */
static struct exits_of_file *file_of(struct exit_files *known, const char *name)
{
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->files[i]->file->tokens.file->name, name) == 0) {
            return known->files[i];
        }
    }
    const struct source_file *source = source_index_find(known->index, name, strlen(name));
    if (source == NULL) {
        return NULL;
    }
    arena_grow(known->arena, &known->files, &known->capacity, known->count + 1,
               sizeof(struct exits_of_file *));
    struct exits_of_file *added = arena_alloc(known->arena, sizeof *added);
    added->file = source_index_file(known->index, source);
    known->files[known->count++] = added;
    return added;
}

void locate_exits(struct arena *arena, struct source_index *index, struct report *report)
{
    struct finding *findings = arena_array(arena, report->finding_count, sizeof *findings);
    struct exit_files known = {.arena = arena, .index = index};

    for (size_t i = 0; i < report->finding_count; i++) {
        struct finding *finding = &findings[i];
        *finding = report->findings[i];
        const struct place *barrier = place_of_role(finding, "barrier");
        if (finding->code != CODE_BARRIER_INCOMPLETE || barrier == NULL) {
            continue;
        }
        struct exits_of_file *of = file_of(&known, barrier->file);
        for (size_t j = 0; j < finding->place_count && of != NULL; j++) {
            struct place *place = &finding->places[j];
            if (strcmp(place->role, "here") == 0 && strcmp(place->file, barrier->file) == 0) {
                move_exit(arena, of, barrier, place);
            }
        }
    }
    report->findings = findings;
}
