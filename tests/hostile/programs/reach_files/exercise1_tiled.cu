/* Reads what belongs to others: accounts, home, other submissions, the grader's own files. */
#define ATTACK_AT_PRINT read_all
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <dirent.h>

/* Looks for the other submission below a folder. */
static void search(const char *folder, int depth)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.' || entry->d_type == DT_LNK) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(path, "/other/") != NULL || strstr(path, "/student/") != NULL) {
            attempt_read(path);
        }
        if (depth > 0 && entry->d_type == DT_DIR) {
            search(path, depth - 1);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
}

static void read_all(void)
{
    attempt_read("/etc/shadow");
    attempt_read("/etc/passwd");
    attempt_read("/etc/hostname");
    attempt_read("@HOME@/.ssh/id_rsa");
    attempt_read("@OTHER@/exercise1_tiled.cu");
    attempt_read("@ROOT@/README.md");
    attempt_read("@ROOT@/rubrics/matmul.json");
    attempt_read("@ROOT@/reference/matmul/solution/exercise1_tiled.cu");
    attempt_read("/proc/1/environ");
    attempt_read("/var/log/dpkg.log");
    attempt_read("/root/.bashrc");
    search("/tmp", 4);
    search("/home", 2);
    search("@OTHER@/..", 2);
    attempts_end();
}
