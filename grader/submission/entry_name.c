/* entry_name.c: names of a submission's files; see entry_name.h. */
#include "submission/entry_name.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_BYTES_MAX = 120, FOLD_MAX = 4 };

/* Hangul syllables are decomposed by arithmetic (Unicode, section 3.12). */
enum {
    HANGUL_FIRST = 0xAC00,
    HANGUL_LAST = 0xD7A3,
    HANGUL_LEAD = 0x1100,
    HANGUL_VOWEL = 0x1161,
    HANGUL_TRAIL = 0x11A7,
    HANGUL_VOWELS = 21,
    HANGUL_TRAILS = 28,
};

static const struct fold {
    uint32_t from;
    uint32_t to[FOLD_MAX];
} folds[] = {
#define FOLD(from, a, b, c, d) {from, {a, b, c, d}},
#include "submission/name_folds.def"
#undef FOLD
};

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

/* The character at `s`, which is well-formed UTF-8; returns its bytes. */
static size_t decode(const char *s, uint32_t *out_character)
{
    unsigned char lead = (unsigned char)s[0];
    size_t step = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t character = step == 1 ? lead : (uint32_t)(lead & (0xFF >> (step + 1)));

    for (size_t i = 1; i < step; i++) {
        character = (character << 6) | ((unsigned char)s[i] & 0x3F);
    }
    *out_character = character;
    return step;
}

static int compare_folds(const void *character, const void *fold)
{
    uint32_t left = *(const uint32_t *)character;
    uint32_t right = ((const struct fold *)fold)->from;

    return (left > right) - (left < right);
}

/* Characters as four bytes each: a key is compared, never read. */
static void append_character(struct text *key, uint32_t character)
{
    const char bytes[] = {(char)(character >> 24), (char)(character >> 16), (char)(character >> 8),
                          (char)character};

    text_append_bytes(key, bytes, sizeof bytes);
}

static void append_folded(struct text *key, uint32_t character)
{
    const struct fold *fold = NULL;

    if (character >= 'A' && character <= 'Z') {
        append_character(key, character - 'A' + 'a');
        return;
    }
    if (character >= HANGUL_FIRST && character <= HANGUL_LAST) {
        uint32_t index = character - HANGUL_FIRST;
        append_character(key, HANGUL_LEAD + index / (HANGUL_VOWELS * HANGUL_TRAILS));
        append_character(key, HANGUL_VOWEL + index / HANGUL_TRAILS % HANGUL_VOWELS);
        if (index % HANGUL_TRAILS != 0) {
            append_character(key, HANGUL_TRAIL + index % HANGUL_TRAILS);
        }
        return;
    }
    if (character >= folds[0].from) {
        fold = bsearch(&character, folds, sizeof folds / sizeof folds[0], sizeof folds[0],
                       compare_folds);
    }
    if (fold == NULL) {
        append_character(key, character);
    }
    for (size_t i = 0; fold != NULL && i < FOLD_MAX && fold->to[i] != 0; i++) {
        append_character(key, fold->to[i]);
    }
}

void entry_name_key(const char *name, struct text *out_key)
{
    while (*name != '\0') {
        size_t part = strcspn(name, "/");
        size_t end = part;
        while (end > 0 && (name[end - 1] == '.' || name[end - 1] == ' ')) {
            end--; /* Windows drops them */
        }
        for (size_t i = 0; i < end;) {
            uint32_t character;
            i += decode(name + i, &character);
            append_folded(out_key, character);
        }
        name += part;
        if (*name == '/') {
            append_character(out_key, '/');
            name++;
        }
    }
}
