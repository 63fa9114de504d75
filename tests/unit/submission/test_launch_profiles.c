/* test_launch_profiles.c: which shape is told of, the naive kernel's loads, limits and lines. */
#include "submission/launch_profiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SHAPES = 3, LINES = 4 };

/* A coursework with one launch: C[n] = A[n] + B[2 n], where each element of C needs one of A and
 * two of B. */
struct profiled {
    struct arena *arena;
    struct rubric_case cases[2];
    struct rubric_launch launch;
    struct rubric rubric;
    struct line_count lines[LINES];
    struct sample samples[SHAPES];
    struct observation observations[SHAPES];
    struct launch_run run;
    struct submission_evidence evidence;
    struct kernel_resources resources;
    struct gpu_model model;
    struct oracle oracle;
    struct source_file source;
    struct criteria_input input;
};

static size_t needs(const struct oracle_problem *problem, size_t element,
                    struct oracle_need *out_needs, size_t capacity)
{
    const struct oracle_need all[] = {{0, element}, {1, 2 * element}, {1, 2 * element + 1}};

    (void)problem;
    for (size_t i = 0; i < 3 && i < capacity; i++) {
        out_needs[i] = all[i];
    }
    return 3;
}

static void set_launch(struct profiled *profiled)
{
    static const char *const names[] = {"A", "B", "C"};

    profiled->launch = (struct rubric_launch){.id = "add", .kernel = "add", .operand_count = 3};
    for (size_t i = 0; i < 3; i++) {
        profiled->launch.operands[i] = (struct rubric_operand){
            .name = names[i],
            .type = ELEMENT_F32,
            .role = i == 2 ? OPERAND_OUTPUT : OPERAND_INPUT,
        };
    }
}

static void set_shape(struct profiled *profiled, size_t shape, size_t elements)
{
    struct sample *sample = &profiled->samples[shape];

    *sample = (struct sample){.kind = PROBE_EXACT, .status = SAMPLE_DONE};
    sample->counts.is_counted = true;
    sample->counts.operands[0][COUNT_READ] =
        (struct access_sum){.bytes = elements, .sectors = 7, .least_sectors = 5};
    sample->counts.operands[1][COUNT_ATOMIC].bytes = 12;
    sample->counts.lines = profiled->lines;
    sample->counts.line_count = LINES;
    profiled->observations[shape] = (struct observation){
        .case_index = shape == 0 ? SIZE_MAX : shape - 1,
        .launched = true,
        .geometry = {{1, 1, 1}, {16, 16, 1}, 1024},
        .element_counts = {elements, 2 * elements, elements},
        .samples = sample,
        .sample_count = 1,
    };
}

static void set_up(struct profiled *profiled)
{
    static const size_t elements[SHAPES] = {10, 30, 20};
    static const struct line_count lines[LINES] = {{.file = "", .line = 3},
                                                   {.file = "add.cu", .line = 0},
                                                   {.file = "add.cu", .line = 9},
                                                   {.file = "main.cu", .line = 4}};

    memset(profiled, 0, sizeof *profiled);
    profiled->arena = arena_new();
    memcpy(profiled->lines, lines, sizeof lines);
    set_launch(profiled);
    for (size_t i = 0; i < SHAPES; i++) {
        set_shape(profiled, i, elements[i]);
    }
    profiled->rubric = (struct rubric){.cases = profiled->cases,
                                       .case_count = 2,
                                       .launches = &profiled->launch,
                                       .launch_count = 1};
    profiled->run.observations = profiled->observations;
    profiled->run.observation_count = SHAPES;
    profiled->evidence.launch_runs = &profiled->run;
    profiled->resources = (struct kernel_resources){.registers = 40, .static_shared_bytes = 2048};
    assert_int_equal(gpu_model_find("H200", &profiled->model, NULL), 0);
    profiled->oracle.needs = needs;
    profiled->source = (struct source_file){.name = "add.cu"};
    profiled->input = (struct criteria_input){
        .rubric = &profiled->rubric,
        .evidence = &profiled->evidence,
        .oracle = &profiled->oracle,
        .model = &profiled->model,
        .launch_resources = &profiled->resources,
        .sources = &profiled->source,
        .source_count = 1,
    };
}

static const struct launch_profile *make(struct profiled *profiled, size_t expected_count)
{
    const struct launch_profile *profiles = NULL;
    size_t count = 99;

    launch_profiles_make(&profiled->input, profiled->arena, &profiles, &count);
    assert_int_equal(count, expected_count);
    return profiles;
}

static void test_loads(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    const struct launch_profile *profile = make(&profiled, 1);
    assert_int_equal(profile->threads_per_block, 256);
    assert_int_equal(profile->operand_count, 2);
    assert_string_equal(profile->operands[0].name, "A");
    assert_int_equal(profile->operands[0].bytes, 30); /* of the largest shape */
    assert_int_equal(profile->operands[0].naive_bytes, 30 * 4);
    assert_int_equal(profile->operands[0].sectors, 7);
    assert_int_equal(profile->operands[0].least_sectors, 5);
    assert_int_equal(profile->operands[1].bytes, 12);
    assert_int_equal(profile->operands[1].naive_bytes, 2 * 30 * 4);
    profiled.oracle.needs = NULL;
    assert_int_equal(make(&profiled, 1)->operands[1].naive_bytes, 0);
    arena_free(profiled.arena);
}

/* Lines without a number, and of files that are not the student's, are left out. */
static void test_lines(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    const struct launch_profile *profile = make(&profiled, 1);
    assert_int_equal(profile->line_count, 1);
    assert_int_equal(profile->lines[0].line, 9);
    arena_free(profiled.arena);
}

static void test_hidden_shapes_are_not_told(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    profiled.cases[0].hidden = true;
    assert_int_equal(make(&profiled, 1)->operands[0].bytes, 20);
    profiled.cases[1].hidden = true;
    assert_int_equal(make(&profiled, 1)->operands[0].bytes, 10);
    arena_free(profiled.arena);
}

static void test_what_was_not_counted(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    profiled.samples[1].counts.is_counted = false;
    assert_int_equal(make(&profiled, 1)->operands[0].bytes, 20);
    for (size_t i = 0; i < SHAPES; i++) {
        profiled.samples[i].status = SAMPLE_FAULT;
    }
    make(&profiled, 0);
    arena_free(profiled.arena);
}

static const struct profile_limit *limit_of(const struct launch_profile *profile, const char *name)
{
    for (size_t i = 0; i < profile->limit_count; i++) {
        if (strcmp(profile->limits[i].resource, name) == 0) {
            return &profile->limits[i];
        }
    }
    fail_msg("no limit %s", name);
    return NULL;
}

/* 40 registers for 256 threads: 6 blocks on an H200 of 65536 registers, 8 by warps. */
static void test_limits(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    const struct launch_profile *profile = make(&profiled, 1);
    assert_int_equal(profile->limit_count, 4);
    assert_int_equal(profile->active_blocks, 6);
    assert_int_equal(profile->active_warps, 48);
    assert_int_equal(profile->multiprocessor_warps, 64);
    assert_string_equal(profile->gpu_model, "H200");
    const struct profile_limit *registers = limit_of(profile, "registers");
    assert_true(registers->is_limit);
    assert_int_equal(registers->blocks, 6);
    assert_int_equal(registers->per_block, 40 * 256);
    assert_string_equal(registers->cliff,
                        "with 1 more register per thread: 5 blocks; with 8 fewer registers per "
                        "thread: 8 blocks");
    const struct profile_limit *shared = limit_of(profile, "shared memory");
    assert_false(shared->is_limit);
    assert_int_equal(shared->per_block, 2048 + 1024 + 1024); /* static, dynamic, reserved */
    assert_int_equal(limit_of(profile, "warps")->blocks, 8);
    assert_int_equal(limit_of(profile, "blocks")->blocks, 32);
    profiled.resources.registers = 0;
    assert_int_equal(make(&profiled, 1)->limit_count, 0);
    arena_free(profiled.arena);
}

/* Turns the launch into a product in tiles of 16 x 16, each of whose loads serves 16 threads. */
static void make_product(struct profiled *profiled)
{
    for (size_t i = 0; i < 3; i++) {
        profiled->launch.operands[i].rank = 2;
        for (size_t j = 0; j < 2; j++) {
            expression_parse(profiled->arena, "8", &profiled->launch.operands[i].shape[j],
                             &(size_t){0}, NULL);
        }
    }
    for (size_t i = 0; i < SHAPES; i++) {
        struct launch_counts *counts = &profiled->samples[i].counts;
        profiled->observations[i].block = 16;
        /* needs() lists 1 element of A and 2 of B for each of 30 */
        counts->operands[0][COUNT_READ].bytes = 30 * 4 / 16 + 15; /* 22 of all */
        counts->operands[1][COUNT_ATOMIC].bytes = 0;
        counts->totals[COUNT_SHARED][COUNT_READ].requests = 1;
    }
}

static const struct profile_tiles *tiles_of(const struct launch_profile *profile,
                                            uint32_t block_width)
{
    for (size_t i = 0; i < profile->tile_count; i++) {
        if (profile->tiles[i].block_width == block_width) {
            return &profile->tiles[i];
        }
    }
    fail_msg("no edge %u", (unsigned)block_width);
    return NULL;
}

/* 360 bytes without tiles over 22 with them, two loads for each multiply-add. */
static void test_tile_sizes(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    make_product(&profiled);
    const struct launch_profile *profile = make(&profiled, 1);
    assert_int_equal(profile->tile_count, 3);
    const struct profile_tiles *own = tiles_of(profile, 16);
    assert_true(own->is_own);
    assert_int_equal(own->threads, 256);
    assert_int_equal(own->shared_bytes, 2048 + 1024);
    assert_int_equal(own->active_blocks, profile->active_blocks);
    assert_int_equal(own->active_warps, profile->active_warps);
    assert_true(own->operations_per_load == 2.0 * 360 / (2 * 22));
    const struct profile_tiles *larger = tiles_of(profile, 32);
    assert_false(larger->is_own);
    assert_int_equal(larger->threads, 1024);
    assert_int_equal(larger->shared_bytes, 4 * (2048 + 1024));
    assert_int_equal(larger->active_blocks, 1); /* 40 registers for 1024 threads */
    assert_true(larger->operations_per_load == 2 * own->operations_per_load);
    assert_int_equal(tiles_of(profile, 8)->threads, 64);
    assert_int_equal(tiles_of(profile, 8)->shared_bytes, (2048 + 1024) / 4);
    arena_free(profiled.arena);
}

/* Nothing is said of tiles where there are none, or nothing is known. */
static void test_no_tile_sizes(void **state)
{
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    assert_int_equal(make(&profiled, 1)->tile_count, 0); /* no product */
    make_product(&profiled);
    profiled.samples[1].counts.totals[COUNT_SHARED][COUNT_READ].requests = 0;
    assert_int_equal(make(&profiled, 1)->tile_count, 0);
    make_product(&profiled);
    profiled.samples[1].counts.operands[0][COUNT_READ].bytes = 300; /* as good as without tiles */
    assert_int_equal(make(&profiled, 1)->tile_count, 0);
    make_product(&profiled);
    profiled.resources.registers = 0;
    assert_int_equal(make(&profiled, 1)->tile_count, 0);
    arena_free(profiled.arena);
}

/* The block widths are the rubric's where it has some; those with too many threads are left out. */
static void test_allowed_block_widths(void **state)
{
    static const int64_t block_widths[] = {4, 16, 64};
    struct profiled profiled;

    (void)state;
    set_up(&profiled);
    make_product(&profiled);
    profiled.launch.blocks = block_widths;
    profiled.launch.block_count = 3;
    const struct launch_profile *profile = make(&profiled, 1);
    assert_int_equal(profile->tile_count, 2);
    assert_int_equal(tiles_of(profile, 4)->threads, 16);
    assert_true(tiles_of(profile, 16)->is_own);
    arena_free(profiled.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_hidden_shapes_are_not_told),
        cmocka_unit_test(test_what_was_not_counted),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_tile_sizes),
        cmocka_unit_test(test_no_tile_sizes),
        cmocka_unit_test(test_allowed_block_widths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
