/* expectation.c: see expectation.h. */
#include "coursework/expectation.h"

#include "model/verdict.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 8 };

/* One line of a fixture's expectations. */
struct line {
    struct arena *arena;
    size_t number;     /* from 1 */
    const char *whole; /* without blanks around it */
    const char *words[WORDS_MAX];
    size_t word_count;
    const cJSON *score;
    bool only_known;
};

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(value) ? value->valuestring : "";
}

/* "exercise.cu:22" of a cause. */
static const char *place_of(struct arena *arena, const cJSON *cause)
{
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(cause, "line");

    return arena_printf(arena, "%s:%d", text_of(cause, "file"),
                        cJSON_IsNumber(line) ? line->valueint : 0);
}

/* Status, kind, code and place of a criterion; returns how many it has. */
static size_t words_of(struct arena *arena, const cJSON *criterion, const char *out_words[4])
{
    const cJSON *cause = cJSON_GetObjectItemCaseSensitive(criterion, "cause");

    out_words[0] = text_of(criterion, "status");
    if (!cJSON_IsObject(cause)) {
        return 1;
    }
    out_words[1] = text_of(cause, "kind");
    out_words[2] = text_of(cause, "code");
    out_words[3] = place_of(arena, cause);
    return 4;
}

/* Words behind a criterion, and the member of its cause that holds the rest of the line. */
static const struct told {
    const char *word, *member;
} tells[] = {{"says", "message"}, {"hints", "hint"}};

static const struct told *find_reported(const char *word)
{
    for (size_t i = 0; i < sizeof tells / sizeof tells[0]; i++) {
        if (strcmp(word, tells[i].word) == 0) {
            return &tells[i];
        }
    }
    return NULL;
}

static void append_got(struct line *line, const cJSON *criterion, struct text *out)
{
    const struct told *told = line->word_count > 1 ? find_reported(line->words[1]) : NULL;
    const char *words[4];
    size_t count = words_of(line->arena, criterion, words);

    for (size_t i = 0; i < count; i++) {
        text_printf(out, "%s%s", i == 0 ? "" : " ", words[i]);
    }
    if (count > 1) {
        text_printf(out, " (%s)",
                    text_of(cJSON_GetObjectItemCaseSensitive(criterion, "cause"),
                            told != NULL ? told->member : "message"));
    }
}

static const cJSON *find_criterion(const cJSON *score, const char *id)
{
    const cJSON *criterion;

    cJSON_ArrayForEach(criterion, cJSON_GetObjectItemCaseSensitive(score, "criteria"))
    {
        if (strcmp(text_of(criterion, "id"), id) == 0) {
            return criterion;
        }
    }
    return NULL;
}

/* What stands behind the first `count` words of a line. */
static const char *rest_behind(const char *line, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        line += strcspn(line, " \t");
        line += strspn(line, " \t");
    }
    return line;
}

static bool meets(struct line *line, const cJSON *criterion)
{
    const cJSON *cause = cJSON_GetObjectItemCaseSensitive(criterion, "cause");
    const struct told *told = line->word_count > 1 ? find_reported(line->words[1]) : NULL;
    const char *words[4];

    if (told != NULL) {
        return strstr(text_of(cause, told->member), rest_behind(line->whole, 2)) != NULL;
    }
    size_t count = words_of(line->arena, criterion, words);
    if (line->word_count < 2 || line->word_count - 1 > count) {
        return false;
    }
    for (size_t i = 1; i < line->word_count; i++) {
        if (strcmp(line->words[i], words[i - 1]) != 0) {
            return false;
        }
    }
    return true;
}

/* Each of these returns how many lines it appended; 0: the expectation is met. */

static size_t check_all_passed(struct line *line, struct text *out)
{
    const cJSON *criterion;
    size_t unmet = 0;

    cJSON_ArrayForEach(criterion, cJSON_GetObjectItemCaseSensitive(line->score, "criteria"))
    {
        const char *status = text_of(criterion, "status");
        if (strcmp(status, "passed") != 0 && strcmp(status, "skipped") != 0 &&
            strcmp(status, "open") != 0) {
            text_printf(out, "expected %s passed, got ", text_of(criterion, "id"));
            append_got(line, criterion, out);
            text_append_char(out, '\n');
            unmet++;
        }
    }
    return unmet;
}

static size_t check_remark(struct line *line, struct text *out)
{
    const cJSON *remarks = cJSON_GetObjectItemCaseSensitive(line->score, "remarks");
    const char *words = rest_behind(line->whole, 1);
    const cJSON *remark;

    cJSON_ArrayForEach(remark, remarks)
    {
        if (strstr(text_of(remark, "message"), words) != NULL) {
            return 0;
        }
    }
    text_printf(out, "expected %s, got", line->whole);
    cJSON_ArrayForEach(remark, remarks)
    {
        text_printf(out, "%s %s", remark == remarks->child ? "" : ";", text_of(remark, "message"));
    }
    text_append(out, cJSON_GetArraySize(remarks) == 0 ? " no remark\n" : "\n");
    return 1;
}

static size_t check_finding(struct line *line, struct text *out)
{
    const cJSON *findings = cJSON_GetObjectItemCaseSensitive(line->score, "findings");
    const cJSON *finding;

    cJSON_ArrayForEach(finding, findings)
    {
        if (line->word_count == 3 && strcmp(text_of(finding, "code"), line->words[1]) == 0 &&
            strcmp(text_of(finding, "severity"), line->words[2]) == 0) {
            return 0;
        }
    }
    text_printf(out, "expected %s, got", line->whole);
    cJSON_ArrayForEach(finding, findings)
    {
        text_printf(out, "%s %s %s", finding == findings->child ? "" : ",",
                    text_of(finding, "code"), text_of(finding, "severity"));
    }
    text_append(out, cJSON_GetArraySize(findings) == 0 ? " no finding\n" : "\n");
    return 1;
}

static size_t check_criterion(struct line *line, struct text *out)
{
    const cJSON *criterion = find_criterion(line->score, line->words[0]);

    if (criterion == NULL && line->only_known) {
        return 0;
    }
    if (criterion != NULL && meets(line, criterion)) {
        return 0;
    }
    text_printf(out, "expected %s, got ", line->whole);
    if (criterion == NULL) {
        text_append(out, "no such criterion");
    } else {
        append_got(line, criterion, out);
    }
    text_append_char(out, '\n');
    return 1;
}

/* True if a second word can follow a criterion. */
static bool is_known_word(const char *word)
{
    for (size_t i = 0; i < STATUSES; i++) {
        if (strcmp(word, status_name((enum status)i)) == 0) {
            return true;
        }
    }
    return find_reported(word) != NULL;
}

/* Refuses a line that nothing can meet. */
static size_t check_words(const struct line *line, struct text *out)
{
    bool is_all = strcmp(line->words[0], "all") == 0;

    if (is_all && (line->word_count != 2 || strcmp(line->words[1], "passed") != 0)) {
        text_printf(out, "line %zu of expect says '%s'; only 'passed' can follow 'all'\n",
                    line->number, line->whole);
        return 1;
    }
    if (is_all || strcmp(line->words[0], "remark") == 0 || strcmp(line->words[0], "finding") == 0 ||
        (line->word_count > 1 && is_known_word(line->words[1]))) {
        return 0;
    }
    text_printf(out,
                "line %zu of expect says '%s'; these words can follow a criterion: ", line->number,
                line->whole);
    for (size_t i = 0; i < STATUSES; i++) {
        text_printf(out, "%s, ", status_name((enum status)i));
    }
    for (size_t i = 0; i < sizeof tells / sizeof tells[0]; i++) {
        text_printf(out, "%s%s", i == 0 ? "" : ", ", tells[i].word);
    }
    text_append_char(out, '\n');
    return 1;
}

static size_t check_line(struct line *line, struct text *out)
{
    if (check_words(line, out) > 0) {
        return 1;
    }
    if (strcmp(line->words[0], "remark") == 0) {
        return check_remark(line, out);
    }
    if (strcmp(line->words[0], "finding") == 0) {
        return check_finding(line, out);
    }
    if (line->word_count == 2 && strcmp(line->words[0], "all") == 0 &&
        strcmp(line->words[1], "passed") == 0) {
        return check_all_passed(line, out);
    }
    return check_criterion(line, out);
}

/* Splits a line at its blanks; what is behind the last word counts as too many. */
static void split(struct line *line)
{
    const char *at = line->whole;

    while (*at != '\0' && line->word_count < WORDS_MAX) {
        size_t length = strcspn(at, " \t");
        line->words[line->word_count++] = arena_strndup(line->arena, at, length);
        at += length;
        at += strspn(at, " \t");
    }
}

struct expectations expectations_check(const char *expect, const cJSON *score, bool only_known,
                                       struct text *out_lines)
{
    struct arena *arena = arena_new();
    struct expectations result = {.count = 0};
    size_t number = 0;

    for (const char *at = expect; *at != '\0';) {
        size_t whole = strcspn(at, "\n");
        number++;
        const char *start = at + strspn(at, " \t\r");
        size_t length = start > at + whole ? 0 : (size_t)(at + whole - start);
        while (length > 0 && strchr(" \t\r", start[length - 1]) != NULL) {
            length--;
        }
        if (length > 0 && start[0] != '#') {
            struct line line = {.arena = arena,
                                .number = number,
                                .whole = arena_strndup(arena, start, length),
                                .score = score,
                                .only_known = only_known};
            split(&line);
            result.count++;
            result.unmet += check_line(&line, out_lines) > 0 ? 1 : 0;
            result.says_all_passed = result.says_all_passed || strcmp(line.words[0], "all") == 0;
        }
        at += whole + (at[whole] == '\n' ? 1 : 0);
    }
    arena_free(arena);
    return result;
}
