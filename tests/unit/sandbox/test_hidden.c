/* test_hidden.c: a folder of the system that programs must not see, in each tier that can keep it
 * from them. It stands for the reference solutions of an installed gpugrade.
 */
#include "base/clock.h"
#include "sandbox/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char hidden[] = "/usr/include/linux";

/* What a line of shell prints, with the folder hidden or not. */
static void run_line(enum sandbox_tier tier, bool is_hidden, const char *line, struct text *output)
{
    const char *const arguments[] = {"/bin/sh", "-c", line, NULL};
    struct diagnostic diagnostic = {.message = ""};
    struct sandbox sandbox;
    struct sandbox_end end;
    struct text errors;
    const struct sandbox_spec spec = {
        .arguments = arguments,
        .folder = "/",
        .limits = {.wall_ns = 60 * CLOCK_NS_PER_S,
                   .cpu_ns = 10 * CLOCK_NS_PER_S,
                   .memory_bytes = UINT64_C(256) << 20,
                   .processes = 32,
                   .output_bytes = 65536,
                   .file_bytes = 1 << 20},
        .channel_fd = -1,
    };

    if (sandbox_init(tier, GPUGRADE_BINARY_DIR "/bin", &sandbox, &diagnostic) != ERROR_NONE) {
        print_message("tier %s: %s\n", sandbox_tier_name(tier), diagnostic.message);
        skip();
    }
    if (tier == SANDBOX_B && sandbox.landlock_abi == 0) {
        print_message("tier B: the kernel has no Landlock\n");
        skip();
    }
    if (is_hidden) {
        sandbox_hide(&sandbox, hidden);
        sandbox_hide(&sandbox, "/usr/include/asm-generic");
    }
    text_clear(output);
    text_init(&errors);
    assert_int_equal(sandbox_run_to_end(&sandbox, &spec, &end, output, &errors, &diagnostic),
                     ERROR_NONE);
    text_release(&errors);
}

static bool has(const struct text *text, const char *word)
{
    return text->length > 0 && strstr(text->bytes, word) != NULL;
}

static void look(enum sandbox_tier tier)
{
    static const char read_it[] = "head -c 1 /usr/include/linux/types.h >/dev/null && echo seen";
    static const char by_link[] = "head -c 1 /usr/include/../include/linux/types.h && echo seen";
    static const char list_it[] = "ls /usr/include/linux | head -n 3; echo done";
    static const char second[] =
        "head -c 1 /usr/include/asm-generic/errno.h >/dev/null && echo seen";
    static const char beside[] = "head -c 1 /usr/include/stdio.h >/dev/null && echo stdio; "
                                 "ls /usr/lib >/dev/null && echo libraries";
    static const char write_it[] = "echo x >/usr/include/linux/new && echo written; echo done";
    struct text output;

    if (access("/usr/include/linux/types.h", R_OK) != 0) {
        skip();
    }
    text_init(&output);
    run_line(tier, false, read_it, &output);
    assert_true(has(&output, "seen"));
    run_line(tier, true, read_it, &output);
    assert_false(has(&output, "seen"));
    run_line(tier, true, by_link, &output);
    assert_false(has(&output, "seen"));
    run_line(tier, true, list_it, &output);
    assert_false(has(&output, ".h"));
    assert_true(has(&output, "done"));
    run_line(tier, false, second, &output);
    assert_true(has(&output, "seen"));
    run_line(tier, true, second, &output);
    assert_false(has(&output, "seen"));
    run_line(tier, true, beside, &output);
    assert_true(has(&output, "stdio"));
    assert_true(has(&output, "libraries"));
    run_line(tier, true, write_it, &output);
    assert_false(has(&output, "written"));
    assert_true(has(&output, "done"));
    text_release(&output);
}

static void tier_a_hides(void **state)
{
    (void)state;
    look(SANDBOX_A);
}

static void tier_b_hides(void **state)
{
    (void)state;
    look(SANDBOX_B);
}

static void what_is_not_there_needs_no_hiding(void **state)
{
    struct sandbox sandbox = {.hidden_count = 0};

    (void)state;
    sandbox_hide(&sandbox, "/usr/there-is-no-such-folder");
    assert_int_equal(sandbox.hidden_count, 0);
    sandbox_hide(&sandbox, "/usr/include/../include");
    assert_int_equal(sandbox.hidden_count, 1);
    assert_string_equal(sandbox.hidden_folders[0], "/usr/include");
}

static void none_lies_in_another(void **state)
{
    struct sandbox sandbox = {.hidden_count = 0};

    (void)state;
    sandbox_hide(&sandbox, hidden);
    sandbox_hide(&sandbox, "/usr/lib");
    sandbox_hide(&sandbox, "/usr/include");
    sandbox_hide(&sandbox, hidden);
    sandbox_hide(&sandbox, "/usr/lib");
    assert_int_equal(sandbox.hidden_count, 2);
    assert_string_equal(sandbox.hidden_folders[0], "/usr/lib");
    assert_string_equal(sandbox.hidden_folders[1], "/usr/include");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tier_a_hides),
        cmocka_unit_test(tier_b_hides),
        cmocka_unit_test(what_is_not_there_needs_no_hiding),
        cmocka_unit_test(none_lies_in_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
