/* server_result.c: of a judged call that is a whole program: its files, and the result that it
 * hands over.
 *
 * Such a program knows its inputs, so its host code could do the work. Therefore what crosses is
 * compared by its bytes: a copy to the device is free if it is a piece of a file, and the result
 * must be as copies from the device brought it. Both come in few pieces: who puts a result together
 * from many small ones has the host do the work.
 */
#include "device/server_state.h"

#include <string.h>

/* A piece of the result that is shorter, and not its end, may be there by chance. */
enum { PIECE_BYTES = 64, WORD_BYTES = 4 };

/* How many times all bytes may be looked through for pieces. */
enum { SEARCHES = 64 };

/* Of what copies bring to the host, the last so many times the result is kept, and what is on its
 * way. A program that reads its result several times hands over one of the last. */
enum { RESULTS_KEPT = 8, ON_ITS_WAY_BYTES = 2 * CLIENT_PIECE_BYTES };

/* True if the file goes on with these bytes where its last piece ended, or has them elsewhere. */
static bool has_piece(struct server_result *result, size_t file, const void *bytes, size_t length)
{
    const struct text *text = &result->files[file];
    const size_t next = result->next[file];
    bool is_there = length <= text->length - next && memcmp(text->bytes + next, bytes, length) == 0;

    if (is_there) {
        result->next[file] = next + length;
    } else if (length <= text->length && result->budget >= text->length) {
        const char *found = memmem(text->bytes, text->length, bytes, length);
        result->budget -= text->length;
        is_there = found != NULL;
        result->next[file] = is_there ? (size_t)(found - text->bytes) + length : next;
    }
    return is_there;
}

/* Why a copy is taken for one of a file, as pieces of several may be alike: it goes on in the array
 * of that file; it is all of the file, or its beginning, and the file has no array yet. */
enum file_rank { GOES_ON, IS_WHOLE, BEGINS, IS_PIECE, FILE_RANKS };

static bool has_rank(const struct server_call *call, size_t file, uint64_t array, const void *bytes,
                     size_t length, enum file_rank rank)
{
    const struct text *text = &call->result.files[file];
    const bool begins = call->operands[file] == 0 && length <= text->length &&
                        memcmp(text->bytes, bytes, length) == 0;

    switch (rank) {
    case GOES_ON:
        return array != 0 && call->operands[file] == array;
    case IS_WHOLE:
        return begins && length == text->length;
    case BEGINS:
        return begins;
    default:
        return array == 0 || call->operands[file] != array; /* else it was looked for */
    }
}

/* A short piece, or one number again and again, may be in a file by chance. */
static bool is_by_chance(const char *bytes, size_t length)
{
    return length < PIECE_BYTES || memcmp(bytes, bytes + WORD_BYTES, length - WORD_BYTES) == 0;
}

/* The array of a file is the memory of exactly its size that it is copied to, each piece in its
 * place. A file that is copied elsewhere too has none. */
static void note_array(struct server *server, size_t file, uint64_t address,
                       const struct device_allocation *to, const void *bytes, size_t length)
{
    struct server_call *call = &server->call;
    struct server_result *result = &call->result;
    const size_t offset = result->next[file] - length;
    const bool fits = to->bytes == result->files[file].length && address - to->address == offset;

    if (fits && offset == 0 && call->operands[file] == 0) {
        call->operands[file] = to->address;
    } else if ((!fits || call->operands[file] != to->address) && !is_by_chance(bytes, length)) {
        result->is_elsewhere[file] = true;
        call->record.copy_sites[file] = server->origin.site;
    }
}

bool server_result_is_of_file(struct server *server, uint64_t address,
                              const struct device_allocation *to, const void *bytes, size_t length)
{
    struct server_call *call = &server->call;
    struct server_result *result = &call->result;
    const bool is_part = length == CLIENT_PIECE_BYTES; /* of a larger copy */

    if (!is_part && result->pieces >= call->bounds[CALL_BOUND_COPIES]) {
        return false;
    }
    for (size_t i = 0; i < (size_t)FILE_RANKS * CALL_OPERANDS_MAX; i++) {
        const size_t file = i % CALL_OPERANDS_MAX;
        const enum file_rank rank = (enum file_rank)(i / CALL_OPERANDS_MAX);
        if (result->files[file].length > 0 &&
            has_rank(call, file, to->address, bytes, length, rank) &&
            has_piece(result, file, bytes, length)) {
            result->pieces += is_part ? 0 : 1;
            note_array(server, file, address, to, bytes, length);
            return true;
        }
    }
    return false;
}

uint64_t server_result_array(const struct server *server, size_t file)
{
    return server->call.result.is_elsewhere[file] ? 0 : server->call.operands[file];
}

/* Forgets the older half of what was copied. */
static void forget_half(struct server_result *result)
{
    struct text *copied = &result->copied;
    const size_t middle = result->copy_count / 2;
    const size_t first = result->copy_count > 1 ? middle : 0;
    const size_t from = first > 0 ? result->copies[first].start : copied->length / 2;

    memmove(copied->bytes, copied->bytes + from, copied->length - from);
    copied->length -= from;
    result->copy_count -= first;
    for (size_t i = 0; i < result->copy_count; i++) {
        struct server_copy copy = result->copies[first + i];
        const size_t lost = copy.start > from ? 0 : from - copy.start;
        copy.start = copy.start > from ? copy.start - from : 0;
        copy.offset += lost;
        result->copies[i] = copy;
    }
}

/* A copy may come in several messages: all of it is from one array, or none. */
static void note_source(struct server_result *result, uint64_t address,
                        const struct device_allocation *from)
{
    const bool is_wanted = from->bytes == result->wanted;
    struct server_copy copy = {result->copied.length, is_wanted ? from->address : 0,
                               address - from->address};

    if (!result->is_part || result->copy_count == 0) {
        result->copies[result->copy_count++] = copy;
        return;
    }
    struct server_copy *last = &result->copies[result->copy_count - 1];
    if (last->array != copy.array || copy.offset - last->offset != copy.start - last->start) {
        last->array = 0;
    }
}

void server_result_note_copied(struct server *server, uint64_t address,
                               const struct device_allocation *from, const void *bytes,
                               size_t length)
{
    struct server_result *result = &server->call.result;
    const size_t most = RESULTS_KEPT * result->wanted + ON_ITS_WAY_BYTES;

    if (result->wanted == 0 || length == 0) {
        return;
    }
    while (result->copy_count == COPIES_KEPT || result->copied.length + length > most) {
        forget_half(result);
    }
    note_source(result, address, from);
    result->is_part = length == CLIENT_PIECE_BYTES;
    text_append_bytes(&result->copied, bytes, length);
}

enum server_step server_result_take(struct server *server, const struct message *request,
                                    struct message *reply)
{
    struct server_call *call = &server->call;
    struct server_result *result = &call->result;

    if (!call->is_open || result->wanted == 0) {
        return SERVER_STEP_REPLY;
    }
    if (!result->is_handed) {
        result->is_handed = true;
        call->record.result_bytes = request->words[1];
    }
    if (call->record.result_bytes != result->wanted ||
        request->payload_bytes > result->wanted - result->handed.length) {
        return SERVER_STEP_REPLY; /* of another size nothing is wanted */
    }
    text_append_bytes(&result->handed, request->payload, request->payload_bytes);
    reply->words[0] = result->wanted - result->handed.length;
    return SERVER_STEP_REPLY;
}

/* The number of the first copy that starts after a byte. */
static size_t copy_after(const struct server_result *result, size_t at)
{
    size_t low = 0, high = result->copy_count; /* the copies that may start after it */

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (result->copies[middle].start > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* What is the same in one copy. */
static size_t same_bytes(const struct server_result *result, size_t from, const char *bytes,
                         size_t length)
{
    const char *copied = result->copied.bytes;
    const size_t after = copy_after(result, from);
    const size_t end =
        after < result->copy_count ? result->copies[after].start : result->copied.length;
    size_t same = 0;

    while (same < length && from + same < end && copied[from + same] == bytes[same]) {
        same++;
    }
    return same;
}

/* The search for one piece after the other. */
struct search {
    const struct server_result *result;
    size_t next;   /* after the last piece */
    size_t budget; /* bytes that may still be looked at */
};

/* Takes a place for the piece if it holds more of it than the best so far. */
static void try_place(struct search *search, size_t from, const char *bytes, size_t length,
                      size_t *best)
{
    const size_t same = same_bytes(search->result, from, bytes, length);

    search->budget -= same < search->budget ? same : search->budget;
    if (same > *best && (same >= PIECE_BYTES || same == length)) {
        *best = same;
        search->next = from + same;
    }
}

/* How many bytes, from the first on, a copy has brought in one piece; 0: none. */
static size_t find_piece(struct search *search, const char *bytes, size_t length)
{
    const struct text *copied = &search->result->copied;
    const size_t least = length < PIECE_BYTES ? length : PIECE_BYTES;
    size_t best = 0;

    try_place(search, search->next, bytes, length, &best);
    if (copied->length >= length) {
        try_place(search, copied->length - length, bytes, length, &best);
    }
    for (size_t from = 0; best < length && from + least <= copied->length; from++) {
        const char *found = search->budget == 0
                                ? NULL
                                : memmem(copied->bytes + from, copied->length - from, bytes, least);
        const size_t passed =
            found == NULL ? copied->length - from : (size_t)(found - copied->bytes) - from;
        search->budget -= passed < search->budget ? passed : search->budget;
        if (found == NULL) {
            break;
        }
        from += passed;
        try_place(search, from, bytes, length, &best);
    }
    return best;
}

/* The array of which a byte of what was copied is the one at an offset; 0: none. */
static uint64_t array_of(const struct server_result *result, size_t copied, size_t offset)
{
    const size_t after = copy_after(result, copied);
    const struct server_copy *copy = after > 0 ? &result->copies[after - 1] : NULL;
    const bool is_there = copy != NULL && copy->offset + (copied - copy->start) == offset;

    return is_there ? copy->array : 0;
}

uint64_t server_result_host_bytes(const struct server *server, uint64_t *out_array)
{
    const struct server_call *call = &server->call;
    const struct text *handed = &call->result.handed;
    struct search search = {.result = &call->result,
                            .budget = SEARCHES * (handed->length + call->result.copied.length)};
    uint64_t pieces = 0, host_bytes = 0, array = 0;
    size_t at = 0;

    while (at < handed->length) {
        const size_t left = handed->length - at;
        const size_t length = pieces < call->bounds[CALL_BOUND_COPIES]
                                  ? find_piece(&search, handed->bytes + at, left)
                                  : 0;
        const size_t word = left < WORD_BYTES ? left : WORD_BYTES;
        if (length > 0) {
            const uint64_t source = array_of(search.result, search.next - length, at);
            array = pieces == 0 || array == source ? source : 0;
            pieces++;
        }
        host_bytes += length > 0 ? 0 : word;
        at += length > 0 ? length : word;
    }
    *out_array = array;
    return host_bytes;
}

enum error server_result_file(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    (void)reply;
    if (!server->call.is_open || request->words[0] >= CALL_OPERANDS_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a file of no call");
        return ERROR_INTERNAL;
    }
    struct server_result *result = &server->call.result;
    text_append_bytes(&result->files[request->words[0]], request->payload, request->payload_bytes);
    result->budget += SEARCHES * request->payload_bytes;
    return ERROR_NONE;
}

enum error server_result_read(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic)
{
    const struct text *handed = &server->call.result.handed;
    const uint64_t offset = request->words[0], bytes = request->words[1];

    if (bytes > CONTROL_PIECE_BYTES || offset > handed->length || bytes > handed->length - offset) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the result of a program ends before these bytes");
        return ERROR_NOT_FOUND;
    }
    reply->payload = handed->bytes + offset;
    reply->payload_bytes = bytes;
    return ERROR_NONE;
}

void server_result_init(struct server_result *result, uint64_t wanted)
{
    *result = (struct server_result){.wanted = wanted};
    for (size_t i = 0; i < CALL_OPERANDS_MAX; i++) {
        text_init(&result->files[i]);
    }
    text_init(&result->copied);
    text_init(&result->handed);
}

void server_result_release(struct server_result *result)
{
    for (size_t i = 0; i < CALL_OPERANDS_MAX; i++) {
        text_release(&result->files[i]);
    }
    text_release(&result->copied);
    text_release(&result->handed);
}
