/* test_size_caps.c: no size of a shipped coursework has a block width to stay below.
 *
 * A wrong program may hold any quantity to a constant: a loop that runs at most 64 times, an index
 * masked with 0xffff, a grid of at most 32 blocks. Such a cap shows in a case whose quantity is
 * larger, and only there. So whether it passes with a seed is a matter of what the seed draws: the
 * cases of 32 seeds are drawn as for a check, and each cap, every 2^k and 3 * 2^k below the largest
 * that can be drawn, must show with each of them. Quantities are, for each launch that is judged
 * and each block width of its blocks: every parameter, in elements and in blocks, and the elements
 * of every operand, which its largest index and its bytes go with.
 *
 * How large the largest must be is written in reaches[]: what programs were seen to stay below.
 *
 * A literal in place of the block width of blocks is a cap of another kind: it shows where a case
 * has blocks of another block width, and several of them in that direction.
 *
 * Prints the table; run by itself it shows it: build/tests/rubric_test_size_caps
 */
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 32, ROW_BYTES = 200, ANY_BLOCKS = 1 };

static const char *const courseworks[] = {
    "matmul",    "matmul_lab",  "matmul_square", "adjacent_difference",
    "transpose", "vector_add",  "reduction",     "scan",
    "histogram", "convolution", "image",         "heat",
    "sort",      "spmv",        "mandelbrot",    "nbody",
    "streams"};
enum { COURSEWORKS = sizeof courseworks / sizeof courseworks[0] };

/* One launch of a coursework, at one block width of its blocks; block width 0: each case has its
 * own. */
struct judged {
    struct arena *arena;
    const struct rubric *rubric;
    const struct rubric_launch *launch;
    int64_t block_width;
};

/* A number that a program may cap, in a drawn case; 0 if it has none there. */
struct quantity {
    char name[ROW_BYTES];
    size_t parameter; /* SIZE_MAX: it is the elements of an operand */
    bool in_blocks;
    size_t operand;
};

static int64_t block_width_of(const struct judged *judged, const struct drawn_case *drawn)
{
    int64_t own = case_block(judged->rubric, judged->launch, drawn);
    return own > 0 ? own : judged->block_width;
}

static int64_t value_of(const struct judged *judged, const struct quantity *quantity,
                        const struct drawn_case *drawn)
{
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    int64_t block_width = block_width_of(judged, drawn);
    const struct case_scope scope = {
        .rubric = judged->rubric, .parameters = parameters, .block = block_width};
    uint64_t extents[3];

    assert_true(case_parameters(judged->rubric, drawn, block_width, parameters));
    if (quantity->parameter == SIZE_MAX) {
        return (int64_t)case_elements(&scope, &judged->launch->operands[quantity->operand],
                                      extents);
    }
    int64_t elements = parameters[quantity->parameter];
    return quantity->in_blocks ? (elements + block_width - 1) / block_width : elements;
}

/* The largest value of a quantity among the cases of one seed. */
static int64_t largest_of(const struct judged *judged, const struct quantity *quantity,
                          uint64_t seed)
{
    const struct drawn_case *cases = NULL;
    size_t count = 0;
    int64_t largest = 0;

    cases_draw(judged->arena, judged->rubric, seed, &cases, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t value = value_of(judged, quantity, &cases[i]);
        largest = value > largest ? value : largest;
    }
    return largest;
}

/* Tries all caps of one quantity; returns how many of them pass with some seed. */
static int try_quantity(const struct judged *judged, const struct quantity *quantity)
{
    int64_t of_seed[SEEDS];
    int64_t largest = 0, smallest = INT64_MAX;
    int caps = 0, passing = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        of_seed[seed] = largest_of(judged, quantity, seed);
        largest = of_seed[seed] > largest ? of_seed[seed] : largest;
        smallest = of_seed[seed] < smallest ? of_seed[seed] : smallest;
    }
    printf("%-20s %-24s %4lld  %-18s %8lld %8lld  ", judged->rubric->id, judged->launch->id,
           (long long)judged->block_width, quantity->name, (long long)smallest, (long long)largest);
    for (int64_t power = 1; power < largest; power *= 2) {
        const int64_t both[] = {power, power * 3};
        for (size_t i = 0; i < 2; i++) {
            int passes = 0;
            for (size_t seed = 0; seed < SEEDS && both[i] < largest; seed++) {
                passes += of_seed[seed] <= both[i] ? 1 : 0;
            }
            caps += both[i] < largest ? 1 : 0;
            passing += passes > 0 ? 1 : 0;
            if (passes > 0) {
                printf("cap %lld: %d of %d; ", (long long)both[i], passes, SEEDS);
            }
        }
    }
    printf("%d caps, %d pass\n", caps, passing);
    return passing;
}

static bool names_parameter(const struct judged *judged, size_t parameter)
{
    const struct rubric_launch *launch = judged->launch;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    uint64_t extents[3];

    for (size_t i = 0; i < RUBRIC_PARAMETERS_MAX; i++) {
        parameters[i] = 1;
    }
    const struct case_scope scope = {
        .rubric = judged->rubric, .parameters = parameters, .block = 1};
    for (size_t i = 0; i < launch->operand_count; i++) {
        parameters[parameter] = 1;
        const uint64_t least = case_elements(&scope, &launch->operands[i], extents);
        parameters[parameter] = 2;
        if (case_elements(&scope, &launch->operands[i], extents) > least) {
            return true;
        }
    }
    return false;
}

/* All quantities of one launch at one block width. */
static int try_judged(const struct judged *judged)
{
    const struct rubric *rubric = judged->rubric;
    int passing = 0;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        const int kinds = !names_parameter(judged, i)         ? 0
                          : judged->block_width == ANY_BLOCKS ? 1
                                                              : 2;
        for (int in_blocks = 0; in_blocks < kinds; in_blocks++) {
            struct quantity quantity = {.parameter = i, .in_blocks = in_blocks != 0};
            (void)snprintf(quantity.name, sizeof quantity.name, "%s%s", rubric->parameters[i].name,
                           in_blocks ? " in blocks" : "");
            passing += try_quantity(judged, &quantity);
        }
    }
    for (size_t i = 0; i < judged->launch->operand_count; i++) {
        struct quantity quantity = {.parameter = SIZE_MAX, .operand = i};
        (void)snprintf(quantity.name, sizeof quantity.name, "elements of %s",
                       judged->launch->operands[i].name);
        passing += try_quantity(judged, &quantity);
    }
    return passing;
}

static bool is_judged(const struct rubric *rubric, size_t launch)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (rubric->criteria[i].kind == CRITERION_CORRECT && rubric->criteria[i].launch == launch) {
            return true;
        }
    }
    return false;
}

static const struct rubric *load(struct arena *arena, const char *id)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    const char *path = arena_printf(arena, "%s/rubrics/%s.json", GPUGRADE_SOURCE_DIR, id);

    assert_int_equal(rubric_load(arena, path, GPUGRADE_SOURCE_DIR, &rubric, &diagnostic),
                     ERROR_NONE);
    return rubric;
}

/* A block that covers all of a launch, as the single one of matmul_lab, bounds its sizes itself. */
static bool is_of_one_block(const struct rubric *rubric, const struct rubric_launch *launch)
{
    return strcmp(rubric->id, "matmul_lab") == 0 && strcmp(launch->id, "single") == 0;
}

static void test_no_cap_passes(void **state)
{
    struct arena *arena = arena_new();
    int passing = 0, tried = 0;

    (void)state;
    for (size_t c = 0; c < COURSEWORKS; c++) {
        const struct rubric *rubric = load(arena, courseworks[c]);
        for (size_t i = 0; i < rubric->launch_count; i++) {
            const struct rubric_launch *launch = &rubric->launches[i];
            if (!is_judged(rubric, i) || is_of_one_block(rubric, launch)) {
                continue;
            }
            bool is_free = launch->block != NULL || launch->block_count == 0;
            size_t block_widths = is_free ? 1 : launch->block_count;
            for (size_t k = 0; k < block_widths; k++) {
                struct judged judged = {arena, rubric, launch,
                                        launch->block != NULL ? 0
                                        : is_free             ? ANY_BLOCKS
                                                              : launch->blocks[k]};
                passing += try_judged(&judged);
                tried++;
            }
        }
    }
    assert_true(tried >= 20);
    assert_int_equal(passing, 0);
    arena_free(arena);
}

/* Caps that programs have had, and that a case of each seed must be above: all of them at once. */
struct reach {
    const char *rubric;
    size_t launch;
    int64_t block_width; /* 0: each case has its own */
    struct {
        const char *parameter;
        bool in_blocks;
        int64_t above;
    } of[2];
};

static const struct reach reaches[] = {
    {"matmul", 0, 8, {{"a_height", false, UINT16_MAX}}}, /* a row or column of 16 bits */
    {"matmul", 0, 8, {{"b_width", false, UINT16_MAX}}},
    {"matmul", 0, 16, {{"a_height", false, INT16_MAX}}},
    {"matmul", 0, 16, {{"b_width", false, INT16_MAX}}},
    {"matmul", 0, 32, {{"a_height", true, UINT8_MAX + 1}}}, /* a block of 8 bits */
    {"matmul", 0, 32, {{"b_width", true, UINT8_MAX + 1}}},
    {"matmul",
     0,
     8,
     {{"b_width", true, 6}, {"a_height", true, 6}}}, /* the grid in both directions */
    {"matmul", 0, 32, {{"b_width", true, 6}, {"a_height", true, 6}}},
    {"matmul", 0, 16, {{"b_width", true, 128}, {"a_width", true, 1}}}, /* a barrier between steps */
    {"matmul", 0, 16, {{"a_height", true, 128}, {"a_width", true, 1}}},
    {"matmul", 0, 32, {{"b_width", true, 64}, {"a_width", true, 1}}},
    {"matmul", 0, 32, {{"a_height", true, 64}, {"a_width", true, 1}}},
    {"transpose", 0, 32, {{"height", false, UINT16_MAX + 1}}},
    {"transpose", 0, 32, {{"width", false, UINT16_MAX + 1}}},
    {"adjacent_difference", 0, 1024, {{"n", true, 1 << 10}}},
    {"adjacent_difference", 1, 0, {{"n", true, 1 << 15}}},
    {"convolution", 0, ANY_BLOCKS, {{"radius", false, 3}, {"width", false, 256}}},
    {"image", 1, ANY_BLOCKS, {{"radius", false, 7}, {"width", false, 128}}},
    {"heat", 0, ANY_BLOCKS, {{"steps", false, 256}}},
    {"heat", 0, ANY_BLOCKS, {{"width", false, 1 << 16}, {"steps", false, 1}}},
    {"sort", 0, ANY_BLOCKS, {{"n", false, 1 << 15}}},
    {"mandelbrot", 0, ANY_BLOCKS, {{"limit", false, 1 << 10}}},
    {"nbody", 0, ANY_BLOCKS, {{"n", false, 3072}}}, /* as fit into shared memory */
    {"streams", 0, ANY_BLOCKS, {{"chunks", false, 64}}},
};

static bool case_reaches(const struct judged *judged, const struct reach *reach,
                         const struct drawn_case *drawn)
{
    for (size_t i = 0; i < 2 && reach->of[i].parameter != NULL; i++) {
        struct quantity quantity = {.in_blocks = reach->of[i].in_blocks};
        while (strcmp(judged->rubric->parameters[quantity.parameter].name,
                      reach->of[i].parameter) != 0) {
            quantity.parameter++;
            assert_true(quantity.parameter < judged->rubric->parameter_count);
        }
        if (value_of(judged, &quantity, drawn) <= reach->of[i].above) {
            return false;
        }
    }
    return true;
}

static bool seed_reaches(const struct judged *judged, const struct reach *reach, uint64_t seed)
{
    const struct drawn_case *cases = NULL;
    size_t count = 0;

    cases_draw(judged->arena, judged->rubric, seed, &cases, &count);
    for (size_t i = 0; i < count; i++) {
        if (case_reaches(judged, reach, &cases[i])) {
            return true;
        }
    }
    return false;
}

static void test_each_seed_reaches(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof reaches / sizeof reaches[0]; i++) {
        const struct rubric *rubric = load(arena, reaches[i].rubric);
        const struct judged judged = {arena, rubric, &rubric->launches[reaches[i].launch],
                                      reaches[i].block_width};
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (!seed_reaches(&judged, &reaches[i], seed)) {
                fail_msg("%s, blocks of %lld: seed %llu stays below %s %lld", rubric->id,
                         (long long)reaches[i].block_width, (unsigned long long)seed,
                         reaches[i].of[0].parameter, (long long)reaches[i].of[0].above);
            }
        }
    }
    arena_free(arena);
}

/* True if a literal in place of the block width shows along a parameter with a seed. */
static bool literal_shows(const struct judged *judged, size_t parameter, int64_t literal,
                          uint64_t seed)
{
    const struct quantity blocks = {.parameter = parameter, .in_blocks = true};
    const struct drawn_case *cases = NULL;
    size_t count = 0;

    cases_draw(judged->arena, judged->rubric, seed, &cases, &count);
    for (size_t i = 0; i < count; i++) {
        if (block_width_of(judged, &cases[i]) != literal &&
            value_of(judged, &blocks, &cases[i]) > 1) {
            return true;
        }
    }
    return false;
}

/* Where cases say how large blocks are, no literal passes for that size. */
static void test_no_literal_passes(void **state)
{
    struct arena *arena = arena_new();
    int tried = 0, passing = 0;

    (void)state;
    for (size_t c = 0; c < COURSEWORKS; c++) {
        const struct rubric *rubric = load(arena, courseworks[c]);
        for (size_t i = 0; i < rubric->launch_count; i++) {
            struct judged judged = {arena, rubric, &rubric->launches[i], 0};
            if (!is_judged(rubric, i) || judged.launch->block == NULL ||
                is_of_one_block(rubric, judged.launch)) {
                continue;
            }
            for (size_t j = 0; j < rubric->parameter_count; j++) {
                for (size_t k = 0; names_parameter(&judged, j) && k < judged.launch->block_count;
                     k++) {
                    int64_t literal = judged.launch->blocks[k];
                    int passes = 0;
                    for (uint64_t seed = 0; seed < SEEDS; seed++) {
                        passes += literal_shows(&judged, j, literal, seed) ? 0 : 1;
                    }
                    printf("%-20s %-24s literal %4lld for the edge along %s: %d of %d pass\n",
                           rubric->id, judged.launch->id, (long long)literal,
                           rubric->parameters[j].name, passes, SEEDS);
                    passing += passes;
                    tried++;
                }
            }
        }
    }
    assert_true(tried >= 10);
    assert_int_equal(passing, 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_cap_passes),
        cmocka_unit_test(test_each_seed_reaches),
        cmocka_unit_test(test_no_literal_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
