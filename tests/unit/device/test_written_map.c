/* Which bytes of an allocation have been written: written_map.h. */
#include "device/emulated/memory/written_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 200, SPAN_MAX = 150 }; /* more than two words of the map */

static void check(const struct written_map *map, const bool written[BYTES])
{
    for (uint64_t start = 0; start < BYTES; start++) {
        bool has_all = true;
        bool has_any = false;
        for (uint64_t length = 1; length <= SPAN_MAX && start + length <= BYTES; length++) {
            has_all = has_all && written[start + length - 1];
            has_any = has_any || written[start + length - 1];
            assert_int_equal(written_map_has_all(map, start, length), has_all);
            assert_int_equal(written_map_has_any(map, start, length), has_any);
        }
    }
}

static void marks_are_exact(void **state)
{
    (void)state;
    for (uint64_t start = 0; start < 20; start++) {
        for (uint64_t length = 1; length < 170; length += 7) {
            bool written[BYTES] = {false};
            struct written_map *map = written_map_new(BYTES);
            written_map_mark(map, start, length);
            written_map_mark(map, BYTES - 1, 1);
            memset(written + start, true, length);
            written[BYTES - 1] = true;
            check(map, written);
            written_map_free(map);
        }
    }
}

static void prefixes_grow_and_shrink(void **state)
{
    struct written_map *map = written_map_new(BYTES);
    struct written_map *none = written_map_new(BYTES);
    bool written[BYTES] = {false};
    (void)state;
    written_map_extend(map, 0, 10);
    written_map_extend(map, 12, 4);
    assert_int_equal(map->prefix, 10);
    written_map_extend(map, 8, 4);
    assert_int_equal(map->prefix, 12);
    written_map_extend(map, 12, BYTES - 12);
    assert_int_equal(map->prefix, BYTES);
    written_map_copy(map, 50, none, 3, 20);
    assert_int_equal(map->prefix, 50);
    memset(written, true, BYTES);
    memset(written + 50, false, 20);
    check(map, written);
    written_map_free(map);
    written_map_free(none);
}

static void marks_are_undone(void **state)
{
    bool written[BYTES] = {false};
    struct written_map *map = written_map_new(BYTES);
    (void)state;
    written_map_mark(map, 3, 50);
    memset(written + 3, true, 50);
    written_map_keep(map, BYTES);
    written_map_mark(map, 0, BYTES);
    assert_true(written_map_has_all(map, 0, BYTES));
    written_map_undo(map);
    check(map, written);
    written_map_forget(map);
    written_map_mark(map, 0, 1);
    written[0] = true;
    check(map, written);
    written_map_free(map);
    written_map_free(NULL);
}

/* Also within one map, forwards and backwards, as memmove does. */
static void copies_carry_along_what_is_unwritten(void **state)
{
    static const struct {
        uint64_t to, from, bytes;
    } copies[] = {{0, 0, 200}, {13, 5, 90}, {5, 13, 90}, {100, 1, 64}, {0, 160, 40}, {7, 63, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        struct written_map *map = written_map_new(BYTES);
        struct written_map *other = written_map_new(BYTES);
        bool written[BYTES] = {false};
        bool copied[BYTES];
        for (uint64_t k = 0; k < BYTES; k += 7) {
            written_map_mark(map, k, k % 4 + 1);
            memset(written + k, true, k + k % 4 + 1 > BYTES ? BYTES - k : k % 4 + 1);
        }
        memset(copied, true, sizeof copied);
        written_map_mark(other, 0, BYTES);
        memcpy(copied + copies[i].to, written + copies[i].from, copies[i].bytes);
        written_map_copy(other, copies[i].to, map, copies[i].from, copies[i].bytes);
        check(other, copied);
        memmove(written + copies[i].to, written + copies[i].from, copies[i].bytes);
        written_map_copy(map, copies[i].to, map, copies[i].from, copies[i].bytes);
        check(map, written);
        written_map_free(map);
        written_map_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_exact),
        cmocka_unit_test(prefixes_grow_and_shrink),
        cmocka_unit_test(marks_are_undone),
        cmocka_unit_test(copies_carry_along_what_is_unwritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
