/* class_histogram.c: see class_histogram.h. */
#include "report/class/class_histogram.h"

#include "report/class/class_sections.h"
#include "report/html/html_text.h"

#include <math.h>

double class_histogram_step(double width, size_t spans)
{
    static const double factors[] = {1, 2, 5, 10};
    double raw = width > 0 && spans > 0 ? width / (double)spans : 1;
    double power = pow(10, floor(log10(raw)));

    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        if (factors[i] * power >= raw * (1 - 1e-9)) {
            return factors[i] * power;
        }
    }
    return 10 * power;
}

/* The span of a value; `spans` is the one over the top. */
static size_t span_of(const struct class_histogram *histogram, double value)
{
    double at = floor((value - histogram->start) / histogram->step);

    if (histogram->top > 0 && value > histogram->top) {
        return histogram->spans;
    }
    if (!(at > 0)) {
        return 0;
    }
    return at < (double)histogram->spans ? (size_t)at : histogram->spans - 1;
}

static size_t count_in(const struct class_histogram *histogram, size_t span)
{
    size_t count = 0;

    for (size_t i = 0; i < histogram->count; i++) {
        count += span_of(histogram, histogram->values[i]) == span;
    }
    return count;
}

static void append_span(const struct class_histogram *histogram, size_t span, struct text *label)
{
    double low = histogram->start + (double)span * histogram->step;

    if (span == histogram->spans) {
        text_printf(label, "over %.*f", histogram->decimals, histogram->top);
    } else {
        text_printf(label, "%.*f \xE2\x80\x93 %.*f", histogram->decimals, low, histogram->decimals,
                    low + histogram->step);
    }
}

static void append_row(const struct class_histogram *histogram, size_t span, size_t most,
                       struct text *out)
{
    size_t count = count_in(histogram, span);
    struct text label, words;

    text_init(&label);
    text_init(&words);
    append_span(histogram, span, &label);
    text_printf(&words, "%zu of %zu", count, histogram->count);
    text_printf(out, "<tr><th scope=\"row\">%s</th><td class=\"picture\">", label.bytes);
    html_bar(out, &(struct html_bar){.style = "mine",
                                     .title = label.bytes,
                                     .description = words.bytes,
                                     .value = (double)count,
                                     .most = (double)most});
    text_append(out, "</td><td class=\"number\" data-label=\"students\">");
    html_count(out, count);
    text_append(out, "</td><td class=\"number\" data-label=\"share\">");
    class_share(out, count, histogram->count);
    text_append(out, "</td></tr>\n");
    text_release(&words);
    text_release(&label);
}

void class_histogram(const struct class_histogram *histogram, struct text *out)
{
    size_t rows = histogram->spans + (histogram->top > 0);
    size_t most = 0;

    for (size_t i = 0; i < rows; i++) {
        size_t count = count_in(histogram, i);
        most = count > most ? count : most;
    }
    text_printf(out,
                "<table class=\"bars histogram\">\n<caption class=\"unseen\">%s</caption>\n"
                "<thead><tr><th scope=\"col\">%s</th><td class=\"picture\"></td>"
                "<th scope=\"col\" class=\"number\">students</th>"
                "<th scope=\"col\" class=\"number\">share</th></tr></thead>\n<tbody>\n",
                histogram->caption, histogram->what);
    for (size_t i = rows; i > 0; i--) {
        if (i - 1 < histogram->spans || count_in(histogram, i - 1) > 0) {
            append_row(histogram, i - 1, most, out);
        }
    }
    text_append(out, "</tbody>\n</table>\n");
}
