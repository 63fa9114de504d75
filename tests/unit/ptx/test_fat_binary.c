/* test_fat_binary.c: executables and sections built here, byte by byte, and what is read. */
#include "ptx/fat_binary.h"

#include "base/text.h"

#include <elf.h>
#include <lz4.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { PTX = 1, CUBIN = 2, RAW = 0, LZ4 = 0x2000, ZSTD = 0x8000 };

static const char ptx_75[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n// aaaaaaaaaaaaaaaaaaa";
static const char ptx_90[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n// bbbbbbbbbbbbbbbbbbb";

static struct arena *arena;
static struct text section;
static struct diagnostic diagnostic;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    text_init(&section);
    memset(&diagnostic, 0, sizeof diagnostic);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    text_release(&section);
    arena_free(arena);
    return 0;
}

static void put(struct text *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        text_append_char(out, (char)(value >> (8 * i)));
    }
}

static void change(struct text *out, size_t offset, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out->bytes[offset + i] = (char)(value >> (8 * i));
    }
}

/* Appends an entry; `text` goes in with its NUL, compressed as `flags` say. */
static void put_entry(struct text *out, unsigned kind, uint32_t arch, unsigned flags,
                      const char *text)
{
    char packed[512];
    size_t bytes = strlen(text) + 1;
    size_t packed_bytes = bytes;

    if (flags == ZSTD) {
        packed_bytes = ZSTD_compress(packed, sizeof packed, text, bytes, 3);
        assert_false(ZSTD_isError(packed_bytes));
    } else if (flags == LZ4) {
        int got = LZ4_compress_default(text, packed, (int)bytes, (int)sizeof packed);
        assert_true(got > 0);
        packed_bytes = (size_t)got;
    } else {
        memcpy(packed, text, bytes);
    }
    size_t padded = (packed_bytes + 7) / 8 * 8;
    put(out, kind, 2);
    put(out, 0x101, 2);
    put(out, 64, 4);
    put(out, padded, 8);
    put(out, flags == RAW ? 0 : packed_bytes, 4);
    put(out, 0, 4);
    put(out, 0, 2);
    put(out, 9, 2);
    put(out, arch, 4);
    put(out, 0, 8);
    put(out, flags, 8);
    put(out, 0, 8);
    put(out, flags == RAW ? 0 : bytes, 8);
    text_append_bytes(out, packed, packed_bytes);
    text_append_repeated(out, '\0', padded - packed_bytes);
}

static void put_fat_binary(struct text *out, const struct text *entries)
{
    put(out, 0xBA55ED50, 4);
    put(out, 1, 2);
    put(out, 16, 2);
    put(out, entries->length, 8);
    text_append_bytes(out, entries->bytes, entries->length);
}

/* An empty fat binary, then one with three entries, padding, and one with LZ4. */
static void make_section(void)
{
    struct text entries;

    text_init(&entries);
    put_fat_binary(&section, &entries);
    put_entry(&entries, PTX, 120, RAW, ptx_75);
    put_entry(&entries, CUBIN, 120, RAW, "machine code");
    put_entry(&entries, PTX, 90, ZSTD, ptx_90);
    put_fat_binary(&section, &entries);
    text_append_repeated(&section, '\0', 24);
    text_clear(&entries);
    put_entry(&entries, PTX, 75, LZ4, ptx_75);
    put_fat_binary(&section, &entries);
    text_release(&entries);
}

static enum error read_section(struct fat_program *out_program)
{
    uint8_t *copy = malloc(section.length > 0 ? section.length : 1);

    assert_non_null(copy);
    memcpy(copy, section.bytes, section.length);
    enum error error = fat_section_read(arena, copy, section.length, out_program, &diagnostic);
    free(copy);
    return error;
}

static void test_every_module_is_read(void **state)
{
    struct fat_program program;

    (void)state;
    make_section();
    assert_int_equal(read_section(&program), ERROR_NONE);
    assert_int_equal(program.module_count, 2);
    assert_int_equal(program.modules[0].offset, 16);
    assert_int_equal(program.modules[0].arch, 90);
    assert_string_equal(program.modules[0].text, ptx_90);
    assert_int_equal(program.modules[0].length, strlen(ptx_90));
    assert_int_equal(program.modules[1].arch, 75);
    assert_string_equal(program.modules[1].text, ptx_75);
    assert_false(program.has_only_cubins);
    assert_false(program.has_relocatable);
}

/* compute_75 first, else the lowest. */
static void test_the_plainest_ptx_wins(void **state)
{
    static const struct {
        uint32_t archs[3]; /* 0: no entry */
        uint32_t best;
    } rows[] = {
        {{75, 90, 120}, 75}, {{90, 75, 0}, 75},    {{80, 90, 86}, 80}, {{120, 86, 100}, 86},
        {{50, 120, 70}, 50}, {{100, 120, 75}, 75}, {{50, 75, 90}, 75}, {{103, 0, 0}, 103},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fat_program program;
        struct text entries;

        text_init(&entries);
        text_clear(&section);
        for (size_t j = 0; j < 3 && rows[i].archs[j] != 0; j++) {
            put_entry(&entries, PTX, rows[i].archs[j], RAW, ptx_75);
        }
        put_fat_binary(&section, &entries);
        text_release(&entries);
        assert_int_equal(read_section(&program), ERROR_NONE);
        assert_int_equal(program.module_count, 1);
        assert_int_equal(program.modules[0].arch, rows[i].best);
    }
}

static void test_cubins_alone_are_told(void **state)
{
    struct fat_program program;
    struct text entries;

    (void)state;
    text_init(&entries);
    put_entry(&entries, CUBIN, 75, RAW, "machine code");
    put_fat_binary(&section, &entries);
    text_release(&entries);
    assert_int_equal(read_section(&program), ERROR_NONE);
    assert_int_equal(program.module_count, 0);
    assert_true(program.has_only_cubins);
}

/* Every number of the headers, set to something that does not fit. Offsets are those of the second
 * fat binary (at 16), whose first entry is at 32. */
static void test_bad_sizes_are_refused(void **state)
{
    static const struct {
        size_t offset;
        uint64_t value;
        size_t bytes;
    } changes[] = {
        {16, 0xBA55ED51, 4}, {22, 8, 2},          {24, UINT64_MAX, 8},
        {24, 100000, 8},     {24, 40, 8},         {36, 32, 4},
        {36, UINT32_MAX, 4}, {40, UINT64_MAX, 8}, {40, UINT64_MAX - 63, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct fat_program program;

        text_clear(&section);
        make_section();
        change(&section, changes[i].offset, changes[i].value, changes[i].bytes);
        if (read_section(&program) != ERROR_SYNTAX) {
            fail_msg("change %zu was accepted", i);
        }
        assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    }
}

static void test_bad_payloads_are_refused(void **state)
{
    struct fat_program program;
    struct text entries;
    static const unsigned packings[] = {ZSTD, LZ4};

    (void)state;
    text_init(&entries);
    for (size_t i = 0; i < 2; i++) {
        static const struct {
            size_t offset;
            uint64_t value;
            size_t bytes;
            enum error error;
        } changes[] = {
            {16 + 16, 100000, 4, ERROR_SYNTAX},                       /* compressed size */
            {16 + 56, 4, 8, ERROR_SYNTAX},                            /* uncompressed size */
            {16 + 56, 1000, 8, ERROR_SYNTAX},                         /* uncompressed size */
            {16 + 56, UINT64_MAX, 8, ERROR_LIMIT},                    /* uncompressed size */
            {16 + 56, (UINT64_C(64) << 20) + 1, 8, ERROR_LIMIT},      /* uncompressed size */
            {16 + 64, UINT64_C(0xFFFFFFFFFFFFFFFF), 8, ERROR_SYNTAX}, /* payload */
        };
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            text_clear(&entries);
            text_clear(&section);
            put_entry(&entries, PTX, 75, packings[i], ptx_75);
            put_fat_binary(&section, &entries);
            change(&section, changes[k].offset, changes[k].value, changes[k].bytes);
            enum error error = read_section(&program);
            if (error != changes[k].error) {
                fail_msg("packing %zu, change %zu: error %d", i, k, (int)error);
            }
        }
    }
    text_release(&entries);
}

static void test_every_prefix_of_a_section(void **state)
{
    (void)state;
    make_section();
    for (size_t length = section.length; length-- > 0;) {
        struct fat_program program;

        section.length = length;
        read_section(&program);
    }
}

/* An ELF file with section headers for .nv_fatbin (if there are bytes) and a section of this name.
 */
static void make_elf(struct text *out, const struct text *fat, const char *other)
{
    static const char names[] = "\0.nv_fatbin\0.shstrtab";
    size_t names_at = sizeof(Elf64_Ehdr) + fat->length;
    size_t other_at = names_at + sizeof names;
    size_t headers_at = (other_at + strlen(other) + 1 + 7) / 8 * 8;
    Elf64_Ehdr header = {.e_type = ET_DYN,
                         .e_machine = EM_X86_64,
                         .e_shoff = headers_at,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 4,
                         .e_shstrndx = 2};
    Elf64_Shdr sections[4] = {
        {0},
        {.sh_name = fat->length > 0 ? 1 : 0,
         .sh_type = SHT_PROGBITS,
         .sh_addr = 0x4000,
         .sh_offset = sizeof header,
         .sh_size = fat->length},
        {.sh_name = 12,
         .sh_type = SHT_STRTAB,
         .sh_offset = names_at,
         .sh_size = sizeof names + strlen(other) + 1},
        {.sh_name = sizeof names, .sh_type = SHT_PROGBITS, .sh_offset = 0, .sh_size = 8},
    };

    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    text_clear(out);
    text_append_bytes(out, &header, sizeof header);
    text_append_bytes(out, fat->bytes, fat->length);
    text_append_bytes(out, names, sizeof names);
    text_append_bytes(out, other, strlen(other) + 1);
    text_append_repeated(out, '\0', headers_at - out->length);
    text_append_bytes(out, sections, sizeof sections);
}

static enum error read_elf(const struct text *elf, struct fat_program *out_program)
{
    uint8_t *copy = malloc(elf->length > 0 ? elf->length : 1);

    assert_non_null(copy);
    memcpy(copy, elf->bytes, elf->length);
    enum error error = fat_program_read(arena, copy, elf->length, out_program, &diagnostic);
    free(copy);
    return error;
}

static void test_elf_files(void **state)
{
    struct fat_program program;
    struct text elf;
    struct text nothing;

    (void)state;
    text_init(&elf);
    text_init(&nothing);
    make_section();
    make_elf(&elf, &section, ".text");
    assert_int_equal(read_elf(&elf, &program), ERROR_NONE);
    assert_int_equal(program.section_address, 0x4000);
    assert_int_equal(program.section_bytes, section.length);
    assert_int_equal(program.module_count, 2);
    assert_false(program.has_relocatable);
    make_elf(&elf, &nothing, "__nv_relfatbin");
    assert_int_equal(read_elf(&elf, &program), ERROR_NONE);
    assert_int_equal(program.module_count, 0);
    assert_true(program.has_relocatable);
    make_elf(&elf, &nothing, ".text");
    assert_int_equal(read_elf(&elf, &program), ERROR_NONE);
    assert_int_equal(program.module_count, 0);
    assert_int_equal(program.section_bytes, 0);
    assert_false(program.has_relocatable);
    text_release(&elf);
    text_release(&nothing);
}

static void test_bad_elf_files(void **state)
{
    static const struct {
        size_t offset;
        uint64_t value;
        size_t bytes;
    } changes[] = {
        {0, 0, 1},
        {EI_CLASS, ELFCLASS32, 1},
        {EI_DATA, ELFDATA2MSB, 1},
        {offsetof(Elf64_Ehdr, e_machine), EM_386, 2},
        {offsetof(Elf64_Ehdr, e_shoff), 0xFFFFFFFFFFFFFFF0, 8},
        {offsetof(Elf64_Ehdr, e_shoff), 100000, 8},
        {offsetof(Elf64_Ehdr, e_shentsize), 32, 2},
        {offsetof(Elf64_Ehdr, e_shnum), 5, 2},
        {offsetof(Elf64_Ehdr, e_shstrndx), 9, 2},
    };
    struct fat_program program;
    struct text elf;

    (void)state;
    text_init(&elf);
    make_section();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_elf(&elf, &section, ".text");
        change(&elf, changes[i].offset, changes[i].value, changes[i].bytes);
        if (read_elf(&elf, &program) != ERROR_SYNTAX) {
            fail_msg("change %zu was accepted", i);
        }
    }
    for (size_t length = elf.length; length-- > 0;) {
        make_elf(&elf, &section, ".text");
        elf.length = length;
        assert_int_not_equal(read_elf(&elf, &program), ERROR_NONE);
    }
    text_release(&elf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_module_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_plainest_ptx_wins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cubins_alone_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_sizes_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_payloads_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_prefix_of_a_section, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_elf_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_elf_files, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
