/* locate_symbol.c: see locators.h.
 *
 * A linker knows names, not lines. A function that is not found may be defined with other
 * parameters, or under a name that differs in capitals or underscores only; or it is declared here
 * and defined nowhere.
 */
#include "diagnosis/location/locators.h"
#include "source/parameter_difference.h"

#include <ctype.h>
#include <string.h>

/* The next letter or digit of a name; 0 at its end. */
static char next_letter(const char *text, size_t length, size_t *at)
{
    while (*at < length) {
        char c = text[(*at)++];
        if (isalnum((unsigned char)c)) {
            return (char)tolower((unsigned char)c);
        }
    }
    return '\0';
}

static bool sounds_like(const struct source_token *token, const char *name)
{
    size_t left = 0;
    size_t right = 0;

    for (;;) {
        char a = next_letter(token->text, token->length, &left);
        char b = next_letter(name, strlen(name), &right);
        if (a != b) {
            return false;
        }
        if (a == '\0') {
            return true;
        }
    }
}

/* Functions whose name has the same letters and digits as the last part of `name`. */
static size_t find_similar(const struct program_source *source, const char *name,
                           struct file_token *out_token)
{
    const char *scope = strstr(name, "::");
    size_t found = 0;

    while (scope != NULL) {
        name = scope + 2;
        scope = strstr(name, "::");
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            size_t token = file->functions.items[j].name;
            if (sounds_like(&file->tokens.tokens[token], name)) {
                *out_token = (struct file_token){file, token};
                found++;
            }
        }
    }
    return program_has_macro(source, name) ? 0 : found;
}

bool locate_symbol(const struct locator *locator, struct location *out_location)
{
    const char *name = locator->symbol;
    struct file_token file_token;

    if (name[0] == '\0') {
        return false;
    }
    size_t defined = find_definitions(&locator->source, name, &file_token);
    if (defined == 1 && strstr(locator->cause->message, "shared data") != NULL &&
        first_static_shared(file_token.file, function_named_at(file_token), &file_token)) {
        return location_set(out_location, file_token, "static shared memory");
    }
    const char *difference = defined == 1
                                 ? parameter_difference(locator->arena, locator->cause->message,
                                                        &file_token.file->tokens, file_token.token)
                                 : NULL;
    if (difference != NULL) {
        return location_set(out_location, file_token, difference);
    }
    if (defined > 0) {
        return defined <= 2 &&
               location_set(out_location, file_token,
                            defined == 2
                                ? arena_printf(locator->arena, "`%s` is defined again", name)
                                : arena_printf(locator->arena, "`%s` is defined here", name));
    }
    if (find_similar(&locator->source, name, &file_token) == 1) {
        return location_set(out_location, file_token,
                            arena_printf(locator->arena, "the missing name is `%s`", name));
    }
    return find_declarations(&locator->source, name, &file_token) == 1 &&
           location_set(out_location, file_token,
                        arena_printf(locator->arena, "`%s` is declared, but not defined", name));
}
