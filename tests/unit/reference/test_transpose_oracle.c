/* test_transpose_oracle.c: reference/transpose/oracle.c against plain loops, and its mistakes
 * against small kernels that make them, thread by thread. */
#include "base/rng.h"
#include "model/oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 8, TILE = 32, MISTAKES_MAX = 64, LAUNCHES = 2 };

static const char *const launches[LAUNCHES] = {"copy-shared", "transpose-shared"};

/* height, width: one element, thin ones, one tile, whole tiles both ways, square, cut tiles. */
static const int64_t shapes[SHAPES][2] = {{1, 1},   {1, 40},   {40, 1},  {32, 32},
                                          {32, 96}, {128, 64}, {70, 70}, {37, 75}};

struct fixture {
    int64_t height, width;
    size_t count;
    float *x;
    const void *inputs[1];
    struct oracle_problem problem;
};

static void fixture_init(struct fixture *fixture, int shape, int launch)
{
    struct rng rng;

    fixture->height = shapes[shape][0];
    fixture->width = shapes[shape][1];
    fixture->count = (size_t)(fixture->height * fixture->width);
    fixture->x = calloc(fixture->count, sizeof *fixture->x);
    assert_non_null(fixture->x);
    rng_init(&rng, 1, (uint64_t)shape, 0, 0);
    for (size_t i = 0; i < fixture->count; i++) {
        fixture->x[i] = (float)(rng_range(&rng, 0, 4095) * 8192 + (int64_t)i);
    }
    fixture->inputs[0] = fixture->x;
    fixture->problem = (struct oracle_problem){
        .parameters = shapes[shape],
        .block = TILE,
        .inputs = fixture->inputs,
        .output_count = fixture->count,
        .launch = launches[launch],
    };
}

static void fixture_release(struct fixture *fixture)
{
    free(fixture->x);
}

/* A buffer of `count` elements that nothing has written. */
static double *unwritten(size_t count)
{
    double *values = calloc(count, sizeof *values);

    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = NAN;
    }
    return values;
}

static bool same_values(const double *left, const double *right, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(left[i]) != isnan(right[i]) || (!isnan(left[i]) && left[i] != right[i])) {
            return false;
        }
    }
    return true;
}

static void expected_values_are_those_of_the_definition(void **state)
{
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        for (int launch = 0; launch < LAUNCHES; launch++) {
            struct fixture fixture;
            fixture_init(&fixture, shape, launch);
            double *expected = unwritten(fixture.count);
            double *magnitudes = unwritten(fixture.count);
            float *in_order = calloc(fixture.count, sizeof *in_order);

            gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
            gpugrade_oracle.expect_in_order(&fixture.problem, in_order);
            for (int64_t row = 0; row < fixture.height; row++) {
                for (int64_t column = 0; column < fixture.width; column++) {
                    size_t x = (size_t)(row * fixture.width + column);
                    size_t y = launch == 0 ? x : (size_t)(column * fixture.height + row);
                    struct oracle_need need = {9, 9};
                    assert_true(expected[y] == (double)fixture.x[x]);
                    assert_true(magnitudes[y] == fabs((double)fixture.x[x]));
                    assert_true(in_order[y] == fixture.x[x]);
                    assert_int_equal(gpugrade_oracle.needs(&fixture.problem, y, &need, 1), 1);
                    assert_int_equal(need.input, 0);
                    assert_int_equal(need.element, x);
                    assert_int_equal(gpugrade_oracle.needs(&fixture.problem, y, NULL, 0), 1);
                }
            }
            free(expected);
            free(magnitudes);
            free(in_order);
            fixture_release(&fixture);
        }
    }
}

/* Results of every mistake; NULL where it is not judged. */
static double *results[MISTAKES_MAX][SHAPES][LAUNCHES];

static int compute_all(void **state)
{
    (void)state;

    assert_true(gpugrade_oracle.mistake_count <= MISTAKES_MAX);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int launch = 0; launch < LAUNCHES; launch++) {
            struct fixture fixture;
            fixture_init(&fixture, shape, launch);
            for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
                double *values = calloc(fixture.count, sizeof *values);
                if (gpugrade_oracle.mistakes[i].compute(&fixture.problem, values) != 0) {
                    results[i][shape][launch] = values;
                } else {
                    free(values);
                }
            }
            fixture_release(&fixture);
        }
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;

    for (size_t i = 0; i < MISTAKES_MAX * SHAPES * LAUNCHES; i++) {
        free(results[i / LAUNCHES / SHAPES][i / LAUNCHES % SHAPES][i % LAUNCHES]);
    }
    return 0;
}

static void every_mistake_is_judged_somewhere_and_wrong(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        const struct oracle_mistake *mistake = &gpugrade_oracle.mistakes[i];
        int judged = 0;

        assert_true(strlen(mistake->name) > 0 && strlen(mistake->message) > 0 &&
                    strlen(mistake->hint) > 0);
        for (int shape = 0; shape < SHAPES; shape++) {
            for (int launch = 0; launch < LAUNCHES; launch++) {
                struct fixture fixture;
                if (results[i][shape][launch] == NULL) {
                    continue;
                }
                judged++;
                fixture_init(&fixture, shape, launch);
                double *expected = unwritten(fixture.count);
                double *magnitudes = unwritten(fixture.count);
                gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
                assert_false(same_values(expected, results[i][shape][launch], fixture.count));
                free(expected);
                free(magnitudes);
                fixture_release(&fixture);
            }
        }
        if (judged == 0) {
            fail_msg("mistake %s is judged for no shape", mistake->name);
        }
    }
}

static bool mistakes_differ(size_t left, size_t right)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int launch = 0; launch < LAUNCHES; launch++) {
            const double *of_left = results[left][shape][launch];
            const double *of_right = results[right][shape][launch];
            size_t count = (size_t)(shapes[shape][0] * shapes[shape][1]);
            if ((of_left == NULL) != (of_right == NULL) ||
                (of_left != NULL && !same_values(of_left, of_right, count))) {
                return true;
            }
        }
    }
    return false;
}

static void no_two_mistakes_are_the_same(void **state)
{
    (void)state;

    for (size_t i = 0; i < gpugrade_oracle.mistake_count; i++) {
        for (size_t j = i + 1; j < gpugrade_oracle.mistake_count; j++) {
            if (!mistakes_differ(i, j)) {
                fail_msg("mistakes %s and %s are the same", gpugrade_oracle.mistakes[i].name,
                         gpugrade_oracle.mistakes[j].name);
            }
        }
    }
}

/* A block of threads as the exercise prescribes, one element for each thread, through a tile. */
struct kernel {
    const char *name; /* of the mistake */
    int launch;
    bool rounds_read_once, rounds_write_once; /* of 8 rows each, one for all */
    bool tile_stays, tile_not_turned;
    bool returns_early, grid_swapped;
};

/* What a thread at (tx, ty) of block (bx, by) writes, after everybody has loaded. */
static void write_element(const struct kernel *kernel, const struct fixture *fixture,
                          double tile[TILE][TILE], const int64_t at[4], double *y)
{
    const int64_t bx = at[0], by = at[1], tx = at[2], ty = at[3];
    const int64_t height = fixture->height, width = fixture->width;
    const int64_t across = kernel->tile_stays ? bx : by;
    const int64_t down = kernel->tile_stays ? by : bx;
    const int64_t column = across * TILE + tx;
    const int64_t row = down * TILE + ty;
    const bool has_returned = by * TILE + ty >= height || bx * TILE + tx >= width;
    const int64_t read_ty = kernel->rounds_write_once ? ty % 8 : ty;

    if (row >= width || column >= height || (kernel->returns_early && has_returned)) {
        return;
    }
    y[row * height + column] = kernel->tile_not_turned ? tile[ty][tx] : tile[tx][read_ty];
}

static void run_block(const struct kernel *kernel, const struct fixture *fixture, int64_t bx,
                      int64_t by, double *y)
{
    double tile[TILE][TILE];

    for (int64_t i = 0; i < TILE * TILE; i++) {
        int64_t ty = i / TILE;
        int64_t column = bx * TILE + i % TILE;
        int64_t row = by * TILE + (kernel->rounds_read_once ? ty % 8 : ty);
        tile[ty][i % TILE] = row < fixture->height && column < fixture->width
                                 ? (double)fixture->x[row * fixture->width + column]
                                 : NAN;
    }
    for (int64_t i = 0; i < TILE * TILE; i++) {
        const int64_t at[4] = {bx, by, i % TILE, i / TILE};
        write_element(kernel, fixture, tile, at, y);
    }
}

static void run_kernel(const struct kernel *kernel, const struct fixture *fixture, double *y)
{
    int64_t across = (fixture->width + TILE - 1) / TILE;
    int64_t down = (fixture->height + TILE - 1) / TILE;

    if (kernel->grid_swapped) {
        int64_t swap = across;
        across = down;
        down = swap;
    }
    for (int64_t by = 0; by < down; by++) {
        for (int64_t bx = 0; bx < across; bx++) {
            run_block(kernel, fixture, bx, by, y);
        }
    }
}

static size_t find_mistake(const char *name)
{
    size_t i = 0;

    while (i < gpugrade_oracle.mistake_count &&
           strcmp(gpugrade_oracle.mistakes[i].name, name) != 0) {
        i++;
    }
    assert_true(i < gpugrade_oracle.mistake_count);
    return i;
}

static void kernels_with_a_mistake_yield_what_it_says(void **state)
{
    static const struct kernel kernels[] = {
        {.name = "tile_stays", .launch = 1, .tile_stays = true},
        {.name = "tile_not_turned", .launch = 1, .tile_not_turned = true},
        {.name = "rows_repeated_8", .launch = 1, .rounds_read_once = true},
        {.name = "columns_repeated_8", .launch = 1, .rounds_write_once = true},
        {.name = "written_by_loaders", .launch = 1, .returns_early = true},
        {.name = "grid_swapped", .launch = 1, .grid_swapped = true},
    };
    (void)state;

    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        size_t mistake = find_mistake(kernels[i].name);
        int compared = 0;
        for (int shape = 0; shape < SHAPES; shape++) {
            struct fixture fixture;
            const double *judged = results[mistake][shape][kernels[i].launch];
            if (judged == NULL) {
                continue;
            }
            fixture_init(&fixture, shape, kernels[i].launch);
            double *y = unwritten(fixture.count);
            run_kernel(&kernels[i], &fixture, y);
            if (!same_values(y, judged, fixture.count)) {
                fail_msg("%s differs for %d x %d", kernels[i].name, (int)fixture.height,
                         (int)fixture.width);
            }
            compared++;
            free(y);
            fixture_release(&fixture);
        }
        assert_true(compared > 0);
    }
}

/* The kernels above without any mistake: else they would prove nothing. */
static void the_kernel_without_a_mistake_is_right(void **state)
{
    static const struct kernel right = {.launch = 1};
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        struct fixture fixture;
        fixture_init(&fixture, shape, right.launch);
        double *y = unwritten(fixture.count);
        double *expected = unwritten(fixture.count);
        double *magnitudes = unwritten(fixture.count);
        run_kernel(&right, &fixture, y);
        gpugrade_oracle.expect(&fixture.problem, expected, magnitudes);
        assert_true(same_values(y, expected, fixture.count));
        free(y);
        free(expected);
        free(magnitudes);
        fixture_release(&fixture);
    }
}

/* Mistakes of one kind of launch are not judged for the other. */
static void copies_and_transposes_are_told_apart(void **state)
{
    size_t copied = find_mistake("copied");
    size_t transposed = find_mistake("transposed");
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++) {
        assert_null(results[copied][shape][0]);
        assert_null(results[transposed][shape][1]);
    }
    assert_non_null(results[copied][7][1]);
    assert_non_null(results[transposed][7][0]);
    assert_null(results[copied][1][1]); /* a row and its transpose are the same numbers */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_values_are_those_of_the_definition),
        cmocka_unit_test(every_mistake_is_judged_somewhere_and_wrong),
        cmocka_unit_test(no_two_mistakes_are_the_same),
        cmocka_unit_test(the_kernel_without_a_mistake_is_right),
        cmocka_unit_test(kernels_with_a_mistake_yield_what_it_says),
        cmocka_unit_test(copies_and_transposes_are_told_apart),
    };

    return cmocka_run_group_tests(tests, compute_all, free_all);
}
