/* page_folder.c: see page_folder.h. Pages are made one after the other in a folder of their own
 * beside DIR, which is renamed at the end: memory does not grow with the class. */
#include "cli/page_folder.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/result_file.h"
#include "diagnosis/grouping/diagnostics.h"
#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"
#include "report/class/leaderboard_page.h"
#include "report/class/student_page.h"
#include "report/score/report_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { NAME_BYTES_MAX = 100 };

static const char plain_bytes[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

const char *page_file_name(struct arena *arena, const char *student, size_t row,
                           bool has_duplicate_name)
{
    size_t length = strlen(student);

    if (length > 0 && length <= NAME_BYTES_MAX && strspn(student, plain_bytes) == length &&
        student[0] != '.' && student[0] != '-' && !has_duplicate_name) {
        return arena_printf(arena, "%s.html", student);
    }
    char *name = arena_strndup(arena, student, length < NAME_BYTES_MAX ? length : NAME_BYTES_MAX);
    for (char *c = name; *c != '\0'; c++) {
        *c = strchr(plain_bytes, *c) == NULL || (c == name && (*c == '.' || *c == '-')) ? '_' : *c;
    }
    return arena_printf(arena, "%s~%zu.html", name, row + 1);
}

static bool is_number(const char *word, size_t length)
{
    return length > 0 && strspn(word, "0123456789") >= length;
}

/* "doejane_12_34_" of "doejane_12_34_lab.zip": up to the numbers of the user and of the file. */
static const char *canvas_start(struct arena *arena, const char *file)
{
    size_t at = 0, numbers = 0;

    while (numbers < 2 && file[at + strcspn(file + at, "_")] == '_') {
        size_t length = strcspn(file + at, "_");
        numbers += is_number(file + at, length);
        at += length + 1;
    }
    return numbers == 2 ? arena_strndup(arena, file, at) : NULL;
}

const char *page_platform_name(struct arena *arena, const struct class_row *row,
                               enum page_reader reader)
{
    static const char participant[] = "Participant ";

    if (reader == PAGES_FOR_CANVAS) {
        const char *start = canvas_start(arena, row->file);
        return start == NULL ? NULL : arena_printf(arena, "%sfeedback.html", start);
    }
    const char *number = row->moodle_id + strlen(participant);
    return text_starts_with(row->moodle_id, participant) && is_number(number, strlen(number))
               ? arena_printf(arena, "Participant_%s_assignfeedback_file_feedback.html", number)
               : NULL;
}

static int compare_keys(const void *left, const void *right)
{
    return strcasecmp(*(const char *const *)left, *(const char *const *)right);
}

/* The keys of all students, sorted without regard to upper and lower case. */
static const char **sort_keys(const struct class_results *results, struct arena *arena)
{
    const char **keys = arena_array(arena, results->row_count, sizeof *keys);

    for (size_t i = 0; i < results->row_count; i++) {
        keys[i] = results->rows[i].student;
    }
    qsort(keys, results->row_count, sizeof *keys, compare_keys);
    return keys;
}

static bool has_duplicate_name(const char **keys, size_t count, const char *student)
{
    const char **found = bsearch(&student, keys, count, sizeof *keys, compare_keys);

    /* "leaderboard.html" is the page of the class */
    return (strlen(student) == strlen(LEADERBOARD_FILE) - strlen(".html") &&
            strncasecmp(student, LEADERBOARD_FILE, strlen(student)) == 0) ||
           (found != NULL && ((found > keys && compare_keys(found - 1, found) == 0) ||
                              (found + 1 < keys + count && compare_keys(found + 1, found) == 0)));
}

static bool write_page(int folder_fd, const char *name, const struct text *page)
{
    int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t written = 0;

    while (fd >= 0 && written < page->length) {
        ssize_t step = write(fd, page->bytes + written, page->length - written);
        if (step < 0 && errno != EINTR) {
            break;
        }
        written += step > 0 ? (size_t)step : 0;
    }
    bool is_whole = fd >= 0 && written == page->length;
    return (fd < 0 || close(fd) == 0) && is_whole;
}

/* Makes the page of one row; an arena of its own goes with it. */
static enum error make_page(const struct page_source *source, const struct class_row *row,
                            struct text *out, struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct report report, shown;
    const char *archive;
    size_t length;
    enum error error = ERROR_NONE;

    if (row->state == CLASS_NOTHING || row->state == CLASS_MISSING) {
        student_page_nothing(source->results, row, out);
    } else {
        error = store_archive(source->store, arena, row->submission, &archive, &length, diagnostic);
        if (error == ERROR_NONE) {
            error = report_archive_read(arena, archive, length, row->submission, source->rubric,
                                        &report, diagnostic);
        }
        if (error == ERROR_NONE) {
            student_page_report(source->results, row, &report, arena, &shown);
            diagnostics_make(&shown, arena);
            student_page(source->results, row, &shown, out);
        }
    }
    arena_free(arena);
    return error;
}

/* Platforms take back what was handed in; people also hear that they handed in nothing. */
static bool has_page(const struct page_source *source, const struct class_row *row)
{
    return row->state == CLASS_GRADED || row->state == CLASS_NOTHING ||
           (row->state == CLASS_MISSING && source->reader == PAGES_FOR_PEOPLE);
}

/* The signal that asked to end; 0: none. */
static int received_signal(int signal_fd)
{
    struct signalfd_siginfo signal;

    return read(signal_fd, &signal, sizeof signal) == (ssize_t)sizeof signal ? (int)signal.ssi_signo
                                                                             : 0;
}

/* A line of the table for mail. Marks of a class with hidden criteria are not for students. */
static void append_mail(struct text *table, const struct class_results *results,
                        const struct class_row *row, const char *page)
{
    class_append_cell(table, page);
    class_append_cell(table, row->student);
    class_append_cell(table, row->name);
    class_append_cell(table, row->email);
    if (!results->has_hidden && class_row_has_mark(results, row)) {
        csv_append_number(table, row->final.mark);
        csv_append_number(table, results->maximum);
    } else {
        csv_append_text(table, "");
        csv_append_text(table, "");
    }
    class_append_comment_cell(row, table);
    csv_end_row(table);
}

static void begin_mail(struct text *table)
{
    static const char *const names[] = {"page", "student", "name",    "email",
                                        "mark", "maximum", "comments"};

    text_init(table);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        csv_append_text(table, names[i]);
    }
    csv_end_row(table);
}

/* Writes every page into an open folder, until a signal comes. */
static enum error write_pages(const struct page_source *source, int folder_fd, int signal_fd,
                              struct page_counts *counts, int *out_signal,
                              struct diagnostic *diagnostic)
{
    const struct class_results *results = source->results;
    struct arena *names = arena_new();
    const char **keys = sort_keys(results, names);
    enum error error = ERROR_NONE;
    struct text page, mail;

    text_init(&page);
    begin_mail(&mail);
    for (size_t i = 0; error == ERROR_NONE && i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        if (!has_page(source, row)) {
            continue;
        }
        text_clear(&page);
        const char *name =
            source->reader != PAGES_FOR_PEOPLE
                ? page_platform_name(names, row, source->reader)
                : page_file_name(names, row->student, i,
                                 has_duplicate_name(keys, results->row_count, row->student));
        if (name == NULL) {
            counts->without_key++;
            continue;
        }
        append_mail(&mail, results, row, name);
        error = make_page(source, row, &page, diagnostic);
        if (error == ERROR_NONE && !write_page(folder_fd, name, &page)) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the page of '%s' cannot be written: %s",
                           row->student, strerror(errno));
            error = ERROR_IO;
        }
        *out_signal = received_signal(signal_fd);
        if (error == ERROR_NONE && *out_signal != 0) {
            diagnostic_set(diagnostic, BLAME_USAGE, "stopped by signal %d; no page was written",
                           *out_signal);
            error = ERROR_FAILED;
        }
    }
    if (error == ERROR_NONE && source->reader == PAGES_FOR_PEOPLE &&
        !write_page(folder_fd, "pages.csv", &mail)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "pages.csv cannot be written: %s",
                       strerror(errno));
        error = ERROR_IO;
    }
    if (error == ERROR_NONE && results->board_page != NULL) {
        text_clear(&page);
        leaderboard_page(results, &page);
        if (!write_page(folder_fd, results->board_page, &page)) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be written: %s",
                           results->board_page, strerror(errno));
            error = ERROR_IO;
        }
    }
    text_release(&mail);
    text_release(&page);
    arena_free(names);
    return error;
}

static void count_pages(const struct page_source *source, struct page_counts *counts)
{
    const struct class_results *results = source->results;

    for (size_t i = 0; i < results->row_count; i++) {
        enum class_state state = results->rows[i].state;
        bool is_written = has_page(source, &results->rows[i]);
        counts->written += is_written;
        counts->missing += state == CLASS_MISSING && !is_written;
        counts->without_report += state == CLASS_TROUBLE || state == CLASS_PENDING;
    }
    counts->written -= counts->without_key;
}

/* Makes a folder beside `folder`, for its owner alone; NULL if it cannot. */
static char *make_beside(struct arena *arena, const char *folder, struct diagnostic *diagnostic)
{
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    char *path = arena_printf(arena, "%.*s.partial-XXXXXX", (int)length, folder);
    if (mkdtemp(path) == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "cannot make a folder next to '%s': %s", folder,
                       strerror(errno));
        return NULL;
    }
    return path;
}

enum error page_folder_write(const char *folder, const struct page_source *source,
                             struct page_counts *out_counts, int *out_signal,
                             struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct page_counts counts = {.written = 0};
    sigset_t ending, before;
    enum error error = result_folder_check(folder, diagnostic);
    char *made = error == ERROR_NONE ? make_beside(arena, folder, diagnostic) : NULL;

    if (made == NULL) {
        arena_free(arena);
        return error != ERROR_NONE ? error : ERROR_IO;
    }
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, &before);
    int signal_fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    int folder_fd = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    error = write_pages(source, folder_fd, signal_fd, &counts, out_signal, diagnostic);
    if (error == ERROR_NONE && rename(made, folder) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be created: %s", folder,
                       strerror(errno));
        error = ERROR_IO;
    }
    if (error == ERROR_NONE) {
        count_pages(source, &counts);
        *out_counts = counts;
    } else {
        folder_remove(made);
    }
    descriptor_close(&folder_fd);
    descriptor_close(&signal_fd);
    sigprocmask(SIG_SETMASK, &before, NULL);
    arena_free(arena);
    return error;
}
