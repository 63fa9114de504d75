/* test_timed_launch.c: launches are learnt on the emulated device and timed on the cuda one, with a
 * driver library that imitates a GPU (fake_libcuda.c): a kernel lasts as many microseconds as its
 * name ends with, and does what its name begins with.
 *
 * The coursework is a program (data/timed_program.cu), which squares n numbers; it stands for the
 * submission and for the reference solution. Without a CUDA toolkit everything here is skipped
 * visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "occupancy/gpu_model_record.h"
#include "session/recorded_call.h"
#include "session/session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The launches of the rubric. */
enum {
    REFERENCE,
    BASELINE,
    JUDGED,
    FAULTY,
    FAULT,
    ENDLESS,
    REFUSED,
    STRAY,
    SCRIBBLE,
    SPOIL,
    JAM,
    CRASHES,
    CHANGES_EDGE,
    TOO_SHORT,
    NEVER,
    TOGETHER,
    SYMBOLS,
    WHOLE,
    WARM,
    CALL,
    CALL_OF_COPIES,
    CALL_THAT_READS,
    CALL_THAT_WRITES,
    LAUNCHES
};

static const char *const arguments[LAUNCHES][2] = {
    [REFERENCE] = {"square_2000"},
    [BASELINE] = {"square_3000"},
    [JUDGED] = {"square_2500"},
    [FAULTY] = {"faulty_2500"},
    [FAULT] = {"fault_700"},
    [ENDLESS] = {"endless_1"},
    [REFUSED] = {"refused_1"},
    [STRAY] = {"stray_2500"},
    [SCRIBBLE] = {"scribble_2500"},
    [SPOIL] = {"spoil_2500"},
    [JAM] = {"jam_2500"},
    [CRASHES] = {"square_2500", "crash"},
    [CHANGES_EDGE] = {"square_2500", "edge"},
    [TOO_SHORT] = {"square_2500", "short"},
    [NEVER] = {"square_2500", "never"},
    [TOGETHER] = {"square_2500", "together"},
    [SYMBOLS] = {"symbols"},
    [WHOLE] = {"square_2500", "whole"},
    [WARM] = {"square_2500", "warm"},
    [CALL] = {"square_2500", "call"},
    [CALL_OF_COPIES] = {"square_2500", "copies"},
    [CALL_THAT_READS] = {"square_2500", "reads"},
    [CALL_THAT_WRITES] = {"square_2500", "writes"},
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
    struct rubric_criterion criterion;
    struct built_program built;
    struct session_resource_cache emulated_resources, gpu_resources;
    struct session_config emulated, gpu;
    struct launch_recipe baseline, reference;
    struct timing_task task;
    struct timing_run run;
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
    struct rubric_launch *launch = &site->launches[index];
    const struct expression **input = arena_array(site->arena, 1, sizeof *input);
    uint32_t first = index == SYMBOLS ? 0 : 1;

    input[0] = parse(site, "n");
    *launch = (struct rubric_launch){
        .id = arguments[index][0],
        .kernel = arguments[index][0],
        .arguments = arguments[index],
        .argument_count = arguments[index][1] != NULL ? 2 : 1,
        .input = input,
        .input_count = 1,
        .first_values = {96},
        .has_first = index < FAULT || index > JAM, /* those fail when they are timed */
        .blocks = blocks,
        .block_count = 1,
        .operands = {{.name = "in", .shape = {parse(site, "n")}, .rank = 1, .role = OPERAND_INPUT},
                     {.name = "out",
                      .bind = {.argument = first},
                      .shape = {parse(site, "n")},
                      .rank = 1,
                      .role = OPERAND_OUTPUT}},
        .operand_count = 2,
        .scalars = {{.name = "n",
                     .bind = {.argument = first},
                     .type = ELEMENT_I32,
                     .value = parse(site, "n")}},
    };
    if (index == WHOLE || index == WARM) {
        launch->input_count = 0;
        launch->kernel = "*";
    }
    if (index >= CALL) {
        launch->call = "square";
    }
    if (index == SYMBOLS) {
        launch->operands[0].bind = (struct binding){.is_symbol = true, .symbol = "array_in"};
    }
}

static void describe_coursework(struct site *site)
{
    static const char *const sources[] = {"program.cu"};

    site->program = (struct rubric_program){.id = "x", .sources = sources, .source_count = 1};
    site->parameter = (struct rubric_parameter){.name = "n"};
    for (size_t i = 0; i < LAUNCHES; i++) {
        describe_launch(site, i);
    }
    site->criterion = (struct rubric_criterion){
        .id = "speedup",
        .kind = CRITERION_SPEEDUP,
        .has_launch = true,
        .launch = JUDGED,
        .baseline = BASELINE,
        .no_marks = 1.0,
    };
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
                   .program_wall_ns = 120 * CLOCK_NS_PER_S,
                   .program_cpu_ns = 10 * CLOCK_NS_PER_S,
                   .program_memory_bytes = UINT64_C(1) << 30,
                   .program_processes = 64,
                   .program_output_bytes = 1 << 20,
                   .program_file_bytes = 1 << 20,
                   .launch_emulated_ns = 60 * CLOCK_NS_PER_S,
                   .launch_cuda_ns = CLOCK_NS_PER_S / 2,
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

    assert_int_equal(file_copy(GPUGRADE_SOURCE_DIR "/tests/unit/session/data/timed_program.cu",
                               path, 0644, 1 << 20, NULL),
                     ERROR_NONE);
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

/* The emulated device with the model of the GPU, and the GPU of the driver library. */
static void configure(struct site *site)
{
    static const char driver[] = GPUGRADE_BINARY_DIR "/tests/unit/libcuda_fake.so";
    uint8_t *record = arena_alloc(site->arena, GPU_MODEL_RECORD_BYTES);
    struct gpu_model model;

    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    gpu_model_pack(&model, record);
    site->emulated = (struct session_config){
        .rubric = &site->rubric,
        .toolchain = &site->toolchain,
        .program = &site->built,
        .device_path = GPUGRADE_BINARY_DIR "/bin/gpugrade-device",
        .device = {.model = record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = 9,
        .threads = 1,
        .seed = 0x5eed,
        .work_folder = site->folder,
        .resources = &site->emulated_resources,
    };
    site->gpu = site->emulated;
    site->gpu.device = (struct device_choice){.is_gpu = true, .gpu = "0"};
    site->gpu.resources = &site->gpu_resources;
    const char *folder = make(site, "driver");
    assert_int_equal(symlink(driver, arena_printf(site->arena, "%s/libcuda.so.1", folder)), 0);
    assert_int_equal(setenv("LD_LIBRARY_PATH", folder, 1), 0);
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

static struct site *need(void **state)
{
    struct site *site = *state;

    if (!site->available) {
        skip();
    }
    return site;
}

static void learn(struct site *site, size_t launch, int64_t n, struct launch_recipe *out_recipe)
{
    if (session_learn_launch(&site->emulated, site->arena, launch, &n, out_recipe,
                             &site->diagnostic) != ERROR_NONE) {
        fail_msg("%s", site->diagnostic.message);
    }
}

static const struct recipe_variable *variable(const struct launch_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->variable_count; i++) {
        if (strcmp(recipe->variables[i].name, name) == 0) {
            return &recipe->variables[i];
        }
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static void recipe_holds_the_launch(void **state)
{
    struct site *site = need(state);
    struct launch_recipe recipe;
    uint64_t words[3];
    int32_t number = 0;

    learn(site, REFERENCE, 2048, &recipe);
    assert_ptr_equal(recipe.program, &site->built);
    const struct recorded_step *launched = &recipe.record->steps[0];
    assert_int_equal(recipe.record->step_count, 1);
    assert_string_equal(launched->kernel->name, "square_2000");
    assert_int_equal(launched->step.grid[0], 64);
    assert_int_equal(launched->step.block[0], 32);
    assert_int_equal(recipe.block, 32);
    assert_false(launched->step.is_cooperative);
    assert_int_equal(launched->step.parameter_bytes, sizeof words);
    memcpy(words, launched->parameters, sizeof words);
    assert_int_equal(words[2], 2048);
    assert_int_equal(words[0], recipe.record->operands[0]);
    assert_int_equal(words[1], recipe.record->operands[1]);
    assert_int_equal(recipe.record->memory_count, 2);
    assert_int_equal(recipe.record->memory[1].operand, 1);
    assert_null(recipe.operand_symbols[0]);
    const uint8_t *counters = variable(&recipe, "counters")->bytes;
    assert_int_equal(variable(&recipe, "counters")->length, 64);
    assert_true(counters[0] == 100 && counters[63] == 163);
    memcpy(&number, variable(&recipe, "edge")->bytes, sizeof number);
    assert_int_equal(number, 32);
    memcpy(&number, variable(&recipe, "never_set")->bytes, sizeof number);
    assert_int_equal(number, 5);
    /* The function is numbered as the text has it. */
    const char *text = site->built.code.modules[launched->step.module].text;
    uint32_t entries = 0;
    for (const char *at = strstr(text, ".entry "); at != NULL; at = strstr(at + 1, ".entry ")) {
        if (strncmp(at + 7, "square_2000", 11) == 0) {
            assert_int_equal(launched->step.function, entries);
        }
        entries++;
    }
    assert_true(entries > 8);
}

static void cooperative_launch_stays_one(void **state)
{
    struct site *site = need(state);
    struct launch_recipe recipe;

    learn(site, TOGETHER, 2048, &recipe);
    assert_true(recipe.record->steps[0].step.is_cooperative);
    assert_int_equal(recipe.record->steps[0].step.grid[0], 64);
}

static void operand_may_be_a_variable(void **state)
{
    struct site *site = need(state);
    struct launch_recipe recipe;

    learn(site, SYMBOLS, 4096, &recipe);
    assert_string_equal(recipe.operand_symbols[0], "array_in");
    assert_null(recipe.operand_symbols[1]);
    for (size_t i = 0; i < recipe.variable_count; i++) {
        assert_string_not_equal(recipe.variables[i].name, "array_in");
    }
}

static void what_cannot_be_learnt_says_so(void **state)
{
    struct site *site = need(state);
    struct launch_recipe recipe = {.block = 77};
    int64_t n = 2048;
    const size_t launches[] = {NEVER, CRASHES, TOO_SHORT};

    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        site->diagnostic.message[0] = '\0';
        assert_int_equal(session_learn_launch(&site->emulated, site->arena, launches[i], &n,
                                              &recipe, &site->diagnostic),
                         ERROR_COURSEWORK);
        assert_non_null(strstr(site->diagnostic.message, "reference solution"));
    }
    assert_int_equal(recipe.block, 77);
}

/* Times a launch against square_2000 and square_3000. */
static enum error time_launch(struct site *site, size_t launch)
{
    const int64_t n = 4000; /* so that outputs are padded */

    if (site->task.baseline == NULL) {
        learn(site, BASELINE, n, &site->baseline);
        learn(site, REFERENCE, n, &site->reference);
    }
    site->criterion.launch = launch;
    site->task = (struct timing_task){
        .criterion = &site->criterion,
        .parameters = {n},
        .baseline = &site->baseline,
        .reference = &site->reference,
        .baseline_config = &site->emulated,
        .reference_config = &site->emulated,
        .budget_ns = CLOCK_NS_PER_S / 5,
    };
    return session_time_launch(&site->gpu, site->arena, &site->task, &site->run, &site->diagnostic);
}

static void time_well(struct site *site, size_t launch)
{
    if (time_launch(site, launch) != ERROR_NONE) {
        fail_msg("%s", site->diagnostic.message);
    }
    assert_true(site->run.ran);
    if (site->run.trouble[0] != '\0') {
        fail_msg("%s", site->run.trouble);
    }
}

static void right_launch_is_timed(void **state)
{
    struct site *site = need(state);
    const struct timing_run *run = &site->run;

    time_well(site, JUDGED);
    assert_int_equal(run->failure, CODE_NONE);
    assert_true(fabs(run->speedup.value - 1.2) < 0.01);
    assert_true(fabs(run->reference.value - 1.5) < 0.01);
    assert_true(fabs(run->self.value - 1.0) < 0.002);
    assert_true(fabs(run->student_ns - 2.5e6) < 1e5);
    assert_true(fabs(run->baseline_ns - 3.0e6) < 1e5);
    assert_true(fabs(run->reference_ns - 2.0e6) < 1e5);
    assert_int_equal(run->block, 32);
    assert_int_equal(run->reference_block, 32);
    assert_int_equal(run->parameters[0], 4000);
    assert_true(run->blocks >= 3);
    assert_int_equal(run->compared, 2 * (run->blocks + run->rejected + 1));
    assert_int_equal(run->wrong_spans, 0);
    assert_true(run->activity.ran);
    assert_int_equal(run->activity.end.ending, ENDING_STOPPED);
    assert_false(run->activity.ended_early);
}

/* A program that works on one case alone gets no first shape; which kernel is meant and which block
 * width it has is known before. */
static void a_whole_program_is_timed_in_its_one_run(void **state)
{
    struct site *site = need(state);
    const int64_t n = 4000;
    struct launch_recipe recipe;

    site->gpu.kernel = site->emulated.kernel = "square_2500";
    site->gpu.block = site->emulated.block = 32;
    learn(site, WHOLE, n, &recipe);
    assert_string_equal(recipe.record->steps[0].kernel->name, "square_2500");
    assert_int_equal(recipe.block, 32);
    time_well(site, WHOLE);
    assert_int_equal(site->run.failure, CODE_NONE);
    assert_true(fabs(site->run.speedup.value - 1.2) < 0.01);
    assert_int_equal(site->run.block, 32);
    assert_false(site->run.activity.ended_early);

    time_well(site, WARM);
    assert_int_equal(site->run.failure, CODE_WRONG_BLOCK);
    site->gpu.launch_number = 2; /* the one that its cases showed */
    time_well(site, WARM);
    assert_int_equal(site->run.failure, CODE_NONE);
    assert_true(fabs(site->run.speedup.value - 1.2) < 0.01);
    site->gpu.launch_number = 0;

    site->gpu.block = 16;
    time_well(site, WHOLE);
    assert_int_equal(site->run.failure, CODE_WRONG_BLOCK);
    site->gpu.kernel = site->emulated.kernel = NULL;
    site->gpu.block = site->emulated.block = 0;
}

/* What the host gives a call is part of it. */
static void call_is_timed_with_its_uploads(void **state)
{
    struct site *site = need(state);
    struct launch_recipe recipe;
    int32_t edge = 0;

    learn(site, CALL, 4000, &recipe);
    assert_int_equal(recipe.record->step_count, 2);
    const struct recorded_step *upload = &recipe.record->steps[0];
    assert_int_equal(upload->step.bytes, sizeof edge);
    memcpy(&edge, upload->uploaded, sizeof edge);
    assert_int_equal(edge, 32);
    assert_string_equal(recipe.record->steps[1].kernel->name, "square_2500");
    time_well(site, CALL);
    assert_int_equal(site->run.failure, CODE_NONE);
    assert_int_equal(site->run.wrong_spans, 0);
    assert_true(fabs(site->run.speedup.value - 1.2) < 0.01);
}

static void wrong_spans_are_told(void **state)
{
    struct site *site = need(state);

    time_well(site, FAULTY);
    assert_true(site->run.wrong_spans > 0);
    assert_int_equal(site->run.wrong, 2);
    assert_int_equal(site->run.first_wrong, 5);
    assert_int_equal(site->run.blocks, 0); /* the warm-up shows it */
}

static void changed_inputs_are_told(void **state)
{
    struct site *site = need(state);

    time_well(site, SCRIBBLE);
    assert_int_equal(site->run.wrong_spans, 0);
    assert_true(site->run.changed_spans > 0);
    assert_int_equal(site->run.changed, 2);
    assert_int_equal(site->run.blocks, 0); /* the warm-up shows it */
}

/* Launches of the grader's own fail once the submission's has run. */
static void spoilt_launches_are_told(void **state)
{
    struct site *site = need(state);

    assert_int_equal(time_launch(site, SPOIL), ERROR_NONE);
    assert_int_equal(site->run.failure, CODE_NONE);
    assert_non_null(strstr(site->run.trouble, "launch failed"));
    assert_true(site->run.is_spoilt);
    assert_int_equal(site->run.finding_count, 0);
    assert_int_equal(time_launch(site, JAM), ERROR_NONE);
    assert_int_equal(site->run.failure, CODE_NONE);
    assert_non_null(strstr(site->run.trouble, "rejects a step"));
    assert_true(site->run.is_spoilt);
}

/* What goes wrong before the submission's launch has run is not its doing. */
static void trouble_of_the_reference_is_nobodys(void **state)
{
    struct site *site = need(state);

    time_well(site, JUDGED);
    struct launch_recipe kept = site->reference;
    learn(site, SCRIBBLE, 4000, &site->reference);
    assert_int_equal(time_launch(site, JUDGED), ERROR_NONE);
    assert_non_null(strstr(site->run.trouble, "the reference solution changes its inputs"));
    assert_false(site->run.is_spoilt);
    learn(site, SPOIL, 4000, &site->reference);
    assert_int_equal(time_launch(site, JUDGED), ERROR_NONE);
    assert_non_null(strstr(site->run.trouble, "the reference solution does not run"));
    assert_false(site->run.is_spoilt);
    site->reference = kept;
}

/* Times a launch that fails before any block counts, and says so. */
static void fails_with(struct site *site, size_t launch, enum code code)
{
    time_well(site, launch);
    if (site->run.failure != code) {
        fail_msg("%s: %s: %s", code_name(code), code_name(site->run.failure),
                 site->run.failure_message);
    }
    assert_true(site->run.failure_message != NULL && site->run.failure_message[0] != '\0');
    assert_int_equal(site->run.blocks, 0);
    assert_true(site->run.activity.ran);
}

static void failing_launches_fail_the_submission(void **state)
{
    struct site *site = need(state);
    const struct {
        size_t launch;
        enum code code;
    } rows[] = {
        {TOO_SHORT, CODE_BAD_OPERAND},
        {CHANGES_EDGE, CODE_WRONG_BLOCK},
        {NEVER, CODE_NEVER_LAUNCHED},
        {CRASHES, CODE_NEVER_LAUNCHED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fails_with(site, rows[i].launch, rows[i].code);
    }
    assert_int_equal(site->run.activity.end.ending, ENDING_SIGNALLED);
    assert_true(site->run.activity.ended_early);
}

/* The kernel that the rubric names may be past what a record holds. */
static void calls_that_cannot_be_repeated_are_told(void **state)
{
    struct site *site = need(state);
    const struct {
        size_t launch;
        const char *why;
    } rows[] = {
        {CALL_OF_COPIES, "takes too many launches, copies and sets"},
        {CALL_THAT_READS, "copies more to the host, or from it"},
        {CALL_THAT_WRITES, "copies more to the host, or from it"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fails_with(site, rows[i].launch, CODE_NOT_REPEATABLE);
        if (strstr(site->run.failure_message, rows[i].why) == NULL) {
            fail_msg("%s", site->run.failure_message);
        }
    }
}

static void launches_that_fail_when_timed_are_told(void **state)
{
    struct site *site = need(state);
    const struct {
        size_t launch;
        enum code code;
    } rows[] = {
        {FAULT, CODE_GLOBAL_OUT_OF_BOUNDS},
        {REFUSED, CODE_LAUNCH_REFUSED},
        {STRAY, CODE_GLOBAL_OUT_OF_BOUNDS},
        {ENDLESS, CODE_LAUNCH_DEADLINE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fails_with(site, rows[i].launch, rows[i].code);
        for (size_t j = 0; j < site->run.finding_count; j++) {
            assert_string_equal(site->run.findings[j].launch, arguments[rows[i].launch][0]);
        }
    }
}

/* On the program's own data, before anything is timed. */
static void fault_in_the_first_shape_is_told(void **state)
{
    struct site *site = need(state);

    site->launches[FAULT].has_first = true;
    time_well(site, FAULT);
    site->launches[FAULT].has_first = false;
    assert_int_equal(site->run.failure, CODE_NEVER_LAUNCHED);
    assert_true(site->run.activity.finding_count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipe_holds_the_launch),
        cmocka_unit_test(cooperative_launch_stays_one),
        cmocka_unit_test(operand_may_be_a_variable),
        cmocka_unit_test(what_cannot_be_learnt_says_so),
        cmocka_unit_test(right_launch_is_timed),
        cmocka_unit_test(a_whole_program_is_timed_in_its_one_run),
        cmocka_unit_test(call_is_timed_with_its_uploads),
        cmocka_unit_test(wrong_spans_are_told),
        cmocka_unit_test(changed_inputs_are_told),
        cmocka_unit_test(spoilt_launches_are_told),
        cmocka_unit_test(trouble_of_the_reference_is_nobodys),
        cmocka_unit_test(failing_launches_fail_the_submission),
        cmocka_unit_test(calls_that_cannot_be_repeated_are_told),
        cmocka_unit_test(launches_that_fail_when_timed_are_told),
        cmocka_unit_test(fault_in_the_first_shape_is_told),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
