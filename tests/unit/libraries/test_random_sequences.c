/* test_random_sequences.c: the numbers of cuRAND's host API are those that an H200 gave with the
 * cuRAND of CUDA 13.0: by their hash (FNV-1a), or within a bound where functions of the host's and
 * the GPU's libraries take part. */
#include "libraries/random_sequences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 99, MOST = 1000003 };

static uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t hash = UINT64_C(1469598103934665603);

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t drawn(struct random_ring *ring, enum random_what what, size_t count, void *room)
{
    const struct random_wish wish = {what, 1.0, 2.0};

    assert_true(random_draw(ring, &wish, count, room));
    return hash_of(room, count * random_bytes(what));
}

/* The rows of one generator, each after the other but for the offsets. */
static const struct {
    enum random_kind kind;
    uint64_t bits, doubles, floats, after, offset, legacy;
} rows[] = {
    {RANDOM_XORWOW, 0x5b8bf7463c90d073, 0xcc876585c49ce82b, 0x0b3e654eab3dc320, 0x7f5bfdde6c628245,
     0xc6b184222f1b680a, 0x379fd3caea4ae2a8},
    {RANDOM_MRG32K3A, 0x5117f28c41efd06f, 0x24582a2b8344cdbf, 0x83e3399a93243d58,
     0xc0e3b54441151902, 0x3a83df58d19698ad, 0x72eae7daff961443},
    {RANDOM_PHILOX, 0x51cde28ede02ec9a, 0x9dc50974ec40a446, 0x0f7c5b17fd9d6db3, 0xe57fbb8891fb19fc,
     0x19ceedb65aa3ba46, 0x5c16db8b448e4e46},
};

static void test_hashes(void **state)
{
    void *room = malloc(MOST * sizeof(double));

    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct random_ring ring = {.kind = rows[i].kind, .seed = SEED};

        assert_true(drawn(&ring, RANDOM_BITS, MOST, room) == rows[i].bits);
        assert_true(drawn(&ring, RANDOM_UNIFORM_DOUBLE, 300001, room) == rows[i].doubles);
        assert_true(drawn(&ring, RANDOM_UNIFORM, 77777, room) == rows[i].floats);
        drawn(&ring, RANDOM_NORMAL, 100002, room);
        drawn(&ring, RANDOM_LOG_NORMAL_DOUBLE, 100002, room);
        assert_true(drawn(&ring, RANDOM_BITS, 555, room) == rows[i].after);
        random_restart(&ring);
        ring.offset = UINT64_C(123456789012);
        assert_true(drawn(&ring, RANDOM_BITS, 100000, room) == rows[i].offset);
        random_restart(&ring);
        ring.offset = 7777;
        ring.is_legacy = true;
        assert_true(drawn(&ring, RANDOM_BITS, 300000, room) == rows[i].legacy);
        random_restart(&ring);
    }
    free(room);
}

/* The first ones with seed 1234: the H200's normal numbers. */
static void test_normal(void **state)
{
    static const double expected[][4] = {
        {0.780973613, -1.80157793, -0.280848712, 0.563546479},
        {-0.360653549, -0.591281354, -1.71853626, -0.901612043},
        {-1.61649048, 1.22915471, -1.56054068, 0.464620322},
    };
    static const double expected_doubles[][2] = {
        {0.3587397985244547, -1.239592503223552},
        {-0.36065364611174483, -0.59128140374174398},
        {-0.53952669590731883, 0.16063334644202298},
    };

    (void)state;
    for (int kind = RANDOM_XORWOW; kind <= RANDOM_PHILOX; kind++) {
        struct random_ring ring = {.kind = (enum random_kind)kind, .seed = 1234};
        struct random_wish wish = {RANDOM_NORMAL, 0.0, 1.0};
        float floats[4];
        double doubles[2];

        assert_true(random_draw(&ring, &wish, 4, floats));
        random_restart(&ring);
        wish.what = RANDOM_NORMAL_DOUBLE;
        assert_true(random_draw(&ring, &wish, 2, doubles));
        random_restart(&ring);
        for (int i = 0; i < 4; i++) {
            assert_true(fabs((double)floats[i] - expected[kind][i]) < 3e-6);
        }
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(doubles[i] - expected_doubles[kind][i]) < 4e-15);
        }
    }
}

/* Results are the same however they are divided into calls. */
static void test_pieces(void **state)
{
    (void)state;
    for (int kind = RANDOM_XORWOW; kind <= RANDOM_PHILOX; kind++) {
        struct random_ring whole = {.kind = (enum random_kind)kind, .seed = 5};
        struct random_ring pieces = whole;
        const struct random_wish wish = {.what = RANDOM_UNIFORM};
        float all[100], some[100];

        assert_true(random_draw(&whole, &wish, 100, all));
        for (size_t at = 0; at < 100; at += 5) {
            assert_true(random_draw(&pieces, &wish, 5, some + at));
        }
        assert_memory_equal(all, some, sizeof(all));
        random_restart(&whole);
        random_restart(&pieces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
