/* client.h: the structured parts of the client channel; its messages are in client_messages.def. */
#ifndef GPUGRADE_WIRE_CLIENT_H
#define GPUGRADE_WIRE_CLIENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes with the messages: a program that was linked with another build is refused. */
enum { CLIENT_PROTOCOL = 8 };

/* The calls of the runtime, of libraries and of the driver: RUNTIME_CALL_cudaMalloc and so on. */
enum runtime_call {
    RUNTIME_CALL_NONE,
#define RUNTIME_CALL(name) RUNTIME_CALL_##name,
#include "wire/library_calls.def"
#include "wire/runtime_calls.def"
#undef RUNTIME_CALL
#define DRIVER_CALL(name, version, runtime) RUNTIME_CALL_##name,
#include "wire/driver_api.def"
#undef DRIVER_CALL
    RUNTIME_CALL_COUNT
};

/* The first word of a request: who asks. Each has 16 bits. */
struct client_origin {
    uint32_t call;   /* enum runtime_call */
    uint32_t site;   /* of the program's code, as SITE numbers it; 0: unknown */
    uint32_t stream; /* that the work is for, as ORDER numbers streams; 0: the call has none */
    uint32_t thread; /* of the host, from 1 on; all from the 65535th on are one */
};

/* The name of an operand of a library's call, "output", in one word. Reading gives false unless it
 * has 1 to CLIENT_OPERAND_LETTERS letters. */
enum { CLIENT_OPERAND_LETTERS = 8 };
uint64_t client_operand_pack(const char *name);
bool client_operand_unpack(uint64_t word, char out_name[CLIENT_OPERAND_LETTERS + 1]);

/* Places in the program's code from which it makes calls: the addresses after the calls, the
 * innermost first, as they are in the executable on disk; 0: no more. What is beyond SITES_MAX has
 * none. */
enum { CLIENT_SITE_ADDRESSES = 8, CLIENT_CRASH_ADDRESSES = 7, CLIENT_SITES_MAX = 4096 };

uint64_t client_origin_pack(const struct client_origin *origin);
struct client_origin client_origin_unpack(uint64_t word);

/* Numbers of streams and events in ORDER are below these. */
enum { CLIENT_STREAMS_MAX = 512, CLIENT_EVENTS_MAX = 4096 };

/* What ORDER says. Streams: 1 the legacy default one, 2 that of the first thread, others as they
 * come. */
enum client_order {
    CLIENT_ORDER_STREAM,           /* the stream is made; 1: it is blocking, 2: a node of a graph */
    CLIENT_ORDER_RECORD,           /* it records an event: its number */
    CLIENT_ORDER_WAIT,             /* it waits for an event: its number */
    CLIENT_ORDER_HOST_WAITS,       /* the host has waited for the stream */
    CLIENT_ORDER_HOST_WAITS_EVENT, /* ... for an event: its number */
    CLIENT_ORDER_HOST_WAITS_ALL,   /* ... for everything */
    CLIENT_ORDER_ASK, /* address, bytes: what does work do there that the host has not waited for?
                         Reply words: one of the enum below, start and end of the longest
                         stretch where it does that, over gaps of up to CLIENT_ORDER_GAP bytes */
    CLIENT_ORDER_HOST_TOUCHES, /* host code touched an address of pinned or managed memory; 1: it
                                  writes */
    CLIENT_ORDER_WORK, /* the stream copies: source (0: none), its pitch, target (0: none), its
                          pitch, width, rows. Host memory counts if it is pinned */
};

/* What work that the host has not waited for does to memory that it asks about. */
enum { CLIENT_ORDER_IDLE, CLIENT_ORDER_READS, CLIENT_ORDER_WRITES };
enum { CLIENT_ORDER_GAP = 256 };

/* What MARKER marks, in a harness: a case, or a judged call (model/rubric.h), whose operands follow
 * its begin. Names have at most CLIENT_MARK_BYTES (wire/message.h). */
enum client_mark {
    CLIENT_MARK_CASE_END,
    CLIENT_MARK_CASE,
    CLIENT_MARK_CALL,
    CLIENT_MARK_OPERAND,
    CLIENT_MARK_CALL_END,
    CLIENT_MARKS
};

/* What LIMIT sets. */
enum client_limit {
    CLIENT_LIMIT_STACK,
    CLIENT_LIMIT_PRINT,
    CLIENT_LIMIT_HEAP,
};

/* Why the stand-in runtime refuses a call by itself. */
enum refusal {
    REFUSAL_NONE,
#define REFUSAL(name, text) REFUSAL_##name,
#include "wire/refusals.def"
#undef REFUSAL
    REFUSAL_COUNT
};

/* Returns the text of a row of refusals.def; NULL for a number outside the table or none. */
const char *refusal_text(uint64_t refusal);

/* Returns "cudaMalloc"; "launch" for the calls that start a kernel; NULL for a number outside the
 * table or none. */
const char *runtime_call_name(uint64_t call);

/* The call of the runtime that does what a call of the driver does; any other call itself. */
enum runtime_call runtime_call_meaning(enum runtime_call call);

/* What a device reports about itself to the program. */
struct device_properties {
    char name[128]; /* "NVIDIA H200" */
#define DEVICE_PROPERTY(field) uint64_t field;
#include "wire/device_properties.def"
#undef DEVICE_PROPERTY
};

/* Lays the properties out: the numbers, u64 each, then the name. */
void device_properties_pack(const struct device_properties *properties, struct text *out);

/* Reads them back; false if the bytes are not valid. */
bool device_properties_unpack(const uint8_t *bytes, size_t length,
                              struct device_properties *out_properties);

#endif
