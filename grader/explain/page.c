/* page.c: the page of a code; see explain.h. */
#include "explain/explain.h"
#include "explain/page_texts.h"

#include <string.h>

const char *explain_text(enum code code)
{
    for (const struct page_text *page = page_texts; page->id != NULL; page++) {
        if (strcmp(page->id, code_id(code)) == 0) {
            return page->text;
        }
    }
    return NULL;
}

bool explain_page(struct arena *arena, enum code code, struct page *out_page)
{
    const char *text = explain_text(code);

    if (text == NULL) {
        return false;
    }
    page_parse(arena, code, text, out_page);
    return true;
}
