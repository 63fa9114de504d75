/* test_suspect_line.c: the line that makes a result wrong, from traces of kernels with one mistake,
 * and of right kernels in several styles, of which nothing may be said. */
#include "trace_kit.h"

#include "base/text.h"

static struct kit kit;

static int set_up(void **state)
{
    (void)state;
    kit_init(&kit);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(kit.arena);
    return 0;
}

/* A tiled kernel whose parts can be exchanged ***************************************************/

/* Where a thread is: its block, itself, the first k of the tile, k within the tile. */
struct at {
    size_t by, bx, ty, tx, t, k;
};

typedef size_t place_function(const struct at *at);

enum { TILE_A = 0, TILE_B = EDGE * EDGE };

static size_t a_index(const struct at *at)
{
    return (at->by * EDGE + at->ty) * INNER + at->t + at->tx;
}

static size_t b_index(const struct at *at)
{
    return (at->t + at->ty) * WIDTH + at->bx * EDGE + at->tx;
}

static size_t c_index(const struct at *at)
{
    return (at->by * EDGE + at->ty) * WIDTH + at->bx * EDGE + at->tx;
}

static size_t a_put(const struct at *at)
{
    return TILE_A + at->ty * EDGE + at->tx;
}

static size_t b_put(const struct at *at)
{
    return TILE_B + at->ty * EDGE + at->tx;
}

static size_t a_get(const struct at *at)
{
    return TILE_A + at->ty * EDGE + at->k;
}

static size_t b_get(const struct at *at)
{
    return TILE_B + at->k * EDGE + at->tx;
}

static float multiply_add(float sum, float a, float b)
{
    return sum + a * b;
}

static float same(float value)
{
    return value;
}

struct tiled {
    place_function *a_index, *b_index, *c_index, *a_put, *b_put, *a_get, *b_get;
    size_t t_from, t_to, t_step, k_from, k_to, k_step;
    float (*combine)(float sum, float a, float b);
    float (*stored)(float value); /* what is put in shared memory of what was loaded */
    float (*result)(float sum);
    bool resets; /* the sum, in each tile */
};

static struct tiled right_tiled(void)
{
    return (struct tiled){a_index, b_index, c_index, a_put, b_put,        a_get, b_get, 0,    INNER,
                          EDGE,    0,       EDGE,    1,     multiply_add, same,  same,  false};
}

static void tiled_loads(const struct tiled *tiled, struct at at)
{
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        at.ty = thread / EDGE;
        at.tx = thread % EDGE;
        float a = load(&kit, thread, LINE_LOAD_A, KIT_A, tiled->a_index(&at));
        put(&kit, thread, LINE_LOAD_A, tiled->a_put(&at), tiled->stored(a));
        float b = load(&kit, thread, LINE_LOAD_B, KIT_B, tiled->b_index(&at));
        put(&kit, thread, LINE_LOAD_B, tiled->b_put(&at), tiled->stored(b));
    }
}

static void tiled_products(const struct tiled *tiled, struct at at)
{
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        at.ty = thread / EDGE;
        at.tx = thread % EDGE;
        kit.sums[thread] = tiled->resets ? 0.0f : kit.sums[thread];
        for (at.k = tiled->k_from; at.k < tiled->k_to; at.k += tiled->k_step) {
            float a = get(&kit, thread, LINE_PRODUCT, tiled->a_get(&at));
            float b = get(&kit, thread, LINE_PRODUCT, tiled->b_get(&at));
            kit.sums[thread] = tiled->combine(kit.sums[thread], a, b);
        }
    }
}

static void run_tiled(const struct tiled *tiled)
{
    struct at at = {.by = kit.block_y, .bx = kit.block_x};

    for (at.t = tiled->t_from; at.t < tiled->t_to; at.t += tiled->t_step) {
        tiled_loads(tiled, at);
        tiled_products(tiled, at);
    }
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        at.ty = thread / EDGE;
        at.tx = thread % EDGE;
        store(&kit, thread, LINE_STORE, tiled->c_index(&at), tiled->result(kit.sums[thread]));
    }
}

static void expect_place(int line, const char *label)
{
    if (!kit_find(&kit)) {
        fail_msg("no place is found, expected line %d", line);
    }
    if (kit.place.line != line || strstr(kit.place.label, label) == NULL) {
        fail_msg("line %d: %s", kit.place.line, kit.place.label);
    }
    assert_string_equal(kit.place.file, "kernel.cu");
}

static void expect_nothing(void)
{
    if (kit_find(&kit)) {
        fail_msg("line %d: %s", kit.place.line, kit.place.label);
    }
}

static void expect_tiled(const struct tiled *tiled, int line, const char *label)
{
    run_tiled(tiled);
    expect_place(line, label);
}

/* Loads ****************************************************************************************/

static void test_right(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    run_tiled(&tiled);
    expect_nothing();
}

static size_t a_with_rows_of_b(const struct at *at)
{
    return (at->by * EDGE + at->ty) * WIDTH + at->t + at->tx;
}

static size_t b_with_rows_of_a(const struct at *at)
{
    return (at->t + at->ty) * INNER + at->bx * EDGE + at->tx;
}

static void test_row_lengths(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_with_rows_of_b;
    kit.block_y = 0;
    expect_tiled(&tiled, LINE_LOAD_A, "never reads A(1,0), which C(1,16) needs");
}

static void test_row_length_of_b(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_index = b_with_rows_of_a;
    expect_tiled(&tiled, LINE_LOAD_B, "but C(8,16) needs ");
}

static size_t a_column_major(const struct at *at)
{
    return (at->t + at->tx) * HEIGHT + at->by * EDGE + at->ty;
}

static size_t a_of_first_blocks(const struct at *at)
{
    return at->ty * INNER + at->t + at->tx;
}

static size_t b_of_first_blocks(const struct at *at)
{
    return (at->t + at->ty) * WIDTH + at->tx;
}

static void test_column_major(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_column_major;
    expect_tiled(&tiled, LINE_LOAD_A, "reads A(");
    assert_int_equal(kit.place.column, 26); /* of `A`, not of what is assigned */
}

/* Makes part of the output right in the probe of the traced case. */
static void set_right(size_t row, size_t end_row, size_t column, size_t end_column)
{
    static double expected[HEIGHT * WIDTH];
    static double magnitudes[HEIGHT * WIDTH];
    const void *inputs[] = {kit.a, kit.b};
    const struct oracle_problem problem = {.inputs = inputs};
    float *after = (float *)kit.sample.after[KIT_C];

    kit_expect(&problem, expected, magnitudes);
    for (size_t i = row; i < end_row; i++) {
        for (size_t j = column; j < end_column; j++) {
            after[i * WIDTH + j] = (float)expected[i * WIDTH + j];
        }
    }
}

/* The value is that of another element, which its own block gets right. */
static void test_block_ignored(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    set_right(0, EDGE, 0, WIDTH);
    tiled.a_index = a_of_first_blocks;
    expect_tiled(&tiled, LINE_LOAD_A, "reads A(0,0), but C(8,16) needs ");
}

static void test_block_column_ignored(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_index = b_of_first_blocks;
    set_right(0, HEIGHT, 0, EDGE);
    expect_tiled(&tiled, LINE_LOAD_B, "reads B(0,0), but C(8,16) needs ");
}

static size_t a_stays(const struct at *at)
{
    return (at->by * EDGE + at->ty) * INNER + at->tx;
}

static size_t b_stays(const struct at *at)
{
    return at->ty * WIDTH + at->bx * EDGE + at->tx;
}

static size_t a_tile_number(const struct at *at)
{
    return (at->by * EDGE + at->ty) * INNER + at->t / EDGE + at->tx;
}

static size_t a_own_column(const struct at *at)
{
    return (at->by * EDGE + at->ty) * INNER + at->t + at->ty;
}

static void test_tile_stays(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_stays;
    expect_tiled(&tiled, LINE_LOAD_A, "never reads A(8,8), which C(8,16) needs");
}

static void test_tile_of_b_stays(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_index = b_stays;
    expect_tiled(&tiled, LINE_LOAD_B, "never reads B(8,16), which C(8,16) needs");
}

static void test_tile_number(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_tile_number;
    expect_tiled(&tiled, LINE_LOAD_A, "never reads A(8,11), which C(8,16) needs");
}

static void test_column_of_own_row(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_own_column;
    expect_tiled(&tiled, LINE_LOAD_A, "never reads A(8,1), which C(8,16) needs");
}

/* Loops ****************************************************************************************/

static void test_last_tile_missing(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.t_to = INNER - EDGE;
    expect_tiled(&tiled, LINE_TILES, "skips A(8,24) and B(24,16), which C(8,16) needs");
}

static void test_first_tile_missing(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.t_from = EDGE;
    expect_tiled(&tiled, LINE_TILES, "skips A(8,0) and B(0,16)");
}

static void test_every_second_tile(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.t_step = 2 * EDGE;
    expect_tiled(&tiled, LINE_TILES, "skips A(8,8) and B(8,16)");
}

static void test_last_product_missing(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.k_to = EDGE - 1;
    expect_tiled(&tiled, LINE_PRODUCTS, "skips A(8,7) and B(7,16), which C(8,16) needs");
    assert_int_equal(kit.place.column, 9);
}

static void test_first_product_missing(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.k_from = 1;
    expect_tiled(&tiled, LINE_PRODUCTS, "skips A(8,0) and B(0,16)");
}

static void test_every_second_product(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.k_step = 2;
    expect_tiled(&tiled, LINE_PRODUCTS, "skips A(8,1) and B(1,16)");
}

/* Without the source there is still the line of the access. */
static void test_loop_without_source(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.input.source_count = 0;
    tiled.k_to = EDGE - 1;
    expect_tiled(&tiled, LINE_PRODUCT, "skips A(8,7)");
}

/* The tiles overlap by half: all but the first and the last half are taken twice. */
static void test_tiles_taken_twice(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.t_step = EDGE / 2;
    tiled.t_to = INNER - EDGE + 1;
    expect_tiled(&tiled, LINE_PRODUCT, "reads what C(8,16) needs, but the result is wrong");
}

static size_t a_get_low(const struct at *at)
{
    return TILE_A + at->ty * EDGE + at->k % EDGE;
}

static size_t b_get_low(const struct at *at)
{
    return TILE_B + at->k % EDGE * EDGE + at->tx;
}

static void test_product_taken_twice(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_get = a_get_low;
    tiled.b_get = b_get_low;
    tiled.k_to = EDGE + 1;
    expect_tiled(&tiled, LINE_PRODUCT, "reads what C(8,16) needs, but the result is wrong");
}

/* Tiles ****************************************************************************************/

static size_t a_put_turned(const struct at *at)
{
    return TILE_A + at->tx * EDGE + at->ty;
}

static size_t b_put_turned(const struct at *at)
{
    return TILE_B + at->tx * EDGE + at->ty;
}

static size_t a_get_turned(const struct at *at)
{
    return TILE_A + at->k * EDGE + at->ty;
}

static size_t b_get_turned(const struct at *at)
{
    return TILE_B + at->tx * EDGE + at->k;
}

static void test_store_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_put = a_put_turned;
    expect_tiled(&tiled, LINE_LOAD_A,
                 "stores A(9,0) where thread (0,0), which computes C(8,16), expects A(8,1)");
}

static void test_store_of_b_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_put = b_put_turned;
    expect_tiled(&tiled, LINE_LOAD_B,
                 "stores B(0,17) where thread (0,0), which computes C(8,16), expects B(1,16)");
}

static void test_both_stores_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_put = a_put_turned;
    tiled.b_put = b_put_turned;
    expect_tiled(&tiled, LINE_LOAD_A, "stores A(9,0) where ");
}

static void test_read_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_get = b_get_turned;
    expect_tiled(&tiled, LINE_PRODUCT, "reads B(0,17), but C(8,16) needs B(1,16)");
}

static void test_turned_on_purpose(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_put = a_put_turned;
    tiled.a_get = a_get_turned;
    run_tiled(&tiled);
    expect_nothing();
}

static size_t a_get_of_other_row(const struct at *at)
{
    return TILE_A + at->tx * EDGE + at->k;
}

static void test_read_of_other_row(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_get = a_get_of_other_row;
    expect_tiled(&tiled, LINE_PRODUCT, "reads A(9,0), but C(8,17) needs A(8,0)");
}

static size_t a_get_own(const struct at *at)
{
    return TILE_A + at->ty * EDGE + at->tx;
}

static size_t b_get_own(const struct at *at)
{
    return TILE_B + at->ty * EDGE + at->tx;
}

static void test_own_elements_only(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_get = a_get_own;
    tiled.b_get = b_get_own;
    expect_tiled(&tiled, LINE_PRODUCT, "does not use A(8,1), which C(8,16) needs");
}

/* A compiler reads once what stays the same in the loop. */
static void test_own_elements_only_optimised(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_get = a_get_own;
    tiled.b_get = b_get_own;
    tiled.k_to = 1;
    expect_tiled(&tiled, LINE_PRODUCT, "does not use A(8,0), which C(8,17) needs");
}

/* What it reads before the loop goes by the line of the barrier there. */
static void test_access_moved_up(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_get = b_get_turned;
    run_tiled(&tiled);
    for (size_t i = 0; i < kit.trace.access_count; i++) {
        kit.accesses[i].line =
            kit.accesses[i].line == LINE_PRODUCT ? LINE_PRODUCTS - 1 : kit.accesses[i].line;
    }
    expect_place(LINE_PRODUCT, "reads B(0,17), but C(8,16) needs B(1,16)");
    assert_int_equal(kit.place.column, 36); /* of `tile_b` */
}

/* The column of a read of tile B at a wrong place, in a source with another line; 0: that of the
 * trace. */
static void expect_column(int place, const char *line, const char *other, int column)
{
    struct tiled tiled = right_tiled();
    const char *found = strstr(kit_source, line);
    struct text source;

    assert_non_null(found);
    text_init(&source);
    text_append_bytes(&source, kit_source, (size_t)(found - kit_source));
    text_printf(&source, "%s%s", other, found + strlen(line));
    tiled.b_get = b_get_turned;
    kit.source.text = source.bytes;
    kit.source.length = source.length;
    run_tiled(&tiled);
    expect_place(place, "reads B(0,17), but C(8,16) needs B(1,16)");
    assert_int_equal(kit.place.column, column == 0 ? kit.lines[LINE_PRODUCT].column : column);
    text_release(&source);
}

static void test_column_of_an_access(void **state)
{
    static const char product[] = "sum += tile_a[ty][k] * tile_b[k][tx];";
    static const struct {
        const char *line, *other;
        int column;
    } rows[] = {
        {product, product, 36},
        {product, "sum += tile_b[k][tx] * tile_a[ty][k];", 20},
        {product, "sum = fma(tile_a[ty][k], tile_b[k][tx], sum);", 38},
        /* read twice, read through a pointer, read by another name */
        {product, "sum += tile_b[ty][k] * tile_b[k][tx];", 0},
        {product, "sum += tile_a[ty][k] * *(tile_b + k);", 0},
        {product, "sum += tile_a[ty][k] * other[k][tx];", 0},
        /* stored by an unknown name, or two in one line */
        {"tile_b[ty][tx] = B", "*(tile_b + ty) = B", 0},
        {"tile_b[ty][tx] = B", "tile_a[0][0] = tile_b[ty][tx] = B", 0},
        /* a macro */
        {"__global__ void multiply(", "#define tile_b tile\n__global__ void multiply(", 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool adds_line = strchr(rows[i].other, '\n') != NULL;
        tear_down(NULL);
        set_up(NULL);
        for (size_t j = 0; j < LINES && adds_line; j++) {
            kit.lines[j].line++;
        }
        expect_column(adds_line ? LINE_PRODUCT + 1 : LINE_PRODUCT, rows[i].line, rows[i].other,
                      rows[i].column);
    }
}

static size_t a_get_as_b(const struct at *at)
{
    return TILE_A + at->k * EDGE + at->tx;
}

static size_t b_get_as_a(const struct at *at)
{
    return TILE_B + at->ty * EDGE + at->k;
}

static void test_tiles_backwards(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_get = a_get_as_b;
    tiled.b_get = b_get_as_a;
    expect_tiled(&tiled, LINE_PRODUCT, "reads ");
}

/* The tile of B lies where A's was; the compiler leaves out what is overwritten at once. */
static size_t b_put_on_a(const struct at *at)
{
    return TILE_A + at->ty * EDGE + at->tx;
}

static size_t b_get_on_a(const struct at *at)
{
    return TILE_A + at->k * EDGE + at->tx;
}

static void test_tiles_overlap(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_put = b_put_on_a;
    tiled.b_get = b_get_on_a;
    expect_tiled(&tiled, LINE_LOAD_B, "over A(8,1) before C(8,16) has used it");
}

static void leave_out(uint32_t line)
{
    size_t kept = 0;

    for (size_t i = 0; i < kit.trace.access_count; i++) {
        if (kit.accesses[i].line != line) {
            kit.accesses[kept++] = kit.accesses[i];
        }
    }
    kit.trace.access_count = kept;
}

static void test_tiles_overlap_optimised(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_put = b_put_on_a;
    tiled.b_get = b_get_on_a;
    run_tiled(&tiled);
    leave_out(LINE_LOAD_A);
    expect_place(LINE_PRODUCT, "reads B(0,17), but C(8,16) needs column 16 of B");
}

/* Stores ***************************************************************************************/

static size_t c_turned(const struct at *at)
{
    return (at->by * EDGE + at->tx) * WIDTH + at->bx * EDGE + at->ty;
}

static void test_output_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.c_index = c_turned;
    expect_tiled(&tiled, LINE_STORE, "stores in C(");
}

static size_t c_transposed(const struct at *at)
{
    return (at->bx * EDGE + at->tx) * HEIGHT + at->by * EDGE + at->ty;
}

static void test_output_transposed(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.c_index = c_transposed;
    expect_tiled(&tiled, LINE_STORE, "what belongs in C(");
}

static void test_stored_too_early(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    struct at at = {.by = 1, .bx = 2};
    tiled.t_to = INNER - EDGE;
    run_tiled(&tiled);
    at.t = INNER - EDGE;
    tiled_loads(&tiled, at);
    tiled_products(&tiled, at);
    assert_true(kit_find(&kit));
    /* The loads behind the store are seen: nothing was left out by a loop. */
    assert_int_equal(kit.place.line, LINE_STORE);
    assert_non_null(strstr(kit.place.label, "stores C(8,16) before A(8,24) is used"));
}

static void test_half_never_stored(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    size_t kept = 0;
    run_tiled(&tiled);
    for (size_t i = 0; i < kit.trace.access_count; i++) {
        if (kit.accesses[i].line != LINE_STORE || kit.accesses[i].thread < EDGE * EDGE / 2) {
            kit.accesses[kept++] = kit.accesses[i];
        }
    }
    kit.trace.access_count = kept;
    kit.trace.wrote_element = false;
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_STORE);
    assert_string_equal(kit.place.label, "thread (0,4) never gets here: C(12,16) is not written");
}

static void test_all_blocks_store_the_same(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.block_y = 0;
    kit.block_x = 0;
    kit.trace.block_index[0] = 0;
    kit.trace.block_index[1] = 0;
    kit.trace.wrote_element = false;
    kit.trace.request.element = EDGE;
    run_tiled(&tiled);
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_STORE);
    assert_string_equal(kit.place.label,
                        "block (0,0) writes C(0,0) here, but no block writes C(0,8)");
}

/* One row of the block differs: it takes row 0 of A in the place of its last row, which nothing
 * loads, or leaves it out. */
enum exception { NO_EXCEPTION, STORED_TWICE, LEFT_OUT, LEFT_OUT_BESIDE_SUM };

static void run_with_exception(enum exception exception)
{
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        size_t row = EDGE + thread / EDGE;
        size_t column = 2 * EDGE + thread % EDGE;
        bool is_last = thread / EDGE == EDGE - 1 && exception != NO_EXCEPTION;
        size_t inner = is_last ? INNER - 1 : INNER;
        float sum = 0.0f;
        for (size_t k = 0; k < inner; k++) {
            float a = load(&kit, thread, LINE_LOAD_A, KIT_A, row * INNER + k);
            put(&kit, thread, LINE_LOAD_A, thread * 2, a);
            if (is_last && k == 0) {
                put(&kit, thread, LINE_LOAD_B, thread * 2 + 1, a);
            }
            float b = load(&kit, thread, LINE_LOAD_B, KIT_B, k * WIDTH + column);
            sum += get(&kit, thread, LINE_PRODUCT, thread * 2) * b;
        }
        if (is_last) {
            float b = load(&kit, thread, LINE_LOAD_B, KIT_B, (INNER - 1) * WIDTH + column);
            if (exception == LEFT_OUT_BESIDE_SUM) {
                put(&kit, thread, LINE_EXTRA, thread * 2 + 1, sum);
                get(&kit, thread, LINE_EXTRA, thread * 2 + 1);
            } else {
                sum +=
                    exception == LEFT_OUT ? b : get(&kit, thread, LINE_PRODUCT, thread * 2 + 1) * b;
            }
        }
        store(&kit, thread, LINE_STORE, row * WIDTH + column, sum);
    }
}

static void test_few_threads_are_wrong(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_exception(STORED_TWICE);
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_LOAD_B);
    assert_string_equal(
        kit.place.label,
        "stores A(15,0) where thread (0,7), which computes C(15,16), expects A(15,31)");
}

static void test_few_threads_look_for_less(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_exception(LEFT_OUT);
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_LOAD_B);
    assert_string_equal(kit.place.label, "does not use A(15,31), which C(15,16) needs");
}

/* One product short in the block's last row: in the place of the last element of A its threads read
 * a word that is none. */
static void run_with_word(float word, bool is_stored_first)
{
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        size_t row = EDGE + thread / EDGE;
        size_t column = 2 * EDGE + thread % EDGE;
        bool is_last = thread / EDGE == EDGE - 1;
        float sum = 0.0f;
        if (is_stored_first) {
            put(&kit, thread, LINE_SUM, thread * 2 + 1, word);
        }
        for (size_t k = 0; k < INNER; k++) {
            bool is_word = is_last && k == INNER - 1;
            if (is_word && !is_stored_first) {
                put(&kit, thread, LINE_LOAD_A, thread * 2 + 1, word);
            }
            if (!is_word) {
                put(&kit, thread, LINE_LOAD_A, thread * 2,
                    load(&kit, thread, LINE_LOAD_A, KIT_A, row * INNER + k));
            }
            float b = load(&kit, thread, LINE_LOAD_B, KIT_B, k * WIDTH + column);
            sum += get(&kit, thread, LINE_PRODUCT, thread * 2 + (is_word ? 1 : 0)) * b;
        }
        store(&kit, thread, LINE_STORE, row * WIDTH + column, sum);
    }
}

/* A constant is no sum of what others have read. */
static void test_constant_for_an_element(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_word(0.0f, true);
    expect_place(LINE_LOAD_B, "does not use A(15,31), which C(15,16) needs");
}

static void test_zero_for_an_element(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_word(0.0f, false);
    expect_place(LINE_LOAD_B, "does not use A(15,31), which C(15,16) needs");
}

static void test_other_constant_for_an_element(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_word(0.5f, true);
    expect_place(LINE_LOAD_B, "does not use A(15,31), which C(15,16) needs");
}

/* What a thread stores that has used something may be made of it. */
static void test_sum_for_an_element(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_word(0.5f, false);
    expect_nothing();
}

/* A sum that adds nothing to what is stored: the values say that it holds no element. */
static void test_sum_beside_a_lack(void **state)
{
    (void)state;
    kit.trace.request.element = (2 * EDGE - 1) * WIDTH + 2 * EDGE;
    run_with_exception(LEFT_OUT_BESIDE_SUM);
    expect_place(LINE_LOAD_B, "does not use A(15,31), which C(15,16) needs");
}

static void test_no_thread_is_wrong(void **state)
{
    (void)state;
    run_with_exception(NO_EXCEPTION);
    assert_false(kit_find(&kit));
}

/* Blocks that write nothing leave their elements out, not those of the other blocks. */
static void test_some_blocks_store_nothing(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.trace.wrote_element = false;
    kit.sample.counts.is_counted = true;
    kit.sample.counts.operands[KIT_C][COUNT_WRITE].bytes = sizeof kit.c - sizeof kit.c[0];
    run_tiled(&tiled);
    assert_false(kit_find(&kit));
    kit.sample.counts.operands[KIT_C][COUNT_WRITE].bytes = sizeof kit.c;
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_STORE);
}

/* Blocks lie in the output as their threads do: the one that has the element is in the grid. */
static void test_block_does_not_come(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.trace.wrote_element = false;
    kit.trace.request.element = 2 * EDGE * WIDTH + EDGE;
    kit.sample.counts.is_counted = true;
    kit.sample.counts.operands[KIT_C][COUNT_WRITE].bytes = sizeof kit.c / 2;
    run_tiled(&tiled);
    expect_place(LINE_STORE, "block (2,1) writes C(8,16) here, but no block writes C(16,8)");
}

/* With as many blocks as are needed in a turned grid the launch is at fault. */
static void test_grid_turned(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.trace.wrote_element = false;
    kit.trace.request.element = 3 * EDGE;
    kit.trace.grid[0] = HEIGHT / EDGE;
    kit.trace.grid[1] = WIDTH / EDGE;
    kit.sample.counts.is_counted = true;
    kit.sample.counts.operands[KIT_C][COUNT_WRITE].bytes = sizeof kit.c / 2;
    run_tiled(&tiled);
    expect_nothing();
}

/* A block of half as many rows as the tile has: a thread has two elements of a column of it. */
static void store_rows(uint32_t rounds, uint32_t line)
{
    for (uint32_t i = 0; i < EDGE * EDGE / 2 * rounds; i++) {
        uint32_t thread = i % (EDGE * EDGE / 2);
        size_t row = EDGE + i / EDGE;
        size_t column = 2 * EDGE + thread % EDGE;
        float sum = 0.0f;
        for (size_t k = 0; k < INNER; k++) {
            float a = load(&kit, thread, LINE_LOAD_A, KIT_A, row * INNER + k);
            sum += a * load(&kit, thread, LINE_LOAD_B, KIT_B, k * WIDTH + column);
        }
        store(&kit, thread, line, row * WIDTH + column, sum);
    }
}

static void test_fewer_stores_than_elements(void **state)
{
    (void)state;
    kit.trace.block[1] = EDGE / 2;
    kit.trace.request.is_beside = true;
    store_rows(1, LINE_STORE);
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_STORE);
    assert_string_equal(kit.place.label, "each of the 32 threads stores 1 here, which does not "
                                         "cover the tile: C(12,16) is not written");
    kit.trace.request.is_beside = false;
    assert_false(kit_find(&kit));
    kit.trace.request.is_beside = true;
    kit.trace.access_count--;
    assert_true(kit_find(&kit));
    assert_non_null(strstr(kit.place.label, "thread (7,3) never gets here"));
}

/* A store in a loop that ends early: the loop is told. */
static void test_loop_of_stores_ends_early(void **state)
{
    (void)state;
    kit.trace.block[1] = EDGE / 2;
    kit.trace.request.is_beside = true;
    store_rows(1, LINE_PRODUCT);
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_PRODUCTS);
}

static void test_all_rows_stored(void **state)
{
    (void)state;
    kit.trace.block[1] = EDGE / 2;
    kit.trace.request.is_beside = true;
    store_rows(2, LINE_STORE);
    assert_false(kit_find(&kit));
}

/* Too few blocks are no fault of a line in the kernel. */
static void test_grid_too_small(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.trace.wrote_element = false;
    kit.trace.grid[0] = 1;
    run_tiled(&tiled);
    assert_false(kit_find(&kit));
}

/* Arithmetic ***********************************************************************************/

static float add_both(float sum, float a, float b)
{
    return sum + a + b;
}

static float last_only(float sum, float a, float b)
{
    (void)sum;
    return a * b;
}

static float twice(float value)
{
    return 2.0f * value;
}

static float no_number(float value)
{
    return value / 0.0f;
}

static void test_adds_both(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.combine = add_both;
    expect_tiled(&tiled, LINE_PRODUCT, "reads what C(8,16) needs, but the result is wrong");
}

static void test_sum_reset(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.resets = true;
    expect_tiled(&tiled, LINE_SUM, "only the last 8 products are left in C(8,16)");
}

static void test_sum_overwritten(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    kit.input.source_count = 0;
    tiled.combine = last_only;
    expect_tiled(&tiled, LINE_PRODUCT, "only the last product is left in C(8,16)");
}

/* A compiler reads only what counts in the end. */
static void test_sum_overwritten_optimised(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.combine = last_only;
    tiled.k_from = EDGE - 1;
    expect_tiled(&tiled, LINE_PRODUCT, "does not use A(8,0), which C(8,16) needs");
}

/* Twice what is right may come of the products, the sum or the store. */
static void test_multiple_has_no_place(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.result = twice;
    run_tiled(&tiled);
    expect_nothing();
}

static void test_no_number(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.result = no_number;
    expect_tiled(&tiled, LINE_STORE, "stores NaN or infinity in C(8,16)");
}

static float to_half(float value)
{
    uint32_t bits = (uint32_t)kit_bits(value) & 0xffffe000u;
    float half;

    memcpy(&half, &bits, sizeof half);
    return half;
}

static void test_rounded_tile(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.stored = to_half;
    expect_tiled(&tiled, LINE_LOAD_A, "stores A(8,0) rounded");
}

static float add_cut(float sum, float a, float b)
{
    return sum + to_half(a) * to_half(b);
}

static void test_rounded_use(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.combine = add_cut;
    expect_tiled(&tiled, LINE_PRODUCT, "rounds what it reads for C(8,16)");
}

static float cut_sum(float sum, float a, float b)
{
    return to_half(sum + a * b);
}

/* Where a sum is rounded no access shows. */
static void test_rounded_sum(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.combine = cut_sum;
    run_tiled(&tiled);
    expect_nothing();
}

static void test_old_output(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    run_tiled(&tiled);
    kit.trace.access_count -= EDGE * EDGE;
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        struct at at = {kit.block_y, kit.block_x, thread / EDGE, thread % EDGE, 0, 0};
        kit.c[c_index(&at)] = 3.5f + (float)thread * 0.01f;
        float old = load(&kit, thread, LINE_STORE, KIT_C, c_index(&at));
        store(&kit, thread, LINE_STORE, c_index(&at), old + kit.sums[thread]);
    }
    expect_place(LINE_STORE, "uses what was in C before the launch");
}

static void test_constant_output(void **state)
{
    (void)state;
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        struct at at = {kit.block_y, kit.block_x, thread / EDGE, thread % EDGE, 0, 0};
        store(&kit, thread, LINE_STORE, c_index(&at), 1.0f);
    }
    expect_place(LINE_STORE, "stores C(8,16), but no input was read for it");
}

/* The tiles are filled all the same, and nobody reads them. */
static void test_constant_output_beside_tiles(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.k_to = 0;
    expect_tiled(&tiled, LINE_STORE, "stores C(8,16), but no input was read for it");
}

static void test_kept_from_launch_to_launch(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    run_tiled(&tiled);
    /* A constant is read, and a counter written. */
    kit_log(&kit, (struct trace_access){0, LINE_LOAD_A, TRACE_GLOBAL, TRACE_READ, 4,
                                        TRACE_NO_OPERAND, 0x100000000400u, 8});
    assert_false(kit_find(&kit));
    kit_log(&kit, (struct trace_access){0, LINE_EXTRA, TRACE_GLOBAL, TRACE_READ, 4,
                                        TRACE_NO_OPERAND, 0x100000000000u, 1});
    kit_log(&kit, (struct trace_access){0, LINE_STORE, TRACE_GLOBAL, TRACE_WRITE, 4,
                                        TRACE_NO_OPERAND, 0x100000000000u, 2});
    assert_true(kit_find(&kit));
    assert_int_equal(kit.place.line, LINE_EXTRA);
    assert_string_equal(kit.place.label,
                        "uses memory that keeps its contents from launch to launch");
    kit.trace.access_count--;
    assert_false(kit_find(&kit));
}

/* What was kept is stored in place of the sum. */
static void test_kept_result(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    run_tiled(&tiled);
    kit.trace.access_count -= EDGE * EDGE;
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        struct at at = {kit.block_y, kit.block_x, thread / EDGE, thread % EDGE, 0, 0};
        float kept = 7.5f + (float)thread * 0.31f;
        kit_log(&kit, (struct trace_access){thread, LINE_EXTRA, TRACE_GLOBAL, TRACE_READ, 4,
                                            TRACE_NO_OPERAND, 0x100000000000u + thread * 4,
                                            kit_bits(kept)});
        store(&kit, thread, LINE_STORE, c_index(&at), kept);
    }
    expect_place(LINE_EXTRA, "uses memory that keeps its contents from launch to launch");
}

/* A counter whose reads have no line, but whose write has. */
static void test_kept_counter(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    run_tiled(&tiled);
    kit.trace.access_count -= EDGE * EDGE;
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        struct at at = {kit.block_y, kit.block_x, thread / EDGE, thread % EDGE, 0, 0};
        kit_log(&kit, (struct trace_access){thread, 0, TRACE_GLOBAL, TRACE_READ, 4,
                                            TRACE_NO_OPERAND, 0x100000000000u, 2});
        if (thread == 0) {
            kit_log(&kit, (struct trace_access){thread, LINE_EXTRA, TRACE_GLOBAL, TRACE_WRITE, 4,
                                                TRACE_NO_OPERAND, 0x100000000000u, 3});
        }
        store(&kit, thread, LINE_STORE, c_index(&at), 0.0f);
    }
    expect_place(LINE_EXTRA, "uses memory that keeps its contents from launch to launch");
}

/* Styles: right, and with one mistake **********************************************************/

enum style_mistake { NO_MISTAKE, A_ROW_WRONG, LAST_LEFT_OUT, SPOILT };

static float spoil(enum style_mistake mistake, float sum, uint32_t thread)
{
    return mistake == SPOILT ? sum * (1.5f + 0.01f * (float)thread) : sum;
}

/* Each thread reads global memory alone. */
static void run_naive(enum style_mistake mistake)
{
    size_t width = mistake == A_ROW_WRONG ? WIDTH : INNER;

    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        size_t row = EDGE + thread / EDGE;
        size_t column = 2 * EDGE + thread % EDGE;
        float sum = 0.0f;
        for (size_t k = 0; k < INNER - (mistake == LAST_LEFT_OUT ? 1 : 0); k++) {
            float a = load(&kit, thread, LINE_PRODUCT, KIT_A, row * width + k);
            sum += a * load(&kit, thread, LINE_PRODUCT, KIT_B, k * WIDTH + column);
        }
        store(&kit, thread, LINE_STORE, row * WIDTH + column, spoil(mistake, sum, thread));
    }
}

/* The next tiles are loaded into registers while the last ones are multiplied. */
static void run_double_buffering(enum style_mistake mistake)
{
    size_t width = mistake == A_ROW_WRONG ? WIDTH : INNER;
    size_t end = mistake == LAST_LEFT_OUT ? INNER - EDGE : INNER;

    for (size_t t = 0; t <= end; t += EDGE) {
        float *old = kit.shared;
        (void)old;
        for (uint32_t i = 0; i < EDGE * EDGE && t < end; i++) {
            size_t base = t / EDGE % 2 * 256;
            size_t ty = i / EDGE;
            size_t tx = i % EDGE;
            uint32_t line = t == 0 ? LINE_SUM : LINE_LOAD_A;
            put(&kit, i, line, base + i, load(&kit, i, line, KIT_A, (EDGE + ty) * width + t + tx));
            line = t == 0 ? LINE_SUM : LINE_LOAD_B;
            put(&kit, i, line, base + 64 + i,
                load(&kit, i, line, KIT_B, (t + ty) * WIDTH + 2 * EDGE + tx));
        }
        for (uint32_t i = 0; i < EDGE * EDGE && t > 0; i++) {
            size_t base = (t / EDGE - 1) % 2 * 256;
            for (size_t k = 0; k < EDGE; k++) {
                float a = get(&kit, i, LINE_PRODUCT, base + i / EDGE * EDGE + k);
                kit.sums[i] += a * get(&kit, i, LINE_PRODUCT, base + 64 + k * EDGE + i % EDGE);
            }
        }
    }
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        store(&kit, i, LINE_STORE, (EDGE + i / EDGE) * WIDTH + 2 * EDGE + i % EDGE,
              spoil(mistake, kit.sums[i], i));
    }
}

/* Each thread computes two elements of a row, and reads each element of A once for both. */
static void run_two_columns(enum style_mistake mistake)
{
    size_t width = mistake == A_ROW_WRONG ? WIDTH : INNER;

    for (uint32_t i = 0; i < EDGE * EDGE / 2; i++) {
        size_t row = EDGE + i / 4;
        size_t column = 2 * EDGE + i % 4;
        float left = 0.0f;
        float right = 0.0f;
        for (size_t k = 0; k < INNER - (mistake == LAST_LEFT_OUT ? 1 : 0); k++) {
            float a = load(&kit, i, LINE_PRODUCT, KIT_A, row * width + k);
            left += a * load(&kit, i, LINE_PRODUCT, KIT_B, k * WIDTH + column);
            right += a * load(&kit, i, LINE_PRODUCT, KIT_B, k * WIDTH + column + 4);
        }
        store(&kit, i, LINE_STORE, row * WIDTH + column, spoil(mistake, left, i));
        store(&kit, i, LINE_STORE, row * WIDTH + column + 4, spoil(mistake, right, i));
    }
}

/* The elements of A reach the other threads of a row by shuffles, which no access shows. */
static void run_shuffles(enum style_mistake mistake)
{
    size_t width = mistake == A_ROW_WRONG ? WIDTH : INNER;
    float own[EDGE * EDGE];

    for (size_t t = 0; t < INNER - (mistake == LAST_LEFT_OUT ? EDGE : 0); t += EDGE) {
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            own[i] = load(&kit, i, LINE_LOAD_A, KIT_A, (EDGE + i / EDGE) * width + t + i % EDGE);
        }
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            for (size_t k = 0; k < EDGE; k++) {
                float b = load(&kit, i, LINE_PRODUCT, KIT_B, (t + k) * WIDTH + 2 * EDGE + i % EDGE);
                kit.sums[i] += own[i / EDGE * EDGE + k] * b;
            }
        }
    }
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        store(&kit, i, LINE_STORE, (EDGE + i / EDGE) * WIDTH + 2 * EDGE + i % EDGE,
              spoil(mistake, kit.sums[i], i));
    }
}

/* Tiles turned and padded, k downwards, four neighbours read at once. */
static void run_downwards(enum style_mistake mistake)
{
    size_t width = mistake == A_ROW_WRONG ? WIDTH : INNER;

    for (size_t t = 0; t < INNER; t += EDGE) {
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            size_t ty = i / EDGE;
            size_t tx = i % EDGE;
            put(&kit, i, LINE_LOAD_A, ty * 12 + tx,
                load(&kit, i, LINE_LOAD_A, KIT_A, (EDGE + ty) * width + t + tx));
            put(&kit, i, LINE_LOAD_B, 256 + tx * (EDGE + 1) + ty,
                load(&kit, i, LINE_LOAD_B, KIT_B, (t + ty) * WIDTH + 2 * EDGE + tx));
        }
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            size_t low = mistake == LAST_LEFT_OUT ? 1 : 0;
            float a[EDGE];
            for (size_t k = 0; k < EDGE; k++) {
                size_t from = k < 4 ? k + 4 : k - 4;
                a[from] = from >= low ? get(&kit, i, LINE_PRODUCT, i / EDGE * 12 + from) : 0.0f;
            }
            for (size_t k = EDGE; k > low; k--) {
                kit.sums[i] +=
                    a[k - 1] * get(&kit, i, LINE_PRODUCT, 256 + i % EDGE * (EDGE + 1) + k - 1);
            }
        }
    }
    for (uint32_t i = 0; i < EDGE * EDGE; i++) {
        store(&kit, i, LINE_STORE, (EDGE + i / EDGE) * WIDTH + 2 * EDGE + i % EDGE,
              spoil(mistake, kit.sums[i], i));
    }
}

static void run_style(size_t style, enum style_mistake mistake)
{
    static void (*const styles[])(enum style_mistake) = {
        run_naive, run_double_buffering, run_two_columns, run_shuffles, run_downwards};

    styles[style](mistake);
}

enum { STYLES = 5 };

static void again(void)
{
    arena_free(kit.arena);
    kit_init(&kit);
}

static void test_styles_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < STYLES; i++) {
        again();
        run_style(i, NO_MISTAKE);
        expect_nothing();
    }
}

/* Wrong in the end, right in all that is read: no load and no tile may be named. */
static void test_styles_spoilt(void **state)
{
    (void)state;
    for (size_t i = 0; i < STYLES; i++) {
        again();
        run_style(i, SPOILT);
        if (kit_find(&kit)) {
            assert_int_equal(kit.place.line, LINE_PRODUCT);
            assert_non_null(strstr(kit.place.label, "but the result is wrong"));
        }
    }
}

static void test_styles_with_wrong_row(void **state)
{
    static const int lines[STYLES] = {LINE_PRODUCT, LINE_LOAD_A, LINE_PRODUCT, LINE_LOAD_A,
                                      LINE_LOAD_A};

    (void)state;
    for (size_t i = 0; i < STYLES; i++) {
        again();
        run_style(i, A_ROW_WRONG);
        assert_true(kit_find(&kit));
        if (i != 1 || kit.place.line != LINE_SUM) {
            assert_int_equal(kit.place.line, lines[i]);
        }
        assert_non_null(strstr(kit.place.label, "A("));
    }
}

static void test_styles_with_products_left_out(void **state)
{
    static const int lines[STYLES] = {LINE_PRODUCTS, LINE_TILES, LINE_PRODUCTS, LINE_LOAD_A,
                                      LINE_PRODUCTS};
    static const char *const labels[STYLES] = {
        "skips A(8,31) and B(31,16)", "skips A(8,24) and B(24,16)", "skips A(8,31) and B(31,16)",
        "never reads A(8,24)", "skips A(8,0) and B(0,16)"};

    (void)state;
    for (size_t i = 0; i < STYLES; i++) {
        again();
        run_style(i, LAST_LEFT_OUT);
        assert_true(kit_find(&kit));
        assert_int_equal(kit.place.line, lines[i]);
        assert_non_null(strstr(kit.place.label, labels[i]));
    }
}

/* Four places with a quarter of the votes each: none is told. */
static void test_no_majority(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.b_get = b_get_turned;
    run_tiled(&tiled);
    for (size_t i = 0; i < kit.trace.access_count; i++) {
        if (kit.accesses[i].line == LINE_PRODUCT) {
            kit.accesses[i].line = LINE_PRODUCT + kit.accesses[i].thread % 4;
        }
    }
    expect_nothing();
}

/* What a hostile program's trace may hold *******************************************************/

static void test_accesses_out_of_range(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    const struct trace_access bad[] = {
        {1024, 4, TRACE_GLOBAL, TRACE_READ, 4, KIT_A, 0, 0},
        {0, LINES, TRACE_GLOBAL, TRACE_READ, 4, KIT_A, 0, 0},
        {0, 4, TRACE_GLOBAL, TRACE_READ, 4, KIT_A, HEIGHT * INNER, 0},
        {0, 4, TRACE_GLOBAL, TRACE_WRITE, 4, KIT_C, UINT64_MAX, 0},
        {0, 4, TRACE_GLOBAL, TRACE_WRITE, 4, 7, 0, 0},
        {0, 4, TRACE_SHARED, TRACE_WRITE, 4, TRACE_NO_OPERAND, UINT64_MAX, 5},
        {0, 4, TRACE_SHARED, TRACE_ATOMIC, 4, TRACE_NO_OPERAND, 4, 5},
        {0, 4, 9, TRACE_WRITE, 4, TRACE_NO_OPERAND, 4, 5},
        {0, 4, TRACE_SHARED, 9, 4, TRACE_NO_OPERAND, 4, 5},
        {0, 4, TRACE_SHARED, TRACE_WRITE, 16, TRACE_NO_OPERAND, 4, 5},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kit_log(&kit, bad[i]);
    }
    tiled.a_index = a_stays;
    expect_tiled(&tiled, LINE_LOAD_A, "never reads A(8,8)");
}

static void test_unusable_traces(void **state)
{
    (void)state;
    struct tiled tiled = right_tiled();
    tiled.a_index = a_stays;
    run_tiled(&tiled);
    kit.trace.is_complete = false;
    expect_nothing();
    kit.trace.is_complete = true;
    kit.trace.inputs[KIT_B] = NULL;
    expect_nothing();
    kit.trace.inputs[KIT_B] = kit.b;
    kit.trace.block[1] = 0;
    expect_nothing();
    kit.trace.block[1] = UINT32_MAX;
    kit.trace.block[0] = UINT32_MAX;
    expect_nothing();
    kit.trace.block[0] = EDGE;
    kit.trace.block[1] = EDGE;
    kit.oracle.needs = NULL;
    expect_nothing();
    kit.oracle.needs = kit_needs;
    expect_place(LINE_LOAD_A, "never reads A(8,8)");
}

static void test_cause_gets_its_place(void **state)
{
    (void)state;
    const struct launch_trace *traces[] = {&kit.trace};
    struct tiled tiled = right_tiled();
    struct cause cause = {.code = CODE_NAMED_MISTAKE, .message = "", .file = "", .hint = ""};
    tiled.a_index = a_stays;
    run_tiled(&tiled);
    locate_wrong_result(&kit.input, kit.arena, 0, &cause);
    assert_int_equal(cause.line, 0);
    kit.evidence.traces = traces;
    cause.because = CODE_SHARED_RACE;
    locate_wrong_result(&kit.input, kit.arena, 0, &cause);
    assert_int_equal(cause.line, 0);
    cause.because = CODE_NONE;
    locate_wrong_result(&kit.input, kit.arena, 0, &cause);
    assert_int_equal(cause.line, LINE_LOAD_A);
    assert_string_equal(cause.label, "never reads A(8,8), which C(8,16) needs");
}

/* The call was followed: C(8,16) is made of A(8,8), or is not. */
static void test_what_the_call_does_not_bear_out(void **state)
{
    (void)state;
    const struct launch_trace *traces[] = {&kit.trace};
    static const struct operand_element need = {KIT_A, 8 * INNER + 8};
    static const struct value_part part = {.from = {KIT_A, 8 * INNER + 8}, .count = 1};
    struct followed_call followed = {.is_known = true, .parted_count = 1};
    const struct followed_call *all[] = {&followed};
    struct tiled tiled = right_tiled();
    tiled.a_index = a_stays;
    run_tiled(&tiled);
    kit.evidence.traces = traces;
    kit.evidence.followed = all;
    for (size_t i = 0; i < 2; i++) {
        struct cause cause = {.code = CODE_NAMED_MISTAKE, .message = "", .file = "", .hint = ""};
        followed.parted[0] = (struct parted_value){.element = 8 * WIDTH + 16,
                                                   .is_wrong = true,
                                                   .needs = &need,
                                                   .need_count = 1,
                                                   .is_known = true,
                                                   .parts = &part,
                                                   .part_count = i,
                                                   .missing_count = 1 - i};
        locate_wrong_result(&kit.input, kit.arena, 0, &cause);
        assert_int_equal(cause.line, i == 0 ? LINE_LOAD_A : 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_right),
        TEST(test_row_lengths),
        TEST(test_row_length_of_b),
        TEST(test_column_major),
        TEST(test_block_ignored),
        TEST(test_block_column_ignored),
        TEST(test_tile_stays),
        TEST(test_tile_of_b_stays),
        TEST(test_tile_number),
        TEST(test_column_of_own_row),
        TEST(test_last_tile_missing),
        TEST(test_first_tile_missing),
        TEST(test_every_second_tile),
        TEST(test_last_product_missing),
        TEST(test_first_product_missing),
        TEST(test_every_second_product),
        TEST(test_loop_without_source),
        TEST(test_tiles_taken_twice),
        TEST(test_product_taken_twice),
        TEST(test_store_turned),
        TEST(test_store_of_b_turned),
        TEST(test_both_stores_turned),
        TEST(test_read_turned),
        TEST(test_turned_on_purpose),
        TEST(test_read_of_other_row),
        TEST(test_own_elements_only),
        TEST(test_access_moved_up),
        TEST(test_column_of_an_access),
        TEST(test_own_elements_only_optimised),
        TEST(test_tiles_backwards),
        TEST(test_tiles_overlap),
        TEST(test_tiles_overlap_optimised),
        TEST(test_output_turned),
        TEST(test_output_transposed),
        TEST(test_stored_too_early),
        TEST(test_half_never_stored),
        TEST(test_all_blocks_store_the_same),
        TEST(test_some_blocks_store_nothing),
        TEST(test_block_does_not_come),
        TEST(test_grid_turned),
        TEST(test_fewer_stores_than_elements),
        TEST(test_loop_of_stores_ends_early),
        TEST(test_all_rows_stored),
        TEST(test_few_threads_are_wrong),
        TEST(test_few_threads_look_for_less),
        TEST(test_constant_for_an_element),
        TEST(test_zero_for_an_element),
        TEST(test_other_constant_for_an_element),
        TEST(test_sum_for_an_element),
        TEST(test_sum_beside_a_lack),
        TEST(test_no_thread_is_wrong),
        TEST(test_grid_too_small),
        TEST(test_adds_both),
        TEST(test_sum_reset),
        TEST(test_sum_overwritten),
        TEST(test_sum_overwritten_optimised),
        TEST(test_multiple_has_no_place),
        TEST(test_no_number),
        TEST(test_rounded_tile),
        TEST(test_rounded_use),
        TEST(test_rounded_sum),
        TEST(test_old_output),
        TEST(test_constant_output),
        TEST(test_constant_output_beside_tiles),
        TEST(test_kept_from_launch_to_launch),
        TEST(test_kept_result),
        TEST(test_kept_counter),
        TEST(test_styles_right),
        TEST(test_styles_spoilt),
        TEST(test_styles_with_wrong_row),
        TEST(test_styles_with_products_left_out),
        TEST(test_no_majority),
        TEST(test_accesses_out_of_range),
        TEST(test_unusable_traces),
        TEST(test_cause_gets_its_place),
        TEST(test_what_the_call_does_not_bear_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
