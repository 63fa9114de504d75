/* dataflow_fingerprint.h: turns the PTX of a program into a set of marks, to compare submissions.
 *
 *     mad.lo.s32  %r5, %r1, %r2, %r3      round 0: the instruction itself
 *         ^ mov %ctaid.y   ^ mov %tid.y   round 1: and where its inputs come from
 *     mul.wide.s32 %rd2, %r5, 4           round 2: and where their inputs come from, ...
 *
 * Each instruction has a hash: of its mnemonic with types, of its operands by kind (register,
 * special register by name, immediate, variable by its space, label by its direction), and, round
 * after round, of the hashes of all instructions that write the registers it reads. The hashes of
 * the last round are the marks. These do not count: names, the order of instructions, functions and
 * parameters, the order of factors and summands, offsets from an address, values of constants (a
 * tile of 32 in place of 16 changes all of them), and positions in the source. So renamed,
 * reordered and differently laid out sources give the same marks, and an unrolled loop gives about
 * as many as its body. A changed operation changes its own mark and those up to a few steps after
 * it, no others.
 *
 * Winnowing (Schleimer, Wilkerson, Aiken 2003) compares runs of text. This compares sets, with the
 * labelling of Shervashidze and others 2011: "Weisfeiler-Lehman Graph Kernels", on the graph of the
 * data flow. So the order of statements does not matter as far as the data flow leaves it free.
 *
 * The PTX comes from a student's compiler and is not trusted: code that does not parse has no
 * marks, and sizes are bounded.
 */
#ifndef GPUGRADE_SUBMISSION_DATAFLOW_FINGERPRINT_H
#define GPUGRADE_SUBMISSION_DATAFLOW_FINGERPRINT_H

#include "base/arena.h"
#include "model/device_code.h"
#include "ptx/fat_binary.h"

enum {
    DATAFLOW_FINGERPRINT_ROUNDS = 4,
    DATAFLOW_FINGERPRINT_MAX = 1 << 16, /* of more marks, those with the smallest hashes stay */
    DATAFLOW_FINGERPRINT_TEXT_MAX =
        8 * 1024 * 1024,                          /* bytes of PTX; modules past that are ignored */
    DATAFLOW_FINGERPRINT_REGISTERS_MAX = 1 << 22, /* likewise */
};

/* Makes the marks of all functions of a program's PTX, including the harness. `program` is the
 * rubric's id; the result points to it, the marks live in the arena. */
struct device_code dataflow_fingerprint_make(struct arena *arena, const char *program,
                                             const struct fat_program *code);

#endif
