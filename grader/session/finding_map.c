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
    {FINDING_RECORD_HOST_POINTER, CODE_HOST_POINTER, "a pointer that is no device memory"},
    {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, CODE_SHARED_OUT_OF_BOUNDS, "the block's shared memory"},
    {FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, CODE_LOCAL_OUT_OF_BOUNDS, "the thread's local memory"},
    {FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS, CODE_CONSTANT_OUT_OF_BOUNDS, "constant memory"},
    {FINDING_RECORD_PARAM_OUT_OF_BOUNDS, CODE_PARAM_OUT_OF_BOUNDS, "the kernel's parameters"},
    {FINDING_RECORD_WRITE_TO_CONSTANT, CODE_WRITE_TO_CONSTANT, "constant memory"},
    {FINDING_RECORD_MISALIGNED, CODE_MISALIGNED_ACCESS, NULL},
    {FINDING_RECORD_BARRIER_DEADLOCK, CODE_BARRIER_DEADLOCK, NULL},
    {FINDING_RECORD_BARRIER_DIVERGENT, CODE_BARRIER_DIVERGENT, NULL},
    {FINDING_RECORD_UNKNOWN_INSTRUCTION, CODE_UNKNOWN_INSTRUCTION, NULL},
    {FINDING_RECORD_TRAP, CODE_API_ERROR, NULL},
};

static const char *access_verb(uint32_t access)
{
    switch (access) {
    case FINDING_RECORD_WRITE:
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
        return "write";
    case FINDING_RECORD_ATOMIC:
        return "atomic";
    case FINDING_RECORD_WAIT:
        return "barrier";
    default:
        return "here";
    }
}

/* "64 bytes past the end of an allocation of 4096 bytes". The distance is from the object's edge to
 * the first byte of the access: 0 past the end is the very next byte. */
static const char *out_of_bounds_message(struct arena *arena, const struct finding_record *record,
                                         const char *where)
{
    const char *verb = access_verb(record->places[0].access);
    const char *object =
        record->text[0] == '\0'
            ? where
            : arena_printf(arena, "`%s`", toolchain_plain_name(arena, record->text));

    if (record->object_bytes == 0) {
        return arena_printf(arena, "%s %" PRIu32 " bytes at 0x%" PRIx64 ", outside of %s", verb,
                            record->access_bytes, record->address, object);
    }
    if (record->distance_bytes < 0) {
        return arena_printf(arena,
                            "%s %" PRIu32 " bytes, %" PRIu64 " bytes before the start of %s "
                            "of %" PRIu64 " bytes",
                            verb, record->access_bytes,
                            (uint64_t)0 - (uint64_t)record->distance_bytes, object,
                            record->object_bytes);
    }
    return arena_printf(
        arena, "%s %" PRIu32 " bytes, %" PRIu64 " bytes past the end of %s of %" PRIu64 " bytes",
        verb, record->access_bytes, (uint64_t)record->distance_bytes, object, record->object_bytes);
}

static const char *finding_message(struct arena *arena, const struct finding_record *record,
                                   const char *where)
{
    const char *verb = access_verb(record->places[0].access);

    switch (record->kind) {
    case FINDING_RECORD_HOST_POINTER: /* its address differs from run to run */
        return arena_printf(arena, "%s %" PRIu32 " bytes through %s", verb, record->access_bytes,
                            where);
    case FINDING_RECORD_USE_AFTER_FREE:
    case FINDING_RECORD_NULL_POINTER:
    case FINDING_RECORD_WRITE_TO_CONSTANT:
        return arena_printf(arena, "%s %" PRIu32 " bytes through %s (address 0x%" PRIx64 ")", verb,
                            record->access_bytes, where, record->address);
    case FINDING_RECORD_MISALIGNED:
        return arena_printf(
            arena, "%s %" PRIu32 " bytes at 0x%" PRIx64 ", which is no multiple of %" PRIu32, verb,
            record->access_bytes, record->address, record->access_bytes);
    case FINDING_RECORD_BARRIER_DEADLOCK:
        return "threads of a block wait at a barrier that the others never reach";
    case FINDING_RECORD_BARRIER_DIVERGENT:
        return "part of a warp waits at a barrier while the rest of it goes another way";
    case FINDING_RECORD_UNKNOWN_INSTRUCTION:
        return arena_printf(arena, "the emulated device does not know the instruction `%s`",
                            record->text);
    case FINDING_RECORD_TRAP:
        return "the kernel stopped itself (trap or a failed assertion)";
    default:
        return out_of_bounds_message(arena, record, where);
    }
}

static const char *module_file(const struct code_module *module, uint32_t file)
{
    return file < module->file_count ? module->files[file] : "";
}

static void place_from_record(const struct code_module *module,
                              const struct finding_record_place *record, struct place *out_place)
{
    const char *file = module_file(module, record->file);
    const char *outer = module_file(module, record->inlined_file);

    out_place->role = access_role(record->access);
    out_place->file = file;
    out_place->line = file[0] == '\0' ? 0 : (int)record->line;
    out_place->column = file[0] == '\0' ? 0 : (int)record->column;
    if (file[0] == '\0' && outer[0] != '\0') {
        out_place->file = outer;
        out_place->line = (int)record->inlined_line;
        out_place->column = (int)record->inlined_column;
    }
    out_place->has_thread = true;
    memcpy(out_place->block, record->block, sizeof out_place->block);
    memcpy(out_place->thread, record->thread, sizeof out_place->thread);
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
    out_finding->severity = SEVERITY_ERROR;
    if (record->kind == FINDING_RECORD_BARRIER_DIVERGENT) {
        out_finding->severity = SEVERITY_WARNING;
    }
    out_finding->message = finding_message(arena, record, kinds[row].where);
    out_finding->kernel = module->kernels[record->function].plain_name;
    out_finding->launch = launch_id;
    out_finding->count = record->count;
    out_finding->place_count = record->place_count;
    for (size_t i = 0; i < record->place_count; i++) {
        place_from_record(module, &record->places[i], &out_finding->places[i]);
    }
    return true;
}
