/* options.c: parsing and help, both driven by the two tables; see options.h. */
#include "cli/options.h"

#include "base/near_word.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { JOBS_MAX = 1024 };

static const struct command_row commands[] = {
#define COMMAND(name, word, arguments, positional_max, takes_rest, help)                           \
    {word, arguments, positional_max, takes_rest, help},
#include "cli/commands.def"
#undef COMMAND
};

static const char convert_formats[] =
#define FORMAT(name, audience, use, function, help) name " "
#include "report/platform/formats.def"
#undef FORMAT
    ;

#define FOR(command) (1u << COMMAND_##command)
static const struct option_row options_table[] = {
#define OPTION(name, word, letter, argument, choices, commands, fallback, help)                    \
    {word, letter, argument, choices, commands, fallback, help},
#include "cli/options.def"
#undef OPTION
};

static const struct {
    const char *status;
    unsigned commands;
    const char *text;
} statuses[] = {
#define STATUS(status, commands, text) {status, commands, text},
#include "cli/exit_statuses.def"
#undef STATUS
};
#undef FOR

enum { HELP_COLUMN = 24 };

const struct command_row *command_row(enum command command)
{
    assert((unsigned)command < COMMAND_COUNT);
    return &commands[command];
}

const struct option_row *option_row(enum option option, enum command command)
{
    assert((unsigned)option < OPTION_COUNT && (unsigned)command < COMMAND_COUNT);
    return (options_table[option].commands & (1u << command)) != 0 ? &options_table[option] : NULL;
}

bool command_status(enum command command, size_t *at, const char **out_status,
                    const char **out_text)
{
    for (; *at < sizeof statuses / sizeof statuses[0]; (*at)++) {
        if ((statuses[*at].commands & (1u << command)) != 0) {
            *out_status = statuses[*at].status;
            *out_text = statuses[*at].text;
            (*at)++;
            return true;
        }
    }
    return false;
}

bool command_find(const char *word, enum command *out_command)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, word) == 0) {
            *out_command = (enum command)i;
            return true;
        }
    }
    return false;
}

enum error options_jobs(const struct options *options, size_t *out_jobs,
                        struct diagnostic *diagnostic)
{
    const char *word = options->values[OPTION_JOBS];
    long long jobs = 0;

    if (options->given[OPTION_JOBS] && !text_to_integer(word, 1, JOBS_MAX, &jobs)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "-j takes a number from 1 to %d, got '%s'",
                       JOBS_MAX, word);
        return ERROR_RANGE;
    }
    *out_jobs = (size_t)jobs;
    return ERROR_NONE;
}

const char *command_name(enum command command)
{
    assert((unsigned)command < COMMAND_COUNT);
    return commands[command].name;
}

/* An option on the command line. */
struct option_word {
    enum option option; /* OPTION_COUNT: unknown */
    const char *shown;  /* as it was written, [shown_length]: "--seed", "-j" */
    size_t shown_length;
    const char *value; /* behind "=" or the letter; NULL: the next word */
};

void command_unknown(const char *word, struct diagnostic *diagnostic)
{
    struct near_word near = near_word_start(word);

    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        near_word_offer(&near, commands[i].name);
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "unknown command '%s'%s 'gpugrade help' lists the commands", word,
                   near_word_question(&near, ""));
}

/* The same for an option of a command. */
static void option_unknown(enum command command, const struct option_word *read,
                           struct diagnostic *diagnostic)
{
    char word[NEAR_WORD_BYTES_MAX + 2];

    snprintf(word, sizeof word, "%.*s", (int)read->shown_length, read->shown);
    struct near_word near = near_word_start(word + strspn(word, "-"));
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if ((options_table[i].commands & (1u << command)) != 0) {
            near_word_offer(&near, options_table[i].name);
        }
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "unknown option '%.*s'%s 'gpugrade help %s' lists the options",
                   (int)read->shown_length, read->shown, near_word_question(&near, "--"),
                   commands[command].name);
}

/* Finds the option that a word names, up to `length` bytes; OPTION_COUNT if there is none. */
static enum option find_option(enum command command, const char *word, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options_table[i].name) == length &&
            memcmp(options_table[i].name, word, length) == 0 &&
            (options_table[i].commands & (1u << command)) != 0) {
            return (enum option)i;
        }
    }
    return OPTION_COUNT;
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);

    for (const char *at = choices; *at != '\0';) {
        size_t own = strcspn(at, " ");
        if (own == length && memcmp(at, value, own) == 0) {
            return true;
        }
        at += own + 1;
    }
    return false;
}

static enum error store_value(struct options *options, enum option option, const char *value,
                              struct diagnostic *diagnostic)
{
    const char *name = options_table[option].name;
    const char *choices = options_table[option].choices;

    if (options->given[option]) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--%s is given twice", name);
        return ERROR_SYNTAX;
    }
    if (choices[0] != '\0' && !is_choice(choices, value)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--%s takes one of: %.*s; got '%s'", name,
                       (int)strlen(choices) - 1, choices, value);
        return ERROR_RANGE;
    }
    options->given[option] = true;
    options->values[option] = value;
    return ERROR_NONE;
}

/* "--name", "--name=value" */
static struct option_word read_name(enum command command, const char *word)
{
    size_t length = strcspn(word, "=");

    return (struct option_word){
        .option = find_option(command, word + 2, length - 2),
        .shown = word,
        .shown_length = length,
        .value = word[length] == '=' ? word + length + 1 : NULL,
    };
}

/* "-j", "-j4" */
static struct option_word read_letter(enum command command, const char *word)
{
    struct option_word read = {
        .option = OPTION_COUNT,
        .shown = word,
        .shown_length = 2,
        .value = word[2] != '\0' ? word + 2 : NULL,
    };

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options_table[i].letter[0] == word[1] &&
            (options_table[i].commands & (1u << command)) != 0) {
            read.option = (enum option)i;
            return read;
        }
    }
    read.shown_length = strlen(word);
    return read;
}

/* Reads the option at arguments[*at], and its value behind it. */
static enum error parse_option(struct options *options, int count, const char *const *arguments,
                               int *at, struct diagnostic *diagnostic)
{
    const char *word = arguments[*at];
    struct option_word read =
        word[1] == '-' ? read_name(options->command, word) : read_letter(options->command, word);
    int length = (int)read.shown_length;

    if (read.option == OPTION_COUNT) {
        option_unknown(options->command, &read, diagnostic);
        return ERROR_NOT_FOUND;
    }
    bool is_switch = options_table[read.option].argument[0] == '\0';
    if (is_switch && read.value != NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%.*s takes no value", length, word);
        return ERROR_SYNTAX;
    }
    if (is_switch || read.value != NULL) {
        return store_value(options, read.option, is_switch ? "" : read.value, diagnostic);
    }
    if (*at + 1 >= count) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%.*s needs a value: %.*s %s", length, word, length,
                       word, options_table[read.option].argument);
        return ERROR_SYNTAX;
    }
    (*at)++;
    return store_value(options, read.option, arguments[*at], diagnostic);
}

static enum error store_positional(struct options *options, const char *word,
                                   struct diagnostic *diagnostic)
{
    if (options->positional_count >= commands[options->command].positional_max) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "unexpected argument '%s'; 'gpugrade help %s' shows the usage", word,
                       commands[options->command].name);
        return ERROR_SYNTAX;
    }
    options->positional[options->positional_count++] = word;
    return ERROR_NONE;
}

/* Finds out which command is meant; --help, --version and nothing at all are also commands. */
static enum error parse_command(int count, const char *const *arguments, enum command *out_command,
                                struct diagnostic *diagnostic)
{
    if (count == 0 || strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0) {
        *out_command = COMMAND_HELP;
        return ERROR_NONE;
    }
    if (strcmp(arguments[0], "--version") == 0) {
        *out_command = COMMAND_VERSION;
        return ERROR_NONE;
    }
    if (!command_find(arguments[0], out_command)) {
        command_unknown(arguments[0], diagnostic);
        return ERROR_NOT_FOUND;
    }
    return ERROR_NONE;
}

/* True if the command has all that it looks at itself. */
static bool takes_rest(const struct options *options)
{
    return commands[options->command].takes_rest &&
           options->positional_count == commands[options->command].positional_max;
}

enum error options_parse(int count, const char *const *arguments, struct options *out_options,
                         struct diagnostic *diagnostic)
{
    struct options options = {.rest = arguments + count};
    bool only_positional = false;
    enum error error = parse_command(count, arguments, &options.command, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (takes_rest(&options)) {
            options.rest = arguments + i;
            options.rest_count = (size_t)(count - i);
            break;
        }
        if (!only_positional && strcmp(word, "--") == 0) {
            only_positional = true;
            continue;
        }
        if (!only_positional && strcmp(word, "-h") == 0) {
            word = "--help";
        }
        if (only_positional || word[0] != '-' || word[1] == '\0') {
            error = store_positional(&options, word, diagnostic);
        } else if (strcmp(word, "--help") == 0) {
            options.given[OPTION_HELP] = true;
        } else {
            error = parse_option(&options, count, arguments, &i, diagnostic);
        }
        if (error != ERROR_NONE) {
            return error;
        }
    }
    *out_options = options;
    return ERROR_NONE;
}

static void append_row(struct text *out, const char *left, const char *help)
{
    size_t width = strlen(left);

    text_printf(out, "  %s", left);
    if (width + 2 > HELP_COLUMN) {
        text_append_char(out, '\n');
        width = 0;
        text_append(out, "  ");
    }
    text_append_repeated(out, ' ', HELP_COLUMN - width);
    text_append(out, help);
}

static void append_statuses(enum command command, const char *title, struct text *out)
{
    const char *status, *meaning;
    size_t at = 0;

    text_printf(out, "\n%s:\n", title);
    while (command_status(command, &at, &status, &meaning)) {
        text_printf(out, "  %-6s%s\n", status, meaning);
    }
}

void options_help(struct text *out)
{
    text_append(out, "usage: gpugrade COMMAND [OPTIONS]\n\ncommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        append_row(out, commands[i].name, commands[i].help);
        text_append_char(out, '\n');
    }
    text_append(out, "\n'gpugrade help COMMAND' shows the options of a command.\n");
    append_statuses(COMMAND_CHECK, "exit status of check", out);
}

/* What a command's help says below its options. */
static const struct {
    enum command command;
    const char *text;
} notes[] = {
    {COMMAND_BATCH,
     "\nSUBMISSIONS is a folder of folders, archives or .cu files, or an unpacked export from\n"
     "Gradescope, Moodle, Canvas or GitHub Classroom. RESULTS contains everything, including\n"
     "names: it is personal data. If a batch stops for any reason, continue with\n"
     "  gpugrade batch --resume -o RESULTS\n"
     "The first Ctrl-C waits for running checks, the second one stops them.\n"},
    {COMMAND_CONVERT,
     "\nSCORE is a file that 'gpugrade check --json SCORE' wrote; - is standard input. Formats\n"
     "that students see leave out hidden criteria. The formats:\n"
#define FORMAT(name, audience, use, function, help) "  " name ": " help "\n"
#include "report/platform/formats.def"
#undef FORMAT
    },
    {COMMAND_LINT,
     "\nRUBRIC is a file, or the id of a coursework. Relative to the rubric, the other files are\n"
     "in ../reference/ID, ../student_template/ID and ../tests/submissions/ID.\n"},
    {COMMAND_RUN,
     "\nPROGRAM is a file here or on PATH, built with nvcc -cudart shared and containing PTX:\n"
     "  nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75 ...\n"
     "FILE.cu is built in that way, with -O2; NVCC_APPEND_FLAGS adds flags, for example\n"
     "  NVCC_APPEND_FLAGS='-std=c++17 -I../common' gpugrade run FILE.cu\n"
     "The program runs in the current folder, with your files, input and output. Findings go to\n"
     "standard error after the program ends. Times from CUDA events are estimates.\n"},
};

const char *command_note(enum command command)
{
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i].command == command) {
            return notes[i].text;
        }
    }
    return "";
}

static void append_option(struct text *out, size_t option)
{
    const char *choices = options_table[option].choices;
    struct text left;

    text_init(&left);
    if (options_table[option].letter[0] != '\0') {
        text_printf(&left, "-%s, ", options_table[option].letter);
    }
    text_printf(&left, "--%s", options_table[option].name);
    if (choices[0] != '\0') {
        text_append_char(&left, ' ');
        for (const char *at = choices; *at != '\0'; at++) {
            if (*at != ' ') {
                text_append_char(&left, *at);
            } else if (at[1] != '\0') {
                text_append_char(&left, '|');
            }
        }
    } else if (options_table[option].argument[0] != '\0') {
        text_printf(&left, " %s", options_table[option].argument);
    }
    append_row(out, left.bytes, options_table[option].help);
    if (options_table[option].fallback[0] != '\0') {
        text_printf(out, " (default: %s)", options_table[option].fallback);
    }
    text_append_char(out, '\n');
    text_release(&left);
}

void options_command_help(enum command command, struct text *out)
{
    assert((unsigned)command < COMMAND_COUNT);
    text_printf(out, "usage: gpugrade %s [OPTIONS]", commands[command].name);
    if (commands[command].arguments[0] != '\0') {
        text_printf(out, " %s", commands[command].arguments);
    }
    text_printf(out, "\n\n%s\n", commands[command].help);
    text_append(out, "\noptions:\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if ((options_table[i].commands & (1u << command)) != 0) {
            append_option(out, i);
        }
    }
    text_append(out, command_note(command));
    append_statuses(command, "exit status", out);
}
