/* html_explanations.c: the pages behind `gpugrade explain`, of those codes that a diagnostic points
 * to; see html_sections.h. */
#include "explain/explain.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"

#include <string.h>

/* True if a diagnostic's notes point to the page of its code: where a rubric holds explanations
 * back, none does. */
static bool points_to_page(const struct report_diagnostic *told)
{
    for (size_t i = 0; i < told->note_count; i++) {
        if (told->notes[i].kind == NOTE_EXPLAIN) {
            return told->code != CODE_NONE;
        }
    }
    return false;
}

bool html_explains(const struct report *report, enum code code)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (report->diagnostics[i].code == code && points_to_page(&report->diagnostics[i])) {
            return explain_text(code) != NULL;
        }
    }
    return false;
}

bool html_has_explanations(const struct report *report)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (html_explains(report, report->diagnostics[i].code)) {
            return true;
        }
    }
    return false;
}

static void append_spans(const struct report *report, const struct page_block *block,
                         struct text *out)
{
    for (size_t i = 0; i < block->span_count; i++) {
        const struct page_span *span = &block->spans[i];
        if (span->kind == PAGE_LITERAL) {
            text_append(out, "<code>");
            html_escape(out, span->text);
            text_append(out, "</code>");
        } else if (span->kind == PAGE_REFERENCE && html_explains(report, span->reference)) {
            text_printf(out, "<a href=\"#explain-%s\">", code_id(span->reference));
            html_escape(out, span->text);
            text_append(out, "</a>");
        } else {
            html_escape(out, span->text);
        }
    }
}

/* The element that holds blocks of a kind together; "" for none. */
static const char *list_of(const struct page_block *block)
{
    if (block->kind == PAGE_ITEM) {
        return "ul";
    }
    return block->kind == PAGE_NUMBERED_ITEM ? "ol" : "";
}

/* The lines of one side; those that only it has are marked. */
static void append_side(const struct page_block *block, enum page_side side, struct text *out)
{
    const char *mark = side == PAGE_WRONG ? "del" : "ins";

    text_printf(out, "<figure><figcaption>%s</figcaption><pre><code>",
                side == PAGE_WRONG ? "wrong" : "right");
    for (size_t i = 0; i < block->line_count; i++) {
        const struct page_line *line = &block->lines[i];
        if (line->side != PAGE_BOTH && line->side != side) {
            continue;
        }
        if (line->side == PAGE_BOTH) {
            html_escape(out, line->text);
        } else {
            text_printf(out, "<%s>", mark);
            html_escape(out, line->text);
            text_printf(out, "</%s>", mark);
        }
        text_append_char(out, '\n');
    }
    text_append(out, "</code></pre></figure>\n");
}

static void append_code(const struct page_block *block, struct text *out)
{
    if (block->fixed == NULL) {
        text_append(out, "<pre><code>");
        html_escape(out, block->text);
        text_append(out, "</code></pre>\n");
        return;
    }
    text_append(out, "<div class=\"sides\">\n");
    append_side(block, PAGE_WRONG, out);
    append_side(block, PAGE_RIGHT, out);
    text_append(out, "</div>\n");
}

static void append_block(const struct report *report, const struct page_block *block,
                         struct text *out)
{
    switch (block->kind) {
    case PAGE_HEADING:
        text_append(out, "<h4>");
        html_escape(out, block->text);
        text_append(out, "</h4>\n");
        break;
    case PAGE_PARAGRAPH:
        text_append(out, "<p>");
        append_spans(report, block, out);
        text_append(out, "</p>\n");
        break;
    case PAGE_ITEM:
    case PAGE_NUMBERED_ITEM:
        text_append(out, "<li>");
        append_spans(report, block, out);
        text_append(out, "</li>\n");
        break;
    case PAGE_CODE:
        append_code(block, out);
        break;
    }
}

static void append_page(const struct report *report, const struct page *page, struct text *out)
{
    const char *list = "";

    text_printf(out,
                "<details class=\"explanation\" id=\"explain-%s\">\n<summary><h3>"
                "<span class=\"code\">%s</span> ",
                code_id(page->code), code_id(page->code));
    html_escape(out, page->title);
    text_append(out, "</h3></summary>\n");
    for (size_t i = 0; i < page->block_count; i++) {
        const char *own = list_of(&page->blocks[i]);
        if (strcmp(own, list) != 0 && list[0] != '\0') {
            text_printf(out, "</%s>\n", list);
        }
        if (strcmp(own, list) != 0 && own[0] != '\0') {
            text_printf(out, "<%s>\n", own);
        }
        list = own;
        append_block(report, &page->blocks[i], out);
    }
    if (list[0] != '\0') {
        text_printf(out, "</%s>\n", list);
    }
    text_append(out, "</details>\n");
}

static bool reported_before(const struct report *report, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (report->diagnostics[i].code == report->diagnostics[index].code) {
            return true;
        }
    }
    return false;
}

void html_explanations(const struct report *report, struct arena *arena, struct text *out)
{
    if (!html_has_explanations(report)) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"explanations\">\n"
                     "<h2 id=\"explanations\">Explanations</h2>\n");
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        enum code code = report->diagnostics[i].code;
        struct page page;
        if (!reported_before(report, i) && html_explains(report, code) &&
            explain_page(arena, code, &page)) {
            append_page(report, &page, out);
        }
    }
    text_append(out, "</section>\n");
}
