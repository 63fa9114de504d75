/* loop_fixes.c: bounds that are off by one, counters that are too small, loops without a step. */
#include "diagnosis/fixes/fix_maker.h"

/* The sign of a comparison, off by one; NULL: it is none. */
static const char *other_comparison(const struct program_file *file, size_t at)
{
    static const char *const pairs[][2] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (fix_sign_is(file, at, pairs[i][0])) {
            return pairs[i][1];
        }
    }
    return NULL;
}

static bool is_number(const struct program_file *file, size_t at, const char *number)
{
    return token_is(&file->tokens, at, TOKEN_NUMBER, number);
}

/* Tokens [first, end) become a text, as a candidate of its own. */
static void offer_replaced(struct fix_maker *maker, const struct program_file *file, size_t first,
                           size_t end, const char *text)
{
    struct fix_draft draft = {.maker = maker};

    fix_replace(&draft, file, first, end, text);
    fix_draft_offer(&draft);
}

/* X - 1 in a condition becomes X. */
static void drop_minus_one(struct fix_maker *maker, const struct program_file *file,
                           struct token_range condition)
{
    for (size_t i = condition.first + 1; i + 1 < condition.end; i++) {
        bool is_last = i + 2 == condition.end || fix_sign_is(file, i + 2, ";") ||
                       fix_sign_is(file, i + 2, "&&") || fix_sign_is(file, i + 2, "||");
        if (is_last && fix_sign_is(file, i, "-") && is_number(file, i + 1, "1") &&
            fix_is_name(file, i - 1)) {
            offer_replaced(maker, file, i - 1, i + 2, fix_text(maker, file, i - 1, i));
        }
    }
}

/* A loop that ends or starts one step early or late. */
static void shift_loop(struct fix_maker *maker, const struct program_file *file,
                       struct token_range condition)
{
    for (size_t i = condition.first; i < condition.end; i++) {
        const char *other = other_comparison(file, i);
        bool is_endless = fix_sign_is(file, i, ">") && is_number(file, i + 1, "0");
        if (other != NULL && !is_endless) { /* what is halved stays at 0 */
            offer_replaced(maker, file, i, i + 1, other);
        } else if (fix_sign_is(file, i, "=") && is_number(file, i + 1, "1") &&
                   fix_sign_is(file, i + 2, ";")) {
            offer_replaced(maker, file, i + 1, i + 2, "0");
        }
    }
}

/* Bounds of a function: first those with - 1, then those of loops. */
static void shift_bounds(struct fix_maker *maker, const struct program_file *file,
                         const struct source_function *function)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = function->open; i < function->close; i++) {
            bool is_loop = fix_name_is(file, i, "for") || fix_name_is(file, i, "while");
            const struct token_range condition = {i + 2, token_close(&file->tokens, i + 1) - 1};
            if ((!is_loop && !fix_name_is(file, i, "if")) || !fix_sign_is(file, i + 1, "(") ||
                condition.end >= function->close) {
                continue;
            }
            if (pass == 0) {
                drop_minus_one(maker, file, condition);
            } else if (is_loop) {
                shift_loop(maker, file, condition);
            }
        }
    }
}

/* Bounds that are off by one, in the function and in those that launch a kernel from a loop. */
void fix_shift_bound(struct fix_maker *maker)
{
    if (maker->file != NULL && maker->function != NULL) {
        shift_bounds(maker, maker->file, maker->function);
    }
    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        for (size_t i = 0; i < file->functions.count && file->functions.is_certain; i++) {
            const struct source_function *function = &file->functions.items[i];
            bool launches = false;
            for (size_t j = function->open; j < function->close && !launches; j++) {
                launches = fix_sign_is(file, j, "<<<");
            }
            if (launches && function != maker->function) {
                shift_bounds(maker, file, function);
            }
        }
    }
}

/* short i = ...; becomes int i = ...; each by itself. */
void fix_widen_type(struct fix_maker *maker)
{
    static const char *const narrow[] = {"short",  "char",     "uint8_t",
                                         "int8_t", "uint16_t", "int16_t"};
    const struct program_file *file = maker->file;

    if (file == NULL || maker->function == NULL) {
        return;
    }
    for (size_t i = maker->function->open + 1; i + 2 < maker->function->close; i++) {
        bool is_narrow = false;
        for (size_t j = 0; j < sizeof narrow / sizeof narrow[0]; j++) {
            is_narrow = is_narrow || fix_name_is(file, i, narrow[j]);
        }
        if (is_narrow && fix_is_name(file, i + 1) && fix_sign_is(file, i + 2, "=")) {
            size_t first = fix_name_is(file, i - 1, "unsigned") ? i - 1 : i;
            offer_replaced(maker, file, first, i + 1, "int");
        }
    }
}

/* Tells whether a name is changed among the tokens [first, end). */
static bool changes(const struct program_file *file, size_t first, size_t end, size_t name)
{
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", ">>=", "<<=", "++", "--"};

    for (size_t i = first; i < end; i++) {
        if (!fix_is_name(file, i) || !fix_same_token(file, i, name)) {
            continue;
        }
        for (size_t j = 0; j < sizeof signs / sizeof signs[0]; j++) {
            if (fix_sign_is(file, i + 1, signs[j]) ||
                (j > 6 && fix_sign_is(file, i - 1, signs[j]))) {
                return true;
            }
        }
    }
    return false;
}

/* The step of a loop: ++ of the variable that its condition begins with, if nothing changes it. */
static void step_loop(struct fix_maker *maker, struct token_range loop)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};
    size_t open = loop.first + 1;
    size_t close = token_close(&file->tokens, open) - 1;
    size_t variable = open + 1;

    if (close >= loop.end) {
        return;
    }
    bool is_for = fix_name_is(file, loop.first, "for");
    for (size_t i = open + 1; is_for && i < close; i++) {
        if (fix_sign_is(file, i, ";")) {
            variable = i + 1;
            break;
        }
    }
    if (!fix_is_name(file, variable) || changes(file, variable, loop.end, variable)) {
        return;
    }
    const char *step =
        arena_printf(maker->arena, "%s++", fix_text(maker, file, variable, variable + 1));
    if (is_for && fix_sign_is(file, close - 1, ";")) {
        fix_replace(&draft, file, close, close, arena_printf(maker->arena, " %s", step));
    } else if (!is_for && fix_sign_is(file, close + 1, "{")) {
        fix_insert_line(&draft, file, loop.end - 2, close + 2,
                        arena_printf(maker->arena, "%s;", step));
    }
    fix_draft_offer(&draft);
}

void fix_loop_step(struct fix_maker *maker)
{
    struct token_range loop;

    if (maker->file == NULL || maker->function == NULL) {
        return;
    }
    for (size_t i = maker->function->open;
         source_next_loop(&maker->file->tokens, i, maker->function->close, &loop);
         i = loop.first + 1) {
        if (!fix_name_is(maker->file, loop.first, "do")) {
            step_loop(maker, loop);
        }
    }
}
