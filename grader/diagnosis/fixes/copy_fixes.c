/* copy_fixes.c: copies that are missing: to memory of the device, back from it, to constants. */
#include "diagnosis/fixes/fix_maker.h"

#include "diagnosis/fixes/clause_names.h"
#include "diagnosis/fixes/guilty_clauses.h"

#include <string.h>

enum { BUFFERS_MAX = 32, COPIES_MAX = 64, FUNCTIONS_MAX = 32 }; /* of a file that are looked at */

/* Memory of the device that a call allocates. */
struct buffer {
    size_t name;               /* token of the variable, in the call */
    struct token_range bytes;  /* of the call */
    size_t after;              /* the last token of its statement */
    bool is_filled, is_copied; /* a copy goes there; comes from there */
};

/* What the host code of a file allocates and copies, and one of its functions. */
struct host_code {
    const struct program_file *file;
    struct buffer buffers[BUFFERS_MAX]; /* [buffer_count] */
    size_t buffer_count;
    struct fix_call copies[COPIES_MAX]; /* [copy_count] */
    size_t copy_count;
    const struct source_function *function;
    struct visible_name names[VISIBLE_NAMES_MAX]; /* [name_count] that it can name */
    size_t name_count;
};

/* True if an argument is that variable. */
static bool is_variable(const struct program_file *file, struct token_range argument, size_t name)
{
    size_t last = fix_last_name(file, argument);

    return last < file->tokens.count && fix_same_token(file, last, name);
}

/* Reads the calls of a file; false if it has too many to be sure. */
static bool read_host_code(const struct program_file *file, struct host_code *host)
{
    host->file = file;
    host->buffer_count = 0;
    host->copy_count = 0;
    for (size_t i = 0; i < file->tokens.count && file->functions.is_certain; i++) {
        struct fix_call call;
        bool is_copy =
            fix_name_is(file, i, "cudaMemcpy") || fix_name_is(file, i, "cudaMemcpyAsync");
        if (!(is_copy || fix_name_is(file, i, "cudaMalloc")) || !fix_read_call(file, i, &call) ||
            call.argument_count < 2 ||
            fix_last_name(file, call.arguments[0]) == file->tokens.count) {
            continue;
        }
        if (host->copy_count == COPIES_MAX || host->buffer_count == BUFFERS_MAX) {
            return false;
        }
        if (is_copy) {
            host->copies[host->copy_count++] = call;
        } else {
            host->buffers[host->buffer_count++] =
                (struct buffer){.name = fix_last_name(file, call.arguments[0]),
                                .bytes = call.arguments[1],
                                .after = source_statement_end(&file->tokens, i) - 1};
        }
    }
    for (size_t i = 0; i < host->buffer_count; i++) {
        struct buffer *buffer = &host->buffers[i];
        for (size_t k = 0; k < host->copy_count; k++) {
            const struct token_range *arguments = host->copies[k].arguments;
            /* perhaps to the wrong place in it: that copy is to be corrected */
            buffer->is_filled |=
                fix_names(file, arguments[0].first, arguments[0].end, buffer->name);
            buffer->is_copied |= is_variable(file, arguments[1], buffer->name);
        }
    }
    return file->functions.is_certain;
}

/* The part of a name that says what it holds: of d_x, h_x, dev_x and x_host, x. */
static const char *plain_name(const struct fix_maker *maker, const char *name)
{
    static const char *const words[] = {"d", "h", "dev", "host", "device", "gpu", "cpu"};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t part = strlen(words[i]);
        if (length > part + 1 && strncmp(name, words[i], part) == 0 && name[part] == '_') {
            return name + part + 1;
        }
        if (length > part + 1 && strcmp(name + length - part, words[i]) == 0 &&
            name[length - part - 1] == '_') {
            return arena_strndup(maker->arena, name, length - part - 1);
        }
    }
    return name;
}

/* True if a name says that it is memory of the device. */
static bool says_device(const char *name)
{
    return strncmp(name, "d_", 2) == 0 || strncmp(name, "dev", 3) == 0 ||
           strncmp(name, "gpu", 3) == 0;
}

/* True if the file allocates a variable of that name by cudaMalloc. */
static bool is_allocated(const struct host_code *host, size_t name)
{
    for (size_t i = 0; i < host->buffer_count; i++) {
        if (fix_same_token(host->file, host->buffers[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Where results are to be there: before the buffer is freed; else at the end of the function. The
 * first token of that statement, or the }. */
static size_t end_of_use(const struct host_code *host, const struct buffer *buffer)
{
    const struct program_file *file = host->file;
    const struct source_function *function = host->function;
    struct fix_call call;

    for (size_t i = buffer->after; i < function->close; i++) {
        if (fix_name_is(file, i, "cudaFree") && fix_read_call(file, i, &call) &&
            is_variable(file, (struct token_range){i + 2, call.end - 1}, buffer->name)) {
            return fix_statement_in(file, fix_block_around(file, function, i, i), i).first;
        }
    }
    return function->close - 1;
}

/* The first token of the statement that launches next after a buffer is there; 0: none does. */
static size_t next_launch(const struct host_code *host, const struct buffer *buffer)
{
    for (size_t i = buffer->after; i < host->function->close; i++) {
        if (fix_sign_is(host->file, i, "<<<")) {
            size_t block = fix_block_around(host->file, host->function, buffer->name, i);
            return fix_statement_in(host->file, block, i).first;
        }
    }
    return 0;
}

/* Offers one copy between a buffer and another pointer. */
static void offer_copy(struct fix_maker *maker, const struct host_code *host,
                       const struct buffer *buffer, size_t other, const char *bytes, bool is_back)
{
    const struct program_file *file = host->file;
    const char *inner = fix_text(maker, file, buffer->name, buffer->name + 1);
    const char *outer = fix_text(maker, file, other, other + 1);
    const char *direction = says_device(outer) ? "DeviceToDevice"
                            : is_back          ? "DeviceToHost"
                                               : "HostToDevice";
    struct fix_draft draft = {.maker = maker};
    const char *text =
        arena_printf(maker->arena, "cudaMemcpy(%s, %s, %s, cudaMemcpy%s);", is_back ? outer : inner,
                     is_back ? inner : outer, bytes, direction);
    size_t before = is_back ? end_of_use(host, buffer) : next_launch(host, buffer);
    bool is_end = before == 0 || before == host->function->close - 1;
    size_t after = before == 0 ? buffer->after : before - 1;

    fix_insert_line(&draft, file, after, is_end ? after : before, text);
    fix_draft_offer(&draft);
}

enum { COUNTS_MAX = 8 };

/* Numbers of elements that may be meant: what a parameter counts, or two next to each other. */
static size_t list_counts(const struct fix_maker *maker, const struct host_code *host,
                          const char *out_counts[COUNTS_MAX])
{
    const char *before = NULL;
    size_t count = 0;

    for (size_t i = 0; i < host->name_count && count + 2 <= COUNTS_MAX; i++) {
        const struct visible_name *size = &host->names[i];
        if (!size->is_parameter || size->kind != TYPE_WHOLE || size->depth > 0) {
            continue;
        }
        const char *name = fix_text(maker, host->file, size->token, size->token + 1);
        if (before != NULL) {
            out_counts[count++] = arena_printf(maker->arena, "%s * %s", before, name);
        }
        out_counts[count++] = name;
        before = name;
    }
    return count;
}

/* The numbers of bytes that may be meant: those of the buffer; for memory that the function gets,
 * those of as many elements as its parameters say. */
static void offer_sizes(struct fix_maker *maker, const struct host_code *host,
                        const struct buffer *buffer, const struct visible_name *other, bool is_back)
{
    const struct program_file *file = host->file;
    const char *pointer = fix_text(maker, file, other->token, other->token + 1);
    const char *counts[COUNTS_MAX];
    size_t count = other->is_parameter ? list_counts(maker, host, counts) : 0;

    for (size_t i = 0; i < count; i++) {
        offer_copy(maker, host, buffer, other->token,
                   arena_printf(maker->arena, "%s * sizeof *%s", counts[i], pointer), is_back);
    }
    offer_copy(maker, host, buffer, other->token,
               fix_text(maker, file, buffer->bytes.first, buffer->bytes.end), is_back);
}

/* True if the host puts values there that a copy can bring to the device: its elements are set, it
 * is the first argument of a function that may, or the function gets it. */
static bool holds_values(const struct host_code *host, const struct visible_name *name)
{
    static const char *const others[] = {"free", "cudaFree", "cudaFreeHost", "sizeof"};
    const struct program_file *file = host->file;
    bool is_set = name->is_parameter;

    for (size_t i = 0; i < host->copy_count; i++) {
        if (is_variable(file, host->copies[i].arguments[0], name->token)) {
            return false; /* a result */
        }
    }
    for (size_t i = host->function->open + 2; i < host->function->close && !is_set; i++) {
        if (!fix_same_token(file, i, name->token)) {
            continue;
        }
        is_set = fix_sign_is(file, i - 1, "(") && fix_is_name(file, i - 2);
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            is_set = is_set && !fix_name_is(file, i - 2, others[k]);
        }
        is_set = is_set || (fix_sign_is(file, i + 1, "[") &&
                            fix_sign_is(file, token_close(&file->tokens, i + 1), "="));
    }
    return is_set;
}

/* True if a copy goes there already: another one after it would hide that it is wrong. */
static bool is_result_of_copy(const struct host_code *host, size_t name)
{
    for (size_t i = 0; i < host->copy_count; i++) {
        const struct token_range *target = &host->copies[i].arguments[0];
        if (source_function_at(&host->file->functions, target->first) == host->function &&
            fix_names(host->file, target->first, target->end, name)) {
            return true;
        }
    }
    return false;
}

/* What the name of a variable says, without where it lies. */
static const char *content_of(const struct fix_maker *maker, const struct host_code *host,
                              size_t name)
{
    return plain_name(maker, fix_text(maker, host->file, name, name + 1));
}

/* The pointer whose name says the same as the buffer's, or else the only one that the function
 * gets, if that is no other buffer's; NULL if there is none. */
static const struct visible_name *find_other(const struct fix_maker *maker,
                                             const struct host_code *host,
                                             const struct buffer *buffer, bool is_back)
{
    const struct visible_name *only = NULL;
    size_t count = 0;

    for (size_t i = 0; i < host->name_count; i++) {
        const struct visible_name *name = &host->names[i];
        if (name->depth != 1 || fix_same_token(host->file, name->token, buffer->name) ||
            (is_back ? name->is_const || is_result_of_copy(host, name->token)
                     : !holds_values(host, name)) ||
            is_allocated(host, name->token)) {
            continue;
        }
        const char *content = content_of(maker, host, name->token);
        bool is_of_other = false;
        for (size_t k = 0; k < host->buffer_count; k++) {
            if (strcmp(content, content_of(maker, host, host->buffers[k].name)) != 0) {
                continue;
            }
            if (fix_same_token(host->file, host->buffers[k].name, buffer->name)) {
                return name;
            }
            is_of_other = true;
        }
        only = name->is_parameter && !is_of_other ? name : only;
        count += name->is_parameter && !is_of_other ? 1 : 0;
    }
    return count == 1 ? only : NULL;
}

static void add_copies(struct fix_maker *maker, const struct host_code *host)
{
    for (size_t i = 0; i < host->buffer_count && maker->count < maker->capacity; i++) {
        const struct buffer *buffer = &host->buffers[i];
        if (source_function_at(&host->file->functions, buffer->name) != host->function) {
            continue;
        }
        for (int is_back = 0; is_back < 2; is_back++) {
            const bool is_there = is_back ? buffer->is_copied : buffer->is_filled;
            const struct visible_name *other =
                is_there ? NULL : find_other(maker, host, buffer, is_back);
            if (other != NULL) {
                offer_sizes(maker, host, buffer, other, is_back);
            }
        }
    }
}

/* Runs `add` for the functions of the host that call `word`, or have it. */
static void for_each_function(struct fix_maker *maker, const char *word,
                              void (*add)(struct fix_maker *, const struct host_code *))
{
    struct host_code *host = arena_alloc(maker->arena, sizeof *host);
    size_t count = 0;

    for (size_t f = 0; f < maker->source->count; f++) {
        const struct program_file *file = &maker->source->files[f];
        bool is_read = read_host_code(file, host);
        for (size_t i = 0; i < file->functions.count && is_read && count < FUNCTIONS_MAX; i++) {
            const struct source_function *function = &file->functions.items[i];
            size_t at = function->open;
            while (at < function->close && !fix_name_is(file, at, word)) {
                at++;
            }
            if (at < function->close && !function->is_kernel && !function->is_device) {
                host->function = function;
                host->name_count = clause_names_list(file, function, host->names);
                add(maker, host);
                count++;
            }
        }
    }
}

/* True if a function exchanges a variable by swap(). */
static bool is_swapped(const struct host_code *host, size_t name)
{
    struct fix_call call;

    for (size_t i = host->function->open; i < host->function->close; i++) {
        if (fix_name_is(host->file, i, "swap") && fix_read_call(host->file, i, &call) &&
            call.argument_count == 2 &&
            (is_variable(host->file, call.arguments[0], name) ||
             is_variable(host->file, call.arguments[1], name))) {
            return true;
        }
    }
    return false;
}

/* float *from = d_a; that is swapped in a loop: at the end it may point to other memory than d_a,
 * where the result is to be. */
static void copy_swapped(struct fix_maker *maker, const struct host_code *host)
{
    const struct program_file *file = host->file;
    const char *counts[COUNTS_MAX];
    size_t count = list_counts(maker, host, counts);
    size_t last = host->function->close - 2;

    for (size_t i = 0; i < host->name_count && maker->count < maker->capacity; i++) {
        const struct visible_name *name = &host->names[i];
        const struct visible_name *start =
            !name->is_parameter && name->depth == 1 && fix_sign_is(file, name->token + 1, "=")
                ? clause_names_find(file, host->names, host->name_count, name->token + 2)
                : NULL;
        if (start == NULL || !start->is_parameter || start->is_const || start->depth != 1 ||
            !is_swapped(host, name->token) || is_result_of_copy(host, start->token)) {
            continue;
        }
        const char *local = fix_text(maker, file, name->token, name->token + 1);
        const char *given = fix_text(maker, file, start->token, start->token + 1);
        for (size_t k = 0; k < count; k++) {
            struct fix_draft draft = {.maker = maker};
            fix_insert_line(&draft, file, last, host->function->open + 1,
                            arena_printf(maker->arena,
                                         "if (%s != %s) cudaMemcpy(%s, %s, %s * sizeof *%s, "
                                         "cudaMemcpyDeviceToDevice);",
                                         local, given, given, local, counts[k], given));
            fix_draft_offer(&draft);
        }
    }
}

/* A copy to memory of the device, or from there, where no copy names it in that place. */
void fix_add_copy(struct fix_maker *maker)
{
    for_each_function(maker, "cudaMalloc", add_copies);
    for_each_function(maker, "swap", copy_swapped);
}

/* The only constant of a file that is one value, if no call names it; tokens.count otherwise. */
static size_t unset_constant(const struct program_file *file)
{
    size_t constant = file->tokens.count;

    for (size_t i = 0; i + 3 < file->tokens.count; i++) {
        if (fix_name_is(file, i, "__constant__") && fix_sign_is(file, i + 3, ";")) {
            if (constant < file->tokens.count) {
                return file->tokens.count;
            }
            constant = i + 2;
        }
    }
    for (size_t i = 0; i + 2 < file->tokens.count && constant < file->tokens.count; i++) {
        if (fix_name_is(file, i, "cudaMemcpyToSymbol") && fix_same_token(file, i + 2, constant)) {
            return file->tokens.count;
        }
    }
    return constant;
}

/* Copies a variable of the constant's type there, before the function returns it. */
static void copy_returned(struct fix_maker *maker, const struct host_code *host)
{
    const struct program_file *file = host->file;
    size_t constant = unset_constant(file);

    for (size_t i = host->function->open;
         constant < file->tokens.count && i < host->function->close; i++) {
        const struct visible_name *name =
            fix_name_is(file, i, "return") && fix_sign_is(file, i + 2, ";")
                ? clause_names_find(file, host->names, host->name_count, i + 1)
                : NULL;
        struct fix_draft draft = {.maker = maker};
        if (name != NULL && name->depth == 0 && fix_same_token(file, name->type, constant - 1)) {
            const char *variable = fix_text(maker, file, i + 1, i + 2);
            fix_insert_line(&draft, file, i - 1, i,
                            arena_printf(maker->arena, "cudaMemcpyToSymbol(%s, &%s, sizeof %s);",
                                         fix_text(maker, file, constant, constant + 1), variable,
                                         variable));
            fix_draft_offer(&draft);
        }
    }
}

void fix_copy_constant(struct fix_maker *maker)
{
    for_each_function(maker, "return", copy_returned);
}
