/* test_page_hash.c: a page that changed has another hash. */
#include "wire/page_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void each_bit_counts(void **state)
{
    static const size_t lengths[] = {1, 7, 8, 31, 32, 33, 64, 100, HASH_PAGE_BYTES};
    static uint8_t page[HASH_PAGE_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        uint64_t before = page_hash(page, lengths[i]);

        for (size_t bit = 0; bit < 8 * lengths[i]; bit++) {
            page[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_true(page_hash(page, lengths[i]) != before);
            page[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        assert_true(page_hash(page, lengths[i]) == before);
    }
}

static void length_and_place_count(void **state)
{
    static uint8_t page[HASH_PAGE_BYTES];
    uint64_t zeros = page_hash(page, 32);

    (void)state;
    assert_true(zeros != 0);
    assert_true(page_hash(page, 31) != zeros);
    assert_true(page_hash(page, 64) != zeros);
    page[0] = 1;
    uint64_t first = page_hash(page, sizeof(page));
    page[0] = 0;
    page[32] = 1;
    assert_true(page_hash(page, sizeof(page)) != first);
    page[32] = 0;
    page[8] = 1;
    assert_true(page_hash(page, sizeof(page)) != first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_counts),
        cmocka_unit_test(length_and_place_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
