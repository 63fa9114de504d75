/* html_words.h: words of the trade: in a sentence each leads to what it means, in a list behind the
 * sections.
 *
 * A word is a link where it stands first below a heading; the list has the words that the page
 * links to, and no others. Ids: `word-warp`.
 */
#ifndef GPUGRADE_REPORT_HTML_WORDS_H
#define GPUGRADE_REPORT_HTML_WORDS_H

#include "base/text.h"

/* Appends a sentence as html_prose does, with links from its words. It must not stand in a link or
 * in what opens and closes. */
void html_sentence(struct text *out, const char *string);

/* Appends the list of the words that the page links to so far; nothing if it links to none. */
void html_words(struct text *out);

#endif
