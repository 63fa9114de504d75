/* finding_table.h: what one worker has seen so far, one entry for each kind and pair of places.
 *
 * An entry keeps the count and the first occurrence: lowest block, then lowest thread, then
 * earliest in that thread. So the merged tables of several workers do not depend on which worker
 * ran which block.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H
#define GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

struct fault_place {
    const struct op *op;
    uint32_t access; /* enum finding_record_access */
    uint32_t thread; /* linear, in the block */
};

/* One occurrence. */
struct fault {
    enum finding_record_kind kind;
    struct fault_place places[FINDING_RECORD_PLACES]; /* the second op is NULL: there is none */
    uint64_t block;                                   /* linear */
    uint64_t count;
    uint64_t address;
    uint32_t access_bytes;
    int64_t distance_bytes;
    uint64_t object_bytes;
    const char *object; /* the name of a variable; NULL: none */
};

struct finding_table {
    struct fault *faults; /* [count], in no order; owned */
    size_t count, capacity;
};

void finding_table_add(struct finding_table *table, const struct fault *fault);
void finding_table_merge(struct finding_table *table, const struct finding_table *other);
void finding_table_release(struct finding_table *table);

/* Writes the entries as records, sorted by block, thread, op and kind; the array is owned by the
 * caller and freed with free(). */
struct finding_record *finding_table_records(const struct finding_table *table,
                                             const struct launch *launch, size_t *out_count);

#endif
