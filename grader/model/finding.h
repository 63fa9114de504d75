/* finding.h: one thing that the device observed, with its places.
 *
 * A finding is evidence, not a verdict: criteria decide what it costs. Findings of one kind at
 * the same pair of source lines are one finding with a count.
 */
#ifndef GPUGRADE_MODEL_FINDING_H
#define GPUGRADE_MODEL_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cause_kind {
#define CAUSE(name, text, title) CAUSE_##name,
#include "model/causes.def"
#undef CAUSE
    CAUSE_COUNT
};

enum code {
#define CODE(name, id, text, cause, title, hint) CODE_##name,
#include "model/codes.def"
#undef CODE
    CODE_COUNT
};

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

/* One place of a finding. */
struct place {
    const char *role; /* "read", "write", "barrier", "here"; never NULL */
    const char *file; /* relative to the submission; "" where unknown */
    int line;         /* from 1; 0 where unknown */
    int column;
    bool has_thread;
    uint32_t block[3];
    uint32_t thread[3];
    const char *actor; /* "`scale` in stream 1"; NULL: a thread did it, or no one in particular */
    bool is_copy; /* a write by an asynchronous copy, which lasts until its thread has waited */
};

enum { FINDING_PLACES_MAX = 4, FINDING_ARGUMENTS_MAX = 8 };

/* The launch that a finding was first seen in. */
struct finding_values {
    uint32_t grid[3], block[3];
    uint32_t known; /* bit i: argument i is a number or a pointer that is known */
    uint64_t arguments[FINDING_ARGUMENTS_MAX]; /* with zeros above */
    uint64_t address;                          /* that is accessed */
    /* Of an access next to an operand: */
    const char *operand;         /* its name in the rubric; NULL: it is not certain which one */
    uint64_t operand_extents[3]; /* [operand_rank], slowest first */
    size_t operand_rank;
    uint32_t access_bytes; /* of one thread; 0: of neither what follows nor a read of device memory
                              that nothing has written */
    /* Of an access past the end of a variable in shared memory, or of a read where nothing has been
     * written to it, else 0: */
    uint64_t offset; /* in bytes from the variable's start */
    uint64_t variable_bytes;
};

struct finding {
    enum code code;
    enum severity severity;
    const char *message;
    const char *kernel;    /* demangled name without arguments; "" outside of a kernel */
    const char *object;    /* the variable that is accessed, as in the source; NULL where unknown */
    bool object_is_static; /* its size is fixed in the source */
    bool has_vectors_only; /* no operand of the kernel has rows and columns */
    uint32_t access_bytes; /* of an access past the end of an allocation, else 0 */
    uint64_t object_bytes; /* of that allocation; of an access past the end of shared memory, of the
                              array or of all of it */
    uint64_t needed_bytes; /* how many an allocation must have for that access */
    const char *launch;    /* id of the rubric's launch; "" where there is none */
    uint64_t count;        /* how often, over all launches of the case or program */
    bool is_limit; /* of LAUNCH_DEADLINE: it was stopped at its limit, and might have ended */
    bool is_rest;  /* the rest of its code: no room for it, or not checked; no places */
    struct place places[FINDING_PLACES_MAX];
    size_t place_count;
    size_t main_place; /* index of the place to point at; of a race the access that did not wait */
    /* Filled when findings are merged: in how many of the launch's shapes it was seen, and the
     * first of these. of_shapes 0: not merged, or seen on the program's own data only. */
    uint32_t shapes, of_shapes;
    const char *first_shape;             /* "A 32x48, B 48x16"; NULL where of_shapes is 0 */
    const struct finding_values *values; /* NULL where unknown; what is stored has none */
};

/* True if one of two accesses is a read, and the other one the write of an asynchronous copy. */
bool finding_has_copy(const struct finding *finding);

/* True if two findings differ only in message, count, threads and severity: they are one that was
 * seen again. */
bool finding_is_same(const struct finding *left, const struct finding *right);

/* Hashes of what finding_is_same() compares, and of code, files and lines alone
 * (base/hash_index.h). */
uint64_t finding_hash(const struct finding *finding);
uint64_t finding_lines_hash(const struct finding *finding);

const char *cause_name(enum cause_kind cause);  /* "wrong_result" */
const char *cause_title(enum cause_kind cause); /* "wrong result" */
enum cause_kind code_cause(enum code code);
const char *code_name(enum code code);  /* "named_mistake" */
const char *code_id(enum code code);    /* "W02" */
const char *code_title(enum code code); /* "the result of a well-known mistake" */
const char *code_hint(enum code code);  /* "check the index into the constant"; "" for none */

#endif
