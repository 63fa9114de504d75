/* Writes and reads files: in the working folder, and in the temporary one that TMPDIR names. */
#define ATTACK_AT_LAUNCH write_files
#define ATTACK_AT_PRINT write_files
#include "honest_ends.cuh"

#include <sys/stat.h>
#include <unistd.h>

static void write_files(void)
{
    static char bytes[1 << 20];
    char path[300];
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    snprintf(path, sizeof path, "%s/results-XXXXXX", folder);
    const int file = mkstemp(path);
    FILE *here = fopen("log.txt", "w+");
    if (file < 0 || here == NULL || write(file, bytes, sizeof bytes) != sizeof bytes ||
        fputs("done\n", here) < 0) {
        abort();
    }
    close(file);
    fclose(here);
    mkdir("folder", 0755);
    rename("log.txt", "folder/log.txt");
    remove(path);
}
