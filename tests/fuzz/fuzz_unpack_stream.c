/* fuzz_unpack_stream.c: any bytes as the stream of a helper that does what an archive wants. */
#include "submission/entry_name.h"
#include "submission/intake_archive.h"
#include "submission/unpack/unpack_stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_list(const struct intake_list *list)
{
    size_t total = 0;

    for (size_t i = 0; i < list->file_count; i++) {
        const struct intake_file *file = &list->files[i];
        if (file->name[0] == '\0' || entry_name_fault(file->name, strlen(file->name)) != NULL ||
            entry_name_is_left_out(file->name) || file->bytes[file->length] != '\0' ||
            (i > 0 && strcmp(file[-1].name, file->name) >= 0)) {
            abort();
        }
        total += file->length;
    }
    if (total != list->total_bytes || total > INTAKE_TREE_BYTES_MAX ||
        list->file_count > INTAKE_FILES_MAX || list->folder_count > INTAKE_FOLDERS_MAX) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {0};
    struct intake_list list;
    struct text stream;

    text_init(&stream);
    if (length < UNPACK_MAGIC_BYTES || memcmp(bytes, UNPACK_MAGIC, UNPACK_MAGIC_BYTES) != 0) {
        text_append(&stream, UNPACK_MAGIC);
    }
    text_append_bytes(&stream, bytes, length);
    intake_list_init(&list, arena, "fuzz.zip");
    enum error error = intake_read_stream(&list, stream.bytes, stream.length, &diagnostic);
    if (error == ERROR_NONE) {
        error = intake_list_finish(&list, &diagnostic);
    }
    if (error == ERROR_NONE) {
        check_list(&list);
    } else if (diagnostic.message[0] == '\0' ||
               (diagnostic.blame != BLAME_STUDENT && diagnostic.blame != BLAME_USAGE) ||
               !text_is_utf8(diagnostic.message, strlen(diagnostic.message))) {
        abort();
    }
    text_release(&stream);
    arena_free(arena);
    return 0;
}
