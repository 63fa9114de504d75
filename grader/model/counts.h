/* counts.h: what one launch did, counted exactly; the emulated device counts, criteria read.
 *
 * Units and the meaning of sectors and wavefronts: wire/count_record.h. Arrays are sorted by file,
 * line, column, space and access, one entry each. Everything lives in the submission's arena.
 */
#ifndef GPUGRADE_MODEL_COUNTS_H
#define GPUGRADE_MODEL_COUNTS_H

#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of host code. */
struct host_place {
    const char *file; /* relative to the submission; "" where unknown */
    int line;         /* 0 where unknown */
};

/* A line of host code, and the first line of the submission on the way to it: where a function that
 * it stands in was called from, or that of the function itself. */
struct host_places {
    struct host_place inner, outer;
};

enum count_space { COUNT_GLOBAL, COUNT_SHARED, COUNT_LOCAL, COUNT_CONSTANT, COUNT_SPACES };
enum count_access { COUNT_READ, COUNT_WRITE, COUNT_ATOMIC, COUNT_ACCESSES };

/* Sums over accesses. */
struct access_sum {
    uint64_t requests;                     /* of warps */
    uint64_t lanes;                        /* active lanes */
    uint64_t bytes;                        /* lanes x bytes of an access */
    uint64_t sectors, least_sectors;       /* global; shared: pieces of 32 bytes that are read */
    uint64_t wavefronts, least_wavefronts; /* shared */
    uint32_t max_degree;                   /* shared: bank-conflict degree, 1 without conflict */
};

struct line_count {
    const char *file; /* relative to the submission; "" where unknown */
    int line, column;
    enum count_space space;
    enum count_access access;
    struct access_sum sum;
};

struct barrier_count {
    const char *file;
    int line, column;
    uint64_t arrivals; /* of warps */
    uint64_t passed;   /* how often a barrier completed here that only orders accesses: it gives no
                        result and is not part of a wait for other blocks */
    uint64_t needed;   /* ... and without it there would have been a race */
};

struct branch_count {
    const char *file;
    int line, column;
    uint64_t requests, divergent;
};

/* Accesses to global memory that no operand lies in. */
struct other_count {
    uint64_t address;         /* of the allocation or module variable */
    uint64_t bytes;           /* that were loaded */
    uint64_t stored_bytes;    /* atomics too */
    uint64_t variable_bytes;  /* the size of the module variable; 0: it is none */
    uint64_t site;            /* where it was allocated, as the device numbers places; 0: unknown */
    struct host_place *place; /* of a call: where the program allocated it; NULL: unknown */
};

struct launch_counts {
    bool is_counted; /* false: the device does not count */
    uint64_t lane_instructions, warp_instructions;
    uint64_t work;                 /* units (work_limit.h) */
    uint64_t barrier_arrivals;     /* of warps */
    uint64_t tensor_multiply_adds; /* of products of matrices on tensor cores: m n k of each */
    struct access_sum totals[COUNT_SPACES][COUNT_ACCESSES];
    /* Accesses to the allocation of each operand, in the order of the launch's operands. One that
     * several operands lie in counts for the first input among them, or the first of them. */
    struct access_sum operands[RUBRIC_OPERANDS_MAX][COUNT_ACCESSES];
    struct other_count *others; /* by address */
    size_t other_count;
    const struct line_count *lines;
    size_t line_count;
    const struct barrier_count *barriers;
    size_t barrier_count;
    const struct branch_count *branches;
    size_t branch_count;
};

/* The launches of one kernel within a judged call. */
struct kernel_counts {
    const char *kernel;     /* mangled */
    const char *plain_name; /* demangled, without template and call arguments */
    uint64_t launches;
    uint64_t blocks;             /* most of one of them */
    struct launch_counts counts; /* of all of them */
    struct host_place *place;    /* of the first one; NULL: unknown */
};

/* What host code asks for at places of its own. */
enum host_request {
    HOST_LAUNCHES,
    HOST_COPIES,
    HOST_SETS,
    HOST_READS,
    HOST_WRITES,
    HOST_WAITS,
    HOST_REQUESTS
};

/* Why the parts of the longest chain come one after the other, most often. */
enum chain_link {
    CHAIN_LINK_NONE,
    CHAIN_LINK_HOST,   /* the host waits in between */
    CHAIN_LINK_LEGACY, /* one is in the default stream, which waits for the others */
    CHAIN_LINK_EVENT,  /* a stream waits for an event */
    CHAIN_LINK_STREAM, /* they are in one stream */
    CHAIN_LINKS
};

/* What the program asked of the device within a judged call, beside the work of its kernels. */
struct call_work {
    uint64_t launches;
    /* Bytes of each operand that copies read, and that copies and sets wrote. */
    uint64_t copied_from[RUBRIC_OPERANDS_MAX], copied_to[RUBRIC_OPERANDS_MAX];
    uint64_t copies, sets;            /* within device memory */
    uint64_t host_reads, host_writes; /* bytes to the host, and to the device: of copies, 4 for each
                                          set, and parameters of a launch beyond 256 bytes */
    uint64_t streams;                 /* that got work */
    uint64_t stream_bytes;            /* that copies, sets and launches touched */
    uint64_t longest_chain_bytes;     /* the most of them that came one after the other */
    uint64_t synchronisations;        /* how often the host waited for the device */
    uint64_t shared_with_host_bytes;  /* of managed, pinned or mapped memory that was used */
    /* Places; NULL: unknown. */
    const struct host_places *places[HOST_REQUESTS]; /* where it asked for most of it */
    enum chain_link link;
    const struct host_places *link_place;
    const struct host_places
        *copy_places[RUBRIC_OPERANDS_MAX];       /* of the last copy or set to each operand */
    uint64_t copy_launches[RUBRIC_OPERANDS_MAX]; /* how many launches came before that */
    uint64_t copy_offsets[RUBRIC_OPERANDS_MAX];  /* bytes in the device memory that it reads before
                                                    where it begins */
    bool is_last_set[RUBRIC_OPERANDS_MAX];       /* it was a set */
    bool is_unknown[RUBRIC_OPERANDS_MAX]; /* of a whole program: nothing shows where the operand is,
                                             and nothing is counted for it */
};

#endif
