/* test_second_reading.c: builds that nvcc refuses and clang reads too, in the sandbox. Where there
 * are not both, all of this is skipped visibly. */
#include "build_fixture.h"

#include <glob.h>

static int set_up_both(void **state)
{
    return set_up_compiler(state, COMPILER_AUTO);
}

/* What nvcc sees at the brace, and clang at the end of the line before. */
static const char broken_text[] = "#include \"given.h\"\n"
                                  "__global__ void fill(float *p)\n"
                                  "{\n"
                                  "    p[threadIdx.x] = 1.0f\n"
                                  "}\n"
                                  "void launch(float *p) { fill<<<1, 64>>>(p); }\n";

/* How many folders and files have names like this, below the site's folder. */
static size_t count(const struct site *site, const char *pattern)
{
    glob_t found;
    size_t matches = 0;
    const char *path = arena_printf(site->arena, "%s/%s", site->folder, pattern);

    if (glob(path, 0, NULL, &found) == 0) {
        matches = found.gl_pathc;
        globfree(&found);
    }
    return matches;
}

static void assert_first(const struct site *site, const char *said, int line, int column)
{
    const struct tool_message *first = first_message(site);

    assert_true(first->is_error);
    if (strstr(first->message, said) == NULL || first->line != line || first->column != column) {
        fail_msg("%d:%d: %s", first->line, first->column, first->message);
    }
    assert_string_equal(first->file, "exercise.cu");
}

/* Whatever is shown, the build is nvcc's. */
static void assert_refused_by_nvcc(const struct site *site)
{
    const struct program_build *build = &site->built.build;

    assert_true(build->attempted);
    assert_false(build->compiled);
    assert_int_equal(build->failure, CODE_COMPILE_ERROR);
    assert_true(build->end.exit_status > 1); /* clang's is 1 */
    assert_int_equal(site->toolchain.compiler.kind, COMPILER_NVCC);
}

static void the_better_words_are_shown(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, broken_text), ERROR_NONE);
    assert_refused_by_nvcc(site);
    assert_first(site, "expected ';'", 4, 26);
    assert_int_equal(first_message(site)->fix_count, 1);
    assert_string_equal(first_message(site)->fixes[0].after, "    p[threadIdx.x] = 1.0f;");
    assert_int_equal(site->built.build.message_count, 1);
}

/* Only nvcc is asked for. */
static void nvcc_alone_has_its_own_words(void **state)
{
    struct site *site = need(state);

    site->toolchain.second.kind = COMPILER_AUTO;
    assert_int_equal(build_text(site, broken_text), ERROR_NONE);
    assert_refused_by_nvcc(site);
    assert_first(site, "expected a \";\"", 5, 1);
    assert_int_equal(count(site, "build-0/reading-*"), 0);
}

/* nvcc takes what stands first, and clang does not. */
static void what_only_clang_refuses_is_not_told(void **state)
{
    static const char *const first_lines[] = {"#include <cuda_bf16.h>\n",
                                              "__managed__ int total;\n"};
    struct site *site = need(state);

    for (size_t i = 0; i < sizeof first_lines / sizeof first_lines[0]; i++) {
        const char *text = arena_printf(site->arena, "%svoid launch(float *p) { *p = nothing; }\n",
                                        first_lines[i]);
        assert_int_equal(build_text(site, text), ERROR_NONE);
        assert_refused_by_nvcc(site);
        assert_int_equal(first_message(site)->line, 2);
        assert_non_null(strstr(first_message(site)->message, "nothing"));
        assert_int_equal(site->built.build.message_count, 1);
    }
}

/* Clang reads no program that compiles, and none that the linker refuses. */
static void only_errors_of_a_front_end_are_read(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(build_text(site, "void other() {}\n"), ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_LINK_ERROR);
    assert_int_equal(count(site, "build-*/reading-*"), 0);
    assert_int_equal(count(site, "build-*/compiler-*"), 0);
}

/* An entry for nvcc's build, one for what clang says of it; for another clang another one. */
static void readings_are_kept(void **state)
{
    struct site *site = need(state);

    for (int i = 0; i < 3; i++) {
        if (i == 2) { /* as a new version of a part would */
            snprintf(site->toolchain.second.folder, sizeof site->toolchain.second.folder, "%s",
                     arena_printf(site->arena, "%s/.", site->toolchain.second.folder));
        }
        assert_int_equal(build_text(site, i == 0 ? broken_text : NULL), ERROR_NONE);
        assert_refused_by_nvcc(site);
        assert_first(site, "expected ';'", 4, 26);
        assert_int_equal(first_message(site)->fix_count, 1);
        assert_int_equal(count(site, arena_printf(site->arena, "build-%d/piece-0", i)), i == 0);
        assert_int_equal(count(site, arena_printf(site->arena, "build-%d/reading-*", i)), i != 1);
        assert_int_equal(count(site, "cache/programs/*"), i == 2 ? 3 : 2);
    }
}

/* Files are copied for other values; what is said is about the submission's own. */
static void copies_have_the_places_of_the_submission(void **state)
{
    static const struct rubric_override overrides[] = {{.name = "WIDTH"}};
    static const int64_t values[] = {4096};
    struct site *site = need(state);

    site->program.harness_count = 0;
    site->program.given_count = 0;
    site->program.overrides = overrides;
    site->program.override_count = 1;
    write_file(site, site->source_folder, "exercise.cu",
               "const int WIDTH = 8; int bad = absent_value;\n"
               "#define TWICE (2 * WIDTH)\n"
               "int main() { return TWICE }\n");
    for (int i = 0; i < 2; i++) { /* built, and kept */
        struct toolchain_job *job = NULL;
        const struct build_request request = {
            .rubric = &site->rubric,
            .source_folder = site->source_folder,
            .work_folder = make(site, arena_printf(site->arena, "own-%d", i)),
            .macro_values = values,
        };
        assert_int_equal(toolchain_start(&site->toolchain, &request, &job, &site->diagnostic),
                         ERROR_NONE);
        assert_int_equal(toolchain_finish(job, site->arena, &site->built, &site->diagnostic),
                         ERROR_NONE);
        assert_refused_by_nvcc(site);
        assert_first(site, "use of undeclared identifier 'absent_value'", 1, 32);
        assert_int_equal(site->built.build.message_count, 2);
        const struct tool_message *second = &site->built.build.messages[1];
        assert_non_null(strstr(second->message, "expected ';'"));
        assert_string_equal(second->file, "exercise.cu");
        assert_int_equal(second->line, 3);
        assert_int_equal(second->column, 26);
        assert_int_equal(second->fix_count, 1);
        assert_int_equal(count(site, arena_printf(site->arena, "own-%d/reading-*", i)), i == 0);
    }
}

/* In place of gpugrade-clang, a script. It makes empty headers when it is asked for precompiled
 * ones, then does what is to be tried. */
static void put_reader(struct site *site, const char *act)
{
    const char *folder = make(site, "readers");
    const char *name = arena_printf(site->arena, "reader-%d", site->builds);

    write_file(site, folder, name,
               arena_printf(site->arena,
                            "#!/bin/sh\n"
                            "for word in \"$@\"; do\n"
                            "    case $word in\n"
                            "    -precompiled=*) folder=${word#*=} ;;\n"
                            "    -precompile) : >\"$folder/device.pch\"; : >\"$folder/host.pch\"\n"
                            "        exit 0 ;;\n"
                            "    esac\n"
                            "done\n"
                            "%s\n",
                            act));
    snprintf(site->toolchain.second.program, sizeof site->toolchain.second.program, "%s/%s", folder,
             name);
    assert_int_equal(chmod(site->toolchain.second.program, 0755), 0);
}

static void a_reader_that_fails_changes_nothing(void **state)
{
    static const char said[] = "echo 'exercise.cu:5:1: error: what fails said' >&2";
    static const char *const acts[] = {
        "kill -SEGV $$", "kill -KILL $$",       "exit 2", "exit 139", "yes 'a: error' >&2",
        "yes",           "while :; do :; done",
    };
    struct site *site = need(state);

    site->rubric.limits.compile_wall_ns = 10 * CLOCK_NS_PER_S;
    put_reader(site, said);
    assert_int_equal(build_text(site, broken_text), ERROR_NONE);
    assert_first(site, "what fails said", 5, 1);
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        put_reader(site, arena_printf(site->arena, "%s\n%s", said, acts[i]));
        assert_int_equal(build_text(site, NULL), ERROR_NONE);
        assert_refused_by_nvcc(site);
        assert_first(site, "expected a \";\"", 5, 1);
        assert_int_equal(count(site, "cache/programs/*"), 2); /* that of nvcc, that of the first */
    }
    snprintf(site->toolchain.second.program, sizeof site->toolchain.second.program, "/nowhere");
    assert_int_equal(build_text(site, NULL), ERROR_NONE);
    assert_first(site, "expected a \";\"", 5, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_better_words_are_shown, set_up_both, tear_down),
        cmocka_unit_test_setup_teardown(nvcc_alone_has_its_own_words, set_up_both, tear_down),
        cmocka_unit_test_setup_teardown(what_only_clang_refuses_is_not_told, set_up_both,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_errors_of_a_front_end_are_read, set_up_both,
                                        tear_down),
        cmocka_unit_test_setup_teardown(readings_are_kept, set_up_both, tear_down),
        cmocka_unit_test_setup_teardown(copies_have_the_places_of_the_submission, set_up_both,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_reader_that_fails_changes_nothing, set_up_both,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
