/* test_build.c: real builds with nvcc, in the sandbox, and how they fail.
 *
 * The harness and the sources are small ones of this test. Without a CUDA toolkit everything here
 * is skipped visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char given_text[] = "void launch(float *p);\n";
static const char harness_text[] = "#include \"given.h\"\n"
                                   "#ifdef BROKEN\n"
                                   "this is no code\n"
                                   "#endif\n"
                                   "int main(void) { launch(nullptr); return VALUE; }\n";
static const char good_text[] = "#include \"given.h\"\n"
                                "__global__ void __launch_bounds__(128, 2) fill(float *p)\n"
                                "{\n"
                                "    __shared__ float tile[64];\n"
                                "    tile[threadIdx.x] = p[threadIdx.x];\n"
                                "    __syncthreads();\n"
                                "    p[threadIdx.x] = tile[63 - threadIdx.x];\n"
                                "}\n"
                                "void launch(float *p) { fill<<<1, 64>>>(p); }\n";

struct site {
    bool available;
    struct arena *arena;
    struct sandbox sandbox;
    struct toolchain toolchain;
    char *folder;
    const char *source_folder;
    struct rubric rubric;
    struct rubric_program program;
    struct define defines[2];
    struct built_program built;
    struct diagnostic diagnostic;
    int builds;
};

static const char *const sources[] = {"exercise.cu"};
static const char *const given[] = {"given.h"};
static const char *const harness[] = {"main.cu"};

static void write_file(struct site *site, const char *folder, const char *name, const char *text)
{
    const char *path = arena_printf(site->arena, "%s/%s", folder, name);

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static const char *make(struct site *site, const char *name)
{
    const char *path = arena_printf(site->arena, "%s/%s", site->folder, name);

    assert_int_equal(folder_make(path, 0755, NULL), ERROR_NONE);
    return path;
}

/* Finds the sandbox and the toolkit, whose own libcudart serves to link. */
static bool find_tools(struct site *site)
{
    struct toolchain *toolchain = &site->toolchain;

    if (sandbox_init(SANDBOX_AUTO, GPUGRADE_BINARY_DIR "/bin", &site->sandbox, &site->diagnostic) !=
            ERROR_NONE ||
        toolchain_init(&site->sandbox, "/nowhere", make(site, "cache"), toolchain,
                       &site->diagnostic) != ERROR_NONE) {
        print_message("skipped: %s\n", site->diagnostic.message);
        return false;
    }
    snprintf(toolchain->cudart_folder, sizeof toolchain->cudart_folder, "%.4000s/lib64",
             toolchain->cuda_folder);
    return true;
}

static int set_up(void **state)
{
    static struct site site;

    memset(&site, 0, sizeof site);
    site.arena = arena_new();
    assert_int_equal(folder_make_temporary(site.arena, &site.folder, NULL), ERROR_NONE);
    assert_int_equal(chmod(site.folder, 0711), 0);
    site.available = find_tools(&site);
    site.source_folder = make(&site, "source");
    site.defines[0] = (struct define){"VALUE", "0"};
    site.program = (struct rubric_program){
        .sources = sources,
        .source_count = 1,
        .given = given,
        .given_count = 1,
        .harness = harness,
        .harness_count = 1,
        .defines = site.defines,
        .define_count = 1,
    };
    site.rubric = (struct rubric){
        .reference_folder = make(&site, "coursework/reference/x"),
        .template_folder = make(&site, "template"),
        .programs = &site.program,
        .program_count = 1,
        .limits = {.compile_wall_ns = 60 * CLOCK_NS_PER_S,
                   .compile_memory_bytes = UINT64_C(2) << 30},
    };
    write_file(&site, site.rubric.reference_folder, "main.cu", harness_text);
    write_file(&site, site.rubric.template_folder, "given.h", given_text);
    write_file(&site, site.source_folder, "given.h", given_text);
    *state = &site;
    return 0;
}

static int tear_down(void **state)
{
    struct site *site = *state;

    assert_true(folder_remove(site->folder));
    arena_free(site->arena);
    return 0;
}

static struct site *need(void **state)
{
    struct site *site = *state;

    if (!site->available) {
        skip();
    }
    return site;
}

/* Builds a text as the student's source. */
static enum error build(struct site *site, const char *text)
{
    struct toolchain_job *job;
    char name[32];

    if (text != NULL) {
        write_file(site, site->source_folder, "exercise.cu", text);
    }
    snprintf(name, sizeof name, "build-%d", site->builds++);
    enum error error = toolchain_start(&site->toolchain, &site->rubric, 0, site->source_folder,
                                       make(site, name), &job, &site->diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    return toolchain_finish(job, site->arena, &site->built, &site->diagnostic);
}

static const struct tool_message *first_message(const struct site *site)
{
    assert_true(site->built.build.message_count > 0);
    return &site->built.build.messages[0];
}

static void good_source_is_built(void **state)
{
    struct site *site = need(state);
    const struct kernel_resources *kernels;
    size_t count;

    assert_int_equal(build(site, good_text), ERROR_NONE);
    assert_true(site->built.build.attempted && site->built.build.compiled);
    assert_true(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_NONE);
    assert_int_equal(access(site->built.executable, X_OK), 0);
    struct stat status;
    assert_int_equal(stat(site->built.executable, &status), 0);
    assert_int_equal(status.st_uid, geteuid());
    const struct fat_module *module = NULL;
    for (size_t i = 0; i < site->built.code.module_count; i++) {
        if (strstr(site->built.code.modules[i].text, "_Z4fillPf") != NULL) {
            module = &site->built.code.modules[i];
        }
    }
    assert_non_null(module);
    assert_int_equal(module->arch, 75);
    assert_int_equal(toolchain_resources(&site->toolchain, site->arena, module->text,
                                         module->length, 9, 0, site->folder, &kernels, &count,
                                         &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(count, 1);
    assert_string_equal(kernels[0].name, "_Z4fillPf");
    assert_string_equal(kernels[0].plain_name, "fill");
    assert_int_equal(kernels[0].static_shared_bytes, 256);
    assert_int_equal(kernels[0].max_threads, 128);
    assert_true(kernels[0].registers > 0 && kernels[0].registers < 64);
    assert_int_equal(toolchain_resources(&site->toolchain, site->arena, "nonsense", 8, 9, 0,
                                         site->folder, &kernels, &count, &site->diagnostic),
                     ERROR_FAILED);
    assert_true(site->diagnostic.message[0] != '\0');
}

static void compile_errors_name_the_line(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build(site, "#include \"given.h\"\nvoid launch(float *p) { q = p; }\n"),
                     ERROR_NONE);
    assert_true(site->built.build.attempted);
    assert_false(site->built.build.compiled);
    assert_null(site->built.executable);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
    assert_string_equal(first_message(site)->file, "exercise.cu");
    assert_int_equal(first_message(site)->line, 2);
    assert_int_equal(first_message(site)->column, 25);
    assert_string_equal(first_message(site)->message, "identifier \"q\" is undefined");
}

static void missing_function_is_a_link_error(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build(site, "void other() {}\n"), ERROR_NONE);
    assert_true(site->built.build.compiled);
    assert_false(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_LINK_ERROR);
    assert_string_equal(first_message(site)->message, "undefined reference to `launch(float*)'");
}

static void host_files_cannot_be_included(void **state)
{
    struct site *site = need(state);

    if (site->sandbox.tier != SANDBOX_A) {
        skip();
    }
    write_file(site, make(site, "secret"), "key.h", "#define KEY 1\n");
    const char *text =
        arena_printf(site->arena, "#include \"%s/secret/key.h\"\n%s", site->folder, good_text);
    assert_int_equal(build(site, text), ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
    assert_non_null(strstr(first_message(site)->message, "No such file"));
    assert_int_equal(build(site, "#include \"/etc/passwd\"\n"), ERROR_NONE);
    assert_non_null(strstr(first_message(site)->message, "No such file"));
}

static void sources_that_are_no_text_are_told(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build(site, NULL), ERROR_NONE);
    assert_false(site->built.build.attempted);
    assert_int_equal(site->built.build.failure, CODE_SOURCE_MISSING);
    assert_string_equal(site->built.build.failed_file, "exercise.cu");
    assert_int_equal(build(site, "\xff\xfe"), ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_SOURCE_NOT_TEXT);
}

static void endless_compiles_are_stopped(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build(site, good_text), ERROR_NONE); /* the harness is kept now */
    site->rubric.limits.compile_wall_ns = CLOCK_NS_PER_S;
    assert_int_equal(
        build(site, "template <int N> struct S { static constexpr int v = S<N - 1>::v + S<N - 2>::v"
                    " + N; };\n"
                    "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                    "template <long A, long B> struct T { static constexpr long v = T<A * 2, B - 1>"
                    "::v + T<A * 2 + 1, B - 1>::v; };\n"
                    "template <long A> struct T<A, 0> { static constexpr long v = A; };\n"
                    "long launch_value = T<1, 30>::v;\n"),
        ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_LIMIT);
    assert_int_equal(site->built.build.end.ending, ENDING_WALL_LIMIT);
    assert_true(site->built.build.message_count > 0);
}

static void broken_harness_is_the_coursework_s_fault(void **state)
{
    struct site *site = need(state);

    site->defines[1] = (struct define){"BROKEN", "1"};
    site->program.define_count = 2;
    assert_int_equal(build(site, good_text), ERROR_INTERNAL);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_string_equal(site->diagnostic.file, "main.cu");
    assert_int_equal(site->diagnostic.line, 3);
}

static int cached_objects(const struct site *site)
{
    char command[4400];
    int count = -1;

    snprintf(command, sizeof command, "ls %s | wc -l", site->toolchain.cache_folder);
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void harness_is_kept_until_something_changes(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 1);
    assert_int_equal(build(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(cached_objects(site), 1);
    assert_false(folder_exists(arena_printf(site->arena, "%s/build-1/harness", site->folder)));
    site->defines[0].value = "1";
    assert_int_equal(build(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 2);
    write_file(site, site->rubric.template_folder, "given.h", "void launch(float *p); // new\n");
    assert_int_equal(build(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_source_is_built, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compile_errors_name_the_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_function_is_a_link_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(host_files_cannot_be_included, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sources_that_are_no_text_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(endless_compiles_are_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_harness_is_the_coursework_s_fault, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(harness_is_kept_until_something_changes, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
