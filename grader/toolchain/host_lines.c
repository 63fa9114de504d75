/* host_lines.c: see host_lines.h. For each address addr2line prints
 *
 *     0x000000000000119d
 *     /usr/local/cuda/include/cuda_runtime.h:879
 *     main.cu:7 (discriminator 2)        what it was inlined into
 */
#include "toolchain/host_lines.h"

#include "base/clock.h"
#include "base/text.h"
#include "toolchain/compiler_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ADDR2LINE "/usr/bin/addr2line"

/* Adds "file:line", unless the file has no name here or the line is unknown. */
static void read_line(struct arena *arena, const char *text, size_t length,
                      const struct source_naming *naming, struct host_site *site)
{
    const char *colon = memrchr(text, ':', length);

    if (colon == NULL) {
        return;
    }
    long line = strtol(colon + 1, NULL, 10); /* the text goes on after `length` */
    const char *file = code_source_name(naming, arena_strndup(arena, text, (size_t)(colon - text)));
    if (line > 0 && line <= INT32_MAX && file[0] != '\0') {
        site->lines[site->line_count++] = (struct host_line){file, (int)line};
    }
}

/* Gives each site its lines. */
static void read_lines(struct arena *arena, const char *printed, const struct source_naming *naming,
                       struct host_site *sites, size_t count)
{
    size_t next = 0; /* site */
    size_t left = 0; /* addresses of the site before it that are still to come */
    struct host_site *site = NULL;

    for (const char *line = printed; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        if (strncmp(line, "0x", 2) == 0) {
            while (left == 0 && next < count) {
                site = &sites[next++];
                left = site->address_count;
            }
            if (left == 0) {
                return;
            }
            left--;
        } else if (site != NULL && site->line_count < HOST_LINES_MAX) {
            const char *end = memmem(line, length, " (discriminator", 15);
            read_line(arena, line, end == NULL ? length : (size_t)(end - line), naming, site);
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
}

/* How many sites, from the first on, are looked at so that HOST_SITES_MAX of them have addresses;
 * *out_addresses: how many addresses they have. */
static size_t count_sites(const struct host_site *sites, size_t count, size_t *out_addresses)
{
    size_t found = 0;
    size_t at = 0;

    *out_addresses = 0;
    for (; at < count && found < HOST_SITES_MAX; at++) {
        found += sites[at].address_count > 0;
        *out_addresses += sites[at].address_count;
    }
    return at;
}

void host_lines_find(const struct sandbox *sandbox, struct arena *arena, const char *executable,
                     const struct source_naming *naming, struct host_site *sites, size_t count)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    size_t addresses;
    const size_t looked_up = count_sites(sites, count, &addresses);
    const char **arguments = arena_array(arena, addresses + 6, sizeof *arguments);
    struct sandbox_spec spec = {
        .arguments = arguments,
        .environment = environment,
        .folder = "/",
        .mounts = {{executable, executable, false}},
        .mount_count = 1,
        .limits = {.wall_ns = 10 * CLOCK_NS_PER_S,
                   .cpu_ns = 3 * CLOCK_NS_PER_S,
                   .memory_bytes = UINT64_C(2) << 30,
                   .processes = 16,
                   .output_bytes = UINT64_C(4) << 20,
                   .file_bytes = 1 << 20},
        .channel_fd = -1,
    };
    struct diagnostic unused = {.message = ""};
    struct sandbox_end end;
    struct text printed, errors;
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        sites[i].line_count = 0;
    }
    if (addresses == 0) {
        return;
    }
    arguments[at++] = ADDR2LINE;
    arguments[at++] = "-a";
    arguments[at++] = "-i";
    arguments[at++] = "-e";
    arguments[at++] = executable;
    for (size_t i = 0; i < looked_up; i++) {
        for (size_t k = 0; k < sites[i].address_count; k++) {
            arguments[at++] = arena_printf(arena, "0x%" PRIx64, sites[i].addresses[k]);
        }
    }
    text_init(&printed);
    text_init(&errors);
    if (sandbox_run_to_end(sandbox, &spec, &end, &printed, &errors, &unused) == ERROR_NONE &&
        end.ending == SANDBOX_EXITED && end.exit_status == 0) {
        read_lines(arena, arena_strndup(arena, printed.bytes, printed.length), naming, sites,
                   looked_up);
    }
    text_release(&printed);
    text_release(&errors);
}
