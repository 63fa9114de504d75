/* step_watch.c: see step_watch.h. */
#include "device/emulated/exec/step_watch.h"

#include "device/emulated/exec/grid_run.h"

#include <stdlib.h>
#include <string.h>

/* After so many launches no further one is looked at: each takes longer by that. */
enum { LAUNCHES_MAX = 64 };

void step_watch_init(struct step_watch *watch)
{
    *watch = (struct step_watch){.running = NULL};
    text_init(&watch->packed);
}

void step_watch_release(struct step_watch *watch)
{
    step_log_free(watch->running);
    text_release(&watch->packed);
}

static uint64_t linear_block(const uint32_t grid[3], const uint32_t block[3])
{
    return block[0] + (uint64_t)grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
}

static bool is_inside(const uint32_t grid[3], const uint32_t block[3])
{
    return block[0] < grid[0] && block[1] < grid[1] && block[2] < grid[2];
}

/* The block of the first finding that has a place; false if there is none. */
static bool find_guilty(const struct launch *launch, const struct grid_outcome *outcome,
                        uint64_t *out_block)
{
    size_t count = 0;
    struct finding_record *findings = finding_table_records(&outcome->findings, launch, &count);
    size_t i = 0;

    while (i < count && findings[i].place_count == 0) {
        i++;
    }
    if (i < count) {
        *out_block = linear_block(launch->request->grid, findings[i].places[0].block);
    }
    free(findings);
    return i < count;
}

bool step_watch_begin(struct step_watch *watch, struct launch *launch, uint64_t resident_max)
{
    const uint32_t *grid = launch->request->grid;
    const struct device_step_wish *wish = &watch->wish;
    struct grid_outcome outcome;
    uint64_t block = 0;

    if (watch->seen.has_finding || watch->looked == LAUNCHES_MAX ||
        (wish->has_block && !is_inside(grid, wish->block))) {
        return false;
    }
    watch->looked++;
    watch->has_finding = false;
    if (grid_rehearse(launch, resident_max, &outcome)) {
        watch->has_finding = find_guilty(launch, &outcome, &block);
        grid_outcome_release(&outcome);
    }
    if (watch->seen.is_there && !watch->has_finding) {
        return false;
    }
    watch->running =
        step_log_new(launch->code, wish->has_block ? linear_block(grid, wish->block) : block);
    step_log_tap(watch->running, launch);
    return true;
}

void step_watch_end(struct step_watch *watch, const struct launch *launch)
{
    const struct device_launch *request = launch->request;
    struct step_log *log = watch->running;
    struct text *packed = &watch->packed;

    text_clear(packed);
    text_append_bytes(packed, log->records.bytes, log->records.length);
    text_append_bytes(packed, log->tap.places.bytes, log->tap.places.length);
    for (size_t i = 0; i < log->region_count; i++) {
        step_region_pack(&log->regions[i], packed);
    }
    watch->seen = (struct device_steps){
        .is_there = true,
        .has_finding = watch->has_finding,
        .module = request->module,
        .function = request->function,
        .block_index = {(uint32_t)(log->block % request->grid[0]),
                        (uint32_t)(log->block / request->grid[0] % request->grid[1]),
                        (uint32_t)(log->block / request->grid[0] / request->grid[1])},
        .shared_bytes = launch->shared_bytes,
        .kept = log->kept,
        .total = log->total,
        .records = packed->bytes,
        .record_bytes = log->records.length,
        .place_count = log->tap.place_count,
        .region_count = log->region_count,
    };
    memcpy(watch->seen.grid, request->grid, sizeof watch->seen.grid);
    memcpy(watch->seen.block, request->block, sizeof watch->seen.block);
    step_log_free(log);
    watch->running = NULL;
}
