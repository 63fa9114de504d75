/* roster.c: reads a roster; whose entries are whose is in roster_apply.c. See roster.h. */
#include "batch/roster.h"

#include "base/csv.h"
#include "base/date.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROSTER_BYTES_MAX = 64 << 20 };

enum field {
    FIELD_ID,
    FIELD_IDENTIFIER, /* Moodle's participant, or whatever a teacher chose on GitHub */
    FIELD_NAME,
    FIELD_FIRST_NAME,
    FIELD_LAST_NAME,
    FIELD_EMAIL,
    FIELD_CANVAS_ID,
    FIELD_SIS_ID,
    FIELD_LOGIN,
    FIELD_SECTION,
    FIELD_MOODLE_ID,
    FIELD_SUBMITTED,
    FIELD_ROLE,
    FIELD_COUNT
};

/* How columns are called, the more telling names first. */
static const char *const field_names[FIELD_COUNT][12] = {
    [FIELD_ID] = {"Student ID", "Student_ID", "StudentID", "Student number", "Matriculation number",
                  "ID number", "IDNumber", "SID", "roster_identifier", "ID"},
    [FIELD_IDENTIFIER] = {"Identifier"},
    [FIELD_NAME] = {"Full name", "Fullname", "Name", "Student name", "Student", "Display name"},
    [FIELD_FIRST_NAME] = {"First name", "Firstname", "first_name", "Given name"},
    [FIELD_LAST_NAME] = {"Last name", "Lastname", "last_name", "Surname", "Family name"},
    [FIELD_EMAIL] = {"Email", "Email address", "E-mail", "E-mail address", "Mail"},
    [FIELD_CANVAS_ID] = {"Canvas ID", "Canvas User ID", "canvas_id", "canvas_user_id"},
    [FIELD_SIS_ID] = {"SIS User ID", "SIS ID", "sis_id", "sis_user_id"},
    [FIELD_LOGIN] = {"SIS Login ID", "Login ID", "Login", "login_id", "github_username",
                     "GitHub username", "Username", "User name"},
    [FIELD_SECTION] = {"Section", "Sections", "Group", "Groups"},
    [FIELD_MOODLE_ID] = {"Moodle ID", "moodle_id", "Participant"},
    [FIELD_SUBMITTED] = {"Submitted", "Submitted at", "submitted_at", "Submission time",
                         "submission_timestamp", "Last modified (submission)"},
    [FIELD_ROLE] = {"Role", "Roles"},
};

/* The columns of one table; -1 where there is none. */
struct columns {
    int field[FIELD_COUNT];
};

/* In Canvas' gradebook "ID" is Canvas' own number of a person. */
static bool is_canvas_gradebook(const struct csv_table *table)
{
    static const char *const student[] = {"Student", NULL};
    static const char *const canvas_only[] = {"SIS User ID", "SIS Login ID", NULL};

    return csv_column(table, student) == 0 && csv_column(table, canvas_only) >= 0;
}

static struct columns find_columns(const struct csv_table *table)
{
    static const char *const id[] = {"ID", NULL};
    struct columns columns;

    for (size_t i = 0; i < FIELD_COUNT; i++) {
        columns.field[i] = csv_column(table, field_names[i]);
    }
    if (is_canvas_gradebook(table)) {
        columns.field[FIELD_ID] = -1;
        columns.field[FIELD_CANVAS_ID] = csv_column(table, id);
    }
    return columns;
}

static const char *cell(struct arena *arena, const struct csv_row *row,
                        const struct columns *columns, enum field field)
{
    return csv_trimmed(arena, csv_cell(row, columns->field[field]));
}

/* Canvas' gradebook has lines that are no persons. */
static bool is_canvas_filler(const char *name)
{
    return strcasecmp(name, "Points Possible") == 0 || strcasecmp(name, "Student, Test") == 0 ||
           strcasecmp(name, "Test Student") == 0;
}

static bool is_staff(const char *role)
{
    return role[0] != '\0' && strcasestr(role, "student") == NULL &&
           strcasestr(role, "learner") == NULL;
}

static const char *first_of(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (texts[i][0] != '\0') {
            return texts[i];
        }
    }
    return "";
}

/* False: the line is no person. */
static bool read_person(struct arena *arena, const struct csv_row *row,
                        const struct columns *columns, const struct date_zone *zone,
                        struct class_person *out, const char **out_unread_time)
{
    struct class_person person = {
        .id = cell(arena, row, columns, FIELD_ID),
        .name = cell(arena, row, columns, FIELD_NAME),
        .email = cell(arena, row, columns, FIELD_EMAIL),
        .canvas_id = cell(arena, row, columns, FIELD_CANVAS_ID),
        .sis_id = cell(arena, row, columns, FIELD_SIS_ID),
        .login = cell(arena, row, columns, FIELD_LOGIN),
        .section = cell(arena, row, columns, FIELD_SECTION),
        .moodle_id = cell(arena, row, columns, FIELD_MOODLE_ID),
    };
    const char *first = cell(arena, row, columns, FIELD_FIRST_NAME);
    const char *last = cell(arena, row, columns, FIELD_LAST_NAME);

    if (person.name[0] == '\0') {
        const char *blank = first[0] != '\0' && last[0] != '\0' ? " " : "";
        person.name = arena_printf(arena, "%s%s%s", first, blank, last);
    }
    const char *identifier = cell(arena, row, columns, FIELD_IDENTIFIER);
    if (text_starts_with(identifier, "Participant ")) {
        person.moodle_id = identifier;
    } else if (person.id[0] == '\0') {
        person.id = identifier;
    }
    const char *const keys[] = {person.id,        person.sis_id,    person.login, person.email,
                                person.canvas_id, person.moodle_id, person.name};
    person.student = first_of(keys, sizeof keys / sizeof keys[0]);
    const char *time = cell(arena, row, columns, FIELD_SUBMITTED);
    bool is_none = time[0] == '\0' || strcmp(time, "-") == 0; /* as Moodle has it */
    *out_unread_time = is_none || date_read_in(time, zone, &person.submitted) ? "" : time;
    *out = person;
    return person.student[0] != '\0' && !is_canvas_filler(person.name) &&
           !is_staff(cell(arena, row, columns, FIELD_ROLE));
}

/* A key and the line that it stands in. */
struct key_line {
    const char *key;
    int line;
};

static int compare_keys(const void *left, const void *right)
{
    const struct key_line *a = left;
    const struct key_line *b = right;
    int order = strcmp(a->key, b->key);

    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static enum error check_keys(struct key_line *keys, size_t count, const char *path,
                             struct diagnostic *diagnostic)
{
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1].key, keys[i].key) == 0) {
            diagnostic_set_at(
                diagnostic, BLAME_USAGE, path, keys[i].line, 0,
                "'%s' is already on line %d; each person needs one line and an id of their own",
                keys[i].key, keys[i - 1].line);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

static enum error check_columns(const struct columns *columns, const char *path,
                                struct diagnostic *diagnostic)
{
    static const enum field telling[] = {FIELD_ID,        FIELD_IDENTIFIER, FIELD_NAME,
                                         FIELD_EMAIL,     FIELD_LOGIN,      FIELD_SIS_ID,
                                         FIELD_CANVAS_ID, FIELD_MOODLE_ID,  FIELD_FIRST_NAME};

    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++) {
        if (columns->field[telling[i]] >= 0) {
            return ERROR_NONE;
        }
    }
    diagnostic_set_at(diagnostic, BLAME_USAGE, path, 1, 1,
                      "the roster has no column that gpugrade knows; expected a first line such as "
                      "\"id,name,email\"");
    return ERROR_SYNTAX;
}

static enum error read_people(struct arena *arena, const struct csv_table *table,
                              const struct roster_source *source, struct roster *out_roster,
                              struct diagnostic *diagnostic)
{
    const char *path = source->path;
    struct columns columns = find_columns(table);
    enum error error = check_columns(&columns, path, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    struct roster roster = {.people = arena_array(arena, table->row_count, sizeof *roster.people)};
    struct key_line *keys = arena_array(arena, table->row_count, sizeof *keys);
    for (size_t i = 0; i < table->row_count; i++) {
        struct class_person *person = &roster.people[roster.count];
        const char *unread;
        if (read_person(arena, &table->rows[i], &columns, source->zone, person, &unread)) {
            keys[roster.count] = (struct key_line){person->student, table->rows[i].line};
            roster.count++;
            if (unread[0] != '\0' && roster.unread_time_count++ == 0) {
                roster.unread_time = unread;
            }
        }
    }
    error = check_keys(keys, roster.count, path, diagnostic);
    if (error == ERROR_NONE) {
        *out_roster = roster;
    }
    return error;
}

enum error roster_read(struct arena *arena, const struct roster_source *source,
                       struct roster *out_roster, struct diagnostic *diagnostic)
{
    const char *path = source->path;
    struct csv_table table;
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, ROSTER_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = csv_read(arena, bytes, length, path, &table, diagnostic);
    }
    return error == ERROR_NONE ? read_people(arena, &table, source, out_roster, diagnostic) : error;
}
