/* page_folder.h: one page for each student, in a folder that appears whole or not at all. */
#ifndef GPUGRADE_CLI_PAGE_FOLDER_H
#define GPUGRADE_CLI_PAGE_FOLDER_H

#include "batch/store.h"

/* What was written, and who has no page: trouble, not graded yet, nothing handed in. */
struct page_counts {
    size_t written, without_report, missing;
};

/* What pages are made of; `rubric` is the one of the store. */
struct page_source {
    struct store *store;
    const struct rubric *rubric;
    const struct class_results *results;
};

/* Writes DIR/STUDENT.html for each graded row and each in which nothing could be graded, readable
 * for their owner alone. DIR must be empty or not there yet. Errors: ERROR_RANGE (DIR holds
 * something; blames usage), ERROR_IO, ERROR_FAILED (*out_signal came), and those of store_archive
 * and report_archive_read; then nothing is left behind. */
enum error page_folder_write(const char *folder, const struct page_source *source,
                             struct page_counts *out_counts, int *out_signal,
                             struct diagnostic *diagnostic);

/* The name of a student's page: the key where it is made of letters, digits, "-", "_" and ".", else
 * with "_" for the rest, a "~" and the number of the row. `has_duplicate_name`: another student's
 * key differs in upper and lower case alone, which is one name where such pages may be unpacked;
 * then the number is there too. */
const char *page_file_name(struct arena *arena, const char *student, size_t row,
                           bool has_duplicate_name);

#endif
