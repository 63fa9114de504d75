/* finding_hint.c: see finding_hint.h. */
#include "diagnosis/hints/finding_hint.h"

#include "base/text.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/preconditions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How the two accesses of a race follow each other: the main one did not wait for the other. */
enum race_order {
    RACE_READ_TOO_EARLY,
    RACE_NEXT_ROUND,
    RACE_OVERWRITTEN,
    RACE_IN_ONE_LINE, /* s[k]++ */
    RACE_OTHER,
    RACE_ORDERS
};

/* True if one expression reads and writes what another thread reads and writes there. */
static bool is_in_one_line(const struct finding *finding)
{
    const struct place *a = &finding->places[0];
    const struct place *b = &finding->places[1];

    return a->line > 0 && a->line == b->line && a->column == b->column &&
           strcmp(a->file, b->file) == 0 && strcmp(a->role, b->role) != 0;
}

bool finding_is_of_next_round(const struct finding *finding)
{
    if (finding->place_count != 2 || code_cause(finding->code) != CAUSE_RACE ||
        finding->code == CODE_GLOBAL_RACE) {
        return false;
    }
    const struct place *late = &finding->places[finding->main_place];
    const struct place *other = &finding->places[1 - finding->main_place];
    return late->line > 0 && late->line < other->line && strcmp(late->role, "write") == 0 &&
           strcmp(other->role, "read") == 0 && strcmp(late->file, other->file) == 0;
}

static enum race_order race_order(const struct finding *finding)
{
    if (finding->place_count != 2) {
        return RACE_OTHER;
    }
    if (is_in_one_line(finding)) {
        return RACE_IN_ONE_LINE;
    }
    if (strcmp(finding->places[finding->main_place].role, "read") == 0) {
        return RACE_READ_TOO_EARLY;
    }
    if (finding_is_of_next_round(finding)) {
        return RACE_NEXT_ROUND;
    }
    return strcmp(finding->places[1 - finding->main_place].role, "read") == 0 ? RACE_OVERWRITTEN
                                                                              : RACE_OTHER;
}

/* Where the barrier is missing. */
static const char *race_hint(const struct finding *finding)
{
    static const char *const of_block[RACE_ORDERS] = {
        [RACE_READ_TOO_EARLY] =
            "put __syncthreads() after the writes, before the first element is read",
        [RACE_NEXT_ROUND] =
            "put __syncthreads() after the last read, at the end of the outer loop's body: the "
            "next iteration overwrites what other threads still read",
        [RACE_OVERWRITTEN] = "put __syncthreads() between the read and the write, so that all "
                             "threads have read the element before it is overwritten",
        [RACE_IN_ONE_LINE] =
            "if threads add to the same element here, use atomicAdd(); if each step of a loop "
            "reads "
            "what the step before wrote, put __syncthreads() at the end of the loop's body, "
            "outside "
            "of conditions; else read into a variable, call __syncthreads(), then write",
        [RACE_OTHER] = "let only one thread write each element, or put __syncthreads() between the "
                       "two accesses",
    };
    static const char *const of_warp[RACE_ORDERS] = {
        [RACE_READ_TOO_EARLY] =
            "threads of a warp need not run in lockstep: put __syncwarp() or __syncthreads() after "
            "the writes, before the first element is read",
        [RACE_NEXT_ROUND] = "threads of a warp need not run in lockstep: put __syncwarp() or "
                            "__syncthreads() after the last read, at the end of the loop's body",
        [RACE_OVERWRITTEN] = "threads of a warp need not run in lockstep: put __syncwarp() or "
                             "__syncthreads() between the read and the write",
        [RACE_IN_ONE_LINE] =
            "if threads add to the same element here, use atomicAdd(); if each step of a loop "
            "reads "
            "what the step before wrote, put __syncwarp() or __syncthreads() at the end of the "
            "loop's body, outside of conditions; else read into a variable, call __syncwarp() or "
            "__syncthreads(), then write",
        [RACE_OTHER] = "threads of a warp need not run in lockstep: put __syncwarp() or "
                       "__syncthreads() between the two accesses",
    };
    enum race_order order = race_order(finding);

    for (size_t i = 0; i < finding->place_count; i++) {
        if (finding->places[i].is_copy) {
            return "a copy takes place at any time until its thread has waited for it: call "
                   "__pipeline_wait_prior(0), or the wait of the pipeline or barrier, then "
                   "__syncthreads(), before elements are read; start the next copy only after "
                   "a __syncthreads() after the last read";
        }
    }
    return finding->code == CODE_WARP_RACE ? of_warp[order] : of_block[order];
}

/* True if the two accesses are by threads of one block. */
static bool is_in_one_block(const struct finding *finding)
{
    const struct place *a = &finding->places[0];
    const struct place *b = &finding->places[1];

    return finding->place_count >= 2 && a->has_thread && b->has_thread &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* What two threads of one block do to one element of global memory. */
static const char *race_in_block_hint(const struct finding *finding)
{
    const struct place *a = &finding->places[0];
    const struct place *b = &finding->places[1];

    if (a->line != b->line && (strcmp(a->role, "read") == 0 || strcmp(b->role, "read") == 0)) {
        return "one thread reads what another one writes in the same launch: check which array is "
               "read, and the indices of both accesses; if they are right, write to another array";
    }
    return "threads run in any order: let only one thread write each element, or use atomics";
}

/* True if the index of an access past the end of an allocation is a small negative number that was
 * computed without a sign, in 32 bits: then it is nearly 2^32. */
static bool has_wrapped(const struct finding *finding)
{
    enum { BELOW_ZERO_MAX = 1 << 20 };
    const uint64_t end = (uint64_t)UINT32_MAX + 1; /* in elements */
    const uint64_t needed =
        finding->access_bytes > 0 ? finding->needed_bytes / finding->access_bytes : 0;

    return needed <= end && needed > end - BELOW_ZERO_MAX;
}

/* True if the access is next to memory that the program allocated in a line that is known. */
static bool is_of_allocation(const struct finding *finding)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        if (strcmp(finding->places[i].role, "allocated") == 0 && finding->places[i].line > 0) {
            return true;
        }
    }
    return false;
}

/* True if an array in shared memory ends right before the element that has the number of the thread
 * that is past its end: there are fewer elements than threads. */
static bool lacks_element_of_thread(const struct finding *finding)
{
    const struct place *place =
        finding->place_count > 0 ? &finding->places[finding->main_place] : NULL;
    const struct finding_values *values = finding->values;

    char words[64];

    if (place == NULL || !place->has_thread || values == NULL) {
        return false;
    }
    const uint64_t thread =
        place->thread[0] + (uint64_t)values->block[0] *
                               (place->thread[1] + (uint64_t)values->block[1] * place->thread[2]);
    if (thread == 0 || finding->object_bytes % thread != 0) {
        return false;
    }
    const uint64_t bytes = finding->object_bytes / thread;
    snprintf(words, sizeof words, " %" PRIu64 " byte%s right past the end", bytes,
             bytes == 1 ? "" : "s");
    return strstr(text_or_empty(finding->message), words) != NULL;
}

bool finding_is_before_start(const struct finding *finding)
{
    return code_cause(finding->code) == CAUSE_OUT_OF_BOUNDS &&
           strstr(text_or_empty(finding->message), "before the start") != NULL &&
           strstr(finding->message, "an allocation") == NULL;
}

const char *finding_hint(const struct finding *finding)
{
    if (finding->code == CODE_GLOBAL_OUT_OF_BOUNDS && has_wrapped(finding)) {
        return "the index is negative, and was computed without a sign, as threadIdx and blockIdx "
               "are (-1 is 4294967295 then): check what is subtracted";
    }
    if (finding_is_before_start(finding)) {
        return "the index is negative: check what is subtracted";
    }
    if (finding->code == CODE_SHARED_OUT_OF_BOUNDS && finding->object_is_static) {
        return lacks_element_of_thread(finding)
                   ? "the array has fewer elements than the block has threads: check its size, and "
                     "whether all threads should get here"
                   : "check the index at the mark, the condition and the loop around it, and then "
                     "the array's size: of N elements the last is N - 1";
    }
    if (finding->code == CODE_GLOBAL_OUT_OF_BOUNDS && finding->kernel != NULL &&
        finding->kernel[0] == '\0') {
        return "check the sizes, the leading dimension and the increment that the call gets, and "
               "how "
               "many bytes were allocated";
    }
    if (finding->code == CODE_GLOBAL_OUT_OF_BOUNDS && is_of_allocation(finding)) {
        return "check the index, whether there are more threads than elements, and whether the "
               "allocation is large enough";
    }
    if (finding->code == CODE_GLOBAL_OUT_OF_BOUNDS && finding->has_vectors_only) {
        return "check the index, and whether there are more threads than elements";
    }
    if (finding->code == CODE_BARRIER_DEADLOCK && finding->object != NULL) {
        return "check the number given to init(), and that each of so many threads arrives, also "
               "where one leaves the loop or the kernel early";
    }
    if (finding->code == CODE_WARP_MASK &&
        strncmp(text_or_empty(finding->message), "all 32 lanes", strlen("all 32 lanes")) == 0) {
        return "let whole warps reach this call: conditions around it must be the same for all 32 "
               "threads of a warp, and blocks must be of whole warps";
    }
    if (finding->code == CODE_API_ERROR && finding->kernel[0] == '\0') {
        return "check the arguments of that call, and what it returns";
    }
    if (finding->code == CODE_GLOBAL_RACE && is_in_one_block(finding)) {
        return race_in_block_hint(finding);
    }
    bool is_race = finding->code == CODE_SHARED_RACE || finding->code == CODE_WARP_RACE ||
                   finding_has_copy(finding);

    return is_race ? race_hint(finding) : code_hint(finding->code);
}

const char *finding_next_step(struct arena *arena, const struct finding *finding)
{
    const char *hint = finding_hint(finding);

    if (finding->place_count > 0 || finding->is_rest || !finding_is_about_accesses(finding)) {
        return hint;
    }
    return arena_printf(arena, "%s%srun the check with --device emulated: it names the line", hint,
                        hint[0] != '\0' ? "; " : "");
}

void finding_explain_cause(struct arena *arena, struct cause *cause)
{
    if (cause->reason == NULL) {
        return;
    }
    const struct cause reason = cause_of_finding(arena, cause->reason);
    cause->plain = cause->plain != NULL ? cause->plain : cause->message;
    cause->message = arena_printf(arena, "%s; probably because %s (%s)", cause->plain,
                                  reason.message, code_id(reason.code));
    cause->because = reason.code;
    cause->file = reason.file;
    cause->line = reason.line;
    cause->column = reason.column;
    cause->hint = finding_next_step(arena, cause->reason);
}
