/* rubric_cases.c: the sections limits, parameters and cases. */
#include "rubric/rubric_reader.h"

#include "base/clock.h"
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <string.h>

enum { REPEAT_MAX = 1000, CASES_MAX = 200, UNITS_MAX = 65536 };

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
    static const char *const names[] = {"id",    "repeat", "distinct", "hidden", "block", "threads",
                                        "floor", "ceil",   "min",      "max",    "sqrt"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void read_parameters(struct rubric_reader *reader, const cJSON *value)
{
    static const struct rubric_key keys[] = {{"name", true}, {"unit", false}};
    size_t count = read_list(reader, value, 1, RUBRIC_PARAMETERS_MAX);
    struct rubric_parameter *parameters = arena_array(reader->arena, count, sizeof *parameters);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const cJSON *members[2];
        read_members(reader, item, "a parameter", keys, 2, members);
        parameters[i].name = read_name(reader, members[0], NAME_IDENTIFIER);
        reader_check_unique(reader, members[0], "parameter", parameters, sizeof *parameters, i);
        parameters[i].unit = read_expression(reader, members[1], NAMES_BLOCK);
        if (is_reserved(parameters[i].name)) {
            reader_fail(reader, ERROR_RANGE, members[0], false,
                        "'%s' is a word of the format; call the parameter something else",
                        parameters[i].name);
        }
    }
    reader->rubric->parameters = parameters;
    reader->rubric->parameter_count = count;
}

/* A number, or [minimum, maximum]. */
static struct range read_range(struct rubric_reader *reader, const cJSON *value)
{
    struct range range = {0, 0};

    if (!cJSON_IsArray(value)) {
        range.minimum = read_integer(reader, value, 1, UNITS_MAX);
        range.maximum = range.minimum;
        return range;
    }
    if (read_list(reader, value, 2, 2) != 2) {
        return range;
    }
    range.minimum = read_integer(reader, value->child, 1, UNITS_MAX);
    range.maximum = read_integer(reader, value->child->next, 1, UNITS_MAX);
    if (range.minimum > range.maximum) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "no value fits from %lld to %lld; the smaller number comes first",
                    (long long)range.minimum, (long long)range.maximum);
    }
    return range;
}

static void read_case(struct rubric_reader *reader, const cJSON *value, struct rubric_case *out)
{
    enum { ID, REPEAT, DISTINCT, HIDDEN, FIXED };
    struct rubric_key keys[FIXED + RUBRIC_PARAMETERS_MAX] = {
        {"id", true}, {"repeat", false}, {"distinct", false}, {"hidden", false}};
    const cJSON *members[FIXED + RUBRIC_PARAMETERS_MAX];
    const struct rubric *rubric = reader->rubric;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        keys[FIXED + i] = (struct rubric_key){rubric->parameters[i].name, true};
    }
    read_members(reader, value, "a case", keys, FIXED + rubric->parameter_count, members);
    out->id = read_name(reader, members[ID], NAME_ID);
    out->repeat = members[REPEAT] == NULL
                      ? 1
                      : (uint32_t)read_integer(reader, members[REPEAT], 1, REPEAT_MAX);
    out->distinct = read_flag(reader, members[DISTINCT]);
    out->hidden = read_flag(reader, members[HIDDEN]);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        out->values[i] = read_range(reader, members[FIXED + i]);
    }
    if (reader->error == ERROR_NONE && out->distinct &&
        !case_ranges_fit(out, rubric->parameter_count)) {
        reader_fail(reader, ERROR_RANGE, members[DISTINCT], true,
                    "the ranges of case '%s' hold too few values for all to differ; widen them",
                    out->id);
    }
}

void read_cases(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 1, CASES_MAX);
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
    if (hidden == count) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all cases are hidden; leave one that students see");
        return;
    }
    reader->rubric->cases = cases;
    reader->rubric->case_count = count;
    reader->rubric->hidden_case_count = hidden;
}
