/* ptx.h: PTX text as data.
 *
 * A module is parsed once, from text that a student's compiler wrote and that is not trusted. The
 * parser checks that every name is declared, every label exists and every operand has a form that
 * its instruction allows (columns of opcodes.def), so code that executes instructions need not
 * check again. What it does not know by name becomes an instruction with opcode PTX_OP_UNKNOWN that
 * keeps its text and line: it is reported when it is executed, not when it is parsed.
 *
 * Source: "PTX ISA", the manual of CUDA 13.0 (version 9.0), as nvcc prints it for sm_75.
 */
#ifndef GPUGRADE_PTX_PTX_H
#define GPUGRADE_PTX_PTX_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_opcode {
#define PTX_OPCODE(name, ...) PTX_OP_##name,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
    PTX_OPCODE_COUNT
};

enum ptx_type {
    PTX_TYPE_NONE,
    PTX_PRED,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_F32,
    PTX_F64,
    PTX_TF32, /* of elements of matrices and of cvt alone, as the following ones */
    PTX_S2,
    PTX_S4,
    PTX_U2,
    PTX_U4,
    PTX_E4M3,
    PTX_E4M3X2,
    PTX_E5M2,
    PTX_E5M2X2,
    PTX_TYPE_COUNT
};

enum ptx_space {
    PTX_SPACE_GENERIC, /* no state space given */
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM,
};

enum ptx_rounding {
    PTX_ROUND_NONE,
    PTX_ROUND_RN,
    PTX_ROUND_RZ,
    PTX_ROUND_RM,
    PTX_ROUND_RP,
    PTX_ROUND_RNA,
    PTX_ROUND_RNI,
    PTX_ROUND_RZI,
    PTX_ROUND_RMI,
    PTX_ROUND_RPI,
};

/* Which threads a fence, an atomic or an ordered access concerns: .cta, .gpu (or .gl), .sys. */
enum ptx_memory_scope {
    PTX_MEMORY_SCOPE_NONE,
    PTX_MEMORY_SCOPE_CTA,
    PTX_MEMORY_SCOPE_GPU,
    PTX_MEMORY_SCOPE_SYS,
};

enum ptx_compare {
    PTX_CMP_NONE,
    PTX_CMP_EQ,
    PTX_CMP_NE,
    PTX_CMP_LT,
    PTX_CMP_LE,
    PTX_CMP_GT,
    PTX_CMP_GE,
    PTX_CMP_LO,
    PTX_CMP_LS,
    PTX_CMP_HI,
    PTX_CMP_HS,
    PTX_CMP_EQU,
    PTX_CMP_NEU,
    PTX_CMP_LTU,
    PTX_CMP_LEU,
    PTX_CMP_GTU,
    PTX_CMP_GEU,
    PTX_CMP_NUM,
    PTX_CMP_NAN,
};

/* The second word of atom, red, bar.red, vote, shfl, setp.xx.and, lop3.and, prmt.f4e, testp, ... */
enum ptx_suboperation {
    PTX_SUB_NONE,
    PTX_SUB_AND,
    PTX_SUB_OR,
    PTX_SUB_XOR,
    PTX_SUB_POPC,
    PTX_SUB_ADD,
    PTX_SUB_MIN,
    PTX_SUB_MAX,
    PTX_SUB_INC,
    PTX_SUB_DEC,
    PTX_SUB_EXCH,
    PTX_SUB_CAS,
    PTX_SUB_ALL,
    PTX_SUB_ANY,
    PTX_SUB_UNI,
    PTX_SUB_BALLOT,
    PTX_SUB_UP,
    PTX_SUB_DOWN,
    PTX_SUB_BFLY,
    PTX_SUB_IDX,
    PTX_SUB_F4E,
    PTX_SUB_B4E,
    PTX_SUB_RC8,
    PTX_SUB_ECL,
    PTX_SUB_ECR,
    PTX_SUB_RC16,
    PTX_SUB_FINITE,
    PTX_SUB_INFINITE,
    PTX_SUB_NUMBER,
    PTX_SUB_NOTANUMBER,
    PTX_SUB_NORMAL,
    PTX_SUB_SUBNORMAL,
    /* Of bar and barrier; bar.red.popc has PTX_SUB_POPC, bar.red.and.pred PTX_SUB_AND, so the
     * parser never returns PTX_SUB_RED. */
    PTX_SUB_SYNC,
    PTX_SUB_ARRIVE,
    PTX_SUB_RED,
    PTX_SUB_WARP_SYNC,
    /* of cp.async: without one of these, or PTX_SUB_ARRIVE, it copies */
    PTX_SUB_COMMIT_GROUP,
    PTX_SUB_WAIT_GROUP,
    PTX_SUB_WAIT_ALL,
    /* of mbarrier, beside PTX_SUB_ARRIVE */
    PTX_SUB_INIT,
    PTX_SUB_INVAL,
    PTX_SUB_ARRIVE_DROP,
    PTX_SUB_TEST_WAIT,
    PTX_SUB_PARITY, /* test_wait.parity */
    PTX_SUB_PENDING_COUNT,
    /* of tex, where it says how coarse its level is */
    PTX_SUB_LEVEL,
    PTX_SUB_GRAD,
    /* of tld4: the channel that it gathers */
    PTX_SUB_GATHER_R,
    PTX_SUB_GATHER_G,
    PTX_SUB_GATHER_B,
    PTX_SUB_GATHER_A,
    /* of txq and suq: what is asked of the object; txq.level has an operand more */
    PTX_SUB_WIDTH,
    PTX_SUB_HEIGHT,
    PTX_SUB_DEPTH,
    PTX_SUB_ARRAY_SIZE,
    PTX_SUB_MIPMAP_LEVELS,
    PTX_SUB_NORMALIZED_COORDS,
    PTX_SUB_PACK, /* of cvt: two integers become one number, before which another one moves up */
    /* of wmma: which matrix is loaded or stored; mma, and wmma.mma, multiply */
    PTX_SUB_MATRIX_A,
    PTX_SUB_MATRIX_B,
    PTX_SUB_MATRIX_C,
    PTX_SUB_MATRIX_D,
    PTX_SUB_MULTIPLY,
};

/* What becomes of accesses of suld, sust and sured outside of the surface. */
enum ptx_border { PTX_BORDER_NONE, PTX_BORDER_TRAP, PTX_BORDER_CLAMP, PTX_BORDER_ZERO };

/* The coordinates of tex, tld4, suld, sust and sured. Those of arrays (A) begin with a layer. */
enum ptx_geometry {
    PTX_GEOMETRY_NONE,
    PTX_GEOMETRY_1D,
    PTX_GEOMETRY_2D,
    PTX_GEOMETRY_3D,
    PTX_GEOMETRY_A1D,
    PTX_GEOMETRY_A2D,
    PTX_GEOMETRY_CUBE,
    PTX_GEOMETRY_ACUBE,
};

/* Modifiers that are present or not. */
enum ptx_flag {
    PTX_FLAG_LO = 1 << 0,
    PTX_FLAG_HI = 1 << 1,
    PTX_FLAG_WIDE = 1 << 2,
    PTX_FLAG_FTZ = 1 << 3,
    PTX_FLAG_SAT = 1 << 4,
    PTX_FLAG_APPROX = 1 << 5,
    PTX_FLAG_FULL = 1 << 6,
    PTX_FLAG_VOLATILE = 1 << 7,
    PTX_FLAG_RELAXED = 1 << 8,
    PTX_FLAG_ACQUIRE = 1 << 9,
    PTX_FLAG_RELEASE = 1 << 10,
    PTX_FLAG_UNI = 1 << 11,
    PTX_FLAG_TO = 1 << 12,      /* cvta.to */
    PTX_FLAG_NC = 1 << 13,      /* ld.global.nc */
    PTX_FLAG_CC = 1 << 14,      /* add.cc */
    PTX_FLAG_ALIGNED = 1 << 15, /* always there for bar; acq_rel and sc are ACQUIRE | RELEASE */
    PTX_FLAG_SYNC = 1 << 16,    /* shfl.sync, vote.sync, activemask */
    PTX_FLAG_CLAMP = 1 << 17,
    PTX_FLAG_WRAP = 1 << 18,
    PTX_FLAG_SHIFT_LEFT = 1 << 19,  /* shf.l */
    PTX_FLAG_SHIFT_RIGHT = 1 << 20, /* shf.r */
    PTX_FLAG_NAN = 1 << 21,         /* min.NaN */
    PTX_FLAG_ABS = 1 << 22,         /* min.xorsign.abs: .abs alone */
    PTX_FLAG_SHIFTAMT = 1 << 23,    /* bfind.shiftamt */
    PTX_FLAG_NOINC = 1 << 24,       /* cp.async.mbarrier.arrive.noinc */
    PTX_FLAG_RELU = 1 << 25,
    PTX_FLAG_TRANSPOSED = 1 << 26, /* ldmatrix.trans */
    PTX_FLAG_COLUMNS_A = 1 << 27,  /* .col of wmma and mma: of a, or of what is loaded or stored */
    PTX_FLAG_COLUMNS_B = 1 << 28,
    PTX_FLAG_SATFINITE = 1 << 29, /* cvt: the largest number instead of an infinity */
    PTX_FLAG_TEXELS = 1 << 30,    /* sust.p, sured.p: x counts texels, and data have their format */
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER,  /* reg, negated for "!%p1"; part >= 0: "%p|%q" second destinations are
                              operands of their own */
    PTX_OPERAND_IMMEDIATE, /* bits, already in the width and format of the operand's type */
    PTX_OPERAND_SPECIAL,   /* special */
    PTX_OPERAND_SYMBOL,    /* address of variable `symbol` plus offset, or of a function */
    PTX_OPERAND_MEMORY,    /* "[base + offset]": base is reg (>= 0) or symbol (>= 0) or neither */
    PTX_OPERAND_LABEL,     /* target: index of an instruction */
    PTX_OPERAND_VECTOR,    /* elements [element_count] in function->elements from element_first */
    PTX_OPERAND_FUNCTION,  /* symbol: index of a function of the module */
    PTX_OPERAND_SINK,      /* "_" */
};

enum ptx_special {
#define PTX_SPECIAL(name, text) PTX_SPECIAL_##name,
#include "ptx/specials.def"
#undef PTX_SPECIAL
    PTX_SPECIAL_COUNT
};

enum ptx_symbol_scope {
    PTX_SCOPE_NONE,
    PTX_SCOPE_MODULE,
    PTX_SCOPE_FUNCTION,
    PTX_SCOPE_PARAMETER,
    PTX_SCOPE_CODE,
    PTX_SCOPE_RETURN
};

struct ptx_operand {
    uint8_t kind;    /* enum ptx_operand_kind */
    uint8_t special; /* enum ptx_special */
    bool negated;
    uint8_t scope;  /* enum ptx_symbol_scope: which table `symbol` indexes: the module's variables,
                       the function's variables, the function's parameters, the module's functions,
                       the function's returns */
    int32_t reg;    /* index in function->registers, -1: none */
    int32_t symbol; /* -1: none */
    uint32_t element_first;
    uint32_t element_count;
    uint32_t target;
    int64_t offset;
    uint64_t bits; /* zero above the width of the operand's type; a predicate is 0 or 1 */
};

enum { PTX_OPERANDS_MAX = 6, PTX_FRAGMENT_MAX = 8 };

/* The matrices of wmma, mma, ldmatrix, stmatrix and movmatrix (ptx_matrix.h). */
struct ptx_matrix {
    uint8_t m, n, k;    /* d and c are m x n, a is m x k, b is k x n; of ldmatrix and stmatrix m is
                           8 times the number of matrices, n is 8, k is 0 */
    uint8_t d, a, b, c; /* enum ptx_type of their elements; of a load or a store, and of ldmatrix
                           and its like, all the same */
};

/* One instruction. Fields that its opcode does not use are zero, but guard, reg and symbol -1.
 * Operands have the forms of opcodes.def. A second destination ("%p|%q" of setp, shfl and match) is
 * an operand of its own, PTX_OPERAND_SINK where it is not written. brx.idx has a vector of labels.
 * An address with a symbol lies in the space of the instruction, and with .param within the
 * parameter. Predicates appear only where predicates are required; other registers have the width
 * of the operand, or more where ld, st and cvt allow it. */
struct ptx_instruction {
    uint16_t opcode;       /* enum ptx_opcode */
    uint8_t type;          /* of the operation and its result: first type word */
    uint8_t source_type;   /* second type word (cvt, set, slct, tex), else PTX_TYPE_NONE */
    uint8_t space;         /* enum ptx_space */
    uint8_t rounding;      /* enum ptx_rounding */
    uint8_t compare;       /* enum ptx_compare */
    uint8_t sub;           /* enum ptx_suboperation */
    uint8_t vector;        /* 1, 2 or 4 */
    uint8_t memory_scope;  /* enum ptx_memory_scope */
    uint8_t operand_count; /* without the guard */
    uint8_t geometry;      /* enum ptx_geometry */
    uint8_t border;        /* enum ptx_border */
    bool guard_negated;
    bool is_after_nounroll; /* .pragma "nounroll" stands before it: its loop stays as it is */
    int32_t guard;          /* predicate register, -1: none */
    uint32_t flags;         /* enum ptx_flag */
    uint32_t location;      /* index in module->locations; 0: unknown */
    uint32_t text_line;     /* line in the PTX text */
    struct ptx_operand operands[PTX_OPERANDS_MAX]; /* destinations first, as written */
    struct ptx_matrix matrix;
    /* call only: lists in function->elements: PTX_OPERAND_SYMBOL (a .param variable, in function
     * scope), registers and immediates, as many and as large as the callee declares. operands[0] is
     * a PTX_OPERAND_FUNCTION, or a register with a function's address: then nothing is known about
     * the callee. */
    uint32_t returns_first, returns_count, arguments_first, arguments_count;
    const char *text; /* PTX_OP_UNKNOWN: the instruction as written, else its words up to the
                         operands, "fma.rn.f16" */
};

/* A source place from .loc; entry 0 is "unknown". */
struct ptx_location {
    uint32_t file; /* index in module->files, 0: unknown */
    uint32_t line, column;
    uint32_t inlined_at; /* index of the place of the call, 0: not inlined */
};

struct ptx_register {
    const char *name;
    enum ptx_type type;
};

/* A variable in a state space; in a module or a function. */
struct ptx_variable {
    const char *name; /* mangled, e.g. _ZZ5tiledPKfS0_PfiiE2As */
    enum ptx_space space;
    enum ptx_type type;
    uint32_t alignment;
    uint64_t bytes; /* 0 for "extern .shared x[]" */
    bool is_extern;
    const uint8_t *initial; /* [bytes] or NULL for zero */
    /* Addresses of other symbols inside the initial value: `u64 x = generic(y) + 4;` */
    const struct ptx_relocation *relocations;
    size_t relocation_count;
    uint32_t location;
};

struct ptx_relocation {
    uint64_t offset; /* into `initial` */
    const char *symbol;
    int64_t addend;
    bool is_generic;
    bool is_function; /* what `index` counts: the module's functions, else its variables */
    uint32_t index;   /* of the symbol */
    uint8_t bytes;    /* stored at the offset, little endian: 8, or fewer */
    uint8_t shift;    /* of the address to the right, in bits: "0xFF00(x)" stores 1 byte, shift 8 */
};

struct ptx_parameter {
    const char *name;
    enum ptx_type type;
    uint32_t alignment;
    uint64_t bytes;
    uint64_t offset; /* in the parameter block: entry parameters are laid out in order, each at its
                        alignment (natural alignment where none is given) */
};

struct ptx_function {
    const char *name; /* mangled */
    bool is_entry;
    bool is_declaration;                    /* without a body */
    const struct ptx_parameter *parameters; /* [parameter_count] */
    size_t parameter_count;
    uint64_t parameter_bytes;
    const struct ptx_parameter *returns; /* [return_count], 0 or 1 */
    size_t return_count;
    const struct ptx_register *registers; /* [register_count] */
    size_t register_count;
    const struct ptx_variable *variables; /* [variable_count]: .shared, .local and .param in it */
    size_t variable_count;
    const struct ptx_instruction *instructions; /* [instruction_count]; the last one is a ret, exit
                                                   or trap (one is added if the text has none) */
    size_t instruction_count;
    const struct ptx_operand *elements; /* [element_count]: vectors and call lists */
    size_t element_count;
    uint32_t max_threads[3];      /* .maxntid; 0: none */
    uint32_t required_threads[3]; /* .reqntid; 0: none */
    uint32_t min_blocks;          /* .minnctapersm, on a multiprocessor; 0: none */
    uint32_t max_registers;       /* .maxnreg; 0: none */
    uint32_t location;
};

struct ptx_module {
    uint32_t version_major, version_minor, target; /* 9, 0, 75 */
    const char *const *files;                      /* [file_count] by .file number; [0] is "" */
    size_t file_count;
    const struct ptx_location *locations; /* [location_count] */
    size_t location_count;
    const struct ptx_variable *variables; /* [variable_count] */
    size_t variable_count;
    const struct ptx_function *functions; /* [function_count] */
    size_t function_count;
};

enum { PTX_TEXT_BYTES_MAX = 64 * 1024 * 1024 };

/* Parses PTX text [length]; everything lives in the arena, nothing points into the text. Errors:
 * ERROR_SYNTAX with the line in the PTX text, ERROR_LIMIT for sizes above the limits. */
enum error ptx_parse(struct arena *arena, const char *text, size_t length,
                     const struct ptx_module **out_module, struct diagnostic *diagnostic);

/* The function with a mangled name, NULL if there is none. */
const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

size_t ptx_type_bytes(enum ptx_type type); /* 0 for none, pred and what is less than a byte */
unsigned ptx_type_bits(enum ptx_type type);
/* What a pair (f16x2) is made of; any other type itself. */
enum ptx_type ptx_type_element(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "f32" */

#endif
