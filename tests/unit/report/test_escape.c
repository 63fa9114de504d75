/* test_escape.c: known attacks, and properties that hold for any bytes. */
#include "base/json.h"
#include "base/rng.h"
#include "report/escape.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef void escape_function(const char *bytes, size_t length, struct text *out);

static void check(escape_function *escape, const char *string, const char *expected)
{
    struct text text;

    text_init(&text);
    escape(string, strlen(string), &text);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void known_attacks_are_answered(void **state)
{
    (void)state;
    check(escape_html, "<script>a && 'b\"\n\x1B[31m",
          "&lt;script&gt;a &amp;&amp; &#39;b&quot;\n\\x1B[31m");
    check(escape_csv_cell, "=HYPERLINK(\"http://x\",\"y\")",
          "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    check(escape_csv_cell, "+1", "\"'+1\"");
    check(escape_csv_cell, " -1", "\"' -1\"");
    check(escape_csv_cell, "\t@x", "\"'\t@x\"");
    check(escape_csv_cell,
          "\xEF\xBC\x9D"
          "1",
          "\"'\xEF\xBC\x9D"
          "1\"");
    check(escape_csv_cell, "a-b, c", "\"a-b, c\"");
    check(escape_csv_cell, "", "\"\"");
    check(escape_workflow_message, "100%\n::set-output name=x::y",
          "100%25%0A::set-output name=x::y");
    check(escape_workflow_message, "##[error]", "##\\x5Berror]");
    check(escape_workflow_property, "a.cu,line=1::x\r\n", "a.cu%2Cline=1%3A%3Ax\\x0D\\x0A");
    check(escape_autolab_lines, "ok\n {\"scores\": {\"p\": 100}}",
          "ok\n|  {\"scores\": {\"p\": 100}}\n");
    check(escape_autolab_lines, "", "");
    check(escape_autolab_string, "score: \"9\"\\\n", "\"score\\u003a \\\"9\\\"\\\\\\n\"");
    check(escape_markdown, "![x](http://y) <b> #1 @all",
          "\\!\\[x\\]\\(http\\://y\\) &lt;b&gt; \\#1 \\@all");
    check(escape_markdown_code, "a`b``c", "``` a`b``c ```");
    check(escape_markdown_code, "", "");
    check(escape_markdown_block, "```\n<b>", "````\n```\n<b>\n````\n");
}

/* Random bytes, many of them those that mean something. */
static size_t draw_bytes(struct rng *rng, char *bytes, size_t capacity)
{
    static const char special[] = "<>&\"'=+-@\t\r\n%:,{}[]#`\\ |\x1B\xC2\x9B\xE2\x80\xAE\xFF"
                                  "a1*_";
    size_t length = (size_t)(rng_next(rng) % capacity);

    for (size_t i = 0; i < length; i++) {
        uint64_t value = rng_next(rng);
        bytes[i] =
            value % 3 == 0 ? (char)(value >> 8) : special[(value >> 8) % (sizeof special - 1)];
    }
    return length;
}

static void check_plain(const struct text *text, const char *kept)
{
    assert_true(text_is_utf8(text->bytes, text->length));
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        assert_true((c >= 0x20 && c != 0x7F) || strchr(kept, (char)c) != NULL);
    }
    assert_null(strstr(text->bytes, "##["));
}

static void check_html(const struct text *text)
{
    check_plain(text, "\n\t");
    assert_null(strpbrk(text->bytes, "<>\"'"));
    for (const char *c = strchr(text->bytes, '&'); c != NULL; c = strchr(c + 1, '&')) {
        assert_true(text_starts_with(c, "&amp;") || text_starts_with(c, "&lt;") ||
                    text_starts_with(c, "&gt;") || text_starts_with(c, "&quot;") ||
                    text_starts_with(c, "&#39;"));
    }
}

static void check_csv(const struct text *text)
{
    check_plain(text, "\n\t");
    assert_true(text->length >= 2 && text->bytes[0] == '"' && text->bytes[text->length - 1] == '"');
    assert_true(text->bytes[1] != '\0' && strchr("=+-@\t", text->bytes[1]) == NULL);
    for (size_t i = 1; i + 1 < text->length; i++) {
        if (text->bytes[i] == '"') {
            assert_int_equal(text->bytes[i + 1], '"');
            i++;
            assert_true(i + 1 < text->length);
        }
    }
}

static void check_message(const struct text *text)
{
    check_plain(text, "\t");
    for (const char *c = strchr(text->bytes, '%'); c != NULL; c = strchr(c + 1, '%')) {
        assert_true(isdigit((unsigned char)c[1]));
    }
}

static void check_property(const struct text *text)
{
    check_plain(text, "");
    assert_null(strpbrk(text->bytes, ":,\n"));
}

static void check_autolab_lines(const struct text *text)
{
    check_plain(text, "\n\t");
    assert_true(text->length == 0 || text->bytes[text->length - 1] == '\n');
    for (const char *line = text->bytes; *line != '\0'; line = strchr(line, '\n') + 1) {
        char first = line[strspn(line, " \t")];
        assert_true(first != '{' && first != '[');
    }
}

static void check_autolab_string(const struct text *text)
{
    check_plain(text, "");
    assert_null(strchr(text->bytes, ':'));
    cJSON *value = cJSON_Parse(text->bytes);
    assert_true(cJSON_IsString(value));
    cJSON_Delete(value);
}

static void check_markdown(const struct text *text)
{
    check_plain(text, "");
    for (size_t i = 0; i < text->length; i++) {
        char c = text->bytes[i];
        assert_true(strchr("<>`*_[]", c) == NULL);
        if (c == '\\') {
            i++;
            assert_true(ispunct((unsigned char)text->bytes[i]));
        }
    }
}

static void check_code(const struct text *text)
{
    size_t fence = strspn(text->bytes, "`");

    check_plain(text, "");
    if (text->length == 0) {
        return;
    }
    assert_true(text->length >= 2 * fence + 3);
    for (size_t i = fence; i + fence < text->length;) {
        size_t run = strspn(text->bytes + i, "`");
        assert_true(run < fence);
        i += run + 1;
    }
}

static void check_block(const struct text *text)
{
    size_t fence = strspn(text->bytes, "`");

    check_plain(text, "\n\t");
    assert_true(fence >= 3 && text->bytes[fence] == '\n');
    for (const char *line = text->bytes + fence + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        assert_true(strspn(line, "`") < fence || strcmp(line + fence, "\n") == 0);
    }
}

static void any_bytes_become_harmless(void **state)
{
    enum { ROUNDS = 20000, BYTES_MAX = 60 };
    static const struct {
        escape_function *escape;
        void (*check)(const struct text *text);
    } formats[] = {
        {escape_html, check_html},
        {escape_csv_cell, check_csv},
        {escape_workflow_message, check_message},
        {escape_workflow_property, check_property},
        {escape_autolab_lines, check_autolab_lines},
        {escape_autolab_string, check_autolab_string},
        {escape_markdown, check_markdown},
        {escape_markdown_code, check_code},
        {escape_markdown_block, check_block},
    };
    char bytes[BYTES_MAX];
    struct rng rng;

    (void)state;
    rng_init(&rng, 1, 2, 3, 4);
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = draw_bytes(&rng, bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
            struct text text;
            text_init(&text);
            formats[i].escape(bytes, length, &text);
            formats[i].check(&text);
            text_release(&text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_attacks_are_answered),
        cmocka_unit_test(any_bytes_become_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
