/* place_host_code.c: see place_rules.h. */
#include "diagnosis/place_rules.h"

#include "base/text.h"
#include "criteria/printouts.h"

#include <string.h>

/* What is printed ******************************************************************************/

/* The printout that the cause is about: the table if its message names it. */
static const struct rubric_printout *wanted_printout(const struct seeker *seeker)
{
    const struct rubric *rubric = seeker->input->rubric;
    const struct rubric_criterion *criterion = seeker->criterion;

    if (criterion->has_bytes_printout) {
        const struct rubric_printout *table = &rubric->printouts[criterion->bytes_printout];
        if (!criterion->has_printout || strstr(seeker->cause->message, table->label) != NULL) {
            return table;
        }
    }
    return criterion->has_printout ? &rubric->printouts[criterion->printout] : NULL;
}

static const char *about_label(const struct seeker *seeker, const char *before,
                               const struct rubric_printout *printout, const char *after)
{
    return arena_printf(seeker->arena, "%s`%s`%s", before, printout->label, after);
}

bool place_result(const struct program_source *source, const char *name, const char *label,
                  struct sight *out_sight)
{
    struct spot spot;
    size_t found = 0;

    if (find_definitions(source, name, &spot) != 1) {
        return false;
    }
    const struct source_tokens *tokens = &spot.file->tokens;
    const struct source_function *function = function_named_at(spot);
    size_t result = spot.token;
    for (size_t i = spot.token; function != NULL && i < function->close; i++) {
        if (token_is(tokens, i, TOKEN_NAME, "return")) {
            result = i;
            found++;
        }
    }
    return sight_set(out_sight, (struct spot){spot.file, found == 1 ? result : spot.token}, label);
}

bool place_printed_line(const struct seeker *seeker, struct sight *out_sight)
{
    const struct rubric_printout *printout = wanted_printout(seeker);
    struct spot spot;

    if (printout == NULL) {
        return false;
    }
    if (printout->table) { /* the harness prints what a function of that name gives */
        return place_result(&seeker->source, printout->label, "gives the number that is printed",
                            out_sight);
    }
    return find_labels(&seeker->source, printout->label, false, &spot) == 1 &&
           sight_set(out_sight, spot, about_label(seeker, "prints ", printout, ""));
}

bool place_repeated_line(const struct seeker *seeker, struct sight *out_sight)
{
    const struct rubric_printout *printout = wanted_printout(seeker);
    struct spot spot;

    if (printout == NULL || printout->table) {
        return false;
    }
    size_t found = find_labels(&seeker->source, printout->label, false, &spot);
    return (found == 1 || found == 2) &&
           sight_set(out_sight, spot,
                     about_label(seeker, "prints ", printout, found == 2 ? " again" : ""));
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
static bool find_near_label(const struct seeker *seeker, const char *label, struct spot *out_spot)
{
    const char *printed = strstr(seeker->cause->message, ", got `");
    size_t found = 0;

    for (size_t i = 0; i < seeker->source.count && printed != NULL; i++) {
        const struct program_file *file = &seeker->source.files[i];
        for (size_t j = 0; j < file->tokens.count; j++) {
            const struct source_token *token = &file->tokens.tokens[j];
            if (token->kind == TOKEN_STRING && is_start_quoted(token, printed) &&
                holds_label_words(token->text, token->length, label)) {
                *out_spot = (struct spot){file, j};
                found++;
            }
        }
    }
    return found == 1;
}

/* The string that is the label; or nearly is, if something like it was printed (elsewhere it may be
 * an error message); or, if nothing was, the end of the function whose name says that it prints it.
 */
bool place_missing_line(const struct seeker *seeker, struct sight *out_sight)
{
    const struct rubric_printout *printout = wanted_printout(seeker);
    const struct source_function *function = NULL;
    struct spot spot;

    if (printout == NULL || printout->table) {
        return false;
    }
    bool is_exact = find_labels(&seeker->source, printout->label, false, &spot) == 1;
    bool is_similar = text_starts_with(seeker->cause->message, "expected a line ");
    if (!is_exact && is_similar && find_near_label(seeker, printout->label, &spot)) {
        return sight_set(out_sight, spot, about_label(seeker, "the label is ", printout, ""));
    }
    size_t found = find_labels(&seeker->source, printout->label, is_similar, &spot);
    if (found > 0) {
        return found == 1 &&
               sight_set(out_sight, spot,
                         is_exact ? about_label(seeker, "the only place that prints ", printout, "")
                                  : about_label(seeker, "the label is ", printout, ""));
    }
    if (is_similar ||
        find_functions_named_like(&seeker->source, printout->label, &function, &spot) != 1) {
        return false;
    }
    const struct source_token *name = &spot.file->tokens.tokens[spot.token];
    spot.token = function->close - 1;
    return sight_set(out_sight, spot,
                     arena_printf(seeker->arena, "%.*s() ends here and has printed no `%s`",
                                  (int)name->length, name->text, printout->label));
}

static bool see_mark(const struct program_file *file, int first_line, int last_line,
                     struct sight *out_sight)
{
    for (size_t i = 0; i < file->tokens.mark_count; i++) {
        const struct source_mark *mark = &file->tokens.marks[i];
        if (mark->line >= first_line && mark->line <= last_line) {
            *out_sight =
                (struct sight){.spot = {file, 0}, .mark = *mark, .label = "the next open step"};
            return true;
        }
    }
    return false;
}

bool place_open_step(const struct seeker *seeker, struct sight *out_sight)
{
    return seeker->source.count > 0 && see_mark(&seeker->source.files[0], 1, INT32_MAX, out_sight);
}

bool place_open_printout(const struct seeker *seeker, struct sight *out_sight)
{
    const struct rubric_printout *printout = wanted_printout(seeker);
    const struct source_function *function = NULL;
    struct spot spot;

    if (printout != NULL &&
        find_functions_named_like(&seeker->source, printout->label, &function, &spot) == 1) {
        const struct source_token *tokens = spot.file->tokens.tokens;
        if (see_mark(spot.file, tokens[function->open].line, tokens[function->close - 1].line,
                     out_sight)) {
            return true;
        }
    }
    return place_open_step(seeker, out_sight);
}

/* Calls ****************************************************************************************/

/* The only call of what a call error names: "cudaMalloc". */
static bool place_call_of(const struct seeker *seeker, const struct call_error *error,
                          struct sight *out_sight)
{
    size_t length = strspn(error->call, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_");
    const char *name = arena_strndup(seeker->arena, error->call, length);
    struct spot spot;

    return length > 0 && find_calls(&seeker->source, name, NULL, &spot) == 1 &&
           sight_set(out_sight, spot, arena_printf(seeker->arena, "gives %s", error->name));
}

bool place_failed_call(const struct seeker *seeker, struct sight *out_sight)
{
    const struct program_activity *activity = seeker->activity;

    for (size_t i = 0; activity != NULL && i < activity->call_error_count; i++) {
        const struct call_error *error = &activity->call_errors[i];
        if (!error->is_launch && !error->is_unknown) {
            return strncmp(seeker->cause->message, error->call, strlen(error->call)) == 0 &&
                   place_call_of(seeker, error, out_sight);
        }
    }
    return false;
}

bool place_unknown_call(const struct seeker *seeker, struct sight *out_sight)
{
    const struct program_activity *activity = seeker->activity;

    for (size_t i = 0; activity != NULL && i < activity->call_error_count; i++) {
        if (activity->call_errors[i].is_unknown) {
            return place_call_of(seeker, &activity->call_errors[i], out_sight);
        }
    }
    return false;
}

/* The only call that ends the program, where it ended with status 0: with another status the given
 * main program may have ended it. */
bool place_exit_call(const struct seeker *seeker, struct sight *out_sight)
{
    static const char *const calls[] = {"exit", "_exit", "_Exit", "quick_exit"};
    struct spot spot = {NULL, 0};
    size_t found = 0;

    if (seeker->activity == NULL || seeker->activity->end.exit_status != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        found += find_calls(&seeker->source, calls[i], NULL, &spot);
    }
    return found == 1 && sight_set(out_sight, spot, "ends the program");
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
static size_t find_host_loops(const struct seeker *seeker, bool only_printing,
                              struct spot *out_spot)
{
    size_t found = 0;

    for (size_t i = 0; i < seeker->source.count; i++) {
        const struct program_file *file = &seeker->source.files[i];
        for (size_t j = 0; j < file->functions.count; j++) {
            const struct source_function *function = &file->functions.items[j];
            struct token_range loop = {0, function->open};
            while (!function->is_kernel && !function->is_device &&
                   source_next_loop(&file->tokens, loop.end, function->close, &loop)) {
                if (!only_printing || prints(&file->tokens, loop)) {
                    *out_spot = (struct spot){file, loop.first};
                    found++;
                }
            }
        }
    }
    return found;
}

bool place_printing_loop(const struct seeker *seeker, struct sight *out_sight)
{
    struct spot spot;

    return find_host_loops(seeker, true, &spot) == 1 &&
           sight_set(out_sight, spot, "the only loop that prints");
}

bool place_host_loop(const struct seeker *seeker, struct sight *out_sight)
{
    struct spot spot;

    return find_host_loops(seeker, false, &spot) == 1 &&
           sight_set(out_sight, spot, "the only loop of the host code");
}

/* A program that took too long may wait as well: then no loop is at fault. */
bool place_waiting_loop(const struct seeker *seeker, struct sight *out_sight)
{
    static const char *const calls[] = {
        "sleep", "usleep", "nanosleep", "sleep_for", "sleep_until", "scanf",   "fscanf", "getchar",
        "fgetc", "getc",   "fgets",     "fread",     "read",        "getline", "pause",  "select",
        "poll",  "wait",   "waitpid",   "join",      "lock",        "cin"};

    for (size_t i = 0; i < seeker->source.count; i++) {
        const struct source_tokens *tokens = &seeker->source.files[i].tokens;
        for (size_t j = 0; j < tokens->count; j++) {
            for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
                if (token_is(tokens, j, TOKEN_NAME, calls[k])) {
                    return false;
                }
            }
        }
    }
    return place_host_loop(seeker, out_sight);
}
