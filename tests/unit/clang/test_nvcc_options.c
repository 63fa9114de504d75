/* test_nvcc_options.c: command lines of nvcc's, and the plans for clang that they become. */
#include "clang/nvcc_options.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARGUMENTS_MAX = 32 };

static struct arena *arena;
static struct diagnostic diagnostic;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    diagnostic = (struct diagnostic){.message = ""};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* Reads arguments that stand in one string with blanks between them. */
static enum error read_line(const char *line, struct compile_plan *out_plan)
{
    char *arguments[ARGUMENTS_MAX];
    int count = 0;
    char *rest = NULL;

    for (char *word = strtok_r(arena_strdup(arena, line), " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < ARGUMENTS_MAX);
        arguments[count++] = word;
    }
    return nvcc_options_read(arena, count, arguments, out_plan, &diagnostic);
}

/* The plan of options that are added to a call that is good. */
static struct compile_plan plan_of(const char *options)
{
    struct compile_plan plan;
    const char *line =
        arena_printf(arena, "-clang=/bin/clang++ -headers=/h -o x.o x.cu %s", options);

    if (read_line(line, &plan) != ERROR_NONE) {
        fail_msg("%s: %s", options, diagnostic.message);
    }
    return plan;
}

/* Compares a list with its words, between which blanks stand. */
static void assert_words(const struct arguments *arguments, const char *expected)
{
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < arguments->count; i++) {
        text_printf(&text, "%s%s", i > 0 ? " " : "", arguments->items[i]);
    }
    assert_string_equal(text.length > 0 ? text.bytes : "", expected);
    if (arguments->count > 0) {
        assert_null(arguments->items[arguments->count]);
    }
    text_release(&text);
}

static void the_usual_is_assumed(void **state)
{
    (void)state;
    struct compile_plan plan = plan_of("");

    assert_string_equal(plan.clang, "/bin/clang++");
    assert_string_equal(plan.headers, "/h");
    assert_string_equal(plan.output, "x.o");
    assert_string_equal(plan.standard, "gnu++17");
    assert_words(&plan.inputs, "x.cu");
    assert_int_equal(plan.architecture, 75);
    assert_true(plan.contracts);
    assert_false(plan.compiles_only || plan.precompiles);
    assert_null(plan.runtime);
    assert_null(plan.precompiled);
    assert_words(&plan.both, "");
    assert_words(&plan.host, "");
    assert_words(&plan.back_end, "");
    assert_words(&plan.link, "");
}

static void options_go_to_their_passes(void **state)
{
    static const struct {
        const char *options;
        const char *both, *host, *link;
    } rows[] = {
        {"-DN=4 -D M -UX --Iinclude -I more", "-DN=4 -DM -UX -Iinclude -Imore", "", ""},
        {"-isystem a -isystem=b --include c.h", "-isystem a -isystem b -include c.h", "", ""},
        {"-w -Wall -fno-exceptions", "-w -Wall -fno-exceptions", "", ""},
        {"-g -O2 --O 3", "", "-g -O2 -O3", ""},
        {"-Lfolder -l m -lcurand", "", "", "-Lfolder -lm -lcurand"},
        {"-Xcompiler -Wall,-fPIC --compiler-options=-pg", "", "-Wall -fPIC -pg", "-Wall -fPIC -pg"},
        {"-Xcompiler=", "", "", ""},
        {"-Xlinker -rpath,/x", "", "", "-Wl,-rpath,/x"},
        {"-G -x cu --Xptxas=-v -lineinfo -no-compress -cudart shared -ccbin g++ -code=sm_75", "",
         "", ""},
        {"-expt-relaxed-constexpr --extended-lambda -diag-suppress 177 -m64 -t 4 --threads=2", "",
         "", ""},
        {"-default-stream per-thread", "-fgpu-default-stream=per-thread", "", ""},
        {"-default-stream=legacy", "", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compile_plan plan = plan_of(rows[i].options);
        assert_words(&plan.both, rows[i].both);
        assert_words(&plan.host, rows[i].host);
        assert_words(&plan.link, rows[i].link);
        assert_words(&plan.inputs, "x.cu");
        assert_int_equal(plan.architecture, 75);
    }
}

/* -lineinfo is no library, -code no -c, -dc no -D, -std no other option's value. */
static void the_longest_name_wins(void **state)
{
    (void)state;
    struct compile_plan plan = plan_of("-lineinfo -line");

    assert_words(&plan.link, "-line");
    assert_false(plan_of("-code sm_75").compiles_only);
    assert_false(plan_of("-compiler-options -c").compiles_only);
    assert_true(plan_of("-c").compiles_only);
    assert_true(plan_of("--compile").compiles_only);
    assert_false(plan_of("-fmad=false").contracts);
    plan = plan_of("-fmadness");
    assert_words(&plan.both, "-fmadness");
    assert_string_equal(plan_of("-output-file=y").output, "y");
    assert_string_equal(plan_of("--std c++20").standard, "c++20");
    assert_string_equal(plan_of("-precompiled=/p").precompiled, "/p");
    assert_false(plan_of("-precompiled /p").precompiles);
    assert_true(plan_of("-precompiled=/p -precompile").precompiles);
    assert_string_equal(plan_of("-runtime=/r.so").runtime, "/r.so");
    assert_true(plan_of("-fsyntax-only").only_reads);
    assert_false(plan_of("-fsyntax").only_reads);
    assert_int_equal(plan_of("-maxrregcount 32").registers, 32);
    assert_int_equal(plan_of("--maxrregcount=255").registers, 255);
    assert_int_equal(plan_of("-maxrregcount=256").registers, 0);
}

static void the_first_architecture_counts(void **state)
{
    static const struct {
        const char *options;
        unsigned architecture;
    } rows[] = {
        {"-arch=sm_80", 80},
        {"-arch native", 75},
        {"--gpu-architecture=all-major -arch=sm_86", 86},
        {"-gencode arch=compute_90,code=sm_90", 90},
        {"-gencode=arch=compute_75,code=compute_75 -gencode arch=compute_80,code=compute_80", 75},
        {"--generate-code=arch=compute_86,code=sm_86 -arch=sm_70", 86},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(plan_of(rows[i].options).architecture, rows[i].architecture);
    }
}

static void arithmetic_is_as_nvcc_s(void **state)
{
    static const struct {
        const char *options;
        const char *both, *back_end;
        bool contracts;
    } rows[] = {
        {"-fmad=false", "", "", false},
        {"--fmad false", "", "", false},
        {"-fmad=false -fmad=true", "", "", true},
        {"-fmad=false -ftz=false", "", "", false},
        {"-ftz=true", "-fgpu-flush-denormals-to-zero", "", true},
        {"-ftz=false -prec-div=true -prec-sqrt=true", "", "", true},
        {"-prec-div=false", "", "-mllvm -nvptx-prec-divf32=1", true},
        {"-prec-sqrt=false", "-DGPUGRADE_APPROXIMATE_ROOT", "", true},
        {"-use_fast_math",
         "-fgpu-flush-denormals-to-zero -DGPUGRADE_APPROXIMATE_ROOT "
         "-fcuda-approx-transcendentals -D__USE_FAST_MATH__",
         "-mllvm -nvptx-prec-divf32=1", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compile_plan plan = plan_of(rows[i].options);
        assert_words(&plan.both, rows[i].both);
        assert_words(&plan.back_end, rows[i].back_end);
        assert_int_equal(plan.contracts, rows[i].contracts);
        assert_words(&plan.host, "");
    }
}

static void what_clang_cannot_do_is_refused(void **state)
{
    static const struct {
        const char *line;
        const char *said;
    } rows[] = {
        {"-clang=c -headers=h x.cu -o x -nosuch", "-nosuch: clang has no counterpart"},
        {"-clang=c -headers=h x.cu -o x --nosuch=1", "--nosuch=1: clang has no counterpart"},
        {"-clang=c -headers=h x.cu -o x -lineinfo=1 -wrong", "-wrong: clang has no counterpart"},
        {"-clang=c -headers=h x.cu -o x -dc", "-dc: clang has no counterpart"},
        {"-clang=c -headers=h x.cu -o x -rdc=true", "-rdc=true: device code cannot be compiled"},
        {"-clang=c -headers=h x.cu -o x -relocatable-device-code true", "put it into one file"},
        {"-clang=c -headers=h x.cu -o x -arch=fast", "'fast' is no architecture"},
        {"-clang=c -headers=h x.cu -o x -arch=sm_x", "'sm_x' is no architecture"},
        {"-clang=c -headers=h x.cu -o x -x c++", "-x: every source is compiled as CUDA C++"},
        {"-clang=c -headers=h x.cu -o x -x=c", "-x=c: every source is compiled as CUDA C++"},
        {"-clang=c -headers=h x.cu -o x -maxrregcount=many", "takes a number of registers"},
        {"-clang=c -headers=h x.cu -o x -maxrregcount 32x", "takes a number of registers"},
        {"-clang=c -headers=h x.cu -o x -maxrregcount -32", "takes a number of registers"},
        {"-clang=c -headers=h x.cu -o", "-o: a value must follow"},
        {"-clang=c -headers=h x.cu -o x -D", "-D: a value must follow"},
        {"-clang=c -headers=h x.cu -o x --std", "--std: a value must follow"},
        {"-headers=h x.cu -o x", "-clang and -headers are missing"},
        {"-clang=c x.cu -o x", "-clang and -headers are missing"},
        {"-clang=c -headers=h -o x", "no source is named"},
        {"-clang=c -headers=h x.cu", "-o: the output has no name"},
        {"-clang=c -headers=h -c x.cu y.cu -o x", "-c: takes one source"},
        {"-clang=c -headers=h -precompile", "-precompile: -precompiled says where"},
        {"", "-clang and -headers are missing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compile_plan plan;
        assert_int_equal(read_line(rows[i].line, &plan), ERROR_UNSUPPORTED);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
        if (strstr(diagnostic.message, rows[i].said) == NULL) {
            fail_msg("%s: %s", rows[i].line, diagnostic.message);
        }
    }
}

static void several_sources_are_linked(void **state)
{
    (void)state;
    struct compile_plan plan = plan_of("y.cu z.o -rdc=false -");

    assert_words(&plan.inputs, "x.cu y.cu z.o -");
    assert_false(plan.compiles_only);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_usual_is_assumed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_go_to_their_passes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_longest_name_wins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_architecture_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arithmetic_is_as_nvcc_s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_clang_cannot_do_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_sources_are_linked, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
