/* findings_merge.c: see findings_merge.h. */
#include "submission/findings_merge.h"

#include "base/hash_index.h"
#include "criteria/case_text.h"

#include <stdlib.h>
#include <string.h>

/* Where a finding comes from: one shape of a launch. */
struct origin {
    const char *shape;  /* NULL: the program's own data */
    uint32_t number;    /* of the shape, from 1 */
    uint32_t of_shapes; /* that were probed */
    bool is_again;      /* counted before, if the list has it */
};

struct finding_list {
    struct arena *arena;
    struct finding *items;
    uint32_t *last_shapes; /* [capacity] the number of the last shape that was counted */
    size_t count;
    size_t capacity, shapes_capacity;
    struct hash_index index; /* of the items, by finding_hash() */
};

/* Counts the shape that a finding was seen in, each shape once. */
static void note_shape(struct finding *merged, uint32_t *last_shape, const struct origin *origin)
{
    if (origin->shape == NULL || *last_shape == origin->number) {
        return;
    }
    *last_shape = origin->number;
    merged->shapes++;
    merged->of_shapes = origin->of_shapes;
    merged->first_shape = merged->first_shape == NULL ? origin->shape : merged->first_shape;
}

static void list_add(struct finding_list *list, const struct finding *finding,
                     const struct origin *origin)
{
    uint64_t hash = finding_hash(finding);
    size_t at = hash_index_first(&list->index, hash);
    while (at != HASH_INDEX_NONE && !finding_is_same(&list->items[at], finding)) {
        at = hash_index_next(&list->index, at);
    }
    if (at != HASH_INDEX_NONE) {
        list->items[at].count += origin->is_again ? 0 : finding->count;
        note_shape(&list->items[at], &list->last_shapes[at], origin);
        return;
    }
    hash_index_add(&list->index, list->arena, hash);
    arena_grow(list->arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
    arena_grow(list->arena, &list->last_shapes, &list->shapes_capacity, list->count + 1,
               sizeof *list->last_shapes);
    list->items[list->count] = *finding;
    list->last_shapes[list->count] = 0;
    note_shape(&list->items[list->count], &list->last_shapes[list->count], origin);
    list->count++;
}

static void list_add_all(struct finding_list *list, const struct finding *findings, size_t count,
                         const struct origin *origin)
{
    for (size_t i = 0; i < count; i++) {
        list_add(list, &findings[i], origin);
    }
}

/* All probes of one launch. */
static void list_add_launch(struct finding_list *list, const struct rubric *rubric, size_t launch,
                            const struct launch_run *run)
{
    const struct criteria_input input = {.rubric = rubric};
    struct origin origin = {.number = 0};

    for (size_t i = 0; i < run->observation_count; i++) {
        origin.of_shapes += run->observations[i].sample_count > 0 ? 1 : 0;
    }
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        origin.number++;
        origin.shape =
            observation->sample_count == 0
                ? NULL
                : shape_text(&input, list->arena, &rubric->launches[launch], observation);
        for (size_t j = 0; j < observation->sample_count; j++) {
            list_add_all(list, observation->samples[j].findings,
                         observation->samples[j].finding_count, &origin);
        }
    }
}

/* What only a real GPU showed, beside the emulated device. */
static void list_add_gpu(struct finding_list *list, const struct rubric *rubric,
                         const struct submission_evidence *evidence)
{
    const struct origin own_data = {.shape = NULL};

    for (size_t i = 0; i < rubric->printout_count && evidence->gpu_print_runs != NULL; i++) {
        const struct program_activity *activity = &evidence->gpu_print_runs[i].activity;
        list_add_all(list, activity->findings, activity->finding_count, &own_data);
    }
    for (size_t i = 0; i < rubric->criterion_count && evidence->timings != NULL; i++) {
        const struct timing_run *timing = &evidence->timings[i];
        list_add_all(list, timing->findings, timing->finding_count, &own_data);
        list_add_all(list, timing->activity.findings, timing->activity.finding_count, &own_data);
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
    const struct origin own_data = {.shape = NULL};
    struct finding_list list = {.arena = arena};

    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct launch_run *run = &evidence->launch_runs[i];
        list_add_launch(&list, rubric, i, run);
        /* The program's own data shows the same lines again: only what the probes did not see. What
         * was found in a call is in the run's list too. */
        const struct origin of_run = {.is_again = rubric->launches[i].call != NULL};
        list_add_all(&list, run->activity.findings, run->activity.finding_count, &of_run);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        const struct program_activity *activity = &evidence->print_runs[i].activity;
        list_add_all(&list, activity->findings, activity->finding_count, &own_data);
    }
    list_add_gpu(&list, rubric, evidence);
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof *list.items, compare_findings);
    }
    *out_findings = list.items;
    *out_count = list.count;
}
