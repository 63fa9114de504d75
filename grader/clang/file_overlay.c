/* file_overlay.c: see file_overlay.h. The format is YAML, of which JSON is a part. */
#include "clang/file_overlay.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

void file_overlay_init(struct file_overlay *overlay)
{
    overlay->root = cJSON_CreateObject();
    cJSON_AddNumberToObject(overlay->root, "version", 0);
    cJSON_AddBoolToObject(overlay->root, "use-external-names", false);
    cJSON_AddArrayToObject(overlay->root, "roots");
}

void file_overlay_drop(struct file_overlay *overlay)
{
    cJSON_Delete(overlay->root);
    overlay->root = NULL;
}

void file_overlay_add(struct file_overlay *overlay, const char *path, const char *contents,
                      bool is_folder)
{
    cJSON *entry = cJSON_CreateObject();

    cJSON_AddStringToObject(entry, "name", path);
    cJSON_AddStringToObject(entry, "type", is_folder ? "directory-remap" : "file");
    cJSON_AddStringToObject(entry, "external-contents", contents);
    cJSON_AddItemToArray(cJSON_GetObjectItem(overlay->root, "roots"), entry);
}

enum error file_overlay_use(struct file_overlay *overlay, struct arena *arena,
                            struct compile_plan *plan, const char *file,
                            struct diagnostic *diagnostic)
{
    struct text text;

    text_init(&text);
    json_print(overlay->root, &text);
    enum error error = file_write_atomic(file, text.bytes, text.length, diagnostic);
    text_release(&text);
    file_overlay_drop(overlay);
    arguments_add(arena, &plan->both, "-ivfsoverlay");
    arguments_add(arena, &plan->both, file);
    return error;
}
