/* rubric_evidence.c: see rubric_evidence.h.
 *
 * A tree is hashed by its canonical text: without the keys of `words`, the members of each object
 * sorted by their keys, so that neither layout nor order nor overlays show. A criterion's hash is
 * over its own text, over which kernels its launch may mean, and over all that criteria share:
 * programs, cases, launches, limits, the coursework's files that the programs name, and the C files
 * that an oracle may be made of.
 */
#include "rubric/rubric_evidence.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char bundle_schema[] = "gpugrade/rubric-files/v1";

enum { COURSEWORK_FILE_MAX = 16 << 20 };

/* Keys that change neither what is run nor what is seen. */
static const struct {
    const char *list; /* whose entries have the key; NULL: the rubric itself */
    const char *key;
} words[] = {
    {NULL, "schema"},         {NULL, "version"},     {NULL, "title"},
    {NULL, "total"},          {NULL, "extends"},     {NULL, "hints"},
    {NULL, "about"},          {NULL, "next"},        {NULL, "late"},
    {NULL, "attempts"},       {NULL, "leaderboard"}, {NULL, "unmeasured"},
    {"programs", "title"},    {"launches", "title"}, {"criteria", "title"},
    {"criteria", "points"},   {"criteria", "bonus"}, {"criteria", "full_marks"},
    {"criteria", "no_marks"}, {"criteria", "step"},  {"criteria", "no_fix"},
};

static void drop_words(cJSON *root)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].list == NULL) {
            cJSON_DeleteItemFromObjectCaseSensitive(root, words[i].key);
            continue;
        }
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, words[i].list);
        for (cJSON *entry = list == NULL ? NULL : list->child; entry != NULL; entry = entry->next) {
            cJSON_DeleteItemFromObjectCaseSensitive(entry, words[i].key);
        }
    }
}

static int compare_members(const void *left, const void *right)
{
    return strcmp((*(cJSON *const *)left)->string, (*(cJSON *const *)right)->string);
}

/* Sorts the members of one object; a rubric has few. */
static void sort_members(cJSON *object)
{
    size_t count = (size_t)cJSON_GetArraySize(object);
    cJSON **members = calloc(count + 1, sizeof(cJSON *));
    size_t i = 0;

    if (members == NULL) {
        abort();
    }
    for (cJSON *member = object->child; member != NULL; member = member->next) {
        members[i++] = member;
    }
    qsort(members, count, sizeof(cJSON *), compare_members);
    for (i = 0; i < count; i++) {
        cJSON_DetachItemViaPointer(object, members[i]);
        if (!cJSON_AddItemToArray(object, members[i])) { /* it keeps its key */
            abort();
        }
    }
    free(members);
}

/* Sorts all objects of a tree that json_parse has read, so it is not deep. */
static void sort_tree(cJSON *value)
{
    if (cJSON_IsObject(value)) {
        sort_members(value);
    }
    for (cJSON *child = value->child; child != NULL; child = child->next) {
        sort_tree(child);
    }
}

static cJSON *copy_of(const cJSON *value)
{
    cJSON *copy = cJSON_Duplicate(value, true);

    if (copy == NULL) {
        abort();
    }
    return copy;
}

/* Appends the name and the hash of a file; one that is not there has none. */
static void add_file(struct text *all, const char *folder, const char *name)
{
    struct arena *arena = arena_new();
    char hash[65] = "none";
    char *bytes = NULL;
    size_t length = 0;

    if (file_read(arena, arena_printf(arena, "%s/%s", folder, name), COURSEWORK_FILE_MAX,
                  BLAME_RUBRIC, &bytes, &length, NULL) == ERROR_NONE) {
        hash_bytes(bytes, length, hash);
    }
    text_printf(all, "%s %s\n", name, hash);
    arena_free(arena);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Appends the C files of a folder, by their names: what an oracle may include. */
static void add_sources(struct rubric_reader *reader, const char *folder, struct text *all)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    DIR *stream = opendir(folder); /* which sets FD_CLOEXEC; a folder that is not there has none */
    struct dirent *entry;

    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        bool is_source = text_ends_with(entry->d_name, ".c") || text_ends_with(entry->d_name, ".h");
        if (is_source && file_exists(arena_printf(reader->arena, "%s/%s", folder, entry->d_name))) {
            arena_grow(reader->arena, &names, &capacity, count + 1, sizeof *names);
            names[count++] = arena_strdup(reader->arena, entry->d_name);
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    if (count > 0) {
        qsort(names, count, sizeof *names, compare_names);
    }
    text_printf(all, "%s\n", path_name(folder));
    for (size_t i = 0; i < count; i++) {
        add_file(all, folder, names[i]);
    }
}

/* Appends what the coursework's files are, those that the grader reads. */
static void add_coursework(struct rubric_reader *reader, struct text *all)
{
    const struct rubric *rubric = reader->rubric;
    const char *solution = arena_printf(reader->arena, "%s/solution", rubric->reference_folder);

    add_sources(reader, rubric->reference_folder, all);
    add_sources(reader, rubric->common_folder, all);
    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        for (size_t k = 0; k < program->harness_count; k++) {
            add_file(all, rubric->reference_folder, program->harness[k]);
        }
        for (size_t k = 0; k < program->given_count; k++) {
            add_file(all, rubric->template_folder, program->given[k]);
        }
        for (size_t k = 0; k < program->source_count; k++) {
            add_file(all, rubric->template_folder, program->sources[k]);
            add_file(all, solution, program->sources[k]);
        }
    }
}

/* What hidden cases are drawn from: the salt, the parameters and the cases. */
static void hash_secret(const cJSON *root, char out_hex[65])
{
    static const char *const keys[] = {"salt", "id", "parameters", "cases"};
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(root, keys[i]);
        if (value != NULL) {
            json_print(value, &text);
        }
        text_append_char(&text, '\n');
    }
    hash_bytes(text.bytes, text.length, out_hex);
    text_release(&text);
}

static const char *id_of(const cJSON *entry)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(entry, "id");

    return cJSON_IsString(id) ? id->valuestring : "";
}

static int compare_criteria(const void *left, const void *right)
{
    return strcmp((*(const struct rubric_criterion *const *)left)->id,
                  (*(const struct rubric_criterion *const *)right)->id);
}

/* True if another criterion decides which kernel of a whole program this one is about. */
static bool is_of_dynamic_launch(const struct rubric *rubric, const struct rubric_criterion *of)
{
    return of->has_launch && rubric->launches[of->launch].input_count == 0 &&
           rubric_wants_dynamic(rubric, of->launch);
}

/* Hashes each criterion behind what all share, then all of them, whatever their order. */
static void hash_criteria(struct rubric_reader *reader, const cJSON *list, const char *shared)
{
    size_t count = reader->rubric->criterion_count;
    struct rubric_criterion *criteria = arena_array(reader->arena, count, sizeof *criteria);
    const struct rubric_criterion **sorted =
        arena_array(reader->arena, count, sizeof(struct rubric_criterion *));
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < count; i++) {
        const cJSON *entry = list->child;
        while (entry != NULL && strcmp(id_of(entry), reader->rubric->criteria[i].id) != 0) {
            entry = entry->next;
        }
        text_clear(&text);
        text_append(&text, shared);
        criteria[i] = reader->rubric->criteria[i];
        json_print(entry, &text);
        text_append(&text, is_of_dynamic_launch(reader->rubric, &criteria[i]) ? "dynamic" : "");
        hash_bytes(text.bytes, text.length, criteria[i].evidence_sha256);
        sorted[i] = &criteria[i];
    }
    qsort(sorted, count, sizeof(struct rubric_criterion *), compare_criteria);
    text_clear(&text);
    text_append(&text, shared);
    for (size_t i = 0; i < count; i++) {
        text_append(&text, sorted[i]->evidence_sha256);
    }
    hash_bytes(text.bytes, text.length, reader->rubric->evidence_sha256);
    reader->rubric->criteria = criteria;
    text_release(&text);
}

void rubric_hash_evidence(struct rubric_reader *reader, const cJSON *root)
{
    cJSON *copy = copy_of(root);
    struct text shared;

    drop_words(copy);
    sort_tree(copy);
    hash_secret(copy, reader->rubric->secret_sha256);
    cJSON *list = cJSON_DetachItemFromObjectCaseSensitive(copy, "criteria");
    text_init(&shared);
    json_print(copy, &shared);
    add_coursework(reader, &shared);
    hash_criteria(reader, list, shared.bytes);
    text_release(&shared);
    cJSON_Delete(list);
    cJSON_Delete(copy);
}

static cJSON *made(cJSON *value)
{
    if (value == NULL) {
        abort();
    }
    return value;
}

void rubric_keep_text(struct arena *arena, const struct rubric_chain *chain, struct rubric *rubric)
{
    struct text text;

    rubric->whole_text = chain->files[0].bytes;
    rubric->whole_length = chain->files[0].length;
    if (chain->count == 1 && chain->own_root == NULL) {
        return;
    }
    cJSON *root = made(cJSON_CreateObject());
    made(cJSON_AddStringToObject(root, "schema", bundle_schema));
    made(cJSON_AddBoolToObject(root, "is_named", chain->is_named));
    if (chain->own_root != NULL) {
        made(cJSON_AddStringToObject(root, "folder", chain->own_root));
    }
    cJSON *files = made(cJSON_AddArrayToObject(root, "files"));
    for (size_t i = 0; i < chain->count; i++) {
        cJSON *file = made(cJSON_CreateObject());
        made(cJSON_AddStringToObject(file, "path", path_name(chain->files[i].path)));
        made(cJSON_AddStringToObject(file, "text", chain->files[i].bytes));
        cJSON_AddItemToArray(files, file);
    }
    text_init(&text);
    json_print(root, &text);
    rubric->whole_text = arena_strndup(arena, text.bytes, text.length);
    rubric->whole_length = text.length;
    text_release(&text);
    cJSON_Delete(root);
}

bool rubric_is_bundle(const cJSON *root)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");

    return cJSON_IsString(schema) && strcmp(schema->valuestring, bundle_schema) == 0;
}

/* Takes one file over; all but the last extend the next. */
static enum error take_file(struct arena *arena, const struct json_document *document,
                            const cJSON *entry, struct rubric_chain *out_chain,
                            struct diagnostic *diagnostic)
{
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(entry, "path");
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(entry, "text");
    struct rubric_file file = {.length = 0};

    if (!cJSON_IsString(path) || !cJSON_IsString(text) || out_chain->count > RUBRIC_OVERLAYS_MAX) {
        json_diagnostic(document, entry, false, diagnostic,
                        "expected at most %d files, each with a path and a text",
                        RUBRIC_OVERLAYS_MAX + 1);
        return ERROR_SYNTAX;
    }
    file.path = arena_strdup(arena, path->valuestring);
    file.bytes = arena_strdup(arena, text->valuestring);
    file.length = strlen(file.bytes);
    enum error error =
        json_parse(file.bytes, file.length, file.path, BLAME_RUBRIC, &file.document, diagnostic);
    if (error == ERROR_NONE) {
        out_chain->files[out_chain->count++] = file;
        const cJSON *root = json_root(file.document);
        if ((cJSON_GetObjectItemCaseSensitive(root, "extends") != NULL) != (entry->next != NULL)) {
            json_diagnostic(file.document, root, false, diagnostic,
                            "each file but the last must extend the next one");
            error = ERROR_SYNTAX;
        }
    }
    return error;
}

enum error rubric_bundle_read(struct arena *arena, struct rubric_file first,
                              struct rubric_chain *out_chain, struct diagnostic *diagnostic)
{
    const cJSON *root = json_root(first.document);
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(root, "files");
    const cJSON *folder = cJSON_GetObjectItemCaseSensitive(root, "folder");
    enum error error = ERROR_NONE;

    out_chain->is_named = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(root, "is_named"));
    if (!cJSON_IsArray(files) || files->child == NULL) {
        json_diagnostic(first.document, root, false, diagnostic,
                        "'files' must list at least one file");
        return ERROR_SYNTAX;
    }
    if (folder != NULL && (!cJSON_IsString(folder) || folder->valuestring[0] != '/')) {
        json_diagnostic(first.document, folder, false, diagnostic,
                        "'folder' must be the path of a folder, starting with '/'");
        return ERROR_SYNTAX;
    }
    out_chain->own_root = folder == NULL ? NULL : arena_strdup(arena, folder->valuestring);
    for (const cJSON *entry = files->child; entry != NULL && error == ERROR_NONE;
         entry = entry->next) {
        error = take_file(arena, first.document, entry, out_chain, diagnostic);
    }
    return error;
}
