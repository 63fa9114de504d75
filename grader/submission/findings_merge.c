/* findings_merge.c: see findings_merge.h. */
#include "submission/findings_merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finding_list {
    struct arena *arena;
    struct finding *items;
    size_t count;
    size_t capacity;
};

static bool same_places(const struct finding *left, const struct finding *right)
{
    if (left->place_count != right->place_count) {
        return false;
    }
    for (size_t i = 0; i < left->place_count; i++) {
        if (left->places[i].line != right->places[i].line ||
            left->places[i].column != right->places[i].column ||
            strcmp(left->places[i].role, right->places[i].role) != 0 ||
            strcmp(left->places[i].file, right->places[i].file) != 0) {
            return false;
        }
    }
    return true;
}

static void list_add(struct finding_list *list, const struct finding *finding)
{
    for (size_t i = 0; i < list->count; i++) {
        struct finding *old = &list->items[i];
        if (old->code == finding->code && strcmp(old->kernel, finding->kernel) == 0 &&
            strcmp(old->launch, finding->launch) == 0 && same_places(old, finding)) {
            old->count += finding->count;
            return;
        }
    }
    arena_grow(list->arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = *finding;
}

static void list_add_all(struct finding_list *list, const struct finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        list_add(list, &findings[i]);
    }
}

static int compare_findings(const void *left_item, const void *right_item)
{
    const struct finding *left = left_item;
    const struct finding *right = right_item;
    int order = strcmp(left->launch, right->launch);

    if (order == 0 && left->place_count > 0 && right->place_count > 0) {
        order = strcmp(left->places[0].file, right->places[0].file);
        order = order != 0 ? order : left->places[0].line - right->places[0].line;
    }
    return order != 0 ? order : (int)left->code - (int)right->code;
}

void findings_merge(struct arena *arena, const struct rubric *rubric,
                    const struct submission_evidence *evidence, const struct finding **out_findings,
                    size_t *out_count)
{
    struct finding_list list = {.arena = arena};

    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct launch_run *run = &evidence->launch_runs[i];
        for (size_t j = 0; j < run->observation_count; j++) {
            for (size_t k = 0; k < run->observations[j].sample_count; k++) {
                const struct sample *sample = &run->observations[j].samples[k];
                list_add_all(&list, sample->findings, sample->finding_count);
            }
        }
        /* The program's own data shows the same lines again: only what the probes did not see. */
        list_add_all(&list, run->activity.findings, run->activity.finding_count);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        const struct program_activity *activity = &evidence->print_runs[i].activity;
        list_add_all(&list, activity->findings, activity->finding_count);
    }
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof *list.items, compare_findings);
    }
    *out_findings = list.items;
    *out_count = list.count;
}

struct remark_list {
    struct arena *arena;
    struct remark *items;
    size_t count;
    size_t capacity;
};

static void remark_add(struct remark_list *list, struct remark remark)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct remark *old = &list->items[i];
        if (old->line == remark.line && strcmp(old->file, remark.file) == 0 &&
            strcmp(old->message, remark.message) == 0) {
            return;
        }
    }
    arena_grow(list->arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = remark;
}

static void add_warnings(struct remark_list *list, const struct program_build *build)
{
    for (size_t i = 0; i < build->message_count; i++) {
        const struct tool_message *message = &build->messages[i];
        if (!message->is_error) {
            remark_add(list, (struct remark){message->message, message->file, message->line,
                                             message->column});
        }
    }
}

static void add_call_errors(struct remark_list *list, const struct program_activity *activity)
{
    for (size_t i = 0; i < activity->call_error_count; i++) {
        const struct call_error *error = &activity->call_errors[i];
        const char *separator = error->message[0] == '\0' ? "" : ": ";
        remark_add(list, (struct remark){arena_printf(list->arena, "%s gave %s (%d)%s%s",
                                                      error->call, error->name, error->cuda_error,
                                                      separator, error->message),
                                         "", 0, 0});
    }
}

void remarks_collect(struct arena *arena, const struct rubric *rubric,
                     const struct submission_evidence *evidence, const struct remark **out_remarks,
                     size_t *out_count)
{
    struct remark_list list = {.arena = arena};

    for (size_t i = 0; i < rubric->program_count; i++) {
        add_warnings(&list, &evidence->builds[i]);
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        add_call_errors(&list, &evidence->launch_runs[i].activity);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        add_call_errors(&list, &evidence->print_runs[i].activity);
    }
    *out_remarks = list.items;
    *out_count = list.count;
}
