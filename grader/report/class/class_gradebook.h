/* class_gradebook.h: marks as the gradebooks of learning platforms import them.
 *
 *   canvas   Student,ID,SIS User ID,SIS Login ID,Section,ASSIGNMENT     lib/gradebook_importer.rb
 *            "    Points Possible",,,,,100                              of Canvas
 *   moodle   Email address,ASSIGNMENT   or   ID number,ASSIGNMENT       the gradebook's CSV import
 *            Identifier,...,Grade,Maximum Grade,Last modified (grade)   an assignment's offline
 *                                                                       grading worksheet
 *
 * Both platforms read an empty mark as "remove the existing mark", so only students with a mark
 * have a line (class_facts.h says who has one), and in Canvas' those who are excused: "EX". Moodle
 * refuses the whole file if it does not know one of the people in it. Marks are out of the class's
 * `maximum`, rounded to hundredths, as the gradebooks keep them.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_GRADEBOOK_H
#define GPUGRADE_REPORT_CLASS_CLASS_GRADEBOOK_H

#include "base/text.h"
#include "model/class_results.h"

/* Who is in the file and who is not. */
struct gradebook_counts {
    size_t written;
    size_t without_mark;   /* grading failed, also in part, or is pending */
    size_t without_key;    /* a mark, but no key by which the platform knows the student */
    size_t missing;        /* handed in nothing */
    size_t excused;        /* no mark is wanted: "EX" for Canvas, no line for Moodle */
    size_t incomplete;     /* written, though the mark lacks what others were judged by */
    size_t beyond_maximum; /* written, with more than the maximum: bonus */
};

/* Appends Canvas' table; `assignment` is the column, "Lab 6 (4711)". */
void class_canvas(const struct class_results *results, const char *assignment, struct text *out,
                  struct gradebook_counts *out_counts);

/* Appends Moodle's table, keyed by what most students have: an ID number, an address, or a
 * participant's number ("Participant 1234", from an export), which makes it a grading worksheet. */
void class_moodle(const struct class_results *results, const char *assignment, struct text *out,
                  struct gradebook_counts *out_counts);

#endif
