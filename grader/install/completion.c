/* completion.c: see completion.h. The kind of an argument is told by the capital words of the usage
 * line ("[DIR|ARCHIVE]", "FILE|-"), which stand in one table below. */
#include "install/completion.h"

#include <string.h>

/* A word of a usage line, and what stands for it; the first row that occurs in the argument counts.
 */
static const struct {
    const char *word;
    enum completion_kind kind;
} kinds[] = {
    {"RUBRIC", COMPLETES_COURSEWORKS_OR_FILES},
    {"COURSEWORK", COMPLETES_COURSEWORKS},
    {"COMMAND", COMPLETES_COMMANDS},
    {"CODE", COMPLETES_CODES},
    {"FILE", COMPLETES_FILES},
    {"ARCHIVE", COMPLETES_FILES},
    {"PROGRAM", COMPLETES_FILES},
    {"SCORE", COMPLETES_FILES},
    {"ARGS", COMPLETES_FILES},
    {"DIR", COMPLETES_FOLDERS},
    {"RESULTS", COMPLETES_FOLDERS},
    {"SUBMISSIONS", COMPLETES_FOLDERS},
};

static const char *const gpu_models[] = {
#define GPU_MODEL(name, ...) name,
#include "occupancy/gpu_models.def"
#undef GPU_MODEL
};

/* The row of no code has an empty id; its blank is the first. */
static const char codes[] =
#define CODE(name, id, word, cause, title, hint) id " "
#include "model/codes.def"
#undef CODE
    ;

static bool is_in(const char *argument, size_t length, const char *word)
{
    size_t own = strlen(word);

    for (size_t i = 0; i + own <= length; i++) {
        if (memcmp(argument + i, word, own) == 0) {
            return true;
        }
    }
    return false;
}

static enum completion_kind kind_of(const char *argument, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (is_in(argument, length, kinds[i].word)) {
            return kinds[i].kind;
        }
    }
    return COMPLETES_NOTHING;
}

enum completion_kind completion_of_option(const struct option_row *row)
{
    if (row->choices[0] != '\0') {
        return COMPLETES_CHOICES;
    }
    if (strcmp(row->name, "coursework") == 0) {
        return COMPLETES_COURSEWORKS;
    }
    if (strcmp(row->name, "gpu-model") == 0) {
        return COMPLETES_GPU_MODELS;
    }
    return kind_of(row->argument, strlen(row->argument));
}

size_t completion_arguments(const struct command_row *row)
{
    size_t count = 0;

    for (const char *at = row->arguments; *at != '\0'; at += strspn(at, " ")) {
        at += strcspn(at, " ");
        count++;
    }
    return count;
}

enum completion_kind completion_of_argument(const struct command_row *row, size_t index)
{
    const char *at = row->arguments;
    size_t count = completion_arguments(row);

    if (count == 0) {
        return COMPLETES_NOTHING;
    }
    for (size_t i = 0; i < index && i + 1 < count; i++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return kind_of(at, strcspn(at, " "));
}

/* Appends a list whose words are followed by blanks, without those at its ends. */
static void append_list(const char *list, struct text *out)
{
    const char *start = list + strspn(list, " ");
    size_t length = strlen(start);

    while (length > 0 && start[length - 1] == ' ') {
        length--;
    }
    text_append_bytes(out, start, length);
}

/* The blanks within their names are escaped in the same way for all shells. */
static void append_models(struct text *out)
{
    for (size_t i = 0; i < sizeof gpu_models / sizeof gpu_models[0]; i++) {
        text_append(out, i == 0 ? "" : " ");
        for (const char *at = gpu_models[i]; *at != '\0'; at++) {
            text_append(out, *at == ' ' ? "\\" : "");
            text_append_char(out, *at);
        }
    }
}

void completion_append_words(enum completion_kind kind, const struct option_row *row,
                             const struct completion_words *words, struct text *out)
{
    const char *between = "";

    switch (kind) {
    case COMPLETES_CHOICES:
        append_list(row->choices, out);
        break;
    case COMPLETES_COURSEWORKS:
    case COMPLETES_COURSEWORKS_OR_FILES:
        text_append(out, words->courseworks);
        break;
    case COMPLETES_GPU_MODELS:
        append_models(out);
        break;
    case COMPLETES_CODES:
        append_list(codes, out);
        break;
    case COMPLETES_COMMANDS:
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            text_printf(out, "%s%s", between, command_row((enum command)i)->name);
            between = " ";
        }
        break;
    default:
        break;
    }
}
