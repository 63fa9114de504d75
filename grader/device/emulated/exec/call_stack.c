/* call_stack.c: see call_stack.h. */
#include "device/emulated/exec/call_stack.h"

#include "device/emulated/exec/barriers.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/finding_table.h"

#include <stdlib.h>
#include <string.h>

/* What the stacks of a block may take of the host; a program with deeper ones is not supported. */
#define STACKS_BYTES_MAX (UINT64_C(1) << 28)

enum {
    FRAME_ALIGNMENT = 16,
    RETURN_OPS = 2, /* what a return counts for; calls without returns end by themselves */
    FRAME_BYTES_MIN =
        16, /* what any activation takes on a device: its return address, a register */
};

/* One activation, on top of the registers that it saved. */
struct call_record {
    uint64_t base; /* of the caller's frame */
    uint32_t site;
    uint32_t top; /* of the caller */
};

static uint64_t align_frame(uint64_t bytes)
{
    return (bytes + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
}

uint64_t local_end(const struct warp *warp, unsigned lane)
{
    return warp->stacks != NULL && warp->stacks[lane].depth > 0
               ? warp->stacks[lane].top
               : warp->block->launch->code->local_bytes;
}

/* Bytes of a block's local memory, which are poisoned when the block first touches their chunk. */
static uint8_t *touch_local(struct block *block, uint64_t offset, uint64_t bytes)
{
    for (uint64_t chunk = offset / LOCAL_CHUNK; chunk * LOCAL_CHUNK < offset + bytes; chunk++) {
        if (block->local_touched[chunk] == 0) {
            block->local_touched[chunk] = 1;
            block->work += PAGE_WORK;
            window_poison(block->local + chunk * LOCAL_CHUNK, LOCAL_CHUNK);
        }
    }
    return block->local + offset;
}

uint8_t *local_host(const struct warp *warp, unsigned lane, uint64_t offset, uint64_t bytes)
{
    const struct kernel_code *code = warp->block->launch->code;
    uint64_t own = code->local_bytes;
    if (offset < own) {
        uint64_t thread = (uint64_t)warp->index * LANES + lane;
        return bytes <= own - offset ? touch_local(warp->block, thread * own + offset, bytes)
                                     : NULL;
    }
    uint64_t start = stack_start(code);
    if (warp->stacks == NULL || warp->stacks[lane].depth == 0 || offset < start) {
        return NULL;
    }
    const struct lane_stack *stack = &warp->stacks[lane];
    bool fits = offset < stack->top && bytes <= stack->top - offset;
    return fits ? stack->bytes + (offset - start) : NULL;
}

/* Where the frame begins that a slot of bases tells of. */
static uint64_t base_of(const struct warp *warp, uint32_t base_slot, unsigned lane)
{
    return base_slot == NO_BASE ? 0
                                : ((const uint64_t *)(const void *)(warp->file + base_slot))[lane];
}

uint64_t call_argument(const struct warp *warp, const struct call_site *site, size_t index,
                       unsigned lane)
{
    const struct call_place *place = &site->arguments.items[index];
    uint64_t base = base_of(warp, site->base_slot, lane);
    const uint8_t *from = local_host(warp, lane, base + place->offset, place->bytes);
    uint64_t value = 0;
    if (from != NULL && place->bytes <= sizeof value) {
        memcpy(&value, from, place->bytes);
    }
    return value;
}

void call_store_result(const struct warp *warp, const struct call_site *site, unsigned lane,
                       uint64_t value)
{
    if (site->returns.count == 0) {
        return;
    }
    const struct call_place *place = &site->returns.items[0];
    uint64_t base = base_of(warp, site->base_slot, lane);
    uint8_t *to = local_host(warp, lane, base + place->offset, place->bytes);
    if (to != NULL && place->bytes <= sizeof value) {
        memcpy(to, &value, place->bytes);
    }
}

void stacks_new(struct block *block)
{
    if (block->launch->code->body_count == 0) {
        return;
    }
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct lane_stack *stacks = calloc(LANES, sizeof *stacks);
        if (stacks == NULL) {
            abort();
        }
        block->warps[w].stacks = stacks;
    }
}

void stacks_start(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count && block->warps[w].stacks != NULL; w++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct lane_stack *stack = &block->warps[w].stacks[lane];
            stack->depth = 0;
            stack->saved_bytes = 0;
            stack->used = 0;
            stack->top = (uint32_t)stack_start(block->launch->code);
        }
    }
}

void stacks_free(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count && block->warps[w].stacks != NULL; w++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            free(block->warps[w].stacks[lane].bytes);
            free(block->warps[w].stacks[lane].saved);
        }
        free(block->warps[w].stacks);
    }
}

/* Makes an array of a stack larger; false if the host's share is used up. */
static bool grow(struct block *block, uint8_t **bytes, size_t *capacity, uint64_t needed)
{
    if (needed <= *capacity) {
        return true;
    }
    uint64_t larger = *capacity * 2 > needed ? *capacity * 2 : needed;
    if (larger - *capacity > STACKS_BYTES_MAX - block->stack_bytes) {
        return false;
    }
    uint8_t *grown = realloc(*bytes, larger);
    if (grown == NULL) {
        return false;
    }
    block->stack_bytes += larger - *capacity;
    *bytes = grown;
    *capacity = larger;
    return true;
}

static void save_registers(const struct warp *warp, const struct call_body *body, unsigned lane,
                           uint8_t *to)
{
    for (size_t i = 0; i < body->saved_count; i++) {
        const uint8_t *slot = warp->file + body->saved[i].slot;
        uint32_t bytes = body->saved[i].bytes;
        if (bytes == 0) {
            *to++ = (uint8_t)(*(const uint32_t *)(const void *)slot >> lane & 1);
        } else {
            memcpy(to, slot + (size_t)lane * bytes, bytes);
            to += bytes;
        }
    }
}

static void restore_registers(const struct warp *warp, const struct call_body *body, unsigned lane,
                              const uint8_t *from)
{
    for (size_t i = 0; i < body->saved_count; i++) {
        uint8_t *slot = warp->file + body->saved[i].slot;
        uint32_t bytes = body->saved[i].bytes;
        if (bytes == 0) {
            uint32_t *mask = (uint32_t *)(void *)slot;
            *mask = (*mask & ~(UINT32_C(1) << lane)) | (uint32_t)*from++ << lane;
        } else {
            memcpy(slot + (size_t)lane * bytes, from, bytes);
            from += bytes;
        }
    }
}

/* What an activation takes of a device's stack: its variables and a little more. A frame here also
 * holds parameters, which a device passes in registers. */
static uint64_t used_by(const struct call_body *body)
{
    return align_frame(body->variable_bytes) + FRAME_BYTES_MIN;
}

enum entering { ENTERED, STACK_FULL, HOST_FULL };

/* Puts an activation of a body on the stack of a lane and passes the arguments. */
static enum entering enter(struct warp *warp, const struct call_site *site,
                           const struct call_body *body, unsigned lane)
{
    struct block *block = warp->block;
    const struct kernel_code *code = block->launch->code;
    struct lane_stack *stack = &warp->stacks[lane];
    uint64_t start = stack_start(code);
    uint64_t base = align_frame(stack->top);
    uint64_t top = base + align_frame(body->frame_bytes);
    if ((code->has_open_stack && stack->used >= block->launch->stack_limit) ||
        top > SPACE_WINDOW_BYTES) {
        return STACK_FULL;
    }
    size_t saved = body->saved_bytes + sizeof(struct call_record);
    if (!grow(block, &stack->bytes, &stack->capacity, top - start) ||
        !grow(block, &stack->saved, &stack->saved_capacity, stack->saved_bytes + saved)) {
        return HOST_FULL;
    }
    uint64_t caller = base_of(warp, site->base_slot, lane);
    struct call_record record = {caller, (uint32_t)(site - code->calls), stack->top};
    save_registers(warp, body, lane, stack->saved + stack->saved_bytes);
    memcpy(stack->saved + stack->saved_bytes + body->saved_bytes, &record, sizeof record);
    stack->saved_bytes += saved;
    stack->depth++;
    stack->used += used_by(body);
    stack->top = (uint32_t)top;
    block->work += (top - base) / CLEAR_BYTES;
    window_poison(stack->bytes + (base - start), top - base);
    ((uint64_t *)(void *)(warp->file + body->base_slot))[lane] = base;
    for (size_t i = 0; i < site->arguments.count; i++) {
        const struct call_place *from = &site->arguments.items[i];
        const uint8_t *source = local_host(warp, lane, caller + from->offset, from->bytes);
        uint8_t *target =
            local_host(warp, lane, base + body->parameters.items[i].offset, from->bytes);
        if (source != NULL && target != NULL) {
            memcpy(target, source, from->bytes);
        }
    }
    return ENTERED;
}

/* The body of the function that an address leads to; NULL if there is none. */
static const struct call_body *body_at(const struct kernel_code *code, uint64_t address)
{
    uint64_t offset = address - code_address(code->module_index, 0);
    uint64_t function = offset / CODE_STEP;
    if (offset % CODE_STEP != 0 || function >= code->module->function_count) {
        return NULL;
    }
    const struct ptx_function *wanted = &code->module->functions[function];
    size_t low = 0;
    size_t high = code->body_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->bodies[middle].function < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < code->body_count && code->bodies[low].function == wanted;
    return is_found ? &code->bodies[low] : NULL;
}

/* The body that a lane calls; NULL if its pointer leads to no function that takes what is passed.
 */
static const struct call_body *callee_of(const struct warp *warp, const struct call_site *site,
                                         unsigned lane)
{
    const struct kernel_code *code = warp->block->launch->code;
    if (site->body != CALL_INDIRECT) {
        return &code->bodies[site->body];
    }
    const struct call_body *body =
        body_at(code, ((const uint64_t *)(const void *)(warp->file + site->address_slot))[lane]);
    if (body == NULL) {
        return NULL;
    }
    bool fits = body->parameters.count == site->arguments.count &&
                body->returns.count >= site->returns.count;
    for (size_t i = 0; i < site->arguments.count && fits; i++) {
        fits = body->parameters.items[i].bytes == site->arguments.items[i].bytes;
    }
    for (size_t i = 0; i < site->returns.count && fits; i++) {
        fits = body->returns.items[i].bytes == site->returns.items[i].bytes;
    }
    return fits ? body : NULL;
}

/* Reports a call that some lanes cannot make. */
static void report(struct warp *warp, const struct op *op, uint32_t lanes,
                   enum finding_record_kind kind)
{
    const struct launch *launch = warp->block->launch;
    const struct call_site *site = &launch->code->calls[op->target];
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    struct fault fault = {
        .kind = kind,
        .places[0] = {.op = op,
                      .access = FINDING_RECORD_NO_ACCESS,
                      .thread = warp->index * LANES + first},
        .block = warp->block->linear,
        .count = (uint64_t)__builtin_popcount(lanes),
        .object_bytes = kind == FINDING_RECORD_STACK_OVERFLOW ? launch->stack_limit : 0,
    };
    if (kind == FINDING_RECORD_UNKNOWN_FUNCTION) {
        fault.object = "with a stack of more than 256 MiB";
    } else if (site->function != NULL) {
        fault.object = site->function->name;
    }
    if (kind == FINDING_RECORD_BAD_CALL) {
        fault.address = ((const uint64_t *)(const void *)(warp->file + site->address_slot))[first];
    }
    finding_table_add(warp->worker->findings, &fault);
}

/* Gives the memory of a lane back that never runs again. */
static void give_up(struct block *block, struct lane_stack *stack)
{
    block->stack_bytes -= stack->capacity + stack->saved_capacity;
    free(stack->bytes);
    free(stack->saved);
    *stack = (struct lane_stack){.top = (uint32_t)stack_start(block->launch->code)};
}

/* Which lanes of a call came in, and which did not. */
struct entry {
    const struct call_body *body;
    uint32_t entered, failed;
    enum block_state failure;
};

/* Enters the body that the first lane of `left` calls, with all lanes of it that call the same. */
static void enter_lanes(struct warp *warp, const struct op *op, uint32_t left,
                        struct entry *out_entry)
{
    const struct call_site *site = &warp->block->launch->code->calls[op->target];
    const struct call_body *body = callee_of(warp, site, (unsigned)__builtin_ctz(left));
    enum finding_record_kind kind = FINDING_RECORD_BAD_CALL;
    *out_entry = (struct entry){.body = body, .failure = BLOCK_FAULT};
    for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (callee_of(warp, site, lane) != body) {
            continue;
        }
        enum entering entering = body == NULL ? STACK_FULL : enter(warp, site, body, lane);
        if (entering == ENTERED) {
            out_entry->entered |= UINT32_C(1) << lane;
            continue;
        }
        out_entry->failed |= UINT32_C(1) << lane;
        if (warp->stacks != NULL) {
            give_up(warp->block, &warp->stacks[lane]);
        }
        if (body != NULL) {
            kind = entering == STACK_FULL ? FINDING_RECORD_STACK_OVERFLOW
                                          : FINDING_RECORD_UNKNOWN_FUNCTION;
        }
    }
    if (out_entry->failed != 0) {
        out_entry->failure =
            kind == FINDING_RECORD_UNKNOWN_FUNCTION ? BLOCK_UNSUPPORTED : BLOCK_FAULT;
        report(warp, op, out_entry->failed, kind);
    }
}

void call_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct kernel_code *code = warp->block->launch->code;
    uint32_t left = mask;
    uint32_t failed = 0;
    enum block_state failure = BLOCK_RUNS;
    warp_count_through(warp, op);
    while (left != 0) {
        struct entry entry;
        enter_lanes(warp, op, left, &entry);
        left &= ~(entry.entered | entry.failed);
        failed |= entry.failed;
        failure = entry.failed != 0 && entry.failure > failure ? entry.failure : failure;
        if (entry.entered == 0) {
            continue;
        }
        if (left == 0 && failed == 0 && mask == warp->active) {
            warp_transfer(warp, code->ops + entry.body->first_op, 0);
            return;
        }
        warp_split(warp, entry.entered, code->ops + entry.body->first_op);
    }
    if (failed != 0) {
        warp_fail_lanes(warp, op, failed, failure);
    } else {
        warp_transfer(warp, op + 1, 0);
    }
}

static struct call_record last_record(const struct lane_stack *stack)
{
    struct call_record record;
    memcpy(&record, stack->saved + stack->saved_bytes - sizeof record, sizeof record);
    return record;
}

/* Takes an activation off the stack of a lane and passes the results. */
static void leave(struct warp *warp, const struct call_body *body, unsigned lane)
{
    struct lane_stack *stack = &warp->stacks[lane];
    struct call_record record = last_record(stack);
    const struct call_site *site = &warp->block->launch->code->calls[record.site];
    uint64_t base = base_of(warp, body->base_slot, lane);
    for (size_t i = 0; i < site->returns.count; i++) {
        const struct call_place *to = &site->returns.items[i];
        const uint8_t *source =
            local_host(warp, lane, base + body->returns.items[i].offset, to->bytes);
        uint8_t *target = local_host(warp, lane, record.base + to->offset, to->bytes);
        if (source != NULL && target != NULL) {
            memcpy(target, source, to->bytes);
        }
    }
    stack->saved_bytes -= sizeof record + body->saved_bytes;
    restore_registers(warp, body, lane, stack->saved + stack->saved_bytes);
    stack->top = record.top;
    stack->used -= used_by(body);
    stack->depth--;
}

void return_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct kernel_code *code = warp->block->launch->code;
    const struct call_body *body = &code->bodies[op->target];
    uint32_t left = mask;
    bool others_go_on = mask != warp->active;
    warp_count_through(warp, op);
    while (left != 0) {
        uint32_t site = last_record(&warp->stacks[__builtin_ctz(left)]).site;
        uint32_t same = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            if (last_record(&warp->stacks[lane]).site == site) {
                same |= UINT32_C(1) << lane;
                leave(warp, body, lane);
            }
        }
        const struct op *behind = code->ops + code->calls[site].return_op;
        left &= ~same;
        if (left == 0 && !others_go_on) {
            warp_transfer(warp, behind, RETURN_OPS);
            return;
        }
        warp_split(warp, same, behind);
    }
    warp_transfer(warp, op + 1, RETURN_OPS);
}
