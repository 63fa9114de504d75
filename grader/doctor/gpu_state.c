/* gpu_state.c: see gpu_state.h. */
#include "doctor/gpu_state.h"

#include <stdio.h>
#include <string.h>

/* Takes the next field of a line, without the blanks before it; false at the end of the line. */
static bool take_field(const char **rest, char out[GPU_STATE_TEXT_MAX])
{
    const char *at = *rest + strspn(*rest, " ");
    size_t length = strcspn(at, ",\n");

    if (*at == '\0' || *at == '\n') {
        *rest = at;
        return false;
    }
    snprintf(out, GPU_STATE_TEXT_MAX, "%.*s", (int)length, at);
    *rest = at + length + (at[length] == ',' ? 1 : 0);
    return true;
}

static void skip_line(const char **rest)
{
    *rest += strcspn(*rest, "\n");
    *rest += **rest == '\n' ? 1 : 0;
}

bool gpu_state_read(const char **rest, struct gpu_state *out_state)
{
    while (**rest != '\0') {
        struct gpu_state state = {.uuid = ""};
        char more[GPU_STATE_TEXT_MAX];
        bool is_whole = take_field(rest, state.uuid) && take_field(rest, state.persistence) &&
                        take_field(rest, state.mig) && take_field(rest, state.ecc) &&
                        take_field(rest, state.clock) && take_field(rest, state.clock_max) &&
                        take_field(rest, state.temperature) && !take_field(rest, more);
        skip_line(rest);
        if (is_whole) {
            *out_state = state;
            return true;
        }
    }
    return false;
}

size_t gpu_state_programs(const char *list, const char *uuid)
{
    size_t count = 0;

    while (*list != '\0') {
        char first[GPU_STATE_TEXT_MAX] = "";
        count += take_field(&list, first) && strcmp(first, uuid) == 0 ? 1 : 0;
        skip_line(&list);
    }
    return count;
}
