/* launch_profiles.c: see launch_profiles.h. */
#include "submission/launch_profiles.h"

#include "criteria/case_text.h"
#include "criteria/kernel_registers.h"
#include "criteria/launch_parameters.h"
#include "criteria/plain_case.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/results/compare.h"
#include "model/oracle_watch.h"
#include "model/work_limit.h"
#include "occupancy/occupancy_card.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One launch, and the probe that is told of. */
struct profiled {
    const struct criteria_input *input;
    struct arena *arena;
    size_t launch;
    const struct rubric_launch *of;
    const struct observation *observation;
    const struct sample *sample;
};

/* The probe *************************************************************************************/

static const struct sample *counted_sample(const struct observation *observation)
{
    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        if (sample->status == SAMPLE_DONE && sample->counts.is_counted) {
            return sample;
        }
    }
    return NULL;
}

/* Whether a shape says more of a launch than the one that is chosen. */
static bool says_more(const struct profiled *profiled, const struct observation *observation)
{
    const struct observation *chosen = profiled->observation;
    const struct rubric *rubric = profiled->input->rubric;

    if (chosen == NULL) {
        return true;
    }
    bool is_for_size = observation_is_for_size(rubric, observation);
    return is_for_size != observation_is_for_size(rubric, chosen)
               ? !is_for_size
               : observation_elements(observation) > observation_elements(chosen);
}

/* Finds the largest visible shape that was counted, one that is not there for its size if it can;
 * false if there is none. */
static bool choose_probe(struct profiled *profiled)
{
    const struct launch_run *run = &profiled->input->evidence->launch_runs[profiled->launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        const struct sample *sample = counted_sample(observation);
        if (sample == NULL || observation_is_hidden(profiled->input, observation)) {
            continue;
        }
        if (says_more(profiled, observation)) {
            profiled->observation = observation;
            profiled->sample = sample;
        }
    }
    return profiled->observation != NULL;
}

/* Loads *****************************************************************************************/

/* What one element of the output is computed from; room for more is made when it is needed. */
struct needs {
    struct oracle_need *list; /* [capacity] */
    size_t capacity;
};

static size_t ask_needs(const struct oracle *oracle, const struct oracle_problem *problem,
                        size_t element, struct needs *needs)
{
    size_t count = oracle_needs(oracle, problem, element, needs->list, needs->capacity);

    if (count > needs->capacity) {
        free(needs->list);
        needs->list = calloc(count, sizeof *needs->list);
        if (needs->list == NULL) {
            abort();
        }
        needs->capacity = count;
        count = oracle_needs(oracle, problem, element, needs->list, needs->capacity);
    }
    return count < needs->capacity ? count : needs->capacity;
}

/* Counts what one thread for each element of the output would load of each input. */
static void count_naive(const struct profiled *profiled, uint64_t out_counts[RUBRIC_OPERANDS_MAX])
{
    const struct oracle *oracle = profiled->input->oracle;
    struct needs needs = {0};
    struct problem problem;

    memset(out_counts, 0, RUBRIC_OPERANDS_MAX * sizeof *out_counts);
    if (oracle == NULL || oracle->needs == NULL ||
        output_operand(profiled->of) == profiled->of->operand_count) {
        return;
    }
    problem_init(profiled->input->rubric, profiled->of, profiled->observation, profiled->sample,
                 output_operand(profiled->of), &problem);
    for (size_t i = 0; i < problem.elements; i++) {
        size_t count = ask_needs(oracle, &problem.posed.oracle, i, &needs);
        for (size_t j = 0; j < count; j++) {
            if (needs.list[j].input < RUBRIC_OPERANDS_MAX) {
                out_counts[needs.list[j].input]++;
            }
        }
    }
    free(needs.list);
}

static void add_operands(const struct profiled *profiled, struct launch_profile *profile)
{
    uint64_t naive[RUBRIC_OPERANDS_MAX];
    size_t inputs = 0;

    count_naive(profiled, naive);
    for (size_t i = 0; i < profiled->of->operand_count; i++) {
        const struct rubric_operand *operand = &profiled->of->operands[i];
        const struct access_sum *sums = profiled->sample->counts.operands[i];
        if (!operand_has_values(operand)) {
            continue;
        }
        const size_t input = inputs++;
        if (profiled->sample->call.is_unknown[i]) {
            continue;
        }
        profile->operands[profile->operand_count++] = (struct profile_operand){
            .name = operand->name,
            .bytes = sums[COUNT_READ].bytes + sums[COUNT_ATOMIC].bytes,
            .naive_bytes = naive[input] * element_bytes(operand->type),
            .sectors = sums[COUNT_READ].sectors + sums[COUNT_ATOMIC].sectors,
            .least_sectors = sums[COUNT_READ].least_sectors + sums[COUNT_ATOMIC].least_sectors,
        };
    }
}

/* Lines *****************************************************************************************/

static bool is_of_submission(const struct criteria_input *input, const struct line_count *line)
{
    for (size_t i = 0; i < input->source_count && line->line > 0; i++) {
        if (strcmp(input->sources[i].name, line->file) == 0) {
            return true;
        }
    }
    return false;
}

/* Counts come sorted by file and line. */
static void add_lines(const struct profiled *profiled, struct launch_profile *profile)
{
    const struct launch_counts *counts = &profiled->sample->counts;
    struct line_count *lines = arena_array(profiled->arena, counts->line_count + 1, sizeof *lines);

    for (size_t i = 0; i < counts->line_count; i++) {
        if (is_of_submission(profiled->input, &counts->lines[i])) {
            lines[profile->line_count++] = counts->lines[i];
        }
    }
    profile->lines = lines;
}

/* Occupancy *************************************************************************************/

/* "with 1 more register per thread: 5 blocks" */
static const char *change_text(struct arena *arena, const struct occupancy_cliff *cliff,
                               const char *unit, const char *per, const char *direction)
{
    return cliff->change == 0
               ? ""
               : arena_printf(arena, "with %" PRIu64 " %s %s%s per %s: %" PRIu32 " block%s",
                              cliff->change, direction, unit, cliff->change == 1 ? "" : "s", per,
                              cliff->blocks, cliff->blocks == 1 ? "" : "s");
}

/* Both directions. */
static const char *cliff_text(struct arena *arena, const char *more, const char *less)
{
    return arena_printf(arena, "%s%s%s", more, more[0] != '\0' && less[0] != '\0' ? "; " : "",
                        less);
}

static void add_limit(struct launch_profile *profile, const struct profile_limit *limit)
{
    if (limit->blocks < INT32_MAX) { /* else the kernel uses none of it */
        profile->limits[profile->limit_count++] = *limit;
    }
}

static void mark_limits(struct launch_profile *profile)
{
    uint32_t fewest = UINT32_MAX;

    for (size_t i = 0; i < profile->limit_count; i++) {
        fewest = profile->limits[i].blocks < fewest ? profile->limits[i].blocks : fewest;
    }
    for (size_t i = 0; i < profile->limit_count; i++) {
        profile->limits[i].is_limit = profile->limits[i].blocks == fewest;
    }
}

static void add_limits(const struct profiled *profiled, const struct occupancy_card *card,
                       struct launch_profile *profile)
{
    const struct gpu_model *model = profiled->input->model;
    struct arena *arena = profiled->arena;
    uint32_t warps = (card->threads + model->warp_size - 1) / model->warp_size;

    profile->active_blocks = card->fits.active_blocks;
    profile->active_warps = card->fits.active_blocks * warps;
    profile->multiprocessor_warps = model->max_threads_per_multiprocessor / model->warp_size;
    add_limit(
        profile,
        &(struct profile_limit){
            .resource = "registers",
            .per_block = (uint64_t)card->registers * card->threads,
            .available = model->registers_per_multiprocessor,
            .unit = "registers",
            .blocks = card->fits.limit_registers,
            .cliff = cliff_text(
                arena, change_text(arena, &card->more_registers, "register", "thread", "more"),
                change_text(arena, &card->fewer_registers, "register", "thread", "fewer")),
        });
    add_limit(profile,
              &(struct profile_limit){
                  .resource = "shared memory",
                  .per_block = card->shared_bytes + model->shared_reserved_per_block_bytes,
                  .available = model->shared_per_multiprocessor_bytes,
                  .unit = "bytes",
                  .blocks = card->fits.limit_shared,
                  .cliff = cliff_text(
                      arena, change_text(arena, &card->more_shared, "byte", "block", "more"),
                      change_text(arena, &card->less_shared, "byte", "block", "fewer")),
              });
    add_limit(profile, &(struct profile_limit){.resource = "warps",
                                               .per_block = warps,
                                               .available = profile->multiprocessor_warps,
                                               .unit = "warps",
                                               .blocks = card->fits.limit_warps,
                                               .cliff = ""});
    add_limit(profile, &(struct profile_limit){.resource = "blocks",
                                               .per_block = 1,
                                               .available = model->max_blocks_per_multiprocessor,
                                               .unit = "blocks",
                                               .blocks = card->fits.limit_blocks,
                                               .cliff = ""});
    mark_limits(profile);
}

/* A profile says how many blocks fit: an interval of registers says too little of that. */
static bool knows_registers(const struct kernel_resources *resources)
{
    const struct register_range range = register_range_of(resources);

    return range.most > 0 && range.least == range.most;
}

static void add_occupancy(const struct profiled *profiled, struct launch_profile *profile)
{
    const struct kernel_resources *resources = &profiled->input->launch_resources[profiled->launch];
    const struct launch_geometry *geometry = &profiled->observation->geometry;
    const struct gpu_model *model = profiled->input->model;
    const struct kernel_usage usage = {
        .registers = resources->registers,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct occupancy_card card;

    profile->gpu_model = arena_strdup(profiled->arena, model->name);
    if (knows_registers(resources) && geometry_threads(geometry) <= model->max_threads_per_block &&
        occupancy_card_make(model, &usage, (uint32_t)geometry_threads(geometry),
                            geometry->dynamic_shared_bytes, &card)) {
        add_limits(profiled, &card, profile);
    }
}

/* Tiles *****************************************************************************************/

/* Block widths that students choose from, where the rubric names none. */
static const int64_t usual_block_widths[] = {8, 16, 32};

enum { EDGE_MAX = 1024 };

/* What is known of the launch's own tiles. */
struct own_tiles {
    uint64_t block_width, threads, shared_bytes;
    double operations_per_load;
    struct kernel_usage usage;
};

static void add_tiles_of(const struct profiled *profiled, const struct own_tiles *own,
                         uint64_t block_width, struct launch_profile *profile)
{
    const struct gpu_model *model = profiled->input->model;
    const uint64_t threads =
        own->threads * block_width * block_width / (own->block_width * own->block_width);
    const uint64_t shared_bytes =
        own->shared_bytes * block_width * block_width / (own->block_width * own->block_width);
    struct kernel_usage usage = own->usage;
    struct occupancy_result fits = {0};

    if (profile->tile_count == PROFILE_TILES_MAX || threads == 0 ||
        threads > model->max_threads_per_block || shared_bytes > UINT32_MAX) {
        return;
    }
    usage.static_shared_bytes = 0; /* all of it grows alike */
    if (occupancy_active_blocks(model, &usage, (uint32_t)threads, shared_bytes, &fits, NULL) !=
        ERROR_NONE) {
        fits.active_blocks = 0;
    }
    const uint32_t warps = ((uint32_t)threads + model->warp_size - 1) / model->warp_size;
    profile->tiles[profile->tile_count++] = (struct profile_tiles){
        .block_width = (uint32_t)block_width,
        .threads = (uint32_t)threads,
        .operations_per_load =
            own->operations_per_load * (double)block_width / (double)own->block_width,
        .shared_bytes = shared_bytes,
        .active_blocks = fits.active_blocks,
        .active_warps = fits.active_blocks * warps,
        .is_own = block_width == own->block_width,
    };
}

/* What the launch does for each load; 0 if it is no product, or does not use tiles. */
static double operations_per_load(const struct profiled *profiled,
                                  const struct launch_profile *profile)
{
    uint64_t bytes = 0;
    uint64_t naive = 0;

    for (size_t i = 0; i < profile->operand_count; i++) {
        bytes += profile->operands[i].bytes;
        naive += profile->operands[i].naive_bytes;
    }
    const bool has_tiles = launch_is_product(profiled->of) && bytes > 0 && naive / 2 >= bytes &&
                           profiled->sample->counts.totals[COUNT_SHARED][COUNT_READ].requests > 0;
    return has_tiles ? 2.0 * (double)naive / ((double)profile->operand_count * (double)bytes) : 0.0;
}

/* Tile-size reasoning: the launch's block width beside the others that are allowed. */
static void add_tiles(const struct profiled *profiled, struct launch_profile *profile)
{
    const struct kernel_resources *resources = &profiled->input->launch_resources[profiled->launch];
    const struct launch_geometry *geometry = &profiled->observation->geometry;
    const struct rubric_launch *of = profiled->of;
    const int64_t *block_widths = of->block_count > 0 ? of->blocks : usual_block_widths;
    const size_t block_width_count = of->block_count > 0
                                         ? of->block_count
                                         : sizeof usual_block_widths / sizeof usual_block_widths[0];
    const struct own_tiles own = {
        .block_width =
            profiled->observation->block > 1 ? (uint64_t)profiled->observation->block : 0,
        .threads = geometry_threads(geometry),
        .shared_bytes = (uint64_t)resources->static_shared_bytes + geometry->dynamic_shared_bytes,
        .operations_per_load = operations_per_load(profiled, profile),
        .usage = {.registers = resources->registers,
                  .max_threads_per_block = resources->max_threads},
    };

    if (own.block_width == 0 || own.operations_per_load <= 0.0 || !knows_registers(resources)) {
        return;
    }
    for (size_t i = 0; i < block_width_count; i++) {
        if (block_widths[i] > 1 && block_widths[i] <= EDGE_MAX) {
            add_tiles_of(profiled, &own, (uint64_t)block_widths[i], profile);
        }
    }
}

/* Work ******************************************************************************************/

static uint64_t most_work(const struct observation *observation)
{
    uint64_t most = 0;

    for (size_t i = 0; i < observation->sample_count; i++) {
        uint64_t work = observation->samples[i].counts.work;
        most = work > most ? work : most;
    }
    return most;
}

/* Compares what each visible case needs with what the rubric says and allows. */
static void add_work(const struct profiled *profiled, struct launch_profile *profile)
{
    const struct rubric *rubric = profiled->input->rubric;
    const struct launch_run *run = &profiled->input->evidence->launch_runs[profiled->launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *at = &run->observations[i];
        struct profile_work work = {.used = most_work(at)};
        if (work.used == 0 || observation_is_hidden(profiled->input, at)) {
            continue;
        }
        work.shape = shape_text(profiled->input, profiled->arena, profiled->of, at);
        work.said = work_of_case(rubric, profiled->of, at->parameters, at->block);
        work.allowed = work_limit(rubric, profiled->of, at->parameters, at->block);
        if (profile->tightest.used == 0 ||
            work.allowed / work.used < profile->tightest.allowed / profile->tightest.used) {
            profile->tightest = work;
        }
        if (profile->loosest.used == 0 ||
            work.said / work.used > profile->loosest.said / profile->loosest.used) {
            profile->loosest = work;
        }
    }
}

/* All together **********************************************************************************/

static void make_profile(const struct profiled *profiled, struct launch_profile *out_profile)
{
    *out_profile = (struct launch_profile){
        .launch = profiled->launch,
        .shape = shape_text(profiled->input, profiled->arena, profiled->of, profiled->observation),
        .threads_per_block = (uint32_t)geometry_threads(&profiled->observation->geometry),
        .warp_instructions = profiled->sample->counts.warp_instructions,
    };
    add_operands(profiled, out_profile);
    add_lines(profiled, out_profile);
    add_occupancy(profiled, out_profile);
    add_tiles(profiled, out_profile);
    add_work(profiled, out_profile);
}

void launch_profiles_make(const struct criteria_input *input, struct arena *arena,
                          const struct launch_profile **out_profiles, size_t *out_count)
{
    const struct rubric *rubric = input->rubric;
    struct launch_profile *profiles =
        arena_array(arena, rubric->launch_count + 1, sizeof *profiles);
    size_t count = 0;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        struct profiled profiled = {
            .input = input, .arena = arena, .launch = i, .of = &rubric->launches[i]};
        if (choose_probe(&profiled)) {
            make_profile(&profiled, &profiles[count++]);
        }
    }
    *out_profiles = profiles;
    *out_count = count;
}
