/* origin_line.c: see origin_line.h. */
#include "diagnosis/dataflow/origin_line.h"

#include "criteria/case_text.h"
#include "criteria/plain_case.h"
#include "criteria/program_source.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/dataflow/suspect_line.h"
#include "diagnosis/dataflow/value_faults.h"
#include "diagnosis/dataflow/value_mark.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/patterns/element_maps.h"
#include "diagnosis/patterns/result_explanation.h"
#include "model/oracle_watch.h"
#include "source/enclosing_loop.h"
#include "source/source_declaration.h"
#include "source/source_index.h"

#include <inttypes.h>
#include <string.h>

enum { RIGHT_MAX = FOLLOWED_MAX / 4, NEEDS_MAX = 1 << 22, LATE_SHARE = 8 };

/* What is to be followed *******************************************************************/

/* True if a sample's call can be made again and then shows the same. */
static bool is_repeatable(const struct sample *sample)
{
    return sample->status == SAMPLE_DONE && sample->kind != PROBE_REORDERED &&
           sample->kind != PROBE_AGAIN;
}

/* Chooses elements in one state, spread over all that are, *out_total; returns how many it has
 * chosen. */
static size_t choose(const uint8_t *states, size_t count, bool is_wrong, size_t most,
                     struct followed_call *request, size_t *out_total)
{
    size_t total = 0;
    size_t seen = 0;

    for (size_t i = 0; i < count; i++) {
        total += (states[i] != ELEMENT_RIGHT) == is_wrong ? 1 : 0;
    }
    size_t taken = total < most ? total : most;
    for (size_t i = 0, next = 0; i < count && next < taken; i++) {
        if ((states[i] != ELEMENT_RIGHT) != is_wrong) {
            continue;
        }
        if (seen++ == next * total / taken) {
            request->elements[request->count++] = i;
            next++;
        }
    }
    *out_total = total;
    return taken;
}

/* Fills the request from the first sample of a case that is wrong and repeats, with the result
 * `first` if that is wrong. */
static bool take_case(const struct criteria_input *input, struct arena *arena,
                      const struct observation *observation, size_t first,
                      struct followed_call *request)
{
    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        if (!is_repeatable(sample)) {
            continue;
        }
        const struct element_map *map = element_map_of_sample(
            input, arena, request->launch, request->operand, observation, sample);
        const size_t count = map->rows * map->columns;
        request->count = 0;
        size_t total = 0;
        request->wrong_count =
            choose(map->states, count, true, FOLLOWED_MAX - RIGHT_MAX, request, &total);
        request->is_mostly_wrong = total > count / 4 * 3;
        if (request->wrong_count > 0) {
            if (first < count && map->states[first] != ELEMENT_RIGHT) {
                request->elements[0] = first;
            }
            choose(map->states, count, false, RIGHT_MAX, request, &total);
            request->case_index = observation->case_index;
            request->repetition = observation->repetition;
            memcpy(request->parameters, observation->parameters, sizeof request->parameters);
            request->block = observation->block;
            request->probe = sample->kind;
            value_faults_ask(input, arena, observation, sample, request);
            return true;
        }
    }
    return false;
}

/* The launch's trace, if that shows a line; NULL otherwise. */
static const struct launch_trace *trace_with_line(const struct criteria_input *input,
                                                  struct arena *arena, size_t launch,
                                                  struct suspect_line *out_place)
{
    const struct launch_trace *trace =
        input->evidence->traces == NULL ? NULL : input->evidence->traces[launch];

    return trace != NULL && find_suspect_line(input, arena, trace, out_place) ? trace : NULL;
}

/* True if a case may be followed: if a trace is to be confirmed, the traced one alone. */
static bool may_follow(const struct criteria_input *input, const struct observation *observation,
                       const struct launch_trace *trace)
{
    return !observation_is_hidden(input, observation) && observation->case_index != SIZE_MAX &&
           (trace == NULL || (observation->block == trace->request.block &&
                              memcmp(observation->parameters, trace->request.parameters,
                                     sizeof observation->parameters) == 0));
}

/* True if one case shows more of how a result comes to be than another one: in the smallest ones
 * loops and launches are left out. */
static bool is_telling(const struct criteria_input *input, const struct observation *one,
                       const struct observation *other, size_t operand)
{
    const bool is_large = one->element_counts[operand] >= FOLLOWED_MAX;

    if (is_large != (other->element_counts[operand] >= FOLLOWED_MAX)) {
        return is_large;
    }
    return case_is_plainer(input->rubric, one, other);
}

/* True if a result is wrong in a call by itself, so that the call made once more shows why. */
static bool is_of_one_call(enum code code)
{
    return code_cause(code) == CAUSE_WRONG_RESULT && code != CODE_INPUT_CHANGED &&
           code != CODE_STATE_KEPT && code != CODE_BLOCK_ORDER;
}

bool diagnosis_wants_origins(const struct criteria_input *input, struct arena *arena,
                             const struct verdict *verdict, struct followed_call *out_request)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    const struct cause *cause = &verdict->cause;
    struct followed_call request = {.launch = criterion->launch};
    const struct observation *best = NULL;
    struct suspect_line place = {.about = {.kind = PARTS_NOT_MEANT, .result = SIZE_MAX}};

    if (criterion->kind != CRITERION_CORRECT || !input->is_emulated || input->oracle == NULL ||
        verdict->status != STATUS_FAILED || cause->subject.kind != SUBJECT_RESULT ||
        input->rubric->launches[criterion->launch].call == NULL ||
        input->rubric->launches[criterion->launch]
            .operands[cause->subject.result->output]
            .is_in_host_memory ||
        !is_of_one_call(cause->code) || result_reason(cause) != NULL) {
        return false;
    }
    const struct launch_trace *trace = trace_with_line(input, arena, criterion->launch, &place);
    if (trace != NULL && place.about.kind == PARTS_NOT_MEANT) {
        return false;
    }
    const struct launch_run *run = &input->evidence->launch_runs[criterion->launch];
    request.operand = cause->subject.result->output;
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (may_follow(input, observation, trace) &&
            (best == NULL || is_telling(input, observation, best, request.operand)) &&
            take_case(input, arena, observation, place.about.result, &request)) {
            best = observation;
            *out_request = request;
        }
    }
    return best != NULL;
}

/* What was found ***************************************************************************/

struct candidate {
    struct trace_line line;
    size_t element; /* the first */
    size_t votes;
    uint64_t launch; /* the latest in which it stored one of them last */
};

static bool is_same_line(const struct trace_line *left, const struct trace_line *right)
{
    return left->line == right->line && strcmp(left->file, right->file) == 0;
}

/* True if stores have only moved the value that the line `made` stored. */
static bool is_moved(const struct value_origin *origin)
{
    return origin->made.line > 0 && !is_same_line(&origin->made, &origin->last);
}

/* The latest of the candidates, which has seen what others stored before it; of those of one launch
 * the one with most votes. Few votes count for nothing. NULL if there are none. */
static const struct candidate *best_of(const struct candidate *candidates, size_t count)
{
    const struct candidate *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < count; i++) {
        most = candidates[i].votes > most ? candidates[i].votes : most;
    }
    for (size_t i = 0; i < count; i++) {
        const struct candidate *each = &candidates[i];
        if (each->votes * LATE_SHARE >= most &&
            (best == NULL || each->launch > best->launch ||
             (each->launch == best->launch && each->votes > best->votes))) {
            best = each;
        }
    }
    return best;
}

/* Elements [first, end) vote for the line that made their value and was not the last to store it,
 * or for the last one. False if nobody votes. */
static bool elect(const struct followed_call *followed, size_t first, size_t end, bool by_maker,
                  struct candidate *out_winner)
{
    struct candidate candidates[FOLLOWED_MAX];
    size_t count = 0;

    for (size_t i = first; i < end; i++) {
        const struct value_origin *origin = &followed->origins[i];
        const struct trace_line *line = by_maker ? &origin->made : &origin->last;
        const uint64_t launch = by_maker ? 0 : origin->launch;
        size_t at = 0;
        if (line->line <= 0 || (by_maker && !is_moved(origin))) {
            continue;
        }
        while (at < count && !is_same_line(&candidates[at].line, line)) {
            at++;
        }
        if (at == count) {
            candidates[count++] = (struct candidate){*line, followed->elements[i], 0, 0};
        }
        candidates[at].votes++;
        candidates[at].launch = launch > candidates[at].launch ? launch : candidates[at].launch;
    }
    const struct candidate *best = best_of(candidates, count);
    if (best != NULL) {
        *out_winner = *best;
    }
    return best != NULL;
}

/* The line that put values among those that kernels only move from the inputs, or within an array
 * in place: the padding of a sort, for one. */
static bool find_intruder(const struct criteria_input *input, const struct followed_call *followed,
                          struct candidate *out_winner)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    bool is_any_given = operand_has_values(&launch->operands[followed->operand]);

    for (size_t i = 0; i < followed->count; i++) {
        const struct value_origin *origin = &followed->origins[i];
        is_any_given |= origin->last.line > 0 && origin->made.line <= 0;
        if (i < followed->wrong_count && origin->made.line > 0 && !is_moved(origin)) {
            return false;
        }
    }
    return is_any_given && elect(followed, 0, followed->wrong_count, true, out_winner);
}

/* "d_keys[3]", with the case if the cause is about another one. */
static const char *name_of_element(const struct criteria_input *input, struct arena *arena,
                                   const struct followed_call *followed, size_t operand,
                                   size_t element, const struct cause *cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    const struct observation *observation = followed_observation(input, followed);
    const struct observation *told =
        cause->subject.kind == SUBJECT_RESULT ? cause->subject.result->exact.observation : NULL;
    const char *name = element_text(input, arena, &launch->operands[operand], observation, element);

    return told == NULL || told == observation
               ? name
               : arena_printf(arena, "%s for %s", name,
                              shape_text(input, arena, launch, observation));
}

/* The name of an element of the call that is followed. */
static const char *plain_name(const struct criteria_input *input, struct arena *arena,
                              const struct followed_call *followed,
                              const struct operand_element *of)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];

    return element_text(input, arena, &launch->operands[of->operand],
                        followed_observation(input, followed), of->element);
}

/* True if the oracle says that the first wrong element of the output needs an element of an input;
 * `number` is the input's among the inputs. */
static bool is_needed(const struct criteria_input *input, const struct followed_call *followed,
                      size_t number, size_t element)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    const struct observation *observation = followed_observation(input, followed);
    struct arena *scratch = arena_new();
    struct problem problem;
    bool is_needed = false;

    for (size_t i = 0; i < observation->sample_count && !is_needed; i++) {
        const struct sample *sample = &observation->samples[i];
        if (sample->kind != (enum probe_kind)followed->probe || sample->status != SAMPLE_DONE) {
            continue;
        }
        problem_init(input->rubric, launch, observation, sample, followed->operand, &problem);
        size_t count =
            oracle_needs(input->oracle, &problem.posed.oracle, followed->elements[0], NULL, 0);
        count = count < NEEDS_MAX ? count : NEEDS_MAX;
        struct oracle_need *needs = arena_array(scratch, count + 1, sizeof *needs);
        oracle_needs(input->oracle, &problem.posed.oracle, followed->elements[0], needs, count);
        for (size_t k = 0; k < count && !is_needed; k++) {
            is_needed = needs[k].input == number && needs[k].element == element;
        }
    }
    arena_free(scratch);
    return is_needed;
}

/* An element of an input that the first wrong element needs, and that no kernel loads. */
static bool find_missing(const struct criteria_input *input, const struct followed_call *followed,
                         size_t *out_operand)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    size_t results = 0;
    size_t number = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        results += operand_is_result(&launch->operands[i]) ? 1 : 0;
    }
    if (results != 1 || input->oracle->needs == NULL || followed->wrong_count == 0) {
        return false;
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct operand_loads *loads = &followed->loads[i];
        if (!operand_has_values(&launch->operands[i])) {
            continue;
        }
        if (loads->is_partial && loads->loads.line > 0 &&
            is_needed(input, followed, number, loads->missing)) {
            *out_operand = i;
            return true;
        }
        number++;
    }
    return false;
}

/* True if a token is an element of a parameter that is called like the operand, or like it without
 * "d_". */
static bool is_element_of(const struct source_tokens *tokens,
                          const struct source_function *function, size_t at, const char *operand)
{
    const char *plain = strncmp(operand, "d_", 2) == 0 ? operand + 2 : operand;
    bool is_parameter = false;

    if (!token_is(tokens, at + 1, TOKEN_SIGN, "[") ||
        !(token_is(tokens, at, TOKEN_NAME, operand) || token_is(tokens, at, TOKEN_NAME, plain))) {
        return false;
    }
    for (size_t i = function->name + 1; i < function->open; i++) {
        is_parameter = is_parameter || token_same_name(tokens, i, at);
    }
    return is_parameter;
}

/* The file of a line; NULL: it is not known. */
static const struct program_file *file_of_line(const struct criteria_input *input,
                                               struct arena *arena, const struct trace_line *line)
{
    struct source_index *index = program_source_index(input, arena);
    const struct source_file *source =
        index == NULL ? NULL : source_index_find(index, line->file, strlen(line->file));

    return source == NULL ? NULL : source_index_file(index, source);
}

/* Compilers load what a loop does not change before the loop, and give that load an earlier line,
 * which names no element: the first one after it in which the kernel names one of the operand. */
static void move_to_element(const struct criteria_input *input, struct arena *arena,
                            const struct rubric_operand *operand, struct trace_line *line)
{
    const struct program_file *file = file_of_line(input, arena, line);
    const struct source_function *function =
        file == NULL || !file->functions.is_certain
            ? NULL
            : source_function_of_line(&file->tokens, &file->functions, line->line);

    for (size_t i = function == NULL ? 0 : source_line_start(&file->tokens, line->line);
         function != NULL && i < function->close; i++) {
        const struct source_token *token = &file->tokens.tokens[i];
        if (token->line == line->line && token_is(&file->tokens, i, TOKEN_SIGN, "[")) {
            return; /* it reads something itself */
        }
        if (is_element_of(&file->tokens, function, i, operand->name)) {
            line->column = token->line == line->line ? line->column : token->column;
            line->line = token->line;
            return;
        }
    }
}

static void set_place(struct cause *cause, const struct trace_line *line, const char *label)
{
    cause->file = line->file;
    cause->line = line->line;
    cause->column = line->column;
    cause->label = label;
}

static const char *times_text(struct arena *arena, uint32_t times)
{
    return times == 2 ? "twice" : arena_printf(arena, "%" PRIu32 " times", times);
}

/* What a `for` around a line lets its counter go on by, if threads start it at different values. */
static void mark_round(const struct criteria_input *input, struct arena *arena,
                       const struct trace_line *line, struct cause *cause)
{
    const struct program_file *file = file_of_line(input, arena, line);
    struct source_loop loop;

    if (file == NULL || !file->functions.is_certain ||
        !find_loop_at(&file->tokens, line->line, &loop)) {
        return;
    }
    const struct source_tokens *tokens = &file->tokens;
    const size_t counter = loop_counter(tokens, &loop);
    const size_t step = loop.close - 3; /* k++ and the bracket */
    if (counter == tokens->count || step <= counter || !token_same_name(tokens, counter, step) ||
        !token_is(tokens, step + 1, TOKEN_SIGN, "++") ||
        !depends_on_thread(tokens, source_expression(tokens, counter + 2))) {
        return;
    }
    struct cause_mark *mark = arena_array(arena, 1, sizeof *mark);
    const struct source_token *at = &tokens->tokens[step];
    *mark = (struct cause_mark){file->tokens.file->name, at->line, at->column,
                                "threads start at different values, but go on by 1"};
    cause->also = mark;
    cause->also_count = 1;
}

/* Keeps which element is lacking, for the marks beside the line. */
static void keep_element(const struct criteria_input *input, struct arena *arena,
                         const struct followed_call *followed,
                         const struct operand_element *missing, const struct trace_line *load,
                         struct cause *cause)
{
    const struct observation *observation = followed_observation(input, followed);
    const struct rubric_operand *operand =
        &input->rubric->launches[followed->launch].operands[missing->operand];
    const struct sample *sample = observation->samples;
    struct element_fault *lacks = &cause->lacks;

    *lacks = (struct element_fault){
        .kind = ELEMENT_NOT_LOADED,
        .operand = operand->name,
        .name = plain_name(input, arena, followed, missing),
        .element = missing->element,
        .columns = operand->rank == 2 ? operand_extent(input, operand->shape[1], observation) : 0,
        .file = load->file,
        .line = load->line,
    };
    if (operand->rank > 2 || operand_lanes(operand) > 1 ||
        (operand->rank == 2 && lacks->columns == 0)) {
        lacks->kind = ELEMENT_NONE;
    }
    if (observation->sample_count > 0 && sample->kernel_count == 1 &&
        sample->kernels[0].launches == 1) {
        lacks->kernel = sample->kernels[0].kernel;
        memcpy(lacks->grid, observation->geometry.grid, sizeof lacks->grid);
        memcpy(lacks->block, observation->geometry.block, sizeof lacks->block);
    }
}

/* Says which element of an input is at fault; false if that is not known, or has no line. */
static bool place_fault(const struct criteria_input *input, struct arena *arena,
                        const struct followed_call *followed, const struct value_fault *fault,
                        struct cause *cause)
{
    const struct operand_element *part = &fault->part;
    const char *label = NULL;

    if (fault->line.line <= 0 || fault->kind == FAULT_NONE || fault->kind == FAULT_COMPUTED) {
        return false;
    }
    const char *result =
        name_of_element(input, arena, followed, followed->operand, fault->element, cause);
    const char *name = plain_name(input, arena, followed, part);
    switch (fault->kind) {
    case FAULT_OTHER:
        label =
            fault->lacks
                ? arena_printf(arena, "brings %s into %s, which lacks %s", name, result,
                               plain_name(input, arena, followed, &fault->missing))
                : arena_printf(arena, "brings %s into %s, which does not need it", name, result);
        result_set_hint(cause,
                        "check the indices at the mark, and the bounds of the loops around it");
        if (fault->lacks && fault->missing.operand == part->operand) {
            keep_element(input, arena, followed, &fault->missing, &fault->load, cause);
            cause->lacks.other = part->element;
            cause->lacks.kind = cause->lacks.kind == ELEMENT_NONE ? ELEMENT_NONE : ELEMENT_REPLACED;
        }
        break;
    case FAULT_LOST:
        label = fault->is_only_loaded
                    ? arena_printf(arena, "loads %s, which never gets into %s", name, result)
                    : arena_printf(arena, "%s gets as far as here, and not into %s", name, result);
        result_set_hint(cause, "check what should read it after that: the index, and the bounds of "
                               "the loops around it");
        break;
    default:
        label = arena_printf(arena, "brings %s into %s %s", name, result,
                             fault->kind == FAULT_ADDED ? times_text(arena, fault->times)
                             : fault->times == 2 * fault->usual_times
                                 ? "twice"
                                 : "more often than other elements");
        if (fault->most_times > fault->times) {
            label = arena_printf(arena, "%s, %s %s", label,
                                 plain_name(input, arena, followed, &fault->most),
                                 times_text(arena, fault->most_times));
        }
        mark_round(input, arena, &fault->line, cause);
        result_set_hint(cause, "check that the ranges that threads, blocks and loops go through do "
                               "not overlap");
        break;
    }
    set_place(cause, &fault->line, label);
    return true;
}

/* Marks a launch in a loop whose stores are always lost: what should use them uses something else.
 * A mistake with a name is known better. */
static bool place_lost(const struct criteria_input *input, struct arena *arena,
                       const struct followed_call *followed, struct cause *cause)
{
    const struct rubric_launch *launch = &input->rubric->launches[followed->launch];
    struct source_index *index = program_source_index(input, arena);
    size_t results = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        results += operand_is_result(&launch->operands[i]) ? 1 : 0;
    }
    if (results != 1 || followed->lost == NULL || index == NULL || cause->code != CODE_MISMATCH) {
        return false;
    }
    const struct host_place *place = &followed->lost->inner;
    const struct source_file *source = source_index_find(index, place->file, strlen(place->file));
    const struct line_span line = {place->line, place->line};
    int loop = 0, unused;
    if (source == NULL || place->line == 0 ||
        !find_enclosing_loop(&source_index_file(index, source)->tokens, line, &loop, &unused)) {
        return false;
    }
    const struct source_tokens *tokens = &source_index_file(index, source)->tokens;
    const size_t at = source_line_start(tokens, place->line);
    set_place(cause,
              &(struct trace_line){place->file, place->line,
                                   at < tokens->count ? tokens->tokens[at].column : 0},
              "nothing reads what is stored by launches here");
    cause->hint = arena_printf(arena,
                               "check which array each launch reads and which one it writes, and "
                               "whether they are exchanged at the end of the loop in line %d",
                               loop);
    return true;
}

void locate_origin(const struct criteria_input *input, struct arena *arena, size_t launch,
                   struct cause *cause)
{
    const struct followed_call *followed =
        input->evidence->followed == NULL ? NULL : input->evidence->followed[launch];
    static const char stores[] = "stores the value of ";
    const char *before = stores;
    struct candidate winner;
    size_t operand = 0;

    if (followed == NULL || !followed->is_known || cause->because != CODE_NONE || cause->line > 0 ||
        !is_of_one_call(cause->code)) {
        return;
    }
    const struct value_fault fault = value_faults_find(input, followed);
    if (fault.kind == FAULT_OTHER && place_fault(input, arena, followed, &fault, cause)) {
        return;
    }
    if (find_missing(input, followed, &operand)) {
        const struct operand_loads *loads = &followed->loads[operand];
        struct trace_line line = loads->loads;
        result_set_hint(cause, "check the index at the mark, and whether all threads together go "
                               "through the whole array");
        move_to_element(input, arena, &input->rubric->launches[followed->launch].operands[operand],
                        &line);
        keep_element(input, arena, followed,
                     &(struct operand_element){(uint32_t)operand, loads->missing}, &line, cause);
        set_place(
            cause, &line,
            arena_printf(arena, "never loads %s",
                         name_of_element(input, arena, followed, operand, loads->missing, cause)));
        return;
    }
    if (place_lost(input, arena, followed, cause) ||
        place_fault(input, arena, followed, &fault, cause)) {
        return;
    }
    if (find_intruder(input, followed, &winner)) {
        before = "makes the value that ends up in ";
        result_set_hint(cause,
                        "the other values are only moved: check whether this one should be in "
                        "the result, and which elements are moved or copied there");
    } else if (!elect(followed, 0, followed->wrong_count, false, &winner)) {
        if (!elect(followed, followed->wrong_count, followed->count, false, &winner)) {
            return;
        }
        winner.element = followed->elements[0];
        before = "stores other elements, but not ";
    }
    const bool is_told =
        before == stores && (fault.kind == FAULT_COMPUTED || fault.kind == FAULT_LOST);
    const char *name = name_of_element(input, arena, followed, followed->operand,
                                       is_told ? fault.element : winner.element, cause);
    const char *after = "";
    if (is_told && fault.kind == FAULT_COMPUTED) {
        after = ", made of the elements that it needs and no others";
        result_set_hint(cause, "what it reads of the inputs is right: check what is computed from "
                               "that, such as signs, factors and constants");
    } else if (is_told) {
        after = arena_printf(arena, ", without %s, which no kernel reads",
                             plain_name(input, arena, followed, &fault.part));
        result_set_hint(cause,
                        "check the indices that are read, and the bounds of the loops around "
                        "them");
    }
    set_place(cause, &winner.line, arena_printf(arena, "%s%s%s", before, name, after));
    cause->is_last_store = before == stores && !is_told;
    if (before == stores && (!is_told || fault.kind == FAULT_COMPUTED)) {
        mark_stored_value(input, arena, name, is_told, cause);
    }
}
