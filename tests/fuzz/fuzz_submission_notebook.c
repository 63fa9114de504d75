/* fuzz_submission_notebook.c: any bytes as a notebook; what it writes is no longer than it is, and has
 * good names. */
#include "submission/entry_name.h"
#include "submission/intake_notebook.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic;
    struct intake_list list;
    size_t total = 0;

    intake_list_init(&list, arena, "fuzz");
    const char *copy = arena_strndup(arena, (const char *)bytes, length);
    if (intake_list_file(&list, "n.ipynb", copy, length, &diagnostic) == ERROR_NONE &&
        intake_notebooks_unpack(&list, &diagnostic) == ERROR_NONE) {
        for (size_t i = 0; i < list.file_count; i++) {
            const struct intake_file *file = &list.files[i];
            total += file->length;
            if (entry_name_fault(file->name, strlen(file->name)) != NULL) {
                abort();
            }
        }
        if (total > length) {
            abort();
        }
    }
    arena_free(arena);
    return 0;
}
