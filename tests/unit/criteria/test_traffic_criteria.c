/* test_traffic_criteria.c: the criteria that read counts: tiled, bank-conflicts, coalescing. */
#include "../criteria_fixture.h"

static struct fixture fixture;
static struct line_count lines[TOY_SHAPES][TOY_PROBES][3];

/* Naive: each of height x width elements loads 2 values of A and 2 of B; in blocks of 8 an eighth.
 */
static const char maximum[] = "8 * 2 * height * width / block";

static struct launch_counts *counts_of(size_t shape, size_t probe)
{
    return &fixture.samples[shape][probe].counts;
}

/* Every probe loads half of the maximum from A and half from B, and reads shared memory. */
static void count_tiles(size_t shape, size_t probe)
{
    struct launch_counts *counts = counts_of(shape, probe);
    const int64_t *size = fixture.observations[shape].parameters;
    uint64_t bytes = (uint64_t)(8 * 2 * size[0] * size[1] / TOY_BLOCK / 2);

    counts->is_counted = true;
    counts->operands[OPERAND_A][COUNT_READ] = (struct access_sum){.requests = bytes / 128,
                                                                  .bytes = bytes,
                                                                  .sectors = bytes / 32,
                                                                  .least_sectors = bytes / 32};
    counts->operands[OPERAND_B][COUNT_READ] = counts->operands[OPERAND_A][COUNT_READ];
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes = 2 * bytes;
    counts->totals[COUNT_SHARED][COUNT_READ].requests = 7;
    counts->totals[COUNT_SHARED][COUNT_READ].bytes = 896;
    lines[shape][probe][0] =
        (struct line_count){"multiply.cu",
                            20,
                            5,
                            COUNT_GLOBAL,
                            COUNT_READ,
                            {.requests = 4, .bytes = bytes, .sectors = 16, .least_sectors = 16}};
    lines[shape][probe][1] = (struct line_count){
        "multiply.cu",
        21,
        5,
        COUNT_GLOBAL,
        COUNT_READ,
        {.requests = 4, .bytes = bytes + 1, .sectors = 16, .least_sectors = 16}};
    lines[shape][probe][2] = (struct line_count){
        "multiply.cu",
        25,
        9,
        COUNT_SHARED,
        COUNT_READ,
        {.requests = 4, .wavefronts = 4, .least_wavefronts = 4, .max_degree = 1}};
    counts->lines = lines[shape][probe];
    counts->line_count = 3;
}

static void set_up_kind(enum criterion_kind kind)
{
    fixture_init(&fixture, kind);
    fixture.criterion.maximum_bytes = toy_expression(&fixture, maximum);
    fixture.criterion.maximum_ratio = 2.0;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        count_tiles(i / TOY_PROBES, i % TOY_PROBES);
    }
}

static int set_up_tiled(void **state)
{
    (void)state;
    set_up_kind(CRITERION_TILED);
    return 0;
}

static int set_up_banks(void **state)
{
    (void)state;
    set_up_kind(CRITERION_BANK_CONFLICTS);
    return 0;
}

static int set_up_coalescing(void **state)
{
    (void)state;
    set_up_kind(CRITERION_COALESCING);
    return 0;
}

static void test_exactly_the_maximum(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "shape")->text, "A 8x2, B 2x16");
    assert_int_equal(fixture_evidence(&fixture, "bytes")->integer, 256);
    assert_true(fixture_evidence(&fixture, "maximum_bytes")->number == 256);
    assert_true(fixture_evidence(&fixture, "naive_bytes")->number == 2048);
    assert_true(fixture_evidence(&fixture, "fraction_of_naive")->number == 0.125);
    assert_true(fixture_evidence(&fixture, "loads_per_multiply_add")->number == 0.25);
    assert_true(fixture_evidence(&fixture, "operations_per_load")->number == 8);
    assert_int_equal(fixture_evidence(&fixture, "sectors")->integer, 8);
    assert_int_equal(fixture_evidence(&fixture, "shared_bytes_per_block")->integer, 512);
    assert_int_equal(fixture_evidence(&fixture, "resident_blocks")->integer, 32);
    assert_string_equal(fixture.verdict.summary, "1/8 of the naive bytes");
    expect_pass(&fixture);
}

static void test_one_load_too_many(void **state)
{
    (void)state;
    counts_of(2, PROBE_FLOAT)->operands[OPERAND_B][COUNT_READ].bytes += 4;
    counts_of(2, PROBE_FLOAT)->totals[COUNT_GLOBAL][COUNT_READ].bytes += 4;
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "shape")->text, "A 16x2, B 2x8");
    assert_string_equal(fixture.verdict.cause.file, "multiply.cu");
    assert_int_equal(fixture.verdict.cause.line, 21);
    assert_int_equal(fixture.verdict.cause.column, 5);
    expect_failure(&fixture, CODE_TOO_MANY_LOADS,
                   "loads 260 bytes, expected at most 256 (without tiles: 2048) from A and B for A "
                   "16x2, B 2x8: 1.016 times");
}

/* Both lines load no more than their part: the one that shares what it loads is not to blame. */
static void test_load_beside_shared_memory(void **state)
{
    static struct line_count seen[5];
    struct launch_counts *counts = counts_of(2, PROBE_FLOAT);
    struct line_count *store = &seen[3];
    (void)state;

    memcpy(seen, counts->lines, 3 * sizeof *seen);
    counts->operands[OPERAND_B][COUNT_READ].bytes += 4;
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes += 4;
    seen[0].sum.bytes = 128;
    seen[1].sum.bytes = 128;
    *store = (struct line_count){"multiply.cu", 20, 2, COUNT_SHARED, COUNT_WRITE, {.bytes = 128}};
    counts->lines = seen;
    counts->line_count = 4;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    store->line = 21;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 20);
    counts->line_count = 3; /* neither shares: it may be any of them */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0);
    counts->line_count = 5; /* two loads of one line count together */
    store->space = COUNT_GLOBAL;
    seen[4] = (struct line_count){"multiply.cu", 21, 9, COUNT_GLOBAL, COUNT_READ, {.bytes = 4}};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    assert_int_equal(fixture.verdict.cause.column, 5);
    fixture_free(&fixture);
}

/* The only input is loaded whole in one line, and both lines share: the other one is too much. */
static void test_load_besides_the_whole_input(void **state)
{
    static struct line_count seen[5];
    struct launch_counts *counts = counts_of(2, PROBE_FLOAT);
    (void)state;

    fixture.launch.operands[OPERAND_B].role = OPERAND_OUTPUT;
    memcpy(seen, counts->lines, 3 * sizeof *seen);
    counts->operands[OPERAND_A][COUNT_READ].bytes = 260;
    seen[0].sum.bytes = 200;
    seen[1].sum.bytes = 60;
    seen[3] = (struct line_count){"multiply.cu", 20, 2, COUNT_SHARED, COUNT_WRITE, {.bytes = 200}};
    seen[4] = (struct line_count){"multiply.cu", 21, 2, COUNT_SHARED, COUNT_WRITE, {.bytes = 60}};
    counts->lines = seen;
    counts->line_count = 5;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    counts->line_count = 3; /* likewise where none of them does */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    seen[2] = (struct line_count){"multiply.cu", 22, 2, COUNT_GLOBAL, COUNT_READ, {.bytes = 4}};
    fixture_judge(&fixture); /* it may be either of two */
    assert_int_equal(fixture.verdict.cause.line, 0);
    fixture_free(&fixture);
}

/* A line that fills shared memory goes on past the end of B, and reads a row too many of A. */
static void test_loads_past_the_end(void **state)
{
    static struct finding finding;
    static struct line_count seen[3];
    struct sample *sample = &fixture.samples[2][PROBE_FLOAT];
    struct launch_counts *counts = &sample->counts;
    (void)state;

    finding = (struct finding){.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                               .severity = SEVERITY_ERROR,
                               .message = "reads B[16]",
                               .places = {{.role = "read", .file = "multiply.cu", .line = 21}},
                               .place_count = 1};
    sample->findings = &finding;
    sample->finding_count = 1;
    memcpy(seen, counts->lines, sizeof seen);
    seen[2] = (struct line_count){"multiply.cu", 21, 2, COUNT_SHARED, COUNT_WRITE, {.bytes = 128}};
    counts->lines = seen;
    counts->operands[OPERAND_B][COUNT_READ].bytes += 4;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.because, CODE_GLOBAL_OUT_OF_BOUNDS);
    assert_string_equal(fixture.verdict.summary, "1.02 times as much as allowed");
    assert_non_null(strstr(fixture.verdict.cause.message, "; probably because reads B[16] (B01)"));
    seen[2].line = 22; /* it computes from global memory */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.because, CODE_NONE);
    seen[2].line = 20; /* it shares, and stays inside */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.because, CODE_NONE);
    fixture_free(&fixture);
}

static void test_fewer_loads(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct launch_counts *counts = counts_of(i / TOY_PROBES, i % TOY_PROBES);
        counts->operands[OPERAND_A][COUNT_READ].bytes /= 4;
        counts->operands[OPERAND_B][COUNT_READ].bytes /= 4;
        counts->totals[COUNT_GLOBAL][COUNT_READ].bytes /= 4;
    }
    assert_string_equal(fixture_judge(&fixture)->summary, "1/32 of the naive bytes");
    expect_pass(&fixture);
}

static void test_no_shared_reads(void **state)
{
    (void)state;
    counts_of(1, 0)->totals[COUNT_SHARED][COUNT_READ].requests = 0;
    expect_pass(&fixture); /* one probe may do without */
    set_up_tiled(state);
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->totals[COUNT_SHARED][COUNT_READ].requests = 0;
    }
    expect_failure(&fixture, CODE_NO_SHARED_READS, "`multiply` never reads shared memory");
}

static void test_input_never_loaded(void **state)
{
    (void)state;
    counts_of(1, 2)->operands[OPERAND_B][COUNT_READ] = (struct access_sum){0};
    expect_pass(&fixture); /* a loop that ends too early loads nothing in the smallest case */
    set_up_tiled(state);
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->operands[OPERAND_B][COUNT_READ].bytes = 0;
    }
    expect_failure(&fixture, CODE_OPERAND_NOT_LOADED, "`multiply` never loads anything from B");
}

/* Inputs that were copied elsewhere in device memory first. */
static void test_loads_from_copies(void **state)
{
    (void)state;
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_READ].bytes += 256;
    expect_pass(&fixture);
    set_up_tiled(state);
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_READ].bytes += 2048;
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, "2048 bytes");
}

/* A block width that is __device__, not __constant__, is loaded by each thread in each round. */
static void test_scalars_hold_no_copies(void **state)
{
    enum { VARIABLES = 6 };
    static const struct {
        uint64_t size, count; /* of variables, each loaded 1 MiB of */
        uint64_t others;      /* bytes of what is no variable */
        const char *words;
    } rows[] = {
        {4, 1, 256, NULL},           {16, 1, 256, NULL},           {16, 4, 256, NULL},
        {16, 1, 2048, "2048 bytes"}, {0, 1, 256, "1048832 bytes"}, {17, 1, 0, "1048576 bytes"},
        {16, 5, 0, "5242880 bytes"}, {13, 5, 0, "5242880 bytes"},  {12, 5, 0, NULL}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_tiled(state);
        struct other_count others[VARIABLES] = {{.bytes = rows[i].others}};
        struct launch_counts *counts = counts_of(0, 0);
        counts->totals[COUNT_GLOBAL][COUNT_READ].bytes += rows[i].others;
        for (size_t j = 1; j <= rows[i].count; j++) {
            others[j] = (struct other_count){.bytes = 1 << 20, .variable_bytes = rows[i].size};
            counts->totals[COUNT_GLOBAL][COUNT_READ].bytes += 1 << 20;
        }
        counts->others = others;
        counts->other_count = 1 + rows[i].count;
        if (rows[i].words == NULL) {
            expect_pass(&fixture);
        } else {
            expect_failure(&fixture, CODE_TOO_MANY_LOADS, rows[i].words);
        }
    }
}

/* atomicOr(p, 0) is a load by another name. */
static void test_atomics_load(void **state)
{
    (void)state;
    counts_of(0, 0)->operands[OPERAND_B][COUNT_ATOMIC].bytes += 2048;
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_ATOMIC].bytes += 2048;
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, "A and B");
    set_up_tiled(state);
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_ATOMIC].bytes += 256;
    expect_pass(&fixture);
    set_up_tiled(state);
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_ATOMIC].bytes += 2048;
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, "2048 bytes");
}

/* The inputs that a rubric names are held to the bound alone; of the others nothing is asked. */
static void test_tiled_of_one_operand(void **state)
{
    (void)state;
    struct launch_counts *counts = counts_of(1, 2);
    const uint64_t of_a = counts->operands[OPERAND_A][COUNT_READ].bytes;

    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    counts->operands[OPERAND_B][COUNT_READ].bytes = 99 * of_a;
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes = 100 * of_a;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    set_up_tiled(state);
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    counts = counts_of(1, 2);
    counts->operands[OPERAND_A][COUNT_READ].bytes = 3 * of_a;
    counts->operands[OPERAND_B][COUNT_READ].bytes = 9 * of_a;
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes = 12 * of_a;
    lines[1][2][0].sum.bytes = 3 * of_a;
    lines[1][2][1].sum.bytes = 9 * of_a;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0); /* either may be the one that loads B */
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, " from A for ");
    set_up_tiled(state);
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    counts = counts_of(1, 2);
    counts->operands[OPERAND_A][COUNT_READ].bytes = 9 * of_a;
    counts->totals[COUNT_GLOBAL][COUNT_READ].bytes = 10 * of_a;
    lines[1][2][0].sum.bytes = 9 * of_a;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 20);
    set_up_tiled(state);
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_B] = true;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->operands[OPERAND_A][COUNT_READ].bytes = 0;
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->totals[COUNT_GLOBAL][COUNT_READ].bytes =
            counts_of(i / TOY_PROBES, i % TOY_PROBES)->operands[OPERAND_B][COUNT_READ].bytes;
    }
    expect_pass(&fixture);
}

static void test_wrong_results_may_be_tiled(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    expect_pass(&fixture);
}

static void test_tiled_hidden_shape(void **state)
{
    (void)state;
    fixture.cases[0].hidden = true;
    counts_of(1, 0)->operands[OPERAND_B][COUNT_READ].bytes += 4000;
    fixture_judge(&fixture);
    assert_null(fixture_evidence(&fixture, "shape"));
    assert_null(strstr(fixture.verdict.cause.message, "24"));
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, "more than tiles need from A and B for a hidden");
}

static void test_tiled_blocked(void **state)
{
    (void)state;
    fixture.run.observation_count = 2;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "the remaining shapes");
    set_up_tiled(state);
    fixture.observations[1].launch_count = 2;
    expect_failure(&fixture, CODE_LAUNCHED_TWICE, "expected once");
    set_up_tiled(state);
    counts_of(1, 1)->is_counted = false;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
    set_up_tiled(state);
    fixture.criterion.maximum_bytes = toy_expression(&fixture, "1 / (height - height)");
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_no_conflicts(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "wavefronts")->integer, 48);
    assert_true(fixture_evidence(&fixture, "worst_ratio")->number == 1);
    assert_int_equal(fixture_evidence(&fixture, "worst_line")->integer, 25);
    expect_pass(&fixture);
}

static void test_ratio_at_the_bound(void **state)
{
    (void)state;
    lines[1][1][2].sum.wavefronts = 8;
    lines[1][1][2].sum.max_degree = 2;
    expect_pass(&fixture);
    set_up_banks(state);
    lines[1][1][2].sum.wavefronts = 9;
    lines[1][1][2].sum.max_degree = 4;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "4-way");
    assert_int_equal(fixture.verdict.cause.line, 25);
    assert_int_equal(fixture_evidence(&fixture, "worst_degree")->integer, 4);
    expect_failure(
        &fixture, CODE_BANK_CONFLICTS,
        "reads of shared memory take 2.25 times as long as without bank conflicts, "
        "expected at most 2 (9 wavefronts instead of 4, up to 4-way, for A 8x2, B 2x24)");
}

/* Padding moves no atomics apart that meet in one element. */
static void test_atomics_that_meet(void **state)
{
    (void)state;
    lines[1][1][2].sum.wavefronts = 128;
    assert_non_null(strstr(fixture_judge(&fixture)->cause.hint, "pad its rows"));
    lines[1][1][2].access = COUNT_ATOMIC;
    assert_null(strstr(fixture_judge(&fixture)->cause.hint, "pad"));
    assert_non_null(strstr(fixture.verdict.cause.hint, "go to one element"));
    expect_failure(&fixture, CODE_BANK_CONFLICTS, "atomics of shared memory take 32 times");
}

static void test_no_shared_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->line_count = 2;
    }
    assert_string_equal(fixture_judge(&fixture)->summary, "no shared memory");
    expect_pass(&fixture);
    set_up_banks(state);
    counts_of(1, 1)->is_counted = false;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_conflicts_hidden_shape(void **state)
{
    (void)state;
    fixture.cases[0].hidden = true;
    lines[1][1][2].sum.wavefronts = 128;
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "128"));
    expect_failure(&fixture, CODE_BANK_CONFLICTS, "a hidden shape");
}

static void test_coalesced(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "sectors")->integer, 384);
    expect_pass(&fixture);
}

static void test_uncoalesced_line(void **state)
{
    (void)state;
    lines[2][0][0].sum.sectors = 128;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 20);
    expect_failure(
        &fixture, CODE_UNCOALESCED,
        "`multiply` reads global memory in 8 times the sectors of 32 bytes that the data "
        "needs, expected at most 2 (128 instead of 16, for A 16x2, B 2x8)");
}

static void test_uncoalesced_operand(void **state)
{
    (void)state;
    struct access_sum *sum = &counts_of(0, 0)->operands[OPERAND_B][COUNT_READ];

    sum->sectors = 4 * sum->least_sectors;
    expect_pass(&fixture); /* without operands, lines are judged */
    set_up_coalescing(state);
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    sum = &counts_of(0, 0)->operands[OPERAND_B][COUNT_READ];
    sum->sectors = 4 * sum->least_sectors;
    expect_pass(&fixture); /* B does not count */
    set_up_coalescing(state);
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_B] = true;
    sum = &counts_of(0, 0)->operands[OPERAND_B][COUNT_READ];
    sum->sectors = 4 * sum->least_sectors;
    lines[0][0][1].sum = *sum; /* the one line that loads B */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    expect_failure(&fixture, CODE_UNCOALESCED, "`multiply` accesses B in 4 times the sectors");
}

/* One of the operands may be accessed in any order, as long as another is not. */
static void test_any_operand(void **state)
{
    (void)state;
    fixture.criterion.has_operands = true;
    fixture.criterion.any_operand = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    fixture.criterion.operand_counts[OPERAND_B] = true;
    struct access_sum *of_a = &counts_of(0, 0)->operands[OPERAND_A][COUNT_READ];
    struct access_sum *of_b = &counts_of(1, 0)->operands[OPERAND_B][COUNT_READ];

    of_a->sectors = 4 * of_a->least_sectors;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_PASSED);
    of_b->sectors = 3 * of_b->least_sectors; /* in another shape, and yet of both */
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "worst_ratio")->number == 3.0);
    expect_failure(&fixture, CODE_UNCOALESCED,
                   "`multiply` accesses even B, the best of A and B, in 3 times the sectors");
}

/* An operand that is not accessed at all does not do well. */
static void test_any_operand_without_accesses(void **state)
{
    (void)state;
    fixture.criterion.has_operands = true;
    fixture.criterion.any_operand = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    fixture.criterion.operand_counts[OPERAND_C] = true;
    struct access_sum *sum = &counts_of(0, 0)->operands[OPERAND_A][COUNT_READ];

    sum->sectors = 4 * sum->least_sectors;
    expect_failure(&fixture, CODE_UNCOALESCED, "accesses even A");
}

/* 64 elements of 4 bytes, `lanes` of a warp at a time and neighbours among these, as each probe
 * has them: in sectors and wavefronts each request does as well as it can. */
static struct access_sum sum_of_lanes(uint64_t lanes)
{
    return (struct access_sum){.requests = 64 / lanes,
                               .lanes = 64,
                               .bytes = 256,
                               .sectors = 64 / lanes * ((4 * lanes + 31) / 32),
                               .least_sectors = 64 / lanes * ((4 * lanes + 31) / 32),
                               .wavefronts = 64 / lanes,
                               .least_wavefronts = 64 / lanes,
                               .max_degree = 1};
}

/* Lets all probes make such accesses in one of their lines, and no others to its space. */
static void count_lanes(enum count_space space, size_t line, uint64_t lanes)
{
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct line_count *count = &lines[i / TOY_PROBES][i % TOY_PROBES][line];
        struct launch_counts *counts = counts_of(i / TOY_PROBES, i % TOY_PROBES);
        count->sum = sum_of_lanes(lanes);
        counts->totals[space][COUNT_READ] = count->sum;
    }
}

/* One block of 64 threads: two warps, and eight sectors that the data fills. */
static void test_lanes_one_after_another(void **state)
{
    (void)state;
    count_lanes(COUNT_GLOBAL, 1, 1);
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "worst_ratio")->number == 1.0);
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number == 6.4);
    assert_string_equal(fixture.verdict.cause.file, "multiply.cu");
    assert_int_equal(fixture.verdict.cause.line, 21);
    assert_string_equal(fixture.verdict.cause.label, "a warp runs this line with 1 lane at a time");
    assert_string_equal(fixture.verdict.summary, "1 lane of a warp at a time");
    expect_failure(&fixture, CODE_UNCOALESCED,
                   "`multiply` reads global memory with 1 lane of a warp at a time, in 6.4 "
                   "times the sectors of 32 bytes that the data fills and one for each warp, "
                   "expected at most 3 (768 "
                   "instead of 120, in all shapes together)");
    set_up_coalescing(state);
    fixture.cases[0].hidden = true;
    count_lanes(COUNT_GLOBAL, 1, 1);
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "768"));
    expect_failure(&fixture, CODE_UNCOALESCED, "expected at most 3");
}

/* Two lanes have a quarter of a sector, four the half of one: 32 and 16 of 10, with one for each
 * warp. */
static void test_few_lanes(void **state)
{
    (void)state;
    count_lanes(COUNT_GLOBAL, 1, 2);
    expect_failure(&fixture, CODE_UNCOALESCED, "2 lanes of a warp at a time, in 3.2 times");
    set_up_coalescing(state);
    count_lanes(COUNT_GLOBAL, 1, 4);
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number == 1.6);
    expect_pass(&fixture);
}

/* A column of one element, and a sum that a thread of each block writes. */
static void test_lone_lanes_at_borders(void **state)
{
    const struct access_sum lone = {
        .requests = 64, .lanes = 64, .bytes = 256, .sectors = 64, .least_sectors = 64};
    (void)state;
    count_lanes(COUNT_GLOBAL, 1, 32);
    counts_of(0, 0)->totals[COUNT_GLOBAL][COUNT_READ] = lone;
    expect_pass(&fixture); /* the other probes have more to say */
    set_up_coalescing(state);
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->totals[COUNT_GLOBAL][COUNT_WRITE] = lone;
        fixture.observations[i / TOY_PROBES].geometry.grid[0] = 64;
    }
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number < 1.0);
    expect_pass(&fixture);
}

/* Few warps, of which one lane writes a sum now and then; all of them read so many sectors. */
static void count_lone_sums(uint64_t sectors)
{
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct launch_counts *counts = counts_of(i / TOY_PROBES, i % TOY_PROBES);
        counts->totals[COUNT_GLOBAL][COUNT_READ] = (struct access_sum){.requests = sectors / 4,
                                                                       .lanes = sectors * 8,
                                                                       .bytes = sectors * 32,
                                                                       .sectors = sectors,
                                                                       .least_sectors = sectors};
        counts->totals[COUNT_GLOBAL][COUNT_WRITE] = (struct access_sum){
            .requests = 96, .lanes = 96, .bytes = 384, .sectors = 96, .least_sectors = 96};
    }
}

static void test_lone_lanes_among_many(void **state)
{
    (void)state;
    count_lone_sums(768);
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number > 3.0);
    expect_pass(&fixture);
    set_up_coalescing(state);
    count_lone_sums(200);
    expect_failure(&fixture, CODE_UNCOALESCED, "writes global memory with 1 lane of a warp");
}

static void set_up_lone_lanes_of_operand(size_t operand)
{
    fixture.criterion.has_operands = true;
    fixture.criterion.operand_counts[OPERAND_A] = true;
    fixture.criterion.operand_counts[OPERAND_B] = true;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct launch_counts *counts = counts_of(i / TOY_PROBES, i % TOY_PROBES);
        counts->operands[operand][COUNT_READ] = sum_of_lanes(1);
        counts->totals[COUNT_GLOBAL][COUNT_READ].requests = 128;
    }
}

/* The place is told where one line makes the operand's accesses, or where no other operand is read.
 */
static void test_lone_lanes_of_operand(void **state)
{
    (void)state;
    set_up_lone_lanes_of_operand(OPERAND_B);
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0);
    expect_failure(&fixture, CODE_UNCOALESCED, "reads B with 1 lane of a warp at a time, in 6.4 ");
    set_up_coalescing(state);
    set_up_lone_lanes_of_operand(OPERAND_B);
    lines[2][1][1].sum = sum_of_lanes(1);
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    expect_failure(&fixture, CODE_UNCOALESCED, "reads B");
    set_up_coalescing(state);
    set_up_lone_lanes_of_operand(OPERAND_A);
    counts_of(1, 1)->totals[COUNT_GLOBAL][COUNT_READ].requests = 64;
    lines[1][1][1].sum.sectors = 63; /* and another line the last one */
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 21);
    expect_failure(&fixture, CODE_UNCOALESCED, "reads A");
}

/* An operand whose lanes go alone is not the good one of two. */
static void test_any_operand_with_lone_lanes(void **state)
{
    (void)state;
    set_up_lone_lanes_of_operand(OPERAND_A);
    fixture.criterion.any_operand = true;
    expect_pass(&fixture);
    set_up_coalescing(state);
    set_up_lone_lanes_of_operand(OPERAND_A);
    fixture.criterion.any_operand = true;
    struct access_sum *of_b = &counts_of(1, 0)->operands[OPERAND_B][COUNT_READ];
    of_b->sectors = 8 * of_b->least_sectors;
    expect_failure(&fixture, CODE_UNCOALESCED,
                   "reads even A, the best of A and B, with 1 lane of a warp at a time");
}

static void test_shared_lanes_one_after_another(void **state)
{
    (void)state;
    count_lanes(COUNT_SHARED, 2, 1);
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "worst_ratio")->number == 1.0);
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number == 16.0);
    assert_int_equal(fixture.verdict.cause.line, 25);
    expect_failure(&fixture, CODE_BANK_CONFLICTS,
                   "reads of shared memory with 1 lane of a warp at a time take 16 times the "
                   "wavefronts that the data fills and one for each warp, expected at most 12 (768 "
                   "instead of 48, in all "
                   "shapes together)");
    set_up_banks(state);
    count_lanes(COUNT_SHARED, 2, 2);
    expect_pass(&fixture); /* 8 times */
    set_up_banks(state);
    count_lanes(COUNT_SHARED, 2, 32);
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        counts_of(i / TOY_PROBES, i % TOY_PROBES)->totals[COUNT_SHARED][COUNT_READ].bytes = 64;
    }
    fixture_judge(&fixture); /* elements of one byte: a wavefront has no more lanes for them */
    assert_true(fixture_evidence(&fixture, "launch_ratio")->number == 0.5);
    expect_pass(&fixture);
}

/* A bound that does not depend on the block width is not told against loads without tiles. */
static void test_bound_without_tiles(void **state)
{
    (void)state;
    fixture.criterion.maximum_bytes = toy_expression(&fixture, "16 * height * width / 4");
    for (size_t i = 0; i < TOY_PROBES; i++) {
        counts_of(0, i)->operands[OPERAND_A][COUNT_READ].bytes = 1000;
    }
    fixture_judge(&fixture);
    assert_null(fixture_evidence(&fixture, "naive_bytes"));
    assert_null(strstr(fixture.verdict.cause.message, "without tiles"));
    expect_failure(&fixture, CODE_TOO_MANY_LOADS, "expected at most 512 from A and B");
}

static void test_idle_kernel(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct sample *sample = &fixture.samples[i / TOY_PROBES][i % TOY_PROBES];
        sample->after[OPERAND_C] = sample->before[OPERAND_C];
    }
    expect_failure(&fixture, CODE_NOT_WRITTEN, "never writes to C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_exactly_the_maximum, set_up_tiled),
        cmocka_unit_test_setup(test_one_load_too_many, set_up_tiled),
        cmocka_unit_test_setup(test_load_beside_shared_memory, set_up_tiled),
        cmocka_unit_test_setup(test_load_besides_the_whole_input, set_up_tiled),
        cmocka_unit_test_setup(test_loads_past_the_end, set_up_tiled),
        cmocka_unit_test_setup(test_fewer_loads, set_up_tiled),
        cmocka_unit_test_setup(test_no_shared_reads, set_up_tiled),
        cmocka_unit_test_setup(test_input_never_loaded, set_up_tiled),
        cmocka_unit_test_setup(test_loads_from_copies, set_up_tiled),
        cmocka_unit_test(test_scalars_hold_no_copies),
        cmocka_unit_test_setup(test_atomics_load, set_up_tiled),
        cmocka_unit_test_setup(test_tiled_of_one_operand, set_up_tiled),
        cmocka_unit_test_setup(test_wrong_results_may_be_tiled, set_up_tiled),
        cmocka_unit_test_setup(test_tiled_hidden_shape, set_up_tiled),
        cmocka_unit_test_setup(test_tiled_blocked, set_up_tiled),
        cmocka_unit_test_setup(test_no_conflicts, set_up_banks),
        cmocka_unit_test_setup(test_ratio_at_the_bound, set_up_banks),
        cmocka_unit_test_setup(test_atomics_that_meet, set_up_banks),
        cmocka_unit_test_setup(test_no_shared_memory, set_up_banks),
        cmocka_unit_test_setup(test_conflicts_hidden_shape, set_up_banks),
        cmocka_unit_test_setup(test_idle_kernel, set_up_banks),
        cmocka_unit_test_setup(test_coalesced, set_up_coalescing),
        cmocka_unit_test_setup(test_uncoalesced_line, set_up_coalescing),
        cmocka_unit_test_setup(test_uncoalesced_operand, set_up_coalescing),
        cmocka_unit_test_setup(test_any_operand, set_up_coalescing),
        cmocka_unit_test_setup(test_any_operand_without_accesses, set_up_coalescing),
        cmocka_unit_test_setup(test_lanes_one_after_another, set_up_coalescing),
        cmocka_unit_test_setup(test_few_lanes, set_up_coalescing),
        cmocka_unit_test_setup(test_lone_lanes_at_borders, set_up_coalescing),
        cmocka_unit_test_setup(test_lone_lanes_among_many, set_up_coalescing),
        cmocka_unit_test_setup(test_lone_lanes_of_operand, set_up_coalescing),
        cmocka_unit_test_setup(test_any_operand_with_lone_lanes, set_up_coalescing),
        cmocka_unit_test_setup(test_shared_lanes_one_after_another, set_up_banks),
        cmocka_unit_test_setup(test_bound_without_tiles, set_up_tiled),
        cmocka_unit_test_setup(test_idle_kernel, set_up_coalescing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
