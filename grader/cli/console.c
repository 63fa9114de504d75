/* console.c: output, messages and what the terminal can do; see console.h. */
#include "cli/console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool pipe_was_ignored;

bool console_pipe_was_ignored(void)
{
    return pipe_was_ignored;
}

void console_init(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) {
        close(fd);
    }
    pipe_was_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
}

bool console_write(int fd, const struct text *text)
{
    size_t done = 0;

    while (done < text->length) {
        ssize_t written = write(fd, text->bytes + done, text->length - done);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return errno == EPIPE;
        }
        done += (size_t)written;
    }
    return true;
}

/* Signs the first line and indents the others, so that no line of a message looks like one of
 * somebody else; "::" at the start of a line would be a command to GitHub's runner. */
static void complain_text(const char *message)
{
    struct text lines;

    text_init(&lines);
    text_append(&lines, "gpugrade: ");
    for (;;) {
        size_t length = strcspn(message, "\n");
        text_append_printable(&lines, message, length, true);
        text_append_char(&lines, '\n');
        if (message[length] == '\0') {
            break;
        }
        message += length + 1;
        text_append(&lines, "  ");
        if (message[strspn(message, " \t")] == ':') {
            text_append(&lines, "| ");
        }
    }
    console_write(STDERR_FILENO, &lines);
    text_release(&lines);
}

void console_complain(const char *format, ...)
{
    char message[4096];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    complain_text(message);
}

enum exit_status console_report(const struct diagnostic *diagnostic)
{
    struct text text;
    bool ours = diagnostic->blame != BLAME_USAGE && diagnostic->blame != BLAME_STUDENT &&
                diagnostic->blame != BLAME_RUBRIC;

    text_init(&text);
    if (diagnostic->file[0] != '\0') {
        text_append(&text, diagnostic->file);
        if (diagnostic->line > 0) {
            text_printf(&text, ":%d", diagnostic->line);
        }
        if (diagnostic->line > 0 && diagnostic->column > 0) {
            text_printf(&text, ":%d", diagnostic->column);
        }
        text_append(&text, ": ");
    }
    if (diagnostic->blame != BLAME_USAGE && diagnostic->blame != BLAME_NONE) {
        text_printf(&text, "%s: ", blame_text(diagnostic->blame));
    }
    text_append(&text, diagnostic->message);
    complain_text(text.bytes);
    text_release(&text);
    return ours ? EXIT_GRADER : EXIT_USAGE;
}

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

bool console_color(int fd, const char *when)
{
    const char *force = getenv("CLICOLOR_FORCE");
    const char *color = getenv("CLICOLOR");
    const char *terminal = getenv("TERM");

    if (strcmp(when, "auto") != 0) {
        return strcmp(when, "always") == 0;
    }
    if (is_set(getenv("NO_COLOR"))) {
        return false;
    }
    if (is_set(force) && strcmp(force, "0") != 0) {
        return true;
    }
    if ((color != NULL && strcmp(color, "0") == 0) ||
        (terminal != NULL && strcmp(terminal, "dumb") == 0)) {
        return false;
    }
    return isatty(fd) == 1;
}

bool console_redraws(int fd)
{
    const char *terminal = getenv("TERM");

    return isatty(fd) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

int console_columns(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
