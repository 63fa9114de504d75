/* op_place.c: see op_place.h.
 *
 * A call that was inlined is told where the student wrote it: headers of a toolkit call each other,
 * so the chain of calls is climbed until it leaves the folder tree of the innermost header.
 */
#include "device/emulated/lower/op_place.h"

#include <string.h>

/* The bytes of a path up to and with its last folder "include"; 0 if it has none. */
static size_t include_root(const char *path)
{
    static const char folder[] = "/include/";
    size_t length = 0;
    for (const char *at = strstr(path, folder); at != NULL; at = strstr(at + 1, folder)) {
        length = (size_t)(at - path) + sizeof folder - 1;
    }
    return length;
}

static const char *file_name(const struct ptx_module *module, uint32_t file)
{
    return file < module->file_count ? module->files[file] : "";
}

void op_place_fill(const struct kernel_code *code, const struct op *op,
                   struct finding_record_place *out_place)
{
    const struct ptx_module *module = code->module;
    const struct ptx_instruction *source = op_source(code, op);
    uint32_t number = source->location < module->location_count ? source->location : 0;
    const struct ptx_location *location = &module->locations[number];
    const char *innermost = file_name(module, location->file);
    size_t root = include_root(innermost);
    bool has_left = false;
    out_place->file = location->file;
    out_place->line = location->line;
    out_place->column = location->column;
    out_place->inlined_file = 0;
    out_place->inlined_line = 0;
    out_place->inlined_column = 0;
    /* locations are numbered in the order of the text, so a chain of inlining goes down */
    while (location->inlined_at != 0 && location->inlined_at < number && !has_left) {
        number = location->inlined_at;
        location = &module->locations[number];
        out_place->inlined_file = location->file;
        out_place->inlined_line = location->line;
        out_place->inlined_column = location->column;
        has_left = root > 0 && strncmp(file_name(module, location->file), innermost, root) != 0;
    }
}
