/* explain.h: the pages that `gpugrade explain CODE` shows: what a code means, for a student.
 *
 * A page is a file pages/ID.md, compiled in (embed_pages.cmake). It is written in a small subset of
 * Markdown:
 *
 *     # R01: shared memory, no barrier between two threads     the title of its code, first line
 *     ## What it means                                          a section
 *     Text with `literals`, wrapped as one likes.               a paragraph, up to an empty line
 *     - an item, which goes on                                  a list; "1. " for one with numbers
 *       on indented lines
 *     ```cuda                                                   code, up to ``` (below)
 *
 * The words after ``` say what kind of code it is:
 *
 *     cuda             a whole program; `gpugrade run` of it gives the page's code
 *     cuda --option    the same, with this option of `gpugrade run`
 *     cuda refused     a whole program that nvcc refuses
 *     cuda fragment    a part of a program; only `gpugrade check` gives the code
 *     text             what a screen shows
 *
 * Code, but not text, may show how it is fixed: a line that begins with - is only in the wrong
 * code, one that begins with + only in the right code. The mark stands for the line's first blank.
 *
 * Ids of codes in running text (R02) are references to their pages.
 */
#ifndef GPUGRADE_EXPLAIN_EXPLAIN_H
#define GPUGRADE_EXPLAIN_EXPLAIN_H

#include "base/arena.h"
#include "model/finding.h"

#include <stdbool.h>
#include <stddef.h>

enum page_block_kind { PAGE_HEADING, PAGE_PARAGRAPH, PAGE_ITEM, PAGE_NUMBERED_ITEM, PAGE_CODE };

enum page_code_kind {
    PAGE_CODE_PROGRAM,  /* `gpugrade run` with `options` gives the page's code */
    PAGE_CODE_REFUSED,  /* nvcc refuses it */
    PAGE_CODE_FRAGMENT, /* a part of a program */
    PAGE_CODE_SCREEN    /* not a program: what is typed or printed */
};

enum page_span_kind { PAGE_TEXT, PAGE_LITERAL, PAGE_REFERENCE };

/* A line of code: of the wrong code, of the right code, or of both. */
enum page_side { PAGE_BOTH, PAGE_WRONG, PAGE_RIGHT };

struct page_line {
    enum page_side side;
    const char *text; /* without mark and newline */
};

/* A piece of running text. */
struct page_span {
    enum page_span_kind kind;
    const char *text;    /* without the backticks of a literal; blanks between spans are kept */
    enum code reference; /* the code that PAGE_REFERENCE names */
};

struct page_block {
    enum page_block_kind kind;
    const struct page_span *spans; /* [span_count], of all but code */
    size_t span_count;
    const char *text;  /* of a heading, or the lines of the wrong code, each with its newline */
    const char *fixed; /* of code: the right one; NULL: the page does not have it */
    const struct page_line *lines; /* [line_count] of code: of both */
    size_t line_count;
    int number;                    /* of a numbered item, from 1 */
    enum page_code_kind code_kind; /* of code, as is what follows */
    const char *options;           /* of `gpugrade run`; "" for none */
};

struct page {
    enum code code;
    const char *title;               /* without the id: "shared memory, no barrier ..." */
    const struct page_block *blocks; /* [block_count] */
    size_t block_count;
    const struct page_block *example; /* the smallest example: the first code; NULL if none */
};

/* Finds a code by its id or name, in upper or lower case ("R01", "r01", "shared_race"); false if
 * there is none. CODE_NONE is not found. */
bool explain_find(const char *word, enum code *out_code);

/* Fills out_codes [most] with the codes whose ids or names are most similar to `word`, the nearest
 * first, and returns how many. For the name of a cause ("race") or the letter of a family, these
 * are its codes. 0: nothing is similar. */
size_t explain_nearest(const char *word, enum code *out_codes, size_t most);

/* Fills out_codes [CODE_COUNT] with all codes but NONE by family and number, returns how many. */
size_t explain_list(enum code *out_codes);

/* The family of a code, the letter of its id, in words: "races". */
const char *explain_family(enum code code);

/* The text of a page as in its file; NULL if there is none. */
const char *explain_text(enum code code);

/* Parses a code's page; everything lives in the arena. False if there is no page. */
bool explain_page(struct arena *arena, enum code code, struct page *out_page);

/* Parses the text of a page (explain_page does so with the page of a code). Code without a closing
 * ``` extends to the end of the text. */
void page_parse(struct arena *arena, enum code code, const char *text, struct page *out_page);

#endif
