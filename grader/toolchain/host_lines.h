/* host_lines.h: addresses in an executable to lines of the host code that was compiled into it.
 *
 * addr2line of binutils, which come with every linker, reads the executable's line tables in the
 * sandbox: a student's source can put anything into them.
 */
#ifndef GPUGRADE_TOOLCHAIN_HOST_LINES_H
#define GPUGRADE_TOOLCHAIN_HOST_LINES_H

#include "toolchain/code_index.h"
#include "toolchain/toolchain.h"

enum { HOST_LINES_MAX = 4 };

/* One place in the program: the addresses of a call and of what called it, the innermost first; 0:
 * no more. */
struct host_site {
    const uint64_t *addresses; /* [address_count] */
    size_t address_count;
    struct host_line {
        const char *file;
        int line;
    } lines
        [HOST_LINES_MAX]; /* [line_count] set by host_lines_find: those in files that have a name,
                                the innermost first */
    size_t line_count;
};

/* How many sites with addresses are looked up; later ones get no line. */
enum { HOST_SITES_MAX = 256 };

/* Sets the lines of all sites, [count]. Where addr2line is missing or fails, no line is known.
 * Strings live in the arena. */
void host_lines_find(const struct sandbox *sandbox, struct arena *arena, const char *executable,
                     const struct source_naming *naming, struct host_site *sites, size_t count);

#endif
