/* test_kernel_selection.c: which of the kernels that a whole program launches is meant, and what
 * its variables must be. The coursework is a program of this test, which doubles 64 numbers that
 * lie in variables. Without a CUDA toolkit everything here is skipped visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "occupancy/gpu_model_record.h"
#include "session/session.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* PROGRAM WAY: launches as WAY says. */
static const char kernels_text[] =
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "__device__ float d_in[64], d_out[64];\n"
    "__device__ float *d_pointer;\n"
    "__device__ int turns;\n"
    "#define I (blockIdx.x * blockDim.x + threadIdx.x)\n"
    "__global__ void given() { d_out[I] = 2 * d_in[I]; }\n"
    "__global__ void given_tiles()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_out[I] = 2 * t[threadIdx.x]; }\n"
    "__global__ void mine()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_out[I] = 2 * t[threadIdx.x]; }\n"
    "template <int N> __global__ void mine_too()\n"
    "{ extern __shared__ float t[]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_out[I] = N * t[threadIdx.x]; }\n"
    "__global__ void unshared() { d_out[I] = 2 * d_in[I]; }\n"
    "__global__ void clear() { d_out[I] = 0; }\n"
    "__global__ void empty() { }\n"
    "__global__ void only_tiles()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_in[I] = t[31 - threadIdx.x]; }\n"
    "__global__ void halve()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_out[I]; __syncthreads();\n"
    "  d_out[I] = t[threadIdx.x] / 2; }\n"
    "__global__ void compare()\n"
    "{ __shared__ float t[64]; t[threadIdx.x] = d_out[I]; __syncthreads();\n"
    "  if (t[threadIdx.x] != 2) { turns++; } }\n"
    "__global__ void long_rows()\n"
    "{ __shared__ float t[64]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_out[I] = 2 * t[threadIdx.x]; }\n"
    "__global__ void late()\n"
    "{ if (turns > 5) { d_out[I] = 2 * d_in[I]; } if (I == 0) { turns += 2; } }\n"
    "__shared__ float tile[32];\n"
    "__global__ void module_tile()\n"
    "{ tile[threadIdx.x] = d_in[I]; __syncthreads(); d_out[I] = 2 * tile[threadIdx.x]; }\n"
    "__global__ void module_tile_too()\n"
    "{ tile[threadIdx.x] = d_in[I]; __syncthreads(); d_out[I] = 2 * tile[threadIdx.x]; }\n"
    "__global__ void mirrored()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_in[I]; __syncthreads();\n"
    "  d_out[I] = t[31 - threadIdx.x]; }\n"
    "__global__ void never_all()\n"
    "{ __shared__ float t[32]; t[threadIdx.x] = d_in[I % 64]; __syncthreads();\n"
    "  if (I < 8) { d_out[I] = 2 * t[threadIdx.x]; } }\n";

static const char main_text[] =
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const char *way = argc > 1 ? argv[1] : \"\";\n"
    "    if (strcmp(way, \"never\") == 0) { return 0; }\n"
    "    if (strcmp(way, \"edge\") == 0) { mine<<<4, 16>>>(); return 0; }\n"
    "    if (strcmp(way, \"too far\") == 0) { given<<<64, 32>>>();\n"
    "        if (cudaDeviceSynchronize() != cudaSuccess) { return 4; } }\n"
    "    given<<<2, 32>>>();\n"
    "    if (strcmp(way, \"warm\") == 0) { for (int i = 0; i < 300; i++) { mine<<<1, 32>>>(); }\n"
    "        mine<<<2, 32>>>(); mine<<<1, 32>>>(); }\n"
    "    if (strcmp(way, \"sizes\") == 0) { mine<<<8, 8>>>(); mine<<<4, 16>>>();\n"
    "        mine<<<2, 32>>>(); mine<<<8, 8>>>(); }\n"
    "    if (strcmp(way, \"static last\") == 0) { mine_too<2><<<2, 32, 128>>>();\n"
    "        mine<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"module\") == 0) { module_tile_too<<<2, 32>>>();\n"
    "        module_tile<<<2, 32>>>(); unshared<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"misfit\") == 0) { mirrored<<<4, 16>>>(); mirrored<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"misfits\") == 0) { mirrored<<<4, 16>>>(); }\n"
    "    if (strcmp(way, \"growing\") == 0) { for (int i = 1; i < 40; i++) {\n"
    "        never_all<<<i, 32>>>(); } }\n"
    "    if (strcmp(way, \"both\") == 0) { mine<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"cleared\") == 0) { mine<<<2, 32>>>(); clear<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"two\") == 0) { mine<<<2, 32>>>(); mine_too<2><<<2, 32, 128>>>(); }\n"
    "    if (strcmp(way, \"unshared\") == 0) { unshared<<<2, 32>>>(); empty<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"empty\") == 0) { empty<<<2, 32>>>(); given<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"inputs\") == 0) { only_tiles<<<2, 32>>>(); unshared<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"changed\") == 0) { given_tiles<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"after\") == 0) { mine<<<2, 32>>>(); halve<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"before\") == 0) { unshared<<<2, 32>>>(); halve<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"compared\") == 0) { unshared<<<2, 32>>>(); compare<<<2, 32>>>(); }\n"
    "    if (strcmp(way, \"tried\") == 0) { mine<<<2, 32>>>(); long_rows<<<1, 64>>>(); }\n"
    "    if (strcmp(way, \"edges\") == 0) { mine<<<4, 16>>>(); long_rows<<<1, 64>>>(); }\n"
    "    if (strcmp(way, \"often\") == 0) { for (int i = 0; i < 1500; i++) {\n"
    "        mine<<<2, 32>>>(); halve<<<2, 32>>>(); } mine<<<1, 32>>>(); }\n"
    "    if (strcmp(way, \"late\") == 0) { for (int i = 0; i < 8; i++) { late<<<2, 32>>>(); } }\n"
    "    if (strcmp(way, \"fault\") == 0) { mine<<<8, 32>>>(); }\n"
    "    if (cudaDeviceSynchronize() != cudaSuccess) { return 3; }\n"
    "    if (strcmp(way, \"abort\") == 0) { mine<<<2, 32>>>(); abort(); }\n"
    "    return 0;\n"
    "}\n";

/* The launches of the rubric: each runs the program in its own way. */
enum {
    NAIVE,
    NEVER,
    EDGE,
    BOTH,
    CLEARED,
    TWO,
    UNSHARED,
    EMPTY,
    INPUTS,
    CHANGED,
    LATE,
    FAULT,
    ABORT,
    NARROW,
    LARGE,
    POINTER,
    MISSING,
    AFTER,
    BEFORE,
    COMPARED,
    TRIED,
    EDGES,
    OFTEN,
    TOO_FAR,
    WARM,
    SIZES,
    STATIC_LAST,
    DYNAMIC,
    MODULE,
    MISFIT,
    MISFITS,
    GROWING,
    LAUNCHES
};

static const char *const ways[LAUNCHES][1] = {
    [NAIVE] = {"naive"},     [NEVER] = {"never"},       [EDGE] = {"edge"},
    [BOTH] = {"both"},       [CLEARED] = {"cleared"},   [TWO] = {"two"},
    [EMPTY] = {"empty"},     [INPUTS] = {"inputs"},     [UNSHARED] = {"unshared"},
    [CHANGED] = {"changed"}, [LATE] = {"late"},         [FAULT] = {"fault"},
    [ABORT] = {"abort"},     [NARROW] = {"two"},        [LARGE] = {"both"},
    [POINTER] = {"both"},    [MISSING] = {"both"},      [AFTER] = {"after"},
    [BEFORE] = {"before"},   [COMPARED] = {"compared"}, [TRIED] = {"tried"},
    [EDGES] = {"edges"},     [OFTEN] = {"often"},       [TOO_FAR] = {"too far"},
    [WARM] = {"warm"},       [SIZES] = {"sizes"},       [STATIC_LAST] = {"static last"},
    [MODULE] = {"module"},   [MISFIT] = {"misfit"},     [DYNAMIC] = {"static last"},
    [GROWING] = {"growing"}, [MISFITS] = {"misfits"},
};

struct site {
    bool available;
    struct arena *arena;
    struct sandbox sandbox;
    struct toolchain toolchain;
    char *folder;
    struct rubric rubric;
    struct rubric_program program;
    struct rubric_parameter parameter;
    struct rubric_launch launches[LAUNCHES];
    struct built_program built;
    struct session_resource_cache resources;
    struct session_config config;
    struct diagnostic diagnostic;
};

static const char *make(struct site *site, const char *name)
{
    const char *path = arena_printf(site->arena, "%s/%s", site->folder, name);

    assert_int_equal(folder_make(path, 0755, NULL), ERROR_NONE);
    return path;
}

static const struct expression *parse(struct site *site, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(site->arena, text, &expression, &offset, NULL), ERROR_NONE);
    return expression;
}

static void describe_launch(struct site *site, size_t index)
{
    static const int64_t blocks[] = {32};
    static const char *const given[] = {"given", "given_tiles"};
    const char *size = index == LARGE || index == TOO_FAR ? "2 * n" : "n";
    const char *input = index == MISSING ? "d_nothing" : index == POINTER ? "d_pointer" : "d_in";

    site->launches[index] = (struct rubric_launch){
        .id = ways[index][0],
        .kernel = index == NARROW ? "mi*e" : "*",
        .is_pattern = true,
        .given_kernels = given,
        .given_kernel_count = 2,
        .arguments = ways[index],
        .argument_count = 1,
        .first_values = {64},
        .has_first = true,
        .blocks = blocks,
        .block_count = 1,
        .operands = {{.name = "in",
                      .bind = {.is_symbol = true, .symbol = input},
                      .shape = {parse(site, size)},
                      .rank = 1,
                      .role = OPERAND_INPUT},
                     {.name = "out",
                      .bind = {.is_symbol = true, .symbol = "d_out"},
                      .shape = {parse(site, "n")},
                      .rank = 1,
                      .role = OPERAND_OUTPUT}},
        .operand_count = 2,
    };
}

static void describe_coursework(struct site *site)
{
    static const char *const sources[] = {"program.cu"};
    static const struct rubric_criterion criteria[] = {
        {.kind = CRITERION_CORRECT, .has_launch = true, .launch = STATIC_LAST},
        {.kind = CRITERION_DYNAMIC, .has_launch = true, .launch = DYNAMIC},
    };

    site->program = (struct rubric_program){.id = "x", .sources = sources, .source_count = 1};
    site->parameter = (struct rubric_parameter){.name = "n"};
    for (size_t i = 0; i < LAUNCHES; i++) {
        describe_launch(site, i);
    }
    site->rubric = (struct rubric){
        .reference_folder = make(site, "reference"),
        .template_folder = make(site, "template"),
        .programs = &site->program,
        .program_count = 1,
        .parameters = &site->parameter,
        .parameter_count = 1,
        .launches = site->launches,
        .launch_count = LAUNCHES,
        .criteria = criteria,
        .criterion_count = 2,
        .limits = {.compile_wall_ns = 600 * CLOCK_NS_PER_S,
                   .compile_memory_bytes = UINT64_C(2) << 30,
                   .program_wall_ns = 120 * CLOCK_NS_PER_S,
                   .program_cpu_ns = 10 * CLOCK_NS_PER_S,
                   .program_memory_bytes = UINT64_C(1) << 30,
                   .program_processes = 64,
                   .program_output_bytes = 1 << 20,
                   .program_file_bytes = 1 << 20,
                   .launch_emulated_ns = 60 * CLOCK_NS_PER_S,
                   .device_memory_bytes = 32 << 20},
    };
}

/* Builds the program and puts the runtime beside it. */
static void build(struct site *site)
{
    const char *source = make(site, "source");
    const char *path = arena_printf(site->arena, "%s/program.cu", source);
    const char *library =
        arena_printf(site->arena, "%s/%s", site->toolchain.cudart_folder, CUDART_SONAME);
    const char *copy = arena_printf(site->arena, "%s/%s", make(site, "cudart"), CUDART_SONAME);
    const char *program = arena_printf(site->arena, "%s%s", kernels_text, main_text);
    struct toolchain_job *job = NULL;
    const struct build_request request = {
        .rubric = &site->rubric,
        .source_folder = source,
        .work_folder = make(site, "build"),
    };

    assert_int_equal(file_write_atomic(path, program, strlen(program), NULL), ERROR_NONE);
    assert_int_equal(file_copy(library, copy, 0755, 64 << 20, NULL), ERROR_NONE);
    assert_int_equal(toolchain_start(&site->toolchain, &request, &job, &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(toolchain_finish(job, site->arena, &site->built, &site->diagnostic),
                     ERROR_NONE);
    if (!site->built.build.linked && site->built.build.message_count > 0) {
        print_message("%s\n", site->built.build.messages[0].message);
    }
    assert_true(site->built.build.linked);
}

static void configure(struct site *site)
{
    uint8_t *record = arena_alloc(site->arena, GPU_MODEL_RECORD_BYTES);
    struct gpu_model model;

    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    gpu_model_pack(&model, record);
    site->config = (struct session_config){
        .rubric = &site->rubric,
        .toolchain = &site->toolchain,
        .program = &site->built,
        .device_path = GPUGRADE_BINARY_DIR "/bin/gpugrade-device",
        .device = {.model = record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = 9,
        .threads = 2,
        .seed = 0x5eed,
        .work_folder = site->folder,
        .resources = &site->resources,
    };
}

static int set_up(void **state)
{
    static struct site site;

    memset(&site, 0, sizeof site);
    *state = &site;
    site.arena = arena_new();
    assert_int_equal(folder_make_temporary(site.arena, &site.folder, NULL), ERROR_NONE);
    assert_int_equal(chmod(site.folder, 0711), 0);
    if (sandbox_init(SANDBOX_AUTO, GPUGRADE_BINARY_DIR "/bin", &site.sandbox, &site.diagnostic) !=
            ERROR_NONE ||
        toolchain_init(
            &(struct toolchain_setup){.sandbox = &site.sandbox,
                                      .compiler = COMPILER_AUTO,
                                      .helper_folder = GPUGRADE_BINARY_DIR "/bin",
                                      .header_folder = GPUGRADE_SOURCE_DIR "/grader/cuda_headers",
                                      .library_folder = GPUGRADE_BINARY_DIR "/lib",
                                      .cache_folder = make(&site, "cache")},
            &site.toolchain, &site.diagnostic) != ERROR_NONE) {
        print_message("skipped: %s\n", site.diagnostic.message);
        return 0;
    }
    if (access(GPUGRADE_BINARY_DIR "/lib/" CUDART_SONAME, R_OK) != 0) {
        print_message("skipped: a build with sanitizers has no %s\n", CUDART_SONAME);
        return 0;
    }
    describe_coursework(&site);
    build(&site);
    configure(&site);
    site.available = true;
    return 0;
}

static int tear_down(void **state)
{
    struct site *site = *state;

    assert_true(folder_remove(site->folder));
    arena_free(site->arena);
    return 0;
}

static struct launch_run survey(void **state, size_t launch, int64_t *out_block)
{
    struct site *site = *state;
    struct launch_run run;

    if (!site->available) {
        skip();
    }
    assert_int_equal(session_select_kernel(&site->config, site->arena, launch,
                                           site->launches[launch].first_values, &run, out_block,
                                           &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(run.observation_count, 1);
    assert_int_equal(run.observations[0].case_index, SIZE_MAX);
    assert_int_equal(run.observations[0].parameters[0], 64);
    assert_int_equal(run.observations[0].launched, run.kernel != NULL);
    assert_true(run.activity.ran);
    return run;
}

static void given_kernels_are_no_attempt(void **state)
{
    int64_t block = 7;
    struct launch_run run = survey(state, NAIVE, &block);

    assert_null(run.kernel);
    assert_int_equal(block, 0);
    assert_int_equal(run.surveyed_count, 1);
    assert_string_equal(run.surveyed[0].plain_name, "given");
    assert_true(run.surveyed[0].is_given && run.surveyed[0].writes_outputs);
    assert_false(run.surveyed[0].uses_shared);
    assert_int_equal(run.surveyed[0].launch_count, 1);

    run = survey(state, NEVER, &block);
    assert_null(run.kernel);
    assert_int_equal(run.surveyed_count, 0);
    assert_int_equal(run.activity.end.exit_status, 0);
}

/* The kernels of each way, and the one that is meant. */
static void the_surest_kernel_is_meant(void **state)
{
    static const struct {
        size_t launch;
        const char *kernel;
        size_t surveyed;
    } rows[] = {
        {BOTH, "mine", 2},           {CLEARED, "mine", 3},      {TWO, "mine_too", 3},
        {UNSHARED, "unshared", 3},   {EMPTY, "empty", 2},       {INPUTS, "only_tiles", 3},
        {CHANGED, "given_tiles", 2}, {NARROW, "mine", 2},       {AFTER, "mine", 3},
        {BEFORE, "unshared", 3},     {COMPARED, "unshared", 3}, {TRIED, "mine", 3},
        {STATIC_LAST, "mine", 3},    {DYNAMIC, "mine_too", 3},  {MODULE, "module_tile", 4},
        {WARM, "mine", 2},           {SIZES, "mine", 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t block = 0;
        struct launch_run run = survey(state, rows[i].launch, &block);
        assert_non_null(run.kernel);
        assert_string_equal(run.kernel, rows[i].kernel);
        assert_int_equal(run.surveyed_count, rows[i].surveyed);
        assert_int_equal(block, 32);
        assert_int_equal(run.observations[0].failure, CODE_NONE);
        assert_int_equal(run.observations[0].geometry.block[0], 32);
        assert_int_equal(run.observations[0].element_counts[1], 64);
    }
}

/* Of what a kernel loads and of its block width is told; without a block width that is allowed the
 * last one is meant. */
static void what_a_kernel_reads_is_seen(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, AFTER, &block);

    assert_int_equal(run.surveyed[1].inputs_read, 1);
    assert_string_equal(run.surveyed[2].plain_name, "halve");
    assert_int_equal(run.surveyed[2].inputs_read, 0);
    assert_true(run.surveyed[2].writes_outputs && run.surveyed[2].has_allowed_block_width);

    run = survey(state, EDGES, &block);
    assert_string_equal(run.kernel, "long_rows");
    assert_false(run.surveyed[1].has_allowed_block_width ||
                 run.surveyed[2].has_allowed_block_width);
    assert_int_equal(run.observations[0].failure, CODE_WRONG_BLOCK);
}

/* Launches that pass are counted; what is kept is the one of most threads. */
static void many_launches_are_counted(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, OFTEN, &block);

    assert_int_equal(run.activity.launch_total, 3002);
    assert_int_equal(run.surveyed_count, 3);
    assert_string_equal(run.surveyed[1].plain_name, "halve");
    assert_int_equal(run.surveyed[1].launch_count, 1500);
    assert_string_equal(run.kernel, "mine");
    assert_int_equal(run.surveyed[2].launch_count, 1501);
    assert_int_equal(run.observations[0].geometry.grid[0], 2);
}

/* A second kernel that writes the same values as the first one writes all the same; what a program
 * finds in its memory afterwards is its own doing. */
static void equal_values_are_seen_as_written(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, BOTH, &block);

    assert_true(run.surveyed[1].writes_outputs && run.surveyed[1].uses_shared);
    assert_int_equal(run.activity.end.ending, ENDING_EXITED);
    assert_int_equal(run.activity.finding_count, 0);
}

/* The kernels come in the order of their last launches. */
static void kernels_come_in_order(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, EMPTY, &block);

    assert_string_equal(run.surveyed[0].plain_name, "empty");
    assert_string_equal(run.surveyed[1].plain_name, "given");
    assert_int_equal(run.surveyed[1].launch_count, 2);
    assert_false(run.surveyed[0].writes_outputs);

    run = survey(state, LATE, &block);
    assert_string_equal(run.kernel, "late");
    assert_int_equal(run.surveyed[1].launch_count, 8);
    assert_int_equal(run.observations[0].launch_count, 8);
    assert_true(run.surveyed[1].writes_outputs);
}

static void an_block_width_that_is_not_allowed_is_a_failure(void **state)
{
    int64_t block = 7;
    struct launch_run run = survey(state, EDGE, &block);

    assert_string_equal(run.kernel, "mine");
    assert_int_equal(block, 0);
    assert_int_equal(run.observations[0].failure, CODE_WRONG_BLOCK);
    assert_non_null(strstr(run.observations[0].failure_message, "16 threads"));
}

static void how_the_program_ends_is_told(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, FAULT, &block);

    assert_string_equal(run.kernel, "mine");
    assert_true(run.activity.finding_count > 0);
    assert_int_equal(run.activity.end.exit_status, 3);

    run = survey(state, ABORT, &block);
    assert_string_equal(run.kernel, "mine");
    assert_int_equal(run.activity.end.ending, ENDING_SIGNALLED);
    assert_int_equal(run.activity.end.signal, SIGABRT);
}

static void expect_failure(void **state, size_t launch, const char *words)
{
    int64_t block = 0;
    struct launch_run run = survey(state, launch, &block);

    assert_int_equal(run.observations[0].failure, CODE_BAD_OPERAND);
    if (strstr(run.observations[0].failure_message, words) == NULL) {
        fail_msg("%s", run.observations[0].failure_message);
    }
}

/* Variables must have the sizes of the case, not just room for it. */
static void variables_have_the_sizes_of_the_case(void **state)
{
    expect_failure(state, LARGE, "`d_in` has 256 bytes, expected 512: 128 elements of 4 bytes");
    expect_failure(state, POINTER, "in the array itself, not a pointer to it");
    expect_failure(state, MISSING, "there is no device array `d_nothing`");
}

/* Without an attempt a given kernel that goes wrong tells which operands have other sizes. */
static void operands_of_given_kernels_are_told(void **state)
{
    int64_t block = 0;
    struct launch_run run = survey(state, TOO_FAR, &block);

    assert_null(run.kernel);
    assert_int_equal(run.activity.end.exit_status, 4);
    assert_int_equal(run.observations[0].failure, CODE_BAD_OPERAND);
    assert_non_null(strstr(run.observations[0].failure_message, "`d_in` has 256 bytes"));
}

/* Of a single input, of floats, all but exact-swapped, which would be drawn as exact is. */
enum { PROBES = PROBES_DRAWN - 1 };

/* Runs the one case of a launch whose kernel and block width are known. */
static struct launch_run run_case(void **state, size_t launch, const char *kernel, int64_t block)
{
    struct site *site = *state;
    const struct drawn_case drawn = {.units = {64}};
    struct launch_run run;

    if (!site->available) {
        skip();
    }
    site->config.kernel = kernel;
    site->config.block = block;
    assert_int_equal(
        session_run_launch(&site->config, site->arena, launch, &drawn, 1, &run, &site->diagnostic),
        ERROR_NONE);
    site->config.kernel = NULL;
    site->config.block = 0;
    assert_int_equal(run.observation_count, 1);
    assert_string_equal(run.kernel, kernel);
    assert_false(run.activity.ended_early);
    return run;
}

/* A case of such a program is one run, from its start to its end; the block width may be known
 * before. */
static void a_case_is_a_run(void **state)
{
    struct launch_run run = run_case(state, BOTH, "mine", 32);

    assert_int_equal(run.observations[0].case_index, 0);
    assert_int_equal(run.observations[0].launch_count, 1);
    assert_int_equal(run.observations[0].failure, CODE_NONE);
    assert_int_equal(run.observations[0].sample_count, PROBES);

    const struct rubric_case for_size = {.id = "c", .repeat = 1, .probes = 1};
    struct site *site = *state;
    const struct rubric *rubric = site->config.rubric;
    struct rubric with_cases = *rubric;
    with_cases.cases = &for_size;
    with_cases.case_count = 1;
    site->config.rubric = &with_cases;
    run = run_case(state, BOTH, "mine", 32);
    site->config.rubric = rubric;
    assert_int_equal(run.observations[0].sample_count, 1);
    assert_int_equal(run.observations[0].samples[0].kind, PROBE_EXACT);

    run = run_case(state, BOTH, "mine", 16);
    assert_int_equal(run.observations[0].failure, CODE_WRONG_BLOCK);
    assert_non_null(strstr(run.observations[0].failure_message, "had 16 in an earlier launch"));
    assert_int_equal(run.activity.end.ending, ENDING_EXITED);
}

static void expect_judged(const struct launch_run *run, uint32_t blocks, uint32_t launch_count)
{
    const struct observation *observation = &run->observations[0];
    size_t drawn =
        0; /* a kernel that counts its launches is probed with reordered blocks as well */

    for (size_t i = 0; i < observation->sample_count; i++) {
        drawn += observation->samples[i].kind != PROBE_REORDERED ? 1 : 0;
    }
    assert_int_equal(observation->failure, CODE_NONE);
    assert_int_equal(observation->geometry.grid[0], blocks);
    assert_int_equal(observation->geometry.block[0], 32);
    assert_int_equal(drawn, PROBES);
    assert_int_equal(observation->launch_count, launch_count);
}

/* Launches that do not cover the output, or have another block width, are given up for one that
 * fits. */
static void a_launch_that_fits_is_judged(void **state)
{
    struct launch_run run = run_case(state, WARM, "mine", 32);

    expect_judged(&run, 2, 2);
    assert_int_equal(run.activity.launch_total, 303);

    run = run_case(state, SIZES, "mine", 32);
    expect_judged(&run, 2, 3);
}

/* In another run of the program the launch that was judged is found by its number. */
static void the_judged_launch_is_found_again(void **state)
{
    const struct launch_run run = run_case(state, SIZES, "mine", 32);
    struct site *site = *state;
    const int64_t other[RUBRIC_PARAMETERS_MAX] = {96};
    struct trace_request request = {.launch = SIZES, .block = 32, .operand = 1, .element = 40};

    memcpy(request.parameters, run.observations[0].parameters, sizeof request.parameters);
    assert_int_equal(session_launch_number(&run, request.parameters, 32), 3);
    assert_int_equal(session_launch_number(&run, other, 32), 3);
    assert_int_equal(session_launch_number(&run, other, 16), 3);
    assert_int_equal(session_launch_number(&(struct launch_run){0}, other, 32), 0);

    site->config.kernel = "mine";
    site->config.block = 32;
    site->config.launch_number = 3;
    const struct launch_trace *trace = session_trace_launch(&site->config, site->arena, &request);
    site->config.kernel = NULL;
    site->config.block = 0;
    site->config.launch_number = 0;
    assert_non_null(trace);
    assert_int_equal(trace->grid[0], 2);
    assert_true(trace->wrote_element);
}

/* A launch of the geometry of one that was judged is not looked at. */
static void a_wrong_launch_is_not_forgiven(void **state)
{
    struct launch_run run = run_case(state, LATE, "late", 32);
    const struct sample *sample = &run.observations[0].samples[0];

    expect_judged(&run, 2, 1);
    assert_memory_equal(sample->before[1], sample->after[1], 64 * sizeof(float));
}

/* However many launches of different geometry there are, a dozen are probed. */
static void few_launches_are_probed(void **state)
{
    struct launch_run run = run_case(state, GROWING, "never_all", 32);

    expect_judged(&run, 12, 12);
    assert_int_equal(run.activity.launch_total, 40);
}

/* What a launch does only since its blocks do not fit does not count where another one is judged.
 */
static void misfits_are_forgiven(void **state)
{
    struct launch_run run = run_case(state, MISFIT, "mirrored", 32);

    expect_judged(&run, 2, 2);
    assert_int_equal(run.observations[0].samples[0].finding_count, 0);
    assert_int_equal(run.activity.finding_count, 0);

    run = run_case(state, MISFITS, "mirrored", 32);
    assert_int_equal(run.observations[0].failure, CODE_WRONG_BLOCK);
    assert_int_equal(run.activity.finding_count, 1);
    assert_int_equal(run.activity.findings[0].code, CODE_UNINITIALISED_SHARED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_kernels_are_no_attempt),
        cmocka_unit_test(the_surest_kernel_is_meant),
        cmocka_unit_test(what_a_kernel_reads_is_seen),
        cmocka_unit_test(many_launches_are_counted),
        cmocka_unit_test(equal_values_are_seen_as_written),
        cmocka_unit_test(kernels_come_in_order),
        cmocka_unit_test(an_block_width_that_is_not_allowed_is_a_failure),
        cmocka_unit_test(how_the_program_ends_is_told),
        cmocka_unit_test(variables_have_the_sizes_of_the_case),
        cmocka_unit_test(operands_of_given_kernels_are_told),
        cmocka_unit_test(a_case_is_a_run),
        cmocka_unit_test(a_launch_that_fits_is_judged),
        cmocka_unit_test(the_judged_launch_is_found_again),
        cmocka_unit_test(a_wrong_launch_is_not_forgiven),
        cmocka_unit_test(few_launches_are_probed),
        cmocka_unit_test(misfits_are_forgiven),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
