/* op_tap.c: see op_tap.h. */
#include "device/emulated/memory/op_tap.h"

#include "device/emulated/lower/lowering.h"
#include "device/emulated/lower/op_place.h"
#include "wire/trace_record.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)TRACE_PLACES_MAX >= (int)LOWERED_OPS_MAX, "every op can have a place");

const struct op *op_chain_ends(struct warp *warp, const struct op *op)
{
    (void)warp;
    return op;
}

void ops_unlink(struct op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ops[i].chain = op_chain_ends;
    }
}

void op_tap_init(struct op_tap *tap, const struct kernel_code *code)
{
    *tap = (struct op_tap){
        .code = code,
        .tapped = *code,
        .ops = calloc(code->op_count, sizeof *tap->ops),
        .place_numbers = calloc(code->op_count, sizeof *tap->place_numbers),
    };
    if (tap->ops == NULL || tap->place_numbers == NULL) {
        abort();
    }
    memcpy(tap->ops, code->ops, code->op_count * sizeof *tap->ops);
    ops_unlink(tap->ops, code->op_count);
    tap->tapped.ops = tap->ops;
    text_init(&tap->places);
}

void op_tap_release(struct op_tap *tap)
{
    free(tap->ops);
    free(tap->place_numbers);
    text_release(&tap->places);
}

uint32_t op_tap_place(struct op_tap *tap, const struct op *op)
{
    uint32_t *number = &tap->place_numbers[op - tap->ops];

    if (*number == 0) {
        struct finding_record_place place;
        uint8_t packed[TRACE_PLACE_BYTES];

        memset(&place, 0, sizeof place);
        op_place_fill(&tap->tapped, op, &place);
        trace_place_pack(&place, packed);
        text_append_bytes(&tap->places, packed, sizeof packed);
        *number = ++tap->place_count;
    }
    return *number - 1;
}

void op_tap_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    warp->block->launch->variant->handler(op->code)(warp, op, mask);
}
