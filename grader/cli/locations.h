/* locations.h: where the grader's own files are. There are two layouts, recognised from the files
 * next to the program:
 *
 *     in the build folder                   installed, wherever <prefix> has been moved to
 *     <build>/bin/gpugrade                  <prefix>/bin/gpugrade
 *     <build>/bin/gpugrade-device, ...      <prefix>/libexec/gpugrade/gpugrade-device, ...
 *     <build>/lib/libcudart.so.N            <prefix>/lib/gpugrade/libcudart.so.N
 *     <build>/../rubrics, reference, ...    <prefix>/share/gpugrade/rubrics, reference, ...
 *
 * The launcher sets GPUGRADE_ROOT to the folder of the last line, since the build folder may be
 * anywhere. gpugrade never writes there.
 */
#ifndef GPUGRADE_CLI_LOCATIONS_H
#define GPUGRADE_CLI_LOCATIONS_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "sandbox/sandbox.h"
#include "toolchain/toolchain.h"

struct locations {
    const char *root;           /* absolute; has rubrics/, reference/ and student_template/ */
    const char *program;        /* gpugrade itself */
    const char *helper_folder;  /* contains gpugrade-device, -jail, -unpack, -clang and
                                  -sandbox-probe */
    const char *device_path;    /* gpugrade-device */
    const char *library_folder; /* contains gpugrade's own libcudart */
    const char *header_folder;  /* contains gpugrade's own cuda_runtime.h */
};

/* Finds them by the path of this executable; $GPUGRADE_ROOT overrides the root of either layout.
 * Errors: ERROR_ENVIRONMENT with what is missing. */
enum error locations_find(struct arena *arena, struct locations *out_locations,
                          struct diagnostic *diagnostic);

/* The command that starts gpugrade, quoted for a shell; the launcher passes GPUGRADE_COMMAND. */
const char *locations_command(struct arena *arena);

/* The value of --compiler; NULL: it is not given. */
enum compiler_kind compiler_of(const char *word);

/* What toolchain_init needs; the cache is the usual one. */
struct toolchain_setup locations_toolchain(const struct locations *locations,
                                           enum compiler_kind compiler,
                                           const struct sandbox *sandbox);

/* Finds out how programs can be confined here, as sandbox_init does, and hides the reference
 * solutions from them. */
enum error locations_sandbox(const struct locations *locations, enum sandbox_tier wanted,
                             struct sandbox *out_sandbox, struct diagnostic *diagnostic);

/* Hides reference solutions from programs: those of the root, of both layouts that gpugrade may be
 * in, and of a gpugrade installed in one of the usual places. */
void locations_hide(const struct locations *locations, struct sandbox *sandbox);

/* The same as locations_find, for a given executable and a given root (NULL: that of the layout).
 */
enum error locations_of(struct arena *arena, const char *executable, const char *root,
                        struct locations *out_locations, struct diagnostic *diagnostic);

#endif
