/* rubric_cases.c: the sections limits, parameters and cases. */
#include "rubric/rubric_reader.h"

#include "base/clock.h"
#include "model/observation.h"
#include "rubric/rubric_key_names.h"
#include "rubric/rubric_load.h"
#include "rubric/rubric_operands.h"
#include "rubric/rubric_points.h"

#include <string.h>

enum { REPEAT_MAX = 1000, CASES_MAX = 200, UNITS_MAX = 1 << 24 };

static const uint64_t KIB = 1024;
static const uint64_t MIB = 1024 * 1024;

void read_limits(struct rubric_reader *reader, const cJSON *value)
{
    struct limits *limits = &reader->rubric->limits;
    uint64_t processes = 0;
    const uint64_t second = CLOCK_NS_PER_S;
    /* key, where it goes, the value of one unit, default, smallest and largest value in units */
    const struct {
        const char *key;
        uint64_t *target;
        uint64_t unit;
        double fallback, minimum, maximum;
    } rows[] = {
        {"compile_seconds", &limits->compile_wall_ns, second, 60, 0.1, 3600},
        {"compile_memory_mb", &limits->compile_memory_bytes, MIB, 2048, 256, 1 << 20},
        {"program_seconds", &limits->program_wall_ns, second, 20, 0.1, 3600},
        {"program_cpu_seconds", &limits->program_cpu_ns, second, 10, 0.1, 3600},
        {"program_memory_mb", &limits->program_memory_bytes, MIB, 1024, 16, 1 << 20},
        {"program_processes", &processes, 1, 64, 1, 10000},
        {"program_output_kb", &limits->program_output_bytes, KIB, 1024, 1, 1 << 20},
        {"program_file_mb", &limits->program_file_bytes, MIB, 64, 1, 1 << 20},
        {"launch_seconds_emulated", &limits->launch_emulated_ns, second, 10, 0.1, 3600},
        {"launch_seconds_cuda", &limits->launch_cuda_ns, second, 2, 0.1, 3600},
        {"device_memory_mb", &limits->device_memory_bytes, MIB, 1024, 1, 1 << 20},
        {"grader_memory_mb", &limits->grader_memory_bytes, MIB, 512, 64, 1 << 20},
        {"grader_cpu_seconds", &limits->grader_cpu_ns, second, 300, 0.1, 36000},
    };
    enum { ROW_COUNT = sizeof rows / sizeof rows[0] };
    struct rubric_key keys[ROW_COUNT];
    const cJSON *members[ROW_COUNT];

    for (size_t i = 0; i < ROW_COUNT; i++) {
        keys[i] = (struct rubric_key){rows[i].key, false};
    }
    read_members(reader, value, "limits", keys, ROW_COUNT, members);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        double amount = rows[i].fallback;
        if (members[i] != NULL && rows[i].unit == second) {
            amount = read_number(reader, members[i], rows[i].minimum, rows[i].maximum);
        } else if (members[i] != NULL) {
            amount = (double)read_integer(reader, members[i], (int64_t)rows[i].minimum,
                                          (int64_t)rows[i].maximum);
        }
        *rows[i].target = (uint64_t)(amount * (double)rows[i].unit);
    }
    limits->program_processes = (uint32_t)processes;
}

struct limits rubric_default_limits(void)
{
    struct rubric rubric = {.limits = {0}};
    struct rubric_reader reader = {.rubric = &rubric};

    read_limits(&reader, NULL);
    return rubric.limits;
}

/* Keys of a case and names of expressions: no parameter may be called so. */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {"id",     "repeat", "probes",  "distinct", "hidden",
                                        "values", "block",  "threads", "floor",    "ceil",
                                        "min",    "max",    "sqrt"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void read_parameters(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, reader->least_cases, RUBRIC_PARAMETERS_MAX);
    struct rubric_parameter *parameters = arena_array(reader->arena, count, sizeof *parameters);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const cJSON *members[PARAMETER_KEY_COUNT];
        read_members(reader, item, "a parameter", parameter_keys, PARAMETER_KEY_COUNT, members);
        parameters[i].name = read_name(reader, members[PARAMETER_KEY_NAME], NAME_IDENTIFIER);
        reader_check_unique(reader, members[PARAMETER_KEY_NAME], "parameter", parameters,
                            sizeof *parameters, i);
        parameters[i].unit = read_expression(reader, members[PARAMETER_KEY_UNIT], NAMES_BLOCK);
        if (is_reserved(parameters[i].name)) {
            reader_fail(reader, ERROR_RANGE, members[PARAMETER_KEY_NAME], false,
                        "'%s' is a reserved word; choose another name for the parameter",
                        parameters[i].name);
        }
    }
    reader->rubric->parameters = parameters;
    reader->rubric->parameter_count = count;
}

/* A number of a case; larger sizes come from units and shapes. */
static int64_t read_units(struct rubric_reader *reader, const cJSON *value, int64_t least)
{
    if (cJSON_IsNumber(value) && value->valuedouble > UNITS_MAX) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "a number in a case can be at most %d, found %.12g; for larger sizes give the "
                    "parameter a 'unit', or multiply it where it is used",
                    UNITS_MAX, value->valuedouble);
        return 0;
    }
    return read_integer(reader, value, least, UNITS_MAX);
}

/* [8, 16, 32], of "one_of": distinct numbers. */
static struct range read_choices(struct rubric_reader *reader, const cJSON *list)
{
    struct range range = {.minimum = UNITS_MAX, .maximum = -UNITS_MAX};
    size_t count = read_list(reader, list, 1, RUBRIC_CHOICES_MAX);
    int64_t *choices = arena_array(reader->arena, count, sizeof *choices);
    const cJSON *item = count > 0 ? list->child : NULL;
    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        choices[i] = read_units(reader, item, -UNITS_MAX);
        for (size_t k = 0; k < i; k++) {
            if (choices[k] == choices[i]) {
                reader_fail(reader, ERROR_RANGE, item, false, "%lld is listed twice",
                            (long long)choices[i]);
            }
        }
        range.minimum = choices[i] < range.minimum ? choices[i] : range.minimum;
        range.maximum = choices[i] > range.maximum ? choices[i] : range.maximum;
    }
    range.choices = choices;
    range.choice_count = count;
    return range;
}

/* [minimum, maximum]. */
static struct range read_bounds(struct rubric_reader *reader, const cJSON *list, int64_t least)
{
    struct range range = {0};

    if (read_list(reader, list, 2, 2) != 2) {
        return range;
    }
    range.minimum = read_units(reader, list->child, least);
    range.maximum = read_units(reader, list->child->next, least);
    if (range.minimum > range.maximum) {
        reader_fail(reader, ERROR_RANGE, list, false,
                    "there is no value from %lld to %lld; put the smaller number first",
                    (long long)range.minimum, (long long)range.maximum);
    }
    return range;
}

/* {"log": [33, 4096]} or {"one_of": [8, 16, 32]}, and perhaps a unit of their own. */
static struct range read_drawn(struct rubric_reader *reader, const cJSON *value)
{
    enum { LOG, ONE_OF, UNIT, KEY_COUNT };
    static const struct rubric_key keys[KEY_COUNT] = {
        [LOG] = {"log", false}, [ONE_OF] = {"one_of", false}, [UNIT] = {"unit", false}};
    const cJSON *members[KEY_COUNT] = {NULL};
    struct range range = {0};

    read_members(reader, value, "a choice of values", keys, KEY_COUNT, members);
    if ((members[LOG] == NULL) == (members[ONE_OF] == NULL)) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "a choice of values needs either 'log' or 'one_of'");
        return range;
    }
    range = members[LOG] != NULL ? read_bounds(reader, members[LOG], 1)
                                 : read_choices(reader, members[ONE_OF]);
    range.is_log = members[LOG] != NULL;
    range.unit = read_expression(reader, members[UNIT], NAMES_BLOCK);
    return range;
}

/* A number, [minimum, maximum], or an object that says how to draw one. */
static struct range read_range(struct rubric_reader *reader, const cJSON *value)
{
    struct range range = {0};

    if (cJSON_IsObject(value)) {
        return read_drawn(reader, value);
    }
    if (cJSON_IsArray(value)) {
        return read_bounds(reader, value, -UNITS_MAX);
    }
    range.minimum = read_units(reader, value, -UNITS_MAX);
    range.maximum = range.minimum;
    return range;
}

/* What operands hold in this case; which launch has them is not known yet. */
static void read_case_values(struct rubric_reader *reader, const cJSON *value,
                             struct rubric_case *out)
{
    struct case_values *inputs = NULL;
    size_t count = 0, capacity = 0;
    const cJSON *item = NULL;

    if (value != NULL && !cJSON_IsObject(value)) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "expected an object with names of operands, such as {\"d_in\": \"sorted\"}");
        return;
    }
    cJSON_ArrayForEach(item, value)
    {
        arena_grow(reader->arena, &inputs, &capacity, count + 1, sizeof *inputs);
        inputs[count++] = (struct case_values){arena_strdup(reader->arena, item->string),
                                               read_domain(reader, item)};
    }
    out->inputs = inputs;
    out->input_count = count;
}

static void read_case(struct rubric_reader *reader, const cJSON *value, struct rubric_case *out)
{
    enum { FIXED = CASE_KEY_COUNT };
    struct rubric_key keys[FIXED + RUBRIC_PARAMETERS_MAX];
    const cJSON *members[FIXED + RUBRIC_PARAMETERS_MAX];
    const struct rubric *rubric = reader->rubric;

    memcpy(keys, case_keys, sizeof case_keys);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        keys[FIXED + i] = (struct rubric_key){rubric->parameters[i].name, true};
    }
    read_members(reader, value, "a case", keys, FIXED + rubric->parameter_count, members);
    out->id = read_name(reader, members[CASE_KEY_ID], NAME_ID);
    out->repeat = members[CASE_KEY_REPEAT] == NULL
                      ? 1
                      : (uint32_t)read_integer(reader, members[CASE_KEY_REPEAT], 1, REPEAT_MAX);
    out->probes = members[CASE_KEY_PROBES] == NULL
                      ? 0
                      : (uint32_t)read_integer(reader, members[CASE_KEY_PROBES], 1, PROBES_DRAWN);
    out->distinct = read_flag(reader, members[CASE_KEY_DISTINCT]);
    out->hidden = read_flag(reader, members[CASE_KEY_HIDDEN]);
    read_case_values(reader, members[CASE_KEY_VALUES], out);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        out->values[i] = read_range(reader, members[FIXED + i]);
    }
    if (reader->error == ERROR_NONE && out->distinct &&
        !case_ranges_fit(out, rubric->parameter_count)) {
        reader_fail(
            reader, ERROR_RANGE, members[CASE_KEY_DISTINCT], true,
            "the ranges of case '%s' have too few values for all to be different; widen them",
            out->id);
    }
}

void read_cases(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, reader->least_cases, CASES_MAX);
    struct rubric_case *cases = arena_array(reader->arena, count, sizeof *cases);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        reader->entry = item;
        read_case(reader, item, &cases[i]);
        reader_check_unique(reader, item, "case", cases, sizeof *cases, i);
    }
    reader->entry = NULL;
    if (reader->error != ERROR_NONE) {
        return;
    }
    size_t hidden = reader_hidden_last(reader, cases, sizeof *cases, count,
                                       offsetof(struct rubric_case, hidden));
    if (count > 0 && hidden == count) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all cases are hidden; at least one must be visible to students");
        return;
    }
    reader->rubric->cases = cases;
    reader->rubric->case_count = count;
    reader->rubric->hidden_case_count = hidden;
}
