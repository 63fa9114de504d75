/* gpu_model_record.h: a GPU model as bytes, sent between the grader and the device process. */
#ifndef GPUGRADE_OCCUPANCY_GPU_MODEL_RECORD_H
#define GPUGRADE_OCCUPANCY_GPU_MODEL_RECORD_H

#include "occupancy/occupancy.h"

enum { GPU_MODEL_RECORD_BYTES = 512 };

/* Packs all fields, little endian; the rest is 0. */
void gpu_model_pack(const struct gpu_model *model, uint8_t out[GPU_MODEL_RECORD_BYTES]);

/* Reads one; false if the length or the names are not valid, or if a limit that later code divides
 * by or sizes arrays with is 0 or absurd (warp size other than 32, no multiprocessor, ...). */
bool gpu_model_unpack(const uint8_t *bytes, size_t length, struct gpu_model *out_model);

#endif
