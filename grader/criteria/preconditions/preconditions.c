/* preconditions.c: see preconditions.h. */
#include "criteria/preconditions/preconditions.h"

#include "base/device_window.h"
#include "base/text.h"
#include "criteria/outcome.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/limit_text.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

static const uint64_t NULL_PAGE_END = 4096;

enum { CUDA_ERROR_MEMORY_ALLOCATION = 2, CUDA_ERROR_LAUNCH_TIMEOUT = 702, LINE_SHOWN_MAX = 200 };

bool precondition_template(const struct criteria_input *input, struct arena *arena, size_t program,
                           enum code code, struct cause *out_cause)
{
    const struct rubric_program *of = &input->rubric->programs[program];
    const char *source = of->source_count > 0 ? of->sources[0] : of->id;

    if (!input->is_template[program]) {
        return false;
    }
    *out_cause = cause_make(code, arena_printf(arena, "%s is still the template", source),
                            arena_printf(arena,
                                         "start with the first open step in %s: write the kernel, "
                                         "then its launch",
                                         source));
    out_cause->file = of->source_count > 0 ? source : "";
    return true;
}

static const struct tool_message *first_error_message(const struct program_build *build)
{
    bool has_errors = build->message_count > 0 && build->messages[0].is_error;

    return has_errors ? &build->messages[0] : NULL;
}

/* Errors of a build, which stand before everything else that was said. */
static size_t count_errors(const struct program_build *build)
{
    size_t count = 0;

    while (count < build->message_count && build->messages[count].is_error) {
        count++;
    }
    return count;
}

/* Points of the criteria that judge what a program launches or prints. */
static double points_of_program(const struct rubric *rubric, size_t program)
{
    double points = 0.0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        bool is_its =
            (criterion->has_launch && rubric->launches[criterion->launch].program == program) ||
            (criterion->has_printout && rubric->printouts[criterion->printout].program == program);
        points += is_its ? criterion->points : 0.0;
    }
    return points;
}

/* A source that is not there. */
static struct cause missing_source_cause(const struct criteria_input *input, struct arena *arena,
                                         size_t program, const char *name)
{
    const double points = points_of_program(input->rubric, program);

    return cause_make(CODE_SOURCE_MISSING,
                      arena_printf(arena, "%s is missing, for which there are %g point%s", name,
                                   points, points == 1.0 ? "" : "s"),
                      "hand in the file under exactly this name, beside the others");
}

/* A source that cannot be compiled at all. */
static bool cause_of_source(const struct criteria_input *input, struct arena *arena, enum code code,
                            size_t program, struct cause *out_cause)
{
    const struct program_build *build = &input->evidence->builds[program];
    const bool is_optional = input->rubric->programs[program].is_optional;
    const char *file = build->failed_file;
    const char *name = file != NULL && file[0] != '\0' ? file : "a source file";

    if (code == CODE_SOURCE_MISSING && is_optional) {
        *out_cause =
            cause_make(CODE_NO_LAUNCH_YET,
                       arena_printf(arena, "%s, which is optional, is not handed in", name),
                       arena_printf(arena, "add %s to your files to earn these points", name));
        return true; /* no file, no place in it */
    }
    if (code == CODE_SOURCE_MISSING) {
        *out_cause = missing_source_cause(input, arena, program, name);
    } else if (code == CODE_SOURCE_NOT_TEXT && build->failed_limit_bytes > 0) {
        *out_cause = cause_make(code,
                                arena_printf(arena,
                                             "%s is larger than %zu bytes, the limit for a "
                                             "source",
                                             name, build->failed_limit_bytes),
                                "hand in the program alone, without generated lines and data");
    } else if (code == CODE_SOURCE_NOT_TEXT) {
        *out_cause = cause_make(code, arena_printf(arena, "%s is not a text file", name),
                                "save it as plain UTF-8 text");
    } else {
        return false;
    }
    out_cause->file = file != NULL ? file : "";
    return true;
}

bool precondition_build(const struct criteria_input *input, struct arena *arena, size_t program,
                        struct cause *out_cause)
{
    const struct program_build *build = &input->evidence->builds[program];
    const struct tool_message *first = first_error_message(build);
    const char *limit = limit_text(arena, "the compiler", &build->end);

    if (build->linked) {
        return false;
    }
    enum code code = build->failure == CODE_NONE ? CODE_COMPILE_ERROR : build->failure;
    if (cause_of_source(input, arena, code, program, out_cause)) {
        return true;
    }
    *out_cause = cause_make(code, code_title(code), "");
    out_cause->subject =
        (struct subject){.kind = SUBJECT_BUILD, .program = program, .message = first};
    if (code == CODE_COMPILE_LIMIT && limit[0] != '\0') {
        out_cause->message = limit;
    } else if (first != NULL) {
        out_cause->message = first->message;
        out_cause->file = first->file;
        out_cause->line = first->line;
        out_cause->column = first->column;
        out_cause->more = first + 1;
        out_cause->more_count = count_errors(build) - 1;
    }
    return true;
}

const char *finding_sentence(struct arena *arena, const struct finding *finding)
{
    bool has_kernel = finding->kernel != NULL && finding->kernel[0] != '\0';

    return has_kernel ? arena_printf(arena, "in `%s`: %s", finding->kernel, finding->message)
                      : finding->message;
}

struct cause cause_of_finding(struct arena *arena, const struct finding *finding)
{
    struct cause cause = cause_make(finding->code, finding_sentence(arena, finding), "");

    cause.subject = (struct subject){.kind = SUBJECT_FINDING, .finding = finding};
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        if (place->line > 0 && (cause.line == 0 || i == finding->main_place)) {
            cause.file = place->file;
            cause.line = place->line;
            cause.column = place->column;
        }
    }
    return cause;
}

/* The first finding that ended a launch; NULL if there is none. */
static const struct finding *first_fault(const struct finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (finding_is_fault(&findings[i])) {
            return &findings[i];
        }
    }
    return NULL;
}

static const char *signal_words(int number)
{
    static const struct {
        int number;
        const char *words;
    } names[] = {
        {SIGSEGV, "a segmentation fault"},
        {SIGBUS, "a bus error"},
        {SIGFPE, "a division by zero"},
        {SIGABRT, "abort()"},
        {SIGILL, "an illegal instruction"},
        {SIGSYS, "a system call that the sandbox forbids"},
        {SIGKILL, "being killed"},
        {SIGTERM, "being terminated"},
        {SIGPIPE, "a write to a closed pipe"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].number == number) {
            return names[i].words;
        }
    }
    return "a signal";
}

/* Appends a line without the folders of paths to what the grader made: a program's name is such a
 * path, and each run has another one. */
static void append_without_folders(struct text *text, const char *line, size_t length)
{
    static const char made[] = "/gpugrade-";

    for (size_t i = 0; i < length;) {
        size_t end = i;
        size_t name = i;
        while (line[i] == '/' && end < length && strchr(" \t:;,'`\"()<>", line[end]) == NULL) {
            name = line[end] == '/' ? end + 1 : name;
            end++;
        }
        end = end == i ? i + 1 : end;
        bool is_made = memmem(line + i, name - i, made, strlen(made)) != NULL;
        size_t from = is_made ? name : i;
        text_append_bytes(text, line + from, end - from);
        i = end;
    }
}

/* The last line that says something, fit to be shown; "" if there is none. */
static const char *last_line(struct arena *arena, const char *bytes, size_t length)
{
    size_t end = length;
    struct text line;
    struct text shown;

    while (end > 0 && strchr(" \r\n\t", bytes[end - 1]) != NULL) {
        end--;
    }
    size_t start = end;
    while (start > 0 && bytes[start - 1] != '\n') {
        start--;
    }
    while (start < end && (bytes[start] == ' ' || bytes[start] == '\t')) {
        start++;
    }
    text_init(&line);
    text_init(&shown);
    append_without_folders(&line, bytes + start, end - start);
    text_append_printable(&shown, line.bytes,
                          line.length < LINE_SHOWN_MAX ? line.length : LINE_SHOWN_MAX, false);
    const char *copy = arena_strndup(arena, shown.bytes, shown.length);
    text_release(&line);
    text_release(&shown);
    return copy;
}

static const char *last_error_line(struct arena *arena, const struct program_activity *activity)
{
    return last_line(arena, activity->errors, activity->errors_length);
}

const char *last_output_line(struct arena *arena, const struct program_activity *activity)
{
    const char *line = last_error_line(arena, activity);

    return line[0] != '\0' ? line : last_line(arena, activity->output, activity->output_length);
}

static struct cause cause_of_signal(struct arena *arena, const struct program_activity *activity)
{
    const struct program_end *end = &activity->end;
    uint64_t address = end->fault_address;
    const char *words = signal_words(end->signal);
    const char *line = last_error_line(arena, activity);
    const char *separator = line[0] != '\0' ? ": " : "";

    if (is_in_device_window(address)) {
        return cause_make(
            CODE_SIGNAL,
            arena_printf(arena, "host code touches device memory at 0x%" PRIx64 " and ends with %s",
                         address, words),
            "device pointers only work in kernels; copy with cudaMemcpy");
    }
    if (end->signal == SIGFPE) {
        return cause_make(
            CODE_SIGNAL,
            arena_printf(arena, "the program ends with a division by zero%s%s", separator, line),
            "is a block size or a width still 0 on the host");
    }
    bool is_null = end->signal == SIGSEGV && end->has_fault_address && address < NULL_PAGE_END;
    return cause_make(CODE_SIGNAL,
                      arena_printf(arena, "the program ends with %s (signal %d)%s%s%s", words,
                                   end->signal, is_null ? " through a null pointer" : "", separator,
                                   line),
                      end->signal == SIGABRT
                          ? "an assertion fails, nobody catches an exception, or memory of the "
                            "host is freed twice or written past its end"
                          : "look at the host code: pointers, array indices, what it prints");
}

/* What a program that is driven by its input lacks, behind how it ended; "" if nothing. What waits
 * for such a mark waits in vain, as does a program for its next case. */
static const char *missing_mark(const struct program_activity *activity)
{
    return activity->lacks_begin ? ": cudaProfilerStart, which begins a case, was never called"
           : activity->lacks_end ? ", in the middle of a case: between cudaProfilerStart and "
                                   "cudaProfilerStop of its main()"
                                 : "";
}

/* The hint with what a harness of the coursework's own may lack. */
static const char *hint_for_mark(struct arena *arena, const struct program_activity *activity,
                                 const char *hint)
{
    return activity->lacks_begin
               ? arena_printf(arena,
                              "%s; for who wrote main(): a harness must call cudaProfilerStart "
                              "before each launch and cudaProfilerStop behind it, as \"What a "
                              "harness must do\" in docs/rubrics.md says",
                              hint)
               : hint;
}

/* A limit of time by the clock. */
static struct cause cause_of_wall_limit(struct arena *arena,
                                        const struct program_activity *activity)
{
    static const struct {
        const char *said, *hint;
    } uses[] = {
        [ENDING_USE_UNKNOWN] = {"", "look for a loop on the host that never ends, or for what the "
                                    "program waits for"},
        [ENDING_COMPUTED] = {"; most of that time it computed on the host",
                             "look for a loop on the host that never ends"},
        [ENDING_SERVED] = {"; most of that time it waited for its work on the device",
                           "look for a loop on the host that launches or copies for ever"},
        [ENDING_WAITED] =
            {"; most of that time it waited and used no processor",
             "look for what the program waits for: a value that nobody sets, a lock that "
             "it holds itself, a thread, a process or input that never comes"},
    };
    const enum ending_use use = activity->end.use;

    return cause_make(CODE_PROGRAM_DEADLINE,
                      arena_printf(arena, "%s%s%s",
                                   limit_text(arena, "the program", &activity->end),
                                   missing_mark(activity), uses[use].said),
                      hint_for_mark(arena, activity, uses[use].hint));
}

static struct cause cause_of_early_end(struct arena *arena, const struct program_activity *activity)
{
    static const char hint[] = "return to the given main() instead of ending the program";
    bool has_begun = !activity->lacks_begin; /* where it ended after that does not matter */

    return cause_make(CODE_EXIT_STATUS,
                      arena_printf(arena,
                                   "the program ends with status 0 before it has launched for all "
                                   "shapes%s",
                                   has_begun ? "" : missing_mark(activity)),
                      has_begun ? hint : hint_for_mark(arena, activity, hint));
}

bool precondition_end(struct arena *arena, const struct program_activity *activity,
                      struct cause *out_cause)
{
    static const struct {
        enum ending ending;
        enum code code;
        const char *hint;
    } limits[] = {
        {ENDING_CPU_LIMIT, CODE_CPU_DEADLINE, "look for a loop on the host that never ends"},
        {ENDING_MEMORY_LIMIT, CODE_HOST_MEMORY, "look for memory that is never freed"},
        {ENDING_PROCESS_LIMIT, CODE_TOO_MANY_PROCESSES, "the exercise needs no other process"},
        {ENDING_FILE_LIMIT, CODE_FILE_TOO_LARGE, "the exercise needs no files"},
        {ENDING_OUTPUT_LIMIT, CODE_TOO_MUCH_OUTPUT, "print only the lines that are asked for"},
    };
    const struct program_end *end = &activity->end;

    if (end->ending == ENDING_SIGNALLED) {
        *out_cause = cause_of_signal(arena, activity);
        return true;
    }
    if (end->ending == ENDING_EXITED && end->exit_status == 0 && activity->ended_early) {
        *out_cause = cause_of_early_end(arena, activity);
        return true;
    }
    if (end->ending == ENDING_WALL_LIMIT) {
        *out_cause = cause_of_wall_limit(arena, activity);
        return true;
    }
    if (end->ending == ENDING_EXITED && end->exit_status != 0) {
        const char *line = last_error_line(arena, activity);
        *out_cause = cause_make(CODE_EXIT_STATUS,
                                arena_printf(arena, "the program ends with status %d%s%s",
                                             end->exit_status, line[0] != '\0' ? ": " : "", line),
                                "check the status of each CUDA call");
        return true;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (end->ending == limits[i].ending) {
            *out_cause =
                cause_make(limits[i].code, limit_text(arena, "the program", end), limits[i].hint);
            return true;
        }
    }
    return false;
}

static bool is_launch(const struct call_error *error)
{
    return error->is_launch;
}

/* What the program says of its own calls; it explains what nothing else does. */
static bool is_other(const struct call_error *error)
{
    return !is_launch(error);
}

static const struct call_error *first_call_error(const struct program_activity *activity,
                                                 bool (*is_wanted)(const struct call_error *error))
{
    for (size_t i = 0; i < activity->call_error_count; i++) {
        if (is_wanted(&activity->call_errors[i])) {
            return &activity->call_errors[i];
        }
    }
    return NULL;
}

static struct cause call_error_words(struct arena *arena, const struct call_error *error)
{
    const char *separator = error->message[0] != '\0' ? ": " : "";

    if (error->is_unknown) {
        return cause_make(
            CODE_UNKNOWN_CALL,
            arena_printf(arena, "the stand-in runtime does not know %s%s%s", error->call, separator,
                         error->message),
            "use another call; if the exercise asks for just this, tell your instructor");
    }
    if (error->cuda_error == CUDA_ERROR_LAUNCH_TIMEOUT) {
        return cause_make(CODE_LAUNCH_DEADLINE,
                          arena_printf(arena, "%s%s%s%s%s", is_launch(error) ? "the " : "",
                                       error->call, is_launch(error) ? " does not end" : "",
                                       separator, error->message),
                          "look for a loop in the kernel that never ends: what changes its "
                          "condition");
    }
    bool is_of_memory = error->cuda_error == CUDA_ERROR_MEMORY_ALLOCATION;
    if (is_launch(error) && !is_of_memory) {
        return cause_make(CODE_IMPOSSIBLE_LAUNCH,
                          arena_printf(arena, "the %s is refused with %s%s%s", error->call,
                                       error->name, separator, error->message),
                          "check the grid, the block and the bytes of shared memory in <<< >>>");
    }
    const char *hint = is_launch(error)
                           ? "look for large arrays in the kernel: each thread has its "
                             "own, of local memory"
                       : is_of_memory ? "the exercise needs no large allocations of its own"
                                      : "check the arguments of that call, and what it returns";
    return cause_make(is_of_memory ? CODE_DEVICE_MEMORY : CODE_API_ERROR,
                      arena_printf(arena, "%s%s fails with %s%s%s", is_launch(error) ? "the " : "",
                                   error->call, error->name, separator, error->message),
                      hint);
}

static struct cause cause_of_call_error(struct arena *arena, const struct call_error *error)
{
    struct cause cause = call_error_words(arena, error);

    cause.subject = (struct subject){.kind = SUBJECT_CALL, .call = error};
    return cause;
}

/* A refused or stopped launch; of a stopped one the emulated device says where it was. */
static struct cause cause_of_launch(struct arena *arena, const struct program_activity *activity,
                                    const struct call_error *error)
{
    bool is_stopped = error->cuda_error == CUDA_ERROR_LAUNCH_TIMEOUT;

    for (size_t i = 0; i < activity->finding_count && is_stopped; i++) {
        if (activity->findings[i].code == CODE_LAUNCH_DEADLINE) {
            return cause_of_finding(arena, &activity->findings[i]);
        }
    }
    return cause_of_call_error(arena, error);
}

/* Why the program's channel is no longer served. */
static struct cause cause_of_broken_channel(struct arena *arena,
                                            const struct program_activity *activity)
{
    const char *how = activity->protocol_message[0] != '\0' ? activity->protocol_message
                                                            : "it sent what no program sends";

    if (activity->forked_channel) {
        return cause_make(CODE_FORKED_CHANNEL,
                          "a process that the program started used the program's channel to the "
                          "device",
                          "make all CUDA calls in the process that main() runs in");
    }
    return cause_make(activity->foreign_module ? CODE_FOREIGN_MODULE : CODE_PROTOCOL,
                      arena_printf(arena, "the program tampered with its channel: %s", how),
                      "only use the CUDA runtime's own calls");
}

bool precondition_activity(struct arena *arena, const struct program_activity *activity,
                           struct cause *out_cause)
{
    const struct finding *finding = first_fault(activity->findings, activity->finding_count);
    const struct call_error *refused = first_call_error(activity, is_launch);
    const struct call_error *other = first_call_error(activity, is_other);
    bool exited = activity->end.ending == ENDING_EXITED;

    if (activity->protocol_broken) {
        *out_cause = cause_of_broken_channel(arena, activity);
        return true;
    }
    if (finding != NULL) {
        *out_cause = cause_of_finding(arena, finding);
        return true;
    }
    for (size_t i = 0; i < activity->finding_count; i++) {
        if (code_cause(activity->findings[i].code) == CAUSE_UNSUPPORTED) {
            *out_cause = cause_of_finding(arena, &activity->findings[i]);
            return true;
        }
    }
    if (refused != NULL) {
        *out_cause = cause_of_launch(arena, activity, refused);
        return true;
    }
    if (!exited && precondition_end(arena, activity, out_cause)) {
        return true;
    }
    if (other != NULL) {
        *out_cause = cause_of_call_error(arena, other);
        return true;
    }
    return precondition_end(arena, activity, out_cause);
}

const struct observation *first_launched(const struct criteria_input *input, size_t launch)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        if (run->observations[i].launched) {
            return &run->observations[i];
        }
    }
    return NULL;
}

uint64_t geometry_threads(const struct launch_geometry *geometry)
{
    return (uint64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
}
