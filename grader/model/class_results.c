/* class_results.c: see class_results.h. */
#include "model/class_results.h"

const char *class_state_name(enum class_state state)
{
    static const char *const names[] = {
        [CLASS_GRADED] = "graded",   [CLASS_NOTHING] = "nothing", [CLASS_TROUBLE] = "trouble",
        [CLASS_PENDING] = "pending", [CLASS_MISSING] = "missing",
    };

    return names[state];
}
