/* sandbox_hidden.c: see sandbox_hidden.h. No hidden folder lies in another one, so that they can be
 * covered in any order.
 */
#include "sandbox/sandbox_hidden.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool path_lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool sandbox_is_hidden(const struct sandbox *sandbox, const char *path)
{
    for (size_t i = 0; i < sandbox->hidden_count; i++) {
        if (path_lies_in(path, sandbox->hidden_folders[i])) {
            return true;
        }
    }
    return false;
}

bool sandbox_holds_hidden(const struct sandbox *sandbox, const char *folder)
{
    for (size_t i = 0; i < sandbox->hidden_count; i++) {
        if (path_lies_in(sandbox->hidden_folders[i], folder)) {
            return true;
        }
    }
    return false;
}

/* Forgets the hidden folders that lie in `folder`. */
static void forget_below(struct sandbox *sandbox, const char *folder)
{
    size_t kept = 0;

    for (size_t i = 0; i < sandbox->hidden_count; i++) {
        if (!path_lies_in(sandbox->hidden_folders[i], folder)) {
            memmove(sandbox->hidden_folders[kept++], sandbox->hidden_folders[i],
                    sizeof sandbox->hidden_folders[i]);
        }
    }
    sandbox->hidden_count = kept;
}

void sandbox_hide(struct sandbox *sandbox, const char *folder)
{
    char *resolved = realpath(folder, NULL);

    if (resolved != NULL && strlen(resolved) < sizeof sandbox->hidden_folders[0] &&
        !sandbox_is_hidden(sandbox, resolved)) {
        forget_below(sandbox, resolved);
        assert(sandbox->hidden_count < SANDBOX_HIDDEN_MAX);
        snprintf(sandbox->hidden_folders[sandbox->hidden_count++],
                 sizeof sandbox->hidden_folders[0], "%s", resolved);
    }
    free(resolved);
}
