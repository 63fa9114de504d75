/* test_program_cache.c: what is built again and what is not. The keys and the entries need no
 * toolkit but what set_up finds; the last tests build with nvcc. */
#include "build_fixture.h"

#include "toolchain/program_cache.h"

#include <fcntl.h>
#include <time.h>

static const struct rubric_override overrides[] = {{.name = "N"}};

/* The key of the submission as it lies there; "" if it has none. */
static const char *key_of(struct site *site, const int64_t *values)
{
    struct source_tree tree;
    char *key = arena_alloc(site->arena, 65);

    assert_int_equal(source_tree_read(site->arena, site->source_folder, &site->program, &tree,
                                      &site->diagnostic),
                     ERROR_NONE);
    if (!program_cache_key(&site->toolchain, &site->rubric, &site->program, &tree, values, key)) {
        key[0] = '\0';
    }
    return key;
}

/* Is the key another one than `before`, which becomes it? */
static bool changes(struct site *site, const char **before)
{
    const char *now = key_of(site, NULL);
    bool is_other = strcmp(now, *before) != 0;

    *before = now;
    return is_other;
}

static void keys_know_what_is_included(void **state)
{
    struct site *site = need(state);
    const char *folder = site->source_folder;

    make(site, "source/deep");
    write_file(site, folder, "exercise.cu", "#include \"given.h\"\n#include <one.h>\n");
    write_file(site, folder, "deep/one.h", "# /* */ in\\\nclude \"two.inc\"\n");
    write_file(site, folder, "two.inc", "#if 0\n%: include \"three.h\"\n#endif\n");
    write_file(site, folder, "three.h", "\n");
    write_file(site, folder, "other.cu", "\n");
    const char *key = key_of(site, NULL);
    assert_int_equal(strlen(key), 64);
    assert_false(changes(site, &key));
    write_file(site, folder, "three.h", "int three;\n");
    assert_true(changes(site, &key));
    write_file(site, folder, "other.cu", "another exercise\n");
    assert_false(changes(site, &key));
    write_file(site, folder, "deep/one.h", "#include \"two.inc\"\n ");
    assert_true(changes(site, &key));
    write_file(site, folder, "given.h", "int given;\n");
    assert_true(changes(site, &key));
    write_file(site, folder, "deep/new.h", "\n"); /* could be found before another one */
    assert_true(changes(site, &key));
    write_file(site, folder, "exercise.cu", "#include \"given.h\"\n");
    assert_true(changes(site, &key));
    write_file(site, folder, "three.h", "\n");
    assert_false(changes(site, &key));
    /* Assembly and computed names may read anything. */
    write_file(site, folder, "exercise.cu", "asm(\".incbin \\\"three.h\\\"\");\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "exercise.cu", "?\?=include \"three.h\"\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "exercise.cu", "#define F \"three.h\"\n#include F\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "exercise.cu", "#include \"/etc/hostname\"\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "exercise.cu", "#include \"../outside.h\"\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "three.h", "const char *when = __DATE__;\n");
    write_file(site, folder, "exercise.cu", "#include \"three.h\"\n");
    assert_string_equal(key_of(site, NULL), "");
    write_file(site, folder, "exercise.cu", "int a;\n");
    assert_int_equal(strlen(key_of(site, NULL)), 64);
}

static void keys_know_the_coursework(void **state)
{
    static const int64_t values[][1] = {{1}, {2}};
    static const char *const flags[] = {"-O1"};
    struct site *site = need(state);

    write_file(site, site->source_folder, "exercise.cu", "int a;\n");
    const char *key = key_of(site, NULL);
    site->program.is_compatible = true;
    assert_true(changes(site, &key));
    site->program.flags = flags;
    site->program.flag_count = 1;
    assert_true(changes(site, &key));
    site->defines[0].value = "7";
    assert_true(changes(site, &key));
    write_file(site, site->rubric.reference_folder, "main.cu", "int main(void) {}\n");
    assert_true(changes(site, &key));
    write_file(site, site->rubric.template_folder, "given.h", "int given;\n");
    assert_true(changes(site, &key));
    site->rubric.limits.compile_wall_ns++;
    assert_true(changes(site, &key));
    site->rubric.arithmetic = ARITHMETIC_NO_FMAD;
    assert_true(changes(site, &key));
    site->program.overrides = overrides;
    site->program.override_count = 1;
    const char *first = key_of(site, values[0]);
    assert_string_not_equal(first, key_of(site, values[1]));
    assert_string_not_equal(first, key_of(site, NULL));
    assert_string_equal(first, key_of(site, values[0]));
    /* Another runtime or compiler. */
    key = key_of(site, NULL);
    const char *library = make(site, "library");
    write_file(site, library, CUDART_SONAME, "runtime\n");
    snprintf(site->toolchain.cudart_folder, sizeof site->toolchain.cudart_folder, "%s", library);
    assert_true(changes(site, &key));
    snprintf(site->toolchain.compiler.folder, sizeof site->toolchain.compiler.folder, "%s",
             library);
    assert_true(changes(site, &key));
    snprintf(site->toolchain.cudart_folder, sizeof site->toolchain.cudart_folder, "/nowhere");
    assert_string_equal(key_of(site, NULL), "");
}

static const char entry_key[] = "5eed";

static void keep_something(struct site *site)
{
    const struct kept_program kept = {
        .compiled = true,
        .linked = true,
        .failure = CODE_LINK_ERROR,
        .exit_status = 3,
        .named_folder = "/some where",
        .printed = "12 printed\n",
        .printed_length = 11,
        .missing_macros = 5,
        .given_modules = "010",
        .executable = "\177ELF\0 7",
        .executable_length = 7,
    };

    program_cache_keep(&site->toolchain, entry_key, &kept);
}

static void entries_come_back_whole_or_not_at_all(void **state)
{
    struct site *site = need(state);
    const char *path =
        arena_printf(site->arena, "%s/programs/%s", site->toolchain.cache_folder, entry_key);
    struct kept_program kept;
    char *bytes = NULL;
    size_t length = 0;

    assert_false(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
    keep_something(site);
    assert_true(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
    assert_true(kept.compiled && kept.linked);
    assert_int_equal(kept.failure, CODE_LINK_ERROR);
    assert_int_equal(kept.exit_status, 3);
    assert_string_equal(kept.named_folder, "/some where");
    assert_int_equal(kept.printed_length, 11);
    assert_string_equal(kept.printed, "12 printed\n");
    assert_int_equal(kept.missing_macros, 5);
    assert_string_equal(kept.given_modules, "010");
    assert_int_equal(kept.executable_length, 7);
    assert_memory_equal(kept.executable, "\177ELF\0 7", 7);
    assert_int_equal(file_read(site->arena, path, 10000, BLAME_ENVIRONMENT, &bytes, &length, NULL),
                     ERROR_NONE);
    /* Any byte changed, any byte less, and entries that are right by their hash alone. */
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 1;
        assert_int_equal(file_write_atomic(path, bytes, length, NULL), ERROR_NONE);
        assert_false(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
        bytes[i] ^= 1;
    }
    for (size_t i = 0; i < length; i++) {
        char hash[65];
        char *part = arena_alloc(site->arena, length + 64);
        memcpy(part, bytes, i);
        hash_bytes(part, i, hash);
        memcpy(part + i, hash, 64);
        assert_int_equal(file_write_atomic(path, part, i + (i % 2) * 64, NULL), ERROR_NONE);
        assert_true(i == length - 64 && i % 2 == 1
                        ? program_cache_take(&site->toolchain, entry_key, site->arena, &kept)
                        : !program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
    }
    keep_something(site);
    assert_true(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
}

/* A sparse file takes no room on the disk. */
static void write_large(struct site *site, const char *name, long bytes, long seconds_ago)
{
    const char *path =
        arena_printf(site->arena, "%s/programs/%s", site->toolchain.cache_folder, name);
    const struct timespec old = {.tv_sec = time(NULL) - seconds_ago};
    const struct timespec both[] = {old, old};

    assert_int_equal(file_write_atomic(path, "", 0, NULL), ERROR_NONE);
    assert_int_equal(truncate(path, bytes), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, both, 0), 0);
}

static bool is_there(struct site *site, const char *name)
{
    return file_exists(
        arena_printf(site->arena, "%s/programs/%s", site->toolchain.cache_folder, name));
}

static void what_was_not_used_longest_goes(void **state)
{
    static const long mib = 1024 * 1024;
    struct site *site = need(state);
    struct kept_program kept;

    keep_something(site);
    write_large(site, "old", 120 * mib, 50);
    write_large(site, "older", 100 * mib, 100);
    write_large(site, "../object-oldest.o", 900 * mib, 1000); /* another cache's */
    program_cache_keep(
        &site->toolchain, "other",
        &(struct kept_program){
            .printed = "", .executable = "", .named_folder = "/", .given_modules = ""});
    assert_true(is_there(site, "older"));
    write_large(site, "oldest", 40 * mib, 500);
    assert_true(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
    program_cache_keep(
        &site->toolchain, "other",
        &(struct kept_program){
            .printed = "", .executable = "", .named_folder = "/", .given_modules = ""});
    assert_false(is_there(site, "oldest"));
    assert_false(is_there(site, "older"));
    assert_true(is_there(site, "old"));
    assert_true(is_there(site, "../object-oldest.o"));
    assert_true(is_there(site, "other"));
    assert_true(program_cache_take(&site->toolchain, entry_key, site->arena, &kept));
}

/* Builds and tells whether a compiler ran. */
static bool compiles(struct site *site, const int64_t *values)
{
    struct toolchain_job *job = NULL;
    char name[32];

    snprintf(name, sizeof name, "build-%d", site->builds++);
    const char *work_folder = make(site, name);
    const struct build_request request = {
        .rubric = &site->rubric,
        .source_folder = site->source_folder,
        .work_folder = work_folder,
        .macro_values = values,
    };
    assert_int_equal(toolchain_start(&site->toolchain, &request, &job, &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(toolchain_finish(job, site->arena, &site->built, &site->diagnostic),
                     ERROR_NONE);
    return folder_exists(arena_printf(site->arena, "%s/piece-0", work_folder));
}

/* What a build tells, without what differs by place. */
static const char *told(struct site *site)
{
    const struct built_program *built = &site->built;
    const struct program_build *build = &built->build;
    const char *all = arena_printf(
        site->arena, "%d %d %d %d %d %d %zu %zu %zu", build->attempted, build->compiled,
        build->linked, (int)build->failure, (int)build->end.ending, build->end.exit_status,
        build->message_count, build->missing_macro_count, built->code.module_count);

    for (size_t i = 0; i < build->message_count; i++) {
        const struct tool_message *message = &build->messages[i];
        all = arena_printf(site->arena, "%s\n%d %s %d %d %s %s", all, message->is_error,
                           message->file, message->line, message->column, message->message,
                           message->symbol == NULL ? "" : message->symbol);
    }
    for (size_t i = 0; i < build->missing_macro_count; i++) {
        all = arena_printf(site->arena, "%s\n%s", all, build->missing_macros[i]);
    }
    return all;
}

static void builds_again_only_what_changed(void **state)
{
    struct site *site = need(state);
    const char *warned = arena_printf(site->arena, "void unused() { int n; }\n%s", good_text);

    write_file(site, site->source_folder, "exercise.cu", warned);
    assert_true(compiles(site, NULL));
    const char *first = told(site);
    assert_true(site->built.build.linked && site->built.build.message_count == 1);
    assert_false(compiles(site, NULL));
    assert_string_equal(told(site), first);
    assert_int_equal(access(site->built.executable, X_OK), 0);
    assert_non_null(site->built.source_folder);
    /* Mistakes are kept with their places. */
    write_file(site, site->source_folder, "exercise.cu", "void launch(float *p) { q = p; }\n");
    assert_true(compiles(site, NULL));
    first = told(site);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
    assert_false(compiles(site, NULL));
    assert_string_equal(told(site), first);
    write_file(site, site->source_folder, "exercise.cu", "void lunch(float *p) {}\n");
    assert_true(compiles(site, NULL));
    first = told(site);
    assert_int_equal(site->built.build.failure, CODE_LINK_ERROR);
    assert_false(compiles(site, NULL));
    assert_string_equal(told(site), first);
    /* And the first one is still there, but not for those who want none. */
    write_file(site, site->source_folder, "exercise.cu", warned);
    assert_false(compiles(site, NULL));
    site->toolchain.builds_anew = true;
    assert_true(compiles(site, NULL));
    /* A limit is no property of the source. */
    site->toolchain.builds_anew = false;
    site->rubric.limits.compile_wall_ns = 1000 * 1000;
    assert_true(compiles(site, NULL));
    assert_int_equal(site->built.build.failure, CODE_COMPILE_LIMIT);
    assert_true(compiles(site, NULL));
}

static void sizes_are_kept_apart(void **state)
{
    static const int64_t values[][1] = {{100000}, {8}};
    struct site *site = need(state);

    site->program.harness_count = 0;
    site->program.given_count = 0;
    site->program.overrides = overrides;
    site->program.override_count = 1;
    write_file(site, site->source_folder, "exercise.cu",
               "const int N = 4; int f() { int unused; return N; }\n"
               "static_assert(N < 1000, \"too wide\");\nint main() {}\n");
    for (size_t i = 0; i < 2; i++) {
        assert_true(compiles(site, values[i]));
        const char *first = told(site);
        assert_int_equal(site->built.build.linked, i == 1);
        assert_false(compiles(site, values[i]));
        assert_string_equal(told(site), first);
    }
    write_file(site, site->source_folder, "exercise.cu", "int main() {}\n");
    for (int round = 0; round < 2; round++) {
        assert_int_equal(compiles(site, values[1]), round == 0);
        assert_int_equal(site->built.build.missing_macro_count, 1);
        assert_string_equal(site->built.build.missing_macros[0], "N");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keys_know_what_is_included, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_know_the_coursework, set_up, tear_down),
        cmocka_unit_test_setup_teardown(entries_come_back_whole_or_not_at_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_used_longest_goes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(builds_again_only_what_changed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_are_kept_apart, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
