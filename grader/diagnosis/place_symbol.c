/* place_symbol.c: see place_rules.h.
 *
 * A linker knows names, not lines. A function that is not found may be defined with other
 * parameters, or under a name that differs in capitals or underscores only; or it is declared here
 * and defined nowhere.
 */
#include "diagnosis/place_rules.h"
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
                           struct spot *out_spot)
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
                *out_spot = (struct spot){file, token};
                found++;
            }
        }
    }
    return program_has_macro(source, name) ? 0 : found;
}

bool place_symbol(const struct seeker *seeker, struct sight *out_sight)
{
    const char *name = seeker->symbol;
    struct spot spot;

    if (name[0] == '\0') {
        return false;
    }
    size_t defined = find_definitions(&seeker->source, name, &spot);
    if (defined == 1 && strstr(seeker->cause->message, "shared data") != NULL &&
        first_static_shared(spot.file, function_named_at(spot), &spot)) {
        return sight_set(out_sight, spot, "static shared memory");
    }
    const char *difference = defined == 1
                                 ? parameter_difference(seeker->arena, seeker->cause->message,
                                                        &spot.file->tokens, spot.token)
                                 : NULL;
    if (difference != NULL) {
        return sight_set(out_sight, spot, difference);
    }
    if (defined > 0) {
        return defined <= 2 &&
               sight_set(out_sight, spot,
                         defined == 2 ? arena_printf(seeker->arena, "`%s` is defined again", name)
                                      : arena_printf(seeker->arena, "`%s` is defined here", name));
    }
    if (find_similar(&seeker->source, name, &spot) == 1) {
        return sight_set(out_sight, spot,
                         arena_printf(seeker->arena, "the name that is missing is `%s`", name));
    }
    return find_declarations(&seeker->source, name, &spot) == 1 &&
           sight_set(out_sight, spot,
                     arena_printf(seeker->arena, "`%s` is declared, but not defined", name));
}
