/* printouts.h: finds the lines that a rubric asks for in what a program printed.
 *
 *   a number   "Occupancy: 0.0303", "Occupancy: 3.03 %", "Occupancy: 3.03e-02", "Block size: 32":
 *              blanks, the label, blanks, one number, blanks. Exactly one line of the output starts
 *              with the label; other lines do not matter. A comma is no decimal point. If no line
 *              does, a rubric may accept one that holds the words of the label anywhere, and then
 *              "of", "is", ":" or "=", the number and at most a full stop: "took 3 ms with a
 *              theoretical occupancy of 0.75".
 *   a table    "requiredSM(32) = 256": blanks, the label, "(", a whole number, ")", "=", a whole
 *              number. Lines may be repeated as long as they agree.
 *
 * What is printed is foreign text: it is quoted only with control characters made visible, and cut.
 */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_PRINTOUTS_H
#define GPUGRADE_CRITERIA_PRINTOUTS_PRINTOUTS_H

#include "criteria/criteria_input.h"

/* A number as it was printed. */
struct printed_number {
    double value;     /* a percentage is divided by 100 already */
    double half_unit; /* half a unit of the last printed digit, in units of `value` */
    bool is_percentage;
    const char *text; /* as printed, "3.03%" */
};

/* One row per line of a table, in the order of the output. */
struct printed_table {
    const char *label;
    struct {
        uint32_t threads;
        uint32_t bytes;
    } * rows; /* [count] */
    size_t count;
};

/* Reads the number of a printout. False if there is none, with the cause: not built, still the
 * template, crashed before it printed, missing, repeated or malformed. */
bool read_printout(const struct criteria_input *input, struct arena *arena, size_t printout,
                   struct printed_number *out_number, struct cause *out_cause);

/* Reads a table printout; false with the cause likewise, or if it has no line at all. */
bool read_printed_table(const struct criteria_input *input, struct arena *arena, size_t printout,
                        struct printed_table *out_table, struct cause *out_cause);

/* True if a text holds the letters and digits of a label as words of its own, in any case and with
 * any blanks between them: "Theoretical occupancy = " for "Occupancy:". */
bool holds_label_words(const char *text, size_t length, const char *label);

/* True if a number that was never set, 0 or not a number, may be printed because something failed
 * in that run: a launch, after which every call fails, or a call that asks for the device, a kernel
 * or its occupancy. The cause is that failure. How the program ended says nothing about the
 * number. */
bool printout_rests_on_failure(const struct criteria_input *input, struct arena *arena,
                               size_t printout, struct cause *out_cause);

/* The bytes for so many threads; false if the table has no such line. */
bool printed_table_find(const struct printed_table *table, uint64_t threads, uint64_t *out_bytes);

#endif
