/* denial_facts.h: what gpugrade-sandbox-probe tries its hand at, set up outside the sandbox.
 *
 * Files lie in <work folder>/others, whose modes let everybody in: only the sandbox stands before
 * them. The process is this one. Nothing here is worth anything; all of it is gone at the end.
 */
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
    const char *secret;           /* what files and objects hold */
    const char *words[FACTS_MAX]; /* [count] "key=value" */
    size_t count;
    int tcp_fd, udp_fd, abstract_fd, local_fd; /* those who listen */
    int open_fd;                               /* a descriptor without close-on-exec */
    int segment;                               /* of System V; -1 */
    key_t left_key;    /* for objects that the sandbox probe leaves behind */
    const char *queue; /* likewise */
};

/* Sets everything up, blocks SIGUSR2 and adds a variable to the environment. Errors:
 * ERROR_ENVIRONMENT; release it all the same. */
enum error denial_facts_init(struct denial_facts *facts, struct arena *arena, const char *folder,
                             const char *helper_folder, struct diagnostic *diagnostic);
void denial_facts_release(struct denial_facts *facts);

/* What came of an attempt, seen from outside; each question clears its traces. */
bool denial_facts_overwritten(struct denial_facts *facts);
bool denial_facts_datagram(struct denial_facts *facts);
bool denial_facts_signal(struct denial_facts *facts);
bool denial_facts_objects(struct denial_facts *facts);

/* True if a process holds the lock of the file "alive" in the folder; it is killed. */
bool denial_facts_alive(struct denial_facts *facts, const char *folder);

#endif
