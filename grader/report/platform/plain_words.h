/* plain_words.h: what the formats with plain text share: points, why something was not graded, and
 * a diagnostic as lines of text.
 *
 *     error[R01]: shared array `Bs` is read while other threads still write it
 *       at hw3/exercise1_tiled.cu:31:13
 *       hw3/exercise1_tiled.cu:27:9: written by thread (3,5)
 *       hint: ...
 *
 * Texts are appended as they are, with what a student has written: each format escapes them.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_PLAIN_WORDS_H
#define GPUGRADE_REPORT_PLATFORM_PLAIN_WORDS_H

#include "report/platform/emit_format.h"

/* A number with at most `decimals` decimals, without trailing zeros: "62.5", "0". */
void plain_append_number(struct text *out, double number, int decimals);

/* "8.5 of 10 points", "4 of 4 bonus points"; if it was not measured "10 points, not measured". */
void plain_append_points(struct text *out, const struct verdict *verdict);

/* "62 of 85 points; 15 more were not measured; includes 2 bonus points", without parts that are 0.
 */
void plain_append_score(struct text *out, const struct report *report);

/* Why a verdict was skipped or is in error; "" if unknown. */
const char *plain_why(const struct verdict *verdict);

/* Seconds that the whole check took; 0 if the score does not contain them. */
double plain_seconds(const struct report *report);

/* The diagnostic that explains why verdict `index` fails; NULL if there is none. `out_first` is the
 * verdict whose own cause it is, usually the same one. */
const struct report_diagnostic *plain_diagnostic(const struct report *report, size_t index,
                                                 size_t *out_first);

/* "hw3/a.cu:31:13", without what is unknown; nothing for no file. */
void plain_append_place(struct text *out, const struct emit_options *options, const char *file,
                        int line, int column);

/* "error[R01]: message", without the code where there is none. */
void plain_append_headline(struct text *out, const struct report_diagnostic *diagnostic);

/* Appends a diagnostic as lines, the headline first; each ends with a newline. */
void plain_append_diagnostic(struct text *out, const struct emit_options *options,
                             const struct report_diagnostic *diagnostic);

/* "remark: hw3/a.cu:3:1: message" and a newline. */
void plain_append_remark(struct text *out, const struct emit_options *options,
                         const struct remark *remark);

#endif
