/* html_speed.c: speedups on one axis, and the roofline; see html_sections.h.
 *
 * Roofline: attainable operations per second = min(peak, intensity x bandwidth), both axes
 * logarithmic (Williams, Waterman, Patterson, CACM 52/4, 2009). The intensity is that of the least
 * bytes that any kernel must move, so all three kernels stand above each other and the distance to
 * the roof is what is left. Peak and bandwidth follow from the measured fractions of them. Without
 * a GPU the points are bounds (criteria/kinds/speed_bound.h).
 */
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"

#include <math.h>

static bool is_measured(const struct verdict *verdict)
{
    return html_fact_number(verdict, "speedup") > 0;
}

static bool has_speed(const struct verdict *verdict)
{
    return verdict->criterion->kind == CRITERION_SPEEDUP &&
           (is_measured(verdict) || html_fact_number(verdict, "bound_gflops") > 0);
}

bool html_has_speed(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_speed(&report->verdicts[i])) {
            return true;
        }
    }
    return false;
}

/* A row: name, bar, value with its interval. */
struct speed_row {
    const char *name, *style;
    double value, low, high, ms;
};

static void append_speed_row(const struct speed_row *row, double most, double full,
                             struct text *out)
{
    struct text title, description;

    text_init(&title);
    text_init(&description);
    text_printf(&title, "%s: %.3g times as fast as the naive kernel", row->name, row->value);
    if (row->high > 0) {
        text_printf(&description, "95 %% interval from %.4g to %.4g", row->low, row->high);
    }
    if (full > 0) {
        text_printf(&description, "%sfull marks start at %.3g", row->high > 0 ? "; " : "", full);
    }
    text_printf(out, "<tr><th scope=\"row\">%s</th><td class=\"picture\">", row->name);
    html_bar(out, &(struct html_bar){.style = row->style,
                                     .title = title.bytes,
                                     .description = description.bytes,
                                     .value = row->value,
                                     .most = most,
                                     .low = row->low,
                                     .high = row->high,
                                     .mark = full});
    text_printf(out, "</td><td class=\"number\" data-label=\"Speedup\">%.2f \xC3\x97", row->value);
    if (row->high > 0) {
        text_printf(out, "<small>%.3f to %.3f</small>", row->low, row->high);
    }
    text_printf(out, "</td><td class=\"number\" data-label=\"Time\">%.4g ms</td></tr>\n", row->ms);
    text_release(&title);
    text_release(&description);
}

static void append_speedups(const struct verdict *verdict, struct text *out)
{
    const struct speed_row rows[] = {
        {"naive", "other", 1, 0, 0, html_fact_number(verdict, "baseline_ms")},
        {"yours", "mine", html_fact_number(verdict, "speedup"),
         html_fact_number(verdict, "speedup_low"), html_fact_number(verdict, "speedup_high"),
         html_fact_number(verdict, "student_ms")},
        {"reference", "other", html_fact_number(verdict, "reference"),
         html_fact_number(verdict, "reference_low"), html_fact_number(verdict, "reference_high"),
         html_fact_number(verdict, "reference_ms")},
    };
    double full = html_fact_number(verdict, "full_marks");
    double most = fmax(full, 1);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        most = fmax(most, fmax(rows[i].value, rows[i].high));
    }
    text_append(out, "<table class=\"bars\">\n<thead><tr><th scope=\"col\">Kernel</th>"
                     "<th scope=\"col\" class=\"picture\">Speedup over the naive kernel</th>"
                     "<th scope=\"col\" class=\"number\">Speedup</th>"
                     "<th scope=\"col\" class=\"number\">Time</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        append_speed_row(&rows[i], most * 1.05, full, out);
    }
    text_append(out,
                "</tbody>\n</table>\n<p class=\"rule\">The small range is the 95 % interval of "
                "the median ratio");
    if (full > 0) {
        text_printf(out, "; the line across the bars shows where full marks start, %.3g", full);
    }
    text_append(out, ".</p>\n");
}

/* What the roofline is drawn from, in operations and bytes per second. */
struct roofline {
    double intensity;       /* operations per byte */
    double peak, bandwidth; /* roofs */
    double by_clock;        /* the bandwidth by clock and bus, where copying was measured */
    double student, naive, reference; /* 0: unknown */
    bool is_bound;                    /* they are the most that is possible, not measured */
    int left, right, bottom, top;     /* powers of ten */
};

enum { PLOT_WIDTH = 330, PLOT_HEIGHT = 190, PLOT_LEFT = 56, PLOT_TOP = 12, PLOT_BOTTOM = 44 };

static bool measured_roofline(const struct verdict *verdict, struct roofline *out)
{
    double operations = html_fact_number(verdict, "operations");
    double bytes = html_fact_number(verdict, "least_bytes");
    double seconds = html_fact_number(verdict, "student_ms") / 1e3;
    double of_peak = html_fact_number(verdict, "fraction_of_peak");
    double of_bandwidth = html_fact_number(verdict, "fraction_of_bandwidth");
    double baseline = html_fact_number(verdict, "baseline_ms") / 1e3;
    double reference = html_fact_number(verdict, "reference_ms") / 1e3;
    double copied = html_fact_number(verdict, "copy_bandwidth_gbs") * 1e9;

    if (!(operations > 0 && bytes > 0 && seconds > 0 && of_peak > 0 && of_bandwidth > 0 &&
          baseline > 0 && reference > 0)) {
        return false;
    }
    *out = (struct roofline){
        .intensity = operations / bytes,
        .peak = operations / seconds / of_peak,
        .bandwidth = bytes / seconds / of_bandwidth,
        .student = operations / seconds,
        .naive = operations / baseline,
        .reference = operations / reference,
    };
    if (copied > 0 && copied < out->bandwidth) {
        out->by_clock = out->bandwidth;
        out->bandwidth = copied;
    }
    return true;
}

static bool bound_roofline(const struct verdict *verdict, struct roofline *out)
{
    double bytes = html_fact_number(verdict, "bound_bytes");

    *out = (struct roofline){
        .intensity = bytes > 0 ? html_fact_number(verdict, "bound_operations") / bytes : 0,
        .peak = html_fact_number(verdict, "bound_peak_gflops") * 1e9,
        .bandwidth = html_fact_number(verdict, "bound_bandwidth_gbs") * 1e9,
        .student = html_fact_number(verdict, "bound_gflops") * 1e9,
        .reference = html_fact_number(verdict, "bound_reference_gflops") * 1e9,
        .is_bound = true,
    };
    return out->intensity > 0 && out->peak > 0 && out->bandwidth > 0 && out->student > 0;
}

/* The axes: powers of ten around all points. */
static bool roofline_of(const struct verdict *verdict, struct roofline *out)
{
    if (!(is_measured(verdict) ? measured_roofline(verdict, out) : bound_roofline(verdict, out))) {
        return false;
    }
    double ridge = out->peak / out->bandwidth;
    double lowest = out->student;
    lowest = out->naive > 0 ? fmin(lowest, out->naive) : lowest;
    lowest = out->reference > 0 ? fmin(lowest, out->reference) : lowest;
    out->left = (int)floor(log10(fmin(ridge, out->intensity))) - 1;
    out->right = (int)ceil(log10(fmax(ridge, out->intensity)) + 0.2);
    out->bottom = (int)floor(log10(lowest) - 0.2);
    out->top = (int)ceil(log10(out->peak) + 0.1);
    return true;
}

static double plot_x(const struct roofline *roof, double intensity)
{
    double share = (log10(intensity) - roof->left) / (roof->right - roof->left);

    return PLOT_LEFT + share * PLOT_WIDTH;
}

static double plot_y(const struct roofline *roof, double rate)
{
    double share = (log10(rate) - roof->bottom) / (roof->top - roof->bottom);

    return PLOT_TOP + (1 - share) * PLOT_HEIGHT;
}

/* "10 Gflop/s" */
static void append_rate(double rate, struct text *out)
{
    if (rate >= 1e12) {
        text_printf(out, "%.3g Tflop/s", rate / 1e12);
    } else {
        text_printf(out, "%.3g Gflop/s", rate / 1e9);
    }
}

static void append_axes(const struct roofline *roof, struct text *out)
{
    double foot = PLOT_TOP + PLOT_HEIGHT;

    text_append(out, "<path class=\"grid\" d=\"");
    for (int i = roof->left; i <= roof->right; i++) {
        text_printf(out, "M%.1f %dv%d", plot_x(roof, pow(10, i)), PLOT_TOP, PLOT_HEIGHT);
    }
    for (int i = roof->bottom; i <= roof->top; i++) {
        text_printf(out, "M%d %.1fh%d", PLOT_LEFT, plot_y(roof, pow(10, i)), PLOT_WIDTH);
    }
    text_append(out, "\"/>");
    for (int i = roof->left; i <= roof->right; i++) {
        text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"middle\">%g</text>",
                    plot_x(roof, pow(10, i)), foot + 15, pow(10, i));
    }
    for (int i = roof->bottom; i <= roof->top; i++) {
        text_printf(out, "<text x=\"%d\" y=\"%.1f\" class=\"end\">%g</text>", PLOT_LEFT - 6,
                    plot_y(roof, pow(10, i)) + 4, pow(10, i) / 1e9);
    }
    text_printf(out, "<text x=\"%d\" y=\"%.1f\" class=\"middle\">operations per byte</text>",
                PLOT_LEFT + PLOT_WIDTH / 2, foot + 34);
    text_printf(out,
                "<text transform=\"translate(11 %d) rotate(-90)\" class=\"middle\">Gflop/s</text>",
                PLOT_TOP + PLOT_HEIGHT / 2);
}

static void append_points_of(const struct roofline *roof, struct text *out)
{
    double x = plot_x(roof, roof->intensity);
    const struct {
        const char *style;
        double rate;
    } points[] = {{"other", roof->naive}, {"other", roof->reference}, {"mine", roof->student}};

    text_printf(out, "<path class=\"drop\" d=\"M%.1f %.1fV%.1f\"/>", x,
                plot_y(roof, fmin(roof->peak, roof->intensity * roof->bandwidth)),
                plot_y(roof, roof->naive > 0 ? fmin(roof->naive, roof->student) : roof->student));
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (!(points[i].rate > 0)) {
            continue;
        }
        bool is_mine = points[i].style[0] == 'm';
        text_printf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>", points[i].style,
                    x, plot_y(roof, points[i].rate), is_mine ? "5" : "3.5");
    }
}

/* What the dots are. */
static void append_dots(const struct roofline *roof, double attainable, struct text *out)
{
    text_printf(out, "The large dot is %s, ",
                roof->is_bound ? "the most that the accesses of your kernel allow" : "your kernel");
    append_rate(roof->student, out);
    text_printf(out, " (%.3g %% of the roof above it)", roof->student / attainable * 100);
    if (roof->reference > 0) {
        text_append(out, roof->naive > 0 ? ", the small ones are the reference solution, "
                                         : ", the small one that of the reference solution, ");
        append_rate(roof->reference, out);
    }
    if (roof->naive > 0) {
        html_sentence(out, ", and the naive kernel, ");
        append_rate(roof->naive, out);
    }
    if (roof->is_bound) {
        text_append(out, ". It is a bound, not a time: nothing was measured");
    }
    text_printf(out, ". %s at %.3g operations per byte, as if each byte were moved once.",
                roof->reference > 0 ? "All are drawn" : "It is drawn", roof->intensity);
}

static void append_roofline(const struct roofline *roof, struct text *out)
{
    double ridge = roof->peak / roof->bandwidth;
    double start = pow(10, roof->left);
    double attainable = fmin(roof->peak, roof->intensity * roof->bandwidth);
    double lowest = pow(10, roof->bottom);
    double from = fmax(start, lowest / roof->bandwidth);

    text_printf(out,
                "<figure class=\"roofline\">\n<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>"
                "Roofline</title><desc>Your kernel reaches %s",
                PLOT_LEFT + PLOT_WIDTH + 14, PLOT_TOP + PLOT_HEIGHT + PLOT_BOTTOM,
                roof->is_bound ? "at most " : "");
    append_rate(roof->student, out);
    text_append(out, "; the roof is at ");
    append_rate(attainable, out);
    text_printf(out, " for %.3g operations per byte</desc>", roof->intensity);
    append_axes(roof, out);
    text_printf(out, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%d\"/>", plot_x(roof, from),
                plot_y(roof, from * roof->bandwidth), plot_x(roof, ridge), plot_y(roof, roof->peak),
                PLOT_LEFT + PLOT_WIDTH);
    append_points_of(roof, out);
    text_append(out, "</svg>\n<figcaption><p>The line is the most that the GPU can do: ");
    append_rate(roof->peak, out);
    text_printf(out, ", or %.0f GB/s of memory", roof->bandwidth / 1e9);
    if (roof->by_clock > 0) {
        text_printf(out, ", as measured by copying (%.0f GB/s by its clock and bus)",
                    roof->by_clock / 1e9);
    }
    text_append(out, ". ");
    append_dots(roof, attainable, out);
    text_append(out, "</p></figcaption>\n</figure>\n");
}

static void append_speed(const struct verdict *verdict, struct text *out)
{
    const struct evidence *shape = html_fact(verdict, "shape");
    const struct evidence *marks = html_fact(verdict, "marks");
    const struct evidence *why = html_fact(verdict, "why");
    struct roofline roof;

    text_append(out, "<h3>");
    html_escape(out, verdict->criterion->title);
    text_append(out, "</h3>\n<p>");
    if (shape != NULL && shape->type == EVIDENCE_TEXT) {
        text_append(out, "Timed for ");
        html_escape(out, shape->text);
        text_append(out, ". ");
    }
    if (marks != NULL && marks->type == EVIDENCE_TEXT) {
        text_append(out, "Marks: ");
        html_escape(out, marks->text);
        text_append(out, ".");
    }
    if (!is_measured(verdict) && why != NULL && why->type == EVIDENCE_TEXT) {
        text_append(out, "Not timed: ");
        html_sentence(out, why->text);
        text_append(out, ".");
    }
    text_append(out, "</p>\n");
    if (is_measured(verdict)) {
        append_speedups(verdict, out);
    }
    if (roofline_of(verdict, &roof)) {
        append_roofline(&roof, out);
    }
}

void html_speed(const struct report *report, struct text *out)
{
    if (!html_has_speed(report)) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"speed\">\n<h2 id=\"speed\">Speed</h2>\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_speed(&report->verdicts[i])) {
            append_speed(&report->verdicts[i], out);
        }
    }
    text_append(out, "</section>\n");
}
