/* machine_check.c: what of this machine makes times noisy; see doctor_state.h. Nothing here makes
 * grading unsound. */
#include "doctor/doctor_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A load above this share of the processors is somebody else's work. */
static const double LOAD_SHARE = 0.5;

/* Reads the first line of a file of the kernel; false if there is none. */
static bool read_line(const char *path, char *out, int capacity)
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        return false;
    }
    bool is_read = fgets(out, capacity, file) != NULL;
    fclose(file);
    out[is_read ? strcspn(out, "\n") : 0] = '\0';
    return is_read;
}

static void note_governor(struct doctor *doctor)
{
    char governor[64];

    if (!read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
                   sizeof governor)) {
        doctor_note(doctor, DOCTOR_TIMING, "governor", DOCTOR_NOTE,
                    "not shown here; clocks may be set by the host", "");
        return;
    }
    bool is_steady = strcmp(governor, "performance") == 0;
    doctor_note(doctor, DOCTOR_TIMING, "governor", is_steady ? DOCTOR_PASS : DOCTOR_NOTE, governor,
                is_steady ? "" : "as root: cpupower frequency-set -g performance");
}

static void note_clock(struct doctor *doctor)
{
    char source[64];

    if (!read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
                   sizeof source)) {
        doctor_note(doctor, DOCTOR_TIMING, "clock", DOCTOR_NOTE, "its source is not shown here",
                    "");
        return;
    }
    bool is_fast = strcmp(source, "tsc") == 0 || strcmp(source, "arch_sys_counter") == 0;
    doctor_note(doctor, DOCTOR_TIMING, "clock", is_fast ? DOCTOR_PASS : DOCTOR_NOTE, source,
                is_fast ? "" : "reading the time is slow with this clock source");
}

static void note_load(struct doctor *doctor)
{
    double load = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (getloadavg(&load, 1) != 1 || processors < 1) {
        doctor_note(doctor, DOCTOR_TIMING, "load", DOCTOR_NOTE, "not shown here", "");
        return;
    }
    bool is_idle = load <= LOAD_SHARE * (double)processors;
    doctor_note(doctor, DOCTOR_TIMING, "load", is_idle ? DOCTOR_PASS : DOCTOR_NOTE,
                arena_printf(doctor->arena, "%.2f on %ld processor%s", load, processors,
                             processors == 1 ? "" : "s"),
                is_idle ? "" : "other work slows grading down, so it may reach its time limits");
}

void doctor_check_timing(struct doctor *doctor)
{
    note_governor(doctor);
    note_clock(doctor);
    note_load(doctor);
}
