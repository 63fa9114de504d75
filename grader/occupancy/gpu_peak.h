/* gpu_peak.h: the peak rates of a GPU, from its published figures. */
#ifndef GPUGRADE_OCCUPANCY_GPU_PEAK_H
#define GPUGRADE_OCCUPANCY_GPU_PEAK_H

#include "occupancy/occupancy.h"

/* Single-precision multiply-adds that a multiprocessor completes in a clock cycle; 0: a compute
 * capability that is not known. Source: CUDA C++ Programming Guide, "Arithmetic Instructions",
 * table "Throughput of Native Arithmetic Instructions", row "32-bit floating-point add, multiply,
 * multiply-add". */
uint32_t gpu_float_lanes(uint32_t compute_major, uint32_t compute_minor);

/* Floating-point operations per second outside of tensor cores: multiprocessors x lanes x 2 (a
 * multiply-add) x the highest clock; 0: unknown. */
double gpu_peak_operations(const struct gpu_model *model);

/* The same of halves, on tensor cores where the GPU has them; never less. Source: the rates of f16
 * without sparsity in the vendor's data sheets, over multiprocessors and clock. */
double gpu_peak_half_operations(const struct gpu_model *model);

/* Bytes per second of device memory: memory clock x 2 (both edges) x bus width; 0: unknown. */
double gpu_peak_bandwidth(const struct gpu_model *model);

#endif
