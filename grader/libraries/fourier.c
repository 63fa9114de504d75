/* fourier.c: see fourier.h. Lengths are divided by their prime factors (Cooley and Tukey, 1965); what
 * has none that is small is a convolution (Bluestein, 1970). */
#include "libraries/fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FACTOR = 64 };

/* Lines of one length. */
struct line {
    size_t length;
    struct fourier_number *roots; /* [length] of 1, in the order of their angle */
};

static struct fourier_number root_of(size_t index, size_t length, int sign)
{
    const double angle = 2.0 * 3.14159265358979323846 * (double)index / (double)length;

    return (struct fourier_number){cos(angle), sign * sin(angle)};
}

static bool line_init(struct line *line, size_t length, int sign)
{
    line->length = length;
    line->roots = calloc(length, sizeof(*line->roots));
    for (size_t i = 0; line->roots != NULL && i < length; i++) {
        line->roots[i] = root_of(i, length, sign);
    }
    return line->roots != NULL;
}

static struct fourier_number times(struct fourier_number a, struct fourier_number b)
{
    return (struct fourier_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct fourier_number plus(struct fourier_number a, struct fourier_number b)
{
    return (struct fourier_number){a.re + b.re, a.im + b.im};
}

/* The smallest prime factor, or the number itself if that is large. */
static size_t factor_of(size_t number)
{
    for (size_t factor = 2; factor <= LARGEST_FACTOR; factor++) {
        if (number % factor == 0) {
            return factor;
        }
    }
    return number;
}

/* Joins the transforms of `factor` parts, which lie one after the other. */
static void join(const struct line *line, size_t length, size_t factor, struct fourier_number *out)
{
    const size_t part = length / factor, step = line->length / length;
    struct fourier_number sums[LARGEST_FACTOR];

    for (size_t k = 0; k < part; k++) {
        for (size_t q = 0; q < factor; q++) {
            const size_t turn = k + q * part;

            sums[q] = out[k];
            for (size_t r = 1; r < factor; r++) {
                sums[q] =
                    plus(sums[q], times(out[r * part + k], line->roots[r * turn % length * step]));
            }
        }
        for (size_t q = 0; q < factor; q++) {
            out[k + q * part] = sums[q];
        }
    }
}

static bool transform(const struct line *line, size_t length, const struct fourier_number *in,
                      size_t stride, struct fourier_number *out);

/* The transform of `length` numbers as a convolution with a chirp. */
static bool convolve(const struct line *line, size_t length, const struct fourier_number *in,
                     size_t stride, struct fourier_number *out)
{
    const int sign = line->roots[1 % line->length].im < 0.0 ? -1 : 1;
    struct line forward = {0, NULL}, back = {0, NULL};
    size_t size = 1;

    while (size < 2 * length) {
        size *= 2;
    }
    struct fourier_number *const room = calloc(4 * size, sizeof(*room));
    struct fourier_number *const a = room, *const b = a + size, *const c = b + size;
    bool is_done = room != NULL && line_init(&forward, size, -1) && line_init(&back, size, 1);
    for (size_t i = 0; is_done && i < length; i++) {
        const struct fourier_number chirp = root_of(i * i % (2 * length), 2 * length, sign);

        a[i] = times(in[i * stride], chirp);
        b[i] = (struct fourier_number){chirp.re, -chirp.im};
        b[(size - i) % size] = b[i];
    }
    is_done =
        is_done && transform(&forward, size, a, 1, c) && transform(&forward, size, b, 1, c + size);
    for (size_t i = 0; is_done && i < size; i++) {
        a[i] = times(c[i], c[size + i]);
    }
    is_done = is_done && transform(&back, size, a, 1, b);
    for (size_t i = 0; is_done && i < length; i++) {
        const struct fourier_number chirp = root_of(i * i % (2 * length), 2 * length, sign);
        const struct fourier_number sum = {b[i].re / (double)size, b[i].im / (double)size};

        out[i] = times(sum, chirp);
    }
    free(room);
    free(forward.roots);
    free(back.roots);
    return is_done;
}

/* Transforms numbers that are `stride` apart; `length` divides that of the line. */
static bool transform(const struct line *line, size_t length, const struct fourier_number *in,
                      size_t stride, struct fourier_number *out)
{
    const size_t factor = factor_of(length);
    bool is_done = true;

    if (length == 1) {
        out[0] = in[0];
        return true;
    }
    if (factor > LARGEST_FACTOR) {
        return convolve(line, length, in, stride, out);
    }
    for (size_t r = 0; is_done && r < factor; r++) {
        is_done = transform(line, length / factor, in + r * stride, stride * factor,
                            out + r * (length / factor));
    }
    join(line, length, factor, out);
    return is_done;
}

/* Transforms all lines along one dimension: numbers of a line are `stride` apart. */
static bool transform_lines(struct fourier_number *values, size_t total, size_t length,
                            size_t stride, int sign)
{
    struct line line;
    struct fourier_number *const room = malloc(length * sizeof(*room));
    bool is_done = line_init(&line, length, sign) && room != NULL;

    for (size_t outer = 0; is_done && outer < total; outer += length * stride) {
        for (size_t inner = 0; is_done && inner < stride; inner++) {
            struct fourier_number *const first = values + outer + inner;

            is_done = transform(&line, length, first, stride, room);
            for (size_t i = 0; i < length; i++) {
                first[i * stride] = room[i];
            }
        }
    }
    free(line.roots);
    free(room);
    return is_done;
}

bool fourier_transform(struct fourier_number *values, const size_t dimensions[3], int sign)
{
    const size_t total = dimensions[0] * dimensions[1] * dimensions[2];
    size_t stride = 1;
    bool is_done = true;

    for (int i = 2; i >= 0 && is_done; i--) {
        if (dimensions[i] > 1) {
            is_done = transform_lines(values, total, dimensions[i], stride, sign);
        }
        stride *= dimensions[i];
    }
    return is_done;
}
