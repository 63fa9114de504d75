/* locate_host_code.c: see locators.h. */
#include "diagnosis/location/locators.h"

#include "base/text.h"
#include "criteria/printouts/printouts.h"

#include <string.h>

/* What is printed ******************************************************************************/

/* The printout that the cause is about. */
static const struct rubric_printout *wanted_printout(const struct locator *locator)
{
    const struct rubric *rubric = locator->input->rubric;
    const struct rubric_criterion *criterion = locator->criterion;
    const struct subject *subject = &locator->cause->subject;

    if (subject->kind == SUBJECT_PRINTOUT) {
        return subject->printout;
    }
    if (criterion->has_printout && subject->kind != SUBJECT_FUNCTION) {
        return &rubric->printouts[criterion->printout];
    }
    return criterion->has_bytes_printout ? &rubric->printouts[criterion->bytes_printout] : NULL;
}

static const char *about_label(const struct locator *locator, const char *before,
                               const struct rubric_printout *printout, const char *after)
{
    return arena_printf(locator->arena, "%s`%s`%s", before, printout->label, after);
}

bool place_result(const struct program_source *source, const char *name, const char *label,
                  struct location *out_location)
{
    struct file_token file_token;
    size_t found = 0;

    if (find_definitions(source, name, &file_token) != 1) {
        return false;
    }
    const struct source_tokens *tokens = &file_token.file->tokens;
    const struct source_function *function = function_named_at(file_token);
    size_t result = file_token.token;
    for (size_t i = file_token.token; function != NULL && i < function->close; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "return")) {
            result = i;
            found++;
        }
    }
    return location_set(
        out_location, (struct file_token){file_token.file, found == 1 ? result : file_token.token},
        label);
}

bool locate_printed_line(const struct locator *locator, struct location *out_location)
{
    const struct rubric_printout *printout = wanted_printout(locator);
    struct file_token file_token;

    if (printout == NULL) {
        return false;
    }
    if (printout->table) { /* the harness prints what a function of that name gives */
        return place_result(&locator->source, printout->label, "returns the number that is printed",
                            out_location);
    }
    return find_labels(&locator->source, printout->label, false, &file_token) == 1 &&
           location_set(out_location, file_token, about_label(locator, "prints ", printout, ""));
}

bool locate_repeated_line(const struct locator *locator, struct location *out_location)
{
    const struct rubric_printout *printout = wanted_printout(locator);
    struct file_token file_token;

    if (printout == NULL || printout->table) {
        return false;
    }
    size_t found = find_labels(&locator->source, printout->label, false, &file_token);
    return (found == 1 || found == 2) &&
           location_set(out_location, file_token,
                        about_label(locator, "prints ", printout, found == 2 ? " again" : ""));
}

/* True if a string, up to its first escape or conversion, stands in a text. */
static bool is_start_quoted(const struct source_token *string, const char *text)
{
    size_t start = 0;
    size_t end;

    while (string->length - start >= 2 && string->text[start] == '\\') {
        start += 2;
    }
    for (end = start; end < string->length; end++) {
        if (string->text[end] == '\\' || string->text[end] == '%') {
            break;
        }
    }
    return end > start && memmem(text, strlen(text), string->text + start, end - start) != NULL;
}

/* The only string with the words of a label that begins something in the line that was printed. */
static bool find_near_label(const struct locator *locator, const char *label,
                            struct file_token *out_token)
{
    const char *printed = locator->cause->subject.line;
    size_t found = 0;

    for (size_t i = 0; i < locator->source.count && printed != NULL; i++) {
        const struct program_file *file = &locator->source.files[i];
        for (size_t j = 0; j < file->tokens.count; j++) {
            const struct source_token *token = &file->tokens.tokens[j];
            if (token->kind == TOKEN_STRING && is_start_quoted(token, printed) &&
                holds_label_words(token->text, token->length, label)) {
                *out_token = (struct file_token){file, j};
                found++;
            }
        }
    }
    return found == 1;
}

/* The string that is the label; or nearly is, if something like it was printed (elsewhere it may be
 * an error message); or, if nothing was, the end of the function whose name says that it prints it.
 */
bool locate_missing_line(const struct locator *locator, struct location *out_location)
{
    const struct rubric_printout *printout = wanted_printout(locator);
    const struct source_function *function = NULL;
    struct file_token file_token;

    if (printout == NULL || printout->table) {
        return false;
    }
    bool is_exact = find_labels(&locator->source, printout->label, false, &file_token) == 1;
    bool is_similar = locator->cause->subject.line != NULL;
    if (!is_exact && is_similar && find_near_label(locator, printout->label, &file_token)) {
        return location_set(out_location, file_token,
                            about_label(locator, "the label must be ", printout, ""));
    }
    size_t found = find_labels(&locator->source, printout->label, is_similar, &file_token);
    if (found > 0) {
        return found == 1 &&
               location_set(out_location, file_token,
                            is_exact
                                ? about_label(locator, "the only place that prints ", printout, "")
                                : about_label(locator, "the label must be ", printout, ""));
    }
    if (is_similar ||
        find_functions_named_like(&locator->source, printout->label, &function, &file_token) != 1) {
        return false;
    }
    const struct source_token *name = &file_token.file->tokens.tokens[file_token.token];
    file_token.token = function->close - 1;
    return location_set(out_location, file_token,
                        arena_printf(locator->arena, "%.*s() ends here without printing `%s`",
                                     (int)name->length, name->text, printout->label));
}

static bool see_mark(const struct program_file *file, int first_line, int last_line,
                     struct location *out_location)
{
    for (size_t i = 0; i < file->tokens.mark_count; i++) {
        const struct source_mark *mark = &file->tokens.marks[i];
        if (mark->line >= first_line && mark->line <= last_line) {
            *out_location = (struct location){
                .file_token = {file, 0}, .mark = *mark, .label = "the next open step"};
            return true;
        }
    }
    return false;
}

bool locate_open_step(const struct locator *locator, struct location *out_location)
{
    return locator->source.count > 0 &&
           see_mark(&locator->source.files[0], 1, INT32_MAX, out_location);
}

bool locate_open_printout(const struct locator *locator, struct location *out_location)
{
    const struct rubric_printout *printout = wanted_printout(locator);
    const struct source_function *function = NULL;
    struct file_token file_token;

    if (printout != NULL &&
        find_functions_named_like(&locator->source, printout->label, &function, &file_token) == 1) {
        const struct source_token *tokens = file_token.file->tokens.tokens;
        if (see_mark(file_token.file, tokens[function->open].line, tokens[function->close - 1].line,
                     out_location)) {
            return true;
        }
    }
    return locate_open_step(locator, out_location);
}

/* Calls ****************************************************************************************/

/* The token of a name in a line of host code, or the first token there. */
static bool find_in_line(const struct locator *locator, const struct host_place *place,
                         const char *name, struct file_token *out_token)
{
    bool is_found = false;

    for (size_t i = 0; i < locator->source.count && place->line > 0; i++) {
        const struct program_file *file = &locator->source.files[i];
        const struct source_tokens *tokens = &file->tokens;
        for (size_t j = 0; j < tokens->count && strcmp(tokens->file->name, place->file) == 0; j++) {
            bool is_name = token_is(tokens, j, TOKEN_NAME, name);
            if (tokens->tokens[j].line == place->line && (!is_found || is_name)) {
                *out_token = (struct file_token){file, j};
                is_found = true;
                if (is_name) {
                    return true;
                }
            }
        }
    }
    return is_found;
}

bool locate_line(const struct locator *locator, const struct host_place *place, const char *name,
                 const char *label, struct location *out_location)
{
    struct file_token file_token;

    return find_in_line(locator, place, name, &file_token) &&
           location_set(out_location, file_token, label);
}

bool locate_crash(const struct locator *locator, struct location *out_location)
{
    return locator->activity != NULL &&
           locate_line(locator, &locator->activity->crash, "", "crashes here", out_location);
}

/* The call that failed, or else the only call of what a call error names: "cudaMalloc". */
static bool place_call_of(const struct locator *locator, const struct call_error *error,
                          struct location *out_location)
{
    size_t length = strspn(error->call, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_");
    const char *name = arena_strndup(locator->arena, error->call, length);
    const char *label = arena_printf(locator->arena, "returns %s", error->name);
    struct file_token file_token;

    return locate_line(locator, &error->place, name, label, out_location) ||
           (length > 0 && find_calls(&locator->source, name, NULL, &file_token) == 1 &&
            location_set(out_location, file_token, label));
}

bool locate_call(const struct locator *locator, struct location *out_location)
{
    const struct subject *subject = &locator->cause->subject;

    return subject->kind == SUBJECT_CALL && !subject->call->is_launch &&
           place_call_of(locator, subject->call, out_location);
}

/* The only call that ends the program, where it ended with status 0: with another status the given
 * main program may have ended it. */
bool locate_exit_call(const struct locator *locator, struct location *out_location)
{
    static const char *const calls[] = {"exit", "_exit", "_Exit", "quick_exit"};
    struct file_token file_token = {NULL, 0};
    size_t found = 0;

    if (locator->activity == NULL || locator->activity->end.exit_status != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        found += find_calls(&locator->source, calls[i], NULL, &file_token);
    }
    return found == 1 && location_set(out_location, file_token, "ends the program");
}

/* Loops ****************************************************************************************/

static bool prints(const struct source_tokens *tokens, struct token_range range)
{
    static const char *const calls[] = {"printf", "puts",   "putchar", "fputs", "fputc",
                                        "putc",   "fwrite", "fprintf", "write", "cout"};

    for (size_t i = range.first; i < range.end; i++) {
        for (size_t j = 0; j < sizeof calls / sizeof calls[0]; j++) {
            if (token_is(tokens, i, TOKEN_NAME, calls[j])) {
                return true;
            }
        }
    }
    return false;
}

/* The outermost loops of host functions, all or those that print. */
static size_t find_host_loops(const struct locator *locator, bool only_printing,
                              struct file_token *out_token)
{
    size_t found = 0;

    for (size_t i = 0; i < locator->source.count; i++) {
        const struct program_file *file = &locator->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            struct token_range loop = {0, function->open};
            while (!function->is_kernel && !function->is_device &&
                   source_next_loop(&file->tokens, loop.end, function->close, &loop)) {
                if (!only_printing || prints(&file->tokens, loop)) {
                    *out_token = (struct file_token){file, loop.first};
                    found++;
                }
            }
        }
    }
    return found;
}

bool locate_printing_loop(const struct locator *locator, struct location *out_location)
{
    struct file_token file_token;

    return find_host_loops(locator, true, &file_token) == 1 &&
           location_set(out_location, file_token, "the only loop that prints");
}

bool locate_host_loop(const struct locator *locator, struct location *out_location)
{
    struct file_token file_token;

    return find_host_loops(locator, false, &file_token) == 1 &&
           location_set(out_location, file_token, "the only loop in the host code");
}

/* A program that took too long may wait as well: then no loop is at fault. */
bool locate_waiting_loop(const struct locator *locator, struct location *out_location)
{
    static const char *const calls[] = {
        "sleep", "usleep", "nanosleep", "sleep_for", "sleep_until", "scanf",   "fscanf", "getchar",
        "fgetc", "getc",   "fgets",     "fread",     "read",        "getline", "pause",  "select",
        "poll",  "wait",   "waitpid",   "join",      "lock",        "cin"};

    for (size_t i = 0; i < locator->source.count; i++) {
        const struct source_tokens *tokens = &locator->source.files[i].tokens;
        for (size_t j = 0; j < tokens->count; j++) {
            for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
                if (token_is(tokens, j, TOKEN_NAME, calls[k])) {
                    return false;
                }
            }
        }
    }
    return locate_host_loop(locator, out_location);
}
