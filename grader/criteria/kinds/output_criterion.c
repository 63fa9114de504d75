/* output_criterion.c: the criterion `output`: a program prints what is expected.
 *
 * The program's own word: it may print what no kernel computed. So this is for programs that no
 * observed launch or judged call can judge, and the verdict says so. Blanks at the end of a line
 * and empty lines at the end do not count. With a tolerance lines are compared word by word, and
 * words that are numbers may differ by it.
 */
#include "criteria/outcome.h"

#include "base/text.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/program_run.h"
#include "criteria/printouts/printed_span.h"
#include "model/braces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_CHARACTERS_MAX = 63 };

/* The lines that are expected: of the rubric, or of the reference solution's output. */
struct expectation {
    const char *const *lines; /* [count]; NULL: */
    size_t count, taken;
    struct span rest;
};

/* Without blanks at its end. */
static struct span ended(struct span line)
{
    while (line.length > 0 && span_is_blank(line.start[line.length - 1])) {
        line.length--;
    }
    return line;
}

/* What a run printed, or wrote to the file, without blanks and empty lines at its end. */
static struct span output_of(const struct print_run *run, const struct rubric_printout *printout)
{
    struct span output = {run->activity.output, run->activity.output_length};

    if (printout->file != NULL) {
        output = (struct span){text_or_empty(run->file), run->file_length};
    }

    while (output.length > 0 && (output.start[output.length - 1] == '\n' ||
                                 span_is_blank(output.start[output.length - 1]))) {
        output.length--;
    }
    return output;
}

static bool next_expected(struct expectation *expectation, struct span *out_line)
{
    if (expectation->lines == NULL) {
        return span_next_line(&expectation->rest, out_line);
    }
    if (expectation->taken == expectation->count) {
        return false;
    }
    const char *line = expectation->lines[expectation->taken++];
    *out_line = (struct span){line, strlen(line)};
    return true;
}

/* Takes the next word; false at the end of the line. */
static bool next_word(struct span *rest, struct span *out_word)
{
    *rest = span_trimmed(*rest);
    *out_word = (struct span){rest->start, 0};
    while (out_word->length < rest->length && !span_is_blank(rest->start[out_word->length])) {
        out_word->length++;
    }
    rest->start += out_word->length;
    rest->length -= out_word->length;
    return out_word->length > 0;
}

static bool number_of(struct span word, double *out_number)
{
    char text[NUMBER_CHARACTERS_MAX + 1] = {0};
    int decimals = 0;

    if (word.length > NUMBER_CHARACTERS_MAX) {
        return false;
    }
    memcpy(text, word.start, word.length);
    *out_number = strtod(text, NULL);
    return span_decimal(text, &decimals) == word.length && isfinite(*out_number);
}

static bool same_text(struct span left, struct span right)
{
    return left.length == right.length && memcmp(left.start, right.start, left.length) == 0;
}

static bool same_line(struct span got, struct span expected, double tolerance)
{
    struct span word, wanted;

    if (tolerance <= 0.0) {
        return same_text(ended(got), ended(expected));
    }
    while (next_word(&expected, &wanted)) {
        double number = 0.0;
        double near = 0.0;
        if (!next_word(&got, &word)) {
            return false;
        }
        if (!same_text(word, wanted) &&
            !(number_of(word, &number) && number_of(wanted, &near) &&
              fabs(number - near) <= tolerance * fmax(1.0, fabs(near)))) {
            return false;
        }
    }
    return !next_word(&got, &word);
}

/* What differs first; NULL if nothing does. *out_lines are those that agree. */
static const char *difference(struct arena *arena, struct span output,
                              struct expectation *expectation, double tolerance, size_t *out_lines)
{
    struct span got, expected;
    size_t lines = 0;

    for (;; lines++) {
        const bool has_more = next_expected(expectation, &expected);
        const bool is_there = span_next_line(&output, &got);
        if (has_more && is_there && same_line(got, expected, tolerance)) {
            continue;
        }
        *out_lines = lines;
        if (has_more && is_there) {
            return arena_printf(arena, "line %zu is %s, expected %s", lines + 1,
                                span_quoted(arena, got), span_quoted(arena, expected));
        }
        if (has_more && span_trimmed(expected).length > 0) {
            return arena_printf(arena, "line %zu is missing, expected %s", lines + 1,
                                span_quoted(arena, expected));
        }
        if (is_there) {
            return arena_printf(arena, "line %zu is one too many: %s", lines + 1,
                                span_quoted(arena, got));
        }
        if (!has_more) {
            return NULL;
        }
    }
}

/* What is expected for the numbers of the case. */
static const char *const *filled_lines(const struct rubric *rubric, struct arena *arena,
                                       const struct rubric_criterion *criterion,
                                       const struct print_run *printed)
{
    const char **lines = arena_array(arena, criterion->expected_count + 1, sizeof *lines);

    for (size_t i = 0; i < criterion->expected_count; i++) {
        lines[i] = text_or_empty(
            braces_fill_case(arena, rubric, printed->parameters, criterion->expected[i]));
    }
    return lines;
}

void output_criterion_judge(const struct criteria_input *input, struct arena *arena,
                            struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct rubric_printout *printout = &input->rubric->printouts[criterion->printout];
    const struct print_run *printed = &input->evidence->print_runs[criterion->printout];
    const struct program_run run = run_of_printout(input, criterion->printout);
    struct expectation expectation = {criterion->expected, criterion->expected_count, 0, {"", 0}};
    struct cause cause;
    size_t lines = 0;

    if (printout->has_case && criterion->expected != NULL) {
        expectation.lines = filled_lines(input->rubric, arena, criterion, printed);
    }
    if (precondition_build(input, arena, run.program, &cause) ||
        precondition_template(input, arena, run.program, CODE_TEMPLATE_UNCHANGED, &cause) ||
        precondition_run(arena, &run, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (criterion->needs_reference) {
        const struct print_run *runs = input->evidence->reference_print_runs;
        if (runs == NULL || !runs[criterion->printout].activity.ran) {
            outcome_skip(verdict, "needs the solution",
                         "the output is compared with the reference solution's, which is not here");
            return;
        }
        expectation.rest = output_of(&runs[criterion->printout], printout);
    }
    verdict_add_text(verdict, "rests_on",
                     printout->file == NULL ? "what the program prints"
                                            : "what the program writes");
    if (printout->file != NULL && printed->file == NULL) {
        cause = cause_make(CODE_OUTPUT_DIFFERS,
                           arena_printf(arena,
                                        "`%s` is not written, or is no plain file of a size "
                                        "that an output may have",
                                        printout->file));
        outcome_fail(verdict, &cause, "no file");
        return;
    }
    const char *different =
        difference(arena, output_of(printed, printout), &expectation, criterion->tolerance, &lines);
    verdict_add_integer(verdict, "lines", (int64_t)lines);
    if (different != NULL) {
        cause = cause_make(CODE_OUTPUT_DIFFERS, different);
        outcome_fail(verdict, &cause, "other output");
        return;
    }
    outcome_pass(verdict, arena_printf(arena, "%zu line%s, by the program's own word", lines,
                                       lines == 1 ? "" : "s"));
}
