/* ptx_target.c: see ptx_target.h. */
#include "ptx/ptx_target.h"

#include <string.h>

struct target_row {
    const char *start;
    const char *word;
    unsigned target;
};

static const struct target_row rows[] = {
#define PTX_TARGET(start, word, target) {start, word, target},
#include "ptx/targets.def"
#undef PTX_TARGET
};

/* True if a word of the instruction's ends at `at`. */
static bool is_word_end(const char *at)
{
    return *at == '\0' || strchr(". \t\r\n;", *at) != NULL;
}

/* True if the words of an instruction, which end at `end`, have that one. */
static bool has_word(const char *words, const char *end, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(words, word); at != NULL && at < end; at = strstr(at + 1, word)) {
        if (is_word_end(at + length)) {
            return true;
        }
    }
    return false;
}

static bool fits(const struct target_row *row, const char *words, const char *end)
{
    size_t length = strlen(row->start);

    return (length == 0 ||
            (strncmp(words, row->start, length) == 0 && is_word_end(words + length))) &&
           (row->word[0] == '\0' || has_word(words, end, row->word));
}

unsigned ptx_target_needed(const struct ptx_instruction *instruction, const char **out_feature)
{
    const char *words = instruction->text;
    unsigned needed = 0;

    if (words == NULL) {
        return 0;
    }
    if (words[0] == '@') {
        words += strcspn(words, " \t");
        words += strspn(words, " \t");
    }
    const char *end = words + strcspn(words, " \t\r\n;");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].target > needed && fits(&rows[i], words, end)) {
            needed = rows[i].target;
            *out_feature = rows[i].start[0] != '\0' ? rows[i].start : rows[i].word;
        }
    }
    return needed;
}
