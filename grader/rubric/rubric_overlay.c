/* rubric_overlay.c: reads, checks and merges the files of a chain; see rubric_overlay.h. */
#include "rubric/rubric_overlay.h"

#include "base/file.h"
#include "rubric/rubric_evidence.h"
#include "rubric/rubric_folders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The lists whose entries have ids, and the key that removes one where it is 0. */
static const struct {
    const char *key;
    const char *what;
    const char *removes;
} lists[] = {{"cases", "case", "repeat"}, {"criteria", "criterion", "points"}};

enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

/* True for an id, false for the name of a file. */
static bool is_coursework(const char *extends)
{
    return extends[strspn(extends, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* "extends" as a path. */
static const char *extended_path(struct arena *arena, const char *from, const char *name,
                                 const char *root)
{
    const char *slash = strrchr(from, '/');

    if (is_coursework(name)) {
        const char *of_root = arena_printf(arena, "%s/rubrics/%s.json", root, name);
        return slash == NULL || file_exists(of_root)
                   ? of_root
                   : arena_printf(arena, "%.*s/%s.json", (int)(slash - from), from, name);
    }
    return name[0] == '/' || slash == NULL
               ? arena_strdup(arena, name)
               : arena_printf(arena, "%.*s/%s", (int)(slash - from), from, name);
}

static const char *resolved_path(struct arena *arena, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *copy = arena_strdup(arena, resolved != NULL ? resolved : path);

    free(resolved);
    return copy;
}

/* True if a resolved path is that of the root's coursework of this id. */
static bool is_of_root(struct arena *arena, const char *path, const char *id, const char *root)
{
    return is_coursework(id) &&
           strcmp(path,
                  resolved_path(arena, arena_printf(arena, "%s/rubrics/%s.json", root, id))) == 0;
}

static bool chain_has(const struct rubric_chain *chain, const char *path)
{
    for (size_t i = 0; i < chain->count; i++) {
        if (strcmp(chain->files[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads the file that the last one of the chain extends; what is wrong is told there. */
static enum error read_extended(struct arena *arena, const struct rubric_chain *chain,
                                const cJSON *extends, const char *root,
                                struct rubric_file *out_file, struct diagnostic *diagnostic)
{
    const struct rubric_file *last = &chain->files[chain->count - 1];
    struct diagnostic inner = {.blame = BLAME_RUBRIC};
    char *bytes = NULL;

    if (!cJSON_IsString(extends) || extends->valuestring[0] == '\0') {
        json_diagnostic(
            last->document, extends, false, diagnostic,
            "'extends' must be the id of a coursework, or a file next to this one (\"base.json\")");
        return ERROR_SYNTAX;
    }
    const char *path =
        resolved_path(arena, extended_path(arena, last->path, extends->valuestring, root));
    if (chain_has(chain, path)) {
        json_diagnostic(last->document, extends, false, diagnostic,
                        "'%.100s' extends this rubric; nothing can extend itself",
                        extends->valuestring);
        return ERROR_RANGE;
    }
    if (chain->count > RUBRIC_OVERLAYS_MAX) {
        json_diagnostic(
            last->document, extends, false, diagnostic,
            "more than %d overlays on top of each other; merge some of them into one file",
            RUBRIC_OVERLAYS_MAX);
        return ERROR_LIMIT;
    }
    enum error error =
        file_read(arena, path, RUBRIC_BYTES_MAX, BLAME_RUBRIC, &bytes, &out_file->length, &inner);
    if (error == ERROR_NOT_FOUND) {
        json_diagnostic(last->document, extends, false, diagnostic,
                        is_coursework(extends->valuestring)
                            ? "there is no coursework '%.100s' to extend; to extend a file, add "
                              "its ending: \"base.json\""
                            : "there is no file '%.100s' next to this one to extend",
                        extends->valuestring);
    } else if (error != ERROR_NONE) {
        json_diagnostic(last->document, extends, false, diagnostic, "'%.100s' cannot be read: %s",
                        extends->valuestring, inner.message);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    out_file->path = path;
    out_file->bytes = bytes;
    return ERROR_NONE;
}

enum error rubric_chain_read(struct arena *arena, struct rubric_file first, const char *root,
                             struct rubric_chain *out_chain, struct diagnostic *diagnostic)
{
    struct rubric_file file = first;
    enum error error = ERROR_NONE;

    file.path = resolved_path(arena, first.path);
    for (;;) {
        /* the first file is named in messages as it was asked for */
        error = json_parse(file.bytes, file.length, out_chain->count == 0 ? first.path : file.path,
                           BLAME_RUBRIC, &file.document, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (out_chain->count == 0 && rubric_is_bundle(json_root(file.document))) {
            error = rubric_bundle_read(arena, file, out_chain, diagnostic);
            out_chain->is_stored = true;
            json_document_free(file.document);
            return error;
        }
        out_chain->files[out_chain->count++] = file;
        const cJSON *extends =
            cJSON_GetObjectItemCaseSensitive(json_root(file.document), "extends");
        if (extends == NULL) {
            out_chain->own_root = rubric_own_root(arena, file.path, root);
            return ERROR_NONE;
        }
        error = read_extended(arena, out_chain, extends, root, &file, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        out_chain->is_named = is_of_root(arena, file.path, extends->valuestring, root);
    }
}

void rubric_chain_release(struct rubric_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        json_document_free(chain->files[i].document);
    }
    chain->count = 0;
}

void rubric_chain_hash(const struct rubric_chain *chain, char out_hex[65])
{
    struct text all;

    hash_bytes(chain->files[0].bytes, chain->files[0].length, out_hex);
    if (chain->count == 1) {
        return;
    }
    text_init(&all);
    for (size_t i = 0; i < chain->count; i++) {
        hash_bytes(chain->files[i].bytes, chain->files[i].length, out_hex);
        text_append(&all, out_hex);
    }
    hash_bytes(all.bytes, all.length, out_hex);
    text_release(&all);
}

/* Moves a member to the end of an object. */
static void move_member(cJSON *from, cJSON *member, cJSON *to)
{
    cJSON_DetachItemViaPointer(from, member);
    if (!cJSON_AddItemToObject(to, member->string, member)) {
        abort();
    }
}

/* Takes in the members that are lacking. Those that both have stand in the order of `base`. */
static void take_members(cJSON *overlay, cJSON *base)
{
    for (cJSON *member = base->child, *next; member != NULL; member = next) {
        cJSON *own = cJSON_GetObjectItemCaseSensitive(overlay, member->string);
        next = member->next;
        move_member(own != NULL ? overlay : base, own != NULL ? own : member, overlay);
    }
}

static const char *id_of(const cJSON *entry)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(entry, "id");

    return cJSON_IsString(id) ? id->valuestring : NULL;
}

/* The entry of a list with an id, before `end`; NULL if there is none. */
static cJSON *find_entry(const cJSON *list, const char *id, const cJSON *end)
{
    for (cJSON *entry = list->child; entry != NULL && entry != end; entry = entry->next) {
        if (id_of(entry) != NULL && strcmp(id_of(entry), id) == 0) {
            return entry;
        }
    }
    return NULL;
}

static bool is_zero(const cJSON *entry, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, key);

    return cJSON_IsNumber(value) && value->valuedouble == 0;
}

/* Puts an entry of the overlay, detached, where it belongs in the list of the base. */
static void place_entry(struct rubric_reader *reader, size_t list, cJSON *entry, cJSON *base)
{
    cJSON *old = find_entry(base, id_of(entry), NULL);
    bool removes = is_zero(entry, lists[list].removes);

    if (old == NULL && removes) {
        reader_fail(reader, ERROR_RANGE, entry, false, "there is no %s '%.100s' to remove",
                    lists[list].what, id_of(entry));
    }
    if (old == NULL) {
        cJSON_AddItemToArray(base, entry);
        return;
    }
    if (removes) {
        cJSON_Delete(entry);
        cJSON_Delete(cJSON_DetachItemViaPointer(base, old));
        return;
    }
    if (cJSON_GetObjectItemCaseSensitive(entry, "kind") == NULL) {
        take_members(entry, old);
    }
    cJSON_ReplaceItemViaPointer(base, old, entry);
}

static bool check_entries(struct rubric_reader *reader, size_t list, const cJSON *overlay)
{
    if (!cJSON_IsArray(overlay)) {
        reader_fail(reader, ERROR_SYNTAX, overlay, false, "'%s' must be an array", lists[list].key);
        return false;
    }
    for (const cJSON *entry = overlay->child; entry != NULL; entry = entry->next) {
        if (id_of(entry) == NULL) {
            reader_fail(reader, ERROR_SYNTAX, entry, false, "a %s must be an object with an id",
                        lists[list].what);
            return false;
        }
        if (find_entry(overlay, id_of(entry), entry) != NULL) {
            reader_fail(reader, ERROR_RANGE, entry, false, "there is already a %s '%.100s'",
                        lists[list].what, id_of(entry));
            return false;
        }
    }
    return true;
}

/* Takes in the entries of a list: those of the base first, changed where the overlay has one of the
 * same id, then the new ones. */
static void take_entries(struct rubric_reader *reader, size_t list, cJSON *overlay, cJSON *base)
{
    if (!check_entries(reader, list, overlay) || !cJSON_IsArray(base)) {
        return;
    }
    while (overlay->child != NULL) {
        place_entry(reader, list, cJSON_DetachItemViaPointer(overlay, overlay->child), base);
    }
    while (base->child != NULL) {
        cJSON_AddItemToArray(overlay, cJSON_DetachItemViaPointer(base, base->child));
    }
}

/* Keys of an overlay; what else a rubric has cannot be changed. */
static void check_overlay(struct rubric_reader *reader, const cJSON *overlay, const cJSON *base)
{
    static const struct rubric_key keys[] = {
        {"schema", true},      {"extends", true},      {"id", false},         {"version", false},
        {"title", false},      {"salt", false},        {"hints", false},      {"limits", false},
        {"cases", false},      {"criteria", false},    {"late", false},       {"attempts", false},
        {"arithmetic", false}, {"leaderboard", false}, {"unmeasured", false},
    };
    enum { KEY_COUNT = sizeof keys / sizeof keys[0], ID = 2 };
    const cJSON *members[KEY_COUNT];
    const char *base_id = id_of(base);

    read_members(reader, overlay, "an overlay", keys, KEY_COUNT, members);
    if (members[ID] != NULL && base_id != NULL &&
        strcmp(read_name(reader, members[ID], NAME_COURSEWORK), base_id) != 0) {
        reader_fail(reader, ERROR_RANGE, members[ID], false,
                    "an overlay must keep the id of what it extends, '%.100s': it names the "
                    "folders of the coursework",
                    base_id);
    }
}

static void merge(struct rubric_reader *reader, cJSON *overlay, cJSON *base)
{
    if (!cJSON_IsObject(base)) {
        reader_fail(reader, ERROR_SYNTAX, base, false, "a rubric must be an object");
    }
    check_overlay(reader, overlay, base);
    if (reader->error != ERROR_NONE) {
        return;
    }
    cJSON *limits = cJSON_GetObjectItemCaseSensitive(overlay, "limits");
    cJSON *base_limits = cJSON_GetObjectItemCaseSensitive(base, "limits");
    if (cJSON_IsObject(limits) && cJSON_IsObject(base_limits)) {
        take_members(limits, base_limits);
    }
    for (size_t i = 0; i < LIST_COUNT; i++) {
        cJSON *list = cJSON_GetObjectItemCaseSensitive(overlay, lists[i].key);
        cJSON *base_list = cJSON_GetObjectItemCaseSensitive(base, lists[i].key);
        if (list != NULL && base_list != NULL && reader->error == ERROR_NONE) {
            take_entries(reader, i, list, base_list);
        }
    }
    for (cJSON *member = base->child, *next; member != NULL; member = next) {
        next = member->next;
        if (cJSON_GetObjectItemCaseSensitive(overlay, member->string) == NULL &&
            strcmp(member->string, "total") != 0) {
            move_member(base, member, overlay);
        }
    }
}

/* A rubric that extends nothing is what students are given. */
static void refuse_hidden(struct rubric_reader *reader, const cJSON *root)
{
    for (size_t i = 0; i < LIST_COUNT; i++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, lists[i].key);
        for (const cJSON *entry = list == NULL ? NULL : list->child; entry != NULL;
             entry = entry->next) {
            const cJSON *hidden = cJSON_GetObjectItemCaseSensitive(entry, "hidden");
            if (cJSON_IsTrue(hidden)) {
                reader_fail(reader, ERROR_RANGE, hidden, true,
                            "a rubric cannot hide anything: put hidden %s into an overlay, a file "
                            "that 'extends' this one",
                            lists[i].key);
            }
        }
    }
}

void rubric_chain_merge(struct rubric_reader *reader, struct rubric_chain *chain)
{
    refuse_hidden(reader, json_root(chain->files[chain->count - 1].document));
    for (size_t i = chain->count - 1; i > 0 && reader->error == ERROR_NONE; i--) {
        merge(reader, json_tree(chain->files[i - 1].document), json_tree(chain->files[i].document));
    }
}

/* A copy of a list without what is hidden. */
static cJSON *visible_entries(const cJSON *list)
{
    cJSON *copy = cJSON_Duplicate(list, true);

    for (cJSON *entry = copy == NULL ? NULL : copy->child, *next; entry != NULL; entry = next) {
        next = entry->next;
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "hidden"))) {
            cJSON_Delete(cJSON_DetachItemViaPointer(copy, entry));
        } else {
            cJSON_DeleteItemFromObjectCaseSensitive(entry, "hidden");
        }
    }
    return copy;
}

void rubric_print_public(const cJSON *root, double total, struct text *out)
{
    static const char *const order[] = {
        "schema",     "id",           "version",    "title", "about",    "next",       "total",
        "arithmetic", "global_races", "hints",      "late",  "attempts", "unmeasured", "gpu_model",
        "limits",     "programs",     "parameters", "cases", "launches", "printouts",  "criteria"};
    cJSON *copy = cJSON_CreateObject();

    for (size_t i = 0; copy != NULL && i < sizeof order / sizeof order[0]; i++) {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(root, order[i]);
        bool is_list = strcmp(order[i], "cases") == 0 || strcmp(order[i], "criteria") == 0;
        if (strcmp(order[i], "total") == 0) {
            if (fabs(total - 100) > 1e-9) {
                json_add_number(copy, "total", total);
            }
        } else if (member != NULL) {
            cJSON *item = is_list ? visible_entries(member) : cJSON_Duplicate(member, true);
            if (item == NULL || !cJSON_AddItemToObject(copy, order[i], item)) {
                abort();
            }
        }
    }
    if (copy == NULL) {
        abort();
    }
    json_print(copy, out);
    cJSON_Delete(copy);
}
