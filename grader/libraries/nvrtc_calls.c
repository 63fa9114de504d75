/* nvrtc_calls.c: the stand-in for NVRTC: programs of CUDA C++ that are compiled while the program
 * runs. What it gives as machine code is PTX too, which the stand-in for the driver takes. */
#include "base/arena.h"
#include "cudart/runtime.h"
#include "libraries/lowered_name.h"
#include "libraries/nvrtc_compile.h"

#include <ctype.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 256, HEADERS_MAX = 256, OPTIONS_MAX = 256 };

struct _nvrtcProgram {
    char *source;
    struct nvrtc_header headers[HEADERS_MAX]; /* [header_count] */
    size_t header_count;
    char *expressions[NAMES_MAX], *names[NAMES_MAX]; /* [name_count]; names: NULL, not yet */
    size_t name_count;
    bool is_compiled;
    bool is_for_device; /* its architecture is sm_NN: there is machine code, too */
    char *ptx, *log;    /* NULL: none */
};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
    };

    return (unsigned)result < sizeof(names) / sizeof(names[0]) ? names[result]
                                                               : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (major == NULL || minor == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *major = CUDART_VERSION / 1000;
    *minor = CUDART_VERSION % 1000 / 10;
    return NVRTC_SUCCESS;
}

/* What the device understands. */
static const int architectures[] = {75, 80, 86, 87, 89, 90};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (count == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *count = sizeof(architectures) / sizeof(architectures[0]);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *out)
{
    if (out == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    memcpy(out, architectures, sizeof(architectures));
    return NVRTC_SUCCESS;
}

/* Programs ***********************************************************************************/

static void forget_results(nvrtcProgram program)
{
    for (size_t i = 0; i < program->name_count; i++) {
        free(program->names[i]);
        program->names[i] = NULL;
    }
    free(program->ptx);
    free(program->log);
    program->ptx = program->log = NULL;
}

static void release(nvrtcProgram program)
{
    forget_results(program);
    for (size_t i = 0; i < program->header_count; i++) {
        free(program->headers[i].name);
        free(program->headers[i].text);
    }
    for (size_t i = 0; i < program->name_count; i++) {
        free(program->expressions[i]);
    }
    free(program->source);
    free(program);
}

/* The source with its name for messages and lines; one that could be no file's has none. */
static char *named_source(const char *source, const char *name)
{
    char *text = NULL;

    for (const char *at = name; name != NULL && *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && strchr("-_./ ", *at) == NULL) {
            name = NULL;
            break;
        }
    }
    return asprintf(&text, "#line 1 \"%.900s\"\n%s\n",
                    name == NULL || name[0] == '\0' ? "default_program" : name, source) < 0
               ? NULL
               : text;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out_program, const char *source, const char *name,
                               int count, const char *const *headers,
                               const char *const *header_names)
{
    if (out_program == NULL || source == NULL || count < 0 || count > HEADERS_MAX ||
        (count > 0 && (headers == NULL || header_names == NULL))) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    nvrtcProgram program = calloc(1, sizeof(*program));
    if (program == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    bool has_room = (program->source = named_source(source, name)) != NULL;
    for (int i = 0; i < count && has_room; i++) {
        struct nvrtc_header *header = &program->headers[program->header_count++];

        header->name = strdup(header_names[i]);
        header->text = strdup(headers[i]);
        has_room = header->name != NULL && header->text != NULL;
    }
    if (!has_room) {
        release(program);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *out_program = program;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (program == NULL || *program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    release(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* Compiling **********************************************************************************/

/* Options that name something of NVRTC alone, and change nothing here. */
static const char *const harmless[] = {
    "default-device",
    "device-as-default-execution-space",
    "version-ident",
    "display-error-number",
    "no-source-include",
    "builtin-move-forward",
    "builtin-initializer-list",
    "modify-stack-limit",
    "minimal",
    "device-int128",
    "restrict",
    "extra-device-vectorization",
    "dlto",
    "dopt",
    "time",
};

/* Options of both, by the start of their names, as nvcc spells them. */
static const struct {
    const char *name, *ours;
} known[] = {
    {"gpu-architecture", "arch"},
    {"arch", "arch"},
    {"include-path", "I"},
    {"I", "I"},
    {"define-macro", "D"},
    {"D", "D"},
    {"undefine-macro", "U"},
    {"U", "U"},
    {"pre-include", "include"},
    {"include", "include"},
    {"std", "std"},
    {"maxrregcount", "maxrregcount"},
    {"use_fast_math", NULL},
    {"ftz", "ftz"},
    {"fmad", "fmad"},
    {"prec-div", "prec-div"},
    {"prec-sqrt", "prec-sqrt"},
    {"generate-line-info", ""},
    {"lineinfo", ""},
    {"device-debug", ""},
    {"G", ""},
    {"disable-warnings", "w"},
    {"w", "w"},
    {"diag-suppress", ""},
    {"diag-error", ""},
    {"diag-warn", ""},
    {"relocatable-device-code", ""},
    {"rdc", ""},
};

/* The words for the compiler. */
struct words {
    struct arena *arena;
    const char *items[OPTIONS_MAX + 8];
    size_t count;
    const char *standard; /* NULL: the compiler's own */
    bool has_architecture, is_for_device;
};

static bool is_option(const char *option, const char *name, const char **out_value)
{
    const size_t length = strlen(name);
    const bool is_short = length == 1 && isupper((unsigned char)name[0]);

    if (strncmp(option, name, length) != 0) {
        return false;
    }
    *out_value = option[length] == '=' ? option + length + 1 : option + length;
    return option[length] == '\0' || option[length] == '=' || is_short;
}

static void add_word(struct words *words, const char *word)
{
    words->items[words->count++] = word;
}

/* Adds an option of nvcc with its value. sm_NN asks for machine code, which PTX for compute_NN
 * stands for. */
static void add_option(struct words *words, const char *ours, const char *value)
{
    if (strcmp(ours, "arch") == 0) {
        const char *number = strrchr(value, '_');

        words->has_architecture = true;
        words->is_for_device = strncmp(value, "sm_", 3) == 0;
        value = arena_printf(words->arena, "compute_%ld",
                             number == NULL ? 75 : strtol(number + 1, NULL, 10));
    }
    if (strcmp(ours, "w") == 0) {
        add_word(words, "-w");
    } else if (strlen(ours) == 1 || strcmp(ours, "include") == 0) {
        add_word(words, arena_printf(words->arena, "-%s", ours));
        add_word(words, arena_strdup(words->arena, value));
    } else {
        add_word(words, arena_printf(words->arena, "-%s=%s", ours, value));
    }
}

/* Takes option `*index`, whose value may be the next one; false: there is no such option. */
static bool take_option(struct words *words, const char *const *options, int count, int *index)
{
    const char *option = options[*index];
    const char *value = "";

    option += strspn(option, "-");
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        if (is_option(option, harmless[i], &value)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!is_option(option, known[i].name, &value)) {
            continue;
        }
        const bool needs_value =
            known[i].ours != NULL && known[i].ours[0] != '\0' && strcmp(known[i].ours, "w") != 0;
        if (needs_value && value[0] == '\0') {
            if (*index + 1 >= count || options[*index + 1] == NULL) {
                return false;
            }
            value = options[++*index];
        }
        if (strcmp(known[i].name, "std") == 0) {
            words->standard = value;
        } else if (known[i].ours == NULL) {
            add_word(words, "-use_fast_math");
        } else if (known[i].ours[0] != '\0') {
            add_option(words, known[i].ours, value);
        }
        return true;
    }
    return false;
}

/* The source, with a line for each name that is asked for; to be freed. */
static char *whole_source(const struct _nvrtcProgram *program)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL) {
        return NULL;
    }
    fputs(program->source, out);
    for (size_t i = 0; i < program->name_count; i++) {
        char *line = lowered_name_line((unsigned)i, program->expressions[i]);

        fputs(i == 0 ? LOWERED_NAME_FIRST : "", out);
        fputs(line == NULL ? "" : line, out);
        free(line);
    }
    return fclose(out) == 0 ? text : NULL;
}

static nvrtcResult compile(nvrtcProgram program, const struct words *words)
{
    char *source = whole_source(program);
    const struct nvrtc_job job = {
        .source = source,
        .headers = program->headers,
        .header_count = program->header_count,
        .options = words->items,
        .option_count = words->count,
    };

    if (source == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    forget_results(program);
    enum nvrtc_end end = nvrtc_compile(&job, &program->ptx, &program->log);
    free(source);
    if (end == NVRTC_NOT_RUN) {
        runtime_unknown_call("nvrtcCompileProgram");
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    program->is_compiled = end == NVRTC_MADE && program->ptx != NULL;
    program->is_for_device = words->is_for_device;
    for (size_t i = 0; i < program->name_count && program->is_compiled; i++) {
        program->names[i] = lowered_name_find(program->ptx, (unsigned)i);
    }
    return program->is_compiled ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    struct words words = {.count = 0};
    nvrtcResult result = NVRTC_SUCCESS;

    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (count < 0 || count > OPTIONS_MAX / 2 || (count > 0 && options == NULL)) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    words.arena = arena_new();
    for (int i = 0; i < count && result == NVRTC_SUCCESS; i++) {
        if (options[i] == NULL || !take_option(&words, options, count, &i)) {
            result = NVRTC_ERROR_INVALID_OPTION;
        }
    }
    if (!words.has_architecture) {
        add_word(&words, "-arch=compute_75");
    }
    if (program->name_count > 0 &&
        (words.standard == NULL || strcmp(words.standard, "c++17") < 0)) {
        words.standard = "c++17"; /* the lines that ask for names need it */
    }
    if (words.standard != NULL) {
        add_option(&words, "std", words.standard);
    }
    if (result == NVRTC_SUCCESS) {
        result = compile(program, &words);
    }
    arena_free(words.arena);
    return result;
}

/* Results ************************************************************************************/

static nvrtcResult text_size(nvrtcProgram program, const char *text, size_t *bytes)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (bytes == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *bytes = text == NULL ? 0 : strlen(text) + 1;
    return NVRTC_SUCCESS;
}

static nvrtcResult copy_text(nvrtcProgram program, const char *text, char *out)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (out == NULL || text == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    memcpy(out, text, strlen(text) + 1);
    return NVRTC_SUCCESS;
}

static const char *machine_code(nvrtcProgram program)
{
    return program != NULL && program->is_for_device ? program->ptx : NULL;
}

static const char *log_of(nvrtcProgram program)
{
    return program != NULL && program->log != NULL ? program->log : "";
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes)
{
    return text_size(program, program == NULL ? NULL : program->ptx, bytes);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    return copy_text(program, program == NULL ? NULL : program->ptx, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    return text_size(program, machine_code(program), bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    return copy_text(program, machine_code(program), cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes)
{
    return text_size(program, log_of(program), bytes);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    return copy_text(program, log_of(program), log);
}

/* Names **************************************************************************************/

static size_t find_expression(const struct _nvrtcProgram *program, const char *expression)
{
    size_t i = 0;

    while (i < program->name_count && strcmp(program->expressions[i], expression) != 0) {
        i++;
    }
    return i;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == NULL || strpbrk(expression, "\n;{}#\\") != NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    if (program->is_compiled) {
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    }
    if (find_expression(program, expression) < program->name_count) {
        return NVRTC_SUCCESS;
    }
    char *copy = program->name_count < NAMES_MAX ? strdup(expression) : NULL;
    if (copy == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->expressions[program->name_count++] = copy;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == NULL || name == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    if (!program->is_compiled) {
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    }
    const size_t found = find_expression(program, expression);
    if (found == program->name_count || program->names[found] == NULL) {
        return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    }
    *name = program->names[found];
    return NVRTC_SUCCESS;
}
