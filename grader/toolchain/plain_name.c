/* plain_name.c: names as students write them; see toolchain.h.
 *
 * The C++ runtime demangles; then the return type, template arguments and call arguments go.
 * Namespaces stay: "ns::kernel" for _ZN2ns6kernelIiEEvPT_.
 */
#include "toolchain/toolchain.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MANGLED_MAX = 4096 };

/* From the C++ ABI (itanium-cxx-abi, 3.4); in libstdc++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

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

/* The full C++ name, to be freed; NULL if it is not a mangled one. */
static char *demangled(const char *mangled)
{
    int status = -1;
    char *name = NULL;

    if (text_starts_with(mangled, "_Z") && strlen(mangled) <= MANGLED_MAX) {
        name = __cxa_demangle(mangled, NULL, NULL, &status);
    }
    return name;
}

const char *toolchain_plain_name(struct arena *arena, const char *mangled)
{
    char *name = demangled(mangled);
    struct text plain;

    if (name == NULL) {
        return arena_strdup(arena, mangled);
    }
    text_init(&plain);
    append_plain(&plain, name);
    const char *result = arena_strdup(arena, plain.length > 0 ? plain.bytes : mangled);
    text_release(&plain);
    free(name);
    return result;
}

const char *toolchain_variable_name(struct arena *arena, const char *mangled)
{
    char *name = demangled(mangled);
    const char *own = name;
    int depth = 0;

    if (name == NULL) {
        return arena_strdup(arena, mangled);
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
