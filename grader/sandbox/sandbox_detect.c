/* sandbox_detect.c: finds out, by running a program, how this machine can confine programs. */
#include "base/clock.h"
#include "base/file.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char tier_c_note[] =
    "limits only: programs can read files of this machine and use its network";
static const char install_hint[] =
    "install bubblewrap (Debian, Ubuntu: apt install bubblewrap) on a machine that allows user "
    "namespaces";

const char *sandbox_tier_name(enum sandbox_tier tier)
{
    static const char *const names[] = {"auto", "A", "B", "C"};

    return (unsigned)tier < sizeof names / sizeof names[0] ? names[tier] : "?";
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
        .limits = {.wall_ns = 10 * CLOCK_NS_PER_S,
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

/* Tries tier A, with a bounded temporary folder first, which bubblewrap knows since 0.7. */
static bool tier_a_works(struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    sandbox->tier = SANDBOX_A;
    if (!find_bubblewrap(sandbox->bwrap_path, sizeof sandbox->bwrap_path)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "bubblewrap is not installed");
        return false;
    }
    sandbox->sizes_tmpfs = true;
    if (works(sandbox, diagnostic)) {
        return true;
    }
    sandbox->sizes_tmpfs = false;
    return works(sandbox, diagnostic);
}

enum error sandbox_init(enum sandbox_tier wanted, const char *helper_folder,
                        struct sandbox *out_sandbox, struct diagnostic *diagnostic)
{
    struct sandbox sandbox = {.tier = wanted};
    struct diagnostic cause = {.blame = BLAME_ENVIRONMENT};

    if (wanted == SANDBOX_B) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "sandbox tier B is not in this version; use --sandbox A or --sandbox C");
        return ERROR_UNSUPPORTED;
    }
    int length =
        snprintf(sandbox.jail_path, sizeof sandbox.jail_path, "%s/gpugrade-jail", helper_folder);
    if (length < 0 || (size_t)length >= sizeof sandbox.jail_path ||
        access(sandbox.jail_path, X_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the helper %.900s is missing; build gpugrade again", sandbox.jail_path);
        return ERROR_ENVIRONMENT;
    }
    sandbox.uses_slots = sandbox_slot_available();
    sandbox.counts_per_namespace = kernel_counts_per_namespace();
    if (wanted != SANDBOX_C && tier_a_works(&sandbox, &cause)) {
        *out_sandbox = sandbox;
        return ERROR_NONE;
    }
    if (wanted == SANDBOX_A) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "sandbox tier A does not work here (%.600s); %s", cause.message,
                       install_hint);
        return ERROR_ENVIRONMENT;
    }
    sandbox.tier = SANDBOX_C;
    sandbox.bwrap_path[0] = '\0';
    if (!works(&sandbox, diagnostic)) {
        return ERROR_ENVIRONMENT;
    }
    snprintf(sandbox.note, sizeof sandbox.note, "%s", tier_c_note);
    *out_sandbox = sandbox;
    return ERROR_NONE;
}
