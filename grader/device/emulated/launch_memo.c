/* launch_memo.c: see launch_memo.h. */
#include "device/emulated/launch_memo.h"

#include <stdlib.h>
#include <string.h>

/* Both may be NULL without bytes. */
static void *copy_of(const void *bytes, size_t length)
{
    void *copy = malloc(length + 1);

    if (copy == NULL) {
        abort();
    }
    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    return copy;
}

static void forget(struct memo_launch *known)
{
    free((void *)(uintptr_t)known->request.parameters);
    free((void *)(uintptr_t)known->result.counts);
    for (size_t access = 0; access < ORDER_ACCESSES; access++) {
        free((void *)(uintptr_t)known->result.touched.ranges[access]);
    }
    *known = (struct memo_launch){.is_set = false};
}

void launch_memo_release(struct launch_memo *memo)
{
    for (size_t i = 0; i < MEMO_LAUNCHES; i++) {
        forget(&memo->launches[i]);
    }
}

/* True if two launches do the same with the same memory. How much work is allowed does not count:
 * that only stops one. */
static bool are_same(const struct device_launch *a, const struct device_launch *b)
{
    return a->module == b->module && a->function == b->function &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
           a->is_cooperative == b->is_cooperative &&
           a->limits.stack_bytes == b->limits.stack_bytes &&
           a->limits.print_bytes == b->limits.print_bytes &&
           a->limits.heap_bytes == b->limits.heap_bytes && a->order_seed == b->order_seed &&
           a->asks_touched == b->asks_touched && a->asks_order == b->asks_order;
}

const struct device_launch_result *launch_memo_find(const struct launch_memo *memo,
                                                    const struct device_launch *request,
                                                    uint64_t parameter_bytes)
{
    for (size_t i = 0; i < MEMO_LAUNCHES; i++) {
        const struct memo_launch *known = &memo->launches[i];
        const uint64_t work = known->result.counters.work;
        if (known->is_set && known->changes == memo->changes &&
            (request->work_limit == 0 || work <= request->work_limit) &&
            are_same(&known->request, request) && known->parameter_bytes == parameter_bytes &&
            (parameter_bytes == 0 ||
             memcmp(known->request.parameters, request->parameters, parameter_bytes) == 0)) {
            return &known->result;
        }
    }
    return NULL;
}

/* Bytes that a launch would own. */
static uint64_t owned_bytes(uint64_t parameter_bytes, const struct device_launch_result *result)
{
    uint64_t bytes = parameter_bytes + result->count_count * sizeof *result->counts;

    for (size_t access = 0; access < ORDER_ACCESSES; access++) {
        bytes += result->touched.counts[access] * sizeof(struct order_range);
    }
    return bytes;
}

void launch_memo_keep(struct launch_memo *memo, const struct device_launch *request,
                      uint64_t parameter_bytes, const struct device_launch_result *result)
{
    struct memo_launch *known = &memo->launches[memo->next];

    if (result->status != LAUNCH_DONE || result->finding_count > 0 || result->printed_bytes > 0 ||
        result->complaint_bytes > 0 || owned_bytes(parameter_bytes, result) > MEMO_BYTES_EACH) {
        return;
    }
    forget(known);
    *known = (struct memo_launch){
        .is_set = true,
        .request = *request,
        .parameter_bytes = parameter_bytes,
        .changes = memo->changes,
        .result = *result,
    };
    known->request.parameters = copy_of(request->parameters, parameter_bytes);
    known->result.counts = copy_of(result->counts, result->count_count * sizeof *result->counts);
    known->result.findings = NULL;
    known->result.printed = "";
    known->result.complaints = "";
    for (size_t access = 0; access < ORDER_ACCESSES; access++) {
        const struct order_range *ranges = result->touched.ranges[access];
        known->result.touched.ranges[access] =
            copy_of(ranges, result->touched.counts[access] * sizeof *ranges);
    }
    memo->next = (memo->next + 1) % MEMO_LAUNCHES;
}
