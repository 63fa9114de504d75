/* leaderboard_page.c: see leaderboard_page.h. */
#include "report/class/leaderboard_page.h"

#include "report/html/html_style.h"
#include "report/html/html_text.h"

#include <string.h>

const char *leaderboard_measure(const struct class_results *results)
{
    return results->ranked_by == RANKED_BY_SPEEDUP ? "Speedup" : "Instructions";
}

void leaderboard_value(const struct class_results *results, double value, struct text *out)
{
    text_printf(out, results->ranked_by == RANKED_BY_SPEEDUP ? "%.2f" : "%.0f", value);
}

void leaderboard_rules(const struct class_results *results, struct text *out)
{
    text_append(out, results->ranked_by == RANKED_BY_SPEEDUP
                         ? "By the largest measured speedup, for each GPU by itself. "
                         : "By the instructions of warps in the largest shape of each launch: the "
                           "fewest are the best. ");
    text_append(out, "Only who has full marks for correct results and no data race is here. Equal "
                     "values share a place.");
}

static void append_head(const struct class_results *results, struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n"
                     "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_escape(out, results->title);
    text_append(out, " \xC2\xB7 leaderboard</title>\n<style>\n");
    text_append(out, html_style);
    text_append(out, "</style>\n</head>\n<body>\n<header>\n<p class=\"maker\">gpugrade</p>\n<h1>");
    html_escape(out, results->title);
    text_append(out, "</h1>\n</header>\n<main>\n<h2>Leaderboard</h2>\n<p class=\"lead\">");
    leaderboard_rules(results, out);
    text_append(out, " Names are made up; your own page says which one is yours.</p>\n");
}

/* The caption of the table of a GPU. */
static void begin_table(const struct class_results *results, const char *gpu, struct text *out)
{
    text_append(out, "<table>\n<caption>");
    html_escape(out, gpu[0] != '\0' ? gpu : "Counted on the emulated device");
    text_printf(out,
                "</caption>\n<thead><tr><th scope=\"col\" class=\"number\">Place</th>"
                "<th scope=\"col\">Name</th><th scope=\"col\" class=\"number\">%s</th>"
                "</tr></thead>\n<tbody>\n",
                leaderboard_measure(results));
}

void leaderboard_page(const struct class_results *results, struct text *out)
{
    const char *gpu = NULL;

    append_head(results, out);
    for (size_t i = 0; i < results->board_count; i++) {
        const struct class_row *row = &results->rows[results->board[i]];
        if (gpu == NULL || strcmp(gpu, row->ranked_on) != 0) {
            text_append(out, gpu == NULL ? "" : "</tbody>\n</table>\n");
            gpu = row->ranked_on;
            begin_table(results, gpu, out);
        }
        text_printf(out,
                    "<tr><td class=\"number\">%zu</td><th scope=\"row\">%s</th>"
                    "<td class=\"number\">",
                    row->place, row->alias);
        leaderboard_value(results, row->ranked, out);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, gpu == NULL ? "<p>It is still empty.</p>\n" : "</tbody>\n</table>\n");
    text_append(out, "</main>\n</body>\n</html>\n");
}
