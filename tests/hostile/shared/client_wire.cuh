/* client_wire.cuh: speaks over descriptor 3 without the runtime, as wire/message.h lays it out. */
#ifndef CLIENT_WIRE_CUH
#define CLIENT_WIRE_CUH

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WIRE_FD = 3, WIRE_WORDS = 10 };

struct wire_header {
    uint32_t type, status;
    uint64_t payload_bytes;
    uint64_t words[WIRE_WORDS];
};

/* The first rows of client_messages.def. */
enum {
    WIRE_HELLO = 1,
    WIRE_MODULE,
    WIRE_KERNEL,
    WIRE_VARIABLE,
    WIRE_LOAD,
    WIRE_ALLOCATE,
    WIRE_FREE,
    WIRE_RANGE,
    WIRE_TOUCH,
    WIRE_FIND,
    WIRE_UPLOAD,
    WIRE_DOWNLOAD,
    WIRE_COPY,
    WIRE_FILL,
    WIRE_LAUNCH,
    WIRE_SYNCHRONISE,
    WIRE_RESET,
    WIRE_MEMORY,
};

static inline void wire_send(const void *bytes, size_t length)
{
    (void)!send(WIRE_FD, bytes, length, MSG_NOSIGNAL);
}

/* Sends a header whose words are given after the call's number. */
static inline void wire_header_send(uint32_t type, uint64_t payload_bytes, uint64_t first,
                                    uint64_t second, uint64_t third)
{
    struct wire_header header;
    memset(&header, 0, sizeof header);
    header.type = type;
    header.payload_bytes = payload_bytes;
    header.words[0] = 1;
    header.words[1] = first;
    header.words[2] = second;
    header.words[3] = third;
    wire_send(&header, sizeof header);
}

/* Reads a reply's header; payloads are left alone. False if the channel is closed. */
static inline bool wire_header_receive(struct wire_header *out_header)
{
    return recv(WIRE_FD, out_header, sizeof *out_header, MSG_WAITALL) == sizeof *out_header;
}

#endif
