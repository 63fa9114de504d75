/* nvcc_options.c: see nvcc_options.h and nvcc_options.def. */
#include "clang/nvcc_options.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum value { NONE, JOINED, SEPARATE };

enum effect {
    BOTH,
    HOST,
    LINK,
    HOST_LIST,
    LINK_LIST,
    IGNORE,
    REFUSED,
    COMPILE,
    TEXT,
    READ,
    OUTPUT,
    STANDARD,
    OPTIMIZE,
    ARCHITECTURE,
    LANGUAGE,
    REGISTERS,
    FMAD,
    FTZ,
    PRECISE_DIVISION,
    PRECISE_ROOT,
    FAST_MATH,
    DEFAULT_STREAM,
    SEPARATE_COMPILATION,
    CLANG,
    HEADERS,
    RUNTIME,
    PRECOMPILED,
    PRECOMPILE,
};

struct option {
    const char *name;
    enum value value;
    enum effect effect;
};

static const struct option options[] = {
#define OPTION(name, value, effect) {name, value, effect},
#include "clang/nvcc_options.def"
#undef OPTION
};

void arguments_add(struct arena *arena, struct arguments *arguments, const char *text)
{
    arena_grow(arena, &arguments->items, &arguments->capacity, arguments->count + 2,
               sizeof *arguments->items);
    arguments->items[arguments->count++] = text;
    arguments->items[arguments->count] = NULL;
}

void arguments_add_all(struct arena *arena, struct arguments *arguments,
                       const struct arguments *more)
{
    for (size_t i = 0; i < more->count; i++) {
        arguments_add(arena, arguments, more->items[i]);
    }
}

/* Adds the parts of "a,b,c". */
static void add_list(struct arena *arena, struct arguments *arguments, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        arguments_add(arena, arguments, arena_strndup(arena, list, length));
        list += length + (list[length] == ',' ? 1 : 0);
    }
}

/* Finds the option that an argument is: that of the longest name, so that -lineinfo is no library.
 * *out_value is what follows its name in the same argument, NULL if nothing does. */
static const struct option *find_option(const char *argument, const char **out_value)
{
    const char *name = argument + 1 + (argument[1] == '-' ? 1 : 0);
    const struct option *found = NULL;
    size_t found_length = 0;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct option *option = &options[i];
        size_t length = strlen(option->name);
        bool is_start = strncmp(name, option->name, length) == 0 && length > found_length;
        bool takes_rest =
            is_start && (option->value == SEPARATE ? name[length] == '=' : option->value == JOINED);
        if (is_start && (name[length] == '\0' || takes_rest)) {
            found = option;
            found_length = length;
            *out_value =
                name[length] == '\0' ? NULL : name + length + (option->value == SEPARATE ? 1 : 0);
        }
    }
    return found;
}

/* The number in "compute_75", "sm_75", "arch=compute_75,code=compute_75"; 0 if there is none. */
static unsigned architecture_of(const char *value)
{
    const char *number = strstr(value, "_");

    return number == NULL ? 0 : (unsigned)strtoul(number + 1, NULL, 10);
}

/* Of several architectures the first one counts: one PTX is made. */
static enum error take_architecture(struct compile_plan *plan, const char *value,
                                    struct diagnostic *diagnostic)
{
    unsigned number = architecture_of(value);

    if (number == 0 && strcmp(value, "native") != 0 && strcmp(value, "all") != 0 &&
        strcmp(value, "all-major") != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' is no architecture; compute_75 is one",
                       value);
        return ERROR_UNSUPPORTED;
    }
    plan->architecture = plan->architecture == 0 ? number : plan->architecture;
    return ERROR_NONE;
}

/* -ftz=true and the like. */
static bool is_true(const char *value)
{
    return strcmp(value, "true") == 0;
}

static void flush_denormals(struct arena *arena, struct compile_plan *plan)
{
    arguments_add(arena, &plan->both, "-fgpu-flush-denormals-to-zero");
}

static void approximate_division(struct arena *arena, struct compile_plan *plan)
{
    arguments_add(arena, &plan->back_end, "-mllvm");
    arguments_add(arena, &plan->back_end, "-nvptx-prec-divf32=1");
}

static void approximate_root(struct arena *arena, struct compile_plan *plan)
{
    arguments_add(arena, &plan->both, "-DGPUGRADE_APPROXIMATE_ROOT"); /* read by our headers */
}

/* The options that change how the device computes. */
static void take_arithmetic(struct arena *arena, struct compile_plan *plan, enum effect effect,
                            const char *value)
{
    bool all = effect == FAST_MATH;

    if (all || (effect == FTZ && is_true(value))) {
        flush_denormals(arena, plan);
    }
    if (all || (effect == PRECISE_DIVISION && !is_true(value))) {
        approximate_division(arena, plan);
    }
    if (all || (effect == PRECISE_ROOT && !is_true(value))) {
        approximate_root(arena, plan);
    }
    if (all) {
        arguments_add(arena, &plan->both, "-fcuda-approx-transcendentals");
        arguments_add(arena, &plan->both, "-D__USE_FAST_MATH__");
    }
    plan->contracts = all || (effect == FMAD ? is_true(value) : plan->contracts);
}

static enum error refuse(struct diagnostic *diagnostic, const char *argument, const char *why)
{
    diagnostic_set(diagnostic, BLAME_USAGE, "%s: %s", argument, why);
    return ERROR_UNSUPPORTED;
}

/* A limit that is too high is none, as for ptxas. */
static enum error take_registers(struct compile_plan *plan, const char *argument, const char *value,
                                 struct diagnostic *diagnostic)
{
    enum { REGISTERS_MAX = 255 };
    char *end = NULL;
    const unsigned long number = strtoul(value, &end, 10);

    if (value[0] < '0' || value[0] > '9' || *end != '\0') {
        return refuse(diagnostic, argument, "takes a number of registers, such as 32");
    }
    plan->registers = number > REGISTERS_MAX ? 0 : (unsigned)number;
    return ERROR_NONE;
}

/* Gives an option on to clang under its own name. */
static void give_on(struct arena *arena, struct arguments *arguments, const struct option *option,
                    const char *value)
{
    const char *name = arena_printf(arena, "-%s", option->name);

    if (option->value == JOINED) {
        name = arena_printf(arena, "%s%s", name, value);
    }
    arguments_add(arena, arguments, name);
    if (option->value == SEPARATE) {
        arguments_add(arena, arguments, value);
    }
}

/* Where the value of an option of gpugrade's own is kept. */
static const char **own_path(struct compile_plan *plan, enum effect effect)
{
    return effect == CLANG     ? &plan->clang
           : effect == HEADERS ? &plan->headers
           : effect == RUNTIME ? &plan->runtime
                               : &plan->precompiled;
}

static enum error take_option(struct arena *arena, struct compile_plan *plan,
                              const struct option *option, const char *argument, const char *value,
                              struct diagnostic *diagnostic)
{
    switch (option->effect) {
    case BOTH:
        give_on(arena, &plan->both, option, value);
        break;
    case HOST:
        give_on(arena, &plan->host, option, value);
        break;
    case LINK:
        give_on(arena, &plan->link, option, value);
        break;
    case HOST_LIST:
        add_list(arena, &plan->host, value);
        add_list(arena, &plan->link, value);
        break;
    case LINK_LIST:
        arguments_add(arena, &plan->link, arena_printf(arena, "-Wl,%s", value));
        break;
    case OPTIMIZE:
        arguments_add(arena, &plan->host, arena_printf(arena, "-O%s", value));
        break;
    case IGNORE:
        break;
    case COMPILE:
    case TEXT:
        plan->compiles_only = true;
        plan->makes_ptx = plan->makes_ptx || option->effect == TEXT;
        break;
    case READ:
        plan->only_reads = true;
        break;
    case OUTPUT:
        plan->output = value;
        break;
    case STANDARD:
        plan->standard = value;
        break;
    case ARCHITECTURE:
        return take_architecture(plan, value, diagnostic);
    case LANGUAGE:
        return strcmp(value, "cu") == 0 ? ERROR_NONE
                                        : refuse(diagnostic, argument,
                                                 "every source is compiled as CUDA C++, which is "
                                                 "-x cu");
    case REGISTERS:
        return take_registers(plan, argument, value, diagnostic);
    case FMAD:
    case FTZ:
    case PRECISE_DIVISION:
    case PRECISE_ROOT:
    case FAST_MATH:
        take_arithmetic(arena, plan, option->effect, value);
        break;
    case DEFAULT_STREAM:
        if (strcmp(value, "per-thread") == 0) {
            arguments_add(arena, &plan->both, "-fgpu-default-stream=per-thread");
        }
        break;
    case SEPARATE_COMPILATION:
        return is_true(value) ? refuse(diagnostic, argument,
                                       "device code cannot be compiled separately and linked "
                                       "later; put it into one file")
                              : ERROR_NONE;
    case REFUSED:
        return refuse(diagnostic, argument, "clang has no counterpart of this option");
    case CLANG:
    case HEADERS:
    case RUNTIME:
    case PRECOMPILED:
        *own_path(plan, option->effect) = value;
        break;
    case PRECOMPILE:
        plan->precompiles = true;
        break;
    }
    return ERROR_NONE;
}

/* Is the plan complete? */
static enum error check_plan(const struct compile_plan *plan, struct diagnostic *diagnostic)
{
    if (plan->clang == NULL || plan->headers == NULL) {
        return refuse(diagnostic, "gpugrade-clang", "-clang and -headers are missing");
    }
    if (plan->precompiles) {
        return plan->precompiled != NULL
                   ? ERROR_NONE
                   : refuse(diagnostic, "-precompile", "-precompiled says where");
    }
    if (plan->inputs.count == 0) {
        return refuse(diagnostic, "gpugrade-clang", "no source is named");
    }
    if (plan->compiles_only && plan->inputs.count > 1) {
        return refuse(diagnostic, "-c", "takes one source");
    }
    return plan->output != NULL ? ERROR_NONE : refuse(diagnostic, "-o", "the output has no name");
}

enum error nvcc_options_read(struct arena *arena, int count, char **arguments,
                             struct compile_plan *out_plan, struct diagnostic *diagnostic)
{
    enum { USUAL_ARCHITECTURE = 75 };
    struct compile_plan plan = {.standard = "gnu++17", .contracts = true};

    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        const char *value = NULL;
        if (argument[0] != '-' || argument[1] == '\0') {
            arguments_add(arena, &plan.inputs, argument);
            continue;
        }
        const struct option *option = find_option(argument, &value);
        if (option == NULL) {
            return refuse(diagnostic, argument, "clang has no counterpart of this option");
        }
        if (value == NULL && option->value != NONE) {
            if (i + 1 >= count) {
                return refuse(diagnostic, argument, "a value must follow");
            }
            value = arguments[++i];
        }
        enum error error = take_option(arena, &plan, option, argument, value, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    plan.architecture = plan.architecture == 0 ? USUAL_ARCHITECTURE : plan.architecture;
    *out_plan = plan;
    return check_plan(out_plan, diagnostic);
}
