/* run_facts.c: see run_facts.h. */
#include "batch/run_facts.h"

#include <string.h>

void run_machine(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->device_count; i++) {
        const struct report_device *device = &report->devices[i];
        text_printf(out, "%s%s %s", i > 0 ? ", " : "", device->kind, device->gpu_model);
        if (device->driver_version > 0) {
            text_printf(out, " (driver %u.%u)", device->driver_version / 1000,
                        device->driver_version % 1000 / 10);
        }
    }
    const char *tier = text_or_empty(report->sandbox.tier);
    text_append(out, report->device_count > 0 ? "; " : "");
    if (tier[0] == '\0') {
        text_append(out, "nothing was run");
    } else {
        text_printf(out, "sandbox %s, %s", tier, text_or_empty(report->sandbox.memory));
    }
    text_printf(out, "; %s", text_or_empty(report->compiler));
}

bool code_find(const char *id, enum code *out_code)
{
    for (unsigned i = 0; i < CODE_COUNT; i++) {
        if (strcmp(code_id((enum code)i), id) == 0) {
            *out_code = (enum code)i;
            return true;
        }
    }
    return false;
}

bool status_find(const char *name, enum status *out_status)
{
    for (unsigned i = STATUS_PASSED; i < STATUSES; i++) {
        if (strcmp(status_name((enum status)i), name) == 0) {
            *out_status = (enum status)i;
            return true;
        }
    }
    return false;
}
