/* test_emulated_ops.c: each row of tests/emulated/ops/ in a kernel of its own, on each variant of
 * the hot loop that this processor can run.
 *
 *   instruction ; input bits of a, b, c, f ; expected bits of d, e
 *
 * Several instructions, joined by " & ", run one after the other (add.cc and addc).
 * The width of a register follows from the number of digits (4, 8 or 16); p0 and p1 are
 * predicates; ~N behind a result allows N units in the last place. Each instruction is executed
 * twice: by all 32 lanes, and by the odd lanes alone, whose neighbours must keep their values.
 */
#include "device/emulated/machine.h"
#include "emulated_fixture.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

enum { VALUES_MAX = 6, LINE_MAX_BYTES = 512, KEPT = 0x5a };

struct value {
    char name; /* of the register: a b c f d e */
    bool is_predicate;
    unsigned bytes;
    uint64_t bits;
    uint64_t tolerance;
};

struct row {
    char instruction[LINE_MAX_BYTES];
    struct value values[VALUES_MAX]; /* inputs first */
    size_t input_count, count;
};

static const char *const type_names[] = {[2] = "b16", [4] = "b32", [8] = "b64"};

/* Reads the values of one column; false if one is malformed. */
static bool read_values(char *column, const char *names, struct row *row)
{
    char *rest = column;
    for (char *token = strtok_r(column, " \n", &rest); token != NULL;
         token = strtok_r(NULL, " \n", &rest)) {
        struct value *value = &row->values[row->count];
        if (*names == '\0' || row->count == VALUES_MAX) {
            return false;
        }
        *value = (struct value){.name = *names++};
        if (token[0] == 'p') {
            value->is_predicate = true;
            value->bytes = 4;
            value->bits = (uint64_t)(token[1] - '0');
        } else {
            char *end;
            value->bits = strtoull(token, &end, 16);
            value->bytes = (unsigned)(end - token) / 2;
            value->tolerance = *end == '~' ? strtoull(end + 1, NULL, 10) : 0;
        }
        if (value->bytes != 2 && value->bytes != 4 && value->bytes != 8) {
            return false;
        }
        row->count++;
    }
    return true;
}

static bool read_row(char *line, struct row *out_row)
{
    char *inputs = strchr(line, ';');
    char *expected = inputs == NULL ? NULL : strchr(inputs + 1, ';');
    if (expected == NULL) {
        return false;
    }
    *inputs++ = '\0';
    *expected++ = '\0';
    *out_row = (struct row){.count = 0};
    snprintf(out_row->instruction, sizeof out_row->instruction, "%s", line);
    if (!read_values(inputs, "abcf", out_row)) {
        return false;
    }
    out_row->input_count = out_row->count;
    return read_values(expected, "de", out_row) && out_row->count > out_row->input_count;
}

/* Appends the instruction with %a for a, and so on: letters that stand alone, behind its name. */
static size_t put_instruction(char *out, size_t size, const struct row *row, const char *guard)
{
    size_t length = (size_t)snprintf(out, size, "%s", guard);
    bool in_operands = false;
    const char *text = row->instruction;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] == '&') {
            length += (size_t)snprintf(out + length, size - length, ";\n%s", guard);
            in_operands = false;
            i++;
            continue;
        }
        bool is_alone = (i == 0 || !(isalnum((unsigned char)text[i - 1]) || text[i - 1] == '%' ||
                                     text[i - 1] == '.')) &&
                        !isalnum((unsigned char)text[i + 1]);
        bool is_name = in_operands && is_alone && strchr("abcfde", text[i]) != NULL;
        in_operands = in_operands || text[i] == ' ';
        length += (size_t)snprintf(out + length, size - length, is_name ? "%%%c" : "%c", text[i]);
    }
    return length + (size_t)snprintf(out + length, size - length, ";\n");
}

/* A kernel that loads the inputs from [in], and stores the results of lane i at [out + i * 8]. */
static void build_kernel(const struct row *row, bool odd_lanes_only, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size,
                                PTX_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                                         ".reg .b64 %%in, %%out, %%at;\n.reg .b32 %%t, %%w;\n"
                                         ".reg .pred %%odd;\n"
                                         "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\n"
                                         "mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 8;\n"
                                         "add.s64 %%out, %%out, %%at;\nand.b32 %%w, %%t, 1;\n"
                                         "setp.eq.u32 %%odd, %%w, 1;\n");
    for (size_t i = 0; i < row->count; i++) {
        const struct value *value = &row->values[i];
        bool is_input = i < row->input_count;
        const char *type = value->is_predicate ? "pred" : type_names[value->bytes];
        n += (size_t)snprintf(out + n, size - n, ".reg .%s %%%c;\n", type, value->name);
        if (value->is_predicate) {
            n += (size_t)snprintf(out + n, size - n,
                                  "ld.global.u32 %%w, [%%in+%zu];\nsetp.ne.u32 %%%c, %%w, 0;\n",
                                  i * 8, value->name);
        } else if (is_input || odd_lanes_only) {
            n += (size_t)snprintf(out + n, size - n, "ld.global.%s %%%c, [%%in+%zu];\n", type,
                                  value->name, i * 8);
        }
    }
    n += put_instruction(out + n, size - n, row, odd_lanes_only ? "@%odd " : "");
    for (size_t i = row->input_count; i < row->count; i++) {
        const struct value *value = &row->values[i];
        size_t offset = (i - row->input_count) * 256;
        if (value->is_predicate) {
            n += (size_t)snprintf(out + n, size - n,
                                  "selp.b32 %%w, 1, 0, %%%c;\nst.global.u32 [%%out+%zu], %%w;\n",
                                  value->name, offset);
        } else {
            n += (size_t)snprintf(out + n, size - n, "st.global.%s [%%out+%zu], %%%c;\n",
                                  type_names[value->bytes], offset, value->name);
        }
    }
    snprintf(out + n, size - n, "ret;\n}\n");
}

static bool is_within(const struct value *value, uint64_t got)
{
    uint64_t distance = got > value->bits ? got - value->bits : value->bits - got;
    return distance <= value->tolerance;
}

/* Runs a row once; prints what differs and returns false. */
static bool run_row(struct device *device, const struct row *row, bool odd_lanes_only,
                    const char *place)
{
    char ptx[4096];
    uint64_t memory[VALUES_MAX + 2 * LANES] = {0};
    build_kernel(row, odd_lanes_only, ptx, sizeof ptx);
    for (size_t i = 0; i < row->count; i++) {
        memset(&memory[i], KEPT, sizeof memory[i]);
        if (i < row->input_count) {
            memory[i] = row->values[i].bits;
        }
    }
    uint32_t module = fixture_load(device, ptx);
    uint64_t address = fixture_allocate(device, sizeof memory);
    device_write(device, address, memory, sizeof memory);
    uint64_t parameters[2] = {address, address + sizeof(uint64_t) * VALUES_MAX};
    struct device_launch_result result = fixture_launch(device, module, 1, LANES, parameters);
    bool is_right = result.status == LAUNCH_DONE && result.finding_count == 0;
    if (!is_right) {
        print_error("%s: %s: status %d, %s\n", place, row->instruction, (int)result.status,
                    result.finding_count > 0 ? result.findings[0].text : "");
    }
    device_read(device, address, memory, sizeof memory);
    for (size_t i = row->input_count; i < row->count && is_right; i++) {
        const struct value *value = &row->values[i];
        for (unsigned lane = 0; lane < LANES && is_right; lane++) {
            uint64_t got = memory[VALUES_MAX + (i - row->input_count) * LANES + lane];
            struct value kept = {.bits = UINT64_C(0x5a5a5a5a5a5a5a5a) >> (64 - value->bytes * 8)};
            kept.bits = value->is_predicate ? 1 : kept.bits;
            bool executes = !odd_lanes_only || lane % 2 == 1;
            is_right = is_within(executes ? value : &kept, got);
            if (!is_right) {
                print_error("%s: %s: lane %u of %c is %016llx\n", place, row->instruction, lane,
                            value->name, (unsigned long long)got);
            }
        }
    }
    device_release(device, address);
    return is_right;
}

static const char *variant_name;

static enum error open_variant(const struct device_config *config, void **out_state,
                               struct diagnostic *diagnostic)
{
    return emulated_open(config, variant_name, out_state, diagnostic);
}

static struct device *open_with_variant(void)
{
    struct device_backend backend = device_emulated;
    static struct device_backend kept;
    backend.open = open_variant;
    kept = backend;
    struct device_config config = {
        .memory_limit_bytes = 1 << 20, .launch_deadline_ns = UINT64_C(1000000000000), .threads = 1};
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    assert_int_equal(device_open(&kept, &config, &device, &diagnostic), ERROR_NONE);
    return device;
}

/* Runs the rows of a file; returns how many are wrong. */
static size_t run_file(const char *path, size_t *rows)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    char line[LINE_MAX_BYTES];
    size_t wrong = 0;
    struct device *device = open_with_variant();
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        struct row row;
        char place[2048];
        snprintf(place, sizeof place, "%s:%u (%s)", path, number, variant_name);
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        if (!read_row(line, &row)) {
            print_error("%s: not a row\n", place);
            wrong++;
            continue;
        }
        wrong += !run_row(device, &row, false, place) || !run_row(device, &row, true, place);
        (*rows)++;
    }
    device_close(device);
    fclose(file);
    return wrong;
}

static void test_every_row(void **state)
{
    (void)state;
    const struct warp_variant *variants;
    size_t variant_count = warp_variants(&variants);
    size_t rows = 0;
    size_t wrong = 0;
    for (size_t v = 0; v < variant_count; v++) {
        variant_name = variants[v].name;
        DIR *folder = opendir(GPUGRADE_SOURCE_DIR "/tests/emulated/ops");
        assert_non_null(folder);
        for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
            size_t length = strlen(entry->d_name);
            if (length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0) {
                char path[1024];
                snprintf(path, sizeof path, GPUGRADE_SOURCE_DIR "/tests/emulated/ops/%s",
                         entry->d_name);
                wrong += run_file(path, &rows);
            }
        }
        closedir(folder);
    }
    assert_true(rows > 1000);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
