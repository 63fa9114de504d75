/* test_libdevice.c: the functions of libdevice, called by name as clang without a toolkit does.
 *
 * tests/emulated/libdevice.txt has rows for every function:
 *
 *   name ; arguments ; expected result, and what is stored
 *
 * Numbers are bits, as many digits as their type has; ~N behind a result allows N units in the last
 * place; "-" is no result. An argument & is a pointer to CELL_BYTES that are stored to; &X,Y and
 * &'text' point to what is read. Each function has a kernel, in which a thread does one row; it is
 * launched twice: all lanes call, and odd lanes alone, whose neighbours must keep their values.
 */
#include "device/emulated/libdevice/libdevice.h"
#include "emulated_fixture.h"

#include <stdlib.h>

#define DEADLINE_NS UINT64_C(1000000000000)
#define KEPT_WORD UINT64_C(0x5a5a5a5a5a5a5a5a)

enum { ROWS_MAX = 64, CELL_BYTES = 32, OUT_MAX = 3, LINE_BYTES_MAX = 256 };

/* What a thread reads and writes in memory. */
struct record {
    uint64_t arguments[LIBDEVICE_PARAMETERS];
    uint64_t result;
    uint64_t unused;
    uint8_t cells[LIBDEVICE_PARAMETERS][CELL_BYTES];
};

struct expected {
    bool is_nothing;
    unsigned bytes;
    uint64_t bits, tolerance;
};

struct row {
    struct record record; /* pointers are filled in when the address is known */
    bool is_pointer[LIBDEVICE_PARAMETERS];
    bool is_stored[LIBDEVICE_PARAMETERS];
    unsigned argument_count;
    struct expected out[OUT_MAX];
    unsigned out_count;
};

/* The rows of one function. */
struct rows {
    char name[64];
    unsigned first_line;
    struct row items[ROWS_MAX];
    size_t count;
};

/* Bits in hexadecimal; returns how many bytes they have. */
static unsigned read_bits(const char *text, char **out_end, uint64_t *out_bits)
{
    *out_bits = strtoull(text, out_end, 16);
    return (unsigned)(*out_end - text) / 2;
}

/* What lies behind a pointer that is read. */
static void read_cells(const char *text, uint8_t cell[CELL_BYTES])
{
    size_t at = 0;
    if (*text == '\'') {
        size_t length = strcspn(text + 1, "'");
        assert_true(length < CELL_BYTES);
        memset(cell, 0, CELL_BYTES);
        memcpy(cell, text + 1, length);
        return;
    }
    while (*text != '\0') {
        char *end;
        uint64_t bits;
        unsigned bytes = read_bits(text, &end, &bits);
        assert_true(at + bytes <= CELL_BYTES);
        memcpy(cell + at, &bits, bytes);
        at += bytes;
        text = *end == ',' ? end + 1 : end;
    }
}

static void read_argument(const char *token, struct row *row)
{
    unsigned k = row->argument_count++;
    assert_true(k < LIBDEVICE_PARAMETERS);
    if (*token != '&') {
        char *end;
        read_bits(token, &end, &row->record.arguments[k]);
        return;
    }
    row->is_pointer[k] = true;
    row->is_stored[k] = token[1] == '\0';
    read_cells(token + 1, row->record.cells[k]);
}

static void read_expected(const char *token, struct row *row)
{
    assert_true(row->out_count < OUT_MAX);
    struct expected *expected = &row->out[row->out_count++];
    char *end;
    expected->is_nothing = *token == '-';
    expected->bytes = read_bits(token, &end, &expected->bits);
    expected->tolerance = *end == '~' ? strtoull(end + 1, NULL, 10) : 0;
}

/* Reads a line behind its name. */
static void read_row(char *arguments, struct row *row)
{
    char *expected = strchr(arguments, ';');
    assert_non_null(expected);
    *expected++ = '\0';
    memset(row, 0, sizeof *row);
    memset(&row->record, KEPT_WORD & 0xff, sizeof row->record);
    char *rest;
    for (char *token = strtok_r(arguments, " \n", &rest); token != NULL;
         token = strtok_r(NULL, " \n", &rest)) {
        read_argument(token, row);
    }
    for (char *token = strtok_r(expected, " \n", &rest); token != NULL;
         token = strtok_r(NULL, " \n", &rest)) {
        read_expected(token, row);
    }
    assert_true(row->out_count > 0);
}

static const struct libdevice_function *function_named(const char *name)
{
    const struct libdevice_function *functions;
    size_t count = libdevice_functions(&functions);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    fail_msg("there is no function %s", name);
    return NULL;
}

/* How a value of so many bytes is declared, as clang does. */
static unsigned declared_bits(uint8_t bytes)
{
    return bytes == 8 ? 64 : 32;
}

/* Appends the declaration of a function. */
static size_t put_declaration(char *out, size_t size, const struct libdevice_function *function)
{
    size_t n = (size_t)snprintf(out, size, PTX_HEAD ".extern .func ");
    if (function->result != 0) {
        n += (size_t)snprintf(out + n, size - n, "(.param .b%u func_retval0) ",
                              declared_bits(function->result));
    }
    n += (size_t)snprintf(out + n, size - n, "__nv_%s\n(\n", function->name);
    for (unsigned k = 0; k < LIBDEVICE_PARAMETERS && function->parameters[k] != 0; k++) {
        n += (size_t)snprintf(out + n, size - n, "%s.param .b%u param_%u", k == 0 ? "" : ",\n",
                              declared_bits(function->parameters[k]), k);
    }
    return n + (size_t)snprintf(out + n, size - n, "\n)\n;\n");
}

/* Appends the call, with arguments and result in the record at %at. */
static size_t put_call(char *out, size_t size, const struct libdevice_function *function,
                       const char *guard)
{
    size_t n = (size_t)snprintf(out, size, "{\n");
    for (unsigned k = 0; k < LIBDEVICE_PARAMETERS && function->parameters[k] != 0; k++) {
        unsigned bits = declared_bits(function->parameters[k]);
        n += (size_t)snprintf(out + n, size - n,
                              "ld.global.b%u %%v%u, [%%at+%u];\n.param .b%u p%u;\n"
                              "st.param.b%u [p%u+0], %%v%u;\n",
                              bits, bits, k * 8, bits, k, bits, k, bits);
    }
    unsigned result = declared_bits(function->result);
    if (function->result != 0) {
        n += (size_t)snprintf(out + n, size - n, ".param .b%u r;\n", result);
    }
    n += (size_t)snprintf(out + n, size - n, "%scall.uni %s__nv_%s, (", guard,
                          function->result != 0 ? "(r), " : "", function->name);
    for (unsigned k = 0; k < LIBDEVICE_PARAMETERS && function->parameters[k] != 0; k++) {
        n += (size_t)snprintf(out + n, size - n, "%sp%u", k == 0 ? "" : ", ", k);
    }
    n += (size_t)snprintf(out + n, size - n, ");\n");
    if (function->result != 0) {
        n += (size_t)snprintf(
            out + n, size - n, "ld.param.b%u %%v%u, [r+0];\n%sst.global.b%u [%%at+%zu], %%v%u;\n",
            result, result, guard, result, offsetof(struct record, result), result);
    }
    return n + (size_t)snprintf(out + n, size - n, "}\n");
}

static void build_kernel(const struct libdevice_function *function, bool odd_lanes_only, char *out,
                         size_t size)
{
    size_t n = put_declaration(out, size, function);
    n += (size_t)snprintf(out + n, size - n,
                          ".visible .entry k(.param .u64 in)\n{\n.reg .b64 %%at, %%o, %%v64;\n"
                          ".reg .b32 %%t, %%w, %%v32;\n.reg .pred %%odd;\n"
                          "ld.param.u64 %%at, [in];\nmov.u32 %%t, %%tid.x;\n"
                          "mul.wide.u32 %%o, %%t, %zu;\nadd.s64 %%at, %%at, %%o;\n"
                          "and.b32 %%w, %%t, 1;\nsetp.eq.u32 %%odd, %%w, 1;\n",
                          sizeof(struct record));
    n += put_call(out + n, size - n, function, odd_lanes_only ? "@%odd " : "");
    snprintf(out + n, size - n, "ret;\n}\n");
}

static bool is_within(const struct expected *expected, uint64_t got)
{
    uint64_t distance = got > expected->bits ? got - expected->bits : expected->bits - got;
    return distance <= expected->tolerance;
}

/* Holds what a thread has written to its row; prints what differs and returns false. */
static bool check_row(const struct rows *rows, size_t index, const struct record *got,
                      bool is_called)
{
    const struct row *row = &rows->items[index];
    unsigned cell = 0;
    bool is_right = true;
    for (unsigned i = 0; i < row->out_count; i++) {
        uint64_t bits = got->result;
        if (i > 0) {
            while (!row->is_stored[cell]) {
                cell++;
            }
            memcpy(&bits, got->cells[cell++], sizeof bits);
        }
        struct expected expected = row->out[i];
        if (expected.is_nothing || !is_called) {
            expected = (struct expected){.bytes = 8, .bits = KEPT_WORD};
        }
        unsigned bytes = expected.bytes < 4 ? 4 : expected.bytes; /* as small ones are declared */
        bits &= UINT64_MAX >> (64 - bytes * 8);
        if (!is_within(&expected, bits)) {
            print_error("%s, row %zu: value %u is %016llx, expected %016llx\n", rows->name,
                        index + 1, i, (unsigned long long)bits, (unsigned long long)expected.bits);
            is_right = false;
        }
    }
    return is_right;
}

/* Runs all rows of a function; returns how many are wrong. */
static size_t run_rows(struct device *device, const struct rows *rows, bool odd_lanes_only)
{
    static struct record records[ROWS_MAX];
    char ptx[4096];
    size_t bytes = rows->count * sizeof *records;
    uint64_t address = fixture_allocate(device, bytes);
    build_kernel(function_named(rows->name), odd_lanes_only, ptx, sizeof ptx);
    for (size_t i = 0; i < rows->count; i++) {
        records[i] = rows->items[i].record;
        for (unsigned k = 0; k < LIBDEVICE_PARAMETERS; k++) {
            if (rows->items[i].is_pointer[k]) {
                records[i].arguments[k] =
                    address + i * sizeof *records + offsetof(struct record, cells[k]);
            }
        }
    }
    assert_true(device_write(device, address, records, bytes));
    uint32_t module = fixture_load(device, ptx);
    struct device_launch_result result =
        fixture_launch(device, module, 1, (uint32_t)rows->count, &address);
    if (result.status != LAUNCH_DONE || result.finding_count != 0) {
        print_error("%s: status %d, %s\n", rows->name, (int)result.status,
                    result.finding_count > 0 ? result.findings[0].text : "");
    }
    assert_true(device_read(device, address, records, bytes));
    size_t wrong = result.status != LAUNCH_DONE || result.finding_count != 0;
    for (size_t i = 0; i < rows->count; i++) {
        wrong += !check_row(rows, i, &records[i], !odd_lanes_only || i % 2 == 1);
    }
    device_release(device, address);
    return wrong;
}

static size_t run_function(struct device *device, const struct rows *rows)
{
    return run_rows(device, rows, false) + run_rows(device, rows, true);
}

static void test_every_function(void **state)
{
    (void)state;
    static struct rows rows;
    const struct libdevice_function *functions;
    size_t function_count = libdevice_functions(&functions);
    size_t wrong = 0;
    size_t called = 0;
    char line[LINE_BYTES_MAX];
    FILE *file = fopen(GPUGRADE_SOURCE_DIR "/tests/emulated/libdevice.txt", "re");
    assert_non_null(file);
    struct device *device = fixture_open(1, DEADLINE_NS);
    while (fgets(line, sizeof line, file) != NULL) {
        char *arguments = strstr(line, " ;");
        if (line[0] == '#') {
            continue;
        }
        assert_non_null(arguments);
        *arguments = '\0';
        if (rows.count > 0 && strcmp(rows.name, line) != 0) {
            wrong += run_function(device, &rows);
            called++;
            rows.count = 0;
        }
        assert_true(rows.count < ROWS_MAX);
        snprintf(rows.name, sizeof rows.name, "%.63s", line);
        read_row(arguments + 2, &rows.items[rows.count++]);
    }
    wrong += run_function(device, &rows);
    device_close(device);
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_int_equal(called + 1, function_count); /* rows of a function stand together */
}

/* A kernel whose parameter is `out`, with its address in %a. */
#define KERNEL(body)                                                                               \
    ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %a, %rd<9>; .reg .b32 %r<9>;\n"              \
    ".reg .f32 %f<9>;\n"                                                                           \
    "ld.param.u64 %a, [out];\n" body "ret;\n}\n"

/* Calls sqrtf of 4, and stores the result. */
#define CALL_SQRT                                                                                  \
    "mov.f32 %f1, 0f40800000;\n{\n.param .b32 p0;\nst.param.f32 [p0+0], %f1;\n"                    \
    ".param .b32 r0;\ncall.uni (r0), __nv_sqrtf, (p0);\nld.param.f32 %f2, [r0+0];\n}\n"            \
    "st.global.f32 [%a], %f2;\n"

/* Runs a kernel in one thread over 4 words. */
static struct device_launch_result run_words(struct device *device, const char *ptx,
                                             uint32_t words[4])
{
    uint64_t address = fixture_allocate(device, 16);
    assert_true(device_fill(device, address, 16, 0, 4));
    struct device_launch_result result =
        fixture_launch(device, fixture_load(device, ptx), 1, 1, &address);
    assert_true(device_read(device, address, words, 16));
    return result;
}

static void test_a_body_of_the_module_counts(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t words[4];
    struct device_launch_result result = run_words(
        device,
        PTX_HEAD ".func (.param .b32 r) __nv_sqrtf(.param .b32 x)\n{\n.reg .f32 %f<3>;\n"
                 "ld.param.f32 %f1, [x];\nadd.f32 %f2, %f1, %f1;\nst.param.f32 [r+0], %f2;\n"
                 "ret;\n}\n" KERNEL(CALL_SQRT),
        words);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(words[0], 0x41000000);
    device_close(device);
}

/* Neither a name that is not in the table nor one that is declared otherwise is executed. */
static void test_other_names_are_refused(void **state)
{
    (void)state;
    static const char *const modules[] = {
        PTX_HEAD ".extern .func (.param .b32 r) __nv_sqrtx(.param .b32 x);\n" KERNEL(
            "{\n.param .b32 p0;\nst.param.b32 [p0+0], 1;\n.param .b32 r0;\n"
            "call.uni (r0), __nv_sqrtx, (p0);\n}\n"),
        PTX_HEAD ".extern .func (.param .b64 r) __nv_sqrtx(.param .b32 x);\n" KERNEL(
            "{\n.param .b32 p0;\nst.param.b32 [p0+0], 1;\n.param .b64 r0;\n"
            "call.uni (r0), __nv_sqrtx, (p0);\n}\n"),
        PTX_HEAD ".extern .func (.param .b32 r) __nv_sqrtf(.param .b64 x);\n" KERNEL(
            "{\n.param .b64 p0;\nst.param.b64 [p0+0], %a;\n.param .b32 r0;\n"
            "call.uni (r0), __nv_sqrtf, (p0);\n}\n"),
        PTX_HEAD ".extern .func __nv_sqrtf(.param .b32 x);\n" KERNEL(
            "{\n.param .b32 p0;\nst.param.b32 [p0+0], 1;\ncall.uni __nv_sqrtf, (p0);\n}\n"),
    };
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        struct device *device = fixture_open(1, DEADLINE_NS);
        uint32_t words[4];
        struct device_launch_result result = run_words(device, modules[i], words);
        assert_int_equal(result.status, LAUNCH_UNSUPPORTED);
        const struct finding_record *finding =
            fixture_finding(&result, FINDING_RECORD_UNKNOWN_FUNCTION);
        assert_non_null(strstr(finding->text, "__nv_sqrt"));
        device_close(device);
    }
}

/* Calls sincosf of 0 with a pointer in %rd1 and one to [%a + 4]. */
#define CALL_SINCOS                                                                                \
    "{\n.param .b32 p0;\nst.param.b32 [p0+0], 0;\n.param .b64 p1;\nst.param.b64 [p1+0], %rd1;\n"   \
    ".param .b64 p2;\nadd.s64 %rd2, %a, 4;\nst.param.b64 [p2+0], %rd2;\n"                          \
    "call.uni __nv_sincosf, (p0, p1, p2);\n}\n"
#define SINCOS_HEAD                                                                                \
    PTX_HEAD ".extern .func __nv_sincosf(.param .b32 x, .param .b64 s, .param .b64 c);\n"

static void test_results_in_local_memory(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t words[4];
    struct device_launch_result result =
        run_words(device,
                  SINCOS_HEAD KERNEL(".local .align 4 .b8 room[8];\nmov.u64 %rd3, room;\n"
                                     "cvta.local.u64 %rd1, %rd3;\nadd.s64 %rd1, %rd1, 4;\n"
                                     "st.local.u32 [%rd3+4], 7;\n" CALL_SINCOS
                                     "ld.local.u32 %r1, [%rd3+4];\nst.global.u32 [%a], %r1;\n"),
                  words);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 0x3f800000);
    device_close(device);
}

static void test_bad_pointers_are_findings(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        enum finding_record_kind kind;
    } pointers[] = {
        {"mov.u64 %rd1, 0;\n", FINDING_RECORD_NULL_POINTER},
        {"add.s64 %rd1, %a, 16;\n", FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS},
        {"add.s64 %rd1, %a, 1;\n", FINDING_RECORD_MISALIGNED},
    };
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        struct device *device = fixture_open(1, DEADLINE_NS);
        uint32_t words[4];
        char ptx[2048];
        snprintf(ptx, sizeof ptx, "%s%s%s%s",
                 SINCOS_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %a, %rd<9>;\n"
                             "ld.param.u64 %a, [out];\n",
                 pointers[i].set, CALL_SINCOS, "ret;\n}\n");
        struct device_launch_result result = run_words(device, ptx, words);
        fixture_finding(&result, pointers[i].kind);
        assert_int_equal(words[1], 0x3f800000); /* the other pointer is good */
        device_close(device);
    }
}

/* Vectors that reach beyond what is there. */
static void test_reading_beyond_the_end_is_a_finding(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t words[4];
    struct device_launch_result result = run_words(
        device,
        PTX_HEAD ".extern .func (.param .b32 r) __nv_normf(.param .b32 n, .param .b64 v);\n" KERNEL(
            "{\n.param .b32 p0;\nst.param.b32 [p0+0], 2147483647;\n.param .b64 p1;\n"
            "st.param.b64 [p1+0], %a;\n.param .b32 r0;\ncall.uni (r0), __nv_normf, (p0, p1);\n}\n"),
        words);
    assert_int_equal(result.finding_count, 1);
    fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function),
        cmocka_unit_test(test_a_body_of_the_module_counts),
        cmocka_unit_test(test_other_names_are_refused),
        cmocka_unit_test(test_results_in_local_memory),
        cmocka_unit_test(test_bad_pointers_are_findings),
        cmocka_unit_test(test_reading_beyond_the_end_is_a_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
