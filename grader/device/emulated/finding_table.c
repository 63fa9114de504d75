/* finding_table.c: see finding_table.h. */
#include "device/emulated/finding_table.h"

#include "device/emulated/op_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const struct fault *a, const struct fault *b)
{
    bool is_equal = a->kind == b->kind;
    for (size_t k = 0; k < FINDING_RECORD_PLACES; k++) {
        is_equal = is_equal && a->places[k].op == b->places[k].op;
    }
    return is_equal;
}

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

/* The slot of an equal fault, or the free one where it belongs. */
static size_t find_slot(const struct finding_table *table, const struct fault *fault)
{
    uint64_t hash = (uint64_t)fault->kind;
    for (size_t k = 0; k < FINDING_RECORD_PLACES; k++) {
        hash = (hash ^ (uintptr_t)fault->places[k].op) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    size_t slot = (size_t)hash & (table->slot_count - 1);
    while (table->slots[slot] != 0 && !is_same(&table->faults[table->slots[slot] - 1], fault)) {
        slot = (slot + 1) & (table->slot_count - 1);
    }
    return slot;
}

/* Doubles the room; there are twice as many slots as faults. False without memory. */
static bool grow(struct finding_table *table)
{
    size_t capacity = table->capacity == 0 ? 16 : table->capacity * 2;
    struct fault *faults = reallocarray(table->faults, capacity, sizeof *faults);
    table->faults = faults != NULL ? faults : table->faults;
    uint32_t *slots = calloc(capacity * 2, sizeof *slots);
    if (faults == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = capacity * 2;
    table->capacity = capacity;
    for (size_t i = 0; i < table->count; i++) {
        table->slots[find_slot(table, &table->faults[i])] = (uint32_t)i + 1;
    }
    return true;
}

/* The entry that is equal but for the occurrence; NULL if there is none. */
static struct fault *find(const struct finding_table *table, const struct fault *fault)
{
    uint32_t number = table->slot_count == 0 ? 0 : table->slots[find_slot(table, fault)];
    return number == 0 ? NULL : &table->faults[number - 1];
}

void finding_table_add(struct finding_table *table, const struct fault *fault)
{
    struct fault *known = find(table, fault);
    if (known != NULL) {
        uint64_t count = known->count + fault->count;
        if (is_earlier(fault, known)) {
            *known = *fault;
        }
        known->count = count;
        return;
    }
    if (table->count == FAULTS_MAX || (table->count == table->capacity && !grow(table))) {
        return;
    }
    size_t slot = find_slot(table, fault);
    table->faults[table->count++] = *fault;
    table->slots[slot] = (uint32_t)table->count;
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
    free(table->slots);
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
    out_place->access = place->access;
    op_place_fill(launch->code, place->op, out_place);
    uint64_t block = place->block_number != 0 ? place->block_number - 1 : fault->block;
    unfold(block, launch->request->grid, out_place->block);
    unfold(place->thread, launch->request->block, out_place->thread);
}

static void fill_record(const struct launch *launch, const struct fault *fault,
                        struct finding_record *record)
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
    for (size_t k = 0; k < FINDING_RECORD_PLACES && fault->places[k].op != NULL; k++) {
        fill_place(launch, fault, k, &record->places[k]);
        record->place_count++;
    }
}

/* Takes out races within a warp between sites that race between warps as well. */
static void drop_lesser_races(struct finding_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct fault greater = table->faults[i];
        bool is_lesser = greater.kind == FINDING_RECORD_WARP_RACE;
        greater.kind = FINDING_RECORD_SHARED_RACE;
        table->faults[i].is_dropped = is_lesser && find(table, &greater) != NULL;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!table->faults[i].is_dropped) {
            table->faults[kept++] = table->faults[i];
        }
    }
    table->count = kept;
}

struct finding_record *finding_table_records(struct finding_table *table,
                                             const struct launch *launch, size_t *out_count)
{
    drop_lesser_races(table);
    struct finding_record *records = calloc(table->count + 1, sizeof *records);
    if (records == NULL) {
        *out_count = 0;
        return NULL;
    }
    if (table->count > 0) {
        qsort(table->faults, table->count, sizeof *table->faults, compare_faults);
    }
    for (size_t i = 0; i < table->count; i++) {
        fill_record(launch, &table->faults[i], &records[i]);
    }
    *out_count = table->count;
    return records;
}
