/* leaderboard_page.h: who of a class is where, under made-up names: a page that students may see.
 * It has nothing else of them, and needs no script.
 */
#ifndef GPUGRADE_REPORT_CLASS_LEADERBOARD_PAGE_H
#define GPUGRADE_REPORT_CLASS_LEADERBOARD_PAGE_H

#include "base/text.h"
#include "model/class_results.h"

#define LEADERBOARD_FILE "leaderboard.html" /* beside the pages of students */

/* Appends the page, a whole HTML document in UTF-8. */
void leaderboard_page(const struct class_results *results, struct text *out);

/* Appends what a column of values is called ("Speedup"), and a value as it is shown. */
const char *leaderboard_measure(const struct class_results *results);
void leaderboard_value(const struct class_results *results, double value, struct text *out);

/* Appends what the places are by, in a sentence or two. */
void leaderboard_rules(const struct class_results *results, struct text *out);

#endif
