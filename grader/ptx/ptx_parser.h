/* ptx_parser.h: the state that the files of the parser share. Private to ptx/.
 *
 *   ptx_parse.c      module: directives, order of things
 *   ptx_parser.c     what all of them do: fail, take tokens, declare names
 *   ptx_variable.c   declarations of variables and parameters
 *   ptx_initial.c    initial values of variables
 *   ptx_location.c   .file and .loc
 *   ptx_function.c   .entry and .func: heads, and bodies as finished arrays
 *   ptx_body.c       statements, scopes, labels
 *   ptx_register.c   registers
 *   ptx_mnemonic.c   "ld.global.v4.f32" to the fields of an instruction
 *   ptx_matrix.c     the same of instructions for matrices
 *   ptx_operand.c    operands as written
 *   ptx_match.c      operands against what the opcode allows
 *   ptx_call.c       call and its lists
 *
 * A function of the parser returns false after ptx_fail(); the first failure is the one reported.
 * Growing arrays are in a scratch arena that is freed at the end; what the module keeps is copied
 * to the caller's arena in its final size.
 */
#ifndef GPUGRADE_PTX_PTX_PARSER_H
#define GPUGRADE_PTX_PTX_PARSER_H

#include "ptx/ptx.h"
#include "ptx/ptx_lexer.h"
#include "ptx/ptx_names.h"
#include "ptx/ptx_tables.h"

enum {
    PTX_NESTING_MAX = 64,              /* blocks in blocks, braces in initial values */
    PTX_DIMENSIONS_MAX = 8,            /* of an array */
    PTX_VECTOR_MAX = PTX_FRAGMENT_MAX, /* elements in { } */
    PTX_FILES_MAX = 1 << 16,
    PTX_LOCATIONS_MAX = 1 << 22,
    PTX_INSTRUCTIONS_MAX = 1 << 19,  /* of a module */
    PTX_REGISTERS_MAX = 1 << 24,     /* of a module, in ranges of which something is used */
    PTX_INITIAL_BYTES_MAX = 1 << 28, /* of a module */
    PTX_PARAMETERS_MAX = 1 << 12,    /* of a function */
    PTX_ALIGNMENT_MAX = 1 << 16,
};
#define PTX_VARIABLE_BYTES_MAX (UINT64_C(1) << 40)

/* A place that waits for a label: an operand of an instruction, or an element. */
struct ptx_label_use {
    const char *name; /* [length] in the text */
    size_t length;
    uint32_t line;
    bool is_element;
    uint32_t index; /* of the instruction or of the element */
};

/* "%r<9>": registers are made when they are first used, so a wide range costs nothing. */
struct ptx_range {
    enum ptx_type type;
    uint32_t count;
    int32_t *registers; /* [count] index in the function's registers plus 1; NULL: none used yet */
};

struct ptx_table {
    uint32_t first;
    uint32_t count;
};

/* Growing arrays of the function that is parsed; emptied, not freed, between functions. */
struct ptx_body {
    struct ptx_register *registers;
    size_t register_count, register_capacity;
    struct ptx_variable *variables;
    size_t variable_count, variable_capacity;
    struct ptx_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    struct ptx_operand *elements;
    size_t element_count, element_capacity;
    struct ptx_range *ranges;
    size_t range_count, range_capacity;
    struct ptx_table *tables;
    size_t table_count, table_capacity;
    struct ptx_label_use *uses; /* labels that are not resolved yet */
    size_t use_count, use_capacity;
    const struct ptx_parameter *parameters; /* of the head */
    size_t parameter_count;
    const struct ptx_parameter *returns;
    size_t return_count;
    size_t scope_height; /* of the names, at the start of the innermost scope */
    uint32_t first_location;
    bool has_nounroll; /* .pragma "nounroll" was read, and no instruction since */
    bool needs_end;    /* a label follows the last instruction */
};

/* One place of .loc and the newest location that has it. */
struct ptx_place {
    uint32_t file, line, column;
    uint32_t newest; /* index in the locations; 0: an empty slot */
};

struct ptx_parser {
    struct arena *arena;   /* the caller's */
    struct arena *scratch; /* freed at the end */
    struct ptx_lexer lexer;
    struct diagnostic *diagnostic;
    enum error error;

    struct ptx_names names;     /* of the program */
    struct ptx_names mnemonics; /* of templates */
    struct ptx_instruction *templates;
    size_t template_count, template_capacity;

    struct ptx_module module; /* versions only; the arrays follow */
    struct ptx_variable *variables;
    size_t variable_count, variable_capacity;
    struct ptx_function *functions;
    size_t function_count, function_capacity;
    const char **files;
    size_t file_count, file_capacity;
    struct ptx_location *locations;
    size_t location_count, location_capacity;
    struct ptx_place *places; /* [place_capacity], a hash table */
    size_t place_count, place_capacity;

    struct ptx_body body;
    uint32_t location; /* of what comes next */
    size_t instruction_total;
    size_t register_total;
    uint64_t initial_total;
};

/* A declaration up to its name and dimensions: ".align 4 .b8 x[16][2]". */
struct ptx_declaration {
    enum ptx_space space;
    enum ptx_type type;
    uint64_t alignment; /* 0: not given */
    uint64_t vector;    /* 1, 2 or 4 */
    const char *name;   /* [name_length] in the text */
    size_t name_length;
    uint32_t line;
    uint64_t dimensions[PTX_DIMENSIONS_MAX];
    size_t dimension_count;
    bool is_unsized; /* "x[]" */
};

/* An operand as written, before the opcode says what it has to be. */
struct ptx_raw_operand {
    struct ptx_operand operand;       /* bits of immediates are still to be made */
    enum ptx_type register_type;      /* of a register, or of the base register of memory */
    enum ptx_space symbol_space;      /* of a symbol */
    uint64_t symbol_bytes;            /* of a symbol */
    enum ptx_token_kind literal_kind; /* of an immediate */
    uint64_t literal_bits;
    bool is_negative; /* a minus stood before the literal */
    bool is_second;   /* after a bar: "%p|%q" */
    bool is_open;     /* memory whose brackets also hold the next operand */
    bool is_inside;   /* that operand */
};

enum { PTX_RAW_MAX = 8 };

struct ptx_raw_operands {
    struct ptx_raw_operand items[PTX_RAW_MAX];
    size_t count;
    struct ptx_raw_operand elements[PTX_RAW_MAX * PTX_VECTOR_MAX]; /* of the vectors */
    size_t element_count;
    bool is_unknown; /* something that this parser does not know: the instruction is refused */
};

/* Records a failure at the current token, or at a line; returns false. */
bool ptx_fail(struct ptx_parser *parser, enum error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ptx_fail_at(struct ptx_parser *parser, enum error error, uint32_t line, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* Helpers over the current token. The expect functions fail with what was expected and found. */
void ptx_next(struct ptx_parser *parser);
bool ptx_at_sign(const struct ptx_parser *parser, char sign);
bool ptx_at_word(const struct ptx_parser *parser, const char *word);
bool ptx_accept_sign(struct ptx_parser *parser, char sign);
bool ptx_accept_word(struct ptx_parser *parser, const char *word);
bool ptx_expect_sign(struct ptx_parser *parser, char sign);
bool ptx_expect_name(struct ptx_parser *parser, struct ptx_token *out_name);
bool ptx_expect_integer(struct ptx_parser *parser, uint64_t maximum, uint64_t *out_value);
bool ptx_fail_expected(struct ptx_parser *parser, const char *expected);

/* Reads a sum of integers, each perhaps with a minus, as two's complement. */
bool ptx_expect_sum(struct ptx_parser *parser, int64_t *out_value);

/* Goes to the token after the next ';', whatever the nesting. */
bool ptx_skip_statement(struct ptx_parser *parser);

/* Declares a name in the innermost scope; fails if it has it already. */
bool ptx_declare(struct ptx_parser *parser, const struct ptx_token *name, enum ptx_name_kind kind,
                 size_t index);

/* Adds elements to the body; returns the index of the first. */
size_t ptx_add_elements(struct ptx_parser *parser, const struct ptx_operand *elements,
                        size_t count);

/* ptx_variable.c */
bool ptx_parse_declaration(struct ptx_parser *parser, enum ptx_space space,
                           struct ptx_declaration *out_declaration);
bool ptx_declaration_bytes(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                           uint64_t *out_bytes, uint32_t *out_alignment);
bool ptx_parse_variables(struct ptx_parser *parser, enum ptx_space space, bool is_extern,
                         bool is_module_scope);
bool ptx_parse_parameters(struct ptx_parser *parser, const struct ptx_parameter **out_parameters,
                          size_t *out_count, uint64_t *out_bytes);

/* ptx_initial.c: the value after '='; sets bytes of an unsized variable. */
bool ptx_parse_initial(struct ptx_parser *parser, const struct ptx_declaration *declaration,
                       struct ptx_variable *variable);
bool ptx_check_relocations(struct ptx_parser *parser);

/* ptx_location.c */
bool ptx_parse_file(struct ptx_parser *parser);
bool ptx_parse_loc(struct ptx_parser *parser);
void ptx_finish_locations(struct ptx_parser *parser);

/* ptx_function.c */
bool ptx_parse_function(struct ptx_parser *parser, bool is_entry);

/* ptx_body.c: statements from '{' to its '}'. */
bool ptx_parse_body(struct ptx_parser *parser);
void ptx_use_label(struct ptx_parser *parser, const struct ptx_token *name, bool is_element,
                   size_t index);

/* ptx_register.c: ".reg" up to its ';'; what a name or an element means, -1: no register. */
bool ptx_parse_registers(struct ptx_parser *parser);
int32_t ptx_find_register(struct ptx_parser *parser, const struct ptx_token *name,
                          enum ptx_type *out_type);
int32_t ptx_vector_register(struct ptx_parser *parser, const struct ptx_name *vector,
                            uint32_t number);

/* ptx_mnemonic.c: never fails; what it does not know has opcode PTX_OP_UNKNOWN. */
const struct ptx_instruction *ptx_find_mnemonic(struct ptx_parser *parser,
                                                const struct ptx_token *word);

/* ptx_operand.c: operands up to the ';', which is not consumed. */
bool ptx_parse_operands(struct ptx_parser *parser, struct ptx_raw_operands *out_operands);
bool ptx_parse_operand(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                       struct ptx_raw_operand *out_operand);

/* ptx_match.c: puts the operands into the instruction. False, without a failure, if they do not
 * have the forms and types that its opcode asks for. */
bool ptx_match_operands(struct ptx_parser *parser, struct ptx_raw_operands *operands,
                        struct ptx_instruction *instruction);
bool ptx_convert_literal(const struct ptx_raw_operand *raw, enum ptx_type type, uint64_t *out_bits);

/* ptx_call.c: from after "call" up to the ';', which is not consumed. */
bool ptx_parse_call(struct ptx_parser *parser, struct ptx_instruction *instruction);

#endif
