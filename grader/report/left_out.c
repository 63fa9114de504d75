/* left_out.c: see left_out.h. */
#include "report/left_out.h"

#include <inttypes.h>

static void add(uint64_t *sum, uint64_t count)
{
    *sum = *sum > UINT64_MAX - count ? UINT64_MAX : *sum + count;
}

struct left_out left_out_sum(const struct finding *findings, size_t count)
{
    struct left_out sum = {0, 0};

    for (size_t i = 0; i < count; i++) {
        if (findings[i].is_rest) {
            bool is_error = findings[i].severity == SEVERITY_ERROR;
            add(is_error ? &sum.errors : &sum.warnings, findings[i].count);
        }
    }
    return sum;
}

void left_out_append(const struct report *report, struct text *out)
{
    const struct left_out sum = left_out_sum(report->findings, report->finding_count);

    if (sum.errors == 0 && sum.warnings == 0) {
        return;
    }
    text_printf(out,
                "more was seen than is listed: errors %" PRIu64 " times and warnings %" PRIu64
                " times at other places; the first places of each kind are listed",
                sum.errors, sum.warnings);
}
