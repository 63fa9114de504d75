/* page_folder.h: one page for each student, in a folder that appears complete or not at all. */
#ifndef GPUGRADE_CLI_PAGE_FOLDER_H
#define GPUGRADE_CLI_PAGE_FOLDER_H

#include "batch/store.h"

/* How many pages were written, and how many students have none: because the grader or the machine
 * failed or they are not graded yet (without_report), handed in nothing (missing), or the platform
 * does not know them (without_key). */
struct page_counts {
    size_t written, without_report, missing, without_key;
};

/* Who gets the pages. Platforms know a page's student by its name. */
enum page_reader {
    PAGES_FOR_PEOPLE,
    PAGES_FOR_MOODLE, /* "Participant_1234_assignfeedback_file_feedback.html" */
    PAGES_FOR_CANVAS, /* "doejane_12_34_feedback.html", after the file that was handed in */
};

/* What pages are made of; `rubric` is the store's. */
struct page_source {
    enum page_reader reader;
    struct store *store;
    const struct rubric *rubric;
    const struct class_results *results;
};

/* Writes DIR/STUDENT.html for each graded row, and for each row in which nothing could be graded.
 * For people there is a table too, DIR/pages.csv: who gets which page, with mark and comments, to
 * send them by mail. Only their owner can read the files. DIR must be empty or not exist yet.
 * Errors: ERROR_RANGE (DIR is not empty; blames usage), ERROR_IO, ERROR_FAILED (the signal
 * *out_signal arrived), and those of store_archive and report_archive_read; after an error nothing
 * remains. */
enum error page_folder_write(const char *folder, const struct page_source *source,
                             struct page_counts *out_counts, int *out_signal,
                             struct diagnostic *diagnostic);

/* The name for a platform; NULL if the row lacks what the platform knows students by. */
const char *page_platform_name(struct arena *arena, const struct class_row *row,
                               enum page_reader reader);

/* The file name of a student's page. This is the key if it consists of letters, digits, "-", "_"
 * and "."; otherwise other characters become "_", and "~" and the row's number follow. The number
 * is also added with `has_duplicate_name`: another student's key differs only in upper and lower
 * case, which some file systems take for the same name. */
const char *page_file_name(struct arena *arena, const char *student, size_t row,
                           bool has_duplicate_name);

#endif
