/* test_finding_map.c: records of the device as findings in a student's terms. */
#include "session/finding_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const files[] = {"", "exercise1_tiled.cu", ""};
static const struct code_kernel kernels[] = {
    {.name = "_Z14matrixMulTiledPKfS0_Pfii", .plain_name = "matrixMulTiled"}};
static const struct code_module modules[] = {
    {.kernels = kernels, .kernel_count = 1, .files = files, .file_count = 3}};
static const struct code_index code = {modules, 1};

static struct finding_record record(enum finding_record_kind kind)
{
    return (struct finding_record){
        .kind = kind,
        .place_count = 1,
        .count = 3,
        .address = 0x100000001000,
        .access_bytes = 4,
        .distance_bytes = 64,
        .object_bytes = 4096,
        .places = {{.access = FINDING_RECORD_READ,
                    .file = 1,
                    .line = 21,
                    .column = 13,
                    .block = {1, 2, 0},
                    .thread = {5, 6, 0}}},
    };
}

static void out_of_bounds_tells_the_distance(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    struct finding finding;
    (void)state;

    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.code, CODE_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(finding.severity, SEVERITY_ERROR);
    assert_string_equal(finding.message,
                        "reads 4 bytes, 64 bytes past the end of an allocation of 4096 bytes");
    assert_string_equal(finding.kernel, "matrixMulTiled");
    assert_string_equal(finding.launch, "tiled");
    assert_int_equal(finding.count, 3);
    assert_int_equal(finding.place_count, 1);
    assert_string_equal(finding.places[0].file, "exercise1_tiled.cu");
    assert_string_equal(finding.places[0].role, "read");
    assert_int_equal(finding.places[0].line, 21);
    assert_int_equal(finding.places[0].column, 13);
    assert_int_equal(finding.places[0].thread[1], 6);

    seen.distance_bytes = -8;
    seen.places[0].access = FINDING_RECORD_WRITE;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "writes 4 bytes, 8 bytes before the start of an allocation of 4096 bytes");
    arena_free(arena);
}

static void a_place_in_a_header_climbs_to_the_student(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_MISALIGNED);
    struct finding finding;
    (void)state;

    seen.places[0].file = 2;
    seen.places[0].inlined_file = 1;
    seen.places[0].inlined_line = 40;
    seen.places[0].inlined_column = 9;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.places[0].file, "exercise1_tiled.cu");
    assert_int_equal(finding.places[0].line, 40);
    assert_int_equal(finding.places[0].column, 9);
    seen.places[0].inlined_file = 0;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.places[0].file, "");
    assert_int_equal(finding.places[0].line, 0);
    arena_free(arena);
}

static void host_addresses_are_not_told(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_HOST_POINTER);
    struct finding finding;
    (void)state;

    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "reads 4 bytes through a pointer that is no device memory");
    arena_free(arena);
}

static void records_that_name_nothing_are_refused(void **state)
{
    struct arena *arena = arena_new();
    struct finding finding;
    struct finding_record foreign_module = record(FINDING_RECORD_TRAP);
    struct finding_record foreign_kernel = record(FINDING_RECORD_TRAP);
    struct finding_record foreign_kind = record(FINDING_RECORD_KIND_END);
    struct finding_record many_places = record(FINDING_RECORD_TRAP);
    (void)state;

    foreign_module.module = 1;
    foreign_kernel.function = 1;
    many_places.place_count = FINDING_RECORD_PLACES + 1;
    assert_false(finding_from_record(arena, &code, "", &foreign_module, &finding));
    assert_false(finding_from_record(arena, &code, "", &foreign_kernel, &finding));
    assert_false(finding_from_record(arena, &code, "", &foreign_kind, &finding));
    assert_false(finding_from_record(arena, &code, "", &many_places, &finding));
    arena_free(arena);
}

static void every_kind_of_record_has_a_code(void **state)
{
    struct arena *arena = arena_new();
    (void)state;

    for (int kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        struct finding_record seen = record((enum finding_record_kind)kind);
        struct finding finding;
        assert_true(finding_from_record(arena, &code, "", &seen, &finding));
        assert_int_not_equal(finding.code, CODE_NONE);
        assert_true(strlen(finding.message) > 10);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_bounds_tells_the_distance),
        cmocka_unit_test(a_place_in_a_header_climbs_to_the_student),
        cmocka_unit_test(host_addresses_are_not_told),
        cmocka_unit_test(records_that_name_nothing_are_refused),
        cmocka_unit_test(every_kind_of_record_has_a_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
