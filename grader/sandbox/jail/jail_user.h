/* jail_user.h: the user that the helper runs as: the users of slots, and the capabilities of its
 * file (see jail.h). Functions that return bool set errno when they return false. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_USER_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Disables the capabilities that came with the helper's file until they are needed, so that they
 * are never used on anything that the caller named. Refuses a helper that would serve everyone on
 * the machine, and one that is set-user-ID. Does nothing for root. */
bool jail_user_begin(void);

/* Is it the first user of a slot? The helper never becomes any other. */
bool jail_uid_is_slot(uint64_t uid);

/* Becomes the supervising user of a slot: real and saved user uid + 1, effective user uid, group
 * uid, no capability. */
bool jail_become_twin(uid_t uid);

/* Becomes the slot's user completely; only its supervising user can. */
bool jail_become_slot(uid_t uid);

/* Adds the slot's group to those of this process, and gives up all capabilities. */
bool jail_join_slot_group(uid_t uid);

/* Keeps the user, without the capabilities of the helper's file. */
bool jail_stay(void);

/* Sets no_new_privs, so that no exec can gain privileges. */
bool jail_forgo_privileges(void);

#endif
