/* tier_check.c: the sandbox in use, and each tier asked for by name; see doctor_state.h. */
#include "base/sanitized.h"
#include "doctor/doctor_state.h"
#include "sandbox/sandbox_slot.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const tier_texts[] = {
    [SANDBOX_AUTO] = "",
    [SANDBOX_A] = "A, namespaces of its own",
    [SANDBOX_B] = "B, without namespaces",
    [SANDBOX_C] = "C",
};

/* The kernel's Landlock ABI; 0: none. */
static int kernel_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : (int)abi;
}

static void note_users(struct doctor *doctor)
{
    if (doctor->sandbox.uses_slots) {
        doctor_note(doctor, DOCTOR_SANDBOX, "users", DOCTOR_PASS,
                    arena_printf(doctor->arena,
                                 "each program runs as one of %d users, from user %d on",
                                 (int)SANDBOX_SLOTS, (int)SANDBOX_FIRST_UID),
                    "");
    } else {
        doctor_note(doctor, DOCTOR_SANDBOX, "users", DOCTOR_NOTE,
                    "programs run as the user who grades", "");
    }
}

static void note_memory(struct doctor *doctor)
{
    const struct sandbox *sandbox = &doctor->sandbox;

    if (sandbox->bound == SANDBOX_PER_PROCESS) {
        doctor_note(doctor, DOCTOR_SANDBOX, "memory", DOCTOR_NOTE,
                    "limited for each process, not for all of them together",
                    "give the grader a cgroup that it can write to, as root or by delegation");
        return;
    }
    doctor_note(doctor, DOCTOR_SANDBOX, "memory", DOCTOR_PASS,
                arena_printf(doctor->arena, "limited for the whole program, by %s below %s",
                             sandbox_bound_name(sandbox->bound), sandbox->memory_group),
                "");
}

static bool try_memory(size_t megabytes)
{
    return mmap(NULL, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0) != MAP_FAILED;
}

/* True if a process that binds itself is refused more memory, and given less. */
static bool memory_limit_holds(void)
{
    enum { LIMIT_MB = 256, LESS_MB = 16, REFUSED = 0, BROKEN = 1 };
    const struct rlimit limit = {(rlim_t)LIMIT_MB << 20, (rlim_t)LIMIT_MB << 20};
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        bool is_given = setrlimit(RLIMIT_DATA, &limit) == 0 && try_memory(LESS_MB);
        _exit(is_given && !try_memory(2 * LIMIT_MB) ? REFUSED : BROKEN);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
}

/* The bounds of the grader's own processes rest on this. */
static void note_bounds(struct doctor *doctor)
{
    if (IS_SANITIZED) {
        return; /* such a build maps what it likes and binds nothing */
    }
    if (memory_limit_holds()) {
        doctor_note(doctor, DOCTOR_SANDBOX, "own bounds", DOCTOR_PASS,
                    "a process that limits its memory gets no more than that", "");
    } else {
        doctor_note(doctor, DOCTOR_SANDBOX, "own bounds", DOCTOR_FAIL,
                    "a process that limits its memory gets more than that",
                    "use a kernel that counts private memory (RLIMIT_DATA, linux 4.7)");
    }
}

static void note_kernel(struct doctor *doctor)
{
    const struct sandbox *sandbox = &doctor->sandbox;
    int abi = kernel_landlock_abi();

    if (sandbox->filters_calls) {
        doctor_note(doctor, DOCTOR_SANDBOX, "system calls", DOCTOR_PASS,
                    "those that no program needs are blocked", "");
    } else {
        doctor_note(doctor, DOCTOR_SANDBOX, "system calls",
                    sandbox->tier == SANDBOX_C ? DOCTOR_NOTE : DOCTOR_FAIL, "not filtered", "");
    }
    if (sandbox->landlock_abi > 0) {
        doctor_note(doctor, DOCTOR_SANDBOX, "Landlock", DOCTOR_PASS,
                    arena_printf(doctor->arena, "used, ABI %d of the kernel's %d",
                                 sandbox->landlock_abi, abi),
                    "");
    } else {
        doctor_note(doctor, DOCTOR_SANDBOX, "Landlock",
                    sandbox->tier == SANDBOX_B ? DOCTOR_NOTE : DOCTOR_PASS,
                    abi == 0 ? "the kernel does not support it"
                             : arena_printf(doctor->arena,
                                            "not used in this tier; the kernel has ABI %d", abi),
                    "");
    }
}

static void note_sandbox(struct doctor *doctor, struct doctor_report *report)
{
    const struct sandbox *sandbox = &doctor->sandbox;
    bool is_strong = sandbox->tier == SANDBOX_A || sandbox->tier == SANDBOX_B;
    bool has_note = sandbox->note[0] != '\0';

    report->tier = sandbox_tier_name(sandbox->tier);
    report->note = arena_strdup(doctor->arena, sandbox->note);
    report->memory = sandbox_bound_name(sandbox->bound);
    report->own_user = sandbox->uses_slots;
    report->filters_calls = sandbox->filters_calls;
    report->landlock_abi = sandbox->landlock_abi;
    doctor_note(doctor, DOCTOR_SANDBOX, "tier", is_strong ? DOCTOR_PASS : DOCTOR_FAIL,
                arena_printf(doctor->arena, "%s%s%s", tier_texts[sandbox->tier],
                             has_note ? ": " : "", sandbox->note),
                is_strong ? ""
                          : "use a machine where tier A or B works; the reasons why they do not "
                            "work here are below");
}

/* Asks for each tier by name, also for weaker ones than that in use. */
static void try_tiers(struct doctor *doctor, struct doctor_report *report)
{
    static const enum sandbox_tier tiers[] = {SANDBOX_A, SANDBOX_B, SANDBOX_C};
    enum { TIERS = sizeof tiers / sizeof tiers[0] };
    struct doctor_tier *results = arena_array(doctor->arena, TIERS, sizeof *results);

    for (size_t i = 0; i < TIERS; i++) {
        struct diagnostic diagnostic = {.message = ""};
        struct sandbox sandbox = {.note = ""};
        enum error error =
            sandbox_init(tiers[i], doctor->config->helper_folder, &sandbox, &diagnostic);
        results[i] = (struct doctor_tier){
            .name = sandbox_tier_name(tiers[i]),
            .works = error == ERROR_NONE,
            .reason = arena_strdup(doctor->arena,
                                   error == ERROR_NONE ? sandbox.note : diagnostic.message),
        };
        if (doctor->has_sandbox && doctor->sandbox.tier == tiers[i]) {
            continue;
        }
        const char *name = arena_printf(doctor->arena, "tier %s", results[i].name);
        const char *found = error != ERROR_NONE
                                ? results[i].reason
                                : arena_printf(doctor->arena, "works too%s%s",
                                               sandbox.note[0] == '\0' ? "" : "; ", sandbox.note);
        doctor_note(doctor, DOCTOR_SANDBOX, name, DOCTOR_NOTE, found, "");
    }
    report->tiers = results;
    report->tier_count = TIERS;
}

void doctor_check_tiers(struct doctor *doctor, struct doctor_report *report)
{
    struct diagnostic diagnostic = {.message = ""};

    doctor->has_sandbox = sandbox_init(doctor->config->tier, doctor->config->helper_folder,
                                       &doctor->sandbox, &diagnostic) == ERROR_NONE;
    if (doctor->has_sandbox) {
        note_sandbox(doctor, report);
    } else {
        doctor_note(doctor, DOCTOR_SANDBOX, "tier", DOCTOR_FAIL, diagnostic.message, "");
    }
    try_tiers(doctor, report);
    note_bounds(doctor);
    if (doctor->has_sandbox) {
        note_users(doctor);
        note_memory(doctor);
        note_kernel(doctor);
    }
}
