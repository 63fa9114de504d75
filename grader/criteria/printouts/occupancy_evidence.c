/* occupancy_evidence.c: see occupancy_evidence.h. */
#include "criteria/printouts/occupancy_evidence.h"

#include "criteria/kernel_registers.h"
#include "criteria/preconditions/preconditions.h"
#include "occupancy/occupancy_card.h"

#include <inttypes.h>

/* A resource that a kernel does not use allows any number of blocks. */
static void add_limit(struct verdict *verdict, const char *key, uint32_t blocks)
{
    if (blocks < INT32_MAX) {
        verdict_add_integer(verdict, key, blocks);
    } else {
        verdict_add_text(verdict, key, "no limit");
    }
}

static void add_cliff(struct verdict *verdict, struct arena *arena, const char *key,
                      const struct occupancy_card *card, const struct occupancy_cliff *cliff,
                      const char *unit)
{
    if (cliff->change == 0) {
        return;
    }
    verdict_add_text(
        verdict, key,
        arena_printf(arena, "%" PRIu64 " %s and %" PRIu32 " block%s instead of %" PRIu32,
                     cliff->change, unit, cliff->blocks, cliff->blocks == 1 ? " fits" : "s fit",
                     card->fits.active_blocks));
}

/* Adds what the registers decide: how many blocks fit, and how far the next cliffs are. */
static void add_fits(struct verdict *verdict, struct arena *arena,
                     const struct occupancy_card *card)
{
    verdict_add_integer(verdict, "card.resident_blocks", card->fits.active_blocks);
    verdict_add_text(verdict, "card.bound_by", occupancy_limiter_name(card->fits.limiter));
    verdict_add_number(verdict, "card.occupancy", card->occupancy);
    add_limit(verdict, "card.blocks_by_threads", card->fits.limit_warps);
    add_limit(verdict, "card.blocks_by_slots", card->fits.limit_blocks);
    add_limit(verdict, "card.blocks_by_registers", card->fits.limit_registers);
    add_limit(verdict, "card.blocks_by_shared", card->fits.limit_shared);
    add_cliff(verdict, arena, "card.more_registers", card, &card->more_registers,
              card->more_registers.change == 1 ? "register more" : "registers more");
    add_cliff(verdict, arena, "card.fewer_registers", card, &card->fewer_registers,
              card->fewer_registers.change == 1 ? "register fewer" : "registers fewer");
    add_cliff(verdict, arena, "card.more_shared", card, &card->more_shared,
              "bytes of shared memory more");
    add_cliff(verdict, arena, "card.less_shared", card, &card->less_shared,
              "bytes of shared memory less");
}

void add_occupancy_card(const struct criteria_input *input, struct arena *arena, size_t launch,
                        struct verdict *verdict)
{
    const struct kernel_resources *resources = &input->launch_resources[launch];
    const struct observation *seen = first_launched(input, launch);
    const struct kernel_usage usage = {
        .registers = resources->registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    const struct register_range registers = register_range_of(resources);
    struct occupancy_card card;

    if (seen == NULL || resources->registers == 0 ||
        geometry_threads(&seen->geometry) > input->model->max_threads_per_block ||
        !occupancy_card_make(input->model, &usage, (uint32_t)geometry_threads(&seen->geometry),
                             seen->geometry.dynamic_shared_bytes, &card)) {
        return;
    }
    verdict_add_integer(verdict, "card.threads", card.threads);
    register_range_add(&registers, arena, "card.", verdict);
    verdict_add_integer(verdict, "card.shared_bytes", (int64_t)card.shared_bytes);
    if (registers.least == registers.most) {
        add_fits(verdict, arena, &card);
    }
}
