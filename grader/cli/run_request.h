/* run_request.h: what `gpugrade run` was asked for. Everything that can be known before anything
 * runs is resolved. */
#ifndef GPUGRADE_CLI_RUN_REQUEST_H
#define GPUGRADE_CLI_RUN_REQUEST_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "cli/locations.h"
#include "cli/options.h"
#include "occupancy/occupancy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct step_target;

struct run_request {
    struct locations locations;
    const char *name;             /* of the program or source, as typed */
    const char *path;             /* where it is; does not start with a dash */
    bool is_source;               /* a .cu file, to be built */
    const char *const *arguments; /* [argument_count] and NULL: of the program */
    size_t argument_count;
    bool is_gpu;                  /* on a real GPU, whose model is not known yet */
    const char *gpu;              /* which: a number, or the beginning of a UUID; NULL: the first */
    struct gpu_model model;       /* of the emulated device */
    uint64_t device_memory_bytes; /* 0: all of the real GPU's */
    uint64_t launch_ns;
    uint64_t launch_work; /* units; 0: no limit */
    uint64_t seed;        /* of the order of blocks and warps; 0: in order */
    bool checks_global_memory;
    const char *folder;             /* absolute: where the user is */
    const char *temporary_folder;   /* the user's TMPDIR; NULL: not set */
    const char *json_path;          /* NULL: none */
    const struct step_target *step; /* NULL: no block is replayed */
    enum compiler_kind compiler;
    const char *color; /* "auto", "always" or "never" */
    bool verbose;
    bool shows_fixes; /* changes of the source are tried */
};

/* Resolves the options; everything lives in the arena. The diagnostic reports errors. */
enum error run_request_make(struct arena *arena, const struct options *options,
                            struct run_request *out_request, struct diagnostic *diagnostic);

#endif
