/* test_fix_candidates.c: the changes that are tried for a diagnostic, likeliest first. */
#include "diagnosis/fixes/fix_candidates.h"

#include "base/text.h"
#include "source/source_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* One diagnostic in a.cu, and candidates that it must get, in that order, as "LINE-before" and
 * "LINE+after", those of one candidate after each other, and a blank line after each. */
struct row {
    enum code code;
    int line, column;
    int other; /* line of the access that waited; 0: there is no finding */
    const char *source;
    const char *candidates;
};

static void append_candidates(const struct line_fixes *candidates, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < candidates[i].count; j++) {
            const struct line_fix *fix = &candidates[i].lines[j];
            if (fix->before != NULL) {
                text_printf(out, "%d-%s\n", fix->line, fix->before);
            }
            if (fix->after != NULL) {
                text_printf(out, "%d+%s\n", fix->line, fix->after);
            }
        }
        text_append(out, "\n");
    }
}

/* Appends the candidates of a row. */
static void make_candidates(const struct row *row, struct text *out)
{
    static const char *const names[] = {"a.cu"};
    struct arena *arena = arena_new();
    const struct source_file file = {"a.cu", row->source, strlen(row->source)};
    const struct rubric_program program = {.id = "p", .sources = names, .source_count = 1};
    const struct rubric rubric = {.programs = &program, .program_count = 1};
    const struct rubric_criterion criterion = {.id = "c"};
    const struct verdict verdict = {.criterion = &criterion};
    const struct report report = {.verdicts = &verdict, .verdict_count = 1};
    const struct criteria_input input = {.rubric = &rubric,
                                         .sources = &file,
                                         .source_count = 1,
                                         .index = source_index_new(arena, &file, 1)};
    const struct finding finding = {
        .code = row->code,
        .kernel = "k",
        .places = {{.file = "a.cu", .line = row->line, .column = row->column},
                   {.file = "a.cu", .line = row->other, .column = 1}},
        .place_count = 2,
    };
    const struct diagnostic_mark mark = {.file = "a.cu", .line = row->line};
    const size_t first = 0;
    const struct report_diagnostic diagnostic = {
        .code = row->code,
        .file = "a.cu",
        .line = row->line,
        .column = row->column,
        .marks = &mark,
        .mark_count = 1,
        .verdicts = &first,
        .verdict_count = 1,
        .finding = row->other > 0 ? &finding : NULL,
    };
    const struct fix_request request = {&input, &report, &diagnostic};
    struct line_fixes candidates[FIX_CANDIDATES_MAX];

    append_candidates(candidates,
                      fix_candidates_make(&request, arena, candidates, FIX_CANDIDATES_MAX), out);
    arena_free(arena);
}

/* True if `made` has the candidates in that order, perhaps with others in between. */
static bool has_all(const char *made, const char *candidates)
{
    const char *end = strstr(candidates, "\n\n");

    while (end != NULL && made != NULL) {
        struct text wanted;
        text_init(&wanted);
        text_printf(&wanted, "%.*s", (int)(end + 2 - candidates), candidates);
        made = strstr(made, wanted.bytes);
        text_release(&wanted);
        candidates = end + 2;
        end = strstr(candidates, "\n\n");
    }
    return made != NULL;
}

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct text made;
        text_init(&made);
        make_candidates(&rows[i], &made);
        if (!has_all(made.bytes, rows[i].candidates)) {
            fail_msg("row %zu wants\n%sand gets\n%s", i, rows[i].candidates, made.bytes);
        }
        text_release(&made);
    }
}

#define KERNEL "__global__ void k(float *a, int n)\n{\n"

static void barriers(void **state)
{
    static const struct row rows[] = {
        /* between the two */
        {CODE_SHARED_RACE, 4, 1, 3, KERNEL "  s[t] = a[t];\n  a[t] = s[t + 1];\n}\n",
         "3+  __syncthreads();\n\n"},
        /* before threads leave, and after the last statement before */
        {CODE_SHARED_RACE, 6, 1, 3,
         KERNEL "  s[t] = a[t];\n  int i = t;\n  if (i >= n) { return; }\n  a[i] = s[t + 1];\n}\n",
         "4+  __syncthreads();\n\n"},
        {CODE_SHARED_RACE, 6, 1, 4,
         KERNEL "  if (t > n) return;\n  s[t] = a[t];\n  int i = t;\n  a[i] = s[t + 1];\n}\n",
         "5+  __syncthreads();\n\n"},
        /* in a loop: between them, after them, both; the likelier one first */
        {CODE_SHARED_RACE, 4, 1, 5,
         KERNEL "  for (;;) {\n    s[t] = a[t];\n    a[t] = s[t + 1];\n  }\n}\n",
         "5+    __syncthreads();\n\n4+    __syncthreads();\n\n"
         "4+    __syncthreads();\n5+    __syncthreads();\n\n"},
        /* not between an if and its else */
        {CODE_SHARED_RACE, 6, 1, 4,
         KERNEL "  if (t)\n    s[t] = 1;\n  else t = 2;\n  a[t] = s[t];\n}\n",
         "5+  __syncthreads();\n\n"},
        {CODE_SHARED_RACE, 5, 1, 3,
         KERNEL "  s[t] = a[t];\n  __syncwarp();\n  a[t] = s[t + 1];\n}\n",
         "4-  __syncwarp();\n4+  __syncthreads();\n\n4+  __syncthreads();\n\n"},
        /* no line of its own to put it in */
        {CODE_SHARED_RACE, 3, 18, 3, KERNEL "  s[t] = a[t]; a[t] = s[t + 1];\n}\n", ""},
        {CODE_BARRIER_DIVERGENT, 5, 5, 0,
         KERNEL "  if (t < n) {\n    s[t] = 1;\n    __syncthreads();\n  }\n}\n",
         "5-    __syncthreads();\n6+  __syncthreads();\n\n"},
        /* another one follows */
        {CODE_BARRIER_DIVERGENT, 5, 5, 0,
         KERNEL "  for (int i = t; i < n; i++) {\n    s[t] = 1;\n    __syncthreads();\n  }\n"
                "  __syncthreads();\n}\n",
         "5-    __syncthreads();\n\n"},
        {CODE_BARRIER_DIVERGENT, 3, 15, 0, KERNEL "  if (t < n) __syncthreads();\n}\n",
         "3-  if (t < n) __syncthreads();\n3+  __syncthreads();\n\n"},
        {CODE_BARRIER_DIVERGENT, 3, 3, 0, KERNEL "  __syncthreads();\n}\n", ""},
        /* in the midst of a block: a second if */
        {CODE_BARRIER_DIVERGENT, 5, 5, 0,
         KERNEL "  if (t < n) {\n    s[t] = 1;\n    __syncthreads();\n    a[t] = s[0];\n  }\n}\n",
         "5-    __syncthreads();\n7+  __syncthreads();\n\n4+  }\n5+  if (t < n) {\n\n"},
        /* at its beginning: before it */
        {CODE_BARRIER_DIVERGENT, 4, 5, 0,
         KERNEL "  if (t < n) {\n    __syncthreads();\n    a[t] = s[0];\n  }\n}\n",
         "4-    __syncthreads();\n6+  __syncthreads();\n\n"
         "4-    __syncthreads();\n2+  __syncthreads();\n\n"},
        {CODE_BARRIER_MISMATCH, 5, 5, 0,
         KERNEL "  if (t) {\n    s[t] = 1;\n    __syncthreads();\n  } else {\n    s[t] = 2;\n"
                "    __syncthreads();\n  }\n  a[t] = s[0];\n}\n",
         "5-    __syncthreads();\n8-    __syncthreads();\n9+  __syncthreads();\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* if (...) return; before a barrier. */
static void early_returns(void **state)
{
    static const struct row rows[] = {
        {CODE_UNINITIALISED_SHARED, 6, 3, 0,
         KERNEL "  if (t >= n) return;\n  for (;;)\n    __syncthreads();\n  a[t] = s[0];\n}\n",
         "3-  if (t >= n) return;\n5+  if (t >= n) return;\n\n3-  if (t >= n) return;\n\n"},
        {CODE_SHARED_RACE, 6, 3, 0,
         KERNEL "  if (t >= n)\n    return;\n  __syncthreads();\n  a[t] = s[0];\n}\n",
         "3-  if (t >= n)\n4-    return;\n5+  if (t >= n) return;\n\n"
         "3-  if (t >= n)\n4-    return;\n\n"},
        {CODE_BARRIER_INCOMPLETE, 7, 3, 0,
         KERNEL "  if (t >= n) {\n    return;\n  }\n  __syncthreads();\n  a[t] = s[0];\n}\n",
         "3-  if (t >= n) {\n4-    return;\n5-  }\n\n"},
    };
    static const struct row none[] = {
        {CODE_BARRIER_INCOMPLETE, 4, 3, 0,
         KERNEL "  __syncthreads();\n  if (t >= n) return;\n  a[t] = s[0];\n}\n", ""},
        {CODE_BARRIER_INCOMPLETE, 4, 3, 0,
         KERNEL "  if (t) a[t] = 0; else return;\n  __syncthreads();\n}\n", ""},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct text made;
        text_init(&made);
        make_candidates(&none[i], &made);
        assert_string_equal(made.bytes, "");
        text_release(&made);
    }
}

static void missing_copies(void **state)
{
    static const struct row rows[] = {
        /* to the device, before its memory is cleared, from the memory of that name that is set */
        {CODE_UNINITIALISED_GLOBAL, 5, 3, 0,
         "int main()\n{\n  float *in, *h_in, *d_in;\n  size_t bytes = 4 * N;\n"
         "  cudaMalloc(&d_in, bytes);\n  fill(h_in);\n  k<<<1, 1>>>(d_in);\n}\n",
         "6+  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);\n\n"
         "5+  cudaMemset(d_in, 0, bytes);\n\n"},
        {CODE_UNINITIALISED_GLOBAL, 5, 3, 0,
         "int main()\n{\n  float *x, *y, *d_x, *d_y;\n\n  cudaMalloc(&d_x, 64);\n"
         "  cudaMalloc(&d_y, 64);\n  y[0] = 1;\n  x[0] = 1;\n  k<<<1, 1>>>(d_x);\n"
         "  cudaMemcpy(y, d_y, 64, cudaMemcpyDeviceToHost);\n}\n",
         "8+  cudaMemcpy(d_x, x, 64, cudaMemcpyHostToDevice);\n\n"
         "5+  cudaMemset(d_x, 0, 64);\n\n"},
        /* back, before it is freed: as many elements as a parameter says, or all */
        {CODE_OTHER_BUFFER, 0, 0, 0,
         "void f(int *d_keys, int n)\n{\n  int *d_two;\n  cudaMalloc(&d_two, 8 * n);\n"
         "  cudaMemcpy(d_two, d_keys, 4 * n, cudaMemcpyDeviceToDevice);\n"
         "  k<<<1, 1>>>(d_two, n);\n  cudaFree(d_two);\n}\n",
         "6+  cudaMemcpy(d_keys, d_two, n * sizeof *d_keys, cudaMemcpyDeviceToDevice);\n\n"
         "6+  cudaMemcpy(d_keys, d_two, 8 * n, cudaMemcpyDeviceToDevice);\n\n"},
        {CODE_MISMATCH, 0, 0, 0,
         "void f(const float *a, float *c, int n)\n{\n  float *d_a, *d_c;\n"
         "  cudaMalloc(&d_a, 4 * n);\n  cudaMalloc((void **)&d_c, 4 * n);\n"
         "  cudaMemcpy(d_a, a, 4 * n, cudaMemcpyHostToDevice);\n  k<<<1, 1>>>(d_a, d_c, n);\n}\n",
         "7+  cudaMemcpy(c, d_c, n * sizeof *c, cudaMemcpyDeviceToHost);\n\n"},
        /* back from where a pointer is after it has been swapped */
        {CODE_NAMED_MISTAKE, 0, 0, 0,
         "void f(int *d_a, int *d_b, int w, int h)\n{\n  int *from = d_a;\n  int *to = d_b;\n"
         "  for (int i = 0; i < 3; i++) {\n    k<<<1, 1>>>(from, to);\n"
         "    std::swap(from, to);\n  }\n}\n",
         "8+  if (from != d_a) cudaMemcpy(d_a, from, w * sizeof *d_a, "
         "cudaMemcpyDeviceToDevice);\n\n"
         "8+  if (from != d_a) cudaMemcpy(d_a, from, w * h * sizeof *d_a, "
         "cudaMemcpyDeviceToDevice);\n\n"},
        /* nothing copies to the constant */
        {CODE_WRONG_CONSTANT, 0, 0, 0,
         "__constant__ int WIDTH;\nint f()\n{\n  int w = 1;\n  float r = 1;\n  if (r > 2)\n"
         "    return 0;\n  w = 16;\n  return w;\n}\n",
         "8+  cudaMemcpyToSymbol(WIDTH, &w, sizeof w);\n\n"},
    };
    static const char *const wrong[] = {
        "void f(int *d_keys, int n)\n{\n  int *d_two;\n  cudaMalloc(&d_two, 8 * n);\n"
        "  k<<<1, 1>>>(d_two, n);\n"
        "  cudaMemcpy(d_keys, d_two + (n - 1), 4 * n, cudaMemcpyDeviceToDevice);\n"
        "  cudaFree(d_two);\n}\n",
        "void f(int *d_keys, int n)\n{\n  int *d_two, *d_one;\n  cudaMalloc(&d_two, 8 * n);\n"
        "  cudaMalloc(&d_one, 8 * n);\n  k<<<1, 1>>>(d_two, n);\n"
        "  cudaMemcpy(d_keys, d_one, 4 * n, cudaMemcpyDeviceToDevice);\n"
        "  cudaFree(d_two);\n}\n",
        "void f(const int *d_keys, int n)\n{\n  int *d_two;\n  cudaMalloc(&d_two, 8 * n);\n"
        "  cudaMemcpy(d_two + n, d_keys, 4 * n, cudaMemcpyDeviceToDevice);\n"
        "  k<<<1, 1>>>(d_two, n);\n}\n",
    };
    struct text made;
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
    text_init(&made);
    make_candidates(&rows[1], &made);
    assert_null(strstr(made.bytes, "cudaMemcpy(d_y, y")); /* y gets a result */
    text_release(&made);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) { /* the copy that is there */
        const struct row row = {CODE_MISMATCH, 0, 0, 0, wrong[i], ""};
        text_init(&made);
        make_candidates(&row, &made);
        if (strstr(made.bytes, "+  cudaMemcpy(d_keys, d_two, n *") != NULL ||
            strstr(made.bytes, "+  cudaMemcpy(d_two, d_keys, 8 * n") != NULL) {
            fail_msg("%s", made.bytes);
        }
        text_release(&made);
    }
}

static void atomics(void **state)
{
    static const struct row rows[] = {
        {CODE_GLOBAL_RACE, 3, 3, 3, KERNEL "  a[0] += s[t];\n}\n",
         "3-  a[0] += s[t];\n3+  atomicAdd(&a[0], s[t]);\n\n"},
        {CODE_GLOBAL_RACE, 3, 15, 3, KERNEL "  if (t < n) a[b]++;\n}\n",
         "3-  if (t < n) a[b]++;\n3+  if (t < n) atomicAdd(&a[b], 1);\n\n"},
        {CODE_GLOBAL_RACE, 3, 3, 3, KERNEL "  *a += s[t];\n}\n",
         "3-  *a += s[t];\n3+  atomicAdd(a, s[t]);\n\n"},
        {CODE_GLOBAL_RACE, 3, 3, 3, KERNEL "  a[0] = s[t];\n}\n", ""},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void bounds(void **state)
{
    static const struct row rows[] = {
        {CODE_GLOBAL_OUT_OF_BOUNDS, 4, 3, 0, KERNEL "  int i = threadIdx.x;\n  a[i] = 1;\n}\n",
         "3+  if (i >= n) return;\n\n"},
        {CODE_GLOBAL_OUT_OF_BOUNDS, 5, 13, 0,
         KERNEL "  int i = threadIdx.x;\n\n  float v = a[3 * i];\n  a[i] = v;\n}\n",
         "3+  if (i >= n) return;\n\n"},
        /* no thread may leave before a barrier */
        {CODE_GLOBAL_OUT_OF_BOUNDS, 4, 3, 0,
         KERNEL "  int i = threadIdx.x;\n  s[i] = a[i];\n  __syncthreads();\n}\n",
         "4-  s[i] = a[i];\n4+  if (i < n) s[i] = a[i];\n\n"},
        /* another variable is compared */
        {CODE_GLOBAL_OUT_OF_BOUNDS, 5, 12, 0,
         KERNEL "  int i = threadIdx.x;\n  if (threadIdx.x < n)\n    s[t] = a[i];\n"
                "  __syncthreads();\n  if (threadIdx.x < n) a[i] = s[0];\n}\n",
         "4-  if (threadIdx.x < n)\n4+  if (i < n)\n"
         "7-  if (threadIdx.x < n) a[i] = s[0];\n7+  if (i < n) a[i] = s[0];\n\n"},
        /* each statement that is not guarded */
        {CODE_GLOBAL_OUT_OF_BOUNDS, 4, 10, 0,
         KERNEL "  int i = threadIdx.x;\n  s[t] = a[i];\n  if (i < n)\n    a[i] = 1;\n"
                "  __syncthreads();\n  a[i] = s[0];\n}\n",
         "4-  s[t] = a[i];\n4+  if (i < n) s[t] = a[i];\n"
         "8-  a[i] = s[0];\n8+  if (i < n) a[i] = s[0];\n\n"
         "4-  s[t] = a[i];\n4+  if (i < n) s[t] = a[i];\n\n"},
        {CODE_GLOBAL_OUT_OF_BOUNDS, 4, 15, 0,
         KERNEL "  int i = threadIdx.x;\n  if (i <= n) a[i] = 1;\n}\n",
         "4-  if (i <= n) a[i] = 1;\n4+  if (i < n) a[i] = 1;\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void values(void **state)
{
    static const struct row rows[] = {
        {CODE_NAMED_MISTAKE, 4, 3, 0, KERNEL "  float sum;\n  sum += s[y][x];\n}\n",
         "3-  float sum;\n3+  float sum = 0.0f;\n\n"
         "4-  sum += s[y][x];\n4+  sum += s[x][y];\n\n"
         "4-  sum += s[y][x];\n4+  sum = s[y][x];\n\n"},
        {CODE_MISMATCH, 5, 3, 0,
         KERNEL "  int y = threadIdx.y;\n  int x = threadIdx.x;\n  a[x * n + y] = s[y][x];\n}\n",
         "5-  a[x * n + y] = s[y][x];\n5+  a[y * n + x] = s[y][x];\n\n"
         "5-  a[x * n + y] = s[y][x];\n5+  a[x * n + y] = s[x][y];\n\n"},
        {CODE_NAMED_MISTAKE, 3, 3, 0,
         "__global__ void k(float *a, float *b, float *c)\n{\n  c[i] = a[i] + a[i];\n}\n",
         "3-  c[i] = a[i] + a[i];\n3+  c[i] = a[i] + b[i];\n\n"
         "3-  c[i] = a[i] + a[i];\n3+  c[i] = b[i] + a[i];\n\n"
         "3-  c[i] = a[i] + a[i];\n3+  a[i] = c[i] + c[i];\n\n"},
        {CODE_NAMED_MISTAKE, 3, 3, 0,
         "__global__ void k(float v, float *x, float *y)\n{\n  y[i] = v * y[i] + x[i];\n}\n",
         "3-  y[i] = v * y[i] + x[i];\n3+  y[i] = v * x[i] + y[i];\n\n"
         "3-  y[i] = v * y[i] + x[i];\n3+  x[i] = v * x[i] + y[i];\n\n"},
        {CODE_LAUNCH_DEADLINE, 3, 3, 0, KERNEL "  while (i < n) {\n    a[0] = 1;\n  }\n}\n",
         "4+    i++;\n\n"
         "3-  while (i < n) {\n3+  while (i <= n) {\n\n"},
        {CODE_LAUNCH_DEADLINE, 3, 3, 0, KERNEL "  for (int i = 0; i < n;)\n    a[0] = 1;\n}\n",
         "3-  for (int i = 0; i < n;)\n3+  for (int i = 0; i < n; i++)\n\n"
         "3-  for (int i = 0; i < n;)\n3+  for (int i = 0; i <= n;)\n\n"},
        {CODE_CPU_DEADLINE, 3, 3, 0, KERNEL "  while (i < n) {\n    i += 2;\n  }\n}\n", ""},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Bounds that are off by one, sizes that stand for each other, types that are too small. */
static void sizes(void **state)
{
    static const struct row rows[] = {
        {CODE_NOT_WRITTEN, 4, 3, 0, KERNEL "  if (t < n - 1)\n    a[t] = 1;\n}\n",
         "3-  if (t < n - 1)\n3+  if (t < n)\n\n"},
        {CODE_UNINITIALISED_SHARED, 3, 1, 0,
         KERNEL "  for (int h = 1; h > M - 1; h /= 2) {\n  }\n}\n",
         "3-  for (int h = 1; h > M - 1; h /= 2) {\n3+  for (int h = 1; h > M; h /= 2) {\n\n"
         "3-  for (int h = 1; h > M - 1; h /= 2) {\n3+  for (int h = 0; h > M - 1; h /= 2) {\n\n"
         "3-  for (int h = 1; h > M - 1; h /= 2) {\n"
         "3+  for (int h = 1; h >= M - 1; h /= 2) {\n\n"},
        /* no place: the kernel */
        {CODE_NOT_WRITTEN, 0, 0, 0, KERNEL "  unsigned short i = threadIdx.x;\n  a[i] = 1;\n}\n",
         "3-  unsigned short i = threadIdx.x;\n"
         "3+  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;\n\n"
         "3-  unsigned short i = threadIdx.x;\n3+  int i = threadIdx.x;\n\n"},
        {CODE_CPU_DEADLINE, 3, 1, 0, "void f(int n)\n{\n  for (char i = 0; i < n; i++) {\n  }\n}\n",
         "3-  for (char i = 0; i < n; i++) {\n3+  for (int i = 0; i < n; i++) {\n\n"},
        /* the loop that launches */
        {CODE_NAMED_MISTAKE, 3, 1, 0,
         KERNEL "}\nvoid f(float *d, int n)\n{\n  for (int i = 1; i < n; i++)\n    k<<<1, 1>>>(d, "
                "n);\n}\n",
         "6-  for (int i = 1; i < n; i++)\n6+  for (int i = 0; i < n; i++)\n\n"
         "6-  for (int i = 1; i < n; i++)\n6+  for (int i = 1; i <= n; i++)\n\n"},
        /* the index is made before */
        {CODE_NOT_WRITTEN, 6, 3, 0,
         KERNEL
         "  int x = threadIdx.x;\n  int y = threadIdx.y;\n  int i = x * n + y;\n  a[i] = 1;\n}\n",
         "3-  int x = threadIdx.x;\n3+  int x = blockIdx.x * blockDim.x + threadIdx.x;\n\n"
         "5-  int i = x * n + y;\n5+  int i = y * n + x;\n\n"},
        {CODE_GLOBAL_OUT_OF_BOUNDS, 4, 5, 0,
         "__global__ void k(float *a, int w, int h)\n{\n  if (x < h && y < w)\n    a[y * h + x] = "
         "h;\n}\n",
         "4-    a[y * h + x] = h;\n4+    a[y * w + x] = w;\n\n"
         "3-  if (x < h && y < w)\n3+  if (x < w && y < h)\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

#define HOST KERNEL "}\nvoid f(float *h, int n)\n{\n  float *d;\n"

static void host_code(void **state)
{
    static const struct row rows[] = {
        {CODE_NOT_WRITTEN, 3, 1, 0,
         HOST "  int blocks = n / 256;\n  k<<<blocks, 256>>>(d, n);\n}\n",
         "7-  int blocks = n / 256;\n7+  int blocks = (n + 256 - 1) / 256;\n\n"},
        {CODE_NOT_WRITTEN, 3, 1, 0,
         HOST "  dim3 g((n + 15) / 16, n / B.x);\n  k<<<g, 256>>>(d, n);\n}\n",
         "7-  dim3 g((n + 15) / 16, n / B.x);\n7+  dim3 g((n + 15) / 16, (n + B.x - 1) / B.x);\n\n"
         "7-  dim3 g((n + 15) / 16, n / B.x);\n7+  dim3 g(n / B.x, (n + 15) / 16);\n\n"},
        {CODE_UNINITIALISED_GLOBAL, 7, 3, 0, HOST "  cudaMalloc((void **)&d, 4 * n);\n}\n",
         "7+  cudaMemset(d, 0, 4 * n);\n\n"
         "7-  cudaMalloc((void **)&d, 4 * n);\n7+  cudaMalloc((void **)&d, 4 * n * "
         "sizeof(float));\n\n"},
        /* at the call, unless the name says that it counts bytes */
        {CODE_UNINITIALISED_GLOBAL, 3, 3, 0,
         HOST "  int blocks = n / 256;\n  cudaMalloc(&d, blocks);\n}\n",
         "8-  cudaMalloc(&d, blocks);\n8+  cudaMalloc(&d, blocks * sizeof(float));\n\n"},
        {CODE_STREAM_RACE, 7, 3, 0, HOST "  k<<<1, 1, 0, s>>>(d, n);\n}\n",
         "6+  cudaDeviceSynchronize();\n\n"},
        {CODE_STATE_KEPT, 0, 0, 0, HOST "  k<<<1, 1>>>(h, n);\n}\n",
         "6+  cudaMemset(h, 0, n * sizeof *h);\n\n6+  cudaMemset(h, 0, sizeof *h);\n\n"},
        {CODE_API_ERROR, 7, 3, 0,
         HOST "  cudaMemcpy(d, h, sizeof *h, cudaMemcpyDeviceToHost);\n}\n",
         "7-  cudaMemcpy(d, h, sizeof *h, cudaMemcpyDeviceToHost);\n"
         "7+  cudaMemcpy(d, h, sizeof *h, cudaMemcpyHostToDevice);\n\n"
         "7-  cudaMemcpy(d, h, sizeof *h, cudaMemcpyDeviceToHost);\n"
         "7+  cudaMemcpy(d, h, sizeof *h, cudaMemcpyDeviceToDevice);\n\n"},
        {CODE_WRONG_BYTE_COUNT, 8, 3, 0,
         "__global__ void k(int n)\n{\n  extern __shared__ int s[];\n}\n"
         "void f(int n)\n{\n  size_t bytes = n + 1;\n  k<<<1, n, bytes>>>(n);\n}\n",
         "7-  size_t bytes = n + 1;\n7+  size_t bytes = (n + 1) * sizeof(int);\n\n"},
        {CODE_WRONG_BYTE_COUNT, 7, 3, 0,
         "__global__ void k(int n)\n{\n  extern __shared__ int s[];\n}\n"
         "void f(int n)\n{\n  k<<<1, B>>>(n);\n}\n",
         "7-  k<<<1, B>>>(n);\n7+  k<<<1, B, B * sizeof(int)>>>(n);\n\n"},
        {CODE_WRONG_BYTE_COUNT, 7, 3, 0,
         "__global__ void k(int n)\n{\n  extern __shared__ int s[];\n}\n"
         "void f(dim3 B)\n{\n  k<<<1, B>>>(1);\n}\n",
         ""},
        /* numbers of blocks that are capped */
        {CODE_NOT_A_NUMBER, 0, 0, 0,
         "void f(float *d, dim3 b)\n{\n  dim3 g(std::min(64, b.x), b.y < 8 ? b.y : 8);\n"
         "  dim3 h(min(b.x, b.y), b.y < 8 ? b.x : 8);\n}\n",
         "3-  dim3 g(std::min(64, b.x), b.y < 8 ? b.y : 8);\n3+  dim3 g(b.x, b.y);\n\n"},
        {CODE_NOT_A_NUMBER, 0, 0, 0,
         "void f(int b)\n{\n  if (b > 8) {\n    b = 8;\n  }\n  if (b > 8) b = 7;\n}\n",
         "3-  if (b > 8) {\n4-    b = 8;\n5-  }\n\n"},
        {CODE_NOT_A_NUMBER, 0, 0, 0,
         "void f(int b)\n{\n  b = b < 8 ? b : 8; // all\n  int c = b < 8 ? b : 8;\n}\n",
         "3-  b = b < 8 ? b : 8; // all\n4-  int c = b < 8 ? b : 8;\n4+  int c = b;\n\n"},
        {CODE_STATE_KEPT, 0, 0, 0,
         "__global__ void k(int *a)\n{\n}\nvoid f(const int *h)\n{\n  k<<<1, 1>>>(h);\n"
         "  k<<<1, 1>>>(h);\n}\n",
         "6-  k<<<1, 1>>>(h);\n\n"},
        {CODE_HOST_RACE, 8, 3, 0, HOST "  k<<<1, 1>>>(d, n);\n  h[0] = 1;\n}\n",
         "7+  cudaDeviceSynchronize();\n\n"},
        {CODE_BAD_OPERAND, 9, 3, 0,
         "__global__ void m(const float *a, const float *b, float *c)\n{\n}\n"
         "void f(float *x)\n{\n  m<<<1, 1>>>(x, x + 1, x);\n}\n",
         "6-  m<<<1, 1>>>(x, x + 1, x);\n6+  m<<<1, 1>>>(x + 1, x, x);\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* One token or operand, here or where the values come from. */
static void small_edits(void **state)
{
    static const struct row rows[] = {
        /* a parameter that nothing uses */
        {CODE_NAMED_MISTAKE, 3, 3, 0,
         KERNEL "  a[0] = n;\n}\nvoid f(float *d, int n)\n{\n  k<<<1, 1>>>(d, 16);\n}\n",
         "7-  k<<<1, 1>>>(d, 16);\n7+  k<<<1, 1>>>(d, n);\n\n"},
        /* what is left of a choice whose condition counts calls */
        {CODE_STATE_KEPT, 3, 3, 0, KERNEL "  a[0] = calls > 1 ? 0 : n;\n}\n",
         "3-  a[0] = calls > 1 ? 0 : n;\n3+  a[0] = n;\n\n"},
        /* a limit of a loop, and of a comparison, may be 0 or 1 */
        {CODE_MISMATCH, 3, 3, 0, KERNEL "  for (int h = 8; h > 1; h /= 2)\n    a[h] = 1;\n}\n",
         "3-  for (int h = 8; h > 1; h /= 2)\n3+  for (int h = 8; h > 0; h /= 2)\n\n"},
        /* copied, and not changed */
        {CODE_NAMED_MISTAKE, 3, 3, 0, KERNEL "  a[0] = s[t - n] + s[t - n];\n}\n",
         "3-  a[0] = s[t - n] + s[t - n];\n3+  a[0] = s[t - n] + s[t + n];\n\n"},
        {CODE_NOT_WRITTEN, 3, 3, 0, KERNEL "  a[t & 0xff] = 1;\n}\n",
         "3-  a[t & 0xff] = 1;\n3+  a[t] = 1;\n\n"},
        /* the column of the block, not that of the grid, and the other axis */
        {CODE_MISMATCH, 5, 3, 0,
         KERNEL "  int x = threadIdx.x;\n  int i = blockIdx.x * 16 + x;\n  a[x] = 1;\n}\n",
         "5-  a[x] = 1;\n5+  a[i] = 1;\n\n"},
        {CODE_MISMATCH, 4, 3, 0,
         KERNEL "  int i = blockIdx.y * 16 + threadIdx.x;\n  a[i] = 1;\n}\n",
         "3-  int i = blockIdx.y * 16 + threadIdx.x;\n"
         "3+  int i = blockIdx.x * 16 + threadIdx.x;\n\n"},
        /* in a function that the line calls */
        {CODE_MISMATCH, 7, 3, 0,
         "__device__ int f(int v)\n{\n  return v > 8 ? 0 : v;\n}\n" KERNEL "  a[n] = f(n);\n}\n",
         "3-  return v > 8 ? 0 : v;\n3+  return v;\n\n"},
        /* not like the statements beside it */
        {CODE_MISMATCH, 6, 3, 0,
         KERNEL "  float x = b.x - c.x;\n  float y = b.y - c.x;\n  float z = b.z - c.z;\n"
                "  a[0] = x + y + z;\n}\n",
         "4-  float y = b.y - c.x;\n4+  float y = b.y - c.y;\n\n"},
        {CODE_MISMATCH, 5, 3, 0,
         KERNEL "  float x = b.x - c.x;\n  float y = c.y - b.y;\n  a[0] = x + y;\n}\n",
         "4-  float y = c.y - b.y;\n4+  float y = b.y - c.y;\n\n"},
        {CODE_GLOBAL_RACE, 3, 3, 3, KERNEL "  a[0] = s[t];\n}\n",
         "3-  a[0] = s[t];\n3+  atomicAdd(&a[0], s[t]);\n\n"},
        {CODE_NOT_A_NUMBER, 4, 3, 0, KERNEL "  float s[32];\n  s[t] = a[t];\n}\n",
         "3-  float s[32];\n3+  __shared__ float s[32];\n\n"},
        {CODE_MISMATCH, 7, 5, 0,
         KERNEL "  float sum = 0;\n  for (int i = 0; i < n; i++) {\n"
                "    for (int j = 0; j < n; j++)\n      v++;\n    sum += s[i];\n  }\n}\n",
         "4+    sum = 0;\n\n"},
        {CODE_BAD_OPERAND, 3, 3, 0, "void f(float *d)\n{\n  cudaFree(d);\n}\n",
         "3-  cudaFree(d);\n\n"},
        {CODE_COMPILE_ERROR, 3, 3, 0, KERNEL "  __synchthreads();\n}\n",
         "3-  __synchthreads();\n3+  __syncthreads();\n\n"},
        {CODE_COMPILE_ERROR, 4, 3, 0, KERNEL "  int i = 0\n  a[0] = i;\n}\n",
         "3-  int i = 0\n3+  int i = 0;\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Names of the wrong axis, and what has the shape of a mistake. */
static void axes_and_shapes(void **state)
{
    static const struct row rows[] = {
        {CODE_MISMATCH, 6, 3, 0,
         "enum { COLS = 32, ROWS = 8 };\n" KERNEL
         "  int top = blockIdx.y * COLS;\n  int y = top + t;\n  a[y] = 1;\n}\n",
         "4-  int top = blockIdx.y * COLS;\n4+  int top = blockIdx.y * ROWS;\n\n"},
        {CODE_MISMATCH, 6, 3, 0,
         "enum { EDGE = 8 };\n" KERNEL "  int left = blockIdx.x * n - 1;\n"
         "  int top = blockIdx.y * EDGE - 1;\n  a[top] = left;\n}\n",
         "4-  int left = blockIdx.x * n - 1;\n4+  int left = blockIdx.x * EDGE - 1;\n\n"},
        {CODE_MISMATCH, 5, 3, 0,
         "__global__ void k(float *a, float x0, float x1, float y0, float y1, int width,\n"
         "                  int height)\n{\n  float cy = y0 + t * (x1 - x0) / width;\n"
         "  a[0] = cy;\n  float cx = 0;\n}\n",
         "4-  float cy = y0 + t * (x1 - x0) / width;\n"
         "4+  float cy = y0 + t * (y1 - y0) / height;\n\n"},
        {CODE_MISMATCH, 3, 3, 0, KERNEL "  a[0] = make_float2(b.x + n * c.x, n * c.y);\n}\n",
         "3-  a[0] = make_float2(b.x + n * c.x, n * c.y);\n"
         "3+  a[0] = make_float2(b.x + n * c.x, b.y + n * c.y);\n\n"},
        {CODE_MISMATCH, 3, 3, 0, KERNEL "  a[0] = (char)0.5f * n + 0.5f;\n}\n",
         "3-  a[0] = (char)0.5f * n + 0.5f;\n3+  a[0] = (char)(0.5f * n + 0.5f);\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  for (int k = 1; k <= n; k++)\n    a[k] = 1;\n}\n",
         "3-  for (int k = 1; k <= n; k++)\n3+  for (int k = 0; k < n; k++)\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  for (int k = 1; k < n; k *= 2)\n    a[k] = 1;\n}\n",
         "3-  for (int k = 1; k < n; k *= 2)\n3+  for (int k = n / 2; k > 0; k /= 2)\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  for (int k = 1; k < n + 1; k <<= 1)\n    a[k] = 1;\n}\n",
         "3-  for (int k = 1; k < n + 1; k <<= 1)\n"
         "3+  for (int k = (n + 1) / 2; k > 0; k >>= 1)\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  for (int k = n / 2; k > 0; k >>= 1)\n    a[k] = 1;\n}\n",
         "3-  for (int k = n / 2; k > 0; k >>= 1)\n3+  for (int k = 1; k < n; k <<= 1)\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  bool is = t > 0 && n > 0;\n  a[0] = is;\n}\n",
         "3-  bool is = t > 0 && n > 0;\n3+  bool is = t >= 0 && n >= 0;\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  int i = blockIdx.x + threadIdx.x * 8;\n  a[i] = 1;\n}\n",
         "3-  int i = blockIdx.x + threadIdx.x * 8;\n"
         "3+  int i = threadIdx.x + blockIdx.x * 8;\n\n"},
        {CODE_MISMATCH, 9, 3, 0,
         "__device__ int f(int re, int im)\n{\n  return re - im;\n}\n" KERNEL
         "  int re = t;\n  int im = n;\n  a[0] = f(im, re);\n}\n",
         "9-  a[0] = f(im, re);\n9+  a[0] = f(re, im);\n\n"},
        {CODE_MISMATCH, 4, 3, 0,
         KERNEL "  __shared__ float counts[8];\n  atomicAdd(&a[t], 1);\n}\n",
         "4-  atomicAdd(&a[t], 1);\n4+  atomicAdd(&a[t], counts[t]);\n\n"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Text that is no C++ does no harm. */
/* What must not be tried: it may pass, and be wrong. */
static void values_go_through_types_and_limits(void **state)
{
    static const struct row rows[] = {
        {CODE_MISMATCH, 7, 3, 0,
         "__device__ float f(int a, int b)\n{\n  return a + b;\n}\n" KERNEL
         "  a[0] = f(a[0], a[1]);\n}\n",
         "1-__device__ float f(int a, int b)\n1+__device__ float f(float a, float b)\n\n"},
        {CODE_MISMATCH, 3, 3, 0, KERNEL "  int most = -INT_MAX;\n  a[0] = most;\n}\n",
         "3-  int most = -INT_MAX;\n3+  int most = INT_MIN;\n\n"},
        {CODE_MISMATCH, 3, 3, 0, KERNEL "  float most = FLT_MIN;\n  a[0] = most;\n}\n",
         "3-  float most = FLT_MIN;\n3+  float most = -FLT_MAX;\n\n"},
        {CODE_MISMATCH, 4, 3, 0, KERNEL "  for (int d = WARP; d > 0; d /= 2)\n    a[d] += 1;\n}\n",
         "3-  for (int d = WARP; d > 0; d /= 2)\n3+  for (int d = WARP / 2; d > 0; d /= 2)\n\n"},
        {CODE_MISMATCH, 5, 3, 0,
         KERNEL "  int i = blockIdx.x * 9 + threadIdx.x;\n  for (int m = 0; m < n; m += 9)\n"
                "    a[i] = a[m + i];\n}\n",
         "5-    a[i] = a[m + i];\n5+    a[i] = a[m + threadIdx.x];\n\n"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void nothing_that_only_passes(void **state)
{
    static const struct {
        enum code code;
        const char *statement, *never;
    } rows[] = {
        {CODE_STATE_KEPT, "a[0] = calls > 1 ? 0 : n;", "calls > 2"},
        {CODE_STATE_KEPT, "a[0] = calls > 1 ? 0 : n;", "calls >= 1"},
        {CODE_STATE_KEPT, "a[0] = calls / 8 * n;", "calls / 9"},
        {CODE_GLOBAL_OUT_OF_BOUNDS, "if (i <= n)\n  a[i] = 1;", "if (i < n) a[i]"},
        {CODE_MISMATCH, "a[0] = 1; cudaMalloc(&a, 64 * n);", "128"},
        {CODE_MISMATCH, "if (n < 64) a[0] = n;", "65"},
        {CODE_MISMATCH, "a[0] = 5 * t > n;", "6 *"},
        {CODE_MISMATCH, "a[0] = min(n, 64);", "128"},
        {CODE_MISMATCH, "a[0] = min(64, f(n));", "128"},
        {CODE_MISMATCH, "a[0] = n < 64 ? n : 64;", "128"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char source[256];
        const int line = strchr(rows[i].statement, '\n') != NULL ? 5 : 4; /* the last one */
        struct row row = {rows[i].code, line, 3, 0, source, ""};
        struct text made;
        snprintf(source, sizeof source, KERNEL "  int i = threadIdx.x;\n  %s\n}\n",
                 rows[i].statement);
        text_init(&made);
        make_candidates(&row, &made);
        if (strstr(made.bytes, rows[i].never) != NULL) {
            fail_msg("row %zu has %s in\n%s", i, rows[i].never, made.bytes);
        }
        text_release(&made);
    }
}

static void broken_text_is_accepted(void **state)
{
    static const char *const texts[] = {"",
                                        "{",
                                        "__global__ void k(",
                                        KERNEL "  for (",
                                        KERNEL "  a[t][\n}\n",
                                        KERNEL "  if\n}\n",
                                        "void f() {\n k<<<n / \n}\n",
                                        "void f() {\n k<<<dim3(,), 2>>>(\n}\n",
                                        "void f() {\n cudaMalloc(\n cudaMemcpy(,,)\n}\n"};
    struct text made;
    (void)state;

    text_init(&made);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int code = 0; code < CODE_COUNT; code++) {
            for (int line = 0; line < 5; line++) {
                const struct row row = {(enum code)code, line, 1, line, texts[i], ""};
                make_candidates(&row, &made);
            }
        }
    }
    text_release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers),
        cmocka_unit_test(early_returns),
        cmocka_unit_test(missing_copies),
        cmocka_unit_test(atomics),
        cmocka_unit_test(bounds),
        cmocka_unit_test(sizes),
        cmocka_unit_test(values),
        cmocka_unit_test(host_code),
        cmocka_unit_test(small_edits),
        cmocka_unit_test(axes_and_shapes),
        cmocka_unit_test(values_go_through_types_and_limits),
        cmocka_unit_test(nothing_that_only_passes),
        cmocka_unit_test(broken_text_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
