/* sandbox_slot.h: users for programs, when the grader is root.
 *
 * RLIMIT_NPROC does not bind root, and one user's programs could reach each other. So root gives
 * each running program a user id of its own from a range that no distribution hands out (between
 * systemd's ranges for containers and for dynamic users). A slot is taken by a lock on one byte of
 * one file, shared by all graders of the machine; the kernel gives it back when its holder dies.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_SLOT_H
#define GPUGRADE_SANDBOX_SANDBOX_SLOT_H

#include "base/diagnostic.h"

#include <stdbool.h>
#include <stdint.h>

enum { SANDBOX_FIRST_UID = 61000, SANDBOX_SLOTS = 184 };

/* Can this process change to the users of the range? True for root outside of user namespaces, and
 * for root of a namespace (a container) that maps them. */
bool sandbox_slot_available(void);

/* Takes a free slot. It is given back when *out_fd is closed. Errors: ERROR_ENVIRONMENT. */
enum error sandbox_slot_take(int *out_fd, uint32_t *out_uid, struct diagnostic *diagnostic);

#endif
