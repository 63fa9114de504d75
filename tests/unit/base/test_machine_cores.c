/* test_machine_cores.c: cores that control groups allow. */
#include "base/file.h"
#include "base/machine_cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

struct place {
    struct arena *arena;
    char *folder; /* of control groups */
};

static int setup(void **state)
{
    struct arena *arena = arena_new();
    struct place *place = arena_alloc(arena, sizeof *place);

    place->arena = arena;
    assert_int_equal(folder_make_temporary(arena, &place->folder, NULL), ERROR_NONE);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;

    assert_true(folder_remove(place->folder));
    arena_free(place->arena);
    return 0;
}

static void write_group(const struct place *place, const char *group, const char *name,
                        const char *text)
{
    const char *folder = arena_printf(place->arena, "%s%s", place->folder, group);
    const char *path = arena_printf(place->arena, "%s/%s", folder, name);

    mkdir(folder, 0755);
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static void without_groups_nothing_is_taken_away(void **state)
{
    const struct place *place = *state;

    assert_int_equal(machine_group_cores(place->folder, "/a/b", 12), 12);
    assert_int_equal(machine_group_cores(place->folder, "", 12), 12);
}

static void a_quota_is_rounded_up(void **state)
{
    const struct place *place = *state;

    write_group(place, "", "cpu.max", "150000 100000\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 2);
    assert_int_equal(machine_group_cores(place->folder, "", 1), 1);
    write_group(place, "", "cpu.max", "max 100000\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 12);
    write_group(place, "", "cpu.max", "1000 100000\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 1);
}

static void the_narrowest_group_on_the_way_up_counts(void **state)
{
    const struct place *place = *state;

    write_group(place, "/a", "cpu.max", "300000 100000\n");
    write_group(place, "/a/b", "cpu.max", "800000 100000\n");
    write_group(place, "/c", "cpu.max", "100000 100000\n");
    assert_int_equal(machine_group_cores(place->folder, "/a/b", 12), 3);
    assert_int_equal(machine_group_cores(place->folder, "/c", 12), 1);
    assert_int_equal(machine_group_cores(place->folder, "/a/b", 2), 2);
}

static void groups_of_version_1_have_two_files(void **state)
{
    const struct place *place = *state;

    write_group(place, "/cpu", "cpu.cfs_quota_us", "-1\n");
    write_group(place, "/cpu", "cpu.cfs_period_us", "100000\n");
    assert_int_equal(machine_group_cores(place->folder, "", 12), 12);
    write_group(place, "/cpu", "cpu.cfs_quota_us", "400000\n");
    assert_int_equal(machine_group_cores(place->folder, "", 12), 4);
}

static void files_that_hold_something_else_are_no_limit(void **state)
{
    const struct place *place = *state;

    write_group(place, "", "cpu.max", "");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 12);
    write_group(place, "", "cpu.max", "100000\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 12);
    write_group(place, "", "cpu.max", "0 0\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 12);
    write_group(place, "", "cpu.max", "two of three\n");
    assert_int_equal(machine_group_cores(place->folder, "/", 12), 12);
}

static void this_process_has_a_core(void **state)
{
    (void)state;
    assert_true(machine_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_groups_nothing_is_taken_away, setup, teardown),
        cmocka_unit_test_setup_teardown(a_quota_is_rounded_up, setup, teardown),
        cmocka_unit_test_setup_teardown(the_narrowest_group_on_the_way_up_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(groups_of_version_1_have_two_files, setup, teardown),
        cmocka_unit_test_setup_teardown(files_that_hold_something_else_are_no_limit, setup,
                                        teardown),
        cmocka_unit_test(this_process_has_a_core),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
