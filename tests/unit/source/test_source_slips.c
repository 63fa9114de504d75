/* test_source_slips.c: code that compiles, and means something else than it looks like. */
#include "source/source_slips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void finds_private_arrays(void **state)
{
    static const struct {
        const char *body;
        const char *name; /* NULL: there is none */
    } rows[] = {
        {"float s[9]; s[threadIdx.x] = 1; __syncthreads();", "s"},
        {"int t = threadIdx.x; float s[9]; s[t] = 1; __syncthreads(); y = s[0];", "s"},
        {"for (;;) { unsigned char s[9][9]; for (int j = threadIdx.y; j < 9; j++) "
         "s[0][j] = 1; __syncthreads(); }",
         "s"},
        {"int t = threadIdx.x; unsigned int c[9]; c[t] = 0; atomicAdd(&c[v], 1);", "c"},
        {"__shared__ float s[9]; s[threadIdx.x] = 1; __syncthreads();", NULL},
        {"extern __shared__ float s[]; s[threadIdx.x] = 1; __syncthreads();", NULL},
        {"float s[9]; for (int k = 0; k < 9; k++) s[k] = a[threadIdx.x]; __syncthreads();", NULL},
        {"float s[9]; int k = 0, t = threadIdx.x; s[k] = t; __syncthreads();", NULL},
        {"float s[9]; s[threadIdx.x] = 1;", NULL}, /* no thread waits for another one */
        {"float s[9]; y[s[threadIdx.x]] = 1; __syncthreads();", NULL},
        {"y[threadIdx.x] = 1; __syncthreads();", NULL},
        {"float s[9", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = arena_printf(arena, "__global__ void f(float *y) { %s }", rows[i].body);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        struct source_functions functions;
        size_t name = 0;
        source_tokens_read(arena, &file, &tokens);
        source_functions_read(arena, &tokens, &functions);
        bool found =
            functions.count == 1 && find_private_array(&tokens, &functions.items[0], &name);
        if (found != (rows[i].name != NULL)) {
            fail_msg("%s", rows[i].body);
        }
        assert_true(!found || token_is(&tokens, name, TOKEN_NAME, rows[i].name));
        arena_free(arena);
    }
}

static void finds_lists(void **state)
{
    static const struct {
        const char *value;
        bool expected;
    } rows[] = {
        {"(16, 16)", true},      {"((n + 1) / 2, f(a, b))", true},
        {"dim3(16, 16)", false}, {"(n + 15) / 16", false},
        {"(f(a, b))", false},    {"(n + 15)", false},
        {"(1, 2) + 3", false},   {"n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const struct source_file file = {
            .name = "a.cu", .text = rows[i].value, .length = strlen(rows[i].value)};
        struct source_tokens tokens;
        source_tokens_read(arena, &file, &tokens);
        assert_int_equal(is_comma_value(&tokens, (struct token_range){0, tokens.count}),
                         rows[i].expected);
        arena_free(arena);
    }
}

static void finds_sets(void **state)
{
    static const struct {
        const char *arguments;
        const char *value; /* NULL: nothing is wrong */
    } rows[] = {
        {"d, INT_MIN, n * sizeof(int)", "INT_MIN"},
        {"d, -FLT_MAX, n * sizeof(float)", "-"},
        {"d, 1.0f, n * sizeof *d", "1.0f"},
        {"d, 1, n * sizeof(int)", "1"},
        {"&d[f(a, b)], 300, n * sizeof(int)", "300"},
        {"d, 0, n * sizeof(int)", NULL},
        {"d, 0.0f, n * sizeof(int)", NULL},
        {"d, -1, n * sizeof(int)", NULL},
        {"d, 0x7f, n * sizeof(int)", NULL},
        {"d, 255, n * sizeof(int)", NULL},
        {"d, 1, n", NULL},
        {"d, 1, n * sizeof(char)", NULL},
        {"d, value, n * sizeof(int)", NULL},
        {"d, 1", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = arena_printf(arena, "cudaMemset(%s);", rows[i].arguments);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        size_t value = 0;
        source_tokens_read(arena, &file, &tokens);
        if (sets_other_bytes(&tokens, 0, &value) != (rows[i].value != NULL)) {
            fail_msg("%s", rows[i].arguments);
        }
        if (rows[i].value != NULL) {
            assert_memory_equal(tokens.tokens[value].text, rows[i].value, strlen(rows[i].value));
        }
        arena_free(arena);
    }
}

static void finds_sets_of_nothing(void **state)
{
    static const struct {
        const char *arguments;
        bool expected;
    } rows[] = {
        {"d, n * sizeof(int), 0", true},
        {"&d[f(a, b)], sizeof *d, 0", true},
        {"d, n * sizeof(int), 0, s", true},
        {"d, 0, n * sizeof(int)", false},
        {"d, n, 0", false},
        {"d, n * sizeof(int), 0 + k", false},
        {"d, n * sizeof(int), 0u", false},
        {"d, n * sizeof(int)", false},
        {"d, sizeof(int), size", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = arena_printf(arena, "cudaMemsetAsync(%s);", rows[i].arguments);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        size_t size = 0;
        source_tokens_read(arena, &file, &tokens);
        if (sets_no_bytes(&tokens, 0, &size) != rows[i].expected) {
            fail_msg("%s", rows[i].arguments);
        }
        if (rows[i].expected) {
            assert_memory_equal(tokens.tokens[size].text, "0", 1);
        }
        arena_free(arena);
    }
}

static void finds_allocations(void **state)
{
    static const struct {
        const char *before, *value;
        bool expected;
    } rows[] = {
        {"", "n", true},
        {"", "(n + 255) / 256 + 1", true},
        {"int count = n / 2;", "count", true},
        {"size_t bytes = n;", "bytes", true},
        {"", "n * sizeof(float)", false},
        {"", "n * 4", false},
        {"", "8 * n", false},
        {"", "n << 2", false},
        {"size_t size = n * sizeof *d;", "size", false},
        {"size_t size = n; size = n * bytes_each;", "size", false},
        {"", "bytes", false},
        {"", "shape.size()", false},
        {"", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text =
            arena_printf(arena, "void f(int n) { %s cudaMalloc(&d, %s); cudaMemset(d, 0, n); }",
                         rows[i].before, rows[i].value);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        struct source_functions functions;
        size_t value = 0, found = 0;
        source_tokens_read(arena, &file, &tokens);
        source_functions_read(arena, &tokens, &functions);
        for (size_t at = 0; at < tokens.count; at++) {
            found += allocates_elements(&tokens, &functions.items[0], at, 4, &value);
            assert_false(allocates_elements(&tokens, &functions.items[0], at, 1, &value));
        }
        if (found != rows[i].expected) {
            fail_msg("%s", text);
        }
        arena_free(arena);
    }
}

static void finds_exchanged_arguments(void **state)
{
    static const struct {
        const char *parameters, *arguments;
        const char *given, *named; /* NULL: none are exchanged */
    } rows[] = {
        {"float *a, int width, int height", "a, height, width", "height", "width"},
        {"int width, const int height", "s.height, s->width", "height", "width"},
        {"int width, int height", "width, height", NULL, NULL},
        {"int width, int height", "height, rows", NULL, NULL},
        {"int width, int height", "height + 0, width", NULL, NULL},
        {"float *in, float *out", "out, in", NULL, NULL}, /* fields that change places */
        {"int width, int height", "height, width, 1", NULL, NULL},
        {"", "", NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text =
            arena_printf(arena, "f(%s) { } g(%s);", rows[i].parameters, rows[i].arguments);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        size_t given = 0, named = 0, call = 1;
        source_tokens_read(arena, &file, &tokens);
        while (!token_is(&tokens, call - 1, TOKEN_NAME, "g")) {
            call++;
        }
        bool found = exchanges_arguments(&tokens, call, &tokens, 1, &given, &named);
        if (found != (rows[i].given != NULL)) {
            fail_msg("%s", text);
        }
        assert_true(!found || token_is(&tokens, given, TOKEN_NAME, rows[i].given));
        assert_true(!found || token_is(&tokens, named, TOKEN_NAME, rows[i].named));
        arena_free(arena);
    }
}

static void finds_loops_to_a_maximum(void **state)
{
    static const struct {
        const char *body;
        const char *constant; /* NULL: there is none; the line is the second */
    } rows[] = {
        {"for (int i = 0; i <= 2 * RADIUS_MAX; i++)\n s += t[i];\n", "RADIUS_MAX"},
        {"for (int k = 0; k < n; k++) { while (i < MAX_RADIUS)\n s += t[i]; }\n", "MAX_RADIUS"},
        {"for (int i = 0; i < RADIUS_MAX; i++) { }\n s += t[0];\n", NULL}, /* another loop */
        {"for (int i = 0; i <= 2 * radius; i++)\n s += t[i + RADIUS_MAX];\n", NULL},
        {"for (int i = 0; i <= WIDTH_MAX; i++)\n s += t[i];\n", NULL},
        {"\n s += t[0];\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text =
            arena_printf(arena, "__global__ void f(float *y, int radius) { %s }", rows[i].body);
        const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
        struct source_tokens tokens;
        struct source_functions functions;
        size_t constant = 0, named = 0;
        source_tokens_read(arena, &file, &tokens);
        source_functions_read(arena, &tokens, &functions);
        if (loops_to_maximum(&tokens, &functions.items[0], 2, &constant, &named) !=
            (rows[i].constant != NULL)) {
            fail_msg("%s", text);
        }
        assert_true(rows[i].constant == NULL ||
                    (token_is(&tokens, constant, TOKEN_NAME, rows[i].constant) &&
                     token_is(&tokens, named, TOKEN_NAME, "radius")));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_private_arrays),
        cmocka_unit_test(finds_lists),
        cmocka_unit_test(finds_sets),
        cmocka_unit_test(finds_sets_of_nothing),
        cmocka_unit_test(finds_allocations),
        cmocka_unit_test(finds_exchanged_arguments),
        cmocka_unit_test(finds_loops_to_a_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
