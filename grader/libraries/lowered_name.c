/* lowered_name.c: see lowered_name.h. */
#include "libraries/lowered_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *lowered_name_line(unsigned index, const char *expression)
{
    char *line = NULL;

    expression += strspn(expression, " \t&");
    return asprintf(&line, "template __global__ void gpugrade_name<%u, &%s >();\n", index,
                    expression) < 0
               ? NULL
               : line;
}

/* Copies an identifier with its length before it: the number at *name. */
static void copy_identifier(const char **name, const char *end, char **out)
{
    char *after;
    unsigned long length = strtoul(*name, &after, 10);
    size_t whole = (size_t)(after - *name);

    whole += length < (size_t)(end - after) ? length : (size_t)(end - after);
    memcpy(*out, *name, whole);
    *name += whole;
    *out += whole;
}

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Lowers the number of a repeated part by one: S2_ to S1_, S0_ to S_. */
static void copy_part(const char **name, const char *end, char **out)
{
    const char *at = *name + 1;
    unsigned long number = 0;
    const char *digit;
    char written[16];
    size_t length = 0;

    for (; at < end && at - *name < 6 && *at != '_' && (digit = strchr(digits, *at)) != NULL;
         at++) {
        number = number * 36 + (unsigned long)(digit - digits);
    }
    if (at == end || *at != '_' || at == *name + 1) { /* St, Sa: of the standard library */
        *(*out)++ = *(*name)++;
        return;
    }
    for (unsigned long rest = number; rest > 0; rest /= 36) {
        rest -= length == 0 ? 1 : 0;
        written[length++] = digits[rest % 36];
    }
    *name = at + 1;
    *(*out)++ = 'S';
    while (length > 0) {
        *(*out)++ = written[--length];
    }
    *(*out)++ = '_';
}

/* The name by itself of one that stands within another, [start, end). */
static char *take_out(const char *start, const char *end)
{
    char *name = malloc((size_t)(end - start) + 1);
    char *out = name;
    bool is_literal = false; /* of a template's argument: Li3E, whose number is no length */

    while (name != NULL && start < end) {
        if (isdigit((unsigned char)*start) && !is_literal) {
            copy_identifier(&start, end, &out);
        } else if (*start == 'S') {
            copy_part(&start, end, &out);
        } else {
            is_literal = is_literal ? *start != 'E' : *start == 'L' && islower(start[1]);
            *out++ = *start++;
        }
    }
    if (name != NULL) {
        *out = '\0';
    }
    return name;
}

static bool is_declared(const char *ptx, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = ptx; length > 0 && (at = strstr(at, name)) != NULL; at += length) {
        const char before = at == ptx ? '\n' : at[-1], after = at[length];

        if (!isalnum((unsigned char)before) && before != '_' && before != '$' &&
            !isalnum((unsigned char)after) && after != '_' && after != '$') {
            return true;
        }
    }
    return false;
}

/* What is extern "C", and a variable of no namespace, has a plain name: "5plain" is `plain`. */
static void make_plain(char *name)
{
    char *after;
    unsigned long length = strncmp(name, "_Z", 2) == 0 ? strtoul(name + 2, &after, 10) : 0;

    if (length > 0 && length <= strlen(after)) {
        memmove(name, after, length);
        name[length] = '\0';
    }
}

char *lowered_name_find(const char *ptx, unsigned index)
{
    char head[64];

    snprintf(head, sizeof(head), "_Z13gpugrade_nameILi%uE", index);
    const char *found = strstr(ptx, head);
    const char *start = found == NULL ? NULL : strstr(found, "XadL_Z");
    const char *end = start == NULL ? NULL : start + strcspn(start, "( \t\n");
    if (end == NULL || end - start < 11 || strncmp(end - 5, "EEEvv", 5) != 0) {
        return NULL;
    }
    char *name = take_out(start + 4, end - 5);
    if (name != NULL && !is_declared(ptx, name)) {
        make_plain(name);
    }
    if (name != NULL && !is_declared(ptx, name)) {
        free(name);
        name = NULL;
    }
    return name;
}
