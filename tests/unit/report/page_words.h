/* page_words.h: what a page says, without its markup: a line for each row of a table and each other
 * block. Cells are parted by " | ", a term has ": " behind it, a title or description "; ".
 */
#ifndef PAGE_WORDS_H
#define PAGE_WORDS_H

#include "base/text.h"

#include <cmocka.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Whether the tag at `tag`, behind "<" or "</", has one of the names, which have a space behind each. */
static inline bool tag_is_one_of(const char *tag, const char *names)
{
    size_t length = strcspn(tag, " >/");

    for (const char *at = names; *at != '\0'; at += strcspn(at, " ") + 1) {
        if (strcspn(at, " ") == length && strncmp(at, tag, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Ends a line, or begins no second space. */
static inline void part_words(struct text *words, char with)
{
    char last = words->length > 0 ? words->bytes[words->length - 1] : '\n';

    if (with == '\n' && last == ' ') {
        words->bytes[words->length - 1] = '\n';
    } else if (last != '\n' && last != ' ') {
        text_append_bytes(words, &with, 1);
    }
}

/* Appends a character, or the one that the entity at `at` stands for; returns what is behind it. */
static inline const char *append_character(struct text *words, const char *at)
{
    static const struct {
        const char *name, *character;
    } entities[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};

    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (strncmp(at, entities[i].name, strlen(entities[i].name)) == 0) {
            text_append(words, entities[i].character);
            return at + strlen(entities[i].name);
        }
    }
    if (strchr(" \n\t", *at) != NULL) {
        part_words(words, ' ');
    } else {
        text_append_bytes(words, at, 1);
    }
    return at + 1;
}

static inline void page_words(const char *at, struct text *words)
{
    int row = 0;

    while (*at != '\0') {
        if (*at != '<') {
            at = append_character(words, at);
            continue;
        }
        bool ends = at[1] == '/';
        const char *tag = at + (ends ? 2 : 1);
        if (tag_is_one_of(tag, "style script defs ")) {
            at = strstr(at, *tag == 'd'                    ? "</defs>"
                            : *tag == 's' && tag[1] == 't' ? "</style>"
                                                           : "</script>");
            assert_non_null(at);
            at = strchr(at, '>') + 1;
            continue;
        }
        if (tag_is_one_of(tag, "tr dd ")) {
            row += ends ? -1 : 1;
        }
        if (tag_is_one_of(tag, "td th ")) {
            if (!ends && words->length > 0 && words->bytes[words->length - 1] != '\n') {
                text_append(words, " | ");
            }
        } else if (ends && tag_is_one_of(tag, "title desc dt ")) {
            text_append(words, *tag == 'd' && tag[1] == 't' ? ": " : "; ");
        } else if (!tag_is_one_of(tag,
                                  "a code mark strong span small b i em dfn rect path dt dd ") ||
                   (ends && *tag == 'd' && tag[1] == 'd')) {
            part_words(words, row > 0 ? ' ' : '\n');
        }
        at = strchr(at, '>') + 1;
    }
}

/* Each fact must stand in what the page says, behind the one before it. */
static inline void assert_says_in_order(const char *page, const char *const *facts, size_t count)
{
    struct text words;

    text_init(&words);
    page_words(page, &words);
    const char *at = words.bytes;
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, facts[i]);
        if (found == NULL) {
            fail_msg("it does not say: %s\nbehind the fact before it; but:\n%s", facts[i], at);
        }
        at = found + strlen(facts[i]);
    }
    text_release(&words);
}

/* Likewise of the markup itself: what a drawing draws, and what a style sheet goes by. */
static inline void assert_has_in_order(const char *page, const char *const *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(page, facts[i]);
        if (found == NULL) {
            fail_msg("it has not, behind what comes before: %s", facts[i]);
        }
        page = found + strlen(facts[i]);
    }
}

#endif
