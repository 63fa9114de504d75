/* html_tile_sizes.c: a table of block widths that a tile may have: operations for each load, shared
 * memory, blocks on a multiprocessor; see html_sections.h. */
#include "base/text.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"

#include <inttypes.h>

static void append_row(const struct launch_profile *profile, const struct profile_tiles *tiles,
                       struct text *out)
{
    text_printf(out, "<tr><th scope=\"row\">%" PRIu32 " x %" PRIu32 "%s</th>", tiles->block_width,
                tiles->block_width, tiles->is_own ? " <span class=\"limits\">yours</span>" : "");
    text_printf(out, "<td class=\"number\" data-label=\"Operations per load\">%.4g</td>",
                tiles->operations_per_load);
    text_append(out, "<td class=\"number\" data-label=\"Shared memory per block\">");
    html_count(out, tiles->shared_bytes);
    text_append(out, "<small>bytes</small></td>");
    text_printf(out,
                "<td class=\"number\" data-label=\"Blocks that fit\">%" PRIu32 "<small>of %" PRIu32
                " threads</small></td>",
                tiles->active_blocks, tiles->threads);
    text_printf(out,
                "<td class=\"number\" data-label=\"Warps\">%" PRIu32 "<small>of %" PRIu32
                "</small></td></tr>\n",
                tiles->active_warps, profile->multiprocessor_warps);
}

void html_tile_sizes(const struct launch_profile *profile, struct text *out)
{
    if (profile->tile_count < 2) {
        return;
    }
    text_append(out, "<h4>Tile sizes</h4>\n<p class=\"rule\">");
    html_sentence(out, "A multiply-add is two operations and takes one element of each input. A "
                       "larger tile uses each loaded element more often, but needs more shared "
                       "memory per block. Your launch is measured; the other rows are computed "
                       "for the same number of registers per thread.");
    text_append(out, "</p>\n<table class=\"bars tiles\">\n<thead><tr><th scope=\"col\">Tile</th>"
                     "<th scope=\"col\" class=\"number\">Operations per load</th>"
                     "<th scope=\"col\" class=\"number\">Shared memory per block</th>"
                     "<th scope=\"col\" class=\"number\">Blocks that fit</th>"
                     "<th scope=\"col\" class=\"number\">Warps</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < profile->tile_count; i++) {
        append_row(profile, &profile->tiles[i], out);
    }
    text_append(out, "</tbody>\n</table>\n");
}
