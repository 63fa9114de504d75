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

/* For the message of a GitHub workflow command (::error ...::message); keeps lines. */
void escape_workflow_message(const char *bytes, size_t length, struct text *out);

/* For a property of one (file=, title=); one line. */
void escape_workflow_property(const char *bytes, size_t length, struct text *out);

/* Lines before Autolab's line of scores: none of them starts like JSON; keeps lines, and ends the
 * last one. Nothing is appended for nothing. */
void escape_autolab_lines(const char *bytes, size_t length, struct text *out);

/* For the text of an XML element; keeps lines. Characters that XML 1.0 forbids (control
 * characters, surrogates, U+FFFE) have been made printable before. */
void escape_xml(const char *bytes, size_t length, struct text *out);

/* For an XML attribute in double quotes; newlines are kept as references, which a reader does not
 * turn into blanks. */
void escape_xml_attribute(const char *bytes, size_t length, struct text *out);

/* A line of running text within a comment of Moodle's VPL: it never starts a title ("-"), a case
 * (">"), a link or a tag, ends no block, and has no ":=>>" in it; one line. */
void escape_vpl_line(const char *bytes, size_t length, struct text *out);

/* The path of a file as a relative reference (RFC 3986): all but letters, digits and "-._~/" as
 * %XX. Unlike the others it keeps bytes as they are: what is encoded is the name itself. */
void escape_uri_path(const char *bytes, size_t length, struct text *out);

/* For a message of SARIF 2.1.0 (3.11.5, 3.11.6): no "{0}" that a reader would fill in, no
 * "[text](place)" that it would make a link of; keeps lines. It is still to become a JSON string.
 */
void escape_sarif_message(const char *bytes, size_t length, struct text *out);

/* For running text in Markdown (CommonMark, GitHub's too) that a course has written, as a title;
 * one line. */
void escape_markdown(const char *bytes, size_t length, struct text *out);

/* For running text in Markdown that may hold a student's words; one line, which may start here.
 * What stands between `...` is code, and so is every word in which a platform may see more than a
 * word: a mention, a link, a reference to an issue, HTML; the launch of a kernel is one word. Not
 * for cells of tables, where no code may hold a |. */
void escape_markdown_prose(const char *bytes, size_t length, struct text *out);

/* A code span in Markdown with its backquotes; one line. Nothing is appended for nothing. */
void escape_markdown_code(const char *bytes, size_t length, struct text *out);

/* Plain text that cannot be taken for HTML, because the page of check50 shows some of its results
 * without escaping them: it gets a blank after each < that could open a tag, and before the
 * >>> of a launch whose <<< got one; one line. */
void escape_untagged(const char *bytes, size_t length, struct text *out);

#endif
