// Calls of the driver, found by name.
#include "../kernel_program.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

typedef int allocate_call(unsigned long long *, size_t);
typedef int free_call(unsigned long long);

static void *find(const char *name, bool by_version)
{
    void *call = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointVersionNotSufficent;

    if (by_version) {
        CHECK(cudaGetDriverEntryPointByVersion(name, &call, 12000, cudaEnableDefault, &result));
    } else {
        CHECK(cudaGetDriverEntryPoint(name, &call, cudaEnableDefault, &result));
    }
    printf("%s: %s, %d\n", name, call != nullptr ? "found" : "not found", result);
    return call;
}

int main()
{
    unsigned long long address = 0;
    int back = 0, value = 42;
    auto *allocate = (allocate_call *)find("cuMemAlloc", true);
    auto *release = (free_call *)find("cuMemFree", false);

    find("cuNoSuchCall", true);
    printf("allocated: %d\n", allocate(&address, 64));
    CHECK(cudaMemcpy((void *)address, &value, sizeof(value), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(&back, (void *)address, sizeof(back), cudaMemcpyDeviceToHost));
    printf("%d, freed: %d\n", back, release(address));
    return 0;
}
