/* test_slurm_site.c: what is asked of a cluster, by a file and on the command line. */
#include "cli/slurm_site.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static char *folder;
static const char *path;
static struct diagnostic diagnostic;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    path = arena_printf(arena, "%s/site.json", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

/* `gpugrade batch` with these words behind it, which end with NULL. */
static enum error read_words(const char *const *words, struct slurm_site *out_site)
{
    const char *all[16] = {"batch"};
    struct options options;
    int count = 1;

    for (; words[count - 1] != NULL; count++) {
        all[count] = words[count - 1];
    }
    assert_int_equal(options_parse(count, all, &options, &diagnostic), ERROR_NONE);
    return slurm_site_read(arena, &options, out_site, &diagnostic);
}

static enum error read_site(const char *text, struct slurm_site *out_site)
{
    const char *const words[] = {"--slurm", "--slurm-site", path, NULL};

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    return read_words(words, out_site);
}

static void nothing_is_asked_without(void **state)
{
    const char *const words[] = {"-j", "2", NULL};
    struct slurm_site site;
    (void)state;

    assert_int_equal(read_words(words, &site), ERROR_NONE);
    assert_false(site.is_wanted || site.only_takes || site.only_writes);
    assert_null(site.partition);
    assert_int_equal(site.option_count, 0);
}

static void a_file_says_everything(void **state)
{
    struct slurm_site site;
    (void)state;

    assert_int_equal(read_site("{\"partition\": \"p\", \"account\": \"a b\", \"time\": \"1:00\","
                               " \"memory\": \"8G\", \"gres\": \"gpu:h200:1\", \"chunk\": 20,"
                               " \"jobs\": 8, \"options\": [\"--qos=low\", \"-v\"]}",
                               &site),
                     ERROR_NONE);
    assert_true(site.is_wanted);
    assert_string_equal(site.partition, "p");
    assert_string_equal(site.account, "a b");
    assert_string_equal(site.time, "1:00");
    assert_string_equal(site.memory, "8G");
    assert_string_equal(site.gres, "gpu:h200:1");
    assert_int_equal(site.chunk, 20);
    assert_int_equal(site.jobs, 8);
    assert_int_equal(site.option_count, 2);
    assert_string_equal(site.options[1], "-v");
    assert_int_equal(read_site("{}", &site), ERROR_NONE);
    assert_string_equal(site.gres, "gpu:1");
    assert_int_equal(site.chunk, 0);
    assert_null(site.partition);
}

static void the_command_line_goes_before(void **state)
{
    const char *const words[] = {
        "--slurm",         "--slurm-site",   path, "--slurm-partition", "q",
        "--slurm-chunk=7", "--slurm-time=5", NULL};
    const char *text = "{\"partition\": \"p\", \"account\": \"a\", \"chunk\": 20}";
    struct slurm_site site;
    (void)state;

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    assert_int_equal(read_words(words, &site), ERROR_NONE);
    assert_string_equal(site.partition, "q");
    assert_string_equal(site.account, "a");
    assert_string_equal(site.time, "5");
    assert_int_equal(site.chunk, 7);
}

static void files_are_held_to_their_keys(void **state)
{
    static const char *const wrong[] = {
        "[]",
        "{",
        "{\"partitions\": \"p\"}",
        "{\"partition\": 3}",
        "{\"partition\": \"\"}",
        "{\"partition\": \"a\\nb\"}",
        "{\"chunk\": 0}",
        "{\"chunk\": 2.5}",
        "{\"chunk\": \"2\"}",
        "{\"jobs\": 1025}",
        "{\"options\": \"--qos=low\"}",
        "{\"options\": [\"job.sh\"]}",
        "{\"options\": [3]}",
        "{\"options\": [\"--a\", \"\"]}",
    };
    struct slurm_site site = {.chunk = 99};
    (void)state;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        enum error error = read_site(wrong[i], &site);
        if (error != ERROR_SYNTAX && error != ERROR_RANGE) {
            fail_msg("%s: %s", wrong[i], error_text(error));
        }
        assert_string_equal(diagnostic.file, path);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
    }
    assert_int_equal(site.chunk, 99);
}

static void words_need_their_company(void **state)
{
    static const struct {
        const char *words[4];
        const char *said;
    } wrong[] = {
        {{"--slurm-chunk", "3"}, "--slurm-chunk needs --slurm"},
        {{"--no-submit"}, "--no-submit needs --slurm"},
        {{"--slurm", "--slurm-chunk", "0"}, "from 1 to"},
        {{"--slurm", "--slurm-partition", ""}, "--slurm-partition"},
        {{"--slurm", "--slurm-account=a\nb"}, "--slurm-account"},
        {{"--slurm", "--slurm-merge"}, "leave out --slurm"},
        {{"--slurm", "--gpus", "0"}, "--gpus"},
        {{"--slurm", "--slurm-site", "/nowhere/site.json"}, ""},
    };
    struct slurm_site site;
    (void)state;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        diagnostic.message[0] = '\0';
        assert_int_not_equal(read_words(wrong[i].words, &site), ERROR_NONE);
        if (strstr(diagnostic.message, wrong[i].said) == NULL) {
            fail_msg("%s: %s", wrong[i].said, diagnostic.message);
        }
    }
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(nothing_is_asked_without),     T(a_file_says_everything),
        T(the_command_line_goes_before), T(files_are_held_to_their_keys),
        T(words_need_their_company),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
