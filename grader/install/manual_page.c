/* manual_page.c: see manual_page.h. */
#include "install/manual_page.h"

#include <ctype.h>
#include <string.h>

enum { LINE_COLUMNS = 56 };

static const struct {
    const char *name;
    const char *text;
} variables[] = {
#define VARIABLE(name, text) {name, text},
#include "cli/variables.def"
#undef VARIABLE
};

static const char *const description[] = {
    ("grades GPU programming coursework: a student's CUDA files go in, a JSON score and a readable "
     "report come out, on a machine with or without a GPU. The program runs in a sandbox. Its "
     "kernels run on an emulated device that sees every access, and on a real GPU where speed is "
     "measured."),
    ("It needs the CUDA toolkit (nvcc, ptxas, headers), a C++ compiler that works with nvcc, and "
     "bubblewrap for the strongest sandbox."),
};

/* Where an installed gpugrade has its files, below the prefix. */
static const char *const files[][2] = {
    {"share/gpugrade/rubrics", "the rubrics of the shipped courseworks and the JSON schemas"},
    {"share/gpugrade/reference", "their reference solutions and oracles"},
    {"share/gpugrade/student_template", "what students start from"},
    {"share/doc/gpugrade", "README, docs/, changes, licence"},
};

/* Appends running text: what roff would take for its own is escaped. */
static void append_escaped(const char *string, size_t length, struct text *out)
{
    bool is_first = true;

    for (size_t i = 0; i < length; i++) {
        char c = string[i];
        if (is_first && (c == '.' || c == '\'')) {
            text_append(out, "\\&");
        }
        if (c == '\\') {
            text_append(out, "\\e");
        } else if (c == '-') {
            text_append(out, "\\-");
        } else if (c == '\'') {
            text_append(out, "\\(aq");
        } else if (c == '^') {
            text_append(out, "\\(ha");
        } else if (c == '~') {
            text_append(out, "\\(ti");
        } else if (c == '`') {
            text_append(out, "\\(ga");
        } else {
            text_append_char(out, c);
        }
        is_first = c == '\n';
    }
}

/* The same in lines of moderate length, cut at blanks. */
static void append_lines(const char *string, size_t length, struct text *out)
{
    while (length > LINE_COLUMNS) {
        size_t line = LINE_COLUMNS;
        while (line > 0 && string[line] != ' ') {
            line--;
        }
        if (line == 0) {
            break;
        }
        append_escaped(string, line, out);
        text_append_char(out, '\n');
        string += line + 1;
        length -= line + 1;
    }
    append_escaped(string, length, out);
}

static void append_words(const char *string, struct text *out)
{
    append_lines(string, strlen(string), out);
}

/* ".TP", a bold tag, its text. */
static void append_item(const char *tag, const char *string, struct text *out)
{
    text_append(out, ".TP\n\\fB");
    append_words(tag, out);
    text_append(out, "\\fR\n");
    append_words(string, out);
    text_append_char(out, '\n');
}

static void append_title(const char *name, const char *version, const char *date, struct text *out)
{
    text_append(out, ".\\\" made from the tables of gpugrade's options\n.TH ");
    for (const char *at = name; *at != '\0'; at++) {
        text_append(out, *at == '-' ? "\\-" : "");
        if (*at != '-') {
            text_append_char(out, (char)toupper((unsigned char)*at));
        }
    }
    text_printf(out, " 1 \"%s\" \"gpugrade %s\" \"gpugrade manual\"\n.nh\n.ad l\n", date, version);
}

static void append_name(const char *name, const char *help, struct text *out)
{
    text_append(out, ".SH NAME\n");
    append_words(name, out);
    text_append(out, " \\- ");
    append_words(help, out);
    text_append_char(out, '\n');
}

static void append_statuses(enum command command, struct text *out)
{
    const char *status, *meaning;
    size_t at = 0;

    text_append(out, ".SH EXIT STATUS\n");
    while (command_status(command, &at, &status, &meaning)) {
        append_item(status, meaning, out);
    }
}

void manual_page(const char *version, const char *date, struct text *out)
{
    append_title("gpugrade", version, date, out);
    append_name("gpugrade", "grade GPU programming coursework", out);
    text_append(out, ".SH SYNOPSIS\n.B gpugrade\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
                     ".SH DESCRIPTION\n.B gpugrade\n");
    for (size_t i = 0; i < sizeof description / sizeof description[0]; i++) {
        text_append(out, i == 0 ? "" : ".PP\n");
        append_words(description[i], out);
        text_append_char(out, '\n');
    }
    text_append(out, ".SH COMMANDS\nEach has its own page, such as \\fBgpugrade\\-check\\fR(1).\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *row = command_row((enum command)i);
        append_item(row->name, row->help, out);
    }
    append_statuses(COMMAND_CHECK, out);
    text_append(out, ".PP\nThese are for \\fBgpugrade check\\fR;\n"
                     "those of the other commands are on their own pages.\n.SH ENVIRONMENT\n");
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        append_item(variables[i].name, variables[i].text, out);
    }
    text_append(out, ".SH FILES\nBelow the folder where gpugrade is installed:\n");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        append_item(files[i][0], files[i][1], out);
    }
    text_append(out, ".SH SEE ALSO\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command_row *row = command_row((enum command)i);
        text_printf(out, ".BR gpugrade\\-%s (1),\n", row->name);
    }
    text_append(out, ".BR bwrap (1)\n");
}

/* "\fB-o\fR, \fB--output\fR \fIRESULTS\fR" */
static void append_option(const struct option_row *row, struct text *out)
{
    text_append(out, ".TP\n");
    if (row->letter[0] != '\0') {
        text_printf(out, "\\fB\\-%s\\fR, ", row->letter);
    }
    text_append(out, "\\fB\\-\\-");
    append_words(row->name, out);
    text_append(out, "\\fR");
    if (row->choices[0] != '\0') {
        text_append_char(out, ' ');
        for (const char *at = row->choices; *at != '\0';) {
            size_t length = strcspn(at, " ");
            text_append(out, "\\fB");
            append_escaped(at, length, out);
            text_append(out, "\\fR");
            at += length;
            at += strspn(at, " ");
            text_append(out, *at != '\0' ? "|\\:" : "");
        }
    } else if (row->argument[0] != '\0') {
        text_append(out, " \\fI");
        append_words(row->argument, out);
        text_append(out, "\\fR");
    }
    text_append_char(out, '\n');
    append_words(row->help, out);
    if (row->fallback[0] != '\0') {
        text_append(out, "\n(default: ");
        append_words(row->fallback, out);
        text_append_char(out, ')');
    }
    text_append_char(out, '\n');
}

/* The note's lines: running text, but what is indented stays as it is. */
static void append_note(const char *note, struct text *out)
{
    bool is_example = false;

    for (const char *at = note; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool is_indented = at[0] == ' ';
        if (is_indented != is_example) {
            text_append(out, is_indented ? ".PP\n.nf\n.RS\n" : ".RE\n.fi\n.PP\n");
            is_example = is_indented;
        }
        if (length == 0) {
            text_append(out, ".PP\n");
        } else {
            size_t blanks = strspn(at, " ");
            if (is_indented) {
                append_escaped(at + blanks, length - blanks, out);
            } else {
                append_lines(at, length, out);
            }
            text_append_char(out, '\n');
        }
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    text_append(out, is_example ? ".RE\n.fi\n" : "");
}

void manual_command_page(enum command command, const char *version, const char *date,
                         struct text *out)
{
    const struct command_row *row = command_row(command);
    struct text name;

    text_init(&name);
    text_printf(&name, "gpugrade-%s", row->name);
    append_title(name.bytes, version, date, out);
    append_name(name.bytes, row->help, out);
    text_release(&name);
    text_printf(out, ".SH SYNOPSIS\n.B gpugrade %s\n[\\fIOPTIONS\\fR] \\fI", row->name);
    append_words(row->arguments, out);
    text_append(out, "\\fR\n.SH DESCRIPTION\n");
    text_append_char(out, (char)toupper((unsigned char)row->help[0]));
    append_words(row->help + 1, out);
    text_append(out, ".\n");
    append_note(command_note(command), out);
    text_append(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *option = option_row((enum option)i, command);
        if (option != NULL) {
            append_option(option, out);
        }
    }
    append_statuses(command, out);
    text_append(out, ".SH SEE ALSO\n.BR gpugrade (1)\n");
}
