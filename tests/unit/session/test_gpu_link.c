/* test_gpu_link.c: the device process with a real GPU's backend over a driver that only pretends
 * (fake_libcuda.c): it is found through LD_LIBRARY_PATH, so this process's environment reaches the
 * device process. The test is the session and the program at once. */
#include "session/device_link.h"

#include "base/clock.h"
#include "base/file.h"
#include "occupancy/gpu_model_record.h"
#include "session/connection.h"
#include "session/probe.h"
#include "session/session.h"
#include "wire/client.h"
#include "wire/cuda_error.h"
#include "wire/finding_record.h"
#include "wire/timing_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE_PATH GPUGRADE_BINARY_DIR "/bin/gpugrade-device"
#define LAUNCH_NS CLOCK_NS_PER_S

enum { MEMORY_BYTES = 32 << 20, SECTION = 0x5000, SECTION_BYTES = 0x100 };

/* The kernels of the text; the pretended driver does what their names say. */
enum kernel { STORE_AT, FAULT, ENDLESS, STUCK, REFUSED, ASSERTION, SQUARE };

static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .global .align 8 .b8 counters[64];\n"
                          ".visible .entry store_at(.param .u64 p0)\n{\nret;\n}\n"
                          ".visible .entry fault_700()\n{\nret;\n}\n"
                          ".visible .entry endless_1()\n{\nret;\n}\n"
                          ".visible .entry stuck()\n{\nret;\n}\n"
                          ".visible .entry refused()\n{\nret;\n}\n"
                          ".visible .entry assertion()\n{\nret;\n}\n"
                          ".visible .entry square_900(.param .u64 p0, .param .u64 p1, "
                          ".param .u64 p2)\n{\nret;\n}\n";

static const struct fat_module module = {.offset = 0, .text = ptx, .length = sizeof ptx - 1};
static const struct fat_program program = {.section_address = SECTION,
                                           .section_bytes = SECTION_BYTES,
                                           .modules = &module,
                                           .module_count = 1};

/* A device process, and the program's end of its channel. */
struct rig {
    struct device_link link;
    struct channel client;
    struct arena *arena;
    struct code_index code;
};

static char folder[] = "/tmp/gpugrade-gpu-link-XXXXXX";

/* Makes LD_LIBRARY_PATH a folder in which `target` is called as the driver's library is. */
static void use_driver(const char *target)
{
    char link[sizeof folder + 32];

    snprintf(link, sizeof link, "%s/libcuda.so.1", folder);
    unlink(link);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(setenv("LD_LIBRARY_PATH", folder, 1), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char link[sizeof folder + 32];

    (void)state;
    snprintf(link, sizeof link, "%s/libcuda.so.1", folder);
    unlink(link);
    return rmdir(folder);
}

static enum error configure(struct rig *rig, const char *gpu, struct diagnostic *diagnostic)
{
    const struct device_setup setup = {
        .device = {.is_gpu = true, .gpu = gpu},
        .memory_bytes = MEMORY_BYTES,
        .launch_ns = LAUNCH_NS,
        .code = &program,
    };

    return device_link_configure(&rig->link, &setup, diagnostic);
}

static void start_device(struct rig *rig)
{
    const struct device_start start = {.path = DEVICE_PATH, .is_gpu = true};
    int client_fd = -1;

    use_driver(GPUGRADE_BINARY_DIR "/tests/unit/libcuda_fake.so");
    memset(rig, 0, sizeof *rig);
    rig->arena = arena_new();
    assert_int_equal(device_link_start(&rig->link, &start, &client_fd, NULL), 0);
    rig->link.reply_limit_ns = 60 * CLOCK_NS_PER_S;
    channel_init(&rig->client, client_fd, client_format);
}

static int open_rig(void **state)
{
    static struct rig rig;
    struct diagnostic diagnostic = {.message = ""};

    start_device(&rig);
    assert_int_equal(configure(&rig, "1", &diagnostic), ERROR_NONE);
    assert_int_equal(device_link_load(&rig.link, &program, 0, "cubin", 5, &diagnostic), ERROR_NONE);
    assert_int_equal(code_index_read(rig.arena, &program, NULL, &rig.code, &diagnostic), 0);
    *state = &rig;
    return 0;
}

static int close_rig(void **state)
{
    struct rig *rig = *state;

    descriptor_close(&rig->client.fd);
    channel_release(&rig->client);
    device_link_close(&rig->link);
    arena_free(rig->arena);
    return 0;
}

/* Sends a request of the program. */
static void send_client(struct rig *rig, struct message request)
{
    request.words[0] = RUNTIME_CALL_cudaMalloc;
    assert_int_equal(channel_send(&rig->client, &request, UINT64_MAX, NULL), ERROR_NONE);
}

/* The same, and receives its reply while the program runs; returns its status. */
static uint32_t ask(struct rig *rig, struct message request, struct message *out_reply)
{
    send_client(rig, request);
    assert_int_equal(
        channel_receive(&rig->client, true, clock_now_ns() + 60 * CLOCK_NS_PER_S, out_reply, NULL),
        ERROR_NONE);
    return out_reply->status;
}

static struct message launch_of(enum kernel kernel, const void *parameters, size_t bytes)
{
    return (struct message){
        .type = CLIENT_LAUNCH,
        .words = {0, kernel, UINT64_C(1) << 32 | 1, UINT64_C(32) << 32 | 1, UINT64_C(1) << 32 | 1},
        .payload = parameters,
        .payload_bytes = bytes,
    };
}

static uint64_t allocate(struct rig *rig, uint64_t bytes)
{
    struct message reply;

    assert_int_equal(
        ask(rig, (struct message){.type = CLIENT_ALLOCATE, .words = {0, bytes}}, &reply), 0);
    return reply.words[0];
}

static void resume(struct rig *rig)
{
    assert_int_equal(device_link_send_resume(&rig->link, NULL), ERROR_NONE);
}

/* Ends the program; the device tells so, or is lost. */
static enum error end_program(struct rig *rig)
{
    struct message event;
    struct diagnostic diagnostic = {.message = ""};

    descriptor_close(&rig->client.fd);
    enum error error = device_link_receive(&rig->link, &event, &diagnostic);
    if (error == ERROR_NONE) {
        assert_int_equal(event.words[0], CONTROL_EVENT_GONE);
    }
    return error;
}

static struct program_activity log_of(struct rig *rig)
{
    struct program_activity activity = {.end = {.ending = ENDING_EXITED}};
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(
        device_link_log(&rig->link, rig->arena, &rig->code, "", &activity, &diagnostic), 0);
    return activity;
}

/* The device process ends by itself, and well. */
static void check_exit(struct rig *rig, int expected)
{
    int status = 0;

    descriptor_close(&rig->link.control.fd);
    assert_true(process_wait(&rig->link.device, clock_now_ns() + 60 * CLOCK_NS_PER_S, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), expected);
}

static void gpus_are_listed(void **state)
{
    struct arena *arena = arena_new();
    const struct session_gpu *gpus = NULL;
    struct diagnostic diagnostic = {.message = ""};
    struct gpu_model model;
    const char *reason = NULL;
    size_t count = 0;
    (void)state;

    use_driver(GPUGRADE_BINARY_DIR "/tests/unit/libcuda_fake.so");
    setenv("FAKE_LIBCUDA_GPUS", "3", 1);
    assert_int_equal(session_list_gpus(DEVICE_PATH, arena, &gpus, &count, &reason, &diagnostic), 0);
    assert_int_equal(count, 3);
    assert_string_equal(reason, "");
    assert_int_equal(strlen(gpus[2].uuid), 40);
    assert_memory_equal(gpus[2].uuid, "GPU-", 4);
    assert_string_not_equal(gpus[1].uuid, gpus[2].uuid);
    assert_true(gpus[0].driver_version >= 12000);
    assert_true(gpu_model_unpack(gpus[2].model, gpus[2].model_bytes, &model));
    assert_string_equal(model.device_name, "Fake GPU 2");
    setenv("FAKE_LIBCUDA_GPUS", "0", 1);
    assert_int_equal(session_list_gpus(DEVICE_PATH, arena, &gpus, &count, &reason, &diagnostic), 0);
    assert_int_equal(count, 0);
    assert_non_null(strstr(reason, "nvidia-smi"));
    unsetenv("FAKE_LIBCUDA_GPUS");
    arena_free(arena);
}

/* What is called libcuda is no library: as good as no driver. */
static void a_machine_without_a_driver_says_so(void **state)
{
    struct arena *arena = arena_new();
    const struct session_gpu *gpus = NULL;
    struct diagnostic diagnostic = {.message = ""};
    const char *reason = NULL;
    size_t count = 7;
    (void)state;

    use_driver("/dev/null");
    assert_int_equal(session_list_gpus(DEVICE_PATH, arena, &gpus, &count, &reason, &diagnostic), 0);
    assert_int_equal(count, 0);
    assert_non_null(strstr(reason, "there is no NVIDIA driver on this machine"));
    assert_int_not_equal(session_list_gpus("/bin/true", arena, &gpus, &count, &reason, &diagnostic),
                         ERROR_NONE);
    assert_non_null(strstr(diagnostic.message, "cannot be listed"));
    arena_free(arena);
}

static void a_gpu_that_is_not_there_is_the_users_mistake(void **state)
{
    struct diagnostic diagnostic = {.message = ""};
    struct rig rig;
    struct rig *at = &rig;
    (void)state;

    start_device(&rig);
    assert_int_equal(configure(&rig, "7", &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_non_null(strstr(diagnostic.message, "there is no GPU '7'"));
    assert_int_equal(configure(&rig, "GPU-", &diagnostic), ERROR_NONE);
    check_exit(&rig, 0);
    close_rig((void **)&at);
}

static void a_launch_writes_the_gpus_memory(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    assert_int_equal(device_link_resources(&rig->link, 0, NULL, 0, NULL, NULL), ERROR_NONE);
    resume(rig);
    uint64_t address = allocate(rig, 64);
    const uint64_t target = address + 3;
    assert_int_equal(ask(rig,
                         (struct message){.type = CLIENT_FILL, .words = {0, address, 64, 64, 1, 9}},
                         &reply),
                     0);
    assert_int_equal(ask(rig, launch_of(STORE_AT, &target, sizeof target), &reply), 0);
    assert_int_equal(
        ask(rig, (struct message){.type = CLIENT_DOWNLOAD, .words = {0, address, 6, 6, 1}}, &reply),
        0);
    assert_memory_equal(reply.payload, "\11\11\11\1\11\11", 6);
    /* The driver's own answer, without anybody's registers. */
    assert_int_equal(ask(rig,
                         (struct message){.type = CLIENT_OCCUPANCY, .words = {0, STORE_AT, 256, 0}},
                         &reply),
                     0);
    assert_int_equal(reply.words[0], 8);
    /* And its number of registers, which nobody told. */
    assert_int_equal(
        ask(rig, (struct message){.type = CLIENT_ATTRIBUTES, .words = {0, STORE_AT}}, &reply), 0);
    assert_int_equal(reply.words[4], 40);
    assert_int_equal(end_program(rig), ERROR_NONE);
    assert_int_equal(log_of(rig).launch_total, 1);
    assert_int_equal(log_of(rig).finding_count, 0);
    check_exit(rig, 0);
}

static void a_refused_launch_is_a_finding(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    resume(rig);
    assert_int_equal(ask(rig, launch_of(REFUSED, NULL, 0), &reply), 0);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_SYNCHRONISE}, &reply),
                     CUDA_STATUS_NOT_SUPPORTED);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_RESET}, &reply), 0);
    assert_true(allocate(rig, 64) != 0);
    assert_int_equal(end_program(rig), ERROR_NONE);
    struct program_activity activity = log_of(rig);
    assert_int_equal(activity.finding_count, 1);
    assert_int_equal(activity.findings[0].code, CODE_LAUNCH_REFUSED);
    assert_string_equal(activity.findings[0].kernel, "refused");
    assert_non_null(strstr(activity.findings[0].message, "the GPU's driver reports"));
}

/* A kernel that dies takes the GPU with it, for this program: a reset does not bring it back. */
static void a_fault_lasts_until_the_end(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    resume(rig);
    uint64_t address = allocate(rig, 64);
    const uint64_t target = address;
    assert_int_equal(ask(rig, launch_of(FAULT, NULL, 0), &reply), 0);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_SYNCHRONISE}, &reply),
                     CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_RESET}, &reply), 0);
    assert_int_equal(ask(rig, launch_of(STORE_AT, &target, sizeof target), &reply),
                     CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_ALLOCATE, .words = {0, 64}}, &reply),
                     CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(end_program(rig), ERROR_NONE);
    struct program_activity activity = log_of(rig);
    assert_int_equal(activity.finding_count, 1);
    assert_int_equal(activity.findings[0].code, CODE_GLOBAL_OUT_OF_BOUNDS);
    assert_non_null(strstr(activity.findings[0].message, "--device emulated"));
    check_exit(rig, 0);
}

static void an_endless_kernel_meets_its_deadline(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    resume(rig);
    assert_int_equal(ask(rig, launch_of(ENDLESS, NULL, 0), &reply), 0);
    assert_int_equal(ask(rig, (struct message){.type = CLIENT_SYNCHRONISE}, &reply),
                     CUDA_STATUS_LAUNCH_TIMEOUT);
    assert_int_equal(end_program(rig), ERROR_NONE);
    struct program_activity activity = log_of(rig);
    assert_true(activity.call_error_count >= 1);
    assert_int_equal(activity.call_errors[0].cuda_error, CUDA_STATUS_LAUNCH_TIMEOUT);
    assert_string_equal(activity.call_errors[0].kernel, "endless_1");
    check_exit(rig, 0);
}

/* A driver that does not come back: the process ends itself, and the loss is the program's. */
static void a_stuck_driver_is_a_deadline_of_the_program(void **state)
{
    struct rig *rig = *state;
    struct message event;
    struct diagnostic diagnostic = {.message = ""};

    resume(rig);
    send_client(rig, launch_of(STUCK, NULL, 0));
    assert_int_equal(device_link_receive(&rig->link, &event, &diagnostic), ERROR_PEER);
    assert_int_equal(rig->link.loss, DEVICE_HUNG);
    struct program_activity activity = log_of(rig);
    assert_int_equal(activity.call_error_count, 1);
    assert_true(activity.call_errors[0].is_launch);
    assert_int_equal(activity.call_errors[0].cuda_error, CUDA_STATUS_LAUNCH_TIMEOUT);
}

/* A process that dies in a launch, and one that dies before any. */
static void a_death_is_the_programs_only_in_a_launch(void **state)
{
    struct rig *rig = *state;
    const struct message probe = {.type = CONTROL_PROBE};
    const struct message find = {.type = CONTROL_FIND};
    struct diagnostic diagnostic = {.message = ""};

    process_kill(&rig->link.device, false);
    assert_int_equal(device_link_call(&rig->link, &find, NULL, &diagnostic), ERROR_PEER);
    assert_int_equal(rig->link.loss, DEVICE_SERVES);
    assert_int_equal(device_link_call(&rig->link, &probe, NULL, &diagnostic), ERROR_PEER);
    assert_int_not_equal(rig->link.loss, DEVICE_SERVES);
}

static void observe(struct rig *rig, const char *kernel)
{
    const struct message request = {.type = CONTROL_OBSERVE,
                                    .words = {0, 1},
                                    .payload = kernel,
                                    .payload_bytes = strlen(kernel)};
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(device_link_call(&rig->link, &request, NULL, &diagnostic), 0);
}

/* The program launches an observed kernel, which is held. */
static void hold(struct rig *rig, struct message launch)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message event;

    send_client(rig, launch);
    assert_int_equal(device_link_receive(&rig->link, &event, &diagnostic), 0);
    assert_int_equal(event.words[0], CONTROL_EVENT_LAUNCH);
}

/* After a probe that kills the context the grader's questions are still answered. */
static void a_probe_that_faults_leaves_a_process_that_answers(void **state)
{
    const struct message snapshot = {.type = CONTROL_SNAPSHOT}, restore = {.type = CONTROL_RESTORE},
                         discard = {.type = CONTROL_DISCARD}, probe = {.type = CONTROL_PROBE};
    struct diagnostic diagnostic = {.message = ""};
    struct rig *rig = *state;
    struct message reply;

    observe(rig, "fault_700");
    resume(rig);
    hold(rig, launch_of(FAULT, NULL, 0));
    assert_int_equal(device_link_call(&rig->link, &snapshot, NULL, &diagnostic), 0);
    assert_int_equal(device_link_call(&rig->link, &probe, &reply, &diagnostic), 0);
    assert_int_equal(reply.words[0], LAUNCH_FAULT);
    assert_int_equal(device_link_call(&rig->link, &restore, NULL, &diagnostic), 0);
    assert_int_equal(device_link_call(&rig->link, &discard, NULL, &diagnostic), 0);
    assert_int_equal(log_of(rig).launch_total, 0);
    descriptor_close(&rig->client.fd);
    check_exit(rig, 0);
}

/* A contender that squares `elements` floats. */
static struct timing_contender contender_of(uint32_t module_index, uint64_t in, uint64_t out,
                                            uint64_t elements)
{
    const uint64_t parameters[] = {in, out, elements};
    const struct timing_step step = {
        .module = module_index,
        .function = SQUARE,
        .grid = {4, 1, 1},
        .block = {32, 1, 1},
        .parameter_bytes = sizeof parameters,
    };
    struct timing_contender contender = {.addresses = {in, out}};

    assert_true(timing_add_launch(&contender, &step, parameters));
    return contender;
}

/* The grader's own module is timed against the program's, and the program cannot name it. */
static void a_held_launch_is_timed_against_the_graders_own(void **state)
{
    enum { ELEMENTS = 1024 };
    struct rig *rig = *state;
    struct diagnostic diagnostic = {.message = ""};
    struct message reply;
    struct text bytes;
    uint64_t own = 0;

    observe(rig, "square_900");
    resume(rig);
    uint64_t in = allocate(rig, ELEMENTS * 4), out = allocate(rig, ELEMENTS * 4);
    const uint64_t parameters[] = {in, out, ELEMENTS};
    hold(rig, launch_of(SQUARE, parameters, sizeof parameters));
    assert_int_equal(device_link_load_own(&rig->link, &module, NULL, 0, &own, &diagnostic), 0);
    assert_int_equal(own, 1);

    struct timing_request request = {
        .seed = 5,
        .block_count = 2,
        .launches_per_span = 3,
        .judged = 0,
        .baseline = 1,
        .reference = 2,
        .operands = {{.type = TIMING_F32, .elements = ELEMENTS},
                     {.type = TIMING_F32, .is_output = true, .elements = ELEMENTS}},
        .operand_count = 2,
        .contenders = {contender_of(0, in, out, ELEMENTS), contender_of(1, in, out, ELEMENTS),
                       contender_of(1, in, out, ELEMENTS)},
        .contender_count = 3,
    };
    text_init(&bytes);
    timing_request_pack(&request, &bytes);
    const struct message time = {
        .type = CONTROL_TIME, .payload = bytes.bytes, .payload_bytes = bytes.length};
    assert_int_equal(device_link_call(&rig->link, &time, &reply, &diagnostic), 0);
    text_release(&bytes);
    assert_int_equal(reply.words[0], LAUNCH_DONE);
    assert_int_equal(reply.words[2], 2 * 2 * 3);
    assert_int_equal(reply.payload_bytes,
                     reply.words[2] * TIMING_SAMPLE_BYTES + reply.words[3] * FINDING_RECORD_BYTES);
    for (size_t i = 0; i < reply.words[2]; i++) {
        struct timing_sample sample;

        assert_true(timing_sample_unpack((const uint8_t *)reply.payload + i * TIMING_SAMPLE_BYTES,
                                         &sample));
        assert_true(sample.nanoseconds >= 3 * 900e3 * 0.9);
        assert_int_equal(sample.wrong, 0);
        assert_int_equal(sample.is_compared, sample.contender == 0);
    }
}

/* A connection to the rig's device, without a program: enough for what is asked of a held launch.
 */
static struct connection connect(struct rig *rig)
{
    static struct rubric rubric;
    static struct session_config config;

    rubric.limits.launch_cuda_ns = LAUNCH_NS;
    config = (struct session_config){.rubric = &rubric, .device = {.is_gpu = true}, .seed = 3};
    return (struct connection){
        .config = &config, .arena = rig->arena, .link = rig->link, .code = rig->code};
}

/* Probes a held launch of a kernel whose only operand is an output of 16 floats. */
static struct observation probe(struct rig *rig, const char *name, enum kernel kernel,
                                size_t parameter_bytes)
{
    enum { ELEMENTS = 16 };
    const struct rubric_launch launch = {
        .id = "tiled",
        .operands = {{.role = OPERAND_OUTPUT, .type = ELEMENT_F32}},
        .operand_count = 1,
    };
    struct observation observation = {.element_counts = {ELEMENTS}};
    struct diagnostic diagnostic = {.message = ""};
    const uint64_t nowhere[3] = {0, 0, 1};

    observe(rig, name);
    resume(rig);
    uint64_t address = allocate(rig, ELEMENTS * 4);
    const struct bound_launch bound = {.addresses = {address}, .allocations = {address}};
    hold(rig, launch_of(kernel, nowhere, parameter_bytes));
    struct connection connection = connect(rig);
    assert_int_equal(probe_run(&connection, &launch, &bound, 1, &observation, &diagnostic),
                     ERROR_NONE);
    rig->link = connection.link;
    assert_true(observation.sample_count > 0);
    const struct sample *last = &observation.samples[observation.sample_count - 1];
    assert_non_null(last->before[0]);
    assert_non_null(last->after[0]);
    if (last->status != SAMPLE_DONE) {
        assert_int_equal(observation.sample_count, 1);
        assert_memory_equal(last->before[0], last->after[0], ELEMENTS * 4);
    }
    return observation;
}

/* Whatever a launch does to the GPU, probing it gives a sample and no error of the grader's. */
static void probes_of_failing_launches_are_samples(void **state)
{
    static const struct {
        const char *name;
        enum kernel kernel;
        size_t parameter_bytes;
        enum sample_status status;
        enum device_loss loss;
    } rows[] = {
        {"fault_700", FAULT, 0, SAMPLE_FAULT, DEVICE_SERVES},
        {"endless_1", ENDLESS, 0, SAMPLE_DEADLINE, DEVICE_SERVES},
        {"refused", REFUSED, 0, SAMPLE_UNSUPPORTED, DEVICE_SERVES},
        {"stuck", STUCK, 0, SAMPLE_DEADLINE, DEVICE_HUNG},
        {"square_900", SQUARE, 24, SAMPLE_FAULT, DEVICE_DIED}, /* the driver itself crashes */
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *context = NULL;
        open_rig(&context);
        struct rig *rig = context;
        struct observation observation =
            probe(rig, rows[i].name, rows[i].kernel, rows[i].parameter_bytes);

        assert_int_equal(observation.samples[0].status, rows[i].status);
        assert_int_equal(rig->link.loss, rows[i].loss);
        struct program_activity activity = log_of(rig);
        assert_int_equal(activity.call_error_count, rows[i].loss == DEVICE_HUNG ? 1 : 0);
        assert_int_equal(activity.finding_count, rows[i].loss == DEVICE_DIED ? 1 : 0);
        close_rig(&context);
    }
}

/* A contender that never comes back is the judged one: the others are the grader's own. */
static void a_timing_that_hangs_is_a_deadline(void **state)
{
    static struct timing_sample samples[TIMING_SAMPLES_MAX];
    struct rig *rig = *state;
    struct diagnostic diagnostic = {.message = ""};
    struct timing_reply reply;

    observe(rig, "stuck");
    resume(rig);
    uint64_t in = allocate(rig, 64), out = allocate(rig, 64);
    hold(rig, launch_of(STUCK, NULL, 0));
    struct timing_request request = {
        .block_count = 1,
        .launches_per_span = 1,
        .judged = 1,
        .operands = {{.type = TIMING_F32, .elements = 16},
                     {.type = TIMING_F32, .is_output = true, .elements = 16}},
        .operand_count = 2,
        .contenders = {contender_of(0, in, out, 16), contender_of(0, in, out, 16)},
        .contender_count = 2,
    };
    request.contenders[1].steps[0].function = STUCK;
    request.contenders[1].steps[0].parameter_bytes = request.contenders[1].parameter_bytes = 0;
    struct connection connection = connect(rig);
    assert_int_equal(connection_time(&connection, &request, samples, &reply, &diagnostic), 0);
    rig->link = connection.link;
    assert_int_equal(reply.status, LAUNCH_DEADLINE);
    assert_int_equal(reply.contender, 1);
    assert_int_equal(reply.sample_count, 0);
    assert_int_equal(rig->link.loss, DEVICE_HUNG);
}

int main(void)
{
#define RIG_TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_listed),
        cmocka_unit_test(a_machine_without_a_driver_says_so),
        cmocka_unit_test(a_gpu_that_is_not_there_is_the_users_mistake),
        RIG_TEST(a_launch_writes_the_gpus_memory),
        RIG_TEST(a_refused_launch_is_a_finding),
        RIG_TEST(a_fault_lasts_until_the_end),
        RIG_TEST(an_endless_kernel_meets_its_deadline),
        RIG_TEST(a_stuck_driver_is_a_deadline_of_the_program),
        RIG_TEST(a_death_is_the_programs_only_in_a_launch),
        RIG_TEST(a_probe_that_faults_leaves_a_process_that_answers),
        RIG_TEST(a_held_launch_is_timed_against_the_graders_own),
        cmocka_unit_test(probes_of_failing_launches_are_samples),
        RIG_TEST(a_timing_that_hangs_is_a_deadline),
    };
#undef RIG_TEST

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
