/* rubric_criteria.c: the section criteria.
 *
 * Which keys a kind of criterion needs, may have and must not have stands in one table: a key that
 * a kind does not use is a mistake, so that nobody believes that it does something.
 */
#include "rubric/rubric_reader.h"

#include <math.h>
#include <string.h>

enum { CRITERIA_MAX = 64, FORMULAS_MAX = 16, RATIO_MAX = 1000 };

enum {
    ID,
    KIND,
    TITLE,
    POINTS,
    HIDDEN,
    BONUS,
    LAUNCH,
    PRINTOUT,
    BYTES_PRINTOUT,
    MINIMUM_BYTES,
    CONSTANT,
    FORMULAS,
    WITHIN_WARP,
    MAXIMUM_BYTES,
    MAXIMUM_RATIO,
    OPERANDS,
    SPEEDUP, /* the keys of speedup from here on, in the order of rubric_reader.h */
    KEY_COUNT = SPEEDUP + SPEEDUP_KEY_COUNT
};

static const struct rubric_key keys[KEY_COUNT] = {
    [ID] = {"id", true},
    [KIND] = {"kind", true},
    [TITLE] = {"title", true},
    [POINTS] = {"points", true},
    [HIDDEN] = {"hidden", false},
    [BONUS] = {"bonus", false},
    [LAUNCH] = {"launch", false},
    [PRINTOUT] = {"printout", false},
    [BYTES_PRINTOUT] = {"bytes_printout", false},
    [MINIMUM_BYTES] = {"minimum_bytes", false},
    [CONSTANT] = {"constant", false},
    [FORMULAS] = {"formulas", false},
    [WITHIN_WARP] = {"within_warp", false},
    [MAXIMUM_BYTES] = {"maximum_bytes", false},
    [MAXIMUM_RATIO] = {"maximum_ratio", false},
    [OPERANDS] = {"operands", false},
    [SPEEDUP + SPEEDUP_BASELINE] = {"baseline", false},
    [SPEEDUP + SPEEDUP_SHAPE] = {"shape", false},
    [SPEEDUP + SPEEDUP_OPERATIONS] = {"operations", false},
    [SPEEDUP + SPEEDUP_BYTES] = {"bytes", false},
    [SPEEDUP + SPEEDUP_FULL_MARKS] = {"full_marks", false},
    [SPEEDUP + SPEEDUP_NO_MARKS] = {"no_marks", false},
    [SPEEDUP + SPEEDUP_SMALLEST_REFERENCE] = {"smallest_reference", false},
    [SPEEDUP + SPEEDUP_STEP] = {"step", false},
};

enum use { UNUSED, OPTIONAL, NEEDED };

/* The uses of the keys from LAUNCH on, by kind. */
static const enum use uses[CRITERION_COUNT][KEY_COUNT] = {
    [CRITERION_CORRECT] = {[LAUNCH] = NEEDED},
    [CRITERION_DYNAMIC] = {[LAUNCH] = NEEDED,
                           [BYTES_PRINTOUT] = OPTIONAL,
                           [MINIMUM_BYTES] = OPTIONAL,
                           [CONSTANT] = OPTIONAL},
    [CRITERION_RACE_FREE] = {[LAUNCH] = NEEDED, [WITHIN_WARP] = OPTIONAL},
    [CRITERION_TILED] = {[LAUNCH] = NEEDED, [MAXIMUM_BYTES] = NEEDED},
    [CRITERION_BANK_CONFLICTS] = {[LAUNCH] = NEEDED, [MAXIMUM_RATIO] = NEEDED},
    [CRITERION_COALESCING] = {[LAUNCH] = NEEDED, [MAXIMUM_RATIO] = NEEDED, [OPERANDS] = OPTIONAL},
    [CRITERION_SPEEDUP] = {[LAUNCH] = NEEDED,
                           [SPEEDUP + SPEEDUP_BASELINE] = NEEDED,
                           [SPEEDUP + SPEEDUP_SHAPE] = NEEDED,
                           [SPEEDUP + SPEEDUP_OPERATIONS] = NEEDED,
                           [SPEEDUP + SPEEDUP_BYTES] = NEEDED,
                           [SPEEDUP + SPEEDUP_FULL_MARKS] = NEEDED,
                           [SPEEDUP + SPEEDUP_NO_MARKS] = NEEDED,
                           [SPEEDUP + SPEEDUP_SMALLEST_REFERENCE] = NEEDED,
                           [SPEEDUP + SPEEDUP_STEP] = NEEDED},
    [CRITERION_OCCUPANCY] = {[LAUNCH] = NEEDED, [PRINTOUT] = NEEDED, [FORMULAS] = NEEDED},
    [CRITERION_BLOCK_SIZE] = {[LAUNCH] = NEEDED, [PRINTOUT] = NEEDED, [BYTES_PRINTOUT] = OPTIONAL},
};

static enum criterion_kind read_kind(struct rubric_reader *reader, const cJSON *value)
{
    const char *words[CRITERION_COUNT];

    for (size_t i = 0; i < CRITERION_COUNT; i++) {
        words[i] = criterion_kind_name((enum criterion_kind)i);
    }
    return (enum criterion_kind)read_word(reader, value, words, CRITERION_COUNT);
}

static void check_uses(struct rubric_reader *reader, const cJSON *value,
                       const cJSON *const *members, enum criterion_kind kind)
{
    for (size_t i = LAUNCH; i < KEY_COUNT; i++) {
        if (uses[kind][i] == NEEDED && members[i] == NULL) {
            reader_fail(reader, ERROR_SYNTAX, value, false,
                        "a criterion of the kind '%s' lacks the key '%s'",
                        criterion_kind_name(kind), keys[i].name);
        }
        if (uses[kind][i] == UNUSED && members[i] != NULL) {
            reader_fail(reader, ERROR_SYNTAX, members[i], true,
                        "a criterion of the kind '%s' does not use the key '%s'",
                        criterion_kind_name(kind), keys[i].name);
        }
    }
}

/* Reads a reference to a printout that is, or is not, a table. */
static size_t read_printout_reference(struct rubric_reader *reader, const cJSON *value, bool table)
{
    const struct rubric *rubric = reader->rubric;
    size_t index = read_reference(reader, value, "printout", rubric->printouts,
                                  sizeof *rubric->printouts, rubric->printout_count);

    if (reader->error == ERROR_NONE && value != NULL && rubric->printouts[index].table != table) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the printout '%s' must %s of the form 'table' here",
                    rubric->printouts[index].id, table ? "be" : "not be");
    }
    return index;
}

/* Reads the name of a scalar of the criterion's launch that is bound to a symbol. */
static size_t read_constant(struct rubric_reader *reader, const cJSON *value, size_t launch_index)
{
    if (reader->error != ERROR_NONE || value == NULL) {
        return 0;
    }
    const struct rubric_launch *launch = &reader->rubric->launches[launch_index];
    size_t index = read_reference(reader, value, "scalar", launch->scalars,
                                  sizeof launch->scalars[0], launch->scalar_count);
    if (reader->error == ERROR_NONE && !launch->scalars[index].bind.is_symbol) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the scalar '%s' is a kernel argument; a constant is bound to a symbol",
                    launch->scalars[index].name);
    }
    return index;
}

static void read_formulas(struct rubric_reader *reader, const cJSON *value,
                          struct rubric_criterion *out)
{
    static const struct rubric_key formula_keys[] = {
        {"id", true}, {"title", true}, {"value", true}};
    size_t count = read_list(reader, value, 1, FORMULAS_MAX);
    struct rubric_formula *formulas = arena_array(reader->arena, count, sizeof *formulas);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const cJSON *members[3];
        read_members(reader, item, "a formula", formula_keys, 3, members);
        formulas[i].id = read_name(reader, members[0], NAME_ID);
        reader_check_unique(reader, members[0], "formula", formulas, sizeof *formulas, i);
        formulas[i].title = read_name(reader, members[1], NAME_TEXT);
        formulas[i].value = read_expression(reader, members[2], NAMES_THREADS | NAMES_OCCUPANCY);
    }
    out->formulas = formulas;
    out->formula_count = count;
}

/* Reads the names of operands of the criterion's launch. */
static void read_operand_names(struct rubric_reader *reader, const cJSON *value,
                               struct rubric_criterion *out)
{
    size_t count = read_list(reader, value, 1, RUBRIC_OPERANDS_MAX);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const struct rubric_launch *launch = &reader->rubric->launches[out->launch];
        size_t index = read_reference(reader, item, "operand", launch->operands,
                                      sizeof launch->operands[0], launch->operand_count);
        if (reader->error == ERROR_NONE && out->operand_counts[index]) {
            reader_fail(reader, ERROR_RANGE, item, false, "the operand '%s' is named twice",
                        launch->operands[index].name);
        }
        out->operand_counts[index] = true;
    }
    out->has_operands = value != NULL;
}

static void read_traffic(struct rubric_reader *reader, const cJSON *const *members,
                         struct rubric_criterion *out)
{
    static const char *const severities[] = {"error", "remark"};

    out->allows_warp_races = read_word(reader, members[WITHIN_WARP], severities, 2) == 1;
    out->maximum_bytes =
        read_expression(reader, members[MAXIMUM_BYTES], NAMES_BLOCK | NAMES_PARAMETERS);
    out->maximum_ratio = read_number(reader, members[MAXIMUM_RATIO], 1, RATIO_MAX);
    read_operand_names(reader, members[OPERANDS], out);
}

static void read_criterion(struct rubric_reader *reader, const cJSON *value,
                           struct rubric_criterion *out)
{
    const cJSON *members[KEY_COUNT];
    const struct rubric *rubric = reader->rubric;

    read_members(reader, value, "a criterion", keys, KEY_COUNT, members);
    out->id = read_name(reader, members[ID], NAME_ID);
    out->kind = read_kind(reader, members[KIND]);
    out->title = read_name(reader, members[TITLE], NAME_TEXT);
    out->points = read_number(reader, members[POINTS], 0, 100);
    out->hidden = read_flag(reader, members[HIDDEN]);
    out->bonus = read_flag(reader, members[BONUS]);
    check_uses(reader, value, members, out->kind);
    out->has_launch = members[LAUNCH] != NULL;
    out->launch = read_reference(reader, members[LAUNCH], "launch", rubric->launches,
                                 sizeof *rubric->launches, rubric->launch_count);
    out->has_printout = members[PRINTOUT] != NULL;
    out->printout = read_printout_reference(reader, members[PRINTOUT], false);
    out->has_bytes_printout = members[BYTES_PRINTOUT] != NULL;
    out->bytes_printout = read_printout_reference(reader, members[BYTES_PRINTOUT], true);
    out->minimum_bytes =
        read_expression(reader, members[MINIMUM_BYTES], NAMES_BLOCK | NAMES_THREADS);
    out->has_scalar = members[CONSTANT] != NULL;
    out->scalar = read_constant(reader, members[CONSTANT], out->launch);
    read_formulas(reader, members[FORMULAS], out);
    read_traffic(reader, members, out);
    if (reader->error == ERROR_NONE && out->points <= 0) {
        reader_fail(reader, ERROR_RANGE, members[POINTS], false,
                    "a criterion is worth more than 0 points");
    }
    if (reader->error == ERROR_NONE && out->kind == CRITERION_SPEEDUP) {
        read_speedup(reader, &members[SPEEDUP], out);
    }
}

void read_criteria(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 1, CRITERIA_MAX);
    struct rubric_criterion *criteria = arena_array(reader->arena, count, sizeof *criteria);
    const cJSON *item = count > 0 ? value->child : NULL;
    double sum = 0;
    double total = reader->total; /* 0: nothing is expected */

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        reader->entry = item;
        read_criterion(reader, item, &criteria[i]);
        reader_check_unique(reader, item, "criterion", criteria, sizeof *criteria, i);
        sum += criteria[i].bonus ? 0 : criteria[i].points;
    }
    reader->entry = NULL;
    if (reader->error != ERROR_NONE) {
        return;
    }
    if (sum <= 0) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all criteria are a bonus; leave one that counts towards the total");
    }
    if (total > 0 && fabs(sum - total) > 1e-9) {
        reader_fail(reader, ERROR_RANGE, value, true, "the points add up to %.12g, expected %.12g",
                    sum, total);
    }
    size_t hidden = reader_hidden_last(reader, criteria, sizeof *criteria, count,
                                       offsetof(struct rubric_criterion, hidden));
    if (hidden == count) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all criteria are hidden; leave one that students see");
    }
    reader->rubric->criteria = criteria;
    reader->rubric->criterion_count = count;
    reader->rubric->hidden_criterion_count = hidden;
}
