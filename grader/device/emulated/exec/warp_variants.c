/* warp_variants.c: which compiled forms of the hot loop this processor can run, and one without
 * chains, which the others are compared with. */
#include "device/emulated/memory/op_tap.h"

#define DECLARE(name)                                                                              \
    void warp_run_##name(struct warp *warp);                                                       \
    op_handler *warp_handler_##name(uint16_t code);                                                \
    void warp_link_##name(struct op *ops, size_t count);                                           \
    bool tensor_rows_##name(const struct tensor_product *product,                                  \
                            const struct tensor_format *format, const uint64_t *a,                 \
                            const uint64_t *b, const uint64_t *c, uint64_t *d);

DECLARE(baseline)
#if defined(__x86_64__)
DECLARE(avx2)
#endif
#if defined(HAS_AVX512_VARIANT)
DECLARE(avx512)
#endif

static const struct warp_variant variants[] = {
    {"stepwise", warp_run_baseline, warp_handler_baseline, ops_unlink, tensor_rows_baseline},
    {"baseline", warp_run_baseline, warp_handler_baseline, warp_link_baseline,
     tensor_rows_baseline},
#if defined(__x86_64__)
    {"avx2", warp_run_avx2, warp_handler_avx2, warp_link_avx2, tensor_rows_avx2},
#endif
#if defined(HAS_AVX512_VARIANT)
    {"avx512", warp_run_avx512, warp_handler_avx512, warp_link_avx512, tensor_rows_avx512},
#endif
};

size_t warp_variants(const struct warp_variant **out_variants)
{
    size_t count = 2;
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("popcnt");
    count += has_avx2;
#if defined(HAS_AVX512_VARIANT)
    bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    count += has_avx2 && has_avx512;
#endif
#endif
    *out_variants = variants;
    return count;
}
