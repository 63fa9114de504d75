/* class_page.h: the class as one page for a browser, for its instructor.
 *
 * Nothing is loaded from elsewhere. Everything is in the page as tables and can be read without the
 * script. The page's policy allows only this script (by its hash); it sorts, filters and pages long
 * tables. Colours, dark mode and print style are those of a student's page (report/html/).
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_PAGE_H
#define GPUGRADE_REPORT_CLASS_CLASS_PAGE_H

#include "base/text.h"
#include "model/class_results.h"

/* Appends the page, a whole HTML document in UTF-8. Foreign text is escaped. */
void class_page(const struct class_results *results, struct text *out);

#endif
