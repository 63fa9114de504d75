/* rubric_programs.c: the sections programs and printouts. */
#include "rubric/rubric_key_names.h"

#include <string.h>

enum { PROGRAMS_MAX = 16, PRINTOUTS_MAX = 64, DEFINES_MAX = 64, MACRO_BYTES_MAX = 100 };

/* A key of an object that names a macro. */
static bool check_macro(struct rubric_reader *reader, const cJSON *member)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *name = member->string;

    if (name[0] == '\0' || strlen(name) > MACRO_BYTES_MAX ||
        strspn(name, letters) != strlen(name) || (name[0] >= '0' && name[0] <= '9')) {
        reader_fail(reader, ERROR_RANGE, member, true,
                    "'%.100s' is not a C identifier, so no macro can have this name", name);
        return false;
    }
    return true;
}

/* A macro's value: a string, or a whole number. */
static const char *read_define(struct rubric_reader *reader, const cJSON *value)
{
    if (!cJSON_IsNumber(value)) {
        return read_name(reader, value, NAME_TEXT);
    }
    int64_t number = read_integer(reader, value, INT32_MIN, INT32_MAX);
    return arena_printf(reader->arena, "%lld", (long long)number);
}

static void read_defines(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_program *out)
{
    size_t count = 0;

    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    if (!cJSON_IsObject(value)) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "'defines' must be an object of names and values");
        return;
    }
    struct define *defines = arena_array(reader->arena, DEFINES_MAX, sizeof *defines);
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        if (count == DEFINES_MAX) {
            reader_fail(reader, ERROR_RANGE, member, true, "more than %d defines",
                        (int)DEFINES_MAX);
            return;
        }
        if (!check_macro(reader, member)) {
            return;
        }
        defines[count].name = arena_strdup(reader->arena, member->string);
        defines[count].value = read_define(reader, member);
        count++;
    }
    out->defines = defines;
    out->define_count = count;
}

/* A macro gets its value once. */
static void check_not_defined(struct rubric_reader *reader, const cJSON *member,
                              const struct rubric_program *program)
{
    for (size_t i = 0; i < program->define_count; i++) {
        if (strcmp(program->defines[i].name, member->string) == 0) {
            reader_fail(reader, ERROR_RANGE, member, true,
                        "'%s' already has a value in 'defines'; list a macro that cases set only "
                        "in 'overrides'",
                        member->string);
        }
    }
}

/* The macros of a whole program; what they come to is tried with the launches. */
static void read_overrides(struct rubric_reader *reader, const cJSON *value,
                           struct rubric_program *out)
{
    size_t count = 0;

    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    if (!cJSON_IsObject(value) || value->child == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "'overrides' must be an object of macro names and expressions, with at least "
                    "one of them");
        return;
    }
    struct rubric_override *overrides =
        arena_array(reader->arena, RUBRIC_OVERRIDES_MAX, sizeof *overrides);
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        if (count == RUBRIC_OVERRIDES_MAX) {
            reader_fail(reader, ERROR_RANGE, member, true, "more than %d overrides",
                        (int)RUBRIC_OVERRIDES_MAX);
            return;
        }
        if (!check_macro(reader, member)) {
            return;
        }
        check_not_defined(reader, member, out);
        overrides[count].name = arena_strdup(reader->arena, member->string);
        overrides[count].value = read_expression(reader, member, NAMES_BLOCK | NAMES_PARAMETERS);
        count++;
    }
    out->overrides = overrides;
    out->override_count = count;
}

static void read_program(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_program *out)
{
    const cJSON *members[PROGRAM_KEY_COUNT];

    read_members(reader, value, "a program", program_keys, PROGRAM_KEY_COUNT, members);
    out->id = read_name(reader, members[PROGRAM_KEY_ID], NAME_ID);
    out->title = read_name(reader, members[PROGRAM_KEY_TITLE], NAME_TEXT);
    out->sources =
        read_names(reader, members[PROGRAM_KEY_SOURCES], NAME_FILE, 1, &out->source_count);
    out->given = read_names(reader, members[PROGRAM_KEY_GIVEN], NAME_FILE, 0, &out->given_count);
    out->harness =
        read_names(reader, members[PROGRAM_KEY_HARNESS], NAME_FILE, 0, &out->harness_count);
    out->flags = read_names(reader, members[PROGRAM_KEY_FLAGS], NAME_FLAG, 0, &out->flag_count);
    read_defines(reader, members[PROGRAM_KEY_DEFINES], out);
    read_overrides(reader, members[PROGRAM_KEY_OVERRIDES], out);
    out->is_compatible = read_flag(reader, members[PROGRAM_KEY_COMPATIBILITY]);
    out->is_optional = read_flag(reader, members[PROGRAM_KEY_OPTIONAL]);
    if (program_is_whole(out) && out->harness_count > 0) {
        reader_fail(reader, ERROR_RANGE, members[PROGRAM_KEY_HARNESS], true,
                    "a program with 'overrides' is a whole program with a main of its own, so it "
                    "cannot have a harness");
    }
}

void read_programs(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 1, PROGRAMS_MAX);
    struct rubric_program *programs = arena_array(reader->arena, count, sizeof *programs);
    size_t needed = 0;
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_program(reader, item, &programs[i]);
        reader_check_unique(reader, item, "program", programs, sizeof *programs, i);
        needed += programs[i].is_optional ? 0 : 1;
    }
    if (reader->error == ERROR_NONE && needed == 0) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all programs are optional; at least one must be required");
    }
    reader->programs = value;
    reader->rubric->programs = programs;
    reader->rubric->program_count = reader->error == ERROR_NONE ? count : 0;
}

static void read_printout(struct rubric_reader *reader, const cJSON *value,
                          struct rubric_printout *out)
{
    enum { FORM_INTEGER, FORM_FRACTION, FORM_TABLE, FORM_COUNT };
    static const char *const forms[] = {"integer", "fraction", "table"};
    const struct rubric *rubric = reader->rubric;
    const cJSON *members[PRINTOUT_KEY_COUNT];

    read_members(reader, value, "a printout", printout_keys, PRINTOUT_KEY_COUNT, members);
    out->id = read_name(reader, members[PRINTOUT_KEY_ID], NAME_ID);
    out->program =
        read_reference(reader, members[PRINTOUT_KEY_PROGRAM], "program", rubric->programs,
                       sizeof *rubric->programs, rubric->program_count);
    out->arguments =
        read_names(reader, members[PRINTOUT_KEY_ARGUMENTS], NAME_TEXT, 0, &out->argument_count);
    out->label = read_name(reader, members[PRINTOUT_KEY_LABEL], NAME_TEXT);
    out->is_anywhere = read_flag(reader, members[PRINTOUT_KEY_ANYWHERE]);
    size_t form = read_word(reader, members[PRINTOUT_KEY_FORM], forms, FORM_COUNT);
    out->form = form == FORM_FRACTION ? PRINTOUT_FRACTION : PRINTOUT_INTEGER;
    out->table = form == FORM_TABLE;
}

void read_printouts(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 0, PRINTOUTS_MAX);
    struct rubric_printout *printouts =
        arena_array(reader->arena, count + RUBRIC_CRITERIA_MAX, sizeof *printouts);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_printout(reader, item, &printouts[i]);
        reader_check_unique(reader, item, "printout", printouts, sizeof *printouts, i);
    }
    reader->printouts = printouts;
    reader->rubric->printouts = printouts;
    reader->rubric->printout_count = reader->error == ERROR_NONE ? count : 0;
}
