/* test_missing_symbol.c: what the linker misses lies in another source, in a library, or nowhere.
 */
#include "../criteria_fixture.h"

#include <stdio.h>

static struct fixture fixture;
static struct rubric_override width;
static struct source_file files[3];

static void set_files(const char *program, const char *name, const char *text)
{
    files[0] = (struct source_file){"multiply.cu", program, strlen(program)};
    files[1] = (struct source_file){name, text, strlen(text)};
    fixture.input.sources = files;
    fixture.input.source_count = 2;
}

/* A whole program that does not link. */
static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_COMPILE);
    width = (struct rubric_override){"WIDTH", toy_expression(&fixture, "width")};
    fixture.program.overrides = &width;
    fixture.program.override_count = 1;
    fixture.launch.has_first = true;
    fixture.launch.first_values[1] = 96;
    fixture.build.linked = false;
    fixture.build.failure = CODE_LINK_ERROR;
    fixture.build.message_count = 1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

/* The hint where the linker misses a symbol, told as it stands in the message. */
static const char *hint(const char *told, const char *symbol)
{
    static char message[128];

    (void)snprintf(message, sizeof message, "undefined reference to `%s'", told);
    fixture.messages[0] =
        (struct tool_message){.is_error = true, .file = "", .message = message, .symbol = symbol};
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.message, message);
    return fixture.verdict.cause.hint;
}

static void another_source_is_named(void **state)
{
    (void)state;
    set_files("void copyIn(const float *);\nint main() { copyIn(0); }\n", "kernels.cu",
              "void copyIn(const float *from) { (void)from; }\n");
    assert_string_equal(hint("copyIn(float const*)", "copyIn"),
                        "only multiply.cu is compiled, but kernels.cu defines it: write `#include "
                        "\"kernels.cu\"` in multiply.cu, or move it there");
    set_files("void copyIn(const float *);\nint main() { copyIn(0); }\n", "second.cu",
              "void copyIn(const float *from) { (void)from; }\nint main() { }\n");
    assert_string_equal(
        hint("copyIn(float const*)", "copyIn"),
        "only multiply.cu is compiled, but second.cu defines it: copy it to multiply.cu");
}

static void device_code_of_another_source_is_named(void **state)
{
    (void)state;
    set_files("extern __device__ float product(float);\n__global__ void k() { product(1); }\n",
              "kernels.cu", "__device__ float product(float x) { return x; }\n");
    fixture.messages[0] = (struct tool_message){.is_error = true,
                                                .file = "",
                                                .message = "Unresolved extern function 'product'",
                                                .symbol = "product"};
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "#include \"kernels.cu\""));
    fixture.input.source_count = 1;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "write its body in this file"));
}

static void what_nobody_declares_is_of_a_library(void **state)
{
    (void)state;
    set_files("#include <cublas_v2.h>\nint main() { cublasCreate(0); }\n", "notes.txt", "");
    assert_string_equal(hint("cublasCreate_v2", "cublasCreate_v2"),
                        "only the CUDA runtime is linked: remove what needs `cublasCreate_v2`");
    set_files("using namespace cv;\nint main() { cv::imread(0); }\n", "notes.txt", "");
    assert_non_null(strstr(hint("cv::imread(char const*)", "cv::imread"), "only the CUDA runtime"));
}

static void what_is_declared_must_be_defined(void **state)
{
    static const char words[] = "of its declaration: only multiply.cu is compiled";
    static const char *const sources[] = {
        "void copyIn(int);\nint main() { copyIn(0); }\n",
        "void copyIn(float x) { }\nvoid copyIn(int);\nint main() { copyIn(0); }\n",
        "#define copyIn copyAll\nint main() { copyIn(0); }\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        set_files(sources[i], "notes.txt", "copyIn is missing");
        assert_non_null(strstr(hint("copyIn(int)", "copyIn"), words));
    }
    set_files("class Matrix { public: Matrix(int); };\nint main() { Matrix m(3); }\n", "b.h", "");
    assert_non_null(strstr(hint("Matrix::Matrix(int)", "Matrix::Matrix"), words));
}

/* Beside a given main, what is missing is what the submission should define, unless its own code
 * uses what nobody declares. */
static void a_given_header_is_told_of(void **state)
{
    (void)state;
    fixture.program.override_count = 0;
    set_files("void launchIt(int) { }\n", "notes.txt", "");
    assert_non_null(strstr(hint("launchTiled(int)", "launchTiled"), "given header"));
    set_files("void launchIt(int) { omp_get_wtime(); }\n", "notes.txt", "");
    assert_non_null(strstr(hint("omp_get_wtime", "omp_get_wtime"), "only the CUDA runtime"));
    set_files("void launchIt(int) { cublasCreate(0); }\n", "notes.txt", "");
    assert_non_null(strstr(hint("cublasCreate_v2", "cublasCreate_v2"), "only the CUDA runtime"));
    set_files("int requiredSM(char) { return requiredSM(4); }\n", "notes.txt", "");
    assert_non_null(strstr(hint("requiredSM(int)", "requiredSM"), "given header"));
}

static void other_messages_keep_their_hints(void **state)
{
    (void)state;
    set_files("int main() { }\n", "notes.txt", "");
    fixture.messages[0] = (struct tool_message){
        .is_error = true, .file = "", .message = "relocation truncated to fit: R", .symbol = "d_A"};
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "global arrays"));
    assert_non_null(strstr(fixture.verdict.cause.hint, "it was built with WIDTH 96"));
}

/* A name of the exercise's header, in a file that includes it or not. */
static void a_header_is_named(void **state)
{
    static const char *const given[] = {"toy.h"};

    (void)state;
    fixture.program.given = given;
    fixture.program.given_count = 1;
    fixture.program.override_count = 0;
    fixture.build.failure = CODE_COMPILE_ERROR;
    fixture.messages[0] = (struct tool_message){
        .is_error = true, .file = "multiply.cu", .line = 1, .message = "unknown type name 'toy'"};
    set_files("void launch(toy shape);\n", "other.cu", "");
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.hint,
                        "write `#include \"toy.h\"` at the top of the file");
    set_files("#include \"toy.h\"\nvoid launch(toy shape);\n", "other.cu", "");
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.hint,
                        "fix the first error first: later ones often follow from it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_source_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(device_code_of_another_source_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_nobody_declares_is_of_a_library, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_declared_must_be_defined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_given_header_is_told_of, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_messages_keep_their_hints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_header_is_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
