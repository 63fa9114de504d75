/* page_folder.h: one page for each student, in a folder that appears complete or not at all. */
#ifndef GPUGRADE_CLI_PAGE_FOLDER_H
#define GPUGRADE_CLI_PAGE_FOLDER_H

#include "batch/store.h"

/* How many pages were written, and how many students have none: because the grader or the machine
 * failed or they are not graded yet (without_report), or handed in nothing (missing). */
struct page_counts {
    size_t written, without_report, missing;
};

/* What pages are made of; `rubric` is the store's. */
struct page_source {
    struct store *store;
    const struct rubric *rubric;
    const struct class_results *results;
};

/* Writes DIR/STUDENT.html for each graded row, and for each row in which nothing could be graded.
 * Only their owner can read the files. DIR must be empty or not exist yet. Errors: ERROR_RANGE (DIR
 * is not empty; blames usage), ERROR_IO, ERROR_FAILED (the signal *out_signal arrived), and those
 * of store_archive and report_archive_read; after an error nothing remains. */
enum error page_folder_write(const char *folder, const struct page_source *source,
                             struct page_counts *out_counts, int *out_signal,
                             struct diagnostic *diagnostic);

/* The file name of a student's page. This is the key if it consists of letters, digits, "-", "_"
 * and "."; otherwise other characters become "_", and "~" and the row's number follow. The number
 * is also added with `has_duplicate_name`: another student's key differs only in upper and lower
 * case, which some file systems take for the same name. */
const char *page_file_name(struct arena *arena, const char *student, size_t row,
                           bool has_duplicate_name);

#endif
