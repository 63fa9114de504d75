/* pair_page.h: the sources of two students side by side, with what they share marked, and the list
 * of such pages.
 *
 * Both are for the instructor: they show names and whole sources. A page needs no network and no
 * script.
 */
#ifndef GPUGRADE_REPORT_CLASS_PAIR_PAGE_H
#define GPUGRADE_REPORT_CLASS_PAIR_PAGE_H

#include "base/text.h"
#include "report/class/shared_lines.h"

#include "model/class_results.h"

/* One student of a pair. */
struct pair_side {
    const struct class_row *row;
    const char *from; /* the folder of another class; NULL: this class */
    struct shared_files files;
};

/* Two students, and how alike their programs are. */
struct pair_view {
    const char *title; /* of the coursework */
    struct pair_side sides[2];
    const struct class_pair *pairs; /* [pair_count] of these two, one for each program */
    size_t pair_count;
};

/* Appends a page: index.html beside it is the list. */
void pair_page(const struct pair_view *view, const struct shared_lines *shared, struct text *out);

/* Appends the list: of each view, a link to its page. */
void pair_list(const char *title, const struct pair_view *views, const char *const *pages,
               size_t count, struct text *out);

#endif
