/* clause_names.c: see clause_names.h. */
#include "diagnosis/fixes/clause_names.h"

struct name_list {
    const struct program_file *file;
    struct visible_name *names; /* [count] */
    size_t count;
};

static bool is_one_of(const struct program_file *file, size_t at, const char *const *words,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fix_name_is(file, at, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_qualifier(const struct program_file *file, size_t at)
{
    static const char *const words[] = {"const",        "static",     "__shared__",  "extern",
                                        "__constant__", "__device__", "constexpr",   "volatile",
                                        "inline",       "register",   "__restrict__"};

    return is_one_of(file, at, words, sizeof words / sizeof words[0]);
}

/* Words that begin no declaration. */
static bool is_keyword(const struct program_file *file, size_t at)
{
    static const char *const words[] = {"return", "delete", "goto",    "case",     "throw",
                                        "new",    "using",  "typedef", "template", "struct",
                                        "break",  "else",   "default", "continue", "namespace"};

    return is_one_of(file, at, words, sizeof words / sizeof words[0]);
}

static enum name_type type_of(const struct program_file *file, size_t first, size_t end)
{
    static const char *const whole[] = {"int",     "unsigned", "size_t",   "long",    "short",
                                        "char",    "bool",     "uint32_t", "int32_t", "uint64_t",
                                        "int64_t", "uint8_t",  "int8_t",   "int16_t", "uint16_t",
                                        "auto",    "uchar"};
    static const char *const floating[] = {"float", "double"};

    for (size_t i = first; i < end; i++) {
        if (is_one_of(file, i, floating, sizeof floating / sizeof floating[0])) {
            return TYPE_FLOATING;
        }
        if (is_one_of(file, i, whole, sizeof whole / sizeof whole[0])) {
            return TYPE_WHOLE;
        }
    }
    return TYPE_OTHER;
}

/* Adds the declarator that ends in token `name`. */
static void add(struct name_list *list, struct token_range type, size_t name)
{
    const struct program_file *file = list->file;
    struct visible_name entry = {.token = name, .type = type.first};

    if (list->count == VISIBLE_NAMES_MAX) {
        return;
    }
    while (entry.type < type.end &&
           (is_qualifier(file, entry.type) || fix_name_is(file, entry.type, "unsigned"))) {
        entry.type++;
    }
    entry.type = entry.type == type.end ? type.first : entry.type;
    for (size_t i = type.first; i < name; i++) {
        entry.is_const = entry.is_const || fix_name_is(file, i, "const");
    }
    entry.kind = type_of(file, type.first, type.end);
    for (size_t i = name; i > type.end && !fix_sign_is(file, i - 1, ","); i--) {
        entry.depth += fix_sign_is(file, i - 1, "*") ? 1 : 0;
    }
    for (size_t i = name + 1; fix_sign_is(file, i, "["); i = token_close(&file->tokens, i)) {
        entry.depth++;
    }
    list->names[list->count++] = entry;
}

/* Adds what [first, end) declares, if it is a declaration. */
static void add_declaration(struct name_list *list, size_t first, size_t end)
{
    const struct program_file *file = list->file;
    struct token_range type = {first, first};
    size_t name;

    if (first >= end || is_keyword(file, first)) {
        return;
    }
    while (type.end < end && (fix_is_name(file, type.end) || fix_sign_is(file, type.end, "::"))) {
        type.end++;
    }
    bool has_star = fix_sign_is(file, type.end, "*") || fix_sign_is(file, type.end, "&");
    for (name = type.end; name < end && (fix_sign_is(file, name, "*") ||
                                         fix_sign_is(file, name, "&") || is_qualifier(file, name));
         name++) {
    }
    if (!has_star) { /* the last of the names is the variable */
        name = type.end - 1;
        type.end = name;
    }
    if (type.end <= first || name >= end || !fix_is_name(file, name) ||
        fix_sign_is(file, type.end - 1, "::") || fix_sign_is(file, name + 1, ".") ||
        fix_sign_is(file, name + 1, "->") || is_qualifier(file, name)) {
        return;
    }
    add(list, type, name);
    for (size_t i = name + 1; i < end; i++) { /* int a = 1, b = 2; */
        size_t next = i + 1;
        if (fix_sign_is(file, i, "(") || fix_sign_is(file, i, "[") || fix_sign_is(file, i, "{")) {
            i = token_close(&file->tokens, i) - 1;
        } else if (fix_sign_is(file, i, ";")) {
            return;
        } else if (fix_sign_is(file, i, ",")) {
            next += fix_sign_is(file, next, "*") ? 1 : 0;
            if (fix_is_name(file, next)) {
                add(list, (struct token_range){type.first, type.end}, next);
            }
        }
    }
}

static void add_parameters(struct name_list *list, const struct source_function *function)
{
    struct token_range parameters[VISIBLE_NAMES_MAX];
    size_t count =
        fix_split(list->file, fix_parameters(list->file, function), parameters, VISIBLE_NAMES_MAX);

    for (size_t i = 0; i < count; i++) {
        size_t before = list->count;
        add_declaration(list, parameters[i].first, parameters[i].end);
        for (size_t j = before; j < list->count; j++) {
            list->names[j].is_parameter = true;
        }
    }
}

/* Adds the constants of enum { A = 1, B }; */
static void add_enumerators(struct name_list *list, size_t first, size_t end)
{
    const struct program_file *file = list->file;
    size_t open = first + 1;

    while (open < end && fix_is_name(file, open)) {
        open++;
    }
    if (!fix_sign_is(file, open, "{")) {
        return;
    }
    for (size_t i = open + 1; i < end; i++) {
        bool is_first = fix_sign_is(file, i - 1, "{") || fix_sign_is(file, i - 1, ",");
        if (fix_sign_is(file, i, "(")) {
            i = token_close(&file->tokens, i) - 1;
        } else if (is_first && fix_is_name(file, i) && list->count < VISIBLE_NAMES_MAX) {
            list->names[list->count++] =
                (struct visible_name){.token = i, .type = first, .is_const = true};
        }
    }
}

/* Constants and variables outside of functions. */
static void add_globals(struct name_list *list)
{
    const struct program_file *file = list->file;
    const struct source_functions *functions = &file->functions;
    size_t before = list->count;
    size_t next = 0;
    size_t function = 0;

    for (size_t i = 0; i < file->tokens.count; i = next) {
        while (function < functions->count && functions->items[function].close <= i) {
            function++;
        }
        bool is_in = function < functions->count && functions->items[function].start <= i;
        size_t end =
            is_in ? functions->items[function].close : source_statement_end(&file->tokens, i);
        if (!is_in && is_qualifier(file, i)) {
            add_declaration(list, i, end);
        } else if (!is_in && fix_name_is(file, i, "enum")) {
            add_enumerators(list, i, end);
        }
        next = end > i ? end : i + 1;
    }
    for (size_t i = before; i < list->count; i++) {
        list->names[i].is_global = true;
    }
}

/* Macros that the file uses in its code, as whole numbers. */
static void add_macros(struct name_list *list)
{
    const struct program_file *file = list->file;
    size_t before = list->count;

    for (size_t i = 0; i < file->tokens.count && file->tokens.macro_count > 0; i++) {
        const struct source_token *token = &file->tokens.tokens[i];
        const struct source_name name = {token->text, token->length};
        bool is_known = token->kind != TOKEN_NAME || fix_sign_is(file, i + 1, "(") ||
                        list->count == VISIBLE_NAMES_MAX ||
                        !source_has_macro_named(&file->tokens, name);
        for (size_t j = before; j < list->count && !is_known; j++) {
            is_known = fix_same_token(file, list->names[j].token, i);
        }
        if (!is_known) {
            list->names[list->count++] =
                (struct visible_name){.token = i, .type = i, .is_macro = true};
        }
    }
}

/* Marks the names that the function uses in subscripts and conditions. */
static void find_indices(struct name_list *list, const struct source_function *function)
{
    const struct program_file *file = list->file;

    for (size_t i = function->open; i < function->close; i++) {
        bool is_head = fix_name_is(file, i, "for") || fix_name_is(file, i, "if") ||
                       fix_name_is(file, i, "while");
        size_t open = is_head ? i + 1 : i;
        if (!is_head && !fix_sign_is(file, i, "[")) {
            continue;
        }
        size_t end = token_close(&file->tokens, open);
        for (size_t j = 0; j < list->count && end < function->close; j++) {
            list->names[j].is_index =
                list->names[j].is_index || fix_names(file, open, end, list->names[j].token);
        }
        i = end < function->close ? end - 1 : i;
    }
}

size_t clause_names_list(const struct program_file *file, const struct source_function *function,
                         struct visible_name out_names[VISIBLE_NAMES_MAX])
{
    struct name_list list = {.file = file, .names = out_names};

    add_parameters(&list, function);
    for (size_t i = function->open + 1; i + 1 < function->close; i++) {
        bool starts = fix_sign_is(file, i - 1, "{") || fix_sign_is(file, i - 1, "}") ||
                      fix_sign_is(file, i - 1, ";");
        bool is_for = fix_sign_is(file, i - 1, "(") && i > 2 && fix_name_is(file, i - 2, "for");
        if (starts || is_for) {
            add_declaration(&list, i, source_statement_end(&file->tokens, i));
        }
    }
    add_globals(&list);
    add_macros(&list);
    for (size_t i = 0; i < list.count; i++) {
        struct visible_name *name = &list.names[i];
        size_t end = name->is_global ? file->tokens.count : function->close;
        name->is_unused = !name->is_macro && !fix_names(file, name->token + 1, end, name->token);
        size_t stop = name->is_parameter || name->is_global || name->is_macro
                          ? name->token
                          : source_statement_end(&file->tokens, name->token);
        for (size_t j = name->token; j < stop; j++) {
            name->is_of_thread = name->is_of_thread || fix_name_is(file, j, "threadIdx");
        }
    }
    find_indices(&list, function);
    return list.count;
}

const struct visible_name *clause_names_find(const struct program_file *file,
                                             const struct visible_name *names, size_t count,
                                             size_t token)
{
    if (!fix_is_name(file, token) ||
        (token > 0 && (fix_sign_is(file, token - 1, ".") || fix_sign_is(file, token - 1, "->")))) {
        return NULL;
    }
    for (size_t i = count; i-- > 0;) {
        if (fix_same_token(file, names[i].token, token)) {
            return names[i].token == token && !names[i].is_macro ? NULL : &names[i];
        }
    }
    return NULL;
}

bool clause_name_reaches(const struct program_file *file, const struct source_function *function,
                         const struct visible_name *name, size_t token)
{
    if (name->is_parameter || name->is_macro) {
        return true;
    }
    if (name->is_global) {
        return name->token < token;
    }
    enum { HEAD_TOKENS_MAX = 32 };
    size_t head = name->token;
    while (head > function->open && name->token - head < HEAD_TOKENS_MAX &&
           !fix_sign_is(file, head, ";") && !fix_sign_is(file, head, "{") &&
           !fix_sign_is(file, head, "(")) {
        head--;
    }
    if (fix_sign_is(file, head, "(") && fix_name_is(file, head - 1, "for")) {
        return name->token < token && token < fix_next_statement(file, head - 1).end;
    }
    size_t block = fix_block_around(file, function, name->token, name->token);
    return name->token < token && token < token_close(&file->tokens, block);
}

bool clause_names_alike(const struct program_file *file, const struct visible_name *left,
                        const struct visible_name *right)
{
    return left->kind == right->kind && left->depth == right->depth &&
           fix_name_is(file, left->type, "bool") == fix_name_is(file, right->type, "bool") &&
           (left->kind != TYPE_OTHER || fix_same_token(file, left->type, right->type));
}

bool visible_name_is_size(const struct visible_name *name)
{
    return name->is_parameter || name->is_global || name->is_macro;
}
