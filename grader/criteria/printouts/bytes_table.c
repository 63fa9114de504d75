/* bytes_table.c: see bytes_table.h. */
#include "criteria/printouts/bytes_table.h"

#include "base/text.h"
#include "criteria/case_text.h"
#include "criteria/launch_parameters.h"
#include "criteria/outcome.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Names longer than any that has a value stay as they are. */
enum { NAME_MAX_LENGTH = 31 };

/* By how much a count of elements may be above what is needed (a halo, padding), as a share. */
static const double ELEMENTS_MORE = 0.25;

/* A block of `block width` columns and rows: what the table gives for it, and what it needs. */
struct square {
    int64_t block_width;
    uint64_t threads;
    uint64_t bytes;
    double least;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Appends a name's value; false if it has none. */
static bool append_value(struct text *out, const char *name, size_t length,
                         const struct case_scope *scope)
{
    char copy[NAME_MAX_LENGTH + 1] = {0};
    struct case_scope of = *scope;
    double value = 0.0;

    if (length > NAME_MAX_LENGTH) {
        return false;
    }
    memcpy(copy, name, length);
    if (!case_lookup(&of, copy, &value)) {
        return false;
    }
    text_printf(out, "%.15g", value);
    return true;
}

/* The expression with values in the place of names. */
static void append_with_values(struct text *out, const char *text, const struct case_scope *scope)
{
    while (*text != '\0') {
        size_t length = 0;
        while (is_word(text[length])) {
            length++;
        }
        bool is_name = length > 0 && !isdigit((unsigned char)*text) && *text != '.';
        if (!is_name || !append_value(out, text, length, scope)) {
            length = length > 0 ? length : 1;
            text_append_bytes(out, text, length);
        }
        text += length;
    }
}

const char *bytes_needed_text(struct arena *arena, const struct rubric_launch *launch,
                              const struct expression *minimum, const struct case_scope *scope,
                              double least)
{
    const bool is_of_vectors = launch_is_of_vectors(launch);
    const int64_t count = is_of_vectors ? scope->threads : scope->block;
    struct text text;

    text_init(&text);
    text_printf(&text, "at least %.0f are needed for a block of %" PRId64 " %s%s (", least, count,
                is_of_vectors ? "thread" : "column", count == 1 ? "" : "s");
    append_with_values(&text, expression_text(minimum), scope);
    text_append_char(&text, ')');
    const char *copy = arena_strndup(arena, text.bytes, text.length);
    text_release(&text);
    return copy;
}

/* "sizeof(float)", as the source would write it: of the one type that all operands have. */
static const char *element_size_text(struct arena *arena, const struct rubric_launch *launch)
{
    for (size_t i = 1; i < launch->operand_count; i++) {
        if (launch->operands[i].type != launch->operands[0].type) {
            return "the size of one";
        }
    }
    return launch->operand_count == 0
               ? "the size of one"
               : arena_printf(arena, "sizeof(%s)", element_facts(launch->operands[0].type)->c_name);
}

struct advice bytes_advice(struct arena *arena, const struct rubric_launch *launch, uint64_t bytes,
                           double least)
{
    const char *size = element_size_text(arena, launch);
    const double element =
        launch->operand_count > 0 ? (double)element_bytes(launch->operands[0].type) : 0.0;
    const double as_elements = (double)bytes * element;

    if (bytes > 0 && (double)bytes * 2.0 == least) {
        return advise_on(ADVICE_HALF_THE_BYTES, size);
    }
    if (as_elements >= least && as_elements <= least * (1.0 + ELEMENTS_MORE)) {
        return (struct advice){ADVICE_BYTES_NOT_ELEMENTS,
                               {size, arena_printf(arena, "%" PRIu64, bytes)}};
    }
    return advise_on(ADVICE_BYTES_OF_ALL_ARRAYS, size);
}

static bool find_square(const struct rubric_criterion *criterion, const struct printed_table *table,
                        int64_t block_width, struct square *out_square)
{
    struct case_scope scope = {.block = block_width, .threads = block_width * block_width};

    *out_square = (struct square){.block_width = block_width,
                                  .threads = (uint64_t)(block_width * block_width)};
    return printed_table_find(table, out_square->threads, &out_square->bytes) &&
           expression_evaluate(criterion->minimum_bytes, case_lookup, &scope, &out_square->least,
                               NULL);
}

static struct cause too_few(struct arena *arena, const struct rubric_launch *launch,
                            const struct rubric_criterion *criterion,
                            const struct printed_table *table, const struct square *square)
{
    const struct case_scope scope = {.block = square->block_width,
                                     .threads = (int64_t)square->threads};

    return cause_advised(CODE_WRONG_BYTE_COUNT,
                         arena_printf(arena, "%s(%" PRIu64 ") gives %" PRIu64 " bytes, %s",
                                      table->label, square->threads, square->bytes,
                                      bytes_needed_text(arena, launch, criterion->minimum_bytes,
                                                        &scope, square->least)),
                         square->bytes == 0
                             ? advise_on(ADVICE_BYTES_FOR_SQUARE, table->label)
                             : bytes_advice(arena, launch, square->bytes, square->least));
}

static struct cause not_growing(struct arena *arena, const struct printed_table *table,
                                const struct square *smallest, const struct square *largest)
{
    const struct advice advice = advise_on(ADVICE_BYTES_FROM_THREADS, table->label);

    if (smallest->bytes == largest->bytes) {
        return cause_advised(
            CODE_WRONG_BYTE_COUNT,
            arena_printf(arena,
                         "%s gives %" PRIu64 " bytes for %" PRIu64 " threads and for %" PRIu64
                         ": it must depend on the number of threads",
                         table->label, smallest->bytes, smallest->threads, largest->threads),
            advice);
    }
    return cause_advised(CODE_WRONG_BYTE_COUNT,
                         arena_printf(arena,
                                      "%s gives %" PRIu64 " bytes for %" PRIu64
                                      " threads, but only %" PRIu64 " for %" PRIu64
                                      ": more threads need more bytes",
                                      table->label, smallest->bytes, smallest->threads,
                                      largest->bytes, largest->threads),
                         advice);
}

static bool find_cause(struct arena *arena, const struct rubric_criterion *criterion,
                       const struct rubric_launch *launch, const struct printed_table *table,
                       struct cause *out_cause)
{
    struct square smallest = {.block_width = INT64_MAX};
    struct square largest = {.block_width = 0};

    for (size_t i = 0; i < launch->block_count; i++) {
        struct square square;
        if (!find_square(criterion, table, launch->blocks[i], &square)) {
            continue;
        }
        if ((double)square.bytes < square.least) {
            *out_cause = too_few(arena, launch, criterion, table, &square);
            return true;
        }
        smallest = square.block_width < smallest.block_width ? square : smallest;
        largest = square.block_width > largest.block_width ? square : largest;
    }
    if (smallest.block_width >= largest.block_width || smallest.least >= largest.least ||
        smallest.bytes < largest.bytes) {
        return false;
    }
    *out_cause = not_growing(arena, table, &smallest, &largest);
    return true;
}

bool bytes_table_is_wrong(const struct criteria_input *input, struct arena *arena,
                          const struct rubric_criterion *criterion,
                          const struct printed_table *table, struct cause *out_cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[criterion->launch];

    if (criterion->minimum_bytes == NULL ||
        !find_cause(arena, criterion, launch, table, out_cause)) {
        return false;
    }
    out_cause->subject = (struct subject){
        .kind = SUBJECT_FUNCTION, .program = launch->program, .name = table->label};
    return true;
}
