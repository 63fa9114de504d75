/* fat_binary.c: from ELF to PTX text; see fat_binary.h for the layouts.
 *
 *   ELF header -> section headers -> .nv_fatbin -> fat binaries -> entries -> payload
 *
 * Every step takes a range of bytes and gives a smaller one; `struct range` and range_sub() are
 * the only way from offsets and sizes that the file holds to memory.
 */
#include "ptx/fat_binary.h"

#include "ptx/ptx.h"

#include <elf.h>
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
};

struct range {
    const uint8_t *bytes;
    size_t length;
};

/* An entry of a fat binary: machine code or PTX, and its payload. */
struct entry {
    unsigned kind;
    uint32_t arch;
    uint64_t flags;
    uint32_t compressed_bytes;
    uint64_t uncompressed_bytes;
    struct range payload;
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

/* The part [offset, offset + length) of a range; false if it does not lie within. */
static bool range_sub(struct range range, uint64_t offset, uint64_t length, struct range *out)
{
    if (offset > range.length || length > range.length - offset) {
        return false;
    }
    *out = (struct range){range.bytes + offset, (size_t)length};
    return true;
}

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

/* Splits the first entry off `rest`. */
static bool read_entry(struct range *rest, struct entry *out_entry)
{
    struct range header;
    struct range payload;

    if (!range_sub(*rest, 0, ENTRY_HEADER_BYTES, &header)) {
        return false;
    }
    uint64_t header_bytes = read_number(header.bytes + 4, 4);
    uint64_t padded_bytes = read_number(header.bytes + 8, 8);
    if (header_bytes < ENTRY_HEADER_BYTES ||
        !range_sub(*rest, header_bytes, padded_bytes, &payload)) {
        return false;
    }
    *out_entry = (struct entry){.kind = (unsigned)read_number(header.bytes, 2),
                                .compressed_bytes = (uint32_t)read_number(header.bytes + 16, 4),
                                .arch = (uint32_t)read_number(header.bytes + 28, 4),
                                .flags = read_number(header.bytes + 40, 8),
                                .uncompressed_bytes = read_number(header.bytes + 56, 8),
                                .payload = payload};
    return range_sub(*rest, header_bytes + padded_bytes, rest->length - header_bytes - padded_bytes,
                     rest);
}

/* Decompresses exactly `bytes` bytes. */
static bool decompress(const struct entry *entry, struct range packed, char *out, size_t bytes)
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
    struct range packed;

    if (bytes > PTX_TEXT_BYTES_MAX - reader->text_bytes) {
        return too_large(reader);
    }
    if (is_packed && (!range_sub(entry->payload, 0, entry->compressed_bytes, &packed) ||
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

/* One fat binary: takes the PTX of the highest arch. */
static enum error read_fat_binary(struct reader *reader, struct range entries, uint64_t offset)
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
        if (entry.kind == KIND_PTX && (best.kind == 0 || entry.arch > best.arch)) {
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

static enum error read_section(struct reader *reader, struct range section)
{
    size_t offset = 0;

    while (offset < section.length) {
        struct range header;
        struct range entries;

        if (section.bytes[offset] == 0) { /* padding */
            offset++;
            continue;
        }
        if (!range_sub(section, offset, FAT_HEADER_BYTES, &header) ||
            read_number(header.bytes, 4) != FAT_MAGIC) {
            return bad(reader, "a fat binary");
        }
        uint64_t header_bytes = read_number(header.bytes + 6, 2);
        uint64_t size = read_number(header.bytes + 8, 8);
        if (header_bytes < FAT_HEADER_BYTES ||
            !range_sub(section, offset + header_bytes, size, &entries)) {
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
    enum error error = read_section(&reader, (struct range){section, length});

    if (error != ERROR_NONE) {
        return error;
    }
    *out_program = (struct fat_program){.section_bytes = length,
                                        .modules = reader.modules,
                                        .module_count = reader.module_count,
                                        .has_only_cubins = reader.has_only_cubins};
    return ERROR_NONE;
}

/* The section header number `index`; false if it does not lie within the file. */
static bool read_header(struct range file, const Elf64_Ehdr *elf, uint64_t index,
                        Elf64_Shdr *out_header)
{
    struct range bytes;
    uint64_t offset;

    if (elf->e_shentsize != sizeof *out_header ||
        __builtin_mul_overflow(index, sizeof *out_header, &offset) ||
        __builtin_add_overflow(offset, elf->e_shoff, &offset) ||
        !range_sub(file, offset, sizeof *out_header, &bytes)) {
        return false;
    }
    memcpy(out_header, bytes.bytes, sizeof *out_header);
    return true;
}

/* Whether the name at an offset of the name section is `name`. */
static bool has_name(struct range names, uint32_t offset, const char *name)
{
    struct range bytes;

    return range_sub(names, offset, strlen(name) + 1, &bytes) &&
           memcmp(bytes.bytes, name, bytes.length) == 0;
}

/* Reads the ELF header and finds the names of sections and their number. */
static enum error read_elf(struct reader *reader, struct range file, Elf64_Ehdr *out_elf,
                           uint64_t *out_count, struct range *out_names)
{
    struct range bytes;
    Elf64_Shdr first;
    Elf64_Shdr names;

    if (!range_sub(file, 0, sizeof *out_elf, &bytes)) {
        return bad(reader, "an ELF file");
    }
    memcpy(out_elf, bytes.bytes, sizeof *out_elf);
    if (memcmp(out_elf->e_ident, ELFMAG, SELFMAG) != 0 ||
        out_elf->e_ident[EI_CLASS] != ELFCLASS64 || out_elf->e_ident[EI_DATA] != ELFDATA2LSB ||
        (out_elf->e_machine != EM_X86_64 && out_elf->e_machine != EM_AARCH64)) {
        return bad(reader, "a 64-bit little-endian ELF file for x86-64 or AArch64");
    }
    if (!read_header(file, out_elf, 0, &first)) {
        return bad(reader, "an ELF file with section headers (not stripped of them)");
    }
    /* Numbers that do not fit the ELF header stand in the first section header. */
    *out_count = out_elf->e_shnum != 0 ? out_elf->e_shnum : first.sh_size;
    uint64_t index = out_elf->e_shstrndx != SHN_XINDEX ? out_elf->e_shstrndx : first.sh_link;
    if (*out_count > file.length / sizeof first || !read_header(file, out_elf, index, &names) ||
        names.sh_type == SHT_NOBITS ||
        !range_sub(file, names.sh_offset, names.sh_size, out_names)) {
        return bad(reader, "an ELF file with names of sections");
    }
    return ERROR_NONE;
}

enum error fat_program_read(struct arena *arena, const void *elf, size_t length,
                            struct fat_program *out_program, struct diagnostic *diagnostic)
{
    struct reader reader = {.arena = arena, .diagnostic = diagnostic};
    struct range file = {elf, length};
    struct range names;
    struct range section = {NULL, 0};
    Elf64_Ehdr header;
    uint64_t count;
    uint64_t address = 0;
    bool has_relocatable = false;

    enum error error = read_elf(&reader, file, &header, &count, &names);
    if (error != ERROR_NONE) {
        return error;
    }
    for (uint64_t i = 1; i < count; i++) {
        Elf64_Shdr entry;

        if (!read_header(file, &header, i, &entry)) {
            return bad(&reader, "section headers that lie within the file");
        }
        has_relocatable |= has_name(names, entry.sh_name, "__nv_relfatbin") && entry.sh_size > 0;
        if (!has_name(names, entry.sh_name, ".nv_fatbin") || section.bytes != NULL) {
            continue;
        }
        if (entry.sh_type == SHT_NOBITS ||
            !range_sub(file, entry.sh_offset, entry.sh_size, &section)) {
            return bad(&reader, "a section .nv_fatbin that lies within the file");
        }
        address = entry.sh_addr;
    }
    if (section.bytes == NULL && !has_relocatable) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the executable has no device code (section .nv_fatbin); expected a program "
                       "with a kernel, built with nvcc");
        return ERROR_NOT_FOUND;
    }
    struct fat_program program = {0};
    if (section.bytes != NULL) {
        error = fat_section_read(arena, section.bytes, section.length, &program, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    program.section_address = address;
    program.has_relocatable = has_relocatable;
    *out_program = program;
    return ERROR_NONE;
}
