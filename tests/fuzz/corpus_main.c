/* corpus_main.c: runs a fuzz target on each file of a folder, where libFuzzer is not there. */
#include "base/arena.h"
#include "base/file.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int main(int argument_count, char **arguments)
{
    int files = 0;

    if (argument_count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    DIR *folder = opendir(arguments[1]);
    if (folder == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", arguments[1]);
        return 2;
    }
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        struct arena *arena = arena_new();
        char *bytes = NULL;
        size_t length = 0;
        const char *path = arena_printf(arena, "%s/%s", arguments[1], entry->d_name);
        struct stat status;

        if (stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            file_read(arena, path, 64 << 20, BLAME_GRADER, &bytes, &length, NULL) == ERROR_NONE) {
            LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
            files++;
        }
        arena_free(arena);
    }
    closedir(folder);
    printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
