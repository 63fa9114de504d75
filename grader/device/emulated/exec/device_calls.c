/* device_calls.c: see device_calls.h. */
#include "device/emulated/exec/device_calls.h"

#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/paths.h"
#include "device/emulated/exec/print_buffer.h"
#include "device/emulated/exec/print_format.h"
#include "device/emulated/finding_table.h"
#include "device/emulated/memory/access_check.h"
#include "device/emulated/memory/device_heap.h"

#include <string.h>

static const struct device_call known_calls[] = {
    {"vprintf", OP_PRINT, false, false, 2, {8, 8}, 4},
    {"__assertfail", OP_ASSERT_FAIL, true, false, 5, {8, 8, 4, 8, 8}, 0},
    {"malloc", OP_MALLOC, false, true, 1, {8}, 8},
    {"free", OP_FREE, false, true, 1, {8}, 0},
};

const struct device_call *device_call_find(const struct ptx_function *function)
{
    for (size_t i = 0; i < sizeof known_calls / sizeof known_calls[0]; i++) {
        const struct device_call *call = &known_calls[i];
        bool fits = strcmp(call->name, function->name) == 0 &&
                    function->parameter_count == call->parameter_count &&
                    function->return_count == (call->result != 0) &&
                    (call->result == 0 || function->returns[0].bytes == call->result);
        for (size_t k = 0; fits && k < call->parameter_count; k++) {
            fits = function->parameters[k].bytes == call->parameters[k];
        }
        if (fits) {
            return call;
        }
    }
    return NULL;
}

static const struct call_site *site_of(const struct warp *warp, const struct op *op)
{
    return &warp->block->launch->code->calls[op->target];
}

/* A lane that reads device memory in a call. */
struct reader {
    struct warp *warp;
    const struct op *op;
    unsigned lane;
};

static bool read_memory(void *context, uint64_t address, size_t bytes, void *out)
{
    const struct reader *reader = context;
    const uint8_t *from = access_resolve_lane(reader->warp, reader->op, reader->lane, address,
                                              (uint32_t)bytes, FINDING_RECORD_READ);
    if (from != NULL) {
        memcpy(out, from, bytes);
    }
    return from != NULL;
}

/* The key under which a block's text is kept: blocks that take turns print into one piece. */
static uint64_t print_key(const struct warp *warp)
{
    return warp->block->launch->code->runs_in_order ? 0 : warp->block->linear;
}

void print_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    struct print_buffer *buffer = &warp->worker->printed[PRINT_OUT];
    uint64_t limit = warp->block->launch->print_limit;
    const struct call_site *site = site_of(warp, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        struct reader reader = {warp, op, (unsigned)__builtin_ctz(left)};
        const struct print_call call = {
            .format = call_argument(warp, site, 0, reader.lane),
            .arguments = call_argument(warp, site, 1, reader.lane),
            .limit = limit,
            .context = &reader,
            .read = read_memory,
        };
        int result = print_format(&call, print_buffer_begin(buffer, print_key(warp)));
        print_buffer_end(buffer, limit);
        call_store_result(warp, site, reader.lane, (uint32_t)result);
    }
}

enum { ASSERT_TEXT_MAX = 4096 };

/* A string of the device; cut at ASSERT_TEXT_MAX bytes. */
static void read_string(struct reader *reader, uint64_t address, struct text *out)
{
    char c = '\0';
    text_init(out);
    while (address != 0 && out->length < ASSERT_TEXT_MAX && read_memory(reader, address++, 1, &c) &&
           c != '\0') {
        text_append_char(out, c);
    }
}

/* Prints the line of a failed assertion as CUDA does; returns the expression. */
static const char *print_assertion(struct reader *reader, const struct call_site *site)
{
    const struct block *block = reader->warp->block;
    const uint32_t *size = block->launch->request->block;
    uint32_t thread = reader->warp->index * LANES + reader->lane;
    struct text message;
    struct text file;
    struct text function;
    read_string(reader, call_argument(reader->warp, site, 0, reader->lane), &message);
    read_string(reader, call_argument(reader->warp, site, 1, reader->lane), &file);
    read_string(reader, call_argument(reader->warp, site, 3, reader->lane), &function);
    struct print_buffer *buffer = &reader->warp->worker->printed[PRINT_ERROR];
    text_printf(print_buffer_begin(buffer, print_key(reader->warp)),
                "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                file.bytes, (uint32_t)call_argument(reader->warp, site, 2, reader->lane),
                function.bytes, block->index[0], block->index[1], block->index[2], thread % size[0],
                thread / size[0] % size[1], thread / size[0] / size[1], message.bytes);
    print_buffer_end(buffer, block->launch->print_limit);
    struct launch_texts *texts = block->launch->texts;
    pthread_mutex_lock(&texts->lock);
    const char *expression = arena_strndup(texts->arena, message.bytes, message.length);
    pthread_mutex_unlock(&texts->lock);
    text_release(&message);
    text_release(&file);
    text_release(&function);
    return expression;
}

/* Adds a finding at a call, for the lanes of a mask. */
static void report(struct warp *warp, const struct op *op, uint32_t mask,
                   enum finding_record_kind kind, const char *object)
{
    struct fault fault = {
        .kind = kind,
        .places[0] = {.op = op,
                      .access = FINDING_RECORD_NO_ACCESS,
                      .thread = warp->index * LANES + (uint32_t)__builtin_ctz(mask)},
        .block = warp->block->linear,
        .count = (uint64_t)__builtin_popcount(mask),
        .object = object,
    };
    finding_table_add(warp->worker->findings, &fault);
}

void assert_fail_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    warp_count_until(warp, op);
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    const char *expression = NULL;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        struct reader reader = {warp, op, (unsigned)__builtin_ctz(left)};
        const char *text = print_assertion(&reader, site_of(warp, op));
        expression = expression == NULL ? text : expression;
    }
    report(warp, op, mask, FINDING_RECORD_ASSERT, expression);
    warp_fail_lanes(warp, op, mask, BLOCK_FAULT);
}

void unknown_call_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    warp_count_until(warp, op);
    if (mask == 0) {
        warp_jump(warp, op + 1);
        return;
    }
    report(warp, op, mask, FINDING_RECORD_UNKNOWN_FUNCTION, site_of(warp, op)->function->name);
    warp_fail_lanes(warp, op, mask, BLOCK_UNSUPPORTED);
}

void malloc_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct call_site *site = site_of(warp, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t bytes = call_argument(warp, site, 0, lane);
        uint64_t address = device_heap_allocate(warp->block->launch->heap, bytes);
        call_store_result(warp, site, lane, address);
    }
}

void free_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct call_site *site = site_of(warp, op);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address = call_argument(warp, site, 0, lane);
        if (address != 0 && !device_heap_free(warp->block->launch->heap, address)) {
            report(warp, op, UINT32_C(1) << lane, FINDING_RECORD_BAD_FREE, NULL);
        }
    }
}
