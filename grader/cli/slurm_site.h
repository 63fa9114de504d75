/* slurm_site.h: what `gpugrade batch --slurm` or `--k8s` asks the cluster for: options, and the
 * site file of a department. See docs/classes.md and `gpugrade help batch`.
 *
 *     {"partition": "teaching", "account": "cs-101", "time": "02:00:00", "memory": "8G",
 *      "gres": "gpu:h200:1", "chunk": 20, "jobs": 4, "options": ["--qos=low"]}
 *
 * All keys are optional; an option on the command line overrides its key. `gres` replaces gpu:1 if
 * speed is graded on a GPU; `options` are passed to sbatch unchanged, last.
 */
#ifndef GPUGRADE_CLI_SLURM_SITE_H
#define GPUGRADE_CLI_SLURM_SITE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "cli/options.h"

struct slurm_site {
    bool is_wanted;                                  /* --slurm or --k8s */
    const char *pod;                                 /* --k8s: its Pod template; NULL: Slurm */
    bool only_takes;                                 /* --slurm-merge */
    bool only_writes;                                /* --no-submit: sbatch is not called */
    const char *partition, *account, *time, *memory; /* NULL: the cluster's default */
    const char *gres;
    size_t chunk; /* submissions of a task; 0: batch_slurm.c chooses */
    size_t jobs;  /* how many a task grades at once, each on a core; -j overrides it */
    const char *const *options; /* [option_count] */
    size_t option_count;
};

/* Reads the options --slurm, --slurm-..., and the site file. Errors, all of them usage:
 * ERROR_SYNTAX, ERROR_RANGE, ERROR_NOT_FOUND, ERROR_IO, ERROR_LIMIT. */
enum error slurm_site_read(struct arena *arena, const struct options *options,
                           struct slurm_site *out_site, struct diagnostic *diagnostic);

#endif
