/* test_file_overlay.c: what clang is told to see at a path. */
#include "clang/file_overlay.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    assert_non_null(text);
    return text;
}

static void files_and_folders_are_shown(void **state)
{
    struct arena *arena = arena_new();
    struct compile_plan plan = {.clang = "clang++"};
    struct file_overlay overlay;
    char *folder;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    const char *path = arena_printf(arena, "%s/o.yaml", folder);
    file_overlay_init(&overlay);
    file_overlay_add(&overlay, "/seen/a \"b\"\n.cu", "/real/a.cu", false);
    file_overlay_add(&overlay, "/seen/headers", "/real/headers", true);
    assert_int_equal(file_overlay_use(&overlay, arena, &plan, path, NULL), ERROR_NONE);
    assert_null(overlay.root);
    assert_int_equal(plan.both.count, 2);
    assert_string_equal(plan.both.items[0], "-ivfsoverlay");
    assert_string_equal(plan.both.items[1], path);

    assert_int_equal(file_read(arena, path, 1 << 20, BLAME_ENVIRONMENT, &text, &length, NULL),
                     ERROR_NONE);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    const cJSON *version = cJSON_GetObjectItem(root, "version");
    assert_true(cJSON_IsNumber(version) && version->valueint == 0);
    /* Messages and line tables name the path that is seen. */
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "use-external-names")));
    const cJSON *roots = cJSON_GetObjectItem(root, "roots");
    assert_int_equal(cJSON_GetArraySize(roots), 2);
    const cJSON *file = cJSON_GetArrayItem(roots, 0);
    assert_string_equal(text_of(file, "name"), "/seen/a \"b\"\n.cu");
    assert_string_equal(text_of(file, "type"), "file");
    assert_string_equal(text_of(file, "external-contents"), "/real/a.cu");
    const cJSON *headers = cJSON_GetArrayItem(roots, 1);
    assert_string_equal(text_of(headers, "name"), "/seen/headers");
    assert_string_equal(text_of(headers, "type"), "directory-remap");
    assert_string_equal(text_of(headers, "external-contents"), "/real/headers");
    cJSON_Delete(root);
    assert_true(folder_remove(folder));
    arena_free(arena);
}

static void a_file_that_cannot_be_written_is_an_error(void **state)
{
    struct arena *arena = arena_new();
    struct compile_plan plan = {.clang = "clang++"};
    struct diagnostic diagnostic = {.message = ""};
    struct file_overlay overlay;

    (void)state;
    file_overlay_init(&overlay);
    assert_int_equal(file_overlay_use(&overlay, arena, &plan, "/nowhere/o.yaml", &diagnostic),
                     ERROR_IO);
    assert_non_null(strstr(diagnostic.message, "/nowhere/o.yaml"));
    assert_null(overlay.root);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_folders_are_shown),
        cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
