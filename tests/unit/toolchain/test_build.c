/* test_build.c: real builds with nvcc, in the sandbox, and how they fail.
 *
 * The harness and the sources are small ones of this test. Without a CUDA toolkit everything here
 * is skipped visibly.
 */
#include "build_fixture.h"
#include "toolchain/compiler_run.h"
#include "toolchain/file_build.h"

static enum error assemble(struct site *site, const char *ptx, size_t length,
                           struct assembled_module *out_module)
{
    return toolchain_assemble(&site->toolchain, site->arena, ptx, length, 9, 0, site->folder,
                              out_module, &site->diagnostic);
}

static void good_source_is_built(void **state)
{
    struct site *site = need(state);
    struct assembled_module assembled;

    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.attempted && site->built.build.compiled);
    assert_true(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_NONE);
    assert_int_equal(access(site->built.executable, X_OK), 0);
    struct stat status;
    assert_int_equal(stat(site->built.executable, &status), 0);
    assert_int_equal(status.st_uid, geteuid());
    const struct fat_module *module = NULL;
    for (size_t i = 0; i < site->built.code.module_count; i++) {
        if (strstr(site->built.code.modules[i].text, "_Z4fillPf") != NULL) {
            module = &site->built.code.modules[i];
            assert_false(site->built.is_given[i]);
        }
    }
    assert_non_null(module);
    assert_int_equal(module->arch, 75);
    assert_int_equal(assemble(site, module->text, module->length, &assembled), ERROR_NONE);
    assert_int_equal(assembled.kernel_count, 1);
    const struct kernel_resources *kernel = &assembled.kernels[0];
    assert_string_equal(kernel->name, "_Z4fillPf");
    assert_string_equal(kernel->plain_name, "fill");
    assert_int_equal(kernel->static_shared_bytes, 256);
    assert_int_equal(kernel->max_threads, 128);
    assert_true(kernel->registers > 0 && kernel->registers < 64);
    assert_true(assembled.image_bytes > 64);
    assert_memory_equal(assembled.image, "\177ELF", 4);
    assert_non_null(memmem(assembled.image, assembled.image_bytes, ".text._Z4fillPf", 15));
    assert_int_equal(assemble(site, "nonsense", 8, &assembled), ERROR_FAILED);
    assert_true(site->diagnostic.message[0] != '\0');
}

/* Words of a source decide what it is compiled for; the greatest need counts. */
static void a_source_is_compiled_for_what_it_needs(void **state)
{
    static const struct {
        const char *text, *architecture;
    } needs[] = {
        {"c[i] = a[i] + b[i];", COMPILER_USUAL},
        {"wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;", COMPILER_USUAL},
        {"double x; __nv_bfloat16 y;", COMPILER_USUAL},
        {"wmma::fragment<wmma::accumulator, 8, 8, 4, double> f;",
         "arch=compute_80,code=compute_80"},
        {"x = __reduce_add_sync(mask, x);", "arch=compute_80,code=compute_80"},
        {"asm(\"cvt.rna.tf32.f32 %0, %1;\"", "arch=compute_80,code=compute_80"},
        {"asm(\"cvt.rn.satfinite.e4m3x2.f32", "arch=compute_90,code=compute_90"},
        {"// stmatrix, after cp.async", "arch=compute_90,code=compute_90"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        assert_string_equal(compiler_architecture(needs[i].text, strlen(needs[i].text), NULL),
                            needs[i].architecture);
    }
}

/* `run` also follows conditions, as far as the device goes, and says what decides. */
static void conditions_decide_what_a_file_is_built_for(void **state)
{
    static const struct {
        const char *text;
        uint32_t most;
        const char *architecture, *remark;
    } rows[] = {
        {"c[i] = a[i];", 90, COMPILER_USUAL, NULL},
        {"#if __CUDA_ARCH__ >= 700\n#endif", 90, COMPILER_USUAL, NULL},
        {"#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ < 800\n", 90, COMPILER_USUAL, NULL},
        {"__reduce_add_sync(m, x);", 90, "arch=compute_80,code=compute_80",
         "f.cu is built for compute capability 8.0, since it has `__reduce_` and `_sync`"},
        {"\n#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 800)\n", 90,
         "arch=compute_80,code=compute_80",
         "f.cu is built for compute capability 8.0, since line 2 has code for 8.0"},
        {"#if __CUDA_ARCH__>=900\n", 90, "arch=compute_80,code=compute_80",
         "f.cu is built for compute capability 8.0: the code for 9.0 in line 1 is left out"},
        {"#if __CUDA_ARCH__ < 860\n#else\n", 75, COMPILER_USUAL,
         "f.cu is built for compute capability 7.5: the code for 8.6 in line 2 is left out"},
        {"#if __CUDA_ARCH__ >= 1000\n// stmatrix", 90, "arch=compute_90,code=compute_90",
         "f.cu is built for compute capability 9.0: the code for 10.0 in line 1 is left out"},
        {"#if __CUDA_ARCH__ >=", 90, COMPILER_USUAL, NULL},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *remark = "";
        assert_string_equal(file_build_architecture(arena, "f.cu", rows[i].text,
                                                    strlen(rows[i].text), rows[i].most, &remark),
                            rows[i].architecture);
        if (rows[i].remark == NULL) {
            assert_null(remark);
        } else {
            assert_string_equal(remark, rows[i].remark);
        }
    }
    arena_free(arena);
}

/* nvcc keeps the limit beside the PTX. */
static void a_limit_of_registers_holds(void **state)
{
    static const char *const flags[] = {"-maxrregcount=40"};
    struct site *site = need(state);
    struct assembled_module assembled;

    for (int i = 0; i < 2; i++) {
        site->program.flags = flags;
        site->program.flag_count = (size_t)i;
        assert_int_equal(build_text(site, hungry_text()), ERROR_NONE);
        assert_true(site->built.build.linked);
        const struct fat_program *code = &site->built.code;
        for (size_t k = 0; k < code->module_count; k++) {
            const struct fat_module *module = &code->modules[k];
            assert_int_equal(assemble(site, module->text, module->length, &assembled), ERROR_NONE);
            if (assembled.kernel_count > 0) {
                assert_in_range(assembled.kernels[0].registers, i == 0 ? 41 : 24,
                                i == 0 ? 255 : 40);
            }
        }
    }
}

/* What a ptxas leaves that its input has taken over is neither followed nor waited for. It is its
 * old self with the grader's own, empty module. */
static void machine_code_is_taken_safely(void **state)
{
    static const char *const takeovers[] = {
        "ln -s /etc/passwd \"$5\"", "mkfifo \"$5\"",        "mkdir \"$5\"",
        "truncate -s 65M \"$5\"",   "rm -rf \"${5%/*}\"/*",
    };
    struct site *site = need(state);
    struct toolchain toolchain = site->toolchain;
    const char *folder = make(site, "toolkit/bin");
    struct assembled_module assembled;

    snprintf(toolchain.compiler.folder, sizeof toolchain.compiler.folder, "%s/toolkit",
             site->folder);
    for (size_t i = 0; i < sizeof takeovers / sizeof takeovers[0]; i++) {
        const char *script = arena_printf(
            site->arena, "#!/bin/sh\ngrep -q target \"$3\" && exit 0\n%s\n", takeovers[i]);
        write_file(site, folder, "ptxas", script);
        assert_int_equal(chmod(arena_printf(site->arena, "%s/ptxas", folder), 0755), 0);
        assert_int_equal(toolchain_assemble(&toolchain, site->arena, "", 0, 9, 0, site->folder,
                                            &assembled, &site->diagnostic),
                         ERROR_FAILED);
        assert_int_equal(site->diagnostic.blame, BLAME_STUDENT);
    }
    /* One that kills itself looks like one that was killed. */
    write_file(site, folder, "ptxas", "#!/bin/sh\nkill -9 $$\n");
    assert_int_equal(chmod(arena_printf(site->arena, "%s/ptxas", folder), 0755), 0);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "", 0, 9, 0, site->folder,
                                        &assembled, &site->diagnostic),
                     ERROR_ENVIRONMENT);
    assert_int_equal(site->diagnostic.blame, BLAME_ENVIRONMENT);
    write_file(site, folder, "ptxas", "#!/bin/sh\necho code >\"$5\"\n");
    assert_int_equal(chmod(arena_printf(site->arena, "%s/ptxas", folder), 0755), 0);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "", 0, 9, 0, site->folder,
                                        &assembled, &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(assembled.image_bytes, 5);
    assert_memory_equal(assembled.image, "code\n", 5);
}

/* A fake that writes something else at each run. */
static void modules_are_assembled_once(void **state)
{
    static const char ptxas[] = "#!/bin/sh\necho $$ >\"$5\"\n"
                                "echo \"ptxas info    : Compiling entry function 'k' for 'x'\"\n"
                                "echo \"ptxas info    : Used 7 registers\"\n";
    struct site *site = need(state);
    struct toolchain toolchain = site->toolchain;
    const char *folder = make(site, "toolkit/bin");
    struct assembled_module first, again;

    snprintf(toolchain.compiler.folder, sizeof toolchain.compiler.folder, "%s/toolkit",
             site->folder);
    write_file(site, folder, "ptxas", ptxas);
    assert_int_equal(chmod(arena_printf(site->arena, "%s/ptxas", folder), 0755), 0);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "one", 3, 9, 0, site->folder,
                                        &first, &site->diagnostic),
                     ERROR_NONE);
    /* Where nothing can be run, only what is kept comes back. */
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "one", 3, 9, 0, "/nowhere", &again,
                                        &site->diagnostic),
                     ERROR_NONE);
    assert_int_equal(again.image_bytes, first.image_bytes);
    assert_memory_equal(again.image, first.image, first.image_bytes);
    assert_int_equal(again.kernel_count, 1);
    assert_int_equal(again.kernels[0].registers, 7);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "two", 3, 9, 0, "/nowhere", &again,
                                        &site->diagnostic),
                     ERROR_ENVIRONMENT);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "one", 3, 8, 0, "/nowhere", &again,
                                        &site->diagnostic),
                     ERROR_ENVIRONMENT);
    write_file(site, folder, "ptxas", "#!/bin/sh\nexit 0 # another one\n");
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "one", 3, 9, 0, "/nowhere", &again,
                                        &site->diagnostic),
                     ERROR_ENVIRONMENT);
}

/* Where there is no ptxas the PTX alone tells what kernels need. */
static void modules_without_ptxas_are_estimated(void **state)
{
    static const char ptx[] =
        ".version 9.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry _Z4skipPi(.param .u64 p) .maxntid 64, 2\n{\n"
        ".shared .align 4 .b8 tile[256];\nst.shared.u32 [tile], 0;\nret;\n}\n";
    struct site *site = need(state);
    struct toolchain toolchain = site->toolchain;
    struct assembled_module module;

    toolchain.compiler.kind = COMPILER_CLANG;
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, ptx, sizeof ptx - 1, 9, 0,
                                        "/nowhere", &module, &site->diagnostic),
                     ERROR_NONE);
    assert_null(module.image);
    assert_int_equal(module.kernel_count, 1);
    const struct kernel_resources *kernel = &module.kernels[0];
    assert_string_equal(kernel->name, "_Z4skipPi");
    assert_string_equal(kernel->plain_name, "skip");
    assert_true(kernel->registers_least < kernel->registers_most);
    assert_in_range(kernel->registers, kernel->registers_least, kernel->registers_most);
    assert_int_equal(kernel->static_shared_bytes, 256);
    assert_int_equal(kernel->max_threads, 128);
    assert_int_equal(toolchain_assemble(&toolchain, site->arena, "no PTX", 6, 9, 0, "/nowhere",
                                        &module, &site->diagnostic),
                     ERROR_FAILED);
    assert_int_equal(site->diagnostic.blame, BLAME_STUDENT);
}

/* A kernel whose registers nobody read could be launched as no GPU would. */
static void kernels_have_a_number(void **state)
{
    struct site *site = need(state);
    struct toolchain toolchain = site->toolchain;
    const char *folder = make(site, "toolkit/bin");
    struct assembled_module assembled;

    snprintf(toolchain.compiler.folder, sizeof toolchain.compiler.folder, "%s/toolkit",
             site->folder);
    for (int kernels = 4096; kernels <= 4097; kernels++) {
        const char *script =
            arena_printf(site->arena,
                         "#!/bin/sh\necho code >\"$5\"\nfor i in $(seq %d); do\n"
                         "echo \"ptxas info    : Compiling entry function 'k$i' for 'sm_90'\"\n"
                         "echo \"ptxas info    : Used $((i %% 256)) registers\"\ndone\n",
                         kernels);
        write_file(site, folder, "ptxas", script);
        assert_int_equal(chmod(arena_printf(site->arena, "%s/ptxas", folder), 0755), 0);
        enum error error = toolchain_assemble(&toolchain, site->arena, "", 0, 9, 0, site->folder,
                                              &assembled, &site->diagnostic);
        assert_int_equal(error, kernels == 4096 ? ERROR_NONE : ERROR_FAILED);
    }
    assert_int_equal(assembled.kernel_count, 4096);
    assert_int_equal(assembled.kernels[4094].registers, 4095 % 256);
    assert_int_equal(site->diagnostic.blame, BLAME_STUDENT);
    assert_non_null(strstr(site->diagnostic.message, "more than 4096 kernels"));
    printf("flood  ptxas           4097 kernels: the program fails\n");
}

/* A GPU that ptxas does not know is the machine's fault, whatever the PTX is like. */
static void newer_gpus_blame_the_environment(void **state)
{
    static const char empty[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
    static const char *const texts[] = {empty, "nonsense"};
    struct site *site = need(state);
    struct assembled_module assembled;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(toolchain_assemble(&site->toolchain, site->arena, texts[i],
                                            strlen(texts[i]), 99, 0, site->folder, &assembled,
                                            &site->diagnostic),
                         ERROR_ENVIRONMENT);
        assert_int_equal(site->diagnostic.blame, BLAME_ENVIRONMENT);
        assert_non_null(strstr(site->diagnostic.message, "compute capability 99.0"));
    }
    assert_int_equal(assemble(site, "nonsense", 8, &assembled), ERROR_FAILED);
    assert_int_equal(site->diagnostic.blame, BLAME_STUDENT);
    assert_int_equal(assemble(site, empty, strlen(empty), &assembled), ERROR_NONE);
}

static void compile_errors_name_the_line(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, "#include \"given.h\"\nvoid launch(float *p) { q = p; }\n"),
                     ERROR_NONE);
    assert_true(site->built.build.attempted);
    assert_false(site->built.build.compiled);
    assert_null(site->built.executable);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
    assert_string_equal(first_message(site)->file, "exercise.cu");
    assert_int_equal(first_message(site)->line, 2);
    assert_int_equal(first_message(site)->column, 25);
    assert_string_equal(first_message(site)->message, "identifier \"q\" is undefined");
}

static void missing_function_is_a_link_error(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, "void other() {}\n"), ERROR_NONE);
    assert_true(site->built.build.compiled);
    assert_false(site->built.build.linked);
    assert_int_equal(site->built.build.failure, CODE_LINK_ERROR);
    assert_string_equal(first_message(site)->message, "undefined reference to `launch(float*)'");
}

static void host_files_cannot_be_included(void **state)
{
    struct site *site = need(state);

    if (site->sandbox.tier != SANDBOX_A) {
        skip();
    }
    write_file(site, make(site, "secret"), "key.h", "#define KEY 1\n");
    const char *text =
        arena_printf(site->arena, "#include \"%s/secret/key.h\"\n%s", site->folder, good_text);
    assert_int_equal(build_text(site, text), ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_ERROR);
    assert_non_null(strstr(first_message(site)->message, "No such file"));
    assert_int_equal(build_text(site, "#include \"/etc/passwd\"\n"), ERROR_NONE);
    assert_non_null(strstr(first_message(site)->message, "No such file"));
}

static void sources_that_are_no_text_are_told(void **state)
{
    struct site *site = need(state);

    assert_int_equal(build_text(site, NULL), ERROR_NONE);
    assert_false(site->built.build.attempted);
    assert_int_equal(site->built.build.failure, CODE_SOURCE_MISSING);
    assert_string_equal(site->built.build.failed_file, "exercise.cu");
    assert_int_equal(build_text(site, "\xff\xfe"), ERROR_NONE);
    assert_int_equal(site->built.build.failure, CODE_SOURCE_NOT_TEXT);
    assert_int_equal(site->built.build.failed_limit_bytes, 0);
    char *large = arena_alloc(site->arena, ((size_t)4 << 20) + 2);
    memset(large, '\n', ((size_t)4 << 20) + 1);
    assert_int_equal(build_text(site, large), ERROR_NONE);
    assert_false(site->built.build.attempted);
    assert_int_equal(site->built.build.failure, CODE_SOURCE_NOT_TEXT);
    assert_int_equal(site->built.build.failed_limit_bytes, 4 << 20);
}

/* The checks of the source do not read such a header, so nothing may be compiled from it. */
static void too_large_headers_are_refused(void **state)
{
    static const struct {
        const char *before; /* the program's own text */
        size_t length;      /* of the header */
        enum code failure;
    } rows[] = {
        {"#include \"large.h\"\n", (size_t)4 << 20, CODE_NONE},
        {"#include \"large.h\"\n", ((size_t)4 << 20) + 1, CODE_SOURCE_NOT_TEXT},
        {"#include \"more.h\"\n", ((size_t)4 << 20) + 1, CODE_SOURCE_NOT_TEXT},
        {"#define NAME \"large.h\"\n#include NAME\n", ((size_t)4 << 20) + 1, CODE_SOURCE_NOT_TEXT},
        {"", ((size_t)4 << 20) + 1, CODE_NONE},
    };
    struct site *site = need(state);

    write_file(site, site->source_folder, "more.h", "#include \"large.h\"\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool is_refused = rows[i].failure != CODE_NONE;
        char *large = arena_alloc(site->arena, rows[i].length + 1);
        memset(large, '\n', rows[i].length);
        write_file(site, site->source_folder, "large.h", large);
        assert_int_equal(
            build_text(site, arena_printf(site->arena, "%s%s", rows[i].before, good_text)),
            ERROR_NONE);
        assert_int_equal(site->built.build.failure, rows[i].failure);
        assert_int_equal(site->built.build.attempted, !is_refused);
        assert_int_equal(site->built.build.linked, !is_refused);
        assert_string_equal(site->built.build.failed_file, is_refused ? "large.h" : "");
        assert_int_equal(site->built.build.failed_limit_bytes, is_refused ? 4 << 20 : 0);
    }
}

/* It computes constants, which needs no memory: no other limit may come first on a busy machine. */
static void endless_compiles_are_stopped(void **state)
{
    enum { CONSTANTS = 20000 };
    struct site *site = need(state);
    struct text text;

    assert_int_equal(build_text(site, good_text), ERROR_NONE); /* the harness is kept now */
    site->rubric.limits.compile_wall_ns = CLOCK_NS_PER_S;
    text_init(&text);
    text_append(&text, "constexpr long f(long n) { long s = n; for (long i = 0; i < 20000; i++)"
                       " s = (s * 3 + i % 7) & 0xffff; return s; }\n");
    for (int i = 0; i < CONSTANTS; i++) {
        text_printf(&text, "constexpr long v%d = f(%d);\n", i, i);
    }
    assert_int_equal(build_text(site, text.bytes), ERROR_NONE);
    text_release(&text);
    assert_int_equal(site->built.build.failure, CODE_COMPILE_LIMIT);
    assert_int_equal(site->built.build.end.ending, ENDING_WALL_LIMIT);
    assert_true(site->built.build.message_count > 0);
}

/* Whose fault a failed compile is: what ended a step decides, whatever is printed. The compiler is
 * the real one for the harness, and a script for the submission. */
static void killed_steps_blame_the_machine(void **state)
{
    static const struct {
        const char *script;
        enum error error;
        enum code failure;
    } rows[] = {
        {"sh -c 'kill -KILL $$'; exit 1", ERROR_ENVIRONMENT, CODE_NONE},
        {"(sh -c 'sh -c \"kill -KILL \\$\\$\"; exit 0'); echo 'x.cu(1): error: x' >&2; exit 2",
         ERROR_ENVIRONMENT, CODE_NONE},
        {"kill -KILL $$", ERROR_ENVIRONMENT, CODE_NONE},
        {"sh -c 'kill -XFSZ $$'; exit 1", ERROR_NONE, CODE_COMPILE_LIMIT},
        {"sh -c 'kill -XCPU $$'; exit 1", ERROR_NONE, CODE_COMPILE_LIMIT},
        {"sh -c 'kill -SEGV $$'; exit 4", ERROR_NONE, CODE_COMPILE_ERROR},
        {"printf \"Killed\\n'cicc' died due to signal 9 (Kill signal)\\n\" >&2; exit 1", ERROR_NONE,
         CODE_COMPILE_ERROR},
        {"echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1",
         ERROR_NONE, CODE_COMPILE_ERROR},
        {"echo 'cc1plus: out of memory allocating 65536 bytes' >&2; exit 1", ERROR_NONE,
         CODE_COMPILE_ERROR},
        {"echo 'No space left on device' >&2; exit 1", ERROR_NONE, CODE_COMPILE_ERROR},
    };
    struct site *site = need(state);
    const char *folder = make(site, "toolkit/bin");
    const char *real = arena_strdup(site->arena, site->toolchain.compiler.folder);

    snprintf(site->toolchain.compiler.folder, sizeof site->toolchain.compiler.folder, "%s/toolkit",
             site->folder);
    snprintf(site->toolchain.compiler.program, sizeof site->toolchain.compiler.program,
             "%s/toolkit/bin/nvcc", site->folder);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file(site, folder, "nvcc",
                   arena_printf(site->arena,
                                "#!/bin/sh\ncase $* in *main.cu*) exec %s/bin/nvcc \"$@\" ;; esac\n"
                                "%s\n",
                                real, rows[i].script));
        assert_int_equal(chmod(arena_printf(site->arena, "%s/nvcc", folder), 0755), 0);
        assert_int_equal(build_text(site, good_text), rows[i].error);
        if (rows[i].error == ERROR_NONE) {
            assert_int_equal(site->built.build.failure, rows[i].failure);
        } else {
            assert_int_equal(site->diagnostic.blame, BLAME_ENVIRONMENT);
        }
    }
}

static void broken_harness_is_the_coursework_s_fault(void **state)
{
    struct site *site = need(state);

    site->defines[1] = (struct define){"BROKEN", "1"};
    site->program.define_count = 2;
    assert_int_equal(build_text(site, good_text), ERROR_COURSEWORK);
    assert_int_equal(site->diagnostic.blame, BLAME_RUBRIC);
    assert_string_equal(site->diagnostic.file, "main.cu");
    assert_int_equal(site->diagnostic.line, 3);
}

static int cached_objects(const struct site *site)
{
    char command[4400];
    int count = -1;

    snprintf(command, sizeof command, "ls %s | wc -l", site->toolchain.cache_folder);
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void harness_is_kept_until_something_changes(void **state)
{
    struct site *site = need(state);

    site->toolchain.builds_anew = true; /* students' programs are not kept beside it */
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 1);
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_true(site->built.build.linked);
    assert_int_equal(cached_objects(site), 1);
    assert_false(folder_exists(arena_printf(site->arena, "%s/build-1/harness", site->folder)));
    site->defines[0].value = "1";
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 2);
    write_file(site, site->rubric.template_folder, "given.h", "void launch(float *p); // new\n");
    assert_int_equal(build_text(site, good_text), ERROR_NONE);
    assert_int_equal(cached_objects(site), 3);
}

/* bubblewrap before 0.7 gives a folder in memory no bound, and the other tiers have none. */
static void temporary_files_have_a_bound(void **state)
{
    const struct sandbox sandboxes[] = {
        {.tier = SANDBOX_A, .sizes_tmpfs = true}, {.tier = SANDBOX_A}, {.tier = SANDBOX_B}};
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof sandboxes / sizeof sandboxes[0]; i++) {
        const struct toolchain toolchain = {.sandbox = &sandboxes[i]};
        struct sandbox_spec spec;
        compiler_spec_init(&toolchain, &(struct limits){0}, "/scratch", arena, &spec);
        if (sandboxes[i].sizes_tmpfs) {
            assert_null(spec.temporary_folder);
        } else {
            assert_string_equal(spec.temporary_folder, "/scratch");
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_source_is_built, set_up, tear_down),
        cmocka_unit_test(a_source_is_compiled_for_what_it_needs),
        cmocka_unit_test(conditions_decide_what_a_file_is_built_for),
        cmocka_unit_test_setup_teardown(a_limit_of_registers_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(machine_code_is_taken_safely, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_are_assembled_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_without_ptxas_are_estimated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_have_a_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(newer_gpus_blame_the_environment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compile_errors_name_the_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_function_is_a_link_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(host_files_cannot_be_included, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sources_that_are_no_text_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_large_headers_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(endless_compiles_are_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(killed_steps_blame_the_machine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_harness_is_the_coursework_s_fault, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(harness_is_kept_until_something_changes, set_up, tear_down),
        cmocka_unit_test(temporary_files_have_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
