/* test_emulated_math.c: the functions of <math.h> as nvcc builds them (data/math_functions.cu), on
 * each variant of the hot loop, against long double of the host. Large arguments take the slow
 * ways: reduction by a long pi, subnormal numbers, local arrays. Skipped where there is no nvcc.
 *
 * The bounds are those of the CUDA C++ Programming Guide, "Mathematical Functions", in units in the
 * last place, plus half a unit for the rounding of the reference; 0 means the nearest number.
 */
#include "../nvcc_run.h"
#include "device/emulated/machine.h"
#include "emulated_fixture.h"

#include <math.h>

enum { THREADS = 512, FUNCTIONS = 48, PTX_BYTES_MAX = 1 << 22 };

struct bound {
    const char *name;
    double in_float, in_double;
};

/* In the order of math_functions.cu. */
static const struct bound bounds[FUNCTIONS] = {
    {"sin", 2, 2},     {"cos", 2, 2},    {"tan", 4, 2},      {"asin", 2, 2},
    {"acos", 2, 2},    {"atan", 2, 2},   {"atan2", 3, 2},    {"sinh", 3, 2},
    {"cosh", 2, 1},    {"tanh", 2, 1},   {"asinh", 3, 3},    {"acosh", 4, 3},
    {"atanh", 3, 2},   {"exp", 2, 1},    {"exp2", 2, 1},     {"exp10", 2, 1},
    {"expm1", 1, 1},   {"log", 1, 1},    {"log2", 1, 1},     {"log10", 2, 1},
    {"log1p", 1, 1},   {"pow", 4, 2},    {"sqrt", 0, 0},     {"rsqrt", 2, 1},
    {"cbrt", 1, 1},    {"hypot", 3, 2},  {"erf", 2, 2},      {"erfc", 4, 5},
    {"tgamma", 5, 10}, {"lgamma", 6, 4}, {"fmod", 0, 0},     {"remainder", 0, 0},
    {"fdim", 0, 0},    {"ldexp", 0, 0},  {"frexp", 0, 0},    {"exponent", 0, 0},
    {"modf", 0, 0},    {"whole", 0, 0},  {"logb", 0, 0},     {"round", 0, 0},
    {"trunc", 0, 0},   {"rint", 0, 0},   {"sincos.s", 2, 2}, {"sincos.c", 2, 2},
    {"div", 0, 0},     {"fma", 0, 0},    {"normcdf", 5, 5},  {"rcbrt", 1, 1},
};

static void compute_references(long double x, long double y, long double z, bool is_double,
                               long double out[FUNCTIONS])
{
    long double positive = fabsl(x);
    long double plus_one = is_double ? (double)positive + 1.0 : (float)positive + 1.0f;
    long double whole;
    int exponent;
    long double fraction = frexpl(x, &exponent);
    long double rest = modfl(x, &whole);
    const long double references[FUNCTIONS] = {
        sinl(x),
        cosl(x),
        tanl(x),
        asinl(y),
        acosl(y),
        atanl(x),
        atan2l(x, z),
        sinhl(z),
        coshl(z),
        tanhl(z),
        asinhl(x),
        acoshl(plus_one),
        atanhl(y),
        expl(z),
        exp2l(z),
        powl(10.0L, z),
        expm1l(z),
        logl(positive),
        log2l(positive),
        log10l(positive),
        log1pl(positive),
        powl(positive, z),
        sqrtl(positive),
        1 / sqrtl(positive),
        cbrtl(x),
        hypotl(x, z),
        erfl(z),
        erfcl(z),
        tgammal(z),
        lgammal(positive),
        fmodl(x, z),
        remainderl(x, z),
        fdiml(x, z),
        ldexpl(x, (int)z),
        fraction,
        exponent,
        rest,
        whole,
        logbl(x),
        roundl(x),
        truncl(x),
        rintl(x),
        sinl(x),
        cosl(x),
        x / z,
        fmal(x, y, z),
        erfcl(-z * sqrtl(0.5L)) / 2,
        1 / cbrtl(x),
    };
    memcpy(out, references, sizeof references);
}

/* How far `got` is from `exact`, in units in the last place of the nearest number of the type. */
static double distance(long double got, long double exact, bool is_double)
{
    long double nearest = is_double ? (double)exact : (float)exact;
    if (isnan(nearest) || isnan(got)) {
        return isnan(nearest) && isnan(got) ? 0 : INFINITY;
    }
    if (isinf(nearest) || isinf(got)) {
        return nearest == got ? 0 : INFINITY;
    }
    int exponent;
    frexpl(nearest, &exponent);
    int least = is_double ? -1074 : -149;
    int unit = exponent - (is_double ? 53 : 24);
    unit = unit < least || nearest == 0 ? least : unit;
    return (double)ldexpl(fabsl(got - exact), -unit);
}

/* Sizes of all orders, both signs, numbers that are subnormal and numbers that are whole. */
static void make_inputs(bool is_double, double out[3][THREADS])
{
    uint64_t state = 20251121;
    for (unsigned i = 0; i < THREADS; i++) {
        double random[3];
        for (unsigned k = 0; k < 3; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            random[k] = (double)(state >> 11) * 0x1p-53;
        }
        double decades =
            i % 8 != 0 ? random[0] * 9 - 4 : (random[0] * 2 - 1) * (is_double ? 300 : 37);
        out[0][i] = pow(10, decades) * (i % 2 == 0 ? 1 : -1);
        out[0][i] = i % 64 == 1 ? rint(out[0][i]) + 1 : out[0][i];
        out[0][i] = i % 64 == 2 ? (is_double ? 0x1.8p-1070 : 0x1.8p-145) : out[0][i];
        out[1][i] = (random[1] * 2 - 1) * (i % 3 == 0 ? 1e-3 : 1);
        out[2][i] = (random[2] * 16 - 8) * (i % 5 == 0 ? 1e-2 : 1);
        for (unsigned k = 0; k < 3 && !is_double; k++) {
            out[k][i] = (float)out[k][i];
        }
    }
}

static const char *variant_name;

static enum error open_variant(const struct device_config *config, void **out_state,
                               struct diagnostic *diagnostic)
{
    return emulated_open(config, variant_name, out_state, diagnostic);
}

/* Runs the kernel on a variant; bytes of the results are put into out. */
static void run_kernel(const char *ptx, bool is_double, const char *variant, void *out,
                       double inputs[3][THREADS])
{
    size_t bytes = is_double ? sizeof(double) : sizeof(float);
    struct device_backend backend = device_emulated;
    struct device_config config = {
        .memory_limit_bytes = 1 << 24, .launch_deadline_ns = UINT64_C(1000000000000), .threads = 1};
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    variant_name = variant;
    backend.open = open_variant;
    assert_int_equal(device_open(&backend, &config, &device, &diagnostic), ERROR_NONE);
    uint64_t in = fixture_allocate(device, 3 * THREADS * bytes);
    uint64_t results = fixture_allocate(device, FUNCTIONS * THREADS * bytes);
    float narrow[3][THREADS];
    for (unsigned i = 0; i < 3 * THREADS; i++) {
        narrow[i / THREADS][i % THREADS] = (float)inputs[i / THREADS][i % THREADS];
    }
    device_write(device, in, is_double ? (void *)inputs : (void *)narrow, 3 * THREADS * bytes);
    struct device_launch launch = {
        .module = fixture_load(device, ptx), .grid = {4, 1, 1}, .block = {THREADS / 4, 1, 1}};
    struct device_function_info info;
    while (device_function_info(device, launch.module, launch.function, &info) &&
           strcmp(info.name, is_double ? "doubles" : "floats") != 0) {
        launch.function++;
    }
    const struct {
        uint64_t in, out;
        int32_t n;
    } parameters = {in, results, THREADS};
    launch.parameters = &parameters;
    struct device_launch_result result;
    device_launch(device, &launch, &result);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, results, out, FUNCTIONS * THREADS * bytes);
    device_close(device);
}

/* Returns how many functions are beyond their bound; prints the worst place of each. */
static unsigned check_results(const void *results, bool is_double, double inputs[3][THREADS])
{
    double worst[FUNCTIONS] = {0};
    unsigned where[FUNCTIONS] = {0};
    unsigned wrong = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        long double references[FUNCTIONS];
        compute_references(inputs[0][i], inputs[1][i], inputs[2][i], is_double, references);
        for (unsigned k = 0; k < FUNCTIONS; k++) {
            long double got = is_double ? ((const double *)results)[k * THREADS + i]
                                        : ((const float *)results)[k * THREADS + i];
            double far = distance(got, references[k], is_double);
            where[k] = far > worst[k] ? i : where[k];
            worst[k] = far > worst[k] ? far : worst[k];
        }
    }
    for (unsigned k = 0; k < FUNCTIONS; k++) {
        double bound = (is_double ? bounds[k].in_double : bounds[k].in_float) + 0.5;
        if (worst[k] > bound) {
            unsigned i = where[k];
            print_error("%s of %s: %g units, at %a %a %a\n", bounds[k].name,
                        is_double ? "double" : "float", worst[k], inputs[0][i], inputs[1][i],
                        inputs[2][i]);
            wrong++;
        }
    }
    return wrong;
}

/* nvcc's PTX; NULL where there is no nvcc. */
static char *build_ptx(struct arena *arena)
{
    const char *nvcc = nvcc_find(arena);
    struct diagnostic diagnostic = {0};
    char *folder;
    size_t length;
    if (nvcc == NULL) {
        return NULL;
    }
    assert_int_equal(folder_make_temporary(arena, &folder, &diagnostic), ERROR_NONE);
    const char *path = arena_printf(arena, "%s/math.ptx", folder);
    const char *const arguments[] = {
        nvcc, "-ptx", "-arch=compute_75",
        "-o", path,   GPUGRADE_SOURCE_DIR "/tests/unit/device/data/math_functions.cu",
        NULL};
    nvcc_run(arguments);
    char *text = nvcc_output(arena, path, PTX_BYTES_MAX, &length);
    folder_remove(folder);
    return text;
}

static void test_functions_within_bounds(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char *ptx = build_ptx(arena);
    if (ptx == NULL) {
        arena_free(arena);
        skip();
    }
    const struct warp_variant *variants;
    size_t variant_count = warp_variants(&variants);
    unsigned wrong = 0;
    for (unsigned is_double = 0; is_double < 2; is_double++) {
        static double inputs[3][THREADS];
        static double results[2][FUNCTIONS * THREADS];
        memset(results, 0, sizeof results);
        make_inputs(is_double, inputs);
        for (size_t v = 0; v < variant_count; v++) {
            run_kernel(ptx, is_double, variants[v].name, results[v > 0], inputs);
            assert_memory_equal(results[0], results[v > 0], sizeof results[0]);
        }
        wrong += check_results(results[0], is_double, inputs);
    }
    arena_free(arena);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions_within_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
