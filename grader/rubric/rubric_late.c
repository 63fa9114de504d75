/* rubric_late.c: what a class makes of points: what being late costs, by what it is ranked. */
#include "base/date.h"
#include "rubric/rubric_overlay.h"
#include "rubric/rubric_reader.h"

#include <math.h>
#include <string.h>

enum {
    SECONDS_PER_DAY = 86400,
    GRACE_MINUTES_MAX = 100000,
    PENALTY_MAX = 1000,
    CUT_OFF_DAYS_MAX = 3650,
};

enum { DUE, GRACE, PER_DAY, PENALTY, CUT_OFF, KEY_COUNT };

static const struct rubric_key keys[KEY_COUNT] = {
    [DUE] = {"due", true},
    [GRACE] = {"grace_minutes", false},
    [PER_DAY] = {"penalty_per_day", false},
    [PENALTY] = {"penalty", false},
    [CUT_OFF] = {"cut_off_days", false},
};

static int64_t read_due(struct rubric_reader *reader, const cJSON *value)
{
    const char *text = read_name(reader, value, NAME_TEXT);
    int64_t due = 0;

    if (reader->error == ERROR_NONE && !date_read(text, &due)) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "expected a date and a time with its UTC offset, such as "
                    "\"2026-11-20T23:59:00+01:00\", found '%.100s'",
                    text);
    }
    return due;
}

void read_late(struct rubric_reader *reader, const cJSON *value)
{
    static const char *const penalties[] = {"percent", "points"};
    const cJSON *members[KEY_COUNT];
    struct late_policy late = {.has_due = value != NULL};

    read_members(reader, value, "the policy for late work", keys, KEY_COUNT, members);
    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    late.due = read_due(reader, members[DUE]);
    late.grace_s = llround(read_number(reader, members[GRACE], 0, GRACE_MINUTES_MAX) * 60);
    late.is_percent = read_word(reader, members[PENALTY], penalties, 2) == 0;
    late.per_day = read_number(reader, members[PER_DAY], 0, late.is_percent ? 100 : PENALTY_MAX);
    late.has_cut_off = members[CUT_OFF] != NULL;
    late.cut_off_s =
        llround(read_number(reader, members[CUT_OFF], 0, CUT_OFF_DAYS_MAX) * SECONDS_PER_DAY);
    if (reader->error == ERROR_NONE && members[PENALTY] != NULL && members[PER_DAY] == NULL) {
        reader_fail(
            reader, ERROR_SYNTAX, members[PENALTY], true,
            "'penalty' says what 'penalty_per_day' counts, but 'penalty_per_day' is missing");
    }
    if (reader->error == ERROR_NONE && late.has_cut_off && late.cut_off_s < late.grace_s) {
        reader_fail(
            reader, ERROR_RANGE, members[CUT_OFF], false,
            "the cut-off, %lld s after the due time, comes before the end of the grace, %lld s",
            (long long)late.cut_off_s, (long long)late.grace_s);
    }
    reader->rubric->late = late;
}

/* True if students see a criterion that measures a speedup of what is ranked. */
static bool measures_speedup(const struct rubric *rubric, const struct leaderboard_rule *rule)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == CRITERION_SPEEDUP && !criterion->hidden &&
            (!rule->has_launch || criterion->launch == rule->launch)) {
            return true;
        }
    }
    return false;
}

void read_leaderboard(struct rubric_reader *reader, const cJSON *value)
{
    enum { MEASURE, LAUNCH, NAMES, KEYS };
    static const struct rubric_key board_keys[KEYS] = {
        [MEASURE] = {"measure", true}, [LAUNCH] = {"launch", false}, [NAMES] = {"names", false}};
    static const char *const measures[] = {"speedup", "instructions"};
    struct rubric *rubric = reader->rubric;
    struct leaderboard_rule rule = {.names = ""};
    const cJSON *members[KEYS];

    rubric->leaderboard = rule;
    if (value == NULL || reader->error != ERROR_NONE) {
        return;
    }
    if (reader->chain->count == 1) {
        reader_fail(reader, ERROR_SYNTAX, value, true,
                    "only an overlay may have a leaderboard: an instructor decides whether a class "
                    "is ranked");
    }
    read_members(reader, value, "a leaderboard", board_keys, KEYS, members);
    rule.by = read_word(reader, members[MEASURE], measures, 2) == 0 ? RANKED_BY_SPEEDUP
                                                                    : RANKED_BY_INSTRUCTIONS;
    rule.has_launch = members[LAUNCH] != NULL;
    if (rule.has_launch) {
        rule.launch = read_reference(reader, members[LAUNCH], "launch", rubric->launches,
                                     sizeof rubric->launches[0], rubric->launch_count);
    }
    if (members[NAMES] != NULL) {
        rule.names = read_name(reader, members[NAMES], NAME_TEXT);
    }
    if (reader->error == ERROR_NONE && rule.by == RANKED_BY_SPEEDUP &&
        !measures_speedup(rubric, &rule)) {
        reader_fail(reader, ERROR_RANGE, members[MEASURE], false,
                    "no criterion that students see measures this speedup");
    }
    rubric->leaderboard = rule;
}
