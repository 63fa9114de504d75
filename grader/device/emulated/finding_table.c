/* finding_table.c: see finding_table.h. */
#include "device/emulated/finding_table.h"

#include "device/emulated/lower/op_place.h"
#include "device/emulated/memory/window_memory.h"
#include "ptx/address_base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_earlier(const struct fault *a, const struct fault *b)
{
    if (a->block != b->block) {
        return a->block < b->block;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank;
    }
    for (size_t k = 0; k < FINDING_RECORD_PLACES; k++) {
        if (a->places[k].thread != b->places[k].thread) {
            return a->places[k].thread < b->places[k].thread;
        }
    }
    return false;
}

_Static_assert((int)FINDING_RECORD_PLACES <= (int)FINDING_KEY_PARTS,
               "a key has room for every op of a fault");

static struct finding_key key_of(const struct fault *fault)
{
    struct finding_key key = {.line = 0};
    for (size_t k = 0; k < FINDING_RECORD_PLACES; k++) {
        key.parts[k] = (uintptr_t)fault->places[k].op;
    }
    return key;
}

/* File and line of the first op. */
static uint64_t line_of(const struct finding_table *table, const struct fault *fault)
{
    struct finding_record_place place = {.file = 0};
    if (table->code != NULL && fault->places[0].op != NULL) {
        op_place_fill(table->code, fault->places[0].op, &place);
    }
    return (uint64_t)place.file << 32 | place.line;
}

void finding_table_leave_out(struct finding_table *table, enum finding_record_kind kind,
                             uint64_t count)
{
    uint64_t *left_out = &table->left_out[kind];
    *left_out = *left_out > UINT64_MAX - count ? UINT64_MAX : *left_out + count;
}

/* Adds an occurrence of what the table has. */
static void add_again(struct fault *known, const struct fault *fault)
{
    uint64_t count = known->count + fault->count;
    if (is_earlier(fault, known)) {
        *known = *fault;
    }
    known->count = count;
}

void finding_table_add(struct finding_table *table, const struct fault *fault)
{
    struct finding_key key = key_of(fault);
    size_t slot = finding_room_find(&table->room, fault->kind, &key);
    bool is_taken = false;
    if (slot != FINDING_ROOM) {
        add_again(&table->faults[fault->kind][slot], fault);
        return;
    }
    key.line = line_of(table, fault);
    slot = finding_room_take(&table->room, fault->kind, &key, &is_taken);
    if (slot == FINDING_ROOM) {
        finding_table_leave_out(table, fault->kind, fault->count);
        return;
    }
    if (table->faults[fault->kind] == NULL) {
        table->faults[fault->kind] = calloc(FINDING_ROOM, sizeof *fault);
        if (table->faults[fault->kind] == NULL) {
            abort();
        }
    }
    struct fault *kept = &table->faults[fault->kind][slot];
    if (is_taken) {
        finding_table_leave_out(table, fault->kind, kept->count);
    }
    *kept = *fault;
}

void finding_table_forget(struct finding_table *table, enum finding_record_kind kind,
                          const struct op *op)
{
    for (size_t i = 0; i < table->room.counts[kind]; i++) {
        struct fault *fault = &table->faults[kind][i];
        bool is_it = fault->places[0].op == op && fault->places[1].op == NULL;
        fault->count = is_it ? 0 : fault->count;
    }
}

void finding_table_merge(struct finding_table *table, const struct finding_table *other)
{
    table->code = other->code;
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        for (size_t i = 0; i < other->room.counts[kind]; i++) {
            finding_table_add(table, &other->faults[kind][i]);
        }
        finding_table_leave_out(table, kind, other->left_out[kind]);
    }
}

void finding_table_release(struct finding_table *table)
{
    finding_room_release(&table->room);
    for (size_t kind = 0; kind < FINDING_RECORD_KIND_END; kind++) {
        free(table->faults[kind]);
    }
    *table = (struct finding_table){.code = table->code};
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_faults(const void *left, const void *right)
{
    const struct fault *a = *(const struct fault *const *)left;
    const struct fault *b = *(const struct fault *const *)right;
    int order = compare_numbers(a->block, b->block);
    order = order != 0 ? order : compare_numbers(a->places[0].thread, b->places[0].thread);
    order = order != 0 ? order
                       : compare_numbers((uintptr_t)a->places[0].op, (uintptr_t)b->places[0].op);
    order = order != 0 ? order : compare_numbers(a->kind, b->kind);
    for (size_t k = 1; k < FINDING_RECORD_PLACES && order == 0; k++) {
        order = compare_numbers((uintptr_t)a->places[k].op, (uintptr_t)b->places[k].op);
    }
    return order;
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
    out_place->access =
        place->op->code == OP_COPY_WRITE ? (uint32_t)FINDING_RECORD_COPY : place->access;
    op_place_fill(launch->code, place->op, out_place);
    uint64_t block = place->block_number != 0 ? place->block_number - 1 : fault->block;
    unfold(block, launch->request->grid, out_place->block);
    unfold(place->thread, launch->request->block, out_place->thread);
}

static void fill_launch(const struct launch *launch, struct finding_record_launch *out_launch)
{
    const struct ptx_function *function = launch->code->function;

    memcpy(out_launch->grid, launch->request->grid, sizeof out_launch->grid);
    memcpy(out_launch->block, launch->request->block, sizeof out_launch->block);
    for (size_t i = 0; i < function->parameter_count && i < FINDING_RECORD_ARGUMENTS; i++) {
        const size_t bytes = (size_t)function->parameters[i].bytes;
        if (bytes <= sizeof out_launch->arguments[i]) { /* both are little endian */
            memcpy(&out_launch->arguments[i], launch->parameters + function->parameters[i].offset,
                   bytes);
            out_launch->known |= UINT32_C(1) << i;
        }
    }
}

static bool is_pointer(const void *context, uint64_t value)
{
    const struct launch *launch = context;
    const struct window_block *block = window_find(launch->memory, value);

    return block != NULL && !block->is_heap;
}

/* The pointers that the addresses of a launch are made of, by register, to be freed; NULL if
 * nothing needs them. */
static uint64_t *find_bases(const struct launch *launch, const struct fault *const *faults,
                            size_t count)
{
    const struct ptx_function *function = launch->code->function;
    const struct kernel_arguments parameters = {launch->parameters, is_pointer, launch};

    for (size_t i = 0; i < count; i++) {
        if (faults[i]->kind == FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS && launch->parameters != NULL) {
            uint64_t *bases = calloc(function->register_count + 1, sizeof *bases);
            if (bases == NULL) {
                abort();
            }
            address_bases_find(function, &parameters, bases);
            return bases;
        }
    }
    return NULL;
}

/* Lets an access outside of all allocations count from the one into which the pointer points that
 * its address is made of, however near another one is. */
static void find_allocation(const struct launch *launch, const struct fault *fault,
                            const uint64_t *bases, struct finding_record *record)
{
    if (fault->kind != FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS || bases == NULL ||
        fault->object != NULL || !op_is_memory(fault->places[0].op)) {
        return;
    }
    const uint64_t base = address_base_of(launch->code->function,
                                          op_source(launch->code, fault->places[0].op), bases);
    const struct window_block *block = base == 0 ? NULL : window_find(launch->memory, base);
    if (block == NULL) {
        return;
    }
    record->has_base = 1;
    record->object_bytes = block->end - block->start;
    record->distance_bytes = fault->address >= block->end ? (int64_t)(fault->address - block->end)
                             : fault->address < block->start
                                 ? -(int64_t)(block->start - fault->address)
                                 : 0;
}

static void fill_record(const struct launch *launch, const struct fault *fault,
                        const uint64_t *bases, struct finding_record *record)
{
    record->kind = fault->kind;
    record->module = launch->code->module_index;
    record->function = launch->code->function_index;
    record->count = fault->count;
    record->address = fault->address;
    record->access_bytes = fault->access_bytes;
    record->distance_bytes = fault->distance_bytes;
    record->object_bytes = fault->object_bytes;
    if (fault->kind == FINDING_RECORD_UNKNOWN_INSTRUCTION) {
        snprintf(record->text, sizeof record->text, "%s",
                 op_source(launch->code, fault->places[0].op)->text);
    } else if (fault->object != NULL) {
        snprintf(record->text, sizeof record->text, "%s", fault->object);
    }
    find_allocation(launch, fault, bases, record);
    fill_launch(launch, &record->launch);
    for (size_t k = 0; k < FINDING_RECORD_PLACES && fault->places[k].op != NULL; k++) {
        fill_place(launch, fault, k, &record->places[k]);
        record->place_count++;
    }
}

/* True for a race within a warp between sites that race between warps as well. */
static bool is_lesser_race(const struct finding_table *table, const struct fault *fault)
{
    const struct finding_key key = key_of(fault);
    return fault->kind == FINDING_RECORD_WARP_RACE &&
           finding_room_find(&table->room, FINDING_RECORD_SHARED_RACE, &key) != FINDING_ROOM;
}

/* Lists what is to be told, sorted. */
static size_t list_faults(const struct finding_table *table,
                          const struct fault *out_faults[FINDING_RECORDS_MAX])
{
    size_t count = 0;
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        for (size_t i = 0; i < table->room.counts[kind]; i++) {
            const struct fault *fault = &table->faults[kind][i];
            if (fault->count > 0 && !is_lesser_race(table, fault)) {
                out_faults[count++] = fault;
            }
        }
    }
    qsort(out_faults, count, sizeof *out_faults, compare_faults);
    return count;
}

struct finding_record *finding_table_records(const struct finding_table *table,
                                             const struct launch *launch, size_t *out_count)
{
    const struct fault *faults[FINDING_RECORDS_MAX];
    size_t count = list_faults(table, faults);
    struct finding_record *records = calloc(count + FINDING_RECORD_KIND_END, sizeof *records);
    if (records == NULL) {
        abort();
    }
    uint64_t *bases = find_bases(launch, faults, count);
    for (size_t i = 0; i < count; i++) {
        fill_record(launch, faults[i], bases, &records[i]);
    }
    free(bases);
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        if (table->left_out[kind] > 0) {
            records[count] = (struct finding_record){.kind = kind,
                                                     .module = launch->code->module_index,
                                                     .function = launch->code->function_index,
                                                     .count = table->left_out[kind]};
            count++;
        }
    }
    *out_count = count;
    return records;
}
