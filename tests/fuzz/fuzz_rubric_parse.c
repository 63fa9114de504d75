/* fuzz_rubric_parse.c: any bytes as a rubric; what loads must be drawable, and load from its stored
 * text to the same. */
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Every block width that a case gives is one that has been tried, a launch that is no call has one,
 * and a whole program has a first build. */
static void check_launch(const struct rubric *rubric, const struct rubric_launch *launch,
                         const struct drawn_case *drawn)
{
    int64_t block = case_block(rubric, launch, drawn);
    int64_t values[RUBRIC_OVERRIDES_MAX];
    struct drawn_case first = {.case_index = 0};
    bool is_tried = launch->block == NULL;

    for (size_t i = 0; i < launch->block_count; i++) {
        is_tried = is_tried || launch->blocks[i] == block;
    }
    memcpy(first.units, launch->first_values, sizeof launch->first_values);
    if (!is_tried || (launch->call == NULL && launch->block_count == 0) ||
        !case_override_values(rubric, &rubric->programs[launch->program], launch->first_values,
                              case_block(rubric, launch, &first), values)) {
        abort();
    }
}

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
            for (size_t k = 0; k < rubric->launch_count; k++) {
                check_launch(rubric, &rubric->launches[k], &cases[i]);
            }
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
