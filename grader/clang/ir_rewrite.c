/* ir_rewrite.c: see ir_rewrite.h.
 *
 *   @NAME = internal addrspace(3) global TYPE undef, align N
 *   define dso_local void @NAME(ptr noalias noundef %0, i32 noundef %1) #0 {
 *     store ptr %0, ptr %3, align 8
 *     %4 = call noundef float @NAME(float noundef %5)
 *   !6 = !{ptr @NAME, !"kernel", i32 1}
 *
 *   define dso_local ptx_kernel void @NAME(ptr noalias noundef %0) #0 {    from clang 20 on
 *
 * A global variable has one line, which starts with @, and so have the head of a function and an
 * instruction. The bytes of a string are in lines of the first kind. A parameter is stored once,
 * at its function's start, and has no other use. The kernel above becomes
 *
 *   define dso_local void @NAME(ptr addrspace(1) noalias %0, i32 %1) #0 {
 *     %gpugrade.0 = addrspacecast ptr addrspace(1) %0 to ptr
 *     store ptr %gpugrade.0, ptr %3, align 8
 */
#include "clang/ir_rewrite.h"

#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define IR_BYTES_MAX ((size_t)256 << 20)

/* Later parameters stay as they are, and so do kernels of longer names. */
enum { PARAMETERS_MAX = 64, NAME_BYTES_MAX = 4096 };

/* One line of a module, with its newline, or a part of it. */
struct line {
    const char *text; /* [length] */
    size_t length;
};

struct module {
    struct line all;
    struct text *out;
    bool is_global[PARAMETERS_MAX]; /* of the function that is being read */
    size_t vectors;                 /* copies that became vectors */
};

static bool starts_with(const struct line *line, const char *start)
{
    size_t length = strlen(start);

    return line->length >= length && memcmp(line->text, start, length) == 0;
}

/* Finds a word from `from` on; the line's length if there is none. */
static size_t find(const struct line *line, size_t from, const char *word)
{
    const char *found = memmem(line->text + from, line->length - from, word, strlen(word));

    return found == NULL ? line->length : (size_t)(found - line->text);
}

static struct line part(const struct line *line, size_t from, size_t to)
{
    return (struct line){line->text + from, to - from};
}

/* Copies a line without a word, wherever that stands. */
static void copy_without(struct text *out, const struct line *line, const char *word)
{
    for (size_t at = 0; at < line->length;) {
        size_t found = find(line, at, word);
        text_append_bytes(out, line->text + at, found - at);
        at = found < line->length ? found + strlen(word) : found;
    }
}

/* True for the definition of a shared variable of the module's own. */
static bool is_shared(const struct line *line)
{
    size_t linkage = find(line, 0, " = internal ");

    return find(line, linkage, "addrspace(3) global ") < line->length;
}

/* Writes _XX for each \XX of a name, wherever it stands in a text [length]. */
static void make_plain(char *text, size_t length, const char *name, size_t name_length)
{
    char *end = text + length;

    for (char *at = text; (at = memmem(at, (size_t)(end - at), name, name_length)) != NULL;
         at += name_length) {
        for (size_t i = 0; i < name_length; i++) {
            at[i] = at[i] == '\\' ? '_' : at[i];
        }
    }
}

/* Gives shared variables names that PTX has. LLVM writes \XX for other letters in a name in quotes,
 * and for quotes in a string, so no string holds such a name with its quotes. */
static void make_names_plain(struct arena *arena, char *text, size_t length)
{
    struct line all = {text, length};

    for (size_t at = 0; at < length;) {
        size_t end = find(&all, at, "\n");
        struct line line = part(&all, at, end);
        size_t name_end = starts_with(&line, "@\"") ? find(&line, 2, "\"") : line.length;
        if (name_end < line.length && is_shared(&line) &&
            memchr(line.text, '\\', name_end) != NULL) {
            const char *name = arena_strndup(arena, line.text, name_end + 1);
            make_plain(text, length, name, name_end + 1);
        }
        at = end + 1;
    }
}

static void copy_variable(struct text *out, const struct line *line)
{
    if (is_shared(line)) {
        copy_without(out, line, " internal");
    } else {
        text_append_bytes(out, line->text, line->length);
    }
}

/* True for the head of a kernel. Up to clang 19 a line at the module's end calls it so, from 20 on
 * the head itself. */
static bool is_kernel(const struct module *module, const struct line *head, size_t name_at,
                      size_t name_end)
{
    char note[NAME_BYTES_MAX];
    struct line before_name = part(head, 0, name_at);

    if (find(&before_name, 0, " ptx_kernel ") < before_name.length) {
        return true;
    }
    /* Most functions of a header are the module's own. */
    if (starts_with(head, "define internal ")) {
        return false;
    }
    int length = snprintf(note, sizeof note, "!{ptr %.*s, !\"kernel\"", (int)(name_end - name_at),
                          head->text + name_at);
    return length > 0 && (size_t)length < sizeof note &&
           find(&module->all, (size_t)(head->text - module->all.text), note) < module->all.length;
}

/* Copies the parameters of a kernel, pointers as such to global memory. */
static void copy_parameters(struct module *module, const struct line *list)
{
    static const char pointer[] = "ptr ";
    size_t at = 0;

    for (size_t i = 0; at < list->length; i++) {
        size_t end = find(list, at, ", ");
        end = end < list->length ? end + 2 : end;
        struct line one = part(list, at, end);
        bool is_plain = starts_with(&one, pointer) && i < PARAMETERS_MAX &&
                        find(&one, 0, "(") == one.length; /* as in byval(...) */
        if (is_plain) {
            module->is_global[i] = true;
            text_append(module->out, "ptr addrspace(1)");
            one = part(list, at + strlen("ptr"), end);
        }
        copy_without(module->out, &one, " noundef");
        at = end;
    }
}

/* Where the parenthesis at `at` is closed; the line's length if it is not. */
static size_t find_closing(const struct line *line, size_t at)
{
    size_t depth = 0;

    for (; at < line->length; at++) {
        depth += line->text[at] == '(';
        depth -= line->text[at] == ')';
        if (depth == 0) {
            break;
        }
    }
    return at;
}

/* Copies the head of a function. */
static void copy_head(struct module *module, const struct line *line)
{
    size_t name = find(line, 0, " void @");
    size_t list = find(line, name, "(");
    size_t end = find_closing(line, list);

    memset(module->is_global, 0, sizeof module->is_global);
    if (end < line->length && is_kernel(module, line, name + strlen(" void "), list)) {
        struct line parameters = part(line, list + 1, end);
        text_append_bytes(module->out, line->text, list + 1);
        copy_parameters(module, &parameters);
        text_append_bytes(module->out, line->text + end, line->length - end);
    } else {
        copy_without(module->out, line, " noundef");
    }
}

/* A copy of 8 or 16 bytes with that alignment, as of a float4: writes a load and a store of a
 * vector in its place; false if the line is another one. */
static bool copy_vector(struct module *module, const struct line *line)
{
    enum { NAME_MAX_BYTES = 128 };
    char text[4 * NAME_MAX_BYTES] = "";
    char to[NAME_MAX_BYTES], from[NAME_MAX_BYTES];
    char alignment[3], other[3], bytes[3];
    int end = 0;

    if (line->length >= sizeof text || !starts_with(line, "  call void @llvm.memcpy.p0.p0.i64(")) {
        return false;
    }
    memcpy(text, line->text, line->length);
    if (sscanf(text,
               "  call void @llvm.memcpy.p0.p0.i64(ptr align %2[0-9] %127[%0-9A-Za-z._-], "
               "ptr align %2[0-9] %127[%0-9A-Za-z._-], i64 %2[0-9], i1 false)%n",
               alignment, to, other, from, bytes, &end) != 5 ||
        end == 0 || strcmp(alignment, bytes) != 0 || strcmp(other, bytes) != 0 ||
        (strcmp(bytes, "8") != 0 && strcmp(bytes, "16") != 0)) {
        return false;
    }
    int words = strcmp(bytes, "8") == 0 ? 2 : 4;
    const char *place = strstr(text, ", !dbg !");
    int length = place == NULL ? 0 : (int)(8 + strspn(place + 8, "0123456789"));
    size_t number = module->vectors++;
    text_printf(module->out,
                "  %%gpugrade.vector.%zu = load <%d x i32>, ptr %s, align %s%.*s\n"
                "  store <%d x i32> %%gpugrade.vector.%zu, ptr %s, align %s%.*s\n",
                number, words, from, bytes, length, length > 0 ? place : "", words, number, to,
                bytes, length, length > 0 ? place : "");
    return true;
}

static void copy_instruction(struct module *module, const struct line *line)
{
    static const char store[] = "  store ptr %";
    size_t number = 0;
    size_t at = strlen(store);

    if (starts_with(line, store)) {
        for (; at < line->length && line->text[at] >= '0' && line->text[at] <= '9' &&
               number < PARAMETERS_MAX;
             at++) {
            number = 10 * number + (size_t)(line->text[at] - '0');
        }
        if (at > strlen(store) && number < PARAMETERS_MAX && module->is_global[number] &&
            line->text[at] == ',') {
            text_printf(module->out,
                        "  %%gpugrade.%zu = addrspacecast ptr addrspace(1) %%%zu to ptr\n"
                        "  store ptr %%gpugrade.%zu",
                        number, number, number);
            text_append_bytes(module->out, line->text + at, line->length - at);
            return;
        }
    }
    if (!copy_vector(module, line)) {
        copy_without(module->out, line, " noundef");
    }
}

void ir_rewrite(char *text, size_t length, struct text *out)
{
    struct module module = {.all = {text, length}, .out = out};
    struct arena *arena = arena_new();

    make_names_plain(arena, text, length);
    arena_free(arena);
    for (size_t at = 0; at < length;) {
        size_t end = find(&module.all, at, "\n");
        struct line line = part(&module.all, at, end < length ? end + 1 : end);
        at += line.length;
        if (starts_with(&line, "@")) {
            copy_variable(out, &line);
        } else if (starts_with(&line, "define ")) {
            copy_head(&module, &line);
        } else if (starts_with(&line, "  ")) {
            copy_instruction(&module, &line);
        } else if (starts_with(&line, "declare ")) {
            copy_without(out, &line, " noundef");
        } else {
            text_append_bytes(out, line.text, line.length);
        }
    }
}

enum error ir_rewrite_file(struct arena *arena, const char *from, const char *to,
                           struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    struct text out;
    enum error error =
        file_read(arena, from, IR_BYTES_MAX, BLAME_ENVIRONMENT, &text, &length, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    text_init(&out);
    ir_rewrite(text, length, &out);
    error = file_write_atomic(to, out.bytes, out.length, diagnostic);
    text_release(&out);
    return error;
}
