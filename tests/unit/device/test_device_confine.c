/* Tests of the confinement: a child confines itself as the device process does, then tries what it
 * must not be able to do; and does what it must. */
#include "device/device_confine.h"
#include "emulated_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

enum { DONE = 0, REFUSED = 1, UNCONFINED = 77, BLOCKS = 256, THREADS = 64 };

static const struct device_config config = {
    .model = {.multiprocessors = 4, .max_blocks_per_multiprocessor = 16},
    .memory_limit_bytes = UINT64_C(64) << 20,
    .launch_deadline_ns = 1000 * SECOND,
    .threads = 4,
};

/* Each returns whether it was done, if it returns. */
static bool make_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool make_local_socket(void)
{
    int fds[2];

    return socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0;
}

static bool make_process(void)
{
    pid_t child = fork();

    if (child == 0) {
        _exit(0);
    }
    return child > 0;
}

static bool make_process_by_vfork(void)
{
    return syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL) >= 0;
}

static bool make_namespace(void)
{
    return syscall(SYS_unshare, CLONE_NEWUSER) == 0;
}

static bool run_file(void)
{
    char name[] = "true";
    char *arguments[] = {name, NULL};

    return execv("/bin/true", arguments) == 0;
}

static bool map_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}

static bool make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

static bool map_file(void)
{
    return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0) != MAP_FAILED;
}

static bool signal_parent(void)
{
    return kill(getppid(), 0) == 0;
}

static bool signal_everyone(void)
{
    return kill(-1, 0) == 0;
}

static bool signal_a_thread_of_another(void)
{
    return syscall(SYS_tgkill, 1, 1, 0) == 0;
}

static bool trace_parent(void)
{
    return ptrace(PTRACE_ATTACH, 1, NULL, NULL) == 0;
}

static bool read_parent(void)
{
    return syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0) >= 0;
}

static bool open_file(void)
{
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static bool open_file_in_another_way(void)
{
    return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", NULL, 0) >= 0;
}

static bool make_file(void)
{
    return open("/tmp/gpugrade-confined", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
}

static bool remove_file(void)
{
    return unlink("/tmp/gpugrade-confined") == 0 || errno == ENOENT;
}

static bool read_another_descriptor(void)
{
    char byte;

    return read(STDIN_FILENO, &byte, 1) >= 0;
}

static bool send_on_another_descriptor(void)
{
    return send(7, "x", 1, MSG_NOSIGNAL) >= 0 || errno == EBADF;
}

static bool raise_a_limit(void)
{
    const struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};

    return setrlimit(RLIMIT_CORE, &most) == 0;
}

static bool become_traceable(void)
{
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static bool change_user(void)
{
    return setuid(0) == 0;
}

static bool keep_memory_of_others(void)
{
    return syscall(SYS_userfaultfd, 0) >= 0;
}

static bool open_ring(void)
{
    return syscall(SYS_io_uring_setup, 1, NULL) >= 0;
}

static bool load_program(void)
{
    return syscall(SYS_bpf, 0, NULL, 0) >= 0;
}

struct attempt {
    const char *name;
    bool (*act)(void);
    bool is_refused; /* with an error; else the process ends */
};

static const struct attempt attempts[] = {
    {"a socket", make_socket, false},
    {"a local socket", make_local_socket, false},
    {"fork", make_process, false},
    {"a process by clone", make_process_by_vfork, false},
    {"a namespace", make_namespace, false},
    {"exec", run_file, false},
    {"a page of code", map_code, false},
    {"a page that becomes code", make_code, false},
    {"a mapped file", map_file, false},
    {"a signal to the parent", signal_parent, false},
    {"a signal to everyone", signal_everyone, false},
    {"a signal to a thread of another", signal_a_thread_of_another, false},
    {"ptrace", trace_parent, false},
    {"memory of another", read_parent, false},
    {"open", open_file, true},
    {"openat2", open_file_in_another_way, false},
    {"a new file", make_file, true},
    {"unlink", remove_file, false},
    {"read of a descriptor", read_another_descriptor, false},
    {"send on a descriptor", send_on_another_descriptor, false},
    {"a limit", raise_a_limit, false},
    {"being traced", become_traceable, true},
    {"another user", change_user, false},
    {"userfaultfd", keep_memory_of_others, false},
    {"io_uring", open_ring, false},
    {"bpf", load_program, false},
};

/* Confines a child; it ends if that cannot be had here. */
static void confine(void)
{
    device_confine_start();
    if ((device_confine(&config, false) & CONTROL_CONFINED_CALLS) == 0) {
        _exit(UNCONFINED);
    }
}

static int wait_for(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == UNCONFINED) {
        print_message("this kernel, or this build with a sanitizer, confines nothing\n");
        skip();
    }
    return status;
}

static void test_what_is_forbidden_ends_the_process(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        pid_t child = fork();

        if (child == 0) {
            confine();
            _exit(attempts[i].act() ? DONE : REFUSED);
        }
        int status = wait_for(child);
        bool is_held = attempts[i].is_refused ? WIFEXITED(status) && WEXITSTATUS(status) == REFUSED
                                              : WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
        if (!is_held) {
            fail_msg("%s: the status is 0x%x", attempts[i].name, (unsigned)status);
        }
    }
}

/* Stores (block * threads + thread) at that place. */
static const char kernel[] =
    PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .u32 %r<5>; .reg .u64 %rd<4>;\n"
             "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r3, %r1, 64, %r2;\n"
             "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r3, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
             "st.global.u32 [%rd3], %r3;\nret;\n}\n";

/* Runs launches on several threads, allocates and frees; true if the results are right. */
static bool run_launches(struct device *device)
{
    struct diagnostic diagnostic = {.message = ""};
    uint32_t module = 0;
    static uint32_t values[BLOCKS * THREADS];

    if (device_load_module(device, kernel, strlen(kernel), &module, &diagnostic) != ERROR_NONE) {
        return false;
    }
    for (unsigned round = 0; round < 20; round++) {
        uint64_t out = 0;

        if (device_allocate(device, sizeof values + ((uint64_t)round << 20), &out, &diagnostic) !=
                ERROR_NONE ||
            device_snapshot(device, &diagnostic) != ERROR_NONE) {
            return false;
        }
        struct device_launch_result result = fixture_launch(device, module, BLOCKS, THREADS, &out);
        bool is_right = result.status == LAUNCH_DONE && result.finding_count == 0 &&
                        device_read(device, out, values, sizeof values);
        for (uint32_t i = 0; i < BLOCKS * THREADS && is_right; i++) {
            is_right = values[i] == i;
        }
        device_discard(device);
        if (!is_right || !device_release(device, out)) {
            return false;
        }
    }
    return true;
}

static void test_a_confined_device_runs_kernels(void **state)
{
    (void)state;
    pid_t child = fork();

    if (child == 0) {
        struct diagnostic diagnostic = {.message = ""};
        struct device *device = NULL;

        if (device_open(&device_emulated, &config, &device, &diagnostic) != ERROR_NONE) {
            _exit(REFUSED);
        }
        confine();
        bool is_right = run_launches(device);
        device_close(device);
        _exit(is_right ? DONE : REFUSED);
    }
    int status = wait_for(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DONE);
}

/* A program may own all of its memory, with a snapshot, and launch over several threads. */
static void test_all_memory_may_be_used(void **state)
{
    (void)state;
    for (int watches_all = 0; watches_all < 2; watches_all++) {
        pid_t child = fork();

        if (child == 0) {
            struct diagnostic diagnostic = {.message = ""};
            struct device_config large = config;
            struct device *device = NULL;
            uint64_t out = 0;
            uint32_t module = 0;

            large.memory_limit_bytes = UINT64_C(320) << 20;
            large.checks_global_races = watches_all == 1;
            device_confine_start();
            bool is_right =
                device_open(&device_emulated, &large, &device, &diagnostic) == ERROR_NONE;
            if ((device_confine(&large, false) & CONTROL_CONFINED_CALLS) == 0) {
                _exit(UNCONFINED);
            }
            is_right = is_right &&
                       device_load_module(device, kernel, strlen(kernel), &module, &diagnostic) ==
                           ERROR_NONE &&
                       device_allocate(device, large.memory_limit_bytes, &out, &diagnostic) ==
                           ERROR_NONE &&
                       device_snapshot(device, &diagnostic) == ERROR_NONE &&
                       fixture_launch(device, module, BLOCKS, THREADS, &out).status == LAUNCH_DONE;
            _exit(is_right ? DONE : REFUSED);
        }
        int status = wait_for(child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), DONE);
    }
}

static void test_the_bound_of_memory(void **state)
{
    (void)state;
    const uint64_t mib = UINT64_C(1) << 20;

    assert_int_equal(device_confine_bytes(0, false, 0), 256 * mib);
    assert_int_equal(device_confine_bytes(1024 * mib, false, 0), (256 + 2 * 1024) * mib);
    assert_int_equal(device_confine_bytes(16 * mib, true, 0), (256 + 16 * 16) * mib);
    assert_int_equal(device_confine_bytes(16 * mib, true, 4), (256 + 16 * 16 + 4 * 8) * mib);
    /* more than any machine has: what every program has stays */
    assert_int_equal(device_confine_bytes(mib * mib, true, 0), 256 * mib + 2 * mib * mib);
    assert_true(device_confine_bytes(UINT64_MAX / 4, true, 1) >= UINT64_MAX / 2);
    assert_int_equal(device_confine_bytes(UINT64_MAX, false, 1), UINT64_MAX);
}

static void *try_late(void *pipe_fd)
{
    struct pollfd polled = {.fd = *(const int *)pipe_fd, .events = POLLIN};

    poll(&polled, 1, -1);
    make_socket();
    return NULL;
}

/* A thread that was there before is held too. */
static void test_all_threads_are_confined(void **state)
{
    (void)state;
    pid_t child = fork();

    if (child == 0) {
        int fds[2];
        pthread_t thread;

        if (pipe(fds) != 0 || pthread_create(&thread, NULL, try_late, &fds[0]) != 0) {
            _exit(REFUSED);
        }
        /* The filter allows write() for standard error alone. */
        dup2(fds[1], STDERR_FILENO);
        confine();
        bool is_reported = write(STDERR_FILENO, "x", 1) == 1;
        pthread_join(thread, NULL);
        _exit(is_reported ? DONE : REFUSED);
    }
    int status = wait_for(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
}

/* True if a file below the child's folder in /proc has a line that begins with `name` and ends with
 * `value`. */
static bool has_line(pid_t child, const char *file, const char *name, const char *value)
{
    char path[64], line[256];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%ld/%s", (long)child, file);
    FILE *lines = fopen(path, "re");
    assert_non_null(lines);
    while (!found && fgets(line, sizeof line, lines) != NULL) {
        size_t length = strcspn(line, "\n");
        while (length > 0 && line[length - 1] == ' ') {
            length--;
        }
        line[length] = '\0';
        found = strncmp(line, name, strlen(name)) == 0 && length >= strlen(value) &&
                strcmp(line + length - strlen(value), value) == 0;
    }
    fclose(lines);
    return found;
}

static void test_privileges_and_limits(void **state)
{
    (void)state;
    int told[2], stay[2];
    char byte;

    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    assert_int_equal(pipe2(stay, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        struct pollfd polled = {.fd = stay[0], .events = POLLIN};

        close(stay[1]);
        dup2(told[1], STDERR_FILENO);
        confine();
        _exit(write(STDERR_FILENO, "x", 1) == 1 && poll(&polled, 1, 120000) > 0 ? DONE : REFUSED);
    }
    close(told[1]);
    bool is_confined = read(told[0], &byte, 1) == 1;
    if (is_confined) {
        assert_true(has_line(child, "status", "Seccomp:", "\t2"));
        assert_true(has_line(child, "status", "NoNewPrivs:", "\t1"));
        assert_true(has_line(child, "status", "CapEff:", "\t0000000000000000"));
        assert_true(has_line(child, "status", "CapPrm:", "\t0000000000000000"));
        assert_true(has_line(child, "limits", "Max core file size", "0                    bytes"));
        assert_true(has_line(child, "limits", "Max open files", "5                    files"));
        assert_false(has_line(child, "limits", "Max data size", "unlimited            bytes"));
    }
    close(stay[1]);
    int status = wait_for(child);
    assert_true(is_confined);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DONE);
    close(told[0]);
    close(stay[0]);
}

/* Refused memory has a status of its own; any other abort() is a signal. */
static void test_refused_memory_is_told_apart(void **state)
{
    (void)state;
    for (int is_memory = 0; is_memory < 2; is_memory++) {
        pid_t child = fork();

        if (child == 0) {
            const struct rlimit few = {32 << 20, 32 << 20};
            struct text text;

            device_confine_start();
            setrlimit(RLIMIT_DATA, &few);
            confine();
            errno = 0;
            text_init(&text);
            while (is_memory == 1) {
                text_append_repeated(&text, 'x', 1 << 20);
            }
            abort();
        }
        int status = wait_for(child);
        if (is_memory == 1) {
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), DEVICE_EXIT_MEMORY);
        } else {
            assert_true(WIFSIGNALED(status));
            assert_int_equal(WTERMSIG(status), SIGABRT);
        }
    }
}

/* A real GPU's process is left alone, but for its privileges. */
static void test_a_gpu_is_not_filtered(void **state)
{
    (void)state;
    pid_t child = fork();

    if (child == 0) {
        struct device_config gpu = config;

        gpu.gpu = "0";
        device_confine_start();
        bool is_free = device_confine(&gpu, false) == 0 && make_local_socket() && open_file();
        _exit(is_free && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
                      prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0
                  ? DONE
                  : REFUSED);
    }
    int status = wait_for(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_forbidden_ends_the_process),
        cmocka_unit_test(test_a_confined_device_runs_kernels),
        cmocka_unit_test(test_all_memory_may_be_used),
        cmocka_unit_test(test_the_bound_of_memory),
        cmocka_unit_test(test_all_threads_are_confined),
        cmocka_unit_test(test_privileges_and_limits),
        cmocka_unit_test(test_refused_memory_is_told_apart),
        cmocka_unit_test(test_a_gpu_is_not_filtered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
