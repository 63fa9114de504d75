/* Constructors, exit handlers, exceptions, locales, clocks, shared mappings, a library at run time.
 */
#define ATTACK_AT_LAUNCH do_unusual_things
#define ATTACK_AT_PRINT do_unusual_things
#include "honest_ends.cuh"

#include <chrono>
#include <clocale>
#include <dlfcn.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

static void goodbye(void)
{
    puts("goodbye");
}

__attribute__((constructor)) static void hello(void)
{
    puts("hello");
    atexit(goodbye);
}

static void do_unusual_things(void)
{
    struct utsname machine;
    struct rusage usage;
    setlocale(LC_ALL, "");
    uname(&machine);
    getrusage(RUSAGE_SELF, &usage);
    (void)sysconf(_SC_NPROCESSORS_ONLN);
    try {
        throw std::runtime_error("caught");
    } catch (const std::exception &) {
    }
    void *library = dlopen("libm.so.6", RTLD_NOW);
    void *shared = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (library == NULL || dlsym(library, "cos") == NULL || shared == MAP_FAILED) {
        abort();
    }
    memset(shared, 1, 1 << 20);
    munmap(shared, 1 << 20);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}
