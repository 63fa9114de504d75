/* ptx_target.h: which GPUs have an instruction, by targets.def. */
#ifndef GPUGRADE_PTX_PTX_TARGET_H
#define GPUGRADE_PTX_PTX_TARGET_H

#include "ptx/ptx.h"

/* Returns the least number after ".target sm_" that an instruction needs, whether the parser knows
 * it or not; 0: any. Then *out_feature is what of it needs that: "cp.async" or ".bf16". */
unsigned ptx_target_needed(const struct ptx_instruction *instruction, const char **out_feature);

#endif
