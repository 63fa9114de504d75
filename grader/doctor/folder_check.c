/* folder_check.c: the folders that the grader writes; see doctor_state.h. */
#include "doctor/doctor_state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MIB_BYTES (UINT64_C(1) << 20)

/* Below the first a grading fails, below the second a large one may. */
enum { SPACE_MIN_MIB = 128, SPACE_WANTED_MIB = 1024 };

/* Who else may change what lies in a folder of ours; "" if nobody. */
static const char *who_else_writes(const struct stat *status)
{
    if (status->st_uid != geteuid() && status->st_uid != 0) {
        return "it belongs to another user";
    }
    if ((status->st_mode & S_IWOTH) != 0) {
        return "everybody can write to it";
    }
    return "";
}

static void check_folder(struct doctor *doctor, const char *name, const char *path,
                         bool must_be_ours, const char *advice)
{
    struct statvfs space;
    struct stat status;

    if (stat(path, &status) != 0 || statvfs(path, &space) != 0 || access(path, W_OK) != 0) {
        doctor_note(doctor, DOCTOR_FOLDERS, name, DOCTOR_FAIL,
                    arena_printf(doctor->arena, "%s: %s", path, strerror(errno)), advice);
        return;
    }
    uint64_t mib = (uint64_t)space.f_bavail * space.f_frsize / MIB_BYTES;
    const char *problem = must_be_ours ? who_else_writes(&status) : "";
    enum doctor_status verdict = mib < SPACE_WANTED_MIB ? DOCTOR_NOTE : DOCTOR_PASS;
    /* btrfs and others do not count files. */
    bool is_full = space.f_favail == 0 && space.f_files != 0;
    if (mib < SPACE_MIN_MIB || is_full || problem[0] != '\0') {
        verdict = DOCTOR_FAIL;
    }
    const char *files = is_full ? ", no more files can be made" : "";
    doctor_note(doctor, DOCTOR_FOLDERS, name, verdict,
                arena_printf(doctor->arena, "%s, %llu MB free%s%s%s", path, (unsigned long long)mib,
                             files, problem[0] == '\0' ? "" : ", ", problem),
                verdict == DOCTOR_PASS ? "" : advice);
}

/* The private folder lies where all temporary files do. */
static const char *parent_of(struct doctor *doctor)
{
    const char *path = doctor->config->work_folder;
    const char *slash = strrchr(path, '/');

    return slash == NULL || slash == path
               ? "/"
               : arena_strndup(doctor->arena, path, (size_t)(slash - path));
}

void doctor_check_folders(struct doctor *doctor)
{
    if (doctor->has_toolchain) {
        check_folder(doctor, "cache", doctor->toolchain.cache_folder, true,
                     "set GPUGRADE_CACHE to a folder of your own with 1 GB of space");
    }
    check_folder(doctor, "temporary", parent_of(doctor), false,
                 "set TMPDIR to a folder with 1 GB of space");
}
