/* rubric_load.c: the top of a rubric; the sections are in rubric_cases.c, rubric_programs.c,
 * rubric_launches.c and rubric_criteria.c. See rubric_load.h.
 *
 * The sections are read in an order in which everything that one refers to is there already:
 * parameters, cases, programs, launches, printouts, criteria.
 */
#include "rubric/rubric_load.h"

#include "base/file.h"
#include "base/json.h"
#include "rubric/rubric_reader.h"

#include <string.h>

enum { RUBRIC_BYTES_MAX = 1 << 20, VERSION_MAX = 1000000 };

enum {
    SCHEMA_KEY,
    ID,
    VERSION,
    TITLE,
    EXTENDS,
    ARITHMETIC,
    GLOBAL_RACES,
    GPU_MODEL,
    LIMITS,
    PROGRAMS,
    PARAMETERS,
    CASES,
    LAUNCHES,
    PRINTOUTS,
    CRITERIA,
    KEY_COUNT
};

static const struct rubric_key keys[KEY_COUNT] = {
    [SCHEMA_KEY] = {"schema", true},
    [ID] = {"id", true},
    [VERSION] = {"version", true},
    [TITLE] = {"title", true},
    [EXTENDS] = {"extends", false},
    [ARITHMETIC] = {"arithmetic", false},
    [GLOBAL_RACES] = {"global_races", false},
    [GPU_MODEL] = {"gpu_model", true},
    [LIMITS] = {"limits", false},
    [PROGRAMS] = {"programs", true},
    [PARAMETERS] = {"parameters", true},
    [CASES] = {"cases", true},
    [LAUNCHES] = {"launches", true},
    [PRINTOUTS] = {"printouts", false},
    [CRITERIA] = {"criteria", true},
};

/* What must be known before the keys are looked at: another schema has other keys, and an overlay
 * lacks most of them. */
static void check_format(struct rubric_reader *reader, const cJSON *root)
{
    static const char *const schemas[] = {"gpugrade/rubric/v1"};

    if (!cJSON_IsObject(root)) {
        return;
    }
    read_word(reader, cJSON_GetObjectItemCaseSensitive(root, keys[SCHEMA_KEY].name), schemas, 1);
    const cJSON *extends = cJSON_GetObjectItemCaseSensitive(root, keys[EXTENDS].name);
    if (extends != NULL) {
        reader_fail(reader, ERROR_UNSUPPORTED, extends, true,
                    "'extends' is not there yet: overlays come with a later version; put the "
                    "whole rubric into one file");
    }
}

static void read_rubric(struct rubric_reader *reader, const char *root_folder)
{
    static const char *const arithmetics[] = {
        [ARITHMETIC_EPSILON] = "epsilon", [ARITHMETIC_NO_FMAD] = "fmad=false"};
    struct rubric *rubric = reader->rubric;
    const cJSON *root = json_root(reader->document);
    const cJSON *members[KEY_COUNT];

    check_format(reader, root);
    read_members(reader, root, "a rubric", keys, KEY_COUNT, members);
    rubric->id = read_name(reader, members[ID], NAME_COURSEWORK);
    rubric->version = read_integer(reader, members[VERSION], 1, VERSION_MAX);
    rubric->title = read_name(reader, members[TITLE], NAME_TEXT);
    rubric->arithmetic = (enum arithmetic)read_word(reader, members[ARITHMETIC], arithmetics, 2);
    rubric->checks_global_races = read_flag(reader, members[GLOBAL_RACES]);
    rubric->gpu_model = read_name(reader, members[GPU_MODEL], NAME_TEXT);
    rubric->reference_folder =
        arena_printf(reader->arena, "%s/reference/%s", root_folder, rubric->id);
    rubric->template_folder =
        arena_printf(reader->arena, "%s/student_template/%s", root_folder, rubric->id);
    read_limits(reader, members[LIMITS]);
    read_parameters(reader, members[PARAMETERS]);
    read_cases(reader, members[CASES]);
    read_programs(reader, members[PROGRAMS]);
    read_launches(reader, members[LAUNCHES]);
    read_printouts(reader, members[PRINTOUTS]);
    read_criteria(reader, members[CRITERIA]);
}

enum error rubric_parse(struct arena *arena, const char *bytes, size_t length, const char *path,
                        const char *root, const struct rubric **out_rubric,
                        struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    struct diagnostic unheard;
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);

    if (diagnostic == NULL) {
        diagnostic = &unheard;
    }
    enum error error = json_parse(bytes, length, path, BLAME_RUBRIC, &document, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    struct rubric_reader reader = {
        .arena = arena, .document = document, .diagnostic = diagnostic, .rubric = rubric};
    rubric->path = arena_strdup(arena, path);
    hash_bytes(bytes, length, rubric->sha256);
    read_rubric(&reader, root);
    json_document_free(document);
    if (reader.error == ERROR_NONE) {
        *out_rubric = rubric;
    }
    return reader.error;
}

enum error rubric_load(struct arena *arena, const char *path, const char *root,
                       const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, RUBRIC_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    return rubric_parse(arena, bytes, length, path, root, out_rubric, diagnostic);
}
