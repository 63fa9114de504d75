/* elf_file.h: the sections of an executable, and the shared libraries it needs.
 *
 *   ELF header -> section headers -> a section by its name -> its bytes
 *
 * The file is not trusted: every offset is checked, and byte_range_sub() is the only way from the
 * offsets and sizes in it to memory. Nothing is copied; everything points into the caller's bytes.
 */
#ifndef GPUGRADE_PTX_ELF_FILE_H
#define GPUGRADE_PTX_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_range {
    const uint8_t *bytes; /* [length] */
    size_t length;
};

/* Takes the part [offset, offset + length) of a range; false if it is not within the range. */
bool byte_range_sub(struct byte_range range, uint64_t offset, uint64_t length,
                    struct byte_range *out_part);

enum elf_kind { ELF_KIND_PROGRAM, ELF_KIND_LIBRARY, ELF_KIND_OBJECT };

struct elf_file {
    struct byte_range file;
    struct byte_range names; /* of sections */
    uint64_t headers_offset;
    uint64_t section_count;
    enum elf_kind kind; /* a program asks for an interpreter, a library does not */
};

struct elf_section {
    uint64_t address;
    uint64_t size;
    bool has_bytes; /* they lie within the file */
    struct byte_range bytes;
};

/* Opens a file: 64 bit, little endian, x86-64 or AArch64, with section headers. Returns NULL, or
 * what was expected instead ("an ELF file"). */
const char *elf_open(const void *bytes, size_t length, struct elf_file *out_file);

enum elf_search { ELF_FOUND, ELF_ABSENT, ELF_DAMAGED };

/* Finds the first section of a name. ELF_DAMAGED: the section headers do not lie within the file.
 */
enum elf_search elf_find_section(const struct elf_file *file, const char *name,
                                 struct elf_section *out_section);

/* Returns the first library of the dynamic section whose name starts with `prefix`
 * ("libcudart.so"); NULL if there is none. */
const char *elf_needed_library(const struct elf_file *file, const char *prefix);

#endif
