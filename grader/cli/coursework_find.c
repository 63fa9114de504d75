/* coursework_find.c: a rubric fits a submission when every source of every program of it is there,
 * but for optional programs, and at least one; else the one that has more of its sources there than
 * any other rubric is taken, and what is missing has its own cause. See coursework_find.h.
 */
#include "cli/coursework_find.h"

#include "base/file.h"
#include "base/near_word.h"
#include "base/text.h"
#include "rubric/rubric_load.h"
#include "submission/entry_name.h"
#include "submission/intake_names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* How well one rubric fits a submission. */
struct fit {
    size_t present, missing;
    size_t gradable;           /* of those present: files */
    const char *missing_names; /* "a.cu, b.cu" */
};

/* "hw/": the first folder in which there is a file of that name; NULL if there is none. */
static const char *find_deeper(struct arena *arena, const struct intake_files *files,
                               const char *name)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *path = files->files[i].name;
        const char *last = strrchr(path, '/');
        if (last != NULL && strcmp(last + 1, name) == 0) {
            struct text quoted;
            text_init(&quoted);
            entry_name_quote(path, (size_t)(last + 1 - path), &quoted);
            const char *folder = arena_strdup(arena, quoted.bytes);
            text_release(&quoted);
            return folder;
        }
    }
    return NULL;
}

/* "b.cu (a symbolic link)": what stands in the place of a file is not followed. */
static const char *name_missing(struct arena *arena, const struct intake_files *files,
                                const char *name)
{
    const char *other = intake_in_place_of(files, name);

    if (other[0] != '\0') {
        return arena_printf(arena, "%s (is %s; put the file itself in its place)", name, other);
    }
    const char *folder = find_deeper(arena, files, name);
    return folder == NULL ? name
                          : arena_printf(arena, "%s (found in %s, not at the top)", name, folder);
}

static struct fit measure_fit(struct arena *arena, const struct rubric *rubric,
                              const struct intake_files *files)
{
    struct fit fit = {.missing_names = ""};

    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        for (size_t j = 0; j < program->source_count; j++) {
            const char *name = program->sources[j];
            if (intake_find(files, name) != NULL) {
                fit.gradable++;
                fit.present++;
                continue;
            }
            if (program->is_optional) {
                continue;
            }
            if (intake_in_place_of(files, name)[0] != '\0') {
                fit.present++; /* it shows which coursework is meant, and cannot be graded */
            }
            name = name_missing(arena, files, name);
            fit.missing_names =
                fit.missing == 0 ? name : arena_printf(arena, "%s, %s", fit.missing_names, name);
            fit.missing++;
        }
    }
    return fit;
}

/* True if a source of the rubric, or something in its place, is at the top. */
static bool has_source(const struct rubric *rubric, const struct intake_files *files)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        for (size_t j = 0; j < program->source_count; j++) {
            if (intake_find(files, program->sources[j]) != NULL ||
                intake_in_place_of(files, program->sources[j])[0] != '\0') {
                return true;
            }
        }
    }
    return false;
}

/* The same for a file with nearly the name of a source. */
static bool has_near_source(struct arena *arena, const struct rubric *rubric,
                            const struct intake_files *files)
{
    struct intake_files adopted = *files;

    return intake_adopt_names(arena, rubric, &adopted) > 0;
}

/* Enters folders until a source of one of the rubrics is there, or else a file with nearly such a
 * name; if none ever is, stays outside. */
static void enter_folders(struct arena *arena, const struct rubric *const *rubrics, size_t count,
                          struct intake_files *files)
{
    for (int near = 0; near < 2; near++) {
        struct intake_files entered = *files;
        do {
            for (size_t i = 0; i < count; i++) {
                if (near == 0 ? has_source(rubrics[i], &entered)
                              : has_near_source(arena, rubrics[i], &entered)) {
                    *files = entered;
                    return;
                }
            }
        } while (intake_enter(arena, &entered));
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the rubrics of a folder by name: *.json, without the schemas. */
static enum error list_rubrics(struct arena *arena, const char *folder, const char ***out_names,
                               size_t *out_count, struct diagnostic *diagnostic)
{
    const char **names = NULL;
    size_t capacity = 0, count = 0;
    DIR *stream = opendir(folder);
    struct dirent *entry;

    if (stream == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the folder %s cannot be read", folder);
        return ERROR_ENVIRONMENT;
    }
    while ((entry = readdir(stream)) != NULL) {
        if (text_ends_with(entry->d_name, ".json") &&
            !text_ends_with(entry->d_name, ".schema.json") && entry->d_name[0] != '.') {
            arena_grow(arena, &names, &capacity, count + 1, sizeof *names);
            names[count++] = arena_strdup(arena, entry->d_name);
        }
    }
    closedir(stream);
    if (count > 0) {
        qsort(names, count, sizeof *names, compare_names);
    }
    *out_names = names;
    *out_count = count;
    return ERROR_NONE;
}

enum error coursework_list(struct arena *arena, const char *root,
                           const struct rubric *const **out_rubrics, size_t *out_count,
                           struct diagnostic *diagnostic)
{
    const char *folder = arena_printf(arena, "%s/rubrics", root);
    const char **names = NULL;
    size_t count = 0;
    enum error error = list_rubrics(arena, folder, &names, &count, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    const struct rubric **rubrics = arena_array(arena, count, sizeof *rubrics);
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        error = rubric_load(arena, arena_printf(arena, "%s/%s", folder, names[i]), root,
                            &rubrics[i], diagnostic);
    }
    *out_rubrics = rubrics;
    *out_count = count;
    return error;
}

/* Which rubric fits best. */
struct choice {
    const struct rubric *best, *rival; /* NULL: none; the rival fits as well */
    struct fit fit;                    /* of the best */
    struct intake_files files;         /* with the names that the best one asks for */
};

/* With `takes_near`, files with nearly the names of a rubric's sources count as these. */
static struct choice choose(struct arena *arena, const struct rubric *const *rubrics, size_t count,
                            const struct intake_files *files, bool takes_near)
{
    struct choice choice = {.fit = {.missing_names = ""}, .files = *files};

    for (size_t i = 0; i < count; i++) {
        struct intake_files own = *files;
        if (takes_near) {
            intake_adopt_names(arena, rubrics[i], &own);
        }
        struct fit fit = measure_fit(arena, rubrics[i], &own);
        bool fits = fit.missing == 0, best_fits = choice.fit.missing == 0;
        bool closer = fits == best_fits ? !fits && fit.present > choice.fit.present : fits;
        if (fit.present > 0 && (choice.best == NULL || closer)) {
            choice = (struct choice){.best = rubrics[i], .fit = fit, .files = own};
        } else if (fit.present > 0 && fits == best_fits &&
                   (fits || fit.present == choice.fit.present)) {
            choice.rival = rubrics[i];
        }
    }
    return choice;
}

static enum error recognise(struct arena *arena, const char *root, struct intake_files *files,
                            const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    const struct rubric *const *rubrics = NULL;
    size_t count = 0;
    enum error error = coursework_list(arena, root, &rubrics, &count, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    enter_folders(arena, rubrics, count, files);
    struct choice choice = choose(arena, rubrics, count, files, false);
    if (choice.best == NULL || choice.fit.missing > 0) {
        bool is_clear = choice.best != NULL && choice.rival == NULL && choice.fit.gradable > 0;
        choice = is_clear ? choose(arena, &choice.best, 1, files, true)
                          : choose(arena, rubrics, count, files, true);
    }
    if (choice.best == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s has no files of a known coursework; 'gpugrade courses' lists what each "
                       "one asks for",
                       files->shown);
        return ERROR_NOT_FOUND;
    }
    if (choice.rival != NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "the files in %s fit both %s and %s; choose with --coursework ID",
                       files->shown, choice.best->id, choice.rival->id);
        return ERROR_NOT_FOUND;
    }
    if (choice.fit.gradable == 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s looks like %s, but these files are missing: %s",
                       files->shown, choice.best->id, choice.fit.missing_names);
        return ERROR_NOT_FOUND;
    }
    *files = choice.files;
    *out_rubric = choice.best;
    return ERROR_NONE;
}

/* Loads rubrics/<coursework>.json; the name is a plain word. */
static enum error load_named(struct arena *arena, const char *root, const char *coursework,
                             const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    struct near_word near = near_word_start(coursework);
    const char *known = "";
    const char *path = arena_printf(arena, "%s/rubrics/%s.json", root, coursework);
    const char **names = NULL;
    size_t count = 0;

    if (strchr(coursework, '/') == NULL && coursework[0] != '.' && file_exists(path)) {
        return rubric_load(arena, path, root, out_rubric, diagnostic);
    }
    enum error error =
        list_rubrics(arena, arena_printf(arena, "%s/rubrics", root), &names, &count, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    for (size_t i = 0; i < count; i++) {
        const char *id =
            arena_printf(arena, "%.*s", (int)(strlen(names[i]) - strlen(".json")), names[i]);
        near_word_offer(&near, id);
        known = arena_printf(arena, "%s%s%s", known, i == 0 ? "" : ", ", id);
    }
    diagnostic_set(diagnostic, BLAME_USAGE, "there is no coursework '%s'%s known: %s", coursework,
                   near_word_question(&near, ""), known);
    return ERROR_NOT_FOUND;
}

/* Names the sources for a rubric that was asked for, if none of them is there. */
static enum error check_present(struct arena *arena, const struct rubric *rubric,
                                struct intake_files *files, struct diagnostic *diagnostic)
{
    coursework_enter(arena, rubric, files);
    struct fit fit = measure_fit(arena, rubric, files);

    if (fit.gradable > 0) {
        return ERROR_NONE;
    }
    if (fit.missing > 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s is missing files of %s: %s", files->shown,
                       rubric->id, fit.missing_names);
    } else {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s has no file of %s, such as %s", files->shown,
                       rubric->id, rubric->programs[0].sources[0]);
    }
    return ERROR_NOT_FOUND;
}

/* True if a program of the rubric has a source of that name. */
static bool names_source(const struct rubric *rubric, const char *name)
{
    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        for (size_t j = 0; j < program->source_count; j++) {
            const char *slash = strrchr(program->sources[j], '/');
            if (strcmp(slash == NULL ? program->sources[j] : slash + 1, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static enum hints stricter_hints(enum hints left, enum hints right)
{
    static const int ranks[] = {
        [HINTS_FIX] = 0, [HINTS_EXPLAIN] = 1, [HINTS_LOCATE] = 2, [HINTS_NONE] = 3};

    return ranks[right] > ranks[left] ? right : left;
}

/* What the rubric beside a file says, as above. */
static enum hints hints_beside(struct arena *arena, const char *root, const char *path,
                               const char *name)
{
    struct diagnostic unused = {.message = ""};
    const char *beside = arena_printf(arena, "%.*srubric.json", (int)(name - path), path);
    const struct rubric *rubric = NULL;

    return file_exists(beside) &&
                   rubric_load(arena, beside, root, &rubric, &unused) == ERROR_NONE &&
                   names_source(rubric, name)
               ? rubric->hints
               : HINTS_FIX;
}

enum hints coursework_hints(struct arena *arena, const char *root, const char *const *paths,
                            size_t path_count)
{
    struct diagnostic unused = {.message = ""};
    const struct rubric *const *rubrics = NULL;
    enum hints hints = HINTS_FIX;
    size_t count = 0;

    if (coursework_list(arena, root, &rubrics, &count, &unused) != ERROR_NONE) {
        count = 0;
    }
    for (size_t i = 0; i < path_count; i++) {
        const char *slash = strrchr(paths[i], '/');
        const char *name = slash == NULL ? paths[i] : slash + 1;
        hints = stricter_hints(hints, hints_beside(arena, root, paths[i], name));
        for (size_t j = 0; j < count; j++) {
            if (names_source(rubrics[j], name)) {
                hints = stricter_hints(hints, rubrics[j]->hints);
            }
        }
    }
    return hints;
}

void coursework_enter(struct arena *arena, const struct rubric *rubric, struct intake_files *files)
{
    enter_folders(arena, &rubric, 1, files);
    intake_adopt_names(arena, rubric, files);
}

enum error coursework_load(struct arena *arena, const char *root, const char *coursework,
                           const char *rubric_path, const struct rubric **out_rubric,
                           struct diagnostic *diagnostic)
{
    return rubric_path != NULL ? rubric_load(arena, rubric_path, root, out_rubric, diagnostic)
                               : load_named(arena, root, coursework, out_rubric, diagnostic);
}

/* A rubric that was copied out of the course that it belongs to has no coursework. */
static enum error check_reference(const struct rubric *rubric, const char *rubric_path,
                                  struct diagnostic *diagnostic)
{
    if (rubric_path == NULL || folder_exists(rubric->reference_folder)) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "there is no coursework '%s' for %s: no folder %s; use the rubric in the folder "
                   "of its course: COURSE/rubrics/NAME.json next to COURSE/reference/%s",
                   rubric->id, rubric_path, rubric->reference_folder, rubric->id);
    return ERROR_NOT_FOUND;
}

enum error coursework_find(struct arena *arena, const char *root, struct intake_files *files,
                           const char *coursework, const char *rubric_path,
                           const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = NULL;
    enum error error;

    if (rubric_path == NULL && coursework == NULL) {
        return recognise(arena, root, files, out_rubric, diagnostic);
    }
    error = coursework_load(arena, root, coursework, rubric_path, &rubric, diagnostic);
    if (error == ERROR_NONE) {
        error = check_reference(rubric, rubric_path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = check_present(arena, rubric, files, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_rubric = rubric;
    }
    return error;
}

enum error coursework_stored(struct arena *arena, const char *root, struct store *store,
                             struct store_rubric *out_stored, const struct rubric **out_rubric,
                             struct diagnostic *diagnostic)
{
    enum error error = store_rubric(store, arena, out_stored, diagnostic);

    return error != ERROR_NONE ? error
                               : rubric_parse(arena, out_stored->text, strlen(out_stored->text),
                                              "rubric of RESULTS", root, out_rubric, diagnostic);
}
