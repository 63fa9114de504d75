/* oracle.c: the accelerations, and what well-known mistakes make of them.
 *
 *   a_i = sum over all j of m_j r / (|r|^2 + softening^2)^(3/2)   with r = p_j - p_i
 *
 * A body is four numbers, x, y, z and mass; an acceleration is three. A mistake is a formula for
 * what one body contributes to another one, together with the bodies that are added up, and those
 * whose acceleration is written.
 */
#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>

enum { N };         /* parameters, in the order of the rubric */
enum { SOFTENING }; /* scalars */
enum { X, Y, Z, MASS, BODY_NUMBERS };
enum { AXES = 3 };

/* A result is right within this part of the sum of magnitudes. */
#define TOLERANCE 0x1p-12

/* How a sum differs from the right one. */
struct formula {
    double sign;            /* of the difference of positions */
    double exponent;        /* of the squared distance */
    double softening_power; /* what the softening is raised to; 0: there is none */
    enum { MASS_OF_OTHER, MASS_OF_OWN, NO_MASS } mass;
    enum { ALL_AXES, X_FOR_ALL, NO_Z_IN_DISTANCE } axes;
};
static const struct formula right = {.sign = 1.0, .exponent = 1.5, .softening_power = 2.0};

static const float *body_at(const struct oracle_problem *problem, int64_t i)
{
    const float *bodies = problem->inputs[0];
    return bodies + BODY_NUMBERS * i;
}

static double squared_distance(const struct oracle_problem *problem, const struct formula *formula,
                               const float *own, const float *other)
{
    double square = formula->softening_power == 0.0
                        ? 0.0
                        : pow(problem->scalars[SOFTENING], formula->softening_power);
    for (int k = 0; k < (formula->axes == NO_Z_IN_DISTANCE ? Z : AXES); k++) {
        const double difference = (double)other[k] - own[k];
        square += difference * difference;
    }
    return square;
}

/* x^exponent; the usual ones are much faster than pow(). */
static double raised(double x, double exponent)
{
    return exponent == 1.5 ? x * sqrt(x) : pow(x, exponent);
}

/* Adds what `other` contributes to the acceleration of `own`. */
static void add_pull(const struct oracle_problem *problem, const struct formula *formula,
                     const float *own, const float *other, double sums[AXES],
                     double magnitudes[AXES])
{
    const double square = squared_distance(problem, formula, own, other);
    const double mass = formula->mass == NO_MASS       ? 1.0
                        : formula->mass == MASS_OF_OWN ? (double)own[MASS]
                                                       : (double)other[MASS];
    const double scale = formula->sign * mass / raised(square, formula->exponent);
    for (int k = 0; k < AXES; k++) {
        const int axis = formula->axes == X_FOR_ALL ? X : k;
        const double part = scale * ((double)other[axis] - own[axis]);
        sums[k] += part;
        magnitudes[k] += fabs(part);
    }
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t n = problem->parameters[N];
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            add_pull(problem, &right, body_at(problem, i), body_at(problem, j),
                     out_expected + AXES * i, out_magnitudes + AXES * i);
        }
    }
}

/* All bodies. */
static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const size_t count = problem->input_counts[0];
    (void)element;
    for (size_t i = 0; i < count && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = i};
    }
    return count;
}

/* Mistakes ***********************************************************************************/

/* How often a mistake adds body j for body i, and whether it writes the sum of body i. Where it
 * depends on the width of tiles and blocks, `whole` is the number of bodies in whole ones. */
struct place {
    int64_t n, width, whole;
    int64_t i, j;
};
typedef int64_t times_function(const struct place *place);

static int64_t all(const struct place *place)
{
    (void)place;
    return 1;
}

static int64_t in_whole_tiles(const struct place *place)
{
    return place->j < place->whole;
}

static int64_t in_whole_blocks(const struct place *place)
{
    return place->i < place->whole;
}

static int64_t in_first_tile(const struct place *place)
{
    return place->j < place->width;
}

static int64_t in_first_block(const struct place *place)
{
    return place->i < place->width;
}

static int64_t in_own_tile(const struct place *place)
{
    return place->j / place->width == place->i / place->width;
}

static int64_t in_last_tile(const struct place *place)
{
    return place->j / place->width == (place->n - 1) / place->width;
}

static int64_t first_tile_each_time(const struct place *place)
{
    return in_first_tile(place) ? (place->n + place->width - 1) / place->width : 0;
}

/* The block's own tile is loaded again for each tile. */
static int64_t own_tile_each_time(const struct place *place)
{
    return in_own_tile(place) ? (place->n + place->width - 1) / place->width : 0;
}

static int64_t not_last_of_tile(const struct place *place)
{
    return place->j % place->width != place->width - 1;
}

static int64_t not_own(const struct place *place)
{
    return place->j != place->i;
}

static int64_t after_own(const struct place *place)
{
    return place->j > place->i;
}

static int64_t before_own(const struct place *place)
{
    return place->j < place->i;
}

static int64_t not_first(const struct place *place)
{
    return place->j > 0;
}

static int64_t not_last(const struct place *place)
{
    return place->j < place->n - 1;
}

/* The sums of body i: what a mistake makes of them, and what is right. */
struct sums {
    double mistaken[AXES], expected[AXES], magnitudes[AXES];
};

static void add_up(const struct oracle_problem *problem, const struct formula *formula,
                   times_function *adds, struct place *place, struct sums *out_sums)
{
    const float *own = body_at(problem, place->i);
    double unused[AXES] = {0.0};

    *out_sums = (struct sums){.mistaken = {0.0}};
    for (place->j = 0; place->j < place->n; place->j++) {
        const float *other = body_at(problem, place->j);
        add_pull(problem, &right, own, other, out_sums->expected, out_sums->magnitudes);
        for (int64_t times = adds(place); times > 0; times--) {
            add_pull(problem, formula, own, other, out_sums->mistaken, unused);
        }
    }
}

/* Fills what a mistake yields; 0 if all of that is right, or some of it is no number. */
static int mistaken(const struct oracle_problem *problem, const struct formula *formula,
                    int64_t width, times_function *adds, times_function *writes, double *out_values)
{
    const int64_t n = problem->parameters[N];
    struct place place = {.n = n, .width = width, .whole = n / width * width};
    bool differs = false;

    for (place.i = 0; place.i < n; place.i++) {
        struct sums sums;
        const bool is_written = writes(&place) != 0;
        add_up(problem, formula, adds, &place, &sums);
        for (int k = 0; k < AXES; k++) {
            const double error = fabs(sums.mistaken[k] - sums.expected[k]);
            if (!isfinite(sums.mistaken[k])) {
                return 0;
            }
            differs = differs || !is_written || error > sums.magnitudes[k] * TOLERANCE;
            out_values[AXES * place.i + k] = is_written ? sums.mistaken[k] : NAN;
        }
    }
    return differs;
}

/* name; what is different in the formula; how often a body is added; message; hint */
#define FORMULAS(ROW)                                                                              \
    ROW(pushed_away, sign = -1.0, all, "every body is pushed away, not pulled",                    \
        "r is the position of the other body minus the own one: p_j - p_i")                        \
    ROW(exponent_one_half, exponent = 0.5, all, "r is divided by the distance, not by its cube",   \
        "divide by the squared distance times its square root")                                    \
    ROW(exponent_one, exponent = 1.0, all, "r is divided by the squared distance, not the cube",   \
        "divide by the squared distance times its square root")                                    \
    ROW(exponent_three, exponent = 3.0, all,                                                       \
        "r is divided by the sixth power of the distance, not by its cube",                        \
        "the squared distance to the power of 3/2 is its product with its square root")            \
    ROW(softening_not_squared, softening_power = 1.0, all, "the softening is not squared",         \
        "add softening * softening to the squared distance")                                       \
    ROW(softening_left_out, softening_power = 0.0, not_own, "the softening is left out",           \
        "add softening * softening to the squared distance")                                       \
    ROW(mass_of_own, mass = MASS_OF_OWN, all, "the own mass is used, not that of the other body",  \
        "a body that pulls does so with its own mass, m_j")                                        \
    ROW(mass_left_out, mass = NO_MASS, all, "the masses are left out",                             \
        "multiply by the mass of the body that pulls, m_j")                                        \
    ROW(x_for_all, axes = X_FOR_ALL, all, "y and z are computed from the difference in x",         \
        "each component has a difference of its own")                                              \
    ROW(z_not_in_distance, axes = NO_Z_IN_DISTANCE, all, "z is left out of the distance",          \
        "the squared distance is x * x + y * y + z * z")                                           \
    ROW(later_only, sign = 1.0, after_own, "only bodies after the own one are added",              \
        "let j run from 0 to n - 1")                                                               \
    ROW(earlier_only, sign = 1.0, before_own, "only bodies before the own one are added",          \
        "let j run from 0 to n - 1")                                                               \
    ROW(first_missing, sign = 1.0, not_first, "the first body is never added",                     \
        "let j run from 0 to n - 1")                                                               \
    ROW(last_missing, sign = 1.0, not_last, "the last body is never added",                        \
        "let j run from 0 to n - 1: j < n")

/* name; how often a body is added; which sums are written; message; hint: for each usual width */
#define PARTS(ROW)                                                                                 \
    ROW(last_tile_missing, in_whole_tiles, all, "the last tile is left out unless it is full",     \
        "round up the number of tiles: (n + TILE - 1) / TILE")                                     \
    ROW(last_block_missing, all, in_whole_blocks,                                                  \
        "the bodies of the last block, which is not full, get no acceleration",                    \
        "round up the number of blocks: (n + threads - 1) / threads")                              \
    ROW(first_tile_only, in_first_tile, all, "only the first tile is added",                       \
        "repeat for all tiles: load, barrier, add, barrier")                                       \
    ROW(first_block_only, all, in_first_block,                                                     \
        "only the first block's bodies get an acceleration",                                       \
        "use blockIdx.x * blockDim.x + threadIdx.x, and launch blocks for all bodies")             \
    ROW(own_tile_only, in_own_tile, all, "every body is pulled only by those of its own block",    \
        "each block goes through the tiles of all bodies")                                         \
    ROW(last_tile_only, in_last_tile, all, "only the last tile is added",                          \
        "set the sum to 0 before the loop over the tiles, not inside of it")                       \
    ROW(first_tile_each_time, first_tile_each_time, all,                                           \
        "the first tile is loaded again and again",                                                \
        "the bodies of a tile start at the tile's number times TILE")                              \
    ROW(own_tile_each_time, own_tile_each_time, all,                                               \
        "every tile that a block loads holds the bodies of the block's own threads",               \
        "the bodies of a tile start at the tile's number times TILE, whatever the block is")       \
    ROW(last_of_tile_missing, not_last_of_tile, all, "the last body of each tile is left out",     \
        "look at the end of the loop over the tile")

#define COMPUTE(name, different, adds, message, hint)                                              \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        struct formula formula = right;                                                            \
        formula.different;                                                                         \
        return mistaken(problem, &formula, 1, adds, all, out_values);                              \
    }
FORMULAS(COMPUTE)
#undef COMPUTE

#define COMPUTE_WIDTH(name, adds, writes, width)                                                   \
    static int compute_##name##_##width(const struct oracle_problem *problem, double *out_values)  \
    {                                                                                              \
        return mistaken(problem, &right, width, adds, writes, out_values);                         \
    }
#define COMPUTE(name, adds, writes, message, hint)                                                 \
    COMPUTE_WIDTH(name, adds, writes, 64)                                                          \
    COMPUTE_WIDTH(name, adds, writes, 128)                                                         \
    COMPUTE_WIDTH(name, adds, writes, 256)                                                         \
    COMPUTE_WIDTH(name, adds, writes, 512)                                                         \
    COMPUTE_WIDTH(name, adds, writes, 1024)
PARTS(COMPUTE)
#undef COMPUTE

#define MISTAKE(name, different, adds, message, hint) {#name, message, hint, compute_##name},
#define MISTAKE_WIDTH(name, message, hint, width)                                                  \
    {#name "_" #width, message, hint, compute_##name##_##width},
#define MISTAKES(name, adds, writes, message, hint)                                                \
    MISTAKE_WIDTH(name, message, hint, 64)                                                         \
    MISTAKE_WIDTH(name, message, hint, 128)                                                        \
    MISTAKE_WIDTH(name, message, hint, 256)                                                        \
    MISTAKE_WIDTH(name, message, hint, 512)                                                        \
    MISTAKE_WIDTH(name, message, hint, 1024)
static const struct oracle_mistake mistakes[] = {FORMULAS(MISTAKE) PARTS(MISTAKES)};

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION,
    .expect = expect,
    .mistakes = mistakes,
    .mistake_count = sizeof mistakes / sizeof mistakes[0],
    .needs = needs,
    .launch_mistakes = (const char *const[]){"last_block_missing_64", "last_block_missing_128",
                                             "last_block_missing_256", "last_block_missing_512",
                                             "last_block_missing_1024", NULL},
};
