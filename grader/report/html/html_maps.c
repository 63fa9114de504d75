/* html_maps.c: pictures of wrong elements; see html_sections.h.
 *
 * A cell of the picture is one element, or a square of `step` x `step` elements where the output
 * has more than CELLS_MAX rows or columns: then it shows the worst of them, and the page says so.
 * Cells of one state are one path; a run in a row is one rectangle of it. States differ in pattern
 * as well as in colour. Lines between tiles are drawn where they are far enough apart to be seen.
 */
#include "report/html/html_sections.h"
#include "report/html/html_text.h"

#include <inttypes.h>

enum {
    CELLS_MAX = 96,
    PICTURE_WIDTH = 576, /* of the larger side, in the units of the picture */
    CELL_MAX = 18,       /* a cell of a small output */
    LINES_APART_MIN = 5, /* between tiles, in the same units */
    STATES = ELEMENT_NOT_FINITE + 1
};

static const struct {
    const char *style, *text;
} states[STATES] = {
    [ELEMENT_RIGHT] = {"right", "right"},
    [ELEMENT_WRONG] = {"wrong", "wrong"},
    [ELEMENT_UNWRITTEN] = {"unwritten", "never written"},
    [ELEMENT_NOT_FINITE] = {"not-finite", "NaN or infinity"},
};

/* How a map is drawn. */
struct picture {
    const struct element_map *map;
    size_t step;          /* elements in a row of a cell */
    size_t rows, columns; /* of cells */
    double cell;          /* side */
    uint64_t counts[STATES];
};

static struct picture picture_of(const struct element_map *map)
{
    struct picture picture = {.map = map, .step = 1, .cell = CELL_MAX};
    size_t larger = map->rows > map->columns ? map->rows : map->columns;

    if (larger > CELLS_MAX) {
        picture.step = (larger + CELLS_MAX - 1) / CELLS_MAX;
    }
    picture.rows = (map->rows + picture.step - 1) / picture.step;
    picture.columns = (map->columns + picture.step - 1) / picture.step;
    size_t cells = picture.rows > picture.columns ? picture.rows : picture.columns;
    if (cells > 0 && (double)PICTURE_WIDTH / (double)cells < picture.cell) {
        picture.cell = (double)PICTURE_WIDTH / (double)cells;
    }
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        uint8_t state = map->states[i];
        picture.counts[state < STATES ? state : ELEMENT_WRONG]++;
    }
    return picture;
}

/* The worst state in a cell. */
static unsigned cell_state(const struct picture *picture, size_t row, size_t column)
{
    const struct element_map *map = picture->map;
    unsigned worst = ELEMENT_RIGHT;

    for (size_t i = row * picture->step; i < (row + 1) * picture->step && i < map->rows; i++) {
        for (size_t j = column * picture->step;
             j < (column + 1) * picture->step && j < map->columns; j++) {
            unsigned state = map->states[i * map->columns + j];
            worst = state > worst ? state : worst;
        }
    }
    return worst < STATES ? worst : ELEMENT_WRONG;
}

/* Appends a path with all cells of one state. */
static void append_cells(const struct picture *picture, unsigned state, struct text *out)
{
    text_printf(out, "<path class=\"%s\" d=\"", states[state].style);
    for (size_t row = 0; row < picture->rows; row++) {
        for (size_t column = 0; column < picture->columns;) {
            size_t end = column;
            while (end < picture->columns && cell_state(picture, row, end) == state) {
                end++;
            }
            if (end > column) {
                text_printf(out, "M%.4g %.4gh%.4gv%.4gh-%.4gz", (double)column * picture->cell,
                            (double)row * picture->cell, (double)(end - column) * picture->cell,
                            picture->cell, (double)(end - column) * picture->cell);
            }
            column = end > column ? end : column + 1;
        }
    }
    text_append(out, "\"/>");
}

/* The distance of the lines between tiles in the picture; 0: none are drawn. */
static double tile_distance(const struct picture *picture)
{
    double distance = (double)picture->map->block / (double)picture->step * picture->cell;

    return distance >= LINES_APART_MIN ? distance : 0;
}

static void append_tiles(const struct picture *picture, double width, double height,
                         struct text *out)
{
    double distance = tile_distance(picture);

    if (distance == 0) {
        return;
    }
    text_append(out, "<path class=\"tiles\" d=\"");
    for (size_t i = 1; (double)i * distance < width - 0.5; i++) {
        text_printf(out, "M%.4g 0v%.4g", (double)i * distance, height);
    }
    for (size_t i = 1; (double)i * distance < height - 0.5; i++) {
        text_printf(out, "M0 %.4gh%.4g", (double)i * distance, width);
    }
    text_append(out, "\"/>");
}

/* "rows 0 to 15 and columns 16 to 31 of C hold all of them" */
static void append_extent(const struct element_map *map, struct text *out)
{
    size_t first_row = SIZE_MAX, last_row = 0, first_column = SIZE_MAX, last_column = 0;

    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (map->states[i] != ELEMENT_RIGHT) {
            size_t row = i / map->columns;
            size_t column = i % map->columns;
            first_row = row < first_row ? row : first_row;
            last_row = row > last_row ? row : last_row;
            first_column = column < first_column ? column : first_column;
            last_column = column > last_column ? column : last_column;
        }
    }
    if (first_row != SIZE_MAX) {
        text_printf(out, "all of them in rows %zu to %zu and columns %zu to %zu", first_row,
                    last_row, first_column, last_column);
    }
}

static void append_counts(const struct picture *picture, struct text *out)
{
    uint64_t all = picture->map->rows * picture->map->columns;
    bool is_first = true;

    for (unsigned state = ELEMENT_WRONG; state < STATES; state++) {
        if (picture->counts[state] > 0) {
            text_append(out, is_first ? "" : ", ");
            html_count(out, picture->counts[state]);
            text_append(out, " of ");
            html_count(out, all);
            text_printf(out, " elements %s", states[state].text);
            is_first = false;
        }
    }
}

static void append_svg(const struct picture *picture, size_t number, struct text *out)
{
    double width = (double)picture->columns * picture->cell;
    double height = (double)picture->rows * picture->cell;

    text_printf(out,
                "<svg class=\"map\" viewBox=\"-1 -1 %.4g %.4g\" width=\"%.4g\" height=\"%.4g\" "
                "role=\"img\">"
                "<title>",
                width + 2, height + 2, width + 2, height + 2);
    html_escape(out, picture->map->operand);
    text_printf(out, ", %zu rows and %zu columns</title><desc>", picture->map->rows,
                picture->map->columns);
    append_counts(picture, out);
    text_append(out, ", ");
    append_extent(picture->map, out);
    text_printf(out,
                "</desc><defs><pattern id=\"stripes%zu\" width=\"4\" height=\"4\" "
                "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                "<rect class=\"paper\" width=\"4\" height=\"4\"/>"
                "<rect class=\"ink\" width=\"1.6\" height=\"4\"/></pattern></defs>",
                number);
    text_printf(out, "<rect class=\"right\" width=\"%.4g\" height=\"%.4g\"/>", width, height);
    for (unsigned state = ELEMENT_WRONG; state < STATES; state++) {
        if (picture->counts[state] == 0) {
            continue;
        }
        if (state == ELEMENT_UNWRITTEN) {
            text_printf(out, "<g fill=\"url(#stripes%zu)\">", number);
        }
        append_cells(picture, state, out);
        text_append(out, state == ELEMENT_UNWRITTEN ? "</g>" : "");
    }
    append_tiles(picture, width, height, out);
    text_printf(out, "<rect class=\"frame\" width=\"%.4g\" height=\"%.4g\"/></svg>\n", width,
                height);
}

static void append_legend(const struct picture *picture, struct text *out)
{
    text_append(out, "<ul class=\"legend\">\n");
    for (unsigned state = 0; state < STATES; state++) {
        if (picture->counts[state] == 0) {
            continue;
        }
        text_printf(out, "<li><span class=\"swatch %s\" aria-hidden=\"true\"></span>",
                    states[state].style);
        html_count(out, picture->counts[state]);
        text_printf(out, " %s</li>\n", states[state].text);
    }
    text_append(out, "</ul>\n");
}

static void append_rule(const struct picture *picture, struct text *out)
{
    const struct element_map *map = picture->map;

    text_append(out, "<p class=\"rule\">");
    if (picture->step > 1) {
        text_printf(out,
                    "Each square stands for %zu \xC3\x97 %zu elements and shows the worst one. ",
                    picture->step, picture->step);
    }
    if (map->block > 0) {
        text_append(out, tile_distance(picture) > 0 ? "Lines separate" : "Too small to draw:");
        text_printf(out, " the tiles (%" PRId64 " \xC3\x97 %" PRId64 "). ", map->block, map->block);
    }
    text_append(out, "Row 0 is at the top, column 0 on the left.</p>\n");
}

static void append_map(const struct report *report, size_t index, size_t number, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];
    struct picture picture = picture_of(verdict->map);

    text_printf(out, "<figure id=\"m%zu\">\n<figcaption><h3>", number);
    html_escape(out, verdict->criterion->title);
    text_append(out, "</h3>\n<p>Output <code>");
    html_escape(out, picture.map->operand);
    text_printf(out, "</code>, %zu \xC3\x97 %zu, for ", picture.map->rows, picture.map->columns);
    html_escape(out, picture.map->shape);
    text_append(out, ": ");
    append_counts(&picture, out);
    text_append(out, ".</p></figcaption>\n");
    append_svg(&picture, number, out);
    append_legend(&picture, out);
    append_rule(&picture, out);
    text_append(out, "</figure>\n");
}

static bool has_map(const struct verdict *verdict)
{
    return verdict->map != NULL && verdict->map->rows > 0 && verdict->map->columns > 0;
}

bool html_has_maps(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_map(&report->verdicts[i])) {
            return true;
        }
    }
    return false;
}

void html_maps(const struct report *report, struct text *out)
{
    size_t number = 0;

    if (!html_has_maps(report)) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"maps\">\n<h2 id=\"maps\">Wrong elements</h2>\n"
                     "<div class=\"maps\">\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_map(&report->verdicts[i])) {
            append_map(report, i, ++number, out);
        }
    }
    text_append(out, "</div>\n</section>\n");
}
