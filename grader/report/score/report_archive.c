/* report_archive.c: walks the tables of archive_fields.c in both directions; see report_archive.h.
 *
 *   {"schema": "gpugrade/archive/v1", "is_public": false, "reports_hidden": true,
 *    "report": {field: value, ...}, "student": {"is_public": true, "reports_hidden": false, ...}}
 *
 * What is zero or NULL is left out. The student's report starts as a copy of the other one, so only
 * fields that point elsewhere are written, null where there is nothing. JSON cannot hold all: a
 * text that is no UTF-8 is {"hex": digits}, a number that a double does not hold, or that JSON does
 * not know, is text.
 */
#include "report/score/report_archive.h"

#include "base/json.h"
#include "report/score/archive_fields.h"
#include "report/score/json_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char schema_name[] = "gpugrade/archive/v1";

static const double EXACT_LIMIT = 0x1p53; /* whole numbers below are exact in a double */

struct writer {
    const struct rubric *rubric; /* that of the report */
    struct text scratch;
};

static const void *field_at(const struct archive_field *field, const void *object)
{
    return (const char *)object + field->offset;
}

static size_t count_of(const struct archive_field *field, const void *object)
{
    size_t count = 0;

    memcpy(&count, (const char *)object + field->count_offset, sizeof count);
    return count;
}

static cJSON *bytes_value(struct writer *writer, const char *bytes, size_t length)
{
    if (text_is_utf8(bytes, length)) {
        text_clear(&writer->scratch);
        text_append_bytes(&writer->scratch, bytes, length);
        return json_made(cJSON_CreateString(writer->scratch.bytes));
    }
    text_clear(&writer->scratch);
    for (size_t i = 0; i < length; i++) {
        text_printf(&writer->scratch, "%02x", (unsigned char)bytes[i]);
    }
    cJSON *object = json_made(cJSON_CreateObject());
    json_add_text(object, "hex", writer->scratch.bytes);
    return object;
}

static cJSON *text_value(struct writer *writer, const char *text)
{
    return text == NULL ? NULL : bytes_value(writer, text, strlen(text));
}

static cJSON *double_value(struct writer *writer, double number)
{
    if (number == 0 && !signbit(number)) {
        return NULL;
    }
    if (isfinite(number) && number != 0) {
        return json_made(cJSON_CreateNumber(number));
    }
    text_clear(&writer->scratch);
    text_printf(&writer->scratch, "%g", number);
    return json_made(cJSON_CreateString(writer->scratch.bytes));
}

static cJSON *unsigned_value(struct writer *writer, uint64_t number)
{
    if (number == 0) {
        return NULL;
    }
    if ((double)number < EXACT_LIMIT) {
        return json_made(cJSON_CreateNumber((double)number));
    }
    text_clear(&writer->scratch);
    text_printf(&writer->scratch, "%" PRIu64, number);
    return json_made(cJSON_CreateString(writer->scratch.bytes));
}

static cJSON *signed_value(struct writer *writer, int64_t number)
{
    if (number >= 0) {
        return unsigned_value(writer, (uint64_t)number);
    }
    if ((double)number > -EXACT_LIMIT) {
        return json_made(cJSON_CreateNumber((double)number));
    }
    text_clear(&writer->scratch);
    text_printf(&writer->scratch, "%" PRId64, number);
    return json_made(cJSON_CreateString(writer->scratch.bytes));
}

static cJSON *triple_value(const uint32_t numbers[3])
{
    if (numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0) {
        return NULL;
    }
    cJSON *array = json_made(cJSON_CreateArray());
    for (size_t i = 0; i < 3; i++) {
        cJSON_AddItemToArray(array, json_made(cJSON_CreateNumber(numbers[i])));
    }
    return array;
}

static cJSON *states_value(struct writer *writer, const struct element_map *map)
{
    text_clear(&writer->scratch);
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        text_append_char(&writer->scratch, (char)('0' + map->states[i]));
    }
    return json_made(cJSON_CreateString(writer->scratch.bytes));
}

static cJSON *marks_value(struct writer *writer, const uint64_t *marks, size_t count)
{
    text_clear(&writer->scratch);
    for (size_t i = 0; i < count; i++) {
        text_printf(&writer->scratch, "%016" PRIx64, marks[i]);
    }
    return count == 0 ? NULL : json_made(cJSON_CreateString(writer->scratch.bytes));
}

/* An id; behind it what the report appends to the criterion's title: " (hidden)". */
static cJSON *criterion_value(const struct writer *writer, const struct rubric_criterion *criterion)
{
    const struct rubric *rubric = writer->rubric;
    cJSON *array = json_made(cJSON_CreateArray());

    cJSON_AddItemToArray(array, json_made(cJSON_CreateString(criterion->id)));
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const char *title = rubric->criteria[i].title;
        if (strcmp(rubric->criteria[i].id, criterion->id) == 0 &&
            text_starts_with(criterion->title, title) && criterion->title[strlen(title)] != '\0') {
            cJSON_AddItemToArray(array,
                                 json_made(cJSON_CreateString(criterion->title + strlen(title))));
        }
    }
    return array;
}

static cJSON *field_value(struct writer *writer, const struct archive_field *field,
                          const void *object);

/* The fields of a struct; those that `base` has alike are left out. The tables are not deep. */
static cJSON *struct_value(struct writer *writer, const struct archive_shape *shape,
                           const void *object, const void *base)
{
    cJSON *value = json_made(cJSON_CreateObject());

    for (size_t i = 0; i < shape->field_count; i++) {
        const struct archive_field *field = &shape->fields[i];
        if (base != NULL &&
            memcmp(field_at(field, object), field_at(field, base), archive_field_bytes(field)) ==
                0 &&
            (field->count_offset == 0 || count_of(field, object) == count_of(field, base))) {
            continue;
        }
        cJSON *member = field_value(writer, field, object);
        if (member == NULL && base != NULL) {
            member = json_made(cJSON_CreateNull());
        }
        if (member != NULL) {
            cJSON_AddItemToObjectCS(value, field->key, member);
        }
    }
    return value;
}

static cJSON *array_value(struct writer *writer, const struct archive_shape *shape,
                          const void *items, size_t count)
{
    if (count == 0) {
        return NULL;
    }
    cJSON *array = json_made(cJSON_CreateArray());
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(
            array, struct_value(writer, shape, (const char *)items + i * shape->bytes, NULL));
    }
    return array;
}

/* A pointer of a struct, whatever it points to. */
static const void *pointer_at(const void *place)
{
    const void *pointer = NULL;

    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

/* What is more than a number. */
static cJSON *composed_value(struct writer *writer, const struct archive_field *field,
                             const void *object)
{
    const void *place = field_at(field, object);
    cJSON *value = NULL;

    switch (field->type) {
    case ARCHIVE_BYTES:
        return bytes_value(writer, pointer_at(place), count_of(field, object));
    case ARCHIVE_LIST:
        return array_value(writer, field->shape, pointer_at(place), count_of(field, object));
    case ARCHIVE_INLINE:
        return array_value(writer, field->shape, place, count_of(field, object));
    case ARCHIVE_ONE:
        return pointer_at(place) == NULL
                   ? NULL
                   : struct_value(writer, field->shape, pointer_at(place), NULL);
    case ARCHIVE_STRUCT:
        value = struct_value(writer, field->shape, place, NULL);
        if (value->child == NULL) {
            cJSON_Delete(value);
            return NULL;
        }
        return value;
    case ARCHIVE_STATES:
        return states_value(writer, object);
    case ARCHIVE_MARKS:
        return marks_value(writer, pointer_at(place), count_of(field, object));
    case ARCHIVE_CRITERION:
        return criterion_value(writer, pointer_at(place));
    default:
        return NULL;
    }
}

/* NULL for what is zero. */
static cJSON *field_value(struct writer *writer, const struct archive_field *field,
                          const void *object)
{
    const void *place = field_at(field, object);

    switch (field->type) {
    case ARCHIVE_TEXT:
        return text_value(writer, pointer_at(place));
    case ARCHIVE_HASH:
        return text_value(writer, place);
    case ARCHIVE_FLAG:
        return *(const bool *)place ? json_made(cJSON_CreateTrue()) : NULL;
    case ARCHIVE_INT:
        return signed_value(writer, *(const int *)place);
    case ARCHIVE_U32:
        return unsigned_value(writer, *(const uint32_t *)place);
    case ARCHIVE_U32_TRIPLE:
        return triple_value(place);
    case ARCHIVE_U64:
        return unsigned_value(writer, *(const uint64_t *)place);
    case ARCHIVE_I64:
        return signed_value(writer, *(const int64_t *)place);
    case ARCHIVE_SIZE:
        return unsigned_value(writer, *(const size_t *)place);
    case ARCHIVE_NUMBER:
        return double_value(writer, *(const double *)place);
    case ARCHIVE_WORD:
        return *(const unsigned *)place == 0
                   ? NULL
                   : text_value(writer, field->word(*(const unsigned *)place));
    case ARCHIVE_LAUNCH:
        return text_value(writer, writer->rubric->launches[*(const size_t *)place].id);
    default:
        return composed_value(writer, field, object);
    }
}

/* Which view of the rubric a report shows. */
static void add_view(cJSON *object, const struct report *report, const struct report *whole)
{
    json_add_boolean(object, "is_public", report->rubric != whole->rubric);
    json_add_boolean(object, "tells_hidden", report->rubric->reports_hidden);
}

void report_archive_write(const struct report *report, struct text *out)
{
    struct writer writer = {.rubric = report->rubric};
    cJSON *root = json_made(cJSON_CreateObject());

    text_init(&writer.scratch);
    json_add_text(root, "schema", schema_name);
    add_view(root, report, report);
    cJSON_AddItemToObjectCS(root, "report",
                            struct_value(&writer, &archive_report_shape, report, NULL));
    if (report->student != NULL) {
        cJSON *student = json_add_object(root, "student");
        add_view(student, report->student, report);
        cJSON_AddItemToObjectCS(
            student, "report",
            struct_value(&writer, &archive_report_shape, report->student, report));
    }
    json_print_line(root, out);
    cJSON_Delete(root);
    text_release(&writer.scratch);
}

struct reader {
    struct arena *arena;
    const struct json_document *document;
    const struct rubric *rubric;
    struct diagnostic *diagnostic;
    bool is_damaged; /* the diagnostic says how */
    bool is_unknown; /* what is being read is about something that the rubric does not have */
};

static void damaged(struct reader *reader, const cJSON *value, const char *expected)
{
    if (!reader->is_damaged) {
        json_diagnostic(reader->document, value, false, reader->diagnostic,
                        "an archived report is damaged: expected %s; grade this submission again",
                        expected);
    }
    reader->is_damaged = true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes of two digits each; NULL if they are none. */
static const char *bytes_of_hex(struct reader *reader, const char *digits, size_t *out_length)
{
    size_t length = strlen(digits) / 2;
    char *bytes = arena_alloc(reader->arena, length + 1);

    for (size_t i = 0; i < length; i++) {
        int high = hex_digit(digits[2 * i]);
        int low = hex_digit(digits[2 * i + 1]);
        if (high < 0 || low < 0) {
            return NULL;
        }
        bytes[i] = (char)(high * 16 + low);
    }
    *out_length = length;
    return strlen(digits) % 2 == 0 ? bytes : NULL;
}

static const char *read_bytes(struct reader *reader, const cJSON *value, size_t *out_length)
{
    const char *bytes = NULL;

    if (cJSON_IsString(value)) {
        *out_length = strlen(value->valuestring);
        return arena_strndup(reader->arena, value->valuestring, *out_length);
    }
    const cJSON *hex = cJSON_GetObjectItemCaseSensitive(value, "hex");
    if (cJSON_IsString(hex)) {
        bytes = bytes_of_hex(reader, hex->valuestring, out_length);
    }
    if (bytes == NULL) {
        damaged(reader, value, "a text");
        *out_length = 0;
        return "";
    }
    return bytes;
}

static double read_double(struct reader *reader, const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        return value->valuedouble;
    }
    char *end = NULL;
    double number = cJSON_IsString(value) ? strtod(value->valuestring, &end) : 0;
    if (end == NULL || end == value->valuestring || *end != '\0') {
        damaged(reader, value, "a number");
        return 0;
    }
    return number;
}

/* A whole number of 64 bits, unsigned unless `is_signed`. */
static uint64_t read_whole(struct reader *reader, const cJSON *value, bool is_signed)
{
    double number = cJSON_IsNumber(value) ? value->valuedouble : 0.5;
    char *end = NULL;
    uint64_t whole = 0;

    if (number == trunc(number) && fabs(number) < EXACT_LIMIT && (number >= 0 || is_signed)) {
        return (uint64_t)(int64_t)number;
    }
    errno = 0;
    if (cJSON_IsString(value)) {
        whole = is_signed ? (uint64_t)strtoll(value->valuestring, &end, 10)
                          : strtoull(value->valuestring, &end, 10);
    }
    if (end == NULL || end == value->valuestring || *end != '\0' || errno != 0) {
        damaged(reader, value, "a whole number");
        return 0;
    }
    return whole;
}

static uint64_t read_at_most(struct reader *reader, const cJSON *value, uint64_t maximum)
{
    uint64_t whole = read_whole(reader, value, false);

    if (whole > maximum) {
        damaged(reader, value, "a smaller number");
        return 0;
    }
    return whole;
}

static void read_triple(struct reader *reader, const cJSON *value, uint32_t out[3])
{
    const cJSON *item = cJSON_IsArray(value) ? value->child : NULL;

    for (size_t i = 0; i < 3; i++) {
        if (item == NULL) {
            damaged(reader, value, "three numbers");
            return;
        }
        out[i] = (uint32_t)read_at_most(reader, item, UINT32_MAX);
        item = item->next;
    }
}

static unsigned read_word_of(struct reader *reader, const cJSON *value,
                             const struct archive_field *field)
{
    for (unsigned i = 0; cJSON_IsString(value) && i < field->maximum; i++) {
        if (strcmp(field->word(i), value->valuestring) == 0) {
            return i;
        }
    }
    damaged(reader, value, "a word that this grader knows");
    return 0;
}

static const uint8_t *read_states(struct reader *reader, const cJSON *value,
                                  const struct element_map *map)
{
    const char *digits = cJSON_IsString(value) ? value->valuestring : "";
    size_t length = strlen(digits);
    uint8_t *states = arena_alloc(reader->arena, length);
    size_t expected = 0;

    if (__builtin_mul_overflow(map->rows, map->columns, &expected) || length != expected) {
        damaged(reader, value, "a digit for each element");
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        states[i] = (uint8_t)(digits[i] - '0');
        if (states[i] > ELEMENT_NOT_FINITE) {
            damaged(reader, value, "the state of each element");
        }
    }
    return states;
}

static const uint64_t *read_marks(struct reader *reader, const cJSON *value, size_t *out_count)
{
    enum { DIGITS = 16 };
    const char *digits = cJSON_IsString(value) ? value->valuestring : "0";
    size_t count = strlen(digits) / DIGITS;
    uint64_t *marks = arena_array(reader->arena, count, sizeof *marks);

    if (strlen(digits) % DIGITS != 0 || strspn(digits, "0123456789abcdef") != strlen(digits)) {
        damaged(reader, value, "marks of 16 digits each");
        return NULL;
    }
    for (size_t i = 0; i < count * DIGITS; i++) {
        marks[i / DIGITS] = marks[i / DIGITS] << 4 | (uint64_t)hex_digit(digits[i]);
    }
    *out_count = count;
    return marks;
}

static const struct rubric_criterion *read_criterion_of(struct reader *reader, const cJSON *value)
{
    const cJSON *id = cJSON_IsArray(value) ? value->child : NULL;
    const struct rubric *rubric = reader->rubric;

    if (!cJSON_IsString(id) || (id->next != NULL && !cJSON_IsString(id->next))) {
        damaged(reader, value, "the id of a criterion");
        return NULL;
    }
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (strcmp(rubric->criteria[i].id, id->valuestring) != 0) {
            continue;
        }
        if (id->next == NULL) {
            return &rubric->criteria[i];
        }
        struct rubric_criterion *copy = arena_alloc(reader->arena, sizeof *copy);
        *copy = rubric->criteria[i];
        copy->title = arena_printf(reader->arena, "%s%s", copy->title, id->next->valuestring);
        return copy;
    }
    reader->is_unknown = true;
    return NULL;
}

static size_t read_launch_of(struct reader *reader, const cJSON *value)
{
    if (!cJSON_IsString(value)) {
        damaged(reader, value, "the id of a launch");
        return 0;
    }
    for (size_t i = 0; i < reader->rubric->launch_count; i++) {
        if (strcmp(reader->rubric->launches[i].id, value->valuestring) == 0) {
            return i;
        }
    }
    reader->is_unknown = true;
    return 0;
}

static void read_struct(struct reader *reader, const cJSON *value,
                        const struct archive_shape *shape, void *out);

/* Reads elements [at most `maximum`]; those about what the rubric does not have are left out. */
static size_t read_elements(struct reader *reader, const cJSON *value,
                            const struct archive_shape *shape, size_t maximum, char *out)
{
    bool outer_is_unknown = reader->is_unknown;
    size_t count = 0;

    for (const cJSON *item = value->child; item != NULL; item = item->next) {
        char *element = out + count * shape->bytes;
        if (count == maximum) {
            damaged(reader, value, "fewer elements");
            return count;
        }
        reader->is_unknown = false;
        read_struct(reader, item, shape, element);
        if (reader->is_unknown) {
            memset(element, 0, shape->bytes);
        } else {
            count++;
        }
    }
    reader->is_unknown = outer_is_unknown;
    return count;
}

static void set_count(const struct archive_field *field, void *object, size_t count)
{
    memcpy((char *)object + field->count_offset, &count, sizeof count);
}

static void set_pointer(void *place, const void *pointer)
{
    memcpy(place, &pointer, sizeof pointer);
}

/* What lies elsewhere in memory. */
static void read_composed(struct reader *reader, const cJSON *value,
                          const struct archive_field *field, void *object)
{
    void *place = (char *)object + field->offset;
    size_t count = 0;

    if ((field->type == ARCHIVE_LIST || field->type == ARCHIVE_INLINE) && !cJSON_IsArray(value)) {
        damaged(reader, value, "an array");
        return;
    }
    switch (field->type) {
    case ARCHIVE_BYTES:
        set_pointer(place, read_bytes(reader, value, &count));
        set_count(field, object, count);
        return;
    case ARCHIVE_LIST: {
        size_t most = (size_t)cJSON_GetArraySize(value);
        char *items = arena_array(reader->arena, most, field->shape->bytes);
        count = read_elements(reader, value, field->shape, most, items);
        set_pointer(place, items);
        set_count(field, object, count);
        return;
    }
    case ARCHIVE_INLINE:
        count = read_elements(reader, value, field->shape, field->maximum, place);
        set_count(field, object, count);
        return;
    case ARCHIVE_ONE: {
        void *one = arena_alloc(reader->arena, field->shape->bytes);
        read_struct(reader, value, field->shape, one);
        set_pointer(place, one);
        return;
    }
    case ARCHIVE_STRUCT:
        read_struct(reader, value, field->shape, place);
        return;
    case ARCHIVE_STATES:
        set_pointer(place, read_states(reader, value, object));
        return;
    case ARCHIVE_MARKS:
        set_pointer(place, read_marks(reader, value, &count));
        set_count(field, object, count);
        return;
    default:
        set_pointer(place, read_criterion_of(reader, value));
        return;
    }
}

static void read_field(struct reader *reader, const cJSON *value, const struct archive_field *field,
                       void *object)
{
    void *place = (char *)object + field->offset;
    size_t length = 0;

    switch (field->type) {
    case ARCHIVE_TEXT:
        set_pointer(place, read_bytes(reader, value, &length));
        return;
    case ARCHIVE_HASH: {
        const char *digits = read_bytes(reader, value, &length);
        if (length > 64) {
            damaged(reader, value, "64 digits");
        } else {
            memcpy(place, digits, length + 1);
        }
        return;
    }
    case ARCHIVE_FLAG:
        *(bool *)place = cJSON_IsTrue(value);
        return;
    case ARCHIVE_INT:
        *(int *)place = (int)read_at_most(reader, value, INT32_MAX);
        return;
    case ARCHIVE_U32:
        *(uint32_t *)place = (uint32_t)read_at_most(reader, value, UINT32_MAX);
        return;
    case ARCHIVE_U32_TRIPLE:
        read_triple(reader, value, place);
        return;
    case ARCHIVE_U64:
        *(uint64_t *)place = read_whole(reader, value, false);
        return;
    case ARCHIVE_I64:
        *(int64_t *)place = (int64_t)read_whole(reader, value, true);
        return;
    case ARCHIVE_SIZE:
        *(size_t *)place = read_at_most(reader, value, SIZE_MAX);
        return;
    case ARCHIVE_NUMBER:
        *(double *)place = read_double(reader, value);
        return;
    case ARCHIVE_WORD:
        *(unsigned *)place = read_word_of(reader, value, field);
        return;
    case ARCHIVE_LAUNCH:
        *(size_t *)place = read_launch_of(reader, value);
        return;
    default:
        read_composed(reader, value, field, object);
        return;
    }
}

/* True for what no zero can stand for. */
static bool is_needed(enum archive_type type)
{
    return type == ARCHIVE_BYTES || type == ARCHIVE_STATES || type == ARCHIVE_CRITERION ||
           type == ARCHIVE_LAUNCH;
}

/* Reads the fields that are there; the others keep what they have. Recursion ends with the
 * tables. */
static void read_struct(struct reader *reader, const cJSON *value,
                        const struct archive_shape *shape, void *out)
{
    const cJSON *member = value->child;

    if (!cJSON_IsObject(value)) {
        damaged(reader, value, "an object");
        return;
    }
    for (size_t i = 0; i < shape->field_count && !reader->is_damaged; i++) {
        const struct archive_field *field = &shape->fields[i];
        bool is_there = member != NULL && strcmp(member->string, field->key) == 0;
        if (is_needed(field->type) && (!is_there || cJSON_IsNull(member))) {
            damaged(reader, value, field->key);
        }
        if (!is_there) {
            continue;
        }
        if (cJSON_IsNull(member)) {
            memset((char *)out + field->offset, 0, archive_field_bytes(field));
            if (field->count_offset != 0) {
                set_count(field, out, 0);
            }
        } else {
            read_field(reader, member, field, out);
        }
        member = member->next;
    }
    if (member != NULL) {
        damaged(reader, member, "no more keys here");
    }
    if (shape == &archive_finding_shape && !reader->is_damaged) {
        const struct finding *finding = out;
        if (finding->main_place >= FINDING_PLACES_MAX) {
            damaged(reader, value, "a main place that is one of the places");
        }
    }
}

/* The rubric as the archived report shows it. */
static const struct rubric *read_view(struct reader *reader, const cJSON *object)
{
    const struct rubric *rubric = reader->rubric;
    struct rubric *view = arena_alloc(reader->arena, sizeof *view);
    bool is_public = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "is_public"));
    bool reports_hidden = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "tells_hidden"));

    if (!is_public && reports_hidden == rubric->reports_hidden) {
        return rubric;
    }
    *view = is_public ? rubric_public_view(rubric) : *rubric;
    view->reports_hidden = reports_hidden;
    return view;
}

static void read_report(struct reader *reader, const cJSON *root, struct report *out)
{
    const cJSON *report = cJSON_GetObjectItemCaseSensitive(root, "report");

    if (report == NULL) {
        damaged(reader, root, "a report");
        return;
    }
    out->rubric = read_view(reader, root);
    read_struct(reader, report, &archive_report_shape, out);
}

static enum error read_root(struct reader *reader, struct report *out_report)
{
    const cJSON *root = json_root(reader->document);
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    const cJSON *student = cJSON_GetObjectItemCaseSensitive(root, "student");
    struct report report = {.student = NULL};

    if (!cJSON_IsString(schema) || strcmp(schema->valuestring, schema_name) != 0) {
        json_diagnostic(reader->document, root, false, reader->diagnostic,
                        "this archived report has another format, expected '%s'; read it with the "
                        "gpugrade that wrote it, or grade again",
                        schema_name);
        return ERROR_UNSUPPORTED;
    }
    read_report(reader, root, &report);
    if (student != NULL && !reader->is_damaged) {
        struct report *shown = arena_alloc(reader->arena, sizeof *shown);
        *shown = report;
        read_report(reader, student, shown);
        report.student = shown;
    }
    if (reader->is_damaged) {
        return ERROR_SYNTAX;
    }
    *out_report = report;
    return ERROR_NONE;
}

enum error report_archive_read(struct arena *arena, const char *bytes, size_t length,
                               const char *file, const struct rubric *rubric,
                               struct report *out_report, struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    struct diagnostic unheard = {.message = ""};
    enum error error = json_parse(bytes, length, file, BLAME_ENVIRONMENT, &document, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    struct reader reader = {
        .arena = arena,
        .document = document,
        .rubric = rubric,
        .diagnostic = diagnostic != NULL ? diagnostic : &unheard,
    };
    error = read_root(&reader, out_report);
    if (error == ERROR_NONE && out_report->compiler != NULL &&
        strspn(out_report->compiler, "0123456789") > 0) {
        out_report->compiler = arena_printf(arena, "nvcc %s", out_report->compiler);
    }
    json_document_free(document);
    return error;
}
