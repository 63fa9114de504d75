/* roster_apply.c: whose submission is whose, by a roster and by what is known; see roster.h. */
#include "batch/roster.h"

#include "base/text.h"
#include "batch/person_index.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The work of one roster_apply(). */
struct owners {
    const struct roster *roster;
    const struct class_known *known;
    struct person_index given; /* the people of the roster, by their place */
    struct person_index kept;  /* the known students that were in a roster, by their place */
    const struct class_known_student *
        *same;    /* [roster->count] as whom a person is known, or NULL */
    long *places; /* [known->student_count] the other way round; PERSON_NOBODY: not in the roster */
    struct class_draft *draft;
    size_t time_count; /* entries that keep a time */
};

static const char *either(const char *first, const char *second)
{
    return text_or_empty(first)[0] != '\0' ? first : second;
}

static bool differ(const char *left, const char *right)
{
    return left[0] != '\0' && right[0] != '\0' && strcasecmp(left, right) != 0;
}

/* Two people of one name have different ids. */
static bool may_be_same(const struct class_person *left, const struct class_person *right)
{
    return !differ(left->id, right->id) && !differ(left->email, right->email) &&
           !differ(left->canvas_id, right->canvas_id) && !differ(left->sis_id, right->sis_id) &&
           !differ(left->login, right->login) && !differ(left->moodle_id, right->moodle_id);
}

static const struct class_known_student *known_by_key(const struct owners *owners,
                                                      const char *student)
{
    const struct class_known_student *found = class_known_student(owners->known, student);

    return found != NULL && found->was_in_roster ? found : NULL;
}

/* As whom a person of the roster is known: by the key, else by what else a roster says of them, if
 * the roster has nobody of that key any more. */
static const struct class_known_student *find_same(const struct owners *owners,
                                                   const struct class_person *person)
{
    const struct class_entry entry = {
        .student = person->student,
        .name = person->name,
        .email = person->email,
        .canvas_id = person->canvas_id,
        .login = person->login,
        .moodle_id = person->moodle_id,
    };

    if (class_known_student(owners->known, person->student) != NULL) {
        return known_by_key(owners, person->student);
    }
    long found = person_index_find(&owners->kept, &entry);
    const struct class_known_student *same = found >= 0 ? &owners->known->students[found] : NULL;
    return same != NULL && may_be_same(&same->person, person) ? same : NULL;
}

static int compare_keys(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Finds the people of the roster among those who are known, each of these once. */
static void match_people(struct owners *owners, struct roster *roster)
{
    const struct class_known *known = owners->known;
    struct arena *arena = owners->draft->arena;
    const char **keys = arena_array(arena, roster->count, sizeof *keys);

    owners->same = arena_array(arena, roster->count, sizeof *owners->same);
    owners->places = arena_array(arena, known->student_count, sizeof *owners->places);
    for (size_t i = 0; i < known->student_count; i++) {
        owners->places[i] = PERSON_NOBODY;
    }
    for (size_t i = 0; i < roster->count; i++) {
        keys[i] = roster->people[i].student;
    }
    if (roster->count > 0) {
        qsort(keys, roster->count, sizeof *keys, compare_keys);
    }
    for (size_t i = 0; i < roster->count; i++) {
        struct class_person *person = &roster->people[i];
        const struct class_known_student *same = find_same(owners, person);
        size_t number = same != NULL ? (size_t)(same - known->students) : 0;
        bool is_other = same != NULL && strcmp(same->person.student, person->student) != 0;
        if (same == NULL || owners->places[number] != PERSON_NOBODY ||
            (is_other && bsearch(&same->person.student, keys, roster->count, sizeof *keys,
                                 compare_keys) != NULL)) {
            continue;
        }
        owners->places[number] = (long)i;
        owners->same[i] = same;
        person->before = is_other ? same->person.student : NULL;
    }
}

/* Who was in the roster before, and is not in this one. */
static void remark_missing(const struct owners *owners)
{
    const struct class_known *known = owners->known;
    const struct class_person *missing = NULL;
    size_t missing_count = 0;

    for (size_t i = 0; i < known->student_count && owners->roster->count > 0; i++) {
        if (known->students[i].in_roster && owners->places[i] == PERSON_NOBODY) {
            missing = missing == NULL ? &known->students[i].person : missing;
            missing_count++;
        }
    }
    if (missing_count > 0) {
        class_draft_remark(owners->draft,
                           "%zu of the earlier roster %s not in this one, such as '%s' (%s); they "
                           "keep what they handed in",
                           missing_count, missing_count == 1 ? "is" : "are", missing->student,
                           either(missing->name, missing->student));
    }
}

/* A folder or a file whose name is all that is said of it. */
static bool says_nothing(const struct class_entry *entry)
{
    return text_or_empty(entry->name)[0] == '\0' && text_or_empty(entry->email)[0] == '\0' &&
           text_or_empty(entry->canvas_id)[0] == '\0' && text_or_empty(entry->login)[0] == '\0' &&
           text_or_empty(entry->moodle_id)[0] == '\0';
}

static void take_person(struct class_entry *entry, const struct class_person *person)
{
    entry->student = person->student;
    entry->name = either(person->name, entry->name);
    entry->email = either(person->email, entry->email);
    entry->canvas_id = either(entry->canvas_id, person->canvas_id);
    entry->moodle_id = either(entry->moodle_id, person->moodle_id);
    entry->login = either(entry->login, person->login);
}

/* Whose it was before; NULL if that is not to be kept. */
static const struct class_known_student *linked_owner(const struct owners *owners,
                                                      const struct class_known_submission *link,
                                                      const struct class_entry *entry)
{
    const struct class_known_student *owner =
        link == NULL ? NULL : class_known_student(owners->known, link->student);

    return owner != NULL && (owner->was_in_roster || says_nothing(entry)) ? owner : NULL;
}

static void take_given(const struct owners *owners, struct class_entry *entry, size_t number,
                       const struct class_known_student *linked)
{
    const struct class_person *person = &owners->roster->people[number];

    if (linked != NULL && linked->was_in_roster && linked != owners->same[number]) {
        class_draft_remark(
            owners->draft,
            "'%s' belonged to '%s' (%s) before, and belongs to '%s' (%s) by this roster",
            entry->submission, linked->person.student, linked->person.name, person->student,
            person->name);
    }
    take_person(entry, person);
}

/* Nobody of the roster has it; `found` says why. It is `known` then, if that is not NULL. */
static void take_known(const struct owners *owners, struct class_entry *entry, long found,
                       const struct class_known_student *known)
{
    const char *why = found == PERSON_SEVERAL ? "may belong to several people in the roster"
                                              : "belongs to no one in the roster";
    const char *called = either(entry->name, entry->student);

    if (known != NULL) {
        take_person(entry, &known->person);
    }
    if (known != NULL && known->was_in_roster && owners->roster->count > 0) {
        class_draft_remark(owners->draft, "'%s' (%s) %s; it stays with '%s' (%s), as before",
                           entry->submission, called, why, entry->student,
                           either(entry->name, entry->student));
    } else if ((known == NULL || !known->was_in_roster) &&
               (owners->roster->count > 0 || owners->kept.count > 0)) {
        class_draft_remark(owners->draft, "'%s' (%s) %s; it is graded as '%s'", entry->submission,
                           called, why, entry->student);
    }
}

static void find_owner(struct owners *owners, struct class_entry *entry)
{
    const struct class_known_submission *link =
        class_known_submission(owners->known, entry->submission);
    const struct class_known_student *linked = linked_owner(owners, link, entry);
    long found = person_index_find(&owners->given, entry);
    long kept =
        linked != NULL ? linked - owners->known->students : person_index_find(&owners->kept, entry);
    const struct class_known_student *owner;
    int64_t given = 0;

    if (found < 0 && kept >= 0 && owners->places[kept] >= 0) {
        found = owners->places[kept]; /* who is called otherwise by now */
    }
    if (found >= 0) {
        take_given(owners, entry, (size_t)found, linked);
        given = owners->roster->people[found].submitted;
        owner = owners->same[found];
    } else {
        take_known(owners, entry, kept == PERSON_SEVERAL ? kept : found,
                   kept >= 0 ? &owners->known->students[kept] : NULL);
        owner = class_known_student(owners->known, entry->student);
    }
    if (entry->submitted == 0) {
        int64_t of_link = link != NULL ? link->submitted : 0;
        int64_t kept_time = of_link != 0 || owner == NULL ? of_link : owner->person.submitted;
        entry->submitted = given != 0 ? given : kept_time;
        owners->time_count += given == 0 && kept_time != 0;
    }
}

/* Moodle's worksheet, for one, tells times without a zone. */
static void remark_times(const struct owners *owners)
{
    const struct roster *roster = owners->roster;

    if (roster->unread_time_count > 0) {
        class_draft_remark(
            owners->draft,
            "%zu times in the roster cannot be read, such as '%s'; they count as unknown: name "
            "their zone with --zone Europe/Berlin or --zone +01:00, or write '2026-11-20 23:59:00 "
            "+0100'",
            roster->unread_time_count,
            class_draft_text(owners->draft, roster->unread_time, strlen(roster->unread_time)));
    }
    if (owners->time_count > 0) {
        class_draft_remark(
            owners->draft,
            "%zu of the submissions now come without a time and keep their earlier one",
            owners->time_count);
    }
}

static void remark_kept_people(const struct owners *owners)
{
    size_t count = 0;

    for (size_t i = 0; i < owners->known->student_count; i++) {
        count += owners->known->students[i].in_roster;
    }
    if (count > 0 && owners->roster->count == 0) {
        class_draft_remark(owners->draft,
                           "no roster is given: the earlier one is kept, with its %zu %s", count,
                           count == 1 ? "person" : "people");
    }
}

static int compare_entry(const void *key, const void *item)
{
    return strcmp(key, ((const struct class_entry *)item)->submission);
}

/* What was there when the class was read last, and is not now. The entries are in the order of
 * their submissions. */
static void remark_gone(const struct owners *owners)
{
    const struct class_known *known = owners->known;
    const struct class_draft *draft = owners->draft;
    const char *example = NULL;
    size_t count = 0;

    for (size_t i = 0; i < known->submission_count; i++) {
        const char *name = known->submissions[i].submission;
        if (!known->submissions[i].is_gone &&
            bsearch(name, draft->entries, draft->entry_count, sizeof *draft->entries,
                    compare_entry) == NULL) {
            example = example == NULL ? name : example;
            count++;
        }
    }
    if (count > 0) {
        class_draft_remark(owners->draft,
                           "%zu of the earlier submissions %s missing now, such as '%s'; their "
                           "results are kept, and count again once they are back",
                           count, count == 1 ? "is" : "are", example);
    }
}

void roster_apply(struct roster *roster, const struct class_known *known, struct class_draft *draft)
{
    static const struct class_known nothing = {.student_count = 0};
    struct owners owners = {
        .roster = roster,
        .known = known != NULL ? known : &nothing,
        .given = {.arena = draft->arena},
        .kept = {.arena = draft->arena},
        .draft = draft,
    };

    for (size_t i = 0; i < roster->count; i++) {
        person_index_add(&owners.given, &roster->people[i], i);
    }
    for (size_t i = 0; i < owners.known->student_count; i++) {
        if (owners.known->students[i].was_in_roster) {
            person_index_add(&owners.kept, &owners.known->students[i].person, i);
        }
    }
    person_index_sort(&owners.given);
    person_index_sort(&owners.kept);
    match_people(&owners, roster);
    remark_missing(&owners);
    remark_kept_people(&owners);
    remark_gone(&owners);
    for (size_t i = 0; i < draft->entry_count; i++) {
        find_owner(&owners, &draft->entries[i]);
    }
    remark_times(&owners);
}
