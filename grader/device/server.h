/* server.h: the device process: it serves the grader on one channel and the program on another.
 *
 *   grader  --control (trusted)-->  server  <--client (hostile)--  program
 *                                     |
 *                                  device.h
 *
 * While the grader has not said RESUME, nothing of the client channel is read: that is how a
 * program is held. RESUME serves the program until an event (control_messages.def), which answers
 * the RESUME. A request that caused an event is held; it is completed by the next RESUME. A message
 * on the client channel from a process other than the program, or with a file descriptor, ends the
 * run as forbidden.
 *
 * server_run() is the process. The functions below it are its two halves without sockets, for tests
 * and fuzzing.
 */
#ifndef GPUGRADE_DEVICE_SERVER_H
#define GPUGRADE_DEVICE_SERVER_H

#include "device/device.h"
#include "wire/message.h"

/* The devices that a server can open; CONFIGURE chooses one. */
struct server_devices {
    const struct device_backend *emulated;
    const struct device_backend *gpu; /* NULL: there is none in this program */
    /* With `gpu`: the properties of the one that is open (`state` is the backend's), and the
     * records of all (control_gpu_pack); ERROR_ENVIRONMENT where there is none. */
    const struct gpu_model *(*gpu_model)(const void *state);
    enum error (*list_gpus)(struct text *out_records, size_t *out_count,
                            struct diagnostic *diagnostic);
    /* Confines the process once a device is open, see device_confine.h; NULL: nothing does. */
    uint64_t (*confine)(const struct device_config *config, bool has_own_user);
};

/* Serves until the grader closes the control channel (then ERROR_NONE). The descriptors stay the
 * caller's; if the grader sends PEER, the client channel must report its senders from the first
 * byte on (channel_wake_senders, or SO_PASSCRED set by its creator). *out_had_gpu says whether a
 * real GPU was open: then the process must end by _exit(), because the driver would wait at its end
 * for a kernel that never ends. Errors: ERROR_PEER, ERROR_SYNTAX when the control channel carries
 * invalid messages. */
enum error server_run(const struct server_devices *devices, int control_fd, int client_fd,
                      bool *out_had_gpu, struct diagnostic *diagnostic);

/* How many requests must have come from the site of the last one for LOG to name it. */
enum { SERVER_BUSY_REQUESTS = 1000 };

struct server;

/* A server that is not configured yet. */
struct server *server_new(const struct server_devices *devices);
void server_free(struct server *server); /* NULL is accepted */

/* Answers one control request other than RESUME. The reply's payload lives in the server until the
 * next call. The request fits its row (message_header_unpack). */
void server_control(struct server *server, const struct message *request,
                    struct message *out_reply);

/* What a client request leads to. */
enum server_step {
    SERVER_STEP_REPLY,     /* a reply */
    SERVER_STEP_LAUNCH,    /* an observed launch is held */
    SERVER_STEP_MARKER,    /* a marker is held */
    SERVER_STEP_RESOURCES, /* a request that needs registers is held */
    SERVER_STEP_LOAD,      /* the last piece of a module that the program brings is held */
    SERVER_STEP_BROKEN,    /* no honest program sends this; see server_event */
};

/* Serves one client request. A held one must be completed before the next; the payload of a
 * request that is held must stay valid until then. */
enum server_step server_client(struct server *server, const struct message *request,
                               struct message *out_reply);

/* Completes a held request; true if there was one, then *out_reply is its reply. */
bool server_complete(struct server *server, struct message *out_reply);

/* Fills the reply to RESUME that reports a step other than SERVER_STEP_REPLY. */
void server_event(struct server *server, enum server_step step, struct message *out_reply);

#endif
