/* class_results.h: the results of a whole class, for the reports on it: plain structs, filled from
 * a batch's store, read by the emitters of report/class/.
 *
 * A row is a student. What a row says about the submission is about the attempt that counts.
 */
#ifndef GPUGRADE_MODEL_CLASS_RESULTS_H
#define GPUGRADE_MODEL_CLASS_RESULTS_H

#include "model/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum class_state {
    CLASS_GRADED,
    CLASS_NOTHING, /* handed in, but nothing that can be graded: no files, a broken archive; 0 marks
                      by the submission's own fault */
    CLASS_TROUBLE, /* the grader or the machine failed, also when tried again: no mark at all */
    CLASS_PENDING, /* not graded yet */
    CLASS_MISSING, /* in the roster, nothing handed in */
};

/* A criterion of the rubric that the class is graded with. */
struct class_criterion {
    const char *id;
    const char *title;
    const char *kind; /* "correct" */
    double points;
    bool hidden;      /* students must not see it */
    bool bonus;       /* adds points beyond the total */
    bool is_left_out; /* judged in no submission, so no mark has it in it */
};

/* What one criterion gave one student. */
struct class_mark {
    bool is_judged; /* false: everything else is unset */
    enum status status;
    double points;
    enum code code; /* of the cause; CODE_NONE: none */
};

enum decision_kind {
#define DECISION(name, text) DECISION_##name,
#include "model/decisions.def"
#undef DECISION
    DECISION_COUNT
};

/* What a person decided about a student. It stands until it is undone; nothing is forgotten. */
struct class_decision {
    int64_t number; /* in the store, from 1; 0: not stored yet */
    enum decision_kind kind;
    const char *about; /* DROP: the submission; GRADE: the criterion's id; else "" */
    double value;      /* UNTIL: seconds since 1970; DAYS; POINTS: below 0 to take some off; GRADE:
                          points; else 0 */
    const char *text;  /* COMMENT: the comment; else why, "" if no reason was given */
    int64_t made_at;   /* seconds since 1970 */
    const char *made_by;
    int64_t undone_at; /* 0: it stands */
    const char *undone_by;
};

/* From the criteria's points to the mark, in the order in which it is applied. */
struct class_final {
    double raw;      /* points of all criteria, bonus included, at most the total and the bonus */
    double penalty;  /* taken off for being late, >= 0 */
    double added;    /* by a person; below 0: taken off */
    double mark;     /* what counts: raw - penalty + added, never below 0 */
    double maximum;  /* what the mark is out of: the same for the whole class */
    int64_t late_s;  /* seconds after the due time, grace not taken off; 0: in time */
    bool is_cut_off; /* too late for any mark */
    bool is_excused; /* there is no mark, and none is wanted */
};

/* What an attempt is to its student's mark. */
enum attempt_standing {
    ATTEMPT_COUNTS,
    ATTEMPT_OTHER,   /* the rubric's `attempts` takes another one */
    ATTEMPT_DROPPED, /* a person decided so */
    ATTEMPT_GONE,    /* it is not in SUBMISSIONS any more */
};

/* One submission of a student. */
struct class_attempt {
    const char *submission;
    int64_t submitted;
    enum class_state state;
    enum attempt_standing standing;
    bool has_old_time;              /* its files have changed since the time came */
    const char *trouble;            /* as in a row */
    struct class_final final;       /* what the mark would be if it counted */
    const struct class_mark *marks; /* [criterion_count]; NULL unless GRADED */
};

struct class_row {
    /* Who: personal data. With pseudonyms all but `student` are "" and `student` is made up. */
    const char *student; /* unique: the roster's id, the name of the folder, ... */
    const char *name;
    const char *email;
    const char *canvas_id, *sis_id, *login, *section; /* what Canvas wants back; "" where unknown */
    const char *moodle_id;                            /* "Participant 1234" or an ID number */
    /* What was handed in. */
    const char *submission; /* its name below SUBMISSIONS */
    const char *file;       /* what it is called on the disk, of several files the first:
                         "doejane_12_34_lab.zip" */
    int64_t submitted;      /* seconds since 1970; 0: unknown */
    size_t attempts;        /* handed in by this student */
    const char *content;    /* [64 digits] hash of the graded files; "" where none */
    /* What came of it. */
    enum class_state state;
    const char *trouble;      /* NOTHING, TROUBLE: why; else "" */
    struct class_final final; /* states GRADED and NOTHING; MISSING: what was decided */
    const struct class_decision *decisions; /* [decision_count] that hold, oldest first */
    size_t decision_count;
    const struct class_attempt *handed_in; /* [handed_in_count] all that there is, oldest first;
                                              with pseudonyms none */
    size_t handed_in_count;
    int64_t due;      /* seconds since 1970, extensions included; 0: nothing is ever late */
    bool is_complete; /* nothing skipped, no error */
    const struct class_mark *marks; /* [criterion_count]; NULL unless GRADED */
    double speedup;                 /* the largest measured; 0: none */
    double ranked;                  /* by what the class is ranked; 0: it is not on the board */
    const char *ranked_on;          /* the GPU that measured it; "": it was counted */
    const char *alias;              /* made up for the board, the same in a term; "": no board */
    size_t place, places;           /* from 1, of so many on the same GPU; 0: not on the board */
    double seconds;                 /* that grading took */
    uint32_t tries;                 /* 1, more where the machine failed at first */
};

/* A finding or cause by its code, over the class. */
struct class_finding {
    enum code code;
    size_t students;        /* who have it */
    const size_t *examples; /* [example_count] rows, at most 5 */
    size_t example_count;
};

/* Two students whose device code is alike: a lead for an instructor, not proof. */
struct class_pair {
    size_t first, second; /* rows */
    const char *program;  /* "tiled" */
    double similarity;    /* 0..1: share of the smaller one's own code that both have */
    size_t shared;        /* how much that is, in instructions */
    bool is_same_content; /* the same files, byte for byte */
};

struct class_results {
    const char *title; /* of the coursework */
    const char *coursework;
    const char *term; /* the title of the term whose page is index.html beside that on the class;
                         NULL: none */
    int64_t rubric_version;
    const char *rubric_sha256; /* of the public rubric where something is hidden */
    const char *seed;          /* "0x..." */
    double maximum; /* what marks are out of: points without bonus, and without the criteria that
                       were judged in no submission */
    bool has_hidden;
    bool is_pseudonymous;
    const char *machine; /* one line: device, GPU, sandbox, tools */
    const char *grader_version;
    const struct class_criterion *criteria; /* [criterion_count] in the rubric's order */
    size_t criterion_count;
    const struct class_row *rows; /* [row_count] by student */
    size_t row_count;
    const struct class_finding *findings; /* [finding_count] most common first */
    size_t finding_count;
    const struct class_pair *pairs; /* [pair_count] most alike first */
    size_t pair_count;
    enum ranked_by ranked_by;
    const size_t *board; /* [board_count] rows on the board: those of a GPU together, the GPU with
                            the most of them first, and the best first */
    size_t board_count;
    const char
        *board_page; /* the leaderboard for students, a file beside the other pages; NULL: none */
};

const char *class_state_name(enum class_state state); /* "graded" */

/* True if the later one of two decisions about a student takes the place of the earlier one: of
 * extensions, and of the points for a criterion, the last counts. Others add up. */
bool decision_replaces(const struct class_decision *later, const struct class_decision *earlier);

const char *decision_name(enum decision_kind kind);                 /* "until" */
bool decision_find(const char *name, enum decision_kind *out_kind); /* the case of letters aside */

#endif
