/* term_file.c: see term_file.h. */
#include "batch/term_file.h"

#include "base/file.h"
#include "base/json.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20, COURSEWORKS_MAX = 1000 };

static const double number_max = 1e6;

struct reading {
    struct arena *arena;
    const struct json_document *document;
    const char *folder; /* of the file, with a slash at its end; "" for this one */
    struct term_part *parts;
    size_t part_capacity;
    size_t coursework_capacity;
    struct term term;
    struct diagnostic *diagnostic;
};

static enum error refuse(struct reading *reading, const cJSON *at, const char *expected)
{
    json_diagnostic(reading->document, at, false, reading->diagnostic, "expected %s", expected);
    return ERROR_RANGE;
}

/* Refuses a value that is no object, and keys that are not among these (NULL-terminated). */
static enum error check_keys(struct reading *reading, const cJSON *object, const char *const *keys,
                             const char *expected)
{
    const cJSON *member;

    if (!cJSON_IsObject(object)) {
        return refuse(reading, object, expected);
    }
    cJSON_ArrayForEach(member, object)
    {
        size_t i = 0;
        while (keys[i] != NULL && strcmp(keys[i], member->string) != 0) {
            i++;
        }
        if (keys[i] == NULL) {
            json_diagnostic(reading->document, member, true, reading->diagnostic,
                            "unknown key '%s'; expected %s", member->string, expected);
            return ERROR_RANGE;
        }
    }
    return ERROR_NONE;
}

/* A number above 0; *out stays if the key is not there. */
static enum error read_number(struct reading *reading, const cJSON *object, const char *key,
                              double *out)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    if (value == NULL) {
        return ERROR_NONE;
    }
    if (!cJSON_IsNumber(value) || !(value->valuedouble > 0) || value->valuedouble > number_max) {
        return refuse(reading, value, "a number above 0, at most 1000000");
    }
    *out = value->valuedouble;
    return ERROR_NONE;
}

static enum error read_text(struct reading *reading, const cJSON *object, const char *key,
                            const char **out)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    if (!cJSON_IsString(value) || value->valuestring[0] == '\0') {
        json_diagnostic(reading->document, value == NULL ? object : value, false,
                        reading->diagnostic, "expected a text for '%s'", key);
        return ERROR_RANGE;
    }
    *out = arena_strdup(reading->arena, value->valuestring);
    return ERROR_NONE;
}

static enum error read_coursework(struct reading *reading, const cJSON *value)
{
    static const char *const keys[] = {"results", "weight", NULL};
    struct term *term = &reading->term;
    struct term_coursework coursework = {.part = term->part_count, .weight = 1};
    enum error error = check_keys(reading, value, keys,
                                  "a coursework such as {\"results\": \"lab1\", \"weight\": 2}");

    if (error == ERROR_NONE) {
        error = read_text(reading, value, "results", &coursework.folder);
    }
    if (error == ERROR_NONE) {
        error = read_number(reading, value, "weight", &coursework.weight);
    }
    if (error == ERROR_NONE && term->coursework_count == COURSEWORKS_MAX) {
        error = refuse(reading, value, "at most 1000 courseworks");
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (coursework.folder[0] != '/') {
        coursework.folder =
            arena_printf(reading->arena, "%s%s", reading->folder, coursework.folder);
    }
    arena_grow(reading->arena, &term->courseworks, &reading->coursework_capacity,
               term->coursework_count + 1, sizeof *term->courseworks);
    term->courseworks[term->coursework_count++] = coursework;
    return ERROR_NONE;
}

static enum error read_part(struct reading *reading, const cJSON *value)
{
    static const char *const keys[] = {"title", "weight", "best", "courseworks", NULL};
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(value, "courseworks");
    struct term_part part = {.weight = 1};
    double best = 0;
    const cJSON *coursework;
    enum error error =
        check_keys(reading, value, keys, "a part: title, weight, best and courseworks");

    if (error == ERROR_NONE) {
        error = read_text(reading, value, "title", &part.title);
    }
    if (error == ERROR_NONE) {
        error = read_number(reading, value, "weight", &part.weight);
    }
    if (error == ERROR_NONE) {
        error = read_number(reading, value, "best", &best);
    }
    if (error == ERROR_NONE && (!cJSON_IsArray(list) || list->child == NULL)) {
        error = refuse(reading, list == NULL ? value : list, "a list of courseworks");
    }
    size_t count = error == ERROR_NONE ? (size_t)cJSON_GetArraySize(list) : 0;
    if (error == ERROR_NONE && (best != trunc(best) || best > (double)count)) {
        error = refuse(reading, cJSON_GetObjectItemCaseSensitive(value, "best"),
                       "how many of the part's courseworks count");
    }
    for (coursework = error == ERROR_NONE ? list->child : NULL;
         error == ERROR_NONE && coursework != NULL; coursework = coursework->next) {
        error = read_coursework(reading, coursework);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    part.best = (size_t)best;
    arena_grow(reading->arena, &reading->parts, &reading->part_capacity,
               reading->term.part_count + 1, sizeof *reading->parts);
    reading->parts[reading->term.part_count++] = part;
    return ERROR_NONE;
}

static enum error read_term(struct reading *reading)
{
    static const char *const keys[] = {"title", "out_of", "parts", NULL};
    const cJSON *root = json_root(reading->document);
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(root, "parts");
    enum error error = check_keys(reading, root, keys, "a term: title, out_of and parts");

    reading->term.out_of = 100;
    if (error == ERROR_NONE) {
        error = read_text(reading, root, "title", &reading->term.title);
    }
    if (error == ERROR_NONE) {
        error = read_number(reading, root, "out_of", &reading->term.out_of);
    }
    if (error == ERROR_NONE && (!cJSON_IsArray(parts) || parts->child == NULL)) {
        error = refuse(reading, parts == NULL ? root : parts, "a list of parts");
    }
    for (const cJSON *part = error == ERROR_NONE ? parts->child : NULL;
         error == ERROR_NONE && part != NULL; part = part->next) {
        error = read_part(reading, part);
    }
    reading->term.parts = reading->parts;
    return error;
}

enum error term_file_read(struct arena *arena, const char *path, struct term *out_term,
                          struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    const char *name = path_name(path);
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, FILE_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = json_parse(bytes, length, path, BLAME_USAGE, &document, diagnostic);
    }
    if (error == ERROR_NONE) {
        struct reading reading = {
            .arena = arena,
            .document = document,
            .folder = arena_strndup(arena, path, (size_t)(name - path)),
            .diagnostic = diagnostic,
        };
        error = read_term(&reading);
        if (error == ERROR_NONE) {
            *out_term = reading.term;
        }
    }
    json_document_free(document);
    return error;
}
