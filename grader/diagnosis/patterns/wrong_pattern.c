/* wrong_pattern.c: see wrong_pattern.h.
 *
 * The elements of a vector are described by axis_pattern. Those of a matrix are first taken as rows
 * crossed with columns, each described by it likewise. What is no such rectangle is compared
 * with shapes in the plane: of the whole output, of each tile alike, and of the tiles as a whole.
 * Everything is tried for the elements and for all others.
 */
#include "diagnosis/patterns/wrong_pattern.h"

#include "diagnosis/patterns/axis_pattern.h"

#include <stdlib.h>
#include <string.h>

/* The elements that are looked at: those with the states, or all others. */
struct selection {
    struct arena *arena;
    const struct pattern_cases *cases;
    bool is_inverted;
};

static bool is_selected(const struct selection *selection, const struct element_map *map,
                        size_t index)
{
    bool has_state = (selection->cases->states >> map->states[index] & 1u) != 0;

    return has_state != selection->is_inverted;
}

static bool tell(struct wrong_pattern *out, const char *where, const char *hint)
{
    *out = (struct wrong_pattern){.where = where, .hint = hint};
    return true;
}

/* Rows crossed with columns **********************************************************************/

/* The rows and columns of one case that hold a selected element. */
struct cross {
    bool *rows, *columns;
};

static void cross_fill(const struct selection *selection, const struct element_map *map,
                       struct cross *out_cross)
{
    out_cross->rows = arena_array(selection->arena, map->rows, sizeof *out_cross->rows);
    out_cross->columns = arena_array(selection->arena, map->columns, sizeof *out_cross->columns);
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (is_selected(selection, map, i)) {
            out_cross->rows[i / map->columns] = true;
            out_cross->columns[i % map->columns] = true;
        }
    }
}

/* True if every crossing is selected; what is selected lies on one anyway. */
static bool cross_is_full(const struct selection *selection, const struct element_map *map,
                          const struct cross *cross)
{
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (cross->rows[i / map->columns] && cross->columns[i % map->columns] &&
            !is_selected(selection, map, i)) {
            return false;
        }
    }
    return true;
}

static uint64_t covered_by(const struct element_map *map, uint32_t blocks)
{
    return map->block > 0 ? (uint64_t)map->block * blocks : 0;
}

static struct axis_set axis_set_of(const struct pattern_case *one, const struct cross *cross,
                                   enum axis axis)
{
    bool is_row = axis == AXIS_ROW;

    return (struct axis_set){
        .members = is_row ? cross->rows : cross->columns,
        .length = is_row ? one->map->rows : one->map->columns,
        .block = one->map->block,
        .parameters = one->parameters,
        .covered = covered_by(one->map, one->grid[is_row ? 1 : 0]),
        .threads = one->threads[is_row ? 1 : 0],
    };
}

static bool describe_axis(const struct selection *selection, const struct cross *crosses,
                          enum axis axis, struct axis_pattern *out)
{
    const struct pattern_cases *cases = selection->cases;
    struct axis_set *sets = arena_array(selection->arena, cases->count, sizeof *sets);
    const struct axis_sets all = {
        .sets = sets,
        .count = cases->count,
        .axis = axis,
        .parameter_names = cases->parameter_names,
        .parameter_count = cases->parameter_count,
    };

    for (size_t i = 0; i < cases->count; i++) {
        sets[i] = axis_set_of(&cases->cases[i], &crosses[i], axis);
    }
    return axis_pattern_find(selection->arena, &all, out);
}

static const char *part_text(struct arena *arena, const char *word, const struct axis_pattern *part)
{
    return part->first == part->last
               ? arena_printf(arena, "%s %zu", word, part->first)
               : arena_printf(arena, "%ss %zu to %zu", word, part->first, part->last);
}

/* Both axes at once. */
static const char *cross_text(struct arena *arena, const struct axis_pattern *rows,
                              const struct axis_pattern *columns)
{
    if (rows->is_first_tile && columns->is_first_tile) {
        return "the first tile";
    }
    if (rows->is_last_tile && columns->is_last_tile) {
        return "the last tile";
    }
    if (rows->kind == AXIS_OF_TILE && columns->kind == AXIS_OF_TILE) {
        bool is_one = rows->first == rows->last && columns->first == columns->last;
        return is_one ? arena_printf(arena, "element (%zu,%zu) of each tile", rows->first,
                                     columns->first)
                      : arena_printf(arena, "%s, %s of each tile", part_text(arena, "row", rows),
                                     part_text(arena, "column", columns));
    }
    return arena_printf(arena, "%s, within %s", columns->text, rows->text);
}

/* What the place in a tile or among the tiles says of the threads that are to be looked at. A place
 * has its own hint for what is wrong there, not for what is wrong everywhere else. */
static const char *axis_hint(const struct selection *selection, const struct axis_pattern *axis,
                             char letter)
{
    struct arena *arena = selection->arena;
    bool is_of_threads = axis->kind == AXIS_OF_TILE || axis->kind == AXIS_PERIOD ||
                         axis->kind == AXIS_ALL_BUT_PERIOD;

    if (axis->hint[0] != '\0' && !selection->is_inverted) {
        return axis->hint;
    }
    if (is_of_threads) {
        return arena_printf(arena,
                            "in one block, compare a thread whose result is right with one whose "
                            "result is wrong: they differ in threadIdx.%c",
                            letter);
    }
    if (axis->kind == AXIS_TILES) {
        return arena_printf(arena,
                            "compare a block whose results are right with one whose results are "
                            "wrong: they differ in blockIdx.%c",
                            letter);
    }
    return "";
}

static bool find_cross(const struct selection *selection, struct wrong_pattern *out)
{
    const struct pattern_cases *cases = selection->cases;
    struct arena *arena = selection->arena;
    struct cross *crosses = arena_array(arena, cases->count, sizeof *crosses);
    struct axis_pattern rows, columns;

    for (size_t i = 0; i < cases->count; i++) {
        cross_fill(selection, cases->cases[i].map, &crosses[i]);
        if (!cross_is_full(selection, cases->cases[i].map, &crosses[i])) {
            return false;
        }
    }
    if (!describe_axis(selection, crosses, AXIS_ROW, &rows) ||
        !describe_axis(selection, crosses, AXIS_COLUMN, &columns)) {
        return false;
    }
    if (rows.kind == AXIS_ALL && columns.kind == AXIS_ALL) {
        tell(out, "every element", "");
        out->is_all = true;
        return true;
    }
    if (rows.kind == AXIS_ALL || columns.kind == AXIS_ALL) {
        const struct axis_pattern *only = rows.kind == AXIS_ALL ? &columns : &rows;
        tell(out, only->but != NULL ? only->but : only->text,
             axis_hint(selection, only, only == &rows ? 'y' : 'x'));
        out->is_exception = only->but != NULL;
        return true;
    }
    const char *hint = axis_hint(selection, &columns, 'x');
    return tell(out, cross_text(arena, &rows, &columns),
                hint[0] != '\0' ? hint : axis_hint(selection, &rows, 'y'));
}

/* Elements of a vector ***************************************************************************/

static bool find_in_vector(const struct selection *selection,
                           bool (*find)(struct arena *arena, const struct axis_sets *sets,
                                        struct axis_pattern *out),
                           struct wrong_pattern *out)
{
    const struct pattern_cases *cases = selection->cases;
    struct axis_set *sets = arena_array(selection->arena, cases->count, sizeof *sets);
    const struct axis_sets all = {
        .sets = sets,
        .count = cases->count,
        .axis = AXIS_ELEMENT,
        .parameter_names = cases->parameter_names,
        .parameter_count = cases->parameter_count,
    };
    struct axis_pattern pattern;

    for (size_t i = 0; i < cases->count; i++) {
        struct cross cross;
        cross_fill(selection, cases->cases[i].map, &cross);
        sets[i] = axis_set_of(&cases->cases[i], &cross, AXIS_ELEMENT);
    }
    if (!find(selection->arena, &all, &pattern)) {
        return false;
    }
    tell(out, pattern.kind == AXIS_ALL ? "every element" : pattern.text, pattern.hint);
    out->is_all = pattern.kind == AXIS_ALL;
    return true;
}

static bool find_vector_place(const struct selection *selection, struct wrong_pattern *out)
{
    if (!find_in_vector(selection, vector_place_find, out)) {
        return false;
    }
    out->hint = selection->is_inverted ? "" : out->hint;
    return true;
}

static bool find_vector_range(const struct selection *selection, struct wrong_pattern *out)
{
    return find_in_vector(selection, vector_range_find, out);
}

/* Shapes in the plane ****************************************************************************/

/* A place in an area: the output, a tile, or the output in tiles. */
struct wrong_element {
    size_t row, column, rows, columns;
};

typedef bool shape_rule(const struct wrong_element *wrong_element);

static bool is_on_diagonal(const struct wrong_element *wrong_element)
{
    return wrong_element->row == wrong_element->column;
}

static bool is_above_diagonal(const struct wrong_element *wrong_element)
{
    return wrong_element->column > wrong_element->row;
}

static bool is_below_diagonal(const struct wrong_element *wrong_element)
{
    return wrong_element->column < wrong_element->row;
}

static bool is_not_below_diagonal(const struct wrong_element *wrong_element)
{
    return !is_below_diagonal(wrong_element);
}

static bool is_not_above_diagonal(const struct wrong_element *wrong_element)
{
    return !is_above_diagonal(wrong_element);
}

static bool is_even(const struct wrong_element *wrong_element)
{
    return (wrong_element->row + wrong_element->column) % 2 == 0;
}

static bool is_odd(const struct wrong_element *wrong_element)
{
    return !is_even(wrong_element);
}

static bool is_at_border(const struct wrong_element *wrong_element)
{
    return wrong_element->row == 0 || wrong_element->column == 0 ||
           wrong_element->row + 1 == wrong_element->rows ||
           wrong_element->column + 1 == wrong_element->columns;
}

enum area { AREA_OUTPUT, AREA_TILE, AREA_TILES, AREAS };

/* The words for each area. */
static const struct shape {
    shape_rule *rule;
    const char *words[AREAS];
} shapes[] = {
    {is_on_diagonal, {"the diagonal", "the diagonal of each tile", "the tiles on the diagonal"}},
    {is_above_diagonal,
     {"the upper triangle, without the diagonal",
      "the upper triangle of each tile, without its diagonal", "the tiles above the diagonal"}},
    {is_below_diagonal,
     {"the lower triangle, without the diagonal",
      "the lower triangle of each tile, without its diagonal", "the tiles below the diagonal"}},
    {is_not_below_diagonal,
     {"the upper triangle, with the diagonal", "the upper triangle of each tile, with its diagonal",
      "the tiles on and above the diagonal"}},
    {is_not_above_diagonal,
     {"the lower triangle, with the diagonal", "the lower triangle of each tile, with its diagonal",
      "the tiles on and below the diagonal"}},
    {is_even,
     {"every second element, as on a checkerboard, starting at (0,0)",
      "every second element of each tile, as on a checkerboard, starting at its (0,0)",
      "every second tile, as on a checkerboard, starting with the first"}},
    {is_odd,
     {"every second element, as on a checkerboard, starting at (0,1)",
      "every second element of each tile, as on a checkerboard, starting at its (0,1)",
      "every second tile, as on a checkerboard, starting with the second"}},
    {is_at_border, {"the border", "the border of each tile", "the tiles at the border"}},
};

/* Where an element lies in an area; false if tiles are unknown or do not divide the output. */
static bool wrong_element_of(const struct element_map *map, enum area area, size_t index,
                             struct wrong_element *out_element)
{
    struct wrong_element wrong_element = {index / map->columns, index % map->columns, map->rows,
                                          map->columns};
    size_t block = map->block > 1 ? (size_t)map->block : 0;

    if (area != AREA_OUTPUT) {
        if (block == 0 || map->rows % block != 0 || map->columns % block != 0) {
            return false;
        }
        bool in_tile = area == AREA_TILE;
        wrong_element.row = in_tile ? wrong_element.row % block : wrong_element.row / block;
        wrong_element.column =
            in_tile ? wrong_element.column % block : wrong_element.column / block;
        wrong_element.rows = in_tile ? block : map->rows / block;
        wrong_element.columns = in_tile ? block : map->columns / block;
    }
    *out_element = wrong_element;
    return true;
}

static bool shape_holds(const struct selection *selection, shape_rule *rule, enum area area)
{
    for (size_t i = 0; i < selection->cases->count; i++) {
        const struct element_map *map = selection->cases->cases[i].map;
        for (size_t j = 0; j < map->rows * map->columns; j++) {
            struct wrong_element wrong_element;
            if (!wrong_element_of(map, area, j, &wrong_element) ||
                rule(&wrong_element) != is_selected(selection, map, j)) {
                return false;
            }
        }
    }
    return true;
}

static bool find_shape(const struct selection *selection, struct wrong_pattern *out)
{
    static const char *const hints[AREAS] = {
        "",
        "in one block, compare a thread whose result is right with one whose result is wrong",
        "compare a block whose results are right with one whose results are wrong",
    };

    for (enum area area = AREA_OUTPUT; area < AREAS; area++) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            if (shape_holds(selection, shapes[i].rule, area)) {
                return tell(out, shapes[i].words[area], hints[area]);
            }
        }
    }
    return false;
}

/* Ranges of elements *****************************************************************************/

/* The number of an element, row by row, in an area. */
static bool number_of(const struct element_map *map, enum area area, size_t index,
                      size_t *out_number)
{
    struct wrong_element wrong_element;

    if (!wrong_element_of(map, area, index, &wrong_element)) {
        return false;
    }
    *out_number = wrong_element.row * wrong_element.columns + wrong_element.column;
    return true;
}

/* The first and the last number of what is selected in the first case. */
static bool range_of_first(const struct selection *selection, enum area area, size_t *out_first,
                           size_t *out_last)
{
    const struct element_map *map = selection->cases->cases[0].map;
    size_t first = SIZE_MAX;
    size_t last = 0;
    size_t number = 0;

    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (!number_of(map, area, i, &number)) {
            return false;
        }
        if (is_selected(selection, map, i)) {
            first = number < first ? number : first;
            last = number > last ? number : last;
        }
    }
    *out_first = first;
    *out_last = last;
    return first <= last;
}

static bool range_holds(const struct selection *selection, enum area area, size_t first,
                        size_t last)
{
    for (size_t i = 0; i < selection->cases->count; i++) {
        const struct element_map *map = selection->cases->cases[i].map;
        for (size_t j = 0; j < map->rows * map->columns; j++) {
            size_t number = 0;
            if (!number_of(map, area, j, &number) ||
                (number >= first && number <= last) != is_selected(selection, map, j)) {
                return false;
            }
        }
    }
    return true;
}

/* A range of elements, row by row, as threads are numbered in a block. */
static bool find_range(const struct selection *selection, struct wrong_pattern *out)
{
    static const enum area areas[] = {AREA_OUTPUT, AREA_TILE};
    struct arena *arena = selection->arena;
    size_t first = 0;
    size_t last = 0;

    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        bool in_tile = areas[i] == AREA_TILE;
        if (!range_of_first(selection, areas[i], &first, &last) ||
            !range_holds(selection, areas[i], first, last)) {
            continue;
        }
        const char *where =
            in_tile ? arena_printf(arena, "elements %zu to %zu of each tile, counted row by row",
                                   first, last)
            : first == 0
                ? arena_printf(arena, "the first %zu elements", last + 1)
                : arena_printf(arena, "elements %zu to %zu, counted row by row", first, last);
        return tell(out, where,
                    in_tile ? "threads of a block are numbered the same way: x + y * blockDim.x"
                            : "");
    }
    return false;
}

/* All together ***********************************************************************************/

/* True if something is selected in each case. */
static bool is_everywhere(const struct selection *selection)
{
    for (size_t i = 0; i < selection->cases->count; i++) {
        const struct element_map *map = selection->cases->cases[i].map;
        size_t j = 0;
        while (j < map->rows * map->columns && !is_selected(selection, map, j)) {
            j++;
        }
        if (j == map->rows * map->columns) {
            return false;
        }
    }
    return selection->cases->count > 0;
}

bool wrong_pattern_find(struct arena *arena, const struct pattern_cases *cases,
                        struct wrong_pattern *out_pattern)
{
    static bool (*const of_matrices[])(const struct selection *selection,
                                       struct wrong_pattern *out) = {find_cross, find_shape,
                                                                     find_range};
    static bool (*const of_vectors[])(const struct selection *selection,
                                      struct wrong_pattern *out) = {find_vector_place,
                                                                    find_vector_range};
    const struct selection of_these = {arena, cases, false};
    const struct selection of_others = {arena, cases, true};

    bool (*const *kinds)(const struct selection *selection, struct wrong_pattern *out) =
        cases->is_vector ? of_vectors : of_matrices;
    const size_t count = cases->is_vector ? sizeof of_vectors / sizeof of_vectors[0]
                                          : sizeof of_matrices / sizeof of_matrices[0];

    if (!is_everywhere(&of_these)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (kinds[i](&of_these, out_pattern)) {
            return true;
        }
        if (is_everywhere(&of_others) && kinds[i](&of_others, out_pattern)) {
            out_pattern->is_exception = !out_pattern->is_exception;
            return true;
        }
    }
    return false;
}
