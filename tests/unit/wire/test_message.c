/* test_message.c: headers against their rows; channels over a socket pair. */
#include "wire/message.h"

#include "base/clock.h"
#include "base/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct pair {
    int fds[2];
    struct channel ends[2];
};

static void open_pair(struct pair *pair)
{
    struct diagnostic diagnostic;

    assert_int_equal(socket_pair(pair->fds, &diagnostic), ERROR_NONE);
    channel_init(&pair->ends[0], pair->fds[0], client_format);
    channel_init(&pair->ends[1], pair->fds[1], client_format);
}

static void close_pair(struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        channel_release(&pair->ends[i]);
        descriptor_close(&pair->fds[i]);
    }
}

static uint64_t soon(void)
{
    return clock_now_ns() + 50 * CLOCK_NS_PER_MS;
}

static void tables_have_rows(void **state)
{
    (void)state;
    assert_null(client_format(CLIENT_NONE));
    assert_null(client_format(CLIENT_COUNT));
    assert_null(control_format(UINT32_MAX));
    assert_string_equal(client_format(CLIENT_LAUNCH)->name, "LAUNCH");
    assert_string_equal(control_format(CONTROL_PROBE)->name, "PROBE");
    for (uint32_t i = 1; i < CLIENT_COUNT; i++) {
        assert_true(client_format(i)->request_words <= MESSAGE_WORDS);
        assert_true(client_format(i)->reply_words <= MESSAGE_WORDS);
        assert_true(client_format(i)->has_reply);
    }
}

static void header_survives(void **state)
{
    struct message message = {
        .type = CLIENT_RANGE, .words = {3, 0x1122334455667788, 9}, .payload_bytes = 0};
    uint8_t bytes[MESSAGE_HEADER_BYTES];
    struct message back;

    (void)state;
    message_header_pack(&message, bytes);
    assert_int_equal(bytes[0], CLIENT_RANGE);
    assert_int_equal(bytes[16 + 8], 0x88);
    assert_int_equal(message_header_unpack(bytes, false, client_format, &back, NULL), ERROR_NONE);
    assert_memory_equal(back.words, message.words, sizeof(message.words));
}

static void header_is_held_to_its_row(void **state)
{
    const struct {
        struct message message;
        bool is_reply;
    } rows[] = {
        {{.type = 0}, false},
        {{.type = CLIENT_COUNT}, false},
        {{.type = CLIENT_FREE, .status = 1}, false},
        {{.type = CLIENT_FREE, .words = {1, 2, 3}}, false},
        {{.type = CLIENT_FREE, .payload_bytes = 1}, false},
        {{.type = CLIENT_UPLOAD, .payload_bytes = CLIENT_PIECE_BYTES + 1}, false},
        {{.type = CLIENT_FREE, .words = {1}}, true},
        {{.type = CLIENT_DOWNLOAD, .payload_bytes = SIZE_MAX}, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t bytes[MESSAGE_HEADER_BYTES];
        struct diagnostic diagnostic = {.message = ""};
        struct message back;

        message_header_pack(&rows[i].message, bytes);
        assert_int_equal(
            message_header_unpack(bytes, rows[i].is_reply, client_format, &back, &diagnostic),
            ERROR_SYNTAX);
        assert_string_not_equal(diagnostic.message, "");
    }
}

static void *answer(void *context)
{
    struct pair *pair = context;
    struct message request, reply = {.type = CLIENT_DOWNLOAD};
    static uint8_t bytes[300000];

    channel_receive(&pair->ends[1], false, UINT64_MAX, &request, NULL);
    memset(bytes, 0x5a, sizeof(bytes));
    reply.payload = bytes;
    reply.payload_bytes = request.words[3];
    channel_send(&pair->ends[1], &reply, UINT64_MAX, NULL);
    return NULL;
}

static void call_brings_a_large_reply(void **state)
{
    struct message reply, request = {.type = CLIENT_DOWNLOAD, .words = {1, 0, 0, 300000, 1}};
    struct diagnostic diagnostic = {.message = ""};
    struct pair pair;
    pthread_t thread;

    (void)state;
    open_pair(&pair);
    assert_int_equal(pthread_create(&thread, NULL, answer, &pair), 0);
    assert_int_equal(channel_call(&pair.ends[0], &request, clock_now_ns() + 60 * CLOCK_NS_PER_S,
                                  &reply, &diagnostic),
                     ERROR_NONE);
    pthread_join(thread, NULL);
    assert_int_equal(reply.payload_bytes, 300000);
    assert_int_equal(((const uint8_t *)reply.payload)[299999], 0x5a);
    close_pair(&pair);
}

static void orderly_end_is_told_from_a_cut(void **state)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message message;
    struct pair pair;

    (void)state;
    open_pair(&pair);
    descriptor_close(&pair.fds[0]);
    assert_int_equal(channel_receive(&pair.ends[1], false, soon(), &message, &diagnostic),
                     ERROR_PEER);
    assert_string_equal(diagnostic.message, "");
    close_pair(&pair);

    open_pair(&pair);
    assert_int_equal(write(pair.fds[0], "\1\0\0", 3), 3);
    descriptor_close(&pair.fds[0]);
    assert_int_equal(channel_receive(&pair.ends[1], false, soon(), &message, &diagnostic),
                     ERROR_PEER);
    assert_non_null(strstr(diagnostic.message, "middle of a message"));
    close_pair(&pair);
}

static void half_a_message_runs_into_the_deadline(void **state)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message message;
    struct pair pair;

    (void)state;
    open_pair(&pair);
    assert_int_equal(write(pair.fds[0], "\1\0\0", 3), 3);
    assert_int_equal(channel_receive(&pair.ends[1], false, soon(), &message, &diagnostic),
                     ERROR_TIMEOUT);
    close_pair(&pair);
}

static void a_full_socket_runs_into_the_deadline(void **state)
{
    static uint8_t bytes[CLIENT_PIECE_BYTES];
    struct message message = {
        .type = CLIENT_UPLOAD, .payload = bytes, .payload_bytes = sizeof(bytes)};
    struct diagnostic diagnostic = {.message = ""};
    struct pair pair;

    (void)state;
    open_pair(&pair);
    assert_int_equal(channel_send(&pair.ends[0], &message, soon(), &diagnostic), ERROR_TIMEOUT);
    descriptor_close(&pair.fds[1]);
    assert_int_equal(channel_send(&pair.ends[0], &message, soon(), &diagnostic), ERROR_PEER);
    close_pair(&pair);
}

static void a_claim_allocates_nothing(void **state)
{
    struct message claim = {.type = CLIENT_UPLOAD, .payload_bytes = CLIENT_PIECE_BYTES};
    uint8_t header[MESSAGE_HEADER_BYTES];
    struct diagnostic diagnostic = {.message = ""};
    struct message message;
    struct pair pair;

    (void)state;
    open_pair(&pair);
    message_header_pack(&claim, header);
    assert_int_equal(write(pair.fds[0], header, sizeof(header)), sizeof(header));
    assert_int_equal(write(pair.fds[0], "abc", 3), 3);
    assert_int_equal(channel_receive(&pair.ends[1], false, soon(), &message, &diagnostic),
                     ERROR_TIMEOUT);
    assert_int_equal(pair.ends[1].received.length, 3);
    assert_true(pair.ends[1].received.capacity < 4096);
    close_pair(&pair);
}

static void an_interruption_ends_the_wait(void **state)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message message;
    struct pair pair;
    int other[2];

    (void)state;
    open_pair(&pair);
    assert_int_equal(pipe(other), 0);
    pair.ends[1].interrupt_fd = other[0];
    close(other[1]);
    assert_int_equal(channel_receive(&pair.ends[1], false, UINT64_MAX, &message, &diagnostic),
                     ERROR_PEER);
    close(other[0]);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_rows),
        cmocka_unit_test(header_survives),
        cmocka_unit_test(header_is_held_to_its_row),
        cmocka_unit_test(call_brings_a_large_reply),
        cmocka_unit_test(orderly_end_is_told_from_a_cut),
        cmocka_unit_test(half_a_message_runs_into_the_deadline),
        cmocka_unit_test(a_full_socket_runs_into_the_deadline),
        cmocka_unit_test(a_claim_allocates_nothing),
        cmocka_unit_test(an_interruption_ends_the_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
