/* Many files of a megabyte each, in its folder and in the temporary ones. */
#define ATTACK_AT_PRINT fill
#include "honest_ends.cuh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void fill(void)
{
    static const char *const folders[] = {".", "/tmp", "/var/tmp", "/dev/shm"};
    static char bytes[1 << 20];
    long written = 0;
    for (int i = 0; i < 400; i++) {
        for (const char *folder : folders) {
            char path[200];
            snprintf(path, sizeof path, "%s/@NAME@-%d", folder, i);
            const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            const ssize_t length = file >= 0 ? write(file, bytes, sizeof bytes) : -1;
            written += length > 0 ? length : 0;
            if (file >= 0) {
                close(file);
            }
        }
    }
    fprintf(stderr, "%ld MB could be written\n", written >> 20);
    exit(90);
}
