/* bind.c: from a held launch to the addresses and values that a rubric names; see probe.h. */
#include "session/probe.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* A launch that is being bound. */
struct binder {
    struct connection *connection;
    const struct rubric_launch *launch;
    const struct held_launch *held; /* NULL: a call that has begun; then there is no kernel */
    const struct code_kernel *kernel;
    struct observation *observation;
    struct case_scope scope;
};

static void fail(struct observation *observation, enum code code, const char *message)
{
    if (observation->failure == CODE_NONE) {
        observation->failure = code;
        observation->failure_message = message;
    }
}

/* The same for what is wrong with a variable. */
static void fail_symbol(struct observation *observation, const char *symbol, const char *message)
{
    if (observation->failure == CODE_NONE) {
        observation->failure_symbol = symbol;
        fail(observation, CODE_BAD_OPERAND, message);
    }
}

/* Reads a kernel argument of exactly `bytes`; false (and a failure) if there is none. */
static bool read_argument(struct binder *binder, const char *name, uint32_t argument, size_t bytes,
                          void *out_value)
{
    struct arena *arena = binder->connection->arena;
    const struct code_kernel *kernel = binder->kernel;

    if (argument >= kernel->parameter_count) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena, "`%s` takes %zu arguments; argument %" PRIu32 " (%s) is missing",
                          kernel->plain_name, kernel->parameter_count, argument + 1, name));
        return false;
    }
    const struct code_parameter *parameter = &kernel->parameters[argument];
    if (parameter->bytes != bytes || parameter->offset + bytes > binder->held->parameter_bytes) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena,
                          "argument %" PRIu32 " (%s) of `%s` has %" PRIu64 " bytes, expected %zu",
                          argument + 1, name, kernel->plain_name, parameter->bytes, bytes));
        return false;
    }
    memcpy(out_value, binder->held->parameters + parameter->offset, bytes);
    return true;
}

/* A device symbol that was looked for. */
struct symbol {
    bool found;
    bool is_constant;
    uint64_t address, bytes;
};

/* Finds a device symbol by its name in the source, in the kernel's own module first. */
static enum error find_symbol(struct binder *binder, const char *name, struct symbol *out_symbol,
                              struct diagnostic *diagnostic)
{
    const struct code_index *code = &binder->connection->code;

    *out_symbol = (struct symbol){.found = false};
    for (size_t i = 0; i < code->module_count && !out_symbol->found; i++) {
        size_t first = binder->held == NULL ? 0 : binder->held->module;
        size_t index = (first + i) % code->module_count;
        const struct code_module *module = &code->modules[index];
        for (size_t j = 0; j < module->variable_count; j++) {
            const struct code_variable *variable = &module->variables[j];
            if (strcmp(variable->plain_name, name) != 0) {
                continue;
            }
            struct message symbol = {
                .type = CONTROL_SYMBOL,
                .words = {index},
                .payload = variable->name,
                .payload_bytes = strlen(variable->name),
            };
            struct message reply;
            enum error error = connection_call(binder->connection, &symbol, &reply, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
            *out_symbol =
                (struct symbol){true, variable->is_constant, reply.words[0], reply.words[1]};
            break;
        }
    }
    return ERROR_NONE;
}

static enum error read_symbol_scalar(struct binder *binder, size_t index,
                                     struct diagnostic *diagnostic)
{
    const struct rubric_scalar *scalar = &binder->launch->scalars[index];
    size_t bytes = element_bytes(scalar->type);
    uint64_t value = 0;
    struct symbol symbol;
    struct message reply;

    enum error error = find_symbol(binder, scalar->bind.symbol, &symbol, diagnostic);
    if (error != ERROR_NONE || !symbol.found || symbol.bytes != bytes) {
        return error;
    }
    struct message read = {.type = CONTROL_READ, .words = {symbol.address, bytes}};
    error = connection_call(binder->connection, &read, &reply, diagnostic);
    if (error == ERROR_NONE && reply.payload_bytes == bytes) {
        memcpy(&value, reply.payload, bytes);
        binder->observation->scalars[index] = element_integer(scalar->type, &value, 0);
        binder->observation->scalar_known[index] = true;
        binder->observation->scalar_constant[index] = symbol.is_constant;
    }
    return error;
}

static const char *scalar_text(struct arena *arena, enum element_type type, const void *value)
{
    return element_is_float(type)
               ? arena_printf(arena, "%.9g", element_value(type, value, 0))
               : arena_printf(arena, "%" PRId64, element_integer(type, value, 0));
}

/* Scalar arguments must agree with the case; symbols are evidence only. */
static enum error bind_scalars(struct binder *binder, struct diagnostic *diagnostic)
{
    struct observation *observation = binder->observation;

    for (size_t i = 0; i < binder->launch->scalar_count; i++) {
        const struct rubric_scalar *scalar = &binder->launch->scalars[i];
        uint64_t bytes = 0, wanted = 0;
        double expected = 0.0;

        if (scalar->bind.is_symbol) {
            enum error error = read_symbol_scalar(binder, i, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
            continue;
        }
        if (!read_argument(binder, scalar->name, scalar->bind.argument, element_bytes(scalar->type),
                           &bytes)) {
            continue;
        }
        observation->scalars[i] = element_integer(scalar->type, &bytes, 0);
        observation->scalar_known[i] = true;
        if (!expression_evaluate(scalar->value, case_lookup, &binder->scope, &expected, NULL)) {
            continue;
        }
        element_store(scalar->type, &wanted, 0, expected);
        if (element_value(scalar->type, &bytes, 0) != element_value(scalar->type, &wanted, 0)) {
            fail(observation, CODE_BAD_OPERAND,
                 arena_printf(binder->connection->arena,
                              "argument %" PRIu32 " (%s) of `%s` is %s, expected %s",
                              scalar->bind.argument + 1, scalar->name, binder->kernel->plain_name,
                              scalar_text(binder->connection->arena, scalar->type, &bytes),
                              scalar_text(binder->connection->arena, scalar->type, &wanted)));
        }
    }
    return ERROR_NONE;
}

/* Elements of an operand in this case, and its extents. The loader of rubrics accepts no shape that
 * has none at a block width that is allowed; at another one there is evidence already. */
static enum error operand_elements(struct binder *binder, const struct rubric_operand *operand,
                                   struct operand_memory *named, size_t *out_elements,
                                   struct diagnostic *diagnostic)
{
    *out_elements = case_elements(&binder->scope, operand, named->extents);
    if (*out_elements > 0 || binder->observation->failure != CODE_NONE) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_GRADER,
                   "the shape of %s cannot be evaluated in a case of `%s`", operand->name,
                   binder->launch->id);
    return ERROR_RANGE;
}

/* Where an operand is said to lie. */
struct location {
    bool is_known;
    uint64_t address;
    uint64_t bytes; /* of its variable; 0: it is no variable */
};

static enum error locate_operand(struct binder *binder, const struct rubric_operand *operand,
                                 struct location *out_location, struct diagnostic *diagnostic)
{
    struct symbol symbol;

    *out_location = (struct location){.is_known = false};
    if (binder->launch->call != NULL) {
        size_t index = (size_t)(operand - binder->launch->operands);
        *out_location = (struct location){true, binder->connection->announced[index], 0};
        return ERROR_NONE;
    }
    if (!operand->bind.is_symbol) {
        out_location->is_known =
            read_argument(binder, operand->name, operand->bind.argument,
                          sizeof out_location->address, &out_location->address);
        return ERROR_NONE;
    }
    enum error error = find_symbol(binder, operand->bind.symbol, &symbol, diagnostic);
    if (error == ERROR_NONE && symbol.found) {
        *out_location = (struct location){true, symbol.address, symbol.bytes};
    }
    if (error == ERROR_NONE && !symbol.found) {
        fail_symbol(binder->observation, operand->bind.symbol,
                    arena_printf(binder->connection->arena, "there is no device array `%s`",
                                 operand->bind.symbol));
    }
    return error;
}

/* An allocation, or a variable. */
struct memory {
    uint64_t start, bytes;
};

static enum error check_allocation(struct binder *binder, const struct rubric_operand *operand,
                                   uint64_t address, uint64_t bytes, struct memory *out_memory,
                                   struct diagnostic *diagnostic)
{
    struct arena *arena = binder->connection->arena;
    struct message find = {.type = CONTROL_FIND, .words = {address}};
    struct message reply;
    enum error error = connection_call(binder->connection, &find, &reply, diagnostic);

    if (error == ERROR_NOT_FOUND) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena,
                          address == 0 ? "%s is a null pointer"
                                       : "%s does not point to device memory",
                          operand->name));
        return ERROR_NONE;
    }
    if (error != ERROR_NONE) {
        return error;
    }
    uint64_t end = 0;
    if (__builtin_add_overflow(reply.words[0], reply.words[1], &end) || end < address) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device reports an impossible range of memory");
        return ERROR_PEER;
    }
    *out_memory = (struct memory){reply.words[0], reply.words[1]};
    if (binder->launch->call != NULL && bytes > 0 &&
        (reply.words[3] != 0) != operand->is_in_host_memory) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena,
                          operand->is_in_host_memory
                              ? "%s is announced with memory that is not that of cudaMallocHost"
                              : "%s is announced with memory that the host may share, not with "
                                "memory of cudaMalloc",
                          operand->name));
    }
    if (binder->launch->call != NULL && bytes > 0 &&
        (address != reply.words[0] || bytes != reply.words[1] || reply.words[2] != 0)) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena,
                          "%s is announced with memory that is no allocation of exactly %" PRIu64
                          " bytes",
                          operand->name, bytes));
    }
    if (address < reply.words[0] || end - address < bytes) {
        fail(binder->observation, CODE_BAD_OPERAND,
             arena_printf(arena,
                          "%s needs %" PRIu64 " bytes, but the memory at its address has only "
                          "%" PRIu64,
                          operand->name, bytes, end - address));
    }
    return ERROR_NONE;
}

/* The sizes of arrays come from the case: one of another size was not given its. */
static void check_variable(struct binder *binder, const struct rubric_operand *operand,
                           const struct location *location, const struct operand_memory *named)
{
    enum { POINTER_BYTES = 8 };
    struct text extents;

    if (location->bytes == 0 || location->bytes == named->bytes || named->bytes == 0) {
        return;
    }
    text_init(&extents);
    for (size_t i = 0; i < named->rank; i++) {
        text_printf(&extents, "%s%" PRIu64, i > 0 ? " x " : "", named->extents[i]);
    }
    fail_symbol(
        binder->observation, operand->bind.symbol,
        arena_printf(
            binder->connection->arena,
            "`%s` has %" PRIu64 " bytes, expected %" PRIu64 ": %s elements of %" PRIu64 " bytes%s",
            operand->bind.symbol, location->bytes, named->bytes, extents.bytes,
            named->element_bytes,
            location->bytes == POINTER_BYTES ? " in the array itself, not a pointer to it" : ""));
    text_release(&extents);
}

/* Remembers where an operand lies, if it is all that lies there. */
static void note_operand(struct binder *binder, const struct operand_memory *operand,
                         const struct memory *memory, struct bound_launch *out_bound)
{
    struct arena *arena = binder->connection->arena;

    if (memory->start == operand->start && memory->bytes == operand->bytes && memory->bytes > 0) {
        operand_memory_add(arena, &out_bound->operands, operand);
        operand_memory_add(arena, &binder->connection->operands, operand);
    }
}

static enum error bind_operands(struct binder *binder, struct bound_launch *out_bound,
                                struct diagnostic *diagnostic)
{
    uint64_t *addresses = out_bound->addresses;
    struct observation *observation = binder->observation;
    uint64_t sizes[RUBRIC_OPERANDS_MAX] = {0};

    for (size_t i = 0; i < binder->launch->operand_count; i++) {
        const struct rubric_operand *operand = &binder->launch->operands[i];
        struct location location;
        struct memory memory = {0};
        struct operand_memory named = {
            .name = operand->name,
            .kernel = binder->launch->call != NULL ? NULL : binder->kernel->plain_name,
            .element_bytes = element_bytes(operand->type) * operand_lanes(operand),
            .lanes = operand_lanes(operand),
            .rank = operand->rank};
        size_t elements = 0;
        enum error error = locate_operand(binder, operand, &location, diagnostic);

        addresses[i] = location.address;
        if (error == ERROR_NONE && location.is_known) {
            error = operand_elements(binder, operand, &named, &elements, diagnostic);
        }
        if (error == ERROR_NONE && location.is_known) {
            observation->element_counts[i] = elements;
            sizes[i] = elements * element_bytes(operand->type);
            named.bytes = sizes[i];
            check_variable(binder, operand, &location, &named);
            error = check_allocation(binder, operand, addresses[i], sizes[i], &memory, diagnostic);
            out_bound->allocations[i] = memory.start;
            named.start = addresses[i];
            note_operand(binder, &named, &memory, out_bound);
        }
        if (error != ERROR_NONE) {
            return error;
        }
        for (size_t j = 0; j < i && location.is_known; j++) {
            bool overlaps =
                addresses[i] < addresses[j] + sizes[j] && addresses[j] < addresses[i] + sizes[i];
            if (overlaps) {
                fail(observation, CODE_BAD_OPERAND,
                     arena_printf(binder->connection->arena, "%s and %s overlap in memory",
                                  binder->launch->operands[j].name, operand->name));
            }
        }
    }
    return ERROR_NONE;
}

enum error probe_bind(struct connection *connection, const struct rubric_launch *launch,
                      const struct held_launch *held, struct observation *observation,
                      struct bound_launch *out_bound, struct diagnostic *diagnostic)
{
    struct binder binder = {
        .connection = connection,
        .launch = launch,
        .held = held,
        .observation = observation,
        .scope = {.rubric = connection->config->rubric,
                  .parameters = observation->parameters,
                  .block = observation->block},
    };
    enum error error = ERROR_NONE;

    *out_bound = (struct bound_launch){.module = 0};
    if (held != NULL) {
        const uint32_t *block = held->geometry.block;

        binder.kernel = &connection->code.modules[held->module].kernels[held->kernel];
        binder.scope.threads = (int64_t)block[0] * block[1] * block[2];
        out_bound->module = held->module;
        observation->launched = true;
        observation->geometry = held->geometry;
        observation->kernel = binder.kernel->name;
        error = bind_scalars(&binder, diagnostic);
    }
    return error == ERROR_NONE ? bind_operands(&binder, out_bound, diagnostic) : error;
}

enum error probe_read_symbols(struct connection *connection, const struct rubric_launch *launch,
                              struct observation *observation, struct diagnostic *diagnostic)
{
    struct binder binder = {.connection = connection, .launch = launch, .observation = observation};
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < launch->scalar_count && error == ERROR_NONE; i++) {
        if (launch->scalars[i].bind.is_symbol) {
            error = read_symbol_scalar(&binder, i, diagnostic);
        }
    }
    return error;
}

enum error probe_find_symbol(struct connection *connection, const char *name,
                             struct operand_place *out_place, struct diagnostic *diagnostic)
{
    struct binder binder = {.connection = connection};
    struct symbol symbol;
    enum error error = find_symbol(&binder, name, &symbol, diagnostic);

    *out_place = (struct operand_place){0};
    if (error == ERROR_NONE && symbol.found) {
        *out_place = (struct operand_place){symbol.address, symbol.bytes};
    }
    return error;
}

enum error probe_find_operand(struct connection *connection, const struct rubric_launch *launch,
                              const struct held_launch *held, const struct rubric_operand *operand,
                              struct operand_place *out_place, struct diagnostic *diagnostic)
{
    struct observation unused = {.failure = CODE_NONE};
    struct binder binder = {
        .connection = connection,
        .launch = launch,
        .held = held,
        .kernel = &connection->code.modules[held->module].kernels[held->kernel],
        .observation = &unused,
    };
    struct location location;
    struct memory memory = {0};
    enum error error = locate_operand(&binder, operand, &location, diagnostic);

    *out_place = (struct operand_place){0};
    if (error == ERROR_NONE && location.is_known) {
        error = check_allocation(&binder, operand, location.address, 0, &memory, diagnostic);
    }
    if (error == ERROR_NONE && memory.bytes > 0 && location.address >= memory.start) {
        *out_place = (struct operand_place){location.address,
                                            memory.bytes - (location.address - memory.start)};
    }
    return error;
}
