/* explain_terminal.c: wraps running text word by word, indents code; see explain_terminal.h.
 * A literal keeps its backticks, so that it is one also without colour.
 */
#include "report/terminal/explain_terminal.h"

#include "report/display_text.h"

#include <string.h>

enum {
    COLUMNS_MAX = 80, /* of running text */
    COLUMNS_MIN = 40,
    CODE_INDENT = 4, /* with the mark of a line that is only in the wrong or the right code */
    MARK_COLUMNS = 2,
    SIDES_GAP = 2,
    NAME_COLUMNS = 24,
};

/* Running text on its way into lines. */
struct wrapping {
    struct text *out;
    bool color;
    size_t columns; /* of a line */
    size_t indent;  /* of the second line and those after it */
    size_t at;      /* columns that the line has so far */
    struct text word;
    bool is_literal; /* the word holds a piece of a literal */
    bool has_words;  /* the line has */
};

/* Writes the word that was collected, on a new line if it does not fit. */
static void flush_word(struct wrapping *wrapping)
{
    size_t width = display_width(wrapping->word.bytes);

    if (width == 0) {
        return;
    }
    if (wrapping->has_words && wrapping->at + 1 + width > wrapping->columns) {
        text_append_char(wrapping->out, '\n');
        text_append_repeated(wrapping->out, ' ', wrapping->indent);
        wrapping->at = wrapping->indent;
        wrapping->has_words = false;
    }
    if (wrapping->has_words) {
        text_append_char(wrapping->out, ' ');
        wrapping->at++;
    }
    display_paint(wrapping->out, wrapping->color && wrapping->is_literal, PAINT_STRONG,
                  wrapping->word.bytes);
    wrapping->at += width;
    wrapping->has_words = true;
    wrapping->is_literal = false;
    text_clear(&wrapping->word);
}

/* Adds text to words; blanks end them. */
static void wrap_text(struct wrapping *wrapping, const char *text, bool is_literal)
{
    for (; *text != '\0'; text++) {
        if (*text == ' ') {
            flush_word(wrapping);
            continue;
        }
        text_append_char(&wrapping->word, *text);
        wrapping->is_literal = wrapping->is_literal || is_literal;
    }
}

static void append_running(const struct page_block *block, size_t indent, size_t columns,
                           bool color, struct text *out)
{
    struct wrapping wrapping = {
        .out = out, .color = color, .columns = columns, .indent = indent, .at = indent};

    text_init(&wrapping.word);
    for (size_t i = 0; i < block->span_count; i++) {
        const struct page_span *span = &block->spans[i];
        bool is_literal = span->kind == PAGE_LITERAL;
        wrap_text(&wrapping, is_literal ? "`" : "", is_literal);
        wrap_text(&wrapping, span->text, is_literal);
        wrap_text(&wrapping, is_literal ? "`" : "", is_literal);
    }
    flush_word(&wrapping);
    text_append_char(out, '\n');
    text_release(&wrapping.word);
}

static char mark_of(const struct page_line *line)
{
    static const char marks[] = {[PAGE_BOTH] = ' ', [PAGE_WRONG] = '-', [PAGE_RIGHT] = '+'};

    return marks[line->side];
}

/* A line of code with its mark, `width` columns wide if another one follows; NULL: an empty one. */
static void append_marked(const struct page_line *line, size_t width, bool color, struct text *out)
{
    static const enum paint paints[] = {[PAGE_WRONG] = PAINT_BAD, [PAGE_RIGHT] = PAINT_GOOD};
    const char *code = line == NULL ? "" : line->text;
    size_t length = display_width(code) + MARK_COLUMNS;
    struct text text;

    text_init(&text);
    text_printf(&text, "%c %s", line == NULL ? ' ' : mark_of(line), code);
    if (line != NULL && line->side != PAGE_BOTH) {
        display_paint(out, color, paints[line->side], text.bytes);
    } else if (code[0] != '\0' || width > 0) {
        text_append(out, text.bytes);
    }
    text_append_repeated(out, ' ', width > length ? width - length : 0);
    text_release(&text);
}

/* One listing, with the lines of both sides where there are two. */
static void append_lines(const struct page_block *block, bool color, struct text *out)
{
    for (size_t i = 0; i < block->line_count; i++) {
        const struct page_line *line = &block->lines[i];
        bool is_empty = line->text[0] == '\0' && line->side == PAGE_BOTH;
        text_append_repeated(out, ' ', is_empty ? 0 : CODE_INDENT - MARK_COLUMNS);
        append_marked(line, 0, color, out);
        text_append_char(out, '\n');
    }
}

/* A line of each side; NULL: an empty one. */
static void append_row(const struct page_line *wrong, const struct page_line *right, size_t width,
                       bool color, struct text *out)
{
    if (wrong != right || wrong->text[0] != '\0') {
        text_append_repeated(out, ' ', CODE_INDENT - MARK_COLUMNS);
        append_marked(wrong, width + SIDES_GAP, color, out);
        append_marked(right, 0, color, out);
    }
    text_append_char(out, '\n');
}

/* Lines [first, end) that only one side has, side by side. */
static void append_change(const struct page_block *block, size_t first, size_t end, size_t width,
                          bool color, struct text *out)
{
    size_t wrong = first, right = first;

    for (;;) {
        while (wrong < end && block->lines[wrong].side != PAGE_WRONG) {
            wrong++;
        }
        while (right < end && block->lines[right].side != PAGE_RIGHT) {
            right++;
        }
        if (wrong == end && right == end) {
            return;
        }
        append_row(wrong < end ? &block->lines[wrong++] : NULL,
                   right < end ? &block->lines[right++] : NULL, width, color, out);
    }
}

/* Wrong code at the left and right code at the right, `width` columns each. */
static void append_sides(const struct page_block *block, size_t width, bool color, struct text *out)
{
    text_append_repeated(out, ' ', CODE_INDENT);
    display_append_padded(out, "wrong", width + SIDES_GAP);
    text_append(out, "right\n");
    for (size_t i = 0; i < block->line_count;) {
        size_t end = i;
        while (end < block->line_count && block->lines[end].side != PAGE_BOTH) {
            end++;
        }
        append_change(block, i, end, width, color, out);
        if (end < block->line_count) {
            append_row(&block->lines[end], &block->lines[end], width, color, out);
        }
        i = end + 1;
    }
}

/* The columns of the longest line, with its mark. */
static size_t widest(const struct page_block *block)
{
    size_t width = 0;

    for (size_t i = 0; i < block->line_count; i++) {
        size_t own = display_width(block->lines[i].text) + MARK_COLUMNS;
        width = own > width ? own : width;
    }
    return width;
}

static void append_code(const struct page_block *block, size_t columns, bool color,
                        struct text *out)
{
    size_t width = widest(block);

    if (block->fixed != NULL && CODE_INDENT - MARK_COLUMNS + 2 * width + SIDES_GAP <= columns) {
        append_sides(block, width, color, out);
    } else {
        append_lines(block, color, out);
    }
}

/* Says what can be done with a piece of code. */
static void append_use(const struct page *page, const struct page_block *block, bool color,
                       struct text *out)
{
    const char *id = code_id(page->code);
    struct text use;

    text_init(&use);
    if (block->code_kind == PAGE_CODE_FRAGMENT) {
        text_append(&use, "(part of a program)");
    } else if (block == page->example) {
        text_printf(&use, "(try it: gpugrade explain %s --example >%s.cu; gpugrade run%s%s %s.cu)",
                    id, id, block->options[0] == '\0' ? "" : " ", block->options, id);
    }
    if (block->fixed != NULL) {
        text_printf(&use, "%s(-: wrong, +: right)", use.length > 0 ? " " : "");
    }
    if (use.length > 0) {
        text_append_repeated(out, ' ', CODE_INDENT);
        display_paint(out, color, PAINT_FAINT, use.bytes);
        text_append_char(out, '\n');
    }
    text_release(&use);
}

/* `columns` for running text, `screen` for code. */
static void append_block(const struct page *page, const struct page_block *block, size_t columns,
                         size_t screen, bool color, struct text *out)
{
    switch (block->kind) {
    case PAGE_HEADING:
        display_paint(out, color, PAINT_STRONG, block->text);
        text_append_char(out, '\n');
        break;
    case PAGE_ITEM:
        text_append(out, "  - ");
        append_running(block, 4, columns, color, out);
        break;
    case PAGE_NUMBERED_ITEM:
        text_printf(out, "  %d. ", block->number);
        append_running(block, 5, columns, color, out);
        break;
    case PAGE_CODE:
        append_code(block, screen, color, out);
        append_use(page, block, color, out);
        break;
    default:
        append_running(block, 0, columns, color, out);
        break;
    }
}

static bool is_item(const struct page_block *block)
{
    return block->kind == PAGE_ITEM || block->kind == PAGE_NUMBERED_ITEM;
}

void explain_terminal_page(const struct page *page, int columns, bool color, struct text *out)
{
    size_t width = columns <= 0 || columns > COLUMNS_MAX ? COLUMNS_MAX : (size_t)columns;
    struct text title;

    width = width < COLUMNS_MIN ? COLUMNS_MIN : width;
    text_init(&title);
    text_printf(&title, "%s: %s", code_id(page->code), page->title);
    display_paint(out, color, PAINT_STRONG, title.bytes);
    text_printf(out, "\n(%s)\n", code_name(page->code));
    for (size_t i = 0; i < page->block_count; i++) {
        bool follows = i > 0 && (page->blocks[i - 1].kind == PAGE_HEADING ||
                                 (is_item(&page->blocks[i]) && is_item(&page->blocks[i - 1])));
        text_append(out, follows ? "" : "\n");
        append_block(page, &page->blocks[i], width, columns > 0 ? (size_t)columns : 0, color, out);
    }
    text_release(&title);
}

void explain_terminal_list(bool color, struct text *out)
{
    enum code codes[CODE_COUNT];
    size_t count = explain_list(codes);

    for (size_t i = 0; i < count; i++) {
        const char *family = explain_family(codes[i]);
        if (i == 0 || family != explain_family(codes[i - 1])) {
            text_append(out, i == 0 ? "" : "\n");
            display_paint(out, color, PAINT_STRONG, family);
            text_append_char(out, '\n');
        }
        text_printf(out, "  %s  ", code_id(codes[i]));
        display_append_padded(out, code_name(codes[i]), NAME_COLUMNS);
        text_printf(out, "%s\n", code_title(codes[i]));
    }
    text_append(out,
                "\n'gpugrade explain CODE' explains one of them; CODE is its id or its name\n");
}
