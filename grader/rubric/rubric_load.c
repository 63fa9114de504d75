/* rubric_load.c: the top of a rubric; the sections are in rubric_cases.c, rubric_programs.c,
 * rubric_launches.c and rubric_criteria.c, what a class makes of points in rubric_late.c. See
 * rubric_load.h.
 *
 * The sections are read in an order in which everything that one refers to is there already:
 * parameters, cases, programs, launches, printouts, criteria.
 *
 * An overlay first takes in what it lacks of the rubric that it extends (rubric_overlay.h), and is
 * then read like a rubric of one file.
 */
#include "rubric/rubric_load.h"

#include "base/file.h"
#include "base/json.h"
#include "base/shell_word.h"
#include "model/consistency.h"
#include "occupancy/occupancy.h"
#include "rubric/rubric_evidence.h"
#include "rubric/rubric_folders.h"
#include "rubric/rubric_key_names.h"
#include "rubric/rubric_operands.h"
#include "rubric/rubric_overlay.h"
#include "rubric/rubric_reader.h"

#include <string.h>

enum { VERSION_MAX = 1000000, TOTAL_MAX = 1000 };

/* What must be known before the keys are looked at: another schema has other keys. */
static void check_schemas(struct rubric_reader *reader, const struct rubric_chain *chain)
{
    static const char *const schemas[] = {"gpugrade/rubric/v1"};

    for (size_t i = 0; i < chain->count; i++) {
        const cJSON *root = json_root(chain->files[i].document);
        if (cJSON_IsObject(root)) {
            read_word(reader, cJSON_GetObjectItemCaseSensitive(root, "schema"), schemas, 1);
        }
    }
}

/* What the points must add up to: those of an overlay may come to anything. */
static double read_total(struct rubric_reader *reader, const cJSON *value)
{
    if (reader->chain->count > 1) {
        return 0;
    }
    return value == NULL ? 100 : read_number(reader, value, 1, TOTAL_MAX);
}

static void read_gpu_model(struct rubric_reader *reader, const cJSON *value)
{
    struct gpu_model model;
    struct diagnostic problem;

    reader->rubric->gpu_model = read_name(reader, value, NAME_TEXT);
    if (reader->error == ERROR_NONE &&
        gpu_model_find(reader->rubric->gpu_model, &model, &problem) != ERROR_NONE) {
        reader_fail(reader, ERROR_RANGE, value, false, "%s", problem.message);
    }
}

static void read_rubric(struct rubric_reader *reader, struct rubric_chain *chain,
                        const char *root_folder)
{
    static const char *const arithmetics[] = {[ARITHMETIC_EPSILON] = "epsilon",
                                              [ARITHMETIC_NO_FMAD] = "fmad=false",
                                              [ARITHMETIC_EXACT] = "exact"};
    static const char *const hints[] = {
        [HINTS_EXPLAIN] = "explain",
        [HINTS_LOCATE] = "locate",
        [HINTS_NONE] = "none",
        [HINTS_FIX] = "fix",
    };
    static const char *const attempts[] = {[ATTEMPTS_LATEST] = "latest", [ATTEMPTS_BEST] = "best"};
    static const char *const unmeasured[] = {[UNMEASURED_LEAVE_OUT] = "leave-out",
                                             [UNMEASURED_ZERO] = "zero",
                                             [UNMEASURED_FULL] = "full"};
    struct rubric *rubric = reader->rubric;
    const cJSON *root = json_root(reader->chain->files[0].document);
    const cJSON *members[TOP_KEY_COUNT];

    read_members(reader, root, "a rubric", top_keys, TOP_KEY_COUNT, members);
    rubric->id = read_name(reader, members[TOP_KEY_ID], NAME_COURSEWORK);
    rubric->version = read_integer(reader, members[TOP_KEY_VERSION], 1, VERSION_MAX);
    rubric->title = read_name(reader, members[TOP_KEY_TITLE], NAME_TEXT);
    rubric->about =
        members[TOP_KEY_ABOUT] == NULL ? "" : read_name(reader, members[TOP_KEY_ABOUT], NAME_TEXT);
    rubric->next =
        members[TOP_KEY_NEXT] == NULL ? "" : read_name(reader, members[TOP_KEY_NEXT], NAME_TEXT);
    reader->total = read_total(reader, members[TOP_KEY_TOTAL]);
    if (members[TOP_KEY_SALT] != NULL && reader->chain->count == 1) {
        reader_fail(reader, ERROR_SYNTAX, members[TOP_KEY_SALT], true,
                    "only an overlay may have a salt: it keeps hidden cases from being guessed");
    }
    read_name(reader, members[TOP_KEY_SALT], NAME_TEXT);
    rubric->hints = (enum hints)read_word(reader, members[TOP_KEY_HINTS], hints, 4);
    read_late(reader, members[TOP_KEY_LATE]);
    rubric->attempts = (enum attempts)read_word(reader, members[TOP_KEY_ATTEMPTS], attempts, 2);
    rubric->unmeasured =
        (enum unmeasured)read_word(reader, members[TOP_KEY_UNMEASURED], unmeasured, 3);
    rubric->arithmetic =
        (enum arithmetic)read_word(reader, members[TOP_KEY_ARITHMETIC], arithmetics, 3);
    rubric->checks_global_races = read_flag(reader, members[TOP_KEY_GLOBAL_RACES]);
    read_gpu_model(reader, members[TOP_KEY_GPU_MODEL]);
    rubric_find_folders(reader, chain, root_folder);
    read_limits(reader, members[TOP_KEY_LIMITS]);
    reader->least_cases = cJSON_GetArraySize(members[TOP_KEY_LAUNCHES]) > 0 ? 1 : 0;
    read_parameters(reader, members[TOP_KEY_PARAMETERS]);
    read_cases(reader, members[TOP_KEY_CASES]);
    read_programs(reader, members[TOP_KEY_PROGRAMS]);
    read_launches(reader, members[TOP_KEY_LAUNCHES]);
    check_case_values(reader, members[TOP_KEY_CASES]);
    read_printouts(reader, members[TOP_KEY_PRINTOUTS]);
    read_criteria(reader, members[TOP_KEY_CRITERIA]);
    read_leaderboard(reader, members[TOP_KEY_LEADERBOARD]);
}

static double visible_total(const struct rubric *rubric)
{
    double sum = 0;

    for (size_t i = 0; i < rubric->criterion_count - rubric->hidden_criterion_count; i++) {
        sum += rubric->criteria[i].bonus ? 0 : rubric->criteria[i].points;
    }
    return sum;
}

/* What chooses a rubric of a coursework of one's own, which students check where its folder is: the
 * shell itself tells who has not set COURSE what it is. */
static const char *own_options(struct arena *arena, const char *name)
{
    return arena_printf(arena, "--rubric \"${COURSE:?the folder of this course}\"/rubrics/%s",
                        shell_word(arena, name));
}

/* The text that students may have. Where an overlay changes nothing that they see, it is the file
 * that is extended, byte for byte; `base` is how that file prints. */
static void write_public(struct rubric_reader *reader, const struct text *base)
{
    const struct rubric_chain *chain = reader->chain;
    const struct rubric_file *last = &chain->files[chain->count - 1];
    struct rubric *rubric = reader->rubric;
    struct text text;

    text_init(&text);
    rubric->public_text = last->bytes;
    rubric->public_length = last->length;
    rubric->public_options = "";
    if (chain->count > 1) {
        rubric_print_public(json_root(chain->files[0].document), visible_total(rubric), &text);
    }
    if (chain->count > 1 && strcmp(text.bytes, base->bytes) != 0) {
        rubric->public_text = arena_strndup(reader->arena, text.bytes, text.length);
        rubric->public_length = text.length;
        rubric->public_options =
            chain->own_root == NULL
                ? "--rubric rubric.json"
                : own_options(reader->arena,
                              arena_printf(reader->arena, "%s_students.json", rubric->id));
    } else if (chain->own_root != NULL) {
        rubric->public_options = own_options(reader->arena, path_name(last->path));
    } else if (chain->count > 1) {
        rubric->public_options = chain->is_named
                                     ? arena_printf(reader->arena, "--coursework %s", rubric->id)
                                     : "--rubric rubric.json";
    }
    hash_bytes(rubric->public_text, rubric->public_length, rubric->public_sha256);
    text_release(&text);
}

/* Reads what a chain of files comes to. */
static void read_chain(struct rubric_reader *reader, struct rubric_chain *chain, const char *root)
{
    const cJSON *last = json_root(chain->files[chain->count - 1].document);
    const cJSON *total = cJSON_GetObjectItemCaseSensitive(last, "total");
    struct text base;

    text_init(&base);
    if (chain->count > 1) {
        rubric_print_public(last, cJSON_IsNumber(total) ? total->valuedouble : 100, &base);
    }
    check_schemas(reader, chain);
    rubric_chain_merge(reader, chain);
    read_rubric(reader, chain, root);
    if (reader->error == ERROR_NONE) {
        write_public(reader, &base);
        rubric_keep_text(reader->arena, chain, reader->rubric);
        rubric_hash_evidence(reader, json_root(chain->files[0].document));
    }
    text_release(&base);
}

enum error rubric_parse(struct arena *arena, const char *bytes, size_t length, const char *path,
                        const char *root, const struct rubric **out_rubric,
                        struct diagnostic *diagnostic)
{
    struct rubric_chain chain = {.count = 0};
    struct diagnostic unheard;
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);
    const struct rubric_file file = {
        .path = path, .bytes = arena_strndup(arena, bytes, length), .length = length};

    if (diagnostic == NULL) {
        diagnostic = &unheard;
    }
    struct rubric_reader reader = {
        .arena = arena, .chain = &chain, .diagnostic = diagnostic, .rubric = rubric};
    reader.error = rubric_chain_read(arena, file, root, &chain, diagnostic);
    if (reader.error == ERROR_NONE) {
        rubric->path = arena_strdup(arena, path);
        rubric_chain_hash(&chain, rubric->sha256);
        read_chain(&reader, &chain, root);
    }
    rubric_chain_release(&chain);
    if (reader.error == ERROR_NONE) {
        rubric_ensure(rubric);
        *out_rubric = rubric;
    }
    return reader.error;
}

enum error rubric_load(struct arena *arena, const char *path, const char *root,
                       const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, RUBRIC_BYTES_MAX, BLAME_RUBRIC, &bytes, &length, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    return rubric_parse(arena, bytes, length, path, root, out_rubric, diagnostic);
}
