/* occupancy_card.c: see occupancy_card.h. */
#include "occupancy/occupancy_card.h"

/* The kernel whose blocks are counted. */
struct kernel_on_model {
    const struct gpu_model *model;
    const struct kernel_usage *usage;
    uint32_t threads;
};

static bool fit_on_model(void *context, uint32_t registers, uint64_t shared_bytes,
                         struct occupancy_result *out_fits)
{
    const struct kernel_on_model *kernel = context;
    const struct kernel_usage usage = {
        .registers = registers,
        .max_threads_per_block = kernel->usage->max_threads_per_block,
        .optin_shared = true,
        .max_dynamic_shared_bytes = kernel->model->shared_per_block_optin_bytes,
    };
    struct diagnostic unheard;

    return occupancy_active_blocks(kernel->model, &usage, kernel->threads, shared_bytes, out_fits,
                                   &unheard) == ERROR_NONE;
}

/* One direction in which a resource is changed. */
struct direction {
    occupancy_fit fit;
    void *context;
    uint32_t registers;
    uint64_t shared_bytes;
    bool of_registers, upwards;
};

/* Blocks that fit after a change; `now` where nobody can say. */
static uint32_t blocks_after(const struct direction *to, uint64_t change, uint32_t now)
{
    struct occupancy_result fits;
    uint64_t shared = to->shared_bytes;
    uint32_t registers = to->registers;

    if (to->of_registers) {
        registers = to->upwards ? registers + (uint32_t)change : registers - (uint32_t)change;
    } else {
        shared = to->upwards ? shared + change : shared - change;
    }
    return to->fit(to->context, registers, shared, &fits) ? fits.active_blocks : now;
}

/* The smallest change up to `most` after which another number of blocks fits, by halving. */
static struct occupancy_cliff find_cliff(const struct direction *to, uint64_t most, uint32_t now)
{
    uint64_t same = 0;
    uint64_t other = most;

    if (most == 0 || blocks_after(to, most, now) == now) {
        return (struct occupancy_cliff){0, now};
    }
    while (other - same > 1) {
        uint64_t middle = same + (other - same) / 2;
        if (blocks_after(to, middle, now) == now) {
            same = middle;
        } else {
            other = middle;
        }
    }
    return (struct occupancy_cliff){other, blocks_after(to, other, now)};
}

bool occupancy_card_explore(occupancy_fit fit, void *context, uint32_t registers,
                            uint64_t shared_bytes, uint64_t shared_max_bytes,
                            struct occupancy_card *out_card)
{
    struct occupancy_card card = {.registers = registers, .shared_bytes = shared_bytes};
    struct direction to = {fit, context, registers, shared_bytes, true, true};

    if (!fit(context, registers, shared_bytes, &card.fits)) {
        return false;
    }
    uint32_t now = card.fits.active_blocks;
    uint64_t registers_left =
        registers < REGISTERS_PER_THREAD_MAX ? REGISTERS_PER_THREAD_MAX - registers : 0;
    card.more_registers = find_cliff(&to, registers_left, now);
    to.upwards = false;
    card.fewer_registers = find_cliff(&to, registers > 1 ? registers - 1 : 0, now);
    to.of_registers = false;
    card.less_shared = find_cliff(&to, shared_bytes, now);
    to.upwards = true;
    card.more_shared =
        find_cliff(&to, shared_max_bytes > shared_bytes ? shared_max_bytes - shared_bytes : 0, now);
    *out_card = card;
    return true;
}

bool occupancy_card_make(const struct gpu_model *model, const struct kernel_usage *usage,
                         uint32_t block_threads, uint64_t dynamic_shared_bytes,
                         struct occupancy_card *out_card)
{
    struct kernel_on_model kernel = {model, usage, block_threads};
    uint64_t shared = 0;
    struct occupancy_card card;

    if (__builtin_add_overflow(usage->static_shared_bytes, dynamic_shared_bytes, &shared) ||
        !occupancy_card_explore(fit_on_model, &kernel, usage->registers, shared,
                                model->shared_per_block_optin_bytes, &card)) {
        return false;
    }
    uint32_t warps = (block_threads + model->warp_size - 1) / model->warp_size;
    card.threads = block_threads;
    card.occupancy = (double)card.fits.active_blocks * warps * model->warp_size /
                     (double)model->max_threads_per_multiprocessor;
    *out_card = card;
    return true;
}
