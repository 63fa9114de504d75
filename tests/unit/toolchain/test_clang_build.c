/* test_clang_build.c: which compiler is taken, and real builds with clang, in the sandbox. Without
 * clang the builds are skipped visibly. */
#include "build_fixture.h"

#include "toolchain/program_cache.h"

#include <glob.h>

static int set_up_clang(void **state)
{
    return set_up_compiler(state, COMPILER_CLANG);
}

/* Which compiler is taken ************************************************************************/

/* Finds a compiler by a PATH of one folder. */
static enum error find(struct site *site, enum compiler_kind kind, const char *helper_folder,
                       const char *path, struct toolchain *out_toolchain)
{
    const struct toolchain_setup setup = {
        .sandbox = &site->sandbox,
        .compiler = kind,
        .helper_folder = helper_folder,
        .header_folder = GPUGRADE_SOURCE_DIR "/grader/cuda_headers",
        .library_folder = "/nowhere",
        .cache_folder = arena_printf(site->arena, "%s/cache", site->folder),
    };
    const char *own = arena_strdup(site->arena, getenv("PATH"));

    assert_int_equal(setenv("PATH", path, 1), 0);
    enum error error = toolchain_init(&setup, out_toolchain, &site->diagnostic);
    assert_int_equal(setenv("PATH", own, 1), 0);
    return error;
}

/* Puts a clang into a folder that has a version and no other ability. */
static void put_clang(struct site *site, const char *folder, const char *name, const char *version)
{
    write_file(site, folder, name,
               arena_printf(site->arena, "#!/bin/sh\n[ \"$*\" = -dumpversion ] && %s\n", version));
    assert_int_equal(chmod(arena_printf(site->arena, "%s/%s", folder, name), 0755), 0);
}

static void the_newest_clang_is_taken(void **state)
{
    static const char helpers[] = GPUGRADE_BINARY_DIR "/bin";
    struct site *site = *state;
    struct toolchain found;
    const char *folder = make(site, "clangs");

    assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_ENVIRONMENT);
    assert_int_equal(site->diagnostic.blame, BLAME_ENVIRONMENT);
    assert_non_null(strstr(site->diagnostic.message, "no clang++ found on PATH"));
    put_clang(site, folder, "clang++", "echo 13.0.1");
    assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_ENVIRONMENT);
    /* Another length: files of one length that are written at once may have one time, too. */
    put_clang(site, folder, "clang++", "echo  14.0.6");
    assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_NONE);
    assert_int_equal(found.compiler.kind, COMPILER_CLANG);
    assert_string_equal(found.compiler.name, "clang 14.0.6");
    assert_string_equal(found.compiler.clang, arena_printf(site->arena, "%s/clang++", folder));
    assert_string_equal(found.compiler.program, GPUGRADE_BINARY_DIR "/bin/gpugrade-clang");
    assert_string_equal(found.compiler.folder, GPUGRADE_SOURCE_DIR "/grader/cuda_headers");
    put_clang(site, folder, "clang++-15", "echo 15.0.7");
    put_clang(site, folder, "clang++-19", "echo 19.1.7");
    put_clang(site, folder, "clang++-20", "{ echo 20.1.0; exit 1; }");
    assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_NONE);
    assert_string_equal(found.compiler.name, "clang 19.1.7");
    assert_string_equal(found.compiler.clang, arena_printf(site->arena, "%s/clang++-19", folder));
    /* A relative folder could be the submission. */
    assert_int_equal(find(site, COMPILER_CLANG, helpers, ".:clangs::", &found), ERROR_ENVIRONMENT);
    assert_int_equal(find(site, COMPILER_CLANG, "/nowhere", folder, &found), ERROR_ENVIRONMENT);
    assert_non_null(strstr(site->diagnostic.message, "/nowhere/gpugrade-clang"));
}

/* A clang that counts its starts in a file beside it. */
static void versions_are_asked_once(void **state)
{
    static const char helpers[] = GPUGRADE_BINARY_DIR "/bin";
    struct site *site = *state;
    struct toolchain found;
    const char *folder = make(site, "counted");
    const char *starts = arena_printf(site->arena, "%s/starts", folder);
    const char *counting = arena_printf(site->arena, "echo >>%s && echo 19.1.7", starts);
    char *bytes;
    size_t length;

    put_clang(site, folder, "clang++-19", counting);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_NONE);
        assert_string_equal(found.compiler.name, "clang 19.1.7");
    }
    assert_int_equal(file_read(site->arena, starts, 100, BLAME_NONE, &bytes, &length, NULL),
                     ERROR_NONE);
    assert_int_equal(length, 1);
    /* What only leads to a clang may lead to another one next time. */
    put_clang(site, folder, "finder", counting);
    assert_int_equal(unlink(arena_printf(site->arena, "%s/clang++-19", folder)), 0);
    assert_int_equal(symlink("finder", arena_printf(site->arena, "%s/clang++-19", folder)), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(find(site, COMPILER_CLANG, helpers, folder, &found), ERROR_NONE);
    }
    assert_int_equal(file_read(site->arena, starts, 100, BLAME_NONE, &bytes, &length, NULL),
                     ERROR_NONE);
    assert_int_equal(length, 3);
}

static void a_toolkit_is_preferred(void **state)
{
    struct site *site = *state;
    struct toolchain found;
    const char *folder = make(site, "clangs");
    enum error nvcc = find(site, COMPILER_NVCC, "/nowhere", folder, &found);

    put_clang(site, folder, "clang++", "echo 19.1.7");
    assert_int_equal(find(site, COMPILER_AUTO, GPUGRADE_BINARY_DIR "/bin", folder, &found),
                     ERROR_NONE);
    assert_int_equal(found.compiler.kind, nvcc == ERROR_NONE ? COMPILER_NVCC : COMPILER_CLANG);
    assert_string_equal(found.compiler.clang,
                        nvcc == ERROR_NONE ? "" : arena_printf(site->arena, "%s/clang++", folder));
    assert_int_equal(strncmp(found.compiler.name, "nvcc ", 5) == 0, nvcc == ERROR_NONE);
}

/* Builds *****************************************************************************************/

static enum error assemble(struct site *site, const struct fat_module *module,
                           struct assembled_module *out_module)
{
    return toolchain_assemble(&site->toolchain, site->arena, module->text, module->length, 9, 0,
                              site->folder, out_module, &site->diagnostic);
}

/* The module of the student's source. */
static const struct fat_module *own_module(const struct site *site, const char *kernel)
{
    for (size_t i = 0; i < site->built.code.module_count; i++) {
        const struct fat_module *module = &site->built.code.modules[i];
        if (strstr(module->text, kernel) != NULL) {
            assert_false(site->built.is_given[i]);
            return module;
        }
    }
    fail_msg("no module has %s", kernel);
    return NULL;
}

/* Some instruction comes from this line of the source. */
static void assert_line(const struct site *site, const struct fat_module *module, int line)
{
    const char *name = strstr(module->text, "/exercise.cu\"");
    unsigned file = 0;

    assert_non_null(name);
    const char *directive = name;
    while (directive > module->text && directive[-1] != '\n') {
        directive--;
    }
    assert_int_equal(sscanf(directive, " .file %u", &file), 1);
    assert_non_null(strstr(module->text, arena_printf(site->arena, "\t.loc\t%u %d ", file, line)));
}

static void good_source_is_built(void **state)
{
    struct site *site = need(state);
    struct assembled_module assembled;

    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.attempted && site->built.build.compiled);
    assert_true(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_NONE);
    assert_int_equal(site->built.build.message_count, 0);
    assert_int_equal(access(site->built.executable, X_OK), 0);
    const struct fat_module *module = own_module(site, "_Z4fillPf");
    assert_int_equal(module->arch, 75);
    assert_non_null(strstr(module->text, ".target sm_75"));
    assert_non_null(strstr(module->text, "bar.sync"));
    assert_line(site, module, 5);
    assert_line(site, module, 6);
    assert_line(site, module, 7);
    assert_int_equal(assemble(site, module, &assembled), ERROR_NONE);
    assert_int_equal(assembled.kernel_count, 1);
    assert_null(assembled.image);
    const struct kernel_resources *kernel = &assembled.kernels[0];
    assert_string_equal(kernel->name, "_Z4fillPf");
    assert_string_equal(kernel->plain_name, "fill");
    assert_int_equal(kernel->static_shared_bytes, 256);
    assert_int_equal(kernel->max_threads, 128);
    assert_true(kernel->registers_least > 0);
    assert_in_range(kernel->registers, kernel->registers_least, kernel->registers_most);
    assert_in_range(kernel->registers_most, kernel->registers_least, 64);
}

/* clang gives no fat binary to what has no kernel, and no registration: the rest is a program. */
static void what_has_no_kernel_is_built(void **state)
{
    static const char *const pair[] = {"exercise.cu", "other.cu"};
    static const char *const texts[] = {
        "void launch(float *) {}\n",
        "void launch(float *) { int count = 0; cudaGetDeviceCount(&count); }\n",
        "template <int N> __global__ void fill(float *p) { *p = N; }\nvoid launch(float *) {}\n",
        "static __global__ void fill(float *p) { *p = 1; }\nvoid launch(float *) {}\n",
    };
    struct site *site = need(state);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(build_text(site, texts[i]), ERROR_NONE);
        assert_true(site->built.build.linked);
        assert_int_equal(site->built.code.module_count, 0);
        assert_int_equal(build_text(site, NULL), ERROR_NONE); /* as it was kept */
        assert_true(site->built.build.linked);
    }
    write_file(site, site->source_folder, "other.cu", good_text);
    write_file(site, site->source_folder, "exercise.cu", "int unused;\n");
    site->program.sources = pair;
    site->program.source_count = 2;
    assert_int_equal(build_text(site, NULL), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(site->built.code.module_count, 1);
    assert_non_null(own_module(site, "_Z4fillPf"));
}

/* The device's front end says what is wrong with a kernel, the host's what with the rest. */
static void compile_errors_name_their_place(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *said;
    } rows[] = {
        {"#include \"given.h\"\nvoid launch(float *p) { q = p; }\n", 2, 25,
         "use of undeclared identifier 'q'"},
        {"__global__ void k(int *p)\n{\n    int i = 0\n    p[i] = 1;\n}\n"
         "void launch(float *p) {}\n",
         3, 14, "expected ';'"},
        {"__global__ void k() { notThere(); }\nvoid launch(float *p) {}\n", 1, 23,
         "use of undeclared identifier 'notThere'"},
        {"#include \"nothing.cuh\"\n", 1, 10, "'nothing.cuh' file not found"},
    };
    struct site *site = need(state);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(build_text(site, rows[i].text), ERROR_NONE);
        assert_true(site->built.build.attempted);
        assert_false(site->built.build.compiled);
        assert_null(site->built.executable);
        assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
        const struct tool_message *message = first_message(site);
        if (strstr(message->message, rows[i].said) == NULL || message->line != rows[i].line ||
            message->column != rows[i].column) {
            fail_msg("%zu: %d:%d: %s", i, message->line, message->column, message->message);
        }
        assert_string_equal(message->file, "exercise.cu");
    }
}

static void missing_function_is_a_link_error(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, "void other() {}\n"), ERROR_NONE);
    assert_true(site->built.build.compiled);
    assert_false(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_LINK_ERROR);
    assert_string_equal(first_message(site)->message, "undefined reference to `launch(float*)'");
}

static void too_much_shared_memory_is_refused(void **state)
{
    struct site *site = need(state);
    struct assembled_module assembled;

    for (int floats = 12288; floats <= 12289; floats++) {
        bool fits = floats == 12288;
        const char *text = arena_printf(site->arena,
                                        "#include \"given.h\"\n"
                                        "__global__ void fill(float *p)\n"
                                        "{\n"
                                        "    __shared__ float tile[%d];\n"
                                        "    tile[threadIdx.x] = p[threadIdx.x];\n"
                                        "    __syncthreads();\n"
                                        "    p[threadIdx.x] = tile[%d - threadIdx.x];\n"
                                        "}\n"
                                        "void launch(float *p) { fill<<<1, 64>>>(p); }\n",
                                        floats, floats - 1);
        assert_int_equal(build_text(site, text), ERROR_NONE);
        assert_true(site->built.build.linked);
        assert_int_equal(assemble(site, own_module(site, "_Z4fillPf"), &assembled),
                         fits ? ERROR_NONE : ERROR_FAILED);
    }
    assert_int_equal(site->diagnostic.blame, BLAME_STUDENT);
    assert_non_null(strstr(site->diagnostic.message, "too much shared data (0xc004 bytes"));
}

static void a_limit_of_registers_holds(void **state)
{
    static const char *const flags[] = {"-maxrregcount=40"};
    struct site *site = need(state);
    struct assembled_module assembled;

    for (int i = 0; i < 2; i++) {
        site->program.flags = flags;
        site->program.flag_count = (size_t)i;
        assert_int_equal(build_text(site, hungry_text()), ERROR_NONE);
        assert_true(site->built.build.linked);
        assert_int_equal(assemble(site, own_module(site, "_Z4fillPf"), &assembled), ERROR_NONE);
        assert_in_range(assembled.kernels[0].registers_most, i == 0 ? 41 : 40, i == 0 ? 255 : 40);
    }
}

/* What is kept *********************************************************************************/

/* How many files have names like this, below the site's folder. */
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

static void a_second_build_starts_no_compiler(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(count(site, "build-0/compiler-*"), 1);
    assert_int_equal(build_text(site, NULL), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_non_null(own_module(site, "_Z4fillPf"));
    assert_int_equal(count(site, "build-1/compiler-*"), 0);
    assert_int_equal(count(site, "cache/programs/*"), 1);
    assert_int_equal(build_text(site, "void other() {}\n"), ERROR_NONE);
    assert_int_equal(count(site, "build-2/compiler-*"), 1);
    assert_int_equal(count(site, "cache/programs/*"), 2);
}

/* One file for each side, and the object of the harness. */
static void headers_are_precompiled_once(void **state)
{
    struct site *site = need(state);

    site->toolchain.builds_anew = true;
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_int_equal(count(site, "cache/object-*"), 3);
    assert_int_equal(count(site, "build-0/compiler-*/made"), 1);
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(count(site, "cache/object-*"), 3);
    assert_int_equal(count(site, "build-1/compiler-*"), 1);
    assert_int_equal(count(site, "build-1/compiler-*/made"), 0);
    assert_int_equal(count(site, "build-1/compiler-*/device.pch"), 1);
    assert_int_equal(count(site, "build-1/compiler-*/host.pch"), 1);
    /* A macro of a program changes nothing in headers, but one that they ask for does. */
    site->defines[0] = (struct define){"VALUE", "17"};
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(count(site, "build-2/compiler-*/made"), 0);
    site->defines[1] = (struct define){"NDEBUG", "1"};
    site->program.define_count = 2;
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(count(site, "build-3/compiler-*/made"), 1);
}

static void a_compiler_that_is_too_slow_is_told(void **state)
{
    struct site *site = need(state);

    site->rubric.limits.compile_wall_ns = CLOCK_NS_PER_S / 1000;
    assert_int_equal(build_text(site, good_text), ERROR_ENVIRONMENT);
    assert_non_null(
        strstr(site->diagnostic.message, "cannot precompile gpugrade's headers within 0.001 s"));
}

static const char *key_of(struct site *site)
{
    struct source_tree tree;
    char *key = arena_alloc(site->arena, 65);

    assert_int_equal(source_tree_read(site->arena, site->source_folder, &site->program, &tree,
                                      &site->diagnostic),
                     ERROR_NONE);
    assert_true(
        program_cache_key(&site->toolchain, &site->rubric, &site->program, &tree, NULL, key));
    return key;
}

/* Programs of one compiler are never taken for those of another one, or of other headers. */
static void keys_know_the_compiler(void **state)
{
    struct site *site = need(state);
    struct compiler *compiler = &site->toolchain.compiler;
    const char *headers = make(site, "headers");
    const char *keys[6];
    size_t key_count = 0;

    write_file(site, site->source_folder, "exercise.cu", good_text);
    keys[key_count++] = key_of(site);
    assert_string_equal(keys[0], key_of(site));
    snprintf(compiler->name, sizeof compiler->name, "clang 99.0.0");
    keys[key_count++] = key_of(site);
    snprintf(compiler->clang, sizeof compiler->clang, "/bin/sh");
    keys[key_count++] = key_of(site);
    snprintf(compiler->folder, sizeof compiler->folder, "%s", headers);
    keys[key_count++] = key_of(site);
    write_file(site, make(site, "headers/deep"), "one.h", "\n");
    keys[key_count++] = key_of(site);
    write_file(site, headers, "deep/one.h", "int one;\n");
    keys[key_count++] = key_of(site);
    for (size_t i = 0; i < key_count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(keys[i], keys[j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_newest_clang_is_taken, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(versions_are_asked_once, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(a_toolkit_is_preferred, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(good_source_is_built, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(what_has_no_kernel_is_built, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(compile_errors_name_their_place, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(missing_function_is_a_link_error, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(too_much_shared_memory_is_refused, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(a_limit_of_registers_holds, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(a_second_build_starts_no_compiler, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(headers_are_precompiled_once, set_up_clang, tear_down),
        cmocka_unit_test_setup_teardown(a_compiler_that_is_too_slow_is_told, set_up_clang,
                                        tear_down),
        cmocka_unit_test_setup_teardown(keys_know_the_compiler, set_up_clang, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
