/* class_draft.c: see class_draft.h. */
#include "batch/class_draft.h"

#include "base/file.h"
#include "base/text.h"
#include "batch/loose_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void class_draft_init(struct class_draft *draft, struct arena *arena)
{
    *draft = (struct class_draft){.arena = arena};
}

const char *class_draft_text(const struct class_draft *draft, const char *name, size_t length)
{
    struct text shown;

    text_init(&shown);
    text_append_printable(&shown, name, length, false);
    const char *text = arena_strdup(draft->arena, shown.bytes);
    text_release(&shown);
    return text;
}

void class_draft_remark(struct class_draft *draft, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;

    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0) {
        abort(); /* no memory, as the arena does */
    }
    arena_grow(draft->arena, &draft->remarks, &draft->remark_capacity, draft->remark_count + 1,
               sizeof *draft->remarks);
    draft->remarks[draft->remark_count++] = arena_strdup(draft->arena, line);
    free(line);
}

void class_draft_left_out(struct class_draft *draft, const struct class_item *item,
                          const char *expected)
{
    const char *name = class_draft_text(draft, item->name, strlen(item->name));

    if (item->kind == CLASS_ITEM_LINK) {
        class_draft_remark(
            draft, "'%s' is a link or a device and is skipped; links are not followed", name);
    } else if (item->kind == CLASS_ITEM_RESULTS) {
        class_draft_remark(draft, "'%s' contains results of gpugrade and is skipped", name);
    } else {
        class_draft_remark(draft, "'%s' is skipped: expected %s", name, expected);
    }
}

static void add(struct class_draft *draft, struct class_entry entry)
{
    arena_grow(draft->arena, &draft->entries, &draft->entry_capacity, draft->entry_count + 1,
               sizeof *draft->entries);
    draft->entries[draft->entry_count++] = entry;
}

/* The only archive of a folder in which no source and no folder lies; NULL otherwise. */
static const struct class_item *lone_archive(const struct class_folder *folder)
{
    const struct class_item *archive = NULL;

    for (size_t i = 0; i < folder->count; i++) {
        const struct class_item *item = &folder->items[i];
        bool is_archive = item->kind == CLASS_ITEM_ARCHIVE;
        if (item->kind == CLASS_ITEM_SOURCE || item->kind == CLASS_ITEM_FOLDER ||
            (is_archive && archive != NULL)) {
            return NULL;
        }
        archive = is_archive ? item : archive;
    }
    return archive;
}

void class_draft_item(struct class_draft *draft, struct class_entry entry,
                      const struct class_item *item)
{
    struct class_folder inner = {0};

    if (entry.submission == NULL) {
        entry.submission = class_draft_text(draft, item->name, strlen(item->name));
    }
    entry.path = item->path;
    entry.is_folder = item->kind == CLASS_ITEM_FOLDER;
    entry.stamp = class_item_stamp(draft->arena, item->path);
    if (entry.is_folder &&
        class_folder_read(draft->arena, item->path, &inner, NULL) == ERROR_NONE) {
        const struct class_item *archive = lone_archive(&inner);
        entry.path = archive != NULL ? archive->path : item->path;
        entry.is_folder = archive == NULL;
    }
    add(draft, entry);
}

static void add_archive(struct class_draft *draft, struct class_entry entry,
                        const struct class_item *archive, size_t archive_count)
{
    if (archive_count > 1) {
        class_draft_remark(draft, "'%s' has %zu archives; the newest, '%s', is graded",
                           entry.submission, archive_count,
                           class_draft_text(draft, archive->name, strlen(archive->name)));
    }
    class_draft_item(draft, entry, archive);
}

/* Without sources and archives: kept all the same, so that it is graded as what it is. */
void class_draft_files(struct class_draft *draft, struct class_entry entry,
                       const struct class_item *const *files, const char *const *names,
                       size_t count)
{
    const struct class_item *archive = NULL;
    size_t archive_count = 0;
    size_t source_count = 0;
    struct text path;
    struct text stamps;

    for (size_t i = 0; i < count; i++) {
        source_count += files[i]->kind == CLASS_ITEM_SOURCE;
        archive_count += files[i]->kind == CLASS_ITEM_ARCHIVE;
        archive = files[i]->kind == CLASS_ITEM_ARCHIVE ? files[i] : archive;
    }
    if (archive != NULL && source_count == 0) {
        add_archive(draft, entry, archive, archive_count);
        return;
    }
    if (archive != NULL) {
        class_draft_remark(draft, "'%s' has sources and an archive; the sources are graded",
                           entry.submission);
    }
    text_init(&path);
    text_init(&stamps);
    for (size_t i = 0; i < count; i++) {
        if (!loose_files_append(&path, names[i], files[i]->path)) {
            class_draft_left_out(draft, files[i], "a name without tabs and line breaks");
        }
        text_append(&stamps, class_item_stamp(draft->arena, files[i]->path));
        text_append(&stamps, names[i]);
    }
    char *stamp = arena_alloc(draft->arena, 65);
    hash_bytes(stamps.bytes, stamps.length, stamp);
    entry.stamp = stamp;
    entry.path = arena_strdup(draft->arena, path.bytes);
    entry.is_folder = false;
    add(draft, entry);
    text_release(&path);
    text_release(&stamps);
}

static int compare_submissions(const void *left, const void *right)
{
    const struct class_entry *a = left;
    const struct class_entry *b = right;

    return strcmp(a->submission, b->submission);
}

static int compare_entries(const void *left, const void *right)
{
    const struct class_entry *a = left;
    const struct class_entry *b = right;
    int order = strcmp(a->student, b->student);

    if (order == 0) {
        order = (a->submitted > b->submitted) - (a->submitted < b->submitted);
    }
    return order != 0 ? order : strcmp(a->submission, b->submission);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* A submission of several students has an entry for each: "submission_5", "submission_5 (2)", or
 * the next number if something is called that already. */
void class_draft_name(struct class_draft *draft)
{
    struct class_entry *entries = draft->entries;
    size_t count = draft->entry_count;
    const char **names = arena_array(draft->arena, count, sizeof *names);

    if (count == 0) {
        return;
    }
    qsort(entries, count, sizeof *entries, compare_submissions);
    for (size_t i = 0; i < count; i++) {
        names[i] = entries[i].submission;
    }
    for (size_t i = 1, number = 1; i < count; i++) {
        number = strcmp(names[i], names[i - 1]) == 0 ? number : 1;
        while (strcmp(names[i], names[i - 1]) == 0 &&
               bsearch(&entries[i].submission, names, count, sizeof *names, compare_names) !=
                   NULL) {
            number++;
            entries[i].submission = arena_printf(draft->arena, "%s (%zu)", names[i], number);
        }
    }
    qsort(entries, count, sizeof *entries, compare_submissions);
}

static bool differ(const char *left, const char *right)
{
    left = text_or_empty(left);
    right = text_or_empty(right);
    return left[0] != '\0' && right[0] != '\0' && strcasecmp(left, right) != 0;
}

static void remark_mixed(struct class_draft *draft, const struct class_entry *first,
                         const struct class_entry *second)
{
    class_draft_remark(draft,
                       "'%s' and '%s' count as attempts of one student, '%s', but come from "
                       "different people; check that ids and names are right",
                       first->submission, second->submission, first->student);
}

static int compare_students(const void *left, const void *right)
{
    return strcmp(((const struct class_entry *)left)->student,
                  ((const struct class_entry *)right)->student);
}

void class_draft_check_addresses(struct class_draft *draft)
{
    struct class_entry *entries = draft->entries;

    if (draft->entry_count > 0) {
        qsort(entries, draft->entry_count, sizeof *entries, compare_students);
    }
    for (size_t i = 1; i < draft->entry_count; i++) {
        if (compare_students(&entries[i - 1], &entries[i]) == 0 &&
            differ(entries[i - 1].email, entries[i].email)) {
            remark_mixed(draft, &entries[i - 1], &entries[i]);
        }
    }
}

/* A roster has found one person for what a platform knows as two. */
static void check_ids(struct class_draft *draft)
{
    const struct class_entry *entries = draft->entries;

    for (size_t i = 1; i < draft->entry_count; i++) {
        if (compare_students(&entries[i - 1], &entries[i]) == 0 &&
            (differ(entries[i - 1].canvas_id, entries[i].canvas_id) ||
             differ(entries[i - 1].moodle_id, entries[i].moodle_id))) {
            remark_mixed(draft, &entries[i - 1], &entries[i]);
        }
    }
}

void class_draft_finish(struct class_draft *draft)
{
    for (size_t i = 0; i < draft->entry_count; i++) {
        struct class_entry *entry = &draft->entries[i];
        entry->name = text_or_empty(entry->name);
        entry->email = text_or_empty(entry->email);
        entry->canvas_id = text_or_empty(entry->canvas_id);
        entry->login = text_or_empty(entry->login);
        entry->moodle_id = text_or_empty(entry->moodle_id);
    }
    if (draft->entry_count > 0) {
        qsort(draft->entries, draft->entry_count, sizeof *draft->entries, compare_entries);
        check_ids(draft);
    }
}
