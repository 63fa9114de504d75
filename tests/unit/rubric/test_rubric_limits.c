/* test_rubric_limits.c: every limit of rubrics/rubric.schema.json is read with the default, the
 * smallest and the largest value that stand there, and nothing beyond them.
 */
#include "base/file.h"
#include "base/text.h"
#include "rubric/rubric_load.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char sample_name[] = GPUGRADE_SOURCE_DIR "/tests/rubrics/invalid/limit_is_zero.json";
static const char sample_limits[] = "{ \"program_seconds\": 0 }";

struct fixture {
    struct arena *arena;
    char *sample; /* a rubric with sample_limits in its 4th line */
    cJSON *schema;
    const cJSON *keys; /* of `limits` in the schema */
};

static char *read_whole(struct arena *arena, const char *path)
{
    struct diagnostic diagnostic;
    char *bytes;
    size_t length;

    assert_int_equal(file_read(arena, path, 1 << 20, BLAME_GRADER, &bytes, &length, &diagnostic),
                     ERROR_NONE);
    return bytes;
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture.arena = arena_new();
    fixture.sample = read_whole(fixture.arena, sample_name);
    fixture.schema =
        cJSON_Parse(read_whole(fixture.arena, GPUGRADE_SOURCE_DIR "/rubrics/rubric.schema.json"));
    const cJSON *properties = cJSON_GetObjectItem(fixture.schema, "properties");
    fixture.keys = cJSON_GetObjectItem(cJSON_GetObjectItem(properties, "limits"), "properties");
    *state = &fixture;
    return fixture.keys == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    cJSON_Delete(fixture->schema);
    arena_free(fixture->arena);
    return 0;
}

/* Parses the sample with other limits. */
static enum error parse(struct fixture *fixture, const char *limits,
                        const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    const char *at = strstr(fixture->sample, sample_limits);
    const char *bytes = arena_printf(fixture->arena, "%.*s%s%s", (int)(at - fixture->sample),
                                     fixture->sample, limits, at + sizeof sample_limits - 1);

    memset(diagnostic, 0, sizeof *diagnostic);
    return rubric_parse(fixture->arena, bytes, strlen(bytes), "sample.json", "/root", out_rubric,
                        diagnostic);
}

static enum error parse_one(struct fixture *fixture, const char *key, double value,
                            const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    const char *limits = arena_printf(fixture->arena, "{ \"%s\": %.10g }", key, value);

    return parse(fixture, limits, out_rubric, diagnostic);
}

static double of_key(const cJSON *key, const char *name)
{
    const cJSON *value = cJSON_GetObjectItem(key, name);

    assert_non_null(value);
    return value->valuedouble;
}

static void defaults_are_those_of_the_schema(void **state)
{
    struct fixture *fixture = *state;
    struct limits defaults = rubric_default_limits();
    const struct rubric *rubric;
    struct diagnostic diagnostic;
    const cJSON *key;
    struct text all;

    assert_int_equal(parse(fixture, "{}", &rubric, &diagnostic), ERROR_NONE);
    assert_memory_equal(&rubric->limits, &defaults, sizeof defaults);
    text_init(&all);
    cJSON_ArrayForEach(key, fixture->keys)
    {
        text_printf(&all, "%c \"%s\": %.10g", all.length == 0 ? '{' : ',', key->string,
                    of_key(key, "default"));
    }
    text_append(&all, " }");
    assert_int_equal(parse(fixture, all.bytes, &rubric, &diagnostic), ERROR_NONE);
    assert_memory_equal(&rubric->limits, &defaults, sizeof defaults);
    text_release(&all);
}

static void limits_have_their_defaults(void **state)
{
    struct limits limits = rubric_default_limits();

    (void)state;
    assert_true(limits.compile_wall_ns == UINT64_C(60000000000));
    assert_true(limits.compile_memory_bytes == UINT64_C(2) << 30);
    assert_true(limits.program_wall_ns == UINT64_C(20000000000));
    assert_true(limits.program_cpu_ns == UINT64_C(10000000000));
    assert_true(limits.program_memory_bytes == UINT64_C(1) << 30);
    assert_true(limits.program_processes == 64);
    assert_true(limits.program_output_bytes == 1 << 20);
    assert_true(limits.program_file_bytes == 64 << 20);
    assert_true(limits.launch_emulated_ns == UINT64_C(10000000000));
    assert_true(limits.launch_cuda_ns == UINT64_C(2000000000));
}

static void values_beyond_the_schema_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric;
    struct diagnostic diagnostic;
    const cJSON *key;
    int count = 0;

    cJSON_ArrayForEach(key, fixture->keys)
    {
        double minimum = of_key(key, "minimum");
        double maximum = of_key(key, "maximum");
        const double refused[] = {minimum * 0.9, minimum - 1, 0, -1, maximum + 1, 1e300};
        assert_int_equal(parse_one(fixture, key->string, minimum, &rubric, &diagnostic),
                         ERROR_NONE);
        assert_int_equal(parse_one(fixture, key->string, maximum, &rubric, &diagnostic),
                         ERROR_NONE);
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
            enum error error = parse_one(fixture, key->string, refused[i], &rubric, &diagnostic);
            if (error == ERROR_NONE || diagnostic.line != 4 || diagnostic.column <= 30) {
                fail_msg("%s: %g: %d:%d: %s", key->string, refused[i], diagnostic.line,
                         diagnostic.column, diagnostic.message);
            }
        }
        count++;
    }
    assert_int_equal(count, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_have_their_defaults),
        cmocka_unit_test(defaults_are_those_of_the_schema),
        cmocka_unit_test(values_beyond_the_schema_are_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
