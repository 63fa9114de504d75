/* tiled_criterion.c: the criterion `tiled`: the kernel shares what it loads from its inputs.
 *
 * Judged by traffic, not by reading source: in every probe of every case the bytes that active
 * lanes load from the allocations of the inputs, or of those that the rubric names, are at most
 * what its expression gives (for a product the simple kernel's bytes over the block width). Vector
 * loads, register blocking and wider tiles need fewer, which passes as long as the kernel reads
 * shared memory and loads each of these inputs. What counts: load_limits.h.
 */
#include "criteria/outcome.h"

#include "criteria/case_text.h"
#include "criteria/kernel_registers.h"
#include "criteria/launch_parameters.h"
#include "criteria/preconditions/known_arrays.h"
#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/traffic/load_limits.h"
#include "model/case.h"

static bool evaluate(const struct load_rule *rule, const struct observation *observation,
                     int64_t block, double *out_value)
{
    struct case_scope scope = observation_scope(rule->input->rubric, observation);

    scope.block = block;
    return expression_evaluate(rule->criterion->maximum_bytes, case_lookup, &scope, out_value,
                               NULL);
}

/* The expression; and for a block width of 1, without any tiles. */
static const char *bounds(const struct load_rule *rule, const struct sample *sample,
                          struct load_traffic *traffic)
{
    const struct observation *observation = traffic->observation;

    (void)sample;
    return evaluate(rule, observation, observation->block, &traffic->maximum) &&
                   evaluate(rule, observation, 1, &traffic->unshared) && traffic->maximum > 0.0
               ? NULL
               : "maximum_bytes has no value for this case";
}

static size_t count_inputs(const struct load_rule *rule)
{
    size_t inputs = 0;

    for (size_t i = 0; i < rule->launch->operand_count; i++) {
        inputs += load_is_judged(rule->criterion, rule->launch, i) ? 1 : 0;
    }
    return inputs;
}

/* What the tiles cost: shared memory of a block, and how many blocks a multiprocessor holds. */
static void add_resident_blocks(const struct load_rule *rule, const struct load_traffic *worst,
                                struct verdict *verdict)
{
    const struct kernel_resources *resources =
        &rule->input->launch_resources[rule->criterion->launch];
    const struct launch_geometry *geometry = &worst->observation->geometry;
    const uint64_t threads = geometry_threads(geometry);
    const struct register_range registers = register_range_of(resources);
    struct kernel_usage usage = {
        .registers = registers.most,
        .static_shared_bytes = resources->static_shared_bytes,
        .max_threads_per_block = resources->max_threads,
    };
    struct occupancy_result fits;

    if (resources->registers == 0 || threads > rule->input->model->max_threads_per_block ||
        occupancy_active_blocks(rule->input->model, &usage, (uint32_t)threads,
                                geometry->dynamic_shared_bytes, &fits, NULL) != ERROR_NONE) {
        return;
    }
    verdict_add_integer(verdict, "shared_bytes_per_block",
                        (int64_t)resources->static_shared_bytes + geometry->dynamic_shared_bytes);
    const uint32_t blocks = fits.active_blocks;
    usage.registers = registers.least;
    if (occupancy_active_blocks(rule->input->model, &usage, (uint32_t)threads,
                                geometry->dynamic_shared_bytes, &fits, NULL) == ERROR_NONE &&
        fits.active_blocks == blocks) { /* else nobody knows */
        verdict_add_integer(verdict, "resident_blocks", blocks);
    }
}

/* Source for the figures: operations per load as in tile-size reasoning, a multiply-add being two
 * operations; the naive bytes hold one element of every input for each multiply-add. */
static void add_evidence(const struct load_rule *rule, const struct load_traffic *worst,
                         struct verdict *verdict)
{
    const double bytes = (double)worst->bytes;
    const double inputs = (double)count_inputs(rule);

    if (observation_is_hidden(rule->input, worst->observation)) {
        return;
    }
    verdict_add_text(verdict, "shape", load_shape_text(rule, worst));
    verdict_add_integer(verdict, "bytes", (int64_t)worst->bytes);
    verdict_add_number(verdict, "maximum_bytes", worst->maximum);
    if (worst->unshared > worst->maximum) {
        verdict_add_number(verdict, "naive_bytes", worst->unshared);
        verdict_add_number(verdict, "fraction_of_naive", bytes / worst->unshared);
    }
    verdict_add_number(verdict, "loads_per_element", loads_per_element(rule, worst));
    verdict_add_integer(verdict, "sectors", (int64_t)worst->sectors);
    verdict_add_integer(verdict, "other_bytes", (int64_t)worst->other_bytes);
    if (launch_is_product(rule->launch)) {
        verdict_add_number(verdict, "loads_per_multiply_add", inputs * bytes / worst->unshared);
        if (worst->bytes > 0) {
            verdict_add_number(verdict, "operations_per_load",
                               2.0 * worst->unshared / (inputs * bytes));
        }
    }
    verdict_add_integer(verdict, "shared_read_bytes",
                        (int64_t)worst->counts->totals[COUNT_SHARED][COUNT_READ].bytes);
    add_resident_blocks(rule, worst, verdict);
}

/* Against loads without tiles, where the rubric's bound depends on the block width; else against
 * the inputs. */
static const char *passed_text(const struct load_rule *rule, const struct load_traffic *worst)
{
    const double loads = loads_per_element(rule, worst);

    if (worst->unshared > worst->maximum) {
        return arena_printf(rule->arena, "1/%.3g of the naive bytes",
                            worst->unshared / (double)worst->bytes);
    }
    return loads == 1.0 ? "each element loaded once"
                        : arena_printf(rule->arena, "each element loaded %.3g times", loads);
}

void tiled_criterion_judge(const struct criteria_input *input, struct arena *arena,
                           struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;
    const struct load_rule rule = load_rule_of(input, arena, verdict->criterion, bounds);
    bool is_judged[RUBRIC_OPERANDS_MAX] = {false};
    struct load_limits review;
    struct cause cause;

    for (size_t i = 0; i < rule.launch->operand_count; i++) {
        is_judged[i] = load_is_judged(rule.criterion, rule.launch, i);
    }
    if (precondition_launch(input, arena, launch, &cause) ||
        precondition_unknown_array(input, arena, launch, is_judged, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (load_limits_holds(&rule, add_evidence, verdict, &review)) {
        outcome_pass(verdict, observation_is_hidden(input, review.worst.observation)
                                  ? shapes_text(arena, probed_shapes(input, launch))
                                  : passed_text(&rule, &review.worst));
    }
}
