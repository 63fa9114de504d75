/* intake_folder.h: reads a student's folder. */
#ifndef GPUGRADE_SUBMISSION_INTAKE_FOLDER_H
#define GPUGRADE_SUBMISSION_INTAKE_FOLDER_H

#include "submission/intake_list.h"

/* Adds everything below the folder to the list. Every entry is opened relative to its folder's
 * descriptor, and no link below `path` is followed, even if entries are replaced meanwhile. So
 * nothing outside the tree is reached. Links, pipes, sockets and devices become strays. Errors:
 * ERROR_NOT_FOUND, ERROR_IO (both blame usage), those of intake_list.h. */
enum error intake_read_folder(struct intake_list *list, const char *path,
                              struct diagnostic *diagnostic);

#endif
