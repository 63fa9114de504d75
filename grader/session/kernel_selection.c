/* kernel_selection.c: which kernels a program launches, and which of them is
 * meant; see session.h.
 *
 *   start the program -> first shape -> each launch of a kernel that could be
 * meant is held: operands bound; once in a while outputs poisoned -> launched
 * -> outputs looked at -> restored
 *
 * What a kernel writes shows only where its outputs hold something else before:
 * a program that runs two kernels one after the other on the same data writes
 * the same values twice. So a poison is written first, in a snapshot. Which
 * inputs it loads from is what the device counted; where it does not count, an
 * input is one that changes what is written: the launch is made once more for
 * each, with other values there.
 *
 * A kernel of which not everything was seen in its first launch is looked at
 * again in its 2nd, 4th, 8th, ... launch. The launches between those pass, as
 * long as they have the same geometry: the device counts them.
 */
#include "session/session.h"

#include "model/kernel_pattern.h"
#include "session/inputs.h"
#include "session/launch_case.h"
#include "session/probe.h"
#include "wire/count_record.h"
#include "wire/page_hash.h"

#include <string.h>

/* Of an output, what is looked at; more is never needed to see that something
 * was written. */
#define LOOKED_AT_BYTES ((uint64_t)64 << 20)

/* One kernel, as far as it was seen. */
struct survey_entry {
    struct surveyed_kernel told;
    bool matches;
    bool reads_outputs; /* false where the device does not count */
    bool is_dynamic;    /* all of its shared memory is asked for at the launch that tells most */
    uint64_t last;      /* number of its last launch in the run, from 1 */
    uint64_t look_at;   /* which of its launches is looked at next, from 1; 0: none */
    struct held_launch held;        /* its last one that was held */
    struct observation observation; /* of the launch that tells most: fits_better */
};

struct survey {
    struct connection connection;
    const struct session_config *config;
    const struct rubric_launch *launch;
    const int64_t *parameters;
    struct survey_entry *entries; /* [count] */
    size_t count, capacity;
    bool gone;
    bool stopped; /* a launch on a real GPU went wrong: nothing more can be learnt
                     there */
};

static bool is_given(const struct rubric_launch *launch, const char *plain_name)
{
    for (size_t i = 0; i < launch->given_kernel_count; i++) {
        if (strcmp(launch->given_kernels[i], plain_name) == 0) {
            return true;
        }
    }
    return false;
}

static const struct code_kernel *kernel_of(const struct survey *survey,
                                           const struct held_launch *held)
{
    return &survey->connection.code.modules[held->module].kernels[held->kernel];
}

/* The entry of a held launch's kernel; instances of one template are one kernel
 * each. */
static struct survey_entry *entry_of(struct survey *survey, const struct held_launch *held)
{
    const struct code_kernel *kernel = kernel_of(survey, held);

    for (size_t i = 0; i < survey->count; i++) {
        const struct held_launch *known = &survey->entries[i].held;
        if (known->module == held->module && known->kernel == held->kernel) {
            return &survey->entries[i];
        }
    }
    arena_grow(survey->connection.arena, &survey->entries, &survey->capacity, survey->count + 1,
               sizeof *survey->entries);
    struct survey_entry *entry = &survey->entries[survey->count++];
    *entry = (struct survey_entry){
        .told = {.name = kernel->name,
                 .plain_name = kernel->plain_name,
                 .is_given = is_given(survey->launch, kernel->plain_name)},
        .matches = kernel_pattern_matches(survey->launch->kernel, kernel->plain_name),
        .look_at = 1,
        .held = *held,
    };
    return entry;
}

/* Finds the outputs of a held launch, one after the other: *place is where the
 * next one lies. */
static enum error next_output(struct survey *survey, const struct held_launch *held, size_t *next,
                              struct operand_place *place, struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = survey->launch;
    enum error error = ERROR_NONE;

    place->bytes = 0;
    while (*next < launch->operand_count && place->bytes == 0 && error == ERROR_NONE) {
        const struct rubric_operand *operand = &launch->operands[(*next)++];
        if (operand_is_result(operand)) {
            error =
                probe_find_operand(&survey->connection, launch, held, operand, place, diagnostic);
        }
    }
    place->bytes = place->bytes < LOOKED_AT_BYTES ? place->bytes : LOOKED_AT_BYTES;
    place->bytes -= place->bytes % sizeof(uint32_t);
    return error;
}

static uint32_t poison(const struct survey *survey)
{
    const struct input_plan plan = {
        .seed = survey->config->seed, .stream = UINT64_MAX, .kind = PROBE_EXACT};

    return output_poison(&plan, ELEMENT_U32);
}

static enum error poison_outputs(struct survey *survey, const struct held_launch *held,
                                 struct diagnostic *diagnostic)
{
    struct operand_place place;
    size_t next = 0;
    enum error error = next_output(survey, held, &next, &place, diagnostic);

    while (error == ERROR_NONE && place.bytes > 0) {
        const struct message fill = {.type = CONTROL_FILL,
                                     .words = {place.address, place.bytes, poison(survey)}};
        error = connection_call(&survey->connection, &fill, NULL, diagnostic);
        if (error == ERROR_NONE) {
            error = next_output(survey, held, &next, &place, diagnostic);
        }
    }
    return error;
}

static bool holds_only(const uint8_t *bytes, size_t length, uint32_t pattern)
{
    for (size_t i = 0; i + sizeof pattern <= length; i += sizeof pattern) {
        if (memcmp(bytes + i, &pattern, sizeof pattern) != 0) {
            return false;
        }
    }
    return true;
}

/* Looks at what a launch left in its outputs: whether it wrote there, and a
 * hash of it all. */
static enum error look_at_outputs(struct survey *survey, const struct held_launch *held,
                                  bool *out_writes, uint64_t *out_hash,
                                  struct diagnostic *diagnostic)
{
    struct operand_place place;
    size_t next = 0;
    uint64_t hash = 0;
    bool writes = false;
    enum error error = next_output(survey, held, &next, &place, diagnostic);

    while (error == ERROR_NONE && place.bytes > 0) {
        const size_t left = (size_t)place.bytes;
        const size_t piece = left < CONTROL_PIECE_BYTES ? left : CONTROL_PIECE_BYTES;
        const struct message read = {.type = CONTROL_READ, .words = {place.address, piece}};
        struct message reply;
        error = connection_call(&survey->connection, &read, &reply, diagnostic);
        if (error == ERROR_NONE) {
            writes = writes || !holds_only(reply.payload, reply.payload_bytes, poison(survey));
            hash = hash * 31 + page_hash(reply.payload, reply.payload_bytes);
            place = (struct operand_place){place.address + piece, place.bytes - piece};
            error =
                place.bytes > 0 ? ERROR_NONE : next_output(survey, held, &next, &place, diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        *out_writes = writes;
        *out_hash = hash;
    }
    return error;
}

static enum error command(struct survey *survey, enum control_message type,
                          struct diagnostic *diagnostic)
{
    const struct message request = {.type = type};

    return connection_call(&survey->connection, &request, NULL, diagnostic);
}

/* Where the allocation, or the variable, starts that an operand lies in; 0: in
 * none. */
static enum error operand_start(struct survey *survey, const struct held_launch *held,
                                size_t operand, uint64_t *out_start, struct diagnostic *diagnostic)
{
    struct operand_place place;
    struct message reply;
    enum error error = probe_find_operand(&survey->connection, survey->launch, held,
                                          &survey->launch->operands[operand], &place, diagnostic);

    *out_start = 0;
    if (error == ERROR_NONE && place.bytes > 0) {
        const struct message find = {.type = CONTROL_FIND, .words = {place.address}};
        error = connection_call(&survey->connection, &find, &reply, diagnostic);
        *out_start = error == ERROR_NONE ? reply.words[0] : 0;
    }
    return error;
}

/* True if the counts of a launch have a load from what starts at an address. */
static bool loads_from(const struct message *probed, uint64_t start)
{
    const uint8_t *bytes =
        (const uint8_t *)probed->payload + probed->words[2] * FINDING_RECORD_BYTES;
    struct count_record record;

    for (uint64_t i = 0; i < probed->words[3]; i++) {
        if (count_record_unpack(bytes + i * COUNT_RECORD_BYTES, &record) &&
            record.kind == COUNT_RECORD_ALLOCATION && record.address == start &&
            record.access != FINDING_RECORD_WRITE) {
            return true;
        }
    }
    return false;
}

/* True if the reply to a probe holds what it says. */
static bool has_counts(const struct message *probed)
{
    uint64_t findings = probed->words[2];

    return probed->words[4] != 0 && findings <= probed->payload_bytes / FINDING_RECORD_BYTES &&
           probed->words[3] <=
               (probed->payload_bytes - findings * FINDING_RECORD_BYTES) / COUNT_RECORD_BYTES;
}

/* Takes from the counts which operands a launch loaded from. */
static enum error take_counts(struct survey *survey, struct survey_entry *entry,
                              const struct message *probed, struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = survey->launch;
    struct message kept = *probed; /* the next reply takes the place of its bytes */
    uint8_t *bytes = arena_alloc(survey->connection.arena, probed->payload_bytes + 1);
    uint32_t inputs = 0;
    enum error error = ERROR_NONE;

    if (probed->payload_bytes > 0) {
        memcpy(bytes, probed->payload, probed->payload_bytes);
    }
    kept.payload = bytes;
    for (size_t i = 0; i < launch->operand_count && error == ERROR_NONE; i++) {
        uint64_t start;
        error = operand_start(survey, &entry->held, i, &start, diagnostic);
        if (error == ERROR_NONE && start != 0 && loads_from(&kept, start)) {
            inputs += operand_has_values(&launch->operands[i]) ? 1 : 0;
            entry->reads_outputs =
                entry->reads_outputs || launch->operands[i].role == OPERAND_OUTPUT;
        }
    }
    entry->told.inputs_read = inputs > entry->told.inputs_read ? inputs : entry->told.inputs_read;
    return error;
}

/* A value that programs hardly fill an input with: 1.5, or 1 where it could be
 * an index. */
static uint32_t other_value(enum element_type type)
{
    return type == ELEMENT_F32 ? 0x3fc00000 : type == ELEMENT_F64 ? 0x3ff80000 : 1;
}

/* Makes the launch once more, with other values in one input: does it write
 * something else? */
static enum error change_input(struct survey *survey, const struct held_launch *held,
                               const struct rubric_operand *operand, uint64_t before,
                               bool *out_matters, struct diagnostic *diagnostic)
{
    const struct message probe = {.type = CONTROL_PROBE};
    struct operand_place place;
    struct message reply;
    bool writes = false;
    uint64_t hash = before;
    enum error error = command(survey, CONTROL_RESTORE, diagnostic);

    if (error == ERROR_NONE) {
        error = probe_find_operand(&survey->connection, survey->launch, held, operand, &place,
                                   diagnostic);
    }
    if (error == ERROR_NONE && place.bytes >= sizeof(uint32_t)) {
        const struct message fill = {.type = CONTROL_FILL,
                                     .words = {place.address,
                                               place.bytes - place.bytes % sizeof(uint32_t),
                                               other_value(operand->type)}};
        error = connection_call(&survey->connection, &fill, NULL, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = poison_outputs(survey, held, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_call(&survey->connection, &probe, &reply, diagnostic);
    }
    if (error == ERROR_NONE && survey->config->device.is_gpu && reply.words[0] != LAUNCH_DONE) {
        survey->stopped = true;
        hash = ~before; /* it went wrong with other values only */
    } else if (error == ERROR_NONE) {
        error = look_at_outputs(survey, held, &writes, &hash, diagnostic);
    }
    *out_matters = hash != before;
    return error;
}

/* Finds out which inputs matter, where the device does not count. */
static enum error change_inputs(struct survey *survey, struct survey_entry *entry, uint64_t hash,
                                struct diagnostic *diagnostic)
{
    const struct rubric_launch *launch = survey->launch;
    uint32_t inputs = 0;
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < launch->operand_count && error == ERROR_NONE && !survey->stopped; i++) {
        bool matters = false;
        if (launch->operands[i].role == OPERAND_INPUT) {
            error = change_input(survey, &entry->held, &launch->operands[i], hash, &matters,
                                 diagnostic);
            inputs += matters ? 1 : 0;
        }
    }
    entry->told.inputs_read = inputs > entry->told.inputs_read ? inputs : entry->told.inputs_read;
    return error;
}

/* Sees what a launch that was made has written and read. */
static enum error look_at_launch(struct survey *survey, struct survey_entry *entry,
                                 const struct message *probed, struct diagnostic *diagnostic)
{
    bool is_counted = has_counts(probed);
    bool writes = false;
    uint64_t hash = 0;
    enum error error = is_counted ? take_counts(survey, entry, probed, diagnostic) : ERROR_NONE;

    if (error == ERROR_NONE) {
        error = look_at_outputs(survey, &entry->held, &writes, &hash, diagnostic);
    }
    if (error == ERROR_NONE && writes && !is_counted) {
        error = change_inputs(survey, entry, hash, diagnostic);
    }
    entry->told.writes_outputs = entry->told.writes_outputs || writes;
    return error;
}

/* Runs the held launch and takes everything back that it did. */
static enum error try_launch(struct survey *survey, struct survey_entry *entry,
                             struct diagnostic *diagnostic)
{
    const struct message probe = {.type = CONTROL_PROBE};
    struct message reply;
    enum error error = command(survey, CONTROL_SNAPSHOT, diagnostic);

    if (error == ERROR_NONE) {
        error = poison_outputs(survey, &entry->held, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = connection_call(&survey->connection, &probe, &reply, diagnostic);
    }
    if (error == ERROR_NONE && survey->config->device.is_gpu && reply.words[0] != LAUNCH_DONE) {
        entry->told.writes_outputs = true; /* who knows: it is an attempt */
        entry->told.inputs_read = (uint32_t)operand_input_count(survey->launch);
        survey->stopped = true;
        return ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        error = look_at_launch(survey, entry, &reply, diagnostic);
    }
    if (survey->stopped) {
        return error;
    }
    if (error == ERROR_NONE) {
        error = command(survey, CONTROL_RESTORE, diagnostic);
    }
    return error == ERROR_NONE ? command(survey, CONTROL_DISCARD, diagnostic) : error;
}

/* True if a later launch of a kernel tells more of it than what was kept. Programs try kernels out
 * before they use them, and after: with fewer blocks, or with blocks of other block widths. Of
 * several block widths the largest is taken: the others mostly divide it, so that cases sized for
 * it suit all. */
static bool fits_better(const struct observation *later, const struct observation *kept)
{
    bool is_allowed = later->failure != CODE_WRONG_BLOCK;
    bool was_allowed = kept->failure != CODE_WRONG_BLOCK;

    if (!kept->launched || is_allowed != was_allowed) {
        return !kept->launched || is_allowed;
    }
    if ((later->failure == CODE_NONE) != (kept->failure == CODE_NONE)) {
        return later->failure == CODE_NONE;
    }
    uint64_t threads = case_threads(&later->geometry);
    uint64_t kept_threads = case_threads(&kept->geometry);
    return threads > kept_threads ||
           (threads == kept_threads && later->geometry.block[0] >= kept->geometry.block[0]);
}

/* Binds the launch as a case's would be; what does not fit is evidence. */
static enum error observe(struct survey *survey, const struct held_launch *held,
                          struct survey_entry *entry, struct diagnostic *diagnostic)
{
    struct observation observation = {.case_index = SIZE_MAX};
    struct bound_launch unused;
    int64_t block = case_block_width(survey->config, survey->launch, survey->parameters);

    memcpy(observation.parameters, survey->parameters, sizeof observation.parameters);
    case_learn_block(survey->connection.arena, survey->launch, held, &block, &observation);
    enum error error =
        probe_bind(&survey->connection, survey->launch, held, &observation, &unused, diagnostic);
    if (error == ERROR_NONE && fits_better(&observation, &entry->observation)) {
        entry->observation = observation;
        entry->is_dynamic = kernel_of(survey, held)->static_shared_bytes == 0 &&
                            held->geometry.dynamic_shared_bytes > 0;
        entry->told.has_allowed_block_width = observation.failure != CODE_WRONG_BLOCK;
    }
    return error;
}

/* Asks how often a kernel has been launched, and lets those launches pass that
 * need not be seen. Of a program with input only the launches of its case
 * count: each is held. */
static enum error count_launches(struct survey *survey, struct survey_entry *entry, uint64_t passes,
                                 struct diagnostic *diagnostic)
{
    struct kernel_launches launches;
    bool has_input = survey->launch->input_count > 0;
    enum error error = connection_let_pass(&survey->connection, &entry->held,
                                           has_input ? 0 : passes, &launches, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (has_input) {
        launches.count = (uint64_t)entry->told.launch_count + 1;
    }
    entry->last = launches.last;
    entry->told.launch_count = launches.count < UINT32_MAX ? (uint32_t)launches.count : UINT32_MAX;
    entry->observation.launch_count = entry->told.launch_count;
    return ERROR_NONE;
}

/* The launches until the next one that is looked at. */
static uint64_t launches_to_pass(const struct survey_entry *entry)
{
    return entry->look_at == 0 ? UINT64_MAX : entry->look_at - entry->told.launch_count - 1;
}

static enum error note_launch(struct survey *survey, const struct held_launch *held,
                              struct diagnostic *diagnostic)
{
    const struct code_kernel *kernel = kernel_of(survey, held);
    struct survey_entry *entry = entry_of(survey, held);
    bool is_new = !entry->observation.launched ||
                  memcmp(&entry->held.geometry, &held->geometry, sizeof held->geometry) != 0;
    enum error error = ERROR_NONE;

    entry->held = *held;
    entry->told.uses_shared = entry->told.uses_shared || kernel->static_shared_bytes > 0 ||
                              held->geometry.dynamic_shared_bytes > 0;
    if (is_new) {
        error = observe(survey, held, entry, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = count_launches(survey, entry, 0, diagnostic);
    }
    if (error == ERROR_NONE && entry->look_at != 0 && entry->told.launch_count >= entry->look_at) {
        error = try_launch(survey, entry, diagnostic);
        bool is_known = entry->told.writes_outputs &&
                        entry->told.inputs_read == operand_input_count(survey->launch);
        entry->look_at = is_known ? 0 : (uint64_t)entry->told.launch_count * 2;
    }
    return error == ERROR_NONE && survey->launch->input_count == 0 && !survey->stopped
               ? count_launches(survey, entry, launches_to_pass(entry), diagnostic)
               : error;
}

/* Lets the program work on the first shape. A device that is lost on the way
 * was lost by a launch of the program's. */
static enum error watch_launches(struct survey *survey, struct diagnostic *diagnostic)
{
    struct case_walk walk = case_start(&survey->connection, survey->launch);
    enum case_step step = CASE_LAUNCH;
    enum error error = ERROR_NONE;

    case_send(&survey->connection, survey->launch, survey->parameters);
    while (error == ERROR_NONE && step == CASE_LAUNCH && !survey->stopped) {
        struct held_launch held;
        error = case_next(&walk, &held, &step, diagnostic);
        if (error == ERROR_NONE && step == CASE_LAUNCH) {
            error = note_launch(survey, &held, diagnostic);
        }
        if (survey->connection.link.loss != DEVICE_SERVES) {
            survey->stopped = true;
            error = ERROR_NONE;
        }
    }
    survey->gone = step == CASE_GONE;
    return error;
}

/* How sure it is that a kernel is the one that is meant: the larger the surer;
 * 0: it is not. What works on the outputs alone comes behind the attempt, or
 * before it. */
static int rank(const struct survey_entry *entry)
{
    const struct surveyed_kernel *kernel = &entry->told;
    bool works_on_outputs =
        kernel->inputs_read == 0 && (kernel->writes_outputs || entry->reads_outputs);

    if (!entry->matches || (kernel->is_given && !kernel->uses_shared)) {
        return 0;
    }
    return 1 + (kernel->writes_outputs ? 1 : 0) +
           (kernel->uses_shared && !works_on_outputs ? 2 : 0);
}

static bool is_about_dynamic(const struct survey *survey)
{
    const struct rubric *rubric = survey->config->rubric;

    return rubric_wants_dynamic(rubric, (size_t)(survey->launch - rubric->launches));
}

/* True if `entry`, which is launched later, is meant rather than `other`. */
static bool is_surer(const struct survey *survey, const struct survey_entry *entry,
                     const struct survey_entry *other)
{
    if (rank(entry) != rank(other)) {
        return rank(entry) > rank(other);
    }
    if (entry->told.inputs_read != other->told.inputs_read) {
        return entry->told.inputs_read > other->told.inputs_read;
    }
    if (entry->is_dynamic != other->is_dynamic && is_about_dynamic(survey)) {
        return entry->is_dynamic;
    }
    return entry->told.has_allowed_block_width || !other->told.has_allowed_block_width;
}

static int compare_entries(const struct survey_entry *left, const struct survey_entry *right)
{
    return left->last < right->last ? -1 : left->last > right->last ? 1 : 0;
}

/* Puts the kernels into the order of their last launches; there are a few. */
static void sort_entries(struct survey *survey)
{
    for (size_t i = 1; i < survey->count; i++) {
        struct survey_entry entry = survey->entries[i];
        size_t at = i;
        while (at > 0 && compare_entries(&entry, &survey->entries[at - 1]) < 0) {
            survey->entries[at] = survey->entries[at - 1];
            at--;
        }
        survey->entries[at] = entry;
    }
}

/* Operands that a given kernel lacks, whose launch may have ended the program before another one
 * was reached; NULL: there is nothing of that kind. */
static const struct survey_entry *given_without_operands(const struct survey *survey,
                                                         const struct program_activity *activity)
{
    bool went_wrong = false;

    for (size_t i = 0; i < activity->finding_count; i++) {
        went_wrong = went_wrong || activity->findings[i].severity == SEVERITY_ERROR;
    }
    for (size_t i = 0; i < survey->count && went_wrong; i++) {
        const struct survey_entry *entry = &survey->entries[i];
        if (entry->told.is_given && entry->observation.failure == CODE_BAD_OPERAND) {
            return entry;
        }
    }
    return NULL;
}

/* What is told of the kernel that is meant; without one it is never launched. */
static void report_chosen(const struct survey *survey, const struct survey_entry *chosen,
                          struct observation *observation, struct launch_run *out_run,
                          int64_t *out_block)
{
    *observation = (struct observation){.case_index = SIZE_MAX};
    memcpy(observation->parameters, survey->parameters, sizeof observation->parameters);
    *out_block = 0;
    if (chosen != NULL) {
        *observation = chosen->observation;
        *out_block = observation->failure == CODE_WRONG_BLOCK ? 0 : observation->block;
        out_run->kernel = chosen->told.plain_name;
        return;
    }
    const struct survey_entry *given = given_without_operands(survey, &out_run->activity);
    if (given != NULL) {
        observation->failure = given->observation.failure;
        observation->failure_message = given->observation.failure_message;
        observation->failure_symbol = given->observation.failure_symbol;
    }
}

static void tell(struct survey *survey, struct launch_run *out_run, int64_t *out_block)
{
    struct arena *arena = survey->connection.arena;
    struct surveyed_kernel *kernels = arena_array(arena, survey->count, sizeof *kernels);
    struct observation *observation = arena_alloc(arena, sizeof *observation);
    const struct survey_entry *chosen = NULL;

    sort_entries(survey);
    for (size_t i = 0; i < survey->count; i++) {
        const struct survey_entry *entry = &survey->entries[i];
        kernels[i] = entry->told;
        kernels[i].is_dynamic = entry->is_dynamic && is_about_dynamic(survey);
        if (rank(entry) > 0 && (chosen == NULL || is_surer(survey, entry, chosen))) {
            chosen = entry;
        }
    }
    report_chosen(survey, chosen, observation, out_run, out_block);
    out_run->surveyed = kernels;
    out_run->surveyed_count = survey->count;
    out_run->observations = observation;
    out_run->observation_count = 1;
}

/* Ends the program, and tells what it did. */
static enum error end_program(struct survey *survey, struct launch_run *out_run,
                              struct diagnostic *diagnostic)
{
    struct connection_event event = {0};
    enum error error = ERROR_NONE;

    connection_close_input(&survey->connection);
    if (survey->stopped) {
        connection_stop(&survey->connection);
        survey->gone = true;
    }
    while (error == ERROR_NONE && !survey->gone) {
        error = connection_resume(&survey->connection, &event, diagnostic);
        survey->gone = event.kind == CONTROL_EVENT_GONE || event.kind == CONTROL_EVENT_BROKEN;
    }
    for (size_t i = 0; i < survey->count && error == ERROR_NONE; i++) {
        if (survey->launch->input_count == 0 && survey->connection.link.loss == DEVICE_SERVES) {
            error = count_launches(survey, &survey->entries[i], 0, diagnostic);
        }
    }
    return error == ERROR_NONE ? connection_finish(&survey->connection, survey->launch->id,
                                                   &out_run->activity, diagnostic)
                               : error;
}

enum error session_select_kernel(const struct session_config *config, struct arena *arena,
                                 size_t launch, const int64_t *first, struct launch_run *out_run,
                                 int64_t *out_block, struct diagnostic *diagnostic)
{
    struct survey survey = {
        .config = config,
        .launch = &config->rubric->launches[launch],
        .parameters = first,
    };
    struct launch_run run = {.kernel = NULL};
    enum error error =
        connection_open(config, arena, survey.launch->kernel, survey.launch->arguments,
                        survey.launch->argument_count, &survey.connection, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < survey.launch->given_kernel_count && error == ERROR_NONE; i++) {
        error = connection_observe(&survey.connection, survey.launch->given_kernels[i], diagnostic);
    }
    if (error == ERROR_NONE) {
        error = watch_launches(&survey, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = end_program(&survey, &run, diagnostic);
    }
    if (error == ERROR_NONE) {
        tell(&survey, &run, out_block);
        *out_run = run;
    }
    connection_close(&survey.connection);
    return error;
}
