/* source_search.c: see source_search.h. */
#include "source/source_search.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Of a call, so many tokens are searched for an argument: calls may lie in each other. */
enum { LETTERS_MAX = 127, CALL_TOKENS_MAX = 512 };

bool program_has_macro(const struct program_source *source, const char *name)
{
    for (size_t i = 0; i < source->count; i++) {
        if (source_has_macro(&source->files[i].tokens, name)) {
            return true;
        }
    }
    return false;
}

static const char *last_part(const char *name)
{
    const char *last = name;

    for (const char *at = strstr(name, "::"); at != NULL; at = strstr(last, "::")) {
        last = at + 2;
    }
    return last;
}

static bool sign_is(const struct program_file *file, size_t index, const char *text)
{
    return token_is(&file->tokens, index, TOKEN_SIGN, text);
}

size_t find_definitions(const struct program_source *source, const char *name,
                        struct file_token *out_token)
{
    const char *last = last_part(name);
    size_t found = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            size_t token = file->functions.items[j].name;
            if (token_is(&file->tokens, token, TOKEN_NAME, last)) {
                *out_token = (struct file_token){file, token};
                found++;
            }
        }
    }
    return program_has_macro(source, last) ? 0 : found;
}

/* True if token `index` names a function that is defined here. */
static bool is_definition(const struct program_file *file, size_t index)
{
    return source_function_named(&file->functions, index) != NULL;
}

size_t find_declarations(const struct program_source *source, const char *name,
                         struct file_token *out_token)
{
    const char *last = last_part(name);
    size_t found = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 1; j < file->tokens.count && file->functions.is_certain; j++) {
            enum token_kind before = file->tokens.tokens[j - 1].kind;
            if (token_is(&file->tokens, j, TOKEN_NAME, last) &&
                (before == TOKEN_NAME || sign_is(file, j - 1, "*") || sign_is(file, j - 1, "&") ||
                 sign_is(file, j - 1, ",")) &&
                source_function_at(&file->functions, j) == NULL && !is_definition(file, j)) {
                *out_token = (struct file_token){file, j};
                found++;
            }
        }
    }
    return program_has_macro(source, last) ? 0 : found;
}

size_t find_launches(const struct program_source *source, const char *kernel,
                     struct source_launch *out_launch, struct file_token *out_token)
{
    struct source_launch launch;
    size_t found = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->tokens.count; j++) {
            if (source_launch_read(&file->tokens, j, kernel, &launch)) {
                *out_token = (struct file_token){file, j};
                *out_launch = launch;
                found++;
            }
        }
    }
    return program_has_macro(source, last_part(kernel)) ? 0 : found;
}

size_t find_calls(const struct program_source *source, const char *name, const char *argument,
                  struct file_token *out_token)
{
    size_t found = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->tokens.count; j++) {
            if (!token_is(&file->tokens, j, TOKEN_NAME, name) || !sign_is(file, j + 1, "(") ||
                source_function_at(&file->functions, j) == NULL) {
                continue;
            }
            size_t end = token_close(&file->tokens, j + 1);
            bool is_wanted = argument == NULL;
            end = end - j > CALL_TOKENS_MAX ? j + CALL_TOKENS_MAX : end;
            for (size_t k = j + 2; k < end && !is_wanted; k++) {
                is_wanted = token_is(&file->tokens, k, TOKEN_NAME, argument);
            }
            if (is_wanted) {
                *out_token = (struct file_token){file, j};
                found++;
            }
        }
    }
    return program_has_macro(source, name) ? 0 : found;
}

/* Moves behind blanks and escapes that print as blanks. */
static size_t skip_blanks(const struct source_token *string, size_t at)
{
    while (at < string->length) {
        if (string->text[at] == ' ' || string->text[at] == '\t') {
            at++;
        } else if (string->text[at] == '\\' && at + 1 < string->length &&
                   character_is_of(string->text[at + 1], "ntrvf")) {
            at += 2;
        } else {
            break;
        }
    }
    return at;
}

static bool has_label(const struct source_token *string, const char *label, bool ignores_case)
{
    size_t length = strlen(label);
    size_t at = skip_blanks(string, 0);

    while (at < string->length) {
        if (string->length - at >= length &&
            (ignores_case ? strncasecmp(string->text + at, label, length)
                          : strncmp(string->text + at, label, length)) == 0) {
            return true;
        }
        while (at < string->length && !(string->text[at] == '\\' && at + 1 < string->length &&
                                        string->text[at + 1] == 'n')) {
            at += string->text[at] == '\\' ? 2 : 1;
        }
        at = at < string->length ? skip_blanks(string, at) : at;
    }
    return false;
}

size_t find_labels(const struct program_source *source, const char *label, bool ignores_case,
                   struct file_token *out_token)
{
    size_t found = 0;

    for (size_t i = 0; i < source->count; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->tokens.count; j++) {
            const struct source_token *token = &file->tokens.tokens[j];
            if (token->kind == TOKEN_STRING && has_label(token, label, ignores_case)) {
                *out_token = (struct file_token){file, j};
                found++;
            }
        }
    }
    return found;
}

/* Its letters and digits, in lower case. */
static void plain_letters(const char *text, size_t length, char out_letters[LETTERS_MAX + 1])
{
    size_t count = 0;

    for (size_t i = 0; i < length && count < LETTERS_MAX; i++) {
        if (isalnum((unsigned char)text[i])) {
            out_letters[count++] = (char)tolower((unsigned char)text[i]);
        }
    }
    out_letters[count] = '\0';
}

size_t find_functions_named_like(const struct program_source *source, const char *words,
                                 const struct source_function **out_function,
                                 struct file_token *out_token)
{
    char wanted[LETTERS_MAX + 1];
    char letters[LETTERS_MAX + 1];
    size_t found = 0;

    plain_letters(words, strlen(words), wanted);
    for (size_t i = 0; i < source->count && wanted[0] != '\0'; i++) {
        const struct program_file *file = &source->files[i];
        for (size_t j = 0; j < file->functions.count && file->functions.is_certain; j++) {
            const struct source_function *function = &file->functions.items[j];
            const struct source_token *name = &file->tokens.tokens[function->name];
            plain_letters(name->text, name->length, letters);
            if (!function->is_kernel && !function->is_device && strstr(letters, wanted) != NULL) {
                *out_function = function;
                *out_token = (struct file_token){file, function->name};
                found++;
            }
        }
    }
    return found;
}

static bool same_text(const struct source_token *left, const struct source_token *right)
{
    return left->kind == right->kind && left->length == right->length &&
           memcmp(left->text, right->text, left->length) == 0;
}

/* What a name is to its function at one token. */
enum name_use { USE_READ, USE_DECLARED, USE_CHANGED };

static enum name_use use_of(const struct program_file *file, size_t index)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "++", "--"};
    const struct source_token *before = &file->tokens.tokens[index - 1];
    bool is_declared = before->kind == TOKEN_NAME &&
                       (sign_is(file, index + 1, "(") || sign_is(file, index + 1, "{") ||
                        sign_is(file, index + 1, "=") || sign_is(file, index + 1, ";") ||
                        sign_is(file, index + 1, ","));
    size_t after = index + (sign_is(file, index + 1, ".") ? 3 : 1);

    if (is_declared && !token_is(&file->tokens, index - 1, TOKEN_NAME, "return")) {
        return USE_DECLARED;
    }
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (sign_is(file, after, changes[i])) {
            return USE_CHANGED;
        }
    }
    bool is_given_away = sign_is(file, index - 1, "&") || sign_is(file, index - 1, "++") ||
                         sign_is(file, index - 1, "--");
    return is_given_away ? USE_CHANGED : USE_READ;
}

struct file_token find_value(const struct program_file *file, struct token_range range)
{
    const struct source_function *function = source_function_at(&file->functions, range.first);
    struct file_token file_token = {file, range.first};
    size_t declared = 0;

    if (range.end - range.first != 1 || function == NULL ||
        file->tokens.tokens[range.first].kind != TOKEN_NAME) {
        return file_token;
    }
    const struct source_token *name = &file->tokens.tokens[range.first];
    size_t place = range.first;
    for (size_t i = function->open + 1; i + 1 < function->close; i++) {
        if (!same_text(name, &file->tokens.tokens[i])) {
            continue;
        }
        enum name_use use = use_of(file, i);
        if (use == USE_CHANGED) {
            return file_token;
        }
        declared += use == USE_DECLARED ? 1 : 0;
        place = use == USE_DECLARED ? i : place;
    }
    return (struct file_token){file, declared == 1 ? place : range.first};
}
