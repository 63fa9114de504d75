/* check_request.h: what `gpugrade check` was asked for. Everything that can be known before
 * anything runs is resolved. */
#ifndef GPUGRADE_CLI_CHECK_REQUEST_H
#define GPUGRADE_CLI_CHECK_REQUEST_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/shell_word.h"
#include "cli/locations.h"
#include "cli/options.h"
#include "model/rubric.h"
#include "sandbox/sandbox.h"
#include "submission/intake.h"
#include "submission/submission_config.h"

#include <stdbool.h>
#include <stdint.h>

struct step_target;

struct check_request {
    struct locations locations;
    const char *name; /* of the submission, as typed; with GPUGRADE_AGAIN the last part of path */
    const char *path; /* absolute: a folder or an archive */
    bool is_archive;
    const char *coursework;  /* NULL: recognised from the files, unless a rubric is named */
    const char *rubric_path; /* NULL: none */
    enum device_mode device;
    const char *gpu_model;   /* NULL: the real GPU's, or else the rubric's */
    const char *const *gpus; /* [gpu_count] the words of --gpus */
    size_t gpu_count;
    bool is_precise;
    uint64_t seed;
    const char *only;               /* NULL: all */
    const char *json_path;          /* NULL: none; "-": standard output */
    const char *html_path;          /* NULL: none */
    const struct step_target *step; /* NULL: no block is replayed */
    int score_fd;                   /* the score is also written here; -1: nowhere */
    bool instructor;
    enum sandbox_tier tier;
    enum compiler_kind compiler;
    const char *color; /* "auto", "always" or "never" */
    bool verbose;
    const char *again;         /* the command that repeats this check, without criterion and seed */
    const char *again_student; /* the same without the rubric, which students may not have; NULL:
                                  `again` is GPUGRADE_AGAIN */
};

/* Resolves the options; everything lives in the arena. The diagnostic reports errors. */
enum error check_request_make(struct arena *arena, const struct options *options,
                              struct check_request *out_request, struct diagnostic *diagnostic);

/* Resolves only the part that does not depend on a submission: rubric, devices, seed, sandbox,
 * colour. The rest is left empty. */
enum error check_request_shared(struct arena *arena, const struct options *options,
                                struct check_request *out_request, struct diagnostic *diagnostic);

/* Reads the submission and finds its rubric. An archive is unpacked in the sandbox, in the work
 * folder; for a folder both may be NULL. The diagnostic reports errors. */
enum error check_request_take(struct arena *arena, const struct check_request *request,
                              const struct sandbox *sandbox, const char *work_folder,
                              struct intake_files *out_files, const struct rubric **out_rubric,
                              struct diagnostic *diagnostic);

/* Reads up to 16 hexadecimal digits, with or without "0x". */
bool seed_parse(const char *text, uint64_t *out_seed);

#endif
