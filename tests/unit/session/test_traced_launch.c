/* test_traced_launch.c: a sandboxed program is run up to one case, and one block of its launch is
 * traced. The coursework is a program of this test, which reverses n numbers in shared memory, for
 * blocks of 32 threads. Without a CUDA toolkit everything here is skipped visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "occupancy/gpu_model_record.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* PROGRAM WAY: launches `reverse` for each n of the input; from 100 on as WAY says. */
static const char program_text[] =
    "#include <cuda_profiler_api.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "__device__ int way; __device__ float kept;\n"
    "__global__ void reverse(const float *in, float *out, int n)\n"
    "{\n"
    "    __shared__ float tile[32];\n"
    "    int i = blockIdx.x * 32 + threadIdx.x;\n"
    "    if (way == 1) { asm volatile(\"trap;\"); }\n"
    "    while (way == 2) { __nanosleep(1); }\n"
    "    tile[threadIdx.x] = in[i];\n" /* line 12 */
    "    __syncthreads();\n"
    "    if (way == 3 && blockIdx.x == 2) { return; }\n"
    "    out[i] = tile[31 - threadIdx.x];\n"    /* line 15 */
    "    if (way == 4) { out[i] += kept++; }\n" /* line 16 */
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const char *name = argc > 1 ? argv[1] : \"\";\n"
    "    int n = 0;\n"
    "    while (scanf(\"%d\", &n) == 1) {\n"
    "        float *in = NULL, *out = NULL;\n"
    "        bool is_case = n >= 100;\n"
    "        unsigned threads = is_case && strcmp(name, \"edge\") == 0 ? 16 : 32;\n"
    "        int code = !is_case ? 0 : strcmp(name, \"trap\") == 0 ? 1 : strcmp(name, \"loop\") == "
    "0 ? 2 : strcmp(name, \"skip\") == 0 ? 3 : strcmp(name, \"keep\") == 0 ? 4 : 0;\n"
    "        if (is_case && strcmp(name, \"abort\") == 0) { abort(); }\n"
    "        if (is_case && strcmp(name, \"hang\") == 0) { for (;;) { } }\n"
    "        cudaMemcpyToSymbol(way, &code, sizeof code);\n"
    "        cudaMalloc((void **)&in, n * 4);\n"
    "        cudaMalloc((void **)&out, n * 4);\n"
    "        cudaMemset(in, 0, n * 4);\n"
    "        if (is_case && strcmp(name, \"same\") == 0) { out = in; }\n"
    "        cudaProfilerStart();\n"
    "        if (!(is_case && strcmp(name, \"never\") == 0)) {\n"
    "            reverse<<<n / 32, threads>>>(in, out, n);\n"
    "        }\n"
    "        cudaProfilerStop();\n"
    "        if (cudaDeviceSynchronize() != cudaSuccess) { return 1; }\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

/* The launches of the rubric. */
enum { GOOD, SKIP, KEEP, TRAP, LOOP, ABORT, HANG, EDGE, SAME, NEVER, LAUNCHES };

static const char *const arguments[LAUNCHES][1] = {
    [GOOD] = {"good"}, [SKIP] = {"skip"},   [KEEP] = {"keep"}, [TRAP] = {"trap"},
    [LOOP] = {"loop"}, [ABORT] = {"abort"}, [HANG] = {"hang"}, [EDGE] = {"edge"},
    [SAME] = {"same"}, [NEVER] = {"never"},
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
    static const int64_t blocks[] = {16, 32};
    const struct expression **input = arena_array(site->arena, 1, sizeof *input);

    input[0] = parse(site, "n");
    site->launches[index] = (struct rubric_launch){
        .id = arguments[index][0],
        .kernel = "reverse",
        .arguments = arguments[index],
        .argument_count = 1,
        .input = input,
        .input_count = 1,
        .first_values = {96},
        .has_first = true,
        .blocks = blocks,
        .block_count = 2,
        .operands = {{.name = "in", .shape = {parse(site, "n")}, .rank = 1, .role = OPERAND_INPUT},
                     {.name = "out",
                      .bind = {.argument = 1},
                      .shape = {parse(site, "n")},
                      .rank = 1,
                      .role = OPERAND_OUTPUT}},
        .operand_count = 2,
    };
}

static void describe_coursework(struct site *site)
{
    static const char *const sources[] = {"program.cu"};

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
        .limits = {.compile_wall_ns = 600 * CLOCK_NS_PER_S,
                   .compile_memory_bytes = UINT64_C(2) << 30,
                   .program_wall_ns = 60 * CLOCK_NS_PER_S,
                   .program_cpu_ns = 10 * CLOCK_NS_PER_S,
                   .program_memory_bytes = UINT64_C(1) << 30,
                   .program_processes = 64,
                   .program_output_bytes = 1 << 20,
                   .program_file_bytes = 1 << 20,
                   .launch_emulated_ns = 10 * CLOCK_NS_PER_S,
                   .device_memory_bytes = 32 << 20},
    };
}

/* Builds the program and puts the runtime beside it. */
static bool build(struct site *site)
{
    const char *source = make(site, "source");
    const char *path = arena_printf(site->arena, "%s/program.cu", source);
    const char *library =
        arena_printf(site->arena, "%s/%s", site->toolchain.cudart_folder, CUDART_SONAME);
    const char *copy = arena_printf(site->arena, "%s/%s", make(site, "cudart"), CUDART_SONAME);
    struct toolchain_job *job = NULL;
    const struct build_request request = {
        .rubric = &site->rubric,
        .source_folder = source,
        .work_folder = make(site, "build"),
    };

    assert_int_equal(file_write_atomic(path, program_text, strlen(program_text), NULL), ERROR_NONE);
    assert_int_equal(file_copy(library, copy, 0755, 64 << 20, NULL), ERROR_NONE);
    assert_int_equal(toolchain_start(&site->toolchain, &request, &job, &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(toolchain_finish(job, site->arena, &site->built, &site->diagnostic),
                     ERROR_NONE);
    if (!site->built.build.linked && site->built.build.message_count > 0) {
        print_message("%s\n", site->built.build.messages[0].message);
    }
    return site->built.build.linked;
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
    assert_true(build(&site));
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

static const struct launch_trace *trace_element(void **state, size_t launch, size_t element)
{
    struct site *site = *state;
    const struct trace_request request = {
        .launch = launch, .parameters = {160}, .block = 32, .operand = 1, .element = element};

    if (!site->available) {
        skip();
    }
    return session_trace_launch(&site->config, site->arena, &request);
}

static void expect(const struct launch_trace *trace, const struct trace_access *access,
                   const struct trace_access *expected, int line)
{
    assert_int_equal(access->thread, expected->thread);
    assert_int_equal(access->space, expected->space);
    assert_int_equal(access->kind, expected->kind);
    assert_int_equal(access->bytes, 4);
    assert_int_equal(access->operand, expected->operand);
    assert_int_equal(access->where, expected->where);
    assert_int_equal(access->bits, expected->bits);
    assert_true(access->line < trace->line_count);
    assert_string_equal(trace->lines[access->line].file, "program.cu");
    assert_int_equal(trace->lines[access->line].line, line);
}

/* Block `block` of the launch: each thread loads an element, and stores that of another one; beside
 * that it reads `way`. */
static void expect_block(const struct launch_trace *trace, uint32_t block)
{
    const uint32_t *in = trace->inputs[0];
    struct trace_access seen[128];
    size_t count = 0;

    for (size_t i = 0; i < trace->access_count; i++) {
        const struct trace_access *access = &trace->accesses[i];
        bool is_way = access->space == TRACE_GLOBAL && access->operand == TRACE_NO_OPERAND;
        assert_true(is_way || count < 128);
        if (!is_way) {
            seen[count++] = *access;
        }
    }
    assert_int_equal(count, 128);
    for (uint32_t thread = 0; thread < 32; thread++) {
        uint32_t element = 32 * block + thread;
        uint32_t loaded = in[element];
        uint32_t other = in[32 * block + 31 - thread];
        const struct trace_access load = {thread, 0, TRACE_GLOBAL, TRACE_READ,
                                          4,      0, element,      loaded};
        const struct trace_access put = {thread,           0,          TRACE_SHARED, TRACE_WRITE, 4,
                                         TRACE_NO_OPERAND, 4 * thread, loaded};
        const struct trace_access get = {
            thread, 0, TRACE_SHARED, TRACE_READ, 4, TRACE_NO_OPERAND, 4 * (31 - thread), other};
        const struct trace_access store = {thread, 0, TRACE_GLOBAL, TRACE_WRITE,
                                           4,      1, element,      other};
        expect(trace, &seen[thread], &load, 12);
        expect(trace, &seen[32 + thread], &put, 12);
        expect(trace, &seen[64 + thread], &get, 15);
        expect(trace, &seen[96 + thread], &store, 15);
    }
}

static void a_block_is_told_in_every_detail(void **state)
{
    const struct launch_trace *trace = trace_element(state, GOOD, 32 * 3 + 5);

    assert_non_null(trace);
    assert_true(trace->wrote_element && trace->is_complete);
    assert_int_equal(trace->request.launch, GOOD);
    assert_int_equal(trace->request.element, 32 * 3 + 5);
    assert_int_equal(trace->block_index[0], 3);
    assert_int_equal(trace->grid[0], 5);
    assert_int_equal(trace->block[0], 32);
    assert_int_equal(trace->element_counts[0], 160);
    assert_int_equal(trace->element_counts[1], 160);
    assert_non_null(trace->inputs[0]);
    assert_null(trace->inputs[1]);
    expect_block(trace, 3);
}

static void the_same_each_time(void **state)
{
    const struct launch_trace *first = trace_element(state, GOOD, 64);
    const struct launch_trace *second = trace_element(state, GOOD, 64);

    assert_true(first != NULL && second != NULL);
    assert_int_equal(first->access_count, second->access_count);
    for (size_t i = 0; i < first->access_count; i++) {
        const struct trace_access *a = &first->accesses[i];
        const struct trace_access *b = &second->accesses[i];
        assert_true(a->thread == b->thread && a->line == b->line && a->space == b->space &&
                    a->kind == b->kind && a->operand == b->operand && a->bits == b->bits);
        assert_true(a->where == b->where || a->operand == TRACE_NO_OPERAND);
    }
}

static void what_nobody_writes_shows_the_first_block(void **state)
{
    const struct launch_trace *trace = trace_element(state, SKIP, 32 * 2 + 1);

    assert_non_null(trace);
    assert_false(trace->wrote_element);
    assert_int_equal(trace->block_index[0], 0);
    expect_block(trace, 0);
}

/* The one access of a kind to memory that is no operand, at a line, by thread 0. */
static uint64_t kept_bits(const struct launch_trace *trace, int line)
{
    for (size_t i = 0; i < trace->access_count; i++) {
        const struct trace_access *access = &trace->accesses[i];
        if (access->thread == 0 && access->space == TRACE_GLOBAL && access->kind == TRACE_READ &&
            access->operand == TRACE_NO_OPERAND && access->bits != 4 &&
            trace->lines[access->line].line == line) {
            return access->bits;
        }
    }
    return 0;
}

/* A launch before leaves something behind; without one the variable is zero. */
static void a_launch_before_leaves_its_mark(void **state)
{
    struct site *site = *state;
    struct trace_request request = {
        .launch = KEEP, .parameters = {160}, .block = 32, .operand = 1, .element = 0};

    if (!site->available) {
        skip();
    }
    const struct launch_trace *once = session_trace_launch(&site->config, site->arena, &request);
    request.is_again = true;
    const struct launch_trace *again = session_trace_launch(&site->config, site->arena, &request);
    assert_true(once != NULL && again != NULL);
    assert_int_equal(kept_bits(once, 16), 0);
    assert_true(kept_bits(again, 16) != 0);
    assert_true(again->request.is_again);
    assert_memory_equal(once->inputs[0], again->inputs[0], 160 * sizeof(float));
}

/* Whatever a program does instead costs at most its limits. */
static void what_goes_wrong_gives_no_trace(void **state)
{
    static const size_t launches[] = {TRAP, ABORT, EDGE, SAME, NEVER, LOOP, HANG};
    struct site *site = *state;
    const struct limits limits = site->rubric.limits;

    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        uint64_t start_ns = clock_now_ns();
        if (launches[i] == LOOP || launches[i] == HANG) {
            site->rubric.limits.program_wall_ns = CLOCK_NS_PER_S;
            site->rubric.limits.program_cpu_ns = CLOCK_NS_PER_S;
            site->rubric.limits.launch_emulated_ns = CLOCK_NS_PER_S / 2;
        }
        assert_null(trace_element(state, launches[i], 0));
        assert_true(clock_now_ns() - start_ns < 60 * CLOCK_NS_PER_S);
    }
    site->rubric.limits = limits;
}

static void a_request_that_does_not_fit_gives_no_trace(void **state)
{
    struct site *site = *state;
    const struct trace_request good = {
        .launch = GOOD, .parameters = {160}, .block = 32, .operand = 1, .element = 159};
    struct trace_request bad[] = {good, good, good};

    assert_null(trace_element(state, GOOD, 160));
    bad[0].block = 16;
    bad[1].operand = 2;
    bad[2].element = SIZE_MAX;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(session_trace_launch(&site->config, site->arena, &bad[i]));
    }
    assert_non_null(session_trace_launch(&site->config, site->arena, &good));
}

static void a_device_that_does_not_start_gives_no_trace(void **state)
{
    struct site *site = *state;
    struct session_config config = site->config;
    const struct trace_request request = {
        .launch = GOOD, .parameters = {160}, .block = 32, .operand = 1};

    if (!site->available) {
        skip();
    }
    config.device_path = "/bin/false";
    assert_null(session_trace_launch(&config, site->arena, &request));
    config.device.is_gpu = true;
    assert_null(session_trace_launch(&config, site->arena, &request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_told_in_every_detail),
        cmocka_unit_test(the_same_each_time),
        cmocka_unit_test(what_nobody_writes_shows_the_first_block),
        cmocka_unit_test(a_launch_before_leaves_its_mark),
        cmocka_unit_test(what_goes_wrong_gives_no_trace),
        cmocka_unit_test(a_request_that_does_not_fit_gives_no_trace),
        cmocka_unit_test(a_device_that_does_not_start_gives_no_trace),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
