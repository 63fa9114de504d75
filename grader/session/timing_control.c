/* timing_control.c: see timing_control.h. */
#include "session/timing_control.h"

#include <math.h>
#include <string.h>

void timing_control_note(const struct timing_sample *samples, size_t sample_count,
                         struct timing_control *out_control)
{
    memset(out_control, 0, sizeof *out_control);
    for (size_t i = 0; i < sample_count; i++) {
        const struct timing_sample *sample = &samples[i];
        if (sample->block + 1 == TIMING_CONTROL_BLOCKS && sample->contender < TIMING_ROLES &&
            !sample->is_delayed) {
            double *nanoseconds = &out_control->nanoseconds[sample->contender];
            double *cycles = &out_control->cycles[sample->contender];

            *nanoseconds = fmax(*nanoseconds, sample->nanoseconds);
            *cycles = fmax(*cycles, sample->nanoseconds * sample->clock_mhz);
        }
    }
}

static bool is_slower(const struct timing_control *control, enum timing_role role, double now_ns,
                      double clock_mhz)
{
    double before_ns = control->nanoseconds[role];
    double before_cycles = control->cycles[role];
    bool is_known = before_cycles > 0.0 && clock_mhz > 0.0;

    return before_ns > 0.0 && now_ns > TIMING_CONTROL_SLOWER * before_ns &&
           (!is_known || now_ns * clock_mhz > TIMING_CONTROL_SLOWER * before_cycles);
}

bool timing_control_slower(const struct timing_control *control, const struct timing_run *run)
{
    return is_slower(control, TIMING_BASELINE, run->baseline_ns, run->baseline_low_mhz) ||
           is_slower(control, TIMING_REFERENCE, run->reference_ns, run->reference_low_mhz);
}
