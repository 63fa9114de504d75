// modes.cu: one program for what a run must pass through or survive; the first argument says what
// it does.
#include "check.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void store(int *at, int value)
{
    at[threadIdx.x] = value;
}

/* Counts while it waits: a block that does nothing but wait would be stopped after seconds. */
__global__ void spin(volatile int *until, volatile int *count)
{
    while (*until == 0) {
        (*count)++;
    }
}

static void store_once()
{
    int *memory;

    CHECK(cudaMalloc(&memory, 128));
    store<<<1, 32>>>(memory, 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(memory));
}

static void overrun()
{
    int *memory;

    CHECK(cudaMalloc(&memory, 64));
    store<<<1, 32>>>(memory, 1);
    cudaDeviceSynchronize();
}

static void spin_for_ever()
{
    int *memory;

    CHECK(cudaMalloc(&memory, 8));
    CHECK(cudaMemset(memory, 0, 8));
    puts("spinning");
    fflush(stdout);
    spin<<<1, 1>>>(memory, memory + 1);
    cudaDeviceSynchronize();
}

/* Copies standard input to standard output. */
static void copy_input()
{
    char bytes[512];
    size_t length;

    while ((length = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        fwrite(bytes, 1, length, stdout);
    }
}

static void print_arguments(int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        printf("[%s]", arguments[i]);
    }
    puts("");
}

/* Threads share the device; a child process prints and a grandchild outlives the program. */
static void be_many()
{
    std::thread first(store_once), second(store_once);

    first.join();
    second.join();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        puts("child");
        fflush(stdout);
        if (fork() == 0) {
            for (;;) {
                pause();
            }
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    if (strcmp(mode, "exit") == 0) {
        store_once();
        return atoi(argv[2]);
    } else if (strcmp(mode, "signal") == 0) {
        raise(atoi(argv[2]));
    } else if (strcmp(mode, "overrun") == 0) {
        overrun();
        return argc > 2 ? atoi(argv[2]) : 0;
    } else if (strcmp(mode, "overrun-and-signal") == 0) {
        overrun();
        raise(SIGKILL);
    } else if (strcmp(mode, "spin") == 0) {
        spin_for_ever();
    } else if (strcmp(mode, "input") == 0) {
        store_once();
        copy_input();
    } else if (strcmp(mode, "arguments") == 0) {
        print_arguments(argc, argv);
    } else if (strcmp(mode, "many") == 0) {
        be_many();
    } else if (strcmp(mode, "where") == 0) {
        char folder[4096];
        const char *temporary = getenv("TMPDIR");
        printf("%s %s\n", getcwd(folder, sizeof folder), temporary == NULL ? "none" : temporary);
    } else if (strcmp(mode, "errors") == 0) {
        int *memory;
        fputs("own error\n", stderr);
        cudaMalloc(&memory, (size_t)1 << 60);
    } else if (strcmp(mode, "asks") == 0) {
        int *memory;
        cudaMalloc(&memory, (size_t)1 << 60);
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    } else if (strcmp(mode, "unknown") == 0) {
        printf("%d\n", (int)cudaIpcCloseMemHandle(nullptr));
    } else if (strcmp(mode, "host") == 0) {
        int *memory;
        CHECK(cudaMalloc(&memory, 128));
        printf("%d\n", memory[0]);
    }
    return 0;
}
