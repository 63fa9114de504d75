/* verdict.c: facts beside a verdict; see verdict.h. */
#include "model/verdict.h"

#include <assert.h>

const char *status_name(enum status status)
{
    static const char *const names[] = {"passed", "partial", "failed", "skipped", "error", "open"};

    assert((unsigned)status < sizeof names / sizeof names[0]);
    return names[status];
}

bool status_is_judged(enum status status)
{
    return status != STATUS_SKIPPED && status != STATUS_ERROR && status != STATUS_OPEN;
}

const char *status_review(enum status status, enum code code)
{
    bool is_unknown = code != CODE_NONE && code_cause(code) == CAUSE_UNSUPPORTED;

    return status == STATUS_FAILED && is_unknown ? code_title(code) : NULL;
}

static void add(struct evidence *facts, size_t *count, struct evidence fact)
{
    assert(*count < EVIDENCE_MAX);
    if (*count < EVIDENCE_MAX) {
        facts[(*count)++] = fact;
    }
}

void verdict_add_text(struct verdict *verdict, const char *key, const char *text)
{
    add(verdict->evidence, &verdict->evidence_count,
        (struct evidence){.key = key, .type = EVIDENCE_TEXT, .text = text});
}

void verdict_add_number(struct verdict *verdict, const char *key, double number)
{
    add(verdict->evidence, &verdict->evidence_count,
        (struct evidence){.key = key, .type = EVIDENCE_NUMBER, .number = number});
}

void verdict_add_integer(struct verdict *verdict, const char *key, int64_t integer)
{
    add(verdict->evidence, &verdict->evidence_count,
        (struct evidence){.key = key, .type = EVIDENCE_INTEGER, .integer = integer});
}

void verdict_add_boolean(struct verdict *verdict, const char *key, bool value)
{
    add(verdict->evidence, &verdict->evidence_count,
        (struct evidence){.key = key, .type = EVIDENCE_BOOLEAN, .integer = value});
}

void verdict_add_measured_text(struct verdict *verdict, const char *key, const char *text)
{
    add(verdict->measured, &verdict->measured_count,
        (struct evidence){.key = key, .type = EVIDENCE_TEXT, .text = text});
}

void verdict_add_measured_number(struct verdict *verdict, const char *key, double number)
{
    add(verdict->measured, &verdict->measured_count,
        (struct evidence){.key = key, .type = EVIDENCE_NUMBER, .number = number});
}

void verdict_add_measured_integer(struct verdict *verdict, const char *key, int64_t integer)
{
    add(verdict->measured, &verdict->measured_count,
        (struct evidence){.key = key, .type = EVIDENCE_INTEGER, .integer = integer});
}

void verdict_add_measured_boolean(struct verdict *verdict, const char *key, bool value)
{
    add(verdict->measured, &verdict->measured_count,
        (struct evidence){.key = key, .type = EVIDENCE_BOOLEAN, .integer = value});
}
