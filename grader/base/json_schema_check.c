/* json_schema_check.c: holds a value to a compiled schema; see json_schema.h.
 *
 *     check_node: reference, type and constants, then by type, then all, any, one of, not, if
 *
 * The recursion goes down with the document (json.h bounds how deep) and, at one value, with what
 * is applied to it (json_schema.c bounds that). Each check is done in one of two ways: to be told
 * what is wrong, or, without a sink, only to learn whether anything is; the second stops at the
 * first mistake. Where there are alternatives all are asked the second way, and only if none fits
 * one is told of.
 */
#include "base/json_schema_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 900, ALTERNATIVE_WORK = 1000 };

/* Where in the document a check is. */
struct spot {
    const struct spot *up; /* NULL at the root */
    const cJSON *value;    /* what is checked */
    const cJSON *place;    /* the same; for a key that is checked, its member */
    bool is_key;
};

/* Why alternatives do not fit, from the farthest to the nearest. */
enum distance {
    FAR_TYPE,     /* the value is of another type */
    FAR_CONSTANT, /* it, or a member that tells what it is, is not the one value */
    FAR_CHOICE,   /* it is none of some values; as far as the one before */
    NEAR,
};

struct mistake {
    struct json_mistake told;
    const cJSON *holder;    /* what holds the value; NULL for the root */
    const char *expected;   /* of what is not NEAR: "a number", "1, 2 or 3" */
    const char *got;        /* likewise */
    enum distance distance; /* from fitting, by this alone */
};

struct sink {
    struct mistake mistakes[JSON_SCHEMA_MISTAKES_MAX];
    size_t count, total;
};

struct check {
    struct arena *arena;
    size_t work; /* what is left */
    bool is_exhausted;
};

static bool check_node(struct check *check, const struct schema_node *node, const struct spot *spot,
                       struct sink *sink);

/* Counts steps; false when there are no more, then everything ends. */
static bool spend(struct check *check, size_t steps)
{
    if (check->work < steps) {
        check->work = 0;
        check->is_exhausted = true;
        return false;
    }
    check->work -= steps;
    return true;
}

/* Appends one step of a pointer: "/" and the key, or the index. */
static void append_step(const struct spot *spot, struct text *out)
{
    size_t index = 0;

    text_append_char(out, '/');
    if (spot->place->string != NULL) {
        for (const char *c = spot->place->string; *c != '\0'; c++) {
            text_append_bytes(out,
                              *c == '~'   ? "~0"
                              : *c == '/' ? "~1"
                                          : c,
                              *c == '~' || *c == '/' ? 2 : 1);
        }
        return;
    }
    for (const cJSON *item = spot->up->value->child; item != spot->place; item = item->next) {
        index++;
    }
    text_printf(out, "%zu", index);
}

static const char *pointer_of(struct check *check, const struct spot *spot)
{
    const struct spot *steps[128];
    size_t count = 0;
    struct text text;

    for (; spot->up != NULL && count < 128; spot = spot->up) {
        steps[count++] = spot;
    }
    text_init(&text);
    while (count > 0) {
        append_step(steps[--count], &text);
    }
    const char *pointer = arena_strndup(check->arena, text.bytes, text.length);
    text_release(&text);
    return pointer;
}

static bool is_told(const struct sink *sink, const struct json_mistake *mistake)
{
    for (size_t i = 0; i < sink->count; i++) {
        const struct json_mistake *other = &sink->mistakes[i].told;
        if (other->value == mistake->value && other->at_key == mistake->at_key &&
            strcmp(other->message, mistake->message) == 0) {
            return true;
        }
    }
    return false;
}

static void add_mistake(struct sink *sink, const struct mistake *mistake)
{
    if (is_told(sink, &mistake->told)) {
        return;
    }
    sink->total++;
    if (sink->count < JSON_SCHEMA_MISTAKES_MAX) {
        sink->mistakes[sink->count++] = *mistake;
    }
}

/* A mistake at a spot, in the words of `message`; false, for the caller to hand on. */
static bool tell(struct check *check, struct sink *sink, const struct spot *spot,
                 const struct text *message)
{
    if (sink == NULL) {
        return false;
    }
    if (sink->count == JSON_SCHEMA_MISTAKES_MAX) {
        sink->total++;
        return false;
    }
    size_t length = message->length < MESSAGE_MAX ? message->length : MESSAGE_MAX;
    const struct mistake mistake = {
        .told = {pointer_of(check, spot), spot->place, spot->is_key,
                 arena_strndup(check->arena, message->bytes, length)},
        .distance = NEAR,
    };
    add_mistake(sink, &mistake);
    return false;
}

static bool tell_words(struct check *check, struct sink *sink, const struct spot *spot,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool tell_words(struct check *check, struct sink *sink, const struct spot *spot,
                       const char *format, ...)
{
    char words[MESSAGE_MAX];
    va_list arguments;
    struct text message;

    if (sink == NULL) {
        return false;
    }
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_init(&message);
    text_append(&message, words);
    tell(check, sink, spot, &message);
    text_release(&message);
    return false;
}

/* Makes a string that lives as long as the mistakes. */
static const char *keep_words(struct check *check, struct text *words)
{
    const char *kept = arena_strndup(check->arena, words->bytes, words->length);

    text_release(words);
    return kept;
}

/* "expected THIS, got THAT", which alternatives can put together. */
static bool tell_expected(struct check *check, struct sink *sink, const struct spot *spot,
                          const char *expected, enum distance distance)
{
    size_t count = sink->count;
    struct text got;

    text_init(&got);
    schema_say_value(spot->value, &got);
    tell_words(check, sink, spot, "expected %s, got %s", expected, got.bytes);
    if (sink->count > count) {
        struct mistake *mistake = &sink->mistakes[count];
        mistake->expected = expected;
        mistake->got = arena_strndup(check->arena, got.bytes, got.length);
        mistake->distance = distance;
        mistake->holder = spot->up == NULL ? NULL : spot->up->value;
    }
    text_release(&got);
    return false;
}

static bool check_refusal(struct check *check, const struct schema_node *node,
                          const struct spot *spot, struct sink *sink)
{
    struct spot at = *spot;
    struct text message;

    if (!node->refuses_all) {
        return true;
    }
    at.is_key = spot->place->string != NULL;
    text_init(&message);
    if (at.is_key) {
        text_append(&message, "the key ");
        schema_say_name(spot->place->string, &message);
        text_append(&message, " is not allowed here");
    } else {
        text_append(&message, "nothing is allowed here");
    }
    tell(check, sink, &at, &message);
    text_release(&message);
    return false;
}

/* Numbers by value, objects whatever the order of their members. The recursion goes as deep as the
 * documents. */
static bool is_equal(struct check *check, const cJSON *a, const cJSON *b)
{
    if (!spend(check, 1) || ((schema_type_of(a) ^ schema_type_of(b)) != 0)) {
        return false;
    }
    if (cJSON_IsString(a)) {
        return strcmp(a->valuestring, b->valuestring) == 0;
    }
    if (cJSON_IsNumber(a)) {
        return !(a->valuedouble < b->valuedouble) && !(a->valuedouble > b->valuedouble);
    }
    if (cJSON_IsBool(a)) {
        return cJSON_IsTrue(a) == cJSON_IsTrue(b);
    }
    if (cJSON_IsArray(a)) {
        const cJSON *other = b->child;
        for (const cJSON *item = a->child; item != NULL; item = item->next, other = other->next) {
            if (other == NULL || !is_equal(check, item, other)) {
                return false;
            }
        }
        return other == NULL;
    }
    if (cJSON_IsObject(a)) {
        size_t count = (size_t)cJSON_GetArraySize(a);
        if (count != (size_t)cJSON_GetArraySize(b)) {
            return false;
        }
        for (const cJSON *member = a->child; member != NULL; member = member->next) {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(b, member->string);
            if (!spend(check, count) || other == NULL || !is_equal(check, member, other)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_type(struct check *check, const struct schema_node *node, const struct spot *spot,
                       struct sink *sink)
{
    struct text words;

    if (node->types == 0 || (node->types & schema_type_of(spot->value)) != 0) {
        return true;
    }
    if (sink == NULL) {
        return false;
    }
    text_init(&words);
    schema_say_types(node->types, &words);
    return tell_expected(check, sink, spot, keep_words(check, &words), FAR_TYPE);
}

static bool check_constant(struct check *check, const struct schema_node *node,
                           const struct spot *spot, struct sink *sink)
{
    const cJSON *constant = node->values[KEYWORD_CONST];
    const cJSON *choices = node->values[KEYWORD_ENUM];
    struct text words;

    if (constant != NULL && !is_equal(check, constant, spot->value)) {
        if (sink == NULL) {
            return false;
        }
        text_init(&words);
        schema_say_value(constant, &words);
        return tell_expected(check, sink, spot, keep_words(check, &words), FAR_CONSTANT);
    }
    if (choices == NULL) {
        return true;
    }
    for (const cJSON *choice = choices->child; choice != NULL; choice = choice->next) {
        if (is_equal(check, choice, spot->value)) {
            return true;
        }
    }
    if (sink == NULL) {
        return false;
    }
    text_init(&words);
    schema_say_choices(choices, &words);
    return tell_expected(check, sink, spot, keep_words(check, &words), FAR_CHOICE);
}

static bool check_number(struct check *check, const struct schema_node *node,
                         const struct spot *spot, struct sink *sink)
{
    const double *limits = node->numbers;
    double value = spot->value->valuedouble;
    bool fits = true;

    if (!cJSON_IsNumber(spot->value)) {
        return true;
    }
    if (node->has[KEYWORD_MINIMUM] && value < limits[KEYWORD_MINIMUM]) {
        fits = tell_words(check, sink, spot, "expected at least %.15g, got %.15g",
                          limits[KEYWORD_MINIMUM], value);
    }
    if (node->has[KEYWORD_MAXIMUM] && value > limits[KEYWORD_MAXIMUM]) {
        fits = tell_words(check, sink, spot, "expected at most %.15g, got %.15g",
                          limits[KEYWORD_MAXIMUM], value);
    }
    if (node->has[KEYWORD_EXCLUSIVE_MINIMUM] && value <= limits[KEYWORD_EXCLUSIVE_MINIMUM]) {
        fits = tell_words(check, sink, spot, "expected more than %.15g, got %.15g",
                          limits[KEYWORD_EXCLUSIVE_MINIMUM], value);
    }
    if (node->has[KEYWORD_EXCLUSIVE_MAXIMUM] && value >= limits[KEYWORD_EXCLUSIVE_MAXIMUM]) {
        fits = tell_words(check, sink, spot, "expected less than %.15g, got %.15g",
                          limits[KEYWORD_EXCLUSIVE_MAXIMUM], value);
    }
    return fits;
}

/* Things that are counted, and the keywords that bound their number. */
struct counted {
    enum schema_keyword minimum, maximum;
    const char *one, *several;
};

static bool check_size(struct check *check, const struct schema_node *node, const struct spot *spot,
                       struct sink *sink, const struct counted *counted, size_t size)
{
    double minimum = node->numbers[counted->minimum], maximum = node->numbers[counted->maximum];

    if (node->has[counted->minimum] && (double)size < minimum) {
        return tell_words(check, sink, spot, "expected at least %.0f %s, got %zu", minimum,
                          minimum < 2 ? counted->one : counted->several, size);
    }
    if (node->has[counted->maximum] && (double)size > maximum) {
        return tell_words(check, sink, spot, "expected at most %.0f %s, got %zu", maximum,
                          maximum < 2 ? counted->one : counted->several, size);
    }
    return true;
}

static bool check_pattern(struct check *check, const struct json_pattern *pattern, const char *text,
                          size_t characters)
{
    size_t size = json_pattern_size(pattern);

    return spend(check, size + (characters / 16 + 1) * size) && json_pattern_matches(pattern, text);
}

static bool check_string(struct check *check, const struct schema_node *node,
                         const struct spot *spot, struct sink *sink)
{
    static const struct counted characters = {KEYWORD_MIN_LENGTH, KEYWORD_MAX_LENGTH, "character",
                                              "characters"};
    size_t length = 0;

    if (!cJSON_IsString(spot->value)) {
        return true;
    }
    for (const char *c = spot->value->valuestring; *c != '\0'; c++) {
        length += ((unsigned char)*c & 0xC0) != 0x80;
    }
    bool fits =
        spend(check, length / 16) && check_size(check, node, spot, sink, &characters, length);
    if ((fits || sink != NULL) && node->pattern != NULL &&
        !check_pattern(check, node->pattern, spot->value->valuestring, length)) {
        struct text message;
        text_init(&message);
        const cJSON *help = cJSON_GetObjectItemCaseSensitive(node->source, "description");
        text_printf(&message, "expected text that fits %.200s%s%.200s%s, got ",
                    json_pattern_source(node->pattern), help == NULL ? "" : " (",
                    help == NULL ? "" : help->valuestring, help == NULL ? "" : ")");
        schema_say_value(spot->value, &message);
        fits = tell(check, sink, spot, &message);
        text_release(&message);
    }
    return fits;
}

/* The first two entries that are equal are told, at the second. */
static bool check_unique(struct check *check, const struct schema_node *node,
                         const struct spot *spot, struct sink *sink)
{
    size_t index = 0;

    if (!node->is_unique) {
        return true;
    }
    for (const cJSON *item = spot->value->child; item != NULL; item = item->next) {
        index = 0;
        for (const cJSON *other = spot->value->child; other != item; other = other->next) {
            if (is_equal(check, item, other)) {
                const struct spot at = {.up = spot, .value = item, .place = item};
                return tell_words(check, sink, &at,
                                  "expected entries that differ, got the same as in entry %zu",
                                  index);
            }
            if (check->is_exhausted) {
                return false;
            }
            index++;
        }
    }
    return true;
}

static bool check_array(struct check *check, const struct schema_node *node,
                        const struct spot *spot, struct sink *sink)
{
    static const struct counted entries = {KEYWORD_MIN_ITEMS, KEYWORD_MAX_ITEMS, "entry",
                                           "entries"};
    const struct schema_nodes *prefix = &node->lists[KEYWORD_PREFIX_ITEMS];
    size_t index = 0;

    if (!cJSON_IsArray(spot->value)) {
        return true;
    }
    bool fits =
        check_size(check, node, spot, sink, &entries, (size_t)cJSON_GetArraySize(spot->value)) &&
        check_unique(check, node, spot, sink);
    for (const cJSON *item = spot->value->child; item != NULL; item = item->next, index++) {
        const struct schema_node *own =
            index < prefix->count ? prefix->items[index] : node->schemas[KEYWORD_ITEMS];
        const struct spot at = {.up = spot, .value = item, .place = item};
        if (!fits && (sink == NULL || check->is_exhausted)) {
            return false;
        }
        fits = (own == NULL || check_node(check, own, &at, sink)) && fits;
    }
    return fits;
}

static int compare_members(const void *a, const void *b)
{
    return strcmp(((const struct schema_member *)a)->name, ((const struct schema_member *)b)->name);
}

/* Tells which keys there may be. */
static bool tell_unknown(struct check *check, struct sink *sink, const struct schema_node *node,
                         const struct spot *spot)
{
    enum { SHOWN_MAX = 16 };
    const struct spot at = {
        .up = spot->up, .value = spot->value, .place = spot->place, .is_key = true};
    struct text message;
    size_t shown = 0;

    if (sink == NULL) {
        return false;
    }
    if (sink->count == JSON_SCHEMA_MISTAKES_MAX) {
        sink->total++; /* no looking for the keys of a large object once more */
        return false;
    }
    text_init(&message);
    text_append(&message, "unknown key ");
    schema_say_name(spot->place->string, &message);
    for (size_t i = 0; i < node->property_count && shown < SHOWN_MAX; i++) {
        if (!node->properties[i].node->refuses_all &&
            cJSON_GetObjectItemCaseSensitive(spot->up->value, node->properties[i].name) == NULL) {
            text_append(&message, shown++ == 0 ? "; expected: " : ", ");
            text_append(&message, node->properties[i].name);
        }
    }
    if (shown == SHOWN_MAX) {
        text_append(&message, ", ...");
    }
    tell(check, sink, &at, &message);
    text_release(&message);
    return false;
}

/* Holds one member to all that the schema says of it. */
static bool check_member(struct check *check, const struct schema_node *node,
                         const struct spot *spot, struct sink *sink)
{
    const struct schema_member wanted = {.name = spot->place->string};
    const struct schema_node *additional = node->schemas[KEYWORD_ADDITIONAL_PROPERTIES];
    const struct schema_member *found =
        node->property_count == 0 ? NULL
                                  : bsearch(&wanted, node->properties, node->property_count,
                                            sizeof wanted, compare_members);
    bool is_known = found != NULL;
    bool fits = found == NULL || check_node(check, found->node, spot, sink);

    for (size_t i = 0; i < node->patterned_count; i++) {
        if (check_pattern(check, node->patterned[i].pattern, wanted.name, strlen(wanted.name))) {
            is_known = true;
            fits = check_node(check, node->patterned[i].node, spot, sink) && fits;
        }
    }
    if (!is_known && additional != NULL && additional->refuses_all) {
        fits = tell_unknown(check, sink, node, spot);
    } else if (!is_known && additional != NULL) {
        fits = check_node(check, additional, spot, sink) && fits;
    }
    if (node->schemas[KEYWORD_PROPERTY_NAMES] != NULL) {
        cJSON key = {.type = cJSON_String, .valuestring = spot->place->string};
        const struct spot at = {
            .up = spot->up, .value = &key, .place = spot->place, .is_key = true};
        fits = check_node(check, node->schemas[KEYWORD_PROPERTY_NAMES], &at, sink) && fits;
    }
    return fits;
}

static bool tell_missing(struct check *check, struct sink *sink, const struct spot *spot,
                         const char *name, const char *needed_by)
{
    struct text message;

    if (sink == NULL) {
        return false;
    }
    text_init(&message);
    text_append(&message, "the key ");
    schema_say_name(name, &message);
    text_append(&message, " is missing");
    if (needed_by != NULL) {
        text_append(&message, "; it goes with ");
        schema_say_name(needed_by, &message);
    }
    tell(check, sink, spot, &message);
    text_release(&message);
    return false;
}

/* Tells which of the names are no keys of the object. */
static bool check_names(struct check *check, const cJSON *names, const char *needed_by,
                        const struct spot *spot, struct sink *sink)
{
    size_t count = (size_t)cJSON_GetArraySize(spot->value);
    bool fits = true;

    for (const cJSON *name = names == NULL ? NULL : names->child; name != NULL; name = name->next) {
        if (!spend(check, count / 4 + 1)) {
            return false;
        }
        if (cJSON_GetObjectItemCaseSensitive(spot->value, name->valuestring) == NULL) {
            fits = tell_missing(check, sink, spot, name->valuestring, needed_by);
        }
    }
    return fits;
}

static bool check_required(struct check *check, const struct schema_node *node,
                           const struct spot *spot, struct sink *sink)
{
    const cJSON *dependent = node->values[KEYWORD_DEPENDENT_REQUIRED];
    bool fits = check_names(check, node->values[KEYWORD_REQUIRED], NULL, spot, sink);

    for (const cJSON *list = dependent == NULL ? NULL : dependent->child; list != NULL;
         list = list->next) {
        if (cJSON_GetObjectItemCaseSensitive(spot->value, list->string) != NULL) {
            fits = check_names(check, list, list->string, spot, sink) && fits;
        }
    }
    return fits;
}

static bool check_object(struct check *check, const struct schema_node *node,
                         const struct spot *spot, struct sink *sink)
{
    static const struct counted keys = {KEYWORD_MIN_PROPERTIES, KEYWORD_MAX_PROPERTIES, "key",
                                        "keys"};

    if (!cJSON_IsObject(spot->value)) {
        return true;
    }
    bool fits = check_required(check, node, spot, sink);
    fits =
        check_size(check, node, spot, sink, &keys, (size_t)cJSON_GetArraySize(spot->value)) && fits;
    for (const cJSON *member = spot->value->child; member != NULL; member = member->next) {
        const struct spot at = {.up = spot, .value = member, .place = member};
        if (!fits && (sink == NULL || check->is_exhausted)) {
            return false;
        }
        fits = check_member(check, node, &at, sink) && fits;
    }
    return fits;
}

/* How far a value is from an alternative that it does not fit; *out_decisive is what says so. */
static enum distance distance_of(const struct sink *sink, const struct spot *spot,
                                 const struct mistake **out_decisive)
{
    enum distance distance = NEAR;

    *out_decisive = NULL;
    for (size_t i = 0; i < sink->count; i++) {
        const struct mistake *mistake = &sink->mistakes[i];
        bool is_own = mistake->told.value == spot->place;
        bool is_telling = mistake->distance == FAR_CONSTANT && mistake->holder == spot->value;
        enum distance own = mistake->distance == FAR_CHOICE ? FAR_CONSTANT : mistake->distance;
        if ((is_own || is_telling) && own < distance) {
            distance = own;
            *out_decisive = mistake;
        }
    }
    return distance;
}

/* True if one before says the same, or it is about another value. */
static bool is_said(const struct mistake *const *decisive, size_t index)
{
    if (decisive[index]->told.value != decisive[0]->told.value) {
        return true;
    }
    for (size_t i = 0; i < index; i++) {
        if (decisive[i]->told.value == decisive[0]->told.value &&
            strcmp(decisive[i]->expected, decisive[index]->expected) == 0) {
            return true;
        }
    }
    return false;
}

/* One mistake out of those by which alternatives differ: "expected A, B or C, got D". */
static void tell_together(struct check *check, struct sink *sink,
                          const struct mistake *const *decisive, size_t count)
{
    struct mistake together = *decisive[0];
    struct text words, message;
    size_t last = 0;

    for (size_t i = 0; i < count; i++) {
        last = is_said(decisive, i) ? last : i;
    }
    text_init(&words);
    text_init(&message);
    for (size_t i = 0; i <= last; i++) {
        if (!is_said(decisive, i) && words.length < MESSAGE_MAX / 2) {
            text_append(&words, i == 0 ? "" : i == last ? " or " : ", ");
            text_append(&words, decisive[i]->expected);
        }
    }
    text_printf(&message, "expected %.*s, got %s", MESSAGE_MAX / 2, words.bytes, together.got);
    together.expected = keep_words(check, &words);
    together.told.message = keep_words(check, &message);
    add_mistake(sink, &together);
}

/* Tells why none of the alternatives fits: of the nearest its mistakes; where several are as far,
 * what they expect. */
static bool tell_nearest(struct check *check, const struct schema_nodes *list,
                         const struct spot *spot, struct sink *sink)
{
    const struct mistake **decisive = arena_array(check->arena, list->count, sizeof *decisive);
    enum distance best = FAR_TYPE;
    struct sink *nearest = NULL;
    size_t count = 0;

    for (size_t i = 0; i < list->count && spend(check, ALTERNATIVE_WORK); i++) {
        const struct mistake *reason = NULL;
        struct sink *own = arena_alloc(check->arena, sizeof *own);
        check_node(check, list->items[i], spot, own);
        enum distance distance = distance_of(own, spot, &reason);
        if (own->count == 0 || (nearest != NULL && distance < best)) {
            continue;
        }
        if (nearest == NULL || distance > best || own->total < nearest->total) {
            nearest = own;
        }
        count = distance > best ? 0 : count;
        best = distance;
        if (reason != NULL) {
            decisive[count++] = reason;
        }
    }
    if (best != NEAR && count > 1) {
        tell_together(check, sink, decisive, count);
        return false;
    }
    for (size_t i = 0; nearest != NULL && i < nearest->count; i++) {
        add_mistake(sink, &nearest->mistakes[i]);
    }
    sink->total += nearest == NULL ? 0 : nearest->total - nearest->count;
    return false;
}

/* How many of some schemas a value fits; at most `enough` are counted. */
static size_t count_fitting(struct check *check, const struct schema_nodes *list,
                            const struct spot *spot, size_t enough)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count && count < enough; i++) {
        count += check_node(check, list->items[i], spot, NULL);
    }
    return count;
}

static bool check_alternatives(struct check *check, const struct schema_node *node,
                               const struct spot *spot, struct sink *sink)
{
    const struct schema_nodes *any = &node->lists[KEYWORD_ANY_OF];
    const struct schema_nodes *one = &node->lists[KEYWORD_ONE_OF];
    bool fits = true;

    if (any->count > 0 && count_fitting(check, any, spot, 1) == 0) {
        fits = sink != NULL && sink->count < JSON_SCHEMA_MISTAKES_MAX
                   ? tell_nearest(check, any, spot, sink)
                   : tell_words(check, sink, spot, "no alternative fits");
    }
    if (one->count == 0 || (!fits && sink == NULL)) {
        return fits;
    }
    size_t count = count_fitting(check, one, spot, one->count);
    if (count == 0) {
        return sink != NULL && sink->count < JSON_SCHEMA_MISTAKES_MAX
                   ? tell_nearest(check, one, spot, sink)
                   : tell_words(check, sink, spot, "no alternative fits");
    }
    if (count > 1) {
        return tell_words(check, sink, spot,
                          "it fits %zu of %zu alternatives, where it must fit one", count,
                          one->count);
    }
    return fits;
}

/* Says what must not be. */
static bool tell_forbidden(struct check *check, const struct schema_node *forbidden,
                           const struct spot *spot, struct sink *sink)
{
    const cJSON *names = forbidden->values[KEYWORD_REQUIRED];
    struct text message;

    if (sink == NULL) {
        return false;
    }
    text_init(&message);
    if (names != NULL && names->child != NULL && names->child->next != NULL) {
        text_append(&message, "these keys do not go together: ");
        for (const cJSON *name = names->child; name != NULL; name = name->next) {
            text_append(&message, name == names->child ? "" : ", ");
            schema_say_name(name->valuestring, &message);
        }
    } else {
        text_append(&message, "it is what must not be: ");
        schema_say_source(forbidden->source, &message);
    }
    tell(check, sink, spot, &message);
    text_release(&message);
    return false;
}

/* What is applied to the same value. */
static bool check_applied(struct check *check, const struct schema_node *node,
                          const struct spot *spot, struct sink *sink)
{
    const struct schema_nodes *all = &node->lists[KEYWORD_ALL_OF];
    const struct schema_node *forbidden = node->schemas[KEYWORD_NOT];
    const struct schema_node *condition = node->schemas[KEYWORD_IF];
    const struct schema_node *reference = node->schemas[KEYWORD_REF];
    bool fits = reference == NULL || check_node(check, reference, spot, sink);

    for (size_t i = 0; i < all->count; i++) {
        if (!fits && (sink == NULL || check->is_exhausted)) {
            return false;
        }
        fits = check_node(check, all->items[i], spot, sink) && fits;
    }
    if (forbidden != NULL && check_node(check, forbidden, spot, NULL)) {
        fits = tell_forbidden(check, forbidden, spot, sink);
    }
    if (condition != NULL && (fits || sink != NULL)) {
        bool holds = check_node(check, condition, spot, NULL);
        const struct schema_node *then = node->schemas[holds ? KEYWORD_THEN : KEYWORD_ELSE];
        fits = (then == NULL || check_node(check, then, spot, sink)) && fits;
    }
    return fits;
}

typedef bool check_function(struct check *check, const struct schema_node *node,
                            const struct spot *spot, struct sink *sink);

/* Holds a value to one node. What is of another type or another constant is told of for that alone.
 */
static bool check_node(struct check *check, const struct schema_node *node, const struct spot *spot,
                       struct sink *sink)
{
    static check_function *const first[] = {check_refusal, check_type, check_constant};
    static check_function *const all[] = {check_number, check_string,       check_array,
                                          check_object, check_alternatives, check_applied};
    bool fits = spend(check, 1);

    for (size_t i = 0; fits && i < sizeof first / sizeof first[0]; i++) {
        fits = first[i](check, node, spot, sink);
    }
    if (!fits) {
        return false;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fits = all[i](check, node, spot, sink) && fits;
        if (!fits && (sink == NULL || check->is_exhausted)) {
            return false;
        }
    }
    return fits;
}

enum error json_schema_check(struct arena *arena, const struct json_schema *schema,
                             const cJSON *value, struct json_mistakes *out_mistakes,
                             struct diagnostic *diagnostic)
{
    struct check check = {.arena = arena, .work = JSON_SCHEMA_WORK_MAX};
    const struct spot spot = {.value = value, .place = value};
    struct sink *sink = arena_alloc(arena, sizeof *sink);
    bool fits = check_node(&check, schema->root, &spot, sink);

    if (check.is_exhausted || fits != (sink->total == 0)) {
        bool is_ours = !check.is_exhausted;
        diagnostic_set(diagnostic, is_ours ? BLAME_GRADER : BLAME_USAGE,
                       is_ours ? "what is wrong with this document cannot be told"
                               : "this document is too much work to check against a schema");
        return is_ours ? ERROR_INTERNAL : ERROR_LIMIT;
    }
    *out_mistakes = (struct json_mistakes){.count = sink->count, .total = sink->total};
    for (size_t i = 0; i < sink->count; i++) {
        out_mistakes->first[i] = sink->mistakes[i].told;
    }
    return ERROR_NONE;
}
