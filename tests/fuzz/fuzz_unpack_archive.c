/* fuzz_unpack_archive.c: any bytes as an archive: through the helper's functions, then through the
 * grader's. What the helper writes is always a whole stream, and what the grader takes of it is
 * good.
 */
#include "submission/entry_name.h"
#include "submission/intake_archive.h"
#include "submission/unpack/unpack_archive.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static bool keep(void *context, const void *bytes, size_t length)
{
    text_append_bytes(context, bytes, length);
    return true;
}

static void check_list(const struct intake_list *list)
{
    for (size_t i = 0; i < list->file_count; i++) {
        const char *name = list->files[i].name;
        if (name[0] == '\0' || entry_name_fault(name, strlen(name)) != NULL ||
            entry_name_is_left_out(name) || (i > 0 && strcmp(list->files[i - 1].name, name) >= 0)) {
            abort();
        }
    }
    if (list->file_count > INTAKE_FILES_MAX || list->total_bytes > INTAKE_TREE_BYTES_MAX) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {0};
    struct intake_list list;
    struct text stream;
    const struct unpack_output output = {.write = keep, .context = &stream};

    setlocale(LC_CTYPE, "C.UTF-8");
    text_init(&stream);
    intake_list_init(&list, arena, "fuzz.zip");
    if (!unpack_archive(bytes, length, &output)) {
        abort();
    }
    enum error error = intake_read_stream(&list, stream.bytes, stream.length, &diagnostic);
    if (error == ERROR_NONE) {
        error = intake_list_finish(&list, &diagnostic);
    }
    if (error == ERROR_NONE) {
        check_list(&list);
    } else if (text_starts_with(diagnostic.message, "the archive breaks the program") ||
               !text_is_utf8(diagnostic.message, strlen(diagnostic.message))) {
        abort();
    }
    text_release(&stream);
    arena_free(arena);
    return 0;
}
