/* barrier_mutant.c: changes the barriers of one source line in a built program.
 *
 *   barrier_mutant list PROGRAM                            "LINE CHANGE" for each possible mutant
 *   barrier_mutant remove|earlier|later LINE PROGRAM OUT   writes the mutant
 *
 * The PTX lies in the program as text (nvcc -no-compress), so a barrier is removed by writing
 * blanks over it, and moved by changing places with lines beside it: no compiler runs, and no other
 * instruction changes. `earlier` moves a barrier before the last access to shared memory in front
 * of it, `later` behind the next one after it, within straight-line code; where one line has
 * several copies (an unrolled loop), all are changed that can be. A line is that of the kernel,
 * also for barriers in functions that were inlined.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 4096 };

enum change { REMOVE, EARLIER, LATER, CHANGE_COUNT };
static const char *const change_names[CHANGE_COUNT] = {"remove", "earlier", "later"};

struct program {
    char *bytes;
    size_t length;
};

/* A line of the text: [start, end), the newline included. */
struct span {
    size_t start, end;
};

static void give_up(const char *what)
{
    fprintf(stderr, "barrier_mutant: %s\n", what);
    exit(3);
}

static struct program read_program(const char *path)
{
    enum { LARGEST = 1 << 24 };
    struct program program = {malloc(LARGEST), 0};
    FILE *file = fopen(path, "rbe");
    if (file == NULL || program.bytes == NULL) {
        give_up("the program cannot be read");
    }
    program.length = fread(program.bytes, 1, LARGEST, file);
    fclose(file);
    return program;
}

static void write_program(const struct program *program, const char *path)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL || fwrite(program->bytes, 1, program->length, file) != program->length ||
        fclose(file) != 0) {
        give_up("the mutant cannot be written");
    }
}

static struct span line_at(const struct program *program, size_t start)
{
    const char *end = memchr(program->bytes + start, '\n', program->length - start);
    struct span span = {start, end == NULL ? program->length : (size_t)(end - program->bytes) + 1};
    return span;
}

static struct span line_before(const struct program *program, size_t start)
{
    struct span span = {start, start};
    if (start > 0) {
        span.start--;
    }
    while (span.start > 0 && program->bytes[span.start - 1] != '\n') {
        span.start--;
    }
    return span;
}

static bool contains(const struct program *program, struct span span, const char *word)
{
    return memmem(program->bytes + span.start, span.end - span.start, word, strlen(word)) != NULL;
}

static bool begins(const struct program *program, struct span span, const char *word)
{
    size_t length = strlen(word);
    size_t start = span.start;
    while (start < span.end && (program->bytes[start] == '\t' || program->bytes[start] == ' ')) {
        start++;
    }
    return span.end - start >= length && memcmp(program->bytes + start, word, length) == 0;
}

static bool is_barrier(const struct program *program, struct span span)
{
    return begins(program, span, "bar.sync") || begins(program, span, "bar.warp.sync") ||
           begins(program, span, "barrier.sync");
}

static bool is_shared_access(const struct program *program, struct span span)
{
    return contains(program, span, ".shared.") &&
           (contains(program, span, "ld.") || contains(program, span, "st.") ||
            contains(program, span, "atom."));
}

/* Labels, branches, other barriers and the ends of functions end straight-line code. */
static bool ends_block(const struct program *program, struct span span)
{
    return begins(program, span, "$") || begins(program, span, "{") || begins(program, span, "}") ||
           contains(program, span, "bra") || contains(program, span, "bar.") ||
           contains(program, span, "ret;") || contains(program, span, "call");
}

/* The line of the source that a .loc means: the call's, if it is inlined; 0: none. */
static unsigned source_line(const struct program *program, struct span span)
{
    char text[256];
    unsigned line = 0;
    size_t length = span.end - span.start < sizeof text ? span.end - span.start : sizeof text - 1;
    memcpy(text, program->bytes + span.start, length);
    text[length] = '\0';
    const char *inlined = strstr(text, "inlined_at ");
    if (inlined != NULL) {
        return sscanf(inlined, "inlined_at %*u %u", &line) == 1 ? line : 0;
    }
    return sscanf(text, " .loc %*u %u", &line) == 1 ? line : 0;
}

/* Exchanges two neighbouring pieces of the text. */
static void exchange(struct program *program, size_t first, size_t second, size_t end)
{
    char *copy = malloc(end - first);
    if (copy == NULL) {
        give_up("no memory");
    }
    memcpy(copy, program->bytes + second, end - second);
    memcpy(copy + (end - second), program->bytes + first, second - first);
    memcpy(program->bytes + first, copy, end - first);
    free(copy);
}

/* Each of these three gives the end of the text that it changed, 0 if it changed nothing. */
static size_t move_earlier(struct program *program, struct span barrier)
{
    struct span line = line_before(program, barrier.start);
    while (line.start < line.end && !ends_block(program, line)) {
        if (is_shared_access(program, line)) {
            exchange(program, line.start, barrier.start, barrier.end);
            return barrier.end;
        }
        line = line_before(program, line.start);
    }
    return 0;
}

static size_t move_later(struct program *program, struct span barrier)
{
    struct span line = line_at(program, barrier.end);
    while (line.start < line.end && !ends_block(program, line)) {
        if (is_shared_access(program, line)) {
            exchange(program, barrier.start, barrier.end, line.end);
            return line.end;
        }
        line = line_at(program, line.end);
    }
    return 0;
}

static size_t apply(struct program *program, struct span barrier, enum change change)
{
    switch (change) {
    case EARLIER:
        return move_earlier(program, barrier);
    case LATER:
        return move_later(program, barrier);
    default:
        memset(program->bytes + barrier.start, ' ', barrier.end - barrier.start - 1);
        return barrier.end;
    }
}

/* Changes the barriers of a line; false if none could be. */
static bool change_line(struct program *program, unsigned wanted, enum change change)
{
    unsigned line = 0;
    bool is_changed = false;
    size_t position = 0;
    while (position < program->length) {
        struct span span = line_at(program, position);
        position = span.end;
        if (begins(program, span, ".loc")) {
            line = source_line(program, span);
        } else if (line == wanted && is_barrier(program, span)) {
            size_t end = apply(program, span, change);
            is_changed |= end > 0;
            position = end > position ? end : position;
        }
    }
    return is_changed;
}

/* Marks the lines that have barriers. */
static void find_lines(const struct program *program, bool out_lines[LINES_MAX])
{
    unsigned line = 0;
    for (size_t position = 0; position < program->length;) {
        struct span span = line_at(program, position);
        position = span.end;
        if (begins(program, span, ".loc")) {
            line = source_line(program, span);
        } else if (line < LINES_MAX && is_barrier(program, span)) {
            out_lines[line] = true;
        }
    }
}

static void list_mutants(const struct program *program)
{
    static bool lines[LINES_MAX];
    find_lines(program, lines);
    for (unsigned line = 1; line < LINES_MAX; line++) {
        for (int change = 0; lines[line] && change < CHANGE_COUNT; change++) {
            struct program copy = {malloc(program->length), program->length};
            if (copy.bytes == NULL) {
                give_up("no memory");
            }
            memcpy(copy.bytes, program->bytes, program->length);
            if (change_line(&copy, line, (enum change)change)) {
                printf("%u %s\n", line, change_names[change]);
            }
            free(copy.bytes);
        }
    }
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 3 && strcmp(arguments[1], "list") == 0) {
        struct program program = read_program(arguments[2]);
        list_mutants(&program);
        free(program.bytes);
        return 0;
    }
    for (int change = 0; argument_count == 5 && change < CHANGE_COUNT; change++) {
        if (strcmp(arguments[1], change_names[change]) == 0) {
            struct program program = read_program(arguments[3]);
            unsigned line = (unsigned)strtoul(arguments[2], NULL, 10);
            if (!change_line(&program, line, (enum change)change)) {
                give_up("no barrier of that line can be changed so");
            }
            write_program(&program, arguments[4]);
            free(program.bytes);
            return 0;
        }
    }
    fprintf(stderr, "usage: %s list PROGRAM | remove|earlier|later LINE PROGRAM OUT\n",
            arguments[0]);
    return 2;
}
