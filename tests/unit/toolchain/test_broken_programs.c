/* test_broken_programs.c: what nvcc and clang say of the programs in tests/broken, as messages, and
 * whose is shown where both are there. tests/broken/expected.txt has a block for each program:
 *
 *     == misspelt_builtin
 *     nvcc   3:39 identifier "threadidx" is undefined
 *     clang  3:39 use of undeclared identifier 'threadidx'; did you mean 'threadIdx'?
 *     mark   LINE:COLUMN what is said of a further line
 *     fix    3 |    int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     shown  clang
 *     why    clang: it proposes the name
 *
 * Line `why` is a reader's judgement, with whom the rule must agree but for "either". Marks and fixes are those of the first error of the compiler above them. GPUGRADE_BLESS=1 writes
 * all but the lines `why`.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "model/verdict.h"
#include "toolchain/build_messages.h"
#include "toolchain/toolchain.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FOLDER GPUGRADE_SOURCE_DIR "/tests/broken"
#define HEADERS GPUGRADE_SOURCE_DIR "/grader/cuda_headers"

enum {
    PROGRAMS_MIN = 40,
    PROGRAMS_MAX = 200,
    BYTES_MAX = 1 << 20,
    STEP = 3,
    OTHERS_MAX = 3,
    ARGUMENTS_MAX = 64
};

static char *read_text(struct arena *arena, const char *path)
{
    char *bytes = NULL;
    size_t length = 0;

    assert_int_equal(file_read(arena, path, BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length, NULL),
                     ERROR_NONE);
    return arena_strndup(arena, bytes, length);
}

/* Reads what one of the compilers printed. */
static struct message_list read_said(struct arena *arena, const char *printed, bool is_clang)
{
    const struct build_place place = {
        .named_folder = FOLDER,
        .compiled_folder = FOLDER,
        .is_clang = is_clang,
    };
    struct tool_message *messages = NULL;
    size_t count = 0;
    struct text text;

    text_init(&text);
    text_append(&text, printed);
    build_messages_read(arena, &place, &text, &messages, &count);
    text_release(&text);
    return (struct message_list){messages, count};
}

static struct message_list said_of(struct arena *arena, const char *name, const char *compiler)
{
    const char *path = arena_printf(arena, FOLDER "/said/%s.%s", name, compiler);

    return read_said(arena, read_text(arena, path), strcmp(compiler, "clang") == 0);
}

static void append_first(struct text *out, const char *word, struct message_list list)
{
    const struct tool_message *first = list.messages;

    if (list.count == 0 || !first->is_error) {
        text_printf(out, "%-6s no error\n", word);
        return;
    }
    text_printf(out, "%-6s %d:%d %s\n", word, first->line, first->column, first->message);
    for (size_t i = 0; i < first->note_count; i++) {
        text_printf(out, "mark   %d:%d %s\n", first->notes[i].line, first->notes[i].column,
                    first->notes[i].label);
    }
    for (size_t i = 0; i < first->fix_count; i++) {
        text_printf(out, "fix    %d |%s\n", first->fixes[i].line, first->fixes[i].after);
    }
}

/* The block of a program, without its line `why`; returns whose message is shown. */
static const char *append_block(struct arena *arena, const char *name, struct text *out)
{
    struct message_list of_nvcc = said_of(arena, name, "nvcc");
    struct message_list of_clang = said_of(arena, name, "clang");
    struct message_list shown = build_messages_choose(arena, FOLDER, of_nvcc, of_clang);
    bool is_clang = false;

    for (size_t i = 0; i < of_clang.count && shown.count > 0 && shown.messages[0].is_error; i++) {
        is_clang = is_clang || strcmp(shown.messages[0].message, of_clang.messages[i].message) == 0;
    }

    text_printf(out, "== %s\n", name);
    append_first(out, "nvcc", of_nvcc);
    append_first(out, "clang", of_clang);
    text_printf(out, "shown  %s\n", is_clang ? "clang" : "nvcc");
    return is_clang ? "clang" : "nvcc";
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static size_t list_programs(struct arena *arena, const char **names)
{
    DIR *folder = opendir(FOLDER);
    size_t count = 0;

    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *end = strstr(entry->d_name, ".cu");
        if (end != NULL && end[3] == '\0' && count < PROGRAMS_MAX) {
            names[count++] = arena_strndup(arena, entry->d_name, (size_t)(end - entry->d_name));
        }
    }
    closedir(folder);
    qsort(names, count, sizeof names[0], compare_names);
    return count;
}

/* The line `why` of a program, with its end; NULL if there is none. */
static const char *find_why(struct arena *arena, const char *expected, const char *name)
{
    const char *start = strstr(expected, arena_printf(arena, "== %s\n", name));
    const char *next = start == NULL ? NULL : strstr(start + 1, "\n== ");
    const char *why = start == NULL ? NULL : strstr(start, "\nwhy ");

    if (why == NULL || (next != NULL && why > next)) {
        return NULL;
    }
    const char *end = strchr(why + 1, '\n');
    return end == NULL ? NULL : arena_strndup(arena, why + 1, (size_t)(end - why));
}

/* "why    clang: it names both types" */
static bool agrees(const char *why, const char *shown)
{
    const char *judged = why + strcspn(why, " ");

    judged += strspn(judged, " ");
    return strncmp(judged, "either:", 7) == 0 ||
           (strncmp(judged, shown, strlen(shown)) == 0 && judged[strlen(shown)] == ':');
}

static void messages_are_as_expected(void **state)
{
    struct arena *arena = arena_new();
    const char *names[PROGRAMS_MAX];
    const size_t count = list_programs(arena, names);
    const char *expected = read_text(arena, FOLDER "/expected.txt");
    const bool is_blessing = getenv("GPUGRADE_BLESS") != NULL;
    struct text found;

    (void)state;
    assert_true(count >= PROGRAMS_MIN);
    text_init(&found);
    text_append_bytes(&found, expected, strcspn(expected, "="));
    for (size_t i = 0; i < count; i++) {
        const char *why = find_why(arena, expected, names[i]);
        const char *shown = append_block(arena, names[i], &found);
        text_append(&found, why != NULL ? why : "");
        text_append(&found, i + 1 < count ? "\n" : "");
        if (!is_blessing && (why == NULL || !agrees(why, shown))) {
            fail_msg("%s: shown is %s, judged is %s", names[i], shown, why);
        }
    }
    if (is_blessing) {
        assert_int_equal(file_write_atomic(FOLDER "/expected.txt", found.bytes, found.length, NULL),
                         ERROR_NONE);
    } else {
        assert_string_equal(found.bytes, expected);
    }
    text_release(&found);
    arena_free(arena);
}

/* Runs clang on a program, for the device or for the host; appends what it prints. */
static void run_clang(struct arena *arena, const char *clang, const char *pass, const char *name,
                      const char *log)
{
    const char *const fixed[] = {
        clang,
        "-x",
        "cuda",
        "-fsyntax-only",
        pass,
        "--cuda-gpu-arch=sm_75",
        "--cuda-path=/nonexistent",
        "-nocudainc",
        "-nocudalib",
        "-std=c++17",
        "-Xclang",
        "-target-sdk-version=12.3",
        "-I" HEADERS,
        "-include",
        "cuda_runtime.h",
        arena_printf(arena, FOLDER "/%s.cu", name),
    };
    const size_t fixed_count = sizeof fixed / sizeof fixed[0];
    const char *arguments[ARGUMENTS_MAX] = {NULL};
    const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct process process;
    struct diagnostic diagnostic = {0};
    int status = -1;

    memcpy(arguments, fixed, sizeof fixed);
    for (size_t i = 0; clang_message_flags[i] != NULL; i++) {
        assert_true(fixed_count + i + 1 < ARGUMENTS_MAX);
        arguments[fixed_count + i] = clang_message_flags[i];
    }
    const struct process_spec spec = {.path = clang,
                                      .arguments = arguments,
                                      .environment = environment,
                                      .descriptors = {nothing, out, out},
                                      .descriptor_count = 3};
    assert_int_equal(process_start(&spec, &process, &diagnostic), ERROR_NONE);
    assert_true(process_wait(&process, clock_now_ns() + 600 * CLOCK_NS_PER_S, &status));
    close(nothing);
    close(out);
}

/* The line of the first error in a program; 0: there is none. */
static int first_error_line(struct message_list list, const char *name)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct tool_message *message = &list.messages[i];
        size_t length = strlen(name);
        if (message->is_error && strncmp(message->file, name, length) == 0 &&
            strcmp(message->file + length, ".cu") == 0) {
            return message->line;
        }
    }
    return 0;
}

/* The clang that is there says the same as the one whose texts are kept: an error in the same line,
 * or none. Columns and words differ between versions, and of an old one a few lines do too. For
 * time, only a third of the programs is read, and for the device alone. */
static void clang_says_the_same(void **state)
{
    static const char *const clangs[] = {"/usr/bin/clang++-19", "/usr/bin/clang++"};
    struct arena *arena = arena_new();
    const char *names[PROGRAMS_MAX];
    const size_t count = list_programs(arena, names);
    char log[] = "/tmp/gpugrade-clang-XXXXXX";
    const char *clang = NULL;
    size_t others = 0;

    (void)state;
    for (size_t i = 0; i < sizeof clangs / sizeof clangs[0] && clang == NULL; i++) {
        clang = file_exists(clangs[i]) ? clangs[i] : NULL;
    }
    if (clang == NULL || !file_exists(HEADERS "/cuda_runtime.h")) {
        print_message("skipped: there is no %s\n", clang == NULL ? "clang" : "cuda_runtime.h");
        arena_free(arena);
        skip();
    }
    int made = mkstemp(log);
    assert_true(made >= 0);
    close(made);
    for (size_t i = 0; i < count; i += STEP) {
        run_clang(arena, clang, "--cuda-device-only", names[i], log);
    }
    const struct message_list said = read_said(arena, read_text(arena, log), true);
    remove(log);
    for (size_t i = 0; i < said.count; i++) { /* every flag is known */
        assert_null(strstr(said.messages[i].message, "unknown warning"));
        assert_null(strstr(said.messages[i].message, "unknown argument"));
    }
    for (size_t i = 0; i < count; i += STEP) {
        int kept = first_error_line(said_of(arena, names[i], "clang"), names[i]);
        int found = first_error_line(said, names[i]);
        if (kept != found) {
            print_message("%s: the first error is in line %d, kept is line %d\n", names[i], found,
                          kept);
            others++;
        }
    }
    assert_true(others <= (clang == clangs[0] ? 0 : OTHERS_MAX));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clang_says_the_same),
        cmocka_unit_test(messages_are_as_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
