/* test_whole_program.c: programs with a main of their own, built anew with other sizes, by nvcc in
 * the sandbox, and those that were written for older toolkits. Without a CUDA toolkit all of this
 * is skipped visibly. */
#include "build_fixture.h"

#include "toolchain/code_index.h"

static const struct rubric_override overrides[] = {{.name = "A_WIDTH"}, {.name = "BLOCK_SIZE"}};

static struct site *need_program(void **state)
{
    struct site *site = need(state);

    site->program.harness_count = 0;
    site->program.given_count = 0;
    site->program.overrides = overrides;
    site->program.override_count = 2;
    return site;
}

static const char *folder_of_build(struct site *site)
{
    char name[32];

    snprintf(name, sizeof name, "build-%d", site->builds++);
    return make(site, name);
}

/* Builds the submission; macros have values unless `values` is NULL. */
static void build(struct site *site, const int64_t *values)
{
    struct toolchain_job *job = NULL;
    const struct build_request request = {
        .rubric = &site->rubric,
        .source_folder = site->source_folder,
        .work_folder = folder_of_build(site),
        .macro_values = values,
    };

    assert_int_equal(toolchain_start(&site->toolchain, &request, &job, &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(toolchain_finish(job, site->arena, &site->built, &site->diagnostic),
                     ERROR_NONE);
}

static bool code_holds(const struct built_program *built, const char *word)
{
    for (size_t i = 0; i < built->code.module_count; i++) {
        if (strstr(built->code.modules[i].text, word) != NULL) {
            return true;
        }
    }
    return false;
}

/* Sizes in a header in a folder and in the source; the PTX shows the values that count. */
static void sizes_are_those_of_the_request(void **state)
{
    static const int64_t values[][2] = {{96, 8}, {4000, 16}};
    struct site *site = need_program(state);

    make(site, "source/include");
    write_file(site, site->source_folder, "include/sizes.h",
               "#pragma once\n#define A_WIDTH 1024 // columns of A\n");
    write_file(site, site->source_folder, "exercise.cu",
               "#include \"include/sizes.h\"\n"
               "const int BLOCK_SIZE = 32;\n"
               "__device__ float d_A[A_WIDTH];\n"
               "__global__ void fill() {\n"
               "    __shared__ float tile[BLOCK_SIZE][BLOCK_SIZE];\n"
               "    tile[threadIdx.x][threadIdx.y] = d_A[threadIdx.x];\n"
               "    __syncthreads();\n"
               "    d_A[threadIdx.x] = tile[threadIdx.y][threadIdx.x];\n"
               "}\n"
               "int main() { fill<< < 1, dim3(BLOCK_SIZE, BLOCK_SIZE) >> >(); }\n");
    build(site, NULL);
    assert_true(site->built.build.linked);
    assert_true(code_holds(&site->built, "d_A[4096]"));
    assert_null(site->built.source_folder);
    for (size_t i = 0; i < 2; i++) {
        struct code_index index;
        char variable[32];
        build(site, values[i]);
        assert_true(site->built.build.linked);
        assert_int_equal(site->built.build.message_count, 0);
        assert_int_equal(site->built.build.missing_macro_count, 0);
        snprintf(variable, sizeof variable, "d_A[%d]", (int)values[i][0] * 4);
        assert_true(code_holds(&site->built, variable));
        snprintf(variable, sizeof variable, "tile[%d]", (int)(4 * values[i][1] * values[i][1]));
        assert_true(code_holds(&site->built, variable));
        /* Places are those of the submission's own files. */
        assert_int_equal(code_index_read(site->arena, &site->built.code, site->built.source_folder,
                                         &index, &site->diagnostic),
                         ERROR_NONE);
        bool is_named = false;
        for (size_t k = 0; k < index.module_count; k++) {
            for (size_t j = 0; j < index.modules[k].file_count; j++) {
                is_named |= strcmp(index.modules[k].files[j], "exercise.cu") == 0;
            }
        }
        assert_true(is_named);
    }
    /* The submission itself is as it was. */
    char *text = NULL;
    size_t length = 0;
    assert_int_equal(file_read(site->arena,
                               arena_printf(site->arena, "%s/include/sizes.h", site->source_folder),
                               100, BLAME_STUDENT, &text, &length, NULL),
                     ERROR_NONE);
    assert_string_equal(text, "#pragma once\n#define A_WIDTH 1024 // columns of A\n");
}

static const char *missing(const struct site *site)
{
    const struct program_build *build = &site->built.build;

    return build->missing_macro_count == 0   ? ""
           : build->missing_macro_count == 1 ? build->missing_macros[0]
                                             : "more";
}

/* What an old version or another exercise defines has no effect, and does not count. */
static void macros_without_effect_are_told(void **state)
{
    static const int64_t values[] = {96, 8};
    struct site *site = need_program(state);

    write_file(site, site->source_folder, "old.cu", "#define BLOCK_SIZE 16\n");
    write_file(site, site->source_folder, "sizes.h", "#define A_WIDTH 4\n");
    write_file(site, site->source_folder, "exercise.cu",
               "#include \"sizes.h\"\n#define BLOCK 16\nint main() { return A_WIDTH - BLOCK; }\n");
    build(site, values);
    assert_true(site->built.build.linked);
    assert_string_equal(missing(site), "BLOCK_SIZE");
    assert_int_equal(site->built.build.missing_places[0].line, 0);
    /* Once from the compiler and once from the cache. */
    write_file(site, site->source_folder, "sizes.h",
               "#define A_WIDTH 4\nstruct s { int x, y; }; s BLOCK_SIZE = {1, 2};\n");
    for (int round = 0; round < 2; round++) {
        build(site, values);
        assert_true(site->built.build.linked);
        assert_string_equal(missing(site), "BLOCK_SIZE");
        assert_string_equal(site->built.build.missing_places[0].file, "sizes.h");
        assert_int_equal(site->built.build.missing_places[0].line, 2);
    }
    /* A local of the same name in another file is not what sizes the program. */
    write_file(site, site->source_folder, "sizes.h",
               "#define A_WIDTH 4\n"
               "static void test() { const int BLOCK_SIZE = 2; static_assert(BLOCK_SIZE == 2); }\n"
               "static void call() { test(); }\n");
    write_file(site, site->source_folder, "exercise.cu",
               "#include \"sizes.h\"\nconst int BLOCK_SIZE = 16;\n"
               "static_assert(BLOCK_SIZE == 8);\nint main() { call(); }\n");
    build(site, values);
    assert_true(site->built.build.linked);
    assert_string_equal(missing(site), "");
    write_file(site, site->source_folder, "sizes.h", "#include \"old.cu\"\n#define A_WIDTH 4\n");
    build(site, values);
    assert_string_equal(missing(site), "");
    write_file(site, site->source_folder, "exercise.cu",
               "#define NAME <sizes.h>\n#if 0\n#include NAME\n#endif\nint main() {}\n");
    build(site, values);
    assert_string_equal(missing(site), "");
    write_file(site, site->source_folder, "exercise.cu", "int main() {}\n");
    build(site, values);
    assert_string_equal(missing(site), "more");
}

/* A header in Latin-1, which compilers read, and a size that most of the program calls by another
 * name. */
static void other_headers_and_names_count(void **state)
{
    static const int64_t values[] = {96, 8};
    struct site *site = need_program(state);

    write_file(site, site->source_folder, "sizes.h",
               "// Gr\xf6\xdf"
               "en\n#define A_WIDTH 1024 // \xb5\n#include \"tile.h\"\n");
    write_file(site, site->source_folder, "tile.h", "#define TILE 16\n");
    write_file(site, site->source_folder, "exercise.cu",
               "#include \"sizes.h\"\n#define BLOCK_SIZE TILE\n"
               "__device__ float d_A[A_WIDTH], d_B[TILE];\n"
               "__global__ void fill() { d_A[0] = d_B[0]; }\n"
               "int main() { fill<<<1, BLOCK_SIZE>>>(); }\n");
    build(site, values);
    assert_true(site->built.build.linked);
    assert_string_equal(missing(site), "");
    assert_true(code_holds(&site->built, "d_A[384]"));
    assert_true(code_holds(&site->built, "d_B[32]"));
}

/* Lines are always right, columns where they can be told. */
static void messages_are_about_the_submission(void **state)
{
    static const int64_t values[] = {100000, 8};
    struct site *site = need_program(state);
    const struct program_build *build_of = &site->built.build;

    write_file(site, site->source_folder, "exercise.cu",
               "int main() { const int A_WIDTH = 4, BLOCK_SIZE = 16; int b = nothing; }\n"
               "int f() {\n"
               "    return wrong;\n"
               "}\n");
    build(site, values);
    assert_int_equal(build_of->failure, CODE_COMPILE_ERROR);
    assert_int_equal(build_of->message_count, 2);
    assert_string_equal(build_of->messages[0].file, "exercise.cu");
    assert_int_equal(build_of->messages[0].line, 1);
    assert_int_equal(build_of->messages[0].column, 62);
    assert_int_equal(build_of->messages[1].line, 3);
    assert_int_equal(build_of->messages[1].column, 12);
    /* A size that only this case has: the line is the one with the mistake. */
    write_file(site, site->source_folder, "exercise.cu",
               "#define A_WIDTH 4\n"
               "#define BLOCK_SIZE 16\n"
               "static_assert(A_WIDTH < 1000, \"too wide\");\n"
               "int main() {}\n");
    build(site, NULL);
    assert_true(build_of->linked);
    build(site, values);
    assert_int_equal(build_of->failure, CODE_COMPILE_ERROR);
    assert_int_equal(build_of->messages[0].line, 3);
    assert_non_null(strstr(build_of->messages[0].message, "too wide"));
}

/* A program in the form of older course texts; also one that helps itself. */
static void older_programs_build(void **state)
{
    static const char older[] =
        "#include <stdio.h>\n"
        "#include \"device_launch_parameters.h\"\n"
        "#define A_WIDTH 16\n"
        "enum { BLOCK_SIZE = 16 };\n"
        "__global__ void nothing() {}\n"
        "static void show(const cudaDeviceProp *p) { printf(\"%d\\n\", p->clockRate); }\n"
        "int main() {\n"
        "    struct cudaDeviceProp a; cudaDeviceProp b = {}; cudaDeviceProp c = {0};\n"
        "    cudaDeviceProp *all = new cudaDeviceProp[2];\n"
        "    cudaGetDeviceProperties(&a, 0); cudaGetDeviceProperties(all + 1, 0);\n"
        "    show(&a); show(&b); show(&c); show(all);\n"
        "    int device = a.memoryClockRate + a.deviceOverlap + a.kernelExecTimeoutEnabled;\n"
        "    if (a.computeMode != cudaComputeModeProhibited) { cudaChooseDevice(&device, &a); }\n"
        "    float *m; cudaMallocManaged(&m, 64); cudaMemPrefetchAsync(m, 64, device);\n"
        "    cudaMemPrefetchAsync(m, 64, cudaCpuDeviceId, 0);\n"
        "    cudaMemAdvise(m, 64, cudaMemAdviseSetReadMostly, device);\n"
        "    nothing<<<1, 1>>>(); cudaThreadSynchronize(); cudaThreadExit();\n"
        "}\n";
    static const char own[] =
        "#define A_WIDTH 16\n#define BLOCK_SIZE 16\n#define cudaThreadExit cudaDeviceReset\n"
        "static cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }\n"
        "int main() { cudaThreadSynchronize(); cudaThreadExit(); }\n";
    struct site *site = need_program(state);
    const struct program_build *build_of = &site->built.build;

    write_file(site, site->source_folder, "exercise.cu", older);
    site->program.is_compatible = true;
    build(site, NULL);
    assert_true(build_of->linked);
    assert_int_equal(build_of->message_count, 0);
    write_file(site, site->source_folder, "exercise.cu", own);
    build(site, NULL);
    assert_true(build_of->linked);
    assert_int_equal(build_of->message_count, 0);
    write_file(site, site->source_folder, "exercise.cu",
               "int main() { cudaDeviceProp p; return p.warpsize; }\n");
    build(site, NULL);
    assert_int_equal(build_of->messages[0].line, 1);
    assert_string_equal(build_of->messages[0].message,
                        "class \"cudaDeviceProp\" has no member \"warpsize\"");
}

/* Each request of the reference solution has a folder and a place in the cache of its own. */
static void references_have_sizes_too(void **state)
{
    static const int64_t values[][2] = {{96, 8}, {128, 16}};
    struct site *site = need_program(state);
    struct built_program built[2];
    const char *solution = arena_printf(site->arena, "%s/solution", site->rubric.reference_folder);

    assert_int_equal(folder_make(solution, 0755, NULL), ERROR_NONE);
    write_file(site, solution, "exercise.cu",
               "#define A_WIDTH 1\n#define BLOCK_SIZE 1\n__device__ float d_A[A_WIDTH];\n"
               "__global__ void fill() { d_A[0] = BLOCK_SIZE; }\n"
               "int main() { fill<<<1, 1>>>(); }\n");
    for (int round = 0; round < 2; round++) {
        const char *work_folder = folder_of_build(site);
        for (size_t i = 0; i < 2; i++) {
            const struct build_request request = {
                .rubric = &site->rubric, .work_folder = work_folder, .macro_values = values[i]};
            char variable[32];
            assert_int_equal(toolchain_reference(&site->toolchain, &request, site->arena, &built[i],
                                                 &site->diagnostic),
                             ERROR_NONE);
            snprintf(variable, sizeof variable, "d_A[%d]", (int)values[i][0] * 4);
            assert_true(code_holds(&built[i], variable));
        }
        assert_string_not_equal(built[0].executable, built[1].executable);
    }
    write_file(site, solution, "exercise.cu", "#define A_WIDTH 1\nint main() {}\n");
    const struct build_request request = {
        .rubric = &site->rubric, .work_folder = folder_of_build(site), .macro_values = values[0]};
    assert_int_equal(
        toolchain_reference(&site->toolchain, &request, site->arena, &built[0], &site->diagnostic),
        ERROR_COURSEWORK);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_non_null(strstr(site->diagnostic.message, "BLOCK_SIZE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sizes_are_those_of_the_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(macros_without_effect_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_headers_and_names_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages_are_about_the_submission, set_up, tear_down),
        cmocka_unit_test_setup_teardown(older_programs_build, set_up, tear_down),
        cmocka_unit_test_setup_teardown(references_have_sizes_too, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
