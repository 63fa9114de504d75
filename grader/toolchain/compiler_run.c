/* compiler_run.c: see compiler_run.h. */
#include "toolchain/compiler_run.h"

#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COMPILER_OUTPUT_BYTES (UINT64_C(1) << 20)
#define COMPILER_FILE_BYTES (UINT64_C(256) << 20)

/* nvcc and g++ run a few programs one after another; their text is hostile, so it is bounded. */
enum { COMPILER_TASKS = 256 };

#define COMPILER_90 "arch=compute_90,code=compute_90"

/* What a source needs that has a word and, if there is one, a second word. */
static const struct {
    const char *word, *second;
    const char *architecture;
} needs[] = {
    /* of the primitives, cooperative groups and cuda::memcpy_async; PTX; cuda::ptx */
    {"memcpy_async", "", COMPILER_80},
    {"cp.async", "", COMPILER_80},
    {"cp_async", "", COMPILER_80},
    {"mbarrier", "", COMPILER_80},
    {"__reduce_", "_sync", COMPILER_80},
    {"redux.sync", "", COMPILER_80},
    {"wmma", "precision::tf32", COMPILER_80},
    {"wmma", "__nv_bfloat16", COMPILER_80},
    {"wmma", "double", COMPILER_80},
    {"mma.sync", "m16n8k16", COMPILER_80},
    {"mma.sync", "m16n8k32", COMPILER_80},
    {"mma.sync", "m16n8k64", COMPILER_80},
    {"mma.sync", "tf32", COMPILER_80},
    {"mma.sync", ".bf16", COMPILER_80},
    {"mma.sync", ".f64", COMPILER_80},
    {"cvt.", "tf32.f32", COMPILER_80},
    {"cvt.", ".satfinite", COMPILER_80},
    {"cvt.", ".relu", COMPILER_80},
    {"cvt.", "e4m3x2", COMPILER_90},
    {"cvt.", "e5m2x2", COMPILER_90},
    {"cvt.rn.tf32", "", COMPILER_90},
    {"cvt.rz.tf32", "", COMPILER_90},
    {"stmatrix", "", COMPILER_90},
};

static bool has_word(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

const char *compiler_architecture(const char *text, size_t length, const char *out_words[2])
{
    const char *architecture = COMPILER_USUAL;
    const char *words[2] = {"", ""};

    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (strcmp(needs[i].architecture, architecture) > 0 &&
            has_word(text, length, needs[i].word) && has_word(text, length, needs[i].second)) {
            architecture = needs[i].architecture;
            words[0] = needs[i].word;
            words[1] = needs[i].second;
        }
    }
    if (out_words != NULL) {
        memcpy(out_words, words, sizeof words);
    }
    return architecture;
}

uint32_t compiler_capability(const char *architecture)
{
    return (uint32_t)strtoul(architecture + strlen("arch=compute_"), NULL, 10);
}

const char *compiler_capability_text(struct arena *arena, uint32_t capability)
{
    return arena_printf(arena, "%" PRIu32 ".%" PRIu32, capability / 10, capability % 10);
}

const char *const *compiler_flags(struct arena *arena, const struct rubric *rubric,
                                  const struct rubric_program *program, const char *architecture)
{
    const char *const fixed[] = {
        "-c",         "-ccbin", "/usr/bin/g++", "-cudart",  "shared",     "-lineinfo",
        "-Xcompiler", "-g1",    "-no-compress", "-gencode", architecture,
    };
    size_t fixed_count = sizeof fixed / sizeof fixed[0];
    size_t count = 0;
    const char **flags = arena_array(
        arena, fixed_count + program->flag_count + program->define_count + 2, sizeof *flags);

    for (size_t i = 0; i < fixed_count; i++) {
        flags[count++] = fixed[i];
    }
    if (rubric->arithmetic == ARITHMETIC_NO_FMAD) {
        flags[count++] = "-fmad=false";
    }
    for (size_t i = 0; i < program->flag_count; i++) {
        flags[count++] = program->flags[i];
    }
    for (size_t i = 0; i < program->define_count; i++) {
        flags[count++] =
            arena_printf(arena, "-D%s=%s", program->defines[i].name, program->defines[i].value);
    }
    return flags;
}

const char *compiler_linker(const struct compiler *compiler)
{
    return compiler->kind == COMPILER_CLANG ? compiler->clang : "/usr/bin/g++";
}

void compiler_spec_mount(struct sandbox_spec *spec, const char *path, bool writable)
{
    /* The system's folders are there in every sandbox. */
    if (!writable && text_starts_with(path, "/usr/")) {
        return;
    }
    assert(spec->mount_count < SANDBOX_MOUNTS_MAX);
    spec->mounts[spec->mount_count++] = (struct sandbox_mount){path, path, writable};
}

struct sandbox_limits compiler_limits(const struct limits *limits)
{
    return (struct sandbox_limits){
        .wall_ns = limits->compile_wall_ns,
        .cpu_ns = limits->compile_wall_ns,
        .memory_bytes = limits->compile_memory_bytes,
        .processes = COMPILER_TASKS,
        .output_bytes = COMPILER_OUTPUT_BYTES,
        .file_bytes = COMPILER_FILE_BYTES,
    };
}

void compiler_spec_init(const struct toolchain *toolchain, const struct limits *limits,
                        const char *scratch_folder, struct arena *arena,
                        struct sandbox_spec *out_spec)
{
    static const size_t variables = 2;
    const char **environment = arena_array(arena, variables + 1, sizeof *environment);

    /* Nothing of the grader's own environment: NVCC_APPEND_FLAGS and its like change a build. */
    environment[0] =
        toolchain->compiler.kind == COMPILER_NVCC
            ? arena_printf(arena, "PATH=%s/bin:/usr/bin:/bin", toolchain->compiler.folder)
            : "PATH=/usr/bin:/bin";
    environment[1] = "LC_ALL=C";
    *out_spec = (struct sandbox_spec){
        .environment = environment,
        .folder = "/",
        .limits = compiler_limits(limits),
        .channel_fd = -1,
        .watches_steps = true,
        .temporary_folder = toolchain->sandbox->sizes_tmpfs ? NULL : scratch_folder,
    };
}
