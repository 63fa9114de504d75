/* ptx_tables.h: the words of PTX: opcodes and what they allow, modifiers, types, spaces.
 *
 * The rows of opcodes.def, and the modifiers as one table: each row says which field of an
 * instruction a word sets. One word may have several rows ("lo" is a flag of mul and a comparison
 * of setp); the class tells which of them an opcode allows.
 */
#ifndef GPUGRADE_PTX_PTX_TABLES_H
#define GPUGRADE_PTX_PTX_TABLES_H

#include "ptx/ptx.h"

/* Classes of modifiers, above the bits of enum ptx_flag, each of which is a class of its own. */
#define PTX_CLASS(bit) (UINT64_C(1) << (32 + (bit)))
#define PTX_CLASS_ROUND PTX_CLASS(0)
#define PTX_CLASS_COMPARE PTX_CLASS(1)
#define PTX_CLASS_SPACE PTX_CLASS(2)
#define PTX_CLASS_VECTOR PTX_CLASS(3)
#define PTX_CLASS_SCOPE PTX_CLASS(4)
#define PTX_CLASS_CACHE PTX_CLASS(5)
#define PTX_CLASS_TYPE2 PTX_CLASS(6)    /* a second type word */
#define PTX_CLASS_LOGIC PTX_CLASS(7)    /* and, or, xor, popc */
#define PTX_CLASS_ATOMIC PTX_CLASS(8)   /* add, min, max, inc, dec, exch, cas */
#define PTX_CLASS_VOTE PTX_CLASS(9)     /* all, any, uni, ballot */
#define PTX_CLASS_SHUFFLE PTX_CLASS(10) /* up, down, bfly, idx */
#define PTX_CLASS_PRMT PTX_CLASS(11)
#define PTX_CLASS_TESTP PTX_CLASS(12)
#define PTX_CLASS_BARRIER PTX_CLASS(13) /* sync, arrive, red, warp */
#define PTX_CLASS_PREFETCH PTX_CLASS(14)
#define PTX_CLASS_WEAK PTX_CLASS(15) /* words without effect: the default of ld, st, fence */
#define PTX_CLASS_NOFTZ PTX_CLASS(16)
#define PTX_CLASS_INDEX PTX_CLASS(17) /* brx.idx */
#define PTX_CLASS_MASK PTX_CLASS(18)  /* pmevent.mask */
#define PTX_CLASS_TYPE3 PTX_CLASS(19) /* a third type word: the same as the second, or b32 */
#define PTX_CLASS_SUM PTX_CLASS(20)   /* vabsdiff4.add */
#define PTX_CLASS_ASYNC PTX_CLASS(21) /* words of cp.async */
#define PTX_CLASS_MBARRIER PTX_CLASS(22)
#define PTX_CLASS_MATRIX PTX_CLASS(23)   /* words of matrices: ptx_matrix.h reads all of them */
#define PTX_CLASS_GEOMETRY PTX_CLASS(24) /* of textures and surfaces */
#define PTX_CLASS_TEXTURE PTX_CLASS(25)  /* level, grad */
#define PTX_CLASS_GATHER PTX_CLASS(26)   /* r, g, b, a of tld4 */
#define PTX_CLASS_SURFACE PTX_CLASS(27)  /* b, trap, clamp, zero */
#define PTX_CLASS_PACK PTX_CLASS(28)     /* cvt.pack */
#define PTX_CLASS_QUERY PTX_CLASS(29)    /* words of txq and suq */

/* A row of opcodes.def. */
struct ptx_opcode_row {
    const char *name;
    const char *operands;
    uint32_t types; /* a bit for each enum ptx_type */
    uint64_t modifiers;
    uint64_t required;
};

enum ptx_field {
    PTX_FIELD_NONE,
    PTX_FIELD_FLAGS,
    PTX_FIELD_ROUNDING,
    PTX_FIELD_COMPARE,
    PTX_FIELD_SPACE,
    PTX_FIELD_VECTOR,
    PTX_FIELD_SCOPE,
    PTX_FIELD_SUB,
    PTX_FIELD_GEOMETRY,
    PTX_FIELD_BORDER,
};

struct ptx_modifier_row {
    const char *word;
    uint64_t class; /* the opcode must allow all of these bits */
    enum ptx_field field;
    uint32_t value;
};

const struct ptx_opcode_row *ptx_opcode_row(enum ptx_opcode opcode);

/* The opcode with a first word [length]; PTX_OP_UNKNOWN if there is none. */
enum ptx_opcode ptx_opcode_find(const char *word, size_t length);

/* The row of a word [length] that `allowed` classes admit; NULL if there is none. */
const struct ptx_modifier_row *ptx_modifier_find(const char *word, size_t length, uint64_t allowed);

/* The type with a name [length] without a dot; PTX_TYPE_NONE if there is none. */
enum ptx_type ptx_type_find(const char *word, size_t length);

/* The same, and the types that only elements of matrices and cvt have. */
enum ptx_type ptx_element_type_find(const char *word, size_t length);

/* The state space with a name [length] without a dot; false if there is none. */
bool ptx_space_find(const char *word, size_t length, enum ptx_space *out_space);

/* The special register with a name [length]; false if it is not in specials.def. */
bool ptx_special_find(const char *word, size_t length, enum ptx_special *out_special);

/* Whether a name [length] is that of a special register, in the table or not. */
bool ptx_special_is_reserved(const char *word, size_t length);

#endif
