/* timing_loop.c: see timing_loop.h.
 *
 * A measurement that has begun ends in one of four ways: enough is known, the budget is used, the
 * submission failed (run->failure, or a span that is wrong or changed its inputs), the machine
 * failed (run->trouble).
 */
#include "session/timing_loop.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>

enum {
    FIRST_BLOCKS = 15, /* 30 pairs */
    BATCH_BLOCKS = 8,
    LEAST_BLOCKS = 3,
    REJECTED_MOST = 6, /* where the budget is used and fewer than LEAST_BLOCKS count */
    LAUNCHES_MOST = 64,
    BUDGET_BLOCKS = 5 /* blocks that fit in a budget at least, if one launch a span allows it */
};
#define SPAN_NS 2e6     /* a shorter span is noise */
#define PRECISE 0.001   /* half-width that is enough */
#define AMBIGUOUS 0.005 /* half-width that is too much */
#define SELF_LOW 0.998  /* the self-comparison's interval must meet these */
#define SELF_HIGH 1.002

/* The measurement so far. */
struct loop {
    const struct timing_plan *plan;
    struct arena *arena;
    struct timing_run *run;
    struct timing_series series;
    uint32_t batches;  /* requests so far */
    uint32_t launches; /* per span */
    double block_ns;   /* wall time of one block, of the last batch; warm-up: an upper bound */
};

/* True if measuring has no sense any more. */
static bool is_over(const struct loop *loop)
{
    return loop->run->failure != CODE_NONE || loop->run->trouble[0] != '\0' ||
           loop->run->wrong_spans > 0 || loop->run->changed_spans > 0;
}

static const char *role_title(uint32_t contender)
{
    return contender == TIMING_BASELINE ? "baseline" : "reference";
}

/* The code of a judged launch that did not come to its end: the device's first finding that is an
 * error knows it best. */
static void fail_launch(struct loop *loop, const struct timing_outcome *outcome)
{
    struct timing_run *run = loop->run;

    for (size_t i = 0; i < outcome->finding_count; i++) {
        if (outcome->findings[i].severity == SEVERITY_ERROR) {
            run->failure = outcome->findings[i].code;
            run->failure_message = outcome->findings[i].message;
            return;
        }
    }
    if (outcome->status == LAUNCH_DEADLINE) {
        run->failure = CODE_LAUNCH_DEADLINE;
        run->failure_message = "a timed launch took longer than its deadline";
    } else if (outcome->status == LAUNCH_UNSUPPORTED) {
        run->failure = CODE_LAUNCH_REFUSED;
        run->failure_message = "the GPU's driver refuses the launch";
    } else if (outcome->status == LAUNCH_FAULT) {
        run->failure = CODE_DEVICE_TRAP;
        run->failure_message = "a timed launch ended with a fault";
    }
}

/* Notes what a batch says besides times. */
static void note_outcome(struct loop *loop, const struct timing_outcome *outcome)
{
    struct timing_run *run = loop->run;
    bool is_done = outcome->status == LAUNCH_DONE;

    if (is_done || outcome->contender == TIMING_JUDGED) {
        if (outcome->finding_count > 0) {
            run->findings = outcome->findings;
            run->finding_count = outcome->finding_count;
        }
        fail_launch(loop, outcome);
    } else {
        run->is_spoilt = true;
        run->trouble =
            arena_printf(loop->arena, "the %s's launch %s on the GPU while speed was measured",
                         role_title(outcome->contender),
                         outcome->status == LAUNCH_DEADLINE ? "took too long" : "failed");
    }
    if (is_done) {
        timing_note_comparisons(outcome->samples, outcome->sample_count, run);
    }
}

/* One request; its samples are in *out_outcome, and counted if they are `counted`. */
static enum error run_batch(struct loop *loop, uint32_t block_count, bool counted,
                            struct timing_outcome *out_outcome, struct diagnostic *diagnostic)
{
    const struct timing_plan *plan = loop->plan;
    const struct timing_batch batch = {loop->batches++, block_count, loop->launches};
    struct timing_series discarded = {.arena = loop->arena};
    uint64_t start_ns = plan->now_ns(plan->context);

    *out_outcome = (struct timing_outcome){.status = LAUNCH_DONE};
    enum error error = plan->measure(plan->context, &batch, out_outcome, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    loop->block_ns = (double)(plan->now_ns(plan->context) - start_ns) / (double)block_count;
    note_outcome(loop, out_outcome);
    if (out_outcome->status != LAUNCH_DONE) {
        return ERROR_NONE;
    }
    if (!timing_series_add(counted ? &loop->series : &discarded, out_outcome->samples,
                           out_outcome->sample_count, block_count, loop->launches)) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device's samples are not the %" PRIu32 " blocks that were asked for",
                       block_count);
        return ERROR_PEER;
    }
    return ERROR_NONE;
}

/* How many launches make a span: so many that the fastest contender's is long enough, but no more
 * than let a few blocks fit in the budget, where another contender is much slower. */
static uint32_t launches_of_span(const struct loop *loop, const struct timing_outcome *outcome)
{
    double fastest_ns = SPAN_NS;
    double block_ns = 0.0;

    for (size_t i = 0; i < outcome->sample_count; i++) {
        fastest_ns = fmin(fastest_ns, outcome->samples[i].nanoseconds);
        block_ns += outcome->samples[i].nanoseconds;
    }
    double wanted = fmin(ceil(SPAN_NS / fastest_ns), LAUNCHES_MOST);
    double fitting = floor((double)loop->plan->budget_ns / BUDGET_BLOCKS / block_ns);
    return (uint32_t)fmax(1.0, fmin(wanted, fitting));
}

/* One block that does not count; tells how long the others take. */
static enum error warm_up(struct loop *loop, struct diagnostic *diagnostic)
{
    struct timing_outcome outcome;

    loop->launches = 1;
    enum error error = run_batch(loop, 1, false, &outcome, diagnostic);
    if (error != ERROR_NONE || is_over(loop)) {
        return error;
    }
    loop->launches = launches_of_span(loop, &outcome);
    loop->run->launches_per_span = loop->launches;
    loop->block_ns *= (double)loop->launches;
    return ERROR_NONE;
}

static bool is_precise(const struct loop *loop)
{
    const struct timing_run *run = loop->run;

    return loop->series.count >= FIRST_BLOCKS && timing_half_width(&run->speedup) <= PRECISE &&
           timing_half_width(&run->reference) <= PRECISE &&
           timing_half_width(&run->self) <= PRECISE;
}

/* How many blocks the next batch takes, with `left_ns` of the budget left. */
static uint32_t batch_blocks(const struct loop *loop, uint64_t left_ns)
{
    size_t most =
        loop->series.count < FIRST_BLOCKS ? FIRST_BLOCKS - loop->series.count : BATCH_BLOCKS;
    double fitting = loop->block_ns > 0.0 ? floor((double)left_ns / loop->block_ns) : (double)most;

    if (fitting < 1.0) {
        return 1;
    }
    return fitting > (double)most ? (uint32_t)most : (uint32_t)fitting;
}

/* Measures until enough is known, or for one budget and at least LEAST_BLOCKS more blocks. */
static enum error spend_budget(struct loop *loop, struct diagnostic *diagnostic)
{
    const struct timing_plan *plan = loop->plan;
    uint64_t start_ns = plan->now_ns(plan->context);
    size_t before = loop->series.count;
    uint32_t rejected_before = loop->series.rejected;

    for (;;) {
        uint64_t used_ns = plan->now_ns(plan->context) - start_ns;
        bool is_spent = used_ns >= plan->budget_ns;
        bool is_least = loop->series.count - before >= LEAST_BLOCKS ||
                        loop->series.rejected - rejected_before >= REJECTED_MOST;
        if (is_over(loop) || is_precise(loop) || (is_spent && is_least)) {
            return ERROR_NONE;
        }
        struct timing_outcome outcome;
        uint32_t blocks = batch_blocks(loop, is_spent ? 0 : plan->budget_ns - used_ns);
        enum error error = run_batch(loop, blocks, true, &outcome, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        timing_series_estimate(&loop->series, plan->seed, loop->run);
    }
}

/* True if the speedup is not known well enough, and what is unknown matters. */
static bool is_wide(const struct loop *loop)
{
    const struct timing_ratio *speedup = &loop->run->speedup;

    return loop->series.count > 0 && timing_half_width(speedup) > AMBIGUOUS &&
           speedup->high >= loop->plan->settled_below;
}

/* One measurement from its start, longer if it stays wide. */
static enum error measure_once(struct loop *loop, struct diagnostic *diagnostic)
{
    loop->series = (struct timing_series){.arena = loop->arena};
    enum error error = spend_budget(loop, diagnostic);

    if (error == ERROR_NONE && !is_over(loop) && is_wide(loop)) {
        error = spend_budget(loop, diagnostic);
        loop->run->is_ambiguous = is_wide(loop);
    }
    return error;
}

/* True if the reference is as fast as itself. */
static bool is_sane(const struct loop *loop)
{
    const struct timing_run *run = loop->run;

    return loop->series.count >= LEAST_BLOCKS && run->self.low <= SELF_HIGH &&
           run->self.high >= SELF_LOW;
}

static const char *insane_message(const struct loop *loop)
{
    const struct timing_run *run = loop->run;

    if (loop->series.count < LEAST_BLOCKS && 2 * run->delayed > run->rejected) {
        return arena_printf(loop->arena,
                            "this machine kept the GPU waiting in %" PRIu32 " of %" PRIu32
                            " measurements: speed cannot be measured now",
                            run->delayed, run->rejected + run->blocks);
    }
    if (loop->series.count < LEAST_BLOCKS) {
        return arena_printf(loop->arena,
                            "the GPU's clock changed in %" PRIu32 " of %" PRIu32
                            " measurements: speed cannot be measured now",
                            run->rejected, run->rejected + run->blocks);
    }
    return arena_printf(loop->arena,
                        "timed against itself, the reference solution takes %.4f (%.4f to %.4f) of "
                        "its own time: speed cannot be measured on this machine now",
                        run->self.value, run->self.low, run->self.high);
}

enum error timing_loop(const struct timing_plan *plan, struct arena *arena,
                       struct timing_run *out_run, struct diagnostic *diagnostic)
{
    struct loop loop = {.plan = plan, .arena = arena, .run = out_run};
    uint64_t start_ns = plan->now_ns(plan->context);

    out_run->trouble = "";
    enum error error = warm_up(&loop, diagnostic);
    if (error == ERROR_NONE && !is_over(&loop)) {
        error = measure_once(&loop, diagnostic);
    }
    if (error == ERROR_NONE && !is_over(&loop) && !is_sane(&loop)) {
        out_run->is_ambiguous = false;
        error = measure_once(&loop, diagnostic);
        if (error == ERROR_NONE && !is_over(&loop) && !is_sane(&loop)) {
            out_run->trouble = insane_message(&loop);
        }
    }
    out_run->seconds = (double)(plan->now_ns(plan->context) - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}
