/* intake_stream.c: the records of gpugrade-unpack, as hostile bytes; see intake_archive.h. */
#include "base/text.h"
#include "submission/entry_name.h"
#include "submission/intake_archive.h"
#include "submission/unpack/unpack_stream.h"
#include "wire/little_endian.h"

#include <string.h>

/* One record of a stream. */
struct record {
    uint8_t kind;
    const char *name; /* [name_length] */
    size_t name_length;
    const char *content; /* [content_length] */
    size_t content_length;
};

/* What is said about an entry that refuses the whole archive. */
static const struct refusal {
    enum unpack_kind kind;
    enum error error;
    const char *fault, *remedy;
} refusals[] = {
    {UNPACK_SYMBOLIC_LINK, ERROR_SYNTAX, "is a symbolic link, which cannot be followed here",
     "put the file itself in its place and pack again"},
    {UNPACK_HARD_LINK, ERROR_SYNTAX, "is a hard link to another entry",
     "pack again with copies (tar --hard-dereference, or zip)"},
    {UNPACK_SPECIAL, ERROR_SYNTAX, "is a device, a named pipe or a socket",
     "pack again with files and folders only"},
    {UNPACK_ENCRYPTED, ERROR_SYNTAX, "is encrypted", "pack again without a password"},
    {UNPACK_TOO_LARGE, ERROR_LIMIT, "is too large: a file may have at most 16 MiB",
     "send only the sources, not what is built or measured"},
    {UNPACK_TOO_MUCH, ERROR_LIMIT, "makes the submission too large: it may have at most 64 MiB",
     "send only the sources, not what is built or measured"},
    {UNPACK_TOO_MANY, ERROR_LIMIT, "is one entry too many: an archive may have at most 20000",
     "send only the sources"},
};

static enum error refuse_damaged(const struct intake_list *list, const struct record *record,
                                 struct diagnostic *diagnostic)
{
    struct text where;
    struct text reason;

    text_init(&where);
    text_init(&reason);
    if (record->name_length > 0) {
        text_append(&where, " at ");
        entry_name_quote(record->name, record->name_length, &where);
    }
    if (record->content_length > 0) {
        size_t shown = record->content_length < UNPACK_TEXT_BYTES_MAX ? record->content_length
                                                                      : UNPACK_TEXT_BYTES_MAX;
        text_append(&reason, " (");
        text_append_printable(&reason, record->content, shown, false);
        text_append_char(&reason, ')');
    }
    diagnostic_set_at(diagnostic, BLAME_STUDENT, list->shown, 0, 0,
                      "the archive is damaged or cut off%s%s; pack and send it again", where.bytes,
                      reason.bytes);
    text_release(&where);
    text_release(&reason);
    return ERROR_SYNTAX;
}

static enum error refuse_format(const struct intake_list *list, struct diagnostic *diagnostic)
{
    diagnostic_set_at(
        diagnostic, BLAME_USAGE, list->shown, 0, 0,
        "this is not an archive that can be read; send a folder, or a zip, tar, tar.gz, "
        "tar.bz2, tar.xz or tar.zst of it");
    return ERROR_UNSUPPORTED;
}

/* The stream itself is broken: the helper was killed, or does what the archive wants. */
static enum error refuse_stream(const struct intake_list *list, struct diagnostic *diagnostic)
{
    diagnostic_set_at(diagnostic, BLAME_STUDENT, list->shown, 0, 0,
                      "the archive breaks the program that unpacks it; pack it again with another "
                      "program, or send a folder");
    return ERROR_SYNTAX;
}

/* Takes the record at *at; false if it is not whole. */
static bool next_record(const char *bytes, size_t length, size_t *at, struct record *out_record)
{
    const uint8_t *head = (const uint8_t *)bytes + *at;

    if (length - *at < UNPACK_HEAD_BYTES) {
        return false;
    }
    uint32_t name_length = little_get_u32(head + 4);
    uint64_t content_length = little_get_u64(head + 8);
    size_t rest = length - *at - UNPACK_HEAD_BYTES;
    if (name_length > UNPACK_NAME_BYTES_MAX || name_length > rest ||
        content_length > rest - name_length) {
        return false;
    }
    *out_record = (struct record){
        .kind = head[0],
        .name = bytes + *at + UNPACK_HEAD_BYTES,
        .name_length = name_length,
        .content = bytes + *at + UNPACK_HEAD_BYTES + name_length,
        .content_length = (size_t)content_length,
    };
    *at += UNPACK_HEAD_BYTES + name_length + (size_t)content_length;
    return true;
}

static enum error take_entry(struct intake_list *list, const struct record *record,
                             struct diagnostic *diagnostic)
{
    const char *name = NULL;
    enum error error = intake_list_name(list, record->name, record->name_length, &name, diagnostic);

    if (error != ERROR_NONE || name == NULL) {
        return error;
    }
    if (record->kind == UNPACK_FOLDER) {
        return intake_list_folder(list, name, diagnostic);
    }
    error = intake_list_fits(list, name, record->content_length, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    char *bytes = arena_alloc(list->arena, record->content_length + 1);
    if (record->content_length > 0) {
        memcpy(bytes, record->content, record->content_length);
    }
    return intake_list_file(list, name, bytes, record->content_length, diagnostic);
}

static enum error take_refusal(struct intake_list *list, const struct record *record,
                               struct diagnostic *diagnostic)
{
    if (record->kind == UNPACK_DAMAGED) {
        return refuse_damaged(list, record, diagnostic);
    }
    if (record->kind == UNPACK_NOT_ARCHIVE) {
        return refuse_format(list, diagnostic);
    }
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        if (record->kind == refusals[i].kind) {
            intake_list_refuse(list, record->name, record->name_length, refusals[i].fault,
                               refusals[i].remedy, diagnostic);
            return refusals[i].error;
        }
    }
    return refuse_stream(list, diagnostic);
}

enum error intake_read_stream(struct intake_list *list, const char *bytes, size_t length,
                              struct diagnostic *diagnostic)
{
    size_t at = UNPACK_MAGIC_BYTES;
    size_t entries = 0;
    struct record record;
    enum error error = ERROR_NONE;

    if (length < UNPACK_MAGIC_BYTES || memcmp(bytes, UNPACK_MAGIC, UNPACK_MAGIC_BYTES) != 0) {
        return refuse_stream(list, diagnostic);
    }
    while (error == ERROR_NONE) {
        if (!next_record(bytes, length, &at, &record) || ++entries > UNPACK_ENTRIES_MAX + 1) {
            return refuse_stream(list, diagnostic);
        }
        if (record.kind == UNPACK_END) {
            return at == length ? ERROR_NONE : refuse_stream(list, diagnostic);
        }
        error = record.kind == UNPACK_FILE || record.kind == UNPACK_FOLDER
                    ? take_entry(list, &record, diagnostic)
                    : take_refusal(list, &record, diagnostic);
    }
    return error;
}
