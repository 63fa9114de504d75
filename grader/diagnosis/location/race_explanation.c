/* race_explanation.c: see race_explanation.h. */
#include "diagnosis/location/race_explanation.h"

#include "source/enclosing_loop.h"

#include <string.h>

/* The accesses of a race in one file. */
struct accesses {
    const struct source_tokens *tokens;
    const struct place *late, *early;
    bool is_in_line; /* one line has both */
    bool is_write;   /* the late one */
    struct source_loop loop;
    bool in_loop;     /* the late one is in `loop` */
    bool is_around;   /* the early one too */
    bool has_barrier; /* the loop */
};

static bool sign_is(const struct source_tokens *tokens, size_t at, const char *text)
{
    return token_is(tokens, at, TOKEN_SIGN, text);
}

static bool has_barrier(const struct source_tokens *tokens, const struct source_loop *loop)
{
    for (size_t i = loop->close; i < loop->end; i++) {
        if (sign_is(tokens, i + 1, "(") && (token_is(tokens, i, TOKEN_NAME, "__syncthreads") ||
                                            token_is(tokens, i, TOKEN_NAME, "__syncwarp") ||
                                            token_is(tokens, i, TOKEN_NAME, "sync"))) {
            return true;
        }
    }
    return false;
}

/* False if the accesses are not two of one file, with lines: the first two places of a race. */
static bool accesses_init(const struct source_tokens *tokens, const struct finding *finding,
                          struct accesses *out)
{
    if (finding == NULL || finding->place_count < 2 || finding->places[0].line == 0 ||
        strcmp(finding->places[0].file, finding->places[1].file) != 0) {
        return false;
    }
    *out = (struct accesses){
        .tokens = tokens,
        .late = &finding->places[finding->main_place],
        .early = &finding->places[finding->main_place == 0 ? 1 : 0],
    };
    out->is_in_line = out->late->line == out->early->line;
    out->is_write = strcmp(out->late->role, "write") == 0;
    out->in_loop = find_loop_at(tokens, out->late->line, &out->loop);
    const size_t last = out->in_loop ? out->loop.end - 1 : 0;
    out->is_around = out->in_loop && out->early->line >= tokens->tokens[out->loop.keyword].line &&
                     out->early->line <= tokens->tokens[last].line;
    out->has_barrier = out->in_loop && has_barrier(tokens, &out->loop);
    return true;
}

static size_t element_end(const struct source_tokens *tokens, size_t name)
{
    size_t end = name + 1;

    while (sign_is(tokens, end, "[")) {
        end = token_close(tokens, end);
    }
    return end;
}

static bool is_same_text(const struct source_tokens *tokens, size_t left, size_t right,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct source_token *a = &tokens->tokens[left + i];
        const struct source_token *b = &tokens->tokens[right + i];
        if (a->length != b->length || memcmp(a->text, b->text, a->length) != 0) {
            return false;
        }
    }
    return true;
}

/* The elements of an array that a line names. */
enum elements_named { NAMES_NONE, NAMES_ONE, NAMES_OTHERS };

/* Of the array at token `name`, or of that name if `array` is not NULL. */
static enum elements_named elements_named(const struct source_tokens *tokens, int line,
                                          const char *array, size_t name)
{
    size_t first = tokens->count;

    for (size_t i = source_line_start(tokens, line);
         i < tokens->count && tokens->tokens[i].line == line; i++) {
        bool is_it = array != NULL ? token_is(tokens, i, TOKEN_NAME, array)
                                   : token_same_name(tokens, i, name);
        if (!is_it) {
            continue;
        }
        const size_t end = element_end(tokens, i);
        if (first < tokens->count && (end - i != element_end(tokens, first) - first ||
                                      !is_same_text(tokens, first, i, end - i))) {
            return NAMES_OTHERS;
        }
        first = first < tokens->count ? first : i;
    }
    return first < tokens->count ? NAMES_ONE : NAMES_NONE;
}

static void explain_shared(struct arena *arena, const struct accesses *at,
                           const struct finding *finding, struct cause *cause)
{
    const bool is_warp = finding->code == CODE_WARP_RACE;
    const char *barrier = is_warp ? "__syncwarp() or __syncthreads()" : "__syncthreads()";
    const bool is_step = at->in_loop && !at->has_barrier;

    if (finding->object == NULL) {
        return;
    }
    const enum elements_named named =
        elements_named(at->tokens, at->late->line, finding->object, 0);
    if (at->is_in_line && strcmp(at->late->role, at->early->role) != 0 && named == NAMES_ONE) {
        cause->hint = "threads change the same element at the same time: use an atomic, such as "
                      "atomicAdd(), or give each thread an element of its own";
    } else if (is_step && at->is_around && (at->is_in_line || at->is_write) &&
               at->early->line <= at->late->line && (named == NAMES_OTHERS || !at->is_in_line)) {
        cause->hint = arena_printf(arena,
                                   "each round of the loop reads what other threads wrote in the "
                                   "round before: put %s at the end of the loop's body, outside of "
                                   "conditions",
                                   barrier);
    } else if (at->is_in_line && named == NAMES_OTHERS) {
        cause->hint = arena_printf(
            arena, "%sread the elements into a variable, call %s, then write",
            at->has_barrier
                ? "the loop has a barrier already, between its rounds: here one thread reads an "
                  "element that another writes in the same round. Is the index that is read "
                  "right? If so, "
                : "",
            barrier);
    } else if (is_step && !at->is_around && !at->is_write && named == NAMES_OTHERS &&
               at->early->line < at->late->line) {
        cause->hint = arena_printf(arena,
                                   "put %s after the writes, before the loop, and again at the end "
                                   "of the loop's body, outside of conditions",
                                   barrier);
    }
}

/* The first element that a line assigns to, NAME[...] = or another sign that changes it;
 * tokens->count if there is none. */
static size_t assigned_in_line(const struct source_tokens *tokens, int line)
{
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", "++", "--"};

    for (size_t i = source_line_start(tokens, line);
         i < tokens->count && tokens->tokens[i].line == line; i++) {
        const size_t end = element_end(tokens, i);
        for (size_t j = 0; j < sizeof signs / sizeof signs[0] && end > i + 1; j++) {
            if (tokens->tokens[i].kind == TOKEN_NAME && sign_is(tokens, end, signs[j])) {
                return i;
            }
        }
    }
    return tokens->count;
}

/* True if a line assigns 0 to an element. */
static bool clears(const struct source_tokens *tokens, int line)
{
    const size_t name = assigned_in_line(tokens, line);
    const size_t end = name < tokens->count ? element_end(tokens, name) : name;

    return end + 2 < tokens->count && sign_is(tokens, end, "=") &&
           tokens->tokens[end + 1].kind == TOKEN_NUMBER && sign_is(tokens, end + 2, ";") &&
           strspn(tokens->tokens[end + 1].text, "0.fuUF") >= tokens->tokens[end + 1].length;
}

static void explain_global(const struct accesses *at, struct cause *cause)
{
    const struct source_tokens *tokens = at->tokens;

    if (memcmp(at->late->block, at->early->block, sizeof at->late->block) == 0) {
        return;
    }
    const size_t name = assigned_in_line(tokens, at->late->line);
    if (at->in_loop && at->is_around && at->has_barrier) {
        cause->hint =
            "__syncthreads() waits for the threads of one block only: end the kernel, and "
            "launch it once for each step, so that all blocks are done with one step "
            "before the next begins";
    } else if (clears(tokens, at->late->line) || clears(tokens, at->early->line)) {
        cause->hint = "another block may already have added to what is cleared here: clear it "
                      "before the launch, with cudaMemset or by a kernel of its own";
    } else if (at->is_in_line && name < tokens->count) {
        cause->hint =
            elements_named(tokens, at->late->line, NULL, name) == NAMES_OTHERS
                ? "what one thread overwrites here, another still reads: write to another array, "
                  "and exchange the two after the launch"
                : "threads of different blocks change the same element: if each is to have "
                  "elements "
                  "of its own, check how blockIdx.x gets into the index (for one element a thread, "
                  "blockIdx.x * blockDim.x + threadIdx.x); if they are to add to one, use "
                  "atomicAdd()";
    }
}

void race_explain(struct arena *arena, const struct source_tokens *tokens,
                  const struct finding *finding, struct cause *cause)
{
    struct accesses at;

    if (!accesses_init(tokens, finding, &at)) {
        return;
    }
    if (finding->code == CODE_GLOBAL_RACE) {
        explain_global(&at, cause);
    } else {
        explain_shared(arena, &at, finding, cause);
    }
}
