/* emulated_device.h: opens the emulated backend with one variant of the hot loop, for tests. */
#ifndef GPUGRADE_DEVICE_EMULATED_EMULATED_DEVICE_H
#define GPUGRADE_DEVICE_EMULATED_EMULATED_DEVICE_H

#include "device/device.h"

/* Like device_emulated.open, with the variant of a name ("stepwise", "baseline", ...); NULL takes
 * the best one. Errors: ERROR_UNSUPPORTED if this processor cannot run it. */
enum error emulated_open(const struct device_config *config, const char *variant, void **out_state,
                         struct diagnostic *diagnostic);

#endif
