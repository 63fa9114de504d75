/* trace_flow.c: see trace_flow.h.
 *
 * Passes: names of values from the inputs; accesses in the order they ran, with a map of shared
 * memory; each thread's accesses from its last to its first, which tells what is staged.
 */
#include "diagnosis/dataflow/trace_flow.h"

#include "criteria/results/compare.h"

#include <math.h>
#include <string.h>

/* More than any device has in one block. */
enum { SHARED_BYTES_MAX = 1 << 20, THREADS_MAX = 1024 };

/* How far back a thread's loads are looked at for a value that was rounded, and for one that was
 * stored. */
enum { ROUNDED_WINDOW = 4, LOAD_WINDOW = 1 << 14 };

/* Precision of a value that counts as rounded: bfloat16 has 8 bits, cut off. */
#define ROUNDED_RATIO 0x1p-8

/* Values and their elements: open addressing, at most half full. */
struct value_names {
    uint64_t *values; /* 0: free, as 0 is no name */
    uint32_t *elements;
    size_t mask;
};

static size_t value_slot(const struct value_names *names, uint64_t value)
{
    size_t slot = (size_t)((value * 0x9e3779b97f4a7c15u) >> 20) & names->mask;

    while (names->values[slot] != 0 && names->values[slot] != value) {
        slot = (slot + 1) & names->mask;
    }
    return slot;
}

static uint64_t element_bits(enum element_type type, const void *values, size_t index)
{
    size_t bytes = element_bytes(type);
    uint64_t bits = 0;

    memcpy(&bits, (const char *)values + index * bytes, bytes);
    return bits;
}

/* A value that two elements share names none of them. */
static void names_add(struct value_names *names, uint64_t value, uint32_t element)
{
    if (value == 0) {
        return;
    }
    size_t slot = value_slot(names, value);
    names->elements[slot] = names->values[slot] == 0 ? element : FLOW_NONE;
    names->values[slot] = value;
}

static void names_init(struct arena *arena, const struct trace_flow *flow,
                       struct value_names *names)
{
    size_t capacity = 16;

    while (capacity < 2 * (size_t)flow->element_total) {
        capacity *= 2;
    }
    names->mask = capacity - 1;
    names->values = arena_array(arena, capacity, sizeof *names->values);
    names->elements = arena_array(arena, capacity, sizeof *names->elements);
    for (size_t i = 0; i < flow->input_count; i++) {
        size_t operand = flow->input_operand[i];
        for (size_t j = 0; j < flow->trace->element_counts[operand]; j++) {
            uint64_t bits =
                element_bits(flow->launch->operands[operand].type, flow->trace->inputs[operand], j);
            names_add(names, bits, flow->input_first[i] + (uint32_t)j);
        }
    }
}

/* A half as float: 1 sign, 5 exponent, 10 fraction bits (IEEE 754 binary16). */
static float half_value(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    float fraction = (float)(bits & 1023);
    float value = exponent == 0 ? ldexpf(fraction, -24) : ldexpf(fraction + 1024, exponent - 25);

    return (bits >> 15 & 1) != 0 ? -value : value;
}

static float float_of_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of_bits(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A value of an access as a number, by its width. */
static double access_number(const struct trace_access *access)
{
    switch (access->bytes) {
    case 2:
        return half_value(access->bits);
    case 4:
        return float_of_bits((uint32_t)access->bits);
    case 8:
        return double_of_bits(access->bits);
    default:
        return NAN;
    }
}

/* The element whose value an access carries, in its own width or in another one. */
static uint32_t names_find(const struct value_names *names, const struct trace_access *access)
{
    uint64_t bits = access->bits;
    uint32_t narrow_bits;

    if (bits == 0) {
        return FLOW_NONE;
    }
    size_t slot = value_slot(names, bits);
    if (names->values[slot] == bits) {
        return names->elements[slot];
    }
    double number = access_number(access);
    float narrow = (float)number;
    if (access->bytes == 4 || !isfinite(number) || (double)narrow != number) {
        return FLOW_NONE;
    }
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (narrow_bits == 0) {
        return FLOW_NONE;
    }
    slot = value_slot(names, narrow_bits);
    return names->values[slot] == narrow_bits ? names->elements[slot] : FLOW_NONE;
}

/* Passes over the accesses **********************************************************************/

static bool access_is_valid(const struct trace_flow *flow, const struct trace_access *access)
{
    const struct launch_trace *trace = flow->trace;

    if (access->thread >= flow->thread_count || access->line >= trace->line_count ||
        access->kind > TRACE_ATOMIC) {
        return false;
    }
    if (access->space == TRACE_SHARED) {
        return access->where < SHARED_BYTES_MAX;
    }
    return access->space == TRACE_GLOBAL &&
           (access->operand == TRACE_NO_OPERAND ||
            (access->operand < flow->launch->operand_count &&
             access->where < trace->element_counts[access->operand]));
}

static bool is_input(const struct trace_flow *flow, size_t operand)
{
    return operand < flow->launch->operand_count &&
           operand_has_values(&flow->launch->operands[operand]);
}

static uint32_t input_element(const struct trace_flow *flow, const struct trace_access *access)
{
    for (size_t i = 0; i < flow->input_count; i++) {
        if (flow->input_operand[i] == access->operand) {
            return flow->input_first[i] + (uint32_t)access->where;
        }
    }
    return FLOW_NONE;
}

static void sort_by_thread(struct arena *arena, struct trace_flow *flow)
{
    const struct launch_trace *trace = flow->trace;
    uint32_t *next = arena_array(arena, flow->thread_count + 1, sizeof *next);

    flow->order = arena_array(arena, trace->access_count, sizeof *flow->order);
    flow->thread_first = arena_array(arena, flow->thread_count + 1, sizeof *flow->thread_first);
    for (size_t i = 0; i < trace->access_count; i++) {
        flow->accesses[i].valid = access_is_valid(flow, &trace->accesses[i]);
        if (flow->accesses[i].valid) {
            flow->thread_first[trace->accesses[i].thread + 1]++;
        }
    }
    for (uint32_t i = 0; i < flow->thread_count; i++) {
        flow->thread_first[i + 1] += flow->thread_first[i];
        next[i] = flow->thread_first[i];
    }
    for (size_t i = 0; i < trace->access_count; i++) {
        if (flow->accesses[i].valid) {
            flow->order[next[trace->accesses[i].thread]++] = (uint32_t)i;
        }
    }
}

/* The thread's last accesses so far, for rounded values: a ring per thread. */
struct recent_loads {
    uint32_t *loads; /* [thread_count * ROUNDED_WINDOW] elements */
    uint32_t *count; /* [thread_count] */
};

static double flow_element_number(const struct trace_flow *flow, uint32_t element)
{
    size_t operand = flow->input_operand[flow_input(flow, element)];

    return element_value(flow->launch->operands[operand].type, flow->trace->inputs[operand],
                         flow_index(flow, element));
}

/* An element that the thread loaded lately and whose value is near this one. */
static uint32_t find_rounded(const struct trace_flow *flow, const struct recent_loads *recent,
                             const struct trace_access *access)
{
    double number = access_number(access);
    uint32_t count = recent->count[access->thread];
    uint32_t kept = count < ROUNDED_WINDOW ? count : ROUNDED_WINDOW;

    if (!isfinite(number) || number == 0.0) {
        return FLOW_NONE;
    }
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t element =
            recent->loads[access->thread * ROUNDED_WINDOW + (count - 1 - i) % ROUNDED_WINDOW];
        double loaded = flow_element_number(flow, element);
        if (fabs(number - loaded) <= ROUNDED_RATIO * fabs(loaded)) {
            return element;
        }
    }
    return FLOW_NONE;
}

/* What the pass in the order of time holds. */
struct forward_pass {
    struct value_names names;
    struct recent_loads recent;
    uint32_t *stored; /* [SHARED_BYTES_MAX] 1 plus the last store at each byte offset */
    uint32_t *output; /* [elements of the output] 1 plus the last write of each; FLOW_NONE: one
                         whose value is not known */
};

static void follow_shared(struct trace_flow *flow, struct forward_pass *pass, uint32_t index)
{
    const struct trace_access *access = &flow->trace->accesses[index];
    struct flow_access *known = &flow->accesses[index];
    uint32_t store = pass->stored[access->where];

    if (access->kind == TRACE_ATOMIC) {
        pass->stored[access->where] = 0;
        return;
    }
    known->element = names_find(&pass->names, access);
    if (access->kind == TRACE_READ) {
        if (store != 0) {
            known->linked = store - 1;
            flow->accesses[store - 1].fetched = true;
            if (known->element == FLOW_NONE &&
                flow->trace->accesses[store - 1].bits == access->bits) {
                known->element = flow->accesses[store - 1].element;
            }
        }
        return;
    }
    if (known->element == FLOW_NONE) {
        known->element = find_rounded(flow, &pass->recent, access);
        known->rounded = known->element != FLOW_NONE;
    }
    if (store != 0) {
        flow->accesses[store - 1].linked = index;
    }
    pass->stored[access->where] = index + 1;
}

static void follow_global(struct trace_flow *flow, struct forward_pass *pass, uint32_t index)
{
    const struct trace_access *access = &flow->trace->accesses[index];
    struct flow_access *known = &flow->accesses[index];

    if (access->operand == flow->output && access->kind != TRACE_READ) {
        uint32_t *last = &pass->output[access->where];
        bool whole = access->kind == TRACE_WRITE &&
                     access->bytes == element_bytes(flow->launch->operands[flow->output].type);
        *last = whole ? index + 1 : FLOW_NONE;
        return;
    }
    if (access->kind != TRACE_READ) {
        return;
    }
    known->element = is_input(flow, access->operand) ? input_element(flow, access)
                                                     : names_find(&pass->names, access);
}

static void note_recent(const struct trace_flow *flow, struct forward_pass *pass, uint32_t index)
{
    uint32_t thread = flow->trace->accesses[index].thread;
    uint32_t *count = &pass->recent.count[thread];

    pass->recent.loads[thread * ROUNDED_WINDOW + *count % ROUNDED_WINDOW] =
        flow->accesses[index].element;
    (*count)++;
}

static void follow_in_time(struct trace_flow *flow, struct forward_pass *pass)
{
    for (size_t i = 0; i < flow->trace->access_count; i++) {
        const struct trace_access *access = &flow->trace->accesses[i];
        if (!flow->accesses[i].valid) {
            continue;
        }
        if (access->space == TRACE_SHARED) {
            follow_shared(flow, pass, (uint32_t)i);
        } else {
            follow_global(flow, pass, (uint32_t)i);
        }
        if (access->kind == TRACE_READ && flow->accesses[i].element != FLOW_NONE) {
            note_recent(flow, pass, (uint32_t)i);
        }
    }
}

/* From a thread's last access to its first: a read is staged if a store of that element follows and
 * no other read of it comes between. */
static void find_staged(struct arena *arena, struct trace_flow *flow)
{
    uint32_t *storing = arena_array(arena, flow->element_total, sizeof *storing);

    for (uint32_t thread = 0; thread < flow->thread_count; thread++) {
        for (uint32_t i = flow->thread_first[thread + 1]; i > flow->thread_first[thread]; i--) {
            struct flow_access *known = &flow->accesses[flow->order[i - 1]];
            const struct trace_access *access = &flow->trace->accesses[flow->order[i - 1]];
            if (known->element == FLOW_NONE) {
                continue;
            }
            if (access->kind == TRACE_WRITE && access->space == TRACE_SHARED) {
                storing[known->element] = thread + 1;
            } else if (access->kind == TRACE_READ && storing[known->element] == thread + 1) {
                known->staged = true;
                storing[known->element] = 0;
            }
        }
    }
}

static void collect_results(struct arena *arena, struct trace_flow *flow,
                            const struct forward_pass *pass)
{
    const struct launch_trace *trace = flow->trace;
    size_t count = 0;

    for (size_t i = 0; i < trace->element_counts[flow->output]; i++) {
        count += pass->output[i] != 0 && pass->output[i] != FLOW_NONE ? 1 : 0;
    }
    flow->results = arena_array(arena, count, sizeof *flow->results);
    for (uint32_t i = 0; i < flow->thread_first[flow->thread_count]; i++) {
        uint32_t index = flow->order[i];
        const struct trace_access *access = &trace->accesses[index];
        if (access->space != TRACE_GLOBAL || access->operand != flow->output ||
            access->kind != TRACE_WRITE || pass->output[access->where] != index + 1) {
            continue;
        }
        flow->results[flow->result_count++] = (struct flow_result){
            .element = (uint32_t)access->where,
            .thread = access->thread,
            .access = index,
            .value = element_value(flow->launch->operands[flow->output].type, &access->bits, 0),
        };
    }
}

/* Setting up ************************************************************************************/

/* Checks the trace's own sizes and numbers the elements of the inputs. */
static bool number_elements(struct trace_flow *flow)
{
    const struct launch_trace *trace = flow->trace;
    uint64_t threads = (uint64_t)trace->block[0] * trace->block[1];
    uint64_t total = 0;

    if (trace->access_count > TRACE_ACCESSES_MAX || !trace->is_complete || threads > THREADS_MAX ||
        threads * trace->block[2] == 0 || threads * trace->block[2] > THREADS_MAX) {
        return false;
    }
    flow->thread_count = (uint32_t)(threads * trace->block[2]);
    for (size_t i = 0; i < flow->launch->operand_count; i++) {
        if (trace->element_counts[i] > FLOW_ELEMENTS_MAX) {
            return false;
        }
        if (!is_input(flow, i)) {
            continue;
        }
        if (trace->inputs[i] == NULL || total > FLOW_ELEMENTS_MAX) {
            return false;
        }
        flow->input_operand[flow->input_count] = i;
        flow->input_first[flow->input_count++] = (uint32_t)total;
        total += trace->element_counts[i];
    }
    flow->element_total = (uint32_t)total;
    return total > 0 && total <= FLOW_ELEMENTS_MAX;
}

bool trace_flow_init(struct arena *arena, const struct launch_trace *trace,
                     const struct rubric_launch *launch, struct trace_flow *out_flow)
{
    struct trace_flow flow = {.trace = trace, .launch = launch, .output = output_operand(launch)};
    struct forward_pass pass;

    if (flow.output == launch->operand_count || !number_elements(&flow)) {
        return false;
    }
    flow.accesses = arena_array(arena, trace->access_count, sizeof *flow.accesses);
    for (size_t i = 0; i < trace->access_count; i++) {
        flow.accesses[i] = (struct flow_access){.element = FLOW_NONE, .linked = FLOW_NONE};
    }
    sort_by_thread(arena, &flow);
    names_init(arena, &flow, &pass.names);
    pass.recent.loads =
        arena_array(arena, (size_t)flow.thread_count * ROUNDED_WINDOW, sizeof *pass.recent.loads);
    pass.recent.count = arena_array(arena, flow.thread_count, sizeof *pass.recent.count);
    pass.stored = arena_array(arena, SHARED_BYTES_MAX, sizeof *pass.stored);
    pass.output = arena_array(arena, trace->element_counts[flow.output], sizeof *pass.output);
    follow_in_time(&flow, &pass);
    find_staged(arena, &flow);
    collect_results(arena, &flow, &pass);
    *out_flow = flow;
    return true;
}

/* Questions *************************************************************************************/

size_t flow_input(const struct trace_flow *flow, uint32_t element)
{
    size_t input = flow->input_count - 1;

    while (input > 0 && element < flow->input_first[input]) {
        input--;
    }
    return input;
}

size_t flow_index(const struct trace_flow *flow, uint32_t element)
{
    return element - flow->input_first[flow_input(flow, element)];
}

/* The place of an access among its thread's; accesses stand there in the order they ran. */
static uint32_t place_in_order(const struct trace_flow *flow, uint32_t access)
{
    uint32_t thread = flow->trace->accesses[access].thread;
    uint32_t low = flow->thread_first[thread];
    uint32_t high = flow->thread_first[thread + 1];

    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (flow->order[middle] <= access) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t flow_load_of(const struct trace_flow *flow, uint32_t store)
{
    uint32_t place = place_in_order(flow, store);
    uint32_t first = flow->thread_first[flow->trace->accesses[store].thread];

    for (uint32_t i = place; i > first && place - i < LOAD_WINDOW; i--) {
        uint32_t index = flow->order[i - 1];
        const struct trace_access *access = &flow->trace->accesses[index];
        if (access->kind == TRACE_READ && access->space == TRACE_GLOBAL &&
            flow->accesses[index].element == flow->accesses[store].element) {
            return index;
        }
    }
    return FLOW_NONE;
}

void flow_thread(const struct trace_flow *flow, uint32_t thread, uint32_t out_index[3])
{
    const uint32_t *size = flow->trace->block;

    out_index[0] = thread % size[0];
    out_index[1] = thread / size[0] % size[1];
    out_index[2] = thread / size[0] / size[1];
}
