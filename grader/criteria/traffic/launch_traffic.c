/* launch_traffic.c: see launch_traffic.h. */
#include "criteria/traffic/launch_traffic.h"

#include "criteria/case_text.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/preconditions.h"

#include <inttypes.h>
#include <math.h>

enum { WARP_LANES = 32, SECTOR_BYTES = 32, WAVEFRONT_BYTES = 128 };

double traffic_ratio(const struct launch_traffic *traffic)
{
    return traffic->requests == 0 ? 1.0 : (double)traffic->needed / traffic->least;
}

double traffic_limit(const struct rubric_criterion *criterion, enum count_space space)
{
    return (space == COUNT_SHARED ? 6.0 : 1.5) * criterion->maximum_ratio;
}

bool traffic_is_too_much(const struct launch_traffic *traffic,
                         const struct rubric_criterion *criterion, enum count_space space)
{
    return traffic_ratio(traffic) > traffic_limit(criterion, space) &&
           (double)traffic->needed - traffic->least > (double)traffic->needed_by_all / 4.0;
}

/* "1 lane", "1.03 lanes" */
static const char *mean_lanes(struct arena *arena, uint64_t lanes, uint64_t requests)
{
    return lanes == requests ? "1 lane"
                             : arena_printf(arena, "%.3g lanes", (double)lanes / (double)requests);
}

const char *lanes_text(struct arena *arena, const struct launch_traffic *traffic)
{
    return arena_printf(arena, "%s of a warp at a time",
                        mean_lanes(arena, traffic->lanes, traffic->requests));
}

const char *traffic_figures(const struct criteria_input *input, struct arena *arena,
                            const struct launch_run *run, const struct launch_traffic *traffic)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (observation_is_hidden(input, &run->observations[i])) {
            return "";
        }
    }
    return arena_printf(arena, " (%" PRIu64 " instead of %.0f, in all shapes together)",
                        traffic->needed, ceil(traffic->least));
}

struct cause traffic_cause(struct arena *arena, enum code code, const char *message,
                           const struct launch_traffic *traffic)
{
    const struct line_count *line = traffic->line;
    struct cause cause = cause_advised(code, message, advise(ADVICE_FEW_LANES));

    if (line != NULL) {
        cause.file = line->file;
        cause.line = line->line;
        cause.column = line->column;
        cause.label = arena_printf(arena, "a warp runs this line with %s at a time",
                                   mean_lanes(arena, line->sum.lanes, line->sum.requests));
    }
    return cause;
}

static uint64_t needed_units(const struct access_sum *sum, enum count_space space)
{
    return space == COUNT_SHARED ? sum->wavefronts : sum->sectors;
}

/* Those that the accesses would fill if the lanes of a warp went together. */
static double filled_units(const struct access_sum *sum, enum count_space space)
{
    double of_lanes = (double)sum->lanes / WARP_LANES;
    double of_bytes = (double)sum->bytes / (space == COUNT_SHARED ? WAVEFRONT_BYTES : SECTOR_BYTES);

    return space == COUNT_SHARED && of_lanes > of_bytes ? of_lanes : of_bytes;
}

static uint64_t needed_by_all(const struct launch_counts *counts, enum count_space space)
{
    uint64_t needed = 0;

    for (size_t i = 0; i < COUNT_ACCESSES; i++) {
        needed += needed_units(&counts->totals[space][i], space);
    }
    return needed;
}

static double warps_of(const struct launch_geometry *geometry)
{
    double blocks = (double)geometry->grid[0] * geometry->grid[1] * geometry->grid[2];
    uint64_t warps_of_block = (geometry_threads(geometry) + WARP_LANES - 1) / WARP_LANES;

    return blocks * (double)warps_of_block;
}

const struct line_count *line_with(const struct launch_counts *counts, enum count_access access,
                                   const struct access_sum *sum)
{
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        if (line->space == COUNT_GLOBAL && line->access == access &&
            line->sum.requests == sum->requests && line->sum.sectors == sum->sectors &&
            line->sum.bytes == sum->bytes) {
            return line;
        }
    }
    return NULL;
}

/* Adds what one probe accessed, and takes its line if that is the most wasteful so far. */
static void add_probe(const struct launch_counts *counts, enum count_space space,
                      const struct access_sum *sum, struct launch_traffic *traffic, double *wasted)
{
    bool is_all = counts->totals[space][traffic->access].requests == sum->requests;
    const struct line_count *only = is_all ? NULL : line_with(counts, traffic->access, sum);

    traffic->requests += sum->requests;
    traffic->lanes += sum->lanes;
    traffic->needed += needed_units(sum, space);
    traffic->least += filled_units(sum, space);
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        bool is_of_these =
            line->space == space && line->access == traffic->access && (is_all || line == only);
        double waste = (double)needed_units(&line->sum, space) - filled_units(&line->sum, space);
        if (is_of_these && waste > *wasted) {
            *wasted = waste;
            traffic->line = line;
        }
    }
}

/* `operand` is SIZE_MAX for all accesses to the space. */
static struct launch_traffic traffic_of(const struct launch_run *run, enum count_space space,
                                        size_t operand, enum count_access access)
{
    struct launch_traffic traffic = {.operand = operand, .access = access};
    double wasted = 0.0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct launch_counts *counts = &observation->samples[j].counts;
            const struct access_sum *sum = operand == SIZE_MAX ? &counts->totals[space][access]
                                                               : &counts->operands[operand][access];
            traffic.needed_by_all += needed_by_all(counts, space);
            if (sum->requests != 0) {
                traffic.least += warps_of(&observation->geometry);
                add_probe(counts, space, sum, &traffic, &wasted);
            }
        }
    }
    return traffic;
}

struct launch_traffic worst_traffic(const struct launch_run *run,
                                    const struct rubric_launch *launch, enum count_space space,
                                    const bool *operands)
{
    const size_t count = operands == NULL ? 1 : launch->operand_count;
    struct launch_traffic worst = {.requests = 0};

    for (size_t i = 0; i < count * COUNT_ACCESSES; i++) {
        const size_t operand = operands == NULL ? SIZE_MAX : i / COUNT_ACCESSES;
        const struct launch_traffic traffic =
            traffic_of(run, space, operand, (enum count_access)(i % COUNT_ACCESSES));
        const bool is_judged = operands == NULL || operands[operand];
        if (is_judged && traffic.requests != 0 &&
            (worst.requests == 0 || traffic_ratio(&traffic) > traffic_ratio(&worst))) {
            worst = traffic;
        }
    }
    return worst;
}
