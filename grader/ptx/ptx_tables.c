/* ptx_tables.c: the tables behind ptx_tables.h and the small questions of ptx.h. */
#include "ptx/ptx_tables.h"

#include <string.h>

/* Sets of types, as opcodes.def names them. */
#define BIT(type) (UINT32_C(1) << (type))
#define T_NONE BIT(PTX_TYPE_NONE)
#define T_PRED BIT(PTX_PRED)
#define T_BYTE (BIT(PTX_B8) | BIT(PTX_U8) | BIT(PTX_S8))
#define T_B8 BIT(PTX_B8)
#define T_B32 BIT(PTX_B32)
#define T_B64 BIT(PTX_B64)
#define T_BITS (BIT(PTX_B16) | T_B32 | T_B64)
#define T_U32 BIT(PTX_U32)
#define T_INT16 (BIT(PTX_U16) | BIT(PTX_S16))
#define T_INT32 (T_U32 | BIT(PTX_S32))
#define T_INT (T_INT16 | T_INT32 | BIT(PTX_U64) | BIT(PTX_S64))
#define T_F32 BIT(PTX_F32)
#define T_FLOAT (T_F32 | BIT(PTX_F64))
#define T_HALF (BIT(PTX_F16) | BIT(PTX_F16X2) | BIT(PTX_BF16) | BIT(PTX_BF16X2))
#define T_NARROW                                                                                   \
    (BIT(PTX_TF32) | BIT(PTX_S2) | BIT(PTX_S4) | BIT(PTX_U2) | BIT(PTX_U4) | BIT(PTX_E4M3X2) |     \
     BIT(PTX_E5M2X2))
#define T_ADDRESS (T_U32 | BIT(PTX_U64))

/* Modifiers, as opcodes.def names them. */
#define F_LO PTX_FLAG_LO
#define F_HI PTX_FLAG_HI
#define F_WIDE PTX_FLAG_WIDE
#define F_FTZ PTX_FLAG_FTZ
#define F_SAT PTX_FLAG_SAT
#define F_APPROX PTX_FLAG_APPROX
#define F_FULL PTX_FLAG_FULL
#define F_VOLATILE PTX_FLAG_VOLATILE
#define F_RELAXED PTX_FLAG_RELAXED
#define F_ACQUIRE PTX_FLAG_ACQUIRE
#define F_RELEASE PTX_FLAG_RELEASE
#define F_UNI PTX_FLAG_UNI
#define F_TO PTX_FLAG_TO
#define F_NC PTX_FLAG_NC
#define F_CC PTX_FLAG_CC
#define F_ALIGNED PTX_FLAG_ALIGNED
#define F_SYNC PTX_FLAG_SYNC
#define F_CLAMP PTX_FLAG_CLAMP
#define F_WRAP PTX_FLAG_WRAP
#define F_SHIFT_LEFT PTX_FLAG_SHIFT_LEFT
#define F_SHIFT_RIGHT PTX_FLAG_SHIFT_RIGHT
#define F_NAN PTX_FLAG_NAN
#define F_ABS PTX_FLAG_ABS
#define F_SHIFTAMT PTX_FLAG_SHIFTAMT
#define F_RELU PTX_FLAG_RELU
#define F_SATFINITE PTX_FLAG_SATFINITE
#define F_NOINC PTX_FLAG_NOINC
#define F_TEXELS PTX_FLAG_TEXELS
#define M_ROUND PTX_CLASS_ROUND
#define M_COMPARE PTX_CLASS_COMPARE
#define M_SPACE PTX_CLASS_SPACE
#define M_VECTOR PTX_CLASS_VECTOR
#define M_SCOPE PTX_CLASS_SCOPE
#define M_CACHE PTX_CLASS_CACHE
#define M_TYPE2 PTX_CLASS_TYPE2
#define M_LOGIC PTX_CLASS_LOGIC
#define M_ATOMIC PTX_CLASS_ATOMIC
#define M_VOTE PTX_CLASS_VOTE
#define M_SHUFFLE PTX_CLASS_SHUFFLE
#define M_PRMT PTX_CLASS_PRMT
#define M_TESTP PTX_CLASS_TESTP
#define M_BARRIER PTX_CLASS_BARRIER
#define M_PREFETCH PTX_CLASS_PREFETCH
#define M_WEAK PTX_CLASS_WEAK
#define M_NOFTZ PTX_CLASS_NOFTZ
#define M_IDX PTX_CLASS_INDEX
#define M_MASK PTX_CLASS_MASK
#define M_TYPE3 PTX_CLASS_TYPE3
#define M_SUM PTX_CLASS_SUM
#define M_ASYNC PTX_CLASS_ASYNC
#define M_MBARRIER PTX_CLASS_MBARRIER
#define M_GEOMETRY PTX_CLASS_GEOMETRY
#define M_TEXTURE PTX_CLASS_TEXTURE
#define M_GATHER PTX_CLASS_GATHER
#define M_SURFACE PTX_CLASS_SURFACE
#define M_PACK PTX_CLASS_PACK
#define M_QUERY PTX_CLASS_QUERY
#define M_MATRIX PTX_CLASS_MATRIX

static const struct ptx_opcode_row opcode_rows[PTX_OPCODE_COUNT] = {
#define PTX_OPCODE(name, ...) [PTX_OP_##name] = {__VA_ARGS__},
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

static const struct ptx_modifier_row modifier_rows[] = {
    {"lo", F_LO, PTX_FIELD_FLAGS, F_LO},
    {"hi", F_HI, PTX_FIELD_FLAGS, F_HI},
    {"wide", F_WIDE, PTX_FIELD_FLAGS, F_WIDE},
    {"ftz", F_FTZ, PTX_FIELD_FLAGS, F_FTZ},
    {"sat", F_SAT, PTX_FIELD_FLAGS, F_SAT},
    {"approx", F_APPROX, PTX_FIELD_FLAGS, F_APPROX},
    {"full", F_FULL, PTX_FIELD_FLAGS, F_FULL},
    {"volatile", F_VOLATILE, PTX_FIELD_FLAGS, F_VOLATILE},
    {"relaxed", F_RELAXED, PTX_FIELD_FLAGS, F_RELAXED},
    {"acquire", F_ACQUIRE, PTX_FIELD_FLAGS, F_ACQUIRE},
    {"release", F_RELEASE, PTX_FIELD_FLAGS, F_RELEASE},
    {"acq_rel", F_ACQUIRE | F_RELEASE, PTX_FIELD_FLAGS, F_ACQUIRE | F_RELEASE},
    {"sc", F_ACQUIRE | F_RELEASE, PTX_FIELD_FLAGS, F_ACQUIRE | F_RELEASE},
    {"uni", F_UNI, PTX_FIELD_FLAGS, F_UNI},
    {"to", F_TO, PTX_FIELD_FLAGS, F_TO},
    {"nc", F_NC, PTX_FIELD_FLAGS, F_NC},
    {"cc", F_CC, PTX_FIELD_FLAGS, F_CC},
    {"aligned", F_ALIGNED, PTX_FIELD_FLAGS, F_ALIGNED},
    {"sync", F_SYNC, PTX_FIELD_FLAGS, F_SYNC},
    {"clamp", F_CLAMP, PTX_FIELD_FLAGS, F_CLAMP},
    {"wrap", F_WRAP, PTX_FIELD_FLAGS, F_WRAP},
    {"l", F_SHIFT_LEFT, PTX_FIELD_FLAGS, F_SHIFT_LEFT},
    {"r", F_SHIFT_RIGHT, PTX_FIELD_FLAGS, F_SHIFT_RIGHT},
    {"NaN", F_NAN, PTX_FIELD_FLAGS, F_NAN},
    {"xorsign", F_ABS, PTX_FIELD_NONE, 0},
    {"abs", F_ABS, PTX_FIELD_FLAGS, F_ABS},
    {"shiftamt", F_SHIFTAMT, PTX_FIELD_FLAGS, F_SHIFTAMT},
    {"relu", F_RELU, PTX_FIELD_FLAGS, F_RELU},
    {"satfinite", F_SATFINITE, PTX_FIELD_FLAGS, F_SATFINITE},
    {"noinc", F_NOINC, PTX_FIELD_FLAGS, F_NOINC},

    {"rn", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RN},
    {"rz", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RZ},
    {"rm", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RM},
    {"rp", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RP},
    {"rna", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RNA},
    {"rni", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RNI},
    {"rzi", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RZI},
    {"rmi", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RMI},
    {"rpi", M_ROUND, PTX_FIELD_ROUNDING, PTX_ROUND_RPI},

    {"eq", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_EQ},
    {"ne", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_NE},
    {"lt", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LT},
    {"le", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LE},
    {"gt", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_GT},
    {"ge", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_GE},
    {"lo", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LO},
    {"ls", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LS},
    {"hi", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_HI},
    {"hs", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_HS},
    {"equ", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_EQU},
    {"neu", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_NEU},
    {"ltu", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LTU},
    {"leu", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_LEU},
    {"gtu", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_GTU},
    {"geu", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_GEU},
    {"num", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_NUM},
    {"nan", M_COMPARE, PTX_FIELD_COMPARE, PTX_CMP_NAN},

    {"global", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_GLOBAL},
    {"shared", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_SHARED},
    {"shared::cta", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_SHARED},
    {"local", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_LOCAL},
    {"const", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_CONST},
    {"param", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_PARAM},
    {"param::entry", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_PARAM},
    {"param::func", M_SPACE, PTX_FIELD_SPACE, PTX_SPACE_PARAM},

    {"v2", M_VECTOR, PTX_FIELD_VECTOR, 2},
    {"v4", M_VECTOR, PTX_FIELD_VECTOR, 4},

    {"cta", M_SCOPE, PTX_FIELD_SCOPE, PTX_MEMORY_SCOPE_CTA},
    {"gl", M_SCOPE, PTX_FIELD_SCOPE, PTX_MEMORY_SCOPE_GPU},
    {"gpu", M_SCOPE, PTX_FIELD_SCOPE, PTX_MEMORY_SCOPE_GPU},
    {"sys", M_SCOPE, PTX_FIELD_SCOPE, PTX_MEMORY_SCOPE_SYS},

    {"and", M_LOGIC, PTX_FIELD_SUB, PTX_SUB_AND},
    {"or", M_LOGIC, PTX_FIELD_SUB, PTX_SUB_OR},
    {"xor", M_LOGIC, PTX_FIELD_SUB, PTX_SUB_XOR},
    {"popc", M_LOGIC, PTX_FIELD_SUB, PTX_SUB_POPC},
    {"add", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_ADD},
    {"min", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_MIN},
    {"max", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_MAX},
    {"inc", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_INC},
    {"dec", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_DEC},
    {"exch", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_EXCH},
    {"cas", M_ATOMIC, PTX_FIELD_SUB, PTX_SUB_CAS},
    {"all", M_VOTE, PTX_FIELD_SUB, PTX_SUB_ALL},
    {"any", M_VOTE, PTX_FIELD_SUB, PTX_SUB_ANY},
    {"uni", M_VOTE, PTX_FIELD_SUB, PTX_SUB_UNI},
    {"ballot", M_VOTE, PTX_FIELD_SUB, PTX_SUB_BALLOT},
    {"up", M_SHUFFLE, PTX_FIELD_SUB, PTX_SUB_UP},
    {"down", M_SHUFFLE, PTX_FIELD_SUB, PTX_SUB_DOWN},
    {"bfly", M_SHUFFLE, PTX_FIELD_SUB, PTX_SUB_BFLY},
    {"idx", M_SHUFFLE, PTX_FIELD_SUB, PTX_SUB_IDX},
    {"f4e", M_PRMT, PTX_FIELD_SUB, PTX_SUB_F4E},
    {"b4e", M_PRMT, PTX_FIELD_SUB, PTX_SUB_B4E},
    {"rc8", M_PRMT, PTX_FIELD_SUB, PTX_SUB_RC8},
    {"ecl", M_PRMT, PTX_FIELD_SUB, PTX_SUB_ECL},
    {"ecr", M_PRMT, PTX_FIELD_SUB, PTX_SUB_ECR},
    {"rc16", M_PRMT, PTX_FIELD_SUB, PTX_SUB_RC16},
    {"finite", M_TESTP, PTX_FIELD_SUB, PTX_SUB_FINITE},
    {"infinite", M_TESTP, PTX_FIELD_SUB, PTX_SUB_INFINITE},
    {"number", M_TESTP, PTX_FIELD_SUB, PTX_SUB_NUMBER},
    {"notanumber", M_TESTP, PTX_FIELD_SUB, PTX_SUB_NOTANUMBER},
    {"normal", M_TESTP, PTX_FIELD_SUB, PTX_SUB_NORMAL},
    {"subnormal", M_TESTP, PTX_FIELD_SUB, PTX_SUB_SUBNORMAL},
    {"sync", M_BARRIER, PTX_FIELD_SUB, PTX_SUB_SYNC},
    {"arrive", M_BARRIER, PTX_FIELD_SUB, PTX_SUB_ARRIVE},
    {"red", M_BARRIER, PTX_FIELD_SUB, PTX_SUB_RED},
    {"warp", M_BARRIER, PTX_FIELD_SUB, PTX_SUB_WARP_SYNC},
    {"async", M_ASYNC, PTX_FIELD_NONE, 0},
    {"mbarrier", M_ASYNC, PTX_FIELD_NONE, 0},
    {"arrive", M_ASYNC, PTX_FIELD_SUB, PTX_SUB_ARRIVE},
    {"commit_group", M_ASYNC, PTX_FIELD_SUB, PTX_SUB_COMMIT_GROUP},
    {"wait_group", M_ASYNC, PTX_FIELD_SUB, PTX_SUB_WAIT_GROUP},
    {"wait_all", M_ASYNC, PTX_FIELD_SUB, PTX_SUB_WAIT_ALL},
    {"init", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_INIT},
    {"inval", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_INVAL},
    {"arrive", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_ARRIVE},
    {"arrive_drop", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_ARRIVE_DROP},
    {"test_wait", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_TEST_WAIT},
    {"parity", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_PARITY},
    {"pending_count", M_MBARRIER, PTX_FIELD_SUB, PTX_SUB_PENDING_COUNT},
    {"noComplete", M_MBARRIER, PTX_FIELD_NONE, 0},
    {"1d", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_1D},
    {"2d", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_2D},
    {"3d", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_3D},
    {"a1d", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_A1D},
    {"a2d", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_A2D},
    {"cube", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_CUBE},
    {"acube", M_GEOMETRY, PTX_FIELD_GEOMETRY, PTX_GEOMETRY_ACUBE},
    {"level", M_TEXTURE, PTX_FIELD_SUB, PTX_SUB_LEVEL},
    {"grad", M_TEXTURE, PTX_FIELD_SUB, PTX_SUB_GRAD},
    {"r", M_GATHER, PTX_FIELD_SUB, PTX_SUB_GATHER_R},
    {"g", M_GATHER, PTX_FIELD_SUB, PTX_SUB_GATHER_G},
    {"b", M_GATHER, PTX_FIELD_SUB, PTX_SUB_GATHER_B},
    {"a", M_GATHER, PTX_FIELD_SUB, PTX_SUB_GATHER_A},
    {"b", M_SURFACE, PTX_FIELD_NONE, 0},
    {"p", F_TEXELS, PTX_FIELD_FLAGS, F_TEXELS},
    {"trap", M_SURFACE, PTX_FIELD_BORDER, PTX_BORDER_TRAP},
    {"clamp", M_SURFACE, PTX_FIELD_BORDER, PTX_BORDER_CLAMP},
    {"zero", M_SURFACE, PTX_FIELD_BORDER, PTX_BORDER_ZERO},
    {"level", M_QUERY, PTX_FIELD_NONE, 0},
    {"width", M_QUERY, PTX_FIELD_SUB, PTX_SUB_WIDTH},
    {"height", M_QUERY, PTX_FIELD_SUB, PTX_SUB_HEIGHT},
    {"depth", M_QUERY, PTX_FIELD_SUB, PTX_SUB_DEPTH},
    {"array_size", M_QUERY, PTX_FIELD_SUB, PTX_SUB_ARRAY_SIZE},
    {"num_mipmap_levels", M_QUERY, PTX_FIELD_SUB, PTX_SUB_MIPMAP_LEVELS},
    {"normalized_coords", M_QUERY, PTX_FIELD_SUB, PTX_SUB_NORMALIZED_COORDS},

    {"pack", M_PACK, PTX_FIELD_SUB, PTX_SUB_PACK},
    {"weak", M_WEAK, PTX_FIELD_NONE, 0},
    {"noftz", M_NOFTZ, PTX_FIELD_NONE, 0},
    {"idx", M_IDX, PTX_FIELD_NONE, 0},
    {"mask", M_MASK, PTX_FIELD_NONE, 0},
    {"add", M_SUM, PTX_FIELD_SUB, PTX_SUB_ADD},
    {"L1", M_PREFETCH, PTX_FIELD_NONE, 0},
    {"L2", M_PREFETCH, PTX_FIELD_NONE, 0},
    {"L2::evict_last", M_PREFETCH, PTX_FIELD_NONE, 0},
    {"L2::evict_normal", M_PREFETCH, PTX_FIELD_NONE, 0},
    {"ca", M_CACHE, PTX_FIELD_NONE, 0},
    {"cg", M_CACHE, PTX_FIELD_NONE, 0},
    {"cs", M_CACHE, PTX_FIELD_NONE, 0},
    {"lu", M_CACHE, PTX_FIELD_NONE, 0},
    {"cv", M_CACHE, PTX_FIELD_NONE, 0},
    {"wb", M_CACHE, PTX_FIELD_NONE, 0},
    {"wt", M_CACHE, PTX_FIELD_NONE, 0},
    {"L1::evict_normal", M_CACHE, PTX_FIELD_NONE, 0},
    {"L1::evict_unchanged", M_CACHE, PTX_FIELD_NONE, 0},
    {"L1::evict_first", M_CACHE, PTX_FIELD_NONE, 0},
    {"L1::evict_last", M_CACHE, PTX_FIELD_NONE, 0},
    {"L1::no_allocate", M_CACHE, PTX_FIELD_NONE, 0},
    {"L2::64B", M_CACHE, PTX_FIELD_NONE, 0},
    {"L2::128B", M_CACHE, PTX_FIELD_NONE, 0},
    {"L2::256B", M_CACHE, PTX_FIELD_NONE, 0},
};

enum type_kind { KIND_OTHER, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT };

static const struct {
    const char *name;
    uint8_t bytes;
    enum type_kind kind;
} type_rows[PTX_TYPE_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0, KIND_OTHER},    [PTX_PRED] = {"pred", 0, KIND_OTHER},
    [PTX_B8] = {"b8", 1, KIND_OTHER},         [PTX_B16] = {"b16", 2, KIND_OTHER},
    [PTX_B32] = {"b32", 4, KIND_OTHER},       [PTX_B64] = {"b64", 8, KIND_OTHER},
    [PTX_B128] = {"b128", 16, KIND_OTHER},    [PTX_U8] = {"u8", 1, KIND_UNSIGNED},
    [PTX_U16] = {"u16", 2, KIND_UNSIGNED},    [PTX_U32] = {"u32", 4, KIND_UNSIGNED},
    [PTX_U64] = {"u64", 8, KIND_UNSIGNED},    [PTX_S8] = {"s8", 1, KIND_SIGNED},
    [PTX_S16] = {"s16", 2, KIND_SIGNED},      [PTX_S32] = {"s32", 4, KIND_SIGNED},
    [PTX_S64] = {"s64", 8, KIND_SIGNED},      [PTX_F16] = {"f16", 2, KIND_FLOAT},
    [PTX_F16X2] = {"f16x2", 4, KIND_FLOAT},   [PTX_BF16] = {"bf16", 2, KIND_FLOAT},
    [PTX_BF16X2] = {"bf16x2", 4, KIND_FLOAT}, [PTX_F32] = {"f32", 4, KIND_FLOAT},
    [PTX_F64] = {"f64", 8, KIND_FLOAT},       [PTX_TF32] = {"tf32", 4, KIND_FLOAT},
    [PTX_S2] = {"s2", 0, KIND_SIGNED},        [PTX_S4] = {"s4", 0, KIND_SIGNED},
    [PTX_U2] = {"u2", 0, KIND_UNSIGNED},      [PTX_U4] = {"u4", 0, KIND_UNSIGNED},
    [PTX_E4M3] = {"e4m3", 1, KIND_FLOAT},     [PTX_E4M3X2] = {"e4m3x2", 2, KIND_FLOAT},
    [PTX_E5M2] = {"e5m2", 1, KIND_FLOAT},     [PTX_E5M2X2] = {"e5m2x2", 2, KIND_FLOAT},
};

static const char *const special_names[PTX_SPECIAL_COUNT] = {
#define PTX_SPECIAL(name, text) text,
#include "ptx/specials.def"
#undef PTX_SPECIAL
};

/* Special registers that PTX has and specials.def has not, by how they begin. */
static const char *const reserved_names[] = {
    "%tid",           "%ntid",           "%ctaid",
    "%nctaid",        "%envreg",         "%pm",
    "%globaltimer",   "%aggr_smem_size", "%cluster",
    "%ncluster",      "%nclusterid",     "%is_explicit_cluster",
    "%reserved_smem", "%current_graph",  "%warpid",
    "%total_smem",
};

static bool word_is(const char *word, size_t length, const char *text)
{
    return strncmp(word, text, length) == 0 && text[length] == '\0';
}

const struct ptx_opcode_row *ptx_opcode_row(enum ptx_opcode opcode)
{
    return &opcode_rows[opcode];
}

enum ptx_opcode ptx_opcode_find(const char *word, size_t length)
{
    for (int i = PTX_OP_UNKNOWN + 1; i < PTX_OPCODE_COUNT; i++) {
        if (word_is(word, length, opcode_rows[i].name)) {
            return (enum ptx_opcode)i;
        }
    }
    return PTX_OP_UNKNOWN;
}

const struct ptx_modifier_row *ptx_modifier_find(const char *word, size_t length, uint64_t allowed)
{
    for (size_t i = 0; i < sizeof modifier_rows / sizeof *modifier_rows; i++) {
        const struct ptx_modifier_row *row = &modifier_rows[i];

        if ((row->class & allowed) == row->class && word_is(word, length, row->word)) {
            return row;
        }
    }
    return NULL;
}

enum ptx_type ptx_type_find(const char *word, size_t length)
{
    for (int i = PTX_TYPE_NONE + 1; i <= PTX_F64; i++) {
        if (word_is(word, length, type_rows[i].name)) {
            return (enum ptx_type)i;
        }
    }
    return PTX_TYPE_NONE;
}

enum ptx_type ptx_element_type_find(const char *word, size_t length)
{
    for (int i = PTX_TF32; i < PTX_TYPE_COUNT; i++) {
        if (word_is(word, length, type_rows[i].name)) {
            return (enum ptx_type)i;
        }
    }
    return ptx_type_find(word, length);
}

bool ptx_space_find(const char *word, size_t length, enum ptx_space *out_space)
{
    const struct ptx_modifier_row *row = ptx_modifier_find(word, length, M_SPACE);

    if (row == NULL) {
        return false;
    }
    *out_space = (enum ptx_space)row->value;
    return true;
}

bool ptx_special_find(const char *word, size_t length, enum ptx_special *out_special)
{
    for (int i = 0; i < PTX_SPECIAL_COUNT; i++) {
        if (word_is(word, length, special_names[i])) {
            *out_special = (enum ptx_special)i;
            return true;
        }
    }
    return false;
}

bool ptx_special_is_reserved(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof reserved_names / sizeof *reserved_names; i++) {
        size_t prefix = strlen(reserved_names[i]);

        if (prefix <= length && memcmp(word, reserved_names[i], prefix) == 0) {
            return true;
        }
    }
    return false;
}

size_t ptx_type_bytes(enum ptx_type type)
{
    return type_rows[type].bytes;
}

unsigned ptx_type_bits(enum ptx_type type)
{
    switch (type) {
    case PTX_S2:
    case PTX_U2:
        return 2;
    case PTX_S4:
    case PTX_U4:
        return 4;
    default:
        return (unsigned)type_rows[type].bytes * 8;
    }
}

enum ptx_type ptx_type_element(enum ptx_type type)
{
    switch (type) {
    case PTX_F16X2:
        return PTX_F16;
    case PTX_BF16X2:
        return PTX_BF16;
    case PTX_E4M3X2:
        return PTX_E4M3;
    case PTX_E5M2X2:
        return PTX_E5M2;
    default:
        return type;
    }
}

bool ptx_type_is_float(enum ptx_type type)
{
    return type_rows[type].kind == KIND_FLOAT;
}

bool ptx_type_is_signed(enum ptx_type type)
{
    return type_rows[type].kind == KIND_SIGNED;
}

const char *ptx_type_name(enum ptx_type type)
{
    return type_rows[type].name;
}
