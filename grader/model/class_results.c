/* class_results.c: see class_results.h. */
#include "model/class_results.h"

#include <string.h>
#include <strings.h>

const char *class_state_name(enum class_state state)
{
    static const char *const names[] = {
        [CLASS_GRADED] = "graded",   [CLASS_NOTHING] = "nothing", [CLASS_TROUBLE] = "trouble",
        [CLASS_PENDING] = "pending", [CLASS_MISSING] = "missing",
    };

    return names[state];
}

static const char *const decision_names[] = {
#define DECISION(name, text) text,
#include "model/decisions.def"
#undef DECISION
};

static bool extends(const struct class_decision *decision)
{
    return decision->kind == DECISION_UNTIL || decision->kind == DECISION_DAYS;
}

bool decision_replaces(const struct class_decision *later, const struct class_decision *earlier)
{
    return (extends(later) && extends(earlier)) ||
           (later->kind == DECISION_GRADE && earlier->kind == DECISION_GRADE &&
            strcmp(later->about, earlier->about) == 0);
}

const char *decision_name(enum decision_kind kind)
{
    return decision_names[kind];
}

bool decision_find(const char *name, enum decision_kind *out_kind)
{
    for (int kind = 0; kind < DECISION_COUNT; kind++) {
        if (strcasecmp(decision_names[kind], name) == 0) {
            *out_kind = (enum decision_kind)kind;
            return true;
        }
    }
    return false;
}
