/* peak.c: runs one command and tells what the grader's own processes below it used.
 *
 *   peak REPORT COMMAND [ARGUMENT...]
 *
 * Every few milliseconds it looks at each process below the command (/proc/PID/task/TID/children).
 * REPORT gets a line for the graders (called gpugrade) and one for the device processes
 * (gpugrade-device): the name, the most processor seconds that one of them used, and the most
 * memory in MB, as it was resident and as the kernel counts it for RLIMIT_DATA. What a process
 * uses in its last milliseconds may not be seen. The exit status is the command's.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 5, DEPTH_MAX = 8 };

struct usage {
    const char *name;
    double seconds;
    unsigned long resident_kb, data_kb;
};

static struct usage usages[] = {{.name = "gpugrade"}, {.name = "gpugrade-device"}};

enum { USAGES = sizeof usages / sizeof usages[0] };

static FILE *open_of(long pid, const char *file)
{
    char path[96];

    snprintf(path, sizeof path, "/proc/%ld/%s", pid, file);
    return fopen(path, "re");
}

/* Processor seconds of all threads. */
static double seconds_of(long pid)
{
    unsigned long user = 0, system = 0;
    FILE *file = open_of(pid, "stat");
    char line[1024] = "";

    if (file != NULL) {
        if (fgets(line, sizeof line, file) != NULL) {
            const char *rest = strrchr(line, ')');
            if (rest == NULL ||
                sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                       &system) != 2) {
                user = system = 0;
            }
        }
        fclose(file);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void look_at(long pid)
{
    unsigned long resident_kb = 0, data_kb = 0;
    FILE *file = open_of(pid, "status");
    struct usage *usage = NULL;
    char line[256], name[64] = "";

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "Name: %63s", name);
        sscanf(line, "VmHWM: %lu", &resident_kb);
        sscanf(line, "VmData: %lu", &data_kb);
    }
    if (file != NULL) {
        fclose(file);
    }
    /* The kernel names what was started by a descriptor after its number. */
    if (name[0] != '\0' && name[strspn(name, "0123456789")] == '\0') {
        snprintf(name, sizeof name, "gpugrade-device");
    }
    for (size_t i = 0; i < USAGES; i++) {
        usage = strcmp(name, usages[i].name) == 0 ? &usages[i] : usage;
    }
    if (usage == NULL) {
        return;
    }
    double seconds = seconds_of(pid);
    usage->seconds = seconds > usage->seconds ? seconds : usage->seconds;
    usage->resident_kb = resident_kb > usage->resident_kb ? resident_kb : usage->resident_kb;
    usage->data_kb = data_kb > usage->data_kb ? data_kb : usage->data_kb;
}

static void look_below(long pid, int depth)
{
    char path[96];
    struct dirent *entry;

    look_at(pid);
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *tasks = depth < DEPTH_MAX ? opendir(path) : NULL;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        snprintf(path, sizeof path, "task/%.32s/children", entry->d_name);
        FILE *children = entry->d_name[0] == '.' ? NULL : open_of(pid, path);
        long child;
        while (children != NULL && fscanf(children, "%ld", &child) == 1) {
            look_below(child, depth + 1);
        }
        if (children != NULL) {
            fclose(children);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

int main(int argc, char **argv)
{
    const struct timespec pause = {0, PAUSE_MS * 1000000L};
    int status = 0;

    if (argc < 3) {
        return 3;
    }
    pid_t command = fork();
    if (command == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    while (command > 0 && waitpid(command, &status, WNOHANG) == 0) {
        look_below(command, 0);
        nanosleep(&pause, NULL);
    }
    FILE *report = command < 0 ? NULL : fopen(argv[1], "we");
    if (report == NULL) {
        return 3;
    }
    for (size_t i = 0; i < USAGES; i++) {
        fprintf(report, "%s %.2f %lu %lu\n", usages[i].name, usages[i].seconds,
                usages[i].resident_kb >> 10, usages[i].data_kb >> 10);
    }
    fclose(report);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
