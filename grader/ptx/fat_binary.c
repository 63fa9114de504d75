/* fat_binary.c: from ELF to PTX text; see fat_binary.h for the layouts.
 *
 *   ELF header -> section headers -> .nv_fatbin -> fat binaries -> entries -> payload
 *
 * Every step takes a range of bytes and gives a smaller one; `struct byte_range` and
 * byte_range_sub() are the only way from offsets and sizes that the file holds to memory.
 */
#include "ptx/fat_binary.h"

#include "base/text.h"
#include "ptx/elf_file.h"
#include "ptx/ptx.h"
#include "ptx/register_limit.h"

#include <lz4.h>
#include <string.h>
#include <zstd.h>

#define FAT_MAGIC UINT32_C(0xBA55ED50)
#define FLAG_LZ4 UINT64_C(0x2000)
#define FLAG_ZSTD UINT64_C(0x8000)

enum {
    FAT_HEADER_BYTES = 16,
    ENTRY_HEADER_BYTES = 64,
    KIND_PTX = 1,
    KIND_CUBIN = 2,
    ENTRIES_MAX = 4096, /* of a fat binary */
    MODULES_MAX = 4096,
    USUAL_ARCH = 75,
    REGISTERS_MAX = 255, /* of a thread */
};

/* An entry of a fat binary: machine code or PTX, and its payload. */
struct entry {
    unsigned kind;
    uint32_t arch;
    uint64_t flags;
    uint32_t compressed_bytes;
    uint64_t uncompressed_bytes;
    struct byte_range options; /* of the assembler */
    struct byte_range payload;
};

struct reader {
    struct arena *arena;
    struct diagnostic *diagnostic;
    struct fat_module *modules;
    size_t module_count;
    size_t module_capacity;
    uint64_t text_bytes; /* of all modules */
    bool has_only_cubins;
};

static uint64_t read_number(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;

    for (size_t i = 0; i < count; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

static enum error bad(struct reader *reader, const char *what)
{
    diagnostic_set(reader->diagnostic, BLAME_STUDENT,
                   "the executable's device code: expected %s; rebuild with nvcc, flags "
                   "-no-compress -gencode arch=compute_75,code=compute_75",
                   what);
    return ERROR_SYNTAX;
}

static enum error too_large(struct reader *reader)
{
    diagnostic_set(reader->diagnostic, BLAME_STUDENT,
                   "the executable's device code: expected at most %d bytes of PTX, got more",
                   PTX_TEXT_BYTES_MAX);
    return ERROR_LIMIT;
}

/* What the header of an entry says for the assembler; nothing if that does not lie in it. */
static struct byte_range read_options(struct byte_range header)
{
    const uint64_t place = read_number(header.bytes + 20, 4);
    struct byte_range options = {header.bytes, 0};
    struct byte_range where;

    if (place >= ENTRY_HEADER_BYTES && byte_range_sub(header, place, 8, &where)) {
        byte_range_sub(header, read_number(where.bytes, 4), read_number(where.bytes + 4, 4),
                       &options);
    }
    return options;
}

/* The N of -maxrregcount=N; 0 if there is none. */
static uint32_t register_limit(struct byte_range options)
{
    static const char name[] = "-maxrregcount=";
    const char *found = memmem(options.bytes, options.length, name, sizeof name - 1);
    const char *end = (const char *)options.bytes + options.length;
    uint32_t limit = 0;

    for (const char *digit = found == NULL ? end : found + sizeof name - 1;
         digit < end && *digit >= '0' && *digit <= '9' && limit <= REGISTERS_MAX; digit++) {
        limit = limit * 10 + (uint32_t)(*digit - '0');
    }
    return limit <= REGISTERS_MAX ? limit : 0;
}

/* Splits the first entry off `rest`. */
static bool read_entry(struct byte_range *rest, struct entry *out_entry)
{
    struct byte_range header;
    struct byte_range payload;

    if (!byte_range_sub(*rest, 0, ENTRY_HEADER_BYTES, &header)) {
        return false;
    }
    uint64_t header_bytes = read_number(header.bytes + 4, 4);
    uint64_t padded_bytes = read_number(header.bytes + 8, 8);
    if (header_bytes < ENTRY_HEADER_BYTES || !byte_range_sub(*rest, 0, header_bytes, &header) ||
        !byte_range_sub(*rest, header_bytes, padded_bytes, &payload)) {
        return false;
    }
    *out_entry = (struct entry){.kind = (unsigned)read_number(header.bytes, 2),
                                .compressed_bytes = (uint32_t)read_number(header.bytes + 16, 4),
                                .arch = (uint32_t)read_number(header.bytes + 28, 4),
                                .flags = read_number(header.bytes + 40, 8),
                                .uncompressed_bytes = read_number(header.bytes + 56, 8),
                                .options = read_options(header),
                                .payload = payload};
    return byte_range_sub(*rest, header_bytes + padded_bytes,
                          rest->length - header_bytes - padded_bytes, rest);
}

/* Decompresses exactly `bytes` bytes. */
static bool decompress(const struct entry *entry, struct byte_range packed, char *out, size_t bytes)
{
    if ((entry->flags & FLAG_ZSTD) != 0) {
        size_t got = ZSTD_decompress(out, bytes, packed.bytes, packed.length);
        return !ZSTD_isError(got) && got == bytes;
    }
    int got = LZ4_decompress_safe((const char *)packed.bytes, out, (int)packed.length, (int)bytes);
    return got >= 0 && (size_t)got == bytes;
}

/* The text of a PTX entry, with a NUL behind it that does not count. */
static enum error read_text(struct reader *reader, const struct entry *entry, char **out_text,
                            size_t *out_length)
{
    bool is_packed = (entry->flags & (FLAG_ZSTD | FLAG_LZ4)) != 0;
    uint64_t bytes = is_packed ? entry->uncompressed_bytes : entry->payload.length;
    struct byte_range packed;

    if (bytes > PTX_TEXT_BYTES_MAX - reader->text_bytes) {
        return too_large(reader);
    }
    if (is_packed && (!byte_range_sub(entry->payload, 0, entry->compressed_bytes, &packed) ||
                      packed.length > PTX_TEXT_BYTES_MAX)) {
        return bad(reader, "a payload as long as its entry says");
    }
    char *text = arena_alloc(reader->arena, (size_t)bytes + 1);
    if (is_packed && !decompress(entry, packed, text, (size_t)bytes)) {
        return bad(reader, "a payload that can be decompressed");
    }
    if (!is_packed && bytes > 0) {
        memcpy(text, entry->payload.bytes, (size_t)bytes);
    }
    reader->text_bytes += bytes;
    while (bytes > 0 && text[bytes - 1] == '\0') {
        bytes--;
    }
    *out_text = text;
    *out_length = (size_t)bytes;
    return ERROR_NONE;
}

/* Writes the limit of the registers into the text. */
static enum error limit_registers(struct reader *reader, uint32_t limit, char **text,
                                  size_t *length)
{
    struct text limited;

    if (limit == 0) {
        return ERROR_NONE;
    }
    text_init(&limited);
    register_limit_write(*text, *length, limit, &limited);
    const size_t more = limited.length - *length;
    const bool fits = more <= PTX_TEXT_BYTES_MAX - reader->text_bytes;
    if (fits) {
        *text = arena_strndup(reader->arena, limited.bytes, limited.length);
        *length = limited.length;
        reader->text_bytes += more;
    }
    text_release(&limited);
    return fits ? ERROR_NONE : too_large(reader);
}

/* Whether the PTX of one arch is to be taken rather than that of another: compute_75 is what the
 * grader itself builds; else the lowest, which is the plainest and runs on the most models. */
static bool is_better(uint32_t arch, uint32_t other)
{
    return other != USUAL_ARCH && (arch == USUAL_ARCH || arch < other);
}

/* One fat binary: takes the best PTX. */
static enum error read_fat_binary(struct reader *reader, struct byte_range entries, uint64_t offset)
{
    struct entry best = {.kind = 0};
    bool has_cubin = false;
    size_t count = 0;

    while (entries.length > 0) {
        struct entry entry;

        if (count++ == ENTRIES_MAX || !read_entry(&entries, &entry)) {
            return bad(reader, "entries that lie within their fat binary");
        }
        has_cubin |= entry.kind == KIND_CUBIN;
        if (entry.kind == KIND_PTX && (best.kind == 0 || is_better(entry.arch, best.arch))) {
            best = entry;
        }
    }
    if (best.kind == 0) {
        reader->has_only_cubins |= has_cubin;
        return ERROR_NONE;
    }
    struct fat_module module = {.offset = offset, .arch = best.arch};
    char *text;
    enum error error = read_text(reader, &best, &text, &module.length);
    if (error == ERROR_NONE) {
        error = limit_registers(reader, register_limit(best.options), &text, &module.length);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (reader->module_count == MODULES_MAX) {
        return bad(reader, "at most 4096 fat binaries");
    }
    module.text = text;
    arena_grow(reader->arena, &reader->modules, &reader->module_capacity, reader->module_count + 1,
               sizeof *reader->modules);
    reader->modules[reader->module_count++] = module;
    return ERROR_NONE;
}

static enum error read_section(struct reader *reader, struct byte_range section)
{
    size_t offset = 0;

    while (offset < section.length) {
        struct byte_range header;
        struct byte_range entries;

        if (section.bytes[offset] == 0) { /* padding */
            offset++;
            continue;
        }
        if (!byte_range_sub(section, offset, FAT_HEADER_BYTES, &header) ||
            read_number(header.bytes, 4) != FAT_MAGIC) {
            return bad(reader, "a fat binary");
        }
        uint64_t header_bytes = read_number(header.bytes + 6, 2);
        uint64_t size = read_number(header.bytes + 8, 8);
        if (header_bytes < FAT_HEADER_BYTES ||
            !byte_range_sub(section, offset + header_bytes, size, &entries)) {
            return bad(reader, "a fat binary that lies within its section");
        }
        enum error error = read_fat_binary(reader, entries, offset);
        if (error != ERROR_NONE) {
            return error;
        }
        offset += (size_t)(header_bytes + size);
    }
    return ERROR_NONE;
}

enum error fat_section_read(struct arena *arena, const void *section, size_t length,
                            struct fat_program *out_program, struct diagnostic *diagnostic)
{
    struct reader reader = {.arena = arena, .diagnostic = diagnostic};
    enum error error = read_section(&reader, (struct byte_range){section, length});

    if (error != ERROR_NONE) {
        return error;
    }
    *out_program = (struct fat_program){.section_bytes = length,
                                        .modules = reader.modules,
                                        .module_count = reader.module_count,
                                        .has_only_cubins = reader.has_only_cubins};
    return ERROR_NONE;
}

enum error fat_module_read(struct arena *arena, const void *bytes, size_t length,
                           struct fat_program *out_program, struct diagnostic *diagnostic)
{
    const char *text = bytes;

    if (length >= 4 && read_number(bytes, 4) == FAT_MAGIC) {
        return fat_section_read(arena, bytes, length, out_program, diagnostic);
    }
    while (length > 0 && text[length - 1] == '\0') {
        length--;
    }
    if (length > PTX_TEXT_BYTES_MAX) {
        return too_large(&(struct reader){.diagnostic = diagnostic});
    }
    struct fat_module *module = arena_alloc(arena, sizeof *module);
    *module = (struct fat_module){.text = arena_strndup(arena, text, length), .length = length};
    *out_program = (struct fat_program){.modules = module, .module_count = 1};
    return ERROR_NONE;
}

enum error fat_program_read(struct arena *arena, const void *elf, size_t length,
                            struct fat_program *out_program, struct diagnostic *diagnostic)
{
    struct reader reader = {.arena = arena, .diagnostic = diagnostic};
    struct elf_file file;
    struct elf_section section = {.size = 0};
    struct elf_section relocatable = {.size = 0};

    const char *expected = elf_open(elf, length, &file);
    if (expected != NULL) {
        return bad(&reader, expected);
    }
    enum elf_search found = elf_find_section(&file, ".nv_fatbin", &section);
    enum elf_search linked = elf_find_section(&file, "__nv_relfatbin", &relocatable);
    if (found == ELF_DAMAGED || linked == ELF_DAMAGED) {
        return bad(&reader, "section headers that lie within the file");
    }
    if (found == ELF_FOUND && !section.has_bytes) {
        return bad(&reader, "a section .nv_fatbin that lies within the file");
    }
    bool has_relocatable = linked == ELF_FOUND && relocatable.size > 0;
    struct fat_program program = {0};
    enum error error = ERROR_NONE;
    if (found == ELF_FOUND) {
        error = fat_section_read(arena, section.bytes.bytes, section.bytes.length, &program,
                                 diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    program.section_address = section.address;
    program.has_relocatable = has_relocatable;
    *out_program = program;
    return ERROR_NONE;
}
