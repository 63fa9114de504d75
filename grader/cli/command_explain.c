/* command_explain.c: finds the page and prints it; see command_explain.h. */
#include "cli/command_explain.h"

#include "cli/console.h"
#include "report/terminal/explain_terminal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { NEAREST_MAX = 12 };

/* Says which codes the word is like. */
static int complain_unknown(const char *word)
{
    enum code codes[NEAREST_MAX];
    size_t count = explain_nearest(word, codes, NEAREST_MAX);
    struct text nearest;

    text_init(&nearest);
    for (size_t i = 0; i < count; i++) {
        text_printf(&nearest, "%s%s %s", i == 0 ? "; the nearest: " : ", ", code_id(codes[i]),
                    code_name(codes[i]));
    }
    console_complain("no code '%s'%s; 'gpugrade explain' lists all", word, nearest.bytes);
    text_release(&nearest);
    return EXIT_USAGE;
}

static bool uses_color(const struct options *options)
{
    bool is_given = options->given[OPTION_COLOR];

    return console_color(STDOUT_FILENO, is_given ? options->values[OPTION_COLOR] : "auto");
}

static int print(const struct text *text)
{
    if (!console_write(STDOUT_FILENO, text)) {
        console_complain("environment: the page cannot be written: %s", strerror(errno));
        return EXIT_GRADER;
    }
    return EXIT_PASSED;
}

/* Appends what is asked of one page; returns the exit status. */
static int show_page(struct arena *arena, const struct options *options, enum code code,
                     struct text *out)
{
    struct page page;

    if (!explain_page(arena, code, &page)) {
        console_complain("there is no page for %s; this is a bug in gpugrade", code_id(code));
        return EXIT_GRADER;
    }
    bool is_fixed = options->given[OPTION_FIXED];
    if (!options->given[OPTION_EXAMPLE] && !is_fixed) {
        explain_terminal_page(&page, console_columns(STDOUT_FILENO), uses_color(options), out);
    } else if (page.example != NULL && (!is_fixed || page.example->fixed != NULL)) {
        text_append(out, is_fixed ? page.example->fixed : page.example->text);
    } else {
        console_complain("the page for %s has no %sexample", code_id(code),
                         is_fixed ? "fixed " : "");
        return EXIT_USAGE;
    }
    return print(out);
}

int command_explain(const struct options *options)
{
    const char *word = options->positional_count > 0 ? options->positional[0] : NULL;
    struct arena *arena = arena_new();
    struct text text;
    enum code code;
    int status;

    text_init(&text);
    if (word != NULL && !explain_find(word, &code)) {
        status = complain_unknown(word);
    } else if (word != NULL) {
        status = show_page(arena, options, code, &text);
    } else if (options->given[OPTION_EXAMPLE] || options->given[OPTION_FIXED]) {
        console_complain("--%s needs a code: gpugrade explain R01 --example",
                         options->given[OPTION_FIXED] ? "fixed" : "example");
        status = EXIT_USAGE;
    } else {
        explain_terminal_list(uses_color(options), &text);
        status = print(&text);
    }
    text_release(&text);
    arena_free(arena);
    return status;
}
