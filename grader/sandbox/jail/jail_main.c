/* jail_main.c: the helper gpugrade-jail, a program of its own; see jail.h for what it does and for
 * whom, jail_supervise.c for its main task.
 *
 * It may have been given file capabilities, so its caller may be hostile too: it takes nothing from
 * the environment, touches what its caller names only as the caller or as a slot's user, closes
 * descriptors that it does not know, and insists on those that it needs.
 */
#include "base/program_execute.h"
#include "sandbox/jail.h"
#include "sandbox/jail/jail_job.h"
#include "sandbox/jail/jail_supervise.h"
#include "sandbox/jail/jail_sweep.h"
#include "sandbox/jail/jail_user.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char usage_text[] =
    "usage: gpugrade-jail enter UID PROGRAM [ARGUMENT...]\n"
    "       gpugrade-jail supervise OPTION VALUE ... -- PROGRAM [ARGUMENT...]\n"
    "       gpugrade-jail sweep UID\n"
    "       gpugrade-jail give UID FOLDER\n"
    "       gpugrade-jail clear UID FOLDER\n"
    "part of gpugrade, which calls it; you never need to run it yourself\n";

/* Where descriptor 0, 1 or 2 is missing, a file opened later would take its place. */
static void check_descriptors(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) { /* O_CLOEXEC not wanted */
            _exit(JAIL_EXIT);
        }
    }
    if (syscall(SYS_close_range, JAIL_DESCRIPTORS, ~0U, 0) != 0) {
        jail_give_up("cannot close descriptors");
    }
}

/* Moves itself into the run's control groups; the program and all its children follow. */
static void join_groups(void)
{
    static const int groups[] = {JAIL_MEMORY_GROUP_FD, JAIL_TASKS_GROUP_FD};

    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (fcntl(groups[i], F_GETFD) < 0) {
            continue;
        }
        if (write(groups[i], "0", 1) != 1) {
            jail_give_up("cannot join the control group of the run");
        }
        close(groups[i]);
    }
}

static uint64_t read_uid(const char *text)
{
    uint64_t uid;

    if (!jail_number(text, &uid) || (uid != 0 && !jail_uid_is_slot(uid))) {
        errno = EPERM;
        jail_give_up("not a user of the sandbox's range");
    }
    return uid;
}

/* Becomes the slot's twin, or stays; either way without a privilege to gain. */
static void change_user(uint64_t uid)
{
    if (!(uid == 0 ? jail_stay() : jail_become_twin((uid_t)uid))) {
        jail_give_up("cannot become the user of the sandbox");
    }
    if (!jail_forgo_privileges()) {
        jail_give_up("cannot set no_new_privs");
    }
}

static int enter(uint64_t uid, char **program)
{
    join_groups();
    change_user(uid);
    if (uid != 0) {
        kill(-1, SIGKILL); /* what an earlier holder of the slot has left */
        if (!jail_become_slot((uid_t)uid)) {
            jail_give_up("cannot become the user of the sandbox");
        }
    }
    program_execute(program[0], program, environ);
    jail_give_up(program[0]);
}

static int supervise(char **arguments, size_t count)
{
    struct jail_job job;
    const char *wrong;

    if (!jail_job_read(arguments, count, &job, &wrong)) {
        errno = EINVAL;
        jail_give_up(wrong == NULL ? "no program" : wrong);
    }
    if (job.uid != 0 && !jail_uid_is_slot(job.uid)) {
        errno = EPERM;
        jail_give_up("not a user of the sandbox's range");
    }
    jail_environment_unmark(environ);
    job.environment = environ;
    join_groups();
    change_user(job.uid);
    return jail_supervise(&job);
}

static int sweep(uint64_t uid)
{
    if (uid == 0) {
        errno = EPERM;
        jail_give_up("not a user of the sandbox's range");
    }
    change_user(uid);
    bool all_gone = jail_sweep_processes((uid_t)uid);
    jail_sweep_files((uid_t)uid);
    return all_gone ? 0 : JAIL_EXIT;
}

static int give(uint64_t uid, const char *folder)
{
    if (!jail_give_folder((uid_t)uid, folder)) {
        jail_give_up(folder);
    }
    return 0;
}

static int clear(uint64_t uid, const char *folder)
{
    if (!jail_clear_folder((uid_t)uid, folder)) {
        jail_give_up(folder);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";

    check_descriptors();
    if (!jail_user_begin()) {
        jail_give_up("the helper must not be set-user-ID, nor have capabilities while everyone may "
                     "run it (chown root:GROUP, chmod 0750, then setcap)");
    }
    if (argc >= 4 && strcmp(verb, "enter") == 0) {
        return enter(read_uid(argv[2]), argv + 3);
    }
    if (argc >= 3 && strcmp(verb, "supervise") == 0) {
        return supervise(argv + 2, (size_t)argc - 2);
    }
    if (argc == 3 && strcmp(verb, "sweep") == 0) {
        return sweep(read_uid(argv[2]));
    }
    if (argc == 4 && strcmp(verb, "give") == 0) {
        return give(read_uid(argv[2]), argv[3]);
    }
    if (argc == 4 && strcmp(verb, "clear") == 0) {
        return clear(read_uid(argv[2]), argv[3]);
    }
    fputs(usage_text, stderr);
    return JAIL_EXIT;
}
