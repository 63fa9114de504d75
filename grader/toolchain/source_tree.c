/* source_tree.c: see source_tree.h. */
#include "toolchain/source_tree.h"

#include "base/file.h"
#include "source/source_lexer.h"
#include "toolchain/build_job.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 20000 };

/* The last component of a file's name. */
struct file_ending {
    const char *name;
    size_t length;
    size_t file;
};

/* The tree while it is read. Paths are looked up from their ends, so that one costs no more than
 * its length however many files there are. */
struct tree_reader {
    struct source_tree *tree;
    struct file_ending
        *endings;   /* [tree->count], sorted by their bytes from the last to the first */
    bool *is_named; /* [tree->count] the ending and those equal to it are reached */
    bool reaches_all;
};

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
    if (file_read(arena, path, BUILD_SOURCE_BYTES_MAX, BLAME_STUDENT, &bytes, &length, NULL) ==
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

/* The byte `depth` before the end, from 1; 0 before the first. */
static int byte_from_end(const struct file_ending *ending, size_t depth)
{
    return depth > ending->length ? 0 : (unsigned char)ending->name[ending->length - depth];
}

static int compare_endings(const void *left, const void *right)
{
    const struct file_ending *one = left;
    const struct file_ending *other = right;

    for (size_t depth = 1; depth <= one->length || depth <= other->length; depth++) {
        int difference = byte_from_end(one, depth) - byte_from_end(other, depth);
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

static struct tree_reader reader_new(struct arena *arena, struct source_tree *tree)
{
    struct tree_reader reader = {
        .tree = tree,
        .endings = arena_array(arena, tree->count + 1, sizeof *reader.endings),
        .is_named = arena_array(arena, tree->count + 1, sizeof *reader.is_named),
    };

    for (size_t i = 0; i < tree->count; i++) {
        const char *name = path_name(tree->files[i].name);
        reader.endings[i] = (struct file_ending){name, strlen(name), i};
    }
    if (tree->count > 0) {
        qsort(reader.endings, tree->count, sizeof *reader.endings, compare_endings);
    }
    return reader;
}

/* The first ending of [low, high) whose byte at `depth` is at least `byte`. */
static size_t first_ending(const struct tree_reader *reader, size_t low, size_t high, size_t depth,
                           int byte)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (byte_from_end(&reader->endings[middle], depth) < byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void reach_everything(struct tree_reader *reader)
{
    for (size_t i = 0; i < reader->tree->count && !reader->reaches_all; i++) {
        reader->tree->files[i].is_reached = true;
    }
    reader->reaches_all = true;
}

/* Reaches the files whose last component ends a path or a flag. */
static void reach_named(struct tree_reader *reader, const char *named, size_t length)
{
    size_t low = 0, high = reader->tree->count;

    for (size_t depth = 1; depth <= length && low < high; depth++) {
        int byte = (unsigned char)named[length - depth];
        low = first_ending(reader, low, high, depth, byte);
        high = first_ending(reader, low, high, depth, byte + 1);
        /* Those that end here, all equal, are the first ones. */
        for (size_t i = low;
             i < high && !reader->is_named[low] && reader->endings[i].length == depth; i++) {
            reader->tree->files[reader->endings[i].file].is_reached = true;
        }
        if (low < high && reader->endings[low].length == depth) {
            reader->is_named[low] = true;
        }
    }
}

/* Does a path leave the folder that it starts in, for good or for a while? */
static bool leads_beyond(const char *path, size_t length)
{
    return length > 0 && (path[0] == '/' || memmem(path, length, "..", 2) != NULL);
}

/* What stands behind #include. */
static void read_include(struct tree_reader *reader, const struct source_lexer *lexer,
                         const struct source_lexeme *token)
{
    const char *path = lexer->text + token->start + 1;
    size_t length = token->end - token->start;

    bool is_named =
        (token->kind == SOURCE_LITERAL && path[-1] == '"') || token->kind == SOURCE_HEADER;
    if (!is_named || length < 2 || memchr(path, '\\', length - 2) != NULL) {
        reach_everything(reader);
        reader->tree->reads_beyond = true;
        return;
    }
    reach_named(reader, path, length - 2);
    reader->tree->reads_beyond |= leads_beyond(path, length - 2);
}

static bool is_include_word(const struct source_lexer *lexer, const struct source_lexeme *token)
{
    static const char *const words[] = {"include", "include_next", "import", "embed"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (token->kind == SOURCE_WORD && source_lexeme_is(lexer, token, words[i])) {
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

static void read_includes(struct tree_reader *reader, const struct source_tree_file *file)
{
    struct source_lexer lexer;
    struct source_lexeme token;

    source_lexer_init(&lexer, file->text, file->length);
    do {
        token = source_lexer_next(&lexer);
        if (token.kind == SOURCE_DIRECTIVE) {
            token = source_lexer_next(&lexer);
            if (is_include_word(&lexer, &token)) {
                token = source_lexer_next(&lexer);
                read_include(reader, &lexer, &token);
            }
        }
    } while (token.kind != SOURCE_END);
    if (reads_otherwise(file)) {
        reach_everything(reader);
        reader->tree->reads_beyond = true;
    }
}

/* Follows what is reached until nothing is added. */
static void follow_includes(struct arena *arena, struct tree_reader *reader)
{
    struct source_tree *tree = reader->tree;
    bool *is_read = arena_array(arena, tree->count + 1, sizeof *is_read);
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < tree->count; i++) {
            if (tree->files[i].is_reached && !is_read[i] && tree->files[i].text != NULL) {
                is_read[i] = true;
                added = true;
                read_includes(reader, &tree->files[i]);
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
    struct tree_reader reader = reader_new(arena, &tree);
    for (size_t i = 0; i < tree.count; i++) {
        for (size_t j = 0; j < program->source_count; j++) {
            tree.files[i].is_reached |= strcmp(tree.files[i].name, program->sources[j]) == 0;
        }
    }
    for (size_t i = 0; i < program->flag_count; i++) { /* -include NAME and its like */
        reach_named(&reader, program->flags[i], strlen(program->flags[i]));
    }
    follow_includes(arena, &reader);
    *out_tree = tree;
    return ERROR_NONE;
}
