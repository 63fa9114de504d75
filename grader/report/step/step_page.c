/* step_page.c: the frame of the page, the source and the findings; see step_page.h.
 *
 * The script is named in the page's policy by its hash, so no other one runs. It is given numbers
 * (step_data.h); all text is in the page itself, escaped.
 */
#include "report/step/step_page.h"

#include "base/arena.h"
#include "model/block_steps.h"
#include "report/html/html_lines.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"
#include "report/script_policy.h"
#include "report/step/step_assets.h"
#include "report/step/step_data.h"
#include "report/step_moments.h"
#include "source/source_line.h"

#include <inttypes.h>
#include <string.h>

/* Lines of source on the page, those around a line that has steps among them; and bytes of each. */
enum { LINES_MAX = 600, NEAR_LINES = 3, LINE_BYTES = 200, MOMENTS_MAX = 64 };

/* A diagnostic's moment; those without one have has_moment false. */
struct page_moment {
    bool has_moment;
    struct step_moment moment;
};

struct page {
    const struct report *report;
    const struct block_steps *steps;
    struct page_moment *moments; /* [report->diagnostic_count] */
    struct step_data data;
    struct arena *arena;
};

static void append_index(struct text *out, const uint32_t index[3])
{
    text_printf(out, "(%" PRIu32 ",%" PRIu32, index[0], index[1]);
    if (index[2] != 0) {
        text_printf(out, ",%" PRIu32, index[2]);
    }
    text_append_char(out, ')');
}

static void append_size(struct text *out, const uint32_t size[3])
{
    text_printf(out, "%" PRIu32 " x %" PRIu32, size[0], size[1]);
    if (size[2] != 1) {
        text_printf(out, " x %" PRIu32, size[2]);
    }
}

static size_t find_moments(const struct report *report, struct arena *arena,
                           struct page_moment **out_moments)
{
    struct page_moment *moments = arena_array(arena, report->diagnostic_count + 1, sizeof *moments);
    size_t count = 0;

    for (size_t i = 0; i < report->diagnostic_count && count < MOMENTS_MAX; i++) {
        moments[i].has_moment =
            step_moment_find(report->steps, &report->diagnostics[i], &moments[i].moment);
        count += moments[i].has_moment;
    }
    *out_moments = moments;
    return count;
}

static void page_init(struct page *page, const struct report *report)
{
    size_t wanted[2 * MOMENTS_MAX];
    size_t count = 0;

    *page = (struct page){.report = report, .steps = report->steps, .arena = arena_new()};
    find_moments(report, page->arena, &page->moments);
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct step_moment *moment = &page->moments[i].moment;
        if (page->moments[i].has_moment) {
            wanted[count++] = moment->step;
            wanted[count++] = moment->has_other ? moment->other : moment->step;
        }
    }
    step_data_make(page->steps, wanted, count, &page->data);
}

static void page_release(struct page *page)
{
    step_data_release(&page->data);
    arena_free(page->arena);
}

/* Head ***************************************************************************************/

static void append_policy(struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    script_policy(step_script, out);
    text_append(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n");
}

static void append_title(const struct page *page, struct text *out)
{
    text_append(out, "<title>Block ");
    append_index(out, page->steps->block_index);
    text_append(out, " of ");
    html_escape(out, page->steps->kernel);
    text_append(out, ", step by step</title>\n<style>\n");
    text_append(out, html_style);
    text_append(out, step_style);
    text_append(out, "</style>\n</head>\n<body class=\"step\">\n");
}

static void append_reason(const struct block_steps *steps, struct text *out)
{
    text_append(out, steps->was_chosen    ? "you chose it"
                     : steps->has_finding ? "it has the first finding"
                     : steps->is_wrong    ? "a wrong element is its"
                                          : "the first; the launch has no findings");
}

static void append_facts(const struct page *page, struct text *out)
{
    const struct block_steps *steps = page->steps;

    text_append(out, "<dl class=\"facts\">\n<div><dt>grid</dt><dd>");
    append_size(out, steps->grid);
    text_append(out, " blocks</dd></div>\n<div><dt>block</dt><dd>");
    append_size(out, steps->block);
    text_append(out, " threads</dd></div>\n");
    if (steps->case_name[0] != '\0') {
        text_append(out, "<div><dt>case</dt><dd>");
        html_escape(out, steps->case_name);
        text_append(out, "</dd></div>\n");
    }
    text_append(out, "<div><dt>why this block</dt><dd>");
    append_reason(steps, out);
    text_append(out, "</dd></div>\n<div><dt>steps</dt><dd>");
    html_count(out, steps->total);
    text_append(out, "</dd></div>\n</dl>\n");
}

static void append_head(const struct page *page, struct text *out)
{
    append_policy(out);
    append_title(page, out);
    text_append(out, "<header>\n<p class=\"maker\">gpugrade step</p>\n<h1>Block ");
    append_index(out, page->steps->block_index);
    text_append(out, " of <code>");
    html_escape(out, page->steps->kernel);
    text_append(out, "</code>, step by step</h1>\n");
    append_facts(page, out);
    if (page->data.shown < page->steps->total) {
        text_append(out, "<p class=\"lead\">The page has ");
        html_count(out, page->data.shown);
        text_append(out, " of ");
        html_count(out, page->steps->total);
        text_append(out, " steps: the first ones and those around findings.</p>\n");
    }
    text_append(out,
                "<p class=\"lead\">A step is what the lanes of one warp do together. The order "
                "is one that CUDA allows; on a GPU, warps may run in another one.</p>\n"
                "<noscript><p class=\"lead\">This page needs its script.</p></noscript>\n"
                "</header>\n");
}

/* Controls ***********************************************************************************/

static void append_controls(const struct page *page, struct text *out)
{
    text_append(
        out,
        "<section class=\"controls\" aria-label=\"Time\">\n<div class=\"buttons\">\n"
        "<button type=\"button\" id=\"first\" aria-keyshortcuts=\"Home\">First</button>\n"
        "<button type=\"button\" id=\"back\" aria-keyshortcuts=\"ArrowLeft\">Back</button>\n"
        "<button type=\"button\" id=\"play\" aria-keyshortcuts=\"Space\">Play</button>\n"
        "<button type=\"button\" id=\"next\" aria-keyshortcuts=\"ArrowRight\">Next</button>\n"
        "<button type=\"button\" id=\"barrier\" aria-keyshortcuts=\"b\">Next barrier</button>\n"
        "<button type=\"button\" id=\"finding\" aria-keyshortcuts=\"n\">Next finding</button>\n"
        "<label>Steps a second <select id=\"speed\"><option>1<option selected>4<option>16"
        "<option>60</select></label>\n<output id=\"place\"></output>\n</div>\n");
    text_printf(out,
                "<input type=\"range\" id=\"time\" min=\"0\" max=\"%zu\" value=\"0\" "
                "aria-label=\"Step\">\n",
                page->data.shown > 0 ? page->data.shown - 1 : 0);
    text_append(out,
                "<canvas id=\"line\" role=\"img\" aria-label=\"The steps over the lines of the "
                "source\"></canvas>\n<p id=\"now\" aria-live=\"polite\"></p>\n"
                "<p id=\"happens\" aria-live=\"polite\"></p>\n</section>\n");
}

static void append_finding(const struct page *page, size_t index, struct text *out)
{
    const struct report_diagnostic *told = &page->report->diagnostics[index];
    const struct page_moment *of = &page->moments[index];

    text_printf(out, "<li id=\"d%zu\" class=\"%s\">", index + 1,
                told->severity == SEVERITY_ERROR ? "error" : "warning");
    if (of->has_moment) {
        text_printf(out, "<button type=\"button\" data-step=\"%zu\" data-lane=\"%" PRIu32 "\"",
                    page->data.number[of->moment.step], of->moment.lane);
        if (of->moment.has_other) {
            text_printf(out, " data-other=\"%zu\" data-other-lane=\"%" PRIu32 "\"",
                        page->data.number[of->moment.other], of->moment.other_lane);
        }
        text_append(out, of->moment.is_beyond ? " data-beyond>" : ">");
        html_code(out, told);
        text_append(out, "</button> ");
    } else {
        text_append(out, "<span class=\"code\">");
        html_code(out, told);
        text_append(out, "</span> ");
    }
    html_prose(out, told->message);
    text_append(out, of->has_moment ? "" : " <small>no step of this block shows it</small>");
    text_append(out, "</li>\n");
}

static void append_findings(const struct page *page, struct text *out)
{
    if (page->report->diagnostic_count == 0) {
        return;
    }
    text_append(out, "<section class=\"findings\" aria-labelledby=\"findings\">\n"
                     "<h2 id=\"findings\">Findings</h2>\n<ul>\n");
    for (size_t i = 0; i < page->report->diagnostic_count && i < MOMENTS_MAX; i++) {
        append_finding(page, i, out);
    }
    text_append(out, "</ul>\n</section>\n");
}

/* Source *************************************************************************************/

static bool is_near_step(const struct block_steps *steps, const char *file, int line)
{
    for (size_t i = 0; i < steps->line_count; i++) {
        if (strcmp(steps->lines[i].file, file) == 0 && line >= steps->lines[i].line - NEAR_LINES &&
            line <= steps->lines[i].line + NEAR_LINES) {
            return true;
        }
    }
    return false;
}

static void append_line(const struct html_line *line, struct text *out)
{
    struct html_line cut = *line;

    text_printf(out, "<li value=\"%d\" data-line=\"%d\"><code>", line->number, line->number);
    cut.length = cut.length > LINE_BYTES ? LINE_BYTES : cut.length;
    while (cut.length > 0 && cut.length < line->length &&
           ((unsigned char)line->bytes[cut.length] & 0xc0) == 0x80) {
        cut.length--;
    }
    html_line_code(&cut, out);
    text_append(out, cut.length < line->length ? " ...</code>" : "</code>");
    text_append(out, "<span class=\"who\"></span></li>\n");
}

/* The lines of a file that have steps, and those around them. */
static size_t append_file(const struct page *page, size_t number, const char *file, size_t room,
                          struct text *out)
{
    const struct source_file *source = source_find(page->report, file);
    struct html_line line;
    size_t shown = 0;
    int last = 0;

    if (source == NULL) {
        return 0;
    }
    const char *at = source->text;
    text_append(out, "<h3>");
    html_escape(out, file);
    text_printf(out, "</h3>\n<ol class=\"source\" data-file=\"%zu\">\n", number);
    for (int i = 1; shown < room && html_next_line(&at, source->text + source->length, &line);
         i++) {
        if (!is_near_step(page->steps, file, i)) {
            continue;
        }
        if (last > 0 && i > last + 1) {
            text_append(out, "<li class=\"gap\" aria-hidden=\"true\"></li>\n");
        }
        line.number = i;
        line.marks = NULL;
        line.mark_count = 0;
        append_line(&line, out);
        last = i;
        shown++;
    }
    text_append(out, "</ol>\n");
    return shown;
}

/* The first place with the file of a place. */
static size_t file_number(const struct block_steps *steps, size_t place)
{
    size_t i = 0;

    while (strcmp(steps->lines[i].file, steps->lines[place].file) != 0) {
        i++;
    }
    return i;
}

static void append_sources(const struct page *page, struct text *out)
{
    const struct block_steps *steps = page->steps;
    size_t shown = 0;

    text_append(out, "<section class=\"listing\" aria-labelledby=\"source\" "
                     "tabindex=\"0\">\n"
                     "<h2 id=\"source\">Source</h2>\n");
    for (size_t i = 0; i < steps->line_count && shown < LINES_MAX; i++) {
        if (steps->lines[i].file[0] != '\0' && file_number(steps, i) == i) {
            shown += append_file(page, i, steps->lines[i].file, LINES_MAX - shown, out);
        }
    }
    text_append(out, shown == 0 ? "<p>The source of these steps is not known.</p>\n" : "");
    text_append(out, "</section>\n");
}

/* Memory and data ****************************************************************************/

static void append_panes(struct text *out)
{
    static const struct {
        const char *id, *title, *label;
    } panes[] = {
        {"lanes", "Threads", "A row for each warp, a cell for each lane"},
        {"shared", "Shared memory", "A column for each bank, a cell for each word"},
        {"global", "Global memory", "A row for each sector of 32 bytes, a cell for each word"},
    };

    for (size_t i = 0; i < sizeof panes / sizeof panes[0]; i++) {
        text_printf(out,
                    "<section class=\"pane\" aria-labelledby=\"%s-title\">\n"
                    "<h2 id=\"%s-title\">%s</h2>\n<p class=\"says\" id=\"%s-says\"></p>\n"
                    "<canvas id=\"%s\" role=\"img\" aria-label=\"%s\"></canvas>\n"
                    "<p class=\"legend\" id=\"%s-legend\"></p>\n</section>\n",
                    panes[i].id, panes[i].id, panes[i].title, panes[i].id, panes[i].id,
                    panes[i].label, panes[i].id);
    }
}

static void append_places(const struct page *page, struct text *out)
{
    const struct block_steps *steps = page->steps;

    text_append(out, "<ul id=\"memories\" hidden>\n");
    for (size_t i = 0; i < steps->memory_count; i++) {
        const struct step_memory *memory = &steps->memories[i];
        text_printf(out,
                    "<li data-space=\"%u\" data-start=\"%" PRIu64 "\" data-bytes=\"%" PRIu64
                    "\" data-element=\"%" PRIu64 "\">",
                    memory->space, memory->start, memory->bytes, memory->element_bytes);
        html_escape(out, memory->name);
        text_append(out, "</li>\n");
    }
    text_append(out, "</ul>\n<script type=\"application/json\" id=\"lines\">[");
    for (size_t i = 0; i < steps->line_count; i++) {
        text_printf(out, "%s[%zu,%d]", i == 0 ? "" : ",", file_number(steps, i),
                    steps->lines[i].line);
    }
    text_append(out, "]</script>\n<script type=\"application/json\" id=\"data\">");
    text_append(out, page->data.json.bytes);
    text_append(out, "</script>\n<script>");
    text_append(out, step_script);
    text_append(out, "</script>\n");
}

void step_page(const struct report *report, struct text *out)
{
    struct page page;

    page_init(&page, report);
    append_head(&page, out);
    text_append(out, "<main>\n");
    append_controls(&page, out);
    append_findings(&page, out);
    text_append(out, "<div class=\"panes\">\n");
    append_sources(&page, out);
    text_append(out, "<div class=\"drawn\">\n");
    append_panes(out);
    text_append(out, "</div>\n</div>\n</main>\n");
    append_places(&page, out);
    text_append(out, "</body>\n</html>\n");
    page_release(&page);
}

void step_page_summary(const struct report *report, struct text *out)
{
    struct arena *arena = arena_new();
    struct page_moment *moments = NULL;
    size_t count = find_moments(report, arena, &moments);

    html_count(out, report->steps->total);
    text_append(out, " steps of block ");
    append_index(out, report->steps->block_index);
    text_append(out, " of `");
    text_append_printable(out, report->steps->kernel, strlen(report->steps->kernel), false);
    text_append_char(out, '`');
    if (report->diagnostic_count > 0) {
        text_printf(out, "; %zu of %zu findings happen in it", count, report->diagnostic_count);
    }
    arena_free(arena);
}
