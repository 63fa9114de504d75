/* op_place.c: see op_place.h. */
#include "device/emulated/op_place.h"

void op_place_fill(const struct kernel_code *code, const struct op *op,
                   struct finding_record_place *out_place)
{
    const struct ptx_module *module = code->module;
    const struct ptx_instruction *source = op_source(code, op);
    uint32_t number = source->location < module->location_count ? source->location : 0;
    const struct ptx_location *location = &module->locations[number];
    out_place->file = location->file;
    out_place->line = location->line;
    out_place->column = location->column;
    out_place->inlined_file = 0;
    out_place->inlined_line = 0;
    out_place->inlined_column = 0;
    /* locations are numbered in the order of the text, so a chain of inlining goes down */
    while (location->inlined_at != 0 && location->inlined_at < number) {
        number = location->inlined_at;
        location = &module->locations[number];
        out_place->inlined_file = location->file;
        out_place->inlined_line = location->line;
        out_place->inlined_column = location->column;
    }
}
