/* gpu_peak.c: see gpu_peak.h. */
#include "occupancy/gpu_peak.h"

#include <stddef.h>

uint32_t gpu_float_lanes(uint32_t compute_major, uint32_t compute_minor)
{
    static const struct {
        uint32_t major, first_minor, last_minor, lanes;
    } rows[] = {
        {5, 0, 3, 128}, {6, 0, 0, 64},  {6, 1, 2, 128},  {7, 0, 5, 64},   {8, 0, 0, 64},
        {8, 6, 9, 128}, {9, 0, 0, 128}, {10, 0, 3, 128}, {11, 0, 0, 128}, {12, 0, 1, 128},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].major == compute_major && rows[i].first_minor <= compute_minor &&
            compute_minor <= rows[i].last_minor) {
            return rows[i].lanes;
        }
    }
    return 0;
}

double gpu_peak_operations(const struct gpu_model *model)
{
    double lanes = gpu_float_lanes(model->compute_major, model->compute_minor);

    return model->multiprocessors * lanes * 2 * model->clock_khz * 1e3;
}

double gpu_peak_bandwidth(const struct gpu_model *model)
{
    return model->memory_clock_khz * 1e3 * 2 * model->memory_bus_bits / 8;
}
