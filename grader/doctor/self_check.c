/* self_check.c: a small program goes the way of a submission; see doctor_state.h.
 *
 *   source --nvcc, in the sandbox--> program --in the sandbox, served by the emulated device-->
 * text
 *
 * While it is compiled, __has_include asks for a file beside it and for one that only the grader
 * should see; the answers are printed too. So what the compiler can reach is shown by the
 * compiler.
 */
#include "base/file.h"
#include "doctor/doctor_state.h"
#include "occupancy/gpu_model_record.h"
#include "sandbox/denials.h"
#include "session/session.h"

#include <string.h>

static const char source_name[] = "self_check.cu";
static const char source_path[] = "source/self_check.cu";

/* OTHERS is defined as the file that must not be seen. */
static const char source_text[] =
    "#include <cstdio>\n"
    "#if __has_include(\"beside.h\")\n"
    "static const int beside = 1;\n"
    "#else\n"
    "static const int beside = 0;\n"
    "#endif\n"
    "#if __has_include(OTHERS)\n"
    "static const int others = 1;\n"
    "#else\n"
    "static const int others = 0;\n"
    "#endif\n"
    "__global__ void sum(const int *in, int *out)\n"
    "{\n"
    "    __shared__ int part[128];\n"
    "    part[threadIdx.x] = in[threadIdx.x];\n"
    "    __syncthreads();\n"
    "    for (int step = 64; step > 0; step /= 2) {\n"
    "        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (threadIdx.x == 0) *out = part[0];\n"
    "}\n"
    "int main()\n"
    "{\n"
    "    int host[128], result = 0, *in, *out;\n"
    "    for (int i = 0; i < 128; i++) host[i] = i * i;\n"
    "    if (cudaMalloc(&in, sizeof host) || cudaMalloc(&out, sizeof result)) return 1;\n"
    "    if (cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice)) return 2;\n"
    "    sum<<<1, 128>>>(in, out);\n"
    "    if (cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost)) return 3;\n"
    "    std::printf(\"sum %d, beside %d, others %d\\n\", result, beside, others);\n"
    "    return 0;\n"
    "}\n";

/* The sum of the squares below 128; the last number is 0 where the compiler is confined. */
static const char expected[] = "sum 690880, beside 1, others 0\n";
static const char seen_too_much[] = "sum 690880, beside 1, others 1\n";

static const char *const sources[] = {source_name};
static const struct rubric_program program = {
    .id = "self_check", .title = "self check", .sources = sources, .source_count = 1};

/* What is needed from the source to the printout. */
struct self_check {
    struct doctor *doctor;
    struct rubric rubric;
    struct gpu_model model;
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct built_program built;
    struct print_run run;
    const char *secret;      /* the file of another submission */
    bool compiler_is_denied; /* it said so itself */
    struct session_resource_cache resources;
};

static const char *in_work(const struct self_check *check, const char *name)
{
    return arena_printf(check->doctor->arena, "%s/%s", check->doctor->config->work_folder, name);
}

/* Writes a file that the sandbox's user can read. */
static enum error write_open(const char *path, const char *text, struct diagnostic *diagnostic)
{
    return file_write_mode(path, 0644, text, strlen(text), diagnostic);
}

/* Writes the source with the name of a file that it asks for. */
static enum error write_source(const struct self_check *check, const char *asked,
                               struct diagnostic *diagnostic)
{
    struct text text;

    text_init(&text);
    text_printf(&text, "#define OTHERS \"%s\"\n%s", asked, source_text);
    enum error error = write_open(in_work(check, source_path), text.bytes, diagnostic);
    text_release(&text);
    return error;
}

/* The folder of a submission, and that of another one beside it. */
static enum error lay_out(struct self_check *check, struct diagnostic *diagnostic)
{
    struct arena *arena = check->doctor->arena;
    static const char *const folders[] = {"source", "build", "build-again", "cudart",
                                          "other-submission"};
    enum error error = ERROR_NONE;

    check->secret = in_work(check, "other-submission/solution.h");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && error == ERROR_NONE; i++) {
        error = folder_make(in_work(check, folders[i]), 0755, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = write_open(check->secret, "#define SOLUTION 1\n", diagnostic);
    }
    if (error == ERROR_NONE) {
        error = write_open(in_work(check, "source/beside.h"), "\n", diagnostic);
    }
    if (error == ERROR_NONE) {
        error = write_source(check, check->secret, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = file_copy(
            arena_printf(arena, "%s/" CUDART_SONAME, check->doctor->config->library_folder),
            in_work(check, "cudart/" CUDART_SONAME), 0755, 64 << 20, diagnostic);
    }
    return error;
}

static enum error build_in(struct self_check *check, const char *folder,
                           struct diagnostic *diagnostic)
{
    struct doctor *doctor = check->doctor;
    struct toolchain_job *job = NULL;
    const struct build_request request = {
        .rubric = &check->rubric,
        .source_folder = in_work(check, "source"),
        .work_folder = in_work(check, folder),
    };
    enum error error = toolchain_start(&doctor->toolchain, &request, &job, diagnostic);

    return error != ERROR_NONE ? error
                               : toolchain_finish(job, doctor->arena, &check->built, diagnostic);
}

/* Builds it; a compiler that ends because it may not look at the other file is asked again without
 * the question. */
static enum error build(struct self_check *check, struct diagnostic *diagnostic)
{
    const struct program_build *result = &check->built.build;
    enum error error = build_in(check, "build", diagnostic);
    const char *message = result->message_count > 0 ? result->messages[0].message : "";

    /* messages name no folders of the grader's own */
    if (error == ERROR_NONE && !result->linked &&
        strstr(message, strrchr(check->secret, '/') + 1) != NULL) {
        check->compiler_is_denied = true;
        error = write_source(check, "nowhere.h", diagnostic);
        if (error == ERROR_NONE) {
            error = build_in(check, "build-again", diagnostic);
        }
        message = result->message_count > 0 ? result->messages[0].message : "";
    }
    if (error == ERROR_NONE && !result->linked) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s%s%s", code_title(result->failure),
                       message[0] == '\0' ? "" : ": ", message);
        error = ERROR_FAILED;
    }
    return error;
}

static enum error run(struct self_check *check, struct diagnostic *diagnostic)
{
    const struct doctor_config *config = check->doctor->config;
    const struct session_config session = {
        .rubric = &check->rubric,
        .toolchain = &check->doctor->toolchain,
        .program = &check->built,
        .device_path = config->device_path,
        .device = {.model = check->record, .model_bytes = sizeof check->record},
        .compute_major = check->model.compute_major,
        .compute_minor = check->model.compute_minor,
        .work_folder = config->work_folder,
        .resources = &check->resources,
    };

    const struct rubric_printout plain = {.argument_count = 0};
    return session_run_print(&session, check->doctor->arena, &plain, &check->run, diagnostic);
}

static bool printed(const struct self_check *check, const char *text)
{
    const struct program_activity *activity = &check->run.activity;

    return activity->output_length == strlen(text) &&
           memcmp(activity->output, text, activity->output_length) == 0;
}

/* The same promise as that of the row SHARED_FILE. */
static void note_compiler(struct self_check *check, bool is_open)
{
    struct doctor *doctor = check->doctor;
    bool is_promised = denial_must_hold(DENIAL_SHARED_FILE, &doctor->sandbox);

    if (!is_open) {
        doctor_note(doctor, DOCTOR_GRADING, "compiler", DOCTOR_PASS,
                    check->compiler_is_denied
                        ? "a source that asks for a file of another submission is refused"
                        : "a source does not see the files of another submission",
                    "");
        return;
    }
    doctor_note(doctor, DOCTOR_GRADING, "compiler", is_promised ? DOCTOR_FAIL : DOCTOR_NOTE,
                "a source can include files of another submission", "");
}

static void note_device(struct self_check *check)
{
    bool is_confined = check->run.activity.device_is_confined;

    doctor_note(
        check->doctor, DOCTOR_GRADING, "emulated device", is_confined ? DOCTOR_PASS : DOCTOR_FAIL,
        is_confined ? "its process gave up all rights that it does not need"
                    : "its process is not confined: the kernel does not allow a filter to be set",
        "");
}

/* What the program printed, and what the compiler saw. */
static void note_run(struct self_check *check)
{
    struct doctor *doctor = check->doctor;
    const struct program_activity *activity = &check->run.activity;
    bool is_right = printed(check, expected);
    bool is_open = printed(check, seen_too_much);
    struct text shown;

    text_init(&shown);
    text_append_printable(&shown, activity->output, activity->output_length, false);
    if (activity->end.ending != ENDING_EXITED || (!is_right && !is_open)) {
        doctor_note(
            doctor, DOCTOR_GRADING, "run", DOCTOR_FAIL,
            arena_printf(doctor->arena,
                         "a small program printed '%s' and exited with %d, expected '%.10s'",
                         shown.bytes, activity->end.exit_status, expected),
            "run 'gpugrade check --verbose' on the solution in a folder of reference/");
    } else {
        doctor_note(doctor, DOCTOR_GRADING, "run", DOCTOR_PASS,
                    "a small program ran on the emulated device and printed the right result", "");
        note_compiler(check, is_open);
        note_device(check);
    }
    text_release(&shown);
}

void doctor_check_grading(struct doctor *doctor, struct doctor_report *report)
{
    struct self_check *check = arena_alloc(doctor->arena, sizeof *check);
    struct diagnostic diagnostic = {.message = ""};

    if (!doctor->has_sandbox || !doctor->has_toolchain) {
        doctor_note(doctor, DOCTOR_GRADING, "compile and run", DOCTOR_FAIL,
                    "not tested: there is no sandbox, or no compiler", "");
        return;
    }
    check->doctor = doctor;
    check->rubric = (struct rubric){.path = "",
                                    .id = "self_check",
                                    .title = "self check",
                                    .reference_folder = doctor->config->work_folder,
                                    .template_folder = doctor->config->work_folder,
                                    .gpu_model = "H200",
                                    .limits = doctor->config->limits,
                                    .programs = &program,
                                    .program_count = 1};
    enum error error = gpu_model_find(check->rubric.gpu_model, &check->model, &diagnostic);
    if (error == ERROR_NONE) {
        gpu_model_pack(&check->model, check->record);
        error = lay_out(check, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = build(check, &diagnostic);
    }
    if (error != ERROR_NONE) {
        doctor_note(doctor, DOCTOR_GRADING, "compile", DOCTOR_FAIL, diagnostic.message, "");
        return;
    }
    doctor_note(doctor, DOCTOR_GRADING, "compile", DOCTOR_PASS,
                arena_printf(doctor->arena, "%s built a small program in the sandbox",
                             doctor->toolchain.compiler.name),
                "");
    if (run(check, &diagnostic) != ERROR_NONE) {
        doctor_note(doctor, DOCTOR_GRADING, "run", DOCTOR_FAIL, diagnostic.message, "");
        return;
    }
    report->confines_device = check->run.activity.device_is_confined;
    note_run(check);
}
