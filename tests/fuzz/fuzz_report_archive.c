/* fuzz_report_archive.c: any bytes as an archived report; what is read is written and read again to
 * the same. */
#include "report/score/report_archive.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct rubric_launch launches[] = {{.id = "tiled", .title = "tiled"}};
static const struct rubric_criterion criteria[] = {{.id = "compile", .title = "compiles"},
                                                   {.id = "races", .title = "race-free"}};
static const struct rubric rubric = {.id = "matmul",
                                     .title = "matrices",
                                     .launches = launches,
                                     .launch_count = 1,
                                     .criteria = criteria,
                                     .criterion_count = 2};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct report report, again;
    struct diagnostic diagnostic = {0};
    struct text first, second;
    enum error error = report_archive_read(arena, (const char *)bytes, length, "fuzz", &rubric,
                                           &report, &diagnostic);

    text_init(&first);
    text_init(&second);
    if (error != ERROR_NONE && diagnostic.message[0] == '\0') {
        abort();
    }
    if (error == ERROR_NONE) {
        report_archive_write(&report, &first);
        if (report_archive_read(arena, first.bytes, first.length, "again", &rubric, &again,
                                &diagnostic) != ERROR_NONE) {
            abort();
        }
        report_archive_write(&again, &second);
        if (report.student == NULL && strcmp(first.bytes, second.bytes) != 0) {
            abort();
        }
    }
    text_release(&second);
    text_release(&first);
    arena_free(arena);
    return 0;
}
