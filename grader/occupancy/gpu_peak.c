/* gpu_peak.c: see gpu_peak.h. */
#include "occupancy/gpu_peak.h"

#include <stddef.h>

/* Multiply-adds that a multiprocessor completes in a clock cycle. */
struct lanes {
    uint32_t major, first_minor, last_minor;
    uint32_t floats, halves; /* halves on tensor cores; 0: it has none */
};

static const struct lanes *find_lanes(uint32_t compute_major, uint32_t compute_minor)
{
    static const struct lanes rows[] = {
        {5, 0, 3, 128, 0},    {6, 0, 0, 64, 0},      {6, 1, 2, 128, 0},     {7, 0, 5, 64, 512},
        {8, 0, 0, 64, 1024},  {8, 6, 6, 128, 512},   {8, 7, 7, 128, 1024},  {8, 8, 9, 128, 512},
        {9, 0, 0, 128, 2048}, {10, 0, 3, 128, 4096}, {11, 0, 0, 128, 4096}, {12, 0, 1, 128, 512},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].major == compute_major && rows[i].first_minor <= compute_minor &&
            compute_minor <= rows[i].last_minor) {
            return &rows[i];
        }
    }
    return NULL;
}

uint32_t gpu_float_lanes(uint32_t compute_major, uint32_t compute_minor)
{
    const struct lanes *lanes = find_lanes(compute_major, compute_minor);

    return lanes != NULL ? lanes->floats : 0;
}

/* A multiply-add is two operations. */
static double peak_of(const struct gpu_model *model, uint32_t lanes)
{
    return model->multiprocessors * (double)lanes * 2 * model->clock_khz * 1e3;
}

double gpu_peak_operations(const struct gpu_model *model)
{
    return peak_of(model, gpu_float_lanes(model->compute_major, model->compute_minor));
}

double gpu_peak_half_operations(const struct gpu_model *model)
{
    const struct lanes *lanes = find_lanes(model->compute_major, model->compute_minor);

    return lanes != NULL && lanes->halves > 0 ? peak_of(model, lanes->halves)
                                              : gpu_peak_operations(model);
}

double gpu_peak_bandwidth(const struct gpu_model *model)
{
    return model->memory_clock_khz * 1e3 * 2 * model->memory_bus_bits / 8;
}
