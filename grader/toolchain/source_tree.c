/* source_tree.c: see source_tree.h. */
#include "toolchain/source_tree.h"

#include "base/file.h"
#include "toolchain/source_lexer.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SOURCE_BYTES_MAX ((size_t)4 << 20)
enum { FILES_MAX = 20000 };

/* The folder *************************************************************************************/

static int compare_files(const void *left, const void *right)
{
    const struct source_tree_file *one = left;
    const struct source_tree_file *other = right;

    return strcmp(one->name, other->name);
}

static enum error unreadable(const char *path, int cause, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be read: %s", path, strerror(cause));
    return ERROR_ENVIRONMENT;
}

static void read_text(struct arena *arena, const char *path, struct source_tree_file *file)
{
    char *bytes = NULL;
    size_t length = 0;

    /* Compilers read any bytes, comments in Latin-1 too; so does whoever looks at the text. */
    if (file_read(arena, path, SOURCE_BYTES_MAX, BLAME_STUDENT, &bytes, &length, NULL) ==
        ERROR_NONE) {
        file->text = bytes;
        file->length = length;
    }
}

static enum error list_files(struct arena *arena, struct source_tree *tree,
                             struct diagnostic *diagnostic)
{
    char *const roots[] = {arena_strdup(arena, tree->folder), NULL};
    size_t prefix = strlen(tree->folder) + 1;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    size_t capacity = 0;
    enum error error = ERROR_NONE;
    FTSENT *entry = NULL;

    if (walk == NULL) {
        return unreadable(tree->folder, errno, diagnostic);
    }
    while (error == ERROR_NONE && (entry = fts_read(walk)) != NULL) {
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS ||
            tree->count >= FILES_MAX) {
            error = unreadable(entry->fts_path,
                               tree->count >= FILES_MAX ? EMFILE : entry->fts_errno, diagnostic);
        } else if (entry->fts_info == FTS_F) {
            arena_grow(arena, &tree->files, &capacity, tree->count + 1, sizeof *tree->files);
            struct source_tree_file *file = &tree->files[tree->count++];
            *file =
                (struct source_tree_file){.name = arena_strdup(arena, entry->fts_path + prefix)};
            read_text(arena, entry->fts_path, file);
        }
    }
    fts_close(walk);
    if (tree->count > 0) {
        qsort(tree->files, tree->count, sizeof *tree->files, compare_files);
    }
    return error;
}

/* What is reached ********************************************************************************/

static void reach_everything(struct source_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        tree->files[i].is_reached = true;
    }
}

/* Reaches the files whose last component ends a path or a flag. */
static void reach_named(struct source_tree *tree, const char *named, size_t length)
{
    for (size_t i = 0; i < tree->count; i++) {
        const char *name = path_name(tree->files[i].name);
        size_t name_length = strlen(name);
        if (name_length <= length && memcmp(named + length - name_length, name, name_length) == 0) {
            tree->files[i].is_reached = true;
        }
    }
}

/* Does a path leave the folder that it starts in, for good or for a while? */
static bool leads_beyond(const char *path, size_t length)
{
    return length > 0 && (path[0] == '/' || memmem(path, length, "..", 2) != NULL);
}

/* What stands behind #include. */
static void read_include(struct source_tree *tree, const struct source_lexer *lexer,
                         const struct source_token *token)
{
    const char *path = lexer->text + token->start + 1;
    size_t length = token->end - token->start;

    bool is_named =
        (token->kind == SOURCE_LITERAL && path[-1] == '"') || token->kind == SOURCE_HEADER;
    if (!is_named || length < 2 || memchr(path, '\\', length - 2) != NULL) {
        reach_everything(tree);
        tree->reads_beyond = true;
        return;
    }
    reach_named(tree, path, length - 2);
    tree->reads_beyond |= leads_beyond(path, length - 2);
}

static bool is_include_word(const struct source_lexer *lexer, const struct source_token *token)
{
    static const char *const words[] = {"include", "include_next", "import", "embed"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (token->kind == SOURCE_WORD && source_token_is(lexer, token, words[i])) {
            return true;
        }
    }
    return false;
}

/* May it read files without #include? The assembler does, and trigraphs hide a directive. */
static bool reads_otherwise(const struct source_tree_file *file)
{
    static const char *const words[] = {"incbin", ".include", "?\?=", "?\?/"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (memmem(file->text, file->length, words[i], strlen(words[i])) != NULL) {
            return true;
        }
    }
    return false;
}

static void read_includes(struct source_tree *tree, const struct source_tree_file *file)
{
    struct source_lexer lexer;
    struct source_token token;

    source_lexer_init(&lexer, file->text, file->length);
    do {
        token = source_lexer_next(&lexer);
        if (token.kind == SOURCE_DIRECTIVE) {
            token = source_lexer_next(&lexer);
            if (is_include_word(&lexer, &token)) {
                token = source_lexer_next(&lexer);
                read_include(tree, &lexer, &token);
            }
        }
    } while (token.kind != SOURCE_END);
    if (reads_otherwise(file)) {
        reach_everything(tree);
        tree->reads_beyond = true;
    }
}

/* Follows what is reached until nothing is added. */
static void follow_includes(struct arena *arena, struct source_tree *tree)
{
    bool *is_read = arena_array(arena, tree->count + 1, sizeof *is_read);
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < tree->count; i++) {
            if (tree->files[i].is_reached && !is_read[i] && tree->files[i].text != NULL) {
                is_read[i] = true;
                added = true;
                read_includes(tree, &tree->files[i]);
            }
        }
    }
}

enum error source_tree_read(struct arena *arena, const char *folder,
                            const struct rubric_program *program, struct source_tree *out_tree,
                            struct diagnostic *diagnostic)
{
    struct source_tree tree = {.folder = folder};
    enum error error = list_files(arena, &tree, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < tree.count; i++) {
        for (size_t j = 0; j < program->source_count; j++) {
            tree.files[i].is_reached |= strcmp(tree.files[i].name, program->sources[j]) == 0;
        }
    }
    for (size_t i = 0; i < program->flag_count; i++) { /* -include NAME and its like */
        reach_named(&tree, program->flags[i], strlen(program->flags[i]));
    }
    follow_includes(arena, &tree);
    *out_tree = tree;
    return ERROR_NONE;
}
