/* rubric_criteria.c: the section criteria.
 *
 * Which keys a kind of criterion needs, may have and must not have stands in criterion_fields.def:
 * a key that a kind does not use is a mistake, so that nobody believes that it does something.
 */
#include "rubric/rubric_baseline.h"
#include "rubric/rubric_points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMULAS_MAX = 16, RATIO_MAX = 1000, THREADS_MAX = 1024 };

/* As many bytes as nothing loads. */
static const double most_bytes = 1e18;

static enum criterion_kind read_kind(struct rubric_reader *reader, const cJSON *value)
{
    const char *words[CRITERION_COUNT];

    for (size_t i = 0; i < CRITERION_COUNT; i++) {
        words[i] = criterion_kind_name((enum criterion_kind)i);
    }
    return (enum criterion_kind)read_word(reader, value, words, CRITERION_COUNT);
}

/* Reports a key that no kind has, and which ones this kind has. */
static void check_known(struct rubric_reader *reader, const cJSON *member, enum criterion_kind kind)
{
    struct rubric_key known[CRITERION_KEY_COUNT];
    char what[64];
    size_t count = 0;

    for (size_t i = 0; i < CRITERION_KEY_COUNT; i++) {
        if (strcmp(member->string, criterion_keys[i].name) == 0) {
            return;
        }
        if (i < CRITERION_KEY_LAUNCH || criterion_key_uses[kind][i] != UNUSED) {
            known[count++] = criterion_keys[i];
        }
    }
    snprintf(what, sizeof what, "a criterion of the kind '%s'", criterion_kind_name(kind));
    reader_fail_unknown_key(reader, member, what, known, count);
}

/* Reads an entry's keys: of a kind that there is, only its own are told. */
static void read_keys(struct rubric_reader *reader, const cJSON *value, const cJSON **out_members)
{
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(value, "kind");
    size_t kind = 0;

    while (kind < CRITERION_COUNT &&
           !(cJSON_IsString(word) &&
             strcmp(word->valuestring, criterion_kind_name((enum criterion_kind)kind)) == 0)) {
        kind++;
    }
    if (kind < CRITERION_COUNT) {
        for (const cJSON *member = value->child; member != NULL; member = member->next) {
            check_known(reader, member, (enum criterion_kind)kind);
        }
    }
    read_members(reader, value, "a criterion", criterion_keys, CRITERION_KEY_COUNT, out_members);
}

static void check_uses(struct rubric_reader *reader, const cJSON *value,
                       const cJSON *const *members, enum criterion_kind kind)
{
    for (size_t i = CRITERION_KEY_LAUNCH; i < CRITERION_KEY_COUNT; i++) {
        if (criterion_key_uses[kind][i] == NEEDED && members[i] == NULL) {
            reader_fail(reader, ERROR_SYNTAX, value, false,
                        "a criterion of the kind '%s' lacks the key '%s'",
                        criterion_kind_name(kind), criterion_keys[i].name);
        }
        if (criterion_key_uses[kind][i] == UNUSED && members[i] != NULL) {
            reader_fail(reader, ERROR_SYNTAX, members[i], true,
                        "a criterion of the kind '%s' does not use the key '%s'",
                        criterion_kind_name(kind), criterion_keys[i].name);
        }
    }
}

/* Reads a reference to a printout that is, or is not, a table. */
static size_t read_printout_reference(struct rubric_reader *reader, const cJSON *value, bool table)
{
    const struct rubric *rubric = reader->rubric;
    size_t index = read_reference(reader, value, "printout", rubric->printouts,
                                  sizeof *rubric->printouts, rubric->printout_count);

    if (reader->error == ERROR_NONE && value != NULL && rubric->printouts[index].table != table) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the printout '%s' must %s of the form 'table' here",
                    rubric->printouts[index].id, table ? "be" : "not be");
    }
    return index;
}

/* Reads the name of a scalar of the criterion's launch that is bound to a symbol. */
static size_t read_constant(struct rubric_reader *reader, const cJSON *value, size_t launch_index)
{
    if (reader->error != ERROR_NONE || value == NULL) {
        return 0;
    }
    const struct rubric_launch *launch = &reader->rubric->launches[launch_index];
    size_t index = read_reference(reader, value, "scalar", launch->scalars,
                                  sizeof launch->scalars[0], launch->scalar_count);
    if (reader->error == ERROR_NONE && !launch->scalars[index].bind.is_symbol) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the scalar '%s' is a kernel argument; a constant must be bound to a symbol",
                    launch->scalars[index].name);
    }
    return index;
}

static void read_formulas(struct rubric_reader *reader, const cJSON *value,
                          struct rubric_criterion *out)
{
    static const struct rubric_key formula_keys[] = {
        {"id", true}, {"title", true}, {"value", true}};
    size_t count = read_list(reader, value, 1, FORMULAS_MAX);
    struct rubric_formula *formulas = arena_array(reader->arena, count, sizeof *formulas);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const cJSON *members[3];
        read_members(reader, item, "a formula", formula_keys, 3, members);
        formulas[i].id = read_name(reader, members[0], NAME_ID);
        reader_check_unique(reader, members[0], "formula", formulas, sizeof *formulas, i);
        formulas[i].title = read_name(reader, members[1], NAME_TEXT);
        formulas[i].value = read_expression(reader, members[2], NAMES_THREADS | NAMES_OCCUPANCY);
    }
    out->formulas = formulas;
    out->formula_count = count;
}

/* Reads the names of operands of the criterion's launch. */
static void read_operand_names(struct rubric_reader *reader, const cJSON *value,
                               struct rubric_criterion *out)
{
    static const struct rubric_key any_keys[] = {{"any_of", true}};

    out->any_operand = cJSON_IsObject(value);
    if (out->any_operand) {
        const cJSON *list = NULL;
        read_members(reader, value, "a choice of operands", any_keys, 1, &list);
        value = list;
    }
    size_t count = read_list(reader, value, 1, RUBRIC_OPERANDS_MAX);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        const struct rubric_launch *launch = &reader->rubric->launches[out->launch];
        size_t index = read_reference(reader, item, "operand", launch->operands,
                                      sizeof launch->operands[0], launch->operand_count);
        if (reader->error == ERROR_NONE && out->operand_counts[index]) {
            reader_fail(reader, ERROR_RANGE, item, false, "the operand '%s' is listed twice",
                        launch->operands[index].name);
        }
        out->operand_counts[index] = true;
    }
    out->has_operands = value != NULL;
}

/* Only inputs are loaded, and each that is named must be. */
static void check_loaded_operands(struct rubric_reader *reader, const cJSON *value,
                                  const struct rubric_criterion *criterion)
{
    const struct rubric_launch *launch = &reader->rubric->launches[criterion->launch];

    if (reader->error != ERROR_NONE || value == NULL || criterion->kind == CRITERION_COALESCING) {
        return;
    }
    if (criterion->any_operand) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "a criterion of the kind '%s' takes a list of inputs, not 'any_of'",
                    criterion_kind_name(criterion->kind));
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (criterion->operand_counts[i] && launch->operands[i].role != OPERAND_INPUT) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "'%s' is the output; a criterion of the kind '%s' judges loads from inputs",
                        launch->operands[i].name, criterion_kind_name(criterion->kind));
        }
    }
}

static void read_traffic(struct rubric_reader *reader, const cJSON *const *members,
                         struct rubric_criterion *out)
{
    static const char *const severities[] = {"error", "remark"};
    const struct expectation bytes = {"the number of bytes", 0, most_bytes, true};
    const cJSON *maximum = members[CRITERION_KEY_MAXIMUM_BYTES];

    out->allows_warp_races =
        read_word(reader, members[CRITERION_KEY_WITHIN_WARP], severities, 2) == 1;
    out->maximum_bytes = read_expression(reader, maximum, NAMES_BLOCK | NAMES_PARAMETERS);
    if (out->maximum_bytes != NULL && reader->error == ERROR_NONE) {
        check_values(reader, &reader->rubric->launches[out->launch], maximum, out->maximum_bytes,
                     &bytes);
    }
    out->maximum_ratio = read_number(reader, members[CRITERION_KEY_MAXIMUM_RATIO], 1, RATIO_MAX);
    read_operand_names(reader, members[CRITERION_KEY_OPERANDS], out);
    check_loaded_operands(reader, members[CRITERION_KEY_OPERANDS], out);
}

/* Tries the bytes of a block of each number of threads, with which the occupancy API is asked. */
static void check_bytes_of_threads(struct rubric_reader *reader, const cJSON *value,
                                   const struct expression *expression)
{
    for (int64_t threads = 1; threads <= THREADS_MAX && reader->error == ERROR_NONE; threads++) {
        struct case_scope scope = {.rubric = reader->rubric, .threads = threads};
        double bytes = 0;
        if (!expression_evaluate(expression, case_lookup, &scope, &bytes, NULL) || bytes < 0 ||
            bytes > INT32_MAX || bytes != trunc(bytes)) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "this is not a whole number of bytes for a block of %lld threads",
                        (long long)threads);
        }
    }
}

/* Reads how many bytes of shared memory a block takes: a table that is printed, an expression. */
static void read_bytes(struct rubric_reader *reader, const cJSON *const *members,
                       struct rubric_criterion *out)
{
    const cJSON *minimum = members[CRITERION_KEY_MINIMUM_BYTES];
    const cJSON *table = members[CRITERION_KEY_BYTES_PRINTOUT];
    bool is_asked = out->kind == CRITERION_BLOCK_SIZE;

    out->has_bytes_printout = table != NULL;
    out->bytes_printout = read_printout_reference(reader, table, true);
    out->minimum_bytes =
        read_expression(reader, minimum, is_asked ? NAMES_THREADS : NAMES_BLOCK | NAMES_THREADS);
    if (is_asked && out->minimum_bytes != NULL) {
        check_bytes_of_threads(reader, minimum, out->minimum_bytes);
    }
    if (is_asked && minimum != NULL && table != NULL) {
        reader_fail(reader, ERROR_SYNTAX, minimum, true,
                    "'bytes_printout' already gives the bytes of a block; remove one of the two");
    }
}

static void read_printed(struct rubric_reader *reader, const cJSON *const *members,
                         struct rubric_criterion *out)
{
    out->has_printout = members[CRITERION_KEY_PRINTOUT] != NULL;
    out->printout = read_printout_reference(reader, members[CRITERION_KEY_PRINTOUT], false);
    read_bytes(reader, members, out);
    out->has_scalar = members[CRITERION_KEY_CONSTANT] != NULL;
    out->scalar = read_constant(reader, members[CRITERION_KEY_CONSTANT], out->launch);
    read_formulas(reader, members[CRITERION_KEY_FORMULAS], out);
}

/* Reads files of lines. */
static const struct given_file *read_files(struct rubric_reader *reader, const cJSON *value,
                                           size_t *out_count)
{
    size_t count = 0;

    if (value == NULL || reader->error != ERROR_NONE) {
        return NULL;
    }
    if (!cJSON_IsObject(value) || value->child == NULL) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "'files' must be an object of names and lists of lines, with at least one of "
                    "them");
        return NULL;
    }
    struct given_file *files = arena_array(reader->arena, RUBRIC_FILES_MAX, sizeof *files);
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        size_t line_count = 0;
        struct text text;
        if (count == RUBRIC_FILES_MAX) {
            reader_fail(reader, ERROR_RANGE, member, true, "more than %d files",
                        (int)RUBRIC_FILES_MAX);
            break;
        }
        const char *name = read_key(reader, member, NAME_FILE);
        const char *const *lines = read_names(reader, member, NAME_LINE, 0, &line_count);
        text_init(&text);
        for (size_t i = 0; i < line_count && reader->error == ERROR_NONE; i++) {
            text_printf(&text, "%s\n", lines[i]);
        }
        files[count++] =
            (struct given_file){.name = name,
                                .bytes = arena_strdup(reader->arena, text_or_empty(text.bytes)),
                                .length = text.length};
        text_release(&text);
    }
    *out_count = count;
    return files;
}

/* A text with expressions in braces. */
struct filled_text {
    struct rubric_reader *reader;
    const cJSON *value;
};

/* Which case is drawn is known before the block width is. */
static void check_parameter(void *context, const char *name)
{
    const struct filled_text *text = context;
    const struct rubric *rubric = text->reader->rubric;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (strcmp(rubric->parameters[i].name, name) == 0 && rubric->parameters[i].unit == NULL) {
            return;
        }
    }
    reader_fail(text->reader, ERROR_NOT_FOUND, text->value, false,
                "between braces is an expression over parameters without a unit; '%s' is none",
                name);
}

static const char *check_expression(void *context, const char *words)
{
    const struct filled_text *text = context;
    const struct expression *expression = NULL;
    struct diagnostic problem;
    size_t offset = 0;

    if (expression_parse(text->reader->arena, words, &expression, &offset, &problem) !=
        ERROR_NONE) {
        reader_fail(text->reader, ERROR_SYNTAX, text->value, false, "between braces, '%s': %s",
                    words, problem.message);
        return NULL;
    }
    expression_names(expression, check_parameter, context);
    return text->reader->error == ERROR_NONE ? "" : NULL;
}

/* Checks all texts of a list, or of an object of lists. */
static void check_texts(struct rubric_reader *reader, const cJSON *list)
{
    for (const cJSON *item = list == NULL ? NULL : list->child; item != NULL; item = item->next) {
        struct filled_text text = {reader, item};
        if (cJSON_IsString(item)) {
            check_braces(reader, item, item->valuestring, check_expression, &text);
        } else {
            check_texts(reader, item);
        }
    }
}

/* The case that gives numbers to the texts of an output. */
static void read_case(struct rubric_reader *reader, const cJSON *const *members,
                      struct rubric_printout *printout)
{
    const cJSON *value = members[CRITERION_KEY_CASE];

    printout->has_case = value != NULL;
    if (value != NULL) {
        printout->case_index = read_visible_case(reader, value);
        check_texts(reader, members[CRITERION_KEY_ARGUMENTS]);
        check_texts(reader, members[CRITERION_KEY_INPUT]);
        check_texts(reader, members[CRITERION_KEY_FILES]);
        check_texts(reader, members[CRITERION_KEY_EXPECTED]);
    }
}

/* Its run is a printout after the rubric's own. */
static void read_output(struct rubric_reader *reader, const cJSON *const *members,
                        struct rubric_criterion *out)
{
    struct rubric *rubric = reader->rubric;
    struct rubric_printout printout = {.id = out->id, .label = ""};

    printout.program =
        read_reference(reader, members[CRITERION_KEY_PROGRAM], "program", rubric->programs,
                       sizeof *rubric->programs, rubric->program_count);
    printout.arguments = read_names(reader, members[CRITERION_KEY_ARGUMENTS], NAME_TEXT, 0,
                                    &printout.argument_count);
    printout.input =
        read_names(reader, members[CRITERION_KEY_INPUT], NAME_LINE, 0, &printout.input_count);
    if (members[CRITERION_KEY_FILE] != NULL) {
        printout.file = read_name(reader, members[CRITERION_KEY_FILE], NAME_FILE);
    }
    printout.files = read_files(reader, members[CRITERION_KEY_FILES], &printout.file_count);
    out->needs_reference = members[CRITERION_KEY_EXPECTED] == NULL;
    out->expected = out->needs_reference ? NULL
                                         : read_names(reader, members[CRITERION_KEY_EXPECTED],
                                                      NAME_LINE, 1, &out->expected_count);
    out->tolerance = read_number(reader, members[CRITERION_KEY_TOLERANCE], 0, 1);
    read_case(reader, members, &printout);
    out->has_printout = true;
    out->printout = rubric->printout_count;
    reader->printouts[rubric->printout_count++] = printout;
}

/* Which kernel of a program does the work is not known. */
static void check_program(struct rubric_reader *reader,
                          const cJSON *const members[CRITERION_KEY_COUNT],
                          const struct rubric_criterion *criterion)
{
    const enum criterion_kind kind = criterion->kind;
    const bool needs_kernel = kind == CRITERION_SAVED_LOADS || kind == CRITERION_SPEEDUP ||
                              kind == CRITERION_DYNAMIC || kind == CRITERION_BLOCK_SIZE ||
                              kind == CRITERION_OCCUPANCY;

    if (reader->error == ERROR_NONE && criterion->has_launch && needs_kernel &&
        launch_is_program(&reader->rubric->launches[criterion->launch])) {
        reader_fail(reader, ERROR_RANGE, members[CRITERION_KEY_LAUNCH], false,
                    "'%s' is a whole program, of which no single kernel is judged: its criteria "
                    "are of the kinds correct, race-free, count, tiled, coalescing and "
                    "bank-conflicts",
                    reader->rubric->launches[criterion->launch].id);
    }
}

static void read_criterion(struct rubric_reader *reader, const cJSON *value,
                           struct rubric_criterion *out)
{
    const cJSON *members[CRITERION_KEY_COUNT];
    const struct rubric *rubric = reader->rubric;

    read_keys(reader, value, members);
    out->id = read_name(reader, members[CRITERION_KEY_ID], NAME_ID);
    out->kind = read_kind(reader, members[CRITERION_KEY_KIND]);
    out->title = read_name(reader, members[CRITERION_KEY_TITLE], NAME_TEXT);
    out->points = read_number(reader, members[CRITERION_KEY_POINTS], 0, 100);
    out->hidden = read_flag(reader, members[CRITERION_KEY_HIDDEN]);
    out->bonus = read_flag(reader, members[CRITERION_KEY_BONUS]);
    out->no_fix = read_flag(reader, members[CRITERION_KEY_NO_FIX]);
    check_uses(reader, value, members, out->kind);
    out->has_launch = members[CRITERION_KEY_LAUNCH] != NULL;
    out->launch = read_reference(reader, members[CRITERION_KEY_LAUNCH], "launch", rubric->launches,
                                 sizeof *rubric->launches, rubric->launch_count);
    read_printed(reader, members, out);
    read_traffic(reader, members, out);
    if (reader->error == ERROR_NONE && out->points <= 0) {
        reader_fail(reader, ERROR_RANGE, members[CRITERION_KEY_POINTS], false,
                    "a criterion must be worth more than 0 points");
    }
    check_program(reader, members, out);
    if (reader->error == ERROR_NONE && out->kind == CRITERION_SPEEDUP) {
        read_speedup(reader, members, out);
    }
    if (reader->error == ERROR_NONE && out->kind == CRITERION_SAVED_LOADS) {
        read_saved_loads(reader, members, out);
    }
    if (reader->error == ERROR_NONE && out->kind == CRITERION_COUNTED) {
        read_count(reader, members, out);
    }
    if (reader->error == ERROR_NONE && out->kind == CRITERION_OUTPUT) {
        read_output(reader, members, out);
    }
}

void read_criteria(struct rubric_reader *reader, const cJSON *value)
{
    size_t count = read_list(reader, value, 1, RUBRIC_CRITERIA_MAX);
    struct rubric_criterion *criteria = arena_array(reader->arena, count, sizeof *criteria);
    const cJSON *item = count > 0 ? value->child : NULL;
    double sum = 0;
    double total = reader->total; /* 0: nothing is expected */

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        reader->entry = item;
        read_criterion(reader, item, &criteria[i]);
        reader_check_unique(reader, item, "criterion", criteria, sizeof *criteria, i);
        sum += criteria[i].bonus ? 0 : criteria[i].points;
    }
    reader->entry = NULL;
    if (reader->error != ERROR_NONE) {
        return;
    }
    if (sum <= 0) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all criteria are a bonus; at least one must count towards the total");
    }
    if (total > 0 && fabs(sum - total) > 1e-9) {
        reader_fail(reader, ERROR_RANGE, value, true, "the points add up to %.12g, expected %.12g",
                    sum, total);
    }
    size_t hidden = reader_hidden_last(reader, criteria, sizeof *criteria, count,
                                       offsetof(struct rubric_criterion, hidden));
    if (hidden == count) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "all criteria are hidden; at least one must be visible to students");
    }
    reader->rubric->criteria = criteria;
    reader->rubric->criterion_count = count;
    reader->rubric->hidden_criterion_count = hidden;
}
