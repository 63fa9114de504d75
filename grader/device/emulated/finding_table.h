/* finding_table.h: what one worker has seen so far, one entry for each kind and list of ops.
 *
 * An entry keeps the count and the first occurrence: lowest block, then lowest rank, then lowest
 * threads, then earliest in them. So the merged tables of several workers do not depend on
 * which worker ran which block. Of each kind finding_room.h says which are kept; the rest is
 * counted.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H
#define GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H

#include "device/emulated/machine.h"
#include "device/finding_room.h"
#include "wire/finding_record.h"

struct fault_place {
    const struct op *op;
    uint32_t access;       /* enum finding_record_access */
    uint32_t thread;       /* linear, in the block */
    uint64_t block_number; /* 1 plus the linear block; 0: that of the fault */
};

/* One occurrence. */
struct fault {
    enum finding_record_kind kind;
    struct fault_place places[FINDING_RECORD_PLACES]; /* an op is NULL: there are no more */
    uint64_t block;                                   /* linear */
    uint64_t rank; /* orders occurrences in a block before their threads do */
    uint64_t count;
    uint64_t address;
    uint32_t access_bytes;
    int64_t distance_bytes;
    uint64_t object_bytes;
    const char *object; /* the name of a variable; NULL: none */
};

/* Zeroed but for `code`: empty. */
struct finding_table {
    const struct kernel_code *code; /* NULL: no lines are known */
    struct finding_room room;
    struct fault *faults[FINDING_RECORD_KIND_END]; /* [FINDING_ROOM], NULL: none; owned */
    uint64_t left_out[FINDING_RECORD_KIND_END];    /* occurrences */
};

void finding_table_add(struct finding_table *table, const struct fault *fault);

/* Counts what cannot be checked as left-out findings of a kind. */
void finding_table_leave_out(struct finding_table *table, enum finding_record_kind kind,
                             uint64_t count);

/* Takes back what has been found of a kind at an op alone, as often as it was. */
void finding_table_forget(struct finding_table *table, enum finding_record_kind kind,
                          const struct op *op);

void finding_table_merge(struct finding_table *table, const struct finding_table *other);
void finding_table_release(struct finding_table *table);

/* Writes the entries as records, sorted by block, thread, op and kind, followed by one for the
 * left-out findings of each kind; the array is owned by the caller and freed with free(). Sites
 * that race between warps are not listed again as racing within one. */
struct finding_record *finding_table_records(const struct finding_table *table,
                                             const struct launch *launch, size_t *out_count);

#endif
