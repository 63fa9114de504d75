/* served_program.c: see served_program.h. */
#include "toolchain/served_program.h"

#include "base/file.h"
#include "base/text.h"
#include "ptx/elf_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_BYTES_MAX ((size_t)1 << 30)
#define FLAGS "-cudart shared -lineinfo -gencode arch=compute_75,code=compute_75"

/* Libraries that need a real GPU, by the start of their names. */
static const struct {
    const char *prefix;
    const char *what;
} foreign_libraries[] = {
    {"libcublasLt", "cuBLASLt"}, {"libnvblas", "NVBLAS"},     {"libcufftw", "cuFFTW"},
    {"libcusparse", "cuSPARSE"}, {"libcusolver", "cuSOLVER"}, {"libcudnn", "cuDNN"},
    {"libnccl", "NCCL"},         {"libnpp", "NPP"},           {"libnvjpeg", "nvJPEG"},
};

/* Libraries that have a stand-in, and the version that goes with this CUDA. */
static const struct {
    const char *prefix;
    const int version;
} own_libraries[] = {
    {"libcudart.so.", CUDART_MAJOR},    {"libcublas.so.", CUDART_MAJOR}, {"libcurand.so.", 10},
    {"libcufft.so.", CUDART_MAJOR - 1}, {"libnvrtc.so.", CUDART_MAJOR},  {"libcuda.so.", 1},
};

const char *served_library(struct arena *arena, size_t index)
{
    if (index >= sizeof own_libraries / sizeof own_libraries[0]) {
        return NULL;
    }
    return arena_printf(arena, "%s%d", own_libraries[index].prefix, own_libraries[index].version);
}

const char *served_program_flags(void)
{
    return FLAGS;
}

static enum error refuse(enum error error, struct diagnostic *diagnostic, const char *name,
                         const char *why)
{
    diagnostic_set(diagnostic, BLAME_USAGE, "'%s' %s", name, why);
    return error;
}

/* Looks at the file before it is read. */
static enum error check_file(const char *path, const char *name, struct diagnostic *diagnostic)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be opened: %s", name, strerror(errno));
        return ERROR_NOT_FOUND;
    }
    if (S_ISDIR(status.st_mode)) {
        return refuse(ERROR_IO, diagnostic, name,
                      "is a folder; name a program that nvcc built, or a .cu file");
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(ERROR_IO, diagnostic, name, "is not a regular file");
    }
    if (access(path, R_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot be read: %s", name, strerror(errno));
        return ERROR_IO;
    }
    return ERROR_NONE;
}

/* Says what a file is that is no program; NULL if it is one. */
static const char *why_no_program(const char *bytes, size_t length, const char *path,
                                  const char *expected, const struct elf_file *file)
{
    if (length >= 2 && memcmp(bytes, "#!", 2) == 0) {
        return "is a script; name the program that it starts";
    }
    if (expected != NULL) {
        return length >= 4 && memcmp(bytes, "\177ELF", 4) == 0
                   ? ("is not an ELF file with section headers for this machine; "
                      "build it here with nvcc")
                   : "is not a program (not an ELF file); name one that nvcc built, or a .cu file";
    }
    if (file->kind == ELF_KIND_OBJECT) {
        return "is an object file; link it with nvcc first";
    }
    if (file->kind == ELF_KIND_LIBRARY) {
        return "is a shared library; name a program";
    }
    if (access(path, X_OK) != 0) {
        return "may not be executed; chmod +x makes it executable";
    }
    return NULL;
}

/* Adds a line for each obstacle and the flag that removes it. */
static void list_obstacles(struct arena *arena, const struct elf_file *file,
                           const struct fat_program *code, uint32_t most_arch, struct text *out)
{
    if (code->section_bytes > 0 && elf_needed_library(file, "libcudart.so") == NULL) {
        text_append(out, "\n  it contains its own CUDA runtime, which is nvcc's default: "
                         "add -cudart shared");
    }
    for (size_t i = 0; i < sizeof own_libraries / sizeof own_libraries[0]; i++) {
        const char *needed = elf_needed_library(file, own_libraries[i].prefix);
        const char *ours = served_library(arena, i);
        if (needed != NULL && strcmp(needed, ours) != 0) {
            text_printf(out,
                        "\n  it was built for %.100s and this is %s: build it with this machine's "
                        "nvcc",
                        needed, ours);
        }
    }
    if (code->has_relocatable) {
        text_append(out, "\n  its device code is compiled separately and linked later: build "
                         "without -rdc=true and -dc, with each __device__ function in the file "
                         "that calls it or in a header; kernels that launch kernels cannot run");
    } else if (code->module_count == 0 && code->has_only_cubins) {
        text_append(out, "\n  it contains device code without PTX: "
                         "add -gencode arch=compute_75,code=compute_75");
    }
    for (size_t i = 0; i < code->module_count; i++) {
        if (code->modules[i].arch > most_arch) {
            text_printf(out,
                        "\n  its PTX is for compute_%u and the GPU model has compute_%u: "
                        "add -gencode arch=compute_75,code=compute_75",
                        (unsigned)code->modules[i].arch, (unsigned)most_arch);
            break;
        }
    }
}

/* Adds a line for each library that no flag removes. */
static void list_libraries(const struct elf_file *file, struct text *out)
{
    for (size_t i = 0; i < sizeof foreign_libraries / sizeof foreign_libraries[0]; i++) {
        const char *library = elf_needed_library(file, foreign_libraries[i].prefix);
        if (library != NULL) {
            text_printf(out, "\n  it uses %s (%.100s), which needs a real GPU",
                        foreign_libraries[i].what, library);
        }
    }
}

static enum error check_code(struct arena *arena, const struct elf_file *file, const char *name,
                             const struct fat_program *code, uint32_t most_arch,
                             struct diagnostic *diagnostic)
{
    struct text obstacles;
    enum error error = ERROR_NONE;

    text_init(&obstacles);
    list_obstacles(arena, file, code, most_arch, &obstacles);
    const bool is_worth_a_build = obstacles.length > 0;
    list_libraries(file, &obstacles);
    if (obstacles.length > 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' cannot run on the emulated device:%s%s", name,
                       obstacles.bytes, is_worth_a_build ? "\nrebuild it: nvcc " FLAGS " ..." : "");
        error = ERROR_UNSUPPORTED;
    }
    text_release(&obstacles);
    return error;
}

static bool loads_stand_in(const struct elf_file *file)
{
    bool is_loaded = false;

    for (size_t i = 0; i < sizeof own_libraries / sizeof own_libraries[0]; i++) {
        is_loaded = is_loaded || elf_needed_library(file, own_libraries[i].prefix) != NULL;
    }
    return is_loaded;
}

enum error served_program_read(struct arena *arena, const char *path, const char *name,
                               uint32_t most_arch, struct fat_program *out_code,
                               struct diagnostic *diagnostic)
{
    struct elf_file file;
    struct fat_program code;
    char *bytes;
    size_t length;
    enum error error = check_file(path, name, diagnostic);

    if (error == ERROR_NONE) {
        error = file_read(arena, path, PROGRAM_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    const char *expected = elf_open(bytes, length, &file);
    const char *problem = why_no_program(bytes, length, path, expected, &file);
    if (problem != NULL) {
        return refuse(ERROR_UNSUPPORTED, diagnostic, name, problem);
    }
    error = fat_program_read(arena, bytes, length, &code, diagnostic);
    if (error != ERROR_NONE) {
        diagnostic->blame = BLAME_USAGE;
        return ERROR_UNSUPPORTED;
    }
    if (code.section_bytes == 0 && !code.has_relocatable && !loads_stand_in(&file)) {
        return refuse(ERROR_UNSUPPORTED, diagnostic, name,
                      "contains no device code and does not load the CUDA runtime: was it built "
                      "from a .cu file? kernels in a shared library cannot be run");
    }
    error = check_code(arena, &file, name, &code, most_arch, diagnostic);
    if (error == ERROR_NONE) {
        *out_code = code;
    }
    return error;
}
