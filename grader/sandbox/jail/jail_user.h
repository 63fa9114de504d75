/* jail_user.h: who the helper is: slots, their twins, and capabilities of its file (see jail.h).
 * Functions that return bool set errno when they return false. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_USER_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Puts the capabilities that came with the helper's file out of force until they are needed, so
 * that nothing that the caller named is touched with them. Refuses a helper that would serve
 * everyone on the machine, and one that is set-user-ID. Does nothing for root. */
bool jail_user_begin(void);

/* Is it the first user of a slot? Nobody else is ever become. */
bool jail_uid_is_slot(uint64_t uid);

/* Becomes the twin of a slot's user: real and saved user uid + 1, effective user uid, group uid, no
 * capability. */
bool jail_become_twin(uid_t uid);

/* Becomes the slot's user altogether; only its twin can. */
bool jail_become_slot(uid_t uid);

/* Adds the slot's group to those of this process, and gives up all capabilities. */
bool jail_join_slot_group(uid_t uid);

/* Stays who it is, without what came with the helper's file. */
bool jail_stay(void);

/* Gives up gaining privileges by exec. */
bool jail_forgo_privileges(void);

#endif
