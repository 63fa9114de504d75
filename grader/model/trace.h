/* trace.h: every access of one block, with its value, to find the line that makes a result wrong.
 *
 * A trace is made only of a wrong case, after the criteria have seen that it is wrong: the program
 * runs again for that one case, with inputs whose values all differ, and the emulated device logs
 * the block that writes the watched element (or, if none does, the first block). A value that is
 * read from shared memory then shows which element of which input it is.
 */
#ifndef GPUGRADE_MODEL_TRACE_H
#define GPUGRADE_MODEL_TRACE_H

#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_space { TRACE_GLOBAL, TRACE_SHARED };
enum trace_kind { TRACE_READ, TRACE_WRITE, TRACE_ATOMIC };
enum { TRACE_NO_OPERAND = 255 };

/* One scalar access of one thread; a vector access is several of them. */
struct trace_access {
    uint32_t thread; /* x + size x * (y + size y * z), in the block */
    uint32_t line;   /* index into the trace's lines */
    uint8_t space, kind, bytes;
    uint8_t operand; /* index into the launch's operands; TRACE_NO_OPERAND: none, or shared */
    /* Global: the element's index in the operand, or the device address where there is none.
     * Shared: the byte offset in the block's shared memory. */
    uint64_t where;
    uint64_t bits; /* the value read, or written */
};

struct trace_line {
    const char *file; /* relative to the submission; "" where unknown */
    int line, column;
};

/* What is to be traced. */
struct trace_request {
    size_t launch;                             /* index in the rubric */
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* in elements */
    int64_t block;                             /* the block width */
    size_t operand;                            /* index of the watched operand */
    size_t element;                            /* the watched element of it */
    bool is_again;  /* the launch runs once before, on other values: this shows what it keeps */
    bool is_beside; /* the wrong element is never written, but this one of the same tile is */
};

/* Elements of an output of a judged call, and where their values come from. The call is made
 * again, with the inputs of one of its probes. */
enum { FOLLOWED_MAX = 64 };

struct value_origin {
    struct trace_line last; /* the last store of a kernel; line 0: there is none, or unknown */
    struct trace_line
        made;        /* the store that made the value; line 0: it was there before the call */
    uint64_t launch; /* of the last store: its number among those of the call; 0: unknown */
};

/* Of an operand that holds values before the call. */
struct operand_loads {
    bool is_partial;         /* kernels have not loaded all of its elements */
    size_t missing;          /* the first that they have not */
    struct trace_line loads; /* what loads those before it, or after it; line 0: nothing does */
};

/* An element of an operand. */
struct operand_element {
    uint32_t operand; /* index in the launch's operands */
    size_t element;
};

/* An element that a value is made of, as it was before the call. */
struct value_part {
    struct operand_element from;
    uint32_t count;         /* in how many ways it gets there; UINT32_MAX: that many, or more */
    struct trace_line load; /* what loads it; line 0: unknown */
    struct trace_line read; /* the last read on one of these ways; likewise */
};

enum { PARTED_MAX = 16 };

/* What one element of the output is made of, beside what it needs. */
struct parted_value {
    size_t element;
    bool is_wrong;
    const struct operand_element *needs; /* [need_count] sorted; some, by the oracle */
    size_t need_count;                   /* 0: they are not known */
    bool is_known;                       /* the parts are */
    const struct value_part *parts;      /* [part_count] sorted, each element once; of operands that
                                       hold values before the call */
    size_t part_count;
    size_t missing_count;   /* of the needs, that are no part */
    size_t first_missing;   /* index of the needs, if missing_count > 0 */
    struct trace_line fate; /* the last read of something made of that one; line 0: unknown */
    bool is_only_loaded;    /* that is its load */
    bool decides;           /* something made of it decides a branch, or where a value is stored */
};

struct followed_call {
    size_t launch;                             /* index in the rubric */
    size_t case_index;                         /* in the rubric's cases */
    uint32_t repetition;                       /* which draw of that case */
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* in elements */
    int64_t block;                             /* the block width */
    uint32_t probe;                            /* enum probe_kind */
    size_t operand;
    size_t elements[FOLLOWED_MAX]; /* [count], the wrong ones first */
    size_t count, wrong_count;
    bool is_mostly_wrong;           /* at least three in four elements of the output */
    bool is_known;                  /* false: the call has not come to its end */
    const struct host_places *lost; /* from where no launch has stores that are in the output, or
                                       were used by later launches, copies or the host, though those
                                       of another launch of its kernel are; NULL: there is none */
    struct value_origin origins[FOLLOWED_MAX]; /* [count] */
    struct operand_loads loads[RUBRIC_OPERANDS_MAX];
    struct parted_value parted[PARTED_MAX]; /* [parted_count], the wrong ones first */
    size_t parted_count;
};

struct launch_trace {
    struct trace_request request;
    const void *inputs[RUBRIC_OPERANDS_MAX]; /* what was written, per operand; NULL for outputs */
    size_t element_counts[RUBRIC_OPERANDS_MAX];
    uint32_t grid[3], block[3];     /* the launch's geometry */
    uint32_t block_index[3];        /* the block that was traced */
    bool wrote_element;             /* it wrote the watched element; false: no block did */
    bool is_complete;               /* false: there were more accesses than TRACE_ACCESSES_MAX */
    const struct trace_line *lines; /* [line_count] */
    size_t line_count;
    const struct trace_access *accesses; /* [access_count], in an order that the device ran them */
    size_t access_count;
};

enum { TRACE_ACCESSES_MAX = 4 << 20 };

#endif
