/* ptx_resources.c: see ptx_resources.h.
 *
 * The registers by two lines with bends:
 *
 *   near   the most registers that live at once, whichever way the steps of a block are ordered
 *   far    near, and what unrolled loops and loads of other blocks may add
 *
 *   least  = line(near), but not more than ptxas uses as long as that costs no resident warp
 *   most   = line(far), but not more than that either, unless the values alone need more
 *
 * ptxas hoists loads up to the number of registers with which a multiprocessor still holds all of
 * its threads (32 of 2048 threads, 40 of 1536, 64 of 1024).
 */
#include "ptx/ptx_resources.h"

#include "ptx/kernel_shape.h"
#include "ptx/register_pressure.h"

#include <string.h>

enum { REGISTERS_MIN = 4, REGISTERS_MAX = 255, BENDS = 9 };

static const double bends[BENDS] = {0, 2, 4, 6, 9, 13, 19, 28, 44};
static const double least_line[BENDS] = {4, 5, 8, 8, 9, 10.5, 14.5, 19, 28};
static const double most_line[BENDS] = {9, 11, 14.5, 15.5, 18.5, 26, 34, 66, 68};

/* What depends on the compute capability. */
struct target {
    uint32_t major, minor; /* from this one on */
    double least_more, most_more;
    double least_end, most_end;
    uint32_t constant_bytes; /* before the parameters; 0: ptxas counts none of them */
    uint32_t warps, blocks;  /* that a multiprocessor holds */
};

static const struct target targets[] = {
    {7, 5, 0, 0, 26, 66, 352, 32, 16}, {8, 0, 0, 0, 26, 32, 352, 64, 32},
    {8, 6, 0, 0, 28, 40, 352, 48, 16}, {8, 9, 0, 0, 28, 40, 352, 48, 24},
    {9, 0, 0.5, 2, 26, 32, 0, 64, 32}, {12, 0, 0.5, 2, 26, 40, 0, 48, 24},
};

/* What is added to far, or to the lines. */
static const double FAR_PER_LOADED = 2.75;   /* register loaded beyond those of one block */
static const double FAR_PER_LOOP_LOADED = 2; /* register loaded by a loop that is unrolled */
static const double FAR_OF_LOOP = 2.5;
static const double LONG_INSTRUCTIONS = 60; /* a text longer than that is reordered more */
static const double INSTRUCTIONS_PER_FAR = 8;
static const double END_PER_VALUE = 1.1; /* most_end for values that need more than it */
static const double END_OF_VALUES = 14;
static const double MOST_OF_DIVISION = 3;
static const double MOST_OF_LONG_DIVISION = 8;
static const double MOST_OF_CONSTANT_DIVISION = 10;
static const double MOST_OF_DOUBLE_DIVISION = 9;
static const double MOST_OF_UNKNOWN = 20;
static const double MOST_OF_CALL = 4;
static const double CALL_MOST_MIN = 32; /* what the calling convention may use */
static const double LEAST_PER_VALUE = 0.6;

static double line_at(const double line[BENDS], double x)
{
    for (size_t i = 1; i < BENDS; i++) {
        if (x <= bends[i]) {
            return line[i - 1] +
                   (line[i] - line[i - 1]) * (x - bends[i - 1]) / (bends[i] - bends[i - 1]);
        }
    }
    return line[BENDS - 1] + (x - bends[BENDS - 1]);
}

static const struct target *target_of(uint32_t major, uint32_t minor)
{
    size_t found = 0;

    for (size_t i = 1; i < sizeof targets / sizeof targets[0]; i++) {
        if (major > targets[i].major || (major == targets[i].major && minor >= targets[i].minor)) {
            found = i;
        }
    }
    return &targets[found];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* What the most is raised by, for instructions that become many. */
static double most_of_instructions(const struct kernel_shape *shape)
{
    return (shape->has_division ? MOST_OF_DIVISION : 0) +
           (shape->has_long_division ? MOST_OF_LONG_DIVISION : 0) +
           (shape->has_constant_division ? MOST_OF_CONSTANT_DIVISION : 0) +
           (shape->has_double_division ? MOST_OF_DOUBLE_DIVISION : 0) +
           (shape->has_unknown ? MOST_OF_UNKNOWN : 0);
}

static double far_of(const struct kernel_shape *shape, double near)
{
    const double beyond = (double)shape->loaded - shape->block_loads;
    const double longer = shape->instructions - LONG_INSTRUCTIONS;

    return near + FAR_PER_LOADED * larger(beyond, 0) + FAR_PER_LOOP_LOADED * shape->loop_loaded +
           larger(longer, 0) / INSTRUCTIONS_PER_FAR + (shape->has_loop ? FAR_OF_LOOP : 0);
}

static void estimate_registers(const struct kernel_shape *shape,
                               const struct register_pressure *pressure,
                               const struct target *target, struct ptx_resources *out)
{
    const double now = pressure->all[ORDER_WRITTEN];
    const double near = larger(now, larger(pressure->all[ORDER_EARLY], pressure->all[ORDER_LATE]));
    const double raised = most_of_instructions(shape);
    double least = line_at(least_line, near) + target->least_more;
    double most = line_at(most_line, far_of(shape, near)) + target->most_more + raised;

    least = larger(smaller(least, target->least_end),
                   LEAST_PER_VALUE * pressure->varying[ORDER_WRITTEN]);
    most = smaller(most, larger(target->most_end, END_PER_VALUE * now + END_OF_VALUES + raised));
    if (shape->has_call) {
        most = larger(most + MOST_OF_CALL, CALL_MOST_MIN);
    }
    least = smaller(larger(least, REGISTERS_MIN), REGISTERS_MAX);
    most = smaller(larger(most, least), REGISTERS_MAX);
    out->registers_least = (uint32_t)least;
    out->registers_most = (uint32_t)most;
}

/* With how many registers a thread may have so many blocks of so many threads fit. A multiprocessor
 * has four parts with a quarter of the warps and registers each. ptxas leaves out a number of
 * blocks that never fits. */
static uint32_t registers_of_bounds(const struct ptx_function *kernel, const struct target *target,
                                    uint32_t threads)
{
    enum { WARP = 32, PARTS = 4, REGISTERS_OF_PART = 16384, REGISTERS_UNIT = 8 };
    const uint64_t warps = ((uint64_t)threads + WARP - 1) / WARP;
    const bool fits =
        kernel->min_blocks <= target->blocks && warps * kernel->min_blocks <= target->warps;
    const uint64_t all = fits && kernel->min_blocks > 0 ? warps * kernel->min_blocks : warps;
    const uint64_t of_part = (all + PARTS - 1) / PARTS;

    return (uint32_t)(REGISTERS_OF_PART / of_part / WARP / REGISTERS_UNIT * REGISTERS_UNIT);
}

/* Bounds that the text itself sets; ptxas takes none below 24. */
static void limit_registers(const struct ptx_function *kernel, const struct target *target,
                            struct ptx_resources *out)
{
    enum { LIMIT_MIN = 24 };
    uint32_t limit = REGISTERS_MAX;

    if (out->max_threads > 0) {
        limit = registers_of_bounds(kernel, target, out->max_threads);
    }
    if (kernel->max_registers > 0 && kernel->max_registers < limit) {
        limit = kernel->max_registers;
    }
    limit = limit < LIMIT_MIN ? LIMIT_MIN : limit;
    out->registers_most = out->registers_most > limit ? limit : out->registers_most;
    if (out->registers_least > out->registers_most) {
        out->registers_least = out->registers_most;
    }
}

/* Memory ****************************************************************************************/

/* Where dynamic shared memory starts. */
enum { DYNAMIC_ALIGNMENT = 16 };

/* The shared variables that a kernel names. */
struct named_shared {
    const struct ptx_module *module;
    bool *variables; /* [module->variable_count] */
    bool *functions; /* [module->function_count] visited */
    uint32_t *left;  /* functions to visit, each once */
    size_t left_count;
    uint64_t bytes;
    bool has_dynamic;
};

static uint64_t whole_units(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void place(struct named_shared *named, const struct ptx_variable *variable)
{
    const uint64_t alignment = variable->alignment == 0 ? 1 : variable->alignment;

    named->bytes = whole_units(named->bytes, alignment) + variable->bytes;
    named->has_dynamic |= variable->is_extern && variable->bytes == 0;
}

static void name_operand(struct named_shared *named, const struct ptx_operand *operand)
{
    if (operand->symbol < 0) {
        return;
    }
    if (operand->scope == PTX_SCOPE_MODULE) {
        named->variables[operand->symbol] = true;
    } else if (operand->scope == PTX_SCOPE_CODE && !named->functions[operand->symbol]) {
        named->functions[operand->symbol] = true;
        named->left[named->left_count++] = (uint32_t)operand->symbol;
    }
}

static void name_in(struct named_shared *named, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (size_t k = 0; k < instruction->operand_count && k < PTX_OPERANDS_MAX; k++) {
            name_operand(named, &instruction->operands[k]);
        }
    }
    for (size_t i = 0; i < function->element_count; i++) {
        name_operand(named, &function->elements[i]);
    }
    for (size_t i = 0; i < function->variable_count; i++) {
        if (function->variables[i].space == PTX_SPACE_SHARED) {
            place(named, &function->variables[i]);
        }
    }
}

static uint64_t shared_bytes(struct arena *scratch, const struct ptx_module *module,
                             const struct ptx_function *kernel)
{
    struct named_shared named = {
        .module = module,
        .variables = arena_array(scratch, module->variable_count, sizeof *named.variables),
        .functions = arena_array(scratch, module->function_count, sizeof *named.functions),
        .left = arena_array(scratch, module->function_count, sizeof *named.left),
    };

    name_in(&named, kernel);
    while (named.left_count > 0) {
        name_in(&named, &module->functions[named.left[--named.left_count]]);
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        if (module->variables[i].space == PTX_SPACE_SHARED && named.variables[i]) {
            place(&named, &module->variables[i]);
        }
    }
    return named.has_dynamic ? whole_units(named.bytes, DYNAMIC_ALIGNMENT) : named.bytes;
}

static uint64_t declared_bytes(const struct ptx_variable *variables, size_t count,
                               enum ptx_space space)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        bytes += variables[i].space == space ? variables[i].bytes : 0;
    }
    return bytes;
}

static uint32_t fitting(uint64_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static uint32_t product_of(const uint32_t threads[3])
{
    const uint64_t product = (uint64_t)threads[0] * threads[1];

    return product == 0 ? 0 : fitting(product > UINT32_MAX ? product : product * threads[2]);
}

void ptx_resources_estimate(const struct ptx_module *module, const struct ptx_function *kernel,
                            uint32_t compute_major, uint32_t compute_minor,
                            struct ptx_resources *out_resources)
{
    const struct target *target = target_of(compute_major, compute_minor);
    struct arena *scratch = arena_new();
    struct register_pressure pressure;
    struct kernel_shape shape;
    struct kernel_flow flow;
    const uint64_t constants =
        (target->constant_bytes > 0 ? kernel->parameter_bytes + target->constant_bytes : 0) +
        declared_bytes(module->variables, module->variable_count, PTX_SPACE_CONST);

    *out_resources = (struct ptx_resources){
        .registers_least = REGISTERS_MIN,
        .registers_most = REGISTERS_MAX,
        .static_shared_bytes = fitting(shared_bytes(scratch, module, kernel)),
        .local_bytes =
            fitting(declared_bytes(kernel->variables, kernel->variable_count, PTX_SPACE_LOCAL)),
        .constant_bytes = fitting(constants),
        .max_threads = product_of(kernel->required_threads[0] > 0 ? kernel->required_threads
                                                                  : kernel->max_threads),
    };
    kernel_flow_make(scratch, kernel, &flow);
    if (register_pressure_find(scratch, &flow, &pressure)) {
        kernel_shape_find(module, &flow, &shape);
        estimate_registers(&shape, &pressure, target, out_resources);
    }
    limit_registers(kernel, target, out_resources);
    arena_free(scratch);
}
