/* class_histogram.h: how many values are in each span, as a table with bars. */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_HISTOGRAM_H
#define GPUGRADE_REPORT_CLASS_CLASS_HISTOGRAM_H

#include "base/text.h"

#include <stddef.h>

struct class_histogram {
    const char *caption;  /* "Students by mark" */
    const char *what;     /* of the spans: "mark" */
    const double *values; /* [count] ascending */
    size_t count;
    double start; /* of the first span */
    double step;  /* width of a span, > 0 */
    size_t spans; /* values outside count as in the first or the last one */
    double top;   /* values above it have a span of their own, "over 100"; 0: there is no such */
    int decimals; /* of the borders */
};

/* Appends the table, highest span first. A span holds its lower border, the last one both. */
void class_histogram(const struct class_histogram *histogram, struct text *out);

/* A step of 1, 2 or 5 times a power of ten that cuts `width` into at most `spans` parts. */
double class_histogram_step(double width, size_t spans);

#endif
