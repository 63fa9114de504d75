/* program_work.c: see program_work.h. */
#include "submission/program_work.h"

#include "base/clock.h"
#include "occupancy/gpu_model_record.h"

#include <string.h>
#include <sys/stat.h>

static double seconds_since(uint64_t start_ns)
{
    return (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
}

static enum error build_program(struct program_work *work, struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    const char *source_folder = arena_printf(work->arena, "%s/source", work->work_folder);
    const char *build_folder = arena_printf(work->arena, "%s/build-%s", work->work_folder,
                                            config->rubric->programs[work->program].id);
    struct toolchain_job *job = NULL;

    if (mkdir(build_folder, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be made", build_folder);
        return ERROR_ENVIRONMENT;
    }
    enum error error = toolchain_start(config->toolchain, config->rubric, work->program,
                                       source_folder, build_folder, &job, diagnostic);
    if (error == ERROR_NONE) {
        error = toolchain_finish(job, work->arena, &work->built, diagnostic);
    }
    return error;
}

static bool same_arguments(const struct rubric_printout *left, const struct rubric_printout *right)
{
    if (left->program != right->program || left->argument_count != right->argument_count) {
        return false;
    }
    for (size_t i = 0; i < left->argument_count; i++) {
        if (strcmp(left->arguments[i], right->arguments[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Printouts of the same run share it. */
static enum error run_printouts(struct program_work *work, const struct session_config *session,
                                struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;

    for (size_t i = 0; i < rubric->printout_count; i++) {
        const struct rubric_printout *printout = &rubric->printouts[i];
        bool shared = false;

        if (printout->program != work->program || !work->printout_wanted[i]) {
            continue;
        }
        for (size_t j = 0; j < i && !shared; j++) {
            if (work->printout_wanted[j] && same_arguments(&rubric->printouts[j], printout)) {
                work->print_runs[i] = work->print_runs[j];
                shared = true;
            }
        }
        if (shared) {
            continue;
        }
        enum error error =
            session_run_print(session, work->arena, printout->arguments, printout->argument_count,
                              &work->print_runs[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

static enum error run_launches(struct program_work *work, const struct session_config *session,
                               struct diagnostic *diagnostic)
{
    const struct rubric *rubric = work->config->rubric;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        if (rubric->launches[i].program != work->program || !work->launch_wanted[i]) {
            continue;
        }
        enum error error = session_run_launch(session, work->arena, i, work->cases,
                                              work->case_count, &work->launch_runs[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    return ERROR_NONE;
}

/* The kernel that was observed for a launch, or else the one of that name in the program. */
static bool is_launch_kernel(const struct rubric_launch *launch, const struct launch_run *run,
                             const struct kernel_resources *kernel)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (run->observations[i].launched) {
            return strcmp(run->observations[i].kernel, kernel->name) == 0;
        }
    }
    return strcmp(kernel->plain_name, launch->kernel) == 0;
}

static void note_launch_resources(struct program_work *work, const struct kernel_resources *kernels,
                                  size_t count)
{
    const struct rubric *rubric = work->config->rubric;

    for (size_t i = 0; i < rubric->launch_count; i++) {
        for (size_t j = 0; j < count && rubric->launches[i].program == work->program; j++) {
            if (is_launch_kernel(&rubric->launches[i], &work->launch_runs[i], &kernels[j])) {
                work->launch_resources[i] = kernels[j];
            }
        }
    }
}

/* Asks ptxas for the registers of all kernels, before anything runs: what does not assemble cannot
 * be launched, and the device refuses blocks that need more registers than there are. */
static enum error collect_resources(struct program_work *work, const struct session_config *session,
                                    struct diagnostic *diagnostic)
{
    struct kernel_resources *all = NULL;
    size_t capacity = 0;
    size_t count = 0;

    for (size_t i = 0; i < work->built.code.module_count; i++) {
        const struct kernel_resources *kernels = NULL;
        size_t kernel_count = 0;
        enum error error =
            session_resources(session, work->arena, i, &kernels, &kernel_count, diagnostic);

        if (error != ERROR_NONE) {
            return error;
        }
        arena_grow(work->arena, &all, &capacity, count + kernel_count, sizeof *all);
        for (size_t j = 0; j < kernel_count; j++) {
            all[count++] = kernels[j];
        }
    }
    work->built.build.kernels = all;
    work->built.build.kernel_count = count;
    return ERROR_NONE;
}

static enum error run_program(struct program_work *work, struct diagnostic *diagnostic)
{
    const struct submission_config *config = work->config;
    struct session_resource_cache resources = {0};
    struct session_config session = {
        .rubric = config->rubric,
        .toolchain = config->toolchain,
        .program = &work->built,
        .device_path = config->device_path,
        .device = {.model = work->model_record, .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = work->model->compute_major,
        .compute_minor = work->model->compute_minor,
        .threads = config->threads,
        .seed = config->seed,
        .work_folder = work->work_folder,
        .resources = &resources,
    };
    enum error error = collect_resources(work, &session, diagnostic);

    if (error == ERROR_NONE) {
        error = run_printouts(work, &session, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = run_launches(work, &session, diagnostic);
    }
    if (error == ERROR_NONE) {
        note_launch_resources(work, work->built.build.kernels, work->built.build.kernel_count);
    }
    return error;
}

/* A message of a tool with the first mangled name in quotes made readable. */
static const char *readable_message(struct arena *arena, const char *message)
{
    const char *name = strstr(message, "'_Z");
    const char *end = name == NULL ? NULL : strchr(name + 1, '\'');

    if (end == NULL) {
        return arena_strdup(arena, message);
    }
    const char *mangled = arena_strndup(arena, name + 1, (size_t)(end - name - 1));
    return arena_printf(arena, "%.*s'%s%s", (int)(name - message), message,
                        toolchain_plain_name(arena, mangled), end);
}

/* Device code that nvcc let pass and ptxas or the device refuses is the submission's fault: it
 * counts as not built, and the other programs are graded all the same. */
static void refuse_device_code(struct program_work *work)
{
    const struct rubric *rubric = work->config->rubric;
    struct program_build *build = &work->built.build;
    struct tool_message *message = arena_alloc(work->arena, sizeof *message);

    *message = (struct tool_message){
        .is_error = true,
        .file = "",
        .message = readable_message(work->arena, work->diagnostic.message),
    };
    build->linked = false;
    build->failure = CODE_COMPILE_ERROR;
    if (work->error == ERROR_UNSUPPORTED) {
        build->failure = CODE_UNKNOWN_INSTRUCTION;
    } else if (strstr(message->message, "Unresolved extern") != NULL) {
        build->failure = CODE_LINK_ERROR;
    }
    build->messages = message;
    build->message_count = 1;
    memset(work->launch_runs, 0, rubric->launch_count * sizeof *work->launch_runs);
    memset(work->print_runs, 0, rubric->printout_count * sizeof *work->print_runs);
    work->error = ERROR_NONE;
}

void program_work_run(struct program_work *work)
{
    const struct rubric *rubric = work->config->rubric;
    uint64_t start_ns = clock_now_ns();

    work->arena = arena_new();
    work->launch_runs = arena_array(work->arena, rubric->launch_count, sizeof *work->launch_runs);
    work->print_runs = arena_array(work->arena, rubric->printout_count, sizeof *work->print_runs);
    work->launch_resources =
        arena_array(work->arena, rubric->launch_count, sizeof *work->launch_resources);
    work->error = build_program(work, &work->diagnostic);
    work->build_seconds = seconds_since(start_ns);
    if (work->error == ERROR_NONE && work->built.build.linked) {
        start_ns = clock_now_ns();
        work->error = run_program(work, &work->diagnostic);
        work->run_seconds = seconds_since(start_ns);
    }
    if (work->error != ERROR_NONE && work->diagnostic.blame == BLAME_STUDENT) {
        refuse_device_code(work);
    }
}
