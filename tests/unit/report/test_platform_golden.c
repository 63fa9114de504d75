/* test_platform_golden.c: one score, with several statuses, in each format of formats.def, held to
 * golden/platform/FORMAT.txt. GPUGRADE_BLESS=1 writes these anew; read the difference. */
#include "base/file.h"
#include "report/platform/emit.h"
#include "report/score/score_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char folder[] = GPUGRADE_SOURCE_DIR "/tests/unit/report/golden/platform";

enum { FILE_BYTES_MAX = 4 << 20 };

/* The page has pages of `explain` in it, which have golden files of their own. */
static bool has_golden(const struct emit_format *format)
{
    return strcmp(format->name, "html") != 0;
}

static struct report mixed_report(struct arena *arena)
{
    const char *path = arena_printf(arena, "%s/mixed_score.json", folder);
    struct diagnostic diagnostic = {.message = ""};
    struct report report = {.rubric = NULL};
    char *bytes = NULL;
    size_t length = 0;

    if (file_read(arena, path, FILE_BYTES_MAX, BLAME_GRADER, &bytes, &length, &diagnostic) !=
            ERROR_NONE ||
        score_read(arena, bytes, length, path, &report, &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    return report;
}

static void each_format_is_its_golden_file(void **state)
{
    static const struct emit_options options = {.path_prefix = "hw3/", .time = 1790000000};
    struct arena *arena = arena_new();
    const struct report report = mixed_report(arena);

    (void)state;
    for (size_t i = 0; i < emit_format_count; i++) {
        const struct emit_format *format = &emit_formats[i];
        const char *path = arena_printf(arena, "%s/%s.txt", folder, format->name);
        char *expected = NULL;
        size_t length = 0;
        struct text text;
        if (!has_golden(format)) {
            continue;
        }
        text_init(&text);
        emit_report(format, &report, &options, arena, &text);
        if (getenv("GPUGRADE_BLESS") != NULL) {
            assert_int_equal(file_write_atomic(path, text.bytes, text.length, NULL), ERROR_NONE);
        }
        if (file_read(arena, path, FILE_BYTES_MAX, BLAME_GRADER, &expected, &length, NULL) !=
            ERROR_NONE) {
            fail_msg("%s cannot be read; write it with GPUGRADE_BLESS=1", path);
        }
        if (length != text.length || memcmp(expected, text.bytes, length) != 0) {
            fail_msg("%s differs; got:\n%s", path, text.bytes);
        }
        text_release(&text);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_format_is_its_golden_file)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
