/* test_unreached_store.c: the store that no thread gets to, and the condition around it. */
#include "../criteria_fixture.h"
#include "criteria/results/unreached_store.h"

#define CALLER "void call(float *A, float *C, int n)\n{\n    fill<<<1, 32>>>(A, B, n, C);\n}\n"
#define HEAD "__global__ void fill(const float *a, float *d, int n, float *c)\n{\n"

static struct fixture fixture;
static struct source_file file = {.name = "multiply.cu"};
static struct line_count line;
static const struct kernel_counts kernel = {.plain_name = "fill"};

static bool is_found(const char *text, struct cause *out_cause)
{
    file.text = text;
    file.length = strlen(text);
    fixture.input.index = NULL;
    return find_unreached_store(&fixture.input, fixture.arena, &fixture.launch, OPERAND_C,
                                out_cause);
}

/* A call that writes nothing to C. */
static void set_up(void)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.call = "call";
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        for (size_t j = 0; j < PROBE_COUNT; j++) {
            fixture.samples[i][j].kernels = &kernel;
            fixture.samples[i][j].kernel_count = 1;
        }
    }
}

static void test_sources(void **state)
{
    static const struct {
        const char *what, *text;
        int line;            /* 0: nothing is certain */
        const char *message; /* how it goes on after the line */
    } rows[] = {
        {"a condition", HEAD "    if (i == n) {\n        *c = 1;\n    }\n}\n" CALLER, 4,
         ", as `i == n` in line 3 is never true"},
        {"without braces", HEAD "    if (i == n)\n        c[i] += 1;\n}\n" CALLER, 4,
         ", as `i == n` in line 3 is never true"},
        {"a bit that is set", HEAD "    if (i == n)\n        c[i] |= 1;\n}\n" CALLER, 4,
         ", as `i == n` in line 3 is never true"},
        {"no condition", HEAD "    *c = 1;\n}\n" CALLER, 3, ""},
        {"the other branch",
         HEAD "    if (i < n) {\n        i = 1;\n    } else {\n        *c = 1;\n"
              "    }\n}\n" CALLER,
         6, ""},
        {"what may leave before it",
         HEAD "    if (n) {\n        if (i) return;\n        *c = 1;\n"
              "    }\n}\n" CALLER,
         5, ""},
        {"a loop in between",
         HEAD "    if (n) {\n        while (i < n) {\n            *c = 1;\n"
              "        }\n    }\n}\n" CALLER,
         5, ""},
        {"two stores", HEAD "    *c = 1;\n    *c = 2;\n}\n" CALLER, 0, NULL},
        {"it is loaded", HEAD "    x = *c;\n}\n" CALLER, 0, NULL},
        {"it is handed on", HEAD "    store(c, 1);\n}\n" CALLER, 0, NULL},
        {"a product", HEAD "    x = a * c[1];\n}\n" CALLER, 0, NULL},
        {"another kernel", "__global__ void clear(int n, float *c)\n{\n    *c = 1;\n}\n" CALLER, 0,
         NULL},
        {"a caller with other names",
         HEAD "    *c = 1;\n}\nvoid call(float *A, float *B, int n)\n"
              "{\n    fill<<<1, 32>>>(A, B, n, C);\n}\n",
         0, NULL},
        {"it is handed on twice",
         HEAD "    *c = 1;\n}\nvoid call(float *A, float *C, int n)\n"
              "{\n    fill<<<1, 32>>>(A, C, n, C);\n}\n",
         0, NULL},
        {"an argument with a template",
         HEAD "    *c = 1;\n}\nvoid call(float *A, float *C, int n)\n"
              "{\n    fill<<<1, 32>>>(f<1, 2>(A), C);\n}\n",
         0, NULL},
        {"never closed", HEAD "    if (n) {\n *c = 1;\n" CALLER, 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_NONE};
        print_message("%s\n", rows[i].what);
        set_up();
        assert_int_equal(is_found(rows[i].text, &cause), rows[i].line > 0);
        assert_int_equal(cause.line, rows[i].line);
        if (rows[i].line > 0) {
            assert_string_equal(cause.message,
                                arena_printf(fixture.arena,
                                             "`call` never writes to C: no thread reaches the "
                                             "store in line %d%s",
                                             rows[i].line, rows[i].message));
            assert_int_equal(cause.code, CODE_NOT_WRITTEN);
            assert_string_equal(cause.file, "multiply.cu");
        }
        fixture_free(&fixture);
    }
}

/* A store that was counted there goes somewhere else. */
static void test_counts_have_the_last_word(void **state)
{
    static const char text[] = HEAD "    *c =\n        1;\n}\n" CALLER;
    struct sample *sample = &fixture.samples[TOY_SHAPES - 1][0];
    struct cause cause;

    (void)state;
    set_up();
    line = (struct line_count){.file = "multiply.cu", .line = 4, .access = COUNT_WRITE};
    sample->counts.lines = &line;
    sample->counts.line_count = 1;
    assert_false(is_found(text, &cause));
    line.access = COUNT_READ;
    assert_true(is_found(text, &cause));
    line.access = COUNT_ATOMIC;
    line.line = 5;
    assert_true(is_found(text, &cause));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_counts_have_the_last_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
