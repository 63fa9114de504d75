/* attempts.c: what an attempt is told, and what it says; see sandbox_probe.h. */
#include "sandbox/probe/sandbox_probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTED_MAX = 5 };

static void say(const char *word, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void say(const char *word, const char *format, va_list arguments)
{
    char text[WITNESS_TEXT_MAX * 2];

    vsnprintf(text, sizeof text, format, arguments);
    printf("%s %s\n", word, text);
    fflush(stdout);
    _exit(EXIT_SUCCESS);
}

void say_held(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("held", format, arguments);
    va_end(arguments);
    abort();
}

void say_open(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("open", format, arguments);
    va_end(arguments);
    abort();
}

void say_broken(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("broken", format, arguments);
    va_end(arguments);
    abort();
}

static const char *find_fact(char *const *facts, const char *key)
{
    size_t length = strlen(key);

    for (size_t i = 0; facts[i] != NULL; i++) {
        if (strncmp(facts[i], key, length) == 0 && facts[i][length] == '=') {
            return facts[i] + length + 1;
        }
    }
    return NULL;
}

bool fact_is_given(char *const *facts, const char *key)
{
    return find_fact(facts, key) != NULL;
}

const char *fact_text(char *const *facts, const char *key)
{
    const char *value = find_fact(facts, key);

    if (value == NULL) {
        say_broken("the fact '%s' was not given", key);
    }
    return value;
}

long fact_number(char *const *facts, const char *key)
{
    const char *text = fact_text(facts, key);
    char *end = NULL;
    long number = strtol(text, &end, 10);

    if (end == text || *end != '\0') {
        say_broken("the fact '%s' is not a number: %s", key, text);
    }
    return number;
}

/* Appends "text" or ", text"; what does not fit is left out. */
static void append(char *list, const char *text)
{
    size_t length = strlen(list);

    snprintf(list + length, WITNESS_TEXT_MAX - length, "%s%s", length == 0 ? "" : ", ", text);
}

void attempts_add(struct attempts *attempts, const char *what, int error)
{
    append(error == 0 ? attempts->open : attempts->held, what);
    attempts->held_count += error == 0 ? 0 : 1;
    attempts->last_error = error == 0 ? attempts->last_error : error;
}

void attempts_say(const struct attempts *attempts)
{
    if (attempts->open[0] != '\0') {
        say_open("%s", attempts->open);
    }
    if (attempts->held_count > LISTED_MAX) {
        say_held("%d ways: %s", attempts->held_count, strerror(attempts->last_error));
    }
    say_held("%s: %s", attempts->held, strerror(attempts->last_error));
}
