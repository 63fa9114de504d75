/* entry_name.c: names of a submission's files; see entry_name.h. */
#include "submission/entry_name.h"

#include <ctype.h>
#include <string.h>

enum { QUOTED_BYTES_MAX = 120 };

void entry_name_clean(const char *name, size_t length, struct text *out_name)
{
    bool is_absolute = length > 0 && name[0] == '/';
    size_t start = out_name->length;

    if (is_absolute) {
        text_append_char(out_name, '/');
    }
    for (size_t i = 0; i < length;) {
        const char *slash = memchr(name + i, '/', length - i);
        size_t part = slash == NULL ? length - i : (size_t)(slash - (name + i));
        if (part > 0 && !(part == 1 && name[i] == '.')) {
            if (out_name->length > start + (is_absolute ? 1 : 0)) {
                text_append_char(out_name, '/');
            }
            text_append_bytes(out_name, name + i, part);
        }
        i += part + 1;
    }
}

/* Why one part of a name is refused; NULL: it is good. */
static const char *part_fault(const char *part, size_t length)
{
    if (length == 2 && part[0] == '.' && part[1] == '.') {
        return "leads out of the submission";
    }
    return length > ENTRY_PART_BYTES_MAX ? "has a name of more than 255 bytes" : NULL;
}

/* "C:" at the beginning. */
static bool has_drive(const char *name, size_t length)
{
    return length >= 2 && name[1] == ':' && isalpha((unsigned char)name[0]);
}

const char *entry_name_fault(const char *name, size_t length)
{
    struct text shown;
    size_t depth = length > 0 ? 1 : 0;

    if (length > 0 && (name[0] == '/' || has_drive(name, length))) {
        return "is an absolute path";
    }
    if (length > ENTRY_NAME_BYTES_MAX) {
        return "has a path of more than 1024 bytes";
    }
    for (size_t i = 0; i < length;) {
        const char *slash = memchr(name + i, '/', length - i);
        size_t part = slash == NULL ? length - i : (size_t)(slash - (name + i));
        const char *fault = part_fault(name + i, part);
        if (fault != NULL) {
            return fault;
        }
        depth += slash == NULL ? 0 : 1;
        i += part + 1;
    }
    if (depth > ENTRY_DEPTH_MAX) {
        return "lies more than 8 folders deep";
    }
    if (memchr(name, '\0', length) != NULL || !text_is_utf8(name, length)) {
        return "has a name that is not UTF-8";
    }
    if (memchr(name, '\\', length) != NULL) {
        return "has a backslash in its name";
    }
    text_init(&shown);
    text_append_printable(&shown, name, length, false);
    bool is_plain = shown.length == length;
    text_release(&shown);
    return is_plain ? NULL : "has control characters or invisible characters in its name";
}

bool entry_name_is_left_out(const char *name)
{
    static const char beside[] = "__MACOSX";

    while (*name != '\0') {
        size_t part = strcspn(name, "/");
        bool is_dots = part <= 2 && strspn(name, ".") >= part; /* "", "." and ".." */
        if ((name[0] == '.' && !is_dots) ||
            (part == sizeof beside - 1 && memcmp(name, beside, part) == 0)) {
            return true;
        }
        name += part + (name[part] == '/' ? 1 : 0);
    }
    return false;
}

void entry_name_quote(const char *name, size_t length, struct text *out)
{
    size_t kept = length;

    if (length > QUOTED_BYTES_MAX) {
        kept = QUOTED_BYTES_MAX;
        while (kept > 0 && ((unsigned char)name[kept] & 0xC0) == 0x80) {
            kept--;
        }
    }
    text_append_char(out, '\'');
    text_append_printable(out, name, kept, false);
    text_append(out, kept < length ? "...'" : "'");
}
