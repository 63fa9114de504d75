/* finding_map.c: finding records to findings; see finding_map.h. */
#include "session/finding_map.h"

#include "toolchain/toolchain.h"

#include <inttypes.h>
#include <string.h>

/* One row per kind of record, in the order of enum finding_record_kind. */
static const struct {
    enum finding_record_kind kind;
    enum code code;
    const char *where; /* "outside of ..." for accesses; NULL: the message is made elsewhere */
} kinds[] = {
    {FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, CODE_GLOBAL_OUT_OF_BOUNDS, "an allocation"},
    {FINDING_RECORD_USE_AFTER_FREE, CODE_USE_AFTER_FREE, "memory that was freed"},
    {FINDING_RECORD_NULL_POINTER, CODE_NULL_POINTER, "a null pointer"},
    {FINDING_RECORD_HOST_POINTER, CODE_HOST_POINTER,
     "a pointer that does not point to device memory"},
    {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, CODE_SHARED_OUT_OF_BOUNDS, "the block's shared memory"},
    {FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, CODE_LOCAL_OUT_OF_BOUNDS, "the thread's local memory"},
    {FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS, CODE_CONSTANT_OUT_OF_BOUNDS, "constant memory"},
    {FINDING_RECORD_PARAM_OUT_OF_BOUNDS, CODE_PARAM_OUT_OF_BOUNDS, "the kernel's parameters"},
    {FINDING_RECORD_WRITE_TO_CONSTANT, CODE_WRITE_TO_CONSTANT, "constant memory"},
    {FINDING_RECORD_MISALIGNED, CODE_MISALIGNED_ACCESS, NULL},
    {FINDING_RECORD_BARRIER_DEADLOCK, CODE_BARRIER_DEADLOCK, NULL},
    {FINDING_RECORD_BARRIER_DIVERGENT, CODE_BARRIER_DIVERGENT, NULL},
    {FINDING_RECORD_UNKNOWN_INSTRUCTION, CODE_UNKNOWN_INSTRUCTION, NULL},
    {FINDING_RECORD_TRAP, CODE_DEVICE_TRAP, NULL},
    {FINDING_RECORD_SHARED_RACE, CODE_SHARED_RACE, NULL},
    {FINDING_RECORD_WARP_RACE, CODE_WARP_RACE, NULL},
    {FINDING_RECORD_GLOBAL_RACE, CODE_GLOBAL_RACE, NULL},
    {FINDING_RECORD_SHARED_UNINITIALISED, CODE_UNINITIALISED_SHARED, NULL},
    {FINDING_RECORD_COPY_UNDER_WAY, CODE_UNINITIALISED_SHARED, NULL},
    {FINDING_RECORD_GLOBAL_UNINITIALISED, CODE_UNINITIALISED_GLOBAL, NULL},
    {FINDING_RECORD_BARRIER_MISMATCH, CODE_BARRIER_MISMATCH, NULL},
    {FINDING_RECORD_BARRIER_INCOMPLETE, CODE_BARRIER_INCOMPLETE, NULL},
    {FINDING_RECORD_ASSERT, CODE_DEVICE_ASSERT, NULL},
    {FINDING_RECORD_STACK_OVERFLOW, CODE_STACK_OVERFLOW, NULL},
    {FINDING_RECORD_BAD_CALL, CODE_BAD_CALL, NULL},
    {FINDING_RECORD_BAD_FREE, CODE_BAD_FREE, NULL},
    {FINDING_RECORD_BAD_TEXTURE, CODE_BAD_TEXTURE, NULL},
    {FINDING_RECORD_UNKNOWN_FUNCTION, CODE_UNKNOWN_FUNCTION, NULL},
    {FINDING_RECORD_MASK_LANES_MISSING, CODE_WARP_MASK, NULL},
    {FINDING_RECORD_MASK_WITHOUT_SELF, CODE_WARP_MASK, NULL},
    {FINDING_RECORD_SHUFFLE_UNDEFINED, CODE_WARP_MASK, NULL},
    {FINDING_RECORD_LAUNCH_REFUSED, CODE_LAUNCH_REFUSED, NULL},
    {FINDING_RECORD_STOPPED, CODE_LAUNCH_DEADLINE, NULL},
    {FINDING_RECORD_ENDLESS, CODE_LAUNCH_DEADLINE, NULL},
    {FINDING_RECORD_WAITS_FOREVER, CODE_LAUNCH_DEADLINE, NULL},
};

const char *finding_verb(uint32_t access)
{
    switch (access) {
    case FINDING_RECORD_WRITE:
    case FINDING_RECORD_COPY:
        return "writes";
    case FINDING_RECORD_ATOMIC:
        return "updates";
    default:
        return "reads";
    }
}

static const char *access_role(uint32_t access)
{
    switch (access) {
    case FINDING_RECORD_READ:
        return "read";
    case FINDING_RECORD_WRITE:
    case FINDING_RECORD_COPY:
        return "write";
    case FINDING_RECORD_ATOMIC:
        return "atomic";
    case FINDING_RECORD_WAIT:
        return "barrier";
    default:
        return "here";
    }
}

/* How many bytes of an access at the end of an object are inside. Accesses are aligned, and so is
 * what they miss. */
static uint64_t bytes_inside(const struct finding_record *record)
{
    return record->distance_bytes == 0 && record->access_bytes > 0
               ? record->object_bytes % record->access_bytes
               : 0;
}

/* "4 bytes": what an access moves. */
static const char *bytes_text(struct arena *arena, const struct finding_record *record)
{
    return arena_printf(arena, "%" PRIu32 " byte%s", record->access_bytes,
                        record->access_bytes == 1 ? "" : "s");
}

/* "64 bytes past the end of an allocation of 4096 bytes". The distance is from the object's start
 * or end to the first byte of the access: 0 past the end is the very next byte. */
static const char *out_of_bounds_message(struct arena *arena, const struct finding_record *record,
                                         const char *where)
{
    const char *verb = finding_verb(record->places[0].access);
    const char *object =
        record->text[0] == '\0' ? where
        : strchr(record->text, ' ') != NULL /* no name, but words: of a surface */
            ? record->text
            : arena_printf(arena, "`%s`", toolchain_variable_name(arena, record->text));

    const char *moved = arena_printf(arena, "%s %s", verb, bytes_text(arena, record));
    const char *all = arena_printf(arena, "%s of %" PRIu64 " byte%s", object, record->object_bytes,
                                   record->object_bytes == 1 ? "" : "s");
    const uint64_t distance = record->distance_bytes < 0
                                  ? (uint64_t)0 - (uint64_t)record->distance_bytes
                                  : (uint64_t)record->distance_bytes;

    if (record->object_bytes == 0) {
        return arena_printf(arena, "%s at 0x%" PRIx64 ", outside of %s", moved, record->address,
                            object);
    }
    if (record->distance_bytes == 0) {
        return arena_printf(arena, "%s %s the end of %s", moved,
                            bytes_inside(record) > 0 ? "across" : "right past", all);
    }
    return arena_printf(arena, "%s, %" PRIu64 " byte%s %s of %s", moved, distance,
                        distance == 1 ? "" : "s",
                        record->distance_bytes < 0 ? "before the start" : "past the end", all);
}

/* "shared array `Bs`" */
static const char *object_text(struct arena *arena, const char *object, bool is_shared)
{
    if (object == NULL) {
        return is_shared ? "shared memory" : "device memory";
    }
    return arena_printf(arena, "%s `%s`", is_shared ? "shared array" : "the array", object);
}

const char *finding_race_message(struct arena *arena, enum code code, const char *what,
                                 const char *first, const char *second)
{
    static const struct {
        const char *role, *still, *is, *is_over_read;
    } words[] = {
        {"read", "read", "read", "read"},
        {"write", "write", "written", "overwritten"},
        {"atomic", "update", "updated", "updated"},
    };
    size_t still = 0;
    size_t is = 0;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        still = strcmp(words[i].role, first) == 0 ? i : still;
        is = strcmp(words[i].role, second) == 0 ? i : is;
    }
    return arena_printf(arena, "%s is %s while %s still %s it%s", what,
                        strcmp(first, "read") == 0 ? words[is].is_over_read : words[is].is,
                        code == CODE_WARP_RACE ? "other threads of the warp" : "other threads",
                        words[still].still,
                        code == CODE_GLOBAL_RACE ? ", and nothing orders them" : "");
}

static const char *race_message(struct arena *arena, enum code code, const char *object,
                                const char *first, const char *second)
{
    return finding_race_message(arena, code, object_text(arena, object, code != CODE_GLOBAL_RACE),
                                first, second);
}

/* Shared memory is known by its variable; other texts of records are no names of arrays. */
static const char *object_of(struct arena *arena, const struct finding_record *record)
{
    switch (record->kind) {
    case FINDING_RECORD_SHARED_RACE:
    case FINDING_RECORD_WARP_RACE:
    case FINDING_RECORD_GLOBAL_RACE:
    case FINDING_RECORD_SHARED_UNINITIALISED:
    case FINDING_RECORD_COPY_UNDER_WAY:
    case FINDING_RECORD_SHARED_OUT_OF_BOUNDS:
    case FINDING_RECORD_BARRIER_DEADLOCK:
    case FINDING_RECORD_WAITS_FOREVER:
        return record->text[0] == '\0' ? NULL : toolchain_variable_name(arena, record->text);
    default:
        return NULL;
    }
}

/* True for shared memory that a function declares with its size: the name of such a variable has
 * the function's in it, which that of an `extern` one never has. */
static bool is_static_object(const struct finding_record *record)
{
    return strncmp(record->text, "_ZZ", strlen("_ZZ")) == 0;
}

/* "lane 3", "lanes 16 to 31" or "lane 3 and 4 others": lanes of a mask. */
static const char *lanes_text(struct arena *arena, uint64_t lanes)
{
    int first = lanes == 0 ? 0 : __builtin_ctzll(lanes);
    int last = lanes == 0 ? 0 : 63 - __builtin_clzll(lanes);
    int count = __builtin_popcountll(lanes);

    if (count <= 1) {
        return arena_printf(arena, "lane %d", first);
    }
    if (last - first + 1 == count) {
        return arena_printf(arena, "lanes %d to %d", first, last);
    }
    return arena_printf(arena, "lane %d and %d other%s", first, count - 1, count == 2 ? "" : "s");
}

/* What is wrong with the mask of a warp's exchange. */
static const char *mask_message(struct arena *arena, const struct finding_record *record)
{
    const char *lanes = lanes_text(arena, record->object_bytes);

    switch (record->kind) {
    case FINDING_RECORD_MASK_LANES_MISSING:
        if (record->address == 0) {
            return arena_printf(arena,
                                "all 32 lanes of a warp execute this together, but %s of this warp "
                                "never %s here",
                                lanes,
                                __builtin_popcountll(record->object_bytes) == 1 ? "gets" : "get");
        }
        return arena_printf(arena,
                            "the mask 0x%08" PRIx64 " names %s of the warp, which never %s here",
                            record->address, lanes,
                            __builtin_popcountll(record->object_bytes) == 1 ? "gets" : "get");
    case FINDING_RECORD_MASK_WITHOUT_SELF:
        return arena_printf(
            arena, "%s executes this with the mask 0x%08" PRIx64 ", which does not include it",
            lanes, record->address);
    default:
        return arena_printf(
            arena, "reads the value of %s of the warp, which %s: the value is undefined", lanes,
            (record->address & record->object_bytes) != 0 ? "has exited"
                                                          : "the mask does not include");
    }
}

/* A warning is defined and suspicious, an error is what CUDA leaves undefined. Threads that exited
 * are not waited for at a barrier (CUDA C++ Programming Guide, __syncthreads()), so leaving before
 * one is a warning. A barrier in code that only part of a block or of a warp reaches, or different
 * ones in one phase, are errors: bar.sync is undefined there (PTX ISA, bar), even where a device
 * lets them pass. The same holds for masks of warps that lanes do not keep to; but an undefined
 * value is a warning, because it may never be used. Races within a warp are a severity of their
 * own, a warning that criteria may count: older devices ran a warp in step. */
static enum severity severity_of(uint32_t kind)
{
    return kind == FINDING_RECORD_WARP_RACE || kind == FINDING_RECORD_BARRIER_INCOMPLETE ||
                   kind == FINDING_RECORD_SHUFFLE_UNDEFINED
               ? SEVERITY_WARNING
               : SEVERITY_ERROR;
}

/* What a real GPU says of a kernel: that it failed, not where. NULL if the record tells more. */
static const char *gpu_message(struct arena *arena, const struct finding_record *record)
{
    static const char *const elsewhere = "a real GPU does not report where; --device emulated does";

    switch (record->kind) {
    case FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS:
        return record->access_bytes > 0
                   ? NULL
                   : arena_printf(arena, "uses an address outside of all memory; %s", elsewhere);
    case FINDING_RECORD_MISALIGNED:
        return record->access_bytes > 0
                   ? NULL
                   : arena_printf(arena,
                                  "uses an address that is not a multiple of the access's size; "
                                  "%s",
                                  elsewhere);
    case FINDING_RECORD_ASSERT:
        return record->text[0] != '\0' ? NULL
                                       : arena_printf(arena, "an assertion failed; %s", elsewhere);
    case FINDING_RECORD_STACK_OVERFLOW:
        return record->object_bytes > 0
                   ? NULL
                   : arena_printf(arena, "the stack of a thread overflows; %s", elsewhere);
    case FINDING_RECORD_BAD_CALL:
        return record->address != 0 ? NULL
                                    : "calls a function through a pointer that points to none";
    case FINDING_RECORD_TRAP:
        return strncmp(record->text, "CUDA_ERROR_", strlen("CUDA_ERROR_")) != 0
                   ? NULL
                   : arena_printf(arena, "was stopped by a trap or by the GPU (%s); %s",
                                  record->text, elsewhere);
    case FINDING_RECORD_LAUNCH_REFUSED:
        return arena_printf(arena, "was not launched: the GPU's driver reports %s", record->text);
    default:
        return NULL;
    }
}

/* An mbarrier counts arrivals; of other barriers the places alone are known. */
static const char *deadlock_message(struct arena *arena, const struct finding_record *record,
                                    const char *object)
{
    if (record->object_bytes == 0) {
        return "threads of a block wait at a barrier that the others never reach";
    }
    return arena_printf(arena,
                        "threads wait forever at the barrier%s%s%s: %" PRIu64 " of the %" PRIu64
                        " arrivals that it waits for never come",
                        object != NULL ? " `" : "", object != NULL ? object : "",
                        object != NULL ? "`" : "", record->address, record->object_bytes);
}

static const char *wait_message(struct arena *arena, const char *object)
{
    return arena_printf(arena,
                        "this loop never ends: it waits for %s%s%s to change, and no thread is "
                        "left that would change it",
                        object != NULL ? "`" : "", object != NULL ? object : "device memory",
                        object != NULL ? "`" : "");
}

/* Memory that holds no value yet. */
static const char *unwritten_message(struct arena *arena, const struct finding_record *record,
                                     const char *object)
{
    switch (record->kind) {
    case FINDING_RECORD_SHARED_UNINITIALISED:
        return arena_printf(arena, "%s is read where no thread has written it",
                            object_text(arena, object, true));
    case FINDING_RECORD_COPY_UNDER_WAY:
        return arena_printf(arena,
                            "%s is read before the asynchronous copy to it has been waited for",
                            object_text(arena, object, true));
    default:
        return arena_printf(arena,
                            "%s %s of device memory that nothing has written, at "
                            "byte %" PRIu64 " of an allocation of %" PRIu64,
                            finding_verb(record->places[0].access), bytes_text(arena, record),
                            (uint64_t)record->distance_bytes, record->object_bytes);
    }
}

static const char *misaligned_message(struct arena *arena, const struct finding_record *record,
                                      const char *verb)
{
    if (record->text[0] != '\0') { /* the words "a surface" */
        return arena_printf(arena,
                            "%s %" PRIu32 " bytes of %s at an x that is not a multiple of %" PRIu32
                            ": x counts bytes, not elements",
                            verb, record->access_bytes, record->text, record->access_bytes);
    }
    return arena_printf(
        arena, "%s %" PRIu32 " bytes at 0x%" PRIx64 ", which is not a multiple of %" PRIu32, verb,
        record->access_bytes, record->address, record->access_bytes);
}

static const char *finding_message(struct arena *arena, const struct finding_record *record,
                                   enum code code, const char *where)
{
    const char *verb = finding_verb(record->places[0].access);
    size_t second = record->place_count > 1 ? 1 : 0;
    const char *object = object_of(arena, record);

    switch (record->kind) {
    case FINDING_RECORD_SHARED_RACE:
    case FINDING_RECORD_WARP_RACE:
    case FINDING_RECORD_GLOBAL_RACE:
        return race_message(arena, code, object, access_role(record->places[0].access),
                            access_role(record->places[second].access));
    case FINDING_RECORD_SHARED_UNINITIALISED:
    case FINDING_RECORD_COPY_UNDER_WAY:
    case FINDING_RECORD_GLOBAL_UNINITIALISED:
        return unwritten_message(arena, record, object);
    case FINDING_RECORD_BARRIER_MISMATCH:
        return "threads of a block wait at different barriers";
    case FINDING_RECORD_BARRIER_INCOMPLETE:
        return "threads of a block exit without reaching a barrier at which the others wait";
    case FINDING_RECORD_MASK_LANES_MISSING:
    case FINDING_RECORD_MASK_WITHOUT_SELF:
    case FINDING_RECORD_SHUFFLE_UNDEFINED:
        return mask_message(arena, record);
    case FINDING_RECORD_ASSERT:
        return arena_printf(arena, "the assertion `%s` failed", record->text);
    case FINDING_RECORD_STACK_OVERFLOW:
        return arena_printf(arena,
                            "recurses deeper than a thread's stack of %" PRIu64 " bytes allows; "
                            "end the recursion, or raise cudaLimitStackSize",
                            record->object_bytes);
    case FINDING_RECORD_BAD_CALL:
        return arena_printf(arena,
                            "calls a function through the pointer 0x%" PRIx64
                            ", which does not point to a function with these arguments",
                            record->address);
    case FINDING_RECORD_BAD_FREE:
        return "frees memory that malloc did not return, or that is already free";
    case FINDING_RECORD_BAD_TEXTURE:
        return arena_printf(arena, "%s through %s", verb,
                            record->address == 0
                                ? "a texture or surface object that is 0: it was not made"
                                : "what is no valid texture or surface object: it was "
                                  "overwritten, made before this call, or is something else");
    case FINDING_RECORD_UNKNOWN_FUNCTION:
        return arena_printf(arena, "the emulated device does not know the device function `%s`",
                            record->text);
    case FINDING_RECORD_HOST_POINTER: /* its address differs from run to run */
        return arena_printf(arena, "%s %s through %s", verb, bytes_text(arena, record), where);
    case FINDING_RECORD_USE_AFTER_FREE:
    case FINDING_RECORD_NULL_POINTER:
    case FINDING_RECORD_WRITE_TO_CONSTANT:
        return arena_printf(arena, "%s %s through %s (address 0x%" PRIx64 ")", verb,
                            bytes_text(arena, record), where, record->address);
    case FINDING_RECORD_MISALIGNED:
        return misaligned_message(arena, record, verb);
    case FINDING_RECORD_BARRIER_DEADLOCK:
        return deadlock_message(arena, record, object);
    case FINDING_RECORD_BARRIER_DIVERGENT:
        return "part of a warp waits at a barrier while the rest takes another path";
    case FINDING_RECORD_UNKNOWN_INSTRUCTION:
        return arena_printf(arena, "the emulated device does not know the instruction `%s`",
                            record->text);
    case FINDING_RECORD_TRAP:
        return "the kernel stopped itself with a trap";
    case FINDING_RECORD_STOPPED:
        return "it did more work than allowed, and was here when it was stopped";
    case FINDING_RECORD_ENDLESS:
        return "this loop never ends: nothing that its exit condition depends on ever changes";
    case FINDING_RECORD_WAITS_FOREVER:
        return wait_message(arena, object);
    default:
        return out_of_bounds_message(arena, record, where);
    }
}

/* What is said of findings that no record tells of. */
const char *finding_rest_message(struct arena *arena, enum code code)
{
    return arena_printf(arena, "there is more of this than the device can check or list: %s",
                        code_title(code));
}

static const char *module_file(const struct code_module *module, uint32_t file)
{
    return file < module->file_count ? module->files[file] : "";
}

/* A line or a column; 0, unknown, if no file has so many. */
static int place_number(uint32_t number)
{
    return number > INT32_MAX ? 0 : (int)number;
}

void place_from_record(const struct code_module *module, const struct finding_record_place *record,
                       struct place *out_place)
{
    const char *file = module_file(module, record->file);
    const char *outer = module_file(module, record->inlined_file);

    out_place->role = access_role(record->access);
    out_place->is_copy = record->access == FINDING_RECORD_COPY;
    out_place->file = file;
    out_place->line = file[0] == '\0' ? 0 : place_number(record->line);
    out_place->column = file[0] == '\0' ? 0 : place_number(record->column);
    if (file[0] == '\0' && outer[0] != '\0') {
        out_place->file = outer;
        out_place->line = place_number(record->inlined_line);
        out_place->column = place_number(record->inlined_column);
    }
    out_place->has_thread = true;
    memcpy(out_place->block, record->block, sizeof out_place->block);
    memcpy(out_place->thread, record->thread, sizeof out_place->thread);
}

_Static_assert((int)FINDING_ARGUMENTS_MAX == (int)FINDING_RECORD_ARGUMENTS,
               "all arguments of a record are kept");

static const struct finding_values *values_of(struct arena *arena,
                                              const struct finding_record *record)
{
    const struct finding_record_launch *launch = &record->launch;

    if (launch->block[0] == 0) {
        return NULL;
    }
    struct finding_values *values = arena_array(arena, 1, sizeof *values);
    memcpy(values->grid, launch->grid, sizeof values->grid);
    memcpy(values->block, launch->block, sizeof values->block);
    memcpy(values->arguments, launch->arguments, sizeof values->arguments);
    values->known = launch->known;
    values->address = record->address;
    if (record->kind == FINDING_RECORD_SHARED_OUT_OF_BOUNDS && record->object_bytes > 0 &&
        record->distance_bytes >= 0) {
        values->access_bytes = record->access_bytes;
        values->variable_bytes = record->object_bytes;
        values->offset =
            record->object_bytes + (uint64_t)record->distance_bytes - bytes_inside(record);
    }
    if (record->kind == FINDING_RECORD_GLOBAL_UNINITIALISED) {
        values->access_bytes = record->access_bytes;
    }
    if (record->kind == FINDING_RECORD_SHARED_UNINITIALISED && record->text[0] != '\0' &&
        record->distance_bytes >= 0 && (uint64_t)record->distance_bytes < record->object_bytes) {
        values->access_bytes = record->access_bytes;
        values->variable_bytes = record->object_bytes;
        values->offset = (uint64_t)record->distance_bytes;
    }
    return values;
}

bool finding_from_record(struct arena *arena, const struct code_index *code, const char *launch_id,
                         const struct finding_record *record, struct finding *out_finding)
{
    size_t row = 0;

    if (record->module >= code->module_count || record->place_count > FINDING_RECORD_PLACES) {
        return false;
    }
    const struct code_module *module = &code->modules[record->module];
    if (record->function >= module->kernel_count) {
        return false;
    }
    while (row < sizeof kinds / sizeof kinds[0] && kinds[row].kind != record->kind) {
        row++;
    }
    if (row == sizeof kinds / sizeof kinds[0]) {
        return false;
    }
    memset(out_finding, 0, sizeof *out_finding);
    out_finding->code = kinds[row].code;
    out_finding->severity = severity_of(record->kind);
    out_finding->is_rest = record->place_count == 0;
    out_finding->is_limit = record->kind == FINDING_RECORD_STOPPED;
    out_finding->message = out_finding->is_rest ? finding_rest_message(arena, kinds[row].code)
                                                : gpu_message(arena, record);
    if (out_finding->message == NULL) {
        out_finding->message = finding_message(arena, record, kinds[row].code, kinds[row].where);
    }
    out_finding->kernel = module->kernels[record->function].plain_name;
    out_finding->object = out_finding->is_rest ? NULL : object_of(arena, record);
    out_finding->object_is_static = out_finding->object != NULL && is_static_object(record);
    if (record->kind == FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS && record->object_bytes > 0 &&
        record->distance_bytes >= 0) {
        out_finding->access_bytes = record->access_bytes;
        out_finding->object_bytes = record->object_bytes;
        out_finding->needed_bytes = record->object_bytes + (uint64_t)record->distance_bytes -
                                    bytes_inside(record) + record->access_bytes;
    }
    if (out_finding->code == CODE_SHARED_OUT_OF_BOUNDS && record->distance_bytes >= 0) {
        out_finding->object_bytes = record->object_bytes;
    }
    out_finding->launch = launch_id;
    out_finding->count = record->count;
    out_finding->values = values_of(arena, record);
    out_finding->place_count = record->place_count;
    out_finding->main_place =
        code_cause(out_finding->code) == CAUSE_RACE && record->place_count > 1 ? 1 : 0;
    for (size_t i = 0; i < record->place_count; i++) {
        place_from_record(module, &record->places[i], &out_finding->places[i]);
    }
    if (code_cause(out_finding->code) == CAUSE_RACE && finding_has_copy(out_finding)) {
        out_finding->main_place = out_finding->places[0].is_copy ? 1 : 0;
        out_finding->message =
            arena_printf(arena,
                         "%s is read while asynchronous copies of other threads still "
                         "write it",
                         object_text(arena, out_finding->object, true));
    }
    return true;
}

/* True if a barrier stands between two lines of a file. */
static bool barrier_between(const struct launch_counts *counts, const char *file, int from, int to)
{
    for (size_t i = 0; i < counts->barrier_count; i++) {
        const struct barrier_count *barrier = &counts->barriers[i];
        if (barrier->line > from && barrier->line < to && strcmp(barrier->file, file) == 0) {
            return true;
        }
    }
    return false;
}

void finding_report_order(struct arena *arena, const struct launch_counts *counts,
                          struct finding *finding)
{
    const struct place *places = finding->places;

    if (code_cause(finding->code) != CAUSE_RACE || finding->code == CODE_GLOBAL_RACE ||
        finding->place_count != 2 || finding_has_copy(finding) || places[0].line == 0 ||
        places[0].line == places[1].line || strcmp(places[0].file, places[1].file) != 0) {
        return;
    }
    size_t upper = places[0].line < places[1].line ? 0 : 1;
    size_t lower = 1 - upper;
    bool wraps = barrier_between(counts, places[0].file, places[upper].line, places[lower].line);
    size_t second = wraps ? upper : lower;
    finding->main_place = second;
    finding->message = race_message(arena, finding->code, finding->object, places[1 - second].role,
                                    places[second].role);
}
