/* fuzz_rubric_parse.c: any bytes as a rubric; what loads must be drawable, and load from its stored
 * text to the same. */
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    enum error error = rubric_parse(arena, (const char *)bytes, length, "fuzz.json", "/root",
                                    &rubric, &diagnostic);

    if (error != ERROR_NONE && (diagnostic.line < 1 || diagnostic.column < 1 ||
                                diagnostic.message[0] == '\0' || error == ERROR_INTERNAL)) {
        abort();
    }
    if (error == ERROR_NONE) {
        const struct drawn_case *cases = NULL;
        size_t count = 0;
        int64_t parameters[RUBRIC_PARAMETERS_MAX];
        cases_draw(arena, rubric, 1, &cases, &count);
        for (size_t i = 0; i < count; i++) {
            case_parameters(rubric, &cases[i], 16, parameters);
        }
    }
    if (error == ERROR_NONE) {
        const struct rubric *again = NULL;
        if (rubric_parse(arena, rubric->whole_text, rubric->whole_length, "stored", "/root", &again,
                         &diagnostic) != ERROR_NONE ||
            strcmp(again->sha256, rubric->sha256) != 0 ||
            strcmp(again->evidence_sha256, rubric->evidence_sha256) != 0) {
            abort();
        }
    }
    arena_free(arena);
    return 0;
}
