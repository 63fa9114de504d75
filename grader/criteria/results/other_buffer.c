/* other_buffer.c: see other_buffer.h. Right solutions may work in scratch memory and copy, so it is
 * only asked of wrong ones, and copies count as use. */
#include "criteria/results/other_buffer.h"

#include "criteria/outcome.h"
#include "criteria/program_source.h"
#include "criteria/results/unreached_store.h"

#include <inttypes.h>
#include <string.h>

/* One call that is looked at. */
struct looked_at {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_launch *launch;
    const struct observation *observation;
    const struct sample *sample;
};

static uint64_t bytes_of(const struct looked_at *at, size_t operand)
{
    return at->observation->element_counts[operand] *
           element_bytes(at->launch->operands[operand].type);
}

static uint64_t loaded(const struct looked_at *at, size_t operand)
{
    const struct access_sum *sums = at->sample->counts.operands[operand];

    return sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes;
}

static uint64_t stored(const struct looked_at *at, size_t operand)
{
    const struct access_sum *sums = at->sample->counts.operands[operand];

    return sums[COUNT_WRITE].bytes + sums[COUNT_ATOMIC].bytes;
}

/* The memory that the program allocated and that its kernels load from most, or store to; NULL:
 * none. Variables have other uses. */
static const struct other_count *busiest(const struct looked_at *at, bool stores)
{
    const struct launch_counts *counts = &at->sample->counts;
    const struct other_count *found = NULL;
    uint64_t most = 0;

    for (size_t i = 0; i < counts->other_count; i++) {
        uint64_t bytes = stores ? counts->others[i].stored_bytes : counts->others[i].bytes;
        if (bytes > most && counts->others[i].variable_bytes == 0) {
            most = bytes;
            found = &counts->others[i];
        }
    }
    return found;
}

/* The pointer that an allocation at a place fills: what stands after the first & of the call there;
 * NULL: unknown. */
static const char *allocated_name(const struct looked_at *at, const struct host_place *place)
{
    struct program_source source;

    program_source_read(at->input, at->arena, at->launch->program, &source);
    for (size_t i = 0; i < source.count; i++) {
        const struct source_tokens *tokens = &source.files[i].tokens;
        if (strcmp(tokens->file->name, place->file) != 0) {
            continue;
        }
        for (size_t k = 0; k + 1 < tokens->count; k++) {
            const struct source_token *next = &tokens->tokens[k + 1];
            if (tokens->tokens[k].line == place->line && token_is(tokens, k, TOKEN_SIGN, "&") &&
                next->kind == TOKEN_NAME) {
                return arena_strndup(at->arena, next->text, next->length);
            }
        }
    }
    return NULL;
}

/* "`d_mine`, which it allocates in exercise1.cu:40" */
static const char *buffer_text(const struct looked_at *at, const struct other_count *other)
{
    const struct host_place *place = other->place;

    if (place == NULL || place->line == 0) {
        return "a buffer of its own";
    }
    const char *name = allocated_name(at, place);
    return name != NULL ? arena_printf(at->arena, "`%s`, which it allocates in %s:%d", name,
                                       place->file, place->line)
                        : arena_printf(at->arena, "a buffer that it allocates in %s:%d",
                                       place->file, place->line);
}

static struct cause cause_at(const char *message, const struct other_count *other)
{
    struct cause cause = cause_make(CODE_OTHER_BUFFER, message);

    if (other != NULL && other->place != NULL && other->place->line > 0) {
        cause.file = other->place->file;
        cause.line = other->place->line;
    }
    return cause;
}

/* What a call does in one probe and not in another one depends on the case. */
static bool some_call(const struct looked_at *at, size_t operand,
                      bool does(const struct looked_at *at, size_t operand))
{
    const struct launch_run *run =
        &at->input->evidence->launch_runs[at->launch - at->input->rubric->launches];
    struct looked_at other = *at;

    for (size_t i = 0; i < run->observation_count; i++) {
        other.observation = &run->observations[i];
        for (size_t k = 0; k < other.observation->sample_count; k++) {
            other.sample = &other.observation->samples[k];
            if (other.sample->counts.is_counted && does(&other, operand)) {
                return true;
            }
        }
    }
    return false;
}

static bool writes(const struct looked_at *at, size_t operand)
{
    return stored(at, operand) > 0 || at->sample->call.copied_to[operand] > 0;
}

static bool reads(const struct looked_at *at, size_t operand)
{
    return loaded(at, operand) > 0 || at->sample->call.copied_from[operand] > 0;
}

/* True if a call writes one of its other results: memory that its kernels also load from then most
 * likely leads to that one, and is not used in the place of `operand`. */
static bool writes_another(const struct looked_at *at, size_t operand)
{
    for (size_t i = 0; i < at->launch->operand_count; i++) {
        if (i != operand && operand_is_result(&at->launch->operands[i]) &&
            some_call(at, i, writes)) {
            return true;
        }
    }
    return false;
}

/* An operand that the call should write, or in part. */
static bool is_unwritten(const struct looked_at *at, size_t operand, struct cause *out_cause)
{
    const char *name = at->launch->operands[operand].name;
    const struct other_count *other = busiest(at, true);
    uint64_t copied = at->sample->call.copied_to[operand];

    if (stored(at, operand) > 0 || copied >= bytes_of(at, operand)) {
        return false;
    }
    const struct rubric_operand *array = &at->launch->operands[operand];
    bool counts_elements = copied * element_bytes(array->type) == bytes_of(at, operand);
    if (copied > 0 && array->is_in_host_memory && !counts_elements) {
        return false; /* some chunks are left out: the values tell which */
    }
    if (copied > 0) {
        *out_cause = cause_at(arena_printf(at->arena,
                                           "`%s` copies only %" PRIu64 " of the %" PRIu64
                                           " bytes of %s, and no "
                                           "kernel writes there",
                                           at->launch->call, copied, bytes_of(at, operand), name),
                              NULL);
        const struct host_places *places = at->sample->call.copy_places[operand];
        if (places != NULL && places->inner.line > 0) {
            out_cause->file = places->inner.file;
            out_cause->line = places->inner.line;
        }
        out_cause->advice = advise(ADVICE_COPY_BYTES);
        return true;
    }
    if (some_call(at, operand, writes)) {
        return false;
    }
    if (find_unreached_store(at->input, at->arena, at->launch, operand, out_cause)) {
        return true;
    }
    if (other == NULL || (other->bytes > 0 && writes_another(at, operand))) {
        return false;
    }
    *out_cause = cause_at(arena_printf(at->arena, "`%s` never writes to %s, but to %s",
                                       at->launch->call, name, buffer_text(at, other)),
                          other);
    return true;
}

static bool is_unread(const struct looked_at *at, size_t operand, struct cause *out_cause)
{
    const struct other_count *other = busiest(at, false);

    if (other == NULL || some_call(at, operand, reads)) {
        return false;
    }
    *out_cause = cause_at(arena_printf(at->arena, "`%s` never reads %s, but %s", at->launch->call,
                                       at->launch->operands[operand].name, buffer_text(at, other)),
                          other);
    return true;
}

static bool is_ignored(const struct looked_at *at, struct cause *out_cause)
{
    for (size_t i = 0; i < at->launch->operand_count; i++) {
        const struct rubric_operand *operand = &at->launch->operands[i];
        if ((operand->role == OPERAND_INPUT && is_unread(at, i, out_cause)) ||
            (operand_is_result(operand) && is_unwritten(at, i, out_cause))) {
            return true;
        }
    }
    return false;
}

/* A whole program has no buffers but its own. */
static bool judges_buffers(const struct rubric_launch *launch)
{
    return launch->call != NULL && !launch_is_program(launch);
}

bool find_other_buffer(const struct criteria_input *input, struct arena *arena, size_t launch,
                       struct cause *out_cause)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    struct looked_at at = {
        .input = input, .arena = arena, .launch = &input->rubric->launches[launch]};

    for (size_t i = 0; i < run->observation_count && judges_buffers(at.launch); i++) {
        at.observation = &run->observations[i];
        for (size_t k = 0; k < at.observation->sample_count; k++) {
            at.sample = &at.observation->samples[k];
            if (at.sample->counts.is_counted && at.sample->call.launches > 0 &&
                is_ignored(&at, out_cause)) {
                return true;
            }
        }
    }
    return false;
}
