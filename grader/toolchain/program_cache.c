/* program_cache.c: see program_cache.h. */
#include "toolchain/program_cache.h"

#include "base/file.h"
#include "base/text.h"
#include "toolchain/build_cache.h"
#include "toolchain/compatibility_text.h"
#include "toolchain/compiler_identity.h"
#include "toolchain/compiler_run.h"
#include "toolchain/object_cache.h"
#include "toolchain/source_copies.h"

#include <inttypes.h>
#include <string.h>

static const char entry_format[] = "gpugrade build 3\n";
enum { HASH_DIGITS = 64 };

/* Keys *******************************************************************************************/

/* Programs, headers and the runtime that are the machine's. */
static enum error add_machine(struct text *text, struct arena *arena,
                              const struct toolchain *toolchain)
{
    const char *const system_files[] = {compiler_linker(&toolchain->compiler), "/usr/bin/ld",
                                        "/usr/include/features.h"};

    for (size_t i = 0; i < sizeof system_files / sizeof system_files[0]; i++) {
        text_printf(text, "%s\n", compiler_identity(arena, system_files[i]));
    }
    compiler_identities(toolchain, arena, text);
    /* The tier decides which files a source could reach, and how much it may use. */
    text_printf(text, "tier %d\n", (int)toolchain->sandbox->tier);
    return object_cache_add_file(text, arena, toolchain->cudart_folder, CUDART_SONAME,
                                 BLAME_ENVIRONMENT, NULL);
}

/* What the coursework decides. */
static enum error add_coursework(struct text *text, struct arena *arena,
                                 const struct toolchain *toolchain, const struct rubric *rubric,
                                 const struct rubric_program *program)
{
    char hash[HASH_DIGITS + 1];
    enum error error =
        object_cache_key(toolchain, rubric, program, "built",
                         compiler_flags(arena, rubric, program, COMPILER_USUAL), hash, NULL);

    if (error != ERROR_NONE) {
        return error;
    }
    text_printf(text, "%s\n%" PRIu64 " %" PRIu64 "\n", hash, rubric->limits.compile_wall_ns,
                rubric->limits.compile_memory_bytes);
    if (program->is_compatible) {
        text_append(text, compatibility_text);
    }
    for (size_t i = 0; i < program->harness_count; i++) {
        text_printf(text, "harness %s\n", program->harness[i]);
    }
    for (size_t i = 0; i < program->source_count; i++) {
        text_printf(text, "source %s\n", program->sources[i]);
    }
    return ERROR_NONE;
}

/* A text as it is compiled. */
static void add_overridden(struct text *text, struct arena *arena,
                           const struct macro_values *values, const struct source_tree_file *file)
{
    char hash[HASH_DIGITS + 1];
    size_t length = 0;
    const char *changed = size_rewrite(arena, file->text, file->length, values, &length);

    hash_bytes(changed, length, hash);
    text_printf(text, "as %s\n", hash);
}

/* The submission's part: all names, and the contents of what may be included. */
static enum error add_submission(struct text *text, struct arena *arena,
                                 const struct rubric_program *program, const int64_t *values,
                                 const struct source_tree *tree)
{
    enum error error = ERROR_NONE;
    struct source_survey survey;

    source_survey_make(arena, tree, program, &survey);
    const struct macro_values given = {program->overrides, program->override_count, values,
                                       survey.locations};
    for (size_t i = 0; i < tree->count && error == ERROR_NONE; i++) {
        const struct source_tree_file *file = &tree->files[i];
        text_printf(text, "%zu %s\n", strlen(file->name), file->name);
        if (!file->is_reached) {
            continue;
        }
        error = object_cache_add_file(text, arena, tree->folder, file->name, BLAME_STUDENT, NULL);
        if (values != NULL && file->text != NULL) {
            add_overridden(text, arena, &given, file);
        }
    }
    return error;
}

/* Is any source another one tomorrow? */
static bool asks_for_the_date(const struct source_tree *tree)
{
    static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};

    for (size_t i = 0; i < tree->count; i++) {
        const struct source_tree_file *file = &tree->files[i];
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            if (file->is_reached && file->text != NULL &&
                memmem(file->text, file->length, words[k], strlen(words[k])) != NULL) {
                return true;
            }
        }
    }
    return false;
}

bool program_cache_key(const struct toolchain *toolchain, const struct rubric *rubric,
                       const struct rubric_program *program, const struct source_tree *tree,
                       const int64_t *values, char out_key[65])
{
    struct arena *arena = arena_new();
    struct text text;

    text_init(&text);
    text_printf(&text, "%s%s\n", entry_format, GPUGRADE_VERSION);
    bool has_key = !tree->reads_beyond && !asks_for_the_date(tree) &&
                   add_machine(&text, arena, toolchain) == ERROR_NONE &&
                   add_coursework(&text, arena, toolchain, rubric, program) == ERROR_NONE &&
                   add_submission(&text, arena, program, values, tree) == ERROR_NONE;
    for (size_t i = 0; i < program->override_count && values != NULL; i++) {
        text_printf(&text, "%s=%" PRId64 "\n", program->overrides[i].name, values[i]);
    }
    if (has_key) {
        hash_bytes(text.bytes, text.length, out_key);
    }
    text_release(&text);
    arena_free(arena);
    return has_key;
}

/* Entries ****************************************************************************************/

/* The failures that are kept, by their numbers in an entry. */
static const enum code failures[] = {CODE_NONE, CODE_COMPILE_ERROR, CODE_LINK_ERROR};
enum { FAILURE_COUNT = sizeof failures / sizeof failures[0] };

static bool read_entry(struct arena *arena, const char *bytes, size_t length,
                       struct kept_program *out_kept)
{
    size_t format_length = strlen(entry_format);
    size_t folder_length, modules_length;

    if (length < format_length || memcmp(bytes, entry_format, format_length) != 0) {
        return false;
    }
    struct build_entry_reader reader = {bytes + format_length, length - format_length, true};
    struct kept_program kept = {
        .compiled = build_entry_number(&reader) != 0,
        .linked = build_entry_number(&reader) != 0,
    };
    uint64_t failure = build_entry_number(&reader);
    kept.exit_status = (int)(build_entry_number(&reader) & 0xff);
    kept.missing_macros = build_entry_number(&reader);
    kept.named_folder = build_entry_bytes(&reader, arena, &folder_length);
    kept.printed = build_entry_bytes(&reader, arena, &kept.printed_length);
    kept.executable = build_entry_bytes(&reader, arena, &kept.executable_length);
    kept.given_modules = build_entry_bytes(&reader, arena, &modules_length);
    if (!reader.is_good || reader.length != 0 || failure >= FAILURE_COUNT) {
        return false;
    }
    kept.failure = failures[failure];
    *out_kept = kept;
    return true;
}

bool program_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                        struct kept_program *out_kept)
{
    struct arena *scratch = arena_new();
    const char *bytes;
    size_t length;
    bool is_read = build_cache_take(toolchain, key, scratch, &bytes, &length) &&
                   read_entry(arena, bytes, length, out_kept);

    arena_free(scratch);
    return is_read;
}

void program_cache_keep(const struct toolchain *toolchain, const char *key,
                        const struct kept_program *kept)
{
    size_t failure = 0;

    while (failure < FAILURE_COUNT && failures[failure] != kept->failure) {
        failure++;
    }
    if (failure == FAILURE_COUNT) {
        return;
    }
    struct text text;
    text_init(&text);
    text_printf(&text, "%s%d %d %zu %d %" PRIu64 " ", entry_format, (int)kept->compiled,
                (int)kept->linked, failure, kept->exit_status, kept->missing_macros);
    build_entry_append(&text, kept->named_folder, strlen(kept->named_folder));
    build_entry_append(&text, kept->printed, kept->printed_length);
    build_entry_append(&text, kept->executable, kept->executable_length);
    build_entry_append(&text, kept->given_modules, strlen(kept->given_modules));
    build_cache_keep(toolchain, key, text.bytes, text.length);
    text_release(&text);
}
