/* test_server_program.c: the stand-in runtime against a server, without nvcc.
 *
 * The test starts itself again as the student's program: with the client channel as descriptor 3,
 * it opens libcudart and does what nvcc's code and a student's code would do. The server runs in
 * the parent over the fake backend, so no kernel computes; what counts is what crosses.
 */
#include "device/server.h"

#include "base/clock.h"
#include "base/process.h"
#include "wire/control.h"

#include "fake_backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* As the toolkit's headers have them; the test needs no toolkit. */
struct dim3 {
    unsigned x, y, z;
};
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, WORDS = 3 << 20 };

/* What stands for .nv_fatbin: only its address counts. */
static const uint64_t code[8] = {0xBA55ED50};
static const struct {
    uint32_t magic, version;
    const void *data;
    void *pointer;
} wrapper = {0x466243B1, 1, code, NULL};
extern const char __executable_start[];

static void kernel_stub(void)
{
}
static int block_width_symbol;

/* The calls of the runtime that the program uses. */
struct runtime {
    void **(*register_binary)(const void *);
    void (*register_function)(void **, const void *, char *, const char *, int, void *, void *,
                              void *, void *, int *);
    void (*register_variable)(void **, void *, char *, const char *, int, size_t, int, int);
    unsigned (*push)(struct dim3, struct dim3, size_t, void *);
    int (*get_kernel)(void **, const void *);
    int (*pop)(struct dim3 *, struct dim3 *, size_t *, void *);
    int (*launch)(void *, struct dim3, struct dim3, void **, size_t, void *);
    int (*allocate)(void **, size_t);
    int (*managed)(void **, size_t, unsigned);
    int (*release)(void *);
    int (*copy)(void *, const void *, size_t, int);
    int (*to_symbol)(const void *, const void *, size_t, size_t, int);
    int (*from_symbol)(void *, const void *, size_t, size_t, int);
    int (*last_error)(void);
    int (*synchronise)(void);
    int (*unknown)(void *);
    int (*pinned)(void **, size_t);
    int (*release_pinned)(void *);
    int (*enrol)(void *, size_t, unsigned);
    int (*strike)(void *);
    int (*device_pointer)(void **, void *, unsigned);
    int (*create_stream)(void **);
    int (*begin_capture)(void *, int);
    int (*end_capture)(void *, void **);
    int (*instantiate)(void **, void *, unsigned long long);
    int (*launch_graph)(void *, void *);
    int (*host_function)(void *, void (*)(void *), void *);
    int (*reset)(void);
    int (*per_thread_copy)(void *, const void *, size_t, int);
};

static const struct {
    const char *name;
    size_t offset;
} calls[] = {
    {"__cudaRegisterFatBinary", offsetof(struct runtime, register_binary)},
    {"__cudaRegisterFunction", offsetof(struct runtime, register_function)},
    {"__cudaRegisterVar", offsetof(struct runtime, register_variable)},
    {"__cudaPushCallConfiguration", offsetof(struct runtime, push)},
    {"__cudaGetKernel", offsetof(struct runtime, get_kernel)},
    {"__cudaPopCallConfiguration", offsetof(struct runtime, pop)},
    {"__cudaLaunchKernel", offsetof(struct runtime, launch)},
    {"cudaMalloc", offsetof(struct runtime, allocate)},
    {"cudaMallocManaged", offsetof(struct runtime, managed)},
    {"cudaFree", offsetof(struct runtime, release)},
    {"cudaMemcpy", offsetof(struct runtime, copy)},
    {"cudaMemcpyToSymbol", offsetof(struct runtime, to_symbol)},
    {"cudaMemcpyFromSymbol", offsetof(struct runtime, from_symbol)},
    {"cudaGetLastError", offsetof(struct runtime, last_error)},
    {"cudaDeviceSynchronize", offsetof(struct runtime, synchronise)},
    {"cudaIpcCloseMemHandle", offsetof(struct runtime, unknown)},
    {"cudaMallocHost", offsetof(struct runtime, pinned)},
    {"cudaFreeHost", offsetof(struct runtime, release_pinned)},
    {"cudaHostRegister", offsetof(struct runtime, enrol)},
    {"cudaHostUnregister", offsetof(struct runtime, strike)},
    {"cudaHostGetDevicePointer", offsetof(struct runtime, device_pointer)},
    {"cudaStreamCreate", offsetof(struct runtime, create_stream)},
    {"cudaStreamBeginCapture", offsetof(struct runtime, begin_capture)},
    {"cudaStreamEndCapture", offsetof(struct runtime, end_capture)},
    {"cudaGraphInstantiate", offsetof(struct runtime, instantiate)},
    {"cudaGraphLaunch", offsetof(struct runtime, launch_graph)},
    {"cudaLaunchHostFunc", offsetof(struct runtime, host_function)},
    {"cudaDeviceReset", offsetof(struct runtime, reset)},
    {"cudaMemcpy_ptds", offsetof(struct runtime, per_thread_copy)},
};

/* A step of the program that failed ends it; the exit status tells its line. */
#define STEP(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "the program's line %d failed: %s\n", __LINE__, #condition);           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static struct runtime open_runtime(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    struct runtime runtime;

    STEP(library != NULL);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        void *call = dlsym(library, calls[i].name);

        STEP(call != NULL);
        memcpy((char *)&runtime + calls[i].offset, &call, sizeof(call));
    }
    return runtime;
}

/* kernel<<<1, threads, 0, stream>>>(pointer, 3), as nvcc's code does it. */
static int launch_into(const struct runtime *runtime, void *pointer, unsigned threads, void *into)
{
    struct dim3 grid = {1, 1, 1}, block = {threads, 1, 1};
    int value = 3;
    void *arguments[] = {&pointer, &value}, *kernel = NULL, *stream = &value;
    size_t shared = 99;

    STEP(runtime->push(grid, block, 0, into) == 0);
    STEP(runtime->get_kernel(&kernel, (const void *)(uintptr_t)kernel_stub) == 0);
    STEP(runtime->pop(&grid, &block, &shared, &stream) == 0 && shared == 0 && stream == into);
    return runtime->launch(kernel, grid, block, arguments, shared, stream);
}

static int launch(const struct runtime *runtime, void *pointer, unsigned threads)
{
    return launch_into(runtime, pointer, threads, NULL);
}

/* Memory that exists twice: pinned and registered. Launches three times. */
static void use_host_memory(const struct runtime *runtime)
{
    uint32_t *pinned = NULL, *alias = NULL, own[2048] = {0};

    STEP(runtime->pinned((void **)&pinned, 9000) == 0);
    pinned[0] = 10;
    pinned[2249] = 5;
    STEP(launch(runtime, pinned, 32) == 0 && pinned[0] == 11 && pinned[2249] == 5);
    pinned[0] = 20;
    STEP(launch(runtime, pinned, 32) == 0 && pinned[0] == 21);
    STEP(runtime->release(pinned) == 1 && runtime->release_pinned(pinned) == 0);
    own[0] = 30;
    own[2047] = 6;
    STEP(runtime->enrol(own, sizeof(own), 2) == 0);
    STEP(runtime->enrol(own + 1, 4, 0) == 712);
    STEP(launch(runtime, own, 32) == 0 && own[0] == 31 && own[2047] == 6);
    STEP(runtime->device_pointer((void **)&alias, own + 1, 0) == 0 && alias != own + 1);
    STEP(runtime->copy(own, alias - 1, 4, 4) == 0 && own[0] == 31);
    STEP(runtime->strike(own) == 0 && runtime->strike(own) == 713);
}

static void count_call(void *data)
{
    ++*(int *)data;
}

/* A graph of a launch and a function, done twice. */
static void use_a_graph(const struct runtime *runtime, uint32_t *device)
{
    void *stream = NULL, *graph = NULL, *executable = NULL;
    uint32_t before = 0, after = 0;
    int called = 0;

    STEP(runtime->copy(&before, device, 4, DEVICE_TO_HOST) == 0);
    STEP(runtime->create_stream(&stream) == 0 && runtime->begin_capture(stream, 0) == 0);
    STEP(launch_into(runtime, device, 32, stream) == 0);
    STEP(runtime->host_function(stream, count_call, &called) == 0 && called == 0);
    STEP(runtime->end_capture(stream, &graph) == 0);
    STEP(runtime->instantiate(&executable, graph, 0) == 0);
    STEP(runtime->launch_graph(executable, stream) == 0 && called == 1);
    STEP(runtime->launch_graph(executable, NULL) == 0 && called == 2);
    STEP(runtime->copy(&after, device, 4, DEVICE_TO_HOST) == 0 && after == before + 2);
}

static int run_program(const char *path)
{
    struct runtime runtime = open_runtime(path);
    void **module = runtime.register_binary(&wrapper);
    uint32_t *host = calloc(WORDS, 4), *back = calloc(WORDS, 4), *device = NULL, *managed = NULL;
    int block_width = 32;

    runtime.register_function(module, (const void *)(uintptr_t)kernel_stub, NULL, "fill", -1, NULL,
                              NULL, NULL, NULL, NULL);
    runtime.register_variable(module, &block_width_symbol, NULL, "edge", 0, 4, 1, 0);
    for (uint32_t i = 0; i < WORDS; i++) {
        host[i] = i * 2654435761u;
    }
    STEP(runtime.allocate((void **)&device, 4 * (size_t)WORDS) == 2);
    STEP(runtime.last_error() == 2 && runtime.last_error() == 0);
    STEP(runtime.allocate((void **)&device, 1 << 18) == 0);
    STEP(runtime.copy(device, host, 1 << 18, HOST_TO_DEVICE) == 0);
    STEP(launch(&runtime, device, 32) == 0 && runtime.synchronise() == 0);
    STEP(runtime.per_thread_copy(back, device, 1 << 18, DEVICE_TO_HOST) == 0);
    STEP(back[0] == host[0] + 1);
    STEP(memcmp(back + 1, host + 1, (1 << 18) - 4) == 0);
    STEP(launch(&runtime, device, 2000) == 1 && runtime.last_error() == 1);
    STEP(runtime.copy(back, host, 4, HOST_TO_DEVICE) == 1);
    STEP(runtime.copy(device, host, (1 << 18) + 1, HOST_TO_DEVICE) == 1);
    STEP(runtime.to_symbol(&block_width_symbol, &block_width, 4, 0, HOST_TO_DEVICE) == 0);
    block_width = 0;
    STEP(runtime.from_symbol(&block_width, &block_width_symbol, 4, 0, DEVICE_TO_HOST) == 0 &&
         block_width == 32);
    STEP(runtime.to_symbol(&block_width_symbol, &block_width, 4, 1, HOST_TO_DEVICE) == 1);
    STEP(runtime.to_symbol(&block_width, &block_width, 4, 0, HOST_TO_DEVICE) == 13);
    STEP(runtime.managed((void **)&managed, 5000, 1) == 0);
    managed[0] = 41;
    managed[1249] = 7;
    STEP(launch(&runtime, managed, 32) == 0 && runtime.synchronise() == 0);
    STEP(managed[0] == 42 && managed[1249] == 7);
    STEP(runtime.unknown(NULL) == 801);
    use_host_memory(&runtime);
    use_a_graph(&runtime, device);
    STEP(runtime.release(managed) == 0 && runtime.release(device) == 0);
    STEP(runtime.release(device) == 1 && runtime.release(NULL) == 0);
    STEP(runtime.reset() == 0);
    STEP(runtime.from_symbol(&block_width, &block_width_symbol, 4, 0, DEVICE_TO_HOST) == 0 &&
         block_width == 0);
    return 0;
}

/* The parent's side. */
struct rig {
    int control_fds[2], client_fds[2];
    struct channel control;
    pthread_t thread;
};

static void *serve(void *context)
{
    struct rig *rig = context;
    bool had_gpu = false;

    server_run(&fake_devices, rig->control_fds[0], rig->client_fds[0], &had_gpu, NULL);
    return NULL;
}

static struct message control(struct rig *rig, struct message request)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message reply;

    assert_int_equal(channel_call(&rig->control, &request, clock_now_ns() + 60 * CLOCK_NS_PER_S,
                                  &reply, &diagnostic),
                     ERROR_NONE);
    assert_int_equal(reply.status, 0);
    return reply;
}

/* Starts this executable as the program; `client_fd` becomes its descriptor 3. */
static pid_t start_program(const char *library, int client_fd)
{
    pid_t child = fork();

    if (child == 0) {
        dup2(client_fd, 3);
        execl("/proc/self/exe", "program", library, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    return child;
}

/* Counts the call errors of the log, and of them the unknown ones. Each names a place in the
 * program. */
static void check_log(const struct message *log)
{
    size_t cursor = (size_t)log->words[1] * FINDING_RECORD_BYTES, unknown = 0, fetched = 0;
    struct control_call_error error;
    struct control_site site;
    struct control_streams streams;

    for (uint64_t i = 0; i < log->words[2]; i++) {
        assert_true(control_call_error_unpack(log->payload, log->payload_bytes, &cursor, &error));
        assert_in_range(error.site, 1, log->words[7]);
        if (error.is_unknown) {
            assert_string_equal(error.call, "cudaIpcCloseMemHandle");
            unknown++;
        }
        fetched += error.fetched;
    }
    for (uint64_t i = 0; i < log->words[7]; i++) {
        assert_true(control_site_unpack(log->payload, log->payload_bytes, &cursor, &site));
        assert_int_not_equal(site.addresses[0], 0);
    }
    assert_true(control_streams_unpack(log->payload, log->payload_bytes, &cursor, &streams));
    assert_int_equal(cursor, log->payload_bytes);
    assert_int_equal(unknown, 1);
    assert_int_equal(fetched, 2);
    assert_int_equal(log->words[0], 7);
}

static void a_program_runs_over_the_stand_in(void **state)
{
    uint8_t model[GPU_MODEL_RECORD_BYTES];
    struct rig rig;
    glob_t found;
    int status = 0;

    (void)state;
    if (glob(GPUGRADE_BINARY_DIR "/lib/libcudart.so.[0-9]*", 0, NULL, &found) != 0) {
        print_message("libcudart is not built here (sanitizers)\n");
        skip();
    }
    assert_int_equal(socket_pair(rig.control_fds, NULL), ERROR_NONE);
    assert_int_equal(socket_pair(rig.client_fds, NULL), ERROR_NONE);
    channel_init(&rig.control, rig.control_fds[1], control_format);
    assert_int_equal(pthread_create(&rig.thread, NULL, serve, &rig), 0);
    uint64_t address = (uint64_t)((uintptr_t)code - (uintptr_t)__executable_start);
    control(&rig, fake_configure("T4", address, sizeof(code), model));
    control(&rig,
            (struct message){
                .type = CONTROL_MODULE, .words = {0, 3}, .payload = "ptx", .payload_bytes = 3});

    pid_t program = start_program(found.gl_pathv[0], rig.client_fds[1]);
    descriptor_close(&rig.client_fds[1]);
    struct message event = control(&rig, (struct message){.type = CONTROL_RESUME});
    assert_int_equal(event.words[0], CONTROL_EVENT_GONE);
    assert_int_equal(waitpid(program, &status, 0), program);
    assert_int_equal(status, 0);
    struct message log = control(&rig, (struct message){.type = CONTROL_LOG});
    check_log(&log);

    descriptor_close(&rig.control_fds[1]);
    pthread_join(rig.thread, NULL);
    descriptor_close(&rig.control_fds[0]);
    descriptor_close(&rig.client_fds[0]);
    channel_release(&rig.control);
    globfree(&found);
}

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_runs_over_the_stand_in),
    };

    if (argument_count == 2) {
        return run_program(arguments[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
