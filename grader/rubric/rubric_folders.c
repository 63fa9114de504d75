/* rubric_folders.c: see rubric_folders.h. */
#include "rubric/rubric_folders.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

const char *rubric_own_root(struct arena *arena, const char *path, const char *root)
{
    static const char parent[] = "/rubrics";
    const char *slash = strrchr(path, '/');
    char *resolved = realpath(root, NULL);
    const char *folder = slash == NULL ? "" : arena_strndup(arena, path, (size_t)(slash - path));
    const char *own = NULL;

    if (path[0] == '/' && text_ends_with(folder, parent)) {
        own = arena_strndup(arena, folder, strlen(folder) - strlen(parent));
    }
    if (own != NULL && strcmp(own, resolved != NULL ? resolved : root) == 0) {
        own = NULL;
    }
    free(resolved);
    return own;
}

static bool has_coursework(struct arena *arena, const char *folder, const char *id)
{
    return folder != NULL && folder_exists(arena_printf(arena, "%s/reference/%s", folder, id));
}

void rubric_find_folders(struct rubric_reader *reader, struct rubric_chain *chain, const char *root)
{
    struct rubric *rubric = reader->rubric;
    struct arena *arena = reader->arena;
    const char *own = chain->own_root;

    if (reader->error != ERROR_NONE) {
        return;
    }
    if (!has_coursework(arena, chain->own_root, rubric->id)) {
        if (chain->own_root != NULL && chain->is_stored) {
            reader_fail(reader, ERROR_NOT_FOUND, json_root(chain->files[0].document), false,
                        "the coursework of this rubric was in '%.150s/reference/%s', which no "
                        "longer exists; put it back",
                        chain->own_root, rubric->id);
            return;
        }
        chain->own_root = NULL;
    }
    /* Where neither place has it, the course's own is what is missing. */
    const char *missing = has_coursework(arena, root, rubric->id) ? NULL : own;
    const char *folder = chain->own_root != NULL ? chain->own_root
                         : missing != NULL       ? missing
                                                 : root;
    const char *common = arena_printf(arena, "%s/reference/common", folder);
    rubric->reference_folder = arena_printf(arena, "%s/reference/%s", folder, rubric->id);
    rubric->template_folder = arena_printf(arena, "%s/student_template/%s", folder, rubric->id);
    const char *installed = arena_printf(arena, "%s/include", root);
    rubric->include_folder =
        folder_exists(installed) ? installed : arena_printf(arena, "%s/grader", root);
    rubric->common_folder =
        folder_exists(common) ? common : arena_printf(arena, "%s/reference/common", root);
}
