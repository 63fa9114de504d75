/* runtime_registry.c: sets of pointers; small ones, so a list is searched from its end. */
#include "cudart/runtime.h"

#include <stdlib.h>

bool registry_add(struct runtime_registry *registry, void *pointer, size_t bytes)
{
    if (registry->count == registry->capacity) {
        size_t capacity = registry->capacity == 0 ? 16 : registry->capacity * 2;
        struct registry_entry *grown =
            realloc(registry->entries, capacity * sizeof(*registry->entries));
        if (grown == NULL) {
            return false;
        }
        registry->entries = grown;
        registry->capacity = capacity;
    }
    registry->entries[registry->count++] =
        (struct registry_entry){.pointer = pointer, .bytes = bytes};
    return true;
}

static size_t find_entry(const struct runtime_registry *registry, const void *pointer)
{
    size_t i = registry->count;

    while (i > 0 && registry->entries[i - 1].pointer != pointer) {
        i--;
    }
    return i;
}

bool registry_contains(const struct runtime_registry *registry, const void *pointer)
{
    return find_entry(registry, pointer) > 0;
}

bool registry_remove(struct runtime_registry *registry, const void *pointer)
{
    size_t i = find_entry(registry, pointer);

    if (i == 0) {
        return false;
    }
    registry->entries[i - 1] = registry->entries[--registry->count];
    return true;
}
