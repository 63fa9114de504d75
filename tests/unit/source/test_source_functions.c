/* test_source_functions.c: which launches stand in device code. */
#include "source/source_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The line of the first launch in device code; 0 if there is none. */
static int launch_line(const char *text)
{
    struct arena *arena = arena_new();
    const struct source_file file = {.name = "a.cu", .text = text, .length = strlen(text)};
    struct source_functions functions;
    struct source_tokens tokens;

    source_tokens_read(arena, &file, &tokens);
    source_functions_read(arena, &tokens, &functions);
    const size_t at = source_launch_on_device(&tokens, &functions);
    const int line = at < tokens.count ? tokens.tokens[at].line : 0;
    arena_free(arena);
    return line;
}

static void launches_on_the_device_are_found(void **state)
{
    static const char kernel[] = "__global__ void child(int *x) { x[0] = 1; }\n";
    static const struct {
        const char *text;
        int line;
    } rows[] = {
        {"__global__ void parent(int *x)\n{\n    child<<<1, 32>>>(x);\n}\n", 4},
        {"__device__ void start(int *x) { ns::child<int>\n<<<1, 32>>>(x); }\n", 3},
        {"__global__ void self(int *x) { if (*x) self<<<1, 1>>>(x); }\n", 2},
        {"void host(int *x) { child<<<1, 32>>>(x); }\n", 0},
        {"void host(int *x) { child<<<1, 32>>>(x); }\n"
         "__device__ void start(int *x) { child<<<1, 32>>>(x); }\n",
         3},
        {"__device__ int shift(int x) { return x << 3 >> 1; }\n", 0},
        {"__device__ void start(int *x) { /* child<<<1, 1>>>(x); */ }\n", 0},
        {"__device__ void start(int *x) { child<<<1, 1>>>(x);\n", 0}, /* braces do not match */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512] = "";
        strcat(strcat(text, kernel), rows[i].text);
        assert_int_equal(launch_line(text), rows[i].line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_on_the_device_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
