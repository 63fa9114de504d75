/* step_target.c: see step_target.h. */
#include "cli/step_target.h"

#include "base/file.h"
#include "cli/console.h"
#include "cli/result_file.h"
#include "report/step/step_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "3", "3,4" or "3,4,5" */
static bool read_block(const char *word, uint32_t out_block[3])
{
    size_t count = 0;

    while (count < 3) {
        size_t length = strspn(word, "0123456789");
        char number[11];
        long long value = 0;
        snprintf(number, sizeof number, "%.*s", (int)length, word);
        if (length == 0 || length >= sizeof number ||
            !text_to_integer(number, 0, INT32_MAX, &value)) {
            return false;
        }
        out_block[count++] = (uint32_t)value;
        word += length;
        if (*word != ',') {
            break;
        }
        word++;
    }
    return *word == '\0';
}

/* A file name as a link. */
static const char *link_to(struct arena *arena, const char *name)
{
    struct text link;

    text_init(&link);
    for (const char *at = name; *at != '\0'; at++) {
        bool is_plain = isalnum((unsigned char)*at) || strchr("._-", *at) != NULL;
        text_printf(&link, is_plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    const char *copy = arena_strdup(arena, link.bytes);
    text_release(&link);
    return copy;
}

static size_t folder_length(const char *path)
{
    return (size_t)(path_name(path) - path);
}

enum error step_target_read(struct arena *arena, const struct options *options,
                            struct step_target *out_target, struct diagnostic *diagnostic)
{
    const char *html = options->values[OPTION_HTML];
    struct step_target target = {
        .request = {.kernel = options->values[OPTION_STEP_KERNEL],
                    .has_block = options->given[OPTION_STEP_BLOCK]},
        .path = options->values[OPTION_STEP_OUTPUT],
    };

    if (target.path == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "step needs the name of the page that it writes: -o page.html");
        return ERROR_SYNTAX;
    }
    if (target.request.has_block &&
        !read_block(options->values[OPTION_STEP_BLOCK], target.request.block)) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--block takes X, X,Y or X,Y,Z, got '%s'",
                       options->values[OPTION_STEP_BLOCK]);
        return ERROR_SYNTAX;
    }
    if (html != NULL && (folder_length(html) != folder_length(target.path) ||
                         strncmp(html, target.path, folder_length(html)) != 0)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "the report links to the page beside it: name both in one folder");
        return ERROR_SYNTAX;
    }
    target.link = html == NULL ? NULL : link_to(arena, path_name(target.path));
    enum error error = result_file_check(arena, "output", target.path, diagnostic);
    if (error == ERROR_NONE) {
        *out_target = target;
    }
    return error;
}

bool step_target_is_chosen(const struct step_target *target)
{
    return target->request.kernel != NULL || target->request.has_block;
}

static void complain(const struct step_target *target)
{
    const struct step_request *request = &target->request;
    const char *kernel = request->kernel;

    console_complain("there is nothing to replay: %s%s%s%s", kernel == NULL ? "no kernel" : "no '",
                     kernel == NULL ? "" : kernel, kernel == NULL ? "" : "'",
                     request->has_block ? " ran with such a block" : " ran");
}

bool step_target_write(const struct step_target *target, const struct report *report, int fd)
{
    struct text page, line;

    if (report->steps == NULL) {
        complain(target);
        return false;
    }
    text_init(&page);
    text_init(&line);
    step_page(report, &page);
    text_printf(&line, "%s: ", target->path);
    step_page_summary(report, &line);
    text_append_char(&line, '\n');
    bool written = result_file_write(target->path, &page) && console_write(fd, &line);
    text_release(&page);
    text_release(&line);
    return written;
}
