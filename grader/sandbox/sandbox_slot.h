/* sandbox_slot.h: users for programs.
 *
 * RLIMIT_NPROC does not limit root, and programs of the same user could reach each other. So each
 * running program gets its own user, from a range that no distribution assigns (jail.h), where the
 * helper may change to these users: it is run by root, or its file has capabilities. A slot is
 * taken by giving its name to a socket in the kernel's list of abstract names, which all graders of
 * the machine share, whichever user runs them; the name is free again when the last copy of the
 * socket is closed, also when its holder is killed.
 *
 * That list belongs to a network. A grader on the host and one in a container with a network of its
 * own have different lists and the same users, and the one on the host can end the other's programs
 * (never the other way round). So each network begins its search at another slot, and slots in
 * whose name a process of another network is seen to run are passed over. A grader in a container
 * cannot know which slots the host's grader has taken.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_SLOT_H
#define GPUGRADE_SANDBOX_SANDBOX_SLOT_H

#include "base/diagnostic.h"
#include "sandbox/jail.h"

#include <stdbool.h>
#include <stdint.h>

enum { SANDBOX_FIRST_UID = JAIL_FIRST_UID, SANDBOX_SLOTS = JAIL_SLOTS };

/* Can root's helper change to the users of the range? True for root outside of user namespaces, and
 * for root of a namespace (a container) that maps them. */
bool sandbox_slot_available(void);

/* Takes a free slot; *out_uid is the program's user. Users that have a name on this machine, such
 * as people from a directory service, are passed over. The slot is given back when *out_fd and all
 * its copies are closed. Errors: ERROR_ENVIRONMENT. */
enum error sandbox_slot_take(int *out_fd, uint32_t *out_uid, struct diagnostic *diagnostic);

#endif
