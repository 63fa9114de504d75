/* message.h: the bytes that cross both channels.
 *
 *   0        4        8                16                             96
 *   +--------+--------+----------------+------------------------------+------------------+
 *   | type   | status | payload bytes  | words[10], u64 each          | payload ...      |
 *   +--------+--------+----------------+------------------------------+------------------+
 *
 * All fields are little endian. A request names its type and gets one reply of the same type, if
 * its table says so; `status` is 0 in requests, and in replies an `enum error` on the control
 * channel, a cudaError_t on the client channel. The two tables, client_messages.def (hostile: the
 * student's process) and control_messages.def (trusted), give each type's words and the largest
 * payload; a message that does not fit its row is refused before its payload is read.
 */
#ifndef GPUGRADE_WIRE_MESSAGE_H
#define GPUGRADE_WIRE_MESSAGE_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "wire/page_hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MESSAGE_WORDS = 10, MESSAGE_HEADER_BYTES = 16 + 8 * MESSAGE_WORDS };

struct message {
    uint32_t type;
    uint32_t status;
    uint64_t words[MESSAGE_WORDS];
    const void *payload; /* [payload_bytes]; in a received message it lives in the channel */
    size_t payload_bytes;
};

/* Larger copies between the program and the device go in pieces, so that neither end holds a whole
 * copy, nor asks about more pages than fit in one message; CUDA allows 32764 bytes of parameters. A
 * name is mangled. */
enum {
    CLIENT_PIECE_BYTES = 4 << 20,
    CONTROL_PIECE_BYTES = 4 << 20, /* of device memory, so that neither end needs room for all */
    CLIENT_PIECE_PAGES = CLIENT_PIECE_BYTES / HASH_PAGE_BYTES,
    CLIENT_PARAMETERS_BYTES = 32764,
    CLIENT_NAME_BYTES = 4096,
    CLIENT_LOAD_BYTES = 64 << 20, /* of modules that a program loads, together */
    CLIENT_MARK_BYTES = 63
};

/* A row of a table. */
struct message_format {
    const char *name;
    bool has_reply;
    uint8_t request_words, reply_words;
    uint64_t request_payload_max, reply_payload_max;
};

enum client_message {
    CLIENT_NONE,
#define CLIENT_MESSAGE(name, ...) CLIENT_##name,
#include "wire/client_messages.def"
#undef CLIENT_MESSAGE
    CLIENT_COUNT
};

enum control_message {
    CONTROL_NONE,
#define CONTROL_MESSAGE(name, ...) CONTROL_##name,
#include "wire/control_messages.def"
#undef CONTROL_MESSAGE
    CONTROL_COUNT
};

/* The format of a type; NULL for a number outside the table. */
const struct message_format *client_format(uint32_t type);
const struct message_format *control_format(uint32_t type);

/* One end of a channel over a stream socket. */
struct channel {
    int fd;           /* owned by the caller */
    int interrupt_fd; /* -1, or a descriptor that ends a wait with ERROR_PEER when it is readable or
                         closed: the device waits for the program, but no longer than the grader */
    const struct message_format *(*format)(uint32_t type);
    uint64_t payload_max; /* of the next message that is received, besides its row's */
    struct text received; /* the payload of the last message */
    bool wakes_senders;   /* see channel_wake_senders */
    pid_t peer;           /* with it: the process whose messages are taken; 0: anyone's */
    bool is_foreign;      /* with it: the last receive got bytes of another process */
};

void channel_init(struct channel *channel, int fd,
                  const struct message_format *(*format)(uint32_t type));
void channel_release(struct channel *channel);

/* From now on the kernel reports which process sends the incoming bytes; earlier bytes have no
 * known sender. File descriptors that come with them are dropped. On such a channel, bytes from a
 * process other than `peer`, or with a file descriptor, give ERROR_SYNTAX. False if the descriptor
 * is not a socket. */
bool channel_wake_senders(struct channel *channel);

/* Sends one message. The deadline (clock_now_ns; UINT64_MAX: none) covers the whole of it.
 * Errors: ERROR_PEER (closed), ERROR_TIMEOUT. */
enum error channel_send(struct channel *channel, const struct message *message,
                        uint64_t deadline_ns, struct diagnostic *diagnostic);

/* Receives one message, request or reply (`is_reply` selects the columns that are checked). The
 * payload stays valid until the next receive. Errors: ERROR_PEER when the peer closed between
 * messages (diagnostic unset: an orderly end), ERROR_SYNTAX when it broke the format,
 * ERROR_TIMEOUT. */
enum error channel_receive(struct channel *channel, bool is_reply, uint64_t deadline_ns,
                           struct message *out_message, struct diagnostic *diagnostic);

/* Sends a request and receives its reply. */
enum error channel_call(struct channel *channel, const struct message *request,
                        uint64_t deadline_ns, struct message *out_reply,
                        struct diagnostic *diagnostic);

/* Header alone: packs and unpacks MESSAGE_HEADER_BYTES; unpack checks it against its row. */
void message_header_pack(const struct message *message, uint8_t out_bytes[MESSAGE_HEADER_BYTES]);
enum error message_header_unpack(const uint8_t bytes[MESSAGE_HEADER_BYTES], bool is_reply,
                                 const struct message_format *(*format)(uint32_t type),
                                 struct message *out_message, struct diagnostic *diagnostic);

#endif
