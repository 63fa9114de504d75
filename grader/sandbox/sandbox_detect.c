/* sandbox_detect.c: finds out, by running a program, how this machine can confine programs.
 *
 * Each tier has a few ways to be made, the strongest first; the first that runs a program is taken.
 * The helper ends without starting the program if anything that it was asked to apply fails, so
 * what works is in force.
 */
#include "base/clock.h"
#include "base/file.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
enum { LANDLOCK_ASK_VERSION = 1 };

static const char tier_c_note[] =
    "limits only: programs can read files of this machine and use its network";
static const char no_filter_note[] = "system calls are not filtered";
static const char no_landlock_note[] =
    "no Landlock: programs can read everything that all users of this machine can, also other "
    "submissions being graded, and can write to its shared folders";
static const char no_user_note[] =
    "programs have no user of their own (needs root, or gpugrade-jail with capabilities)";
static const char install_hint[] =
    "install bubblewrap (Debian, Ubuntu: apt install bubblewrap) on a machine that allows user "
    "namespaces";
static const char tier_b_hint[] = "it needs system call filters, and Landlock (linux 5.13) or "
                                  "separate users for programs (root, or "
                                  "gpugrade-jail with file capabilities)";

const char *sandbox_bound_name(enum sandbox_bound bound)
{
    static const char *const names[] = {"each process", "cgroup v1", "cgroup v2"};

    return (unsigned)bound < sizeof names / sizeof names[0] ? names[bound] : "?";
}

/* Looks for bubblewrap where distributions and the search path have it. */
static bool find_bubblewrap(char *out_path, size_t capacity)
{
    static const char *const folders[] = {"/usr/bin", "/bin", "/usr/local/bin"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(out_path, capacity, "%s/bwrap", folders[i]);
        if (file_exists(out_path) && access(out_path, X_OK) == 0) {
            return true;
        }
    }
    out_path[0] = '\0';
    return false;
}

/* RLIMIT_NPROC counts per user namespace since linux 5.14. */
static bool kernel_counts_per_namespace(void)
{
    struct utsname name;
    char *rest = NULL;

    if (uname(&name) != 0) {
        return false;
    }
    long major = strtol(name.release, &rest, 10);
    long minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
    return major > 5 || (major == 5 && minor >= 14);
}

/* Runs `true` in the sandbox. */
static bool works(const struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    static const char *const arguments[] = {"/bin/true", NULL};
    const struct sandbox_spec spec = {
        .arguments = arguments,
        .folder = "/",
        .limits = {.wall_ns = 60 * CLOCK_NS_PER_S,
                   .cpu_ns = 10 * CLOCK_NS_PER_S,
                   .memory_bytes = UINT64_C(1) << 30,
                   .output_bytes = 4096,
                   .file_bytes = 4096},
        .channel_fd = -1,
    };
    struct sandbox_end end;
    struct text output;
    struct text errors;

    text_init(&output);
    text_init(&errors);
    bool good =
        sandbox_run_to_end(sandbox, &spec, &end, &output, &errors, diagnostic) == ERROR_NONE;
    if (good && (end.ending != SANDBOX_EXITED || end.exit_status != 0)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "/bin/true does not run in the sandbox");
        good = false;
    }
    text_release(&output);
    text_release(&errors);
    return good;
}

/* Tries the ways of a tier in turn. */
static bool any_works(struct sandbox *sandbox, const struct sandbox *ways, size_t count,
                      struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < count; i++) {
        sandbox->uses_slots = ways[i].uses_slots;
        sandbox->filters_calls = ways[i].filters_calls;
        sandbox->landlock_abi = ways[i].landlock_abi;
        sandbox->sizes_tmpfs = ways[i].sizes_tmpfs;
        if (works(sandbox, diagnostic)) {
            return true;
        }
    }
    return false;
}

/* Tries tier A; bubblewrap bounds the temporary folder since 0.7. */
static bool tier_a_works(struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    const bool slots = sandbox_slot_available();
    const struct sandbox ways[] = {
        {.uses_slots = slots, .filters_calls = true, .sizes_tmpfs = true},
        {.uses_slots = slots, .filters_calls = true},
        {.uses_slots = slots, .sizes_tmpfs = true},
        {.uses_slots = slots},
    };

    sandbox->tier = SANDBOX_A;
    if (!find_bubblewrap(sandbox->bwrap_path, sizeof sandbox->bwrap_path)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "bubblewrap is not installed");
        return false;
    }
    if (!any_works(sandbox, ways, sizeof ways / sizeof ways[0], diagnostic)) {
        return false;
    }
    snprintf(sandbox->note, sizeof sandbox->note, "%s",
             sandbox->filters_calls ? "" : no_filter_note);
    return true;
}

/* The version of Landlock's interface; 0: the kernel has none, or has it turned off. */
static int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_ASK_VERSION);

    return version > 0 ? (int)version : 0;
}

/* Tries tier B. Whether the helper has file capabilities shows when it is asked for a slot. */
static bool tier_b_works(struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    const int version = landlock_version();
    const struct sandbox ways[] = {
        {.uses_slots = true, .filters_calls = true, .landlock_abi = version},
        {.uses_slots = false, .filters_calls = true, .landlock_abi = version},
    };
    struct diagnostic cause = {.blame = BLAME_ENVIRONMENT};

    sandbox->tier = SANDBOX_B;
    sandbox->bwrap_path[0] = '\0';
    if (!any_works(sandbox, ways, version > 0 ? 2 : 1, &cause)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%.500s; %s", cause.message, tier_b_hint);
        return false;
    }
    const char *first = version > 0 ? "" : no_landlock_note;
    const char *second = sandbox->uses_slots ? "" : no_user_note;
    snprintf(sandbox->note, sizeof sandbox->note, "%s%s", first, second);
    return true;
}

static bool tier_c_works(struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    const struct sandbox ways[] = {{.uses_slots = sandbox_slot_available()}};

    sandbox->tier = SANDBOX_C;
    sandbox->bwrap_path[0] = '\0';
    snprintf(sandbox->note, sizeof sandbox->note, "%s", tier_c_note);
    return any_works(sandbox, ways, 1, diagnostic);
}

static enum error find_helper(const char *helper_folder, struct sandbox *sandbox,
                              struct diagnostic *diagnostic)
{
    int length =
        snprintf(sandbox->jail_path, sizeof sandbox->jail_path, "%s/gpugrade-jail", helper_folder);

    if (length < 0 || (size_t)length >= sizeof sandbox->jail_path ||
        access(sandbox->jail_path, F_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the helper %.900s is missing; build gpugrade again", sandbox->jail_path);
        return ERROR_ENVIRONMENT;
    }
    if (access(sandbox->jail_path, X_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "this user may not run %.900s: it is not in the group of the file",
                       sandbox->jail_path);
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

enum error sandbox_init(enum sandbox_tier wanted, const char *helper_folder,
                        struct sandbox *out_sandbox, struct diagnostic *diagnostic)
{
    static const struct {
        enum sandbox_tier tier;
        bool (*works)(struct sandbox *sandbox, struct diagnostic *diagnostic);
        const char *hint;
    } tiers[] = {
        {SANDBOX_A, tier_a_works, install_hint},
        {SANDBOX_B, tier_b_works, "use --sandbox C to grade your own code with limits only"},
        {SANDBOX_C, tier_c_works, "the program /bin/true must exist"},
    };
    struct sandbox sandbox = {.tier = wanted};
    struct diagnostic cause = {.blame = BLAME_ENVIRONMENT};
    const char *hint = "";

    enum error error = find_helper(helper_folder, &sandbox, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    sandbox.counts_per_namespace = kernel_counts_per_namespace();
    sandbox_cgroup_detect(&sandbox);
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        if (wanted != SANDBOX_AUTO && wanted != tiers[i].tier) {
            continue;
        }
        if (tiers[i].works(&sandbox, &cause)) {
            *out_sandbox = sandbox;
            return ERROR_NONE;
        }
        hint = tiers[i].hint;
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "sandbox tier %s does not work here (%.600s); %s",
                   sandbox_tier_name(wanted == SANDBOX_AUTO ? SANDBOX_C : wanted), cause.message,
                   hint);
    return ERROR_ENVIRONMENT;
}
