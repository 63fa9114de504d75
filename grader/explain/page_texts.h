/* page_texts.h: the pages as they are compiled in; its table is written by embed_pages.cmake. */
#ifndef GPUGRADE_EXPLAIN_PAGE_TEXTS_H
#define GPUGRADE_EXPLAIN_PAGE_TEXTS_H

struct page_text {
    const char *id;   /* "R01", the file's name; NULL after the last one */
    const char *text; /* the whole file */
};

extern const struct page_text page_texts[];

#endif
