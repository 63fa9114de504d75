/* suspect_line.c: see suspect_line.h.
 *
 * The order of the questions: do the threads store each other's results; what do the threads with
 * wrong results claim; if none is wrong, which threads or elements were left out.
 */
#include "diagnosis/dataflow/suspect_line.h"

#include "criteria/program_source.h"
#include "diagnosis/dataflow/moved_results.h"
#include "diagnosis/dataflow/result_check.h"
#include "diagnosis/location/access_column.h"
#include "diagnosis/location/locate_left_out.h"
#include "diagnosis/location/locate_text.h"
#include "source/enclosing_loop.h"

#include <string.h>

/* The vote for one kind at one line. */
struct tally {
    struct claim claim; /* the first one, or that of the watched element */
    size_t votes;
};

struct ballot {
    struct tally *tallies; /* [tally_count] */
    size_t tally_count, tally_capacity;
    size_t voters;
};

static bool same_line(const struct fault_search *search, uint32_t left, uint32_t right)
{
    const struct trace_line *of_left = fault_line(search, left);
    const struct trace_line *of_right = fault_line(search, right);

    return of_left->line == of_right->line && strcmp(of_left->file, of_right->file) == 0;
}

static void tally_claim(const struct fault_search *search, struct ballot *ballot,
                        const struct claim *claim)
{
    size_t i = 0;

    ballot->voters++;
    if (claim->kind == CLAIM_NONE ||
        (claim->kind != CLAIM_KEPT && fault_line(search, claim->access)->line <= 0)) {
        return;
    }
    while (i < ballot->tally_count &&
           (ballot->tallies[i].claim.kind != claim->kind ||
            !same_line(search, ballot->tallies[i].claim.access, claim->access))) {
        i++;
    }
    if (i == ballot->tally_count) {
        arena_grow(search->arena, &ballot->tallies, &ballot->tally_capacity, i + 1,
                   sizeof *ballot->tallies);
        ballot->tallies[ballot->tally_count++] = (struct tally){*claim, 0};
    }
    ballot->tallies[i].votes++;
    if (search->flow.results[claim->result].element == search->trace->request.element) {
        ballot->tallies[i].claim = *claim;
    }
}

static void vote(struct fault_search *search, struct ballot *ballot)
{
    struct thread_facts facts = {0};
    size_t count;

    for (size_t first = 0; first < search->flow.result_count; first += count) {
        uint32_t wrong = FLOW_NONE;
        count = fault_thread_results(search, first);
        for (size_t i = first; i < first + count && wrong == FLOW_NONE; i++) {
            wrong = search->is_wrong[i] ? (uint32_t)i : FLOW_NONE;
        }
        if (wrong != FLOW_NONE) {
            thread_facts_fill(&search->block, first, count, &facts);
            struct claim claim = claim_of_thread(&search->block, &facts, wrong);
            tally_claim(search, ballot, &claim);
        }
    }
}

/* The claim of most voters, the earlier in the flow where there are as many; false if fewer than
 * half of the voters make it. */
static bool count_votes(const struct ballot *ballot, struct claim *out_claim)
{
    const struct tally *best = NULL;

    for (size_t i = 0; i < ballot->tally_count; i++) {
        const struct tally *tally = &ballot->tallies[i];
        if (best == NULL || tally->votes > best->votes ||
            (tally->votes == best->votes && (tally->claim.kind < best->claim.kind ||
                                             (tally->claim.kind == best->claim.kind &&
                                              tally->claim.access < best->claim.access)))) {
            best = tally;
        }
    }
    if (best == NULL || best->votes * 2 < ballot->voters) {
        return false;
    }
    *out_claim = best->claim;
    return true;
}

/* The place *************************************************************************************/

/* The tokens of a file of the submission; NULL if it has none of that name. */
static const struct program_file *file_named(const struct fault_search *search, const char *name)
{
    struct source_index *index = program_source_index(search->input, search->arena);
    const struct source_file *source = source_index_find(index, name, strlen(name));

    return source == NULL ? NULL : source_index_file(index, source);
}

/* The lines of one file that a thread's loads and uses stand in: what a loop must hold. */
static struct line_span span_of_loop(struct fault_search *search, const struct claim *claim,
                                     const char *file)
{
    int line = fault_line(search, claim->access)->line;
    struct line_span span = {line, line};
    struct thread_facts facts;

    fault_thread_facts(search, claim->result, &facts);
    for (size_t i = 0; i < search->flow.input_count; i++) {
        const struct input_facts *of = &facts.inputs[i];
        uint32_t reads[2] = {of->use_count > 0 ? of->uses[of->use_count - 1] : FLOW_NONE,
                             claim->count > 0 ? search->block.main_load[i] : FLOW_NONE};
        for (size_t j = 0; j < 2; j++) {
            if (reads[j] != FLOW_NONE && strcmp(fault_line(search, reads[j])->file, file) == 0) {
                int of_read = fault_line(search, reads[j])->line;
                span.first = of_read < span.first ? of_read : span.first;
                span.last = of_read > span.last ? of_read : span.last;
            }
        }
    }
    return span;
}

/* True if the access is to the array that it should be to, only at the wrong index. A read of
 * shared memory may be one behind the end of another tile. */
static bool is_of_wanted_array(const struct fault_search *search, const struct claim *claim)
{
    if (claim->kind != CLAIM_LOAD && claim->kind != CLAIM_READ) {
        return false;
    }
    return search->trace->accesses[claim->access].space == TRACE_GLOBAL ||
           (claim->element != FLOW_NONE && claim->wanted != FLOW_NONE &&
            flow_input(&search->flow, claim->element) == flow_input(&search->flow, claim->wanted));
}

/* Moves the place to where the source says what the trace cannot: a loop's bounds, a sum's start,
 * an access that was moved, the column of an access. False if the source has nothing of the kind at
 * that line. */
static bool refine_place(struct fault_search *search, const struct claim *claim,
                         struct suspect_line *place)
{
    const struct program_file *file = file_named(search, place->file);
    bool loop = claim->kind == CLAIM_LOADS_SHORT || claim->kind == CLAIM_READS_SHORT;

    if (file == NULL) {
        return true;
    }
    const struct source_tokens *tokens = &file->tokens;
    if (!find_access_line(tokens, place->line, &place->line, &place->column)) {
        return false;
    }
    if (loop) {
        find_enclosing_loop(tokens, span_of_loop(search, claim, place->file), &place->line,
                            &place->column);
    } else if (claim->kind == CLAIM_FEW_STORES) {
        const struct line_span store = {place->line, place->line};
        find_enclosing_loop(tokens, store, &place->line, &place->column);
    } else if (claim->kind == CLAIM_PART) {
        find_sum_set(tokens, place->line, &place->line, &place->column);
    } else if (is_of_wanted_array(search, claim)) {
        find_access_column(search, file, place->line, claim->access, &place->column);
    }
    return true;
}

static bool find_claim(struct fault_search *search, struct claim *out_claim)
{
    struct ballot ballot = {0};

    if (search->wrong_count == 0) {
        return find_left_out(search, out_claim);
    }
    if (find_moved_results(search, out_claim)) {
        return true;
    }
    vote(search, &ballot);
    if (!count_votes(&ballot, out_claim)) {
        return false;
    }
    if (out_claim->kind == CLAIM_KEPT && fault_line(search, out_claim->access)->line <= 0) {
        return find_kept(search, out_claim);
    }
    return confirm_claim(search, out_claim);
}

/* What a claim says of the elements that its result is made of. */
static struct part_claim claim_about_parts(struct fault_search *search, const struct claim *claim)
{
    struct part_claim about = {.kind = PARTS_NOT_MEANT};

    switch (claim->kind) {
    case CLAIM_NEVER_LOADED:
    case CLAIM_LOADS_SHORT:
    case CLAIM_READS_SHORT:
    case CLAIM_NEVER_READ:
        about.kind = PART_LACKS;
        break;
    case CLAIM_LOAD:
    case CLAIM_READ:
        about.kind = PART_IS_OTHER;
        break;
    case CLAIM_NOTHING_READ:
        about.kind = PARTS_ARE_NONE;
        break;
    default:
        return about;
    }
    about.result = search->flow.results[claim->result].element;
    if (claim->element != FLOW_NONE) {
        about.part.operand =
            (uint32_t)search->flow.input_operand[flow_input(&search->flow, claim->element)];
        about.part.element = flow_index(&search->flow, claim->element);
    }
    about.is_shown = claim_is_shown(search, claim);
    return about;
}

/* The element that a claim says is never loaded. */
static struct element_fault lacked_element(struct fault_search *search, struct arena *arena,
                                           const struct claim *claim)
{
    struct element_fault lacks = {.kind = ELEMENT_NONE};

    if (claim->kind != CLAIM_NEVER_LOADED || claim->element == FLOW_NONE) {
        return lacks;
    }
    const size_t input = flow_input(&search->flow, claim->element);
    const size_t index = search->flow.input_operand[input];
    const struct rubric_operand *operand = &search->flow.launch->operands[index];
    const uint32_t load = search->block.main_load[input];
    lacks.columns = operand->rank == 2 ? flow_extent(search->input, &search->flow, index, 1) : 0;
    if (operand->rank > 2 || operand_lanes(operand) > 1 ||
        (operand->rank == 2 && lacks.columns == 0)) {
        return lacks;
    }
    lacks.kind = ELEMENT_NOT_LOADED;
    lacks.operand = operand->name;
    lacks.element = flow_index(&search->flow, claim->element);
    lacks.name = lacks.columns > 0
                     ? arena_printf(arena, "%s(%zu,%zu)", operand->name,
                                    lacks.element / lacks.columns, lacks.element % lacks.columns)
                     : arena_printf(arena, "%s[%zu]", operand->name, lacks.element);
    if (load != FLOW_NONE) {
        const struct trace_line *line = fault_line(search, load);
        lacks.file = arena_strdup(arena, line->file);
        lacks.line = line->line;
    }
    memcpy(lacks.grid, search->trace->grid, sizeof lacks.grid);
    memcpy(lacks.block, search->trace->block, sizeof lacks.block);
    return lacks;
}

bool find_suspect_line(const struct criteria_input *input, struct arena *arena,
                       const struct launch_trace *trace, struct suspect_line *out_place)
{
    struct fault_search search = {.input = input, .arena = arena_new(), .trace = trace};
    struct claim claim = {.kind = CLAIM_NONE};
    bool found = input->oracle != NULL && input->oracle->needs != NULL &&
                 fault_search_init(&search) && find_claim(&search, &claim) &&
                 fault_line(&search, claim.access)->line > 0;

    if (found) {
        const struct trace_line *line = fault_line(&search, claim.access);
        struct suspect_line place = {
            .file = line->file, .line = line->line, .column = line->column};
        found = refine_place(&search, &claim, &place);
        if (found) {
            place.file = arena_strdup(arena, place.file);
            place.label = arena_strdup(arena, claim_text(&search.block, &claim));
            place.about = claim_about_parts(&search, &claim);
            place.lacks = lacked_element(&search, arena, &claim);
            *out_place = place;
        }
    }
    arena_free(search.arena);
    return found;
}

void locate_wrong_result(const struct criteria_input *input, struct arena *arena, size_t launch,
                         struct cause *cause)
{
    const struct followed_call *followed =
        input->evidence->followed == NULL ? NULL : input->evidence->followed[launch];
    struct suspect_line place;

    if (input->evidence->traces == NULL || input->evidence->traces[launch] == NULL ||
        cause->because != CODE_NONE || cause->line > 0 ||
        code_cause(cause->code) != CAUSE_WRONG_RESULT || cause->code == CODE_INPUT_CHANGED) {
        return;
    }
    if (find_suspect_line(input, arena, input->evidence->traces[launch], &place) &&
        (followed == NULL || value_faults_confirm(followed, &place.about))) {
        cause->file = place.file;
        cause->line = place.line;
        cause->column = place.column;
        cause->label = place.label;
        cause->lacks = place.lacks;
    }
}
