/* batch_outcome.c: see batch_outcome.h.
 *
 *     {"content":"<64 digits>"} LF
 *     {"kind":"graded","message":"","content":"<64 digits>","archive":N} LF, N bytes
 */
#include "batch/batch_outcome.h"

#include "base/json.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONTENT_DIGITS = 64, LINE_BYTES_MAX = 64 << 10 };

static const char *const kind_names[] = {
    [OUTCOME_GRADED] = "graded",
    [OUTCOME_NOTHING] = "nothing",
    [OUTCOME_TROUBLE] = "trouble",
};

enum { KINDS = sizeof kind_names / sizeof kind_names[0] };

static bool is_content(const char *content)
{
    return strlen(content) == CONTENT_DIGITS &&
           content[strspn(content, "0123456789abcdef")] == '\0';
}

void outcome_write(const struct outcome *outcome, struct text *out)
{
    const char *message = text_or_empty(outcome->message);
    cJSON *line = cJSON_CreateObject();
    struct text printable;

    text_init(&printable);
    text_append_printable(&printable, message, strlen(message), true);
    cJSON_AddStringToObject(line, "kind", kind_names[outcome->kind]);
    cJSON_AddStringToObject(line, "message", printable.bytes);
    text_release(&printable);
    cJSON_AddStringToObject(line, "content", outcome->content);
    json_add_number(line, "archive", (double)outcome->archive_length);
    json_print_line(line, out);
    cJSON_Delete(line);
    text_append_bytes(out, outcome->archive, outcome->archive_length);
}

static const char *string_of(const cJSON *object, const char *key)
{
    return text_or_empty(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key)));
}

/* Fills everything but the archive; false if something is not as it is written. */
static bool read_line(struct arena *arena, const cJSON *line, struct outcome *out)
{
    const char *kind = string_of(line, "kind");
    const char *content = string_of(line, "content");
    const cJSON *archive = cJSON_GetObjectItemCaseSensitive(line, "archive");
    size_t index = 0;

    while (index < KINDS && strcmp(kind_names[index], kind) != 0) {
        index++;
    }
    if (index == KINDS || !cJSON_IsNumber(archive) || !(archive->valuedouble >= 0) ||
        archive->valuedouble > (double)(UINT32_MAX) ||
        (content[0] != '\0' && !is_content(content))) {
        return false;
    }
    out->kind = (enum outcome_kind)index;
    out->message = arena_strdup(arena, string_of(line, "message"));
    memcpy(out->content, content, strlen(content) + 1);
    out->archive_length = (size_t)archive->valuedouble;
    return true;
}

static enum error broken(struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_GRADER, "the grading process did not send a complete result");
    return ERROR_SYNTAX;
}

enum error outcome_read(struct arena *arena, const char *bytes, size_t length,
                        struct outcome *out_outcome, struct diagnostic *diagnostic)
{
    const char *end = length == 0 ? NULL : memchr(bytes, '\n', length);
    struct json_document *document = NULL;
    struct outcome outcome = {.message = ""};

    if (end == NULL || end - bytes > LINE_BYTES_MAX ||
        json_parse(bytes, (size_t)(end - bytes), "", BLAME_GRADER, &document, NULL) != ERROR_NONE) {
        return broken(diagnostic);
    }
    bool good = read_line(arena, json_root(document), &outcome);
    json_document_free(document);
    size_t rest = length - (size_t)(end - bytes) - 1;
    if (!good || outcome.archive_length != rest || (outcome.kind == OUTCOME_GRADED) != (rest > 0)) {
        return broken(diagnostic);
    }
    outcome.archive = rest == 0 ? NULL : arena_strndup(arena, end + 1, rest);
    *out_outcome = outcome;
    return ERROR_NONE;
}

bool outcome_read_question(const char *line, size_t length, char out_content[65])
{
    struct json_document *document = NULL;
    bool good = false;

    if (length > LINE_BYTES_MAX ||
        json_parse(line, length, "", BLAME_GRADER, &document, NULL) != ERROR_NONE) {
        return false;
    }
    const char *content = string_of(json_root(document), "content");
    if (cJSON_GetObjectItemCaseSensitive(json_root(document), "kind") == NULL &&
        is_content(content)) {
        memcpy(out_content, content, CONTENT_DIGITS + 1);
        good = true;
    }
    json_document_free(document);
    return good;
}

/* The batch may be gone: that is no signal. */
static bool send_all(int fd, const struct text *text)
{
    size_t done = 0;

    while (done < text->length) {
        ssize_t step = send(fd, text->bytes + done, text->length - done, MSG_NOSIGNAL);
        if (step < 0 && errno != EINTR) {
            return false;
        }
        done += step > 0 ? (size_t)step : 0;
    }
    return true;
}

bool outcome_ask(int fd, const char *content)
{
    struct text line;
    char answer = 0;
    ssize_t length;

    text_init(&line);
    text_printf(&line, "{\"content\":\"%s\"}\n", content);
    bool sent = send_all(fd, &line);
    text_release(&line);
    if (!sent) {
        return false;
    }
    do {
        length = read(fd, &answer, 1);
    } while (length < 0 && errno == EINTR);
    return length == 1 && answer == OUTCOME_GRADE;
}

bool outcome_send(int fd, const struct outcome *outcome)
{
    struct text text;

    text_init(&text);
    outcome_write(outcome, &text);
    bool sent = send_all(fd, &text);
    text_release(&text);
    return sent;
}
