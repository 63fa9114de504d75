/* Leaves files, folders without rights, fifos and links wherever that is possible. */
#define ATTACK_AT_PRINT litter
#include "honest_ends.cuh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void litter(void)
{
    static const char *const folders[] = {
        ".",       "/tmp", "/var/tmp",  "/dev/shm", "/run", "/var/lock",     "@HOME@",
        "@OTHER@", "/",    "/run/lock", "/dev",     "/etc", "/usr/local/lib"};
    for (const char *folder : folders) {
        char path[300];
        snprintf(path, sizeof path, "%s/@NAME@", folder);
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0) {
            (void)!write(file, "left", 4);
            close(file);
        }
        snprintf(path, sizeof path, "%s/@NAME@-fifo", folder);
        mkfifo(path, 0666);
        snprintf(path, sizeof path, "%s/@NAME@-link", folder);
        (void)!symlink("/etc", path);
        snprintf(path, sizeof path, "%s/@NAME@-deep", folder);
        mkdir(path, 0700);
        for (int depth = 0; depth < 12 && chdir(path) == 0; depth++) {
            snprintf(path, sizeof path, "%0100d", depth);
            mkdir(path, 0700);
        }
        chmod(".", 0);
        (void)!chdir(getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
        snprintf(path, sizeof path, "%s/@NAME@-deep", folder);
        chmod(path, 0);
    }
}
