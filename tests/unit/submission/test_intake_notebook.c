/* test_intake_notebook.c: files from the cells of notebooks, and notebooks that are none. */
#include "submission/intake_notebook.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static struct intake_list list;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    intake_list_init(&list, arena, "student");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void put(const char *name, const char *bytes)
{
    assert_int_equal(intake_list_file(&list, name, bytes, strlen(bytes), NULL), ERROR_NONE);
}

static void unpack(void)
{
    struct diagnostic diagnostic;

    assert_int_equal(intake_notebooks_unpack(&list, &diagnostic), ERROR_NONE);
}

/* The contents of a file; NULL: there is none. */
static const char *contents(const char *name)
{
    for (size_t i = 0; i < list.file_count; i++) {
        if (strcmp(list.files[i].name, name) == 0) {
            assert_int_equal(strlen(list.files[i].bytes), list.files[i].length);
            return list.files[i].bytes;
        }
    }
    return NULL;
}

static void cells_write_files(void **state)
{
    (void)state;
    put("hw.ipynb",
        "{\"nbformat\": 4, \"metadata\": {\"cells\": [1, {\"source\": \"%%writefile "
        "no.cu\\nx\"}]},\n"
        " \"cells\": [\n"
        "  {\"cell_type\": \"markdown\", \"source\": [\"%%writefile no.cu\\n\", \"x\"]},\n"
        "  {\"cell_type\": \"code\", \"outputs\": [{\"text\": [\"]}\\\"\"]}], \"source\":\n"
        "   [\"%%writefile one.cu\\n\", \"int a;\\n\", \"// \\u00e9 \\ud83d\\ude00 "
        "\\\"\\\\\\n\"]},\n"
        "  {\"source\": \"%%writefile -a one.cu\\r\\nint b;\\n\", \"cell_type\": \"code\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"\\n%%file '/content/my two.cu'\\nint c;\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%cuda --name three.cu\\nint d;\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%writefile one.cuh\\nold\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%writefile one.cuh\\nnew\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%cu\\nint main() {}\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%cu\\nint again;\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"!nvcc one.cu\"},\n"
        "  {\"cell_type\": \"code\", \"source\": \"%%writefile\\nx\"},\n"
        "  {\"cell_type\": \"code\", \"source\": []}\n"
        " ]}\n");
    unpack();
    assert_string_equal(contents("one.cu"), "int a;\n// \xC3\xA9 \xF0\x9F\x98\x80 \"\\\nint b;\n");
    assert_string_equal(contents("my two.cu"), "int c;");
    assert_string_equal(contents("three.cu"), "int d;");
    assert_string_equal(contents("one.cuh"), "new");
    assert_string_equal(contents("hw.cu"), "int main() {}");
    assert_string_equal(contents("hw_2.cu"), "int again;");
    assert_null(contents("no.cu"));
    assert_null(contents("hw.ipynb"));
    assert_int_equal(list.file_count, 6);
    assert_string_equal(list.files[0].notebook, "hw.ipynb");
}

static void what_is_there_goes_before(void **state)
{
    (void)state;
    put("a/x.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"%%file one.cu\\nnb\"},"
                     "{\"cell_type\": \"code\", \"source\": \"%%file two.cu\\nnb\"}]}");
    put("a/One.cu", "mine");
    unpack();
    assert_string_equal(contents("a/One.cu"), "mine");
    assert_null(contents("a/one.cu"));
    assert_string_equal(contents("a/two.cu"), "nb");
}

static void names_lead_nowhere_else(void **state)
{
    static const char *const names[] = {"../../etc/x.cu", "~/x.cu", "/x.cu", "c:\\\\x.cu",
                                        "a/../x.cu"};
    (void)state;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        intake_list_init(&list, arena, "student");
        put("n.ipynb",
            arena_printf(
                arena, "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"%%%%file %s\\nx\"}]}",
                names[i]));
        unpack();
        assert_int_equal(list.file_count, 1);
        assert_string_equal(list.files[0].name, "x.cu");
    }
    intake_list_init(&list, arena, "student");
    put("n.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"%%file ..\\nx\"}]}");
    unpack();
    assert_string_equal(list.files[0].name, "n.ipynb");
}

static void what_is_no_notebook_stays(void **state)
{
    static const char *const texts[] = {
        "",
        "not JSON",
        "[]",
        "{",
        "{\"cells\"",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"%%file x.cu",
        "{\"cells\": [[[[[",
        "{\"cells\": {\"cell_type\": \"code\", \"source\": \"%%file x.cu\\nx\"}}",
        "{\"cells\": [{\"cell_type\": 7, \"source\": {\"a\": [\"%%file x.cu\"]}}]}",
        "{\"cells\": []}",
        "}}}]]]",
        "{\"a\": \"\\u12\"}",
    };
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        intake_list_init(&list, arena, "student");
        put("n.ipynb", texts[i]);
        unpack();
        assert_int_equal(list.file_count, 1);
        assert_string_equal(list.files[0].name, "n.ipynb");
    }
}

/* Cells without end that append to one file, and brackets that never close: it ends, soon. */
static void a_hostile_one_takes_no_longer_than_its_bytes(void **state)
{
    struct text text;
    (void)state;

    text_init(&text);
    text_append(&text, "{\"cells\": [");
    while (text.length < 6 << 20) {
        text_append(&text, "{\"cell_type\": \"code\", \"source\": \"%%file -a x.cu\\nint a;\"},");
    }
    text_append_repeated(&text, '[', 8 << 20);
    put("n.ipynb", text.bytes);
    unpack();
    text_release(&text);
    assert_int_equal(list.file_count, 1);
    assert_string_equal(list.files[0].name, "x.cu");
    assert_true(list.files[0].length <= 2000 * strlen("int a;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_write_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_there_goes_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_lead_nowhere_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_notebook_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_one_takes_no_longer_than_its_bytes, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
