/* test_roster.c: lists of people, and whose submission is whose. */
#include "batch/roster.h"

#include "base/file.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static char *root;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return folder_make_temporary(arena, &root, NULL) == ERROR_NONE ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(root);
    arena_free(arena);
    return 0;
}

static enum error read_text(const char *text, struct roster *out, struct diagnostic *diagnostic)
{
    const char *path = arena_printf(arena, "%s/roster.csv", root);

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    return roster_read(arena, &(struct roster_source){.path = path}, out, diagnostic);
}

static struct roster read_roster(const char *text)
{
    struct roster roster = {0};
    struct diagnostic diagnostic = {0};

    if (read_text(text, &roster, &diagnostic) != ERROR_NONE) {
        print_error("%s\n", diagnostic.message);
        fail();
    }
    return roster;
}

/* "key|id|name|email|canvas|sis|login|section|moodle|time" of each person. */
static void expect_people(const struct roster *roster, const char *expected)
{
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < roster->count; i++) {
        const struct class_person *person = &roster->people[i];
        text_printf(&all, "%s|%s|%s|%s|%s|%s|%s|%s|%s|%lld\n", person->student, person->id,
                    person->name, person->email, person->canvas_id, person->sis_id, person->login,
                    person->section, person->moodle_id, (long long)person->submitted);
    }
    assert_string_equal(all.bytes, expected);
    text_release(&all);
}

static void test_plain(void **state)
{
    struct roster roster = read_roster("Email;Name;ID;submitted\n"
                                       "j@x; Jane Doe ;7;2026-04-26 17:34:00 Z\n"
                                       ";;;\n"
                                       "p@x;Pat;;\n");

    (void)state;
    expect_people(&roster, "7|7|Jane Doe|j@x||||||1777224840\n"
                           "p@x||Pat|p@x||||||0\n");
}

static void test_canvas(void **state)
{
    struct roster roster = read_roster("Student,ID,SIS User ID,SIS Login ID,Section,Lab 6 (991)\n"
                                       "    Points Possible,,,,,100\n"
                                       "\"Doe, Jane\",101,S7,jdoe,A,\n"
                                       "\"Beam, Jim\",102,,jbeam,A,12\n"
                                       "\"Student, Test\",103,,9f8a,A,\n");

    (void)state;
    expect_people(&roster, "S7||Doe, Jane||101|S7|jdoe|A||0\n"
                           "jbeam||Beam, Jim||102||jbeam|A||0\n");
}

static void test_moodle(void **state)
{
    struct roster participants = read_roster("First name,Last name,ID number,Email address,Groups\n"
                                             "Jane,Doe,7,j@x,G1\n"
                                             "Jim,Beam,,b@x,\n");
    struct roster worksheet = read_roster("Identifier,Full name,ID number,Email address,Status\n"
                                          "Participant 11,Jane Doe,7,j@x,Submitted\n");
    struct roster timed = read_roster("Identifier,ID number,Last modified (submission)\n"
                                      "Participant 11,7,\"Tuesday, 3 October 2023, 11:05 AM\"\n"
                                      "Participant 12,8,-\n");
    struct roster blind = read_roster("Identifier,Status\nParticipant 11,Submitted\n");

    (void)state;
    assert_string_equal(timed.unread_time, "Tuesday, 3 October 2023, 11:05 AM");
    assert_int_equal(timed.unread_time_count, 1);
    expect_people(&participants, "7|7|Jane Doe|j@x||||G1||0\n"
                                 "b@x||Jim Beam|b@x||||||0\n");
    expect_people(&worksheet, "7|7|Jane Doe|j@x|||||Participant 11|0\n");
    expect_people(&blind, "Participant 11||||||||Participant 11|0\n");
}

static void test_others(void **state)
{
    struct roster gradescope = read_roster("First Name,Last Name,SID,Email,Role\n"
                                           "Jane,Doe,7,j@x,Student\n"
                                           "Tom,Tutor,8,t@x,TA\n");
    struct roster github =
        read_roster("identifier,github_username,github_id,name\n\"doe, jane\",jdoe,1,\n");
    struct roster grades = read_roster("assignment_name,github_username,roster_identifier,"
                                       "submission_timestamp\n"
                                       "lab-6,jdoe,j7,2026-04-26 17:34:00 UTC\n");

    (void)state;
    expect_people(&gradescope, "7|7|Jane Doe|j@x||||||0\n");
    expect_people(&github, "doe, jane|doe, jane|||||jdoe|||0\n");
    expect_people(&grades, "j7|j7|||||jdoe|||1777224840\n");
}

static void refuse(const char *text, enum error expected, int line, const char *part)
{
    struct roster roster;
    struct diagnostic diagnostic = {0};

    assert_int_equal(read_text(text, &roster, &diagnostic), expected);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_int_equal(diagnostic.line, line);
    assert_non_null(strstr(diagnostic.message, part));
}

static void test_refuses(void **state)
{
    struct roster roster;

    (void)state;
    refuse("id,name\n7,a\n8,b\n7,c\n", ERROR_RANGE, 4, "'7' is already on line 2");
    refuse("points,remarks\n1,2\n", ERROR_SYNTAX, 1, "no column that gpugrade knows");
    refuse("id,name\n7,\"a\n", ERROR_SYNTAX, 2, "closing quote");
    assert_int_equal(
        roster_read(arena,
                    &(struct roster_source){.path = arena_printf(arena, "%s/none.csv", root)},
                    &roster, NULL),
        ERROR_NOT_FOUND);
}

/* Gives one entry to a roster: whose it is, "-" for nobody's. */
static void expect_owner(struct roster *roster, struct class_entry entry, const char *owner)
{
    struct class_draft draft;

    class_draft_init(&draft, arena);
    entry.submission = "x";
    draft.entries = &entry;
    draft.entry_count = 1;
    roster_apply(roster, NULL, &draft);
    if (strcmp(owner, "-") == 0) {
        assert_int_equal(draft.remark_count, 1);
    } else {
        assert_int_equal(draft.remark_count, 0);
        assert_string_equal(entry.student, owner);
    }
}

static void test_apply(void **state)
{
    struct roster roster =
        read_roster("ID,Name,Email,Canvas ID,Login,Moodle ID\n"
                    "S1,Jane Mary Doe,Jane.Doe@x.edu,101,jmd,Participant 11\n"
                    "S2,\"O'Hara, Se\xC3\xA1n\",sohara@x.edu,102,sean,Participant 12\n"
                    "S3,Kim Lee,kim1@x.edu,,,\n"
                    "S4,Lee Kim,kim2@x.edu,,,\n"
                    "102,Number Man,n@x.edu,,,\n");

    (void)state;
    expect_owner(&roster, (struct class_entry){.student = "s1"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "JMD"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "jane.doe"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "Doe_Jane Mary"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "?", .email = "JANE.DOE@X.EDU"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "doejane_101", .canvas_id = "101"}, "S1");
    expect_owner(&roster, (struct class_entry){.student = "?", .moodle_id = "Participant 12"},
                 "S2");
    expect_owner(&roster, (struct class_entry){.student = "?", .login = "Sean"}, "S2");
    /* what Canvas makes of the sortable name */
    expect_owner(&roster, (struct class_entry){.student = "?", .name = "doejanemary"}, "S1");
    expect_owner(&roster,
                 (struct class_entry){.student = "?",
                                      .name = "ohara"
                                              "se\xC3\xA1n"},
                 "S2");
    /* two people of one name: no guess; the id decides */
    expect_owner(&roster, (struct class_entry){.student = "?", .name = "Kim Lee"}, "-");
    expect_owner(&roster, (struct class_entry){.student = "kim2", .name = "Kim Lee"}, "S4");
    expect_owner(&roster, (struct class_entry){.student = "102"}, "102");
    expect_owner(&roster, (struct class_entry){.student = "nobody"}, "-");
}

static void test_takes_over(void **state)
{
    struct roster roster = read_roster("id,name,email,login,submitted\n"
                                       "7,Jane Doe,j@x,jdoe,2026-04-26 17:34:00 Z\n");
    struct class_draft draft;
    struct class_entry entries[] = {
        {.student = "jdoe", .submission = "a", .name = "J."},
        {.student = "7", .submission = "b", .email = "other@x", .submitted = 5},
        {.student = "eve", .submission = "c"},
    };

    (void)state;
    class_draft_init(&draft, arena);
    draft.entries = entries;
    draft.entry_count = 3;
    roster_apply(&roster, NULL, &draft);
    assert_string_equal(entries[0].student, "7");
    assert_string_equal(entries[0].name, "Jane Doe");
    assert_string_equal(entries[0].email, "j@x");
    assert_int_equal(entries[0].submitted, 1777224840);
    assert_int_equal(entries[1].submitted, 5); /* the export knows better */
    assert_string_equal(entries[2].student, "eve");
    assert_int_equal(draft.remark_count, 1);
    assert_string_equal(draft.remarks[0],
                        "'c' (eve) belongs to no one in the roster; it is graded as 'eve'");
}

/* One remark on all of them. */
/* Moodle's own times, and Canvas's, where the zone is named beside the roster. */
static void test_zone(void **state)
{
    const struct date_zone zone = {.offset_s = 3600};
    const char *path = arena_printf(arena, "%s/times.csv", root);
    static const char table[] = "Identifier,Last modified (submission)\n"
                                "Participant 1,\"Friday, 20 November 2026, 11:59 PM\"\n"
                                "Participant 2,\"Nov 20, 2026 11:59pm\"\n"
                                "Participant 3,2026-11-20 22:59:00 UTC\n"
                                "Participant 4,-\n";
    struct roster roster;
    (void)state;

    assert_int_equal(file_write_atomic(path, table, strlen(table), NULL), ERROR_NONE);
    assert_int_equal(roster_read(arena, &(struct roster_source){path, &zone}, &roster, NULL),
                     ERROR_NONE);
    assert_int_equal(roster.count, 4);
    assert_int_equal(roster.unread_time_count, 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(roster.people[i].submitted, 1795215540);
    }
    assert_int_equal(roster.people[3].submitted, 0);
}

static void test_unread_times(void **state)
{
    struct roster roster = read_roster("id,submitted\n7,yesterday\n8,2026-04-26 17:34:00\n9,\n");
    struct class_draft draft;
    struct class_entry entry = {.student = "8", .submission = "a"};

    (void)state;
    class_draft_init(&draft, arena);
    draft.entries = &entry;
    draft.entry_count = 1;
    roster_apply(&roster, NULL, &draft);
    assert_int_equal(entry.submitted, 0);
    assert_int_equal(draft.remark_count, 1);
    assert_non_null(strstr(draft.remarks[0], "2 times in the roster cannot be read, such as "
                                             "'yesterday'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_canvas),
        cmocka_unit_test(test_moodle),     cmocka_unit_test(test_others),
        cmocka_unit_test(test_refuses),    cmocka_unit_test(test_apply),
        cmocka_unit_test(test_takes_over), cmocka_unit_test(test_unread_times),
        cmocka_unit_test(test_zone),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
