/* rubric_operands.c: see rubric_operands.h. */
#include "rubric/rubric_operands.h"

#include "rubric/rubric_key_names.h"
#include "rubric/rubric_points.h"

#include <math.h>
#include <string.h>

enum { ARGUMENT_MAX = 63, FEW_MAX = 65536 };

static const double INTEGER_MAX = 0x1p53; /* of the whole numbers that expressions hold */

static struct binding read_binding(struct rubric_reader *reader, const cJSON *value)
{
    static const struct rubric_key keys[] = {{"argument", false}, {"symbol", false}};
    const cJSON *members[2];
    struct binding binding = {0};

    read_members(reader, value, "bind", keys, 2, members);
    if (reader->error == ERROR_NONE && (members[0] == NULL) == (members[1] == NULL)) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "bind needs either 'argument' or 'symbol', found %s",
                    members[0] == NULL ? "neither" : "both");
    }
    binding.is_symbol = members[1] != NULL;
    binding.argument = (uint32_t)read_integer(reader, members[0], 0, ARGUMENT_MAX);
    binding.symbol = read_name(reader, members[1], NAME_IDENTIFIER);
    return binding;
}

static bool is_same_binding(const struct binding *a, const struct binding *b)
{
    if (a->is_symbol != b->is_symbol || a->is_nowhere || b->is_nowhere) {
        return false;
    }
    return a->is_symbol ? strcmp(a->symbol, b->symbol) == 0 : a->argument == b->argument;
}

/* Makes sure that nothing read so far for the launch has the same binding; `last` is where this one
 * goes. */
static void check_binding(struct rubric_reader *reader, const cJSON *value,
                          const struct rubric_launch *launch, const struct binding *binding,
                          const struct binding *last)
{
    const char *owner = NULL;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (&launch->operands[i].bind != last &&
            is_same_binding(&launch->operands[i].bind, binding)) {
            owner = launch->operands[i].name;
        }
    }
    for (size_t i = 0; i < launch->scalar_count; i++) {
        if (&launch->scalars[i].bind != last &&
            is_same_binding(&launch->scalars[i].bind, binding)) {
            owner = launch->scalars[i].name;
        }
    }
    if (owner != NULL) {
        reader_fail(reader, ERROR_RANGE, value, false, "'%s' is bound to the same place", owner);
    }
}

/* Reads where an operand or a scalar is found. A call needs no place of an operand, as the harness
 * announces it, and may have scalars that are found nowhere. */
static struct binding read_place(struct rubric_reader *reader, const cJSON *owner,
                                 const cJSON *value, const struct rubric_launch *launch,
                                 bool is_operand, const struct binding *last)
{
    struct binding binding = {.is_nowhere = value == NULL};

    if (launch->call == NULL && value == NULL) {
        reader_fail(reader, ERROR_SYNTAX, owner, false,
                    "%s lacks the key 'bind', which says where the launch has it",
                    is_operand ? "an operand" : "a scalar");
    }
    if (launch->call != NULL && value != NULL && is_operand) {
        reader_fail(reader, ERROR_SYNTAX, value, true,
                    "the operands of a call are announced by the harness; 'bind' is for those of a "
                    "launch");
    }
    if (value == NULL || reader->error != ERROR_NONE) {
        return binding;
    }
    binding = read_binding(reader, value);
    if (launch->call != NULL && !binding.is_symbol) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "a scalar of a call may be bound to a symbol; a call has no kernel arguments");
    }
    if (reader->error == ERROR_NONE) {
        check_binding(reader, value, launch, &binding, last);
    }
    return binding;
}

/* Types ****************************************************************************************/

/* "f32", or "f32x3" where vectors are allowed. */
static enum element_type read_type(struct rubric_reader *reader, const cJSON *value,
                                   uint32_t *out_lanes)
{
    const char *words[ELEMENT_TYPE_COUNT];
    const char *word = cJSON_IsString(value) ? value->valuestring : "";
    size_t length = strlen(word);
    char base[8] = "";

    for (size_t i = 0; i < ELEMENT_TYPE_COUNT; i++) {
        words[i] = element_facts((enum element_type)i)->word;
    }
    if (out_lanes == NULL || length < 3 || length - 2 >= sizeof base || word[length - 2] != 'x' ||
        word[length - 1] < '2' || word[length - 1] > '4') {
        return (enum element_type)read_word(reader, value, words, ELEMENT_TYPE_COUNT);
    }
    memcpy(base, word, length - 2);
    for (size_t i = 0; i < ELEMENT_TYPE_COUNT; i++) {
        if (strcmp(base, words[i]) == 0) {
            *out_lanes = (uint32_t)(word[length - 1] - '0');
            return (enum element_type)i;
        }
    }
    return (enum element_type)read_word(reader, value, words, ELEMENT_TYPE_COUNT);
}

/* The numbers of a type that expressions can give. */
static struct expectation number_of(enum element_type type, const char *what)
{
    const struct element_facts *facts = element_facts(type);
    const bool is_float = element_is_float(type);

    return (struct expectation){what, is_float ? facts->lowest : fmax(facts->lowest, -INTEGER_MAX),
                                is_float ? facts->highest : fmin(facts->highest, INTEGER_MAX),
                                is_float};
}

/* Makes an expression of the format itself, so that it is tried as all are; NULL: too long. */
static const struct expression *made_expression(struct rubric_reader *reader, const char *text)
{
    const struct expression *made = NULL;
    size_t offset;

    return expression_parse(reader->arena, text, &made, &offset, NULL) == ERROR_NONE ? made : NULL;
}

/* How many elements an operand has. */
static const struct expression *product_of(struct rubric_reader *reader,
                                           const struct rubric_operand *operand)
{
    const char *product = arena_printf(reader->arena, "(%s)", expression_text(operand->shape[0]));

    for (size_t i = 1; i < operand->rank; i++) {
        product =
            arena_printf(reader->arena, "%s * (%s)", product, expression_text(operand->shape[i]));
    }
    return made_expression(reader, product);
}

static void read_shape(struct rubric_reader *reader, const cJSON *value,
                       const struct rubric_launch *launch, struct rubric_operand *out)
{
    const uint64_t memory = reader->rubric->limits.device_memory_bytes;
    const double room =
        memory < CASE_OPERAND_BYTES_MAX ? (double)memory : (double)CASE_OPERAND_BYTES_MAX;
    const struct expectation extent = {
        "this extent", 1, floor(room / (double)(element_bytes(out->type) * operand_lanes(out))),
        false};
    size_t rank = read_list(reader, value, 1, 3);
    const cJSON *item = rank > 0 ? value->child : NULL;

    for (size_t i = 0; i < rank && reader->error == ERROR_NONE; i++, item = item->next) {
        out->shape[i] = read_expression(reader, item, NAMES_BLOCK | NAMES_PARAMETERS);
        if (out->shape[i] != NULL) {
            check_values(reader, launch, item, out->shape[i], &extent);
        }
    }
    out->rank = rank;
    if (reader->error != ERROR_NONE) {
        return;
    }
    const struct expression *elements = product_of(reader, out);
    const struct expectation whole = {"the number of elements", 1, extent.maximum, false};
    if (elements == NULL) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the expressions of the shape are too long to be multiplied");
        return;
    }
    check_values(reader, launch, value, elements, &whole);
}

/* Values of inputs *****************************************************************************/

/* A number, or an expression in quotes. */
static const struct expression *read_amount(struct rubric_reader *reader, const cJSON *value)
{
    return cJSON_IsNumber(value)
               ? made_expression(reader, arena_printf(reader->arena, "%.17g", value->valuedouble))
               : read_expression(reader, value, NAMES_BLOCK | NAMES_PARAMETERS);
}

enum domain_key { RANGE, FEW, MOSTLY_ZERO, SORTED, DOMAIN_KEY_COUNT };

static const struct rubric_key domain_keys[DOMAIN_KEY_COUNT] = {
    [RANGE] = {"range", false},
    [FEW] = {"few", false},
    [MOSTLY_ZERO] = {"mostly_zero", false},
    [SORTED] = {"sorted", false}};

struct value_domain read_domain(struct rubric_reader *reader, const cJSON *value)
{
    static const char *const words[] = {"sorted", "permutation", "equal"};
    const cJSON *members[DOMAIN_KEY_COUNT];
    struct value_domain domain = {.is_set = value != NULL};

    if (value == NULL) {
        return domain;
    }
    if (!cJSON_IsObject(value)) {
        size_t word = read_word(reader, value, words, sizeof words / sizeof words[0]);
        domain.is_sorted = word == 0;
        domain.is_permutation = word == 1;
        domain.distinct = word == 2 ? made_expression(reader, "1") : NULL;
        return domain;
    }
    read_members(reader, value, "values", domain_keys, DOMAIN_KEY_COUNT, members);
    if (members[RANGE] != NULL && read_list(reader, members[RANGE], 2, 2) == 2) {
        const cJSON *least = members[RANGE]->child;
        domain.least = read_amount(reader, least);
        domain.most = read_amount(reader, least->next);
    }
    domain.distinct = read_amount(reader, members[FEW]);
    domain.zero_share = read_number(reader, members[MOSTLY_ZERO], 0, 1);
    domain.is_sorted = read_flag(reader, members[SORTED]);
    return domain;
}

static void check_range(struct rubric_reader *reader, const cJSON *value,
                        const struct rubric_launch *launch, const struct rubric_operand *operand,
                        const struct value_domain *domain)
{
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(value, domain_keys[RANGE].name);
    const struct expectation least = number_of(operand->type, "the least value");
    const struct expectation most = number_of(operand->type, "the largest value");
    const struct expectation width = {"the largest value minus the least", 0, INFINITY, true};

    check_values(reader, launch, range->child, domain->least, &least);
    check_values(reader, launch, range->child->next, domain->most, &most);
    const struct expression *difference = made_expression(
        reader, arena_printf(reader->arena, "(%s) - (%s)", expression_text(domain->most),
                             expression_text(domain->least)));
    if (difference != NULL && reader->error == ERROR_NONE) {
        check_values(reader, launch, range, difference, &width);
    }
}

/* Tries what an operand is to hold. */
static void check_domain(struct rubric_reader *reader, const cJSON *value,
                         const struct rubric_launch *launch, const struct rubric_operand *operand,
                         const struct value_domain *domain)
{
    const struct element_facts *facts = element_facts(operand->type);
    const double most =
        facts->digits > 0 ? ldexp(1.0, facts->digits) : fmin(facts->highest, INTEGER_MAX);
    const struct expectation few = {"the number of different values", 1, FEW_MAX, false};
    const struct expectation places = {"the number of elements of a permutation", 1, most, false};

    if (reader->error != ERROR_NONE || !domain->is_set) {
        return;
    }
    if (!operand_has_values(operand)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an input has values; '%s' has another role", operand->name);
        return;
    }
    if (domain->least != NULL && domain->most != NULL) {
        check_range(reader, value, launch, operand, domain);
    }
    if (domain->distinct != NULL) {
        const cJSON *number = cJSON_GetObjectItemCaseSensitive(value, domain_keys[FEW].name);
        check_values(reader, launch, number != NULL ? number : value, domain->distinct, &few);
    }
    if (domain->is_permutation) {
        check_values(reader, launch, value, product_of(reader, operand), &places);
    }
}

void check_case_values(struct rubric_reader *reader, const cJSON *cases)
{
    const struct rubric *rubric = reader->rubric;
    const cJSON *entry = NULL;

    cJSON_ArrayForEach(entry, cases)
    {
        const cJSON *value = NULL;
        cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(entry, "values"))
        {
            bool is_found = false;
            reader->entry = entry;
            for (size_t i = 0; i < rubric->launch_count; i++) {
                const struct rubric_launch *launch = &rubric->launches[i];
                for (size_t j = 0; j < launch->operand_count && reader->error == ERROR_NONE; j++) {
                    const struct rubric_operand *operand = &launch->operands[j];
                    if (strcmp(operand->name, value->string) == 0) {
                        const struct value_domain domain = read_domain(reader, value);
                        is_found = true;
                        check_domain(reader, value, launch, operand, &domain);
                    }
                }
            }
            if (!is_found) {
                reader_fail(reader, ERROR_RANGE, value, true, "no launch has an operand '%s'",
                            value->string);
            }
        }
    }
    reader->entry = NULL;
}

/* Floats have no such key: what they hold is made so that every order of summation is exact. */
static int64_t read_largest(struct rubric_reader *reader, const cJSON *value,
                            const struct rubric_operand *operand)
{
    const double highest = element_facts(operand->type)->highest;

    if (value != NULL && element_is_float(operand->type)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an input of integers may have the key 'largest'; '%s' is of floats",
                    operand->name);
    } else if (value != NULL && !operand_has_values(operand)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an input of integers may have the key 'largest'; '%s' is an output",
                    operand->name);
    } else if (value != NULL && operand->values.is_set) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "'largest' and 'values' both say what '%s' holds; leave one of them out",
                    operand->name);
    }
    return read_integer(reader, value, 1, highest < INT32_MAX ? (int64_t)highest : INT32_MAX);
}

/* Outputs **************************************************************************************/

static void read_within(struct rubric_reader *reader, const cJSON *value, struct compare_rule *rule)
{
    enum { ABSOLUTE, RELATIVE, ULP, MAGNITUDE, KEY_COUNT };
    static const struct rubric_key keys[KEY_COUNT] = {[ABSOLUTE] = {"absolute", false},
                                                      [RELATIVE] = {"relative", false},
                                                      [ULP] = {"ulp", false},
                                                      [MAGNITUDE] = {"magnitude", false}};
    const cJSON *members[KEY_COUNT];

    read_members(reader, value, "within", keys, KEY_COUNT, members);
    rule->kind = COMPARE_WITHIN;
    rule->absolute = read_number(reader, members[ABSOLUTE], 0, 1e300);
    rule->relative = read_number(reader, members[RELATIVE], 0, 1);
    rule->ulps = read_number(reader, members[ULP], 0, 1 << 24);
    rule->of_magnitude = read_number(reader, members[MAGNITUDE], 0, 1);
    if (rule->absolute + rule->relative + rule->ulps + rule->of_magnitude <= 0) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "within needs a tolerance above 0: 'absolute', 'relative', 'ulp' or "
                    "'magnitude'; for none write \"exact\"");
    }
}

/* {"additions": "n"} */
static void read_bound(struct rubric_reader *reader, const cJSON *value,
                       const struct rubric_launch *launch, struct compare_rule *rule)
{
    static const struct rubric_key keys[] = {{"additions", true}};
    const struct expectation additions = {"the number of additions", 1, INTEGER_MAX, true};
    const cJSON *members[1];

    read_members(reader, value, "bound", keys, 1, members);
    rule->kind = COMPARE_BOUND;
    rule->additions = read_amount(reader, members[0]);
    if (rule->additions != NULL) {
        check_values(reader, launch, members[0], rule->additions, &additions);
    }
}

static struct compare_rule read_compare(struct rubric_reader *reader, const cJSON *value,
                                        const struct rubric_launch *launch,
                                        const struct rubric_operand *operand)
{
    enum { BOUND, WITHIN, SHARE, KEY_COUNT };
    static const struct rubric_key keys[KEY_COUNT] = {
        [BOUND] = {"bound", false}, [WITHIN] = {"within", false}, [SHARE] = {"share", false}};
    static const char *const words[] = {"exact", "bound", "check"};
    static const enum compare_kind kinds[] = {COMPARE_EXACT, COMPARE_BOUND, COMPARE_CHECK};
    const cJSON *members[KEY_COUNT];
    struct compare_rule rule = {.kind = COMPARE_AS_USUAL};

    if (value != NULL && !operand_is_result(operand)) {
        reader_fail(reader, ERROR_RANGE, value, true, "only an output is compared; '%s' is %s",
                    operand->name, operand->role == OPERAND_INPUT ? "an input" : "scratch memory");
    }
    if (value == NULL || reader->error != ERROR_NONE) {
        return rule;
    }
    if (!cJSON_IsObject(value)) {
        rule.kind = kinds[read_word(reader, value, words, sizeof words / sizeof words[0])];
    } else {
        read_members(reader, value, "compare", keys, KEY_COUNT, members);
        if (members[BOUND] == NULL && members[WITHIN] == NULL && members[SHARE] == NULL) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "compare needs 'bound', 'within' or 'share'");
        } else if (members[BOUND] != NULL && members[WITHIN] != NULL) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "compare may have either 'bound' or 'within'");
        }
        if (members[BOUND] != NULL) {
            read_bound(reader, members[BOUND], launch, &rule);
        }
        if (members[WITHIN] != NULL) {
            read_within(reader, members[WITHIN], &rule);
        }
        rule.has_share = members[SHARE] != NULL;
        rule.share = read_number(reader, members[SHARE], 0, 1);
    }
    if (rule.kind == COMPARE_BOUND && !element_is_float(operand->type)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "a bound is for floats; '%s' is of integers, which are exact", operand->name);
    }
    return rule;
}

static bool read_initial(struct rubric_reader *reader, const cJSON *value,
                         const struct rubric_operand *operand)
{
    static const char *const words[] = {"poison", "zero"};

    if (value != NULL && operand->role != OPERAND_OUTPUT) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an operand with the role 'output' may have the key 'initial'; '%s' has "
                    "another one",
                    operand->name);
    }
    return read_word(reader, value, words, 2) == 1;
}

/* What a file can hold as model/wb.h reads it. */
static void check_file(struct rubric_reader *reader, const cJSON *value,
                       const struct rubric_operand *operand)
{
    if (operand->role != OPERAND_INPUT) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an input is in a file; '%s' has another role", operand->name);
    } else if (operand->lanes > 0 || (operand->file == FILE_NUMBERS && operand->rank > 2)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "a file holds a list or a matrix of numbers; '%s' is neither", operand->name);
    } else if (operand->file == FILE_IMAGE &&
               (operand->type != ELEMENT_F32 || operand->rank < 2 ||
                (operand->rank > 2 && strcmp(expression_text(operand->shape[2]), "3") != 0))) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "an image has the type f32 and the shape [height, width] or "
                    "[height, width, 3]; '%s' has not",
                    operand->name);
    }
}

/* Reads where an operand lies. Those of a program are in files, but for its result. */
static void read_memory(struct rubric_reader *reader, const cJSON *value,
                        const struct rubric_launch *launch, struct rubric_operand *out)
{
    enum { DEVICE, HOST, NUMBERS, IMAGE, WORDS };
    static const char *const words[] = {"device", "host", "file", "image"};
    const size_t word = read_word(reader, value, words, WORDS);
    const bool is_program = launch_is_program(launch);

    out->is_in_host_memory = word == HOST || is_program;
    out->file = word == NUMBERS ? FILE_NUMBERS : word == IMAGE ? FILE_IMAGE : FILE_NONE;
    if (reader->error != ERROR_NONE) {
        return;
    }
    if (word == HOST && launch->call == NULL) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "'%s' can lie in host memory only if a call is judged", out->name);
    } else if (out->file != FILE_NONE && !is_program) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "'%s' can be in a file only if a whole program is judged: the call 'main'",
                    out->name);
    } else if (is_program && out->file == FILE_NONE && value != NULL) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "the inputs of the call 'main' are in files, and its result is where the "
                    "program has it: '%s' cannot lie anywhere else",
                    out->name);
    } else if (out->file != FILE_NONE) {
        check_file(reader, value, out);
    }
}

/* A program reads its inputs, and hands over one result. */
static void check_program_operand(struct rubric_reader *reader, const cJSON *value,
                                  const struct rubric_launch *launch,
                                  const struct rubric_operand *operand)
{
    bool has_result = false;

    for (size_t i = 0; i < launch->operand_count; i++) {
        has_result = has_result || operand_is_result(&launch->operands[i]);
    }
    if (reader->error != ERROR_NONE || !launch_is_program(launch)) {
        return;
    }
    if (operand->role == OPERAND_INPUT && operand->file == FILE_NONE) {
        reader_fail(reader, ERROR_SYNTAX, value, false,
                    "the input '%s' of the call 'main' lacks the key 'memory', which says what its "
                    "file is: \"file\" or \"image\"",
                    operand->name);
    } else if (operand->role != OPERAND_INPUT && (operand->role != OPERAND_OUTPUT || has_result)) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the call 'main' has inputs and one output; '%s' is another operand",
                    operand->name);
    }
}

/* Finds the operand that says how many elements of an output count. */
static void resolve_counter(struct rubric_reader *reader, const cJSON *value,
                            struct rubric_launch *launch, struct rubric_operand *operand)
{
    const struct expectation one = {"the number of elements of a counter", 1, 1, false};

    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    size_t index = read_reference(reader, value, "operand", launch->operands,
                                  sizeof launch->operands[0], launch->operand_count);
    const struct rubric_operand *counter = &launch->operands[index];
    if (reader->error != ERROR_NONE) {
        return;
    }
    if (!operand_is_result(operand)) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "only an output may have the key 'count'; '%s' is none", operand->name);
    } else if (counter == operand || !operand_is_result(counter) ||
               element_is_float(counter->type) || operand_lanes(counter) > 1 ||
               counter->is_counted) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "'%s' cannot say how many elements of '%s' count: it must be another output, "
                    "one integer",
                    counter->name, operand->name);
    } else {
        check_values(reader, launch, value, product_of(reader, counter), &one);
    }
    operand->is_counted = true;
    operand->counter = index;
}

static void read_operand(struct rubric_reader *reader, const cJSON *value,
                         struct rubric_launch *launch)
{
    static const char *const roles[] = {[OPERAND_INPUT] = "input",
                                        [OPERAND_OUTPUT] = "output",
                                        [OPERAND_IN_PLACE] = "in_place",
                                        [OPERAND_SCRATCH] = "scratch"};
    const cJSON *members[OPERAND_KEY_COUNT];
    struct rubric_operand *out = &launch->operands[launch->operand_count];

    read_members(reader, value, "an operand", operand_keys, OPERAND_KEY_COUNT, members);
    out->name = read_name(reader, members[OPERAND_KEY_NAME], NAME_IDENTIFIER);
    reader_check_unique(reader, members[OPERAND_KEY_NAME], "operand", launch->operands,
                        sizeof launch->operands[0], launch->operand_count);
    out->bind = read_place(reader, value, members[OPERAND_KEY_BIND], launch, true, &out->bind);
    out->type = read_type(reader, members[OPERAND_KEY_TYPE], &out->lanes);
    out->role = (enum operand_role)read_word(reader, members[OPERAND_KEY_ROLE], roles,
                                             sizeof roles / sizeof roles[0]);
    read_shape(reader, members[OPERAND_KEY_SHAPE], launch, out);
    out->values = read_domain(reader, members[OPERAND_KEY_VALUES]);
    check_domain(reader, members[OPERAND_KEY_VALUES], launch, out, &out->values);
    out->largest = read_largest(reader, members[OPERAND_KEY_LARGEST], out);
    read_memory(reader, members[OPERAND_KEY_MEMORY], launch, out);
    check_program_operand(reader, value, launch, out);
    out->starts_as_zero = read_initial(reader, members[OPERAND_KEY_INITIAL], out);
    out->compare = read_compare(reader, members[OPERAND_KEY_COMPARE], launch, out);
    launch->operand_count++;
}

void read_operands(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch)
{
    size_t count = read_list(reader, value, 1, RUBRIC_OPERANDS_MAX);
    size_t outputs = 0, index = 0;
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_operand(reader, item, launch);
        outputs += operand_is_result(&launch->operands[i]) ? 1 : 0;
    }
    if (reader->error != ERROR_NONE) {
        return;
    }
    cJSON_ArrayForEach(item, value)
    {
        const char *key = operand_keys[OPERAND_KEY_COUNTER].name;
        resolve_counter(reader, cJSON_GetObjectItemCaseSensitive(item, key), launch,
                        &launch->operands[index++]);
    }
    if (outputs == 0) {
        reader_fail(reader, ERROR_RANGE, value, true,
                    "a launch needs an operand with the role 'output' or 'in_place'");
    }
}

/* Scalars **************************************************************************************/

static void read_scalar(struct rubric_reader *reader, const cJSON *value,
                        struct rubric_launch *launch)
{
    const cJSON *members[SCALAR_KEY_COUNT];
    struct rubric_scalar *out = &launch->scalars[launch->scalar_count];

    read_members(reader, value, "a scalar", scalar_keys, SCALAR_KEY_COUNT, members);
    out->name = read_name(reader, members[SCALAR_KEY_NAME], NAME_IDENTIFIER);
    reader_check_unique(reader, members[SCALAR_KEY_NAME], "scalar", launch->scalars,
                        sizeof launch->scalars[0], launch->scalar_count);
    out->bind = read_place(reader, value, members[SCALAR_KEY_BIND], launch, false, &out->bind);
    out->type = read_type(reader, members[SCALAR_KEY_TYPE], NULL);
    out->value = read_expression(reader, members[SCALAR_KEY_VALUE], NAMES_BLOCK | NAMES_PARAMETERS);
    if (out->value != NULL) {
        const struct expectation number = number_of(out->type, "the scalar");
        check_values(reader, launch, members[SCALAR_KEY_VALUE], out->value, &number);
    }
    launch->scalar_count++;
}

void read_scalars(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch)
{
    size_t count = read_list(reader, value, 0, RUBRIC_OPERANDS_MAX);
    const cJSON *item = count > 0 ? value->child : NULL;

    for (size_t i = 0; i < count && reader->error == ERROR_NONE; i++, item = item->next) {
        read_scalar(reader, item, launch);
    }
}
