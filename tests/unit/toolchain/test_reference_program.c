/* test_reference_program.c: the reference solution's program is built once and kept, with nvcc and
 * in the sandbox, and so is the template's. Without a CUDA toolkit everything here is skipped
 * visibly. */
#include "build_fixture.h"

#include <glob.h>
#include <pthread.h>

/* Each call has a work folder of its own, as each submission has. */
static enum error reference(struct site *site)
{
    char name[32];

    snprintf(name, sizeof name, "work-%d", site->builds++);
    const struct build_request request = {.rubric = &site->rubric, .work_folder = make(site, name)};
    return toolchain_reference(&site->toolchain, &request, site->arena, &site->built,
                               &site->diagnostic);
}

static const char *solution_folder(struct site *site, const char *name)
{
    const char *folder =
        arena_printf(site->arena, "%s/solution%s", site->rubric.reference_folder, name);

    assert_int_equal(folder_make(folder, 0755, NULL), ERROR_NONE);
    return folder;
}

static void write_solution(struct site *site, const char *text)
{
    write_file(site, solution_folder(site, ""), "exercise.cu", text);
}

/* Nothing starts in a sandbox without its helper, so only what is kept can be had. */
static enum error reference_without_compilers(struct site *site)
{
    struct sandbox sandbox = site->sandbox;

    snprintf(site->sandbox.jail_path, sizeof site->sandbox.jail_path, "/nowhere/gpugrade-jail");
    enum error error = reference(site);
    site->sandbox = sandbox;
    return error;
}

static bool has_kernel(const struct built_program *built, const char *name)
{
    for (size_t i = 0; i < built->code.module_count; i++) {
        if (strstr(built->code.modules[i].text, name) != NULL) {
            return true;
        }
    }
    return false;
}

/* The program is there, for everybody to execute, and told as a good build. */
static void check_built(struct site *site, const char *kernel)
{
    const struct program_build *build = &site->built.build;
    struct stat status;

    assert_string_equal(site->built.executable,
                        arena_printf(site->arena, "%s/work-%d/reference-0/program", site->folder,
                                     site->builds - 1));
    assert_int_equal(stat(site->built.executable, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0755);
    assert_int_equal(status.st_uid, geteuid());
    assert_true(build->attempted && build->compiled && build->linked);
    assert_int_equal(build->failure, CODE_NONE);
    assert_int_equal(build->message_count, 0);
    assert_string_equal(build->failed_file, "");
    assert_true(has_kernel(&site->built, kernel));
}

static void read_bytes(struct site *site, const char *path, char **out_bytes, size_t *out_length)
{
    assert_int_equal(
        file_read(site->arena, path, 64 << 20, BLAME_NONE, out_bytes, out_length, NULL),
        ERROR_NONE);
}

/* The only kept program of the cache. */
static const char *kept_path(struct site *site)
{
    glob_t found;

    assert_int_equal(glob(arena_printf(site->arena, "%s/program-*", site->toolchain.cache_folder),
                          0, NULL, &found),
                     0);
    assert_int_equal(found.gl_pathc, 1);
    const char *path = arena_strdup(site->arena, found.gl_pathv[0]);
    globfree(&found);
    return path;
}

static void second_call_starts_no_compiler(void **state)
{
    struct site *site = need(state);
    char *first;
    char *second;
    size_t first_length;
    size_t second_length;

    write_solution(site, good_text);
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    assert_int_equal(reference(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
    read_bytes(site, site->built.executable, &first, &first_length);
    assert_int_equal(reference_without_compilers(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
    read_bytes(site, site->built.executable, &second, &second_length);
    assert_int_equal(first_length, second_length);
    assert_memory_equal(first, second, first_length);
}

/* Everything that decides the program makes another one, and the old one is not taken for it. */
static void what_changes_is_built_again(void **state)
{
    struct site *site = need(state);
    char folder[sizeof site->toolchain.cudart_folder];

    write_solution(site, good_text);
    assert_int_equal(reference(site), ERROR_NONE);
    site->defines[0].value = "1";
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    site->defines[0].value = "0";
    site->rubric.arithmetic = ARITHMETIC_NO_FMAD;
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    site->rubric.arithmetic = ARITHMETIC_EPSILON;
    write_file(site, site->rubric.reference_folder, "main.cu", "int main(void) { return 1; }\n");
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    write_file(site, site->rubric.reference_folder, "main.cu", harness_text);
    write_file(site, site->rubric.template_folder, "given.h", "void launch(float *p); // new\n");
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    write_file(site, site->rubric.template_folder, "given.h", given_text);
    memcpy(folder, site->toolchain.cudart_folder, sizeof folder);
    snprintf(site->toolchain.cudart_folder, sizeof folder, "%s", make(site, "runtime"));
    write_file(site, site->toolchain.cudart_folder, CUDART_SONAME, "another runtime");
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    memcpy(site->toolchain.cudart_folder, folder, sizeof folder);
    assert_int_equal(reference_without_compilers(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
    write_file(site, solution_folder(site, "/parts"), "own.h",
               "__global__ void other(float *p) { *p = 1.0f; }\n");
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
    write_solution(site, "#include \"given.h\"\n"
                         "#include \"parts/own.h\"\n"
                         "void launch(float *p) { other<<<1, 1>>>(p); }\n");
    assert_int_equal(reference(site), ERROR_NONE);
    check_built(site, "_Z5otherPf");
    assert_false(has_kernel(&site->built, "_Z4fillPf"));
}

static void spoil(struct site *site, const char *bytes, size_t length)
{
    assert_int_equal(file_write_atomic(kept_path(site), bytes, length, NULL), ERROR_NONE);
    assert_int_equal(reference_without_compilers(site), ERROR_ENVIRONMENT);
}

static void damaged_file_is_built_again(void **state)
{
    struct site *site = need(state);
    char *kept;
    size_t length;

    write_solution(site, good_text);
    assert_int_equal(reference(site), ERROR_NONE);
    read_bytes(site, kept_path(site), &kept, &length);
    spoil(site, "", 0);
    spoil(site, "no program", 10);
    spoil(site, kept, length - 1);
    spoil(site, kept, length / 2);
    kept[length / 3] ^= 1;
    spoil(site, kept, length);
    assert_int_equal(reference(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
    assert_int_equal(reference_without_compilers(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
}

static void broken_solution_is_the_coursework_s_fault(void **state)
{
    struct site *site = need(state);

    assert_int_equal(reference(site), ERROR_COURSEWORK);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_non_null(strstr(site->diagnostic.message, "/x/solution: No such file or directory"));
    write_file(site, solution_folder(site, ""), "note.txt", "no source\n");
    assert_int_equal(reference(site), ERROR_COURSEWORK);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_string_equal(site->diagnostic.message,
                        "the reference solution does not build: its file exercise.cu is missing or "
                        "not text");
    write_solution(site, "#include \"given.h\"\nvoid launch(float *p) { q = p; }\n");
    assert_int_equal(reference(site), ERROR_COURSEWORK);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_string_equal(site->diagnostic.file, "exercise.cu");
    assert_int_equal(site->diagnostic.line, 2);
    assert_string_equal(site->diagnostic.message,
                        "the reference solution does not build: identifier \"q\" is undefined");
    assert_null(site->built.executable);
}

/* The same for the template, in a folder of its own. */
static void template_is_built_as_the_solution_is(void **state)
{
    struct site *site = need(state);
    struct toolchain *toolchain = &site->toolchain;
    const char *work_folder = make(site, "template-work");

    struct build_request request = {.rubric = &site->rubric, .work_folder = work_folder};
    assert_int_equal(
        toolchain_template(toolchain, &request, site->arena, &site->built, &site->diagnostic),
        ERROR_COURSEWORK);
    assert_string_equal(site->diagnostic.message,
                        "the template does not build: its file exercise.cu is missing or not text");
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    write_file(site, site->rubric.template_folder, "exercise.cu", good_text);
    work_folder = make(site, "template-work-2");
    request.work_folder = work_folder;
    assert_int_equal(
        toolchain_template(toolchain, &request, site->arena, &site->built, &site->diagnostic),
        ERROR_NONE);
    assert_string_equal(site->built.executable,
                        arena_printf(site->arena, "%s/template-0/program", work_folder));
    assert_true(has_kernel(&site->built, "_Z4fillPf"));
}

struct grader {
    struct site *site;
    struct arena *arena;
    const char *work_folder;
    struct built_program built;
    enum error error;
};

static void *run_grader(void *context)
{
    struct grader *grader = context;

    const struct build_request request = {.rubric = &grader->site->rubric,
                                          .work_folder = grader->work_folder};

    grader->error = toolchain_reference(&grader->site->toolchain, &request, grader->arena,
                                        &grader->built, NULL);
    return NULL;
}

static void two_graders_share_a_cache(void **state)
{
    struct site *site = need(state);
    struct grader graders[2];
    pthread_t threads[2];

    write_solution(site, good_text);
    for (int i = 0; i < 2; i++) {
        graders[i] = (struct grader){
            .site = site,
            .arena = arena_new(),
            .work_folder = make(site, i == 0 ? "left" : "right"),
        };
        assert_int_equal(pthread_create(&threads[i], NULL, run_grader, &graders[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(graders[i].error, ERROR_NONE);
        assert_int_equal(access(graders[i].built.executable, X_OK), 0);
        assert_true(has_kernel(&graders[i].built, "_Z4fillPf"));
        arena_free(graders[i].arena);
    }
    assert_int_equal(reference_without_compilers(site), ERROR_NONE);
    check_built(site, "_Z4fillPf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(second_call_starts_no_compiler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_changes_is_built_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_file_is_built_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_solution_is_the_coursework_s_fault, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(template_is_built_as_the_solution_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_graders_share_a_cache, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
