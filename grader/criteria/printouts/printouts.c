/* printouts.c: see printouts.h. */
#include "criteria/printouts/printouts.h"

#include "base/text.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/program_run.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/printouts/printed_span.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_CHARACTERS_MAX = 63, LINES_SHOWN_MAX = 9999 };

/* Bytes of shared memory that no device has. */
static const long long TABLE_BYTES_MAX = 1 << 30;
static const long long TABLE_THREADS_MAX = 1 << 20;

/* Moves behind a prefix; false if the span does not start with it. */
static bool skip_text(struct span *span, const char *prefix)
{
    size_t length = strlen(prefix);

    if (span->length < length || memcmp(span->start, prefix, length) != 0) {
        return false;
    }
    span->start += length;
    span->length -= length;
    *span = span_trimmed(*span);
    return true;
}

/* Reads what stands behind a label; false if it is not one number of the form. */
static bool parse_number(struct arena *arena, enum printout_form form, struct span span,
                         struct printed_number *out_number)
{
    char text[NUMBER_CHARACTERS_MAX + 1] = {0};
    int decimals = 0;

    span = span_trimmed(span);
    if (span.length == 0 || span.length > NUMBER_CHARACTERS_MAX) {
        return false;
    }
    memcpy(text, span.start, span.length);
    size_t end = span_decimal(text, &decimals);
    if (end == 0) {
        return false;
    }
    if (form == PRINTOUT_INTEGER) {
        size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
        if (span_digits(text, sign) != span.length) {
            return false;
        }
    }
    struct span tail = span_trimmed((struct span){text + end, span.length - end});
    bool percentage = form == PRINTOUT_FRACTION && tail.length == 1 && tail.start[0] == '%';
    if (tail.length > 0 && !percentage) {
        return false;
    }
    double scale = percentage ? 0.01 : 1.0;
    double value = strtod(text, NULL) * scale;
    double half_unit = 0.5 * pow(10.0, -decimals) * scale;
    if (!isfinite(value) || !isfinite(half_unit)) {
        return false;
    }
    *out_number = (struct printed_number){
        .value = value,
        .half_unit = half_unit,
        .is_percentage = percentage,
        .text = arena_strdup(arena, text),
    };
    return true;
}

static const char *form_text(const struct rubric_printout *printout)
{
    if (printout->table) {
        return "(<threads>) = <bytes>";
    }
    return printout->form == PRINTOUT_INTEGER ? " <whole number>" : " <number>";
}

/* What must be so before a line is looked for; false with the cause. */
static bool output_is_there(const struct criteria_input *input, struct arena *arena,
                            size_t printout, struct cause *out_cause)
{
    const struct rubric_printout *wanted = &input->rubric->printouts[printout];
    size_t program = wanted->program;
    const struct program_run run = run_of_printout(input, printout);
    const struct program_activity *activity = run.activity;

    if (precondition_build(input, arena, program, out_cause)) {
        return false;
    }
    if (precondition_template(input, arena, program, CODE_NO_PRINTOUT_YET, out_cause)) {
        const char *file = out_cause->file[0] != '\0' ? out_cause->file : "the program";
        const char *line = arena_printf(arena, "%s%s", wanted->label, form_text(wanted));
        out_cause->advice = (struct advice){wanted->table ? ADVICE_FIRST_STEP_OF_TABLE
                                                          : ADVICE_FIRST_STEP_OF_PRINTOUT,
                                            {file, line}};
        return false;
    }
    if (precondition_fixed_size(input, arena, program, out_cause)) {
        return false;
    }
    if (activity->protocol_broken || activity->end.ending == ENDING_OUTPUT_LIMIT) {
        return !precondition_run(arena, &run, out_cause);
    }
    return true;
}

/* Moves behind a letter or digit of a label, whatever its case; false if another stands there. */
static bool skip_label_character(struct span *span, char wanted)
{
    if (span->length == 0 ||
        tolower((unsigned char)span->start[0]) != tolower((unsigned char)wanted)) {
        return false;
    }
    span->start++;
    span->length--;
    return true;
}

static void skip_separators(struct span *span)
{
    while (span->length > 0 &&
           (span_is_blank(span->start[0]) || span->start[0] == '_' || span->start[0] == '-')) {
        span->start++;
        span->length--;
    }
}

/* Moves behind the letters and digits of a label, in any case and spacing; false if they do not
 * stand at the front, as words of their own. */
static bool skip_label_words(struct span *span, const char *label)
{
    struct span rest = *span;

    for (; *label != '\0'; label++) {
        if (!isalnum((unsigned char)*label)) {
            continue;
        }
        if (rest.start != span->start) {
            skip_separators(&rest);
        }
        if (!skip_label_character(&rest, *label)) {
            return false;
        }
    }
    if (rest.start == span->start || (rest.length > 0 && isalpha((unsigned char)rest.start[0]))) {
        return false;
    }
    *span = rest;
    return true;
}

static bool has_digit(struct span span)
{
    size_t i = 0;

    while (i < span.length && !isdigit((unsigned char)span.start[i])) {
        i++;
    }
    return i < span.length;
}

/* Moves behind the first place where the words of a label stand; false if there is none. */
static bool find_label_words(struct span *span, const char *label)
{
    for (size_t i = 0; i < span->length; i++) {
        struct span rest = {span->start + i, span->length - i};
        bool is_in_word = i > 0 && isalnum((unsigned char)span->start[i - 1]);
        if (!is_in_word && skip_label_words(&rest, label)) {
            *span = rest;
            return true;
        }
    }
    return false;
}

bool holds_label_words(const char *text, size_t length, const char *label)
{
    struct span span = {text, length};

    return find_label_words(&span, label);
}

/* True if a line holds the words of the label and a number behind them. */
static bool is_near_label(struct span line, const char *label)
{
    return find_label_words(&line, label) && has_digit(line);
}

/* Lines with the label: exactly so at their front, so in any case of letters, or with its words. */
struct label_lines {
    size_t count;
    struct span first;   /* the first line that has it exactly */
    struct span similar; /* the first that has it in another case; length 0: none */
    struct span near;    /* the first that has its words and a number; length 0: none */
    size_t near_count;   /* lines that have them, not exactly at their front */
};

static struct label_lines find_label(struct span output, const char *label)
{
    struct label_lines found = {0};
    struct span line;

    while (span_next_line(&output, &line)) {
        struct span rest = span_trimmed(line);
        bool similar =
            rest.length >= strlen(label) && strncasecmp(rest.start, label, strlen(label)) == 0;
        bool is_exact = skip_text(&rest, label);
        bool is_near = !is_exact && is_near_label(line, label);

        found.near_count += is_near ? 1 : 0;
        if (is_exact) {
            found.first = found.count++ == 0 ? line : found.first;
        } else if (similar && found.similar.length == 0) {
            found.similar = line;
        } else if (found.near.length == 0 && is_near) {
            found.near = line;
        }
    }
    return found;
}

/* Why no line begins with the label: the run went wrong, or it is not printed. */
static struct cause missing_cause(const struct criteria_input *input, struct arena *arena,
                                  size_t index, const struct label_lines *found)
{
    const struct rubric_printout *printout = &input->rubric->printouts[index];
    const struct program_run run = run_of_printout(input, index);
    const struct program_activity *activity = run.activity;
    struct cause blocked;

    if (precondition_run(arena, &run, &blocked) || precondition_early_end(arena, &run, &blocked)) {
        return blocked;
    }
    const char *expected = arena_printf(arena, "`%s%s`", printout->label, form_text(printout));
    struct label_lines errors =
        find_label((struct span){activity->errors, activity->errors_length}, printout->label);
    struct cause cause =
        cause_advised(CODE_PRINTOUT_MISSING, arena_printf(arena, "no line %s is printed", expected),
                      advise_on(ADVICE_PRINT_LINE, expected));

    cause.subject = (struct subject){.kind = SUBJECT_PRINTOUT, .printout = printout};
    if (found->similar.length > 0) {
        cause.subject.line = span_quoted(arena, found->similar);
        cause.message =
            arena_printf(arena, "expected a line %s, got %s", expected, cause.subject.line);
        cause.advice = advise_on(ADVICE_EXACT_LABEL, printout->label);
    } else if (found->near.length > 0) {
        cause.subject.line = span_quoted(arena, found->near);
        cause.message =
            arena_printf(arena, "expected a line %s, got %s", expected, cause.subject.line);
        cause.advice = advise_on(ADVICE_BEGIN_WITH_LABEL, printout->label);
    } else if (errors.count > 0) {
        cause.advice = advise(ADVICE_STANDARD_OUTPUT);
    }
    return cause;
}

/* Calls whose answers printouts are made of begin so. */
static bool asks_for_facts(const struct call_error *error)
{
    static const char *const names[] = {"cudaOccupancy", "cudaFunc", "cudaGetDevice",
                                        "cudaDeviceGet"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(error->call, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

bool printout_rests_on_failure(const struct criteria_input *input, struct arena *arena,
                               size_t printout, struct cause *out_cause)
{
    struct program_run run = run_of_printout(input, printout);
    struct program_activity activity = *run.activity;
    struct call_error *errors =
        arena_array(arena, run.activity->call_error_count + 1, sizeof *errors);

    activity.call_errors = errors;
    activity.call_error_count = 0;
    for (size_t i = 0; i < run.activity->call_error_count; i++) {
        const struct call_error *error = &run.activity->call_errors[i];
        if (error->is_launch || asks_for_facts(error)) {
            errors[activity.call_error_count++] = *error;
        }
    }
    activity.end = (struct program_end){.ending = ENDING_EXITED};
    activity.ended_early = false;
    run.activity = &activity;
    return precondition_run(arena, &run, out_cause);
}

/* "nan" and "inf" are what comes of a division by what a failed call has not written. */
static bool is_not_finite(struct span span)
{
    if (span.length > 0 && (span.start[0] == '-' || span.start[0] == '+')) {
        span.start++;
        span.length--;
    }
    return span.length >= 3 &&
           (strncasecmp(span.start, "nan", 3) == 0 || strncasecmp(span.start, "inf", 3) == 0);
}

/* Moves to the number of a line that holds the words of the label anywhere. */
static struct span behind_words(struct span line, const char *label)
{
    static const char *const links[] = {":", "=", "of", "is", ":", "="};

    find_label_words(&line, label);
    line = span_trimmed(line);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        skip_text(&line, links[i]);
    }
    bool has_stop = line.length > 1 && line.start[line.length - 1] == '.' &&
                    !isdigit((unsigned char)line.start[line.length - 2]);
    line.length -= has_stop ? 1 : 0;
    return span_trimmed(line);
}

/* Finds the line of a printout and what stands behind its label; false with the cause. */
static bool find_line(const struct criteria_input *input, struct arena *arena, size_t printout,
                      struct span *out_line, struct span *out_rest, struct cause *out_cause)
{
    const struct rubric_printout *wanted = &input->rubric->printouts[printout];
    const struct program_activity *activity = &input->evidence->print_runs[printout].activity;
    struct label_lines found =
        find_label((struct span){activity->output, activity->output_length}, wanted->label);
    const bool is_anywhere = wanted->is_anywhere && found.count == 0;
    const size_t count = is_anywhere ? found.near_count : found.count;

    if (count == 0) {
        *out_cause = missing_cause(input, arena, printout, &found);
        return false;
    }
    if (count > 1) {
        *out_cause = cause_make(CODE_PRINTOUT_REPEATED,
                                arena_printf(arena, "`%s` is printed in %zu lines, expected one",
                                             wanted->label,
                                             count < LINES_SHOWN_MAX ? count : LINES_SHOWN_MAX));
        return false;
    }
    if (is_anywhere) {
        *out_line = found.near.length > 0 ? found.near : found.similar;
        *out_rest = behind_words(*out_line, wanted->label);
        return true;
    }
    *out_line = found.first;
    *out_rest = span_trimmed(found.first);
    skip_text(out_rest, wanted->label);
    return true;
}

bool read_printout(const struct criteria_input *input, struct arena *arena, size_t printout,
                   struct printed_number *out_number, struct cause *out_cause)
{
    const struct rubric_printout *wanted = &input->rubric->printouts[printout];
    struct span line, rest;

    if (!output_is_there(input, arena, printout, out_cause) ||
        !find_line(input, arena, printout, &line, &rest, out_cause)) {
        return false;
    }
    if (!parse_number(arena, wanted->form, rest, out_number)) {
        if (is_not_finite(rest) && printout_rests_on_failure(input, arena, printout, out_cause)) {
            return false;
        }
        bool comma = memchr(rest.start, ',', rest.length) != NULL;
        *out_cause =
            cause_advised(CODE_PRINTOUT_MALFORMED,
                          arena_printf(arena, "expected `%s%s`, got %s", wanted->label,
                                       form_text(wanted), span_quoted(arena, line)),
                          advise(comma                              ? ADVICE_DECIMAL_POINT
                                 : wanted->form == PRINTOUT_INTEGER ? ADVICE_ONLY_WHOLE_NUMBER
                                                                    : ADVICE_ONLY_NUMBER));
        return false;
    }
    return true;
}

/* Takes a whole number of digits from the front. */
static bool take_integer(struct span *span, long long maximum, long long *out_value)
{
    char digits[24] = {0};
    size_t length = 0;

    while (length < span->length && length < sizeof digits - 1 &&
           isdigit((unsigned char)span->start[length])) {
        digits[length] = span->start[length];
        length++;
    }
    if (!text_to_integer(digits, 0, maximum, out_value)) {
        return false;
    }
    *span = span_trimmed((struct span){span->start + length, span->length - length});
    return true;
}

/* "(32) = 256", behind the label. */
static bool parse_row(struct span rest, long long *out_threads, long long *out_bytes)
{
    return skip_text(&rest, "(") && take_integer(&rest, TABLE_THREADS_MAX, out_threads) &&
           skip_text(&rest, ")") && skip_text(&rest, "=") &&
           take_integer(&rest, TABLE_BYTES_MAX, out_bytes) && rest.length == 0;
}

bool printed_table_find(const struct printed_table *table, uint64_t threads, uint64_t *out_bytes)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].threads == threads) {
            *out_bytes = table->rows[i].bytes;
            return true;
        }
    }
    return false;
}

/* Adds a line to the table; false with the cause if it is malformed or contradicts another. */
static bool add_row(struct arena *arena, struct printed_table *table, size_t *capacity,
                    struct span line, struct cause *out_cause)
{
    struct span rest = span_trimmed(line);
    long long threads = 0;
    long long bytes = 0;
    uint64_t earlier = 0;

    skip_text(&rest, table->label);
    if (!parse_row(rest, &threads, &bytes)) {
        *out_cause = cause_advised(
            CODE_PRINTOUT_MALFORMED,
            arena_printf(arena, "expected `%s(<threads>) = <bytes>` with whole numbers, got %s",
                         table->label, span_quoted(arena, line)),
            advise_on(ADVICE_BYTES_NOT_NEGATIVE, table->label));
        return false;
    }
    if (printed_table_find(table, (uint64_t)threads, &earlier)) {
        if (earlier != (uint64_t)bytes) {
            *out_cause = cause_advised(
                CODE_PRINTOUT_REPEATED,
                arena_printf(arena, "`%s(%lld)` is printed twice, with %llu and with %lld",
                             table->label, threads, (unsigned long long)earlier, bytes),
                advise_on(ADVICE_SAME_BYTES, table->label));
            return false;
        }
        return true;
    }
    arena_grow(arena, &table->rows, capacity, table->count + 1, sizeof *table->rows);
    table->rows[table->count].threads = (uint32_t)threads;
    table->rows[table->count].bytes = (uint32_t)bytes;
    table->count++;
    return true;
}

bool read_printed_table(const struct criteria_input *input, struct arena *arena, size_t printout,
                        struct printed_table *out_table, struct cause *out_cause)
{
    const struct rubric_printout *wanted = &input->rubric->printouts[printout];
    const struct program_activity *activity = &input->evidence->print_runs[printout].activity;
    struct span output = {activity->output, activity->output_length};
    struct printed_table table = {.label = wanted->label};
    struct span line;
    size_t capacity = 0;

    if (!output_is_there(input, arena, printout, out_cause)) {
        return false;
    }
    while (span_next_line(&output, &line)) {
        struct span rest = span_trimmed(line);
        if (skip_text(&rest, wanted->label) &&
            !add_row(arena, &table, &capacity, line, out_cause)) {
            out_cause->subject = (struct subject){.kind = SUBJECT_PRINTOUT, .printout = wanted};
            return false;
        }
    }
    if (table.count == 0) {
        struct label_lines found =
            find_label((struct span){activity->output, activity->output_length}, wanted->label);
        *out_cause = missing_cause(input, arena, printout, &found);
        return false;
    }
    *out_table = table;
    return true;
}
