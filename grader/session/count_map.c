/* count_map.c: see count_map.h. */
#include "session/count_map.h"

#include "session/finding_map.h"

#include <stdlib.h>
#include <string.h>

/* The counts while they are being filled; the arrays have room for all records. */
struct mapping {
    const struct count_source *source;
    struct launch_counts *counts;
    struct line_count *lines;
    struct barrier_count *barriers;
    struct branch_count *branches;
};

static void add(uint64_t *sum, uint64_t value)
{
    *sum = value > UINT64_MAX - *sum ? UINT64_MAX : *sum + value;
}

static void add_sum(struct access_sum *sum, const struct access_sum *other)
{
    add(&sum->requests, other->requests);
    add(&sum->lanes, other->lanes);
    add(&sum->bytes, other->bytes);
    add(&sum->sectors, other->sectors);
    add(&sum->least_sectors, other->least_sectors);
    add(&sum->wavefronts, other->wavefronts);
    add(&sum->least_wavefronts, other->least_wavefronts);
    sum->max_degree = other->max_degree > sum->max_degree ? other->max_degree : sum->max_degree;
}

static struct access_sum sum_of(const struct count_record *record)
{
    return (struct access_sum){
        .requests = record->requests,
        .lanes = record->lanes,
        .bytes = record->bytes,
        .sectors = record->sectors,
        .least_sectors = record->least_sectors,
        .wavefronts = record->wavefronts,
        .least_wavefronts = record->least_wavefronts,
        .max_degree = record->max_degree,
    };
}

/* The numbers of an unpacked record are in range. */
static enum count_space space_of(const struct count_record *record)
{
    return (enum count_space)(record->space - COUNT_SPACE_GLOBAL + COUNT_GLOBAL);
}

static enum count_access access_of(const struct count_record *record)
{
    return (enum count_access)(record->access - FINDING_RECORD_READ + COUNT_READ);
}

static struct place place_of(const struct mapping *mapping, const struct count_record *record)
{
    const struct finding_record_place from = {
        .file = record->file,
        .line = record->line,
        .column = record->column,
        .inlined_file = record->inlined_file,
        .inlined_line = record->inlined_line,
        .inlined_column = record->inlined_column,
    };
    struct place place;

    memset(&place, 0, sizeof place);
    place_from_record(mapping->source->module, &from, &place);
    return place;
}

/* The operand that an allocation counts for; operand_count if it is none's. */
static size_t operand_of(const struct count_source *source, uint64_t allocation)
{
    size_t first = source->launch->operand_count;

    for (size_t i = 0; i < source->launch->operand_count; i++) {
        if (source->allocations[i] != allocation) {
            continue;
        }
        if (operand_has_values(&source->launch->operands[i])) {
            return i;
        }
        first = i < first ? i : first;
    }
    return first;
}

static void take_record(struct mapping *mapping, const struct count_record *record)
{
    struct launch_counts *counts = mapping->counts;
    struct access_sum sum = sum_of(record);
    struct place place = place_of(mapping, record);

    switch (record->kind) {
    case COUNT_RECORD_ACCESS:
        add_sum(&counts->totals[space_of(record)][access_of(record)], &sum);
        mapping->lines[counts->line_count++] = (struct line_count){.file = place.file,
                                                                   .line = place.line,
                                                                   .column = place.column,
                                                                   .space = space_of(record),
                                                                   .access = access_of(record),
                                                                   .sum = sum};
        break;
    case COUNT_RECORD_ALLOCATION: {
        size_t operand = operand_of(mapping->source, record->address);
        if (operand < mapping->source->launch->operand_count) {
            add_sum(&counts->operands[operand][access_of(record)], &sum);
        } else {
            bool loads = record->access == FINDING_RECORD_READ;
            counts->others[counts->other_count++] =
                (struct other_count){.address = record->address,
                                     .site = record->line,
                                     .bytes = loads ? record->bytes : 0,
                                     .stored_bytes = loads ? 0 : record->bytes};
        }
        break;
    }
    case COUNT_RECORD_PRODUCT:
        add(&counts->tensor_multiply_adds, record->multiply_adds);
        break;
    case COUNT_RECORD_BARRIER:
        mapping->barriers[counts->barrier_count++] =
            (struct barrier_count){.file = place.file,
                                   .line = place.line,
                                   .column = place.column,
                                   .arrivals = record->requests,
                                   .passed = record->passed,
                                   .needed = record->needed};
        break;
    default:
        mapping->branches[counts->branch_count++] =
            (struct branch_count){.file = place.file,
                                  .line = place.line,
                                  .column = place.column,
                                  .requests = record->requests,
                                  .divergent = record->divergent};
        break;
    }
}

static int compare_places(const char *file, int line, int column, const char *other_file,
                          int other_line, int other_column)
{
    int order = strcmp(file, other_file);

    order = order != 0 ? order : (line > other_line) - (line < other_line);
    return order != 0 ? order : (column > other_column) - (column < other_column);
}

static int compare_lines(const void *left, const void *right)
{
    const struct line_count *a = left;
    const struct line_count *b = right;
    int order = compare_places(a->file, a->line, a->column, b->file, b->line, b->column);

    order = order != 0 ? order : (a->space > b->space) - (a->space < b->space);
    return order != 0 ? order : (a->access > b->access) - (a->access < b->access);
}

static int compare_barriers(const void *left, const void *right)
{
    const struct barrier_count *a = left;
    const struct barrier_count *b = right;

    return compare_places(a->file, a->line, a->column, b->file, b->line, b->column);
}

static int compare_branches(const void *left, const void *right)
{
    const struct branch_count *a = left;
    const struct branch_count *b = right;

    return compare_places(a->file, a->line, a->column, b->file, b->line, b->column);
}

/* Places of the device can be one place in the sources: each fold sorts an array and sums those
 * up. It returns how many are left. */
static size_t fold_lines(struct line_count *lines, size_t count)
{
    size_t kept = 0;

    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_lines(&lines[kept - 1], &lines[i]) == 0) {
            add_sum(&lines[kept - 1].sum, &lines[i].sum);
        } else {
            lines[kept++] = lines[i];
        }
    }
    return kept;
}

static size_t fold_barriers(struct barrier_count *barriers, size_t count)
{
    size_t kept = 0;

    qsort(barriers, count, sizeof *barriers, compare_barriers);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_barriers(&barriers[kept - 1], &barriers[i]) == 0) {
            add(&barriers[kept - 1].arrivals, barriers[i].arrivals);
            add(&barriers[kept - 1].passed, barriers[i].passed);
            add(&barriers[kept - 1].needed, barriers[i].needed);
        } else {
            barriers[kept++] = barriers[i];
        }
    }
    return kept;
}

static size_t fold_branches(struct branch_count *branches, size_t count)
{
    size_t kept = 0;

    qsort(branches, count, sizeof *branches, compare_branches);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_branches(&branches[kept - 1], &branches[i]) == 0) {
            add(&branches[kept - 1].requests, branches[i].requests);
            add(&branches[kept - 1].divergent, branches[i].divergent);
        } else {
            branches[kept++] = branches[i];
        }
    }
    return kept;
}

static int compare_others(const void *left, const void *right)
{
    const struct other_count *a = left;
    const struct other_count *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

static size_t fold_others(struct other_count *others, size_t count)
{
    size_t kept = 0;

    qsort(others, count, sizeof *others, compare_others);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && others[kept - 1].address == others[i].address) {
            add(&others[kept - 1].bytes, others[i].bytes);
            add(&others[kept - 1].stored_bytes, others[i].stored_bytes);
        } else {
            others[kept++] = others[i];
        }
    }
    return kept;
}

/* One array of both; an empty one may be NULL. */
static void *joined(struct arena *arena, const void *first, size_t first_count, const void *second,
                    size_t second_count, size_t item_bytes)
{
    char *all = arena_array(arena, first_count + second_count + 1, item_bytes);

    if (first_count > 0) {
        memcpy(all, first, first_count * item_bytes);
    }
    if (second_count > 0) {
        memcpy(all + first_count * item_bytes, second, second_count * item_bytes);
    }
    return all;
}

void counts_add(struct arena *arena, struct launch_counts *counts, const struct launch_counts *more)
{
    struct line_count *lines = joined(arena, counts->lines, counts->line_count, more->lines,
                                      more->line_count, sizeof *lines);
    struct barrier_count *barriers = joined(arena, counts->barriers, counts->barrier_count,
                                            more->barriers, more->barrier_count, sizeof *barriers);
    struct branch_count *branches = joined(arena, counts->branches, counts->branch_count,
                                           more->branches, more->branch_count, sizeof *branches);

    counts->others = joined(arena, counts->others, counts->other_count, more->others,
                            more->other_count, sizeof *counts->others);
    counts->other_count = fold_others(counts->others, counts->other_count + more->other_count);
    counts->line_count = fold_lines(lines, counts->line_count + more->line_count);
    counts->barrier_count = fold_barriers(barriers, counts->barrier_count + more->barrier_count);
    counts->branch_count = fold_branches(branches, counts->branch_count + more->branch_count);
    counts->lines = lines;
    counts->barriers = barriers;
    counts->branches = branches;
    for (size_t space = 0; space < COUNT_SPACES; space++) {
        for (size_t access = 0; access < COUNT_ACCESSES; access++) {
            add_sum(&counts->totals[space][access], &more->totals[space][access]);
        }
    }
    for (size_t i = 0; i < RUBRIC_OPERANDS_MAX; i++) {
        for (size_t access = 0; access < COUNT_ACCESSES; access++) {
            add_sum(&counts->operands[i][access], &more->operands[i][access]);
        }
    }
    counts->is_counted = counts->is_counted && more->is_counted;
    add(&counts->lane_instructions, more->lane_instructions);
    add(&counts->warp_instructions, more->warp_instructions);
    add(&counts->work, more->work);
    add(&counts->barrier_arrivals, more->barrier_arrivals);
    add(&counts->tensor_multiply_adds, more->tensor_multiply_adds);
}

bool counts_from_bytes(struct arena *arena, const struct count_source *source, const uint8_t *bytes,
                       size_t count, struct launch_counts *out_counts)
{
    struct launch_counts counts = {
        .others = arena_array(arena, count + 1, sizeof *counts.others),
    };
    struct mapping mapping = {
        .source = source,
        .counts = &counts,
        .lines = arena_array(arena, count + 1, sizeof *mapping.lines),
        .barriers = arena_array(arena, count + 1, sizeof *mapping.barriers),
        .branches = arena_array(arena, count + 1, sizeof *mapping.branches),
    };

    for (size_t i = 0; i < count; i++) {
        struct count_record record;
        if (!count_record_unpack(bytes + i * COUNT_RECORD_BYTES, &record)) {
            return false;
        }
        take_record(&mapping, &record);
    }
    counts.other_count = fold_others(counts.others, counts.other_count);
    counts.line_count = fold_lines(mapping.lines, counts.line_count);
    counts.barrier_count = fold_barriers(mapping.barriers, counts.barrier_count);
    counts.branch_count = fold_branches(mapping.branches, counts.branch_count);
    counts.lines = mapping.lines;
    counts.barriers = mapping.barriers;
    counts.branches = mapping.branches;
    *out_counts = counts;
    return true;
}
