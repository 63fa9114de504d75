/* speed_bound.c: see speed_bound.h. */
#include "criteria/kinds/speed_bound.h"

#include "criteria/case_text.h"
#include "criteria/kinds/speedup_facts.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/sound_launch.h"
#include "model/case.h"
#include "occupancy/gpu_peak.h"

#include <math.h>

/* Sectors of 32 bytes: 128 bytes. Loads of 4 bytes that ptxas may join into one of 16. */
enum { SECTORS_PER_CYCLE = 4, JOINED_LOADS = 4 };

static double evaluate(const struct criteria_input *input, const struct expression *expression,
                       const struct observation *observation)
{
    struct case_scope scope = observation_scope(input->rubric, observation);
    double value = 0;

    return expression_evaluate(expression, case_lookup, &scope, &value, NULL) ? value : 0;
}

/* Cycles of one multiprocessor that requests take at least, of a line or of all. */
static double cycles_of(enum count_space space, const struct access_sum *sum)
{
    const double full = (double)sum->sectors / SECTORS_PER_CYCLE;

    switch (space) {
    case COUNT_GLOBAL:
        return fmax(full, (double)sum->requests);
    case COUNT_SHARED:
        return fmax(full, (double)(sum->wavefronts - sum->least_wavefronts) / JOINED_LOADS);
    default:
        return 0;
    }
}

static double access_cycles(const struct launch_counts *counts)
{
    double cycles = 0;

    for (int space = 0; space < COUNT_SPACES; space++) {
        for (int access = 0; access < COUNT_ACCESSES; access++) {
            cycles += cycles_of((enum count_space)space, &counts->totals[space][access]);
        }
    }
    return cycles;
}

/* The most blocks of a launch. */
static uint64_t blocks_of(const struct observation *observation)
{
    const struct sample *sample = &observation->samples[0];
    const uint32_t *grid = observation->geometry.grid;
    uint64_t most = sample->kernel_count == 0 ? (uint64_t)grid[0] * grid[1] * grid[2] : 0;

    for (size_t i = 0; i < sample->kernel_count; i++) {
        most = sample->kernels[i].blocks > most ? sample->kernels[i].blocks : most;
    }
    return most;
}

static bool is_counted(const struct observation *observation)
{
    return observation->sample_count > 0 && observation->samples[0].counts.is_counted;
}

/* How many multiprocessors a run uses: as many as there are blocks, if these are as many in all
 * shapes; else all, as large shapes have more than small ones. */
static double multiprocessors_of(const struct gpu_model *model, const struct launch_run *run)
{
    uint64_t blocks = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const uint64_t now =
            is_counted(&run->observations[i]) ? blocks_of(&run->observations[i]) : 0;
        if (now > 0 && blocks > 0 && now != blocks) {
            return model->multiprocessors;
        }
        blocks = now > 0 ? now : blocks;
    }
    return blocks > 0 && blocks < model->multiprocessors ? (double)blocks : model->multiprocessors;
}

/* Operations a second, if the accesses of a probe were all that takes time besides the roof. */
static double allowed(const struct criteria_input *input, const struct rubric_criterion *criterion,
                      const struct observation *observation, double multiprocessors, double roof)
{
    const double operations = evaluate(input, criterion->operations, observation);
    const double cycles = access_cycles(&observation->samples[0].counts) / multiprocessors;
    const double seconds = cycles / (input->model->clock_khz * 1e3);

    return operations > 0 ? fmin(roof, operations / seconds) : 0; /* with nothing to do, nothing */
}

/* Fills in the roof of the timed shape; false if it has none. */
static bool find_roof(const struct criteria_input *input, const struct rubric_criterion *criterion,
                      struct speed_bound *bound)
{
    struct observation timed = {.case_index = SIZE_MAX, .block = 1};

    case_timing_parameters(input->rubric, criterion, input->model->multiprocessors,
                           timed.parameters);
    bound->operations = evaluate(input, criterion->operations, &timed);
    bound->bytes = evaluate(input, criterion->least_bytes, &timed);
    bound->peak_operations = speedup_peak_operations(input, criterion, input->model);
    bound->bandwidth = gpu_peak_bandwidth(input->model);
    if (!(bound->operations > 0 && bound->bytes > 0)) {
        return false;
    }
    bound->roof = fmin(bound->peak_operations, bound->operations / bound->bytes * bound->bandwidth);
    return bound->roof > 0;
}

/* The most that a visible case of a run allows; 0: none is counted. */
static double best_of(const struct criteria_input *input, const struct rubric_criterion *criterion,
                      const struct launch_run *run, double roof,
                      const struct observation **out_observation)
{
    const double multiprocessors = multiprocessors_of(input->model, run);
    double best = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (!is_counted(observation) || observation_is_hidden(input, observation)) {
            continue;
        }
        const double rate = allowed(input, criterion, observation, multiprocessors, roof);
        if (rate > best) {
            best = rate;
            *out_observation = observation;
        }
    }
    return best;
}

bool speed_bound_of(const struct criteria_input *input, struct arena *arena,
                    const struct rubric_criterion *criterion, struct speed_bound *out_bound)
{
    const struct submission_evidence *evidence = input->evidence;
    const struct observation *unused = NULL;
    struct cause cause;
    struct speed_bound bound = {.observation = NULL};

    if (!input->is_emulated || !find_roof(input, criterion, &bound) ||
        launch_soundness(input, arena, criterion->launch, &cause) != LAUNCH_SOUND) {
        return false;
    }
    bound.own = best_of(input, criterion, &evidence->launch_runs[criterion->launch], bound.roof,
                        &bound.observation);
    if (evidence->reference_runs != NULL) {
        bound.reference = best_of(input, criterion, &evidence->reference_runs[criterion->launch],
                                  bound.roof, &unused);
    }
    *out_bound = bound;
    return bound.own > 0;
}

/* "45 %" */
static const char *percent_text(struct arena *arena, const struct speed_bound *bound, double rate)
{
    const double percent = 100 * rate / bound->roof;

    return arena_printf(arena, percent < 1 ? "%.1g %%" : "%.0f %%", percent);
}

const char *speed_bound_text(const struct criteria_input *input, struct arena *arena,
                             const struct speed_bound *bound)
{
    return arena_printf(arena, "at most %s of an %s", percent_text(arena, bound, bound->own),
                        input->model->name);
}

const struct line_count *costliest_line(const struct launch_counts *counts)
{
    const struct line_count *costliest = NULL;
    double most = 0;

    for (size_t i = 0; i < counts->line_count; i++) {
        const double cycles = cycles_of(counts->lines[i].space, &counts->lines[i].sum);
        if (cycles > most && counts->lines[i].file[0] != '\0') {
            costliest = &counts->lines[i];
            most = cycles;
        }
    }
    return costliest;
}

const char *speed_bound_reason(struct arena *arena, const struct speed_bound *bound)
{
    const struct sample *sample = &bound->observation->samples[0];
    const struct line_count *line = costliest_line(&sample->counts);
    const bool is_memory = bound->roof < bound->peak_operations;
    const char *reference = bound->reference > 0
                                ? arena_printf(arena, "; the reference solution's allow %s",
                                               percent_text(arena, bound, bound->reference))
                                : "";
    const char *where =
        line == NULL ? "" : arena_printf(arena, ", most of them in %s:%d", line->file, line->line);

    if (bound->own < bound->roof) {
        return arena_printf(arena,
                            "its accesses%s, allow at most %s of what %s does for this "
                            "task%s",
                            where, percent_text(arena, bound, bound->own),
                            is_memory ? "the bandwidth of memory" : "the peak of operations",
                            reference);
    }
    return arena_printf(arena, "its accesses leave all that %s allows for this task%s",
                        is_memory ? "the bandwidth of memory" : "the peak of operations",
                        reference);
}

void add_speed_bound(const struct criteria_input *input, struct arena *arena,
                     const struct speed_bound *bound, struct verdict *verdict)
{
    const struct rubric_launch *launch = &input->rubric->launches[verdict->criterion->launch];

    verdict_add_text(verdict, "bound_gpu", input->model->name);
    verdict_add_text(verdict, "bound_shape", shape_text(input, arena, launch, bound->observation));
    verdict_add_number(verdict, "bound_operations", bound->operations);
    verdict_add_number(verdict, "bound_bytes", bound->bytes);
    verdict_add_number(verdict, "bound_peak_gflops", bound->peak_operations / 1e9);
    verdict_add_number(verdict, "bound_bandwidth_gbs", bound->bandwidth / 1e9);
    verdict_add_number(verdict, "bound_gflops", bound->own / 1e9);
    verdict_add_number(verdict, "bound_share", bound->own / bound->roof);
    if (bound->reference > 0) {
        verdict_add_number(verdict, "bound_reference_gflops", bound->reference / 1e9);
    }
}
