/* fuzz_batch_class.c: what an export of a learning platform holds.
 *
 * Byte 0: whether the rest is Gradescope's description, or the names in a folder, a line each, of
 * which the first byte says what they are; every shape reads them.
 */
#include "base/text.h"
#include "batch/class_exports.h"
#include "batch/gradescope_metadata.h"
#include "batch/loose_files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

typedef bool shape_fits(const struct class_folder *folder);
typedef enum error shape_read(struct class_draft *draft, const struct class_folder *folder,
                              struct diagnostic *diagnostic);

/* Gradescope's reads a file, so it has a way of its own. */
static const struct {
    shape_fits *fits;
    shape_read *read;
} shapes[] = {
    {export_moodle_fits, export_moodle_read},
    {export_canvas_fits, export_canvas_read},
    {export_github_fits, export_github_read},
    {export_folders_fits, export_folders_read},
};

static void read_metadata(struct arena *arena, const char *bytes, size_t length)
{
    struct gradescope_metadata metadata;
    struct diagnostic diagnostic = {0};

    if (gradescope_metadata_read(arena, bytes, length, "fuzz", &metadata, &diagnostic) !=
        ERROR_NONE) {
        return;
    }
    for (size_t i = 0; i < metadata.count; i++) {
        const struct gradescope_submission *submission = &metadata.submissions[i];
        for (size_t j = 0; j < submission->submitter_count; j++) {
            const char *name = submission->submitters[j].name;
            if (!text_is_utf8(name, strlen(name))) {
                abort();
            }
        }
    }
}

static struct class_folder make_folder(struct arena *arena, const char *bytes, size_t length)
{
    struct class_item *items = arena_array(arena, length + 1, sizeof *items);
    struct class_folder folder = {.path = "/nowhere/lab-submissions", .items = items};

    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t line = end != NULL ? (size_t)(end - bytes) - at : length - at;
        const char *name = arena_strndup(arena, bytes + at, line);
        if (name[0] != '\0' && name[1] != '\0' && strchr(name, '/') == NULL) {
            items[folder.count++] = (struct class_item){
                .name = name + 1,
                .path = "/nowhere/lab-submissions/x",
                .kind = (enum class_item_kind)((unsigned char)name[0] % (CLASS_ITEM_LINK + 1)),
            };
        }
        at += line + 1;
    }
    return folder;
}

static void check_entries(const struct class_draft *draft)
{
    for (size_t i = 0; i < draft->entry_count; i++) {
        const struct class_entry *entry = &draft->entries[i];
        bool is_good = text_is_utf8(entry->student, strlen(entry->student)) &&
                       text_is_utf8(entry->submission, strlen(entry->submission)) &&
                       entry->path != NULL && entry->stamp != NULL && entry->name != NULL;
        if (!is_good || (i > 0 && strcmp(draft->entries[i - 1].student, entry->student) > 0)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();

    if (length > 0 && bytes[0] % 2 == 0) {
        read_metadata(arena, (const char *)bytes + 1, length - 1);
    } else if (length > 0) {
        struct class_folder folder = make_folder(arena, (const char *)bytes + 1, length - 1);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            struct class_draft draft;
            class_draft_init(&draft, arena);
            (void)shapes[i].fits(&folder);
            if (shapes[i].read(&draft, &folder, NULL) != ERROR_NONE) {
                abort();
            }
            class_draft_name(&draft);
            class_draft_finish(&draft);
            check_entries(&draft);
        }
    }
    arena_free(arena);
    return 0;
}
