/* register_pressure.c: see register_pressure.h. Liveness as everybody computes it: backwards, by
 * blocks, until nothing changes. Only values that live across blocks take part in the sets. */
#include "ptx/register_pressure.h"

#include "ptx/block_schedule.h"

#define SET_WORDS_MAX ((size_t)1 << 22)
enum { ROUNDS_MAX = 256, WORD_BITS = 64 };

/* A loop of one block is written out that often, unless it is longer than that. */
enum { COPIES = 4, UNROLLED_STEPS_MAX = 400 };

struct liveness {
    struct arena *arena;
    const struct kernel_flow *flow;
    uint32_t *place;  /* [registers] in the sets plus 1; 0: it lives in one block alone */
    uint32_t *global; /* [global_count] registers by place */
    size_t global_count;
    size_t words;                              /* of one set */
    uint64_t *in, *out, *read_first, *written; /* [block_count * words] */
    uint64_t *work_left;
    uint32_t *after; /* [global_count] registers, of one block */
};

static bool has(const uint64_t *set, size_t bit)
{
    return (set[bit / WORD_BITS] >> (bit % WORD_BITS) & 1) != 0;
}

static void add(uint64_t *set, size_t bit)
{
    set[bit / WORD_BITS] |= UINT64_C(1) << (bit % WORD_BITS);
}

/* Finds the values that are read in another block than the one that writes them. */
static void find_global(struct liveness *live)
{
    const struct kernel_flow *flow = live->flow;
    uint32_t *block_of = arena_array(live->arena, flow->function->register_count, sizeof *block_of);

    for (size_t b = 0; b < flow->block_count; b++) {
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            const struct flow_step *step = &flow->steps[i];
            for (uint32_t k = 0; k < step->writes + step->reads; k++) {
                uint32_t reg = flow->values[step->first + k];
                bool other = block_of[reg] != 0 && block_of[reg] != b + 1;
                /* read before it is written in its own block: in a loop */
                bool early = k >= step->writes && block_of[reg] == 0;
                block_of[reg] = (uint32_t)b + 1;
                if ((other || early || step->is_guarded) && live->place[reg] == 0) {
                    live->global[live->global_count++] = reg;
                    live->place[reg] = (uint32_t)live->global_count;
                }
            }
        }
    }
}

static void make_block_sets(struct liveness *live)
{
    const struct kernel_flow *flow = live->flow;

    for (size_t b = 0; b < flow->block_count; b++) {
        uint64_t *reads = live->read_first + b * live->words;
        uint64_t *written = live->written + b * live->words;
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            const struct flow_step *step = &flow->steps[i];
            for (uint32_t k = step->writes; k < step->writes + step->reads; k++) {
                uint32_t place = live->place[flow->values[step->first + k]];
                if (place > 0 && !has(written, place - 1)) {
                    add(reads, place - 1);
                }
            }
            for (uint32_t k = 0; k < step->writes && !step->is_guarded; k++) {
                uint32_t place = live->place[flow->values[step->first + k]];
                if (place > 0) {
                    add(written, place - 1);
                }
            }
        }
    }
}

static bool flow_back(struct liveness *live)
{
    const struct kernel_flow *flow = live->flow;
    bool is_changed = true;

    for (int round = 0; is_changed; round++) {
        const uint64_t work = live->words * (2 * flow->block_count + flow->successor_count);
        if (round == ROUNDS_MAX || work >= *live->work_left) {
            return false;
        }
        *live->work_left -= work;
        is_changed = false;
        for (size_t b = flow->block_count; b > 0; b--) {
            const struct flow_block *block = &flow->blocks[b - 1];
            const size_t base = (b - 1) * live->words;
            for (uint32_t s = 0; s < block->successor_count; s++) {
                size_t from = flow->successors[block->successors_first + s] * live->words;
                for (size_t w = 0; w < live->words; w++) {
                    live->out[base + w] |= live->in[from + w];
                }
            }
            for (size_t w = 0; w < live->words; w++) {
                uint64_t in =
                    live->read_first[base + w] | (live->out[base + w] & ~live->written[base + w]);
                is_changed |= in != live->in[base + w];
                live->in[base + w] = in;
            }
        }
    }
    return true;
}

/* Fills live->after with what is live after a block; returns how many there are. */
static size_t list_after(const struct liveness *live, size_t b)
{
    const uint64_t *out = live->out + b * live->words;
    size_t count = 0;

    for (size_t w = 0; w < live->words; w++) {
        for (uint64_t left = out[w]; left != 0; left &= left - 1) {
            live->after[count++] = live->global[w * WORD_BITS + (size_t)__builtin_ctzll(left)];
        }
    }
    return count;
}

/* A loop of one block, which its text does not keep from being written out. */
static bool may_unroll(const struct kernel_flow *flow, size_t b)
{
    const struct flow_block *block = &flow->blocks[b];
    bool is_loop = false;

    for (uint32_t s = 0; s < block->successor_count; s++) {
        is_loop |= flow->successors[block->successors_first + s] == b;
    }
    for (uint32_t i = block->first; i < block->end && is_loop; i++) {
        is_loop = !flow->function->instructions[i].is_after_nounroll;
    }
    return is_loop && block->end - block->first < UNROLLED_STEPS_MAX;
}

static void most(uint32_t *value, uint32_t other)
{
    *value = other > *value ? other : *value;
}

static bool examine(struct liveness *live, struct block_scheduler *scheduler, size_t b,
                    struct register_pressure *out)
{
    static const struct schedule_plan once = {1, false};
    static const struct schedule_plan early = {1, true};
    static const struct schedule_plan copied = {COPIES, false};
    const struct flow_block *block = &live->flow->blocks[b];
    const size_t count = list_after(live, b);
    struct block_pressure pressure;

    if (!block_schedule(scheduler, block, &once, live->after, count, &pressure)) {
        return false;
    }
    most(&out->written, pressure.written);
    most(&out->listed.live, pressure.listed);
    most(&out->listed.kept, pressure.kept);
    if (may_unroll(live->flow, b) &&
        !block_schedule(scheduler, block, &copied, live->after, count, &pressure)) {
        return false;
    }
    most(&out->unrolled.live, pressure.listed);
    most(&out->unrolled.kept, pressure.kept);
    if (!block_schedule(scheduler, block, &early, live->after, count, &pressure)) {
        return false;
    }
    most(&out->early.live, pressure.listed);
    most(&out->early.kept, pressure.kept);
    return true;
}

bool register_pressure_find(struct arena *arena, const struct kernel_flow *flow,
                            uint64_t *work_left, struct register_pressure *out_pressure)
{
    const size_t registers = flow->function->register_count;
    struct liveness live = {
        .arena = arena,
        .flow = flow,
        .work_left = work_left,
        .place = arena_array(arena, registers, sizeof *live.place),
        .global = arena_array(arena, registers, sizeof *live.global),
    };
    struct register_pressure pressure = {.written = 0};

    find_global(&live);
    live.words = (live.global_count + WORD_BITS - 1) / WORD_BITS;
    if (live.words > SET_WORDS_MAX / 4 / (flow->block_count + 1)) {
        return false;
    }
    const size_t words = live.words * flow->block_count;
    live.in = arena_array(arena, words, sizeof *live.in);
    live.out = arena_array(arena, words, sizeof *live.out);
    live.read_first = arena_array(arena, words, sizeof *live.read_first);
    live.written = arena_array(arena, words, sizeof *live.written);
    live.after = arena_array(arena, live.global_count, sizeof *live.after);
    make_block_sets(&live);
    if (!flow_back(&live)) {
        return false;
    }
    struct block_scheduler *scheduler = block_scheduler_new(arena, flow, work_left);
    for (size_t b = 0; b < flow->block_count; b++) {
        if (!examine(&live, scheduler, b, &pressure)) {
            return false;
        }
    }
    *out_pressure = pressure;
    return true;
}
