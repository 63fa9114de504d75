/* test_operand_memory.c: accesses that miss an operand are told by its name and an index, and only
 * where that is certain. */
#include "session/operand_memory.h"

#include "diagnosis/hints/finding_hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { START = 0x10000, BYTES = 2048, FAR = 1 << 20 };

static const struct operand_memory matrix = {
    .name = "B",
    .kernel = "product",
    .start = START,
    .bytes = BYTES,
    .element_bytes = 4,
    .extents = {32, 16},
    .rank = 2,
};

/* A read of `bytes` at an address, whose nearest allocation is the matrix. */
static struct finding_record miss(uint64_t address, uint32_t bytes)
{
    struct finding_record record = {.kind = FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS,
                                    .place_count = 1,
                                    .address = address,
                                    .access_bytes = bytes,
                                    .object_bytes = BYTES,
                                    .places = {{.access = FINDING_RECORD_READ}}};

    if (address < START) {
        record.distance_bytes = -(int64_t)(START - address);
    } else if (address >= START + BYTES) {
        record.distance_bytes = (int64_t)(address - START - BYTES);
    }
    return record;
}

static void expect(const struct operand_memory *items, size_t count,
                   const struct finding_record *record, const char *message)
{
    struct arena *arena = arena_new();
    struct operand_memories memories = {0};
    struct finding finding = {.code = CODE_GLOBAL_RACE,
                              .kernel = "product",
                              .message = "as before",
                              .places = {{.role = "read"}, {.role = "write"}}};

    for (size_t i = 0; i < count; i++) {
        operand_memory_add(arena, &memories, &items[i]);
    }
    finding_name_operand(arena, &memories, record, &finding);
    assert_string_equal(finding.message, message);
    arena_free(arena);
}

/* Whether a kernel is given vectors alone decides what its hints speak of. */
static void vectors_are_known(void **state)
{
    struct operand_memory row = matrix;
    struct operand_memory other = matrix;
    struct finding_record far = miss(START + BYTES + (1 << 20), 4);
    struct arena *arena = arena_new();
    (void)state;

    row.rank = 1;
    other.kernel = "another";
    const struct {
        const struct operand_memory *items[2];
        bool expected;
    } rows[] = {
        {{&row, &row}, true},
        {{&row, &matrix}, false},
        {{&row, &other}, true},
        {{&other, &other}, false}, /* nothing is known of the kernel */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct operand_memories memories = {0};
        struct finding finding = {
            .code = CODE_GLOBAL_OUT_OF_BOUNDS, .kernel = "product", .message = "as before"};
        operand_memory_add(arena, &memories, rows[i].items[0]);
        operand_memory_add(arena, &memories, rows[i].items[1]);
        finding_name_operand(arena, &memories, &far, &finding);
        assert_int_equal(finding.has_vectors_only, rows[i].expected);
        assert_int_equal(strstr(finding_hint(&finding), "matrix") == NULL, rows[i].expected);
    }
    arena_free(arena);
}

static void unwritten_elements_are_named(void **state)
{
    struct finding_record read = {.kind = FINDING_RECORD_GLOBAL_UNINITIALISED,
                                  .place_count = 1,
                                  .address = START + 4 * (2 * 16 + 3),
                                  .access_bytes = 4,
                                  .object_bytes = BYTES,
                                  .places = {{.access = FINDING_RECORD_READ}}};
    struct operand_memory row = matrix;
    struct operand_memory other = matrix;

    (void)state;
    row.rank = 1;
    other.name = "C";
    expect(&matrix, 1, &read, "reads B(2,3), which nothing has written");
    expect(&row, 1, &read, "reads B[35], which nothing has written");
    read.address = START + 4 * 3;
    expect(&matrix, 1, &read, "reads B(0,3), which nothing has written (in the first row)");
    read.address = START + 4 * (2 * 16 + 15);
    expect(&matrix, 1, &read, "reads B(2,15), which nothing has written (in the last column)");
    read.address = START + 4 * (2 * 16 + 3);
    const struct operand_memory both[] = {matrix, other};
    expect(both, 2, &read, "as before");
    read.object_bytes = 2 * BYTES; /* a part of a larger allocation */
    expect(&matrix, 1, &read, "as before");
}

static void elements_of_races_are_named(void **state)
{
    struct finding_record race = {.kind = FINDING_RECORD_GLOBAL_RACE,
                                  .place_count = 2,
                                  .address = START + 4 * (2 * 16 + 3),
                                  .access_bytes = 4,
                                  .object_bytes = BYTES};
    const struct operand_memory both[] = {matrix, {.name = "C", .start = FAR, .bytes = BYTES}};

    (void)state;
    expect(both, 2, &race,
           "B(2,3) is overwritten while other threads still read it, and nothing orders them");
    race.address = START + BYTES; /* of something else */
    expect(both, 2, &race, "as before");
    race.address = START;
    race.object_bytes = 2 * BYTES;
    expect(both, 2, &race, "as before");
    race.object_bytes = BYTES;
    race.place_count = 0; /* the rest, which no place is known of */
    expect(both, 2, &race, "as before");
}

static void operands_are_named(void **state)
{
    struct finding_record last = miss(START + BYTES, 4);
    struct finding_record later = miss(START + BYTES + 400, 4);
    struct finding_record before = miss(START - 4, 4);
    struct finding_record wide = miss(START + BYTES, 16);
    struct finding_record across = miss(START + BYTES - 8, 16);
    struct operand_memory row = matrix;
    (void)state;

    expect(&matrix, 1, &last, "reads B[512], past the end of B, which has 512 elements (32 x 16)");
    later.places[0].access = FINDING_RECORD_WRITE;
    expect(&matrix, 1, &later,
           "writes B[612], past the end of B, which has 512 elements (32 x 16)");
    expect(&matrix, 1, &before,
           "reads B[-1], before the start of B, which has 512 elements (32 x 16)");
    expect(&matrix, 1, &wide,
           "reads B[512] to B[515], past the end of B, which has 512 elements (32 x 16)");
    expect(&matrix, 1, &across,
           "reads B[510] to B[513], across the end of B, which has 512 elements (32 x 16)");
    row.rank = 1;
    row.extents[0] = 512;
    expect(&row, 1, &last, "reads B[512], past the end of B, which has 512 elements");
}

/* An index below zero without a sign, in 32 bits. */
static void indices_below_zero_are_named(void **state)
{
    const uint64_t wrap = (uint64_t)4 << 32;
    struct finding_record below = miss(START + wrap - 8, 4);
    struct finding_record far = miss(START + wrap - (32 << 10), 4);
    struct finding_record at_start = miss(START + wrap, 4);
    (void)state;

    expect(&matrix, 1, &below,
           "reads B[-2], before the start of B, which has 512 elements (32 x 16)");
    expect(&matrix, 1, &far, "as before");
    expect(&matrix, 1, &at_start, "as before");
}

/* A member of a vector that lies outside is told by its element. */
static void elements_that_are_vectors_are_named(void **state)
{
    struct operand_memory points = matrix;
    struct finding_record second = miss(START + BYTES + 8, 4);
    struct finding_record before = miss(START - 4, 4);
    struct finding_record whole = miss(START + BYTES, 16);
    struct finding_record beside = miss(START + BYTES + 2, 2);
    (void)state;

    points.rank = 1;
    points.element_bytes = 16;
    points.lanes = 4;
    expect(&points, 1, &second, "reads B[128], past the end of B, which has 128 elements");
    expect(&points, 1, &before, "reads B[-1], before the start of B, which has 128 elements");
    expect(&points, 1, &whole, "reads B[128], past the end of B, which has 128 elements");
    expect(&points, 1, &beside, "as before");
}

static void nothing_is_guessed(void **state)
{
    struct finding_record last = miss(START + BYTES, 4);
    struct finding_record far = miss(START + FAR, 4);
    struct finding_record far_before = miss(4, 4);
    struct finding_record odd = miss(START + BYTES + 2, 4);
    struct finding_record freed = miss(START + BYTES, 4);
    struct finding_record larger = miss(START + BYTES, 4);
    struct finding_record of_gpu = miss(START + BYTES, 0);
    struct finding_record other_place = miss(START + BYTES, 4);
    struct operand_memory other_kernel = matrix;
    (void)state;

    expect(NULL, 0, &last, "as before");
    expect(&matrix, 1, &far, "as before");
    expect(&matrix, 1, &far_before, "as before");
    expect(&matrix, 1, &odd, "as before");
    freed.kind = FINDING_RECORD_USE_AFTER_FREE;
    expect(&matrix, 1, &freed, "as before");
    larger.object_bytes *= 2; /* another allocation is the nearest */
    expect(&matrix, 1, &larger, "as before");
    expect(&matrix, 1, &of_gpu, "as before");
    other_place.distance_bytes = 64;
    expect(&matrix, 1, &other_place, "as before");
    other_kernel.kernel = "sum";
    expect(&other_kernel, 1, &last, "as before");
}

/* However far an access is, the pointer that its address is made of is sure. */
static void accesses_far_from_their_base_are_named(void **state)
{
    struct finding_record after = miss(START + FAR, 4);
    struct finding_record before = miss(4, 4);
    (void)state;

    after.has_base = 1;
    before.has_base = 1;
    expect(&matrix, 1, &after,
           "reads B[262144], past the end of B, which has 512 elements (32 x 16)");
    expect(&matrix, 1, &before,
           "reads B[-16383], before the start of B, which has 512 elements (32 x 16)");
    after.object_bytes *= 2;
    expect(&matrix, 1, &after, "as before");
}

static void memory_that_was_used_twice_has_no_name(void **state)
{
    struct finding_record last = miss(START + BYTES, 4);
    struct operand_memory both[] = {matrix, matrix};
    (void)state;

    expect(both, 2, &last, "reads B[512], past the end of B, which has 512 elements (32 x 16)");
    both[1].extents[0] = 16;
    both[1].extents[1] = 32;
    expect(both, 2, &last, "as before");
    both[1] = matrix;
    both[1].name = "A";
    expect(both, 2, &last, "as before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_known),
        cmocka_unit_test(operands_are_named),
        cmocka_unit_test(indices_below_zero_are_named),
        cmocka_unit_test(unwritten_elements_are_named),
        cmocka_unit_test(elements_of_races_are_named),
        cmocka_unit_test(elements_that_are_vectors_are_named),
        cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(accesses_far_from_their_base_are_named),
        cmocka_unit_test(memory_that_was_used_twice_has_no_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
