/* html_profiles.c: loads, bank conflicts, sectors and occupancy of each launch; see
 * html_sections.h. */
#include "base/text.h"
#include "report/html/html_lines.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"
#include "source/source_line.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "1/16 of the naive kernel's", "as much as", "1.5 times" */
static void append_share(uint64_t bytes, uint64_t naive, struct text *out)
{
    if (naive == 0 || bytes == 0) {
        return;
    }
    double ratio = (double)naive / (double)bytes;
    if (bytes == naive) {
        html_sentence(out, "as much as the naive kernel");
    } else if (bytes < naive && fabs(ratio - round(ratio)) < 1e-9) {
        text_printf(out, "1/%.0f ", ratio);
        html_sentence(out, "of the naive kernel");
    } else {
        text_printf(out, "%.3g times ", 1 / ratio);
        html_sentence(out, "the naive kernel");
    }
}

static void append_load_bar(const char *who, const char *style, uint64_t bytes, uint64_t most,
                            struct text *out)
{
    struct text title;

    text_init(&title);
    text_printf(&title, "%s: %" PRIu64 " bytes", who, bytes);
    text_printf(out, "<div class=\"load\"><span class=\"who\">%s</span>", who);
    html_bar(out, &(struct html_bar){.style = style,
                                     .title = title.bytes,
                                     .description = "bytes loaded from global memory",
                                     .value = (double)bytes,
                                     .most = (double)most});
    text_append(out, "<span class=\"number\">");
    html_count(out, bytes);
    text_append(out, "</span></div>");
    text_release(&title);
}

static void append_loads(const struct launch_profile *profile, struct text *out)
{
    uint64_t most = 1;

    for (size_t i = 0; i < profile->operand_count; i++) {
        const struct profile_operand *operand = &profile->operands[i];
        most = operand->bytes > most ? operand->bytes : most;
        most = operand->naive_bytes > most ? operand->naive_bytes : most;
    }
    if (profile->operand_count == 0) {
        return;
    }
    text_append(out, "<h4>Bytes loaded from global memory</h4>\n<dl class=\"loads\">\n");
    for (size_t i = 0; i < profile->operand_count; i++) {
        const struct profile_operand *operand = &profile->operands[i];
        text_append(out, "<div><dt><code>");
        html_escape(out, operand->name);
        text_append(out, "</code> <small>");
        append_share(operand->bytes, operand->naive_bytes, out);
        text_append(out, "</small></dt><dd>");
        append_load_bar("yours", "mine", operand->bytes, most, out);
        if (operand->naive_bytes > 0) {
            append_load_bar("naive", "other", operand->naive_bytes, most, out);
        }
        text_append(out, "</dd></div>\n");
    }
    text_append(out, "</dl>\n");
}

/* One kind of table of lines: what is counted, what it is called, and how far its bars reach: the
 * lanes of a warp may all meet in one bank, and each touch a sector of its own where four hold
 * their floats. `quiet` stands in place of a table in which every line is as good as it can be. */
struct line_table {
    enum count_space space;
    double most;
    const char *title, *needed, *degree, *quiet, *meaning;
};

static const struct line_table tables[] = {
    {COUNT_SHARED, 32, "Bank conflicts in shared memory", "Wavefronts", "Degree",
     "No bank conflicts",
     "A wavefront is one pass of a warp through the banks of shared memory. The degree is the "
     "number of wavefronts that an access takes, divided by the number without bank conflicts."},
    {COUNT_GLOBAL, 8, "Sectors of global memory", "Sectors", "Ratio", "No unneeded sectors",
     "A sector is 32 bytes of global memory, the least that is moved at once. The ratio is the "
     "number of sectors that a warp touches, divided by the number for the same bytes in a row."},
};

static uint64_t needed_of(const struct line_count *line)
{
    return line->space == COUNT_SHARED ? line->sum.wavefronts : line->sum.sectors;
}

static uint64_t least_of(const struct line_count *line)
{
    return line->space == COUNT_SHARED ? line->sum.least_wavefronts : line->sum.least_sectors;
}

static double degree_of(const struct line_count *line)
{
    uint64_t least = least_of(line);

    return least > 0 ? (double)needed_of(line) / (double)least : 1;
}

/* The source line itself, without its indentation. */
static void append_source(const struct report *report, const struct line_count *line,
                          struct text *out)
{
    const struct source_file *source = source_find(report, text_or_empty(line->file));
    struct source_line found;

    if (source == NULL || !source_line_at(source, line->line, &found)) {
        return;
    }
    while (found.length > 0 && strchr(" \t", found.bytes[0]) != NULL) {
        found.bytes++;
        found.length--;
    }
    struct html_line shown = {.bytes = found.bytes, .length = found.length};
    html_line_code(&shown, out);
}

static void append_line_row(const struct report *report, const struct line_table *table,
                            const struct line_count *line, double most, struct text *out)
{
    static const char *const accesses[] = {
        [COUNT_READ] = "read", [COUNT_WRITE] = "write", [COUNT_ATOMIC] = "atomic"};
    struct text title;

    text_init(&title);
    text_printf(&title, "line %d, %s: %.3g", line->line, accesses[line->access], degree_of(line));
    text_append(out, "<tr><th scope=\"row\">");
    html_place(report, out, text_or_empty(line->file), line->line, 0);
    text_printf(out, " <small>%s</small> <code class=\"line\">", accesses[line->access]);
    append_source(report, line, out);
    text_append(out, "</code></th><td class=\"picture\">");
    html_bar(out, &(struct html_bar){.style = degree_of(line) > 1 ? "wrong" : "mine",
                                     .title = title.bytes,
                                     .description = table->needed,
                                     .value = degree_of(line),
                                     .most = most});
    text_printf(out,
                "</td><td class=\"number\" data-label=\"%s\">%.3g</td>"
                "<td class=\"number\" data-label=\"%s\">",
                table->degree, degree_of(line), table->needed);
    html_count(out, needed_of(line));
    text_append(out, "<small>at least ");
    html_count(out, least_of(line));
    text_append(out, "</small></td></tr>\n");
    text_release(&title);
}

/* The lines of one space with their bars, and what the columns mean. */
static void append_table(const struct report *report, const struct launch_profile *profile,
                         const struct line_table *table, double most, struct text *out)
{
    text_append(out, "<p class=\"rule\">");
    html_sentence(out, table->meaning);
    text_printf(out,
                "</p>\n<table class=\"bars\">\n<thead><tr><th scope=\"col\">Line</th>"
                "<th scope=\"col\" class=\"picture\">1 to %.3g</th>"
                "<th scope=\"col\" class=\"number\">%s</th>"
                "<th scope=\"col\" class=\"number\">%s</th></tr></thead>\n<tbody>\n",
                most, table->degree, table->needed);
    for (size_t i = 0; i < profile->line_count; i++) {
        if (profile->lines[i].space == table->space) {
            append_line_row(report, table, &profile->lines[i], most, out);
        }
    }
    text_append(out, "</tbody>\n</table>\n");
}

static void append_lines(const struct report *report, const struct launch_profile *profile,
                         const struct line_table *table, struct text *out)
{
    double worst = 1;
    size_t count = 0;

    for (size_t i = 0; i < profile->line_count; i++) {
        if (profile->lines[i].space == table->space) {
            worst = fmax(worst, degree_of(&profile->lines[i]));
            count++;
        }
    }
    if (count == 0) {
        return;
    }
    text_printf(out, "<h4>%s</h4>\n", table->title);
    if (worst > 1) {
        append_table(report, profile, table, fmax(worst, table->most), out);
        return;
    }
    text_printf(out, "<details class=\"quiet\"><summary>%s (%zu line%s)<span class=\"unseen\"> in ",
                table->quiet, count, count == 1 ? "" : "s");
    html_escape(out, report->rubric->launches[profile->launch].title);
    text_append(out, "</span></summary>\n");
    append_table(report, profile, table, table->most, out);
    text_append(out, "</details>\n");
}

/* "3 of 5 warps": what the active blocks take of one resource. */
static void append_limit(const struct launch_profile *profile, const struct profile_limit *limit,
                         struct text *out)
{
    uint64_t used = limit->per_block * profile->active_blocks;
    struct text title;

    text_init(&title);
    text_printf(&title, "%s: %" PRIu64 " of %" PRIu64 " %s used", limit->resource, used,
                limit->available, limit->unit);
    text_append(out, "<tr><th scope=\"row\">");
    html_escape(out, limit->resource);
    text_append(out, limit->is_limit ? " <span class=\"limits\">limiter</span>" : "");
    text_append(out, "</th><td class=\"picture\">");
    html_bar(out, &(struct html_bar){.style = limit->is_limit ? "limit" : "mine",
                                     .title = title.bytes,
                                     .description = text_or_empty(limit->cliff),
                                     .value = (double)used,
                                     .most = (double)limit->available,
                                     .segments = profile->active_blocks});
    text_append(out, "</td><td class=\"number\" data-label=\"A block takes\">");
    html_count(out, limit->per_block);
    text_append(out, "<small>of ");
    html_count(out, limit->available);
    text_append_char(out, ' ');
    html_escape(out, limit->unit);
    text_printf(out,
                "</small></td><td class=\"number\" data-label=\"Blocks that fit\">%" PRIu32
                "</td></tr>\n",
                limit->blocks);
    if (text_or_empty(limit->cliff)[0] != '\0') {
        text_append(out, "<tr class=\"cliff\"><td colspan=\"4\">");
        html_escape(out, limit->cliff);
        text_append(out, "</td></tr>\n");
    }
    text_release(&title);
}

static void append_occupancy(const struct launch_profile *profile, struct text *out)
{
    if (profile->limit_count == 0) {
        return;
    }
    text_append(out, "<h4>Occupancy</h4>\n<p>");
    html_sentence(out, "A multiprocessor of the ");
    html_escape(out, profile->gpu_model);
    text_printf(
        out, " holds %" PRIu32 " block%s of %" PRIu32 " threads: %" PRIu32 " of %" PRIu32 " warps",
        profile->active_blocks, profile->active_blocks == 1 ? "" : "s", profile->threads_per_block,
        profile->active_warps, profile->multiprocessor_warps);
    if (profile->multiprocessor_warps > 0) {
        text_append(out, ", <strong>");
        html_sentence(out, "occupancy");
        text_printf(out, " %.3g %%</strong>",
                    100.0 * profile->active_warps / profile->multiprocessor_warps);
    }
    text_append(out, ".</p>\n<p class=\"rule\">");
    html_sentence(out, "The limiter is what runs out first: it leaves room for the fewest blocks.");
    text_append(out, "</p>\n<table class=\"bars occupancy\">\n<thead><tr>"
                     "<th scope=\"col\">Resource</th>"
                     "<th scope=\"col\" class=\"picture\">Used by the blocks</th>"
                     "<th scope=\"col\" class=\"number\">A block takes</th>"
                     "<th scope=\"col\" class=\"number\">Blocks that fit</th></tr></thead>\n"
                     "<tbody>\n");
    for (size_t i = 0; i < profile->limit_count; i++) {
        append_limit(profile, &profile->limits[i], out);
    }
    text_append(out, "</tbody>\n</table>\n");
}

static void append_profile(const struct report *report, const struct launch_profile *profile,
                           struct text *out)
{
    text_append(out, "<p class=\"lead\">Counted on the emulated device for ");
    html_escape(out, profile->shape);
    text_append(out, ".</p>\n");
    append_loads(profile, out);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        append_lines(report, profile, &tables[i], out);
    }
    append_occupancy(profile, out);
    html_tile_sizes(profile, out);
}

static const struct launch_profile *find_profile(const struct report *report, size_t launch)
{
    for (size_t i = 0; i < report->profile_count; i++) {
        if (report->profiles[i].launch == launch) {
            return &report->profiles[i];
        }
    }
    return NULL;
}

bool html_has_profiles(const struct report *report)
{
    for (size_t i = 0; i < report->rubric->launch_count; i++) {
        if (find_profile(report, i) != NULL || html_is_unmeasured(report, i)) {
            return true;
        }
    }
    return false;
}

void html_profiles(const struct report *report, struct text *out)
{
    if (!html_has_profiles(report)) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"profiles\">\n"
                     "<h2 id=\"profiles\">Memory and occupancy</h2>\n");
    for (size_t i = 0; i < report->rubric->launch_count; i++) {
        const struct launch_profile *profile = find_profile(report, i);
        if (profile == NULL && !html_is_unmeasured(report, i)) {
            continue;
        }
        text_append(out, "<h3>");
        html_escape(out, report->rubric->launches[i].title);
        text_append(out, "</h3>\n");
        if (profile != NULL) {
            append_profile(report, profile, out);
        } else {
            html_unmeasured(report, i, out);
        }
    }
    text_append(out, "</section>\n");
}
