/* rubric_programs.c: the sections programs and printouts. */
#include "rubric/rubric_reader.h"

#include <string.h>

enum { PROGRAMS_MAX = 16, PRINTOUTS_MAX = 64, DEFINES_MAX = 64 };

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
        if (strspn(member->string, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                   "0123456789") != strlen(member->string) ||
            member->string[0] == '\0' || (member->string[0] >= '0' && member->string[0] <= '9')) {
            reader_fail(reader, ERROR_RANGE, member, true,
                        "'%.100s' is no C identifier, so no macro can be called so",
                        member->string);
            return;
        }
        defines[count].name = arena_strdup(reader->arena, member->string);
        defines[count].value = read_define(reader, member);
        count++;
    }
    out->defines = defines;
    out->define_count = count;
}

static void read_program(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_program *out)
{
    enum { ID, TITLE, SOURCES, GIVEN, HARNESS, FLAGS, DEFINES, KEY_COUNT };
    static const struct rubric_key keys[] = {
        {"id", true},       {"title", true},  {"sources", true},  {"given", false},
        {"harness", false}, {"flags", false}, {"defines", false},
    };
    const cJSON *members[KEY_COUNT];

    read_members(reader, value, "a program", keys, KEY_COUNT, members);
    out->id = read_name(reader, members[ID], NAME_ID);
    out->title = read_name(reader, members[TITLE], NAME_TEXT);
    out->sources = read_names(reader, members[SOURCES], NAME_FILE, 1, &out->source_count);
    out->given = read_names(reader, members[GIVEN], NAME_FILE, 0, &out->given_count);
    out->harness = read_names(reader, members[HARNESS], NAME_FILE, 0, &out->harness_count);
    out->flags = read_names(reader, members[FLAGS], NAME_FLAG, 0, &out->flag_count);
    read_defines(reader, members[DEFINES], out);
}

void read_programs(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 1, PROGRAMS_MAX);
    struct rubric_program *programs = arena_array(reader->arena, count, sizeof *programs);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_program(reader, item, &programs[i]);
        reader_check_unique(reader, item, "program", programs, sizeof *programs, i);
    }
    reader->rubric->programs = programs;
    reader->rubric->program_count = reader->error == ERROR_NONE ? count : 0;
}

static void read_printout(struct rubric_reader *reader, const cJSON *value,
                          struct rubric_printout *out)
{
    enum { ID, PROGRAM, ARGUMENTS, LABEL, FORM, KEY_COUNT };
    enum { FORM_INTEGER, FORM_FRACTION, FORM_TABLE, FORM_COUNT };
    static const struct rubric_key keys[] = {
        {"id", true}, {"program", true}, {"arguments", false}, {"label", true}, {"form", true},
    };
    static const char *const forms[] = {"integer", "fraction", "table"};
    const struct rubric *rubric = reader->rubric;
    const cJSON *members[KEY_COUNT];

    read_members(reader, value, "a printout", keys, KEY_COUNT, members);
    out->id = read_name(reader, members[ID], NAME_ID);
    out->program = read_reference(reader, members[PROGRAM], "program", rubric->programs,
                                  sizeof *rubric->programs, rubric->program_count);
    out->arguments = read_names(reader, members[ARGUMENTS], NAME_TEXT, 0, &out->argument_count);
    out->label = read_name(reader, members[LABEL], NAME_TEXT);
    size_t form = read_word(reader, members[FORM], forms, FORM_COUNT);
    out->form = form == FORM_FRACTION ? PRINTOUT_FRACTION : PRINTOUT_INTEGER;
    out->table = form == FORM_TABLE;
}

void read_printouts(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 0, PRINTOUTS_MAX);
    struct rubric_printout *printouts = arena_array(reader->arena, count, sizeof *printouts);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_printout(reader, item, &printouts[i]);
        reader_check_unique(reader, item, "printout", printouts, sizeof *printouts, i);
    }
    reader->rubric->printouts = printouts;
    reader->rubric->printout_count = reader->error == ERROR_NONE ? count : 0;
}
