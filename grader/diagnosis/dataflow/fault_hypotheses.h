/* fault_hypotheses.h: the first step at which one thread's values are not what its result needs.
 *
 * Each thread with a wrong result makes one claim: the first step, in the order of the data flow,
 * at which its values differ from those that the oracle lists for its elements of the output.
 * suspect_line.h lets the threads vote.
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_FAULT_HYPOTHESES_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_FAULT_HYPOTHESES_H

#include "diagnosis/dataflow/thread_facts.h"

/* In the order of the data flow. */
enum claim_kind {
    CLAIM_NONE,
    CLAIM_LOAD,         /* loads `element`, which nothing that this block writes needs */
    CLAIM_NEVER_LOADED, /* loads that input, but never `element`, which is needed */
    CLAIM_LOADS_SHORT,  /* a loop skips `element` and `partner`, and loads neither */
    CLAIM_OVERWRITE,    /* stores `element` over `partner` before that was read */
    CLAIM_MISPLACED,    /* stores `element` where a thread expects another one */
    CLAIM_ROUNDED,      /* stores `element` with less precision */
    CLAIM_READ,         /* reads `element`, which the result does not need */
    CLAIM_READS_SHORT,  /* a loop skips `element` and `partner`, though they are loaded */
    CLAIM_NEVER_READ,   /* `element` is loaded, but the thread never reads it */
    CLAIM_EARLY_STORE,  /* the result is stored before `element` is read */
    CLAIM_MOVED,        /* the result of another element is stored */
    CLAIM_OLD_OUTPUT,   /* the output is read before it was written */
    CLAIM_KEPT,         /* reads memory that is no operand */
    CLAIM_PART,         /* only what is read last counts */
    CLAIM_ROUNDED_USE,  /* what is read is used with less precision */
    CLAIM_ARITHMETIC,   /* all that is needed is read: what is computed from it is wrong */
    CLAIM_NOT_FINITE,   /* likewise, and the result is NaN or infinity */
    CLAIM_NOTHING_READ, /* the result is stored, and no input was read */
    CLAIM_NO_STORE,     /* threads never reach the store */
    CLAIM_FEW_STORES,   /* each thread stores fewer elements than its share of the tile */
    CLAIM_NOT_COVERED   /* no block stores an element that one should */
};

struct claim {
    enum claim_kind kind;
    uint32_t access;  /* an example of it; its line is the place */
    uint32_t result;  /* index of the flow's results: whose values these are */
    uint32_t element; /* FLOW_NONE where there is none */
    uint32_t partner; /* likewise */
    uint32_t wanted;  /* what is needed instead of `element`; FLOW_NONE where unknown */
    uint32_t count;   /* CLAIM_PART: how many products count; of loops 1: it holds the loads too;
                         CLAIM_NO_STORE: the thread;
                         CLAIM_FEW_STORES: how many each thread stores */
};

/* The claim of one thread; its kind is CLAIM_NONE if it has none. */
struct claim claim_of_thread(struct block_facts *block, const struct thread_facts *facts,
                             uint32_t result);

#endif
