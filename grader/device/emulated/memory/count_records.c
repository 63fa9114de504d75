/* count_records.c: the sums of access_counts.h as records; one for each line, space and access. */
#include "device/emulated/lower/op_place.h"
#include "device/emulated/memory/access_counts.h"

#include <stdlib.h>
#include <string.h>

/* Records in no order, the same line perhaps several times. */
struct record_list {
    struct count_record *records; /* [count] */
    size_t count, capacity;
};

static struct count_record *append(struct record_list *list, const struct count_record *record)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 32 : list->capacity * 2;
        list->records = reallocarray(list->records, list->capacity, sizeof *list->records);
        if (list->records == NULL) {
            abort();
        }
    }
    list->records[list->count] = *record;
    return &list->records[list->count++];
}

static struct count_record record_at(const struct kernel_code *code, const struct op *op,
                                     enum count_record_kind kind)
{
    struct finding_record_place place;
    op_place_fill(code, op, &place);
    return (struct count_record){
        .kind = kind,
        .file = place.file,
        .line = place.line,
        .column = place.column,
        .inlined_file = place.inlined_file,
        .inlined_line = place.inlined_line,
        .inlined_column = place.inlined_column,
    };
}

static void set_tally(struct count_record *record, const struct access_tally *tally)
{
    record->requests = tally->requests;
    record->lanes = tally->lanes;
    record->bytes = tally->bytes;
    if (record->space == COUNT_SPACE_GLOBAL) {
        record->sectors = tally->units;
        record->least_sectors = tally->least_units;
    } else {
        record->sectors = record->space == COUNT_SPACE_SHARED ? tally->pieces : 0;
        record->wavefronts = tally->units;
        record->least_wavefronts = tally->least_units;
    }
}

/* Parameters of device functions lie in local memory here, in registers on a GPU. */
static bool is_parameter(const struct ptx_instruction *instruction)
{
    return instruction->space == PTX_SPACE_PARAM;
}

static void append_accesses(struct record_list *list, const struct kernel_code *code,
                            const struct op *op, const struct access_counter *counter)
{
    for (unsigned i = 0; i < ACCESS_SPACES; i++) {
        const struct access_tally *tally = &counter->spaces[i];
        if (tally->requests == 0 || is_parameter(op_source(code, op))) {
            continue;
        }
        struct count_record record = record_at(code, op, COUNT_RECORD_ACCESS);
        record.space = i + 1;
        record.access = op_access(op);
        record.max_degree = record.space == COUNT_SPACE_SHARED ? counter->max_degree : 0;
        set_tally(&record, tally);
        append(list, &record);
    }
}

static void append_barrier(struct record_list *list, const struct kernel_code *code,
                           const struct op *op, const struct barrier_tally *barrier)
{
    if (barrier->arrivals != 0) {
        struct count_record *record = append(list, &(struct count_record){0});
        *record = record_at(code, op, COUNT_RECORD_BARRIER);
        record->requests = barrier->arrivals;
        record->lanes = barrier->lanes;
        record->passed = barrier->passed;
        /* One that does more than order accesses, as where blocks wait for others, has neither. */
        record->needed = barrier->passed == 0 ? 0 : barrier->needed;
    }
}

static void append_branch(struct record_list *list, const struct kernel_code *code,
                          const struct op *op, const struct branch_tally *branch)
{
    if (branch->requests != 0) {
        struct count_record *record = append(list, &(struct count_record){0});
        *record = record_at(code, op, COUNT_RECORD_BRANCH);
        record->requests = branch->requests;
        record->lanes = branch->lanes;
        record->divergent = branch->divergent;
    }
}

static void append_product(struct record_list *list, const struct kernel_code *code,
                           const struct op *op, const struct product_tally *product)
{
    if (product->requests != 0) {
        struct count_record *record = append(list, &(struct count_record){0});
        *record = record_at(code, op, COUNT_RECORD_PRODUCT);
        record->requests = product->requests;
        record->lanes = product->lanes;
        record->multiply_adds = product->multiply_adds;
    }
}

static void append_allocations(struct record_list *list, const struct access_counts *counts)
{
    for (size_t i = 0; i < counts->allocation_slots; i++) {
        const struct allocation_counter *allocation = &counts->allocations[i];
        for (unsigned kind = 0; kind < ACCESS_KINDS && allocation->start != 0; kind++) {
            const struct access_tally *tally = &allocation->kinds[kind];
            if (tally->requests == 0) {
                continue;
            }
            struct count_record record = {
                .kind = COUNT_RECORD_ALLOCATION,
                .space = COUNT_SPACE_GLOBAL,
                .access = FINDING_RECORD_READ + kind,
                .address = allocation->start,
            };
            set_tally(&record, tally);
            append(list, &record);
        }
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By kind, then by place, space, access and address: what is equal then is one record. */
static int compare_records(const void *left, const void *right)
{
    const struct count_record *a = left;
    const struct count_record *b = right;
    const uint64_t keys[][2] = {
        {a->kind, b->kind},
        {a->file, b->file},
        {a->line, b->line},
        {a->column, b->column},
        {a->inlined_file, b->inlined_file},
        {a->inlined_line, b->inlined_line},
        {a->inlined_column, b->inlined_column},
        {a->space, b->space},
        {a->access, b->access},
        {a->address, b->address},
    };
    int order = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && order == 0; i++) {
        order = compare_numbers(keys[i][0], keys[i][1]);
    }
    return order;
}

static void add_record(struct count_record *sum, const struct count_record *other)
{
    sum->max_degree = other->max_degree > sum->max_degree ? other->max_degree : sum->max_degree;
    sum->requests += other->requests;
    sum->lanes += other->lanes;
    sum->bytes += other->bytes;
    sum->sectors += other->sectors;
    sum->least_sectors += other->least_sectors;
    sum->wavefronts += other->wavefronts;
    sum->least_wavefronts += other->least_wavefronts;
    sum->divergent += other->divergent;
    sum->passed += other->passed;
    sum->needed += other->needed;
    sum->multiply_adds += other->multiply_adds;
}

/* Sorts the records and sums up those of one place. */
static void fold(struct record_list *list)
{
    size_t kept = 0;
    if (list->count > 1) {
        qsort(list->records, list->count, sizeof *list->records, compare_records);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && compare_records(&list->records[kept - 1], &list->records[i]) == 0) {
            add_record(&list->records[kept - 1], &list->records[i]);
        } else {
            list->records[kept++] = list->records[i];
        }
    }
    list->count = kept;
}

struct count_record *access_counts_records(const struct access_counts *counts, size_t *out_count)
{
    struct record_list list = {0};
    *out_count = 0;
    if (counts == NULL) {
        return NULL;
    }
    const struct kernel_code *code = counts->code;
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        const struct access_counter *counter = &counts->counters[op->access_index];
        if (!op_is_counted(op)) {
            continue;
        }
        if (op->code == OP_BARRIER) {
            append_barrier(&list, code, op, &counter->barrier);
        } else if (op->code == OP_BRANCH) {
            append_branch(&list, code, op, &counter->branch);
        } else if (op->code == OP_TENSOR_PRODUCT) {
            append_product(&list, code, op, &counter->product);
        } else {
            append_accesses(&list, code, op, counter);
        }
    }
    append_allocations(&list, counts);
    fold(&list);
    *out_count = list.count;
    return list.records;
}
