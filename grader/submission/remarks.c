/* remarks.c: see remarks.h. */
#include "submission/remarks.h"

#include "base/text.h"
#include "criteria/kernel_name.h"
#include "criteria/plain_case.h"
#include "criteria/preconditions/launch_findings.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/program_source.h"
#include "diagnosis/hints/kernel_choice.h"
#include "source/enclosing_loop.h"
#include "source/newer_code.h"
#include "toolchain/compiler_run.h"

#include <inttypes.h>
#include <string.h>

/* Loops are looked for around so many needless barriers: each search reads the source. */
enum { LOOPS_MAX = 64 };

/* A barrier is needless if it was needed in less than one of so many passes. */
enum { PASSES_FOR_ONE_NEEDED = 4 };

struct remark_list {
    struct arena *arena;
    const struct remark_sources *sources;
    struct remark *items;
    size_t count;
    size_t capacity;
    size_t loops; /* that were looked for */
};

static void remark_add(struct remark_list *list, struct remark remark)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct remark *old = &list->items[i];
        if (old->line == remark.line && strcmp(old->file, remark.file) == 0 &&
            strcmp(old->message, remark.message) == 0) {
            return;
        }
    }
    arena_grow(list->arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = remark;
}

/* True if a mark is about a warning: it has its place, or it is in its line and names the same. */
static bool is_about(const struct cause_mark *mark, const struct tool_message *warning)
{
    const char *quoted = strchr(warning->message, '"');
    const size_t length = quoted == NULL ? 0 : strcspn(quoted + 1, "\"");
    const char *label = text_or_empty(mark->label);

    if (mark->line != warning->line || strcmp(text_or_empty(mark->file), warning->file) != 0) {
        return false;
    }
    if (length > 0 && label[0] == '`' && strncmp(label + 1, quoted + 1, length) == 0 &&
        label[1 + length] == '`') {
        return true;
    }
    return mark->label != NULL && mark->column == warning->column;
}

/* True if the cause of a verdict marks what a warning is about: the report says it there. */
static bool is_marked(const struct remark_sources *sources, const struct tool_message *warning)
{
    for (size_t i = 0; i < sources->verdict_count && sources->rubric->hints != HINTS_NONE; i++) {
        const struct cause *cause = &sources->verdicts[i].cause;
        /* by its name alone */
        const struct cause_mark own = {cause->file, cause->line, -1, cause->label};
        if (warning->line > 0 && is_about(&own, warning)) {
            return true;
        }
        for (size_t j = 0; j < cause->also_count; j++) {
            if (is_about(&cause->also[j], warning)) {
                return true;
            }
        }
    }
    return false;
}

static void add_warnings(struct remark_list *list, const struct program_build *build)
{
    for (size_t i = 0; i < build->message_count; i++) {
        const struct tool_message *message = &build->messages[i];
        if (!message->is_error && !is_marked(list->sources, message)) {
            remark_add(list, (struct remark){message->message, message->file, message->line,
                                             message->column, true});
        }
    }
}

/* Code of the submission for newer GPUs than a program is compiled for, once for each file. */
static void add_left_out(struct remark_list *list, size_t index)
{
    const uint32_t capability = list->sources->evidence->builds[index].capability;

    if (list->sources->index == NULL || capability == 0) {
        return;
    }
    const struct program_source *source =
        source_index_program(list->sources->index, &list->sources->rubric->programs[index]);
    for (size_t i = 0; i < source->count; i++) {
        const struct source_file *file = source->files[i].tokens.file;
        const struct newer_code newest = source_newer_code(file->text, file->length);
        if (newest.architecture > 10 * capability) {
            const char *message =
                arena_printf(list->arena,
                             "this code is for compute capability %s and is left out: the program "
                             "is compiled for %s",
                             compiler_capability_text(list->arena, newest.architecture / 10),
                             compiler_capability_text(list->arena, capability));
            remark_add(list, (struct remark){message, file->name, newest.line, 0, false});
        }
    }
}

/* The errors of the runtime that a launch leaves to all later calls (cudaErrorIllegalAddress to
 * cudaErrorLaunchFailure, driver_types.h): the launch's own trouble is told as a cause. */
static bool is_fault(const struct call_error *error)
{
    enum { FIRST_FAULT = 700, LAST_FAULT = 719 };

    return error->cuda_error >= FIRST_FAULT && error->cuda_error <= LAST_FAULT;
}

/* True if a cause tells of an error: it is a consequence of a launch that went wrong, that launch
 * itself, or the reason why the wanted kernel was never launched. */
static bool is_reported(const struct program_activity *activity, size_t index, bool is_missing)
{
    bool launch_failed = false;

    if (activity->call_errors[index].is_launch) {
        return is_missing || is_fault(&activity->call_errors[index]);
    }

    for (size_t i = 0; i < index; i++) {
        launch_failed = launch_failed || activity->call_errors[i].is_launch;
    }
    for (size_t i = 0; i < activity->finding_count; i++) {
        launch_failed = launch_failed || finding_is_fault(&activity->findings[i]);
    }
    return launch_failed && is_fault(&activity->call_errors[index]);
}

/* True if the cause of a verdict is that error, perhaps in another run. */
static bool is_a_cause(const struct remark_sources *sources, const struct call_error *error)
{
    for (size_t i = 0; i < sources->verdict_count; i++) {
        const struct subject *subject = &sources->verdicts[i].cause.subject;
        if (subject->kind == SUBJECT_CALL && strcmp(subject->call->call, error->call) == 0 &&
            subject->call->cuda_error == error->cuda_error &&
            subject->call->is_unknown == error->is_unknown &&
            strcmp(subject->call->message, error->message) == 0) {
            return true;
        }
    }
    return false;
}

/* True if two errors are one mistake, made again: the same call in the same line. */
static bool is_same_call(const struct call_error *a, const struct call_error *b)
{
    return a->place.line > 0 && a->place.line == b->place.line && a->cuda_error == b->cuda_error &&
           strcmp(a->place.file, b->place.file) == 0 && strcmp(a->call, b->call) == 0;
}

/* How often an error was seen; 0 if it was counted with an earlier one. */
static uint64_t times_seen(const struct program_activity *activity, size_t index)
{
    const struct call_error *errors = activity->call_errors;
    uint64_t times = 0;

    for (size_t i = 0; i < activity->call_error_count; i++) {
        if (i == index || is_same_call(&errors[i], &errors[index])) {
            if (i < index) {
                return 0;
            }
            times += errors[i].count > 0 ? errors[i].count : 1;
        }
    }
    return times;
}

static void add_call_errors(struct remark_list *list, const struct program_activity *activity,
                            bool is_missing)
{
    for (size_t i = 0; i < activity->call_error_count; i++) {
        const struct call_error *error = &activity->call_errors[i];
        const uint64_t times = times_seen(activity, i);
        if (times == 0 || is_reported(activity, i, is_missing) ||
            is_a_cause(list->sources, error)) {
            continue;
        }
        const char *separator = error->message[0] == '\0' ? "" : ": ";
        const char *message =
            arena_printf(list->arena, "%s gave %s (%d)%s%s", error->call, error->name,
                         error->cuda_error, separator, error->message);
        if (times > 1) {
            message =
                arena_printf(list->arena, "%s (the first of %" PRIu64 " times)", message, times);
        }
        remark_add(list, (struct remark){message, text_or_empty(error->place.file),
                                         error->place.line, 0, false});
    }
}

static bool is_launched(const struct launch_run *run)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        if (run->observations[i].launched) {
            return true;
        }
    }
    return false;
}

/* One barrier of a launch over all probes. */
struct barrier_sum {
    const struct barrier_count *barrier;
    uint64_t passed, needed;
    bool is_repeated;        /* blocks pass it more than once, as in a loop */
    bool is_needed_for_size; /* in some shape that is there for its size */
};

struct barrier_list {
    struct barrier_sum *items;
    size_t count, capacity;
};

static struct barrier_sum *barrier_at(struct arena *arena, struct barrier_list *list,
                                      const struct barrier_count *barrier)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct barrier_count *old = list->items[i].barrier;
        if (old->line == barrier->line && old->column == barrier->column &&
            strcmp(old->file, barrier->file) == 0) {
            return &list->items[i];
        }
    }
    arena_grow(arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count] = (struct barrier_sum){.barrier = barrier};
    return &list->items[list->count++];
}

/* Shapes that are there for their size count only as far as they need a barrier: in one of a single
 * step every second barrier is for nothing. */
static void add_barriers(struct arena *arena, struct barrier_list *list,
                         const struct observation *observation, const struct sample *sample,
                         bool is_for_size)
{
    const uint32_t *grid = observation->geometry.grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];

    for (size_t i = 0; i < sample->counts.barrier_count; i++) {
        const struct barrier_count *barrier = &sample->counts.barriers[i];
        struct barrier_sum *sum = barrier_at(arena, list, barrier);
        if (is_for_size) {
            sum->is_needed_for_size = sum->is_needed_for_size || barrier->needed > 0;
            continue;
        }
        sum->passed += barrier->passed;
        sum->needed += barrier->needed;
        sum->is_repeated = sum->is_repeated ||
                           (sample->call.launches <= 1 && blocks > 0 && barrier->passed > blocks);
    }
}

static const char *kernel_of(const struct remark_sources *sources, size_t launch)
{
    const struct criteria_input input = {.rubric = sources->rubric, .evidence = sources->evidence};

    return kernel_name(&input, &sources->rubric->launches[launch]);
}

/* A barrier in a loop that ran only once in each block: what it keeps apart are two rounds. */
static bool waits_for_next_round(struct remark_list *list, const struct barrier_sum *sum)
{
    struct source_index *index = list->sources->index;
    struct source_loop loop;
    const char *name = sum->barrier->file;

    if (sum->is_repeated || index == NULL) {
        return false;
    }
    if (list->loops++ >= LOOPS_MAX) {
        return true; /* more than anybody reads */
    }
    const struct source_file *file = source_index_find(index, name, strlen(name));
    return file != NULL &&
           find_loop_at(&source_index_file(index, file)->tokens, sum->barrier->line, &loop);
}

static void add_needless_barriers(struct remark_list *list, size_t launch,
                                  const struct barrier_list *barriers)
{
    for (size_t i = 0; i < barriers->count; i++) {
        const struct barrier_sum *sum = &barriers->items[i];
        if (sum->needed > sum->passed || sum->needed * PASSES_FOR_ONE_NEEDED >= sum->passed ||
            sum->barrier->line == 0 ||
            (sum->needed == 0 ? sum->is_needed_for_size || waits_for_next_round(list, sum)
                              : !sum->is_repeated)) {
            continue;
        }
        const char *message =
            sum->needed == 0
                ? arena_printf(list->arena,
                               "in `%s` this barrier is never needed (%" PRIu64
                               " passes checked): it does no harm, but costs time",
                               kernel_of(list->sources, launch), sum->passed)
                : arena_printf(list->arena,
                               "in `%s` this barrier is needed in only %" PRIu64 " of its %" PRIu64
                               " passes: perhaps one barrier after the loop is enough",
                               kernel_of(list->sources, launch), sum->needed, sum->passed);
        remark_add(list, (struct remark){message, sum->barrier->file, sum->barrier->line,
                                         sum->barrier->column, false});
    }
}

/* The line that stores most to global memory; NULL if there is none. */
static const struct line_count *storing_line(const struct launch_counts *counts)
{
    const struct line_count *most = NULL;

    for (size_t i = 0; i < counts->line_count; i++) {
        const struct line_count *line = &counts->lines[i];
        if (line->space == COUNT_GLOBAL && line->access == COUNT_WRITE && line->line > 0 &&
            (most == NULL || line->sum.bytes > most->sum.bytes)) {
            most = line;
        }
    }
    return most;
}

/* Stores beyond this part of what is needed are worth a remark. */
#define NEEDLESS_STORES_RATIO 1.05

/* What the probes of one launch stored to one output. */
struct store_sum {
    uint64_t stored, needed; /* bytes */
    const struct line_count *line;
};

static void add_needless_stores(struct remark_list *list, size_t launch, size_t operand,
                                const struct store_sum *sum)
{
    const char *name = list->sources->rubric->launches[launch].operands[operand].name;

    if (sum->needed == 0 || (double)sum->stored <= NEEDLESS_STORES_RATIO * (double)sum->needed) {
        return;
    }
    remark_add(list, (struct remark){
                         arena_printf(list->arena,
                                      "`%s` stores each element of %s %.3g times on average; one "
                                      "store at the end is enough",
                                      kernel_of(list->sources, launch), name,
                                      (double)sum->stored / (double)sum->needed),
                         sum->line != NULL ? sum->line->file : "",
                         sum->line != NULL ? sum->line->line : 0,
                         sum->line != NULL ? sum->line->column : 0, false});
}

static void add_to_stores(const struct rubric_launch *launch, const struct observation *observation,
                          const struct launch_counts *counts, struct store_sum *sums)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].role == OPERAND_OUTPUT) {
            sums[i].stored += counts->operands[i][COUNT_WRITE].bytes;
            sums[i].needed +=
                observation->element_counts[i] * element_bytes(launch->operands[i].type);
            sums[i].line = sums[i].line == NULL ? storing_line(counts) : sums[i].line;
        }
    }
}

/* What probes show of the accesses of one line, together. */
struct line_list {
    struct line_count *items;
    size_t count, capacity;
};

static void lines_add(struct arena *arena, struct line_list *list, const struct line_count *line)
{
    struct line_count *found = NULL;

    for (size_t i = 0; i < list->count && found == NULL; i++) {
        struct line_count *old = &list->items[i];
        bool is_same = old->line == line->line && old->space == line->space &&
                       old->access == line->access && strcmp(old->file, line->file) == 0;
        found = is_same ? old : NULL;
    }
    if (found == NULL) {
        arena_grow(arena, &list->items, &list->capacity, list->count + 1, sizeof *list->items);
        list->items[list->count++] = *line;
        return;
    }
    found->sum.requests += line->sum.requests;
    found->sum.sectors += line->sum.sectors;
    found->sum.least_sectors += line->sum.least_sectors;
    found->sum.wavefronts += line->sum.wavefronts;
    found->sum.least_wavefronts += line->sum.least_wavefronts;
}

/* What accesses move, in pieces of 128 bytes, and how much of it better accesses would not. */
static double moved_by(const struct line_count *line, bool only_lost)
{
    const struct access_sum *sum = &line->sum;

    switch (line->space) {
    case COUNT_GLOBAL:
        return (double)(sum->sectors - (only_lost ? sum->least_sectors : 0)) / 4;
    case COUNT_SHARED:
        return (double)(sum->wavefronts - (only_lost ? sum->least_wavefronts : 0));
    default:
        return 0;
    }
}

static bool has_criterion(const struct rubric *rubric, size_t launch, enum criterion_kind kind)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == kind && criterion->has_launch && criterion->launch == launch) {
            return true;
        }
    }
    return false;
}

/* Lines that move at least four times what they need, and lose a good part of all that the kernel
 * moves in such memory, where its speed counts and no criterion is about that. */
static void add_slow_lines(struct remark_list *list, size_t launch, const struct line_list *lines)
{
    enum { PARTS_LOST = 8, TIMES_NEEDED = 4 };
    const struct rubric *rubric = list->sources->rubric;
    double all[COUNT_SPACES] = {0};

    for (size_t i = 0; i < lines->count; i++) {
        all[lines->items[i].space] += moved_by(&lines->items[i], false);
    }
    for (size_t i = 0; i < lines->count; i++) {
        const struct line_count *line = &lines->items[i];
        const double lost = moved_by(line, true);
        const double needed = moved_by(line, false) - lost;
        const bool is_shared = line->space == COUNT_SHARED;
        const enum criterion_kind judge =
            is_shared ? CRITERION_BANK_CONFLICTS : CRITERION_COALESCING;
        if (line->line == 0 || line->access == COUNT_ATOMIC || lost <= 0 ||
            lost * PARTS_LOST < all[line->space] || lost + needed < TIMES_NEEDED * needed ||
            has_criterion(rubric, launch, judge)) {
            continue;
        }
        const char *what =
            is_shared
                ? arena_printf(list->arena, "%.0f-way bank conflict",
                               (double)line->sum.wavefronts / (double)line->sum.least_wavefronts)
                : arena_printf(list->arena, "not coalesced, %.2g sectors where %.2g would do",
                               (double)line->sum.sectors / (double)line->sum.requests,
                               (double)line->sum.least_sectors / (double)line->sum.requests);
        remark_add(list, (struct remark){
                             arena_printf(list->arena,
                                          "%s: costs no points here, but speed on a GPU", what),
                             line->file, line->line, line->column, false});
    }
}

/* That a warp at most does all the work of the largest call, in its only kernel. */
static void add_few_threads(struct remark_list *list, size_t index)
{
    enum { FEW_THREADS = 32, MANY_ELEMENTS = 1024 };
    const struct rubric_launch *launch = &list->sources->rubric->launches[index];
    const struct launch_run *run = &list->sources->evidence->launch_runs[index];
    const struct observation *largest = NULL;
    size_t most = MANY_ELEMENTS - 1;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < launch->operand_count && observation->launched; j++) {
            if (operand_is_result(&launch->operands[j]) && observation->element_counts[j] > most) {
                most = observation->element_counts[j];
                largest = observation;
            }
        }
    }
    if (largest == NULL || largest->sample_count == 0 || largest->samples[0].kernel_count != 1) {
        return;
    }
    const uint32_t *grid = largest->geometry.grid;
    const uint32_t *block = largest->geometry.block;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    const struct kernel_counts *kernel = &largest->samples[0].kernels[0];
    if (blocks > FEW_THREADS || blocks * threads > FEW_THREADS || kernel->blocks > blocks) {
        return;
    }
    const char *message =
        arena_printf(list->arena,
                     "%" PRIu64 " thread%s %zu elements: costs no points here, but speed on a GPU, "
                     "which runs thousands of threads at once",
                     blocks * threads, blocks * threads == 1 ? " computes" : "s compute", most);
    const bool is_known = kernel->place != NULL && kernel->place->line > 0;
    remark_add(list, (struct remark){message, is_known ? kernel->place->file : "",
                                     is_known ? kernel->place->line : 0, 0, false});
}

/* That a program's sources allocate device memory, and never free any. */
static void add_missing_free(struct remark_list *list, size_t index)
{
    static const char allocates[] = "cudaMalloc";
    static const char frees[] = "cudaFree";
    const struct rubric_program *program = &list->sources->rubric->programs[index];
    const struct source_token *first = NULL;
    const char *file = "";

    if (list->sources->index == NULL) {
        return;
    }
    const struct program_source *source = source_index_program(list->sources->index, program);
    for (size_t i = 0; i < source->count; i++) {
        const struct source_tokens *tokens = &source->files[i].tokens;
        for (size_t j = 0; j < tokens->count; j++) {
            const struct source_token *token = &tokens->tokens[j];
            if (token->kind != TOKEN_NAME || token->length < sizeof frees - 1) {
                continue;
            }
            if (memcmp(token->text, frees, sizeof frees - 1) == 0) {
                return;
            }
            if (first == NULL && token_is(tokens, j, TOKEN_NAME, allocates)) {
                first = token;
                file = tokens->file->name;
            }
        }
    }
    if (first != NULL) {
        remark_add(list, (struct remark){"what cudaMalloc() allocates here stays taken: call "
                                         "cudaFree() when it is no longer needed",
                                         file, first->line, first->column, false});
    }
}

static bool has_doubles(const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (launch->operands[i].type == ELEMENT_F64) {
            return true;
        }
    }
    return false;
}

/* A `double` in a kernel that has no data of that type. */
static void add_double(struct remark_list *list, size_t index)
{
    const struct rubric *rubric = list->sources->rubric;
    const struct rubric_launch *launch = &rubric->launches[index];
    struct file_token name;

    if (list->sources->index == NULL || has_doubles(launch)) {
        return;
    }
    const struct program_source *source =
        source_index_program(list->sources->index, &rubric->programs[launch->program]);
    if (find_definitions(source, kernel_of(list->sources, index), &name) != 1) {
        return;
    }
    const struct source_tokens *tokens = &name.file->tokens;
    const struct source_function *function =
        source_function_named(&name.file->functions, name.token);
    for (size_t i = function != NULL ? function->open : tokens->count; i < tokens->count; i++) {
        if (i >= function->close) {
            break;
        }
        if (token_is(tokens, i, TOKEN_NAME, "double")) {
            remark_add(list, (struct remark){
                                 "the data are no doubles, and most GPUs compute doubles far "
                                 "slower than floats: costs no points here, but speed on a GPU",
                                 tokens->file->name, tokens->tokens[i].line,
                                 tokens->tokens[i].column, false});
            return;
        }
    }
}

/* True if a criterion says that the kernel of a launch must change: it writes wrong results, races,
 * or does not use its tiles. */
static bool is_wrong(const struct remark_sources *sources, size_t launch)
{
    for (size_t i = 0; i < sources->verdict_count; i++) {
        const struct verdict *verdict = &sources->verdicts[i];
        const struct rubric_criterion *criterion = verdict->criterion;
        bool is_of_kernel =
            criterion->kind == CRITERION_CORRECT || criterion->kind == CRITERION_RACE_FREE ||
            criterion->kind == CRITERION_TILED || criterion->kind == CRITERION_SAVED_LOADS;

        if (is_of_kernel && criterion->has_launch && criterion->launch == launch &&
            (verdict->status == STATUS_FAILED || verdict->status == STATUS_PARTIAL)) {
            return true;
        }
    }
    return false;
}

/* Which kernel was judged, where a program launches several of its own that do the same. */
static void add_choice(struct remark_list *list, size_t index)
{
    const char *choice = kernel_choice_text(list->arena, &list->sources->rubric->launches[index],
                                            &list->sources->evidence->launch_runs[index]);

    if (choice[0] != '\0') {
        remark_add(list, (struct remark){choice, "", 0, 0, false});
    }
}

/* That a program crashed, where no verdict says so: its launch was judged before. */
static void add_crash(struct remark_list *list, size_t index)
{
    const struct rubric *rubric = list->sources->rubric;
    const struct launch_run *run = &list->sources->evidence->launch_runs[index];

    if (!is_launched(run) || !activity_crashed(&run->activity)) {
        return;
    }
    const struct rubric_program *program = &rubric->programs[rubric->launches[index].program];
    for (size_t i = 0; i < list->sources->verdict_count; i++) {
        if (list->sources->verdicts[i].cause.code == CODE_SIGNAL) {
            return;
        }
    }
    if (!program_is_whole(program)) {
        return;
    }
    remark_add(list, (struct remark){arena_printf(list->arena,
                                                  "%s: the host code crashes after the judged "
                                                  "launch (signal %d); that costs no points",
                                                  program->id, run->activity.end.signal),
                                     "", 0, 0, false});
}

/* What a launch did for nothing, over the probes that came to their end; stores in shapes that are
 * there for their size are left out. */
static void add_needless(struct remark_list *list, size_t index)
{
    const struct rubric_launch *launch = &list->sources->rubric->launches[index];
    const struct launch_run *run = &list->sources->evidence->launch_runs[index];
    struct barrier_list barriers = {.items = NULL};
    struct store_sum stores[RUBRIC_OPERANDS_MAX] = {{0, 0, NULL}};
    struct line_list lines = {.items = NULL};

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            const struct sample *sample = &observation->samples[j];
            if (sample->status != SAMPLE_DONE || !sample->counts.is_counted) {
                continue;
            }
            const bool is_for_size = observation_is_for_size(list->sources->rubric, observation);
            add_barriers(list->arena, &barriers, observation, sample, is_for_size);
            for (size_t k = 0; k < sample->counts.line_count && !is_for_size; k++) {
                lines_add(list->arena, &lines, &sample->counts.lines[k]);
            }
            if (!is_for_size &&
                sample->call.launches <= 1) { /* another kernel may add to what one has stored */
                add_to_stores(launch, observation, &sample->counts, stores);
            }
        }
    }
    if (!is_wrong(list->sources, index)) {
        add_needless_barriers(list, index, &barriers);
        if (has_criterion(list->sources->rubric, index, CRITERION_SPEEDUP)) {
            add_slow_lines(list, index, &lines);
            add_double(list, index);
            add_few_threads(list, index);
        }
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        add_needless_stores(list, index, i, &stores[i]);
    }
}

void remarks_collect(struct arena *arena, const struct remark_sources *sources,
                     const struct remark **out_remarks, size_t *out_count)
{
    const struct rubric *rubric = sources->rubric;
    const struct submission_evidence *evidence = sources->evidence;
    struct remark_list list = {.arena = arena, .sources = sources};

    for (size_t i = 0; i < rubric->program_count; i++) {
        add_warnings(&list, &evidence->builds[i]);
        add_left_out(&list, i);
        if (evidence->builds[i].linked) {
            add_missing_free(&list, i);
        }
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        add_call_errors(&list, &evidence->launch_runs[i].activity,
                        !is_launched(&evidence->launch_runs[i]));
        add_crash(&list, i);
        add_needless(&list, i);
        add_choice(&list, i);
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        add_call_errors(&list, &evidence->print_runs[i].activity, false);
    }
    *out_remarks = list.items;
    *out_count = list.count;
}
