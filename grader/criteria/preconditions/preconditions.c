/* preconditions.c: see preconditions.h. */
#include "criteria/preconditions/preconditions.h"

#include "base/device_window.h"
#include "base/near_word.h"
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
    *out_cause = cause_advised(code, arena_printf(arena, "%s is still the template", source),
                               advise_on(ADVICE_FIRST_STEP, source));
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

static bool is_asked_for(const struct rubric *rubric, const char *name)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            if (strcmp(rubric->programs[i].sources[j], name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The file of the submission that is none of the rubric's and has nearly that name; NULL if there
 * is none. */
static const char *misspelt_source(const struct criteria_input *input, const char *name)
{
    struct near_word near = near_word_start(name);

    for (size_t i = 0; i < input->source_count; i++) {
        if (!is_asked_for(input->rubric, input->sources[i].name)) {
            near_word_offer(&near, input->sources[i].name);
        }
    }
    return near.best;
}

/* A source that is not there. */
static struct cause missing_source_cause(const struct criteria_input *input, struct arena *arena,
                                         size_t program, const char *name)
{
    const double points = points_of_program(input->rubric, program);
    const char *misspelt = misspelt_source(input, name);
    const char *message = arena_printf(arena, "%s is missing; it is worth %g point%s", name, points,
                                       points == 1.0 ? "" : "s");

    const struct advice rename = {ADVICE_RENAME_FILE, {misspelt, name}};

    return misspelt == NULL ? cause_make(CODE_SOURCE_MISSING, message)
                            : cause_advised(CODE_SOURCE_MISSING, message, rename);
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
        *out_cause = cause_advised(
            CODE_NO_LAUNCH_YET, arena_printf(arena, "%s is optional and was not handed in", name),
            advise_on(ADVICE_ADD_OPTIONAL_FILE, name));
        return true; /* no file, no place in it */
    }
    if (code == CODE_SOURCE_MISSING) {
        *out_cause = missing_source_cause(input, arena, program, name);
    } else if (code == CODE_SOURCE_NOT_TEXT && build->failed_limit_bytes > 0) {
        *out_cause = cause_advised(code,
                                   arena_printf(arena,
                                                "%s is larger than %zu bytes, the limit for a "
                                                "source",
                                                name, build->failed_limit_bytes),
                                   advise(ADVICE_SOURCE_TOO_LARGE));
    } else if (code == CODE_SOURCE_NOT_TEXT) {
        *out_cause = cause_make(code, arena_printf(arena, "%s is not a text file", name));
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
    *out_cause = cause_make(code, code_title(code));
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
        out_cause->also = first->notes;
        out_cause->also_count = first->note_count;
        out_cause->fixes = first->fixes;
        out_cause->fix_count = first->fix_count;
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
    struct cause cause = cause_make(finding->code, finding_sentence(arena, finding));

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
        return cause_advised(
            CODE_SIGNAL,
            arena_printf(arena, "host code touches device memory at 0x%" PRIx64 " and ends with %s",
                         address, words),
            advise(ADVICE_DEVICE_POINTER_ON_HOST));
    }
    if (end->signal == SIGFPE) {
        return cause_advised(
            CODE_SIGNAL,
            arena_printf(arena, "the program ends with a division by zero%s%s", separator, line),
            advise(ADVICE_DIVISION_BY_ZERO));
    }
    bool is_null = end->signal == SIGSEGV && end->has_fault_address && address < NULL_PAGE_END;
    return cause_advised(CODE_SIGNAL,
                         arena_printf(arena, "the program ends with %s (signal %d)%s%s%s", words,
                                      end->signal, is_null ? " through a null pointer" : "",
                                      separator, line),
                         advise(end->signal == SIGABRT ? ADVICE_ABORT : ADVICE_OF_CODE));
}

/* What a program that is driven by its input lacks, behind how it ended; "" if nothing. What waits
 * for such a mark waits in vain, as does a program for its next case. */
static const char *missing_mark(struct arena *arena, const struct program_activity *activity)
{
    if (activity->call != NULL) {
        return activity->lacks_begin
                   ? arena_printf(arena, ": it never begins a call of `%s`", activity->call)
               : activity->lacks_end
                   ? arena_printf(arena, ", within a call of `%s`", activity->call)
                   : "";
    }
    return activity->lacks_begin ? ": cudaProfilerStart, which begins a case, was never called"
           : activity->lacks_end ? ", in the middle of a case: between cudaProfilerStart and "
                                   "cudaProfilerStop of its main()"
                                 : "";
}

/* Adds what a harness of the coursework's own may lack. */
static struct cause with_mark_advice(const struct program_activity *activity, struct cause cause)
{
    cause.more_advice = advise(!activity->lacks_begin   ? ADVICE_NONE
                               : activity->call != NULL ? ADVICE_HARNESS_CALLS
                                                        : ADVICE_HARNESS_MARKS);
    return cause;
}

/* A limit of time by the clock. */
static struct cause cause_of_wall_limit(struct arena *arena,
                                        const struct program_activity *activity)
{
    static const struct {
        const char *said;
        enum advice_id advice;
    } uses[] = {
        [ENDING_USE_UNKNOWN] = {"", ADVICE_HOST_LOOP_OR_WAIT},
        [ENDING_COMPUTED] = {"; most of that time it computed on the host", ADVICE_HOST_LOOP},
        [ENDING_SERVED] = {"; most of that time it waited for its work on the device",
                           ADVICE_HOST_LOOP_OF_LAUNCHES},
        [ENDING_WAITED] = {"; most of that time it waited and used no processor", ADVICE_HOST_WAIT},
    };
    const enum ending_use use = activity->end.use;

    const char *message =
        arena_printf(arena, "%s%s%s", limit_text(arena, "the program", &activity->end),
                     missing_mark(arena, activity), uses[use].said);
    return with_mark_advice(
        activity, cause_advised(CODE_PROGRAM_DEADLINE, message, advise(uses[use].advice)));
}

static struct cause cause_of_early_end(struct arena *arena, const struct program_activity *activity)
{
    const char *missing = activity->lacks_begin ? missing_mark(arena, activity) : "";

    if (call_is_program(activity->call)) {
        return cause_advised(CODE_EXIT_STATUS,
                             "the program ends with status 0 and hands over no result",
                             advise(ADVICE_HAND_OVER_RESULT));
    }
    const char *message =
        activity->call != NULL
            ? arena_printf(arena,
                           "the program ends with status 0 before it has called `%s` for all "
                           "shapes%s",
                           activity->call, missing)
            : arena_printf(arena,
                           "the program ends with status 0 before it has launched for all "
                           "shapes%s",
                           missing);

    return with_mark_advice(
        activity, cause_advised(CODE_EXIT_STATUS, message, advise(ADVICE_RETURN_TO_MAIN)));
}

bool precondition_end(struct arena *arena, const struct program_activity *activity,
                      struct cause *out_cause)
{
    static const struct {
        enum ending ending;
        enum code code;
    } limits[] = {
        {ENDING_CPU_LIMIT, CODE_CPU_DEADLINE},           {ENDING_MEMORY_LIMIT, CODE_HOST_MEMORY},
        {ENDING_PROCESS_LIMIT, CODE_TOO_MANY_PROCESSES}, {ENDING_FILE_LIMIT, CODE_FILE_TOO_LARGE},
        {ENDING_OUTPUT_LIMIT, CODE_TOO_MUCH_OUTPUT},
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
                                             end->exit_status, line[0] != '\0' ? ": " : "", line));
        return true;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (end->ending == limits[i].ending) {
            *out_cause = cause_make(limits[i].code, limit_text(arena, "the program", end));
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
        return cause_make(CODE_UNKNOWN_CALL,
                          arena_printf(arena, "gpugrade's CUDA runtime does not know %s%s%s",
                                       error->call, separator, error->message));
    }
    if (error->cuda_error == CUDA_ERROR_LAUNCH_TIMEOUT) {
        return cause_make(
            CODE_LAUNCH_DEADLINE,
            arena_printf(arena, "%s%s%s%s%s", is_launch(error) ? "the " : "", error->call,
                         is_launch(error) ? " was still running when its time ran out" : "",
                         separator, error->message));
    }
    bool is_of_memory = error->cuda_error == CUDA_ERROR_MEMORY_ALLOCATION;
    const struct advice arguments =
        strstr(error->message, "was never created or is already destroyed") != NULL
            ? advise(ADVICE_CALL_HANDLE)
        : strstr(error->message, "where no device memory is allocated") != NULL
            ? advise(ADVICE_CALL_MEMORY)
            : advise(ADVICE_CALL_ARGUMENTS);
    if (is_launch(error) && !is_of_memory) {
        return cause_make(CODE_IMPOSSIBLE_LAUNCH,
                          arena_printf(arena, "the %s is refused with %s%s%s", error->call,
                                       error->name, separator, error->message));
    }
    return cause_advised(is_of_memory ? CODE_DEVICE_MEMORY : CODE_API_ERROR,
                         arena_printf(arena, "%s%s fails with %s%s%s",
                                      is_launch(error) ? "the " : "", error->call, error->name,
                                      separator, error->message),
                         is_launch(error) ? advise(ADVICE_LOCAL_ARRAYS)
                         : is_of_memory   ? advise(ADVICE_OF_CODE)
                                          : arguments);
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
    const char *how = activity->protocol_message[0] != '\0'
                          ? activity->protocol_message
                          : "it sent a message that no program sends";

    if (activity->forked_channel) {
        return cause_make(CODE_FORKED_CHANNEL,
                          "a process that the program started used the program's channel to the "
                          "device");
    }
    return cause_make(activity->foreign_module ? CODE_FOREIGN_MODULE : CODE_PROTOCOL,
                      arena_printf(arena, "the program tampered with its channel: %s", how));
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
        bool is_known = run->observations[i].geometry.block[0] > 0; /* a call may launch nothing */
        if (run->observations[i].launched && is_known) {
            return &run->observations[i];
        }
    }
    return NULL;
}

uint64_t geometry_threads(const struct launch_geometry *geometry)
{
    return (uint64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
}

struct case_scope observation_scope(const struct rubric *rubric,
                                    const struct observation *observation)
{
    return (struct case_scope){
        .rubric = rubric,
        .parameters = observation->parameters,
        .block = observation->block,
        .threads = (int64_t)geometry_threads(&observation->geometry),
    };
}
