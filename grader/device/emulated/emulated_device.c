/* emulated_device.c: the backend `device_emulated`: modules, memory and launches. */
#include "device/emulated/emulated_device.h"

#include "device/emulated/exec/call_stack.h"
#include "device/emulated/exec/device_calls.h"
#include "device/emulated/exec/grid_run.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/step_watch.h"
#include "device/emulated/launch_memo.h"
#include "device/emulated/lower/call_graph.h"
#include "device/emulated/lower/lowering.h"
#include "device/emulated/memory/access_counts.h"
#include "device/emulated/memory/access_trace.h"
#include "device/emulated/memory/device_heap.h"
#include "device/emulated/memory/value_origins.h"
#include "device/emulated/race/touch_watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct loaded_function {
    struct kernel_code *code;
    struct device_function_info info;
    bool has_steps; /* its steps are of interest */
};

struct loaded_module {
    const struct ptx_module *ptx;
    uint32_t index;
    uint64_t *variables; /* [ptx->variable_count] device addresses; 0: not in the window */
    struct loaded_function *functions; /* [function_count] entries with a body */
    size_t function_count;
};

struct emulated_device {
    struct device_config config;
    const struct warp_variant *variant;
    struct window_memory memory;
    struct arena *arena;
    struct loaded_module *modules; /* [module_count] */
    size_t module_count, module_capacity;
    struct device_heap *heap;
    uint64_t workspace;                 /* of cooperative launches: device address; 0: none yet */
    struct finding_record *findings;    /* of the last launch */
    struct text printed[PRINT_STREAMS]; /* by the last launch */
    struct count_record *counts;        /* of the last launch */
    struct order_bytes touched;         /* by the last launch */
    struct text traced;                 /* by the last trace */
    struct value_origins *origins;      /* NULL: values are not followed */
    struct step_watch steps;
    struct launch_memo memo;
};

enum error emulated_open(const struct device_config *config, const char *variant, void **out_state,
                         struct diagnostic *diagnostic)
{
    const struct warp_variant *variants;
    size_t count = warp_variants(&variants);
    const struct warp_variant *chosen = variant == NULL ? &variants[count - 1] : NULL;
    for (size_t i = 0; i < count && variant != NULL; i++) {
        chosen = strcmp(variants[i].name, variant) == 0 ? &variants[i] : chosen;
    }
    if (chosen == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "this processor cannot run the variant %s",
                       variant);
        return ERROR_UNSUPPORTED;
    }
    struct emulated_device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for the emulated device");
        return ERROR_ENVIRONMENT;
    }
    enum error error = window_memory_init(&device->memory, config->memory_limit_bytes, diagnostic);
    if (error != ERROR_NONE) {
        free(device);
        return error;
    }
    device->config = *config;
    device->memory.asks_written = config->checks_unwritten;
    device->variant = chosen;
    device->arena = arena_new();
    device->heap = device_heap_new(&device->memory);
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        text_init(&device->printed[i]);
    }
    text_init(&device->traced);
    step_watch_init(&device->steps);
    if (device->config.threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        device->config.threads = cores < 1 ? 1 : (uint32_t)cores;
    }
    *out_state = device;
    return ERROR_NONE;
}

static enum error emulated_open_best(const struct device_config *config, void **out_state,
                                     struct diagnostic *diagnostic)
{
    return emulated_open(config, NULL, out_state, diagnostic);
}

static void emulated_close(void *state)
{
    struct emulated_device *device = state;
    window_memory_release(&device->memory);
    device_heap_free_all(device->heap);
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        text_release(&device->printed[i]);
    }
    text_release(&device->traced);
    step_watch_release(&device->steps);
    launch_memo_release(&device->memo);
    arena_free(device->arena);
    free(device->findings);
    free(device->counts);
    touch_ranges_free(&device->touched);
    value_origins_free(device->origins);
    free(device);
}

static bool is_in_window(const struct ptx_variable *variable)
{
    bool has_space = variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
    return has_space && !variable->is_extern && variable->bytes > 0;
}

/* Makes room for the variables of a module. */
static enum error place_variables(struct emulated_device *device, struct loaded_module *module,
                                  struct diagnostic *diagnostic)
{
    const struct ptx_module *ptx = module->ptx;
    module->variables =
        arena_array(device->arena, ptx->variable_count + 1, sizeof *module->variables);
    for (size_t i = 0; i < ptx->variable_count; i++) {
        const struct ptx_variable *variable = &ptx->variables[i];
        if (!is_in_window(variable)) {
            continue;
        }
        enum error error =
            window_allocate(&device->memory, variable->bytes, true,
                            variable->space == PTX_SPACE_CONST, &module->variables[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

/* The address that a relocation stands for. */
static uint64_t relocated_address(const struct loaded_module *module,
                                  const struct ptx_relocation *relocation)
{
    uint64_t address = relocation->is_function ? code_address(module->index, relocation->index)
                                               : module->variables[relocation->index];
    return address + (uint64_t)relocation->addend;
}

/* Writes the addresses of variables and functions into the initial value of a variable. */
static void relocate(const struct loaded_module *module, const struct ptx_variable *variable,
                     uint8_t *bytes)
{
    for (size_t k = 0; k < variable->relocation_count; k++) {
        const struct ptx_relocation *relocation = &variable->relocations[k];
        uint64_t address = relocated_address(module, relocation) >> relocation->shift;
        if (relocation->bytes <= sizeof address && relocation->offset <= variable->bytes &&
            relocation->bytes <= variable->bytes - relocation->offset) {
            memcpy(bytes + relocation->offset, &address, relocation->bytes);
        }
    }
}

static void initialise_variables(struct emulated_device *device, struct loaded_module *module)
{
    for (size_t i = 0; i < module->ptx->variable_count; i++) {
        const struct ptx_variable *variable = &module->ptx->variables[i];
        if (module->variables[i] == 0) {
            continue;
        }
        uint8_t *bytes = window_host(&device->memory, module->variables[i]);
        memset(bytes, 0, variable->bytes);
        if (variable->initial != NULL) {
            memcpy(bytes, variable->initial, variable->bytes);
        }
        relocate(module, variable, bytes);
    }
}

static uint32_t max_threads(const struct ptx_function *function)
{
    const uint32_t *limits =
        function->required_threads[0] != 0 ? function->required_threads : function->max_threads;
    uint64_t product = limits[0];
    product *= limits[1] != 0 ? limits[1] : 1;
    product = product > UINT32_MAX ? UINT32_MAX : product * (limits[2] != 0 ? limits[2] : 1);
    return product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
}

static void describe(struct emulated_device *device, const struct loaded_module *module,
                     struct loaded_function *function)
{
    const struct ptx_function *ptx = function->code->function;
    struct device_parameter *parameters =
        arena_array(device->arena, ptx->parameter_count + 1, sizeof *parameters);
    for (size_t i = 0; i < ptx->parameter_count; i++) {
        parameters[i] =
            (struct device_parameter){ptx->parameters[i].offset, ptx->parameters[i].bytes};
    }
    uint64_t constant_bytes = 0;
    for (size_t i = 0; i < module->ptx->variable_count; i++) {
        bool is_constant = module->ptx->variables[i].space == PTX_SPACE_CONST;
        constant_bytes += is_constant ? module->ptx->variables[i].bytes : 0;
    }
    function->info = (struct device_function_info){
        .name = ptx->name,
        .parameter_count = (uint32_t)ptx->parameter_count,
        .parameters = parameters,
        .parameter_bytes = ptx->parameter_bytes,
        .static_shared_bytes = (uint32_t)function->code->static_shared_bytes,
        .local_bytes = (uint32_t)function->code->local_bytes,
        .constant_bytes = (uint32_t)constant_bytes,
        .max_threads = max_threads(ptx),
    };
}

static enum error lower_entries(struct emulated_device *device, struct loaded_module *module,
                                struct diagnostic *diagnostic)
{
    const struct ptx_module *ptx = module->ptx;
    const struct lowering_module common = {
        .ptx = ptx,
        .index = module->index,
        .variables = module->variables,
        .graph = call_graph_new(device->arena, ptx),
        .variant = device->variant,
        .body_numbers =
            arena_array(device->arena, ptx->function_count + 1, sizeof *common.body_numbers),
    };
    module->functions =
        arena_array(device->arena, ptx->function_count + 1, sizeof *module->functions);
    for (size_t i = 0; i < ptx->function_count; i++) {
        const struct ptx_function *function = &ptx->functions[i];
        if (!function->is_entry || function->is_declaration) {
            continue;
        }
        struct loaded_function *loaded = &module->functions[module->function_count];
        enum error error =
            kernel_lower(device->arena, &common, function, &loaded->code, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        loaded->code->function_index = (uint32_t)module->function_count++;
        describe(device, module, loaded);
    }
    return ERROR_NONE;
}

static enum error emulated_load_module(void *state, const char *ptx, size_t length,
                                       uint32_t *out_module, struct diagnostic *diagnostic)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    struct loaded_module module = {.index = (uint32_t)device->module_count};
    enum error error = ptx_parse(device->arena, ptx, length, &module.ptx, diagnostic);
    if (error == ERROR_NONE) {
        error = place_variables(device, &module, diagnostic);
    }
    if (error == ERROR_NONE) {
        initialise_variables(device, &module);
        error = lower_entries(device, &module, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    arena_grow(device->arena, &device->modules, &device->module_capacity, device->module_count + 1,
               sizeof *device->modules);
    device->modules[device->module_count] = module;
    *out_module = (uint32_t)device->module_count++;
    return ERROR_NONE;
}

static const struct loaded_module *find_module(const struct emulated_device *device,
                                               uint32_t module)
{
    return module < device->module_count ? &device->modules[module] : NULL;
}

static size_t emulated_function_count(void *state, uint32_t module)
{
    const struct loaded_module *loaded = find_module(state, module);
    return loaded == NULL ? 0 : loaded->function_count;
}

static bool emulated_function_info(void *state, uint32_t module, uint32_t function,
                                   struct device_function_info *out_info)
{
    const struct loaded_module *loaded = find_module(state, module);
    if (loaded == NULL || function >= loaded->function_count) {
        return false;
    }
    *out_info = loaded->functions[function].info;
    return true;
}

static void describe_block(const struct window_block *block,
                           struct device_allocation *out_allocation)
{
    *out_allocation = (struct device_allocation){
        .address = block->start,
        .bytes = block->end - block->start,
        .is_module_variable = block->is_module_variable,
        .is_constant = block->is_constant,
    };
}

static bool emulated_variable(void *state, uint32_t module, const char *name,
                              struct device_allocation *out_variable)
{
    struct emulated_device *device = state;
    const struct loaded_module *loaded = find_module(device, module);
    const struct ptx_variable *variable =
        loaded == NULL ? NULL : ptx_find_variable(loaded->ptx, name);
    if (variable == NULL) {
        return false;
    }
    uint64_t address = loaded->variables[variable - loaded->ptx->variables];
    const struct window_block *block = window_find(&device->memory, address);
    if (block == NULL) {
        return false;
    }
    describe_block(block, out_variable);
    return true;
}

static void emulated_initialise(void *state)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    for (size_t i = 0; i < device->module_count; i++) {
        initialise_variables(device, &device->modules[i]);
    }
    device_heap_reset(device->heap);
}

static enum error emulated_allocate(void *state, uint64_t bytes, uint64_t *out_address,
                                    struct diagnostic *diagnostic)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    return window_allocate(&device->memory, bytes, false, false, out_address, diagnostic);
}

static enum error emulated_allocate_again(void *state, uint64_t bytes, uint64_t address,
                                          struct diagnostic *diagnostic)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    return window_allocate_again(&device->memory, bytes, address, diagnostic);
}

static bool emulated_release(void *state, uint64_t address)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    return window_free(&device->memory, address);
}

static bool emulated_find(void *state, uint64_t address, struct device_allocation *out_allocation)
{
    struct emulated_device *device = state;
    const struct window_block *block = window_find(&device->memory, address);
    if (block == NULL || block->is_heap) {
        return false;
    }
    describe_block(block, out_allocation);
    return true;
}

static bool emulated_read(void *state, uint64_t address, void *out_bytes, size_t length)
{
    struct emulated_device *device = state;
    const uint8_t *host = window_range_host(&device->memory, address, length, false);
    if (host != NULL) {
        memcpy(out_bytes, host, length);
        if (device->origins != NULL) {
            value_origins_use(device->origins, address, length);
        }
    }
    return host != NULL;
}

/* The host changes memory, whose values have no origin from now on. */
static void note_change(struct emulated_device *device, uint64_t address, uint64_t bytes)
{
    if (device->origins != NULL) {
        value_origins_clear(device->origins, address, bytes);
    }
}

static bool emulated_write(void *state, uint64_t address, const void *bytes, size_t length)
{
    struct emulated_device *device = state;
    uint8_t *host = window_range_host(&device->memory, address, length, true);
    if (host != NULL) {
        if (memcmp(host, bytes, length) != 0) {
            memcpy(host, bytes, length);
            launch_memo_change(&device->memo);
        }
        note_change(device, address, length);
    }
    return host != NULL;
}

static bool emulated_fill(void *state, uint64_t address, uint64_t length, uint32_t pattern,
                          size_t pattern_bytes)
{
    struct emulated_device *device = state;
    uint8_t *host = window_range_host(&device->memory, address, length, true);
    if (host == NULL || (pattern_bytes != 1 && pattern_bytes != 2 && pattern_bytes != 4)) {
        return false;
    }
    window_fill(host, length, pattern, pattern_bytes);
    launch_memo_change(&device->memo);
    note_change(device, address, length);
    return true;
}

static bool emulated_copy(void *state, uint64_t to, uint64_t from, uint64_t length)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    bool is_done = window_copy(&device->memory, to, from, length);
    if (is_done && device->origins != NULL) {
        value_origins_copy(device->origins, to, from, length);
    }
    return is_done;
}

static void emulated_forget(void *state, uint64_t address)
{
    struct emulated_device *device = state;

    launch_memo_change(&device->memo);
    window_forget(&device->memory, address);
}

static bool emulated_unwritten(void *state, uint64_t address, uint64_t length,
                               uint64_t element_bytes, uint64_t *out_address)
{
    struct emulated_device *device = state;

    return window_unwritten(&device->memory, address, length, element_bytes, out_address);
}

static enum error emulated_snapshot(void *state, struct diagnostic *diagnostic)
{
    struct emulated_device *device = state;
    if (!device_heap_snapshot(device->heap)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for a snapshot of the heap");
        return ERROR_LIMIT;
    }
    return window_snapshot(&device->memory, diagnostic);
}

static void emulated_restore(void *state)
{
    struct emulated_device *device = state;
    launch_memo_change(&device->memo);
    window_restore(&device->memory);
    device_heap_restore(device->heap);
}

static void emulated_discard(void *state)
{
    struct emulated_device *device = state;
    window_discard(&device->memory);
    device_heap_discard(device->heap);
}

/* The memory behind %envreg1 and %envreg2, zeroed: the barrier of the grid is in it. */
static uint64_t grid_workspace(struct emulated_device *device)
{
    enum { WORKSPACE_BYTES = 64 };
    struct diagnostic diagnostic = {.message = ""};
    if (device->workspace == 0 && window_allocate(&device->memory, WORKSPACE_BYTES, true, false,
                                                  &device->workspace, &diagnostic) != ERROR_NONE) {
        return 0;
    }
    memset(window_range_host(&device->memory, device->workspace, WORKSPACE_BYTES, true), 0,
           WORKSPACE_BYTES);
    return device->workspace;
}

/* What a launch may use besides its memory. */
static void grant(struct emulated_device *device, struct launch *launch)
{
    const struct device_limits *limits = &launch->request->limits;
    launch->stack_limit = limits->stack_bytes != 0 ? limits->stack_bytes : STACK_BYTES_DEFAULT;
    launch->print_limit = limits->print_bytes != 0 ? limits->print_bytes : PRINT_BYTES_DEFAULT;
    launch->heap = device->heap;
    launch->workspace = launch->request->is_cooperative ? grid_workspace(device) : 0;
    if (launch->code->uses_heap) {
        /* without memory for a heap, malloc gives null, as on a device */
        device_heap_open(device->heap,
                         limits->heap_bytes != 0 ? limits->heap_bytes : HEAP_BYTES_DEFAULT);
    }
}

/* A launch that is ready to run, without a limit of time; nobody watches global memory. */
static void launch_init(struct emulated_device *device, const struct device_launch *request,
                        struct launch_texts *texts, struct launch *out_launch)
{
    const struct loaded_module *module = &device->modules[request->module];
    const struct kernel_code *code = module->functions[request->function].code;
    uint32_t multiprocessors = device->config.model.multiprocessors;
    *out_launch = (struct launch){
        .code = code,
        .request = request,
        .variant = device->variant,
        .memory = &device->memory,
        .parameters = request->parameters,
        .threads = request->block[0] * request->block[1] * request->block[2],
        .blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2],
        .shared_bytes = request->dynamic_shared_bytes != 0
                            ? code->dynamic_shared_start + request->dynamic_shared_bytes
                            : code->static_shared_bytes,
        .is_unwanted = device->config.is_unwanted,
        .unwanted_context = device->config.unwanted_context,
        .multiprocessors = multiprocessors != 0 ? multiprocessors : 1,
        .texts = texts,
        .shuffle_seed =
            request->order_seed != 0 ? request->order_seed : device->config.shuffle_seed,
        .work_limit = request->work_limit != 0 ? request->work_limit : UINT64_MAX,
        .is_unwatched = device->config.is_unwatched,
    };
    out_launch->warp_count = (out_launch->threads + LANES - 1) / LANES;
    grant(device, out_launch);
}

/* How many blocks of an ordered kernel may be under way at once. */
static uint64_t resident_blocks(const struct emulated_device *device, const struct launch *launch)
{
    uint32_t blocks_each = device->config.model.max_blocks_per_multiprocessor;
    return (uint64_t)launch->multiprocessors * (blocks_each != 0 ? blocks_each : 1);
}

static void emulated_watch_steps(void *state, uint32_t module, uint32_t function,
                                 const struct device_step_wish *wish)
{
    struct emulated_device *device = state;

    device->modules[module].functions[function].has_steps = true;
    device->steps.wish = *wish;
}

static void emulated_steps(void *state, struct device_steps *out_steps)
{
    const struct emulated_device *device = state;

    *out_steps = device->steps.seen;
}

/* Runs a launch; true if it has left all of the memory as it was. */
static bool run_launch(struct emulated_device *device, const struct device_launch *request,
                       struct device_launch_result *out_result)
{
    struct launch_texts texts = {.lock = PTHREAD_MUTEX_INITIALIZER, .arena = arena_new()};
    struct launch launch;
    launch_init(device, request, &texts, &launch);
    launch.limit_ns = device->config.launch_deadline_ns;
    launch.checks_global_races = device->config.checks_global_races;
    struct grid_outcome outcome;
    struct device_launch_result result = {.printed = ""};
    const bool is_followed = device->origins != NULL;
    uint64_t resident_max = resident_blocks(device, &launch);
    if (is_followed) {
        value_origins_start(device->origins, &launch, request->site);
    }
    bool has_steps = !is_followed &&
                     device->modules[request->module].functions[request->function].has_steps &&
                     step_watch_begin(&device->steps, &launch, resident_max);
    grid_run(&launch, has_steps || is_followed ? 1 : device->config.threads, resident_max,
             &outcome);
    result.status = outcome.status;
    result.counters = outcome.counters;
    free(device->findings);
    device->findings = finding_table_records(&outcome.findings, &launch, &result.finding_count);
    result.findings = device->findings;
    free(device->counts);
    device->counts = access_counts_records(outcome.counts, &result.count_count);
    result.counts = device->counts;
    result.is_counted = outcome.counts != NULL;
    touch_ranges_free(&device->touched);
    device->touched = outcome.touched;
    outcome.touched = (struct order_bytes){{NULL}, {0}};
    result.touched = device->touched;
    result.order_can_matter = request->asks_order && outcome.order_can_matter;
    for (size_t i = 0; i < PRINT_STREAMS; i++) {
        text_clear(&device->printed[i]);
        print_buffer_join(&outcome.printed[i], launch.print_limit, &device->printed[i]);
    }
    result.printed = device->printed[PRINT_OUT].bytes;
    result.printed_bytes = device->printed[PRINT_OUT].length;
    result.complaints = device->printed[PRINT_ERROR].bytes;
    result.complaint_bytes = device->printed[PRINT_ERROR].length;
    if (has_steps) {
        step_watch_end(&device->steps, &launch);
    }
    const bool keeps_memory = outcome.keeps_memory;
    grid_outcome_release(&outcome);
    arena_free(texts.arena);
    if (is_followed) {
        value_origins_finish(device->origins);
    }
    *out_result = result;
    return keeps_memory;
}

static void emulated_launch(void *state, const struct device_launch *request,
                            struct device_launch_result *out_result)
{
    struct emulated_device *device = state;
    const struct loaded_function *function =
        &device->modules[request->module].functions[request->function];
    const uint64_t parameter_bytes = function->info.parameter_bytes;
    /* Who follows values, or steps, wants to see them. */
    const bool is_plain =
        device->origins == NULL && !function->has_steps && !device->config.is_unwatched;
    const struct device_launch_result *known =
        is_plain ? launch_memo_find(&device->memo, request, parameter_bytes) : NULL;

    if (known != NULL) {
        *out_result = *known;
    } else if (!run_launch(device, request, out_result)) {
        launch_memo_change(&device->memo);
    } else if (is_plain) {
        launch_memo_keep(&device->memo, request, parameter_bytes, out_result);
    }
}

/* One of the two runs of a trace; only its status is kept. What it used is taken off the budget. */
static enum launch_status run_traced(struct emulated_device *device,
                                     const struct device_launch *request, uint64_t *limit_ns,
                                     struct access_trace *trace,
                                     void (*prepare)(struct access_trace *, struct launch *))
{
    uint64_t start_ns = thread_time_ns();
    struct launch_texts texts = {.lock = PTHREAD_MUTEX_INITIALIZER, .arena = arena_new()};
    struct launch launch;
    struct grid_outcome outcome;
    launch_init(device, request, &texts, &launch);
    launch.limit_ns = *limit_ns;
    prepare(trace, &launch);
    grid_run(&launch, 1, resident_blocks(device, &launch), &outcome);
    enum launch_status status = outcome.status;
    grid_outcome_release(&outcome);
    arena_free(texts.arena);
    uint64_t used_ns = thread_time_ns() - start_ns;
    *limit_ns = *limit_ns > used_ns ? *limit_ns - used_ns : 0;
    return status;
}

static enum error emulated_trace(void *state, const struct device_launch *request, uint64_t address,
                                 uint64_t bytes, struct device_trace *out_trace,
                                 struct diagnostic *diagnostic)
{
    struct emulated_device *device = state;
    const struct loaded_module *module = &device->modules[request->module];
    uint64_t limit_ns = device->config.launch_deadline_ns;
    struct access_trace trace;
    if (!device->memory.has_snapshot) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a trace needs a snapshot; take one first");
        return ERROR_INTERNAL;
    }
    launch_memo_change(&device->memo);
    access_trace_init(&trace, module->functions[request->function].code, address, bytes);
    enum launch_status status = run_traced(device, request, &limit_ns, &trace, access_trace_find);
    if (trace.is_found || status == LAUNCH_DONE) {
        emulated_restore(device);
        status = run_traced(device, request, &limit_ns, &trace, access_trace_log);
    }
    text_append_bytes(&trace.records, trace.tap.places.bytes, trace.tap.places.length);
    text_release(&device->traced);
    device->traced = trace.records;
    text_init(&trace.records);
    *out_trace = (struct device_trace){
        .status = status,
        .block = trace.block,
        .wrote = trace.is_found,
        .has_all = trace.has_all,
        .records = device->traced.bytes,
        .record_count = trace.record_count,
        .place_count = trace.tap.place_count,
    };
    access_trace_release(&trace);
    return ERROR_NONE;
}

static void emulated_follow(void *state, bool is_on)
{
    struct emulated_device *device = state;
    value_origins_free(device->origins);
    device->origins = is_on ? value_origins_new() : NULL;
}

static void emulated_origin(void *state, uint64_t address, uint64_t bytes,
                            struct device_origin *out_origin)
{
    const struct emulated_device *device = state;
    if (device->origins != NULL) {
        value_origins_find(device->origins, address, bytes, out_origin);
    }
}

static size_t emulated_terms(void *state, uint64_t address, uint64_t bytes,
                             struct device_term *out_terms, size_t room)
{
    const struct emulated_device *device = state;
    return device->origins == NULL
               ? SIZE_MAX
               : value_origins_terms(device->origins, address, bytes, out_terms, room);
}

static enum term_fate emulated_fate(void *state, uint64_t address, struct device_place *out_place)
{
    const struct emulated_device *device = state;
    return device->origins == NULL ? TERM_LOADED
                                   : value_origins_fate(device->origins, address, out_place);
}

const struct device_backend device_emulated = {
    .name = "emulated",
    .open = emulated_open_best,
    .close = emulated_close,
    .load_module = emulated_load_module,
    .function_count = emulated_function_count,
    .function_info = emulated_function_info,
    .variable = emulated_variable,
    .initialise = emulated_initialise,
    .allocate = emulated_allocate,
    .allocate_again = emulated_allocate_again,
    .release = emulated_release,
    .find = emulated_find,
    .read = emulated_read,
    .write = emulated_write,
    .fill = emulated_fill,
    .copy = emulated_copy,
    .forget = emulated_forget,
    .unwritten = emulated_unwritten,
    .snapshot = emulated_snapshot,
    .restore = emulated_restore,
    .discard = emulated_discard,
    .launch = emulated_launch,
    .trace = emulated_trace,
    .follow = emulated_follow,
    .origin = emulated_origin,
    .terms = emulated_terms,
    .fate = emulated_fate,
    .watch_steps = emulated_watch_steps,
    .steps = emulated_steps,
};
