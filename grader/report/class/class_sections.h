/* class_sections.h: the sections of the page on a class, in their order, and what they share. A
 * section is empty if the class has nothing for it. class_page.c puts them together.
 *
 * Ids in the page: `s12` the row of the student with index 11. In the list of students a criterion
 * is one letter, and so is its result (status_letter).
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_SECTIONS_H
#define GPUGRADE_REPORT_CLASS_CLASS_SECTIONS_H

#include "base/arena.h"
#include "base/text.h"
#include "report/class/class_facts.h"

/* What every section is made of. */
struct class_view {
    const struct class_results *results;
    const struct class_facts *facts;
    struct arena *arena;
};

/* How the class did, links to the sections, what to know before showing the page to others. */
void class_overview(const struct class_view *view, struct text *out);

/* Who has no mark because the grader or the machine failed, and who submitted nothing gradable. */
void class_trouble(const struct class_view *view, struct text *out);
bool class_has_trouble(const struct class_view *view);

/* What a person should review, if anything. */
void class_reviews(const struct class_view *view, struct text *out);

/* How many students have how many points. */
void class_distribution(const struct class_view *view, struct text *out);
bool class_has_distribution(const struct class_view *view);

/* Criteria, those that fewest passed first. */
void class_criteria(const struct class_view *view, struct text *out);

/* Common findings with examples. */
void class_findings(const struct class_view *view, struct text *out);

/* Speedups, the fastest submissions. */
void class_speedups(const struct class_view *view, struct text *out);

/* Who is where, with the names. */
void class_leaderboard(const struct class_view *view, struct text *out);

/* Students whose device code is alike. */
void class_pairs(const struct class_view *view, struct text *out);

/* What people decided about students. */
void class_decisions(const struct class_view *view, struct text *out);
bool class_has_decisions(const struct class_view *view);

/* What took longest to grade, and what was tried more than once. */
void class_grading(const struct class_view *view, struct text *out);
bool class_has_grading(const struct class_view *view);

/* Every student. */
void class_students(const struct class_view *view, struct text *out);

/* Appends a link to a student's row: the name, and what tells two students of one name apart. */
void class_student_link(const struct class_view *view, size_t row, struct text *out);

/* Appends the head of a table that the script can sort; a column "#Points" holds numbers, one that
 * starts with "!" cannot be sorted. NULL ends the names. */
void class_table_begin(struct text *out, const char *style, const char *caption,
                       const char *const *columns);
void class_table_end(struct text *out);

/* "12.5 %"; "–" of nothing. */
void class_share(struct text *out, size_t part, size_t whole);

/* The letter of a criterion by its index: a, b, ... z, A, ... Z; "*" beyond. */
char class_criterion_letter(size_t criterion);

#endif
