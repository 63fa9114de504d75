/* rubric_baseline.c: the key baseline of a criterion, and the kind saved-loads, which is little
 * more.
 *
 * A baseline works on the operands of the launch that is judged: it is timed on the same buffers,
 * and what both load is counted for the same names. So its operands must be the same ones.
 */
#include "rubric/rubric_baseline.h"
#include "rubric/rubric_points.h"

#include <string.h>

/* What a baseline may load, over what a launch does. */
static const double smallest_ratio = 1e-6;
static const double largest_ratio = 1e9;

static void check_operands_agree(struct rubric_reader *reader, const cJSON *value,
                                 const struct rubric_criterion *criterion)
{
    const struct rubric_launch *launch = &reader->rubric->launches[criterion->launch];
    const struct rubric_launch *baseline = &reader->rubric->launches[criterion->baseline];

    if (criterion->baseline == criterion->launch) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the baseline is the launch itself; name another one");
    }
    if (baseline->operand_count != launch->operand_count) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the baseline '%s' has %zu operands, the launch '%s' has %zu", baseline->id,
                    baseline->operand_count, launch->id, launch->operand_count);
        return;
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *ours = &launch->operands[i];
        const struct rubric_operand *theirs = &baseline->operands[i];
        if (strcmp(ours->name, theirs->name) != 0) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "operand %zu of the baseline '%s' is '%s', that of the launch '%s' is '%s'",
                        i + 1, baseline->id, theirs->name, launch->id, ours->name);
        } else if (ours->type != theirs->type || ours->role != theirs->role) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "the operand '%s' of the baseline '%s' has a different type or role than "
                        "that of the launch '%s'",
                        ours->name, baseline->id, launch->id);
        }
    }
}

void read_baseline(struct rubric_reader *reader, const cJSON *value, struct rubric_criterion *out)
{
    const struct rubric *rubric = reader->rubric;

    out->baseline = read_reference(reader, value, "launch", rubric->launches,
                                   sizeof *rubric->launches, rubric->launch_count);
    if (reader->error == ERROR_NONE) {
        check_operands_agree(reader, value, out);
    }
}

void read_saved_loads(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                      struct rubric_criterion *out)
{
    const struct expectation expectation = {"the ratio", smallest_ratio, largest_ratio, true};
    const struct rubric *rubric = reader->rubric;
    const cJSON *baseline = members[CRITERION_KEY_BASELINE];
    const cJSON *ratio = members[CRITERION_KEY_RATIO];

    read_baseline(reader, baseline, out);
    out->ratio = read_expression(reader, ratio, NAMES_BLOCK | NAMES_PARAMETERS);
    if (reader->error != ERROR_NONE) {
        return;
    }
    const struct rubric_launch *launch = &rubric->launches[out->launch];
    if (rubric->launches[out->baseline].program != launch->program) {
        reader_fail(reader, ERROR_RANGE, baseline, false,
                    "the baseline '%s' is launched by a different program than '%s'; loads are "
                    "compared within one program",
                    rubric->launches[out->baseline].id, launch->id);
    }
    check_values(reader, launch, ratio, out->ratio, &expectation);
}
