/* intake_names.c: see intake_names.h. */
#include "submission/intake_names.h"

#include "base/near_word.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A short name is one letter away from too many others. */
enum { TYPO_BYTES_MIN = 8 };

/* How near two names are, the nearest first. */
enum nearness { NEAR_CASE, NEAR_COPY, NEAR_TYPO, NEAR_NOT };

/* Cuts the bytes before `end` that mark a copy: " (1)", " - Copy", " copy". */
static size_t without_copy_mark(const char *name, size_t end)
{
    static const char *const marks[] = {" - copy", "_copy", " copy"};
    size_t at = end;

    if (at > 0 && name[at - 1] == ')') {
        at--;
        while (at > 0 && isdigit((unsigned char)name[at - 1])) {
            at--;
        }
        if (at > 0 && at < end - 1 && name[at - 1] == '(') {
            at--;
            return at > 0 && name[at - 1] == ' ' ? at - 1 : at;
        }
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t length = strlen(marks[i]);
        if (end > length && strncasecmp(name + end - length, marks[i], length) == 0) {
            return end - length;
        }
    }
    return end;
}

/* A name without what programs add to it. */
static const char *plain_name(struct arena *arena, const char *name)
{
    static const char copy_of[] = "copy of ";
    const char *slash = strrchr(name, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash + 1 - name);
    const char *file = name + folder;

    if (strncasecmp(file, copy_of, strlen(copy_of)) == 0) {
        file += strlen(copy_of);
    }
    size_t length = strlen(file);
    if (length > 4 && strcasecmp(file + length - 4, ".txt") == 0 &&
        memchr(file, '.', length - 4) != NULL) {
        length -= 4;
    }
    length = without_copy_mark(file, length); /* "a.cu (1)" */
    size_t stem = length;
    while (stem > 0 && file[stem - 1] != '.') {
        stem--;
    }
    stem = stem > 0 ? stem - 1 : length;
    return arena_printf(arena, "%.*s%.*s%.*s", (int)folder, name,
                        (int)without_copy_mark(file, stem), file, (int)(length - stem),
                        file + stem);
}

static bool same_digits(const char *left, const char *right)
{
    for (;;) {
        left += strcspn(left, "0123456789");
        right += strcspn(right, "0123456789");
        if (*left != *right) {
            return false;
        }
        if (*left == '\0') {
            return true;
        }
        left++;
        right++;
    }
}

static bool same_ending(const char *left, const char *right)
{
    const char *left_dot = strrchr(left, '.'), *right_dot = strrchr(right, '.');

    return left_dot != NULL && right_dot != NULL && strcasecmp(left_dot, right_dot) == 0;
}

static bool is_typo(const char *name, const char *wanted)
{
    size_t length = strlen(name), wanted_length = strlen(wanted);

    return wanted_length >= TYPO_BYTES_MIN && length <= wanted_length + 1 &&
           wanted_length <= length + 1 && same_digits(name, wanted) && same_ending(name, wanted) &&
           near_word_distance(name, wanted) <= 1;
}

/* `plain` is plain_name(name). */
static enum nearness nearness_of(const char *name, const char *plain, const char *wanted)
{
    if (strcasecmp(name, wanted) == 0) {
        return NEAR_CASE;
    }
    if (strcasecmp(plain, wanted) == 0) {
        return NEAR_COPY;
    }
    return is_typo(plain, wanted) ? NEAR_TYPO : NEAR_NOT;
}

/* The names that a rubric asks for. */
struct wanted_names {
    const char **names; /* [count] */
    bool *is_missing;   /* [count] */
    size_t count;
};

static struct wanted_names list_wanted(struct arena *arena, const struct rubric *rubric,
                                       const struct intake_files *files)
{
    struct wanted_names wanted = {.count = 0};
    size_t most = 0;

    for (size_t i = 0; i < rubric->program_count; i++) {
        most += rubric->programs[i].source_count;
    }
    wanted.names = arena_array(arena, most, sizeof *wanted.names);
    wanted.is_missing = arena_array(arena, most, sizeof *wanted.is_missing);
    for (size_t i = 0; i < rubric->program_count; i++) {
        for (size_t j = 0; j < rubric->programs[i].source_count; j++) {
            const char *name = rubric->programs[i].sources[j];
            size_t k = 0;
            while (k < wanted.count && strcmp(wanted.names[k], name) != 0) {
                k++;
            }
            if (k == wanted.count) {
                wanted.names[k] = name;
                wanted.is_missing[k] =
                    intake_find(files, name) == NULL && intake_in_place_of(files, name)[0] == '\0';
                wanted.count++;
            }
        }
    }
    return wanted;
}

/* What a file is nearest to. */
struct near_file {
    enum nearness nearness;
    size_t wanted;  /* NEAR_NOT: unset */
    bool is_unsure; /* it is as near to another one */
};

static struct near_file look_at(struct arena *arena, const struct wanted_names *wanted,
                                const char *name)
{
    struct near_file near = {.nearness = NEAR_NOT};
    const char *plain = plain_name(arena, name);

    for (size_t i = 0; i < wanted->count; i++) {
        enum nearness nearness = nearness_of(name, plain, wanted->names[i]);
        if (strcmp(name, wanted->names[i]) == 0) {
            return (struct near_file){.nearness = NEAR_NOT}; /* it is one itself */
        }
        if (nearness < near.nearness) {
            near = (struct near_file){.nearness = nearness, .wanted = i};
        } else if (nearness == near.nearness && nearness != NEAR_NOT) {
            near.is_unsure = true;
        }
    }
    return near;
}

static int compare_files(const void *left, const void *right)
{
    return strcmp(((const struct intake_file *)left)->name,
                  ((const struct intake_file *)right)->name);
}

size_t intake_adopt_names(struct arena *arena, const struct rubric *rubric,
                          struct intake_files *files)
{
    const struct wanted_names wanted = list_wanted(arena, rubric, files);
    struct near_file *near = arena_array(arena, files->count, sizeof *near);
    struct intake_file *adopted = arena_array(arena, files->count, sizeof *adopted);
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++) {
        near[i] = look_at(arena, &wanted, files->files[i].name);
        adopted[i] = files->files[i];
    }
    for (size_t k = 0; k < wanted.count; k++) {
        size_t best = files->count, rivals = 0;
        for (size_t i = 0; i < files->count && wanted.is_missing[k]; i++) {
            bool fits = near[i].nearness != NEAR_NOT && near[i].wanted == k && !near[i].is_unsure;
            if (fits && (best == files->count || near[i].nearness < near[best].nearness)) {
                best = i;
                rivals = 0;
            } else if (fits && near[i].nearness == near[best].nearness) {
                rivals++;
            }
        }
        if (best < files->count && rivals == 0) {
            adopted[best].handed_in = adopted[best].name;
            adopted[best].name = wanted.names[k];
            count++;
        }
    }
    if (count > 0) {
        qsort(adopted, files->count, sizeof *adopted, compare_files);
        files->files = adopted;
    }
    return count;
}
