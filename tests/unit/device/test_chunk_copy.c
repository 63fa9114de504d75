/* test_chunk_copy.c: what was written after a copy began is put back, whoever wrote it, and no more
 * is copied than that. */
#include "device/emulated/memory/chunk_copy.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 5 * CHUNK_BYTES + 100, THREADS = 4 };

static uint8_t *live_new(void)
{
    uint8_t *live = malloc(BYTES);
    assert_non_null(live);
    for (size_t i = 0; i < BYTES; i++) {
        live[i] = (uint8_t)(i * 7 + i / 251);
    }
    return live;
}

static bool is_as_new(const uint8_t *live)
{
    for (size_t i = 0; i < BYTES; i++) {
        if (live[i] != (uint8_t)(i * 7 + i / 251)) {
            return false;
        }
    }
    return true;
}

static size_t kept_chunks(const struct chunk_copy *copy)
{
    size_t count = 0;
    for (size_t i = 0; i <= BYTES >> CHUNK_SHIFT; i++) {
        count += copy->flags[i];
    }
    return count;
}

static void write_range(struct chunk_copy *copy, size_t offset, size_t bytes)
{
    chunk_copy_before_write(copy, offset, bytes);
    memset(copy->live + offset, 0xee, bytes);
}

static void test_only_what_was_written(void **state)
{
    (void)state;
    /* offset, bytes, chunks of it */
    static const size_t rows[][3] = {
        {0, 1, 1},
        {CHUNK_BYTES - 1, 1, 1},
        {CHUNK_BYTES - 1, 2, 2},
        {CHUNK_BYTES, CHUNK_BYTES, 1},
        {CHUNK_BYTES - 4, 2 * CHUNK_BYTES, 3},
        {BYTES - 1, 1, 1},
        {BYTES - 101, 101, 2},
        {0, BYTES, 6},
    };
    uint8_t *live = live_new();
    struct chunk_copy *copy = chunk_copy_new(live, BYTES);
    assert_non_null(copy);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_range(copy, rows[i][0], rows[i][1]);
        write_range(copy, rows[i][0], rows[i][1]);
        assert_int_equal(kept_chunks(copy), rows[i][2]);
        assert_false(is_as_new(live));
        chunk_copy_restore(copy);
        assert_int_equal(kept_chunks(copy), 0);
        assert_true(is_as_new(live));
    }
    chunk_copy_free(copy);
    chunk_copy_free(NULL);
    free(live);
}

struct writer {
    struct chunk_copy *copy;
    size_t first;
    pthread_t thread;
};

/* Writes every THREADS-th byte from `first`, so that all threads write in all chunks. */
static void *write_all(void *argument)
{
    struct writer *writer = argument;
    for (size_t i = writer->first; i < BYTES; i += THREADS) {
        write_range(writer->copy, i, 1);
    }
    return NULL;
}

static void test_many_threads(void **state)
{
    (void)state;
    uint8_t *live = live_new();
    struct chunk_copy *copy = chunk_copy_new(live, BYTES);
    for (unsigned round = 0; round < 3; round++) {
        struct writer writers[THREADS];
        for (size_t i = 0; i < THREADS; i++) {
            writers[i] = (struct writer){.copy = copy, .first = i};
            assert_int_equal(pthread_create(&writers[i].thread, NULL, write_all, &writers[i]), 0);
        }
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(writers[i].thread, NULL);
        }
        assert_int_equal(live[BYTES / 2], 0xee);
        chunk_copy_restore(copy);
        assert_true(is_as_new(live));
    }
    chunk_copy_free(copy);
    free(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_was_written),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
