/* html_words.h: technical words. In a sentence they are links to their meanings, which are listed
 * after the sections.
 *
 * A word is a link where it first occurs below a heading. The list has only the words that the page
 * links to. Ids: `word-warp`.
 */
#ifndef GPUGRADE_REPORT_HTML_WORDS_H
#define GPUGRADE_REPORT_HTML_WORDS_H

#include "base/text.h"

/* Appends a sentence as html_prose does, with links from its words. It must not be inside a link or
 * inside something that opens and closes. */
void html_sentence(struct text *out, const char *string);

/* Appends the list of the words that the page links to so far; nothing if there are none. */
void html_words(struct text *out);

#endif
