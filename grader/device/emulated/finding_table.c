/* finding_table.c: see finding_table.h. */
#include "device/emulated/finding_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const struct fault *a, const struct fault *b)
{
    return a->kind == b->kind && a->places[0].op == b->places[0].op &&
           a->places[1].op == b->places[1].op;
}

static bool is_earlier(const struct fault *a, const struct fault *b)
{
    if (a->block != b->block) {
        return a->block < b->block;
    }
    return a->places[0].thread < b->places[0].thread;
}

void finding_table_add(struct finding_table *table, const struct fault *fault)
{
    for (size_t i = 0; i < table->count; i++) {
        struct fault *known = &table->faults[i];
        if (is_same(known, fault)) {
            uint64_t count = known->count + fault->count;
            if (is_earlier(fault, known)) {
                *known = *fault;
            }
            known->count = count;
            return;
        }
    }
    if (table->count == table->capacity) {
        size_t capacity = table->capacity == 0 ? 16 : table->capacity * 2;
        struct fault *faults = reallocarray(table->faults, capacity, sizeof *faults);
        if (faults == NULL) {
            return;
        }
        table->faults = faults;
        table->capacity = capacity;
    }
    table->faults[table->count++] = *fault;
}

void finding_table_merge(struct finding_table *table, const struct finding_table *other)
{
    for (size_t i = 0; i < other->count; i++) {
        finding_table_add(table, &other->faults[i]);
    }
}

void finding_table_release(struct finding_table *table)
{
    free(table->faults);
    *table = (struct finding_table){0};
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_faults(const void *left, const void *right)
{
    const struct fault *a = left;
    const struct fault *b = right;
    int order = compare_numbers(a->block, b->block);
    order = order != 0 ? order : compare_numbers(a->places[0].thread, b->places[0].thread);
    order = order != 0 ? order
                       : compare_numbers((uintptr_t)a->places[0].op, (uintptr_t)b->places[0].op);
    order = order != 0 ? order : compare_numbers(a->kind, b->kind);
    return order != 0 ? order
                      : compare_numbers((uintptr_t)a->places[1].op, (uintptr_t)b->places[1].op);
}

static void unfold(uint64_t linear, const uint32_t sizes[3], uint32_t out_index[3])
{
    out_index[0] = (uint32_t)(linear % sizes[0]);
    out_index[1] = (uint32_t)(linear / sizes[0] % sizes[1]);
    out_index[2] = (uint32_t)(linear / sizes[0] / sizes[1]);
}

static void fill_place(const struct launch *launch, const struct fault *fault, size_t index,
                       struct finding_record_place *out_place)
{
    const struct fault_place *place = &fault->places[index];
    const struct ptx_module *module = launch->code->module;
    const struct ptx_instruction *source = op_source(launch->code, place->op);
    uint32_t number = source->location < module->location_count ? source->location : 0;
    const struct ptx_location *location = &module->locations[number];
    out_place->access = place->access;
    out_place->file = location->file;
    out_place->line = location->line;
    out_place->column = location->column;
    /* locations are numbered in the order of the text, so a chain of inlining goes down */
    while (location->inlined_at != 0 && location->inlined_at < number) {
        number = location->inlined_at;
        location = &module->locations[number];
        out_place->inlined_file = location->file;
        out_place->inlined_line = location->line;
        out_place->inlined_column = location->column;
    }
    unfold(fault->block, launch->request->grid, out_place->block);
    unfold(place->thread, launch->request->block, out_place->thread);
}

/* The instruction as written, or put together from its parts. */
static void write_instruction(const struct ptx_instruction *instruction, char *out, size_t size)
{
    if (instruction->text != NULL) {
        snprintf(out, size, "%s", instruction->text);
        return;
    }
    const char *type = instruction->type == PTX_TYPE_NONE ? "" : ptx_type_name(instruction->type);
    snprintf(out, size, "%s%s%s", ptx_opcode_name(instruction->opcode), type[0] != '\0' ? "." : "",
             type);
}

struct finding_record *finding_table_records(const struct finding_table *table,
                                             const struct launch *launch, size_t *out_count)
{
    struct finding_record *records = calloc(table->count + 1, sizeof *records);
    if (records == NULL) {
        *out_count = 0;
        return NULL;
    }
    if (table->count > 0) {
        qsort(table->faults, table->count, sizeof *table->faults, compare_faults);
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct fault *fault = &table->faults[i];
        struct finding_record *record = &records[i];
        record->kind = fault->kind;
        record->module = launch->code->module_index;
        record->function = launch->code->function_index;
        record->place_count = fault->places[1].op != NULL ? 2 : 1;
        record->count = fault->count;
        record->address = fault->address;
        record->access_bytes = fault->access_bytes;
        record->distance_bytes = fault->distance_bytes;
        record->object_bytes = fault->object_bytes;
        if (fault->kind == FINDING_RECORD_UNKNOWN_INSTRUCTION) {
            write_instruction(op_source(launch->code, fault->places[0].op), record->text,
                              sizeof record->text);
        } else if (fault->object != NULL) {
            snprintf(record->text, sizeof record->text, "%s", fault->object);
        }
        for (size_t k = 0; k < record->place_count; k++) {
            fill_place(launch, fault, k, &record->places[k]);
        }
    }
    *out_count = table->count;
    return records;
}
