/* fix_maker.c: see fix_maker.h. */
#include "diagnosis/fixes/fix_maker.h"

#include <string.h>

void fix_draft_offer(const struct fix_draft *draft)
{
    struct fix_maker *maker = draft->maker;

    if (draft->is_lost || draft->fixes.count == 0 || maker->count == maker->capacity) {
        return;
    }
    for (size_t i = 0; i < maker->count; i++) {
        if (line_fixes_equal(&maker->candidates[i], &draft->fixes)) {
            return;
        }
    }
    maker->candidates[maker->count++] = draft->fixes;
}

/* The line of a file that a token is in, without its end. */
static const char *line_of(const struct program_file *file, size_t token, size_t *out_length)
{
    const struct source_file *source = file->tokens.file;
    const struct source_token *at = &file->tokens.tokens[token];
    const char *start = at->text;
    const char *end = source->text + source->length;

    while (start > source->text && start[-1] != '\n') {
        start--;
    }
    const char *stop = memchr(start, '\n', (size_t)(end - start));
    stop = stop == NULL ? end : stop;
    while (stop > start && stop[-1] == '\r') {
        stop--;
    }
    *out_length = (size_t)(stop - start);
    return start;
}

void fix_replace(struct fix_draft *draft, const struct program_file *file, size_t first, size_t end,
                 const char *text)
{
    const struct source_token *tokens = file->tokens.tokens;
    size_t last = end > first ? end - 1 : first;
    size_t length = 0;

    if (draft->is_lost || last >= file->tokens.count || tokens[first].line != tokens[last].line ||
        tokens[first].kind == TOKEN_STRING || tokens[last].kind == TOKEN_STRING) {
        draft->is_lost = true;
        return;
    }
    const char *line = line_of(file, first, &length);
    size_t from = (size_t)(tokens[first].text - line);
    size_t to = end > first ? (size_t)(tokens[last].text - line) + tokens[last].length : from;
    const struct line_edit edit = {
        file->tokens.file->name, tokens[first].line, from, to, text, strlen(text)};
    draft->is_lost = !line_fixes_replace(draft->maker->arena, &draft->fixes, &edit, line, length);
}

void fix_insert_line(struct fix_draft *draft, const struct program_file *file, size_t after,
                     size_t like, const char *text)
{
    const struct source_token *tokens = file->tokens.tokens;
    size_t length = 0;
    size_t blanks = 0;

    if (draft->is_lost || after >= file->tokens.count || like >= file->tokens.count ||
        (after + 1 < file->tokens.count && tokens[after + 1].line == tokens[after].line)) {
        draft->is_lost = true;
        return;
    }
    const char *line = line_of(file, like, &length);
    while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t')) {
        blanks++;
    }
    const struct line_fix fix = {
        .file = file->tokens.file->name,
        .line = tokens[after].line,
        .after = arena_printf(draft->maker->arena, "%.*s%s", (int)blanks, line, text),
    };
    draft->is_lost = !line_fixes_add(&draft->fixes, &fix);
}

void fix_remove_line(struct fix_draft *draft, const struct program_file *file, size_t first,
                     size_t end)
{
    const struct source_token *tokens = file->tokens.tokens;
    size_t length = 0;

    if (draft->is_lost || end <= first || end > file->tokens.count ||
        tokens[first].line != tokens[end - 1].line ||
        (first > 0 && tokens[first - 1].line == tokens[first].line) ||
        (end < file->tokens.count && tokens[end].line == tokens[first].line)) {
        draft->is_lost = true;
        return;
    }
    const char *line = line_of(file, first, &length);
    const struct line_fix fix = {
        .file = file->tokens.file->name,
        .line = tokens[first].line,
        .before = arena_strndup(draft->maker->arena, line, length),
    };
    draft->is_lost = !line_fixes_add(&draft->fixes, &fix);
}

const char *fix_text(const struct fix_maker *maker, const struct program_file *file, size_t first,
                     size_t end)
{
    const struct source_token *tokens = file->tokens.tokens;

    if (end <= first || end > file->tokens.count) {
        return "";
    }
    const char *stop = tokens[end - 1].text + tokens[end - 1].length;
    return arena_strndup(maker->arena, tokens[first].text, (size_t)(stop - tokens[first].text));
}

bool fix_sign_is(const struct program_file *file, size_t index, const char *sign)
{
    return token_is(&file->tokens, index, TOKEN_SIGN, sign);
}

bool fix_name_is(const struct program_file *file, size_t index, const char *name)
{
    return token_is(&file->tokens, index, TOKEN_NAME, name);
}

bool fix_is_name(const struct program_file *file, size_t index)
{
    return index < file->tokens.count && file->tokens.tokens[index].kind == TOKEN_NAME;
}

bool fix_same_token(const struct program_file *file, size_t left, size_t right)
{
    const struct source_token *one = &file->tokens.tokens[left];
    const struct source_token *other = &file->tokens.tokens[right];

    return one->kind == other->kind && one->length == other->length &&
           memcmp(one->text, other->text, one->length) == 0;
}

size_t fix_token_at(const struct program_file *file, int line, int column)
{
    const struct source_tokens *tokens = &file->tokens;
    size_t at = source_line_start(tokens, line);

    if (at >= tokens->count || tokens->tokens[at].line != line) {
        return tokens->count;
    }
    while (at + 1 < tokens->count && tokens->tokens[at + 1].line == line &&
           tokens->tokens[at + 1].column <= column) {
        at++;
    }
    return at;
}

const struct program_file *fix_file(const struct fix_maker *maker, const char *name)
{
    for (size_t i = 0; name != NULL && i < maker->source->count; i++) {
        const struct program_file *file = &maker->source->files[i];
        if (strcmp(file->tokens.file->name, name) == 0 && file->functions.is_certain) {
            return file;
        }
    }
    return NULL;
}

size_t fix_block_around(const struct program_file *file, const struct source_function *function,
                        size_t left, size_t right)
{
    size_t block = function->open;
    size_t first = left < right ? left : right;
    size_t last = left < right ? right : left;

    for (size_t i = function->open; i < first; i++) {
        if (!fix_sign_is(file, i, "{")) {
            continue;
        }
        if (file->tokens.partners[i] > last) {
            block = i;
        } else {
            i = file->tokens.partners[i];
        }
    }
    return block;
}

struct token_range fix_next_statement(const struct program_file *file, size_t first)
{
    struct token_range range = {first, source_statement_end(&file->tokens, first)};

    while (fix_name_is(file, range.end, "else") ||
           (fix_name_is(file, range.first, "do") && fix_name_is(file, range.end, "while"))) {
        range.end = source_statement_end(&file->tokens, range.end + 1);
    }
    return range;
}

struct token_range fix_statement_in(const struct program_file *file, size_t block, size_t token)
{
    size_t close = token_close(&file->tokens, block) - 1;
    struct token_range range = {block + 1, block + 1};

    while (range.end <= token && range.end < close) {
        range = fix_next_statement(file, range.end);
    }
    return range;
}

size_t fix_split(const struct program_file *file, struct token_range range,
                 struct token_range *out_ranges, size_t capacity)
{
    size_t count = 0;
    size_t first = range.first;

    for (size_t i = range.first; i <= range.end && count < capacity; i++) {
        if (i == range.end || fix_sign_is(file, i, ",")) {
            if (i > first) {
                out_ranges[count++] = (struct token_range){first, i};
            }
            first = i + 1;
        } else if (fix_sign_is(file, i, "(") || fix_sign_is(file, i, "[") ||
                   fix_sign_is(file, i, "{")) {
            i = token_close(&file->tokens, i) - 1;
        }
    }
    return count;
}

struct token_range fix_parameters(const struct program_file *file,
                                  const struct source_function *function)
{
    size_t open = function->name + 1;

    if (!fix_sign_is(file, open, "(")) {
        return (struct token_range){0, 0};
    }
    return (struct token_range){open + 1, token_close(&file->tokens, open) - 1};
}

size_t fix_factor_start(const struct program_file *file, size_t end)
{
    size_t first = end - 1;

    while (first > 0 && (fix_sign_is(file, first, ")") || fix_sign_is(file, first, "]"))) {
        bool is_call = fix_sign_is(file, first, ")");
        first = file->tokens.partners[first];
        if (is_call && !(first > 0 && fix_is_name(file, first - 1))) {
            return first;
        }
        first = first > 0 ? first - 1 : first;
    }
    while (first > 1 && (fix_sign_is(file, first - 1, ".") || fix_sign_is(file, first - 1, "::"))) {
        first -= 2;
    }
    return first;
}

size_t fix_factor_end(const struct program_file *file, size_t first)
{
    size_t end = first + 1;

    if (fix_sign_is(file, first, "(")) {
        return token_close(&file->tokens, first);
    }
    while (fix_sign_is(file, end, ".") || fix_sign_is(file, end, "::") ||
           fix_sign_is(file, end, "(") || fix_sign_is(file, end, "[")) {
        bool has_member = fix_sign_is(file, end, ".") || fix_sign_is(file, end, "::");
        end = has_member ? end + 2 : token_close(&file->tokens, end);
    }
    return end;
}

bool fix_read_call(const struct program_file *file, size_t name, struct fix_call *out_call)
{
    if (!fix_is_name(file, name) || !fix_sign_is(file, name + 1, "(")) {
        return false;
    }
    size_t end = token_close(&file->tokens, name + 1);
    if (end >= file->tokens.count) {
        return false;
    }
    *out_call = (struct fix_call){.file = file, .name = name, .end = end};
    out_call->argument_count = fix_split(file, (struct token_range){name + 2, end - 1},
                                         out_call->arguments, FIX_ARGUMENTS_MAX);
    return true;
}

size_t fix_last_name(const struct program_file *file, struct token_range range)
{
    for (size_t i = range.end; i-- > range.first;) {
        if (fix_is_name(file, i)) {
            return i;
        }
    }
    return file->tokens.count;
}
