/* fat_binary.h: PTX text out of an executable that nvcc built.
 *
 *   ELF section .nv_fatbin
 *     fat binary   {u32 0xBA55ED50; u16 version 1; u16 header bytes 16; u64 size of what follows}
 *       entry      {u16 kind (1 PTX, 2 ELF); u16 0x101; u32 header bytes; u64 padded size;
 *                   u32 compressed size (0: raw); u32 offset of options in the header (0: none);
 *                   u16 minor, major; u32 arch;
 *                   u32 name offset, name length; u64 flags; u64 0; u64 uncompressed size} payload
 *         options  {u32 offset of the text in the header, u32 length} " -maxrregcount=32 "
 *       entry ...
 *     fat binary ...           (padding of zeros may lie between them; the first may be empty)
 *
 * flags 0x2000: LZ4 block, 0x8000: zstd frame. The executable comes out of a student's compiler and
 * is not trusted: every offset is checked.
 */
#ifndef GPUGRADE_PTX_FAT_BINARY_H
#define GPUGRADE_PTX_FAT_BINARY_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One fat binary with PTX in it. */
struct fat_module {
    uint64_t offset;  /* of the fat binary within .nv_fatbin: names the module */
    const char *text; /* [length] and a NUL; the PTX of compute_75, else of the lowest arch, in
                         which -maxrregcount has become .maxnreg */
    size_t length;
    uint32_t arch; /* 75 */
};

struct fat_program {
    uint64_t section_address; /* virtual address of .nv_fatbin before relocation */
    uint64_t section_bytes;   /* 0: the file has no device code of any kind, as of sources without
                                 kernels */
    const struct fat_module *modules; /* [module_count]; those without PTX are left out */
    size_t module_count;
    bool has_relocatable; /* there is a section __nv_relfatbin: built with -rdc=true */
    bool has_only_cubins; /* some fat binary holds machine code and no PTX; the empty one of nvcc's
                             link step may be such a one */
};

/* Reads the ELF file [length] (64 bit, little endian, x86-64 or AArch64). A file without the
 * section has no modules: to what has no kernels nvcc gives an empty fat binary, clang none. A
 * program that was built with -rdc=true may have none either: has_relocatable says so.
 * Errors: ERROR_SYNTAX, ERROR_LIMIT (more than PTX_TEXT_BYTES_MAX bytes of PTX in all, after
 * decompression). */
enum error fat_program_read(struct arena *arena, const void *elf, size_t length,
                            struct fat_program *out_program, struct diagnostic *diagnostic);

/* Reads the code that a program hands to the driver: a fat binary, or else PTX text, which may end
 * with zeros. The same errors; what holds no PTX has no modules. */
enum error fat_module_read(struct arena *arena, const void *bytes, size_t length,
                           struct fat_program *out_program, struct diagnostic *diagnostic);

/* Reads the section alone, for tests and fuzzing. */
enum error fat_section_read(struct arena *arena, const void *section, size_t length,
                            struct fat_program *out_program, struct diagnostic *diagnostic);

#endif
