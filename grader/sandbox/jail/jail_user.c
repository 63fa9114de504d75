/* jail_user.c: see jail_user.h. */
#include "sandbox/jail/jail_user.h"

#include "sandbox/jail.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CAPABILITY_WORDS = _LINUX_CAPABILITY_U32S_3 };

static const uint32_t needed_capabilities = 1U << CAP_SETUID | 1U << CAP_SETGID;

static bool get_capabilities(struct __user_cap_data_struct *out_words)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

    return syscall(SYS_capget, &header, out_words) == 0;
}

/* Keeps at most the permitted ones of `permitted`, and has those of `effective` in force. */
static bool set_capabilities(uint32_t permitted, uint32_t effective)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct words[CAPABILITY_WORDS];

    if (!get_capabilities(words)) {
        return false;
    }
    permitted &= words[0].permitted;
    memset(words, 0, sizeof words);
    words[0].permitted = permitted;
    words[0].effective = permitted & effective;
    return syscall(SYS_capset, &header, words) == 0;
}

/* Root keeps what it has until it becomes somebody else. */
static bool is_root(void)
{
    return getuid() == 0;
}

bool jail_user_begin(void)
{
    struct __user_cap_data_struct words[CAPABILITY_WORDS];
    struct stat own_file;

    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (getuid() != geteuid() || getgid() != getegid()) {
        errno = EPERM;
        return false;
    }
    if (is_root()) {
        return true;
    }
    if (!get_capabilities(words)) {
        return false;
    }
    if (words[0].permitted == 0 && words[1].permitted == 0) {
        return true;
    }
    if (stat("/proc/self/exe", &own_file) != 0) {
        return false;
    }
    if ((own_file.st_mode & (S_IXOTH | S_IWOTH | S_IWGRP)) != 0) {
        errno = EPERM;
        return false;
    }
    return set_capabilities(needed_capabilities, 0);
}

bool jail_uid_is_slot(uint64_t uid)
{
    const uint64_t end = JAIL_FIRST_UID + (uint64_t)JAIL_SLOTS * JAIL_USERS_PER_SLOT;

    return uid >= JAIL_FIRST_UID && uid < end && (uid - JAIL_FIRST_UID) % JAIL_USERS_PER_SLOT == 0;
}

bool jail_become_twin(uid_t uid)
{
    const uid_t twin = uid + 1;

    if (!jail_uid_is_slot(uid)) {
        errno = EPERM;
        return false;
    }
    if (!is_root() && !set_capabilities(needed_capabilities, needed_capabilities)) {
        return false;
    }
    return setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 &&
           setresuid(twin, uid, twin) == 0 && set_capabilities(0, 0);
}

bool jail_become_slot(uid_t uid)
{
    return setresuid(uid, uid, uid) == 0;
}

bool jail_join_slot_group(uid_t uid)
{
    const gid_t group = uid;

    if (!jail_uid_is_slot(uid)) {
        errno = EPERM;
        return false;
    }
    if (!is_root() && !set_capabilities(needed_capabilities, needed_capabilities)) {
        return false;
    }
    return setgroups(1, &group) == 0 && (is_root() || set_capabilities(0, 0));
}

bool jail_stay(void)
{
    return is_root() || set_capabilities(0, 0);
}

bool jail_forgo_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
