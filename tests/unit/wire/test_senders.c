/* test_senders.c: a channel that tells whose bytes come: a child of the peer, bytes that were sent
 * before anybody asked, two senders of one message, descriptors that come along. */
#include "wire/message.h"

#include "base/clock.h"
#include "base/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct pair {
    int fds[2];
    struct channel sender, receiver;
};

static void open_pair(struct pair *pair)
{
    assert_int_equal(socket_pair(pair->fds, NULL), ERROR_NONE);
    channel_init(&pair->sender, pair->fds[0], client_format);
    channel_init(&pair->receiver, pair->fds[1], client_format);
    assert_true(channel_wake_senders(&pair->receiver));
    pair->receiver.peer = getpid();
}

static void close_pair(struct pair *pair)
{
    channel_release(&pair->sender);
    channel_release(&pair->receiver);
    descriptor_close(&pair->fds[0]);
    descriptor_close(&pair->fds[1]);
}

static enum error receive(struct pair *pair, struct message *out_message)
{
    struct diagnostic diagnostic = {.message = ""};

    return channel_receive(&pair->receiver, false, clock_now_ns() + 60 * CLOCK_NS_PER_S,
                           out_message, &diagnostic);
}

static void send_one(struct pair *pair, const void *payload, size_t bytes)
{
    const struct message message = {
        .type = bytes > 0 ? CLIENT_UNKNOWN : CLIENT_SYNCHRONISE,
        .words = {bytes > 0 ? 0 : 1},
        .payload = payload,
        .payload_bytes = bytes,
    };

    assert_int_equal(channel_send(&pair->sender, &message, UINT64_MAX, NULL), ERROR_NONE);
}

/* Sends bytes from a child of this process. */
static void send_from_child(struct pair *pair, const void *bytes, size_t length)
{
    int status = 1;
    pid_t child = fork();

    if (child == 0) {
        _exit(send(pair->fds[0], bytes, length, MSG_NOSIGNAL) == (ssize_t)length ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void the_peer_is_served(void **state)
{
    struct message message;
    struct pair pair;

    (void)state;
    open_pair(&pair);
    send_one(&pair, NULL, 0);
    send_one(&pair, "name", 4);
    assert_int_equal(receive(&pair, &message), ERROR_NONE);
    assert_int_equal(message.type, CLIENT_SYNCHRONISE);
    assert_int_equal(receive(&pair, &message), ERROR_NONE);
    assert_memory_equal(message.payload, "name", 4);
    assert_false(pair.receiver.is_foreign);
    close_pair(&pair);
}

static void a_child_is_not_the_peer(void **state)
{
    const struct message message = {.type = CLIENT_SYNCHRONISE, .words = {1}};
    uint8_t header[MESSAGE_HEADER_BYTES];
    struct message received;
    struct pair pair;

    (void)state;
    message_header_pack(&message, header);
    open_pair(&pair);
    send_from_child(&pair, header, sizeof header);
    assert_int_equal(receive(&pair, &received), ERROR_SYNTAX);
    assert_true(pair.receiver.is_foreign);
    close_pair(&pair);

    /* Without a peer anybody may. */
    open_pair(&pair);
    pair.receiver.peer = 0;
    send_from_child(&pair, header, sizeof header);
    assert_int_equal(receive(&pair, &received), ERROR_NONE);
    close_pair(&pair);
}

/* A child that finishes what the peer began, be it a header or a payload. */
static void a_message_has_one_sender(void **state)
{
    const struct message message = {.type = CLIENT_UNKNOWN, .payload_bytes = 4};
    uint8_t bytes[MESSAGE_HEADER_BYTES + 4];
    struct message received;

    (void)state;
    message_header_pack(&message, bytes);
    memcpy(bytes + MESSAGE_HEADER_BYTES, "name", 4);
    for (size_t own = 1; own < sizeof bytes; own += 7) {
        struct pair pair;

        open_pair(&pair);
        assert_int_equal(send(pair.fds[0], bytes, own, MSG_NOSIGNAL), own);
        send_from_child(&pair, bytes + own, sizeof bytes - own);
        assert_int_equal(receive(&pair, &received), ERROR_SYNTAX);
        assert_true(pair.receiver.is_foreign);
        close_pair(&pair);
    }
}

/* What came before the question is nobody's. */
static void early_bytes_are_nobodys(void **state)
{
    struct message message;
    struct pair pair;

    (void)state;
    assert_int_equal(socket_pair(pair.fds, NULL), ERROR_NONE);
    channel_init(&pair.sender, pair.fds[0], client_format);
    channel_init(&pair.receiver, pair.fds[1], client_format);
    send_one(&pair, NULL, 0);
    assert_true(channel_wake_senders(&pair.receiver));
    pair.receiver.peer = getpid();
    assert_int_equal(receive(&pair, &message), ERROR_SYNTAX);
    assert_true(pair.receiver.is_foreign);
    close_pair(&pair);
}

static size_t open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count;
}

/* Sends one byte with descriptors. */
static void send_descriptors(int socket, size_t count)
{
    union {
        char bytes[CMSG_SPACE(8 * sizeof(int))];
        struct cmsghdr aligned;
    } control = {.bytes = {0}};
    char byte = 0;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr data = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&data);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    for (size_t i = 0; i < count; i++) {
        memcpy(CMSG_DATA(header) + i * sizeof(int), &socket, sizeof(int));
    }
    assert_int_equal(sendmsg(socket, &data, MSG_NOSIGNAL), 1);
}

static void descriptors_are_dropped(void **state)
{
    struct message message;
    struct pair pair;

    (void)state;
    for (size_t count = 1; count <= 8; count += 7) {
        open_pair(&pair);
        size_t before = open_descriptors();
        send_descriptors(pair.fds[0], count);
        assert_int_equal(receive(&pair, &message), ERROR_SYNTAX);
        assert_false(pair.receiver.is_foreign);
        assert_int_equal(open_descriptors(), before);
        close_pair(&pair);
    }
    /* A channel that does not ask drops them too, and goes on. */
    open_pair(&pair);
    pair.receiver.wakes_senders = false;
    size_t before = open_descriptors();
    send_descriptors(pair.fds[0], 3);
    shutdown(pair.fds[0], SHUT_WR);
    assert_int_equal(receive(&pair, &message), ERROR_PEER);
    assert_int_equal(open_descriptors(), before);
    close_pair(&pair);
}

static void replies_are_no_longer_than_asked_for(void **state)
{
    const struct message reply = {
        .type = CLIENT_DOWNLOAD, .payload = "12345678", .payload_bytes = 8};
    struct message message;
    struct pair pair;

    (void)state;
    for (uint64_t most = 7; most <= 8; most++) {
        struct diagnostic diagnostic = {.message = ""};

        open_pair(&pair);
        pair.receiver.payload_max = most;
        assert_int_equal(channel_send(&pair.sender, &reply, UINT64_MAX, NULL), ERROR_NONE);
        enum error error = channel_receive(
            &pair.receiver, true, clock_now_ns() + 60 * CLOCK_NS_PER_S, &message, &diagnostic);
        assert_int_equal(error, most == 8 ? ERROR_NONE : ERROR_SYNTAX);
        close_pair(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_peer_is_served),
        cmocka_unit_test(a_child_is_not_the_peer),
        cmocka_unit_test(a_message_has_one_sender),
        cmocka_unit_test(early_bytes_are_nobodys),
        cmocka_unit_test(descriptors_are_dropped),
        cmocka_unit_test(replies_are_no_longer_than_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
