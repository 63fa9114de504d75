/* rubric.c: names and sizes of what rubrics and observations are made of. */
#include "model/rubric.h"

#include "model/observation.h"

#include <assert.h>
#include <string.h>

const char *criterion_kind_name(enum criterion_kind kind)
{
    static const char *const names[] = {
#define CRITERION(name, text, ...) text,
#include "model/criteria.def"
#undef CRITERION
    };

    assert((unsigned)kind < CRITERION_COUNT);
    return names[kind];
}

const char *probe_name(enum probe_kind kind)
{
    static const char *const names[] = {
#define PROBE(name, text) text,
#include "model/probes.def"
#undef PROBE
    };

    assert((unsigned)kind < PROBE_COUNT);
    return names[kind];
}

enum probe_kind probe_inputs(enum probe_kind kind)
{
    return kind == PROBE_REORDERED ? PROBE_EXACT : kind;
}

bool call_is_program(const char *call)
{
    return call != NULL && strcmp(call, "main") == 0;
}

bool launch_is_program(const struct rubric_launch *launch)
{
    return call_is_program(launch->call);
}

bool rubric_wants_dynamic(const struct rubric *rubric, size_t launch)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        bool counts_bytes =
            criterion->kind == CRITERION_DYNAMIC || criterion->kind == CRITERION_BLOCK_SIZE;
        if (counts_bytes && criterion->has_launch && criterion->launch == launch) {
            return true;
        }
    }
    return false;
}

bool rubric_counts_baseline(const struct rubric *rubric, size_t launch)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == CRITERION_SAVED_LOADS && criterion->baseline == launch) {
            return true;
        }
    }
    return false;
}

bool operand_has_values(const struct rubric_operand *operand)
{
    return operand->role == OPERAND_INPUT || operand->role == OPERAND_IN_PLACE;
}

bool operand_is_result(const struct rubric_operand *operand)
{
    return operand->role == OPERAND_OUTPUT || operand->role == OPERAND_IN_PLACE;
}

size_t operand_lanes(const struct rubric_operand *operand)
{
    return operand->lanes > 1 ? operand->lanes : 1;
}

bool rubric_hides(const struct rubric *rubric)
{
    return rubric->hidden_case_count > 0 || rubric->hidden_criterion_count > 0;
}

struct rubric rubric_public_view(const struct rubric *rubric)
{
    struct rubric view = *rubric;

    view.case_count -= rubric->hidden_case_count;
    view.criterion_count -= rubric->hidden_criterion_count;
    view.hidden_case_count = 0;
    view.hidden_criterion_count = 0;
    memcpy(view.sha256, rubric->public_sha256, sizeof view.sha256);
    return view;
}

struct rubric rubric_hidden_view(const struct rubric *rubric)
{
    struct rubric view = *rubric;

    view.cases += rubric->case_count - rubric->hidden_case_count;
    view.case_count = rubric->hidden_case_count;
    return view;
}
