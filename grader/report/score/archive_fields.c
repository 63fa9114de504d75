/* archive_fields.c: see archive_fields.h. */
#include "report/score/archive_fields.h"

#include "model/report.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *code_word(unsigned value)
{
    return code_name((enum code)value);
}

static const char *status_word(unsigned value)
{
    return status_name((enum status)value);
}

static const char *severity_word(unsigned value)
{
    return value == SEVERITY_ERROR ? "error" : "warning";
}

static const char *hints_word(unsigned value)
{
    static const char *const words[] = {
        [HINTS_EXPLAIN] = "explain",
        [HINTS_LOCATE] = "locate",
        [HINTS_NONE] = "none",
        [HINTS_FIX] = "fix",
    };

    return words[value];
}

static const char *evidence_word(unsigned value)
{
    static const char *const words[] = {[EVIDENCE_TEXT] = "text",
                                        [EVIDENCE_NUMBER] = "number",
                                        [EVIDENCE_INTEGER] = "integer",
                                        [EVIDENCE_BOOLEAN] = "boolean"};

    return words[value];
}

static const char *space_word(unsigned value)
{
    static const char *const words[] = {[COUNT_GLOBAL] = "global",
                                        [COUNT_SHARED] = "shared",
                                        [COUNT_LOCAL] = "local",
                                        [COUNT_CONSTANT] = "constant"};

    return words[value];
}

static const char *access_word(unsigned value)
{
    static const char *const words[] = {
        [COUNT_READ] = "read", [COUNT_WRITE] = "write", [COUNT_ATOMIC] = "atomic"};

    return words[value];
}

/* Rows of the tables. TYPE: the struct; KIND: the rest of an archive_type. */
#define PLAIN(TYPE, KIND, name)                                                                    \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_##KIND, .offset = offsetof(TYPE, name)                       \
    }
#define COUNTED(TYPE, KIND, name, count)                                                           \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_##KIND, .offset = offsetof(TYPE, name),                      \
        .count_offset = offsetof(TYPE, count)                                                      \
    }
#define WORD(TYPE, name, words, values)                                                            \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_WORD, .offset = offsetof(TYPE, name), .maximum = (values),   \
        .word = (words)                                                                            \
    }
#define SHAPED(TYPE, KIND, name, of)                                                               \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_##KIND, .offset = offsetof(TYPE, name), .shape = &(of)       \
    }
#define LIST(TYPE, name, count, of)                                                                \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_LIST, .offset = offsetof(TYPE, name),                        \
        .count_offset = offsetof(TYPE, count), .shape = &(of)                                      \
    }
#define INLINE(TYPE, name, count, of, most)                                                        \
    {                                                                                              \
        .key = #name, .type = ARCHIVE_INLINE, .offset = offsetof(TYPE, name),                      \
        .count_offset = offsetof(TYPE, count), .maximum = (most), .shape = &(of)                   \
    }
#define SHAPE(TYPE, list)                                                                          \
    {                                                                                              \
        sizeof(TYPE), list, COUNT(list)                                                            \
    }

static const struct archive_field device_fields[] = {
    PLAIN(struct report_device, TEXT, kind),
    PLAIN(struct report_device, TEXT, gpu_model),
    PLAIN(struct report_device, TEXT, uuid),
    PLAIN(struct report_device, U32, driver_version),
};
static const struct archive_shape device_shape = SHAPE(struct report_device, device_fields);

static const struct archive_field sandbox_fields[] = {
    PLAIN(struct report_sandbox, TEXT, tier),
    PLAIN(struct report_sandbox, TEXT, note),
    PLAIN(struct report_sandbox, TEXT, memory),
    PLAIN(struct report_sandbox, FLAG, own_user),
    PLAIN(struct report_sandbox, FLAG, filters_calls),
    PLAIN(struct report_sandbox, FLAG, confines_device),
};
static const struct archive_shape sandbox_shape = SHAPE(struct report_sandbox, sandbox_fields);

static const struct archive_field also_fields[] = {
    PLAIN(struct cause_mark, TEXT, file),
    PLAIN(struct cause_mark, INT, line),
    PLAIN(struct cause_mark, INT, column),
    PLAIN(struct cause_mark, TEXT, label),
};
static const struct archive_shape also_shape = SHAPE(struct cause_mark, also_fields);

static const struct archive_field fix_fields[] = {
    PLAIN(struct line_fix, TEXT, file),
    PLAIN(struct line_fix, INT, line),
    PLAIN(struct line_fix, TEXT, before),
    PLAIN(struct line_fix, TEXT, after),
};
static const struct archive_shape fix_shape = SHAPE(struct line_fix, fix_fields);

static const struct archive_field message_fields[] = {
    PLAIN(struct tool_message, FLAG, is_error),
    PLAIN(struct tool_message, TEXT, file),
    PLAIN(struct tool_message, INT, line),
    PLAIN(struct tool_message, INT, column),
    PLAIN(struct tool_message, TEXT, message),
    PLAIN(struct tool_message, TEXT, symbol),
    LIST(struct tool_message, notes, note_count, also_shape),
    LIST(struct tool_message, fixes, fix_count, fix_shape),
};
static const struct archive_shape message_shape = SHAPE(struct tool_message, message_fields);

static const struct archive_field cause_fields[] = {
    WORD(struct cause, code, code_word, CODE_COUNT),
    PLAIN(struct cause, TEXT, message),
    PLAIN(struct cause, TEXT, file),
    PLAIN(struct cause, INT, line),
    PLAIN(struct cause, INT, column),
    PLAIN(struct cause, TEXT, hint),
    WORD(struct cause, because, code_word, CODE_COUNT),
    PLAIN(struct cause, TEXT, plain),
    PLAIN(struct cause, TEXT, difference),
    PLAIN(struct cause, TEXT, seen),
    PLAIN(struct cause, TEXT, label),
    PLAIN(struct cause, FLAG, is_last_store),
    PLAIN(struct cause, INT, mark_end),
    LIST(struct cause, also, also_count, also_shape),
    LIST(struct cause, more, more_count, message_shape),
    LIST(struct cause, fixes, fix_count, fix_shape),
};
static const struct archive_shape cause_shape = SHAPE(struct cause, cause_fields);

static const struct archive_field evidence_fields[] = {
    PLAIN(struct evidence, TEXT, key),
    WORD(struct evidence, type, evidence_word, EVIDENCE_BOOLEAN + 1),
    PLAIN(struct evidence, TEXT, text),
    PLAIN(struct evidence, NUMBER, number),
    PLAIN(struct evidence, I64, integer),
};
static const struct archive_shape evidence_shape = SHAPE(struct evidence, evidence_fields);

static const struct archive_field map_fields[] = {
    PLAIN(struct element_map, TEXT, operand),  PLAIN(struct element_map, TEXT, shape),
    PLAIN(struct element_map, TEXT, probe),    PLAIN(struct element_map, SIZE, rows),
    PLAIN(struct element_map, SIZE, columns),  PLAIN(struct element_map, I64, block),
    PLAIN(struct element_map, STATES, states),
};
static const struct archive_shape map_shape = SHAPE(struct element_map, map_fields);

static const struct archive_field verdict_fields[] = {
    PLAIN(struct verdict, CRITERION, criterion),
    WORD(struct verdict, status, status_word, STATUSES),
    PLAIN(struct verdict, NUMBER, points),
    PLAIN(struct verdict, TEXT, summary),
    SHAPED(struct verdict, STRUCT, cause, cause_shape),
    INLINE(struct verdict, evidence, evidence_count, evidence_shape, EVIDENCE_MAX),
    INLINE(struct verdict, measured, measured_count, evidence_shape, EVIDENCE_MAX),
    PLAIN(struct verdict, FLAG, only_hidden),
    SHAPED(struct verdict, ONE, map, map_shape),
};
static const struct archive_shape verdict_shape = SHAPE(struct verdict, verdict_fields);

static const struct archive_field place_fields[] = {
    PLAIN(struct place, TEXT, role),         PLAIN(struct place, TEXT, file),
    PLAIN(struct place, INT, line),          PLAIN(struct place, INT, column),
    PLAIN(struct place, FLAG, has_thread),   PLAIN(struct place, U32_TRIPLE, block),
    PLAIN(struct place, U32_TRIPLE, thread), PLAIN(struct place, TEXT, actor),
    PLAIN(struct place, FLAG, is_copy),
};
static const struct archive_shape place_shape = SHAPE(struct place, place_fields);

static const struct archive_field finding_fields[] = {
    WORD(struct finding, code, code_word, CODE_COUNT),
    WORD(struct finding, severity, severity_word, SEVERITY_WARNING + 1),
    PLAIN(struct finding, TEXT, message),
    PLAIN(struct finding, TEXT, kernel),
    PLAIN(struct finding, TEXT, object),
    PLAIN(struct finding, FLAG, object_is_static),
    PLAIN(struct finding, FLAG, has_vectors_only),
    PLAIN(struct finding, U32, access_bytes),
    PLAIN(struct finding, U64, object_bytes),
    PLAIN(struct finding, U64, needed_bytes),
    PLAIN(struct finding, TEXT, launch),
    PLAIN(struct finding, U64, count),
    PLAIN(struct finding, FLAG, is_limit),
    PLAIN(struct finding, FLAG, is_rest),
    INLINE(struct finding, places, place_count, place_shape, FINDING_PLACES_MAX),
    PLAIN(struct finding, SIZE, main_place),
    PLAIN(struct finding, U32, shapes),
    PLAIN(struct finding, U32, of_shapes),
    PLAIN(struct finding, TEXT, first_shape),
};
const struct archive_shape archive_finding_shape = SHAPE(struct finding, finding_fields);

static const struct archive_field remark_fields[] = {
    PLAIN(struct remark, TEXT, message),
    PLAIN(struct remark, TEXT, file),
    PLAIN(struct remark, INT, line),
    PLAIN(struct remark, INT, column),
    PLAIN(struct remark, FLAG, is_of_compiler),
};
static const struct archive_shape remark_shape = SHAPE(struct remark, remark_fields);

static const struct archive_field source_fields[] = {
    PLAIN(struct source_file, TEXT, name),
    COUNTED(struct source_file, BYTES, text, length),
};
static const struct archive_shape source_shape = SHAPE(struct source_file, source_fields);

static const struct archive_field seconds_fields[] = {
    PLAIN(struct named_seconds, TEXT, name),
    PLAIN(struct named_seconds, NUMBER, seconds),
};
static const struct archive_shape seconds_shape = SHAPE(struct named_seconds, seconds_fields);

static const struct archive_field sum_fields[] = {
    PLAIN(struct access_sum, U64, requests),
    PLAIN(struct access_sum, U64, lanes),
    PLAIN(struct access_sum, U64, bytes),
    PLAIN(struct access_sum, U64, sectors),
    PLAIN(struct access_sum, U64, least_sectors),
    PLAIN(struct access_sum, U64, wavefronts),
    PLAIN(struct access_sum, U64, least_wavefronts),
    PLAIN(struct access_sum, U32, max_degree),
};
static const struct archive_shape sum_shape = SHAPE(struct access_sum, sum_fields);

static const struct archive_field line_fields[] = {
    PLAIN(struct line_count, TEXT, file),
    PLAIN(struct line_count, INT, line),
    PLAIN(struct line_count, INT, column),
    WORD(struct line_count, space, space_word, COUNT_SPACES),
    WORD(struct line_count, access, access_word, COUNT_ACCESSES),
    SHAPED(struct line_count, STRUCT, sum, sum_shape),
};
static const struct archive_shape line_shape = SHAPE(struct line_count, line_fields);

static const struct archive_field operand_fields[] = {
    PLAIN(struct profile_operand, TEXT, name),         PLAIN(struct profile_operand, U64, bytes),
    PLAIN(struct profile_operand, U64, naive_bytes),   PLAIN(struct profile_operand, U64, sectors),
    PLAIN(struct profile_operand, U64, least_sectors),
};
static const struct archive_shape operand_shape = SHAPE(struct profile_operand, operand_fields);

static const struct archive_field limit_fields[] = {
    PLAIN(struct profile_limit, TEXT, resource), PLAIN(struct profile_limit, U64, per_block),
    PLAIN(struct profile_limit, U64, available), PLAIN(struct profile_limit, TEXT, unit),
    PLAIN(struct profile_limit, U32, blocks),    PLAIN(struct profile_limit, FLAG, is_limit),
    PLAIN(struct profile_limit, TEXT, cliff),
};
static const struct archive_shape limit_shape = SHAPE(struct profile_limit, limit_fields);

static const struct archive_field tiles_fields[] = {
    PLAIN(struct profile_tiles, U32, block_width),
    PLAIN(struct profile_tiles, U32, threads),
    PLAIN(struct profile_tiles, NUMBER, operations_per_load),
    PLAIN(struct profile_tiles, U64, shared_bytes),
    PLAIN(struct profile_tiles, U32, active_blocks),
    PLAIN(struct profile_tiles, U32, active_warps),
    PLAIN(struct profile_tiles, FLAG, is_own),
};
static const struct archive_shape tiles_shape = SHAPE(struct profile_tiles, tiles_fields);

static const struct archive_field work_fields[] = {
    PLAIN(struct profile_work, TEXT, shape),
    PLAIN(struct profile_work, U64, used),
    PLAIN(struct profile_work, U64, said),
    PLAIN(struct profile_work, U64, allowed),
};
static const struct archive_shape work_shape = SHAPE(struct profile_work, work_fields);

static const struct archive_field profile_fields[] = {
    PLAIN(struct launch_profile, LAUNCH, launch),
    SHAPED(struct launch_profile, STRUCT, tightest, work_shape),
    SHAPED(struct launch_profile, STRUCT, loosest, work_shape),
    PLAIN(struct launch_profile, TEXT, shape),
    PLAIN(struct launch_profile, U32, threads_per_block),
    PLAIN(struct launch_profile, U64, warp_instructions),
    INLINE(struct launch_profile, operands, operand_count, operand_shape, RUBRIC_OPERANDS_MAX),
    LIST(struct launch_profile, lines, line_count, line_shape),
    INLINE(struct launch_profile, limits, limit_count, limit_shape, PROFILE_LIMITS_MAX),
    PLAIN(struct launch_profile, U32, active_blocks),
    PLAIN(struct launch_profile, U32, active_warps),
    PLAIN(struct launch_profile, U32, multiprocessor_warps),
    PLAIN(struct launch_profile, TEXT, gpu_model),
    INLINE(struct launch_profile, tiles, tile_count, tiles_shape, PROFILE_TILES_MAX),
};
static const struct archive_shape profile_shape = SHAPE(struct launch_profile, profile_fields);

static const struct archive_field output_fields[] = {
    PLAIN(struct program_output, TEXT, program),
    PLAIN(struct program_output, FLAG, is_errors),
    COUNTED(struct program_output, BYTES, bytes, length),
    PLAIN(struct program_output, SIZE, left_out),
};
static const struct archive_shape output_shape = SHAPE(struct program_output, output_fields);

static const struct archive_field code_fields[] = {
    PLAIN(struct device_code, TEXT, program),
    COUNTED(struct device_code, MARKS, marks, mark_count),
    PLAIN(struct device_code, SIZE, instructions),
};
static const struct archive_shape code_shape = SHAPE(struct device_code, code_fields);

static const struct archive_field report_fields[] = {
    PLAIN(struct report, TEXT, submission_name),
    PLAIN(struct report, HASH, submission_sha256),
    PLAIN(struct report, U64, seed),
    LIST(struct report, devices, device_count, device_shape),
    PLAIN(struct report, TEXT, gpu_note),
    SHAPED(struct report, STRUCT, sandbox, sandbox_shape),
    /* Archives of 0.1.0 have the version of the toolkit alone; see report_archive.c. */
    {.key = "cuda_version", .type = ARCHIVE_TEXT, .offset = offsetof(struct report, compiler)},
    PLAIN(struct report, TEXT, grader_version),
    LIST(struct report, verdicts, verdict_count, verdict_shape),
    LIST(struct report, findings, finding_count, archive_finding_shape),
    LIST(struct report, remarks, remark_count, remark_shape),
    LIST(struct report, sources, source_count, source_shape),
    LIST(struct report, seconds, seconds_count, seconds_shape),
    PLAIN(struct report, TEXT, again),
    LIST(struct report, profiles, profile_count, profile_shape),
    LIST(struct report, outputs, output_count, output_shape),
    LIST(struct report, device_code, device_code_count, code_shape),
    WORD(struct report, hints, hints_word, HINTS_FIX + 1),
};
const struct archive_shape archive_report_shape = SHAPE(struct report, report_fields);

size_t archive_field_bytes(const struct archive_field *field)
{
    static const size_t bytes[] = {
        [ARCHIVE_TEXT] = sizeof(const char *),
        [ARCHIVE_BYTES] = sizeof(const char *),
        [ARCHIVE_FLAG] = sizeof(bool),
        [ARCHIVE_INT] = sizeof(int),
        [ARCHIVE_U32] = sizeof(uint32_t),
        [ARCHIVE_U32_TRIPLE] = 3 * sizeof(uint32_t),
        [ARCHIVE_U64] = sizeof(uint64_t),
        [ARCHIVE_I64] = sizeof(int64_t),
        [ARCHIVE_SIZE] = sizeof(size_t),
        [ARCHIVE_NUMBER] = sizeof(double),
        [ARCHIVE_WORD] = sizeof(unsigned),
        [ARCHIVE_HASH] = 65,
        [ARCHIVE_LIST] = sizeof(const void *),
        [ARCHIVE_ONE] = sizeof(const void *),
        [ARCHIVE_STATES] = sizeof(const uint8_t *),
        [ARCHIVE_MARKS] = sizeof(const uint64_t *),
        [ARCHIVE_CRITERION] = sizeof(const void *),
        [ARCHIVE_LAUNCH] = sizeof(size_t),
    };

    if (field->type == ARCHIVE_STRUCT || field->type == ARCHIVE_INLINE) {
        return field->shape->bytes * (field->type == ARCHIVE_INLINE ? field->maximum : 1);
    }
    return bytes[field->type];
}
