/* finding_table.h: what one worker has seen so far, one entry for each kind and list of ops.
 *
 * An entry keeps the count and the first occurrence: lowest block, then lowest rank, then lowest
 * threads, then earliest in them. So the merged tables of several workers do not depend on
 * which worker ran which block. Entries are found by a hash; after FAULTS_MAX of them no more are
 * taken.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H
#define GPUGRADE_DEVICE_EMULATED_FINDING_TABLE_H

#include "device/emulated/machine.h"
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
    bool is_dropped;    /* used while records are made */
};

enum { FAULTS_MAX = 1 << 16 };

struct finding_table {
    struct fault *faults; /* [count], in no order; owned */
    size_t count, capacity;
    uint32_t *slots; /* [slot_count] 1 plus an index in `faults`, found by a hash; 0: free; owned */
    size_t slot_count;
};

void finding_table_add(struct finding_table *table, const struct fault *fault);
void finding_table_merge(struct finding_table *table, const struct finding_table *other);
void finding_table_release(struct finding_table *table);

/* Writes the entries as records, sorted by block, thread, op and kind; the array is owned by the
 * caller and freed with free(); the table can only be released after that. Sites that race between
 * warps are not listed again as racing within one. */
struct finding_record *finding_table_records(struct finding_table *table,
                                             const struct launch *launch, size_t *out_count);

#endif
