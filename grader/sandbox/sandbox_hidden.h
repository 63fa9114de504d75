/* sandbox_hidden.h: the folders of the system that programs must not see (sandbox_hide). */
#ifndef GPUGRADE_SANDBOX_SANDBOX_HIDDEN_H
#define GPUGRADE_SANDBOX_SANDBOX_HIDDEN_H

#include "sandbox/sandbox.h"

/* True if `path` is `folder` or lies in it; both resolved. */
bool path_lies_in(const char *path, const char *folder);

/* True if a resolved path is a hidden folder, or in one. */
bool sandbox_is_hidden(const struct sandbox *sandbox, const char *path);

/* True if a hidden folder lies in a resolved folder, or is it. */
bool sandbox_holds_hidden(const struct sandbox *sandbox, const char *folder);

#endif
