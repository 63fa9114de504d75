/* plain_name.c: names as students write them; see toolchain.h.
 *
 * Return type, template arguments and call arguments go, namespaces stay: "ns::kernel" for
 * _ZN2ns6kernelIiEEvPT_. What is left stands at the start of a mangled name, where it is read.
 * Other names are demangled by the C++ runtime, but for those that refer to parts of themselves
 * often: a name of 300 bytes may stand for one of gigabytes.
 */
#include "toolchain/toolchain.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* At most 1.5 to the power of so many times as long; 1024 bytes are what the runtime takes. */
enum { REFERENCES_MAX = 16, MANGLED_MAX = 1024, LENGTH_MAX = 1 << 24 };

/* From the C++ ABI (itanium-cxx-abi, 3.4); in libstdc++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* Reads "<length><identifier>", also behind an L for internal linkage; false if it is none. */
static bool take_component(const char **name, struct text *plain)
{
    const char *at = **name == 'L' ? *name + 1 : *name;
    size_t length = 0;

    while (*at >= '0' && *at <= '9' && length < LENGTH_MAX) {
        length = length * 10 + (size_t)(*at++ - '0');
    }
    if (length == 0 || strnlen(at, length) < length) {
        return false;
    }
    text_append(plain, plain->length > 0 ? "::" : "");
    bool is_unnamed = text_starts_with(at, "_GLOBAL_") && length > strlen("_GLOBAL__N") - 1 &&
                      strchr("._$", at[8]) != NULL && at[9] == 'N';
    if (is_unnamed) {
        text_append(plain, "(anonymous namespace)");
    } else {
        text_append_bytes(plain, at, length);
    }
    *name = at + length;
    return true;
}

/* The name of a function as it stands at the start of a mangled one, up to template arguments;
 * false if something else stands there. */
static bool read_plain(const char *mangled, struct text *plain)
{
    const char *at = mangled + strlen("_Z");
    bool is_nested = text_starts_with(mangled, "_ZN");

    if (!text_starts_with(mangled, "_Z")) {
        return false;
    }
    if (!is_nested) {
        return take_component(&at, plain);
    }
    at++;
    if (text_starts_with(at, "St")) {
        text_append(plain, "std");
        at += 2;
    }
    while (take_component(&at, plain)) {
    }
    return plain->length > 0 && (*at == 'E' || *at == 'I');
}

/* Cuts a demangled name. A blank outside of brackets ends the return type; the first parenthesis
 * begins the call arguments, unless it belongs to an unnamed namespace. */
static void append_plain(struct text *plain, const char *name)
{
    static const char unnamed[] = "(anonymous namespace)";
    int depth = 0;

    for (const char *c = name; *c != '\0'; c++) {
        if (depth == 0 && text_starts_with(c, unnamed)) {
            text_append(plain, unnamed);
            c += sizeof unnamed - 2;
        } else if (depth == 0 && *c == '(') {
            return;
        } else if (depth == 0 && *c == ' ') {
            text_clear(plain);
        } else if (*c == '<') {
            depth++;
        } else if (*c == '>') {
            depth--;
        } else if (depth == 0) {
            text_append_char(plain, *c);
        }
    }
}

/* How often a name refers to parts of itself: S_, S12_, T_, T0_ (or looks as if it did). */
static size_t count_references(const char *mangled)
{
    size_t count = 0;

    for (const char *c = mangled; *c != '\0'; c++) {
        count += (*c == 'S' || *c == 'T') &&
                 c[1 + strspn(c + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_';
    }
    return count;
}

/* The full C++ name, to be freed; NULL if it is not a mangled one, or not worth it. */
static char *demangled(const char *mangled)
{
    int status = -1;
    char *name = NULL;

    if (text_starts_with(mangled, "_Z") && strlen(mangled) <= MANGLED_MAX &&
        count_references(mangled) <= REFERENCES_MAX) {
        name = __cxa_demangle(mangled, NULL, NULL, &status);
    }
    return name;
}

const char *toolchain_plain_name(struct arena *arena, const char *mangled)
{
    struct text plain;
    char *name = NULL;

    text_init(&plain);
    if (!read_plain(mangled, &plain)) {
        text_clear(&plain);
        name = demangled(mangled);
        append_plain(&plain, name == NULL ? "" : name);
    }
    const char *result = arena_strdup(arena, plain.length > 0 ? plain.bytes : mangled);
    text_release(&plain);
    free(name);
    return result;
}

/* What is left of a local variable's name after "E72" in a mangled name whose end is cut off, with
 * "..."; else NULL. */
static const char *cut_name(struct arena *arena, const char *mangled)
{
    const char *left = NULL;

    for (const char *at = strchr(mangled, 'E'); at != NULL; at = strchr(at + 1, 'E')) {
        char *end = NULL;
        const unsigned long length = at[1] >= '1' && at[1] <= '9' ? strtoul(at + 1, &end, 10) : 0;
        left = length > 0 && *end != '\0' && length > strlen(end) ? end : left;
    }
    return left == NULL ? NULL : arena_printf(arena, "%s...", left);
}

const char *toolchain_variable_name(struct arena *arena, const char *mangled)
{
    char *name = demangled(mangled);
    const char *own = name;
    int depth = 0;

    if (name == NULL) {
        const char *left = text_starts_with(mangled, "_ZZ") ? cut_name(arena, mangled) : NULL;
        return left != NULL ? left : arena_strdup(arena, mangled);
    }
    for (const char *c = name; *c != '\0'; c++) {
        depth += strchr("<({", *c) != NULL ? 1 : 0;
        depth -= strchr(">)}", *c) != NULL ? 1 : 0;
        if (depth == 0 && c[0] == ':' && c[1] == ':') {
            own = c + 2;
        }
    }
    const char *copy = arena_strdup(arena, *own != '\0' ? own : mangled);
    free(name);
    return copy;
}
