/* launch_list.c: see launch_list.h. */
#include "launch_list.h"

#include <stdlib.h>
#include <string.h>

static void refuse(const char *line)
{
    fprintf(stderr, "this is no launch: %s\n", line);
    exit(3);
}

static bool read_triple(const char *word, uint32_t out_values[3])
{
    return word != NULL &&
           sscanf(word, "%u,%u,%u", &out_values[0], &out_values[1], &out_values[2]) == 3;
}

static bool read_argument(const char *word, struct launch_argument *out_argument)
{
    struct launch_argument argument = {0};
    char kind[8], size[8];
    size_t count;
    if (sscanf(word, "int:%d", &argument.value) == 1) {
        argument.kind = ARGUMENT_INT;
        *out_argument = argument;
        return true;
    }
    if (sscanf(word, "%7[a-z]:%7[0-9f]:%zu", kind, size, &count) != 3) {
        return false;
    }
    argument.kind = strcmp(kind, "in") == 0 ? ARGUMENT_IN : ARGUMENT_OUT;
    argument.is_float = strcmp(size, "f") == 0;
    argument.bytes = count * (argument.is_float ? 4 : strtoul(size, NULL, 10));
    *out_argument = argument;
    return argument.bytes > 0;
}

/* Takes the next word off a line; NULL at its end. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \n");
    size_t length = strcspn(word, " \n");
    if (length == 0) {
        return NULL;
    }
    *rest = word + length + (word[length] != '\0');
    word[length] = '\0';
    return word;
}

static bool read_name(const char *word, char out_name[LAUNCH_NAME_BYTES])
{
    if (word == NULL || strlen(word) >= LAUNCH_NAME_BYTES) {
        return false;
    }
    memcpy(out_name, word, strlen(word) + 1);
    return true;
}

static bool read_item(char *line, struct launch_item *out_item)
{
    char *rest = line;
    memset(out_item, 0, sizeof *out_item);
    if (!read_name(next_word(&rest), out_item->name) ||
        !read_name(next_word(&rest), out_item->kernel) ||
        !read_triple(next_word(&rest), out_item->grid) ||
        !read_triple(next_word(&rest), out_item->block)) {
        return false;
    }
    const char *word = next_word(&rest);
    if (word == NULL || sscanf(word, "%u", &out_item->dynamic_bytes) != 1) {
        return false;
    }
    while ((word = next_word(&rest)) != NULL) {
        if (out_item->argument_count == LAUNCH_ARGUMENTS_MAX ||
            !read_argument(word, &out_item->arguments[out_item->argument_count])) {
            return false;
        }
        out_item->argument_count++;
    }
    return true;
}

bool launch_list_next(FILE *file, struct launch_item *out_item)
{
    char line[LAUNCH_LINE_BYTES], copy[LAUNCH_LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        memcpy(copy, line, sizeof line);
        if (!read_item(line, out_item)) {
            refuse(copy);
        }
        return true;
    }
    return false;
}

void launch_fill_input(const struct launch_argument *argument, void *out_bytes)
{
    for (size_t i = 0; i < argument->bytes / (argument->is_float ? 4 : 1); i++) {
        uint32_t mixed = (uint32_t)i * 2654435761u;
        uint32_t value = ((mixed ^ mixed >> 15) * 2246822519u >> 8) % 251;
        if (argument->is_float) {
            ((float *)out_bytes)[i] = (float)value;
        } else {
            ((uint8_t *)out_bytes)[i] = (uint8_t)value;
        }
    }
}

uint64_t launch_hash(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

char *launch_read_file(const char *path)
{
    enum { LARGEST = 1 << 24 };
    FILE *file = fopen(path, "rbe");
    char *bytes = malloc(LARGEST + 1);
    if (file == NULL || bytes == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(3);
    }
    size_t length = fread(bytes, 1, LARGEST, file);
    fclose(file);
    bytes[length] = '\0';
    return bytes;
}
