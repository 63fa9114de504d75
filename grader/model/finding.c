/* finding.c: names of causes and codes, from their tables. */
#include "model/finding.h"

#include "base/hash_index.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    const char *title;
} causes[] = {
#define CAUSE(name, text, title) {text, title},
#include "model/causes.def"
#undef CAUSE
};

static const struct {
    const char *id;
    const char *name;
    enum cause_kind cause;
    const char *title;
    const char *hint;
} codes[] = {
#define CODE(name, id, text, cause, title, hint) {id, text, CAUSE_##cause, title, hint},
#include "model/codes.def"
#undef CODE
};

const char *cause_name(enum cause_kind cause)
{
    assert((unsigned)cause < CAUSE_COUNT);
    return causes[cause].name;
}

const char *cause_title(enum cause_kind cause)
{
    assert((unsigned)cause < CAUSE_COUNT);
    return causes[cause].title;
}

enum cause_kind code_cause(enum code code)
{
    assert((unsigned)code < CODE_COUNT);
    return codes[code].cause;
}

const char *code_name(enum code code)
{
    assert((unsigned)code < CODE_COUNT);
    return codes[code].name;
}

const char *code_id(enum code code)
{
    assert((unsigned)code < CODE_COUNT);
    return codes[code].id;
}

const char *code_hint(enum code code)
{
    assert((unsigned)code < CODE_COUNT);
    return codes[code].hint;
}

const char *code_title(enum code code)
{
    assert((unsigned)code < CODE_COUNT);
    return codes[code].title;
}

static bool is_same_place(const struct place *left, const struct place *right)
{
    return left->line == right->line && left->column == right->column &&
           strcmp(left->role, right->role) == 0 && strcmp(left->file, right->file) == 0;
}

bool finding_has_copy(const struct finding *finding)
{
    const struct place *places = finding->places;

    return finding->place_count == 2 && places[0].is_copy != places[1].is_copy &&
           strcmp(places[places[0].is_copy ? 1 : 0].role, "read") == 0;
}

bool finding_is_same(const struct finding *left, const struct finding *right)
{
    if (left->code != right->code || left->is_rest != right->is_rest ||
        (left->is_rest && left->severity != right->severity) ||
        left->place_count != right->place_count || strcmp(left->kernel, right->kernel) != 0 ||
        strcmp(left->launch, right->launch) != 0) {
        return false;
    }
    for (size_t i = 0; i < left->place_count; i++) {
        if (!is_same_place(&left->places[i], &right->places[i])) {
            return false;
        }
    }
    return true;
}

uint64_t finding_lines_hash(const struct finding *finding)
{
    uint64_t hash = hash_number(HASH_START, finding->code);
    for (size_t i = 0; i < finding->place_count; i++) {
        hash = hash_text(hash, finding->places[i].file);
        hash = hash_number(hash, (uint64_t)finding->places[i].line);
        hash = hash_number(hash, (uint64_t)finding->places[i].column);
    }
    return hash;
}

uint64_t finding_hash(const struct finding *finding)
{
    return hash_text(hash_text(finding_lines_hash(finding), finding->kernel), finding->launch);
}
