/* source_index.c: see source_index.h.
 *
 *   name --by_name, sorted--> source --files, by its number--> tokens and functions, once read
 *   program --programs--> the files that it is made of
 */
#include "source/source_index.h"

#include <stdlib.h>
#include <string.h>

struct kept_program {
    const struct rubric_program *program;
    struct program_source source;
};

struct source_index {
    struct arena *arena;
    const struct source_file *sources; /* [count] */
    size_t count;
    const struct source_file **by_name; /* [count], sorted */
    struct program_file **files;        /* [count]: NULL until it is read */
    size_t tokens_left;
    struct kept_program **programs; /* [program_count] */
    size_t program_count, program_capacity;
};

static int compare_names(const char *one, size_t one_length, const char *other, size_t other_length)
{
    size_t common = one_length < other_length ? one_length : other_length;
    int order = memcmp(one, other, common);

    return order != 0 ? order : (one_length > other_length) - (one_length < other_length);
}

static int compare_sources(const void *left, const void *right)
{
    const struct source_file *one = *(const struct source_file *const *)left;
    const struct source_file *other = *(const struct source_file *const *)right;

    return compare_names(one->name, strlen(one->name), other->name, strlen(other->name));
}

struct source_index *source_index_new(struct arena *arena, const struct source_file *sources,
                                      size_t count)
{
    struct source_index *index = arena_alloc(arena, sizeof *index);

    index->arena = arena;
    index->sources = sources;
    index->count = count;
    index->by_name = arena_array(arena, count, sizeof *index->by_name);
    index->files = arena_array(arena, count, sizeof *index->files);
    index->tokens_left = SOURCE_INDEX_TOKENS_MAX;
    for (size_t i = 0; i < count; i++) {
        index->by_name[i] = &sources[i];
    }
    if (count > 0) {
        qsort(index->by_name, count, sizeof *index->by_name, compare_sources);
    }
    return index;
}

const struct source_file *source_index_find(const struct source_index *index, const char *name,
                                            size_t length)
{
    size_t low = 0;
    size_t high = index->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = index->by_name[middle]->name;
        int order = compare_names(other, strlen(other), name, length);
        if (order == 0) {
            return index->by_name[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const struct program_file *source_index_file(struct source_index *index,
                                             const struct source_file *file)
{
    size_t number = (size_t)(file - index->sources);

    if (index->files[number] == NULL) {
        struct program_file *read = arena_alloc(index->arena, sizeof *read);
        struct source_file seen = *file;
        size_t count = source_tokens_count(file);
        seen.length = count <= index->tokens_left ? seen.length : 0;
        source_tokens_read(index->arena, &seen, &read->tokens);
        source_functions_read(index->arena, &read->tokens, &read->functions);
        read->tokens.file = file;
        index->tokens_left -= read->tokens.count;
        index->files[number] = read;
    }
    return index->files[number];
}

/* True if the rubric gives that file: the submission's copy of it is not used. */
static bool is_given(const struct rubric_program *program, const char *name)
{
    for (size_t i = 0; i < program->given_count; i++) {
        if (strcmp(program->given[i], name) == 0) {
            return true;
        }
    }
    return false;
}

struct collector {
    struct source_index *index;
    const struct rubric_program *program;
    bool *is_taken; /* [count of the index] */
    struct program_source *out;
    size_t capacity;
};

static void collect(struct collector *collector, const struct source_file *file)
{
    struct source_index *index = collector->index;
    struct program_source *out = collector->out;
    size_t number = file == NULL ? 0 : (size_t)(file - index->sources);

    if (file == NULL || collector->is_taken[number] || is_given(collector->program, file->name)) {
        return;
    }
    collector->is_taken[number] = true;
    arena_grow(index->arena, &out->files, &collector->capacity, out->count + 1, sizeof *out->files);
    out->files[out->count++] = *source_index_file(index, file);
}

static void collect_all(struct collector *collector)
{
    struct source_index *index = collector->index;
    const struct program_source *out = collector->out;

    for (size_t i = 0; i < collector->program->source_count; i++) {
        const char *name = collector->program->sources[i];
        collect(collector, source_index_find(index, name, strlen(name)));
    }
    for (size_t i = 0; i < out->count; i++) {
        const struct source_tokens tokens = out->files[i].tokens;
        for (size_t j = 0; j < tokens.include_count; j++) {
            const struct source_name *name = &tokens.includes[j];
            collect(collector, source_index_find(index, name->text, name->length));
        }
    }
}

const struct program_source *source_index_program(struct source_index *index,
                                                  const struct rubric_program *program)
{
    for (size_t i = 0; i < index->program_count; i++) {
        if (index->programs[i]->program == program) {
            return &index->programs[i]->source;
        }
    }
    struct kept_program *kept = arena_alloc(index->arena, sizeof *kept);
    struct collector collector = {
        .index = index,
        .program = program,
        .is_taken = arena_array(index->arena, index->count, sizeof *collector.is_taken),
        .out = &kept->source,
    };
    kept->program = program;
    collect_all(&collector);
    arena_grow(index->arena, &index->programs, &index->program_capacity, index->program_count + 1,
               sizeof(struct kept_program *));
    index->programs[index->program_count++] = kept;
    return &kept->source;
}
