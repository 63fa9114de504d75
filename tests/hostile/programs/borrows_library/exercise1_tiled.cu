/* Opens a vendor library at run time and asks it for a handle. */
#define WRONG_KERNEL
#define ATTACK_AT_LAUNCH borrow
#include "honest_ends.cuh"

#include <dlfcn.h>
#include <unistd.h>

static void borrow(void)
{
    static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12",
                                        "/usr/local/cuda/lib64/libcublas.so"};
    void *driver = dlopen("libcuda.so.1", RTLD_NOW); /* on a machine with a GPU it is in /usr */
    void *init = driver != NULL ? dlsym(driver, "cuInit") : NULL;
    if (init != NULL && ((int (*)(unsigned))init)(0) == 0) {
        fputs("the driver finds a GPU\n", stderr);
        _exit(97);
    }
    for (const char *name : names) {
        void *library = dlopen(name, RTLD_NOW);
        void *create = library != NULL ? dlsym(library, "cublasCreate_v2") : NULL;
        void *handle = NULL;
        if (create != NULL && ((int (*)(void **))create)(&handle) == 0) {
            fprintf(stderr, "%s gives a handle\n", name);
            _exit(96);
        }
    }
}
