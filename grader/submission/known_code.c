/* known_code.c: see known_code.h. Each program is built by a thread of its own, with an arena of
 * its own. */
#include "submission/known_code.h"

#include "submission/dataflow_fingerprint.h"
#include "submission/program_build.h"

#include <pthread.h>

/* One program of the template or of the reference solution. */
struct known_program {
    const struct toolchain *toolchain;
    const struct rubric *rubric;
    size_t number;
    bool is_template;
    const char *work_folder;
    struct arena *arena;
    struct built_program built;
    enum error error;
    struct diagnostic diagnostic;
};

static void *build_known(void *context)
{
    struct known_program *known = context;
    int64_t values[RUBRIC_OVERRIDES_MAX];
    const struct build_request request = {
        .rubric = known->rubric,
        .program = known->number,
        .work_folder = known->work_folder,
        .macro_values = program_first_values(known->rubric, known->number, values) ? values : NULL,
    };

    known->arena = arena_new();
    known->error = (known->is_template ? toolchain_template : toolchain_reference)(
        known->toolchain, &request, known->arena, &known->built, &known->diagnostic);
    return NULL;
}

void known_code_make(const struct toolchain *toolchain, const struct rubric *rubric,
                     const char *work_folder, struct arena *arena,
                     const struct device_code **out_codes, size_t *out_count,
                     const char **out_remark)
{
    size_t total = 2 * rubric->program_count, count = 0;
    struct known_program *programs = arena_array(arena, total, sizeof *programs);
    struct device_code *codes = arena_array(arena, total, sizeof *codes);
    pthread_t *threads = arena_array(arena, total, sizeof *threads);
    bool *started = arena_array(arena, total, sizeof *started);
    const char *remark = "";

    for (size_t i = 0; i < total; i++) {
        programs[i] = (struct known_program){.toolchain = toolchain,
                                             .rubric = rubric,
                                             .number = i / 2,
                                             .is_template = i % 2 == 0,
                                             .work_folder = work_folder};
        started[i] = pthread_create(&threads[i], NULL, build_known, &programs[i]) == 0;
        if (!started[i]) {
            build_known(&programs[i]);
        }
    }
    for (size_t i = 0; i < total; i++) {
        struct known_program *known = &programs[i];
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
        if (known->error == ERROR_NONE) {
            codes[count++] = dataflow_fingerprint_make(arena, rubric->programs[known->number].id,
                                                       &known->built.code);
        } else if (remark[0] == '\0') {
            remark = arena_strdup(arena, known->diagnostic.message);
        }
        arena_free(known->arena);
    }
    *out_codes = codes;
    *out_count = count;
    *out_remark = remark;
}
