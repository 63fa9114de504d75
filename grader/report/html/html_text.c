/* html_text.c: see html_text.h. */
#include "report/html/html_text.h"

#include "report/escape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void html_escape(struct text *out, const char *string)
{
    if (string != NULL) {
        escape_html(string, strlen(string), out);
    }
}

void html_prose(struct text *out, const char *string)
{
    const char *at = string == NULL ? "" : string;

    for (;;) {
        const char *start = strchr(at, '`');
        const char *end = start == NULL ? NULL : strchr(start + 1, '`');
        if (end == NULL) {
            html_escape(out, at);
            return;
        }
        escape_html(at, (size_t)(start - at), out);
        text_append(out, "<code>");
        escape_html(start + 1, (size_t)(end - start - 1), out);
        text_append(out, "</code>");
        at = end + 1;
    }
}

void html_points(struct text *out, double points)
{
    double cents = round(points * 100);

    if (fmod(cents, 100) == 0) {
        text_printf(out, "%.0f", cents / 100);
    } else if (fmod(cents, 10) == 0) {
        text_printf(out, "%.1f", cents / 100);
    } else {
        text_printf(out, "%.2f", cents / 100);
    }
}

void html_count(struct text *out, uint64_t count)
{
    enum { THOUSAND = 1000, GROUPS_MAX = 7 };
    unsigned groups[GROUPS_MAX];
    size_t used = 0;

    do {
        groups[used++] = (unsigned)(count % THOUSAND);
        count /= THOUSAND;
    } while (count > 0);
    text_printf(out, "%u", groups[--used]);
    while (used > 0) {
        text_printf(out, ",%03u", groups[--used]);
    }
}

void html_code(struct text *out, const struct report_diagnostic *diagnostic)
{
    text_append(out, diagnostic->severity == SEVERITY_ERROR ? "error" : "warning");
    if (diagnostic->code != CODE_NONE) {
        text_printf(out, " %s", code_id(diagnostic->code));
    }
}

void html_reason(const struct report *report, size_t index, struct text *out)
{
    text_printf(out, "<a href=\"#d%zu\">", index + 1);
    html_code(out, &report->diagnostics[index]);
    text_append(out, "</a>");
}

void html_command(struct text *out, const char *command)
{
    text_append(out, "<code class=\"command\">");
    html_escape(out, command);
    text_append(out, "</code>");
}

static const struct evidence *find_fact(const struct evidence *facts, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(facts[i].key, key) == 0) {
            return &facts[i];
        }
    }
    return NULL;
}

const struct evidence *html_fact(const struct verdict *verdict, const char *key)
{
    const struct evidence *fact = find_fact(verdict->measured, verdict->measured_count, key);

    return fact != NULL ? fact : find_fact(verdict->evidence, verdict->evidence_count, key);
}

double html_fact_number(const struct verdict *verdict, const char *key)
{
    const struct evidence *fact = html_fact(verdict, key);

    if (fact == NULL || fact->type == EVIDENCE_TEXT) {
        return 0;
    }
    return fact->type == EVIDENCE_NUMBER ? fact->number : (double)fact->integer;
}

enum { BAR_WIDTH = 1000, BAR_HEIGHT = 14, SEGMENTS_MAX = 64 };

/* A value of a bar as a width in the picture. */
static double bar_width(const struct html_bar *bar, double value)
{
    double share = bar->most > 0 && value > 0 ? value / bar->most : 0;

    return share < 1 ? share * BAR_WIDTH : BAR_WIDTH;
}

void html_bar(struct text *out, const struct html_bar *bar)
{
    double width = bar_width(bar, bar->value);
    bool is_cut = bar->segments > 1 && bar->segments <= SEGMENTS_MAX;

    text_printf(out,
                "<svg class=\"bar\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                "role=\"img\"><title>",
                BAR_WIDTH, BAR_HEIGHT);
    html_escape(out, bar->title);
    text_append(out, "</title><desc>");
    html_escape(out, bar->description);
    text_printf(out,
                "</desc><rect class=\"rail\" width=\"%d\" height=\"%d\"/>"
                "<rect class=\"%s\" width=\"%.1f\" height=\"%d\"/>",
                BAR_WIDTH, BAR_HEIGHT, bar->style, width, BAR_HEIGHT);
    for (uint32_t i = 1; is_cut && i < bar->segments; i++) {
        double x = width * i / bar->segments;
        text_printf(out, "<path class=\"cut\" d=\"M%.1f 0v%d\"/>", x, BAR_HEIGHT);
    }
    if (bar->high > 0) {
        double low = bar_width(bar, bar->low);
        text_printf(out,
                    "<rect class=\"interval\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    low, BAR_HEIGHT / 3, fmax(bar_width(bar, bar->high) - low, 2), BAR_HEIGHT / 3);
    }
    if (bar->mark > 0) {
        text_printf(out, "<path class=\"goal\" d=\"M%.1f 0v%d\"/>", bar_width(bar, bar->mark),
                    BAR_HEIGHT);
    }
    text_append(out, "</svg>");
}
