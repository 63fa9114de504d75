/* test_locations.c: the two layouts, made of empty files in a scratch folder. */
#include "base/file.h"
#include "cli/locations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct layout {
    struct arena *arena;
    char folder[64];
    struct diagnostic diagnostic;
};

static int set_up(void **state)
{
    static struct layout place;

    place = (struct layout){.arena = arena_new()};
    memcpy(place.folder, "/tmp/locations-XXXXXX", sizeof "/tmp/locations-XXXXXX");
    *state = &place;
    return mkdtemp(place.folder) == NULL ? 1 : 0;
}

static int tear_down(void **state)
{
    struct layout *place = *state;

    folder_remove(place->folder);
    arena_free(place->arena);
    return 0;
}

static const char *in(struct layout *place, const char *name)
{
    return arena_printf(place->arena, "%s/%s", place->folder, name);
}

static void make_file(struct layout *place, const char *name)
{
    const char *path = in(place, name);
    const char *slash = strrchr(path, '/');
    const char *folder = arena_strndup(place->arena, path, (size_t)(slash - path));

    assert_int_equal(folder_make(folder, 0755, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, "", 0, NULL), ERROR_NONE);
}

static void make_root(struct layout *place, const char *name)
{
    make_file(place, arena_printf(place->arena, "%s/rubrics/x", name));
    make_file(place, arena_printf(place->arena, "%s/reference/x", name));
}

static void a_build_folder(void **state)
{
    struct layout *place = *state;
    struct locations found;

    make_root(place, ".");
    make_file(place, "build/bin/gpugrade-device");
    assert_int_equal(locations_of(place->arena, in(place, "build/bin/gpugrade"), NULL, &found,
                                  &place->diagnostic),
                     ERROR_NONE);
    assert_string_equal(found.root, place->folder);
    assert_string_equal(found.program, in(place, "build/bin/gpugrade"));
    assert_string_equal(found.helper_folder, in(place, "build/bin"));
    assert_string_equal(found.device_path, in(place, "build/bin/gpugrade-device"));
    assert_string_equal(found.library_folder, in(place, "build/lib"));
}

static void an_installed_one(void **state)
{
    struct layout *place = *state;
    struct locations found;

    make_root(place, "opt/share/gpugrade");
    make_root(place, "tree");
    make_file(place, "opt/libexec/gpugrade/gpugrade-device");
    assert_int_equal(
        locations_of(place->arena, in(place, "opt/bin/gpugrade"), NULL, &found, &place->diagnostic),
        ERROR_NONE);
    assert_string_equal(found.root, in(place, "opt/share/gpugrade"));
    assert_string_equal(found.helper_folder, in(place, "opt/libexec/gpugrade"));
    assert_string_equal(found.device_path, in(place, "opt/libexec/gpugrade/gpugrade-device"));
    assert_string_equal(found.library_folder, in(place, "opt/lib/gpugrade"));

    assert_int_equal(locations_of(place->arena, in(place, "opt/bin/gpugrade"),
                                  in(place, "opt/../tree"), &found, &place->diagnostic),
                     ERROR_NONE);
    assert_string_equal(found.root, in(place, "tree"));
    assert_string_equal(found.library_folder, in(place, "opt/lib/gpugrade"));
}

static void what_is_missing_is_named(void **state)
{
    struct layout *place = *state;
    struct locations found = {.root = "untouched"};

    make_root(place, ".");
    assert_int_equal(locations_of(place->arena, in(place, "build/bin/gpugrade"), NULL, &found,
                                  &place->diagnostic),
                     ERROR_ENVIRONMENT);
    assert_non_null(strstr(place->diagnostic.message, "build/bin/gpugrade-device is missing"));
    make_file(place, "build/bin/gpugrade-device");
    assert_int_equal(locations_of(place->arena, in(place, "build/bin/gpugrade"),
                                  in(place, "nowhere"), &found, &place->diagnostic),
                     ERROR_ENVIRONMENT);
    assert_non_null(strstr(place->diagnostic.message, "nowhere"));
    assert_int_equal(place->diagnostic.blame, BLAME_ENVIRONMENT);
    assert_string_equal(found.root, "untouched");
}

static bool hides(const struct sandbox *sandbox, const char *folder)
{
    for (size_t i = 0; i < sandbox->hidden_count; i++) {
        if (strcmp(sandbox->hidden_folders[i], folder) == 0) {
            return true;
        }
    }
    return false;
}

/* Those of the installed program lie there still when the root is another one. */
static void every_reference_is_hidden(void **state)
{
    struct layout *place = *state;
    struct sandbox sandbox = {.hidden_count = 0};
    struct locations found;

    make_root(place, "opt/share/gpugrade");
    make_root(place, "tree");
    make_file(place, "opt/libexec/gpugrade/gpugrade-device");
    assert_int_equal(locations_of(place->arena, in(place, "opt/bin/gpugrade"), in(place, "tree"),
                                  &found, &place->diagnostic),
                     ERROR_NONE);
    locations_hide(&found, &sandbox);
    assert_true(hides(&sandbox, in(place, "tree/reference")));
    assert_true(hides(&sandbox, in(place, "opt/share/gpugrade/reference")));

    make_root(place, "source");
    make_file(place, "source/build/bin/gpugrade-device");
    sandbox = (struct sandbox){.hidden_count = 0};
    assert_int_equal(locations_of(place->arena, in(place, "source/build/bin/gpugrade"),
                                  in(place, "tree"), &found, &place->diagnostic),
                     ERROR_NONE);
    locations_hide(&found, &sandbox);
    assert_true(hides(&sandbox, in(place, "tree/reference")));
    assert_true(hides(&sandbox, in(place, "source/reference")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_build_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_installed_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_missing_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_reference_is_hidden, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
