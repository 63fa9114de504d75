/* test_elf_file.c: this test's own executable, whole, cut and changed. */
#include "ptx/elf_file.h"

#include "base/arena.h"
#include "base/file.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static char *bytes;
static size_t length;

static int set_up(void **state)
{
    char *path = realpath("/proc/self/exe", NULL);

    (void)state;
    arena = arena_new();
    assert_int_equal(file_read(arena, path, 64 << 20, BLAME_GRADER, &bytes, &length, NULL),
                     ERROR_NONE);
    free(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void sections_and_libraries_are_found(void **state)
{
    struct elf_file file;
    struct elf_section section;

    (void)state;
    assert_null(elf_open(bytes, length, &file));
    assert_int_equal(file.kind, ELF_KIND_PROGRAM);
    assert_int_equal(elf_find_section(&file, ".text", &section), ELF_FOUND);
    assert_true(section.has_bytes && section.bytes.length == section.size);
    assert_int_equal(elf_find_section(&file, ".bss", &section), ELF_FOUND);
    assert_false(section.has_bytes);
    assert_int_equal(elf_find_section(&file, ".tex", &section), ELF_ABSENT);
    assert_int_equal(elf_find_section(&file, ".text.", &section), ELF_ABSENT);
    assert_string_equal(elf_needed_library(&file, "libc.so"), "libc.so.6");
    assert_non_null(elf_needed_library(&file, "libcmocka"));
    assert_null(elf_needed_library(&file, "libcudart.so"));
}

static void other_files_are_told(void **state)
{
    struct elf_file file;

    (void)state;
    assert_non_null(elf_open("", 0, &file));
    assert_non_null(elf_open(bytes, sizeof(Elf64_Ehdr) - 1, &file));
    bytes[EI_CLASS] = ELFCLASS32;
    assert_non_null(elf_open(bytes, length, &file));
    bytes[EI_CLASS] = ELFCLASS64;
    bytes[EI_DATA] = ELFDATA2MSB;
    assert_non_null(elf_open(bytes, length, &file));
}

static void kinds_are_told(void **state)
{
    struct elf_file file;
    Elf64_Ehdr header;

    (void)state;
    memcpy(&header, bytes, sizeof header);
    header.e_type = ET_REL;
    memcpy(bytes, &header, sizeof header);
    assert_null(elf_open(bytes, length, &file));
    assert_int_equal(file.kind, ELF_KIND_OBJECT);
    header.e_type = ET_DYN;
    memcpy(bytes, &header, sizeof header);
    char *interpreter = memmem(file.names.bytes, file.names.length, ".interp", 8);
    assert_non_null(interpreter);
    interpreter[1] = 'x';
    assert_null(elf_open(bytes, length, &file));
    assert_int_equal(file.kind, ELF_KIND_LIBRARY);
}

/* Under the address sanitizer a wrong access shows. */
static void no_prefix_is_read_beyond_its_end(void **state)
{
    struct elf_section section;
    struct elf_file file;

    (void)state;
    for (size_t cut = 0; cut < length; cut += 997) {
        char *copy = malloc(cut + 1);
        memcpy(copy, bytes, cut);
        if (elf_open(copy, cut, &file) == NULL) {
            elf_find_section(&file, ".nv_fatbin", &section);
            elf_needed_library(&file, "libc");
        }
        free(copy);
    }
}

static void changed_headers_are_survived(void **state)
{
    struct elf_section section;
    struct elf_file file;
    uint64_t seed = 12345;
    Elf64_Ehdr header;

    (void)state;
    memcpy(&header, bytes, sizeof header);
    for (int i = 0; i < 20000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        size_t at = header.e_shoff + (size_t)(seed >> 33) % (length - header.e_shoff);
        char before = bytes[at];
        bytes[at] = (char)(seed >> 17);
        if (elf_open(bytes, length, &file) == NULL) {
            elf_find_section(&file, ".nv_fatbin", &section);
            elf_needed_library(&file, "libnosuch");
        }
        bytes[at] = i % 4 == 0 ? bytes[at] : before;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sections_and_libraries_are_found),
        TEST(other_files_are_told),
        TEST(kinds_are_told),
        TEST(no_prefix_is_read_beyond_its_end),
        TEST(changed_headers_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
