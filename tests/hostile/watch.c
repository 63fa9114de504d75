/* watch.c: runs one grading and sees whether anything of it survives.
 *
 *   watch [-k MS] [-i] [-q QUEUE] SECONDS REPORT COMMAND [ARGUMENT...]
 *
 * It is a subreaper: whatever the command's processes leave behind becomes its child, however often
 * they fork, change their session or their user. The command is killed after SECONDS; with -k it is
 * killed with SIGKILL after MS milliseconds, or, with -i, its first child is. When the command has
 * ended, what still lives after GRACE_MS is a survivor: it is counted, named and killed; so is a
 * message queue of POSIX with the name of -q.
 *
 * REPORT gets one line: how it ended ("exit 1", "signal 9", "over" after SECONDS), its
 * milliseconds, the number of survivors and their names; a second one has the numbers of the
 * command's process and of its first child. The exit status is 0 unless watch itself fails.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_MS = 250,
    KILLED_GRACE_MS = 2000,
    PAUSE_MS = 2,
    LATE_MS = 50, /* a pause that takes longer is the machine's doing */
    NAMES_BYTES = 1024,
};

struct watched {
    pid_t command, child;
    bool ended, over;
    int status;
    long started_ms, ended_ms;
};

static long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

static void pause_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000L};

    nanosleep(&pause, NULL);
}

/* Reaps all that has ended; false if there is no child any more. */
static bool reap(struct watched *watched)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == watched->command) {
            watched->ended = true;
            watched->status = status;
            watched->ended_ms = now_ms();
        } else if (pid <= 0) {
            return pid == 0;
        }
    }
}

/* The n-th child of a process, from 0; 0 if there is none. */
static pid_t child_of(pid_t parent, int n)
{
    char path[64];
    long pid = 0;

    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *list = fopen(path, "re");
    for (int i = 0; list != NULL && i <= n; i++) {
        if (fscanf(list, "%ld", &pid) != 1) {
            pid = 0;
        }
    }
    if (list != NULL) {
        fclose(list);
    }
    return (pid_t)pid;
}

/* Writes "name(pid uid)" of a survivor. */
static void name_survivor(pid_t pid, FILE *out)
{
    char path[64];
    char line[256];
    char name[64] = "?";
    unsigned uid = 0;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        (void)sscanf(line, "Name: %63s", name);
        (void)sscanf(line, "Uid: %u", &uid);
    }
    if (status != NULL) {
        fclose(status);
    }
    fprintf(out, " %s(%ld, user %u)", name, (long)pid, uid);
}

static bool is_zombie(pid_t pid)
{
    char path[64];
    char state = 'Z';

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *stat = fopen(path, "re");
    if (stat != NULL) {
        if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1) {
            state = 'Z'; /* it went away */
        }
        fclose(stat);
    }
    return state == 'Z';
}

/* Names and kills what is left, until nothing is; returns how many there were. */
static int kill_survivors(struct watched *watched, FILE *names)
{
    int count = 0;

    while (reap(watched)) {
        pid_t pid = child_of(getpid(), 0);
        if (pid > 0 && !is_zombie(pid)) {
            count++;
            name_survivor(pid, names);
            kill(pid, SIGKILL);
        }
        pause_ms(PAUSE_MS);
    }
    return count;
}

static void write_report(const char *path, const struct watched *watched, int survivors,
                         const char *names)
{
    FILE *report = fopen(path, "we");

    if (report == NULL) {
        perror(path);
        exit(3);
    }
    if (watched->over) {
        fprintf(report, "over 0");
    } else if (WIFSIGNALED(watched->status)) {
        fprintf(report, "signal %d", WTERMSIG(watched->status));
    } else {
        fprintf(report, "exit %d", WEXITSTATUS(watched->status));
    }
    fprintf(report, " %ld %d%s\n%ld %ld\n", watched->ended_ms - watched->started_ms, survivors,
            names, (long)watched->command, (long)watched->child);
    fclose(report);
}

static void start(struct watched *watched, char **command)
{
    watched->started_ms = now_ms();
    watched->command = fork();
    if (watched->command == 0) {
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
}

int main(int argc, char **argv)
{
    struct watched watched = {0};
    char names[NAMES_BYTES] = "";
    long kill_ms = -1;
    bool inner = false;
    const char *queue = NULL;
    int option;

    while ((option = getopt(argc, argv, "+k:iq:")) != -1) {
        kill_ms = option == 'k' ? strtol(optarg, NULL, 10) : kill_ms;
        inner = inner || option == 'i';
        queue = option == 'q' ? optarg : queue;
    }
    if (argc - optind < 3) {
        fputs("usage: watch [-k MS] [-i] [-q QUEUE] SECONDS REPORT COMMAND...\n", stderr);
        return 2;
    }
    long limit_ms = strtol(argv[optind], NULL, 10) * 1000L;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    start(&watched, argv + optind + 2);
    while (reap(&watched) && !watched.ended) {
        long spent_ms = now_ms() - watched.started_ms;
        pid_t child = child_of(watched.command, 0);
        if (child > 0) { /* a launcher may have had another one before */
            watched.child = child;
        }
        if (kill_ms >= 0 && spent_ms >= kill_ms) {
            kill(inner && watched.child > 0 ? watched.child : watched.command, SIGKILL);
            kill_ms = -1;
        }
        if (spent_ms > limit_ms && !watched.over) {
            watched.over = true;
            kill(watched.command, SIGKILL);
        }
        pause_ms(PAUSE_MS);
    }
    /* What has been killed needs a moment to go. While this program itself gets no processor, nor
     * does what is to go. */
    long left_ms = WIFSIGNALED(watched.status) ? KILLED_GRACE_MS : GRACE_MS;
    while (reap(&watched) && left_ms > 0) {
        long since_ms = now_ms();
        pause_ms(PAUSE_MS);
        long took_ms = now_ms() - since_ms;
        left_ms -= took_ms < LATE_MS ? took_ms : LATE_MS;
    }
    FILE *list = fmemopen(names, sizeof names - 1, "w");
    int survivors = kill_survivors(&watched, list);
    if (queue != NULL && mq_unlink(queue) == 0) {
        fprintf(list, " queue %s", queue);
        survivors++;
    }
    fclose(list);
    write_report(argv[optind + 1], &watched, survivors, names);
    return 0;
}
