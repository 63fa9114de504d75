/* unpack_archive.c: see unpack_archive.h. */
#include "submission/unpack/unpack_archive.h"

#include "base/text.h"
#include "submission/entry_name.h"
#include "submission/intake_list.h"
#include "submission/unpack/unpack_stream.h"
#include "wire/little_endian.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CONTENT_BYTES_MIN = 1 << 16 };

/* One archive on its way. */
struct unpacking {
    struct archive *archive;
    const struct unpack_output *output;
    bool is_zip;   /* by its first bytes */
    char *content; /* [content_capacity] of one file */
    size_t content_capacity;
    struct text name;
    size_t entries;
    size_t total_bytes;
    bool done; /* the last record is written */
    bool good; /* the output took everything */
};

/* Code page 437 from 0x80 on (the Unicode Consortium's CP437.TXT). */
static const uint16_t cp437[128] = {
    0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB, 0x00E8, 0x00EF,
    0x00EE, 0x00EC, 0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4, 0x00F6, 0x00F2, 0x00FB, 0x00F9,
    0x00FF, 0x00D6, 0x00DC, 0x00A2, 0x00A3, 0x00A5, 0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA,
    0x00F1, 0x00D1, 0x00AA, 0x00BA, 0x00BF, 0x2310, 0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F,
    0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580,
    0x03B1, 0x00DF, 0x0393, 0x03C0, 0x03A3, 0x03C3, 0x00B5, 0x03C4, 0x03A6, 0x0398, 0x03A9, 0x03B4,
    0x221E, 0x03C6, 0x03B5, 0x2229, 0x2261, 0x00B1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00F7, 0x2248,
    0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2, 0x25A0, 0x00A0,
};

static void put(struct unpacking *unpacking, const void *bytes, size_t length)
{
    if (unpacking->good && length > 0) {
        unpacking->good = unpacking->output->write(unpacking->output->context, bytes, length);
    }
}

static void put_record(struct unpacking *unpacking, enum unpack_kind kind, const void *content,
                       size_t length)
{
    uint8_t head[UNPACK_HEAD_BYTES] = {(uint8_t)kind};
    size_t name_length = unpacking->name.length;

    if (name_length > UNPACK_NAME_BYTES_MAX) {
        name_length = UNPACK_NAME_BYTES_MAX;
    }
    little_put_u32(head + 4, (uint32_t)name_length);
    little_put_u64(head + 8, length);
    put(unpacking, head, sizeof head);
    put(unpacking, unpacking->name.bytes, name_length);
    put(unpacking, content, length);
}

/* Writes the record that says why nothing follows. */
static void stop(struct unpacking *unpacking, enum unpack_kind kind)
{
    put_record(unpacking, kind, NULL, 0);
    unpacking->done = true;
}

static void stop_damaged(struct unpacking *unpacking)
{
    const char *reason = archive_error_string(unpacking->archive);
    size_t length = reason == NULL ? 0 : strlen(reason);

    if (length > UNPACK_TEXT_BYTES_MAX) {
        length = UNPACK_TEXT_BYTES_MAX;
    }
    put_record(unpacking, UNPACK_DAMAGED, reason, length);
    unpacking->done = true;
}

static void append_utf8(struct text *out, uint32_t character)
{
    if (character < 0x80) {
        text_append_char(out, (char)character);
    } else if (character < 0x800) {
        text_append_char(out, (char)(0xC0 | (character >> 6)));
        text_append_char(out, (char)(0x80 | (character & 0x3F)));
    } else {
        text_append_char(out, (char)(0xE0 | (character >> 12)));
        text_append_char(out, (char)(0x80 | ((character >> 6) & 0x3F)));
        text_append_char(out, (char)(0x80 | (character & 0x3F)));
    }
}

static bool reads_zip(struct archive *archive)
{
    return (archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

/* Takes the name of the entry; one that cannot be had at all becomes a byte that is no UTF-8. */
static void take_name(struct unpacking *unpacking, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);

    text_clear(&unpacking->name);
    if (name == NULL) {
        name = archive_entry_pathname_utf8(entry);
    }
    if (name == NULL) {
        text_append(&unpacking->name, "\xFF");
        return;
    }
    if (!reads_zip(unpacking->archive) || text_is_utf8(name, strlen(name))) {
        text_append(&unpacking->name, name);
        return;
    }
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        append_utf8(&unpacking->name, c < 0x80 ? c : cp437[c - 0x80]);
    }
}

/* Makes room for more of a file, up to one byte more than is allowed. */
static bool grow_content(struct unpacking *unpacking)
{
    size_t most = (size_t)INTAKE_FILE_BYTES_MAX + 1;
    size_t capacity = unpacking->content_capacity * 2;

    capacity = capacity < CONTENT_BYTES_MIN ? CONTENT_BYTES_MIN : capacity;
    capacity = capacity > most ? most : capacity;
    char *content = realloc(unpacking->content, capacity);
    if (content == NULL) {
        unpacking->good = false;
        return false;
    }
    unpacking->content = content;
    unpacking->content_capacity = capacity;
    return true;
}

/* Reads the content of a file, at most one byte more than is allowed. */
static void take_file(struct unpacking *unpacking, struct archive_entry *entry)
{
    size_t room = INTAKE_TREE_BYTES_MAX - unpacking->total_bytes;
    size_t length = 0;

    if (archive_entry_size_is_set(entry) && archive_entry_size(entry) > INTAKE_FILE_BYTES_MAX) {
        stop(unpacking, UNPACK_TOO_LARGE);
        return;
    }
    for (;;) {
        if (length == unpacking->content_capacity && !grow_content(unpacking)) {
            return;
        }
        la_ssize_t step = archive_read_data(unpacking->archive, unpacking->content + length,
                                            unpacking->content_capacity - length);
        if (step < 0) {
            stop_damaged(unpacking);
            return;
        }
        length += (size_t)step;
        if (length > INTAKE_FILE_BYTES_MAX || length > room) {
            stop(unpacking, length > room ? UNPACK_TOO_MUCH : UNPACK_TOO_LARGE);
            return;
        }
        if (step == 0) {
            break;
        }
    }
    unpacking->total_bytes += length;
    put_record(unpacking, UNPACK_FILE, unpacking->content, length);
}

static void take_entry(struct unpacking *unpacking, struct archive_entry *entry)
{
    if (++unpacking->entries > UNPACK_ENTRIES_MAX) {
        stop(unpacking, UNPACK_TOO_MANY);
        return;
    }
    take_name(unpacking, entry);
    mode_t type = archive_entry_filetype(entry);
    if (entry_name_is_left_out(unpacking->name.bytes)) {
        put_record(unpacking, UNPACK_FOLDER, NULL, 0);
    } else if (archive_entry_hardlink(entry) != NULL) {
        stop(unpacking, UNPACK_HARD_LINK);
    } else if (type == AE_IFDIR) {
        put_record(unpacking, UNPACK_FOLDER, NULL, 0);
    } else if (type == AE_IFLNK) {
        stop(unpacking, UNPACK_SYMBOLIC_LINK);
    } else if (type != AE_IFREG && type != 0) {
        stop(unpacking, UNPACK_SPECIAL);
    } else if (archive_entry_is_data_encrypted(entry) ||
               archive_entry_is_metadata_encrypted(entry)) {
        stop(unpacking, UNPACK_ENCRYPTED);
    } else {
        take_file(unpacking, entry);
    }
}

/* Bytes of which no format wants to be the owner, as opposed to a format that is broken. Without
 * its end, a zip is not known for one. */
static bool is_no_archive(struct unpacking *unpacking)
{
    const char *reason = archive_error_string(unpacking->archive);

    return !unpacking->is_zip && unpacking->entries == 0 && reason != NULL &&
           strstr(reason, "Unrecognized archive format") != NULL;
}

static void take_entries(struct unpacking *unpacking)
{
    while (!unpacking->done && unpacking->good) {
        struct archive_entry *entry = NULL;
        int result = archive_read_next_header(unpacking->archive, &entry);
        if (result == ARCHIVE_EOF) {
            text_clear(&unpacking->name);
            stop(unpacking, UNPACK_END);
        } else if (result == ARCHIVE_OK || result == ARCHIVE_WARN) {
            take_entry(unpacking, entry);
        } else if (is_no_archive(unpacking)) {
            stop(unpacking, UNPACK_NOT_ARCHIVE);
        } else {
            stop_damaged(unpacking);
        }
    }
}

static bool open_archive(struct unpacking *unpacking, const void *bytes, size_t length)
{
    struct archive *archive = unpacking->archive;

    /* Only the seekable reader of zip believes the central directory, where links are told apart
     * from files; the other one makes sense of any piece of a zip. */
    return archive_read_support_filter_gzip(archive) == ARCHIVE_OK &&
           archive_read_support_filter_bzip2(archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_xz(archive) >= ARCHIVE_WARN &&
           archive_read_support_filter_zstd(archive) >= ARCHIVE_WARN &&
           archive_read_support_format_tar(archive) == ARCHIVE_OK &&
           archive_read_support_format_zip_seekable(archive) == ARCHIVE_OK &&
           archive_read_open_memory(archive, bytes, length) == ARCHIVE_OK;
}

bool unpack_archive(const void *bytes, size_t length, const struct unpack_output *output)
{
    struct unpacking unpacking = {
        .archive = archive_read_new(),
        .output = output,
        .is_zip = length >= 4 && memcmp(bytes, "PK\3\4", 4) == 0,
        .good = true,
    };

    text_init(&unpacking.name);
    if (unpacking.archive == NULL) {
        unpacking.good = false;
    }
    put(&unpacking, UNPACK_MAGIC, UNPACK_MAGIC_BYTES);
    if (unpacking.good && !open_archive(&unpacking, bytes, length)) {
        if (is_no_archive(&unpacking)) {
            stop(&unpacking, UNPACK_NOT_ARCHIVE);
        } else {
            stop_damaged(&unpacking);
        }
    }
    take_entries(&unpacking);
    archive_read_free(unpacking.archive);
    free(unpacking.content);
    text_release(&unpacking.name);
    return unpacking.good;
}
