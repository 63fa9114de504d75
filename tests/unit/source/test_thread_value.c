/* test_thread_value.c: what an expression is for one thread, and where its names are set. */
#include "source/thread_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const uint32_t thread[3] = {5, 2, 0}, block[3] = {3, 1, 0};

/* Arguments 1 and 2 are known: 100 and -1. */
static const struct finding_values values = {
    .grid = {4, 2, 1},
    .block = {8, 4, 1},
    .known = 6,
    .arguments = {0, 100, UINT32_MAX},
};

static const struct rubric_override overrides[] = {{"REPLACED", NULL}};
static const struct rubric_program program = {.overrides = overrides, .override_count = 1};

struct scene {
    struct program_file file;
    struct program_source source;
    struct source_file text;
    struct value_scene value;
};

static void scene_init(struct scene *scene, struct arena *arena, const char *before,
                       const char *body)
{
    const char *text = arena_printf(
        arena, "%s\n__global__ void f(float *y, int n, unsigned m, float z) { %s }", before, body);

    scene->text = (struct source_file){.name = "a.cu", .text = text, .length = strlen(text)};
    source_tokens_read(arena, &scene->text, &scene->file.tokens);
    source_functions_read(arena, &scene->file.tokens, &scene->file.functions);
    scene->source = (struct program_source){&scene->file, 1};
    scene->value = (struct value_scene){
        .arena = arena,
        .source = &scene->source,
        .program = &program,
        .search = {.tokens = &scene->file.tokens,
                   .function = &scene->file.functions.items[0],
                   .steps = VALUE_STEPS},
        .thread = thread,
        .block = block,
        .values = &values,
    };
}

/* The index in y[...], the last one in the body. */
static struct token_range index_of(const struct scene *scene)
{
    const struct source_tokens *tokens = &scene->file.tokens;
    size_t open = 0;

    for (size_t i = 0; i < tokens->count; i++) {
        open = token_is(tokens, i, TOKEN_NAME, "y") && token_is(tokens, i + 1, TOKEN_SIGN, "[")
                   ? i + 1
                   : open;
    }
    return (struct token_range){open + 1, token_close(tokens, open) - 1};
}

enum { UNKNOWN = -12345 };

static void expressions(void **state)
{
    static const struct {
        const char *before, *body;
        int64_t expected;
    } rows[] = {
        {"", "y[threadIdx.x + 8 * threadIdx.y] = 0;", 21},
        {"", "y[blockIdx.x * blockDim.x + threadIdx.x] = 0;", 29},
        {"", "const int i = blockIdx.y * gridDim.x; y[i] = 0;", 4},
        {"", "int i = threadIdx.x; int j = i - 7; y[j] = 0;", -2},
        {"", "y[threadIdx.x - 7] = 0;", 4294967294},
        {"", "long i = threadIdx.x - 7; y[i] = 0;", 4294967294},
        {"", "auto i = n / 7; y[i] = 0;", 14},
        {"", "y[m] = 0;", 4294967295},
        {"", "y[(int)m] = 0;", -1},
        {"", "y[n - static_cast<int>(threadIdx.x)] = 0;", 95},
        {"", "y[n > 50 ? 1 : 2] = 0;", 1},
        {"", "y[n < 50 || n == 100 && !(n & 1)] = 0;", 1},
        {"", "y[1 << 4 | 64 >> 2 ^ 3] = 0;", 19},
        {"", "y[10 - 4 - 3] = 0;", 3},
        {"", "y[7 % 4 * 2] = 0;", 6},
        {"", "y[min(n, 7) + max(1, 2)] = 0;", 9},
        {"", "int i; i = 4; y[i] = 0;", 4},
        {"", "{ int i = 4; } int i = 6; y[i] = 0;", 6},
        {"", "for (int i = 0; i < 9; i++) { } const int i = 6, j = i + 1; y[j] = 0;", 7},
        {"#define W 16\n#define R (W / 2)", "y[R + W] = 0;", 24},
        {"enum { E = 16 };", "for (int i = 0; i < E; i++) { } y[E * 2] = 0;", 32},
        {"enum { A = 4, B, C = 2 * B };", "y[C + B] = 0;", 15},
        {"constexpr int E = 1 << 3; static const unsigned F = E - 1;", "y[F] = 0;", 7},
        /* What is not certain: */
        {"", "y[z] = 0;", UNKNOWN},
        {"", "y[f(1)] = 0;", UNKNOWN},
        {"", "y[n / (threadIdx.x - 5)] = 0;", UNKNOWN},
        {"", "y[2147483647 + 1] = 0;", UNKNOWN},
        {"", "int i = 4; if (n) { i = 5; } y[i] = 0;", UNKNOWN},
        {"", "int i = 4; i %= 3; y[i] = 0;", UNKNOWN},
        {"", "int i = 4; i <<= 3; y[i] = 0;", UNKNOWN},
        {"", "int i = 4; g(&i); y[i] = 0;", UNKNOWN},
        {"", "int i = 4; g(i, 2); y[i] = 0;", UNKNOWN},
        {"", "int i = 4; int &j = i; y[i] = 0;", UNKNOWN},
        {"", "int i; if (n) { i = 5; } y[i] = 0;", UNKNOWN},
        {"", "n = 4; y[n] = 0;", UNKNOWN},
        {"", "{ int n = 4; } y[n] = 0;", UNKNOWN},
        {"", "for (int i = 0; i < 9; i++) { y[i] = 0; }", UNKNOWN},
        {"", "float i = 4; y[i] = 0;", UNKNOWN},
        {"const int i = 4;", "T i = 5; y[i] = 0;", UNKNOWN},
        {"int i = 4;", "y[i] = 0;", UNKNOWN},
        {"#define W 16\n#undef W\n#define W 17", "y[W] = 0;", UNKNOWN},
        {"#ifndef W\n#define W 16\n#endif", "y[W] = 0;", UNKNOWN},
        {"#define W 16 + 1", "y[W * 2] = 0;", UNKNOWN},
        {"#define W(x) 3", "y[W(1)] = 0;", UNKNOWN},
        {"#define REPLACED 16", "y[REPLACED] = 0;", UNKNOWN},
        {"enum { REPLACED = 16 };", "y[REPLACED] = 0;", UNKNOWN},
        {"#define A B\n#define B A", "y[A] = 0;", UNKNOWN},
        {"const int a = b, b = a;", "y[a] = 0;", UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        struct scene scene;
        int64_t value = UNKNOWN;
        scene_init(&scene, arena, rows[i].before, rows[i].body);
        bool is_known = thread_value(&scene.value, index_of(&scene), &value);
        if (is_known != (rows[i].expected != UNKNOWN) || (is_known && value != rows[i].expected)) {
            fail_msg("%s: %lld", rows[i].body, (long long)value);
        }
        arena_free(arena);
    }
}

static void uses(void **state)
{
    struct arena *arena = arena_new();
    struct scene scene;
    int64_t value;

    (void)state;
    scene_init(&scene, arena, "", "const int i = threadIdx.x; y[i] = 0;");
    assert_true(thread_value(&scene.value, index_of(&scene), &value));
    assert_int_equal(scene.value.uses, VALUE_OF_THREAD | VALUE_OF_THREAD_X);
    scene_init(&scene, arena, "", "const int i = blockIdx.y; y[i + n] = 0;");
    assert_true(thread_value(&scene.value, index_of(&scene), &value));
    assert_int_equal(scene.value.uses, VALUE_OF_BLOCK | VALUE_OF_BLOCK_X << 1);
    arena_free(arena);
}

/* Names that the scene gives a value. */
static void bound_names(void **state)
{
    struct arena *arena = arena_new();
    struct source_set set;
    struct scene scene;
    int64_t value;

    (void)state;
    scene_init(&scene, arena, "template <int R>",
               "for (int k = 0; k < n; k++) { const int i = 2 * k + R; y[i] = 0; }");
    const struct token_range index = index_of(&scene);
    assert_false(thread_value(&scene.value, index, &value));
    assert_true(source_find_set(&scene.value.search, index.first, &set));
    assert_true(source_find_set(&scene.value.search, set.value.first + 2, &set));
    scene.value.bound[0] = (struct bound_name){set.name, 7};
    scene.value.bound_count = 1;
    assert_false(thread_value(&scene.value, index, &value));
    scene.value.constants[0] = (struct bound_name){3, 5}; /* R */
    scene.value.constant_count = 1;
    assert_true(thread_value(&scene.value, index, &value));
    assert_int_equal(value, 19);
    arena_free(arena);
}

static void counters(void **state)
{
    struct arena *arena = arena_new();
    struct source_set set;
    struct scene scene;

    (void)state;
    scene_init(&scene, arena, "", "for (int k = n; k < 9; k += 2) { y[k] = 0; }");
    const struct source_tokens *tokens = &scene.file.tokens;
    assert_true(source_find_set(&scene.value.search, index_of(&scene).first, &set));
    assert_true(token_is(tokens, set.loop, TOKEN_NAME, "for"));
    assert_true(token_is(tokens, set.value.first, TOKEN_NAME, "n"));
    assert_int_equal(set.value.end, set.value.first + 1);
    scene_init(&scene, arena, "", "for (int k = n; k < 9; k += 2) { y[k] = 0; k++; }");
    assert_false(source_find_set(&scene.value.search, index_of(&scene).first, &set));
    arena_free(arena);
}

/* Each name doubles the work: it ends, and has no value. */
static void work_is_bounded(void **state)
{
    struct arena *arena = arena_new();
    const char *body = "const int a0 = 1;";
    struct scene scene;
    int64_t value;

    (void)state;
    for (int i = 1; i < 15; i++) {
        body = arena_printf(arena, "%s const int a%d = a%d + a%d;", body, i, i - 1, i - 1);
    }
    scene_init(&scene, arena, "", arena_printf(arena, "%s y[a14] = 0;", body));
    assert_false(thread_value(&scene.value, index_of(&scene), &value));
    assert_true(scene.value.search.steps < 4096);
    arena_free(arena);
}

/* `text` [count], after each other. */
static const char *repeated(struct arena *arena, const char *text, size_t count)
{
    const size_t length = strlen(text);
    char *all = arena_array(arena, count * length + 1, 1);

    for (size_t i = 0; i < count; i++) {
        memcpy(all + i * length, text, length);
    }
    return all;
}

/* Choices in choices do not use up the stack. */
static void choices_are_bounded(void **state)
{
    struct arena *arena = arena_new();
    struct scene scene;
    int64_t value;

    (void)state;
    scene_init(&scene, arena, "", arena_printf(arena, "y[%s 3] = 0;", repeated(arena, "0?1:", 9)));
    assert_true(thread_value(&scene.value, index_of(&scene), &value));
    assert_int_equal(value, 3);
    scene_init(&scene, arena, "",
               arena_printf(arena, "y[%s 3] = 0;", repeated(arena, "0?1:", 300000)));
    assert_false(thread_value(&scene.value, index_of(&scene), &value));
    assert_int_equal(scene.value.depth, 0);
    arena_free(arena);
}

/* What is looked at of a list of parameters counts as work. */
static void parameters_are_work(void **state)
{
    enum { COUNT = 1000 };
    struct arena *arena = arena_new();
    struct source_parameter parameter;
    struct scene scene;

    (void)state;
    scene_init(&scene, arena,
               arena_printf(arena, "__global__ void g(int a%s) { y[X]; }",
                            repeated(arena, ", int b", COUNT)),
               "");
    const struct source_function *function = &scene.file.functions.items[0];
    const size_t use = function->open + 3;
    scene.value.search.function = function;
    assert_false(source_find_parameter(&scene.value.search, use, &parameter));
    assert_true(scene.value.search.steps <= VALUE_STEPS - 3 * COUNT);
    assert_false(source_is_local(&scene.value.search, use));
    scene.value.search.steps = COUNT;
    assert_true(source_is_local(&scene.value.search, use)); /* not known */
    arena_free(arena);
}

/* What is in front of a name is looked at each time that the name is there, and counts as work. */
static void products_are_work(void **state)
{
    enum { COUNT = 1000, LOOKED_AT = 64 };
    struct arena *arena = arena_new();
    struct source_set set;
    struct scene scene;

    (void)state;
    const char *body = arena_printf(arena, "const int a = 1; int b = 1%s; y[a] = 0;",
                                    repeated(arena, "*a", COUNT));
    scene_init(&scene, arena, "", body);
    const size_t use = index_of(&scene).first;
    assert_true(source_find_set(&scene.value.search, use, &set));
    assert_true(scene.value.search.steps <= VALUE_STEPS - COUNT * LOOKED_AT);
    scene_init(&scene, arena, "", body);
    scene.value.search.steps = COUNT * LOOKED_AT;
    assert_false(source_find_set(&scene.value.search, use, &set));
    scene.value.search.steps = COUNT * LOOKED_AT / 2;
    assert_true(source_is_local(&scene.value.search, use)); /* not known */
    arena_free(arena);
}

/* A name that the build of a case replaces has the value of that case. */
static void replaced_names(void **state)
{
    static const int64_t values_of_case[] = {48};
    struct arena *arena = arena_new();
    struct scene scene;
    int64_t value;

    (void)state;
    scene_init(&scene, arena, "#define REPLACED 16\n#define PARTS (REPLACED / 3)", "y[PARTS] = 0;");
    assert_false(thread_value(&scene.value, index_of(&scene), &value));
    scene.value.replaced = values_of_case;
    assert_true(thread_value(&scene.value, index_of(&scene), &value));
    assert_int_equal(value, 16);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced_names),
        cmocka_unit_test(expressions),
        cmocka_unit_test(uses),
        cmocka_unit_test(bound_names),
        cmocka_unit_test(counters),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(choices_are_bounded),
        cmocka_unit_test(parameters_are_work),
        cmocka_unit_test(products_are_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
