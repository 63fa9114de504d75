/* command_run.c: build if it is a source, look at the program, run it, report; see command_run.h.
 *
 *     supervisor (supervise.h)
 *       runner               this file; waits for the program and serves the device
 *         gpugrade-device    in a process group of its own, so that Ctrl-C does not reach it
 *         the program        in the user's process group, on the user's terminal
 *
 * Nothing is written before the program has ended; then findings go to standard error.
 */
#include "cli/command_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/result_file.h"
#include "cli/run_fixes.h"
#include "cli/run_gpu.h"
#include "cli/run_request.h"
#include "cli/run_sources.h"
#include "cli/step_target.h"
#include "cli/supervise.h"
#include "diagnosis/grouping/diagnostics.h"
#include "occupancy/gpu_model_record.h"
#include "report/report_hints.h"
#include "report/score/run_json.h"
#include "report/terminal/run_terminal.h"
#include "session/plain_findings.h"
#include "toolchain/file_build.h"
#include "toolchain/served_program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { ENDED_BY_SIGNAL = 128, SECONDS_MAX = 3 };

/* One run, from the request to the report. */
struct runner {
    const struct run_request *request;
    struct arena *arena;
    int stage_fd;
    const char *work_folder;
    struct sandbox sandbox; /* for ptxas and addr2line */
    struct toolchain toolchain;
    bool has_toolchain;
    int signal_fd;
    sigset_t signal_mask;     /* from before signals were blocked */
    const char *executable;   /* what runs */
    const char *build_remark; /* what it was built for; NULL: the usual */
    struct fat_program code;
    struct run_gpu gpu;     /* where a real one is asked for */
    struct gpu_lock turn;   /* on it */
    struct gpu_model model; /* of the device, whichever it is */
    struct named_seconds seconds[SECONDS_MAX];
    size_t seconds_count;
};

static void note_seconds(struct runner *runner, const char *name, uint64_t start_ns)
{
    runner->seconds[runner->seconds_count++] =
        (struct named_seconds){name, (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S};
}

/* Tells the supervisor what takes its time; "" when nothing of ours does any more. */
static void send_stage(const struct runner *runner, const char *stage)
{
    struct text line;

    text_init(&line);
    text_printf(&line, "%s\n", stage);
    console_write(runner->stage_fd, &line);
    text_release(&line);
}

/* From here on signals come through a descriptor: the program answers them, not the runner. */
static enum error take_signals(struct runner *runner, struct diagnostic *diagnostic)
{
    static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        sigaddset(&set, taken[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &runner->signal_mask);
    runner->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (runner->signal_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "signals cannot be received (signalfd)");
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

/* A signal that came while nothing of the user's was running; 0 if there was none. */
static int pending_signal(const struct runner *runner)
{
    struct signalfd_siginfo info;
    bool came = read(runner->signal_fd, &info, sizeof info) == (ssize_t)sizeof info;

    return came ? (int)info.ssi_signo : 0;
}

/* The toolkit is needed to build; a built program runs without it. */
static enum error find_toolchain(struct runner *runner, struct diagnostic *diagnostic)
{
    const struct locations *locations = &runner->request->locations;
    struct diagnostic problem = {.blame = BLAME_NONE};
    enum error error =
        sandbox_init(SANDBOX_C, locations->helper_folder, &runner->sandbox, &problem);

    /* It is the user's own code, in folders that only the user may be able to read. */
    runner->sandbox.uses_slots = false;
    if (error == ERROR_NONE) {
        struct toolchain_setup setup =
            locations_toolchain(locations, runner->request->compiler, &runner->sandbox);
        error = toolchain_init(&setup, &runner->toolchain, &problem);
        if (error != ERROR_NONE) { /* perhaps there is no folder for what is kept */
            setup.cache_folder = runner->work_folder;
            error = toolchain_init(&setup, &runner->toolchain, &problem);
        }
    }
    runner->has_toolchain = error == ERROR_NONE;
    if (runner->has_toolchain || !runner->request->is_source) {
        return ERROR_NONE;
    }
    *diagnostic = problem;
    return error;
}

static bool is_variable(const char *entry, const char *name)
{
    size_t length = strlen(name);

    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* The user's environment, with the stand-ins before all other libraries, and what the one for NVRTC
 * compiles with (libraries/nvrtc_compile.h). */
static const char *const *program_environment(struct runner *runner, const char *stand_ins)
{
    const char *temporary = runner->request->temporary_folder;
    const char *libraries = getenv("LD_LIBRARY_PATH");
    size_t count = 0;
    size_t kept = 0;

    while (environ[count] != NULL) {
        count++;
    }
    const char **entries = arena_array(runner->arena, count + 4, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        if (!is_variable(environ[i], "TMPDIR") && !is_variable(environ[i], "LD_LIBRARY_PATH")) {
            entries[kept++] = environ[i];
        }
    }
    if (temporary != NULL) {
        entries[kept++] = arena_printf(runner->arena, "TMPDIR=%s", temporary);
    }
    if (runner->has_toolchain) {
        const struct compiler *compiler = &runner->toolchain.compiler;
        const bool is_clang = compiler->kind == COMPILER_CLANG;

        entries[kept++] =
            arena_printf(runner->arena, "GPUGRADE_NVRTC=%s%s%s%s%s", compiler->program,
                         is_clang ? "\n-clang=" : "", is_clang ? compiler->clang : "",
                         is_clang ? "\n-headers=" : "", is_clang ? compiler->folder : "");
    }
    bool has_libraries = libraries != NULL && libraries[0] != '\0';
    entries[kept++] = arena_printf(runner->arena, "LD_LIBRARY_PATH=%s%s%s", stand_ins,
                                   has_libraries ? ":" : "", has_libraries ? libraries : "");
    return entries;
}

/* Puts the stand-ins into a folder whose path holds nothing that the loader would split. */
static enum error link_libraries(struct runner *runner, const char **out_folder,
                                 struct diagnostic *diagnostic)
{
    const char *library = arena_printf(runner->arena, "%s/" SERVED_LIBRARIES_FILE,
                                       runner->request->locations.library_folder);
    const char *folder = arena_printf(runner->arena, "%s/libraries", runner->work_folder);
    const char *name;
    enum error error = ERROR_NONE;

    if (!file_exists(library)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s is missing; build gpugrade again with all its targets", library);
        return ERROR_ENVIRONMENT;
    }
    error = folder_make(folder, 0755, diagnostic);
    for (size_t i = 0; error == ERROR_NONE && (name = served_library(runner->arena, i)) != NULL;
         i++) {
        if (symlink(library, arena_printf(runner->arena, "%s/%s", folder, name)) != 0) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make a link in %s", folder);
            error = ERROR_ENVIRONMENT;
        }
    }
    *out_folder = folder;
    return error;
}

/* The name of a source without ".cu". */
static const char *program_name(struct arena *arena, const char *source)
{
    const char *name = path_name(source);
    size_t length = strlen(name);

    return length > 3 ? arena_strndup(arena, name, length - 3) : name;
}

/* 75 for compute capability 7.5. */
static uint32_t capability_of(const struct runner *runner)
{
    return runner->model.compute_major * 10 + runner->model.compute_minor;
}

/* Says where a source launches kernels from kernels, which is why it cannot be built or run. */
static void complain_of_launches(const struct run_request *request)
{
    const int line = request->is_source ? run_sources_nested_launch(request->path) : 0;

    if (line > 0) {
        console_complain("%s:%d: a kernel cannot launch a kernel here: let the host launch one "
                         "after the other, or make it a __device__ function that the kernel calls",
                         request->name, line);
    }
}

/* Builds the source. Returns an exit status, 0 if there is a program now; else the compiler has
 * said why not. */
static int build_source(struct runner *runner)
{
    const struct run_request *request = runner->request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct program_end end;
    uint64_t start_ns = clock_now_ns();
    const struct file_build build = {
        .source = request->path,
        .executable = arena_printf(runner->arena, "%s/%s", runner->work_folder,
                                   program_name(runner->arena, request->path)),
        .work_folder = runner->work_folder,
        .environment = (const char *const *)environ,
        .interrupt_fd = runner->signal_fd,
        .capability_most = capability_of(runner),
    };

    send_stage(runner, arena_printf(runner->arena, "compiling %s", request->name));
    enum error error = toolchain_build_file(&runner->toolchain, runner->arena, &build, &end,
                                            &runner->build_remark, &diagnostic);
    send_stage(runner, "");
    if (error != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    int signal = pending_signal(runner);
    if (signal != 0) {
        return ENDED_BY_SIGNAL + signal;
    }
    if (end.ending != ENDING_EXITED || end.exit_status != 0) {
        console_complain("'%s' does not compile; the messages of %s are above", request->name,
                         runner->toolchain.compiler.name);
        complain_of_launches(request);
        return EXIT_USAGE;
    }
    note_seconds(runner, "build", start_ns);
    runner->executable = build.executable;
    return 0;
}

static enum error run_program(struct runner *runner, struct plain_config *config,
                              struct plain_run *out_run, struct diagnostic *diagnostic)
{
    const struct run_request *request = runner->request;
    uint8_t *model = arena_alloc(runner->arena, GPU_MODEL_RECORD_BYTES);
    uint64_t memory_bytes = request->device_memory_bytes;
    const char **arguments =
        arena_array(runner->arena, request->argument_count + 2, sizeof *arguments);
    uint64_t start_ns = clock_now_ns();
    const char *libraries = NULL;
    enum error error = link_libraries(runner, &libraries, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    arguments[0] = request->is_source ? program_name(runner->arena, request->path) : request->name;
    for (size_t i = 0; i < request->argument_count; i++) {
        arguments[i + 1] = request->arguments[i];
    }
    gpu_model_pack(&runner->model, model);
    *config = (struct plain_config){
        .toolchain = runner->has_toolchain ? &runner->toolchain : NULL,
        .sandbox = &runner->sandbox,
        .code = &runner->code,
        .device_path = request->locations.device_path,
        .device = {.is_gpu = request->is_gpu,
                   .gpu = runner->gpu.uuid,
                   .model = model,
                   .model_bytes = GPU_MODEL_RECORD_BYTES},
        .compute_major = runner->model.compute_major,
        .compute_minor = runner->model.compute_minor,
        .device_memory_bytes = memory_bytes == 0 ? runner->model.global_memory_bytes : memory_bytes,
        .launch_ns = request->launch_ns,
        .launch_work = request->launch_work,
        .shuffle_seed = request->seed,
        .checks_global_memory = request->checks_global_memory,
        .steps = request->step == NULL ? NULL : &request->step->request,
        .folder = request->folder,
        .work_folder = runner->work_folder,
        .signal_fd = runner->signal_fd,
        .command = {.path = runner->executable,
                    .arguments = arguments,
                    .environment = program_environment(runner, libraries),
                    .signal_mask = runner->signal_mask,
                    .ignores_broken_pipe = console_pipe_was_ignored()},
    };
    error = session_run_plain(config, runner->arena, out_run, diagnostic);
    note_seconds(runner, "run", start_ns);
    return error;
}

/* `run` says no more than a check of the coursework that has such a source. */
static enum hints hints_of(struct runner *runner, const struct report *seen)
{
    const char **paths = arena_array(runner->arena, seen->source_count + 1, sizeof *paths);

    if (seen->finding_count + seen->remark_count == 0) {
        return HINTS_EXPLAIN; /* there is nothing to tell */
    }
    paths[0] = runner->request->path;
    for (size_t i = 0; i < seen->source_count; i++) {
        paths[i + 1] = seen->sources[i].name;
    }
    return coursework_hints(runner->arena, runner->request->locations.root, paths,
                            seen->source_count + 1);
}

static void fill_report(struct runner *runner, const struct plain_config *config,
                        const struct plain_run *run, struct run_report *out_report)
{
    const struct run_request *request = runner->request;
    const struct program_end *end = &run->activity.end;
    bool is_signalled = end->ending == ENDING_SIGNALLED;
    struct report_device *device = arena_alloc(runner->arena, sizeof *device);

    *device = (struct report_device){
        .kind = request->is_gpu ? "cuda" : "emulated",
        .gpu_model = request->is_gpu ? runner->model.device_name : runner->model.name,
        .uuid = request->is_gpu ? runner->gpu.uuid : "",
        .driver_version = runner->gpu.driver_version,
    };
    *out_report = (struct run_report){
        .program = request->name,
        .arguments = request->arguments,
        .argument_count = request->argument_count,
        .exit_status = end->exit_status,
        .signal = is_signalled ? end->signal : 0,
        .signal_name = is_signalled ? arena_strdup(runner->arena, strsignal(end->signal)) : "",
        .launches = run->activity.launch_total,
        .streams = run->activity.streams,
        .seen = {.devices = device,
                 .device_count = 1,
                 .compiler = runner->has_toolchain ? runner->toolchain.compiler.name : "",
                 .grader_version = GPUGRADE_VERSION,
                 .seconds = runner->seconds,
                 .seconds_count = runner->seconds_count,
                 .again = ""},
    };
    plain_findings(runner->arena, config, run, &out_report->seen);
    if (runner->build_remark != NULL) {
        run_sources_remark(runner->arena, &out_report->seen, runner->build_remark, "");
    }
    run_sources_read(runner->arena, runner->executable, &out_report->seen);
    enum hints hints = hints_of(runner, &out_report->seen);
    report_limit_findings(&out_report->seen, hints, runner->arena, &out_report->seen);
    diagnostics_make(&out_report->seen, runner->arena);
    if (request->shows_fixes && hints == HINTS_FIX && request->is_source && !request->is_gpu) {
        send_stage(runner, "trying fixes");
        run_fixes_try(request, runner->arena, runner->work_folder, runner->signal_fd,
                      &out_report->seen);
        send_stage(runner, "");
    }
    if (run->steps != NULL) {
        struct block_steps *steps = arena_alloc(runner->arena, sizeof *steps);
        *steps = *run->steps;
        steps->was_chosen = config->steps->has_block;
        steps->findings = out_report->seen.findings;
        steps->finding_count = out_report->seen.finding_count;
        out_report->seen.steps = steps;
    }
}

/* Writes the result and the screen; false if one of them could not be stored. */
static bool write_results(const struct run_request *request, const struct run_report *report)
{
    struct terminal_style style = {
        .color = console_color(STDERR_FILENO, request->color),
        .columns = console_columns(STDERR_FILENO),
        .verbose = request->verbose,
    };
    bool written = true;
    struct text text;

    text_init(&text);
    if (request->json_path != NULL) {
        run_json(report, &text);
        written = result_file_write(request->json_path, &text);
    }
    text_clear(&text);
    run_terminal(report, &style, &text);
    written = console_write(STDERR_FILENO, &text) && written;
    text_release(&text);
    return written;
}

static bool is_crash(const struct run_report *report)
{
    for (size_t i = 0; i < report->seen.finding_count; i++) {
        if (report->seen.findings[i].code == CODE_SIGNAL) {
            return true;
        }
    }
    return false;
}

/* A signal from outside comes first, then what the device does not know: what follows from that is
 * no fault of the program, a crash included. */
static int status_of(const struct run_report *report)
{
    if (report->signal != 0 && !is_crash(report)) {
        return ENDED_BY_SIGNAL + report->signal;
    }
    for (size_t i = 0; i < report->seen.finding_count; i++) {
        if (code_cause(report->seen.findings[i].code) == CAUSE_UNSUPPORTED) {
            return EXIT_GRADER;
        }
    }
    if (report->signal != 0) {
        return ENDED_BY_SIGNAL + report->signal;
    }
    return report->seen.finding_count > 0 ? EXIT_SOME_FAILED : report->exit_status;
}

/* The program sent what its runtime never sends. */
static int report_broken(const struct runner *runner, const struct program_activity *activity)
{
    if (activity->foreign_module) {
        console_complain("'%s' loads device code that is not in the program itself, such as "
                         "kernels in a shared library; link it into the program",
                         runner->request->name);
        return EXIT_USAGE;
    }
    console_complain("'%s' broke its connection to the device: %s", runner->request->name,
                     activity->protocol_message);
    return EXIT_GRADER;
}

/* What the device or ptxas refuses before anything runs is to be built anew. */
static int report_refusal(const struct runner *runner, struct diagnostic *diagnostic)
{
    if (diagnostic->blame != BLAME_STUDENT) {
        return (int)console_report(diagnostic);
    }
    const bool is_missing = strstr(diagnostic->message, "Unresolved extern function") != NULL;
    const char *place = diagnostic->line == 0
                            ? ""
                            : arena_printf(runner->arena, "\nthe first such place is %s:%d",
                                           diagnostic->file, diagnostic->line);
    const char *advice =
        is_missing ? "device code is not linked (-rdc=true): define the function in the file "
                     "that calls it, or in a header"
        : runner->request->is_source
            ? "write it in plain CUDA, or for compute capability 9.0 or less"
            : arena_printf(runner->arena, "rebuild it: nvcc %s ...", served_program_flags());

    console_complain("'%s' contains device code that the %s device refuses: %s%s\n%s",
                     runner->request->name, runner->request->is_gpu ? "cuda" : "emulated",
                     toolchain_readable_message(runner->arena, diagnostic->message), place, advice);
    return EXIT_USAGE;
}

/* Runs what is built and tells what was seen. */
static int run_and_report(struct runner *runner)
{
    const struct run_request *request = runner->request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct plain_config config;
    struct plain_run run;
    struct run_report report;

    if (served_program_read(runner->arena, runner->executable, request->name, capability_of(runner),
                            &runner->code, &diagnostic) != ERROR_NONE) {
        const enum exit_status status = console_report(&diagnostic);
        complain_of_launches(request);
        return (int)status;
    }
    if (run_program(runner, &config, &run, &diagnostic) != ERROR_NONE) {
        return report_refusal(runner, &diagnostic);
    }
    if (run.signal_before != 0) {
        return ENDED_BY_SIGNAL + run.signal_before;
    }
    if (run.activity.protocol_broken) {
        return report_broken(runner, &run.activity);
    }
    fill_report(runner, &config, &run, &report);
    if (request->step != NULL) {
        if (report.seen.steps == NULL && !step_target_is_chosen(request->step)) {
            write_results(request, &report);
        }
        return step_target_write(request->step, &report.seen, STDERR_FILENO) ? EXIT_PASSED
                                                                             : EXIT_SOME_FAILED;
    }
    return write_results(request, &report) ? status_of(&report) : EXIT_GRADER;
}

/* Gets the device: a turn on a real GPU, or the model that the emulated one stands for. Returns an
 * exit status, 0 if there is a device now. */
static int take_device(struct runner *runner)
{
    const struct run_request *request = runner->request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    bool is_held = false;

    runner->model = request->model;
    if (!request->is_gpu) {
        return 0;
    }
    enum error error = run_gpu_find(runner->arena, request->locations.device_path, request->gpu,
                                    &runner->gpu, &diagnostic);
    if (error == ERROR_NONE) {
        send_stage(runner, "waiting for the GPU");
        error =
            run_gpu_await(&runner->gpu, runner->signal_fd, &runner->turn, &is_held, &diagnostic);
        send_stage(runner, "");
    }
    if (error != ERROR_NONE) {
        return (int)console_report(&diagnostic);
    }
    if (!is_held) {
        return ENDED_BY_SIGNAL + pending_signal(runner);
    }
    runner->model = runner->gpu.model;
    return 0;
}

static int build_and_run(struct runner *runner)
{
    const struct run_request *request = runner->request;
    int status = take_device(runner);

    runner->executable = request->path;
    if (status == 0 && request->is_source) {
        status = build_source(runner);
    }
    if (status == 0) {
        status = run_and_report(runner);
    }
    gpu_lock_release(&runner->turn);
    return status;
}

/* The task of the supervised child. */
static int run_task(void *context, int stage_fd)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct runner runner = {
        .request = context,
        .arena = arena_new(),
        .stage_fd = stage_fd,
        .work_folder = getenv("TMPDIR"),
        .signal_fd = -1,
        .turn = {.fd = -1},
    };
    enum error error = take_signals(&runner, &diagnostic);
    int status;

    if (error == ERROR_NONE) {
        error = find_toolchain(&runner, &diagnostic);
    }
    status = error == ERROR_NONE ? build_and_run(&runner) : (int)console_report(&diagnostic);
    descriptor_close(&runner.signal_fd);
    arena_free(runner.arena);
    return status;
}

int command_run_request(const struct run_request *request)
{
    struct run_request copy = *request;

    return supervise_program(run_task, &copy);
}

int command_run(const struct options *options)
{
    struct arena *arena = arena_new();
    struct run_request request;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    int status;

    if (run_request_make(arena, options, &request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = command_run_request(&request);
    }
    arena_free(arena);
    return status;
}
