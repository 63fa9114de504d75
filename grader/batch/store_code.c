/* store_code.c: the device code of runs and what is known to everybody, and who is alike by them;
 * see store.h. Marks are 64-bit numbers, little endian, ascending.
 */
#include "batch/similarity.h"
#include "batch/store_query.h"

#include "wire/little_endian.h"

#include <string.h>

enum { MARK_BYTES = 8 };

void store_pack_marks(const struct device_code *code, struct text *out)
{
    for (size_t i = 0; i < code->mark_count; i++) {
        uint8_t bytes[MARK_BYTES];
        little_put_u64(bytes, code->marks[i]);
        text_append_bytes(out, bytes, sizeof bytes);
    }
}

/* Reads a name, a program, instructions and marks; false if the row is none of ours. */
static bool read_code(struct query *query, struct arena *arena, struct store_code *out_code)
{
    const void *bytes = NULL;
    size_t length = 0;

    query_get_blob(query, 3, &bytes, &length); /* no bytes: no marks */
    int64_t instructions = query_get_integer(query, 2);
    if (length % MARK_BYTES != 0 || instructions < 0) {
        return false;
    }
    size_t count = length / MARK_BYTES;
    uint64_t *marks = arena_array(arena, count, sizeof *marks);
    for (size_t i = 0; i < count; i++) {
        marks[i] = little_get_u64((const uint8_t *)bytes + i * MARK_BYTES);
        if (i > 0 && marks[i] <= marks[i - 1]) {
            return false;
        }
    }
    *out_code = (struct store_code){.content = query_get_text(query, 0, arena),
                                    .code = {.program = query_get_text(query, 1, arena),
                                             .marks = marks,
                                             .mark_count = count,
                                             .instructions = (size_t)instructions}};
    return true;
}

enum error store_device_code(struct store *store, struct arena *arena,
                             const struct store_code **out_codes, size_t *out_count,
                             struct diagnostic *diagnostic)
{
    struct store_code *codes = NULL;
    size_t count = 0, capacity = 0;
    struct query query;

    query_begin(&query, store,
                "SELECT r.content, d.program, d.instructions, d.marks"
                " FROM runs r JOIN device_code d ON d.run = r.id WHERE EXISTS"
                " (SELECT 1 FROM submissions s WHERE s.run = r.id AND NOT s.is_gone)"
                " ORDER BY r.content, d.program",
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &codes, &capacity, count + 1, sizeof *codes);
        if (!read_code(&query, arena, &codes[count])) {
            query.error = store_damaged(store, "marks of device code are not in order", diagnostic);
            break;
        }
        count++;
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_codes = codes;
        *out_count = count;
    }
    return error;
}

enum error store_put_known_code(struct store *store, const struct device_code *codes, size_t count,
                                struct diagnostic *diagnostic)
{
    struct query query;

    enum error error = store_begin(store, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = store_execute(store, "DELETE FROM known_code", diagnostic);
    if (error == ERROR_NONE) {
        query_begin(&query, store,
                    "INSERT INTO known_code (evidence, program, instructions, marks)"
                    " SELECT evidence, ?, ?, ? FROM rubrics WHERE id ="
                    " (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rubric')",
                    diagnostic);
        for (size_t i = 0; i < count && query.error == ERROR_NONE; i++) {
            struct text marks;
            text_init(&marks);
            store_pack_marks(&codes[i], &marks);
            query_text(&query, codes[i].program);
            query_integer(&query, (int64_t)codes[i].instructions);
            query_blob(&query, marks.bytes, marks.length);
            query_run(&query);
            text_release(&marks);
        }
        error = query_end(&query);
    }
    return store_settle(store, error, diagnostic);
}

enum error store_has_known_code(struct store *store, bool *out_has, struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "SELECT 1 FROM known_code k JOIN rubrics r ON r.evidence = k.evidence WHERE r.id ="
                " (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rubric') LIMIT 1",
                diagnostic);
    bool has = query_row(&query);
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_has = has;
    }
    return error;
}

/* Appends to what is known of other stores. */
static enum error read_known(struct store *store, struct arena *arena,
                             struct similarity_input *input, struct diagnostic *diagnostic)
{
    struct device_code *known = NULL;
    size_t count = input->known_count, capacity = 0;
    struct query query;

    arena_grow(arena, &known, &capacity, count + 1, sizeof *known);
    if (count > 0) {
        memcpy(known, input->known, count * sizeof *known);
    }
    query_begin(&query, store,
                "SELECT '', program, instructions, marks FROM known_code ORDER BY id", diagnostic);
    while (query_row(&query)) {
        struct store_code code;
        if (!read_code(&query, arena, &code)) {
            query.error = store_damaged(store, "marks of known code are not in order", diagnostic);
            break;
        }
        arena_grow(arena, &known, &capacity, count + 1, sizeof *known);
        known[count++] = code.code;
    }
    input->known = known;
    input->known_count = count;
    return query_end(&query);
}

/* Appends the device code of a store to that of others. */
static enum error read_codes(struct store *store, struct arena *arena,
                             struct similarity_input *input, struct diagnostic *diagnostic)
{
    const struct store_code *codes = NULL;
    size_t count = 0;
    enum error error = store_device_code(store, arena, &codes, &count, diagnostic);

    if (error == ERROR_NONE && input->code_count == 0) {
        input->codes = codes;
        input->code_count = count;
    } else if (error == ERROR_NONE && count > 0) {
        struct store_code *all = arena_array(arena, input->code_count + count, sizeof *all);
        memcpy(all, input->codes, input->code_count * sizeof *all);
        memcpy(all + input->code_count, codes, count * sizeof *all);
        input->codes = all;
        input->code_count += count;
    }
    return error;
}

static enum error read_all(struct store *store, struct arena *arena, struct similarity_input *input,
                           struct diagnostic *diagnostic)
{
    enum error error = store_begin_read(store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = read_codes(store, arena, input, diagnostic);
    if (error == ERROR_NONE) {
        error = read_known(store, arena, input, diagnostic);
    }
    return store_settle(store, error, diagnostic);
}

enum error store_pairs_across(struct store *store, struct store *other, struct arena *arena,
                              struct class_results *results, struct diagnostic *diagnostic)
{
    struct similarity_input input = {.rows = results->rows, .row_count = results->row_count};
    enum error error = read_all(store, arena, &input, diagnostic);

    if (error == ERROR_NONE && other != NULL) {
        error = read_all(other, arena, &input, diagnostic);
    }
    if (error == ERROR_NONE) {
        similarity_find(&input, arena, &results->pairs, &results->pair_count);
    }
    return error;
}

enum error store_pairs(struct store *store, struct arena *arena, struct class_results *results,
                       struct diagnostic *diagnostic)
{
    return store_pairs_across(store, NULL, arena, results, diagnostic);
}
