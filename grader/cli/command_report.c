/* command_report.c: see command_report.h.
 *
 *     store --store_class--> class_results --report/class/--> one file, or
 *           --store_archive, one by one-----student_page----> a folder of pages
 *
 * Nothing is graded or changed. What is written tells marks of people, so only its owner can read
 * it, unless it has pseudonyms. What an export leaves out is said on standard error.
 */
#include "cli/command_report.h"

#include "batch/store.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "cli/page_folder.h"
#include "cli/pair_folder.h"
#include "cli/result_file.h"
#include "report/class/class_csv.h"
#include "report/class/class_facts.h"
#include "report/class/class_gradebook.h"
#include "report/class/class_json.h"
#include "report/class/class_page.h"
#include "report/class/leaderboard_page.h"

#include <string.h>
#include <sys/stat.h>

enum { MASK_OF_OTHERS = 077 };

enum report_format {
    FORMAT_CSV,
    FORMAT_CANVAS,
    FORMAT_MOODLE,
    FORMAT_JSONL,
    FORMAT_HTML,
    FORMAT_PAGES,
    FORMAT_PAIRS,
    FORMAT_LEADERBOARD
};

/* What the formats have in common and what not; in the order of --format's choices. */
static const struct {
    const char *name;
    bool takes_pseudonyms; /* the others are for platforms and people that need the names */
    bool takes_student;    /* can show one student alone */
    bool is_gradebook;
    bool shows_pairs;
    bool is_folder;
} formats[] = {
    [FORMAT_CSV] = {"csv", true, true, false, false, false},
    [FORMAT_CANVAS] = {"canvas", false, true, true, false, false},
    [FORMAT_MOODLE] = {"moodle", false, true, true, false, false},
    [FORMAT_JSONL] = {"jsonl", true, true, false, true, false},
    [FORMAT_HTML] = {"html", true, false, false, true, false},
    [FORMAT_PAIRS] = {"pairs", false, false, false, false, true},
    [FORMAT_PAGES] = {"pages", false, true, false, false, true},
    [FORMAT_LEADERBOARD] = {"leaderboard", false, false, false, false, false},
};

struct report_request {
    const char *folder; /* RESULTS */
    enum report_format format;
    const char *output;     /* "-": standard output */
    const char *student;    /* NULL: all */
    const char *assignment; /* NULL: the title of the coursework */
    const char *against;    /* another RESULTS; NULL: none */
    bool pseudonyms;
    enum page_reader reader; /* of pages */
};

static enum error refuse(struct diagnostic *diagnostic, const char *option, const char *format,
                         const char *why)
{
    diagnostic_set(diagnostic, BLAME_USAGE, "--%s cannot be used with --format %s: %s", option,
                   format, why);
    return ERROR_SYNTAX;
}

static enum report_format format_of(const char *name)
{
    int format = FORMAT_CSV;

    while (strcmp(formats[format].name, name) != 0) {
        format++;
    }
    return (enum report_format)format;
}

/* Refuses to write over a file of the store. */
static enum error check_not_store(struct arena *arena, const struct report_request *request,
                                  struct diagnostic *diagnostic)
{
    static const char *const names[] = {"gpugrade.sqlite", "gpugrade.sqlite-wal",
                                        "gpugrade.sqlite-shm", "gpugrade.lock"};
    struct stat output, kept;

    if (strcmp(request->output, "-") == 0 || stat(request->output, &output) != 0) {
        return ERROR_NONE;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = arena_printf(arena, "%s/%s", request->folder, names[i]);
        if (stat(path, &kept) == 0 && kept.st_dev == output.st_dev &&
            kept.st_ino == output.st_ino) {
            diagnostic_set(diagnostic, BLAME_USAGE,
                           "--output: '%s' is part of the results; name another file",
                           request->output);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

static enum error check_request(struct arena *arena, const struct report_request *request,
                                struct diagnostic *diagnostic)
{
    const char *name = formats[request->format].name;

    if (request->pseudonyms && !formats[request->format].takes_pseudonyms) {
        return refuse(diagnostic, "pseudonyms", name, "it is for people who know the students");
    }
    if (request->student != NULL && !formats[request->format].takes_student) {
        return refuse(diagnostic, "student", name, "it shows the whole class");
    }
    if (request->assignment != NULL && !formats[request->format].is_gradebook) {
        return refuse(diagnostic, "assignment", name, "it names a column of a gradebook");
    }
    if (request->reader != PAGES_FOR_PEOPLE && request->format != FORMAT_PAGES) {
        return refuse(diagnostic, "for", name, "it names pages");
    }
    if (request->assignment != NULL && request->assignment[0] == '\0') {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--assignment needs a name; leave it out for the title of the coursework");
        return ERROR_RANGE;
    }
    if (request->against != NULL && request->format != FORMAT_PAIRS) {
        return refuse(diagnostic, "against", name, "it is for --format pairs");
    }
    if (!formats[request->format].is_folder) {
        enum error error = result_file_check(arena, "output", request->output, diagnostic);
        return error == ERROR_NONE ? check_not_store(arena, request, diagnostic) : error;
    }
    if (strcmp(request->output, "-") == 0 || request->output[0] == '\0') {
        diagnostic_set(diagnostic, BLAME_USAGE, "--format %s needs a folder: --output DIR", name);
        return ERROR_SYNTAX;
    }
    return ERROR_NONE;
}

static enum error make_request(struct arena *arena, const struct options *options,
                               struct report_request *out_request, struct diagnostic *diagnostic)
{
    struct report_request request = {
        .folder = options->positional[0],
        .output =
            options->given[OPTION_REPORT_OUTPUT] ? options->values[OPTION_REPORT_OUTPUT] : "-",
        .student = options->values[OPTION_STUDENT],
        .assignment = options->values[OPTION_ASSIGNMENT],
        .against = options->values[OPTION_AGAINST],
        .pseudonyms = options->given[OPTION_PSEUDONYMS],
    };

    if (options->positional_count == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "report needs the folder that 'gpugrade batch -o' wrote: gpugrade report "
                       "RESULTS --format csv");
        return ERROR_SYNTAX;
    }
    if (!options->given[OPTION_FORMAT]) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "report needs a format; 'gpugrade help report' lists them");
        return ERROR_SYNTAX;
    }
    request.format = format_of(options->values[OPTION_FORMAT]);
    const char *reader = text_or_empty(options->values[OPTION_PAGES_FOR]);
    request.reader = strcmp(reader, "moodle") == 0   ? PAGES_FOR_MOODLE
                     : strcmp(reader, "canvas") == 0 ? PAGES_FOR_CANVAS
                                                     : PAGES_FOR_PEOPLE;
    *out_request = request;
    return check_request(arena, &request, diagnostic);
}

/* Loads the rubric by which marks are given now. */
static enum error load_rubric(struct arena *arena, struct store *store,
                              const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    struct locations locations;
    struct store_rubric stored;
    enum error error = locations_find(arena, &locations, diagnostic);

    if (error == ERROR_NONE) {
        error = coursework_stored(arena, locations.root, store, &stored, out_rubric, diagnostic);
    }
    return error;
}

/* Leaves one row, and nothing that names others; false if no student has the key. */
static bool keep_row(struct class_results *results, const char *student)
{
    for (size_t i = 0; i < results->row_count; i++) {
        if (strcmp(results->rows[i].student, student) == 0) {
            results->rows += i;
            results->row_count = 1;
            results->finding_count = 0;
            results->pair_count = 0;
            results->board_count = 0;
            return true;
        }
    }
    return false;
}

/* Leaves the student whom --student means, by the key of the report, or by what is known. */
static enum error keep_student(struct arena *arena, struct store *store,
                               const struct report_request *request, struct class_results *results,
                               struct diagnostic *diagnostic)
{
    const struct store_people *people;
    struct store_student found;

    if (request->student == NULL || keep_row(results, request->student)) {
        return ERROR_NONE;
    }
    enum error error = store_people(store, arena, &people, diagnostic);
    if (error == ERROR_NONE) {
        error = store_find_student(people, request->student, &found, diagnostic);
    }
    if (error == ERROR_NONE && !keep_row(results, found.student)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "'%s' is not in the roster and handed in nothing, or has a made-up name "
                       "here",
                       request->student);
        error = ERROR_NOT_FOUND;
    }
    return error;
}

/* "left out, as nothing was handed in: 3"; nothing for none. */
static void tell(const char *what, size_t count, const char *next_step)
{
    if (count > 0) {
        console_complain("%s: %zu%s%s", what, count, next_step[0] != '\0' ? "; " : "", next_step);
    }
}

static const char try_again[] =
    "continue with gpugrade batch --resume, or try again with --only-failed";

static void report_gradebook(const struct class_results *results,
                             const struct gradebook_counts *counts)
{
    double left_out = class_left_out(results);

    if (left_out > 0) {
        console_complain("the marks are out of %.12g: %.12g more points are left out, because no "
                         "submission was judged by their criteria",
                         results->maximum, left_out);
    }
    console_complain("marks written: %zu", counts->written);
    tell("left out because there is no verdict yet, or the grader or the machine failed",
         counts->without_mark, try_again);
    tell("left out because the platform's id is not known", counts->without_key,
         "add a roster that has it: gpugrade batch --resume -o RESULTS --roster FILE");
    tell("left out because nothing was handed in", counts->missing, "");
    tell("excused, without a mark", counts->excused, "");
    tell("written without criteria that others were judged by", counts->incomplete,
         "--format csv shows which");
    tell("written with more points than the maximum", counts->beyond_maximum,
         "the platform must allow that");
}

/* Appends a report that is one file. */
static void append_report(const struct report_request *request, const struct class_results *results,
                          struct text *out)
{
    const char *assignment = request->assignment != NULL ? request->assignment : results->title;
    struct gradebook_counts counts = {.written = 0};

    switch (request->format) {
    case FORMAT_CANVAS:
        class_canvas(results, assignment, out, &counts);
        break;
    case FORMAT_MOODLE:
        class_moodle(results, assignment, out, &counts);
        break;
    case FORMAT_JSONL:
        class_json(results, out);
        break;
    case FORMAT_HTML:
        class_page(results, out);
        break;
    case FORMAT_LEADERBOARD:
        leaderboard_page(results, out);
        break;
    default:
        class_csv(results, out);
        break;
    }
    if (formats[request->format].is_gradebook) {
        report_gradebook(results, &counts);
    }
}

static int write_report(const struct report_request *request, const struct class_results *results)
{
    struct text text;
    int status;

    text_init(&text);
    append_report(request, results, &text);
    status = result_file_write(request->output, &text) ? EXIT_PASSED : EXIT_GRADER;
    text_release(&text);
    return status;
}

static int write_pages(const struct report_request *request, const struct page_source *source)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct page_counts counts;
    int signal = 0;

    if (page_folder_write(request->output, source, &counts, &signal, &diagnostic) != ERROR_NONE) {
        int status = (int)console_report(&diagnostic);
        return signal != 0 ? 128 + signal : status;
    }
    console_complain("pages written into %s: %zu", request->output, counts.written);
    tell("without a page because there is no verdict yet, or the grader or the machine failed",
         counts.without_report, try_again);
    tell("without a page because nothing was handed in", counts.missing, "");
    tell("without a page because the platform's name for it is not known", counts.without_key,
         request->reader == PAGES_FOR_MOODLE
             ? "add a roster that has it, Moodle's grading worksheet: gpugrade batch --resume "
               "--roster FILE"
             : "it comes from an export of Canvas");
    return EXIT_PASSED;
}

/* Opens the class that is compared with this one, if there is one. */
static enum error open_other(struct arena *arena, const struct report_request *request,
                             struct pair_class *out_other, struct diagnostic *diagnostic)
{
    struct class_results *results = arena_alloc(arena, sizeof *results);
    enum error error = store_open(request->against, STORE_READ, &out_other->store, diagnostic);

    if (error == ERROR_NONE) {
        error = load_rubric(arena, out_other->store, &out_other->rubric, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_class(out_other->store, arena, out_other->rubric, false, results, diagnostic);
    }
    out_other->results = results;
    out_other->folder = request->against;
    return error;
}

static int write_pairs(struct arena *arena, const struct report_request *request,
                       const struct page_source *source)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct pair_class classes[2] = {{.store = source->store,
                                     .rubric = source->rubric,
                                     .results = source->results,
                                     .folder = request->folder}};
    size_t written = 0, left_out = 0;
    enum error error = request->against == NULL
                           ? ERROR_NONE
                           : open_other(arena, request, &classes[1], &diagnostic);

    if (error == ERROR_NONE) {
        error = pair_folder_write(request->output, classes, &written, &left_out, &diagnostic);
    }
    store_close(classes[1].store);
    if (error != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    console_complain("pairs written into %s: %zu", request->output, written);
    tell("pairs without a page, because others are more similar", left_out, "");
    return EXIT_PASSED;
}

/* Students' pages link to the leaderboard, if it is beside them. */
static enum error check_board(const struct report_request *request, struct class_results *results,
                              struct diagnostic *diagnostic)
{
    bool is_beside = request->format == FORMAT_PAGES && request->reader == PAGES_FOR_PEOPLE &&
                     request->student == NULL;

    if (results->ranked_by != RANKED_BY_NOTHING) {
        results->board_page = is_beside ? LEADERBOARD_FILE : NULL;
    } else if (request->format == FORMAT_LEADERBOARD) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "the rubric has no 'leaderboard'; add one to your overlay, then 'gpugrade "
                       "regrade RESULTS --rubric FILE --apply'");
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}

static int report(struct arena *arena, const struct report_request *request)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct class_results results;
    struct page_source source = {.reader = request->reader, .results = &results};
    enum error error = store_open(request->folder, STORE_READ, &source.store, &diagnostic);
    int status;

    if (error == ERROR_NONE) {
        error = load_rubric(arena, source.store, &source.rubric, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_class(source.store, arena, source.rubric, request->pseudonyms, &results,
                            &diagnostic);
    }
    if (error == ERROR_NONE && formats[request->format].shows_pairs && request->student == NULL) {
        error = store_pairs(source.store, arena, &results, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = keep_student(arena, source.store, request, &results, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_board(request, &results, &diagnostic);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else if (request->format == FORMAT_PAGES) {
        status = write_pages(request, &source);
    } else if (request->format == FORMAT_PAIRS) {
        status = write_pairs(arena, request, &source);
    } else {
        status = write_report(request, &results);
    }
    store_close(source.store);
    return status;
}

int command_report(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct report_request request;
    int status;

    if (make_request(arena, options, &request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        if (!request.pseudonyms) {
            umask(MASK_OF_OTHERS);
        }
        status = report(arena, &request);
    }
    arena_free(arena);
    return status;
}
