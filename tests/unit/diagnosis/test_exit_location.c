/* test_exit_location.c: threads that never come to a barrier are told at the `return`, and only
 * where nothing else can be how they left. */
#include "diagnosis/location/exit_location.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The line of the first `text` in a source. */
static int line_of(const char *source, const char *text)
{
    const char *found = strstr(source, text);
    int line = 1;

    assert_non_null(found);
    for (const char *at = source; at < found; at++) {
        line += *at == '\n' ? 1 : 0;
    }
    return line;
}

/* Threads exit at the brace in the first column and miss the first barrier: this is told where
 * `text` stands; NULL: where it was seen. */
static void expect(const char *source, const char *text)
{
    struct arena *arena = arena_new();
    const struct source_file file = {"a.cu", source, strlen(source)};
    int end = line_of(source, "\n}") + 1;
    const struct finding finding = {
        .code = CODE_BARRIER_INCOMPLETE,
        .message = "",
        .places = {{.role = "barrier", .file = "a.cu", .line = line_of(source, "__syncthreads")},
                   {.role = "here", .file = "a.cu", .line = end, .column = 1}},
        .place_count = 2,
    };
    struct report report = {
        .sources = &file, .source_count = 1, .findings = &finding, .finding_count = 1};

    locate_exits(arena, source_index_new(arena, report.sources, report.source_count), &report);
    const struct place *told = &report.findings[0].places[1];
    assert_int_equal(report.finding_count, 1);
    assert_int_equal(report.findings[0].places[0].line, finding.places[0].line);
    assert_int_equal(told->line, text == NULL ? end : line_of(source, text));
    if (text != NULL) {
        const char *found = strstr(source, text);
        const char *start = found;
        while (start > source && start[-1] != '\n') {
            start--;
        }
        assert_int_equal(told->column, (int)(found - start) + 1);
    }
    arena_free(arena);
}

static void the_only_return_is_told(void **state)
{
    (void)state;
    expect("#define EDGE 16\n"
           "__global__ void k(int n)\n{\n    if (threadIdx.x % EDGE < 3 && n > 2) {\n"
           "        return;\n    }\n    for (int i = 0; i < EDGE; i += EDGE) {\n"
           "        __syncthreads();\n    }\n}\n",
           "if (threadIdx");
    expect(
        "__global__ void k(int n)\n{\n    if (n > 2)\n        return;\n    __syncthreads();\n}\n",
        "if (n");
    expect("__global__ void k(int n)\n{\n    if (n > 2) return;\n    __syncthreads();\n}\n",
           "if (n");
    expect("__global__ void k(int n)\n{\n    if (n > 2) {\n        n++; /* return */\n"
           "        return;\n    }\n    __syncthreads();\n}\n",
           "return;");
    expect("__global__ void k(int n)\n{\n    if (n < 2) {\n        n++;\n    } else {\n"
           "        return;\n    }\n    __syncthreads();\n}\n",
           "return;");
}

static void nothing_is_guessed(void **state)
{
    static const char *const sources[] = {
        /* none, two, behind the barrier */
        "__global__ void k(int n)\n{\n    __syncthreads();\n}\n",
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n    if (n > 1) { return; }\n"
        "    __syncthreads();\n}\n",
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n    __syncthreads();\n"
        "    if (n > 1) { return; }\n}\n",
        "__global__ void k(int n)\n{\n    __syncthreads();\n    return;\n}\n",
        /* a barrier that not all come to */
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n    if (threadIdx.x < 3) {\n"
        "        __syncthreads();\n    }\n}\n",
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n"
        "    for (int i = threadIdx.x; i < n; i++) {\n        __syncthreads();\n    }\n}\n",
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n"
        "    for (int i = 0; i < 9; i++) {\n        if (i > n) { break; }\n"
        "        __syncthreads();\n    }\n}\n",
        /* a macro or a lambda that may hide one, a helper, braces that do not match */
        "#define LEAVE(x) if (x) return\n__global__ void k(int n)\n{\n    LEAVE(n > 3);\n"
        "    if (n > 2) { return; }\n    __syncthreads();\n}\n",
        "#define LEAVE if (n > 5) return\n__global__ void k(int n)\n{\n    LEAVE;\n"
        "    if (n > 2) { return; }\n    __syncthreads();\n}\n",
        "__global__ void k(int n)\n{\n    auto f = [](int i) { return i; };\n    n = f(n);\n"
        "    __syncthreads();\n}\n",
        "__device__ void k(int n)\n{\n    if (n > 2) { return; }\n    __syncthreads();\n}\n",
        "__global__ void k(int n)\n{\n    if (n > 2) { return; \n    __syncthreads();\n}\n",
    };
    (void)state;

    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        expect(sources[i], NULL);
    }
}

static void other_findings_stay(void **state)
{
    static const char source[] =
        "__global__ void k(int n)\n{\n    if (n > 2) { return; }\n    __syncthreads();\n}\n";
    struct arena *arena = arena_new();
    const struct source_file file = {"a.cu", source, sizeof source - 1};
    struct finding findings[] = {
        {.code = CODE_DEVICE_ASSERT,
         .places = {{.role = "barrier", .file = "a.cu", .line = 4},
                    {.role = "here", .file = "a.cu", .line = 5}},
         .place_count = 2},
        {.code = CODE_BARRIER_INCOMPLETE,
         .places = {{.role = "barrier", .file = "b.cu", .line = 4},
                    {.role = "here", .file = "b.cu", .line = 5}},
         .place_count = 2},
        {.code = CODE_BARRIER_INCOMPLETE,
         .places = {{.role = "barrier", .file = "", .line = 0},
                    {.role = "here", .file = "a.cu", .line = 5}},
         .place_count = 2},
    };
    struct report report = {
        .sources = &file, .source_count = 1, .findings = findings, .finding_count = 3};
    (void)state;

    locate_exits(arena, source_index_new(arena, report.sources, report.source_count), &report);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(report.findings[i].places[1].line, 5);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_return_is_told),
        cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(other_findings_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
