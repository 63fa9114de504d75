/* register_pressure.c: see register_pressure.h. Liveness as everybody computes it: backwards, by
 * blocks, until nothing changes. Only values that live across blocks take part in the sets. */
#include "ptx/register_pressure.h"

#include <string.h>

#define SET_WORDS_MAX ((size_t)1 << 22)
enum { ROUNDS_MAX = 256, DEPTH_MAX = 200, WORD_BITS = 64 };

struct liveness {
    struct arena *arena;
    const struct kernel_flow *flow;
    uint32_t *place;  /* [registers] in the sets plus 1; 0: it lives in one block alone */
    uint32_t *global; /* [global_count] registers by place */
    size_t global_count;
    size_t words;                              /* of one set */
    uint64_t *in, *out, *read_first, *written; /* [block_count * words] */
    uint32_t *order;                           /* [step_count] of one block */
    /* of one walk */
    uint8_t *is_live; /* [registers] */
    uint32_t *touched;
    size_t touched_count;
    uint32_t *writer; /* [registers] step plus one that writes it in this block */
    uint8_t *emitted; /* [step_count] */
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
        if (round == ROUNDS_MAX) {
            return false;
        }
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

/* Puts a step, after those that compute what it reads, where these are not put yet. */
static void emit(struct liveness *live, uint32_t step, size_t *count, int depth)
{
    const struct flow_step *to = &live->flow->steps[step];

    if (live->emitted[step]) {
        return;
    }
    live->emitted[step] = 1;
    for (uint32_t k = to->writes; k < to->writes + to->reads && depth < DEPTH_MAX; k++) {
        uint32_t writer = live->writer[live->flow->values[to->first + k]];
        if (writer > 0 && writer - 1 < step) {
            emit(live, writer - 1, count, depth + 1);
        }
    }
    live->order[(*count)++] = step;
}

/* Whether a step may stand elsewhere in its block: it only writes what is written once. */
static bool may_move(const struct liveness *live, const struct flow_step *step)
{
    if (step->kind != STEP_PLAIN || step->is_guarded || step->writes == 0) {
        return false;
    }
    for (uint32_t k = 0; k < step->writes; k++) {
        if (live->flow->registers[live->flow->values[step->first + k]].write_count != 1) {
            return false;
        }
    }
    return true;
}

static void note_writers(struct liveness *live, const struct flow_block *block, bool is_noting)
{
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct flow_step *step = &live->flow->steps[i];
        for (uint32_t k = 0; k < step->writes; k++) {
            uint32_t reg = live->flow->values[step->first + k];
            if (live->flow->registers[reg].write_count == 1) {
                live->writer[reg] = is_noting ? i + 1 : 0;
            }
        }
        live->emitted[i] = 0;
    }
}

static void order_late(struct liveness *live, const struct flow_block *block)
{
    size_t count = 0;

    for (uint32_t i = block->first; i < block->end; i++) {
        if (!may_move(live, &live->flow->steps[i])) {
            emit(live, i, &count, 0);
        }
    }
    for (uint32_t i = block->first; i < block->end; i++) {
        if (!live->emitted[i]) { /* for other blocks */
            emit(live, i, &count, 0);
        }
    }
    /* a branch that writes nothing was put in its turn: it ends the block */
    for (size_t i = 0; i + 1 < count; i++) {
        if (live->order[i] == block->end - 1 &&
            live->flow->steps[block->end - 1].kind == STEP_BRANCH) {
            memmove(&live->order[i], &live->order[i + 1], (count - i - 1) * sizeof *live->order);
            live->order[count - 1] = block->end - 1;
            break;
        }
    }
}

static void order_early(struct liveness *live, const struct flow_block *block)
{
    size_t count = 0;

    for (uint32_t start = block->first; start < block->end;) {
        uint32_t end = start;
        while (end < block->end && live->flow->steps[end].kind != STEP_FENCE) {
            end++;
        }
        for (uint32_t i = start; i < end; i++) {
            if (live->flow->steps[i].kind == STEP_LOAD && !live->flow->steps[i].is_guarded) {
                emit(live, i, &count, 0);
            }
        }
        for (uint32_t i = start; i < end + 1 && i < block->end; i++) {
            emit(live, i, &count, 0);
        }
        start = end + 1;
    }
}

static void set_live(struct liveness *live, uint32_t reg, bool is_live, uint32_t totals[2])
{
    const struct flow_value *value = &live->flow->registers[reg];

    if (live->is_live[reg] == is_live) {
        return;
    }
    live->is_live[reg] = is_live;
    if (is_live) {
        live->touched[live->touched_count++] = reg;
        totals[0] += value->is_uniform ? 0 : value->registers;
        totals[1] += value->registers;
    } else {
        totals[0] -= value->is_uniform ? 0 : value->registers;
        totals[1] -= value->registers;
    }
}

static void most(uint32_t *value, uint32_t other)
{
    *value = other > *value ? other : *value;
}

/* Walks a block backwards in its order. */
static void walk(struct liveness *live, size_t b, uint32_t *most_varying, uint32_t *most_all)
{
    const struct kernel_flow *flow = live->flow;
    const struct flow_block *block = &flow->blocks[b];
    const uint64_t *out = live->out + b * live->words;
    uint32_t totals[2] = {0, 0};

    live->touched_count = 0;
    for (size_t w = 0; w < live->words; w++) {
        for (uint64_t left = out[w]; left != 0; left &= left - 1) {
            set_live(live, live->global[w * WORD_BITS + (size_t)__builtin_ctzll(left)], true,
                     totals);
        }
    }
    most(most_varying, totals[0]);
    most(most_all, totals[1]);
    for (uint32_t i = block->end - block->first; i > 0; i--) {
        const struct flow_step *step = &flow->steps[live->order[i - 1]];
        /* a result that nobody reads still needs its registers once */
        for (uint32_t k = 0; k < step->writes; k++) {
            set_live(live, flow->values[step->first + k], true, totals);
        }
        most(most_varying, totals[0]);
        most(most_all, totals[1]);
        for (uint32_t k = 0; k < step->writes && !step->is_guarded; k++) {
            set_live(live, flow->values[step->first + k], false, totals);
        }
        for (uint32_t k = step->writes; k < step->writes + step->reads; k++) {
            set_live(live, flow->values[step->first + k], true, totals);
        }
        most(most_varying, totals[0]);
        most(most_all, totals[1]);
    }
    for (size_t i = 0; i < live->touched_count; i++) {
        live->is_live[live->touched[i]] = 0;
    }
}

bool register_pressure_find(struct arena *arena, const struct kernel_flow *flow,
                            struct register_pressure *out_pressure)
{
    const size_t registers = flow->function->register_count;
    struct liveness live = {
        .arena = arena,
        .flow = flow,
        .place = arena_array(arena, registers, sizeof *live.place),
        .global = arena_array(arena, registers, sizeof *live.global),
        .order = arena_array(arena, flow->step_count, sizeof *live.order),
        .is_live = arena_array(arena, registers, sizeof *live.is_live),
        .touched = arena_array(arena, registers + flow->value_count, sizeof *live.touched),
        .writer = arena_array(arena, registers, sizeof *live.writer),
        .emitted = arena_array(arena, flow->step_count, sizeof *live.emitted),
    };

    *out_pressure = (struct register_pressure){.predicates = 0};
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
    make_block_sets(&live);
    if (!flow_back(&live)) {
        return false;
    }
    for (size_t b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        for (uint32_t i = 0; i < block->end - block->first; i++) {
            live.order[i] = block->first + i;
        }
        walk(&live, b, &out_pressure->varying[ORDER_WRITTEN], &out_pressure->all[ORDER_WRITTEN]);
        note_writers(&live, block, true);
        order_late(&live, block);
        walk(&live, b, &out_pressure->varying[ORDER_LATE], &out_pressure->all[ORDER_LATE]);
        note_writers(&live, block, true);
        order_early(&live, block);
        walk(&live, b, &out_pressure->varying[ORDER_EARLY], &out_pressure->all[ORDER_EARLY]);
        note_writers(&live, block, false);
    }
    return true;
}
