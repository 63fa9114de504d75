/* escape.h: text from a submission, made harmless for the formats that a report is written in.
 *
 * Every function appends bytes that may be anything: first they become printable UTF-8
 * (text_append_printable), then what means something in the format is escaped. Those that keep
 * lines keep newlines and tabs, the others show them as \x0A and \x09.
 */
#ifndef GPUGRADE_REPORT_ESCAPE_H
#define GPUGRADE_REPORT_ESCAPE_H

#include "base/text.h"

/* For the text of an HTML element and for an attribute in quotes of either kind; keeps lines. */
void escape_html(const char *bytes, size_t length, struct text *out);

/* A whole cell of a CSV file (RFC 4180), in quotes; keeps lines. Where a spreadsheet would take it
 * for a formula (it starts with = + - @ or one of their wide forms, or with a tab or a blank before
 * one), a ' stands before it. */
void escape_csv_cell(const char *bytes, size_t length, struct text *out);

/* For the message of a GitHub workflow command (::error ...::message); keeps lines. */
void escape_workflow_message(const char *bytes, size_t length, struct text *out);

/* For a property of one (file=, title=); one line. */
void escape_workflow_property(const char *bytes, size_t length, struct text *out);

/* Lines before Autolab's line of scores: none of them starts like JSON; keeps lines, and ends the
 * last one. Nothing is appended for nothing. */
void escape_autolab_lines(const char *bytes, size_t length, struct text *out);

/* A JSON string in quotes for Autolab, whose parser puts quotes around every word before a colon,
 * inside of strings too: so there is no colon in it. */
void escape_autolab_string(const char *bytes, size_t length, struct text *out);

/* For running text in Markdown (CommonMark, GitHub's too); one line. */
void escape_markdown(const char *bytes, size_t length, struct text *out);

/* A code span in Markdown with its backquotes; one line. Nothing is appended for nothing. */
void escape_markdown_code(const char *bytes, size_t length, struct text *out);

/* A fenced block in Markdown with its fences; keeps lines. */
void escape_markdown_block(const char *bytes, size_t length, struct text *out);

#endif
