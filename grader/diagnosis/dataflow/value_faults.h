/* value_faults.h: the elements of the inputs that get into a wrong result of a call, beside those
 * that the oracle says it needs.
 *
 *   needs it, and has other elements instead, or more    the read that brings one in
 *   lacks some                                           how far the first of them gets
 *   has one more often than the others, where right      the read that brings it in
 *   results have theirs alike
 *   has some several times, and is what comes of         the read that brings one of them in
 *   adding them up so often
 *   has what it needs, once each                         only what is computed can be wrong
 *
 * The right results of the same call show what can be said: where one of them has an element that
 * it does not need, or lacks one, that is no fault here. A result is right by chance, and does not
 * count for that, if it has one and lacks another, or if the oracle makes another result of the one
 * that it lacks. Where most results are wrong, all that lack one may be right by chance. Nothing is
 * called missing unless the oracle makes another result of it, nor what decides a branch or where a
 * value is stored. Each wrong result votes; at least half of them must agree on fault and line.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_VALUE_FAULTS_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_VALUE_FAULTS_H

#include "criteria/criteria_input.h"

enum value_fault_kind {
    FAULT_NONE,
    FAULT_OTHER,
    FAULT_LOST,
    FAULT_OFTEN,
    FAULT_ADDED,
    FAULT_COMPUTED
};

struct value_fault {
    enum value_fault_kind kind;
    size_t element;                 /* of the output: the first wrong one that has this fault */
    struct trace_line line;         /* line 0: unknown */
    struct operand_element part;    /* OTHER, OFTEN, ADDED: what gets in; LOST: what does not */
    bool lacks;                     /* OTHER: it lacks `missing` */
    struct operand_element missing; /* likewise */
    struct trace_line load;         /* OTHER: what loads `part` */
    bool is_only_loaded;            /* LOST: at `line`, it is loaded, and then not read again */
    uint32_t times, usual_times;    /* OFTEN, ADDED */
    struct operand_element most;    /* ADDED: what gets in most often */
    uint32_t most_times;
};

/* Chooses results of the call that is to be followed, wrong ones and right ones, and lists what
 * they need. Nothing if the oracle does not say. */
void value_faults_ask(const struct criteria_input *input, struct arena *arena,
                      const struct observation *observation, const struct sample *sample,
                      struct followed_call *request);

/* The fault that most of the wrong results have. */
struct value_fault value_faults_find(const struct criteria_input *input,
                                     const struct followed_call *followed);

enum part_claim_kind {
    PARTS_NOT_MEANT,
    PART_LACKS,    /* the result is not made of an element */
    PART_IS_OTHER, /* it is made of one that it does not need */
    PARTS_ARE_NONE /* it is made of no element */
};

/* Something said of the elements that a result of a call is made of. */
struct part_claim {
    enum part_claim_kind kind;
    size_t result; /* the element of the output */
    struct operand_element part;
    bool is_shown; /* the value is what comes of it */
};

/* True if the call that was followed bears a claim out. Where what the result is made of cannot be
 * followed, only the value can show it. */
bool value_faults_confirm(const struct followed_call *followed, const struct part_claim *claim);

/* The case that was followed, as it was judged. */
const struct observation *followed_observation(const struct criteria_input *input,
                                               const struct followed_call *followed);

#endif
