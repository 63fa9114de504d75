/* doctor_state.c: what an examination notes; see doctor_state.h. */
#include "doctor/doctor_state.h"

#include <stdarg.h>
#include <stdio.h>

void doctor_reason(struct doctor *doctor, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    arena_grow(doctor->arena, &doctor->reasons, &doctor->reason_capacity, doctor->reason_count + 1,
               sizeof *doctor->reasons);
    doctor->reasons[doctor->reason_count++] = arena_strdup(doctor->arena, text);
}

void doctor_note(struct doctor *doctor, enum doctor_group group, const char *name,
                 enum doctor_status status, const char *found, const char *advice)
{
    arena_grow(doctor->arena, &doctor->checks, &doctor->check_capacity, doctor->check_count + 1,
               sizeof *doctor->checks);
    doctor->checks[doctor->check_count++] = (struct doctor_check){
        .group = group,
        .name = arena_strdup(doctor->arena, name),
        .status = status,
        .found = arena_strdup(doctor->arena, found),
        .advice = arena_strdup(doctor->arena, advice),
    };
    if (status == DOCTOR_FAIL) {
        doctor_reason(doctor, "%s: %s", name, found);
    }
}

void doctor_miss(struct doctor *doctor, const char *package)
{
    doctor->packages = arena_printf(doctor->arena, "%s%s%s", doctor->packages,
                                    doctor->packages[0] == '\0' ? "" : " ", package);
}
