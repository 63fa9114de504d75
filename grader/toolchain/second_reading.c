/* second_reading.c: see second_reading.h. */
#include "toolchain/second_reading.h"

#include "base/file.h"
#include "toolchain/build_cache.h"
#include "toolchain/compiler_find.h"
#include "toolchain/compiler_identity.h"

#include <string.h>

static const char entry_format[] = "gpugrade reading 1\n";

/* What clang said of the sources, and where they were. */
struct reading {
    struct text said;
    const char *named_folder;
};

/* True if there is something to say better: an error at a place in the sources. Those of the linker
 * and of ptxas are no matter of a front end. */
static bool is_wanted(const struct toolchain_job *job)
{
    const struct program_build *build = &job->build;

    return job->toolchain->second.kind == COMPILER_CLANG && build->attempted &&
           build->failure == CODE_COMPILE_ERROR && build->message_count > 0 &&
           build->messages[0].is_error && build->messages[0].line > 0;
}

/* Names a reading; false if nvcc's build has no name. */
static bool make_key(const struct toolchain_job *job, const struct toolchain *clang,
                     char out_key[65])
{
    struct text text;

    if (job->kept_key[0] == '\0') {
        return false;
    }
    text_init(&text);
    text_printf(&text, "%s%s\n", entry_format, job->kept_key);
    compiler_identities(clang, job->arena, &text);
    hash_bytes(text.bytes, text.length, out_key);
    text_release(&text);
    return true;
}

static bool take(const struct toolchain_job *job, const char *key, struct reading *reading)
{
    const size_t format_length = strlen(entry_format);
    const char *bytes;
    size_t length, folder_length, said_length;

    if (!build_cache_take(job->toolchain, key, job->arena, &bytes, &length) ||
        length < format_length || memcmp(bytes, entry_format, format_length) != 0) {
        return false;
    }
    struct build_entry_reader reader = {bytes + format_length, length - format_length, true};
    const char *folder = build_entry_bytes(&reader, job->arena, &folder_length);
    const char *said = build_entry_bytes(&reader, job->arena, &said_length);
    if (!reader.is_good || reader.length != 0) {
        return false;
    }
    reading->named_folder = folder;
    text_append_bytes(&reading->said, said, said_length);
    return true;
}

static void keep(const struct toolchain_job *job, const char *key, const struct reading *reading)
{
    struct text text;

    text_init(&text);
    text_append(&text, entry_format);
    build_entry_append(&text, reading->named_folder, strlen(reading->named_folder));
    build_entry_append(&text, reading->said.bytes, reading->said.length);
    build_cache_keep(job->toolchain, key, text.bytes, text.length);
    text_release(&text);
}

/* Takes a kept reading, or reads. */
static bool read_sources(const struct toolchain_job *job, struct reading *reading)
{
    struct toolchain clang = *job->toolchain;
    char key[65];

    clang.compiler = clang.second;
    if (!compiler_find_clang(job->toolchain->cache_folder, &clang.compiler)) {
        return false;
    }
    bool has_key = make_key(job, &clang, key);
    if (has_key && take(job, key, reading)) {
        return true;
    }
    text_clear(&reading->said);
    reading->named_folder = job->compiled_folder;
    bool is_read = build_pieces_read(job, &clang, &reading->said);
    if (is_read && has_key) {
        keep(job, key, reading);
    }
    return is_read;
}

/* The messages of a reading. */
static struct message_list messages_of(const struct reading *reading,
                                       const struct build_place *place, struct arena *arena)
{
    struct build_place own = *place;
    struct tool_message *messages;
    size_t count;

    own.is_clang = true;
    own.named_folder = reading->named_folder;
    build_messages_read(arena, &own, &reading->said, &messages, &count);
    return (struct message_list){messages, count};
}

void second_reading_use(struct toolchain_job *job, const struct build_place *place,
                        struct arena *arena)
{
    struct program_build *build = &job->build;
    struct reading reading;

    if (!is_wanted(job)) {
        return;
    }
    text_init(&reading.said);
    if (read_sources(job, &reading)) {
        const struct message_list shown = build_messages_choose(
            arena, job->source_folder, (struct message_list){build->messages, build->message_count},
            messages_of(&reading, place, arena));
        build->messages = shown.messages;
        build->message_count = shown.count;
    }
    text_release(&reading.said);
}
