/* html_words.c: see html_words.h.
 *
 * What is linked already is looked up in the page itself, once for each word of a sentence:
 * foreign text cannot hold a link, because its quotes are escaped.
 */
#include "report/html/html_words.h"

#include "report/escape.h"
#include "report/html/html_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* A word, in lower case, and one sentence for somebody who knows C. */
static const struct {
    const char *word, *meaning;
} words[] = {
    {"bank", "Shared memory is spread over 32 banks, each 4 bytes wide. In one pass, each bank "
             "serves one address of a warp."},
    {"coalescing", "The lanes of a warp use adjacent addresses, so that few sectors hold "
                   "them all."},
    {"degree", "The number of passes that an access to shared memory takes, divided by the "
               "number without bank conflicts; 1 is best."},
    {"lane", "One of the 32 threads of a warp."},
    {"limiter", "What runs out first on a multiprocessor: registers, shared memory, warps or "
                "blocks. It decides how many blocks fit."},
    {"multiprocessor", "One of the processors of a GPU. Each block runs on one of them. Several "
                       "blocks run there at once if they fit."},
    {"naive", "The naive kernel has no tiles: for each element of the output, one thread loads "
              "everything it needs from global memory."},
    {"occupancy",
     "How many warps a multiprocessor holds at once, as a share of those that it has room for."},
    {"probe", "One launch of the kernel with inputs that the grader draws, instead of the "
              "program's own."},
    {"register", "Holds a value of one thread. A multiprocessor has a fixed number of registers "
                 "for all its threads."},
    {"sector", "32 consecutive bytes of global memory, the least that is moved at once."},
    {"shape", "The sizes of the inputs and outputs of one launch."},
    {"spill", "A value that the compiler keeps in memory because a thread has too few registers."},
    {"ulp", "The distance from a floating-point number to the next one. Rounding errors are a "
            "few ulps."},
    {"warp", "32 threads of a block that run together, consecutive in threadIdx, x first."},
    {"wavefront", "One pass of a warp through shared memory. Lanes that access different addresses "
                  "in the same bank need one pass each."},
};

enum { WORDS = sizeof words / sizeof words[0] };

/* The word that `length` letters are, the plural too; WORDS if there is none. */
static size_t find_word(const char *letters, size_t length)
{
    for (size_t i = 0; i < WORDS; i++) {
        size_t own = strlen(words[i].word);
        bool is_plural = length == own + 1 && tolower((unsigned char)letters[own]) == 's';
        if ((length == own || is_plural) && strncasecmp(letters, words[i].word, own) == 0) {
            return i;
        }
    }
    return WORDS;
}

/* Where the text below the last heading starts. */
static const char *last_heading(const struct text *out)
{
    for (size_t i = out->length; i >= 3; i--) {
        const char *at = out->bytes + i - 3;
        if (memcmp(at, "<h2", 3) == 0 || memcmp(at, "<h3", 3) == 0) {
            return at;
        }
    }
    return out->bytes;
}

static bool is_linked(const char *page, size_t word)
{
    struct text link;

    text_init(&link);
    text_printf(&link, "href=\"#word-%s\"", words[word].word);
    bool found = page != NULL && strstr(page, link.bytes) != NULL;
    text_release(&link);
    return found;
}

static bool is_name(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* True if [at, stop) is a word of its own in [start, end), no part of a file's name, of a call or
 * of what somebody quotes. */
static bool stands_alone(const char *start, const char *at, const char *stop, const char *end)
{
    bool is_joined = stop + 1 < end && strchr("./:", *stop) != NULL && is_name(stop[1]);
    bool is_call = stop < end && *stop == '(';

    return !is_joined && !is_call && (at == start || strchr("./:\"\\<", at[-1]) == NULL);
}

/* Appends a part of a sentence that is no code; `linked` [WORDS] are not linked again. */
static void append_plain(struct text *out, const char *start, const char *end, bool *linked)
{
    const char *shown = start; /* up to here */

    for (const char *at = start; at < end;) {
        const char *stop = at + 1;
        while (stop < end && is_name(*at) && is_name(*stop)) {
            stop++;
        }
        size_t word = find_word(at, (size_t)(stop - at));
        if (word < WORDS && !linked[word] && stands_alone(start, at, stop, end)) {
            escape_html(shown, (size_t)(at - shown), out);
            shown = at;
            linked[word] = true;
            if (!is_linked(last_heading(out), word)) {
                text_printf(out, "<a class=\"word\" href=\"#word-%s\">", words[word].word);
                escape_html(at, (size_t)(stop - at), out);
                text_append(out, "</a>");
                shown = stop;
            }
        }
        at = stop;
    }
    escape_html(shown, (size_t)(end - shown), out);
}

void html_sentence(struct text *out, const char *string)
{
    const char *at = string == NULL ? "" : string;
    bool linked[WORDS] = {false};

    for (;;) {
        const char *start = strchr(at, '`');
        const char *end = start == NULL ? NULL : strchr(start + 1, '`');
        if (end == NULL) {
            append_plain(out, at, at + strlen(at), linked);
            return;
        }
        append_plain(out, at, start, linked);
        text_append(out, "<code>");
        escape_html(start + 1, (size_t)(end - start - 1), out);
        text_append(out, "</code>");
        at = end + 1;
    }
}

void html_words(struct text *out)
{
    bool is_first = true;

    for (size_t i = 0; i < WORDS; i++) {
        if (!is_linked(out->bytes, i)) {
            continue;
        }
        if (is_first) {
            text_append(out, "<section aria-labelledby=\"words\">\n<h2 id=\"words\">Words</h2>\n"
                             "<dl class=\"words\">\n");
        }
        text_printf(out, "<div id=\"word-%s\"><dt><dfn>%s</dfn></dt><dd>%s</dd></div>\n",
                    words[i].word, words[i].word, words[i].meaning);
        is_first = false;
    }
    text_append(out, is_first ? "" : "</dl>\n</section>\n");
}
