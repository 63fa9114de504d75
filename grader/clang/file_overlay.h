/* file_overlay.h: what clang sees at a path instead of what is there (-ivfsoverlay). */
#ifndef GPUGRADE_CLANG_FILE_OVERLAY_H
#define GPUGRADE_CLANG_FILE_OVERLAY_H

#include "clang/nvcc_options.h"

#include <cjson/cJSON.h>

struct file_overlay {
    cJSON *root;
};

void file_overlay_init(struct file_overlay *overlay);
void file_overlay_drop(struct file_overlay *overlay);

/* Shows `contents`, a file or a folder, at the absolute path `path`. */
void file_overlay_add(struct file_overlay *overlay, const char *path, const char *contents,
                      bool is_folder);

/* Writes the overlay to a file and has clang read it; then it is dropped. Errors: ERROR_IO. */
enum error file_overlay_use(struct file_overlay *overlay, struct arena *arena,
                            struct compile_plan *plan, const char *file,
                            struct diagnostic *diagnostic);

#endif
