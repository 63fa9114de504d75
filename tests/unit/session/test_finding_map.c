/* test_finding_map.c: records of the device as findings in a student's terms. */
#include "session/finding_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>

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

    assert_int_equal(finding.needed_bytes, 4096 + 64 + 4);

    seen.distance_bytes = 0;
    seen.object_bytes = 9;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "reads 4 bytes across the end of an allocation of 9 bytes");
    assert_int_equal(finding.needed_bytes, 12);
    seen.object_bytes = 4096;
    seen.distance_bytes = -8;
    seen.places[0].access = FINDING_RECORD_WRITE;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "writes 4 bytes, 8 bytes before the start of an allocation of 4096 bytes");
    seen.access_bytes = 1;
    seen.distance_bytes = -1;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "writes 1 byte, 1 byte before the start of an allocation of 4096 bytes");
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

static void a_misaligned_access_to_a_surface_says_what_x_counts(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_MISALIGNED);
    struct finding finding;
    (void)state;

    seen.access_bytes = 8;
    strcpy(seen.text, "a surface");
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_non_null(strstr(finding.message, " 8 bytes of a surface at an x that is not a multiple "
                                            "of 8: x counts bytes, not elements"));
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
                        "reads 4 bytes through a pointer that does not point to device memory");
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

static void races_name_the_tile_and_both_accesses(void **state)
{
    static const struct {
        enum finding_record_kind kind;
        enum finding_record_access first, second;
        const char *message;
    } rows[] = {
        {FINDING_RECORD_SHARED_RACE, FINDING_RECORD_WRITE, FINDING_RECORD_READ,
         "shared array `Bs` is read while other threads still write it"},
        {FINDING_RECORD_SHARED_RACE, FINDING_RECORD_READ, FINDING_RECORD_WRITE,
         "shared array `Bs` is overwritten while other threads still read it"},
        {FINDING_RECORD_SHARED_RACE, FINDING_RECORD_WRITE, FINDING_RECORD_WRITE,
         "shared array `Bs` is written while other threads still write it"},
        {FINDING_RECORD_SHARED_RACE, FINDING_RECORD_ATOMIC, FINDING_RECORD_WRITE,
         "shared array `Bs` is written while other threads still update it"},
        {FINDING_RECORD_SHARED_RACE, FINDING_RECORD_READ, FINDING_RECORD_ATOMIC,
         "shared array `Bs` is updated while other threads still read it"},
        {FINDING_RECORD_WARP_RACE, FINDING_RECORD_WRITE, FINDING_RECORD_READ,
         "shared array `Bs` is read while other threads of the warp still write it"},
        {FINDING_RECORD_GLOBAL_RACE, FINDING_RECORD_WRITE, FINDING_RECORD_READ,
         "the array `Bs` is read while other threads still write it, and nothing orders them"},
    };
    static const char tile[] = "_ZZ14matrixMulTiledPKfS0_PfiiE2Bs";
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct finding_record seen = record(rows[i].kind);
        struct finding finding;
        memcpy(seen.text, tile, sizeof tile);
        seen.place_count = 2;
        seen.places[1] = seen.places[0];
        seen.places[1].line = 31;
        seen.places[0].access = rows[i].first;
        seen.places[1].access = rows[i].second;
        assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
        assert_string_equal(finding.message, rows[i].message);
        assert_string_equal(finding.object, "Bs");
        assert_int_equal(finding.place_count, 2);
        assert_int_equal(finding.places[1].line, 31);
        assert_int_equal(finding.main_place, 1);
        assert_int_equal(finding.severity, rows[i].kind == FINDING_RECORD_WARP_RACE
                                               ? SEVERITY_WARNING
                                               : SEVERITY_ERROR);
    }
    arena_free(arena);
}

/* A barrier between the two lines: they meet around the loop, so the upper one is too early. */
static void source_and_barriers_tell_the_order(void **state)
{
    static const struct barrier_count at_28[] = {{"exercise1_tiled.cu", 28, 9, 1, 1, 1}};
    static const struct barrier_count at_33[] = {{"exercise1_tiled.cu", 33, 9, 1, 1, 1}};
    struct launch_counts between = {.barriers = at_28, .barrier_count = 1};
    struct launch_counts behind = {.barriers = at_33, .barrier_count = 1};
    struct arena *arena = arena_new();
    struct finding race = {.code = CODE_SHARED_RACE,
                           .object = "Bs",
                           .places = {{.role = "read", .file = "exercise1_tiled.cu", .line = 31},
                                      {.role = "write", .file = "exercise1_tiled.cu", .line = 27}},
                           .place_count = 2};
    (void)state;

    finding_report_order(arena, &behind, &race);
    assert_string_equal(race.message,
                        "shared array `Bs` is read while other threads still write it");
    assert_int_equal(race.main_place, 0);
    finding_report_order(arena, &between, &race);
    assert_string_equal(race.message,
                        "shared array `Bs` is overwritten while other threads still read it");
    assert_int_equal(race.main_place, 1);
    race.places[1].line = 31; /* one line: nothing to tell */
    race.message = "as before";
    finding_report_order(arena, &between, &race);
    assert_string_equal(race.message, "as before");
    arena_free(arena);
}

static void memory_without_a_name(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_SHARED_RACE);
    struct finding finding;
    (void)state;

    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_null(finding.object);
    assert_int_equal(strncmp(finding.message, "shared memory is ", 17), 0);
    seen = record(FINDING_RECORD_SHARED_UNINITIALISED);
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.code, CODE_UNINITIALISED_SHARED);
    assert_string_equal(finding.message, "shared memory is read where no thread has written it");
    arena_free(arena);
}

/* Which element of an array nothing has written: as far as the array is known. */
static void reads_of_unwritten_memory_have_their_element(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_SHARED_UNINITIALISED);
    struct finding finding;
    (void)state;

    seen.launch.block[0] = 32;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.values->access_bytes, 0);
    snprintf(seen.text, sizeof seen.text, "tiles");
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.values->access_bytes, 4);
    assert_int_equal(finding.values->offset, 64);
    assert_int_equal(finding.values->variable_bytes, 4096);
    seen.distance_bytes = 4096;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.values->access_bytes, 0);
    seen.kind = FINDING_RECORD_GLOBAL_UNINITIALISED;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.values->access_bytes, 4);
    assert_int_equal(finding.values->variable_bytes, 0);
    arena_free(arena);
}

/* A function's own array has the function in its name; that of an `extern` one is all there is. */
static void static_tiles_are_told_apart(void **state)
{
    static const struct {
        enum finding_record_kind kind;
        const char *text;
        bool is_static;
    } rows[] = {
        {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, "_ZZ14matrixMulTiledPKfS0_PfiiE2Bs", true},
        {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, "tiles", false},
        {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, "_ZN4mine5tilesE", false},
        {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, "", false},
        {FINDING_RECORD_ASSERT, "_ZZ", false},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct finding_record seen = record(rows[i].kind);
        struct finding finding;
        snprintf(seen.text, sizeof seen.text, "%s", rows[i].text);
        assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
        assert_int_equal(finding.object_is_static, rows[i].is_static);
    }
    arena_free(arena);
}

static void masks_name_their_lanes(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_MASK_LANES_MISSING);
    struct finding finding;
    (void)state;

    seen.address = 0xffffffff;
    seen.object_bytes = 0xffff0000;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.code, CODE_WARP_MASK);
    assert_string_equal(
        finding.message,
        "the mask 0xffffffff names lanes 16 to 31 of the warp, which never get here");
    seen.object_bytes = 0x80000009;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_non_null(strstr(finding.message, "names lane 0 and 2 others of the warp"));
    seen.kind = FINDING_RECORD_SHUFFLE_UNDEFINED;
    seen.address = 0xff;
    seen.object_bytes = 0x100;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message, "reads the value of lane 8 of the warp, which the mask "
                                         "does not include: the value is undefined");
    arena_free(arena);
}

static void waits_say_for_what(void **state)
{
    struct arena *arena = arena_new();
    struct finding_record seen = record(FINDING_RECORD_BARRIER_DEADLOCK);
    struct finding finding;
    (void)state;

    seen.object_bytes = 0;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_string_equal(finding.message,
                        "threads of a block wait at a barrier that the others never reach");
    seen.address = 3;
    seen.object_bytes = 65;
    snprintf(seen.text, sizeof seen.text, "ready");
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.code, CODE_BARRIER_DEADLOCK);
    assert_string_equal(finding.message, "threads wait forever at the barrier `ready`: 3 of the 65 "
                                         "arrivals that it waits for never come");
    seen.kind = FINDING_RECORD_WAITS_FOREVER;
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_int_equal(finding.code, CODE_LAUNCH_DEADLINE);
    assert_string_equal(finding.message, "this loop never ends: it waits for `ready` to change, "
                                         "and no thread is left that would change it");
    seen.text[0] = '\0';
    assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
    assert_non_null(strstr(finding.message, "it waits for device memory to change"));
    arena_free(arena);
}

static void severities_say_what_is_undefined(void **state)
{
    static const struct {
        enum finding_record_kind kind;
        enum severity severity;
    } rows[] = {
        {FINDING_RECORD_BARRIER_INCOMPLETE, SEVERITY_WARNING},
        {FINDING_RECORD_BARRIER_DIVERGENT, SEVERITY_ERROR},
        {FINDING_RECORD_BARRIER_MISMATCH, SEVERITY_ERROR},
        {FINDING_RECORD_BARRIER_DEADLOCK, SEVERITY_ERROR},
        {FINDING_RECORD_SHARED_UNINITIALISED, SEVERITY_ERROR},
        {FINDING_RECORD_ASSERT, SEVERITY_ERROR},
        {FINDING_RECORD_MASK_LANES_MISSING, SEVERITY_ERROR},
        {FINDING_RECORD_MASK_WITHOUT_SELF, SEVERITY_ERROR},
        {FINDING_RECORD_SHUFFLE_UNDEFINED, SEVERITY_WARNING},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct finding_record seen = record(rows[i].kind);
        struct finding finding;
        assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
        assert_int_equal(finding.severity, rows[i].severity);
    }
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

/* A real GPU says that a kernel failed, and not where: the sentence says who does. */
static void a_gpu_tells_no_place(void **state)
{
    static const struct {
        enum finding_record_kind kind;
        const char *text;
        const char *message;
    } rows[] = {
        {FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, "",
         "uses an address outside of all memory; a real GPU does not report where; --device "
         "emulated "
         "does"},
        {FINDING_RECORD_MISALIGNED, "",
         "uses an address that is not a multiple of the access's size; a real GPU does not report "
         "where; --device emulated does"},
        {FINDING_RECORD_ASSERT, "",
         "an assertion failed; a real GPU does not report where; --device emulated does"},
        {FINDING_RECORD_ASSERT, "x > 0", "the assertion `x > 0` failed"},
        {FINDING_RECORD_STACK_OVERFLOW, "",
         "the stack of a thread overflows; a real GPU does not report where; --device emulated "
         "does"},
        {FINDING_RECORD_BAD_CALL, "", "calls a function through a pointer that points to none"},
        {FINDING_RECORD_TRAP, "", "the kernel stopped itself with a trap"},
        {FINDING_RECORD_TRAP, "CUDA_ERROR_LAUNCH_FAILED",
         "was stopped by a trap or by the GPU (CUDA_ERROR_LAUNCH_FAILED); a real GPU does not "
         "report "
         "where; --device emulated does"},
        {FINDING_RECORD_LAUNCH_REFUSED, "CUDA_ERROR_INVALID_VALUE",
         "was not launched: the GPU's driver reports CUDA_ERROR_INVALID_VALUE"},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct finding_record seen = {.kind = rows[i].kind, .place_count = 1, .count = 1};
        struct finding finding;

        snprintf(seen.text, sizeof seen.text, "%s", rows[i].text);
        assert_true(finding_from_record(arena, &code, "tiled", &seen, &finding));
        assert_string_equal(finding.message, rows[i].message);
        assert_string_equal(finding.places[0].file, "");
        assert_int_equal(finding.places[0].line, 0);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_bounds_tells_the_distance),
        cmocka_unit_test(a_place_in_a_header_climbs_to_the_student),
        cmocka_unit_test(a_misaligned_access_to_a_surface_says_what_x_counts),
        cmocka_unit_test(host_addresses_are_not_told),
        cmocka_unit_test(records_that_name_nothing_are_refused),
        cmocka_unit_test(races_name_the_tile_and_both_accesses),
        cmocka_unit_test(source_and_barriers_tell_the_order),
        cmocka_unit_test(memory_without_a_name),
        cmocka_unit_test(reads_of_unwritten_memory_have_their_element),
        cmocka_unit_test(static_tiles_are_told_apart),
        cmocka_unit_test(masks_name_their_lanes),
        cmocka_unit_test(waits_say_for_what),
        cmocka_unit_test(severities_say_what_is_undefined),
        cmocka_unit_test(every_kind_of_record_has_a_code),
        cmocka_unit_test(a_gpu_tells_no_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
