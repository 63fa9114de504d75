/* oracle.c: what copies and transposes must be, and what well-known mistakes make of them.
 *
 * Every element of Y is one element of X, so a mistake is two functions that move indices: for the
 * thread that is responsible for element (row, column) of X, what it really reads and what it
 * really writes.
 *
 *   Y[to(row, column)] = X[from(row, column)], or nothing where either says SKIP
 *
 * The id of a launch in the rubric says whether it copies or transposes. A mistake is not judged
 * where it reads outside of X or lets two threads write different elements to one place, since then
 * the result is not determined, nor where it changes nothing for these sizes or writes nothing.
 * Those within a tile are judged only where tiles divide the matrix: at a border that cuts them,
 * the result depends on how the kernel checks.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT, WIDTH }; /* parameters, in the order of the rubric */
enum { TILE = 32 };     /* TILE_DIM of transpose.h, which is given */

#define SKIP (-1)

struct sizes {
    int64_t height, width; /* of X */
    bool transposes;
};

typedef int64_t index_function(const struct sizes *sizes, int64_t row, int64_t column);

static struct sizes sizes_of(const struct oracle_problem *problem)
{
    const struct sizes sizes = {
        .height = problem->parameters[HEIGHT],
        .width = problem->parameters[WIDTH],
        .transposes = strncmp(problem->launch, "transpose", strlen("transpose")) == 0,
    };
    return sizes;
}

/* Where the elements are *********************************************************************/

static int64_t x_right(const struct sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->width + column;
}

/* Row `row` and column `column` of a Y that is transposed. */
static int64_t y_at(const struct sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->height + column;
}

static int64_t y_right(const struct sizes *sizes, int64_t row, int64_t column)
{
    return sizes->transposes ? y_at(sizes, column, row) : x_right(sizes, row, column);
}

/* The right result ***************************************************************************/

/* The element of X that an element of Y equals. */
static size_t source_of(const struct sizes *sizes, size_t element)
{
    const size_t height = (size_t)sizes->height;
    const size_t width = (size_t)sizes->width;
    return sizes->transposes ? element % height * width + element / height : element;
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const struct sizes sizes = sizes_of(problem);
    const float *x = problem->inputs[0];
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = x[source_of(&sizes, i)];
        out_magnitudes[i] = fabs(out_expected[i]);
    }
}

static void expect_in_order(const struct oracle_problem *problem, float *out_expected)
{
    const struct sizes sizes = sizes_of(problem);
    const float *x = problem->inputs[0];
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = x[source_of(&sizes, i)];
    }
}

static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const struct sizes sizes = sizes_of(problem);
    if (capacity > 0) {
        out_needs[0] = (struct oracle_need){.input = 0, .element = source_of(&sizes, element)};
    }
    return 1;
}

/* Moved elements *****************************************************************************/

/* The first index of the tile that an index lies in. */
static int64_t tile_start(int64_t index)
{
    return index - index % TILE;
}

/* Elements of X read elsewhere. */

static int64_t x_row_length_height(const struct sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->height + column;
}

static int64_t x_tile_transposed(const struct sizes *sizes, int64_t row, int64_t column)
{
    return x_right(sizes, tile_start(row) + column % TILE, tile_start(column) + row % TILE);
}

static int64_t x_first_tile_row(const struct sizes *sizes, int64_t row, int64_t column)
{
    return x_right(sizes, row % TILE, column);
}

static int64_t x_first_tile_column(const struct sizes *sizes, int64_t row, int64_t column)
{
    return x_right(sizes, row, column % TILE);
}

/* Elements of Y written elsewhere. */

static int64_t y_copied(const struct sizes *sizes, int64_t row, int64_t column)
{
    return x_right(sizes, row, column);
}

static int64_t y_transposed(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, column, row);
}

static int64_t y_row_length_width(const struct sizes *sizes, int64_t row, int64_t column)
{
    return column * sizes->width + row;
}

static int64_t y_row_length_height(const struct sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->height + column;
}

/* The tile is turned, and put where it was in X: rows of Y have its own length, or that of X. */
static int64_t y_tile_stays(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, tile_start(row) + column % TILE, tile_start(column) + row % TILE);
}

static int64_t y_tile_stays_in_x(const struct sizes *sizes, int64_t row, int64_t column)
{
    return x_right(sizes, tile_start(row) + column % TILE, tile_start(column) + row % TILE);
}

/* The tile is put where it belongs, as it is. */
static int64_t y_tile_not_turned(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, tile_start(column) + row % TILE, tile_start(row) + column % TILE);
}

static int64_t y_rows_reversed(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, sizes->width - 1 - column, row);
}

static int64_t y_columns_reversed(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, column, sizes->height - 1 - row);
}

static int64_t y_other_diagonal(const struct sizes *sizes, int64_t row, int64_t column)
{
    return y_at(sizes, sizes->width - 1 - column, sizes->height - 1 - row);
}

/* Elements that no thread handles. */

static int64_t y_first_tile_only(const struct sizes *sizes, int64_t row, int64_t column)
{
    return row >= TILE || column >= TILE ? SKIP : y_right(sizes, row, column);
}

/* A grid of height x width blocks in place of width x height covers columns up to the height and
 * rows up to the width, in whole tiles. */
static int64_t y_grid_swapped(const struct sizes *sizes, int64_t row, int64_t column)
{
    return tile_start(column) >= sizes->height || tile_start(row) >= sizes->width
               ? SKIP
               : y_right(sizes, row, column);
}

static int64_t y_bounds_swapped(const struct sizes *sizes, int64_t row, int64_t column)
{
    return column >= sizes->height || row >= sizes->width ? SKIP : y_right(sizes, row, column);
}

/* Threads return at the border of X, before they would have written Y: of the tile that comes to
 * lie at (column, row), the one at its place in X must have been inside. */
static int64_t y_written_by_loaders(const struct sizes *sizes, int64_t row, int64_t column)
{
    const bool has_returned = tile_start(row) + column % TILE >= sizes->height ||
                              tile_start(column) + row % TILE >= sizes->width;
    return has_returned ? SKIP : y_right(sizes, row, column);
}

/* Several rows for each thread: what becomes of a tile if the loop over them goes wrong, for the
 * most frequent numbers of rows of a block. */
#define ROWS(ROW) ROW(2) ROW(4) ROW(8) ROW(16)

#define MOVES(rows)                                                                                \
    static int64_t y_first_rows_##rows(const struct sizes *sizes, int64_t row, int64_t column)     \
    {                                                                                              \
        return (sizes->transposes ? column : row) % TILE >= (rows) ? SKIP                          \
                                                                   : y_right(sizes, row, column);  \
    }                                                                                              \
    static int64_t x_row_again_##rows(const struct sizes *sizes, int64_t row, int64_t column)      \
    {                                                                                              \
        return x_right(sizes, tile_start(row) + row % TILE % (rows), column);                      \
    }                                                                                              \
    static int64_t x_column_again_##rows(const struct sizes *sizes, int64_t row, int64_t column)   \
    {                                                                                              \
        return x_right(sizes, row, tile_start(column) + column % TILE % (rows));                   \
    }
ROWS(MOVES)
#undef MOVES

/* What a mistake yields **********************************************************************/

/* For which launches and sizes a mistake is judged. */
enum judged_for { BOTH, COPIES, TRANSPOSES };
enum judged_at { ANY_SIZE, WHOLE_TILES };

struct moves {
    enum judged_for judged_for;
    enum judged_at judged_at;
    index_function *from, *to;
};

static bool is_judged(const struct sizes *sizes, const struct moves *moves)
{
    if (moves->judged_at == WHOLE_TILES &&
        (sizes->height % TILE != 0 || sizes->width % TILE != 0)) {
        return false;
    }
    return moves->judged_for == BOTH || (moves->judged_for == TRANSPOSES) == sizes->transposes;
}

/* Fills sources [count] with the element of X that each element of Y gets, or SKIP. Places outside
 * of Y are dropped, as devices do. False if the result is not determined. */
static bool trace_moves(const struct sizes *sizes, const struct moves *moves, int64_t *sources)
{
    const int64_t count = sizes->height * sizes->width;
    for (int64_t i = 0; i < count; i++) {
        sources[i] = SKIP;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = i / sizes->width;
        const int64_t column = i % sizes->width;
        const int64_t from = moves->from(sizes, row, column);
        const int64_t to = moves->to(sizes, row, column);
        if (to < 0 || to >= count) {
            continue;
        }
        if (from < 0 || from >= count || (sources[to] != SKIP && sources[to] != from)) {
            return false;
        }
        sources[to] = from;
    }
    return true;
}

/* Computes a mistake; 0 if it cannot be judged. */
static int moved(const struct oracle_problem *problem, const struct moves *moves,
                 double *out_values)
{
    const struct sizes sizes = sizes_of(problem);
    const float *x = problem->inputs[0];
    bool writes = false;
    bool differs = false;
    if (!is_judged(&sizes, moves)) {
        return 0;
    }
    int64_t *sources = calloc(problem->output_count, sizeof *sources);
    if (sources == NULL || !trace_moves(&sizes, moves, sources)) {
        free(sources);
        return 0;
    }
    for (size_t i = 0; i < problem->output_count; i++) {
        writes = writes || sources[i] != SKIP;
        differs = differs || sources[i] != (int64_t)source_of(&sizes, i);
        out_values[i] = sources[i] == SKIP ? NAN : (double)x[sources[i]];
    }
    free(sources);
    return writes && differs;
}

/* The table **********************************************************************************/

/* ROW(name, launches, sizes, from, to, message, hint); the more frequent ones first. */
#define MISTAKES(ROW)                                                                              \
    ROW(copied, TRANSPOSES, ANY_SIZE, x_right, y_copied,                                           \
        "Y is a copy of X, element by element, and not its transpose",                             \
        "element (row, column) of X goes to Y[column * height + row]")                             \
    ROW(transposed, COPIES, ANY_SIZE, x_right, y_transposed,                                       \
        "Y is the transpose of X, and not a copy",                                                 \
        "element (row, column) of X goes to Y[row * width + column]")                              \
    ROW(y_row_length, TRANSPOSES, ANY_SIZE, x_right, y_row_length_width,                           \
        "Y is written with width as the length of its rows",                                       \
        "a row of Y has height elements: Y[column * height + row]")                                \
    ROW(y_row_length_of_copy, COPIES, ANY_SIZE, x_right, y_row_length_height,                      \
        "Y is written with height as the length of its rows",                                      \
        "a row of Y has width elements: Y[row * width + column]")                                  \
    ROW(x_row_length, BOTH, ANY_SIZE, x_row_length_height, y_right,                                \
        "X is read with height as the length of its rows",                                         \
        "a row of X has width elements: X[row * width + column]")                                  \
    ROW(both_row_lengths, COPIES, ANY_SIZE, x_row_length_height, y_row_length_height,              \
        "X is read and Y is written with height as the length of their rows",                      \
        "a row has width elements: X[row * width + column]")                                       \
    ROW(tile_not_turned, TRANSPOSES, WHOLE_TILES, x_right, y_tile_not_turned,                      \
        "each tile is where it belongs, but is not transposed itself",                             \
        "store tile[threadIdx.y][threadIdx.x], and read tile[threadIdx.x][threadIdx.y]")           \
    ROW(tile_stays, TRANSPOSES, WHOLE_TILES, x_right, y_tile_stays,                                \
        "each tile is transposed, but stays where it was in X",                                    \
        "swap blockIdx.x and blockIdx.y where you compute the row and the column of Y")            \
    ROW(tile_stays_in_x, TRANSPOSES, WHOLE_TILES, x_right, y_tile_stays_in_x,                      \
        "each tile is transposed, but stays where it was in X",                                    \
        "swap blockIdx.x and blockIdx.y where you compute the row and the column of Y, "           \
        "and use height as the length of a row of Y")                                              \
    ROW(tile_turned, COPIES, WHOLE_TILES, x_tile_transposed, y_right,                              \
        "each tile is transposed, where a copy is asked for",                                      \
        "store and read the tile in the same order: tile[threadIdx.y][threadIdx.x]")               \
    ROW(bounds_swapped, BOTH, ANY_SIZE, x_right, y_bounds_swapped,                                 \
        "rows of X are only handled up to its width, and columns up to its height",                \
        "in X a row is less than height, and a column less than width")                            \
    ROW(written_by_loaders, TRANSPOSES, ANY_SIZE, x_right, y_written_by_loaders,                   \
        "threads that had nothing to load write nothing either, though an element of Y is theirs", \
        "check the border again for Y, with the row and the column of Y, and let no thread "       \
        "return before")                                                                           \
    ROW(grid_swapped, BOTH, ANY_SIZE, x_right, y_grid_swapped,                                     \
        "the grid has the blocks for the height in x and those for the width in y",                \
        "x counts columns: the grid needs the blocks for the width in x")                          \
    ROW(first_tile_only, BOTH, ANY_SIZE, x_right, y_first_tile_only,                               \
        "only the first tile is handled",                                                          \
        "the row and the column need blockIdx, and the grid a block for each tile")                \
    ROW(first_tile_row, BOTH, ANY_SIZE, x_first_tile_row, y_right,                                 \
        "all tiles hold what the topmost tiles of X do",                                           \
        "the row in X needs blockIdx.y * TILE_DIM")                                                \
    ROW(first_tile_column, BOTH, ANY_SIZE, x_first_tile_column, y_right,                           \
        "all tiles hold what the leftmost tiles of X do",                                          \
        "the column in X needs blockIdx.x * TILE_DIM")                                             \
    ROW(rows_reversed, TRANSPOSES, ANY_SIZE, x_right, y_rows_reversed,                             \
        "the rows of Y are in reverse order: X is rotated, not transposed",                        \
        "element (row, column) of X goes to Y[column * height + row]")                             \
    ROW(columns_reversed, TRANSPOSES, ANY_SIZE, x_right, y_columns_reversed,                       \
        "the columns of Y are in reverse order: X is rotated, not transposed",                     \
        "element (row, column) of X goes to Y[column * height + row]")                             \
    ROW(other_diagonal, TRANSPOSES, ANY_SIZE, x_right, y_other_diagonal,                           \
        "X is mirrored at the other diagonal",                                                     \
        "element (row, column) of X goes to Y[column * height + row]")                             \
    ROWS(MISTAKES_OF_ROWS)

/* Those of several rows for each thread. */
#define MISTAKES_OF_ROWS(rows)                                                                     \
    NAMED(first_rows_##rows, BOTH, ANY_SIZE, x_right, y_first_rows_##rows,                         \
          "only the first " #rows " rows of each tile of Y are written",                           \
          "each thread handles several rows of its tile: loop over them where Y is written")       \
    NAMED(rows_repeated_##rows, BOTH, WHOLE_TILES, x_row_again_##rows, y_right,                    \
          "the first " #rows " rows of each tile of X are used for all its rows",                  \
          "add the step of the loop to the row in X too, where the tile is loaded")                \
    NAMED(columns_repeated_##rows, TRANSPOSES, WHOLE_TILES, x_column_again_##rows, y_right,        \
          "the first " #rows " rows of each tile of Y are used for all its rows",                  \
          "add the step of the loop to the index into the tile too, where Y is written")

#define COMPUTE(name, launches, sizes, from, to, message, hint)                                    \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        const struct moves moves = {launches, sizes, from, to};                                    \
        return moved(problem, &moves, out_values);                                                 \
    }
#define NAMED COMPUTE
MISTAKES(COMPUTE)
#undef NAMED
#undef COMPUTE

#define MISTAKE(name, launches, sizes, from, to, message, hint)                                    \
    {#name, message, hint, compute_##name},
#define NAMED MISTAKE
static const struct oracle_mistake mistakes[] = {MISTAKES(MISTAKE)};
#undef NAMED
#undef MISTAKE

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .expect_in_order = expect_in_order,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
};
