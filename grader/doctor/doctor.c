/* doctor.c: the order of an examination, and what it comes to; see doctor.h. */
#include "doctor/doctor.h"

#include "base/clock.h"
#include "doctor/doctor_state.h"
#include "wire/device_bound.h"

static void tell(const struct doctor *doctor, const char *stage)
{
    if (doctor->config->progress != NULL) {
        doctor->config->progress(doctor->config->progress_context, stage);
    }
}

/* One line with the one command for all that is missing. */
static void note_packages(struct doctor *doctor)
{
    if (doctor->packages[0] != '\0') {
        doctor_note(doctor, DOCTOR_TOOLS, "packages", DOCTOR_NOTE,
                    arena_printf(doctor->arena, "missing: %s", doctor->packages),
                    arena_printf(doctor->arena, "as root: apt-get install -y %s (Debian, Ubuntu)",
                                 doctor->packages));
    }
}

void doctor_examine(const struct doctor_config *config, struct arena *arena,
                    struct doctor_report *out_report)
{
    struct doctor doctor = {.config = config, .arena = arena, .packages = ""};
    struct doctor_report report = {
        .grader_version = GPUGRADE_VERSION,
        .compiler = "",
        .tier = "",
        .note = "",
        .memory = "",
        .limits = config->limits,
        .device_bytes = config->limits.device_memory_bytes * DEVICE_SHARES + DEVICE_OTHER_BYTES,
        .device_watched_bytes =
            config->limits.device_memory_bytes * DEVICE_WATCHED_SHARES + DEVICE_OTHER_BYTES,
        .device_thread_bytes = DEVICE_THREAD_BYTES,
    };
    uint64_t start_ns = clock_now_ns();

    tell(&doctor, "testing the sandbox");
    doctor_check_tiers(&doctor, &report);
    doctor_check_tools(&doctor);
    note_packages(&doctor);
    doctor_check_folders(&doctor);
    tell(&doctor, "testing what the sandbox must block");
    doctor_check_denials(&doctor, &report);
    tell(&doctor, "grading a small program");
    doctor_check_grading(&doctor, &report);
    tell(&doctor, "checking the GPUs");
    doctor_check_gpus(&doctor, &report);
    doctor_check_timing(&doctor);
    if (doctor.has_toolchain) {
        report.compiler = arena_strdup(arena, doctor.toolchain.compiler.name);
    }
    report.checks = doctor.checks;
    report.check_count = doctor.check_count;
    report.reasons = doctor.reasons;
    report.reason_count = doctor.reason_count;
    report.is_sound = doctor.reason_count == 0;
    report.seconds = (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    *out_report = report;
}
