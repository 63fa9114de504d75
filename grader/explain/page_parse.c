/* page_parse.c: the Markdown of pages, line by line into blocks and each block's text into spans;
 * see explain.h.
 */
#include "base/text.h"
#include "explain/explain.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static const char fence[] = "```";

enum { ID_BYTES = 3, FENCE_BYTES = sizeof fence - 1 };

struct parser {
    struct arena *arena;
    enum code code; /* of the page, to which it does not refer itself */
    const char *at; /* the next line */
    struct page_block *blocks;
    size_t block_count, block_capacity;
    struct text running; /* the lines of the block that is open, joined by blanks */
    struct page_block open;
    bool is_open;
};

/* Takes the next line, without its newline; false at the end. */
static bool next_line(struct parser *parser, const char **out_line, size_t *out_length)
{
    size_t length = strcspn(parser->at, "\n");

    if (parser->at[0] == '\0') {
        return false;
    }
    *out_line = parser->at;
    *out_length = length;
    parser->at += length + (parser->at[length] == '\n' ? 1 : 0);
    return true;
}

static void add_block(struct parser *parser, const struct page_block *block)
{
    arena_grow(parser->arena, &parser->blocks, &parser->block_capacity, parser->block_count + 1,
               sizeof *parser->blocks);
    parser->blocks[parser->block_count++] = *block;
}

/* A growing list of spans. */
struct span_list {
    struct arena *arena;
    struct page_span *spans;
    size_t count, capacity;
};

static void add_span(struct span_list *list, enum page_span_kind kind, const char *text,
                     size_t length, enum code reference)
{
    if (length == 0) {
        return;
    }
    arena_grow(list->arena, &list->spans, &list->capacity, list->count + 1, sizeof *list->spans);
    list->spans[list->count++] =
        (struct page_span){kind, arena_strndup(list->arena, text, length), reference};
}

/* True if a whole word at text[at] is the id of another code than the page's own. */
static bool find_reference(const char *text, size_t at, enum code own, enum code *out_code)
{
    char id[ID_BYTES + 1] = "";
    bool starts = at == 0 || isalnum((unsigned char)text[at - 1]) == 0;

    if (!starts || isupper((unsigned char)text[at]) == 0) {
        return false;
    }
    memcpy(id, text + at, strnlen(text + at, ID_BYTES));
    if (strlen(id) < ID_BYTES || isalnum((unsigned char)text[at + ID_BYTES]) != 0) {
        return false;
    }
    return explain_find(id, out_code) && *out_code != own;
}

/* Splits running text into plain text, `literals` and references. */
static void split_spans(struct parser *parser, const char *text, struct page_block *block)
{
    struct span_list list = {.arena = parser->arena};
    size_t plain = 0; /* where the plain text starts that is not yet a span */
    size_t at = 0;
    enum code reference;

    while (text[at] != '\0') {
        const char *end = text[at] == '`' ? strchr(text + at + 1, '`') : NULL;
        if (end != NULL) {
            size_t next = (size_t)(end - text) + 1;
            add_span(&list, PAGE_TEXT, text + plain, at - plain, CODE_NONE);
            add_span(&list, PAGE_LITERAL, text + at + 1, next - at - 2, CODE_NONE);
            at = plain = next;
        } else if (find_reference(text, at, parser->code, &reference)) {
            add_span(&list, PAGE_TEXT, text + plain, at - plain, CODE_NONE);
            add_span(&list, PAGE_REFERENCE, text + at, ID_BYTES, reference);
            at = plain = at + ID_BYTES;
        } else {
            at++;
        }
    }
    add_span(&list, PAGE_TEXT, text + plain, at - plain, CODE_NONE);
    block->spans = list.spans;
    block->span_count = list.count;
}

static void close_block(struct parser *parser)
{
    if (parser->is_open) {
        split_spans(parser, parser->running.bytes, &parser->open);
        add_block(parser, &parser->open);
    }
    parser->is_open = false;
    text_clear(&parser->running);
}

static void open_block(struct parser *parser, enum page_block_kind kind, int number)
{
    close_block(parser);
    parser->open = (struct page_block){.kind = kind, .text = "", .number = number, .options = ""};
    parser->is_open = true;
}

/* Adds a line to the open block, without the blanks around it. */
static void append_running(struct parser *parser, const char *line, size_t length)
{
    while (length > 0 && line[0] == ' ') {
        line++;
        length--;
    }
    while (length > 0 && line[length - 1] == ' ') {
        length--;
    }
    if (parser->running.length > 0) {
        text_append_char(&parser->running, ' ');
    }
    text_append_bytes(&parser->running, line, length);
}

/* Reads what stands behind the fence, as explain.h lists it. */
static void read_info(struct parser *parser, const char *info, size_t length,
                      struct page_block *block)
{
    static const char language[] = "cuda";
    const char *words = arena_strndup(parser->arena, info, length);

    block->options = "";
    block->code_kind = PAGE_CODE_SCREEN;
    if (!text_starts_with(words, language)) {
        return;
    }
    words += strlen(language);
    words += strspn(words, " ");
    if (strcmp(words, "refused") == 0) {
        block->code_kind = PAGE_CODE_REFUSED;
    } else if (strcmp(words, "fragment") == 0) {
        block->code_kind = PAGE_CODE_FRAGMENT;
    } else {
        block->code_kind = PAGE_CODE_PROGRAM;
        block->options = words;
    }
}

/* Reads the mark of a line of code, as explain.h says. */
static struct page_line read_mark(struct parser *parser, const char *line, size_t length)
{
    enum page_side side = PAGE_BOTH;

    if (length > 0 && (line[0] == '-' || line[0] == '+')) {
        side = line[0] == '-' ? PAGE_WRONG : PAGE_RIGHT;
    }
    if (side == PAGE_BOTH) {
        return (struct page_line){side, arena_strndup(parser->arena, line, length)};
    }
    bool is_indented = length > 1 && line[1] == ' ';
    return (struct page_line){side, arena_printf(parser->arena, "%s%.*s", is_indented ? " " : "",
                                                 (int)length - 1, line + 1)};
}

/* The lines of one side. */
static const char *text_of(struct arena *arena, const struct page_block *block, enum page_side side)
{
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < block->line_count; i++) {
        if (block->lines[i].side == PAGE_BOTH || block->lines[i].side == side) {
            text_printf(&text, "%s\n", block->lines[i].text);
        }
    }
    const char *result = arena_strdup(arena, text.bytes);
    text_release(&text);
    return result;
}

/* Takes the lines of code up to the closing fence. */
static void take_code(struct parser *parser, const char *info, size_t info_length)
{
    struct page_block block = {.kind = PAGE_CODE};
    struct page_line *lines = NULL;
    size_t capacity = 0;
    bool is_marked = false;
    const char *line;
    size_t length;

    close_block(parser);
    read_info(parser, info, info_length, &block);
    while (next_line(parser, &line, &length) && strncmp(line, fence, FENCE_BYTES) != 0) {
        arena_grow(parser->arena, &lines, &capacity, block.line_count + 1, sizeof *lines);
        lines[block.line_count] =
            block.code_kind == PAGE_CODE_SCREEN
                ? (struct page_line){PAGE_BOTH, arena_strndup(parser->arena, line, length)}
                : read_mark(parser, line, length);
        is_marked = is_marked || lines[block.line_count].side != PAGE_BOTH;
        block.line_count++;
    }
    block.lines = lines;
    block.text = text_of(parser->arena, &block, PAGE_WRONG);
    block.fixed = is_marked ? text_of(parser->arena, &block, PAGE_RIGHT) : NULL;
    add_block(parser, &block);
}

static void take_heading(struct parser *parser, const char *text, size_t length)
{
    struct page_block block = {
        .kind = PAGE_HEADING,
        .text = arena_strndup(parser->arena, text, length),
        .options = "",
    };

    close_block(parser);
    add_block(parser, &block);
}

/* Takes a line outside of code. */
static void take_line(struct parser *parser, const char *line, size_t length)
{
    static const char heading[] = "## ";
    size_t digits = strspn(line, "0123456789");

    if (length == 0) {
        close_block(parser);
    } else if (text_starts_with(line, fence)) {
        take_code(parser, line + FENCE_BYTES, length - FENCE_BYTES);
    } else if (text_starts_with(line, heading)) {
        take_heading(parser, line + strlen(heading), length - strlen(heading));
    } else if (text_starts_with(line, "- ")) {
        open_block(parser, PAGE_ITEM, 0);
        append_running(parser, line + 2, length - 2);
    } else if (digits == 1 && text_starts_with(line + digits, ". ")) {
        open_block(parser, PAGE_NUMBERED_ITEM, line[0] - '0');
        append_running(parser, line + digits + 2, length - digits - 2);
    } else {
        if (!parser->is_open) {
            open_block(parser, PAGE_PARAGRAPH, 0);
        }
        append_running(parser, line, length);
    }
}

/* The title behind "# R01: ". */
static const char *read_title(struct parser *parser)
{
    const char *line = "";
    size_t length = 0;

    if (!text_starts_with(parser->at, "# ") || !next_line(parser, &line, &length)) {
        return code_title(parser->code);
    }
    const char *title = arena_strndup(parser->arena, line, length);
    const char *colon = strstr(title, ": ");
    return colon == NULL ? title : colon + 2;
}

void page_parse(struct arena *arena, enum code code, const char *text, struct page *out_page)
{
    struct parser parser = {.arena = arena, .code = code, .at = text};
    const char *line;
    size_t length;

    text_init(&parser.running);
    *out_page = (struct page){.code = code, .title = read_title(&parser)};
    while (next_line(&parser, &line, &length)) {
        take_line(&parser, line, length);
    }
    close_block(&parser);
    text_release(&parser.running);
    out_page->blocks = parser.blocks;
    out_page->block_count = parser.block_count;
    for (size_t i = 0; i < out_page->block_count && out_page->example == NULL; i++) {
        const struct page_block *block = &out_page->blocks[i];
        if (block->kind == PAGE_CODE && block->code_kind != PAGE_CODE_SCREEN) {
            out_page->example = block;
        }
    }
}
