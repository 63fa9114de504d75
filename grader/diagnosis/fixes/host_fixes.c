/* host_fixes.c: sizes, copies, grids and arguments in host code. */
#include "diagnosis/fixes/fix_maker.h"

#include <string.h>

static bool has_word(const struct program_file *file, struct token_range range, const char *word)
{
    for (size_t i = range.first; i < range.end; i++) {
        if (fix_name_is(file, i, word)) {
            return true;
        }
    }
    return false;
}

/* The value of a variable that a range is the name of: what its only declaration sets it to; else
 * the range itself. */
static struct token_range value_of(const struct program_file *file, struct token_range range)
{
    const struct file_token place = find_value(file, range);
    size_t equals = place.token + 1;

    if (place.token == range.first || place.token >= file->tokens.count) {
        return range;
    }
    if (fix_sign_is(file, equals, "(") || fix_sign_is(file, equals, "{")) { /* dim3 grid(...); */
        return (struct token_range){equals + 1, token_close(&file->tokens, equals) - 1};
    }
    return fix_sign_is(file, equals, "=")
               ? (struct token_range){equals + 1, source_statement_end(&file->tokens, equals) - 1}
               : range;
}

/* sizeof of what a pointer points to, by its declaration in its function: "sizeof(float)". NULL if
 * it is not known. */
static const char *element_size(const struct fix_maker *maker, const struct program_file *file,
                                size_t pointer)
{
    const struct source_function *function = source_function_at(&file->functions, pointer);
    size_t first = function == NULL ? 0 : function->start;
    size_t end = function == NULL ? 0 : function->close;

    for (size_t i = first + 2; i < end; i++) {
        size_t star = i - 1;
        bool is_star = fix_sign_is(file, star, "*") && fix_is_name(file, star - 1);
        if (fix_is_name(file, i) && fix_same_token(file, i, pointer) && is_star) {
            return arena_printf(maker->arena, "sizeof(%s)", fix_text(maker, file, star - 1, star));
        }
    }
    return NULL;
}

/* Multiplies a range by a size. */
static void multiply(struct fix_draft *draft, const struct program_file *file,
                     struct token_range range, const char *size)
{
    bool is_sum = false;

    for (size_t i = range.first; i < range.end; i++) {
        is_sum = is_sum || fix_sign_is(file, i, "+") || fix_sign_is(file, i, "-") ||
                 fix_sign_is(file, i, "?") || fix_sign_is(file, i, "/") ||
                 fix_sign_is(file, i, "<<");
    }
    const char *text = fix_text(draft->maker, file, range.first, range.end);
    fix_replace(draft, file, range.first, range.end,
                arena_printf(draft->maker->arena, is_sum ? "(%s) * %s" : "%s * %s", text, size));
}

/* Calls with a number of bytes: which argument it is, and which one is the memory. */
static const struct {
    const char *name;
    size_t bytes, memory;
} sized_calls[] = {
    {"cudaMalloc", 1, 0},           {"cudaMallocManaged", 1, 0}, {"cudaMallocAsync", 1, 0},
    {"cudaMallocHost", 1, 0},       {"cudaMemcpy", 2, 0},        {"cudaMemcpyAsync", 2, 0},
    {"cudaMemset", 2, 0},           {"cudaMemsetAsync", 2, 0},   {"cudaMemcpyToSymbol", 2, 1},
    {"cudaMemcpyFromSymbol", 2, 0},
};

/* True if a name says that it counts bytes: then its value lacks the sizeof, not its use. */
static bool is_of_bytes(const struct fix_maker *maker, const struct program_file *file,
                        struct token_range range)
{
    const char *name = fix_text(maker, file, range.first, range.end);

    return strstr(name, "byte") != NULL || strstr(name, "Byte") != NULL ||
           strstr(name, "size") != NULL || strstr(name, "Size") != NULL;
}

/* The range of elements that a call takes for bytes; false if there is none. */
static bool find_unsized(const struct fix_maker *maker, const struct program_file *file, size_t at,
                         struct token_range *out_range, const char **out_size)
{
    struct fix_call call;

    for (size_t i = 0; i < sizeof sized_calls / sizeof sized_calls[0]; i++) {
        if (!fix_name_is(file, at, sized_calls[i].name) || !fix_read_call(file, at, &call) ||
            sized_calls[i].bytes >= call.argument_count) {
            continue;
        }
        const struct token_range argument = call.arguments[sized_calls[i].bytes];
        const struct token_range value = value_of(file, argument);
        const struct token_range bytes = is_of_bytes(maker, file, argument) ? value : argument;
        size_t pointer = fix_last_name(file, call.arguments[sized_calls[i].memory]);
        const char *size = pointer < file->tokens.count ? element_size(maker, file, pointer) : NULL;
        if (size == NULL || has_word(file, value, "sizeof")) {
            return false;
        }
        *out_range = bytes;
        *out_size = size;
        return true;
    }
    return false;
}

/* Numbers of bytes without sizeof: all of them in a file, then each by itself. */
void fix_sizeof(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct fix_draft all = {.maker = maker};
        struct fix_draft each[FIX_LINES_MAX];
        size_t count = 0;
        size_t last = SIZE_MAX;
        for (size_t i = 0; i < file->tokens.count && file->functions.is_certain; i++) {
            struct token_range range;
            const char *size = NULL;
            if (!find_unsized(maker, file, i, &range, &size) || range.first == last) {
                continue;
            }
            last = range.first; /* of a variable that is used again */
            multiply(&all, file, range, size);
            if (count < FIX_LINES_MAX) {
                each[count] = (struct fix_draft){.maker = maker};
                multiply(&each[count++], file, range, size);
            }
        }
        fix_draft_offer(&all);
        for (size_t i = 0; i < count; i++) {
            fix_draft_offer(&each[i]);
        }
    }
}

/* The launches of the kernels that the program defines, or of the one that is known. */
static bool next_launch(const struct fix_maker *maker, const struct program_file *file, size_t *at,
                        struct source_launch *out_launch)
{
    for (; *at < file->tokens.count; (*at)++) {
        if (!fix_is_name(file, *at)) {
            continue;
        }
        const char *name = fix_text(maker, file, *at, *at + 1);
        bool is_wanted = maker->kernel[0] == '\0' || strcmp(maker->kernel, name) == 0;
        if (fix_sign_is(file, *at + 1, "<<<") && is_wanted &&
            source_launch_read(&file->tokens, *at, name, out_launch)) {
            (*at)++;
            return true;
        }
    }
    return false;
}

/* sizeof of an element of the only dynamic array of a file: "sizeof(int)"; NULL if there are
 * several types, or none. */
static const char *dynamic_element_size(const struct fix_maker *maker,
                                        const struct program_file *file)
{
    size_t known = file->tokens.count;

    for (size_t i = 0; i + 4 < file->tokens.count; i++) {
        if (!fix_name_is(file, i, "extern") || !fix_name_is(file, i + 1, "__shared__")) {
            continue;
        }
        if (known < file->tokens.count && !fix_same_token(file, known, i + 2)) {
            return NULL;
        }
        known = i + 2;
    }
    return known < file->tokens.count && fix_sign_is(file, known + 2, "[")
               ? arena_printf(maker->arena, "sizeof(%s)", fix_text(maker, file, known, known + 1))
               : NULL;
}

/* <<<grid, block>>> becomes <<<grid, block, block * sizeof(T)>>>, if the block is a number. */
static void add_launch_bytes(struct fix_maker *maker, const struct program_file *file,
                             struct token_range block, const char *size)
{
    struct fix_draft draft = {.maker = maker};
    const char *text = fix_text(maker, file, block.first, block.end);
    bool is_dim3 = has_word(file, block, "dim3");

    for (size_t i = 1; i < file->tokens.count && block.end == block.first + 1; i++) {
        is_dim3 =
            is_dim3 || (fix_same_token(file, i, block.first) && fix_name_is(file, i - 1, "dim3"));
    }
    if (!is_dim3 && block.end == block.first + 1) {
        fix_replace(&draft, file, block.first, block.end,
                    arena_printf(maker->arena, "%s, %s * %s", text, text, size));
        fix_draft_offer(&draft);
    }
}

/* True if a range has a sizeof, or calls a function of the file that has one. */
static bool counts_bytes(const struct program_file *file, struct token_range range)
{
    for (size_t i = range.first; i < range.end; i++) {
        for (size_t j = 0; j < file->functions.count && fix_sign_is(file, i + 1, "("); j++) {
            const struct source_function *function = &file->functions.items[j];
            const struct token_range body = {function->open, function->close};
            if (fix_is_name(file, i) && fix_same_token(file, i, function->name) &&
                has_word(file, body, "sizeof")) {
                return true;
            }
        }
    }
    return has_word(file, range, "sizeof");
}

/* The bytes of dynamic shared memory of a launch, without sizeof, or not there at all. */
void fix_launch_bytes(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        for (size_t i = 0; next_launch(maker, file, &i, &launch);) {
            struct token_range bytes = launch.arguments[LAUNCH_BYTES];
            struct fix_draft draft = {.maker = maker};
            const char *size = dynamic_element_size(maker, file);
            if (size == NULL) {
                continue;
            }
            if (bytes.first == bytes.end) {
                add_launch_bytes(maker, file, launch.arguments[LAUNCH_BLOCK], size);
                continue;
            }
            bytes = value_of(file, bytes);
            if (!counts_bytes(file, bytes)) {
                multiply(&draft, file, bytes, size);
                fix_draft_offer(&draft);
            }
        }
    }
}

/* A / B becomes (A + B - 1) / B, in a range and in the variables that it names. */
static void round_up(struct fix_draft *draft, const struct program_file *file,
                     struct token_range range, int depth)
{
    for (size_t i = range.first; i < range.end; i++) {
        const struct token_range name = {i, i + 1};
        const struct token_range value = value_of(file, name);
        if (value.first != i && depth > 0) {
            round_up(draft, file, value, depth - 1);
        }
        if (!fix_sign_is(file, i, "/") || i == range.first) {
            continue;
        }
        size_t first = fix_factor_start(file, i);
        size_t end = fix_factor_end(file, i + 1);
        bool is_in = first >= range.first && end <= range.end;
        bool is_rounded = false;
        for (size_t j = first; j < i; j++) {
            is_rounded = is_rounded || fix_sign_is(file, j, "+");
        }
        if (is_in && !is_rounded) {
            const char *divisor = fix_text(draft->maker, file, i + 1, end);
            fix_replace(draft, file, first, end,
                        arena_printf(draft->maker->arena, "(%s + %s - 1) / %s",
                                     fix_text(draft->maker, file, first, i), divisor, divisor));
        }
    }
}

/* Grids whose divisions round down: those of each launch. */
void fix_round_up(struct fix_maker *maker)
{
    enum { VARIABLES_DEPTH = 2 };

    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        for (size_t i = 0; next_launch(maker, file, &i, &launch);) {
            struct fix_draft draft = {.maker = maker};
            round_up(&draft, file, launch.arguments[LAUNCH_GRID], VARIABLES_DEPTH);
            fix_draft_offer(&draft);
        }
    }
}

/* Exchanges the texts of two ranges that do not overlap, the first one further left. */
static void exchange(struct fix_draft *draft, const struct program_file *file,
                     struct token_range left, struct token_range right)
{
    const char *first = fix_text(draft->maker, file, left.first, left.end);
    const char *second = fix_text(draft->maker, file, right.first, right.end);

    fix_replace(draft, file, left.first, left.end, second);
    fix_replace(draft, file, right.first, right.end, first);
}

static bool is_number(const struct program_file *file, struct token_range range)
{
    return range.end == range.first + 1 && range.first < file->tokens.count &&
           file->tokens.tokens[range.first].kind == TOKEN_NUMBER;
}

/* min(E, 64) and min(64, E) become E. Returns the token after the call; `at` if there is none. */
static size_t drop_minimum(struct fix_draft *draft, const struct program_file *file, size_t at)
{
    struct fix_call call;

    if (!fix_name_is(file, at, "min") || !fix_read_call(file, at, &call) ||
        call.argument_count != 2) {
        return at;
    }
    bool is_first = is_number(file, call.arguments[0]);
    if (is_first != is_number(file, call.arguments[1])) {
        const struct token_range kept = call.arguments[is_first ? 1 : 0];
        size_t first = fix_sign_is(file, at - 1, "::") ? at - 2 : at;
        fix_replace(draft, file, first, call.end,
                    fix_text(draft->maker, file, kept.first, kept.end));
    }
    return call.end;
}

/* E < 64 ? E : 64 becomes E, and E = E; is removed. Returns the token after it; `at` if there is
 * none. */
static size_t drop_choice(struct fix_draft *draft, const struct program_file *file, size_t at)
{
    if (at == 0 || !fix_sign_is(file, at, "<") || !fix_sign_is(file, at + 2, "?")) {
        return at;
    }
    size_t first = fix_factor_start(file, at);
    size_t end = fix_factor_end(file, at + 3);
    const char *text = fix_text(draft->maker, file, first, at);
    if (!is_number(file, (struct token_range){at + 1, at + 2}) || !fix_sign_is(file, end, ":") ||
        end + 1 >= file->tokens.count || !fix_same_token(file, at + 1, end + 1) ||
        strcmp(text, fix_text(draft->maker, file, at + 3, end)) != 0) {
        return at;
    }
    bool is_all = first > 2 && end - at == 4 && fix_sign_is(file, first - 1, "=") &&
                  fix_same_token(file, first - 2, first) && fix_sign_is(file, end + 2, ";") &&
                  !fix_is_name(file, first - 3);
    if (is_all) {
        fix_remove_line(draft, file, first - 2, end + 3);
    } else {
        fix_replace(draft, file, first, end + 2, text);
    }
    return end + 2;
}

/* if (X > 64) X = 64; is removed. Returns the token after it; `at` if there is none. */
static size_t drop_condition(struct fix_draft *draft, const struct program_file *file, size_t at)
{
    size_t value = at + 4; /* if ( X > 64 ) */
    size_t body = fix_sign_is(file, at + 6, "{") ? at + 7 : at + 6;
    size_t end = body + 4; /* X = 64 ; */

    if (!fix_name_is(file, at, "if") || !fix_is_name(file, at + 2) ||
        !(fix_sign_is(file, at + 3, ">") || fix_sign_is(file, at + 3, ">=")) ||
        !fix_sign_is(file, at + 5, ")") || end > file->tokens.count ||
        !fix_same_token(file, at + 2, body) || !fix_sign_is(file, body + 1, "=") ||
        !fix_same_token(file, value, body + 2) || !fix_sign_is(file, body + 3, ";")) {
        return at;
    }
    end += body == at + 7 && fix_sign_is(file, end, "}") ? 1 : 0;
    if (fix_name_is(file, end, "else")) {
        return at;
    }
    for (size_t first = at, next; first < end; first = next) {
        next = first + 1;
        while (next < end && file->tokens.tokens[next].line == file->tokens.tokens[first].line) {
            next++;
        }
        fix_remove_line(draft, file, first, next);
    }
    return end;
}

/* Numbers that host code is capped at, such as those of blocks: all of a file. */
void fix_drop_cap(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct fix_draft draft = {.maker = maker};
        for (size_t i = 0; i < file->functions.count && file->functions.is_certain; i++) {
            const struct source_function *function = &file->functions.items[i];
            bool is_host = !function->is_kernel && !function->is_device;
            for (size_t at = function->open; at < function->close && is_host;) {
                size_t next = drop_minimum(&draft, file, at);
                next = next == at ? drop_choice(&draft, file, at) : next;
                next = next == at ? drop_condition(&draft, file, at) : next;
                at = next == at ? at + 1 : next;
            }
        }
        fix_draft_offer(&draft);
    }
}

/* The first of two launches that are the same is removed. */
void fix_launch_once(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch, other;
        size_t from = 0;
        while (file->functions.is_certain && next_launch(maker, file, &from, &launch)) {
            size_t end = source_statement_end(&file->tokens, launch.at);
            const char *text = fix_text(maker, file, launch.at, end);
            size_t at = from;
            if (!next_launch(maker, file, &at, &other) ||
                strcmp(text, fix_text(maker, file, other.at,
                                      source_statement_end(&file->tokens, other.at))) != 0) {
                continue;
            }
            struct fix_draft draft = {.maker = maker};
            fix_remove_line(&draft, file, launch.at, end);
            fix_draft_offer(&draft);
        }
    }
}

/* <<<block, grid>>> becomes <<<grid, block>>>. */
void fix_exchange_grid_and_block(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        for (size_t i = 0; next_launch(maker, file, &i, &launch);) {
            struct fix_draft draft = {.maker = maker};
            exchange(&draft, file, launch.arguments[LAUNCH_GRID], launch.arguments[LAUNCH_BLOCK]);
            fix_draft_offer(&draft);
        }
    }
}

/* dim3 grid(x, y) becomes dim3 grid(y, x). */
void fix_exchange_grid(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        for (size_t i = 0; next_launch(maker, file, &i, &launch);) {
            struct token_range parts[3];
            struct token_range grid = value_of(file, launch.arguments[LAUNCH_GRID]);
            struct fix_call call;
            if (fix_name_is(file, grid.first, "dim3") && fix_read_call(file, grid.first, &call)) {
                grid = (struct token_range){call.name + 2, call.end - 1};
            }
            struct fix_draft draft = {.maker = maker};
            if (fix_split(file, grid, parts, 3) == 2) {
                exchange(&draft, file, parts[0], parts[1]);
                fix_draft_offer(&draft);
            }
        }
    }
}

/* True if two parameters of a function have the same type, perhaps but for a const. */
static bool same_types(const struct program_file *file, struct token_range left,
                       struct token_range right)
{
    left.first += fix_name_is(file, left.first, "const") ? 1 : 0;
    right.first += fix_name_is(file, right.first, "const") ? 1 : 0;
    if (left.end - left.first != right.end - right.first) {
        return false;
    }
    for (size_t i = 0; i + 1 < left.end - left.first; i++) {
        if (!fix_same_token(file, left.first + i, right.first + i)) {
            return false;
        }
    }
    return true;
}

/* True if an argument is the name of its parameter. */
static bool bears_name(const struct fix_maker *maker, const struct program_file *file,
                       struct token_range argument, const struct program_file *other,
                       struct token_range parameter)
{
    return strcmp(fix_text(maker, file, argument.first, argument.end),
                  fix_text(maker, other, parameter.end - 1, parameter.end)) == 0;
}

/* Offers exchanges of neighbours of equal type among the arguments of one launch, unless both have
 * the names of their parameters. */
static void exchange_arguments(struct fix_maker *maker, const struct program_file *file,
                               const struct source_launch *launch)
{
    const char *name = fix_text(maker, file, launch->at, launch->at + 1);
    struct token_range parameters[FIX_ARGUMENTS_MAX];
    struct file_token definition;
    struct fix_call call;
    size_t open = launch->at;

    while (open < file->tokens.count && !fix_sign_is(file, open, ">>>")) {
        open++;
    }
    if (find_definitions(maker->source, name, &definition) != 1 ||
        !fix_sign_is(file, open + 1, "(")) {
        return;
    }
    const struct source_function *kernel =
        source_function_named(&definition.file->functions, definition.token);
    call.end = token_close(&file->tokens, open + 1);
    if (kernel == NULL || call.end >= file->tokens.count) {
        return;
    }
    call.argument_count = fix_split(file, (struct token_range){open + 2, call.end - 1},
                                    call.arguments, FIX_ARGUMENTS_MAX);
    size_t count = fix_split(definition.file, fix_parameters(definition.file, kernel), parameters,
                             FIX_ARGUMENTS_MAX);
    for (size_t i = 0; i + 1 < count && count == call.argument_count; i++) {
        struct fix_draft draft = {.maker = maker};
        bool is_named =
            bears_name(maker, file, call.arguments[i], definition.file, parameters[i]) &&
            bears_name(maker, file, call.arguments[i + 1], definition.file, parameters[i + 1]);
        if (same_types(definition.file, parameters[i], parameters[i + 1]) && !is_named) {
            exchange(&draft, file, call.arguments[i], call.arguments[i + 1]);
            fix_draft_offer(&draft);
        }
    }
}

void fix_exchange_arguments(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        for (size_t i = 0; next_launch(maker, file, &i, &launch);) {
            exchange_arguments(maker, file, &launch);
        }
    }
}

/* The direction of a copy in the line of the diagnostic. */
void fix_copy_direction(struct fix_maker *maker)
{
    static const char *const kinds[] = {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                        "cudaMemcpyDeviceToDevice"};
    const struct program_file *file = maker->file;

    if (file == NULL) {
        return;
    }
    int line = file->tokens.tokens[maker->at].line;
    size_t first = source_line_start(&file->tokens, line);
    size_t end = source_statement_end(&file->tokens, first);
    for (size_t i = first; i < end; i++) {
        for (size_t old = 0; old < sizeof kinds / sizeof kinds[0]; old++) {
            for (size_t new = 0; fix_name_is(file, i, kinds[old]) && new < 3; new ++) {
                struct fix_draft draft = {.maker = maker};
                if (new != old) {
                    fix_replace(&draft, file, i, i + 1, kinds[new]);
                    fix_draft_offer(&draft);
                }
            }
        }
    }
}

/* A cudaMemset after the cudaMalloc in one of the lines that the diagnostic marks. */
void fix_clear_memory(struct fix_maker *maker)
{
    const struct report_diagnostic *diagnostic = maker->request->diagnostic;

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct program_file *file = fix_file(maker, diagnostic->marks[i].file);
        size_t at = file == NULL ? 0 : source_line_start(&file->tokens, diagnostic->marks[i].line);
        struct fix_call call;
        for (; file != NULL && at < file->tokens.count &&
               file->tokens.tokens[at].line == diagnostic->marks[i].line;
             at++) {
            struct fix_draft draft = {.maker = maker};
            if (!fix_name_is(file, at, "cudaMalloc") || !fix_read_call(file, at, &call) ||
                call.argument_count != 2) {
                continue;
            }
            size_t end = source_statement_end(&file->tokens, at);
            const char *pointer = fix_text(maker, file, fix_last_name(file, call.arguments[0]),
                                           call.arguments[0].end);
            fix_insert_line(&draft, file, end - 1, at,
                            arena_printf(maker->arena, "cudaMemset(%s, 0, %s);", pointer,
                                         fix_text(maker, file, call.arguments[1].first,
                                                  call.arguments[1].end)));
            fix_draft_offer(&draft);
        }
    }
}

/* Clears what a host function gets to write, before its first launch: one element, or as many as a
 * parameter says. */
static void clear_parameters(struct fix_maker *maker, const struct program_file *file,
                             const struct source_launch *launch)
{
    const struct source_function *function = source_function_at(&file->functions, launch->at);
    struct token_range parameters[FIX_ARGUMENTS_MAX];

    if (function == NULL) {
        return;
    }
    size_t block = fix_block_around(file, function, launch->at, launch->at);
    const struct token_range statement = fix_statement_in(file, block, launch->at);
    size_t count = fix_split(file, fix_parameters(file, function), parameters, FIX_ARGUMENTS_MAX);
    for (size_t i = 0; i < count; i++) {
        size_t name = parameters[i].end - 1;
        if (has_word(file, parameters[i], "const") || !fix_sign_is(file, name - 1, "*")) {
            continue;
        }
        const char *pointer = fix_text(maker, file, name, name + 1);
        for (size_t j = 0; j <= count; j++) { /* the last one: one element */
            struct fix_draft draft = {.maker = maker};
            bool is_one = j == count;
            bool is_whole = !is_one && has_word(file, parameters[j], "int") &&
                            !fix_sign_is(file, parameters[j].end - 2, "*");
            size_t size = is_one ? 0 : parameters[j].end - 1;
            if (is_one || is_whole) {
                fix_insert_line(&draft, file, statement.first - 1, statement.first,
                                arena_printf(maker->arena, "cudaMemset(%s, 0, %s%ssizeof *%s);",
                                             pointer,
                                             is_one ? "" : fix_text(maker, file, size, size + 1),
                                             is_one ? "" : " * ", pointer));
                fix_draft_offer(&draft);
            }
        }
    }
}

void fix_clear_output(struct fix_maker *maker)
{
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        struct source_launch launch;
        size_t at = 0;
        if (file->functions.is_certain && next_launch(maker, file, &at, &launch)) {
            clear_parameters(maker, file, &launch);
        }
    }
}

/* cudaDeviceSynchronize() before the host code of the diagnostic. */
void fix_wait_for_device(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};

    if (file == NULL || maker->function == NULL || maker->function->is_kernel) {
        return;
    }
    size_t block = fix_block_around(file, maker->function, maker->at, maker->at);
    const struct token_range statement = fix_statement_in(file, block, maker->at);
    fix_insert_line(&draft, file, statement.first - 1, statement.first, "cudaDeviceSynchronize();");
    fix_draft_offer(&draft);
}
