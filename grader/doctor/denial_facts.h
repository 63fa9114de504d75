/* denial_facts.h: the targets that gpugrade-sandbox-probe attacks, set up outside the sandbox.
 *
 * The files are in <work folder>/others. Their modes give everybody access, so only the sandbox
 * protects them. The process to attack is this one. Nothing here is of value, and all of it is
 * removed at the end. */
#ifndef GPUGRADE_DOCTOR_DENIAL_FACTS_H
#define GPUGRADE_DOCTOR_DENIAL_FACTS_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { FACTS_MAX = 32 };

struct denial_facts {
    struct arena *arena;
    const char *sandbox_probe;    /* a copy that users of the sandbox can start */
    const char *set_user_id;      /* another, which belongs to root; NULL: this is not root */
    const char *overwrite;        /* a file */
    const char *object;           /* of POSIX shared memory, as a path */
    const char *secret;           /* the contents of files and objects */
    const char *words[FACTS_MAX]; /* [count] "key=value" */
    size_t count;
    int tcp_fd, udp_fd, abstract_fd, local_fd; /* listening sockets */
    int open_fd;                               /* a descriptor without close-on-exec */
    int segment;                               /* of System V; -1 */
    key_t left_key;    /* for objects that the sandbox probe does not remove */
    const char *queue; /* likewise */
};

/* Sets everything up, blocks SIGUSR2 and adds a variable to the environment. Errors:
 * ERROR_ENVIRONMENT; it must be released even then. */
enum error denial_facts_init(struct denial_facts *facts, struct arena *arena, const char *folder,
                             const char *helper_folder, struct diagnostic *diagnostic);
void denial_facts_release(struct denial_facts *facts);

/* Whether an attempt had an effect, seen from outside; each function removes its traces. */
bool denial_facts_overwritten(struct denial_facts *facts);
bool denial_facts_datagram(struct denial_facts *facts);
bool denial_facts_signal(struct denial_facts *facts);
bool denial_facts_objects(struct denial_facts *facts);

/* True if a process holds the lock of the file "alive" in the folder; it is killed. */
bool denial_facts_alive(struct denial_facts *facts, const char *folder);

#endif
