/* html_text.h: text, numbers and links as every part of the page writes them.
 *
 * Ids in the page: `c1` a criterion, `d1` a diagnostic, `f1` a source file and `f1-L31` its line
 * 31, `m1` a map, `explain-R01` a page of `gpugrade explain`; numbers count from 1 in the order of
 * the report's arrays.
 */
#ifndef GPUGRADE_REPORT_HTML_TEXT_H
#define GPUGRADE_REPORT_HTML_TEXT_H

#include "base/text.h"
#include "model/report.h"

#include <stdbool.h>
#include <stdint.h>

/* Appends text, escaped; NULL is the empty string. */
void html_escape(struct text *out, const char *string);

/* Appends a sentence, escaped; text between backquotes becomes code. */
void html_prose(struct text *out, const char *string);

/* Appends points without needless digits: 5, 6.67. */
void html_points(struct text *out, double points);

/* Appends a number with commas between thousands: 26,336. */
void html_count(struct text *out, uint64_t count);

/* Appends a diagnostic's severity and code: "error R01". */
void html_code(struct text *out, const struct report_diagnostic *diagnostic);

/* Appends a link to the diagnostic `index`: its severity and code. */
void html_reason(const struct report *report, size_t index, struct text *out);

/* Appends a note's text, or a label's, and commands as such: see html_prose. */
void html_command(struct text *out, const char *command);

/* Finds a fact of a verdict by its key, measured or not; NULL if it has none. */
const struct evidence *html_fact(const struct verdict *verdict, const char *key);

/* The number of a fact; 0 if the verdict has none. */
double html_fact_number(const struct verdict *verdict, const char *key);

/* A picture in one line: a bar from 0 to `value`, of `most`. */
struct html_bar {
    const char *style; /* a class: "mine", "other", "wrong" */
    const char *title, *description;
    double value, most;
    double low, high;  /* an interval around value; 0: none */
    double mark;       /* where a line crosses the bar; 0: none */
    uint32_t segments; /* equal parts that the value is made of; 0 or 1: one */
};

/* Appends a bar as inline SVG, as wide as its cell. */
void html_bar(struct text *out, const struct html_bar *bar);

#endif
