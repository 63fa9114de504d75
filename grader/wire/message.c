/* message.c: headers and channels; see message.h.
 *
 * Every system call on a channel is non-blocking and followed by a poll, whatever the descriptor's
 * own flags are, so that a deadline holds even when a peer sends half a message and then nothing.
 * A payload is read in pieces: the memory that it takes grows with the bytes that have arrived,
 * not with what a header claims.
 */
#include "wire/message.h"

#include "base/clock.h"
#include "wire/little_endian.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { PIECE_BYTES = 64 * 1024 };

static const struct message_format client_formats[CLIENT_COUNT] = {
#define CLIENT_MESSAGE(name, reply, request_words, reply_words, request_max, reply_max)            \
    [CLIENT_##name] = {#name, reply, request_words, reply_words, request_max, reply_max},
#include "wire/client_messages.def"
#undef CLIENT_MESSAGE
};

static const struct message_format control_formats[CONTROL_COUNT] = {
#define CONTROL_MESSAGE(name, reply, request_words, reply_words, request_max, reply_max)           \
    [CONTROL_##name] = {#name, reply, request_words, reply_words, request_max, reply_max},
#include "wire/control_messages.def"
#undef CONTROL_MESSAGE
};

const struct message_format *client_format(uint32_t type)
{
    return type > CLIENT_NONE && type < CLIENT_COUNT ? &client_formats[type] : NULL;
}

const struct message_format *control_format(uint32_t type)
{
    return type > CONTROL_NONE && type < CONTROL_COUNT ? &control_formats[type] : NULL;
}

void message_header_pack(const struct message *message, uint8_t out_bytes[MESSAGE_HEADER_BYTES])
{
    little_put_u32(out_bytes, message->type);
    little_put_u32(out_bytes + 4, message->status);
    little_put_u64(out_bytes + 8, message->payload_bytes);
    for (size_t i = 0; i < MESSAGE_WORDS; i++) {
        little_put_u64(out_bytes + 16 + 8 * i, message->words[i]);
    }
}

/* Checks a header against its row. */
static enum error check_header(const struct message *message, uint64_t payload_bytes, bool is_reply,
                               const struct message_format *row, struct diagnostic *diagnostic)
{
    size_t words = is_reply ? row->reply_words : row->request_words;
    uint64_t payload_max = is_reply ? row->reply_payload_max : row->request_payload_max;
    const char *direction = is_reply ? "reply" : "request";

    if (is_reply && !row->has_reply) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a reply to %s, which expects none", row->name);
        return ERROR_SYNTAX;
    }
    if (!is_reply && message->status != 0) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a %s request with status %u; expected 0",
                       row->name, message->status);
        return ERROR_SYNTAX;
    }
    if (payload_bytes > payload_max) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a %s %s with %llu bytes; at most %llu are allowed", row->name, direction,
                       (unsigned long long)payload_bytes, (unsigned long long)payload_max);
        return ERROR_SYNTAX;
    }
    for (size_t i = words; i < MESSAGE_WORDS; i++) {
        if (message->words[i] != 0) {
            diagnostic_set(diagnostic, BLAME_GRADER,
                           "a %s %s whose word %zu is not 0; only %zu words are used", row->name,
                           direction, i, words);
            return ERROR_SYNTAX;
        }
    }
    return ERROR_NONE;
}

enum error message_header_unpack(const uint8_t bytes[MESSAGE_HEADER_BYTES], bool is_reply,
                                 const struct message_format *(*format)(uint32_t type),
                                 struct message *out_message, struct diagnostic *diagnostic)
{
    struct message message = {.type = little_get_u32(bytes), .status = little_get_u32(bytes + 4)};
    uint64_t payload_bytes = little_get_u64(bytes + 8);

    for (size_t i = 0; i < MESSAGE_WORDS; i++) {
        message.words[i] = little_get_u64(bytes + 16 + 8 * i);
    }
    const struct message_format *row = format(message.type);
    if (row == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a message of unknown type %u", message.type);
        return ERROR_SYNTAX;
    }
    enum error error = check_header(&message, payload_bytes, is_reply, row, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    message.payload_bytes = (size_t)payload_bytes;
    *out_message = message;
    return ERROR_NONE;
}

void channel_init(struct channel *channel, int fd,
                  const struct message_format *(*format)(uint32_t type))
{
    channel->fd = fd;
    channel->interrupt_fd = -1;
    channel->format = format;
    channel->payload_max = UINT64_MAX;
    text_init(&channel->received);
    channel->wakes_senders = false;
    channel->peer = 0;
    channel->is_foreign = false;
}

bool channel_wake_senders(struct channel *channel)
{
    const int on = 1;

    channel->wakes_senders = setsockopt(channel->fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
    return channel->wakes_senders;
}

void channel_release(struct channel *channel)
{
    if (channel != NULL) {
        text_release(&channel->received);
    }
}

/* Waits until the channel is ready for `events`. */
static enum error wait_ready(const struct channel *channel, short events, uint64_t deadline_ns,
                             struct diagnostic *diagnostic)
{
    struct pollfd polled[2] = {
        {.fd = channel->fd, .events = events},
        {.fd = channel->interrupt_fd, .events = POLLIN},
    };

    for (;;) {
        int timeout = deadline_ns == UINT64_MAX ? -1 : clock_poll_timeout_ms(deadline_ns);
        int ready = poll(polled, 2, timeout);
        if (ready < 0 && errno != EINTR) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot wait for a channel: %s",
                           strerror(errno));
            return ERROR_PEER;
        }
        if (ready > 0 && polled[1].revents != 0) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the wait was interrupted");
            return ERROR_PEER;
        }
        if (ready > 0) {
            return ERROR_NONE;
        }
        if (deadline_ns != UINT64_MAX && clock_now_ns() >= deadline_ns) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the other end did not answer in time");
            return ERROR_TIMEOUT;
        }
    }
}

/* Moves on in what is still to be sent. */
static void advance(struct iovec parts[2], size_t sent)
{
    for (int i = 0; i < 2; i++) {
        size_t step = sent < parts[i].iov_len ? sent : parts[i].iov_len;

        parts[i].iov_base = (uint8_t *)parts[i].iov_base + step;
        parts[i].iov_len -= step;
        sent -= step;
    }
}

enum error channel_send(struct channel *channel, const struct message *message,
                        uint64_t deadline_ns, struct diagnostic *diagnostic)
{
    static uint8_t no_payload[1];
    uint8_t header[MESSAGE_HEADER_BYTES];

    message_header_pack(message, header);
    struct iovec parts[2] = {
        {.iov_base = header, .iov_len = sizeof(header)},
        {.iov_base = message->payload_bytes > 0 ? (void *)(uintptr_t)message->payload : no_payload,
         .iov_len = message->payload_bytes},
    };
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        struct msghdr data = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t sent = sendmsg(channel->fd, &data, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (sent >= 0) {
            advance(parts, (size_t)sent);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            enum error error = wait_ready(channel, POLLOUT, deadline_ns, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        } else if (errno != EINTR) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the other end of a channel is gone: %s",
                           strerror(errno));
            return ERROR_PEER;
        }
    }
    return ERROR_NONE;
}

/* Receives what is there, as recv does; *out_sender is the process that sent all of it, 0 if that
 * is not known, and *out_is_cut says that more came with it than its sender. */
static ssize_t receive_now(const struct channel *channel, uint8_t *out_bytes, size_t length,
                           pid_t *out_sender, bool *out_is_cut)
{
    /* Room for the sender and for nothing else: the kernel closes descriptors that do not fit. */
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {.iov_base = out_bytes, .iov_len = length};
    struct msghdr data = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof(control.bytes)};
    struct ucred sender = {.pid = 0};

    *out_sender = 0;
    *out_is_cut = false;
    if (!channel->wakes_senders) {
        return recv(channel->fd, out_bytes, length, MSG_DONTWAIT);
    }
    ssize_t received = recvmsg(channel->fd, &data, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *first = received < 0 ? NULL : CMSG_FIRSTHDR(&data);
    if (first != NULL && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_CREDENTIALS &&
        first->cmsg_len == CMSG_LEN(sizeof(sender))) {
        memcpy(&sender, CMSG_DATA(first), sizeof(sender));
    }
    *out_sender = sender.pid;
    *out_is_cut = received > 0 && (data.msg_flags & MSG_CTRUNC) != 0;
    return received;
}

/* Says whether what came may be taken. */
static enum error check_sender(struct channel *channel, pid_t sender, bool is_cut,
                               struct diagnostic *diagnostic)
{
    channel->is_foreign = channel->wakes_senders && channel->peer != 0 && sender != channel->peer;
    if (channel->is_foreign) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a process other than the program used it");
        return ERROR_SYNTAX;
    }
    if (is_cut) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a file descriptor came with a message");
        return ERROR_SYNTAX;
    }
    return ERROR_NONE;
}

/* Receives up to `length` > 0 bytes; *out_received is 0 when the peer has closed. The kernel never
 * puts bytes of two senders into one answer. */
static enum error receive_some(struct channel *channel, uint8_t *out_bytes, size_t length,
                               uint64_t deadline_ns, size_t *out_received,
                               struct diagnostic *diagnostic)
{
    for (;;) {
        /* A peer that sends without pause must not keep the interruption from being seen. */
        if (channel->interrupt_fd >= 0) {
            enum error error = wait_ready(channel, POLLIN, deadline_ns, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        }
        pid_t sender;
        bool is_cut;
        ssize_t received = receive_now(channel, out_bytes, length, &sender, &is_cut);
        if (received >= 0) {
            *out_received = (size_t)received;
            return received == 0 ? ERROR_NONE : check_sender(channel, sender, is_cut, diagnostic);
        }
        if (errno == ECONNRESET) {
            *out_received = 0;
            return ERROR_NONE;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            enum error error = wait_ready(channel, POLLIN, deadline_ns, diagnostic);
            if (error != ERROR_NONE) {
                return error;
            }
        } else if (errno != EINTR) {
            diagnostic_set(diagnostic, BLAME_GRADER, "a channel cannot be read: %s",
                           strerror(errno));
            return ERROR_PEER;
        }
    }
}

static enum error ended_within_message(struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_GRADER, "the other end closed in the middle of a message");
    return ERROR_PEER;
}

static enum error receive_payload(struct channel *channel, size_t length, uint64_t deadline_ns,
                                  struct diagnostic *diagnostic)
{
    uint8_t piece[PIECE_BYTES];

    text_clear(&channel->received);
    while (channel->received.length < length) {
        size_t wanted = length - channel->received.length;
        size_t received = 0;
        enum error error =
            receive_some(channel, piece, wanted < sizeof(piece) ? wanted : sizeof(piece),
                         deadline_ns, &received, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        if (received == 0) {
            return ended_within_message(diagnostic);
        }
        text_append_bytes(&channel->received, piece, received);
    }
    return ERROR_NONE;
}

enum error channel_receive(struct channel *channel, bool is_reply, uint64_t deadline_ns,
                           struct message *out_message, struct diagnostic *diagnostic)
{
    uint8_t header[MESSAGE_HEADER_BYTES];
    struct message message;
    size_t filled = 0;
    enum error error;

    while (filled < sizeof(header)) {
        size_t received = 0;

        error = receive_some(channel, header + filled, sizeof(header) - filled, deadline_ns,
                             &received, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (received == 0) {
            return filled == 0 ? ERROR_PEER : ended_within_message(diagnostic);
        }
        filled += received;
    }
    error = message_header_unpack(header, is_reply, channel->format, &message, diagnostic);
    if (error == ERROR_NONE && message.payload_bytes > channel->payload_max) {
        diagnostic_set(diagnostic, BLAME_GRADER, "%zu bytes came; at most %llu were requested",
                       message.payload_bytes, (unsigned long long)channel->payload_max);
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = receive_payload(channel, message.payload_bytes, deadline_ns, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    message.payload = channel->received.bytes;
    *out_message = message;
    return ERROR_NONE;
}

enum error channel_call(struct channel *channel, const struct message *request,
                        uint64_t deadline_ns, struct message *out_reply,
                        struct diagnostic *diagnostic)
{
    struct message reply;
    enum error error = channel_send(channel, request, deadline_ns, diagnostic);

    if (error == ERROR_NONE) {
        error = channel_receive(channel, true, deadline_ns, &reply, diagnostic);
        if (error == ERROR_PEER) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the other end closed its channel");
        }
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.type != request->type) {
        diagnostic_set(diagnostic, BLAME_GRADER, "a reply to %s; expected one to %s",
                       channel->format(reply.type)->name, channel->format(request->type)->name);
        return ERROR_SYNTAX;
    }
    *out_reply = reply;
    return ERROR_NONE;
}
