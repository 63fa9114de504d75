/* run_sources.c: see run_sources.h. */
#include "cli/run_sources.h"

#include "base/file.h"
#include "base/text.h"
#include "source/source_functions.h"

#include <string.h>
#include <sys/stat.h>

#define SOURCE_BYTES_MAX ((size_t)8 << 20)

/* Enough for every finding that the screen shows. */
enum { SOURCES_MAX = 64 };

static bool is_known(const struct source_file *sources, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(sources[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void run_sources_remark(struct arena *arena, struct report *report, const char *message,
                        const char *file)
{
    struct remark *remarks = arena_array(arena, report->remark_count + 1, sizeof *remarks);

    if (report->remark_count > 0) {
        memcpy(remarks, report->remarks, report->remark_count * sizeof *remarks);
    }
    remarks[report->remark_count] = (struct remark){.message = message, .file = file};
    report->remarks = remarks;
    report->remark_count++;
}

static bool is_newer(const char *file, const char *than)
{
    struct stat first, second;

    return stat(file, &first) == 0 && stat(than, &second) == 0 &&
           (first.st_mtim.tv_sec > second.st_mtim.tv_sec ||
            (first.st_mtim.tv_sec == second.st_mtim.tv_sec &&
             first.st_mtim.tv_nsec > second.st_mtim.tv_nsec));
}

/* Reads one source; false if it cannot be shown. */
static bool read_source(struct arena *arena, const char *name, struct source_file *out_source)
{
    struct diagnostic unused = {.message = ""};
    char *bytes;
    size_t length;

    if (name[0] == '\0' ||
        file_read(arena, name, SOURCE_BYTES_MAX, BLAME_USAGE, &bytes, &length, &unused) !=
            ERROR_NONE ||
        !text_is_utf8(bytes, length)) {
        return false;
    }
    *out_source = (struct source_file){.name = name, .text = bytes, .length = length};
    return true;
}

void run_sources_read(struct arena *arena, const char *program, struct report *report)
{
    struct source_file *sources = arena_array(arena, SOURCES_MAX, sizeof *sources);
    size_t count = 0;

    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        for (size_t j = 0; j < finding->place_count && count < SOURCES_MAX; j++) {
            const char *name = finding->places[j].file;
            if (is_known(sources, count, name) || !read_source(arena, name, &sources[count])) {
                continue;
            }
            count++;
            if (is_newer(name, program)) {
                run_sources_remark(
                    arena, report,
                    arena_printf(arena,
                                 "%s is newer than the program: lines may have moved since "
                                 "it was built",
                                 name),
                    name);
            }
        }
    }
    report->sources = sources;
    report->source_count = count;
}

int run_sources_nested_launch(const char *path)
{
    struct arena *arena = arena_new();
    struct source_file source;
    int line = 0;

    if (read_source(arena, path, &source)) {
        struct source_tokens tokens;
        struct source_functions functions;
        source_tokens_read(arena, &source, &tokens);
        source_functions_read(arena, &tokens, &functions);
        const size_t launch = source_launch_on_device(&tokens, &functions);
        line = launch < tokens.count ? tokens.tokens[launch].line : 0;
    }
    arena_free(arena);
    return line;
}
