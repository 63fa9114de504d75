/* known_code.h: the device code that any submission of a coursework may contain: that of the
 * template and of the reference solution.
 */
#ifndef GPUGRADE_SUBMISSION_KNOWN_CODE_H
#define GPUGRADE_SUBMISSION_KNOWN_CODE_H

#include "base/arena.h"
#include "model/device_code.h"
#include "toolchain/toolchain.h"

/* Builds both, or takes them from the cache, all programs at once, in `work_folder` (a private
 * folder of the grader). *out_codes: [*out_count], one for each that builds. *out_remark is about
 * the first that does not, or "". Everything lives in the arena. */
void known_code_make(const struct toolchain *toolchain, const struct rubric *rubric,
                     const char *work_folder, struct arena *arena,
                     const struct device_code **out_codes, size_t *out_count,
                     const char **out_remark);

#endif
