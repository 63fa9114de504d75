/* test_remarks.c: what is told although it costs nothing. */
#include "source/source_index.h"
#include "submission/remarks.h"

#include "source/source_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static struct rubric_launch launch;
static struct rubric rubric;
static struct sample samples[2];
static struct observation observation;
static struct launch_run run;
static struct submission_evidence evidence;
static struct rubric_criterion criterion;
static struct verdict verdicts[1];
static const struct remark *remarks;
static size_t remark_count;

/* One launch with an input of 4 floats and an output of 8, probed twice. */
static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    launch = (struct rubric_launch){
        .kernel = "multiply",
        .operands = {{.name = "A", .role = OPERAND_INPUT}, {.name = "C", .role = OPERAND_OUTPUT}},
        .operand_count = 2,
    };
    rubric = (struct rubric){.launches = &launch, .launch_count = 1};
    memset(samples, 0, sizeof samples);
    samples[0].counts.is_counted = samples[1].counts.is_counted = true;
    observation = (struct observation){
        .element_counts = {4, 8}, .samples = samples, .sample_count = 2, .launched = true};
    run = (struct launch_run){.observations = &observation, .observation_count = 1};
    evidence = (struct submission_evidence){.launch_runs = &run};
    criterion = (struct rubric_criterion){.kind = CRITERION_CORRECT, .has_launch = true};
    verdicts[0] = (struct verdict){.criterion = &criterion, .cause = {.message = ""}};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static struct source_index *sources_read;

static void collect(void)
{
    const struct remark_sources sources = {&rubric, &evidence, verdicts, 1, sources_read};

    remarks_collect(arena, &sources, &remarks, &remark_count);
}

static void warnings_and_failed_calls(void **state)
{
    struct tool_message messages[] = {
        {.is_error = true, .file = "a.cu", .line = 1, .column = 2, .message = "an error"},
        {.is_error = false, .file = "a.cu", .line = 3, .column = 4, .message = "unused"},
        {.is_error = false, .file = "a.cu", .line = 3, .column = 4, .message = "unused"}};
    struct program_build build = {.messages = messages, .message_count = 3};
    struct call_error error = {.call = "cudaMalloc",
                               .cuda_error = 2,
                               .name = "cudaErrorMemoryAllocation",
                               .message = "too much"};
    (void)state;

    run.activity.call_errors = &error;
    run.activity.call_error_count = 1;
    evidence.builds = &build;
    rubric.program_count = 1;
    collect();
    assert_int_equal(remark_count, 2);
    assert_string_equal(remarks[0].message, "unused");
    assert_int_equal(remarks[0].line, 3);
    assert_string_equal(remarks[1].message,
                        "cudaMalloc gave cudaErrorMemoryAllocation (2): too much");
}

/* One call that fails again and again is one mistake; another line is another. */
/* A warning that a cause tells is no remark; one of another variable in the line is. */
static void told_warnings(void **state)
{
    struct tool_message messages[] = {
        {.file = "a.cu", .line = 3, .message = "variable \"x\" is used before its value is set"},
        {.file = "a.cu", .line = 3, .message = "variable \"xy\" is used before its value is set"}};
    struct program_build build = {.messages = messages, .message_count = 2};
    const struct cause cause = {.file = "a.cu", .line = 3, .label = "`x` has no value"};
    (void)state;

    evidence.builds = &build;
    rubric.program_count = 1;
    rubric.hints = HINTS_EXPLAIN;
    verdicts[0].cause = cause;
    collect();
    assert_int_equal(remark_count, 1);
    assert_string_equal(remarks[0].message, messages[1].message);
}

static void errors_of_one_line(void **state)
{
    static const struct call_error errors[] = {
        {.call = "cudaMemcpyAsync",
         .cuda_error = 1,
         .name = "cudaErrorInvalidValue",
         .message = "4 bytes at 0x10",
         .place = {"a.cu", 18},
         .count = 3},
        {.call = "cudaMemcpyAsync",
         .cuda_error = 1,
         .name = "cudaErrorInvalidValue",
         .message = "4 bytes at 0x14",
         .place = {"a.cu", 18},
         .count = 1},
        {.call = "cudaMemcpyAsync",
         .cuda_error = 1,
         .name = "cudaErrorInvalidValue",
         .message = "4 bytes at 0x18",
         .place = {"a.cu", 19},
         .count = 1},
    };
    (void)state;

    run.activity.call_errors = errors;
    run.activity.call_error_count = 3;
    collect();
    assert_int_equal(remark_count, 2);
    assert_string_equal(remarks[0].message, "cudaMemcpyAsync gave cudaErrorInvalidValue (1): "
                                            "4 bytes at 0x10 (the first of 4 times)");
    assert_string_equal(remarks[0].file, "a.cu");
    assert_int_equal(remarks[0].line, 18);
    assert_string_equal(remarks[1].message,
                        "cudaMemcpyAsync gave cudaErrorInvalidValue (1): 4 bytes at 0x18");
    assert_int_equal(remarks[1].line, 19);
}

/* What a verdict says already is not said again; another error of the same call is. */
static void told_errors(void **state)
{
    static const struct call_error errors[] = {
        {.call = "cudaMalloc",
         .cuda_error = 2,
         .name = "cudaErrorMemoryAllocation",
         .message = "too much"},
        {.call = "cudaMalloc",
         .cuda_error = 2,
         .name = "cudaErrorMemoryAllocation",
         .message = "much too much"},
        {.call = "cudaMallocArray",
         .cuda_error = 801,
         .name = "cudaErrorNotSupported",
         .message = "not known",
         .is_unknown = true},
    };
    (void)state;

    run.activity.call_errors = errors;
    run.activity.call_error_count = 3;
    const struct call_error of_another_run = errors[0];
    struct cause *cause = &verdicts[0].cause;
    cause->code = CODE_DEVICE_MEMORY;
    cause->subject = (struct subject){.kind = SUBJECT_CALL, .call = &of_another_run};
    collect();
    assert_int_equal(remark_count, 2);
    assert_non_null(strstr(remarks[0].message, "much too much"));
    assert_non_null(strstr(remarks[1].message, "cudaMallocArray"));
    cause->code = CODE_UNKNOWN_CALL;
    cause->subject.call = &errors[2];
    collect();
    assert_int_equal(remark_count, 2);
    assert_null(strstr(remarks[1].message, "cudaMallocArray"));
    cause->code = CODE_MISMATCH;
    cause->subject.kind = SUBJECT_RESULT;
    collect();
    assert_int_equal(remark_count, 3);
}

static void needless_barriers(void **state)
{
    /* needed, never needed, and needed in exactly a quarter of its passes */
    static const struct barrier_count first[] = {
        {"a.cu", 29, 9, 64, 8, 8}, {"a.cu", 31, 13, 128, 16, 0}, {"a.cu", 33, 9, 64, 8, 2}};
    static const struct barrier_count second[] = {{"a.cu", 31, 13, 128, 16, 1}};
    (void)state;

    samples[0].counts.barriers = first;
    samples[0].counts.barrier_count = 3;
    samples[1].counts.barriers = second;
    samples[1].counts.barrier_count = 1;
    collect();
    assert_int_equal(remark_count, 0); /* how many blocks there are is not known */
    observation.geometry.grid[0] = 8;
    observation.geometry.grid[1] = observation.geometry.grid[2] = 1;
    collect();
    assert_int_equal(remark_count, 1);
    assert_string_equal(remarks[0].file, "a.cu");
    assert_int_equal(remarks[0].line, 31);
    assert_int_equal(remarks[0].column, 13);
    assert_non_null(
        strstr(remarks[0].message, "this barrier is needed in only 1 of its 32 passes"));
    verdicts[0].status = STATUS_FAILED; /* a kernel that is wrong may need it once it is mended */
    collect();
    assert_int_equal(remark_count, 0);
    criterion.launch = 1; /* another one is wrong */
    collect();
    assert_int_equal(remark_count, 1);
    samples[0].status = SAMPLE_FAULT; /* a launch that was cut short shows nothing */
    samples[1].counts.is_counted = false;
    collect();
    assert_int_equal(remark_count, 0);
}

static void barrier_that_large_shapes_need(void **state)
{
    static const struct barrier_count never[] = {{"a.cu", 14, 5, 64, 8, 0}};
    static const struct barrier_count twice[] = {{"a.cu", 14, 5, 64, 80, 2}};
    static const struct rubric_case cases[] = {{.probes = 0}, {.probes = 1}};
    struct sample large = {.counts.is_counted = true};
    struct observation both[2] = {
        observation, {.case_index = 1, .samples = &large, .sample_count = 1, .launched = true}};
    (void)state;

    samples[0].counts.barriers = never;
    samples[0].counts.barrier_count = 1;
    rubric.cases = (struct rubric_case *)cases;
    rubric.case_count = 2;
    run.observations = both;
    run.observation_count = 2;
    collect();
    assert_int_equal(remark_count, 1);
    assert_non_null(strstr(remarks[0].message, "this barrier is never needed (8 passes"));
    large.counts.barriers = twice;
    large.counts.barrier_count = 1;
    collect();
    assert_int_equal(remark_count, 0);
}

/* What a barrier keeps apart in a loop that runs once are rounds that there were not. */
static void barrier_of_a_single_round(void **state)
{
    static const char text[] = "void multiply()\n{\n    __syncthreads();\n"
                               "    for (int i = 0; i < 9; i += 8) {\n        __syncthreads();\n"
                               "    }\n}\n";
    static const struct source_file file = {"a.cu", text, sizeof text - 1};
    struct barrier_count never[] = {{"a.cu", 3, 5, 64, 8, 0}, {"a.cu", 5, 9, 64, 8, 0}};
    (void)state;

    sources_read = source_index_new(arena, &file, 1);
    samples[0].counts.barriers = never;
    samples[0].counts.barrier_count = 2;
    observation.geometry.grid[0] = 8;
    observation.geometry.grid[1] = observation.geometry.grid[2] = 1;
    collect();
    assert_int_equal(remark_count, 1);
    assert_int_equal(remarks[0].line, 3);
    never[1].passed = 16;
    collect();
    assert_int_equal(remark_count, 2);
    sources_read = NULL;
}

/* Of each file, and not what the program is compiled for. */
static void code_for_newer_gpus(void **state)
{
    static const char text[] = "#include \"b.cuh\"\n#if __CUDA_ARCH__ >= 800\n#endif\n";
    static const char header[] = "#if __CUDA_ARCH__ < 900\n#else\n#endif\n";
    static const struct source_file files[] = {{"a.cu", text, sizeof text - 1},
                                               {"b.cuh", header, sizeof header - 1}};
    static const char *const names[] = {"a.cu"};
    struct rubric_program program = {.sources = names, .source_count = 1};
    struct program_build build = {.capability = 75};
    (void)state;

    sources_read = source_index_new(arena, files, 2);
    rubric.programs = &program;
    rubric.program_count = 1;
    evidence.builds = &build;
    collect();
    assert_int_equal(remark_count, 2);
    assert_string_equal(remarks[0].message, "this code is for compute capability 8.0 and is left "
                                            "out: the program is compiled for 7.5");
    assert_string_equal(remarks[0].file, "a.cu");
    assert_int_equal(remarks[0].line, 2);
    assert_string_equal(remarks[1].file, "b.cuh");
    assert_int_equal(remarks[1].line, 2);
    build.capability = 80;
    collect();
    assert_int_equal(remark_count, 1);
    assert_string_equal(remarks[0].message, "this code is for compute capability 9.0 and is left "
                                            "out: the program is compiled for 8.0");
    build.capability = 90;
    collect();
    assert_int_equal(remark_count, 0);
    sources_read = NULL;
}

static void needless_stores(void **state)
{
    static const struct line_count lines[] = {
        {"a.cu", 20, 5, COUNT_GLOBAL, COUNT_READ, {.bytes = 999}},
        {"a.cu", 40, 5, COUNT_SHARED, COUNT_WRITE, {.bytes = 888}},
        {"a.cu", 35, 9, COUNT_GLOBAL, COUNT_WRITE, {.bytes = 32}},
    };
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        samples[i].counts.operands[1][COUNT_WRITE].bytes = 32;
        samples[i].counts.lines = lines;
        samples[i].counts.line_count = 3;
    }
    collect();
    assert_int_equal(remark_count, 0); /* each element once */
    samples[1].counts.operands[1][COUNT_WRITE].bytes = 96;
    samples[1].counts.operands[0][COUNT_WRITE].bytes = 960; /* to an input: not this remark */
    collect();
    assert_int_equal(remark_count, 1);
    assert_int_equal(remarks[0].line, 35);
    assert_string_equal(remarks[0].message, "`multiply` stores each element of C 2 times on "
                                            "average; one store at the end is enough");
    launch.kernel = "";
    launch.call = "product"; /* a call of any kernels has the name of the function */
    collect();
    assert_int_equal(remark_count, 1);
    assert_non_null(strstr(remarks[0].message, "`product` stores each element"));
    samples[1].call.launches = 2; /* one of its kernels adds to what another one has stored */
    collect();
    assert_int_equal(remark_count, 0);
}

/* Which of several kernels was judged; those that do something else need no word. */
static void chosen_kernel(void **state)
{
    static const struct surveyed_kernel surveyed[] = {
        {.plain_name = "given", .is_given = true, .uses_shared = true, .writes_outputs = true},
        {.plain_name = "first_try", .uses_shared = true, .writes_outputs = true},
        {.plain_name = "clear", .writes_outputs = true},
        {.plain_name = "second_try", .uses_shared = true, .writes_outputs = true},
    };
    (void)state;

    launch.is_pattern = true;
    run.surveyed = surveyed;
    run.surveyed_count = 4;
    run.kernel = "second_try";
    collect();
    assert_int_equal(remark_count, 1);
    assert_string_equal(
        remarks[0].message,
        "`second_try` is the kernel that is graded, not `first_try`: it is launched last");
    run.kernel = "clear";
    collect();
    assert_int_equal(remark_count, 0);
    run.kernel = "first_try";
    collect();
    assert_int_equal(remark_count, 1);
    assert_string_equal(
        remarks[0].message,
        "`first_try` is the kernel that is graded, not `second_try`: its block width is allowed");
    run.kernel = "second_try";
    launch.is_pattern = false;
    collect();
    assert_int_equal(remark_count, 0);
    launch.is_pattern = true;
    run.kernel = NULL;
    collect();
    assert_int_equal(remark_count, 0);
}

/* A few bytes more than the output has are not worth a word. */
static void few_stores_too_many(void **state)
{
    (void)state;
    samples[0].counts.operands[1][COUNT_WRITE].bytes = 8 * sizeof(float);
    samples[1].counts.operands[1][COUNT_WRITE].bytes = 9 * sizeof(float);
    observation.element_counts[1] = 8;
    collect();
    assert_int_equal(remark_count, 1); /* 17 for 16: more than a twentieth */
    observation.element_counts[1] = 8;
    samples[1].counts.operands[1][COUNT_WRITE].bytes = 8 * sizeof(float) + 1;
    collect();
    assert_int_equal(remark_count, 0);
}

/* Two lines that lose most of what they move, one of shared and one of global memory. */
static void slow_lines(void **state)
{
    const struct line_count lines[] = {
        {"a.cu", 3, 1, COUNT_SHARED, COUNT_READ, {10, 320, 1280, 0, 0, 80, 10, 8}},
        {"a.cu", 4, 1, COUNT_GLOBAL, COUNT_READ, {10, 320, 1280, 160, 40, 0, 0, 0}},
        {"a.cu", 5, 1, COUNT_GLOBAL, COUNT_WRITE, {10, 320, 1280, 80, 40, 0, 0, 0}},
        {"a.cu", 6, 1, COUNT_SHARED, COUNT_ATOMIC, {10, 320, 1280, 0, 0, 80, 10, 8}},
    };
    struct rubric_criterion speedup = {.kind = CRITERION_SPEEDUP, .has_launch = true};

    (void)state;
    samples[0].counts.lines = lines;
    samples[0].counts.line_count = sizeof lines / sizeof lines[0];
    collect();
    assert_int_equal(remark_count, 0);
    rubric.criteria = &speedup;
    rubric.criterion_count = 1;
    collect();
    assert_int_equal(remark_count, 2);
    assert_string_equal(remarks[0].message,
                        "8-way bank conflict: costs no points here, but speed on a GPU");
    assert_int_equal(remarks[0].line, 3);
    assert_string_equal(remarks[1].message, "not coalesced, 16 sectors where 4 would do: costs no "
                                            "points here, but speed on a GPU");
    verdicts[0].status = STATUS_FAILED;
    collect();
    assert_int_equal(remark_count, 0);
}

static void few_threads(void **state)
{
    const struct kernel_counts kernel = {.plain_name = "multiply", .blocks = 1};
    struct rubric_criterion speedup = {.kind = CRITERION_SPEEDUP, .has_launch = true};

    (void)state;
    rubric.criteria = &speedup;
    rubric.criterion_count = 1;
    samples[0].kernels = &kernel;
    samples[0].kernel_count = 1;
    observation.geometry = (struct launch_geometry){{1, 1, 1}, {1, 1, 1}, 0};
    collect(); /* of few elements */
    assert_int_equal(remark_count, 0);
    observation.element_counts[1] = 4096;
    collect();
    assert_int_equal(remark_count, 1);
    assert_non_null(strstr(remarks[0].message, "1 thread computes 4096 elements"));
    observation.geometry.block[0] = 64;
    collect();
    assert_int_equal(remark_count, 0);
}

/* Remarks on a source without cudaFree(), or with one. */
static size_t remarks_on_memory(const char *text)
{
    const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
    static const char *const names[] = {"a.cu"};
    struct rubric_program program = {.id = "a", .sources = names, .source_count = 1};
    struct program_build build = {.linked = true};
    const struct remark_sources sources = {&rubric, &evidence, verdicts, 1,
                                           source_index_new(arena, &file, 1)};

    rubric.programs = &program;
    rubric.program_count = 1;
    evidence.builds = &build;
    remarks_collect(arena, &sources, &remarks, &remark_count);
    return remark_count;
}

static void missing_free(void **state)
{
    (void)state;
    assert_int_equal(remarks_on_memory("void f() {\n  cudaMalloc(&d, 4); }"), 1);
    assert_int_equal(remarks[0].line, 2);
    assert_int_equal(remarks_on_memory("void f() { cudaMalloc(&d, 4); cudaFree(d); }"), 0);
    assert_int_equal(remarks_on_memory("void f() { /* cudaMalloc(&d, 4); */ }"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(warnings_and_failed_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(told_warnings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_of_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(told_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needless_barriers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(barrier_that_large_shapes_need, set_up, tear_down),
        cmocka_unit_test_setup_teardown(barrier_of_a_single_round, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_for_newer_gpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needless_stores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chosen_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slow_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_stores_too_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_free, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
