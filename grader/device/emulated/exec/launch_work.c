/* launch_work.c: see launch_work.h. */
#include "device/emulated/exec/launch_work.h"

#include "base/clock.h"

#include <time.h>

/* How often a launch asks whether it is still wanted. */
#define LOOK_NS (UINT64_C(20) * CLOCK_NS_PER_MS)

/* Work that a worker keeps to itself before it adds to the sum. */
enum { WORK_AT_ONCE = 1 << 14 };

/* Of arithmetic: all lanes at once, and lane by lane. */
enum { LANE_WORK = 1, RARE_WORK = 12, DIRECTED_WORK = 24 };

/* Of an access: lane by lane, as each has memory of its own; and one that is logged for races, and
 * judged where its interval is no known one. */
enum { LOCAL_WORK = 64, SHARED_WORK = 16 };

/* The ops of vector_ops.def that no processor has a vector instruction for. */
static const struct {
    uint16_t code;
    uint8_t work;
} slow_vector_ops[] = {
    {OP_POPC_32, 4},      {OP_POPC_64, 4},     {OP_CLZ_32, 4},
    {OP_CLZ_64, 4},       {OP_BREV_32, 4},     {OP_BREV_64, 4},
    {OP_SIN_F32, 8},      {OP_COS_F32, 8},     {OP_EX2_F32, 8},
    {OP_LG2_F32, 8},      {OP_TANH_F32, 8},    {OP_EX2_F16, 8},
    {OP_EX2_F16X2, 16},   {OP_EX2_BF16, 8},    {OP_EX2_BF16X2, 16},
    {OP_TANH_F16, 8},     {OP_TANH_F16X2, 16}, {OP_TANH_BF16, 8},
    {OP_TANH_BF16X2, 16}, {OP_CVT_SAT_F32, 8}, /* as the other conversions with .sat */
};

static const uint8_t weights[OP_CODE_COUNT] = {
#define VECTOR_OP(name, ...) [OP_##name] = LANE_WORK,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
#define COMPARE_OP(name, ...) [OP_##name] = LANE_WORK,
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
#define SCALAR_OP(name, ...) [OP_##name] = RARE_WORK,
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP
#define DIRECTED_OP(name, ...) [OP_##name] = DIRECTED_WORK,
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
#define OTHER_OP(name, work) [OP_##name] = (work),
#include "device/emulated/arithmetic/other_ops.def"
#undef OTHER_OP
};

static bool is_access(uint16_t code)
{
    return code == OP_LOAD_32 || code == OP_LOAD_64 || code == OP_LOAD_ANY || code == OP_STORE_32 ||
           code == OP_STORE_64 || code == OP_STORE_ANY;
}

uint8_t op_work(uint16_t code, uint8_t space)
{
    if (is_access(code) && (space == PTX_SPACE_LOCAL || space == PTX_SPACE_SHARED)) {
        return space == PTX_SPACE_LOCAL ? LOCAL_WORK : SHARED_WORK;
    }
    for (size_t i = 0; i < sizeof slow_vector_ops / sizeof slow_vector_ops[0]; i++) {
        if (slow_vector_ops[i].code == code) {
            return slow_vector_ops[i].work;
        }
    }
    return weights[code];
}

uint64_t thread_time_ns(void)
{
    struct timespec used = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * CLOCK_NS_PER_S + (uint64_t)used.tv_nsec;
}

static uint64_t later(uint64_t time_ns, uint64_t by_ns)
{
    return by_ns > UINT64_MAX - time_ns ? UINT64_MAX : time_ns + by_ns;
}

void worker_start_clock(struct worker *worker)
{
    worker->limit_time_ns = later(thread_time_ns(), worker->launch->limit_ns);
    worker->look_ns = later(clock_now_ns(), worker->launch->limit_ns);
}

void worker_finish_work(struct worker *worker)
{
    __atomic_fetch_add(&worker->launch->work, worker->own_work, __ATOMIC_RELAXED);
    worker->own_work = 0;
}

void worker_add_work(struct worker *worker, uint64_t work)
{
    worker->own_work += work;
    if (worker->own_work >= WORK_AT_ONCE) {
        worker_finish_work(worker);
    }
}

static bool is_unwanted(struct launch *launch, uint64_t now_ns)
{
    if (launch->is_unwanted == NULL ||
        now_ns < __atomic_load_n(&launch->look_ns, __ATOMIC_RELAXED)) {
        return false;
    }
    __atomic_store_n(&launch->look_ns, now_ns + LOOK_NS, __ATOMIC_RELAXED);
    return launch->is_unwanted(launch->unwanted_context);
}

/* True if a worker has used the processor time that it may. A thread uses no more of it than what
 * passes, so it is asked for only when all of what is left may have been used. */
static bool has_used_up(struct worker *worker, uint64_t now_ns)
{
    if (now_ns < worker->look_ns) {
        return false;
    }
    uint64_t used_ns = thread_time_ns();
    if (used_ns >= worker->limit_time_ns) {
        return true;
    }
    worker->look_ns = now_ns + (worker->limit_time_ns - used_ns);
    return false;
}

void launch_stop(struct launch *launch, enum launch_stop why)
{
    uint8_t none = STOP_NONE;
    __atomic_compare_exchange_n(&launch->stop, &none, (uint8_t)why, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

enum launch_stop launch_stopped(const struct launch *launch)
{
    return (enum launch_stop)__atomic_load_n(&launch->stop, __ATOMIC_RELAXED);
}

bool launch_must_stop(struct worker *worker)
{
    struct launch *launch = worker->launch;
    uint64_t now_ns = clock_now_ns();

    if (launch_stopped(launch) != STOP_NONE) {
        return true;
    }
    if (__atomic_load_n(&launch->work, __ATOMIC_RELAXED) + worker->own_work > launch->work_limit) {
        launch_stop(launch, STOP_WORK);
    } else if (has_used_up(worker, now_ns)) {
        launch_stop(launch, STOP_TIME);
    } else if (is_unwanted(launch, now_ns)) {
        launch_stop(launch, STOP_UNWANTED);
    } else {
        return false;
    }
    return true;
}
