/* json_pattern.c: a pattern becomes a small program; see json_pattern.h.
 *
 *     SET     one character of a set, then the next step     RANGES   sets: sorted as written
 *     SPLIT   two ways                                        START    only at the start
 *     JUMP    another way                                     END      only at the end
 *     FOUND
 *
 * A quantifier with a count compiles its atom again and again, from the same text. The machine
 * keeps the set of steps that are possible at a character, each at most once.
 */
#include "base/json_pattern.h"

#include "base/text.h"

#include <stdint.h>
#include <string.h>

enum {
    STEPS_MAX = 2048,
    RANGES_MAX = 4096,
    WORK_MAX = 100000, /* atoms that may be read, copies included */
    GROUPS_MAX = 16,   /* inside each other */
    COUNT_MAX = 1000,
    CHARACTER_MAX = 0x10FFFF,
};

enum step_kind { STEP_SET, STEP_SPLIT, STEP_JUMP, STEP_START, STEP_END, STEP_FOUND };

struct step {
    enum step_kind kind;
    uint16_t first, second; /* SPLIT, JUMP: where to; SET: ranges[first], second of them */
    bool is_negated;        /* SET */
};

struct range {
    uint32_t low, high;
};

struct json_pattern {
    const char *source;
    struct step *steps; /* [step_count] */
    struct range *ranges;
    size_t step_count;
};

struct compiler {
    const char *at;
    const char *reason; /* NULL while there is no mistake */
    struct step steps[STEPS_MAX];
    struct range ranges[RANGES_MAX];
    size_t step_count, range_count, work;
    int groups;
};

static bool refuse(struct compiler *c, const char *reason)
{
    if (c->reason == NULL) {
        c->reason = reason;
    }
    return false;
}

static size_t add_step(struct compiler *c, enum step_kind kind)
{
    if (c->step_count == STEPS_MAX) {
        refuse(c, "it is too large");
        return 0;
    }
    c->steps[c->step_count] = (struct step){.kind = kind};
    return c->step_count++;
}

static void add_range(struct compiler *c, uint32_t low, uint32_t high)
{
    if (c->range_count == RANGES_MAX) {
        refuse(c, "it is too large");
        return;
    }
    c->ranges[c->range_count++] = (struct range){low, high};
}

/* \d and \w; their negations as what lies between. */
static void add_named_set(struct compiler *c, char name)
{
    static const struct range digits[] = {{'0', '9'}};
    static const struct range words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    bool is_digits = name == 'd' || name == 'D';
    const struct range *ranges = is_digits ? digits : words;
    size_t count = is_digits ? 1 : 4;
    uint32_t low = 0;

    for (size_t i = 0; i < count; i++) {
        if (name == 'd' || name == 'w') {
            add_range(c, ranges[i].low, ranges[i].high);
        } else {
            add_range(c, low, ranges[i].low - 1);
            low = ranges[i].high + 1;
        }
    }
    if (name == 'D' || name == 'W') {
        add_range(c, low, CHARACTER_MAX);
    }
}

static bool read_hex(struct compiler *c, int digits, uint32_t *out)
{
    uint32_t value = 0;

    for (int i = 0; i < digits; i++, c->at++) {
        char digit = *c->at;
        char small = (char)(digit | 0x20);
        if (digit >= '0' && digit <= '9') {
            value = value * 16 + (uint32_t)(digit - '0');
        } else if (small >= 'a' && small <= 'f') {
            value = value * 16 + (uint32_t)(small - 'a' + 10);
        } else {
            return refuse(c, "\\x needs two hexadecimal digits, \\u four");
        }
    }
    if (value >= 0xD800 && value < 0xE000) {
        return refuse(c, "half of a surrogate pair; write the character itself");
    }
    *out = value;
    return true;
}

/* What stands behind a backslash, if it is one character. */
static bool read_escape(struct compiler *c, bool in_class, uint32_t *out)
{
    static const char controls[] = "t\tn\nr\rf\fv\v";
    char letter = *c->at;

    if (letter == '\0') {
        return refuse(c, "it ends with a backslash");
    }
    c->at++;
    for (size_t i = 0; i < sizeof controls - 1; i += 2) {
        if (controls[i] == letter) {
            *out = (uint32_t)controls[i + 1];
            return true;
        }
    }
    if (letter == 'x' || letter == 'u') {
        return read_hex(c, letter == 'x' ? 2 : 4, out);
    }
    if (strchr("^$\\.*+?()[]{}|/", letter) != NULL || (in_class && letter == '-')) {
        *out = (unsigned char)letter;
        return true;
    }
    return refuse(c, "it has an escape other than \\d \\D \\w \\W \\t \\n \\r \\f \\v \\x \\u");
}

static bool read_character(struct compiler *c, uint32_t *out)
{
    size_t length = text_character(c->at, strlen(c->at), out);

    if (length == 0) {
        return refuse(c, "it is not UTF-8 text");
    }
    c->at += length;
    return true;
}

/* One character of a class, or a whole named set (then *out_is_set). */
static bool read_class_part(struct compiler *c, uint32_t *out, bool *out_is_set)
{
    *out_is_set = false;
    if (*c->at != '\\') {
        return read_character(c, out);
    }
    c->at++;
    if (*c->at != '\0' && strchr("dDwW", *c->at) != NULL) {
        add_named_set(c, *c->at++);
        *out_is_set = true;
        return true;
    }
    return read_escape(c, true, out);
}

static bool read_class(struct compiler *c, struct step *set)
{
    uint32_t low = 0, high = 0;
    bool is_set;

    if (*c->at == '^') {
        set->is_negated = true;
        c->at++;
    }
    while (*c->at != ']') {
        if (*c->at == '\0') {
            return refuse(c, "a '[' is not closed");
        }
        if (!read_class_part(c, &low, &is_set)) {
            return false;
        }
        high = low;
        if (c->at[0] == '-' && c->at[1] != ']') {
            c->at++;
            bool is_second_set = false;
            if (is_set || !read_class_part(c, &high, &is_second_set) || is_second_set) {
                return refuse(c, "a range in '[]' needs a character at both ends");
            }
            if (high < low) {
                return refuse(c, "a range in '[]' is the wrong way round");
            }
        }
        if (!is_set) {
            add_range(c, low, high);
        }
    }
    c->at++;
    return c->reason == NULL;
}

static bool read_set(struct compiler *c)
{
    struct step set = {.kind = STEP_SET, .first = (uint16_t)c->range_count};
    uint32_t character = 0;

    if (*c->at == '.') {
        c->at++;
        set.is_negated = true;
        add_range(c, '\n', '\n');
        add_range(c, '\r', '\r');
        add_range(c, 0x2028, 0x2029);
    } else if (*c->at == '[') {
        c->at++;
        if (!read_class(c, &set)) {
            return false;
        }
    } else if (*c->at == '\\' && c->at[1] != '\0' && strchr("dDwW", c->at[1]) != NULL) {
        add_named_set(c, c->at[1]);
        c->at += 2;
    } else if (*c->at == '\\') {
        c->at++;
        if (!read_escape(c, false, &character)) {
            return false;
        }
        add_range(c, character, character);
    } else if (strchr("*+?{}]", *c->at) != NULL) {
        return refuse(c, "a '*', '+', '?', '{', '}' or ']' stands where a character is expected");
    } else if (read_character(c, &character)) {
        add_range(c, character, character);
    }
    if (c->reason != NULL) {
        return false;
    }
    set.second = (uint16_t)(c->range_count - set.first);
    size_t index = add_step(c, STEP_SET);
    if (c->reason == NULL) {
        c->steps[index] = set;
    }
    return c->reason == NULL;
}

static bool read_alternatives(struct compiler *c);

static bool read_atom(struct compiler *c)
{
    if (++c->work > WORK_MAX) {
        return refuse(c, "it is too large");
    }
    if (*c->at != '(') {
        return read_set(c);
    }
    c->at++;
    if (c->at[0] == '?' && c->at[1] == ':') {
        c->at += 2;
    } else if (c->at[0] == '?') {
        return refuse(c, "it has a '(?' other than '(?:'");
    }
    if (++c->groups > GROUPS_MAX) {
        return refuse(c, "its groups are nested too deep");
    }
    if (!read_alternatives(c)) {
        return false;
    }
    c->groups--;
    if (*c->at != ')') {
        return refuse(c, "a '(' is not closed");
    }
    c->at++;
    return true;
}

static bool read_count(struct compiler *c, size_t *out)
{
    size_t value = 0;

    if (*c->at < '0' || *c->at > '9') {
        return refuse(c, "a '{' needs a number");
    }
    for (; *c->at >= '0' && *c->at <= '9'; c->at++) {
        value = value * 10 + (size_t)(*c->at - '0');
        if (value > COUNT_MAX) {
            return refuse(c, "it counts further than 1000");
        }
    }
    *out = value;
    return true;
}

/* Reads how often; one time where there is no quantifier. SIZE_MAX is without end. */
static bool read_quantifier(struct compiler *c, size_t *out_least, size_t *out_most)
{
    char sign = *c->at;

    *out_least = sign == '*' || sign == '?' ? 0 : 1;
    *out_most = sign == '*' || sign == '+' ? SIZE_MAX : 1;
    if (sign == '\0' || strchr("*+?{", sign) == NULL) {
        return true;
    }
    c->at++;
    if (sign == '{') {
        if (!read_count(c, out_least)) {
            return false;
        }
        *out_most = *out_least;
        if (*c->at == ',') {
            c->at++;
            *out_most = SIZE_MAX;
            if (*c->at != '}' && !read_count(c, out_most)) {
                return false;
            }
        }
        if (*c->at++ != '}' || *out_most < *out_least) {
            return refuse(c, "a '{' is not followed by a range and '}'");
        }
    }
    if (*c->at != '\0' && strchr("*+?{", *c->at) != NULL) {
        return refuse(c, "it has one quantifier behind another");
    }
    return true;
}

/* Compiles the atom at `from` once more. */
static bool repeat_atom(struct compiler *c, const char *from)
{
    const char *behind = c->at;

    c->at = from;
    bool is_read = read_atom(c);
    c->at = behind;
    return is_read;
}

/* A loop around one more copy: SPLIT (atom JUMP back) or on. */
static bool add_loop(struct compiler *c, const char *from)
{
    size_t split = add_step(c, STEP_SPLIT);

    if (c->reason != NULL || !repeat_atom(c, from)) {
        return false;
    }
    size_t jump = add_step(c, STEP_JUMP);
    if (c->reason == NULL) {
        c->steps[jump].first = (uint16_t)split;
        c->steps[split].first = (uint16_t)(split + 1);
        c->steps[split].second = (uint16_t)(jump + 1);
    }
    return c->reason == NULL;
}

/* One more copy that may be left out. */
static bool add_optional(struct compiler *c, const char *from)
{
    size_t split = add_step(c, STEP_SPLIT);

    if (c->reason != NULL || !repeat_atom(c, from)) {
        return false;
    }
    c->steps[split].first = (uint16_t)(split + 1);
    c->steps[split].second = (uint16_t)c->step_count;
    return true;
}

static bool read_repeated(struct compiler *c)
{
    const char *from = c->at;
    size_t steps = c->step_count, ranges = c->range_count;
    size_t least = 1, most = 1;

    /* once to learn where it ends; what it compiled is dropped and made again as often as needed */
    if (!read_atom(c) || !read_quantifier(c, &least, &most)) {
        return false;
    }
    if (least == 1 && most == 1) {
        return true;
    }
    c->step_count = steps;
    c->range_count = ranges;
    for (size_t i = 0; i < least; i++) {
        if (!repeat_atom(c, from)) {
            return false;
        }
    }
    if (most == SIZE_MAX) {
        return add_loop(c, from);
    }
    for (size_t i = least; i < most; i++) {
        if (!add_optional(c, from)) {
            return false;
        }
    }
    return true;
}

static bool read_sequence(struct compiler *c)
{
    while (*c->at != '\0' && *c->at != '|' && *c->at != ')') {
        if (*c->at == '^' || *c->at == '$') {
            add_step(c, *c->at == '^' ? STEP_START : STEP_END);
            c->at++;
            if (*c->at != '\0' && strchr("*+?{", *c->at) != NULL) {
                return refuse(c, "it repeats '^' or '$'");
            }
        } else if (!read_repeated(c)) {
            return false;
        }
    }
    return c->reason == NULL;
}

/* Each alternative but the last: SPLIT (sequence JUMP to the end) or the next. The jumps are
 * chained by their second number until the end is known. */
static bool read_alternatives(struct compiler *c)
{
    size_t jump = SIZE_MAX;

    for (;;) {
        size_t split = add_step(c, STEP_SPLIT);
        if (c->reason != NULL || !read_sequence(c)) {
            return false;
        }
        c->steps[split].first = (uint16_t)(split + 1);
        c->steps[split].second = (uint16_t)(split + 1);
        if (*c->at != '|') {
            break;
        }
        c->at++;
        size_t next = add_step(c, STEP_JUMP);
        if (c->reason != NULL) {
            return false;
        }
        c->steps[next].second = (uint16_t)(jump == SIZE_MAX ? UINT16_MAX : jump);
        c->steps[split].second = (uint16_t)(next + 1);
        jump = next;
    }
    while (jump != SIZE_MAX) {
        size_t previous = c->steps[jump].second;
        c->steps[jump].first = (uint16_t)c->step_count;
        jump = previous == UINT16_MAX ? SIZE_MAX : previous;
    }
    return true;
}

const struct json_pattern *json_pattern_compile(struct arena *arena, const char *source,
                                                const char **out_reason)
{
    struct compiler c = {.at = source};

    if (read_alternatives(&c) && *c.at == ')') {
        refuse(&c, "a ')' without '('");
    }
    add_step(&c, STEP_FOUND);
    if (c.reason != NULL) {
        *out_reason = c.reason;
        return NULL;
    }
    struct json_pattern *pattern = arena_alloc(arena, sizeof *pattern);
    pattern->source = arena_strdup(arena, source);
    pattern->steps = arena_array(arena, c.step_count, sizeof *c.steps);
    memcpy(pattern->steps, c.steps, c.step_count * sizeof *c.steps);
    pattern->ranges = arena_array(arena, c.range_count, sizeof *c.ranges);
    memcpy(pattern->ranges, c.ranges, c.range_count * sizeof *c.ranges);
    pattern->step_count = c.step_count;
    return pattern;
}

size_t json_pattern_size(const struct json_pattern *pattern)
{
    return pattern->step_count;
}

const char *json_pattern_source(const struct json_pattern *pattern)
{
    return pattern->source;
}

/* The steps that are possible at one place. */
struct thread_set {
    uint16_t members[STEPS_MAX];
    size_t count;
};

struct machine {
    const struct json_pattern *pattern;
    uint32_t seen[STEPS_MAX]; /* in which round a step was reached last */
    uint32_t round;
    bool is_start, is_end; /* where the text is */
};

/* Adds a step and all that follow it without a character; true if the end is among them. */
static bool follow(struct machine *machine, size_t from, struct thread_set *set)
{
    uint16_t waiting[STEPS_MAX];
    size_t count = 0;

    if (machine->seen[from] != machine->round) {
        machine->seen[from] = machine->round;
        waiting[count++] = (uint16_t)from;
    }
    while (count > 0) {
        size_t at = waiting[--count];
        const struct step *step = &machine->pattern->steps[at];
        size_t next[2] = {at + 1, at + 1};
        if (step->kind == STEP_FOUND) {
            return true;
        }
        if (step->kind == STEP_SET) {
            set->members[set->count++] = (uint16_t)at;
            continue;
        }
        if ((step->kind == STEP_START && !machine->is_start) ||
            (step->kind == STEP_END && !machine->is_end)) {
            continue;
        }
        if (step->kind == STEP_SPLIT || step->kind == STEP_JUMP) {
            next[0] = step->first;
            next[1] = step->kind == STEP_SPLIT ? step->second : step->first;
        }
        for (size_t i = 0; i < 2; i++) {
            if (machine->seen[next[i]] != machine->round) {
                machine->seen[next[i]] = machine->round;
                waiting[count++] = (uint16_t)next[i];
            }
        }
    }
    return false;
}

static bool set_holds(const struct json_pattern *pattern, const struct step *set,
                      uint32_t character)
{
    bool is_inside = false;

    for (size_t i = 0; i < set->second && !is_inside; i++) {
        const struct range *range = &pattern->ranges[set->first + i];
        is_inside = character >= range->low && character <= range->high;
    }
    return is_inside != set->is_negated;
}

bool json_pattern_matches(const struct json_pattern *pattern, const char *text)
{
    struct machine machine = {.pattern = pattern, .round = 1, .is_start = true};
    struct thread_set sets[2] = {{.count = 0}, {.count = 0}};
    size_t length = strlen(text);

    for (size_t at = 0, now = 0;; now = 1 - now) {
        struct thread_set *next = &sets[1 - now];
        uint32_t character = 0;
        machine.is_end = at == length;
        if (follow(&machine, 0, &sets[now])) {
            return true;
        }
        if (at == length) {
            return false;
        }
        size_t step = text_character(text + at, length - at, &character);
        at += step == 0 ? 1 : step;
        machine.round++;
        machine.is_start = false;
        machine.is_end = at == length;
        next->count = 0;
        for (size_t i = 0; i < sets[now].count; i++) {
            size_t member = sets[now].members[i];
            if (set_holds(pattern, &pattern->steps[member], character) &&
                follow(&machine, member + 1, next)) {
                return true;
            }
        }
    }
}
