/* elf_file.c: see elf_file.h. */
#include "ptx/elf_file.h"

#include <elf.h>
#include <string.h>

bool byte_range_sub(struct byte_range range, uint64_t offset, uint64_t length,
                    struct byte_range *out_part)
{
    if (offset > range.length || length > range.length - offset) {
        return false;
    }
    *out_part = (struct byte_range){range.bytes + offset, (size_t)length};
    return true;
}

/* The section header number `index`; false if it does not lie within the file. */
static bool read_header(struct byte_range file, uint64_t headers_offset, uint64_t index,
                        Elf64_Shdr *out_header)
{
    struct byte_range bytes;
    uint64_t offset;

    if (__builtin_mul_overflow(index, sizeof *out_header, &offset) ||
        __builtin_add_overflow(offset, headers_offset, &offset) ||
        !byte_range_sub(file, offset, sizeof *out_header, &bytes)) {
        return false;
    }
    memcpy(out_header, bytes.bytes, sizeof *out_header);
    return true;
}

/* Whether the name at an offset of the name section is `name`. */
static bool has_name(struct byte_range names, uint32_t offset, const char *name)
{
    struct byte_range bytes;

    return byte_range_sub(names, offset, strlen(name) + 1, &bytes) &&
           memcmp(bytes.bytes, name, bytes.length) == 0;
}

static bool has_good_machine(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           (header->e_machine == EM_X86_64 || header->e_machine == EM_AARCH64);
}

/* A position-independent program and a library differ in the interpreter alone. */
static enum elf_kind find_kind(const struct elf_file *file, const Elf64_Ehdr *header)
{
    struct elf_section section;

    if (header->e_type == ET_REL) {
        return ELF_KIND_OBJECT;
    }
    if (header->e_type == ET_DYN && elf_find_section(file, ".interp", &section) == ELF_ABSENT) {
        return ELF_KIND_LIBRARY;
    }
    return ELF_KIND_PROGRAM;
}

const char *elf_open(const void *bytes, size_t length, struct elf_file *out_file)
{
    struct elf_file file = {.file = {bytes, length}};
    struct byte_range head;
    Elf64_Ehdr header;
    Elf64_Shdr first;
    Elf64_Shdr names;

    if (!byte_range_sub(file.file, 0, sizeof header, &head)) {
        return "an ELF file";
    }
    memcpy(&header, head.bytes, sizeof header);
    if (!has_good_machine(&header)) {
        return "a 64-bit little-endian ELF file for x86-64 or AArch64";
    }
    file.headers_offset = header.e_shoff;
    if (header.e_shentsize != sizeof first ||
        !read_header(file.file, file.headers_offset, 0, &first)) {
        return "an ELF file with section headers (not stripped of them)";
    }
    /* Numbers that do not fit the ELF header stand in the first section header. */
    file.section_count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    uint64_t index = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
    if (file.section_count > length / sizeof first ||
        !read_header(file.file, file.headers_offset, index, &names) ||
        names.sh_type == SHT_NOBITS ||
        !byte_range_sub(file.file, names.sh_offset, names.sh_size, &file.names)) {
        return "an ELF file with names of sections";
    }
    file.kind = find_kind(&file, &header);
    *out_file = file;
    return NULL;
}

enum elf_search elf_find_section(const struct elf_file *file, const char *name,
                                 struct elf_section *out_section)
{
    for (uint64_t i = 1; i < file->section_count; i++) {
        Elf64_Shdr header;

        if (!read_header(file->file, file->headers_offset, i, &header)) {
            return ELF_DAMAGED;
        }
        if (!has_name(file->names, header.sh_name, name)) {
            continue;
        }
        struct elf_section section = {.address = header.sh_addr, .size = header.sh_size};
        section.has_bytes =
            header.sh_type != SHT_NOBITS &&
            byte_range_sub(file->file, header.sh_offset, header.sh_size, &section.bytes);
        *out_section = section;
        return ELF_FOUND;
    }
    return ELF_ABSENT;
}

/* The NUL-terminated string at an offset; NULL if it does not end within the range. */
static const char *string_at(struct byte_range strings, uint64_t offset)
{
    if (offset >= strings.length ||
        memchr(strings.bytes + offset, '\0', strings.length - (size_t)offset) == NULL) {
        return NULL;
    }
    return (const char *)strings.bytes + offset;
}

const char *elf_needed_library(const struct elf_file *file, const char *prefix)
{
    struct elf_section dynamic;
    struct elf_section strings;

    if (elf_find_section(file, ".dynamic", &dynamic) != ELF_FOUND || !dynamic.has_bytes ||
        elf_find_section(file, ".dynstr", &strings) != ELF_FOUND || !strings.has_bytes) {
        return NULL;
    }
    for (size_t i = 0; i < dynamic.bytes.length / sizeof(Elf64_Dyn); i++) {
        Elf64_Dyn entry;

        memcpy(&entry, dynamic.bytes.bytes + i * sizeof entry, sizeof entry);
        if (entry.d_tag == DT_NULL) {
            break;
        }
        const char *name =
            entry.d_tag == DT_NEEDED ? string_at(strings.bytes, entry.d_un.d_val) : NULL;
        if (name != NULL && strncmp(name, prefix, strlen(prefix)) == 0) {
            return name;
        }
    }
    return NULL;
}
