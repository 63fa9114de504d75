/* compiler_run.c: see compiler_run.h. */
#include "toolchain/compiler_run.h"

#include "base/text.h"

#include <assert.h>

#define COMPILER_OUTPUT_BYTES (UINT64_C(1) << 20)
#define COMPILER_FILE_BYTES (UINT64_C(256) << 20)

const char *const *compiler_flags(struct arena *arena, const struct rubric *rubric,
                                  const struct rubric_program *program)
{
    static const char *const fixed[] = {
        "-c",           "-ccbin",   "/usr/bin/g++",
        "-cudart",      "shared",   "-lineinfo",
        "-no-compress", "-gencode", "arch=compute_75,code=compute_75",
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

void compiler_spec_mount(struct sandbox_spec *spec, const char *path, bool writable)
{
    /* The system's folders are there in every sandbox. */
    if (!writable && text_starts_with(path, "/usr/")) {
        return;
    }
    assert(spec->mount_count < SANDBOX_MOUNTS_MAX);
    spec->mounts[spec->mount_count++] = (struct sandbox_mount){path, path, writable};
}

void compiler_spec_init(const struct toolchain *toolchain, const struct limits *limits,
                        const char *scratch_folder, struct arena *arena,
                        struct sandbox_spec *out_spec)
{
    static const size_t variables = 2;
    const char **environment = arena_array(arena, variables + 1, sizeof *environment);

    /* Nothing of the grader's own environment: NVCC_APPEND_FLAGS and its like change a build. */
    environment[0] = arena_printf(arena, "PATH=%s/bin:/usr/bin:/bin", toolchain->cuda_folder);
    environment[1] = "LC_ALL=C";
    *out_spec = (struct sandbox_spec){
        .environment = environment,
        .folder = "/",
        .limits = {.wall_ns = limits->compile_wall_ns,
                   .cpu_ns = limits->compile_wall_ns,
                   .memory_bytes = limits->compile_memory_bytes,
                   .output_bytes = COMPILER_OUTPUT_BYTES,
                   .file_bytes = COMPILER_FILE_BYTES},
        .channel_fd = -1,
        .temporary_folder = toolchain->sandbox->tier == SANDBOX_C ? scratch_folder : NULL,
    };
    compiler_spec_mount(out_spec, toolchain->cuda_folder, false);
}

struct program_end compiler_end(const struct sandbox_end *end, const struct limits *limits,
                                bool out_of_memory)
{
    static const enum ending endings[] = {
        [SANDBOX_EXITED] = ENDING_EXITED,
        [SANDBOX_SIGNALLED] = ENDING_SIGNALLED,
        [SANDBOX_WALL_LIMIT] = ENDING_WALL_LIMIT,
        [SANDBOX_CPU_LIMIT] = ENDING_CPU_LIMIT,
        [SANDBOX_OUTPUT_LIMIT] = ENDING_OUTPUT_LIMIT,
        [SANDBOX_FILE_LIMIT] = ENDING_FILE_LIMIT,
        [SANDBOX_STOPPED] = ENDING_STOPPED,
    };
    struct program_end result = {
        .ending = endings[end->ending],
        .exit_status = end->exit_status,
        .signal = end->signal,
        .limit = end->limit,
    };

    if (out_of_memory && (end->ending == SANDBOX_EXITED || end->ending == SANDBOX_SIGNALLED)) {
        result.ending = ENDING_MEMORY_LIMIT;
        result.limit = limits->compile_memory_bytes;
    }
    return result;
}
