/* value_mark.c: see value_mark.h. */
#include "diagnosis/dataflow/value_mark.h"

#include "criteria/program_source.h"
#include "diagnosis/patterns/result_explanation.h"
#include "diagnosis/patterns/stored_values.h"
#include "source/source_index.h"
#include "source/source_line.h"

#include <ctype.h>
#include <string.h>

/* How many of the bytes belong to one name or number. */
static size_t name_length(const char *bytes, size_t count)
{
    size_t length = 0;

    while (length < count && (isalnum((unsigned char)bytes[length]) || bytes[length] == '_')) {
        length++;
    }
    return length;
}

/* The columns of the second argument of the atomicAdd() that starts at a column. */
static bool find_added(const struct source_file *source, int line, int column, int *out_column,
                       int *out_end)
{
    static const char call[] = "atomicAdd(";
    struct source_line found;
    size_t first = 0;
    int depth = 1;

    if (column < 1 || !source_line_at(source, line, &found) ||
        (size_t)column + strlen(call) > found.length ||
        strncmp(found.bytes + column - 1, call, strlen(call)) != 0) {
        return false;
    }
    for (size_t i = (size_t)column - 1 + strlen(call); i < found.length; i++) {
        const char c = found.bytes[i];
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth == 1) {
            first = i + 1;
            while (first < found.length && found.bytes[first] == ' ') {
                first++;
            }
        } else if (depth == 0) {
            *out_column = (int)first + 1;
            *out_end = (int)i + 1;
            return first > 0 && first < i;
        }
    }
    return false;
}

static void say_added(struct arena *arena, const struct rubric_operand *output,
                      const struct stored_facts *facts, const char *name, struct cause *cause)
{
    cause->label = arena_printf(arena, "is added to %s", name);
    result_set_hint(cause, arena_printf(arena,
                                        "all elements of %s together are %.0f instead of %.0f, "
                                        "which no other index changes: check what is added at the "
                                        "mark, and how often",
                                        output->name, facts->got, facts->expected));
}

static void say_stored(struct arena *arena, const struct rubric_operand *output,
                       const struct stored_facts *facts, struct cause *cause)
{
    const char *why =
        facts->count == 1
            ? arena_printf(arena, "%s has one element, so that its index is not at fault",
                           output->name)
            : arena_printf(arena,
                           "each element of %s is stored once, and the values are not right in "
                           "any order: the index is not at fault",
                           output->name);

    result_set_hint(cause, facts->kind == STORED_WRONG_ALONE
                               ? arena_printf(arena,
                                              "%s; nothing is read for it: check how the value at "
                                              "the mark comes of the thread's indices and of the "
                                              "arguments",
                                              why)
                               : arena_printf(arena,
                                              "%s; check the value at the mark, and what it is "
                                              "computed from",
                                              why));
}

/* The bytes of "(unsigned char)" at `at`, if all words in the brackets are of integer types, or 0.
 */
static size_t integer_cast(const char *bytes, size_t at, size_t end)
{
    static const char *const words[] = {"unsigned", "signed", "char",    "short",   "int",
                                        "long",     "int8_t", "uint8_t", "uint16_t"};
    size_t i = at + 1;

    while (bytes[at] == '(' && i < end && bytes[i] != ')') {
        const size_t length = name_length(bytes + i, end - i);
        bool is_known = false;
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
            is_known = is_known ||
                       (strlen(words[j]) == length && strncmp(bytes + i, words[j], length) == 0);
        }
        if (!is_known) {
            return 0;
        }
        i += length;
        i += i < end && bytes[i] == ' ' ? 1 : 0;
    }
    return bytes[at] == '(' && i < end && i > at + 1 ? i + 1 - at : 0;
}

/* Marks a number with a fraction that a cast alone makes a whole one: (int)0.5f * x. */
static bool mark_cast_number(const struct source_file *source, struct arena *arena, int first,
                             int last, struct cause *cause)
{
    struct source_line line;

    if (!source_line_at(source, cause->line, &line)) {
        return false;
    }
    const size_t end = (size_t)last - 1 < line.length ? (size_t)last - 1 : line.length;
    for (size_t i = (size_t)first - 1; i < end; i++) {
        const size_t start = i + integer_cast(line.bytes, i, end);
        size_t at = start;
        double value = 0.0;
        double digit = 1.0;
        for (; start > i && at < end && line.bytes[at] >= '0' && line.bytes[at] <= '9'; at++) {
            value = value * 10.0 + (line.bytes[at] - '0');
        }
        if (at == start || at == end || line.bytes[at] != '.' || value > 1e6) {
            continue;
        }
        const double whole = value;
        for (at++; at < end && line.bytes[at] >= '0' && line.bytes[at] <= '9'; at++) {
            digit /= 10.0;
            value += digit * (line.bytes[at] - '0');
        }
        at += at < end && line.bytes[at] == 'f' ? 1 : 0;
        if (value > whole && (at == end || name_length(line.bytes + at, end - at) == 0)) {
            const char *text = arena_strndup(arena, line.bytes + i, at - i);
            cause->column = (int)i + 1;
            cause->mark_end = (int)at + 1;
            cause->label = arena_printf(arena, "is %.0f", whole);
            cause->hint = arena_printf(arena,
                                       "`%s` is %.0f: a cast applies only to what stands right "
                                       "after it; put what is to be converted in brackets",
                                       text, whole);
            return true;
        }
    }
    return false;
}

void mark_stored_value(const struct criteria_input *input, struct arena *arena, const char *name,
                       bool is_computed, struct cause *cause)
{
    if (cause->subject.kind != SUBJECT_RESULT) {
        return;
    }
    const struct wrong_result *results = cause->subject.result;
    const struct rubric_operand *output = &results->launch->operands[results->output];
    const struct stored_facts facts = stored_values_find(results);
    struct source_index *index = program_source_index(input, arena);
    const struct source_file *source =
        index == NULL ? NULL : source_index_find(index, cause->file, strlen(cause->file));
    int column = 0;
    int end = 0;

    if (source == NULL) {
        return;
    }
    if (facts.kind == STORED_ADDED) {
        if (!find_added(source, cause->line, cause->column, &column, &end)) {
            return;
        }
        say_added(arena, output, &facts, name, cause);
    } else if (is_computed || facts.kind != STORED_ANYHOW) {
        if (!source_find_value(source, cause->line, cause->column, &column, &end)) {
            return;
        }
        cause->label =
            is_computed
                ? arena_printf(arena,
                               "the value of %s, made of the elements that it needs and no others",
                               name)
                : arena_printf(arena, "the value of %s, which is wrong", name);
        if (!is_computed) {
            say_stored(arena, output, &facts, cause);
        }
    } else {
        return;
    }
    if (!mark_cast_number(source, arena, column, end, cause)) {
        cause->column = column;
        cause->mark_end = end;
    }
}
