/* export_gradescope.c: Gradescope's "Export Submissions": a folder for each submission that counts,
 * and submission_metadata.yml, which tells whose it is and when it came.
 *
 *     assignment_123_export/submission_metadata.yml
 *     assignment_123_export/submission_409194023/lab.cu
 *
 * A submission of a group is one of each of its members.
 */
#include "batch/class_exports.h"

#include "base/file.h"
#include "base/text.h"
#include "batch/gradescope_metadata.h"

#include <string.h>

enum { METADATA_BYTES_MAX = 256 << 20 }; /* it holds the output of the autograder */

static const char metadata_name[] = "submission_metadata.yml";

bool export_gradescope_fits(const struct class_folder *folder)
{
    const struct class_item *item = class_folder_find(folder, metadata_name);

    return item != NULL && item->kind == CLASS_ITEM_FILE;
}

static void add_member(struct class_draft *draft, const struct class_item *item,
                       const struct gradescope_submitter *submitter, int64_t created)
{
    const char *student = submitter->sid[0] != '\0'     ? submitter->sid
                          : submitter->email[0] != '\0' ? submitter->email
                          : submitter->name[0] != '\0'  ? submitter->name
                                                        : item->name;
    const struct class_entry entry = {
        .student = class_draft_text(draft, student, strlen(student)),
        .name = class_draft_text(draft, submitter->name, strlen(submitter->name)),
        .email = class_draft_text(draft, submitter->email, strlen(submitter->email)),
        .submitted = created,
    };

    class_draft_item(draft, entry, item);
}

static bool is_submission(const struct class_item *item)
{
    return item->kind == CLASS_ITEM_FOLDER || item->kind == CLASS_ITEM_ARCHIVE;
}

static void add_submission(struct class_draft *draft, const struct class_folder *folder,
                           const struct gradescope_submission *submission)
{
    static const struct gradescope_submitter nobody = {"", "", ""};
    const struct class_item *item = class_folder_find(folder, submission->folder);
    size_t count = submission->submitter_count;

    if (item == NULL || !is_submission(item)) {
        class_draft_remark(draft, "'%s' is listed in %s, but it is missing",
                           class_draft_text(draft, submission->folder, strlen(submission->folder)),
                           metadata_name);
        return;
    }
    for (size_t i = 0; i < (count > 0 ? count : 1); i++) {
        add_member(draft, item, count > 0 ? &submission->submitters[i] : &nobody,
                   submission->created);
    }
}

static bool is_described(const struct gradescope_metadata *metadata, const char *name)
{
    for (size_t i = 0; i < metadata->count; i++) {
        if (strcmp(metadata->submissions[i].folder, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What the description does not know. */
static void add_others(struct class_draft *draft, const struct class_folder *folder,
                       const struct gradescope_metadata *metadata)
{
    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        if (strcmp(item->name, metadata_name) == 0 || is_described(metadata, item->name)) {
            continue;
        }
        if (!is_submission(item)) {
            class_draft_left_out(draft, item, "a folder such as submission_123");
            continue;
        }
        const struct class_entry entry = {
            .student = class_draft_text(draft, item->name, strlen(item->name)),
        };
        class_draft_remark(draft, "'%s' is not listed in %s, so its student is unknown",
                           entry.student, metadata_name);
        class_draft_item(draft, entry, item);
    }
}

enum error export_gradescope_read(struct class_draft *draft, const struct class_folder *folder,
                                  struct diagnostic *diagnostic)
{
    const char *path = class_folder_find(folder, metadata_name)->path;
    struct gradescope_metadata metadata;
    struct arena *scratch = arena_new();
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(scratch, path, METADATA_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = gradescope_metadata_read(scratch, bytes, length, path, &metadata, diagnostic);
    }
    for (size_t i = 0; error == ERROR_NONE && i < metadata.count; i++) {
        add_submission(draft, folder, &metadata.submissions[i]);
    }
    if (error == ERROR_NONE) {
        add_others(draft, folder, &metadata);
    }
    arena_free(scratch);
    return error;
}
