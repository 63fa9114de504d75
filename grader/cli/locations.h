/* locations.h: where the grader's own files are.
 *
 *     <root>/rubrics, <root>/reference, <root>/student_template
 *     <prefix>/bin/gpugrade, gpugrade-device, gpugrade-jail, gpugrade-unpack
 *                                           <prefix> is <root>/build, as a rule
 *     <prefix>/lib/libcudart.so.N
 */
#ifndef GPUGRADE_CLI_LOCATIONS_H
#define GPUGRADE_CLI_LOCATIONS_H

#include "base/arena.h"
#include "base/diagnostic.h"

struct locations {
    const char *root;           /* absolute */
    const char *helper_folder;  /* holds the other programs of bin */
    const char *device_path;    /* gpugrade-device */
    const char *library_folder; /* holds the stand-in libcudart */
};

/* Finds them: the root from $GPUGRADE_ROOT (which the launcher sets) or two folders above this
 * executable's; the rest beside the executable. Errors: ERROR_ENVIRONMENT with what is missing. */
enum error locations_find(struct arena *arena, struct locations *out_locations,
                          struct diagnostic *diagnostic);

#endif
