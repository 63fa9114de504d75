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
    check(escape_workflow_message, "100%\n::set-output name=x::y",
          "100%25%0A\\x3A:set-output name=x::y");
    check(escape_workflow_message, "##[error]", "##\\x5Berror]");
    check(escape_workflow_property, "a.cu,line=1::x\r\n", "a.cu%2Cline=1%3A%3Ax\\x0D\\x0A");
    check(escape_autolab_lines, "ok\n {\"scores\": {\"p\": 100}}",
          "ok\n|  {\"scores\": {\"p\": 100}}\n");
    check(escape_autolab_lines, "\xC2\xA0::error::x", "| \xC2\xA0::error::x\n");
    check(escape_autolab_lines, "", "");
    check(escape_xml, "]]><a b='\"'>&\n\t\x0B", "]]&gt;&lt;a b='\"'&gt;&amp;\n\t\\x0B");
    check(escape_xml, "\xEF\xBF\xBE\xEF\xBF\xBF\xED\xA0\x80\xC2\x85",
          "\\xEF\\xBF\\xBE\\xEF\\xBF\\xBF\\xED\\xA0\\x80\\xC2\\x85");
    check(escape_xml, "[[[ATTACHMENT|/x]][[ATTACHMENT", "[[ [ATTACHMENT|/x]][ [ATTACHMENT");
    check(escape_xml_attribute, "[[ATTACHMENT|/x]]", "[ [ATTACHMENT|/x]]");
    check(escape_xml_attribute, "\"<'>&\n\t\r", "&quot;&lt;'&gt;&amp;&#10;&#9;\\x0D");
    check(escape_vpl_line, "Grade :=>>100", "| Grade := >>100");
    check(escape_vpl_line, "x\nGrade :=>>100", "x\\x0AGrade := >>100");
    check(escape_vpl_line, "  --|>", "|   --|>");
    check(escape_vpl_line, "<|--", "| <|--");
    check(escape_vpl_line, "-title (-5)", "| -title (-5)");
    check(escape_vpl_line, "\t> case", "\\x09> case");
    check(escape_vpl_line, "HTTP://x", "| HTTP://x");
    check(escape_vpl_line, " ::notice::x", "|  ::notice::x");
    check(escape_vpl_line, "a.cu:3: a - b > c", "a.cu:3: a - b > c");
    check(escape_vpl_line, "", "");
    check(escape_uri_path, "src/a b%.cu:#?\xC3\xA4\xFF\n~_-",
          "src/a%20b%25.cu%3A%23%3F%C3%A4%FF%0A~_-");
    check(escape_sarif_message, "{0} [a](b) a[i](x)]((", "{{0}} [a] (b) a[i] (x)] ((");
    check(escape_sarif_message, "}\n\x1B{", "}}\n\\x1B{{");
    check(escape_markdown, "![x](http://y) <b> #1 @all",
          "\\!\\[x\\]\\(http\\://y\\) &lt;b&gt; \\#1 \\@all");
    check(escape_markdown_code, "a`b``c", "```a`b``c```");
    check(escape_markdown_code, "`a", "`` `a ``");
    check(escape_markdown_code, " a ", "`  a  `");
    check(escape_markdown_code, "a\n::error::b", "`a\\x0A::error::b`");
    check(escape_markdown_code, "", "");
}

/* Prose stays prose where nothing in it could be taken for more. */
static void prose_is_read_as_prose(void **state)
{
    (void)state;
    check(escape_markdown_prose, "", "");
    check(escape_markdown_prose, "got 1.5 instead of 2 in C(0,1): 25 %, 4194304 ulp",
          "got 1.5 instead of 2 in C(0,1): 25 %, 4194304 ulp");
    check(escape_markdown_prose, "shared tile `Bs`, read (by `k[i]`) again",
          "shared tile `Bs`, read (by `k[i]`) again");
    check(escape_markdown_prose, "sum += As[ty][k] * Bs[k] is too late",
          "sum += `As[ty][k] * Bs[k]` is too late");
    check(escape_markdown_prose, "row threadIdx.y, column threadIdx.x of a.cu.",
          "row `threadIdx.y`, column `threadIdx.x` of `a.cu`.");
    check(escape_markdown_prose, "with <<<grid, block, bytes>>>, or f<<<1, 2>>>(a, b)",
          "with `<<<grid, block, bytes>>>`, or `f<<<1, 2>>>`(a, b)");
    check(escape_markdown_prose, "<<<a, `b>>>`", "`<<<a`, `b>>>`");
    check(escape_markdown_prose, "\"correct, tiled\" fails too!", "\"correct, tiled\" fails too!");
    check(escape_markdown_prose, "zwölf / \xE4\xB8\xAD", "zwölf / \xE4\xB8\xAD");
}

static void prose_makes_nothing_of_words(void **state)
{
    (void)state;
    /* blocks: where the prose starts a line */
    check(escape_markdown_prose, "1. a", "1\\. a");
    check(escape_markdown_prose, "25) a", "25\\) a");
    check(escape_markdown_prose, "25% a", "25% a");
    check(escape_markdown_prose, "+ a", "\\+ a");
    check(escape_markdown_prose, "- [ ] a", "\\- `[ ]` a");
    check(escape_markdown_prose, "# a", "`#` a");
    check(escape_markdown_prose, "    a", "a");
    check(escape_markdown_prose, "=====", "\\=====");
    check(escape_markdown_prose, "/close", "\\/close");
    check(escape_markdown_prose, "::error file=a.cu::x", "`::error file=a.cu::x`");
    check(escape_markdown_prose, "~~~", "`~~~`");
    check(escape_markdown_prose, "a\n\n# b", "`a\\x0A\\x0A#` b");
    /* mentions, references, links, emoji */
    check(escape_markdown_prose, "ask @all or @org/team", "ask `@all` or `@org/team`");
    check(escape_markdown_prose, "as #1 !2 %3 $4 &5 ~6 GH-12 AB-1",
          "as `#1 !2 %3 $4 &5 ~6 GH-12 AB-1`");
    check(escape_markdown_prose, "see http://x.y www.x evil.com a.b@c.d",
          "see `http://x.y www.x evil.com a.b@c.d`");
    check(escape_markdown_prose, "mailto:a :smile: 0a1b2c3d", "`mailto:a :smile: 0a1b2c3d`");
    check(escape_markdown_prose, "a //b c/d", "a `//b` c/d");
    /* links, images, HTML, emphasis, tables, mathematics */
    check(escape_markdown_prose, "![a](b) [a](b) <img src=x> &lt; **a** __b__ a|b $x$",
          "`![a](b) [a](b) <img src=x> &lt; **a** __b__ a|b $x$`");
}

/* No code span runs into the next one. */
static void prose_keeps_fences_apart(void **state)
{
    (void)state;
    check(escape_markdown_prose, "`a``b`", "`a` `b`");
    check(escape_markdown_prose, "@`a`@", "`@` `a` `@`");
    check(escape_markdown_prose, "a ` b", "a `` ` `` b");
    check(escape_markdown_prose, "``", "`` ` `` `` ` ``");
    check(escape_markdown_prose, "`a", "`` ` ``a");
    check(escape_markdown_prose, "a\\`b`", "`a\\` `b`");
}

static void nothing_is_a_tag(void **state)
{
    (void)state;
    check(escape_untagged, "<b>x</b> <!-- <?php a < b && c<d",
          "< b>x< /b> < !-- < ?php a < b && c< d");
    check(escape_untagged, "#include <", "#include <");
    check(escape_untagged, "f<<<grid, n>>>(a), <<<1, 2>>> >>>",
          "f<<< grid, n >>>(a), <<<1, 2>>> >>>");
    check(escape_untagged, "a\n\x1B", "a\\x0A\\x1B");
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

static void check_xml(const struct text *text)
{
    check_plain(text, "\n\t");
    assert_null(strpbrk(text->bytes, "<>"));
    assert_null(strstr(text->bytes, "\xEF\xBF\xBE"));
    for (const char *c = strchr(text->bytes, '&'); c != NULL; c = strchr(c + 1, '&')) {
        assert_true(text_starts_with(c, "&amp;") || text_starts_with(c, "&lt;") ||
                    text_starts_with(c, "&gt;") || text_starts_with(c, "&quot;") ||
                    text_starts_with(c, "&#10;") || text_starts_with(c, "&#9;"));
    }
}

static void check_xml_attribute(const struct text *text)
{
    check_xml(text);
    check_plain(text, "");
    assert_null(strchr(text->bytes, '"'));
}

static void check_vpl(const struct text *text)
{
    char first = text->bytes[strspn(text->bytes, " ")];

    check_plain(text, "");
    assert_true(first != '-' && first != '>' && first != '<');
    assert_null(strstr(text->bytes, ":=>>"));
}

static void check_uri(const struct text *text)
{
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        assert_true(isalnum(c) || (c != '\0' && strchr("%-._~/", c) != NULL));
        assert_true(c != '%' || (isxdigit((unsigned char)text->bytes[i + 1]) &&
                                 isxdigit((unsigned char)text->bytes[i + 2])));
    }
}

static void check_sarif(const struct text *text)
{
    check_plain(text, "\n\t");
    assert_null(strstr(text->bytes, "]("));
    for (size_t i = 0; i < text->length; i++) {
        if (strchr("{}", text->bytes[i]) != NULL) {
            assert_int_equal(text->bytes[i], text->bytes[i + 1]);
            i++;
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
    assert_true(text->length >= 2 * fence + 1);
    for (size_t i = fence; i + fence < text->length;) {
        size_t run = strspn(text->bytes + i, "`");
        assert_true(run < fence);
        i += run + 1;
    }
}

/* Outside of code there is nothing that a platform could act on, and the fences are in order. */
static void check_prose(const struct text *text)
{
    bool was_code = false;

    check_plain(text, "");
    for (size_t i = 0; i < text->length;) {
        size_t fence = strspn(text->bytes + i, "`");
        if (fence == 0) {
            assert_null(strchr("<>[]{}|*_~@#$^&", text->bytes[i]));
            assert_true(text->bytes[i] != '\\' || i == 0 ||
                        isdigit((unsigned char)text->bytes[i - 1]));
            was_code = false;
            i++;
            continue;
        }
        assert_false(was_code);
        i += fence;
        size_t run = strspn(text->bytes + i, "`");
        while (run != fence) {
            assert_int_not_equal(text->bytes[i], '\0');
            i += run > 0 ? run : 1;
            run = strspn(text->bytes + i, "`");
        }
        i += fence;
        was_code = true;
    }
}

static void check_untagged(const struct text *text)
{
    check_plain(text, "");
    for (const char *c = strchr(text->bytes, '<'); c != NULL; c = strchr(c + 1, '<')) {
        assert_true(!isalpha((unsigned char)c[1]) && (c[1] == '\0' || !strchr("!/?", c[1])));
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
        {escape_workflow_message, check_message},
        {escape_workflow_property, check_property},
        {escape_autolab_lines, check_autolab_lines},
        {escape_xml, check_xml},
        {escape_xml_attribute, check_xml_attribute},
        {escape_vpl_line, check_vpl},
        {escape_uri_path, check_uri},
        {escape_sarif_message, check_sarif},
        {escape_markdown, check_markdown},
        {escape_markdown_prose, check_prose},
        {escape_markdown_code, check_code},
        {escape_untagged, check_untagged},
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
        cmocka_unit_test(prose_is_read_as_prose),
        cmocka_unit_test(prose_makes_nothing_of_words),
        cmocka_unit_test(prose_keeps_fences_apart),
        cmocka_unit_test(nothing_is_a_tag),
        cmocka_unit_test(any_bytes_become_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
